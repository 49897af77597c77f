"""What is said where `[engine]` is wrong, the server is away, or does not allow something."""

import asyncio
import logging
import socket
import subprocess
from pathlib import Path

import pytest
from temporal_runs import Runs
from temporal_server import BINARY, TemporalServer

from toolpost.config.schema import EngineSettings
from toolpost.engine.drive import RunTicket
from toolpost.temporal.connection import PATIENCE, read_address
from toolpost.temporal.engine import ATTRIBUTES, TemporalEngine
from toolpost.temporal.queues import queue_of
from toolpost.types.errors import ConfigError, ToolpostError

TICKET = RunTicket("s", "r", "ann", "chat", "/")


@pytest.mark.parametrize(
    ("url", "target", "namespace"),
    [
        ("temporal://localhost:7233/toolpost", "localhost:7233", "toolpost"),
        ("temporal://localhost", "localhost:7233", "default"),
        ("temporal://10.0.0.7:7000/", "10.0.0.7:7000", "default"),
        ("temporal://[::1]:7233/toolpost", "[::1]:7233", "toolpost"),
        ("temporal://team.a1b2c.tmprl.cloud:7233/team.a1b2c", "team.a1b2c.tmprl.cloud:7233", "team.a1b2c"),
    ],
)
def test_an_address_names_a_server_and_a_namespace(url: str, target: str, namespace: str) -> None:
    address = read_address(url)
    assert (address.target, address.namespace) == (target, namespace)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://localhost:7233", "must begin with temporal://, not http://"),
        ("localhost:7233", "must begin with temporal://"),
        ("temporal:///default", "cannot be read: use temporal://host:7233/namespace"),
        ("temporal://localhost:x/default", "cannot be read"),
        ("temporal://localhost/a/b", "cannot be read"),
        ("temporal://localhost/a?tls=1", "cannot be read"),
        ("temporal://:secret@localhost/a", "set api_key_env to the variable that holds the key"),
    ],
)
def test_a_wrong_address_is_an_error_that_says_what_to_do(url: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said) as raised:
        TemporalEngine(EngineSettings(url=url), {})
    assert "secret" not in str(raised.value)


def test_without_an_address_it_is_said_how_to_give_one() -> None:
    with pytest.raises(ConfigError, match=r"add `url` to \[engine\]"):
        TemporalEngine(EngineSettings(), {})


def test_a_run_goes_to_its_pool_or_to_the_machine_and_the_project_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "project" / ".git").mkdir(parents=True)
    (tmp_path / "project" / "inside").mkdir()
    (tmp_path / "other" / "project").mkdir(parents=True)
    own = queue_of(tmp_path / "project", None)
    assert own.startswith(f"toolpost/{socket.gethostname()}/project-")
    assert queue_of(tmp_path / "project" / "inside", None) == own
    assert queue_of(tmp_path / "other" / "project", None) != own
    assert queue_of(tmp_path, "gpu") == queue_of(tmp_path / "project", "gpu") == "toolpost/gpu"


@pytest.mark.parametrize("pool", ["", "two words", "a/b", "-x", "x" * 101])
def test_a_pool_has_a_plain_name(pool: str) -> None:
    with pytest.raises(ConfigError, match="pool must be a name"):
        TemporalEngine(EngineSettings(url="temporal://localhost", pool=pool), {})


async def test_a_server_that_is_away_is_told_at_once() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        target = f"127.0.0.1:{probe.getsockname()[1]}"
    engine = TemporalEngine(EngineSettings(url=f"temporal://{target}"), {})
    with pytest.raises(ToolpostError) as raised:
        await engine.submit(TICKET)
    assert str(raised.value) == (
        f"the Temporal server at {target} can't be reached (Connection refused): start it, or correct [engine] url and "
        "tls"
    )


async def test_a_server_that_does_not_answer_is_not_waited_for_without_end() -> None:
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        engine = TemporalEngine(EngineSettings(url=f"temporal://127.0.0.1:{silent.getsockname()[1]}"), {})
        with pytest.raises(ToolpostError, match="can't be reached"):
            async with asyncio.timeout(PATIENCE + 1):
                await engine.submit(TICKET)


async def test_a_namespace_that_is_missing_is_named(temporal: TemporalServer) -> None:
    engine = TemporalEngine(EngineSettings(url=temporal.url("nowhere")), {})
    with pytest.raises(ConfigError, match="has no namespace nowhere: create it with `temporal operator"):
        await engine.submit(TICKET)


async def test_a_key_that_is_not_set_is_named(temporal: TemporalServer) -> None:
    engine = TemporalEngine(EngineSettings(url=temporal.url(), api_key_env="TEMPORAL_KEY"), {})
    with pytest.raises(ConfigError, match="takes its key from TEMPORAL_KEY, which is not set"):
        await engine.submit(TICKET)


async def test_a_key_is_sent_over_tls_only(temporal: TemporalServer) -> None:
    """This server speaks no TLS, so that nothing is sent at all."""
    settings = EngineSettings(url=temporal.url(), api_key_env="TEMPORAL_KEY")
    with pytest.raises(ToolpostError, match="can't be reached"):
        await TemporalEngine(settings, {"TEMPORAL_KEY": "a-key-of-a-person"}).submit(TICKET)


async def test_where_search_attributes_can_t_be_made_runs_are_driven_without_them(
    temporal: TemporalServer, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A namespace has room for a few of each kind, and here it is taken."""
    taken = [part for number in range(10) for part in ("--name", f"Taken{number}", "--type", "Keyword")]
    for command in (["namespace", "create"], ["search-attribute", "create", *taken]):
        whole = [BINARY, "operator", *command, "--namespace", "full", "--address", temporal.target]
        await asyncio.to_thread(subprocess.run, whole, check=True, capture_output=True)
    runs = Runs(temporal, tmp_path, "full")
    with caplog.at_level(logging.WARNING, "toolpost.temporal"):
        tickets = [await runs.submit("asks 1") for _ in range(3)]
    assert len(caplog.records) == 1
    assert ", ".join(ATTRIBUTES) in caplog.text
    async with runs.worker():
        for ticket in tickets:
            await runs.is_at(ticket, "waiting")
            await runs.answer(ticket)
            assert await runs.ended(ticket) == "done"
    await runs.close()
