"""Real sessions for the tests of the view, and items made comparable."""

from msgspec import structs

from toolpost.view.changes import joined
from toolpost.view.items import ApprovalItem, CallError, CallItem, CompactionItem, NoticeItem, QuestionItem, RunEndItem
from toolpost.view.transcript import TranscriptView

# What a model is told of a call that never ran; events do not say it.
OWN_WORDS = ("aborted", "interrupted", "truncated")


class Watched:
    """A view of a session that is fed while it runs, and every event and change."""

    def __init__(self, session=None):
        self.view = TranscriptView()
        self.events = []
        self.changes = []
        if session is not None:
            self.watch(session)

    def watch(self, session):
        session.subscribe(self.take)

    def take(self, event):
        self.events.append(event)
        self.changes.append(self.view.feed(event))

    @property
    def items(self):
        return list(self.view.items)

    @property
    def kinds(self):
        return [item.kind for item in self.view.items]

    def of(self, kind):
        return [item for item in self.view.items if item.kind == kind]

    @property
    def all(self):
        return joined(self.changes)


def fed(events, session_id=""):
    view = TranscriptView(session_id)
    for event in events:
        view.feed(event)
    return view


def opened(messages):
    view = TranscriptView()
    view.open(messages)
    return view


def stored(items):
    """The items as stored messages have them too: without what only events tell, or tell more exactly."""
    return [_stored(item) for item in items if not _is_of_events_alone(item)]


def _is_of_events_alone(item):
    is_of_code = isinstance(item, CallItem) and bool(item.parent)
    return is_of_code or isinstance(item, NoticeItem | ApprovalItem | QuestionItem)


def _stored(item):
    if isinstance(item, RunEndItem):
        return structs.replace(item, seconds=None)
    if isinstance(item, CompactionItem):
        return structs.replace(item, summary="")
    if isinstance(item, CallItem):
        error = item.error
        if error is not None and error.kind in OWN_WORDS:
            error = CallError(error.kind)
        return structs.replace(item, started=0.0, label="", output=None, error=error)
    return item
