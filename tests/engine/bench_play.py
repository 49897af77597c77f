"""A workbench for built-ins that need little of it, and what a session's calls became."""

from toolpost.guard.paths import FileAccess
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.limits import ToolLimits
from toolpost.tools.workbench import Workbench


def bench(folder, **limits):
    return Workbench(FileAccess(folder), ReadTracker(), ToolLimits(**limits))


def states(session):
    return [part.state for message in session.messages for part in message.calls]


def shown(state):
    """The text that the model reads."""
    return state.content[0].text if state.status == "completed" else state.message
