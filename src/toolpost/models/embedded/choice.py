"""Which of the offered tools a request needs, or none.

Words that a request shares with a tool decide, where only one tool has them. Where several have, or none, the model is
asked the other way round: not which tool fits the request, which a model of this size answers by the tool's name alone,
but how likely it finds this request after reading what a tool is for. A long name or description gains nothing by that,
and that no tool is needed is judged in the same way.
"""

from collections.abc import Sequence

from toolpost.types.tools import ToolSpec

from .decoder import Decoder
from .words import gist, plain_name, shared_words

MOST_ABOUT = 120
# Every tool costs the time of reading the request once more.
MOST_SCORED = 24
# What a shared word weighs against the model's opinion where several tools have some.
WORD_WEIGHT = 0.25
# How much likelier than anything else a tool must make a request that shares no word with it, in the log probability of
# a token. Found by trying: with a lower one calls are made for much that needs none.
THRESHOLD = 0.15

_ASKED = "A user asks:"
# What else a request can be about: judged as the tools are, so that a tool wins by being right, not by being there.
_ELSE = (
    "chat: Talk about anything: greetings, thanks, feelings, opinions, jokes.",
    "knowledge: Explain things and answer general questions, or write a text.",
    "action: Book, order, play, rate, set, send or change something.",
    "account: Help with money, cards, orders, travel and other services.",
)


def choose_tool(decoder: Decoder, request: str, tools: Sequence[ToolSpec], *, insist: bool = False) -> ToolSpec | None:
    """The tool that this request is for. `insist`: one has to be taken."""
    if insist and len(tools) == 1:
        return tools[0]
    weights = shared_words(request, tools)
    named = [(tool, weight) for tool, weight in zip(tools, weights, strict=True) if weight]
    if named:
        return _most_likely(decoder, request, named)
    of_tools = decoder.scores([_told(tool) for tool in tools[:MOST_SCORED]], f" {request}")
    best = max(of_tools)
    if not insist:
        others = decoder.scores([f"{about}\n{_ASKED}" for about in _ELSE], f" {request}")
        if best - max(others) <= THRESHOLD:
            return None
    return tools[of_tools.index(best)]


def _most_likely(decoder: Decoder, request: str, named: Sequence[tuple[ToolSpec, float]]) -> ToolSpec:
    if len(named) == 1:
        return named[0][0]
    likely = decoder.scores([_told(tool) for tool, _ in named], f" {request}")
    scored = [score + WORD_WEIGHT * weight for score, (_, weight) in zip(likely, named, strict=True)]
    return named[max(range(len(named)), key=scored.__getitem__)][0]


def _told(tool: ToolSpec) -> str:
    return f"{plain_name(tool.name)}: {gist(tool.description)[:MOST_ABOUT]}\n{_ASKED}"
