"""Decide permissions: rules first, then saved approvals, plugins, and at last a person or the headless policy."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, Literal, get_args

import msgspec
from msgspec import Struct, structs

from toolpost.arguments.check_sdk_calls import shown, texts
from toolpost.guard.redact import known_secrets
from toolpost.guard.rules import OUTDATED, Action, Decision, Rules, covered, outdated
from toolpost.guard.wildcards import exact
from toolpost.plugins.hooks import AskHook, Hooks
from toolpost.store.contract import Approval
from toolpost.tools.fingerprint import Fingerprint, difference
from toolpost.tools.output import plain
from toolpost.tools.threads import call_either
from toolpost.types.errors import PermissionDenied, ToolpostError, WiringError
from toolpost.types.events import PermissionAsked, PermissionReplied, Reply
from toolpost.types.ids import new_id
from toolpost.types.messages import Consent
from toolpost.types.text import clean

from .journal import Journal

log = logging.getLogger("toolpost.engine")
Headless = Literal["deny", "allow", "fail"]
# Where the details of an ask hold a `OutdatedApproval`.
CHANGE = "tool_change"


class Answer(Struct, frozen=True):
    """A person's reply to an ask. `message` goes with a reject: the model reads it and the run goes on."""

    reply: Reply
    message: str = ""


# Sync ones run in a thread.
OnAsk = Callable[[PermissionAsked], Answer | Reply | Awaitable[Answer | Reply]]


class PermissionRequest(Struct, frozen=True):
    """What a call wants to be allowed.

    `always` is what the reply "always" saves; without it, what is asked. `names` are those of the tool itself, by which
    a rule may deny it, too. What was approved of a tool with another `fingerprint` does not count: a person is shown
    what changed. Secrets need not be hidden in a request: the ask that is made of it is told without them.
    """

    permission: str
    patterns: Sequence[str]
    always: Sequence[str] = ()
    names: Sequence[str] = ()
    title: str = ""
    call_id: str = ""
    details: dict[str, Any] | None = None
    fingerprint: Fingerprint | None = None

    def with_patterns(self, patterns: Sequence[str]) -> "PermissionRequest":
        """The same with patterns that can be stored, and with what "always" saves."""
        always = [clean(pattern) for pattern in texts(self.always, f"the always of {self.permission}")]
        return structs.replace(self, patterns=patterns, always=always or [exact(pattern) for pattern in patterns])

    def with_details(self, more: dict[str, Any]) -> "PermissionRequest":
        return structs.replace(self, details={**(self.details or {}), **more})


class MissingPermission(Struct, frozen=True):
    """What the headless policy did not let a tool have: of what it asked for, the patterns that no rule allows. None
    where the pattern would be its arguments, for which no rule can be written."""

    tool: str
    permission: str
    patterns: tuple[str, ...] = ()


class CallRefused(PermissionDenied):
    """A refusal by a person or by the headless policy, not by a rule. `final` ends the run: a person said no without a
    word, or the policy is `fail`.

    `permission` and `patterns` are what was not allowed, where the headless policy said so; `consent` is what a person
    said.
    """

    def __init__(
        self,
        text: str,
        *,
        final: bool,
        permission: str = "",
        patterns: Sequence[str] = (),
        consent: Consent | None = None,
    ) -> None:
        super().__init__(text)
        self.final = final
        self.consent = consent
        self.permission = permission
        self.patterns = tuple(patterns)


class OutdatedApproval(Struct, frozen=True, omit_defaults=True):
    """Why an approval that was given for a tool no longer counts, and what is different in its texts."""

    note: str
    diff: str = ""


class Origin(Struct, frozen=True):
    """The sub-agent, and its session, in whose name a person is asked."""

    agent: str = ""
    child: str = ""


class AnsweredAsk(Struct, frozen=True):
    """An ask that an earlier process of the run made, and what a person said, if anybody has answered. Subscribers know
    that, unless it was said after this process went on with the run."""

    asked: PermissionAsked
    answer: Answer | None = None
    is_told: bool = True


class PermissionBroker:
    """The permission broker of a session. `on_ask` answers in place; without it, `reply` does if a person is there.

    A sub-agent's broker has one `above` it: rules and approvals are looked up here, but a person is asked there.
    """

    def __init__(
        self,
        journal: Journal,
        rules: Rules,
        hooks: Hooks,
        *,
        project: str,
        owner: str = "",
        headless: Headless,
        on_ask: OnAsk | None = None,
        interactive: bool = False,
        above: "PermissionBroker | None" = None,
        agent: str = "",
    ) -> None:
        self._journal = journal
        self._rules = rules
        self._hooks = hooks
        self._project = project
        self._owner = owner
        self._headless = headless
        self._on_ask = on_ask
        self._above = above
        self._agent = agent
        self._interactive: bool = above._interactive if above else interactive or on_ask is not None
        self._pending: dict[str, asyncio.Future[Answer]] = {}
        self._asked: dict[str, PermissionAsked] = {}
        self._carried: list[AnsweredAsk] = []

    @property
    def pending(self) -> tuple[str, ...]:
        return tuple(self._pending)

    @property
    def open(self) -> tuple[PermissionAsked, ...]:
        """What is asked now, without secrets, for the person who answers."""
        return tuple(map(_without_secrets, self._asked.values()))

    def use_rules(self, rules: Rules) -> None:
        self._rules = rules

    def decide(self, permission: str, pattern: str) -> Action:
        """What the rules say; nobody is asked, and what was saved does not count."""
        return self._rules.decide(permission, map(clean, texts(pattern, "the pattern of ctx.decide"))).action

    def forbids(self, permission: str, pattern: str) -> bool:
        """True if it is denied by a rule for this permission, and not only by one for everything."""
        return any(self._rules.forbids(permission, clean(one)) for one in texts(pattern, "the pattern of ctx.forbids"))

    async def require(self, request: PermissionRequest) -> Consent | None:
        """Return if it is allowed, with what a person said if one was asked; raise `PermissionDenied` if not."""
        permission = request.permission
        patterns = [clean(pattern) for pattern in texts(request.patterns, f"the patterns of {permission}")]
        decision = self._rules.decide_call(permission, patterns, request.names)
        if decision.action == "allow":
            return None
        if decision.action == "deny":
            raise _denial(request, decision)
        request = request.with_patterns(patterns)
        kept = await self._journal.store.approvals(self._project, self._owner)
        approved = _counting(kept, request.fingerprint)
        if covered(approved, permission, patterns):
            return None
        answer = await self._hooks.permission_ask(
            AskHook(self._journal.info.id, permission, tuple(patterns), request.title)
        )
        if answer == "allow":
            return None
        if answer == "deny":
            raise PermissionDenied(f"{permission} was denied by a plugin.")
        change = _change(kept, request)
        if not self._interactive:
            missing = [one for one in patterns if not self._lets(permission, one, approved)]
            self._decide_headless(permission, decision.pattern, missing, change)
            return None
        if change is not None:
            request = request.with_details({CHANGE: msgspec.to_builtins(change)})
        if old := outdated(approved, permission, patterns):
            request = request.with_details({"note": f'The saved approval "{old[0]}" {OUTDATED}.'})
        return await self._ask_person(request)

    @property
    def has_answers(self) -> bool:
        """Whether an answer was given that its call has not got yet."""
        return any(future.done() for future in self._pending.values())

    def carry(self, asks: Iterable[AnsweredAsk]) -> None:
        """Know what was asked before this process went on with the run: a call that asks the same is not asked again,
        and has the answer that was given meanwhile."""
        self._carried = list(asks)

    @property
    def unanswered(self) -> tuple[PermissionAsked, ...]:
        """What an earlier process has asked, and no call here waits for yet."""
        return tuple(one.asked for one in self._carried if one.answer is None)

    def drop_carried(self) -> None:
        """Close what was carried over for this session, and no call of its waits for any more: the step that asked it
        is over. Whose calls have asked here is closed with the session's own."""
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
            if one.answer is None:
                replied = PermissionReplied(*self._journal.stamp(), one.asked.ask_id, "reject", by="policy")
                self._journal.publish(replied)
            elif not one.is_told:
                self._journal.publish(self._replied(one.asked, one.answer))

    def reply(self, ask_id: str, answer: Answer) -> None:
        """Answer an ask. A reject answers every other open ask of the session too."""
        future = self._pending.get(ask_id)
        if future is None and all(ask_id != asked.ask_id for asked in self.unanswered):
            raise ToolpostError(f"no open ask {ask_id}: it was answered already, or its run has ended")
        check_reply(answer)
        if future is not None and not future.done():
            future.set_result(answer)
        if answer.reply == "reject":
            for other in self._pending.values():
                if not other.done():
                    other.set_result(answer)
        # No call waits for these yet: each will find its answer.
        self._carried = [
            structs.replace(one, answer=answer, is_told=False)
            if one.answer is None and (answer.reply == "reject" or one.asked.ask_id == ask_id)
            else one
            for one in self._carried
        ]

    async def _ask_person(
        self,
        request: PermissionRequest,
        origin: Origin = Origin(),  # noqa: B008 - a frozen value
    ) -> Consent:
        if self._above is not None:
            origin = origin if origin.child else Origin(self._agent, self._journal.info.id)
            return await self._above._ask_person(request, origin)
        asked = _asked(request, origin)
        known = self._take_carried(asked)
        # Only a new ask is an event, and only an event may take a number.
        asked = _in_place_of(asked, known.asked) if known else _numbered(asked, self._journal, new_id("ask"))
        ask_id = asked.ask_id
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._pending[ask_id] = future
        told = _without_secrets(asked)
        asking: asyncio.Future[Answer | Reply] | None = None
        self._asked[ask_id] = asked
        try:
            if known is None:
                await self._journal.publish_durably(told)
            elif known.answer is not None:
                settle = self._accept if known.is_told else self._settle
                return await settle(asked, known.answer, request.fingerprint)
            if self._on_ask is not None:
                asking = asyncio.ensure_future(call_either(self._on_ask, told))
                await asyncio.wait({asking, future}, return_when=asyncio.FIRST_COMPLETED)
                if not future.done():
                    self.reply(ask_id, _answer_of(asking))
            answer = await future
        finally:
            self._pending.pop(ask_id, None)
            self._asked.pop(ask_id, None)
            if asking is not None and not asking.done():
                asking.cancel()
        return await self._settle(asked, answer, request.fingerprint)

    def _take_carried(self, asked: PermissionAsked) -> AnsweredAsk | None:
        """The ask of an earlier process that this one repeats: nothing of what a person saw, or what "always" would
        save, may be different."""
        told = _without_secrets(asked)
        for place, one in enumerate(self._carried):
            if _in_place_of(told, one.asked) == one.asked:
                return self._carried.pop(place)
        return None

    async def _settle(self, asked: PermissionAsked, answer: Answer, fingerprint: Fingerprint | None) -> Consent:
        await self._journal.publish_durably(self._replied(asked, answer))
        return await self._accept(asked, answer, fingerprint)

    def _replied(self, asked: PermissionAsked, answer: Answer) -> PermissionReplied:
        return PermissionReplied(*self._journal.stamp(), asked.ask_id, answer.reply, clean(answer.message))

    async def _accept(self, asked: PermissionAsked, answer: Answer, fingerprint: Fingerprint | None) -> Consent:
        """Do what was answered; subscribers know the answer."""
        if answer.reply == "always":
            await self._remember(asked, fingerprint.text if fingerprint else "")
        consent = Consent(asked.ask_id, answer.reply, clean(answer.message))
        if answer.reply == "reject":
            text = answer.message or f"{asked.permission} was rejected by the user."
            raise CallRefused(text, final=not answer.message, consent=consent)
        return consent

    def _lets(self, permission: str, pattern: str, approved: Iterable[tuple[str, str]]) -> bool:
        return self.decide(permission, pattern) == "allow" or covered(approved, permission, (pattern,))

    def _decide_headless(
        self, permission: str, pattern: str, missing: Sequence[str], change: "OutdatedApproval | None" = None
    ) -> None:
        if self._headless == "allow":
            return
        why = f" ({change.note})" if change else ""
        text = f"{permission} needs approval for {pattern!r}{why} and there is no person to ask. Go on without it."
        raise CallRefused(text, final=self._headless == "fail", permission=permission, patterns=missing)

    async def _remember(self, asked: PermissionAsked, described: str) -> None:
        kept = [
            Approval(
                new_id("apr"),
                self._project,
                asked.permission,
                pattern,
                time.time(),
                self._owner,
                asked.fingerprint,
                described,
            )
            for pattern in asked.always
        ]
        await self._journal.store.approve(kept)
        saved = [(approval.permission, approval.pattern) for approval in kept]
        for other in list(self._asked.values()):
            is_answered = other.fingerprint == asked.fingerprint and covered(saved, other.permission, other.patterns)
            if is_answered and not self._pending[other.ask_id].done():
                self._pending[other.ask_id].set_result(Answer("once"))


def check_reply(answer: Answer) -> None:
    """Raise `ToolpostError` for what is not a reply."""
    if answer.reply not in _REPLIES:
        raise ToolpostError(f"{answer.reply!r} is not a reply to a permission ask: use once, always or reject")


def _counting(kept: Iterable[Approval], fingerprint: Fingerprint | None) -> list[tuple[str, str]]:
    """The approvals that were given for the tool as it is now."""
    digest = fingerprint.digest if fingerprint else ""
    return [(approval.permission, approval.pattern) for approval in kept if approval.fingerprint == digest]


def _denial(request: PermissionRequest, decision: Decision) -> PermissionDenied:
    rule, permission = decision.rule, request.permission
    where = f" ({rule.source})" if rule and rule.source else ""
    if not request.patterns:
        return PermissionDenied(f"{permission} was asked for without a pattern, and a rule denies some{where}.")
    denied = rule.permission if rule and rule.permission in request.names else permission
    return PermissionDenied(f"{denied} is denied for {decision.pattern!r} by a rule{where}.")


def _change(kept: Sequence[Approval], request: PermissionRequest) -> OutdatedApproval | None:
    """How a tool differs from what was approved, if it once was."""
    fingerprint = request.fingerprint
    if fingerprint is None:
        return None
    given = [one for one in kept if covered([(one.permission, one.pattern)], request.permission, request.patterns)]
    if not given:
        return None
    if not given[-1].fingerprint:
        return OutdatedApproval("it was approved before its description was kept")
    return OutdatedApproval(
        "its server has changed it since it was approved", difference(given[-1].described, fingerprint.text)
    )


def _to_save(patterns: Sequence[str], always: Sequence[str]) -> tuple[str, ...]:
    """What "always" saves: no pattern that holds a secret, so that it is allowed this once."""
    hide = known_secrets().hide
    # A pattern that stands for itself is written in another way, in which the secret may not be seen.
    secret = {exact(pattern) for pattern in patterns if hide(pattern) != pattern}
    return tuple(pattern for pattern in always if pattern not in secret and hide(pattern) == pattern)


def _without_secrets(asked: PermissionAsked) -> PermissionAsked:
    secrets = known_secrets()
    return structs.replace(
        asked,
        patterns=tuple(map(secrets.hide, asked.patterns)),
        title=secrets.hide(asked.title),
        details=secrets.hide_in(asked.details),
    )


def _asked(request: PermissionRequest, origin: Origin) -> PermissionAsked:
    """The ask without a place among the events."""
    return PermissionAsked(
        0,
        "",
        0.0,
        "",
        request.permission,
        tuple(request.patterns),
        _to_save(request.patterns, request.always),
        clean(request.title),
        request.call_id,
        plain(request.details),
        origin.agent,
        origin.child,
        request.fingerprint.digest if request.fingerprint else "",
    )


def _numbered(asked: PermissionAsked, journal: Journal, ask_id: str) -> PermissionAsked:
    seq, session_id, now = journal.stamp()
    return structs.replace(asked, seq=seq, session_id=session_id, time=now, ask_id=ask_id)


def _in_place_of(asked: PermissionAsked, known: PermissionAsked) -> PermissionAsked:
    return structs.replace(asked, seq=known.seq, session_id=known.session_id, time=known.time, ask_id=known.ask_id)


def _answer_of(asking: "asyncio.Future[Answer | Reply]") -> Answer:
    """What `on_ask` said. If it fails, the call is refused and the run goes on; any other value ends the run."""
    try:
        given = asking.result()
    except Exception as error:
        log.exception("on_ask failed and refuses")
        return Answer("reject", f"The permission could not be asked for: {type(error).__name__}: {error}")
    answer = given if isinstance(given, Answer) else Answer(given)
    if answer.reply in _REPLIES:
        return answer
    raise WiringError(
        f'on_ask returned {shown(given)}, so the call was not run: return "once", "always" or "reject", '
        'or Answer("reject", "why")'
    )


# A tuple: what is asked for may be anything, and not have a hash.
_REPLIES = get_args(Reply)
