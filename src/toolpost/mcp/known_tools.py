"""Remember the tools of MCP servers as they were first seen, to report changes."""

import contextlib
import fcntl
import hashlib
import logging
import os
import tempfile
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from toolpost.folders import user_folder
from toolpost.tools.fingerprint import Fingerprint, difference

log = logging.getLogger("toolpost.mcp")

MAX_TEXTS = 500  # of one server; of more tools only the digests are kept

Kind = Literal["new", "changed", "gone"]


class ToolChange(Struct, frozen=True):
    """A tool that has come, changed or gone since its server was first seen. `now` is its digest, `diff` what is
    different."""

    tool: str
    kind: Kind
    now: str = ""
    diff: str = ""


class _Seen(Struct, frozen=True, omit_defaults=True):
    """A tool when it was first seen or accepted, and now; None if it did not exist."""

    known: Fingerprint | None = None
    now: Fingerprint | None = None


_Servers = dict[str, dict[str, _Seen]]


class KnownTools:
    """The tools of a project's servers, in a file of the user's own. Several processes may share it.

    A file that can't be read or written knows nothing: then nothing is compared, and all goes on.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of_project(cls, project: Path, environ: Mapping[str, str] = os.environ) -> "KnownTools":
        name = hashlib.sha256(str(project.resolve()).encode(errors="surrogateescape")).hexdigest()[:16]
        return cls(user_folder("data", environ) / "mcp-tools" / f"{name}.json")

    def note(self, server: str, tools: Mapping[str, Fingerprint]) -> list[ToolChange]:
        """Remember how a server's tools are now; give what is not as it was. What is seen first is taken as it is."""
        kept = {name: tools[name] for name in sorted(tools)}
        kept |= {name: Fingerprint(kept[name].digest) for name in list(kept)[MAX_TEXTS:]}
        with self._changing() as servers:
            before = servers.get(server)
            servers[server] = (
                {name: _Seen(now, now) for name, now in kept.items()}
                if before is None
                else {
                    name: _Seen(before.get(name, _Seen()).known, kept.get(name))
                    for name in sorted(before.keys() | kept.keys())
                    if name in kept or before[name].known is not None
                }
            )
            return list(_changes(servers[server]))

    def changes(self, server: str) -> list[ToolChange]:
        """List the changes since the server was first seen or accepted."""
        return list(_changes(self._read().get(server, {})))

    def accept(self, server: str) -> list[ToolChange]:
        """Accept the current tools of a server; return the changes that were accepted."""
        with self._changing() as servers:
            seen = servers.get(server, {})
            servers[server] = {name: _Seen(one.now, one.now) for name, one in seen.items() if one.now is not None}
            return list(_changes(seen))

    @contextlib.contextmanager
    def _changing(self) -> Generator[_Servers]:
        """Lock the file and yield the known tools for a change."""
        with contextlib.ExitStack() as stack:
            try:
                self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                lock = stack.enter_context(self._path.with_name(f"{self._path.name}.lock").open("ab"))
                fcntl.flock(lock, fcntl.LOCK_EX)
            except OSError as error:
                log.warning("the known tools of MCP servers could not be locked: %s", error)
            before = self._read()
            servers = dict(before)
            yield servers
            if servers != before:
                try:
                    self._write(servers)
                except OSError as error:
                    log.warning("the tools of MCP servers could not be saved: %s", error)

    def _read(self) -> _Servers:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=_Servers)
        except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return {}

    def _write(self, servers: _Servers) -> None:
        file, name = tempfile.mkstemp(dir=self._path.parent, prefix=f"{self._path.name}.")
        draft = Path(name)
        try:
            with os.fdopen(file, "wb") as opened:
                opened.write(msgspec.json.encode(servers))
            draft.replace(self._path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


def _changes(seen: Mapping[str, _Seen]) -> Iterator[ToolChange]:
    for name, one in sorted(seen.items()):
        if one.known is None and one.now is not None:
            yield ToolChange(name, "new", one.now.digest)
        elif one.now is None:
            yield ToolChange(name, "gone")
        elif one.known is not None and one.known.digest != one.now.digest:
            yield ToolChange(name, "changed", one.now.digest, difference(one.known.text, one.now.text))
