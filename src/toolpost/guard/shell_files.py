"""Which words of a command are files that it reads or writes, for the commands that everybody uses."""

from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

from .shell_prefix import program
from .shell_words import Word
from .tables import names

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
SILENT_WRITERS = frozenset({"curl", "find", "sed", "sort", "tee", "wget"})
OUTPUT_OPTIONS = {
    "find": ("-fprint", "-fprint0", "-fls", "-fprintf"),
    "curl": ("-o", "--output"),
    "wget": ("-O", "--output-document"),
    "sort": ("-o", "--output"),
}
HARMLESS = frozenset({"/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty", "/dev/zero"})


class Files(Struct, frozen=True):
    """Paths as written, where they are literal."""

    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


def files_of(words: Sequence[Word]) -> Files:
    """The files that a command names."""
    name = program(words)
    named = [word for word in words[1:] if not word.text.startswith("-") or word.text == "-"]
    if name in FIRST_IS_NO_FILE:
        named = named[1:]
    given = _paths(named)
    if name in COPIERS:
        target = _behind(("-t", "--target-directory"), words) or named[-1:]
        return Files(_paths([word for word in named if word not in target]), _paths(target))
    if name == "mv" or name in WRITERS:
        return Files(writes=given)
    if name == "dd":
        return Files(_after("if=", words), _after("of=", words))
    if name == "sed" and any(word.text.startswith(("-i", "--in-place")) for word in words):
        return Files(given, given)
    if name in OUTPUT_OPTIONS:
        outputs = _paths(_behind(OUTPUT_OPTIONS[name], words))
        return Files(tuple(path for path in given if path not in outputs) if name in READERS else (), outputs)
    return Files(given) if name in READERS or name in SEARCHERS else Files()


def _behind(options: Sequence[str], words: Sequence[Word]) -> list[Word]:
    return [word for option, word in pairwise(words) if option.text in options]


def _paths(words: Sequence[Word]) -> tuple[str, ...]:
    return tuple(path for word in words if (path := word.path) is not None and path not in HARMLESS and path != "-")


def _after(sign: str, words: Sequence[Word]) -> tuple[str, ...]:
    return _paths(
        [Word(word.text.removeprefix(sign), True) for word in words if word.literal and word.text.startswith(sign)]
    )
