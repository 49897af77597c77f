"""The options of one run: what is given with its prompt, checked before anything is stored."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypedDict, cast

from msgspec import Struct, structs

from toolpost.arguments.check_sdk_calls import check_kind, shown, suggestion, texts
from toolpost.models.contract import ModelInfo
from toolpost.store.contract import Prompt
from toolpost.types.errors import ToolpostError, UsageError
from toolpost.types.ids import new_id
from toolpost.types.messages import FilePart
from toolpost.types.text import clean

from .model_options import FindVariants, check_option_names, merge, variant_options

if TYPE_CHECKING:
    from .session_setup import Setup

# The tools of a server that connects later, or that is gone, are not known.
_OF_SERVERS = "mcp__"


class RunArguments(TypedDict, total=False):
    """What `Session.run`, `stream` and `begin` take beside a prompt; each means what `Session.run` says of it."""

    files: Sequence[FilePart]
    options: Mapping[str, Any] | None
    switch_off: str | Sequence[str]
    system: str
    variant: str


class RunOptions(Struct, frozen=True):
    """These arguments, checked. `system` stands in place of the agent's prompt, `variant` in place of the agent's
    variant; "" leaves them as they are. `output` is the type or the JSON Schema that the answer has to fit."""

    files: Sequence[FilePart] = ()
    options: Mapping[str, Any] = {}
    switched_off: frozenset[str] = frozenset()
    system: str = ""
    variant: str = ""
    output: Any = None

    @classmethod
    def of(cls, arguments: RunArguments, output: Any = None) -> "RunOptions":
        """Raises `UsageError` for an argument that can't be meant."""
        given = cast("dict[str, Any]", arguments)
        for name in ("system", "variant"):
            check_kind(given.get(name) or "", str, name, "one text")
        check_kind(given.get("options"), (Mapping, type(None)), "options", 'a dict such as {"temperature": 0}')
        check_option_names(given.get("options") or {})
        return cls(
            _checked_files(given.get("files", ())),
            given.get("options") or {},
            frozenset(texts(given.get("switch_off", ()), "switch_off")),
            clean(given.get("system") or ""),
            given.get("variant") or "",
            _checked_output(output),
        )

    def with_variant(self, info: ModelInfo, usual: str, variants: FindVariants) -> "RunOptions":
        """With the options of its variant, or of the `usual` one, below its own. Raises `ConfigError` where the model
        has no such variant."""
        below = variant_options(info, self.variant or usual, variants(info))
        return structs.replace(self, options=merge(below, self.options))


async def check_switched_off(names: Iterable[str], setup: "Setup") -> None:
    """Raise `UsageError` for a name that no tool of the agent has: what should be off would be on."""
    if _unknown_tools(names, setup) and setup.prepare is not None:
        await setup.prepare()
    for name in _unknown_tools(names, setup):
        raise UsageError(f'switch_off names "{name}", which is not a tool here; {suggestion(name, setup.tools.names)}')


def stored_prompt(text: str, files: Sequence[FilePart] = (), *, steer: bool = False) -> Prompt:
    """A prompt as it can be stored: half a character from a cut text or a file name must not be the session's end."""
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - not everybody checks types
        raise ToolpostError(f"a prompt is a text, not {type(text).__name__}")
    if not text.strip() and not files:
        raise ToolpostError("the prompt is empty")
    named = tuple(structs.replace(file, name=clean(file.name), url=clean(file.url)) for file in files)
    return Prompt(new_id("prm"), clean(text), steer, named)


def _unknown_tools(names: Iterable[str], setup: "Setup") -> list[str]:
    return sorted(name for name in names if name not in setup.tools and not name.startswith(_OF_SERVERS))


def _checked_files(files: object) -> Sequence[FilePart]:
    example = 'FilePart("image/png", data), with the data in base64'
    if not isinstance(files, Sequence) or isinstance(files, str | bytes):
        raise UsageError(f"files is {shown(files)}: give a list, each of it a {example}")
    for file in cast("Sequence[object]", files):
        check_kind(file, FilePart, "one of files", f"a {example}")
    return cast("Sequence[FilePart]", files)


def _checked_output(output: Any) -> Any:
    wanted: object = output
    if isinstance(wanted, str | bytes | int | float | list | tuple):
        raise UsageError(
            f"output is {shown(cast('object', wanted))}: give a type, such as a dataclass, or a JSON Schema as a dict"
        )
    return output
