import pytest
from mcp_play import Caller, Script, inside, running, text_of

from toolpost.mcp.tool_search import FOUND_CHARACTERS, is_big, search, search_tools, size
from toolpost.tools.define import Tool
from toolpost.types.errors import PermissionDenied, ToolError


async def nothing(arguments, ctx):
    return arguments


def make(name, description="", read_only=False, **properties):
    schema = {"type": "object", "properties": {key: {"type": kind} for key, kind in properties.items()}}
    return Tool(f"mcp__s__{name}", name, description, schema, nothing, read_only=read_only)


TOOLS = [
    make("create_issue", "Open a new issue in a repository.", title="string", labels="array"),
    make("list_issues", "List the issues of a repository."),
    make("createPullRequest", "Propose changes of a branch."),
    make("get_weather", "Tell the weather of a city.", read_only=True, city="string", days="integer"),
    make("delete_file", "Delete a file from a repository."),
]


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("open an issue", "create_issue"),
        ("listing of issues", "list_issues"),
        ("pull request", "createPullRequest"),
        ("weather in a city", "get_weather"),
        ("mcp__s__delete_file", "delete_file"),
        ("labels", "create_issue"),
    ],
)
def test_what_fits_best_is_found_first(query, first):
    assert search(TOOLS, query, 3)[0].name == f"mcp__s__{first}"


def test_what_fits_nothing_finds_nothing():
    assert search(TOOLS, "quantum", 3) == []


async def test_a_search_tells_how_each_is_called_and_stays_within_bounds(tmp_path):
    ctx = Caller(tmp_path).context()
    find, _ = search_tools(lambda: [*TOOLS, *(make(f"issue_{n}", "issue " * 1000) for n in range(30))], ["s"])
    assert '"title":{"type":"string"}' in await find.function("create issue", ctx, 1)
    assert len(await find.function("issue", ctx, 30)) < FOUND_CHARACTERS + 8_000
    assert "more: search with more words" in await find.function("issue", ctx, 30)
    assert "mcp__s__create_issue" in await find.function("quantum", ctx)
    assert "The servers are: s." in find.description


async def test_a_call_through_the_search_is_checked_and_asked_for_as_the_tool_itself(tmp_path):
    _, call = search_tools(lambda: TOOLS, ["s"])
    caller = Caller(tmp_path)
    assert await call.function("mcp__s__get_weather", {"city": "Tokyo"}, caller.context()) == {"city": "Tokyo"}
    assert caller.asked == [("mcp__s__get_weather", ['{"city":"Tokyo"}'])]
    with pytest.raises(ToolError, match='"days" should be an integer'):
        await call.function("mcp__s__get_weather", {"days": "many"}, caller.context())
    with pytest.raises(ToolError, match="mcp__s__get_weather"):
        await call.function("weather report", {}, caller.context())
    denied = Caller(tmp_path, denied=("mcp__s__delete_file",))
    with pytest.raises(PermissionDenied):
        await call.function("mcp__s__delete_file", {}, denied.context())


async def test_an_agent_that_may_change_nothing_calls_only_what_changes_nothing(tmp_path):
    from dataclasses import replace

    _, call = search_tools(lambda: TOOLS, ["s"])
    ctx = replace(Caller(tmp_path).context(), read_only=True)
    assert await call.function("mcp__s__get_weather", {}, ctx) == {}
    with pytest.raises(ToolError, match="may change things"):
        await call.function("mcp__s__delete_file", {}, ctx)


def test_a_catalogue_is_big_by_its_number_or_by_its_size():
    assert not is_big([make(f"t{n}") for n in range(40)])
    assert is_big([make(f"t{n}") for n in range(41)])
    assert is_big([make(f"t{n}", "x" * 4_000) for n in range(10)])
    assert size(make("a", "bc")) == len("mcp__s__a") + 2 + len('{"type":"object","properties":{}}')


async def test_a_big_catalogue_costs_little_and_hides_what_a_rule_denies(tmp_path):
    async with running(Script(tmp_path, "many").config, folder=tmp_path) as servers:
        offered = {tool.name: tool for tool in servers.tools(lambda name: name == "mcp__script__tool_7")}
        assert offered.keys() == {"mcp_search_tools", "mcp_call_tool"}
        assert sum(map(size, offered.values())) < 2_000 < sum(map(size, servers.all_tools()))
        caller = Caller(tmp_path)
        result = await offered["mcp_call_tool"].function("mcp__script__echo", {"text": "hi"}, caller.context())
        assert inside(text_of(result)) == "hi"
        with pytest.raises(ToolError, match="no tool"):
            await offered["mcp_call_tool"].function("mcp__script__tool_7", {}, caller.context())


async def test_a_small_catalogue_is_offered_as_it_is(tmp_path):
    async with running(Script(tmp_path).config, folder=tmp_path) as servers:
        assert [tool.name for tool in servers.tools()] == [tool.name for tool in servers.all_tools()]
