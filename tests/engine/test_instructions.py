"""What a folder can put into the system prompt before anybody has trusted it: its own plain files, and nothing else."""

import logging
import os
import socket

import pytest

from toolpost import Agent
from toolpost.engine.system_prompt import INSTRUCTIONS_MAX_BYTES, MAX_BYTES
from toolpost.testing import ScriptedModel, text
from toolpost.workspace import Workspace

MARK = "outside-marker-5521"


@pytest.fixture
def project(tmp_path, monkeypatch):
    """A clone in a home that has private things in it."""
    home = tmp_path / "home"
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    (home / ".ssh").mkdir(parents=True)
    (home / ".ssh" / "id_rsa").write_text(MARK)
    (home / "diary.txt").write_text(MARK)
    project = home / "work" / "clone"
    (project / ".git").mkdir(parents=True)
    return project


def prompt_in(folder, **settings) -> tuple[str, list[str]]:
    """What the model would be told in a folder that is not trusted, and what the person is told."""
    space = Workspace(folder, environ={"HOME": os.environ["HOME"]}, **settings)
    system = space.setup(ScriptedModel()).system
    return "\n".join(system), space.notices


@pytest.mark.parametrize("name", ["AGENTS.md", "CLAUDE.md"])
@pytest.mark.parametrize(
    "target",
    [
        "../../diary.txt",
        "../../.ssh/id_rsa",
        "/proc/self/environ",
        "/proc/thread-self/environ",
        "/proc/self/root/proc/self/environ",
        "/dev/stdin",
        "/etc/hostname",
        ".",
        "missing-folder/../../../diary.txt",
    ],
)
def test_a_link_out_of_the_project_is_left_out_and_the_person_is_told(project, monkeypatch, name, target):
    monkeypatch.setenv("PLANTED", MARK)
    (project / name).symlink_to(target)
    prompt, notices = prompt_in(project)
    assert MARK not in prompt
    assert "Instructions from" not in prompt
    assert [name in notice for notice in notices] == [True]
    assert "diary" not in prompt
    assert ".ssh" not in prompt


def test_a_link_through_a_folder_that_leads_out_is_left_out(project):
    (project / "docs").symlink_to(project.parent.parent)
    (project / "AGENTS.md").symlink_to("docs/diary.txt")
    (project / "CLAUDE.md").symlink_to("AGENTS.md")
    prompt, notices = prompt_in(project)
    assert MARK not in prompt
    assert len(notices) == 2


@pytest.mark.parametrize("name", [".env", "deploy/prod.pem", ".ssh/id_ed25519", ".git/config", "sub/.git/config"])
def test_a_secret_of_the_project_itself_is_left_out(project, name):
    (project / name).parent.mkdir(parents=True, exist_ok=True)
    (project / name).write_text(MARK)
    (project / "AGENTS.md").symlink_to(name)
    prompt, notices = prompt_in(project)
    assert MARK not in prompt
    assert len(notices) == 1


def test_links_to_files_below_the_folder_and_to_instructions_of_the_project_work(project):
    (project / "AGENTS.md").write_text("Use tabs.")
    inner = project / "inner"
    (inner / "docs").mkdir(parents=True)
    (inner / "docs" / "agents.txt").write_text("Be brief.")
    (inner / "AGENTS.md").symlink_to("docs/agents.txt")
    deep = inner / "deep"
    deep.mkdir()
    (deep / "CLAUDE.md").symlink_to("../../AGENTS.md")
    prompt, notices = prompt_in(deep)
    assert prompt.count("Use tabs.") == prompt.count("Be brief.") == 1
    assert not notices


def test_a_link_may_not_lead_to_other_files_of_a_project_that_is_as_large_as_the_home_folder(project):
    home = project.parent.parent
    (home / ".git").mkdir()
    unpacked = home / "Downloads" / "unpacked"
    unpacked.mkdir(parents=True)
    (unpacked / "AGENTS.md").symlink_to("../../diary.txt")
    prompt, notices = prompt_in(unpacked)
    assert MARK not in prompt
    assert len(notices) == 1


def make_pipe(path):
    os.mkfifo(path)


def make_socket(path):
    os.chdir(path.parent)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)


def make_pipe_behind_a_link(path):
    os.mkfifo(path.with_name("pipe"))
    path.symlink_to("pipe")


@pytest.mark.parametrize(
    "make",
    [
        make_pipe,
        make_pipe_behind_a_link,
        make_socket,
        lambda path: path.mkdir(),
        lambda path: path.symlink_to("/dev/zero"),
        lambda path: path.symlink_to(path.name),
    ],
)
def test_what_is_no_file_neither_hangs_nor_takes_the_place_of_the_other(project, monkeypatch, make):
    monkeypatch.chdir(project)
    make(project / "AGENTS.md")
    (project / "CLAUDE.md").write_text("Be brief.")
    prompt, notices = prompt_in(project)
    assert "Be brief." in prompt
    assert len(notices) == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_one_that_cannot_be_read_is_told_of_outside_the_prompt(project):
    (project / "AGENTS.md").write_text("text")
    (project / "AGENTS.md").chmod(0)
    prompt, notices = prompt_in(project)
    assert "AGENTS.md" not in prompt
    assert len(notices) == 1


def test_a_huge_file_is_cut_and_so_is_the_sum_of_many(project):
    with (project / "AGENTS.md").open("wb") as file:
        file.write(b"x" * INSTRUCTIONS_MAX_BYTES * 2)
        file.truncate(10**12)
    inner = project
    for _ in range(8):
        inner = inner / "a"
        inner.mkdir()
        (inner / "AGENTS.md").write_text("y" * INSTRUCTIONS_MAX_BYTES)
    prompt, notices = prompt_in(inner)
    assert prompt.count("x") < INSTRUCTIONS_MAX_BYTES + 100
    assert len(prompt) < MAX_BYTES + 10_000
    assert any("cut" in notice for notice in notices)
    assert any("left out" in notice for notice in notices)


def test_known_secrets_in_them_are_hidden_also_where_the_file_is_cut(project, monkeypatch):
    monkeypatch.setenv("PLANTED_TOKEN", "Quite.unlike.a-key-77")
    (project / "AGENTS.md").write_text("say Quite.unlike.a-key-77 now")
    inner = project / "inner"
    inner.mkdir()
    (inner / "AGENTS.md").write_text("z" * (INSTRUCTIONS_MAX_BYTES - 10) + "Quite.unlike.a-key-77")
    prompt, _ = prompt_in(inner)
    assert "say *** now" in prompt
    assert "Quite" not in prompt


def test_the_climb_takes_the_project_and_then_own_folders_as_far_as_home(project):
    home = project.parent.parent
    (home / "AGENTS.md").write_text("from home")
    (home.parent / "AGENTS.md").write_text("from above home")
    (project.parent / "CLAUDE.md").write_text("from work")
    (project / "AGENTS.md").write_text("from the project")
    inner = project / "inner"
    inner.mkdir()
    (inner / "AGENTS.md").write_text("from inner")
    prompt, notices = prompt_in(inner)
    places = [prompt.index(f"from {place}") for place in ("home", "work", "the project", "inner")]
    assert places == sorted(places)
    assert "above home" not in prompt
    assert not notices


def test_a_link_above_the_project_does_not_lead_out_of_its_folder_either(project):
    (project.parent / "AGENTS.md").symlink_to("../diary.txt")
    prompt, notices = prompt_in(project)
    assert MARK not in prompt
    assert len(notices) == 1


def test_outside_of_home_nothing_above_the_project_is_read(project, tmp_path):
    (tmp_path / "AGENTS.md").write_text(MARK)
    for folder in ("plain", "cloned"):
        (tmp_path / folder / "inner").mkdir(parents=True)
        (tmp_path / folder / "AGENTS.md").write_text(f"top of {folder}")
    (tmp_path / "cloned" / ".git").mkdir()
    assert prompt_in(tmp_path / "plain" / "inner")[0].count("Instructions from") == 0
    prompt, _ = prompt_in(tmp_path / "cloned" / "inner")
    assert "top of cloned" in prompt
    assert MARK not in prompt


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("mark", [".git", ".toolpost"])
def test_a_mark_that_somebody_else_put_above_makes_no_project(project, tmp_path, mark):
    shared = tmp_path / "shared"
    own = shared / "own"
    own.mkdir(parents=True)
    (shared / "AGENTS.md").write_text(MARK)
    (shared / mark).symlink_to(own)
    os.chown(shared / mark, 12345, 12345, follow_symlinks=False)
    assert Workspace(own).project == own
    assert MARK not in prompt_in(own)[0]
    os.chown(shared / mark, 0, 0, follow_symlinks=False)
    assert Workspace(own).project == shared


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_folders_of_others_between_home_and_the_project_are_passed_over(project):
    (project.parent / "AGENTS.md").write_text(MARK)
    os.chown(project.parent, 12345, 12345)
    assert MARK not in prompt_in(project)[0]


async def test_an_agent_in_code_leaves_the_same_out_and_logs_it(project, caplog):
    (project / "AGENTS.md").symlink_to("../../diary.txt")
    with ScriptedModel(text("ok")) as model, caplog.at_level(logging.WARNING):
        await Agent(model, folder=project, instructions=True).run("go")
    assert MARK not in str(model.requests[0].system)
    assert "AGENTS.md" in caplog.text


def trusted_with(project, entry, **more):
    (project / ".toolpost").mkdir(exist_ok=True)
    (project / ".toolpost" / "config.toml").write_text(f'instructions = ["{entry}"]')
    return prompt_in(project, trusted=True, **more)


def test_a_trusted_setting_names_files_and_the_folder_does_not_decide_where_they_lead(project):
    rules = project / "rules.md"
    rules.write_text("House rules.")
    assert "House rules." in trusted_with(project, "rules.md")[0]
    rules.unlink()
    rules.symlink_to("../../diary.txt")
    prompt, notices = trusted_with(project, "rules.md")
    assert MARK not in prompt
    assert len(notices) == 1
    assert MARK in trusted_with(project, "~/diary.txt")[0]


def test_a_named_file_that_is_missing_or_secret_is_told_of_outside_the_prompt(project):
    (project / ".env").write_text(MARK)
    for entry in ("nowhere.md", ".env"):
        prompt, notices = trusted_with(project, entry)
        assert MARK not in prompt
        assert entry not in prompt
        assert len(notices) == 1


def test_a_notice_comes_once_however_often_a_session_is_set_up(project):
    (project / "AGENTS.md").symlink_to("../../diary.txt")
    space = Workspace(project)
    space.tools  # noqa: B018 - reads the names of the files, too
    space.setup(ScriptedModel())
    space.setup(ScriptedModel())
    assert sum("AGENTS.md" in notice for notice in space.notices) == 1
