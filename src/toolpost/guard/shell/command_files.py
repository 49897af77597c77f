"""Find the files that a command reads or writes, for common commands."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from toolpost.guard.word_sets import names

from .prefix import program
from .words import Word

READERS = names("""
    . base64 cat cmp column comm cut diff file fold gunzip head hexdump less md5sum more nl od paste rev sha1sum
    sha256sum sha512sum shuf sort source stat strings tac tail uniq wc xxd zcat
""")
WRITERS = names("""
    chgrp chmod chown gzip mkdir mkfifo mknod mktemp rm rmdir shred tee touch truncate unlink
""")
# The last word is written, or the folder behind `-t`; those before it are read.
COPIERS = frozenset({"cp", "install", "link", "ln", "rsync", "scp"})
# Their first word is a mode, an owner or an expression.
FIRST_IS_NO_FILE = frozenset({"chgrp", "chmod", "chown", "grep", "egrep", "fgrep", "rg", "sed", "awk", "gawk", "jq"})
SEARCHERS = frozenset({"awk", "egrep", "fgrep", "gawk", "grep", "jq", "rg", "sed"})
# Their names do not say that they write, so each file that they do is asked for like one of a redirection.
SILENT_WRITERS = names("""
    curl find git history iconv less sed shuf sort tee tree uniq wget xxd
""")
OUTPUT_OPTIONS = {
    "curl": names("-o --output -D --dump-header -c --cookie-jar --trace --trace-ascii --stderr --output-dir"),
    "find": names("-fprint -fprint0 -fls -fprintf"),
    "git": names("--output --output-directory"),
    "history": names("-a -n -w"),
    "iconv": names("-o --output"),
    "less": names("-o -O --log-file --LOG-FILE"),
    "shuf": names("-o --output"),
    "sort": names("-o --output"),
    "tree": names("-o"),
    "wget": names("-O --output-document -o --output-file -a --append-output -P --directory-prefix"),
}
# Subcommands of git for which `-o` is a file.
GIT_WITH_OUTPUT = frozenset({"archive", "format-patch"})
# Their second file is written.
SECOND_IS_WRITTEN = frozenset({"uniq", "xxd"})
HARMLESS = frozenset({"/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty", "/dev/zero"})


class CommandFiles(Struct, frozen=True):
    """Paths as written, where they are literal."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


def files_of(words: Sequence[Word]) -> CommandFiles:
    """The files that a command names."""
    name = program(words)
    named = [word for word in words[1:] if not word.text.startswith("-") or word.text == "-"]
    if name in FIRST_IS_NO_FILE:
        named = named[1:]
    given = _paths(named)
    if name in COPIERS:
        target = _behind(("-t", "--target-directory"), words) or named[-1:]
        return CommandFiles(_paths([word for word in named if word not in target]), _paths(target))
    if name == "mv" or name in WRITERS:
        return CommandFiles(writes=given)
    if name == "dd":
        return CommandFiles(_after("if=", words), _after("of=", words))
    if name == "sed" and any(word.text.startswith(("-i", "--in-place")) for word in words):
        return CommandFiles(given, given)
    if name in SECOND_IS_WRITTEN:
        return CommandFiles(given[:1], given[1:2])
    if name in OUTPUT_OPTIONS:
        outputs = _paths(_outputs(name, words))
        return CommandFiles(tuple(path for path in given if path not in outputs) if name in READERS else (), outputs)
    return CommandFiles(given) if name in READERS or name in SEARCHERS else CommandFiles()


def _behind(options: Sequence[str], words: Sequence[Word]) -> list[Word]:
    return [word for option, word in pairwise(words) if option.text in options]


def _outputs(name: str, words: Sequence[Word]) -> list[Word]:
    """What stands behind an option, or in the same word with it: `-o x`, `-ox`, `-uo x`, `--outp=x`."""
    options = OUTPUT_OPTIONS[name]
    if name == "git" and any(word.text in GIT_WITH_OUTPUT for word in words):
        options |= {"-o"}
    letters = {option[1] for option in options if len(option) == 2}
    found: list[Word] = []
    for word, following in pairwise((*words, Word("", True))):
        stem, equals, value = word.text.partition("=")
        if stem in options or (len(stem) > 4 and any(option.startswith(stem) for option in options)):
            found.append(Word(value, word.literal) if equals and stem.startswith("--") else following)
        elif word.text[:1] == "-" and word.text[1:2] != "-" and (at := _first(letters, word.text)):
            found.append(Word(word.text[at + 1 :], word.literal) if word.text[at + 1 :] else following)
    return found


def _first(letters: set[str], text: str) -> int:
    return next((at for at, letter in enumerate(text) if letter in letters), 0)


def _paths(words: Sequence[Word]) -> tuple[str, ...]:
    return tuple(path for word in words if (path := word.path) is not None and path not in HARMLESS and path != "-")


def _after(sign: str, words: Sequence[Word]) -> tuple[str, ...]:
    return _paths(
        [Word(word.text.removeprefix(sign), True) for word in words if word.literal and word.text.startswith(sign)]
    )
