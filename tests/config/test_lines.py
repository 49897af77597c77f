"""The line of every key, held against the standard library's own reading of the same text."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.config.toml_lines import KeyPath, key_lines, line_of

TEXT = '''# model = "no"
model = "a#b" # comment
limits.max_steps = 3
instructions = [
  "one", # [two]
  'three',
]
note = """
[not.a.table]
key = 1 \\"""
"""

[ agents . "my agent" ]
model = 'x'
tools = { bash = true, "quoted key" = { deep = false } }
permissions.bash."git *" = "allow"

[[list]]
a = 1
[[list]]
a = 2
[list.sub]
b = [ { c = 1 }, { c = 2 } ]
'''


@pytest.mark.parametrize(
    ("path", "line"),
    [
        (("model",), 2),
        (("limits",), 3),
        (("limits", "max_steps"), 3),
        (("instructions",), 4),
        (("instructions", 1), 6),
        (("note",), 8),
        (("agents", "my agent"), 13),
        (("agents", "my agent", "model"), 14),
        (("agents", "my agent", "tools", "quoted key", "deep"), 15),
        (("agents", "my agent", "permissions", "bash", "git *"), 16),
        (("list", 0, "a"), 19),
        (("list", 1, "a"), 21),
        (("list", 1, "sub", "b", 1, "c"), 23),
    ],
)
def test_every_way_to_write_a_key_is_found(path: KeyPath, line: int) -> None:
    assert key_lines(TEXT)[path] == line


def test_a_path_that_is_not_there_gets_the_line_of_its_table() -> None:
    assert line_of(key_lines(TEXT), ("agents", "my agent", "nothing", "here")) == 13
    assert line_of({}, ("x",)) == 1


keys = st.sampled_from(["a", "b-1", '"q k"', "'l.k'", '"e\\"\\u00e9"', '""', "1"])
dotted = st.lists(keys, min_size=1, max_size=3).map(" . ".join)
one_line = ["1", "-2.5e3", "true", "1979-05-27 07:32:00Z", "0x1F", "inf", '"s # [x] = \\" y"', "'l\\'", '""', "''"]
many_lines = ['"""m\n[t]\na = "1"\n\\""""""', "'''\n'x' ''q'''''"]
scalars = st.sampled_from([*one_line, *many_lines])
values = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3).map(lambda items: "[ # c ]\n" + ", # ,\n".join(items) + "\n]")
        | st.lists(st.tuples(dotted, inner), max_size=2).map(
            lambda pairs: "{ " + ", ".join(f"{key} = {value}" for key, value in pairs) + " }"
        )
    ),
    max_leaves=4,
)
statements = st.one_of(
    st.tuples(dotted, values).map(lambda pair: f"{pair[0]} = {pair[1]} # c"),
    dotted.map("[ {} ] # t".format),
    dotted.map("[[{}]]".format),
    st.sampled_from(["", "# x = 1", "\t"]),
)


def paths(value: Any, path: KeyPath = ()) -> set[KeyPath]:
    found = {path} if path else set[KeyPath]()
    entries: Any = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return found.union(*(paths(entry, (*path, key)) for key, entry in entries))


@given(st.lists(statements, max_size=6), st.sampled_from(["\n", "\r\n"]))
def test_exactly_the_keys_that_tomllib_reads_have_a_line(parts: list[str], newline: str) -> None:
    text = ""
    for part in parts:
        longer = text + part.replace("\n", newline) + newline
        try:
            tomllib.loads(longer)
        except tomllib.TOMLDecodeError:
            continue
        text = longer
    lines = key_lines(text)
    assert set(lines) == paths(tomllib.loads(text))
    assert all(1 <= line <= text.count("\n") for line in lines.values())
