"""The transcript of a run, from its events."""

import asyncio
import io
from itertools import count

import pytest

from toolpost.cli.shared.render import Transcript
from toolpost.cli.shared.terminal_writer import TerminalWriter
from toolpost.tools.untrusted import untrusted
from toolpost.types.events import (
    MessageEnd,
    MessageUpdate,
    Retry,
    StepStarted,
    ToolCalled,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
)
from toolpost.types.messages import ErrorInfo, FilePart, Message, ReasoningPart, StepFinish, StepStart, TextPart

numbers = count(1)


def stamp():
    return next(numbers), "ses_1", 0.0


def said(text, kind="text", message="msg_1"):
    return MessageUpdate(*stamp(), message, 1 if kind == "reasoning" else 2, kind, text)


def whole(text, message="msg_1"):
    parts = (StepStart(1, "m"), ReasoningPart(""), TextPart(text), StepFinish("stop"))
    return MessageEnd(*stamp(), Message(message, "assistant", parts))


def called(call_id, name="work", **arguments):
    return ToolCalled(*stamp(), "msg_1", call_id, name, arguments)


def started(call_id, name="work", **arguments):
    return ToolExecutionStart(*stamp(), "msg_1", call_id, name, arguments)


def ended(call_id, *content, name="work", took=0.5, kind=None, title=""):
    parts = tuple(TextPart(part) if isinstance(part, str) else part for part in content)
    return ToolExecutionEnd(*stamp(), "msg_1", call_id, name, parts, took, kind is not None, kind, title)


def shown(*events, hidden=frozenset()):
    """What is written to stdout and to stderr, neither of them a terminal."""
    out, err = io.StringIO(), io.StringIO()
    transcript = Transcript(TerminalWriter(out), TerminalWriter(err), hidden=hidden)
    for event in events:
        transcript.handle(event)
    transcript.end()
    return out.getvalue(), err.getvalue()


def test_a_long_result_is_shortened_and_says_by_how_much():
    _, err = shown(called("1"), started("1"), ended("1", "\n".join(f"row {n}" for n in range(126))))
    lines = err.splitlines()
    assert lines == ["● work", *(f"  row {n}" for n in range(6)), "  … 120 more lines  0.5 s"]


def test_one_line_more_than_fits_is_shown_instead_of_counted():
    _, err = shown(called("1"), started("1"), ended("1", "\n".join(f"row {n}" for n in range(7))))
    assert "more line" not in err


def test_an_error_is_marked_with_its_kind():
    _, err = shown(called("1"), started("1"), ended("1", "no such city", kind="failed"))
    assert err == "● work\n  ✗ failed: no such city  0.5 s\n"


@pytest.mark.parametrize("kind", [None, "failed"])
def test_marks_that_are_for_the_model_are_not_shown(kind):
    _, err = shown(called("1"), started("1"), ended("1", untrusted("no such city", "MCP server weather"), kind=kind))
    assert "no such city  0.5 s\n" in err
    assert "untrusted" not in err


def test_a_call_that_never_began_is_shown_with_its_arguments():
    _, err = shown(called("1", city="Tokyo"), ended("1", "denied by a rule", took=0.0, kind="denied"))
    assert err == '● work  city="Tokyo"\n  ✗ denied: denied by a rule\n'


def test_empty_output_and_images_are_named():
    _, err = shown(
        called("1"), started("1"), ended("1", ""), called("2"), started("2"), ended("2", FilePart("image/png"))
    )
    assert err == "● work\n  (no output)  0.5 s\n● work\n  [image/png]  0.5 s\n"


def test_a_result_is_shown_behind_what_was_only_progress():
    def progress():
        return ToolExecutionUpdate(*stamp(), "1", "work", "reading…\n")

    _, err = shown(called("1"), started("1"), progress(), ended("1", "12 lines"))
    assert err == "● work\n  reading…\n  12 lines  0.5 s\n"
    _, err = shown(called("1"), started("1"), progress(), ended("1", ""))
    assert err == "● work\n  reading…\n  ✓  0.5 s\n"


async def test_calls_side_by_side_are_shown_one_below_the_other():
    _, err = shown(
        called("1", n=1), called("2", n=2), started("1", n=1), started("2", n=2), ended("2", "b"), ended("1", "a")
    )
    assert err == "● work  n=2\n  b  0.5 s\n● work  n=1\n  a  0.5 s\n"


async def test_live_lines_of_two_calls_say_whose_they_are():
    def update(call_id, text):
        return ToolExecutionUpdate(*stamp(), call_id, "work", text)

    events = [called("1", n=1), called("2", n=2), started("1", n=1), started("2", n=2)]
    events += [update("1", "a1\na"), update("2", "b1\n"), update("1", "2\n"), ended("2", "b1"), ended("1", "a1\na2")]
    _, err = shown(*events)
    assert err.splitlines() == [
        *("● work  n=1", "  a1", "● work  n=2", "  b1", "↳ work  n=1", "  a2"),
        *("↳ work  n=2", "  ✓  0.5 s", "↳ work  n=1", "  ✓  0.5 s"),
    ]


async def test_slow_calls_side_by_side_are_announced_before_they_end():
    announced = asyncio.Event()

    class Screen(io.StringIO):
        def write(self, text):
            if "n=2" in text:
                announced.set()
            return super().write(text)

    err = Screen()
    transcript = Transcript(TerminalWriter(io.StringIO()), TerminalWriter(err))
    for event in (called("1", n=1), called("2", n=2), started("1", n=1), started("2", n=2)):
        transcript.handle(event)
    assert err.getvalue() == ""
    await asyncio.wait_for(announced.wait(), 10)
    assert err.getvalue() == "● work  n=1\n● work  n=2\n"


def test_reasoning_is_not_part_of_a_piped_answer():
    out, err = shown(said("hm", "reasoning"), said("yes"))
    assert (out, err) == ("yes\n", "")


def test_hidden_calls_leave_no_trace():
    _, err = shown(called("1", "final_output"), ended("1", "Accepted.", name="final_output"), hidden={"final_output"})
    assert err == ""


def test_while_a_person_is_asked_nothing_is_written_and_nothing_is_lost():
    out, err = io.StringIO(), io.StringIO()
    transcript = Transcript(TerminalWriter(out), TerminalWriter(err))
    transcript.handle(said("a"))
    transcript.handle(whole("a"))
    transcript.hold()
    transcript.handle(said("b", message="msg_2"))
    transcript.handle(whole("b", message="msg_2"))
    assert out.getvalue() == "a\n"
    transcript.release()
    transcript.end()
    assert out.getvalue() == "a\nb\n"


def test_a_retry_says_why_and_when():
    error = ErrorInfo("rate_limit", "slow\x1b[2J down", retryable=True)
    _, err = shown(StepStarted(*stamp(), 1, "m"), Retry(*stamp(), 2, 4.0, 0.0, error))
    assert err == "retrying in 4 s (attempt 2): slow\\x1b[2J down\n"
