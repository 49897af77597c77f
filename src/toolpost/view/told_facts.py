"""What calls that have ended tell of their session: its tasks, the files that it changed, its background jobs."""

from collections.abc import Mapping, Sequence
from typing import Any, cast, get_args

from .items import CallItem, FileEdit
from .session_facts import EditedFile, Job, TodoEntry, TodoState

_TODO_TOOLS = frozenset({"todo_write", "todo"})
_TODO_STATES = get_args(TodoState)


def todos_of(call: CallItem, known: tuple[TodoEntry, ...]) -> tuple[TodoEntry, ...]:
    """The list of tasks, as the last call of its tool left it."""
    if call.name not in _TODO_TOOLS or call.error is not None:
        return known
    for told in (call.details, call.arguments):
        todos = (told or {}).get("todos")
        if isinstance(todos, list):
            return tuple(filter(None, map(_todo, cast("list[Any]", todos))))
    return known


def files_of(call: CallItem, known: tuple[EditedFile, ...]) -> tuple[EditedFile, ...]:
    """The changed files, those that were changed last at the end."""
    return together(known, [_edited(edit) for edit in call.edits])


def together(earlier: Sequence[EditedFile], later: Sequence[EditedFile]) -> tuple[EditedFile, ...]:
    """What was changed earlier and what was changed later, each file once."""
    files = {file.path: file for file in earlier}
    for file in later:
        before = files.pop(file.path, None)
        if before is not None:
            is_new = before.change == "added" and file.change == "changed"
            change = "added" if is_new else file.change
            file = EditedFile(file.path, change, before.added + file.added, before.removed + file.removed)
        files[file.path] = file
    return tuple(files.values())


def _edited(edit: FileEdit) -> EditedFile:
    return EditedFile(edit.path, edit.change, edit.added or 0, edit.removed or 0)


def jobs_of(call: CallItem, known: tuple[Job, ...]) -> tuple[Job, ...]:
    """The background jobs, as calls told of them last."""
    details: Mapping[str, Any] = call.details or {}
    if not call.job:
        return known
    jobs = {job.id: job for job in known}
    before = jobs.get(call.job)
    code = details.get("exit_code")
    jobs[call.job] = Job(
        call.job,
        call.title or (before.title if before else ""),
        details.get("running") is True,
        code if isinstance(code, int) else None,
        _number(details.get("bytes")),
        before.call if before else call.id,
    )
    return tuple(jobs.values())


def _todo(told: Any) -> TodoEntry | None:
    """Models write them in more than one way."""
    if isinstance(told, str):
        return TodoEntry(told)
    if not isinstance(told, dict):
        return None
    fields = cast("Mapping[str, Any]", told)
    text = next((fields[name] for name in ("content", "text", "task", "title") if name in fields), None)
    state: Any = fields.get("status")
    if not isinstance(text, str):
        return None
    known: TodoState = state if state in _TODO_STATES else "pending"
    return TodoEntry(text, known, str(fields.get("priority") or "medium"))


def _number(value: Any) -> int:
    return value if isinstance(value, int) else 0
