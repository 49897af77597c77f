"""How sure the model was of its choice: to call at all, and this tool."""

import math
from collections.abc import Sequence

from .decoder import Token

_CHOSEN = b'"arguments"'


def how_sure(tokens: Sequence[Token]) -> float:
    """The probability of everything up to the first call's arguments; of words, of all of them. What the arguments are
    is not in it: there is more than one right way to write them."""
    total, text = 0.0, b""
    for token, logprob in tokens:
        if _CHOSEN in text + token:
            break
        text += token
        total += logprob
    return math.exp(total)
