"""The two tools that every framework is given, and when the first of them was called."""

import asyncio
import time

MARKS: list[float] = []


async def add(a: int, b: int) -> int:
    """Add two integers.

    Args:
        a: first
        b: second
    """
    MARKS.append(time.perf_counter())
    return a + b


async def sleepy(seconds: float) -> str:
    """Sleep.

    Args:
        seconds: how long
    """
    await asyncio.sleep(seconds)
    return "ok"


FUNCTIONS = {"add": add, "sleepy": sleepy}
