"""What somebody tries who wants to be somebody else, or more: guesses, other pages, old cookies, names of others."""

import asyncio
import statistics
import time
from collections.abc import Awaitable
from pathlib import Path

import httpx
import pytest
from account_play import CHAT_AGENT, OTHER_PASSWORD, PASSWORD, served, team

from toolpost.config.schema import GatewaySettings, LoginSettings
from toolpost.server.accounts import throttle
from toolpost.server.accounts.accounts import HOUR, Accounts, Directory
from toolpost.server.accounts.roles import load_roles
from toolpost.server.accounts.throttle import Throttle
from toolpost.server.refusals import Refusal
from toolpost.server.settings import ServerSettings
from toolpost.store.contract import Store
from toolpost.store.memory import MemoryStore


async def test_errors_do_not_tell_whether_a_name_exists(folder: Path) -> None:
    async with team(folder) as made:
        await made.invited("ann")
        gone = await made.invited("gone")
        await made.root.patch("/api/admin/users/gone", disabled=True)
        await gone.look()
        told: list[tuple[int, str]] = []
        took: dict[str, list[float]] = {"ann": [], "nobody": []}
        for name in ("ann", "nobody", "gone", "root", "", "x" * 200, "ann\u0000"):
            password = PASSWORD if name == "gone" else OTHER_PASSWORD
            answer = await (await made.browser()).http.post(
                "/api/auth/login", json={"name": name, "password": password}
            )
            told.append((answer.status_code, answer.json()["error"]["message"]))
        assert set(told) == {(401, "the name or the password is wrong")}
        for _ in range(3):
            for name, times in took.items():
                began = time.perf_counter()
                await (await made.browser()).http.post(
                    "/api/auth/login", json={"name": name, "password": OTHER_PASSWORD}
                )
                times.append(time.perf_counter() - began)
        # Without a hash to compare with, the answer would come many times sooner.
        assert statistics.median(took["nobody"]) > statistics.median(took["ann"]) / 4


async def test_guesses_have_to_wait_longer_and_longer_whether_the_name_exists_or_not(folder: Path) -> None:
    async with team(folder) as made:
        await made.invited("ann")
        for name in ("ann", "nobody"):
            browser = await made.browser()
            bodies = [{"name": name, "password": f"{OTHER_PASSWORD} {number}"} for number in range(12)]
            answers = await asyncio.gather(*(browser.http.post("/api/auth/login", json=body) for body in bodies))
            assert sorted(answer.status_code for answer in answers) == [401] * 5 + [429] * 7
            refused = [answer for answer in answers if answer.status_code == 429]
            assert {answer.json()["error"]["code"] for answer in refused} == {"too_many_attempts"}
            assert all(int(answer.headers["retry-after"]) >= 1 for answer in refused)


@pytest.fixture
def store() -> Store:
    return MemoryStore()


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


async def wait_of(attempt: Awaitable[None]) -> float:
    """How long a refused attempt has to wait; 0 for one that was not refused."""
    try:
        await attempt
    except Refusal as refusal:
        return refusal.retry_after or 0.0
    return 0.0


async def test_waits_double_and_are_forgotten(store: Store) -> None:
    clock = Clock()
    limiter = Throttle(lambda: store, clock)
    waits: list[float] = []
    for _ in range(20):
        waits.append(await wait_of(limiter.begin("ann", "192.0.2.1")))
        clock.now += waits[-1]
    assert waits[:5] == [0.0] * 5
    assert [wait for wait in waits if wait] == [2.0**number for number in range(sum(map(bool, waits)))]
    clock.now += throttle.FORGET_SECONDS
    await limiter.begin("ann", "192.0.2.1")
    clock.now += throttle.FORGET_SECONDS
    await limiter.forget_old()
    assert not await store.records(throttle.KIND)


async def test_one_address_that_tries_many_names_is_slowed_down_and_its_own_account_is_no_way_around(
    store: Store,
) -> None:
    limiter = Throttle(lambda: store, Clock())
    waits: list[float] = []
    for number in range(40):
        waits.append(await wait_of(limiter.begin(f"name-{number}", "192.0.2.1")))
        if not await wait_of(limiter.begin("own", "192.0.2.1")):
            await limiter.succeeded("own", "192.0.2.1")
    assert not any(waits[:29])
    assert all(waits[31:])
    await limiter.begin("own", "198.51.100.7")


async def test_many_addresses_that_try_one_name_are_slowed_down_and_do_not_lock_it_for_long(store: Store) -> None:
    limiter = Throttle(lambda: store, Clock())
    waits = [await wait_of(limiter.begin("ann", f"198.51.100.{number}")) for number in range(40)]
    assert not any(waits[:19])
    assert all(0 < wait <= 60.0 for wait in waits[21:])


async def test_a_login_ends_the_one_before_and_never_goes_on_with_a_cookie_that_was_given(folder: Path) -> None:
    async with team(folder) as made:
        ann = await made.invited("ann")
        planted = "a-cookie-that-eve-knows"
        victim = await made.browser(cookie=f"toolpost_session={planted}")
        answer = await victim.http.post("/api/auth/login", json={"name": "ann", "password": PASSWORD})
        assert planted not in answer.headers["set-cookie"]
        before = ann.cookie
        await ann.log_in("ann")
        assert ann.cookie != before
        old = await made.browser(cookie=f"toolpost_session={before}")
        await old.get("/api/me", status=401)
        both = await made.browser(cookie=f"toolpost_session={before}; toolpost_session={ann.cookie}")
        await both.get("/api/me", status=401)


async def test_the_cookie_is_for_the_server_alone_and_over_tls_where_there_is_any(folder: Path) -> None:
    body = {"name": "root", "password": PASSWORD}
    async with team(folder) as made:
        plain = (await (await made.browser()).http.post("/api/auth/login", json=body)).headers["set-cookie"]
        assert "HttpOnly" in plain
        assert "SameSite=Lax" in plain
        assert "Path=/" in plain
        assert "Domain" not in plain
        assert "Secure" not in plain
    config = '[server]\nurl = "https://chat.example"\n'
    async with team(folder, config=config) as made:
        secure = await (await made.browser()).http.post("/api/auth/login", json=body)
        assert secure.headers["set-cookie"].endswith("; Secure")
        assert secure.headers["cache-control"] == "no-store"


async def test_links_lead_where_the_settings_say_whatever_the_host_header_says(folder: Path) -> None:
    config = '[server]\nurl = "https://chat.example/"\n'
    settings = ServerSettings(host="0.0.0.0")
    async with served(folder, config=config, settings=settings) as (made, link):
        root = await made.browser()
        await root.enter("setup", token=link.secret, name="root", password=PASSWORD)
        # A browser would send the cookie over TLS only, to the proxy in front.
        secret = next(iter(root.http.cookies.jar)).value
        root.http.headers.update({"cookie": f"toolpost_session={secret}", "host": "evil.example"})
        invitation = await root.post("/api/admin/invitations", status=201, role="member")
        assert invitation["url"].startswith("https://chat.example/#invite=")


async def test_the_name_in_the_settings_is_one_of_the_servers_and_others_are_not(folder: Path) -> None:
    async with team(folder, config='[server]\nurl = "https://Chat.example"\n') as made:
        browser = await made.browser()
        for host, status in (("chat.example", 200), ("localhost", 200), ("evil.example", 403)):
            assert (await browser.http.get("/api/auth", headers={"host": host})).status_code == status


async def test_another_page_can_neither_log_somebody_in_nor_read_anything(folder: Path) -> None:
    async with team(folder) as made:
        browser = await made.browser()
        body = {"name": "root", "password": PASSWORD}
        evil = {"origin": "https://evil.example"}
        assert (await browser.http.post("/api/auth/login", json=body, headers=evil)).status_code == 403
        cross = {"sec-fetch-site": "cross-site"}
        assert (await browser.http.post("/api/auth/login", json=body, headers=cross)).status_code == 403
        form = await browser.http.post(
            "/api/auth/login", content=b'{"name":"root"}', headers={"content-type": "text/plain"}
        )
        assert (form.status_code, form.json()["error"]["code"]) == (400, "not_json")
        state = await made.root.http.get("/api/auth", headers=evil)
        assert state.status_code == 403


async def test_a_cookie_opens_no_websocket(folder: Path) -> None:
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus

    async with team(folder) as made:
        url = made.play.url.replace("http", "ws") + "/v1/responses"
        with pytest.raises(InvalidStatus) as refused:
            async with connect(url, additional_headers={"cookie": f"toolpost_session={made.root.cookie}"}):
                pass
        assert refused.value.response.status_code == 401
        token = (await made.root.post("/api/admin/tokens", status=201, user="root", name="socket"))["token"]
        async with connect(url, additional_headers={"authorization": f"Bearer {token}"}):
            pass


async def test_nobody_makes_themselves_more_and_one_admin_stays(folder: Path) -> None:
    config = CHAT_AGENT + '[server.roles.manager]\nrights = ["use", "administer"]\n'
    async with team(folder, config=config) as made:
        ann, manager = await made.invited("ann"), await made.invited("mia", "manager")
        await ann.refused("PATCH", "/api/admin/users/ann", "needs_administer", 403, role="admin")
        own = {"role": "member"}
        await made.root.refused("PATCH", "/api/admin/users/ROOT", "own_account", 409, **own)
        await made.root.refused("DELETE", "/api/admin/users/root", "own_account", 409)
        more = ("more_rights_than_yours", 403)
        await manager.refused("PATCH", "/api/admin/users/ann", *more, role="admin")
        await manager.refused("PATCH", "/api/admin/users/root", *more, disabled=True)
        await manager.refused("POST", "/api/admin/users/root/reset", *more)
        await manager.refused("DELETE", "/api/admin/users/root", *more)
        await manager.refused("POST", "/api/admin/invitations", *more, role="admin")
        await manager.refused("POST", "/api/admin/tokens", *more, user="root", name="mine")
        await manager.refused("POST", "/api/admin/users", *more, name="puppet", role="admin", password=PASSWORD)
        await manager.patch("/api/admin/users/ann", role="guest")
        await made.root.patch("/api/admin/users/mia", role="admin")
        await manager.patch("/api/admin/users/root", role="member")
        await made.root.refused("GET", "/api/admin/users", "needs_administer", 403)


async def test_two_admins_who_demote_each_other_at_once_leave_one(folder: Path) -> None:
    async with team(folder) as made:
        other = await made.invited("other", "admin")
        answers = await asyncio.gather(
            made.root.http.patch("/api/admin/users/other", json={"role": "member"}),
            other.http.patch("/api/admin/users/root", json={"disabled": True}),
        )
        assert sorted(answer.status_code for answer in answers)[0] == 200
        users = (await (made.root if answers[0].status_code == 200 else other).get("/api/admin/users"))["users"]
        assert [one["name"] for one in users if one["role"] == "admin" and not one["disabled"]]


async def test_what_an_admin_has_invited_does_not_outlive_the_admin(folder: Path) -> None:
    async with team(folder) as made:
        other = await made.invited("other", "admin")
        invitations = [await other.post("/api/admin/invitations", status=201, role="admin") for _ in range(2)]
        await made.root.patch("/api/admin/users/other", role="member")
        for invitation in invitations:
            body = {"name": "eve", "password": PASSWORD, "invitation": invitation["token"]}
            await (await made.browser()).refused("POST", "/api/auth/sign-up", "link_invalid", 403, **body)


async def test_a_name_that_somebody_has_or_had_is_given_to_nobody_else(folder: Path) -> None:
    config = f'{CHAT_AGENT}[server.logins]\nsign_up = true\n[server.users.Service]\ntoken_sha256 = "{"a" * 64}"\n'
    async with team(folder, config=config) as made:
        ann = await made.invited("ann")
        session = await ann.done("a secret of ann's")
        await made.root.delete("/api/admin/users/ann")
        await ann.get("/api/me", status=401)
        for name in ("ann", "ANN", "\uff41nn", "root", "service", "metrics", "Metrics"):
            body = {"name": name, "password": PASSWORD}
            await (await made.browser()).refused("POST", "/api/auth/sign-up", "name_taken", 409, **body)
        for name in ("", "  ", "a b", "a/b", "../x", ".", "x" * 65, "\u202eann"):
            body = {"name": name, "password": PASSWORD}
            await (await made.browser()).refused("POST", "/api/auth/sign-up", "name_invalid", 400, **body)
        await (await made.browser()).enter("sign-up", name="小明", password=PASSWORD)
        made_again = await made.root.post("/api/admin/users", status=201, name="ann", role="member")
        again = await made.browser()
        await again.enter("reset", token=made_again["token"], password=PASSWORD)
        assert (await again.get(f"/api/sessions/{session}"))["id"] == session


@pytest.mark.parametrize(
    ("password", "code"),
    [
        ("short", "password_too_short"),
        ("x" * 1025, "password_too_long"),
        ("1234567890", "password_too_easy"),
        ("aaaaaaaaaaaa", "password_too_easy"),
        ("annannannann", "password_too_easy"),
        ("Ann-of-the-Lake", "password_too_easy"),
    ],
)
async def test_a_password_that_is_guessed_first_is_not_taken(folder: Path, password: str, code: str) -> None:
    async with team(folder) as made:
        invitation = await made.root.post("/api/admin/invitations", status=201, role="member")
        body = {"name": "ann-of-the-lake", "password": password, "invitation": invitation["token"]}
        browser = await made.browser()
        await browser.refused("POST", "/api/auth/sign-up", code, 400, **body)
        await browser.enter("sign-up", name="ann", password=PASSWORD, invitation=invitation["token"])


async def test_logins_end_when_they_are_not_used_and_in_any_case_at_their_end() -> None:
    store, clock = MemoryStore(), Clock()
    settings = GatewaySettings(accounts=True, logins=LoginSettings(idle_hours=2.0, hours=5.0))
    accounts = Accounts(lambda: store, settings, Directory(load_roles(settings), {}), clock=clock)
    ann = await accounts.make("ann", "member", "", "root")
    unused, used = await accounts.begin_login(ann), await accounts.begin_login(ann)
    for _ in range(3):
        clock.now += 1.5 * HOUR
        assert await accounts.of_login(used.secret) is not None
    assert await accounts.of_login(unused.secret) is None
    clock.now += 0.6 * HOUR
    assert await accounts.of_login(used.secret) is None


async def test_of_many_who_use_one_invitation_one_gets_in(folder: Path) -> None:
    async with team(folder) as made:
        token = (await made.root.post("/api/admin/invitations", status=201, role="admin"))["token"]
        bodies = [{"name": f"p-{number}", "password": PASSWORD, "invitation": token} for number in range(4)]
        async with httpx.AsyncClient(base_url=made.play.url, timeout=60) as http:
            answers = await asyncio.gather(*(http.post("/api/auth/sign-up", json=body) for body in bodies))
        assert sorted(answer.status_code for answer in answers) == [200, 403, 403, 403]
        assert len((await made.root.get("/api/admin/users"))["users"]) == 2
