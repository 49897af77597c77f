"""Convert Anthropic request messages to ours: put tool results into their calls, make one message per step."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from toolpost.mcp.names import server_words, tool_names
from toolpost.models.message_parts import INTERRUPTED
from toolpost.server.gateway.wires import checked_values
from toolpost.server.refusals import BadRequest
from toolpost.types.messages import CallState, Completed, Content, Failed, Message, Part, TextPart, ToolPart

from .call_ids import from_wire, is_run_here
from .content_reader import Block, blocks_of, in_words, kept_fields, result_content, spoken, thought, words_of

# The name under which our own tools are shown as a server's.
OWN_SERVER = "toolpost"


class AnthropicConversation:
    """Take the messages one by one; `finish` returns ours. `words` are the servers' words in the names of tools.

    The client's calls wait for their results until the assistant speaks again. Calls that ran at the server have theirs
    in the same message; what follows them is the model's next step.
    """

    def __init__(self, model: str, words: Mapping[str, str]) -> None:
        self.system: list[str] = []
        self._model = model
        self._words = words
        self._said: list[_Step | Message] = []
        self._waiting: dict[str, _Call] = {}
        self._served: dict[str, _Call] = {}
        self._role = ""

    def take(self, turn: dict[str, Any], path: str) -> None:
        role = turn.get("role")
        if role == "assistant":
            if self._role != "assistant":
                self._expect_results()
                self._said.append(_Step())
            for block, where in blocks_of(turn.get("content"), f"{path}.content"):
                self._take_assistant(block, where)
        elif role == "user":
            self._read_user(turn, path)
        elif role == "system":
            self._read_system(turn, path)
        else:
            raise checked_values.wrong(role, f"{path}.role", "user, assistant or system")
        self._role = role

    def finish(self) -> tuple[Message, ...]:
        self._expect_results()
        found: list[Message] = []
        for said in self._said:
            # Ids say the place, so that the same conversation has the same ids again when it has grown.
            message_id = f"msg_{len(found)}"
            if isinstance(said, Message):
                found.append(Message(message_id, said.role, said.parts))
            elif said.parts:
                parts = tuple(part.part() if isinstance(part, _Call) else part for part in said.parts)
                found.append(Message(message_id, "assistant", parts, model=self._model))
        return tuple(found)

    def _read_user(self, turn: dict[str, Any], path: str) -> None:
        parts: list[Content] = []
        for block, where in blocks_of(turn.get("content"), f"{path}.content"):
            if block["type"] == "tool_result":
                self._take_result(block, where)
            elif block["type"] == "tool_use":
                raise BadRequest(f"{where}.type: tool_use is allowed only in assistant messages")
            elif (part := spoken(block, where)) is not None:
                parts.append(part)
        if parts:
            self._said.append(Message("", "user", tuple(parts)))

    def _read_system(self, turn: dict[str, Any], path: str) -> None:
        """Keep the place of a system message between turns, as text that says what it is."""
        content = result_content(turn.get("content"), f"{path}.content")
        if not self._said:
            self.system += [words_of((part,)) for part in content]
        elif content:
            self._said.append(Message("", "user", (TextPart(f"<system>\n{words_of(content)}\n</system>"),)))

    def _take_assistant(self, block: Block, path: str) -> None:
        kind = block["type"]
        if kind == "tool_result":
            self._take_result_here(block, path)
            return
        if kind.endswith("_tool_result") and self._take_served_result(block, path):
            return
        step = self._step()
        if kind == "thinking" or kind == "redacted_thinking":
            step.parts.append(thought(block, path))
        elif kind == "tool_use":
            call = _Call(block, path, checked_values.name(block.get("name"), f"{path}.name"))
            if call.id in self._waiting:
                raise BadRequest(
                    f"{path}.id: another call in this message also has the id {call.id!r}; ids must be unique"
                )
            call.metadata = kept_fields(block, "type", "id", "name", "input")
            self._waiting[call.id] = call
            step.parts.append(call)
        elif kind == "mcp_tool_use":
            self._serve(_Call(block, path, self._mcp_name(block, path)), step)
        elif kind == "server_tool_use":
            call = _Call(block, path, checked_values.name(block.get("name"), f"{path}.name"))
            call.metadata = {"anthropic": {"block": block}}
            self._serve(call, step)
        elif (part := spoken(block, path)) is not None:
            step.parts.append(part)

    def _step(self) -> "_Step":
        step = self._said[-1]
        assert isinstance(step, _Step)
        if step.is_answered:
            step = _Step()
            self._said.append(step)
        return step

    def _serve(self, call: "_Call", step: "_Step") -> None:
        self._served[call.id] = call
        step.parts.append(call)

    def _mcp_name(self, block: Block, path: str) -> str:
        server = checked_values.name(block.get("server_name"), f"{path}.server_name")
        tool = checked_values.name(block.get("name"), f"{path}.name")
        if server == OWN_SERVER:
            return tool
        word = self._words.get(server) or server_words([server])[server]
        return tool_names(word, [tool])[tool]

    def _take_result(self, block: Block, path: str) -> None:
        call_id = checked_values.name(block.get("tool_use_id"), f"{path}.tool_use_id")
        call = self._waiting.pop(call_id, None)
        if call is None and is_run_here(call_id):
            # A client that takes it for one of its own answers it once more, with nothing that we don't know.
            return
        if call is None:
            raise BadRequest(f"{path}.tool_use_id: there is no open tool_use with the id {call_id!r}")
        call.answer(result_content(block.get("content"), f"{path}.content"), bool(block.get("is_error")))
        if kept := kept_fields(block, "type", "tool_use_id", "content", "is_error"):
            call.keep("result_fields", kept["anthropic"]["fields"])

    def _take_result_here(self, block: Block, path: str) -> None:
        """Read the result of a call that ran here and was shown as a `tool_use`: it follows the call in the same
        message."""
        call_id = checked_values.name(block.get("tool_use_id"), f"{path}.tool_use_id")
        if call_id not in self._waiting or not is_run_here(call_id):
            raise BadRequest(f"{path}.type: tool_result must be in the next user message")
        self._take_result(block, path)
        last = self._said[-1]
        assert isinstance(last, _Step)
        last.is_answered = True

    def _take_served_result(self, block: Block, path: str) -> bool:
        """Read the result of a call that ran at a server. Return False if there is no such call: then it is an unknown
        block."""
        call_id = checked_values.name(block.get("tool_use_id"), f"{path}.tool_use_id")
        call = self._served.pop(call_id, None)
        if call is None:
            return False
        if block["type"] == "mcp_tool_result":
            call.answer(result_content(block.get("content"), f"{path}.content"), bool(block.get("is_error")))
        else:
            call.answer((TextPart(in_words(block.get("content")) or "(no output)"),), is_error=False)
            call.keep("result", block)
        last = self._said[-1]
        assert isinstance(last, _Step)
        last.is_answered = True
        return True

    def _expect_results(self) -> None:
        for call in self._waiting.values():
            if not is_run_here(call.id):
                raise BadRequest(f"{call.path}: the next message has no tool_result for the tool_use {call.id!r}")
        # What ran here is known to be over, though a client may not have kept its result.
        self._waiting.clear()


class _Call:
    """A call until its result is known."""

    def __init__(self, block: Block, path: str, name: str) -> None:
        self.id = checked_values.name(block.get("id"), f"{path}.id")
        self.path = path
        self.metadata: dict[str, Any] | None = None
        self._name = name
        given = block.get("input")
        self._arguments = {} if given is None else checked_values.table(given, f"{path}.input")
        self._state: CallState | None = None

    def answer(self, content: tuple[Content, ...], is_error: bool) -> None:
        if is_error:
            self._state = Failed("failed", words_of(content), self._arguments)
        else:
            self._state = Completed(self._arguments, content, 0.0, 0.0)

    def keep(self, name: str, value: Any) -> None:
        held = (self.metadata or {}).get("anthropic", {})
        self.metadata = {"anthropic": {**held, name: value}}

    def part(self) -> ToolPart:
        # Only calls that ran elsewhere can be without a result by now: the stream that they were in was cut.
        state = self._state or Failed("interrupted", INTERRUPTED, self._arguments)
        return ToolPart(from_wire(self.id), self._name, state, metadata=self.metadata)


class _Step(Struct):
    """One turn of the model while it is read. `is_answered`: results of its calls have been read."""

    parts: list[Part | _Call] = []
    is_answered: bool = False
