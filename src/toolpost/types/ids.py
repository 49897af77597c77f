"""Make ids that sort by the time they were made and cannot be guessed."""

import os
import time


def new_id(prefix: str) -> str:
    """Return `prefix_` + 12 hex digits of milliseconds + 32 hex digits (128 bits) of chance."""
    return f"{prefix}_{time.time_ns() // 1_000_000:012x}{os.urandom(16).hex()}"
