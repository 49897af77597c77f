"""Checks of `toolpost doctor` for models: the default model, embedded weights, memory."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from toolpost.cli.shared.formats import at_home, size
from toolpost.extras import install_command, is_installed
from toolpost.types.errors import ConfigError

from .check_result import CheckResult

if TYPE_CHECKING:
    from toolpost.workspace import Workspace

_STARTS = {
    "ollama": "ollama serve",
    "vllm": "vllm serve <model>",
    "llamacpp": "llama-server -m <model.gguf> --jinja",
    "lmstudio": "lms server start",
}


def _model(workspace: "Workspace") -> CheckResult:
    from toolpost.cli.shared.default_model import configured_model

    model, origin = configured_model(workspace)
    return _chosen_model(workspace, model, origin) if model else _no_model(workspace)


def _chosen_model(workspace: "Workspace", model: str, origin: str) -> CheckResult:
    from toolpost.workspace.provider_list import how_to_give_a_key, provider, running_servers

    name = model.partition("/")[0]
    if any(name in plugin.models() for plugin in workspace.plugins):
        workspace.model(model)
        return CheckResult("model", "ok", f"{model} ({origin})")
    if name == "embedded":
        return _embedded_model(workspace, model, origin)
    try:
        known = provider(workspace, name)
        if known.problem:
            return CheckResult("model", "broken", known.problem, "toolpost config path")
        if known.key == "missing":
            return CheckResult("model", "broken", f"{model} ({origin}) has no key", how_to_give_a_key(workspace, known))
        workspace.model(model)
    except ConfigError as error:
        return CheckResult("model", "broken", str(error).splitlines()[0], "toolpost models")
    if not _is_here(known.base_url):
        return CheckResult("model", "ok", f"{model} ({origin}), key {known.key_text}; not contacted")
    server = next((one for one in asyncio.run(running_servers(workspace)) if one.provider == name), None)
    if server is None and name in _STARTS:
        return CheckResult(
            "model", "broken", f"{model} ({origin}): no server answers at {known.base_url}", _STARTS[name]
        )
    if server is None and not _listens(known.base_url):
        text = f"{model} ({origin}): no server answers at {known.base_url}"
        return CheckResult("model", "broken", text, "start it, or choose another model: toolpost models")
    if server is not None and server.models and model.partition("/")[2] not in server.models:
        text = f"{model} ({origin}) is not among the models of {known.base_url}"
        return CheckResult("model", "broken", text, f"toolpost models list {name}")
    return CheckResult("model", "ok", f"{model} ({origin}) at {known.base_url}")


def _embedded_model(workspace: "Workspace", model: str, origin: str) -> CheckResult:
    from toolpost.models.embedded.weights.known import KNOWN

    try:
        workspace.model(model)
    except ConfigError as error:
        name = model.partition("/")[2]
        source = name if name in KNOWN else "<file or URL>"
        fix = f"toolpost models pull {source}" if is_installed("local") else install_command("local")
        return CheckResult("model", "broken", str(error).splitlines()[0], fix)
    return CheckResult("model", "ok", f"{model} ({origin}), in this process")


def _listens(url: str) -> bool:
    """A server may list no models and yet answer: all that is asked here is whether one is there."""
    import socket
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.create_connection((parts.hostname, port), timeout=1).close()
    except OSError:
        return False
    return True


def _no_model(workspace: "Workspace") -> CheckResult:
    from toolpost.cli.shared.default_model import embedded_choice, keyed_providers, usual_model
    from toolpost.workspace.provider_list import running_servers

    for provider, variable in keyed_providers(workspace):
        try:
            model = asyncio.run(usual_model(workspace, provider, variable))
        except ConfigError as error:
            return CheckResult("model", "broken", str(error), f"export TOOLPOST_MODEL={provider}/<model>")
        return CheckResult("model", "ok", f"none is configured; {model} is used because {variable} is set")
    servers = [one for one in asyncio.run(running_servers(workspace)) if one.models]
    if servers:
        text = f"none is configured; the first model of {servers[0].base_url} is used"
        return CheckResult("model", "note", text, f"export TOOLPOST_MODEL={servers[0].provider}/{servers[0].models[0]}")
    choice = embedded_choice(workspace)
    answers = choice.model_id if choice else "a scripted demo"
    text = f"none is configured and no local server runs; {answers} is used"
    return CheckResult("model", "note", text, "export OPENAI_API_KEY=…")


def _embedded(workspace: "Workspace") -> CheckResult:
    from toolpost.cli.shared.default_model import embedded_choice
    from toolpost.models.embedded.weights.folder import every, is_here, models_folder, pulled, size_of
    from toolpost.models.embedded.weights.known import KNOWN

    choice = embedded_choice(workspace)
    if choice is None:
        return CheckResult("embedded", "note", "llama.cpp is not installed", install_command("local"))
    folder, here = models_folder(workspace.environ), pulled(workspace.environ)
    names = f"{', '.join(weights.name for weights in here)} in {at_home(folder)}" if here else ""
    if not is_here(KNOWN[choice.name], workspace.environ):
        come = sum(size_of(place) for place in every(folder))
        texts = (f"no weights of {choice.name} yet", names, f"{size(come)} of an unfinished pull" if come else "")
        return CheckResult("embedded", "note", "; ".join(filter(None, texts)), f"toolpost models pull {choice.name}")
    return CheckResult("embedded", "ok", names)


def _memory(workspace: "Workspace") -> CheckResult:
    from toolpost.models.embedded.choice import choose, memory_available
    from toolpost.models.embedded.weights.known import DEFAULT, KNOWN, fitting

    available = memory_available()
    if available is None:
        return CheckResult("memory", "ok", "the available memory is unknown on this system")
    if fitting(available) == DEFAULT:
        text = f"{size(available)} available; embedded/{DEFAULT} takes {size(KNOWN[DEFAULT].memory)}"
        return CheckResult("memory", "ok", text)
    choice = choose(available, workspace.environ)
    text = f"{choice.reason}: {choice.model_id} is the default model"
    return CheckResult("memory", "note", text, "close other programs, or export OPENAI_API_KEY=…")


def _is_here(url: str) -> bool:
    from toolpost.net.urls import is_loopback

    return is_loopback(url)


MODEL_CHECKS: "dict[str, Callable[[Workspace], CheckResult]]" = {
    "model": _model,
    "embedded": _embedded,
    "memory": _memory,
}
