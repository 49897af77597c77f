"""Adapters of Toolpost's embedded models: GGUF files beside this module."""
