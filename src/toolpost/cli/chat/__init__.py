"""`toolpost chat`."""
