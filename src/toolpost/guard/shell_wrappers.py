"""Commands that run other commands: what is inside `sudo`, `env`, `xargs`, `sh -c`, `find -exec` and their like."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from .shell_prefix import is_whole, program
from .shell_words import ACTED_ON, Word
from .tables import names


class Inside(Struct, frozen=True):
    """What a command runs: commands as words, scripts as text. `problem` says why it can't be known."""

    commands: tuple[Sequence[Word], ...] = ()
    scripts: tuple[str, ...] = ()
    problem: str = ""


class Wrapper(Struct, frozen=True):
    """How the words of a wrapper are read. Short options are letters; a long one stands with its dashes.

    `positionals`: words between the options and the command. `alone`: options with which nothing is run.
    """

    flags: str = ""
    valued: str = ""
    long_flags: tuple[str, ...] = ()
    long_valued: tuple[str, ...] = ()
    positionals: int = 0
    assignments: bool = False
    alone: str = ""


WRAPPERS = {
    "builtin": Wrapper(),
    "busybox": Wrapper(),
    "command": Wrapper(flags="p", alone="vV"),
    "coproc": Wrapper(),
    "doas": Wrapper(flags="nL", valued="uC"),
    "env": Wrapper(
        flags="i0v",
        valued="uC",
        long_flags=("--ignore-environment", "--null", "--debug"),
        long_valued=("--unset", "--chdir"),
        assignments=True,
    ),
    "exec": Wrapper(flags="cl", valued="a"),
    "ionice": Wrapper(flags="t", valued="cn"),
    "nice": Wrapper(valued="n", long_valued=("--adjustment",)),
    "nohup": Wrapper(),
    "setsid": Wrapper(flags="cfw", long_flags=("--ctty", "--fork", "--wait")),
    "stdbuf": Wrapper(valued="ioe", long_valued=("--input", "--output", "--error")),
    "sudo": Wrapper(
        flags="AbBEHnPSkK",
        valued="ughpCrtTUDR",
        long_flags=("--non-interactive", "--preserve-env", "--set-home", "--stdin", "--background", "--askpass"),
        long_valued=("--user", "--group", "--host", "--prompt", "--chdir", "--command-timeout"),
        assignments=True,
        alone="lvVe",
    ),
    "time": Wrapper(flags="p"),
    "timeout": Wrapper(
        flags="v",
        valued="ks",
        long_flags=("--preserve-status", "--foreground", "--verbose"),
        long_valued=("--signal", "--kill-after"),
        positionals=1,
    ),
    "toybox": Wrapper(),
    "unbuffer": Wrapper(flags="p"),
    "xargs": Wrapper(
        flags="0rtxo",
        valued="adEILnPs",
        long_flags=("--null", "--no-run-if-empty", "--verbose", "--exit", "--open-tty"),
        long_valued=("--arg-file", "--delimiter", "--max-args", "--max-procs", "--max-chars", "--max-lines"),
    ),
}
SHELLS = frozenset({"ash", "bash", "dash", "ksh", "mksh", "sh", "zsh"})
SHELL_OPTIONS = Wrapper(
    flags="eufxvnlabhkmpBCEHPT", valued="oO", long_flags=("--login", "--norc", "--noprofile", "--posix")
)

INTERPRETERS = names("""
    bpython ghci groovy ipython irb julia lua luajit node nodejs octave osascript perl php powershell pwsh pypy pypy3
    python python2 python3 Rscript ruby scala tclsh ts-node tsx
""")

# They run what their arguments, their input or the shell's own tables say, in ways that are not followed here.
UNFOLLOWED = names("""
    alias at batch bind bwrap capsh cgexec chroot chrt choom complete compgen dbus-run-session enable entr eval
    fakechroot fakeroot fc firejail flock hash let ltrace nsenter numactl parallel prlimit proot run-parts runcon
    runuser screen script setarch setpriv sg ssh-agent start-stop-daemon strace su systemd-run taskset tmux
    unshare watch xvfb-run
""")
# Options that name a program to run.
RUNNING_OPTIONS = {
    "fd": names("-x --exec -X --exec-batch"),
    "fdfind": names("-x --exec -X --exec-batch"),
    "git": names(
        "--exec --exec-path --upload-pack --receive-pack --config-env --extcmd --open-files-in-pager --remote-exec"
    ),
    "mapfile": names("-C"),
    "readarray": names("-C"),
    "rg": names("--pre --hostname-bin"),
    "rsync": names("-e --rsh --rsync-path"),
    "sort": names("--compress-program"),
    "split": names("--filter"),
    "ssh": names("-o -F"),
    "tar": names(
        "-F -I --checkpoint-action --info-script --new-volume-script --rsh-command --to-command --use-compress-program"
    ),
}
RUNNING_SUBCOMMANDS = {
    "git": (("bisect", "run"), ("submodule", "foreach"), ("filter-branch",), ("rebase", "-x"), ("difftool", "-x")),
}
# What `git -c` may set without naming a program.
GIT_SETTINGS = ("advice.", "color.", "commit.gpgsign=", "core.autocrlf=", "core.quotepath=", "init.", "safe.", "user.")


def inside(words: Sequence[Word]) -> Inside:
    """What a command runs besides itself."""
    name = program(words)
    if name in UNFOLLOWED:
        return Inside(problem=f"{name} runs what can't be followed")
    if option := next((word.text for word in words[1:] if _names_program(name, word)), ""):
        return Inside(problem=f"{name} {option} runs another program")
    if name in (RUNNING_OPTIONS.keys() | {"find"}) - {"git"} and any(map(_may_be_option, words[1:])):
        return Inside(problem=f"the options of {name} are only known when it runs")
    if name in SHELLS:
        return _shell(words)
    if name in INTERPRETERS and not _has_program(words):
        return Inside(problem=f"{name} runs what it is given as input")
    if name == "find":
        return _find(words)
    if name == "trap":
        return _trap(words)
    if name == "git":
        return _git(words)
    wrapper = WRAPPERS.get(name)
    return _wrapped(words, wrapper) if wrapper is not None else Inside()


def _has_program(words: Sequence[Word]) -> bool:
    """True if an interpreter is told what to run, or only asked about itself."""
    given = [word for word in words[1:] if not (word.literal and word.text.startswith("-"))]
    return bool(given) or any(word.text in ("--version", "-V", "--help", "-h") for word in words[1:])


def _wrapped(words: Sequence[Word], wrapper: Wrapper) -> Inside:
    name = program(words)
    try:
        start, options = _options(words, wrapper)
    except _NotUnderstood as failure:
        return Inside(problem=f"{name} {failure} is not understood")
    if any(option in wrapper.alone for option, _ in options):
        return Inside()
    if wrapper.assignments:
        while start < len(words) and words[start].literal and "=" in words[start].text:
            if ACTED_ON.match(words[start].text):
                return Inside(problem=f"{name} sets {words[start].text.partition('=')[0]}, which a shell acts on")
            start += 1
    command = list(words[start + wrapper.positionals :])
    if not command:
        return Inside(problem=f"{name} is given its command later") if name in ("busybox", "toybox") else Inside()
    if not all(word.literal for word in words[: start + wrapper.positionals]):
        return Inside(problem=f"the arguments of {name} are only known when it runs")
    return _given_by_xargs(command, options) if name == "xargs" else Inside((command,))


def _given_by_xargs(command: list[Word], options: Sequence[tuple[str, str]]) -> Inside:
    replaced = next((value for option, value in options if option == "I"), "")
    if replaced:
        return Inside((_replaced(command, replaced),))
    if program(command) in SHELLS | WRAPPERS.keys() or not is_whole(command):
        # `xargs sh -c '…'` has its script; `xargs env` and `xargs git` get what they do from their input.
        if program(command) in SHELLS and _shell(command).scripts:
            return Inside((command,))
        return Inside(problem=f"xargs decides what {program(command)} does")
    return Inside((command,))


def _replaced(command: Sequence[Word], mark: str) -> list[Word]:
    """Words that hold the mark are another text each time."""
    return [Word(word.text, False) if mark in word.text else word for word in command]


def _shell(words: Sequence[Word]) -> Inside:
    name = program(words)
    has_script = False
    index = 1
    while index < len(words) and words[index].literal and words[index].text[:1] in ("-", "+"):
        text = words[index].text
        if text == "--":
            index += 1
            break
        if text.startswith("--"):
            if text not in SHELL_OPTIONS.long_flags:
                return Inside(problem=f"{name} {text} is not understood")
        elif set(text[1:]) - set(SHELL_OPTIONS.flags + SHELL_OPTIONS.valued + "c") or len(text) == 1:
            return Inside(problem=f"{name} {text} is not understood")
        else:
            has_script |= "c" in text and text[0] == "-"
            index += sum(letter in SHELL_OPTIONS.valued for letter in text[1:])
        index += 1
    if index >= len(words):
        return Inside(problem=f"{name} runs what it is given as input")
    if not words[index].literal:
        return Inside(problem=f"what {name} runs is only known when it runs")
    return Inside(scripts=(words[index].text,)) if has_script else Inside()


def _find(words: Sequence[Word]) -> Inside:
    commands: list[Sequence[Word]] = []
    deletes = False
    for index, word in enumerate(words):
        if word.text == "-delete":
            deletes = True
        elif word.text in ("-exec", "-execdir", "-ok", "-okdir"):
            end = next((at for at in range(index + 1, len(words)) if words[at].text in (";", "+")), len(words))
            if end > index + 1:
                commands.append(_replaced(words[index + 1 : end], "{}"))
    if deletes:
        paths = [word for word in words[1:] if not word.text.startswith(("-", "(", "!"))][:1]
        commands.append([Word("rm", True), Word("-r", True), *(paths or [Word(".", True)])])
    return Inside(tuple(commands))


def _trap(words: Sequence[Word]) -> Inside:
    given = [word for word in words[1:] if not word.text.startswith("-")]
    if len(given) < 2 or len(given) < len(words) - 1:
        return Inside() if all(word.literal for word in words) else Inside(problem="what trap runs is only known later")
    if not given[0].literal:
        return Inside(problem="what trap runs is only known when it runs")
    return Inside(scripts=(given[0].text,)) if given[0].text else Inside()


def _git(words: Sequence[Word]) -> Inside:
    for index, word in enumerate(words[:-1]):
        setting = words[index + 1]
        if word.text == "-c" and not (setting.literal and setting.text.lower().startswith(GIT_SETTINGS)):
            return Inside(problem=f"git -c {setting.text} may run another program")
    texts = [word.text for word in words]
    for running in RUNNING_SUBCOMMANDS["git"]:
        if all(part in texts for part in running):
            return Inside(problem=f"git {' '.join(running)} runs another program")
    return Inside()


def _names_program(name: str, word: Word) -> bool:
    for option in RUNNING_OPTIONS.get(name, ()):
        if word.text == option or word.text.startswith(f"{option}="):
            return True
        # A short one may have its value right behind it, or stand behind others.
        if len(option) == 2 and word.text[:1] == "-" and word.text[:2] != "--" and option[1] in word.text[1:]:
            return True
    return False


def _may_be_option(word: Word) -> bool:
    """A name that a pattern finds, or a variable holds, may begin with a dash and so be an option."""
    return not word.literal and word.text[:1] in '*?[{$"`\\'


class _NotUnderstood(Exception):
    pass


def _options(words: Sequence[Word], wrapper: Wrapper) -> tuple[int, list[tuple[str, str]]]:
    """Where the options of a wrapper end, and what they were. Raises for one that is not known."""
    found: list[tuple[str, str]] = []
    rest = enumerate(words)
    next(rest)
    for index, word in rest:
        text = word.text
        if not word.literal or not text.startswith("-"):
            return index, found
        if text == "--":
            return index + 1, found
        if text.startswith("--"):
            _long(text, wrapper, rest)
        elif text == "-" or (program(words) == "nice" and text[1:].isdigit()):
            continue
        else:
            found += _short(text, wrapper, rest)
    return len(words), found


def _long(text: str, wrapper: Wrapper, rest: Iterator[tuple[int, Word]]) -> None:
    name, equals, _ = text.partition("=")
    if name in wrapper.long_valued:
        if not equals:
            next(rest, None)
    elif name not in wrapper.long_flags:
        raise _NotUnderstood(text)


def _short(text: str, wrapper: Wrapper, rest: Iterator[tuple[int, Word]]) -> Iterator[tuple[str, str]]:
    for at, letter in enumerate(text[1:], 2):
        if letter in wrapper.valued:
            value = text[at:] or next(rest, (0, Word("", True)))[1].text
            yield letter, value
            return
        if letter not in wrapper.flags + wrapper.alone:
            raise _NotUnderstood(text)
        yield letter, ""
