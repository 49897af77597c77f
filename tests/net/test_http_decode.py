"""Content codings: undone in pieces of any size, within limits, and only asked for where they can be undone."""

import gzip
import sys
import zlib
from collections.abc import Callable, Iterator

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tcp_server import Peer, tcp_server

from toolpost.net import decode
from toolpost.net.client import HttpRequest, send
from toolpost.net.decode import BodyDecoder, accepted_codings, codings_of
from toolpost.net.errors import BodyTooLarge, UndecodableBody

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

MB = 1_000_000


def raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data)[2:-4]


def two_members(data: bytes) -> bytes:
    return gzip.compress(data[:100]) + gzip.compress(data[100:])


def fast_brotli(data: bytes) -> bytes:
    return brotli.compress(data, quality=1)


def two_frames(data: bytes) -> bytes:
    return zstd.compress(data[:100]) + zstd.compress(data[100:])


ENCODED: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "plain": ("", bytes),
    "gzip": ("gzip", two_members),
    "deflate": ("deflate", zlib.compress),
    "raw deflate": ("deflate", raw_deflate),
    "gzip twice": ("gzip, gzip", lambda data: gzip.compress(gzip.compress(data))),
    "brotli": ("br", fast_brotli),
    "zstd": ("zstd", two_frames),
    "zstd in brotli": ("zstd, br", lambda data: fast_brotli(zstd.compress(data))),
}


@pytest.fixture
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in ("brotli", "compression.zstd", "backports.zstd"):
        monkeypatch.setitem(sys.modules, name, None)
    decode._brotli.cache_clear()
    decode._zstd.cache_clear()
    yield
    decode._brotli.cache_clear()
    decode._zstd.cache_clear()


def decoded(header: str, data: bytes, size: int = 65_536, limit: int = 10 * MB) -> bytes:
    decoder = BodyDecoder(codings_of(header), limit)
    pieces = [piece for at in range(0, len(data), size) for piece in decoder.feed(data[at : at + size])]
    decoder.finish()
    return b"".join(pieces)


@given(st.binary(max_size=200_000), st.sampled_from(sorted(ENCODED)), st.integers(1, 5000))
def test_whatever_is_encoded_comes_out_as_it_was_in_pieces_of_any_size(data: bytes, kind: str, size: int) -> None:
    header, encode = ENCODED[kind]
    assert decoded(header, encode(data), size) == data


@pytest.mark.parametrize("kind", [kind for kind in ENCODED if kind != "plain"])
def test_a_bomb_is_cut_at_its_limit_and_comes_in_small_pieces(kind: str) -> None:
    header, encode = ENCODED[kind]
    decoder = BodyDecoder(codings_of(header), 2 * MB)
    pieces = list(decoder.feed(encode(bytes(50 * MB))))
    assert decoder.cut
    assert sum(map(len, pieces)) <= 2 * MB
    assert max(map(len, pieces)) <= 4 * decode.PIECE


@pytest.mark.parametrize("kind", [kind for kind in ENCODED if kind not in ("plain", "zstd in brotli", "gzip twice")])
def test_a_body_that_ends_early_or_is_something_else_is_told(kind: str) -> None:
    header, encode = ENCODED[kind]
    whole = encode(bytes(range(256)) * 100)
    with pytest.raises(UndecodableBody, match=r"middle of its compressed|broken"):
        decoded(header, whole[:-9])
    with pytest.raises(UndecodableBody, match=r"middle of its compressed|broken"):
        decoded(header, b"\xff this is plain text")


def test_zstd_windows_that_would_take_much_memory_are_refused() -> None:
    options = {zstd.CompressionParameter.window_log: 27, zstd.CompressionParameter.enable_long_distance_matching: 1}
    machine = zstd.ZstdCompressor(options=options)
    wide = machine.compress(b"x" * 1000, machine.FLUSH_BLOCK) + machine.flush()
    with pytest.raises(UndecodableBody, match="broken"):
        decoded("zstd", wide)


@pytest.mark.parametrize("size", [1, 1000])
def test_what_follows_the_end_is_overlooked_where_it_is_padding(size: int) -> None:
    assert decoded("gzip", gzip.compress(b"hello") + b"\0\0\0", size) == b"hello"
    with pytest.raises(UndecodableBody, match="broken"):
        decoded("br", brotli.compress(b"hello") + b"\0\0\0", size)


def test_all_that_can_be_decoded_is_asked_for() -> None:
    assert accepted_codings() == "gzip, deflate, br, zstd"


@pytest.mark.usefixtures("nothing_installed")
def test_what_cannot_be_decoded_is_not_asked_for_and_says_what_to_install() -> None:
    assert accepted_codings() == "gzip, deflate"
    with pytest.raises(UndecodableBody, match=r"Brotli .*pip install 'brotli>=1\.2'"):
        codings_of("br")
    with pytest.raises(UndecodableBody, match=r"Zstandard .*pip install backports\.zstd"):
        codings_of("gzip, zstd")


def test_a_brotli_that_cannot_bound_its_output_is_as_good_as_none(monkeypatch: pytest.MonkeyPatch) -> None:
    class Old:
        def process(self, data: bytes) -> bytes:
            return data

    decode._brotli.cache_clear()
    monkeypatch.setattr(brotli, "Decompressor", Old)
    assert "br" not in accepted_codings().split(", ")
    monkeypatch.undo()
    decode._brotli.cache_clear()


@pytest.mark.parametrize(
    ("header", "told"), [("compress", "unknown Content-Encoding 'compress'"), ("gzip, gzip, gzip", "3 times")]
)
def test_other_codings_are_told(header: str, told: str) -> None:
    with pytest.raises(UndecodableBody, match=told):
        codings_of(header)


@pytest.mark.parametrize("kind", sorted(ENCODED))
async def test_a_compressed_response_is_read_as_a_stream_and_its_connection_kept(kind: str) -> None:
    header, encode = ENCODED[kind]
    body = encode(b"data: hello\n\n" * 1000)
    head = f"HTTP/1.1 200 OK\r\ncontent-encoding: {header or 'identity'}\r\ncontent-length: {len(body)}\r\n\r\n"

    async def script(peer: Peer) -> None:
        for _ in range(2):
            await peer.take_request()
            await peer.send(head.encode() + body[:10])
            await peer.send(body[10:])
        await peer.gone()

    async with tcp_server(script) as server:
        for _ in range(2):
            response = await send(HttpRequest(url=server.url))
            assert b"".join([data async for data in response]) == b"data: hello\n\n" * 1000
            response.close()
        assert len(server.peers) == 1
        assert b"accept-encoding: gzip, deflate, br, zstd\r\n" in server.peers[0].request


async def test_a_bomb_is_given_up_after_what_fits() -> None:
    body = gzip.compress(bytes(50 * MB))

    async def script(peer: Peer) -> None:
        await peer.take_request()
        await peer.send(b"HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % len(body) + body)

    async with tcp_server(script) as server:
        response = await send(HttpRequest(url=server.url, decoded_limit=MB))
        with pytest.raises(BodyTooLarge):
            [piece async for piece in response]
        response.close()
        response = await send(HttpRequest(url=server.url, decoded_limit=MB))
        assert await response.read(2 * MB) == bytes(MB)
        assert response.cut
        response.close()
