"""Build the prompt from arguments and standard input."""

import os
import sys
from argparse import Namespace

from toolpost.cli.shared.output import say_error
from toolpost.types.errors import ConfigError

STDIN_PATIENCE = 2.0


def prompt_of(args: Namespace) -> str:
    """The words, with what is piped in behind them. A command may do without any, and a run that goes on has them."""
    if args.resume:
        if len(args.prompt) == 1 and not args.session and len(args.prompt[0].split()) == 1:
            # One word is the session that is meant: a prompt can't be given here.
            args.session = args.prompt.pop()
        if args.prompt or args.command or args.file or args.output_schema:
            raise ConfigError(
                "--resume goes on with a run as it was started: leave out the prompt and what goes with it"
            )
        return ""
    # Bytes that are not UTF-8 arrive as surrogates, which can neither be stored nor sent.
    words = os.fsencode(" ".join(args.prompt)).decode("utf-8", "replace").strip()
    piped = _piped(bool(words)).strip()
    prompt = f"{words}\n\n{piped}" if words and piped else words or piped
    if not prompt and not args.command:
        raise ConfigError('no prompt: use toolpost run "…", or pipe a text in')
    return prompt


def _piped(has_words: bool) -> str:
    stdin = sys.stdin
    if stdin.isatty():
        return ""
    if has_words:
        _say_if_waiting()
    return stdin.buffer.read().decode("utf-8", "replace")


def _say_if_waiting() -> None:
    """A script that leaves its own input open would otherwise wait without knowing why."""
    # Imported here: only piped input needs it.
    import select

    try:
        ready, _, _ = select.select([sys.stdin], [], [], STDIN_PATIENCE)
    except (OSError, ValueError):
        return
    if not ready:
        say_error("waiting for standard input; add < /dev/null if there is none")
