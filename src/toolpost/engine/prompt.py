"""The system prompt in two parts: a head that stays the same, so that providers can cache it, and a changing body."""

from collections.abc import Sequence
from pathlib import Path

from toolpost.tools.files.beside import INSTRUCTION_FILES

INSTRUCTIONS_MAX_BYTES = 64_000


def system_prompt(
    agent_prompt: str,
    *,
    folder: Path | None,
    additions: str = "",
    instructions: Sequence[Path] = (),
    rules: Sequence[str] = (),
) -> tuple[str, str]:
    """Head: the agent's own prompt. Body: our rules, instructions found in the project, then the user's additions."""
    sections = [*rules, *(_section(path, folder) for path in instructions)]
    if additions:
        sections.append(additions)
    return agent_prompt, "\n\n".join(section for section in sections if section)


def find_instructions(folder: Path, extra: Sequence[Path] = ()) -> list[Path]:
    """One file a folder, from the root of the tree down to `folder`, AGENTS.md before CLAUDE.md; then `extra`."""
    found: list[Path] = []
    for place in (*reversed(folder.resolve().parents), folder.resolve()):
        file = next((place / name for name in INSTRUCTION_FILES if (place / name).is_file()), None)
        if file is not None:
            found.append(file)
    return [*found, *extra]


def _section(path: Path, folder: Path | None) -> str:
    try:
        with path.open("rb") as file:
            text = file.read(INSTRUCTIONS_MAX_BYTES).decode(errors="replace").strip()
    except OSError as error:
        return f"Instructions in {path} could not be read: {error.strerror}."
    shown = path.relative_to(folder) if folder and path.is_relative_to(folder) else path
    return f"Instructions from {shown}:\n\n{text}" if text else ""
