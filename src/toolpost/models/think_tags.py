"""Split `<think>…</think>` at the start of a model's text from the answer, however the text was cut."""

_OPEN = "<think>"
_CLOSE = "</think>"


class ThinkSplitter:
    """Feed it the content; `done` says that no more can be reasoning and it need not be asked again."""

    def __init__(self) -> None:
        self.done = False
        self._inside = False
        self._trim = False
        self._held: str = ""

    def feed(self, text: str) -> tuple[str, str]:
        """Return (reasoning, answer) that are certain by now; the rest is held back until more comes."""
        if not self._inside and not self._trim:
            return self._feed_start(self._held + text)
        if self._trim:
            return "", self._feed_gap(text)
        return self._feed_inside(text)

    def close(self) -> tuple[str, str]:
        """Return what was held back, now that nothing more comes."""
        held = self._held
        self._held = ""
        self.done = True
        return (held, "") if self._inside else ("", held)

    def _feed_start(self, text: str) -> tuple[str, str]:
        body = text.lstrip()
        if body.startswith(_OPEN):
            self._inside = True
            self._held = ""
            return self._feed_inside(body[len(_OPEN) :])
        if _OPEN.startswith(body):
            self._held = text
            return "", ""
        self._held = ""
        self.done = True
        return "", text

    def _feed_inside(self, text: str) -> tuple[str, str]:
        text = self._held + text
        end = text.find(_CLOSE)
        if end >= 0:
            self._inside = False
            self._trim = True
            self._held = ""
            return text[:end], self._feed_gap(text[end + len(_CLOSE) :])
        keep = _overlap(text, _CLOSE)
        self._held = text[len(text) - keep :]
        return text[: len(text) - keep], ""

    def _feed_gap(self, text: str) -> str:
        """The blank lines between the thought and the answer belong to neither."""
        text = text.lstrip()
        if text:
            self.done = True
        return text


def _overlap(text: str, marker: str) -> int:
    """The length of the longest end of `text` that begins `marker`."""
    for size in range(min(len(marker) - 1, len(text)), 0, -1):
        if text.endswith(marker[:size]):
            return size
    return 0
