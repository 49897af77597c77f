"""Starting `true` again and again: plain `subprocess` and each sandbox, from the making to the tidying up.

python -m bench.bash_launch [--rounds N]
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from toolpost.guard.sandbox.sandbox import Sandbox, SandboxedCommand, SandboxSettings, find_sandbox


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=100)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        project = Path(folder).resolve()
        _show("subprocess", rounds, lambda: subprocess.run(["/bin/true"], check=True))
        _show("subprocess, through bash", rounds, lambda: subprocess.run(["bash", "-c", "true"], check=True))
        for kind in ("bubblewrap", "landlock", "off"):
            sandbox = find_sandbox(SandboxSettings(kind))
            if sandbox.kind == "none" and kind != "off":
                print(f"{kind}: {sandbox.reason}")
                continue
            _show(f"sandbox: {kind}", rounds, lambda sandbox=sandbox: _launch(sandbox, project))
            if kind == "bubblewrap":
                _show("  of that, making and tidying up", rounds, lambda sandbox=sandbox: _wrap(sandbox, project))


def _launch(sandbox: Sandbox, project: Path) -> None:
    launch = sandbox.wrap(SandboxedCommand(["bash", "-c", "true"], project, project, dict(os.environ)))
    subprocess.run(launch.argv, env=launch.env, cwd=launch.cwd, pass_fds=launch.pass_fds, check=True)
    launch.close()


def _wrap(sandbox: Sandbox, project: Path) -> None:
    sandbox.wrap(SandboxedCommand(["true"], project, project, dict(os.environ))).close()


def _show(name: str, rounds: int, work: Callable[[], object]) -> None:
    work()
    taken: list[float] = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        taken.append((time.perf_counter() - begun) * 1000)
    taken.sort()
    print(f"{name:34} median {statistics.median(taken):6.1f} ms   p90 {taken[int(len(taken) * 0.9)]:6.1f} ms")


if __name__ == "__main__":
    main()
