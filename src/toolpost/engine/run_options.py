"""The options of one run: what is given with its prompt, and holds until the run has ended."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict, cast

from msgspec import Struct, structs

from toolpost.arguments.sdk_arguments import check_kind, texts
from toolpost.store.contract import Prompt
from toolpost.tools.output_collector import clean
from toolpost.types.errors import ToolpostError
from toolpost.types.ids import new_id
from toolpost.types.messages import FilePart

from .options import check_option_names


class RunArguments(TypedDict, total=False):
    """What `Session.run`, `stream` and `begin` take beside a prompt; each means what `Session.run` says of it."""

    files: Sequence[FilePart]
    options: Mapping[str, Any] | None
    switch_off: str | Sequence[str]
    system: str
    variant: str


class RunOptions(Struct, frozen=True):
    """`system` stands in place of the agent's prompt, `variant` in place of the agent's variant; "" is as it was."""

    options: Mapping[str, Any] = {}
    switched_off: frozenset[str] = frozenset()
    system: str = ""
    variant: str = ""


def read_arguments(arguments: RunArguments) -> tuple[RunOptions, Sequence[FilePart]]:
    """The options and files of a run."""
    given = cast("dict[str, Any]", arguments)
    for name in ("system", "variant"):
        check_kind(given.get(name) or "", str, name, "one text")
    check_kind(given.get("options"), (Mapping, type(None)), "options", 'a dict such as {"temperature": 0}')
    check_option_names(given.get("options") or {})
    return RunOptions(
        options=given.get("options") or {},
        switched_off=frozenset(texts(given.get("switch_off", ()), "switch_off")),
        system=clean(given.get("system") or ""),
        variant=given.get("variant") or "",
    ), given.get("files", ())


def stored_prompt(text: str, files: Sequence[FilePart] = (), *, steer: bool = False) -> Prompt:
    """A prompt as it can be stored: half a character from a cut text or a file name must not be the session's end."""
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance] - not everybody checks types
        raise ToolpostError(f"a prompt is a text, not {type(text).__name__}")
    if not text.strip() and not files:
        raise ToolpostError("the prompt is empty")
    named = tuple(structs.replace(file, name=clean(file.name), url=clean(file.url)) for file in files)
    return Prompt(new_id("prm"), clean(text), steer, named)
