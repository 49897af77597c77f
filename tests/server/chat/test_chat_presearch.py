"""Results that were searched for before the model is asked stand beside the question, not in it."""

import asyncio
import json
from contextlib import asynccontextmanager

from chat_play import ALLOW, chatting, texts

from toolpost.testing import text

ID = "a-chat-with-a-long-id"


@asynccontextmanager
async def searxng():
    """A search engine with one result for everything; gives its port."""

    async def answer(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        found = [{"title": "Lathes", "url": "https://lathe.example/", "content": "They turn the work."}]
        body = json.dumps({"results": found}).encode()
        kind = b"Content-Type: application/json\r\n"
        writer.write(b"HTTP/1.1 200 OK\r\n" + kind + b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


async def test_the_stored_question_is_what_was_written_and_its_sources_are_parts_of_their_own(folder, driver):
    async with searxng() as port:
        web = f'[web]\nsearxng = "http://127.0.0.1:{port}"\nsearch = "searxng"\n[agents.build]\npresearch = true\n'
        async with chatting(folder, driver, text("one"), text("two"), config=ALLOW + web) as play:
            client = await play.chat(ID)
            await client.send("what is a lathe?")
            await client.send("and a mill?")
            question, answer, *_ = await play.history(ID)
            stored = [message async for message in play.store.messages(ID) if message.role == "user"]
            exported = (await play.http.get(f"/api/sessions/{ID}/export", params={"format": "markdown"})).text
    assert [message.text for message in stored] == ["what is a lathe?", "and a mill?"]
    assert texts(question) == ["what is a lathe?"]
    (source,) = [part for part in question["parts"] if part["type"] == "source-url"]
    assert (source["url"], source["title"]) == ("https://lathe.example/", "Lathes")
    assert texts(answer) == ["one"]
    for request in play.model.requests:
        assert request.messages[0].text.startswith("what is a lathe?\n\n")
        assert "They turn the work." in request.messages[0].text
    assert "- Lathes <https://lathe.example/>" in exported
    assert "They turn the work." not in exported
