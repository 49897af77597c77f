"""The ground: where a path leads, and what can be done there."""

import os
import socket
import stat
from pathlib import Path

import pytest

from toolpost.guard import open_beneath
from toolpost.guard.paths import Changed, Ground, Missing, NotAFile, TooLarge, digest
from toolpost.types.errors import PermissionDenied, ToolError


@pytest.fixture(params=["openat2", "walk"])
def ground(request, tmp_path, monkeypatch):
    """Both ways to stay beneath a folder have to behave alike."""
    if request.param == "walk":
        monkeypatch.setattr(open_beneath, "openat2", lambda: None)
    elif open_beneath.openat2() is None:
        pytest.skip("this kernel has no openat2")
    root = tmp_path / "project"
    root.mkdir()
    return Ground(root)


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
def test_a_path_is_shown_in_one_way_however_it_is_spelled(ground, named, shown):
    place = ground.place(named)
    assert place.inside is (shown is not None and not shown.startswith("/"))
    if shown is not None:
        assert place.shown == shown
    else:
        assert place.shown == str(place.path)


def test_home_is_expanded_and_a_tilde_of_nobody_is_a_name(ground, monkeypatch):
    monkeypatch.setenv("HOME", str(ground.root / "home"))
    assert ground.place("~/x").shown == "home/x"
    assert ground.place("~nobody-at-all/x").shown == "~nobody-at-all/x"


def test_a_project_reached_by_a_link_is_still_the_project(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    ground = Ground(tmp_path / "link")
    for named in ("a", str(tmp_path / "link/a"), str(tmp_path / "real/a")):
        place = ground.place(named)
        assert (place.shown, place.target, place.inside) == ("a", "a", True)


def test_a_link_that_stays_inside_is_followed_and_its_target_named(ground):
    ground.write(ground.place("deep/a.txt"), b"one", expect="")
    (ground.root / "link").symlink_to("deep")
    place = ground.place("link/a.txt")
    assert (place.shown, place.target, place.inside) == ("link/a.txt", "deep/a.txt", True)
    assert ground.read(place, 10) == b"one"
    ground.write(place, b"two", expect=digest(b"one"))
    assert (ground.root / "deep/a.txt").read_bytes() == b"two"
    assert (ground.root / "link").is_symlink()


def test_a_link_that_leaves_is_outside_and_named_by_its_target(ground, outside):
    (ground.root / "out").symlink_to(outside)
    (ground.root / "deep").mkdir()
    (ground.root / "deep/again").symlink_to("../out/canary.txt")
    for named in ("out/canary.txt", "deep/again"):
        place = ground.place(named)
        assert not place.inside
        assert place.target == str(outside / "canary.txt")


@pytest.mark.parametrize("swapped", ["top", "top/sub"])
def test_a_place_is_opened_where_it_led_when_it_was_judged(ground, outside, swapped):
    """A link put on the way afterwards ends in an error, whichever part of the path it takes."""
    ground.write(ground.place("top/sub/canary.txt"), b"mine", expect="")
    place, folder = ground.place("top/sub/canary.txt"), ground.place("top/sub")
    (outside / "sub").mkdir()
    (outside / "sub/canary.txt").write_bytes(b"canary")
    (ground.root / swapped).rename(ground.root / "old")
    (ground.root / swapped).symlink_to(outside)
    for access in (
        lambda: ground.read(place, 10),
        lambda: ground.write(place, b"gone", expect=None),
        lambda: ground.remove(place),
        lambda: ground.stat(place),
        lambda: ground.scan(folder),
    ):
        with pytest.raises(ToolError, match="link"):
            access()
    assert {path.read_bytes() for path in outside.rglob("*.txt")} == {b"canary"}
    assert len(list(outside.rglob("*"))) == 3


def test_a_file_that_became_a_link_is_not_opened_nor_replaced(ground, outside):
    ground.write(ground.place("a.txt"), b"mine", expect="")
    place = ground.place("a.txt")
    (ground.root / "a.txt").unlink()
    (ground.root / "a.txt").symlink_to(outside / "canary.txt")
    with pytest.raises(ToolError, match="link"):
        ground.read(place, 10)
    with pytest.raises(ToolError, match="link"):
        ground.write(place, b"gone", expect=None)
    assert (outside / "canary.txt").read_bytes() == b"canary"
    assert (ground.root / "a.txt").is_symlink()


def test_magic_links_are_settled_by_name_and_never_followed(ground):
    place = ground.place(f"/proc/self/root{ground.root}/a.txt")
    assert (place.inside, place.target) == (True, "a.txt")
    held = os.open(ground.root, os.O_RDONLY)
    try:
        assert ground.place(f"/proc/self/fd/{held}/a.txt").real == ground.root / "a.txt"
    finally:
        os.close(held)
    assert not ground.place("/proc/self/exe").inside


def test_links_in_a_circle_are_refused(ground):
    (ground.root / "a").symlink_to("b")
    (ground.root / "b").symlink_to("a")
    with pytest.raises(ToolError):
        ground.read(ground.place("a"), 10)


@pytest.mark.parametrize("name", ["a\0b", "a\nb", "a\x1b[2J", "a\x9bb", "a\u202eb", "a\ud800b", "", "x/" * 3_000])
def test_what_is_no_path_is_refused_at_once(ground, name):
    with pytest.raises(ToolError) as refused:
        ground.place(name)
    assert refused.value.kind == "invalid"
    assert len(str(refused.value)) < 500


def test_a_name_that_is_too_long_is_an_error_that_says_so(ground):
    with pytest.raises(ToolError, match="too long"):
        ground.write(ground.place("x" * 300), b"", expect=None)


def test_odd_names_are_names(ground):
    for name in ("...", "a.", "a ", " a", "COM1", "a\\b", "%2e%2e", "e\u0301", "\u00e9", "．．", "-rf", "*"):
        place = ground.place(name)
        assert place.inside
        ground.write(place, name.encode(), expect="")
        assert ground.read(place, 100) == name.encode()
    assert len(names(ground.root)) == 12


def test_pipes_devices_sockets_and_folders_are_refused_without_waiting(ground):
    os.mkfifo(ground.root / "pipe")
    (ground.root / "folder").mkdir()
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(ground.root / "socket"))
        for name, kind in (("pipe", "named pipe"), ("socket", "socket"), ("folder", "folder"), ("/dev/zero", "device")):
            with pytest.raises(NotAFile, match=kind):
                ground.open(ground.place(name))
            with pytest.raises(NotAFile, match=kind):
                ground.write(ground.place(name), b"", expect=None)


def test_a_missing_file_and_a_file_in_the_way_are_told_apart(ground):
    ground.write(ground.place("file"), b"", expect="")
    with pytest.raises(Missing):
        ground.read(ground.place("nothing/here"), 10)
    with pytest.raises(ToolError, match="no folder"):
        ground.read(ground.place("file/below"), 10)
    assert ground.stat(ground.place("nothing")) is None


def test_a_read_over_the_limit_is_refused_with_both_sizes(ground):
    ground.write(ground.place("a"), b"x" * 11, expect="")
    with pytest.raises(TooLarge, match=r"11 bytes, and 10"):
        ground.read(ground.place("a"), 10)
    assert len(ground.read(ground.place("a"), 11)) == 11


def test_a_file_that_hides_its_size_is_bounded_too(ground):
    with pytest.raises(TooLarge):
        ground.read(ground.place("/proc/cpuinfo"), 10)


def test_a_write_expects_what_it_replaces(ground):
    place = ground.place("a")
    ground.write(place, b"1", expect="")
    with pytest.raises(Changed):
        ground.write(place, b"2", expect="")
    with pytest.raises(Changed):
        ground.write(place, b"2", expect=digest(b"other"))
    with pytest.raises(Changed):
        ground.remove(place, expect=digest(b"other"))
    assert ground.read(place, 10) == b"1"
    ground.write(place, b"2", expect=digest(b"1"))
    with pytest.raises(Changed):
        ground.write(ground.place("b"), b"2", expect=digest(b"1"))
    ground.remove(place, expect=digest(b"2"))
    assert names(ground.root) == []


def test_a_failed_write_leaves_nothing_behind(ground):
    def pieces():
        yield b"half"
        raise RuntimeError("the source broke")

    ground.write(ground.place("a"), b"whole", expect="")
    with pytest.raises(RuntimeError):
        ground.write(ground.place("a"), pieces(), expect=None)
    assert names(ground.root) == ["a"]
    assert ground.read(ground.place("a"), 10) == b"whole"


def test_mode_bits_are_kept_and_new_files_follow_the_umask(ground):
    place = ground.place("run.sh")
    before = os.umask(0o027)
    try:
        ground.write(place, b"1", expect="")
        assert stat.S_IMODE(place.real.stat().st_mode) == 0o640
        for mode in (0o755, 0o600, 0o711):
            place.real.chmod(mode)
            ground.write(place, b"2", expect=None)
            assert stat.S_IMODE(place.real.stat().st_mode) == mode
        ground.write(ground.place("new"), b"", expect="", mode=0o700)
        assert stat.S_IMODE((ground.root / "new").stat().st_mode) == 0o700
    finally:
        os.umask(before)


def test_a_file_that_was_replaced_runs_as_nobody_else(ground):
    """Who edits a program decides what it does, and must not do it with the rights of its owner."""
    path = ground.root / "program"
    path.write_bytes(b"old")
    path.chmod(0o6755)
    ground.write(ground.place("program"), b"new", expect=None)
    assert path.stat().st_mode & 0o7777 == 0o755


def test_extended_attributes_are_kept(ground):
    path = ground.root / "a.txt"
    path.write_bytes(b"old")
    try:
        os.setxattr(path, "user.note", b"kept")
    except OSError:
        pytest.skip("this file system has none")
    ground.write(ground.place("a.txt"), b"new", expect=None)
    assert os.getxattr(path, "user.note") == b"kept"


def test_a_read_only_file_is_not_replaced(ground):
    ground.write(ground.place("a"), b"1", expect="", mode=0o444)
    with pytest.raises(ToolError, match="read-only"):
        ground.write(ground.place("a"), b"2", expect=None)
    assert ground.read(ground.place("a"), 10) == b"1"


def test_a_hard_link_elsewhere_keeps_the_old_content(ground, outside):
    os.link(outside / "canary.txt", ground.root / "a")
    ground.write(ground.place("a"), b"new", expect=None)
    assert (outside / "canary.txt").read_bytes() == b"canary"


def test_a_secret_is_never_written_or_removed(ground):
    (ground.root / ".env").write_bytes(b"KEY=1")
    (ground.root / "harmless").symlink_to(".env")
    for name in (".env", "harmless", ".ENV", ".ssh/config"):
        with pytest.raises(PermissionDenied):
            ground.write(ground.place(name), b"", expect=None)
    with pytest.raises(PermissionDenied):
        ground.remove(ground.place("harmless"))
    assert (ground.root / ".env").read_bytes() == b"KEY=1"


def test_a_scan_names_what_is_there_by_kind(ground):
    (ground.root / "b").mkdir()
    (ground.root / "a").write_bytes(b"")
    (ground.root / "c").symlink_to("b")
    os.mkfifo(ground.root / "d")
    found = [(entry.name, entry.kind) for entry in ground.scan(ground.place("."))]
    assert found == [("a", "file"), ("b", "folder"), ("c", "link"), ("d", "other")]


def test_no_descriptor_is_left_open(ground, outside):
    (ground.root / "out").symlink_to(outside)
    os.mkfifo(ground.root / "pipe")
    before = len(names(Path("/proc/self/fd")))
    for name in ("a/b/c", "pipe", "out/canary.txt", "a", ".", "x" * 300, "/dev/null"):
        for access in (
            lambda place: ground.write(place, b"", expect=""),
            lambda place: ground.read(place, 5),
            ground.scan,
            ground.stat,
            ground.remove,
        ):
            try:
                access(ground.place(name))
            except ToolError:
                continue
    assert len(names(Path("/proc/self/fd"))) == before


def test_folders_on_the_way_are_made_and_an_empty_one_can_go(ground):
    ground.write(ground.place("a/b/c.txt"), b"1", expect="")
    with pytest.raises(ToolError, match="not empty"):
        ground.remove_folder(ground.place("a/b"))
    ground.remove(ground.place("a/b/c.txt"))
    ground.remove_folder(ground.place("a/b"))
    assert names(ground.root / "a") == []


def test_what_the_system_tells_of_processes_is_secret_wherever_the_project_begins(tmp_path):
    (tmp_path / "link").symlink_to("/proc/self/environ")
    for root in ("/", "/proc", tmp_path):
        ground = Ground(Path(root))
        assert ground.place("/proc/self/environ").secret
        assert ground.place(str(tmp_path / "link")).secret
        assert not ground.place("/proc/cpuinfo").secret


def test_a_name_in_the_project_that_leads_out_says_so(ground, outside):
    (ground.root / "link").symlink_to(outside)
    (ground.root / "loop").symlink_to(".")
    (outside / "back").symlink_to(ground.root)
    assert ground.place("link/canary.txt").leads_out
    assert not ground.place("loop/a.txt").leads_out
    assert not ground.place(str(outside / "canary.txt")).leads_out
    assert not ground.place(str(outside / "back")).leads_out
