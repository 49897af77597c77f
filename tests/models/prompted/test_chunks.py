"""However a text is cut, the same events come out, once deltas that stand side by side are joined."""

import pytest
from call_look_alikes import LOOK_ALIKES, UNKNOWN_TAGGED
from call_samples import SAMPLES, Sample, T, W
from call_slips import SLIPS
from call_variants import VARIANTS
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scan_play import joined, scan

from toolpost.models.prompted.dialects.table import CLOSERS, DIALECTS, MARKERS

TEXTS = [*(sample.written for sample in (*SAMPLES, *VARIANTS)), *LOOK_ALIKES, *(slip.written for slip in SLIPS)]
PIECES = [
    *(*MARKERS, *CLOSERS.texts, W, T),
    *('{"name": "get_weather"', '"arguments": {', '"city": "Oslo"', "}", "}}", "]", "[", "{", "(", ")"),
    *("get_weather", "get_time()", "get_weather(city='Oslo')", "get_weather\n", "get_weather>", "all\n", "text "),
    # Longer than any lookahead.
    *(" " * 4_100, "\n" * 4_095, "x" * 300, "get_weather" * 30),
    *(
        "\n",
        "\n\n",
        " ",
        '"',
        "'",
        "`",
        "```",
        "```json\n",
        "~~~",
        "> ",
        "<",
        ">",
        "</",
        "<|",
        ",",
        ":",
        ";",
        "=",
        ">>>",
    ),
    *("//", "/*", "*/", "#", "\\", '\\"', "“", "”", "：", "True", "None", "3", "</think>", "functools["),
    *("Action: get_weather\n", "Action Input: ", "Observation: x", "Final Answer: y", "to=functions.get_weather"),
    *(
        "<parameter=city>",
        "</parameter>",
        "<arg_key>city</arg_key>",
        "<arg_value>Oslo</arg_value>",
        ' name="get_weather">',
    ),
    *("<|message|>", "<|sep|>", "[ARGS]", "[CALL_ID]", 'call:get_weather{city:<|"|>', "<tool_name>", "</tool_name>"),
]
dialects = st.none() | st.sampled_from(sorted(DIALECTS))
soups = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)
spliced = st.builds(
    lambda one, other, piece, here, there: one[:here] + piece + other[there:],
    *(st.sampled_from(TEXTS), st.sampled_from(TEXTS), st.sampled_from(PIECES)),
    *(st.integers(0, 200), st.integers(0, 200)),
)


def named(sample: Sample) -> str:
    return f"{sample.dialect}: {sample.written[:30]}"


@pytest.mark.parametrize("sample", SAMPLES, ids=named)
def test_a_cut_at_any_place_changes_nothing(sample: Sample) -> None:
    text = f"Well.\n{sample.written}\nThen `more`."
    expected = joined(scan(text))
    for cut in range(1, len(text), 2):
        # Two cuts a time: each place is tried, with less to read.
        assert joined(scan(text, [cut, cut + 1])) == expected, cut


@pytest.mark.parametrize("text", [*LOOK_ALIKES, *UNKNOWN_TAGGED, *(slip.written for slip in SLIPS)])
def test_a_cut_at_every_place_changes_nothing(text: str) -> None:
    assert joined(scan(text, range(len(text)))) == joined(scan(text))


@pytest.mark.parametrize("sample", [*SAMPLES, *VARIANTS], ids=named)
def test_nor_does_it_in_a_chosen_dialect(sample: Sample) -> None:
    text = f"{sample.written}\nThen `more`."
    for dialect in (None, sample.dialect):
        assert joined(scan(text, range(len(text)), dialect)) == joined(scan(text, dialect=dialect))


@settings(deadline=None, max_examples=400, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(TEXTS) | soups | spliced, dialects, st.data())
def test_any_cuts_of_any_text_change_nothing(text: str, dialect: str | None, data: st.DataObject) -> None:
    cuts = data.draw(st.sets(st.integers(0, len(text)), max_size=40))
    assert joined(scan(text, sorted(cuts), dialect)) == joined(scan(text, (), dialect))
