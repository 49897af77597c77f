"""Check the arguments of a run before anything of it is stored."""

from collections.abc import Iterable, Sequence
from typing import Any, cast

from toolpost.arguments.sdk_arguments import check_kind, shown, suggestion, texts
from toolpost.types.errors import UsageError
from toolpost.types.messages import FilePart

from .state import Setup

# Of a server that connects later, or that is gone, nobody knows the tools.
_OF_SERVERS = "mcp__"


def check_run(files: Sequence[FilePart], output: Any) -> None:
    """Raise `UsageError` for what can't be a run's files or wanted output."""
    example = 'FilePart("image/png", data), with the data in base64'
    if not isinstance(files, Sequence) or isinstance(files, str | bytes):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UsageError(f"files is {shown(files)}: give a list, each of it a {example}")
    for file in files:
        check_kind(file, FilePart, "one of files", f"a {example}")
    wanted: object = output
    if isinstance(wanted, str | bytes | int | float | list | tuple):
        raise UsageError(
            f"output is {shown(cast('object', wanted))}: give a type, such as a dataclass, or a JSON Schema as a dict"
        )


async def check_switched_off(given: str | Sequence[str], setup: Setup) -> None:
    """Raise `UsageError` for a name that no tool of the agent has: what should be off would be on."""
    names = texts(given, "switch_off")
    if unknown := _unknown(names, setup):
        if setup.prepare is not None:
            await setup.prepare()
            unknown = _unknown(names, setup)
        for name in unknown:
            raise UsageError(f'switch_off names "{name}", which is no tool here; {suggestion(name, setup.tools.names)}')


def _unknown(names: Iterable[str], setup: Setup) -> list[str]:
    return [name for name in names if name not in setup.tools and not name.startswith(_OF_SERVERS)]
