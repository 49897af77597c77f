"""Where in the stored conversation a request belongs: versions, edits, stale windows, ids, users, files."""

import base64

import pytest
from chat_play import ALLOW, TOKEN, USERS, chatting, texts

from toolpost.testing import call, error, text

ID = "a-chat-with-a-long-id"
PNG = "data:image/png;base64," + base64.b64encode(b"\x89PNG dot").decode()


def said(messages):
    return [texts(message)[0] for message in messages]


def prompts(request):
    """What the model was shown."""
    return [message.text for message in request.messages]


async def test_a_conversation_goes_on(folder, driver):
    async with chatting(folder, driver, text("one"), text("two")) as play:
        client = await play.chat(ID)
        await client.send("first")
        state = await client.send("second")
        assert prompts(play.model.requests[1]) == ["first", "one", "second"]
        assert said(state["messages"]) == said(await play.history(ID)) == ["first", "one", "second", "two"]


async def test_an_answer_made_again_is_another_version(folder, driver):
    async with chatting(folder, driver, text("one"), text("other"), text("third")) as play:
        client = await play.chat(ID)
        first = (await client.send("hi"))["messages"][1]
        state = await client.regenerate()
        second = state["messages"][1]
        assert said(state["messages"]) == ["hi", "other"]
        assert second["metadata"]["versions"] == [first["id"], second["id"]]
        assert second["metadata"]["version"] == 2
        state = await client.regenerate(second["id"])
        assert state["messages"][1]["metadata"]["version"] == 3
        assert [prompts(request) for request in play.model.requests] == [["hi"]] * 3
        # Nothing is lost, and the prompt is there once.
        kept = [message async for message in play.store.messages(ID)]
    assert [message.text for message in kept] == ["hi", "one", "other", "third"]


async def test_versions_can_be_switched_between_with_all_that_followed(folder, driver):
    turns = call("echo", {"text": "x"}), text("one"), text("more"), text("other")
    async with chatting(folder, driver, *turns) as play:
        client = await play.chat(ID)
        first = (await client.send("a"))["messages"][1]["id"]
        await client.send("b")
        before = await play.history(ID)
        second = (await client.regenerate(first))["messages"][1]
        assert second["metadata"]["versions"] == [first, second["id"]]
        await play.http.post(f"/api/sessions/{ID}/branch", json={"at": first, "below": True})
        after = await play.history(ID)
    assert [message["parts"] for message in after] == [message["parts"] for message in before]
    assert said(after) == ["a", "one", "b", "more"]


async def test_an_earlier_answer_can_be_made_again(folder, driver):
    async with chatting(folder, driver, text("one"), text("two"), text("other")) as play:
        client = await play.chat(ID)
        first = (await client.send("a"))["messages"][1]
        await client.send("b")
        state = await client.regenerate(first["id"])
        assert said(state["messages"]) == said(await play.history(ID)) == ["a", "other"]


async def test_an_edit_is_a_branch_beside_the_message(folder, driver):
    async with chatting(folder, driver, text("one"), text("two"), text("three")) as play:
        client = await play.chat(ID)
        await client.send("a")
        messages = (await client.send("b"))["messages"]
        # The client has its own ids for what the user said.
        state = await client.send("c", messageId=messages[2]["id"])
        assert said(state["messages"]) == said(await play.history(ID)) == ["a", "one", "c", "three"]
        assert prompts(play.model.requests[2]) == ["a", "one", "c"]
        versions = (await play.history(ID))[2]["metadata"]
    assert (versions["version"], len(versions["versions"])) == (2, 2)


async def test_an_edit_of_the_first_message_begins_again(folder, driver):
    async with chatting(folder, driver, text("one"), text("two")) as play:
        client = await play.chat(ID)
        messages = (await client.send("a"))["messages"]
        await client.send("b", messageId=messages[0]["id"])
        assert prompts(play.model.requests[1]) == ["b"]


async def test_a_message_known_by_our_own_id_is_edited_in_its_place(folder, driver):
    async with chatting(folder, driver, text("one"), text("two"), text("three")) as play:
        client = await play.chat(ID)
        await client.send("a")
        await client.send("b")
        # A page that was loaded again has the history's ids.
        again = await play.chat(ID, messages=await play.history(ID))
        edited = (await play.history(ID))[2]["id"]
        state = await again.send("c", messageId=edited)
        assert prompts(play.model.requests[2]) == ["a", "one", "c"]
    assert said(state["messages"]) == ["a", "one", "c", "three"]


async def test_a_stale_window_makes_a_branch_of_its_own(folder, driver):
    async with chatting(folder, driver, text("one"), text("two"), text("three")) as play:
        client = await play.chat(ID)
        await client.send("a")
        stale = await play.chat(ID, messages=(await client.state())["messages"])
        await client.send("b")
        await stale.send("c")
        assert prompts(play.model.requests[2]) == ["a", "one", "c"]
        assert said(await play.history(ID)) == ["a", "one", "c", "three"]


async def test_a_summary_stays_where_the_conversation_goes_on(folder, driver):
    long = "word " * 20_000
    async with chatting(folder, driver, text(long), text("the summary"), text("two"), text("other")) as play:
        client = await play.chat(ID)
        await client.send("a")
        compacted = await play.http.post(f"/api/sessions/{ID}/compact")
        assert compacted.json() == {"is_compacted": True}
        await client.send("b")
        shown = prompts(play.model.requests[2])
        assert "the summary" in shown[0]
        assert "a" not in shown
        assert [part["type"] for part in (await play.history(ID))[1]["parts"]][-1] == "data-compaction"
        await client.regenerate()
        assert prompts(play.model.requests[3]) == shown


async def test_a_client_may_send_its_last_message_alone(folder, driver):
    async with chatting(folder, driver, text("one"), text("two"), text("again")) as play:
        client = await play.chat(ID, onlyLast=True)
        await client.send("a")
        await client.send("b")
        assert prompts(play.model.requests[1]) == ["a", "one", "b"]
        await client.regenerate()
        assert prompts(play.model.requests[2]) == ["a", "one", "b"]


async def test_after_a_failure_the_same_prompt_can_be_sent_again(folder, driver):
    async with chatting(folder, driver, error("bad_request", "no"), text("yes")) as play:
        client = await play.chat(ID)
        assert (await client.send("hi"))["status"] == "error"
        state = await client.regenerate()
    assert (state["status"], said(state["messages"])) == ("ready", ["hi", "yes"])


async def test_the_plain_body_needs_nothing_but_a_message(folder, driver):
    async with chatting(folder, driver, text("one"), text("two")) as play:
        answer = await play.http.post("/api/chat", json={"message": "a"})
        session_id = answer.headers["x-conversation-id"]
        assert answer.headers["x-vercel-ai-ui-message-stream"] == "v1"
        assert answer.headers["content-type"] == "text/event-stream"
        assert answer.text.endswith("data: [DONE]\n\n")
        answer = await play.http.post("/api/chat", json={"message": "b", "conversation_id": session_id})
        assert answer.headers["x-conversation-id"] == session_id
        assert prompts(play.model.requests[1]) == ["a", "one", "b"]


async def test_a_request_says_how_it_is_answered(folder, driver):
    async with chatting(folder, driver, text("one")) as play:
        body = {"message": "a", "system": "You are a parrot.", "options": {"temperature": 0}, "switch_off": ["echo"]}
        await play.post(body)
        (request,) = play.model.requests
    assert request.system[0] == "You are a parrot."
    assert request.options["temperature"] == 0
    assert "reasoning_effort" not in request.options
    names = [tool.name for tool in request.tools]
    assert "lone" in names
    assert "echo" not in names


async def test_a_misspelt_name_is_refused_with_the_likely_one_and_leaves_no_chat_behind(folder, driver):
    async with chatting(folder, driver, text("one")) as play:
        refused = await play.http.post("/api/chat", json={"message": "a", "switch_off": ["ecoh"]})
        assert refused.status_code == 400
        said = refused.json()["error"]["message"]
        assert said == 'switch_off names "ecoh", which is not a tool here; did you mean echo?'
        refused = await play.http.post("/api/chat", json={"message": "a", "options": {"temprature": 0}})
        assert (refused.status_code, "did you mean temperature?" in refused.text) == (400, True)
        assert not (await play.http.get("/api/sessions")).json()["sessions"]
        # Of a server that is gone nobody knows the tools.
        await play.post({"id": ID, "message": "a", "switch_off": ["mcp__gone__tool"]})
        refused = await play.http.post("/api/chat", json={"id": ID, "message": "b", "switch_off": ["loan"]})
        assert refused.status_code == 400
        assert "did you mean lone?" in refused.text


async def test_a_request_names_a_variant_of_the_model(folder, driver):
    async with chatting(folder, driver, text("one")) as play:
        await play.post({"message": "a", "variant": "high"})
        answer = await play.http.post("/api/chat", json={"message": "a", "variant": "hihg"})
        (request,) = play.model.requests
    assert request.options["reasoning_effort"] == "high"
    assert answer.status_code == 400
    assert "has no variant 'hihg': it has low, medium, high" in answer.text


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 400),
        ({"message": "  "}, 400),
        ({"message": "a", "id": "no/such/id"}, 400),
        ({"message": "a", "agent": "nobody"}, 400),
        ({"message": "a", "model": "nobody/nothing"}, 404),
        ({"messages": [{"role": "system", "parts": []}]}, 400),
        ({"messages": [{"role": "user", "parts": []}]}, 400),
        ({"message": {"role": "user", "parts": [{"type": "text", "text": "a"}]}, "messageId": "x"}, 400),
        ({"id": ID, "trigger": "regenerate-message"}, 400),
        ({"message": "a", "approvals": "never"}, 400),
        ({"messages": "a"}, 400),
        ({"message": "a", "id": ID, "model": "nobody/nothing"}, 404),
        ({"message": "a", "model": "nothing"}, 404),
        ({"message": "a", "variant": "nothing"}, 400),
        ({"message": "a", "conversation_id": "ses_that_was_never_there"}, 404),
        ({"message": "a", "conversation_id": "short"}, 404),
        ({"message": "a", "conversation_id": "no/such/id"}, 404),
    ],
)
async def test_what_cannot_be_answered_is_told_and_leaves_nothing(folder, driver, body, status):
    async with chatting(folder, driver) as play:
        answer = await play.http.post("/api/chat", json=body)
        assert answer.status_code == status, answer.text
        assert answer.json()["error"]["message"]
        assert [info.id async for info in play.store.sessions()] == []


async def test_a_mistyped_conversation_says_what_to_do(folder, driver):
    async with chatting(folder, driver, text("one")) as play:
        known = (await play.http.post("/api/chat", json={"message": "a"})).headers["x-conversation-id"]
        for wrong in (known[:-1], f"{known}/x"):
            told = await play.http.post("/api/chat", json={"message": "b", "conversation_id": wrong})
            assert told.status_code == 404
            assert f"there is no session {wrong}" in told.json()["error"]["message"]
            assert "without conversation_id" in told.json()["error"]["message"]
            assert (await play.http.get(f"/api/chat/{wrong}/stream")).status_code == 404
            assert (await play.http.post(f"/api/chat/{wrong}/stop")).status_code == 404
        assert [info.id async for info in play.store.sessions()] == [known]


async def test_nobody_reaches_the_session_of_somebody_else(folder, driver):
    async with chatting(folder, driver, text("mine"), config=ALLOW + USERS) as play:
        await play.post({"id": ID, "message": "a secret"})
        answer = await play.other.post("/api/chat", json={"id": ID, "message": "what was said?"})
        assert (answer.status_code, "secret" in answer.text) == (404, False)
        for method, path, body in [
            ("POST", "/api/chat", {"trigger": "regenerate-message"}),
            ("GET", "/api/chat/{id}/stream", {}),
            ("POST", "/api/chat/{id}/stop", {}),
        ]:
            told = []
            for chat_id in (ID, "a-chat-that-never-was"):
                answer = await play.other.request(method, path.replace("{id}", chat_id), json={**body, "id": chat_id})
                told.append((answer.status_code, answer.json()["error"]["message"].replace(chat_id, "")))
            # Not to be told from one that never was.
            assert told[0] == told[1]
            assert told[0][0] in (400, 404)
        assert len(await play.history(ID)) == 2


async def test_short_ids_are_each_users_own(folder, driver):
    async with chatting(folder, driver, text("mine"), text("theirs"), text("more"), config=ALLOW + USERS) as play:
        mine = await play.http.post("/api/chat", json={"id": "1", "message": "a"})
        theirs = await play.other.post("/api/chat", json={"id": "1", "message": "b"})
        again = await play.http.post("/api/chat", json={"id": "1", "message": "c"})
        own = mine.headers["x-conversation-id"]
        assert own == again.headers["x-conversation-id"] != theirs.headers["x-conversation-id"]
        assert (await play.other.post("/api/chat", json={"id": own, "message": "x"})).status_code == 404
        # Nor can the place of one that is not there yet be taken.
        taken = own[:-1] + "2"
        assert (await play.other.post("/api/chat", json={"id": taken, "message": "x"})).status_code == 404
        assert prompts(play.model.requests[2]) == ["a", "mine", "c"]


async def test_files_come_with_a_prompt(folder, driver):
    files = [
        {"type": "file", "mediaType": "image/png", "url": PNG, "filename": "C:\\secret\\dot.png"},
        {"type": "file", "mediaType": "", "url": "data:,print(1)", "filename": "a.py"},
    ]
    async with chatting(folder, driver, text("I see")) as play:
        client = await play.chat(ID)
        await client.send("look", files=files)
        image, script = play.model.requests[0].messages[0].parts[1:]
        assert (image.mime, image.name, base64.b64decode(image.data)) == ("image/png", "dot.png", b"\x89PNG dot")
        assert (script.mime, base64.b64decode(script.data)) == ("text/plain", b"print(1)")
        shown = (await play.history(ID))[0]["parts"]
    assert shown[1] == {"type": "file", "mediaType": "image/png", "url": PNG, "filename": "dot.png"}


@pytest.mark.parametrize(
    ("url", "kind", "status"),
    [
        ("https://example.org/a.png", "image/png", 400),
        ("file:///etc/passwd", "text/plain", 400),
        ("data:image/png;base64,%%%", "image/png", 400),
        ("data:application/zip;base64,UEsDBAD/", "application/zip", 400),
        ("data:application/pdf;base64," + "AAAA" * 6_700_000, "application/pdf", 413),
    ],
)
async def test_files_that_cannot_be_taken_are_refused(folder, driver, url, kind, status):
    async with chatting(folder, driver) as play:
        given = {"message": "look", "files": [{"url": url, "mediaType": kind}]}
        answer = await play.http.post("/api/chat", json=given)
        assert answer.status_code == status, answer.text
        many = {"message": "look", "files": [{"url": PNG, "mediaType": "image/png"}] * 21}
        assert (await play.http.post("/api/chat", json=many)).status_code == 400
    assert TOKEN not in answer.text
