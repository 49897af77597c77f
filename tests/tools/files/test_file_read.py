"""`read`: lines, pages, encodings, images, PDFs, folders, and what is not there."""

import base64
import os

import pytest
from file_desk import Desk
from pdf_maker import pdf

from toolpost.guard.paths import Missing, digest
from toolpost.tools.limits import ToolLimits
from toolpost.tools.output import bound
from toolpost.tools.output_collector import MAX_BYTES, MAX_LINES
from toolpost.types.errors import PermissionDenied, ToolError
from toolpost.types.messages import FilePart

PNG = b"\x89PNG\r\n\x1a\n" + bytes(range(200))


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


async def test_lines_come_with_their_numbers(desk):
    desk.put("a.txt", "one\n\n\tthree\n")
    assert await desk.say("read", path="a.txt") == "     1\tone\n     2\t\n     3\t\tthree\n(end of file, 3 lines)"


async def test_a_part_is_read_by_offset_and_limit_and_says_how_to_go_on(desk):
    desk.put("a.txt", "".join(f"line {number}\n" for number in range(1, 11)))
    said = await desk.say("read", path="a.txt", offset=4, limit=2)
    assert said == "     4\tline 4\n     5\tline 5\n(lines 4 to 5 of 10; go on with offset=6)"
    assert "end of file" in await desk.say("read", path="a.txt", offset=6)


async def test_following_the_footer_gives_every_line_once(desk):
    lines = [f"{number} " + "x" * (number % 90) for number in range(5_000)]
    desk.put("a.txt", "\n".join(lines))
    found, offset = [], 1
    while offset:
        said = await desk.say("read", path="a.txt", offset=offset)
        *body, footer = said.split("\n")
        found += [line.split("\t", 1)[1] for line in body]
        offset = int(footer.split("offset=")[1].rstrip(")")) if "offset=" in footer else 0
    assert found == lines


async def test_a_page_is_never_cut_again_by_the_engine(desk):
    desk.put("many.txt", "\n" * 10_000)
    desk.put("wide.txt", ("ü" * 1_500 + "\n") * 200)
    desk.put("huge.txt", "x" * 300_000 + "\nend\n")
    for name in ("many.txt", "wide.txt", "huge.txt"):
        result = await desk.call("read", path=name)
        bounded = bound(result, MAX_LINES, MAX_BYTES)
        assert not bounded.truncated
        assert "offset=" in bounded.content[0].text or "end of file" in bounded.content[0].text


async def test_a_long_line_is_cut_and_it_is_said(desk):
    desk.put("a.txt", "short\n" + "x" * 5_000 + "\nlast")
    said = await desk.say("read", path="a.txt")
    assert "x" * 2_000 + "… (3,000 more characters)" in said
    assert "cut because too long: 1 line;" in said
    assert "     3\tlast" in said


@pytest.mark.parametrize(
    ("data", "shown", "note"),
    [
        ("grün\n".encode(), "grün", "end of file"),
        ("grün\n".encode("utf-8-sig"), "grün", "byte order mark"),
        ("grün\r\nblau\r\n".encode("utf-16"), "grün", "UTF-16"),
        (b"\xfe\xff" + "grün\n".encode("utf-16-be"), "grün", "UTF-16"),
        ("grün „x“\n".encode("cp1252"), "grün „x“", "Windows-1252"),
        (b"gr\xfcn \x81\n", "gr\u00fcn", "Latin-1"),
        ("grün überall, ja\n".encode() + b"\xff\n", "\ufffd", "1 broken"),
        ("grün\r\n".encode(), "grün\n", "end of file"),
    ],
)
async def test_encodings_are_found_out_and_said(desk, data, shown, note):
    desk.put("a.txt", data)
    said = await desk.say("read", path="a.txt")
    assert shown in said
    assert note in said
    assert "\ufeff" not in said
    assert "\r" not in said
    said.encode()


async def test_an_empty_file_is_said_to_be_empty(desk):
    desk.put("a.txt", "")
    assert await desk.say("read", path="a.txt") == "(the file is empty)"


@pytest.mark.parametrize("offset", [0, -3, 4])
async def test_an_offset_beyond_the_file_says_how_long_it_is(desk, offset):
    desk.put("a.txt", "1\n2\n3\n")
    with pytest.raises(ToolError, match="the file has 3 lines"):
        await desk.call("read", path="a.txt", offset=offset)


async def test_binary_files_are_refused_with_what_they_are(desk):
    desk.put("a.zip", b"PK\x03\x04" + bytes(100))
    desk.put("a.bin", bytes(range(32)) * 10)
    desk.put("b.bin", b"text at first\0 and then not")
    with pytest.raises(ToolError, match=r"a\.zip: This is not text: ZIP archive, 104 bytes"):
        await desk.call("read", path="a.zip")
    for name in ("a.bin", "b.bin"):
        with pytest.raises(ToolError, match="unknown kind"):
            await desk.call("read", path=name)


async def test_an_image_comes_as_an_image(desk):
    desk.put("a.png", PNG)
    result = await desk.call("read", path="a.png")
    assert result.content[1] == FilePart("image/png", base64.b64encode(PNG).decode(), name="a.png")
    assert not bound(result).truncated


async def test_an_image_that_is_too_large_is_refused(tmp_path):
    desk = Desk(tmp_path, ToolLimits(image_bytes=100))
    desk.put("a.png", PNG)
    with pytest.raises(ToolError, match="PNG image, 208 bytes, too large"):
        await desk.call("read", path="a.png")


async def test_a_pdf_is_read_as_its_text_by_page(desk):
    desk.put("a.pdf", pdf("Hello from a PDF"))
    said = await desk.say("read", path="a.pdf")
    assert "[page 1 of 1]" in said
    assert "Hello from a PDF" in said


async def test_a_pdf_without_text_or_out_of_shape_comes_as_a_file(desk):
    desk.put("blank.pdf", pdf(""))
    desk.put("broken.pdf", b"%PDF-1.7\n" + b"\x00garbage" * 50)
    desk.put("bomb.pdf", pdf("x", filler=b" " * 400_000_000))
    desk.put("circle.pdf", pdf("x").replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]"))
    for name in ("blank.pdf", "broken.pdf", "bomb.pdf", "circle.pdf"):
        result = await desk.call("read", path=name)
        assert result.content[1].mime == "application/pdf"


async def test_a_folder_is_read_as_its_names_page_by_page(desk):
    for number in range(5):
        desk.put(f"sub/f{number}", "")
    (desk.root / "sub/deep").mkdir()
    (desk.root / "sub/link").symlink_to("f1")
    assert await desk.say("read", path="sub", limit=2) == "deep/\nf0\n(2 of 7 entries of sub/; go on with offset=3)"
    assert (await desk.say("read", path="sub", offset=6)).startswith("f4\nlink@\n(2 of 7")


async def test_a_missing_file_says_what_may_be_meant(desk):
    desk.put("src/settings.py", "")
    desk.put("lib/deep/unique_name.py", "")
    with pytest.raises(Missing, match=r"Did you mean src/settings\.py\?"):
        await desk.call("read", path="src/setings.py")
    with pytest.raises(Missing, match=r"Did you mean lib/deep/unique_name\.py\?"):
        await desk.call("read", path="unique_name.py")
    with pytest.raises(Missing, match="List its folder"):
        await desk.call("read", path="zzz.qqq")


async def test_names_outside_the_project_are_not_hinted_at(desk, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "salaries.txt").write_text("")
    with pytest.raises(Missing) as missing:
        await desk.call("read", path=str(other / "salarie.txt"))
    assert "salaries" not in str(missing.value)


async def test_pipes_are_refused_without_waiting_for_a_writer(desk):
    os.mkfifo(desk.root / "pipe")
    with pytest.raises(ToolError, match="named pipe"):
        await desk.call("read", path="pipe")


async def test_a_file_over_the_limit_is_refused(tmp_path):
    desk = Desk(tmp_path, ToolLimits(read_file_bytes=10))
    desk.put("a.txt", "x" * 11)
    with pytest.raises(ToolError, match="too large"):
        await desk.call("read", path="a.txt")


async def test_what_was_read_is_noted_for_its_session(desk):
    path = desk.put("a.txt", "one")
    await desk.call("read", path="a.txt", session="first")
    assert desk.bench.read_tracker.of("first", path) == digest(b"one")
    assert desk.bench.read_tracker.of("second", path) is None


async def test_inside_nothing_is_asked_beyond_the_permission_itself(desk):
    desk.put("a.txt", "")
    await desk.call("read", path="a.txt")
    assert desk.asked == []
    assert desk.tools["read"].permission == "read"
    assert list(desk.tools["read"].patterns({"path": "./x/../a.txt"})) == ["a.txt"]


async def test_outside_asks_for_the_folder_first(desk, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / ".env").write_text("KEY=1")
    (desk.root / "link").symlink_to(other / ".env")
    await desk.call("read", path="link")
    assert desk.asked == [
        ("external_directory", f"{other}/*"),
        ("secret", f"{other}/.env"),
        ("read", f"{other}/.env"),
    ]
    desk.denied = {"external_directory"}
    with pytest.raises(PermissionDenied):
        await desk.call("read", path=str(other / ".env"))


async def test_a_secret_asks_before_it_is_read(desk):
    desk.put(".env", "KEY=1")
    desk.denied = {"secret"}
    with pytest.raises(PermissionDenied):
        await desk.call("read", path=".env")
    assert desk.asked == [("secret", ".env")]


async def test_a_link_inside_asks_for_the_name_it_leads_to(desk):
    """A rule may forbid the one name and not know the other."""
    desk.put("private/a.txt", "hidden")
    (desk.root / "public").symlink_to("private")
    desk.denied = {"read"}
    with pytest.raises(PermissionDenied):
        await desk.call("read", path="public/a.txt")
    assert desk.asked == [("read", "private/a.txt")]


@pytest.mark.parametrize("offset", [0, -2, 4])
async def test_a_folder_has_no_entry_before_the_first_or_behind_the_last(desk, offset):
    for name in "abc":
        desk.put(f"folder/{name}", "")
    with pytest.raises(ToolError, match="the folder has 3 entries"):
        await desk.say("read", path="folder", offset=offset)
