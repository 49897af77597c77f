"""Apply changes to files, links and folders: all of them or none."""

import contextlib
import logging
import os
import stat
from collections.abc import Callable, Sequence
from typing import Literal

from msgspec import Struct

from toolpost.guard.atomic_write import sync_at_end
from toolpost.guard.paths import FileAccess, ResolvedPath, digest
from toolpost.types.errors import ToolError

log = logging.getLogger("toolpost.tools")

# From so many on they are brought to disk together.
MANY = 50

Kind = Literal["file", "link", "folder"]
ChangeKind = Literal["added", "changed", "deleted"]


class Step(Struct, frozen=True):
    """A change at one path; None stands for nothing there. `mode` is for a file that is new, or comes back.

    `kinds` say what it is before and after: the content of a link is where it leads, and a folder has none. `modes` are
    the permissions before and after, where they are known.
    """

    place: ResolvedPath
    before: bytes | None
    after: bytes | None
    mode: int | None = None
    kinds: tuple[Kind, Kind] = ("file", "file")
    modes: tuple[int | None, int | None] = (None, None)

    @property
    def kind(self) -> ChangeKind:
        return "added" if self.before is None else "deleted" if self.after is None else "changed"

    @property
    def is_of_files(self) -> bool:
        return self.kinds == ("file", "file")

    @property
    def is_change(self) -> bool:
        """False where the same is there before and after."""
        is_other_kind = self.kind == "changed" and self.kinds[0] != self.kinds[1]
        return self.before != self.after or is_other_kind or self._changes_mode

    @property
    def note(self) -> str:
        """A note on what a diff of texts does not show; "" if it shows all."""
        if self.kind == "changed" and self.kinds[0] == self.kinds[1]:
            said = [f"link to {_target(self.after)}"] if self.kinds[1] == "link" else []
            if self._changes_mode:
                said.append("mode " + " → ".join(f"{mode:o}" for mode in self.modes if mode is not None))
            return ", ".join(said)
        sides: list[tuple[bytes | None, Kind]] = [(self.before, self.kinds[0]), (self.after, self.kinds[1])]
        named = [_described(data, kind) for data, kind in sides if data is not None]
        return " → ".join(named) if named != ["file"] else ""

    @property
    def _changes_mode(self) -> bool:
        is_both = self.before is not None and self.after is not None and self.kinds[1] != "link"
        return is_both and None not in self.modes and self.modes[0] != self.modes[1]


def write_all(project_files: FileAccess, steps: Sequence[Step]) -> None:
    """Make all changes, or take back those that were made."""
    made = _Made(project_files)
    with sync_at_end() if len(steps) > MANY else contextlib.nullcontext():
        try:
            for step in steps:
                made.open_up(step)
            for act, step in _in_order(steps):
                act(made, step)
            # Innermost first: a folder may be closed by its mode.
            for step in sorted(steps, key=lambda step: -len(step.place.real.parts)):
                made.set_mode(step)
        except BaseException as error:
            if lost := made.take_back():
                raise ToolError(f"{error} These could not be put back as they were: {', '.join(lost)}.") from error
            raise


class _Made:
    """The changes that were made, to take them back."""

    def __init__(self, project_files: FileAccess) -> None:
        self._project_files = project_files
        self._undoing: list[tuple[Step, Callable[[], None]]] = []

    def open_up(self, step: Step) -> None:
        """Let what is closed by its mode be changed, where that mode is known."""
        mode = step.modes[0]
        if mode is None or step.before is None or step.kinds[0] == "link":
            return
        needed = 0o700 if step.kinds[0] == "folder" else 0o200
        if mode & needed != needed:
            self._project_files.set_mode(step.place, mode | needed)
            self._add(step, lambda: self._project_files.set_mode(step.place, mode))

    def replace(self, step: Step) -> None:
        self._add_all(
            step, lambda: _replace(self._project_files, step), lambda: _replace(self._project_files, inverse(step))
        )

    def remove(self, step: Step) -> None:
        self._add_all(
            step, lambda: _remove(self._project_files, step), lambda: _create(self._project_files, inverse(step))
        )

    def create(self, step: Step) -> None:
        folders = _missing_folders(self._project_files, step.place)
        try:
            _create(self._project_files, step)
        except BaseException:
            _remove_folders(self._project_files, folders)
            raise

        def undo() -> None:
            _remove(self._project_files, inverse(step))
            _remove_folders(self._project_files, folders)

        self._add(step, undo)

    def set_mode(self, step: Step) -> None:
        wanted = step.modes[1]
        if wanted is None or step.after is None or step.kinds[1] == "link":
            return
        found = self._project_files.stat(step.place)
        mode = stat.S_IMODE(found.st_mode) if found is not None else wanted
        if mode != wanted:
            self._project_files.set_mode(step.place, wanted)
            self._add(step, lambda: self._project_files.set_mode(step.place, mode))

    def take_back(self) -> list[str]:
        """The names of what could not be put back."""
        lost: dict[str, None] = {}
        for step, undo in reversed(self._undoing):
            try:
                undo()
            except ToolError:
                log.exception("%s could not be put back", step.place.shown)
                lost[step.place.shown] = None
        return list(lost)

    def _add_all(self, step: Step, act: Callable[[], None], undo: Callable[[], None]) -> None:
        act()
        self._add(step, undo)

    def _add(self, step: Step, undo: Callable[[], None]) -> None:
        self._undoing.append((step, undo))


_Act = Callable[[_Made, Step], None]


def _in_order(steps: Sequence[Step]) -> list[tuple[_Act, Step]]:
    """What has to be done, each thing where nothing stands in its way."""
    removed, replaced, created = list[Step](), list[Step](), list[Step]()
    for step in steps:
        if step.is_of_files and step.before is not None and step.after is not None:
            replaced += [step] if step.before != step.after else []
        elif step.before is None or step.after is None or step.kinds[0] != step.kinds[1] or step.before != step.after:
            removed += [step] if step.before is not None else []
            created += [step] if step.after is not None else []
    gone = [(_Made.remove, step) for step in sorted(removed, key=_leaves_first)]
    come = [(_Made.create, step) for step in sorted(created, key=_folders_first)]
    rest = [(_Made.replace, step) for step in replaced]
    if all(step.is_of_files for step in steps):
        # What is deleted goes last: until everything else is written, nothing is lost.
        return [*rest, *come, *gone]
    return [*gone, *come, *rest]


def _leaves_first(step: Step) -> tuple[bool, int]:
    return step.kinds[0] == "folder", -len(step.place.real.parts)


def _folders_first(step: Step) -> tuple[bool, int]:
    return step.kinds[1] != "folder", len(step.place.real.parts)


def inverse(step: Step) -> Step:
    """The change that takes `step` back."""
    (kind_before, kind_after), modes = step.kinds, (step.modes[1], step.modes[0])
    return Step(step.place, step.after, step.before, step.mode, (kind_after, kind_before), modes)


def _replace(project_files: FileAccess, step: Step) -> None:
    assert step.before is not None
    assert step.after is not None
    project_files.write(step.place, step.after, expect=digest(step.before))


def _create(project_files: FileAccess, step: Step) -> None:
    assert step.after is not None
    if step.kinds[1] == "folder":
        project_files.make_folder(step.place)
    elif step.kinds[1] == "link":
        project_files.make_link(step.place, step.after)
    else:
        project_files.write(
            step.place, step.after, expect="", mode=step.mode if step.modes[1] is None else step.modes[1]
        )


def _remove(project_files: FileAccess, step: Step) -> None:
    assert step.before is not None
    if step.kinds[0] == "folder":
        project_files.remove_folder(step.place)
    elif step.kinds[0] == "link":
        project_files.remove_link(step.place, expect=step.before)
    else:
        project_files.remove(step.place, expect=digest(step.before))


def _remove_folders(project_files: FileAccess, made: Sequence[ResolvedPath]) -> None:
    """Those that a write has made. One that somebody else uses by now stays."""
    with contextlib.suppress(ToolError):
        for folder in made:
            project_files.remove_folder(folder)


def _missing_folders(project_files: FileAccess, place: ResolvedPath) -> list[ResolvedPath]:
    """The folders that a write will make, innermost first."""
    missing: list[ResolvedPath] = []
    for folder in place.real.parents:
        found = project_files.entry(str(folder))
        if found.real != folder or project_files.stat(found) is not None:
            break
        missing.append(found)
    return missing


def _target(data: bytes | None) -> str:
    return os.fsdecode(data or b"")


def _described(data: bytes, kind: Kind) -> str:
    return f"link to {_target(data)}" if kind == "link" else kind
