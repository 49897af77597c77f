"""The list of what is to be done, kept with the session."""

from bench_play import bench, shown, states

from toolpost import Agent, SqliteStore
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.builtin import todos

TODOS = [
    {"content": "Read", "status": "completed"},
    {"content": "Write", "status": "in_progress", "priority": "high"},
    {"content": "Rest"},
]
LIST = "[x] Read\n[>] Write (high)\n[ ] Rest"


async def test_the_list_survives_a_restart_and_goes_with_a_fork(tmp_path):
    tools = [todos.make_todo_write(bench(tmp_path)), todos.make_todo_read(bench(tmp_path))]
    store = SqliteStore(tmp_path / "t.db")
    with ScriptedModel(call("todo_write", {"todos": TODOS}), text("ok")) as model:
        session = Agent(model, tools, store=store).session()
        await session.run("go")
    (written,) = states(session)
    assert (shown(written), written.title) == (LIST, "1 of 3 done")
    assert written.details["todos"][1] == {"content": "Write", "status": "in_progress", "priority": "high"}
    await store.close()

    store = SqliteStore(tmp_path / "t.db")
    with ScriptedModel(call("todo_read"), text("ok"), call("todo_read"), text("ok")) as model:
        again = Agent(model, tools, store=store).session(session.id)
        await again.run("go on")
        assert shown(states(again)[-1]) == LIST
        forked = await again.fork()
        await forked.run("go on")
        assert shown(states(forked)[-1]) == LIST
    await store.close()


async def test_a_new_list_takes_the_place_of_the_old_one_and_a_wrong_one_does_not(tmp_path):
    tools = [todos.make_todo_write(bench(tmp_path)), todos.make_todo_read(bench(tmp_path))]
    wrong = [{"content": "x", "status": "someday"}]
    with ScriptedModel(
        call("todo_read"),
        call("todo_write", {"todos": TODOS}),
        call("todo_write", {"todos": TODOS[2:]}),
        call("todo_write", {"todos": wrong}),
        call("todo_write", {"todos": [{"content": "x"}] * 101}),
        call("todo_read"),
        text("ok"),
    ) as model:
        session = Agent(model, tools).session()
        await session.run("go")
    nothing, _, short, invalid, many, last = states(session)
    assert shown(nothing) == "(nothing to do)"
    assert shown(short) == shown(last) == "[ ] Rest"
    assert (invalid.kind, many.kind) == ("invalid", "invalid")
