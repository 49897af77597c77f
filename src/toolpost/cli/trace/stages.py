"""Turn the stored events and exchanges of a run into the stages that `toolpost trace` shows."""

import json
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, cast

from msgspec import Struct

from toolpost.cli.shared.formats import dollars, lasted, size
from toolpost.cli.shared.tables import plain
from toolpost.guard.redact import Redactor, redacted_value
from toolpost.store.contract import Exchange, Store
from toolpost.store.markdown_export import compact_json, result_text
from toolpost.types import events as ev
from toolpost.types.messages import CompactionPart, FilePart, Message
from toolpost.types.text import counted
from toolpost.view.cells import fit

from .tool_use_notes import ToolUseNotes

SHORT_CELLS = 160
_Said = tuple[str, str]

_LISTS = ("messages", "input")


class Stage(Struct, frozen=True, omit_defaults=True):
    """One line of a trace. `at` is in seconds since the run began; `detail` is all of what `text` shows briefly."""

    at: float
    name: str
    text: str
    took: float | None = None
    detail: str = ""
    data: dict[str, Any] = {}


class RunTrace(Struct, frozen=True, omit_defaults=True):
    """A run as stages. `number` counts the runs of a session from 1."""

    number: int
    id: str
    model: str
    started: float
    stages: tuple[Stage, ...]
    ended: bool = True


WhyHidden = Callable[[Sequence[str]], dict[str, str]]


async def read_runs(
    store: Store, session_id: str, redactor: Redactor, why_hidden: WhyHidden
) -> AsyncIterator[RunTrace]:
    """Yield the trace of every run. `why_hidden` says why known tools were not offered."""
    exchanges = _Exchanges(store.exchanges(session_id))
    current: _TraceBuilder | None = None
    number = 0
    async for event in store.events(session_id):
        if isinstance(event, ev.RunStart):
            if current is not None:
                yield await current.end(exchanges, event.time)
            number += 1
            current = _TraceBuilder(number, event, redactor, why_hidden)
        elif current is not None:
            current.add(event)
            if isinstance(event, ev.RunEnd):
                yield await current.end(exchanges, event.time)
                current = None
    if current is not None:
        yield await current.end(exchanges, float("inf"))


class _Exchanges:
    """The exchanges in order, read run by run, so that few are held at once."""

    def __init__(self, source: AsyncIterator[Exchange]) -> None:
        self._source = source
        self._next: Exchange | None = None

    async def until(self, time: float) -> list[Exchange]:
        found: list[Exchange] = []
        while True:
            if self._next is None:
                self._next = await anext(self._source, None)
            if self._next is None or self._next.sent_at > time:
                return found
            found.append(self._next)
            self._next = None


class _Delta:
    """The times and the number of the deltas of a part."""

    def __init__(self, kind: ev.DeltaKind, first: float) -> None:
        self.kind: ev.DeltaKind = kind
        self.first = self.last = first
        self.pieces = 0


class _TraceBuilder:
    def __init__(self, number: int, start: ev.RunStart, redactor: Redactor, why_hidden: WhyHidden) -> None:
        self._number = number
        self._start = start
        self._redactor = redactor
        self._why_hidden = why_hidden
        self._stages: list[Stage] = []
        self._verdicts = ToolUseNotes()
        self._deltas: dict[tuple[str, int], _Delta] = {}
        self._asked: dict[str, ev.PermissionAsked] = {}
        self._running = set[str]()
        self._updates: dict[str, int] = {}
        self._running = set[str]()
        self._step_started = start.time
        self._compaction_started = start.time
        self._ended = False

    def add(self, event: ev.Event) -> None:
        match event:
            case ev.MessageUpdate():
                self._add_delta(event)
            case ev.MessageStart(message=message) if message.role == "user":
                self._add_prompt(event.time, message)
            case ev.MessageEnd(message=message) if message.role == "assistant":
                self._add_answer(event.time, message)
            case ev.StepStarted():
                self._add_step(event)
            case ev.StepEnd() | ev.RunEnd():
                self._add_end(event)
            case ev.ToolCalled() | ev.ToolExecutionStart() | ev.ToolExecutionUpdate() | ev.ToolExecutionEnd():
                self._add_call(event)
            case ev.PermissionAsked() | ev.PermissionReplied():
                self._add_permission(event)
            case ev.Retry() | ev.CompactionStart() | ev.CompactionEnd():
                self._add_trouble(event)
            case _:
                return

    async def end(self, exchanges: _Exchanges, time: float) -> RunTrace:
        for exchange in await exchanges.until(time):
            self._add_exchange(exchange)
        if not self._ended:
            last = max((stage.at for stage in self._stages), default=0.0)
            text = "no end is stored: the run is still active, or its process died"
            self._put(self._start.time + last, "note", text)
        # Exchanges are stored beside the events; by their times they find their places.
        stages = tuple(sorted(self._stages, key=lambda stage: stage.at))
        start = self._start
        return RunTrace(self._number, start.run_id, start.model, start.time, stages, self._ended)

    def _add_prompt(self, time: float, message: Message) -> None:
        if not any(isinstance(part, CompactionPart) for part in message.parts):
            self._put(time, "prompt", self._short(message.text), detail=message.text)

    def _add_step(self, event: ev.StepStarted) -> None:
        self._step_started = event.time
        self._verdicts.begin_step(event.step, event.tools)
        offered = (
            f"{counted(len(event.tools), 'tool')} offered: {', '.join(event.tools)}"
            if event.tools
            else "no tools offered"
        )
        data = {"step": event.step, "model": event.model, "tools": event.tools}
        self._put(event.time, f"step {event.step}", f"{event.model}, {offered}", data=data)
        hidden = self._why_hidden(event.tools)
        if hidden and event.step == 1:
            reasons = "; ".join(f"{name} ({why})" for name, why in hidden.items())
            self._put(event.time, "hidden", f"not offered, by today's rules: {reasons}", data={"tools": hidden})

    def _add_exchange(self, exchange: Exchange) -> None:
        sent, new = self._redactor.text(exchange.sent), new_messages(exchange.sent)
        data: dict[str, Any] = {"url": exchange.url, "bytes": exchange.sent_bytes}
        said = "; ".join(f"{role}: {self._short(text, 60)}" for role, text in new)
        new_text = f"; new: {said}" if said else ""
        self._put(
            exchange.sent_at, "sent", f"{exchange.url} {size(exchange.sent_bytes)}{new_text}", detail=sent, data=data
        )
        data = {"status": exchange.status, "bytes": exchange.received_bytes}
        if not exchange.first_byte_at:
            text = f"nothing after {lasted(exchange.ended_at - exchange.sent_at)}"
            status = f"status {exchange.status}, " if exchange.status else ""
            self._put(exchange.ended_at, "received", f"{status}{text}", data=data)
            return
        waited, took = exchange.first_byte_at - exchange.sent_at, exchange.ended_at - exchange.first_byte_at
        length = f"{size(exchange.received_bytes)} in {lasted(took)}"
        text = f"status {exchange.status}, first byte after {lasted(waited)}, {length}"
        received = self._redactor.text(exchange.received)
        self._put(exchange.first_byte_at, "received", text, took, received, {**data, "first_byte_after": waited})

    def _add_delta(self, event: ev.MessageUpdate) -> None:
        key = event.message_id, event.part
        delta = self._deltas.setdefault(key, _Delta(event.kind, event.time))
        delta.last = event.time
        delta.pieces += bool(event.text)

    def _add_answer(self, time: float, message: Message) -> None:
        for place, part in enumerate(message.parts):
            delta = self._deltas.pop((message.id, place), None)
            if isinstance(part, FilePart):
                length = len(part.data.rstrip("=")) * 3 // 4
                self._put(time, "file", f"{part.mime}, {size(length)}", data={"mime": part.mime, "bytes": length})
            if delta is None or delta.kind == "tool_input" or not (text := getattr(part, "text", "")):
                continue
            took = delta.last - delta.first
            said = f"{counted(len(text), 'character')} in {counted(delta.pieces, 'piece')}: {self._short(text)}"
            data = {"characters": len(text), "pieces": delta.pieces}
            self._put(delta.first, delta.kind, said, took, self._redactor.text(text), data)
        for verdict in self._verdicts.judge(message):
            self._put(time, "note", self._short(verdict, 2 * SHORT_CELLS))

    def _add_call(
        self, event: ev.ToolCalled | ev.ToolExecutionStart | ev.ToolExecutionUpdate | ev.ToolExecutionEnd
    ) -> None:
        data: dict[str, Any] = {"call_id": event.call_id, "tool": event.name}
        match event:
            case ev.ToolCalled():
                arguments = compact_json(redacted_value(event.arguments, self._redactor))
                text = f"{event.name} {self._short(arguments)}"
                self._put(event.time, "call", text, detail=arguments, data={**data, "arguments": event.arguments})
            case ev.ToolExecutionStart():
                self._running.add(event.call_id)
                self._put(event.time, "running", event.name, data=data)
            case ev.ToolExecutionUpdate():
                self._updates[event.call_id] = self._updates.get(event.call_id, 0) + 1
            case ev.ToolExecutionEnd():
                self._add_result(event, data)

    def _add_result(self, event: ev.ToolExecutionEnd, data: dict[str, Any]) -> None:
        result = result_text(event.content)
        self._verdicts.add_result(event.call_id, result)
        outcome = event.error_kind or "completed"
        # One whose process died while it ran has no duration.
        unfinished = "not finished" if event.call_id in self._running else "not run"
        how = f"{outcome} in {lasted(event.duration)}" if event.duration else f"{outcome}, {unfinished}"
        updates = self._updates.pop(event.call_id, 0)
        progress = f", {counted(updates, 'update')}" if updates else ""
        length = len(result.encode(errors="replace"))
        text = f"{event.name} {how}{progress}, {size(length)}: {self._short(result)}"
        data = {**data, "outcome": outcome, "bytes": length}
        self._put(event.time, "result", text, event.duration, self._redactor.text(result), data)
        hidden = self._why_hidden(()) if event.error_kind in ("unknown_tool", "denied") else {}
        if event.error_kind == "unknown_tool" or event.name in hidden:
            why = hidden.get(event.name, "no tool has this name")
            self._put(event.time, "note", f"the model called {event.name}, which was not offered: {why}")

    def _add_permission(self, event: ev.PermissionAsked | ev.PermissionReplied) -> None:
        if isinstance(event, ev.PermissionAsked):
            self._asked[event.ask_id] = event
            patterns = redacted_value(list(event.patterns), self._redactor)
            data = {"permission": event.permission, "patterns": patterns, "call_id": event.call_id}
            self._put(event.time, "asked", f"{event.permission}: {self._short(', '.join(patterns))}", data=data)
            return
        asked = self._asked.pop(event.ask_id, None)
        waited = event.time - asked.time if asked else None
        after = f" after {lasted(waited)}" if waited is not None else ""
        word = f": {self._short(event.message)}" if event.message else ""
        data = {"reply": event.reply, "by": event.by}
        self._put(event.time, "replied", f"{event.reply}, by {event.by}{after}{word}", waited, data=data)

    def _add_trouble(self, event: ev.Retry | ev.CompactionStart | ev.CompactionEnd) -> None:
        match event:
            case ev.Retry(attempt=attempt, delay=delay, error=error):
                status = f" (status {error.status})" if error.status else ""
                failure = f"{error.code}{status}: {self._short(error.message)}"
                text = f"attempt {attempt} failed: {failure}; again in {lasted(delay)}"
                self._put(event.time, "retry", text, data={"attempt": attempt, "code": error.code, "delay": delay})
            case ev.CompactionStart():
                self._compaction_started = event.time
                self._put(event.time, "compaction", f"begun ({event.reason}) at about {counted(event.tokens, 'token')}")
            case ev.CompactionEnd():
                took = event.time - self._compaction_started
                ended = f"failed: {self._short(event.error.message)}" if event.error else "done"
                self._put(event.time, "compaction", f"{ended} in {lasted(took)}", took)

    def _add_end(self, event: ev.StepEnd | ev.RunEnd) -> None:
        usage = event.usage
        tokens = (
            f"{counted(usage.total, 'token')} ({usage.input:,} in, {usage.cache_read:,} cached, {usage.output:,} out)"
        )
        data: dict[str, Any] = {"reason": event.reason, "usage": usage, "cost": event.cost}
        if isinstance(event, ev.StepEnd):
            took = event.time - self._step_started
            self._put(
                event.time,
                "step end",
                f"{event.reason}, {lasted(took)}, {tokens}, {dollars(event.cost)}",
                took,
                "",
                data,
            )
            return
        self._ended = True
        took = event.time - self._start.time
        limit = f" ({event.limit})" if event.limit else ""
        failure = f", {event.error.code}: {self._short(event.error.message)}" if event.error else ""
        spent = f"{counted(event.steps, 'step')}, {lasted(took)}, {tokens}, {dollars(event.cost)}"
        self._put(event.time, "run end", f"{event.reason}{limit}{failure}, {spent}", took, "", data)

    def _put(
        self,
        time: float,
        name: str,
        text: str,
        took: float | None = None,
        detail: str = "",
        data: dict[str, Any] | None = None,
    ) -> None:
        at = max(0.0, time - self._start.time)
        kept = redacted_value(data or {}, self._redactor)
        self._stages.append(Stage(at, name, plain(self._redactor.text(text)), took, self._redactor.text(detail), kept))

    def _short(self, text: str, cells: int = SHORT_CELLS) -> str:
        """Redact the text, then cut it: half of a key would not be recognised."""
        return fit(plain(self._redactor.text(text)), cells)


def new_messages(body: str) -> list[_Said]:
    """Return role and text of the messages after the model's last one; of a cut body, the whole ones."""
    try:
        request: Any = json.loads(body)
    except ValueError:
        found = list(_whole_messages(body))
    else:
        table = cast("dict[str, Any]", request) if isinstance(request, dict) else {}
        lists = (cast("list[Any]", table[name]) for name in _LISTS if isinstance(table.get(name), list))
        found = [cast("dict[str, Any]", one) for one in next(lists, ()) if isinstance(one, dict)]
    last = max((place for place, one in enumerate(found) if one.get("role") == "assistant"), default=-1)
    new = found[last + 1 :]
    return [(str(one.get("role", one.get("type", "?"))), _text_of(one)) for one in new if one.get("role") != "system"]


def _whole_messages(body: str) -> Iterator[dict[str, Any]]:
    """Parse the messages after the cut: find a key at the start of an object, as adapters write it."""
    decoder, at = json.JSONDecoder(), body.find('{"role":')
    while at >= 0:
        try:
            found, end = decoder.raw_decode(body, at)
        except ValueError:
            end = at + 1
        else:
            yield found
        at = body.find('{"role":', end)


def _text_of(message: dict[str, Any]) -> str:
    content: Any = message.get("content", message.get("output", ""))
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    pieces = (cast("dict[str, Any]", piece) for piece in cast("list[Any]", content) if isinstance(piece, dict))
    return " ".join(str(piece.get("text") or f"[{piece.get('type', '?')}]") for piece in pieces)
