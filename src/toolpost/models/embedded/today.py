"""The day that a question is asked on."""

import re
from collections.abc import Sequence
from datetime import date

_TODAY = re.compile(r"(?:today|date|今天|日期)[^\d]{0,40}(\d{4}-\d{2}-\d{2})", re.IGNORECASE)


def today_in(system: Sequence[str]) -> date:
    """The day that the system prompt names, else that of the clock."""
    found = _TODAY.search("\n".join(system))
    try:
        return date.fromisoformat(found[1]) if found else date.today()
    except ValueError:
        return date.today()
