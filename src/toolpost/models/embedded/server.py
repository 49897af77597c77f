"""Run llama.cpp inside this process: one server for each file, loaded when first needed, closed with the process."""

import atexit
import os
import secrets
import threading
from importlib import import_module
from pathlib import Path
from typing import Any

from toolpost.extras import has, missing_text
from toolpost.types.errors import ConfigError

WINDOW = 4096
# A reader who leaves is noticed between two batches, so a batch has to take well under a second on a slow machine.
BATCH = 64
# So many conversations stay read: what stands at the beginning of the next question is not read again.
SLOTS = 4
# A conversation goes on where at least so much of it was read; less would throw away what another one still needs.
LEAST_ALIKE = 0.5


class Server:
    """A loaded file, on a port of this machine, behind a key that only this process knows."""

    def __init__(self, path: Path, *, window: int = WINDOW, slots: int = 1, adapter: Path | None = None) -> None:
        self.window = window
        self.key = secrets.token_urlsafe(32)
        self._llama = _load(path, adapter, window, slots, self.key)
        self.url = str(self._llama.listening_address)


def without_adapter() -> dict[str, Any]:
    """The fields of a request that is answered without the adapter. A slot forgets what it has read when that changes,
    so these requests have the last slot for themselves."""
    return {"lora": [{"id": 0, "scale": 0.0}], "id_slot": SLOTS - 1}


def not_installed() -> str:
    """What is said where llama.cpp is missing."""
    return missing_text("local", "a model inside the process")


def is_installed() -> bool:
    return has(("xllamacpp",))


def server_for(path: Path, *, window: int = WINDOW, slots: int = 1, adapter: Path | None = None) -> Server:
    """The server of this file, with this adapter, in this process. Blocks while it loads; raises `ConfigError`."""
    with _loading:
        if (path, adapter) not in _servers:
            _servers[path, adapter] = Server(path, window=window, slots=slots, adapter=adapter)
        return _servers[path, adapter]


_servers: dict[tuple[Path, Path | None], Server] = {}
_loading = threading.Lock()
# Left to the interpreter's end, llama.cpp's threads would outlive what they write to.
atexit.register(_servers.clear)


def _load(path: Path, adapter: Path | None, window: int, slots: int, key: str) -> Any:
    if not is_installed():
        raise ConfigError(not_installed())
    if not path.is_file():
        raise ConfigError(f"there are no weights at {path}: `toolpost models pull SOURCE` gets them")
    # Imported here: 100 MB that only an embedded model needs.
    xllama: Any = import_module("xllamacpp")
    params = xllama.CommonParams()
    params.model.path = str(path)
    params.n_ctx = window
    params.n_parallel = slots
    params.slot_prompt_similarity = LEAST_ALIKE
    if adapter is not None:
        params.lora_adapters = [xllama.CommonAdapterLoraInfo(str(adapter), 1.0)]
    params.kv_unified = True
    params.n_batch = params.n_ubatch = BATCH
    for threads in (params.cpuparams, params.cpuparams_batch):
        threads.n_threads = _free_cores()
        # Threads without work sleep, and leave the cores to everything else.
        threads.poll = 0
    params.cache_ram_mib = 0
    params.warmup = False
    params.verbosity = -1
    params.ui = False
    params.port = 0
    params.api_keys = [key]
    try:
        return xllama.Server(params)
    except RuntimeError as error:
        raise ConfigError(f"llama.cpp can't load {path}: is it a whole GGUF file of a kind that it knows?") from error


def _free_cores() -> int:
    """As many threads as there are cores to run them now. They wait for each other many times a token: one that has no
    core to itself makes all of them slow."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        # Who wants a core now, ourselves included: the load average still counts what ended a minute ago.
        running = int(Path("/proc/loadavg").read_text().split()[3].partition("/")[0]) - 1
    except (OSError, ValueError, IndexError):
        running = round(os.getloadavg()[0]) if hasattr(os, "getloadavg") else 0
    return max(1, min(cores, cores - running))
