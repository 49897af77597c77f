"""`toolpost serve` with users: what it prints, whom it lets in, and the tokens that it makes."""

import asyncio
import re
from pathlib import Path

import httpx
from console import Console

from toolpost.testing import Upstream, text

ASK = {"model": "any", "max_tokens": 100, "messages": [{"role": "user", "content": "hi"}]}


async def test_a_token_that_was_made_lets_its_user_in(tmp_path: Path) -> None:
    async with Upstream(text("hello")) as up:
        console = Console(tmp_path, up.base_url)
        made = await console.call("serve", "--new-token", "ann")
        assert made.status == 0
        token = made.out.strip()
        lines = re.search(r"\[server\.users\.ann\]\n.*\n", made.err)
        assert lines is not None
        assert token not in made.err
        (console.folder / ".toolpost" / "config.toml").write_text(lines[0])
        process = await console.start("serve", "--port", "0")
        assert process.stderr is not None
        try:
            async with asyncio.timeout(20):
                greeting = (await process.stderr.readuntil(b"users:")).decode()
                assert (await process.stderr.readline()).decode().strip() == "1 (ann)"
            found = re.search(r"on (http://\S+)", greeting)
            assert found is not None
            async with httpx.AsyncClient(base_url=found[1], timeout=15, trust_env=False) as http:
                answer = await http.post("/v1/messages", json=ASK, headers={"x-api-key": token})
                assert answer.json()["content"][0]["text"] == "hello"
                assert (await http.post("/v1/messages", json=ASK)).status_code == 401
        finally:
            process.terminate()
            await process.communicate()


async def test_settings_of_a_user_that_cannot_be_are_said_in_one_line(tmp_path: Path) -> None:
    console = Console(tmp_path)
    (console.folder / ".toolpost" / "config.toml").write_text('[server.users.ann]\ntoken_env = "ANN_TOKEN"\n')
    done = await console.call("serve", "--port", "0")
    assert done.status != 0
    assert "[server.users.ann] takes its token from ANN_TOKEN, which is not set" in done.err
    assert "Traceback" not in done.err
