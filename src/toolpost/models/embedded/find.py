"""From the name in `embedded/<name>` to its model. What is missing is said with the command that gets it."""

import os
from collections.abc import Mapping
from typing import Any

from toolpost.models.contract import Model
from toolpost.models.tool_mode import Asking
from toolpost.types.errors import ConfigError

from .adapters import SHA256
from .server import is_installed, not_installed
from .weights.folder import PROVIDER, is_here, path_of, pulled
from .weights.known import KNOWN


def find(
    name: str,
    *,
    window: int | None = None,
    max_output: int | None = None,
    options: Mapping[str, Any] | None = None,
    extra_body: Mapping[str, Any] | None = None,
    grammar: bool = True,
    environ: Mapping[str, str] = os.environ,
) -> tuple[Model, Asking]:
    """The model, and how it is best asked for calls. Nothing is loaded yet. `grammar`: its calls are held to the
    tools' schemas; of a file that was pulled the way of asking says so."""
    path = path_of(name, environ)
    if not is_installed():
        raise ConfigError(not_installed())
    if name in KNOWN and not is_here(KNOWN[name], environ):
        raise ConfigError(
            f"the weights of {PROVIDER}/{name} are not here yet: `toolpost models pull {name}` fetches them"
        )
    if name in SHA256:
        from .qwen import Qwen

        settings: dict[str, Any] = {"window": window, "max_output": max_output, "extra_body": extra_body}
        return Qwen(name, path, options=options, grammar=grammar, **settings), Asking("native")
    if not path.is_file():
        here = ", ".join(weights.name for weights in pulled(environ)) or "none"
        raise ConfigError(f"no {PROVIDER}/{name} was pulled (there: {here}): toolpost models pull <file or URL>")
    from .gguf import Gguf

    model = Gguf(name, path, window=window, max_output=max_output, options=options, extra_body=extra_body)
    return model, Asking("auto", grammar="llamacpp")
