"""List the files that other programs run or obey later, such as editor settings, git hooks and CI workflows.

One table for all who ask: the sandbox, which keeps commands from writing the guarded ones; the search after a command,
which finds new ones; the file tools, which ask before they change a guarded one and tell of the others. `guard` is said
of what is never an agent's business to make unasked, `tell` of what it may well have a reason to write.
"""

import json
import re
import unicodedata
from collections.abc import Callable
from pathlib import PurePath
from typing import Any, Literal, cast

from msgspec import Struct

from .git.config import BadGitConfig, is_harmless, parse_config

Verdict = Literal["guard", "tell"]


class AutorunFile(Struct, frozen=True):
    """A row: `path` is a name or the end of a path, a folder with all that is in it, or `*.suffix`. `runs` completes
    the sentence "it is …". `part` gives what acts in a content, where not all of it does; "" is nothing."""

    path: str
    runs: str
    verdict: Verdict
    part: Callable[[bytes], str] | None = None


def package_scripts(data: bytes) -> str:
    """The scripts of a `package.json`; all of it if it is not valid JSON."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return data.decode(errors="replace")
    scripts: Any = cast("dict[str, Any]", found).get("scripts") if isinstance(found, dict) else None
    return json.dumps(scripts, sort_keys=True) if scripts else ""


def path_imports(data: bytes) -> str:
    """The lines of a `.pth` that Python runs; weights of models have that name too, and none of them."""
    lines = data.decode(errors="replace").splitlines()
    return "\n".join(line for line in lines if line.startswith(("import ", "import\t")))


def attribute_drivers(data: bytes) -> str:
    """The lines of a `.gitattributes` that name a driver: git runs what the settings say for it."""
    return "\n".join(line for line in data.decode(errors="replace").splitlines() if _DRIVER.search(line))


def module_settings(data: bytes) -> str:
    """The settings of a `.gitmodules` that are not harmless: an `update` that is a command, an address that is one."""
    try:
        return "\n".join(f"{entry.key} = {entry.value}" for entry in parse_config(data) if not is_harmless(entry))
    except BadGitConfig:
        return data.decode(errors="replace")


_DRIVER = re.compile(r"\s(?:filter|diff|merge)=")

# No command may write or make them.
_ALWAYS = (
    AutorunFile(".toolpost", "read by Toolpost", "guard"),
    AutorunFile(".mcp.json", "started by agents", "guard"),
)
# No command may write them where they are; what one has made at the top of the project is taken away.
_IF_THERE = (
    AutorunFile(".agents", "read by agents", "guard"),
    AutorunFile(".claude", "obeyed by Claude Code", "guard"),
    AutorunFile(".codex", "obeyed by Codex", "guard"),
    AutorunFile(".cursor", "obeyed by Cursor", "guard"),
    AutorunFile(".devcontainer", "run by editors that open the project in a container", "guard"),
    AutorunFile(".devcontainer.json", "run by editors that open the project in a container", "guard"),
    AutorunFile(".envrc", "run by direnv", "guard"),
    AutorunFile(".gemini", "obeyed by Gemini CLI", "guard"),
    AutorunFile(".gitmodules", "obeyed by git", "guard", module_settings),
    AutorunFile(".helix", "obeyed by Helix", "guard"),
    AutorunFile(".husky", "run by git as hooks", "guard"),
    AutorunFile(".idea", "run by JetBrains editors", "guard"),
    AutorunFile(".opencode", "obeyed by opencode", "guard"),
    AutorunFile(".pre-commit-config.yaml", "run by pre-commit", "guard"),
    AutorunFile(".vscode", "run by VS Code", "guard"),
    AutorunFile(".windsurf", "obeyed by Windsurf", "guard"),
    AutorunFile(".zed", "run by Zed", "guard"),
)
_TOLD = (
    AutorunFile("*.pth", "run by Python at every start", "tell", path_imports),
    AutorunFile(".cargo/config.toml", "obeyed by cargo", "tell"),
    AutorunFile(".gitattributes", "obeyed by git", "tell", attribute_drivers),
    AutorunFile(".github/workflows", "run by GitHub", "tell"),
    AutorunFile(".gitlab-ci.yml", "run by GitLab", "tell"),
    AutorunFile(".mise.toml", "obeyed by mise", "tell"),
    AutorunFile("conftest.py", "run by pytest", "tell"),
    AutorunFile("lefthook.yml", "run by git as hooks", "tell"),
    AutorunFile("mise.toml", "obeyed by mise", "tell"),
    AutorunFile("opencode.json", "obeyed by opencode", "tell"),
    AutorunFile("package.json", "run by npm as scripts", "tell", package_scripts),
    AutorunFile("sitecustomize.py", "run by Python at every start", "tell"),
    AutorunFile("usercustomize.py", "run by Python at every start", "tell"),
)
TABLE = (*_ALWAYS, *_IF_THERE, *_TOLD)

# For the sandbox, relative to the project: never made by a command.
GUARDED_ALWAYS = tuple(row.path for row in _ALWAYS)
# In the git folder, the same: what git runs, and what says where else it finds such things.
GUARDED_IN_GIT = ("hooks", "config", "config.worktree", "commondir")
# Never written by a command where they exist.
GUARDED_IF_THERE = (".git/info/attributes", *(row.path for row in _IF_THERE))

# Names of which a repository is made, bare ones too.
_PARTS_OF_GIT = frozenset((".git", "commondir", "config", "config.worktree", "head", "hooks", "objects", "refs"))
# What came with an installation, or acts in a test only: a person does not want to be told of each.
UNTOLD_FOLDERS = frozenset((".nox", ".tox", ".venv", "node_modules", "site-packages", "test", "tests", "venv"))


def autorun_file(path: PurePath) -> AutorunFile | None:
    """The row for a file, by its path in the project, or None. What only its content decides is the caller's to ask."""
    parts = [folded(part) for part in path.parts]
    for place, part in enumerate(parts):
        is_last = place == len(parts) - 1
        row = _BY_NAME.get(part) or (None if is_last else _BY_NAME.get(f"{part}/{parts[place + 1]}"))
        if row is not None and (is_last or row.part is None):
            return row
    return by_name(parts[-1]) if parts else None


def by_name(name: str, above: str = "") -> AutorunFile | None:
    """The row for an entry of a folder, by its folded name and that of the folder."""
    return _BY_NAME.get("*.pth" if name.endswith(".pth") else name) or _BY_NAME.get(f"{above}/{name}")


def in_folder(path: str) -> AutorunFile | None:
    """The row for all that is right in a folder which is known by two names, such as `.github/workflows`."""
    *_, above, name = ("", "", *path.split("/"))
    return _BY_NAME.get(f"{folded(above)}/{folded(name)}") if name else None


def may_be_git(path: PurePath) -> bool:
    """True for what may be a part of a repository."""
    return not _PARTS_OF_GIT.isdisjoint(map(folded, path.parts))


def is_told_of(path: PurePath) -> bool:
    """False for what is among installed packages, in tests or in a git folder."""
    return UNTOLD_FOLDERS.isdisjoint(path.parts) and ".git" not in path.parts


def folded(part: str) -> str:
    """A name as the most forgiving file system reads it: any case, any width, invisible marks left out."""
    if part.isascii():
        return part.lower().rstrip(". ") or part
    seen = "".join(char for char in unicodedata.normalize("NFKC", part) if unicodedata.category(char) != "Cf")
    return seen.casefold().rstrip(". ") or part


_BY_NAME = {row.path: row for row in TABLE}
