"""Language servers from their start to their end: real ones, and one that misbehaves as it is told."""

import asyncio
import contextlib
import subprocess
import sys
import time
from pathlib import Path

import pytest
from lsp_desk import LspDesk

from toolpost.tools.limits import ToolLimits
from toolpost.tools.lsp.settings import find_server, language_of, server_settings
from toolpost.types.errors import ConfigError, PermissionDenied, ToolError

FAKE = Path(__file__).with_name("fake_server.py")


@pytest.fixture
async def make(tmp_path):
    """Desks on a project, whose servers are all ended."""
    desks = []

    def made(*command, seconds=10.0, **settings):
        configured = {"python": {"command": list(command)}} if command else {}
        (tmp_path / "project").mkdir(exist_ok=True)
        limits = ToolLimits(lsp_seconds=seconds)
        desk = LspDesk(tmp_path / "project", limits=limits, lsp=configured, **settings)
        desk.put("a.py", "import os\n\nvalue = undefined\n")
        # The sandbox shows a project, and its server has to be somewhere.
        desk.put("server.py", FAKE.read_text())
        desks.append(desk)
        return desk

    yield made
    for desk in desks:
        await desk.servers.close()


def fake(how):
    return (sys.executable, "server.py", how)


async def test_a_server_that_reports_by_itself_is_waited_for(make):
    desk = make("pylsp")
    assert "a.py:3:9 error: undefined name 'undefined'" in await desk.say(operation="diagnostics", path="a.py")
    desk.put("a.py", "value = 1\n")
    assert "knows no diagnostics" in await desk.say(operation="diagnostics", path="a.py")


async def test_what_a_server_can_not_do_is_said(make):
    with pytest.raises(ToolError, match=r"pylsp can't do that \(workspace/symbol\)"):
        await make("pylsp").say(operation="workspace_symbols", path="a.py", query="x")


async def test_a_server_on_the_path_is_found_and_stays_for_the_next_question(make):
    desk = make()
    assert "a.py:3:1" in await desk.say(operation="document_symbols", path="a.py")
    first, _ = await desk.servers.ask(desk.context(), desk.bench.project_files.resolve("a.py"))
    second, _ = await desk.servers.ask(desk.context(), desk.bench.project_files.resolve("a.py"))
    assert first is second
    assert first.spec.name == "pyright-langserver"


async def test_without_a_server_the_model_is_told_what_to_do(make):
    desk = make()
    desk.environment["PATH"] = "/nowhere"
    with pytest.raises(ToolError, match=r"no language server for python: install .*pylsp, or configure \[lsp.python\]"):
        await desk.say(operation="hover", path="a.py")


async def test_a_server_that_crashes_is_started_once_more_and_then_left_alone(make):
    desk = make(*fake("crash"))
    with pytest.raises(ToolError, match="has ended"):
        await desk.say(operation="hover", path="a.py")
    with pytest.raises(ToolError, match="ended again and is not restarted"):
        await desk.say(operation="hover", path="a.py")


async def test_a_server_that_does_not_start_tells_its_last_words(make):
    with pytest.raises(ToolError, match="no module named everything"):
        await make(*fake("broken")).say(operation="hover", path="a.py")


@pytest.mark.parametrize("how", ["silent", "hang", "nonsense"])
async def test_a_server_that_does_not_answer_is_not_waited_for(make, how):
    desk = make(*fake(how), seconds=1.0)
    began = time.monotonic()
    with pytest.raises(ToolError, match="gave no answer within 1 s"):
        await desk.say(operation="hover", path="a.py", line=3)
    assert time.monotonic() - began < 8


async def test_nothing_of_a_server_is_left_when_the_workspace_closes(make):
    desk = make(*fake("children"))
    await desk.say(operation="hover", path="a.py", line=3)
    assert _processes(desk.root)
    await desk.servers.close()
    assert not _processes(desk.root)


async def test_a_server_gets_the_environment_of_tools_and_no_other(make, monkeypatch):
    monkeypatch.setenv("SERVICE_API_KEY", "hunter2-hunter2")
    said = await make(*fake("plain")).say(operation="hover", path="a.py", line=3)
    assert "PATH" in said
    assert "hunter2" not in said


async def test_a_server_can_read_the_project_and_change_nothing(make):
    desk = make(*fake("write"))
    assert (await desk.say(operation="hover", path="a.py", line=3)).startswith("failed: ")
    assert "undefined" in (desk.root / "a.py").read_text()


async def test_a_stopped_question_leaves_the_server_in_use(make):
    desk = make(*fake("hang"))
    client, _ = await desk.servers.ask(desk.context(), desk.bench.project_files.resolve("a.py"))
    task = asyncio.create_task(desk.say(operation="hover", path="a.py", line=3))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert client.alive


async def test_nothing_starts_after_an_edit_unless_it_is_configured(make):
    desk = make()
    assert await desk.after_edit("a.py") == ""
    assert not _processes(desk.root)


async def test_an_edit_is_not_held_up_by_a_server_that_hangs(make):
    desk = make(*fake("silent"))
    began = time.monotonic()
    assert await desk.after_edit("a.py") == ""
    assert time.monotonic() - began < 6


async def test_a_server_of_an_earlier_loop_is_replaced(make):
    desk = make(*fake("plain"))
    # In a process of its own: a loop that ends with a server still running complains about it.
    script = f"""
import asyncio, pathlib, sys
sys.path.insert(0, {str(FAKE.parent)!r})
from lsp_desk import LspDesk

desk = LspDesk(pathlib.Path({str(desk.root)!r}), lsp={{"python": {{"command": {fake("plain")!r}}}}})
asyncio.run(desk.say(operation="hover", path="a.py", line=3))

async def again():
    print(await desk.say(operation="hover", path="a.py", line=3))
    await desk.servers.close()

asyncio.run(again())
"""
    done = await asyncio.to_thread(subprocess.run, [sys.executable, "-c", script], capture_output=True, text=True)
    assert "PATH" in done.stdout, done.stderr
    assert not _processes(desk.root)


async def test_outside_files_and_secrets_are_asked_for(make):
    desk = make(*fake("plain"))
    desk.denied = {"external_directory", "secret"}
    for path in ("/etc/x.py", ".env.py"):
        with pytest.raises(PermissionDenied):
            await desk.say(operation="hover", path=path)


async def test_an_open_file_that_became_a_link_out_of_the_project_is_shown_no_more(make, tmp_path):
    (tmp_path / "private.py").write_text("marker_5521 = 1\n")
    desk = make(*fake("repeat"))
    desk.put("b.py", "value = 5522\n")
    assert "value = 5522" in await desk.say(operation="hover", path="b.py", line=1, character=1)
    (desk.root / "b.py").unlink()
    (desk.root / "b.py").symlink_to(tmp_path / "private.py")
    said = await desk.say(operation="hover", path="a.py", line=1, character=1)
    assert "didClose" in said
    assert "marker_5521" not in said


def test_settings_name_a_server_for_any_language(tmp_path):
    program = tmp_path / "zls"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    settings = server_settings({"lsp": {"zig": {"command": [str(program), "-x"], "extensions": ["zig"]}}})
    assert language_of("src/main.zig", settings) == ("zig", "zig")
    found = find_server("zig", settings, "")
    assert found is not None
    assert found.command == (str(program), "-x")
    assert language_of("a.tsx", settings) == ("typescript", "typescriptreact")


def test_a_server_can_be_switched_off_and_bad_settings_are_explained():
    assert find_server("python", server_settings({"lsp": {"python": {"enabled": False}}}), "/usr/bin") is None
    with pytest.raises(ConfigError, match=r"\[lsp\] of config.toml"):
        server_settings({"lsp": {"python": {"command": "pylsp"}}})


def test_a_relative_entry_of_the_path_is_not_searched(tmp_path, monkeypatch):
    program = tmp_path / "gopls"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    assert find_server("go", {}, ".:") is None
    assert find_server("go", {}, str(tmp_path)) is not None


def _processes(root):
    """Whatever runs in the project's folder or was started with its path."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            cmdline = (process / "cmdline").read_bytes()
            if str(root).encode() in cmdline or b"sleep\x00613.7" in cmdline:
                found.append(cmdline)
    return found
