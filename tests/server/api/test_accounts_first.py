"""The way of a team: the first start makes an admin, an invitation brings a colleague, who logs in and asks."""

from pathlib import Path

import pytest
from account_play import CHAT_AGENT, OTHER_PASSWORD, PASSWORD, served, team

from toolpost.store.contract import Store
from toolpost.store.sqlite.store import SqliteStore


async def test_the_first_start_makes_an_admin_and_its_link_works_once(folder: Path) -> None:
    async with served(folder) as (made, link):
        assert link.is_needed
        browser = await made.browser()
        state = await browser.look()
        assert (state["accounts"], state["needs_setup"], state["user"], state["csrf"]) == (True, True, None, None)
        wrong = {"token": "wrong", "name": "eve", "password": PASSWORD}
        await browser.refused("POST", "/api/auth/setup", "link_invalid", 403, **wrong)
        state = await browser.enter("setup", token=link.secret, name="anna", password=PASSWORD)
        assert (state["needs_setup"], state["user"]["user"], state["user"]["role"]) == (False, "anna", "admin")
        again = {"token": link.secret, "name": "eve", "password": PASSWORD}
        await browser.refused("POST", "/api/auth/setup", "link_invalid", 403, **again)
        assert (await browser.get("/api/me"))["is_admin"]


async def test_an_invited_colleague_signs_up_asks_and_logs_out(folder: Path) -> None:
    async with team(folder, config=CHAT_AGENT) as made:
        invitation = await made.root.post("/api/admin/invitations", status=201, role="member", expires_days=2)
        assert invitation["url"] == f"{made.play.url}/#invite={invitation['token']}"
        ann = await made.browser()
        shown = await ann.get(f"/api/auth/invitations/{invitation['token']}")
        assert (shown["role"], shown["invited_by"]) == ("member", "root")
        state = await ann.enter("sign-up", name="Ann", password=PASSWORD, invitation=invitation["token"])
        assert (state["user"]["user"], state["user"]["agent"], state["user"]["has_password"]) == ("Ann", "chat", True)
        session = await ann.done("hi")
        assert (await ann.get(f"/api/sessions/{session}"))["id"] == session
        await made.root.get(f"/api/sessions/{session}", status=404)
        bob = {"name": "bob", "password": PASSWORD, "invitation": invitation["token"]}
        await (await made.browser()).refused("POST", "/api/auth/sign-up", "link_invalid", 403, **bob)
        cookie = ann.cookie
        await ann.post("/api/auth/logout", status=204)
        assert not ann.cookie
        ann.http.headers["cookie"] = f"toolpost_session={cookie}"
        await ann.get("/api/me", status=401)


async def test_accounts_and_logins_outlive_the_server(folder: Path, tmp_path: Path) -> None:
    def store() -> Store:
        return SqliteStore(tmp_path / "accounts.db")

    async with team(folder, store=store()) as made:
        cookie = made.root.cookie
    async with served(folder, store=store()) as (made, link):
        assert not link.is_needed
        known = await made.browser(cookie=f"toolpost_session={cookie}")
        assert (await known.look())["user"]["user"] == "root"
    data = _written(tmp_path)
    assert cookie.encode() not in data
    assert PASSWORD.encode() not in data


def _written(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in folder.glob("accounts.db*"))


async def test_a_new_password_ends_all_other_logins(folder: Path) -> None:
    async with team(folder) as made:
        ann, elsewhere = await made.invited("ann"), await made.browser()
        await elsewhere.log_in("ann")
        before = ann.cookie
        wrong = {"old": OTHER_PASSWORD, "new": OTHER_PASSWORD}
        await ann.refused("POST", "/api/auth/password", "wrong_password", 403, **wrong)
        await ann.enter("password", old=PASSWORD, new=OTHER_PASSWORD)
        assert ann.cookie != before
        await ann.get("/api/me")
        await elsewhere.get("/api/me", status=401)
        wrong = {"name": "ann", "password": PASSWORD}
        await elsewhere.refused("POST", "/api/auth/login", "wrong_login", 401, **wrong)
        await elsewhere.log_in("ANN", OTHER_PASSWORD)


async def test_an_admin_resets_a_password_by_a_link_that_works_once(folder: Path) -> None:
    async with team(folder) as made:
        ann, phone = await made.invited("ann"), await made.browser()
        older = await made.root.post("/api/admin/users/ann/reset")
        link = await made.root.post("/api/admin/users/ann/reset")
        assert link["url"].endswith(f"/#reset={link['token']}")
        used = {"token": older["token"], "password": OTHER_PASSWORD}
        await phone.refused("POST", "/api/auth/reset", "link_invalid", 403, **used)
        too_short = {"token": link["token"], "password": "short"}
        await phone.refused("POST", "/api/auth/reset", "password_too_short", 400, **too_short)
        state = await phone.enter("reset", token=link["token"], password=OTHER_PASSWORD)
        assert state["user"]["user"] == "ann"
        await ann.get("/api/me", status=401)
        again = {"token": link["token"], "password": PASSWORD}
        await phone.refused("POST", "/api/auth/reset", "link_invalid", 403, **again)


async def test_who_is_disabled_is_out_at_once_and_comes_back_when_enabled(folder: Path) -> None:
    async with team(folder) as made:
        ann = await made.invited("ann")
        token = (await made.root.post("/api/admin/tokens", status=201, user="ann", name="laptop"))["token"]
        program = await made.browser(authorization=f"Bearer {token}")
        assert (await program.get("/api/me"))["user"] == "ann"
        await made.root.patch("/api/admin/users/ann", disabled=True)
        await ann.get("/api/me", status=401)
        await program.get("/api/me", status=401)
        inside = {"name": "ann", "password": PASSWORD}
        await ann.refused("POST", "/api/auth/login", "wrong_login", 401, **inside)
        await made.root.patch("/api/admin/users/ann", disabled=False)
        await ann.get("/api/me", status=401)
        await ann.log_in("ann")
        await program.get("/api/me")
        tokens = (await made.root.get("/api/admin/tokens"))["tokens"]
        assert [(one["user"], one["name"]) for one in tokens] == [("ann", "laptop")]
        await made.root.delete(f"/api/admin/tokens/{tokens[0]['id']}")
        await program.get("/api/me", status=401)


async def test_sign_up_is_open_where_the_settings_say_so(folder: Path) -> None:
    async with team(folder) as made:
        ann = {"name": "ann", "password": PASSWORD}
        await (await made.browser()).refused("POST", "/api/auth/sign-up", "sign_up_off", 403, **ann)
    config = '[server.logins]\nsign_up = true\nsign_up_role = "guest"\n'
    async with team(folder, config=CHAT_AGENT + config) as made:
        browser = await made.browser()
        assert (await browser.look())["sign_up"]
        state = await browser.enter("sign-up", name="ann", password=PASSWORD)
        assert (state["user"]["role"], state["user"]["agents"]) == ("guest", ["chat"])


@pytest.mark.parametrize("path", ["setup", "login", "sign-up", "reset"])
async def test_without_accounts_there_is_nothing_of_it(folder: Path, path: str) -> None:
    async with served(folder, accounts=False) as (made, link):
        assert not link.is_needed
        browser = await made.browser()
        state = await browser.look()
        assert (state["accounts"], state["needs_setup"], state["sign_up"]) == (False, False, False)
        body = {"password": PASSWORD} | ({"token": "x"} if path == "reset" else {"name": "ann"})
        body |= {"token": "x"} if path == "setup" else {}
        await browser.refused("POST", f"/api/auth/{path}", "accounts_off", 409, **body)
        await browser.refused("GET", "/api/me", "token_missing", 401)
