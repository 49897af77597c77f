"""Settings that an admin makes for all users: keys of providers, which are never shown, and MCP servers."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Annotated

from msgspec import Meta, Struct

from toolpost.config.api_keys import forget_key, keyring_in_use, store_key
from toolpost.guard.redact import remember
from toolpost.server.http import Request
from toolpost.server.refusals import Refusal
from toolpost.server.routing import Doc, Route
from toolpost.tools.threads import run_in_thread
from toolpost.tools.web.settings import TAVILY
from toolpost.workspace import Workspace
from toolpost.workspace.provider_list import KeyState, ProviderStatus, provider, providers, search_provider

from .mcp_settings import mcp_routes

# A keyring may ask its user to unlock it first.
KEYRING_SECONDS = 60.0

PROVIDER = {"provider": "The provider's name"}


class ProviderKey(Struct, frozen=True):
    """`key` says where its key is; `variable` is the environment variable that is read first, empty if the provider
    needs no key."""

    name: str
    key: KeyState
    variable: str
    problem: str


class Keys(Struct, frozen=True):
    """`providers` are those of models, `search` those of web searches. `keyring` is the kind of keyring that can store
    keys; null if this machine has none: then a key must be in its provider's variable when the server starts."""

    keyring: str | None
    providers: tuple[ProviderKey, ...]
    search: tuple[ProviderKey, ...]


class NewKey(Struct, frozen=True, forbid_unknown_fields=True):
    key: Annotated[str, Meta(min_length=1, max_length=10_000, pattern=r"^\s*[!-~]+\s*$")]


def routes(workspace: Workspace) -> list[Route]:
    keys = _Keys(workspace)
    listed = Doc("List providers and where their keys are", "settings", gives=Keys, errors=(403,))
    kept = Doc(
        "Store the key of a provider in the system's keyring, or that of tavily for web search",
        "settings",
        takes=NewKey,
        gives=ProviderKey,
        errors=(403, 409, 504),
        params=PROVIDER,
        description="It cannot be read back. Runs that start from now on use it.",
    )
    forgotten = Doc(
        "Delete the key of a provider from the keyring", "settings", status=204, errors=(403, 409, 504), params=PROVIDER
    )
    return [
        Route("GET", "/api/settings/keys", keys.list, listed, needs="administer"),
        Route("PUT", "/api/settings/keys/{provider}", keys.keep, kept, needs="administer"),
        Route("DELETE", "/api/settings/keys/{provider}", keys.forget, forgotten, needs="administer"),
        *mcp_routes(workspace),
    ]


class _Keys:
    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    async def list(self, request: Request) -> None:
        keyring = await run_in_thread(lambda: keyring_in_use(self._workspace.environ))
        known = await providers(self._workspace)
        search = await run_in_thread(lambda: search_provider(self._workspace))
        await request.reply_json(Keys(keyring, tuple(map(_shown, known)), (_shown(search),)))

    async def keep(self, request: Request) -> None:
        name = await self._known(request)
        key = request.json(NewKey).key.strip()
        remember(key)
        async with _patience():
            await run_in_thread(lambda: store_key(name, key))
        now = await run_in_thread(lambda: self._find(name))
        await request.reply_json(_shown(now))

    async def forget(self, request: Request) -> None:
        name = await self._known(request)
        async with _patience():
            had_one = await run_in_thread(lambda: forget_key(name))
        if not had_one:
            raise Refusal("not_found", f"the keyring has no key for {name}", code="no_key")
        await request.reply(status=204)

    async def _known(self, request: Request) -> str:
        """Return a provider of this folder on a machine with a keyring. A key under a mistyped name would never be
        found."""
        known = await run_in_thread(lambda: self._find(request.params["provider"]))
        if not known.variable:
            raise Refusal("conflict", f"{known.name} needs no key", code="needs_no_key")
        if await run_in_thread(lambda: keyring_in_use(self._workspace.environ)) is None:
            raise Refusal(
                "conflict",
                f"this machine has no keyring: set {known.variable} in the environment that the server is started "
                f"with, as in `export {known.variable}=…`, and start it again",
            )
        return known.name

    def _find(self, name: str) -> ProviderStatus:
        return search_provider(self._workspace) if name == TAVILY else provider(self._workspace, name)


def _shown(one: ProviderStatus) -> ProviderKey:
    return ProviderKey(one.name, one.key, one.variable, one.problem)


@asynccontextmanager
async def _patience() -> AsyncGenerator[None]:
    """Limit the time for a keyring, which may hang or ask its user."""
    try:
        async with asyncio.timeout(KEYRING_SECONDS):
            yield
    except TimeoutError:
        text = "the keyring does not respond: unlock it on the server's machine"
        raise Refusal("timeout", text, code="keyring_locked") from None
