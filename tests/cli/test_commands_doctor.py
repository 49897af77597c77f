"""`toolpost doctor`, with things that are really broken."""

import time

import pytest
from project import Project

from toolpost.cli.doctor import command as doctor_command
from toolpost.cli.doctor.command import CheckResult, examine
from toolpost.testing import text
from toolpost.workspace import Workspace


@pytest.fixture
def project(tmp_path, monkeypatch, capsys):
    project = Project(tmp_path, monkeypatch, capsys)
    for name in ("OPENAI_API_KEY", "GROQ_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    project.write(".toolpost/config.toml", "")
    return project


def findings(project) -> dict[str, dict[str, str]]:
    return {one["name"]: one for one in project.call("doctor", "--json").json["checks"]}


def test_a_sound_setup_passes(project):
    project.converse("hi", text("hello"))
    done = project.call("doctor")
    assert done.status == 0, done.out
    assert "is intact" in done.out
    assert "2 of your own: get_weather, secret_tool" in done.out


def test_without_a_database_there_is_nothing_wrong(project):
    done = project.call("doctor")
    assert done.status == 0
    assert not project.database.exists()


def test_a_model_without_its_key_is_broken_and_the_fix_is_one_command(project):
    project.write(".toolpost/config.toml", 'model = "groq/llama"\n')
    assert project.call("doctor").status == 1
    assert findings(project)["model"]["fix"] == "export GROQ_API_KEY=<your key>"


def test_a_local_server_that_does_not_answer_is_told_at_once(project):
    project.write(".toolpost/config.toml", 'model = "ollama/qwen3"\n')
    found = findings(project)["model"]
    assert found["state"] == "broken"
    assert found["fix"] == "ollama serve"


def test_a_server_of_ones_own_that_does_not_answer_is_told(project):
    provider = '[providers.mine]\nbase_url = "http://127.0.0.1:9/v1"\n'
    project.write(".toolpost/config.toml", f'model = "mine/x"\n{provider}')
    found = findings(project)["model"]
    assert found["state"] == "broken"
    assert "no server answers at http://127.0.0.1:9/v1" in found["text"]


def test_a_key_without_a_chosen_model_is_told(project, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdefghij")
    found = findings(project)["model"]
    assert found["state"] == "ok"
    assert "openai/gpt-5-mini is used because OPENAI_API_KEY is set" in found["text"]


def test_a_broken_configuration_is_told_once_and_the_rest_is_left_out(project):
    project.write(".toolpost/config.toml", "model = [\n")
    found = findings(project)
    assert [name for name, one in found.items() if one["state"] == "broken"] == ["configuration"]
    assert found["model"]["state"] == "note"
    assert "not checked" in found["model"]["text"]


def test_settings_and_servers_of_an_untrusted_folder_are_no_reason_to_be_content(project):
    project.trusted = False
    project.write(".mcp.json", '{"mcpServers": {"time": {"command": "uvx"}}}')
    project.write(".toolpost/config.toml", 'system = "Be brief."\n')
    found = findings(project)
    for name in ("configuration", "mcp", "trust"):
        assert (found[name]["state"], found[name]["fix"]) == ("note", "toolpost trust"), found[name]
    assert "time" in found["mcp"]["text"]
    project.write(".toolpost/config.toml", "model = 5\n")
    found = findings(project)
    assert found["configuration"]["state"] == "broken"
    assert "config.toml:1" in found["configuration"]["text"]


def test_a_broken_tool_file_is_told(project):
    project.write(".toolpost/tools/broken.py", "1 / 0\n")
    found = findings(project)["tools"]
    assert found["state"] == "broken"
    assert "broken.py:1" in found["text"]
    assert found["fix"] == "toolpost tools check"


@pytest.mark.parametrize("damage", ["other", "middle"])
def test_a_damaged_database_is_told(project, damage):
    project.converse("hi", text("hello " * 5_000))
    data = bytearray(project.database.read_bytes())
    if damage == "other":
        data = bytearray(b"this is no database at all" * 50)
    else:
        page = 4096
        data[page : 8 * page] = b"\xff" * (7 * page)
    project.database.write_bytes(data)
    assert findings(project)["database"]["state"] == "broken"
    assert project.call("doctor").status == 1


def test_a_data_folder_that_cannot_be_made_is_told(project, monkeypatch, tmp_path):
    file = tmp_path / "a file"
    file.write_text("in the way")
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(file / "below"))
    found = findings(project)["data"]
    assert found["state"] == "broken"
    assert "TOOLPOST_DATA_DIR" in found["fix"]


def test_a_check_that_hangs_is_given_up(project, monkeypatch):
    project.write(".toolpost/tools/hanging.py", "import threading\nthreading.Event().wait()\n")
    before = time.monotonic()
    found = {one.name: one for one in examine(Workspace(trusted=True), seconds=1.0)}
    assert found["tools"] == CheckResult("tools", "broken", "no answer within 1 s")
    assert found["configuration"].state == "ok", "it needs no tool of the folder"
    assert found["terminal"].state in ("ok", "note")
    assert time.monotonic() - before < 8


def test_signs_fall_back_to_words(project, monkeypatch, capsys):
    class Latin:
        encoding = "latin-1"

        def __init__(self, out):
            self._out = out

        def __getattr__(self, name):
            return getattr(self._out, name)

    import sys

    monkeypatch.setattr(sys, "stdout", Latin(sys.stdout))
    doctor_command._say(CheckResult("x", "broken", "text", "the fix"))
    assert "✗" not in capsys.readouterr().out


def test_a_database_server_that_does_not_answer_is_told_without_its_password(project):
    project.write(".toolpost/config.toml", 'store = "postgresql://me:hunter2xyz@127.0.0.1:9/db"\n')
    done = project.call("doctor")
    assert done.status == 1
    assert "db at 127.0.0.1:9 cannot be reached" in done.out
    assert "hunter2xyz" not in done.out + done.err


def test_it_says_who_is_asked_for_a_web_search(project, monkeypatch):
    monkeypatch.delenv("TAVILY_API_KEY", raising=False)
    found = findings(project)["web search"]
    assert (found["state"], found["fix"]) == ("note", "export TAVILY_API_KEY=<your key>")
    assert found["text"].startswith("Tavily without a key")
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-0123456789abcdefghij")
    project.write(".toolpost/config.toml", '[web]\nsearxng = "https://search.example.org"\n')
    found = findings(project)["web search"]
    assert found["state"] == "ok"
    order = "Tavily, key set (TAVILY_API_KEY); then SearXNG at https://search.example.org; then ddgs"
    assert found["text"].startswith(order)
    project.write(".toolpost/config.toml", "[tools]\nweb_search = false\n")
    assert findings(project)["web search"]["text"] == "switched off in [tools]"
