"""`toolpost` as a process with a key in its environment: nothing that it writes anywhere holds it."""

import sys

import pytest
from console import Console, sessions_in
from mcp import Client, StdioServerParameters

from toolpost.guard.trust import Trust
from toolpost.testing import Upstream, call, http_error, text

KEY = "sk-test-0123456789abcdef"  # the console's OPENAI_API_KEY
PASSWORD = "Quite.unlike.a-key-77"
TOOLS = '''
import asyncio
import logging
import os
from toolpost import ToolContext, ToolError, tool
from toolpost.tools.process import run_process

@tool
async def leak(ctx: ToolContext) -> str:
    """Tell every secret, in every way."""
    told = " and ".join((os.environ["OPENAI_API_KEY"], os.environ["DB_PASSWORD"]))
    logging.getLogger("somewhere").warning("told: %s", told)
    for start in range(0, len(told), 5):
        ctx.update(told[start : start + 5])
    done = await run_process(["sh", "-c", 'echo "child: [$OPENAI_API_KEY][$DB_PASSWORD][$COPY][$COLOUR]"'], ctx)
    return f"told: {told}; {done.output.content[0].text}"

@tool
async def fail() -> str:
    """Fail and tell it."""
    raise ValueError("refused: " + os.environ["DB_PASSWORD"])

@tool
async def use(value: str) -> str:
    """Use a value."""
    return f"{len(value)} characters"
'''

KEYRING = """
from keyring.backend import KeyringBackend

class Kept(KeyringBackend):
    priority = 1

    def get_password(self, service, username):
        return "kept-in-a-keyring-9"

    def set_password(self, service, username, password):
        pass
"""


@pytest.fixture
def console(tmp_path):
    made = Console(tmp_path, DB_PASSWORD=PASSWORD, COPY=f"x {PASSWORD} y", COLOUR="blue", TOOLPOST_DEBUG="1")
    made.tools.write_text(TOOLS)
    return made


def written(console):
    """Every byte of every file that it has made."""
    files = [path for path in console.data.rglob("*") if path.is_file()]
    assert {"toolpost.db", "toolpost.log"} <= {path.name for path in files}
    return "\n".join(path.read_bytes().decode(errors="replace") for path in files)


def assert_hidden(*texts):
    for known in (KEY, PASSWORD, KEY[-12:], PASSWORD[-12:]):
        for one in texts:
            assert known not in one


async def conversation(console, *arguments):
    """A run in which tools tell secrets, and everything that it says and leaves."""
    turns = call("leak"), call("fail"), call("use", {"value": PASSWORD}, chunk=3), text("Done.")
    async with Upstream(*turns) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        done = await console.run("--allow", "*", *arguments, "Tell me.")
    assert done.status == 0, done.err
    return done, "".join(str(request.body) for request in up.requests)


@pytest.mark.parametrize("arguments", [(), ("--format", "json")])
async def test_a_run_whose_tools_tell_secrets_tells_them_to_nobody(console, arguments):
    done, sent = await conversation(console, *arguments)
    assert_hidden(done.out, done.err, sent, written(console))
    assert "told: *** and ***; child: [][][][blue]" in sent
    assert "ValueError: refused: ***" in sent
    assert f"{len(PASSWORD)} characters" in sent
    assert "told: *** and ***" in (console.data / "toolpost.log").read_text()


async def test_what_is_shown_of_a_session_later_holds_none(console):
    await conversation(console)
    listed = await console.call("sessions", "list", "--json")
    session = sessions_in(listed.out.replace('"', " "))[0]
    for command in (
        ("sessions", "show", session, "--full"),
        ("sessions", "export", session),
        ("sessions", "export", session, "--format", "markdown"),
        ("trace", session, "--full"),
        ("trace", session, "--json"),
    ):
        done = await console.call(*command)
        assert done.status == 0, (command, done.err)
        assert "***" in done.out, command
        assert_hidden(done.out, done.err)


async def test_a_prompt_is_kept_as_the_user_typed_it_and_hidden_in_exports(console):
    async with Upstream(text("ok")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        await console.run(f"my password is {PASSWORD}")
    assert up.requests[0].body["messages"][-1]["content"] == f"my password is {PASSWORD}"
    session = sessions_in((await console.call("sessions", "list", "--json")).out.replace('"', " "))[0]
    for command in (("sessions", "list"), ("sessions", "export", session), ("trace", session, "--full")):
        done = await console.call(*command)
        assert "my password is ***" in done.out
        assert_hidden(done.out, done.err)


async def test_a_refusal_that_names_the_key_is_reported_without_it(console):
    async with Upstream(http_error(401, f"Incorrect API key provided: {KEY}; {PASSWORD}")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        done = await console.run("go")
    assert done.status != 0
    assert "Incorrect API key provided: ***; ***" in done.err
    assert_hidden(done.out, done.err, (console.data / "toolpost.db").read_bytes().decode(errors="replace"))


async def test_a_key_of_the_keyring_is_hidden_once_it_was_used(console, tmp_path):
    (tmp_path / "of_the_user.py").write_text(KEYRING)
    console.environ |= {"PYTHONPATH": str(tmp_path), "PYTHON_KEYRING_BACKEND": "of_the_user.Kept"}
    del console.environ["OPENAI_API_KEY"]
    console.tools.write_text(
        'from toolpost import tool\n\n@tool\ndef find() -> str:\n    """Find it."""\n'
        '    return "found " + "-".join(["kept", "in", "a", "keyring", "9"])\n'
    )
    async with Upstream(call("find"), text("ok")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        done = await console.run("--allow", "*", "--format", "json", "go")
    assert up.requests[0].headers["authorization"] == "Bearer kept-in-a-keyring-9"
    assert "found ***" in done.out
    assert "kept-in-a-keyring-9" not in done.out


async def test_an_unexpected_error_is_reported_without_secrets(console):
    console.tools.write_text("import os\nraise RuntimeError('bad: ' + os.environ['DB_PASSWORD'])")
    done = await console.run("go")
    assert done.status != 0
    assert "bad: ***" in done.err
    assert_hidden(done.out, done.err)


async def test_the_doctor_shows_no_secret(console):
    console.environ["OPENAI_BASE_URL"] = f"http://me:{PASSWORD}@127.0.0.1:9/v1"
    for flags in ((), ("--json",)):
        done = await console.call("doctor", *flags)
        assert done.out
        assert_hidden(done.out, done.err)


async def test_somebody_elses_agent_is_told_none(tmp_path):
    told, secrets = [], {"OPENAI_API_KEY": KEY, "DB_PASSWORD": PASSWORD, "COPY": PASSWORD, "COLOUR": "blue"}
    console = Console(tmp_path, **secrets)
    own = console.folder / ".toolpost" / "tools" / "own.py"
    own.parent.mkdir()
    own.write_text(TOOLS)
    (console.folder / "notes.txt").write_text(f"It is {PASSWORD}.")
    Trust.of_user(console.environ).give(console.folder)

    async def hear(*words):
        told.append(repr(words))

    arguments = ["-m", "toolpost", "mcp", "serve", "--allow", "*"]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=console.environ, cwd=console.folder)
    async with Client(server, mode="legacy", logging_callback=hear) as client:
        leaked = await client.call_tool("leak", {}, progress_callback=hear)
        failed = await client.call_tool("fail", {})
        read = await client.read_resource(f"{console.folder.as_uri()}/notes.txt")
    assert leaked.content[0].text.startswith("told: *** and ***; child: [][][][blue]")
    assert "refused: ***" in failed.content[0].text
    assert read.contents[0].text == "It is ***."
    assert any("told: *** and ***" in words for words in told)
    assert_hidden("".join(told), repr(leaked), repr(failed))
