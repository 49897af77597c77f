"""`toolpost models`: which providers can be used, which servers run on this machine, which model is the default."""

import argparse
from typing import TYPE_CHECKING

from toolpost.cli.exit_codes import OK
from toolpost.cli.providers import Provider, list_provider_models, providers, running_servers
from toolpost.cli.tables import Table, bold, plain
from toolpost.cli.words import counted

from . import JSON, Argument, Subcommands, run_in_workspace, say, say_json, tell_notices

if TYPE_CHECKING:
    from toolpost.models.catalog import LocalServer
    from toolpost.workspace import Workspace

HELP = "list providers, their keys and their models"
MOST_MODELS_SHOWN = 5


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="list")
    provider = Argument("provider", metavar="PROVIDER", nargs="?", help="ask this one which models it has")
    commands.add("list", "list providers and running servers, or the models of one provider", provider, JSON)
    parser.set_defaults(provider=None)


def run(args: argparse.Namespace) -> int:
    return run_in_workspace(lambda workspace: _list(workspace, args))


async def _list(workspace: "Workspace", args: argparse.Namespace) -> int:
    if args.provider:
        return await _list_one(workspace, args.provider, as_json=args.json)
    model, origin = default_model_of(workspace)
    known, servers = await providers(workspace), await running_servers(workspace)
    plugins = {name: plugin.name for plugin in workspace.plugins for name in plugin.models()}
    if args.json:
        say_json(
            {
                "default": {"model": model, "origin": origin},
                "providers": known,
                "running": servers,
                "plugins": plugins,
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
    _say_next(known)
    return OK


async def _list_one(workspace: "Workspace", provider: str, *, as_json: bool) -> int:
    names = sorted(await list_provider_models(workspace, provider))
    if as_json:
        say_json([f"{provider}/{name}" for name in names])
        return OK
    for name in names:
        say(plain(f"{provider}/{name}"))
    if not names:
        say(f"{provider} answers but lists no models")
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


def _say_next(known: list[Provider]) -> None:
    usable = [one.name for one in known if one.key in ("environment", "keyring")]
    if usable:
        say(f"see a provider's models: toolpost models list {usable[0]}")
    else:
        say("no key is set: toolpost config set-key PROVIDER keeps one in the system's keyring")
