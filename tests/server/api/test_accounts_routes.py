"""Who may call which route: the whole table of the server, walked by an admin, a member, a guest and nobody."""

import json
import re
from pathlib import Path
from typing import Any

from account_play import CHAT_AGENT, Browser, Team, team

from toolpost.server.accounts.roles import load_roles
from toolpost.server.routing import Route

# It ends the login that the others need.
LAST = "/api/auth/logout"


def routes_of(made: Team) -> list[Route]:
    assert made.play.app is not None
    found = list(made.play.app.routes)
    assert len(found) > 90
    return sorted(found, key=lambda route: route.path == LAST)


async def outcome(browser: Browser, route: Route) -> tuple[int, str]:
    """The status, and the code of an error. Of a stream only the beginning is read."""
    url = re.sub(r"\{[^}]+\}", "no-such-thing", route.path)
    body: Any = None if route.method in ("GET", "HEAD") else {}
    async with browser.http.stream(route.method, url, json=body) as answer:
        if answer.status_code < 400:
            return answer.status_code, ""
        body = await answer.aread()
        # The gateway's errors are those of its wires, which have no such codes.
        return answer.status_code, json.loads(body)["error"]["code"] if route.shape == "api" else ""


def expected(route: Route, rights: frozenset[str] | None) -> str:
    """Why somebody with these rights is kept out by what the route declares; "" where nothing of it does."""
    if route.is_open or (rights is not None and route.needs in rights):
        return ""
    return "login_needed" if rights is None else f"needs_{route.needs}"


async def test_every_route_lets_in_whom_it_declares_and_nobody_else(folder: Path) -> None:
    async with team(folder, config=CHAT_AGENT) as made:
        roles = load_roles(made.play.workspace.config.server)
        member, guest = await made.invited("ann"), await made.invited("gus", "guest")
        callers = {"admin": made.root, "member": member, "guest": guest, "": await made.browser()}
        walked = 0
        for name, browser in callers.items():
            rights = roles[name].rights if name else None
            for route in routes_of(made):
                status, code = await outcome(browser, route)
                if why := expected(route, rights):
                    refused = 401 if rights is None else 403, why if route.shape == "api" else ""
                    assert (status, code) == refused, (name, route.method, route.path)
                elif status == 401:
                    # Only a login itself may say that somebody is not known.
                    assert code == "wrong_login", (name, route.method, route.path)
                else:
                    assert not code.startswith("needs_"), (name, route.method, route.path)
                walked += 1
        assert walked > 360
        assert await made.play.workspace.store.records("account")


async def test_only_what_lets_people_in_and_the_page_is_open(folder: Path) -> None:
    async with team(folder) as made:
        opened = {(route.method, route.path) for route in routes_of(made) if route.is_open}
        assert {path for _, path in opened if path.startswith("/api/")} == {
            "/api/auth",
            "/api/auth/setup",
            "/api/auth/login",
            "/api/auth/sign-up",
            "/api/auth/invitations/{token}",
            "/api/auth/reset",
            "/api/auth/oidc/{id}",
            "/api/auth/oidc/{id}/callback",
        }
        admin = [route for route in routes_of(made) if route.path.startswith("/api/admin/")]
        assert len(admin) == 15
        assert {route.needs for route in admin} == {"administer"}


async def test_changes_by_cookie_need_the_value_that_only_our_page_can_read(folder: Path) -> None:
    async with team(folder, config=CHAT_AGENT) as made:
        ann, bob = await made.invited("ann"), await made.invited("bob")
        for csrf in ("", "wrong", bob.csrf):
            ann.http.headers["x-toolpost-csrf"] = csrf
            for route in routes_of(made):
                if route.is_open or route.method == "GET":
                    continue
                refused = 403, "csrf" if route.shape == "api" else ""
                assert await outcome(ann, route) == refused, (route.method, route.path)
        await ann.get("/api/me")
        assert (await made.root.get("/api/admin/users"))["users"][0]["name"] == "ann"
