"""Whatever stands in an export of another chat, it is read or told: nothing raises, and each session can be stored."""

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.store.chat_imports import FieldNames, ImportedChat, UnreadEntry, read_chats, session_of
from toolpost.store.chat_imports.export_file import ExportFile
from toolpost.store.memory import MemoryStore
from toolpost.store.session_document import write_document
from toolpost.types.messages import ReasoningPart, TextPart

SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.sampled_from(["", "a", "b", "user", "中文"])
)
NAMES = st.sampled_from(
    [
        "_id",
        "id",
        "conversationId",
        "messages",
        "mapping",
        "chat",
        "history",
        "message",
        "author",
        "role",
        "content",
        "parts",
        "text",
        "parentId",
        "parent",
        "createdAt",
        "create_time",
        "timestamp",
        "current_node",
        "currentId",
        "metadata",
        "files",
        "$oid",
        "$date",
        "$numberLong",
        "$binary",
        "url",
    ]
)
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(NAMES, inner, max_size=5))
DOCUMENTS = st.lists(st.dictionaries(NAMES, VALUES, max_size=6) | VALUES, max_size=5)


def read(data):
    return list(read_chats([(ExportFile("x.json", io.BytesIO(data)), len(data))], FieldNames(), lambda *_: None))


async def stored(chat):
    async def given(items):
        for item in items:
            yield item

    info, messages = session_of(chat, "/folder", "ann")
    store = MemoryStore()
    kept = await store.restore(write_document(info, given(messages), given(())))
    assert [one.id async for one in store.messages(kept.id)] == [one.id for one in messages]
    assert session_of(chat, "/folder", "ann")[0].id == info.id
    assert session_of(chat, "/folder", "bob")[0].id != info.id


@given(DOCUMENTS, st.sampled_from(["lines", "array", "pretty"]))
async def test_any_documents_are_read_or_told(documents, layout):
    written = [json.dumps(one, indent=2 if layout == "pretty" else None) for one in documents]
    text = f"[{','.join(written)}]" if layout == "array" else "\n".join(written)
    for found in read(text.encode()):
        assert isinstance(found, ImportedChat | UnreadEntry)
        if isinstance(found, ImportedChat):
            await stored(found)


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_told(data):
    assert all(isinstance(one, ImportedChat | UnreadEntry) for one in read(data))


def test_a_conversation_that_ends_in_the_middle_of_a_line_is_told_and_the_rest_is_read():
    good = json.dumps({"_id": {"$oid": "1"}, "title": "t", "messages": [{"role": "user", "content": "hi"}]})
    found = read(f"{good}\n{good[:30]}\n".encode())
    assert [type(one) for one in found] == [UnreadEntry, ImportedChat]
    assert found[0].place == "x.json:2"


GOOD = '{"_id":"c1","title":"ok","messages":[{"_id":"m1","role":"user","text":"hi"}]}'


@pytest.mark.parametrize(
    "bad",
    [
        pytest.param('{"_id":{"$numberLong":[]},"messages":[]}', id="no number"),
        pytest.param('{"_id":"x","a":{"$numberLong":1e400}}', id="a number without end"),
        pytest.param('{"_id":"x","a":' + '{"a":' * 3000 + "1" + "}" * 3000 + "}", id="depths"),
        pytest.param('{"_id":"x","messages":{"a":' + "[" * 50_000, id="depths that are not closed"),
    ],
)
def test_what_cannot_be_read_is_told_and_the_rest_is_imported(bad):
    assert [type(one) for one in read(f"{GOOD}\n{bad}\n".encode())] == [UnreadEntry, ImportedChat]


def test_a_date_that_no_calendar_has_is_none():
    found = read((GOOD + "\n" + GOOD.replace('"role"', f'"createdAt":{"9" * 400},"role"') + "\n").encode())
    assert all(isinstance(one, ImportedChat) for one in found)


@pytest.mark.parametrize("data", [b"[" * 200_000, b'{"a":' * 200_000, b'\n{\n"a":' * 20_000])
def test_a_file_of_depths_alone_is_told(data):
    assert [type(one) for one in read(data)] == [UnreadEntry]


def test_thoughts_are_unfolded_and_folds_without_an_end_are_text_at_once():
    def parts(text):
        chat = {"id": "c", "chat": {"messages": [{"id": "1", "role": "assistant", "content": text}]}}
        return read(json.dumps([chat]).encode())[0].messages[0].parts

    thought = "<summary>Thought</summary>\n> a\n> b\n"
    folded = f'<details type="reasoning" done="true">\n{thought}</details>\nyes <details>no</details>'
    assert parts(folded) == (ReasoningPart("a\nb"), TextPart("yes <details>no</details>"))
    endless = '<details type="reasoning">' * 100_000
    assert parts(endless) == (TextPart(endless),)
