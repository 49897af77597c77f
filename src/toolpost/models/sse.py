"""Parse server-sent events incrementally, however the byte stream is cut.

Payloads stay bytes: decoding their JSON checks the UTF-8. Cost is linear in the bytes, whatever the cut.
"""

from typing import NamedTuple

_BOM = b"\xef\xbb\xbf"


class SSEEvent(NamedTuple):
    """One event; `event` is "message" where the server gave no name."""

    data: bytes
    event: str = "message"
    id: str = ""


class SSEParser:
    """Feed it chunks, get whole events. `retry` is the last reconnection time in ms that the server named."""

    def __init__(self) -> None:
        self.retry: int | None = None
        self._last_id = ""
        self._at_start = True
        self._after_cr = False
        # A line that has not ended, in the pieces it came in; joined once, when its end comes.
        self._line: list[bytes] = []
        self._data: list[bytes] = []
        self._event = ""
        self._named: list[list[bytes]] = []

    def feed(self, chunk: bytes) -> list[bytes]:
        """Return the data of every event that ends in this chunk."""
        text, events = self._take_open(self._prepare(chunk))
        end = text.rfind(b"\n\n") + 2
        named = _named(text, end)
        payloads = [data for _, data in named] if named else _plain(text, end)
        self._named = named
        if not payloads or events or end < len(text):
            rest = self._take_lines(text[end:] if payloads else text)
            self._named = named + [[event.event.encode(), event.data] for event in events + rest]
            payloads = [event.data for event in events] + payloads + [event.data for event in rest]
        return payloads

    def feed_events(self, chunk: bytes) -> list[SSEEvent]:
        """Return every event that ends in this chunk, with its name and id."""
        return self._take_lines(self._prepare(chunk))

    def name_of(self, payload: bytes) -> str:
        """The name of an event whose data was returned last; looked up, because few wires ever ask."""
        name = next((name for name, data in self._named if data is payload), b"")
        return name.decode("utf-8", "replace") or "message"

    @property
    def tail(self) -> bool:
        """True while part of an event has come: a stream that ends now was cut."""
        return bool(self._data or self._event or self._line)

    def close(self) -> SSEEvent | None:
        """Give the event that was never ended by a blank line, which the standard says to drop, if there is one."""
        if self._line:
            self._take_field(b"".join(self._line))
            self._line.clear()
        event = self._dispatch()
        self._named = [[event.event.encode(), event.data]] if event is not None else []
        return event

    def _take_open(self, text: bytes) -> tuple[bytes, list[SSEEvent]]:
        """End the event that is under way, if there is one, so that what is left begins with another."""
        if not self._data and not self._event:
            return text, []
        end = 1 if text.startswith(b"\n") else text.find(b"\n\n") + 2
        if end == 1 and not text.startswith(b"\n"):
            return b"", self._take_lines(text)
        return text[end:], self._take_lines(text[:end])

    def _prepare(self, chunk: bytes) -> bytes:
        """Put what was held before the chunk, drop a byte-order mark, and make every line end a newline."""
        if self._after_cr and chunk:
            self._after_cr = False
            if chunk.startswith(b"\n"):
                chunk = chunk[1:]
        if b"\r" in chunk:
            self._after_cr = chunk.endswith(b"\r")
            chunk = chunk.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        if self._line and b"\n" in chunk:
            self._line.append(chunk)
            chunk = b"".join(self._line)
            self._line.clear()
        if self._at_start and chunk:
            chunk = self._drop_bom(chunk)
        return chunk

    def _drop_bom(self, chunk: bytes) -> bytes:
        if self._line:
            chunk = b"".join((*self._line, chunk))
            self._line.clear()
        if len(chunk) < len(_BOM) and _BOM.startswith(chunk):
            return chunk
        self._at_start = False
        return chunk.removeprefix(_BOM)

    def _take_lines(self, text: bytes) -> list[SSEEvent]:
        events: list[SSEEvent] = []
        *lines, rest = text.split(b"\n")
        if rest:
            self._line.append(rest)
        for line in lines:
            if line:
                self._take_field(line)
            elif event := self._dispatch():
                events.append(event)
        return events

    def _take_field(self, line: bytes) -> None:
        if line.startswith(b"data:"):
            self._data.append(line[6:] if line.startswith(b"data: ") else line[5:])
            return
        field, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if field == b"data":
            self._data.append(value)
        elif field == b"event":
            self._event = value.decode("utf-8", "replace")
        elif field == b"id" and b"\0" not in value:
            self._last_id = value.decode("utf-8", "replace")
        elif field == b"retry" and value.isdigit():
            self.retry = int(value)

    def _dispatch(self) -> SSEEvent | None:
        data, name = self._data, self._event
        self._event = ""
        if not data:
            return None
        self._data = []
        return SSEEvent(data[0] if len(data) == 1 else b"\n".join(data), name or "message", self._last_id)


# The usual wire is nothing but "data: …" lines with a blank line after each, or the same with a line "event: …" before
# each. If the newlines add up, no event hides another field, a comment or a second line of data, and splitting has
# done all the work.


def _plain(text: bytes, end: int) -> list[bytes]:
    """The data of the events up to `end`, if data is all they are; else nothing."""
    if end < 2 or not text.startswith(b"data: "):
        return []
    payloads = text[6 : end - 2].split(b"\n\ndata: ")
    return payloads if text.count(b"\n", 0, end) == 2 * len(payloads) else []


def _named(text: bytes, end: int) -> list[list[bytes]]:
    """The names and data of the events up to `end`, if each is a name and one line of data; else nothing."""
    if end < 2 or not text.startswith(b"event: "):
        return []
    events = [event.split(b"\ndata: ") for event in text[7 : end - 2].split(b"\n\nevent: ")]
    if text.count(b"\n", 0, end) != 3 * len(events) or any(len(lines) != 2 for lines in events):
        return []
    return events
