"""What the tests and the tools of `web_tools.py` share: gates by name, and what a call of `told` gives back."""

from typing import Any

from toolpost.testing import Gate

GATES: dict[str, Gate] = {}
TOLD: dict[str, Any] = {}
