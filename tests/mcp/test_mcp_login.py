"""Logins, against a login server and a guarded MCP server on loopback, each on a port of its own."""

import stat
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from mcp.server.mcpserver import MCPServer
from mcp_login_server import Guarded, LoginServer, browse, free_port
from mcp_play import Caller, inside, running, serving, state_of, text_of, tools_of

from toolpost.config.token_store import TokenStore
from toolpost.mcp.config import McpServer, OAuth
from toolpost.mcp.oauth import LoginError, login


@pytest.fixture
async def logins():
    logins = LoginServer()
    async with serving(logins.app(), logins.port):
        yield logins


@pytest.fixture
async def config(logins):
    guarded = Guarded(logins)
    async with serving(guarded, guarded.port):
        yield McpServer("guarded", url=f"{guarded.origin}/mcp", type="http")


@pytest.fixture
def vault(tmp_path):
    return TokenStore({"TOOLPOST_DATA_DIR": str(tmp_path / "data")})


async def reads_the_secret(servers, tmp_path):
    tool = tools_of(servers)["mcp__guarded__secret"]
    return inside(text_of(await tool.execute({}, Caller(tmp_path).context())))


async def test_a_server_that_wants_a_login_says_so_and_nothing_is_registered_for_it(logins, config, vault, tmp_path):
    async with running(config, folder=tmp_path, vault=vault) as servers:
        status = state_of(servers, "guarded")
        assert status.state == "needs_login"
        assert "toolpost mcp login guarded" in status.detail
    assert len(logins.clients) == 1


async def test_after_a_login_the_server_is_used_without_a_person(logins, config, vault, tmp_path):
    shown = []

    async def show(url):
        shown.append(url)
        await browse(url)

    assert await login(config, vault, show)
    assert shown[0].startswith(f"{logins.issuer}/authorize?")
    async with running(config, folder=tmp_path, vault=vault) as servers:
        assert await reads_the_secret(servers, tmp_path) == "the lathe is in the cellar"
    (file,) = (tmp_path / "data" / "secrets").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


async def test_a_token_that_has_expired_is_renewed_and_the_new_one_kept(logins, config, vault, tmp_path):
    logins.expires_in = 1
    assert await login(config, vault, browse)
    logins.access.clear()
    for renewals in (1, 2):
        async with running(config, folder=tmp_path, vault=vault) as servers:
            assert await reads_the_secret(servers, tmp_path) == "the lathe is in the cellar"
        assert logins.refreshed == renewals
        logins.access = {f"gone-{number}" for number in range(10 * renewals)}
    assert len(logins.clients) == 2


async def test_a_login_that_was_taken_back_is_asked_for_again(logins, config, vault, tmp_path):
    assert await login(config, vault, browse)
    logins.access.clear()
    logins.refresh.clear()
    async with running(config, folder=tmp_path, vault=vault) as servers:
        assert state_of(servers, "guarded").state == "needs_login"


async def test_tokens_are_not_sent_to_another_address_of_the_same_name(logins, config, vault, tmp_path):
    assert await login(config, vault, browse)
    other = Guarded(logins)
    async with serving(other, other.port):
        moved = McpServer("guarded", url=f"{other.origin}/mcp", type="http")
        async with running(moved, folder=tmp_path, vault=vault) as servers:
            assert state_of(servers, "guarded").state == "needs_login"


async def test_a_login_that_is_refused_says_why(logins, config, vault):
    logins.refuses = True
    with pytest.raises(LoginError, match="access_denied"):
        await login(config, vault, browse)


async def test_an_answer_that_is_not_to_our_question_is_overlooked(logins, config, vault, tmp_path):
    async def attack(url):
        asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        here, forged = asked["redirect_uri"], {"code": "stolen", "state": asked["state"]}
        async with httpx2.AsyncClient() as browser:
            for where, given in (
                (here.replace("callback", "elsewhere"), forged),
                (here, {"code": "stolen", "state": "guessed"}),
                (here, {"code": "stolen"}),
                (here, {"error": "access_denied"}),
                (here, {"error": "access_denied", "state": "guessed"}),
            ):
                assert (await browser.get(where, params=given)).status_code == 404
        await browse(url)

    assert await login(config, vault, attack)
    async with running(config, folder=tmp_path, vault=vault) as servers:
        assert await reads_the_secret(servers, tmp_path) == "the lathe is in the cellar"


async def test_nobody_is_waited_for_longer_than_agreed(config, vault):
    async def ignore(url):
        pass

    with pytest.raises(LoginError, match="no login to"):
        await login(config, vault, ignore, seconds=2.0)


async def test_a_client_that_was_registered_by_hand_is_used(logins, config, vault, tmp_path):
    known = McpServer("guarded", url=config.url, type="http", oauth=OAuth(client_id="by-hand"))
    assert await login(known, vault, browse)
    assert len(logins.clients) == 1
    async with running(known, folder=tmp_path, vault=vault) as servers:
        assert await reads_the_secret(servers, tmp_path) == "the lathe is in the cellar"


async def test_a_server_without_a_door_wants_no_login(vault):
    server = MCPServer("open")
    port = free_port()
    async with serving(server.streamable_http_app(), port):
        open_server = McpServer("open", url=f"http://127.0.0.1:{port}/mcp", type="http")
        assert not await login(open_server, vault, browse)
