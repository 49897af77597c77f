"""What a dialect writes, the scanner reads back: any call of any tool, in every dialect, alone and in a row."""

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from scan_play import calls, scan, shown

from toolpost.models.prompted.call_writer import GEMMA_QUOTE, SINGLE, SPELLERS, CallToWrite, dump, spell
from toolpost.models.prompted.dialects.table import CLOSERS, DIALECTS

TOOLS: list[dict[str, Any]] = [
    {
        "name": "save",
        "parameters": {
            "type": "object",
            "properties": {
                "title": {"type": "string"},
                "body": {"type": "string"},
                "count": {"type": "integer"},
                "ratio": {"type": "number"},
                "sure": {"type": "boolean"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "numbers": {"type": "array", "items": {"type": "integer"}},
                "place": {
                    "type": "object",
                    "properties": {"street": {"type": "string"}, "number": {"type": "integer"}},
                    "required": ["street"],
                },
            },
            "required": ["title"],
        },
    },
    {
        "name": "look_up",
        "parameters": {"type": "object", "properties": {"words": {"type": "string"}}, "required": ["words"]},
    },
]
HARD = [
    *(
        "",
        "x",
        "Zürich, 東京 😀",
        'say "hi"',
        "it's",
        "a\nb\n\nc",
        "\ttabs\t",
        "C:\\new\\dir",
        r"\d+\.\w",
        "{}",
        "[1]",
        "a, b: c",
    ),
    *("<p class='x'>HTML</p>", "</b>", 'f("x", {"y": 1})', "```js\nx\n```", "# no comment", "// no comment", "/* x */"),
    *("null", "true", "20", "007", '{"name": "look_up", "arguments": {}}', "<|im_end|>", "Action: none", ">>>", "“q”"),
]
plain = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)
texts = st.sampled_from(HARD) | plain | st.lists(st.sampled_from(HARD), max_size=3).map(" ".join)
numbers = st.integers(-(2**40), 2**40)
saves = st.fixed_dictionaries(
    {"title": texts},
    optional={
        "body": texts,
        "count": numbers,
        "ratio": st.sampled_from([0.5, -2.25, 1e-3, 12.0]),
        "sure": st.booleans(),
        "tags": st.lists(texts, min_size=1, max_size=3),
        "numbers": st.lists(numbers, min_size=1, max_size=3),
        "place": st.fixed_dictionaries({"street": texts}, optional={"number": numbers}),
    },
)
some_calls = st.builds(CallToWrite, st.just("save"), saves) | st.builds(
    CallToWrite, st.just("look_up"), st.fixed_dictionaries({"words": texts})
)

# Between these tags white space around a value, or what looks like JSON, cannot be told from the value itself.
TAGS_AS_KEYS = {"minimax_m3", "anthropic_legacy"}
# What ends a string there, and cannot be escaped.
UNSAYABLE = {"gemma4": GEMMA_QUOTE, "functiongemma": "<escape>", "minicpm5_xml": "]]>"}


def told_blind(dialect: str, written: list[CallToWrite]) -> bool:
    """Whether the calls are found without a choice: in a fence, only where it is wholly one."""
    return dialect != "functionary_v32" and (dialect != "gemma_tool_code" or len(written) == 1)


def test_every_dialect_is_written() -> None:
    assert set(SPELLERS) == set(DIALECTS)


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@settings(deadline=None, max_examples=10, suppress_health_check=list(HealthCheck))
@given(st.lists(some_calls, min_size=1, max_size=3), st.data())
def test_what_is_written_is_read_back(dialect: str, written: list[CallToWrite], data: st.DataObject) -> None:
    written = written[:1] if dialect in SINGLE else written
    text = spell(dialect, written)
    assume(dialect not in UNSAYABLE or UNSAYABLE[dialect] not in str(written))
    if dialect in TAGS_AS_KEYS and ("<" in dump(written).replace("</p>", "<") or '""' in dump(written)):
        return
    cuts = data.draw(st.sets(st.integers(0, len(text)), max_size=12))
    for chosen in (dialect, None) if told_blind(dialect, written) else (dialect,):
        events = scan(text, sorted(cuts), chosen, TOOLS)
        assert calls(events) == written
        assert shown(events).strip() == ""


def without_its_end(text: str) -> str:
    """The text as it comes where a stop string ate its last end tags, or the model forgot them."""
    while closer := next((closer for closer in CLOSERS.texts if text.rstrip().endswith(closer)), ""):
        text = text.rstrip().removesuffix(closer)
    return text.rstrip().removesuffix("```").rstrip()


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
def test_a_call_without_its_end_tags_is_a_call(dialect: str) -> None:
    written: list[CallToWrite] = [
        CallToWrite("save", {"title": "a b", "count": 3, "tags": ["x"]}),
        CallToWrite("look_up", {"words": "c"}),
    ]
    written = written[:1] if dialect in SINGLE else written
    text = without_its_end(spell(dialect, written))
    for chosen in (dialect, None) if told_blind(dialect, written) else (dialect,):
        for cuts in ((), range(len(text))):
            assert calls(scan(text, cuts, chosen, TOOLS)) == written
