"""Which line is in which item."""

from hypothesis import given
from hypothesis import strategies as st

from toolpost.tui.line_index import LineIndex

heights = st.lists(st.integers(0, 5), max_size=40)


def made(heights):
    index = LineIndex()
    for height in heights:
        index.add(height)
    return index


def check(index, expected):
    assert len(index) == len(expected)
    assert index.total == sum(expected)
    lines = [(place, line) for place, height in enumerate(expected) for line in range(height)]
    assert [index.find(line) for line in range(index.total)] == lines
    assert [index.start(place) for place in range(len(expected) + 1)] == [
        sum(expected[:place]) for place in range(len(expected) + 1)
    ]


@given(heights, st.data())
def test_lines_are_found_after_any_changes(given, data):
    index, expected = made(given), list(given)
    for _ in range(data.draw(st.integers(0, 6))):
        if expected and data.draw(st.booleans()):
            place = data.draw(st.integers(0, len(expected) - 1))
            expected[place] = data.draw(st.integers(0, 9))
            index.set(place, expected[place])
        else:
            place = data.draw(st.integers(0, len(expected)))
            more = data.draw(heights)
            index.cut(place)
            expected[place:] = more
            for height in more:
                index.add(height)
        check(index, expected)


def test_a_line_beyond_the_end_is_behind_the_last_item():
    assert made([2, 3]).find(7) == (2, 2)
    assert LineIndex().find(0) == (0, 0)
