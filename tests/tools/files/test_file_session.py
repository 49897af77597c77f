"""The file tools in a session: rules see the paths that are meant, and the model reads what happened."""

from file_desk import Desk

from toolpost import Agent
from toolpost.testing import ScriptedModel, call, calls, text

RULES = {
    "read": "allow",
    "edit": {"*": "ask", "src/*": "allow", "src/frozen/*": "deny"},
    "secret": "ask",
    "external_directory": "ask",
}


async def run(desk, *steps, permissions=RULES, **options):
    with ScriptedModel(*steps, text("done")) as model:
        agent = Agent(model, list(desk.tools.values()), permissions=permissions, folder=desk.root, **options)
        session = agent.session()
        await session.run("go")
    return [part.state for message in session.messages for part in message.calls]


async def test_a_file_is_read_edited_and_patched(tmp_path):
    desk = Desk(tmp_path)
    desk.put("src/a.py", "x = 1\n")
    patch = "*** Begin Patch\n*** Update File: src/a.py\n@@\n-x = 2\n+x = 3\n*** End Patch"
    states = await run(
        desk,
        call("read", {"path": "src/a.py"}),
        call("edit", {"path": "src/a.py", "old_text": "x = 1", "new_text": "x = 2"}),
        call("apply_patch", {"patch": patch}),
    )
    assert [state.status for state in states] == ["completed"] * 3
    assert desk.get("src/a.py") == b"x = 3\n"


async def test_rules_decide_by_where_a_path_leads_not_by_how_it_is_spelled(tmp_path):
    desk = Desk(tmp_path)
    desk.put("src/frozen/a.txt", "one")
    (tmp_path / "src/easy").symlink_to("frozen")
    for path in ("src/frozen/a.txt", "src/x/../frozen/a.txt", "./src//frozen/a.txt", "src/easy/a.txt"):
        (state,) = await run(desk, call("edit", {"path": path, "old_text": "one", "new_text": "two"}))
        assert (state.status, state.kind) == ("error", "denied"), path
    assert desk.get("src/frozen/a.txt") == b"one"


async def test_a_patch_is_denied_for_one_denied_path_and_a_bad_one_is_the_models_mistake(tmp_path):
    desk = Desk(tmp_path)
    desk.put("src/frozen/a.txt", "one\n")
    patch = "*** Begin Patch\n*** Add File: src/b.txt\n+x\n*** Delete File: src/frozen/a.txt\n*** End Patch"
    states = await run(desk, call("apply_patch", {"patch": patch}), call("apply_patch", {"patch": "nonsense"}))
    assert [state.kind for state in states] == ["denied", "invalid"]
    assert not (tmp_path / "src/b.txt").exists()


async def test_what_is_allowed_once_is_not_asked_again(tmp_path):
    desk = Desk(tmp_path)
    asked = []

    async def on_ask(ask):
        asked.append((ask.permission, *ask.patterns))
        return "once"

    await run(desk, call("write", {"path": "a.txt", "content": "x"}), on_ask=on_ask)
    assert asked == [("edit", "a.txt")]
    assert desk.get("a.txt") == b"x"


async def test_always_for_a_folder_outside_covers_that_folder(tmp_path, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "a.txt").write_text("1")
    (other / "b.txt").write_text("2")
    desk = Desk(tmp_path)
    asked = []

    async def on_ask(ask):
        asked.append(ask.always)
        return "always"

    states = await run(
        desk, call("read", {"path": str(other / "a.txt")}), call("read", {"path": str(other / "b.txt")}), on_ask=on_ask
    )
    assert [state.status for state in states] == ["completed"] * 2
    assert asked == [(f"{other}/*",)]


async def test_two_edits_of_one_file_in_one_turn_are_both_made(tmp_path):
    desk = Desk(tmp_path)
    desk.put("src/a.txt", "one\ntwo\n")
    edits = [call("edit", {"path": "src/a.txt", "old_text": old, "new_text": old.upper()}) for old in ("one", "two")]
    states = await run(desk, calls(*edits))
    assert [state.status for state in states] == ["completed"] * 2
    assert desk.get("src/a.txt") == b"ONE\nTWO\n"


async def test_what_may_not_be_read_is_not_given_away_by_an_edit_that_misses(tmp_path):
    """An edit that is refused shows the lines that are most like the old text."""
    desk = Desk(tmp_path)
    desk.put("src/private/a.txt", "the treasure is here\n")
    rules = RULES | {"read": {"*": "allow", "src/private/*": "deny"}}
    patch = "*** Begin Patch\n*** Update File: src/private/a.txt\n@@\n-the treasure is there\n+x\n*** End Patch"
    states = await run(
        desk,
        call("edit", {"path": "src/private/a.txt", "old_text": "the treasure is there", "new_text": "x"}),
        call("apply_patch", {"patch": patch}),
        call("write", {"path": "src/private/new.txt", "content": "x"}),
        permissions=rules,
    )
    assert [state.status for state in states] == ["error", "error", "completed"]
    assert "is here" not in str(states)
