"""`toolpost undo`, `redo` and `diff`: what agents did to files, over several prompts, sessions and sub-agents."""

import re

import pytest
from console import Console

from toolpost.testing import Upstream, call, text


def write(name: str, content: str):
    return call("write", {"path": name, "content": content})


@pytest.fixture
def console(tmp_path):
    return Console(tmp_path, NO_COLOR="1")


def shell(command: str):
    return call("bash", {"command": command})


async def prompt(console, *turns, words=()):
    async with Upstream(*turns, text("done")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        done = await console.call("run", "--allow", "edit", *words, "go")
        assert done.status == 0, done.err


def there(console) -> dict[str, str]:
    return {path.name: path.read_text() for path in console.folder.glob("*.txt")}


async def steps(console) -> list[dict[str, str]]:
    """What `toolpost diff --steps` lists, the newest first."""
    head, *rows = (await console.call("diff", "--steps")).out.splitlines()
    columns = head.split()
    # Two blanks or more stand between columns; a time has one.
    return [{name.lower(): cell for name, cell in zip(columns, re.split(" {2,}", row), strict=True)} for row in rows]


async def test_a_step_at_a_time_back_and_forth(console):
    await prompt(console, write("a.txt", "1"), write("b.txt", "2"))
    assert there(console) == {"a.txt": "1", "b.txt": "2"}
    undone = await console.call("undo", "--yes")
    assert "b.txt (deleted)" in undone.out
    assert there(console) == {"a.txt": "1"}
    await console.call("undo", "--yes")
    assert there(console) == {}
    assert "nothing to undo" in (await console.call("undo")).out
    await console.call("redo", "--yes", "--steps", "2")
    assert there(console) == {"a.txt": "1", "b.txt": "2"}


async def test_all_that_came_of_the_last_prompt(console):
    await prompt(console, write("a.txt", "1"))
    await prompt(console, write("b.txt", "2"), write("c.txt", "3"), words=("-c",))
    done = await console.call("undo", "--message", "--yes")
    assert done.status == 0
    assert there(console) == {"a.txt": "1"}
    await console.call("undo", "--message", "--yes")
    assert there(console) == {}


async def test_what_a_sub_agent_did_belongs_to_the_prompt_that_sent_it(console):
    await prompt(console, write("a.txt", "1"))
    errand = call("task", {"description": "Write", "prompt": "write it"})
    await prompt(console, write("b.txt", "2"), errand, write("c.txt", "3"), text("written"))
    assert there(console) == {"a.txt": "1", "b.txt": "2", "c.txt": "3"}
    await console.call("undo", "--message", "--yes")
    assert there(console) == {"a.txt": "1"}


async def test_what_came_of_a_prompt_is_made_again_in_the_order_it_was_taken_back(console):
    await prompt(console, write("a.txt", "1"))
    await prompt(console, write("b.txt", "2"), write("c.txt", "3"), words=("-c",))
    await console.call("undo", "--message", "--yes")
    await console.call("undo", "--message", "--yes")
    assert there(console) == {}
    await console.call("redo", "--message", "--yes")
    assert there(console) == {"a.txt": "1"}
    await console.call("redo", "--message", "--yes")
    assert there(console) == {"a.txt": "1", "b.txt": "2", "c.txt": "3"}
    assert "nothing to redo" in (await console.call("redo", "--message", "--yes")).out


async def test_what_was_taken_back_out_of_order_last_is_made_again_first(console):
    await prompt(console, write("a.txt", "1"))
    await prompt(console, write("b.txt", "2"), words=("-c",))
    first = (await steps(console))[-1]
    await console.call("undo", "--yes")
    await console.call("undo", "--message", first["message"], "--yes")
    await console.call("redo", "--message", "--yes")
    assert there(console) == {"a.txt": "1"}
    await prompt(console, write("c.txt", "3"), words=("-c",))
    assert "nothing to redo" in (await console.call("redo", "--message", "--yes")).out


async def test_only_one_session_is_turned_back_named_by_the_beginning_of_its_id(console):
    await prompt(console, write("a.txt", "1"))
    await prompt(console, write("b.txt", "2"))
    first = (await steps(console))[-1]["session"]
    assert "a.txt" in (await console.call("diff", "--session", first)).out
    assert "b.txt" not in (await console.call("diff", "--session", first)).out
    await console.call("undo", "--session", first, "--yes")
    assert there(console) == {"b.txt": "2"}
    await console.call("redo", "--session", first, "--yes")
    await console.call("undo", "--session", first, "--message", "--yes")
    assert there(console) == {"b.txt": "2"}
    await console.call("undo", "--session", "latest", "--yes")
    assert there(console) == {}


@pytest.mark.parametrize("words", [("undo", "--yes"), ("redo", "--yes"), ("diff",), ("diff", "--steps")])
async def test_a_session_that_is_not_there_is_told(console, words):
    await prompt(console, write("a.txt", "1"))
    done = await console.call(*words, "--session", "nothing")
    assert done.status == 1
    assert "no session nothing" in done.err


async def test_what_a_deleted_session_did_can_still_be_taken_back(console):
    await prompt(console, write("a.txt", "1"))
    (step,) = await steps(console)
    assert (await console.call("sessions", "delete", "--yes", step["session"])).status == 0
    await console.call("undo", "--session", step["session"], "--yes")
    assert there(console) == {}


async def test_the_steps_are_listed_so_that_each_can_be_named(console):
    assert "no agent changed a file" in (await console.call("diff", "--steps")).out
    await prompt(console, write("a.txt", "1"), write("b.txt", "2"))
    await console.call("undo", "--yes")
    last, first = await steps(console)
    assert (last["files"], last["state"]) == ("b.txt", "undone")
    assert (first["files"], first["state"]) == ("a.txt", "done")
    assert first["session"] == last["session"]
    await console.call("redo", "--message", last["message"], "--yes")
    await console.call("undo", "--message", first["message"], "--yes")
    assert there(console) == {"b.txt": "2"}
    assert [step["state"] for step in await steps(console)] == ["done", "undone"]


async def test_a_message_that_is_not_there_is_told(console):
    await prompt(console, write("a.txt", "1"))
    done = await console.call("undo", "--message", "msg_nothing", "--yes")
    assert done.status == 1
    assert "no message msg_nothing" in done.err
    assert there(console) == {"a.txt": "1"}


async def test_it_is_shown_first_and_done_only_with_a_yes(console):
    await prompt(console, write("a.txt", "one\n"))
    shown = await console.call("undo", "--dry-run")
    assert "-one" in shown.out or "a.txt (deleted)" in shown.out
    assert shown.status == 0
    refused = await console.call("undo")
    assert "--yes" in refused.err
    assert refused.status == 1, "a script must not take it for done"
    assert there(console) == {"a.txt": "one\n"}
    async with console.terminal("undo") as terminal:
        await terminal.seen("[y/N] ")
        terminal.type("y\n")
        assert await terminal.ended() == 0
    assert there(console) == {}


async def test_what_somebody_else_changed_since_is_not_touched(console):
    await prompt(console, write("a.txt", "one\n"))
    (console.folder / "a.txt").write_text("mine\n")
    done = await console.call("undo", "--yes")
    assert done.status == 1
    assert "a.txt" in done.err
    assert there(console) == {"a.txt": "mine\n"}


async def test_the_diff_is_of_all_that_is_left(console):
    (console.folder / "a.txt").write_text("one\n")
    edit = call("edit", {"path": "a.txt", "old_text": "one", "new_text": "two"})
    await prompt(console, call("read", {"path": "a.txt"}), edit)
    assert "+two" in (await console.call("diff")).out
    await console.call("undo", "--yes")
    assert "+two" not in (await console.call("diff")).out


async def test_the_chat_takes_files_back_with_the_prompt(console):
    async with Upstream(write("a.txt", "1"), text("done")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        async with console.terminal("chat", "--allow", "edit") as terminal:
            await terminal.seen("›")
            terminal.type("go\r")
            await terminal.seen("done")
            await terminal.seen("›")
            terminal.type("/undo\r")
            await terminal.seen("[y/N] ")
            terminal.type("y\n")
            await terminal.seen("are undone")
            await terminal.seen("›")
            terminal.type("\x15\x04")
            assert await terminal.ended() == 0
    assert there(console) == {}


async def test_what_a_command_did_is_shown_taken_back_and_made_again(console):
    (console.folder / "old.txt").write_text("old\n")
    command = "echo new > new.txt; rm old.txt; ln -s new.txt link; chmod 600 new.txt; mkdir made"
    await prompt(console, shell(command), words=("--allow", "bash"))
    shown = (await console.call("diff")).out
    for line in ("new.txt (new)", "old.txt (deleted)", "link (new)", "link to new.txt", "made (new)", "folder"):
        assert line in shown
    undone = await console.call("undo", "--yes")
    assert "undone: " in undone.out
    assert "not undone" not in undone.out
    assert there(console) == {"old.txt": "old\n"}
    assert not (console.folder / "link").is_symlink()
    assert not (console.folder / "made").exists()
    await console.call("redo", "--yes")
    assert there(console) == {"new.txt": "new\n"}
    assert (console.folder / "link").is_symlink()


async def test_what_a_command_did_and_cant_be_taken_back_is_named_and_never_said_to_be(console):
    (console.folder / ".toolpost" / "config.toml").write_text("[tool_limits]\nsnapshot_file_bytes = 1000\n")
    await prompt(console, shell("seq 1000 > large.txt; echo 1 > small.txt"), words=("--allow", "bash"))
    await prompt(console, shell("seq 2000 > large.txt"), words=("--allow", "bash"))
    assert "large.txt" in (await console.call("diff")).out.partition("not kept: ")[2]
    undone = await console.call("undo", "--yes")
    assert "undone: large.txt" not in undone.out.replace("not undone: large.txt", "")
    assert "nothing was undone" in undone.out
    assert "not undone: large.txt (8.9 kB, over the limit of 1.0 kB)" in undone.out
    undone = await console.call("undo", "--yes")
    assert "\nundone: small.txt\n" in undone.out
    assert "not undone: large.txt" in undone.out
    assert set(there(console)) == {"large.txt"}


async def test_a_commands_change_that_somebody_went_on_with_stays(console):
    await prompt(console, shell("echo 1 > a.txt; echo 1 > b.txt"), words=("--allow", "bash"))
    (console.folder / "a.txt").write_text("by hand")
    done = await console.call("undo", "--yes")
    assert done.status == 1
    assert "a.txt was changed since" in done.err
    assert there(console) == {"a.txt": "by hand", "b.txt": "1\n"}


async def test_a_job_that_a_run_leaves_is_taken_back(console):
    job = call("job_start", {"command": "echo 1 > job.txt; sleep 600"})
    await prompt(console, job, words=("--allow", "bash"))
    assert there(console) == {"job.txt": "1\n"}
    await console.call("undo", "--yes")
    assert there(console) == {}
