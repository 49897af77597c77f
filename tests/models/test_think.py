"""`<think>` at the start of the content is reasoning, however it is cut; anywhere else it is text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.models.think_tags import ThinkSplitter


def split(pieces: list[str]) -> tuple[str, str]:
    splitter = ThinkSplitter()
    parts = [splitter.feed(piece) if not splitter.done else ("", piece) for piece in pieces]
    if not splitter.done:
        parts.append(splitter.close())
    return "".join(part[0] for part in parts), "".join(part[1] for part in parts)


@pytest.mark.parametrize(
    ("content", "reasoning", "answer"),
    [
        ("<think>why</think>because", "why", "because"),
        ("\n<think>\nwhy\n</think>\n\nbecause", "\nwhy\n", "because"),
        ("<think></think>because", "", "because"),
        ("<think>never closed </thin", "never closed </thin", ""),
        ("because <think>no</think>", "", "because <think>no</think>"),
        ("<thin air", "", "<thin air"),
        ("<think>a</think>b<think>c</think>", "a", "b<think>c</think>"),
        ("  indented", "", "  indented"),
        ("", "", ""),
        ("<think>a < b </ c</think>x", "a < b </ c", "x"),
    ],
)
@settings(deadline=None)
@given(st.data())
def test_any_cut_gives_the_same_two_texts(content: str, reasoning: str, answer: str, data: st.DataObject) -> None:
    marks = sorted(data.draw(st.sets(st.integers(0, len(content)), max_size=8)))
    pieces = [content[a:b] for a, b in zip([0, *marks], [*marks, len(content)], strict=True)]
    assert split(pieces) == (reasoning, answer)
