"""Commands that people wrote as Markdown: find one by its name."""

from toolpost.arguments.names import near
from toolpost.definitions.commands import CommandFile
from toolpost.types.errors import ConfigError
from toolpost.workspace import Workspace


def find_command(workspace: Workspace, name: str) -> CommandFile:
    known = workspace.commands
    found = known.get(name.removeprefix("/"))
    if found is not None:
        return found
    likely = near(name, tuple(known))
    hint = f"did you mean {' or '.join(likely)}?" if likely else "write one into .toolpost/commands/NAME.md"
    raise ConfigError(f"no command {name!r}; {hint}")
