"""`toolpost sessions`."""
