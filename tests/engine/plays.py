"""Runs that are killed at every place: what their models say, what their tools do, and where they die.

A model here answers by the conversation alone, so that a turn that is taken again says the same.
"""

import os
import signal
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from typing import Any

import msgspec
from msgspec import Struct, structs

from toolpost import Agent, Limits, ToolContext, tool
from toolpost.engine.compaction import INSTRUCTIONS
from toolpost.engine.session import Session
from toolpost.models.contract import ModelInfo, ModelRequest
from toolpost.store.contract import Lease, SessionChanges, SessionInfo, Store
from toolpost.store.run_records import Holder, RunRecord
from toolpost.testing import ScriptedModel, Turn, call, calls, error, text, turn
from toolpost.tools.builtin import question
from toolpost.tools.define import Tool
from toolpost.types.messages import Completed, Failed, Message, TextPart, ToolPart, Usage
from toolpost.types.stream import StreamEvent

OUTPUT = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
# Tools whose calls may run once more.
REPEATABLE = frozenset({"look", "put", "careful", "task", "final_output"})


# What is not stored at once is stored while an attempt that failed is waited for.
LIMITS = Limits(retry_delay=0.08)


class Place(Struct, frozen=True):
    """Where a process kills itself: when it passes `what` for the `nth` time."""

    what: str = ""
    nth: int = 0


class Death:
    """Kills this process at a place."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._passed = 0

    def at(self, what: str) -> None:
        if what == self._place.what:
            self._passed += 1
            if self._passed == self._place.nth:
                signal.raise_signal(signal.SIGKILL)


class Play(Struct, frozen=True):
    """Prompts and the turns that answer each of them; `sent` are those of sub-agents. The turn that `fails` does so
    when a process takes it for the first time."""

    prompts: dict[str, list[Turn]]
    sent: dict[str, list[Turn]] = {}
    output: dict[str, Any] | None = None
    asks: tuple[str, ...] = ()
    fails: int | None = None


def work(*numbers: int, name: str = "work", key: str = "c") -> Turn:
    return calls(*(call(name, {"n": n}, id=f"{key}{n}") for n in numbers))


def said(words: str) -> Turn:
    return turn(text(words, chunk=7), usage=Usage(input=10, output=3))


def cost(made: Turn) -> Turn:
    return turn(made, usage=Usage(input=20, output=7))


_SEND = call("task", {"description": "a part", "prompt": "do a part", "agent": "helper"}, id="t1")
_ASKED = call("question", {"questions": [{"question": "Which one?", "options": ["a", "b"]}]}, id="q1")

WINDOW = 20_000
_FULL = turn(work(1, 2), usage=Usage(input=WINDOW * 3 // 4, output=7))

PLAYS = {
    "text": Play({"go": [said("hello to all of you")]}),
    "parallel": Play({"go": [cost(text("I begin. ") + work(1, 2, 3)), cost(work(4)), said("all is done")]}),
    "serial": Play({"go": [cost(work(1, 2, name="serial") + work(3)), said("all is done")]}),
    "repeatable": Play({"go": [cost(work(1, name="look") + work(2, name="put") + work(3)), said("all is done")]}),
    "approval": Play({"go": [cost(work(1, 2)), cost(work(3, name="serial")), said("all is done")]}, asks=("work",)),
    "asking": Play({"go": [cost(work(1, name="careful") + work(2)), said("all is done")]}),
    "question": Play({"go": [cost(_ASKED + work(2)), said("all is done")]}),
    "task": Play({"go": [cost(_SEND + work(1)), said("thanks")]}, {"do a part": [cost(work(7, 8)), said("my part")]}),
    "silent task": Play({"go": [cost(_SEND), said("thanks")]}, {"do a part": [cost(work(7)), said("")]}),
    "task asks": Play(
        {"go": [cost(_SEND), said("thanks")]},
        {"do a part": [cost(work(7, name="serial") + work(8)), said("my part")]},
        asks=("work",),
    ),
    "output": Play(
        {
            "go": [
                cost(work(1)),
                cost(call("final_output", {"n": "seven"}, id="o1")),
                said("is that it?"),
                cost(call("final_output", {"n": 7}, id="o2")),
            ]
        },
        output=OUTPUT,
    ),
    "waiting prompts": Play(
        {
            "go": [cost(work(1, name="speak")), cost(work(2)), said("all is done")],
            "and then": [cost(work(3)), said("that is done too")],
        }
    ),
    "failing model": Play({"go": [cost(work(1)), cost(work(2)), said("all is done")]}, fails=1),
    "full window": Play({"go": [cost(work(3)), _FULL, cost(work(4)), said("all is done")]}),
}


class Script(Struct, frozen=True):
    """A play as data: for each turn the tools that it calls, and those that a sub-agent's turns do."""

    turns: list[list[str]]
    sent: list[list[str]] = []
    asks: list[str] = []
    has_output: bool = False
    fails: int | None = None
    fills: int | None = None

    @property
    def play(self) -> Play:
        turns = [_turn(f"c{number}", tools, fills=number == self.fills) for number, tools in enumerate(self.turns)]
        sent = [_turn(f"s{number}", tools) for number, tools in enumerate(self.sent)]
        end = cost(call("final_output", {"n": 7}, id="o1")) if self.has_output else said("all is done")
        return Play(
            {"go": [*turns, end]},
            {"do a part": [*sent, said("my part")]},
            OUTPUT if self.has_output else None,
            tuple(self.asks),
            self.fails,
        )


def play_of(name: str) -> Play:
    """One of `PLAYS`, or that of a script in JSON."""
    return PLAYS[name] if name in PLAYS else msgspec.json.decode(name, type=Script).play


def _turn(key: str, tools: Sequence[str], *, fills: bool = False) -> Turn:
    made = [_call(tool, f"{key}_{n}", n) for n, tool in enumerate(tools)]
    return turn(*made, usage=Usage(input=WINDOW * 3 // 4 if fills else 20, output=7))


def _call(tool: str, key: str, n: int) -> Turn:
    match tool:
        case "task":
            return call("task", {"description": "a part", "prompt": "do a part", "agent": "helper"}, id=key)
        case "question":
            return call("question", {"questions": [{"question": f"Which of {n}?", "options": ["a", "b"]}]}, id=key)
        case _:
            return call(tool, {"n": n}, id=key)


STEERED = "be quick"
NUDGE = "nudge"
SUMMARISE = INSTRUCTIONS[:40]


class Stage:
    """Everything of a play in one process: its store, and what it notes in `folder` for who looks at it afterwards."""

    def __init__(self, play: str, folder: str, store: Store, death: Death) -> None:
        self.play = play_of(play)
        self.store = DyingStore(store, death)
        self.session: Session | None = None
        self._folder = folder
        self.death = death

    def agent(self) -> Agent:
        permissions = dict.fromkeys(self.play.asks, "ask")
        helper = Agent(self._model(self.play.sent, "helper"), self._tools(), name="helper", permissions=permissions)
        agent = Agent(
            self._model(self.play.prompts, "main"),
            self._tools(),
            store=self.store,
            permissions=permissions,
            agents=[helper] if self.play.sent else (),
            interactive=True,
            park_seconds=0.0,
            limits=LIMITS,
        )
        agent._setup = replace(agent._setup, price=_price)
        return agent

    def _model(self, prompts: dict[str, list[Turn]], name: str) -> "PlayedModel":
        return PlayedModel(prompts, name, self)

    def note(self, name: str, line: str) -> None:
        """Add a line to a file. It stays, however this process ends."""
        file = os.open(f"{self._folder}/{name}", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        os.write(file, f"{line}\n".encode())
        os.close(file)

    def _act(self, ctx: ToolContext, n: int) -> str:
        self.death.at("tool begins")
        self.note("effects", ctx.call_id)
        self.death.at("tool ends")
        return f"did {n}"

    def _tools(self) -> list[Tool]:
        act = self._act

        @tool
        async def work(n: int, ctx: ToolContext) -> str:
            """Work."""
            return act(ctx, n)

        @tool(parallel=False)
        async def serial(n: int, ctx: ToolContext) -> str:
            """Work alone."""
            return act(ctx, n)

        @tool(read_only=True)
        async def look(n: int, ctx: ToolContext) -> str:
            """Look at something."""
            return act(ctx, n)

        @tool(idempotent=True)
        async def put(n: int, ctx: ToolContext) -> str:
            """Put something in its place."""
            return act(ctx, n)

        @tool(idempotent=True)
        async def careful(n: int, ctx: ToolContext) -> str:
            """Ask first."""
            await ctx.ask("danger", ["zone"])
            return act(ctx, n)

        @tool
        async def speak(n: int, ctx: ToolContext) -> str:
            """Say something to the run that goes on, and something for after it."""
            self.death.at("tool begins")
            assert self.session is not None
            self.note("effects", ctx.call_id)
            await self.session.steer(STEERED)
            self.note("stored", STEERED)
            await self.session.queue("and then")
            self.note("stored", "and then")
            self.death.at("tool ends")
            return f"did {n}"

        return [work, serial, look, put, careful, speak, question.make(None)]


async def _price(provider: str, model: str, usage: Usage) -> float:
    # Sums of it are exact.
    return usage.total / 4


class PlayedModel:
    """Answers each prompt with its turns, by how many steps there are after it."""

    def __init__(self, prompts: dict[str, list[Turn]], name: str, stage: Stage) -> None:
        self.info = ModelInfo("played", name, WINDOW)
        self._prompts = prompts
        self._stage = stage
        self._has_failed = False

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        self._stage.death.at("request")
        made = said("a summary")
        if not request.messages[0].text.startswith(SUMMARISE):
            self._stage.note("requests", msgspec.json.encode(told(request.messages)).decode())
            made = self._next(request.messages)
        async for event in ScriptedModel(made).stream(request):
            self._stage.death.at("delta")
            yield event

    def _next(self, messages: Sequence[Message]) -> Turn:
        prompts = [message.text for message in messages if message.role == "user" and message.text in self._prompts]
        # What was summarised is not there any more.
        turns = self._prompts[prompts[-1]] if prompts else next(iter(self._prompts.values()))
        place = _place(turns, messages)
        if place == self._stage.play.fails and not self._has_failed:
            self._has_failed = True
            return text("half an ans") + error("overloaded")
        return turns[place] if place < len(turns) else said("I heard you")


def _place(turns: Sequence[Turn], messages: Sequence[Message]) -> int:
    """How many of the turns were taken: those until the one with the last calls, and the words after it."""
    ids = [{made.id for made in turn.calls} for turn in turns]
    words = 0
    for message in reversed(messages):
        if known := {part.call_id for part in message.calls}:
            return ids.index(known) + 1 + words if known in ids else words
        words += message.role == "assistant"
    return words


def told(messages: Sequence[Message]) -> list[tuple[str, str, list[tuple[str, str, str]]]]:
    """What a request tells: of each message who said it, its text, and how its calls ended. One without an id is no
    message of the conversation."""
    return [
        (message.role if message.id else NUDGE, message.text, list(map(_told, message.calls))) for message in messages
    ]


def _told(part: ToolPart) -> tuple[str, str, str]:
    match part.state:
        case Completed(content=content):
            return part.call_id, "completed", "".join(one.text for one in content if isinstance(one, TextPart))
        case Failed(kind=kind, message=message):
            return part.call_id, kind, message
        case _:
            return part.call_id, "open", ""


class DyingStore:
    """A store that kills its process right before or right after a write. It waits for no disk: the death of a process
    loses nothing that was written."""

    def __init__(self, store: Store, death: Death) -> None:
        self._store = store
        self._death = death

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def create(self, info: SessionInfo) -> None:
        self._death.at("before write")
        await self._store.create(info)
        self._death.at("after write")

    async def commit(self, changes: SessionChanges) -> None:
        self._death.at("before write")
        if isinstance(changes.run, RunRecord) and changes.run.state == "waiting":
            self._death.at("parks")
        await self._store.commit(structs.replace(changes, barrier=False))
        self._death.at("after write")

    async def lease(self, session_id: str, *, instead_of: Holder | None = None) -> Lease:
        lease = await self._store.lease(session_id, instead_of=instead_of)
        self._death.at("after write")
        return lease
