"""The chat, driven through a real terminal."""

import asyncio
import re
import stat

from console import Console

from toolpost.testing import Gate, Upstream, call, pause, text

TOKYO = call("get_weather", {"city": "Tokyo"})


def prompts(up, request: int) -> list[str]:
    return [message["content"] for message in up.requests[request].body["messages"] if message["role"] == "user"]


async def test_a_conversation_remembers_and_tells_how_to_go_on(tmp_path):
    async with Upstream(text("Hello Ann."), text("Ann.")) as up:
        console = Console(tmp_path, up.base_url)
        history = console.data / "history"
        # As it was left by a copy, or by hand: what is typed now is nobody else's to read.
        history.parent.mkdir(parents=True, exist_ok=True)
        history.touch(mode=0o644)
        async with console.terminal() as terminal:
            await terminal.seen("/help lists the commands")
            await terminal.seen("›")
            terminal.type("I am Ann\r")
            await terminal.seen("Hello Ann.")
            await terminal.seen("›")
            terminal.type("Who am I?\r")
            await terminal.seen("Ann.")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
        assert "continue with: toolpost chat -s ses_" in terminal.screen
    assert prompts(up, 1) == ["I am Ann", "Who am I?"]
    assert "I am Ann" in history.read_text()
    assert stat.S_IMODE(history.stat().st_mode) == 0o600


async def test_alt_enter_and_pasted_lines_make_one_prompt_of_several_lines(tmp_path):
    async with Upstream(text("ok"), text("ok")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("one\x1b\rtwo\r")
            await terminal.seen("ok")
            await terminal.seen("›")
            terminal.type("\x1b[200~three\nfour\x1b[201~\r")
            await terminal.seen("ok")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert prompts(up, 1) == ["one\ntwo", "three\nfour"]


async def test_a_question_is_answered_inline_and_always_holds_for_the_next_call(tmp_path):
    async with Upstream(TOKYO, text("sunny"), TOKYO, text("still sunny")) as up:
        console = Console(tmp_path, up.base_url, NO_COLOR="1")
        async with console.terminal("chat", "--tools", str(console.tools)) as terminal:
            await terminal.seen("›")
            terminal.type("go\r")
            await terminal.seen('always in this project: get_weather "*"')
            await terminal.seen("? ")
            terminal.type("a\n")
            await terminal.seen("sunny\n")
            await terminal.seen("›")
            terminal.type("again\r")
            await terminal.seen("still sunny")
            await terminal.seen("›")
            terminal.type("/exit\r")
            assert await terminal.ended() == 0
    assert terminal.screen.count("Allow get_weather") == 1


async def test_ctrl_c_stops_the_run_and_the_next_line_goes_on(tmp_path):
    gate = Gate()
    async with Upstream(text("It is") + pause(gate), text("sunny")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("How is Tokyo?\r")
            await terminal.seen("It is")
            await asyncio.wait_for(gate.reached.wait(), 30)
            terminal.type("\x03")
            await terminal.seen("stopped; the session is saved")
            await terminal.seen("›")
            terminal.type("\x03")
            await terminal.seen("Ctrl-D or /exit quits")
            await terminal.seen("›")
            terminal.type("Go on\r")
            await terminal.seen("sunny")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert prompts(up, 1) == ["How is Tokyo?", "Go on"]


async def test_a_stopped_answer_is_marked_when_the_chat_goes_on_and_when_it_is_shown(tmp_path):
    gate = Gate()
    async with Upstream(text("It is") + pause(gate)) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("How is Tokyo?\r")
            await asyncio.wait_for(gate.reached.wait(), 30)
            terminal.type("\x03")
            await terminal.seen("stopped; the session is saved")
            await terminal.seen("›")
            terminal.type("\x04")
            await terminal.seen("continue with: toolpost chat -s ses_")
            await terminal.ended()
        session = re.search(r"ses_\w+", terminal.screen)[0]
        async with console.terminal("chat", "-s", session) as terminal:
            await terminal.seen("  It is")
            await terminal.seen("  (stopped)")
            await terminal.seen("›")
            terminal.type("\x04")
            await terminal.ended()
        for command in (("show", session), ("export", session, "--format", "markdown")):
            done = await console.call("sessions", *command)
            assert "(stopped)" in done.out


async def test_ctrl_c_stops_a_command_and_the_chat_goes_on(tmp_path):
    gate = Gate()
    async with Upstream(text("one"), text("two"), pause(gate), text("three")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal() as terminal:
            for prompt, answer in (("a\r", "one"), ("b\r", "two")):
                await terminal.seen("›")
                terminal.type(prompt)
                await terminal.seen(answer)
            await terminal.seen("›")
            terminal.type("/compact\r")
            await asyncio.wait_for(gate.reached.wait(), 30)
            terminal.type("\x03")
            await terminal.seen("stopped; the session is saved")
            await terminal.seen("›")
            terminal.type("c\r")
            await terminal.seen("three")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert "getting long" not in terminal.screen


async def test_undo_brings_the_prompt_back_into_the_line(tmp_path):
    async with Upstream(text("wrong"), text("right")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("How is Tokyo\r")
            await terminal.seen("wrong")
            await terminal.seen("›")
            terminal.type("/undo\r")
            await terminal.seen("are undone")
            await terminal.seen("How is Tokyo")
            terminal.type(" today?\r")
            await terminal.seen("right")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert prompts(up, 1) == ["How is Tokyo today?"]


async def test_retry_asks_again_and_model_changes_who_answers(tmp_path):
    async with Upstream(text("first"), text("second")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("Say it\r")
            await terminal.seen("first")
            await terminal.seen("›")
            terminal.type("/model openai/other\r")
            await terminal.seen("the model is now openai/other")
            await terminal.seen("›")
            terminal.type("/retry\r")
            await terminal.seen("second")
            await terminal.seen("›")
            terminal.type("/status\r")
            await terminal.seen("openai/other")
            await terminal.seen("tokens")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert [request.body["model"] for request in up.requests] == ["scripted", "other"]
    assert prompts(up, 1) == ["Say it"]


async def test_a_variant_holds_until_another_is_chosen(tmp_path):
    async with Upstream(text("first"), text("second"), text("third")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal("chat", "--variant", "low") as terminal:
            await terminal.seen("›")
            terminal.type("Say it\r")
            await terminal.seen("first")
            await terminal.seen("›")
            terminal.type("/variant\r")
            await terminal.seen("* low  reasoning_effort low")
            await terminal.seen("›")
            terminal.type("/variant huge\r")
            await terminal.seen("openai/scripted has no variant 'huge': it has low, medium, high")
            await terminal.seen("›")
            terminal.type("/variant high\r")
            await terminal.seen("the variant of openai/scripted is now high")
            await terminal.seen("›")
            terminal.type("/retry\r")
            await terminal.seen("second")
            await terminal.seen("›")
            terminal.type("/variant none\r")
            await terminal.seen("is now none")
            await terminal.seen("›")
            terminal.type("Again\r")
            await terminal.seen("third")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert [request.body.get("reasoning_effort") for request in up.requests] == ["low", "high", None]


async def test_sessions_can_be_listed_switched_and_forked(tmp_path):
    async with Upstream(text("one"), text("two"), text("three")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("Alpha\r")
            await terminal.seen("one")
            await terminal.seen("›")
            terminal.type("/new\r")
            await terminal.seen("your next prompt starts a new session")
            await terminal.seen("›")
            terminal.type("Beta\r")
            await terminal.seen("two")
            await terminal.seen("›")
            terminal.type("/sessions\r")
            await terminal.seen("1  Beta")
            await terminal.seen("2  Alpha")
            await terminal.seen("›")
            terminal.type("/sessions 2\r")
            await terminal.seen("Alpha · 2 messages")
            await terminal.seen("›")
            terminal.type("/fork\r")
            await terminal.seen("this is now a copy")
            await terminal.seen("›")
            terminal.type("Gamma\r")
            await terminal.seen("three")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert prompts(up, 2) == ["Alpha", "Gamma"]


async def test_a_session_can_be_switched_to_by_its_number_without_the_list(tmp_path):
    async with Upstream(text("one")) as up:
        console = Console(tmp_path, up.base_url)
        await console.run("Alpha")
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("/sessions 1\r")
            await terminal.seen("Alpha · 2 messages")
            await terminal.seen("›")
            terminal.type("/quit\r")
            assert await terminal.ended() == 0


async def test_an_unknown_command_gets_a_suggestion_and_a_failing_model_does_not_end_the_chat(tmp_path):
    async with Upstream(text("fine")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal("chat", "--tools", str(console.tools)) as terminal:
            await terminal.seen("›")
            terminal.type("/modle\r")
            await terminal.seen("unknown command /modle: did you mean /model?")
            await terminal.seen("›")
            terminal.type("/model nope/x\r")
            await terminal.seen("unknown provider 'nope'")
            await terminal.seen("›")
            terminal.type("/tools\r")
            await terminal.seen("bash         Run a command in bash and wait for it: tests, builds, git.")
            await terminal.seen("get_weather  Get the weather of a city.")
            await terminal.seen("›")
            terminal.type("/compact\r")
            await terminal.seen("nothing to summarise")
            await terminal.seen("›")
            terminal.type("/etc/hosts is a path\r")
            await terminal.seen("fine")
            await terminal.seen("›")
            terminal.type("and now it fails\r")
            await terminal.seen("no turn left")
            await terminal.seen("›")
            terminal.type("/help\r")
            await terminal.seen("/compact")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert prompts(up, 0) == ["/etc/hosts is a path"]


async def test_a_chat_goes_on_where_the_newest_session_ended(tmp_path):
    async with Upstream(text("one"), text("two")) as up:
        console = Console(tmp_path, up.base_url)
        await console.run("Alpha")
        async with console.terminal("chat", "-c") as terminal:
            await terminal.seen("› Alpha")
            await terminal.seen("one")
            await terminal.seen("›")
            terminal.type("Beta\r")
            await terminal.seen("two")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert prompts(up, 1) == ["Alpha", "Beta"]


async def test_a_plugins_command_is_sent_with_what_was_typed_after_it(tmp_path):
    site = tmp_path / "site"
    (site / "greeter-1.0.dist-info").mkdir(parents=True)
    (site / "greeter-1.0.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: greeter\nVersion: 1.0\n")
    (site / "greeter-1.0.dist-info" / "entry_points.txt").write_text("[toolpost]\ngreeter = greeter:Greeter\n")
    (site / "greeter.py").write_text(
        "from toolpost import Plugin\nfrom toolpost.plugins.hooks import Command\n"
        "class Greeter(Plugin):\n"
        "    def commands(self):\n        return {'greet': Command('greet somebody', 'Greet $ARGUMENTS warmly.')}\n"
    )
    async with Upstream(text("Hello Ann!")) as up:
        console = Console(tmp_path, up.base_url, PYTHONPATH=str(site))
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("/greet Ann Lee\r")
            await terminal.seen("Hello Ann!")
            await terminal.seen("›")
            terminal.type("/help\r")
            await terminal.seen("greet somebody")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
    assert prompts(up, 0) == ["Greet Ann Lee warmly."]


async def test_options_alone_begin_a_chat_with_them(tmp_path):
    async with Upstream(text("Hello.")) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal("--title", "Greetings") as terminal:
            await terminal.seen("›")
            terminal.type("Hi\r")
            await terminal.seen("Hello.")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
