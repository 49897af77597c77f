"""`toolpost config`: show and check the configuration; store and delete API keys in the keyring."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from toolpost.tools.web.settings import TAVILY, TAVILY_VARIABLE

from .exit_codes import FAILED, OK
from .shared.arguments import JSON, Argument, Subcommands
from .shared.formats import at_home
from .shared.output import say, say_json, say_notices, say_on_stderr
from .shared.tables import TextTable, plain
from .shared.workspace import open_workspace

if TYPE_CHECKING:
    from toolpost.workspace import Workspace

HELP = "show and check the configuration, store or delete keys"
EMPTY = "nothing is set, all defaults apply; to see which files to write: toolpost config path"
MAX_KEY_CHARACTERS = 10_000

_PROVIDER = Argument(
    "provider", metavar="PROVIDER", help="a provider of models, such as openai (see `toolpost models`), or tavily"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="show")
    origin = Argument("--origin", action="store_true", help="show the file and line of each setting")
    commands.add("show", "show the settings, without secrets", origin, JSON)
    commands.add("path", "show the paths of the files", JSON)
    commands.add("check", "check the files and report mistakes with file and line", JSON)
    commands.add(
        "set-key", "store a provider's API key in the system keyring; typed hidden or read from stdin", _PROVIDER
    )
    commands.add("forget-key", "delete a provider's API key from the system keyring", _PROVIDER)


def run(args: argparse.Namespace) -> int:
    actions = {"show": _show, "path": _path, "check": _check, "set-key": _set_key, "forget-key": _forget_key}
    return actions[args.action](open_workspace(), args)


def _show(workspace: "Workspace", args: argparse.Namespace) -> int:
    from .doctor.config_checks import as_written, unused_note

    if note := unused_note(workspace):
        say_on_stderr(f"note: {note}")
    workspace = as_written(workspace)
    settings = list(workspace.loaded.settings())
    if args.json:
        say_json(settings if args.origin else {setting.key: setting.value for setting in settings})
        return OK
    say_notices(workspace)
    if args.origin:
        with TextTable("KEY", "VALUE", "FROM") as table:
            for setting in settings:
                table.row(setting.key, _written(setting.value), setting.origin)
    else:
        for setting in settings:
            say(plain(f"{setting.key} = {_written(setting.value)}"))
    if all(setting.origin == "default" for setting in settings):
        say_on_stderr(EMPTY)
    return OK


def _path(workspace: "Workspace", args: argparse.Namespace) -> int:
    from .doctor.config_checks import config_places

    places = config_places(workspace)
    if args.json:
        say_json({name: {"path": str(path), "exists": path.is_file()} for name, path in places.items()})
        return OK
    for name, path in places.items():
        say(f"{name:<8} {plain(at_home(path))}{'' if path.is_file() else '  (not found)'}")
    return OK


def _check(workspace: "Workspace", args: argparse.Namespace) -> int:
    from .doctor.config_checks import as_written, check_config

    problems, notes = check_config(workspace)
    if args.json:
        say_json({"problems": problems, "notes": notes})
        return FAILED if problems else OK
    for problem in problems:
        say_on_stderr(problem)
    for note in notes:
        say(f"note: {plain(note)}")
    if problems:
        return FAILED
    files = as_written(workspace).loaded.files
    where = ", ".join(plain(at_home(file)) for file in files) or "no files, all defaults"
    say(f"the configuration is valid, with notes: {where}" if notes else f"the configuration is valid: {where}")
    return OK


def _set_key(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.config.api_keys import require_keyring, store_key
    from toolpost.models.provider_names import canonical_provider

    _check_provider(workspace, args.provider)
    # Before anybody types a key.
    require_keyring()
    is_search = args.provider == TAVILY
    name = TAVILY if is_search else canonical_provider(args.provider, workspace.config.providers)
    store_key(name, _read_key(name), TAVILY_VARIABLE if is_search else "")
    test = "toolpost doctor" if is_search else f"toolpost models list {name}"
    say(f"the key for {name} is stored in the system keyring; to test it: {test}")
    return OK


def _forget_key(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.config.api_keys import forget_key
    from toolpost.models.provider_names import canonical_provider

    name = canonical_provider(args.provider, workspace.config.providers)
    known = forget_key(name)
    say(f"the key for {name} is deleted" if known else f"the keyring had no key for {name}")
    return OK


def _check_provider(workspace: "Workspace", provider: str) -> None:
    """A key under a mistyped name would never be found."""
    from toolpost.models.resolve import provider_config

    known = {TAVILY, *workspace.config.providers, *(name for plugin in workspace.plugins for name in plugin.models())}
    if provider not in known:
        provider_config(provider)


def _read_key(provider: str) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline(MAX_KEY_CHARACTERS).strip()
    # Imported here because only this command needs it.
    from getpass import getpass

    return getpass(f"Key for {provider} (not shown): ").strip()


def _written(value: Any) -> str:
    return msgspec.json.encode(value).decode()
