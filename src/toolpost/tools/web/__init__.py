"""Fetch and search the web: connect to checked addresses only, and make pages readable."""
