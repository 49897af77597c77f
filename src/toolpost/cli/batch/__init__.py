"""`toolpost batch`."""
