"""What came of a case: the calls, the texts, the scores, the times. One line of `results.jsonl`."""

from typing import Any

from msgspec import Struct

from toolpost.types.messages import ErrorInfo, Usage

from .cases import Category, Expected
from .variants import Variant

# In the order in which they are shown, each with what it says.
METRICS = {
    "passed": "everything that the case asks for",
    "tool": "the right tools, whatever their arguments",
    "arguments": "the right calls, with the right arguments, and no other",
    "well_formed": "of the turns with calls: every call could be read and fits its schema",
    "no_call": "no tool fits, and none was called",
    "asked": "something needed is missing: no call, and a question for it",
    "answered": "of the right calls: the answer says what the results say",
}


class Got(Struct, frozen=True, omit_defaults=True):
    """A call as the engine would run it. `problem` says why it could not be run; `raw` is text that is no JSON object.

    `asked` is the model's spelling of the name where it was repaired.
    """

    name: str
    arguments: dict[str, Any] = {}
    asked: str = ""
    raw: str = ""
    problem: str = ""


class Outcome(Struct, frozen=True, omit_defaults=True):
    """`calls` and `text` are of the first turn, `answer` and `calls_again` of the one with the results.

    `scores` has the metrics that apply to the case. Times are in seconds, without attempts that failed.

    A case that ended in an `error` of the provider's is neither right nor wrong: it has no score that needs what did
    not come, and is tried again by the next start.
    """

    variant: Variant
    case: str
    category: Category
    language: str
    question: str
    expected: Expected
    scores: dict[str, bool] = {}
    calls: tuple[Got, ...] = ()
    text: str = ""
    answer: str | None = None
    calls_again: tuple[Got, ...] = ()
    first: float = 0.0
    took: float = 0.0
    answer_took: float = 0.0
    usage: Usage = Usage()
    error: ErrorInfo | None = None

    @property
    def seconds(self) -> float:
        """Both turns."""
        return self.took + self.answer_took
