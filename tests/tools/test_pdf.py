"""The one reader of PDF files: what it gives, and that no file can take more than its limits."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from pdf_maker import pdf

from toolpost.tools import pdf as reader
from toolpost.tools.pdf import pdf_text
from toolpost.types.errors import ToolError


def own_processes() -> set[str]:
    """What this process has started and not seen the end of; other tests may have servers running."""
    return {pid for task in Path("/proc/self/task").glob("*/children") for pid in task.read_text().split()}


async def test_every_page_comes_under_its_number() -> None:
    text = await pdf_text(pdf("One", "", "Three"), 20)
    assert text == "[page 1 of 3]\nOne\n\n[page 2 of 3]\n(no text: perhaps a scan)\n\n[page 3 of 3]\nThree\n\n"


async def test_without_any_text_nothing_comes() -> None:
    assert await pdf_text(pdf("", ""), 20) == ""


async def test_what_would_steer_a_terminal_is_left_out() -> None:
    assert "a[31mb" in await pdf_text(pdf("a\x1b[31m\0b\x07"), 20)


async def test_one_that_takes_too_long_is_given_up_and_its_reader_is_gone() -> None:
    before = own_processes()
    with pytest.raises(ToolError, match="was not read within") as caught:
        await pdf_text(pdf("x"), 0.01)
    assert caught.value.kind == "timeout"
    assert own_processes() <= before


async def test_a_stopped_question_ends_the_reader() -> None:
    before = own_processes()
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(pdf_text(pdf("x"), 60), 0.05)
    assert own_processes() <= before


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.4\nbroken",
        pdf("x", filler=b" " * 400_000_000),
        pdf("x").replace(b"/Kids [4 0 R]", b"/Kids [2 0 R]"),
    ],
    ids=["broken", "bomb", "circle"],
)
async def test_a_hostile_file_is_an_error_and_nothing_more(data: bytes) -> None:
    with pytest.raises(ToolError, match="the PDF"):
        await pdf_text(data, 20)


async def test_a_wrong_number_of_pages_is_not_believed() -> None:
    assert "x" in await pdf_text(pdf("x").replace(b"/Count 1", b"/Count 99999999999"), 20)


async def test_pages_and_characters_have_their_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_PAGES", 2)
    text = await pdf_text(pdf("One", "Two", "Three"), 20)
    assert "Two" in text
    assert "Three" not in text
    assert text.endswith("[cut after 2 pages]\n")
    monkeypatch.setattr(reader, "MAX_CHARACTERS", 20)
    assert await pdf_text(pdf("One", "Two"), 20) == "[page 1 of 2]\nOne\n\n[\n[cut after 20 characters]\n"


async def test_no_more_than_two_are_read_at_once() -> None:
    before, most = own_processes(), 0
    tasks = [asyncio.create_task(pdf_text(pdf("x"), 30)) for _ in range(6)]
    while (await asyncio.wait(tasks, timeout=0.01))[1]:
        most = max(most, len(own_processes() - before))
    assert all("x" in task.result() for task in tasks)
    assert most == reader.MAX_AT_ONCE


def test_the_library_is_never_loaded_here() -> None:
    code = "import sys, toolpost.tools.builtin.read, toolpost.tools.web.page_fetcher; sys.exit('pypdf' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False, timeout=60).returncode == 0
