"""URLs and users that cannot be used are said so, without their secrets."""

import asyncio

import pytest
from postgres_help import (
    SECONDS,
    asked,
)
from postgres_server import PostgresServer

from toolpost.store import open_store
from toolpost.store.contract import SessionInfo
from toolpost.store.postgres import PostgresStore
from toolpost.store.postgres.address import read_address
from toolpost.types.errors import ConfigError, StoreError

SECRET = "hunter2xyz"


@pytest.mark.parametrize(
    "url",
    [
        f"postgresql://me:{SECRET}@h:99x/db",
        f"postgresql://me:{SECRET}/db",
        f"postgresql://me:{SECRET}@{SECRET}@h/db",
        f"postgresql://me:{SECRET}/{SECRET}@h/db",
        f"postgresql://me:{SECRET}?{SECRET}@h/db",
        f"postgresql://me:{SECRET}#{SECRET}@h/db",
        f"postgresql://me:%{SECRET}@h/db",
        f"postgresql://me:{SECRET}@h/db?passwort={SECRET}",
        f"postgresql://me:{SECRET}@[h/db",
        f"postgresql://me:{SECRET}@h/db?schema=Robert'); DROP",
        f"mysql://me:{SECRET}@h/db",
        f"postgresql+asyncpg://me:{SECRET}@h/db",
    ],
)
def test_a_url_that_cannot_be_used_is_refused_without_its_secrets(url: str) -> None:
    with pytest.raises(ConfigError) as caught:
        open_store(url)
    assert caught.value.__cause__ is None
    assert SECRET not in str(caught.value)
    assert "postgresql://" in str(caught.value) or "schema" in str(caught.value)


async def test_a_server_that_was_never_there_is_said_so_at_once(server: PostgresServer) -> None:
    store = open_store(f"postgresql://me:{SECRET}@127.0.0.1:1/db")
    with pytest.raises(StoreError, match=r"db at 127.0.0.1:1 cannot be reached: check that it runs"):
        await asyncio.wait_for(store.create(SessionInfo("s")), SECONDS)
    assert SECRET not in repr(store)
    await store.close()


async def test_a_wrong_password_is_said_so_and_is_shown_nowhere(
    server: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(0)
    store = PostgresStore(server.url(password=SECRET))
    asking = (store.create(SessionInfo("s")), store.approvals(), store.lease("s"), anext(store.follow()))
    for question in asking:
        with pytest.raises(StoreError, match="check the user and the password") as caught:
            await question
        assert SECRET not in f"{caught.value!r} {caught.value.__cause__!r}"
    await store.close()
    assert SECRET not in caplog.text


async def test_a_database_that_is_not_there_is_said_so(server: PostgresServer) -> None:
    store = PostgresStore(server.url().replace("/postgres?", "/nowhere?"))
    with pytest.raises(StoreError, match="check the names of the database and the user"):
        await store.approvals()
    await store.close()


async def test_a_user_who_may_not_make_tables_is_told_what_to_ask_for(url: str, server: PostgresServer) -> None:
    with asked(url) as connection:
        connection.execute(f"CREATE ROLE guest LOGIN PASSWORD '{SECRET}'")
        store = PostgresStore(url.replace(f"postgres:{server.password}", f"guest:{SECRET}"))
        with pytest.raises(StoreError, match="grant CREATE on the database"):
            await store.create(SessionInfo("s"))
        connection.execute(f"CREATE SCHEMA {read_address(url).schema} AUTHORIZATION guest")
        await store.create(SessionInfo("s"))
        await store.close()


async def test_a_database_that_takes_no_changes_is_said_so(url: str) -> None:
    store = PostgresStore(url)
    await store.create(SessionInfo("s"))
    await store.close()
    store = PostgresStore(f"{url}&options=-c%20default_transaction_read_only%3Don")
    assert (await store.info("s")).id == "s"
    with pytest.raises(StoreError, match="is read-only"):
        await store.create(SessionInfo("t"))
    await store.close()
