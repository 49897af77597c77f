"""Write docs/cli.md from the command line's own parsers: `python scripts/cli_reference.py > docs/cli.md`.

From the parsers and not from their help output, because that looks different from one Python to the next.
"""

import argparse
from collections.abc import Iterator

from toolpost.cli.exit_codes import EXIT_CODES
from toolpost.cli.main import COMMANDS, _command_parser, _load

OPENING = """\
# Command line

Generated from the commands by `scripts/cli_reference.py`; a test checks that it is up to date.

`toolpost` without a command starts a chat on a terminal and takes the options of `toolpost chat`. In it, `/help` lists
the commands, Ctrl-C stops a run and keeps the session, Ctrl-D quits.

`toolpost run` answers one prompt. If its output is piped, only the answer goes to stdout: the text of each step once
it is complete, without failed attempts. Tool calls and notes go to stderr. `--format json` writes the
[events](events.md) to stdout instead, one per line, as they come.

Rules on the command line (`--allow`, `--deny`) come after those of the [configuration](permissions.md), so they win.

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
