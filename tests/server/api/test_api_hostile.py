"""No request makes the server fail: every route is asked with ids, bodies, queries and methods that nobody means well.

The routes are those of the running server's own document: one that is added later is attacked as well.
"""

import json
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from api_play import talking
from resource_play import People
from test_api_users import operations, valid

IDS = (
    "..",
    ".",
    "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "%2fetc%2fpasswd",
    "a" * 5_000,
    "%00",
    "x%00y",
    "%ff%fe",
    "%ed%a0%80",
    "%zz",
    "%0d%0aset-cookie:%20a=b",
    "%F0%9F%92%A5",
    "%E2%80%AE",
    "'%20OR%201=1;--",
    "%25s%25n",
    "-1",
    "99999999999999999999999999",
    "null",
    "{}",
    "*",
    "__proto__",
    "CON",
    "ses_",
    "mcp__x__y",
)
BODIES = (
    b"",
    b"null",
    b"true",
    b"0",
    b'"x"',
    b"[]",
    b"{}",
    b"{",
    b"\xff\xfe",
    b"\x00",
    b'{"a":1e999}',
    b'{"\\u0000":"\\u0000"}',
    b'{"model":"\\ud800","name":"\\ud800","text":"\\ud800"}',
    b"[" * 100_000,
    b'{"a":' * 100_000,
    b"9" * 10_000,
)
# What each field of a valid body is replaced with, one after the other.
VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    2**63,
    2**64,
    1e308,
    "",
    "\0",
    "../../etc/passwd",
    "x" * 20_000,
    [],
    [[[]]],
    [None],
    {},
    {"": {"": ""}},
)
QUERIES = ("%00", "%ff", "-1", "1e999", "nan", "inf", "x" * 5_000, "", "%ed%a0%80", "99999999999999999999", "[]", "1;2")
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE")
# Of a stream that never ends nothing is to be learnt here.
ENDLESS = ("/api/events",)


@pytest.fixture
def failures(caplog: pytest.LogCaptureFixture) -> Iterator[list[str]]:
    """What was asked and failed; nothing may be logged with a traceback either."""
    found: list[str] = []
    caplog.set_level(logging.WARNING)
    yield found
    found += [record.getMessage()[:200] for record in caplog.records if record.exc_info or record.levelno > 30]
    assert not found


class Attacker:
    """Asks as an admin, to whom more is open than to anybody else."""

    def __init__(self, every: People, failures: list[str]) -> None:
        self._http = every.root.http
        self._failures = failures
        self.count = 0

    async def ask(self, method: str, url: str, body: bytes = b"") -> None:
        self.count += 1
        asked = f"{method} {url[:100]} {body[:60]!r}"
        # Written out by hand: the client would put much of it right.
        raw = httpx.URL(str(self._http.base_url)).copy_with(raw_path=url.encode())
        try:
            async with self._http.stream(method, raw, content=body) as answer:
                if answer.status_code == 500:
                    self._failures.append(asked)
        except httpx.HTTPError as error:
            self._failures.append(f"{asked}: {error!r}")


def filled(path: str, given: str) -> str:
    return re.sub(r"\{\w+\}", lambda _: given, path)


async def attacked(every: People, failures: list[str]) -> tuple[Attacker, dict[str, Any], str]:
    document = await every.root.get("/api/openapi.json")
    return Attacker(every, failures), document, await every.root.session()


async def test_hostile_ids(folder: Path, failures: list[str]) -> None:
    async with talking(folder) as every:
        attacker, document, _ = await attacked(every, failures)
        for operation in operations(document):
            if "{" in operation.path:
                body = json.dumps(operation.body).encode() if operation.body is not None else b""
                for given in IDS:
                    await attacker.ask(operation.method, filled(operation.path, given), body)
        assert attacker.count > 700


async def test_hostile_bodies(folder: Path, failures: list[str]) -> None:
    async with talking(folder) as every:
        attacker, document, session = await attacked(every, failures)
        for operation in operations(document):
            if operation.method in ("POST", "PUT", "PATCH"):
                for body in BODIES:
                    await attacker.ask(operation.method, filled(operation.path, session), body)
        assert attacker.count > 400


async def test_hostile_fields(folder: Path, failures: list[str]) -> None:
    async with talking(folder) as every:
        attacker, document, session = await attacked(every, failures)
        schemas = document["components"]["schemas"]
        for path, methods in document["paths"].items():
            for method, told in methods.items():
                content = told.get("requestBody", {}).get("content", {}).get("application/json")
                for body in changed(content["schema"], schemas) if content else ():
                    await attacker.ask(method.upper(), filled(path, session), body)
        assert attacker.count > 1_000


async def test_hostile_queries(folder: Path, failures: list[str]) -> None:
    async with talking(folder) as every:
        attacker, document, session = await attacked(every, failures)
        for path, methods in document["paths"].items():
            names = [one["name"] for one in methods.get("get", {}).get("parameters", ()) if one["in"] == "query"]
            for name in names:
                for value in QUERIES:
                    await attacker.ask("GET", f"{filled(path, session)}?{name}={value}")
        assert attacker.count > 200


async def test_hostile_methods(folder: Path, failures: list[str]) -> None:
    async with talking(folder) as every:
        attacker, document, _ = await attacked(every, failures)
        for path in document["paths"]:
            session = await every.root.session()
            for method in METHODS:
                if path not in ENDLESS:
                    await attacker.ask(method, filled(path, session), b"{}" if method not in ("GET", "HEAD") else b"")
        assert attacker.count > 400


def changed(schema: dict[str, Any], schemas: dict[str, Any]) -> Iterator[bytes]:
    """A body with one field after the other replaced by what does not belong there."""
    known = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    least = valid(schema, schemas)
    if not isinstance(least, dict):
        return
    for name in known.get("properties", {}):
        for value in VALUES:
            yield json.dumps({**least, name: value}).encode()
