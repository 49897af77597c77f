"""A long session is opened at its end, and read further back only as far as somebody looks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from view_play import stored

from toolpost import SqliteStore
from toolpost.store.contract import SessionChanges, SessionInfo
from toolpost.types.messages import (
    CompactionPart,
    Completed,
    Message,
    StepFinish,
    StepStart,
    TextPart,
    ToolPart,
    Usage,
)
from toolpost.view.pages import MessagePages
from toolpost.view.transcript import TranscriptView


def conversation(runs):
    """Messages of runs with so many steps each; 0 is a summary between two runs."""
    messages = []

    def add(role, *parts):
        parent = messages[-1].id if messages else None
        messages.append(Message(f"m{len(messages)}", role, parts, parent))

    for number, steps in enumerate(runs):
        if not steps:
            add("user", CompactionPart("so far", None, 100))
            continue
        add("user", TextPart(f"prompt {number}"))
        for step in range(1, steps + 1):
            details = {"files": [{"path": f"f{step}", "kind": "changed", "diff": "@@\n+a", "added": 1, "removed": 0}]}
            state = Completed({"n": step}, (TextPart("ok"),), 1.0, 2.0, details=details)
            calls = (ToolPart(f"c{step}", "edit", state),) if step < steps else (TextPart("done"),)
            add("assistant", StepStart(step, "m"), *calls, StepFinish("stop", Usage(10, 1)))
    return messages


class Read:
    """Reads from a list as a store does, and counts."""

    def __init__(self, messages):
        self.messages = {message.id: message for message in messages}
        self.count = 0

    async def __call__(self, end, limit):
        found = []
        while end is not None and len(found) < limit:
            found.insert(0, self.messages[end])
            end = found[0].parent_id
        self.count += len(found)
        return found


@given(st.lists(st.integers(0, 9), min_size=1, max_size=12), st.integers(1, 7))
async def test_pages_together_are_the_whole_session(runs, size):
    messages = conversation(runs)
    pages = MessagePages(Read(messages), messages[-1].id, size=size)
    view, whole = TranscriptView(), TranscriptView()
    whole.open(messages)
    view.open(await pages.earlier())
    while not pages.is_at_beginning:
        page = await pages.earlier()
        first = view.ids[0] if view.ids else None
        changes = view.prepend(page)
        assert first is None or view.ids.index(first) == len(changes.added)
    assert await pages.earlier() == []
    assert stored(view.items) == stored(whole.items)
    assert sorted(view.facts.files, key=str) == sorted(whole.facts.files, key=str)


async def test_a_run_that_is_longer_than_a_page_is_read_whole():
    messages = conversation([3, 40, 2])
    pages = MessagePages(Read(messages), messages[-1].id, size=5)
    assert len(await pages.earlier()) == 3
    assert len(await pages.earlier()) == 41
    assert len(await pages.earlier()) == 4


@pytest.fixture
async def store(tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    yield store
    await store.close()


async def test_of_ten_thousand_messages_only_the_page_that_is_looked_at_is_read(store):
    messages = conversation([4] * 2_000)
    assert len(messages) == 10_000
    await store.create(SessionInfo("s"))
    await store.commit(SessionChanges("s", SessionInfo("s", head=messages[-1].id), messages))
    read = []

    async def read_path(end, limit):
        found = await store.last_messages("s", end, limit)
        read.append(len(found))
        return found

    pages = MessagePages(read_path, messages[-1].id)
    view = TranscriptView("s")
    view.open(await pages.earlier())
    assert sum(read) == 60
    assert len(view.ids) == 12 * 6
    view.prepend(await pages.earlier())
    assert sum(read) == 120
    first = view.ids[0]
    assert view.item(first).text == f"prompt {2_000 - 24}"


async def test_what_was_paged_out_can_be_read_again():
    messages = conversation([2] * 20)
    view = TranscriptView()
    view.open(messages)
    before = list(view.items)
    kept = view.ids[40]
    assert view.drop_before(kept) == 40
    assert view.ids[0] == kept
    view.prepend(messages[:30])
    assert list(view.items) == before
