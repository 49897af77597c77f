"""Choose the embedded model that fits into the memory of this machine or container: the default or the light one."""

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from .weights.folder import PROVIDER, is_here
from .weights.known import DEFAULT, KNOWN, LIGHT, fitting

_CGROUPS = Path("/sys/fs/cgroup")


class ModelChoice(Struct, frozen=True):
    """`reason` says why it is not the default; it is empty where it is."""

    name: str
    reason: str = ""

    @property
    def model_id(self) -> str:
        return f"{PROVIDER}/{self.name}"


def choose(memory_available: int | None, environ: Mapping[str, str] = os.environ) -> ModelChoice:
    """The model that fits into memory. Where only the light one is here, it is used, and nothing is fetched unasked."""
    if fitting(memory_available) == LIGHT:
        need, have = KNOWN[DEFAULT].memory / 1e9, (memory_available or 0) / 1e9
        return ModelChoice(LIGHT, f"{PROVIDER}/{DEFAULT} takes {need:.1f} GB of memory and {have:.1f} GB are available")
    if is_here(KNOWN[LIGHT], environ) and not is_here(KNOWN[DEFAULT], environ):
        fetches = f"`toolpost models pull {DEFAULT}` fetches them"
        return ModelChoice(LIGHT, f"the weights of {PROVIDER}/{DEFAULT} are not here: {fetches}")
    return ModelChoice(DEFAULT)


def memory_available(*, proc: Path = Path("/proc"), cgroups: Path = _CGROUPS) -> int | None:
    """Bytes that a new model could take without swapping; None where the system does not tell."""
    if sys.platform == "win32":
        return _of_windows()
    of_system = _of_linux(proc)
    if of_system is None:
        of_system = _installed()
    limits = (of_system, _of_cgroup(proc, cgroups), _of_process())
    return min((one for one in limits if one is not None), default=None)


def _of_linux(proc: Path) -> int | None:
    found = re.search(r"^MemAvailable:\s+(\d+) kB$", _text(proc / "meminfo"), re.MULTILINE)
    return int(found[1]) * 1024 if found else None


def _of_cgroup(proc: Path, cgroups: Path) -> int | None:
    """What is left under the limit of the container: version 2 of cgroups, or version 1."""
    of_version_2 = re.search(r"^0::(/.*)$", _text(proc / "self" / "cgroup"), re.MULTILINE)
    places = [cgroups / of_version_2[1].strip("/"), cgroups] if of_version_2 else []
    left = [_left_in(place, "memory.max", "memory.current") for place in places]
    left.append(_left_in(cgroups / "memory", "memory.limit_in_bytes", "memory.usage_in_bytes"))
    return min((one for one in left if one is not None), default=None)


def _left_in(place: Path, limit: str, usage: str) -> int | None:
    most, used = _text(place / limit).strip(), _text(place / usage).strip()
    if not most.isdigit() or not used.isdigit():
        return None
    # Files that were read count as used, and give way: a pull of 1 GB would otherwise look like memory that is gone.
    cached = re.search(r"^(?:total_)?inactive_file (\d+)$", _text(place / "memory.stat"), re.MULTILINE)
    return max(0, int(most) - int(used) + (int(cached[1]) if cached else 0))


def _of_process() -> int | None:
    """The limit of `ulimit -v`, which the address space of the weights counts against."""
    # Imported here: Windows has no such module.
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    return None if limit == resource.RLIM_INFINITY else limit


def _installed() -> int | None:
    """macOS says how much there is, and makes room by itself."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (ValueError, OSError, AttributeError):
        return None


def _of_windows() -> int | None:
    # Imported here: only this system is asked in this way.
    import ctypes

    fields = [("length", ctypes.c_ulong), ("load", ctypes.c_ulong)]
    fields += [(name, ctypes.c_ulonglong) for name in ("total", "available", "c", "d", "e", "f", "g")]
    status = type("_Status", (ctypes.Structure,), {"_fields_": fields})()
    status.length = ctypes.sizeof(status)
    kernel = getattr(ctypes, "windll").kernel32  # noqa: B009 - it is on Windows only, and the checker runs elsewhere
    return int(status.available) if kernel.GlobalMemoryStatusEx(ctypes.byref(status)) else None


def _text(file: Path) -> str:
    try:
        return file.read_text()
    except OSError:
        return ""
