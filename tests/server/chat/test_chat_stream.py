"""What the AI SDK's chat makes of a run, and that the history says the same."""

import asyncio

import pytest
from chat_gates import GATES, RAN
from chat_play import ALLOW, PATIENCE, answers, chatting, kinds, texts, tool_parts
from gateway_play import sse, with_server
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolpost.server.chat.ai_sdk.stream import BROKE_OFF, UiStream
from toolpost.testing import Gate, Turn, call, calls, error, file, pause, reasoning, text, turn
from toolpost.types.events import RunEnd, RunStart, Settled
from toolpost.types.messages import Usage

ID = "a-chat-with-a-long-id"


async def test_text_and_reasoning_stream_into_one_message(folder, driver):
    async with chatting(folder, driver, reasoning("let me see", chunk=3) + text("hello there", chunk=2)) as play:
        state = await (await play.chat(ID)).send("hi")
    assert state["status"] == "ready"
    assert kinds(state["chunks"]) == [
        "start", "start-step", "reasoning-start", "reasoning-delta", "reasoning-end",
        "text-start", "text-delta", "text-end", "finish-step", "message-metadata", "finish",
    ]  # fmt: skip
    answer = state["messages"][1]
    assert [part["type"] for part in answer["parts"]] == ["step-start", "reasoning", "text"]
    assert texts(answer) == ["hello there"]
    assert sum(chunk["type"] == "text-delta" for chunk in state["chunks"]) == 6


async def test_a_call_goes_through_its_states(folder, driver):
    async with chatting(folder, driver, call("echo", {"text": "x"}, chunk=3), text("done")) as play:
        state = await (await play.chat(ID)).send("hi")
    assert kinds(state["chunks"])[1:8] == [
        "start-step", "tool-input-start", "data-tool", "tool-input-delta", "tool-input-available",
        "tool-output-available", "data-tool",
    ]  # fmt: skip
    answer = state["messages"][1]
    (part,) = tool_parts(answer)
    assert (part["type"], part["state"], part["output"]) == ("tool-echo", "output-available", "echo x")
    assert [one["type"] for one in answer["parts"]] == ["step-start", "tool-echo", "data-tool", "step-start", "text"]
    assert answer["parts"][2]["data"]["duration"] > 0


async def test_calls_side_by_side_keep_their_places(folder, driver):
    GATES["slow"] = Gate()
    both = calls(call("held", {"name": "slow"}), call("echo", {"text": "quick"}))
    async with chatting(folder, driver, both, text("done")) as play:
        client = await play.chat(ID)
        sending = asyncio.create_task(client.send("hi"))
        await GATES["slow"].reached.wait()
        while "output-available" not in [part["state"] for part in await parts_now(client)]:
            pass
        assert [part["state"] for part in await parts_now(client)] == ["input-available", "output-available"]
        GATES["slow"].open()
        state = await sending
        assert answers(state["messages"]) == answers(await play.history(ID))
    assert [part["output"] for part in tool_parts(state["messages"][1])] == ["passed slow", "echo quick"]


async def parts_now(client):
    messages = (await client.state())["messages"]
    return tool_parts(messages[1]) if len(messages) > 1 else []


async def test_falsy_outputs_are_kept(folder, driver):
    turns = calls(*(call("falsy", {"kind": kind}) for kind in ("zero", "false", "empty", "null", "list")))
    async with chatting(folder, driver, turns, text("done")) as play:
        state = await (await play.chat(ID)).send("hi")
        assert answers(state["messages"]) == answers(await play.history(ID))
    parts = tool_parts(state["messages"][1])
    assert {part["state"] for part in parts} == {"output-available"}
    assert [part["output"] for part in parts] == ["0", "false", "(no output)", "(no output)", "[]"]


async def test_a_tool_that_fails_shows_its_error_and_the_run_goes_on(folder, driver):
    async with chatting(folder, driver, calls(call("fail"), call("no_such_tool")), text("I see")) as play:
        state = await (await play.chat(ID)).send("hi")
        assert answers(state["messages"]) == answers(await play.history(ID))
    failed, unknown = tool_parts(state["messages"][1])
    assert (failed["state"], failed["errorText"]) == ("output-error", "it broke")
    assert unknown["state"] == "output-error"
    assert texts(state["messages"][1]) == ["I see"]


async def test_a_rule_that_denies_is_told_with_its_reason(folder, driver):
    # Denied for some arguments only: a tool that is denied outright is not offered.
    config = '[permissions]\n"*" = "allow"\n[permissions.echo]\n"*" = "allow"\n"*secret*" = "deny"\n'
    async with chatting(folder, driver, call("echo", {"text": "secret"}), text("fine"), config=config) as play:
        state = await (await play.chat(ID)).send("hi")
        assert answers(state["messages"]) == answers(await play.history(ID))
    answer = state["messages"][1]
    assert tool_parts(answer)[0]["state"] == "output-denied"
    assert "denied" in answer["parts"][2]["data"]["message"]


async def test_a_tool_of_an_mcp_server_is_a_dynamic_one(folder, driver, mcp_url):
    turns = calls(call("mcp__play__echo", {"text": "x"}, chunk=3), call("mcp__play__fail"))
    async with chatting(folder, driver, turns, text("done"), config=with_server(folder, mcp_url)) as play:
        state = await (await play.chat(ID)).send("hi")
        assert answers(state["messages"]) == answers(await play.history(ID))
    echoed, failed = tool_parts(state["messages"][1])
    assert (echoed["type"], echoed["toolName"]) == ("dynamic-tool", "mcp__play__echo")
    assert "play: echo x" in echoed["output"]
    assert (failed["type"], failed["state"]) == ("dynamic-tool", "output-error")


async def test_calls_that_a_tool_makes_are_no_parts_of_the_message(folder, driver):
    both = [{"tool": "echo", "arguments": {"text": text}} for text in ("x", "y")]
    async with chatting(folder, driver, call("batch", {"calls": both}), text("done")) as play:
        state = await (await play.chat(ID)).send("hi")
        assert answers(state["messages"]) == answers(await play.history(ID))
    (part,) = tool_parts(state["messages"][1])
    assert (part["type"], RAN) == ("tool-batch", ["echo x", "echo y"])


async def test_more_than_text_comes_as_pieces(folder, driver):
    async with chatting(folder, driver, call("picture"), text("look")) as play:
        state = await (await play.chat(ID)).send("hi")
        assert answers(state["messages"]) == answers(await play.history(ID))
    answer = state["messages"][1]
    image = {"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,aGk="}
    assert tool_parts(answer)[0]["output"] == {"content": [{"type": "text", "text": "a dot"}, image]}
    assert answer["parts"][2]["data"]["title"] == "A dot"
    assert answer["parts"][2]["data"]["details"] == {"pixels": 1}


async def test_a_model_that_fails_is_an_error_with_its_text_and_the_chat_goes_on(folder, driver):
    failing = text("I beg") + error("bad_request", "the model has no more to say")
    async with chatting(folder, driver, failing, text("again")) as play:
        client = await play.chat(ID)
        state = await client.send("hi")
        assert state["status"] == "error"
        assert state["errors"] == ["the model has no more to say"]
        live, kept = answers(state["messages"]), answers(await play.history(ID))
        assert live == kept
        assert kept[0]["metadata"]["error"]["code"] == "bad_request"
        state = await client.send("once more")
    assert state["status"] == "ready"
    assert texts(state["messages"][-1]) == ["again"]


async def test_an_attempt_that_failed_before_its_first_word_leaves_no_trace(folder, driver):
    async with chatting(folder, driver, error("overloaded", "busy", retry_after=0.01), text("hello")) as play:
        state = await (await play.chat(ID)).send("hi")
        assert answers(state["messages"]) == answers(await play.history(ID))
    (retry,) = [part["data"] for part in state["data"] if part["type"] == "data-retry"]
    assert (retry["attempt"], retry["error"]["message"]) == (1, "busy")


def breaking(gate, *halves):
    """A turn that breaks off once its client has seen what it said, and is tried again."""
    return sum(halves, Turn()) + pause(gate) + error("overloaded", "busy", retry_after=0.01)


async def seen(client, words):
    """Wait until the client shows this in its answer."""
    async with asyncio.timeout(PATIENCE):
        while words not in str((await client.state())["messages"][1:]):
            pass


async def test_what_an_attempt_had_said_is_marked_and_not_in_the_history(folder, driver):
    gate = Gate()
    half = breaking(gate, text("Hel"), call("echo", '{"text": '))
    async with chatting(folder, driver, half, text("hello"), text("more")) as play:
        client = await play.chat(ID)
        sending = asyncio.create_task(client.send("hi"))
        await seen(client, "Hel")
        gate.open()
        state = await sending
        assert texts(state["messages"][1]) == ["Hel", BROKE_OFF, "hello"]
        ids = [chunk["id"] for chunk in state["chunks"] if chunk["type"] == "text-start"]
        assert len(ids) == len(set(ids)) == 3
        assert [texts(message) for message in answers(await play.history(ID))] == [["hello"]]
        # The client knows the answer by the attempt's id, and still goes on behind it.
        await client.send("and?")
        assert [texts(message) for message in await play.history(ID)] == [["hi"], ["hello"], ["and?"], ["more"]]


async def test_a_client_that_reads_the_history_again_ends_with_what_stands(folder, driver):
    gates = {"It i": Gate(), "It is s": Gate(), "It is su": Gate()}
    halves = [breaking(gate, text(half)) for half, gate in gates.items()]
    async with chatting(folder, driver, *halves, text("It is sunny."), text("more")) as play:
        client = await play.chat(ID, rereads=True)
        sending = asyncio.create_task(client.send("hi"))
        for half, gate in gates.items():
            await seen(client, f"'{half}'")
            gate.open()
        state = await sending
        assert [texts(message) for message in state["messages"]] == [["hi"], ["It is sunny."]]
        retracted = [part["data"]["messageId"] for part in state["data"] if part["type"] == "data-retracted"]
        assert len(retracted) == len(set(retracted)) == 3
        state = await client.send("and?")
        assert [texts(message) for message in state["messages"]] == [["hi"], ["It is sunny."], ["and?"], ["more"]]


@pytest.mark.parametrize("half", [text("Hel"), text("Hel") + call("echo", '{"text": '), reasoning("Hm") + text("Hel")])
async def test_a_client_of_version_7_is_told_to_reset_the_step(folder, driver, half):
    gates = [Gate(), Gate()]
    async with chatting(folder, driver, *(breaking(gate, half) for gate in gates), text("hello")) as play:
        told = ""
        async with play.http.stream(
            "POST", "/api/chat", json={"id": ID, "retract": "reset-step", "message": "hi"}
        ) as on:
            async for piece in on.aiter_text():
                told += piece
                for gate in gates[: told.count('"Hel"')]:
                    gate.open()
    chunks = [chunk for chunk in sse(told) if not chunk.get("transient")]
    names = [chunk["type"] for chunk in chunks]
    assert (names.count("reset-step"), names.count("start-step")) == (2, 1)
    assert BROKE_OFF not in told
    last = len(names) - names[::-1].index("reset-step")
    rest = ["text-start", "text-delta", "text-end", "finish-step", "message-metadata", "finish"]
    assert kinds(chunks[last:]) == rest
    ids = [chunk["id"] for chunk in chunks if chunk["type"] in ("text-start", "reasoning-start")]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("retract", ["mark", "reset-step"])
async def test_who_comes_back_sees_nothing_of_an_attempt_that_has_failed(folder, driver, retract):
    gate = Gate()
    turns = (text("Hel") + error("overloaded", "busy", retry_after=0.01), text("hello") + pause(gate) + text(" there"))
    async with chatting(folder, driver, *turns) as play:
        sending = asyncio.create_task((await play.chat(ID)).send("hi"))
        await gate.reached.wait()
        async with play.http.stream("GET", f"/api/chat/{ID}/stream?retract={retract}") as resumed:
            told = ""
            async for piece in resumed.aiter_text():
                told += piece
                if "hello" in told:
                    gate.open()
        await sending
    assert 'Hel"' not in told
    assert told.count('"start-step"') == 1
    assert "reset-step" not in told


async def test_a_call_that_was_cut_is_shown_as_it_was_written(folder, driver):
    cut = turn(call("echo", '{"text": "unfin', chunk=4), finish="length")
    async with chatting(folder, driver, cut, text("shorter")) as play:
        state = await (await play.chat(ID)).send("hi")
        assert answers(state["messages"]) == answers(await play.history(ID))
    assert tool_parts(state["messages"][1])[0]["state"] == "output-error"


async def test_files_that_the_model_makes_are_shown(folder, driver):
    async with chatting(folder, driver, file(b"hi") + text("drawn")) as play:
        state = await (await play.chat(ID)).send("draw")
        assert answers(state["messages"]) == answers(await play.history(ID))
    files = [part for part in state["messages"][1]["parts"] if part["type"] == "file"]
    assert files == [{"type": "file", "mediaType": "image/png", "url": "data:image/png;base64,aGk="}]


async def test_usage_and_cost_of_all_steps_are_in_the_metadata(folder, driver):
    one = turn(call("echo", {"text": "x"}), usage=Usage(100, 10))
    async with chatting(folder, driver, one, turn(text("done"), usage=Usage(200, 5))) as play:
        state = await (await play.chat(ID)).send("hi")
    assert state["messages"][1]["metadata"]["usage"] == {"input": 300, "output": 15}
    used = [part["data"]["context"] for part in state["data"] if part["type"] == "data-usage"]
    assert used == [{"used": 110, "window": 100_000}, {"used": 205, "window": 100_000}]


async def test_a_run_that_is_stopped_keeps_what_it_said(folder, driver):
    gate = Gate()
    half = text("half a") + call("echo", '{"text": "x') + pause(gate) + text("never")
    async with chatting(folder, driver, half) as play:
        client = await play.chat(ID)
        sending = asyncio.create_task(client.send("hi"))
        await gate.reached.wait()
        assert (await play.http.post(f"/api/chat/{ID}/stop")).json() == {"is_stopped": True}
        state = await sending
        assert state["status"] == "ready"
        assert "abort" in kinds(state["chunks"])
        assert answers(state["messages"]) == answers(await play.history(ID))
        assert (await play.http.post(f"/api/chat/{ID}/stop")).json() == {"is_stopped": False}
    assert texts(state["messages"][1]) == ["half a"]
    assert state["messages"][1]["metadata"]["finish"] == "aborted"


def test_the_end_is_told_only_once_the_session_is_free():
    """Whoever hears it may send the next prompt at once."""
    stream = UiStream()
    stream.feed(RunStart(1, ID, 0.0, "run", "m"))
    assert (stream.feed(RunEnd(2, ID, 0.0, "run", "done")), stream.is_over) == (b"", False)
    assert stream.feed(Settled(3, ID, 0.0)).endswith(b"data: [DONE]\n\n")
    assert stream.is_over


words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=30).filter(str.strip)
chunked = st.integers(1, 7)
one_call = st.one_of(
    st.builds(lambda said, chunk: call("echo", {"text": said}, chunk=chunk), words, chunked),
    st.builds(lambda said: call("lone", {"text": said}), words),
    st.sampled_from(
        [call("fail"), call("picture"), call("nobody"), call("echo", "{broken"), call("Echo", {"text": "a"})]
    ),
)
said = st.one_of(
    st.builds(lambda given, chunk: text(given, chunk=chunk), words, chunked),
    st.builds(lambda given, chunk: reasoning(given, chunk=chunk), words, chunked),
)
acting = st.builds(
    lambda before, made: turn(*before, *made), st.lists(said, max_size=2), st.lists(one_call, min_size=1, max_size=3)
)
last = st.builds(lambda pieces: turn(*pieces, text("done")), st.lists(said, max_size=3))


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.tuples(st.lists(acting, max_size=3), last), min_size=1, max_size=5))
async def test_the_history_is_what_the_client_put_together(folder, driver, runs):
    turns = [step for steps, end in runs for step in (*steps, end)]
    async with chatting(folder, driver, *turns, config=f"{ALLOW}[limits]\nrepetition = 100\n") as play:
        seen = []
        for number, _ in enumerate(runs):
            prompt = {"id": f"u{number}", "role": "user", "parts": [{"type": "text", "text": "go"}]}
            seen.append((await play.read(chatId=ID, messages=[prompt]))["message"])
        assert seen == answers(await play.history(ID))
