"""Calls that are written a little wrong are mended where there is one reading, and are errors where there is none."""

import pytest
from call_look_alikes import FENCES, QUOTED
from call_samples import CET, OSLO, SAMPLES, TOOLS, Sample, T, W
from call_slips import SLIPS, Slip
from scan_play import calls, scan, shown

import toolpost
from toolpost.models.prompted.scanner import CallScanner
from toolpost.types.stream import StreamEvent, ToolCall


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.about)
def test_a_slip_is_mended_or_told(slip: Slip) -> None:
    found = toolpost.extract_calls(slip.written, tools=TOOLS)
    assert [(call.name, call.arguments) for call in found.calls] == slip.calls
    assert found.text.strip() == slip.text.strip()
    assert tuple(call.name for call in found.broken) == slip.problems


def whole(events: list[StreamEvent]) -> list[ToolCall]:
    return [event for event in events if isinstance(event, ToolCall)]


def test_a_problem_is_one_short_text_that_says_how_to_put_it_right() -> None:
    text = '<tool_call>{"name": "get_weather", "arguments": {"city": Oslo}}</tool_call>'
    (call,) = toolpost.extract_calls(text, tools=TOOLS).broken
    assert call.problem == (
        "get_weather: 'Oslo' is not a value. Write the call again with its arguments as one JSON object "
        '{"city": string, "days"?: integer, "units"?: "metric" | "imperial"}.'
    )


def test_a_call_that_cannot_be_read_keeps_its_text_and_is_not_run() -> None:
    (call,) = whole(scan('<tool_call>{"name": "get_weather", "arguments": {"city": Oslo}}</tool_call>'))
    assert (call.arguments, call.raw) == ({}, '{"city": Oslo}')


def test_what_was_mended_is_marked() -> None:
    (call,) = whole(scan("<tool_call>{'name': 'get_weather', 'arguments': {'city': 'Oslo'}}</tool_call>"))
    assert call.arguments == {"city": "Oslo"}
    assert call.metadata == {"prompted": {"mended": True}}


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "run", "arguments": {"command": "rm -rf /tmp/x',
        '<tool_call>{"name": "run", "arguments": {"command": "rm -rf /tmp"}',
        "<function=run><parameter=command>rm -rf /tmp",
        '{"name": "run", "arguments": {"command": "rm -rf /tmp',
        "[run(command='rm -rf /tmp",
        "<tool_call>run<arg_key>command</arg_key><arg_value>rm -rf /tmp",
        '<|tool_call>call:run{command:<|"|>rm -rf /tmp',
    ],
)
def test_a_call_cut_at_the_length_limit_is_never_run(text: str) -> None:
    scanner = CallScanner(TOOLS)
    cut = scanner.feed(text) + scanner.close(cut=True)
    assert not calls(cut)
    assert [call.raw != "" for call in whole(cut)] in ([True], [])


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: f"{sample.dialect}: {sample.written[:30]}")
def test_wherever_a_text_is_cut_off_no_call_runs_but_those_that_are_whole(sample: Sample) -> None:
    for cut in range(len(sample.written)):
        scanner = CallScanner(TOOLS, sample.dialect)
        found = calls(scanner.feed(sample.written[:cut]) + scanner.close(cut=True))
        assert found == sample.calls[: len(found)], sample.written[:cut]


@pytest.mark.parametrize("text", [*QUOTED, *FENCES])
def test_what_only_looks_like_a_call_does_not_run_because_it_was_cut_off(text: str) -> None:
    for cut in range(len(text)):
        scanner = CallScanner(TOOLS)
        assert not calls(scanner.feed(text[:cut]) + scanner.close(cut=True)), text[:cut]


def test_a_whole_call_before_the_cut_is_run() -> None:
    scanner = CallScanner(TOOLS)
    text = f'<tool_call>{W}</tool_call><tool_call>{{"name": "get_time", "arguments": {{"zone": "C'
    events = scanner.feed(text) + scanner.close(cut=True)
    assert calls(events) == [OSLO]


def test_an_unknown_name_in_a_batch_stands_among_the_others() -> None:
    text = f'[TOOL_CALLS] [{W}, {{"name": "nobody", "arguments": {{}}}}, {T}]'
    events = scan(text)
    assert calls(events) == [OSLO, ("nobody", {}), CET]
    assert not shown(events).strip()


def test_a_long_name_is_not_compared_with_anything() -> None:
    assert not calls(scan(f'<tool_call>{{"name": "{"get_weather" * 2000}", "arguments": {{}}}}</tool_call>'))
