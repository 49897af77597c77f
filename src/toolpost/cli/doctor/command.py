"""`toolpost doctor`: what is set up, what is missing, and the one command that puts it right. No check can hang."""

import argparse
import asyncio
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import structs

from toolpost import __version__
from toolpost.cli.commands import JSON, open_workspace, say, say_json
from toolpost.cli.exit_codes import FAILED, OK
from toolpost.cli.shared.formats import at_home, size
from toolpost.cli.shared.tables import coloured, line_width, plain
from toolpost.types.errors import ConfigError, StoreError
from toolpost.types.plurals import counted

from .findings import Finding, first_of
from .tool_checks import TOOL_CHECKS

if TYPE_CHECKING:
    from toolpost.workspace import Workspace

HELP = "say what is set up, what is missing and how to put it right"
SECONDS = 5.0
INTEGRITY_SECONDS = 3.0
OLDEST_PYTHON = (3, 11)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    JSON.add_to(parser)


def run(args: argparse.Namespace) -> int:
    workspace = open_workspace()
    findings = examine(workspace)
    broken = [finding for finding in findings if finding.state == "broken"]
    if args.json:
        say_json({"ok": not broken, "checks": findings})
    else:
        for finding in findings:
            _say(finding)
        say()
        say(f"{counted(len(broken), 'thing is', 'things are')} broken" if broken else "everything that is set up works")
    return FAILED if broken else OK


def examine(workspace: "Workspace", seconds: float = SECONDS) -> list[Finding]:
    """All checks, one after another, each within `seconds`; what they found, without secrets."""
    # Imported here: it compiles expressions that `toolpost --help` does not need.
    from toolpost.guard.redact import known_redactor

    found = [_within(seconds, name, check, workspace) for name, check in _CHECKS.items()]
    hide = known_redactor(workspace.environ).text
    return [structs.replace(one, text=hide(one.text), fix=hide(one.fix)) for one in found]


def _within(seconds: float, name: str, check: "Callable[[Workspace], Finding]", workspace: "Workspace") -> Finding:
    """In a thread that dies with the process: a keyring, a disk or a tool file that hangs must not hold us."""
    found: list[Finding] = []

    def examine_one() -> None:
        try:
            found.append(check(workspace))
        except ConfigError as error:
            found.append(Finding(name, "note", f"not checked: {str(error).splitlines()[0]}", "toolpost config check"))
        except BaseException as error:  # noqa: BLE001 - a check that fails is a finding, whatever it met
            found.append(Finding(name, "broken", f"{type(error).__name__}: {error}"))

    thread = threading.Thread(target=examine_one, name=f"doctor {name}", daemon=True)
    thread.start()
    thread.join(seconds)
    return found[0] if found else Finding(name, "broken", f"no answer within {seconds:g} s")


def _python(workspace: "Workspace") -> Finding:
    version = sys.version.split()[0]
    if sys.version_info < OLDEST_PYTHON:
        return Finding("python", "broken", f"Python {version} is too old", "install Python 3.11 or newer")
    return Finding("python", "ok", f"Python {version}")


def _package(workspace: "Workspace") -> Finding:
    return Finding("toolpost", "ok", f"Toolpost {__version__}")


def _configuration(workspace: "Workspace") -> Finding:
    from toolpost.cli.config.command import check_config, unused_note

    problems, notes = check_config(workspace)
    if problems:
        return Finding("configuration", "broken", first_of(problems), "toolpost config check")
    if notes:
        fix = "toolpost trust" if notes == [unused_note(workspace)] else "toolpost config check"
        return Finding("configuration", "note", first_of(notes), fix)
    files = ", ".join(at_home(file) for file in workspace.loaded.files)
    return Finding("configuration", "ok", files or "no files, all defaults")


def _data(workspace: "Workspace") -> Finding:
    if _server_url(workspace):
        return Finding("data", "ok", "kept on a PostgreSQL server")
    path = _database_path(workspace)
    if path is None:
        return Finding("data", "note", 'store = "memory": nothing is kept')
    folder = path.parent
    there = next(place for place in (folder, *folder.parents) if place.exists())
    # Tried, not asked: rights do not tell of a read-only disk.
    import tempfile

    from toolpost.store.sqlite.connection import has_room

    if not has_room(path):
        text = f"the disk of {at_home(there)} is full: nothing more can be stored"
        return Finding("data", "broken", text, "free some space there, or export TOOLPOST_DATA_DIR=<another disk>")
    try:
        with tempfile.TemporaryFile(dir=there) as file:
            file.write(b"toolpost")
    except OSError as error:
        text = f"{at_home(there)} cannot be written: {error.strerror or error}"
        return Finding("data", "broken", text, "export TOOLPOST_DATA_DIR=<a folder of yours>")
    return Finding(
        "data", "ok", f"{at_home(folder)} can be written" if there == folder else f"{at_home(folder)} will be made"
    )


def _database(workspace: "Workspace") -> Finding:
    if url := _server_url(workspace):
        return _server(url)
    path = _database_path(workspace)
    if path is None or not path.exists():
        return Finding("database", "note", "not there yet; the first session makes it")
    try:
        complaint, is_whole = _integrity(path)
    except StoreError as error:
        return Finding(
            "database", "broken", str(error), f"move {at_home(path)} away, or export TOOLPOST_DATA_DIR=<another>"
        )
    if complaint:
        text = f"{at_home(path)} is damaged: {complaint}"
        return Finding("database", "broken", text, f"put a backup in the place of {at_home(path)}")
    checked = "is sound" if is_whole else f"opens; too large to check in {INTEGRITY_SECONDS:g} s"
    return Finding("database", "ok", f"{at_home(path)} {checked}, {size(path.stat().st_size)}")


def _server(url: str) -> Finding:
    import asyncio

    from toolpost.store import open_store

    async def ask() -> None:
        store = open_store(url)
        try:
            await store.approvals()
        finally:
            await store.close()

    try:
        asyncio.run(ask())
    except (StoreError, ConfigError) as error:
        return Finding("database", "broken", str(error), "toolpost config show --origin")
    return Finding("database", "ok", "the PostgreSQL server answers, its tables are up to date")


def _integrity(path: Path) -> tuple[str, bool]:
    """What is wrong with the file, if anything, and whether all of it could be looked at in time."""
    import sqlite3
    from contextlib import closing

    from toolpost.store.sqlite.connection import connect_to_read, explain
    from toolpost.store.sqlite.schema import check_version

    try:
        with closing(connect_to_read(path)) as connection:
            check_version(connection, path)
            watch = threading.Timer(INTEGRITY_SECONDS, connection.interrupt)
            watch.start()
            try:
                answer: bytes = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
                    raise
                return "", False
            finally:
                watch.cancel()
    except (sqlite3.Error, OSError) as error:
        raise explain(error, path) from error
    return ("" if answer == b"ok" else answer.decode(errors="replace")), True


def _model(workspace: "Workspace") -> Finding:
    from toolpost.cli.models.command import default_model_of

    model, origin = default_model_of(workspace)
    return _chosen_model(workspace, model, origin) if model else _no_model(workspace)


def _chosen_model(workspace: "Workspace", model: str, origin: str) -> Finding:
    from toolpost.workspace.provider_list import how_to_give_a_key, provider, running_servers

    name = model.partition("/")[0]
    if any(name in plugin.models() for plugin in workspace.plugins):
        workspace.model(model)
        return Finding("model", "ok", f"{model} ({origin})")
    if name == "embedded":
        return _embedded_model(workspace, model, origin)
    try:
        known = provider(workspace, name)
        if known.problem:
            return Finding("model", "broken", known.problem, "toolpost config path")
        if known.key == "missing":
            return Finding("model", "broken", f"{model} ({origin}) has no key", how_to_give_a_key(workspace, known))
        workspace.model(model)
    except ConfigError as error:
        return Finding("model", "broken", str(error).splitlines()[0], "toolpost models")
    if not _is_here(known.base_url):
        return Finding("model", "ok", f"{model} ({origin}), key {known.key_text}; not contacted")
    server = next((one for one in asyncio.run(running_servers(workspace)) if one.provider == name), None)
    if server is None and name in _STARTS:
        return Finding("model", "broken", f"{model} ({origin}): no server answers at {known.base_url}", _STARTS[name])
    if server is None and not _listens(known.base_url):
        text = f"{model} ({origin}): no server answers at {known.base_url}"
        return Finding("model", "broken", text, "start it, or choose another: toolpost models")
    if server is not None and server.models and model.partition("/")[2] not in server.models:
        text = f"{model} ({origin}) is not among the models of {known.base_url}"
        return Finding("model", "broken", text, f"toolpost models list {name}")
    return Finding("model", "ok", f"{model} ({origin}) at {known.base_url}")


def _embedded_model(workspace: "Workspace", model: str, origin: str) -> Finding:
    from toolpost.models.embedded.server import is_installed
    from toolpost.models.embedded.weights.known import KNOWN

    try:
        workspace.model(model)
    except ConfigError as error:
        name = model.partition("/")[2]
        source = name if name in KNOWN else "<file or URL>"
        fix = f"toolpost models pull {source}" if is_installed() else "pip install 'toolpost[local]'"
        return Finding("model", "broken", str(error).splitlines()[0], fix)
    return Finding("model", "ok", f"{model} ({origin}), in this process")


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


def _no_model(workspace: "Workspace") -> Finding:
    from toolpost.cli.shared.default_model import embedded_choice, keyed_providers, usual_model
    from toolpost.workspace.provider_list import running_servers

    for provider, variable in keyed_providers(workspace):
        try:
            model = asyncio.run(usual_model(workspace, provider, variable))
        except ConfigError as error:
            return Finding("model", "broken", str(error), f"export TOOLPOST_MODEL={provider}/<model>")
        return Finding("model", "ok", f"none is chosen; {model} is used, because {variable} is set")
    servers = [one for one in asyncio.run(running_servers(workspace)) if one.models]
    if servers:
        text = f"none is chosen; the first of {servers[0].base_url} is used"
        return Finding("model", "note", text, f"export TOOLPOST_MODEL={servers[0].provider}/{servers[0].models[0]}")
    choice = embedded_choice(workspace)
    answers = choice.model_id if choice else "a scripted stand-in"
    text = f"none is chosen and no server runs here: {answers} answers"
    return Finding("model", "note", text, "export OPENAI_API_KEY=…")


def _embedded(workspace: "Workspace") -> Finding:
    from toolpost.cli.shared.default_model import embedded_choice
    from toolpost.models.embedded.weights.folder import is_here, models_folder, pulled
    from toolpost.models.embedded.weights.known import KNOWN
    from toolpost.models.embedded.weights.partial_files import every, size_of

    choice = embedded_choice(workspace)
    if choice is None:
        return Finding("embedded", "note", "llama.cpp is not installed", "pip install 'toolpost[local]'")
    folder, here = models_folder(workspace.environ), pulled(workspace.environ)
    names = f"{', '.join(weights.name for weights in here)} in {at_home(folder)}" if here else ""
    if not is_here(KNOWN[choice.name], workspace.environ):
        come = sum(size_of(place) for place in every(folder))
        texts = (f"no weights of {choice.name} yet", names, f"{size(come)} of an unfinished pull" if come else "")
        return Finding("embedded", "note", "; ".join(filter(None, texts)), f"toolpost models pull {choice.name}")
    return Finding("embedded", "ok", names)


def _memory(workspace: "Workspace") -> Finding:
    from toolpost.models.embedded.available_memory import memory_available
    from toolpost.models.embedded.choice import choose
    from toolpost.models.embedded.weights.known import DEFAULT, KNOWN, fitting

    available = memory_available()
    if available is None:
        return Finding("memory", "ok", "this system does not tell how much is available")
    if fitting(available) == DEFAULT:
        text = f"{size(available)} available; embedded/{DEFAULT} takes {size(KNOWN[DEFAULT].memory)}"
        return Finding("memory", "ok", text)
    choice = choose(available, workspace.environ)
    text = f"{choice.reason}: {choice.model_id} is chosen where no model is named"
    return Finding("memory", "note", text, "close something, or export OPENAI_API_KEY=…")


def _keyring(workspace: "Workspace") -> Finding:
    from toolpost.config.keys import keyring_in_use

    kind = keyring_in_use(workspace.environ)
    if kind is None:
        return Finding("keyring", "note", "this system has none; keys come from the environment")
    return Finding("keyring", "ok", kind)


def _terminal(workspace: "Workspace") -> Finding:
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8":
        return Finding(
            "terminal", "note", f"writes {sys.stdout.encoding}: not every text can be shown", "export PYTHONUTF8=1"
        )
    cells = line_width(sys.stdout)
    return Finding("terminal", "ok", f"UTF-8, {cells} cells wide" if cells else "UTF-8, not a terminal")


_CHECKS: "dict[str, Callable[[Workspace], Finding]]" = {
    "python": _python,
    "toolpost": _package,
    "configuration": _configuration,
    "data": _data,
    "database": _database,
    "model": _model,
    "embedded": _embedded,
    "memory": _memory,
    **TOOL_CHECKS,
    "keyring": _keyring,
    "terminal": _terminal,
}

_STARTS = {
    "ollama": "ollama serve",
    "vllm": "vllm serve <model>",
    "llamacpp": "llama-server -m <model.gguf> --jinja",
    "lmstudio": "lms server start",
}


def _server_url(workspace: "Workspace") -> str:
    spec = workspace.config.store or ""
    return spec if "://" in spec else ""


def _database_path(workspace: "Workspace") -> Path | None:
    from toolpost.store import default_path

    spec = workspace.config.store or "sqlite"
    if spec == "memory":
        return None
    return default_path() if spec == "sqlite" else Path(spec).expanduser()


def _is_here(url: str) -> bool:
    from toolpost.net.urls import is_loopback

    return is_loopback(url)


def _say(finding: Finding) -> None:
    marks = {"ok": ("✓", "ok  ", "green"), "note": ("–", "note", "yellow"), "broken": ("✗", "FAIL", "red")}
    sign, word, colour = marks[finding.state]
    has_signs = (sys.stdout.encoding or "").lower().startswith("utf")
    fix = f"\n    → {plain(finding.fix)}" if finding.fix and finding.state != "ok" else ""
    say(f"{coloured(sign if has_signs else word, colour)} {finding.name:<14} {plain(finding.text)}{fix}")
