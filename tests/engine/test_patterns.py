"""What a tool says it is about: one text is one pattern, anything that can't be read stops the call."""

import asyncio
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost import Agent, ConfigError, McpServer, Plugin, Rule, Tool, ToolContext, tool
from toolpost.arguments.check_sdk_calls import MAX_TEXTS, texts
from toolpost.guard.rules import Rules, covered, parse_rules
from toolpost.guard.wildcards import exact
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.offered_tools import ToolSwitches

SECRET = {"open_zone": {"*": "allow", "vault*": "deny"}}
ODD = [
    None,
    3,
    2.5,
    True,
    b"vault",
    bytearray(b"vault"),
    {"vault": 1},
    [b"vault"],
    ["a", None],
    [["vault"]],
    [Path("a")],
]


async def outcome(function, *, permissions=None, headless="deny", arguments=None, plugins=(), **options):
    """Call a tool once; gives what its call came to."""
    with ScriptedModel(call(function.name, arguments or {"path": "vault"}), text("ok")) as model:
        agent = Agent(model, [function], permissions=permissions, headless=headless, plugins=plugins, **options)
        session = agent.session()
        await session.run("go")
    return [part for message in session.messages for part in message.calls][-1].state


def zone_tool(ran, **options):
    @tool(name="open_zone", **options)
    async def open_zone(path: str = "", paths: list[str] | None = None) -> str:
        """Open a zone."""
        ran.append(path)
        return "opened"

    return open_zone


def asking_tool(ran, ask):
    @tool
    async def worker(path: str, ctx: ToolContext) -> str:
        """Work."""
        await ask(ctx)
        ran.append(path)
        return "done"

    return worker


@pytest.mark.parametrize(
    "given", [str, lambda path: [path], lambda path: (path,), lambda path: {path}, lambda path: iter([path])]
)
async def test_a_text_or_any_sequence_of_texts_is_what_a_rule_denies(given):
    ran = []
    state = await outcome(zone_tool(ran, patterns=lambda a: given(a["path"])), permissions=SECRET)
    assert (state.kind, ran) == ("denied", [])
    assert "'vault'" in state.message


@pytest.mark.parametrize("odd", ODD, ids=repr)
@pytest.mark.parametrize("headless", ["deny", "allow"])
async def test_patterns_that_are_no_texts_stop_the_call_and_name_the_tool(odd, headless):
    ran = []
    state = await outcome(zone_tool(ran, patterns=lambda a: odd), permissions=SECRET, headless=headless)
    assert (state.kind, ran) == ("failed", [])
    assert "open_zone: what its patterns function returns must be" in state.message


@pytest.mark.parametrize("odd", ODD, ids=repr)
async def test_an_always_that_is_no_text_stops_the_call(odd):
    ran = []
    state = await outcome(zone_tool(ran, patterns=lambda a: a["path"], always=lambda a: odd), headless="allow")
    assert (state.kind, ran) == ("failed", [])
    assert "open_zone: what its always function returns must be" in state.message


async def test_patterns_without_an_end_stop_the_call():
    def endless(arguments):
        while True:
            yield "a"

    state = await outcome(zone_tool([], patterns=endless))
    assert state.kind == "failed"
    assert f"{MAX_TEXTS:,}" in state.message


def raising(error):
    def patterns(arguments):
        raise error

    return patterns


def halfway(arguments):
    yield "harmless"
    raise LookupError("no such zone")


@pytest.mark.parametrize(
    "patterns",
    [
        raising(KeyError("path")),
        raising(ConfigError("wrong")),
        raising(SystemExit(0)),
        raising(RecursionError()),
        halfway,
        lambda arguments: asyncio.sleep(0),
    ],
)
@pytest.mark.parametrize("which", ["patterns", "always"])
async def test_a_function_that_fails_stops_the_call_and_not_the_run(patterns, which):
    ran = []
    state = await outcome(zone_tool(ran, **{which: patterns}), headless="allow")
    assert (state.kind, ran) == ("failed", [])
    assert state.message.startswith("open_zone")
    assert which in state.message


@pytest.mark.parametrize("odd", ["path", ["a"], 3, b"a"])
@pytest.mark.parametrize("which", ["patterns", "always"])
def test_a_tool_whose_patterns_are_no_function_is_refused_where_it_is_defined(odd, which):
    with pytest.raises(ConfigError, match=f"open_zone: {which} must be a plain function"):
        zone_tool([], **{which: odd})
    with pytest.raises(ConfigError, match=f"plain: {which} must be a plain function"):
        Tool("plain", "", "", {"type": "object"}, execute=asyncio.sleep, **{which: odd})


def test_a_tool_whose_patterns_are_async_is_refused_where_it_is_defined():
    async def patterns(arguments):
        return ["a"]

    with pytest.raises(ConfigError, match="open_zone: patterns must be a plain function"):
        zone_tool([], patterns=patterns)


def test_a_permission_that_is_no_text_is_refused_where_it_is_defined():
    with pytest.raises(ConfigError, match=r"open_zone: permission is .* give one name"):
        zone_tool([], permission=["edit", "read"])


async def test_a_text_given_to_ctx_ask_is_one_pattern():
    ran = []
    worker = asking_tool(ran, lambda ctx: ctx.ask("zone", "abc"))
    rules = {"zone": {"*": "allow", "abc": "deny"}}
    state = await outcome(worker, permissions=rules)
    assert (state.kind, ran) == ("denied", [])
    assert "'abc'" in state.message


async def test_a_text_given_as_always_is_one_pattern():
    asked = []

    async def on_ask(ask):
        asked.append((ask.patterns, ask.always))
        return "once"

    worker = asking_tool([], lambda ctx: ctx.ask("zone", "abc", always="ab*"))
    await outcome(worker, permissions={"zone": "ask"}, on_ask=on_ask)
    own = zone_tool([], patterns=lambda a: a["path"], always=lambda a: "vau*")
    await outcome(own, permissions={"open_zone": "ask"}, on_ask=on_ask)
    assert asked == [(("abc",), ("ab*",)), (("vault",), ("vau*",))]


@pytest.mark.parametrize("odd", ODD, ids=repr)
async def test_what_is_no_text_given_to_ctx_ask_stops_the_call_and_names_the_tool(odd):
    for ask in (lambda ctx: ctx.ask("zone", odd), lambda ctx: ctx.ask("zone", "a", always=odd)):
        ran = []
        state = await outcome(asking_tool(ran, ask), permissions={"zone": "allow"}, headless="allow")
        assert (state.kind, ran) == ("failed", [])
        assert "worker: the " in state.message


@pytest.mark.parametrize("odd", ["", None, ["zone"], b"zone"])
async def test_ctx_ask_wants_the_name_of_a_permission(odd):
    state = await outcome(asking_tool([], lambda ctx: ctx.ask(odd, "a")), permissions={"*": "allow"})
    assert state.kind == "failed"
    assert "worker: ctx.ask takes the name of a permission" in state.message


@pytest.mark.parametrize("odd", [["abc"], ("abc",), "abc"])
async def test_ctx_forbids_and_decide_take_a_text_or_texts(odd):
    seen = []

    async def ask(ctx):
        seen.append((ctx.forbids("zone", odd), ctx.decide("zone", odd)))

    await outcome(asking_tool([], ask), permissions={"zone": {"*": "allow", "abc": "deny"}})
    assert seen == [(True, "deny")]


@pytest.mark.parametrize("headless", ["deny", "allow", "fail"])
async def test_a_call_that_names_no_pattern_is_denied_where_a_rule_denies_any(headless):
    ran = []
    state = await outcome(zone_tool(ran, patterns=lambda a: []), permissions=SECRET, headless=headless)
    assert (state.kind, ran) == ("denied", [])
    assert "without a pattern" in state.message


async def test_a_call_that_names_no_pattern_is_denied_where_a_rule_about_its_name_denies_any():
    ran = []
    rules = {"edit": "allow", "open_zone": {"vault": "deny"}}
    state = await outcome(zone_tool(ran, permission="edit", patterns=lambda a: []), permissions=rules)
    assert (state.kind, ran) == ("denied", [])


async def test_a_call_that_names_no_pattern_is_asked_for_or_allowed_as_a_whole():
    ran = []
    assert (await outcome(zone_tool(ran, patterns=lambda a: []))).status == "completed"
    state = await outcome(zone_tool(ran, patterns=lambda a: []), permissions={"open_zone": {"a*": "ask"}})
    assert (state.kind, len(ran)) == ("denied", 1)


async def test_ctx_ask_without_a_pattern_is_denied_where_a_rule_denies_any():
    worker = asking_tool([], lambda ctx: ctx.ask("zone", []))
    state = await outcome(worker, permissions={"zone": {"*": "allow", "abc": "deny"}}, headless="allow")
    assert state.kind == "denied"


@pytest.mark.parametrize("answer", ["Deny", "no", True, False, 0, ["allow"]])
async def test_a_plugin_whose_answer_is_none_stops_the_call_and_the_run(answer):
    class Gate(Plugin):
        name = "gate"

        async def permission_ask(self, ask):
            return answer

    ran = []
    rules = {"open_zone": "ask"}
    with pytest.raises(ConfigError, match=r'plugin gate: permission_ask returned .* return "allow", "deny" or None'):
        await outcome(zone_tool(ran), permissions=rules, headless="allow", plugins=[Gate()])
    assert ran == []


@pytest.mark.parametrize(
    ("permission", "pattern", "action"),
    [
        ("bash", ["rm *"], "deny"),
        ("bash", b"rm *", "deny"),
        ("bash", None, "deny"),
        (["bash"], "*", "deny"),
        ("bash", "*", "Deny"),
        ("bash", "*", None),
    ],
)
def test_a_rule_that_cannot_be_read_is_refused(permission, pattern, action):
    with pytest.raises(ConfigError):
        Rule(permission, pattern, action)


@pytest.mark.parametrize("odd", ["deny", ["bash"], [("bash", "*", "deny")], [None]])
def test_rules_are_rules(odd):
    with pytest.raises(ConfigError, match="is not a rule"):
        Rules(odd)


@pytest.mark.parametrize(
    "odd", [b"deny", [b"bash"], 3, {"bash": ["rm *"]}, {"bash": {"rm *": ["deny"]}}, {b"bash": "deny"}]
)
def test_permissions_that_cannot_be_read_are_refused(odd):
    with pytest.raises(ConfigError):
        parse_rules(odd, "permissions")


def test_a_text_is_one_tool_or_one_name():
    with ScriptedModel() as model:
        assert Agent(model, "read").tools.names == ("read",)
    assert not ToolSwitches.without("bash").offers("bash")
    assert ToolSwitches.only("bash").offers("bash")
    assert McpServer("x", command="y", args="--verbose").args == ("--verbose",)


async def test_a_text_switches_one_tool_off():
    ran = []
    with ScriptedModel(call("open_zone", {"path": "a"}), text("ok")) as model:
        await Agent(model, [zone_tool(ran)]).run("go", switch_off="open_zone")
    assert model.requests[0].tools == ()
    assert ran == []


@pytest.mark.parametrize("odd", [b"open_zone", 3, None, [b"open_zone"]])
async def test_what_is_no_name_cannot_be_switched_off(odd):
    with ScriptedModel() as model, pytest.raises(ConfigError, match="switch_off"):
        await Agent(model, [zone_tool([])]).run("go", switch_off=odd)


@pytest.mark.parametrize("odd", [None, 3, b"read", {"read": True}])
def test_tools_that_are_no_tools_are_refused(odd):
    with ScriptedModel() as model, pytest.raises(ConfigError):
        Agent(model, odd)


@given(st.text(min_size=1))
def test_however_one_pattern_is_given_the_decision_is_the_same(pattern):
    rules = Rules([Rule("zone", "*", "allow"), Rule("zone", exact(pattern), "deny")])
    forms = (pattern, [pattern], (pattern,), iter([pattern]))
    assert len({rules.decide("zone", form).action for form in forms}) == 1
    saved = [("zone", pattern)]
    assert covered(saved, "zone", pattern) == covered(saved, "zone", [pattern])


@given(st.one_of(st.text(), st.lists(st.text()), st.frozensets(st.text())))
def test_texts_keeps_every_text_whole(value):
    expected = (value,) if isinstance(value, str) else tuple(value)
    assert texts(value, "it") == expected
