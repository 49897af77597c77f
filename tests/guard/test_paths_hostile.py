"""Ten thousand hostile paths, and a process that swaps links beside: nothing outside is read or changed."""

import os
import subprocess
import sys
from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolpost.guard import open_beneath
from toolpost.guard.paths import FileAccess
from toolpost.types.errors import PermissionDenied, ToolError

CANARY = b"canary: nobody may see or change this"
# Names that lead somewhere in the world below, and names that no one should have to think about.
NAMES = (
    *(
        "..",
        "..",
        ".",
        "a",
        "b.txt",
        "in",
        "out",
        "file_out",
        "up",
        "loop",
        "pipe",
        "chain",
        "dangling",
        "proc",
        "self",
    ),
    *("root", "cwd", "fd", "0", "etc", "passwd", "canary.txt", "project", "project-evil", "new"),
)
ODD = (
    *("...", "", "~", "~root", "\0", "..\0", "\n", "．．", "%2e%2e", "..%2f", "..\\", "\\..", "C:", "CON", "\u202e"),
    *(
        "\ud800",
        "e\u0301",
        "\u00e9",
        "\u2024\u2024",
        ".. ",
        " ..",
        "..;",
        "a" * 300,
        "*",
        "{a,b}",
        "$HOME",
        "`id`",
        "-rf",
    ),
)
PATHS_AN_EXAMPLE = 40
READ_EXAMPLES = 150
WRITE_EXAMPLES = 100
KEPT = settings(deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.fixture
def world(tmp_path):
    return World(tmp_path)


class World:
    """A project full of traps, and beside it what must stay untouched."""

    def __init__(self, top: Path) -> None:
        self.root, self.outside = top / "project", top / "project-evil"
        (self.root / "a/a").mkdir(parents=True)
        self.outside.mkdir()
        (self.outside / "canary.txt").write_bytes(CANARY)
        (self.root / "b.txt").write_bytes(b"mine")
        (self.root / "a/b.txt").write_bytes(b"mine")
        links = {
            "in": "a",
            "out": "../project-evil",
            "file_out": self.outside / "canary.txt",
            "up": "..",
            "loop": "loop",
        }
        links |= {"chain": "up/project/out", "dangling": "../project-evil/new", "a/out": "../../project-evil"}
        links |= {"loop": "loop", "a/proc": "/proc/self/root", "a/cwd": "/proc/self/cwd"}
        for name, target in links.items():
            (self.root / name).symlink_to(target)
        os.mkfifo(self.root / "pipe")
        self.project_files = FileAccess(self.root)
        self.before = self.look()

    def look(self):
        """All that is beside the project."""
        beside = sorted(entry.name for entry in self.root.parent.iterdir())
        return beside, [(entry.name, entry.read_bytes()) for entry in sorted(self.outside.iterdir())]


def hostile_paths(top: Path, seed: int):
    """Many to a seed: drawn one by one, ten thousand would take a minute."""
    chance = Random(seed)
    starts = ("", "", "", "/", "//", "~/", "./", f"{top}/project/", f"{top}/", f"{top}/project-evil/")
    for _ in range(PATHS_AN_EXAMPLE):
        parts = [chance.choice(ODD if chance.random() < 0.15 else NAMES) for _ in range(chance.randint(1, 7))]
        end = chance.choice(("", "/b.txt", "/../b.txt", "/a/b.txt", "/../../project/in/b.txt"))
        yield chance.choice(starts) + "/".join(parts) + end


def test_the_hostile_paths_are_ten_thousand():
    assert PATHS_AN_EXAMPLE * (READ_EXAMPLES + WRITE_EXAMPLES) == 10_000


def test_no_hostile_path_is_read_outside_without_being_called_outside(world):
    """The oracle is the kernel: where the descriptor really is."""
    met = Counter()

    def read(path):
        place = world.project_files.resolve(path)
        if not place.inside:
            assert not place.real.is_relative_to(world.root), path
            return "outside"
        with world.project_files.open(place) as file:
            actual = Path(f"/proc/self/fd/{file.fileno()}").readlink()
            assert actual.is_relative_to(world.root), path
            assert file.read() == b"mine", path
        return "read"

    @settings(KEPT, max_examples=READ_EXAMPLES)
    @given(st.integers(0, 2**64))
    def check(seed):
        for path in hostile_paths(world.root.parent, seed):
            try:
                met[read(path)] += 1
            except ToolError:
                met["refused"] += 1

    check()
    assert all(met[outcome] > 50 for outcome in ("outside", "read", "refused")), met


def test_no_hostile_path_is_written_outside(world):
    met = Counter()

    def change(path, how):
        place = world.project_files.resolve(path)
        if not place.inside:
            return "outside"
        if how == "remove":
            world.project_files.remove(place)
        else:
            world.project_files.write(place, b"written", expect=None)
        return how

    @settings(KEPT, max_examples=WRITE_EXAMPLES)
    @given(st.integers(0, 2**64), st.sampled_from(("write", "write", "remove")))
    def check(seed, how):
        for path in hostile_paths(world.root.parent, seed):
            try:
                met[change(path, how)] += 1
            except (ToolError, PermissionDenied):
                met["refused"] += 1
            assert world.look() == world.before, path

    check()
    assert all(met[outcome] > 20 for outcome in ("outside", "write", "remove", "refused")), met


SWAPPER = """
import ctypes, os, sys
root, outside = sys.argv[1:]
os.chdir(root)
os.symlink(outside, "trap")
rename, here, exchange = ctypes.CDLL(None).renameat2, -100, 2
assert rename(here, b"sub", here, b"trap", exchange) == 0
print("ready", flush=True)
while True:
    rename(here, b"sub", here, b"trap", exchange)
"""


@contextmanager
def swapper(root: Path, outside: Path):
    """A process that makes `sub` a folder and a link out of the project in turns, as quickly as it can."""
    child = subprocess.Popen([sys.executable, "-c", SWAPPER, root, outside], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        yield
        assert child.poll() is None, "the swapper died, so nothing was tried"
    finally:
        child.kill()
        child.communicate()


@pytest.mark.parametrize("way", ["openat2", "walk"])
def test_a_link_swapped_in_while_we_work_is_never_followed(tmp_path, monkeypatch, way):
    if way == "walk":
        monkeypatch.setattr(open_beneath, "openat2", lambda: None)
    root, outside = tmp_path / "project", tmp_path / "evil"
    for folder, content in ((root / "sub/deep", b"mine"), (outside / "deep", CANARY)):
        folder.mkdir(parents=True)
        (folder / "x.txt").write_bytes(content)
        (folder.parent / "x.txt").write_bytes(content)
    project_files = FileAccess(root)
    # The link may be the last folder on the way, or one before it.
    names = ("sub/x.txt", "sub/deep/x.txt")
    judged = [project_files.resolve(name) for name in names]
    done = refused = 0
    with swapper(root, outside):
        for turn in range(20_000):
            try:
                # The place that was judged before the swap, and one that is judged in the middle of it.
                place = judged[turn % 2] if turn % 3 else project_files.resolve(names[turn % 2])
                if not place.inside:
                    continue
                if turn % 20 < 2:
                    project_files.write(place, b"mine", expect=None)
                else:
                    assert project_files.read(place, 100) == b"mine"
                done += 1
            except ToolError:
                refused += 1
            if done > 500 and refused > 500:
                break
    assert done > 50
    assert refused > 50
    left = {str(path.relative_to(outside)): path.read_bytes() for path in outside.rglob("*") if path.is_file()}
    assert left == {"x.txt": CANARY, "deep/x.txt": CANARY}
