"""Expand `@server:uri` mentions and prompts of MCP servers in what a person types."""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from toolpost.types.errors import ConfigError, ToolError, ToolpostError
from toolpost.types.messages import Content, FilePart, TextPart
from toolpost.workspace import Workspace

if TYPE_CHECKING:
    from toolpost.mcp.prompts import McpPrompt
    from toolpost.mcp.server_set import McpServers

# Whether it names a server of ours, the servers know.
_MENTION = re.compile(r"(?<!\S)@[^\s:@/]+:[A-Za-z][A-Za-z0-9+.-]*:\S+")


class ExpandedPrompt(Struct, frozen=True):
    """A prompt with what it brings along."""

    text: str
    files: tuple[FilePart, ...] = ()


async def with_mentions(workspace: Workspace, text: str) -> ExpandedPrompt:
    """The prompt, and behind it what its mentions stand for. A mention of a server that is not there stays as it is,
    and the person is told."""
    mentions = dict.fromkeys(_MENTION.findall(text)) if workspace.servers is not None else ()
    if not mentions:
        return ExpandedPrompt(text)
    servers = await _ready(workspace)
    said = ExpandedPrompt(text)
    for mention in mentions:
        try:
            found = await servers.mention(mention)
        except ToolError as error:
            raise ToolpostError(f"{mention}: {error}") from error
        if found is not None:
            said = _joined([TextPart(said.text), *found], said.files)
        elif "://" in mention:
            there = ", ".join(one.name for one in servers.status())
            workspace.tell(f"unknown MCP server {mention[1:].partition(':')[0]}; configured: {there}")
    return said


def server_prompts(workspace: Workspace) -> "Mapping[str, McpPrompt]":
    """The prompts of the servers that are connected by now, by the name that a person types."""
    if workspace.servers is None:
        return {}
    return {prompt.name: prompt for prompt in workspace.servers.start().prompts()}


async def prompt_of_server(workspace: Workspace, name: str, argument: str) -> ExpandedPrompt:
    """What a server's prompt says, filled in with what was typed: words in order, or `name=value`."""
    servers = await _ready(workspace)
    known = {prompt.name: prompt for prompt in servers.prompts()}
    if name not in known:
        raise ConfigError(f"no MCP server has the prompt {name}; available: {', '.join(known) or 'none'}")
    arguments = fill_in([one.name for one in known[name].arguments], argument)
    messages = await servers.prompt(name, arguments)
    return _joined([part for message in messages for part in message.content])


def fill_in(names: Sequence[str], typed: str) -> dict[str, str]:
    """Each argument by its name or its place; the last one takes all that is left."""
    try:
        words = shlex.split(typed)
    except ValueError:
        words = typed.split()
    given: dict[str, str] = {}
    rest: list[str] = []
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name in names:
            given[name] = value
        else:
            rest.append(word)
    open_names = [name for name in names if name not in given]
    given |= dict(zip(open_names[:-1], rest, strict=False))
    left = rest[len(open_names) - 1 :]
    if open_names and left:
        given[open_names[-1]] = " ".join(left)
    return given


async def _ready(workspace: Workspace) -> "McpServers":
    if workspace.servers is None:
        raise ConfigError("no MCP servers here; to add one: toolpost mcp add")
    await workspace.servers.prepare()
    return workspace.servers.start()


def _joined(parts: Sequence[Content], files: Sequence[FilePart] = ()) -> ExpandedPrompt:
    texts = [part.text for part in parts if isinstance(part, TextPart)]
    return ExpandedPrompt("\n\n".join(texts), (*files, *(part for part in parts if isinstance(part, FilePart))))
