"""Tricks against the search for files that run later: modes, known repositories, files that take long to look at."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from bash_bench import Bench

from toolpost.guard import quarantine
from toolpost.guard.git import repositories
from toolpost.guard.quarantine import Quarantine
from toolpost.tools.autorun_watch import REPOSITORY_SETTINGS, AutorunWatch
from toolpost.tools.define import ToolContext
from toolpost.types.errors import PermissionDenied

NOBODY = 65534
ENVIRON = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}
SUB = "git init -q sub; (cd sub; echo 1 > f; git add f; git commit -qm x)\n"
TIE = "git update-index --add --cacheinfo 160000,$(git -C sub rev-parse HEAD),sub\n"
PLANT = SUB + TIE + "git -C sub config core.fsmonitor 'touch MARK;:'\n"

# As a normal user: what is planted, and what the person does then.
MODES = {
    "repository": (PLANT + "chmod 555 sub/.git", "git status"),
    "repository that nobody may write in": (PLANT + "chmod 111 sub/.git; chmod 555 sub", "git status"),
    "settings that are not ours to write": (PLANT + "chmod 444 sub/.git/config; chmod 555 sub/.git sub", "git status"),
    "hook": (
        SUB + "printf '#!/bin/sh\\ntouch MARK\\n' > sub/.git/hooks/pre-commit; chmod 555 sub/.git/hooks/pre-commit\n"
        "chmod 555 sub/.git/hooks",
        "git -C sub commit --allow-empty -m y",
    ),
    "editor": ("mkdir .vscode; echo 'touch MARK' > .vscode/tasks.json; chmod 555 .vscode .", "sh .vscode/tasks.json"),
    "folders in it": (
        "mkdir -p .vscode/a/b; echo 'touch MARK' > .vscode/tasks.json; echo x > .vscode/a/b/c; chmod 0 .vscode/a/b/c\n"
        "chmod 000 .vscode/a",
        "sh .vscode/tasks.json",
    ),
    "direnv": ("echo 'touch MARK' > .envrc; chmod 400 .envrc; chmod 555 .", "sh ./.envrc"),
}
AS_NOBODY = """
import asyncio, os, stat, subprocess, sys, tempfile
from pathlib import Path
from toolpost.tools.autorun_watch import AutorunWatch
from toolpost.tools.define import ToolContext
from toolpost.types.errors import PermissionDenied

def do(command, folder):
    subprocess.run(["sh", "-c", command], cwd=folder, capture_output=True, timeout=60)

def modes(project):
    paths = (project, project / "sub", project / "sub/.git", project / "sub/.git/hooks")
    return {path: stat.S_IMODE(path.lstat().st_mode) for path in paths if path.exists()}

async def ask(*given):
    if sys.argv[4] == "deny":
        raise PermissionDenied("no")

async def main(top, script, act):
    os.environ["TOOLPOST_DATA_DIR"] = str(top / "data")
    project = top / "project"
    do("git init -q; git commit -q --allow-empty -m x", project)
    watch = AutorunWatch(project)
    context = ToolContext("ses", "msg", "call", project, lambda *_: None, ask, None, False)
    roots = await watch.begin([project])
    do(script, project)
    (top / "ran").unlink(missing_ok=True)
    before = modes(project)
    await watch.end("ses", roots)
    said = (await watch.settle(context)).text
    after = modes(project)
    assert after == {path: mode for path, mode in before.items() if path in after}, (before, after)
    do(act, project)
    return said + ("RAN" if (top / "ran").exists() else "HELD")

# Once as whoever runs this: a normal user may not be able to load modules.
with tempfile.TemporaryDirectory() as name:
    (Path(name) / "project").mkdir()
    asyncio.run(main(Path(name), "mkdir .vscode; echo x > .vscode/x", "true"))
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
print(asyncio.run(main(Path(sys.argv[1]), sys.argv[2], sys.argv[3])))
"""


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that a normal user may use; pytest's own is private."""
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(os.path.realpath(name))
        for path in (folder, folder / "project", folder / "data"):
            path.mkdir(exist_ok=True)
            path.chmod(0o755)
            if os.geteuid() == 0:
                os.chown(path, NOBODY, NOBODY)
        yield folder
        subprocess.run(["chmod", "-R", "u+rwx", name], check=True)


def as_nobody(folder: Path, script: str, act: str, answer: str) -> str:
    texts = [text.replace("MARK", str(folder / "ran")) for text in (script, act)]
    done = subprocess.run(
        [sys.executable, "-c", AS_NOBODY, str(folder), *texts, answer],
        env=ENVIRON,
        capture_output=True,
        text=True,
        timeout=60,
        cwd="/",
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", MODES)
def test_modes_do_not_keep_what_acts_in_its_place(name: str, open_folder: Path) -> None:
    said = as_nobody(open_folder, *MODES[name], "deny")
    assert "moved to quarantine" in said
    assert "could not" not in said
    assert "HELD" in said


@pytest.mark.parametrize("name", MODES)
def test_modes_are_as_they_were_when_it_is_put_back(name: str, open_folder: Path) -> None:
    assert as_nobody(open_folder, *MODES[name], "allow") == "RAN\n"


async def denied(*_: object) -> None:
    raise PermissionDenied("no")


async def nothing() -> dict[str, str]:
    return {}


def context(project: Path) -> ToolContext:
    return ToolContext("ses", "msg", "call", project, lambda *_: None, denied, nothing, False)


def repository(folder: Path) -> Path:
    folder.mkdir()
    do("git init -q; echo 1 > file; git add file; git commit -qm first", folder)
    return folder


def do(command: str, folder: Path) -> str:
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=ENVIRON, capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


async def after(project: Path, *commands: str) -> list[str]:
    """What is said after each of these, which were run by a person's shell, as if a command had run them."""
    watch = AutorunWatch(project)
    said: list[str] = []
    for command in commands:
        roots = await watch.begin([project])
        do(command, project)
        await watch.end("ses", roots)
        left = await watch.settle(context(project))
        said.append("\n".join([*left.told, *left.notices]))
    return said


async def test_what_could_not_be_taken_away_stays_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = repository(tmp_path / "project")

    def refused(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as broken:
        broken.setattr(os, "rename", refused)
        said = await after(project, "mkdir .vscode; echo x > .vscode/tasks.json", "true", "true")
    for text in said:
        assert ".vscode is run by VS Code later, and could not be moved away: Permission denied" in text
    assert (project / ".vscode").exists()


FIXTURE = (
    "git init -q t; cd t; echo 1 > f; git add f; git commit -qm x; cd ..; mkdir fixtures; mv t/.git fixtures/repo\n"
    "rm -rf t fixtures/repo/hooks; printf '[core]\\nfsmonitor = touch MARK;:\\n' >> fixtures/repo/config\n"
    "touch fixtures/repo/refs/keep; git add -f fixtures; mkdir -p src/sub; touch src/sub/f\n"
    "git update-index --add --cacheinfo 160000,$(git -C fixtures/repo --git-dir=. rev-parse HEAD),src/sub\n"
    "mkdir fixtures/way; cp fixtures/repo/HEAD fixtures/repo/index fixtures/way\n"
    "echo ../repo > fixtures/way/commondir; git add -f fixtures; git commit -qm fixtures"
)
LEADS = {
    "file": ("echo 'gitdir: ../../fixtures/repo' > src/sub/.git", "src/sub/.git"),
    "file with a NUL": ("printf 'gitdir: ../../fixtures/repo\\0x' > src/sub/.git", "src/sub/.git"),
    "link": ("ln -s ../../fixtures/repo src/sub/.git", "src/sub/.git"),
    "link to a file": (
        "echo 'gitdir: ../../fixtures/repo' > src/way; ln -s ../way src/sub/.git",
        "src/sub/.git",
    ),
    "commondir": (
        "mkdir src/sub/.git; cp fixtures/repo/HEAD fixtures/repo/index src/sub/.git/\n"
        "echo ../../../fixtures/repo > src/sub/.git/commondir",
        "src/sub/.git/commondir",
    ),
    "two steps": ("echo 'gitdir: ../../fixtures/way' > src/sub/.git", "src/sub/.git"),
}


@pytest.mark.parametrize("name", LEADS)
async def test_what_leads_to_a_known_repository_is_new(name: str, tmp_path: Path) -> None:
    mark = tmp_path / "ran"
    lead, pointer = LEADS[name]
    origin, project = repository(tmp_path / "origin"), tmp_path / "project"
    do(FIXTURE.replace("MARK", str(mark)), origin)
    do(f"git clone -q {origin} {project}; mkdir -p {project}/src/sub; touch {project}/src/sub/f", tmp_path)
    mark.unlink(missing_ok=True)
    do("git status", project)
    assert not mark.exists()
    [said] = await after(project, lead)
    do("git status", project)
    assert not mark.exists(), said
    assert f"{pointer} (leads to)" in said
    assert not (project / pointer).is_symlink()
    assert not (project / pointer).exists()
    assert "fsmonitor" in (project / "fixtures/repo/config").read_text()
    Quarantine(project).restore(Quarantine(project).batches()[0])
    do("git status", project)
    assert mark.exists(), "this is no attack"


async def test_a_worktree_of_a_repository_in_use_is_not_asked_for(tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    do("git config core.pager less; git config core.hooksPath /nonexistent", project)
    assert await after(project, "git worktree add -q wt", "git worktree add -q other") == ["", ""]


async def test_settings_that_include_themselves_end(tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    bomb = "mkdir -p a/.git; echo x > a/.git/HEAD; (echo '[include]'; yes 'path = config' | head -20) > a/.git/config"
    began = time.monotonic()
    [said] = await after(project, bomb)
    assert time.monotonic() - began < 5
    assert "a/.git/config (include.path)" in said


POINTERS = {
    "newlines": b"gitdir: " + b"\n" * 900_000 + b"x",
    "steps": b"gitdir: " + b"a/../" * 180_000 + b"x",
    "nothing": b"gitdir: ",
    "NUL": b"gitdir: \0",
}


@pytest.mark.parametrize("name", POINTERS)
async def test_a_strange_pointer_is_read_in_no_time(name: str, tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    (project / "a").mkdir()
    (project / "a" / ".git").write_bytes(POINTERS[name])
    (project / "b" / ".git").mkdir(parents=True)
    (project / "b" / ".git" / "config").write_text("[core]\npager = x\n")
    began = time.monotonic()
    found = {one.name for one in repositories.take_snapshot([project]).settings}
    assert time.monotonic() - began < 2
    assert "core.pager" in found


async def test_many_files_that_are_only_told_do_not_hide_a_repository(tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    folder = project / "0"
    folder.mkdir()
    for number in range(300):
        (folder / f"{number}.pth").write_bytes(b"x\n" * 500_000 if number < 20 else b"")
    for number in range(20, 300):
        (folder / f"{number}.pth").unlink()
        os.link(folder / f"{number % 20}.pth", folder / f"{number}.pth")
    do(PLANT, project)
    began = time.monotonic()
    found = repositories.take_snapshot([project])
    assert time.monotonic() - began < 3
    assert found.complete
    assert found.all_told


async def test_code_behind_a_long_beginning_is_told(tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    [said] = await after(project, "(yes x | head -200000; echo 'import os') > a.pth; head -c 300000 /dev/zero > b.pth")
    assert "a.pth" in said
    assert "b.pth" not in said


async def test_a_search_that_is_not_complete_is_said_in_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = repository(tmp_path / "project")
    watch = AutorunWatch(project)
    roots = await watch.begin([project])
    monkeypatch.setattr(repositories.take_snapshot, "__kwdefaults__", {"most": 1, "seconds": 20.0})
    await watch.end("ses", roots)
    left = await watch.settle(context(project))
    assert "could not be searched" in left.text


async def test_an_approval_shows_the_content_and_holds_for_it_alone(tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    run = Recorder(project)
    for content in ("one", "two", "two"):
        await run(f"mkdir -p .vscode/in; printf 'run %s\\033[2J' {content} > .vscode/in/tasks.json")
        await run(f"n=rc; echo 'direnv {content}' | tee .env$n")
    folder, file = ([patterns for patterns in run.patterns if name in patterns[0]] for name in (".vscode", ".envrc"))
    for asked in (folder, file):
        assert len(asked) == 3
        assert asked[0] != asked[1] == asked[2]
    assert ".vscode/in/tasks.json" in run.shown[0]
    assert "run one" in run.shown[0]
    assert "\x1b" not in run.shown[0]
    assert "direnv one" in run.shown[1]


async def test_an_approval_of_a_link_holds_once(tmp_path: Path) -> None:
    run = Recorder(repository(tmp_path / "project"))
    for _ in range(2):
        await run("mkdir .vscode; ln -s ../tasks .vscode/tasks.json")
    assert run.patterns[0] != run.patterns[1]
    assert "leads to ../tasks" in run.shown[0]


async def test_a_long_list_of_steps_hides_none(tmp_path: Path) -> None:
    [said] = await after(
        repository(tmp_path / "project"),
        "mkdir .git/rebase-merge; (yes '# x' | head -c 1000001; echo; echo exec x) > .git/rebase-merge/git-rebase-todo",
    )
    assert ".git/rebase-merge/git-rebase-todo (steps of a rebase)" in said


class Recorder(Bench):
    """Refuses settings, and notes what was asked and shown."""

    def __init__(self, project: Path) -> None:
        super().__init__(project, denied=(REPOSITORY_SETTINGS,))
        self.patterns: list[tuple[str, ...]] = []
        self.shown: list[str] = []

    async def _ask(self, permission: str, patterns: Any, always: Any, title: str, details: Any) -> None:
        if permission == REPOSITORY_SETTINGS:
            self.patterns.append(tuple(patterns))
            self.shown.append(details["settings"])
        await super()._ask(permission, patterns, always, title, details)


async def test_too_many_files_stay_in_the_project_under_a_name_that_nobody_reads(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quarantine, "MAX_KEPT_ENTRIES", 20)
    project = repository(tmp_path / "project")
    [said] = await after(
        project, "mkdir .vscode; cd .vscode; seq 1 100 | xargs touch; cd ..; echo x > .envrc; echo x > .zed"
    )
    assert "more than 20 files" in said
    assert not (project / ".vscode").exists()
    assert len(list(project.glob(".toolpost-quarantined-*/*"))) == 100
    assert sum(len(files) for _, _, files in os.walk(data)) < 30


async def test_what_is_kept_of_a_project_is_bounded_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quarantine, "MAX_STORED_BYTES", 25_000)
    project = repository(tmp_path / "project")
    said = await after(project, *["head -c 10000 /dev/zero > .envrc"] * 3)
    assert [text.startswith("[moved to quarantine") for text in said] == [True, True, False]
    assert "toolpost quarantine drop" in said[2]
    assert not (project / ".envrc").exists()


async def test_more_files_that_act_are_known(tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    [said] = await after(
        project,
        "echo x > .devcontainer.json; mkdir .windsurf .zed .helix .cargo; echo x > .cargo/config.toml\n"
        "echo x > opencode.json; echo x > mise.toml; echo x > .mise.toml; echo x > lefthook.yml",
    )
    for name in (".devcontainer.json", ".windsurf", ".zed", ".helix"):
        assert not (project / name).exists()
    for name in (".cargo/config.toml", "opencode.json", "mise.toml", ".mise.toml", "lefthook.yml"):
        assert name in said
        assert (project / name).exists()
