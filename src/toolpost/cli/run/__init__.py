"""`toolpost run`."""
