"""`toolpost doctor`."""
