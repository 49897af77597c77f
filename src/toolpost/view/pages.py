"""Read a long session page by page, from its end to its beginning: only what somebody looks at is read."""

from collections.abc import Awaitable, Callable, Sequence

from toolpost.types.messages import Message

from .message_items import step_of

PAGE_MESSAGES = 60
# A longer run than this is cut in two.
MAX_RUN_MESSAGES = 1_000

# The last messages, so many, of the branch that ends with the one of this id.
ReadPath = Callable[[str, int], Awaitable[Sequence[Message]]]


class MessagePages:
    """The messages of a branch, in whole runs: give the first page to `TranscriptView.open`, those that follow to its
    `prepend`."""

    def __init__(self, read: ReadPath, head: str | None, *, size: int = PAGE_MESSAGES) -> None:
        self._read = read
        self._end = head
        self._size = size
        self._rest: Sequence[Message] = ()

    @property
    def is_at_beginning(self) -> bool:
        return self._end is None and not self._rest

    async def earlier(self) -> Sequence[Message]:
        """The next page, a bit longer than asked for where its first run is; empty once there is nothing more."""
        page = list(self._rest)
        while self._end is not None:
            found = await self._read(self._end, self._size)
            self._end = found[0].parent_id if found else None
            page[:0] = found
            start = _first_run(page)
            if self._end is None:
                break
            if start is not None:
                self._rest = page[:start]
                return page[start:]
            if len(page) >= MAX_RUN_MESSAGES:
                break
        self._rest = ()
        return page


def _first_run(messages: Sequence[Message]) -> int | None:
    """The place of the first message with which a run certainly begins."""
    prompt: int | None = None
    for place, message in enumerate(messages):
        if message.role == "user":
            prompt = place if prompt is None else prompt
        elif prompt is not None and step_of(message) == 1:
            return prompt
        else:
            prompt = None
    return None
