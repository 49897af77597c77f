"""Web search over several providers, in one form: `run` in `searching.py`, one file a provider."""
