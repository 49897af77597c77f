"""A virtual environment for each peer, made on first use from its pinned list in `peers/`."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
PEERS = HERE / "peers"
ENVIRONMENTS = HERE / ".envs"
INSTALL_SECONDS = 900


def python_of(environment: str, version: str = "") -> Path:
    """The interpreter of a peer's environment, made first where it is missing or its list has changed. `version`: of
    Python, for a peer that does not run with ours."""
    if not environment:
        return Path(sys.executable)
    pins, folder = PEERS / f"{environment}.txt", ENVIRONMENTS / environment
    python, stamp = folder / "bin" / "python", folder / ".ready"
    wanted = hashlib.sha256(pins.read_bytes() + (version or sys.version).encode()).hexdigest()
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"installing {environment} ({pins.name}) …", flush=True)
        uv = _uv()
        _call([uv, "venv", "--quiet", "--clear", "--python", version or sys.executable, str(folder)])
        _call([uv, "pip", "install", "--quiet", "--compile-bytecode", "--python", str(python), "-r", str(pins)])
        stamp.write_text(wanted)
    return python


def _uv() -> str:
    beside = Path(sys.executable).with_name("uv")
    found = str(beside) if beside.exists() else shutil.which("uv")
    if found is None:
        raise SystemExit("the peers are installed with uv: run `make setup`, or leave them out with --no-peers")
    return found


def _call(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, timeout=INSTALL_SECONDS)
    except subprocess.CalledProcessError as error:
        raise SystemExit(f"{' '.join(command)} failed: run it by hand, or use --no-peers") from error
