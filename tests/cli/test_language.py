"""The commands that a newcomer meets first speak the language of the locale; what programs read never changes."""

import ast
import re
from pathlib import Path

import pytest
from console import Console

from toolpost.cli.shared.chinese import TEXTS
from toolpost.cli.shared.chinese.doctor import ROWS
from toolpost.cli.shared.language import PLACEHOLDER, chinese, language
from toolpost.testing import Upstream, call, text

SOURCE = Path(__file__).parents[2] / "src" / "toolpost"
# The modules whose texts a newcomer meets: each of them has to be in the tables.
SPOKEN = (
    "cli/attach.py",
    "cli/batch/batch.py",
    "cli/batch/batch_runner.py",
    "cli/batch/command.py",
    "cli/batch/engine_runs.py",
    "cli/batch/item_setups.py",
    "cli/batch/items.py",
    "cli/batch/results.py",
    "cli/batch/local_runs.py",
    "cli/chat/file_undo.py",
    "cli/chat/inline_face.py",
    "cli/chat/local_control.py",
    "cli/chat/session_desk.py",
    "cli/chat/shown_session.py",
    "cli/chat/slash_commands.py",
    "cli/doctor/command.py",
    "cli/doctor/config_checks.py",
    "cli/doctor/model_checks.py",
    "cli/doctor/store_checks.py",
    "cli/doctor/tool_checks.py",
    "cli/models/command.py",
    "cli/models/probe.py",
    "cli/models/pull.py",
    "cli/run/command.py",
    "cli/schedule/command.py",
    "cli/shared/default_model.py",
    "cli/shared/env_files.py",
    "cli/shared/fetch_weights.py",
    "cli/shared/open_session.py",
    "cli/shared/questions.py",
    "cli/worker.py",
    "config/env_files.py",
    "control/api_client.py",
    "control/server_control.py",
    "control/server_files.py",
    "control/server_lists.py",
    "control/server_session.py",
    "models/resolve.py",
    "net/errors.py",
    "schedules/cron.py",
    "schedules/edits.py",
    "schedules/time_zones.py",
    "schedules/timing.py",
    "workspace/provider_list.py",
)
# Commands to type, and texts for programs or for the log: the same in every language.
NOT_SPOKEN = re.compile(
    r"(?:toolpost|pip|ollama|vllm|llama-server|lms) [\w-].*|export \w+=\S*|PRAGMA .*|\S+|doctor \S+|env files|extra .*"
    r"|Python X|Toolpost X|probed: X|pulling X|toolpost: X|--allow X|<file or URL>|X \[y/N\] |to create it, write .*"
    r"|\[providers\.X\] base_url|\[engine\] url|the run of session %s .*|Bearer X"
)
# Argparse writes its help in English.
HELP_FUNCTIONS = {"add_arguments", "__init__"}
CJK = re.compile(r"[\u4e00-\u9fff]")


@pytest.mark.parametrize(
    ("environ", "chosen"),
    [
        pytest.param({"LANG": "zh_CN.UTF-8"}, "zh", id="the locale"),
        pytest.param({"LANG": "en_US.UTF-8", "LC_MESSAGES": "zh_TW"}, "zh", id="messages before the rest"),
        pytest.param({"LANG": "zh_CN.UTF-8", "LC_ALL": "C.UTF-8"}, "en", id="LC_ALL before all"),
        pytest.param({"LANG": "zh_CN.UTF-8", "LC_ALL": ""}, "zh", id="an empty variable counts as none"),
        pytest.param({"LANG": "zh_CN.UTF-8", "TOOLPOST_LANG": "en"}, "en", id="our own variable wins"),
        pytest.param({"LC_ALL": "C", "TOOLPOST_LANG": "zh"}, "zh", id="in both directions"),
        pytest.param({"TOOLPOST_LANG": "tlh", "LANG": "zh_CN"}, "zh", id="a language that is not there"),
        pytest.param({}, "en", id="nothing is set"),
    ],
)
def test_the_language_follows_the_locale(environ, chosen):
    assert language(environ) == chosen


def spoken_texts():
    """Every text of those modules with a blank in it: as it would be, with examples for what is filled in."""
    for module in SPOKEN:
        tree = ast.parse((SOURCE / module).read_text())
        for node in _texts(tree):
            sample = _sample(node)
            if not NOT_SPOKEN.fullmatch(sample.strip()) and re.search("[a-wyz]{2}", sample):
                yield pytest.param(sample, id=f"{module}:{node.lineno}")


def _texts(node):
    """Whole texts, and not their pieces; no docstrings, help texts and annotations."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef) and child.name in HELP_FUNCTIONS:
            continue
        if isinstance(child, ast.Assign) and isinstance(child.targets[0], ast.Name) and child.targets[0].id in _HELPS:
            continue
        if isinstance(child, ast.AnnAssign | ast.arg | ast.ImportFrom) and not getattr(child, "value", None):
            continue
        if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue
        if isinstance(child, ast.JoinedStr) or (isinstance(child, ast.Constant) and isinstance(child.value, str)):
            yield child
            continue
        if isinstance(child, ast.Call) and _called(child) in ("cast", "getLogger", "style_of", "JsonList"):
            continue
        if isinstance(child, ast.AnnAssign):
            yield from _texts(ast.Expression(child.value))
            continue
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            for part in child.body:
                yield from _texts(ast.Module([part], []))
            continue
        yield from _texts(child)


_HELPS = {"HELP", "_ADD", "_ID", "_IN", "_PARTS", "_PULL_ARGUMENTS", "__all__"}


def _called(node):
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def _sample(node):
    if isinstance(node, ast.Constant):
        return node.value.replace("{}", "Example")
    return "".join(part.value if isinstance(part, ast.Constant) else _value(part.value) for part in node.values)


def _value(node):
    """An example: a count with its noun where there is one, a number where it is formatted as such, else a word."""
    if isinstance(node, ast.Call) and _called(node) == "counted":
        return f"3 {node.args[1].value}s"
    if isinstance(node, ast.Call) and _called(node) in ("len", "counted"):
        return "3"
    if isinstance(node, ast.IfExp):
        return _value(node.body)
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return _sample(node)
    name = getattr(node, "id", getattr(node, "attr", ""))
    numbers = {"SECONDS", "seconds", "INTEGRITY_SECONDS", "cells", "number", "left", "timeout", "first", "count"}
    return "3" if name in numbers else "https://x" if name in ("base_url", "url") else "X"


@pytest.mark.parametrize("sample", [*spoken_texts()])
def test_every_text_that_a_newcomer_meets_has_its_chinese(sample):
    assert CJK.search(chinese(sample)) or _is_part_of_a_text(sample)


def _is_part_of_a_text(sample):
    """True for a piece that is put together with others: some text of the table has all of its words."""
    words = [piece.strip() for piece in re.split(r"X+|https://x|\d+", sample) if re.search("[a-z]{2}", piece)]
    return any(all(word in re.sub(r"\[(s|es|y)\]", "s", english) for word in words) for english in TEXTS)


@pytest.mark.parametrize("english", TEXTS)
def test_placeholders_agree(english):
    names = {name for name, _ in PLACEHOLDER.findall(english) if name}
    assert {name for name, _ in PLACEHOLDER.findall(TEXTS[english])} == names
    assert CJK.search(TEXTS[english]) or english in ("URL",)


def test_no_row_of_doctor_lacks_its_name():
    from toolpost.cli.doctor.command import _CHECKS

    same = {"python", "toolpost", "mcp"}
    assert {name for name in _CHECKS if not name.startswith("extra ")} - same == set(ROWS)


def test_a_text_of_nobody_stays_as_it_is():
    assert chinese("a title that somebody wrote: model at work (and more)") == (
        "a title that somebody wrote: model at work (and more)"
    )


@pytest.fixture
def console(tmp_path):
    return Console(tmp_path, LANG="zh_CN.UTF-8", PYTHONUTF8="1")


async def test_doctor_and_models_speak_chinese_and_their_json_does_not(console):
    said = await console.call("doctor")
    assert "模型服务器" not in said.out
    assert "未受信任" in said.out or "已受信任" in said.out or "没有需要信任" in said.out
    assert "发现" in said.out
    models = await console.call("models")
    assert "提供商" in models.out
    assert "默认模型：openai/scripted（环境变量 TOOLPOST_MODEL）" in models.out
    for command in ("doctor", "models"):
        in_chinese = (await console.call(command, "--json")).out
        console.environ["TOOLPOST_LANG"] = "en"
        in_english = (await console.call(command, "--json")).out
        del console.environ["TOOLPOST_LANG"]
        assert _without_memory(in_chinese) == _without_memory(in_english)
        assert not CJK.search(in_chinese)


def _without_memory(out):
    return re.sub(r"[\d.]+ [GM]B available", "", out)


async def test_columns_stay_in_line_where_chinese_takes_two_cells(console):
    lines = (await console.call("models")).out.splitlines()
    head = next(line for line in lines if line.startswith("提供商"))
    row = next(line for line in lines if line.startswith("deepseek"))
    assert _cells(head[: head.index("地址")]) == _cells(row[: row.index("https://")])


def _cells(written):
    return sum(2 if CJK.match(char) or char in "（）：" else 1 for char in written)


@pytest.mark.parametrize(
    ("variables", "arguments", "said"),
    [
        pytest.param(
            {"OPENAI_API_KEY": "", "OPENAI_BASE_URL": ""}, [], "openai 需要密钥：请设置 OPENAI_API_KEY", id="no key"
        ),
        pytest.param({}, ["-m", "opnai/x"], "未知提供商 'opnai'：是否想用 'openai'？", id="unknown provider"),
        pytest.param({}, ["-m", "gpt"], "'gpt' 不是模型 id", id="not a model id"),
        pytest.param({}, [], "无法连接（连接被拒绝）；那里的服务器在运行吗？", id="server not running"),
        pytest.param({}, ["--agent", "nobody"], "没有智能体 'nobody'", id="unknown agent"),
    ],
)
async def test_the_first_errors_are_in_chinese(console, variables, arguments, said):
    console.environ |= variables
    console.environ["TOOLPOST_MODEL"] = "openai/scripted"
    done = await console.call("run", *arguments, "hello")
    assert said in done.err
    assert done.status != 0


async def test_a_model_that_the_server_does_not_know_is_told_in_chinese(console):
    from toolpost.testing import http_error

    async with Upstream(http_error(404, "model_not_found")) as upstream:
        console.environ["OPENAI_BASE_URL"] = upstream.base_url
        done = await console.call("run", "hello")
    assert "请检查模型名称" in done.err


async def test_a_person_is_asked_in_chinese(console):
    async with Upstream(call("sh", {"command": "ls"})) as upstream:
        console.environ["OPENAI_BASE_URL"] = upstream.base_url
        async with console.terminal("run", "--tools", str(console.tools), "go") as terminal:
            await terminal.seen("允许")
            await terminal.seen("仅此一次")
            await terminal.seen("在此项目中始终允许：")
            await terminal.seen("? ")
            terminal.type("n\n")
            await terminal.seen("运行结束：有调用被拒绝")
            await terminal.ended()


async def test_who_runs_without_a_person_is_told_in_chinese_what_to_allow(console):
    async with Upstream(call("sh", {"command": "ls"}), text("done")) as upstream:
        console.environ["OPENAI_BASE_URL"] = upstream.base_url
        done = await console.run("go")
    assert "无人可批准，已拒绝：sh。要允许它：--allow" in done.err


async def test_events_for_programs_are_the_same_in_every_language(console):
    seen = []
    for chosen in ("en", "zh"):
        async with Upstream(text("hello")) as upstream:
            console.environ |= {"OPENAI_BASE_URL": upstream.base_url, "TOOLPOST_LANG": chosen}
            done = await console.run("--format", "json", "go")
        seen.append([event["type"] for event in done.events])
        assert not CJK.search(done.out)
    assert seen[0] == seen[1]
