"""A run that its process let go of goes on: under its own id, with its limits, and nothing is done twice."""

import asyncio
import dataclasses

import msgspec
import pytest

from toolpost import Agent, Limits, SessionBusy, SqliteStore, ToolContext, ToolpostError, tool
from toolpost.engine.run_record import count_death
from toolpost.engine.unheld_runs import queue_run
from toolpost.store.memory import MemoryStore
from toolpost.testing import Gate, ScriptedModel, call, calls, pause, text, turn
from toolpost.tools.fingerprint import fingerprint_of
from toolpost.types.messages import Usage


@pytest.fixture(params=["memory", "sqlite"])
async def store(request, tmp_path):
    store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "t.db")
    yield store
    await store.close()


class Work:
    """A tool that is held up in the calls that are named, until `go`."""

    def __init__(self, *held, **options):
        self.ran = []
        self.reached = asyncio.Event()
        self.go = asyncio.Event()
        self.held = set(held)

        @tool(name="work", **options)
        async def work(n: int) -> str:
            """Work."""
            self.ran.append(n)
            if n in self.held:
                self.held.discard(n)
                self.reached.set()
                await self.go.wait()
            return f"did {n}"

        self.tool = work


def states(session):
    return [(part.call_id, part.state.status) for message in session.messages for part in message.calls]


async def let_go(session, running):
    await session.release()
    assert (await running).reason == "parked"


async def all_events(store, session_id):
    return [event async for event in store.events(session_id)]


@pytest.mark.parametrize("is_changed", [False, True])
async def test_an_approval_does_not_hold_for_a_tool_that_says_something_else_by_now(store, is_changed):
    def agent(description, *turns):
        work = Work()
        tool = dataclasses.replace(work.tool, fingerprint=fingerprint_of(description, {}))
        options = {"permissions": {"work": "ask"}, "interactive": True, "park_seconds": 0.0, "store": store}
        return work, Agent(ScriptedModel(*turns), [tool], **options)

    _, before = agent("Work.", call("work", {"n": 1}, id="c1"))
    session = before.session()
    assert (await session.run("go")).reason == "parked"
    (asked,) = await session.requests()
    await session.respond(asked.ask_id, "once")
    await session.close()
    work, after = agent("Work, and send it on." if is_changed else "Work.", text("done"))
    resumed = await after.session(session.id)
    result = await resumed.resume()
    assert (result.reason, work.ran) == (("parked", []) if is_changed else ("done", [1]))
    assert [one.call_id for one in await resumed.requests()] == (["c1"] if is_changed else [])


async def test_an_approval_of_a_finished_call_does_not_hold_for_another_with_the_same_id(store):
    """Once, of a sub-agent's call: its next step is not the one that was approved, whatever ids its provider gives."""
    ran, gate = [], Gate()

    @tool(permission="put", patterns=lambda arguments: [arguments["path"]])
    async def put(path: str, content: str) -> str:
        """Put."""
        ran.append(content)
        return "ok"

    def put_it(content):
        return call("put", {"path": "a", "content": content}, id="call_0")

    def sender(*turns, helper):
        agent = Agent(ScriptedModel(*helper), [put], name="helper", permissions={"put": "ask"})
        return Agent(ScriptedModel(*turns), agents=[agent], store=store, interactive=True)

    send = call("task", {"description": "d", "prompt": "work", "agent": "helper"}, id="t1")
    session = sender(send, helper=[put_it("same"), text("x") + pause(gate)]).session()
    session.subscribe(lambda event: session.reply(event.ask_id, "once") if event.type == "permission_asked" else None)
    running = asyncio.create_task(session.run("go"))
    await gate.reached.wait()
    await let_go(session, running)
    again = sender(text("end"), helper=[put_it("same"), put_it("other"), text("did")]).session(session.id)
    asked = []

    def refuse(event):
        if event.type == "permission_asked":
            asked.append(event.details["arguments"]["content"])
            again.reply(event.ask_id, "reject", "no")

    again.subscribe(refuse)
    assert (await again.resume()).text == "end"
    assert (asked, ran) == (["same", "other"], ["same"])


@pytest.mark.parametrize("changed", ["", "details", "always"])
async def test_an_answer_holds_for_what_the_person_saw(store, changed):
    passed = []

    def agent(diff, always, *turns):
        @tool(idempotent=True)
        async def apply(ctx: ToolContext) -> str:
            """Apply."""
            await ctx.ask("danger", ["prod"], always=always, details={"diff": diff})
            passed.append(diff)
            return "ok"

        return Agent(ScriptedModel(*turns), [apply], store=store, interactive=True, park_seconds=0.0)

    session = agent("+ good", ["prod"], call("apply", {}, id="c1")).session()
    assert (await session.run("go")).reason == "parked"
    (asked,) = await session.requests()
    await session.respond(asked.ask_id, "always")
    await session.close()
    diff, always = "+ bad" if changed == "details" else "+ good", ["*"] if changed == "always" else ["prod"]
    again = agent(diff, always, text("done")).session(session.id)
    assert (await again.resume()).reason == ("parked" if changed else "done")
    assert [one.pattern for one in await store.approvals()] == ([] if changed else ["prod"])
    assert passed == ([] if changed else ["+ good"])
    assert [one.always for one in await again.requests()] == ([tuple(always)] if changed else [])


async def left_at_once(store, **options):
    """A session whose run was left in its first turn."""
    gate = Gate()
    session = Agent(ScriptedModel(text("x") + pause(gate)), store=store, **options).session()
    running = asyncio.create_task(session.run("go"))
    await gate.reached.wait()
    await let_go(session, running)
    await session.close()
    return session.id


async def test_a_run_does_not_go_on_in_another_folder(store, tmp_path):
    left = await left_at_once(store, folder=tmp_path)
    (tmp_path / "other").mkdir()
    other = await Agent(ScriptedModel(), store=store, folder=tmp_path / "other").session(left)
    before = await store.open_run(left)
    with pytest.raises(ToolpostError, match=f"belongs to the folder {tmp_path}"):
        await other.resume()
    assert await store.open_run(left) == before
    session = await Agent(ScriptedModel(text("done")), store=store, folder=tmp_path).session(left)
    assert (await session.resume()).reason == "done"


async def test_the_run_of_a_sub_agent_goes_on_with_its_sender_alone(store):
    gate, helper = Gate(), {"name": "helper", "description": "Helps."}
    sender = Agent(
        ScriptedModel(call("task", {"description": "d", "prompt": "work", "agent": "helper"}, id="t1")),
        agents=[Agent(ScriptedModel(text("x") + pause(gate)), **helper)],
        store=store,
    )
    session = sender.session()
    running = asyncio.create_task(session.run("go"))
    await gate.reached.wait()
    await let_go(session, running)
    await session.close()
    (child,) = [run.record.session_id async for run in store.open_runs() if run.parent is not None]
    alone = await Agent(ScriptedModel(), store=store, **helper).session(child)
    with pytest.raises(ToolpostError, match=f"goes on with the session that sent it, {session.id}"):
        await alone.resume()
    with pytest.raises(ToolpostError, match=f"goes on with the session that sent it, {session.id}"):
        await queue_run(store, child)
    sender = Agent(ScriptedModel(text("end")), agents=[Agent(ScriptedModel(text("did")), **helper)], store=store)
    assert (await (await sender.session(session.id)).resume()).text == "end"


@pytest.mark.parametrize("is_known", [True, False])
async def test_the_cost_of_a_run_counts_where_what_its_session_cost_before_is_not_known(store, is_known):
    """And once the run's own is not known, nobody can say that `max_cost` is not reached."""
    prices = [None, 1.0, 1.0 if is_known else None, 1.0, 1.0, 1.0]

    async def price(provider, model, usage):
        return prices.pop(0) if usage.total else 0.0

    work = Work()

    def agent(*turns):
        made = Agent(ScriptedModel(*turns), [work.tool], store=store, limits=Limits(max_cost=3.0))
        made._setup = dataclasses.replace(made._setup, price=price)
        return made

    def spent(reply):
        return turn(reply, usage=Usage(input=20, output=7))

    first = Agent(ScriptedModel(spent(text("hi"))), store=store)
    first._setup = dataclasses.replace(first._setup, price=price)
    session = first.session()
    await session.run("first")
    await session.close()
    assert session.cost is None
    gate = Gate()
    acts = [spent(call("work", {"n": n}, id=f"c{n}")) for n in range(4)]
    session = await agent(*acts[:2], text("x") + pause(gate)).session(session.id)
    if is_known:
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        await let_go(session, running)
        session = await agent(acts[2], spent(text("final"))).session(session.id)
        result = await session.resume()
        assert (result.reason, result.limit, result.cost, result.steps) == ("limit", "max_cost", 4.0, 4)
    else:
        session = await agent(*acts[:2], spent(text("final"))).session(session.id)
        result = await session.run("go")
        assert (result.reason, result.limit, result.cost, result.steps) == ("limit", "max_cost", None, 3)


@pytest.mark.parametrize("where", ["options", "system"])
async def test_a_secret_in_the_options_of_a_run_is_not_stored_and_the_run_says_that_it_needs_it(
    store, where, monkeypatch
):
    secret = "sk-live-5ecretsecret0123456789"
    monkeypatch.setenv("SOME_API_KEY", secret)
    given = {"options": {"extra_headers": {"Authorization": f"Bearer {secret}"}}, "system": f"The key is {secret}."}
    gate = Gate()
    model = ScriptedModel(text("x") + pause(gate), text("second"))
    session = Agent(model, store=store).session()
    running = asyncio.create_task(session.run("go", **{where: given[where]}))
    await gate.reached.wait()
    record = await store.open_run(session.id)
    assert secret.encode() not in msgspec.json.encode(record)
    await let_go(session, running)
    with pytest.raises(ToolpostError, match="a secret in its options or its system prompt"):
        await Agent(ScriptedModel(), store=store).session(session.id).resume()
    assert (await store.open_run(session.id)).state == "queued"
    with pytest.raises(ToolpostError, match="a run that waits in the store keeps none"):
        await Agent(ScriptedModel(), store=store).session().submit("go", **{where: given[where]})


async def test_a_prompt_behind_a_run_has_the_secret_in_its_options_too(store, monkeypatch):
    """As long as its process lives, which knows it."""
    secret = "sk-live-5ecretsecret0123456789"
    monkeypatch.setenv("SOME_API_KEY", secret)
    gate = Gate()
    model = ScriptedModel(text("x") + pause(gate), text("second"))
    session = Agent(model, store=store).session()
    running = asyncio.create_task(session.run("go", system=f"The key is {secret}."))
    await gate.reached.wait()
    await session.queue("again")
    gate.open()
    await running
    assert [secret in "".join(request.system) for request in model.requests] == [True, True]


async def left_in_second_call(store, work, **options):
    """A session whose first call is done, whose second one runs and whose third one has not begun."""
    acts = [call("work", {"n": n}, id=f"c{n}") for n in (1, 2, 3)]
    agent = Agent(ScriptedModel(calls(*acts)), [work.tool], store=store, **options)
    session = agent.session()
    running = asyncio.create_task(session.run("go"))
    await work.reached.wait()
    await let_go(session, running)
    return session


async def test_finished_calls_stay_a_running_one_is_interrupted_and_the_others_run(store):
    work = Work(2, parallel=False)
    left = await left_in_second_call(store, work)
    run_id = left.open_run.id
    with ScriptedModel(text("all right")) as model:
        session = Agent(model, [work.tool], store=store).session(left.id)
        result = await session.resume()
    assert (result.reason, result.text, result.steps) == ("done", "all right", 2)
    assert work.ran == [1, 2, 3]
    assert [part.state.status for part in model.requests[0].messages[1].calls] == ["completed", "error", "completed"]
    assert model.requests[0].messages[1].calls[1].state.kind == "interrupted"
    events = await all_events(store, left.id)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert {event.run_id for event in events if hasattr(event, "run_id")} == {run_id}
    kinds = [event.type for event in events]
    assert [kinds.count(kind) for kind in ("run_start", "run_parked", "run_resumed", "run_end", "settled")] == [1] * 5
    assert kinds.count("tool_execution_start") == 3
    (resumed,) = [event for event in events if event.type == "run_resumed"]
    assert (resumed.again, resumed.interrupted) == ((), ("c2",))
    assert await store.open_run(left.id) is None


@pytest.mark.parametrize("option", ["read_only", "idempotent"])
async def test_a_running_call_runs_again_if_its_tool_allows_it(store, option):
    work = Work(2, parallel=False, **{option: True})
    left = await left_in_second_call(store, work)
    with ScriptedModel(text("fine")) as model:
        session = Agent(model, [work.tool], store=store).session(left.id)
        await session.resume()
    assert work.ran == [1, 2, 2, 3]
    assert [status for _, status in states(session)] == ["completed"] * 3
    events = await all_events(store, left.id)
    assert sum(event.type == "tool_execution_start" for event in events) == 3


async def test_an_unfinished_turn_is_taken_again(store):
    gate = Gate()
    model = ScriptedModel(text("half an ans") + pause(gate))
    session = Agent(model, store=store).session()
    running = asyncio.create_task(session.run("go"))
    await gate.reached.wait()
    await let_go(session, running)
    with ScriptedModel(text("a whole answer")) as model:
        again = Agent(model, store=store).session(session.id)
        result = await again.resume()
    assert (result.text, result.steps) == ("a whole answer", 1)
    assert [message.text for message in again.messages] == ["go", "a whole answer"]
    assert [message.text for message in model.requests[0].messages] == ["go"]


async def test_a_run_that_was_released_after_its_last_word_ends_without_another_request(store):
    """The answer was stored, the end of the run was not."""
    session = Agent(ScriptedModel(text("that is all")), store=store).session()
    await session.run("go")
    ended = await store.info(session.id)
    record = session_record(ended)
    await reopen(store, ended, record)
    with ScriptedModel() as model:
        result = await Agent(model, store=store).session(session.id).resume()
    assert (result.text, result.reason, model.requests) == ("that is all", "done", [])


def session_record(info):
    from toolpost.store.run_records import RunRecord

    return RunRecord("run_old", info.id, "queued", is_started=True, began=1.0, head_before=None)


async def reopen(store, info, record):
    from msgspec.structs import replace

    from toolpost.store.contract import SessionChanges

    lease = await store.lease(info.id)
    await store.commit(SessionChanges(info.id, replace(info, open_run=record.id), run=record, barrier=True))
    lease.release()


async def test_a_resumed_run_has_the_limits_and_what_was_used_of_them(store):
    work = Work(2, parallel=False)
    left = await left_in_second_call(store, work, limits=Limits(max_steps=1))
    with ScriptedModel(text("stopped here")) as model:
        # This agent would allow more.
        result = await Agent(model, [work.tool], store=store).session(left.id).resume()
    assert (result.reason, result.limit, result.steps) == ("limit", "max_steps", 2)
    assert model.requests[0].tools == ()


async def test_the_time_of_a_silent_call_counts_where_its_process_dies(store, monkeypatch):
    """Nothing of it is stored while it goes on, but for until when it did."""
    monkeypatch.setattr("toolpost.engine.run_task.TOUCH_SECONDS", 0.01)
    work = Work(1)
    session = Agent(
        ScriptedModel(call("work", {"n": 1}), text("ok")), [work.tool], store=store, limits=Limits(max_seconds=600.0)
    ).session()
    running = asyncio.create_task(session.run("go"))
    await work.reached.wait()
    worked = {(await store.info(session.id)).updated}
    async with asyncio.timeout(60):
        while len(worked) < 4:
            worked.add((await store.info(session.id)).updated)
            await asyncio.sleep(0)
    record, seen = await store.open_run(session.id), max(worked)
    assert count_death(record, seen).seconds == seen - record.since > 0
    work.go.set()
    assert (await running).text == "ok"


async def test_limits_can_be_given_anew(store):
    work = Work(2, parallel=False)
    left = await left_in_second_call(store, work, limits=Limits(max_steps=1))
    with ScriptedModel(call("work", {"n": 4}), text("more")) as model:
        session = Agent(model, [work.tool], store=store).session(left.id)
        result = await session.resume(limits={"max_steps": 5})
    assert (result.reason, result.steps) == ("done", 3)


async def test_a_resumed_run_has_its_options_and_its_output(store):
    work = Work(1)
    schema = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}

    @tool
    async def other() -> str:
        """Another tool."""
        return ""

    session = Agent(ScriptedModel(call("work", {"n": 1})), [work.tool, other], store=store).session()
    running = asyncio.create_task(
        session.run("go", output=schema, system="Be brief.", switch_off=["other"], options={"temperature": 0.5})
    )
    await work.reached.wait()
    await let_go(session, running)
    with ScriptedModel(call("final_output", {"n": 7})) as model:
        result = await Agent(model, [work.tool, other], store=store).session(session.id).resume()
    assert result.output == {"n": 7}
    (request,) = model.requests
    assert request.system[0].startswith("Be brief.")
    assert [spec.name for spec in request.tools] == ["final_output", "work"]
    assert request.options["temperature"] == 0.5


async def test_repetition_is_noticed_over_a_restart(store):
    """Two equal calls were made before, the third one comes after."""
    work, gate = Work(), Gate()
    model = ScriptedModel(call("work", {"n": 1}), call("work", {"n": 1}), text("and") + pause(gate))
    session = Agent(model, [work.tool], store=store).session()
    running = asyncio.create_task(session.run("go"))
    await gate.reached.wait()
    await let_go(session, running)
    with ScriptedModel(call("work", {"n": 1})) as model:
        result = await Agent(model, [work.tool], store=store).session(session.id).resume()
    assert (result.reason, work.ran) == ("repetition", [1, 1])


async def test_a_queued_prompt_runs_after_the_resumed_run(store):
    work = Work(1)
    session = Agent(ScriptedModel(call("work", {"n": 1})), [work.tool], store=store).session()
    running = asyncio.create_task(session.run("go"))
    await work.reached.wait()
    await session.queue("and then this")
    await let_go(session, running)
    with ScriptedModel(text("one"), text("two")) as model:
        again = Agent(model, [work.tool], store=store).session(session.id)
        await again.resume()
    assert [message.text for message in again.messages if message.role == "user"] == ["go", "and then this"]
    assert [message.text for message in again.messages][-1] == "two"


async def test_a_prompt_that_waits_behind_a_resumed_run_has_its_limits(store):
    gate, work = Gate(), Work()
    session = Agent(ScriptedModel(text("x") + pause(gate)), store=store, limits=Limits(max_steps=2)).session()
    running = asyncio.create_task(session.run("go"))
    await gate.reached.wait()
    await session.queue("second")
    await let_go(session, running)
    acts = [call("work", {"n": n}, id=f"c{n}") for n in range(2)]
    again = Agent(ScriptedModel(text("first"), *acts, text("last")), [work.tool], store=store).session(session.id)
    await again.resume()
    ends = [event for event in await all_events(store, session.id) if event.type == "run_end"]
    assert [(end.reason, end.limit) for end in ends] == [("done", ""), ("limit", "max_steps")]


async def test_a_prompt_that_is_queued_just_when_a_run_ends_has_its_options(store):
    """Between the run's end and the moment at which the session is free."""
    work, putting = Work(), []
    model = ScriptedModel(text("one"), text("two"))
    agent = Agent(model, [work.tool], store=store)
    agent._setup = dataclasses.replace(agent._setup, home="server")
    session = agent.session()

    def put(event):
        if event.type == "run_end" and not putting:
            putting.append(session.queue("second"))

    session.subscribe(put)
    await session.run("first", switch_off=["work"])
    await asyncio.gather(*putting)
    assert [[tool.name for tool in request.tools] for request in model.requests] == [[], []]


async def test_a_submitted_run_is_stored_and_begun_by_whoever_takes_it_up(store):
    session = Agent(ScriptedModel(), store=store).session()
    ticket = await session.submit("go", system="Be kind.")
    record = await store.open_run(session.id)
    assert (record.state, record.id, [prompt.text for prompt in record.prompts]) == ("queued", ticket.run_id, ["go"])
    with ScriptedModel(text("done")) as model:
        result = await Agent(model, store=store).session(session.id).resume()
    assert (result.text, result.steps) == ("done", 1)
    assert model.requests[0].system[0].startswith("Be kind.")
    (start,) = [event for event in await all_events(store, session.id) if event.type == "run_start"]
    assert start.run_id == ticket.run_id


async def test_without_an_open_run_there_is_nothing_to_resume(store):
    session = Agent(ScriptedModel(text("hi")), store=store).session()
    await session.run("go")
    with pytest.raises(ToolpostError, match="no open run"):
        await session.resume()


# Waiting for a person


@pytest.fixture
def asked_work():
    return Work()


async def parked(store, work, **options):
    """A session that waits for an approval and holds nothing."""
    agent = Agent(
        ScriptedModel(calls(call("work", {"n": 1}, id="c1"), call("work", {"n": 2}, id="c2"))),
        [work.tool],
        store=store,
        permissions={"work": "ask"},
        interactive=True,
        park_seconds=0.0,
        **options,
    )
    session = agent.session()
    result = await session.run("go")
    assert result.reason == "parked"
    return session


async def test_a_run_that_waits_for_a_person_is_parked_and_holds_nothing(store, asked_work):
    session = await parked(store, asked_work)
    record = await store.open_run(session.id)
    assert record.state == "waiting"
    assert await store.holder(session.id) is None
    assert sorted(asked.call_id for asked in await session.requests()) == ["c1", "c2"]
    assert asked_work.ran == []


async def test_answers_to_a_parked_run_are_stored_and_it_goes_on_with_them(store, asked_work):
    session = await parked(store, asked_work)
    first, second = sorted(await session.requests(), key=lambda asked: asked.call_id)
    await session.respond(first.ask_id, "once")
    await session.respond(second.ask_id, "reject", "not this one")
    assert (await store.open_run(session.id)).state == "queued"
    with ScriptedModel(text("fine")) as model:
        again = Agent(model, [asked_work.tool], store=store, permissions={"work": "ask"}, interactive=True).session(
            session.id
        )
        result = await again.resume()
    assert (result.text, asked_work.ran) == ("fine", [1])
    assert states(again) == [("c1", "completed"), ("c2", "error")]
    events = await all_events(store, session.id)
    assert sum(event.type == "permission_asked" for event in events) == 2
    assert sum(event.type == "permission_replied" for event in events) == 2


async def test_what_nobody_has_answered_yet_is_waited_for_again_and_not_asked_twice(store, asked_work):
    session = await parked(store, asked_work)
    first, second = sorted(await session.requests(), key=lambda asked: asked.call_id)
    await session.respond(first.ask_id, "once")
    again = Agent(
        ScriptedModel(text("fine")),
        [asked_work.tool],
        store=store,
        permissions={"work": "ask"},
        interactive=True,
        park_seconds=0.0,
    ).session(session.id)
    assert (await again.resume()).reason == "parked"
    assert asked_work.ran == [1]
    assert [asked.ask_id for asked in await again.requests()] == [second.ask_id]
    await again.respond(second.ask_id, "once")
    assert (await again.resume()).text == "fine"
    assert asked_work.ran == [1, 2]
    assert sum(event.type == "permission_asked" for event in await all_events(store, session.id)) == 2


async def test_a_reject_without_a_word_ends_a_parked_run(store, asked_work):
    session = await parked(store, asked_work)
    first, _ = await session.requests()
    await session.respond(first.ask_id, "reject")
    again = Agent(
        ScriptedModel(), [asked_work.tool], store=store, permissions={"work": "ask"}, interactive=True
    ).session(session.id)
    assert (await again.resume()).reason == "denied"
    assert asked_work.ran == []


async def test_an_always_that_answers_a_parked_run_is_saved(store, asked_work):
    session = await parked(store, asked_work)
    first, _ = await session.requests()
    await session.respond(first.ask_id, "always")
    again = Agent(
        ScriptedModel(text("ok")), [asked_work.tool], store=store, permissions={"work": "ask"}, interactive=True
    ).session(session.id)
    assert (await again.resume()).reason == "done"
    assert sorted(asked_work.ran) == [1, 2]
    assert [approval.permission for approval in await store.approvals()] == ["work"]


async def test_a_running_call_that_asks_begins_again_once_it_is_answered_if_its_tool_allows_it(store):
    begun, passed = [], []

    @tool(idempotent=True)
    async def careful(ctx: ToolContext) -> str:
        """Ask first."""
        begun.append(1)
        await ctx.ask("danger", ["zone"])
        passed.append(1)
        return "did it"

    def agent(model):
        return Agent(model, [careful], store=store, interactive=True, park_seconds=0.0)

    session = agent(ScriptedModel(call("careful"))).session()
    assert (await session.run("go")).reason == "parked"
    (asked,) = await session.requests()
    await session.respond(asked.ask_id, "once")
    result = await agent(ScriptedModel(text("well"))).session(session.id).resume()
    assert (result.text, len(begun), len(passed)) == ("well", 2, 1)


async def test_a_call_that_asks_in_its_middle_is_neither_parked_nor_made_again(store):
    """What it has done before it asked, nobody knows."""
    begun = []

    @tool
    async def order(ctx: ToolContext) -> str:
        """Order, then ask."""
        begun.append(1)
        await ctx.ask("danger", ["zone"])
        return "did it"

    def agent(model):
        return Agent(model, [order], store=store, interactive=True, park_seconds=0.0)

    session = agent(ScriptedModel(call("order"))).session()
    asked = asyncio.Event()
    session.subscribe(lambda event: asked.set() if event.type == "permission_asked" else None)
    running = asyncio.create_task(session.run("go"))
    await asked.wait()
    await session.park()
    assert session.status.state == "waiting"
    await let_go(session, running)
    with ScriptedModel(text("I see")) as model:
        await agent(model).session(session.id).resume()
    assert begun == [1]
    assert model.requests[0].messages[1].calls[0].state.kind == "interrupted"


async def test_a_question_is_answered_days_later(store):
    from toolpost.tools.builtin import question as question_module

    ask = question_module.make(None)

    def agent(model):
        return Agent(model, [ask], store=store, interactive=True, park_seconds=0.0)

    asked = {"questions": [{"question": "Which one?", "options": ["a", "b"]}]}
    session = agent(ScriptedModel(call("question", asked))).session()
    assert (await session.run("go")).reason == "parked"
    (waiting,) = await session.requests()
    await session.respond(waiting.question_id, ["b"])
    with ScriptedModel(text("b it is")) as model:
        result = await agent(model).session(session.id).resume()
    assert result.text == "b it is"
    assert "Answer: b" in model.requests[0].messages[1].calls[0].state.content[0].text


async def test_a_new_prompt_does_not_push_a_waiting_run_aside(store, asked_work):
    session = await parked(store, asked_work)
    with pytest.raises(SessionBusy, match="waits for a person"):
        await session.run("something else")


async def test_the_ask_of_a_sub_agent_is_parked_with_it_and_answered_later(store):
    work = Work()
    helper = Agent(
        ScriptedModel(call("work", {"n": 1}, id="w1")), [work.tool], name="helper", permissions={"work": "ask"}
    )
    sent = call("task", {"description": "do it", "prompt": "work", "agent": "helper"}, id="t1")
    session = Agent(ScriptedModel(sent), agents=[helper], store=store, interactive=True, park_seconds=0.0).session()
    assert (await session.run("go")).reason == "parked"
    (asked,) = await session.requests()
    await session.respond(asked.ask_id, "once")
    helper = Agent(ScriptedModel(text("I did it")), [work.tool], name="helper", permissions={"work": "ask"})
    with ScriptedModel(text("thanks")) as model:
        result = (
            await Agent(model, agents=[helper], store=store, interactive=True, park_seconds=0.0)
            .session(session.id)
            .resume()
        )
    assert (result.text, work.ran) == ("thanks", [1])
    assert "I did it" in model.requests[0].messages[1].calls[0].state.content[0].text
    children = [info async for info in store.sessions() if info.parent == session.id]
    assert [info.open_run for info in children] == [None]


async def test_events_are_read_over_an_earlier_pause_to_the_end_of_the_run(store):
    work = Work(2, 3, parallel=False)
    left = await left_in_second_call(store, work)
    with ScriptedModel(text("all right")) as model:
        session = Agent(model, [work.tool], store=store).session(left.id)
        work.reached.clear()
        running = asyncio.create_task(session.resume())
        await work.reached.wait()
        read = asyncio.create_task(anext(aiter(session.events(0))))
        assert (await read).type == "run_start"
        reading = asyncio.create_task(all_of(session.events(0)))
        work.go.set()
        await running
    kinds = [event.type for event in await reading]
    assert kinds[0] == "run_start"
    assert kinds[-2:] == ["run_end", "settled"]
    assert "run_parked" in kinds


async def all_of(events):
    return [event async for event in events]
