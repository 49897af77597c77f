"""Parse calls without a marker of their own: bare JSON and Python, code fences, `Action:` lines.

All of them are on trial: nothing is given out before it is certain, and then either the call or the text as it was.
"""

import re
from typing import NamedTuple

from toolpost.models.prompted.call_repair import repair_call, repair_lone_input
from toolpost.models.prompted.incremental_reader import Markers, Parse, kept_markers, unseen
from toolpost.models.prompted.scan_state import Scan
from toolpost.models.prompted.value_end import QUOTES

from .blocks import arguments
from .dispatch import calls_in_markers
from .objects import items
from .python_calls import ahead_call, call_list, statements

MAX_LINE = 200
# A name's line: with all the blanks that some models put behind it.
MAX_NAME_LINE = 4_096
FUNCTOOLS = "functools["


def _headings(*words: str) -> tuple[str, ...]:
    """A word that begins a line and its colon, as models write them: bold, numbered, full-width."""
    numbered = (f"{word} {number}:" for word in words for number in range(1, 10))
    return *(form % word for word in words for form in ("%s:", "%s：", "**%s:**", "**%s**:", "**%s：**")), *numbered


ACTIONS = _headings("Action", "action")

# Fences whose body may be a call; one in another language is code.
_JSON_LABELS = frozenset(("", "json", "jsonc", "json5", "tool_call", "tool_calls", "tool", "action", "text", "xml"))
_PYTHON_LABELS = frozenset(("tool_code", "tool_call"))

_RUN = re.compile(r"[`~]*")
_LABEL = re.compile(r"[\w+\-]*")
_BLANKS = re.compile(r"[ \t]*")
_LINE_END = Markers(("\n",))
_ACTIONS = Markers(ACTIONS)
_ACTION_INPUT = Markers(_headings("Action Input", "Action input", "ActionInput", "Action_Input", "action input"))
_FENCES = Markers(("```", "~~~"))
_FINAL = "\nFinal Answer:"
_AFTER_ACTION = Markers((_FINAL, "\nObservation", *(f"\n{action}" for action in ACTIONS)))
_AFTER_LONE = Markers((*_AFTER_ACTION.texts, "\nThought:"))
_BRACKETED = re.compile(r"\[\s*([\w.\-]+)\s*\]")
_MAYBE_BRACKETED = re.compile(r"\[\s*[\w.\-]*\s*")
_KEY_BEGINS = frozenset((*QUOTES, "{"))
_BARE_KEY = re.compile(r"\{\s*([\w$]+)\s*[:：]")
_MAYBE_KEY = re.compile(r"\{\s*[\w$]*\s*")


class Fence(NamedTuple):
    """What became of a fence: a call, or code. `open_run` is the fence that still waits for its end, if any."""

    called: bool
    open_run: str
    # A fence whose opening line ends with it closes on a line of its own.
    lined: bool


def bare(scan: Scan, *, ending: bool) -> Parse[bool]:
    """A `{` or `[` that may begin a call. `ending`: it stands behind text on its line, so it is one only where it is
    whole and ends the message."""
    if not (yield from worth_a_trial(scan)):
        scan.reader.take(1)
        return False
    scan.outbox.begin_trial()
    scan.unfinished = False
    count = yield from _bare_values(scan)
    good = count > 0 and (not ending or (yield from _ends_message(scan)))
    return scan.outbox.end_trial(accept=good)


def functools(scan: Scan) -> Parse[bool]:
    """`functools[{…}]`."""
    scan.reader.take(len(FUNCTOOLS) - 1)
    if (yield from scan.reader.visible(1)) not in ("{", "]"):
        return False
    return (yield from items(scan, explicit=True)) > 0


def fence(scan: Scan, *, alone: bool) -> Parse["Fence"]:
    """A code fence that may be calls. `alone`: only if it is wholly one valid call, and nothing follows it."""
    scan.outbox.begin_trial()
    run = yield from scan.reader.word(_RUN, MAX_LINE)
    count, closed, lined = yield from _fenced(scan, run)
    good = count > 0 and (closed or not alone)
    if good and alone:
        ends_text = not (yield from _visible_behind(scan)) and not scan.cut_off
        good = ends_text and scan.outbox.holds_one_valid(scan.offer)
    return Fence(scan.outbox.end_trial(accept=good), "" if closed else run, lined)


def action(scan: Scan) -> Parse[bool]:
    """`Action:` and what it announces. A final answer beside it makes both void."""
    reader = scan.reader
    scan.outbox.begin_trial()
    reader.take(len((yield from reader.ahead(_ACTIONS))))
    char = yield from reader.skip_space()
    named = char == "[" and bool((yield from reader.ahead_match(_BRACKETED, _MAYBE_BRACKETED)))
    good = yield from (_announced(scan) if char and char in "`~{[" and not named else _react(scan))
    return scan.outbox.end_trial(accept=good and not scan.answered)


def functionary(scan: Scan, marker: str) -> Parse[bool]:
    """`name\\n{…}`, or `all\\n` before text. Only where the dialect was chosen."""
    reader = scan.reader
    reader.take(len(marker))
    head, end = yield from reader.head(_LINE_END, MAX_LINE)
    if not end:
        return False
    reader.take(1)
    if head.strip() == "all":
        return True
    name = scan.offer.find(head.strip())
    return name is not None and (yield from arguments(scan, name))


def worth_a_trial(scan: Scan) -> Parse[bool]:
    """Whether a call can begin so. Most braces in prose cannot, and need not be held back."""
    if scan.offer.open and scan.dialect is None:
        return False
    second = yield from scan.reader.visible(1)
    if scan.reader.text[scan.reader.at] == "{":
        return second in _KEY_BEGINS or bool((yield from scan.reader.ahead_match(_BARE_KEY, _MAYBE_KEY)))
    if second == "{":
        return True
    name = yield from ahead_call(scan, 1)
    return bool(name) and scan.offer.find(name) is not None


def _ends_message(scan: Scan) -> Parse[bool]:
    """Whether the calls of a trial, and those that follow, are whole JSON and nothing stands behind them."""
    while not scan.outbox.rejected and (yield from scan.reader.skip_space()) in ("{", "["):
        if not (yield from _bare_values(scan)):
            return False
    return not (scan.unfinished or (yield from _visible_behind(scan)) or scan.cut_off)


def _bare_values(scan: Scan) -> Parse[int]:
    char = yield from scan.reader.peek()
    if char == "[" and (yield from ahead_call(scan, 1)):
        return (yield from call_list(scan, explicit=False))
    return (yield from items(scan, explicit=False))


def _fenced(scan: Scan, run: str) -> Parse[tuple[int, bool, bool]]:
    """Behind the opening run of a fence: how many calls it holds, whether it was closed, whether its line ended."""
    reader = scan.reader
    label = yield from reader.word(_LABEL, MAX_LINE)
    lined = (yield from reader.skip(_BLANKS)) == "\n"
    char = yield from reader.skip_filler()
    count = 0
    if char and char in "{[" and label.lower() in _JSON_LABELS | _PYTHON_LABELS:
        if (yield from worth_a_trial(scan)):
            count = yield from _bare_values(scan)
    elif label.lower() in _PYTHON_LABELS and (yield from ahead_call(scan)):
        count = yield from statements(scan)
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
    if (yield from reader.ahead(_FENCES)):
        run = yield from reader.word(_RUN, MAX_LINE)
        count, _, _ = yield from _fenced(scan, run)
        return count > 0
    char = yield from reader.peek()
    return char in ("{", "[") and (yield from items(scan, explicit=False)) > 0


def _react(scan: Scan) -> Parse[bool]:
    """`Action: name` and `Action Input: …`."""
    reader = scan.reader
    head, end = yield from reader.head(_LINE_END, MAX_NAME_LINE)
    line = head.strip().strip("`*[]")
    name = scan.offer.find(line) or (scan.offer.find(line.split()[0].rstrip(",.;:")) if line.strip() else None)
    if not end or name is None:
        return False
    yield from reader.skip_space()
    marker = yield from reader.ahead(_ACTION_INPUT)
    if not marker:
        return False
    reader.take(len(marker))
    yield from _react_input(scan, name)
    # What follows may be the final answer that makes the action void, so it has to wait.
    return (yield from reader.until(_AFTER_ACTION, scan.outbox.say)) != _FINAL


def _react_input(scan: Scan, name: str) -> Parse[None]:
    """JSON, fenced or not, or a lone string up to what else begins a line."""
    reader = scan.reader
    char = yield from reader.skip_space()
    fenced = yield from reader.ahead(_FENCES)
    if fenced:
        yield from reader.word(_RUN, MAX_LINE)
        yield from reader.word(_LABEL, MAX_LINE)
        char = yield from reader.skip_space()
    if char == "{":
        text, whole = yield from reader.value("", unseen)
        scan.give(repair_call(name, text, scan.offer, whole=whole), whole=whole)
        if fenced:
            yield from reader.skip_space()
            yield from reader.skip(_RUN)
        return
    pieces: list[str] = []
    ended = yield from reader.until(_AFTER_LONE, pieces.append)
    call = repair_lone_input(name, "".join(pieces).strip().strip("`").strip(), scan.offer)
    scan.give(call, whole=bool(ended) or not scan.cut_off)
