"""Cold starts from a shell: imports, and the command line with one tool call."""

import os
import tempfile
from pathlib import Path
from typing import NamedTuple

from .environments import HERE, python_of
from .plan import Framework
from .sample import Sample, plain_environment, spawn

TOOL_FILE = HERE / "cold_tool.py"
PROMPT = "@@t=1;m=20@@ go"
# The last of the twenty chunks that the upstream answers with.
LAST_WORD = "tok19"


class Start(NamedTuple):
    """A command, by the words after the folder of its programs, and a word that its output must hold."""

    name: str
    label: str
    words: tuple[str, ...]
    expect: str = ""


STARTS = (
    Start("python", "`python -c pass`", ("python", "-c", "pass")),
    Start("import", "`import toolpost`", ("python", "-c", "import toolpost")),
    Start("import-agent", "`from toolpost import Agent, tool`", ("python", "-c", "from toolpost import Agent, tool")),
    Start("version", "`toolpost --version`", ("toolpost", "--version"), "0."),
    Start(
        "run",
        "`toolpost run`, one tool call",
        ("toolpost", "run", "-m", "openai/fake", "--tools", str(TOOL_FILE), "--allow", "*", PROMPT),
        LAST_WORD,
    ),
)


def start(case: Start, base: str) -> Sample:
    """One cold start in a home of its own, which is kept between the rounds as a user's is."""
    programs = python_of("").parent
    sample, _ = spawn([str(programs / case.words[0]), *case.words[1:]], _home(base), case.expect)
    return sample


def import_alone(framework: Framework, base: str) -> Sample:
    """Import a framework in a fresh process, less what Python itself takes."""
    python = str(python_of(framework.environment))
    environment = plain_environment(base)
    bare, _ = spawn([python, "-c", "pass"], environment)
    whole, _ = spawn([python, "-c", framework.imports], environment)
    return {key: max(0.0, whole[key] - bare[key]) for key in whole}


def _home(base: str) -> dict[str, str]:
    home = Path(tempfile.gettempdir()) / f"toolpost-bench-{os.getuid()}"
    home.mkdir(mode=0o700, exist_ok=True)
    return plain_environment(base) | {"HOME": str(home)}
