"""Spans for a collector on a real socket: what they are called, where they hang, what they tell and what they don't."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from gateway_play import gateway, listening, with_server
from mcp.server import MCPServer
from opentelemetry import trace
from server_play import until
from span_play import Collector, collecting

from toolpost.testing import Gate, call, error, pause, text, turn
from toolpost.types.messages import Usage

PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
SERVER, CLIENT, INTERNAL = 2, 3, 1
SECRET = "the prompt that nobody may see"
ASKED = {"model": "m", "max_tokens": 9, "messages": [{"role": "user", "content": SECRET}]}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "50")


@pytest.fixture
async def collector() -> AsyncGenerator[Collector]:
    async with collecting() as one:
        yield one


def told_to(collector: Collector, more: str = "") -> str:
    return f'[server.telemetry]\nendpoint = "{collector.url}"\n{more}'


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/chat/completions"], ids=["translated", "relayed"])
@pytest.mark.parametrize("streamed", [True, False], ids=["streamed", "whole"])
async def test_a_turn_is_a_span_below_its_request(
    folder: Path, collector: Collector, path: str, streamed: bool
) -> None:
    answer = turn(text("an answer"), usage=Usage(input=12, output=3, cache_read=2))
    async with gateway(folder, answer, config=told_to(collector)) as play:
        asked = {**ASKED, "stream": streamed, "temperature": 0.5, "stream_options": {"include_usage": True}}
        sent = await play.http.post(path, json=asked, headers={"traceparent": PARENT})
        assert sent.status_code == 200
        chat, request = await collector.named("chat m"), await collector.named(f"POST {path}")
        carried = play.up.requests[0].headers["traceparent"]
    assert (request.trace, request.parent, request.kind) == (PARENT[3:35], PARENT[36:52], SERVER)
    assert request.attributes["http.route"] == path
    assert request.attributes["http.response.status_code"] == 200
    assert request.attributes["http.response.header.request-id"] == [sent.headers["request-id"]]
    assert (chat.trace, chat.parent, chat.kind, chat.error) == (request.trace, request.id, CLIENT, "")
    known = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "up",
        "gen_ai.request.model": "m",
        "gen_ai.request.temperature": 0.5,
        "gen_ai.response.finish_reasons": ["stop"],
        "gen_ai.usage.input_tokens": 12,
        "gen_ai.usage.output_tokens": 3,
        "gen_ai.usage.cache_read.input_tokens": 2,
        "server.address": "127.0.0.1",
    }
    assert {name: chat.attributes.get(name) for name in known} == known
    assert carried == f"00-{chat.trace}-{chat.id}-01"
    assert collector.services == {"toolpost"}


async def test_a_run_with_calls_is_an_agent_with_turns_and_tools_below(
    folder: Path, mcp_url: str, collector: Collector
) -> None:
    turns = (call("mcp__play__echo", {"text": SECRET}, id="call_7"), call("mcp__play__fail"), text("an answer"))
    async with gateway(folder, *turns, config=with_server(folder, mcp_url) + told_to(collector)) as play:
        await play.events(messages=ASKED["messages"])
        request = await collector.named("POST /v1/messages")
    agent = await collector.named("invoke_agent gateway")
    echo, fail = (
        await collector.named("execute_tool mcp__play__echo"),
        await collector.named("execute_tool mcp__play__fail"),
    )
    assert (agent.parent, agent.kind) == (request.id, INTERNAL)
    assert collector.below(agent) == {"chat m", echo.name, fail.name}
    assert agent.attributes["gen_ai.agent.name"] == "gateway"
    assert agent.attributes["gen_ai.usage.input_tokens"] == 30
    assert (echo.attributes["gen_ai.tool.name"], echo.attributes["gen_ai.tool.call.id"]) == (
        "mcp__play__echo",
        "call_7",
    )
    assert (echo.attributes["gen_ai.tool.type"], echo.error) == ("function", "")
    assert (fail.error, fail.attributes["error.type"]) == ("failed", "failed")
    assert not any(SECRET in str(span) or "an answer" in str(span) for span in collector.spans)


async def test_runs_of_the_chat_are_agents_too(folder: Path, mcp_url: str, collector: Collector) -> None:
    turns = (call("mcp__play__echo", {"text": "x"}), text("an answer"))
    async with gateway(folder, *turns, config=with_server(folder, mcp_url) + told_to(collector)) as play:
        answer = await play.http.post("/api/chat", json={"message": "hi"})
        assert "an answer" in answer.text
        request = await collector.named("POST /api/chat")
    agent = next(span for span in collector.spans if span.name.startswith("invoke_agent "))
    assert (agent.trace, agent.parent) == (request.trace, request.id)
    assert collector.below(agent) == {"chat m", "execute_tool mcp__play__echo"}


async def test_an_mcp_server_learns_of_the_trace(folder: Path, collector: Collector) -> None:
    server = MCPServer("play")

    @server.tool()
    def where() -> str:
        return f"in {trace.get_current_span().get_span_context().trace_id:032x}"

    async with listening(server.streamable_http_app()) as url:
        config = with_server(folder, f"{url}/mcp") + told_to(collector)
        async with gateway(folder, call("mcp__play__where"), text("done"), config=config) as play:
            await play.events(headers={"traceparent": PARENT})
            assert f"in {PARENT[3:35]}" in play.up.requests[1].raw.decode()


async def test_what_was_said_is_told_only_where_it_is_wanted(folder: Path, mcp_url: str, collector: Collector) -> None:
    turns = (call("mcp__play__echo", {"text": "x"}), text("an answer"))
    config = with_server(folder, mcp_url) + told_to(collector, "content = true\n")
    async with gateway(folder, *turns, config=config) as play:
        await play.events(messages=ASKED["messages"], system="be kind")
    first, second = [span.attributes for span in collector.spans if span.name == "chat m"]
    assert SECRET in first["gen_ai.input.messages"]
    assert "be kind" in first["gen_ai.system_instructions"]
    assert "mcp__play__echo" in first["gen_ai.output.messages"]
    assert "an answer" in second["gen_ai.output.messages"]
    (tool,) = [span.attributes for span in collector.spans if span.name.startswith("execute_tool")]
    assert tool["gen_ai.tool.call.arguments"] == '{"text":"x"}'
    assert "echo x" in tool["gen_ai.tool.call.result"]


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/chat/completions"], ids=["translated", "relayed"])
async def test_a_failure_is_told_by_its_kind(folder: Path, collector: Collector, path: str) -> None:
    config = "[server]\nretries = 0\n" + told_to(collector)
    async with gateway(folder, error("overloaded", SECRET, status=529), config=config) as play:
        answer = await play.http.post(path, json=ASKED)
        chat, request = await collector.named("chat m"), await collector.named(f"POST {path}")
    assert (chat.error, chat.attributes["error.type"]) == ("overloaded", "overloaded")
    assert request.attributes["http.response.status_code"] == answer.status_code
    assert request.attributes["error.type"] == str(answer.status_code)
    assert not any(SECRET in str(span) for span in collector.spans)


async def test_every_model_that_was_tried_has_its_span(folder: Path, collector: Collector) -> None:
    route = '[server.routes.default]\nmodel = "up/a"\nfallbacks = ["up/b"]\n' + told_to(collector)
    async with gateway(folder, error("overloaded", status=529), text("the other"), config=route) as play:
        await play.http.post("/v1/messages", json=ASKED)
        request = await collector.named("POST /v1/messages")
        assert collector.below(request) == {"chat a", "chat b"}
        assert ((await collector.named("chat a")).error, (await collector.named("chat b")).error) == ("overloaded", "")


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/chat/completions"], ids=["translated", "relayed"])
async def test_an_answer_that_its_client_left_is_cancelled(folder: Path, collector: Collector, path: str) -> None:
    gate = Gate()
    async with gateway(folder, text("begun") + pause(gate), config=told_to(collector)) as play:
        async with play.http.stream("POST", path, json={**ASKED, "stream": True}) as answer:
            await anext(answer.aiter_bytes())
        chat, request = await collector.named("chat m"), await collector.named(f"POST {path}")
    assert (chat.error, request.error) == ("cancelled", "cancelled")


async def test_a_collector_that_hangs_or_fails_holds_nothing_up(folder: Path) -> None:
    async with collecting(status=500) as collector:
        collector.held.clear()
        async with asyncio.timeout(20), gateway(folder, text("one"), text("two"), config=told_to(collector)) as play:
            assert (await play.http.post("/v1/messages", json=ASKED)).status_code == 200
            await until(lambda: collector.posts > 0)
            assert (await play.http.post("/v1/messages", json=ASKED)).status_code == 200


async def test_what_is_left_is_sent_when_the_server_stops(
    folder: Path, collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OTEL_BSP_SCHEDULE_DELAY", "600000")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
    monkeypatch.setenv("OTEL_SERVICE_NAME", "ours")
    async with gateway(folder, text("one")) as play:
        await play.http.post("/v1/messages", json=ASKED)
        assert not collector.spans
    assert {span.name for span in collector.spans} == {"POST /v1/messages", "chat m"}
    assert collector.services == {"ours"}


@pytest.mark.parametrize(
    "variables", [{}, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1", "OTEL_SDK_DISABLED": "true"}]
)
def test_nothing_of_it_is_loaded_where_nobody_asked_for_it(folder: Path, variables: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(folder)],
        env={"PATH": "/usr/bin:/bin", "HOME": str(folder), **variables},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (0, "[]"), done.stderr


SCRIPT = """
import asyncio, sys
from pathlib import Path
from toolpost.server.serve import opened
from toolpost.server.settings import ServerSettings
from toolpost.testing import ScriptedModel
from toolpost.workspace import Workspace

async def main():
    workspace = Workspace(Path(sys.argv[1]), trusted=True)
    async with opened(workspace, ScriptedModel(), ServerSettings(), "a-token-for-the-tests"):
        print([name for name in sys.modules if name.startswith("opentelemetry")])

asyncio.run(main())
"""
