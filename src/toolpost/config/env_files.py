"""Read `.env` and `.env.local` of a project, once the user has said that they may be read.

Their variables are looked up like those of the environment, which wins, and no child process gets them. Trust is for
exactly these bytes, as for a folder's settings: an address in such a file says where a key is sent.
"""

import os
import re
from collections.abc import Iterator, Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

from msgspec import Struct

from toolpost.folders import user_folder
from toolpost.guard.redact import is_secret_name, remember
from toolpost.guard.trust import ENV_FILES, FolderTrust, Trust, TrustError

from .dotenv import parse_env

EnvState = Literal["none", "unknown", "changed", "declined", "read"]

MAX_BYTES = 100_000

# Names that other programs use, for those that Toolpost reads.
ALIASES: Mapping[str, str] = {
    "OLLAMA_API_URL": "OLLAMA_HOST",
    "OLLAMA_BASE_URL": "OLLAMA_HOST",
    "OLLAMA_URL": "OLLAMA_HOST",
    "OPENAI_API_BASE": "OPENAI_BASE_URL",
    "OPENAI_API_URL": "OPENAI_BASE_URL",
    "OPENAI_ORGANIZATION": "OPENAI_ORG_ID",
    "ANTHROPIC_API_URL": "ANTHROPIC_BASE_URL",
    "CLAUDE_API_KEY": "ANTHROPIC_API_KEY",
    "DOUBAO_API_KEY": "ARK_API_KEY",
    "VOLCENGINE_API_KEY": "ARK_API_KEY",
    "VOLC_API_KEY": "ARK_API_KEY",
    "QWEN_API_KEY": "DASHSCOPE_API_KEY",
    "KIMI_API_KEY": "MOONSHOT_API_KEY",
    "GLM_API_KEY": "ZHIPUAI_API_KEY",
    "ZHIPU_API_KEY": "ZHIPUAI_API_KEY",
    "TAVILY_KEY": "TAVILY_API_KEY",
    "SEARXNG_URL": "TOOLPOST_WEB_SEARXNG",
    "SEARXNG_BASE_URL": "TOOLPOST_WEB_SEARXNG",
}
# What people have from other chats, and what to do instead.
UNUSED: Mapping[str, str] = {
    "MONGODB_URI": "sessions are in SQLite or PostgreSQL; for old conversations: toolpost sessions import",
    "MONGO_URI": "sessions are in SQLite or PostgreSQL; for old conversations: toolpost sessions import",
    "MONGO_URL": "sessions are in SQLite or PostgreSQL; for old conversations: toolpost sessions import",
    "DATABASE_URL": "to keep sessions in PostgreSQL, set TOOLPOST_STORE=postgresql://… in the environment",
    "POSTGRES_URL": "to keep sessions in PostgreSQL, set TOOLPOST_STORE=postgresql://… in the environment",
    "REDIS_URL": "workers share limits through Redis if [server] redis names it",
    "OPENAI_MODEL": "to choose the model, set TOOLPOST_MODEL=openai/…",
    "ARK_MODEL": "to choose the model, set TOOLPOST_MODEL=ark/…",
    "ARK_MODEL_ID": "to choose the model, set TOOLPOST_MODEL=ark/…",
    "ARK_BASE_URL": "set base_url in [providers.ark] of the configuration",
    "OLLAMA_MODEL": "to choose the model, set TOOLPOST_MODEL=ollama/…",
    "SERPER_API_KEY": "web search uses Tavily, SearXNG or DuckDuckGo",
    "SERPAPI_API_KEY": "web search uses Tavily, SearXNG or DuckDuckGo",
    "BING_API_KEY": "web search uses Tavily, SearXNG or DuckDuckGo",
    "BRAVE_API_KEY": "web search uses Tavily, SearXNG or DuckDuckGo",
    "JWT_SECRET": "logins need no secret of yours",
    "NEXTAUTH_SECRET": "logins need no secret of yours",
}
# The settings that such a file may have: none that says what tools may do or where things are kept. Those are for the
# environment and the configuration.
SETTINGS = frozenset(
    {
        "TOOLPOST_MODEL",
        "TOOLPOST_SMALL_MODEL",
        "TOOLPOST_AGENT",
        "TOOLPOST_TOKEN",
        "TOOLPOST_SERVER_ACCOUNTS",
        "TOOLPOST_SERVER_URL",
        "TOOLPOST_WEB_SEARCH",
        "TOOLPOST_WEB_SEARXNG",
    }
)
ACCOUNTS_VARIABLE = "TOOLPOST_SERVER_ACCOUNTS"
# Of other names, those that look like keys, logins and addresses, which the configuration may name.
_ADDRESS_OR_LOGIN = re.compile(
    r"\w+(?:URL|URI|HOST|BASE|ENDPOINT|ADDRESS|_ID|_USER|_USERNAME|_REGION|_MODEL)", re.ASCII
)
# And none of these, which say where the system keeps things, what it runs, and whom it trusts.
_OF_THE_SYSTEM = re.compile(
    r"XDG_\w+|HOME|PATH|DBUS_\w+|PYTHON\w*|LD_\w+|DYLD_\w+|GIT_\w+|SSH_\w+|NODE_\w+|OTEL_\w+|DOCKER_\w+|(?:\w+_)?PROXY"
    r"|SSL_\w+",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"(?:[a-z][a-z0-9+.-]*://)?[^\s@/]+(?::\d+)?(?:/[^\s@]*)?", re.IGNORECASE)


class EnvFile(Struct, frozen=True):
    """A file and its variables. `bad_lines` are those that nobody can read."""

    name: str
    values: dict[str, str]
    bad_lines: tuple[int, ...] = ()


class EnvFiles(Struct, frozen=True, dict=True):
    """The `.env` files of a project: their state, and what is in them, which is read once somebody wants it.
    `standing` is what a person says yes to."""

    state: EnvState
    texts: tuple[tuple[str, str], ...] = ()
    standing: FolderTrust = FolderTrust("empty")

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.texts]

    @cached_property
    def files(self) -> tuple[EnvFile, ...]:
        return tuple(EnvFile(name, *parse_env(text)) for name, text in self.texts)

    @property
    def values(self) -> dict[str, str]:
        """The variables of all files: the local file is the later one. An empty one is not set."""
        found = {name: value for file in self.files for name, value in file.values.items()}
        return {name: value for name, value in found.items() if value}

    def used(self, environ: Mapping[str, str]) -> list[str]:
        """Those that Toolpost knows and the environment does not have."""
        return [name for name in self.values if is_used(name) and name not in environ]

    def unused(self) -> list[str]:
        """Those that are known from elsewhere and have no meaning here."""
        return [name for name in self.values if name in UNUSED]


def env_files(project: Path, environ: Mapping[str, str]) -> EnvFiles:
    """The files of a project as they are now, and whether they may be read. Raises nothing."""
    if not any(os.path.lexists(project / name) for name in ENV_FILES):  # the usual case, and at every start
        return EnvFiles("none")
    standing = _trust(environ).standing(project)
    if standing.state == "empty":
        return EnvFiles("none")
    files = tuple(_read(project)) if not standing.problem else ()
    if standing.trusted:
        return EnvFiles("read", files, standing)
    if _declined(environ).standing(project).trusted:
        return EnvFiles("declined", files, standing)
    return EnvFiles("changed" if standing.state == "changed" else "unknown", files, standing)


def accept(project: Path, environ: Mapping[str, str], shown: EnvFiles) -> None:
    """Read these files from now on. Raises `TrustError` where they are no longer what was shown."""
    _trust(environ).give(project, shown.standing)
    _declined(environ).take_back(project)


def decline(project: Path, environ: Mapping[str, str]) -> bool:
    """Read them no more, and ask no more as long as they stay as they are. False if they were not read."""
    was_read = _trust(environ).take_back(project)
    try:
        _declined(environ).give(project)
    except TrustError:
        # What cannot be trusted is not asked for either.
        return was_read
    return was_read


def joined(environ: Mapping[str, str], files: EnvFiles) -> Mapping[str, str]:
    """The environment with the variables of the files that may be read, and with other names of ours for some."""
    if files.state != "read":
        return environ
    values = {name: value for name, value in files.values.items() if may_set(name)}
    for name, ours in ALIASES.items():
        if name in values:
            values.setdefault(ours, values[name])
    remember(*(value for name, value in values.items() if _is_secret(name, value)))
    return {**values, **environ}


def may_set(name: str) -> bool:
    """True for keys, addresses and the few settings that such a file may have."""
    if name.upper().startswith("TOOLPOST_"):
        return name in SETTINGS
    if name in ALIASES or name in _known_names():
        return True
    return not _OF_THE_SYSTEM.fullmatch(name) and (is_secret_name(name) or bool(_ADDRESS_OR_LOGIN.fullmatch(name)))


def is_used(name: str) -> bool:
    """True for a variable that Toolpost itself reads. Others are there for what the configuration names."""
    return name in ALIASES or name in _known_names()


def shown_value(name: str, value: str) -> str:
    """An address, which says where a key is sent; empty for what may be secret."""
    return "" if _is_secret(name, value) else value


@cache
def _known_names() -> frozenset[str]:
    # Imported here: hardly any start has such a file.
    from toolpost.models.resolve import PRESETS

    named = (
        (preset.api_key_env, preset.auth_token_env, preset.base_url_env, *preset.headers_env.values())
        for preset in PRESETS.values()
    )
    return frozenset((*filter(None, (name for names in named for name in names)), *SETTINGS, "TAVILY_API_KEY"))


def _is_secret(name: str, value: str) -> bool:
    """Everything but an address without a password, and plain settings."""
    if is_secret_name(name):
        return True
    if name.startswith("TOOLPOST_") or name.endswith(("_MODEL", "_MODEL_ID")):
        return "@" in value
    return not (name.endswith(("URL", "HOST", "BASE", "URI", "ENDPOINT")) and _ADDRESS.fullmatch(value))


def _read(project: Path) -> Iterator[tuple[str, str]]:
    for name in ENV_FILES:
        try:
            with (project / name).open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except OSError:
            continue
        yield name, data[:MAX_BYTES].decode("utf-8-sig", "replace")


def _trust(environ: Mapping[str, str]) -> Trust:
    return Trust(user_folder("data", environ) / "env-files.json", ENV_FILES)


def _declined(environ: Mapping[str, str]) -> Trust:
    """The files that a person said no to, kept in the same way: exactly these bytes."""
    return Trust(user_folder("data", environ) / "env-files-declined.json", ENV_FILES)
