"""Claude Code works with its own tools through the gateway, with every wire behind it."""

import base64
import json
from pathlib import Path
from typing import Any

import claude_code
import pytest
from gateway_play import WIRES, gateway, with_server
from stage import PNG, Stage

from toolpost.testing import Received, Turn, call, calls, cut, reasoning, text, turn
from toolpost.types.messages import Usage

ALLOWED = ("--allowedTools", "Read,Write,Bash")
pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    (work / "note.txt").write_text("The word is marmalade.\n")
    (work / "dot.png").write_bytes(base64.b64decode(PNG))
    return work


def model_of(stage: Stage, wire: str) -> dict[str, str]:
    """All that it asks for on the side, such as titles, goes to the same model."""
    return {"ANTHROPIC_MODEL": stage.model(wire), "ANTHROPIC_SMALL_FAST_MODEL": stage.model(wire)}


def worker(work: Path) -> Any:
    """A model that reads two files, writes one and runs a command; what it does next depends on what it has heard."""

    def answer(request: Received) -> Turn:
        heard = request.raw.decode()
        if '"Write"' not in heard:
            return text('{"title": "A word"}')
        if "marmalade" not in heard:
            return (
                reasoning("I should look.") + text("I read.") + call("Read", {"file_path": f"{work}/note.txt"}, chunk=7)
            )
        if "word.txt" not in heard:
            written = {"file_path": f"{work}/word.txt", "content": "marmalade 果酱\n"}
            command = {"command": 'echo "$((6 * 7))!"', "description": "Do a sum"}
            looked = {"file_path": f"{work}/dot.png"}
            return calls(call("Write", written, chunk=9), call("Bash", command, chunk=5), call("Read", looked))
        return turn(text("The word is marmalade. 果酱", chunk=3), usage=Usage(1234, 56))

    return answer


@pytest.mark.parametrize("wire", WIRES)
async def test_it_reads_writes_and_runs_commands(stage: Stage, tmp_path: Path, work: Path, wire: str) -> None:
    stage.says.always = worker(work)
    ran = await claude_code.run(
        tmp_path, stage.url, stage.token, "Which word is in note.txt?", *ALLOWED, **model_of(stage, wire)
    )
    assert ran.status == 0, ran.errors
    assert (ran.result["subtype"], ran.result["result"]) == ("success", "The word is marmalade. 果酱")
    assert ran.result["permission_denials"] == []
    assert (work / "word.txt").read_text() == "marmalade 果酱\n"
    used = [block for line in ran.lines if line["type"] == "assistant" for block in line["message"]["content"]]
    assert [block["name"] for block in used if block["type"] == "tool_use"] == ["Read", "Write", "Bash", "Read"]
    assert ran.result["usage"]["output_tokens"] > 56
    heard = json.dumps(stage.asked[-1])
    assert "42!" in heard
    assert PNG in heard


async def test_what_it_may_not_do_it_does_not_do(stage: Stage, tmp_path: Path, work: Path) -> None:
    stage.says.always = worker(work)
    only_reading = ("--allowedTools", "Read", "--permission-mode", "dontAsk")
    ran = await claude_code.run(
        tmp_path, stage.url, stage.token, "Which word?", *only_reading, **model_of(stage, "openai_chat")
    )
    assert {denied["tool_name"] for denied in ran.result["permission_denials"]} == {"Write", "Bash"}
    assert not (work / "word.txt").exists()


async def test_it_asks_again_where_the_models_answer_breaks_off(stage: Stage, tmp_path: Path, work: Path) -> None:
    broken: list[Received] = []
    usual = worker(work)

    def answer(request: Received) -> Turn:
        if broken:
            return usual(request)
        broken.append(request)
        return text("Half an ans") + cut()

    stage.says.always = answer
    ran = await claude_code.run(
        tmp_path, stage.url, stage.token, "Which word?", *ALLOWED, **model_of(stage, "openai_chat")
    )
    assert (ran.status, ran.result["result"]) == (0, "The word is marmalade. 果酱")
    assert (work / "word.txt").exists()


async def test_tools_that_run_at_the_gateway_work_beside_its_own(stage: Stage, tmp_path: Path, work: Path) -> None:
    def answer(request: Received) -> Turn:
        heard = request.raw.decode()
        if '"Read"' not in heard or "marmalade" in heard:
            return text("Both are done.")
        note = call("Read", {"file_path": f"{work}/note.txt"})
        return text("I do both.") + calls(call("mcp__play__echo", {"text": "a word"}), note)

    project = tmp_path / "project"
    config = with_server(project, stage.mcp_url)
    async with gateway(project, answer, config=config, repeat=True) as play:
        ran = await claude_code.run(tmp_path, play.url, stage.token, "Do both.", *ALLOWED)
        heard = json.dumps(play.sent())
    assert ran.result["result"] == "Both are done."
    assert "mcp__play__echo" not in json.dumps(ran.lines)
    assert "play: echo a word" in heard
    assert "marmalade" in heard
