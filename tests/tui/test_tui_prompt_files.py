"""Images in a prompt of the terminal, and the external editor."""

import base64
import os
import stat
import sys
from pathlib import Path

import pytest
from prompt_play import PNG, picture, playing

from toolpost.control.file_parts import MAX_IMAGE_BYTES, UnusableImage, dropped_images, mentioned_images, read_image


async def test_an_image_that_is_dropped_goes_along(tmp_path: Path) -> None:
    path = picture(tmp_path / "a shot.png")
    async with playing() as play:
        await play.type("what is ")
        await play.paste(str(path).replace(" ", "\\ "))
        assert play.text == "what is [image: a shot.png] "
        await play.keys("enter")
        sent = await play.sent()
        assert [(file.mime, file.name) for file in sent.files] == [("image/png", "a shot.png")]
        assert base64.b64decode(sent.files[0].data) == PNG
        assert sent.text == "what is [image: a shot.png]"


async def test_an_image_whose_label_was_deleted_does_not_go_along(tmp_path: Path) -> None:
    path = picture(tmp_path / "shot.png")
    async with playing() as play:
        await play.paste(f"'{path}'")
        await play.keys("backspace", "backspace", "a", "enter")
        assert (await play.sent()).files == ()


async def test_an_image_that_is_mentioned_goes_along(tmp_path: Path) -> None:
    picture(tmp_path / "shots" / "error.png")
    (tmp_path / "fake.png").write_text("root:x:0:0")
    async with playing(folder=tmp_path) as play:
        play.prompt.load("see @shots/error.png, @fake.png and @gone.png")
        await play.keys("enter")
        sent = await play.sent()
        assert [file.name for file in sent.files] == ["error.png"]
        assert sent.text == "see @shots/error.png, @fake.png and @gone.png"


async def test_prompts_are_sent_in_their_order(tmp_path: Path) -> None:
    picture(tmp_path / "a.png")
    async with playing(folder=tmp_path) as play:
        await play.type("@a.png")
        await play.keys("enter", "2", "enter")
        assert [(await play.sent(number)).text for number in (1, 2)] == ["@a.png", "2"]


async def test_a_prompt_whose_image_is_too_large_is_not_sent(tmp_path: Path) -> None:
    with picture(tmp_path / "huge.png").open("r+b") as file:
        file.truncate(MAX_IMAGE_BYTES + 1)
    async with playing(folder=tmp_path) as play:
        await play.type("@huge.png")
        await play.keys("enter")
        await play.until(lambda: play.app.notes)
        assert "huge.png is too large" in play.app.notes[0]
        assert (play.text, play.app.sent) == ("@huge.png", [])


def test_paths_as_terminals_write_them(tmp_path: Path) -> None:
    a, b = picture(tmp_path / "a.png"), picture(tmp_path / "b c.png")
    for pasted in (f"{a} '{b}'", f"file://{a}\nfile://{str(b).replace(' ', '%20')}\n"):
        assert [image.name for image in dropped_images(pasted, None)] == ["a.png", "b c.png"]
    assert [image.name for image in dropped_images(str(b), None)] == ["b c.png"]
    assert dropped_images(f"{a} is an image", None) == []
    assert dropped_images(f"{a} 'unclosed.png", None) == []
    assert dropped_images("x.png", None) == []
    assert [image.name for image in dropped_images("a.png", tmp_path)] == ["a.png"]


def test_an_image_is_known_by_its_bytes(tmp_path: Path) -> None:
    for name, data, mime in (
        ("a.jpg", b"\xff\xd8\xff\xe0", "image/jpeg"),
        ("b.png", b"GIF89a", "image/gif"),
        ("c.webp", b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
        ("d.png", b"not one", None),
        ("e.txt", PNG, None),
    ):
        (tmp_path / name).write_bytes(data)
        found = read_image(tmp_path / name)
        assert (found.mime if found else None) == mime
    assert [one.name for one in mentioned_images("(@a.jpg) @b.png @b.png", tmp_path)] == ["b.png"]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_an_image_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    picture(tmp_path / "a.png").chmod(0)
    with pytest.raises(UnusableImage, match=r"a\.png"):
        read_image(tmp_path / "a.png")


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!{sys.executable}\n{script}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


async def test_an_image_on_the_clipboard_is_pasted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin" / "wl-paste", f"import sys; sys.stdout.buffer.write({PNG!r})")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    async with playing(environ={"PATH": str(tmp_path / "bin"), "WAYLAND_DISPLAY": "wayland-0"}) as play:
        await play.keys("ctrl+v")
        await play.until(lambda: play.text)
        assert play.text == "[image: clipboard.png] "
        await play.paste("")
        await play.until(lambda: play.text.count("[") == 2)
        await play.keys("enter")
        assert len((await play.sent()).files) == 2


async def test_a_clipboard_without_an_image_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin" / "xclip", "import sys; sys.exit('no such target')")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    async with playing(environ={"PATH": str(tmp_path / "bin"), "DISPLAY": ":0"}) as play:
        await play.keys("ctrl+v")
        await play.until(lambda: play.app.notes)
        assert play.app.notes == ["There is no image on the clipboard."]


async def test_without_a_program_for_the_clipboard_its_name_is_told(tmp_path: Path) -> None:
    async with playing(environ={"PATH": str(tmp_path)}) as play:
        await play.keys("ctrl+v")
        await play.until(lambda: play.app.notes)
        assert "wl-paste" in play.app.notes[0]


async def test_text_that_was_copied_here_is_pasted(tmp_path: Path) -> None:
    async with playing(environ={"PATH": str(tmp_path)}) as play:
        await play.type("abc")
        await play.keys("shift+home", "ctrl+x", "ctrl+v")
        await play.until(lambda: play.text == "abc")
        assert play.app.notes == []


async def test_the_prompt_is_edited_in_the_persons_editor(tmp_path: Path) -> None:
    editor = program(tmp_path / "edit", "import sys; f = open(sys.argv[-1], 'a'); f.write('\\nmore\\n')")
    async with playing(environ={"EDITOR": f"{editor} --wait"}) as play:
        await play.type("start ")
        await play.paste("x\n" * 20)
        await play.keys("ctrl+g")
        await play.until(lambda: "more" in play.prompt.draft)
        assert play.prompt.draft == "start " + "x\n" * 20 + "\nmore\n"
        assert play.app.outside == ["suspended", "resumed"]


async def test_nobody_else_may_read_what_is_edited(tmp_path: Path) -> None:
    modes = "import os, sys; place = sys.argv[-1]; print(*(oct(os.stat(one).st_mode & 0o777) for one in ("
    code = f"{modes}place, os.path.dirname(place))), file=open(place, 'w'))"
    editor = program(tmp_path / "edit", code)
    before = os.umask(0o022)
    try:
        async with playing(environ={"EDITOR": str(editor)}) as play:
            await play.type("mine")
            await play.keys("ctrl+g")
            await play.until(lambda: play.prompt.draft == "0o600 0o700")
    finally:
        os.umask(before)


async def test_an_editor_that_fails_leaves_the_text(tmp_path: Path) -> None:
    editor = program(tmp_path / "edit", "import sys; sys.exit(1)")
    async with playing(environ={"VISUAL": str(editor), "EDITOR": "never"}) as play:
        await play.type("kept")
        await play.keys("ctrl+g")
        await play.until(lambda: play.app.notes)
        assert "failed" in play.app.notes[0]
        assert play.text == "kept"


async def test_without_an_editor_the_variable_is_told(tmp_path: Path) -> None:
    async with playing(environ={"PATH": str(tmp_path)}) as play:
        await play.keys("ctrl+g")
        assert play.app.notes == ["No editor was found. Set $VISUAL or $EDITOR."]
