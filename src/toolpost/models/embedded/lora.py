"""The adapter that taught SmolLM2 to call tools: a file of this package, checked once before llama.cpp reads it."""

import hashlib
from functools import cache
from pathlib import Path

from toolpost.types.errors import ConfigError

SHA256 = "661b8246bbf14673f9d04aa0e719215e04e9cba311ef7f1d127e9d1943bbe88a"
FILE = Path(__file__).parent / "smollm2-tools.gguf"


@cache
def path() -> Path:
    """Where it is. Raises `ConfigError` where it is not the file that this version of Toolpost was made with: a wrong
    one may take down the process that loads it."""
    try:
        found = hashlib.sha256(FILE.read_bytes()).hexdigest()
    except OSError as error:
        raise ConfigError(f"can't read {FILE}: {error.strerror}. Install Toolpost again.") from error
    if found != SHA256:
        raise ConfigError(f"{FILE} is not the adapter of this version: install Toolpost again")
    return FILE
