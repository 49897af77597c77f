"""Markdown as lines of a terminal: what it looks like, and that it never depends on how it was streamed."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_drawing import PaneApp
from transcript_play import messages

from toolpost.tui.drawing import markdown
from toolpost.tui.drawing.contract import Look
from toolpost.tui.drawing.items import draw_item
from toolpost.tui.themes import THEMES
from toolpost.types.messages import Completed, Message, ReasoningPart, TextPart, ToolPart
from toolpost.view.growing_text import GrowingText
from toolpost.view.items import TextItem
from toolpost.view.transcript import TranscriptView

PIECES = (
    *("# ", "## Head\n", "\n", "\n\n", "- ", "  - ", "1. ", "2) ", "> ", "```", "```python\n", "~~~\n", "    "),
    *("| a | b |\n", "|---|:-:|\n", "| 1 | 2 |\n", "---\n", "===\n", "**", "*", "`", "[x]: http://y", "\\"),
    "[x](https://a.b/c)",
    *("word ", "some longer words ", "你好，世界。", "（中文）", "é", "👨‍👩‍👧", "❤️"),
    *("\x1b[31m", "\x1b]0;t", "\x07", "\r", "\t"),
    *("\u2028", "\x85", "\ud800", "\u200d", "\ufe0f", "\u0301", "def f(): '''", "/* ", "*/", "- [ ] t", "<br>"),
)
# Characters by their names and numbers, in all the places that Markdown has for text.
ENTITIES = st.sampled_from(["&Tab;", "&NewLine;", "&#13;", "&#x1b;]0;t&#7;", "&#155;31m", "&shy;"]) | st.builds(
    "&#{};".format, st.integers(0, 0xA0) | st.integers(0x2028, 0x2029) | st.integers(0xD7FF, 0xE000)
)
PLACES = (
    *("a{}b", "# {} head\n", "{}\n===\n", "- {}x\n", "> {}\n", "`{}`", "```{0}\nx{0}y\n```\n", "    {}\n", "<b{}>"),
    *("| {0} | b |\n|---|---|\n| {0} | x{0}y |\n", "**{}**", "~~{}~~", "\\{}", "<br>{}", "- [ ] {}\n"),
    *("[x{0}y](https://a.b/{0}z '{0}')", "![i{0}m](https://a.b/{0})", "![](https://a.b/{0})", "<https://a.b/{0}>"),
    *("[x{0}]\n\n[x{0}]: https://a.b/{0} '{0}'\n\n[x{0}]\n", "https://a.b/{}", "[x]( <a{0}b> )"),
)
entity_texts = st.lists(st.builds(str.format, st.sampled_from(PLACES), ENTITIES), max_size=8).map("".join)
texts = st.lists(st.sampled_from(PIECES) | st.text(max_size=8), max_size=40).map("".join)


def look(width=40, theme="terminal", **changes):
    return Look(width, THEMES[theme], **changes)


def drawing(text="", **changes):
    source = GrowingText(text)
    return draw_item(TextItem(id="m/1", message_id="m", source=source), look(**changes)), source


def lines(text, width=40, **changes):
    return [strip.text.rstrip() for strip in drawing(text, width=width, **changes)[0].lines]


def streamed(chunks, **changes):
    """The lines after each chunk was fed on its own, with the changed ones taken over only."""
    drawn, source = drawing(**changes)
    item = TextItem(id="m/1", message_id="m", source=source)
    kept = list(drawn.lines)
    for chunk in chunks:
        source.add(chunk)
        first = drawn.update(item)
        kept = [*kept[:first], *drawn.lines[first:]]
    assert kept == list(drawn.lines)
    return kept


@given(texts, st.data())
@settings(max_examples=300, deadline=None)
def test_the_lines_do_not_depend_on_how_a_text_was_cut(text, data):
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=12)))
    chunks = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    width = data.draw(st.sampled_from([5, 20, 33, 80]))
    assert streamed(chunks, width=width) == list(drawing(text, width=width)[0].lines)


def has_controls(text):
    return any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in text)


@given(texts | entity_texts, st.sampled_from([1, 7, 20, 41, 300]))
@settings(max_examples=400, deadline=None)
def test_no_line_is_too_wide_or_has_controls(text, width):
    for strip in drawing(text, width=width)[0].lines:
        assert strip.cell_length <= width
        assert not has_controls(strip.text)
        assert not any(has_controls(part.style.link or "") for part in strip if part.style)


@given(entity_texts, entity_texts, entity_texts)
@settings(max_examples=150, deadline=None)
def test_nothing_that_is_drawn_as_markdown_has_controls(answer, thought, given):
    """An entity is a control only once Markdown is read: no item, whoever wrote it, may have one on the screen."""
    result = Completed({"url": given}, (TextPart(given),), 0.0, 1.0, given, {"note": given})
    call = ToolPart("c1", "web_fetch", result)
    answered = Message("a", "assistant", (ReasoningPart(thought), call, TextPart(answer)), "p")
    view = TranscriptView("s")
    view.open([Message("p", "user", (TextPart(given),)), answered])
    for item in view.items:
        for is_expanded in (False, True):
            drawn = draw_item(item, look(60, is_expanded=is_expanded))
            assert not any(has_controls(strip.text) for strip in drawn.lines)


async def test_the_text_that_is_left_for_the_terminal_has_no_controls():
    """Leaving the screen writes its end as it is: nothing stands between the drawn lines and the terminal then."""
    view = TranscriptView("s")
    view.open(messages(0, 2, text="harmless &#13;Allowed: yes &#155;2J"))
    app = PaneApp(view, draw_item)
    async with app.run_test() as pilot:
        app.pane.use_look(look(60))
        await pilot.pause()
        left = app.pane.plain_text()
    assert "harmless Allowed: yes" in left
    assert not has_controls(left.replace("\n", ""))


def test_a_control_that_is_written_as_an_entity_moves_no_cursor():
    assert lines("harmless &#13;Allowed: yes") == ["harmless Allowed: yes"]
    assert lines("a&Tab;b&NewLine;c &#12;`&#13;`") == ["a   b c ␌&#13;"]


@given(st.sampled_from([markdown.MAX_LINE, markdown.MAX_PARAGRAPH, 5]), st.integers(300, 2_500))
@settings(max_examples=15, deadline=None)
def test_very_long_lines_and_paragraphs_are_drawn_the_same_in_any_chunks(length, size):
    text = "words and " * (length // 8) + "\n" + "x" * 3 * length + "\nline" * length + "\n```\n" + "y" * 3 * length
    chunks = [text[at : at + size] for at in range(0, len(text), size)]
    assert streamed(chunks) == list(drawing(text)[0].lines)


def test_nothing_of_a_plain_text_is_lost():
    text = "".join(f"word{number} " for number in range(5_000))
    assert "".join(lines(text)).replace(" ", "") == text.replace(" ", "")


EXAMPLES = {
    "headings have no marks": ("# One\ntext\n## Two\n\nmore", ["One", "text", "", "Two", "", "more"]),
    "emphasis is styled": ("a **b** *c* ~~d~~ `e`", ["a b c d e"]),
    "HTML is text": ("<b>x</b><br>y <!-- z -->", ["<b>x</b>", "y <!-- z -->"]),
    "a link says where it leads": ("[docs](https://a.b/c) <https://a.b>", ["docs (https://a.b/c) https://a.b"]),
    "lists": ("- a\n- b\n  c\n  - d\n\n- e", ["• a", "• b c", "  • d", "", "• e"]),
    "numbers go on": ("3. a\n3. b\n   - c\n3. d\n\nx\n\n3. e", ["3. a", "4. b", "   • c", "5. d", "", "x", "", "3. e"]),
    "a list below a number, indented by two": ("1. a\n  - b\n2. c", ["1. a", "   • b", "2. c"]),
    "tasks": ("- [ ] a\n- [x] b", ["• ☐ a", "• ☑ b"]),
    "an empty item": ("- a\n-\n- b", ["• a", "•", "• b"]),
    "quotes": ("> a\nb\n> > c\n\nd", ["▌ a b", "▌ ▌ c", "", "d"]),
    "a rule": ("a\n\n***\nb", ["a", "", "─" * 40, "", "b"]),
    "code": ("a\n```py\ndef f():\n\tpass\n```\nb", ["a", "", "  py", "  def f():", "      pass", "", "b"]),
    "code in a list": ("1. a\n   ```\n   x\n     y\n   ```\n2. b", ["1. a", "     x", "       y", "2. b"]),
    "indented code": ("a\n\n    x\n\n      y\nb", ["a", "", "  x", "", "    y", "", "b"]),
    "a table": ("| a | b |\n|---|--:|\n| `x|y` | 1 |\n", ["a   │ b", "────┼──", "x|y │ 1"]),
    "a table with Chinese": ("|名|x|\n|-|-|\n|中文|1|", ["名   │ x", "─────┼──", "中文 │ 1"]),
    "bars without a table": ("a | b\nc", ["a | b c"]),
    "an address that is named": ("[x]: https://a.b\n\n[x]", ["[x]: https://a.b", "", "x (https://a.b)"]),
    "words are wrapped": ("aaaa " * 10, ["aaaa " * 7 + "aaaa", "aaaa aaaa"]),
    "Chinese is wrapped between signs": ("中" * 20 + "，" + "文", ["中" * 19, "中，文"]),
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_blocks_are_drawn(name):
    text, expected = EXAMPLES[name]
    assert lines(text) == expected


def test_without_unicode_there_are_only_plain_marks():
    text = "- a\n- [x] b\n\n> c\n\n---\n\n| a | b |\n|-|-|\n| 1 | 2 |"
    assert "".join(lines(text, has_unicode=False)).isascii()


def links(text):
    return {segment.style.link for strip in drawing(text)[0].lines for segment in strip if segment.style.link}


def test_only_addresses_that_are_safe_lead_somewhere():
    text = (
        "[a](https://x.y/z) [b](javascript:alert) [c](file:///etc) [d](mailto:a@b.c) http://bare.x/q. ![i](http://i.x)"
    )
    assert links(text) == {"https://x.y/z", "mailto:a@b.c", "http://bare.x/q", "http://i.x"}


def colours(text, theme="dark"):
    return [
        (segment.text.strip(), segment.style.color.name)
        for strip in drawing(text, theme=theme)[0].lines
        for segment in strip
        if segment.style is not None and segment.style.color is not None and segment.text.strip()
    ]


def test_code_is_highlighted_over_several_lines():
    python = dict(colours('```python\nx = """a\nb = 1\n"""\ny = 1\n```'))
    assert python["b = 1"] == python["a"] != python["y"]
    script = dict(colours("```js\n/* one\ntwo */ let z = 1;\n```"))
    assert script["two */"] == script["/* one"] != script["z"]


def test_code_in_an_unknown_language_is_text():
    assert lines("```nosuch\n<x> [y]\n```") == ["  nosuch", "  <x> [y]"]


def test_a_table_that_does_not_fit_is_wrapped_in_its_cells():
    shown = lines("| name | what |\n|---|---|\n| a | " + "some words " * 10 + "|", width=30)
    assert shown[0].startswith("name │ what")
    assert len(shown) > 5
    assert all("│" in line for line in shown if "┼" not in line)


def test_a_table_that_grows_keeps_the_widths_that_its_first_rows_gave_it():
    head, row = "| a | b |\n|---|---|\n", "| 1 | two |\n"
    few = head + row * markdown.MEASURED_ROWS
    shown = lines(few + "| 1 | much longer than the ones before |\n")
    assert shown[: markdown.MEASURED_ROWS + 2] == lines(few)


def test_finished_blocks_are_not_drawn_again():
    drawn, source = drawing("First.\n\nSecond.\n\nThird")
    source.add(" goes on.")
    assert drawn.update(TextItem(id="m/1", message_id="m", source=source)) == 4


def test_a_text_that_another_takes_the_place_of_is_drawn_anew():
    drawn, _ = drawing("First attempt.\n\nIt fails")
    other = TextItem(id="m/1", message_id="m", source=GrowingText("Second."))
    assert drawn.update(other) == 0
    assert [strip.text for strip in drawn.lines] == ["Second."]
    same = TextItem(id="m/1", message_id="m", source=GrowingText("Second."), is_finished=True)
    assert drawn.update(same) == 1
