"""The settings above a Markdown file's text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost import ConfigError
from toolpost.definitions.definition_files import MAX_BYTES, MAX_SETTINGS_BYTES, MarkdownDocument, parse


def test_settings_and_text_are_told_apart():
    document = parse(b"---\nname: a\ntools: [read, grep]\n---\n\nDo it.\n---\nwell\n", "a.md")
    assert document == MarkdownDocument({"name": "a", "tools": ["read", "grep"]}, "Do it.\n---\nwell")


@pytest.mark.parametrize(
    ("data", "body"),
    [(b"Just text", "Just text"), (b"---\n---\ntext", "text"), (b"---\n# nothing\n---\ntext", "text"), (b"", "")],
)
def test_a_file_may_have_no_settings(data, body):
    assert parse(data, "a.md") == MarkdownDocument({}, body)


def test_a_byte_order_mark_and_windows_lines_change_nothing():
    assert parse(b"\xef\xbb\xbf---\r\nname: a\r\n---\r\nx\r\ny", "a.md") == MarkdownDocument({"name": "a"}, "x\ny")


def test_a_colon_in_a_text_makes_it_no_mistake():
    document = parse(b"---\nname: reviewer\ndescription: Use it when: code changed. Context: any\n---\nGo.", "a.md")
    assert document.settings == {"name": "reviewer", "description": "Use it when: code changed. Context: any"}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"---\nname: a\nno end", "a.md: the settings that begin with --- have no ---"),
        (b"---\nname: a\ntools: [read\n---\nx", r"a.md:3: the settings above its text are not valid YAML"),
        (b"---\n- a\n- b\n---\nx", "a.md:2: the settings must be lines such as"),
        (b"---\na: &x [1]\nb: *x\n---\n", "anchors and aliases are not read"),
        (b"---\na: !!python/object/apply:os.system [id]\n---\n", "are not valid YAML"),
        (b"\xff\xfe", "a.md is not UTF-8 text"),
        (b"x" * (MAX_BYTES + 1), "too large for a definition"),
        (b"---\na: " + b"x" * MAX_SETTINGS_BYTES + b"\n---\n", "the settings above its text are too large"),
    ],
)
def test_a_mistake_says_where_it_is(data, message):
    with pytest.raises(ConfigError, match=message):
        parse(data, "a.md")


@given(st.binary(max_size=200) | st.text(max_size=200).map(lambda text: f"---\n{text}\n---\nbody".encode()))
def test_whatever_a_file_holds_it_is_read_or_refused(data):
    try:
        document = parse(data, "a.md")
    except ConfigError:
        return
    assert all(isinstance(key, str) for key in document.settings)
