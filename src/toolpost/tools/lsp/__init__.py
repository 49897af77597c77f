"""Run language servers and ask them about code."""
