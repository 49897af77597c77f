"""`toolpost sessions`, on a real store."""

import asyncio
import subprocess
import sys

import pytest
from hypothesis import given
from msgspec import structs
from project import KEY, Project
from strategies import messages

from toolpost.engine.unheld_runs import stop_run
from toolpost.guard.redact import Redactor, redacted
from toolpost.store.contract import SessionChanges, SessionInfo
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.untrusted import untrusted
from toolpost.types.messages import Completed, Failed, Message, TextPart, ToolPart
from toolpost.workspace import Workspace


@pytest.fixture
def project(tmp_path, monkeypatch, capsys):
    return Project(tmp_path, monkeypatch, capsys)


def test_an_empty_list_says_how_to_begin(project):
    done = project.call("sessions")
    assert done.status == 0
    assert 'toolpost run "' in done.out


def test_sessions_are_listed_newest_first(project):
    older = project.converse("the first", text("one"))
    newer = project.converse("the second", text("two"))
    assert [entry["id"] for entry in project.call("sessions", "--json").json] == [newer, older]
    listed = project.call("sessions", "list").out
    assert listed.index("the second") < listed.index("the first")
    assert "scripted/model" in listed


def left_open(project, prompt, state, *, is_held=False):
    """A session with an open run in a state, which a live process holds only while it is listed."""

    async def act():
        workspace = Workspace(project.folder, trusted=True)
        session = workspace.session(workspace.setup(ScriptedModel()))
        await session.submit(prompt)
        record = await workspace.store.open_run(session.id)
        await workspace.store.commit(SessionChanges(session.id, run=structs.replace(record, state=state)))
        await workspace.close()
        return session.id

    return asyncio.run(act())


@pytest.mark.parametrize("state", ["queued", "waiting", "interrupted"])
def test_the_list_says_what_an_open_run_is_doing(project, state):
    project.converse("hi", text("hello"))
    session = left_open(project, f"count to {KEY} and on", state)
    newest, other = project.call("sessions", "--json").json
    assert (newest["id"], newest["state"], newest["title"]) == (session, state, "count to *** and on")
    assert other["state"] == "idle"
    head, first, second = project.call("sessions").out.splitlines()
    assert "STATE" in head
    assert f"  {state}  " in first
    assert "count to *** and on" in first
    assert state not in second


def test_a_list_without_an_open_run_has_no_column_for_it(project):
    project.converse("hi", text("hello"))
    assert "STATE" not in project.call("sessions").out


def test_a_run_whose_process_has_died_is_interrupted_and_one_that_is_held_runs(project):
    session = left_open(project, "count", "running")
    assert [entry["state"] for entry in project.call("sessions", "--json").json] == ["interrupted"]

    async def held(store):
        lease = await store.lease(session)
        listed = await asyncio.to_thread(project.call, "sessions", "--json")
        lease.release()
        return listed.json

    assert [entry["state"] for entry in project.in_store(held)] == ["running"]


def test_a_session_whose_run_is_queued_is_shown_with_its_prompt(project):
    session = left_open(project, "count to ten", "queued")
    shown = project.call("sessions", "show", session).out
    assert shown.startswith("count to ten\n")
    assert "queued" in shown.splitlines()[1]


def test_a_session_whose_queued_run_was_stopped_keeps_its_prompt_as_its_title(project):
    session = left_open(project, "count to ten", "queued")
    assert project.in_store(lambda store: stop_run(store, session))
    (listed,) = project.call("sessions", "--json").json
    assert (listed["state"], listed["title"]) == ("idle", "count to ten")


def test_states_are_shown_in_chinese_and_their_json_is_not(project, monkeypatch):
    left_open(project, "count to ten", "queued")
    monkeypatch.setenv("TOOLPOST_LANG", "zh")
    assert "排队中" in project.call("sessions").out
    assert project.call("sessions", "--json").json[0]["state"] == "queued"


def test_only_all_lists_the_sessions_of_other_projects(project, tmp_path):
    other = tmp_path / "other"
    (other / ".toolpost").mkdir(parents=True)
    project.converse("elsewhere", text("one"), folder=other)
    assert "elsewhere" not in project.call("sessions").out
    assert "elsewhere" in project.call("sessions", "--all").out
    assert "elsewhere" in project.call("sessions", "list", "--all").out


def test_a_title_cannot_steer_the_terminal(project):
    session = project.converse("hi", text("hello"))
    project.call("sessions", "rename", session, "evil \x1b[2J\x1b]0;x\x07 \u202etitle")
    listed = project.call("sessions").out
    assert "\x1b" not in listed
    assert "\x07" not in listed
    assert "\u202e" not in listed
    assert "evil \\x1b[2J" in listed


def test_a_key_in_a_prompt_is_not_told_as_its_title(project):
    project.converse(f"use {KEY} please", text("done"))
    for arguments in (("sessions",), ("sessions", "--json"), ("sessions", "search", "done")):
        listed = project.call(*arguments).out
        assert "use *** please" in listed
        assert KEY not in listed


@pytest.mark.parametrize(
    "shorten", [lambda full: full, lambda full: full[:-5], lambda full: full.removeprefix("ses_")[:16]]
)
def test_the_beginning_of_an_id_is_enough(project, shorten):
    session = project.converse("hi there", text("hello"))
    done = project.call("sessions", "show", shorten(session))
    assert done.status == 0
    assert "hi there" in done.out


def test_latest_is_the_newest_session_of_this_project(project):
    project.converse("the first", text("one"))
    project.converse("the second", text("two"))
    assert "the second" in project.call("sessions", "show", "latest").out


def test_an_id_that_begins_several_is_refused_with_the_candidates(project):
    project.converse("one", text("1"))
    project.converse("two", text("2"))
    done = project.call("sessions", "show", "ses_")
    assert done.status == 1
    assert "several ids" in done.err


def test_an_unknown_id_is_told_and_fails(project):
    done = project.call("sessions", "show", "nothing")
    assert done.status == 1
    assert "no session nothing" in done.err
    assert done.out == ""


def test_show_tells_the_whole_conversation(project):
    session = project.converse("Weather?", call("get_weather", {"city": "Tokyo"}), text("It is mild."))
    shown = project.call("sessions", "show", session).out
    places = [shown.index(part) for part in ("Weather?", '{"city":"Tokyo"}', "18.5 degrees", "It is mild.")]
    assert places == sorted(places)


def test_show_tells_the_current_branch_only(project):
    async def branch(store):
        parts = {"a": (None, "root"), "b": ("a", "left behind"), "c": ("a", "kept")}
        await store.create(SessionInfo("ses_1", folder=str(project.folder), head="c"))
        from toolpost.store.contract import SessionChanges

        made = [Message(name, "user", (TextPart(said),), parent) for name, (parent, said) in parts.items()]
        await store.commit(SessionChanges("ses_1", messages=made))

    project.in_store(branch)
    shown = project.call("sessions", "show", "ses_1").out
    assert "root" in shown
    assert "kept" in shown
    assert "left behind" not in shown


def test_search_finds_results_of_calls_in_this_project(project, tmp_path):
    session = project.converse("Weather?", call("get_weather", {"city": "Tokyo"}), text("mild"))
    other = tmp_path / "other"
    (other / ".toolpost").mkdir(parents=True)
    project.converse("degrees elsewhere", text("ok"), folder=other)
    assert {hit["session_id"] for hit in project.call("sessions", "search", "degrees", "--json").json} == {session}
    assert len(project.call("sessions", "search", "degrees", "--all", "--json").json) == 2
    assert "18.5 degrees" in project.call("sessions", "search", "DEGREES").out
    assert "no match for" in project.call("sessions", "search", "not there").out


def test_rename_changes_the_title_and_nothing_else(project):
    session = project.converse("hi", text("hello"))
    before = project.in_store(lambda store: store.info(session))
    assert project.call("sessions", "rename", session, "A better title").status == 0
    after = project.in_store(lambda store: store.info(session))
    assert after.title == "A better title"
    assert (after.head, after.updated, after.usage) == (before.head, before.updated, before.usage)


def test_delete_without_a_person_needs_yes(project, monkeypatch):
    session = project.converse("hi", text("hello"))
    monkeypatch.setattr(sys, "stdin", open("/dev/null"))  # noqa: SIM115, PTH123 - closed with the test's process
    refused = project.call("sessions", "delete", session)
    sys.stdin.close()
    assert refused.status == 2
    assert "--yes" in refused.err
    assert len(project.call("sessions", "--json").json) == 1
    assert project.call("sessions", "delete", session, "--yes").status == 0
    assert project.call("sessions", "--json").json == []


def test_one_unknown_id_keeps_all_from_being_deleted(project):
    session = project.converse("hi", text("hello"))
    assert project.call("sessions", "delete", session, "nothing", "--yes").status == 1
    assert len(project.call("sessions", "--json").json) == 1


@pytest.mark.parametrize("arguments", [("delete", "--yes"), ("rename",)])
def test_a_session_that_runs_elsewhere_is_left_alone(project, arguments):
    session = project.converse("hi", text("hello"))
    command, *flags = arguments
    title = ["new"] if command == "rename" else []

    script = (
        "import asyncio, sys, toolpost.store.sqlite.store as s\n"
        f"lease = asyncio.run(s.SqliteStore({str(project.database)!r}).lease({session!r}))\n"
        "print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        done = project.call("sessions", command, session, *title, *flags)
        holder.communicate(b"")
    assert done.status == 1
    assert "another process" in done.err
    assert project.in_store(lambda store: store.info(session)).title == "hi"


def test_an_export_can_be_imported_and_says_the_same(project, tmp_path):
    session = project.converse("Weather?", call("get_weather", {"city": "Tokyo"}), text("It is mild."))
    file = tmp_path / "session.json"
    assert project.call("sessions", "export", session, "-o", str(file)).status == 0
    assert project.call("sessions", "import", str(file)).status == 0
    copies = [entry["id"] for entry in project.call("sessions", "--json").json]
    assert len(copies) == 2
    shown = [project.call("sessions", "show", one, "--json").json for one in copies]
    assert shown[0] == shown[1]


def test_an_import_belongs_to_this_project(project, tmp_path):
    other = tmp_path / "other"
    (other / ".toolpost").mkdir(parents=True)
    session = project.converse("elsewhere", text("ok"), folder=other)
    file = tmp_path / "session.json"
    project.call("sessions", "export", session, "-o", str(file))
    project.call("sessions", "delete", session, "--yes")
    project.call("sessions", "import", str(file))
    assert [entry["title"] for entry in project.call("sessions", "--json").json] == ["elsewhere"]


def test_marks_that_are_for_the_model_are_not_shown(project, tmp_path):
    session = project.converse("hi", text("hello"))
    marked = untrusted("the server is full", "MCP server shop")
    failed = ToolPart("c1", "shop", Failed("failed", marked, {}, "{}", 0.0, 0.0))
    done = ToolPart("c2", "shop", Completed({}, (TextPart(marked),), 0.0, 0.0))

    async def add(store):
        await store.lease(session)
        info = await store.info(session)
        message = Message("msg_marked", "assistant", (failed, done), info.head, 1.0)
        await store.commit(SessionChanges(session, structs.replace(info, head=message.id), [message]))

    project.in_store(add)
    shown = project.call("sessions", "show", session).out
    exported = project.call("sessions", "export", session, "--format", "markdown").out
    for out in (shown, exported):
        assert out.count("the server is full") == 2
        assert "untrusted" not in out


def test_what_is_no_export_is_refused(project, tmp_path):
    file = tmp_path / "other.json"
    file.write_text('{"a": 1}')
    done = project.call("sessions", "import", str(file))
    assert done.status == 1
    assert "exported session" in done.err
    assert project.call("sessions", "import", str(tmp_path / "missing.json")).status == 1


@pytest.mark.parametrize("kind", ["json", "markdown"])
def test_no_export_holds_a_secret(project, tmp_path, kind):
    """Nor its halves: deltas of one character each would spell it out."""
    answer = call("get_weather", {"city": KEY, "api_key": "plainwords123"}) + text(f"the key {KEY}", chunk=1)
    session = project.converse(f"my key is {KEY}", answer, text(f"again {KEY}", chunk=7))
    file = tmp_path / "out"
    assert project.call("sessions", "export", session, "-o", str(file), "--format", kind).status == 0
    exported = file.read_text()
    assert "my key is ***" in exported
    assert KEY not in exported
    assert KEY[-10:] not in exported
    assert "message_update" not in exported


def test_a_key_of_the_environment_is_hidden_whatever_it_looks_like(project, tmp_path, monkeypatch):
    monkeypatch.setenv("ACME_API_KEY", "correct-horse-battery")
    session = project.converse("say correct-horse-battery", text("no"))
    assert "correct-horse-battery" not in project.call("sessions", "show", session).out


@given(messages())
def test_what_holds_no_secret_is_left_as_it_is(message):
    assert redacted(message, Redactor()) == message


@given(messages())
def test_a_known_secret_is_nowhere_in_a_redacted_message(message):
    from msgspec import json, structs

    secret = "correct-horse-battery"
    parts = (*message.parts, TextPart(f"x {secret} y", {"deep": [{"er": secret}]}))
    hidden = redacted(structs.replace(message, parts=parts, model=secret), Redactor([secret]))
    assert secret not in json.encode(hidden).decode()


def test_markdown_fences_are_longer_than_those_inside(project, tmp_path):
    project.write(
        ".toolpost/tools/fence.py",
        'from toolpost import tool\n\n@tool\ndef fence() -> str:\n    """Give a fence. Use it when asked."""\n'
        '    return "```\\n# not a heading\\n```"\n',
    )
    project.write(".toolpost/config.toml", 'permissions = { "*" = "allow" }')
    session = project.converse("fence", call("fence"), text("done"))
    file = tmp_path / "out.md"
    project.call("sessions", "export", session, "-o", str(file), "--format", "markdown")
    assert "````\n```\n# not a heading\n```\n````" in file.read_text()


def test_a_reader_that_leaves_early_gets_no_complaint(project):
    """`toolpost sessions --json | head -1`, with more than a pipe holds."""

    async def fill(store):
        for number in range(2_000):
            await store.create(SessionInfo(f"ses_{number:05}", "t" * 100, str(project.folder), updated=float(number)))

    project.in_store(fill)

    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-m", "toolpost", "sessions", "--json"], **pipes) as process:
        line = process.stdout.readline()
        process.stdout.close()
        complaint, status = process.stderr.read(), process.wait()
    assert b"ses_01999" in line
    assert complaint == b""
    assert status in (0, 141)
