"""Plugins: their hooks, and how installed ones are found."""
