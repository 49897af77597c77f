"""Calls without a marker of their own: bare JSON and Python, code fences, `Action:` lines. All of them are on trial:
nothing is given out before it is certain, and then either the call or the very text."""

import re
from typing import NamedTuple

from toolpost.models.prompted.reader import Markers, Parse, kept_markers, unseen
from toolpost.models.prompted.repair import lone, written
from toolpost.models.prompted.scan import Scan

from .blocks import arguments
from .marked import calls_in_markers
from .objects import items
from .python_calls import ahead_call, call_lines, call_list

LONGEST_LINE = 200
FUNCTOOLS = "functools["
ACTION = "Action:"

# Fences whose body may be a call; one in another language is code.
_JSON_LABELS = frozenset(("", "json", "jsonc", "json5", "tool_call", "tool_calls", "tool", "action", "text", "xml"))
_PYTHON_LABELS = frozenset(("tool_code", "tool_call"))

_RUN = re.compile(r"[`~]*")
_LABEL = re.compile(r"[\w+\-]*")
_BLANKS = re.compile(r"[ \t]*")
_LINE_END = Markers(("\n",))
_ACTION_INPUT = Markers(("Action Input:", "Action input:", "ActionInput:", "Action_Input:"))
_FENCES = Markers(("```", "~~~"))
_AFTER_ACTION = Markers(("Final Answer:", "\nObservation:", "\nObservation ", "\nAction:"))
_AFTER_LONE = Markers(("Final Answer:", "\nObservation", "\nAction:", "\nThought:"))
_BARE_KEY = re.compile(r"\{\s*([\w$]+)\s*[:：]")
_MAYBE_KEY = re.compile(r"\{\s*[\w$]*\s*")


class Fence(NamedTuple):
    """What became of a fence: a call, or code. `open_run` is the fence that still waits for its end, if any."""

    called: bool
    open_run: str
    # A fence whose opening line ends with it closes on a line of its own.
    lined: bool


def bare(scan: Scan) -> Parse[bool]:
    """A `{` or `[` that may begin a call."""
    if not (yield from _worth_a_trial(scan)):
        scan.reader.take(1)
        return False
    scan.outbox.begin_trial()
    count = yield from _bare_values(scan)
    return scan.outbox.end_trial(accept=count > 0)


def functools(scan: Scan) -> Parse[bool]:
    """`functools[{…}]`."""
    scan.reader.take(len(FUNCTOOLS) - 1)
    if (yield from scan.reader.visible(1)) not in ("{", "]"):
        return False
    return (yield from items(scan, explicit=True)) > 0


def fence(scan: Scan, *, alone: bool) -> Parse["Fence"]:
    """A code fence that may be a call. `alone`: it is one only if its whole body is valid and nothing follows it."""
    scan.outbox.begin_trial()
    run = yield from scan.reader.word(_RUN, LONGEST_LINE)
    count, closed, lined = yield from _fenced(scan, run)
    good = count > 0 and (closed or not alone)
    if good and alone:
        good = scan.outbox.valid_so_far(scan.offer) and not (yield from _visible_behind(scan))
    return Fence(scan.outbox.end_trial(accept=good), "" if closed else run, lined)


def action(scan: Scan) -> Parse[bool]:
    """`Action:` and what it announces. A final answer beside it makes both void."""
    scan.outbox.begin_trial()
    scan.reader.take(len(ACTION))
    char = yield from scan.reader.skip(_BLANKS)
    if char and char in "\n`{[":
        good = yield from _announced(scan)
    else:
        good = yield from _react(scan)
    return scan.outbox.end_trial(accept=good and not scan.answered)


def functionary(scan: Scan, marker: str) -> Parse[bool]:
    """`name\\n{…}`, or `all\\n` before text. Only where the dialect was chosen."""
    reader = scan.reader
    reader.take(len(marker))
    head, end = yield from reader.head(_LINE_END, LONGEST_LINE)
    if not end:
        return False
    reader.take(1)
    if head.strip() == "all":
        return True
    name = scan.offer.find(head.strip())
    return name is not None and (yield from arguments(scan, name))


def _worth_a_trial(scan: Scan) -> Parse[bool]:
    """Whether a call can begin so. Most braces in prose cannot, and need not be held back."""
    if scan.offer.open and scan.dialect is None:
        return False
    second = yield from scan.reader.visible(1)
    if scan.reader.text[scan.reader.at] == "{":
        return second in ('"', "'", "“", "{") or bool((yield from scan.reader.ahead_match(_BARE_KEY, _MAYBE_KEY)))
    if second == "{":
        return True
    name = yield from ahead_call(scan, 1)
    return bool(name) and scan.offer.find(name) is not None


def _bare_values(scan: Scan) -> Parse[int]:
    char = yield from scan.reader.peek()
    if char == "[" and (yield from ahead_call(scan, 1)):
        return (yield from call_list(scan, explicit=False))
    return (yield from items(scan, explicit=False))


def _fenced(scan: Scan, run: str) -> Parse[tuple[int, bool, bool]]:
    """Behind the opening run of a fence: how many calls it holds, whether it was closed, whether its line ended."""
    reader = scan.reader
    label = yield from reader.word(_LABEL, LONGEST_LINE)
    lined = (yield from reader.skip(_BLANKS)) == "\n"
    char = yield from reader.skip_space()
    count = 0
    if char and char in "{[" and label.lower() in _JSON_LABELS | _PYTHON_LABELS:
        if (yield from _worth_a_trial(scan)):
            count = yield from _bare_values(scan)
    elif label.lower() in _PYTHON_LABELS and (name := (yield from ahead_call(scan))):
        reader.take(len(name))
        yield from reader.skip_space()
        count = int((yield from call_lines(scan, name)))
    elif label.lower() in _JSON_LABELS | _PYTHON_LABELS and (yield from reader.ahead(scan.openers)):
        count = yield from calls_in_markers(scan)
    if not count:
        scan.outbox.reject()
    char = yield from reader.skip_space()
    if not char:
        return count, True, lined
    if (yield from reader.ahead(kept_markers((run,)))):
        yield from reader.skip(_RUN)
        return count, True, lined
    return count, False, lined


def _visible_behind(scan: Scan) -> Parse[bool]:
    """Whether anything but white space and end tokens follows."""
    while (yield from scan.reader.skip_space()):
        token = yield from scan.reader.ahead(scan.closers)
        if not token:
            return True
        scan.reader.take(len(token))
    return False


def _announced(scan: Scan) -> Parse[bool]:
    """`Action:` and then JSON, in a fence or not."""
    reader = scan.reader
    char = yield from reader.skip_space()
    if (yield from reader.ahead(_FENCES)):
        run = yield from reader.word(_RUN, LONGEST_LINE)
        count, _, _ = yield from _fenced(scan, run)
        return count > 0
    return bool(char) and char in "{[" and (yield from items(scan, explicit=False)) > 0


def _react(scan: Scan) -> Parse[bool]:
    """`Action: name` and `Action Input: …`."""
    reader = scan.reader
    head, end = yield from reader.head(_LINE_END, LONGEST_LINE)
    line = head.strip().strip("`*")
    name = scan.offer.find(line) or (scan.offer.find(line.split()[0].rstrip(",.;:")) if line else None)
    if not end or name is None:
        return False
    yield from reader.skip_space()
    marker = yield from reader.ahead(_ACTION_INPUT)
    if not marker:
        return False
    reader.take(len(marker))
    char = yield from reader.skip_space()
    if (yield from reader.ahead(_FENCES)):
        yield from reader.word(_RUN, LONGEST_LINE)
        yield from reader.word(_LABEL, LONGEST_LINE)
        char = yield from reader.skip_space()
    if char == "{":
        text, whole = yield from reader.value("", unseen)
        scan.give(written(name, text, scan.offer, whole=whole), whole=whole)
        yield from reader.skip(_RUN_AND_SPACE)
    else:
        pieces: list[str] = []
        yield from reader.until(_AFTER_LONE, pieces.append)
        scan.give(lone(name, "".join(pieces).strip().strip("`").strip(), scan.offer), whole=True)
    # What follows may be the final answer that makes the action void, so it has to wait.
    stop = yield from reader.until(_AFTER_ACTION, scan.outbox.say)
    return stop != "Final Answer:"


_RUN_AND_SPACE = re.compile(r"[`\s]*")
