"""The tools that the conformance suite of the protocol calls, as tools of a folder."""

import asyncio
import base64
import logging
import time
from pathlib import Path
from typing import Any

from toolpost import Tool, ToolContext, ToolError, ToolResult, tool
from toolpost.types.events import Question
from toolpost.types.ids import new_id
from toolpost.types.messages import FilePart, Message, TextPart

log = logging.getLogger("conformance")
PIXEL = FilePart("image/png", base64.b64encode(Path("files/pixel.png").read_bytes()).decode())


def _file(mime: str, text: bytes) -> FilePart:
    return FilePart(mime, base64.b64encode(text).decode(), name="embedded")


@tool
def test_simple_text() -> str:
    """Give a text."""
    return "This is a simple text response for testing."


@tool
def test_image_content() -> ToolResult:
    """Give an image."""
    return ToolResult([PIXEL])


@tool
def test_audio_content() -> ToolResult:
    """Give a sound."""
    return ToolResult([_file("audio/wav", b"RIFF\x24\x00\x00\x00WAVEfmt ")])


@tool
def test_embedded_resource() -> ToolResult:
    """Give a file."""
    return ToolResult([_file("text/plain", b"This is an embedded resource content.")])


@tool
def test_multiple_content_types() -> ToolResult:
    """Give one of each."""
    return ToolResult(["Multiple content types test:", PIXEL, _file("application/json", b'{"test":"data"}')])


@tool
async def test_tool_with_logging() -> str:
    """Log while working."""
    for said in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        log.info(said)
        await asyncio.sleep(0.05)
    return "logged"


@tool
def test_error_handling() -> str:
    """Fail."""
    raise ToolError("This tool intentionally returns an error for testing")


@tool
async def test_tool_with_progress(ctx: ToolContext) -> str:
    """Show progress."""
    for share in (0, 50, 100):
        ctx.update(f"{share}/100")
        await asyncio.sleep(0.05)
    return "done"


@tool
async def test_sampling(prompt: str, ctx: ToolContext) -> str:
    """Ask the model something."""
    said = await ctx.host.ask_model([Message(new_id("msg"), "user", (TextPart(prompt),), time=time.time())])
    return f"LLM response: {said.text}"


@tool
async def test_elicitation(message: str, ctx: ToolContext) -> str:
    """Ask the person something."""
    answers = await ctx.host.ask_person([Question(f"{message}: your name?"), Question("Your email address?")])
    return f"User response: {answers}"


@tool
async def test_elicitation_sep1034_defaults(ctx: ToolContext) -> str:
    """Ask the person for what has a default."""
    return f"User response: {await ctx.host.ask_person([Question('status', ('active', 'inactive', 'pending'))])}"


@tool
async def test_elicitation_sep1330_enums(ctx: ToolContext) -> str:
    """Ask the person to choose."""
    return f"User response: {await ctx.host.ask_person([Question('which', ('option1', 'option2'), multiple=True)])}"


@tool
def test_reconnection() -> str:
    """Answer where a stream might be cut."""
    return "Reconnection test completed successfully"


async def _nothing(arguments: dict[str, Any], ctx: ToolContext) -> str:
    return "ok"


json_schema = Tool(
    name="json_schema_2020_12_tool",
    label="",
    description="Tool with JSON Schema 2020-12 features",
    parameters={
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
            }
        },
        "properties": {"name": {"type": "string"}, "address": {"$ref": "#/$defs/address"}},
        "additionalProperties": False,
    },
    execute=_nothing,
)
