"""Fetch and search the web: only checked addresses are connected to, and pages are made readable."""
