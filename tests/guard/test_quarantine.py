"""What is taken out of the way is kept whole, and comes back as it was, or not at all."""

import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolpost.guard import quarantine as module
from toolpost.guard.git.repositories import take_snapshot
from toolpost.guard.git.snapshot import AutorunSetting, changed_settings
from toolpost.guard.quarantine import Quarantine, QuarantineBatch, QuarantineError


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def kept(tmp_path: Path, project: Path) -> Quarantine:
    return Quarantine(project, tmp_path / "kept")


def taken(kept: Quarantine, *paths: Path) -> QuarantineBatch:
    return kept.take([AutorunSetting(str(path), "new", "") for path in paths], ())


def test_files_links_and_folders_come_back_as_they_were(project: Path, kept: Quarantine) -> None:
    hook, link, folder = project / "hook", project / "link", project / ".husky"
    hook.write_bytes(b"\0\xff")
    hook.chmod(0o751)
    link.symlink_to("../nowhere")
    (folder / "a").mkdir(parents=True)
    (folder / "a" / "b").write_text("x")
    (folder / "a" / "b").chmod(0o755)
    (folder / "c").symlink_to("/etc")
    batch = taken(kept, hook, link, folder)
    assert list(project.iterdir()) == []
    assert [one.id for one in kept.batches()] == [batch.id]
    assert kept.restore(kept.get(batch.id[:12])) == [str(hook), str(link), str(folder)]
    assert hook.read_bytes() == b"\0\xff"
    assert stat.S_IMODE(hook.stat().st_mode) == 0o751
    assert link.readlink() == Path("../nowhere")
    assert (folder / "a" / "b").read_text() == "x"
    assert stat.S_IMODE((folder / "a" / "b").stat().st_mode) == 0o755
    assert (folder / "c").readlink() == Path("/etc")
    assert kept.batches() == []


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    content=st.binary(max_size=200),
    mode=st.sampled_from([0o400, 0o644, 0o755]),
    name=st.binary(min_size=1, max_size=20),
)
def test_any_file_of_any_name_comes_back(
    project: Path, kept: Quarantine, content: bytes, mode: int, name: bytes
) -> None:
    path = project / os.fsdecode(b"x" + name.translate(None, b"\0/"))
    path.write_bytes(content)
    path.chmod(mode)
    kept.restore(taken(kept, path))
    assert path.read_bytes() == content
    assert stat.S_IMODE(path.stat().st_mode) == mode
    path.unlink()


def test_what_is_in_the_way_is_not_overwritten(project: Path, kept: Quarantine) -> None:
    for make in ("file", "folder"):
        path = project / make
        path.mkdir() if make == "folder" else path.write_text("old")
        batch = taken(kept, path)
        path.write_text("new")
        with pytest.raises(QuarantineError, match="was not put back"):
            kept.restore(batch)
        assert path.read_text() == "new"
        path.unlink()
        kept.restore(batch)


def test_settings_that_were_changed_since_are_not_overwritten(project: Path, kept: Quarantine) -> None:
    config = project / "config"
    config.write_text("[core]\nbare = true\npager = x\n")
    batch = kept.take([AutorunSetting(str(config), "core.pager", "x", kind="settings")], ())
    assert "bare" in config.read_text()
    assert "pager" not in config.read_text()
    cleaned = config.read_text()
    config.write_text("mine")
    with pytest.raises(QuarantineError, match="changed since"):
        kept.restore(batch)
    config.write_text(cleaned)
    kept.restore(batch)
    assert config.read_text() == "[core]\nbare = true\npager = x\n"


def test_a_way_that_became_a_link_is_not_followed(tmp_path: Path, project: Path, kept: Quarantine) -> None:
    (project / "a").mkdir()
    (project / "a" / "file").write_text("x")
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "file").write_text("precious")
    (project / "b").symlink_to(outside)
    assert [path for path, _ in taken(kept, project / "b" / "file").failed] == [str(project / "b" / "file")]
    batch = taken(kept, project / "a" / "file")
    (project / "a").rmdir()
    (project / "a").symlink_to(outside)
    (outside / "file").unlink()
    with pytest.raises(QuarantineError):
        kept.restore(batch)
    assert list(outside.iterdir()) == []


def test_whoever_holds_a_file_open_does_not_change_what_is_kept(project: Path, kept: Quarantine) -> None:
    path = project / "hook"
    path.write_text("shown")
    with path.open("r+") as held:
        batch = taken(kept, path)
        held.write("other")
    kept.restore(batch)
    assert path.read_text() == "shown"


def test_what_is_too_large_does_nothing_where_it_is(
    project: Path, kept: Quarantine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_KEPT_BYTES", 10)
    path = project / "hook"
    path.write_text("x" * 11)
    [(failed, why)] = taken(kept, path).failed
    assert failed == str(path)
    [left] = project.iterdir()
    assert left.name in why
    assert left.read_text() == "x" * 11


def test_pipes_and_deep_folders_are_taken_too(project: Path, kept: Quarantine) -> None:
    os.mkfifo(project / "pipe")
    deep = project / "deep"
    for _ in range(50):
        deep = deep / "d"
    deep.mkdir(parents=True)
    batch = taken(kept, project / "pipe", project / "deep", project / "gone")
    assert (len(batch.items), batch.failed) == (2, ())
    assert list(project.iterdir()) == []


def test_an_unknown_id_says_where_to_look(kept: Quarantine) -> None:
    with pytest.raises(QuarantineError, match="quarantine list"):
        kept.get("x")


def test_folders_of_any_depth_are_looked_at(project: Path) -> None:
    here = os.open(project, os.O_RDONLY)
    try:
        for _ in range(300):
            os.mkdir("d", dir_fd=here)
            below = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        os.mkdir(".git", dir_fd=here)
        file = os.open(".git/config", os.O_WRONLY | os.O_CREAT, dir_fd=here)
        os.write(file, b"[core]\npager = x\n")
        os.close(file)
    finally:
        os.close(here)
    assert [one.name for one in take_snapshot([project]).settings] == ["core.pager"]


def test_a_folder_whose_names_nobody_sees_counts_as_acting() -> None:
    """Git reads `.git/config` in a folder that can't be listed: it knows the names."""
    with tempfile.TemporaryDirectory() as name:
        code = f"""
import os
from pathlib import Path
from toolpost.guard.git.repositories import take_snapshot
top = Path({name!r})
for mode, inner in ((0o311, "a"), (0o311, "b/.git"), (0o311, "c/.git/hooks"), (0o000, "d")):
    (top / inner).mkdir(parents=True)
    (top / inner).chmod(mode)
take_snapshot([top])
if os.geteuid() == 0:  # root may read everything
    for folder in (top, *top.rglob("*")):
        os.chown(folder, 65534, 65534)
    os.setuid(65534)
print(sorted({{str(Path(one.path).relative_to(top)) for one in take_snapshot([top]).settings}}))
"""
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
        assert done.stdout == "['a', 'b/.git', 'c/.git/hooks']\n", done.stderr
        for inner in ("a", "b/.git", "c/.git/hooks", "d"):
            (Path(name) / inner).chmod(0o700)


def test_too_much_is_said_and_what_was_not_seen_before_counts_by_its_time(project: Path) -> None:
    for number in range(5):
        (project / f"r{number}" / ".git").mkdir(parents=True)
        config = project / f"r{number}" / ".git" / "config"
        config.write_text("[core]\npager = x\n")
    before = take_snapshot([project], most=1)
    assert not before.complete
    later = type(before)(before.settings, False, before.time + 3_600)
    after = take_snapshot([project])
    assert len(changed_settings(before, after)) == 5
    assert changed_settings(later, after) == []
