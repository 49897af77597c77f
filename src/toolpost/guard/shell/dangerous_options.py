"""Detect options and scripts by which well-known programs run other programs or write files.

Options may be cut short (`--upload-pa`), stand together (`-nO`) or come from a variable. Where that is possible and
would matter, the command counts as not understood.
"""

import re
from collections.abc import Sequence

from toolpost.guard.word_sets import names

from .prefix import bare, program
from .words import Word

# Options that name a program to run, or a file that does. A word without a dash is meant as it stands.
RUNNING_OPTIONS = {
    "bsdtar": names("--use-compress-program"),
    "cargo": names("--config"),
    "cmake": names("-E -P"),
    "cpio": names("--rsh-command"),
    "curl": names("-K --config"),
    "fd": names("-x --exec -X --exec-batch"),
    "fdfind": names("-x --exec -X --exec-batch"),
    "gmake": names("-E --eval"),
    "go": names("-exec -toolexec -vettool"),
    "ip": names("exec -b -batch"),
    "make": names("-E --eval"),
    "man": names("-C -H -P --config-file --html --pager"),
    "mapfile": names("-C"),
    "npm": names("--script-shell"),
    "pnpm": names("--script-shell"),
    "readarray": names("-C"),
    "rg": names("--pre --hostname-bin"),
    "rpm": names("-D -E --define --eval --pipe"),
    "rsync": names("-e --rsh --rsync-path"),
    "scp": names("-D -F -S -o"),
    "sftp": names("-D -F -S -b -o"),
    "sort": names("--compress-program"),
    "split": names("--filter"),
    "ssh": names("-F -o"),
    "tar": names(
        "-F -I --checkpoint-action --info-script --new-volume-script --rsh-command --to-command --use-compress-program"
    ),
    "tcpdump": names("-z"),
    "wget": names("-e --config --execute --use-askpass"),
    "zip": names("-TT --unzip-command"),
}
GIT_OPTIONS = names("""
    --config-env --exec --exec-path --extcmd --open-files-in-pager --receive-pack --remote-exec --upload-pack
""")
# Short ones mean something else for each subcommand.
GIT_LETTERS = {"clone": "cu", "difftool": "x", "grep": "O", "rebase": "x"}
GIT_RUNNING = names("""
    credential daemon difftool filter-branch for-each-repo hook instaweb mergetool remote-ext remote-fd send-email
    shell web--browse
""")
GIT_RUNNING_PAIRS = frozenset({("bisect", "run"), ("submodule", "foreach")})
# None of their options runs or writes anything else, so that a variable among their words does no harm.
GIT_PLAIN = names("""
    add branch checkout cherry-pick commit config describe init ls-files merge mv remote reset restore rev-parse
    revert rm stash status switch tag worktree
""")
# What `git -c` may set without naming a program.
GIT_SETTINGS = ("advice.", "color.", "commit.gpgsign=", "core.autocrlf=", "core.quotepath=", "init.", "safe.", "user.")

MAKES = frozenset({"make", "gmake"})
MAKE_SETTINGS = frozenset({"SHELL", ".SHELLFLAGS", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES"})
SEDS = frozenset({"sed", "gsed"})
AWKS = frozenset({"awk", "gawk", "mawk", "nawk", "original-awk"})

_ADDRESS = r"(?:\d+(?:~\d+)?|\$|/(?:\\.|[^\\/\n])*/I?)"
_SUBSTITUTE = r"s(?P<sign>[/|\#,:@%!])(?:(?:\\.|(?!(?P=sign))[^\\\n])*(?P=sign)){2}[gpiIM\d]*"
_SED_COMMAND = re.compile(
    rf"\s*(?:{_ADDRESS}(?:\s*,\s*[+~]?{_ADDRESS})?\s*!?\s*)?"
    rf"(?:\{{|(?:[pdqQDPnNgGhHxz=l]|{_SUBSTITUTE})?\s*\}}*\s*(?:;|\n|\Z)|[aic]\\?[^\\\n;}}]*(?:\n|\Z))"
)
_SED_OPTIONS = ("--quiet", "--silent", "--posix", "--debug", "--null-data", "--regexp-extended")
_AWK_RUNS = re.compile(r"system|getline|[|>@]")


def running(words: Sequence[Word]) -> str:
    """Why it can't be known what else a command runs, or nothing."""
    name = program(words)
    if name == "git":
        return _git(words)
    if name in SEDS:
        return _sed(words)
    if name in AWKS:
        return _awk(words)
    if name in MAKES and (given := next((word.text for word in words[1:] if _is_expanded(word)), "")):
        return f"{name} {given} may run another program"
    options = RUNNING_OPTIONS.get(name)
    if options is None:
        return ""
    if option := next((word.text for word in words[1:] if _is_one_of(options, word)), ""):
        return f"{name} {option} runs another program"
    # The first word of `tar` are options, with or without a dash.
    if name == "tar" and any(
        not word.literal or ("/" not in word.text and set(word.text) & {"F", "I"}) for word in words[1:2]
    ):
        return f"tar {words[1].text} runs another program"
    return f"the options of {name} are only known when it runs" if any(map(may_be_option, words[1:])) else ""


def may_be_option(word: Word) -> bool:
    """A name that a pattern finds, or a variable holds, may begin with a dash and so be an option. A variable that is
    split into words may hold one anywhere."""
    return word.splits or (not word.literal and not word.at_home and word.text.lstrip("\"'")[:1] in tuple("-*?[{$`\\"))


def _is_one_of(options: frozenset[str], word: Word) -> bool:
    stem = word.text.partition("=")[0]
    if stem.startswith("--"):
        # Most programs take the beginning of an option for the whole.
        return len(stem) > 2 and any(option.startswith(stem) for option in options)
    if stem in options:
        return True
    letters = {option[1] for option in options if len(option) == 2}
    return word.text[:1] == "-" and bool(letters & set(word.text[1:]))


def _is_expanded(word: Word) -> bool:
    """True for a variable of `make` that is a program, or holds text that make itself runs."""
    name, equals, value = word.text.partition("=")
    if word.splits:
        return True
    if not equals or name.startswith("-"):
        return False
    return not word.literal or "$" in value or name.rstrip(":+?!") in MAKE_SETTINGS


def _git(words: Sequence[Word]) -> str:
    plain = bare(words)
    subcommand = plain[1].text if len(plain) > 1 else ""
    end = next((at for at, word in enumerate(words) if word.text == "--"), len(words))
    texts = [word.text for word in plain]
    if subcommand in GIT_RUNNING or any(set(pair) <= set(texts[1:4]) for pair in GIT_RUNNING_PAIRS):
        return f"git {subcommand} runs another program"
    start = next((at for at, word in enumerate(words) if at and word.text == subcommand), len(words))
    for index, word in enumerate(words[:end]):
        if index < start and word.text == "-c" and not _is_harmless_setting(words[index + 1 : index + 2]):
            return f"git -c {' '.join(word.text for word in words[index + 1 : index + 2])} may run another program"
        letters = set(GIT_LETTERS.get(subcommand, "")) if index > start and word.text[:2] != "--" else set[str]()
        config = subcommand == "clone" and len(word.text) > 2 and "--config".startswith(word.text.partition("=")[0])
        if config or _is_one_of(GIT_OPTIONS, word) or (word.text[:1] == "-" and letters & set(word.text[1:])):
            return f"git {subcommand} {word.text} runs another program"
        if subcommand not in GIT_PLAIN and index and may_be_option(word):
            return f"the options of git {subcommand} are only known when it runs"
    return ""


def _is_harmless_setting(words: Sequence[Word]) -> bool:
    return all(word.literal and word.text.lower().startswith(GIT_SETTINGS) for word in words)


def _sed(words: Sequence[Word]) -> str:
    scripts: list[Word] = []
    named: list[Word] = []
    rest = iter(words[1:])
    for word in rest:
        text = word.text
        if may_be_option(word):
            return "the script of sed is only known when it runs"
        if text.startswith(("-i", "--in-place")) or text in _SED_OPTIONS:
            continue
        if found := re.fullmatch(r"(?:-[nErsuz]*e|--expression=)(.*)", text, re.DOTALL):
            scripts.append(Word(found[1], word.literal) if found[1] else next(rest, Word("", False)))
        elif re.match(r"-[^nErsuz]|--|-.+[^nErsuz]", text):
            return f"sed {text} is not understood"
        elif text[:1] != "-" or text == "-":
            named.append(word)
    for script in scripts or named[:1]:
        if not script.literal or not _is_plain_sed(script.text):
            return "its script for sed may run a program or write a file"
    return ""


def _is_plain_sed(script: str) -> bool:
    at = 0
    while at < len(script):
        found = _SED_COMMAND.match(script, at)
        if found is None or found.end() == at:
            return False
        at = found.end()
    return True


def _awk(words: Sequence[Word]) -> str:
    rest = iter(words[1:])
    for word in rest:
        if word.text in ("-F", "-v"):
            if next(rest, word).several:
                return "the options of awk are only known when it runs"
        elif word.literal and re.match(r"-[Fv].", word.text):
            continue
        elif word.text.startswith("-") and word.text != "--":
            return f"awk {word.text} is not understood"
        elif word.text != "--":
            is_plain = word.literal and not _AWK_RUNS.search(word.text)
            return "" if is_plain else "its program for awk may run another one or write a file"
    return ""
