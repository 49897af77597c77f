"""Prompted mode: tool calls as text, for models without native tools."""
