"""Take one sample in a fresh process: what its worker says, or how long it took and how much memory it had."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from .environments import HERE, python_of
from .plan import Framework

ROOT = HERE.parent
LAUNCHER = HERE / "launcher.py"
SCRATCH = HERE / "results"
MEMORY_DISK = Path("/dev/shm")
SAMPLE_SECONDS = 400.0
QUIET = {
    "AGNO_TELEMETRY": "false",
    "LANGSMITH_TRACING": "false",
    "NO_COLOR": "1",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
    "OTEL_SDK_DISABLED": "true",
}

Sample = dict[str, float]


class Failed(Exception):
    """The process ended badly; the text is the end of what it said."""


def work(framework: Framework, measure: str, base: str) -> Sample:
    """Run the worker for one measure and give its figures."""
    with _environment(framework, base) as environment:
        command = [str(python_of(framework.environment)), "-m", "bench.worker", framework.adapter, measure, base]
        cold, said = spawn(command, environment)
    return cold if measure == "once" else json.loads(said.splitlines()[-1])


def count_syncs(framework: Framework, measure: str, base: str) -> int | None:
    """How often the worker had the disk confirm a write during a measure; None where strace can't be used."""
    strace = shutil.which("strace")
    if strace is None:
        return None
    with _environment(framework, base) as environment, tempfile.NamedTemporaryFile(dir=SCRATCH) as trace:
        command = [str(python_of("")), "-m", "bench.worker", framework.adapter, measure, base]
        tracer = [strace, "-f", "-qq", "-e", "trace=fsync,fdatasync", "-e", "signal=none", "-o", trace.name]
        try:
            spawn([*tracer, *command], environment)
        except Failed:
            return None
        return len(re.findall(rb"sync\(\d+", Path(trace.name).read_bytes()))


def spawn(command: Sequence[str], environment: Mapping[str, str], expect: str = "") -> tuple[Sample, str]:
    """Run a command to its end: wall and CPU time, peak memory, and what it printed."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as told:
        process = subprocess.Popen(
            [sys.executable, "-IS", str(LAUNCHER), str(told.fileno()), *command],
            env=environment,
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            pass_fds=[told.fileno()],
            start_new_session=True,
        )
        try:
            process.wait(SAMPLE_SECONDS)
        except subprocess.TimeoutExpired:
            raise Failed(f"no end within {SAMPLE_SECONDS:g} s") from None
        finally:
            _kill(process)
        output.seek(0)
        said = output.read().decode(errors="replace")
        told.seek(0)
        sample: Sample = json.loads(told.read() or b"{}")
    if process.returncode != 0 or expect not in said:
        raise Failed(f"…{said[-400:].strip()}")
    return sample, said


def plain_environment(base: str) -> dict[str, str]:
    """Ours without what would change how Python runs (no bytecode, no buffers) or what Toolpost is set to."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "TOOLPOST_", "XDG_"))}
    return kept | QUIET | {"OPENAI_API_KEY": "sk-x", "OPENAI_BASE_URL": base}


@contextlib.contextmanager
def upstream(module: str = "bench.upstream") -> Iterator[str]:
    """A scripted upstream in its own process; gives its base URL."""
    command = [str(python_of("")), "-m", module]
    # A session of its own: a Ctrl-C is for the bench, and the workers' last requests are still answered.
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
        finally:
            process.stdin.close()
            process.terminate()


def sync_ms(folder: Path = SCRATCH) -> float:
    """What one confirmed write of a page costs on this disk: the median of fifty."""
    page, times = os.urandom(4096), []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(50):
            os.write(file.fileno(), page)
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(time.perf_counter() - began)
    return sorted(times)[25] * 1e3


@contextlib.contextmanager
def _environment(framework: Framework, base: str) -> Iterator[dict[str, str]]:
    """What a worker sees; a store is a new file each time."""
    environment = plain_environment(base)
    if not framework.store:
        yield environment
        return
    where = MEMORY_DISK if framework.store == "memory" else SCRATCH
    with tempfile.TemporaryDirectory(dir=where, prefix="bench-") as folder:
        yield environment | {"STORE": str(Path(folder) / "sessions.db")}


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End what is left of a process group that we started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
