"""Log in through a real provider of OpenID Connect, and what an answer that was not asked for comes to."""

import asyncio
import json
import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from account_play import CHAT_AGENT, PASSWORD, Browser, Team, team

from toolpost.config.schema import GatewaySettings, OidcSettings
from toolpost.server.accounts.accounts import Accounts, Directory
from toolpost.server.accounts.oidc_routes import OidcLogins
from toolpost.server.accounts.roles import load_roles
from toolpost.store.memory import MemoryStore
from toolpost.types.errors import ConfigError

HERE = Path(__file__).parent.parent / "accounts"
# The address that people open, where a proxy would be: the tests themselves go on from there at the server.
PUBLIC = "http://chat.test"
BACK = f"{PUBLIC}/api/auth/oidc/company/callback"
PEOPLE = {
    "s-1": {"name": "ann", "groups": ["staff", "chat-admins"]},
    "s-2": {"name": "bob", "groups": ["staff"]},
    "s-3": {"name": "eve", "groups": []},
    "s-4": {"name": "root", "groups": ["staff"]},
}
ROLES = 'roles = { chat-admins = "admin", staff = "member" }\n'

pytestmark = pytest.mark.skipif(shutil.which("node") is None, reason="the provider runs in Node")


class RealProvider:
    def __init__(self, process: asyncio.subprocess.Process, issuer: str) -> None:
        self.process = process
        self.issuer = issuer

    async def knows(self, **people: Any) -> None:
        """From now on the provider tells this of people."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps({**PEOPLE, **people}).encode())
        # It has warnings to tell as well.
        while await self.process.stdout.readline() != b"known\n":
            pass


@asynccontextmanager
async def provider(**options: Any) -> AsyncGenerator[RealProvider]:
    given = json.dumps({"redirect": BACK, "groups": PEOPLE, **options})
    process = await asyncio.create_subprocess_exec(
        "node",
        str(HERE / "provider.mjs"),
        given,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with asyncio.timeout(60):
            issuer = (await process.stdout.readline()).decode().strip()
        yield RealProvider(process, issuer)
    finally:
        process.stdin.close()
        async with asyncio.timeout(10):
            await process.wait()


@asynccontextmanager
async def company(folder: Path, more: str = ROLES, **options: Any) -> AsyncGenerator[tuple[Team, RealProvider]]:
    async with provider(**options) as real:
        oidc = f'[server.oidc.company]\ntitle = "The company"\nissuer = "{real.issuer}"\nclient_id = "toolpost"\n{more}'
        config = f'{CHAT_AGENT}[server]\nurl = "{PUBLIC}"\n{oidc}'
        async with team(folder, config=config) as made:
            yield made, real


async def sent_back(browser: Browser, person: str) -> str:
    """Go to the provider and log in there; return where it sends the browser back to."""
    answer = await browser.http.get("/api/auth/oidc/company")
    assert answer.status_code == 303, answer.text
    async with asyncio.timeout(30):
        while not (url := answer.headers["location"]).startswith(PUBLIC):
            assert "error" not in url, url
            answer = await browser.http.get(url, headers={"x-person": person})
            assert answer.status_code in (302, 303), answer.text
    return url.removeprefix(PUBLIC)


async def come_in(browser: Browser, person: str) -> str:
    """Log in; return where the browser ends."""
    answer = await browser.http.get(await sent_back(browser, person))
    assert answer.status_code == 303
    await browser.look()
    return answer.headers["location"]


async def test_people_of_a_company_come_in_with_the_roles_of_their_groups(folder: Path) -> None:
    async with company(folder) as (made, real):
        ann, bob, eve = await made.browser(), await made.browser(), await made.browser()
        assert (await ann.look())["providers"] == [{"id": "company", "name": "The company"}]
        assert await come_in(ann, "s-1") == f"{PUBLIC}/"
        state = await ann.look()
        assert (state["user"]["user"], state["user"]["role"], state["user"]["has_password"]) == ("ann", "admin", False)
        await come_in(bob, "s-2")
        assert (await bob.get("/api/me"))["role"] == "member"
        await bob.done("hi")
        assert await come_in(eve, "s-3") == f"{PUBLIC}/#login-error=oidc_no_role"
        await eve.get("/api/me", status=401)
        await real.knows(**{"s-2": {"name": "robert", "groups": ["chat-admins"]}})
        await come_in(bob, "s-2")
        state = await bob.look()
        assert (state["user"]["user"], state["user"]["role"]) == ("bob", "admin")


@pytest.mark.parametrize("claims_in", ["userinfo", "id_token"])
async def test_a_client_with_a_secret_reads_groups_wherever_they_are_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, claims_in: str
) -> None:
    monkeypatch.setenv("COMPANY_SECRET", "a secret/with: odd signs")
    more = f'client_secret_env = "COMPANY_SECRET"\n{ROLES}'
    async with company(folder, more, claimsIn=claims_in, secret="a secret/with: odd signs") as (made, _):
        bob = await made.browser()
        await come_in(bob, "s-2")
        assert (await bob.get("/api/me"))["role"] == "member"


async def test_a_name_at_the_provider_makes_nobody_somebody_here(folder: Path) -> None:
    async with company(folder) as (made, _):
        pretender = await made.browser()
        await come_in(pretender, "s-4")
        state = await pretender.look()
        assert (state["user"]["user"], state["user"]["role"]) == ("root-2", "member")


async def test_an_answer_that_this_browser_has_not_asked_for_is_refused(folder: Path) -> None:
    async with company(folder) as (made, _):
        eve, victim = await made.browser(), await made.browser()
        answer = await sent_back(eve, "s-2")
        refused = await victim.http.get(answer)
        assert refused.headers["location"] == f"{PUBLIC}/#login-error=oidc_state"
        await victim.http.get("/api/auth/oidc/company")
        refused = await victim.http.get(answer)
        assert refused.headers["location"] == f"{PUBLIC}/#login-error=oidc_state"
        assert not victim.cookie
        # And a code works once.
        await eve.http.get(answer)
        assert (await eve.look())["user"]["user"] == "bob"
        assert "login-error" in (await eve.http.get(answer)).headers["location"]


async def test_a_cookie_that_another_page_has_added_ends_the_login_and_one_answer_ends_the_cookie(folder: Path) -> None:
    async with company(folder) as (made, _):
        eve, victim = await made.browser(), await made.browser()
        back = await sent_back(eve, "s-2")
        planted = eve.http.cookies["toolpost_oidc"]
        both = {"cookie": f"toolpost_oidc={planted}; toolpost_oidc=own"}
        refused = await victim.http.get(back, headers=both)
        assert refused.headers["location"] == f"{PUBLIC}/#login-error=oidc_state"
        answer = await eve.http.get(back)
        told = answer.headers.get_list("set-cookie")
        assert any(one.startswith("toolpost_oidc=; Path=/api/auth/oidc; Max-Age=0") for one in told)
        assert any(one.startswith("toolpost_session=") for one in told)
        assert "toolpost_oidc" not in eve.http.cookies


async def test_whoever_the_provider_refuses_ends_at_the_page(folder: Path) -> None:
    async with company(folder) as (made, _):
        browser = await made.browser()
        answer = await sent_back(browser, "")
        assert parse_qs(urlsplit(answer).query)["error"] == ["access_denied"]
        refused = await browser.http.get(answer)
        assert refused.headers["location"] == f"{PUBLIC}/#login-error=oidc_refused"


async def test_somebody_disabled_here_stays_out_and_has_no_password_to_reset(folder: Path) -> None:
    async with company(folder) as (made, _):
        bob = await made.browser()
        await come_in(bob, "s-2")
        await made.root.refused("POST", "/api/admin/users/bob/reset", "no_password", 409)
        await bob.refused("POST", "/api/auth/password", "no_password", 409, old="x", new=PASSWORD)
        await made.root.patch("/api/admin/users/bob", disabled=True)
        await bob.get("/api/me", status=401)
        assert await come_in(bob, "s-2") == f"{PUBLIC}/#login-error=account_disabled"


async def test_a_provider_that_is_away_or_another_is_told(folder: Path) -> None:
    config = (
        f'[server]\nurl = "{PUBLIC}"\n[server.oidc.company]\nissuer = "http://127.0.0.1:9"\nclient_id = "toolpost"\n'
    )
    async with team(folder, config=config) as made:
        answer = await (await made.browser()).http.get("/api/auth/oidc/company")
        assert answer.headers["location"] == f"{PUBLIC}/#login-error=oidc_unreachable"
        await (await made.browser()).refused("GET", "/api/auth/oidc/other", "provider_unknown", 404)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (OidcSettings(client_id="x"), "needs issuer and client_id"),
        (OidcSettings("http://login.example", "x"), "must be an https:// address"),
        (OidcSettings("https://login.example", "x", "UNSET"), "takes its secret from UNSET, which is not set"),
        (OidcSettings("https://login.example", "x", scopes=("profile",)), 'scopes needs "openid"'),
        (OidcSettings("https://login.example", "x", roles={"a": "boss"}), "there is no role 'boss'"),
    ],
)
def test_what_is_wrong_with_a_provider_is_said(settings: OidcSettings, why: str) -> None:
    config = GatewaySettings(accounts=True, url="https://chat.example", oidc={"company": settings})
    accounts = Accounts(MemoryStore, config, Directory(load_roles(config), {}))
    with pytest.raises(ConfigError, match=why):
        OidcLogins(config, {}, accounts)
