"""`skill`: give the model the instructions of a skill when it needs them."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

from msgspec import Struct

from toolpost.arguments.tool_names import near
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError

MAX_FILES = 50
DEEPEST = 4
DESCRIPTION = """\
Read the instructions of a skill before you do the kind of work it is for. It runs nothing by itself: scripts in its \
folder are run like any other command."""
LIST_CHARS = 8_000
LINE_CHARS = 500


class Skill(Struct, frozen=True):
    """`body` is what its SKILL.md said when it was found, which is what was trusted."""

    name: str
    description: str
    folder: Path
    body: str
    source: str = ""

    def files(self) -> list[str]:
        """The other files in its folder, relative to it; the last entry says if there are more."""
        found = list(islice(_files(self.folder, Path(), 0), MAX_FILES + 1))
        return [*found[:MAX_FILES], "…"] if len(found) > MAX_FILES else found


def make(bench: Workbench) -> Tool:
    """Make the tool; do not offer it where there are no skills."""
    skills = {skill.name: skill for skill in bench.skills}

    @tool(
        name="skill",
        description=f"{DESCRIPTION}\n\nSkills:\n{listed(bench.skills)}",
        read_only=True,
        patterns=lambda arguments: [arguments["name"]],
        touches_machine=False,
    )
    async def skill(ctx: ToolContext, name: Annotated[str, "The name of the skill"]) -> ToolResult:
        known = skills.get(name)
        if known is None:
            likely = near(name, tuple(skills)) or sorted(skills)
            raise ToolError(f'There is no skill "{name}". Try {" or ".join(likely) or "without one"}.')
        place = bench.project_files.resolve(str(known.folder))
        shown = place.shown if place.inside else str(known.folder)
        files = await run_in_thread(known.files)
        return ToolResult([_told(known, shown, files)], {"name": name, "folder": shown}, name)

    return skill


def listed(skills: Sequence[Skill]) -> str:
    """One line a skill, as many as fit; those left out can still be asked for by name."""
    lines: list[str] = []
    room = LIST_CHARS
    for place, skill in enumerate(sorted(skills, key=lambda skill: skill.name)):
        line = f"- {skill.name}: {' '.join(skill.description.split())}"
        line = line if len(line) <= LINE_CHARS else line[: LINE_CHARS - 1] + "…"
        room -= len(line) + 1
        if room < 0:
            lines.append(f"(and {len(skills) - place} more)")
            break
        lines.append(line)
    return "\n".join(lines) or "(none)"


def _files(folder: Path, below: Path, depth: int) -> Iterator[str]:
    try:
        entries = sorted((folder / below).iterdir())
    except OSError:
        return
    for entry in entries:
        name = below / entry.name
        if entry.is_symlink() or entry.name.startswith("."):
            continue
        if entry.is_dir():
            if depth < DEEPEST:
                yield from _files(folder, name, depth + 1)
        elif entry.is_file() and str(name) != "SKILL.md":
            yield name.as_posix()


def _told(skill: Skill, shown: str, files: Sequence[str]) -> str:
    lines = [f"Skill {skill.name}, in the folder {shown}. Paths in it are relative to that folder.", "", skill.body]
    if files:
        lines += ["", "Other files in the folder:", *files]
    return "\n".join(lines)
