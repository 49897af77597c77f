"""What a folder brings along acts only while it is what a person said yes to, to the byte."""

import errno
import os
import shutil
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.definitions.definition_files import _PROJECT
from toolpost.guard import trust as limits
from toolpost.guard.trust import Trust, TrustError, fingerprint

FILES = {
    ".toolpost/config.toml": b"model = 1\n",
    ".toolpost/tools/a.py": b"print(1)\n",
    ".toolpost/skills/s/scripts/run.sh": b"echo\n",
    ".mcp.json": b"{}",
    ".claude/agents/x.md": b"# x",
    ".opencode/command/y.md": b"# y",
    ".agents/skills/z/SKILL.md": b"# z",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return made(tmp_path / "project")


@pytest.fixture
def trust(tmp_path: Path) -> Trust:
    return Trust(tmp_path / "data/trust.json")


def made(project: Path, files: dict[str, bytes] = FILES) -> Path:
    for name, data in files.items():
        put(project / name, data)
    return project


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def test_a_folder_is_trusted_only_after_a_word_and_until_it_is_taken_back(project, trust):
    assert trust.standing(project).state == "unknown"
    assert trust.give(project).trusted
    assert trust.standing(project).files == tuple(sorted(FILES))
    assert [folder for folder, _ in trust.folders()] == [str(project)]
    assert trust.take_back(project)
    assert not trust.take_back(project)
    assert trust.standing(project).state == "unknown"


def test_a_folder_that_brings_nothing_along_needs_no_trust(tmp_path, trust):
    (tmp_path / "src").mkdir()
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude/notes.md").write_text("not read by anybody")
    assert trust.standing(tmp_path).state == "empty"


def test_everything_that_definitions_are_read_from_counts():
    read = {folder for folders in _PROJECT.values() for folder in folders} | {
        ".toolpost/tools",
        ".toolpost/config.toml",
    }
    assert all(any(f"{folder}/".startswith(f"{name}/") for name in limits.ACTING) for folder in read)


def test_trust_is_for_one_folder_by_whichever_name(project, trust, tmp_path):
    trust.give(project)
    (tmp_path / "also").symlink_to(project)
    assert trust.standing(tmp_path / "also").state == "trusted"
    assert trust.standing(made(tmp_path / "twin")).state == "unknown"


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_one_change_to_what_acts_asks_again(tmp_path_factory, data):
    top = tmp_path_factory.mktemp("trust")
    project, trust = made(top / "project"), Trust(top / "trust.json")
    trust.give(project)
    name = data.draw(st.sampled_from(sorted(FILES)))
    path = project / name
    match data.draw(st.sampled_from(["byte", "append", "empty", "remove", "rename", "add", "link", "chmod"])):
        case "byte":
            at = data.draw(st.integers(0, len(FILES[name]) - 1))
            bit = 1 << data.draw(st.integers(0, 7))
            changed = bytearray(FILES[name])
            changed[at] ^= bit
            path.write_bytes(changed)
        case "append":
            path.write_bytes(FILES[name] + data.draw(st.binary(min_size=1, max_size=2)))
        case "empty":
            path.write_bytes(b"")
        case "remove":
            path.unlink()
        case "rename":
            moved = path.with_name(f"{path.name}x") if name != ".mcp.json" else project / ".toolpost/mcp.json"
            path.rename(moved)
        case "add":
            below = data.draw(st.sampled_from([".toolpost", ".toolpost/__pycache__", ".claude/skills/new/.hidden"]))
            put(project / below / "new", b"")
        case "link":
            # The same content under the same name, but somebody else decides what it will be.
            shutil.copy(path, top / "elsewhere")
            path.unlink()
            path.symlink_to(top / "elsewhere")
        case "chmod":
            path.chmod(path.stat().st_mode ^ stat.S_IXUSR)
    standing = trust.standing(project)
    assert standing.state == "changed"
    assert standing.changed
    trust.give(project)
    assert trust.standing(project).state == "trusted"


def test_what_makes_no_difference_does_not_ask_again(project, trust):
    trust.give(project)
    os.utime(project / ".mcp.json", (1, 1))
    (project / ".mcp.json").chmod(0o600)
    put(project / "src/main.py", b"print()")
    put(project / ".claude/settings.json", b"{}")
    (project / ".toolpost/empty").mkdir()
    assert trust.standing(project).state == "trusted"


@pytest.mark.parametrize("linked", [".toolpost", ".toolpost/skills", ".mcp.json", ".claude", ".toolpost/tools/a.py"])
def test_what_a_link_leads_to_is_trusted_by_its_content_and_the_link_by_its_target(project, trust, tmp_path, linked):
    """A link to a folder was once known by its name alone: what is in the folder could be changed unasked."""
    away = tmp_path / "away"
    (project / linked).rename(away)
    (project / linked).symlink_to(away)
    trust.give(project)
    assert trust.standing(project).state == "trusted"
    file = away if away.is_file() else next(path for path in sorted(away.rglob("*")) if path.is_file())
    before = file.read_bytes()
    file.write_bytes(before + b"#")
    assert trust.standing(project).state == "changed"
    file.write_bytes(before)
    assert trust.standing(project).state == "trusted"
    if linked != ".claude":
        # Into another place with the very same content: what will be there later is another's to decide.
        (shutil.copytree if away.is_dir() else shutil.copy)(away, tmp_path / "twin")
        (project / linked).unlink()
        (project / linked).symlink_to(tmp_path / "twin")
        assert trust.standing(project).state == "changed"


def test_a_link_to_nothing_asks_when_something_appears_there(project, trust, tmp_path):
    (project / ".toolpost/tools/later.py").symlink_to(tmp_path / "later.py")
    (project / ".claude/commands").symlink_to(tmp_path / "commands")
    trust.give(project)
    put(tmp_path / "later.py", b"")
    assert trust.standing(project).changed == (".toolpost/tools/later.py",)
    put(tmp_path / "commands/evil.md", b"")
    assert ".claude/commands/evil.md" in trust.standing(project).changed


def test_a_file_cannot_pass_for_a_link(project, trust, tmp_path):
    """Both were hashed alike once: a file that spelled out a link and its content could be swapped for that link."""
    put(tmp_path / "evil.py", b"evil()")
    tool = project / ".toolpost/tools/a.py"
    for text in (f"link to {tmp_path}/evil.py\0evil()", f"link to {tmp_path}/evil.py"):
        tool.write_text(text)
        trust.give(project)
        tool.unlink()
        tool.symlink_to(tmp_path / "evil.py")
        assert trust.standing(project).state == "changed"
        tool.unlink()


def test_links_in_a_circle_end(project, trust):
    (project / ".toolpost/skills/again").symlink_to("..")
    (project / ".toolpost/self").symlink_to("self")
    assert trust.give(project).trusted
    (project / ".toolpost/tools/a.py").write_bytes(b"other")
    assert ".toolpost/tools/a.py" in trust.standing(project).changed


def test_pipes_sockets_and_devices_are_not_waited_for_and_never_trusted(project, trust, tmp_path):
    trust.give(project)
    odd = project / ".toolpost/tools/odd.py"
    os.mkfifo(odd)
    with pytest.raises(TrustError, match=r"odd\.py"):
        trust.give(project)
    standing = trust.standing(project)
    assert (standing.state, standing.trusted) == ("unknown", False)
    assert "odd.py" in standing.problem
    odd.unlink()
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(odd))
    assert not trust.standing(project).trusted
    listening.close()
    odd.unlink()
    odd.symlink_to("/dev/zero")
    assert not trust.standing(project).trusted
    odd.unlink()
    assert trust.standing(project).trusted


@pytest.mark.parametrize("where", ["open", "iterdir"])
def test_what_cannot_be_read_is_not_trusted_and_breaks_nothing(project, trust, monkeypatch, where):
    trust.give(project)
    owner, name = (os, "open") if where == "open" else (Path, "iterdir")
    real = getattr(owner, name)

    # Mode bits don't stop root, as whom tests may run.
    def refused(path, *rest):
        if "tools" in str(path):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(path, *rest)

    monkeypatch.setattr(owner, name, refused)
    assert trust.standing(project).state == "unknown"
    with pytest.raises(TrustError, match="Permission denied"):
        trust.give(project)
    monkeypatch.undo()
    assert trust.standing(project).trusted


def test_a_name_that_is_no_text_is_not_trusted(project, trust):
    put(project / ".toolpost" / os.fsdecode(b"\xff.py"), b"")
    with pytest.raises(TrustError, match="not valid text"):
        trust.give(project)
    assert not trust.standing(project).trusted


def test_too_much_is_never_trusted(project, trust, monkeypatch, tmp_path):
    trust.give(project)
    monkeypatch.setattr(limits, "MAX_BYTES", 100)
    assert trust.standing(project).trusted
    # What a link leads to counts in full.
    put(tmp_path / "large", b"x" * 101)
    (project / ".toolpost/large").symlink_to(tmp_path / "large")
    assert not trust.standing(project).trusted
    (project / ".toolpost/large").unlink()
    monkeypatch.setattr(limits, "MAX_FILES", 40)
    for number in range(40):
        (project / f".toolpost/{number}").mkdir()
    with pytest.raises(TrustError, match="more than 40 files"):
        trust.give(project)


def test_a_yes_is_for_what_was_shown(project, trust):
    shown = trust.standing(project)
    (project / ".mcp.json").write_bytes(b'{"mcpServers": {}}')
    with pytest.raises(TrustError, match="changed while you looked"):
        trust.give(project, shown)
    assert not trust.standing(project).trusted
    assert trust.give(project, trust.standing(project)).trusted


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"\x80": {"time": 1, "files": {}}}',
        b"[]",
        b'{"%s": {"time": 1}}',
        b'{"%s": {"time": 1, "files": []}}',
        b'{"%s": {"time": "x", "files": {}}}',
        b'{"x": {"y": ' + b"[" * 100_000,
    ],
)
def test_a_damaged_list_trusts_nothing_and_can_be_written_anew(project, trust, tmp_path, damage):
    trust.give(project)
    (tmp_path / "data/trust.json").write_bytes(damage.replace(b"%s", str(project).encode()))
    assert trust.standing(project).state == "unknown"
    assert trust.folders() == []
    assert trust.give(project).trusted


@settings(max_examples=60, deadline=None)
@given(st.floats(0, 1), st.binary(max_size=8))
def test_no_damage_makes_a_folder_trusted_that_was_not(tmp_path_factory, share, more):
    top = tmp_path_factory.mktemp("trust")
    project, other, trust = made(top / "a"), made(top / "b", {".mcp.json": b"{}"}), Trust(top / "trust.json")
    trust.give(project)
    whole = (top / "trust.json").read_bytes()
    (top / "trust.json").write_bytes(whole[: int(share * len(whole))] + more)
    assert not trust.standing(other).trusted
    if share < 0.9:
        assert not trust.standing(project).trusted


def test_a_list_that_cannot_be_read_trusts_nothing_and_is_not_overwritten(project, trust, tmp_path):
    (tmp_path / "data/trust.json").mkdir(parents=True)
    assert not trust.standing(project).trusted
    with pytest.raises(TrustError, match=r"trust\.json"):
        trust.give(project)
    assert not [path for path in (tmp_path / "data").iterdir() if path.name not in ("trust.json", "trust.json.lock")]


def test_the_list_is_for_its_owner_alone(project, trust, tmp_path):
    trust.give(project)
    assert (tmp_path / "data/trust.json").stat().st_mode & 0o077 == 0


GIVER = """
import sys
from pathlib import Path
from toolpost.guard.trust import Trust
trust = Trust(Path(sys.argv[1]))
sys.stdin.read(1)
for name in sys.argv[2:]:
    trust.give(Path(name))
"""


def test_processes_that_give_trust_at_once_lose_nothing(tmp_path, trust):
    projects = [made(tmp_path / f"p{number}", {".mcp.json": b"{}"}) for number in range(40)]
    shares = [projects[start::4] for start in range(4)]
    givers = [
        subprocess.Popen(
            [sys.executable, "-c", GIVER, str(tmp_path / "data/trust.json"), *map(str, share)], stdin=subprocess.PIPE
        )
        for share in shares
    ]
    for giver in givers:
        giver.stdin.write(b"!")
        giver.stdin.close()
    assert [giver.wait(30) for giver in givers] == [0] * 4
    assert all(trust.standing(project).trusted for project in projects)
    assert len(trust.folders()) == 40


def test_a_fingerprint_is_the_same_in_whichever_order_files_were_made(tmp_path):
    one, other = made(tmp_path / "one"), made(tmp_path / "other", dict(reversed(FILES.items())))
    assert fingerprint(one) == fingerprint(other)
    assert list(fingerprint(one)) == sorted(FILES)
