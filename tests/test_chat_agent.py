"""The built-in agent `chat`: the web and the folder's own tools, nothing of the machine, in the user's language."""

from datetime import date
from pathlib import Path

import pytest

from toolpost import ConfigError
from toolpost.definitions.agents import CHAT, CHAT_ZH, SERVER_AGENT
from toolpost.testing import ScriptedModel, text, turn
from toolpost.tools import builtin
from toolpost.types.messages import Usage
from toolpost.workspace import Workspace
from toolpost.workspace.agent_setup import switches_of

ORDERS = '''
from toolpost import tool

@tool
async def find_order(number: str) -> str:
    """Find an order by its number."""
    return f"{number} was sent"
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    project = tmp_path / "project"
    (project / ".toolpost" / "tools").mkdir(parents=True)
    (project / ".toolpost" / "tools" / "orders.py").write_text(ORDERS)
    return project


def workspace(folder: Path, config: str = "", **environ: str) -> Workspace:
    (folder / ".toolpost" / "config.toml").write_text(config)
    return Workspace(folder, environ={"HOME": str(folder.parent), **environ}, trusted=True, default_agent=SERVER_AGENT)


async def told(space: Workspace, *questions: str, agent: str | None = None):
    """The requests that a conversation with these questions makes."""
    with ScriptedModel(*[text("ok")] * len(questions)) as model:
        session = space.session(space.setup(model, agent=agent))
        for question in questions:
            await session.run(question)
    await session.close()
    await space.close()
    return model.requests


async def test_it_has_the_web_and_the_folders_own_tools_and_no_files_commands_or_sub_agents(folder: Path) -> None:
    space = workspace(folder)
    (request,) = await told(space, "Where is order 7?")
    names = {spec.name for spec in request.tools}
    assert {"web_search", "web_fetch", "find_order"} <= names
    assert names - {"web_search", "web_fetch", "calculator", "find_order"} == set()
    assert not any(tool.touches_machine for tool in space.tools if tool.name in names)


async def test_no_file_or_command_comes_back_by_a_switch_of_the_folder(folder: Path) -> None:
    """A table of the configuration changes single tools of the agent; all others stay as they are."""
    config = "[tools]\nbash = true\n\n[agents.chat]\ntools = { question = true, web_fetch = false }\n"
    (request,) = await told(workspace(folder, config), "hello")
    names = {spec.name for spec in request.tools}
    assert {"find_order", "question", "web_search"} <= names
    assert not names & {"bash", "read", "task", "web_fetch"}


def test_every_built_in_that_touches_the_machine_is_off(folder: Path) -> None:
    space = workspace(folder)
    choice = switches_of(space.config, space.agents["chat"])
    made = [builtin.make(name, space.bench) for name in builtin.NAMES]
    assert not [tool.name for tool in made if tool.touches_machine and choice.offers(*tool.names)]


@pytest.mark.parametrize(
    ("question", "prompt", "day"),
    [
        ("What is new today?", CHAT, "Today's date: {}, "),
        ("今天有什么新闻？", CHAT_ZH, "今天的日期：{}，星期"),
        ("今日のニュースは何ですか？", CHAT, "Today's date: {}, "),
        ("iPhone 17 Pro Max 多少钱？", CHAT_ZH, "今天的日期：{}，星期"),
    ],
)
async def test_its_prompt_and_the_date_are_in_the_language_of_the_question(
    folder: Path, question: str, prompt: str, day: str
) -> None:
    (request,) = await told(workspace(folder), question)
    head, body = request.system
    assert head == prompt
    assert day.format(date.today().isoformat()) in body


async def test_the_prompt_stays_the_same_when_a_later_question_is_in_another_language(folder: Path) -> None:
    first, second = await told(workspace(folder), "你好，今天有什么新闻？", "And now in English, please.")
    assert first.system == second.system


async def test_the_prompt_stays_the_same_when_the_first_question_was_summarised(folder: Path) -> None:
    space = workspace(folder)
    answers = [turn(text("好的"), usage=Usage(3_900, 50)), text("SUMMARY"), text("ok")]
    with ScriptedModel(*answers, context_window=4_000) as model:
        session = space.session(space.setup(model))
        await session.run("请介绍一下北京。" * 50)
        await session.run("And in English?")
    await space.close()
    assert "SUMMARY" in model.requests[-1].messages[0].text
    assert model.requests[0].system == model.requests[-1].system


async def test_it_is_not_told_where_it_runs_and_the_coding_agent_is(folder: Path) -> None:
    (chat,) = await told(workspace(folder), "hello")
    assert str(folder) not in "".join(chat.system)
    (build,) = await told(workspace(folder), "hello", agent="build")
    assert f"Working folder: {folder}" in build.system[1]


async def test_an_own_prompt_stands_in_every_language_unless_it_is_translated(folder: Path) -> None:
    own = '[agents.chat]\nsystem = "You are Ada."\n'
    (request,) = await told(workspace(folder, own), "你好")
    assert request.system[0] == "You are Ada."
    (request,) = await told(workspace(folder, own + 'translations = { zh = "你是小艾。" }\n'), "你好")
    assert request.system[0] == "你是小艾。"
    with pytest.raises(ConfigError, match="klingon"):
        _ = workspace(folder, own + 'translations = { klingon = "nuqneH" }\n').config


async def test_an_agent_in_markdown_has_translations_too(folder: Path) -> None:
    (folder / ".toolpost" / "agents").mkdir()
    file = folder / ".toolpost" / "agents" / "helper.md"
    file.write_text("---\ntranslations:\n  zh: 你是小艾。\n---\nYou are Ada.\n")
    (request,) = await told(workspace(folder), "你好", agent="helper")
    assert request.system[0] == "你是小艾。"
    file.write_text("---\ntranslations: [zh]\n---\nYou are Ada.\n")
    space = workspace(folder)
    assert "helper" not in space.agents
    assert "translations must be a table" in " ".join(space.notices)


def test_what_the_user_set_decides_before_the_default_of_a_server(folder: Path) -> None:
    assert workspace(folder).agent()[0] == "chat"
    assert workspace(folder, 'agent = "plan"').agent()[0] == "plan"
    assert workspace(folder, TOOLPOST_AGENT="build").agent()[0] == "build"
    assert Workspace(folder, environ={}, trusted=True).agent()[0] == "build"
