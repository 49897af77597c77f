"""Which tools touch files or run commands, as each says itself: on a server those are for admins."""

from pathlib import Path

import pytest

from toolpost import tool
from toolpost.tools import builtin
from toolpost.tools.workbench import bench_at

HARMLESS = {
    "batch",
    "calculator",
    "question",
    "skill",
    "sql_query",
    "task",
    "todo_read",
    "todo_write",
    "web_fetch",
    "web_search",
}


@pytest.mark.parametrize("name", builtin.NAMES)
def test_every_built_in_says_whether_it_touches_the_machine(name: str, tmp_path: Path) -> None:
    made = builtin.make(name, bench_at(tmp_path))
    assert made.touches_machine is not None, f"say touches_machine=… where {name} is defined"
    assert made.touches_machine == (name not in HARMLESS)


def test_a_tool_that_touches_nothing_shares_no_permission_with_one_that_does(tmp_path: Path) -> None:
    every = [builtin.make(name, bench_at(tmp_path)) for name in builtin.NAMES]
    touching = {made.asks_for for made in every if made.touches_machine}
    assert not touching & {made.asks_for for made in every if not made.touches_machine}


def test_nobody_has_said_it_of_a_tool_in_code_unless_the_tool_does() -> None:
    @tool
    def silent() -> str:
        """Do something."""
        return ""

    @tool(touches_machine=True)
    def touching() -> str:
        """Do something to a file."""
        return ""

    assert (silent.touches_machine, touching.touches_machine) == (None, True)
