"""`toolpost mcp call` for a person: no marks meant for models, and forms that are filled in on the terminal."""

import json
import sys

import pytest
from console import Console

FORM = {
    "type": "object",
    "properties": {
        "name": {"type": "string", "title": "Name", "minLength": 2},
        "age": {"type": "integer", "minimum": 0},
        "score": {"type": "number", "default": 95.5},
        "mail": {"type": "string", "format": "email"},
        "size": {
            "type": "string",
            "oneOf": [{"const": "s", "title": "Small"}, {"const": "l", "title": "Large"}],
            "default": "l",
        },
        "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}},
        "agreed": {"type": "boolean", "default": True},
        "note": {"type": "string"},
    },
    "required": ["name", "age"],
}
ASKED = {
    "register": {"message": "Who are you?\x1b[31m", "requestedSchema": FORM},
    "visit": {"mode": "url", "message": "Log in there", "url": "https://login.example/a?b=1", "elicitationId": "1"},
}
# Speaks the protocol of 2025, in which a server asks during a call.
OLD = f"""
import json, sys
ASKED = json.loads({json.dumps(ASKED)!r})
TOOLS = [{{"name": name, "inputSchema": {{"type": "object"}}}} for name in (*ASKED, "refuse")]
calls = []

def send(**message):
    print(json.dumps({{"jsonrpc": "2.0", **message}}), flush=True)

for line in sys.stdin:
    message = json.loads(line)
    method, number = message.get("method"), message.get("id")
    if method == "initialize":
        info = {{"name": "desk", "version": "1"}}
        result = {{"protocolVersion": "2025-11-25", "capabilities": {{"tools": {{}}}}, "serverInfo": info}}
        send(id=number, result=result)
    elif method == "tools/list":
        send(id=number, result={{"tools": TOOLS}})
    elif method == "tools/call" and message["params"]["name"] in ASKED:
        calls.append(number)
        send(id="asked", method="elicitation/create", params=ASKED[message["params"]["name"]])
    elif method is None:
        send(id=calls.pop(), result={{"content": [{{"type": "text", "text": json.dumps(message["result"])}}]}})
    elif number is not None:
        send(id=number, error={{"code": -32000, "message": "not today"}})
"""
# In the newest protocol the call comes back with what is missing, and is made again.
NEW = """
from typing import Annotated
from mcp.server.mcpserver import Elicit, MCPServer, Resolve
from pydantic import BaseModel

server = MCPServer("desk")

class Person(BaseModel):
    age: int = 7

async def ask() -> Elicit[Person]:
    return Elicit("Who are you?", Person)

@server.tool()
async def register(person: Annotated[Person, Resolve(ask)]) -> str:
    return f"{person.age} years"

server.run()
"""


@pytest.fixture
def console(tmp_path):
    console = Console(tmp_path, NO_COLOR="1")
    (console.folder / "desk.py").write_text(OLD)
    entry = {"command": sys.executable, "args": [str(console.folder / "desk.py")]}
    (console.folder / ".mcp.json").write_text(json.dumps({"mcpServers": {"desk": entry}}))
    return console


async def test_a_form_is_filled_in_on_the_terminal_with_types_defaults_and_second_tries(console):
    async with console.terminal("mcp", "call", "desk", "register") as terminal:
        await terminal.seen("The MCP server desk asks: Who are you?")
        for label, tries in (
            ("Name", [("", "it is required"), ("x", "2"), ("Ada", "")]),
            ("age", [("old", "a whole number"), ("-1", "0"), ("36", "")]),
            ("score (number, Enter for 95.5)", [("", "")]),
            ("mail (email, Enter to skip)", [("nobody", "email"), ("ada@example.org", "")]),
            ("size (a number, Enter for Large)", [("3", "3"), ("1", "")]),
            ("tags (numbers such as 1,3", [("1, 3", "")]),
            ("agreed (a number, Enter for yes)", [("no", "")]),
            ("note (string, Enter to skip)", [("", "")]),
        ):
            await terminal.seen(label)
            for typed, told in tries:
                await terminal.seen("? ")
                terminal.type(f"{typed}\n")
                if told:
                    await terminal.seen(told)
        shown = await terminal.seen("Send this to desk?")
        assert "tags: a, c" in shown
        terminal.type("y\n")
        said = await terminal.seen("}")
        assert await terminal.ended() == 0
    answer = json.loads(said[said.index("{") :] + "}")
    assert answer == {
        "action": "accept",
        "content": {
            "name": "Ada",
            "age": 36,
            "score": 95.5,
            "mail": "ada@example.org",
            "size": "s",
            "tags": ["a", "c"],
            "agreed": False,
        },
    }


async def test_a_server_of_the_newest_protocol_asks_too(console):
    (console.folder / "desk.py").write_text(NEW)
    async with console.terminal("mcp", "call", "desk", "register") as terminal:
        await terminal.seen("Enter for 7")
        terminal.type("8\n")
        await terminal.seen("Send this to desk?")
        terminal.type("y\n")
        await terminal.seen("8 years")
        assert await terminal.ended() == 0


@pytest.mark.parametrize(("typed", "action"), [("Ada\n36\n\n\n\n\n\n\nn\n", "decline"), ("Ada\n\x04", "cancel")])
async def test_a_form_can_be_declined_and_cancelled(console, typed, action):
    async with console.terminal("mcp", "call", "desk", "register") as terminal:
        await terminal.seen("Name")
        terminal.type(typed)
        await terminal.seen(f'"action": "{action}"')
        assert await terminal.ended() == 0


@pytest.mark.parametrize(("typed", "action"), [("yes\n", "accept"), ("n\n", "decline"), ("\x04", "cancel")])
async def test_an_address_is_shown_and_never_opened_by_itself(console, typed, action):
    async with console.terminal("mcp", "call", "desk", "visit") as terminal:
        await terminal.seen("The server asks you to open https://login.example/a?b=1")
        await terminal.seen("Its host is login.example.")
        await terminal.seen("? ")
        terminal.type(typed)
        await terminal.seen(f'"action": "{action}"')
        assert await terminal.ended() == 0


async def test_without_a_terminal_what_a_server_asks_is_declined(console):
    done = await console.call("mcp", "call", "desk", "register")
    assert (done.status, done.out) == (0, '{"action": "decline"}\n')
    done = await console.call("mcp", "call", "desk", "visit")
    assert (done.status, done.out) == (0, '{"action": "decline"}\n')


async def test_a_person_sees_no_marks_that_are_meant_for_models(console):
    done = await console.call("mcp", "call", "desk", "refuse")
    assert (done.status, done.out, done.err) == (1, "", "toolpost: not today\n")
    (console.folder / "desk.py").write_text("raise SystemExit('no desk')")
    done = await console.call("mcp", "call", "desk", "refuse")
    assert done.status == 1
    assert "untrusted" not in done.err
    assert "not connected" in done.err
