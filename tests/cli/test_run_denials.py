"""What `toolpost run` says after a denial: the permission that was really missing, ready to be pasted."""

import asyncio
import re
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


# Turns the line around, has no width, is a tag, or moves the cursor.
HIDING = "\u202eRTL\u200bZW\u2066\U000e0041\x1b]0;x\x07\x1b[2J\x9b31m\ufeff"
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff\U000e0000-\U000e007f]")


async def test_a_flag_shows_what_hides_and_a_shell_reads_the_rule_back(tmp_path):
    asked = call("bash", {"command": f"echo 'it\\s' {HIDING}"})
    async with Upstream(asked, text("no"), asked, text("yes")) as up:
        console = Console(tmp_path, up.base_url)
        done = await console.run("go")
        assert not UNSEEN.search(done.err)
        assert "\\U0000202eRTL\\U0000200bZW" in done.err
        told = done.err.partition("To allow it: ")[2].splitlines()[0]
        read_back = await asyncio.create_subprocess_exec(
            *("bash", "-c", f"printf '%s\\0' {told}"), stdout=asyncio.subprocess.PIPE, env={"LC_ALL": "C.UTF-8"}
        )
        hint = (await read_back.communicate())[0].decode().split("\0")[:-1]
        again = await console.run(*hint, "go")
    assert (done.status, again.status, again.out) == (4, 0, "yes\n"), again.err


async def test_notices_show_what_hides_in_the_names_of_files(tmp_path):
    async with Upstream(text("hi")) as up:
        console = Console(tmp_path, up.base_url)
        console.trusted = False
        skill = console.folder / ".claude" / "skills" / f"s{HIDING}"
        skill.mkdir(parents=True)
        (skill / "SKILL.md").write_text("---\nname: s\ndescription: d\n---\nx")
        (console.folder / ".toolpost" / "agents").mkdir(parents=True, exist_ok=True)
        (console.folder / ".toolpost" / "agents" / f"b{HIDING}.md").write_text("---\ndescription: b\n---\nx")
        done = await console.run("go")
    assert "is not trusted" in done.err
    assert "\\u{202e}RTL" in done.err
    assert not UNSEEN.search(done.err)


@pytest.mark.parametrize(
    "given",
    [
        ["-m", f"a{HIDING}/b", "x"],
        ["--agent", f"a{HIDING}", "x"],
        ["--file", f"a{HIDING}", "x"],
        ["-C", f"/a{HIDING}", "x"],
        ["-s", f"a{HIDING}", "x"],
        ["--allow", f"{HIDING}:", "x"],
        [f"--no-such{HIDING}", "x"],
    ],
    ids=lambda given: given[0][:9],
)
async def test_errors_show_what_hides(tmp_path, given):
    async with Upstream() as up:
        done = await Console(tmp_path, up.base_url).run(*given)
    assert done.status != 0
    assert "RTL" in done.err
    assert not UNSEEN.search(done.err)


def tools_in(request):
    return {tool["function"]["name"] for tool in request.body["tools"]}


@pytest.mark.parametrize("how", ["flag", "configuration"])
async def test_who_denies_bash_denies_background_jobs_too(tmp_path, how):
    async with Upstream(call("job_read", {"job": "job_1"}), text("no")) as up:
        console = Console(tmp_path, up.base_url)
        if how == "configuration":
            (console.folder / ".toolpost" / "config.toml").write_text('[permissions]\nbash = "deny"\n')
        done = await console.run(*(["--deny", "bash"] if how == "flag" else []), "--format", "json", "go")
    offered = tools_in(up.requests[0])
    assert "read" in offered
    assert not {name for name in offered if name == "bash" or name.startswith("job_")}
    assert "job_read is denied by the rule bash" in done.out


async def test_who_denies_some_commands_keeps_background_jobs(tmp_path):
    async with Upstream(text("no")) as up:
        await Console(tmp_path, up.base_url).run("--deny", "bash:rm *", "go")
    assert {"bash", "job_start", "job_read", "job_wait", "job_stop"} <= tools_in(up.requests[0])


async def test_a_misspelt_rule_of_the_command_line_is_told(tmp_path):
    async with Upstream(text("ok"), text("ok")) as up:
        console = Console(tmp_path, up.base_url)
        done = await console.run("--deny", "bsh", "go")
        right = await console.run("--deny", "bash", "--allow", "mcp__x__y", "--deny", "job_*", "go")
    assert "--deny bsh: there is no tool or permission with this name; did you mean bash?" in done.err
    assert "there is no tool or permission with this name" not in right.err
