"""The tool of the cold `toolpost run`."""

from toolpost import tool


@tool
def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b
