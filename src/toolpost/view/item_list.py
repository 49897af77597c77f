"""The items of a transcript in their order, and a record of what was changed in them."""

from collections.abc import Iterable, Iterator, Sequence

from .changes import NOTHING, Changes
from .items import Item


class ItemList:
    """Finished items are never replaced. Adding at the end and replacing take the same time however many there are."""

    def __init__(self) -> None:
        self._items: dict[str, Item] = {}
        self._order: list[str] = []
        self._start_record()

    def __len__(self) -> int:
        return len(self._order)

    def __iter__(self) -> Iterator[Item]:
        return (self._items[id] for id in self._order)

    def __contains__(self, id: str) -> bool:
        return id in self._items

    @property
    def ids(self) -> Sequence[str]:
        return self._order

    def get(self, id: str) -> Item | None:
        return self._items.get(id)

    def position(self, id: str) -> int:
        """Where an item stands. It is looked for from the end, where things happen."""
        for place in range(len(self._order) - 1, -1, -1):
            if self._order[place] == id:
                return place
        raise KeyError(id)

    def put(self, item: Item, *, before: str = "", after: str = "") -> None:
        """Replace the item with this id, or add it: at the end, or beside another."""
        known = self._items.get(item.id)
        if known is None:
            self._insert(item.id, before, after)
            self._added.append(item.id)
        elif known.is_finished or known == item:
            return
        elif item.id not in self._added:
            self._changed[item.id] = None
        self._items[item.id] = item
        if item.is_finished:
            self._finished.append(item.id)

    def touch(self, id: str) -> None:
        """Record that something grew which the item holds."""
        if id not in self._added:
            self._changed[id] = None

    def remove(self, id: str) -> None:
        item = self._items.get(id)
        if item is None or item.is_finished:
            return
        del self._items[id]
        del self._order[self.position(id)]
        if id in self._added:
            self._added.remove(id)
        else:
            self._removed.append(item)
        self._changed.pop(id, None)

    def cut_off(self, position: int) -> None:
        """Take out all items from this position on, finished ones too: the conversation goes on without them."""
        gone = set(self._order[position:])
        self._finished = [id for id in self._finished if id not in gone]
        for id in self._order[position:]:
            item = self._items.pop(id)
            if id in self._added:
                self._added.remove(id)
            else:
                self._removed.append(item)
            self._changed.pop(id, None)
        del self._order[position:]

    def prepend(self, items: Iterable[Item]) -> None:
        """Add items in front, the earlier ones of a session that is read page by page."""
        new = {item.id: item for item in items if item.id not in self._items}
        self._order[:0] = new
        self._items.update(new)
        self._added += new
        self._finished += (id for id, item in new.items() if item.is_finished)

    def drop_before(self, id: str) -> int:
        """Forget the items in front of this one, as far as they are finished; returns how many."""
        place = self.position(id)
        count = next((at for at, one in enumerate(self._order[:place]) if not self._items[one].is_finished), place)
        for one in self._order[:count]:
            del self._items[one]
        del self._order[:count]
        return count

    def take_changes(self, facts: frozenset[str] = frozenset()) -> Changes:
        """What was changed since this was called last."""
        if not (self._added or self._changed or self._finished or self._removed or facts):
            return NOTHING
        changes = Changes(tuple(self._added), tuple(self._changed), tuple(self._finished), tuple(self._removed), facts)
        self._start_record()
        return changes

    def _start_record(self) -> None:
        self._added: list[str] = []
        self._changed: dict[str, None] = {}
        self._finished: list[str] = []
        self._removed: list[Item] = []

    def _insert(self, id: str, before: str, after: str) -> None:
        if before and before in self._items:
            self._order.insert(self.position(before), id)
        elif after and after in self._items:
            self._order.insert(self.position(after) + 1, id)
        else:
            self._order.append(id)
