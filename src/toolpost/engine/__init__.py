"""Sessions, the loop, the life of a call."""
