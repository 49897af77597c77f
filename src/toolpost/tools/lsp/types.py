"""The parts of language server messages that are read here. Everything else is ignored."""

from typing import Any

import msgspec
from msgspec import Struct

KINDS = (
    *("file", "module", "namespace", "package", "class", "method", "property", "field", "constructor", "enum"),
    *("interface", "function", "variable", "constant", "string", "number", "boolean", "array", "object", "key"),
    *("null", "constant", "struct", "event", "operator", "type parameter"),
)
ERROR = 1
SEVERITIES = {ERROR: "error", 2: "warning", 3: "information", 4: "hint"}


class Position(Struct, frozen=True, order=True):
    line: int
    character: int


class Range(Struct, frozen=True):
    start: Position


class Location(Struct, frozen=True, rename="camel"):
    """A location, or a link to one."""

    uri: str = ""
    range: Range = Range(Position(0, 0))
    target_uri: str = ""
    target_selection_range: Range | None = None

    @property
    def file(self) -> str:
        return self.target_uri or self.uri

    @property
    def start(self) -> Position:
        return (self.target_selection_range or self.range).start


class LspSymbol(Struct, frozen=True, rename="camel"):
    """A symbol with those in it, or in the older form, which says where it is and what it is in."""

    name: str
    kind: int
    selection_range: Range | None = None
    location: Location | None = None
    container_name: str | None = None
    children: tuple["LspSymbol", ...] | None = None

    @property
    def start(self) -> Position:
        return self.location.start if self.location else (self.selection_range or Range(Position(0, 0))).start

    @property
    def title(self) -> str:
        inside = f" in {self.container_name}" if self.container_name else ""
        return f"{kind_name(self.kind)} {self.name}{inside}"


class CallHierarchyItem(Struct, frozen=True, rename="camel"):
    name: str
    kind: int
    uri: str
    selection_range: Range


class IncomingCall(Struct, frozen=True, rename="camel"):
    caller: CallHierarchyItem = msgspec.field(name="from")
    from_ranges: tuple[Range, ...] = ()


class OutgoingCall(Struct, frozen=True):
    to: CallHierarchyItem


class Diagnostic(Struct, frozen=True):
    range: Range
    message: str
    severity: int | None = None

    @property
    def weight(self) -> int:
        """1 is an error; where a server does not say, it is one."""
        return self.severity or ERROR


class PublishedDiagnostics(Struct, frozen=True):
    uri: str
    diagnostics: tuple[Diagnostic, ...] = ()
    version: int | None = None


def kind_name(kind: int) -> str:
    return KINDS[kind - 1] if 0 < kind <= len(KINDS) else "symbol"


def several(found: Any) -> list[Any]:
    """Many answers are one, several, or none."""
    if found is None:
        return []
    return list(found) if isinstance(found, list | tuple) else [found]  # pyright: ignore[reportUnknownArgumentType]
