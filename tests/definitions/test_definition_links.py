"""Agents, commands and skills of a trusted project are its own files: a trusted link is no trust in what it reaches."""

import pytest

from toolpost.definitions.agents import BUILT_IN, find_agents
from toolpost.definitions.commands import find_commands
from toolpost.definitions.skills import find_skills

MARK = "outside-marker-5521"
TEXT = f"---\nname: planted\ndescription: Planted\n---\n{MARK}\n"
FINDERS = {"agents": find_agents, "commands": find_commands, "skills": find_skills}
KINDS = [("agents", "agents/planted.md"), ("commands", "commands/planted.md"), ("skills", "skills/planted/SKILL.md")]


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "SKILL.md").write_text(TEXT)
    (tmp_path / "outside" / "planted.md").write_text(TEXT)
    (tmp_path / "project").mkdir()
    return tmp_path / "project"


def link(path, target):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def found_in(project, kind):
    found = FINDERS[kind](project, {}, trusted=True)
    return {name: item for name, item in found.items.items() if name not in BUILT_IN}, found.warnings


@pytest.mark.parametrize(("kind", "file"), KINDS)
@pytest.mark.parametrize("top", [".toolpost", ".claude"])
def test_a_file_that_leads_out_of_the_project_is_left_out_and_told(project, kind, file, top):
    link(project / top / file, project.parent / "outside" / "planted.md")
    items, warnings = found_in(project, kind)
    assert not items
    assert len(warnings) == 1
    assert MARK not in warnings[0]


@pytest.mark.parametrize(("kind", "file"), KINDS)
def test_a_folder_that_leads_out_of_the_project_is_left_out_and_told(project, kind, file):
    link((project / ".toolpost" / file).parent, project.parent / "outside")
    items, warnings = found_in(project, kind)
    assert not items
    assert len(warnings) == 1


@pytest.mark.parametrize(("kind", "file"), KINDS)
def test_a_secret_of_the_project_is_left_out_and_told(project, kind, file):
    (project / ".env").write_text(TEXT)
    link(project / ".toolpost" / file, project / ".env")
    items, warnings = found_in(project, kind)
    assert not items
    assert len(warnings) == 1


@pytest.mark.parametrize(("kind", "file"), KINDS)
def test_links_inside_the_project_work(project, kind, file):
    (project / "shared").mkdir()
    (project / "shared" / "SKILL.md").write_text(TEXT)
    link(project / ".toolpost" / file, project / "shared" / "SKILL.md")
    items, warnings = found_in(project, kind)
    assert list(items) == ["planted"]
    assert not warnings


@pytest.mark.parametrize(("kind", "file"), KINDS)
def test_the_users_own_links_lead_where_they_want(project, kind, file):
    link(project.parent / "home" / ".claude" / file, project.parent / "outside" / "planted.md")
    assert list(found_in(project, kind)[0]) == ["planted"]
