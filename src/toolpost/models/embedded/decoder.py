"""What a turn asks of llama.cpp: write on, choose one of some texts, say how likely a text is after each of some
prompts. Every question can be stopped between two tokens, and what it cost is counted."""

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import msgspec

from toolpost.models.contract import Tape
from toolpost.models.failures import from_error_object
from toolpost.models.parts import encode
from toolpost.types.errors import ModelError
from toolpost.types.messages import Usage

from .server import Server

RECORDED_AS = "llama.cpp"
MOST_SCORED_TOKENS = 32
MOST_CONSTRAINED_TOKENS = 96

# What llama.cpp calls the options of a request. Without a temperature the likeliest token is taken.
_OPTIONS = {"temperature": "temperature", "top_p": "top_p", "top_k": "top_k", "seed": "seed", "stop": "stop"}


class Stopped(Exception):
    """The reader has left."""


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
        self, prompt: str, *, options: Mapping[str, Any], on_text: Callable[[str], None]
    ) -> Literal["stop", "length"]:
        """Free text, given to `on_text` as it comes. Says whether it was cut at `max_tokens`."""
        body = {own: options[name] for name, own in _OPTIONS.items() if options.get(name) is not None}
        body |= {"temperature": 0.0} if "temperature" not in body else {}
        if options.get("max_tokens") is not None:
            body["max_tokens"] = options["max_tokens"]
        return self._one(prompt, body | dict(options.get("extra") or {}), on_text)

    def choose(self, prompt: str, texts: Sequence[str]) -> str:
        """The one of `texts` that the model would write: token by token it takes the likeliest that is still one."""
        if len(texts) == 1:
            return texts[0]
        return self.constrained(prompt, {"grammar": "root ::= " + " | ".join(map(_literal, texts))})

    def constrained(self, prompt: str, limits: Mapping[str, Any]) -> str:
        """A text that fits a `grammar` or a `json_schema`."""
        pieces: list[str] = []
        self._one(prompt, {"temperature": 0.0, "max_tokens": MOST_CONSTRAINED_TOKENS, **limits}, pieces.append)
        return "".join(pieces)

    def scores(self, prompts: Sequence[str], text: str) -> list[float]:
        """The log probability of a token of `text`, on the average, after each prompt. Of a long text the beginning is
        looked at; one that cannot be scored is as likely after one prompt as after the other."""
        tokens = self._server.tokens(text)[:MOST_SCORED_TOKENS]
        sums = [0.0] * len(prompts)
        grammar = "root ::= " + " ".join(f"<[{token}]>" for token in tokens)

        def add(piece: dict[str, Any]) -> None:
            choice = piece["choices"][0]
            logprobs: Any = choice.get("logprobs")
            for token in logprobs["content"] if logprobs else ():
                sums[choice["index"]] += token["logprob"]

        body = {"prompt": list(prompts), "grammar": grammar, "n_probs": 1, "max_tokens": len(tokens)}
        try:
            self._ask({**body, "temperature": 0.0}, add, reading=True)
        except ModelError as error:
            if error.code != "server":
                raise
            # llama.cpp can't hold a text to tokens that end inside a character, as those of many scripts do.
            return [0.0] * len(prompts)
        return [total / max(1, len(tokens)) for total in sums]

    def _one(self, prompt: str, body: Mapping[str, Any], on_text: Callable[[str], None]) -> Literal["stop", "length"]:
        reason: list[str] = []

        def take(piece: dict[str, Any]) -> None:
            choice = piece["choices"][0]
            if choice.get("text"):
                on_text(choice["text"])
            if choice.get("finish_reason"):
                reason.append(choice["finish_reason"])

        self._ask({**body, "prompt": prompt}, take)
        return "length" if reason == ["length"] else "stop"

    def _ask(self, body: dict[str, Any], take: Callable[[dict[str, Any]], None], *, reading: bool = False) -> None:
        """`reading`: what llama.cpp wrote was given to it, and counts as read."""
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
                self._count(piece.get("usage"), reading)
            return False

        self._server.complete(body, on_piece)
        if self._stop.is_set():
            raise Stopped
        if failures:
            raise ModelError(from_error_object(failures[0]))

    def _count(self, given: Any, reading: bool) -> None:
        if not given:
            return
        read, written = int(given["prompt_tokens"]), int(given["completion_tokens"])
        cached = int(given["prompt_tokens_details"]["cached_tokens"])
        self.usage += Usage(read + written, 0, 0, cached) if reading else Usage(read, written, 0, cached)


def _literal(text: str) -> str:
    """A text in llama.cpp's grammar, which writes strings nearly as JSON does."""
    return msgspec.json.encode(text).decode().replace("\\/", "/")
