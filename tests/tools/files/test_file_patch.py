"""`apply_patch`: both forms, several files, all or nothing."""

import os
import resource

import pytest
from file_desk import Desk
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolpost.types.errors import PermissionDenied, ToolError


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


def envelope(*lines):
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch"))


async def test_files_are_added_updated_moved_and_deleted_in_one_go(desk):
    desk.put("old.txt", "one\ntwo\nthree\n").chmod(0o755)
    desk.put("gone.txt", "x\n")
    desk.put("kept.txt", "a\nb\n")
    patch = envelope(
        *("*** Add File: new/a.txt", "+hello", "+", "+world"),
        *("*** Update File: old.txt", "*** Move to: moved/new.txt", "@@", " one", "-two", "+TWO"),
        "*** Delete File: gone.txt",
        *("*** Update File: kept.txt", "@@", " b", "+c", "*** End of File"),
    )
    said = await desk.say("apply_patch", patch=patch)
    assert desk.snapshot() == {
        "kept.txt": b"a\nb\nc\n",
        "moved": None,
        "moved/new.txt": b"one\nTWO\nthree\n",
        "new": None,
        "new/a.txt": b"hello\n\nworld\n",
    }
    assert "Added new/a.txt (+3 -0)" in said
    assert "Deleted gone.txt (+0 -1)" in said
    assert (desk.root / "moved/new.txt").stat().st_mode & 0o777 == 0o755
    assert {shown for shown, *_ in desk.recorded} == {"new/a.txt", "old.txt", "moved/new.txt", "gone.txt", "kept.txt"}


async def test_a_unified_diff_is_taken_too(desk):
    desk.put("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
    desk.put("b.txt", "x\n")
    desk.put("c.txt", "same\n")
    patch = """\
```diff
diff --git a/a.txt b/a.txt
index 1..2 100644
--- a/a.txt
+++ b/a.txt\t2024-01-01
@@ -1,3 +1,3 @@ context
 1
-2
+two
 3
@@ -7,3 +7,4 @@
 7
 8
-9
+nine
+ten
diff --git a/b.txt b/b.txt
deleted file mode 100644
--- a/b.txt
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/c.txt b/d.txt
similarity index 100%
rename from c.txt
rename to d.txt
--- /dev/null
+++ b/new.txt
@@ -0,0 +1,2 @@
+-- not a header
+end
\\ No newline at end of file
```
"""
    await desk.call("apply_patch", patch=patch)
    assert desk.snapshot() == {
        "a.txt": b"1\ntwo\n3\n4\n5\n6\n7\n8\nnine\nten\n",
        "d.txt": b"same\n",
        "new.txt": b"-- not a header\nend",
    }


async def test_the_line_of_a_hunk_tells_equal_places_apart(desk):
    desk.put("a.txt", "x\nsame\ny\n" * 5)
    await desk.call("apply_patch", patch="--- a.txt\n+++ a.txt\n@@ -10,3 +10,3 @@\n x\n-same\n+HERE\n y\n")
    assert desk.get("a.txt").decode() == "x\nsame\ny\n" * 3 + "x\nHERE\ny\n" + "x\nsame\ny\n"


async def test_a_header_tells_equal_places_apart_and_without_one_it_is_refused(desk):
    desk.put("a.py", "class A:\n    def f(self):\n        return 1\n\nclass B:\n    def f(self):\n        return 1\n")
    hunk = ("-        return 1", "+        return 2")
    with pytest.raises(ToolError, match="2 times, at lines 3, 7"):
        await desk.call("apply_patch", patch=envelope("*** Update File: a.py", "@@", *hunk))
    await desk.call("apply_patch", patch=envelope("*** Update File: a.py", "@@ class B:", "@@ def f", *hunk))
    assert desk.get("a.py").decode().endswith("class B:\n    def f(self):\n        return 2\n")
    assert desk.get("a.py").decode().count("return 1") == 1


async def test_line_ends_byte_order_mark_and_encoding_are_kept(desk):
    desk.put("crlf.txt", b"one\r\ntwo\r\nthree")
    desk.put("bom.txt", b"\xef\xbb\xbfone\n")
    desk.put("wide.txt", "eins\r\nzwei\r\n".encode("utf-16"))
    patch = envelope(
        *("*** Update File: crlf.txt", "@@", "-two", "+TWO", "+2", " three", "+four"),
        *("*** Update File: bom.txt", "@@", "-one", "+ONE"),
        *("*** Update File: wide.txt", "@@", " eins", "+ä", " zwei"),
    )
    await desk.call("apply_patch", patch=patch)
    assert desk.get("crlf.txt") == b"one\r\nTWO\r\n2\r\nthree\r\nfour"
    assert desk.get("bom.txt") == b"\xef\xbb\xbfONE\n"
    assert desk.get("wide.txt") == "eins\r\nä\r\nzwei\r\n".encode("utf-16")


async def test_lines_of_context_are_forgiven_and_kept_as_they_are(desk):
    desk.put("a.py", "def f():\n\tfirst()   \n\tsecond()\n\tthird()\n")
    patch = envelope("*** Update File: a.py", "@@", " first()", "-second()", "+SECOND()", " third()")
    await desk.call("apply_patch", patch=patch)
    assert desk.get("a.py") == b"def f():\n\tfirst()   \n\tSECOND()\n\tthird()\n"


async def test_hunks_may_come_in_any_order(desk):
    desk.put("a.py", "def a():\n    return 1\n\n\ndef b():\n    return 1\n\n\nlast = 1\n")
    hunks = ("@@", "-last = 1", "+last = 2", "@@ def b():", "-    return 1", "+    return 3")
    more = ("@@ def a():", "-    return 1", "+    return 4")
    await desk.call("apply_patch", patch=envelope("*** Update File: a.py", *hunks, *more))
    assert desk.get("a.py") == b"def a():\n    return 4\n\n\ndef b():\n    return 3\n\n\nlast = 2\n"


async def test_what_git_says_of_names_and_modes_is_understood(desk):
    """As `git diff` writes them: names that are no ASCII in quotes, and a new file that can be run."""
    desk.put("ä ö.txt", "eins\n")
    patch = """diff --git "a/\\303\\244 \\303\\266.txt" "b/\\303\\244 \\303\\266.txt"
index 5f51113..5ee7f22 100644
--- "a/\\303\\244 \\303\\266.txt"\t
+++ "b/\\303\\244 \\303\\266.txt"\t
@@ -1 +1 @@
-eins
+zwei
diff --git a/run.sh b/run.sh
new file mode 100755
--- /dev/null
+++ b/run.sh
@@ -0,0 +1 @@
+#!/bin/sh
"""
    await desk.call("apply_patch", patch=patch)
    assert desk.get("ä ö.txt") == b"zwei\n"
    assert (desk.root / "run.sh").stat().st_mode & 0o777 == 0o755


@pytest.mark.parametrize("hunk", ["", "--- a/a.txt\n+++ b/b.txt\n@@ -1 +1 @@\n-one\n+two\n"])
async def test_a_copy_is_not_taken_for_a_move(desk, hunk):
    desk.put("a.txt", "one\n")
    patch = f"diff --git a/a.txt b/b.txt\nsimilarity index 50%\ncopy from a.txt\ncopy to b.txt\n{hunk}"
    with pytest.raises(ToolError, match="copy"):
        await desk.call("apply_patch", patch=patch)
    assert desk.snapshot() == {"a.txt": b"one\n"}


@pytest.mark.parametrize("lines", [("*** Delete File: link",), ("*** Update File: link", "*** Move to: b.txt")])
async def test_a_link_is_not_deleted_or_moved_in_place_of_its_target(desk, lines):
    desk.put("a.txt", "one\n")
    (desk.root / "link").symlink_to("a.txt")
    with pytest.raises(ToolError, match=r"link is a link to a\.txt"):
        await desk.call("apply_patch", patch=envelope(*lines))
    assert set(desk.snapshot()) == {"a.txt", "link"}


async def test_the_same_file_may_be_patched_twice(desk):
    desk.put("a.txt", "one\ntwo\n")
    patch = envelope(
        *("*** Update File: a.txt", "@@", "-one", "+1"), *("*** Update File: a.txt", "@@", " 1", "-two", "+2")
    )
    await desk.call("apply_patch", patch=patch)
    assert desk.get("a.txt") == b"1\n2\n"
    assert len(desk.recorded) == 1


@pytest.mark.parametrize(
    ("patch", "why"),
    [
        ("no patch at all", "no change in the patch"),
        ("*** Begin Patch\n*** Add File: a.txt\n+x", "cut off"),
        (envelope("*** Rename File: a.txt"), "begins no change"),
        (envelope("*** Update File: a.txt"), "no lines that change"),
        (envelope("*** Update File: a.txt", "@@", "bad line"), "begins neither"),
        (envelope("*** Add File: b.txt", "no plus"), "begins with +"),
        (envelope("*** Update File: a.txt", "@@", "-missing", "+x"), "not found"),
        (envelope("*** Update File: a.txt", "@@ nowhere", "-one", "+x"), "no line"),
        (envelope("*** Add File: a.txt", "+x"), "exists already"),
        (envelope("*** Update File: a.txt", "*** Move to: other.txt", "@@", "-one", "+x"), "exists already"),
        (envelope("*** Delete File: none.txt"), "does not exist"),
        (envelope("*** Update File: a.txt", "@@", " one"), "changes nothing"),
        ("@@ -1 +1 @@\n-one\n+x", "file's name"),
        ("diff --git a/a.txt b/a.txt\nGIT binary patch\nxyz", "binary"),
        ("--- a/a.txt\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n", "holds more|not found"),
    ],
)
async def test_a_patch_that_does_not_fit_changes_nothing(desk, patch, why):
    desk.put("a.txt", "one\ntwo\nthree\n")
    desk.put("other.txt", "other\n")
    before = desk.snapshot()
    with pytest.raises(ToolError, match=why):
        await desk.call("apply_patch", patch=patch)
    assert desk.snapshot() == before
    assert desk.recorded == []


async def test_every_path_is_asked_the_target_of_a_move_too(desk, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    desk.put("a.txt", "one\n")
    patch = envelope("*** Update File: a.txt", f"*** Move to: {other}/b.txt", "@@", "-one", "+x")
    assert list(desk.tools["apply_patch"].patterns({"patch": patch})) == ["a.txt", f"{other}/b.txt"]
    desk.denied = {"external_directory"}
    with pytest.raises(PermissionDenied):
        await desk.call("apply_patch", patch=patch)
    assert desk.get("a.txt") == b"one\n"
    assert list(other.iterdir()) == []


async def test_one_secret_among_the_files_stops_all(desk):
    desk.put("a.txt", "one\n")
    with pytest.raises(PermissionDenied):
        await desk.call("apply_patch", patch=envelope("*** Delete File: a.txt", "*** Add File: .env", "+KEY=1"))
    assert desk.snapshot() == {"a.txt": b"one\n"}


async def test_a_file_changed_since_it_was_read_stops_all(desk):
    desk.put("a.txt", "one\n")
    desk.put("b.txt", "one\n")
    await desk.call("read", path="b.txt")
    desk.put("b.txt", "one\ntwo\n")
    patch = envelope("*** Delete File: a.txt", "*** Update File: b.txt", "@@", "-one", "+1")
    with pytest.raises(ToolError, match=r"(?s)changed by another program.*\+two"):
        await desk.call("apply_patch", patch=patch)
    assert desk.snapshot() == {"a.txt": b"one\n", "b.txt": b"one\ntwo\n"}


NAMES = ("a.txt", "b.txt", "sub/c.txt", "d.txt")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.permutations(NAMES),
    st.lists(st.sampled_from(("update", "delete", "add", "move")), min_size=4, max_size=4),
    st.integers(0, 3),
)
async def test_a_patch_that_fails_half_way_is_taken_back(tmp_path_factory, order, kinds, broken):
    """The last look at a file finds it changed, after all were checked: what was written by then comes back."""
    desk = Desk(tmp_path_factory.mktemp("project"))
    lines = []
    for name, kind in zip(order, kinds, strict=True):
        if kind != "add":
            desk.put(name, f"{name}\n").chmod(0o750)
        move = [f"*** Move to: moved/{name}"] if kind == "move" else []
        verb = {"add": "Add", "delete": "Delete"}.get(kind, "Update")
        body = {"add": ["+new"], "delete": []}.get(kind, ["@@", f"-{name}", "+changed"])
        lines += [f"*** {verb} File: {name}", *move, *body]
    victim = desk.root / order[broken]
    before = {}

    class Meddler:
        calls = 0

        async def record(self, ctx, step):
            """Somebody else writes one of the files when everything has been checked."""
            self.calls += 1
            if step.place.real == victim:
                victim.parent.mkdir(exist_ok=True)
                victim.write_bytes(b"foreign")
                victim.chmod(0o750)
                before.update(desk.snapshot())

    desk.bench.changes = Meddler()
    with pytest.raises(ToolError, match="nothing was written"):
        await desk.call("apply_patch", patch=envelope(*lines))
    assert victim.read_bytes() == b"foreign"
    assert desk.snapshot() == before
    for name in (name for name, content in before.items() if content is not None):
        assert (desk.root / name).stat().st_mode & 0o777 == 0o750


async def test_a_file_system_that_says_no_half_way_leaves_all_as_it_was(desk):
    desk.put("a.txt", "one\n")
    (desk.root / "blocked").mkdir()
    os.mkfifo(desk.root / "blocked/pipe")
    patch = envelope(
        *("*** Update File: a.txt", "@@", "-one", "+1"),
        *("*** Add File: new/deep/b.txt", "+x"),
        *("*** Add File: a.txt/below", "+x"),
    )
    with pytest.raises(ToolError):
        await desk.call("apply_patch", patch=patch)
    assert desk.get("a.txt") == b"one\n"
    assert not (desk.root / "new").exists()


async def test_a_disk_that_takes_no_more_half_way_leaves_all_as_it_was(desk):
    desk.put("a.txt", "one\n").chmod(0o640)
    desk.put("z.txt", "gone\n")
    patch = envelope(
        *("*** Update File: a.txt", "@@", "-one", "+1"),
        *("*** Add File: new/deep/b.txt", f"+{'x' * 10_000}"),
        *("*** Delete File: z.txt",),
    )
    before = desk.snapshot()
    desk.bench.changes = None
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, hard))
    try:
        with pytest.raises(ToolError, match="too large"):
            await desk.call("apply_patch", patch=patch)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert desk.snapshot() == before
    assert (desk.root / "a.txt").stat().st_mode & 0o777 == 0o640
