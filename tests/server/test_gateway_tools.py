"""Tools that run here, inside the stream of one answer."""

import json
from pathlib import Path
from typing import Any

import anthropic
import pytest
from gateway_play import ADD, HI, WIRES, blocks, broken, gateway, listening, mcp_server, whole, with_server, write

from toolpost.guard.rules import Rule
from toolpost.plugins.hooks import Plugin
from toolpost.testing import call, calls, cut, error, http_error, reasoning, stall, text, turn
from toolpost.types.messages import Usage

SHOWN = {"x-toolpost-show-calls": "1"}
ECHO = call("mcp__play__echo", {"text": "hi"})


def said(found: list[dict[str, Any]]) -> list[str]:
    return [block["text"] for block in found if block["type"] == "text"]


def results(play: Any) -> list[str]:
    """What the model was told of its calls in its last request."""
    return [json.dumps(message["content"]) for message in play.sent()["messages"] if message["role"] == "tool"]


async def test_a_call_runs_inside_the_stream_and_is_not_shown(folder: Path, mcp_url: str) -> None:
    turns = (turn(text("I look") + ECHO, usage=Usage(10, 2)), turn(text("done"), usage=Usage(20, 3)))
    async with gateway(folder, *turns, config=with_server(folder, mcp_url)) as play:
        events = await play.events(tools=[ADD])
        assert "echo hi" in results(play)[0]
        offered = {tool["function"]["name"] for tool in play.sent(0)["tools"]}
    found, reason = whole(events)
    assert said(found) == ["I look", "done"]
    assert {block["type"] for block in found} == {"text"}
    assert (reason, events[-2]["usage"]["input_tokens"], events[-2]["usage"]["output_tokens"]) == ("end_turn", 30, 5)
    assert {"add", "mcp__play__echo"} <= offered


async def test_a_client_that_wants_to_sees_the_calls(folder: Path, mcp_url: str) -> None:
    async with gateway(folder, text("I look") + ECHO, text("done"), config=with_server(folder, mcp_url)) as play:
        found, _ = whole(await play.events(headers=SHOWN))
    assert [block["type"] for block in found] == ["text", "mcp_tool_use", "mcp_tool_result", "text"]
    used, told = found[1], found[2]
    assert (used["server_name"], used["name"], used["input"]) == ("play", "echo", {"text": "hi"})
    assert (told["tool_use_id"], told["is_error"]) == (used["id"], False)
    assert "echo hi" in json.dumps(told["content"])


async def test_a_client_that_wants_to_sees_the_arguments_as_they_are_written(folder: Path, mcp_url: str) -> None:
    slowly = call("mcp__play__echo", {"text": "hi"}, chunk=3)
    async with gateway(folder, slowly, text("done"), config=with_server(folder, mcp_url)) as play:
        events = await play.events(headers=SHOWN)
    written = [event for event in events if event["type"] == "toolpost_input"]
    assert json.loads("".join(event["text"] for event in written)) == {"text": "hi"}
    assert {event["name"] for event in written} == {"mcp__play__echo"}
    assert len(written) > 3


async def test_anthropics_client_gets_one_message(folder: Path) -> None:
    turns = (reasoning("hm") + ECHO, text("done"), reasoning("hm") + ECHO, text("done"))
    async with gateway(folder, *turns, config=with_server(folder)) as play:
        for headers in ({}, SHOWN):
            async with play.anthropic.beta.messages.stream(
                model="m", max_tokens=100, messages=HI, extra_headers=headers
            ) as stream:
                answer = await stream.get_final_message()
            assert (answer.content[-1].text, answer.stop_reason) == ("done", "end_turn")


async def test_openais_clients_get_one_answer(folder: Path, mcp_url: str) -> None:
    async with gateway(folder, ECHO, text("done"), ECHO, text("done"), config=with_server(folder, mcp_url)) as play:
        async with play.openai.chat.completions.stream(model="m", messages=HI) as stream:
            completion = await stream.get_final_completion()
        assert (completion.choices[0].message.content, completion.choices[0].finish_reason) == ("done", "stop")
        assert not completion.choices[0].message.tool_calls
        response = await play.openai.responses.create(model="m", input="hi")
        assert (response.output_text, response.status) == ("done", "completed")


async def test_calls_of_one_turn_run_side_by_side(folder: Path, mcp_url: str) -> None:
    both = calls(call("mcp__play__meet", {"name": "first"}), call("mcp__play__meet", {"name": "second"}))
    async with gateway(folder, both, text("done"), config=with_server(folder, mcp_url)) as play:
        found, _ = whole(await play.events(headers=SHOWN))
        assert ["met first" in results(play)[0], "met second" in results(play)[1]] == [True, True]
    shown = [block for block in found if block["type"] == "mcp_tool_use"]
    told = {block["tool_use_id"] for block in found if block["type"] == "mcp_tool_result"}
    assert len(shown) == 2
    assert {block["id"] for block in shown} == told


async def test_a_failure_of_a_tool_is_told_to_the_model(folder: Path, mcp_url: str) -> None:
    async with gateway(folder, call("mcp__play__fail"), text("so be it"), config=with_server(folder, mcp_url)) as play:
        found, _ = whole(await play.events(headers=SHOWN))
        assert "Error executing tool fail" in results(play)[0]
    assert [block["is_error"] for block in found if block["type"] == "mcp_tool_result"] == [True]


async def test_a_call_that_nobody_allows_never_runs(folder: Path, mcp_url: str) -> None:
    async with gateway(folder, ECHO, text("so be it"), config=with_server(folder, mcp_url, "ask")) as play:
        found, reason = whole(await play.events(headers=SHOWN))
        assert "echo hi" not in json.dumps(play.sent())
    assert (said(found), reason) == (["so be it"], "end_turn")
    assert [block["is_error"] for block in found if block["type"] == "mcp_tool_result"] == [True]


async def test_what_the_rules_deny_is_not_on_offer(folder: Path, mcp_url: str) -> None:
    async with gateway(folder, text("so be it"), config=with_server(folder, mcp_url, "deny")) as play:
        await play.events()
        assert not play.sent().get("tools")


async def test_the_clients_call_goes_back_and_ours_has_run(folder: Path, mcp_url: str) -> None:
    mixed = text("both") + calls(ECHO, call("add", {"a": 1}, chunk=2))
    async with gateway(folder, mixed, text("it is 2"), config=with_server(folder, mcp_url)) as play:
        found, reason = whole(await play.events(tools=[ADD]))
        assert [block["type"] for block in found] == ["text", "tool_use"]
        assert (found[1]["name"], found[1]["input"], reason) == ("add", {"a": 1}, "tool_use")
        result = {"type": "tool_result", "tool_use_id": found[1]["id"], "content": "two"}
        history = [*HI, {"role": "assistant", "content": found}, {"role": "user", "content": [result]}]
        found, _ = whole(await play.events(tools=[ADD], messages=history))
        assert said(found) == ["it is 2"]
        # The model sees its own call and what came of it, though the client never did.
        assert "echo hi" in results(play)[0]
        assert "two" in results(play)[1]


async def test_earlier_turns_are_there_again_as_well(folder: Path, mcp_url: str) -> None:
    turns = (text("first") + ECHO, text("then") + call("add", {"a": 1}), text("it is 2"))
    async with gateway(folder, *turns, config=with_server(folder, mcp_url)) as play:
        found, _ = whole(await play.events(tools=[ADD]))
        assert said(found) == ["first", "then"]
        result = {"type": "tool_result", "tool_use_id": found[-1]["id"], "content": "two"}
        history = [*HI, {"role": "assistant", "content": found}, {"role": "user", "content": [result]}]
        await play.events(tools=[ADD], messages=history)
        roles = [message["role"] for message in play.sent()["messages"]]
        assert roles == ["user", "assistant", "tool", "assistant", "tool"]
        assert "echo hi" in results(play)[0]


async def test_the_model_has_to_answer_at_the_step_limit(folder: Path, mcp_url: str) -> None:
    config = with_server(folder, mcp_url) + "[server]\nmax_steps = 2\n"
    another = call("mcp__play__echo", {"text": "again"})
    async with gateway(folder, ECHO, another, text("enough"), config=config) as play:
        found, reason = whole(await play.events())
        assert not play.sent().get("tools")
    assert (said(found), reason) == (["enough"], "end_turn")


@pytest.mark.parametrize("failure", [http_error(500, "oops"), text("half") + cut()], ids=["refused", "cut"])
async def test_a_second_turn_that_fails_is_an_error(folder: Path, mcp_url: str, failure: Any) -> None:
    async with gateway(folder, text("I look") + ECHO, failure, config=with_server(folder, mcp_url)) as play:
        events = await play.events()
    assert said(blocks(events))[0] == "I look"
    assert broken(events)["message"]


OVERFLOW = error("context_overflow", "This model's maximum context length is 100 tokens")


@pytest.mark.parametrize("failure", [cut(), OVERFLOW, error("overloaded", "busy")], ids=["cut", "overflow", "busy"])
@pytest.mark.parametrize("wire", WIRES)
async def test_what_was_shown_is_not_said_twice(folder: Path, mcp_url: str, wire: str, failure: Any) -> None:
    """On these wires nothing can be taken back, so an answer that breaks off is not begun again."""
    turns = (text("I look") + ECHO, text("half") + failure)
    async with gateway(folder, *turns, wire=wire, config=with_server(folder, mcp_url)) as play:
        events = await play.events()
        assert broken(events)["message"]
        assert said(blocks(events)) == ["I look", "half"]
        chat = {"model": "m", "messages": HI, "stream": True}
        play.up.add(*turns)
        told = (await play.http.post("/v1/chat/completions", json=chat)).text
        # Nobody was asked for another attempt, nor for a summary that would make room for it.
        assert len(play.up.requests) == 2 * len(turns)
    assert (told.count("I look"), told.count("half"), told.count('"error"')) == (1, 1, 1)
    assert "[DONE]" not in told


@pytest.mark.parametrize(
    ("status", "kind"), [(401, anthropic.AuthenticationError), (429, anthropic.RateLimitError)], ids=str
)
async def test_a_first_turn_that_is_refused_is_a_refusal(folder: Path, mcp_url: str, status: int, kind: Any) -> None:
    async with gateway(
        folder, http_error(status, "no", {"retry-after": "3"}), config=with_server(folder, mcp_url)
    ) as play:
        with pytest.raises(kind):
            await play.anthropic.messages.create(model="m", max_tokens=100, messages=HI, stream=True)


async def test_another_model_stands_in_where_tools_run_here(folder: Path, mcp_url: str) -> None:
    config = with_server(folder, mcp_url) + '[server.routes.quick]\nmodel = "up/first"\nfallbacks = ["up/second"]\n'
    async with gateway(folder, http_error(529, "full"), ECHO, text("done"), config=config) as play:
        found, _ = whole(await play.events(model="quick"))
        assert [asked.body["model"] for asked in play.up.requests] == ["first", "second", "second"]
    assert said(found) == ["done"]


async def test_a_tool_of_the_clients_has_its_name_alone(folder: Path, mcp_url: str) -> None:
    own = {**ADD, "name": "mcp__play__echo"}
    async with gateway(folder, call("mcp__play__echo", {"a": 1}), config=with_server(folder, mcp_url)) as play:
        found, reason = whole(await play.events(tools=[own]))
    assert (found[0]["type"], found[0]["name"], reason) == ("tool_use", "mcp__play__echo", "tool_use")


@pytest.mark.parametrize("rule", ['add = "deny"', '"*" = "deny"\n"mcp__*" = "allow"'], ids=str)
async def test_the_folders_rules_are_not_about_the_clients_tools(folder: Path, mcp_url: str, rule: str) -> None:
    config = with_server(folder, mcp_url).replace("[permissions]\n", f"[permissions]\n{rule}\n", 1)
    config = config.replace('"mcp__*" = "allow"\n"mcp__*" = "allow"', '"mcp__*" = "allow"')
    async with gateway(folder, call("add", {"a": 1}), config=config) as play:
        found, reason = whole(await play.events(tools=[ADD]))
        assert len(play.sent()["tools"]) > 1
    assert (found[0]["name"], reason) == ("add", "tool_use")


GUARDED = """
[permissions]
"*" = "allow"
secret = "deny"
external_directory = "deny"
bash_network = "deny"
client = "deny"
edit = {"locked/*" = "deny"}
[server]
tools = ["read", "bash", "client"]
"""
CLIENT_TOOL = """
from toolpost import tool

@tool
async def client() -> str:
    \"""Do what the owner denies.\"""
    return "FAKE-ran"
"""


@pytest.mark.parametrize(
    "names",
    [(), ("secret", "external_directory", "bash_network", "edit", "write"), ("client_tool", "read_", "doom_loop")],
    ids=str,
)
async def test_no_name_of_a_clients_tool_takes_a_rule_away(folder: Path, names: tuple[str, ...]) -> None:
    write(folder / ".env", "A=FAKE-inside")
    write(folder / "locked" / "old", "")
    write(folder.parent / "notes.txt", "FAKE-outside")
    write(folder / ".toolpost" / "tools" / "client.py", CLIENT_TOOL)
    network = {"command": "cat .env", "network": True, "secrets": [".env"]}
    turns = (
        call("read", {"path": ".env"}),
        call("read", {"path": str(folder.parent / "notes.txt")}),
        call("bash", network),
        call("bash", {"command": "touch locked/new"}),
        call("client"),
        text("done"),
    )
    async with gateway(folder, *turns, config=GUARDED, first=True) as play:
        await play.events(tools=[{**ADD, "name": name} for name in names])
        assert "FAKE" not in "".join(results(play))
    assert not (folder / "locked" / "new").exists()


@pytest.mark.parametrize("name", ["_add", "a" * 100])
async def test_names_that_only_the_client_takes_go_to_the_model(folder: Path, mcp_url: str, name: str) -> None:
    async with gateway(folder, text("done"), config=with_server(folder, mcp_url)) as play:
        await play.events(tools=[{**ADD, "name": name}])
        assert len(play.sent()["tools"]) == 1


async def test_cut_off_answers_say_so(folder: Path, mcp_url: str) -> None:
    async with gateway(folder, turn(text("much"), finish="length"), config=with_server(folder, mcp_url)) as play:
        _, reason = whole(await play.events())
    assert reason == "max_tokens"


def brought(url: str, name: str = "own", **more: Any) -> dict[str, Any]:
    return {"mcp_servers": [{"type": "url", "name": name, "url": url, **more}]}


def open_to(url: str) -> str:
    """Settings of an operator who lets clients bring this one, though it is on the inside."""
    return f'[web]\nallow_hosts = ["{url.removeprefix("http://").removesuffix("/mcp")}"]\n'


OWN_ECHO = call("mcp__own__echo", {"text": "hi"})


async def test_servers_of_the_request_are_called_and_shown(folder: Path, mcp_url: str) -> None:
    async with gateway(folder, OWN_ECHO, text("done"), config=open_to(mcp_url)) as play:
        found, reason = whole(await play.events(**brought(mcp_url)))
        assert "echo hi" in results(play)[0]
    assert [block["type"] for block in found] == ["mcp_tool_use", "mcp_tool_result", "text"]
    assert (found[0]["server_name"], found[0]["name"], reason) == ("own", "echo", "end_turn")


async def test_anthropics_client_brings_servers(folder: Path, mcp_url: str) -> None:
    async with gateway(folder, OWN_ECHO, text("done"), config=open_to(mcp_url)) as play:
        answer = await play.anthropic.beta.messages.create(
            model="m",
            max_tokens=100,
            messages=HI,
            mcp_servers=[{"type": "url", "name": "own", "url": mcp_url}],
            tools=[{"type": "mcp_toolset", "mcp_server_name": "own"}],
        )
        assert [block.type for block in answer.content] == ["mcp_tool_use", "mcp_tool_result", "text"]


async def test_openais_client_brings_servers(folder: Path, mcp_url: str) -> None:
    tool = {"type": "mcp", "server_label": "own", "server_url": mcp_url, "require_approval": "never"}
    async with gateway(folder, OWN_ECHO, text("done"), config=open_to(mcp_url)) as play:
        answer = await play.openai.responses.create(model="m", input="hi", tools=[tool])
        made = next(item for item in answer.output if item.type == "mcp_call")
        assert (made.server_label, made.name, json.loads(made.arguments)) == ("own", "echo", {"text": "hi"})
        assert "echo hi" in made.output
        assert answer.output_text == "done"


async def test_only_the_tools_that_a_request_wants_are_on_offer(folder: Path, mcp_url: str) -> None:
    toolset = {
        "type": "mcp_toolset",
        "mcp_server_name": "own",
        "default_config": {"enabled": False},
        "configs": {"echo": {"enabled": True}},
    }
    async with gateway(folder, text("done"), config=open_to(mcp_url)) as play:
        await play.events(**brought(mcp_url), tools=[toolset])
        assert [tool["function"]["name"] for tool in play.sent()["tools"]] == ["mcp__own__echo"]


@pytest.mark.parametrize("address", ["http://127.0.0.1:9/mcp", "http://localhost/mcp", "http://169.254.169.254/mcp"])
async def test_servers_inside_the_operators_network_are_not_reached(folder: Path, address: str) -> None:
    async with gateway(folder) as play:
        with pytest.raises(anthropic.BadRequestError, match=r"public internet|port"):
            await play.anthropic.messages.create(model="m", max_tokens=9, messages=HI, extra_body=brought(address))


async def test_a_server_that_is_not_there_is_told_before_the_model_is_asked(folder: Path) -> None:
    gone = "http://127.0.0.1:9/mcp"
    async with gateway(folder, config=f"{open_to(gone)}[tool_limits]\nmcp_seconds = 0.5\n") as play:
        with pytest.raises(anthropic.BadRequestError, match="own"):
            await play.anthropic.messages.create(model="m", max_tokens=9, messages=HI, extra_body=brought(gone))


async def test_a_server_of_the_request_takes_the_name_but_never_the_rights_of_the_folders(
    folder: Path, mcp_url: str
) -> None:
    """Its tools are allowed because the client brought them; those of the folder's server of that name are not."""
    async with listening(mcp_server("other").streamable_http_app()) as url:
        config = with_server(folder, mcp_url, "ask") + open_to(url)
        async with gateway(folder, ECHO, text("done"), config=config) as play:
            toolset = {"type": "mcp_toolset", "mcp_server_name": "play", "configs": {"fail": {"enabled": False}}}
            await play.events(**brought(f"{url}/mcp", name="play"), tools=[toolset])
            offered = [tool["function"]["name"] for tool in play.sent(0)["tools"]]
            assert "other: echo hi" in results(play)[0]
    assert {"mcp__play__echo", "mcp__play__meet"} <= set(offered)
    assert "mcp__play__fail" not in offered


async def test_what_the_operator_denies_cannot_be_brought(folder: Path, mcp_url: str) -> None:
    config = f'{open_to(mcp_url)}[permissions]\n"mcp__own__*" = "deny"\n'
    async with gateway(folder, text("done"), config=config) as play:
        await play.events(**brought(mcp_url))
        assert not play.sent().get("tools")


async def test_a_deny_for_some_arguments_holds_for_a_server_that_is_brought(folder: Path, mcp_url: str) -> None:
    config = f'{open_to(mcp_url)}[permissions."mcp__own__*"]\n"*" = "ask"\n"*hi*" = "deny"\n'
    loud = call("mcp__own__echo", {"text": "loud"})
    async with gateway(folder, OWN_ECHO, loud, text("done"), config=config) as play:
        await play.events(**brought(mcp_url))
        told = results(play)
    assert "denied" in told[0]
    assert "echo loud" in told[1]


LOOKS = """
from toolpost import ToolContext, tool
from toolpost.tools.define import RateLimit

@tool(heeds_read_only=True)
async def may_change(ctx: ToolContext) -> str:
    \"""Say whether it may change things.\"""
    return f"read_only is {ctx.read_only}"

@tool
async def change() -> str:
    \"""Change something.\"""
    return "changed"

@tool(read_only=True, rate_limit=RateLimit(1, 600))
async def seldom() -> str:
    \"""Run seldom.\"""
    return "ran"
"""
READ_ONLY = """
agent = "plan"
[permissions]
"*" = "allow"
[server]
tools = ["may_change", "change", "write", "bash", "seldom"]
[limits]
tool_timeout = 1
"""


async def test_an_agent_that_may_change_nothing_changes_nothing_through_the_gateway(folder: Path) -> None:
    write(folder / ".toolpost" / "tools" / "looks.py", LOOKS)
    touch = call("bash", {"command": "touch marker"})
    turns = (call("may_change"), touch, call("change"), text("done"))
    async with gateway(folder, *turns, config=READ_ONLY, first=True) as play:
        await play.events()
        offered = {tool["function"]["name"] for tool in play.sent(0)["tools"]}
        told = results(play)
    assert {"may_change", "bash"} <= offered
    assert not {"write", "change"} & offered
    assert "read_only is True" in told[0]
    assert "There is no tool" in told[2]
    assert not (folder / "marker").exists()


async def test_the_folders_limits_hold_for_all_requests_together(folder: Path) -> None:
    write(folder / ".toolpost" / "tools" / "looks.py", LOOKS)
    turns = (call("seldom"), text("done"), call("seldom"), text("done"))
    async with gateway(folder, *turns, config=READ_ONLY, first=True) as play:
        await play.events()
        assert "ran" in results(play)[0]
        await play.events()
        assert "was stopped after 1 s" in results(play)[0]


async def test_arguments_that_cannot_be_read_never_reach_the_client(folder: Path, mcp_url: str) -> None:
    turns = (call("add", '{"a": [1', chunk=3), call("add", {"a": 1}))
    async with gateway(folder, *turns, config=with_server(folder, mcp_url)) as play:
        found, reason = whole(await play.events(tools=[ADD]))
    assert [(block["type"], block["input"]) for block in found] == [("tool_use", {"a": 1})]
    assert reason == "tool_use"


async def test_a_misspelt_name_is_the_clients_tool(folder: Path, mcp_url: str) -> None:
    async with gateway(folder, call("Add", {"a": 1}), config=with_server(folder, mcp_url)) as play:
        found, reason = whole(await play.events(tools=[ADD], headers=SHOWN))
    assert [(block["type"], block["name"], block["input"]) for block in found] == [("tool_use", "add", {"a": 1})]
    assert reason == "tool_use"


async def test_a_client_that_leaves_ends_the_inner_run(folder: Path, mcp_url: str) -> None:
    async with gateway(folder, ECHO, text("half") + stall(), config=with_server(folder, mcp_url)) as play:
        async with play.anthropic.messages.stream(model="m", max_tokens=100, messages=HI) as stream:
            async for _ in stream.text_stream:
                break
        await play.up.closed(play.up.total, timeout=3.0)


MADE = '''
from toolpost import tool

@tool(init=lambda context: {"description": f"For {context.model.id}, asked by {context.agent}."})
def made(a: int) -> str:
    """As it was written."""
    return str(a + 1)

@tool(init=lambda context: None)
def hidden() -> str:
    """Not here."""
    return ""
'''


async def test_a_tool_that_runs_here_says_how_it_is_for_the_model_that_is_asked(folder: Path) -> None:
    write(folder / ".toolpost" / "tools" / "made.py", MADE)
    config = '[server]\ntools = ["made", "hidden"]\n[permissions]\nmade = "allow"\nhidden = "allow"\n'
    async with gateway(folder, call("made", {"a": 1}), text("done"), config=config) as play:
        found, _ = whole(await play.events())
        offered = {tool["function"]["name"]: tool["function"] for tool in play.sent(0)["tools"]}
        assert offered.keys() == {"made"}
        assert offered["made"]["description"] == "For up/m, asked by gateway."
        assert "2" in results(play)[0]
    assert said(found) == ["done"]


class Mood(Plugin):
    """Rules that change while the server runs."""

    action = "allow"

    def rules(self) -> list[Rule]:
        return [Rule("made", "*", self.action, "mood")]


async def test_a_rule_that_a_plugin_changes_holds_for_the_next_request(folder: Path) -> None:
    write(folder / ".toolpost" / "tools" / "made.py", MADE)
    turns = call("made", {"a": 1}), text("done"), text("There is no such tool.")
    async with gateway(folder, *turns, config='[server]\ntools = ["made"]\n') as play:
        # As an installed plugin is: there is no package with one here.
        play.workspace.__dict__["plugins"] = (mood := Mood(),)
        await play.events()
        assert "made" in str(play.sent(0)["tools"])
        mood.action = "deny"
        await play.events()
        assert "tools" not in play.sent(2)
