"""List a folder as a tree of names: the upper levels first, within a number of entries, with what was left out."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from toolpost.guard.paths import FileAccess, FolderEntry, ResolvedPath
from toolpost.types.errors import ToolError

from .gitignore import COLLAPSED, IgnoreRules

MAX_IGNORE_BYTES = 100_000

Why = Literal["", "deeper", "held back", "ignored", "no room", "unreadable"]


@dataclass
class TreeNode:
    """A name in the tree. `why` says why a folder's entries are not there; `hidden` how many of them are left out."""

    name: str
    path: tuple[str, ...] = ()
    children: "list[TreeNode]" = field(default_factory=list["TreeNode"])
    folder: bool = False
    why: Why = ""
    hidden: int = 0


def signed_name(entry: FolderEntry) -> str:
    """A name with what it is behind it; one that would garble the list is escaped."""
    sign = {"folder": "/", "link": "@", "other": "|"}.get(entry.kind, "")
    return f"{entry.name if entry.name.isprintable() else ascii(entry.name)}{sign}"


class FolderTree:
    """Grown breadth first, so that a large folder deep down does not take the room of what is above it. `is_held_back`
    says of a path below the place that it may not be shown."""

    def __init__(
        self,
        project_files: FileAccess,
        place: ResolvedPath,
        depth: int,
        most: int,
        is_held_back: Callable[[Sequence[str]], bool],
    ) -> None:
        self._project_files = project_files
        self._place = place
        self._depth = depth
        self._room = most
        self._is_held_back = is_held_back
        self.entries = 0
        self.left_out: dict[str, int] = {}
        self.top = TreeNode(place.shown, folder=True)
        # What git ignores is told by paths from the project's folder on.
        self._base = place.real.relative_to(project_files.root).parts if place.inside else ()
        self._grow()

    def lines(self) -> Iterator[str]:
        yield from _lines(self.top.children, self.top.hidden, 0)

    def _grow(self) -> None:
        waiting = deque([(self.top, self._ignored_above())])
        while waiting:
            node, ignored = waiting.popleft()
            if len(node.path) >= self._depth:
                self._leave(node, "deeper")
            elif self._room <= 0:
                self._leave(node, "no room")
            else:
                ignored = self._open(node, ignored)
                waiting.extend((child, ignored) for child in node.children if child.folder and not child.why)

    def _ignored_above(self) -> IgnoreRules:
        """What the files above the place say of what is in it."""
        ignored = IgnoreRules()
        for depth in range(len(self._base)):
            ignored = self._read(self._base[:depth], ignored)
        return ignored

    def _open(self, node: TreeNode, ignored: IgnoreRules) -> IgnoreRules:
        try:
            entries = self._project_files.scan(self._at(node.path))
        except ToolError:
            if node is self.top:
                raise
            self._leave(node, "unreadable")
            return ignored
        if any(entry.name == ".gitignore" for entry in entries):
            ignored = self._read((*self._base, *node.path), ignored)
        found = len(entries)
        entries = [entry for entry in entries if not self._is_held_back((*node.path, entry.name))]
        self._count("held back", found - len(entries))
        children = [self._child(node, entry, ignored) for entry in entries]
        kept = [child for child in children if child.folder or child.why != "ignored"]
        node.children = kept[: max(self._room, 0)]
        node.hidden = len(entries) - len(node.children)
        self.entries += len(node.children)
        self._room -= len(node.children)
        self._count("ignored", len(entries) - len(kept))
        self._count("no room", len(kept) - len(node.children))
        return ignored

    def _child(self, node: TreeNode, entry: FolderEntry, ignored: IgnoreRules) -> TreeNode:
        path = (*node.path, entry.name)
        is_folder = entry.kind == "folder"
        left = (is_folder and entry.name in COLLAPSED) or ignored.covers((*self._base, *path), folder=is_folder)
        return TreeNode(signed_name(entry), path, folder=is_folder, why="ignored" if left else "")

    def _read(self, folder: Sequence[str], ignored: IgnoreRules) -> IgnoreRules:
        """What holds in a folder, with its own file; the folder is told from the project's on, or from the place."""
        top = self._project_files.root if self._place.inside else self._place.real
        try:
            data = self._project_files.read(
                self._project_files.resolve(str(top.joinpath(*folder, ".gitignore"))), MAX_IGNORE_BYTES
            )
        except ToolError:
            return ignored
        return ignored.with_file(folder, data.decode(errors="replace"))

    def _at(self, path: Sequence[str]) -> ResolvedPath:
        return self._project_files.resolve(str(self._place.real.joinpath(*path)))

    def _leave(self, node: TreeNode, why: Why) -> None:
        node.why = why
        self._count(why, 1)

    def _count(self, why: Why, number: int) -> None:
        if number:
            self.left_out[why] = self.left_out.get(why, 0) + number


def _lines(nodes: Sequence[TreeNode], hidden: int, depth: int) -> Iterator[str]:
    for node in nodes:
        note = f" ({_NOTES[node.why]})" if node.why in _NOTES else ""
        yield f"{'  ' * depth}{node.name}{note}"
        yield from _lines(node.children, node.hidden, depth + 1)
    if hidden:
        yield f"{'  ' * depth}… {hidden:,} more"


_NOTES: dict[str, str] = {"ignored": "not listed", "no room": "not listed", "unreadable": "can't be read"}
