"""Encode requests for Anthropic Messages. Each message is encoded once; its turns are joined and marked afterwards.

A conversation that came over this very wire goes out as it came: what parts have no field for is in their metadata,
as `fields` of the block, or as the whole `block`.
"""

import re
from collections.abc import Sequence
from typing import Any, ClassVar, cast

from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import ModelRequest
from toolpost.models.message_parts import (
    arguments_of,
    digest,
    encode,
    is_image,
    is_own,
    mime_of,
    note,
    result_text,
    text_of,
    wire_name,
)
from toolpost.models.request_writer import RequestWriter, assemble
from toolpost.models.schemas.provider_schema import spec_for
from toolpost.types.messages import (
    CompactionPart,
    Completed,
    FilePart,
    Message,
    Part,
    ReasoningPart,
    TextPart,
    ToolPart,
)
from toolpost.types.tool_spec import ToolSpec

DEFAULT_MAX_TOKENS = 8192
# The first version that refuses temperature, top_p and top_k whatever their value.
NO_SAMPLING_SINCE = "2026-10-21"
LEAST_BUDGET = 1024
BUDGETS = {"minimal": 1024, "low": 1024, "medium": 8192, "high": 16_384, "xhigh": 32_768, "max": 32_768}

_EPHEMERAL = {"type": "ephemeral"}
_MARK = b',"cache_control":{"type":"ephemeral"}'
_GOOD_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_GO_ON = b'\x02U{"type":"text","text":"Go on."}\x03U'
# A turn stands between \x02 and \x03, each with its role: JSON never holds these bytes, so turns can be told apart and
# neighbours of one role made one without decoding anything.
_JOINTS = (
    (b"\x03U,\x02U", b","),
    (b"\x03A,\x02A", b","),
    (b"\x03A,\x02U", b']},{"role":"user","content":['),
    (b"\x03U,\x02A", b']},{"role":"assistant","content":['),
)


class AnthropicRequestWriter(RequestWriter):
    # Options all. Newer models take one of temperature and top_p: the first is kept.
    refusable: ClassVar = {
        "top_p": re.compile(r"\btop_p\b"),
        "top_k": re.compile(r"\btop_k\b"),
        "temperature": re.compile(r"\btemperature\b"),
        "reasoning_effort": re.compile(r"budget_tokens|thinking\.type|adaptive"),
    }

    def __init__(self, settings: AdapterSettings, *, version: str = "") -> None:
        super().__init__(settings)
        self._max_output = settings.max_output
        if version >= NO_SAMPLING_SINCE:
            self._refused |= {"temperature", "top_p", "top_k"}

    def body(self, request: ModelRequest, *, said: bytes = b"") -> bytes:
        """`said` are the blocks of a turn that the server paused."""
        fields = self._fields(request)
        # What the user says about caching holds: theirs for all, or none.
        marked = "cache_control" not in fields
        if not fields.get("cache_control"):
            fields.pop("cache_control", None)
        fields.setdefault("system", _system(request.system, marked))
        if not fields["system"]:
            del fields["system"]
        tools = self._offered(request, fields, marked)
        conversation = self._conversation(request, said, marked)
        return assemble(fields, "messages", [b'{"role":"user","content":[', conversation, b"]}"], tools)

    def message(self, message: Message) -> bytes:
        """One message as turns; an assistant's calls are followed by their results, all in one turn of the user."""
        if message.role == "user":
            spoken = [part for part in message.parts if isinstance(part, TextPart | FilePart | CompactionPart)]
            return _turn(b"U", [block for part in spoken if (block := _spoken(part))])
        own = is_own(message, self._provider)
        blocks = [block for part in message.parts for block in self._blocks(part, message, own)]
        if not own:
            # Another model may have spoken after its calls; here they come last.
            blocks.sort(key=lambda block: block["type"] == "tool_use")
        if all(block["type"] in ("thinking", "redacted_thinking") for block in blocks):
            return b""
        ours = [call for call in message.calls if not (own and "block" in _kept(call))]
        results = [_result(call, _call_id(call, message, own)) for call in ours]
        return b",".join(filter(None, [_turn(b"A", blocks), _turn(b"U", results)]))

    def _was_sent(self, name: str, request: ModelRequest) -> bool:
        return self._given(request)[0].get(name) is not None

    def _tool(self, tool: ToolSpec) -> bytes:
        told = spec_for(tool, "anthropic")
        wire = {"name": told.name, "description": told.description, "input_schema": told.parameters}
        return encode({**wire, **(tool.metadata or {}).get("anthropic", {})})

    def _fields(self, request: ModelRequest) -> dict[str, Any]:
        options, extra = self._given(request)
        fields: dict[str, Any] = {"model": self._model, "stream": True}
        parallel, limit = options.pop("parallel_tool_calls", None), options.pop("max_tokens", None)
        effort, stop = options.pop("reasoning_effort", None), options.pop("stop", None)
        options.pop("seed", None)
        fields |= {name: value for name, value in options.items() if value is not None and name not in self._refused}
        if fields.get("temperature", 0) > 1:
            fields["temperature"] = 1
        if stop:
            fields["stop_sequences"] = [stop] if isinstance(stop, str) else [text for text in stop if text.strip()]
        fields["max_tokens"] = limit or self._max_output or DEFAULT_MAX_TOKENS
        choice = _tool_choice(request, parallel)
        if choice:
            fields["tool_choice"] = choice
        # A call cannot be forced upon a model that thinks. Who says in so many words how to think is taken at that.
        if request.tool_choice != "required" and "thinking" not in extra:
            self._think(fields, effort, fixed=bool(limit or self._max_output))
        return self._extended(fields, extra)

    def _think(self, fields: dict[str, Any], effort: Any, *, fixed: bool) -> None:
        budget = BUDGETS.get(str(effort))
        if budget is None:
            return
        if "reasoning_effort" in self._refused:
            fields["thinking"] = {"type": "adaptive"}
            fields["output_config"] = {"effort": "low" if effort == "minimal" else effort}
            return
        # Thinking counts towards max_tokens; where that is given, half of it stays for the answer.
        if fixed:
            budget = min(budget, fields["max_tokens"] // 2)
        else:
            fields["max_tokens"] = budget + DEFAULT_MAX_TOKENS
        if budget < LEAST_BUDGET:
            return
        fields["thinking"] = {"type": "enabled", "budget_tokens": budget}
        fields.pop("temperature", None)
        fields.pop("top_k", None)
        if fields.get("top_p", 1) < 0.95:
            del fields["top_p"]

    def _offered(self, request: ModelRequest, fields: dict[str, Any], marked: bool) -> bytes:
        """Our tools; those of `extra` are among the fields, and run at the provider."""
        tools = self._tools.of(request.tools)
        if not tools and not fields.get("tools"):
            called = {call.name: None for message in request.messages for call in message.calls}
            if called:
                # A conversation with calls in it is refused without tools, even where no more calls are wanted.
                fields["tool_choice"] = {"type": "none"}
            tools = b",".join(self._tool(ToolSpec(wire_name(name), "Not available now.", {})) for name in called)
        return tools[:-1] + _MARK + b"}" if tools and marked else tools

    def _conversation(self, request: ModelRequest, said: bytes, marked: bool) -> bytes:
        """All turns: the user's first and last, no two of one role side by side, the user's last two marked."""
        turns = bytes(request.memo.join(request.messages, self.message))
        if not turns.startswith(b"\x02U"):
            turns = _GO_ON + b"," + turns if turns else _GO_ON
        if marked:
            turns = _mark_last_two(turns)
        if said:
            turns += b",\x02A" + said + b"\x03A"
        elif turns.endswith(b"A"):
            turns += b"," + _GO_ON
        for joint, written in _JOINTS:
            turns = turns.replace(joint, written)
        return turns[2:-2]

    def _blocks(self, part: Part, message: Message, own: bool) -> list[dict[str, Any]]:
        kept = _kept(part) if own else {}
        if "block" in kept:
            # A call that ran at the server has its result beside it.
            return [block for name in ("block", "result") if (block := kept.get(name))]
        if isinstance(part, ToolPart):
            call_id, name = _call_id(part, message, own), wire_name(part.name)
            block = {"type": "tool_use", "id": call_id, "name": name, "input": arguments_of(part.state)}
            return [{**block, **kept.get("fields", {})}]
        if isinstance(part, ReasoningPart):
            block = _thinking(part) if own else None
            return [block] if block else []
        text = text_of(part)
        return [{"type": "text", "text": text, **kept.get("fields", {})}] if text.strip() else []


def _turn(role: bytes, blocks: Sequence[dict[str, Any]]) -> bytes:
    return b"\x02" + role + b",".join(map(encode, blocks)) + b"\x03" + role if blocks else b""


def _mark_last_two(turns: bytes) -> bytes:
    """Mark the last block of the user's last two turns: the later one is written to the cache, the other read."""
    end, marked = len(turns), 0
    while marked < 2 and (end := turns.rfind(b"\x03U", 0, end)) >= 0:
        if not turns.startswith(b",\x02U", end + 2):
            turns = turns[: end - 1] + _MARK + turns[end - 1 :]
            marked += 1
    return turns


def _system(parts: Sequence[str], marked: bool) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": part} for part in parts if part.strip()]
    if blocks and marked:
        blocks[0]["cache_control"] = _EPHEMERAL
    return blocks


def _tool_choice(request: ModelRequest, parallel: Any) -> dict[str, Any] | None:
    if not request.tools:
        return None
    choice: dict[str, Any] = {"type": {"auto": "auto", "required": "any", "none": "none"}[request.tool_choice]}
    if parallel is False and request.tool_choice != "none":
        choice["disable_parallel_tool_use"] = True
    return None if choice == {"type": "auto"} else choice


def _kept(part: Part) -> dict[str, Any]:
    """What came with a part over this wire and goes back with it."""
    metadata = part.metadata if isinstance(part, TextPart | ReasoningPart | FilePart | ToolPart) else None
    kept: Any = (metadata or {}).get("anthropic")
    return cast("dict[str, Any]", kept) if isinstance(kept, dict) else {}


def _spoken(part: TextPart | FilePart | CompactionPart) -> dict[str, Any] | None:
    kept = _kept(part)
    if "block" in kept:
        return kept["block"]
    if isinstance(part, FilePart):
        return _file(part) or {"type": "text", "text": note(part)}
    text = text_of(part)
    return {"type": "text", "text": text, **kept.get("fields", {})} if text.strip() else None


def _file(part: FilePart) -> dict[str, Any] | None:
    """The file as this wire carries it, if it does."""
    source = {"type": "base64", "media_type": mime_of(part), "data": part.data}
    if not part.data:
        source = {"type": "url", "url": part.url}
    if is_image(part):
        return {"type": "image", "source": source}
    if mime_of(part) == "application/pdf" and (part.data or part.url):
        block = {"type": "document", "source": source}
        return {**block, "title": part.name} if part.name else block
    return None


def _thinking(part: ReasoningPart) -> dict[str, Any] | None:
    """Thinking goes back exactly as it was signed; without a signature it is refused, so it stays here."""
    kept = _kept(part)
    if data := kept.get("redacted"):
        return {"type": "redacted_thinking", "data": data}
    if signature := kept.get("signature"):
        return {"type": "thinking", "thinking": part.text, "signature": signature}
    return None


def _call_id(call: ToolPart, message: Message, own: bool) -> str:
    """Ids must be unique in a conversation; those of other providers need not be, and may hold other letters."""
    if own and _GOOD_ID.fullmatch(call.call_id):
        return call.call_id
    return "toolu_" + digest(f"{message.id} {call.call_id}", 24)


def _result(call: ToolPart, call_id: str) -> dict[str, Any]:
    wire: dict[str, Any] = {"type": "tool_result", "tool_use_id": call_id, **_kept(call).get("result_fields", {})}
    if not isinstance(call.state, Completed):
        return {**wire, "content": _result_text(call), "is_error": True}
    blocks = [block for part in call.state.content if (block := _spoken(part))]
    if all(block.keys() == {"type", "text"} for block in blocks):
        return {**wire, "content": _result_text(call)}
    return {**wire, "content": blocks}


def _result_text(call: ToolPart) -> str:
    return result_text(call.state, lambda part: _file(part) is not None)
