"""`toolpost schedule`."""
