"""Fetch a page for a model: ask permission for every host on the way, make it readable, give it in parts."""

import asyncio
import base64
import re
from codecs import getincrementaldecoder
from collections.abc import Sequence
from functools import cache

from msgspec import Struct

from toolpost.guard.strict_urls import Target, parse_url
from toolpost.tools.define import ToolContext, ToolResult
from toolpost.tools.file_kind import describe_bytes, kind_of
from toolpost.tools.limits import ToolLimits
from toolpost.tools.output_collector import cut_head, is_binary_output
from toolpost.tools.pdf import pdf_text
from toolpost.tools.throttle import ResultCache
from toolpost.tools.untrusted import untrusted
from toolpost.types.errors import ToolError
from toolpost.types.messages import FilePart
from toolpost.types.text import clean, counted

from .client import WebClient, WebRequest, WebResponse
from .html.markdown import read_page
from .settings import Format

# Under the bounds of every result, with room for the marks around it.
_PAGE_BYTES = 45_000
_PAGE_LINES = 1_900
_IMAGES = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})
_HTML = frozenset({"text/html", "application/xhtml+xml"})
_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?([^\s\"';]+)", re.IGNORECASE)
_IN_HTML = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
_IN_XML = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]{1,40})")
_LOOKED_AT = 2_048
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
KEPT_SECONDS = 900.0
KEPT_DOCUMENTS = 4
ERROR_CHARACTERS = 1_000

_ACCEPT = {
    "markdown": "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5",
    "text": "text/plain, text/html;q=0.9, */*;q=0.5",
    "html": "text/html, */*;q=0.5",
}


class _WebDocument(Struct, frozen=True):
    """The whole text of what was fetched, or a picture. `cut` says that the fetch itself stopped at its limit."""

    url: str
    kind: str
    title: str = ""
    text: str = ""
    image: FilePart | None = None
    cut: bool = False
    hosts: tuple[str, ...] = ()


async def _read_document(fetched: WebResponse, form: Format, *, image_bytes: int, seconds: float) -> _WebDocument:
    """Make a document of an answer; raises `ToolError` for what no model can read."""
    body, kind = fetched.body, fetched.content_type
    _, found = kind_of(body)
    if found in _IMAGES:
        return _WebDocument(fetched.url, found, image=_image(fetched, found, image_bytes), hosts=fetched.hosts)
    if found == "application/pdf" or kind == "application/pdf":
        if fetched.cut:
            raise ToolError(f"{fetched.url} is a PDF of more than {len(body):,} bytes, which is too large to read")
        text = await pdf_text(body, seconds) or "(a PDF without text: perhaps a scan)"
        return _WebDocument(fetched.url, "application/pdf", text=text, hosts=fetched.hosts)
    if _is_not_text(body, fetched.headers.get("content-type", "").lower()):
        raise ToolError(f"{fetched.url} is not text ({kind or 'no type given'}: {describe_bytes(body, len(body))})")
    text = clean(_decode_text(body, fetched.headers.get("content-type", ""), fetched.cut))
    if kind not in _HTML and not (not kind and _looks_like_html(text)):
        return _WebDocument(fetched.url, kind, text=text, cut=fetched.cut, hosts=fetched.hosts)
    if form == "html":
        return _WebDocument(fetched.url, kind, text=text, cut=fetched.cut, hosts=fetched.hosts)
    # Seconds of work for the largest pages, which other tasks should not wait for.
    page = await asyncio.to_thread(read_page, text, fetched.url, form)
    return _WebDocument(fetched.url, kind, page.title, clean(page.text), cut=fetched.cut, hosts=fetched.hosts)


def _part_of(text: str, offset: int) -> str:
    """Return the part of `text` from character `offset` on that fits into one result."""
    # A character takes at most four bytes, so this many hold every part.
    ahead = text[offset : offset + _PAGE_BYTES].encode()
    return cut_head(ahead, _PAGE_BYTES, _PAGE_LINES).decode(errors="ignore")


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


def _decode_text(body: bytes, content_type: str, cut: bool = False) -> str:
    """The text of `body`; what its charset can't decode becomes U+FFFD, and half a character at a cut goes."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return _decode(body[len(mark) :], codec, cut)
    declared = _codec_of_header(content_type) or _codec_of_document(body[:_LOOKED_AT])
    if declared:
        return _decode(body, declared, cut)
    try:
        return getincrementaldecoder("utf-8")().decode(body, final=not cut)
    except UnicodeDecodeError:
        return _decode(body, "utf-8" if _mostly_utf8(body) else "cp1252", cut)


def _decode(body: bytes, codec: str, cut: bool) -> str:
    return getincrementaldecoder(codec)("replace").decode(body, final=not cut)


def _codec_of_header(content_type: str) -> str:
    found = _IN_HEADER.search(content_type)
    return _codecs().get(found[1].lower(), "") if found else ""


def _codec_of_document(head: bytes) -> str:
    found = _IN_HTML.search(head) or _IN_XML.match(head)
    codec = _codecs().get(found[1].decode("ascii").lower(), "") if found else ""
    # A declaration that can be read as ASCII is not in UTF-16.
    return "utf-8" if codec.startswith("utf-16") else codec


def _mostly_utf8(body: bytes) -> bool:
    """A stray byte makes no page Windows-1252."""
    sample = body[:65_536].decode("utf-8", "replace")
    return sample.count("\ufffd") * 50 < sum(not char.isascii() for char in sample)


@cache
def _codecs() -> dict[str, str]:
    """Labels of the web and their codecs. Only these: Python also has codecs that are not charsets, and slow ones."""
    names = {
        "utf-8": "utf8 utf-8 unicode-1-1-utf-8",
        "cp1252": "windows-1252 cp1252 iso-8859-1 iso8859-1 iso88591 latin1 latin-1 l1 ascii us-ascii x-cp1252",
        "utf-16-le": "utf-16 utf-16le unicode",
        "utf-16-be": "utf-16be",
        "gb18030": "gb18030 gbk gb2312 gb_2312-80 x-gbk chinese csgb2312",
        "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5",
        "cp932": "shift_jis shift-jis sjis ms_kanji x-sjis windows-31j",
        "euc_jp": "euc-jp x-euc-jp",
        "iso2022_jp": "iso-2022-jp",
        "cp949": "euc-kr ks_c_5601-1987 ksc5601 korean windows-949",
        "koi8-r": "koi8-r koi8 koi",
        "koi8-u": "koi8-u koi8-ru",
        "cp866": "ibm866 cp866 866",
        "cp874": "windows-874 tis-620 iso-8859-11",
        "mac-roman": "macintosh mac x-mac-roman",
        "iso8859-8": "iso-8859-8 iso-8859-8-i hebrew",
        "cp1254": "windows-1254 iso-8859-9 latin5",
    }
    for number in (1250, 1251, 1253, 1255, 1256, 1257, 1258):
        names[f"cp{number}"] = f"windows-{number} cp{number} x-cp{number}"
    for number in (2, 3, 4, 5, 6, 7, 10, 13, 14, 15, 16):
        names[f"iso8859-{number}"] = f"iso-8859-{number} iso8859-{number} iso_8859-{number}"
    return {label: codec for codec, labels in names.items() for label in labels.split()}


class PageFetcher:
    """The fetches of one workspace. What is read in parts stays the same page between them, and is fetched once."""

    def __init__(self, client: WebClient, limits: ToolLimits) -> None:
        self._client = client
        self._limits = limits
        self._kept = ResultCache(KEPT_SECONDS, KEPT_DOCUMENTS)

    async def run(self, url: str, form: Format, seconds: float, offset: int, ctx: ToolContext) -> ToolResult:
        key = f"{form} {url}"
        document: _WebDocument | None = self._kept.get(key) if offset > 0 else None
        if document is None:
            document = await self._fetch(url, form, seconds, ctx)
            self._kept.put(key, document)
        else:
            await _allow_all(ctx, document.hosts)
        return _result(document, max(0, offset))

    async def _fetch(self, url: str, form: Format, seconds: float, ctx: ToolContext) -> _WebDocument:
        limits = self._limits
        request = WebRequest(
            url=url,
            headers={"accept": _ACCEPT[form]},
            limit=limits.fetch_bytes,
            seconds=seconds,
            redirects=limits.fetch_redirects,
        )
        fetched = await self._client.fetch(request, _Asker(ctx, parse_url(url).host))
        if fetched.status >= 400:
            raise await _refusal(fetched)
        return await _read_document(fetched, form, image_bytes=limits.image_bytes, seconds=seconds)


class _Asker:
    """Asks for the permission that a redirect to another host needs; the first host was asked for before the call."""

    def __init__(self, ctx: ToolContext, host: str) -> None:
        self._ctx = ctx
        self._from = host

    async def __call__(self, target: Target) -> None:
        title = f"{self._from} redirects to {target.host}"
        await self._ctx.ask("web_fetch", [target.host], title=title, details={"url": target.url})


async def _allow_all(ctx: ToolContext, hosts: Sequence[str]) -> None:
    """Ask again for every host that led to a cached page: another session may have other rules."""
    for host in hosts[1:]:
        await ctx.ask("web_fetch", [host], title=f"{hosts[0]} redirects to {host}")


async def _refusal(fetched: WebResponse) -> ToolError:
    text = f"{fetched.url} answered with status {fetched.status}"
    try:
        document = await _read_document(fetched, "text", image_bytes=0, seconds=5.0)
    except ToolError:
        return ToolError(text)
    said = " ".join(document.text.split())[:ERROR_CHARACTERS]
    return ToolError(f"{text}:\n{untrusted(said, fetched.url)}" if said else text)


def _result(document: _WebDocument, offset: int) -> ToolResult:
    details = {"url": document.url, "type": document.kind, "characters": len(document.text)}
    if document.image is not None:
        return ToolResult([untrusted(f"({document.kind})", document.url), document.image], details, document.url)
    text = document.text
    if offset and offset >= len(text):
        raise ToolError(
            f"offset {offset:,} is past the end: the text has {counted(len(text), 'character')}", kind="invalid"
        )
    part = _part_of(text, offset)
    title = f"# {document.title}\n\n" if document.title and not offset and not text.startswith("# ") else ""
    notes = _notes(document, offset, offset + len(part))
    content = [untrusted(title + (part or "(the page has no text)"), document.url), *notes]
    return ToolResult(["\n".join(content)], details, document.title or document.url)


def _notes(document: _WebDocument, start: int, end: int) -> list[str]:
    notes: list[str] = []
    total = len(document.text)
    if end < total:
        shown = f"characters {start:,} to {end:,} of {total:,}"
        notes.append(f"[Cut: these are {shown}. For the next part call web_fetch with the same url and offset={end}.]")
    elif start:
        notes.append(f"[The end: these are characters {start:,} to {end:,} of {total:,}.]")
    if document.cut and end >= total:
        notes.append("[The page is longer: only this much of it was fetched, and the rest is not available.]")
    return notes
