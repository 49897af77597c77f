"""The view of a session: feed its events, or its stored messages, and read items, facts and what changed."""

from collections.abc import Iterator, Sequence
from typing import Any, Unpack

from msgspec import structs

from toolpost.types.events import (
    CompactionEnd,
    CompactionStart,
    CutOff,
    Event,
    MessageEnd,
    MessageStart,
    MessageUpdate,
    Notice,
    PermissionAsked,
    PermissionReplied,
    QuestionAsked,
    QuestionReplied,
    Retry,
    RunEnd,
    RunParked,
    RunResumed,
    RunStart,
    Settled,
    StepEnd,
    StepStarted,
    ToolCalled,
    ToolExecutionEnd,
    ToolExecutionStart,
    ToolExecutionUpdate,
)
from toolpost.types.messages import Message

from .ask_items import AskEvent, AskItems
from .branch import Branch
from .call_items import CallItems
from .changes import NOTHING, Changes
from .item_list import ItemList
from .items import ApprovalItem, CallItem, Item, QuestionItem, message_of
from .message_items import is_attempt, stored_items
from .message_stream import MessageStream
from .run_items import RunItems
from .session_facts import EditedFile, KnownFacts, SessionFacts, TodoEntry
from .told_facts import files_of, jobs_of, todos_of, together


class TranscriptView:
    """Feed every event of the session, live or kept, as often as one likes: what is known is passed over by its `seq`.

    A stored session is opened with its messages first. Events of its sub-agents' sessions may be fed, too: they go
    into the views that `sub_agent` has given. Without `session_id` it is the session of the first event.
    """

    def __init__(self, session_id: str = "") -> None:
        self.session_id = session_id
        self.seq = 0
        self.facts = SessionFacts()
        self._items = ItemList()
        self._calls = CallItems(self._items)
        self._asks = AskItems(self._items, self._calls)
        self._messages = MessageStream(self._items, self._calls)
        self._runs = RunItems(self._items, self._calls)
        self._sub_agents: dict[str, TranscriptView] = {}
        self._branch = Branch()
        self._child_asks: dict[str, PermissionAsked | QuestionAsked] = {}
        self._known = self.facts

    @property
    def items(self) -> Iterator[Item]:
        return iter(self._items)

    @property
    def ids(self) -> Sequence[str]:
        """The ids of the items in their order. Not to be changed."""
        return self._items.ids

    @property
    def asks(self) -> Sequence[ApprovalItem | QuestionItem]:
        """What waits for a person, the oldest first."""
        return self._asks.open

    def item(self, id: str) -> Item:
        """The item as it is now. Raises `KeyError` if it is not there any more."""
        item = self._items.get(id)
        if item is None:
            raise KeyError(id)
        return item

    def position(self, id: str) -> int:
        return self._items.position(id)

    def sub_agent(self, session_id: str) -> "TranscriptView":
        """The view of a sub-agent's session. It is empty until its messages or events are fed."""
        view = self._sub_agents.get(session_id)
        if view is None:
            view = self._sub_agents[session_id] = TranscriptView(session_id)
            view._sub_agents = self._sub_agents
            # What it asks a person is told up here.
            for event in self._child_asks.values():
                if event.child == session_id:
                    view._hear_ask(event, is_own=True)
            view._taken()
        return view

    def open(
        self,
        messages: Sequence[Message],
        *,
        after: int = 0,
        is_running: bool = False,
        asks: Sequence[PermissionAsked | QuestionAsked] = (),
    ) -> Changes:
        """Begin with the messages of a branch, as they are stored or as an open session has them.

        Events up to `after` are in them; others that are do no harm. Where `is_running`, because the session has an
        open run, feed its events from `open_seq` on: they have what is not stored of its last message. `asks` are open,
        in a run that nobody drives, too.
        """
        self.seq = max(self.seq, after)
        for item in stored_items(messages, is_open=is_running):
            self._items.put(item)
            if isinstance(item, CallItem):
                self._calls.adopt(item)
                self._note(item)
        self._messages.adopt(messages)
        self._branch.adopt(messages)
        self._runs.adopt(messages, is_running=is_running)
        last = next((message for message in reversed(messages) if message.role == "assistant"), None)
        if last is not None:
            used = last.finish.usage.total if last.finish is not None else 0
            self._set(model=last.model, agent=last.agent, used=used or self.facts.used)
        if is_running:
            self._set(state="busy")
        for ask in asks:
            self._take_ask(ask)
        return self._taken()

    def prepend(self, messages: Sequence[Message]) -> Changes:
        """Add earlier messages in front of those that are known: whole runs, as `MessagePages` has them."""
        items = list(stored_items(messages))
        self._items.prepend(items)
        self._branch.prepend(messages)
        earlier, todos = tuple[EditedFile, ...](), tuple[TodoEntry, ...]()
        for item in items:
            if isinstance(item, CallItem):
                earlier, todos = files_of(item, earlier), todos_of(item, todos)
        self._set(files=together(earlier, self.facts.files), todos=self.facts.todos or todos)
        return self._taken()

    def drop_before(self, id: str) -> int:
        """Forget the items in front of this one, which can be read again with `prepend`; returns how many."""
        return self._items.drop_before(id)

    def know(self, **facts: Unpack[KnownFacts]) -> Changes:
        """Take over what the events do not tell."""
        self._set(**facts)
        return self._taken()

    def feed(self, event: Event) -> Changes:
        """Take an event in; returns what it changed."""
        if not self.session_id:
            self.session_id = event.session_id
        elif event.session_id != self.session_id:
            view = self._sub_agents.get(event.session_id)
            return self._inside(event.session_id, view.feed(event)) if view is not None else NOTHING
        if type(event) is CutOff:
            return Changes(is_cut_off=True)
        if event.seq <= self.seq:
            return NOTHING
        self.seq = event.seq
        if type(event) is MessageUpdate:
            streamed = self._messages.stream(event)
            if streamed is not None:
                return streamed
        inside = self._take(event)
        changes = self._taken()
        return structs.replace(changes, sub_agents=inside) if inside else changes

    def _take(self, event: Event) -> dict[str, Changes]:
        match event:
            case MessageUpdate():
                self._messages.update(event)
            case MessageStart():
                self._runs.clear_retry()
                self._go_back(event.message)
                self._messages.start(event.message, is_steered=self._runs.is_under_way)
                self._runs.begin_message(event.message)
                self._start_message(event)
            case MessageEnd():
                self._messages.end(event.message)
                if is_attempt(event.message):
                    self._branch.drop(event.message.id)
                self._runs.end_message(event.message)
            case ToolCalled():
                self._messages.call(event)
                self._asks.link(event.call_id)
            case ToolExecutionStart():
                self._calls.start(event)
            case ToolExecutionUpdate():
                self._calls.update(event)
            case ToolExecutionEnd():
                ended = self._calls.end(event)
                if ended is not None:
                    self._note(ended)
            case PermissionAsked() | PermissionReplied() | QuestionAsked() | QuestionReplied():
                return self._take_ask(event)
            case _:
                self._take_run(event)
        return {}

    def _take_run(self, event: Event) -> None:
        match event:
            case RunStart():
                self._runs.start(event)
                self._set(state="busy", model=event.model, busy_since=event.time, step=0)
            case StepStarted():
                self._runs.step(event)
                self._set(step=event.step, model=event.model)
            case StepEnd():
                self._runs.end_step(event)
                self._spend(event)
            case Retry():
                self._runs.retry(event)
                self._set(state="retrying", retry_at=event.next_at)
            case CompactionStart():
                self._runs.start_compaction(event)
            case CompactionEnd():
                self._runs.end_compaction(event)
                if event.message_id:
                    self._branch.add(event.message_id)
            case Notice():
                self._runs.notice(event)
            case RunParked():
                self._runs.park(event)
                state = "queued" if event.reason == "released" else event.reason
                self._set(state=state, retry_at=0.0, busy_since=0.0)
            case RunResumed():
                self._runs.resume(event)
                state = "waiting" if self.facts.asks else "busy"
                self._set(state=state, model=event.model, busy_since=event.time)
            case RunEnd():
                self._asks.close()
                self._child_asks.clear()
                self._runs.end(event)
                self._set(retry_at=0.0, asks=(), queue=self.facts.queue)
            case Settled():
                self._set(state="idle", retry_at=0.0, busy_since=0.0)
            case _:
                pass

    def _go_back(self, message: Message) -> None:
        """A prompt was edited, or is answered again: what came after it before is on another branch now."""
        if not self._branch.follows(message):
            left = set(self._branch.go_back(message))
            first = next((at for at, item in enumerate(self._items) if message_of(item) in left), None)
            if first is not None:
                self._items.cut_off(first)
        self._branch.add(message.id)

    def _start_message(self, event: MessageStart) -> None:
        message = event.message
        if message.role == "assistant":
            state = "waiting" if self.facts.asks else "busy"
            self._set(state=state, retry_at=0.0, agent=message.agent or self.facts.agent)
            return
        for waiting in self.facts.queue:
            if waiting.text == message.text:
                self._set(queue=tuple(one for one in self.facts.queue if one.id != waiting.id))
                return

    def _take_ask(self, event: AskEvent) -> dict[str, Changes]:
        child = self._asks.session_of(event)
        if child:
            self._note_child_ask(event)
        self._hear_ask(event, is_own=not child)
        view = self._sub_agents.get(child)
        if view is None:
            return {}
        # What a person is asked for a sub-agent is told up here alone: there its call waits for that.
        view._hear_ask(event, is_own=True)
        return {child: view._taken()}

    def _note_child_ask(self, event: AskEvent) -> None:
        match event:
            case PermissionAsked():
                self._child_asks[event.ask_id] = event
            case QuestionAsked():
                self._child_asks[event.question_id] = event
            case PermissionReplied():
                self._child_asks.pop(event.ask_id, None)
            case QuestionReplied():
                self._child_asks.pop(event.question_id, None)

    def _hear_ask(self, event: AskEvent, *, is_own: bool) -> None:
        self._asks.take(event, is_own=is_own)
        asks = tuple(item.id for item in self._asks.open)
        state = "waiting" if asks else "busy" if self.facts.state == "waiting" else self.facts.state
        self._set(asks=asks, state=state)

    def _note(self, call: CallItem) -> None:
        """What a call that has ended tells of the session."""
        facts = self.facts
        self._set(todos=todos_of(call, facts.todos), files=files_of(call, facts.files), jobs=jobs_of(call, facts.jobs))

    def _spend(self, event: StepEnd) -> None:
        facts = self.facts
        if not event.usage.total and event.cost is None:
            return
        cost = None if facts.cost is None or event.cost is None else facts.cost + event.cost
        self._set(used=event.usage.total, usage=facts.usage + event.usage, cost=cost)

    def _set(self, **facts: Any) -> None:
        self.facts = structs.replace(self.facts, **facts)

    def _taken(self) -> Changes:
        known, self._known = self._known, self.facts
        changed = frozenset[str]()
        if known is not self.facts:
            names = self.facts.__struct_fields__
            changed = frozenset(name for name in names if getattr(known, name) != getattr(self.facts, name))
        return self._items.take_changes(changed)

    def _inside(self, session_id: str, changes: Changes) -> Changes:
        return Changes(sub_agents={session_id: changes}) if changes else NOTHING
