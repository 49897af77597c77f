"""Let a person answer what the model asks: a numbered list to choose from, or any text."""

import re
from collections.abc import Awaitable, Callable

from toolpost.types.events import Question, QuestionAsked

from .escape_codes import exact, exact_line
from .pen import BOLD, CYAN, DIM, YELLOW, Pen


async def choose(
    pen: Pen, asked: QuestionAsked, read_line: Callable[[], Awaitable[str | None]]
) -> list[tuple[str, ...]] | None:
    """One answer a question; None as soon as the person declines with the end of input."""
    answers: list[tuple[str, ...]] = []
    pen.fresh()
    pen.line(f"\n{pen.style('Question', YELLOW, BOLD)}{_from(asked)}")
    for question in asked.questions:
        answer = await _answer(pen, question, read_line)
        if answer is None:
            return None
        answers.append(answer)
    return answers


async def _answer(
    pen: Pen, question: Question, read_line: Callable[[], Awaitable[str | None]]
) -> tuple[str, ...] | None:
    for line in exact(question.question).splitlines():
        pen.line(pen.style(line, BOLD))
    for number, option in enumerate(question.options, 1):
        pen.line(f"  {pen.style(str(number), CYAN, BOLD)} {exact_line(option)}")
    pen.line(pen.style(f"  {_how(question)}; Ctrl-D declines and stops", DIM))
    while True:
        pen.put(pen.style("? ", YELLOW, BOLD))
        line = await read_line()
        pen.at_line_start = line is not None
        if line is None:
            return None
        answer = _meant(question, line.strip())
        if answer is not None:
            return answer


def _meant(question: Question, said: str) -> tuple[str, ...] | None:
    """The options that were chosen, or the text; None where it is neither."""
    if not said:
        return None
    numbers = [int(word) for word in re.split(r"[,\s]+", said) if word.isdecimal()]
    if not question.options or not re.fullmatch(r"[\d,\s]+", said):
        return (said,)
    known = all(0 < number <= len(question.options) for number in numbers)
    if not numbers or not known or (len(numbers) > 1 and not question.multiple):
        return None
    return tuple(question.options[number - 1] for number in dict.fromkeys(numbers))


def _how(question: Question) -> str:
    if not question.options:
        return "write your answer"
    return "numbers such as 1,3, or other words" if question.multiple else "a number, or other words"


def _from(asked: QuestionAsked) -> str:
    return f" of the sub-agent {exact_line(asked.agent)}" if asked.agent else ""
