"""Undo and redo an agent's file changes by step; refuse where a file was changed since."""

import hashlib
import stat
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct, structs

from toolpost.guard.paths import FileAccess, ResolvedPath
from toolpost.types.errors import ToolError

from .apply import Kind, Step, write_all
from .journal import FOLDER, LINK, MAX_SHOWN, FileJournal, JournaledChange

Way = Literal["undo", "redo"]
CHUNK = 1 << 20


class LeftOut(Struct, frozen=True):
    """A path that can't be undone, and why."""

    path: str
    why: str

    @property
    def text(self) -> str:
        return f"{self.path} ({self.why})"


class UndoPlan(Struct, frozen=True):
    """A plan of an undo or a redo: `steps` change files, `problems` say why it can't be done, `left_out` what stays as
    it is."""

    way: Way
    numbers: tuple[int, ...]
    steps: tuple[Step, ...]
    problems: tuple[str, ...] = ()
    left_out: tuple[LeftOut, ...] = ()


class PastStep(Struct, frozen=True):
    """A step that changed files, and whether it is taken back now. `left_out` are those that can't be."""

    session_id: str
    message_id: str
    time: float
    files: tuple[str, ...]
    undone: bool
    left_out: tuple[LeftOut, ...] = ()


class PathState(Struct, frozen=True):
    """The state of a path, by its key in the journal; `mode` are its permissions, where they are known."""

    key: str = ""
    mode: int | None = None

    @property
    def kind(self) -> Kind:
        return "folder" if self.key == FOLDER else "link" if self.key.startswith(LINK) else "file"

    def fits(self, other: "PathState") -> bool:
        """True if both may be the same. A link has no permissions of its own."""
        is_unknown = self.mode is None or other.mode is None
        return self.key == other.key and (is_unknown or self.mode == other.mode or not self.key or self.kind == "link")


class Undo:
    """Undo and redo over the journal of a project; `sessions` leaves out what others did."""

    def __init__(
        self, project_files: FileAccess, journal: FileJournal, *, sessions: Collection[str] | None = None
    ) -> None:
        self._project_files = project_files
        self._journal = journal
        self._sessions = sessions

    def plan(self, way: Way, *, steps: int = 1, messages: Collection[str] | None = None) -> UndoPlan:
        """Plan to undo or redo the last steps, or those of some messages. Nothing is changed yet.

        A step that makes no difference is passed over: it was noted, but then it failed.
        """
        self._journal.note_interrupted(str(self._project_files.root))
        changes = self._journal.changes()
        fold = _Fold(way, self._present, self._shown, _gaps(changes), str(self._project_files.root))
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

    def apply(self, turn: UndoPlan) -> None:
        """Do it: all of it or nothing. Raises `ToolError` where a file is not as it was left."""
        if turn.problems:
            raise ToolError("; ".join(turn.problems))
        write_all(self._project_files, turn.steps)
        self._journal.turn(turn.way, turn.numbers)

    def net(self) -> list[Step]:
        """The net changes of the session, each file once: as it was at first, and as it was left."""
        undone = self._journal.undone()
        first: dict[str, PathState] = {}
        last: dict[str, PathState] = {}
        for change in self._changes():
            if change.number not in undone and not change.why:
                before, after = _states(change)
                first.setdefault(change.path, before)
                last[change.path] = after
        steps = (self._step(path, first[path], last[path]) for path in first if first[path] != last[path])
        return _without_needless_folders([step for step in steps if step.is_change])

    def left_out(self) -> list[LeftOut]:
        """The paths that the session has changed and that can't be undone, each once."""
        undone = self._journal.undone()
        found = {change.path: change.why for change in self._changes() if change.why and change.number not in undone}
        return [LeftOut(self._shown(path), why) for path, why in found.items()]

    def history(self) -> list[PastStep]:
        """The steps that changed files, the first first."""
        undone = self._journal.undone()
        return [self._past(changes, undone) for changes in _by_message(self._changes())]

    def _past(self, changes: Sequence[JournaledChange], undone: set[int]) -> PastStep:
        is_whole = all(change.number in undone for change in changes)
        kept = (change.path for change in changes if not change.why and not _is_folder(change))
        # Folders are named only where there is nothing else.
        named = tuple(kept) or tuple(change.path for change in changes if not change.why)
        files = tuple(dict.fromkeys(map(self._shown, named)))
        left = dict.fromkeys(LeftOut(self._shown(change.path), change.why) for change in changes if change.why)
        first = changes[0]
        return PastStep(first.session_id, first.message_id, first.time, files, is_whole, tuple(left))

    def _changes(self) -> list[JournaledChange]:
        changes = self._journal.changes()
        return [change for change in changes if self._sessions is None or change.session_id in self._sessions]

    def _candidates(self, way: Way, turned: set[int]) -> list[JournaledChange]:
        """In the order in which they are to be turned; `turned` are those that were taken back."""
        found = [change for change in self._changes() if (change.number in turned) == (way == "redo")]
        return found[::-1] if way == "undo" else found

    def _turn(self, fold: "_Fold") -> UndoPlan:
        problems = list(dict.fromkeys(fold.problems))
        steps: list[Step] = []
        left = [LeftOut(self._shown(path), why) for path, why in fold.left_out.items()]
        try:
            if not problems:
                steps = [self._step(*one) for one in fold.outcome()]
                used = list(self._folders_in_use(steps))
                left += [LeftOut(step.place.shown, "the folder is not empty") for step in used]
                steps = [step for step in steps if step not in used]
        except ToolError as error:
            problems.append(str(error))
        return UndoPlan(fold.way, tuple(sorted(fold.numbers)), tuple(steps), tuple(problems), tuple(left))

    def _folders_in_use(self, steps: Sequence[Step]) -> Iterator[Step]:
        """The folders that would go, and hold something that stays."""
        going = {step.place.real for step in steps if step.after is None}
        gone = [step for step in steps if step.kinds[0] == FOLDER and step.after is None]
        for step in sorted(gone, key=lambda step: -len(step.place.real.parts)):
            if any(step.place.real / entry.name not in going for entry in self._project_files.scan(step.place)):
                going.discard(step.place.real)
                yield step

    def _step(self, path: str, before: PathState, after: PathState, mode: int | None = None) -> Step:
        contents = self._journal.content(before.key), self._journal.content(after.key)
        kinds = (before.kind if before.key else after.kind, after.kind if after.key else before.kind)
        modes = (before.mode, after.mode if after.mode is not None else mode if before.key == "" else None)
        return Step(self._entry(path), *contents, modes[1], kinds, modes)

    def _shown(self, path: str) -> str:
        try:
            return self._project_files.entry(path).shown
        except ToolError:
            # What can't be a path any longer is still to be named.
            return path if len(path) <= MAX_SHOWN else f"{path[:MAX_SHOWN]}…"

    def _entry(self, path: str) -> ResolvedPath:
        """The place of what was noted. A link on the way, put there since, must not lead the undo elsewhere, so this is
        asked each time that a path becomes a place; from there on no link is followed."""
        place = self._project_files.entry(path)
        if place.real != Path(path):
            raise ToolError(f"{place.shown} is reached through a link now")
        return place

    def _present(self, path: str) -> PathState:
        """What is there now; raises `ToolError` where it can't be looked at."""
        place = self._entry(path)
        try:
            status = self._project_files.stat(place)
        except ToolError as error:
            # Below a file there is nothing.
            if not isinstance(error.__cause__, NotADirectoryError):
                raise
            status = None
        if status is None:
            return PathState()
        mode = stat.S_IMODE(status.st_mode)
        if stat.S_ISDIR(status.st_mode):
            return PathState(FOLDER, mode)
        if stat.S_ISLNK(status.st_mode):
            return PathState(f"{LINK}{hashlib.sha256(self._project_files.read_link(place)).hexdigest()}", mode)
        found = hashlib.sha256()
        with self._project_files.open(place) as file:
            while data := file.read(CHUNK):
                found.update(data)
        return PathState(found.hexdigest(), mode)


class _Fold:
    """Changes of files folded into one each: from what is there now to where the last of them leads. `gaps` are the
    changes of each path that are not kept, by their numbers."""

    def __init__(
        self,
        way: Way,
        present: Callable[[str], PathState],
        show: Callable[[str], str],
        gaps: Mapping[str, Sequence[JournaledChange]],
        root: str,
    ) -> None:
        self.way: Way = way
        self.numbers: list[int] = []
        self.problems: list[str] = []
        self.left_out: dict[str, str] = {}
        self._present = present
        self._show = show
        self._gaps = gaps
        self._root = root
        self._now: dict[str, PathState] = {}
        self._then: dict[str, PathState] = {}
        self._modes: dict[str, int | None] = {}

    def add(self, step: Sequence[JournaledChange]) -> bool:
        """Follow the changes of a step. False if they make no difference."""
        before, problems, left_out = dict(self._then), len(self.problems), len(self.left_out)
        for change in step:
            self.numbers.append(change.number)
            if change.why or change.path in self.left_out:
                # What is said of the whole project is told with whatever is taken back.
                left_out += change.path == self._root and self._root not in self.left_out
                self.left_out[change.path] = change.why or self.left_out[change.path]
                continue
            try:
                self._follow(change)
            except ToolError as error:
                self.problems.append(str(error))
        moved = any(not state.fits(before.get(path, self._now[path])) for path, state in self._then.items())
        return moved or len(self.problems) > problems or len(self.left_out) > left_out

    def outcome(self) -> Iterable[tuple[str, PathState, PathState, int | None]]:
        """Each path that changes, with what it is now and then, and the mode of what is made."""
        for path, state in self._then.items():
            if path not in self.left_out and not state.fits(self._now[path]):
                yield path, self._now[path], state, self._modes.get(path)

    def _follow(self, change: JournaledChange) -> None:
        path = change.path
        if path not in self._now:
            self._now[path] = self._then[path] = self._present(path)
        before, after = _states(change)
        old, new = (after, before) if self.way == "undo" else (before, after)
        if change.mode is not None:
            self._modes[path] = change.mode
        at = self._then[path]
        if at.fits(old) or (FOLDER == at.key == old.key != new.key):
            # What is not known stays as it is.
            is_known = new.mode is not None or not new.key or not at.key
            self._then[path] = new if is_known else structs.replace(new, mode=at.mode)
        elif not at.fits(new):  # else it was never made, or is taken back already
            if (gap := self._gap_after(change)) is not None:
                self.left_out[path] = gap.why
                return
            raise ToolError(f"{self._show(path)} {self._difference(path, old)}")

    def _gap_after(self, change: JournaledChange) -> JournaledChange | None:
        """A later change of the same path that is not kept: then it is not known what should be there now."""
        return next((gap for gap in self._gaps.get(change.path, ()) if gap.number > change.number), None)

    def _difference(self, path: str, old: PathState) -> str:
        if self._then[path] != self._now[path]:
            return "was changed by another program between these steps"
        if not self._now[path].key:
            return "is gone"
        return "was changed since" if old.key else "is there again"


def _states(change: JournaledChange) -> tuple[PathState, PathState]:
    """What was at a path before a change and after it."""
    modes = change.modes or (None, None)
    before = PathState(change.before, modes[0] if change.before else None)
    return before, PathState(change.after, modes[1] if change.after else None)


def _gaps(changes: Iterable[JournaledChange]) -> dict[str, list[JournaledChange]]:
    found: dict[str, list[JournaledChange]] = {}
    for change in changes:
        if change.why:
            found.setdefault(change.path, []).append(change)
    return found


def _is_folder(change: JournaledChange) -> bool:
    return FOLDER in (change.before, change.after) and {change.before, change.after} <= {FOLDER, ""}


def _without_needless_folders(steps: Sequence[Step]) -> list[Step]:
    """Without the folders that come or go with something in them."""
    used = {above for step in steps for above in step.place.real.parents}
    return [
        step for step in steps if set(step.kinds) != {FOLDER} or step.kind == "changed" or step.place.real not in used
    ]


def _by_message(changes: Iterable[JournaledChange]) -> list[list[JournaledChange]]:
    """The changes of each step together, though another session may have done something between them."""
    steps: dict[tuple[str, str], list[JournaledChange]] = {}
    for change in changes:
        steps.setdefault((change.session_id, change.message_id), []).append(change)
    return list(steps.values())
