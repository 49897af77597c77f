"""Nothing waits longer than it must, and nothing costs more because there is more of it."""

import json
import time

import pytest
from call_samples import OSLO, TOOLS, W
from scan_play import calls, joined, scan, shown

import toolpost
from toolpost.models.prompted.scanner import CallScanner
from toolpost.types.stream import ToolCall, ToolInputDelta, ToolInputEnd, ToolInputStart

PROSE = """It's a < b, [1] and {x}: see [docs](https://example.org) or f(x) = "y".

- One point, **bold**, 5 > 3
- A second; `code` too

```python
x = {"a": [1, 2]}
if x < y: print("<b>")
```
| a | b |
"""


def feed_all(text: str, size: int = 1) -> list[tuple[str, str]]:
    """After each piece: what was fed so far, and what was shown."""
    scanner = CallScanner(TOOLS)
    seen, steps = "", []
    for start in range(0, len(text), size):
        seen += shown(scanner.feed(text[start : start + size]))
        steps.append((text[: start + size], seen))
    return steps


def test_prose_is_shown_at_once_but_for_what_may_begin_a_marker() -> None:
    for fed, seen in feed_all(PROSE):
        held = fed[len(seen) :]
        assert fed.startswith(seen)
        # A brace or bracket waits for what follows it, a fence for its first lines.
        assert len(held) <= 20 or "```" in held, held


def test_a_word_is_shown_with_its_last_letter() -> None:
    for fed, seen in feed_all('Plain words, with commas. And (brackets), even: quotes "so" and it\'s fine!\nNew line.'):
        assert seen == fed


@pytest.mark.parametrize("text", ["a < b", "x <- y", "2<3", "a <b>bold</b>", "see [1]", "f{x}", "<3 you"])
def test_what_cannot_become_a_marker_any_more_is_let_go(text: str) -> None:
    scanner = CallScanner(TOOLS)
    assert shown(scanner.feed(f"So {text}.")) == f"So {text}."


def test_a_json_answer_is_let_go_at_the_first_key_that_no_call_has() -> None:
    scanner = CallScanner(TOOLS)
    assert shown(scanner.feed('{"temperature":')) == '{"temperature":'
    assert shown(scanner.feed(' 5, "city": "Oslo')) == ' 5, "city": "Oslo'


def test_a_json_answer_with_a_name_that_is_no_tools_is_let_go_with_the_name() -> None:
    scanner = CallScanner(TOOLS)
    assert shown(scanner.feed('{"name": "Alice", "')) == '{"name": "Alice", "'


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "', '"}}</tool_call>'),
        ("<function=write_file><parameter=path>a</parameter><parameter=content>", "</parameter></function>"),
        ('<invoke name="write_file"><parameter name="path">a</parameter><parameter name="content">', "</parameter>"),
        (
            "<tool_call>write_file<arg_key>path</arg_key><arg_value>a</arg_value><arg_key>content</arg_key><arg_value>",
            "",
        ),
        ('[TOOL_CALLS]write_file[ARGS]{"path": "a", "content": "', '"}'),
        ('<|channel|>commentary to=functions.write_file<|message|>{"path": "a", "content": "', '"}<|call|>'),
    ],
)
def test_arguments_go_out_as_they_come(before: str, after: str) -> None:
    scanner = CallScanner(TOOLS)
    begun = scanner.feed(before)
    assert [event.name for event in begun if isinstance(event, ToolInputStart)] == ["write_file"]
    going = scanner.feed("some text\nand ")
    assert "some text" in "".join(event.text for event in going if isinstance(event, ToolInputDelta))
    ended = scanner.feed("more" + after) + scanner.close()
    assert calls(ended)[0][1]["path"] == "a"
    assert calls(ended)[0][1]["content"].startswith("some text\nand more")


@pytest.mark.parametrize(
    "text",
    [
        f"<tool_call>{W}</tool_call>",
        '<function=get_weather><parameter=city>O"s\\l\no</parameter><parameter=days>3</parameter></function>',
        "[get_weather(city='Oslo', days=3)]",
        '<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>,days:3}<tool_call|>',
        '{"tool": "get_weather", "city": "Oslo"}',
        "<function=get_time></function>",
    ],
)
def test_the_deltas_of_a_call_are_the_json_of_its_arguments(text: str) -> None:
    events = scan(text, range(len(text)))
    deltas = "".join(event.text for event in events if isinstance(event, ToolInputDelta))
    (call,) = [event for event in events if isinstance(event, ToolCall)]
    assert json.loads(deltas) == call.arguments


def test_the_events_of_a_call_stand_in_order_and_share_an_id() -> None:
    events = scan(f"Hi.\n<tool_call>{W}</tool_call>")
    assert [row[0] for row in joined(events)] == [
        *("text-delta", "tool-input-start", "tool-input-delta", "tool-input-end", "tool-call")
    ]
    kinds = ToolInputStart | ToolInputDelta | ToolInputEnd | ToolCall
    assert len({event.id for event in events if isinstance(event, kinds)}) == 1


def test_a_call_comes_out_with_its_last_bracket_not_at_the_end() -> None:
    scanner = CallScanner(TOOLS)
    assert calls(scanner.feed(f"<tool_call>{W}")) == [OSLO]


def test_a_scanner_that_was_closed_takes_no_more_text() -> None:
    scanner = CallScanner(TOOLS)
    scanner.feed("Hi <tool_c")
    assert shown(scanner.close()) == "<tool_c"
    assert scanner.close() == []
    assert scanner.feed("") == []
    with pytest.raises(RuntimeError, match="make a new one"):
        scanner.feed("more")


def test_the_calls_of_an_extraction_stand_in_order_and_its_text_holds_none_of_them() -> None:
    text = f"One <tool_call>{W}</tool_call> two\n[TOOL_CALLS]get_time[ARGS]{{}} three"
    found = toolpost.extract_calls(text, tools=TOOLS)
    assert [call.name for call in found.calls] == ["get_weather", "get_time"]
    assert found.text.split() == ["One", "two", "three"]


def cost(before: str, body: str, after: str, size: int) -> float:
    """Seconds of CPU a character, fed in pieces of four."""
    text = before + body * (size // len(body)) + after
    pieces = [text[start : start + 4] for start in range(0, len(text), 4)]
    scanner = CallScanner(TOOLS)
    begun = time.process_time()
    events = [event for piece in pieces for event in scanner.feed(piece)] + scanner.close()
    spent = time.process_time() - begun
    assert len([event for event in events if isinstance(event, ToolCall)]) == 1
    return spent / len(text)


@pytest.mark.parametrize(
    ("before", "body", "after"),
    [
        (
            '<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "',
            "some code\\n",
            '"}}</tool_call>',
        ),
        (
            "<function=write_file><parameter=path>a</parameter><parameter=content>",
            "<p>code</p>\n",
            "</parameter></function>",
        ),
        ('{"name": "write_file", "arguments": {"path": "a", "content": "', 'say \\"hi\\" ', '"}}'),
        ("[write_file(path='a', content='", "some code ", "')]"),
        ('<|tool_call>call:write_file{path:<|"|>a<|"|>,content:<|"|>', "some code\n", '<|"|>}<tool_call|>'),
        ('<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "', "some code\\n", ""),
        ('<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "', 'say "hi" ', 'x"}}</tool_call>'),
        ("<tool_call>", "  \n", W),
        ('Action: write_file\nAction Input: {"path": "a", "content": "', "some code\\n", '"}'),
    ],
)
def test_a_long_argument_costs_no_more_a_character_than_a_short_one(before: str, body: str, after: str) -> None:
    cost(before, body, after, 5_000)
    short = min(cost(before, body, after, 5_000) for _ in range(5))
    long = min(cost(before, body, after, 120_000) for _ in range(2))
    # Were it quadratic, 24 times the length would cost 24 times as much a character.
    assert long < 5 * short


@pytest.mark.parametrize("piece", ["[", '{"a":', '{"tool_call":', '{"function":', "(", '[{"tool_calls":'])
@pytest.mark.parametrize(
    "before", ["", "<tool_call>", '<tool_call>{"name": "get_time", "arguments": ', "[get_time(zone="]
)
def test_deep_nesting_breaks_nothing(before: str, piece: str) -> None:
    text = before + piece * 5_000
    assert not toolpost.extract_calls(text, tools=TOOLS).calls


@pytest.mark.parametrize(
    "piece",
    [
        '"<tool_call> ',
        "` <tool_call>",
        '"x", "y" ',
        '"{"a": ',
        "</parameter>",
        "``` ",
        "{",
        "[",
        "<",
        "`",
        "```\n",
        "<tool_call>",
        '{"name": "',
        "<think>",
        '"',
        "{{[",
        "\n{",
        "> ",
    ],
)
def test_no_text_makes_it_slow(piece: str) -> None:
    def spent(count: int) -> float:
        begun = time.process_time()
        toolpost.extract_calls(piece * count, tools=TOOLS)
        return (time.process_time() - begun) / count

    spent(200)
    assert min(spent(10_000) for _ in range(2)) < 6 * min(spent(500) for _ in range(3)) + 1e-6
