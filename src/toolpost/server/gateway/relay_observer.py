"""Read the usage, the end and the errors of an answer from the bytes that are passed on.

Only the few events that tell are decoded; the others are known by the words that they lack.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, cast

import msgspec

from toolpost.models.anthropic.stream import usage_of as anthropic_usage
from toolpost.models.openai_chat.chunks import usage_of as openai_usage
from toolpost.models.provider_errors import from_error_object
from toolpost.models.stream_reader import is_too_deep, not_json, too_deep
from toolpost.types.messages import ErrorInfo, FinishReason, Usage

_REASONS: dict[str, FinishReason] = {
    "tool_use": "tool-calls",
    "max_tokens": "length",
    "refusal": "content-filter",
    "tool_calls": "tool-calls",
    "length": "length",
    "content_filter": "content-filter",
    "incomplete": "length",
}


class AnswerObserver(ABC):
    """Observes the events of one stream, or a whole answer.

    `has_begun`: a part of the answer itself has come. `is_whole`: the answer is complete. `has_ended`: nothing more
    comes. `surplus` are events that only we asked for.
    """

    # What stands in every event that tells something, and in hardly any other.
    telling: ClassVar[re.Pattern[bytes]]
    # The field without which a whole answer is none.
    mark: ClassVar[str]

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        self._secrets = secrets
        self.has_begun = False
        self.is_whole = False
        self.has_ended = False
        self.error: ErrorInfo | None = None
        self.usage = Usage()
        self.reason: FinishReason = "stop"
        self.surplus: list[bytes] = []

    def see(self, payload: bytes) -> None:
        """Read one event's data."""
        if payload[:1] != b"{" or payload.rstrip()[-1:] != b"}":
            # A client would fall over it. Some servers end every stream with [DONE], though the wire knows none.
            if payload and payload != b"[DONE]" and not self.is_whole:
                self.error = not_json(payload)
        elif is_too_deep(payload):
            self.error = too_deep(payload)
        elif self.telling.search(payload) is None:
            self.has_begun = True
        elif (fields := _fields(payload)) is not None:
            self._take(fields, payload)

    def see_whole(self, body: bytes) -> None:
        """Read an answer in one piece."""
        if is_too_deep(body):
            self.error = too_deep(body)
            return
        fields = _fields(body) or {}
        if self.mark in fields:
            self._read_whole(fields)
            self.is_whole = True
        elif fields.get("error"):
            self._failed(fields["error"])
        else:
            self.error = ErrorInfo("protocol", "the response of the model's server is not valid")

    @abstractmethod
    def _take(self, fields: dict[str, Any], payload: bytes) -> None: ...

    @abstractmethod
    def _read_whole(self, fields: dict[str, Any]) -> None: ...

    def _stopped(self, reason: Any) -> None:
        self.reason = _REASONS.get(str(reason), "stop")

    def _failed(self, error: Any) -> None:
        self.error = from_error_object(error, self._secrets)


class MessagesObserver(AnswerObserver):
    telling = re.compile(rb'"(?:message_start|message_delta|message_stop|ping|error)"')
    mark = "content"

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        super().__init__(secrets)
        self._counts: dict[str, int] = {}

    def _take(self, fields: dict[str, Any], payload: bytes) -> None:
        match fields.get("type"):
            case "message_start":
                self._read_usage(_table(fields.get("message")).get("usage"))
            case "message_delta":
                self._stopped(_table(fields.get("delta")).get("stop_reason"))
                self._read_usage(fields.get("usage"))
            case "message_stop":
                self.is_whole = self.has_ended = True
            case "error":
                self._failed(fields.get("error"))
            case "ping":
                pass
            case _:
                self.has_begun = True

    def _read_whole(self, fields: dict[str, Any]) -> None:
        self._stopped(fields.get("stop_reason"))
        self._read_usage(fields.get("usage"))

    def _read_usage(self, given: Any) -> None:
        """Counts are totals so far; a missing count or a zero does not replace the last one."""
        table = _table(given)
        counted = {**table, **_table(table.get("output_tokens_details"))}
        self._counts |= {name: value for name, value in counted.items() if isinstance(value, int) and value}
        self.usage = anthropic_usage(self._counts)


class ChatObserver(AnswerObserver):
    telling = re.compile(rb'^\[DONE\]|"finish_reason"\s*:\s*"|"usage"\s*:\s*\{|"error"')

    mark = "choices"

    def __init__(self, secrets: Sequence[str] = (), *, wants_usage: bool = True) -> None:
        super().__init__(secrets)
        self._wants_usage = wants_usage

    def see(self, payload: bytes) -> None:
        if payload == b"[DONE]":
            self.has_ended = True
        else:
            super().see(payload)

    def _take(self, fields: dict[str, Any], payload: bytes) -> None:
        choices = [_table(choice) for choice in _rows(fields.get("choices"))]
        if fields.get("error") and not choices:
            return self._failed(fields["error"])
        self.has_begun = True
        for reason in (choice.get("finish_reason") for choice in choices):
            if reason:
                self.is_whole = True
                self._stopped(reason)
        if usage := openai_usage(fields.get("usage")):
            self.usage = usage
            if not choices and not self._wants_usage:
                self.surplus.append(payload)
        return None

    def _read_whole(self, fields: dict[str, Any]) -> None:
        self._take(fields, b"")


class ResponsesObserver(AnswerObserver):
    telling = re.compile(
        rb'"(?:response\.(?:created|queued|in_progress|completed|incomplete|failed|cancelled|error)|error)"'
    )
    mark = "output"

    def _take(self, fields: dict[str, Any], payload: bytes) -> None:
        match fields.get("type"):
            case "response.created" | "response.queued" | "response.in_progress":
                pass
            case "response.completed" | "response.incomplete":
                self._read_whole(_table(fields.get("response")))
                self.is_whole = self.has_ended = True
            case "response.failed" | "response.cancelled" if not self.has_begun:
                response = _table(fields.get("response"))
                self._failed(response.get("error") or response.get("status"))
            case "response.failed" | "response.cancelled":
                # An end that its client knows, and that tells what became of what it has.
                self.is_whole = self.has_ended = True
                self._read_whole(_table(fields.get("response")))
                self.reason = "error"
            case "error" | "response.error":
                self._failed(fields.get("error") or {"code": fields.get("code"), "message": fields.get("message")})
            case _:
                self.has_begun = True

    def _read_whole(self, fields: dict[str, Any]) -> None:
        self._stopped(fields.get("status"))
        self.usage = openai_usage(fields.get("usage")) or self.usage


def usage_in(answer: bytes) -> Usage:
    """Return the usage of an answer in one piece on one of OpenAI's APIs."""
    return openai_usage((_fields(answer) or {}).get("usage")) or Usage()


def _fields(payload: bytes) -> dict[str, Any] | None:
    try:
        value: Any = msgspec.json.decode(payload)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return _table(value)


def _table(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _rows(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []
