"""Find the harmless beginning of a command, which an "always" may allow for good.

A beginning such as `git diff *` covers every option that will ever be written behind it. So a program stands here only
if all its options are known to run no other program, write no file and read no script, or with the options that are
known so. Everything else, `make`, `npm`, `pytest`, `curl`, compilers and shells alike, is allowed as the exact line.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from toolpost.guard.word_sets import names

from .dangerous_options import may_be_option
from .words import Word

# None of their options does anything else than they do without. What they read is asked for where it is a secret.
ANY_OPTION = names("""
    basename cat cmp column comm cut df dirname du echo egrep false fgrep fold grep groups head id jq ls md5sum
    nl nproc od paste printenv pwd readlink realpath rev seq sha1sum sha256sum sha512sum sleep stat tac tail tr true
    uname wc which whoami
""")
# They run a command that is asked for by itself, and an option of theirs that is not known makes a line opaque.
WRAPPERS = names("command nice nohup stdbuf time timeout")


# What git prints of a signature, it asks another program for.
_SIGNATURE = re.compile(r"%[-+ ]?G")
# What is expanded to any text, braces that make words, and patterns that find the folder above.
_ANY_PATH = re.compile(r"[$`]|\{.*(?:,|\.\.)|(?:^|/)\.[*?\[]", re.DOTALL)


class HarmlessOptions(Struct, frozen=True):
    """Options that are harmless: letters, which may stand together and have a number behind them, and whole words."""

    letters: str = ""
    words: frozenset[str] = frozenset()

    def have(self, option: str) -> bool:
        stem, _, value = option.partition("=")
        if stem in self.words:
            return stem not in ("--format", "--pretty") or not _SIGNATURE.search(value)
        return not option.startswith("--") and not set(option[1:]) - set(self.letters + "0123456789")


# Not among them: --output, --ext-diff, --textconv, --no-index, -O, --show-signature.
_OF_DIFFS = names("""
    --abbrev --abbrev-commit --after --all --author --before --branches --cached --check --color --committer
    --compact-summary --date --decorate --diff-algorithm --diff-filter --dirstat --exit-code --find-copies
    --find-renames --first-parent --follow --format --full-index --graph --grep --histogram --ignore-all-space
    --ignore-blank-lines --ignore-space-at-eol --ignore-space-change --left-right --max-count --merge-base --merges
    --minimal --name-only --name-status --no-color --no-decorate --no-ext-diff --no-merges --no-patch --no-renames
    --no-textconv --numstat --oneline --patch --patch-with-stat --patience --pickaxe-all --pretty --quiet --raw
    --relative --remotes --reverse --shortstat --since --skip --staged --stat --summary --tags --unified --until
    --word-diff
""")
_DIFF = HarmlessOptions("abcistuwpqrzCDEFGMRSU", _OF_DIFFS)
OPTIONS: dict[tuple[str, ...], HarmlessOptions] = {
    ("git", "add"): HarmlessOptions("Anuv", names("--all --dry-run --update --verbose")),
    ("git", "blame"): HarmlessOptions("CLMelstw", names("--date --line-porcelain --porcelain --root")),
    ("git", "describe"): HarmlessOptions(
        words=names("--abbrev --all --always --dirty --exact-match --long --match --tags")
    ),
    ("git", "diff"): _DIFF,
    ("git", "grep"): HarmlessOptions(
        "ABCEFGHILPWceilnovwz", names("--cached --color --count --heading --line-number --untracked")
    ),
    ("git", "log"): HarmlessOptions(_DIFF.letters + "n", _OF_DIFFS),
    ("git", "ls-files"): HarmlessOptions(
        "cdkmostuvz", names("--cached --deleted --exclude-standard --modified --others --stage")
    ),
    ("git", "rev-parse"): HarmlessOptions(
        words=names("--abbrev-ref --git-dir --is-inside-work-tree --short --show-prefix --show-toplevel --symbolic")
    ),
    ("git", "shortlog"): HarmlessOptions("ens", names("--email --numbered --summary")),
    ("git", "show"): _DIFF,
    ("git", "status"): HarmlessOptions(
        "bsuvz", names("--branch --ignored --long --porcelain --short --show-stash --untracked-files --verbose")
    ),
    ("diff",): HarmlessOptions("BNUabciqrstuwy", names("--brief --color --recursive --side-by-side --unified")),
    ("find",): HarmlessOptions(
        words=names("""
        -H -L -P -a -and -atime -cmin -ctime -daystart -depth -empty -executable -group -ilname -iname -inum -ipath
        -iregex -iwholename -links -lname -ls -maxdepth -mindepth -mmin -mount -mtime -name -newer -nogroup -not -nouser
        -o -or -path -perm -print -print0 -prune -quit -readable -regex -regextype -samefile -size -type -user
        -wholename -writable -xdev
        """)
    ),
    ("rg",): HarmlessOptions(
        "ABCFHILNPSTUceghilmnoqstuvwx",
        names("""
        --after-context --before-context --color --context --count --count-matches --files --files-with-matches
        --files-without-match --fixed-strings --glob --heading --hidden --iglob --ignore-case --invert-match --json
        --line-number --max-columns --max-count --max-depth --multiline --no-filename --no-heading --no-ignore
        --no-line-number --null --only-matching --regexp --smart-case --sort --stats --trim --type --type-not --vimgrep
        --with-filename --word-regexp
        """),
    ),
    ("sort",): HarmlessOptions(
        "MRVbcdfghiknrstuz,.:",
        names("--field-separator --human-numeric-sort --key --numeric-sort --reverse --unique --version-sort"),
    ),
    ("tree",): HarmlessOptions("CDFILNPadfghprstu", names("--dirsfirst --gitignore --noreport --prune")),
}


def harmless_beginning(words: Sequence[Word]) -> int:
    """Count the words of a command that may be allowed for good whatever follows; 0 where only the whole may be."""
    # A program that is named by a path may be any file of the project.
    if not all(word.literal for word in words[:1]) or not words:
        return 0
    name = words[0].text
    if name in ANY_OPTION or name in WRAPPERS:
        return 1
    key = (name,) if (name,) in OPTIONS else tuple(word.text for word in words[:2] if word.literal)
    known, rest = OPTIONS.get(key), words[len(key) :]
    if known is None or (name == "git" and any(map(_leads_out, rest))):
        return 0
    return len(key) if _are_harmless(rest, known) else 0


def _leads_out(word: Word) -> bool:
    """True for what may be a path outside the folder: git compares and shows such files, though they are not its
    own."""
    is_open = not word.literal and _ANY_PATH.search(word.text)
    return bool(is_open) or word.text.startswith(("/", "~", "..")) or "../" in word.text


def _are_harmless(words: Sequence[Word], known: HarmlessOptions) -> bool:
    for word in words:
        if word.literal and word.text == "--":
            return True
        if may_be_option(word) or (word.text.startswith("-") and word.text != "-" and not known.have(word.text)):
            return False
    return True
