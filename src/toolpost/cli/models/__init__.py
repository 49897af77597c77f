"""`toolpost models`."""
