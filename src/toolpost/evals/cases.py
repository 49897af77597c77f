"""The cases of an evaluation: a question, the tools on offer, and the calls that are right."""

import hashlib
from typing import Any, Literal

import msgspec
from msgspec import Struct

from toolpost.types.tools import ToolSpec

Category = Literal["single", "choice", "parallel", "no_call", "missing"]
CATEGORIES: tuple[Category, ...] = ("single", "choice", "parallel", "no_call", "missing")
# What a model under test is told before every question.
SYSTEM = (
    "You are an assistant with tools. Call a tool where it helps with what the user wants; where none fits, answer "
    "without one. Ask for what a tool needs and nobody said. Answer from the results, briefly, in the user's language."
)


class ExpectedCall(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A call that is right. Each argument has the values that are accepted; None among them: it may be left out."""

    name: str
    arguments: dict[str, list[Any]] = {}


class Expected(Struct, frozen=True, omit_defaults=True):
    """What a case wants.

    `calls` are alternatives, each a set of calls in any order. Of every group of `answer` one word must stand in the
    answer from the results; of `asks_for` one in the question back.
    """

    calls: tuple[tuple[ExpectedCall, ...], ...]
    answer: tuple[tuple[str, ...], ...] = ()
    asks_for: tuple[str, ...] = ()


class Case(Struct, frozen=True):
    """`results` is what a tool gives back: one text, or one for each expected call of it, in their order."""

    id: str
    category: Category
    language: str
    question: str
    tools: tuple[ToolSpec, ...]
    expected: Expected
    results: dict[str, tuple[str, ...]] = {}
    today: str = ""


class CaseSet(Struct, frozen=True):
    name: str
    cases: tuple[Case, ...]

    @property
    def hash(self) -> str:
        """Differs wherever a case or a tool differs."""
        return hashlib.sha256(msgspec.json.encode(self.cases)).hexdigest()[:16]
