"""The tools of a session by name, wherever they come from: built-in, project, plugin, SDK, MCP."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from toolpost.arguments.suggestions import did_you_mean
from toolpost.types.errors import ConfigError
from toolpost.types.tool_spec import ToolSpec

from . import builtin
from .define import Tool, tool

if TYPE_CHECKING:
    from .workbench import Workbench

ToolLike = Tool | Callable[..., Any] | str

# Whose tool takes the place of whose, where both have one name.
OVERRIDES = {"project": ("builtin", "user"), "user": ("builtin",), "sdk": ("builtin",)}


class Registry:
    """Tools in a stable order, by name.

    A source says where a tool comes from: "builtin", "user:<file>", "project:<file>", "plugin:<name>", "sdk" or
    "mcp:<server>". A project's, the user's or the SDK's tool takes the place of a built-in, and a project's that of the
    user's, in whichever order they are added, and `notices` says so. Any other clash is a `ConfigError`. `version`
    counts the changes. Built-ins that are added by name stand on `bench`, or else work in the folder that the process
    is in.
    """

    def __init__(
        self,
        tools: Iterable[ToolLike] | ToolLike = (),
        source: str = "sdk",
        bench: "Callable[[], Workbench] | None" = None,
    ) -> None:
        self._bench = bench
        self._tools: dict[str, Tool] = {}
        self._specs: tuple[ToolSpec, ...] | None = None
        self.version = 0
        self.notices: list[str] = []
        self.add_all(tools, source)

    def add_all(self, given: "Iterable[ToolLike] | ToolLike", source: str = "sdk") -> None:
        """Add several, or one. A text is the name of one built-in, never the letters of it."""
        if isinstance(given, str | Tool) or callable(given):
            given = (given,)
        elif isinstance(given, bytes | Mapping) or not isinstance(given, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"tools are {given!r}: give a list of functions, Tools and names of built-ins")
        for item in given:
            self.add(item, source)

    def add(self, item: Tool | Callable[..., Any] | str, source: str = "sdk") -> Tool:
        """Add a tool, a typed function, or a built-in by its name. Return the tool that now has that name."""
        new = self._builtin(item) if isinstance(item, str) else _as_tool(item, source)
        old = self._tools.get(new.name)
        kept = new if old is None else self._settle(old, new)
        self._tools[new.name] = kept
        self._changed()
        return kept

    def swap(self, kind: str, tools: Iterable[Tool]) -> None:
        """Put these in the place of all tools whose source is of this kind, each of which says its own source.

        They come and go while a session runs, so one that cannot be added is only told in `notices`.
        """
        self._tools = {name: known for name, known in self._tools.items() if _kind(known) != kind}
        for new in tools:
            try:
                self.add(new, new.source)
            except ConfigError as error:
                self.notices.append(str(error))
        self._changed()

    def get(self, name: str) -> Tool | None:
        return self._tools.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._tools))

    def specs(self) -> tuple[ToolSpec, ...]:
        """The tool descriptions for a model, sorted by name so that the same tools are always the same bytes."""
        if self._specs is None:
            self._specs = tuple(known.spec for known in self)
        return self._specs

    def __iter__(self) -> Iterator[Tool]:
        return iter([self._tools[name] for name in self.names])

    def __len__(self) -> int:
        return len(self._tools)

    def __contains__(self, name: object) -> bool:
        return name in self._tools

    def _builtin(self, name: str) -> Tool:
        if name in builtin.NAMES:
            builtin.require(name)
            # Imported here: only who names a built-in needs it.
            from .workbench import here

            # One that is optional is wanted here.
            return replace(builtin.make(name, (self._bench or here)()), source="builtin", optional=False)
        hint = did_you_mean(name, builtin.NAMES, f"there are: {', '.join(builtin.NAMES)}")
        raise ConfigError(f'there is no built-in tool "{name}": {hint}')

    def _changed(self) -> None:
        self._specs = None
        self.version += 1

    def _settle(self, old: Tool, new: Tool) -> Tool:
        for over, under in ((new, old), (old, new)):
            if _kind(under) in OVERRIDES.get(_kind(over), ()):
                whose = "the built-in tool" if _kind(under) == "builtin" else f"{_place(under)}, which has a tool"
                self.notices.append(f"{_place(over)} takes the place of {whose} {over.name}")
                return over
        if old.source == new.source:
            raise ConfigError(f"two tools in {_place(new)} are named {new.name}: rename one")
        raise ConfigError(
            f"the tool {new.name} of {_place(new)} has the name of a tool of {_place(old)}: rename one of them, "
            f'for example with @tool(name="{_kind(new)}_{new.name}")'
        )


def _as_tool(item: Tool | Callable[..., Any], source: str) -> Tool:
    if isinstance(item, Tool):
        return item if item.source == source else replace(item, source=source)
    if callable(item):
        return replace(tool(item), source=source)
    raise ConfigError(f"{item!r} is not a tool: give a function, a Tool or the name of a built-in")


def _kind(known: Tool) -> str:
    return known.source.partition(":")[0]


def _place(known: Tool) -> str:
    kind, _, where = known.source.partition(":")
    return _PLACES.get(kind, kind).format(where).strip()


_PLACES = {
    "builtin": "the built-ins",
    "project": "the project's {}",
    "user": "your {}",
    "file": "{}",
    "plugin": "the plugin {}",
    "sdk": "the SDK",
    "mcp": "the MCP server {}",
}
