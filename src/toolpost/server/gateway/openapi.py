"""OpenAPI descriptions of the gateway's routes. Bodies are described by the vendors' own documentation."""

from typing import Any

from toolpost.server.http import EVENTS
from toolpost.server.routing import Doc, ResponseDoc

from .wires.openai_responses.stored_items import Paging

Free = dict[str, Any]

# What a model behind the gateway may answer in place of an answer: a limit of money, a conflict of sizes, too much.
_UPSTREAM = (402, 403, 404, 429)
_STREAM = ResponseDoc("A stream of server-sent events, if the body has `stream: true`", content_type=EVENTS)


def _answering(summary: str, whose: str) -> Doc:
    return Doc(
        summary,
        tag="gateway",
        takes=Free,
        gives=Free,
        also={200: _STREAM},
        errors=_UPSTREAM,
        description=f"The request body, the response and the errors are those of {whose}.",
    )


MESSAGES = _answering("Create a message (Anthropic Messages)", "Anthropic's Messages API")
CHAT_COMPLETIONS = _answering("Create a chat completion (OpenAI Chat Completions)", "OpenAI's Chat Completions API")
RESPONSES = _answering("Create a response (OpenAI Responses)", "OpenAI's Responses API")
COMPACT = Doc(
    "Compact a conversation",
    tag="gateway",
    takes=Free,
    gives=Free,
    errors=_UPSTREAM,
)
INPUT_TOKENS = Doc("Estimate the tokens of a request for a response", tag="gateway", takes=Free, gives=Free)
_RESPONSE = {"id": "The id of a response"}
_CONVERSATION = {"id": "The id of a conversation"}
_ITEM = {**_CONVERSATION, "item": "The id of one of its items"}


def _kept(summary: str, params: dict[str, str], takes: Any = None, query: type[Paging] | None = None) -> Doc:
    return Doc(summary, tag="gateway", takes=takes, gives=Free, params=params, query=query, errors=(400, 404))


RESPONSE = _kept("Get a stored response", _RESPONSE)
DELETE_RESPONSE = _kept("Delete a response", _RESPONSE)
INPUT_ITEMS = _kept("List the input items of a response", _RESPONSE, query=Paging)
CREATE_CONVERSATION = Doc("Create a conversation", tag="gateway", takes=Free, gives=Free)
CONVERSATION = _kept("Get a conversation", _CONVERSATION)
UPDATE_CONVERSATION = _kept("Change the metadata of a conversation", _CONVERSATION, takes=Free)
DELETE_CONVERSATION = _kept("Delete a conversation", _CONVERSATION)
ADD_ITEMS = _kept("Add items to a conversation", _CONVERSATION, takes=Free)
ITEMS = _kept("List the items of a conversation", _CONVERSATION, query=Paging)
ITEM = _kept("Get an item of a conversation", _ITEM)
DELETE_ITEM = _kept("Delete an item of a conversation", _ITEM)
COUNT_TOKENS = Doc("Estimate the tokens of a conversation", tag="gateway", takes=Free, gives=Free)
MODELS = Doc(
    "List the available models",
    tag="gateway",
    gives=Free,
    errors=(400,),
    description="In OpenAI's format; in Anthropic's, with pages, if the request has the header anthropic-version.",
)
MODEL = Doc("Get a model", tag="gateway", gives=Free, params={"id": "The id of the model; it may contain slashes"})
