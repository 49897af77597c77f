"""How a model is asked for calls: a server that refuses tools, a model that writes them, and what is remembered."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolpost import Agent, OpenAIChat, tool
from toolpost.models.contract import ModelRequest
from toolpost.models.prompted.adapter import Prompted
from toolpost.models.provider_errors import model_error
from toolpost.models.resolve import ModelConfig, ProviderConfig, resolve
from toolpost.models.tool_mode import Asking, AutoMode, ModeFindings, refuses_tools
from toolpost.testing import Turn, Upstream, call, http_error, reasoning, text, turn
from toolpost.types.errors import ConfigError, ModelError
from toolpost.types.messages import Message, TextPart
from toolpost.types.stream import Finish, StreamEvent, TextDelta, TextEnd, TextStart, ToolCall
from toolpost.types.tool_spec import ToolSpec

ADD = ToolSpec(
    "add", "Add.", {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}}
)  # fmt: skip
HI = Message("u", "user", (TextPart("Add 1 and 2."),))
WRITTEN = '<tool_call>{"name": "add", "arguments": {"a": 1, "b": 2}}</tool_call>'
REFUSALS = {
    "Ollama": (400, "registry.ollama.ai/library/gemma3:4b does not support tools"),
    "vLLM": (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
    "llama.cpp": (500, "tools param requires --jinja flag"),
    "LM Studio": (400, "Model does not support function calling"),
    "OpenRouter": (404, "No endpoints found that support tool use."),
    "Gemini": (400, "Function calling is not enabled for models/gemma-3-27b-it"),
    "a strict server": (422, "Unrecognized request argument supplied: tools"),
    "a Chinese server": (400, "该模型不支持工具调用"),
}
OTHER_FAULTS = [
    "Invalid 'tools[0].function.name': string does not match pattern",
    "parallel_tool_calls is not supported",
    "this model does not support parallel tool calls",
    "deepseek-reasoner does not support this tool_choice",
    "the model does not support image input",
    "An assistant message with 'tool_calls' must be followed by tool messages",
    "Invalid schema for function 'x': 'additionalProperties' is required",
]


def request(**options: Any) -> ModelRequest:
    return ModelRequest([HI], tools=options.pop("tools", [ADD]), **options)


@pytest.fixture
def kept(tmp_path: Path) -> Callable[[], ModeFindings]:
    """What a new process would read."""
    return lambda: ModeFindings(tmp_path / "data" / "models.json")


def auto(up: Upstream, findings: ModeFindings, name: str = "m") -> AutoMode:
    native = OpenAIChat(name, base_url=up.base_url)
    return AutoMode(native, lambda: Prompted(native), findings, f"{up.base_url} {name}")


async def ask(model: Any, wanted: ModelRequest | None = None) -> list[StreamEvent]:
    return [event async for event in model.stream(wanted or request())]


def calls(events: list[StreamEvent]) -> list[tuple[str, dict[str, Any]]]:
    return [(event.name, event.arguments) for event in events if isinstance(event, ToolCall)]


def shown(events: list[StreamEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


@pytest.mark.parametrize("server", REFUSALS)
async def test_a_server_that_refuses_tools_is_asked_in_words_in_the_same_turn(
    server: str, kept: Callable[[], ModeFindings]
) -> None:
    status, message = REFUSALS[server]
    async with Upstream(http_error(status, {"error": {"message": message}}), turn(text(WRITTEN))) as up:
        events = await ask(auto(up, kept()))
        assert calls(events) == [("add", {"a": 1, "b": 2})]
        assert isinstance(events[-1], Finish)
        assert events[-1].reason == "tool-calls"
        assert ["tools" in one.body for one in up.requests] == [True, False]


async def test_what_a_server_refused_once_is_remembered_by_a_new_process(kept: Callable[[], ModeFindings]) -> None:
    refusal = http_error(400, {"error": {"message": "m does not support tools"}})
    async with Upstream(refusal, turn(text("hi")), turn(text("hi"))) as up:
        await ask(auto(up, kept()))
        again = auto(up, kept())
        assert again.mode == "prompted"
        await ask(again)
        assert ["tools" in one.body for one in up.requests] == [True, False, False]
        assert auto(up, kept(), "another").mode == "native"


@pytest.mark.parametrize("message", OTHER_FAULTS)
async def test_other_faults_are_not_taken_for_a_refusal(message: str, kept: Callable[[], ModeFindings]) -> None:
    async with Upstream(http_error(400, {"error": {"message": message}})) as up:
        model = auto(up, kept())
        with pytest.raises(ModelError):
            await ask(model)
        assert model.mode == "native"


def test_a_refusal_is_one_only_where_the_request_was_at_fault() -> None:
    assert not refuses_tools(model_error("rate_limit", "tools are not supported on the free tier"))


async def test_a_call_that_a_native_model_wrote_as_text_is_made_all_the_same(kept: Callable[[], ModeFindings]) -> None:
    async with Upstream(turn(text(f"One moment.\n{WRITTEN}", chunk=5))) as up:
        model = auto(up, kept())
        events = await ask(model)
    assert calls(events) == [("add", {"a": 1, "b": 2})]
    assert shown(events).strip() == "One moment."
    assert events[-1].reason == "tool-calls"  # type: ignore[union-attr]
    assert model.mode == "native"


async def test_a_model_that_writes_its_calls_again_and_again_is_asked_in_words(
    kept: Callable[[], ModeFindings],
) -> None:
    written, fine = turn(text(WRITTEN)), turn(text("3"))
    async with Upstream(written, fine, fine, written, written) as up:
        model = auto(up, kept())
        for _ in range(4):
            assert model.mode == "native"
            await ask(model)
        assert model.mode == "prompted"
        assert calls(await ask(model)) == [("add", {"a": 1, "b": 2})]
        assert ["tools" in one.body for one in up.requests] == [True] * 4 + [False]


async def test_a_call_that_is_also_made_natively_is_made_once(kept: Callable[[], ModeFindings]) -> None:
    async with Upstream(turn(text(f"I call {WRITTEN}") + call("add", {"b": 2, "a": 1}))) as up:
        assert calls(await ask(auto(up, kept()))) == [("add", {"b": 2, "a": 1})]


@pytest.mark.parametrize("chunk", [1, 3, 1000])
async def test_an_answer_of_a_native_model_stays_one_text(chunk: int, kept: Callable[[], ModeFindings]) -> None:
    answer = '  So:\n\n```json\n{"a": [1]}\n```\nand `<tool_call>` begins a call, a < b.'
    async with Upstream(turn(reasoning("hm") + text(answer, chunk=chunk))) as up:
        events = await ask(auto(up, kept()))
    assert shown(events) == answer
    assert len([event for event in events if isinstance(event, TextStart | TextEnd)]) == 2
    assert calls(events) == []


async def test_a_call_in_the_thought_of_a_native_model_that_says_nothing_else_is_made(
    kept: Callable[[], ModeFindings],
) -> None:
    async with Upstream(turn(reasoning(f"So: {WRITTEN}"))) as up:
        assert calls(await ask(auto(up, kept()))) == [("add", {"a": 1, "b": 2})]


async def test_a_family_without_calls_is_asked_in_words_at_once(kept: Callable[[], ModeFindings]) -> None:
    async with Upstream(turn(text("hi"))) as up:
        await ask(auto(up, kept(), "gemma3:4b"))
        assert "tools" not in up.requests[0].body


async def test_the_conversation_goes_on_in_words_where_it_began_natively(kept: Callable[[], ModeFindings]) -> None:
    @tool
    def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    refusal: Turn = http_error(400, {"error": {"message": "this model does not support tools"}})
    async with Upstream(turn(call("add", {"a": 1, "b": 2})), refusal, turn(text("It is 3."))) as up:
        result = await Agent(auto(up, kept()), tools=[add]).run("Add 1 and 2.")
        assert result.text == "It is 3."
        assert result.steps == 2
        told = up.requests[2].body["messages"]
        assert [message["role"] for message in told] == ["system", "user", "assistant", "user"]
        assert "add returned:\n3" in told[3]["content"]


def test_findings_survive_a_file_that_makes_no_sense(tmp_path: Path) -> None:
    path = tmp_path / "models.json"
    path.write_text("{ not JSON")
    findings = ModeFindings(path)
    assert findings.of("x") is None
    findings.keep("x", "prompted", "why")
    found = ModeFindings(path).of("x")
    assert found is not None
    assert found.mode == "prompted"


def test_findings_of_two_processes_are_both_kept(tmp_path: Path) -> None:
    one, two = ModeFindings(tmp_path / "f.json"), ModeFindings(tmp_path / "f.json")
    assert one.of("a") is None
    assert two.of("b") is None
    one.keep("a", "prompted", "")
    two.keep("b", "native", "")
    assert ModeFindings(tmp_path / "f.json").of("a") is not None


def test_the_settings_of_a_model_go_before_those_of_its_provider() -> None:
    own = ProviderConfig(
        base_url="http://127.0.0.1:1/v1",
        asking=Asking("prompted", dialect="react"),
        models={"a": ModelConfig(asking=Asking("native")), "b": ModelConfig(asking=Asking(dialect="hermes"))},
    )
    providers = {"mine": own}
    assert isinstance(resolve("mine/a", providers=providers, environ={}), OpenAIChat)
    b = resolve("mine/b", providers=providers, environ={})
    assert isinstance(b, Prompted)
    assert b.dialect == "hermes"
    c = resolve("mine/c", providers=providers, environ={})
    assert isinstance(c, Prompted)
    assert c.dialect == "react"
    assert isinstance(resolve("mine/c", providers=providers, environ={}, asking=Asking("auto")), AutoMode)


def test_makers_of_models_are_asked_natively_and_servers_of_any_model_as_it_turns_out() -> None:
    environ = {"OPENAI_API_KEY": "k", "ANTHROPIC_API_KEY": "k", "ARK_API_KEY": "k"}
    assert not isinstance(resolve("openai/gpt-5-mini", environ=environ), AutoMode)
    assert not isinstance(resolve("anthropic/claude-haiku-4-5", environ=environ), AutoMode)
    assert isinstance(resolve("ark/doubao-seed-1-6", environ=environ), AutoMode)
    assert isinstance(resolve("ollama/qwen3:8b", environ=environ), AutoMode)


def test_a_wrong_dialect_in_the_settings_is_told_at_once() -> None:
    with pytest.raises(ConfigError, match="did you mean hermes"):
        resolve("ollama/x", environ={}, asking=Asking(dialect="hermez"))
