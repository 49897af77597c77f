"""`toolpost trace`, over runs of the real engine against a real socket."""

import asyncio

import pytest
from project import KEY, Project

from toolpost.cli.trace.stages import new_messages
from toolpost.engine.permissions import Answer
from toolpost.models.openai_chat.model import OpenAIChat
from toolpost.testing import Upstream, call, http_error, reasoning, text
from toolpost.types.errors import ModelError
from toolpost.workspace import Workspace

TOKYO = call("get_weather", {"city": "Tokyo"})


@pytest.fixture
def project(tmp_path, monkeypatch, capsys):
    return Project(tmp_path, monkeypatch, capsys)


def over_the_wire(project, prompt, *turns, on_ask=None) -> str:
    async def act() -> str:
        workspace = Workspace(project.folder, trusted=True)
        async with Upstream(*turns) as upstream:
            model = OpenAIChat("scripted", provider="mine", base_url=upstream.base_url)
            setup = workspace.setup(model, on_ask=on_ask, limits={"retry_delay": 0.01})
            session = workspace.session(setup)
            try:
                await session.run(prompt)
            except ModelError:
                pass
            finally:
                await session.close()
                await workspace.close()
            return session.id

    return asyncio.run(act())


def stages(project, session, *flags):
    return project.call("trace", session, "--json", *flags).json[-1]["stages"]


def named(found, name):
    return [stage for stage in found if stage["name"] == name]


def notes(found):
    return [stage["text"] for stage in named(found, "note")]


def test_every_stage_of_a_run_is_there_in_order(project):
    session = over_the_wire(project, "Weather?", reasoning("Hm, look.", chunk=2) + TOKYO, text("It is 18.5.", chunk=3))
    names = [stage["name"] for stage in stages(project, session)]
    step = ["sent", "received"]
    first = ["prompt", "step 1", "hidden", *step, "reasoning", "call", "running", "result", "step end"]
    assert names == [*first, "step 2", *step, "text", "note", "step end", "run end"]
    times = [stage["at"] for stage in stages(project, session)]
    assert times == sorted(times)


def test_deltas_are_folded(project):
    session = over_the_wire(project, "hi", text("It is 18.5 degrees.", chunk=1))
    said = named(stages(project, session), "text")
    assert [one["data"] for one in said] == [{"characters": 19, "pieces": 19}]


def test_a_model_that_called_nothing_shows_at_a_glance(project):
    session = over_the_wire(project, "Weather?", text("I cannot know."))
    (note,) = notes(stages(project, session))
    assert note.startswith("model called no tool; 22 were offered: ")
    assert ", get_weather, " in note
    assert note in project.call("trace", session).out


def test_a_tool_hidden_by_a_rule_is_named_with_the_rule(project):
    session = over_the_wire(project, "Secret?", call("secret_tool", {"city": "Tokyo"}), text("no"))
    found = stages(project, session)
    (hidden,) = named(found, "hidden")
    assert "config.toml:5" in hidden["data"]["tools"]["secret_tool"]
    assert any(note.startswith("the model called secret_tool, which was not offered: denied") for note in notes(found))


@pytest.mark.parametrize(
    ("answer", "fact"),
    [
        ("It is 18.5 there.", "shares 1 word or number with the result: 18.5"),
        ("I do not know about Tokyo.", "shares no word or number with the result"),
    ],
)
def test_whether_an_answer_uses_its_result_is_a_counted_fact(project, answer, fact):
    session = over_the_wire(project, "Weather?", TOKYO, text(answer))
    (note,) = notes(stages(project, session))
    assert note == f"after the result of get_weather the model answered; the answer {fact}"


def test_a_repeated_call_is_pointed_out(project):
    again = call("get_weather", '{ "city" : "Tokyo" }')
    session = over_the_wire(project, "Weather?", TOKYO, again, text("18.5"))
    assert 'repeated the same call: get_weather {"city":"Tokyo"}' in notes(stages(project, session))[0]


def test_asks_and_replies_are_there(project):
    async def yes(asked):
        return Answer("once")

    project.write(".toolpost/config.toml", "")
    session = over_the_wire(project, "Weather?", TOKYO, text("18.5"), on_ask=yes)
    found = stages(project, session)
    assert named(found, "asked")[0]["data"]["permission"] == "get_weather"
    assert named(found, "replied")[0]["data"] == {"reply": "once", "by": "person"}


def test_retries_are_there_with_their_reason(project):
    session = over_the_wire(project, "hi", http_error(503), text("hello"))
    found = stages(project, session)
    assert [one["data"]["status"] for one in named(found, "received")] == [503, 200]
    assert "status 503" in named(found, "retry")[0]["text"]


def test_a_run_that_failed_says_why(project):
    session = over_the_wire(project, "hi", http_error(401, message="no such key"))
    assert named(stages(project, session), "run end")[0]["text"].startswith("error, auth: ")


def test_the_wire_is_told_with_what_was_new(project):
    session = over_the_wire(project, "Weather?", TOKYO, text("18.5"))
    first, second = named(stages(project, session), "sent")
    assert "user: Weather?" in first["text"]
    assert "tool: 18.5 degrees, cloudy" in second["text"]
    assert "Weather?" not in second["text"]
    assert '"messages"' in second["detail"]


def test_secrets_are_taken_out(project):
    turns = (call("get_weather", {"city": KEY}), text(f"your key {KEY}", chunk=4))
    session = over_the_wire(project, f"my key is {KEY}", *turns)
    for flags in ((), ("--full",), ("--json",)):
        told = project.call("trace", session, *flags)
        assert told.status == 0
        assert "my key is ***" in told.out
        assert KEY not in told.out


def test_the_last_run_is_shown_unless_another_is_asked_for(project):
    session = project.converse("first", text("one"))
    project.converse("second", text("two"), session=session)
    prompts = [
        [
            stage["text"]
            for run in project.call("trace", session, "--json", *flags).json
            for stage in named(run["stages"], "prompt")
        ]
        for flags in ((), ("--run", "1"), ("--run", "all"))
    ]
    assert prompts == [["second"], ["first"], ["first", "second"]]
    assert "run 2 of 2" in project.call("trace", session).out
    assert project.call("trace", session, "--run", "3").status == 1
    assert project.call("trace", session, "--run", "none").status == 2


def test_without_a_name_the_latest_session_is_meant(project):
    project.converse("the latest", text("one"))
    assert "the latest" in project.call("trace").out


def test_a_run_whose_process_died_is_told_as_open(project):
    session = project.converse("hi", text("hello"))

    async def cut(store):
        from toolpost.store.contract import SessionChanges
        from toolpost.types.events import RunStart

        await store.lease(session)
        info = await store.info(session)
        await store.commit(SessionChanges(session, events=[RunStart(info.seq + 1, session, 1e9, "run_x", "m/m")]))

    project.in_store(cut)
    assert "its process died" in project.call("trace", session).out


@pytest.mark.parametrize(
    "body",
    [
        '{"model":"m","messages":[{"role":"user","content":"old"},{"role":"assistant","content":"x"},{"role":"user","content":"new"}]}',
        'd"},{"role":"assistant","content":"x"},{"role":"user","content":"new"}],"tools":[]}',
        '{"input":[{"role":"user","content":[{"type":"input_text","text":"new"}]}]}',
    ],
)
def test_new_messages_are_found_in_whole_and_cut_bodies(body):
    assert new_messages(body) == [("user", "new")]


@pytest.mark.parametrize("body", ["", "[1]", "null", '{"messages":3}', "\ufffd{"])
def test_a_body_that_cannot_be_read_has_no_new_messages(body):
    assert new_messages(body) == []
