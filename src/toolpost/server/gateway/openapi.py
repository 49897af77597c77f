"""What OpenAPI says of the gateway's routes. Their bodies belong to the vendors, whose own documents describe them."""

from typing import Any

from toolpost.server.http import EVENTS
from toolpost.server.routing import Doc, ResponseDoc

from .wires.openai_responses.input_items import Paging

Free = dict[str, Any]

# What a model behind the gateway may answer in place of an answer: a limit of money, a conflict of sizes, too much.
_UPSTREAM = (402, 403, 404, 429)
_STREAM = ResponseDoc(
    "The same as a stream of server-sent events, where the body says `stream: true`", content_type=EVENTS
)


def _answering(summary: str, whose: str) -> Doc:
    return Doc(
        summary,
        tag="gateway",
        takes=Free,
        gives=Free,
        also={200: _STREAM},
        errors=_UPSTREAM,
        description=f"The body, the answer and the errors are those of {whose}.",
    )


MESSAGES = _answering("ResponseDoc a conversation, on Anthropic's wire", "Anthropic's Messages API")
CHAT_COMPLETIONS = _answering("ResponseDoc a conversation, on OpenAI's wire", "OpenAI's Chat Completions API")
RESPONSES = _answering("ResponseDoc a conversation, on OpenAI's newer wire", "OpenAI's Responses API")
COMPACT = Doc(
    "Replace a conversation by what the user said and a summary",
    tag="gateway",
    takes=Free,
    gives=Free,
    errors=_UPSTREAM,
)
INPUT_TOKENS = Doc("Count the tokens of a request for a response, roughly", tag="gateway", takes=Free, gives=Free)
_RESPONSE = {"id": "The id of a response"}
_CONVERSATION = {"id": "The id of a conversation"}
_ITEM = {**_CONVERSATION, "item": "The id of one of its items"}


def _kept(summary: str, params: dict[str, str], takes: Any = None, query: type[Paging] | None = None) -> Doc:
    return Doc(summary, tag="gateway", takes=takes, gives=Free, params=params, query=query, errors=(400, 404))


RESPONSE = _kept("A response that is kept", _RESPONSE)
DELETE_RESPONSE = _kept("Delete a response", _RESPONSE)
INPUT_ITEMS = _kept("The input of a response, item by item", _RESPONSE, query=Paging)
CREATE_CONVERSATION = Doc("Create a conversation", tag="gateway", takes=Free, gives=Free)
CONVERSATION = _kept("A conversation", _CONVERSATION)
UPDATE_CONVERSATION = _kept("Change the metadata of a conversation", _CONVERSATION, takes=Free)
DELETE_CONVERSATION = _kept("Delete a conversation", _CONVERSATION)
ADD_ITEMS = _kept("Add items to a conversation", _CONVERSATION, takes=Free)
ITEMS = _kept("The items of a conversation", _CONVERSATION, query=Paging)
ITEM = _kept("One item of a conversation", _ITEM)
DELETE_ITEM = _kept("Delete an item of a conversation", _ITEM)
COUNT_TOKENS = Doc("Count the tokens of a conversation, roughly", tag="gateway", takes=Free, gives=Free)
MODELS = Doc(
    "The models that can be asked",
    tag="gateway",
    gives=Free,
    errors=(400,),
    description="In OpenAI's form; in Anthropic's, with its pages, where the header anthropic-version is sent.",
)
MODEL = Doc("One model", tag="gateway", gives=Free, params={"id": "What the model is asked by; may have slashes"})
