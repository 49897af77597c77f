"""Parse git config files as git does, and tell harmless settings from those that can run programs.

What is not known to be harmless counts as a program that git runs: there are too many ways to name one (pagers,
filters, aliases, helpers, transports), and new versions bring more. A file that git itself would refuse, or that is
too strange to be judged, does not count as settings.
"""

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from toolpost.guard.word_sets import names

MAX_BYTES = 1_000_000


class BadGitConfig(ValueError):
    """The text is not a valid config file, or is too strange to be judged."""


class GitSetting(Struct, frozen=True):
    """One setting. Section and name are in lower case, as git compares them; a value of None is a name without `=`."""

    section: str
    subsection: str | None
    name: str
    value: str | None

    @property
    def key(self) -> str:
        middle = "" if self.subsection is None else f"{self.subsection}."
        return f"{self.section}.{middle}{self.name}"


def parse_config(data: bytes) -> list[GitSetting]:
    """The settings in their order. Raises `BadGitConfig`."""
    if len(data) > MAX_BYTES:
        raise BadGitConfig(f"over {MAX_BYTES:,} bytes")
    if b"\0" in data:
        raise BadGitConfig("a NUL character")
    text = data.removeprefix(b"\xef\xbb\xbf").decode("utf-8", "surrogateescape").replace("\r\n", "\n")
    return list(_Parser(text).entries())


def render_config(entries: Iterable[GitSetting]) -> bytes:
    """A file with these settings."""
    lines: list[str] = []
    header = ""
    for entry in entries:
        sub = "" if entry.subsection is None else f' "{_escaped(entry.subsection)}"'
        if (wanted := f"[{entry.section}{sub}]") != header:
            header = wanted
            lines.append(header)
        value = "" if entry.value is None else f' = "{_escaped(entry.value, newlines=True)}"'
        lines.append(f"\t{entry.name}{value}")
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")


def is_harmless(entry: GitSetting) -> bool:
    """True for a setting that can't make git run anything, or fetch from anything but a plain address."""
    if entry.subsection is None:
        rule = _PLAIN.get(entry.section, frozenset())
        if entry.name in rule or "*" in rule:
            return True
        return entry.key == "core.fsmonitor" and entry.value in ("false", "0", "no", "off", "")
    if entry.name not in _NAMED.get(entry.section, ()):
        return False
    check = _CHECKED.get((entry.section, entry.name))
    return check is None or check(entry.value or "")


def is_plain_address(value: str) -> bool:
    """True for a path or the address of a server: no helper (`ext::…`), and nothing that reads as an option."""
    if "::" in value or value.startswith("-") or "@-" in value or "//-" in value or not _VISIBLE.fullmatch(value):
        return False
    scheme, separator, _ = value.partition("://")
    return not separator or scheme in ("http", "https", "ssh", "git", "file")


def _is_update(value: str) -> bool:
    return value in ("checkout", "rebase", "merge", "none")


_VISIBLE = re.compile(r"[^\s\x00-\x1f\x7f]*")
_PLAIN = {
    "core": names("""
        abbrev autocrlf bare bigfilethreshold checkstat commentchar compression eol filemode fscache hidedotfiles
        ignorecase logallrefupdates longpaths precomposeunicode preloadindex protecthfs protectntfs quotepath
        repositoryformatversion safecrlf sharedrepository sparsecheckout sparsecheckoutcone splitindex symlinks
        trustctime untrackedcache whitespace
    """),
    "extensions": names("""
        compatobjectformat noop objectformat partialclone preciousobjects refstorage relativeworktrees worktreeconfig
    """),
    "advice": names("*"),
    "color": names("*"),
    "commit": names("gpgsign verbose"),
    "diff": names("algorithm colormoved ignoresubmodules mnemonicprefix noprefix renamelimit renames submodule"),
    "fetch": names("fsckobjects parallel prune prunetags recursesubmodules"),
    "gc": names("auto autodetach"),
    "index": names("skiphash sparse threads version"),
    "init": names("defaultbranch"),
    "lfs": names("repositoryformatversion"),
    "log": names("abbrevcommit date decorate follow"),
    "maintenance": names("auto strategy"),
    "merge": names("conflictstyle ff log renamelimit renames stat"),
    "pack": names("depth threads window windowmemory"),
    "protocol": names("version"),
    "pull": names("ff rebase"),
    "push": names("autosetupremote default followtags recursesubmodules"),
    "rebase": names("autosquash autostash updaterefs"),
    "receive": names("denycurrentbranch denydeletes denynonfastforwards shallowupdate"),
    "rerere": names("autoupdate enabled"),
    "status": names("*"),
    "submodule": names("active fetchjobs recurse"),
    "tag": names("gpgsign sort"),
    "uploadpack": names("allowanysha1inwant allowfilter allowreachablesha1inwant allowtipsha1inwant"),
    "user": names("email name useconfigonly"),
}
_NAMED = {
    "branch": names("description merge pushremote rebase remote vscode-merge-base"),
    "remote": names(
        "fetch gh-resolved mirror partialclonefilter promisor prune push pushurl skipdefaultupdate tagopt url"
    ),
    "submodule": names("active branch fetchrecursesubmodules ignore path shallow update url"),
}
_CHECKED = {
    ("branch", "remote"): is_plain_address,
    ("branch", "pushremote"): is_plain_address,
    ("remote", "url"): is_plain_address,
    ("remote", "pushurl"): is_plain_address,
    ("submodule", "url"): is_plain_address,
    ("submodule", "update"): _is_update,
}


def _escaped(text: str, *, newlines: bool = False) -> str:
    text = text.replace("\\", "\\\\").replace('"', '\\"')
    return text.replace("\n", "\\n").replace("\t", "\\t").replace("\b", "\\b") if newlines else text


class _Parser:
    """One pass over the characters; the end of the file reads as the end of a line."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def entries(self) -> Iterator[GitSetting]:
        section: tuple[str, str | None] | None = None
        while self._at < len(self._text):
            char = self._next()
            if char in " \t\r\n":
                continue
            if char in "#;":
                self._skip_line()
            elif char == "[":
                section = self._section()
            elif char.isascii() and char.isalpha():
                if section is None:
                    raise BadGitConfig("a setting before the first section")
                name = char.lower() + self._word().lower()
                yield GitSetting(*section, name, self._value_after_name())
            else:
                raise BadGitConfig(f"{char!a} at the beginning of a setting")

    def _next(self) -> str:
        if self._at >= len(self._text):
            return "\n"
        self._at += 1
        return self._text[self._at - 1]

    def _skip_line(self) -> None:
        end = self._text.find("\n", self._at)
        self._at = len(self._text) if end < 0 else end + 1

    def _word(self) -> str:
        found = _KEY.match(self._text, self._at)
        self._at += len(found.group()) if found else 0
        return found.group() if found else ""

    def _section(self) -> tuple[str, str | None]:
        plain = _HEADER.match(self._text, self._at)
        if plain is None:
            raise BadGitConfig("a section without an end")
        self._at = plain.end()
        name, dot, rest = plain[1].lower().partition(".")
        if not name or (dot and not rest):
            raise BadGitConfig("a section without a name")
        if plain[2] is None:
            return name, rest if dot else None
        if dot:
            raise BadGitConfig("a section with two kinds of names")
        return name, _SUB_ESCAPE.sub(r"\1", plain[2])

    def _value_after_name(self) -> str | None:
        while (char := self._next()) in " \t":
            pass
        if char == "\n":
            return None
        if char != "=":
            raise BadGitConfig(f"{char!a} after the name of a setting")
        return self._value()

    def _value(self) -> str:
        value: list[str] = []
        quoted = False
        blanks = 0
        while (char := self._next()) != "\n" or quoted:
            if char == "\n":
                raise BadGitConfig("a quotation without an end")
            if char in " \t\r" and not quoted:
                blanks += bool(value)
                continue
            if char in "#;" and not quoted:
                self._skip_line()
                break
            value.extend(" " * blanks)
            blanks = 0
            if char == "\\":
                escape = self._next()
                if escape not in _ESCAPES:
                    raise BadGitConfig("an unknown escape")
                value.append(_ESCAPES[escape])
            elif char == '"':
                quoted = not quoted
            else:
                value.append(char)
        return "".join(value)


_KEY = re.compile(r"[A-Za-z0-9-]*")
_HEADER = re.compile(r'([A-Za-z0-9.-]*)(?:[ \t\r]+"((?:[^"\\\n]|\\[^\n])*)")?\]')
_SUB_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPES = {"\n": "", "t": "\t", "b": "\b", "n": "\n", "\\": "\\", '"': '"'}
