"""A document that does not hold together is refused with the reason; what is taken in never breaks anything else."""

from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openai_play import changed
from resource_play import People, Person, message_of, people

from toolpost.store.contract import SessionInfo
from toolpost.testing import call, text

TURNS = (call("todo_write", {"todos": []}), text("done"))
# What a face asks for all the time, or as soon as somebody opens the session.
OF_ALL = ("/api/asks", "/api/sessions")
OF_ONE = ("", "/messages", "/events", "/status", "/export")


async def document_of(every: People) -> dict[str, Any]:
    return await every.ann.get(f"/api/sessions/{await every.ann.done()}/export")


async def works(person: Person, *sessions: str) -> None:
    for path in (*OF_ALL, *(f"/api/sessions/{session}{rest}" for session in sessions for rest in OF_ONE)):
        await person.get(path)


def with_head(document: Any, head: str) -> Any:
    return {**document, "info": {**document["info"], "head": head, "open_run": "run_1"}}


async def test_a_session_whose_head_is_no_message_of_it_is_refused(folder: Path) -> None:
    async with people(folder, *TURNS) as every:
        document = await document_of(every)
        told = await every.bob.post("/api/sessions/import", **with_head(document, "msg_elsewhere"), status=400)
        assert "its head is msg_elsewhere, which is not one of its messages" in message_of(told)
        await works(every.bob)
        assert (await every.bob.get("/api/sessions"))["sessions"] == []


async def test_a_session_that_an_earlier_version_took_in_broken_leaves_the_others_alone(folder: Path) -> None:
    async with people(folder, call("write", {"path": "a.txt", "content": "1"})) as every:
        broken = SessionInfo("ses_broken", owner="ann", head="msg_elsewhere", open_run="run_1", updated=1e12)
        await every.play.workspace.store.create(broken)
        session = await every.ann.session()
        await every.ann.prompt(session)
        assert (await every.ann.ask())["session"] == session
        await every.ann.get("/api/sessions")
        await every.ann.delete("/api/sessions/ses_broken")


async def test_a_session_in_the_middle_of_a_run_is_taken_in_and_its_run_is_over(folder: Path) -> None:
    async with people(folder, *TURNS) as every:
        document = await document_of(every)
        head = document["info"]["head"]
        taken = await every.bob.post("/api/sessions/import", **with_head(document, head), status=201)
        await works(every.bob, taken["id"])
        assert (await every.bob.get(f"/api/sessions/{taken['id']}/status"))["state"] == "idle"


async def test_a_sub_agents_session_that_is_taken_in_stands_alone(folder: Path) -> None:
    async with people(folder, *TURNS) as every:
        document = await document_of(every)
        theirs = {**document, "info": {**document["info"], "parent": document["info"]["id"]}}
        taken = await every.bob.post("/api/sessions/import", **theirs, status=201)
        listed = (await every.bob.get("/api/sessions"))["sessions"]
        assert [one["id"] for one in listed] == [taken["id"]]


IDS = ("msg_1", "msg_2", "msg_3")
SAID = {"user": {"type": "text", "text": "hi"}, "assistant": {"type": "step-start", "step": 1, "model": "m"}}


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    """A session whose messages may follow any other, or none, with any head and any numbers."""
    ids = draw(st.lists(st.sampled_from(IDS), max_size=4))
    known = st.none() | st.sampled_from((*IDS, "msg_unknown"))
    roles = st.sampled_from(tuple(SAID))
    messages = [{"id": one, "role": draw(roles), "parts": [SAID[draw(roles)]], "parent_id": draw(known)} for one in ids]
    numbers = {name: draw(st.integers(0, 9)) for name in ("seq", "run_seq", "open_seq")}
    info = {"id": "ses_1", "head": draw(known), "open_run": draw(st.none() | st.just("run_1")), **numbers}
    seqs = draw(st.lists(st.integers(1, 12), max_size=3))
    events = [{"type": "settled", "seq": seq, "session_id": "ses_1", "time": 0.0} for seq in seqs]
    return {"format": "toolpost-session", "version": 1, "info": info, "messages": messages, "events": events}


def holds_together(document: dict[str, Any]) -> bool:
    ids = [message["id"] for message in document["messages"]]
    seqs = [event["seq"] for event in document["events"]]
    return (
        len(set(ids)) == len(ids)
        and all(one["parent_id"] in (None, *ids[:place]) for place, one in enumerate(document["messages"]))
        and all(one["role"] == "assistant" or one["parts"] == [SAID["user"]] for one in document["messages"])
        and document["info"]["head"] in (None, *ids)
        and seqs == sorted(set(seqs))
    )


def drawn_from(strategy: st.SearchStrategy[Any], most: int) -> list[Any]:
    """Examples, for a test that needs a running loop between them."""
    drawn: list[Any] = []

    @settings(max_examples=most, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def draw(one: Any) -> None:
        drawn.append(one)

    draw()
    return drawn


async def test_just_what_holds_together_is_taken_in_and_nothing_breaks(folder: Path) -> None:
    async with people(folder) as every:
        taken: set[bool] = set()
        for document in drawn_from(documents(), 60):
            answer = await every.bob.http.post("/api/sessions/import", json=document)
            assert answer.status_code == (201 if holds_together(document) else 400), (document, answer.text)
            taken.add(answer.status_code == 201)
            session = answer.json()["id"] if answer.status_code == 201 else ""
            await works(every.bob, *filter(None, [session]))
            if session:
                await every.bob.delete(f"/api/sessions/{session}")
        assert taken == {True, False}


async def test_no_value_of_a_document_breaks_what_a_user_sees(folder: Path) -> None:
    async with people(folder, *TURNS) as every:
        document = await document_of(every)

        @st.composite
        def odd(draw: st.DrawFn) -> Any:
            return changed(document, draw)

        for one in drawn_from(odd(), 30):
            answer = await every.bob.http.post("/api/sessions/import", json=one)
            assert answer.status_code in (201, 400), (one, answer.text)
            await works(every.bob, *([answer.json()["id"]] if answer.status_code == 201 else []))


async def test_links_and_files_that_no_prompt_may_have_are_refused(folder: Path) -> None:
    async with people(folder, *TURNS) as every:
        document = await document_of(every)
        image = {"type": "file", "mime": "image/png", "data": "aGk=", "name": "p.png"}
        refused = (
            ({"url": "file:///etc/passwd", "data": ""}, "has a link to a file"),
            ({"url": "http://169.254.169.254/latest/", "data": ""}, "has a link to a file"),
            ({"data": "no base64!"}, "not valid base64"),
            ({"mime": "application/zip", "data": "UEsDBP8="}, "send an image"),
        )
        for given, why in refused:
            told = await every.bob.post("/api/sessions/import", **with_part(document, {**image, **given}), status=400)
            assert why in message_of(told)
        await every.bob.post("/api/sessions/import", **with_part(document, image), status=201)


def with_part(document: Any, part: Any) -> Any:
    messages = [
        {**one, "parts": [*one["parts"], part]} if one["role"] == "user" else one for one in document["messages"]
    ]
    return {**document, "messages": messages}


async def test_settings_that_no_change_may_make_are_refused(folder: Path) -> None:
    async with people(folder, *TURNS) as every:
        document = await document_of(every)
        for chosen in (
            {"system": "y" * 300_000},
            {"switched_off": ["a"] * 2_000},
            {"options": {"x": "y" * 30_000}},
            {"options": {"max_token": 1}},
            "no settings",
        ):
            theirs = {**document, "info": {**document["info"], "metadata": {"chat": chosen}}}
            await every.bob.post("/api/sessions/import", **theirs, status=400)
