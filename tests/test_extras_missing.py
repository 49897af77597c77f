"""Where the packages of an extra are missing: nothing runs unguarded, and the command that gets them is named."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from pdf_maker import pdf

from toolpost import Agent, ConfigError, Limits, McpServer, ModelError, Rule, ToolError, ToolPart, Usage
from toolpost.config.api_keys import find_key, forget_key, keyring_in_use, store_key
from toolpost.definitions.agents import find_agents
from toolpost.definitions.definition_files import parse
from toolpost.guard.rules import covered, is_outdated
from toolpost.guard.shell import syntax_tree
from toolpost.guard.shell.judge import judge
from toolpost.models import prices
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.pdf import pdf_text
from toolpost.workspace import Workspace

Without = Callable[..., None]


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Without:
    """From now on these modules can't be imported."""

    def take_away(*modules: str) -> None:
        for module in modules:
            monkeypatch.setitem(sys.modules, module, None)
        syntax_tree._parser.cache_clear()
        judge.cache_clear()

    return take_away


async def called(agent: Agent) -> ToolPart:
    session = agent.session()
    await session.run("go")
    return next(part for message in session.messages for part in message.parts if isinstance(part, ToolPart))


@pytest.mark.parametrize("tool", ["bash", "job_start"])
async def test_a_command_that_can_t_be_judged_is_refused_whatever_the_rules_say(
    tool: str, without: Without, tmp_path: Path
) -> None:
    script = ScriptedModel(call(tool, {"command": "touch made"}), text("done"))
    agent = Agent(script, tools=[tool], folder=tmp_path, permissions={"*": "allow"}, headless="allow")
    without("tree_sitter")
    part = await called(agent)
    await agent.close()
    assert part.state.kind == "denied"
    assert "No command was run" in part.state.message
    assert "pip install 'toolpost[code]'" in part.state.message
    assert not (tmp_path / "made").exists()


def test_a_saved_approval_answers_no_command_that_can_t_be_judged(without: Without) -> None:
    asked = [("bash", "ls *")], "bash", ["ls -l"]
    assert covered(*asked)
    without("tree_sitter_bash")
    assert not covered(*asked)
    assert is_outdated("bash", "ls *")


@pytest.mark.parametrize(
    ("tool", "module"),
    [("bash", "tree_sitter_bash"), ("job_wait", "tree_sitter"), ("code_search", "tree_sitter_go"), ("lsp", "pygls")],
)
def test_a_built_in_that_is_named_in_code_says_what_it_lacks(tool: str, module: str, without: Without) -> None:
    Agent(ScriptedModel(), tools=[tool])
    without(module)
    with pytest.raises(ConfigError, match=rf'"{tool}" needs packages .*pip install \'toolpost\[code\]\''):
        Agent(ScriptedModel(), tools=[tool])


def test_a_search_says_that_ripgrep_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    with pytest.raises(ConfigError, match=r"\"grep\" needs packages .*toolpost\[code\]"):
        Agent(ScriptedModel(), tools=["grep"])


def test_a_workspace_offers_what_works_and_says_once_what_does_not(
    without: Without, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    without("tree_sitter", "pygls")
    workspace = Workspace(tmp_path, trusted=True)
    names = workspace.tools.names
    assert set(names).isdisjoint({"bash", "code_search", "job_start", "job_read", "job_wait", "job_stop", "lsp"})
    assert {"read", "edit", "grep"} <= set(names)
    (said,) = [notice for notice in workspace.notices if "toolpost[code]" in notice]
    assert said.startswith("not offered: bash, code_search, job_read")
    # A rule about one of them is no slip of the pen.
    workspace.calling(ScriptedModel(), rules=[Rule("bash", "*", "deny", "--deny")])
    assert not [notice for notice in workspace.notices if notice.startswith("--deny")]
    # A tool of the project's that stands in for one of them is still held to what it may do.
    assert "bash" in workspace.machine_permissions


def test_an_agent_with_servers_says_that_mcp_is_missing(without: Without) -> None:
    without("mcp")
    with pytest.raises(ConfigError, match=r"Agent\(mcp=\[…\]\) needs .*pip install 'toolpost\[mcp\]'"):
        Agent(ScriptedModel(), mcp=[McpServer("local", command="true")])


async def test_a_configured_server_fails_with_what_it_needs_and_the_rest_goes_on(
    without: Without, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DATA", "CONFIG"):
        monkeypatch.setenv(f"TOOLPOST_{name}_DIR", str(tmp_path / name))
    (tmp_path / ".mcp.json").write_text('{"mcpServers": {"local": {"command": "true"}}}')
    without("mcp")
    workspace = Workspace(tmp_path, trusted=True)
    await workspace.prepare()
    await workspace.close()
    (said,) = [notice for notice in workspace.notices if "toolpost[mcp]" in notice]
    assert "local" in said


def test_a_key_comes_from_the_environment_where_there_is_no_keyring(without: Without) -> None:
    chosen = {"PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring", "KEY": "sk-1"}
    without("keyring")
    assert keyring_in_use(chosen) is None
    assert find_key("openai", ["NO_KEY"], chosen) is None
    assert find_key("openai", ["KEY"], chosen) == "sk-1"
    for act in (lambda: store_key("openai", "sk-1"), lambda: forget_key("openai")):
        with pytest.raises(ConfigError, match=r"pip install 'toolpost\[cli\]'"):
            act()


def test_a_definition_says_that_its_settings_can_t_be_read(without: Without) -> None:
    without("yaml")
    assert parse(b"Be brief.\n", "a.md").body == "Be brief."
    with pytest.raises(ConfigError, match=r"a\.md: .*pip install 'toolpost\[cli\]'"):
        parse(b"---\ndescription: Is brief\n---\nBe brief.\n", "a.md")


def test_an_agent_that_can_t_be_read_is_not_replaced_by_one_that_may_do_more(without: Without, tmp_path: Path) -> None:
    agents = tmp_path / ".toolpost" / "agents"
    agents.mkdir(parents=True)
    (agents / "build.md").write_text("---\nread_only: true\n---\nLook around.\n")
    without("yaml")
    with pytest.raises(ConfigError, match=r"build\.md: .*pip install 'toolpost\[cli\]'"):
        find_agents(tmp_path, {"HOME": str(tmp_path)}, trusted=True)


@pytest.mark.parametrize("command", ["echo " + "a" * 300_000, "echo \ud800"])
def test_no_command_is_judged_without_the_grammar(command: str, without: Without) -> None:
    assert judge(command).opaque
    without("tree_sitter")
    with pytest.raises(syntax_tree.GrammarMissing):
        judge(command)


async def test_a_pdf_is_shown_itself_where_its_text_can_t_be_read(without: Without, tmp_path: Path) -> None:
    (tmp_path / "paper.pdf").write_bytes(pdf("A line of a paper"))
    without("pypdf")
    part = await called(Agent(ScriptedModel(call("read", {"path": "paper.pdf"}), text("")), ["read"], folder=tmp_path))
    assert [one.type for one in part.state.content] == ["text", "file"]
    with pytest.raises(ToolError, match=r"pip install 'toolpost\[code\]'"):
        await pdf_text(pdf("A line"), 5.0)


async def test_a_run_with_a_budget_does_not_begin_where_nobody_knows_prices(without: Without) -> None:
    without("genai_prices")
    agent = Agent(ScriptedModel(text("hello")), limits=Limits(max_cost=1.0))
    with pytest.raises(ModelError, match=r"max_cost needs .*pip install 'toolpost\[prices\]'"):
        await agent.run("hi")


def test_a_price_is_not_known_where_nobody_knows_prices(
    without: Without, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOOLPOST_CACHE_DIR", str(tmp_path))
    without("genai_prices")
    assert prices.is_at_hand("openai", "gpt-5-mini")
    assert prices.cost("openai", "gpt-5-mini", Usage(input=1000)) is None
    assert prices.context_window("openai", "gpt-5-mini") is None
    # Nor is that kept for a time when somebody does.
    assert list(tmp_path.iterdir()) == []
