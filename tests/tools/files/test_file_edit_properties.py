"""Properties of edits: only the matched span is touched, whatever is around it."""

import re

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from toolpost.tools.files.edits import STRATEGIES, Edit, apply_edit
from toolpost.tools.files.text import NotText, decode
from toolpost.types.errors import ToolError

CHARS = st.sampled_from("ab(){};:=.\"'\\&<ü漢😀’ \t")
LINES = st.text(CHARS, max_size=12)
NEWLINES = st.sampled_from(("\n", "\r\n"))
ENCODINGS = st.sampled_from(("utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"))
BOMS = {"utf-8-sig": b"\xef\xbb\xbf", "utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}
SLOW = [HealthCheck.too_slow, HealthCheck.filter_too_much]
MANY = settings(max_examples=200, deadline=None, suppress_health_check=SLOW)


def encoded(text: str, encoding: str) -> bytes:
    return BOMS.get(encoding, b"") + text.encode(encoding.removesuffix("-sig"))


@st.composite
def files(draw):
    lines = draw(st.lists(LINES, min_size=1, max_size=12))
    newline = draw(NEWLINES)
    return newline.join(lines) + draw(st.sampled_from(("", newline))), newline


@MANY
@given(files(), st.data(), ENCODINGS)
def test_an_exact_edit_changes_its_span_and_not_one_other_byte(file, data, encoding):
    text, _ = file
    assume(text)
    start = data.draw(st.integers(0, len(text) - 1))
    stop = data.draw(st.integers(start + 1, len(text)))
    # Half a line end is nothing that a model can ask for.
    assume(text[start - 1 : start + 1] != "\r\n" and text[stop - 1 : stop + 1] != "\r\n")
    old = text[start:stop]
    assume(text.find(old) == start and text.find(old, start + 1) < 0)
    new = data.draw(st.lists(LINES, max_size=3).map("\n".join))
    assume(new != old.replace("\r\n", "\n"))
    decoded = decode(encoded(text, encoding))
    done = apply_edit(decoded.text, decoded.newline, Edit(old.replace("\r\n", "\n"), new))
    wanted = text[:start] + new.replace("\n", decoded.newline) + text[stop:]
    assert done.strategy == "exact"
    assert decoded.encode(done.text) == encoded(wanted, encoding)


@MANY
@given(files(), st.text(CHARS, min_size=1, max_size=20), st.text(CHARS, max_size=20))
def test_there_and_back_again_is_the_same_file(file, marker, other):
    text, newline = file
    assume(marker != other and other and marker not in text and other not in text)
    placed = text + marker
    assume(placed.count(marker) == 1 and placed.find(marker) == len(text))
    there = apply_edit(placed, newline, Edit(marker, other)).text
    assume(there.count(other) == 1 and there.find(other) == len(text))
    assert apply_edit(there, newline, Edit(other, marker)).text == placed


SLIPS = {
    "line ends": lambda line: line + "  ",
    "indentation": lambda line: "   " + line,
    "whitespace": lambda line: re.sub(r"(?<=\S) (?=\S)", "   ", line),
    "punctuation": lambda line: line.replace("'", "’"),
}


AROUND = st.lists(st.sampled_from(("keep", "  keep  ", "", "\tkeep it", "kept;")), max_size=6)
BLOCKS = st.lists(st.sampled_from(("one 'two' three", "four five(6)", "seven = eight")), min_size=1, unique=True)


@MANY
@given(AROUND, BLOCKS, AROUND, NEWLINES, st.sampled_from(sorted(SLIPS)), st.booleans())
def test_a_forgiving_edit_leaves_all_other_lines_as_they_are(before, block, after, newline, slip, ended):
    text = newline.join((*before, *block, *after)) + (newline if ended else "")
    old = "\n".join(SLIPS[slip](line) for line in block)
    assume(old.replace("\n", newline) not in text)
    done = apply_edit(text, newline, Edit(old, re.sub("three|five|eight", "NUMBER", old)))
    head = "".join(line + newline for line in before)
    tail = "".join(newline + line for line in after) + (newline if ended else "")
    assert done.text.startswith(head)
    assert done.text.endswith(tail)
    middle = done.text[len(head) : len(done.text) - len(tail)]
    assert middle.count("\n") == len(block) - 1
    assert middle.count("NUMBER") == len(block)
    assert done.strategy in STRATEGIES
    assert done.strategy != "exact"


BLANKS_AND_LETTERS = st.text(st.sampled_from("ab \n\t\r\\{}"), max_size=60)
BYTES = st.binary(max_size=200) | st.text(max_size=100).map(str.encode)
WIDE_BYTES = st.text(max_size=50).map(lambda text: text.encode("utf-16"))


@MANY
@given(BLANKS_AND_LETTERS, BLANKS_AND_LETTERS, st.text())
def test_any_edit_is_made_once_or_refused_with_a_reason(text, old, new):
    try:
        done = apply_edit(text, "\n", Edit(old, new))
    except ToolError:
        return
    assert done.places == 1
    assert done.strategy in STRATEGIES


@MANY
@given(BYTES | WIDE_BYTES)
def test_every_text_gives_its_bytes_back(data):
    try:
        text = decode(data)
    except NotText:
        return
    assert text.encode(text.text) == data
