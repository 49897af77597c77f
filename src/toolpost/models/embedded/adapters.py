"""Find the adapters that taught the embedded models to call tools: files of the package `toolpost-adapters`."""

import hashlib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from toolpost.extras import missing_text
from toolpost.types.errors import ConfigError

# Of the files that this version was made with: a wrong one may take down the process that loads it.
SHA256 = {
    "qwen2.5-coder-1.5b": "eda525e55dcb5cc2c6453a7a9210c6ac8cefeda3644e20180edca18602dfb1ec",
    "qwen2.5-coder-0.5b": "94f3e86994c74dc8ed770bc419d17cd5f6fe8f1890d00de88e2ffe40a666330b",
}
PACKAGE = "toolpost_adapters"


@cache
def adapter_of(name: str) -> Path:
    """The adapter's file of `embedded/<name>`, checked once. Raises `ConfigError` where it is missing or wrong."""
    found = find_spec(PACKAGE)
    if found is None or found.origin is None:
        raise ConfigError(missing_text("local", f"the adapter of embedded/{name}"))
    file = Path(found.origin).parent / f"{name}.gguf"
    try:
        with file.open("rb") as adapter:
            sha256 = hashlib.file_digest(adapter, "sha256").hexdigest()
    except OSError as error:
        raise ConfigError(f"can't read {file}: {error.strerror}. Install toolpost-adapters again.") from error
    if sha256 != SHA256[name]:
        raise ConfigError(f"{file} is not the adapter of this version of Toolpost: install toolpost-adapters again")
    return file
