"""llama.cpp's own server, in this process, with the embedded model's weights."""

import json
import urllib.error
import urllib.request
from functools import cache
from typing import Any

from toolpost.models.embedded.server import Server, server_for
from toolpost.models.embedded.weights.folder import is_here, path_of
from toolpost.models.embedded.weights.known import KNOWN, SMALLEST

# What the server has kept of a prompt changes the last digits, and with them now and then a word.
_ALWAYS_THE_SAME = {"temperature": 0, "cache_prompt": False}


@cache
def server() -> Server:
    assert is_here(KNOWN[SMALLEST]), "the weights of embedded/smollm2 are missing: `make weights` fetches them"
    return server_for(path_of(SMALLEST))


def ask(path: str, body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """The status and the answer of a request over HTTP."""
    headers = {"Authorization": f"Bearer {server().key}", "Content-Type": "application/json"}
    request = urllib.request.Request(server().url + path, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.load(error)


def chat(system: str, user: str, **fields: Any) -> str:
    """What the model says."""
    messages = [{"role": "system", "content": system}, {"role": "user", "content": user}]
    status, answer = ask(
        "/v1/chat/completions", {"messages": messages, "max_tokens": 160, **_ALWAYS_THE_SAME, **fields}
    )
    assert status == 200, answer
    return str(answer["choices"][0]["message"]["content"])


def complete(prompt: str, **fields: Any) -> str:
    """How the model goes on."""
    status, answer = ask("/completion", {"prompt": prompt, "n_predict": 80, **_ALWAYS_THE_SAME, **fields})
    assert status == 200, answer
    return str(answer["content"])
