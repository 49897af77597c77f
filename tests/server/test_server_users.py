"""Several users of one server: whose a token is, and what is wrong with the settings of users."""

import hashlib
from pathlib import Path

import pytest
from gateway_play import HI, TOKEN, gateway
from hypothesis import given
from hypothesis import strategies as st

from toolpost.config.schema import GatewaySettings, TokenSettings, UserSettings
from toolpost.server.accounts.roles import ALL_RIGHTS, load_roles
from toolpost.server.serve import token_for
from toolpost.server.settings import ServerSettings
from toolpost.server.users import User, load_users, new_user
from toolpost.testing import text
from toolpost.types.errors import ConfigError

ANN, BOB = "the-token-that-ann-has", "the-token-that-bob-has"
ENVIRON = {"ANN_TOKEN": ANN, "BOB_TOKEN": BOB, "SHORT": "short", "ODD": "a token with spaces"}
MEMBER = load_roles(GatewaySettings())["member"]
BY_HASH = UserSettings(token_sha256=hashlib.sha256(BOB.encode()).hexdigest(), admin=True)


def having(users: dict[str, UserSettings]) -> GatewaySettings:
    return GatewaySettings(users=users)


def test_each_token_is_its_users() -> None:
    users = load_users(having({"ann": UserSettings(token_env="ANN_TOKEN"), "bob": BY_HASH}), ENVIRON, TOKEN)
    assert users.find([ANN]) == User("ann", MEMBER)
    assert users.find([BOB]) == User("bob")
    assert users.find([TOKEN]) == User("")
    assert users.find(["a-key-of-its-own", ANN]) == User("ann", MEMBER)


@given(st.text())
def test_no_other_text_is_a_token(tried: str) -> None:
    users = load_users(having({"ann": UserSettings(token_env="ANN_TOKEN"), "bob": BY_HASH}), ENVIRON, "")
    assert users.find([tried, "", BY_HASH.token_sha256, ANN[:-1], f"{ANN} "]) is None


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"ann": UserSettings()}, r"\[server.users.ann\] needs one of token_env and token_sha256"),
        ({"ann": UserSettings("ANN_TOKEN", BY_HASH.token_sha256)}, "needs one of"),
        ({"ann": UserSettings("UNSET")}, "takes its token from UNSET, which is not set"),
        ({"ann": UserSettings("SHORT")}, "the token in SHORT is too short: take 16"),
        ({"ann": UserSettings("ODD")}, "the token in ODD can't be sent in a header"),
        ({"ann": UserSettings(token_sha256="abc")}, "64 hexadecimal digits"),
        ({"": UserSettings("ANN_TOKEN")}, "needs a name"),
        ({"ann": UserSettings("BOB_TOKEN"), "bob": BY_HASH}, r"users.bob\] has the same token as \[server.users.ann\]"),
        ({"ann": UserSettings("ANN_TOKEN")}, r"users.ann\] has the same token as the person who starts the server"),
    ],
)
def test_what_is_wrong_is_said(settings: dict[str, UserSettings], why: str) -> None:
    with pytest.raises(ConfigError, match=why) as caught:
        load_users(having(settings), ENVIRON, ANN)
    assert ANN not in str(caught.value)


def test_members_get_what_the_settings_open_to_everyone() -> None:
    users = {"ann": UserSettings(token_env="ANN_TOKEN"), "bob": BY_HASH}
    closed, opened = (GatewaySettings(users=users, files_and_commands=whose) for whose in ("admins", "everyone"))
    assert "machine" not in _rights(closed, ANN)
    assert "machine" in _rights(opened, ANN)
    assert "administer" not in _rights(opened, ANN)
    assert _rights(closed, BOB) == _rights(opened, BOB) == ALL_RIGHTS


def test_a_token_for_metrics_is_for_nothing_else() -> None:
    settings = GatewaySettings(metrics=TokenSettings(token_env="ANN_TOKEN"))
    assert _rights(settings, ANN) == {"metrics"}
    assert _rights(settings, TOKEN) == ALL_RIGHTS
    with pytest.raises(ConfigError, match=r"\[server.metrics\] has the same token as the person who starts"):
        load_users(settings, ENVIRON, ANN)
    with pytest.raises(ConfigError, match=r"\[server.metrics\] takes its token from UNSET, which is not set"):
        load_users(GatewaySettings(metrics=TokenSettings(token_env="UNSET")), ENVIRON, TOKEN)


def _rights(settings: GatewaySettings, token: str) -> frozenset[str]:
    who = load_users(settings, ENVIRON, TOKEN).find([token])
    assert who is not None
    return who.rights


def test_with_users_no_token_is_made() -> None:
    everywhere = ServerSettings(host="0.0.0.0")
    assert token_for(everywhere, "", {}, has_users=True) == ("", False)
    assert token_for(everywhere, "", {"TOOLPOST_TOKEN": TOKEN}, has_users=True) == (TOKEN, False)
    with pytest.raises(ConfigError, match="with one of your own"):
        token_for(everywhere, "", {})


def test_a_new_user_is_let_in_by_the_lines_that_were_made() -> None:
    import tomllib

    for name in ("ann", "ann of accounts"):
        token, lines = new_user(name)
        settings = tomllib.loads(lines)["server"]["users"][name]
        who = load_users(having({name: UserSettings(**settings)}), {}, "").find([token])
        assert who == User(name, MEMBER)


async def test_users_come_in_with_their_tokens(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANN_TOKEN", ANN)
    config = '[server.users.ann]\ntoken_env = "ANN_TOKEN"\n'
    async with gateway(folder, text("one"), text("two"), config=config) as play:
        asked = {"model": "m", "max_tokens": 9, "messages": HI}
        for token, status in ((ANN, 200), (TOKEN, 200), (BOB, 401)):
            answer = await play.http.post("/v1/messages", json=asked, headers={"x-api-key": token})
            assert answer.status_code == status
