"""Read `[lsp.<language>]` of the configuration, and find language servers on the PATH."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any

import msgspec
from msgspec import Struct

from toolpost.types.errors import ConfigError


class LanguageServerSettings(Struct, frozen=True):
    """`command` starts the server, `extensions` are its files' where the language is not a known one. `settings` answer
    what the server asks for, `options` go with the first request."""

    command: tuple[str, ...] = ()
    extensions: tuple[str, ...] = ()
    enabled: bool = True
    settings: dict[str, Any] = {}
    options: dict[str, Any] = {}


class LanguageServer(Struct, frozen=True):
    """A server that can be started. `configured`: the user's settings name it, and it was not just found."""

    language: str
    command: tuple[str, ...]
    settings: dict[str, Any] = {}
    options: dict[str, Any] = {}
    configured: bool = False

    @property
    def name(self) -> str:
        return PurePath(self.command[0]).name


# By the name's end: the language whose server is asked, and what the protocol calls a file of it.
_SUFFIXES = {
    ".py": ("python", "python"),
    ".pyi": ("python", "python"),
    ".ts": ("typescript", "typescript"),
    ".mts": ("typescript", "typescript"),
    ".cts": ("typescript", "typescript"),
    ".tsx": ("typescript", "typescriptreact"),
    ".js": ("typescript", "javascript"),
    ".mjs": ("typescript", "javascript"),
    ".cjs": ("typescript", "javascript"),
    ".jsx": ("typescript", "javascriptreact"),
    ".go": ("go", "go"),
    ".rs": ("rust", "rust"),
    ".c": ("c", "c"),
    ".h": ("c", "cpp"),
    ".cc": ("c", "cpp"),
    ".cpp": ("c", "cpp"),
    ".cxx": ("c", "cpp"),
    ".hh": ("c", "cpp"),
    ".hpp": ("c", "cpp"),
}
# The first that is there is taken.
_KNOWN: dict[str, tuple[tuple[str, ...], ...]] = {
    "python": (("basedpyright-langserver", "--stdio"), ("pyright-langserver", "--stdio"), ("pylsp",)),
    "typescript": (("typescript-language-server", "--stdio"),),
    "go": (("gopls",),),
    "rust": (("rust-analyzer",),),
    "c": (("clangd",),),
}
# A server reads code; it has no business running the project's build scripts.
_OPTIONS: dict[str, dict[str, Any]] = {
    "rust-analyzer": {
        "cargo": {"buildScripts": {"enable": False}},
        "procMacro": {"enable": False},
        "checkOnSave": False,
    }
}


def server_settings(tables: Mapping[str, Any]) -> dict[str, LanguageServerSettings]:
    """Read `[lsp]` among the tables of the configuration."""
    try:
        return msgspec.convert(tables.get("lsp") or {}, dict[str, LanguageServerSettings], from_attributes=True)
    except msgspec.ValidationError as error:
        # Imported here: only a mistake needs it.
        from toolpost.arguments.decode_errors import explain_decode_error

        raise ConfigError(f"[lsp] of config.toml: {explain_decode_error(error)}") from None


def language_of(path: str, settings: Mapping[str, LanguageServerSettings]) -> tuple[str, str]:
    """The language of a file and what the protocol calls it; empty if it is not known."""
    suffix = PurePath(path).suffix.lower()
    for language, own in settings.items():
        if suffix and suffix in (f".{extension.lstrip('.')}" for extension in own.extensions):
            return language, _SUFFIXES.get(suffix, (language, language))[1]
    return _SUFFIXES.get(suffix, ("", ""))


def find_server(language: str, settings: Mapping[str, LanguageServerSettings], path: str) -> LanguageServer | None:
    """The configured server of a language, else the first known one on `path`."""
    own = settings.get(language, LanguageServerSettings())
    if not own.enabled:
        return None
    # A relative entry would be looked up in whatever folder one is in.
    folders = os.pathsep.join(entry for entry in path.split(os.pathsep) if Path(entry).is_absolute())
    for command in (own.command,) if own.command else _KNOWN.get(language, ()):
        if found := shutil.which(command[0], path=folders):
            options = own.options or _OPTIONS.get(PurePath(command[0]).name, {})
            return LanguageServer(language, (found, *command[1:]), own.settings, options, configured=bool(own.command))
    return None


def known_languages(settings: Mapping[str, LanguageServerSettings]) -> list[str]:
    """The languages for which a server is configured or known."""
    return sorted({*settings, *_KNOWN})


def known_servers(language: str) -> str:
    """The servers that could be installed for a language."""
    return " or ".join(command[0] for command in _KNOWN.get(language, ()))
