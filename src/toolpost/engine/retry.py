"""When a failed step is tried again, and how long to wait before."""

import random

from toolpost.types.errors import RETRYABLE_CODES
from toolpost.types.messages import ErrorInfo

from .limits import Limits

JITTER = 0.25


def retry_delay(error: ErrorInfo, attempt: int, limits: Limits) -> float | None:
    """Seconds until the next attempt, or None if there should be none. `attempt` counts from 1.

    A server that wants a longer wait than we are ready for is not asked again: better to say so than to hang.
    """
    if attempt > limits.retries or not (error.retryable or error.code in RETRYABLE_CODES):
        return None
    if error.retry_after is not None:
        return error.retry_after if error.retry_after <= limits.retry_after_max else None
    delay = min(limits.retry_delay * 2 ** (attempt - 1), limits.retry_delay_max)
    return delay * (1 + random.uniform(0, JITTER))  # spreads load, guards nothing
