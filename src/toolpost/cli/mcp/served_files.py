"""Serve files of a folder as MCP resources: instructions, skills, and files that the configuration names."""

import base64
import mimetypes
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Annotated
from urllib.parse import quote, unquote, urlsplit

from toolpost.engine.external_calls import OutsideCalls
from toolpost.engine.session_setup import Setup
from toolpost.guard.paths import FileAccess, Missing, ResolvedPath
from toolpost.guard.redact import known_secrets
from toolpost.mcp.resources import Resource
from toolpost.store.memory import MemoryStore
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.file_kind import kind_of
from toolpost.tools.files.path_permissions import allow, shown_path
from toolpost.tools.host import CallOutcome
from toolpost.tools.output import MAX_FILE_BYTES
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ToolError
from toolpost.types.messages import FilePart
from toolpost.workspace import Workspace

READ = "read"
MAX_BYTES = MAX_FILE_BYTES * 3 // 4
MAX_NAMES = 1_000
_BLANK = re.compile(r"\{\+?(\w+)\}")


class ServedFiles:
    """Read as `read` reads: with its rules, on the same ground. Where that tool is off, there are none."""

    def __init__(self, workspace: Workspace, setup: Setup) -> None:
        self._workspace = workspace
        self._setup = setup
        self._ground = FileAccess(workspace.project)
        self._any = f"{self._ground.root.as_uri()}/{{+path}}"
        self._named = dict(workspace.config.resources)
        self._reads = any(known.name == READ and setup.offering.has(known) for known in setup.tools)
        self._read, self._list = _reader(self._ground), _lister(self._ground)

    def resources(self) -> list[Resource]:
        """What is worth knowing of, and below it a template for every other file."""
        if not self._reads:
            return []
        named = [
            Resource("", uri, path, f"{path} of this folder", _mime(path), template=bool(_BLANK.search(uri)))
            for uri, path in self._named.items()
        ]
        anything = Resource("", self._any, "files", "Any file of this folder that may be read", template=True)
        return [*self._known(), *named, anything]

    async def read(self, uri: str) -> FilePart:
        """Raise `LookupError` if it is not a resource, and `ToolError` if it may not be read."""
        path = self.path_of(uri)
        found = await self.file(path) if path is not None else None
        if found is None:
            raise LookupError(uri)
        return found

    async def file(self, path: str) -> FilePart | None:
        """A file by its path; None where there is none."""
        if not self._reads:
            raise ToolError("files may not be read here")
        outcome = await self._call(self._read, path)
        part = outcome.content[0] if outcome.content else None
        if isinstance(part, FilePart):
            return part
        if outcome.error_kind is None:
            return None
        raise ToolError(outcome.text)

    def path_of(self, uri: str) -> str | None:
        """The file behind an address; whether the rules allow to read it is another question. What is outside of the
        folder is no resource of it, nor is what holds secrets, whatever they allow."""
        path = self._addressed(uri) if self._reads else None
        place = self._ground.resolve(path) if path else None
        return str(place.path) if place is not None and place.inside and not place.secret else None

    def _addressed(self, uri: str) -> str | None:
        for template, path in self._named.items():
            found = _pattern(template).fullmatch(uri)
            if found is not None:
                return self._filled(path, {name: unquote(value) for name, value in found.groupdict().items()})
        where = urlsplit(uri)
        return unquote(where.path) if where.scheme == "file" and where.netloc in ("", "localhost") else None

    async def complete(self, uri: str, argument: str, value: str) -> list[str]:
        """Values for a blank of a template: the names of files that fit."""
        template = self._any if uri == self._any else next((one for one in self._named if one == uri), None)
        if template is None or argument not in _BLANK.findall(template):
            raise LookupError(f"there is no resource template {uri} with {argument}")
        if template == self._any:
            return await self.paths(value)
        before, _, after = self._named[template].partition(f"{{{argument}}}")
        if _BLANK.search(before + after):
            return []
        paths = await self.paths(before + value)
        return [path[len(before) : len(path) - len(after)] for path in paths if path.endswith(after or "")]

    async def paths(self, begin: str) -> list[str]:
        """The files and folders whose paths begin like this, as far as they may be read."""
        if not self._reads:
            return []
        folder, slash, start = begin.rpartition("/")
        if not self._ground.resolve(folder or ".").inside or begin.startswith("/"):
            return []
        outcome = await self._call(self._list, folder or ".")
        names = outcome.text.splitlines() if outcome.error_kind is None else []
        return [f"{folder}{slash}{name}" for name in names if name.startswith(start)]

    def _known(self) -> list[Resource]:
        """Instructions and skills, where they are files of this folder."""
        files = [(found.file, "Instructions for agents in this folder") for found in self._workspace.instructions()]
        files += [(skill.folder / "SKILL.md", skill.description) for skill in self._workspace.skills]
        places = [(self._ground.resolve(str(file)), about) for file, about in files]
        return [
            Resource("", file_uri(place), place.shown, about, "text/markdown")
            for place, about in places
            if place.inside
        ]

    def _filled(self, path: str, values: Mapping[str, str]) -> str | None:
        """The path with its blanks filled in: each takes one name, and none that leads elsewhere."""
        if any(value in (".", "..") or "/" in value for value in values.values()):
            return None
        return str(self._ground.root / _BLANK.sub(lambda blank: values.get(blank[1], ""), path))

    async def _call(self, tool: Tool, path: str) -> CallOutcome:
        # One call each: reading a file repeatedly is not a model repeating its call.
        return await OutsideCalls(self._setup, MemoryStore).call(tool, {"path": path})


def file_uri(place: ResolvedPath) -> str:
    """The address under which a file can be read as a resource."""
    return f"file://{quote(str(place.real))}"


def _reader(ground: FileAccess) -> Tool:
    @tool(name=READ, permission=READ, patterns=shown_path(ground), read_only=True, touches_machine=True)
    async def read(ctx: ToolContext, path: Annotated[str, "The file"]) -> ToolResult:
        """Read a file as it is; nothing comes back where there is none."""
        place = ground.resolve(path)
        await allow(ctx, ground, place, READ)
        try:
            data = await run_in_thread(lambda: ground.read(place, MAX_BYTES))
        except Missing:
            return ToolResult()
        mime = kind_of(data)[1]
        try:
            data = known_secrets().hide(data.decode()).encode()
            mime = _mime(place.real.name) or "text/plain"
        except UnicodeDecodeError:
            mime = mime or _mime(place.real.name) or "application/octet-stream"
        encoded = base64.b64encode(data).decode()
        return ToolResult([FilePart(mime, encoded, url=file_uri(place), name=place.shown)])

    return replace(read, parallel=True)


def _lister(ground: FileAccess) -> Tool:
    @tool(name="list", permission="list", patterns=shown_path(ground, "."), read_only=True, touches_machine=True)
    async def names(ctx: ToolContext, path: Annotated[str, "The folder"]) -> str:
        """List the names in a folder."""
        place = ground.resolve(path)
        await allow(ctx, ground, place, "list")
        entries = (await run_in_thread(lambda: ground.scan(place)))[:MAX_NAMES]
        shown: Callable[[str], ResolvedPath] = lambda name: ground.resolve(str(place.real / name))  # noqa: E731
        may = [
            entry
            for entry in entries
            if entry.name.isprintable()
            and not (found := shown(entry.name)).secret
            and found.inside
            and not ctx.holds_back(READ, found.shown)
        ]
        return "\n".join(f"{entry.name}/" if entry.kind == "folder" else entry.name for entry in may)

    return names


def _pattern(template: str) -> re.Pattern[str]:
    pieces = _BLANK.split(template)
    names: Sequence[str] = pieces[1::2]
    blanks = [f"(?P<{name}>[^/?#]+)" for name in names]
    texts = [re.escape(text) for text in pieces[::2]]
    return re.compile("".join(piece for pair in zip(texts, [*blanks, ""], strict=True) for piece in pair))


def _mime(name: str) -> str:
    return "text/markdown" if name.endswith(".md") else mimetypes.guess_type(name)[0] or ""
