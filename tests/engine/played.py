"""Let a play be carried out by processes that die, and check that what they leave is as if one had done it all."""

import asyncio
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from play_child import Order
from plays import NUDGE, REPEATABLE, STEERED, Place, play_of, told

from toolpost.engine.history import SUMMARY_INTRODUCTION
from toolpost.engine.permissions import Answer
from toolpost.engine.unheld_runs import answer_ask, answer_question, open_requests
from toolpost.store import open_store
from toolpost.store.contract import SessionInfo, Store
from toolpost.types.events import Event
from toolpost.types.messages import CompactionPart, Completed, Failed, Message, StepFinish, StepStart, Usage

CHILD = Path(__file__).with_name("play_child.py")
TOLD = "interrupted before it finished; its effects are unknown"


class Nursery:
    """The process that forks what carries out orders."""

    def __init__(self) -> None:
        self._process = subprocess.Popen([sys.executable, CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    async def carry_out(self, order: Order) -> str:
        said = await asyncio.to_thread(self._told, msgspec.json.encode(order) + b"\n")
        assert not said.startswith("failed"), said
        return said

    def end(self) -> None:
        self._process.communicate()

    def _told(self, line: bytes) -> str:
        self._process.stdin.write(line)
        self._process.stdin.flush()
        return self._process.stdout.readline().decode().strip()


async def played(nursery: Nursery, order: Order, deaths: Sequence[Place]) -> list[str]:
    """Carry it out to its end; its processes die at these places, one after the other. Return how each has ended."""
    left, ended = list(deaths), list[str]()
    while "done" not in ended:
        place = left.pop(0) if left else Place()
        said = await nursery.carry_out(msgspec.structs.replace(order, death=place))
        ended.append(said)
        if said == "waiting":
            await answer_all(order.store)
    return ended


async def answer_all(spec: str) -> None:
    """A person answers what is asked, in a process that drives nothing."""
    store = open_store(spec)
    found = [one async for one in store.open_runs(states=("waiting",))]
    # What a sub-agent asks is asked in the session that a person sees.
    waiting = [one.record.session_id for one in found if one.parent is None]
    for session_id in waiting:
        asks, questions = await open_requests(store, await store.info(session_id))
        assert asks or questions, "it waits for nothing"
        for asked in asks:
            await answer_ask(store, session_id, asked.ask_id, Answer("once"))
        for asked in questions:
            await answer_question(store, session_id, asked.question_id, ["b"])
    await store.close()


class Outcome:
    """What a play has left in the store and in the files of its folder."""

    def __init__(self, play: str, folder: str) -> None:
        self.play = play_of(play)
        self.requests = [json.loads(line) for line in _lines(folder, "requests")]
        self.effects = Counter(_lines(folder, "effects"))
        self.stored = _lines(folder, "stored")
        self.infos: dict[str, SessionInfo] = {}
        self.events: dict[str, list[Event]] = {}
        self.branches: dict[str, list[Message]] = {}
        self.tree: dict[str, list[Message]] = {}

    async def read(self, store: Store) -> "Outcome":
        async for info in store.sessions():
            self.infos[info.id] = info
            self.events[info.id] = [event async for event in store.events(info.id)]
            self.tree[info.id] = [message async for message in store.messages(info.id)]
            self.branches[info.id] = _path(self.tree[info.id], info.head)
        assert [found async for found in store.open_runs()] == []
        return self

    @property
    def root(self) -> str:
        return next(info.id for info in self.infos.values() if info.parent is None)

    @property
    def story(self) -> dict[str, Any]:
        """What must be the same however often it died: texts, calls, results but those of calls that were in flight."""
        said = {
            "root" if info.parent is None else "child": [_told(one) for one in self.branches[info.id]]
            for info in self.infos.values()
        }
        (*_, end) = [event for event in self.events[self.root] if event.type == "run_end"]
        return said | {"end": (end.reason, end.text, end.steps, end.usage, end.cost, end.output)}

    @property
    def results(self) -> dict[str, str]:
        """What came of each call that was not cut off."""
        calls = [part for branch in self.branches.values() for message in branch for part in message.calls]
        return {
            # Ids of sessions are new each time.
            part.call_id: re.sub("ses_[0-9a-f]+", "", "".join(getattr(one, "text", "") for one in part.state.content))
            if isinstance(part.state, Completed)
            else part.state.message
            for part in calls
            if not _is_cut_off(part)
        }

    @property
    def was_silenced(self) -> bool:
        """Whether it died before all was said that is said while it runs: then there is less to answer."""
        return "and then" in self.play.prompts and "and then" not in self.stored

    def check(self) -> None:
        for session_id in self.infos:
            self._check_events(session_id)
            self._check_calls(session_id)
        self._check_requests()
        self._check_waiting_prompts()

    def _check_events(self, session_id: str) -> None:
        events, info = self.events[session_id], self.infos[session_id]
        assert [event.seq for event in events] == list(range(1, info.seq + 1)), "seq has a gap"
        kinds = Counter(event.type for event in events)
        runs = list(dict.fromkeys(event.run_id for event in events if event.type == "run_start"))
        prompts = self.play.prompts if info.parent is None else self.play.sent
        wanted = sum(message.text in prompts for message in self.branches[session_id] if message.role == "user")
        assert len(runs) == kinds["run_start"] == kinds["run_end"] == wanted, kinds
        assert {event.run_id for event in events if hasattr(event, "run_id")} == set(runs)
        assert kinds["settled"] == 1
        assert events[-1].type == "settled"
        assert info.open_run is None
        asked = [event.ask_id for event in events if event.type == "permission_asked"]
        assert Counter(asked) == Counter(event.ask_id for event in events if event.type == "permission_replied")
        assert kinds["question_asked"] == kinds["question_replied"]
        self._check_told(session_id)

    def _check_told(self, session_id: str) -> None:
        """Who has read the events knows all that is in the session."""
        events = self.events[session_id]
        begun = {event.message.id for event in events if event.type == "message_start"}
        assert {message.id for message in self.tree[session_id] if not _is_summary(message)} == begun
        ended = {event.message.id for event in events if event.type == "message_end"}
        assert ended == begun, "a message was not ended"
        taken = [event.step for event in events if event.type == "step_end"]
        assert taken == [_number(message) for message in self.branches[session_id] if message.role == "assistant"]

    def _check_calls(self, session_id: str) -> None:
        events = self.events[session_id]
        begun = Counter(event.call_id for event in events if event.type == "tool_execution_start")
        ended = Counter(event.call_id for event in events if event.type == "tool_execution_end")
        called = Counter(event.call_id for event in events if event.type == "tool_call")
        calls = [part for message in self.branches[session_id] for part in message.calls]
        for part in calls:
            assert isinstance(part.state, Completed | Failed), "a call stayed open"
            times = self.effects[part.call_id]
            assert begun[part.call_id] == 1 or _is_invalid(part), f"{part.call_id} was begun more than once"
            assert ended[part.call_id] == 1, f"{part.call_id} ended {ended[part.call_id]} times"
            assert called[part.call_id] >= 1
            if isinstance(part.state, Completed):
                assert part.name in REPEATABLE | {"question"} or times == 1, f"{part.call_id} ran {times} times"
            elif part.state.kind == "interrupted":
                assert part.name not in REPEATABLE, f"{part.call_id} was not begun again"
                assert times <= 1, f"{part.call_id} ran {times} times"

    def _check_requests(self) -> None:
        """What a model was told is how the conversation went until then, with every call as it ended."""
        branches = [json.loads(json.dumps(told(branch))) for branch in self.branches.values()]
        for request in self.requests:
            is_nudged = request[-1][0] == NUDGE
            request = request[:-1] if is_nudged else request
            assert is_nudged == (request[-1][0] == "assistant" and not request[-1][2])
            rest = request[1:] if request[0][1].startswith(SUMMARY_INTRODUCTION) else request
            starts = range(len(max(branches, key=len))) if rest is not request else (0,)
            assert any(rest == branch[start : start + len(rest)] for branch in branches for start in starts), request
            for _, how, came in (one for *_, calls in request for one in calls):
                assert how != "interrupted" or TOLD in came

    def _check_waiting_prompts(self) -> None:
        said = Counter(message.text for message in self.branches[self.root] if message.role == "user")
        for words in self.stored:
            assert said[words] == 1, f"what was stored was said {said[words]} times: {words}"
        assert said[STEERED] <= 1
        assert self.infos[self.root].inbox == ()


def in_flight(outcome: Outcome) -> int:
    """How many calls were interrupted."""
    calls = [part for branch in outcome.branches.values() for message in branch for part in message.calls]
    return sum(map(_is_cut_off, calls))


def _is_cut_off(part: Any) -> bool:
    return isinstance(part.state, Failed) and part.state.kind == "interrupted"


def _is_invalid(part: Any) -> bool:
    return isinstance(part.state, Failed) and part.state.kind == "invalid"


def _number(message: Message) -> int:
    return next(part.step for part in message.parts if isinstance(part, StepStart))


def _path(tree: Sequence[Message], head: str | None) -> list[Message]:
    """The messages up to the head, those that were summarised too; what says so is left out."""
    known, path = {message.id: message for message in tree}, list[Message]()
    while head is not None:
        path.append(known[head])
        head = path[-1].parent_id
    return [message for message in reversed(path) if not _is_summary(message)]


def _is_summary(message: Message) -> bool:
    return any(isinstance(part, CompactionPart) for part in message.parts)


def _told(message: Message) -> Any:
    finish = next((part for part in message.parts if isinstance(part, StepFinish)), None)
    calls = [(part.call_id, part.name, getattr(part.state, "arguments", None)) for part in message.calls]
    usage = finish.usage if finish else Usage()
    return message.role, message.text, calls, finish and finish.reason, usage, message.error


def _lines(folder: str, name: str) -> list[str]:
    file = Path(folder, name)
    return file.read_text().splitlines() if file.exists() else []
