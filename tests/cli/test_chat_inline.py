"""What the inline chat does besides prompts, in a real terminal: modes, files, commands, typing while it runs."""

import asyncio

from console import Console

from toolpost.testing import Gate, Upstream, call, pause, text

WRITE = call("write", {"path": "a.txt", "content": "new\n"})


def prompts(up, request):
    return [message["content"] for message in up.requests[request].body["messages"] if message["role"] == "user"]


async def test_what_is_typed_while_it_runs_waits_or_steers(tmp_path):
    gate = Gate()
    async with Upstream(text("It is") + pause(gate), text("steered"), text("queued")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("first\r")
            await terminal.seen("It is")
            await asyncio.wait_for(gate.reached.wait(), 30)
            terminal.type("\n")
            terminal.type("later\n")
            await terminal.seen("this waits until the run has ended")
            terminal.type("/steer now\n")
            await terminal.seen("the model reads this at its next step")
            terminal.type("/status\n")
            await terminal.seen("/status waits until the run has ended")
            gate.open()
            await terminal.seen("› now")
            await terminal.seen("steered")
            await terminal.seen("› later")
            await terminal.seen("queued")
            await terminal.seen("context")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert prompts(up, 2) == ["first", "now", "later"]


async def test_an_answer_is_written_once_and_none_again_when_its_session_is_continued(tmp_path):
    async with Upstream(text("one and only"), text("another")) as up:
        console = Console(tmp_path, up.base_url)
        for prompt, answer in (("first", "one and only"), ("second", "another")):
            async with console.terminal("-c") if prompt == "second" else console.terminal() as terminal:
                # The prompt reads.
                await terminal.seen("\x1b[?2004h")
                terminal.type(f"{prompt}\r")
                await terminal.seen(answer)
                await terminal.seen("tokens")
                await terminal.seen("\x1b[?2004h")
                terminal.type("\x04")
                assert await terminal.ended() == 0
                # The second time in what is said of the session that is continued.
                assert terminal.screen.count("one and only") == 1
                assert terminal.screen.count(answer) == 1


async def test_a_command_is_run_and_told_to_the_model(tmp_path):
    async with Upstream(text("I see")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal("chat", "--allow", "bash") as terminal:
            await terminal.seen("›")
            terminal.type("!echo hi $((20 + 3))\r")
            await terminal.seen("hi 23")
            await terminal.seen("›")
            terminal.type("What did it say?\r")
            await terminal.seen("I see")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert "hi 23" in str(up.requests[0].body["messages"])


async def test_files_are_changed_in_the_mode_edits_shown_undone_and_redone(tmp_path):
    async with Upstream(WRITE, text("done")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("/mode edits\r")
            await terminal.seen("the mode is now edits")
            await terminal.seen("›")
            terminal.type("write it\r")
            await terminal.seen("done")
            await terminal.seen("›")
            terminal.type("/diff\r")
            await terminal.seen("+new")
            await terminal.seen("›")
            terminal.type("/undo\r")
            await terminal.seen("undo these file changes too? [y/N]")
            terminal.type("y\n")
            await terminal.seen("the file changes are undone")
            await terminal.seen("write it")
            assert not (console.folder / "a.txt").exists()
            terminal.type("\x03")
            await terminal.seen("›")
            terminal.type("/redo\r")
            await terminal.seen("redone: a.txt")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert (console.folder / "a.txt").read_text() == "new\n"


async def test_a_session_is_renamed_exported_copied_and_found_from_another_folder(tmp_path):
    async with Upstream(text("one")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("Alpha\r")
            await terminal.seen("one")
            await terminal.seen("›")
            terminal.type("/rename The first\r")
            await terminal.seen("the title is now The first")
            await terminal.seen("›")
            terminal.type("/export out.md\r")
            await terminal.seen("the session is in out.md")
            await terminal.seen("›")
            terminal.type("/export out.md\r")
            await terminal.seen("out.md cannot be written: File exists")
            await terminal.seen("›")
            terminal.type("/copy\r")
            await terminal.seen("\x1b]52;c;b25l\x07")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
        assert "# The first" in (console.folder / "out.md").read_text()
        console.folder = tmp_path / "elsewhere"
        (console.folder / ".git").mkdir(parents=True)
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("/sessions\r")
            await terminal.seen("no sessions here yet")
            await terminal.seen("›")
            terminal.type("/sessions all\r")
            await terminal.seen("1  The first")
            await terminal.seen("›")
            terminal.type("/sessions 1\r")
            await terminal.seen("The first · 2 messages")
            # The prompt, and not the one that is told of.
            await terminal.seen("\x1b[?2004h")
            terminal.type("\x04")
            assert await terminal.ended() == 0


async def test_files_are_completed_behind_an_at_sign(tmp_path):
    async with Upstream(text("I have seen it")) as up:
        console = Console(tmp_path, up.base_url)
        (console.folder / "manual.md").write_text("")
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("read @manu")
            await terminal.seen("@manual.md")
            terminal.type("\t")
            await terminal.seen("manual.md")
            terminal.type("\r")
            await terminal.seen("I have seen it")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert prompts(up, 0) == ["read @manual.md"]
