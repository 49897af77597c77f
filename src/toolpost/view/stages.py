"""What a run is doing right now, told from the calls and texts of its last step: for a line that says so."""

import re
from collections.abc import Sequence

from toolpost.types.messages import TextPart
from toolpost.types.text import Language

from .items import CallItem, Item, PromptItem, ReasoningItem, TextItem
from .words import label_of, words

_MOST_LETTERS = 80
_HOST = re.compile(r"^[a-z][a-z0-9+.-]*://(?:[^/?#@]*@)?([^/?#:]+)", re.IGNORECASE)
_ENTRY = re.compile(r"^\d+\. [^\n]+\n\s*https?://", re.MULTILINE)


def stage_words(last: Sequence[Item], language: Language) -> str:
    """`last` are the items since the last prompt, or the last of them; while nothing runs there is no stage."""
    calls = [item for item in last if isinstance(item, CallItem) and not item.parent]
    if any(call.phase == "asking" for call in calls):
        return words("stage.waiting", language)
    working = [call for call in calls if not call.has_ended]
    if working:
        return _while_running(working, language)
    said = [item for item in last if isinstance(item, CallItem | TextItem | ReasoningItem | PromptItem)]
    newest = said[-1] if said else None
    if isinstance(newest, TextItem):
        return words("stage.answering", language)
    if isinstance(newest, CallItem):
        return _while_reading([call for call in calls if call.message_id == newest.message_id], language)
    if isinstance(newest, PromptItem) and newest.sources:
        return _reading(len(newest.sources), language)
    return words("message.thinking", language)


def _while_running(working: Sequence[CallItem], language: Language) -> str:
    first, names = working[0], {call.name for call in working}
    if names == {"web_search"}:
        query = _argument(first, "query")
        key = "stage.searching" if query else "stage.searchingWeb"
        return words(key, language, query=query if len(query) <= _MOST_LETTERS else f"{query[:_MOST_LETTERS]}…")
    if len(working) > 1:
        return words("stage.runningMany", language, count=len(working))
    url = _argument(first, "url")
    if first.name == "web_fetch" and url:
        host = _HOST.match(url)
        return words("stage.opening", language, host=host[1] if host else url)
    key = "stage.preparing" if first.phase == "preparing" else "stage.running"
    return words(key, language, tool=label_of(first.name, language, first.label))


def _while_reading(calls: Sequence[CallItem], language: Language) -> str:
    """The calls are done, and the model has said nothing since: it reads what they gave."""
    done = [call for call in calls if call.phase == "done"]
    searches = [call for call in done if call.name == "web_search"]
    if searches:
        return _reading(sum(map(_hits, searches)), language)
    if len(done) > 1:
        return _reading(len(done), language)
    if not done:
        return words("message.thinking", language)
    return words("stage.readingPage" if done[0].name == "web_fetch" else "stage.readingResult", language)


def _reading(count: int, language: Language) -> str:
    if count > 1:
        return words("stage.reading", language, count=count)
    return words("stage.readingResult" if count else "message.thinking", language)


def _hits(call: CallItem) -> int:
    results = (call.details or {}).get("results")
    if isinstance(results, list):
        return len(results)  # pyright: ignore[reportUnknownArgumentType]
    return sum(len(_ENTRY.findall(part.text)) for part in call.content if isinstance(part, TextPart))


def _argument(call: CallItem, name: str) -> str:
    value = (call.arguments or {}).get(name)
    return value if isinstance(value, str) else ""
