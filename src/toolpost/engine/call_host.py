"""What a built-in tool may do with the session that called it, for the time of one call."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from toolpost.guard.redact import known_secrets
from toolpost.tools.host import Answers, CallOutcome, ModelAnswer, Progress, SubAgentReport, SubAgentTask
from toolpost.tools.output import plain
from toolpost.types.errors import PermissionDenied
from toolpost.types.events import Question
from toolpost.types.messages import Message

from .side_query import answer_aside
from .state import OfferedTools, Run


class CallHost:
    """Does nothing for a call that has ended. `asking` and `sending` mark the time in which it only waits."""

    def __init__(
        self,
        run: Run,
        offer: OfferedTools,
        *,
        tool: str,
        message_id: str,
        call_id: str,
        is_running: Callable[[], bool],
        asking: Callable[[], AbstractContextManager[None]],
        sending: Callable[[], AbstractContextManager[None]],
        again: bool,
    ) -> None:
        self._run = run
        self._offer = offer
        self._tool = tool
        self._message_id = message_id
        self._call_id = call_id
        self._is_running = is_running
        self._asking = asking
        self._sending = sending
        self._again = again

    def kept(self, name: str) -> Any:
        return (self._run.core.journal.info.metadata or {}).get(name)

    def keep(self, name: str, value: Any) -> None:
        self._check()
        journal = self._run.core.journal
        kept = known_secrets().hide_in(plain({name: value}) or {})
        journal.change(metadata={**(journal.info.metadata or {}), **kept})

    def offers(self, name: str) -> bool:
        setup = self._run.core.setup
        is_on = name not in self._run.asked.switched_off and setup.choice.offers(name)
        return is_on and not setup.rules.hides(name)

    async def ask_person(self, questions: Sequence[Question]) -> Answers | None:
        self._check()
        with self._asking():
            return await self._run.core.questions.ask(questions, self._call_id)

    async def call_tools(self, calls: Sequence[tuple[str, dict[str, Any]]]) -> list[CallOutcome]:
        # Imported here: these are made of calls, and a call makes them.
        from .programmatic_calls import call_tools

        self._check()
        others = OfferedTools([tool for name, tool in self._offer.tools.items() if name != self._tool])
        return await call_tools(self._run, others, calls, message_id=self._message_id, call_id=self._call_id)

    async def ask_model(
        self, messages: Sequence[Message], *, system: str = "", options: Mapping[str, Any] | None = None
    ) -> ModelAnswer:
        self._check()
        core = self._run.core
        answer = await answer_aside(core, messages, system=system, options=options)
        return ModelAnswer(answer.text, core.setup.model.info.id, answer.reason)

    async def send(self, errand: SubAgentTask, progress: Progress) -> SubAgentReport:
        # Imported here: a sub-agent is a session, and a session is made of calls.
        from .sub_agents import send

        self._check()
        with self._sending():
            return await send(
                self._run,
                errand,
                progress,
                tool=self._tool,
                message_id=self._message_id,
                call_id=self._call_id,
                again=self._again,
            )

    def _check(self) -> None:
        if not self._is_running():
            raise PermissionDenied("the call has ended: nothing can be done in its name any more")
