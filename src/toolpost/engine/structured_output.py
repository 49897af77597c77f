"""Structured output: the model gives its answer through a tool whose parameters are the wanted type."""

from collections.abc import Callable
from typing import Any

import msgspec

from toolpost.tools.define import Tool, ToolContext
from toolpost.tools.schema import output_schema
from toolpost.types.errors import ToolError

NAME = "final_output"
NUDGE = f"Hand in your answer by calling `{NAME}` with all its fields."


class OutputTarget:
    """The wanted output of a run. `done` once a valid value has been handed in."""

    def __init__(self, schema: dict[str, Any], convert: Callable[[Any], Any], retries: int) -> None:
        self._convert = convert
        self.retries_left = retries
        self.done = False
        self.insisting = False
        self.value: Any = None
        self.plain: Any = None
        self.tool = Tool(
            NAME,
            "Final output",
            "Hand in the final answer to the user's request. Call it once, when the work is done.",
            schema,
            self._accept,
            parallel=False,
            check=self._check,
            idempotent=True,
            source="engine",
        )

    @classmethod
    def of(cls, wanted: Any, retries: int) -> "OutputTarget":
        """`wanted` is a type or a JSON Schema."""
        schema, convert = output_schema(wanted)
        return cls(schema, convert, retries)

    def accept_text(self, text: str) -> bool:
        """Some models answer with the JSON itself: that is as good as the call."""
        try:
            plain = msgspec.json.decode(_unfenced(text))
            self.value = self._convert(plain)
        except (msgspec.DecodeError, ToolError, ValueError, TypeError):
            return False
        self.plain, self.done = plain, True
        return True

    def may_retry(self) -> bool:
        """Spend one of the retries. The model is then made to call a tool, where its server can."""
        self.insisting = True
        self.retries_left -= 1
        return self.retries_left >= 0

    def _check(self, arguments: dict[str, Any]) -> Any:
        try:
            value = self._convert(arguments)
            self.plain = arguments
            return value
        except ToolError:
            self.may_retry()
            raise

    async def _accept(self, value: Any, ctx: ToolContext) -> str:
        self.value, self.done = value, True
        return "Accepted."

    @property
    def exhausted(self) -> bool:
        return self.retries_left < 0


def _unfenced(text: str) -> str:
    stripped = text.strip()
    if stripped.startswith("```") and stripped.endswith("```"):
        stripped = stripped[3:-3].removeprefix("json").strip()
    return stripped
