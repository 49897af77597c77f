"""`toolpost chat` in a real terminal (tmux), with a scripted model over a socket: what the full screen does."""

import asyncio

from console import Console
from tmux_terminal import needs_tmux, terminal

from toolpost.testing import Gate, Upstream, call, calls, pause, text

pytestmark = needs_tmux

# Keys answer an ask 300 ms after it was drawn; that time has to pass, and nothing tells of it.
SETTLED = 0.5

MARKDOWN = """# Report

It is **done**, see `main.py`:

- one 你好 🎉
- two

| city | °C |
|------|----|
| 東京 | 22 |

```python
def answer():
    return 42
```
"""


def chatting(tmp_path, up, **size):
    return terminal(Console(tmp_path, up.base_url), **size)


def prompts(up, request):
    return [message["content"] for message in up.requests[request].body["messages"] if message["role"] == "user"]


async def answer_with(screen, key):
    await asyncio.sleep(SETTLED)
    await screen.key(key)


async def test_an_answer_streams_in_and_its_end_stays_in_the_scrollback(tmp_path):
    gate = Gate()
    async with (
        Upstream(text(MARKDOWN, chunk=7) + pause(gate) + text("\nThe end.")) as up,
        chatting(tmp_path, up) as screen,
    ):
        await screen.chat()
        assert await screen.format("#{alternate_on}") == "1"
        await screen.enter("Write a report")
        shown = await screen.seen("return 42", "東京 │ 22", "• one 你好 🎉", "Report")
        assert "**" not in shown
        assert "```" not in shown
        gate.open()
        await screen.seen("The end.", "tokens")
        left = await screen.leave()
        assert await screen.format("#{alternate_on}") == "0"
    # The shell's own lines are there as they were, then the transcript, then how to go on.
    assert "toolpost chat" in left
    assert "def answer():" in left
    assert "continue with: toolpost chat -s ses_" in left


async def test_live_output_is_shown_and_calls_fold(tmp_path):
    loop = "for n in $(seq 20); do echo line $n; done; while [ ! -e go ]; do sleep 0.05; done; echo last"
    async with (
        Upstream(call("bash", {"command": loop}), text("It is over")) as up,
        chatting(tmp_path, up) as screen,
    ):
        await screen.chat("--allow", "bash")
        await screen.enter("run it")
        await screen.seen("line 20")
        (screen.console.folder / "go").touch()
        await screen.seen("It is over", "last")
        await screen.gone("line 3\n")
        await screen.key("C-o")
        await screen.seen("line 3\n")
        await screen.key("C-o")
        await screen.gone("line 3\n")


async def test_approvals_are_given_and_denied_with_their_rule_shown(tmp_path):
    def bash(command):
        return call("bash", {"command": command})

    turns = (bash("touch one"), bash("touch two"), text("I will not"))
    async with Upstream(*turns) as up, chatting(tmp_path, up) as screen:
        await screen.chat()
        await screen.enter("do it")
        await screen.seen("Allow this?", "touch one", "Always allow bash: touch")
        await answer_with(screen, "y")
        await screen.seen("touch two", "Allow this?")
        await screen.until(lambda shown: (screen.console.folder / "one").exists(), "the file")
        await answer_with(screen, "r")
        await screen.type("use another name")
        await screen.seen("use another name")
        await screen.key("Enter")
        await screen.seen("I will not")
        assert not (screen.console.folder / "two").exists()
    assert "use another name" in str(up.requests[2].body["messages"])


async def test_what_is_always_allowed_is_asked_once(tmp_path):
    again = call("bash", {"command": "echo more >> log"})
    async with Upstream(again, again, text("twice")) as up, chatting(tmp_path, up) as screen:
        await screen.chat()
        await screen.enter("do it")
        await screen.seen("Always allow bash: echo *")
        await answer_with(screen, "a")
        await screen.seen("twice")
        assert (screen.console.folder / "log").read_text() == "more\nmore\n"


async def test_a_diff_is_read_on_the_whole_screen_before_it_is_allowed(tmp_path):
    content = "".join(f"row {number}\n" for number in range(60))
    async with (
        Upstream(call("write", {"path": "a.txt", "content": content}), text("written")) as up,
        chatting(tmp_path, up) as screen,
    ):
        await screen.chat()
        await screen.enter("write it")
        await screen.seen("Allow this?")
        await answer_with(screen, "f")
        await screen.gone("Allow this?")
        await screen.key("End")
        await screen.seen("row 59")
        await screen.key("Escape")
        await screen.seen("Allow this?")
        await answer_with(screen, "y")
        await screen.seen("written", "✓ Write")


async def test_a_question_is_a_form(tmp_path):
    question = call("question", {"questions": [{"question": "Which colour?", "options": ["red", "blue"]}]})
    async with Upstream(question, text("Blue it is")) as up, chatting(tmp_path, up) as screen:
        await screen.chat()
        await screen.enter("paint it")
        await screen.seen("Which colour?", "red", "blue")
        await answer_with(screen, "Down")
        await screen.key("Enter")
        await screen.seen("Blue it is")
    assert "blue" in str(up.requests[1].body["messages"][-1])


async def test_prompts_steer_or_wait_and_are_taken_back_and_escape_stops(tmp_path):
    gate, second = Gate(), Gate()
    turns = (text("It is") + pause(gate), text("steered"), text("and then") + pause(second))
    async with Upstream(*turns) as up, chatting(tmp_path, up) as screen:
        await screen.chat()
        await screen.enter("first")
        await screen.seen("It is")
        await screen.enter("go left")
        await screen.seen("Will be read at the next step: go left")
        await screen.type("later")
        await screen.key("Tab")
        await screen.seen("Queued until it is done: later")
        await screen.type("never")
        await screen.key("Tab")
        await screen.seen("Queued until it is done: never")
        await screen.enter("/queue")
        await screen.seen("Waiting prompts")
        await screen.type("never")
        await screen.seen("1 of 3")
        await screen.key("Enter")
        await screen.gone("Waiting prompts")
        await screen.seen("› never")
        await screen.key("C-u")
        gate.open()
        await screen.seen("steered", "and then")
        await screen.key("Escape")
        await screen.seen("Ready")
    assert prompts(up, 2) == ["first", "go left", "later"]


async def test_escape_twice_goes_back_to_a_prompt_or_forks_there(tmp_path):
    async with Upstream(text("one"), text("two"), text("three")) as up, chatting(tmp_path, up) as screen:
        await screen.chat()
        await screen.enter("Alpha")
        await screen.seen("one", "Ready")
        await screen.enter("Beta")
        await screen.seen("two", "Ready")
        await screen.key("Escape", "Escape")
        await screen.seen("Go back to a prompt", "Alpha", "Beta")
        await screen.key("Enter")
        await screen.seen("What now?")
        await screen.key("Enter")
        await screen.seen("› Beta")
        await screen.gone("two")
        await screen.type(" again")
        await screen.key("Enter")
        await screen.seen("three", "Ready")
        await screen.key("F5")
        await screen.seen("Go back to a prompt")
        await screen.type("Alpha")
        await screen.seen("1 of 2")
        await screen.key("Enter")
        await screen.seen("What now?")
        await screen.key("Down", "Enter")
        await screen.seen("› Alpha")
        await screen.gone("three")
        await screen.key("C-u")
        await screen.key("C-t")
        # The session that it was forked from is as it was.
        await screen.seen("2 of 2")
    assert prompts(up, 2) == ["Alpha", "Beta again"]


async def test_files_are_undone_with_their_prompt(tmp_path):
    async with (
        Upstream(call("write", {"path": "a.txt", "content": "new\n"}), text("done")) as up,
        chatting(tmp_path, up) as screen,
    ):
        await screen.chat("--allow", "edit")
        await screen.enter("write it")
        await screen.seen("done", "Ready")
        await screen.key("F6")
        await screen.gone("Ready")
        await screen.seen("a.txt", "new")
        await screen.key("Escape")
        await screen.seen("Ready")
        await screen.enter("/undo")
        await screen.seen("Undo what it changed in these files too?", "a.txt")
        await answer_with(screen, "y")
        await screen.seen("› write it")
        await screen.until(lambda shown: not (screen.console.folder / "a.txt").exists(), "the file gone")


async def test_sessions_models_agents_themes_and_commands_are_chosen_from_lists(tmp_path):
    async with (
        Upstream(text("first answer"), text("second answer"), models=("scripted", "other")) as up,
        chatting(tmp_path, up) as screen,
    ):
        await screen.chat()
        await screen.enter("About apples")
        await screen.seen("first answer", "Ready")
        await screen.key("C-n")
        await screen.gone("first answer")
        await screen.enter("About pears")
        await screen.seen("second answer", "Ready")
        await screen.key("C-t")
        await screen.seen("Sessions", "apples", "pears")
        await screen.type("apple")
        # The preview shows the end of the session.
        await screen.seen("1 of 2", "first answer")
        await screen.key("Enter")
        await screen.gone("Sessions", "second answer")
        await screen.key("F9")
        await screen.seen("Agents", "plan")
        await screen.type("plan")
        await screen.key("Enter")
        await screen.matched(r"openai/scripted +plan")
        await screen.key("F4")
        await screen.seen("Themes")
        before = await screen.text(colours=True)
        await screen.type("light")
        await screen.key("Enter")
        await screen.until(lambda shown: "Themes" not in shown and shown != before, "other colours", colours=True)
        await screen.key("F2")
        await screen.seen("Models", "openai/")
        await screen.key("Escape")
        await screen.gone("Models")
        await screen.key("C-p")
        await screen.type("rename")
        await screen.seen("change the title of this session")
        await screen.key("Enter")
        await screen.seen("Title of this session")
        await screen.key("C-u")
        await screen.enter("Fruit")
        await screen.gone("Title of this session")
        await screen.key("F1")
        await screen.seen("Ctrl+P")


async def test_files_commands_and_pastes_in_the_prompt(tmp_path):
    async with Upstream(text("I have read it")) as up, chatting(tmp_path, up) as screen:
        (screen.console.folder / "notes_of_today.md").write_text("x")
        await screen.chat("--allow", "bash")
        await screen.type("@today")
        await screen.seen("notes_of_today.md")
        await screen.key("Tab")
        await screen.seen("› @notes_of_today.md")
        await screen.key("C-u")
        await screen.enter("!echo hi $((20 + 3))")
        await screen.seen("hi 23", "Ready")
        await screen.paste("".join(f"pasted row {number}\n" for number in range(120)))
        await screen.seen("[pasted 120 lines")
        assert "pasted row" not in await screen.text()
        await screen.enter(" what is it?")
        await screen.seen("I have read it")
    said = str(up.requests[0].body["messages"])
    assert "hi 23" in said
    assert "pasted row 119" in said
    assert "what is it?" in said


async def test_search_and_copy(tmp_path):
    words = "\n\n".join(f"paragraph {number}" for number in range(60)) + "\n\nneedle one\n\nneedle two 你好"
    async with Upstream(text(words)) as up, chatting(tmp_path, up) as screen:
        await screen.chat()
        await screen.enter("write")
        await screen.seen("needle two", "Ready")
        await screen.key("C-f")
        await screen.seen("Search in the transcript")
        await screen.enter("paragraph 3")
        await screen.seen("11 × “paragraph 3”")
        await screen.key("C-y")
        copied = await screen.copied(lambda found: "needle two" in found)
        assert copied.rstrip("\n") == words
        await screen.seen("Copied")


async def test_the_side_pane_shows_tasks_and_files(tmp_path):
    todos = [{"content": "Sweep the floor", "status": "in_progress"}, {"content": "Rest", "status": "pending"}]
    turns = (
        calls(call("todo_write", {"todos": todos}), call("write", {"path": "a.txt", "content": "new\n"})),
        text("done"),
    )
    async with Upstream(*turns) as up, chatting(tmp_path, up, columns=140) as screen:
        await screen.chat("--allow", "edit")
        await screen.enter("clean up")
        await screen.seen("Tasks", "◐ Sweep the floor", "○ Rest", "Changed files", "+ a.txt +1")
        await screen.seen("Ready")
        await screen.key("C-b")
        await screen.gone("Changed files")
        await screen.key("C-b")
        await screen.seen("Changed files")
        await screen.resize(90, 30)
        await screen.gone("Changed files")


async def test_one_key_changes_the_mode(tmp_path):
    async with (
        Upstream(call("write", {"path": "a.txt", "content": "new\n"}), text("done")) as up,
        chatting(tmp_path, up) as screen,
    ):
        await screen.chat()
        await screen.seen("asks first")
        await screen.key("BTab")
        await screen.seen("accepts edits")
        await screen.enter("write it")
        # Nobody was asked.
        await screen.seen("done", "Ready")
        await screen.key("BTab")
        await screen.seen("plans only", "plan")
        await screen.key("BTab")
        await screen.seen("asks first")


async def test_another_face_goes_on_and_back(tmp_path):
    async with (
        Upstream(text("first answer"), text("second answer"), text("third answer")) as up,
        chatting(tmp_path, up) as screen,
    ):
        await screen.chat()
        await screen.enter("one")
        await screen.seen("first answer", "Ready")
        await screen.enter("/tui inline")
        await screen.until(lambda shown: "Ready" not in shown, "the line chat")
        assert await screen.format("#{alternate_on}") == "0"
        await screen.seen("first answer", "› ")
        await screen.enter("two")
        await screen.seen("second answer", "tokens")
        await screen.enter("/tui full")
        await screen.seen("first answer", "second answer", "Ready")
        assert await screen.format("#{alternate_on}") == "1"
        await screen.enter("three")
        await screen.seen("third answer")
    assert prompts(up, 2) == ["one", "two", "three"]


async def test_it_is_put_to_sleep_and_woken(tmp_path):
    async with Upstream(text("an answer")) as up, chatting(tmp_path, up) as screen:
        await screen.chat()
        await screen.type("a draft")
        await screen.seen("a draft")
        await screen.key("C-z")
        await screen.seen("Stopped")
        await screen.enter("echo in the shell $((1 + 1))")
        await screen.seen("in the shell 2")
        await screen.enter("fg")
        await screen.seen("› a draft", "Ready")
        await screen.key("Enter")
        await screen.seen("an answer", "Ready")
        await screen.key("C-q")
        await screen.seen("continue with: toolpost chat -s")


async def test_without_colours_and_in_chinese(tmp_path):
    async with Upstream(text("**bold**")) as up, chatting(tmp_path, up) as screen:
        await screen.chat(LANG="zh_CN.UTF-8", LC_ALL="C.UTF-8", LANGUAGE="zh_CN", NO_COLOR="1")
        await screen.enter("你好，世界")
        await screen.seen("❯ 你好，世界", "bold")
        coloured = await screen.text(colours=True)
        assert "\x1b[3" not in coloured.replace("\x1b[39m", "").replace("\x1b[3m", "")
