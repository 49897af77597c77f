"""Take back what an agent did to files, or do it again: step by step, all of a step or nothing, never over what
somebody else has changed since."""

from collections.abc import Sequence
from itertools import groupby
from typing import Literal

from msgspec import Struct

from toolpost.guard.paths import Ground, digest
from toolpost.types.errors import ToolError

from .change import Step, write_all
from .journal import Change, FileJournal


class Turn(Struct, frozen=True):
    """What would be done: `steps` change files, `problems` say why it can't be done."""

    way: Literal["undo", "redo"]
    numbers: tuple[int, ...]
    steps: tuple[Step, ...]
    problems: tuple[str, ...] = ()


class Undo:
    """Undo and redo over the journal of a project; `session_id` leaves out what other sessions did."""

    def __init__(self, ground: Ground, journal: FileJournal, *, session_id: str | None = None) -> None:
        self._ground = ground
        self._journal = journal
        self._session_id = session_id

    def plan(self, way: Literal["undo", "redo"], *, steps: int = 1, message_id: str | None = None) -> Turn:
        """What to do about the last steps, or about the one step of a message. Nothing is changed yet."""
        undone = self._journal.undone()
        mine = [change for change in self._changes() if (change.number in undone) == (way == "redo")]
        if message_id is not None:
            chosen = [change for change in mine if change.message_id == message_id]
        else:
            groups = [list(group) for _, group in groupby(mine, key=lambda change: change.message_id)]
            picked = groups[-steps:] if way == "undo" else groups[:steps]
            chosen = [change for group in picked for change in group]
        return self._turn(way, chosen)

    def apply(self, turn: Turn) -> None:
        """Do it: all of it or nothing. Raises `ToolError` where a file is not as it was left."""
        if turn.problems:
            raise ToolError("; ".join(turn.problems))
        write_all(self._ground, turn.steps)
        self._journal.turn(turn.way, turn.numbers)

    def net(self) -> list[Step]:
        """What the session has changed by now, each file once: as it was at first, and as it was left."""
        undone = self._journal.undone()
        first: dict[str, Change] = {}
        last: dict[str, Change] = {}
        for change in self._changes():
            if change.number not in undone:
                first.setdefault(change.path, change)
                last[change.path] = change
        return [self._step(path, first[path].before, last[path].after) for path in first]

    def _changes(self) -> list[Change]:
        changes = self._journal.changes()
        return [change for change in changes if self._session_id in (None, change.session_id)]

    def _turn(self, way: Literal["undo", "redo"], changes: Sequence[Change]) -> Turn:
        """Fold the changes of each file into one: only where it began and where it ends counts."""
        ordered = list(reversed(changes)) if way == "undo" else list(changes)
        begins: dict[str, str] = {}
        ends: dict[str, str] = {}
        for change in ordered:
            old, new = (change.after, change.before) if way == "undo" else (change.before, change.after)
            begins.setdefault(change.path, old)
            ends[change.path] = new
        problems = [problem for path, key in begins.items() if (problem := self._foreign(path, key))]
        steps = [] if problems else [self._step(path, begins[path], ends[path]) for path in begins]
        return Turn(way, tuple(change.number for change in changes), tuple(steps), tuple(problems))

    def _step(self, path: str, before: str, after: str) -> Step:
        return Step(self._ground.place(path), self._journal.content(before), self._journal.content(after))

    def _foreign(self, path: str, key: str) -> str:
        """What is wrong with a file that should be as the agent left it; "" where nothing is."""
        place = self._ground.place(path)
        found = self._ground.stat(place)
        if found is None:
            return f"{place.shown} is gone" if key else ""
        if not key:
            return f"{place.shown} is there again"
        with self._ground.open(place) as file:
            same = digest(file.read()) == key
        return "" if same else f"{place.shown} was changed since"
