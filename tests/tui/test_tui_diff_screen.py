"""Diffs on the whole screen: layouts, changes, files, search, the whole file and copying."""

import pytest
from dialog_play import DialogApp, look, screen_text

from toolpost.control.contract import ChangedFileDiff
from toolpost.tui.dialogs.diff_screen import DiffScreen, changed_files, preview_files, unified_text
from toolpost.types.errors import ConfigError
from toolpost.view.approvals import DiffPreview
from toolpost.view.diff import compare_texts, read_diff, read_patch

OLD = "".join(f"line {at}\n" for at in range(1, 101))
NEW = OLD.replace("line 20\n", "line twenty\n").replace("line 80\n", "").replace("line 99\n", "[red]99[/]\x1b[2J\n")
DIFF = """@@ -18,5 +18,5 @@ def first
 line 18
 line 19
-line 20
+line twenty
 line 21
 line 22
@@ -79,3 +79,2 @@
 line 79
-line 80
 line 81
"""
CHANGES = [
    ChangedFileDiff("src/a.py", diff=DIFF),
    ChangedFileDiff("src/文件.py", "added", diff="@@ -0,0 +1,2 @@\n+你好，世界\n+再见\n"),
    ChangedFileDiff("image.png", note="It is no text."),
]


def screen(changes=CHANGES, language="en", **more):
    return DiffScreen(changed_files(changes), look(language), **more)


class DiffApp(DialogApp):
    def __init__(self, dialog):
        super().__init__(dialog)
        self.copied = []

    def on_diff_screen_copied(self, event):
        self.copied.append(event.text)


async def test_wide_terminals_show_both_sides_and_a_key_changes_that():
    app = DiffApp(screen())
    async with app.run_test(size=(120, 30)) as pilot:
        await pilot.pause()
        lines = screen_text(app).splitlines()
        assert any("line 20" in line and "line twenty" in line for line in lines)
        await pilot.press("s")
        await pilot.pause()
        lines = screen_text(app).splitlines()
        assert not any("line 20" in line and "line twenty" in line for line in lines)
        assert any(line.startswith("20 - line 20") for line in lines)
        await pilot.resize_terminal(60, 20)
        await pilot.press("s")
        await pilot.pause()
        assert any("line 20" in line and "line twenty" in line for line in screen_text(app).splitlines())


async def test_narrow_terminals_show_one_below_the_other():
    app = DiffApp(screen())
    async with app.run_test(size=(80, 30)) as pilot:
        await pilot.pause()
        assert "20 + line twenty" in screen_text(app)
        assert "+1 -2 · file 1 of 3 · unified" in screen_text(app)


async def test_changed_words_are_marked():
    app = DiffApp(screen())
    async with app.run_test(size=(80, 30)) as pilot:
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        marked = [part.text for strip in strips for part in strip if part.style and part.style.reverse]
        assert "twenty" in marked
        assert "20" in marked


async def test_files_are_stepped_through():
    app = DiffApp(screen())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("tab")
        await pilot.pause()
        assert "你好，世界" in screen_text(app)
        await pilot.press("]")
        await pilot.pause()
        assert "It is no text." in screen_text(app)
        await pilot.press("]")
        await pilot.pause()
        assert "src/a.py" in screen_text(app)
        await pilot.press("shift+tab")
        await pilot.pause()
        assert "image.png" in screen_text(app)
        await pilot.press("escape")
        await pilot.pause()
        assert app.given == [None]


async def whole(path):
    return OLD, NEW


async def test_the_whole_file_and_its_changes_one_after_the_other():
    app = DiffApp(screen(whole=whole))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("w")
        await pilot.pause()
        assert "line twenty" in screen_text(app)
        assert "change 1 of 3" in screen_text(app)
        await pilot.press("n", "n")
        await pilot.pause()
        assert "change 3 of 3" in screen_text(app)
        assert "[red]99[/]\\x1b[2J" in screen_text(app)
        await pilot.press("home", "n", "n")
        await pilot.pause()
        assert "change 2 of 3" in screen_text(app)
        await pilot.press("p")
        await pilot.pause()
        assert "change 1 of 3" in screen_text(app)
        await pilot.press("home")
        await pilot.pause()
        assert "line 1\n" in screen_text(app)
        await pilot.press("w")
        await pilot.pause()
        assert "def first" in screen_text(app)


async def test_a_whole_file_that_cannot_be_had_is_told():
    async def gone(path):
        raise ConfigError("it is not there")

    app = DiffApp(screen(whole=gone))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("w")
        await pilot.pause()
        assert "it is not there" in screen_text(app)
        assert "line twenty" in screen_text(app)


async def test_search_marks_and_steps():
    app = DiffApp(screen(whole=whole))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("w", "slash", *"LINE 9")
        await pilot.pause()
        assert "match " in screen_text(app)
        await pilot.press("enter")
        for _ in range(3):
            await pilot.press("enter")
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        marked = {part.text for strip in strips for part in strip if part.style and part.style.underline}
        assert "line 9" in marked
        await pilot.press("escape")
        await pilot.press("slash", *"nowhere")
        await pilot.pause()
        assert "not found: nowhere" in screen_text(app)
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert app.given == [None]


async def test_the_diff_is_copied_as_other_programs_read_it():
    app = DiffApp(screen())
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("c")
        await pilot.pause()
        assert app.copied == [f"--- src/a.py\n+++ src/a.py\n{DIFF}"]
        assert "Copied" in screen_text(app)


def test_a_copied_diff_is_read_again():
    for old, new in ((OLD, NEW), ("", "a"), ("a\n", "b")):
        (file,) = preview_files(DiffPreview("x.py", compare_texts(old, new)))
        again = read_diff(unified_text(file))
        assert [hunk.lines for hunk in again] == [hunk.lines for hunk in file.hunks]


def test_a_patch_is_shown_file_by_file():
    patch = """*** Begin Patch
*** Update File: a.py
@@
-one
+two
*** Add File: b.py
+new
*** Delete File: c.py
*** End Patch
"""
    files = preview_files(DiffPreview("", read_patch(patch)))
    assert [file.path for file in files] == ["Update File: a.py", "Add File: b.py", "Delete File: c.py"]


@pytest.mark.parametrize("size", [(40, 12), (20, 6), (119, 30)])
@pytest.mark.parametrize("language", ["en", "zh"])
async def test_every_line_fits_the_terminal(size, language):
    long = ChangedFileDiff(
        "a/" * 60 + "b.txt", diff="@@ -1 +1 @@\n-" + "旧的内容 " * 80 + "\n+" + "新的\tcontent " * 80 + "\n"
    )
    app = DiffApp(screen([long, long], language, whole=whole))
    async with app.run_test(size=size) as pilot:
        for key in ("s", "s", "n", "end", "home"):
            await pilot.press(key)
            await pilot.pause()
        view = app.screen.query_one("#body")
        assert all(strip.cell_length <= view.size.width for strip in view.lines)
        shown = "".join(strip.text.strip().removeprefix("1 -").strip() for strip in view.lines)
        assert "旧" in shown


async def test_nothing_changed():
    app = DiffApp(screen([]))
    async with app.run_test(size=(80, 20)) as pilot:
        await pilot.press("n", "s", "c", "w", "tab")
        await pilot.pause()
        assert "No changes" in screen_text(app)
