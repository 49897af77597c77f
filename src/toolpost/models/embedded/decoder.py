"""What a turn asks of llama.cpp: to write on, with the adapter or without, and how sure it was of each token. Every
question can be stopped between two tokens, and what it cost is counted."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from toolpost.models.contract import Tape
from toolpost.models.failures import from_error_object
from toolpost.models.parts import encode
from toolpost.models.prompted.gbnf import literal
from toolpost.types.errors import ModelError
from toolpost.types.messages import Usage

from .server import Server

RECORDED_AS = "llama.cpp"
MOST_CHOSEN_TOKENS = 64

# The options that llama.cpp calls by the same names. Without a temperature the likeliest token is taken.
_OPTIONS = ("temperature", "top_p", "top_k", "seed", "stop", "max_tokens")

# So many of the likeliest tokens are told at each place.
LIKELIEST = 8


class Stopped(Exception):
    """The reader has left."""


class Token(NamedTuple):
    """Its bytes, the logarithm of its probability before any grammar had its say, and those of the likeliest there."""

    text: bytes
    logprob: float
    likeliest: Mapping[bytes, float] = {}


class Written(NamedTuple):
    """`reason` says whether it was cut at `max_tokens`."""

    text: str
    reason: Literal["stop", "length"]
    tokens: list[Token]


class Decoder:
    """The questions of one turn. `beat` is called whenever llama.cpp shows that it lives; `tape` has the last one."""

    def __init__(
        self, server: Server, stop: threading.Event, beat: Callable[[], None], tape: Tape | None = None
    ) -> None:
        self.usage = Usage()
        self._tape = tape or Tape()
        self._tape.send(RECORDED_AS, b"", time.time())
        self._server = server
        self._stop = stop
        self._beat = beat

    def write(
        self,
        prompt: str,
        *,
        options: Mapping[str, Any],
        on_text: Callable[[str], None] | None = None,
        adapted: bool = True,
    ) -> Written:
        """Go on from the prompt, with each piece given to `on_text` as it comes. `adapted` False leaves the adapter
        out: then it is the model that it was before it learnt to call tools."""
        pieces: list[str] = []
        tokens: list[Token] = []
        reason: list[str] = []

        def take(piece: dict[str, Any]) -> None:
            choice = piece["choices"][0]
            logprobs: Any = choice.get("logprobs")
            tokens.extend(map(_token, logprobs["content"] if logprobs else ()))
            if choice.get("text"):
                pieces.append(choice["text"])
                if on_text is not None:
                    on_text(choice["text"])
            if choice.get("finish_reason"):
                reason.append(choice["finish_reason"])

        self._ask({"prompt": prompt, **self._server.adapted(adapted), **_body(options)}, take)
        return Written("".join(pieces), "length" if reason == ["length"] else "stop", tokens)

    def choose(self, prompt: str, texts: Sequence[str]) -> str:
        """The one of `texts` that the model would write as a JSON string, whose first quote the prompt has."""
        quoted = {encode(text).decode()[1:]: text for text in texts}
        grammar = "root ::= " + " | ".join(map(literal, quoted))
        written = self.write(prompt, options={"max_tokens": MOST_CHOSEN_TOKENS, "extra": {"grammar": grammar}}).text
        return quoted.get(written, texts[0])

    def _ask(self, body: dict[str, Any], take: Callable[[dict[str, Any]], None]) -> None:
        failures: list[Any] = []
        self._tape.send(RECORDED_AS, encode(body), time.time())

        def on_piece(piece: dict[str, Any]) -> bool:
            if self._stop.is_set():
                return True
            self._beat()
            self._tape.receive(encode(piece) + b"\n", time.time())
            if "error" in piece:
                failures.append(piece["error"])
            else:
                take(piece)
                self._count(piece.get("usage"))
            return False

        self._server.complete(body, on_piece)
        if self._stop.is_set():
            raise Stopped
        if failures:
            raise ModelError(from_error_object(failures[0]))

    def _count(self, given: Any) -> None:
        if not given:
            return
        cached = int(given["prompt_tokens_details"]["cached_tokens"])
        self.usage += Usage(int(given["prompt_tokens"]), int(given["completion_tokens"]), 0, cached)


def _token(given: dict[str, Any]) -> Token:
    likeliest = {bytes(other["bytes"]): other["logprob"] for other in given.get("top_logprobs") or ()}
    return Token(bytes(given["bytes"]), given["logprob"], likeliest)


def _body(options: Mapping[str, Any]) -> dict[str, Any]:
    body: dict[str, Any] = {"temperature": 0.0, "n_probs": LIKELIEST}
    body |= {name: options[name] for name in _OPTIONS if options.get(name) is not None}
    return {**body, **(options.get("extra") or {})}
