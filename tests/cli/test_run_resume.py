"""`toolpost run --resume` goes on with what another process has left."""

import signal
from pathlib import Path

import pytest
from console import Console
from msgspec import structs

from toolpost import Agent, SqliteStore, tool
from toolpost.store.contract import SessionChanges
from toolpost.testing import Gate, ScriptedModel, Upstream, call, pause, text
from toolpost.types.events import ToolExecutionEnd

DEADLY = '''
import os, signal
from toolpost import tool

@tool
def die() -> str:
    """Die."""
    os.kill(os.getpid(), signal.SIGKILL)

@tool(permission="shell", patterns=lambda arguments: [arguments["command"]])
def sh(command: str) -> str:
    """Run a command."""
    return "ran"
'''
DIE, REMOVE = call("die", id="c0"), call("sh", {"command": "rm x"}, id="c1")


@tool
async def act() -> str:
    """Act."""
    return "done"


async def parked(console: Console) -> str:
    """A session of this project whose run waits for an approval."""
    store = SqliteStore(console.data / "toolpost.db")
    agent = Agent(
        ScriptedModel(call("act")),
        [act],
        store=store,
        permissions={"act": "ask"},
        interactive=True,
        park_seconds=0.0,
        folder=console.folder,
    )
    session = agent.session()
    assert (await session.run("go")).reason == "parked"
    await store.close()
    return session.id


async def killed(console: Console, *rules: str) -> str:
    """A session of this project whose run was begun with these rules, and lost its process."""
    console.tools.write_text(DEADLY)
    died = await console.run("--allow", "die", *rules, "go")
    assert died.status == -signal.SIGKILL, died.err
    store = SqliteStore(console.data / "toolpost.db")
    (session,) = [run.record.session_id async for run in store.open_runs()]
    await store.close()
    return session


async def result_of_call(console: Console, session: str, call_id: str) -> ToolExecutionEnd:
    store = SqliteStore(console.data / "toolpost.db")
    events = [event async for event in store.events(session)]
    await store.close()
    (end,) = [event for event in events if isinstance(event, ToolExecutionEnd) and event.call_id == call_id]
    return end


async def test_what_was_denied_on_the_command_line_stays_denied_when_the_run_goes_on(tmp_path: Path) -> None:
    async with Upstream(DIE, REMOVE, text("end")) as up:
        console = Console(tmp_path, up.base_url)
        (console.folder / ".toolpost" / "config.toml").write_text('[permissions]\nshell = "allow"\n')
        session = await killed(console, "--deny", "shell:rm *")
        await console.run("--resume")
    assert (await result_of_call(console, session, "c1")).error_kind == "denied"


async def test_what_was_allowed_on_the_command_line_stays_allowed_when_the_run_goes_on(tmp_path: Path) -> None:
    async with Upstream(DIE, REMOVE, text("end")) as up:
        console = Console(tmp_path, up.base_url)
        session = await killed(console, "--allow", "shell")
        done = await console.run("--resume")
    assert (done.status, done.out) == (0, "end\n"), done.err
    assert (await result_of_call(console, session, "c1")).error_kind is None


async def test_rules_that_are_given_with_resume_only_narrow(tmp_path: Path) -> None:
    both = REMOVE, call("sh", {"command": "ls"}, id="c2")
    async with Upstream(DIE, *both, text("end")) as up:
        console = Console(tmp_path, up.base_url)
        session = await killed(console, "--allow", "shell", "--deny", "shell:rm *")
        done = await console.run("--resume", "--allow", "shell:rm *", "--deny", "shell:ls")
    assert "--allow does not widen a run that goes on" in done.err
    for call_id in ("c1", "c2"):
        assert (await result_of_call(console, session, call_id)).error_kind == "denied"


async def test_the_rules_of_a_run_that_went_on_in_a_chat_end_with_it(tmp_path: Path) -> None:
    again = call("sh", {"command": "rm x"}, id="c2")
    async with Upstream(DIE, REMOVE, text("first end"), again, text("second end")) as up:
        console = Console(tmp_path, up.base_url)
        (console.folder / ".toolpost" / "config.toml").write_text('[permissions]\nshell = "allow"\n')
        session = await killed(console, "--deny", "shell:rm *")
        async with console.terminal("chat", "--tools", str(console.tools), "-s", session) as terminal:
            await terminal.seen("first end")
            await terminal.seen("\x1b[?2004h")
            terminal.type("again\r")
            await terminal.seen("second end")
            terminal.type("/exit\r")
            assert await terminal.ended() == 0
    kinds = [(await result_of_call(console, session, call_id)).error_kind for call_id in ("c1", "c2")]
    assert kinds == ["denied", None]


async def test_a_run_of_an_agent_that_is_gone_does_not_go_on_as_another_one(tmp_path: Path) -> None:
    async with Upstream(DIE) as up:
        console = Console(tmp_path, up.base_url)
        agent = console.folder / ".toolpost" / "agents" / "reader.md"
        agent.parent.mkdir()
        agent.write_text("---\ndescription: Read\n---\nRead.\n")
        await killed(console, "--agent", "reader")
        agent.unlink()
        done = await console.run("--resume")
    assert done.status == 2
    assert "the agent reader of this run is gone" in done.err


async def test_a_chat_does_not_go_on_as_another_agent_where_that_of_a_run_is_gone(tmp_path: Path) -> None:
    async with Upstream(DIE) as up:
        console = Console(tmp_path, up.base_url)
        agent = console.folder / ".toolpost" / "agents" / "reader.md"
        agent.parent.mkdir()
        agent.write_text("---\ndescription: Read\ntools: [die]\n---\nRead.\n")
        session = await killed(console, "--allow", "shell", "--agent", "reader")
        agent.unlink()
        async with console.terminal("chat", "--tools", str(console.tools), "-s", session) as terminal:
            await terminal.seen("--agent names")
            terminal.type("/exit\r")
            assert await terminal.ended() == 0
        assert len(up.requests) == 1


async def test_a_chat_in_another_folder_does_not_go_on_with_a_run(tmp_path: Path) -> None:
    async with Upstream(DIE, REMOVE, text("end")) as up:
        console = Console(tmp_path, up.base_url)
        session = await killed(console, "--allow", "shell")
        first, console.folder = console.folder, tmp_path / "other"
        (console.folder / ".toolpost").mkdir(parents=True)
        async with console.terminal("chat", "--tools", str(console.tools), "-s", session) as terminal:
            await terminal.seen("belongs to the folder")
            terminal.type("/exit\r")
            assert await terminal.ended() == 0
        assert len(up.requests) == 1
        console.folder = first
        done = await console.run("--resume", "-s", session)
        assert (done.status, done.out) == (0, "end\n"), done.err


async def test_a_run_does_not_go_on_without_the_denies_of_a_folder_that_is_not_trusted_any_more(tmp_path: Path) -> None:
    async with Upstream(DIE, REMOVE, text("end")) as up:
        console = Console(tmp_path, up.base_url)
        settings = console.folder / ".toolpost" / "config.toml"
        settings.write_text('[permissions.shell]\n"rm *" = "deny"\n')
        session = await killed(console)
        settings.write_text(settings.read_text() + "# changed\n")
        console.trusted = False
        done = await console.run("--resume", "--allow", "shell")
        assert (done.status, "not trusted any more" in done.err) == (2, True), done.err
        console.trusted = True
        done = await console.run("--resume")
    assert (done.status, done.out) == (0, "end\n"), done.err
    assert (await result_of_call(console, session, "c1")).error_kind == "denied"


async def test_what_waits_for_a_person_is_not_answered_by_the_policy(tmp_path: Path) -> None:
    console = Console(tmp_path)
    session = await parked(console)
    done = await console.call("run", "--resume", "-s", session)
    assert done.status == 2
    assert "this run waits for a person" in done.err
    store = SqliteStore(console.data / "toolpost.db")
    record = await store.open_run(session)
    await store.close()
    assert record is not None
    assert record.state == "waiting"


@pytest.mark.parametrize(("home", "owner"), [("server", ""), ("", "anna"), ("server", "anna")])
async def test_the_runs_of_a_server_and_its_users_do_not_go_on_with_the_rights_of_this_machine(
    tmp_path: Path, home: str, owner: str
) -> None:
    console = Console(tmp_path)
    session = await parked(console)
    store = SqliteStore(console.data / "toolpost.db")
    record = await store.open_run(session)
    assert record is not None
    changed = structs.replace(record, home=home, state="interrupted")
    info = structs.replace(await store.info(session), owner=owner)
    lease = await store.lease(session)
    await store.commit(SessionChanges(session, info, run=changed))
    lease.release()
    named = await console.call("run", "--resume", "-s", session)
    assert (named.status, "belongs to a server" in named.err) == (2, True)
    newest = await console.call("run", "--resume")
    assert (newest.status, "no run of this project was interrupted" in newest.err) == (2, True)
    assert await store.open_run(session) == changed
    await store.close()


async def test_a_prompt_says_that_it_closes_the_run_that_was_interrupted(tmp_path: Path) -> None:
    async with Upstream(DIE, text("end")) as up:
        console = Console(tmp_path, up.base_url)
        session = await killed(console)
        done = await console.run("-s", session, "something else")
    assert (done.status, done.out) == (0, "end\n")
    assert "the run that was interrupted here is closed; --resume would have gone on with it" in done.err


async def test_the_trace_of_a_call_that_was_running_does_not_say_that_it_did_not_run(tmp_path: Path) -> None:
    async with Upstream(DIE, text("end")) as up:
        console = Console(tmp_path, up.base_url)
        session = await killed(console)
        assert (await console.run("-s", session, "--resume")).status == 0
        told = await console.call("trace", session)
    assert "die interrupted, not finished" in told.out
    assert "not run" not in told.out


async def test_a_prompt_says_that_it_closes_the_run_that_waited(tmp_path: Path) -> None:
    async with Upstream(text("end")) as up:
        console = Console(tmp_path, up.base_url)
        session = await parked(console)
        store = SqliteStore(console.data / "toolpost.db")
        info, record = await store.info(session), await store.open_run(session)
        assert record is not None
        # As it stands where the process died while it asked.
        lease = await store.lease(session)
        await store.commit(SessionChanges(session, info, run=structs.replace(record, state="interrupted")))
        lease.release()
        await store.close()
        done = await console.run("-s", session, "something else")
    assert (done.status, done.out) == (0, "end\n")
    assert "the run that waited for an answer here is closed" in done.err
    assert "interrupted" not in done.err


async def test_a_prompt_beside_a_run_of_another_process_closes_nothing_and_says_nothing_of_it(tmp_path: Path) -> None:
    gate = Gate()
    async with Upstream(text("first ") + pause(gate) + text("last")) as up:
        console = Console(tmp_path, up.base_url)
        driving = await console.start("run", "go")
        await gate.reached.wait()
        done = await console.run("-c", "x")
        assert done.status == 1
        assert "has a run in another process" in done.err
        assert "is closed" not in done.err
        gate.open()
        out, _ = await driving.communicate()
    assert (driving.returncode, out) == (0, b"first last\n")


async def test_a_run_that_is_not_to_go_on_is_closed(tmp_path: Path) -> None:
    async with Upstream(DIE) as up:
        console = Console(tmp_path, up.base_url)
        (tmp_path / ".config" / "toolpost").mkdir(parents=True)
        (tmp_path / ".config" / "toolpost" / "config.toml").write_text('resume = "never"\n')
        session = await killed(console)
        done = await console.run("--resume")
    assert done.status == 2
    assert 'is closed, as resume = "never" says' in done.err
    store = SqliteStore(console.data / "toolpost.db")
    assert (await store.info(session)).open_run is None
    await store.close()


async def test_without_an_interrupted_run_there_is_nothing_to_resume(tmp_path: Path) -> None:
    done = await Console(tmp_path).call("run", "--resume")
    assert done.status == 2
    assert "no run of this project was interrupted" in done.err


async def test_a_prompt_and_resume_exclude_each_other(tmp_path: Path) -> None:
    done = await Console(tmp_path).call("run", "--resume", "go on")
    assert done.status == 2
    assert "leave out the prompt" in done.err
