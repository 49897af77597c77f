"""What one process tells the others through the server: the texts of its notices, which take less than 8,000 bytes."""

import base64
import binascii

from toolpost.store.contract import Noticed, Signal

# An id that is longer is nobody's.
MOST_NOTICE_BYTES = 7000

_SIGNAL = "signal"


def notice_text(session_id: str, seq: int) -> str:
    """That there are new events of a session, up to `seq`."""
    notice = f"{seq} {session_id}"
    return notice if len(notice.encode()) < MOST_NOTICE_BYTES else str(seq)


def signal_text(signal: Signal) -> str:
    return f"{_SIGNAL} {base64.b85encode(signal.body).decode()} {signal.session_id}"


def read_notice(text: str) -> Noticed | Signal | None:
    """None if it is a signal that can't be read. Any other text that is not known may be about new events."""
    kind, _, rest = text.partition(" ")
    if kind == _SIGNAL:
        return _read_signal(rest)
    return Noticed(rest, int(kind)) if rest and kind.isdecimal() else Noticed(None)


def _read_signal(text: str) -> Signal | None:
    body, _, session_id = text.partition(" ")
    try:
        return Signal(session_id, base64.b85decode(body)) if session_id else None
    except (ValueError, binascii.Error):
        return None
