"""The messages of a session: the current branch as UI messages, and the whole tree."""

from collections.abc import Mapping, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from toolpost.engine.state import State
from toolpost.server.chat.ai_sdk.messages import UiMessage, ui_messages
from toolpost.server.chat.conversations import Conversations
from toolpost.server.chat.message_tree import MessageTree
from toolpost.server.http import Request
from toolpost.server.refusals import Refusal
from toolpost.server.routing import Doc, Route
from toolpost.types.errors import MessageNotFound
from toolpost.types.messages import Message, Role

from .session_view import MAX_RESULTS, SESSION_ID, Limit, goes_on, stored

MAX_NODES = 5_000
WORDS = 80


class MessagesQuery(Struct, frozen=True):
    at: Annotated[str, Meta(max_length=200, description="The last message of another branch")] = ""
    before: Annotated[str, Meta(max_length=200, description="The first message of the page after this one")] = ""
    limit: Limit = MAX_RESULTS


class MessagesView(Struct, frozen=True):
    """The AI SDK's UI messages of a branch, the oldest first; only the last ones if there are more, and then `has_more`
    is true. `seq` is the last event that they include: the stream of events continues after it."""

    head: str | None
    messages: list[UiMessage]
    has_more: bool
    is_running: bool
    state: State
    seq: int


class TreeQuery(Struct, frozen=True):
    after: Annotated[str, Meta(max_length=200, description="`next` of the previous page")] = ""
    limit: Annotated[int, Meta(ge=1, le=MAX_NODES, description="The maximum number of results")] = MAX_NODES


class MessageTreeNode(Struct, frozen=True):
    """A message without its content, except its first `words`."""

    id: str
    parent: str | None
    role: Role
    time: float
    words: str


class TreeView(Struct, frozen=True):
    """All messages in the order in which they were created. `next` is the `after` of the next page; null on the
    last."""

    head: str | None
    messages: list[MessageTreeNode]
    next: str | None


def routes(conversations: Conversations) -> list[Route]:
    messages = _Messages(conversations)
    branch = Doc(
        "List the messages of a branch", "sessions", query=MessagesQuery, gives=MessagesView, params=SESSION_ID
    )
    tree = Doc("List the messages of all branches", "sessions", query=TreeQuery, gives=TreeView, params=SESSION_ID)
    return [
        Route("GET", "/api/sessions/{id}/messages", messages.branch, branch),
        Route("GET", "/api/sessions/{id}/tree", messages.tree, tree),
    ]


class _Messages:
    def __init__(self, conversations: Conversations) -> None:
        self._conversations = conversations

    async def branch(self, request: Request) -> None:
        info = await stored(self._conversations, request.params["id"], request.user)
        asked = request.query_as(MessagesQuery)
        known = {message.id: message async for message in self._conversations.store.messages(info.id)}
        path = _path(info.id, known, asked.at or info.head)
        look = await self._conversations.look(info)
        made = ui_messages(path, MessageTree(known.values()), look.waiting.asks)
        if asked.before:
            made = made[: _place(made, asked.before)]
        head = path[-1].id if path else None
        page, has_more = made[-asked.limit :], len(made) > asked.limit
        await request.reply_json(MessagesView(head, page, has_more, goes_on(look.state), look.state, info.seq))

    async def tree(self, request: Request) -> None:
        info = await stored(self._conversations, request.params["id"], request.user)
        asked = request.query_as(TreeQuery)
        page: list[MessageTreeNode] = []
        following, is_before = None, bool(asked.after)
        async for message in self._conversations.store.messages(info.id):
            if is_before:
                is_before = message.id != asked.after
            elif len(page) == asked.limit:
                following = page[-1].id
                break
            else:
                page.append(_node(message))
        await request.reply_json(TreeView(info.head, page, following))


def _path(session_id: str, known: Mapping[str, Message], head: str | None) -> list[Message]:
    """Return the path from the root to `head`, across compactions."""
    path: list[Message] = []
    while head is not None:
        if head not in known:
            raise MessageNotFound(session_id, head)
        path.append(known[head])
        head = known[head].parent_id
    return path[::-1]


def _place(messages: Sequence[UiMessage], message_id: str) -> int:
    for place, message in enumerate(messages):
        if message.id == message_id:
            return place
    raise Refusal("not_found", f"before: there is no message {message_id} on this branch")


def _node(message: Message) -> MessageTreeNode:
    words = " ".join(message.text[: 4 * WORDS].split())[:WORDS]
    return MessageTreeNode(message.id, message.parent_id, message.role, message.time, words)
