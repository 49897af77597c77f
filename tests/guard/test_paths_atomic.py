"""A write is one act: whoever looks, and whenever it is killed, there is the old or the new."""

import fcntl
import os
import random
import signal
import subprocess
import sys
import threading

from toolpost.guard.paths import Changed, FileAccess, digest

SIZE = 300_000
WRITER = """
import sys
from pathlib import Path
from toolpost.guard.paths import FileAccess
project_files = FileAccess(Path(sys.argv[1]))
place = project_files.resolve("a.txt")
while True:
    for letter in (b"a", b"b"):
        project_files.write(place, letter * int(sys.argv[2]), expect=None)
        print("written", flush=True)
"""


def start_writer(root):
    command = [sys.executable, "-c", WRITER, str(root), str(SIZE)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def assert_whole(data):
    assert len(data) == SIZE
    assert data in (b"a" * SIZE, b"b" * SIZE)


def test_a_reader_beside_never_sees_half_a_file(tmp_path):
    writer = start_writer(tmp_path)
    try:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "written\n"
        seen = set()
        for _ in range(3_000):
            data = (tmp_path / "a.txt").read_bytes()
            assert_whole(data)
            seen.add(data[:1])
            if len(seen) == 2 and _ > 300:
                break
        assert seen == {b"a", b"b"}
    finally:
        writer.kill()
        writer.communicate()


def test_a_writer_killed_at_any_moment_leaves_the_old_or_the_new(tmp_path):
    chance = random.Random(7)
    for _ in range(8):
        writer = start_writer(tmp_path)
        assert writer.stdout is not None
        for _ in range(chance.randint(1, 8)):
            assert writer.stdout.readline() == "written\n"
        # Somewhere in the next write, since the last one has been told.
        for _ in range(chance.randint(0, 20_000)):
            pass
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
        assert_whole((tmp_path / "a.txt").read_bytes())


def test_of_writers_that_expect_the_same_only_one_wins(tmp_path):
    """Each adds one to what it has read; none of what was said to be written may be lost."""
    project_files = FileAccess(tmp_path)
    place = project_files.resolve("count")
    project_files.write(place, b"0", expect="")
    won = []

    def count():
        for _ in range(30):
            now = project_files.read(place, 100)
            try:
                project_files.write(place, b"%d" % (int(now) + 1), expect=digest(now))
            except Changed:
                continue
            won.append(1)

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert int(project_files.read(place, 100)) == len(won)
    assert len(won) >= 30
    assert [entry.name for entry in tmp_path.iterdir()] == ["count"]


def test_of_those_who_make_a_file_only_one_wins(tmp_path):
    project_files = FileAccess(tmp_path)
    won = []

    def make(number):
        for turn in range(20):
            try:
                project_files.write(project_files.resolve(f"file{turn}"), b"%d" % number, expect="")
            except Changed:
                continue
            won.append((turn, number))

    threads = [threading.Thread(target=make, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 20
    for turn, number in won:
        assert (tmp_path / f"file{turn}").read_bytes() == b"%d" % number


COUNTER = """
import sys
from pathlib import Path
from toolpost.guard.paths import Changed, FileAccess, digest
project_files = FileAccess(Path(sys.argv[1]))
place = project_files.resolve("count")
won = 0
print(flush=True)
sys.stdin.readline()
for _ in range(100):
    now = project_files.read(place, 100)
    try:
        project_files.write(place, b"%d" % (int(now) + 1), expect=digest(now))
    except Changed:
        continue
    won += 1
print(won)
"""


def test_of_processes_that_expect_the_same_only_one_wins(tmp_path):
    """The look and the replacement were one act within a process only."""
    (tmp_path / "count").write_bytes(b"0")
    counters = [
        subprocess.Popen(
            [sys.executable, "-c", COUNTER, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    for counter in counters:
        counter.stdout.readline()
    for counter in counters:
        counter.stdin.write("go\n")
        counter.stdin.flush()
    won = [int(counter.communicate()[0]) for counter in counters]
    assert int((tmp_path / "count").read_text()) == sum(won)
    assert sum(won) >= 100


def test_a_folder_that_somebody_else_holds_is_not_waited_for_long(tmp_path, monkeypatch):
    monkeypatch.setattr("toolpost.guard.atomic_write.LOCK_SECONDS", 0.05)
    held = os.open(tmp_path, os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        FileAccess(tmp_path).write(FileAccess(tmp_path).resolve("a.txt"), b"x", expect="")
    finally:
        os.close(held)
    assert (tmp_path / "a.txt").read_bytes() == b"x"
