"""Write docs/cli.md from the command line's own parsers: `python scripts/cli_reference.py > docs/cli.md`.

From the parsers and not from their help output, because that looks different from one Python to the next.
"""

import argparse
from collections.abc import Iterator

from toolpost.cli.exit_codes import EXIT_CODES
from toolpost.cli.main import COMMANDS, _command_parser, _load

OPENING = """\
# Command line

Written by `scripts/cli_reference.py` from the commands themselves; a test holds it to that.

`toolpost` alone on a terminal is a chat, with the options of `toolpost chat`. In it, `/help` lists what can be done;
Ctrl-C stops a run and keeps the session, Ctrl-D leaves. `toolpost run` answers one prompt: piped, its output is what
the model says and nothing else, each step of it once it is whole (an attempt that broke off leaves nothing), and calls
are told on the error output. `--format json` gives the [events](events.md) instead, as they come, one a line.

Rules on the command line (`--allow`, `--deny`) are the strongest: they come after those of the
[configuration](permissions.md).

## Exit status

| status | meaning |
|---|---|"""


def reference() -> str:
    lines = [OPENING, *(f"| {code} | {meaning} |" for code, meaning in EXIT_CODES.items())]
    for name in COMMANDS:
        command = _load(name)
        lines += ["", f"## toolpost {name}", "", _sentence(command.HELP)]
        lines += _parser(_command_parser(name, command), f"toolpost {name}")
    return "\n".join(lines) + "\n"


def _parser(parser: argparse.ArgumentParser, prefix: str) -> Iterator[str]:
    rows = [row for action in parser._actions if (row := _row(action))]
    if rows:
        yield from ("", "| argument | |", "|---|---|", *rows)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            helps = {choice.dest: choice.help for choice in action._choices_actions}
            for name, child in action.choices.items():
                if name in helps:
                    yield from ("", f"### {prefix} {name}", "", _sentence(helps[name] or ""))
                    yield from _parser(child, f"{prefix} {name}")


def _sentence(text: str) -> str:
    plain = text.strip().rstrip(".")
    return f"{plain[:1].upper()}{plain[1:]}."


def _row(action: argparse.Action) -> str:
    hidden = action.help == argparse.SUPPRESS or action.dest in ("help", "folder")
    if hidden or isinstance(action, argparse._SubParsersAction):
        return ""
    choices = "|".join(map(str, action.choices or ()))
    value = action.metavar if isinstance(action.metavar, str) else choices or action.dest.upper()
    names = ", ".join(f"`{name}`" for name in action.option_strings)
    shown = f"{names} {value}" if names and action.nargs != 0 else names or f"`{value}`"
    return f"| {shown.replace('|', chr(92) + '|')} | {(action.help or '').replace('|', chr(92) + '|')} |"


if __name__ == "__main__":
    print(reference(), end="")
