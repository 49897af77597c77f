"""A view is the same however it came about: from events as they come, from kept ones, or from stored messages."""

import asyncio
import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from view_play import Watched, fed, opened, stored

from toolpost import Agent, Limits, MemoryStore, ModelError, SqliteStore, ToolContext, ToolError, tool
from toolpost.testing import ScriptedModel, call, calls, error, reasoning, text, turn
from toolpost.types.events import CutOff, MessageUpdate
from toolpost.types.messages import Usage
from toolpost.view.changes import NOTHING, joined
from toolpost.view.transcript import TranscriptView

QUICK = Limits(retry_delay=0.0, retry_delay_max=0.0)


@tool
async def work(n: int, ctx: ToolContext) -> str:
    """Work."""
    ctx.update(f"working on {n}\n")
    if n < 0:
        raise ToolError("too small")
    return f"did {n}"


LOOK = reasoning("hm, hm", chunk=2) + text("\n\nI *look*.", chunk=3)
SCRIPTS = {
    "an answer": [text("All **done**.", chunk=4)],
    "thoughts and calls": [
        LOOK + calls(call("work", {"n": 1}, chunk=3), call("work", {"n": -1}), call("work", {"n": 3}, chunk=1)),
        turn(text("Three."), usage=Usage(100, 20)),
    ],
    "several steps": [
        call("work", {"n": 1}),
        text("on") + call("work", {"n": 2}),
        text("\n\n") + call("work"),
        text("ok"),
    ],
    "a tool that is not there, and arguments that can't be read": [
        call("wurk", {"n": 1}) + call("fly", {"to": "x"}),
        call("work", '{"n": '),
        text("ok"),
    ],
    "a retry in the middle": [LOOK + call("work", {"n": 1}) + error("server"), text("Hel") + error("overloaded"), LOOK],
    "a failure": [LOOK + error("auth", "no such key")],
    "a cut answer": [turn(text("and so o"), finish="length")],
    "a cut call": [turn(calls(call("work", {"n": 1}), call("work", {"n": 2})), finish="length"), text("ok")],
    "nothing at all": [text("")],
}


async def run_of(turns, store=None, prompts=("go",), **options):
    """The events of a real session, and its messages."""
    with ScriptedModel(*turns) as model:
        session = Agent(model, [work], store=store, limits=QUICK, **options).session()
        watched = Watched(session)
        for prompt in prompts:
            with contextlib.suppress(ModelError):
                await session.run(prompt)
    return session, watched


EVENTS = {name: asyncio.run(run_of(turns))[1].events for name, turns in SCRIPTS.items()}


@pytest.mark.parametrize("name", SCRIPTS)
async def test_events_and_messages_make_the_same_items(name):
    session, watched = await run_of(SCRIPTS[name])
    assert stored(watched.items) == stored(opened(session.messages).items)
    assert all(item.is_finished for item in watched.items)


@pytest.mark.parametrize("name", SCRIPTS)
async def test_kept_events_make_the_same_view_as_live_ones(name, tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    session, watched = await run_of(SCRIPTS[name], store)
    kept = [event async for event in store.events(session.id)]
    again = fed(kept)
    assert list(again.items) == watched.items
    assert again.facts == watched.view.facts
    await store.close()


async def test_several_runs_of_a_session_stay_apart():
    turns = [text("one"), call("work", {"n": 1}), turn(text("two"), usage=Usage(10, 1)), text("three")]
    session, watched = await run_of(turns, prompts=("a", "b", "c"))
    assert stored(watched.items) == stored(opened(session.messages).items)
    one = ["prompt", "text", "run_end"]
    assert watched.kinds == [*one, "prompt", "call", "text", "run_end", *one]
    assert [item.steps for item in watched.of("run_end")] == [1, 2, 1]


deltas = st.sampled_from(sorted(EVENTS)).flatmap(
    lambda name: st.tuples(st.just(name), st.lists(st.integers(1, 9), min_size=1, max_size=30))
)


@given(deltas)
def test_items_do_not_depend_on_how_deltas_were_split(drawn):
    name, sizes = drawn
    events = EVENTS[name]
    whole, split = fed(renumbered(merged(events))), fed(renumbered(cut(merged(events), sizes)))
    assert list(map(timeless, split.items)) == list(map(timeless, whole.items))


@given(st.sampled_from(sorted(EVENTS)), st.data())
def test_events_that_come_again_after_a_cut_make_no_doubles(name, data):
    events = EVENTS[name]
    view, straight = TranscriptView(), fed(events)
    at = 0
    while at < len(events):
        until = data.draw(st.integers(at + 1, len(events)))
        for event in events[at:until]:
            view.feed(event)
        last = events[until - 1]
        told = view.feed(CutOff(last.seq, last.session_id, last.time))
        assert told.is_cut_off
        assert view.seq == last.seq
        at = data.draw(st.integers(0, until)) if until < len(events) else len(events)
        assert all(view.feed(event) is NOTHING for event in events[at:until])
        at = until
    assert list(view.items) == list(straight.items)
    assert view.facts == straight.facts


@given(st.sampled_from(sorted(EVENTS)))
def test_what_is_finished_never_changes_and_is_never_taken_back(name):
    view, finished = TranscriptView(), {}
    for event in EVENTS[name]:
        changes = view.feed(event)
        for id in changes.finished:
            assert id not in finished
            finished[id] = view.item(id), getattr(view.item(id), "text", None)
        assert not finished.keys() & {item.id for item in changes.removed}
        assert not {id for id in changes.changed if id in finished} - set(changes.finished)
        assert all(
            view.item(id) is item and getattr(item, "text", None) == text for id, (item, text) in finished.items()
        )


@given(st.sampled_from(sorted(EVENTS)), st.data())
def test_changes_tell_all_that_a_face_has_to_draw(name, data):
    """A face that draws nothing but what changes name, several events at a time, ends up with what is there."""
    events = EVENTS[name]
    view, drawn, at = TranscriptView(), {}, 0
    while at < len(events):
        until = data.draw(st.integers(at + 1, min(at + 6, len(events))))
        changes = joined(view.feed(event) for event in events[at:until])
        for item in changes.removed:
            del drawn[item.id]
        for id in changes.added:
            assert id not in drawn
            drawn[id] = shown(view.item(id))
        for id in (*changes.changed, *changes.finished):
            assert id in drawn
            drawn[id] = shown(view.item(id))
        assert drawn == {item.id: shown(item) for item in view.items}
        at = until


@given(st.sampled_from(sorted(EVENTS)), st.data())
def test_a_session_may_be_opened_at_any_moment_of_its_run(name, data):
    """What is stored of the running step is little more than its beginning: its events are fed from there on."""
    events = EVENTS[name]
    starts = [at for at, event in enumerate(events) if event.type == "message_start"]
    at = data.draw(st.sampled_from(starts))
    before = [event.message for event in events[:at] if event.type == "message_end"]
    began = [events[at].message] if data.draw(st.booleans()) else []
    view = TranscriptView()
    view.open(
        [*(one for one in before if one.parts[-1].type != "retry"), *began], after=events[at].seq - 1, is_running=True
    )
    for event in events[at:]:
        view.feed(event)
    straight = fed(events)
    assert [item.id for item in view.items if item.kind != "notice"] == [
        item.id for item in straight.items if item.kind != "notice"
    ]
    assert view.facts.state == straight.facts.state


def shown(item):
    return structs.replace(item, source=str(item.source)) if hasattr(item, "source") else item


def timeless(item):
    return structs.replace(item, output=None) if hasattr(item, "output") else item


def merged(events):
    """Neighbouring deltas of one part as one."""
    found = []
    for event in events:
        last = found[-1] if found else None
        if isinstance(event, MessageUpdate) and isinstance(last, MessageUpdate) and _goes_on(last, event):
            found[-1] = structs.replace(last, text=last.text + event.text)
        else:
            found.append(event)
    return found


def _goes_on(last, event):
    same = (last.message_id, last.part, last.kind, last.call_id) == (
        event.message_id,
        event.part,
        event.kind,
        event.call_id,
    )
    return same and event.kind != "file"


def cut(events, sizes):
    turns = 0
    for event in events:
        if not isinstance(event, MessageUpdate) or event.kind == "file" or not event.text:
            yield event
            continue
        text = event.text
        while text:
            size = sizes[turns % len(sizes)]
            turns += 1
            yield structs.replace(event, text=text[:size])
            text = text[size:]


def renumbered(events):
    return [structs.replace(event, seq=seq) for seq, event in enumerate(events, 1)]


async def test_a_prompt_that_is_edited_or_answered_again_takes_what_came_after_it_away():
    turns = [text("one"), call("work", {"n": 1}), text("two"), text("two, again"), text("another two"), text("first")]
    with ScriptedModel(*turns) as model:
        session = Agent(model, [work], store=MemoryStore()).session()
        watched = Watched(session)
        for prompt in ("a", "b"):
            await session.run(prompt)
        assert [item.text for item in watched.of("text")] == ["one", "two"]
        await session.retry()
        assert [item.text for item in watched.of("text")] == ["one", "two, again"]
        assert stored(watched.items) == stored(opened(session.messages).items)
        await session.edit(watched.of("prompt")[1].message_id, "B")
        assert [item.text for item in watched.of("prompt")] == ["a", "B"]
        assert stored(watched.items) == stored(opened(session.messages).items)
        await session.edit(watched.of("prompt")[0].message_id, "A")
    assert [item.kind for item in watched.items] == ["prompt", "text", "run_end"]
    assert stored(watched.items) == stored(opened(session.messages).items)
    assert stored(fed(watched.events).items) == stored(watched.items)
