"""Schema dialects: one JSON Schema in, the subset that a provider takes out."""

from .provider_schema import for_provider

__all__ = ["for_provider"]
