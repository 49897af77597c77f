"""What the tests and the tools of `chat_tools.py` share: gates by name, and a list of what has run."""

from toolpost.testing import Gate

GATES: dict[str, Gate] = {}
RAN: list[str] = []
