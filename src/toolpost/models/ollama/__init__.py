"""Ollama's own chat wire."""
