"""Tell people what a small context window does to their run."""

from collections.abc import Sequence

from toolpost.types.events import Notice
from toolpost.types.messages import StepFinish

from .state import Run

# Servers stop a token or a few before the end of a window.
WINDOW_SLACK = 16
SHOWN_TOOLS = 10


def fills_window(run: Run, finish: StepFinish) -> bool:
    """Whether what was asked and answered takes all of the model's window: then not the answer's own limit cut it."""
    window = run.core.setup.model.info.context_window
    return window is not None and finish.usage.total >= window - WINDOW_SLACK


def tell_window_full(run: Run) -> None:
    info, journal = run.core.setup.model.info, run.core.journal
    text = (
        f"the answer was cut because the context window of {info.id} is full ({info.context_window:,} tokens): "
        "continue to have the conversation summarised, start a new one, or set a larger context_window"
    )
    data = {"model": info.id, "window": info.context_window}
    journal.publish(Notice(*journal.stamp(), "window_full", text, data))


def tell_tools_left_out(run: Run, names: Sequence[str]) -> None:
    """Say it once for the same tools."""
    if not names or run.core.told_left_out == names:
        return
    run.core.told_left_out = tuple(names)
    info, journal = run.core.setup.model.info, run.core.journal
    more = len(names) - SHOWN_TOOLS
    shown = ", ".join(names[:SHOWN_TOOLS]) + (f" and {more} more" if more > 0 else "")
    text = (
        f"not offered, as the context window of {info.id} is small ({info.context_window:,} tokens): {shown}. "
        "Switch off tools that you do not need, or set a larger context_window"
    )
    data = {"model": info.id, "window": info.context_window, "tools": list(names)}
    journal.publish(Notice(*journal.stamp(), "tools_left_out", text, data))
