"""The files of the web chat, with headers that let it talk to this server only."""

import base64
import gzip
import hashlib
import mimetypes
import os
import re
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from .http import Request
from .refusals import Refusal
from .routing import Doc, Route

# Built by `make page` from web/; a wheel brings it along.
BUILT = Path(__file__).parent / "page"
POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "connect-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
# Diagrams are drawn in a frame without an origin, by a library that wants styles in its text. Nothing is fetched there,
# and no script runs but the one that stands in the file.
DRAWING_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src '{digest}'",
        "style-src 'unsafe-inline'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'self'",
        "sandbox allow-scripts",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}
DRAWING = "mermaid.html"
# The names of these files change with what is in them.
FOREVER = "public, max-age=31536000, immutable"
MISSING = """\
<!doctype html><meta charset="utf-8"><title>Toolpost</title>
<p>The web chat was not built. With Node 20 or newer, run <code>make page</code> and start the server again.
<p>Everything else works: see <a href="/api/openapi.json">/api/openapi.json</a>, and the terminal for the addresses.
"""


def page_routes(folder: Path = BUILT) -> list[Route]:
    """The page needs no token: it has no secret, and can do nothing without one."""

    async def index(request: Request) -> None:
        if "index.html" in _files_in(folder):
            await _reply(request, folder, "index.html", "no-cache")
        else:
            headers = {**HEADERS, "cache-control": "no-cache"}
            await request.reply(MISSING.encode(), content_type="text/html; charset=utf-8", headers=headers)

    async def asset(request: Request) -> None:
        await _reply(request, folder / "assets", request.params["name"], FOREVER)

    async def drawing(request: Request) -> None:
        changed = _files_in(folder).get(DRAWING)
        policy = POLICY if changed is None else _drawing_policy(folder / DRAWING, changed)
        await _reply(request, folder, DRAWING, "no-cache", policy)

    async def icon(request: Request) -> None:
        await _reply(request, folder, "icon.svg", "max-age=86400")

    return [
        Route("GET", "/", index, Doc("The web chat", content_type="text/html"), is_open=True),
        Route("GET", "/assets/{name}", asset, Doc("A file of the web chat"), is_open=True),
        Route("GET", "/mermaid.html", drawing, Doc("Where diagrams are drawn", content_type="text/html"), is_open=True),
        Route("GET", "/icon.svg", icon, Doc("The web chat's icon", content_type="image/svg+xml"), is_open=True),
    ]


class _Encoded(Struct, frozen=True):
    """The bytes of a file as they are sent, and their ETag."""

    body: bytes
    tag: str
    encoding: str = ""


async def _reply(request: Request, folder: Path, name: str, caching: str, policy: str = POLICY) -> None:
    missing = Refusal("not_found", "the web chat has no such file")
    changed = _files_in(folder).get(name)
    if changed is None:
        raise missing
    try:
        plain, zipped = _encoded_file(folder / name, changed)
    except OSError:
        # It was deleted meanwhile, as when the page is built again, or may not be read.
        raise missing from None
    form = zipped if "gzip" in request.headers.get("accept-encoding", "") else plain
    caching_headers = {"cache-control": caching, "etag": form.tag, "vary": "accept-encoding"}
    headers = {**HEADERS, "content-security-policy": policy, **caching_headers}
    if request.headers.get("if-none-match") == form.tag:
        await request.reply(status=304, headers=headers)
        return
    if form.encoding:
        headers["content-encoding"] = form.encoding
    await request.reply(form.body, content_type=_kind(name), headers=headers)


def _files_in(folder: Path) -> dict[str, int]:
    """The names of a folder's files, and when each was changed. A name in a request is only compared with these, and
    never becomes a path. Links are left out: they may lead anywhere."""
    try:
        with os.scandir(folder) as entries:
            files = [entry for entry in entries if entry.is_file(follow_symlinks=False)]
            return {entry.name: entry.stat(follow_symlinks=False).st_mtime_ns for entry in files}
    except FileNotFoundError:
        return {}


@lru_cache(maxsize=256)
def _encoded_file(file: Path, changed: int) -> tuple[_Encoded, _Encoded]:
    """A file plain, and compressed where that makes it smaller. It is read again when it was built again."""
    body = file.read_bytes()
    tag, small = hashlib.sha256(body).hexdigest()[:32], gzip.compress(body, mtime=0)
    plain = _Encoded(body, f'"{tag}"')
    return plain, _Encoded(small, f'"{tag}-gzip"', "gzip") if len(small) < len(body) else plain


@lru_cache(maxsize=4)
def _drawing_policy(file: Path, changed: int) -> str:
    script = re.search(rb"<script>(.*)</script>", file.read_bytes(), re.DOTALL)
    digest = hashlib.sha256(script[1] if script else b"").digest()
    return DRAWING_POLICY.format(digest=f"sha256-{base64.b64encode(digest).decode()}")


def _kind(name: str) -> str:
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return f"{kind}; charset=utf-8" if kind.startswith("text/") else kind
