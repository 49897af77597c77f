"""`toolpost config`."""
