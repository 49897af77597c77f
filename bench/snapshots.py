"""What it costs to know which files a command changed, and what they held before: `python -m bench.snapshots`.

A tree of 50,000 files (or `--files`) as a large project has it; the page cache is warm. Each way is measured around
nothing, around a command that changes ten files, and once for its beginning. `bash` is the tool itself, with and
without a journal.
"""

import argparse
import asyncio
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from toolpost.guard.paths import FileAccess
from toolpost.tools.builtin import bash
from toolpost.tools.define import ToolContext
from toolpost.tools.files.journal import FileJournal
from toolpost.tools.files.project_copy import ProjectCopy
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.limits import ToolLimits
from toolpost.tools.workbench import Workbench

FILES_A_FOLDER = 6
TOUCH_TEN = "for n in 0 1 2 3 4 5 6 7 8 9; do echo x >> pkg$n/mod0/file0.py; done"
# What an overlay needs beside the command: a namespace, the mount, and afterwards what is in its upper folder.
OVERLAY = (
    "mount -t overlay overlay -o lowerdir={0},upperdir={1}/up,workdir={1}/work,userxattr {1}/merged && cd {1}/merged"
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=Path(__file__).parent) as folder:
        top = Path(folder)
        project = top / "project"
        make_tree(project, options.files)
        size = sum(path.stat().st_size for path in project.rglob("*") if path.is_file())
        folders = sum(path.is_dir() for path in project.rglob("*"))
        print(f"{options.files:,} files, {folders:,} folders, {size / 1e6:,.0f} MB\n")
        measure_copies(project, top, options.rounds)
        measure_git(project, options.rounds)
        measure_overlay(project, top, options.rounds)
        asyncio.run(measure_bash(project, top, options.rounds))


def make_tree(root: Path, files: int) -> None:
    """Source files of 3 kB in the middle, some much longer, in folders three deep."""
    random.seed(1)
    lines = ["".join(random.choices("abcdefghij klmnop(){};=", k=59)) + "\n" for _ in range(2_000)]
    for number in range(files):
        place = number // FILES_A_FOLDER
        folder = root / f"pkg{place % 40}" / f"mod{place // 40}"
        if number % FILES_A_FOLDER == 0:
            folder.mkdir(parents=True)
        length = int(min(200_000, random.lognormvariate(8, 1.2)))
        text = "".join(random.choices(lines, k=length // 60 + 1))
        (folder / f"file{number % FILES_A_FOLDER}.py").write_text(text)
    (root / ".gitignore").write_text("\n".join(("node_modules/", "*.pyc", "/dist", "build/", "*.log", "docs/_build/")))


def measure_copies(project: Path, top: Path, rounds: int) -> None:
    """Ours: the copy, kept up to date by a scan or by inotify."""
    for name, limits in (("scan", ToolLimits(snapshot_watches=1)), ("inotify", ToolLimits())):
        begun = time.perf_counter()
        copy = ProjectCopy(project, top / "journal", limits)
        copy.look()
        told(f"copies, {name}: the first look", [time.perf_counter() - begun])
        assert copy.is_watched == (name == "inotify")
        time.sleep(2.5)  # what has just been changed is read again, once
        copy.look()
        told(f"copies, {name}: a look, nothing changed", [timed(copy.look) for _ in range(rounds)])
        changed: list[float] = []
        for _ in range(rounds):
            subprocess.run(["bash", "-c", TOUCH_TEN], cwd=project, check=True)
            changed.append(timed(copy.look))
        told(f"copies, {name}: a look, ten files changed", changed)
        copy.close()


def measure_git(project: Path, rounds: int) -> None:
    """Git as the store of what clean files hold: what its own look at the tree costs."""
    if shutil.which("git") is None:
        return
    words = ["git", "-c", "user.name=a", "-c", "user.email=a@b"]
    begun = time.perf_counter()
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "1"]):
        subprocess.run([*words, *command], cwd=project, check=True)
    told("git: add and commit, once", [time.perf_counter() - begun])
    look = [*words, "status", "--porcelain"]
    told(
        "git: status", [timed(lambda: subprocess.run(look, cwd=project, stdout=-3, check=True)) for _ in range(rounds)]
    )
    shutil.rmtree(project / ".git")


def measure_overlay(project: Path, top: Path, rounds: int) -> None:
    """An overlay over the project for each command, whose upper folder is read and put into place afterwards."""
    for name in ("up", "work", "merged"):
        (top / "overlay" / name).mkdir(parents=True)
    place = top / "overlay"
    mount = OVERLAY.format(project, place)

    def run(command: str) -> None:
        words = ["unshare", "-Urm", "bash", "-c", f"{mount} && {command}"]
        subprocess.run(words, check=True, capture_output=True)
        for path in list((place / "up").rglob("*")):
            if path.is_file():
                shutil.copy2(path, project / path.relative_to(place / "up"))
        subprocess.run(["rm", "-rf", place / "up", place / "work"], check=True)
        for folder in ("up", "work"):
            (place / folder).mkdir()

    try:
        run("true")
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"overlay: can't be mounted here ({error})")
        return
    plain = ["unshare", "-Urm", "true"]
    told("overlay: a namespace alone", [timed(lambda: subprocess.run(plain, check=True)) for _ in range(rounds)])
    told("overlay: true", [timed(lambda: run("true")) for _ in range(rounds)])
    told("overlay: ten files changed, and put into place", [timed(lambda: run(TOUCH_TEN)) for _ in range(rounds)])
    reading = "cat pkg*/mod*/*.py > /dev/null"
    alone = ["bash", "-c", reading]
    told("reading every file", [timed(lambda: subprocess.run(alone, cwd=project, check=True)) for _ in range(rounds)])
    told("overlay: reading every file", [timed(lambda: run(reading)) for _ in range(rounds)])


async def measure_bash(project: Path, top: Path, rounds: int) -> None:
    """The tool itself: what it costs a person."""
    runs = {
        "without a journal": Workbench(FileAccess(project), ReadTracker()),
        "with a journal": Workbench(FileAccess(project), ReadTracker(), changes=FileJournal(top / "changes")),
    }
    for name, bench in runs.items():
        call = _caller(bash.make(bench).execute, project)
        told(f"bash, {name}: the first call", [await waited(call("true"))])
        told(f"bash, {name}: true", [await waited(call("true")) for _ in range(rounds)])
        told(f"bash, {name}: ten files changed", [await waited(call(TOUCH_TEN)) for _ in range(rounds)])
        await bench.close()


def _caller(execute: Callable[..., Awaitable[object]], project: Path) -> Callable[[str], Awaitable[object]]:
    async def ask(*_: object) -> None:
        return None

    async def environ() -> dict[str, str]:
        return {"PATH": os.environ["PATH"]}

    ctx = ToolContext("ses", "msg", "call", project, lambda *_: None, ask, environ)
    return lambda command: execute({"command": command}, ctx)


def timed(act: Callable[[], object]) -> float:
    begun = time.perf_counter()
    act()
    return time.perf_counter() - begun


async def waited(call: Awaitable[object]) -> float:
    begun = time.perf_counter()
    await call
    return time.perf_counter() - begun


def told(name: str, seconds: list[float]) -> None:
    print(f"{name:50} {statistics.median(seconds) * 1_000:9.1f} ms   worst {max(seconds) * 1_000:9.1f} ms", flush=True)


if __name__ == "__main__":
    main()
