"""A run from prompt to settled, on the scripted model."""

import asyncio
from typing import Annotated, Any

import pytest

from toolpost import Agent, ConfigError, Limits, ModelError, ToolError, ToolpostError, tool
from toolpost.testing import Gate, ScriptedModel, call, calls, error, pause, text, turn
from toolpost.types.messages import Completed, Failed, RetryPart, StepFinish, ToolPart, Usage


@tool
async def add(a: int, b: int) -> int:
    """Add two integers."""
    return a + b


@tool
async def get_weather(city: Annotated[str, "City name, e.g. Tokyo"]) -> str:
    """Get the current weather for a city."""
    return f"Sunny in {city}"


def states(session):
    return [part.state for message in session.messages for part in message.parts if isinstance(part, ToolPart)]


def sent_results(request):
    """What the model reads of the calls before this request."""
    return [
        part.state.content[0].text if isinstance(part.state, Completed) else part.state.message
        for message in request.messages
        for part in message.parts
        if isinstance(part, ToolPart)
    ]


async def test_a_question_without_calls_is_answered_in_one_step():
    with ScriptedModel(text("Hello!")) as model:
        result = await Agent(model).run("Hi")
    assert (result.text, result.reason, result.steps) == ("Hello!", "done", 1)


async def test_a_call_is_run_and_its_result_goes_back_to_the_model():
    with ScriptedModel(call("add", {"a": 1, "b": 2}), text("It is 3.")) as model:
        result = await Agent(model, [add]).run("1 + 2?")
    assert result.text == "It is 3."
    assert sent_results(model.requests[1]) == ["3"]


async def test_calls_of_a_turn_run_side_by_side_and_their_results_keep_the_asked_order():
    both_started = asyncio.Barrier(2)
    finished: list[str] = []

    @tool
    async def slow(name: str) -> str:
        """Wait for the other call."""
        await both_started.wait()
        if name == "first":
            await asyncio.sleep(0.02)
        finished.append(name)
        return name

    turn = calls(call("slow", {"name": "first"}), call("slow", {"name": "second"}))
    with ScriptedModel(turn, text("ok")) as model:
        await Agent(model, [slow]).run("go")
    assert finished == ["second", "first"]
    assert sent_results(model.requests[1]) == ["first", "second"]


async def test_a_tool_that_says_so_runs_alone():
    running = 0
    most = 0

    @tool(parallel=False)
    async def alone() -> str:
        """Must not run beside another call."""
        nonlocal running, most
        running += 1
        most = max(most, running)
        await asyncio.sleep(0)
        running -= 1
        return "ok"

    with ScriptedModel(calls(call("alone", {}), call("alone", {}), call("alone", {})), text("ok")) as model:
        await Agent(model, [alone]).run("go")
    assert most == 1


@pytest.mark.parametrize("asked", ["Add", "ADD", "functions.add"])
async def test_a_misspelt_name_is_repaired_and_remembered(asked):
    with ScriptedModel(call(asked, {"a": 1, "b": 2}), text("3")) as model:
        session = Agent(model, [add]).session()
        await session.run("1 + 2?")
    part = next(part for message in session.messages for part in message.calls)
    assert (part.name, part.asked, part.state.content[0].text) == ("add", asked, "3")


async def test_an_unknown_tool_is_answered_with_what_is_on_offer():
    with ScriptedModel(call("launch_rocket", {}), text("I can't.")) as model:
        session = Agent(model, [add, get_weather]).session()
        await session.run("go")
    (state,) = states(session)
    assert isinstance(state, Failed)
    assert state.kind == "unknown_tool"
    assert "add" in state.message
    assert "get_weather" in state.message


async def test_wrong_arguments_go_back_as_one_readable_message_and_the_tool_is_not_run():
    ran = False

    @tool
    async def pay(amount: int) -> str:
        """Pay an amount."""
        nonlocal ran
        ran = True
        return "paid"

    with ScriptedModel(call("pay", {"amount": "a lot"}), text("Sorry.")) as model:
        session = Agent(model, [pay]).session()
        await session.run("pay")
    (state,) = states(session)
    assert isinstance(state, Failed)
    assert state.kind == "invalid"
    assert "amount" in state.message
    assert not ran


async def test_what_a_tool_raises_becomes_an_error_result():
    @tool
    async def divide(a: int, b: int) -> float:
        """Divide a by b."""
        if b == 0:
            raise ToolError("b must not be 0")
        raise RuntimeError("boom")

    turns = calls(call("divide", {"a": 1, "b": 0}), call("divide", {"a": 1, "b": 1}))
    with ScriptedModel(turns, text("ok")) as model:
        session = Agent(model, [divide]).session()
        await session.run("go")
    assert [(state.kind, state.message) for state in states(session)] == [
        ("failed", "b must not be 0"),
        ("failed", "RuntimeError: boom"),
    ]


async def test_a_tool_that_takes_too_long_is_stopped_and_the_run_goes_on():
    stopped = asyncio.Event()

    @tool(timeout=0.05)
    async def forever() -> str:
        """Never ends."""
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return ""

    with ScriptedModel(call("forever", {}), text("It hung.")) as model:
        session = Agent(model, [forever]).session()
        result = await session.run("go")
    assert stopped.is_set()
    assert states(session)[0].kind == "timeout"
    assert result.text == "It hung."


async def test_a_sync_tool_runs_beside_the_loop():
    import threading

    @tool
    def where() -> str:
        """Tell the thread."""
        return threading.current_thread().name

    with ScriptedModel(call("where", {}), text("ok")) as model:
        session = Agent(model, [where]).session()
        await session.run("go")
    assert states(session)[0].content[0].text != threading.main_thread().name


async def test_a_failure_that_may_pass_is_tried_again_and_the_failed_attempt_stays_beside_the_branch():
    limits = Limits(retry_delay=0.001)
    with ScriptedModel(error("overloaded"), text("Now it works.")) as model:
        session = Agent(model, limits=limits, store=None).session()
        events = [event async for event in session.stream("go")]
    assert events[-2].reason == "done"
    retry = next(event for event in events if event.type == "retry")
    assert (retry.attempt, retry.error.code) == (1, "overloaded")
    assert [message.role for message in session.messages] == ["user", "assistant"]
    kept = [message async for message in session._store.messages(session.id)]
    (failed,) = [message for message in kept if any(isinstance(part, RetryPart) for part in message.parts)]
    assert failed.parent_id == session.messages[1].parent_id


async def test_a_failure_that_will_not_pass_is_raised_at_once():
    with (
        ScriptedModel(error("auth", message="wrong key")) as model,
        pytest.raises(ModelError, match="wrong key") as info,
    ):
        await Agent(model).run("go")
    assert info.value.code == "auth"


async def test_retries_are_bounded():
    turns = [error("server")] * 3
    with ScriptedModel(*turns) as model, pytest.raises(ModelError):
        await Agent(model, limits=Limits(retries=2, retry_delay=0.001)).run("go")
    assert len(model.requests) == 3


async def test_a_wait_that_is_too_long_is_not_waited_for():
    with ScriptedModel(error("rate_limit", retry_after=3600)) as model, pytest.raises(ModelError):
        await Agent(model).run("go")
    assert len(model.requests) == 1


async def test_a_call_cut_at_the_length_limit_is_not_run_and_the_model_is_told_to_split_it():
    ran = False

    @tool
    async def write(content: str) -> str:
        """Write a file."""
        nonlocal ran
        ran = True
        return "written"

    with ScriptedModel(
        turn(call("write", {"content": "very lo"}), finish="length"), text("In two parts then.")
    ) as model:
        session = Agent(model, [write]).session()
        await session.run("write")
    assert not ran
    assert states(session)[0].kind == "truncated"
    assert "plit" in sent_results(model.requests[1])[0]


async def test_an_answer_cut_at_the_length_limit_is_not_called_done():
    with ScriptedModel(turn(text("Once upon a"), finish="length")) as model:
        result = await Agent(model).run("a story")
    assert (result.reason, result.limit, result.text) == ("limit", "max_output", "Once upon a")


async def test_usage_is_summed_over_steps_and_an_unknown_price_stays_unknown():
    turns = (turn(call("add", {"a": 1, "b": 2}), usage=Usage(10, 2)), turn(text("3"), usage=Usage(20, 3)))
    with ScriptedModel(*turns) as model:
        session = Agent(model, [add]).session()
        result = await session.run("1 + 2?")
    assert result.usage == session.usage == Usage(30, 5)
    assert result.cost is None
    steps = [message.finish for message in session.messages if message.finish]
    assert [step.usage for step in steps if isinstance(step, StepFinish)] == [Usage(10, 2), Usage(20, 3)]


async def test_tools_can_be_switched_off_for_one_run():
    with ScriptedModel(text("ok")) as model:
        await Agent(model, [add, get_weather]).session().run("go", switch_off=["add"])
    assert [spec.name for spec in model.requests[0].tools] == ["get_weather"]


async def test_the_order_of_tools_does_not_depend_on_the_order_in_which_they_were_given():
    names = []
    for tools in ([add, get_weather], [get_weather, add]):
        with ScriptedModel(text("ok")) as model:
            await Agent(model, tools).run("go")
        names.append([spec.name for spec in model.requests[0].tools])
    assert names[0] == names[1]


async def test_options_of_the_call_go_over_those_of_the_agent():
    with ScriptedModel(text("ok")) as model:
        agent = Agent(model, options={"temperature": 0, "extra": {"a": 1}})
        await agent.session().run("go", options={"temperature": 1, "extra": {"b": 2}})
    assert model.requests[0].options == {"temperature": 1, "extra": {"a": 1, "b": 2}}


async def test_equal_arguments_get_the_cached_result():
    runs = 0

    @tool(cache=60)
    async def look_up(word: str) -> str:
        """Look a word up."""
        nonlocal runs
        runs += 1
        return f"meaning {runs}"

    turns = (call("look_up", {"word": "x"}), call("look_up", {"word": "x"}), call("look_up", {"word": "y"}), text("ok"))
    with ScriptedModel(*turns) as model:
        session = Agent(model, [look_up]).session()
        await session.run("go")
    assert [state.content[0].text for state in states(session)] == ["meaning 1", "meaning 1", "meaning 2"]


async def test_a_rate_limited_tool_waits_for_its_turn():
    from toolpost import RateLimit

    starts: list[float] = []

    @tool(rate_limit=RateLimit(2, 0.2))
    async def ping() -> str:
        """Ping."""
        starts.append(asyncio.get_running_loop().time())
        return "pong"

    with ScriptedModel(calls(call("ping", {}), call("ping", {}), call("ping", {})), text("ok")) as model:
        await Agent(model, [ping]).run("go")
    starts.sort()
    assert starts[2] - starts[0] >= 0.19


async def test_a_progress_report_is_an_event():
    from toolpost import ToolContext

    @tool
    async def work(ctx: ToolContext) -> str:
        """Work."""
        ctx.update("half way\n")
        return "done"

    with ScriptedModel(call("work", {}), text("ok")) as model:
        events = [event async for event in Agent(model, [work]).session().stream("go")]
    update = next(event for event in events if event.type == "tool_execution_update")
    assert (update.name, update.text) == ("work", "half way\n")


async def test_the_events_of_a_run_come_in_their_order_and_settled_is_the_last():
    with ScriptedModel(call("add", {"a": 1, "b": 2}), text("3")) as model:
        events = [event async for event in Agent(model, [add]).session().stream("1 + 2?")]
    kinds = [event.type for event in events if event.type != "message_update"]
    assert kinds == [
        "run_start",
        "message_start",
        "message_end",
        "step_start",
        "message_start",
        "tool_call",
        "message_end",
        "tool_execution_start",
        "tool_execution_end",
        "step_end",
        "step_start",
        "message_start",
        "message_end",
        "step_end",
        "run_end",
        "settled",
    ]
    assert [event.seq for event in events] == list(range(1, len(events) + 1))


async def test_a_large_output_is_bounded_and_the_rest_can_be_read():
    @tool
    async def flood() -> str:
        """Say a lot."""
        return "\n".join(f"line {i}" for i in range(100_000))

    with ScriptedModel(call("flood", {}), text("ok")) as model:
        session = Agent(model, [flood]).session()
        await session.run("go")
    shown = states(session)[0].content[0].text
    assert len(shown.encode()) < 60_000
    assert shown.startswith("line 0\n")
    assert shown.rstrip().endswith("line 99999")


async def test_deeply_nested_arguments_are_a_failed_call_and_not_a_failed_run():
    @tool
    async def take(what: dict[str, Any]) -> str:
        """Take anything."""
        return "taken"

    for depth in (90, 900, 5_000, 50_000):
        nested = '{"what": ' + '{"a":' * depth + "1" + "}" * depth + "}"
        session = Agent(ScriptedModel(call("take", nested), text("ok")), [take]).session()
        assert (await session.run("go")).text == "ok"
        assert states(session)[0].status == ("completed" if depth < 100 else "error")


async def test_a_tool_named_like_one_of_the_engine_s_is_offered_once():
    @tool
    async def final_output(city: str) -> str:
        """The user's own."""
        return city

    with ScriptedModel(call("final_output", {"value": 3})) as model:
        result = await Agent(model, [final_output]).run("go", output=int)
    assert result.output == 3
    assert [spec.name for spec in model.requests[0].tools] == ["final_output"]


async def test_the_text_of_a_failure_is_bounded_like_a_result():
    @tool
    async def read() -> str:
        """Read."""
        raise ToolError("x" * 1_000_000)

    session = Agent(ScriptedModel(call("read", {}), text("ok")), [read]).session()
    await session.run("go")
    assert len(states(session)[0].message) < 60_000


async def test_all_sessions_of_an_agent_share_a_tool_s_cache():
    runs = 0

    @tool(cache=60)
    async def look_up(word: str) -> str:
        """Look a word up."""
        nonlocal runs
        runs += 1
        return "meaning"

    with ScriptedModel(call("look_up", {"word": "x"}), text("a"), call("look_up", {"word": "x"}), text("b")) as model:
        agent = Agent(model, [look_up])
        await agent.run("one")
        await agent.run("two")
    assert runs == 1


async def test_an_answer_that_broke_off_does_not_make_the_cost_unknown():
    from toolpost.models import prices

    gate = Gate()
    usage = Usage(1_000, 100)
    model = ScriptedModel(
        turn(text("a"), usage=usage),
        text("half") + pause(gate),
        turn(text("c"), usage=usage),
        provider="openai",
        name="gpt-4o",
    )
    session = Agent(model).session()
    await session.run("one")
    running = asyncio.create_task(session.run("two"))
    await gate.reached.wait()
    await session.abort()
    await running
    await session.run("three")
    assert session.cost == pytest.approx(2 * prices.cost("openai", "gpt-4o", usage))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"model": None}, "model is None"),
        ({"model": 5}, "model is 5"),
        ({"model": "gpt-5"}, "provider/model"),
        ({"model": "scripted/x", "limits": {"max_steps": 3}}, "Limits"),
        ({"model": "scripted/x", "plugins": ["x"]}, "each of it a Plugin"),
    ],
)
def test_a_wrong_use_of_the_sdk_is_told_in_words(arguments, said):
    with pytest.raises(ConfigError, match=said):
        Agent(**arguments)


@pytest.mark.parametrize("prompt", ["", "  \n", 5])
async def test_a_prompt_that_is_none_is_refused_before_anything_is_stored(prompt):
    session = Agent(ScriptedModel(text("never"))).session()
    with pytest.raises(ToolpostError, match="prompt"):
        await session.run(prompt)
    assert session.messages == ()
    assert session.status.state == "idle"
