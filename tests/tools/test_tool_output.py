"""What a tool returned, as the model gets it."""

import base64
import datetime
import json
import math
import stat
import tracemalloc
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.tools.define import ToolResult
from toolpost.tools.output import MAX_FILE_BYTES, Bounded, OutputCollector, bound, to_result
from toolpost.types.messages import FilePart, TextPart

PNG = b"\x89PNG\r\n\x1a\n" + bytes(100)


def text_of(bounded: Bounded | ToolResult) -> str:
    (part,) = bounded.content
    assert isinstance(part, TextPart)
    return part.text


def marker_of(text: str) -> str:
    return next(line for line in text.splitlines() if line.startswith("[… "))


def test_what_fits_is_left_as_it_is(tmp_path: Path) -> None:
    content = [TextPart("one\n"), FilePart("image/png", "AAAA"), "two\x1b[0m\n"]
    bounded = bound(ToolResult(content), 10, 1_000, tmp_path / "spill", "call")
    assert bounded == Bounded((TextPart("one\n"), FilePart("image/png", "AAAA"), TextPart("two\x1b[0m\n")))
    assert not (tmp_path / "spill").exists()


def test_too_many_lines_become_head_and_tail_and_a_file(tmp_path: Path) -> None:
    whole = "".join(f"line {n}\n" for n in range(1, 10_001))
    bounded = bound(ToolResult([whole]), 2_000, 50_000, tmp_path / "spill", "call_1")
    text = text_of(bounded)
    lines = text.splitlines()
    assert len(lines) == 2_000
    assert (lines[0], lines[998], lines[1_000], lines[-1]) == ("line 1", "line 999", "line 9001", "line 10000")
    assert bounded.spilled == str(tmp_path / "spill" / "call_1.txt")
    assert marker_of(text).startswith("[… 8,001 lines, ")
    assert f"everything is in {bounded.spilled}: read it in parts, from line 1,000 on" in marker_of(text)
    assert Path(bounded.spilled).read_text() == whole


def test_the_file_is_for_its_owner_only(tmp_path: Path) -> None:
    bounded = bound(ToolResult(["x\n" * 3_000]), folder=tmp_path / "a" / "b", name="c")
    assert stat.S_IMODE(Path(bounded.spilled).stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700


@pytest.mark.parametrize("call_id", ["../../evil", "a/b", "", "x" * 300, "工具", "call\ud800"])
def test_a_call_id_cannot_lead_out_of_the_folder(tmp_path: Path, call_id: str) -> None:
    folder = tmp_path / "spill"
    bounded = bound(ToolResult(["x\n" * 3_000]), folder=folder, name=call_id)
    assert Path(bounded.spilled).parent == folder
    assert [path.name for path in tmp_path.iterdir()] == ["spill"]


def test_a_link_in_the_files_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "call.txt").symlink_to(tmp_path / "victim")
    bound(ToolResult(["x\n" * 3_000]), folder=tmp_path, name="call")
    assert (tmp_path / "victim").read_text() == "precious"


def test_an_output_does_not_take_the_place_of_another(tmp_path: Path) -> None:
    texts = [f"{number}\n" * 3_000 for number in range(3)]
    spilled = [bound(ToolResult([text]), folder=tmp_path, name="call").spilled for text in texts]
    assert [Path(path).name for path in spilled] == ["call.txt", "call-2.txt", "call-3.txt"]
    assert [Path(path).read_text() for path in spilled] == texts


def test_a_folder_that_cannot_be_written_costs_the_file_and_not_the_result(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    bounded = bound(ToolResult(["x\n" * 3_000]), folder=tmp_path / "file", name="call")
    assert bounded.truncated
    assert bounded.spilled == ""
    assert "could not be kept: " in marker_of(text_of(bounded))


def test_one_long_line_is_cut_between_characters(tmp_path: Path) -> None:
    whole = "语" * 100_000
    text = text_of(bound(ToolResult([whole]), folder=tmp_path, name="c"))
    assert "\ufffd" not in text
    head, _, tail = text.split("\n")
    assert set(head) == set(tail) == {"语"}
    assert len(text.encode()) <= 50_000


def test_a_short_line_before_a_long_one_does_not_cost_the_head() -> None:
    text = text_of(bound(ToolResult(["title\n" + "x" * 200_000])))
    assert text.startswith("title\nxxx")
    assert len(text.split("[…")[0]) > 20_000


def test_files_follow_a_text_that_was_cut() -> None:
    image = FilePart("image/png", "AAAA")
    bounded = bound(ToolResult([image, "x\n" * 3_000, "the end"]))
    assert [type(part) for part in bounded.content] == [TextPart, FilePart]
    assert text_of(Bounded(bounded.content[:1])).endswith("the end")


texts = st.lists(st.sampled_from(["a", "\n", "é", "语" * 40, "line\n", "🙂" * 300, "x" * 700 + "\n"])).map("".join)


@settings(deadline=None)
@given(texts, st.integers(5, 60), st.integers(600, 3_000))
def test_bounded_text_keeps_the_limits_and_is_made_of_the_whole(whole: str, lines: int, size: int) -> None:
    text = text_of(bound(ToolResult([whole]), lines, size))
    if text == whole or not whole:
        return
    assert len(text.encode()) <= size
    assert text.count("\n") + (not text.endswith("\n")) <= lines
    head, _, rest = text.partition("[… ")
    tail = rest.partition("…]\n")[2]
    assert whole.startswith((head, head[:-1]))
    assert whole.endswith(tail)
    assert len(head) + len(tail) <= len(whole)


@settings(deadline=None)
@given(texts, st.lists(st.integers(1, 900), min_size=1), st.integers(5, 60), st.integers(600, 3_000))
def test_the_same_output_in_any_chunks_gives_the_same_text(whole: str, cuts: list[int], lines: int, size: int) -> None:
    data, collector, at = whole.encode(), OutputCollector(lines, size), 0
    for turn in range(len(data)):
        step = cuts[turn % len(cuts)]
        collector.feed(data[at : at + step])
        at += step
        if at >= len(data):
            break
    assert collector.finish().content == bound(ToolResult([whole or "(no output)"]), lines, size).content


def test_a_flood_takes_little_memory_and_is_all_in_the_file(tmp_path: Path) -> None:
    collector = OutputCollector(max_bytes=10_000_000, folder=tmp_path, name="flood")
    chunk = b"0123456789abcde\n" * 4_096
    tracemalloc.start()
    for _ in range(500):
        collector.feed(chunk)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    bounded = collector.finish()
    assert peak < 1_000_000
    assert Path(bounded.spilled).stat().st_size == collector.size == 500 * len(chunk)
    assert len(text_of(bounded).splitlines()) == 2_000


def test_a_flood_does_not_fill_the_disk(tmp_path: Path) -> None:
    from toolpost.tools.output_file import OutputFile

    spill = OutputFile(tmp_path, "c", limit=1_000)
    for _ in range(10):
        spill.write(b"x" * 300)
    assert spill.full
    assert Path(spill.close()).stat().st_size == 1_000


def test_binary_output_is_described_and_kept(tmp_path: Path) -> None:
    collector = OutputCollector(folder=tmp_path, name="c")
    collector.feed(b"\x7fELF" + bytes(range(256)) * 4)
    bounded = collector.finish()
    assert text_of(bounded) == f"(binary output: ELF program, 1,028 bytes; kept in {tmp_path / 'c.txt'})"
    assert Path(bounded.spilled).read_bytes().startswith(b"\x7fELF")


def test_a_few_bytes_that_are_no_text_are_replaced() -> None:
    collector = OutputCollector()
    collector.feed(b"caf\xe9 au lait, s'il vous plait")
    assert text_of(collector.finish()) == "caf\ufffd au lait, s'il vous plait"


@dataclass
class Row:
    name: str
    when: datetime.date


class Model(pydantic.BaseModel):
    path: Path


class Item(msgspec.Struct):
    n: int


class Money:
    def __str__(self) -> str:
        return "3 EUR"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("text", "text"),
        ("", "(no output)"),
        (None, "(no output)"),
        (3, "3"),
        (True, "true"),
        ([], "[]"),
        ({"a": [1, None]}, '{"a": [1, null]}'),
        ([Row("x", datetime.date(2026, 1, 2))], '[{"name": "x", "when": "2026-01-02"}]'),
        (Model(path=Path("a/b")), '{"path": "a/b"}'),
        ({"item": Item(1), "path": Path("c"), "money": Money()}, '{"item": {"n": 1}, "path": "c", "money": "3 EUR"}'),
        ({"big": 2**70}, '{"big": 1180591620717411303424}'),
        ("lone \ud800 one", "lone \ufffd one"),
        ({"k": "\udc80"}, '{"k": "\ufffd"}'),
        (b"plain bytes", "plain bytes"),
        ("café".encode("utf-16"), "café"),
        (b"%PDF-1.7 ...", "(binary data: PDF document, 12 bytes)"),
        (bytes(50), "(binary data: data of an unknown kind, 50 bytes)"),
        (ToolResult("said"), "said"),
        (ToolResult(["said"]), "said"),
        (TextPart("part"), "part"),
    ],
)
def test_whatever_a_tool_returns_becomes_text(value: Any, text: str) -> None:
    assert text_of(to_result(value)) == text


def test_long_data_are_told_over_several_lines() -> None:
    text = text_of(to_result([{"id": n, "name": "x" * 20} for n in range(50)]))
    assert text.count("\n") > 50
    assert msgspec.json.decode(text)[49]["id"] == 49


def test_details_and_title_are_kept() -> None:
    result = to_result(ToolResult([{"a": 1}], {"shown": 1}, "Title"))  # pyright: ignore
    assert (result.content, result.details, result.title) == ([TextPart('{"a": 1}')], {"shown": 1}, "Title")


@pytest.mark.parametrize(
    ("value", "shown"),
    [(math.nan, '"NaN"'), (math.inf, '"Infinity"'), (-math.inf, '"-Infinity"'), (None, "(no output)"), (1.5, "1.5")],
)
def test_a_number_that_json_has_no_word_for_is_a_text(value: float | None, shown: str) -> None:
    assert text_of(to_result(value)) == shown


@given(st.recursive(st.floats() | st.none(), lambda inner: st.lists(inner) | st.dictionaries(st.text("ab"), inner)))
def test_no_number_is_lost_however_deep_it_stands(value: Any) -> None:
    def worded(value: Any) -> Any:
        if isinstance(value, float) and not math.isfinite(value):
            return {math.inf: "Infinity", -math.inf: "-Infinity"}.get(value, "NaN")
        if isinstance(value, dict):
            return {key: worded(item) for key, item in value.items()}
        return [worded(item) for item in value] if isinstance(value, list) else value

    result = to_result(ToolResult([], {"value": value}))
    assert result.details == {"value": worded(value)}
    assert json.loads(text_of(to_result([value]))) == [worded(value)]


def test_a_value_that_is_no_data_is_the_tools_fault() -> None:
    with pytest.raises(TypeError, match="a tool returned an object"):
        to_result(object())


@pytest.mark.parametrize(
    ("data", "mime"),
    [
        (PNG, "image/png"),
        (b"\xff\xd8\xff\xe0..", "image/jpeg"),
        (b"GIF89a...", "image/gif"),
        (b"RIFF\0\0\0\0WEBPVP8 ", "image/webp"),
    ],
)
def test_image_bytes_become_an_image(data: bytes, mime: str) -> None:
    assert to_result(data).content == [FilePart(mime, base64.b64encode(data).decode())]


def test_images_and_files_that_are_too_large_are_described() -> None:
    assert text_of(to_result(PNG + bytes(MAX_FILE_BYTES))).startswith("(PNG image left out: 5,000,108 bytes")
    bounded = bound(ToolResult([FilePart("image/png", "A" * (MAX_FILE_BYTES + 1), name="x.png")]))
    assert text_of(bounded) == "(file x.png left out: image/png, 3,750,000 bytes, too large)"


def test_files_together_have_a_limit_too() -> None:
    part = FilePart("image/png", "A" * MAX_FILE_BYTES)
    kinds = [type(part) for part in bound(ToolResult([part] * 6)).content]
    assert kinds == [FilePart] * 4 + [TextPart] * 2
