"""The request fields that make a server constrain what a prompted model writes, so that calls are well-formed.

Prose stays free: the constraint binds from the marker of a call on. Only servers that constrain a whole answer or
nothing (`ENVELOPED`) get one object for text and calls alike. `constrained_reader` reads what comes of it.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from toolpost.models.prompted.json_envelope import EnvelopeReader, envelope_schema
from toolpost.models.prompted.scanner import CallScanner
from toolpost.types.stream import StreamEvent, TextDelta, ToolCall, ToolInputStart
from toolpost.types.tool_spec import ToolSpec

from .calls import FORMS, CallForm, call_grammar, spelled, tokens_of

ENVELOPED = frozenset({"ollama", "json_schema"})

_REFUSALS = re.compile(
    r"grammar|response[_ ]format|structural[_ ]?tag|structured[_ ]output|guided[_ ]|json[_ ]?schema"
    r"|preserved[_ ]token|invalid format|\bformat\b.*(schema|json|not supported)|required for format",
    re.IGNORECASE | re.DOTALL,
)


def constraint(
    backend: str, tools: Sequence[ToolSpec], dialect: str, *, required: bool = False
) -> dict[str, Any] | None:
    """The fields to merge into the body of a request to `backend` (`llamacpp`, `vllm`, `sglang`, `ollama`,
    `json_schema`), so that calls of these tools are well-formed in `dialect`; an enveloped backend has its own form,
    whatever the dialect. None where backend or dialect have no way to say it. `required`: there must be a call.

    The same tools give the same answer without being looked at again; what the fields hold is not to be changed.
    """
    if not tools:
        return None
    fields = _fields(backend, msgspec.json.encode(list(tools)), dialect, required)
    return dict(fields) if fields else None


def refuses_constraint(message: str) -> bool:
    """Whether a server's answer says that it does not take a constraint, this one or any."""
    return bool(_REFUSALS.search(message))


def constrained_reader(
    backend: str, tools: Sequence[ToolSpec], dialect: str
) -> "CallScanner | EnvelopeReader | BoundReader":
    """What reads an answer to a request with the fields of `constraint`. It takes whatever a model may write: a server
    that does not know the fields often leaves them out without a word."""
    if backend in ENVELOPED:
        return EnvelopeReader(tools)
    return BoundReader(tools) if backend == "llamacpp" and dialect in FORMS else CallScanner(tools)


class BoundReader:
    """Reads what a grammar of llama.cpp let a model write: behind its last call stands nothing but half a word, with
    which it was stopped. That is left out."""

    def __init__(self, tools: Sequence[ToolSpec]) -> None:
        self._scanner = CallScanner(tools)
        self._called = False
        self._held: list[StreamEvent] = []

    def feed(self, chunk: str) -> list[StreamEvent]:
        return self._sift(self._scanner.feed(chunk))

    def close(self, *, cut: bool = False) -> list[StreamEvent]:
        return self._sift(self._scanner.close(cut=cut))

    def _sift(self, events: Sequence[StreamEvent]) -> list[StreamEvent]:
        kept: list[StreamEvent] = []
        for event in events:
            if self._called and isinstance(event, TextDelta):
                self._held.append(event)
                continue
            if isinstance(event, ToolInputStart):
                kept += self._held
                self._held.clear()
            self._called = self._called or isinstance(event, ToolCall)
            kept.append(event)
        return kept


@lru_cache(maxsize=64)
def _fields(backend: str, encoded: bytes, dialect: str, required: bool) -> dict[str, Any] | None:
    tools = msgspec.json.decode(encoded, type=list[ToolSpec])
    form = FORMS.get(dialect)
    if backend == "ollama":
        return {"format": envelope_schema(tools, required=required)}
    if backend == "json_schema":
        schema = {"name": "reply", "strict": True, "schema": envelope_schema(tools, required=required)}
        return {"response_format": {"type": "json_schema", "json_schema": schema}}
    if form is not None and backend == "llamacpp":
        return _grammar(tools, form, required)
    if form is not None and backend in ("vllm", "sglang") and _fits_structural_tag(form):
        return {"response_format": _structural_tag(tools, form, required)}
    return None


def _grammar(tools: Sequence[ToolSpec], form: CallForm, required: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {"grammar": call_grammar(tools, form, required=required)}
    if tokens := tokens_of(form):
        fields["preserved_tokens"] = tokens
    return fields


def _fits_structural_tag(form: CallForm) -> bool:
    """Whether each call stands in a tag of its own, around arguments in JSON."""
    return bool(form.each and form.marker and form.end and form.tags is None)


def _structural_tag(tools: Sequence[ToolSpec], form: CallForm, required: bool) -> dict[str, Any]:
    tags = [
        {
            "type": "tag",
            "begin": f"{form.marker}{form.begin}{spelled(tool.name, form)}{form.middle}",
            "content": {"type": "json_schema", "json_schema": tool.parameters},
            "end": form.end,
        }
        for tool in tools
    ]
    tagged: dict[str, Any] = {"type": "triggered_tags", "triggers": [form.marker], "tags": tags}
    if required:
        tagged["at_least_one"] = True
    return {"type": "structural_tag", "format": tagged}
