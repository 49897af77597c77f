"""What the document says of /api is what the server does: schemathesis asks a lot to find out."""

import asyncio
import multiprocessing
import os
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from resource_play import TOKENS, people
from schemathesis.config import SchemathesisConfig
from schemathesis.engine import StopReason, events, from_schema

from toolpost.testing import Upstream, text

OFF = {"enabled": False}
# Whether a value on each bound of a schema, and next to it, is taken as the schema says: some hundred requests for one
# operation. With TOOLPOST_SCHEMATHESIS=all every operation is tried so, in some minutes.
THOROUGHLY = ["/api/sessions", "/api/sessions/{id}", "/api/sessions/{id}/prompts", "/api/search", "/api/asks/{id}"]
ALL = os.environ.get("TOOLPOST_SCHEMATHESIS") == "all"
# The generator alone needs minutes for all that can be wrong with a message.
NEVER = ["/api/sessions/import"]
CONFIG: dict[str, Any] = {
    "seed": 1,
    "request-timeout": 20,
    "cache": {"enabled": False},
    "auth": {"openapi": {"bearer": {"bearer": TOKENS["ann"]}}},
    "generation": {"deterministic": True, "no-shrink": True, "database": "none"},
    "phases": {
        "coverage": {"unexpected-methods": ["TRACE"], "generate-duplicate-query-parameters": False},
        "fuzzing": {"generation": {"max-examples": 20 if ALL else 4}},
        "stateful": {"max-steps": 6, "generation": {"max-examples": 50 if ALL else 10}},
    },
    "checks": {
        # Whether a route wants its token is tried on every route elsewhere.
        "ignored_auth": {"enabled": False},
        # A body may be as the schema says and still name a model that is not there.
        "positive_data_acceptance": {"enabled": False},
    },
    # Of a stream that goes on its beginning is enough.
    "parameters": {"seconds": 0.01},
    "operations": [
        {("include-path" if ALL else "exclude-path"): NEVER if ALL else THOROUGHLY, "phases": {"coverage": OFF}}
    ],
}


@pytest.mark.timeout(1800 if ALL else 300)
async def test_the_server_does_what_its_document_says(folder: Path) -> None:
    """Asked by a user who is no admin, before a scripted model, with no tool that is allowed to do anything."""
    async with Upstream(text("hello"), repeat=True) as up:
        model = f'[providers.again]\nwire = "openai_chat"\nbase_url = "{up.base_url}"\n'
        config = model + '[server.routes.default]\nmodel = "again/m"\n[permissions]\n"*" = "deny"\n'
        async with people(folder, config=config) as they:
            document = harmless(await they.ann.get("/api/openapi.json"))
            # Not in a thread: it would hold up the server that it asks.
            with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as asking:
                asked, failures = await asyncio.wrap_future(asking.submit(ask, they.play.url, document))
    assert not failures
    assert set(asked) == {"coverage", "fuzzing", "stateful"}
    assert asked["fuzzing"] == set(labels(document))
    assert len(asked["stateful"]) > 10


def harmless(document: dict[str, Any]) -> dict[str, Any]:
    """Without the gateway, and without servers that a request brings along: these would be started, or called."""
    paths = {path: methods for path, methods in document["paths"].items() if path.startswith("/api/")}
    del document["components"]["schemas"]["McpCall"]["properties"]["configuration"]
    return {**document, "paths": paths}


def labels(document: dict[str, Any]) -> Iterator[str]:
    return (f"{method.upper()} {path}" for path, methods in document["paths"].items() for method in methods)


def ask(url: str, document: dict[str, Any]) -> tuple[dict[str, set[str]], list[str]]:
    """Which operations were asked in each phase, and what they did that the document does not say."""
    config = SchemathesisConfig.from_dict({**CONFIG, "base-url": url})
    asked, failures = defaultdict[str, set[str]](set), list[str]()
    for event in from_schema(schemathesis.openapi.from_dict(document, config=config)).execute():
        match event:
            case events.ScenarioFinished():
                asked[event.phase.value] |= {node.value.operation.label for node in event.recorder.cases.values()}
                failures += failures_in(event.recorder)
            case events.NonFatalError():
                failures.append(f"{event.label}: {event.value!r}")
            case events.FatalError():
                failures.append(repr(event.exception))
            case events.EngineFinished():
                assert event.stop_reason is StopReason.COMPLETED
            case _:
                pass
    return {phase: labels for phase, labels in asked.items() if labels}, failures


def failures_in(recorder: Any) -> Iterator[str]:
    for case_id, checks in recorder.checks.items():
        for check in checks:
            if check.failure_info is not None:
                sent = recorder.interactions[case_id].request
                told = check.failure_info.failure
                yield f"{sent.method} {sent.uri} {sent.body!r}: {told.title}: {told.message}"
