"""Take back what an agent did to files, or do it again: step by step, all of a step or nothing, never over what
somebody else has changed since."""

import hashlib
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct

from toolpost.guard.paths import Ground
from toolpost.types.errors import ToolError

from .change import Step, write_all
from .journal import Change, FileJournal

Way = Literal["undo", "redo"]
CHUNK = 1 << 20


class Turn(Struct, frozen=True):
    """What would be done: `steps` change files, `problems` say why it can't be done."""

    way: Way
    numbers: tuple[int, ...]
    steps: tuple[Step, ...]
    problems: tuple[str, ...] = ()


class Past(Struct, frozen=True):
    """A step that changed files, and whether it is taken back now."""

    session_id: str
    message_id: str
    time: float
    files: tuple[str, ...]
    undone: bool


class Undo:
    """Undo and redo over the journal of a project; `sessions` leaves out what others did."""

    def __init__(self, ground: Ground, journal: FileJournal, *, sessions: Collection[str] | None = None) -> None:
        self._ground = ground
        self._journal = journal
        self._sessions = sessions

    def plan(self, way: Way, *, steps: int = 1, messages: Collection[str] | None = None) -> Turn:
        """What to do about the last steps, or about those of some messages. Nothing is changed yet.

        A step that makes no difference is passed over: it was noted, but then it failed.
        """
        fold = _Fold(way, self._present, lambda path: self._ground.place(path).shown)
        if messages is not None:
            for change in self._candidates(way, self._journal.undone()):
                if change.message_id in messages:
                    fold.add([change])
            return self._turn(fold)
        turned = set(self._journal.redoable(self._sessions)) if way == "redo" else self._journal.undone()
        left = steps
        for step in _by_message(self._candidates(way, turned)):
            if left < 1:
                break
            left -= fold.add(step)
        return self._turn(fold)

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
        changed = (path for path in first if first[path].before != last[path].after)
        return [self._step(path, first[path].before, last[path].after) for path in changed]

    def history(self) -> list[Past]:
        """The steps that changed files, the first first."""
        undone = self._journal.undone()
        return [self._past(changes, undone) for changes in _by_message(self._changes())]

    def _past(self, changes: Sequence[Change], undone: set[int]) -> Past:
        files = tuple(dict.fromkeys(self._ground.place(change.path).shown for change in changes))
        is_undone = all(change.number in undone for change in changes)
        return Past(changes[0].session_id, changes[0].message_id, changes[0].time, files, is_undone)

    def _changes(self) -> list[Change]:
        changes = self._journal.changes()
        return [change for change in changes if self._sessions is None or change.session_id in self._sessions]

    def _candidates(self, way: Way, turned: set[int]) -> list[Change]:
        """In the order in which they are to be turned; `turned` are those that were taken back."""
        found = [change for change in self._changes() if (change.number in turned) == (way == "redo")]
        return found[::-1] if way == "undo" else found

    def _turn(self, fold: "_Fold") -> Turn:
        problems = list(dict.fromkeys(fold.problems))
        steps: list[Step] = []
        try:
            if not problems:
                steps = [self._step(*one) for one in fold.outcome()]
        except ToolError as error:
            problems.append(str(error))
        return Turn(fold.way, tuple(sorted(fold.numbers)), tuple(steps), tuple(problems))

    def _step(self, path: str, before: str, after: str, mode: int | None = None) -> Step:
        return Step(self._ground.place(path), self._journal.content(before), self._journal.content(after), mode)

    def _present(self, path: str) -> str:
        """The key of what a file holds now; raises `ToolError` where it is no file any more."""
        place = self._ground.place(path)
        if place.real != Path(path):
            raise ToolError(f"{place.shown} is reached through a link now")
        if self._ground.stat(place) is None:
            return ""
        found = hashlib.sha256()
        with self._ground.open(place) as file:
            while data := file.read(CHUNK):
                found.update(data)
        return found.hexdigest()


class _Fold:
    """Changes of files folded into one each: from what is there now to where the last of them leads."""

    def __init__(self, way: Way, present: Callable[[str], str], show: Callable[[str], str]) -> None:
        self.way: Way = way
        self.numbers: list[int] = []
        self.problems: list[str] = []
        self._present = present
        self._show = show
        self._now: dict[str, str] = {}
        self._then: dict[str, str] = {}
        self._modes: dict[str, int | None] = {}

    def add(self, step: Sequence[Change]) -> bool:
        """Follow the changes of a step. False if they make no difference."""
        before, problems = dict(self._then), len(self.problems)
        for change in step:
            self.numbers.append(change.number)
            try:
                self._follow(change)
            except ToolError as error:
                self.problems.append(str(error))
        moved = any(key != before.get(path, self._now[path]) for path, key in self._then.items())
        return moved or len(self.problems) > problems

    def outcome(self) -> Iterable[tuple[str, str, str, int | None]]:
        """Each path that changes, with what it holds now and then, and the mode of what is made."""
        for path, key in self._then.items():
            if key != self._now[path]:
                yield path, self._now[path], key, self._modes.get(path)

    def _follow(self, change: Change) -> None:
        path = change.path
        if path not in self._now:
            self._now[path] = self._then[path] = self._present(path)
        old, new = (change.after, change.before) if self.way == "undo" else (change.before, change.after)
        if change.mode is not None:
            self._modes[path] = change.mode
        at = self._then[path]
        if at == old:
            self._then[path] = new
        elif at != new:  # else it was never made, or is taken back already
            raise ToolError(f"{self._show(path)} {self._difference(path, old)}")

    def _difference(self, path: str, old: str) -> str:
        if self._then[path] != self._now[path]:
            return "was changed by somebody else between these steps"
        if not self._now[path]:
            return "is gone"
        return "was changed since" if old else "is there again"


def _by_message(changes: Iterable[Change]) -> list[list[Change]]:
    """The changes of each step together, though another session may have done something between them."""
    steps: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        steps.setdefault((change.session_id, change.message_id), []).append(change)
    return list(steps.values())
