"""What a run waits for: only its user sees it, and only its user's word counts."""

import json
from pathlib import Path

from resource_play import beside, message_of, people

from toolpost.store.contract import SessionChanges, SessionInfo
from toolpost.store.sqlite.store import SqliteStore
from toolpost.testing import call, text
from toolpost.types.events import PermissionAsked, RunStart

WRITE = call("write", {"path": "a.txt", "content": "1"})
QUESTION = call("question", {"questions": [{"question": "Which?", "options": ["red", "blue"]}, {"question": "Why?"}]})


async def test_an_open_ask_is_shown_to_its_user_alone(folder: Path) -> None:
    async with people(folder, WRITE, text("done")) as every:
        session = await every.ann.session()
        await every.ann.prompt(session)
        asked = await every.ann.ask()
        assert (asked["session"], asked["permission"], asked["patterns"]) == (session, "edit", ["a.txt"])
        for other in (every.bob, every.root):
            assert await other.get("/api/asks") == {"asks": [], "questions": []}
            await other.post(f"/api/asks/{asked['id']}", reply="once", status=404)
        assert (await every.ann.ask())["id"] == asked["id"]
        assert not (folder / "a.txt").exists()
        await every.ann.post(f"/api/asks/{asked['id']}", reply="once", status=204)
        await every.ann.settled(session)
        assert await every.ann.get("/api/asks") == {"asks": [], "questions": []}
    assert (folder / "a.txt").read_text() == "1"


async def test_an_ask_that_was_answered_is_not_there_any_more(folder: Path) -> None:
    async with people(folder, WRITE, text("done")) as every:
        session = await every.ann.session()
        await every.ann.prompt(session)
        asked = await every.ann.ask()
        await every.ann.post(f"/api/asks/{asked['id']}", reply="once", status=204)
        await every.ann.settled(session)
        told = await every.ann.post(f"/api/asks/{asked['id']}", reply="once", status=404)
    assert "GET /api/asks" in message_of(told)


async def test_a_reject_with_a_message_is_read_by_the_model(folder: Path) -> None:
    async with people(folder, WRITE, text("done")) as every:
        session = await every.ann.session()
        await every.ann.prompt(session)
        asked = await every.ann.ask()
        await every.ann.post(f"/api/asks/{asked['id']}", reply="reject", message="not in this folder", status=204)
        await every.ann.settled(session)
        told = [one["content"] for one in every.play.sent()["messages"] if one["role"] == "tool"]
    assert "not in this folder" in json.dumps(told)
    assert not (folder / "a.txt").exists()


async def test_a_circle_is_asked_about_with_its_arguments_and_words_about_it_reach_the_model(folder: Path) -> None:
    look = call("list", {"path": "."})
    async with people(folder, look, look, look, text("done")) as every:
        session = await every.ann.session()
        await every.ann.prompt(session)
        asked = await every.ann.ask()
        assert (asked["permission"], asked["patterns"]) == ("doom_loop", ["list"])
        assert asked["details"] == {"arguments": {"path": "."}}
        await every.ann.post(f"/api/asks/{asked['id']}", reply="reject", message="look elsewhere", status=204)
        await every.ann.settled(session)
        told = [one["content"] for one in every.play.sent()["messages"] if one["role"] == "tool"]
    assert told[-1] == "look elsewhere"


async def test_what_is_no_reply_is_refused(folder: Path) -> None:
    async with people(folder, WRITE) as every:
        session = await every.ann.session()
        await every.ann.prompt(session)
        asked = await every.ann.ask()
        await every.ann.post(f"/api/asks/{asked['id']}", reply="maybe", status=400)
        await every.ann.post(f"/api/asks/{asked['id']}", status=400)
        assert (await every.ann.ask())["id"] == asked["id"]


async def test_always_answers_its_users_next_ask_and_nobody_elses(folder: Path) -> None:
    async with people(folder, WRITE, text("done"), WRITE, text("done"), WRITE) as every:
        first = await every.ann.session()
        await every.ann.prompt(first)
        asked = await every.ann.ask()
        await every.ann.post(f"/api/asks/{asked['id']}", reply="always", status=204)
        await every.ann.settled(first)
        (folder / "a.txt").unlink()
        await every.ann.done()
        (folder / "a.txt").unlink()
        theirs = await every.bob.session()
        await every.bob.prompt(theirs)
        asked = await every.bob.ask()
        await every.bob.post(f"/api/asks/{asked['id']}", reply="reject", status=204)
        await every.bob.settled(theirs)
    assert not (folder / "a.txt").exists()


async def test_asks_of_several_sessions_are_shown_together(folder: Path) -> None:
    async with people(folder, WRITE, QUESTION) as every:
        sessions = [await every.ann.session() for _ in range(2)]
        for session in sessions:
            await every.ann.prompt(session)
            await every.ann.until(f"/api/sessions/{session}/status", lambda status: status["state"] == "waiting")
        found = await every.ann.get("/api/asks")
    assert [asked["session"] for asked in (*found["asks"], *found["questions"])] == sessions


async def test_a_question_is_answered_by_its_user_alone(folder: Path) -> None:
    async with people(folder, QUESTION, text("done")) as every:
        session = await every.ann.session()
        await every.ann.prompt(session)
        asked = await every.ann.question()
        assert [one["question"] for one in asked["questions"]] == ["Which?", "Why?"]
        path = f"/api/questions/{asked['id']}"
        await every.bob.post(path, answers=["red", "x"], status=404)
        await every.ann.post(path, answers=["red"], status=400)
        await every.ann.post(path, status=400)
        await every.ann.post(path, answers=[["red", "blue"], "because"], status=204)
        await every.ann.settled(session)
        told = json.dumps([one["content"] for one in every.play.sent()["messages"] if one["role"] == "tool"])
    assert "red, blue" in told
    assert "because" in told


async def test_questions_that_are_dismissed_end_the_run(folder: Path) -> None:
    async with people(folder, QUESTION) as every:
        session = await every.ann.session()
        await every.ann.prompt(session)
        asked = await every.ann.question()
        await every.ann.post(f"/api/questions/{asked['id']}", answers=None, status=204)
        await every.ann.settled(session)
        assert (await every.ann.get("/api/asks"))["questions"] == []


async def test_an_ask_of_a_run_in_another_process_is_shown_and_answered_here(folder: Path) -> None:
    store = SqliteStore(folder / "sessions.db")
    async with (
        people(folder, WRITE, text("done")) as every,
        beside(every, store) as there,
        beside(every, store) as here,
    ):
        session = await there.ann.session()
        await there.ann.prompt(session)
        asked = await here.ann.ask()
        assert asked == await there.ann.ask()
        assert (await here.bob.get("/api/asks"))["asks"] == []
        await here.bob.post(f"/api/asks/{asked['id']}", reply="once", status=404)
        await here.ann.post(f"/api/asks/{asked['id']}", reply="once", status=204)
        await there.ann.settled(session)
        assert (await here.ann.get("/api/asks"))["asks"] == []
    assert (folder / "a.txt").read_text() == "1"


async def test_what_a_process_that_died_had_asked_waits_for_nobody(folder: Path) -> None:
    async with people(folder) as every:
        store, project = every.play.workspace.store, str(every.play.workspace.project)
        info = SessionInfo("ses_left", folder=project, owner="ann", updated=1.0, open_run="run_1", run_seq=1, seq=2)
        await store.create(info)
        events = [
            RunStart(1, "ses_left", 1.0, "run_1", "up/m"),
            PermissionAsked(2, "ses_left", 1.0, "ask_1", "edit", ("a.txt",), ()),
        ]
        await store.commit(SessionChanges("ses_left", info, (), events))
        assert (await every.ann.get("/api/asks"))["asks"] == []
        await every.ann.post("/api/asks/ask_1", reply="once", status=404)
