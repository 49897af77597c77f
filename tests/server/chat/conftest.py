"""One process of Node for all tests of a file: it takes longer to start than most of them run."""

from collections.abc import Generator

import pytest
from chat_gates import GATES, RAN
from chat_play import OTHER_TOKEN, Driver


@pytest.fixture(scope="module")
def driver() -> Generator[Driver]:
    with Driver() as process:
        yield process


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOBS_TOKEN", OTHER_TOKEN)
    GATES.clear()
    RAN.clear()
