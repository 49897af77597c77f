"""The arguments of a call, read while they are written."""

import json

from hypothesis import given
from hypothesis import strategies as st

from toolpost.view.argument_reader import ArgumentReader

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
values = st.recursive(
    texts | st.integers() | st.booleans() | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=5,
)


def read(*pieces):
    reader = ArgumentReader()
    for piece in pieces:
        reader.feed(piece)
    return {name: str(text) for name, text in reader.fields.items()}


@given(st.dictionaries(texts, values, max_size=4), st.booleans(), st.sampled_from([None, 1]), st.data())
def test_however_they_come_the_arguments_are_those_of_the_call(arguments, is_ascii, indent, data):
    written = json.dumps(arguments, ensure_ascii=is_ascii, indent=indent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(written)), max_size=5)))
    found = read(*(written[start:end] for start, end in zip([0, *cuts], [*cuts, len(written)], strict=True)))
    assert found.keys() == arguments.keys()
    for name, value in arguments.items():
        assert (found[name] if isinstance(value, str) else json.loads(found[name])) == value


def test_a_command_is_seen_as_it_grows():
    assert read('{"comm') == {}
    assert read('{"command": "npm te') == {"command": "npm te"}
    assert read('{"command": "echo \\"a\\') == {"command": 'echo "a'}
    assert read('{"path": "a.py", "content": "x = 1\\ny') == {"path": "a.py", "content": "x = 1\ny"}


@given(st.text('{}[]:,"\\u0aDd8cC \n', max_size=40), st.integers(1, 5))
def test_what_is_no_json_is_no_error_and_reads_the_same_however_it_was_cut(written, size):
    pieces = [written[at : at + size] for at in range(0, len(written), size)]
    assert read(*pieces) == read(written)
