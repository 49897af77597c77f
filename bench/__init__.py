"""Toolpost beside its peers on one scripted upstream: `python -m bench`."""
