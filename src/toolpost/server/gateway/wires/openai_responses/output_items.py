"""Write the output items of a response: the events of each, and the whole item for the end."""

from typing import Any

from msgspec import Raw

from toolpost.arguments.parse_json import parse_arguments
from toolpost.models.message_parts import described, encode
from toolpost.server.gateway.output import ServerCall, ServerResult
from toolpost.server.gateway.request import ClientTool
from toolpost.server.gateway.wires.openai.request_reader import line
from toolpost.server.gateway.wires.sealed_reasoning import seal
from toolpost.types.messages import TextPart

_NONE: list[Any] = []


class EventWriter:
    """Writes the events of one response, and numbers them."""

    def __init__(self) -> None:
        self._next = 0

    def write(self, kind: str, **fields: Any) -> bytes:
        return b"event: %s\ndata: %s%s" % (kind.encode(), line({"type": kind, **fields})[:-1], self.tail())

    def head(self, kind: str, where: dict[str, Any]) -> bytes:
        """Return the start of a delta event, up to its text; the `tail` comes after the text."""
        return b'event: %s\ndata: %s,"delta":' % (kind.encode(), line({"type": kind, **where})[:-1])

    def tail(self) -> bytes:
        number = self._next
        self._next = number + 1
        return b',"sequence_number":%d}\n\n' % number


class ItemWriter:
    """Writes one output item. `whole` is its JSON once it is closed."""

    def __init__(self, events: EventWriter, item_id: str, index: int) -> None:
        self.id = item_id
        self.index = index
        self.whole: Raw | None = None
        self._events = events
        self._where = {"item_id": item_id, "output_index": index}
        self._pieces: list[str] = []

    def _added(self, kind: str, **fields: Any) -> bytes:
        item = {"id": self.id, "type": kind, "status": "in_progress", **fields}
        return self._events.write("response.output_item.added", output_index=self.index, item=item)

    def _done(self, kind: str, status: str, **fields: Any) -> bytes:
        self.whole = Raw(line({"id": self.id, "type": kind, "status": status, **fields}))
        return self._events.write("response.output_item.done", output_index=self.index, item=self.whole)


class TextItemWriter(ItemWriter):
    """A message with one text."""

    def open(self) -> bytes:
        self._where["content_index"] = 0
        self._head = self._events.head("response.output_text.delta", {**self._where, "logprobs": _NONE})
        added = self._added("message", role="assistant", content=_NONE)
        return added + self._events.write("response.content_part.added", **self._where, part=_text_part(""))

    def add(self, text: str) -> bytes:
        self._pieces.append(text)
        return self._head + line(text) + self._events.tail()

    def close(self, phase: Any = None, status: str = "completed") -> bytes:
        text = Raw(line("".join(self._pieces)))
        part = _text_part(text)
        kept = {"phase": phase} if phase else {}
        return (
            self._events.write("response.output_text.done", **self._where, text=text, logprobs=_NONE)
            + self._events.write("response.content_part.done", **self._where, part=part)
            + self._done("message", status, role="assistant", content=[part], **kept)
        )


class ReasoningItemWriter(ItemWriter):
    """Reasoning, sent as its summary. It contains the sealed metadata that its provider wants back."""

    def open(self) -> bytes:
        return self._added("reasoning", summary=_NONE)

    def add(self, text: str) -> bytes:
        begun = b"" if self._pieces else self._begin()
        self._pieces.append(text)
        return begun + self._head + line(text) + self._events.tail()

    def close(self, metadata: dict[str, Any] | None = None, status: str = "completed") -> bytes:
        sealed = {"encrypted_content": seal(metadata)} if metadata else {}
        if not self._pieces:
            return self._done("reasoning", status, summary=_NONE, **sealed)
        text = Raw(line("".join(self._pieces)))
        part = {"type": "summary_text", "text": text}
        return (
            self._events.write("response.reasoning_summary_text.done", **self._where, text=text)
            + self._events.write("response.reasoning_summary_part.done", **self._where, part=part)
            + self._done("reasoning", status, summary=[part], **sealed)
        )

    def _begin(self) -> bytes:
        self._where["summary_index"] = 0
        self._head = self._events.head("response.reasoning_summary_text.delta", self._where)
        part = {"type": "summary_text", "text": ""}
        return self._events.write("response.reasoning_summary_part.added", **self._where, part=part)


class CallItemWriter(ItemWriter):
    """A call for the client."""

    def open(self, call_id: str, tool: ClientTool) -> bytes:
        self._call = {"call_id": call_id, **_name_of(tool)}
        self._head = self._events.head("response.function_call_arguments.delta", self._where)
        return self._added("function_call", arguments="", **self._call)

    def add(self, text: str) -> bytes:
        self._pieces.append(text)
        return self._head + line(text) + self._events.tail()

    def close(self, arguments: str, status: str = "completed") -> bytes:
        """Close the item. `arguments` are sent if none came in pieces."""
        late = self.add(arguments) if arguments and not self._pieces else b""
        text = Raw(line("".join(self._pieces)))
        done = self._events.write(
            "response.function_call_arguments.done", **self._where, name=self._call["name"], arguments=text
        )
        return late + done + self._done("function_call", status, arguments=text, **self._call)


class CustomCallItemWriter(ItemWriter):
    """A call for the client of a tool that takes free text, which the model wrote into an object."""

    def open(self, call_id: str, tool: ClientTool) -> bytes:
        self._call = {"call_id": call_id, **_name_of(tool)}
        return self._added("custom_tool_call", input="", **self._call)

    def add(self, text: str) -> bytes:
        """Collect the text: it is sent once its object is complete."""
        self._pieces.append(text)
        return b""

    def close(self, arguments: str, status: str = "completed") -> bytes:
        text = Raw(line(_free_text("".join(self._pieces) or arguments)))
        delta = self._events.write("response.custom_tool_call_input.delta", **self._where, delta=text)
        done = self._events.write("response.custom_tool_call_input.done", **self._where, input=text)
        return delta + done + self._done("custom_tool_call", status, input=text, **self._call)


class McpItemWriter(ItemWriter):
    """A call that ran here."""

    def open(self, call: ServerCall) -> bytes:
        arguments = Raw(line(encode(call.arguments).decode()))
        self._call = {"server_label": call.server, "name": call.name, "approval_request_id": None}
        self._arguments = arguments
        return (
            self._added("mcp_call", arguments="", output=None, error=None, **self._call)
            + self._events.write("response.mcp_call.in_progress", **self._where)
            + self._events.write("response.mcp_call_arguments.done", **self._where, arguments=arguments)
        )

    def close(self, result: ServerResult) -> bytes:
        said = "\n".join(part.text if isinstance(part, TextPart) else described(part) for part in result.content)
        status = "failed" if result.is_error else "completed"
        error = {"type": "mcp_tool_execution_error", "content": [{"type": "text", "text": said}]}
        ended: dict[str, Any] = {
            "output": None if result.is_error else said,
            "error": error if result.is_error else None,
        }
        told = self._events.write(f"response.mcp_call.{status}", **self._where)
        return told + self._done("mcp_call", status, arguments=self._arguments, **ended, **self._call)


class ImageItemWriter(ItemWriter):
    """An image that the model made."""

    def tell(self, data: str, form: str) -> bytes:
        added = self._added("image_generation_call", result=None)
        return added + self._done("image_generation_call", "completed", result=data, output_format=form)


def _name_of(tool: ClientTool) -> dict[str, str]:
    return {"name": tool.name, "namespace": tool.namespace} if tool.namespace else {"name": tool.name}


def _free_text(arguments: str) -> str:
    """Return the text in the object, or what the model wrote instead of an object."""
    given, unread = parse_arguments(arguments)
    text = given.get("input")
    return text if isinstance(text, str) and not unread else arguments


def _text_part(text: str | Raw) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": _NONE, "logprobs": _NONE}
