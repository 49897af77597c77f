"""Anthropic's own client in front of a server that says what a test tells it to."""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from anthropic import Anthropic

ASK: dict[str, Any] = {"model": "claude-x", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}


class SaysSo(ThreadingHTTPServer):
    """Answers every request with `pieces`, each in a chunk of its own."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.pieces: Sequence[bytes] = ()
        self.status = 200
        self.client = Anthropic(
            base_url=f"http://127.0.0.1:{self.server_port}", api_key="key", max_retries=0, timeout=20.0
        )

    def streamed(self, pieces: Sequence[bytes], *, beta: bool = False) -> Any:
        """The message that the client makes of a stream."""
        self.status, self.pieces = 200, pieces
        messages = self.client.beta.messages if beta else self.client.messages
        with messages.stream(**ASK) as stream:
            return stream.get_final_message()

    def answered(self, body: bytes, *, status: int = 200, beta: bool = False) -> Any:
        self.status, self.pieces = status, [body]
        messages = self.client.beta.messages if beta else self.client.messages
        return messages.create(**ASK)


@contextmanager
def says_so() -> Iterator[SaysSo]:
    with SaysSo() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.client.close()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: SaysSo

    def do_GET(self) -> None:
        self._answer("application/json")

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["content-length"]))
        self._answer("text/event-stream" if b'"stream":true' in asked.replace(b" ", b"") else "application/json")

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def _answer(self, kind: str) -> None:
        self.send_response(self.server.status)
        self.send_header("content-type", kind)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        chunks = [b"%x\r\n%s\r\n" % (len(piece), piece) for piece in self.server.pieces if piece]
        self.wfile.write(b"".join(chunks) + b"0\r\n\r\n")
