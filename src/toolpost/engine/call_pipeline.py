"""Run one tool call. It goes through these steps, in this order and nowhere else:

repair the name → parse and coerce the arguments → hook before → repetition check → permission → commit `running` →
execute with a timeout → bound the output → hook after → commit. `turn_calls.py` runs the calls of a turn.
"""

import contextlib
import logging
import os
import time
from collections.abc import Callable, Generator, Sequence
from typing import Any, cast

from toolpost.arguments.parse_json import canonical
from toolpost.arguments.tool_names import repair
from toolpost.guard.redact import clean_environment, known_secrets
from toolpost.guard.secret_replacer import TextStreamRedactor
from toolpost.plugins.hooks import CallHook, HookError, ResultHook
from toolpost.tools.cancel import CancelSignal
from toolpost.tools.define import Tool, ToolContext, ToolResult
from toolpost.tools.fingerprint import Fingerprint
from toolpost.tools.offered_tools import decide_outright, unknown_tool
from toolpost.tools.output import bound, hide_secrets, plain, to_result
from toolpost.tools.output_file import call_name, session_folder
from toolpost.tools.schema import check_arguments
from toolpost.types.errors import PermissionDenied, ToolError, ToolpostError, WiringError
from toolpost.types.events import ToolExecutionEnd, ToolExecutionStart, ToolExecutionUpdate
from toolpost.types.messages import (
    CallErrorKind,
    CallState,
    Completed,
    Consent,
    Content,
    ErrorInfo,
    Failed,
    Pending,
    Running,
    TextPart,
    ToolPart,
)
from toolpost.types.stream import ToolCall
from toolpost.types.text import clean

from .call_host import CallHost
from .permissions import CallRefused, MissingPermission, PermissionRequest
from .state import OfferedTools, Run, Stop
from .tool_execution import execute

log = logging.getLogger("toolpost.engine")

ABORTED = "The call was aborted by the user."
REPEATED = "The same call was repeated without any change, and going on like this (doom_loop) is not allowed."
MISWIRED = "The call failed by a mistake in the program that runs you. Its author was told."
# The source of tools that are not run here.
CLIENT = "client"


def call_key(name: str, arguments: dict[str, Any], raw: str = "") -> str:
    """What makes two calls the same: their tool and their arguments."""
    return f"{name} {raw or canonical(arguments)}"


class CallExecution:
    """One call from its arguments to its result. `part` is its state, which `store` gets whenever it changes.

    `share` calls together may give the model as much text as one. `begun` is when an earlier process began it, if one
    did: subscribers know that already.
    """

    def __init__(
        self,
        run: Run,
        call: ToolCall,
        offer: OfferedTools,
        *,
        message_id: str,
        store: Callable[[ToolPart], None] | None = None,
        share: int = 1,
        begun: float = 0.0,
    ) -> None:
        self.part = ToolPart(call.id, call.name, Pending())
        self.stop: Stop | None = None
        self.is_asking = False
        self.is_sending = False
        self._begun = begun
        self._run = run
        self._core = run.core
        self._call = call
        self._offer = offer
        self._message_id = message_id
        self._store = store
        self._share = share
        self._name = repair(call.name, offer.names) or call.name
        self._tool = offer.tools.get(self._name)
        self._arguments = call.arguments
        self._secrets = known_secrets()
        self._flow = TextStreamRedactor(self._secrets)
        self._started = 0.0
        self._key = ""
        self._outcome = ""
        self._consent: Consent | None = None
        self._mistake: WiringError | None = None

    @property
    def call_id(self) -> str:
        return self._call.id

    @property
    def parallel(self) -> bool:
        return self._tool is None or self._tool.parallel

    @property
    def is_handed_over(self) -> bool:
        """True for a tool that the client brought along, and runs."""
        return self._tool is not None and self._tool.source == CLIENT and not self._call.raw

    def hand_over(self) -> None:
        """Leave the call open: its result comes with the next prompt, if ever."""
        self._started = time.time()
        self._set(Running(self._call.arguments, self._started))

    async def run(self) -> None:
        """Go through all steps. Any failure of the call is its result; `stop` says that it ends the run, too."""
        self._run.active.append(self)
        try:
            await self._run_to_end()
        finally:
            self._run.active.remove(self)

    async def _run_to_end(self) -> None:
        try:
            await self._go()
        except CallRefused as refusal:
            self._consent = refusal.consent or self._consent
            if refusal.permission:
                self._run.refusals.append(self._missing(refusal))
            self.fail("denied", str(refusal))
            if refusal.final:
                self.stop = Stop("denied")
        except PermissionDenied as error:
            self.fail("denied", str(error))
        except ToolError as error:
            self.fail(error.kind, str(error))
        except HookError as error:
            self.fail("failed", str(error))
        except WiringError as error:
            self.fail("failed", MISWIRED)
            self.stop = Stop("error", ErrorInfo("wiring", str(error)))
        except Stop as stop_run:
            self.fail(*(("failed", MISWIRED) if stop_run.error else ("denied", REPEATED)))
            self.stop = stop_run
        except ToolpostError:
            raise
        except Exception as error:  # a tool's own patterns, a value that cannot be used: the call's failure
            log.exception("the call of %s failed", self._name)
            self.fail("failed", f"{type(error).__name__}: {error}")

    async def _go(self) -> None:
        try:
            tool = self._find_tool()
            checked = self._check(tool, self._call.arguments)
        except ToolError:
            await self._note_bad_call()
            raise
        hooks = self._core.setup.hooks
        if hooks.having("tool_execute_before"):
            hook = CallHook(self._core.journal.info.id, self._call.id, tool.name, self._arguments)
            changed = await hooks.tool_execute_before(hook)
            if changed.arguments != self._arguments:
                checked = self._check(tool, plain(changed.arguments) or {})
        self._key = call_key(tool.name, self._arguments)
        if self._run.guard.repeats(self._key):
            await self._ask_about_repetition()
        await self._ask(tool)
        await self._begin(tool)
        result = await self._execute_cached(tool, checked)
        await self._end(tool, result)

    def _find_tool(self) -> Tool:
        if self._tool is not None:
            return self._tool
        setup = self._core.setup
        known = setup.tools.get(repair(self._call.name, setup.tools.names) or "")
        decision = known and decide_outright(setup.rules, known)
        if known and decision and decision.action == "deny":
            raise PermissionDenied(f"{known.name} is denied by the rule {decision.rule}. Go on without it.")
        raise unknown_tool(self._call.name, self._offer.names)

    def _check(self, tool: Tool, arguments: dict[str, Any]) -> Any:
        if self._call.raw:
            # The reader of calls in text may know what is wrong with it.
            known: dict[str, Any] = (self._call.metadata or {}).get("prompted", {})
            usual = f"The arguments of {tool.name} are not one JSON object. Call it again with valid JSON."
            raise ToolError(known.get("problem", usual), kind="invalid")
        self._arguments = arguments
        return check_arguments(tool, arguments)

    async def _note_bad_call(self) -> None:
        """A model may go round in circles with calls that cannot run, too."""
        self._key = call_key(self._name, self._call.arguments, self._call.raw)
        if self._run.guard.repeats(self._key):
            await self._ask_about_repetition()

    async def _ask_about_repetition(self) -> None:
        name = self._name
        title = f"{name} was called with the same arguments and gave the same result again and again."
        raw = self._call.raw
        details: dict[str, Any] = {"written": raw} if raw else {"arguments": self._arguments}
        try:
            await self._require(
                PermissionRequest("doom_loop", [name], [name], title=title, call_id=self._call.id, details=details)
            )
        except PermissionDenied as error:
            self._consent = error.consent if isinstance(error, CallRefused) else None
            if self._consent is not None and self._consent.message:
                # The person says what to do instead: the model reads it, and the run goes on.
                raise
            raise Stop("repetition") from error

    async def _ask(self, tool: Tool) -> None:
        if tool.source == "engine":
            return
        patterns, always = tool.patterns_of(self._arguments), tool.always_of(self._arguments)
        request = PermissionRequest(
            tool.asks_for,
            patterns,
            always,
            tool.names,
            tool.label or tool.name,
            self._call.id,
            {"arguments": self._arguments},
            tool.fingerprint,
        )
        await self._require(request)

    async def _require(self, request: PermissionRequest) -> None:
        with self.asking():
            consent = await self._core.asks.require(request)
        self._consent = consent or self._consent

    def _missing(self, refused: CallRefused) -> MissingPermission:
        tool = self._tool
        is_by_arguments = tool is not None and tool.patterns is None and tool.asks_for == refused.permission
        return MissingPermission(self._name, refused.permission, () if is_by_arguments else refused.patterns)

    @contextlib.contextmanager
    def asking(self) -> Generator[None]:
        """While a person may be asked: then the run can be parked, if the call has not begun or may be made again."""
        may_park = not self._running or (self._tool is not None and self._tool.may_run_again)
        before, self.is_asking = self.is_asking, may_park
        try:
            yield
        finally:
            self.is_asking = before

    @contextlib.contextmanager
    def sending(self) -> Generator[None]:
        """While a sub-agent works for it."""
        before, self.is_sending = self.is_sending, True
        try:
            yield
        finally:
            self.is_sending = before

    async def _begin(self, tool: Tool) -> None:
        self._started = self._begun or time.time()
        shown = self._shown
        self._set(Running(shown, self._started))
        journal, label = self._core.journal, tool.label or tool.name
        if self._begun:
            return
        start = ToolExecutionStart(*journal.stamp(), self._message_id, self._call.id, tool.name, shown, label)
        await journal.publish_durably(start)

    async def _execute_cached(self, tool: Tool, checked: Any) -> ToolResult | ToolError:
        cache = self._core.setup.throttles.cache(tool)
        if cache is None:
            return await self._execute(tool, checked)
        known = cache.get(self._key)
        if known is not None:
            return known
        result = await self._execute(tool, checked)
        if isinstance(result, ToolResult):
            cache.put(self._key, result)
        return result

    async def _execute(self, tool: Tool, checked: Any) -> ToolResult | ToolError:
        result = await execute(self._run, tool, checked, self._context(tool))
        if self._mistake is not None:
            # The tool may have taken it for a failure of what it asked for.
            raise self._mistake
        return result

    def _context(self, tool: Tool) -> ToolContext:
        core = self._core

        def update(text: str, details: dict[str, Any] | None) -> None:
            if self._running:
                shown = self._flow.feed(clean(text))
                if shown or details is not None or not text:
                    self._show(tool, shown, self._secrets.hide_in(plain(details)))

        async def ask(
            permission: str,
            patterns: Sequence[str],
            always: Sequence[str],
            title: str,
            details: dict[str, Any] | None,
            fingerprint: Fingerprint | None = None,
        ) -> None:
            if not self._running:
                raise PermissionDenied("the call has ended: nothing can be asked any more")
            # A rule that denies the tool by its name holds for all that it wants under its own permission.
            names = tool.names if permission == tool.asks_for else ()
            request = PermissionRequest(permission, patterns, always, names, title, self._call.id, details, fingerprint)
            with self._noting_mistakes():
                await self._require(request)

        async def environment() -> dict[str, str]:
            # A child process gets no key by accident: a plugin that means to give it one says so.
            with self._noting_mistakes():
                return await core.setup.hooks.shell_env(clean_environment(os.environ))

        setup, session_id, message_id, call_id = core.setup, core.journal.info.id, self._message_id, self._call.id
        host = CallHost(
            self._run,
            self._offer,
            tool=tool.name,
            message_id=message_id,
            call_id=call_id,
            is_running=lambda: self._running,
            asking=self.asking,
            sending=self.sending,
            again=bool(self._begun),
        )
        return ToolContext(
            session_id,
            message_id,
            call_id,
            setup.folder,
            update,
            ask,
            environment,
            setup.read_only,
            host,
            core.asks.decide,
            core.asks.forbids,
            tool.name,
            CancelSignal(self._run.signal),
        )

    @contextlib.contextmanager
    def _noting_mistakes(self) -> Generator[None]:
        try:
            yield
        except WiringError as error:
            self._mistake = error
            raise

    def _show(self, tool: Tool, text: str, details: dict[str, Any] | None = None) -> None:
        journal = self._core.journal
        journal.publish(ToolExecutionUpdate(*journal.stamp(), self._call.id, tool.name, text, details))

    async def _end(self, tool: Tool, result: ToolResult | ToolError) -> None:
        setup, limits = self._core.setup, self._core.setup.limits
        if held := self._flow.end():
            self._show(tool, held)
        # Once more: the tool may have read a key that was not there when it began.
        self._secrets = known_secrets()
        failure = result if isinstance(result, ToolError) else None
        given = ToolResult([TextPart(str(result))]) if isinstance(result, ToolError) else result
        lines, size = self._room(limits.output_lines), self._room(limits.output_bytes)
        given = hide_secrets(given, self._secrets)
        folder = session_folder(setup.spill, self._core.journal.info.id) if setup.spill is not None else None
        content = bound(given, lines, size, folder, call_name(self._message_id, self._call.id)).content
        details, title = given.details, given.title
        if setup.hooks.having("tool_execute_after"):
            hook = ResultHook(
                self._core.journal.info.id,
                self._call.id,
                tool.name,
                self._arguments,
                content,
                details,
                failure is not None,
            )
            changed = await setup.hooks.tool_execute_after(hook)
            given = hide_secrets(to_result(ToolResult(changed.content, changed.details)), self._secrets)
            content, details = cast("tuple[Content, ...]", tuple(given.content)), given.details
        text = "\n".join(part.text for part in content if isinstance(part, TextPart))
        self._outcome = text
        if failure is not None:
            self._finish(Failed(failure.kind, text, self._shown, "", self._started, time.time(), details), content)
        else:
            state = Completed(self._shown, content, self._started, time.time(), title, details)
            self._finish(state, content)

    def _room(self, limit: int) -> int:
        """What this call has of it; of what is shared, a tenth is left for what stands between the outputs."""
        return limit if self._share == 1 else max(1, limit * 9 // 10 // self._share)

    def fail(self, kind: CallErrorKind, message: str) -> None:
        raw, message = self._secrets.hide(self._call.raw), self._secrets.hide(clean(message))
        self._outcome = message
        state = Failed(kind, message, self._shown, raw, self._started, time.time())
        self._finish(state, (TextPart(message),))

    def remember(self) -> None:
        """Tell the repetition guard, once the turn is over: equal calls side by side are no circle."""
        if self._key:
            self._run.guard.record(self._key, self._outcome)

    def close(self, why: str = ABORTED) -> None:
        """An abort leaves a call open: mark it."""
        if isinstance(self.part.state, Pending | Running):
            self.fail("aborted", why)

    @property
    def _shown(self) -> dict[str, Any]:
        """The arguments as they are published, stored and read again by the model."""
        return self._secrets.hide_in(self._arguments)

    @property
    def _running(self) -> bool:
        return isinstance(self.part.state, Running)

    def _set(self, state: CallState) -> None:
        asked = self._call.name if self._call.name != self._name else ""
        self.part = ToolPart(self._call.id, self._name, state, asked, self._call.metadata, self._consent)
        if self._store is not None:
            self._store(self.part)

    def _finish(self, state: Completed | Failed, content: tuple[Content, ...]) -> None:
        self._set(state)
        journal = self._core.journal
        failed = isinstance(state, Failed)
        journal.publish(
            ToolExecutionEnd(
                *journal.stamp(),
                self._message_id,
                self._call.id,
                self._name,
                content,
                state.ended - self._started if self._started else 0.0,
                failed,
                state.kind if isinstance(state, Failed) else None,
                state.title if isinstance(state, Completed) else "",
                state.details,
            )
        )
