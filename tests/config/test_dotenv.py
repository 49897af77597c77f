"""`.env` files are read with the grammar of python-dotenv, whose own cases these are."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.config.dotenv import parse_env


@pytest.mark.parametrize(
    ("text", "values"),
    [
        pytest.param("a=b", {"a": "b"}, id="plain"),
        pytest.param("a=b\nc=d\r\ne=f\rg=h", {"a": "b", "c": "d", "e": "f", "g": "h"}, id="any line end"),
        pytest.param(" a = b ", {"a": "b"}, id="blanks around"),
        pytest.param("export a=b", {"a": "b"}, id="export"),
        pytest.param("export 'a'=b", {"a": "b"}, id="a quoted name"),
        pytest.param("a=b # c", {"a": "b"}, id="a comment behind"),
        pytest.param("a=b#c", {"a": "b#c"}, id="a hash without a blank is part of the value"),
        pytest.param("# a=b\n\n  # c\nd=e", {"d": "e"}, id="comments and empty lines"),
        pytest.param("a='b # c'", {"a": "b # c"}, id="a hash in quotes"),
        pytest.param("a='b' # c", {"a": "b"}, id="a comment behind quotes"),
        pytest.param('a="b\\nc"', {"a": "b\nc"}, id="an escape in double quotes"),
        pytest.param("a='b\\nc'", {"a": "b\\nc"}, id="no escape in single quotes"),
        pytest.param("a='b\\'c'", {"a": "b'c"}, id="a quote in single quotes"),
        pytest.param('a="b\\"c"', {"a": 'b"c'}, id="a quote in double quotes"),
        pytest.param('a="b\nc"\nd=e', {"a": "b\nc", "d": "e"}, id="several lines in quotes"),
        pytest.param("a=b c d", {"a": "b c d"}, id="blanks inside"),
        pytest.param("a=", {"a": ""}, id="empty"),
        pytest.param("a=\nb=c", {"a": "", "b": "c"}, id="empty, and a line after"),
        pytest.param("a=''", {"a": ""}, id="empty quotes"),
        pytest.param("a\nb=c", {"b": "c"}, id="a name without a value"),
        pytest.param("a=b=c", {"a": "b=c"}, id="an equals sign in the value"),
        pytest.param("a=é\nb='中文'", {"a": "é", "b": "中文"}, id="any letters"),
        pytest.param("a=${HOME}/x", {"a": "/x"}, id="never the environment's"),
        pytest.param("a=1\nb=${a}2", {"a": "1", "b": "12"}, id="an earlier line's"),
        pytest.param("a=${NOBODY}", {"a": ""}, id="nobody's"),
        pytest.param("a=${NOBODY:-default}", {"a": "default"}, id="a default"),
        pytest.param("a=$HOME", {"a": "$HOME"}, id="without braces it is text"),
    ],
)
def test_a_line_is_read_as_python_dotenv_reads_it(text, values):
    assert parse_env(text) == (values, ())


@pytest.mark.parametrize(
    ("text", "values", "bad"),
    [
        pytest.param("a=b\n=c\nd=e", {"a": "b", "d": "e"}, (2,), id="no name"),
        pytest.param("a='b\nc=d", {"c": "d"}, (1,), id="a quote that is not closed"),
        pytest.param("a='b' c\nd=e", {"d": "e"}, (1,), id="more behind the quote"),
        pytest.param("a b = c\nd=e", {"d": "e"}, (1,), id="two names"),
    ],
)
def test_a_line_that_cannot_be_read_is_named_and_the_others_count(text, values, bad):
    assert parse_env(text) == (values, bad)


@given(st.text(alphabet="ab='\"\\ #\n\r$\u007b\u007d:-"))
def test_whatever_stands_in_a_file_is_read_to_its_end(text):
    parsed = parse_env(f"{text}\nlast=1\n")
    assert parsed.values.get("last") == "1" or "'" in text or '"' in text


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("A=" + "${A" * 30_000, id="references without an end"),
        pytest.param("A=" + "${A:" * 25_000 + "}", id="references with no name"),
        pytest.param("A=x" + " " * 100_000 + "y", id="blanks"),
        pytest.param("=\n" * 50_000, id="bad lines"),
        pytest.param("A=x\n" + "A=${A}${A}${A}\n" * 5_000, id="a value that grows"),
        pytest.param("A='\\\n" * 20_000, id="quotes without an end"),
    ],
)
def test_a_hostile_file_is_read_in_the_time_of_its_size(text):
    started = time.process_time()
    parsed = parse_env(text)
    assert time.process_time() - started < 2
    assert sum(map(len, parsed.values.values())) <= 1_000_000
