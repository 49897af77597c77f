"""`skill`: the instructions of a skill, when the model needs them."""

from collections.abc import Sequence
from typing import Annotated

from toolpost.arguments.names import near
from toolpost.tools.define import Tool, ToolContext, ToolResult, tool
from toolpost.tools.skills import Skill
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError

DESCRIPTION = """\
Read the instructions of a skill before you do the kind of work it is for. It runs nothing by itself: scripts in its \
folder are run like any other command."""
LIST_CHARS = 8_000
LINE_CHARS = 500


def make(bench: Workbench) -> Tool:
    """Not worth offering where there are no skills."""
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
        place = bench.ground.place(str(known.folder))
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


def _told(skill: Skill, shown: str, files: Sequence[str]) -> str:
    lines = [f"Skill {skill.name}, in the folder {shown}. Paths in it are relative to that folder.", "", skill.body]
    if files:
        lines += ["", "Other files in the folder:", *files]
    return "\n".join(lines)
