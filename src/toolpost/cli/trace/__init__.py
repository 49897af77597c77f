"""`toolpost trace`."""
