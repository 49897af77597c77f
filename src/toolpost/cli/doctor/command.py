"""`toolpost doctor`: check the setup and suggest fixes. No check can hang."""

import argparse
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import structs

from toolpost import __version__
from toolpost.cli.exit_codes import FAILED, OK
from toolpost.cli.shared.arguments import JSON
from toolpost.cli.shared.formats import at_home
from toolpost.cli.shared.language import language, shown
from toolpost.cli.shared.output import say, say_json
from toolpost.cli.shared.tables import coloured, line_width, plain
from toolpost.cli.shared.workspace import open_workspace
from toolpost.extras import PURPOSES, install_command, is_installed
from toolpost.types.errors import ConfigError
from toolpost.types.text import counted
from toolpost.view.cells import width

from .check_result import CheckResult, first_of
from .model_checks import MODEL_CHECKS
from .store_checks import STORE_CHECKS
from .tool_checks import TOOL_CHECKS

if TYPE_CHECKING:
    from toolpost.workspace import Workspace

HELP = "check the setup: what works, what is missing, how to fix it"
SECONDS = 5.0
NAME_CELLS = 14
OLDEST_PYTHON = (3, 11)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    JSON.add_to(parser)


def run(args: argparse.Namespace) -> int:
    workspace = open_workspace()
    findings = examine(workspace)
    broken = [finding for finding in findings if finding.state == "broken"]
    if args.json:
        say_json({"ok": not broken, "checks": findings})
    else:
        for finding in findings:
            _say(finding)
        say()
        say(shown(f"{counted(len(broken), 'problem')} found" if broken else "no problems found"))
    return FAILED if broken else OK


def examine(workspace: "Workspace", seconds: float = SECONDS) -> list[CheckResult]:
    """All checks, one after another, each within `seconds`; what they found, without secrets."""
    # Imported here: it compiles expressions that `toolpost --help` does not need.
    from toolpost.guard.redact import known_redactor

    found = [_within(seconds, name, check, workspace) for name, check in _CHECKS.items()]
    hide = known_redactor(workspace.environ).text
    return [structs.replace(one, text=hide(one.text), fix=hide(one.fix)) for one in found]


def _within(
    seconds: float, name: str, check: "Callable[[Workspace], CheckResult]", workspace: "Workspace"
) -> CheckResult:
    """In a thread that dies with the process: a keyring, a disk or a tool file that hangs must not hold us."""
    found: list[CheckResult] = []

    def examine_one() -> None:
        try:
            found.append(check(workspace))
        except ConfigError as error:
            found.append(
                CheckResult(name, "note", f"not checked: {str(error).splitlines()[0]}", "toolpost config check")
            )
        except BaseException as error:  # noqa: BLE001 - a check that fails is a finding, whatever it met
            found.append(CheckResult(name, "broken", f"{type(error).__name__}: {error}"))

    thread = threading.Thread(target=examine_one, name=f"doctor {name}", daemon=True)
    thread.start()
    thread.join(seconds)
    return found[0] if found else CheckResult(name, "broken", f"no answer within {seconds:g} s")


def _python(workspace: "Workspace") -> CheckResult:
    version = sys.version.split()[0]
    if sys.version_info < OLDEST_PYTHON:
        return CheckResult("python", "broken", f"Python {version} is too old", "install Python 3.11 or newer")
    return CheckResult("python", "ok", f"Python {version}")


def _package(workspace: "Workspace") -> CheckResult:
    return CheckResult("toolpost", "ok", f"Toolpost {__version__}")


def _configuration(workspace: "Workspace") -> CheckResult:
    from .config_checks import check_config, unused_note

    problems, notes = check_config(workspace)
    if problems:
        return CheckResult("configuration", "broken", first_of(problems), "toolpost config check")
    if notes:
        fix = "toolpost trust" if notes == [unused_note(workspace)] else "toolpost config check"
        return CheckResult("configuration", "note", first_of(notes), fix)
    files = ", ".join(at_home(file) for file in workspace.loaded.files)
    return CheckResult("configuration", "ok", files or "no files, all defaults")


def _env_files(workspace: "Workspace") -> CheckResult:
    from toolpost.cli.shared.env_files import COMMAND, notice, summary

    found = workspace.env_files
    if found.state == "none":
        return CheckResult("env files", "ok", "there is none")
    if found.standing.problem:
        return CheckResult("env files", "note", found.standing.problem)
    if found.state == "read":
        return CheckResult("env files", "ok", summary(workspace))
    if found.state == "declined":
        return CheckResult("env files", "ok", f"you said no to {' and '.join(found.names)}")
    return CheckResult("env files", "note", notice(found), COMMAND)


def _keyring(workspace: "Workspace") -> CheckResult:
    from toolpost.config.api_keys import keyring_in_use

    kind = keyring_in_use(workspace.environ)
    if kind is None:
        return CheckResult("keyring", "note", "this system has none; API keys are read from the environment")
    return CheckResult("keyring", "ok", kind)


def _terminal(workspace: "Workspace") -> CheckResult:
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    if encoding != "utf8":
        return CheckResult(
            "terminal",
            "note",
            f"the encoding is {sys.stdout.encoding}: some characters cannot be shown",
            "export PYTHONUTF8=1",
        )
    cells = line_width(sys.stdout)
    return CheckResult("terminal", "ok", f"UTF-8, {cells} cells wide" if cells else "UTF-8, not a terminal")


def _extra(name: str) -> "Callable[[Workspace], CheckResult]":
    def check(workspace: "Workspace") -> CheckResult:
        if is_installed(name):
            return CheckResult(f"extra {name}", "ok", f"installed: {PURPOSES[name]}")
        return CheckResult(f"extra {name}", "note", f"not installed: {PURPOSES[name]}", install_command(name))

    return check


_CHECKS: "dict[str, Callable[[Workspace], CheckResult]]" = {
    "python": _python,
    "toolpost": _package,
    **{f"extra {name}": _extra(name) for name in PURPOSES},
    "configuration": _configuration,
    "env files": _env_files,
    **STORE_CHECKS,
    **MODEL_CHECKS,
    **TOOL_CHECKS,
    "keyring": _keyring,
    "terminal": _terminal,
}


def _say(finding: CheckResult) -> None:
    marks = {"ok": ("✓", "ok  ", "green"), "note": ("–", "note", "yellow"), "broken": ("✗", "FAIL", "red")}
    sign, word, colour = marks[finding.state]
    has_signs = (sys.stdout.encoding or "").lower().startswith("utf")
    fix = f"\n    → {plain(shown(finding.fix))}" if finding.fix and finding.state != "ok" else ""
    name = _row_name(finding.name)
    blanks = " " * (NAME_CELLS - width(name))
    say(f"{coloured(sign if has_signs else word, colour)} {name}{blanks} {plain(shown(finding.text))}{fix}")


def _row_name(name: str) -> str:
    """What the check is called: by its English name in JSON, and for a person in their language."""
    if language() == "en":
        return name
    # Imported here: only a Chinese terminal needs them.
    from toolpost.cli.shared.chinese.doctor import ROWS

    return ROWS.get(name, name.replace("extra ", "组件 "))
