"""A wrong use of the SDK is an error at once, that says what was given and what to write."""

import pytest

from toolpost import Agent, ConfigError, FilePart, Limits, McpServer, OpenAIChat, Plugin, tool
from toolpost.store.memory import MemoryStore
from toolpost.testing import ScriptedModel, text


class Own(Plugin):
    pass


@tool
async def read_notes() -> str:
    """Read the notes."""
    return "notes"


def agent(**arguments):
    return Agent(ScriptedModel(text("ok")), [read_notes], **arguments)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"modle": "x"}, r"modle is not an argument of Agent; did you mean model\?"),
        ({"permision": {}}, r"did you mean permissions\?"),
        ({"headless": "never"}, """headless is 'never' .str.: give "deny", "allow" or "fail\""""),
        ({"headless": True}, "headless is True"),
        ({"on_ask": "once"}, "on_ask is 'once' .str.: give a function of .asked."),
        ({"on_ask": lambda: "once"}, "on_ask is called with .asked., but .* can't be"),
        ({"on_question": lambda a, b: None}, "on_question is called with .asked."),
        ({"system": 5}, "system is 5 .int.: give a text"),
        ({"name": None}, "name is None"),
        ({"options": [1]}, "options is .1. .list.: give a dict"),
        ({"options": {"temprature": 3}}, r"temprature is not an option; did you mean temperature\?"),
        ({"variants": {"brief": {"maxTokens": 3}}}, r"maxTokens is not an option; did you mean max_tokens\?"),
        ({"limits": {"max_steps": 3}}, r"limits is .*: give a Limits, as in Limits\(max_steps=20\)"),
        ({"folder": 3}, "folder is 3 .int.: give a path"),
        ({"folder": "/no/such/place"}, "folder is '/no/such/place' .str.: there is no such folder"),
        ({"interactive": "yes"}, "interactive is 'yes' .str.: give True or False"),
        ({"store": 3}, "store is 3 .int.: give 'sqlite'"),
        ({"store": MemoryStore}, "store is <class"),
        ({"plugins": Own()}, "plugins is .*: give a list, each of it a Plugin"),
        ({"plugins": [Own]}, r"plugins has the class Own in it: make one, as in Own\(\)"),
        ({"plugins": ["x"]}, "plugins has 'x' .str. in it: give a list, each of it a Plugin"),
        ({"agents": ["x"]}, "agents has 'x' .str. in it: give a list, each of it an Agent"),
        ({"mcp": McpServer("x", command="y")}, "mcp is .*: give a list, each of it a McpServer"),
        ({"mcp": ["npx"]}, "mcp has 'npx' .str. in it"),
    ],
)
def test_an_agent_says_what_is_wrong(arguments, said):
    with pytest.raises(ConfigError, match=said):
        agent(**arguments)


def test_a_model_that_was_not_made_is_told_apart_from_one():
    with pytest.raises(ConfigError, match=r"model is the class OpenAIChat: make one, as in OpenAIChat\(…\)"):
        Agent(OpenAIChat)


def test_two_agents_of_one_name_are_an_error():
    with pytest.raises(ConfigError, match='two of agents are named "default": give each another'):
        agent(agents=[agent(), agent()])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"max_step": 3}, r"max_step is not an argument of Limits; did you mean max_steps\?"),
        ({"max_steps": "3"}, "the limit max_steps is '3' .str.: give a number"),
        ({"tool_timeout": None}, "the limit tool_timeout is None"),
        ({"retries": True}, "the limit retries is True"),
    ],
)
def test_limits_say_what_is_wrong(arguments, said):
    with pytest.raises(ConfigError, match=said):
        Limits(**arguments)


def test_budgets_may_be_left_out():
    assert Limits(max_tokens=None, max_cost=None, max_seconds=None) == Limits()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"comand": "x"}, r"comand is not an argument of McpServer; did you mean command\?"),
        ({}, 'MCP server s: give either command="…" or url="https://…"'),
        ({"command": "x", "url": "http://x"}, "give either command"),
        ({"command": ["npx", "-y"]}, "command must be a string, not list: give one program, and its arguments as args"),
        ({"url": "localhost:3000"}, "url must begin with http:// or https://"),
        ({"command": "x", "args": [1]}, "args must be texts"),
        ({"command": "x", "env": {"A": 1}}, "env must be a dict of strings"),
        ({"command": "x", "headers": ["A: b"]}, "headers must be a dict of strings"),
        ({"command": "x", "timeout": -1}, "timeout, in seconds, is -1"),
        ({"url": "http://x", "type": "websocket"}, "type is 'websocket' .str.: use"),
    ],
)
def test_an_mcp_server_says_what_is_wrong(arguments, said):
    with pytest.raises(ConfigError, match=said):
        McpServer("s", **arguments)


def test_no_value_of_a_server_s_environment_is_shown():
    with pytest.raises(ConfigError) as failure:
        McpServer("s", command="x", env={"KEY": b"sk-very-secret"})
    assert "sk-very-secret" not in str(failure.value)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"switchoff": ["x"]}, r"switchoff is not an argument of run; did you mean switch_off\?"),
        ({"ouput": int}, r"ouput is not an argument of run; did you mean output\?"),
        ({"switch_off": ["raed_notes"]}, r'switch_off names "raed_notes", .* did you mean read_notes\?'),
        ({"switch_off": "x y"}, 'switch_off names "x y", which is not a tool here; there are: read_notes'),
        ({"switch_off": 3}, "switch_off must be a text or a list of texts"),
        ({"files": "a.png"}, "files is 'a.png' .str.: give a list, each of it a FilePart"),
        ({"files": ["a.png"]}, "one of files is 'a.png' .str.: give a FilePart"),
        ({"options": "hot"}, "options is 'hot' .str.: give a dict"),
        ({"options": {"reasoning_efort": "low"}}, r"reasoning_efort is not an option; did you mean reasoning_effort\?"),
        ({"output": "City"}, "output is 'City' .str.: give a type"),
    ],
)
async def test_a_run_says_what_is_wrong_before_anything_is_stored(arguments, said):
    session = agent().session()
    with pytest.raises(ConfigError, match=said):
        await session.run("go", **arguments)
    with pytest.raises(ConfigError, match=said):
        await agent().run("go", **arguments)
    assert session.messages == ()


def test_the_sync_face_says_it_too():
    with pytest.raises(ConfigError, match=r"did you mean switch_off\?"):
        agent().run_sync("go", swich_off=["x"])
    with pytest.raises(ConfigError, match=r"did you mean switch_off\?"):
        agent().session().run_sync("go", swich_off=["x"])


async def test_a_stream_says_what_is_wrong():
    with pytest.raises(ConfigError, match="switchoff is not an argument of stream"):
        agent().session().stream("go", switchoff=[])
    with pytest.raises(ConfigError, match="which is not a tool here"):
        _ = [event async for event in agent().session().stream("go", switch_off=["nothing"])]


async def test_what_fits_is_taken():
    given = agent(on_ask=lambda asked: "once", options={"seed": 1}, limits=Limits(max_steps=3), plugins=[Own()])
    files = [FilePart("text/plain", "aGk=")]
    assert (await given.run("go", switch_off="read_notes", files=files, options={"seed": 2})).text == "ok"


async def test_an_option_of_one_server_alone_goes_on_as_it_stands():
    foreign = {"min_p": 0.1, "top_a": 1, "max_completion_tokens": 9, "num_ctx": 4096, "stop_sequences": ["x"], "n": 1}
    with ScriptedModel(text("ok")) as model:
        await Agent(model, options=foreign).run("go", options={"min_tokens": 2})
        (request,) = model.requests
    assert request.options == {**foreign, "min_tokens": 2}


async def test_a_tool_of_a_server_that_is_not_there_may_be_switched_off():
    assert (await agent().run("go", switch_off=["mcp__github__search"])).text == "ok"


@pytest.mark.parametrize(
    ("listener", "said"), [("print", "is 'print' .str.: give a function of .event."), (lambda: None, "is called with")]
)
def test_what_cannot_listen_is_refused(listener, said):
    with pytest.raises(ConfigError, match=f"what is given to subscribe {said}"):
        agent().session().subscribe(listener)
