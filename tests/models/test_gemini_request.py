"""The bodies that the Gemini adapter writes, read back as a server reads them."""

import base64
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from schema_checkers import check_gemini, check_gemini_json
from strategies import messages
from wire_play import DONE, PNG, user

from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import ModelRequest, WireMemo
from toolpost.models.gemini.model import Gemini
from toolpost.models.gemini.request import UNSIGNED, GeminiRequestWriter
from toolpost.models.message_parts import INTERRUPTED
from toolpost.testing import Upstream, call, http_error, text
from toolpost.types.messages import (
    CallState,
    Completed,
    Failed,
    FilePart,
    Message,
    Part,
    Pending,
    ReasoningPart,
    Running,
    StepFinish,
    StepStart,
    TextPart,
    ToolPart,
)
from toolpost.types.stream import Finish, ToolCall
from toolpost.types.tool_spec import ToolSpec

ADD = ToolSpec("add", "Add.", {"type": "object", "properties": {"a": {"const": 5}}, "additionalProperties": False})
NOW = ToolSpec("now", "The time.", {"type": "object", "properties": {}})
MODEL = "gemini-3-pro"


def body(
    *said: Message, model: str = MODEL, writer: GeminiRequestWriter | None = None, **options: Any
) -> dict[str, Any]:
    return msgspec.json.decode(
        (writer or GeminiRequestWriter(AdapterSettings(model, "gemini"))).body(ModelRequest(said, **options))
    )


def contents(*said: Message, model: str = MODEL) -> list[dict[str, Any]]:
    return body(*said, model=model)["contents"]


def assistant(*parts: Part, model: str = f"gemini/{MODEL}") -> Message:
    return Message("a", "assistant", parts, model=model)


def made(state: CallState, call_id: str = "c1", metadata: dict[str, Any] | None = None) -> ToolPart:
    return ToolPart(call_id, "add", state, metadata=metadata)


def kept(**fields: Any) -> dict[str, Any]:
    return {"gemini": fields}


def test_a_conversation_with_a_call() -> None:
    said = assistant(
        StepStart(1, "gemini/m"),
        ReasoningPart("hm", kept(signature="t")),
        ReasoningPart("unsigned"),
        TextPart("let me see"),
        made(DONE, metadata=kept(id=True, signature="s")),
        StepFinish("tool-calls"),
    )
    sent = body(user(TextPart("1+1?")), said, system=["be brief", "you are here"], tools=[ADD])
    assert sent == {
        "systemInstruction": {"parts": [{"text": "be brief"}, {"text": "you are here"}]},
        "contents": [
            {"role": "user", "parts": [{"text": "1+1?"}]},
            {
                "role": "model",
                "parts": [
                    {"text": "hm", "thought": True, "thoughtSignature": "t"},
                    {"text": "let me see"},
                    {"functionCall": {"name": "add", "args": {"a": 1}, "id": "c1"}, "thoughtSignature": "s"},
                ],
            },
            {
                "role": "user",
                "parts": [{"functionResponse": {"name": "add", "response": {"output": "2"}, "id": "c1"}}],
            },
        ],
        "tools": [
            {
                "functionDeclarations": [
                    {
                        "name": "add",
                        "description": "Add.",
                        "parametersJsonSchema": {
                            "type": "object",
                            "properties": {"a": {"type": "integer", "enum": [5]}},
                            "additionalProperties": False,
                        },
                    }
                ]
            }
        ],
    }


def signatures(*said: Message, model: str = MODEL) -> list[str | None]:
    parts = [part for content in contents(user(TextPart("x")), *said, model=model) for part in content["parts"]]
    return [part.get("thoughtSignature") for part in parts if "functionCall" in part]


def test_of_calls_made_together_only_the_first_is_signed() -> None:
    assert signatures(assistant(made(DONE, metadata=kept(signature="s")), made(DONE, "c2"))) == ["s", None]


@pytest.mark.parametrize("model", ["openai/gpt", "gemini/gemini-2.5-pro", ""])
def test_the_first_call_of_another_model_gets_the_sentinel_instead_of_a_signature(model: str) -> None:
    said = assistant(made(DONE, metadata=kept(signature="s", id=True)), made(DONE, "c2"), model=model)
    assert signatures(said) == [UNSIGNED, None]
    assert "id" not in contents(said)[1]["parts"][0]["functionCall"]


def test_an_older_model_gets_no_sentinel() -> None:
    assert signatures(assistant(made(DONE), model="openai/gpt"), model="gemini-2.5-flash") == [None]


@pytest.mark.parametrize(
    ("state", "response", "arguments"),
    [
        (Pending('{"a":1}'), {"error": INTERRUPTED}, {"a": 1}),
        (Running({"a": 1}, 0), {"error": INTERRUPTED}, {"a": 1}),
        (Failed("denied", "not allowed", {"a": 1}), {"error": "not allowed"}, {"a": 1}),
        (Failed("truncated", "cut", None, '{"a"'), {"error": "cut"}, {}),
        (Completed({}, (), 0, 1), {"output": "(no output)"}, {}),
    ],
)
def test_every_call_has_arguments_and_one_result(
    state: CallState, response: dict[str, str], arguments: dict[str, Any]
) -> None:
    _, called, result = contents(user(TextPart("x")), assistant(made(state)))
    assert called["parts"][0]["functionCall"] == {"name": "add", "args": arguments}
    assert result["parts"] == [{"functionResponse": {"name": "add", "response": response}}]


SHOT = Completed({}, (TextPart("taken"), PNG), 0, 1)
INLINE = {"inlineData": {"mimeType": "image/png", "data": "iVBORw=="}}


def test_an_image_of_a_result_stays_in_it() -> None:
    result = contents(user(TextPart("x")), assistant(made(SHOT)))[2]["parts"][0]["functionResponse"]
    assert result["parts"] == [INLINE]
    assert result["response"] == {"output": "taken\n[image a.png (image/png)]"}


def test_an_older_model_gets_the_image_after_all_results() -> None:
    wire = contents(user(TextPart("x")), assistant(made(SHOT), made(DONE, "c2")), model="gemini-2.5-flash")
    assert [len(content["parts"]) for content in wire] == [1, 2, 2, 2]
    assert wire[3] == {"role": "user", "parts": [{"text": "From the call of add:"}, INLINE]}


def test_files_of_a_user() -> None:
    note = FilePart("text/plain", data=base64.b64encode(b"hello").decode(), name="n.txt")
    files = [PNG, FilePart("application/pdf", data="JVBERg=="), FilePart("video/mp4", url="https://x.test/v.mp4"), note]
    assert contents(user(TextPart("look"), *files))[0]["parts"] == [
        {"text": "look"},
        INLINE,
        {"inlineData": {"mimeType": "application/pdf", "data": "JVBERg=="}},
        {"fileData": {"mimeType": "video/mp4", "fileUri": "https://x.test/v.mp4"}},
        {"text": "n.txt:\nhello"},
    ]


def test_an_image_that_the_model_made_goes_back_with_its_signature_to_it_alone() -> None:
    made_image = FilePart("image/png", data="iVBORw==", metadata={"gemini": {"signature": "s"}})
    own, other = (
        contents(user(TextPart("x")), assistant(made_image, model=model)) for model in (f"gemini/{MODEL}", "x/y")
    )
    assert own[1] == {"role": "model", "parts": [{**INLINE, "thoughtSignature": "s"}]}
    assert other[1] == {"role": "model", "parts": [INLINE]}


def test_two_turns_of_the_model_side_by_side_become_one_and_the_user_comes_first() -> None:
    wire = contents(assistant(TextPart("a")), assistant(TextPart("b\x03"), made(DONE)), user(TextPart("c")))
    assert [content["role"] for content in wire] == ["user", "model", "user", "user"]
    assert [part.get("text") for part in wire[1]["parts"]] == ["a", "b\x03", None]


def test_options_have_their_names_on_this_wire() -> None:
    options = {
        "temperature": 0.5,
        "top_p": 0.9,
        "top_k": 5,
        "max_tokens": 100,
        "stop": "x",
        "seed": 1,
        "parallel_tool_calls": False,
        "extra": {"generationConfig": {"responseMimeType": "application/json"}, "safetySettings": []},
    }
    sent = body(user(TextPart("hi")), options=options)
    assert sent["generationConfig"] == {
        "temperature": 0.5,
        "topP": 0.9,
        "topK": 5,
        "maxOutputTokens": 100,
        "stopSequences": ["x"],
        "seed": 1,
        "responseMimeType": "application/json",
    }
    assert sent.keys() == {"generationConfig", "safetySettings", "contents"}


@pytest.mark.parametrize(
    ("model", "effort", "thinking"),
    [
        (MODEL, "low", {"thinkingLevel": "low", "includeThoughts": True}),
        (MODEL, "xhigh", {"thinkingLevel": "high", "includeThoughts": True}),
        ("gemini-2.5-flash", "medium", {"thinkingBudget": 8192, "includeThoughts": True}),
        ("gemini-2.5-flash", "none", {"thinkingBudget": 0, "includeThoughts": False}),
    ],
)
def test_effort_is_a_level_or_for_older_models_a_budget(model: str, effort: str, thinking: dict[str, Any]) -> None:
    sent = body(user(TextPart("hi")), model=model, options={"reasoning_effort": effort})
    assert sent["generationConfig"]["thinkingConfig"] == thinking


@pytest.mark.parametrize(("choice", "mode"), [("required", "ANY"), ("none", "NONE")])
def test_tool_choice_is_a_mode(choice: Any, mode: str) -> None:
    assert body(tools=[ADD], tool_choice=choice)["toolConfig"] == {"functionCallingConfig": {"mode": mode}}
    assert "toolConfig" not in body(tools=[ADD])
    assert "toolConfig" not in body(tool_choice=choice)


def test_a_tool_without_parameters_has_no_schema_and_tools_of_the_provider_stand_behind_ours() -> None:
    sent = body(tools=[NOW], options={"extra": {"tools": [{"googleSearch": {}}]}})
    assert sent["tools"] == [
        {"functionDeclarations": [{"name": "now", "description": "The time."}]},
        {"googleSearch": {}},
    ]


def test_schemas_are_in_the_dialect_that_the_server_takes() -> None:
    writer = GeminiRequestWriter(AdapterSettings(MODEL, "gemini"))
    first = body(writer=writer, tools=[ADD])["tools"][0]["functionDeclarations"][0]
    check_gemini_json(first["parametersJsonSchema"])
    assert writer.gives_way('Unknown name "parametersJsonSchema"', ModelRequest([]))
    second = body(writer=writer, tools=[ADD])["tools"][0]["functionDeclarations"][0]
    check_gemini(second["parameters"])
    assert second["parameters"]["properties"]["a"] == {"type": "integer", "description": "Always 5."}


async def test_the_signature_of_a_call_goes_back_with_it() -> None:
    """Gemini 3 answers 400 without it."""
    async with Upstream(call("add", {"a": 5}, id="c1"), text("done")) as up:
        model = Gemini(MODEL, base_url=up.url)
        asked = user(TextPart("x"))
        events = [event async for event in model.stream(ModelRequest([asked], tools=[ADD]))]
        (found,) = [event for event in events if isinstance(event, ToolCall)]
        answered = assistant(made(Completed(found.arguments, (TextPart("5"),), 0, 1), found.id, found.metadata))
        last = [event async for event in model.stream(ModelRequest([asked, answered], tools=[ADD]))][-1]
        assert isinstance(last, Finish)
        echoed = up.requests[1].body["contents"][1]["parts"][0]
    assert echoed == {"functionCall": {"name": "add", "args": {"a": 5}, "id": "c1"}, "thoughtSignature": "signed 1"}


async def test_signatures_that_a_server_refuses_are_left_out_from_then_on() -> None:
    said = assistant(TextPart("so", kept(signature="t")), made(DONE, metadata=kept(signature="bad")))
    async with Upstream(http_error(400, "Corrupted thought signature."), text("x")) as up:
        model = Gemini(MODEL, base_url=up.url)
        request = ModelRequest([user(TextPart("x")), said], memo=WireMemo())
        assert isinstance([event async for event in model.stream(request)][-1], Finish)
        sent = [[part.get("thoughtSignature") for part in r.body["contents"][1]["parts"]] for r in up.requests]
    assert sent == [["t", "bad"], [None, UNSIGNED]]


@settings(deadline=None)
@given(said=st.lists(messages(), max_size=4))
def test_any_conversation_is_json_in_which_every_turn_of_calls_has_as_many_results(said: list[Message]) -> None:
    wire = contents(*said)
    for place, content in enumerate(wire):
        calls = [part for part in content["parts"] if "functionCall" in part]
        if calls and content["role"] == "model":
            following = [part for later in wire[place + 1 :] for part in later["parts"] if "functionResponse" in part]
            assert len(following) >= len(calls)
    assert not wire or wire[0]["role"] == "user"


@settings(deadline=None)
@given(said=st.lists(messages(), min_size=2, max_size=4))
def test_a_memo_changes_nothing_but_the_work(said: list[Message]) -> None:
    writer, memo = GeminiRequestWriter(AdapterSettings("m", "gemini")), WireMemo()
    for size in range(len(said) + 1):
        assert writer.body(ModelRequest(said[:size], memo=memo)) == writer.body(ModelRequest(said[:size]))
