"""Asking for permission: rules, people, plugins, the headless policy, and what is remembered."""

import asyncio

import pytest

from toolpost import Agent, Answer, ConfigError, PermissionDenied, SqliteStore, ToolContext, ToolpostError, tool
from toolpost.testing import ScriptedModel, call, calls, text


@pytest.fixture
def deleted():
    return []


@pytest.fixture
def delete_file(deleted):
    @tool(patterns=lambda arguments: [arguments["path"]])
    async def delete_file(path: str) -> str:
        """Delete a file."""
        deleted.append(path)
        return f"deleted {path}"

    return delete_file


def last_call(session):
    return [part for message in session.messages for part in message.calls][-1].state


async def test_a_tool_given_in_code_runs_without_asking(delete_file, deleted):
    with ScriptedModel(call("delete_file", {"path": "a"}), text("ok")) as model:
        await Agent(model, [delete_file]).run("go")
    assert deleted == ["a"]


async def test_a_tool_that_is_denied_outright_is_not_offered(delete_file, deleted):
    with ScriptedModel(call("delete_file", {"path": "a"}), text("ok")) as model:
        session = Agent(model, [delete_file], permissions={"delete_file": "deny"}).session()
        await session.run("go")
    assert model.requests[0].tools == ()
    assert last_call(session).kind == "denied"
    assert deleted == []


async def test_the_last_rule_that_matches_decides(delete_file, deleted):
    rules = {"delete_file": {"*": "deny", "tmp/*": "allow"}}
    with ScriptedModel(
        calls(call("delete_file", {"path": "tmp/x"}), call("delete_file", {"path": "home"})), text("ok")
    ) as model:
        session = Agent(model, [delete_file], permissions=rules).session()
        await session.run("go")
    assert deleted == ["tmp/x"]
    assert last_call(session).kind == "denied"


@pytest.mark.parametrize(
    ("policy", "reason", "ran"), [("deny", "done", 0), ("allow", "done", 1), ("fail", "denied", 0)]
)
async def test_without_a_person_the_policy_answers(delete_file, deleted, policy, reason, ran):
    turns = [call("delete_file", {"path": "a"})] + ([text("ok")] if policy != "fail" else [])
    with ScriptedModel(*turns) as model:
        agent = Agent(model, [delete_file], permissions={"delete_file": "ask"}, headless=policy)
        result = await agent.run("go")
    assert result.reason == reason
    assert len(deleted) == ran
    assert result.denied == (() if policy == "allow" else ("delete_file",))


async def test_a_person_who_says_once_is_asked_again(delete_file, deleted):
    asked = []

    async def on_ask(ask):
        asked.append((ask.permission, ask.patterns))
        return "once"

    with ScriptedModel(call("delete_file", {"path": "a"}), call("delete_file", {"path": "b"}), text("ok")) as model:
        await Agent(model, [delete_file], permissions={"*": "ask"}, on_ask=on_ask).run("go")
    assert asked == [("delete_file", ("a",)), ("delete_file", ("b",))]
    assert deleted == ["a", "b"]


async def test_always_is_remembered_for_the_project_and_can_be_taken_back(delete_file, deleted, tmp_path):
    asked = 0

    async def on_ask(ask):
        nonlocal asked
        asked += 1
        return "always"

    async def delete_a():
        with ScriptedModel(call("delete_file", {"path": "a"}), text("ok")) as model:
            agent = Agent(model, [delete_file], permissions={"*": "ask"}, on_ask=on_ask, store=store, folder=tmp_path)
            await agent.run("go")

    store = SqliteStore(tmp_path / "t.db")
    await delete_a()
    await delete_a()
    assert asked == 1
    (approval,) = await store.approvals(str(tmp_path))
    assert (approval.permission, approval.pattern) == ("delete_file", "a")
    assert await store.revoke(approval.id)
    await delete_a()
    assert asked == 2
    await store.close()


async def test_a_saved_approval_never_lifts_a_deny(delete_file, deleted, tmp_path):
    store = SqliteStore(tmp_path / "t.db")

    async def always(ask):
        return "always"

    for rules in ({"*": "ask"}, {"*": "ask", "delete_file": {"a": "deny"}}):
        with ScriptedModel(call("delete_file", {"path": "a"}), text("ok")) as model:
            agent = Agent(model, [delete_file], permissions=rules, on_ask=always, store=store, folder=tmp_path)
            await agent.run("go")
    assert deleted == ["a"]
    await store.close()


async def test_a_reject_without_a_word_ends_the_run(delete_file, deleted):
    async def on_ask(ask):
        return "reject"

    with ScriptedModel(call("delete_file", {"path": "a"})) as model:
        result = await Agent(model, [delete_file], permissions={"*": "ask"}, on_ask=on_ask).run("go")
    assert result.reason == "denied"
    assert deleted == []


async def test_a_reject_with_a_word_is_read_by_the_model_and_the_run_goes_on(delete_file, deleted):
    async def on_ask(ask):
        return Answer("reject", "not that one, use b")

    with ScriptedModel(call("delete_file", {"path": "a"}), text("ok")) as model:
        session = Agent(model, [delete_file], permissions={"*": "ask"}, on_ask=on_ask).session()
        result = await session.run("go")
    assert result.reason == "done"
    assert last_call(session).message == "not that one, use b"


async def test_an_interactive_session_waits_for_a_reply_and_says_so(delete_file, deleted):
    with ScriptedModel(call("delete_file", {"path": "a"}), text("ok")) as model:
        session = Agent(model, [delete_file], permissions={"*": "ask"}, interactive=True).session()
        async for event in session.stream("go"):
            if event.type == "permission_asked":
                assert session.status.state == "waiting"
                assert session.status.asks == (event.ask_id,)
                session.reply(event.ask_id, "once")
    assert deleted == ["a"]
    assert session.status.state == "idle"


async def test_a_reject_answers_the_other_open_asks_too(delete_file, deleted):
    turn = calls(call("delete_file", {"path": "a"}), call("delete_file", {"path": "b"}))
    with ScriptedModel(turn) as model:
        session = Agent(model, [delete_file], permissions={"*": "ask"}, interactive=True).session()
        asks = []
        replied = 0
        async for event in session.stream("go"):
            if event.type == "permission_asked":
                asks.append(event.ask_id)
                if len(asks) == 2:
                    session.reply(asks[0], "reject")
            replied += event.type == "permission_replied"
    assert replied == 2
    assert deleted == []


async def test_a_tool_can_ask_for_itself():
    outcomes = []

    @tool
    async def fetch(url: str, ctx: ToolContext) -> str:
        """Fetch a page."""
        try:
            await ctx.ask("network", [url])
        except PermissionDenied:
            outcomes.append("denied")
            raise
        outcomes.append("allowed")
        return "page"

    rules = {"fetch": "allow", "network": {"*": "deny", "https://ok/*": "allow"}}
    turn = calls(call("fetch", {"url": "https://ok/1"}), call("fetch", {"url": "https://bad/1"}))
    with ScriptedModel(turn, text("done")) as model:
        session = Agent(model, [fetch], permissions=rules).session()
        await session.run("go")
    assert sorted(outcomes) == ["allowed", "denied"]
    assert last_call(session).kind == "denied"


async def test_aborting_while_a_person_is_asked_ends_the_run(delete_file, deleted):
    with ScriptedModel(call("delete_file", {"path": "a"})) as model:
        session = Agent(model, [delete_file], permissions={"*": "ask"}, interactive=True).session()
        asked = asyncio.Event()
        session.subscribe(lambda event: asked.set() if event.type == "permission_asked" else None)
        running = asyncio.create_task(session.run("go"))
        await asyncio.wait_for(asked.wait(), 5)
        await session.abort()
        assert (await running).reason == "aborted"
    assert deleted == []
    assert session.status.state == "idle"


@pytest.mark.parametrize("given", [None, False, True, "no", "yes", ["once"], Answer("deny")])
async def test_an_answer_that_is_none_of_the_replies_runs_nothing_and_ends_the_run(delete_file, deleted, given):
    async def on_ask(asked):
        return given

    model = ScriptedModel(call("delete_file", {"path": "a"}))
    session = Agent(model, [delete_file], permissions={"delete_file": "ask"}, on_ask=on_ask).session()
    with pytest.raises(ConfigError, match=r'on_ask returned .* return "once", "always" or "reject"'):
        await session.run("go")
    assert deleted == []
    assert last_call(session).kind == "failed"


async def test_a_reply_that_is_none_of_the_replies_is_refused(delete_file, deleted):
    model = ScriptedModel(call("delete_file", {"path": "a"}), text("ok"))
    session = Agent(model, [delete_file], permissions={"delete_file": "ask"}, interactive=True).session()
    async for event in session.stream("go"):
        if event.type == "permission_asked":
            with pytest.raises(ToolpostError, match="once, always or reject"):
                session.reply(event.ask_id, "sure")
            session.reply(event.ask_id, "reject", "no")
    assert deleted == []


async def test_a_failing_on_ask_refuses_the_call_and_the_run_goes_on(delete_file, deleted):
    async def on_ask(asked):
        raise RuntimeError("the screen is gone")

    model = ScriptedModel(call("delete_file", {"path": "a"}), text("ok"))
    session = Agent(model, [delete_file], permissions={"delete_file": "ask"}, on_ask=on_ask).session()
    assert (await session.run("go")).text == "ok"
    assert deleted == []
    assert last_call(session).kind == "denied"


async def test_patterns_that_fail_stop_the_call_and_not_the_run():
    ran = []

    @tool(patterns=lambda arguments: [arguments["missing"]])
    async def touch() -> str:
        """Touch it."""
        ran.append(True)
        return ""

    session = Agent(ScriptedModel(call("touch", {}), text("ok")), [touch]).session()
    assert (await session.run("go")).text == "ok"
    assert (ran, last_call(session).kind) == ([], "failed")


async def test_an_approval_that_was_taken_back_is_asked_about_again_in_the_same_session(delete_file, deleted, tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    asked = []

    async def on_ask(event):
        asked.append(event)
        return "always"

    model = ScriptedModel(*[call("delete_file", {"path": "a"}), text("ok")] * 3)
    agent = Agent(model, [delete_file], permissions={"delete_file": "ask"}, on_ask=on_ask, store=store)
    session = agent.session()
    await session.run("go")
    await session.run("again")
    assert len(asked) == 1
    for approval in await store.approvals():
        await store.revoke(approval.id)
    await session.run("and again")
    assert len(asked) == 2
    await store.close()


async def test_after_a_reject_without_a_word_no_later_call_of_the_turn_begins():
    ran = []

    @tool(parallel=False)
    async def first() -> str:
        """Asked about."""
        return ""

    @tool(parallel=False)
    async def second() -> str:
        """Allowed."""
        ran.append(True)
        return ""

    async def on_ask(asked):
        return "reject"

    model = ScriptedModel(calls(call("first", {}), call("second", {})))
    session = Agent(model, [first, second], permissions={"first": "ask"}, on_ask=on_ask).session()
    assert (await session.run("go")).reason == "denied"
    assert ran == []
    assert [part.state.kind for part in session.messages[-1].calls] == ["denied", "aborted"]


async def test_an_always_answers_the_other_open_asks_that_it_covers(delete_file, deleted):
    turn = calls(call("delete_file", {"path": "a"}), call("delete_file", {"path": "a"}))
    with ScriptedModel(turn, text("ok")) as model:
        session = Agent(model, [delete_file], permissions={"*": "ask"}, interactive=True).session()
        asks = []
        async for event in session.stream("go"):
            if event.type == "permission_asked":
                asks.append(event.ask_id)
                if len(asks) == 2:
                    session.reply(asks[0], "always")
    assert deleted == ["a", "a"]
