"""What OpenAPI says of the gateway's routes. Their bodies belong to the vendors, whose own documents describe them."""

from typing import Any

from toolpost.server.http import EVENTS
from toolpost.server.routing import Answer, Doc

Free = dict[str, Any]

# What a model behind the gateway may answer in place of an answer: a limit of money, a conflict of sizes, too much.
_UPSTREAM = (402, 403, 404, 429)
_STREAM = Answer("The same as a stream of server-sent events, where the body says `stream: true`", content_type=EVENTS)


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


MESSAGES = _answering("Answer a conversation, on Anthropic's wire", "Anthropic's Messages API")
CHAT_COMPLETIONS = _answering("Answer a conversation, on OpenAI's wire", "OpenAI's Chat Completions API")
RESPONSES = _answering("Answer a conversation, on OpenAI's newer wire", "OpenAI's Responses API")
COUNT_TOKENS = Doc("Count the tokens of a conversation, roughly", tag="gateway", takes=Free, gives=Free)
MODELS = Doc(
    "The models that can be asked",
    tag="gateway",
    gives=Free,
    errors=(400,),
    description="In OpenAI's form; in Anthropic's, with its pages, where the header anthropic-version is sent.",
)
MODEL = Doc("One model", tag="gateway", gives=Free, params={"id": "What the model is asked by; may have slashes"})
