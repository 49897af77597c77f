"""Sync and async code of the user's is taken alike, and a mistake in it is the user's to hear, not the model's."""

import asyncio
import threading

import pytest

from toolpost import Agent, Answer, ConfigError, Tool, ToolContext, ToolError, ToolResult, tool
from toolpost.testing import ScriptedModel, call, calls, text

SCHEMA = {"type": "object", "properties": {"word": {"type": "string"}}}


def made(execute, **options):
    return Tool("echo", "Echo", "Say a word.", SCHEMA, execute, **options)


def states(session):
    return [part.state for message in session.messages for part in message.calls]


def shown(state):
    return state.content[0].text if state.status == "completed" else state.message


async def run_with(*tools, turns=(), **arguments):
    with ScriptedModel(*(turns or (call("echo", {"word": "hi"}), text("ok")))) as model:
        session = Agent(model, tools, **arguments).session()
        await session.run("go")
    return session


async def test_a_sync_execute_runs_in_a_thread_and_shows_its_progress_in_order():
    def execute(arguments, ctx):
        for number in range(3):
            ctx.update(f"{number}\n")
        return f"{arguments['word']} from {threading.current_thread() is not threading.main_thread()}"

    with ScriptedModel(call("echo", {"word": "hi"}), text("ok")) as model:
        session = Agent(model, [made(execute)]).session()
        events = [event async for event in session.stream("go")]
    assert shown(states(session)[0]) == "hi from True"
    assert "".join(event.text for event in events if event.type == "tool_execution_update") == "0\n1\n2\n"


async def test_a_sync_execute_does_not_hold_up_the_calls_beside_it():
    both = threading.Barrier(2, timeout=30)

    def execute(arguments, ctx):
        both.wait()
        return arguments["word"]

    turns = (calls(call("echo", {"word": "a"}), call("echo", {"word": "b"})), text("ok"))
    session = await run_with(made(execute), turns=turns)
    assert [shown(state) for state in states(session)] == ["a", "b"]


async def test_a_sync_execute_may_return_a_coroutine_which_is_awaited():
    async def later(word):
        await asyncio.sleep(0)
        return word.upper()

    session = await run_with(made(lambda arguments, ctx: later(arguments["word"])))
    assert shown(states(session)[0]) == "HI"


@pytest.mark.parametrize("error", [ValueError("boom"), ToolError("try tea"), TypeError("echo() takes 1 argument")])
async def test_what_a_tool_itself_raises_is_still_for_the_model(error):
    def execute(arguments, ctx):
        raise error

    async def execute_async(arguments, ctx):
        raise error

    for one in (execute, execute_async):
        session = await run_with(made(one))
        assert states(session)[0].kind == "failed"
        assert str(error) in shown(states(session)[0])


async def test_an_agent_wired_wrongly_inside_a_tool_is_the_tool_s_own_failure():
    async def execute(arguments, ctx):
        async def inner(args, ctx):
            return later()

        async def later(): ...

        return (await Agent(ScriptedModel(call("echo", {})), [made(inner)]).run("go")).text

    session = await run_with(made(execute))
    assert "never awaited" in shown(states(session)[0])


async def later() -> str:
    return "too late"


async def a_generator():
    yield "one"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (later, r"tool echo returned a coroutine that was never awaited: write `return await …`"),
        (lambda: asyncio.get_running_loop().create_future(), "tool echo returned a Future that was never awaited"),
        (lambda: (word for word in "abc"), "tool echo returned a generator: return the whole result"),
        (a_generator, "tool echo returned an async_generator"),
        (lambda: ToolResult([later()]), "tool echo returned a coroutine that was never awaited"),
        (lambda: {"a": [later()]}, "a tool returned a coroutine inside of its result"),
        (lambda: ToolResult(5), "whose content is an int: give a list of texts and parts"),
        (lambda: ToolResult(["x"], title=5), "whose title is an int: give a text"),
    ],
)
async def test_what_no_tool_means_to_return_ends_the_run(value, said):
    async def execute(arguments, ctx):
        return value()

    with ScriptedModel(call("echo", {"word": "hi"})) as model:
        session = Agent(model, [made(execute)]).session()
        with pytest.raises(ConfigError, match=said):
            await session.run("go")
    assert len(model.requests) == 1
    assert states(session)[0].kind == "failed"
    assert "coroutine" not in shown(states(session)[0])


async def test_the_calls_beside_a_wiring_mistake_end_as_they_would():
    async def execute(arguments, ctx):
        return later()

    @tool
    async def add(a: int, b: int) -> int:
        """Add."""
        await asyncio.sleep(0)
        return a + b

    with ScriptedModel(calls(call("echo", {}), call("add", {"a": 1, "b": 2}))) as model:
        session = Agent(model, [made(execute), add]).session()
        with pytest.raises(ConfigError, match="never awaited"):
            await session.run("go")
    assert [state.status for state in states(session)] == ["error", "completed"]


async def test_events_say_that_the_run_ended_by_a_mistake_in_the_program():
    async def execute(arguments, ctx):
        return later()

    session = Agent(ScriptedModel(call("echo", {})), [made(execute)]).session()
    (end,) = [event async for event in session.stream("go") if event.type == "run_end"]
    assert (end.reason, end.error.code) == ("error", "wiring")


async def test_a_mistake_in_a_sub_agent_s_tools_ends_the_run_too():
    async def execute(arguments, ctx):
        return later()

    helper = Agent(ScriptedModel(call("echo", {})), [made(execute)], name="helper", description="Helps.")
    model = ScriptedModel(call("task", {"description": "d", "prompt": "go", "agent": "helper"}))
    with pytest.raises(ConfigError, match="never awaited"):
        await Agent(model, agents=[helper]).run("go")


async def test_a_call_beside_the_conversation_raises_it():
    async def execute(arguments, ctx):
        return later()

    session = Agent(ScriptedModel(), [made(execute)]).session()
    with pytest.raises(ConfigError, match="never awaited"):
        await session.call("echo", {})
    assert session.status.state == "idle"


@pytest.mark.parametrize("answer", ["once", Answer("once")])
async def test_a_sync_on_ask_answers(answer):
    seen = []

    def on_ask(asked):
        seen.append((asked.permission, threading.current_thread() is threading.main_thread()))
        return answer

    session = await run_with(made(lambda arguments, ctx: arguments["word"]), permissions={"echo": "ask"}, on_ask=on_ask)
    assert shown(states(session)[0]) == "hi"
    assert seen == [("echo", False)]


async def test_an_ask_of_the_tool_itself_that_is_answered_wrongly_ends_the_run():
    @tool
    async def echo(word: str, ctx: ToolContext) -> str:
        """Say a word."""
        try:
            await ctx.ask("zone", "a")
        except Exception:
            return "went on"
        return word

    with pytest.raises(ConfigError, match="on_ask returned True"):
        await run_with(echo, turns=(call("echo", {"word": "x"}),), permissions={"zone": "ask"}, on_ask=lambda a: True)


async def test_a_sync_on_question_answers():
    question = call("question", {"questions": [{"question": "Which?", "options": ["red", "blue"]}]})
    session = await run_with("question", turns=(question, text("ok")), on_question=lambda asked: ["blue"])
    assert "Answer: blue" in shown(states(session)[0])


def test_an_async_subscriber_has_heard_all_when_a_sync_run_returns():
    heard = []

    async def listen(event):
        await asyncio.sleep(0)
        heard.append(event.type)

    session = Agent(ScriptedModel(text("ok"))).session()
    session.subscribe(listen)
    session.subscribe(lambda event: listen(event))
    session.run_sync("go")
    assert heard.count("settled") == 2
    assert [kind for kind in heard if kind in ("run_start", "run_end")] == ["run_start"] * 2 + ["run_end"] * 2


async def test_an_async_subscriber_may_start_the_next_run():
    texts = []
    session = Agent(ScriptedModel(text("one"), text("two"))).session()

    async def again(event):
        if event.type == "settled" and len(texts) < 1:
            texts.append("begun")
            texts.append((await session.run("more")).text)

    session.subscribe(again)
    assert (await session.run("go")).text == "one"
    assert texts == ["begun", "two"]


@pytest.mark.parametrize("title", [{}, {"title": "Notes"}])
@pytest.mark.parametrize(
    "content",
    [
        "the text",
        [{"type": "text", "text": "the text"}],
        ["the text"],
        [{"type": "text", "text": "the text"}, {"type": "image", "data": "aGk=", "mimeType": "image/png"}],
        [{"type": "file", "data": b"hi", "mime": "text/plain", "name": "a.txt"}, {"type": "text", "text": "the text"}],
    ],
)
async def test_a_dict_of_content_and_details_is_a_result(content, title):
    session = await run_with(
        made(lambda arguments, ctx: {"content": content, "details": {"hidden": "sesame"}, **title})
    )
    (state,) = states(session)
    assert [part.text for part in state.content if part.type == "text"] == ["the text"]
    assert (state.details, state.title) == ({"hidden": "sesame"}, title.get("title", ""))
    assert [part.data for part in state.content if part.type == "file"] in ([], ["aGk="])


@pytest.mark.parametrize(
    "data",
    [
        {"content": "a"},
        {"details": {"a": 1}},
        {"content": "a", "details": {}, "more": 1},
        {"content": {"a": 1}, "details": {}},
        {"content": [1, 2], "details": {}},
        {"content": [{"type": "video", "data": "x"}], "details": {}},
        {"content": [{"type": "image"}], "details": {}},
        {"content": "a", "details": {}, "title": 3},
    ],
)
async def test_any_other_dict_is_data(data):
    import msgspec

    session = await run_with(made(lambda arguments, ctx: data))
    (state,) = states(session)
    assert msgspec.json.decode(shown(state)) == data
    assert state.details is None
