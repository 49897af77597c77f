"""The sessions of a `toolpost serve` process for a face elsewhere: watched, answered, stopped, found again."""

import asyncio
import base64
import contextlib
import hashlib
from urllib.parse import urlsplit

import pytest
from attached import attached, begun, shown, within
from console import Console
from served import TOKEN, serving

from toolpost.testing import Gate, Upstream, call, pause, text
from toolpost.types.errors import ConfigError, ToolpostError
from toolpost.types.messages import FilePart

PIXEL = b"\x89PNG\r\n\x1a\n" + bytes(20)
WRITE = call("write", {"path": "a.txt", "content": "new\n"})


@pytest.fixture
def serve(tmp_path):
    """Enter with the turns of its model: a server as a process, its model's upstream, and its console."""

    @contextlib.asynccontextmanager
    async def begin(*turns, config="", arguments=()):
        async with Upstream(*turns) as up:
            console = Console(tmp_path, up.base_url)
            (console.folder / ".git").mkdir(exist_ok=True)
            (console.folder / ".toolpost" / "config.toml").write_text(config)
            async with serving(console, *arguments) as served:
                yield served, up, console

    return begin


async def test_a_run_that_another_client_began_is_watched_live(serve):
    gate = Gate()
    async with serve(text("It is") + pause(gate) + text(" sunny."), text("Bye.")) as (served, _, _):
        session = await begun(served, "How is Tokyo?")
        await within(gate.reached.wait())
        async with attached(served.url, session=session) as (control, face):
            assert (face.prompts, control.view.facts.state) == (["How is Tokyo?"], "busy")
            await face.until(lambda: face.of("text") and face.answer == "It is")
            gate.open()
            await face.idle()
            assert face.answer == "It is sunny."
            assert face.kinds == ["prompt", "text", "run_end"]
            await served.ask("POST", f"/api/sessions/{session}/prompts", json={"text": "Thanks"})
            await face.until(lambda: len(face.of("run_end")) == 2)
            assert (face.prompts, face.answer) == (["How is Tokyo?", "Thanks"], "Bye.")
            await face.until(lambda: control.view.facts.usage.total > 0)
            assert control.view.facts.title
            live = shown(control.view)
        async with attached(served.url, newest=True) as (control, _):
            # What is stored reads as what was heard.
            assert control.session_id == session
            assert shown(control.view) == live


async def test_a_prompt_of_its_own_begins_a_session_with_what_was_chosen(serve):
    async with (
        serve(text("Hello Ann."), text("Hello again.")) as (served, up, _),
        attached(served.url) as (control, face),
    ):
        assert (control.has_begun, face.opened, control.view.facts.model) == (False, 1, "openai/scripted")
        assert {"rename", "stored", "files", "variants"} <= control.features
        await control.use_agent("build")
        await control.prompt("I am Ann")
        await face.until(lambda: face.of("run_end"))
        await face.idle()
        assert (face.answer, control.has_begun, control.view.facts.agent) == ("Hello Ann.", True, "build")
        assert [row.is_current for row in await control.agents() if row.name == "build"] == [True]
        await control.rename("Greetings")
        await face.until(lambda: control.view.facts.title == "Greetings")
        (row,) = await control.sessions()
        assert (row.id, row.title, row.state) == (control.session_id, "Greetings", "idle")
        await control.retry()
        await face.until(lambda: face.of("text") and face.answer == "Hello again.")
        await face.idle()
        assert face.prompts == ["I am Ann"]
        assert "Hello again." in await control.export()
        names = [tool["function"]["name"] for tool in up.requests[0].body["tools"]]
        assert "bash" in names


async def test_an_approval_is_answered_and_the_file_changes_there(serve):
    async with serve(WRITE, text("done"), config='agent = "build"\n') as (served, _, console):
        session = await begun(served, "write it", agent="build")
        async with attached(served.url, session=session) as (control, face):
            ask = await face.asked()
            assert (ask.permission, ask.patterns) == ("edit", ("a.txt",))
            await control.reply(ask.id, "once")
            await face.until(lambda: face.of("run_end"))
            await face.idle()
            assert (console.folder / "a.txt").read_text() == "new\n"
            assert [file.path for file in await control.changed_files()] == ["a.txt"]
            with pytest.raises(ToolpostError, match="no open ask"):
                await control.reply(ask.id, "once")
            undone = await control.undo()
            assert (undone.text, [file.path for file in undone.files]) == ("write it", ["a.txt"])
            assert (list(control.view.items), face.opened) == ([], 2)
            assert await control.undo_files(undone.message_id) == "undone: a.txt"
            assert not (console.folder / "a.txt").exists()
            assert await control.redo_files() == "redone: a.txt"


async def test_the_mode_edits_answers_what_asks_for_changes_of_files(serve):
    shell = call("bash", {"command": "true"})
    async with (
        serve(WRITE, shell, text("done"), arguments=("--agent", "build")) as (served, _, console),
        attached(served.url) as (control, face),
    ):
        await control.use_mode("edits")
        assert (control.mode, control.view.facts.mode) == ("edits", "edits")
        await control.prompt("write it")
        await face.until(lambda: any(ask.permission == "bash" for ask in control.view.asks))
        assert (console.folder / "a.txt").read_text() == "new\n"
        await control.reply(control.view.asks[0].id, "reject", "not now")
        await face.until(lambda: face.of("run_end"))
        assert face.answer == "done"
        await control.use_mode("plan")
        assert (control.view.facts.agent, control.view.facts.mode) == ("plan", "plan")
        await control.use_mode("ask")
        assert (control.view.facts.agent, control.mode) == ("build", "ask")


async def test_a_question_is_answered(serve):
    question = call("question", {"questions": [{"question": "Which?", "options": ["red", "blue"]}]})
    async with (
        serve(question, text("blue it is"), arguments=("--agent", "build")) as (served, up, _),
        attached(served.url) as (control, face),
    ):
        await control.prompt("go")
        ask = await face.asked()
        await control.answer(ask.id, [("blue",)])
        await face.until(lambda: face.of("run_end"))
        assert "blue" in str(up.requests[1].body["messages"][-1])


async def test_a_run_is_stopped_and_prompts_wait_and_are_taken_back(serve):
    gate = Gate()
    async with (
        serve(text("one") + pause(gate), text("two") + pause(Gate())) as (served, _, _),
        attached(served.url) as (control, face),
    ):
        await control.prompt("first")
        await within(gate.reached.wait())
        with pytest.raises(ToolpostError, match="session"):
            await control.prompt("at once")
        await control.put("never", steer=False)
        await control.put("later", steer=False)
        await face.until(lambda: len(control.view.facts.queue) == 2)
        queue = control.view.facts.queue
        assert [one.text for one in queue] == ["never", "later"]
        assert await control.unqueue(queue[0].id) == "never"
        assert await control.unqueue(queue[0].id) == ""
        gate.open()
        await face.until(lambda: face.prompts == ["first", "later"] and face.answer == "two")
        await control.stop()
        await face.idle()
        assert face.of("run_end")[-1].reason == "aborted"
        assert control.view.facts.queue == ()


async def test_a_sub_agent_is_watched_while_it_works(serve):
    gate = Gate()
    task = call("task", {"prompt": "look around", "description": "Looks around", "agent": "explore"})
    turns = (task, text("I look") + pause(gate) + text(" and see"), text("done"))
    rules = '[permissions]\ntask = "allow"\n'
    async with (
        serve(*turns, config=rules, arguments=("--agent", "build")) as (served, _, _),
        attached(served.url) as (control, face),
    ):
        await control.prompt("send one")
        await within(gate.reached.wait())
        await face.until(lambda: face.of("call") and face.of("call")[0].sub_agent is not None)
        child = face.of("call")[0].sub_agent.session_id
        view = await control.watch(child)
        assert await control.watch(child) is view
        assert [item.text for item in view.items if item.kind == "prompt"] == ["look around"]
        gate.open()
        await face.until(lambda: any(item.kind == "run_end" for item in view.items))
        await face.until(lambda: face.of("run_end"))
        assert [item.text for item in view.items if item.kind == "text"] == ["I look and see"]
        assert [item.text for item in (await control.peek(child)).items if item.kind == "text"] == ["I look and see"]


async def test_commands_files_and_variants_are_those_of_the_server(serve):
    async with serve(text("reviewed"), text("seen")) as (served, up, console):
        commands = console.folder / ".toolpost" / "commands"
        commands.mkdir()
        (commands / "review.md").write_text("---\ndescription: Review a file\n---\nReview $ARGUMENTS.\n")
        (console.folder / "notes.txt").write_text("a note\n")
        served.process.kill()
        await served.ended()
        async with serving(console) as again, attached(again.url) as (control, face):
            assert control.commands()["review"] == "Review a file"
            with pytest.raises(ToolpostError, match="did you mean /review"):
                await control.command("revew", "")
            await control.command("review", "notes.txt")
            await face.until(lambda: face.of("run_end"))
            assert (face.prompts, face.answer) == (["Review notes.txt."], "reviewed")
            assert await control.find_files("nts") == ["notes.txt"]
            assert [row.id for row in await control.models() if row.is_current] == ["openai/scripted"]
            await face.idle()
            image = FilePart("image/png", base64.b64encode(PIXEL).decode(), name="dot.png")
            await control.prompt("What is this?", [image])
            await face.until(lambda: len(face.of("run_end")) == 2)
            assert [file.name for file in face.of("prompt")[1].files] == ["dot.png"]
            assert "image" in str(up.requests[1].body["messages"][-1])


async def test_a_fork_and_a_deletion_and_a_long_session_in_pages(serve):
    turns = [text(f"answer {number}") for number in range(70)]
    async with serve(*turns) as (served, _, _), attached(served.url) as (control, face):
        for number in range(70):
            await control.prompt(f"prompt {number}")
            await face.until(lambda n=number: len(face.of("run_end")) == n + 1)
            await face.idle()
        whole, first = shown(control.view), control.session_id
        async with attached(served.url, session=first[:16]) as (other, _):
            assert not other.is_at_beginning
            assert shown(other.view) == whole[-len(shown(other.view)) :]
            while not other.is_at_beginning:
                await other.earlier()
            assert shown(other.view) == whole
        undone = await control.undo(face.of("prompt")[68].message_id)
        assert (undone.text, len(face.prompts)) == ("prompt 68", len(face.of("run_end")))
        await control.fork()
        assert control.session_id != first
        assert len(await control.sessions()) == 2
        assert (await control.peek(first)).ids
        await control.delete(control.session_id)
        assert not control.has_begun
        assert [row.id for row in await control.sessions()] == [first]


async def test_a_server_that_died_is_found_again_and_nothing_is_doubled(serve):
    gate = Gate()
    turns = (text("It is") + pause(gate), text("It is sunny."), text("Bye."))
    async with serve(*turns) as (served, _, console):
        port = urlsplit(served.url).port
        session = await begun(served, "How is Tokyo?")
        async with attached(served.url, session=session) as (control, face):
            await within(gate.reached.wait())
            await face.until(lambda: face.of("text") and face.answer == "It is")
            served.process.kill()
            await served.ended()
            await face.until(lambda: any("was lost" in note for note in face.notes))
            with pytest.raises(ToolpostError, match="is the server running there"):
                await control.put("hello", steer=False)
            async with serving(console, "--port", str(port)) as again:
                await face.until(lambda: any("is back" in note for note in face.notes))
                # The server goes on with the run by itself.
                await face.until(lambda: face.of("run_end"))
                await face.idle()
                assert (face.prompts, face.answer) == (["How is Tokyo?"], "It is sunny.")
                await control.prompt("Thanks")
                await face.until(lambda: len(face.of("run_end")) == 2)
                assert face.prompts == ["How is Tokyo?", "Thanks"]
                async with attached(again.url, session=session) as (fresh, _):
                    assert shown(fresh.view) == shown(control.view)
                assert len(face.notes) == 2
            gate.open()


async def test_a_run_that_nobody_goes_on_with_is_resumed_from_here(serve):
    gate = Gate()
    turns = (text("It is") + pause(gate), text("It is sunny."))
    async with serve(*turns, config='resume = "ask"\n') as (served, _, console):
        port = urlsplit(served.url).port
        session = await begun(served, "How is Tokyo?")
        async with attached(served.url, session=session) as (control, face):
            await within(gate.reached.wait())
            served.process.kill()
            await served.ended()
            async with serving(console, "--port", str(port)):
                await face.until(lambda: control.view.facts.state == "interrupted")
                await control.resume()
                await face.until(lambda: face.of("run_end"))
                assert face.answer == "It is sunny."
            gate.open()


async def test_each_person_sees_their_own_sessions_alone(serve):
    tokens = {name: f"a-token-for-{name}-alone" for name in ("ann", "bob")}
    users = "".join(
        f'[server.users.{name}]\ntoken_sha256 = "{hashlib.sha256(token.encode()).hexdigest()}"\n'
        for name, token in tokens.items()
    )
    async with serve(text("hello"), config=users) as (served, _, _):
        session = await begun(served, "mine", token=tokens["ann"])
        async with attached(served.url, tokens["ann"], session=session) as (control, face):
            await face.idle()
            # A member may not touch the machine, so the face offers nothing of it.
            assert not control.features & {"files", "undo_files", "shell"}
            assert await control.find_files("a") == ()
        async with attached(served.url, tokens["bob"], newest=True) as (control, face):
            assert (await control.sessions(), control.has_begun) == ([], False)
            with pytest.raises(ToolpostError, match=f"there is no session {session}"):
                await control.open(session)
            with pytest.raises(ToolpostError, match="there is no session"):
                await control.peek(session)


async def test_a_wrong_token_and_an_address_without_a_server_are_said_with_what_to_do(serve):
    async with serve() as (served, up, _):
        with pytest.raises(ToolpostError, match="does not accept the token: set TOOLPOST_TOKEN"):
            async with attached(served.url, "not-the-token-of-anybody"):
                pass
        with pytest.raises(ToolpostError, match="TLS failed"):
            async with attached(served.url.replace("http:", "https:")):
                pass
        served.process.kill()
        await served.ended()
        with pytest.raises(ToolpostError, match="is the server running there"):
            async with attached(served.url):
                pass
        with pytest.raises(ToolpostError, match="it is no `toolpost serve`, or an older one"):
            async with attached(up.base_url.removesuffix("/v1")):
                pass


async def test_the_token_does_not_go_over_a_network_in_plain_text():
    for url in ("http://example.test:8642", "example.test", "http://127.example.test"):
        with pytest.raises(ConfigError, match="in plain text"):
            async with attached(url, TOKEN):
                pass
    with pytest.raises(ConfigError, match="no address"):
        async with attached("ftp://example.test", TOKEN):
            pass


async def test_closing_ends_what_it_began(serve):
    async with serve() as (served, _, _):
        before = asyncio.all_tasks()
        async with attached(served.url) as (control, _):
            await control.sessions()
        assert {task for task in asyncio.all_tasks() - before if not task.done()} == set()


async def test_the_command_shows_a_session_of_the_server_in_this_terminal(serve):
    gate = Gate()
    async with serve(text("It is") + pause(gate) + text(" sunny."), text("Bye.")) as (served, _, console):
        session = await begun(served, "How is Tokyo?")
        await within(gate.reached.wait())
        arguments = ("attach", served.url, "-c", "--tui", "plain")
        async with console.terminal(*arguments) as terminal:
            await terminal.seen("How is Tokyo?")
            await terminal.seen("It is")
            gate.open()
            await terminal.seen("sunny.")
            await terminal.seen("\n> ")
            terminal.type("Thanks\r")
            await terminal.seen("Bye.")
            await terminal.seen("\n> ")
            terminal.type("/sessions\r")
            await terminal.seen("How is Tokyo?")
            await terminal.seen("\n> ")
            terminal.type("/exit\r")
            await terminal.seen(f"continue with: toolpost attach {served.url} -s {session}")
            assert await terminal.ended() == 0


async def test_the_command_asks_for_a_token_without_echo_and_refuses_plain_http(serve):
    async with serve() as (served, _, console):
        del console.environ["TOOLPOST_TOKEN"]
        async with console.terminal("attach", served.url, "--tui", "plain") as terminal:
            await terminal.seen("Token of the server (not shown): ")
            terminal.type(f"{TOKEN}\r")
            await terminal.seen("/help lists the commands")
            await terminal.seen("\n> ")
            assert TOKEN not in terminal.screen
            terminal.type("/exit\r")
            assert await terminal.ended() == 0
        async with console.terminal("attach", "http://example.test", "--tui", "plain") as terminal:
            await terminal.seen("in plain text")
            assert await terminal.ended() == 2
        done = await console.call("attach", "http://127.0.0.1:9")
        assert "needs a terminal" in done.err


async def test_the_full_screen_shows_a_run_of_the_server_and_leaving_stops_nothing(serve):
    gate = Gate()
    async with serve(text("Sunshine") + pause(gate) + text(" everywhere.")) as (served, _, console):
        session = await begun(served, "How is Tokyo?")
        await within(gate.reached.wait())
        async with console.terminal("attach", served.url, "-s", session[:16], "--tui", "full") as terminal:
            await terminal.seen("Sunshine")
            terminal.type("\x11")
            assert await terminal.ended() == 0
        gate.open()
        async with attached(served.url, newest=True) as (_, face):
            await face.idle()
            assert face.answer == "Sunshine everywhere."
