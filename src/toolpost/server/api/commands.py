"""List the commands of the folder, and expand one to its prompt."""

from typing import Annotated

from msgspec import Meta, Struct

from toolpost.arguments.suggestions import did_you_mean
from toolpost.definitions.commands import CommandFile
from toolpost.server.chat.conversations import Conversations
from toolpost.server.http import Request
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.server.routing import Doc, Route
from toolpost.types.errors import PermissionDenied, SessionBusy, ToolpostError
from toolpost.workspace.command_prompts import prompt_from

from .session_view import SESSION_ID

ABOUT = """\
Its shell commands and files are calls of the session's tools, under its rules: they ask for permission in the \
session, and the response waits for the answer. The prompt is not sent: send it like any other, with the `agent` and \
`model` of the response."""


class CommandEntry(Struct, frozen=True):
    """`agent` and `model` are used for its run, if it names them; `source` says where it comes from."""

    name: str
    description: str
    agent: str | None
    model: str | None
    source: str


class CommandList(Struct, frozen=True):
    commands: tuple[CommandEntry, ...]


class CommandCall(Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=200)]
    arguments: Annotated[str, Meta(max_length=100_000)] = ""


class CommandPrompt(Struct, frozen=True):
    """`agent` and `model` are to be used for its run; empty if the command names none."""

    prompt: str
    agent: str
    model: str


def routes(conversations: Conversations) -> list[Route]:
    async def commands(request: Request) -> None:
        known = conversations.workspace.commands
        await request.reply_json(CommandList(tuple(_command(known[name]) for name in sorted(known))))

    async def expand(request: Request) -> None:
        asked = request.json(CommandCall)
        conversation = await conversations.find(request.params["id"], request.user)
        known = conversations.workspace.commands
        command = known.get(asked.name.removeprefix("/"))
        if command is None:
            hint = did_you_mean(asked.name, known, "GET /api/commands lists them")
            raise BadRequest(f"name: there is no command {asked.name}: {hint}")
        with conversation.held():
            try:
                prompt = await prompt_from(
                    command, asked.arguments, conversation.session, conversations.workspace.project
                )
            except PermissionDenied as error:
                raise Refusal("permission", str(error)) from None
            except SessionBusy:
                raise
            except ToolpostError as error:
                raise BadRequest(str(error)) from None
        await request.reply_json(CommandPrompt(prompt, command.agent or "", command.model or ""))

    doc = Doc(
        "Get the prompt of a command",
        "sessions",
        takes=CommandCall,
        gives=CommandPrompt,
        errors=(403, 409),
        params=SESSION_ID,
        description=ABOUT,
    )
    listed = Doc("List the commands of this folder", "tools", gives=CommandList)
    return [
        Route("GET", "/api/commands", commands, listed),
        Route("POST", "/api/sessions/{id}/commands", expand, doc),
    ]


def _command(command: CommandFile) -> CommandEntry:
    return CommandEntry(command.name, command.description, command.agent, command.model, command.source)
