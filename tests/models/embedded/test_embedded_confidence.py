"""How sure the model was is read from its tokens, whichever way the text falls into them."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.models.embedded.confidence import how_sure, would_go_on
from toolpost.models.embedded.decoder import Token

CALL = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Köln", "unit": "c"}}\n</tool_call>'


def tokens(*pieces: tuple[str, float]) -> list[Token]:
    return [Token(text.encode(), math.log(probability)) for text, probability in pieces]


def test_the_choice_is_to_call_and_which_tool():
    said = tokens(("<tool_call>", 0.9), ('\n{"name": "', 1.0), ("get_weather", 0.5), ('", ', 0.8), ('"arguments"', 0.1))
    assert how_sure(said) == pytest.approx(0.9 * 0.5 * 0.8)
    # What the arguments are does not count.
    assert how_sure([*said, *tokens((': {"city": "Rome"}}', 0.01))]) == how_sure(said)


def test_words_are_as_sure_as_all_of_them():
    assert how_sure(tokens(("Hello", 0.5), (" there", 0.5))) == pytest.approx(0.25)
    assert how_sure([]) == 1.0


@given(st.lists(st.integers(min_value=1, max_value=len(CALL.encode()) - 1), unique=True, max_size=40))
def test_wherever_tokens_end_only_what_comes_before_the_arguments_counts(cuts):
    data = CALL.encode()
    edges = [0, *sorted(cuts), len(data)]
    chosen = data.index(b'"arguments"') + len(b'"arguments"')
    said = [Token(data[start:end], -0.01) for start, end in pairwise(edges)]
    counted = sum(end < chosen for _, end in pairwise(edges))
    assert how_sure(said) == pytest.approx(math.exp(-0.01 * counted))


def test_a_further_call_is_as_likely_as_a_new_line_at_the_end():
    end = Token(b"", -0.1, {b"": -0.1, b"\n": math.log(0.2)})
    assert would_go_on([*tokens(("\n", 0.9)), end]) == pytest.approx(0.2)
    assert would_go_on(tokens(("</tool_call>", 1.0))) == 0.0
    assert would_go_on([]) == 0.0
