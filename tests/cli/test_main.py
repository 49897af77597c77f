"""The entry: every command can be loaded and says of itself what the list says of it."""

import logging
import sys
from importlib import import_module
from types import ModuleType

import pytest

from toolpost import __version__
from toolpost.cli.main import COMMANDS, main


@pytest.fixture(autouse=True)
def own_log(tmp_path, monkeypatch):
    """The log of these calls is not the user's, and does not outlive them."""
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path))
    root = logging.getLogger()
    before, level = list(root.handlers), root.level
    yield
    root.handlers[:] = before
    root.setLevel(level)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name):
    module, help = COMMANDS[name]
    assert help == import_module(module).HELP


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(name, capsys):
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"])
    assert ended.value.code == 0
    assert f"usage: toolpost {name}" in capsys.readouterr().out


def test_help_lists_commands_and_exit_codes(capsys):
    with pytest.raises(SystemExit):
        main(["--help"])
    out = capsys.readouterr().out
    assert all(name in out for name in COMMANDS)
    assert "130" in out


@pytest.mark.parametrize(
    ("words", "usage"), [(["help"], "usage: toolpost [-C"), (["help", "run"], "usage: toolpost run")]
)
def test_help_can_be_asked_for_as_a_command(words, usage, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 0
    assert capsys.readouterr().out.startswith(usage)


def test_the_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"toolpost {__version__}\n"


@pytest.fixture
def failing_command(monkeypatch):
    """A command with a bug in it."""

    def run(args):
        raise KeyError("sk-test-0123456789abcdef")

    module = ModuleType("failing_command")
    vars(module).update(HELP="fail", add_arguments=lambda parser: None, run=run)
    monkeypatch.setitem(sys.modules, "failing_command", module)
    monkeypatch.setitem(COMMANDS, "fail", ("failing_command", "fail"))


def test_a_bug_is_a_short_text_and_the_log_has_the_rest_without_secrets(failing_command, tmp_path, capsys):
    assert main(["fail"]) == 1
    err = capsys.readouterr().err
    assert "unexpected error: KeyError" in err
    assert str(tmp_path / "toolpost.log") in err
    assert "Traceback" not in err
    assert "sk-test" not in err
    log = (tmp_path / "toolpost.log").read_text()
    assert "Traceback" in log
    assert "sk-test" not in log


def test_who_looks_for_a_bug_gets_the_traceback(failing_command, monkeypatch, capsys):
    monkeypatch.setenv("TOOLPOST_DEBUG", "1")
    assert main(["fail"]) == 1
    assert "Traceback" in capsys.readouterr().err
