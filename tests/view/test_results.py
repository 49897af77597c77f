"""Results by their kind, from the tools that give them."""

from view_play import Watched

from toolpost import Agent, ToolContext, ToolResult, tool
from toolpost.guard.paths import FileAccess
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.builtin import todos, write
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.limits import ToolLimits
from toolpost.tools.untrusted import untrusted
from toolpost.tools.workbench import Workbench
from toolpost.types.messages import FilePart, TextPart
from toolpost.view.items import CallItem
from toolpost.view.results import (
    DiffResult,
    FileResult,
    HitsResult,
    JsonResult,
    MarkdownResult,
    NoResult,
    PlainResult,
    SeveralResults,
    TableResult,
    TerminalResult,
    result_of,
)
from toolpost.view.session_facts import EditedFile, TodoEntry


def result(*content, name="work", details=None):
    parts = tuple(TextPart(part) if isinstance(part, str) else part for part in content)
    return result_of(CallItem(id="m/c", message_id="m", call_id="c", name=name, content=parts, details=details))


def test_text_is_text_without_the_marks_that_are_for_models():
    assert result("as it is [bold]") == PlainResult("as it is [bold]")
    assert result(untrusted("a page", "a.example")) == PlainResult("a page")
    assert result("") == NoResult()
    assert result() == NoResult()


def test_what_a_command_printed_is_a_terminals():
    assert result("\x1b[31mred\x1b[0m", name="bash", details={"exit_code": 2}) == TerminalResult(
        "\x1b[31mred\x1b[0m", 2
    )
    assert result("\x1b[31mred\x1b[0m") == TerminalResult("\x1b[31mred\x1b[0m")


def test_a_sub_agent_reports_in_markdown():
    assert result("# Found", name="task") == MarkdownResult("# Found")


def test_rows_are_a_table_and_other_data_is_json():
    assert result('[{"a": 1, "b": "x"}, {"a": 2, "b": null}]') == TableResult(("a", "b"), ((1, "x"), (2, None)))
    assert result('{"columns": ["n"], "rows": [[1], [2]]}') == TableResult(("n",), ((1,), (2,)))
    assert result('[{"a": 1}, {"b": 2}]') == JsonResult([{"a": 1}, {"b": 2}])
    assert result('{"a": {"b": 1}}') == JsonResult({"a": {"b": 1}})
    assert result("[not json") == PlainResult("[not json")


def test_hits_of_a_search_have_title_address_and_source():
    found = "Summary: it rains\n\n1. Weather\n   https://w.example/x\nSource: w.example\nRain today.\n2. More\nhttps://m.example\nSun."
    hits = result(found, name="web_search")
    assert isinstance(hits, HitsResult)
    assert hits.summary == "it rains"
    assert [(hit.title, hit.url, hit.source, hit.text) for hit in hits.hits] == [
        ("Weather", "https://w.example/x", "w.example", "Rain today."),
        ("More", "https://m.example", "", "Sun."),
    ]


def test_files_stand_beside_text():
    picture = FilePart("image/png", "aGk=")
    assert result(picture) == FileResult(picture)
    assert result("a page", picture) == SeveralResults((PlainResult("a page"), FileResult(picture)))
    assert FileResult(picture).is_image


async def test_a_written_file_is_a_diff_and_counts_among_the_changed_ones(tmp_path):
    bench = Workbench(FileAccess(tmp_path), ReadTracker(), ToolLimits())
    turns = (call("write", {"path": "a.txt", "content": "one\ntwo\n"}), text("ok"))
    with ScriptedModel(*turns) as model:
        session = Agent(model, [write.make(bench)]).session()
        watched = Watched(session)
        await session.run("go")
    (item,) = watched.of("call")
    shown = result_of(item)
    assert isinstance(shown, DiffResult)
    (edit,) = shown.files
    assert (edit.path, edit.change, edit.added, edit.removed) == ("a.txt", "added", 2, 0)
    assert watched.view.facts.files == (EditedFile("a.txt", "added", 2, 0),)


async def test_a_list_of_tasks_is_a_fact_of_the_session(tmp_path):
    tasks = [
        {"content": "look", "status": "completed"},
        {"content": "write", "status": "in_progress", "priority": "high"},
    ]
    bench = Workbench(FileAccess(tmp_path), ReadTracker(), ToolLimits())
    with ScriptedModel(call("todo_write", {"todos": tasks}), text("ok")) as model:
        session = Agent(model, [todos.make_todo_write(bench)]).session()
        watched = Watched(session)
        await session.run("go")
    assert watched.view.facts.todos == (
        TodoEntry("look", "completed", "medium"),
        TodoEntry("write", "in_progress", "high"),
    )
    assert "todos" in watched.all.facts


async def test_a_background_job_is_a_fact_of_the_session_until_it_has_ended():
    @tool
    async def job_start(ctx: ToolContext) -> ToolResult:
        """Start."""
        return ToolResult(["[job_1 running]\n"], {"job": "job_1", "running": True, "bytes": 3}, "npm run dev")

    @tool
    async def job_read(ctx: ToolContext) -> ToolResult:
        """Read."""
        return ToolResult(["[job_1 ended]\n"], {"job": "job_1", "running": False, "exit_code": 1, "bytes": 9})

    with ScriptedModel(call("job_start"), call("job_read"), text("ok")) as model:
        session = Agent(model, [job_start, job_read]).session()
        watched = Watched(session)
        await session.run("go")
    (job,) = watched.view.facts.jobs
    assert (job.id, job.title, job.is_running, job.exit_code, job.bytes) == ("job_1", "npm run dev", False, 1, 9)
    assert job.call == watched.of("call")[0].id


def test_what_only_looks_like_data_is_text():
    for said in ("[1, 2", "[\ud800", "[" * 50_000):
        assert result(said) == PlainResult(said)
