"""How the login server is told who we are, and logins with more rights: against servers on loopback."""

import asyncio
import fcntl
import json
import os
import re
import struct
import sys
import termios
from contextlib import asynccontextmanager, suppress

import pytest
from mcp_login_server import Guarded, LoginServer, browse
from mcp_play import PATIENCE, Caller, inside, running, serving, state_of, text_of, tools_of, until

from toolpost.config.token_store import TokenStore
from toolpost.guard.trust import Trust
from toolpost.mcp.config import McpServer, OAuth
from toolpost.mcp.oauth import LoginError, login
from toolpost.types.errors import ToolError


@pytest.fixture
async def logins():
    logins = LoginServer()
    async with serving(logins.app(), logins.port):
        yield logins


@pytest.fixture
async def guarded(logins):
    guarded = Guarded(logins)
    async with serving(guarded, guarded.port):
        yield guarded


@pytest.fixture
def vault(tmp_path):
    return TokenStore({"TOOLPOST_DATA_DIR": str(tmp_path / "data")})


def config_of(guarded, **oauth):
    return McpServer("guarded", url=f"{guarded.origin}/mcp", type="http", oauth=OAuth(**oauth))


async def secret(servers, tmp_path):
    tool = tools_of(servers)["mcp__guarded__secret"]
    return inside(text_of(await tool.execute({}, Caller(tmp_path).context())))


@pytest.mark.parametrize(
    ("methods", "registered", "used"),
    [
        (["none", "client_secret_post"], "none", "none"),
        (["client_secret_post"], "client_secret_post", "client_secret_post"),
        (["client_secret_post", "client_secret_basic"], "client_secret_basic", "client_secret_basic"),
    ],
)
async def test_we_register_and_authenticate_as_the_login_servers_metadata_says(
    logins, guarded, vault, tmp_path, methods, registered, used
):
    logins.methods, logins.expires_in = methods, 1
    assert await login(config_of(guarded), vault, browse)
    assert logins.clients["client-1"]["token_endpoint_auth_method"] == registered
    async with running(config_of(guarded), folder=tmp_path, vault=vault) as servers:
        assert await secret(servers, tmp_path) == "the lathe is in the cellar"
    assert logins.refreshed
    assert set(logins.used) == {used}


@pytest.mark.parametrize(
    ("methods", "used"),
    [
        (["client_secret_basic"], "client_secret_basic"),
        (["client_secret_post"], "client_secret_post"),
        (None, "client_secret_basic"),
    ],
)
async def test_a_secret_that_was_given_by_hand_is_sent_as_the_metadata_says(logins, guarded, vault, methods, used):
    logins.methods, logins.secrets["by-hand"] = methods, "a:b/c%"
    assert await login(config_of(guarded, client_id="by-hand", client_secret="a:b/c%"), vault, browse)
    assert set(logins.used) == {used}


async def test_a_client_with_credentials_of_its_own_needs_no_person(logins, guarded, vault, tmp_path):
    logins.methods, logins.secrets["machine"] = ["client_secret_basic"], "x"
    guarded.needs = {"tools/call": "write"}
    config = config_of(guarded, client_id="machine", client_secret="x", grant="client_credentials", scope="read")
    async with running(config, folder=tmp_path, vault=vault) as servers:
        assert await secret(servers, tmp_path) == "the lathe is in the cellar"
    assert ["read"] in logins.scopes.values()
    assert sorted(logins.scopes[f"access-{len(logins.access)}"]) == ["read", "write"]
    assert not logins.asked


async def test_credentials_go_to_no_login_server_but_the_one_that_is_named(logins, guarded, vault, tmp_path):
    logins.methods, logins.secrets["machine"] = ["client_secret_basic"], "x"
    own = {"client_id": "machine", "client_secret": "x", "grant": "client_credentials"}
    elsewhere = config_of(guarded, **own, issuer="https://login.example")
    async with running(elsewhere, folder=tmp_path, vault=vault, ready=False) as servers:
        await servers.changed.until(lambda: "https://login.example" in state_of(servers, "guarded").detail)
    assert not logins.used


async def test_a_call_that_needs_more_rights_leads_to_a_login_that_asks_for_them(logins, guarded, vault, tmp_path):
    guarded.needs = {"tools/list": "read", "tools/call": "write"}
    config = config_of(guarded)
    # The list wants a scope at once: the person is asked for it within the same login.
    assert await login(config, vault, browse)
    assert logins.asked == ["", "read"]
    async with running(config, folder=tmp_path, vault=vault) as servers:
        with pytest.raises(
            ToolError, match=r"more permissions for secret \(scope: write\).*toolpost mcp login guarded"
        ):
            await secret(servers, tmp_path)
        assert state_of(servers, "guarded").state == "connected"
        assert await login(config, vault, browse)
        assert sorted(logins.asked[-1].split()) == ["read", "write"]
        # The connection that is there takes the new login, and need not be made anew.
        assert await secret(servers, tmp_path) == "the lathe is in the cellar"


async def test_a_scope_that_is_never_given_is_asked_for_once(logins, guarded, vault):
    guarded.needs = {"tools/list": "admin"}
    logins.gives = []
    with pytest.raises(LoginError, match="scope admin"):
        await login(config_of(guarded), vault, browse)
    assert logins.asked == ["", "admin"]


async def test_a_server_that_wants_more_and_more_gets_three_logins(logins, guarded, vault):
    class Greedy(dict):
        def get(self, method, default=""):
            return f"scope{len(logins.asked)}" if method != "initialize" else ""

        def __getitem__(self, method):
            return self.get(method)

    guarded.needs = Greedy()
    with pytest.raises(LoginError):
        await login(config_of(guarded), vault, browse)
    assert len(logins.asked) <= 3


async def test_a_failure_of_the_token_endpoint_is_told_with_its_status(logins, guarded, vault):
    logins.methods = ["private_key_jwt"]
    with pytest.raises(LoginError, match=r"401.*invalid_client"):
        await asyncio.wait_for(login(config_of(guarded), vault, browse), 30)


async def test_on_a_terminal_a_call_that_needs_more_rights_asks_for_the_login_and_goes_on(logins, guarded, tmp_path):
    guarded.needs = {"tools/call": "write"}
    project = tmp_path / "project"
    project.mkdir()
    entry = {"type": "http", "url": f"{guarded.origin}/mcp"}
    (project / ".mcp.json").write_text(json.dumps({"mcpServers": {"guarded": entry}}))
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path), "TOOLPOST_DATA_DIR": str(tmp_path / "data")}
    environ = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "NO_COLOR": "1", **home}
    Trust.of_user(environ).give(project)

    async with terminal(project, environ, "login", "guarded") as seen:
        await browse((await seen(rf"({logins.issuer}/authorize\S+)"))[1])
        await seen("logged in to guarded")
    async with terminal(project, environ, "call", "guarded", "secret") as seen:
        await seen(r"more permissions for secret \(scope: write\)")
        await browse((await seen(rf"({logins.issuer}/authorize\S+)"))[1])
        await seen("the lathe is in the cellar")
    assert logins.asked == ["", "write"]


@asynccontextmanager
async def terminal(folder, environ, *arguments):
    """`toolpost mcp …` on a terminal; gives what waits for a pattern to appear there."""
    master, slave = os.openpty()
    # Wide, so that no address is broken.
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 2_000, 0, 0))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "toolpost", "mcp", *arguments),
        cwd=folder,
        env=environ,
        stdin=slave,
        stdout=slave,
        stderr=slave,
    )
    os.close(slave)
    os.set_blocking(master, False)
    screen = bytearray()

    def read():
        with suppress(OSError):
            screen.extend(os.read(master, 65_536))
        return screen.decode(errors="replace")

    async def seen(pattern):
        await until(lambda: re.search(pattern + r"[^\n]*\n", read()) or process.returncode is not None)
        found = re.search(pattern, read())
        assert found, screen.decode()
        return found

    try:
        yield seen
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
        os.close(master)
