"""List and get the prompts of MCP servers, which are commands of the chat."""

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from toolpost.types.errors import ToolError
from toolpost.types.messages import Content

from .connection import McpConnection
from .content import to_content
from .names import tool_names
from .tools import visible


class PromptArgument(Struct, frozen=True):
    name: str
    description: str = ""
    required: bool = False


class McpPrompt(Struct, frozen=True):
    """A prompt as a command: `name` is what a person types, `prompt` the server's name for it."""

    name: str
    server: str
    prompt: str
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()


class PromptMessage(Struct, frozen=True):
    role: Literal["user", "assistant"]
    content: tuple[Content, ...]


def list_prompts(connections: Sequence[McpConnection]) -> list[McpPrompt]:
    """The commands of all connected servers, by name."""
    found: list[McpPrompt] = []
    for connection in connections:
        prompts = connection.offered.prompts
        names = tool_names(connection.word, (prompt.name for prompt in prompts))
        for prompt in prompts:
            arguments = tuple(
                PromptArgument(argument.name, visible(argument.description or ""), bool(argument.required))
                for argument in prompt.arguments or ()
            )
            about = visible(prompt.description or prompt.title or "")
            found.append(McpPrompt(names[prompt.name], connection.server.name, prompt.name, about, arguments))
    return sorted(found, key=lambda prompt: prompt.name)


async def get_prompt(connection: McpConnection, prompt: McpPrompt, arguments: Mapping[str, str]) -> list[PromptMessage]:
    """The messages of a prompt. A person chose it, so its text is not marked."""
    missing = [argument.name for argument in prompt.arguments if argument.required and not arguments.get(argument.name)]
    if missing:
        raise ToolError(f"/{prompt.name} needs {', '.join(missing)}")
    result = await connection.ask(lambda client: client.get_prompt(prompt.prompt, dict(arguments)))
    return [PromptMessage(message.role, tuple(to_content(message.content))) for message in result.messages]


def by_position(prompt: McpPrompt, words: Sequence[str]) -> dict[str, str]:
    """Split the text after a command into its arguments; the last one gets the rest."""
    names = [argument.name for argument in prompt.arguments]
    if not names or not words:
        return {}
    given = dict(zip(names, words, strict=False))
    if len(words) > len(names):
        given[names[-1]] = " ".join(words[len(names) - 1 :])
    return given
