"""Every kind of item has a drawing: what it says folded and open, in both languages."""

import re
import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.tui.drawing.contract import Look
from toolpost.tui.drawing.items import PROMPT_LINES, draw_item
from toolpost.tui.themes import THEMES
from toolpost.types.events import Question
from toolpost.types.messages import ErrorInfo, FilePart, SourceLink, Usage
from toolpost.view.growing_text import GrowingText
from toolpost.view.items import (
    ApprovalItem,
    CompactionItem,
    FileItem,
    NoticeItem,
    PromptItem,
    QuestionItem,
    ReasoningItem,
    RunEndItem,
)


def look(width=60, **changes):
    return Look(width, THEMES["terminal"], **changes)


def shown(item, **changes):
    return [strip.text.rstrip() for strip in draw_item(item, look(**changes)).lines]


def prompt(text, **fields):
    return PromptItem(id="p", text=text, message_id="p", **fields)


def reasoning(text, **fields):
    return ReasoningItem(id="r", message_id="m", source=GrowingText(text), **fields)


def test_a_prompt_with_its_files_and_sources():
    item = prompt(
        "Look at [this]\nand **that**.",
        files=(FilePart("image/png", data="AAAA" * 10, name="a.png"),),
        sources=(SourceLink("https://a.b/c", "A page"),),
        is_steered=True,
    )
    assert shown(item) == [
        "❯ Look at [this]",
        "  and **that**.",
        "  Sent while it was working",
        "  ▪ a.png  image/png, 30 B",
        "  Sources",
        "  - A page",
    ]


def test_a_long_prompt_is_folded():
    item = prompt("\n".join(map(str, range(100))))
    lines = shown(item)
    assert len(lines) == PROMPT_LINES + 1
    assert lines[-1] == "  … 88 more lines"
    assert len(shown(item, is_expanded=True)) == 100


def test_reasoning_shows_its_end_while_it_goes_on_and_then_how_long_it_took():
    source = GrowingText("\n".join(f"thought {number}" for number in range(20)))
    item = ReasoningItem(id="r", message_id="m", source=source, started=10.0)
    drawing = draw_item(item, look())
    assert [strip.text for strip in drawing.lines] == [
        "▸ Thinking…", "  thought 17", "  thought 18", "  thought 19",
    ]  # fmt: skip
    source.add("\nlast")
    assert drawing.update(item) == 1
    assert drawing.lines[-1].text == "  last"
    ended = reasoning("x", started=10.0, ended=14.2, is_finished=True)
    assert drawing.update(ended) == 0
    assert [strip.text for strip in drawing.lines] == ["▸ Thought for 4 s"]


def test_reasoning_that_is_open_shows_all():
    item = reasoning("one\n\ntwo", started=1.0, ended=3.0, is_finished=True)
    assert shown(item, is_expanded=True) == ["▾ Thought for 2 s", "  one", "", "  two"]
    assert shown(reasoning("x", is_finished=True), has_unicode=False) == ["+ Thought"]


def test_a_file_that_the_model_makes():
    assert shown(FileItem(id="f", message_id="m", mime="image/png")) == ["▪ image/png  image/png …"]
    whole = FilePart("image/png", url="https://a.b/c.png")
    assert shown(FileItem(id="f", message_id="m", mime="image/png", file=whole)) == ["▪ c.png  image/png"]


def test_asks_say_shortly_that_they_wait():
    ask = ApprovalItem(id="a", permission="bash", patterns=("rm -rf x",), agent="explore")
    assert shown(ask) == ["? Waiting for your approval  explore: bash rm -rf x"]
    question = QuestionItem(id="q", fields=(Question("Which one?"), Question("And why?")))
    assert shown(question) == ["? Waiting for you  Which one?", "? Waiting for you  And why?"]


def test_a_retry_counts_down():
    error = ErrorInfo("overloaded", "529 overloaded")
    item = NoticeItem(id="n", code="retry", text="retry", data={"attempt": 1}, error=error, until=110.0)
    drawing = draw_item(item, look(width=100))
    drawing.update(item, now=107.5)
    assert "Attempt 2 in   3 s" in " ".join(strip.text for strip in drawing.lines)
    assert shown(item, width=100, is_expanded=True)[-1] == "  529 overloaded"


def test_a_retry_counts_down_from_its_first_drawing():
    item = NoticeItem(id="n", code="retry", text="retry", data={"attempt": 1}, until=time.time() + 1000.0)
    (seconds,) = re.findall(r"Attempt 2 in +(\d+) s", " ".join(shown(item, width=100)))
    assert 0 <= int(seconds) <= 1000


def test_a_compaction_shows_its_summary_when_it_is_open():
    item = CompactionItem(id="c", tokens=12_000, summary="# Before\n\nMuch.")
    (line,) = shown(item)
    assert line.startswith("── Earlier messages were summarised (12,000 tokens). ──")
    assert shown(item, is_expanded=True)[1:] == ["  Before", "", "  Much."]


def test_the_end_of_a_run_says_what_it_took():
    took = {"steps": 3, "usage": Usage(12_000, 345), "cost": 0.0123, "seconds": 34.5}
    done = RunEndItem(id="m/end", reason="done", **took)
    assert shown(done) == ["✓ steps: 3 · tokens: 12,345 · $0.0123 · 34.5 s"]
    failed = RunEndItem(id="m/end", reason="error", error=ErrorInfo("network", "reset by peer"), steps=1)
    assert shown(failed) == [
        "✗ The connection to the model’s provider broke. Try again.", "  reset by peer", "  steps: 1",
    ]  # fmt: skip
    assert shown(RunEndItem(id="m/end", reason="limit", limit="max_steps")) == ["■ Ended at a limit: max_steps."]
    assert shown(done, language="zh") == ["✓ 3 步 · 12,345 个词元 · $0.0123 · 34.5 s"]


@given(st.text(), st.sampled_from([1, 9, 30, 80]), st.booleans())
@settings(max_examples=150, deadline=None)
def test_whatever_an_item_says_fits_and_is_harmless(text, width, is_expanded):
    file = FilePart(text, name=text, url=text)
    items = (
        prompt(text, files=(file,), sources=(SourceLink(text, text),)),
        reasoning(text),
        FileItem(id="f", message_id="m", mime=text, file=file),
        ApprovalItem(id="a", permission=text, patterns=(text,), title=text, agent=text),
        QuestionItem(id="q", fields=(Question(text),)),
        NoticeItem(id="n", code="other", text=text, error=ErrorInfo("x", text)),
        CompactionItem(id="c", summary=text),
        RunEndItem(id="e", reason="error", error=ErrorInfo("x", text), steps=1),
    )
    for item in items:
        for strip in draw_item(item, look(width, is_expanded=is_expanded)).lines:
            assert strip.cell_length <= width
            assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in strip.text)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_kinds_have_words_in_both_languages(language):
    assert shown(reasoning("x", is_finished=True), language=language) == [{"en": "▸ Thought", "zh": "▸ 思考"}[language]]
