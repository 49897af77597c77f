"""The sessions of a folder as a face has them: real runs, a real store, a scripted model behind a real socket."""

import asyncio

import msgspec
import pytest
from faces import controlled, project

from toolpost.server.chat.other_processes import StopSignal
from toolpost.store.contract import SessionChanges, Signal
from toolpost.testing import Gate, Upstream, call, pause, text
from toolpost.types.errors import ToolpostError


@pytest.fixture
def upstream(tmp_path, monkeypatch):
    """Begins a scripted model and makes a project that uses it."""

    def begin(*turns):
        up = Upstream(*turns)
        begin.folder = tmp_path / "project"

        class Ready:
            async def __aenter__(self):
                await up.__aenter__()
                project(monkeypatch, tmp_path, up.base_url)
                return up

            async def __aexit__(self, *error):
                await up.__aexit__(*error)

        return Ready()

    return begin


def said(up, request):
    return [message["content"] for message in up.requests[request].body["messages"] if message["role"] == "user"]


async def test_a_prompt_runs_in_the_background_and_its_events_reach_the_face(upstream):
    async with upstream(text("Hello Ann.")) as up, controlled() as (control, face):
        assert (control.has_begun, face.opened) == (False, 1)
        assert control.view.facts.model == "openai/scripted"
        await control.prompt("I am Ann")
        await face.idle()
        assert face.kinds == ["prompt", "text", "run_end"]
        assert (face.answer, control.has_begun) == ("Hello Ann.", True)
        assert control.view.facts.title == "I am Ann"
        assert control.view.facts.usage.total > 0
        assert control.session_id.startswith("ses_")
    assert said(up, 0) == ["I am Ann"]


async def test_a_prompt_waits_or_steers_and_can_be_taken_back(upstream):
    gate = Gate()
    turns = (text("It is") + pause(gate), text("two"), text("three"))
    async with upstream(*turns) as up, controlled() as (control, face):
        await control.prompt("first")
        await asyncio.wait_for(gate.reached.wait(), 30)
        await control.put("later", steer=False)
        await control.put("never", steer=False)
        await control.put("now", steer=True)
        queue = control.view.facts.queue
        assert [(one.text, one.is_steer) for one in queue] == [("later", False), ("never", False), ("now", True)]
        assert await control.unqueue(queue[1].id) == "never"
        assert await control.unqueue(queue[1].id) == ""
        with pytest.raises(ToolpostError, match="wait until"):
            await control.prompt("at once")
        gate.open()
        await face.idle()
        assert face.prompts == ["first", "now", "later"]
        assert control.view.facts.queue == ()
    assert said(up, 2) == ["first", "now", "later"]


@pytest.mark.parametrize("steer", [False, True])
async def test_a_prompt_that_comes_just_after_the_end_of_a_run_starts_one(upstream, steer):
    async with upstream(text("one"), text("two")) as up, controlled() as (control, face):
        await control.prompt("first")
        await face.idle()
        await control.put("late", steer=steer)
        await face.idle()
        assert face.prompts == ["first", "late"]
        assert control.view.facts.queue == ()
    assert said(up, 1) == ["first", "late"]


async def test_a_run_is_stopped_and_the_session_goes_on(upstream):
    gate = Gate()
    async with upstream(text("It is") + pause(gate), text("sunny")) as up, controlled() as (control, face):
        await control.prompt("How is Tokyo?")
        await asyncio.wait_for(gate.reached.wait(), 30)
        await control.stop()
        await face.idle()
        assert face.of("run_end")[0].reason == "aborted"
        await control.prompt("Go on")
        await face.idle()
        assert face.answer == "sunny"
    assert said(up, 1) == ["How is Tokyo?", "Go on"]


WRITE = call("write", {"path": "a.txt", "content": "new\n"})


async def test_a_run_is_stopped_by_another_process_of_the_store(upstream):
    gate = Gate()
    async with upstream(text("first ") + pause(gate) + text("never")) as up, controlled() as (control, face):
        await control.prompt("go")
        await asyncio.wait_for(gate.reached.wait(), 30)
        # As a server tells it over PostgreSQL.
        await control.workspace.store.signal(Signal(control.session_id, msgspec.json.encode(StopSignal())))
        await face.idle()
        assert face.of("run_end")[-1].reason == "aborted"
        assert len(up.requests) == 1


async def test_an_ask_is_an_event_that_a_reply_answers(upstream):
    async with upstream(WRITE, text("done")), controlled() as (control, face):
        await control.prompt("write it")
        ask = await face.asked()
        assert (ask.permission, ask.patterns, control.view.facts.state) == ("edit", ("a.txt",), "waiting")
        await control.reply(ask.id, "once")
        await face.idle()
        assert (upstream.folder / "a.txt").read_text() == "new\n"
        assert [file.path for file in await control.changed_files()] == ["a.txt"]
        with pytest.raises(ToolpostError, match="no open"):
            await control.reply(ask.id, "once")


async def test_a_question_is_answered(upstream):
    question = call("question", {"questions": [{"question": "Which?", "options": ["red", "blue"]}]})
    async with upstream(question, text("blue it is")) as up, controlled() as (control, face):
        await control.prompt("go")
        ask = await face.asked()
        assert ask.fields[0].question == "Which?"
        await control.answer(ask.id, [("blue",)])
        await face.idle()
    assert "blue" in str(up.requests[1].body["messages"][-1])


async def test_the_mode_edits_allows_changes_of_files_and_nothing_else(upstream):
    shell = call("bash", {"command": "true"})
    async with upstream(WRITE, shell, text("done")), controlled() as (control, face):
        await control.use_mode("edits")
        assert (control.mode, control.view.facts.mode) == ("edits", "edits")
        await control.prompt("write it")
        ask = await face.asked()
        assert ask.permission == "bash"
        await control.reply(ask.id, "reject", "not now")
        await face.idle()
        assert (upstream.folder / "a.txt").exists()


async def test_a_denied_change_stays_denied_in_the_mode_edits(upstream):
    async with upstream(WRITE, text("ok")), controlled("--deny", "edit:a.txt") as (control, face):
        await control.use_mode("edits")
        await control.prompt("write it")
        await face.idle()
        assert face.of("call")[0].phase == "denied"
        assert not (upstream.folder / "a.txt").exists()


async def test_choosing_edits_answers_what_is_asked_already(upstream):
    async with upstream(WRITE, text("done")), controlled() as (control, face):
        await control.prompt("write it")
        await face.asked()
        await control.use_mode("edits")
        await face.idle()
        assert (upstream.folder / "a.txt").exists()


async def test_the_mode_plan_is_an_agent_and_leaving_it_brings_back_the_one_before(upstream):
    async with upstream(text("a plan"), text("done")) as up, controlled() as (control, face):
        await control.use_mode("plan")
        assert [row.name for row in await control.agents() if row.is_current] == ["plan"]
        await control.prompt("think")
        await face.idle()
        await control.use_mode("ask")
        assert [row.name for row in await control.agents() if row.is_current] == ["build"]
        await control.prompt("do it")
        await face.idle()
        assert face.prompts == ["think", "do it"]
    tools = [{tool["function"]["name"] for tool in request.body["tools"]} for request in up.requests]
    assert "write" not in tools[0]
    assert "write" in tools[1]


async def test_sessions_are_listed_opened_forked_and_deleted(upstream):
    async with upstream(text("one"), text("two"), text("three")) as up, controlled() as (control, face):
        await control.prompt("Alpha")
        await face.idle()
        first = control.session_id
        await control.new()
        assert (control.has_begun, face.items) == (False, [])
        await control.prompt("Beta")
        await face.idle()
        assert [row.title for row in await control.sessions()] == ["Beta", "Alpha"]
        await control.open(first)
        assert face.prompts == ["Alpha"]
        await control.fork()
        assert control.session_id != first
        await control.prompt("Gamma")
        await face.idle()
        assert face.prompts == ["Alpha", "Gamma"]
        second = control.session_id
        await control.rename("A copy")
        assert control.view.facts.title == "A copy"
        view = await control.peek(first)
        assert [item.text for item in view.items if item.kind == "prompt"] == ["Alpha"]
        await control.delete(second)
        assert control.session_id != second
        assert second not in {row.id for row in await control.sessions(everywhere=True)}
    assert said(up, 2) == ["Alpha", "Gamma"]


async def test_a_prompt_is_undone_with_what_it_did_to_files(upstream):
    async with upstream(WRITE, text("wrong"), text("right")) as up, controlled() as (control, face):
        await control.use_mode("edits")
        assert await control.undo() is None
        await control.prompt("write it")
        await face.idle()
        undone = await control.undo()
        assert (undone.text, [one.path for one in undone.files], undone.problems) == ("write it", ["a.txt"], ())
        assert face.items == []
        assert "a.txt" in await control.undo_files(undone.message_id)
        assert not (upstream.folder / "a.txt").exists()
        assert "a.txt" in await control.redo_files()
        assert (upstream.folder / "a.txt").exists()
        await control.prompt("write it better")
        await face.idle()
        assert face.prompts == ["write it better"]
    assert said(up, 2) == ["write it better"]


async def test_the_last_prompt_is_answered_again(upstream):
    async with upstream(text("first"), text("second")) as up, controlled() as (control, face):
        with pytest.raises(ToolpostError, match="nothing to retry"):
            await control.retry()
        await control.prompt("Say it")
        await face.idle()
        await control.retry()
        await face.until(lambda: face.kinds == ["prompt", "text", "run_end"] and face.answer == "second")
        await face.idle()
    assert said(up, 1) == ["Say it"]


async def test_the_model_and_its_variant_are_chosen(upstream):
    async with upstream(text("first"), text("second")) as up, controlled() as (control, face):
        await control.prompt("Say it")
        await face.idle()
        await control.use_model("openai/other")
        assert control.view.facts.model == "openai/other"
        assert "high" in await control.variants()
        await control.use_variant("high")
        with pytest.raises(ToolpostError, match="huge"):
            await control.use_variant("huge")
        await control.prompt("Again")
        await face.idle()
        rows = await control.models()
        assert [row.id for row in rows if row.is_current] == ["openai/other"]
        assert any(row.missing for row in rows)
    assert [request.body["model"] for request in up.requests] == ["scripted", "other"]
    assert up.requests[1].body["reasoning_effort"] == "high"


async def test_a_command_of_the_persons_is_a_call_that_the_model_hears_of(upstream):
    async with upstream(text("I see")) as up, controlled() as (control, face):
        running = asyncio.create_task(control.shell("echo hi $((20 + 3))"))
        ask = await face.asked()
        assert ask.permission == "bash"
        await control.reply(ask.id, "once")
        await running
        (item,) = face.of("call")
        assert (item.phase, control.view.facts.state) == ("done", "idle")
        assert "hi 23" in item.content[0].text
        await control.prompt("What did it say?")
        await face.idle()
        assert face.prompts == ["What did it say?"]
    assert "hi 23" in str(up.requests[0].body["messages"])


async def test_a_command_of_the_persons_is_stopped(upstream):
    async with upstream(), controlled("--allow", "bash") as (control, face):
        running = asyncio.create_task(control.shell("echo begun; sleep 1000"))
        await face.until(
            lambda: face.of("call") and face.of("call")[0].output and len(face.of("call")[0].output.lines.lines)
        )
        await control.stop()
        await running
        assert face.of("call")[0].phase == "stopped"
        assert control.view.facts.state == "idle"


async def test_a_session_that_is_left_while_it_runs_goes_on(upstream):
    gate = Gate()
    async with upstream(text("one") + pause(gate), text("two")), controlled() as (control, face):
        await control.prompt("Alpha")
        await asyncio.wait_for(gate.reached.wait(), 30)
        first = control.session_id
        await control.new()
        assert [row.state for row in await control.sessions()] == ["busy"]
        await control.prompt("Beta")
        await face.idle()
        gate.open()
        await face.until(lambda: any("has ended" in note for note in face.notes))
        await control.open(first)
        assert face.kinds == ["prompt", "text", "run_end"]


async def test_a_long_session_is_read_from_its_end(upstream):
    turns = [text(f"answer {number}") for number in range(80)]
    async with upstream(*turns):
        async with controlled() as (control, face):
            for number in range(80):
                await control.prompt(f"prompt {number}")
                await face.idle()
            wanted = control.session_id
        async with controlled("-s", wanted) as (control, face):
            assert not control.is_at_beginning
            read = len(face.prompts)
            assert read < 80
            assert face.prompts[-1] == "prompt 79"
            while not control.is_at_beginning:
                await control.earlier()
            assert face.prompts == [f"prompt {number}" for number in range(80)]


async def test_files_are_found_by_their_letters(upstream):
    async with upstream(), controlled() as (control, _):
        for name in ("src/app/main.py", "src/app/util.py", "docs/manual.md", "node_modules/x/main.js"):
            (upstream.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (upstream.folder / name).write_text("")
        (upstream.folder / ".gitignore").write_text("node_modules/\n")
        assert await control.find_files("main") == ["src/app/main.py"]
        assert (await control.find_files("sau"))[0] == "src/app/util.py"
        assert "src/app/" in await control.find_files("app")
        assert len(await control.find_files("", 3)) == 3


async def test_a_session_is_exported_as_markdown(upstream):
    async with upstream(text("Hello")), controlled() as (control, face):
        await control.prompt("Hi there")
        await face.idle()
        exported = await control.export()
        assert "Hi there" in exported
        assert "Hello" in exported


async def test_a_run_that_waits_for_an_answer_goes_on_when_its_session_is_opened(upstream):
    async with upstream(WRITE, text("done")):
        async with controlled() as (control, face):
            await control.prompt("write it")
            await face.asked()
            wanted = control.session_id
            await control.session.park()
        async with controlled("-s", wanted) as (control, face):
            assert "going on with the run that was interrupted" in face.notes
            ask = await face.asked()
            await control.reply(ask.id, "once")
            await face.idle()
            assert face.kinds == ["prompt", "call", "text", "run_end"]
        assert (upstream.folder / "a.txt").exists()


@pytest.mark.parametrize("goes_on", [True, False])
async def test_an_interrupted_run_is_offered_where_the_settings_say_so(upstream, tmp_path, goes_on):
    gate = Gate()
    turns = [text("It is") + pause(gate), *([text("It is sunny")] if goes_on else [])]
    async with upstream(*turns):
        (tmp_path / "config" / "toolpost").mkdir(parents=True)
        (tmp_path / "config" / "toolpost" / "config.toml").write_text('resume = "ask"\n')
        async with controlled() as (control, face):
            await control.prompt("How is Tokyo?")
            await asyncio.wait_for(gate.reached.wait(), 30)
            wanted = control.session_id
            await control.session.release()
        async with controlled("-s", wanted) as (control, face):
            assert any("/resume goes on with it" in note for note in face.notes)
            await (control.resume() if goes_on else control.stop())
            await face.until(lambda: "run_end" in face.kinds)
            await face.idle()
            reason = face.of("run_end")[0].reason
            assert (reason, face.prompts) == ("done" if goes_on else "aborted", ["How is Tokyo?"])


async def test_an_interrupted_run_is_closed_where_the_settings_say_so(upstream, tmp_path):
    gate = Gate()
    async with upstream(text("It is") + pause(gate)):
        (tmp_path / "config" / "toolpost").mkdir(parents=True)
        (tmp_path / "config" / "toolpost" / "config.toml").write_text('resume = "never"\n')
        async with controlled() as (control, face):
            await control.prompt("How is Tokyo?")
            await asyncio.wait_for(gate.reached.wait(), 30)
            wanted = control.session_id
            await control.session.release()
            store = control.workspace.store
            # As it stands where the process died.
            lease, info, record = await store.lease(wanted), await store.info(wanted), await store.open_run(wanted)
            died = msgspec.structs.replace(record, state="interrupted")
            await store.commit(SessionChanges(wanted, info, run=died))
            lease.release()
        async with controlled("-s", wanted) as (control, face):
            assert any('closed, as resume = "never" says' in note for note in face.notes)
            await face.idle()
            assert face.of("run_end")[0].reason == "error"
            assert (await control.workspace.store.info(wanted)).open_run is None


async def test_an_answer_to_a_run_that_nobody_drives_is_kept_and_goes_on_with_it(upstream, tmp_path):
    async with upstream(WRITE, text("done")):
        (tmp_path / "config" / "toolpost").mkdir(parents=True)
        (tmp_path / "config" / "toolpost" / "config.toml").write_text('resume = "never"\n')
        async with controlled() as (control, face):
            await control.prompt("write it")
            await face.asked()
            wanted = control.session_id
            await control.session.park()
        async with controlled("-s", wanted) as (control, face):
            ask = await face.asked()
            assert control.view.facts.state == "waiting"
            await control.reply(ask.id, "once")
            await face.until(lambda: "run_end" in face.kinds)
        assert (upstream.folder / "a.txt").exists()


async def test_a_run_of_another_process_is_followed_and_not_touched(upstream):
    gate = Gate()
    up = upstream(text("It is") + pause(gate) + text(" sunny"))
    async with up, controlled() as (driving, first), controlled() as (control, face):
        await driving.prompt("How is Tokyo?")
        await asyncio.wait_for(gate.reached.wait(), 30)
        await driving.session.save()
        await control.open(driving.session_id)
        assert any("another process drives the run" in note for note in face.notes)
        assert (control.view.facts.state, face.prompts) == ("busy", ["How is Tokyo?"])
        assert control.view.facts.is_elsewhere
        for refused in (control.prompt("me too"), control.put("me too", steer=False), control.stop()):
            with pytest.raises(ToolpostError, match="another process drives"):
                await refused
        gate.open()
        await first.idle()
        await face.until(lambda: "run_end" in face.kinds)
        assert face.answer == "It is sunny"
        await face.until(lambda: not control.view.facts.is_elsewhere)


async def test_a_sub_agent_is_watched(upstream):
    gate = Gate()
    task = call("task", {"prompt": "look around", "description": "Looks around", "agent": "explore"})
    up = upstream(task, text("I look") + pause(gate) + text(" and see"), text("done"))
    async with up, controlled("--allow", "task") as (control, face):
        await control.prompt("send one")
        await asyncio.wait_for(gate.reached.wait(), 30)
        await face.until(lambda: face.of("call") and face.of("call")[0].sub_agent is not None)
        child = face.of("call")[0].sub_agent.session_id
        view = await control.watch(child)
        assert [item.text for item in view.items if item.kind == "prompt"] == ["look around"]
        gate.open()
        await face.until(lambda: any(item.kind == "run_end" for item in view.items))
        await face.idle()
        assert [item.text for item in view.items if item.kind == "text"] == ["I look and see"]
