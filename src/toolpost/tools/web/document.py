"""Turn what was fetched into something a model can read: text in pages, or a picture."""

import asyncio
import base64

from msgspec import Struct

from toolpost.tools.file_kind import describe_bytes, kind_of
from toolpost.tools.output_collector import cut_head, is_binary_output
from toolpost.tools.pdf import pdf_text
from toolpost.types.errors import ToolError
from toolpost.types.messages import FilePart
from toolpost.types.text import clean

from .charset import decode_text
from .client import WebResponse
from .html.markdown import read_page
from .settings import Format

# Under the bounds of every result, with room for the marks around it.
PAGE_BYTES = 45_000
PAGE_LINES = 1_900
IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_HTML = frozenset({"text/html", "application/xhtml+xml"})


class WebDocument(Struct, frozen=True):
    """The whole text of what was fetched, or a picture. `cut` says that the fetch itself stopped at its limit."""

    url: str
    kind: str
    title: str = ""
    text: str = ""
    image: FilePart | None = None
    cut: bool = False
    hosts: tuple[str, ...] = ()


async def read_document(fetched: WebResponse, form: Format, *, image_bytes: int, seconds: float) -> WebDocument:
    """Make a document of an answer; raises `ToolError` for what no model can read."""
    body, kind = fetched.body, fetched.content_type
    _, found = kind_of(body)
    if found in IMAGES:
        return WebDocument(fetched.url, found, image=_image(fetched, found, image_bytes), hosts=fetched.hosts)
    if found == "application/pdf" or kind == "application/pdf":
        if fetched.cut:
            raise ToolError(f"{fetched.url} is a PDF of more than {len(body):,} bytes, which is too large to read")
        text = await pdf_text(body, seconds) or "(a PDF without text: perhaps a scan)"
        return WebDocument(fetched.url, "application/pdf", text=text, hosts=fetched.hosts)
    if _is_not_text(body, fetched.headers.get("content-type", "").lower()):
        raise ToolError(f"{fetched.url} is not text ({kind or 'no type given'}: {describe_bytes(body, len(body))})")
    text = clean(decode_text(body, fetched.headers.get("content-type", ""), fetched.cut))
    if kind not in _HTML and not (not kind and _looks_like_html(text)):
        return WebDocument(fetched.url, kind, text=text, cut=fetched.cut, hosts=fetched.hosts)
    if form == "html":
        return WebDocument(fetched.url, kind, text=text, cut=fetched.cut, hosts=fetched.hosts)
    # Seconds of work for the largest pages, which other tasks should not wait for.
    page = await asyncio.to_thread(read_page, text, fetched.url, form)
    return WebDocument(fetched.url, kind, page.title, clean(page.text), cut=fetched.cut, hosts=fetched.hosts)


def part_of(text: str, offset: int) -> str:
    """Return the part of `text` from character `offset` on that fits into one result."""
    # A character takes at most four bytes, so this many hold every part.
    ahead = text[offset : offset + PAGE_BYTES].encode()
    return cut_head(ahead, PAGE_BYTES, PAGE_LINES).decode(errors="ignore")


def _image(fetched: WebResponse, mime: str, most: int) -> FilePart:
    size = len(fetched.body)
    if fetched.cut or size * 4 // 3 > most:
        raise ToolError(f"{fetched.url} is a picture of {size:,} bytes or more; at most {most * 3 // 4:,} can be shown")
    return FilePart(mime, base64.b64encode(fetched.body).decode(), name=_name(fetched.url))


def _name(url: str) -> str:
    return url.partition("?")[0].rstrip("/").rpartition("/")[2][:100]


def _is_not_text(body: bytes, content_type: str) -> bool:
    """Judge by the bytes, since servers call anything text. With a charset there may be NULs, and in UTF-16."""
    if body.startswith((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf")):
        return False
    if any(word in content_type for word in ("text/", "json", "xml", "javascript", "charset=")):
        return kind_of(body)[1] != "application/octet-stream" or (
            b"\0" in body[:8_192] and "utf-16" not in content_type
        )
    return is_binary_output(body)


def _looks_like_html(text: str) -> bool:
    return text[:500].lstrip().lower().startswith(("<!doctype html", "<html"))
