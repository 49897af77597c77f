"""A folder as the command line and the server open it: configuration made into what a session runs with."""

from pathlib import Path

import pytest

from toolpost import ConfigError, Tool
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.untrusted import RULE
from toolpost.workspace import Workspace

TOOLS = '''
from toolpost import tool

@tool
async def look(at: str) -> str:
    """Look at something."""
    return f"saw {at}"

@tool
async def touch(at: str) -> str:
    """Touch something."""
    return f"touched {at}"
'''


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    project = tmp_path / "project"
    (project / ".toolpost" / "tools").mkdir(parents=True)
    (project / ".toolpost" / "tools" / "sight.py").write_text(TOOLS)
    return project


def workspace(folder: Path, config: str = "") -> Workspace:
    (folder / ".toolpost" / "config.toml").write_text(config)
    return Workspace(folder, environ={"HOME": str(folder.parent)}, trusted=True)


def own(space: Workspace) -> list[Tool]:
    return [tool for tool in space.tools if tool.source != "builtin"]


CONFIG = """
system = "Be brief."

[options]
temperature = 1
seed = 1
extra = { a = 1 }

[providers.scripted.options]
temperature = 2
top_p = 0.5

[providers.scripted.models.model]
options = { temperature = 3, extra = { b = 2 } }
variants.careful = { temperature = 5 }

[agents.poet.options]
temperature = 4
top_k = 7

[agents.careful]
variant = "careful"
system = "You are careful."
tools = ["look"]
permissions = { look = "allow" }
limits = { max_steps = 3 }

[agents.toucher]
tools = { look = false }
"""


@pytest.mark.parametrize(("agent", "temperature"), [(None, 3), ("poet", 4), ("careful", 5)])
async def test_options_come_from_defaults_provider_model_agent_and_variant(folder, agent, temperature):
    space = workspace(folder, CONFIG)
    with ScriptedModel(text("ok")) as model:
        await space.session(space.setup(model, agent=agent)).run("go")
    options = model.requests[0].options
    expected = {"temperature": temperature, "seed": 1, "top_p": 0.5, "extra": {"a": 1, "b": 2}}
    assert options == (expected | {"top_k": 7} if agent == "poet" else expected)


async def test_an_agent_has_its_own_prompt_tools_rules_and_limits(folder):
    space = workspace(folder, CONFIG)
    with ScriptedModel(call("look", {"at": "x"}), text("ok")) as model:
        setup = space.setup(model, agent="careful")
        result = await space.session(setup).run("go")
    assert result.denied == ()
    assert [spec.name for spec in model.requests[0].tools] == ["look"]
    head, body = model.requests[0].system
    assert head == "You are careful."
    assert body.startswith(f"{RULE}\n\nBe brief.\n\nToday's date: ")
    assert setup.limits.max_steps == 3
    await space.close()


def test_a_table_of_tools_switches_single_ones_off(folder):
    space = workspace(folder, CONFIG)
    choice = space.setup(ScriptedModel(), agent="toucher").choice
    assert [tool.name for tool in own(space) if not choice.offers(tool.name)] == ["look"]


def test_an_unknown_agent_or_variant_names_what_there_is(folder):
    with pytest.raises(ConfigError, match="build, careful, chat, default, explore, plan, poet"):
        workspace(folder, CONFIG).setup(ScriptedModel(), agent="nobody")
    with pytest.raises(ConfigError, match="no variant 'slow'"):
        workspace(folder, '[agents.a]\nvariant = "slow"').setup(ScriptedModel(), agent="a")


def test_a_broken_agent_file_is_never_replaced_by_the_built_in_agent_of_its_name(folder):
    (folder / ".toolpost" / "agents").mkdir()
    (folder / ".toolpost" / "agents" / "build.md").write_text("---\ntools: [broken\n---\nLook, change nothing.\n")
    space = workspace(folder, "[agents.build]\nvariant = 'high'\n")
    assert "build" not in space.agents
    with pytest.raises(ConfigError, match=r"the agent build cannot be used: .*build\.md:\d: the settings above"):
        space.agent()
    assert space.agent("plan")[0] == "plan"


async def test_a_project_tool_asks_before_it_runs(folder):
    space = workspace(folder)
    with ScriptedModel(call("touch", {"at": "x"}), text("ok")) as model:
        result = await space.session(space.setup(model)).run("go")
    assert result.denied == ("touch",)
    await space.close()


def test_a_broken_tool_file_is_a_notice_and_the_rest_goes_on(folder):
    (folder / ".toolpost" / "tools" / "broken.py").write_text("def f(:\n")
    space = workspace(folder)
    assert [tool.name for tool in own(space)] == ["look", "touch"]
    assert any("broken.py" in notice for notice in space.notices)


def test_the_project_is_found_from_a_folder_inside_it(folder):
    inner = folder / "src" / "deep"
    inner.mkdir(parents=True)
    workspace(folder)
    space = Workspace(inner, environ={"HOME": str(folder.parent)}, trusted=True)
    assert space.project == folder
    assert [tool.name for tool in own(space)] == ["look", "touch"]
