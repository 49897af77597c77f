"""Follow the model's messages as they stream: text, reasoning, files, and the arguments of calls."""

from collections.abc import Sequence

from msgspec import structs

from toolpost.types.events import MessageUpdate, ToolCalled
from toolpost.types.messages import Message, ToolPart

from .call_items import CallItems
from .changes import Changes
from .growing_text import GrowingText
from .item_list import ItemList
from .items import FileItem, Item, ReasoningItem, TextItem
from .message_items import is_attempt, is_blank, is_sealed, item_id, items_of, prompt_of


class MessageStream:
    """One message is written at a time; `sealed` are those whose turn is over."""

    def __init__(self, items: ItemList, calls: CallItems) -> None:
        self._items = items
        self._calls = calls
        self._sealed: set[str] = set()
        self._begin("")

    def adopt(self, messages: Sequence[Message]) -> None:
        """Go on behind these messages, whose items are there."""
        self._sealed.update(message.id for message in messages if is_sealed(message))
        last = messages[-1] if messages else None
        if last is not None and not is_sealed(last):
            self._begin(last.id)
            self._places = {item.id: place for place, item in items_of(last)}

    def start(self, message: Message, *, is_steered: bool) -> None:
        if message.role == "user":
            self._sealed.add(message.id)
            self._items.put(prompt_of(message, is_steered=is_steered))
        elif message.id not in self._sealed:
            if message.id == self._message_id:
                # It was known as far as it had come: all of that is said again.
                self._take_back()
            self._begin(message.id)

    def stream(self, event: MessageUpdate) -> Changes | None:
        """Take the next piece of what is being written; None for anything else. Nearly all events come this way."""
        if event.part != self._part or event.message_id != self._message_id or self._source is None:
            return None
        self._source.add(event.text)
        self._last_time = event.time
        return self._grown

    def update(self, event: MessageUpdate) -> None:
        """Take a piece of another part than the last one."""
        if event.message_id in self._sealed:
            return
        if event.message_id != self._message_id:
            self._begin(event.message_id)
        if event.kind == "tool_input":
            self._write_input(event)
            return
        if event.kind == "file":
            self._close_part()
            id = item_id(event.message_id, event.part)
            self._add(event.part, FileItem(id=id, message_id=event.message_id, mime=event.text, name=event.name))
            return
        self._write(event)

    def call(self, event: ToolCalled) -> None:
        self._close_part()
        is_of_message = event.message_id == self._message_id and event.message_id not in self._sealed
        if is_of_message:
            # Where its arguments were not streamed, its part is the next one.
            id = item_id(event.message_id, event.call_id)
            self._places.setdefault(id, max(self._places.values(), default=0) + 1)
        self._calls.whole(event, is_made_by_code=not is_of_message)

    def end(self, message: Message) -> None:
        """The turn is over; or, of a message that was over, its calls were closed."""
        if message.role == "user":
            return
        if is_attempt(message):
            if message.id == self._message_id:
                self._take_back()
                self._begin("")
            return
        if message.id not in self._sealed and message.id != self._message_id:
            self._begin(message.id)
        is_new = message.id not in self._sealed
        self._source = None
        for place, item in items_of(message):
            part = message.parts[place]
            if isinstance(part, ToolPart):
                self._places.setdefault(item.id, place)
                self._calls.settle(message.id, part, self._item_behind(place))
            elif is_new:
                self._add(place, item)
        self._sealed.add(message.id)

    def _write(self, event: MessageUpdate) -> None:
        """Begin a part, or go on with one that another has interrupted."""
        if event.part != self._part:
            self._close_part()
            self._part = event.part
        id = item_id(event.message_id, event.part)
        item = self._items.get(id)
        if isinstance(item, TextItem | ReasoningItem):
            item.source.add(event.text)
            self._items.touch(id)
        else:
            # A part of nothing but blanks is no text.
            text = self._held.pop(event.part, "") + event.text
            if is_blank(text):
                self._held[event.part] = text
                return
            source = GrowingText(text)
            item = (
                TextItem(id=id, message_id=event.message_id, source=source)
                if event.kind == "text"
                else ReasoningItem(id=id, message_id=event.message_id, source=source, started=event.time)
            )
            self._add(event.part, item)
        if isinstance(item, ReasoningItem) and item.ended:
            self._items.put(structs.replace(item, ended=0.0))
        self._source, self._last_time = item.source, event.time
        self._grown = Changes(changed=(id,))

    def _write_input(self, event: MessageUpdate) -> None:
        self._close_part()
        id = item_id(event.message_id, event.call_id)
        self._places.setdefault(id, event.part)
        source = self._calls.write(event, self._item_behind(event.part))
        self._source, self._part, self._grown = source, event.part, Changes(changed=(id,))

    def _close_part(self) -> None:
        """Another part begins. A thought is over then, which people see before the message is whole."""
        item = self._items.get(item_id(self._message_id, self._part))
        if isinstance(item, ReasoningItem) and not item.ended:
            self._items.put(structs.replace(item, ended=self._last_time))
        self._source, self._part = None, -1

    def _add(self, place: int, item: Item) -> None:
        self._places.setdefault(item.id, place)
        self._items.put(item, before=self._item_behind(place))

    def _item_behind(self, place: int) -> str:
        """The first item of the message that belongs behind this place."""
        later = [(at, id) for id, at in self._places.items() if at > place and id in self._items]
        return min(later)[1] if later else ""

    def _take_back(self) -> None:
        for id in self._places:
            self._items.remove(id)
        self._calls.forget(self._message_id)

    def _begin(self, message_id: str) -> None:
        self._message_id = message_id
        self._places: dict[str, int] = {}
        self._held: dict[int, str] = {}
        self._part = -1
        self._source: GrowingText | None = None
        self._grown = Changes()
        self._last_time = 0.0
