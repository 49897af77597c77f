"""Probe a model: try whether it makes calls natively, as text, with a grammar; what its server says comes first."""

import asyncio
import time
from collections.abc import AsyncIterator, Sequence

from msgspec import Struct

from toolpost.types.errors import ModelError
from toolpost.types.messages import Message, TextPart
from toolpost.types.stream import Finish, ReasoningDelta, StreamError, StreamEvent, TextDelta, ToolCall
from toolpost.types.tool_spec import ToolSpec

from .contract import Model, ModelRequest, close_stream
from .prompted.adapter import Prompted
from .prompted.text_calls import StrayCalls
from .resolve import Located
from .server_facts import ServerFacts, ask_server
from .tool_mode import refuses_tools

SECONDS = 120.0
MAX_TOKENS = 1_024

ORDER = ToolSpec(
    "get_order_status",
    "Look up the status of an order.",
    {
        "type": "object",
        "properties": {"order_id": {"type": "string", "description": "The order's number"}},
        "required": ["order_id"],
    },
)
_SYSTEM = "You are a shop's assistant. Use the tool to look up orders; you cannot know them otherwise."
_ONE = "What is the status of order AX-1207?"
_TWO = "What are the statuses of orders AX-1207 and BK-3391?"


class ProbeTrial(Struct, frozen=True, omit_defaults=True):
    """One thing that was tried. `ok` None: it was not tried, and `told` says why."""

    name: str
    ok: bool | None
    told: str = ""
    seconds: float = 0.0


class ProbeVerdict(Struct, frozen=True):
    """How the model is best asked; `mode` is "" where neither way works."""

    mode: str
    why: str


async def probe(found: Located, *, seconds: float = SECONDS) -> AsyncIterator[ProbeTrial | ServerFacts | ProbeVerdict]:
    """Try a model, yielding what was found out as it is found out: the server's own words, trials, then a verdict.

    Raises `ModelError` where the model does not answer at all. Nothing is remembered here.
    """
    yield await ask_server(found.wire, found.settings)
    yield await _speaks(found.native, seconds)
    native = await _native(found.native, seconds)
    yield native
    free = Prompted(found.native, dialect=found.asking.dialect or None)
    words = await _calls("calls as text", free, _ONE, ["AX-1207"], seconds, free.dialect)
    yield words
    backend = found.asking.grammar
    bound = Prompted(found.native, dialect=found.asking.dialect or None, backend=backend)
    if backend and backend != "off":
        grammar = await _calls("with a grammar", bound, _ONE, ["AX-1207"], seconds, f"{bound.dialect}, {backend}")
    else:
        grammar = ProbeTrial("with a grammar", None, "no grammar is known for this server")
    yield grammar
    if native.ok or words.ok or grammar.ok:
        best = found.native if native.ok else bound if grammar.ok else free
        yield await _calls("several at once", best, _TWO, ["AX-1207", "BK-3391"], seconds)
    yield _verdict(native, words, grammar)


def _verdict(native: ProbeTrial, words: ProbeTrial, grammar: ProbeTrial) -> ProbeVerdict:
    if native.ok:
        return ProbeVerdict("native", "it makes calls natively")
    if words.ok or grammar.ok:
        return ProbeVerdict("prompted", f"native calls: {native.told}")
    return ProbeVerdict("", "it made no right call in either way")


async def _speaks(model: Model, seconds: float) -> ProbeTrial:
    heard = await _ask(model, _request("Say hello in one short sentence.", ()), seconds)
    last = heard.events[-1] if heard.events else None
    if isinstance(last, StreamError):
        raise ModelError(last.error)
    if not heard.first:
        return ProbeTrial("answers", False, "it said nothing", heard.seconds)
    written = last.usage.output if isinstance(last, Finish) else 0
    rate = f", {written / heard.seconds:.0f} tokens/s" if written else ""
    return ProbeTrial("answers", True, f"first word after {heard.first:.2f} s{rate}", heard.seconds)


async def _native(model: Model, seconds: float) -> ProbeTrial:
    request = _request(_ONE, (ORDER,))
    try:
        heard = await _ask(model, request, seconds)
    except ModelError as error:
        if not refuses_tools(error):
            raise
        return ProbeTrial("native calls", False, "the server refuses tools")
    problem = _judged(heard, ["AX-1207"])
    slips = StrayCalls(request)
    for event in heard.events:
        list(slips.pass_on(event))
    if problem and slips.found:
        problem = "it writes them as text"
    return ProbeTrial("native calls", not problem, problem, heard.seconds)


async def _calls(
    name: str, model: Model, question: str, orders: list[str], seconds: float, how: str = ""
) -> ProbeTrial:
    heard = await _ask(model, _request(question, (ORDER,)), seconds)
    problem = _judged(heard, orders)
    return ProbeTrial(name, not problem, "; ".join(filter(None, [how, problem])), heard.seconds)


def _judged(heard: "_Heard", orders: list[str]) -> str:
    """What is wrong with the calls; "" where nothing is."""
    calls = [event for event in heard.events if isinstance(event, ToolCall)]
    if calls and [call.arguments.get("order_id") for call in calls] == orders:
        return ""
    last = heard.events[-1] if heard.events else None
    if not isinstance(last, Finish):
        return last.error.message if isinstance(last, StreamError) else "its time was up"
    if not calls:
        return "it made no call"
    if any(call.raw for call in calls):
        return "its call could not be read"
    return f"{len(calls)} of {len(orders)} calls" if len(calls) < len(orders) else "its arguments were wrong"


def _request(question: str, tools: Sequence[ToolSpec]) -> ModelRequest:
    # Greedy, so that the same model gives the same answer when it is asked again.
    options = {"temperature": 0, "max_tokens": MAX_TOKENS}
    message = Message("probe", "user", (TextPart(question),))
    return ModelRequest([message], system=(_SYSTEM,) if tools else (), tools=tools, options=options)


class _Heard(Struct):
    """A turn, and when its first word and its end came. It has no end where its time was up."""

    events: list[StreamEvent]
    first: float = 0.0
    seconds: float = 0.0


async def _ask(model: Model, request: ModelRequest, seconds: float) -> _Heard:
    began = time.perf_counter()
    heard = _Heard([])
    events = model.stream(request)
    try:
        async with asyncio.timeout(seconds):
            async for event in events:
                heard.events.append(event)
                if isinstance(event, TextDelta | ReasoningDelta) and not heard.first:
                    heard.first = time.perf_counter() - began
    except TimeoutError:
        pass
    finally:
        await close_stream(events)
    heard.seconds = time.perf_counter() - began
    return heard
