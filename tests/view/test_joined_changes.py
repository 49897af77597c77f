"""Changes of several events joined into one say the same as one by one: a face may draw them in one frame."""

from hypothesis import given
from hypothesis import strategies as st

from toolpost.view.changes import joined
from toolpost.view.item_list import ItemList
from toolpost.view.items import NoticeItem

ids = st.sampled_from("abcd")
items = st.builds(NoticeItem, id=ids, is_finished=st.booleans(), code=st.just("retry"), text=ids)
steps = (
    st.tuples(st.just("put"), items)
    | st.tuples(st.sampled_from(["remove", "touch"]), ids)
    | st.tuples(st.just("cut_off"), st.integers(0, 4))
    | st.tuples(st.just("prepend"), st.lists(items, max_size=2))
)


class Face:
    """What a face has that takes over changes. It reads new and changed items from the list."""

    def __init__(self):
        self.items = {}
        self.finished = set()

    def take(self, changes, items):
        for item in changes.removed:
            del self.items[item.id]
            self.finished.discard(item.id)
        for id in changes.added:
            assert id not in self.items
            self.items[id] = items.get(id)
        for id in changes.changed:
            assert id in self.items
        for id in (*changes.changed, *changes.finished):
            self.items[id] = items.get(id)
        for id in changes.finished:
            assert self.items[id].is_finished
            self.finished.add(id)


def do(items, name, value):
    if name == "touch" and value not in items:
        return
    getattr(items, name)(value)


@given(st.lists(st.lists(steps, max_size=4), max_size=8), st.integers(0, 8))
def test_joined_changes_say_what_they_say_one_by_one(records, known):
    items, one_by_one, at_once, later = ItemList(), Face(), Face(), []
    for number, record in enumerate(records):
        for step in record:
            do(items, *step)
        changes = items.take_changes()
        one_by_one.take(changes, items)
        if number < known:
            at_once.take(changes, items)
        else:
            later.append(changes)
    at_once.take(joined(later), items)
    assert at_once.items == one_by_one.items == {item.id: item for item in items}
    assert at_once.finished == one_by_one.finished == {item.id for item in items if item.is_finished}
