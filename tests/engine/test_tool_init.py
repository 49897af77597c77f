"""Tools that say how they are when a session starts."""

import asyncio
import threading
from dataclasses import replace

import pytest

from toolpost import Agent, ConfigError, InitContext, Limits, Plugin, Rule, Tool, ToolError, tool
from toolpost.testing import ScriptedModel, call, text

SCHEMA = {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]}


async def say(arguments, ctx):
    return arguments["word"]


def echo(init):
    return Tool("echo", "Echo", "As it was written.", SCHEMA, say, init=init)


def offered(request):
    return {spec.name: spec for spec in request.tools}


def states(session):
    return [part.state for message in session.messages for part in message.calls]


async def test_init_makes_description_and_schema_for_agent_and_model(tmp_path):
    seen = []

    async def init(context: InitContext):
        seen.append(context)
        narrow = {"type": "object", "properties": {"word": {"enum": ["yes", "no"]}}, "required": ["word"]}
        return {"description": f"For {context.model.name}.", "parameters": narrow}

    with ScriptedModel(call("echo", {"word": "maybe"}), call("echo", {"word": "yes"}), text("ok"), name="big") as model:
        session = Agent(model, [echo(init)], name="helper", folder=tmp_path).session()
        await session.run("go")
    assert offered(model.requests[0])["echo"].description == "For big."
    assert [state.status for state in states(session)] == ["error", "completed"]
    assert states(session)[0].kind == "invalid"
    assert seen == [InitContext("helper", model.info, tmp_path, session.id)]


async def test_a_sync_init_runs_in_a_thread_and_may_give_another_tool():
    threads = []

    def init(context):
        threads.append(threading.current_thread())

        async def shout(arguments, ctx):
            return arguments["word"].upper()

        return replace(made, execute=shout, source="somewhere")

    made = echo(init)
    with ScriptedModel(call("echo", {"word": "hi"}), text("ok")) as model:
        agent = Agent(model, [made])
        session = agent.session()
        await session.run("go")
    assert states(session)[0].content[0].text == "HI"
    assert threading.main_thread() not in threads
    assert agent.tools.get("echo").source == "sdk"


async def test_a_typed_function_keeps_its_own_check_behind_what_init_says():
    @tool(init=lambda context: {"parameters": {"type": "object", "properties": {"days": {"maximum": 3}}}})
    async def forecast(days: int = 1) -> str:
        """Tell the weather."""
        return str(days + 1)

    turns = (
        call("forecast", {"days": 9}),
        call("forecast", {"days": "x"}),
        call("forecast", {"days": "2"}),
        text("ok"),
    )
    session = Agent(ScriptedModel(*turns), [forecast]).session()
    await session.run("go")
    first, second, third = states(session)
    assert (first.kind, second.kind) == ("invalid", "invalid")
    assert third.content[0].text == "3"


async def test_none_is_not_offered_in_this_session():
    with ScriptedModel(call("echo", {"word": "x"}), text("ok")) as model:
        session = Agent(model, [echo(lambda context: None)]).session()
        await session.run("go")
    assert model.requests[0].tools == ()
    assert states(session)[0].kind == "unknown_tool"
    assert not session.offers("echo")


async def test_init_is_asked_once_a_session_and_again_for_another_model():
    asked = []

    def init(context):
        asked.append((context.session_id, context.model.name))
        return {"description": f"For {context.model.name}."}

    first = ScriptedModel(call("echo", {"word": "a"}), text("ok"), text("ok"), text("ok"), name="first")
    second = ScriptedModel(text("ok"), name="second")
    agent = Agent(first, [echo(init)])
    session, other = agent.session(), agent.session()
    await session.run("one")
    await session.run("two")
    await other.run("three")
    session.use_model(second)
    await session.run("four")
    assert asked == [(session.id, "first"), (other.id, "first"), (session.id, "second")]
    assert offered(second.requests[0])["echo"].description == "For second."
    assert first.requests[0].tools is first.requests[1].tools


def wrong_name(context):
    return Tool("other", "Other", "Another.", SCHEMA, say)


def wrong_permission(context):
    return Tool("echo", "Echo", "Another.", SCHEMA, say, permission="read")


def broken(context):
    raise ValueError("boom")


async def hangs(context):
    await asyncio.Event().wait()


@pytest.mark.parametrize(
    ("init", "said"),
    [
        (broken, "tool echo: its init failed: ValueError: boom"),
        (hangs, "tool echo: its init failed: it took longer than 0.05 s"),
        (lambda context: "text", "it returned 'text' .str.: return a Tool"),
        (lambda context: {"descripton": "x"}, r"descripton is not a key of .*; did you mean description\?"),
        (lambda context: {"description": 5}, "description is 5"),
        (lambda context: {"parameters": {"type": "array"}}, 'with "type": "object"'),
        (wrong_name, "it returned a tool with another name: keep that of echo"),
        (wrong_permission, "it returned a tool with another permission"),
    ],
)
async def test_an_init_that_fails_ends_the_run_of_an_agent_in_code(init, said):
    model = ScriptedModel()
    with pytest.raises(ConfigError, match=said):
        await Agent(model, [echo(init)], limits=Limits(hook_timeout=0.05)).run("go")
    assert model.requests == []


async def test_a_schema_with_a_parameter_that_the_function_lacks_is_an_error():
    @tool(init=lambda context: {"parameters": {"type": "object", "properties": {"wrd": {"type": "string"}}}})
    async def shout(word: str = "") -> str:
        """Shout."""
        return word

    with pytest.raises(ConfigError, match=r"wrd is not a parameter of the function of shout; did you mean word\?"):
        await Agent(ScriptedModel(), [shout]).run("go")


async def test_a_sub_agent_s_tools_are_asked_for_it_and_its_model():
    seen = []

    def init(context):
        seen.append((context.agent, context.model.name))
        return {}

    helper = Agent(ScriptedModel(text("done"), name="small"), [echo(init)], name="helper", description="Helps.")
    turns = (call("task", {"description": "d", "prompt": "go", "agent": "helper"}), text("ok"))
    await Agent(ScriptedModel(*turns, name="large"), agents=[helper]).run("go")
    assert seen == [("helper", "small")]


async def test_a_call_beside_the_conversation_asks_init_too():
    session = Agent(ScriptedModel(), [echo(lambda context: {"parameters": {"type": "object"}})]).session()
    outcome = await session.call("echo", {})
    assert (outcome.error_kind, outcome.text) == ("failed", "KeyError: 'word'")
    none = Agent(ScriptedModel(), [echo(lambda context: None)]).session()
    assert (await none.call("echo", {"word": "x"})).error_kind == "unknown_tool"


class Slow(Plugin):
    name = "slow"

    def __init__(self, given=None, error=None):
        self.given, self.error, self.asked = given, error, 0

    async def tools(self):
        self.asked += 1
        await asyncio.sleep(0)
        if self.error:
            raise self.error
        return [echo(lambda context: {"description": "From the plugin."})] if self.given is None else self.given

    def rules(self):
        return [Rule("echo", "*", "allow", "plugin slow")]


async def test_a_plugin_may_make_its_tools_asynchronously():
    plugin = Slow()
    with ScriptedModel(call("echo", {"word": "hi"}), text("ok"), text("ok")) as model:
        agent = Agent(model, plugins=[plugin])
        session = agent.session()
        await session.run("go")
        await agent.run("again")
    assert states(session)[0].content[0].text == "hi"
    assert offered(model.requests[0])["echo"].description == "From the plugin."
    assert agent.tools.get("echo").source == "plugin:slow"
    assert plugin.asked == 1


async def test_runs_that_begin_at_once_wait_for_the_same_tools():
    plugin = Slow()
    model = ScriptedModel(text("ok"), text("ok"))
    agent = Agent(model, plugins=[plugin])
    await asyncio.gather(agent.run("a"), agent.run("b"))
    assert plugin.asked == 1
    assert all("echo" in offered(request) for request in model.requests)


async def test_a_tool_of_an_async_plugin_may_be_switched_off():
    with ScriptedModel(text("ok")) as model:
        await Agent(model, plugins=[Slow()]).run("go", switch_off="echo")
    assert model.requests[0].tools == ()


@pytest.mark.parametrize(
    ("plugin", "said"),
    [
        (Slow(error=ToolError("no key")), r"plugin slow: tools\(\) gives none: ToolError: no key"),
        (Slow(given=3), "it returned int: return a list of tools"),
        (Slow(given=[3]), "3 is not a tool"),
    ],
)
async def test_an_async_plugin_that_fails_ends_the_run_of_an_agent_in_code(plugin, said):
    with pytest.raises(ConfigError, match=said):
        await Agent(ScriptedModel(), plugins=[plugin]).run("go")


def test_a_sync_plugin_that_fails_is_an_error_at_once():
    class Broken(Plugin):
        name = "broken"

        def tools(self):
            return None

    with pytest.raises(ConfigError, match=r"plugin broken: tools\(\) gives none: it returned NoneType"):
        Agent(ScriptedModel(), plugins=[Broken()])
