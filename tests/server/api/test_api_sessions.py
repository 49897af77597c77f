"""Sessions over HTTP: made, listed, changed, run, branched, copied, written out and taken in again."""

import asyncio
from pathlib import Path
from typing import Any

from api_play import talking
from msgspec import structs
from resource_play import Person, message_of, people

from toolpost.store.contract import SessionInfo
from toolpost.testing import pause, text
from toolpost.tools.define import ToolResult
from toolpost.tools.output import bound
from toolpost.tools.output_file import session_folder
from toolpost.types.ids import new_id
from toolpost.workspace import outputs_folder

SECRET = "sk-ant-api03-" + "x7Kq9Zp2" * 11


async def test_a_session_is_made_read_changed_and_deleted(folder: Path) -> None:
    async with people(folder) as every:
        made = await every.ann.post("/api/sessions", status=201, title="A title", options={"temperature": 0.5})
        assert (made["title"], made["options"], made["is_running"]) == ("A title", {"temperature": 0.5}, False)
        path = f"/api/sessions/{made['id']}"
        changed = await patched(every.ann, path, title="Another", pinned=True, switched_off=["bash"])
        assert changed == {**made, "title": "Another", "pinned": True, "switched_off": ["bash"]}
        assert await every.ann.get(path) == changed
        await every.ann.delete(path)
        await every.ann.get(path, status=404)
        assert (await every.ann.get("/api/sessions"))["sessions"] == []


async def test_what_was_chosen_for_a_session_holds_in_its_next_run(folder: Path) -> None:
    async with people(folder, text("one"), text("two")) as every:
        session = await every.ann.session(system="You are a sailor.", variant="low", options={"temperature": 0.25})
        assert (await every.ann.get(f"/api/sessions/{session}"))["variant"] == "low"
        await every.ann.prompt(session)
        await every.ann.settled(session)
        first = every.play.sent()
        chosen = {"system": "You are a cook.", "variant": "high", "switched_off": ["read"]}
        await patched(every.ann, f"/api/sessions/{session}", **chosen)
        await every.ann.prompt(session)
        await every.ann.settled(session)
        second = every.play.sent()
    assert "You are a sailor." in str(first["messages"][0])
    assert first["temperature"] == 0.25
    assert [sent["reasoning_effort"] for sent in (first, second)] == ["low", "high"]
    assert "You are a cook." in str(second["messages"][0])
    named = [[tool["function"]["name"] for tool in sent["tools"]] for sent in (first, second)]
    assert set(named[0]) - set(named[1]) == {"read"}


async def test_only_names_of_tools_are_switched_off_and_one_that_is_gone_may_stay(folder: Path) -> None:
    async with people(folder) as every:
        refused = await every.ann.post("/api/sessions", status=400, switched_off=["raed"])
        assert message_of(refused) == 'switch_off names "raed", which is not a tool here; did you mean read?'
        session = await every.ann.session(switched_off=["read"])
        refused = await every.ann.http.patch(f"/api/sessions/{session}", json={"switched_off": ["read", "bahs"]})
        assert refused.status_code == 400
        assert "did you mean bash?" in refused.text
        store, path = every.play.workspace.store, f"/api/sessions/{session}"
        # As it is kept where a tool was taken away later.
        info = await store.info(session)
        await store.update(structs.replace(info, metadata={"chat": {"switched_off": ["gone"]}}))
        changed = await patched(every.ann, path, switched_off=["gone", "bash"])
        assert changed["switched_off"] == ["gone", "bash"]


async def test_a_wrong_body_is_told_by_its_field_in_plain_words(folder: Path) -> None:
    async with people(folder) as every:
        session = await every.ann.session()
        for path, body, said in (
            ("prompts", b"{}", '"text" is missing; expected string'),
            ("prompts", b'{"text": 1}', '"text" must be a string, got an integer'),
            ("prompts", b"[]", "the value must be an object, got an array"),
            ("prompts", b'{"text": ', "the request body is not valid JSON: it ends too early"),
            ("prompts", b"\xff", "the request body is not valid JSON: invalid character at byte 0"),
        ):
            answer = await every.ann.http.post(f"/api/sessions/{session}/{path}", content=body)
            assert (answer.status_code, answer.json()["error"]["message"]) == (400, said)
        listed = await every.ann.http.get("/api/sessions?limit=many")
        assert listed.json()["error"]["message"] == 'the query is not valid: "limit" must be an integer, got a string'


async def test_a_choice_that_can_not_be_is_refused_and_changes_nothing(folder: Path) -> None:
    async with people(folder) as every:
        session = await every.ann.session(title="Kept")
        path = f"/api/sessions/{session}"
        before = await every.ann.get(path)
        for status, wrong in (
            (404, {"model": "no-such-model"}),
            (400, {"agent": "nobody"}),
            (400, {"variant": "no-such-variant"}),
            (400, {"titel": "a slip"}),
            (400, {"title": None}),
            (400, {"title": "x" * 501}),
            (400, {"options": {"x": "y" * 30_000}}),
        ):
            answer = await every.ann.http.patch(path, json={"title": "New", **wrong})
            assert answer.status_code == status, (wrong, answer.text)
        assert await every.ann.get(path) == before
        await every.ann.post("/api/sessions", model="no-such-model", status=404)


async def test_the_list_comes_in_pages_newest_first(folder: Path) -> None:
    async with people(folder) as every:
        made = [await every.ann.session(title=f"Number {number}") for number in range(5)]
        await every.bob.session(title="Number 6")
        found, before = [], ""
        while before is not None:
            page = await every.ann.get("/api/sessions", limit=2, before=before)
            assert len(page["sessions"]) <= 2
            found += [session["id"] for session in page["sessions"]]
            before = page["next"]
        assert found == made[::-1]
        (one,) = (await every.ann.get("/api/sessions", query="number 3"))["sessions"]
        assert one["id"] == made[3]


async def test_pages_do_not_fail_where_sessions_were_changed_at_the_same_moment(folder: Path) -> None:
    async with people(folder) as every:
        store, project = every.play.workspace.store, str(every.play.workspace.project)
        ids = [new_id("ses") for _ in range(6)]
        for session in ids:
            await store.create(SessionInfo(session, folder=project, owner="ann", updated=100.0))
        found, before = [], ""
        while before is not None:
            page = await every.ann.get("/api/sessions", limit=1, before=before)
            found += [session["id"] for session in page["sessions"]]
            before = page["next"]
    assert sorted(found) == sorted(ids)


async def test_sessions_of_sent_agents_and_of_other_projects_are_not_among_a_persons_own(folder: Path) -> None:
    async with people(folder) as every:
        store, project = every.play.workspace.store, str(every.play.workspace.project)
        parent = await every.ann.session()
        child = SessionInfo(new_id("ses"), folder=project, owner="ann", parent=parent)
        await store.create(child)
        await store.create(SessionInfo(new_id("ses"), folder="/elsewhere", owner="ann"))
        assert [one["id"] for one in (await every.ann.get("/api/sessions"))["sessions"]] == [parent]
        (sent,) = (await every.ann.get("/api/sessions", parent=parent))["sessions"]
        assert sent["id"] == child.id
        await every.ann.delete(f"/api/sessions/{parent}")
        await every.ann.get(f"/api/sessions/{child.id}", status=404)


async def test_long_outputs_are_deleted_with_their_session_and_with_those_that_it_sent(folder: Path) -> None:
    async with people(folder) as every:
        store, project = every.play.workspace.store, str(every.play.workspace.project)
        parent, other = await every.ann.session(), await every.ann.session()
        child = SessionInfo(new_id("ses"), folder=project, owner="ann", parent=parent)
        await store.create(child)
        folders = [session_folder(outputs_folder(), one) for one in (parent, child.id, other)]
        for place in folders:
            bound(ToolResult(["x\n" * 3_000]), folder=place, name="call")
        assert all(list(place.iterdir()) for place in folders)
        await every.ann.delete(f"/api/sessions/{parent}")
    assert [place.exists() for place in folders] == [False, False, True]


async def test_versions_of_an_answer_can_be_switched_between(folder: Path) -> None:
    async with talking(folder, text("first answer"), text("second answer")) as every:
        session = await every.ann.done("question one")
        path = f"/api/sessions/{session}"
        first = (await every.ann.get(path))["head"]
        moved = await every.ann.post(f"{path}/branch", at=None)
        assert moved["head"] is None
        await every.ann.prompt(session, "question two")
        await every.ann.settled(session)
        now = await every.ann.get(f"{path}/messages")
        assert texts(now) == ["question two", "second answer"]
        versions = now["messages"][0]["metadata"]["versions"]
        assert len(versions) == 2
        assert texts(await every.ann.get(f"{path}/messages", at=first)) == ["question one", "first answer"]
        await every.ann.post(f"{path}/branch", at=first)
        assert texts(await every.ann.get(f"{path}/messages")) == ["question one", "first answer"]
        tree = await every.ann.get(f"{path}/tree")
        assert [node["words"] for node in tree["messages"]] == [
            "question one",
            "first answer",
            "question two",
            "second answer",
        ]
        assert [node["parent"] for node in tree["messages"][::2]] == [None, None]
        assert versions == [node["id"] for node in tree["messages"][::2]]
        await every.ann.get(f"{path}/messages", at="nowhere", status=404)
        await every.ann.post(f"{path}/branch", at="nowhere", status=404)


async def test_messages_and_the_tree_come_in_pages(folder: Path) -> None:
    async with talking(folder) as every:
        session = await every.ann.done("one")
        await every.ann.prompt(session, "two")
        await every.ann.settled(session)
        path = f"/api/sessions/{session}"
        last = await every.ann.get(f"{path}/messages", limit=3)
        assert (len(last["messages"]), last["has_more"]) == (3, True)
        first = await every.ann.get(f"{path}/messages", before=last["messages"][0]["id"])
        assert (texts(first), first["has_more"]) == (["one"], False)
        whole = await every.ann.get(f"{path}/messages")
        assert first["messages"] + last["messages"] == whole["messages"]
        page = await every.ann.get(f"{path}/tree", limit=3)
        rest = await every.ann.get(f"{path}/tree", limit=3, after=page["next"])
        assert page["messages"] + rest["messages"] == (await every.ann.get(f"{path}/tree"))["messages"]
        assert rest["next"] is None


async def test_a_copy_goes_its_own_way(folder: Path) -> None:
    async with talking(folder) as every:
        session = await every.ann.done("before")
        copy = await every.ann.post(f"/api/sessions/{session}/fork", status=201)
        prompt = (await every.ann.get(f"/api/sessions/{session}/tree"))["messages"][0]["id"]
        short = await every.ann.post(f"/api/sessions/{session}/fork", at=prompt, status=201)
        assert (copy["forked_from"], short["head"]) == (session, prompt)
        await every.ann.delete(f"/api/sessions/{session}")
        await every.ann.prompt(copy["id"], "after")
        await every.ann.settled(copy["id"])
        assert texts(await every.ann.get(f"/api/sessions/{copy['id']}/messages"))[::2] == ["before", "after"]
        assert texts(await every.ann.get(f"/api/sessions/{short['id']}/messages")) == ["before"]


async def test_while_a_session_runs_it_can_be_told_more_and_stopped_but_not_changed_below_it(folder: Path) -> None:
    go = asyncio.Event()
    async with people(folder, text("thinking") + pause(go) + text("…"), text("done")) as every:
        session = await every.ann.session()
        path = f"/api/sessions/{session}"
        told = await every.ann.post(f"{path}/prompts", text="begin", status=202)
        assert told["is_running"]
        assert (await every.ann.get(f"{path}/status"))["state"] == "busy"
        for refused in ("branch", "compact"):
            body: dict[str, Any] = {"at": None} if refused == "branch" else {}
            answer = await every.ann.post(f"{path}/{refused}", **body, status=409)
            assert (answer["error"]["code"], answer["error"]["kind"]) == ("session_busy", "conflict")
        await every.ann.delete(path, status=409)
        waiting = await every.ann.post(f"{path}/prompts", text="and then", status=202)
        assert waiting["waiting"] == 1
        assert texts(await every.ann.get(f"{path}/messages"))[0] == "begin"
        go.set()
        await every.ann.settled(session)
        assert texts(await every.ann.get(f"{path}/messages"))[2:] == ["and then", "done"]


async def test_a_run_that_is_stopped_keeps_what_was_said(folder: Path) -> None:
    async with people(folder, text("half of it") + pause(asyncio.Event())) as every:
        session = await every.ann.session()
        path = f"/api/sessions/{session}"
        await every.ann.prompt(session)
        await every.ann.until(f"{path}/events", lambda page: "message_update" in str(page["events"]))
        stopped = await every.ann.post(f"{path}/stop")
        assert not stopped["is_running"]
        assert (await every.ann.get(f"{path}/status"))["state"] == "idle"
        assert texts(await every.ann.get(f"{path}/messages"))[-1] == "half of it"
        assert not (await every.ann.post(f"{path}/stop"))["is_running"]


async def test_what_is_written_out_can_be_taken_in_by_somebody_else(folder: Path) -> None:
    async with talking(folder, text(f"the key is {SECRET}")) as every:
        session = await every.ann.done("what is the key?", title="Keys")
        document = await every.ann.get(f"/api/sessions/{session}/export")
        taken = await every.bob.post("/api/sessions/import", **document, status=201)
        assert taken["id"] != session
        theirs = await every.bob.get(f"/api/sessions/{taken['id']}/messages")
        assert [message["role"] for message in theirs["messages"]] == ["user", "assistant"]
        assert SECRET not in str(document) + str(theirs)
        again = await every.bob.get(f"/api/sessions/{taken['id']}/export")
        assert again["messages"] == document["messages"]
        assert (again["info"]["owner"], again["info"]["title"]) == ("bob", "Keys")
        await every.ann.get(f"/api/sessions/{taken['id']}", status=404)
        answer = await every.ann.http.get(f"/api/sessions/{session}/export", params={"format": "markdown"})
        assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
        assert answer.text.startswith("# Keys\n")
        assert "## User\n\nwhat is the key?" in answer.text
        assert SECRET not in answer.text


async def test_a_document_that_is_not_whole_is_refused_and_leaves_nothing(folder: Path) -> None:
    async with talking(folder) as every:
        session = await every.ann.done()
        document = await every.ann.get(f"/api/sessions/{session}/export")
        broken = {**document, "messages": document["messages"][1:]}
        told = await every.bob.post("/api/sessions/import", **broken, status=400)
        assert "does not come before it" in message_of(told)
        await every.bob.post("/api/sessions/import", **{**document, "version": 2}, status=400)
        assert (await every.bob.get("/api/sessions"))["sessions"] == []


async def test_search_finds_a_text_in_what_was_said(folder: Path) -> None:
    async with talking(folder, text("The harbour is frozen.")) as every:
        session = await every.ann.done("how is the harbour?", title="Weather")
        found = await every.ann.get("/api/search", query="HARBOUR")
        assert [hit["role"] for hit in found["hits"]] == ["assistant", "user"]
        assert {(hit["session_id"], hit["title"]) for hit in found["hits"]} == {(session, "Weather")}
        assert not found["has_more"]
        limited = await every.ann.get("/api/search", query="harbour", limit=1, session=session)
        assert (len(limited["hits"]), limited["has_more"]) == (1, True)
        assert (await every.bob.get("/api/search", query="harbour"))["hits"] == []


async def test_everybody_learns_who_they_are_and_what_answers(folder: Path) -> None:
    async with people(folder) as every:
        ann, root = await every.ann.get("/api/me"), await every.root.get("/api/me")
    assert (ann["user"], ann["is_admin"], root["is_admin"]) == ("ann", False, True)
    assert (ann["store"], ann["model"], ann["agent"]) == ("memory", "up/m", "build")
    assert (ann["folder"], root["folder"]) == ("project", str(folder))


async def patched(person: Person, path: str, **fields: Any) -> Any:
    answer = await person.http.patch(path, json=fields)
    assert answer.status_code == 200, answer.text
    return answer.json()


def texts(page: Any) -> list[str]:
    return ["".join(part.get("text", "") for part in message["parts"]) for message in page["messages"]]
