"""The model asks a person: in the face that is open, or nobody at all."""

import asyncio

import pytest
from bench_play import bench, shown, states

from toolpost import Agent, ConfigError, SqliteStore, ToolpostError
from toolpost.testing import ScriptedModel, call, calls, text
from toolpost.tools.builtin import question
from toolpost.tools.builtin.question import NOBODY
from toolpost.types.events import Question

COLOUR = {"question": "Which colour?", "options": ["red", "blue"]}
ASKED = call("question", {"questions": [COLOUR, {"question": "Why?"}]})


@pytest.fixture
def tools(tmp_path):
    return [question.make(bench(tmp_path))]


async def test_a_face_answers_in_place(tools):
    seen = []

    async def on_question(asked):
        seen.append(asked.questions)
        return ["blue", ["because", "I like it"]]

    with ScriptedModel(ASKED, text("ok")) as model:
        session = Agent(model, tools, on_question=on_question).session()
        await session.run("go")
    assert seen == [(Question("Which colour?", ("red", "blue")), Question("Why?"))]
    (state,) = states(session)
    assert shown(state) == "Which colour?\nAnswer: blue\n\nWhy?\nAnswer: because, I like it"
    assert state.details["answers"][0] == {"question": "Which colour?", "answer": ["blue"]}


async def test_an_interactive_session_waits_for_an_answer_and_says_so(tools, tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    with ScriptedModel(ASKED, text("ok")) as model:
        session = Agent(model, tools, interactive=True, store=store).session()
        async for event in session.stream("go"):
            if event.type == "question_asked":
                assert session.status.state == "waiting"
                assert session.status.questions == (event.question_id,)
                with pytest.raises(ToolpostError, match="give 2 answers"):
                    session.answer(event.question_id, ["red"])
                session.answer(event.question_id, ["red", "so"])
                asked = event
    assert session.status.state == "idle"
    with pytest.raises(ToolpostError, match="answered already"):
        session.answer(asked.question_id, ["red", "so"])
    kept = [event async for event in store.events(session.id) if event.type.startswith("question")]
    assert kept == [asked, kept[1]]
    assert kept[1].answers == (("red",), ("so",))
    await store.close()


async def test_without_a_person_the_model_is_told_at_once(tools):
    with ScriptedModel(ASKED, text("I took red")) as model:
        session = Agent(model, tools).session()
        result = await session.run("go")
    assert (shown(states(session)[0]), result.reason) == (NOBODY, "done")


async def test_who_dismisses_the_question_ends_the_run(tools):
    async def on_question(asked):
        return None

    with ScriptedModel(ASKED) as model:
        session = Agent(model, tools, on_question=on_question).session()
        events = [event async for event in session.stream("go")]
    assert [event.dismissed for event in events if event.type == "question_replied"] == [True]
    assert next(event.reason for event in events if event.type == "run_end") == "denied"
    assert states(session)[0].kind == "denied"


@pytest.mark.parametrize("answer", [["one"], "red", 3, [1, 2]])
async def test_an_answer_that_answers_nothing_ends_the_run(tools, answer):
    async def on_question(asked):
        return answer

    with ScriptedModel(ASKED) as model:
        session = Agent(model, tools, on_question=on_question).session()
        with pytest.raises(ConfigError, match=r"on_question returned .* give 2 answers"):
            await session.run("go")


async def test_a_face_that_fails_is_nobody(tools):
    async def on_question(asked):
        raise RuntimeError("the screen is gone")

    with ScriptedModel(ASKED, text("ok")) as model:
        session = Agent(model, tools, on_question=on_question).session()
        assert (await session.run("go")).reason == "done"
    assert shown(states(session)[0]) == NOBODY


async def test_aborting_while_a_question_is_open_ends_the_run(tools):
    with ScriptedModel(ASKED) as model:
        session = Agent(model, tools, interactive=True).session()
        asked = asyncio.Event()
        session.subscribe(lambda event: asked.set() if event.type == "question_asked" else None)
        running = asyncio.create_task(session.run("go"))
        await asyncio.wait_for(asked.wait(), 5)
        await session.abort()
        assert (await running).reason == "aborted"
    assert session.status.state == "idle"


@pytest.mark.parametrize(
    ("questions", "problem"),
    [
        ([], "list of questions is empty"),
        ([{"question": "a"}] * 11, "too much to ask"),
        ([{"question": "a", "options": ["x"] * 21}], "too much to ask"),
        ([{"question": ""}], "question"),
    ],
)
async def test_what_no_person_could_answer_is_not_asked(tools, questions, problem):
    async def on_question(asked):
        raise AssertionError

    with ScriptedModel(call("question", {"questions": questions}), text("ok")) as model:
        session = Agent(model, tools, on_question=on_question).session()
        await session.run("go")
    assert states(session)[0].kind == "invalid"
    assert problem in states(session)[0].message


async def test_two_questions_of_one_turn_wait_side_by_side(tools):
    with ScriptedModel(calls(ASKED, ASKED), text("ok")) as model:
        session = Agent(model, tools, interactive=True).session()
        open_ = []
        async for event in session.stream("go"):
            if event.type == "question_asked":
                open_.append(event.question_id)
                if len(open_) == 2:
                    session.answer(open_[1], ["second", ""])
                    session.answer(open_[0], ["first", ""])
    assert [shown(state).splitlines()[1] for state in states(session)] == ["Answer: first", "Answer: second"]
