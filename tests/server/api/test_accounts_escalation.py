"""What people try to keep, or get, that their role does not give: links made before, commands, names of others."""

import hashlib
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest
from account_play import CHAT_AGENT, OTHER_PASSWORD, PASSWORD, Browser, Team, served, team

from toolpost.config.schema import GatewaySettings, LoginSettings, UserSettings
from toolpost.server.accounts.accounts import Accounts, Directory
from toolpost.server.accounts.oidc_routes import COOKIE
from toolpost.server.accounts.reload import ConfigReload
from toolpost.server.accounts.roles import Role, load_roles
from toolpost.server.refusals import Refusal
from toolpost.server.settings import ServerSettings
from toolpost.server.users import User, load_users
from toolpost.store.memory import MemoryStore
from toolpost.workspace import Workspace

HELPDESK = '[server.roles.helpdesk]\nrights = ["use", "administer"]\n'
TOKEN = "a-token-for-the-boss-alone"
BOSS = f'[server.users.boss]\nrole = "admin"\ntoken_sha256 = "{hashlib.sha256(TOKEN.encode()).hexdigest()}"\n'


async def made_by(admin: Browser, victim: str) -> tuple[str, str, str]:
    """The secrets of an API token, a reset link and an invitation."""
    token = await admin.post("/api/admin/tokens", status=201, user=victim, name="ci")
    reset = await admin.post(f"/api/admin/users/{victim}/reset")
    invitation = await admin.post("/api/admin/invitations", status=201, role="member")
    return token["token"], reset["token"], invitation["token"]


async def check_dead(made: Team, token: str, reset: str, invitation: str) -> None:
    program = await made.browser(authorization=f"Bearer {token}")
    await program.get("/api/me", status=401)
    nobody = await made.browser()
    await nobody.refused("POST", "/api/auth/reset", "link_invalid", 403, token=reset, password=OTHER_PASSWORD)
    await nobody.refused("GET", f"/api/auth/invitations/{invitation}", "link_invalid", 403)


@pytest.mark.parametrize("how", ["demote", "disable", "delete"])
async def test_what_an_admin_made_for_others_ends_with_the_right_to(folder: Path, how: str) -> None:
    async with team(folder) as made:
        eve = await made.invited("eve", "admin")
        await made.invited("victim", "admin")
        secrets = await made_by(eve, "victim")
        if how == "delete":
            await made.root.delete("/api/admin/users/eve")
        else:
            change: dict[str, Any] = {"role": "guest"} if how == "demote" else {"disabled": True}
            await made.root.patch("/api/admin/users/eve", **change)
        await check_dead(made, *secrets)
        if how == "disable":
            await made.root.patch("/api/admin/users/eve", disabled=False)
            await check_dead(made, *secrets)


async def test_a_token_made_for_somebody_who_became_more_than_its_maker_is_over(folder: Path) -> None:
    async with team(folder, config=CHAT_AGENT + HELPDESK) as made:
        helper = await made.invited("helper", "helpdesk")
        await made.invited("ann", "guest")
        secrets = await made_by(helper, "ann")
        program = await made.browser(authorization=f"Bearer {secrets[0]}")
        await program.get("/api/me")
        await made.root.patch("/api/admin/users/ann", role="admin")
        await program.get("/api/me", status=401)
        body = {"token": secrets[1], "password": OTHER_PASSWORD}
        await (await made.browser()).refused("POST", "/api/auth/reset", "link_invalid", 403, **body)


async def test_a_role_that_lost_the_right_by_the_configuration_has_no_links_left() -> None:
    store, settings = MemoryStore(), GatewaySettings(accounts=True, users={"boss": UserSettings(role="admin")})
    directory = Directory(load_roles(settings), settings.users)
    accounts = Accounts(lambda: store, settings, directory)
    ann = await accounts.make("ann", "member", "", "boss")
    reset = await accounts.new_reset_link(ann.key, "boss")
    directory.replace(load_roles(settings), {})
    with pytest.raises(Refusal, match="not valid"):
        await accounts.reset(reset, PASSWORD)
    directory.replace(load_roles(settings), settings.users)
    await accounts.reset(reset, PASSWORD)


async def test_a_reset_ends_the_api_tokens_that_others_made(folder: Path) -> None:
    async with team(folder) as made:
        vic = await made.invited("vic", "admin")
        own = (await vic.post("/api/admin/tokens", status=201, user="vic", name="own"))["token"]
        token, reset, _ = await made_by(made.root, "vic")
        await vic.enter("reset", token=reset, password=OTHER_PASSWORD)
        await (await made.browser(authorization=f"Bearer {token}")).get("/api/me", status=401)
        await (await made.browser(authorization=f"Bearer {own}")).get("/api/me")


async def test_no_command_runs_for_an_admin_without_the_machine(folder: Path) -> None:
    mark = folder / "mark"
    command = {"command": "/bin/sh", "args": ["-c", f"id > {mark}"]}
    async with team(folder, config=CHAT_AGENT + HELPDESK) as made:
        helper = await made.invited("helper", "helpdesk")
        needs = ("needs_machine", 403)
        await helper.refused("POST", "/api/settings/mcp/test", *needs, name="x", **command)
        await helper.refused("POST", "/api/settings/mcp", *needs, name="x", **command)
        await helper.refused("POST", "/api/mcp/call", *needs, server="x", tool="t", configuration=command)
        assert not mark.exists()


async def test_no_account_has_the_name_of_a_user_of_the_configuration(folder: Path) -> None:
    config = CHAT_AGENT + BOSS
    async with served(folder, config=config) as (made, link):
        made.root = await made.browser()
        body = {"token": link.secret, "password": PASSWORD}
        await made.root.refused("POST", "/api/auth/setup", "name_taken", 409, name="Boss", **body)
        await made.root.enter("setup", name="root", **body)
        new = {"name": "BOSS", "role": "guest", "password": PASSWORD}
        await made.root.refused("POST", "/api/admin/users", "name_taken", 409, **new)


async def test_who_runs_something_is_told_apart_from_an_account_of_the_same_name() -> None:
    store, settings = MemoryStore(), GatewaySettings(accounts=True, users={"boss": UserSettings(role="admin")})
    directory = Directory(load_roles(settings), {})
    accounts = Accounts(lambda: store, settings, directory)
    ann = accounts.user(await accounts.make("boss", "guest", "", "root"))
    directory.replace(directory.roles, settings.users)
    boss = User("boss", directory.role("admin"))
    assert not await accounts.is_shut_out(ann)
    assert not await accounts.is_shut_out(boss)
    assert await accounts.is_shut_out(User("boss", Role("guest")))
    await store.take_record("account", "boss")
    assert await accounts.is_shut_out(ann)


def reload_of(folder: Path) -> tuple[ConfigReload, Directory, Accounts, Path]:
    file = folder / ".toolpost" / "config.toml"
    file.parent.mkdir(exist_ok=True)
    file.write_text(CHAT_AGENT + BOSS + HELPDESK)
    workspace = Workspace(folder, trusted=True)
    settings, store = workspace.config.server, MemoryStore()
    directory = Directory(load_roles(settings), settings.users)
    accounts = Accounts(lambda: store, settings, directory)
    users = load_users(settings, workspace.environ, "")
    return ConfigReload(workspace, "", users, directory, accounts), directory, accounts, file


@pytest.mark.parametrize("content", [None, "", "\n \n"])
async def test_a_file_that_is_gone_or_empty_opens_nothing(
    folder: Path, content: str | None, caplog: pytest.LogCaptureFixture
) -> None:
    reload, directory, _, file = reload_of(folder)
    before = file.read_text()
    if content is None:
        file.unlink()
    else:
        file.write_text(content)
    assert [await reload.look() for _ in range(3)] == [False] * 3
    assert "helpdesk" in directory.roles
    assert "gone or empty" in caplog.text
    file.write_text(before.replace("helpdesk", "support"))
    assert [await reload.look() for _ in range(3)] == [False, True, False]
    assert "support" in directory.roles
    assert "these roles no more: helpdesk" in caplog.text


async def test_a_change_counts_once_two_looks_have_seen_it(folder: Path) -> None:
    reload, directory, _, file = reload_of(folder)
    for number in range(3):
        file.write_text(f"{CHAT_AGENT}# {'x' * number}")
        assert not await reload.look()
    assert "boss" in directory.users
    assert await reload.look()
    assert "boss" not in directory.users


async def test_a_file_that_gives_a_user_the_name_of_an_account_is_refused(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    reload, directory, accounts, file = reload_of(folder)
    await accounts.make("Ann", "member", "", "root")
    file.write_text(
        file.read_text() + BOSS.replace("boss", "ann").replace('sha256 = "', 'sha256 = "' + "f" * 64 + '"#')
    )
    assert [await reload.look() for _ in range(3)] == [False] * 3
    assert "ann" not in directory.users
    assert "[server.users.ann] has the name of an account" in caplog.text


@pytest.mark.parametrize(
    "name",
    ["root\u3164", "root\u1160", "root\uffa0", "\u1160", "ro\u115fot", "r\u043e\u043et", "ro\u03bfot", "a\ufe0f"],
)
async def test_a_name_that_looks_like_another_is_not_taken(folder: Path, name: str) -> None:
    settings = GatewaySettings(accounts=True, logins=LoginSettings(sign_up=True))
    store = MemoryStore()
    accounts = Accounts(lambda: store, settings, Directory(load_roles(settings), {}))
    with pytest.raises(Refusal) as refused:
        await accounts.sign_up(name, PASSWORD, "", "192.0.2.1")
    assert refused.value.code == "name_invalid"
    for fine in ("Åsa-小明", "Иван", "Νίκος.2", "한국어"):
        await accounts.sign_up(fine, PASSWORD, "", "192.0.2.1")


async def test_what_is_about_one_person_is_kept_by_no_cache(folder: Path) -> None:
    async with team(folder) as made:
        for path in ("/api/me", "/api/auth", "/api/admin/users", "/api/admin/roles", "/api/auth/invitations/none"):
            assert (await made.root.http.get(path)).headers["cache-control"] == "no-store", path


async def test_the_log_does_not_tell_the_token_of_an_invitation(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with team(folder) as made:
        token = (await made.root.post("/api/admin/invitations", status=201, role="admin"))["token"]
        with caplog.at_level(logging.INFO, "toolpost"):
            await (await made.browser()).get(f"/api/auth/invitations/{token}")
            await (await made.browser()).http.post(f"/api/auth/invitations/{token}")
        told = [one.getMessage() for one in caplog.records if one.name.startswith("toolpost")]
        assert any("/api/auth/invitations/{token}" in one for one in told)
        assert token not in "\n".join(told)


async def test_guesses_of_others_do_not_keep_the_owner_from_changing_the_password(folder: Path) -> None:
    async with team(folder, settings=ServerSettings(trusted_proxies=("127.0.0.1",))) as made:
        ann = await made.invited("ann")
        for network in range(5):
            guesser = await made.browser(**{"x-forwarded-for": f"198.51.{network}.7"})
            for _ in range(5):
                await guesser.http.post("/api/auth/login", json={"name": "ann", "password": OTHER_PASSWORD})
        own = await made.browser(**{"x-forwarded-for": "203.0.113.9"})
        await own.refused("POST", "/api/auth/login", "too_many_attempts", 429, name="ann", password=PASSWORD)
        await ann.enter("password", old=PASSWORD, new=OTHER_PASSWORD)
        wrong = {"old": PASSWORD, "new": PASSWORD}
        codes = [(await ann.http.post("/api/auth/password", json=wrong)).status_code for _ in range(8)]
        assert codes[0] == 403
        assert codes[-1] == 429


async def test_over_tls_the_cookie_of_a_provider_is_the_hosts_own_and_an_answer_ends_it(folder: Path) -> None:
    config = (
        f'{CHAT_AGENT}[server]\nurl = "https://chat.example"\n'
        '[server.oidc.company]\nissuer = "http://127.0.0.1:9"\nclient_id = "x"\n'
    )
    async with served(folder, config=config) as (made, _):
        async with httpx.AsyncClient(base_url=made.play.url) as http:
            answer = await http.get("/api/auth/oidc/company/callback?state=x&code=y")
        assert answer.headers["set-cookie"].startswith(f"__Host-{COOKIE}=; Path=/; Max-Age=0;")


async def test_the_start_tells_of_an_account_with_the_name_of_a_user(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = MemoryStore()
    settings = GatewaySettings(accounts=True)
    await Accounts(lambda: store, settings, Directory(load_roles(settings), {})).make("Boss", "guest", "", "root")
    async with team(folder, config=CHAT_AGENT + BOSS, store=store) as made:
        await made.root.get("/api/me")
        assert "[server.users.Boss] has the name of an account" in caplog.text
