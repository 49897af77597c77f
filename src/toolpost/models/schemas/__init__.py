"""Convert JSON Schemas to what each provider takes."""

from .provider_schema import for_provider

__all__ = ["for_provider"]
