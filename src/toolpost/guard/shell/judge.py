"""Judge a shell command before it runs: every command in it, wherever it stands.

A line that can't be understood is `opaque`: it is asked as a whole, and no rule about a part of it can allow it.
"""

import hashlib
import posixpath
import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from toolpost.guard.wildcards import exact

from .always_allow_prefix import harmless_beginning
from .commands import ShellCommand, ShellScript, read_script
from .prefix import bare
from .syntax_tree import GrammarMissing, NotUnderstood, require_grammar

MAX_BYTES = 64_000
# What is over the limit is still searched for what a rule denies, up to so many times the limit.
HOPELESS = 4
OPAQUE = "opaque: "
_HALF = re.compile("[\ud800-\udfff]")


class JudgedCommand(Struct, frozen=True):
    """The effects of a command line.

    `patterns` is what the rules are asked: each command as written, and once more without its folder, its assignments
    and the options before its subcommand, where it has any, so that a rule about `git push` sees `/usr/bin/git -C x
    push`. A file written by a redirection is a pattern of its own, `> file`. `offered` is for each pattern what an
    "always" may save: its beginning, where whatever follows that is harmless, else the very text. `programs` are the
    names of all commands. `reads` and `writes` are paths, where they are literal.

    `opaque` says why a line was not understood. Its patterns then begin with the whole line, marked, so that a rule
    such as `git *` does not match it; what could be seen of it follows, so that a deny of a part still holds.
    """

    patterns: tuple[str, ...]
    offered: tuple[str, ...]
    programs: tuple[str, ...] = ()
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    opaque: str = ""

    @property
    def always(self) -> tuple[str, ...]:
        """The patterns that an "always" for the whole line saves."""
        return tuple(dict.fromkeys(self.offered))


@lru_cache(maxsize=32)
def judge(command: str, *, limit: int = MAX_BYTES) -> JudgedCommand:
    """Judge a line for bash. Raises `GrammarMissing` where nothing can be judged, and nothing else."""
    require_grammar()
    script = ShellScript()
    try:
        if _HALF.search(command):
            raise NotUnderstood("it holds half a character")
        if len(command) > HOPELESS * limit:
            raise NotUnderstood(f"it is far longer than {limit:,} bytes")
        read_script(command, script)
        if len(command.encode(errors="surrogatepass")) > limit:
            raise NotUnderstood(f"it is longer than {limit:,} bytes")
        if not script.commands and not script.pseudo:
            raise NotUnderstood("no command was found in it")
        reads, writes = _resolved(script)
    except NotUnderstood as failure:
        return _opaque(command, script, str(failure))
    asked = dict(pair for one in script.commands for pair in _asked(one))
    asked |= {text: exact(text) for text in script.pseudo}
    return JudgedCommand(tuple(asked), tuple(asked.values()), _programs(script), tuple(reads), tuple(writes))


def approvals_for(pattern: str) -> frozenset[str]:
    """The saved approvals that answer an ask for this pattern of a line: the very text, and what "always" offers for
    it.

    One with a wildcard that is not offered any more, such as `gcc *`, or `git diff *` for a `git diff --output=x`,
    answers nothing: it would allow what no person was shown. Without the shell's grammar none does.
    """
    try:
        judged = judge(pattern)
    except GrammarMissing:
        return frozenset()
    offered = dict(zip(judged.patterns, judged.offered, strict=True))
    return frozenset({exact(pattern), exact(pattern) if judged.opaque else offered.get(pattern, exact(pattern))})


def _asked(command: ShellCommand) -> list[tuple[str, str]]:
    """The patterns of a command, each with what "always" would save for it."""
    written = command.shown
    plain = " ".join(word.shown for word in bare(command.words))
    if plain == written:
        return [(written, _always(command))]
    return [(written, _always(command)), (plain, _always(ShellCommand(tuple(bare(command.words)))))]


def _always(command: ShellCommand) -> str:
    """The beginning, where whatever may follow it is harmless, else exactly this command."""
    count = 0 if command.assignments or command.scripted else harmless_beginning(command.words)
    if not count:
        return exact(command.shown)
    return exact(" ".join(word.shown for word in command.words[:count])) + " *"


def _opaque(line: str, script: ShellScript, reason: str) -> JudgedCommand:
    # The line's mark behind a part keeps an "always" for this line from allowing that part elsewhere.
    mark = hashlib.sha256(line.encode(errors="surrogatepass")).hexdigest()[:16]
    seen = [f"{text}  # in opaque {mark}" for one in script.commands for text, _ in _asked(one)]
    patterns = tuple(dict.fromkeys((f"{OPAQUE}{line}", line, *seen)))
    return JudgedCommand(patterns, tuple(map(exact, patterns)), _programs(script), opaque=reason)


def _programs(script: ShellScript) -> tuple[str, ...]:
    return tuple(dict.fromkeys(command.words[0].text for command in script.commands))


def _resolved(script: ShellScript) -> tuple[list[str], list[str]]:
    """Reads and writes, relative ones from every folder that the line may be in."""
    folders = script.folders
    return _from_folders(script.reads, folders or {""}), _from_folders(script.writes, folders)


def _from_folders(paths: Sequence[str], folders: set[str]) -> list[str]:
    found: dict[str, None] = {}
    for path in paths:
        if path.startswith(("/", "~")):
            found[path] = None
        elif not folders:
            raise NotUnderstood("it changes the folder in a way that can't be followed")
        else:
            found.update((posixpath.join(folder, path), None) for folder in sorted(folders))
    return list(found)
