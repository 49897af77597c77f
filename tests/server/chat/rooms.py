"""The conversations of a server without its HTTP, over any store, and readers of their events."""

from contextlib import asynccontextmanager

from chat_play import ASK, HERE
from gateway_play import write

from toolpost.server.chat.conversations import Conversations
from toolpost.server.gateway.targets import Targets
from toolpost.server.users import User
from toolpost.testing import ScriptedModel
from toolpost.workspace import Workspace

ANNA, BOB = User("anna"), User("bob")


async def named(name):
    """Everybody may use these servers."""
    return User(name)


@asynccontextmanager
async def rooms_over(folder, store, *turns, config=ASK, find_user=named, **limits):
    write(folder / ".git" / "HEAD", "")
    write(folder / ".toolpost" / "config.toml", config)
    workspace = Workspace(folder, trusted=True, tool_files=[HERE / "chat_tools.py"])
    workspace.store = store
    conversations = Conversations(workspace, Targets(workspace, ScriptedModel(*turns)), find_user, **limits)
    conversations.model = conversations._targets.of("")[0]
    try:
        yield conversations
    finally:
        await conversations.close()
        await workspace.close()


async def until(conversation, after, kind):
    """The first event of a kind."""
    async for event in conversation.events(after):
        if event.type == kind:
            return event
    raise AssertionError(f"no {kind}")


async def all_of(conversation, after):
    return [event async for event in conversation.events(after)]
