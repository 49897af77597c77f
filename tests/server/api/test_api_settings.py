"""What admins set: keys that can't be read back, and MCP servers in the user's own file."""

import json
import sys
from pathlib import Path
from typing import Any

import httpx
import keyring
import pytest
from gateway_play import PROCESS, listening, write
from keyring.backend import KeyringBackend
from login_play import WantsLogin
from resource_play import NO_TLS, People, message_of, people

KEY = "sk-a-key-that-nobody-may-read-0123456789"
NOWHERE = "http://127.0.0.1:9/mcp"


class Ring(KeyringBackend):
    """A keyring in memory."""

    priority = 1.0

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError(username)


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> Ring:
    ring = Ring()
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "chosen")
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setattr(keyring, "get_keyring", lambda: ring)
    return ring


async def put(every: People, path: str, *, status: int = 200, **body: Any) -> Any:
    answer: httpx.Response = await every.root.http.put(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


def read(file: str) -> Any:
    return json.loads(Path(file).read_text())


async def keys(every: People) -> dict[str, str]:
    return {one["name"]: one["key"] for one in (await every.root.get("/api/settings/keys"))["providers"]}


async def test_a_key_is_kept_and_never_shown(folder: Path, ring: Ring) -> None:
    async with people(folder) as every:
        assert (await keys(every))["openai"] == "missing"
        told = await put(every, "/api/settings/keys/openai", key=f" {KEY}\n")
        listed = (await every.root.http.get("/api/settings/keys")).text
        assert (await keys(every))["openai"] == "keyring"
        await every.root.delete("/api/settings/keys/openai")
        assert (await keys(every))["openai"] == "missing"
        await every.root.delete("/api/settings/keys/openai", status=404)
    assert told["key"] == "keyring"
    assert KEY not in listed
    assert ring.kept == {}


async def test_the_key_for_web_search_is_kept_like_those_of_models(
    folder: Path, ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("TAVILY_API_KEY", raising=False)
    async with people(folder) as every:
        listed = await every.root.get("/api/settings/keys")
        missing = {"name": "tavily", "key": "missing", "variable": "TAVILY_API_KEY", "problem": ""}
        assert listed["search"] == [missing]
        assert await put(every, "/api/settings/keys/tavily", key=KEY) == {**missing, "key": "keyring"}
        assert ring.kept == {("toolpost", "tavily"): KEY}
        await every.root.delete("/api/settings/keys/tavily")
    assert ring.kept == {}


async def test_the_models_of_a_provider_can_be_chosen_as_soon_as_it_has_its_key(folder: Path, ring: Ring) -> None:
    async def of_openai(**query: Any) -> list[str]:
        told = await every.root.get("/api/models", **query)
        return [one["id"] for one in told["models"] if one["id"].startswith("openai/")]

    async with people(folder) as every:
        assert await of_openai() == []
        await put(every, "/api/settings/keys/openai", key=KEY)
        assert len(await of_openai(fresh=True)) == 1


@pytest.mark.parametrize("key", ["", "   ", "two words", "a\nb", "x" * 10_001])
async def test_what_can_be_no_key_is_refused(folder: Path, ring: Ring, key: str) -> None:
    async with people(folder) as every:
        await put(every, "/api/settings/keys/openai", key=key, status=400)
        await put(every, "/api/settings/keys/opnai", key=KEY, status=400)
    assert ring.kept == {}


async def test_without_a_keyring_it_says_which_variable_to_set(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PYTHON_KEYRING_BACKEND", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    async with people(folder) as every:
        assert (await every.root.get("/api/settings/keys"))["keyring"] is None
        told = await put(every, "/api/settings/keys/openai", key=KEY, status=409)
    assert "export OPENAI_API_KEY=" in message_of(told)


async def test_only_admins_see_and_change_settings(folder: Path, ring: Ring) -> None:
    async with people(folder) as every:
        ann = every.ann
        await ann.get("/api/settings/keys", status=403)
        await ann.get("/api/settings/mcp", status=403)
        assert (await ann.http.put("/api/settings/keys/openai", json={"key": KEY})).status_code == 403
        await ann.delete("/api/settings/keys/openai", status=403)
        await ann.post("/api/settings/mcp", name="x", url=NOWHERE, status=403)
        await ann.post("/api/settings/mcp/test", name="x", command="touch", args=["x"], status=403)
        await ann.delete("/api/settings/mcp/x", status=403)
        await ann.post("/api/settings/mcp/x/login", status=403)
    assert ring.kept == {}


async def test_a_server_that_is_added_is_started_and_one_that_is_removed_is_gone(
    folder: Path, mcp_url: str, tmp_path: Path
) -> None:
    async with people(folder, config='[permissions]\n"mcp__*" = "allow"\n') as every:
        root = every.root
        added = await root.post("/api/settings/mcp", name="play", url=mcp_url, status=201)
        again = await root.post("/api/settings/mcp", name="play", url=mcp_url, status=409)
        await root.until("/api/mcp", lambda told: [one["state"] for one in told["servers"]] == ["connected"])
        second = tmp_path / "second.py"
        write(second, PROCESS)
        await root.post("/api/settings/mcp", name="second", command=sys.executable, args=[str(second)], status=201)
        await root.until("/api/mcp", lambda told: [one["state"] for one in told["servers"]] == ["connected"] * 2)
        listed = await root.get("/api/settings/mcp")
        offered = {one["name"] for one in (await root.get("/api/tools"))["tools"]}
        assert "mcp__play__echo" in offered
        await root.delete("/api/settings/mcp/play")
        await root.delete("/api/settings/mcp/second")
        await root.delete("/api/settings/mcp/play", status=404)
        left = {one["name"] for one in (await root.get("/api/tools"))["tools"]}
        assert (await root.get("/api/mcp"))["servers"] == []
    assert (added["place"], added["what"]) == ("user", mcp_url)
    assert "already" in message_of(again)
    assert [one["name"] for one in listed["servers"]] == ["play", "second"]
    assert not any(name.startswith("mcp__") for name in left)
    assert read(listed["file"]) == {"mcpServers": {}}


async def test_a_server_of_the_configuration_is_not_removed_here(folder: Path) -> None:
    async with people(folder, config=f'[mcp.gone]\nurl = "{NOWHERE}"\n') as every:
        told = await every.root.delete("/api/settings/mcp/gone", status=409)
        (listed,) = (await every.root.get("/api/settings/mcp"))["servers"]
    assert "config.toml" in message_of(told)
    assert listed["place"] == "configuration"


async def test_a_server_is_tried_without_being_kept(folder: Path, mcp_url: str) -> None:
    async with people(folder) as every:
        root = every.root
        told = await root.post("/api/settings/mcp/test", name="play", url=mcp_url)
        broken = await root.post(
            "/api/settings/mcp/test", name="x", command=sys.executable, args=["-c", "import sys; sys.exit('no luck')"]
        )
        kept = (await root.get("/api/settings/mcp"))["servers"]
    assert (told["state"], "echo" in told["tools"]) == ("connected", True)
    assert broken["state"] != "connected"
    assert "no luck" in broken["output"] + broken["error"]
    assert kept == []


@pytest.mark.parametrize(
    "given",
    [
        {"name": "x"},
        {"name": "../x", "url": NOWHERE},
        {"name": "x", "url": "ftp://x"},
        {"name": "x", "url": NOWHERE, "command": "ls"},
        {"name": "x", "url": NOWHERE, "type": "stdio"},
        {"name": "x", "url": NOWHERE, "speed": 3},
    ],
)
async def test_what_can_be_no_server_is_refused(folder: Path, given: dict[str, Any]) -> None:
    async with people(folder) as every:
        await every.root.post("/api/settings/mcp", status=400, **given)
        assert (await every.root.get("/api/settings/mcp"))["servers"] == []


async def test_after_a_login_in_a_browser_the_server_is_connected(folder: Path) -> None:
    guarded = WantsLogin()
    async with listening(guarded) as url:
        guarded.origin = url
        async with people(folder, config=f'[mcp.guarded]\nurl = "{url}/mcp"\n') as every:
            await every.root.until("/api/mcp", lambda told: told["servers"][0]["state"] == "needs_login")
            address = (await every.root.post("/api/settings/mcp/guarded/login"))["url"]
            assert address.startswith(f"{url}/authorize?")
            async with httpx.AsyncClient(follow_redirects=True, verify=NO_TLS) as browser:
                assert (await browser.get(address)).status_code == 200
            told = await every.root.until("/api/mcp", lambda told: told["servers"][0]["state"] == "connected")
    assert told["servers"][0]["tools"] == 1


async def test_a_login_that_leads_nowhere_says_so(folder: Path) -> None:
    async with people(folder, config=f'[mcp.gone]\nurl = "{NOWHERE}"\n') as every:
        told = await every.root.post("/api/settings/mcp/gone/login", status=502)
        await every.root.post("/api/settings/mcp/nobody/login", status=404)
    assert "gone" in message_of(told)
