"""Find the commands inside commands: `sudo`, `env`, `xargs`, `sh -c`, `find -exec` and the like."""

import re
from collections.abc import Iterator, Sequence

from msgspec import Struct

from toolpost.guard.word_sets import names

from .always_allow_prefix import ANY_OPTION
from .dangerous_options import may_be_option, running
from .prefix import is_among, program
from .words import ACTED_ON, Word, unknown


class InnerCommands(Struct, frozen=True):
    """The commands that a command runs, as words, and scripts, as text. `problem` says why it can't be known.
    `open_ended`: the commands get more words when they run."""

    commands: tuple[Sequence[Word], ...] = ()
    scripts: tuple[str, ...] = ()
    problem: str = ""
    open_ended: bool = False


class Wrapper(Struct, frozen=True):
    """How to parse the words of a wrapper. Short options are letters; a long one stands with its dashes.

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
        valued="u",
        long_flags=("--ignore-environment", "--null", "--debug"),
        long_valued=("--unset",),
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
        valued="ughpCrtTU",
        long_flags=("--non-interactive", "--preserve-env", "--set-home", "--stdin", "--background", "--askpass"),
        long_valued=("--user", "--group", "--host", "--prompt", "--command-timeout"),
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
SHELLS = frozenset({"ash", "bash", "dash", "sh"})
SHELL_OPTIONS = Wrapper(flags="eufxvnlabhmpBCEPT", valued="oO", long_flags=("--login", "--norc", "--noprofile"))
# Not among them: what makes a shell read the same text in another way.
SHELL_SETTINGS = names("""
    allexport braceexpand errexit errtrace functrace ignoreeof monitor noclobber noexec noglob nounset notify physical
    pipefail verbose xtrace
    dotglob extglob failglob globstar inherit_errexit lastpipe nocaseglob nocasematch nullglob
""")
# Bash reads these in its own way: elsewhere they are commands, redirections, or text that ends sooner.
_ONLY_BASH = re.compile(r"\[\[|(?<!\$)\(\(|\$'")

INTERPRETERS = names("""
    bpython ghci groovy ipython irb julia lua luajit node nodejs octave osascript perl php powershell pwsh pypy pypy3
    python python2 python3 Rscript ruby scala tclsh ts-node tsx
""")

# They run what their arguments, their input or the shell's own tables say, in ways that are not followed here.
UNFOLLOWED = names("""
    abduco alias at batch bind bwrap capsh catchsegv cgexec choom chpst chronic chroot chrt compgen complete cpulimit
    csh daemonize dbus-launch dbus-run-session direnv dtach dumb-init eatmydata elvish enable entr envdir eval
    fakechroot faketime fakeroot fc firejail fish flock gdbserver gosu hash hyperfine i386 ifne ksh let linux32 linux64
    ltrace mksh nodemon nsenter nsjail nu numactl parallel perf pkexec prlimit proot proxychains proxychains4 rbash
    reptyr rlwrap rr run-parts runcon runuser screen script setarch setpriv setuidgid sg softlimit ssh-agent
    start-stop-daemon strace su su-exec sudoedit systemd-run taskset tcsh tini tmux torify torsocks tsocks uname26
    unshare valgrind watch watchexec x86_64 xonsh xvfb-run yash zsh
""")


def inner_commands(words: Sequence[Word]) -> InnerCommands:
    """Find the commands that a command runs besides itself."""
    name = program(words)
    if name in UNFOLLOWED:
        return InnerCommands(problem=f"{name} runs what can't be followed")
    if name.startswith(("ld-linux", "ld-musl")):
        return InnerCommands(problem=f"{name} runs what it is given")
    if problem := running(words):
        return InnerCommands(problem=problem)
    if name in SHELLS:
        return _shell(words)
    if is_among(name, INTERPRETERS) and not _has_program(words):
        return InnerCommands(problem=f"{name} runs what it is given as input")
    if name == "find":
        return _find(words)
    if name == "trap":
        return _trap(words)
    if name in ("set", "shopt"):
        return _settings(words)
    if name in (".", "source"):
        return _sourced(words)
    wrapper = WRAPPERS.get(name)
    return _wrapped(words, wrapper) if wrapper is not None else InnerCommands()


def _has_program(words: Sequence[Word]) -> bool:
    """True if an interpreter is told what to run, or only asked about itself."""
    given = [word for word in words[1:] if not (word.literal and word.text.startswith("-"))]
    return bool(given) or any(word.text in ("--version", "-V", "--help", "-h") for word in words[1:])


def _wrapped(words: Sequence[Word], wrapper: Wrapper) -> InnerCommands:
    name = program(words)
    try:
        start, options = _options(words, wrapper)
    except _NotUnderstood as failure:
        return InnerCommands(problem=f"{name} {failure} is not understood")
    if any(option in wrapper.alone for option, _ in options):
        return InnerCommands()
    if wrapper.assignments:
        while start < len(words) and words[start].literal and "=" in words[start].text:
            if ACTED_ON.match(words[start].text):
                return InnerCommands(
                    problem=f"{name} sets {words[start].text.partition('=')[0]}, which a shell acts on"
                )
            start += 1
    command = list(words[start + wrapper.positionals :])
    if not command:
        return (
            InnerCommands(problem=f"{name} is given its command later")
            if name in ("busybox", "toybox")
            else InnerCommands()
        )
    if not all(word.literal for word in words[: start + wrapper.positionals]):
        return InnerCommands(problem=f"the arguments of {name} are only known when it runs")
    return _given_by_xargs(command, options) if name == "xargs" else InnerCommands((command,))


def _given_by_xargs(command: list[Word], options: Sequence[tuple[str, str]]) -> InnerCommands:
    """What comes as input is not in the line. So only a program that no word makes do anything else is understood."""
    mark = next((value for option, value in options if option == "I"), "")
    given = _replaced(command, mark) if mark else command
    is_known = given[0].literal and given[0].text in ANY_OPTION
    return InnerCommands(
        (given,), problem="" if is_known else f"xargs decides what {program(given)} does", open_ended=True
    )


def _replaced(command: Sequence[Word], mark: str) -> list[Word]:
    """Words that hold the mark are another text each time, and any text if they begin with it."""
    return [_with_mark(word, mark) if mark in word.text else word for word in command]


def _with_mark(word: Word, mark: str) -> Word:
    return unknown(word.text) if word.splits or word.text.startswith(mark) else Word(word.text, False)


def _shell(words: Sequence[Word]) -> InnerCommands:
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
                return InnerCommands(problem=f"{name} {text} is not understood")
        elif set(text[1:]) - set(SHELL_OPTIONS.flags + SHELL_OPTIONS.valued + "c") or len(text) == 1:
            return InnerCommands(problem=f"{name} {text} is not understood")
        else:
            has_script |= "c" in text and text[0] == "-"
            valued = sum(letter in SHELL_OPTIONS.valued for letter in text[1:])
            if any(word.text not in SHELL_SETTINGS for word in words[index + 1 : index + 1 + valued]):
                return InnerCommands(problem=f"{name} {text} is not understood")
            index += valued
        index += 1
    if index >= len(words):
        return InnerCommands(problem=f"{name} runs what it is given as input")
    if not words[index].literal:
        return InnerCommands(problem=f"what {name} runs is only known when it runs")
    if not has_script:
        return InnerCommands()
    script = words[index].text
    differs = name != "bash" and _ONLY_BASH.search(script)
    return InnerCommands(scripts=(script,), problem=f"{name} reads it in another way than bash" if differs else "")


def _find(words: Sequence[Word]) -> InnerCommands:
    if any(map(may_be_option, words[1:])):
        return InnerCommands(problem="the options of find are only known when it runs")
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
    return InnerCommands(tuple(commands))


def _trap(words: Sequence[Word]) -> InnerCommands:
    if not all(word.literal for word in words):
        return InnerCommands(problem="what trap runs is only known when it runs")
    given = [word.text for word in words[1:]]
    if given[:1] == ["--"]:
        given = given[1:]
    if len(given) < 2 or given[0] in ("", "-", "-p", "-l"):
        return InnerCommands()
    return InnerCommands(scripts=(given[0],))


def _settings(words: Sequence[Word]) -> InnerCommands:
    """`set` and `shopt`, where they change nothing about how a script is read."""
    name = program(words)
    for word in words[1:]:
        text = word.text
        if name == "set" and text in ("-", "--"):
            break
        known = text in SHELL_SETTINGS or (text[:1] in ("-", "+") and not set(text[1:]) - set("euxvfmbhCETaPo"))
        if may_be_option(word) or not (known or (name == "shopt" and text in ("-s", "-u", "-q", "-p"))):
            return InnerCommands(problem=f"{name} {text} may change how the rest is read")
    return InnerCommands()


def _sourced(words: Sequence[Word]) -> InnerCommands:
    named = words[1:2]
    if all(word.path is not None and not word.path.startswith(("/dev/", "/proc/")) for word in named):
        return InnerCommands()
    return InnerCommands(problem=f"what {program(words)} runs is only known when it runs")


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
