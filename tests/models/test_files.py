"""Files to a model and from it, on every wire, over a real socket."""

import base64
from typing import Any

import msgspec
import pytest
from wire_play import PNG, WIRES, answer, model_on, said, user

from toolpost import Agent
from toolpost.models.contract import ModelRequest
from toolpost.testing import Upstream, file, raw, text
from toolpost.types.messages import Completed, FilePart, Message, Part, TextPart, ToolPart
from toolpost.types.stream import Finish, GeneratedFile

CAT = b"\x89PNG a cat"
CAT64 = base64.b64encode(CAT).decode()
PDF = FilePart("application/pdf", data="JVBERg==", name="d.pdf")
WAV = FilePart("audio/wav", data="UklGRg==", name="a.wav")
SVG = FilePart("image/svg+xml", data=base64.b64encode(b"<svg/>").decode(), name="s.svg")
ZIP = FilePart("application/zip", data="UEsDBA==", name="z.zip")
LINK = FilePart("image/jpg", url="https://x.test/i.jpg")

# Each wire's own form for an image, a PDF and a sound; None where it has none and says so in words.
SHOWN: dict[str, tuple[Any, Any, Any, Any]] = {
    "openai_chat": (
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
        {"type": "image_url", "image_url": {"url": "https://x.test/i.jpg"}},
        {"type": "file", "file": {"filename": "d.pdf", "file_data": "data:application/pdf;base64,JVBERg=="}},
        {"type": "input_audio", "input_audio": {"data": "UklGRg==", "format": "wav"}},
    ),
    "anthropic": (
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}},
        {"type": "image", "source": {"type": "url", "url": "https://x.test/i.jpg"}},
        {
            "type": "document",
            "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERg=="},
            "title": "d.pdf",
        },
        None,
    ),
    "ollama": ("iVBORw==", None, None, None),
    "openai_responses": (
        {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,iVBORw=="},
        {"type": "input_image", "detail": "auto", "image_url": "https://x.test/i.jpg"},
        {"type": "input_file", "filename": "d.pdf", "file_data": "data:application/pdf;base64,JVBERg=="},
        None,
    ),
    "gemini": (
        {"inlineData": {"mimeType": "image/png", "data": "iVBORw=="}},
        {"fileData": {"mimeType": "image/jpeg", "fileUri": "https://x.test/i.jpg"}},
        {"inlineData": {"mimeType": "application/pdf", "data": "JVBERg=="}},
        {"inlineData": {"mimeType": "audio/wav", "data": "UklGRg=="}},
    ),
}
NAMES = ("image a.png (image/png)", "image https://x.test/i.jpg", "file d.pdf", "file a.wav (audio/wav)")


def leaves(value: Any) -> list[Any]:
    """Every object and every text in a JSON value."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [value, *(leaf for item in inner for leaf in leaves(item))]


async def sent(wire: str, *messages: Message) -> list[Any]:
    async with Upstream(text("ok")) as up:
        await answer(model_on(wire, up), ModelRequest(messages))
        body = up.requests[0].body
    # Marks for the cache are of no interest here.
    return [
        {name: item for name, item in leaf.items() if name != "cache_control"} if isinstance(leaf, dict) else leaf
        for leaf in leaves(body)
    ]


def told(found: list[Any]) -> str:
    return "\n".join(leaf for leaf in found if isinstance(leaf, str))


@pytest.mark.parametrize("wire", WIRES)
async def test_files_of_a_user_are_shown_as_the_wire_can_and_named_where_it_cannot(wire: str) -> None:
    found = await sent(wire, user(TextPart("look"), PNG, LINK, PDF, WAV, SVG, ZIP, TextPart("so?")))
    for shown, name in zip(SHOWN[wire], NAMES, strict=True):
        assert (shown in found) if shown else f"[{name}" in told(found)
    assert told(found).count("you can't be shown it]") == 1 + SHOWN[wire].count(None)
    # A drawing in words is words.
    assert "s.svg:\n<svg/>" in told(found)


@pytest.mark.parametrize("wire", WIRES)
async def test_files_of_a_result_are_shown_too(wire: str) -> None:
    shot = Completed({}, (TextPart("taken"), PNG, PDF, ZIP), 0, 1)
    called = Message("a", "assistant", (ToolPart("c1", "shot", shot),), model="other/m")
    found = await sent(wire, user(TextPart("look")), called)
    image, _, pdf, _ = SHOWN[wire]
    assert image in found
    assert (pdf in found) if pdf else "[file d.pdf (application/pdf): you can't be shown it]" in told(found)
    assert "[file z.zip (application/zip): you can't be shown it]" in told(found)


MAKERS = ("openai_chat", "openai_responses", "gemini")


@pytest.mark.parametrize("wire", MAKERS)
async def test_a_file_of_the_model_comes_between_its_words(wire: str) -> None:
    async with Upstream(text("Here:") + file(CAT) + text("Nice?")) as up:
        events = await answer(model_on(wire, up))
    kinds = [event.type for event in events if event.type in ("text-delta", "text-end", "file")]
    assert kinds == ["text-delta", "text-end", "file", "text-delta", "text-end"]
    (made,) = [event for event in events if isinstance(event, GeneratedFile)]
    assert (made.mime, made.data, said(events)) == ("image/png", CAT64, "Here:Nice?")
    assert isinstance(events[-1], Finish)


ECHOES: dict[str, Any] = {
    "openai_chat": {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{CAT64}"}},
    "openai_responses": {"type": "image_generation_call", "id": "ig_1", "status": "completed", "result": CAT64},
    "gemini": {"inlineData": {"mimeType": "image/png", "data": CAT64}},
}


@pytest.mark.parametrize("wire", MAKERS)
async def test_a_file_of_the_model_is_kept_told_and_shown_to_it_again(wire: str) -> None:
    async with Upstream(file(CAT), text("Bluer.")) as up:
        session = Agent(model_on(wire, up)).session()
        seen: list[Any] = []
        session.subscribe(seen.append)
        result = await session.run("Draw a cat")
        assert [(part.mime, part.data) for part in result.files] == [("image/png", CAT64)]
        assert (await session.run("Bluer!")).files == ()
        assert ECHOES[wire] in leaves(up.requests[1].body)
    (update,) = [event for event in seen if event.type == "message_update" and event.kind == "file"]
    (end,) = [event for event in seen if event.type == "message_end" and event.message.id == update.message_id]
    part = end.message.parts[update.part]
    assert isinstance(part, FilePart)
    assert (update.text, part.data) == ("image/png", CAT64)


@pytest.mark.parametrize("wire", WIRES)
async def test_a_file_of_another_house_is_named(wire: str) -> None:
    parts: tuple[Part, ...] = (TextPart("Here."), FilePart("image/png", data=CAT64, name="cat.png"))
    found = await sent(wire, user(TextPart("draw")), Message("a", "assistant", parts, model="other/m"))
    shown = wire == "gemini" and ECHOES[wire] in found
    assert shown or "[image cat.png (image/png)]" in told(found)


@pytest.mark.parametrize(
    ("image", "made"),
    [
        ({"image_url": {"url": "data:image/webp;base64,AAAA"}}, GeneratedFile("image/webp", "AAAA")),
        ({"image_url": {"url": "https://x.test/i"}}, GeneratedFile("image/png", url="https://x.test/i")),
        ({"image_url": {"url": "ftp://x"}}, None),
        ("odd", None),
    ],
)
async def test_images_of_a_gateway(image: Any, made: GeneratedFile | None) -> None:
    chunk = {"choices": [{"delta": {"images": [image]}, "finish_reason": "stop"}]}
    async with Upstream(raw(b"data: " + msgspec.json.encode(chunk) + b"\n\n")) as up:
        events = await answer(model_on("openai_chat", up))
    assert events == [*([made] if made else []), Finish("stop")]
