"""Optional packages: which extra brings them, whether they are installed, and the command that installs them.

`pip install toolpost` brings the SDK alone. What needs more asks here, so that it is said in the same words everywhere.
"""

import sys
from collections.abc import Collection
from importlib.util import find_spec
from pathlib import Path

from .types.errors import ConfigError

# What each extra is for, as `toolpost doctor` says it, and the modules that it brings and that are needed for it.
PURPOSES = {
    "cli": "the chat in a terminal, keys in the keyring, prices, agents in Markdown",
    "code": "commands in a sandbox, search, language servers, PDFs",
    "server": "toolpost serve",
    "mcp": "MCP servers, and being one",
    "local": "a model inside the process",
    "postgres": "sessions in PostgreSQL",
    "redis": "limits and answers that workers share",
    "otel": "spans for OpenTelemetry",
    "search": "web search without a key",
    "prices": "what a run costs, how much a model can read",
    "temporal": "runs driven by Temporal, on many machines",
}
GRAMMARS = ("bash", "c", "cpp", "go", "java", "javascript", "python", "rust", "typescript")
MODULES = {
    "cli": ("cronsim", "genai_prices", "keyring", "prompt_toolkit", "pygments", "textual", "yaml"),
    "code": ("pygls", "pypdf", "tree_sitter", *(f"tree_sitter_{name}" for name in GRAMMARS)),
    "server": ("argon2", "cronsim", "genai_prices", "joserfc", "starlette", "uvicorn", "websockets", "yaml"),
    "mcp": ("mcp",),
    "local": ("toolpost_adapters", "xllamacpp"),
    "postgres": ("psycopg",),
    "redis": ("redis",),
    "otel": ("opentelemetry.sdk", "opentelemetry.exporter.otlp.proto.http"),
    "search": ("ddgs",),
    "prices": ("genai_prices",),
    "temporal": ("temporalio",),
}


class ExtraMissing(ConfigError):
    """Packages of an extra are needed and not installed; the text has the command that gets them."""


def is_installed(extra: str) -> bool:
    """True if everything that the extra brings is there."""
    return has(MODULES[extra])


def has(modules: Collection[str]) -> bool:
    """True if each of these modules can be found. None of them is imported."""
    return all(map(_is_found, modules))


def install_command(extra: str) -> str:
    """The one command that gets an extra where this Python is; `all` stands for every extra."""
    if Path(sys.prefix, "uv-receipt.toml").is_file():
        # uv installs a tool anew with what is named, so that a single extra would take the others away.
        return "uv tool install 'toolpost[all]'"
    pip = "pip" if _is_found("pip") else "uv pip"
    return f"{pip} install 'toolpost[{extra}]'"


def missing_text(extra: str, what: str) -> str:
    """What is said where an extra is missing. `what` begins the sentence, such as "a PostgreSQL store"."""
    return f"{what} needs packages that are not installed: {install_command(extra)}"


def require(extra: str, what: str, modules: Collection[str] = ()) -> None:
    """Raise `ConfigError` with the command that helps, unless the extra, or those modules of it, are installed."""
    if not has(modules or MODULES[extra]):
        raise ExtraMissing(missing_text(extra, what))


def extra_of(module: str) -> str | None:
    """The first extra that brings a module, by the module's whole name; None where no extra does."""
    parts = module.split(".")
    names = {".".join(parts[:count]) for count in range(1, len(parts) + 1)}
    return next((extra for extra, modules in MODULES.items() if not names.isdisjoint(modules)), None)


def _is_found(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        # The package that it is in is missing.
        return False
    except ValueError:
        # It was put into `sys.modules` without a spec.
        return sys.modules.get(module) is not None
