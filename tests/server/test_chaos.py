"""A flaky upstream behind the real server: nobody hangs, no half answer passes for a whole one, no call runs twice."""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from chaos_play import Chaos, Question, Told, chaos, questions

from toolpost.testing.flaky import FAULTS, Played
from toolpost.testing.script import CallTool, Say, Turn

# More of them, from another seed: TOOLPOST_CHAOS=100000 TOOLPOST_CHAOS_SEED=7
COUNT = int(os.environ.get("TOOLPOST_CHAOS", "3000"))
SEED = int(os.environ.get("TOOLPOST_CHAOS_SEED", "1"))
AT_ONCE = 48
# Failures that leave no doubt that nothing was said: another model has to be asked.
SURELY_NOTHING = {"reset_before_head", "closed_before_head", "429", "500", "503", "529", "empty", "no_http", "web_page"}


@pytest.mark.timeout(60 + COUNT / 10)
async def test_thousands_of_requests_through_a_flaky_upstream(folder: Path) -> None:
    asked, told = questions(COUNT, SEED), dict[int, Told]()
    async with chaos(folder, seed=SEED) as play:
        assert await all_answered(play)
        waiting, before = iter(asked), asyncio.all_tasks()

        async def ask() -> None:
            for question in waiting:
                told[question.number] = await play.ask(question)

        await asyncio.gather(*(ask() for _ in range(AT_ONCE)))
        await play.at_rest(before)
        attempts = play.attempts()
        wrong = [
            f"{problem}: {question}\n  told {told[number]}\n  by {[one.fault for one in attempts[number]]}"
            for number, question in enumerate(asked)
            for problem in problems(question, told[number], attempts[number], play)
        ]
        assert not wrong, f"{len(wrong)} problems:\n" + "\n".join(wrong[:20])
        assert {sent.fault for sent in play.up.played} == set(FAULTS)
        assert Counter(one.end for one in told.values())["whole"] > COUNT / 4
        assert await all_answered(play)


def problems(question: Question, told: Told, attempts: Sequence[Played], play: Chaos) -> Iterator[str]:
    marks = [(sent, play.marks[id]) for sent in attempts if (id := mark_of(sent.turn))]
    if sum(count for _, count in marks) > 1:
        yield "a call was run twice"
    if any(count for sent, count in marks if sent.outcome == "broken"):
        yield "a call of an answer that was not whole was run"
    # On a machine that is busy with something else any answer may take too long, and is told so.
    if told.end == "left" or "was not done after" in told.text:
        return
    ends = [end_of(sent.turn) for sent in attempts if sent.outcome != "broken"]
    if told.end == "misshaped":
        yield "the answer is none of its wire"
    if told.end == "cut":
        yield "the answer was cut without a word"
    if told.end == "whole" and (told.text, told.calls) not in ends:
        yield "half an answer was told as a whole one"
    if told.end != "whole" and attempts and attempts[-1].outcome == "whole" and not mark_of(attempts[-1].turn):
        yield "a whole answer was told as a failure"
    if told.end == "refused":
        yield from wrong_status(told, [sent.fault for sent in attempts if sent.outcome != "whole"])
    if question.route.startswith("falls") and len(attempts) == 1 and attempts[0].fault in SURELY_NOTHING:
        yield "no other model was asked"


def wrong_status(told: Told, faults: Sequence[str]) -> Iterator[str]:
    is_limited = [fault.startswith("429") for fault in faults]
    if not (500 <= told.status < 600 or (told.status == 429 and any(is_limited))):
        yield "the status is of the wrong class"
    if all(is_limited) and told.status != 429:
        yield "a rate limit was told as something else"
    if all(fault.endswith("_with_retry_after") for fault in faults) and told.retry_after != "60":
        yield "when to come back was not told"


def mark_of(turn: Turn) -> str:
    return next((step.arguments["id"] for step in turn.calls if "id" in step.arguments), "")


def end_of(turn: Turn) -> tuple[str, tuple[object, ...]]:
    said = "".join(step.text for step in turn.steps if isinstance(step, Say))
    return said, tuple(step.arguments for step in turn.steps if isinstance(step, CallTool))


async def all_answered(play: Chaos) -> bool:
    """Whether all is well while nothing fails. The questions are others than those that are counted."""
    usual, play.up.weights = play.up.weights, {"none": 1.0}
    asked = [question for question in questions(COUNT + 40, SEED)[COUNT:] if question.leaves_at is None]
    told = [await play.ask(question) for question in asked]
    play.up.weights = usual
    return all(one.end == "whole" for one in told)
