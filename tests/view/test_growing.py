"""What grows while it is shown: texts, and the live output of calls."""

from hypothesis import given
from hypothesis import strategies as st

from toolpost.view.growing_text import GrowingText
from toolpost.view.live_output import HEAD_LINES, MAX_LINE_CHARS, LiveOutput

pieces = st.lists(st.text("ab\r\n你", max_size=6), max_size=12)


@given(pieces, st.data())
def test_what_came_after_a_place_is_the_end_of_the_text(parts, data):
    text = GrowingText()
    for part in parts:
        text.add(part)
        if data.draw(st.booleans()):
            assert len(str(text)) == len(text)
    start = data.draw(st.integers(0, len(text)))
    assert text.after(start) == "".join(parts)[start:]
    assert str(text) == "".join(parts)


@given(pieces)
def test_output_does_not_depend_on_how_it_was_cut(parts):
    whole, cut = LiveOutput(), LiveOutput()
    whole.add("".join(parts))
    for part in parts:
        cut.add(part)
    assert whole == cut
    written = "".join(parts).split("\n")[:-1]
    assert whole.lines.lines == [line.rstrip("\r").rpartition("\r")[2] for line in written]


def test_of_a_progress_bar_the_last_state_is_kept():
    output = LiveOutput()
    for percent in range(101):
        output.add(f"\r{percent} %")
    assert output.unfinished == "100 %"
    output.add("\r\ndone\n")
    assert output.lines.lines == ["100 %", "done"]


def test_of_long_output_the_first_and_the_last_lines_are_kept():
    output = LiveOutput()
    for number in range(200_000):
        output.add(f"{number}\n")
    kept = output.lines
    assert kept.lines[:2] == ["0", "1"]
    assert kept.lines[-1] == "199999"
    assert output.head_count == HEAD_LINES
    assert kept.left_out == 200_000 - len(kept.lines)
    assert len(kept.lines) < 1_000


def test_a_line_without_an_end_is_cut():
    output = LiveOutput()
    for _ in range(1_000):
        output.add("x" * 1_000)
    output.add("\n")
    (line,) = output.lines.lines
    assert len(line) == MAX_LINE_CHARS + 1
    assert line.endswith("…")


@given(st.integers(0, 700), st.integers(0, 700))
def test_new_lines_are_those_after_the_ones_that_were_seen(count, seen):
    output = LiveOutput()
    output.add("".join(f"{number}\n" for number in range(count)))
    left_out, lines = output.after(seen)
    assert left_out + len(lines) == max(0, count - seen)
    numbers = list(map(int, lines))
    assert numbers == sorted(numbers)
    assert not numbers or (numbers[-1] == count - 1 and numbers[0] >= seen)


def test_once_the_call_has_ended_less_is_kept_and_its_last_line_counts():
    output = LiveOutput()
    output.add("".join(f"{number}\n" for number in range(300)) + "the end")
    output.end()
    assert output.lines.lines[-1] == "the end"
    assert output.count == 301
    assert len(output.lines.lines) == 100
