"""Dispatch from a marker to the parser of what stands behind it."""

from toolpost.models.prompted.incremental_reader import Parse
from toolpost.models.prompted.scan_state import Scan

from . import elements, tokens
from .blocks import block
from .table import MARKERS


def marked(scan: Scan, marker: str) -> Parse[bool]:
    """Read what `marker`, which was taken, opens. False where it turned out to be text."""
    kind, end = MARKERS[marker]
    if kind in ("block", "section"):
        scan.opener = marker
        return (yield from block(scan, noisy=kind == "section"))
    if kind == "function":
        return (yield from elements.function(scan))
    if kind == "named_function":
        return (yield from elements.named_function(scan))
    if kind == "invoke":
        return (yield from elements.invoked(scan, marker))
    if kind == "legacy":
        return (yield from elements.legacy(scan))
    if kind == "tool":
        return (yield from elements.tool(scan))
    if kind == "m3":
        return (yield from elements.m3(scan))
    return (yield from _token(scan, marker, end))


def calls_in_markers(scan: Scan) -> Parse[int]:
    """Read calls in their markers for as long as nothing else stands between them; return how many there were."""
    reader = scan.reader
    before = scan.outbox.calls
    while (yield from reader.skip_space()):
        marker = yield from reader.ahead(scan.openers)
        closer = "" if marker else (yield from reader.ahead(scan.closers))
        if not marker and not closer:
            break
        reader.take(len(marker or closer))
        if marker and (MARKERS[marker][0] in ("result", "think") or not (yield from marked(scan, marker))):
            return 0
    return scan.outbox.calls - before


def _token(scan: Scan, marker: str, end: str) -> Parse[bool]:
    kind = MARKERS[marker][0]
    if kind == "gemma":
        return (yield from tokens.gemma(scan, marker))
    if kind == "header":
        return (yield from tokens.header(scan, marker))
    if kind == "open":
        return (yield from tokens.opened(scan))
    if kind == "message_sep":
        return (yield from tokens.message_sep(scan))
    if kind == "inkling":
        return (yield from tokens.inkling(scan))
    if kind == "thought":
        return (yield from tokens.thought(scan, end))
    if kind == "citation":
        return (yield from tokens.citation(scan, marker))
    if kind == "end":
        return (yield from tokens.end_token(scan))
    # A token around text: it goes, the text stays.
    scan.wrapped = True
    return True
