"""Real weights and a real llama.cpp in this process. The weights are looked for where the user has them.

What needs only some llama.cpp takes the 98 MB of SmolLM2 as a plain GGUF; the default model is tried once, end to end.
"""

import asyncio
from pathlib import Path

import pytest

from toolpost.models import http
from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.embedded.model import Gguf
from toolpost.models.embedded.server import Server
from toolpost.models.embedded.weights.folder import is_here, path_of
from toolpost.models.embedded.weights.known import KNOWN, SMALLEST

WINDOW = 256
WEIGHTS = path_of(SMALLEST)
HERE = is_here(KNOWN[SMALLEST])


@pytest.fixture(scope="session")
def weights() -> Path:
    assert HERE, f"the weights of embedded/smollm2 are not at {WEIGHTS}: `make weights` fetches them"
    return WEIGHTS


@pytest.fixture
def model(weights) -> Gguf:
    return Gguf(AdapterSettings(SMALLEST), weights)


@pytest.fixture(scope="session")
def upstream(weights) -> Server:
    """llama.cpp's own server, as others would run it: it listens on a port and has one slot."""
    return Server(weights, window=WINDOW)


async def written_by(upstream: Server) -> int:
    """How many tokens the server has written of its last answer, once it has stopped."""
    async with asyncio.timeout(60):
        while True:
            [slot] = await http.get_json(
                f"{upstream.url}/slots", {"authorization": f"Bearer {upstream.key}"}, timeout=60
            )
            if not slot["is_processing"]:
                return slot["next_token"][0]["n_decoded"]


@pytest.fixture(autouse=True)
async def connections():
    """The server outlives the loop of a test, so nobody else closes what was kept open to it."""
    yield
    await http.close()
