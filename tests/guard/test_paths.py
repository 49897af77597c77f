"""Project files: where a path leads, and what can be done there."""

import os
import socket
import stat
from pathlib import Path

import pytest

from toolpost.guard import open_beneath
from toolpost.guard.paths import Changed, FileAccess, Missing, NotAFile, TooLarge, digest
from toolpost.types.errors import PermissionDenied, ToolError


@pytest.fixture(params=["openat2", "walk"])
def project_files(request, tmp_path, monkeypatch):
    """Both ways to stay beneath a folder have to behave alike."""
    if request.param == "walk":
        monkeypatch.setattr(open_beneath, "openat2", lambda: None)
    elif open_beneath.openat2() is None:
        pytest.skip("this kernel has no openat2")
    root = tmp_path / "project"
    root.mkdir()
    return FileAccess(root)


@pytest.fixture
def outside(tmp_path):
    folder = tmp_path / "project-evil"
    folder.mkdir()
    (folder / "canary.txt").write_bytes(b"canary")
    return folder


def names(folder):
    return sorted(entry.name for entry in folder.iterdir())


@pytest.mark.parametrize(
    ("named", "shown"),
    [
        ("a.txt", "a.txt"),
        ("./x//y/../a.txt", "x/a.txt"),
        ("x/../../project/a.txt", "a.txt"),
        (".", "."),
        ("..", None),
        ("../project-evil/canary.txt", None),
        ("//etc/hosts", "/etc/hosts"),
        ("///etc/../etc/hosts", "/etc/hosts"),
    ],
)
def test_a_path_is_shown_in_one_way_however_it_is_spelled(project_files, named, shown):
    place = project_files.resolve(named)
    assert place.inside is (shown is not None and not shown.startswith("/"))
    if shown is not None:
        assert place.shown == shown
    else:
        assert place.shown == str(place.path)


def test_home_is_expanded_and_a_tilde_of_nobody_is_a_name(project_files, monkeypatch):
    monkeypatch.setenv("HOME", str(project_files.root / "home"))
    assert project_files.resolve("~/x").shown == "home/x"
    assert project_files.resolve("~nobody-at-all/x").shown == "~nobody-at-all/x"


def test_a_project_reached_by_a_link_is_still_the_project(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    project_files = FileAccess(tmp_path / "link")
    for named in ("a", str(tmp_path / "link/a"), str(tmp_path / "real/a")):
        place = project_files.resolve(named)
        assert (place.shown, place.target, place.inside) == ("a", "a", True)


def test_a_link_that_stays_inside_is_followed_and_its_target_named(project_files):
    project_files.write(project_files.resolve("deep/a.txt"), b"one", expect="")
    (project_files.root / "link").symlink_to("deep")
    place = project_files.resolve("link/a.txt")
    assert (place.shown, place.target, place.inside) == ("link/a.txt", "deep/a.txt", True)
    assert project_files.read(place, 10) == b"one"
    project_files.write(place, b"two", expect=digest(b"one"))
    assert (project_files.root / "deep/a.txt").read_bytes() == b"two"
    assert (project_files.root / "link").is_symlink()


def test_a_link_that_leaves_is_outside_and_named_by_its_target(project_files, outside):
    (project_files.root / "out").symlink_to(outside)
    (project_files.root / "deep").mkdir()
    (project_files.root / "deep/again").symlink_to("../out/canary.txt")
    for named in ("out/canary.txt", "deep/again"):
        place = project_files.resolve(named)
        assert not place.inside
        assert place.target == str(outside / "canary.txt")


@pytest.mark.parametrize("swapped", ["top", "top/sub"])
def test_a_place_is_opened_where_it_led_when_it_was_judged(project_files, outside, swapped):
    """A link put on the way afterwards ends in an error, whichever part of the path it takes."""
    project_files.write(project_files.resolve("top/sub/canary.txt"), b"mine", expect="")
    place, folder = project_files.resolve("top/sub/canary.txt"), project_files.resolve("top/sub")
    (outside / "sub").mkdir()
    (outside / "sub/canary.txt").write_bytes(b"canary")
    (project_files.root / swapped).rename(project_files.root / "old")
    (project_files.root / swapped).symlink_to(outside)
    for access in (
        lambda: project_files.read(place, 10),
        lambda: project_files.write(place, b"gone", expect=None),
        lambda: project_files.remove(place),
        lambda: project_files.stat(place),
        lambda: project_files.scan(folder),
    ):
        with pytest.raises(ToolError, match="link"):
            access()
    assert {path.read_bytes() for path in outside.rglob("*.txt")} == {b"canary"}
    assert len(list(outside.rglob("*"))) == 3


def test_a_file_that_became_a_link_is_not_opened_nor_replaced(project_files, outside):
    project_files.write(project_files.resolve("a.txt"), b"mine", expect="")
    place = project_files.resolve("a.txt")
    (project_files.root / "a.txt").unlink()
    (project_files.root / "a.txt").symlink_to(outside / "canary.txt")
    with pytest.raises(ToolError, match="link"):
        project_files.read(place, 10)
    with pytest.raises(ToolError, match="link"):
        project_files.write(place, b"gone", expect=None)
    assert (outside / "canary.txt").read_bytes() == b"canary"
    assert (project_files.root / "a.txt").is_symlink()


def test_magic_links_are_settled_by_name_and_never_followed(project_files):
    place = project_files.resolve(f"/proc/self/root{project_files.root}/a.txt")
    assert (place.inside, place.target) == (True, "a.txt")
    held = os.open(project_files.root, os.O_RDONLY)
    try:
        assert project_files.resolve(f"/proc/self/fd/{held}/a.txt").real == project_files.root / "a.txt"
    finally:
        os.close(held)
    assert not project_files.resolve("/proc/self/exe").inside


def test_links_in_a_circle_are_refused(project_files):
    (project_files.root / "a").symlink_to("b")
    (project_files.root / "b").symlink_to("a")
    with pytest.raises(ToolError):
        project_files.read(project_files.resolve("a"), 10)


@pytest.mark.parametrize("name", ["a\0b", "a\nb", "a\x1b[2J", "a\x9bb", "a\u202eb", "a\ud800b", "", "x/" * 3_000])
def test_what_is_no_path_is_refused_at_once(project_files, name):
    with pytest.raises(ToolError) as refused:
        project_files.resolve(name)
    assert refused.value.kind == "invalid"
    assert len(str(refused.value)) < 500


def test_a_name_that_is_too_long_is_an_error_that_says_so(project_files):
    with pytest.raises(ToolError, match="too long"):
        project_files.write(project_files.resolve("x" * 300), b"", expect=None)


def test_odd_names_are_names(project_files):
    for name in ("...", "a.", "a ", " a", "COM1", "a\\b", "%2e%2e", "e\u0301", "\u00e9", "．．", "-rf", "*"):
        place = project_files.resolve(name)
        assert place.inside
        project_files.write(place, name.encode(), expect="")
        assert project_files.read(place, 100) == name.encode()
    assert len(names(project_files.root)) == 12


def test_pipes_devices_sockets_and_folders_are_refused_without_waiting(project_files):
    os.mkfifo(project_files.root / "pipe")
    (project_files.root / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(project_files.root / "socket"))
        for name, kind in (("pipe", "named pipe"), ("socket", "socket"), ("folder", "folder"), ("/dev/zero", "device")):
            with pytest.raises(NotAFile, match=kind):
                project_files.open(project_files.resolve(name))
            with pytest.raises(NotAFile, match=kind):
                project_files.write(project_files.resolve(name), b"", expect=None)


def test_a_missing_file_and_a_file_in_the_way_are_told_apart(project_files):
    project_files.write(project_files.resolve("file"), b"", expect="")
    with pytest.raises(Missing):
        project_files.read(project_files.resolve("nothing/here"), 10)
    with pytest.raises(ToolError, match="not a folder"):
        project_files.read(project_files.resolve("file/below"), 10)
    assert project_files.stat(project_files.resolve("nothing")) is None


def test_a_read_over_the_limit_is_refused_with_both_sizes(project_files):
    project_files.write(project_files.resolve("a"), b"x" * 11, expect="")
    with pytest.raises(TooLarge, match=r"11 bytes, and 10"):
        project_files.read(project_files.resolve("a"), 10)
    assert len(project_files.read(project_files.resolve("a"), 11)) == 11


def test_a_file_that_hides_its_size_is_bounded_too(project_files):
    with pytest.raises(TooLarge):
        project_files.read(project_files.resolve("/proc/cpuinfo"), 10)


def test_a_write_expects_what_it_replaces(project_files):
    place = project_files.resolve("a")
    project_files.write(place, b"1", expect="")
    with pytest.raises(Changed):
        project_files.write(place, b"2", expect="")
    with pytest.raises(Changed):
        project_files.write(place, b"2", expect=digest(b"other"))
    with pytest.raises(Changed):
        project_files.remove(place, expect=digest(b"other"))
    assert project_files.read(place, 10) == b"1"
    project_files.write(place, b"2", expect=digest(b"1"))
    with pytest.raises(Changed):
        project_files.write(project_files.resolve("b"), b"2", expect=digest(b"1"))
    project_files.remove(place, expect=digest(b"2"))
    assert names(project_files.root) == []


def test_a_failed_write_leaves_nothing_behind(project_files):
    def pieces():
        yield b"half"
        raise RuntimeError("the source broke")

    project_files.write(project_files.resolve("a"), b"whole", expect="")
    with pytest.raises(RuntimeError):
        project_files.write(project_files.resolve("a"), pieces(), expect=None)
    assert names(project_files.root) == ["a"]
    assert project_files.read(project_files.resolve("a"), 10) == b"whole"


def test_mode_bits_are_kept_and_new_files_follow_the_umask(project_files):
    place = project_files.resolve("run.sh")
    before = os.umask(0o027)
    try:
        project_files.write(place, b"1", expect="")
        assert stat.S_IMODE(place.real.stat().st_mode) == 0o640
        for mode in (0o755, 0o600, 0o711):
            place.real.chmod(mode)
            project_files.write(place, b"2", expect=None)
            assert stat.S_IMODE(place.real.stat().st_mode) == mode
        project_files.write(project_files.resolve("new"), b"", expect="", mode=0o700)
        assert stat.S_IMODE((project_files.root / "new").stat().st_mode) == 0o700
    finally:
        os.umask(before)


def test_a_file_that_was_replaced_runs_as_nobody_else(project_files):
    """Who edits a program decides what it does, and must not do it with the rights of its owner."""
    path = project_files.root / "program"
    path.write_bytes(b"old")
    path.chmod(0o6755)
    project_files.write(project_files.resolve("program"), b"new", expect=None)
    assert path.stat().st_mode & 0o7777 == 0o755


def test_extended_attributes_are_kept(project_files):
    path = project_files.root / "a.txt"
    path.write_bytes(b"old")
    try:
        os.setxattr(path, "user.note", b"kept")
    except OSError:
        pytest.skip("this file system has none")
    project_files.write(project_files.resolve("a.txt"), b"new", expect=None)
    assert os.getxattr(path, "user.note") == b"kept"


def test_a_read_only_file_is_not_replaced(project_files):
    project_files.write(project_files.resolve("a"), b"1", expect="", mode=0o444)
    with pytest.raises(ToolError, match="read-only"):
        project_files.write(project_files.resolve("a"), b"2", expect=None)
    assert project_files.read(project_files.resolve("a"), 10) == b"1"


def test_a_hard_link_elsewhere_keeps_the_old_content(project_files, outside):
    os.link(outside / "canary.txt", project_files.root / "a")
    project_files.write(project_files.resolve("a"), b"new", expect=None)
    assert (outside / "canary.txt").read_bytes() == b"canary"


def test_a_secret_is_never_written_or_removed(project_files):
    (project_files.root / ".env").write_bytes(b"KEY=1")
    (project_files.root / "harmless").symlink_to(".env")
    for name in (".env", "harmless", ".ENV", ".ssh/config"):
        with pytest.raises(PermissionDenied):
            project_files.write(project_files.resolve(name), b"", expect=None)
    with pytest.raises(PermissionDenied):
        project_files.remove(project_files.resolve("harmless"))
    assert (project_files.root / ".env").read_bytes() == b"KEY=1"


def test_a_scan_names_what_is_there_by_kind(project_files):
    (project_files.root / "b").mkdir()
    (project_files.root / "a").write_bytes(b"")
    (project_files.root / "c").symlink_to("b")
    os.mkfifo(project_files.root / "d")
    found = [(entry.name, entry.kind) for entry in project_files.scan(project_files.resolve("."))]
    assert found == [("a", "file"), ("b", "folder"), ("c", "link"), ("d", "other")]


def test_no_descriptor_is_left_open(project_files, outside):
    (project_files.root / "out").symlink_to(outside)
    os.mkfifo(project_files.root / "pipe")
    before = len(names(Path("/proc/self/fd")))
    for name in ("a/b/c", "pipe", "out/canary.txt", "a", ".", "x" * 300, "/dev/null"):
        for access in (
            lambda place: project_files.write(place, b"", expect=""),
            lambda place: project_files.read(place, 5),
            project_files.scan,
            project_files.stat,
            project_files.remove,
        ):
            try:
                access(project_files.resolve(name))
            except ToolError:
                continue
    assert len(names(Path("/proc/self/fd"))) == before


def test_folders_on_the_way_are_made_and_an_empty_one_can_go(project_files):
    project_files.write(project_files.resolve("a/b/c.txt"), b"1", expect="")
    with pytest.raises(ToolError, match="not empty"):
        project_files.remove_folder(project_files.resolve("a/b"))
    project_files.remove(project_files.resolve("a/b/c.txt"))
    project_files.remove_folder(project_files.resolve("a/b"))
    assert names(project_files.root / "a") == []


def test_what_the_system_tells_of_processes_is_secret_wherever_the_project_begins(tmp_path):
    (tmp_path / "link").symlink_to("/proc/self/environ")
    for root in ("/", "/proc", tmp_path):
        project_files = FileAccess(Path(root))
        assert project_files.resolve("/proc/self/environ").secret
        assert project_files.resolve(str(tmp_path / "link")).secret
        assert not project_files.resolve("/proc/cpuinfo").secret


def test_a_name_in_the_project_that_leads_out_says_so(project_files, outside):
    (project_files.root / "link").symlink_to(outside)
    (project_files.root / "loop").symlink_to(".")
    (outside / "back").symlink_to(project_files.root)
    assert project_files.resolve("link/canary.txt").leads_out
    assert not project_files.resolve("loop/a.txt").leads_out
    assert not project_files.resolve(str(outside / "canary.txt")).leads_out
    assert not project_files.resolve(str(outside / "back")).leads_out
