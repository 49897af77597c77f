"""Text that is copied from drawn items is the text as it was before it was wrapped, without marks and borders."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from transcript_play import Story, messages

from toolpost.tui.drawing.contract import Look
from toolpost.tui.drawing.copied_text import joined_lines
from toolpost.tui.drawing.items import draw_item
from toolpost.tui.drawn_items import DrawnItems
from toolpost.tui.text_selection import Spot
from toolpost.tui.themes import THEMES
from toolpost.tui.transcript_search import TranscriptSearch
from toolpost.types.messages import TextPart
from toolpost.view.growing_text import GrowingText
from toolpost.view.items import CallItem, PromptItem, ReasoningItem, TextItem

PROSE = "The quick brown fox jumps over the lazy dog, and 你好，世界 is said by someone to everyone who listens."


def look(width=40, **changes):
    return Look(width, THEMES["terminal"], **changes)


def copied(item, **changes):
    drawing = draw_item(item, look(**changes))
    return joined_lines(drawing, range(len(drawing.lines)))


def answer(text):
    return TextItem(id="m/1", message_id="m", source=GrowingText(text))


EXAMPLES = {
    "a paragraph": (PROSE, PROSE),
    "an item of a list": (f"- {PROSE}\n  - {PROSE}", f"• {PROSE}\n  • {PROSE}"),
    "a paragraph in an item": (f"- a\n\n  {PROSE}", f"• a\n\n{PROSE}"),
    "a quote": (f"> {PROSE}\n>\n> b", f"{PROSE}\n\nb"),
    "code": (f"```\nif x:\n    {PROSE}\n```", f"if x:\n    {PROSE}"),
    "code in a list": (f"1. a\n   ```\n   x\n     {PROSE}\n   ```", f"1. a\nx\n  {PROSE}"),
    "a heading": (f"# {PROSE}", PROSE),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_what_the_model_said_is_copied_without_soft_wraps(name):
    text, expected = EXAMPLES[name]
    assert copied(answer(text)) == expected


words = st.lists(
    st.sampled_from(["a", "word", "longer-word", "你好，", "世界。", "x" * 50, "**b**", "`c d`"]), min_size=1
)


@given(words.map(" ".join), st.integers(20, 60))
@example("x" * 100, 20)
@settings(deadline=None)
def test_the_width_does_not_matter(text, width):
    for item in (answer(f"{text}\n\n- {text}\n\n> {text}"), PromptItem(id="p", message_id="p", text=text)):
        assert copied(item, width=width, is_expanded=True) == copied(item, width=4_000, is_expanded=True)


@given(st.lists(st.text("ab 你\t", max_size=90), min_size=1), st.integers(20, 60))
@settings(deadline=None)
def test_the_output_of_a_call_is_copied_as_it_came(lines, width):
    text = "\n".join(("begin", *(line.rstrip() for line in lines), "end"))
    item = CallItem(
        id="m/c", message_id="m", call_id="c", name="work", phase="done", arguments={}, content=(TextPart(text),)
    )
    assert copied(item, width=width, is_expanded=True).endswith(text.expandtabs(4))


def test_thoughts_are_copied_without_their_indent():
    item = ReasoningItem(id="m/1", message_id="m", source=GrowingText(PROSE), ended=1.0, is_finished=True)
    assert copied(item, is_expanded=True).split("\n")[1:] == [PROSE]


@pytest.mark.parametrize("wanted", ["lazy dog, and", "word", "a bold answer", "nowhere", "你好，世界 is"])
def test_as_many_matches_are_counted_as_there_are_to_go_to(wanted):
    items = DrawnItems(draw_item, look(33))
    items.order(Story(messages(0, 6, f"a **bold** answer, word by word: `word`. {PROSE}")).view)
    search = TranscriptSearch(wanted)
    spots = set()
    spot = search.step(items, Spot(items.entries[0], 0, -1), 1)
    while spot is not None and spot not in spots:
        spots.add(spot)
        spot = search.step(items, spot, 1)
    assert search.count(items) == len(spots)
    assert bool(spots) == (wanted != "nowhere")
