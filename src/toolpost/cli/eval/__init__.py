"""`toolpost eval`."""
