"""Fill in the form of an MCP server on the terminal, field by field, and confirm it before it is sent."""

import re
from collections.abc import Awaitable, Callable
from typing import Any

from toolpost.cli.shared.terminal_writer import BOLD, CYAN, DIM, RED, YELLOW, TerminalWriter
from toolpost.mcp.elicitation import NO, YES, FormField, declined, form_fields, host_of, intro
from toolpost.mcp.requests import Elicitation, ElicitationAnswer
from toolpost.tools.define import ToolContext
from toolpost.view.escape_codes import exact, exact_line

_SENT, _DECLINED, _CANCELLED = "accept", "decline", "cancel"


class TerminalForm:
    """Answers what servers ask during a call. The end of input cancels; a `no` at the end declines."""

    def __init__(self, pen: TerminalWriter, read_line: Callable[[], Awaitable[str | None]]) -> None:
        self._pen = pen
        self._read_line = read_line

    async def elicit(self, request: Elicitation, ctx: ToolContext) -> ElicitationAnswer:
        try:
            return await (self._address(request) if request.url else self._form(request))
        except ValueError as error:
            return declined(request, str(error))
        except EOFError:
            self._pen.fresh()
            return ElicitationAnswer(_CANCELLED)

    async def _address(self, request: Elicitation) -> ElicitationAnswer:
        """Shown, never opened: an address that a server made up would reach whatever opens addresses."""
        host = host_of(request)
        self._introduce(request)
        self._pen.line(f"The server asks you to open {exact_line(request.url)}")
        self._pen.line(f"Its host is {exact_line(host)}.")
        opened = await self._confirmed("Did you open it?")
        return ElicitationAnswer(_SENT if opened else _DECLINED)

    async def _form(self, request: Elicitation) -> ElicitationAnswer:
        fields = form_fields(request)
        self._introduce(request)
        content: dict[str, Any] = {}
        for field in fields:
            await self._fill(field, content)
        for name, value in content.items():
            self._pen.line(f"  {exact_line(name)}: {exact_line(_shown(value))}")
        if not await self._confirmed(f"Send this to {request.server}?" if fields else "Do you agree?"):
            return ElicitationAnswer(_DECLINED)
        return ElicitationAnswer(_SENT, content)

    def _introduce(self, request: Elicitation) -> None:
        self._pen.fresh()
        for line in exact(intro(request)).splitlines():
            self._pen.line(self._pen.style(line, BOLD))
        self._pen.line(self._pen.style("  Ctrl-D cancels", DIM))

    async def _fill(self, field: FormField, content: dict[str, Any]) -> None:
        pen = self._pen
        pen.line(pen.style(exact_line(field.label), BOLD) + pen.style(_hints(field), DIM))
        for number, option in enumerate(field.options, 1):
            pen.line(f"  {pen.style(str(number), CYAN, BOLD)} {exact_line(option)}")
        while True:
            try:
                return field.fill(content, _meant(field, await self._asked()))
            except ValueError as error:
                pen.line(pen.style(f"  {exact_line(str(error))}", RED))

    async def _confirmed(self, question: str) -> bool:
        self._pen.line(f"{self._pen.style(exact_line(question), BOLD)} {YES} or {NO}")
        while True:
            said = (await self._asked()).lower()
            if said in (YES, "y", NO, "n"):
                return said in (YES, "y")

    async def _asked(self) -> str:
        self._pen.put(self._pen.style("? ", YELLOW, BOLD))
        line = await self._read_line()
        self._pen.at_line_start = line is not None
        if line is None:
            raise EOFError
        return line.strip()


def _hints(field: FormField) -> str:
    kind = str(field.schema.get("format") or field.schema.get("type") or "text")
    hints = ["numbers such as 1,3" if field.is_many else "a number" if field.options else kind]
    if field.default:
        hints.append(f"Enter for {exact_line(field.default)}")
    elif not field.required:
        hints.append("Enter to skip")
    return f" ({', '.join(hints)})"


def _meant(field: FormField, said: str) -> list[str]:
    """The options with these numbers, or what was written."""
    if not field.options:
        return re.split(r"\s*,\s*", said) if field.is_many else [said]
    options = list(field.options)
    words = re.split(r"[,\s]+", said) if field.is_many or said.isdecimal() else [said]
    return [options[int(word) - 1] if word.isdecimal() and 0 < int(word) <= len(options) else word for word in words]


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return YES if value else NO
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)  # pyright: ignore[reportUnknownArgumentType]
