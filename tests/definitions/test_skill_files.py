"""Skills: where they are found, what the model is told of them, and what it gets."""

import pytest

from toolpost import Agent
from toolpost.definitions.skills import find_skills
from toolpost.guard.paths import FileAccess
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.builtin.skill import LIST_CHARS, Skill, listed, make
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.workbench import Workbench


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "project"


def write(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


def skill_file(name, description="Makes PDFs", body="Do it so."):
    return f"---\nname: {name}\ndescription: {description}\n---\n{body}\n"


def last_call(session):
    return [part for message in session.messages for part in message.calls][-1].state


def test_skills_are_found_in_all_three_folders_of_project_and_user(project, tmp_path):
    write(project, ".toolpost/skills/a/SKILL.md", skill_file("a"))
    write(project, ".claude/skills/b/SKILL.md", skill_file("b"))
    write(project, ".agents/skills/c/SKILL.md", skill_file("c"))
    write(tmp_path, "home/.agents/skills/d/SKILL.md", skill_file("d"))
    write(tmp_path, "home/.claude/skills/a/SKILL.md", skill_file("a", "Another"))
    write(tmp_path, "home/.config/toolpost/skills/e/SKILL.md", skill_file("e"))
    skills = find_skills(project, {}, trusted=True)
    assert set(skills.items) == {"a", "b", "c", "d", "e"}
    assert (skills.items["a"].description, skills.items["a"].source) == ("Makes PDFs", "project")
    assert {name: skill.source for name, skill in find_skills(project, {}, trusted=False).items.items()} == {
        "a": "user",
        "d": "user",
        "e": "user",
    }


@pytest.mark.parametrize(
    ("content", "warning"),
    [("---\nname: a\n---\nx", "needs a description"), (skill_file("../up"), "is no name for a skill")],
)
def test_a_skill_that_nobody_could_choose_is_left_out(project, content, warning):
    write(project, ".toolpost/skills/a/SKILL.md", content)
    skills = find_skills(project, {}, trusted=True)
    assert skills.items == {}
    assert warning in skills.warnings[0]


def bench_of(project):
    skills = find_skills(project, {}, trusted=True)
    return Workbench(FileAccess(project), ReadTracker(), skills=list(skills.items.values()))


async def test_the_model_reads_a_skill_when_it_needs_it(project):
    write(project, ".toolpost/skills/pdf/SKILL.md", skill_file("pdf", body="Run scripts/make.sh."))
    write(project, ".toolpost/skills/pdf/scripts/make.sh", "touch ran")
    write(project, ".toolpost/skills/pdf/.hidden", "")
    skill = make(bench_of(project))
    with ScriptedModel(call("skill", {"name": "pdf"}), text("ok")) as model:
        session = Agent(model, [skill]).session()
        await session.run("go")
    assert "- pdf: Makes PDFs" in model.requests[0].tools[0].description
    assert "scripts/make.sh" not in model.requests[0].tools[0].description
    assert last_call(session).content[0].text == (
        "Skill pdf, in the folder .toolpost/skills/pdf. Paths in it are relative to that folder.\n\n"
        "Run scripts/make.sh.\n\nOther files in the folder:\nscripts/make.sh"
    )
    assert not (project / "ran").exists()


async def test_a_rule_can_deny_one_skill_and_a_wrong_name_gets_the_right_one(project):
    for name in ("pdf", "secret"):
        write(project, f".toolpost/skills/{name}/SKILL.md", skill_file(name))
    skill = make(bench_of(project))
    with ScriptedModel(call("skill", {"name": "secret"}), call("skill", {"name": "pdfs"}), text("ok")) as model:
        session = Agent(model, [skill], permissions={"skill": {"secret": "deny"}}).session()
        await session.run("go")
    first, second = [part.state for message in session.messages for part in message.calls]
    assert first.kind == "denied"
    assert "Try pdf." in second.message


def test_a_long_list_of_skills_is_cut_and_says_so(tmp_path):
    skills = [Skill(f"skill-{number:03}", "x" * 900, tmp_path, "") for number in range(100)]
    told = listed(skills)
    assert len(told) < LIST_CHARS + 100
    assert told.splitlines()[-1].startswith("(and 8")
    assert listed([]) == "(none)"


def test_a_folder_with_many_files_lists_the_first_and_says_that_there_are_more(tmp_path):
    for number in range(60):
        (tmp_path / f"{number:02}.txt").touch()
    files = Skill("a", "b", tmp_path, "").files()
    assert (len(files), files[0], files[-1]) == (51, "00.txt", "…")
