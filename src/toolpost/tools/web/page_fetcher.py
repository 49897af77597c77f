"""Fetch a page for a model: ask permission for every host on the way, make it readable, give it in parts."""

from collections.abc import Sequence

from toolpost.guard.strict_urls import Target, parse_url
from toolpost.tools.define import ToolContext, ToolResult
from toolpost.tools.limits import ToolLimits
from toolpost.tools.throttle import ResultCache
from toolpost.tools.untrusted import untrusted
from toolpost.types.errors import ToolError
from toolpost.types.text import counted

from .client import WebClient, WebRequest, WebResponse
from .document import WebDocument, part_of, read_document
from .settings import Format

KEPT_SECONDS = 900.0
KEPT_DOCUMENTS = 4
ERROR_CHARACTERS = 1_000

_ACCEPT = {
    "markdown": "text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5",
    "text": "text/plain, text/html;q=0.9, */*;q=0.5",
    "html": "text/html, */*;q=0.5",
}


class PageFetcher:
    """The fetches of one workspace. What is read in parts stays the same page between them, and is fetched once."""

    def __init__(self, client: WebClient, limits: ToolLimits) -> None:
        self._client = client
        self._limits = limits
        self._kept = ResultCache(KEPT_SECONDS, KEPT_DOCUMENTS)

    async def run(self, url: str, form: Format, seconds: float, offset: int, ctx: ToolContext) -> ToolResult:
        key = f"{form} {url}"
        document: WebDocument | None = self._kept.get(key) if offset > 0 else None
        if document is None:
            document = await self._fetch(url, form, seconds, ctx)
            self._kept.put(key, document)
        else:
            await _allow_all(ctx, document.hosts)
        return _result(document, max(0, offset))

    async def _fetch(self, url: str, form: Format, seconds: float, ctx: ToolContext) -> WebDocument:
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
        return await read_document(fetched, form, image_bytes=limits.image_bytes, seconds=seconds)


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
        document = await read_document(fetched, "text", image_bytes=0, seconds=5.0)
    except ToolError:
        return ToolError(text)
    said = " ".join(document.text.split())[:ERROR_CHARACTERS]
    return ToolError(f"{text}:\n{untrusted(said, fetched.url)}" if said else text)


def _result(document: WebDocument, offset: int) -> ToolResult:
    details = {"url": document.url, "type": document.kind, "characters": len(document.text)}
    if document.image is not None:
        return ToolResult([untrusted(f"({document.kind})", document.url), document.image], details, document.url)
    text = document.text
    if offset and offset >= len(text):
        raise ToolError(
            f"offset {offset:,} is past the end: the text has {counted(len(text), 'character')}", kind="invalid"
        )
    part = part_of(text, offset)
    title = f"# {document.title}\n\n" if document.title and not offset and not text.startswith("# ") else ""
    notes = _notes(document, offset, offset + len(part))
    content = [untrusted(title + (part or "(the page has no text)"), document.url), *notes]
    return ToolResult(["\n".join(content)], details, document.title or document.url)


def _notes(document: WebDocument, start: int, end: int) -> list[str]:
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
