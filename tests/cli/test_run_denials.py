"""What `toolpost run` says after a denial: the permission that was really missing, ready to be pasted."""

import shlex

import pytest
from console import Console

from toolpost.testing import Upstream, call, text


def flags_in(err):
    told = err.partition("To allow it: ")[2].splitlines()
    return shlex.split(told[0]) if told else []


@pytest.mark.parametrize(
    ("tool", "arguments", "given", "flags"),
    [
        ("read", {"path": ".env"}, [], ["secret:.env"]),
        ("read", {"path": "/etc/hostname"}, [], ["external_directory:/etc/*"]),
        ("bash", {"command": "true", "network": True}, ["bash"], ["bash_network:true"]),
        ("bash", {"command": "cat .env"}, ["bash"], ["secret:.env"]),
        ("bash", {"command": "true && touch made"}, ["bash:true"], ["bash:touch made"]),
        ("write", {"path": "made", "content": "x"}, [], ["edit:made"]),
        ("batch", {"calls": [{"tool": "read", "arguments": {"path": ".env"}}]}, [], ["secret:.env"]),
    ],
)
async def test_the_flag_is_what_was_missing_and_with_it_the_call_is_let_through(
    tmp_path, tool, arguments, given, flags
):
    allowed = [word for rule in given for word in ("--allow", rule)]
    async with Upstream(call(tool, arguments), text("no"), call(tool, arguments), text("yes")) as up:
        console = Console(tmp_path, up.base_url)
        (console.folder / ".env").write_text("A=b\n")
        done = await console.run(*allowed, "go")
        hint = flags_in(done.err)
        assert (done.status, hint) == (4, [word for rule in flags for word in ("--allow", rule)])
        again = await console.run(*allowed, *hint, "go")
    assert (again.status, again.out) == (0, "yes\n"), again.err


@pytest.mark.parametrize("given", [[], ["--allow", "edit"]])
async def test_what_can_never_be_allowed_has_no_flag(tmp_path, given):
    patch = "*** Begin Patch\n*** Add File: .env\n+A=b\n*** End Patch"
    calls = (call("write", {"path": ".env", "content": "A=b"}), call("apply_patch", {"patch": patch}))
    async with Upstream(*calls, text("no")) as up:
        done = await Console(tmp_path, up.base_url).run(*given, "go")
    assert done.err.count("which no tool writes") == 2
    assert "--allow" not in done.err


async def test_what_a_sub_agent_was_denied_has_its_flag_too(tmp_path):
    task = call("task", {"description": "Look", "prompt": "look"})
    async with Upstream(task, call("read", {"path": ".env"}), text("could not"), text("no")) as up:
        done = await Console(tmp_path, up.base_url).run("go")
    assert flags_in(done.err) == ["--allow", "secret:.env"]


async def test_a_rule_that_names_a_tool_instead_of_its_permission_is_told_at_the_start(tmp_path):
    async with Upstream(text("hi")) as up:
        done = await Console(tmp_path, up.base_url).run("--allow", "write", "go")
    assert done.err.count("write is a tool, and its permission is edit") == 1
