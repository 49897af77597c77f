"""Reaching the web: a client that connects only to addresses that were checked, and what it fetches made readable."""
