"""Ask a person what the model wants to know; answered by `on_question` or by `session.answer`."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterable, Sequence

from msgspec import Struct, structs

from toolpost.arguments.check_sdk_calls import shown, texts
from toolpost.guard.redact import known_secrets
from toolpost.tools.host import Answers
from toolpost.tools.threads import call_either
from toolpost.types.errors import ConfigError, ToolpostError, WiringError
from toolpost.types.events import Question, QuestionAsked, QuestionReplied
from toolpost.types.ids import new_id
from toolpost.types.text import clean, counted

from .journal import Journal
from .permissions import CallRefused, Origin

log = logging.getLogger("toolpost.engine")

# One answer a question: a text, or several options. None dismisses the questions.
Given = Sequence[str | Sequence[str]] | None
# Sync ones run in a thread.
OnQuestion = Callable[[QuestionAsked], Given | Awaitable[Given]]

DISMISSED = "The user dismissed the question."


class AnsweredQuestion(Struct, frozen=True):
    """A question that an earlier process of the run asked. `answers` is None while `is_answered` is False, and where it
    was dismissed. Subscribers know them, unless they were given after this process went on with the run."""

    asked: QuestionAsked
    is_answered: bool = False
    answers: Answers | None = None
    is_told: bool = True


class QuestionBroker:
    """The broker of a session's questions. A sub-agent's are asked `above`, in the session that a person sees."""

    def __init__(
        self,
        journal: Journal,
        *,
        on_question: OnQuestion | None = None,
        interactive: bool = False,
        above: "QuestionBroker | None" = None,
        agent: str = "",
    ) -> None:
        self._journal = journal
        self._on_question = on_question
        self._interactive = interactive
        self._above = above
        self._agent = agent
        self._pending: dict[str, tuple[QuestionAsked, asyncio.Future[Answers | None]]] = {}
        self._carried: list[AnsweredQuestion] = []

    @property
    def pending(self) -> tuple[str, ...]:
        return tuple(self._pending)

    @property
    def open(self) -> tuple[QuestionAsked, ...]:
        return tuple(asked for asked, _ in self._pending.values())

    @property
    def has_answers(self) -> bool:
        """Whether an answer was given that its call has not got yet."""
        return any(future.done() for _, future in self._pending.values())

    def carry(self, questions: Iterable[AnsweredQuestion]) -> None:
        """Know what was asked before this process went on with the run, as the broker of permissions does."""
        self._carried = list(questions)

    @property
    def unanswered(self) -> tuple[QuestionAsked, ...]:
        """What an earlier process has asked, and no call here waits for yet."""
        return tuple(one.asked for one in self._carried if not one.is_answered)

    def drop_carried(self) -> None:
        """Close what was carried over, as the broker of permissions does."""
        if self._above is not None:
            self._above._drop(self._journal.info.id)
        else:
            self._drop("")

    def _drop(self, child: str) -> None:
        if self._above is not None:
            self._above._drop(child)
            return
        dropped = [one for one in self._carried if child in ("", one.asked.child)]
        self._carried = [one for one in self._carried if one not in dropped]
        for one in dropped:
            if not one.is_answered or not one.is_told:
                answers = one.answers or ()
                self._journal.publish(
                    QuestionReplied(*self._journal.stamp(), one.asked.question_id, answers, one.answers is None)
                )

    async def ask(
        self,
        questions: Sequence[Question],
        call_id: str,
        origin: Origin = Origin(),  # noqa: B008 - a frozen value
    ) -> Answers | None:
        """The answers; None without a person. Raises `CallRefused`, which ends the run, where one dismissed them."""
        if self._above is not None:
            origin = origin if origin.child else Origin(self._agent, self._journal.info.id)
            return await self._above.ask(questions, call_id, origin)
        if self._on_question is None and not self._interactive:
            return None
        told = _without_secrets(questions)
        known = self._take_carried(told, call_id, origin)
        if known is not None and known.is_answered:
            if not known.is_told:
                await self._tell_answers(known.asked, known.answers)
            return _given(known.answers)
        asked = known.asked if known else None
        if asked is None:
            asked = QuestionAsked(*self._journal.stamp(), new_id("que"), told, call_id, origin.agent, origin.child)
        future: asyncio.Future[Answers | None] = asyncio.get_running_loop().create_future()
        self._pending[asked.question_id] = asked, future
        try:
            if known is None:
                await self._journal.publish_durably(asked)
            if not await self._answered(asked, future):
                return None
        finally:
            del self._pending[asked.question_id]
        answers = future.result()
        await self._tell_answers(asked, answers)
        return _given(answers)

    async def _tell_answers(self, asked: QuestionAsked, answers: Answers | None) -> None:
        replied = QuestionReplied(*self._journal.stamp(), asked.question_id, answers or (), answers is None)
        await self._journal.publish_durably(replied)

    def answer(self, question_id: str, given: Given) -> None:
        """Answer open questions, or dismiss them with None."""
        known = self._pending.get(question_id)
        if known is None and self._answer_carried(question_id, given):
            return
        if known is None:
            raise ToolpostError(f"no open question {question_id}: it was answered already, or its run has ended")
        asked, future = known
        answers = checked_answers(asked, given)
        if not future.done():
            future.set_result(answers)

    def _answer_carried(self, question_id: str, given: Given) -> bool:
        """Keep the answers for the call that has not asked again yet."""
        for place, one in enumerate(self._carried):
            if one.asked.question_id == question_id and not one.is_answered:
                answers = checked_answers(one.asked, given)
                self._carried[place] = AnsweredQuestion(one.asked, True, answers, is_told=False)
                return True
        return False

    def _take_carried(self, told: tuple[Question, ...], call_id: str, origin: Origin) -> AnsweredQuestion | None:
        for place, one in enumerate(self._carried):
            asked = one.asked
            if (asked.questions, asked.call_id, asked.child) == (told, call_id, origin.child):
                return self._carried.pop(place)
        return None

    async def _answered(self, asked: QuestionAsked, future: "asyncio.Future[Answers | None]") -> bool:
        """Wait for an answer. False: who should have asked a person failed, so there is no answer."""
        if self._on_question is None:
            await asyncio.wait({future})
            return True
        asking = asyncio.ensure_future(call_either(self._on_question, asked))
        try:
            await asyncio.wait({asking, future}, return_when=asyncio.FIRST_COMPLETED)
            if future.done():
                return True
            given = asking.result()
        except Exception:  # a face that fails must not end the run
            log.exception("on_question failed")
            return False
        finally:
            if not asking.done():
                asking.cancel()
        try:
            self.answer(asked.question_id, given)
        except ToolpostError as error:
            raise WiringError(f"on_question returned {shown(given)}: {error}") from error
        return True


def _given(answers: Answers | None) -> Answers:
    if answers is None:
        raise CallRefused(DISMISSED, final=True)
    return answers


def _without_secrets(questions: Sequence[Question]) -> tuple[Question, ...]:
    """They are arguments of a call, and hidden as those are."""
    hide = known_secrets().hide
    return tuple(
        structs.replace(one, question=hide(one.question), options=tuple(map(hide, one.options))) for one in questions
    )


def checked_answers(asked: QuestionAsked, given: Given) -> Answers | None:
    """What was given, one tuple a question. Raises `ToolpostError` where it does not fit; None dismisses them."""
    if given is None:
        return None
    count = len(asked.questions)
    wanted = f"give {counted(count, 'answer')}, one a question, each a text or several"
    if isinstance(given, str) or not isinstance(given, Sequence) or len(given) != count:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ToolpostError(f"{wanted}; None dismisses them")
    try:
        chosen = [texts(one, "an answer") for one in given]
    except ConfigError as error:
        raise ToolpostError(f"{wanted}: {error}") from error
    return tuple(tuple(map(clean, one)) for one in chosen)
