"""The tool `bash`: what comes back, what is asked, and what is left when it ends."""

import asyncio
import os
import secrets
import shutil
import socket
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest
from bash_bench import Bench, gone, running

from toolpost import Agent, Answer
from toolpost.guard.sandbox.sandbox import MissingSandbox
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.builtin import bash
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import PermissionDenied, ToolError


@pytest.fixture
def run(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "project")


@pytest.fixture
def mark() -> str:
    """A time to sleep that nobody else sleeps for."""
    return f"5{secrets.randbelow(10**6)}.{secrets.randbelow(10**6)}"


async def test_output_and_exit_code_come_back(run: Bench) -> None:
    assert await run("echo out; echo err >&2; exit 3") == "out\nerr\n[exit code 3]"
    assert await run("true") == "(no output)\n[exit code 0]"


async def test_the_result_has_details_and_a_title_for_people(run: Bench) -> None:
    result = await run.call("bash", command="false", description="Fail on purpose")
    assert result.title == "Fail on purpose"
    assert result.details == {"exit_code": 1, "network": False, "spilled": ""}


async def test_output_is_shown_while_the_command_runs(run: Bench) -> None:
    seen = asyncio.Event()
    run.ctx = run.ctx.__class__(*_with_update(run, lambda shown: seen.set() if "first" in shown else None))
    calling = asyncio.create_task(run("echo first; while [ ! -e go ]; do sleep 0.05; done; echo second"))
    await asyncio.wait_for(seen.wait(), 10)
    (run.bench.project_files.root / "go").touch()
    assert await calling == "first\nsecond\n[exit code 0]"


async def test_it_runs_in_the_project_or_in_a_folder_of_it(run: Bench) -> None:
    root = run.bench.project_files.root
    (root / "sub").mkdir()
    assert await run("pwd") == f"{root}\n[exit code 0]"
    assert await run("pwd", workdir="sub") == f"{root / 'sub'}\n[exit code 0]"
    with pytest.raises(ToolError, match="not a folder"):
        await run("pwd", workdir="nowhere")


@pytest.mark.parametrize("tool", ["bash", "job_start"])
@pytest.mark.parametrize("command", ["  \n", "echo a\0b", "echo \ud800", "echo " + "x" * 200_000])
async def test_what_no_shell_could_be_given_is_invalid(run: Bench, tool: str, command: str) -> None:
    with pytest.raises(ToolError) as failed:
        await run.text(tool, command=command)
    assert failed.value.kind == "invalid"


async def test_a_time_that_is_no_number_does_not_last_for_ever(run: Bench) -> None:
    begun = time.monotonic()
    with pytest.raises(ToolError, match=r"stopped after 0\.1 s"):
        await run("sleep 60", timeout=float("nan"))
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(
    "command", ["git commit -v", "top", "python3", "read x; cat", "sh -i", "git commit", "cat /dev/tty", "vi -es x"]
)
async def test_a_program_that_wants_a_terminal_ends_at_once(run: Bench, command: str) -> None:
    if shutil.which(command.split()[0]) is None and not command.startswith("read"):
        pytest.skip("it is not installed")
    await run_in_thread(lambda: subprocess.run(["git", "init", "-q", str(run.bench.project_files.root)], check=True))
    run.environ = {"EDITOR": "vi", "VISUAL": "vi", "GIT_EDITOR": "vi", "TERM": "xterm"}
    assert "[exit code" in await run(f"echo x > y; git add y; {command}", timeout=30)


async def test_an_editor_that_fills_the_screen_is_not_waited_for(run: Bench) -> None:
    for command in ("vi x", "echo a && /usr/bin/vim x", "bash -c 'nvim'"):
        with pytest.raises(ToolError, match="waits for a terminal") as failed:
            await run(command)
        assert failed.value.kind == "invalid"


async def test_a_command_that_looks_at_its_input_finds_none(run: Bench) -> None:
    assert await run("test -p /dev/stdin && echo a pipe; readlink /proc/self/fd/0") == "/dev/null\n[exit code 0]"


async def test_the_environment_is_the_calls_own(run: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_SECRET", "precious")
    said = await run("echo $GREETING; env; cat /proc/*/environ | tr '\\0' '\\n'")
    assert said.startswith("hello\n")
    assert "precious" not in said


async def test_a_timeout_says_what_there_was_and_ends_the_tree(run: Bench, mark: str) -> None:
    begun = time.monotonic()
    with pytest.raises(ToolError, match=r"(?s)started.*stopped after 1 s") as failed:
        await run(f"trap '' TERM; (setsid sleep {mark} &); echo started; sleep {mark}", timeout=1)
    assert failed.value.kind == "timeout"
    assert time.monotonic() - begun < 8
    await gone(mark)


async def test_the_longest_timeout_is_the_limit(tmp_path: Path) -> None:
    run = Bench(tmp_path, limits={"bash_seconds_max": 0.5})
    with pytest.raises(ToolError, match=r"stopped after 0\.5 s"):
        await run("sleep 60", timeout=10_000)


async def test_a_cancelled_call_ends_the_tree(run: Bench, mark: str) -> None:
    calling = asyncio.create_task(run(f"env -i setsid sleep {mark} & nohup sleep {mark} & sleep {mark}"))
    async with asyncio.timeout(10):
        while len(running(mark)) < 3:  # noqa: ASYNC110 - nothing else tells that they have begun
            await asyncio.sleep(0.01)
    calling.cancel()
    with pytest.raises(asyncio.CancelledError):
        await calling
    await gone(mark)
    assert sorted(path.name for path in run.bench.project_files.root.iterdir()) == []


async def test_a_child_in_the_background_holds_nothing_up(run: Bench, mark: str) -> None:
    begun = time.monotonic()
    assert await run(f"sleep {mark} & setsid sleep {mark} & echo done") == "done\n[exit code 0]"
    assert time.monotonic() - begun < 10
    await gone(mark)


async def test_a_flood_is_bounded_and_kept_in_a_file(tmp_path: Path) -> None:
    run = Bench(tmp_path / "project", outputs=tmp_path / "outputs")
    said = await run("yes 0123456789abcdef | head -c 40000000; echo; echo the end")
    assert len(said.encode()) <= 50_000
    assert len(said.splitlines()) <= 2_000
    assert said.endswith("the end\n[exit code 0]")
    assert "left out here" in said
    assert sum(map(len, run.live)) < 1_000_000
    assert run.live[-1].endswith("\nthe end\n")
    (kept,) = (tmp_path / "outputs").rglob("*.txt")
    assert kept.stat().st_size > 40_000_000


async def test_only_the_project_is_written(run: Bench, tmp_path: Path) -> None:
    said = await run(f'x={tmp_path}/outside; echo bad > "$x"; echo good > inside; mkdir .toolpost .git/hooks')
    assert (run.bench.project_files.root / "inside").read_text() == "good\n"
    assert not (tmp_path / "outside").exists()
    assert "File exists" in said or "Read-only" in said
    assert [path.name for path in run.bench.project_files.root.iterdir()] == ["inside"]


async def test_a_read_only_agent_changes_nothing(tmp_path: Path) -> None:
    run = Bench(tmp_path / "project", read_only=True)
    (tmp_path / "project" / "file").write_text("old")
    said = await run("cat file; x=file; echo new > $x; rm -f file")
    assert said.startswith("old")
    assert (tmp_path / "project" / "file").read_text() == "old"


async def test_without_a_sandbox_it_refuses_and_says_why(tmp_path: Path) -> None:
    run = Bench(tmp_path, sandbox=MissingSandbox("nothing works here"))
    with pytest.raises(ToolError, match=r"nothing works here.*install bubblewrap") as failed:
        await run("touch file")
    assert failed.value.kind == "denied"
    assert not (tmp_path / "file").exists()


async def test_the_user_can_do_without_a_sandbox(tmp_path: Path, mark: str) -> None:
    run = Bench(tmp_path, sandbox=None, settings={"sandbox": "off"})
    assert await run(f"setsid sleep {mark} & touch .mcp.json; echo $GREETING") == "hello\n[exit code 0]"
    assert (tmp_path / ".mcp.json").is_file()
    await gone(mark)


async def test_without_a_sandbox_no_folder_is_private(tmp_path: Path) -> None:
    run = Bench(tmp_path / "project", sandbox=None, settings={"sandbox": "off"}, denied=["external_directory"])
    with pytest.raises(PermissionDenied):
        await run(f"echo hi > {tmp_path}/file")
    assert not (tmp_path / "file").exists()


async def test_without_a_sandbox_the_tree_ends_even_if_its_keeper_is_killed(tmp_path: Path, mark: str) -> None:
    run = Bench(tmp_path, sandbox=None, settings={"sandbox": "off"})
    said = await run(f"setsid sleep {mark} & kill -9 $PPID; sleep {mark}")
    assert said == "(no output)\n[killed by signal 9]"
    await gone(mark)


async def test_a_write_outside_is_asked_for_and_then_works(tmp_path: Path) -> None:
    outside = _visible(tmp_path)
    try:
        run = Bench(tmp_path / "project")
        assert "[exit code 0]" in await run(f"echo hi > {outside}/file")
        assert run.asked == [("external_directory", (f"{outside}/*",))]
        assert (outside / "file").read_text() == "hi\n"
        refused = Bench(tmp_path / "project", denied=["external_directory"])
        with pytest.raises(PermissionDenied):
            await refused(f"echo bad > {outside}/file")
        assert (outside / "file").read_text() == "hi\n"
    finally:
        for path in outside.iterdir():
            path.unlink()
        outside.rmdir()


async def test_the_private_folder_needs_no_question(run: Bench) -> None:
    assert "hi" in await run("ls -A /tmp | grep -v project; echo hi > /tmp/x-$$; echo hi > /tmp/x; cat /tmp/x")
    assert run.asked == []
    assert "No such file" in await run("cat /tmp/x")


def _asking(run: Bench) -> Bench:
    """The same, where no rule allows anything beforehand."""
    run.ctx = replace(run.ctx, decide=lambda permission, pattern: "ask")
    return run


async def test_a_secret_is_shown_only_to_a_command_that_was_allowed_to_read_it(run: Bench) -> None:
    run, root = _asking(run), run.bench.project_files.root
    (root / ".env").write_text("KEY=precious\n")
    (root / "key.pem").write_text("KEY=other\n")
    assert "precious" not in await run("cat .e*; grep -r KEY .; python3 -c 'print(open(\".env\").read())'")
    assert run.asked == []
    assert "precious" in await run("cat .env; cat *.pem")
    assert "other" not in await run("sh -c 'cat .e*' && cat .env; cat *.pem")
    assert await run("sh -c 'cat .e*'", secrets=[".env"]) == "KEY=precious\n[exit code 0]"
    assert set(run.asked) == {("secret", (".env",))}
    refused = Bench(root, denied=["secret"])
    with pytest.raises(PermissionDenied):
        await refused("npm test", secrets=[".env"])


async def test_a_failure_that_the_sandbox_made_says_so(run: Bench) -> None:
    run, root = _asking(run), run.bench.project_files.root
    (root / "key.pem").write_text("KEY=precious\n")
    said = await run("python3 -c 'open(\"key.pem\")'")
    assert said.endswith("[exit code 1]\n[hidden from commands: key.pem. If it is needed, name it in secrets]")
    said = await run("python3 -c 'import socket; socket.create_connection((\"example.org\", 80))'")
    assert said.endswith("[there is no network here. If it is needed, set network]")
    assert "[hidden" not in await run("false")


async def test_what_is_written_beside_the_project_is_no_success(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    run = Bench(tmp_path / "work" / "project")
    said = await run('python3 -c \'open("../new", "w")\'')
    assert "Read-only file system" in said
    assert "[exit code 1]" in said


async def test_git_works_where_fixtures_are_named_like_secrets(run: Bench) -> None:
    """What git has stored as it is can be read there, so it is not hidden; what was changed since is."""
    run, root = _asking(run), run.bench.project_files.root
    (root / "tests").mkdir()
    for name in ("tests/key.pem", ".env.test", "code.py"):
        (root / name).write_text(f"content of {name}\n")
    script = "git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm first"
    await run_in_thread(lambda: subprocess.run(["sh", "-ec", script], cwd=root, check=True))
    (root / ".env").write_text("KEY=precious\n")
    said = await run(
        "cat tests/k* .e*; git status --short; echo x >> code.py; git -c user.name=a -c user.email=a@b commit -qam two"
    )
    assert "content of tests/key.pem" in said
    assert "precious" not in said
    assert "[exit code 0]" in said
    (root / ".env.test").write_text("KEY=precious\n")
    assert "precious" not in await run("cat .e*; git diff")
    for line in ("git update-index --add --cacheinfo 100644,$(git rev-parse HEAD:code.py),.env", "git add -f .env"):
        assert "precious" not in await run(f"{line}; git stash list; cat .e*")
        assert "precious" not in await run("cat .e*; git show :.env")


async def test_a_rule_shows_a_secret_to_every_command(run: Bench) -> None:
    root = run.bench.project_files.root
    (root / "tests").mkdir()
    (root / "tests" / "key.pem").write_text("KEY=fixture\n")
    (root / ".env").write_text("KEY=precious\n")
    allowed = {("secret", "tests/key.pem")}
    run.ctx = replace(run.ctx, decide=lambda *asked: "allow" if asked in allowed else "ask")
    said = await run("cat tests/k*; cat .e*")
    assert "fixture" in said
    assert "precious" not in said


async def test_a_file_outside_that_is_not_shown_is_asked_for_and_then_read(run: Bench, tmp_path: Path) -> None:
    outside = Path("/var/lib") if os.geteuid() == 0 else tmp_path
    data = outside / f"toolpost-{secrets.token_hex(4)}.csv"
    data.write_text("one,two\n")
    try:
        run = _asking(run)
        assert "one,two" in await run(f"cat {data}")
        assert run.asked == ([("external_directory", (f"{outside}/*",))] if os.geteuid() == 0 else [])
        assert "one,two" not in await run(f"sh -c 'cat {outside}/toolpost-*'")
        refused = Bench(run.bench.project_files.root, denied=["external_directory"])
        if os.geteuid() == 0:
            with pytest.raises(PermissionDenied):
                await refused(f"cat {data}")
    finally:
        data.unlink()


async def test_what_is_shown_anyway_is_not_asked_for(run: Bench) -> None:
    said = await _asking(run)(
        "cat /etc/passwd /usr/bin/env > /dev/null; ls / /tmp ~ > /dev/null; head -1 /proc/meminfo"
    )
    assert "MemTotal" in said
    assert run.asked == []


async def test_reading_a_secret_is_asked_for_and_writing_one_refused(tmp_path: Path) -> None:
    run = Bench(tmp_path, denied=["secret"])
    (tmp_path / ".env").write_text("KEY=precious")
    with pytest.raises(PermissionDenied):
        await run("cat .env")
    assert run.asked == [("secret", (".env",))]
    with pytest.raises(PermissionDenied):
        await run("echo KEY=bad > .env")
    assert (tmp_path / ".env").read_text() == "KEY=precious"


async def test_the_network_is_asked_for(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        connect = f"exec 3<>/dev/tcp/127.0.0.1/{server.getsockname()[1]} && echo reached"
        assert "reached" not in await Bench(tmp_path)(f"{connect} 2>&1")
        run = Bench(tmp_path)
        assert "reached" in await run(connect, network=True)
        assert ("bash_network", (connect,)) in run.asked
        with pytest.raises(PermissionDenied):
            await Bench(tmp_path, denied=["bash_network"])(connect, network=True)
        always = Bench(tmp_path, settings={"network": True})
        assert "reached" in await always(connect)
        assert always.asked == []


async def test_an_engine_asks_with_every_command_and_saves_prefixes(tmp_path: Path) -> None:
    run = Bench(tmp_path)
    asked = []

    async def on_ask(ask):
        asked.append((ask.permission, ask.patterns, ask.always))
        return Answer("always")

    script = [call("bash", {"command": "echo a | sort"}), call("bash", {"command": "sort x; echo b c"}), text("ok")]
    with ScriptedModel(*script) as model:
        agent = Agent(model, [bash.make(run.bench)], folder=tmp_path, permissions={"bash": "ask"}, on_ask=on_ask)
        await agent.run("go")
    assert asked == [("bash", ("echo a", "sort"), ("echo *", "sort *"))]


async def test_a_denied_part_stops_the_whole_line(tmp_path: Path) -> None:
    run = Bench(tmp_path)
    rules = {"bash": {"*": "allow", "rm *": "deny"}}
    (tmp_path / "file").write_text("precious")
    with ScriptedModel(call("bash", {"command": "echo $(echo x; r''m file)"}), text("ok")) as model:
        session = Agent(model, [bash.make(run.bench)], folder=tmp_path, permissions=rules).session()
        await session.run("go")
    state = session.messages[1].calls[0].state
    assert state.kind == "denied"
    assert (tmp_path / "file").exists()


def _visible(tmp_path: Path) -> Path:
    """A folder that is not among those that a sandbox replaces with its own, where there is one."""
    place = next((Path(name) for name in ("/opt", "/srv") if os.access(name, os.W_OK)), tmp_path)
    folder = place / f"toolpost-{secrets.token_hex(4)}"
    folder.mkdir()
    if place == tmp_path:
        folder.rmdir()
        pytest.skip("no place outside the project can be written")
    return folder


def _with_update(run: Bench, on_update):
    ctx = run.ctx

    def update(shown, details):
        on_update(shown)

    return (ctx.session_id, ctx.message_id, ctx.call_id, ctx.folder, update, ctx.asker, ctx.environ, ctx.read_only)
