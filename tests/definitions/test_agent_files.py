"""Agents written as Markdown, in our folders and in those of other tools."""

import pytest

from toolpost import ConfigError
from toolpost.config.schema import AgentSettings, LimitSettings, OptionSettings
from toolpost.definitions.agents import BUILT_IN, find_agents, merged
from toolpost.guard.rules import Rule
from toolpost.testing import ScriptedModel, call, text
from toolpost.workspace import Workspace


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("TOOLPOST_CONFIG_DIR", "XDG_CONFIG_HOME", "TOOLPOST_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "project"
    (folder / ".toolpost").mkdir(parents=True)
    return folder


def write(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)
    return path


def found(project, trusted=True):
    return find_agents(project, {}, trusted=trusted)


OWN = """\
---
description: Reviews code
model: openai/gpt-5
mode: subagent
tools: [read, grep]
read_only: true
permissions:
  bash:
    "*": deny
    "git log *": allow
options:
  temperature: 0.5
limits:
  max_steps: 5
---
You review.
"""


def test_an_own_file_says_all_that_the_configuration_can(project):
    file = write(project, ".toolpost/agents/reviewer.md", OWN)
    agent = found(project).items["reviewer"]
    assert agent == AgentSettings(
        description="Reviews code",
        model="openai/gpt-5",
        mode="subagent",
        tools=("read", "grep"),
        read_only=True,
        system="You review.",
        permissions=(Rule("bash", "*", "deny", str(file)), Rule("bash", "git log *", "allow", str(file))),
        options=OptionSettings(temperature=0.5),
        limits=LimitSettings(max_steps=5),
    )


def test_another_tools_words_become_ours(project):
    write(
        project,
        ".claude/agents/helper.md",
        "---\nname: finder\ndescription: Finds: things\ntools: Read, Grep, Bash(git:*), WebFetch, mcp__x__Y\n"
        "model: inherit\ncolor: red\n---\nFind.",
    )
    write(
        project,
        ".opencode/agent/docs.md",
        "---\ndescription: Docs\nmode: primary\ntemperature: 0.1\nsteps: 7\ntools:\n  write: false\n  webfetch: true\n"
        "permission:\n  webfetch: deny\n  edit: ask\n---\nWrite.",
    )
    agents = found(project)
    finder, docs = agents.items["finder"], agents.items["docs"]
    assert finder.tools == ("read", "grep", "bash", "web_fetch", "mcp__x__Y")
    assert (finder.description, finder.model, finder.system) == ("Finds: things", None, "Find.")
    assert docs.tools == {"write": False, "web_fetch": True}
    assert [(rule.permission, rule.action) for rule in docs.permissions] == [("web_fetch", "deny"), ("edit", "ask")]
    assert (docs.mode, docs.options.temperature, docs.limits.max_steps) == ("primary", 0.1, 7)
    assert agents.warnings == ()


def test_the_projects_file_takes_the_place_of_the_users_and_of_a_built_in(project, tmp_path):
    write(tmp_path, "home/.config/toolpost/agents/plan.md", "mine")
    assert found(project).items["plan"].system == "mine"
    write(project, ".claude/agents/plan.md", "theirs")
    assert found(project).items["plan"].system == "theirs"
    write(project, ".toolpost/agents/plan.md", "ours")
    assert found(project).items["plan"].system == "ours"


def test_an_untrusted_projects_files_are_not_even_read(project, tmp_path):
    write(project, ".toolpost/agents/evil.md", "---\nbroken: [\n---\n")
    write(tmp_path, "home/.claude/agents/good.md", "mine")
    agents = found(project, trusted=False)
    assert set(agents.items) == {*BUILT_IN, "good"}
    assert agents.warnings == ()


@pytest.mark.parametrize(
    ("content", "warning"),
    [
        ("---\nmode: boss\n---\nx", "mode 'boss' must be one of"),
        ("---\ntools: {read: maybe}\n---\nx", "tools must be a list of names"),
        ("---\npermissions: {bash: perhaps}\n---\nx", "'perhaps' is not an action"),
        ("---\nread_only: 1\n---\nx", "read_only must be true or false"),
        ("---\ndescription: [a]\n---\nx", "description must be a text"),
        ("---\nlimits: {max_steps: 0}\n---\nx", "max_steps"),
        ("---\nlimits: {max_stepz: 1}\n---\nx", "unknown 'max_stepz'"),
    ],
)
def test_a_broken_file_is_told_of_and_left_out(project, content, warning):
    write(project, ".toolpost/agents/a.md", content)
    agents = found(project)
    assert "a" not in agents.items
    assert warning in agents.warnings[0]
    assert agents.warnings[0].endswith("the file is left out")


def test_a_word_that_sets_nothing_and_a_model_without_a_provider_are_told_of(project):
    write(project, ".toolpost/agents/a.md", "---\ndescripton: x\nmodel: sonnet\n---\nx")
    agents = found(project)
    assert agents.items["a"].model is None
    unknown, model = agents.warnings
    assert "did you mean description" in unknown
    assert "names no provider" in model


def test_the_configuration_is_laid_over_a_definition():
    rule, other = Rule("bash", "*", "deny"), Rule("bash", "ls", "allow")
    base = AgentSettings(system="s", read_only=True, permissions=(rule,), options=OptionSettings(top_k=1))
    over = AgentSettings(model="a/b", permissions=(other,), options=OptionSettings(temperature=1.0))
    assert merged(base, over) == AgentSettings(
        system="s",
        model="a/b",
        read_only=True,
        permissions=(rule, other),
        options=OptionSettings(top_k=1, temperature=1.0),
    )
    assert merged(None, over) == over
    assert merged(base, None) == base


TOOLS = '''
from toolpost import tool

@tool(read_only=True)
def look() -> str:
    """Look."""
    return "seen"

@tool
def change() -> str:
    """Change."""
    return "changed"
'''


async def test_a_workspace_runs_a_markdown_agent_with_what_the_configuration_adds(project):
    write(project, ".toolpost/tools/tools.py", TOOLS)
    write(project, ".toolpost/agents/careful.md", "---\nread_only: true\n---\nBe careful.")
    write(project, ".toolpost/config.toml", '[permissions]\n"*" = "allow"\n[agents.careful.options]\ntemperature = 2.0')
    space = Workspace(project, environ={}, trusted=True)
    with ScriptedModel(call("change"), text("no")) as model:
        session = space.session(space.setup(model, agent="careful"))
        await session.run("go")
    await space.close()
    (request, _) = model.requests
    assert request.system[0] == "Be careful."
    offered = {tool.name for tool in request.tools}
    assert offered >= {"look", "read", "grep"}
    assert not offered & {"change", "write", "edit", "apply_patch"}
    assert request.options["temperature"] == 2.0
    assert session.messages[1].calls[0].state.kind == "unknown_tool"


async def test_a_sub_agent_of_a_file_works_with_its_own_prompt_options_and_tools(project):
    write(project, ".toolpost/tools/tools.py", TOOLS)
    write(project, ".toolpost/agents/looker.md", "---\ntools: [look]\ntemperature: 0.3\n---\nYou look.")
    write(project, ".toolpost/config.toml", '[permissions]\n"*" = "allow"\n[options]\ntop_k = 5')
    space = Workspace(project, environ={}, trusted=True)
    errand = call("task", {"description": "Look", "prompt": "look", "agent": "looker"})
    with ScriptedModel(errand, call("look"), text("seen"), text("done")) as model:
        await space.session(space.setup(model)).run("go")
    await space.close()
    child = model.requests[1]
    assert child.system[0].startswith("You look.")
    assert [spec.name for spec in child.tools] == ["look"]
    assert child.options == {"top_k": 5, "temperature": 0.3}


def test_only_agents_that_are_not_primary_can_be_sent(project):
    write(project, ".toolpost/agents/both.md", "x")
    space = Workspace(project, environ={}, trusted=True)
    assert set(space.setup(ScriptedModel()).agents) == {"both", "explore"}
    assert space.setup(ScriptedModel(), agent="plan").read_only


def test_an_untrusted_workspace_does_not_know_the_projects_agents(project):
    write(project, ".toolpost/agents/both.md", "x")
    with pytest.raises(ConfigError, match="no agent 'both'"):
        Workspace(project, environ={}, trusted=False).agent("both")
