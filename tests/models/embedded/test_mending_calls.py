"""All rules together: whatever is asked and whatever the model writes, nothing breaks and no parameter is invented."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from toolpost.models.embedded.mending.calls import Mender
from toolpost.models.embedded.notes import notes
from toolpost.types.stream import ToolCall
from toolpost.types.tools import ToolSpec

TODAY = date(2026, 11, 16)
SAID = (
    "pay 25 euros to Mia and 40 to Tom , . ; : ? “ ” not under at least 8% 2026-12-22 tomorrow half past seven in the "
    "evening Rome Oslo Lima cool direct 第三集 两百块 以下 明天 和 、 北京 制冷 23rd since an hour 1.5 litres AB-1234"
)
WORDS = SAID.split()
questions = st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join) | st.text(max_size=120)
NODES = {
    "amount": {"type": "number"},
    "count": {"type": "integer", "minimum": 0, "maximum": 100},
    "amount_ml": {"type": "integer"},
    "min_price": {"type": "number"},
    "max_price": {"type": "number"},
    "day": {"type": "string", "description": "YYYY-MM-DD"},
    "month": {"type": "string", "description": "YYYY-MM"},
    "at": {"type": "string", "description": "HH:MM"},
    "mode": {"type": "string", "enum": ["cool", "heat"]},
    "flag": {"type": "boolean", "description": "Only direct flights"},
    "currency": {"type": "string", "description": "ISO 4217 code"},
    "kind": {"type": "string", "description": "e.g. book, novel"},
    "title": {"type": "string"},
    "tags": {"type": "array", "items": {"enum": ["mon", "tue"]}},
    "odd": True,
}
values = st.one_of(
    st.booleans(),
    st.integers(-100, 3000),
    st.floats(-10, 1000, allow_nan=False).map(lambda value: round(value, 2)),
    st.sampled_from([*WORDS, "2026-11-17", "19:30", "2026-11", "EUR", "heat", ""]),
    st.text(max_size=20),
    st.lists(st.sampled_from(["mon", "tue", "Rome"]), max_size=3),
    st.none(),
)
arguments = st.dictionaries(st.sampled_from(sorted(NODES)), values, max_size=6)
schemas = st.builds(
    lambda required: {"type": "object", "properties": NODES, "required": required},
    st.lists(st.sampled_from(sorted(NODES)), max_size=3, unique=True),
)


@given(questions, st.lists(arguments, min_size=1, max_size=3), schemas)
def test_no_question_and_no_call_breaks_the_rules(question, given_calls, schema):
    tool = ToolSpec("act", "Do something.", schema)
    mender = Mender([question], question, notes(question, TODAY), TODAY.isoformat(), lambda call, name, spans: spans[0])
    calls = [ToolCall(f"call_{number}", "act", given) for number, given in enumerate(given_calls)]
    mended = [mender.mended(call, tool, alone=len(calls) == 1) for call in calls]
    settled = mender.filled(mender.spread(mender.with_whole_lists(mender.spread(mended))))
    assert len(settled) >= len(calls)
    for one in settled:
        assert set(one.arguments) <= set(NODES)
        assert not set(one.missing) & set(one.arguments)
        assert set(one.missing) <= set(schema["required"])
        assert set(one.whole.arguments) >= set(one.arguments)
    mender.doubled(settled)
    mender.reasons(settled)
