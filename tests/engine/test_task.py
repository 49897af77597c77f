"""Sub-agents: a child session that works for a run, and never does more than the run may."""

import asyncio
import contextlib

import pytest
from bench_play import bench, shown, states

from toolpost import Agent, Answer, Limits, MemoryStore, SqliteStore, ToolContext, tool
from toolpost.store.contract import SessionChanges, SessionInfo
from toolpost.testing import Gate, ScriptedModel, call, calls, error, pause, text, turn
from toolpost.tools.builtin import question
from toolpost.tools.builtin.task import task_tool
from toolpost.tools.limits import ToolLimits
from toolpost.types.messages import Usage


def task(agent="", prompt="look around", **more):
    return call("task", {"description": "Look around", "prompt": prompt, "agent": agent, **more})


def helper(model, tools=(), **options):
    return Agent(model, tools, name="helper", description="Helps", **options)


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


async def children(store):
    return [info async for info in store.sessions() if info.parent is not None]


async def test_a_sub_agent_works_in_a_session_of_its_own_with_its_own_prompt_and_tools(delete_file, deleted, tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    small = ScriptedModel(call("delete_file", {"path": "a"}), text("Deleted a."), name="small")
    big = ScriptedModel(task("helper", "delete a"), text("done"), name="big")
    with small, big:
        session = Agent(big, agents=[helper(small, [delete_file], system="You help.")], store=store).session()
        result = await session.run("go")
    assert (result.text, deleted) == ("done", ["a"])
    (state,) = states(session)
    (child,) = await children(store)
    assert shown(state) == f"Deleted a.\n\n(session_id: {child.id})"
    assert (child.parent, child.title, child.agent, child.model) == (
        session.id,
        "Look around",
        "helper",
        "scripted/small",
    )
    assert small.requests[0].system[0].startswith("You help.\n\nYou work as a sub-agent")
    assert [message.text for message in small.requests[0].messages] == ["delete a"]
    assert [spec.name for spec in small.requests[0].tools] == ["delete_file"]
    assert "- helper: Helps" in big.requests[0].tools[0].description
    assert len(session.messages) == 3
    await store.close()


async def test_without_an_agent_a_copy_is_sent_that_can_send_one_more_and_that_one_none():
    model = ScriptedModel(task(), task(), text("deep"), text("middle"), text("top"))
    with model:
        session = Agent(model, [task_tool({}, ToolLimits())], system="Me.").session()
        assert (await session.run("go")).text == "top"
    offered = [[spec.name for spec in request.tools] for request in model.requests]
    assert offered == [["task"], ["task"], [], ["task"], ["task"]]
    assert model.requests[1].system[0].startswith("Me.\n\n")


async def test_its_tokens_and_cost_are_counted_for_all_above_it():
    spent = Usage(input=10, output=1)
    model = ScriptedModel(
        turn(task(), usage=spent),
        turn(task(), usage=spent),
        turn(text("a"), usage=spent),
        *[turn(text("b"), usage=spent)] * 2,
    )
    session = Agent(model, [task_tool({}, ToolLimits())]).session()
    result = await session.run("go")
    assert result.usage == session.usage == Usage(input=50, output=5)
    assert states(session)[0].details["tokens"] == 22


async def test_the_budget_of_a_run_holds_for_those_that_it_sends():
    spent = Usage(input=60)
    model = ScriptedModel(
        turn(task(), usage=spent), turn(task(), usage=spent), turn(text("stopped"), usage=spent), text("last words")
    )
    session = Agent(model, [task_tool({}, ToolLimits())], limits=Limits(max_tokens=100)).session()
    result = await session.run("go")
    assert (result.reason, result.limit) == ("limit", "max_tokens")
    # After its first step the tree has spent 120: it has to answer without tools, and so has its sender.
    assert [bool(request.tools) for request in model.requests] == [True, True, False, False]
    assert "stopped at a limit (max_tokens)" in shown(states(session)[0])


async def test_a_sub_agents_ask_reaches_the_face_of_its_sender(delete_file, deleted, tmp_path):
    asked = []

    async def on_ask(ask):
        asked.append(ask)
        return "always" if len(asked) == 1 else Answer("reject", "leave b alone")

    store = SqliteStore(tmp_path / "t.db")
    small = ScriptedModel(
        call("delete_file", {"path": "a"}),
        call("delete_file", {"path": "a"}),
        call("delete_file", {"path": "b"}),
        text("ok"),
    )
    with small, ScriptedModel(task("helper"), text("done")) as model:
        agent = Agent(
            model,
            agents=[helper(small, [delete_file])],
            permissions={"delete_file": "ask"},
            on_ask=on_ask,
            store=store,
            folder=tmp_path,
        )
        session = agent.session()
        events = [event async for event in session.stream("go")]
    (child,) = await children(store)
    assert [(ask.agent, ask.child, ask.session_id, ask.patterns) for ask in asked] == [
        ("helper", child.id, session.id, ("a",)),
        ("helper", child.id, session.id, ("b",)),
    ]
    assert [event for event in events if event.type == "permission_asked"] == asked
    assert deleted == ["a", "a"]
    await store.close()


async def test_an_interactive_sender_is_asked_and_replies_for_its_sub_agent(delete_file, deleted):
    small = ScriptedModel(call("delete_file", {"path": "a"}), text("ok"))
    with small, ScriptedModel(task("helper"), text("done")) as model:
        session = Agent(
            model, agents=[helper(small, [delete_file])], permissions={"delete_file": "ask"}, interactive=True
        ).session()
        async for event in session.stream("go"):
            if event.type == "permission_asked":
                assert session.status.asks == (event.ask_id,)
                session.reply(event.ask_id, "once")
    assert deleted == ["a"]


async def test_a_reject_without_a_word_ends_the_sender_too(delete_file, deleted):
    async def on_ask(ask):
        return "reject"

    small = ScriptedModel(call("delete_file", {"path": "a"}))
    with small, ScriptedModel(task("helper")) as model:
        agent = Agent(model, agents=[helper(small, [delete_file])], permissions={"delete_file": "ask"}, on_ask=on_ask)
        assert (await agent.run("go")).reason == "denied"
    assert deleted == []


@pytest.mark.parametrize(("policy", "reason"), [("deny", "done"), ("fail", "denied"), ("allow", "done")])
async def test_the_policy_for_nobody_holds_for_the_whole_tree(delete_file, deleted, policy, reason):
    small = ScriptedModel(call("delete_file", {"path": "a"}), text("ok"))
    model = ScriptedModel(task("helper"), text("done"))
    agent = Agent(
        model,
        agents=[helper(small, [delete_file], headless="allow", permissions={"delete_file": "allow"})],
        permissions={"delete_file": "ask"},
        headless=policy,
    )
    result = await agent.run("go")
    assert result.reason == reason
    assert result.denied == (() if policy == "allow" else ("delete_file",))
    assert deleted == (["a"] if policy == "allow" else [])


async def test_a_sub_agent_has_none_of_the_tools_that_are_off_for_its_sender(delete_file, deleted):
    small = ScriptedModel(call("delete_file", {"path": "a"}), text("no"))
    with small, ScriptedModel(task("helper"), text("done")) as model:
        session = Agent(model, [delete_file], agents=[helper(small, [delete_file])]).session()
        await session.run("go", switch_off=["delete_file"])
    assert small.requests[0].tools == ()
    assert deleted == []


async def test_its_question_reaches_the_face_of_its_sender(tmp_path):
    asked = []

    async def on_question(event):
        asked.append((event.agent, event.questions[0].question))
        return ["blue"]

    small = ScriptedModel(call("question", {"questions": [{"question": "Which?"}]}), text("blue it is"))
    with small, ScriptedModel(task("helper"), text("done")) as model:
        agents = [helper(small, [question.make(bench(tmp_path))])]
        await Agent(model, agents=agents, on_question=on_question).run("go")
    assert asked == [("helper", "Which?")]


async def test_it_can_be_gone_on_with_and_only_by_its_sender(tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    small = ScriptedModel(text("one"), text("two"))
    agents = [helper(small)]
    with ScriptedModel(task("helper", "first"), text("ok")) as model:
        session = Agent(model, agents=agents, store=store).session()
        await session.run("go")
    (child,) = await children(store)
    again = task(prompt="second", session_id=child.id)
    with ScriptedModel(again, text("ok"), again, text("ok"), task("other", session_id=child.id), text("ok")) as model:
        agent = Agent(model, agents=agents, store=store)
        resumed = agent.session(session.id)
        await resumed.run("go on")
        stranger = agent.session()
        await stranger.run("mine now")
        await resumed.run("wrong agent")
    assert [message.text for message in small.requests[1].messages] == ["first", "one", "second"]
    assert shown(states(resumed)[1]).startswith("two")
    assert "is not a session of one of your sub-agents" in shown(states(stranger)[0])
    assert "belongs to the agent helper" in shown(states(resumed)[2])
    assert len(await children(store)) == 1
    await store.close()


async def test_a_rule_about_an_agent_holds_however_it_is_named(tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    small = ScriptedModel(text("one"))
    with ScriptedModel(task("helper"), text("ok")) as model:
        session = Agent(model, agents=[helper(small)], store=store).session()
        await session.run("go")
    (child,) = await children(store)
    rules = {"task": {"*": "allow", "helper": "deny"}}
    turns = [task("helper"), task(session_id=child.id), text("ok")]
    with ScriptedModel(*turns) as model:
        session = Agent(model, agents=[helper(small)], store=store, permissions=rules).session(session.id)
        await session.run("again")
    assert [state.kind for state in states(session)[1:]] == ["denied", "denied"]
    await store.close()


async def test_what_it_had_when_its_model_failed_is_not_lost():
    small = ScriptedModel(text("Found it in a.py.") + call("nothing"), error("bad_request", "no credit"))
    with small, ScriptedModel(task("helper"), text("ok")) as model:
        session = Agent(model, agents=[helper(small)]).session()
        await session.run("go")
    (state,) = states(session)
    assert state.kind == "failed"
    assert "did not finish: no credit" in state.message
    assert "Found it in a.py." in state.message
    assert "Its calls:\nnothing: unknown_tool" in state.message
    assert "session_id: ses_" in state.message


async def test_when_its_time_is_up_it_is_stopped_and_what_it_had_comes_back():
    stopped = asyncio.Event()

    @tool
    async def hang() -> str:
        """Hang."""
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return ""

    small = ScriptedModel(text("So far so good.") + call("hang"), pause(Gate()))
    with ScriptedModel(task("helper"), text("ok")) as model:
        tools = [task_tool({}, ToolLimits(task_seconds=0.5))]
        session = Agent(model, tools, agents=[helper(small, [hang])]).session()
        await session.run("go")
    (state,) = states(session)
    assert state.kind == "timeout"
    assert "So far so good." in state.message
    assert stopped.is_set()


async def test_before_its_time_is_up_it_is_asked_for_its_answer():
    small = ScriptedModel(call("hang"), text("This is what I have."))

    @tool
    async def hang() -> str:
        """Hang."""
        await asyncio.Event().wait()
        return ""

    with small, ScriptedModel(task("helper"), text("ok")) as model:
        tools = [task_tool({}, ToolLimits(task_seconds=2.0))]
        session = Agent(model, tools, agents=[helper(small, [hang])]).session()
        await session.run("go")
    assert "stopped at a limit (max_seconds)" in shown(states(session)[0])
    assert "This is what I have." in shown(states(session)[0])


async def test_several_work_side_by_side_and_report_in_order():
    both = asyncio.Barrier(2)

    @tool
    async def meet() -> str:
        """Meet."""
        await asyncio.wait_for(both.wait(), 5)
        return "met"

    first, second = (ScriptedModel(call("meet"), text(name)) for name in ("first", "second"))
    agents = [Agent(first, [meet], name="one"), Agent(second, [meet], name="two")]
    with first, second, ScriptedModel(calls(task("one"), task("two")), text("ok")) as model:
        session = Agent(model, agents=agents).session()
        await session.run("go")
    assert [shown(state).partition("\n")[0] for state in states(session)] == ["first", "second"]


async def test_an_abort_stops_every_sub_agent_below():
    begun, stopped = asyncio.Event(), asyncio.Event()

    @tool
    async def hang() -> str:
        """Hang."""
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            stopped.set()
        return ""

    store = MemoryStore()
    with ScriptedModel(task(), task(), call("hang")) as model:
        session = Agent(model, [task_tool({}, ToolLimits()), hang], store=store).session()
        running = asyncio.create_task(session.run("go"))
        await asyncio.wait_for(begun.wait(), 5)
        await session.abort()
        assert (await running).reason == "aborted"
    assert stopped.is_set()
    infos = [info async for info in store.sessions()]
    assert [info.open_run for info in infos] == [None, None, None]
    for info in infos:
        assert [event.reason async for event in store.events(info.id) if event.type == "run_end"] == ["aborted"]
        (await store.lease(info.id)).release()


async def test_a_sub_agent_whose_tool_ignores_an_abort_has_ended_all_the_same_before_its_sender(caplog):
    begun, free = asyncio.Event(), asyncio.Event()

    @tool
    async def ignore() -> str:
        """Ignore it."""
        begun.set()
        while not free.is_set():
            with contextlib.suppress(asyncio.CancelledError):
                await free.wait()
        return ""

    store = MemoryStore()
    with ScriptedModel(task(), call("ignore")) as model:
        session = Agent(model, [task_tool({}, ToolLimits()), ignore], store=store).session()
        running = asyncio.create_task(session.run("go"))
        await asyncio.wait_for(begun.wait(), 5)
        await session.abort()
        open_runs = [info.open_run async for info in store.sessions()]
        free.set()
        assert (await running).reason == "aborted"
    assert open_runs == [None, None]
    left_behind = [record.getMessage() for record in caplog.records if "left behind" in record.getMessage()]
    assert len(left_behind) == 1
    assert left_behind[0].startswith("tool ignore")


async def test_its_calls_are_shown_as_progress(delete_file):
    small = ScriptedModel(call("delete_file", {"path": "a/b.txt"}), text("ok"))
    with small, ScriptedModel(task("helper"), text("done")) as model:
        session = Agent(model, agents=[helper(small, [delete_file])]).session()
        updates = [event async for event in session.stream("go") if event.type == "tool_execution_update"]
    assert [event.text for event in updates] == ["", "delete_file a/b.txt\n"]
    assert updates[0].details["agent"] == "helper"


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"agent": "ghost"}, 'no agent "ghost"'),
        ({"prompt": " "}, "prompt is empty"),
        ({"session_id": "x"}, "not a session of"),
    ],
)
async def test_an_errand_that_nobody_can_run_is_told_to_the_model(given, problem):
    with ScriptedModel(task(**given), text("ok")) as model:
        session = Agent(model, agents=[helper(ScriptedModel())]).session()
        await session.run("go")
    assert problem in shown(states(session)[0])


async def test_a_read_only_agent_sends_only_read_only_ones(deleted, delete_file):
    seen = []

    @tool(heeds_read_only=True)
    async def run(ctx: ToolContext) -> str:
        """Run."""
        seen.append(ctx.read_only)
        return ""

    @tool(read_only=True)
    async def look() -> str:
        """Look."""
        return ""

    small = ScriptedModel(call("run"), text("ok"))
    with small, ScriptedModel(call("run"), task("helper"), text("done")) as model:
        own = [delete_file, look, run]
        session = Agent(model, own, agents=[helper(small, own)], read_only=True).session()
        await session.run("go")
    assert [spec.name for spec in model.requests[0].tools] == ["look", "run", "task"]
    assert [spec.name for spec in small.requests[0].tools] == ["look", "run"]
    assert seen == [True, True]


class DyingSender(SqliteStore):
    """`found` is what another process finds where the sender of a sub-agent dies before what came of that is stored."""

    def __init__(self, path):
        super().__init__(path)
        self.found = MemoryStore()

    async def commit(self, changes):
        ends = [event for event in changes.events if event.type == "tool_execution_end" and event.name == "task"]
        if ends:
            for info in [info async for info in self.sessions()]:
                await self._leave(info)
        return await super().commit(changes)

    async def _leave(self, info):
        await self.found.create(SessionInfo(info.id, parent=info.parent))
        messages = [message async for message in self.messages(info.id)]
        events = [event async for event in self.events(info.id)]
        run = await self.open_run(info.id) if info.open_run else None
        await self.found.commit(SessionChanges(info.id, info, messages, events, run=run))


@pytest.mark.parametrize(
    ("end", "reason"),
    [(text(""), "done"), (error("auth", "it is broken"), "done"), (call("ask_first", {}), "denied")],
    ids=["no text", "error", "denied"],
)
async def test_a_sub_agent_that_has_ended_is_not_sent_again(tmp_path, end, reason):
    """However its run ended: its work is done, and would be done twice."""
    ran = []

    @tool
    async def work() -> str:
        """Work."""
        ran.append("work")
        return "worked"

    @tool
    async def ask_first() -> str:
        """Something that a person does not want."""
        return ""

    def agent(store, sender, small):
        small = helper(small, [work, ask_first], permissions={"ask_first": "ask"})
        return Agent(sender, agents=[small], store=store, on_ask=lambda ask: Answer("reject"))

    store = DyingSender(tmp_path / "t.db")
    session = agent(store, ScriptedModel(task("helper"), text("end")), ScriptedModel(call("work", {}), end)).session()
    await session.run("go")
    (reported,) = states(session)
    with ScriptedModel(*([text("end")] if reason == "done" else [])) as sender:
        again = await agent(store.found, sender, ScriptedModel()).session(session.id)
        result = await again.resume()
    assert ran == ["work"]
    (found,) = states(again)
    assert (shown(found), found.details) == (shown(reported), reported.details)
    assert result.reason == reason
    await store.close()
