"""Read skills: folders with a SKILL.md, as agentskills.io describes them."""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from toolpost.tools.builtin.skill import Skill
from toolpost.types.errors import ConfigError

from .definition_files import MAX_FILES, DefinitionFile, DefinitionFolder, FoundDefinitions, collect, places

SKILL_FILE = "SKILL.md"
MAX_DESCRIPTION_CHARS = 1_024

_NAME = re.compile(r"[\w][\w.-]{0,63}")


def find_skills(project: Path, environ: Mapping[str, str], *, trusted: bool) -> FoundDefinitions[Skill]:
    return collect(places("skills", project, environ, trusted=trusted), _skill_files, _skill)


def _skill_files(place: DefinitionFolder) -> Iterator[tuple[str, Path]]:
    files = sorted(path for path in place.folder.glob(f"*/{SKILL_FILE}") if path.is_file())
    for path in files[:MAX_FILES]:
        yield path.parent.name, path


def _skill(file: DefinitionFile, warnings: list[str]) -> tuple[str, Skill]:
    given = file.document.settings
    name = str(given.get("name") or file.name).strip()
    if not _NAME.fullmatch(name):
        raise ConfigError(f"{file.shown}: {name!r} can't be the name of a skill: use letters, digits and -, 64 at most")
    description = given.get("description")
    if not isinstance(description, str) or not description.strip():
        raise ConfigError(f"{file.shown}: a skill needs a description, which says what it is for and when to use it")
    about = description.strip()[:MAX_DESCRIPTION_CHARS]
    return name, Skill(name, about, file.path.parent, file.document.body, file.place.level)
