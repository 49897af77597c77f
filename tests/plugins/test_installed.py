"""Plugins that are installed as packages are found by their entry point, through the command line as a user would."""

import os
import subprocess
import sys

import pytest

PLUGIN = """
from toolpost import Plugin, Tool

async def answer(arguments, ctx):
    return "from the plugin"

class Extra(Plugin):
    def tools(self):
        return [Tool("extra_tool", "Extra", "An extra tool of a plugin.", {"type": "object", "properties": {}}, answer)]
"""
SLOW = """
import asyncio
from toolpost import Plugin, tool

class Slow(Plugin):
    async def tools(self):
        await asyncio.sleep(0)
        return [later]

@tool
def later() -> str:
    '''A tool that took its time.'''
    return ""
"""
MISSPELT = """
from toolpost import Plugin

class Careful(Plugin):
    async def tool_execute_befor(self, call): ...
"""


@pytest.fixture
def site(tmp_path):
    site = tmp_path / "site"
    site.mkdir()
    (site / "extra_plugin.py").write_text(PLUGIN)
    (site / "broken_plugin.py").write_text("raise RuntimeError('does not load')")
    (site / "slow_plugin.py").write_text(SLOW)
    (site / "careful_plugin.py").write_text(MISSPELT)
    targets = {"extra": "extra_plugin:Extra", "broken": "broken_plugin:X", "wrong": "os:getcwd"}
    targets |= {"slow": "slow_plugin:Slow", "careful": "careful_plugin:Careful"}
    for name, target in targets.items():
        info = site / f"{name}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text(f"[toolpost]\n{name} = {target}\n")
    return site


def tools(site, tmp_path):
    environment = {
        **os.environ,
        "PYTHONPATH": str(site),
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "TOOLPOST_DATA_DIR": str(tmp_path / "data"),
    }
    command = [sys.executable, "-m", "toolpost", "tools", "list"]
    return subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)


def test_an_installed_plugin_brings_its_tools_and_a_broken_one_is_named(site, tmp_path):
    done = tools(site, tmp_path)
    assert "extra_tool" in done.stdout
    assert "plugin broken (broken_plugin:X) was not loaded: RuntimeError: does not load" in done.stdout + done.stderr
    assert "plugin wrong" in done.stdout + done.stderr


def test_a_plugin_can_be_switched_off(site, tmp_path):
    (tmp_path / "config" / "toolpost").mkdir(parents=True)
    (tmp_path / "config" / "toolpost" / "config.toml").write_text("[plugins]\nextra = false\nbroken = false\n")
    done = tools(site, tmp_path)
    assert "extra_tool" not in done.stdout
    assert "broken_plugin" not in done.stdout + done.stderr


def test_an_installed_plugin_may_take_its_time_and_a_misspelt_hook_is_named(site, tmp_path):
    done = tools(site, tmp_path)
    assert "later" in done.stdout
    assert "plugin careful (careful_plugin:Careful) was not loaded" in done.stdout + done.stderr
    assert "did you mean tool_execute_before?" in done.stdout + done.stderr
