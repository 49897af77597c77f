"""What commands did to the project's files is taken back and done again, and what can't be is named."""

import asyncio
import dataclasses
import json
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bash_bench import Bench
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolpost.guard.paths import FileAccess
from toolpost.guard.sandbox.sandbox import SandboxSettings, find_sandbox
from toolpost.tools.builtin import edit, write
from toolpost.tools.command_changes import changes_of
from toolpost.tools.commands import jobs_of
from toolpost.tools.files import content_store
from toolpost.tools.files.apply import Step
from toolpost.tools.files.journal import FileJournal
from toolpost.tools.files.undo import Undo, UndoPlan
from toolpost.tools.output import to_result
from toolpost.types.errors import ToolError


class Shop(Bench):
    """A project whose commands are kept in a journal; each call is a step of its own unless `step` is given."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.journal = FileJournal(folder / "journal")
        super().__init__(folder / "project", changes=self.journal, **options)
        self.root = folder / "project"
        self.undo = Undo(FileAccess(self.root), self.journal)
        self.steps = 0

    async def call(self, name: str, *, step: str = "", **arguments: Any) -> Any:
        self.steps += 1
        self.ctx = dataclasses.replace(self.ctx, message_id=step or f"m{self.steps}")
        if name not in ("write", "edit"):
            return await super().call(name, **arguments)
        tool = {"write": write, "edit": edit}[name].make(self.bench)
        assert tool.check is not None
        return to_result(await tool.execute(tool.check(arguments), self.ctx))

    def turn(self, way: Any, **options: Any) -> UndoPlan:
        turn = self.undo.plan(way, **options)
        self.undo.apply(turn)
        return turn

    def tree(self) -> dict[str, tuple[str, int, bytes]]:
        """Everything in the project: what it is, its mode, what it holds."""
        return dict(self._entries())

    def tree_names(self) -> set[str]:
        return {str(path.relative_to(self.root)) for path in self.root.rglob("*")}

    def put(self, name: str, content: bytes | str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def _entries(self) -> Iterator[tuple[str, tuple[str, int, bytes]]]:
        for path in self.root.rglob("*"):
            mode = path.lstat().st_mode
            name = str(path.relative_to(self.root))
            if stat.S_ISLNK(mode):
                yield name, ("link", 0, os.fsencode(path.readlink()))
            elif stat.S_ISDIR(mode):
                yield name, ("folder", mode & 0o7777, b"")
            else:
                yield name, ("file", mode & 0o7777, path.read_bytes())


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def git(folder: Path, *commands: str) -> None:
    for command in commands:
        words = ["git", "-c", "user.name=a", "-c", "user.email=a@b", *command.split()]
        subprocess.run(words, cwd=folder, check=True)


def left(turn: UndoPlan) -> dict[str, str]:
    return {one.path: one.why for one in turn.left_out}


COMMANDS = {
    "create": "echo new > new.txt",
    "overwrite": "echo other > a.txt",
    "append": "echo more >> a.txt",
    "truncate": ": > a.txt",
    "truncate by name": "truncate -s 1 a.txt",
    "delete": "rm a.txt",
    "rename": "mv a.txt b.txt",
    "rename over another": "mv a.txt run.sh",
    "replace": "sed -i s/one/two/ a.txt",
    "same size, same times": "touch -r a.txt /tmp/t; printf 'One\\n' > a.txt; touch -r /tmp/t a.txt",
    "chmod": "chmod 600 a.txt; chmod -x run.sh",
    "chmod and write": "chmod 700 a.txt; echo x >> a.txt",
    "read-only file": "echo x >> a.txt; chmod 444 a.txt",
    "new link": "ln -s a.txt here",
    "link elsewhere": "ln -sfn run.sh link",
    "link becomes file": "rm link; echo file > link",
    "file becomes link": "rm a.txt; ln -s run.sh a.txt",
    "file becomes folder": "rm a.txt; mkdir a.txt; echo x > a.txt/x",
    "folder becomes file": "rm -r sub; echo x > sub",
    "new folder": "mkdir -p deep/er/still",
    "new folder with files": "mkdir -p deep/er; echo 1 > deep/er/1; echo 2 > deep/2",
    "delete folder": "rm -r sub",
    "rename folder": "mv sub moved",
    "rename folder and write in it": "mv sub moved; echo x >> moved/inner/c.txt; mkdir sub; echo y > sub/b.txt",
    "empty folder goes": "rmdir empty",
    "folder's mode": "chmod 700 sub/inner",
    "closed folder": "echo x > sub/inner/d; chmod 500 sub/inner",
    "hard link": "ln a.txt hard; echo x >> hard",
    "binary": "head -c 100000 /dev/urandom > bin",
    "archive": "tar cf all.tar sub a.txt; rm -r sub; tar xof all.tar; echo x >> sub/b.txt",
    "odd names": "echo 1 > 'a b'; echo 2 > \"it's\"; echo 3 > \u00fcmlaut; echo 4 > '-n'; echo 5 > .hidden",
    "everything": "rm -rf -- *",
}


def furnish(shop: Shop) -> None:
    shop.put("a.txt", "one\n")
    shop.put("run.sh", "#!/bin/sh\n").chmod(0o755)
    shop.put("sub/b.txt", "b\n")
    shop.put("sub/inner/c.txt", "c\n")
    (shop.root / "link").symlink_to("a.txt")
    (shop.root / "empty").mkdir()


@pytest.mark.parametrize("name", COMMANDS)
async def test_what_a_command_did_is_taken_back_and_done_again(shop: Shop, name: str) -> None:
    furnish(shop)
    before = shop.tree()
    assert "[exit code 0]" in await shop(COMMANDS[name])
    after = shop.tree()
    assert before != after
    turn = shop.turn("undo")
    assert not turn.left_out
    assert shop.tree() == before
    shop.turn("redo")
    assert shop.tree() == after
    shop.turn("undo")
    assert shop.tree() == before


@pytest.mark.parametrize("wanted", ["bubblewrap", "landlock", "off"])
@pytest.mark.parametrize("seen_by", ["watch", "scan"])
async def test_every_sandbox_and_every_way_to_look_sees_the_same(tmp_path: Path, wanted: Any, seen_by: str) -> None:
    limits = {"snapshot_watches": 1} if seen_by == "scan" else {}
    shop = Shop(tmp_path, sandbox=find_sandbox(SandboxSettings(wanted)), limits=limits)
    furnish(shop)
    before = shop.tree()
    await shop("echo two > a.txt; rm run.sh; mkdir new; echo x > new/x; mv sub moved; chmod 600 moved/b.txt")
    await shop("echo three > a.txt; rm -r new; echo y > moved/y")
    after = shop.tree()
    shop.turn("undo", steps=2)
    assert shop.tree() == before
    shop.turn("redo", steps=2)
    assert shop.tree() == after


async def test_a_command_that_changes_nothing_is_no_step(shop: Shop) -> None:
    furnish(shop)
    await shop("cat a.txt; ls -la sub; touch a.txt; echo one > a.txt")
    assert shop.undo.history() == []
    assert not shop.undo.plan("undo").numbers


async def test_the_sandboxs_own_placeholders_are_no_change(shop: Shop) -> None:
    await shop("echo 1 > a")
    await shop.text("job_start", command="sleep 600")
    await shop("echo 2 > a")
    await jobs_of(shop.bench).close_all()
    assert {file for step in shop.undo.history() for file in step.files} == {"a"}


async def test_what_a_person_changed_between_commands_is_theirs(shop: Shop) -> None:
    shop.put("mine.txt", "0")
    await shop("echo 1 > a.txt")
    shop.put("mine.txt", "by hand")
    shop.put("new by hand.txt", "x")
    await shop("echo 2 > a.txt; echo 2 > mine.txt")
    shop.turn("undo")
    assert shop.tree()["mine.txt"][2] == b"by hand"
    assert shop.tree()["a.txt"][2] == b"1\n"
    shop.turn("undo")
    assert set(shop.tree()) == {"mine.txt", "new by hand.txt"}


@pytest.mark.parametrize("foreign", ["content", "mode", "gone", "folder", "link"])
async def test_nothing_is_done_over_what_somebody_changed_since(shop: Shop, foreign: str) -> None:
    furnish(shop)
    await shop("echo two > a.txt; echo x > new.txt")
    path = shop.root / "a.txt"
    if foreign == "content":
        path.write_text("by hand")
    elif foreign == "mode":
        path.chmod(0o640)
    else:
        path.unlink()
        if foreign == "folder":
            path.mkdir()
        elif foreign == "link":
            path.symlink_to("run.sh")
    by_hand = shop.tree()
    plan = shop.undo.plan("undo")
    assert "a.txt" in plan.problems[0]
    with pytest.raises(ToolError):
        shop.undo.apply(plan)
    assert shop.tree() == by_hand


async def test_a_new_folder_in_which_somebody_works_stays(shop: Shop) -> None:
    await shop("mkdir d; echo x > d/x")
    shop.put("d/mine.txt", "by hand")
    turn = shop.turn("undo")
    assert shop.tree()["d/mine.txt"][2] == b"by hand"
    assert "d/x" not in shop.tree()
    assert left(turn) == {"d": "the folder is not empty"}


async def test_edits_and_commands_of_a_step_are_taken_back_together(shop: Shop) -> None:
    await shop.call("write", step="m", path="a.txt", content="1\n")
    await shop.call("bash", step="m", command="echo 2 >> a.txt; cp a.txt b.txt")
    await shop.call("write", step="m", path="c.txt", content="3\n")
    assert [step.files for step in shop.undo.history()] == [("a.txt", "b.txt", "c.txt")]
    shop.turn("undo")
    assert shop.tree() == {}
    shop.turn("redo")
    assert shop.tree()["a.txt"][2] == b"1\n2\n"


async def test_the_difference_of_a_command_is_shown_once_a_file(shop: Shop) -> None:
    shop.put("a.txt", "1\n")
    await shop("echo 2 >> a.txt")
    await shop("echo 3 >> a.txt; chmod 600 a.txt; ln -s a.txt l")
    net = {step.place.shown: step for step in shop.undo.net()}
    assert (net["a.txt"].before, net["a.txt"].after) == (b"1\n", b"1\n2\n3\n")
    assert "mode" in net["a.txt"].note
    assert "a.txt" in net["l"].note


async def test_a_job_belongs_to_the_step_in_which_it_was_seen(shop: Shop) -> None:
    shop.put("a.txt", "0")
    await shop.call(
        "job_start", step="m1", command="echo 1 > a.txt; while [ ! -e go ]; do sleep 0.01; done; echo 2 > a.txt"
    )
    await shop.call("job_read", step="m2", job="job_1")
    await shop.call("write", step="m3", path="go", content="")
    await shop.call("job_wait", step="m4", job="job_1", timeout=30)
    shop.turn("undo")
    assert shop.tree()["a.txt"][2] == b"1\n"
    shop.turn("undo", steps=5)
    assert shop.tree() == {"a.txt": ("file", shop.tree()["a.txt"][1], b"0")}


async def test_an_edit_while_a_job_runs_is_an_edit_and_not_the_jobs(shop: Shop) -> None:
    shop.put("a.txt", "0")
    await shop.call("job_start", step="m1", command="while [ ! -e go ]; do sleep 0.01; done; echo 2 > b.txt")
    await shop.call("write", step="m2", path="c.txt", content="edited")
    await shop.call("write", step="m3", path="go", content="")
    await shop.call("job_wait", step="m4", job="job_1", timeout=30)
    files = {step.message_id: step.files for step in shop.undo.history()}
    assert files["m2"] == ("c.txt",)
    assert "c.txt" not in {name for message, names in files.items() if message != "m2" for name in names}
    assert any("b.txt" in names for names in files.values())


async def test_an_undo_while_a_job_runs_is_no_change_of_the_job(shop: Shop) -> None:
    shop.put("a.txt", "0")
    await shop.call("job_start", step="m1", command="while [ ! -e go ]; do sleep 0.01; done")
    await shop.call("bash", step="m2", command="echo 1 > a.txt; mkdir d; echo 1 > d/b")
    shop.turn("undo")
    await shop.call("job_read", step="m3", job="job_1")
    assert [step.message_id for step in shop.undo.history()] == ["m2"]
    shop.turn("redo")
    assert shop.tree()["a.txt"][2] == b"1\n"
    await shop.call("write", step="m4", path="go", content="")
    await shop.call("job_wait", step="m4", job="job_1", timeout=30)
    assert [step.message_id for step in shop.undo.history()] == ["m2", "m4"]


async def test_what_another_process_edits_while_a_command_runs_is_noted_once(shop: Shop) -> None:
    other = FileJournal(shop.journal.folder)
    await shop.call("job_start", step="m1", command="sleep 600")
    place = shop.bench.project_files.resolve("a.txt")
    other.note("another", "x1", Step(place, None, b"theirs"))
    shop.put("a.txt", "theirs")
    await shop.call("job_stop", step="m2", job="job_1")
    assert [(step.session_id, step.files) for step in shop.undo.history()] == [("another", ("a.txt",))]


async def test_a_job_that_is_stopped_is_looked_at_once_more(shop: Shop) -> None:
    await shop.call("job_start", step="m1", command="echo 1 > a.txt; sleep 600")
    await jobs_of(shop.bench).close_all()
    shop.turn("undo")
    assert shop.tree() == {}


async def test_a_command_that_is_stopped_or_cancelled_is_taken_back(shop: Shop) -> None:
    with pytest.raises(ToolError, match="stopped after"):
        await shop("echo 1 > a.txt; sleep 600", timeout=1)
    shop.turn("undo")
    assert shop.tree() == {}
    task = asyncio.create_task(shop("echo 1 > b.txt; sleep 600"))
    async with asyncio.timeout(30):
        while "b.txt" not in shop.tree():  # noqa: ASYNC110 - only the file tells
            await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    shop.turn("undo")
    assert shop.tree() == {}


async def test_a_file_over_the_limit_is_named_and_the_rest_taken_back(tmp_path: Path) -> None:
    shop = Shop(tmp_path, limits={"snapshot_file_bytes": 1_000})
    shop.put("old.bin", bytes(2_000))
    await shop("echo 1 > a.txt; head -c 5000 /dev/zero > big.bin; rm old.bin")
    turn = shop.turn("undo")
    assert set(shop.tree()) == {"big.bin"}
    assert left(turn) == {
        "big.bin": "5.0 kB, over the limit of 1.0 kB",
        "old.bin": "2.0 kB, over the limit of 1.0 kB",
    }
    shop.turn("redo")
    assert set(shop.tree()) == {"a.txt", "big.bin"}


async def test_a_step_of_which_nothing_is_kept_is_passed_with_its_names(tmp_path: Path) -> None:
    shop = Shop(tmp_path, limits={"snapshot_file_bytes": 10})
    await shop("echo 1 > a.txt")
    await shop("seq 100 > a.txt")
    turn = shop.turn("undo")
    assert turn.steps == ()
    assert list(left(turn)) == ["a.txt"]
    turn = shop.turn("undo")
    assert list(left(turn)) == ["a.txt"]
    assert not turn.problems
    assert not shop.undo.plan("undo").numbers


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        ({"snapshot_bytes": 1_500}, "the copies of this project's files take more than"),
        ({"snapshot_step_bytes": 1_500}, "the step changed more than"),
        ({"snapshot_files": 3}, "more than 3 files"),
    ],
)
async def test_what_is_over_a_limit_of_all_is_named(tmp_path: Path, limits: dict[str, int], why: str) -> None:
    shop = Shop(tmp_path, limits=limits)
    for number in range(5):
        shop.put(f"d{number}/f", bytes([number]) * 1_000)
    await shop("rm -r d*")
    turn = shop.turn("undo")
    assert left(turn)
    assert all(why in one for one in left(turn).values())
    for number in range(5):
        name = f"d{number}/f"
        assert name in shop.tree() or any(name.startswith(path) for path in left(turn))


async def test_secrets_are_not_kept_and_named(tmp_path: Path) -> None:
    shop = Shop(tmp_path, sandbox=find_sandbox(SandboxSettings("off")))
    shop.put(".env", "KEY=sesame-1")
    shop.put("deploy/server.pem", "sesame-2")
    await shop(
        "e=.en; k=server.pem; i=id_r; echo KEY=sesame-3 > ${e}v; rm deploy/$k; echo sesame-4 > ${i}sa; echo 1 > a.txt"
    )
    turn = shop.turn("undo")
    assert left(turn) == dict.fromkeys((".env", "deploy/server.pem", "id_rsa"), "secrets are not kept")
    assert "a.txt" not in shop.tree()
    kept = b"".join(path.read_bytes() for path in (tmp_path / "journal").rglob("*") if path.is_file())
    assert b"sesame" not in kept


async def test_what_is_kept_is_for_its_owner_alone(shop: Shop, tmp_path: Path) -> None:
    await shop("echo 1 > a.txt; chmod 666 a.txt")
    kept = [tmp_path / "journal", *(tmp_path / "journal").rglob("*")]
    assert len(kept) > 3
    assert all(path.stat().st_mode & 0o077 == 0 for path in kept)


@pytest.mark.parametrize(
    ("command", "why"),
    [
        ("git -c user.name=a -c user.email=a@b commit -qam two", "git commits and branches are not undone"),
        ("git branch other", "git commits and branches are not undone"),
        ("git add a.txt", "the git index is not undone"),
    ],
)
async def test_git_is_not_taken_back_and_that_is_said(shop: Shop, command: str, why: str) -> None:
    shop.put("a.txt", "1\n")
    git(shop.root, "init -q", "add .", "commit -qm one")
    await shop(f"echo 2 > a.txt; {command}")
    turn = shop.turn("undo")
    assert left(turn) == {".git": why}
    assert (shop.root / "a.txt").read_text() == "1\n"
    await shop("git status; git log")
    assert not shop.undo.plan("undo").numbers


async def test_a_checkout_of_another_branch_is_taken_back_in_the_files(shop: Shop) -> None:
    shop.put("a.txt", "main\n")
    git(shop.root, "init -q -b main", "add .", "commit -qm 1", "checkout -qb other")
    shop.put("a.txt", "other\n")
    shop.put("b.txt", "other\n")
    git(shop.root, "add .", "commit -qm 2")
    await shop("git checkout -q main")
    turn = shop.turn("undo")
    assert (shop.root / "a.txt").read_text() == "other\n"
    assert (shop.root / "b.txt").read_text() == "other\n"
    assert list(left(turn)) == [".git"]


async def test_special_files_and_names_that_cant_be_shown_are_named(shop: Shop) -> None:
    await shop("mkfifo pipe; echo 1 > $'new\\nline'; echo 1 > a.txt")
    turn = shop.turn("undo")
    assert left(turn) == {"pipe": "a named pipe", "new\\nline": "its name has control characters in it"}


async def test_large_ignored_folders_are_named_as_a_whole_and_small_ones_are_kept(tmp_path: Path) -> None:
    shop = Shop(tmp_path, limits={"snapshot_ignored_files": 10})
    shop.put(".gitignore", "/dist/\nbuild/\n*.log\n")
    for number in range(20):
        shop.put(f"dist/{number}.js", "1")
        shop.put(f"node_modules/p{number}/index.js", "1")
    shop.put("build/out.txt", "1")
    await shop("rm dist/1.js; rm -r node_modules/p1; echo 2 > build/out.txt; echo 1 > x.log; mkdir __pycache__")
    turn = shop.turn("undo")
    assert left(turn) == {
        "dist": "ignored by git, and more than 10 files",
        "node_modules": "folders of this name are not kept",
    }
    assert shop.tree()["build/out.txt"][2] == b"1"
    assert "x.log" not in shop.tree()


async def test_a_chain_that_has_a_gap_is_named_and_not_a_conflict(tmp_path: Path) -> None:
    shop = Shop(tmp_path, limits={"snapshot_file_bytes": 10})
    await shop("echo 1 > a.txt; echo 1 > b.txt")
    await shop("seq 100 > a.txt; echo 2 > b.txt")
    turn = shop.turn("undo", steps=2)
    assert list(left(turn)) == ["a.txt"]
    assert set(shop.tree()) == {"a.txt"}


async def test_what_was_kept_long_ago_is_deleted_first_when_the_journal_is_full(tmp_path: Path) -> None:
    shop = Shop(tmp_path, limits={"journal_bytes": 50_000})
    for number in range(10):
        await shop(f"head -c 10000 /dev/urandom > {number}.bin")
    kept = sum(path.stat().st_size for path in (tmp_path / "journal" / "command_contents").rglob("*") if path.is_file())
    assert kept <= 50_000
    shop.turn("undo")
    assert "9.bin" not in shop.tree()
    shop.turn("redo")
    assert "9.bin" in shop.tree()
    assert any("no longer kept" in problem for problem in shop.undo.plan("undo", steps=10).problems)


KILLED = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_command_undo import Shop
async def main():
    shop = Shop(Path(sys.argv[2]))
    await shop("echo 1 > before.txt")
    await shop("echo 2 > during.txt; echo started; sleep 600")
asyncio.run(main())
"""


def test_a_process_that_is_killed_during_a_command_leaves_no_false_claim(tmp_path: Path) -> None:
    words = [sys.executable, "-c", KILLED, str(Path(__file__).parent), str(tmp_path)]
    running = subprocess.Popen(words, env={**os.environ, "PYTHONPATH": ":".join(filter(None, sys.path))})
    during = tmp_path / "project" / "during.txt"
    deadline = time.monotonic() + 60
    while not during.exists():
        assert running.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.01)
    running.send_signal(signal.SIGKILL)
    running.wait(30)
    shop = Shop(tmp_path)
    turn = shop.turn("undo")
    assert "was not seen" in left(turn)["."]
    assert during.exists()
    assert "before.txt" not in shop.tree()
    assert not shop.undo.plan("undo").numbers


async def test_a_command_that_still_runs_is_not_taken_for_one_that_was_killed(shop: Shop) -> None:
    await shop.call("job_start", step="m1", command="sleep 600")
    assert not Undo(FileAccess(shop.root), FileJournal(shop.journal.folder)).plan("undo").left_out
    await jobs_of(shop.bench).close_all()


async def test_commands_side_by_side_lose_nothing(shop: Shop) -> None:
    furnish(shop)
    before = shop.tree()
    await asyncio.gather(*(Bench.call(shop, "bash", command=f"echo {n} > {n}.txt; rm -f a.txt") for n in range(5)))
    after = shop.tree()
    shop.turn("undo")
    assert shop.tree() == before
    shop.turn("redo")
    assert shop.tree() == after


def most_events() -> int:
    return int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())


async def test_more_events_than_the_kernel_holds_are_no_loss(shop: Shop) -> None:
    furnish(shop)
    before = shop.tree()
    await shop("for n in $(seq 400); do for m in $(seq 30); do echo $m >> f$((n % 50)); done; done; rm -r sub")
    assert most_events() < 400 * 30 * 2
    shop.turn("undo")
    assert shop.tree() == before


async def test_a_home_folder_is_not_copied_and_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shop = Shop(tmp_path, sandbox=find_sandbox(SandboxSettings("off")))
    monkeypatch.setenv("HOME", str(shop.root))
    await shop.call("write", step="m1", path="a.txt", content="1")
    await shop.call("bash", step="m2", command="echo 2 > b.txt")
    turn = shop.turn("undo")
    assert "home folder" in left(turn)["."]
    assert set(shop.tree()) == {"b.txt"}


async def test_calls_outside_of_a_conversation_are_steps_of_their_own(shop: Shop) -> None:
    for number in range(2):
        shop.ctx = dataclasses.replace(shop.ctx, message_id="", call_id=f"c{number}")
        await Bench.call(shop, "bash", command=f"echo {number} > {number}.txt")
    shop.turn("undo")
    assert set(shop.tree()) == {"0.txt"}


async def test_a_store_of_sessions_in_the_project_is_never_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shop = Shop(tmp_path)
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(shop.root / "data"))
    shop.put("data/toolpost.db", "0")
    with sqlite3.connect(shop.root / "sessions.db") as database:
        database.execute("PRAGMA journal_mode=WAL")
        await shop.call("job_start", step="m1", command="sleep 600")
        database.execute("CREATE TABLE t (x)")
        database.commit()
        shop.put("data/toolpost.db", "1")
        shop.put("a.txt", "1")
        await shop.call("job_stop", step="m1", job="job_1")
        assert [step.files for step in shop.undo.history()] == [("a.txt",)]
    database.close()


async def test_what_looks_like_git_and_is_not_holds_nothing_up(shop: Shop) -> None:
    """A pipe that is opened waits for a writer, and a folder can't be read like a file."""
    async with asyncio.timeout(60):
        await shop("mkdir -p .gitignore one two/.git; mkfifo one/.git two/.git/index; echo x > two/.git/HEAD")
        await shop("echo 1 > a.txt")
    shop.turn("undo")
    assert "a.txt" not in shop.tree_names()


async def test_a_command_that_is_cancelled_before_it_starts_claims_nothing_later(shop: Shop) -> None:
    """Its mark once stayed, and what people changed from then on counted as a command's work."""
    changes = changes_of(shop.bench)
    assert changes is not None
    beginning = asyncio.create_task(changes.begin(shop.ctx))
    await asyncio.sleep(0)
    beginning.cancel()
    with pytest.raises(asyncio.CancelledError):
        await beginning
    await shop("true")
    shop.put("mine.txt", "by hand")
    await shop("echo 1 > a.txt")
    assert [step.files for step in shop.undo.history()] == [("a.txt",)]
    assert not list((shop.journal.folder / "running").iterdir())


async def test_copies_that_are_moved_to_a_new_file_stay_what_they_are(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(content_store, "MAX_LOST", 2_000)
    furnish(shop)
    before = shop.tree()
    for number in range(12):
        await shop(f"yes {number} | head -c 1000 > a.txt; echo {number} >> sub/b.txt")
    after = shop.tree()
    shop.turn("undo", steps=12)
    assert shop.tree() == before
    shop.turn("redo", steps=12)
    assert shop.tree() == after


async def test_a_read_only_agent_pays_nothing(tmp_path: Path) -> None:
    shop = Shop(tmp_path, read_only=True)
    await shop("ls")
    assert not (tmp_path / "journal").exists()


async def test_a_project_that_lies_in_a_linked_folder_is_kept(tmp_path: Path) -> None:
    (tmp_path / "real" / "project").mkdir(parents=True)
    (tmp_path / "named").symlink_to("real")
    shop = Shop(tmp_path / "named")
    await shop("echo 1 > a.txt")
    shop.turn("undo")
    assert shop.tree() == {}


async def test_a_folder_that_became_a_link_is_not_written_through(shop: Shop, tmp_path: Path) -> None:
    shop.put("sub/a.txt", "1")
    await shop("echo 2 > sub/a.txt")
    outside = tmp_path / "outside"
    shutil.move(shop.root / "sub", outside)
    (shop.root / "sub").symlink_to(outside)
    assert shop.undo.plan("undo").problems
    assert (outside / "a.txt").read_text() == "2\n"


class SwappingGround(FileAccess):
    """Somebody swaps a folder for a link after an undo has looked at it and before it settles where to write."""

    def __init__(self, root: Path, outside: Path) -> None:
        super().__init__(root)
        self._outside = outside
        self._asked = 0

    def entry(self, path: str) -> Any:
        self._asked += 1
        if self._asked == 2:
            (self.root / "sub").rename(self.root / "away")
            (self.root / "sub").symlink_to(self._outside)
        return super().entry(path)


async def test_a_folder_that_is_swapped_for_a_link_during_an_undo_leads_it_nowhere(shop: Shop, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    shop.put("sub/a.txt", "one\n")
    await shop.call("bash", command="rm sub/a.txt; touch sub/stays")
    undo = Undo(SwappingGround(shop.root, outside), shop.journal)
    turn = undo.plan("undo")
    with pytest.raises(ToolError, match="reached through a link now"):
        undo.apply(turn)
    assert list(outside.iterdir()) == []


async def test_more_names_than_are_looked_at_in_the_project_itself_are_said(tmp_path: Path) -> None:
    shop = Shop(tmp_path, limits={"snapshot_files": 50, "snapshot_watches": 0})
    shop.put("src/main.py", "one\n")
    await shop.call("bash", command="true")
    await shop.call("bash", command="for i in $(seq 100); do : > f$i; done; echo two > src/main.py")
    assert "more than 50 files" in left(shop.turn("undo"))["."]
    await shop.call("bash", command="echo three > src/main.py")
    assert "more than 50 files" in left(shop.turn("undo"))["."]


async def test_a_repository_that_points_nowhere_hides_no_change(shop: Shop) -> None:
    shop.put("a.txt", "one\n")
    await shop.call("bash", command="true")
    (shop.root / "sub").mkdir()
    (shop.root / "sub" / ".git").write_bytes(b"gitdir: a\0b\n")
    (shop.root / "new" / ".gitignore").mkdir(parents=True)
    await shop.call("bash", command="echo two > a.txt")
    shop.turn("undo")
    assert (shop.root / "a.txt").read_text() == "one\n"


async def test_a_look_that_fails_is_said_by_the_next_undo(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    shop.put("a.txt", "one\n")
    await shop.call("bash", command="true")

    def fail(*_: object) -> None:
        raise RuntimeError("on purpose")

    with monkeypatch.context() as broken:
        broken.setattr(content_store.CopyFile, "add", fail)
        told = await shop.call("bash", command="echo two > a.txt")
    assert "what this command changed cannot be undone" in str(told.details)
    assert "could not be noted" in left(shop.undo.plan("undo"))["."]


async def test_a_name_that_is_too_long_to_be_shown_stops_no_undo(shop: Shop) -> None:
    shop.put("a.txt", "one\n")
    deep = "/".join(["$(printf '\\377%.0s' $(seq 250))"] * 5)
    await shop.call("bash", command=f'mkdir -p "{deep}"; echo two > a.txt')
    assert shop.undo.history()
    turn = shop.turn("undo")
    assert (shop.root / "a.txt").read_text() == "one\n"
    assert max(map(len, left(turn))) < 400


async def test_what_was_moved_from_a_place_that_is_not_kept_is_not_deleted(tmp_path: Path) -> None:
    shop = Shop(tmp_path, sandbox=find_sandbox(SandboxSettings("off")))
    shop.put(".env", "KEY=1\n")
    shop.put("a.txt", "one\n")
    await shop.call("bash", command="true")
    await shop.call("bash", command="mv .e?v notes.txt; echo two > a.txt")
    turn = shop.turn("undo")
    assert (shop.root / "a.txt").read_text() == "one\n"
    assert (shop.root / "notes.txt").read_text() == "KEY=1\n"
    assert "it was moved from .env, which is not kept" in left(turn)["notes.txt"]


def test_lines_of_an_older_journal_are_read(tmp_path: Path) -> None:
    old = {"number": 0, "session_id": "s", "message_id": "m", "path": str(tmp_path / "a"), "before": "", "after": "0"}
    (tmp_path / "changes.jsonl").write_text(json.dumps({"change": old}) + "\n")
    assert [change.path for change in FileJournal(tmp_path).changes()] == [str(tmp_path / "a")]


NAMES = st.sampled_from(["a", "b", "d", "d/a", "d/e", "d/e/a", "f/g"])
OPERATIONS = st.one_of(
    st.tuples(st.just("mkdir -p $(dirname {0}) 2>&-; echo {1} > {0}"), NAMES, st.integers(0, 3)),
    st.tuples(st.just("echo {1} >> {0}"), NAMES, st.integers(0, 3)),
    st.tuples(st.just("rm -rf {0}"), NAMES, st.none()),
    st.tuples(st.just("mkdir -p {0}"), NAMES, st.none()),
    st.tuples(st.just("mv -T {0} {1}"), NAMES, NAMES),
    st.tuples(st.just("cp -r {0} {1}"), NAMES, NAMES),
    st.tuples(st.just("ln -sfn {1} {0}"), NAMES, NAMES),
    st.tuples(st.just("ln -f {0} {1}"), NAMES, NAMES),
    st.tuples(st.just("chmod {1} {0}"), NAMES, st.sampled_from(["600", "755", "700", "+x"])),
    st.tuples(st.just("truncate -s {1} {0}"), NAMES, st.integers(0, 5)),
)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    steps=st.lists(st.lists(OPERATIONS, min_size=1, max_size=4), min_size=1, max_size=4),
    data=st.data(),
    watches=st.sampled_from([1, 1_000]),
)
def test_any_commands_are_taken_back_to_the_beginning_and_done_again_to_the_end(
    tmp_path_factory: pytest.TempPathFactory, steps: list[list[tuple[str, Any, Any]]], data: st.DataObject, watches: int
) -> None:
    shop = Shop(
        tmp_path_factory.mktemp("undo"),
        sandbox=find_sandbox(SandboxSettings("off")),
        limits={"snapshot_watches": watches},
    )
    shop.put("a", "0\n")
    shop.put("d/a", "0\n")
    (shop.root / "l").symlink_to("a")

    async def run() -> list[dict[str, Any]]:
        history = [shop.tree()]
        for step in steps:
            await shop("\n".join(f"{form.format(*given)} 2>&-" for form, *given in step) + "\ntrue")
            if shop.tree() != history[-1]:
                history.append(shop.tree())
        return history

    history = asyncio.run(run())
    back = data.draw(st.integers(0, len(history) - 1))
    for _ in range(back):
        assert not shop.turn("undo").left_out
    assert shop.tree() == history[-1 - back]
    for _ in range(back):
        shop.turn("redo")
    assert shop.tree() == history[-1]
    shop.turn("undo", steps=len(history))
    assert shop.tree() == history[0]
