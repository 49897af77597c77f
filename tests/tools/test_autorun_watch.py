"""What a command leaves behind that would run later: taken away, asked for, told, with real git to show that it ran."""

import asyncio
import os
import subprocess
from pathlib import Path

import pytest
from bash_bench import Bench

from toolpost import Agent
from toolpost.guard.quarantine import Quarantine
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.autorun_watch import REPOSITORY_SETTINGS
from toolpost.tools.builtin import bash, write
from toolpost.tools.commands import jobs_of
from toolpost.tools.define import ToolResult
from toolpost.tools.output import to_result
from toolpost.types.errors import ToolError
from toolpost.types.events import PermissionAsked, Reply
from toolpost.types.messages import Completed, TextPart

ENVIRON = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_EDITOR": "true",
    "GIT_CONFIG_NOSYSTEM": "1",
    **{f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}
IDENTITY = "export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b\n"
SUB = IDENTITY + "git init -q sub && cd sub && echo 1 > f && git add f && git commit -qm x && cd ..\n"
TIE = "git update-index --add --cacheinfo 160000,$(git -C sub rev-parse HEAD),sub\n"
STATUS = "git status"

# What a command does, and what the person does then. `touch MARK` is what must not happen.
PLANTED = {
    "fsmonitor": (SUB + "git -C sub config core.fsmonitor 'touch MARK;:'\n" + TIE, STATUS),
    "odd case": (SUB + "printf '[CoRe]FSmonitor=\"touch MARK;:\"\\n' >> sub/.git/config\n" + TIE, STATUS),
    "continued line": (SUB + "printf '[core]\\nfsmonitor = to\\\\\\nuch MARK;:\\n' >> sub/.git/config\n" + TIE, STATUS),
    "nested in nested": (
        SUB
        + "(cd sub && git init -q in && cd in && git commit -q --allow-empty -m x)\n"
        + "git -C sub/in config core.fsmonitor 'touch MARK;:'\n"
        + "(cd sub && git update-index --add --cacheinfo 160000,$(git -C in rev-parse HEAD),in)\n"
        + TIE,
        STATUS,
    ),
    "filter": (
        SUB
        + "cd sub; echo '* filter=x' > .gitattributes; git config filter.x.clean 'touch MARK; cat'; echo 2 > f; cd ..\n"
        + TIE,
        STATUS,
    ),
    "hook": (
        SUB + "printf '#!/bin/sh\\ntouch MARK\\n' > sub/.git/hooks/pre-commit; chmod +x sub/.git/hooks/pre-commit",
        "git -C sub commit --allow-empty -m y",
    ),
    "linked hook": (
        SUB + "printf '#!/bin/sh\\ntouch MARK\\n' > a; chmod +x a; ln -s ../../../a sub/.git/hooks/pre-commit",
        "git -C sub commit --allow-empty -m y",
    ),
    "linked hooks": (
        SUB + "mkdir h; printf '#!/bin/sh\\ntouch MARK\\n' > h/pre-commit; chmod +x h/pre-commit\n"
        "rm -r sub/.git/hooks; ln -s ../../h sub/.git/hooks",
        "git -C sub commit --allow-empty -m y",
    ),
    "hooksPath": (
        SUB + "mkdir h; printf '#!/bin/sh\\ntouch MARK\\n' > h/pre-commit; chmod +x h/pre-commit\n"
        "git -C sub config core.hooksPath ../h",
        "git -C sub commit --allow-empty -m y",
    ),
    "alias": (SUB + "git -C sub config alias.st '!touch MARK'", "git -C sub st"),
    "sshCommand": (
        SUB + "git -C sub config core.sshCommand 'touch MARK;:'; git -C sub config remote.origin.url ssh://x/y",
        "git -C sub fetch",
    ),
    "ext": (SUB + "git -C sub config remote.origin.url 'ext::touch MARK'; git -C sub config protocol.allow always",
            "git -C sub fetch"),
    "diff.external": (SUB + "git -C sub config diff.external 'touch MARK;:'; echo 2 > sub/f", "git -C sub diff"),
    "gpg.program": (
        SUB + "printf '#!/bin/sh\\ntouch MARK\\n' > a; chmod +x a; git -C sub config gpg.program $PWD/a",
        "git -C sub commit -S --allow-empty -m y",
    ),
    "include": (
        SUB + "printf '[core]\\nfsmonitor = touch MARK;:\\n' > inc; git -C sub config include.path ../../inc\n" + TIE,
        STATUS,
    ),
    "includeIf": (
        SUB + "printf '[core]\\nfsmonitor = touch MARK;:\\n' > inc\n"
        "git -C sub config 'includeIf.gitdir:/.path' ../../inc\n" + TIE,
        STATUS,
    ),
    "bare": (
        "git init -q --bare data; cd data; git config core.bare false; git config core.worktree .\n"
        "git config core.fsmonitor 'touch MARK;:'",
        "git -C data status",
    ),
    "linked config": (SUB + "cp sub/.git/config c; git config -f c core.fsmonitor 'touch MARK;:'\n"
                      "ln -sf ../../c sub/.git/config\n" + TIE, STATUS),
    "separate folder": (
        SUB + "mv sub/.git store; echo 'gitdir: ../store' > sub/.git; git -C sub config core.fsmonitor 'touch MARK;:'\n"
        + TIE,
        STATUS,
    ),
    "linked folder": (
        SUB + "mv sub/.git store; ln -s ../store sub/.git; git -C sub config core.fsmonitor 'touch MARK;:'\n" + TIE,
        STATUS,
    ),
    "submodule": (
        SUB + "mkdir -p .git/modules; mv sub/.git .git/modules/x; echo 'gitdir: ../.git/modules/x' > sub/.git\n"
        "git -C sub config core.worktree ../../../sub; git -C sub config core.fsmonitor 'touch MARK;:'\n" + TIE,
        STATUS,
    ),
    "hidden among objects": (
        SUB + "mv sub/.git .git/objects/x; echo 'gitdir: ../.git/objects/x' > sub/.git\n"
        "git -C sub config core.fsmonitor 'touch MARK;:'\n" + TIE,
        STATUS,
    ),
    "common folder": (
        "git worktree add -q wt; cp -r .git store; rm -r store/HEAD store/worktrees\n"
        "git config -f store/config core.fsmonitor 'touch MARK;:'; echo ../../../store > .git/worktrees/wt/commondir",
        "git -C wt status",
    ),
    "linked common folder": (
        "git worktree add -q wt; cp -r .git store; rm -r store/HEAD store/worktrees; echo ../../../store > c\n"
        "git config -f store/config core.fsmonitor 'touch MARK;:'; ln -sf ../../../c .git/worktrees/wt/commondir",
        "git -C wt status",
    ),
    "linked pointer": (
        SUB + "mv sub/.git .git/objects/x; mkdir -p a/b; echo 'gitdir: ../.git/objects/x' > a/b/pointer\n"
        "ln -s ../a/b/pointer sub/.git; git -C sub config core.fsmonitor 'touch MARK;:'\n" + TIE,
        STATUS,
    ),
    "hooks of the project elsewhere": (
        "mkdir -p sub/.own; echo 'gitdir: ../.git' > sub/.git; printf '#!/bin/sh\ntouch MARK\n' > sub/.own/pre-commit\n"
        "chmod +x sub/.own/pre-commit",
        "git -C sub commit --allow-empty -m y",
    ),
    "rebase": (
        IDENTITY + "git rebase -q -i --root -x 'touch MARK; false' -x 'touch MARK; false' 2>&1; true",
        "git rebase --continue",
    ),
    "direnv": ("cd ..; cd -; n=rc; echo 'touch MARK' | tee .env$n", ". ./.envrc"),
    "husky": ("mkdir .husky; echo 'touch MARK' > .husky/pre-commit", ". .husky/pre-commit"),
    "editor": ("mkdir .vscode; echo 'touch MARK' > .vscode/tasks.json", "sh .vscode/tasks.json"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    return tmp_path / "data"


class Mark:
    """A file outside the project that stands for what ran."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def __str__(self) -> str:
        return str(self._path)

    @property
    def ran(self) -> bool:
        return self._path.exists()

    def clear(self) -> None:
        self._path.unlink(missing_ok=True)


@pytest.fixture
def mark(tmp_path: Path) -> Mark:
    return Mark(tmp_path / "ran")


def repository(folder: Path) -> Path:
    folder.mkdir()
    do(
        "git init -q; echo 1 > file; git add file; git commit -qm first; echo 2 > file; git commit -qam second\n"
        "git config core.hooksPath .own",
        folder,
    )
    return folder


def do(command: str, folder: Path) -> str:
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=ENVIRON, capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


def bench(folder: Path, *denied: str) -> Bench:
    return Bench(folder, denied=denied or (REPOSITORY_SETTINGS,))


@pytest.mark.parametrize("name", PLANTED)
async def test_what_a_command_planted_does_not_run(name: str, tmp_path: Path, mark: Mark) -> None:
    script, act = (text.replace("MARK", str(mark)) for text in PLANTED[name])
    bare = repository(tmp_path / "bare")
    said = do(script, bare)
    mark.clear()
    said += do(act, bare)
    assert mark.ran, f"this is no attack: {said}"
    mark.clear()
    project = repository(tmp_path / "project")
    run = bench(project)
    said = await run(script)
    after = do(act, project)
    assert not mark.ran, (said, after)
    assert "moved to quarantine" in said
    assert "toolpost quarantine restore" in said
    assert REPOSITORY_SETTINGS in dict(run.asked)


@pytest.mark.parametrize("name", PLANTED)
async def test_what_a_person_allows_is_put_back_as_it_was(name: str, tmp_path: Path, mark: Mark) -> None:
    script, act = (text.replace("MARK", str(mark)) for text in PLANTED[name])
    project = repository(tmp_path / "project")
    run = bench(project, "nothing")
    said = await run(script)
    assert "quarantine" not in said
    mark.clear()
    after = do(act, project)
    assert mark.ran, (said, after)
    assert Quarantine(project).batches() == []


LEGITIMATE = {
    "clone": "git clone -q . copy 2>&1",
    "bare clone": "git clone -q --bare . copy.git 2>&1",
    "mirror": "git clone -q --mirror . copy.git 2>&1",
    "init": "git init -q sub; git init -q --bare b.git",
    "commit": SUB + TIE,
    "worktree": "git worktree add -q wt 2>&1",
    "alternates": "git clone -q --shared . copy 2>&1",
    "partial": "git clone -q --depth 1 --filter=blob:none file://$PWD copy 2>&1",
    "sparse": "git clone -q --sparse . copy 2>&1",
    "remotes": SUB + "git -C sub remote add up https://example.org/x.git; git -C sub remote add l ../y",
    "branches": SUB + "cd sub; git checkout -q -b x; git branch -q --set-upstream-to=master x; git config user.name me",
    "submodule in a nested one": SUB
    + "git init -q lib; (cd lib; git commit -q --allow-empty -m x); cd sub\n"
    + "git -c protocol.file.allow=always submodule add -q ../lib lib 2>&1; git commit -qm lib",
    "decoys": "mkdir -p a/refs a/objects; echo x > a/config; mkdir hooks; echo x > hooks/pre-commit; echo x > HEAD",
    "package": 'mkdir -p node_modules/x; echo \'{"scripts": {"a": "b"}}\' > node_modules/x/package.json',
}


@pytest.mark.parametrize("name", LEGITIMATE)
async def test_ordinary_repositories_are_left_alone(name: str, tmp_path: Path) -> None:
    run = bench(repository(tmp_path / "project"))
    run.environ = dict(ENVIRON)
    result = await run.call("bash", command=f"set -e\n{LEGITIMATE[name]}")
    assert result.details == {"exit_code": 0, "network": False, "spilled": ""}, result.content
    assert [permission for permission, _ in run.asked if permission == REPOSITORY_SETTINGS] == []
    assert Quarantine(run.bench.project_files.root).batches() == []


async def test_the_rest_of_the_settings_stays(tmp_path: Path) -> None:
    run = bench(repository(tmp_path / "project"))
    await run(SUB + "git -C sub remote add origin https://example.org/x.git; git -C sub config core.pager x")
    kept = do("git -C sub config --list --local", run.bench.project_files.root)
    assert "remote.origin.url=https://example.org/x.git" in kept
    assert "core.bare=false" in kept
    assert "core.pager" not in kept


async def test_settings_that_were_there_before_stay(tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    do(SUB + "git -C sub config core.pager mine; echo '#' > sub/.git/hooks/pre-push", project)
    run = bench(project)
    said = await run("git -C sub config user.name me; git -C sub config core.editor x")
    assert "core.editor" in said
    assert "core.pager" not in said
    kept = do("git -C sub config --list --local", project)
    assert "core.pager=mine" in kept
    assert "user.name=me" in kept
    assert "core.editor" not in kept
    assert (project / "sub/.git/hooks/pre-push").exists()


async def test_a_file_that_the_projects_settings_include_is_watched(tmp_path: Path, mark: Mark) -> None:
    project = repository(tmp_path / "project")
    do(
        "git config include.path ../team.inc; git config core.hooksPath githooks; mkdir githooks; touch team.inc",
        project,
    )
    run = bench(project)
    said = await run(f"printf '[core]\\nfsmonitor = touch {mark};:\\n' > team.inc; echo x > githooks/pre-commit")
    assert "team.inc (core.fsmonitor)" in said
    assert "githooks/pre-commit" in said
    do(STATUS, project)
    assert not mark.ran


async def test_a_repository_of_the_users_is_not_led_to(tmp_path: Path) -> None:
    """Its settings name files by relative paths, which would be the project's own here."""
    project, other = repository(tmp_path / "project"), repository(tmp_path / "other")
    run = bench(project)
    said = await run(f"mkdir sub; echo 'gitdir: {other}/.git' > sub/.git")
    assert "followed by git out of the project" in said
    assert not (project / "sub/.git").exists()


async def test_names_in_another_case_are_found(tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    run = bench(project)
    said = await run(SUB + "git -C sub config core.pager x; mv sub/.git sub/.GIT; mv sub/.GIT/config sub/.GIT/CONFIG")
    assert "sub/.GIT/CONFIG (core.pager)" in said


async def test_it_says_what_is_asked_for_and_a_rule_can_name_it(tmp_path: Path) -> None:
    run = bench(repository(tmp_path / "project"))
    await run(SUB + "git -C sub config core.pager 'x y'; git -C sub config core.editor " + "z" * 1_000)
    asked = dict(run.asked)[REPOSITORY_SETTINGS]
    assert asked[0].startswith("sub/.git/config core.editor=sha256 ")
    assert asked[1] == "sub/.git/config core.pager=x y"


async def test_a_command_that_is_stopped_is_looked_after(tmp_path: Path, mark: Mark) -> None:
    project = repository(tmp_path / "project")
    run = bench(project)
    script = SUB + f"git -C sub config core.fsmonitor 'touch {mark};:'\n" + TIE + "sleep 600"
    with pytest.raises(ToolError, match=r"(?s)stopped after.*moved to quarantine"):
        await run(script, timeout=3)
    do(STATUS, project)
    assert not mark.ran


async def test_a_call_that_is_cancelled_is_looked_after_and_told_with_the_next(tmp_path: Path, mark: Mark) -> None:
    project = repository(tmp_path / "project")
    run = bench(project)
    script = SUB + f"git -C sub config core.fsmonitor 'touch {mark};:'\n" + TIE + "touch ready; sleep 600"
    calling = asyncio.create_task(run(script))
    async with asyncio.timeout(20):
        while not (project / "ready").exists():  # noqa: ASYNC110 - nothing else tells that it is there
            await asyncio.sleep(0.01)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    said = await run("true")
    assert "moved to quarantine" in said
    do(STATUS, project)
    assert not mark.ran


async def test_a_job_is_looked_after_when_it_is_read_and_when_it_ends(tmp_path: Path, mark: Mark) -> None:
    project = repository(tmp_path / "project")
    run = bench(project)
    plant = f"git -C sub config core.fsmonitor 'touch {mark};:'"
    wait = "while [ ! -e NAME ]; do sleep 0.02; done\n"
    script = SUB + TIE + plant + "\ntouch one\n" + wait.replace("NAME", "two") + plant + "\ntouch three\nsleep 600"
    said = await run.text("job_start", command=script)
    async with asyncio.timeout(20):
        while not (project / "one").exists():  # noqa: ASYNC110 - nothing else tells that it is there
            await asyncio.sleep(0.01)
    said += await run.text("job_read", job="job_1")
    assert "moved to quarantine" in said
    do(STATUS, project)
    assert not mark.ran
    # What a command finds that begins after a job has planted something is new all the same.
    assert "moved to quarantine" in await run("touch two; " + wait.replace("NAME", "three"))
    (project / "three").unlink()
    await jobs_of(run.bench).close_all()
    do(STATUS, project)
    assert not mark.ran


async def test_the_end_of_a_session_looks_after_its_jobs(tmp_path: Path, mark: Mark) -> None:
    project = repository(tmp_path / "project")
    run = bench(project)
    plant = f"git -C sub config core.fsmonitor 'touch {mark};:'\n"
    await run.text("job_start", command=SUB + TIE + "touch one; while [ ! -e two ]; do sleep 0.02; done\n" + plant)
    (project / "two").touch()
    async with asyncio.timeout(20):
        await jobs_of(run.bench).get("ses", "job_1").ended.wait()
    await run.bench.close()
    do(STATUS, project)
    assert not mark.ran
    assert run.bench.watch is not None
    assert "sub/.git/config (core.fsmonitor)" in run.bench.watch.unsaid()[0]


@pytest.mark.parametrize(("answer", "ran"), [("once", True), ("always", True), ("reject", False), (None, False)])
async def test_a_person_decides_and_headless_means_no(
    answer: Reply | None, ran: bool, tmp_path: Path, mark: Mark
) -> None:
    project = repository(tmp_path / "project")
    run = bench(project)
    asked: list[PermissionAsked] = []

    async def on_ask(ask: PermissionAsked) -> Reply:
        asked.append(ask)
        return answer or "reject"

    script = SUB + f"git -C sub config core.fsmonitor 'touch {mark};:'\n" + TIE
    with ScriptedModel(call("bash", {"command": script}), text("ok")) as model:
        rules = {"bash": "allow", "edit": "allow"}
        on = on_ask if answer else None
        session = Agent(model, [bash.make(run.bench)], folder=project, permissions=rules, on_ask=on).session()
        await session.run("go")
    state = session.messages[1].calls[0].state
    assert isinstance(state, Completed)
    said = "\n".join(part.text for part in state.content if isinstance(part, TextPart))
    assert ("moved to quarantine" in said) is not ran
    do(STATUS, project)
    assert mark.ran is ran
    if answer:
        [ask] = asked
        assert ask.permission == REPOSITORY_SETTINGS
        assert ask.details == {"settings": f"sub/.git/config: core.fsmonitor = touch {mark};:"}


async def test_a_swap_while_it_is_looked_at_ends_with_nothing_that_runs(tmp_path: Path, mark: Mark) -> None:
    project = repository(tmp_path / "project")
    run = bench(project)
    swap = (
        SUB + TIE + "cp sub/.git/config good; cp good evil\n"
        f"git config -f evil core.fsmonitor 'touch {mark};:'\n"
        "while :; do for one in evil good; do cp $one sub/.git/n; mv sub/.git/n sub/.git/config; done\n"
        "mv sub other; mv other sub; done 2>/dev/null"
    )
    await run.text("job_start", command=swap)
    for _ in range(10):
        await run.text("job_read", job="job_1")
    await run.text("job_stop", job="job_1")
    do(STATUS, project)
    assert not mark.ran


async def test_what_may_have_its_reason_is_only_told(tmp_path: Path) -> None:
    run = bench(repository(tmp_path / "project"))
    script = """
mkdir -p .github/workflows tests; echo x > .github/workflows/ci.yml
echo x > conftest.py; echo x > tests/conftest.py; echo 'import os' > a.pth; echo weights > b.pth
echo '* text' > .gitattributes; mkdir sub; echo '* filter=lfs' > sub/.gitattributes; mkdir sub/.vscode
echo '{"scripts": {"postinstall": "x"}}' > package.json
"""
    result = await run.call("bash", command=script)
    assert len(result.content) == 1
    assert result.details is not None
    notices = "\n".join(result.details["notices"])
    for name in (
        ".github/workflows/ci.yml",
        "conftest.py",
        "a.pth",
        "sub/.gitattributes",
        "sub/.vscode",
        "package.json",
    ):
        assert name in notices
    for name in ("tests/conftest.py", "b.pth"):
        assert name not in notices
    again = await run.call("bash", command='echo \'{"scripts": {"postinstall": "x"}, "a": 1}\' > package.json')
    assert again.details == {"exit_code": 0, "network": False, "spilled": ""}


async def test_a_command_that_may_write_nothing_costs_no_look(tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    run = Bench(project, read_only=True)
    assert await run("cat file") == "2\n[exit code 0]"


async def test_a_repository_that_file_tools_put_together_is_taken_apart(tmp_path: Path, mark: Mark) -> None:
    project = repository(tmp_path / "project")
    run = bench(project)
    config = f"[core]\nrepositoryformatversion = 0\nworktree = .\nfsmonitor = touch {mark};:\n"
    said = ""
    for name, content in {"config": config, "HEAD": "ref: refs/heads/x\n", "refs/x": "", "objects/x": ""}.items():
        result = await written(run, f"data/{name}", content)
        said += "".join(part.text for part in result.content if isinstance(part, TextPart))
    assert "data/config (core.fsmonitor, core.worktree)" in said
    do("git -C data status", project)
    assert not mark.ran


async def test_a_file_tool_tells_of_what_acts_later(tmp_path: Path) -> None:
    run = bench(repository(tmp_path / "project"))
    told: list[object] = []
    for path, content in {
        ".github/workflows/ci.yml": "on: push",
        "src/a.py": "1",
        "a/package.json": '{"scripts": {"a": "b"}}',
        "b/package.json": "{}",
    }.items():
        told += ((await written(run, path, content)).details or {}).get("notices", [])
    assert told == [".github/workflows/ci.yml is run by GitHub", "a/package.json is run by npm as scripts"]


async def test_what_a_person_let_a_file_tool_write_stays_while_a_job_runs(tmp_path: Path) -> None:
    project = repository(tmp_path / "project")
    run = bench(project)
    await run.text("job_start", command="while [ ! -e go ]; do sleep 0.02; done; mkdir .idea; echo x > .idea/x")
    await written(run, ".vscode/tasks.json", "{}")
    await run("touch go")
    said = await run.text("job_wait", job="job_1", timeout=30)
    assert not (project / ".idea").exists()
    assert (project / ".vscode/tasks.json").read_text() == "{}", said


async def written(run: Bench, path: str, content: str) -> ToolResult:
    tool = write.make(run.bench)
    assert tool.check is not None
    return to_result(await tool.execute(tool.check({"path": path, "content": content}), run.ctx))
