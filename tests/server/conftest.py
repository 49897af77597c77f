"""A folder for each test of the gateway, with the user's own places inside of it, and an MCP server."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from gateway_play import listening, mcp_server


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    project = tmp_path / "project"
    project.mkdir()
    return project


@pytest.fixture
async def mcp_url() -> AsyncGenerator[str]:
    async with listening(mcp_server().streamable_http_app()) as url:
        yield f"{url}/mcp"
