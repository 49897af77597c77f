"""How sure the model was of its choice: to call at all, this tool, and no other call after the last one."""

import math
from collections.abc import Sequence

from .decoder import Token

_CHOSEN = b'"arguments"'
# Between two calls.
_NEXT = b"\n"


def how_sure(tokens: Sequence[Token]) -> float:
    """The probability of everything up to the first call's arguments; of words, of all of them. What the arguments are
    is not in it: there is more than one right way to write them."""
    total, text = 0.0, b""
    for token in tokens:
        if _CHOSEN in text + token.text:
            break
        text += token.text
        total += token.logprob
    return math.exp(total)


def would_go_on(tokens: Sequence[Token]) -> float:
    """The probability of one more call where the model made its end."""
    return math.exp(tokens[-1].likeliest.get(_NEXT, -math.inf)) if tokens else 0.0
