"""`toolpost config`: what is set, where it comes from, whether it is right; and keys, which no file holds."""

import argparse
import sys
from typing import TYPE_CHECKING, Any

import msgspec

from toolpost.cli.commands import JSON, Argument, Subcommands, complain, open_workspace, say, say_json, tell_notices
from toolpost.cli.exit_codes import FAILED, OK
from toolpost.cli.shared.formats import at_home
from toolpost.cli.shared.tables import Table, plain
from toolpost.types.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from toolpost.guard.rules import Rule
    from toolpost.tools.define import Tool
    from toolpost.workspace import Workspace

HELP = "show and check the configuration, keep or forget keys"
EMPTY = "nothing is set: `toolpost config path` says which files to write; all defaults hold"
MOST_KEY_CHARACTERS = 10_000

_PROVIDER = Argument("provider", metavar="PROVIDER", help="such as openai; `toolpost models` lists them")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="show")
    origin = Argument("--origin", action="store_true", help="with the file and line of each")
    commands.add("show", "show what is set, without secrets", origin, JSON)
    commands.add("path", "say where the files are", JSON)
    commands.add("check", "say what is wrong, with file and line", JSON)
    commands.add(
        "set-key", "keep a provider's key in the system's keyring; it is typed unseen or read from stdin", _PROVIDER
    )
    commands.add("forget-key", "take a provider's key out of the system's keyring", _PROVIDER)


def run(args: argparse.Namespace) -> int:
    actions = {"show": _show, "path": _path, "check": _check, "set-key": _set_key, "forget-key": _forget_key}
    return actions[args.action](open_workspace(), args)


def _show(workspace: "Workspace", args: argparse.Namespace) -> int:
    if note := unused_note(workspace):
        complain(f"note: {note}")
    workspace = _as_written(workspace)
    settings = list(workspace.loaded.settings())
    if args.json:
        say_json(settings if args.origin else {setting.key: setting.value for setting in settings})
        return OK
    tell_notices(workspace)
    if args.origin:
        with Table("KEY", "VALUE", "FROM") as table:
            for setting in settings:
                table.row(setting.key, _written(setting.value), setting.origin)
    else:
        for setting in settings:
            say(plain(f"{setting.key} = {_written(setting.value)}"))
    if all(setting.origin == "default" for setting in settings):
        complain(EMPTY)
    return OK


def _path(workspace: "Workspace", args: argparse.Namespace) -> int:
    places = config_places(workspace)
    if args.json:
        say_json({name: {"path": str(path), "exists": path.is_file()} for name, path in places.items()})
        return OK
    for name, path in places.items():
        say(f"{name:<8} {plain(at_home(path))}{'' if path.is_file() else '  (not there)'}")
    return OK


def _check(workspace: "Workspace", args: argparse.Namespace) -> int:
    problems, notes = check_config(workspace)
    if args.json:
        say_json({"problems": problems, "notes": notes})
        return FAILED if problems else OK
    for problem in problems:
        complain(problem)
    for note in notes:
        say(f"note: {plain(note)}")
    if problems:
        return FAILED
    files = _as_written(workspace).loaded.files
    where = ", ".join(plain(at_home(file)) for file in files) or "no files, all defaults"
    say(
        f"the configuration can be used, but see the notes: {where}"
        if notes
        else f"the configuration is right: {where}"
    )
    return OK


def check_config(workspace: "Workspace") -> tuple[list[str], list[str]]:
    """What is wrong with the configuration, a line each, and what is only worth a look. In a folder that is not trusted
    it has to be right without the project's file, as it holds now, and with it."""
    problems, notes = _checked(workspace)
    if note := unused_note(workspace):
        from toolpost.tools.tool_files import FOLDER

        # Tools that the folder brings along are not read before it is trusted: their names are not known.
        brings_tools = any((workspace.project / FOLDER).glob("*.py"))
        more_problems, more_notes = _checked(_as_written(workspace), knows_names=not brings_tools)
        problems, notes = [*problems, *more_problems], [*notes, *more_notes, note]
    return list(dict.fromkeys(problems)), list(dict.fromkeys(notes))


def unused_note(workspace: "Workspace") -> str:
    """That the project's file does not hold, where it is there and its folder is not trusted."""
    places = config_places(workspace)
    file = places["project"]
    if workspace.trusted or file == places["user"] or not file.is_file():
        return ""
    return f"{at_home(file)} is not used until you say: toolpost trust"


def _as_written(workspace: "Workspace") -> "Workspace":
    """With the project's settings, whether they hold or not: to read them runs nothing."""
    from .untrusted_settings import AsWritten

    return AsWritten(workspace) if unused_note(workspace) else workspace


def _checked(workspace: "Workspace", *, knows_names: bool = True) -> tuple[list[str], list[str]]:
    try:
        loaded = workspace.loaded
    except ConfigError as error:
        return str(error).splitlines(), []
    try:
        notes = [*loaded.warnings, *_rule_notes(workspace)]
    except ConfigError as error:
        return [str(error)], [*loaded.warnings]
    notes += (f"instructions: there is no file {name}" for name in _missing_instructions(workspace))
    try:
        workspace.agent()
        notes += _strange_names(workspace) if knows_names else ()
    except ConfigError as error:
        return [str(error)], notes
    return [*_model_problems(workspace)], notes


def _rule_notes(workspace: "Workspace") -> "Iterator[str]":
    """Rules that do nothing, or not what they look like. That a project overrules the user, and an agent both, is no
    mistake."""
    from toolpost.guard.rules import Rules
    from toolpost.tools.offered_tools import misnamed

    places: dict[str, list[Rule]] = {}
    for rule in workspace.config.permissions:
        places.setdefault(rule.source.rpartition(":")[0], []).append(rule)
    for rules in (*places.values(), *(agent.permissions for agent in workspace.config.agents.values())):
        yield from Rules(rules).lint()
        yield from misnamed(rules, workspace.tools)


def _strange_names(workspace: "Workspace") -> "Iterator[str]":
    """Names in `[tools]` and `[permissions]` that no tool here has, and nothing asks for: slips, most of them."""
    from toolpost.config.check import closest, dotted
    from toolpost.workspace.tooling import built_in_tools

    config, agents = workspace.config, workspace.agents.items()
    named = [(workspace.loaded.origin(dotted(("tools", name))), "tool", name) for name in config.tools]
    named += [(f"agents.{agent}.tools", "tool", name) for agent, given in agents for name in given.tools or ()]
    rules = [*config.permissions, *(rule for _, given in agents for rule in given.permissions)]
    named += [(rule.source, "permission", rule.permission) for rule in rules]
    # The folder's own tools run when they are read, which may take its time: only where a name may be theirs.
    if not (named := _unknown(named, _known_names(built_in_tools(workspace.bench)))):
        return
    known = _known_names(workspace.tools)
    for place, what, name in _unknown(named, known):
        guess = closest(name, known[what])
        remedy = f'did you mean "{guess}"?' if guess else "`toolpost tools` lists them"
        yield f'{place}: no {what} here is called "{name}"; {remedy}'


def _known_names(tools: "Iterable[Tool]") -> dict[str, set[str]]:
    from toolpost.engine.recall import RECALL
    from toolpost.tools.default_rules import ALLOWED, BESIDE

    here = list(tools)
    names = {RECALL, *ALLOWED, *(tool.name for tool in here)}
    return {"tool": names, "permission": {*names, *BESIDE, *(tool.asks_for for tool in here)}}


def _unknown(named: list[tuple[str, str, str]], known: "Mapping[str, set[str]]") -> list[tuple[str, str, str]]:
    from toolpost.guard.wildcards import matcher

    own = [one for one in named if not one[2].startswith("mcp__")]
    return [one for one in own if not any(map(matcher(one[2]), known[one[1]]))]


def _missing_instructions(workspace: "Workspace") -> "Iterator[str]":
    from pathlib import Path

    return (file for file in workspace.config.instructions if not Path(file).expanduser().is_file())


def _model_problems(workspace: "Workspace") -> "Iterator[str]":
    """Models and providers that no request could be sent to, whatever the key."""
    from toolpost.workspace.provider_list import provider

    config = workspace.config
    for name in config.providers:
        try:
            problem = provider(workspace, name).problem
        except ConfigError as error:
            problem = str(error)
        if problem:
            yield problem
    origins = {setting.key: setting.origin for setting in workspace.loaded.settings()}
    models = {"model": config.model}
    models |= {f"agents.{name}.model": agent.model for name, agent in config.agents.items()}
    for key, model in models.items():
        if model and not all(model.partition("/")[::2]):
            yield f"{origins.get(key, key)}: {model!r} is no model id: write provider/model, such as openai/gpt-5-mini"


def config_places(workspace: "Workspace") -> "dict[str, Path]":
    """The user's file and the project's, there or not."""
    from toolpost.config.layers import PROJECT_FILE, project_file, user_file

    project = project_file(workspace.folder) or workspace.project / PROJECT_FILE
    return {"user": user_file(workspace.environ), "project": project}


def _set_key(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.config.keys import require_keyring, store_key

    # Before anybody types a key.
    require_keyring()
    _check_provider(workspace, args.provider)
    store_key(args.provider, _read_key(args.provider))
    say(f"the key for {args.provider} is in the system's keyring; try: toolpost models list {args.provider}")
    return OK


def _forget_key(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.config.keys import forget_key

    known = forget_key(args.provider)
    say(f"the key for {args.provider} is forgotten" if known else f"the keyring had no key for {args.provider}")
    return OK


def _check_provider(workspace: "Workspace", provider: str) -> None:
    """A key under a mistyped name would never be found."""
    from toolpost.models.resolve import provider_config

    known = {*workspace.config.providers, *(name for plugin in workspace.plugins for name in plugin.models())}
    if provider not in known:
        provider_config(provider)


def _read_key(provider: str) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline(MOST_KEY_CHARACTERS).strip()
    # Imported here because only this command needs it.
    from getpass import getpass

    return getpass(f"Key for {provider} (not shown): ").strip()


def _written(value: Any) -> str:
    return msgspec.json.encode(value).decode()
