"""Whatever events and messages a store holds, a view takes them: of old versions, of other programs, in any order."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from strategies import events, messages

from toolpost.view.actions import actions_of, session_actions
from toolpost.view.approvals import approval_of
from toolpost.view.diff import compare_texts, read_diff, read_patch, side_by_side
from toolpost.view.items import ApprovalItem, CallItem, NoticeItem, RunEndItem
from toolpost.view.results import result_of
from toolpost.view.stages import stage_words
from toolpost.view.transcript import TranscriptView
from toolpost.view.words import end_words, label_of, notice_words, outcome_words, phase_words, subject_of

ids = st.sampled_from(["a", "b", "c"])
few = st.lists(messages(ids, st.none() | ids), max_size=6)


def look_at(view):
    """Everything that a face might do with what is there."""
    order = list(view.ids)
    assert len(set(order)) == len(order)
    for item in view.items:
        actions_of(item, view.facts, is_last=True)
        match item:
            case CallItem():
                result_of(item)
                assert label_of(item.name, "zh", item.label) is not None
                assert isinstance(phase_words(item, "en") + outcome_words(item, "zh") + subject_of(item.arguments), str)
            case ApprovalItem():
                approval_of(item)
            case NoticeItem():
                notice_words(item, "en", 0.0)
            case RunEndItem():
                end_words(item, "en")
            case _:
                pass
    stage_words(list(view.items), "en")
    session_actions(view.facts)


@given(st.lists(events(session_ids=st.just("s")), max_size=25))
def test_no_event_is_too_much(given_events):
    view = TranscriptView()
    for seq, event in enumerate(given_events, 1):
        named = {"message_id", "call_id", "ask_id", "question_id"} & set(event.__struct_fields__)
        # Few names, so that events meet.
        event = structs.replace(event, seq=seq, **{name: getattr(event, name)[:1].lower() for name in named})
        changes = view.feed(event)
        for id in (*changes.added, *changes.changed, *changes.finished):
            view.item(id)
    look_at(view)


@given(few, few, st.booleans())
def test_no_message_is_too_much(earlier, later, is_running):
    view = TranscriptView()
    view.open(later, is_running=is_running)
    view.prepend(earlier)
    look_at(view)


@given(st.text("+-@ \\*ab\n0123,", max_size=60), st.text("+-@ ab\n", max_size=60))
def test_no_text_is_too_odd_for_a_diff(one, other):
    for hunk in (*read_diff(one), *read_patch(one), *compare_texts(one, other)):
        side_by_side(hunk)
