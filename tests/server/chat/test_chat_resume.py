"""Runs outlive their clients: resuming, stopping, steering, sub-agents, questions."""

import asyncio

from chat_gates import GATES, RAN
from chat_play import ALLOW, ASK, Driver, HeldEngine, answers, asked, chatting, texts, tool_parts
from gateway_play import sse

from toolpost.store import open_store
from toolpost.testing import Gate, call, calls, pause, text, turn
from toolpost.types.messages import Usage

ID = "a-chat-with-a-long-id"


async def seen(client, *wanted):
    """Wait until the client shows these texts."""
    async with asyncio.timeout(20):
        while True:
            messages = (await client.state())["messages"]
            if messages and all(one in texts(messages[-1]) for one in wanted):
                return messages


async def test_a_client_that_was_killed_comes_back_to_the_whole_answer(folder, driver):
    gate = Gate()
    both = text("half", chunk=2) + pause(gate) + text(" and half")
    store = open_store(folder / "store.db")
    async with chatting(folder, driver, call("echo", {"text": "x"}), both, store=store) as play:
        with Driver() as doomed:
            client = await play.chat(ID, driver=doomed)
            sending = asyncio.create_task(client.send("hi"))
            await seen(client, "half")
            before = await play.history(ID)
        sending.cancel()
        again = await play.chat(ID, messages=before)
        resuming = asyncio.create_task(again.resume())
        await seen(again, "half")
        gate.open()
        state = await resuming
        assert state["messages"] == await play.history(ID)
    assert texts(state["messages"][1]) == ["half", " and half"]
    assert len(state["messages"]) == 2


async def test_a_run_that_is_queued_has_headers_and_a_sign_of_life_at_once(folder, driver):
    engine = HeldEngine()
    async with chatting(folder, driver, text("at last"), engine=engine, keep_alive=1000) as play:
        asking = play.http.stream("POST", "/api/chat", json={"id": ID, "message": "hi"})
        async with asking as asked_first, play.http.stream("GET", f"/api/chat/{ID}/stream") as came_later:
            both = asked_first.aiter_bytes(), came_later.aiter_bytes()
            assert asked_first.headers["x-vercel-ai-ui-message-stream"] == "v1"
            assert [await anext(pieces) for pieces in both] == [b": keep-alive\n\n"] * 2
            (ticket,) = engine.tickets
            driving = asyncio.create_task(play.app.driver.drive(ticket.session_id, ticket.run_id))
            told = [b"".join([piece async for piece in pieces]) for pieces in both]
            assert await driving == "ended"
    assert told[0] == told[1]
    assert [chunk["delta"] for chunk in sse(told[0].decode()) if chunk["type"] == "text-delta"] == ["at last"]


async def test_the_sdk_reads_the_answer_of_a_run_that_was_queued(folder, driver):
    engine = HeldEngine()
    async with chatting(folder, driver, text("at last"), engine=engine) as play:
        client = await play.chat(ID)
        sending = asyncio.create_task(client.send("hi"))
        async with asyncio.timeout(20):
            while not engine.tickets:  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.01)
        (ticket,) = engine.tickets
        await play.app.driver.drive(ticket.session_id, ticket.run_id)
        state = await sending
    assert texts(state["messages"][-1]) == ["at last"]


async def test_several_clients_see_the_same_run(folder, driver):
    gate = Gate()
    async with chatting(folder, driver, text("one") + pause(gate) + text("two")) as play:
        first, second = await play.chat(ID), await play.chat(ID)
        sending = asyncio.create_task(first.send("hi"))
        await gate.reached.wait()
        resuming = asyncio.create_task(second.resume())
        await seen(second, "one")
        gate.open()
        states = await asyncio.gather(sending, resuming)
    assert answers(states[0]["messages"]) == answers(states[1]["messages"])


async def test_where_nothing_runs_there_is_nothing_to_resume(folder, driver):
    async with chatting(folder, driver, text("one")) as play:
        client = await play.chat(ID)
        await client.send("hi")
        assert (await play.http.get(f"/api/chat/{ID}/stream")).status_code == 204
        state = await client.resume()
        assert (state["status"], len(state["messages"])) == ("ready", 2)
        assert (await play.http.get("/api/chat/a-chat-that-never-was/stream")).status_code == 404


async def test_leaving_does_not_stop_the_run(folder, driver):
    gate = Gate()
    async with chatting(folder, driver, text("one") + pause(gate) + text("two")) as play:
        client = await play.chat(ID)
        sending = asyncio.create_task(client.send("hi"))
        await gate.reached.wait()
        await client.stop()
        await sending
        gate.open()
        state = await (await play.chat(ID)).resume()
        if state["messages"]:
            assert texts(state["messages"][0]) == ["one", "two"]
        await idle(play)
        assert texts((await play.history(ID))[1]) == ["one", "two"]


async def idle(play):
    async with asyncio.timeout(20):
        async for notice in play.store.follow():
            if notice.session_id in (None, ID) and (await play.store.info(ID)).open_run is None:
                return


async def test_a_page_that_is_loaded_again_can_still_answer(folder, driver):
    steps = [call("echo", {"text": "x"}), call("echo", {"text": "y"}), text("done")]
    async with chatting(folder, driver, *steps, config=ASK) as play:
        client = await play.chat(ID, auto=True)
        (first,) = asked((await client.send("hi"))["messages"][1])
        await client.approve({"id": first["id"], "approved": True})
        again = await play.chat(ID, auto=True)
        state = await again.resume()
        # What was answered before does not end the stream again.
        assert [part["state"] for part in tool_parts(state["messages"][0])] == [
            "output-available",
            "approval-requested",
        ]
        (second,) = asked(state["messages"][0])
        state = await again.approve({"id": second["id"], "approved": True})
    assert texts(state["messages"][0]) == ["done"]
    assert RAN == ["echo x", "echo y"]


async def test_a_message_that_steers_stands_inside_of_the_answer(folder, driver):
    GATES["now"] = Gate()
    async with chatting(folder, driver, call("held", {"name": "now"}), text("as you wish"), text("next")) as play:
        client = await play.chat(ID)
        sending = asyncio.create_task(client.send("hi"))
        await GATES["now"].reached.wait()
        steered = await play.http.post(f"/api/sessions/{ID}/prompts", json={"text": "faster", "steer": True})
        assert steered.is_success, steered.text
        GATES["now"].open()
        state = await sending
        assert answers(state["messages"]) == answers(await play.history(ID))
        (part,) = [part for part in state["messages"][1]["parts"] if part["type"] == "data-steer"]
        assert part["data"]["parts"] == [{"type": "text", "text": "faster"}]
        assert [message.text for message in play.model.requests[1].messages] == ["hi", "", "faster"]
        # What comes next follows all of it.
        await client.send("and now?")
        assert [message.text for message in play.model.requests[2].messages][2:] == [
            "faster",
            "as you wish",
            "and now?",
        ]


async def test_a_message_that_waits_gets_an_answer_of_its_own(folder, driver):
    GATES["now"], gate = Gate(), Gate()
    turns = call("held", {"name": "now"}), text("first"), text("second") + pause(gate)
    async with chatting(folder, driver, *turns) as play:
        client = await play.chat(ID)
        sending = asyncio.create_task(client.send("hi"))
        await GATES["now"].reached.wait()
        await play.http.post(f"/api/sessions/{ID}/prompts", json={"text": "then this", "steer": False})
        GATES["now"].open()
        state = await sending
        assert texts(state["messages"][1]) == ["first"]
        await gate.reached.wait()
        resuming = asyncio.create_task(client.resume())
        await seen(client, "second")
        gate.open()
        state = await resuming
        await idle(play)
        assert [texts(message) for message in await play.history(ID)] == [["hi"], ["first"], ["then this"], ["second"]]
    assert answers(state["messages"])[0]["id"] != answers(state["messages"])[-1]["id"]


async def test_a_question_is_told_and_answered_while_the_stream_is_open(folder, driver):
    question = call("question", {"questions": [{"question": "Tea or coffee?", "options": ["tea", "coffee"]}]})
    async with chatting(folder, driver, question, text("coming")) as play:
        client = await play.chat(ID)
        sending = asyncio.create_task(client.send("hi"))
        async with asyncio.timeout(20):
            while not (told := [one for one in (await client.state())["data"] if one["type"] == "data-question"]):
                pass
        assert told[0]["data"]["questions"][0]["question"] == "Tea or coffee?"
        answer = await play.http.post(f"/api/questions/{told[0]['id']}", json={"answers": [["tea"]]})
        assert answer.is_success, answer.text
        state = await sending
        assert answers(state["messages"]) == answers(await play.history(ID))
    assert "tea" in tool_parts(state["messages"][1])[0]["output"]


async def test_a_sub_agent_asks_through_the_call_that_sent_it(folder, driver):
    sent = call("task", {"prompt": "echo it", "description": "Echo"}, id="sent")
    turns = sent, calls(call("echo", {"text": "x"}), call("echo", {"text": "y"})), text("echoed"), text("done")
    async with chatting(folder, driver, *turns, config=ASK) as play:
        client = await play.chat(ID, auto=True)
        state = await client.send("hi")
        for _ in range(2):
            (part,) = [part for part in tool_parts(state["messages"][1]) if part["state"] == "approval-requested"]
            assert part["toolCallId"] == "sent"
            state = await client.approve({"id": part["approval"]["id"], "approved": True})
        assert texts(state["messages"][1]) == ["done"]
        progress = [one["data"] for one in state["data"] if one["type"] == "data-progress"]
        child = progress[0]["details"]["session_id"]
        assert (await play.store.info(child)).parent == ID
    assert sorted(RAN) == ["echo x", "echo y"]


async def test_a_summary_is_marked_where_it_was_made(folder, driver):
    full = turn(call("echo", {"text": "x"}), usage=Usage(99_000, 10))
    async with chatting(folder, driver, full, text("what was said so far"), text("done"), config=ALLOW) as play:
        state = await (await play.chat(ID)).send("hi")
        assert answers(state["messages"]) == answers(await play.history(ID))
    types = [part["type"] for part in state["messages"][1]["parts"]]
    assert types == ["step-start", "tool-echo", "data-tool", "data-compaction", "step-start", "text"]


async def test_a_server_that_stops_gives_runs_their_time_and_keeps_the_rest(folder, driver):
    store, quick, slow = open_store(folder / "store.db"), Gate(), Gate()
    turns = pause(quick) + text("done in time"), text("half") + pause(slow)
    async with chatting(folder, driver, *turns, store=store) as play:
        posts = []
        for chat_id, gate in (("first-of-two-chats", quick), ("second-of-two-chats", slow)):
            posts.append(asyncio.create_task(play.http.post("/api/chat", json={"id": chat_id, "message": "hi"})))
            await gate.reached.wait()
        # Both clients leave; their runs go on.
        for post in posts:
            post.cancel()
        await asyncio.gather(*posts, return_exceptions=True)
        stopping = asyncio.create_task(play.app.stop())
        quick.open()
        await stopping
        refused = await play.http.post("/api/chat", json={"message": "hi"})
        assert refused.status_code == 503
    # What was not done in time is left to the next server.
    async with chatting(folder, driver, text("whole"), store=open_store(folder / "store.db")) as play:
        async with asyncio.timeout(20):
            async for _ in play.store.follow():
                if (await play.store.info("second-of-two-chats")).open_run is None:
                    break
        said = [texts(answers(await play.history(one))[-1]) for one in ("first-of-two-chats", "second-of-two-chats")]
    assert said == [["done in time"], ["whole"]]
