"""Parse calls that are JSON objects: alone, in arrays, one behind the other, nested as an API would send them."""

import re

from toolpost.models.prompted.call_repair import call_in_object, tool_named_in, unreadable_call
from toolpost.models.prompted.incremental_reader import Parse, unseen
from toolpost.models.prompted.scan_state import OpenCall, Scan
from toolpost.models.prompted.tool_matching import ARGUMENT_KEYS, CARRIED_KEYS, NAME_KEYS, SIDE_KEYS
from toolpost.models.prompted.value_end import OPENS, QUOTES
from toolpost.models.prompted.values import plain_text

# Under these keys stands a call, or an array of calls.
CALL_KEYS = frozenset(
    ("tool_call", "tool_calls", "function_call", "function_calls", "function", "tool", "calls", "tool_uses")
)
FINAL = "Final Answer"
MAX_KEY = 200
# Of calls wrapped in calls; no API wraps more than twice.
MAX_NESTING = 6
MAX_SCALAR = 10_000

_KEYS = frozenset((*NAME_KEYS, *ARGUMENT_KEYS)) | SIDE_KEYS | CALL_KEYS
_BESIDE_ROLE = frozenset(("content", "refusal"))
_WORD = re.compile(r"[\w$.\-]*")
_SCALAR = re.compile(r"[^,，{}\[\]｛｝［］<\n\"]*")


def items(scan: Scan, *, explicit: bool, depth: int = 0) -> Parse[int]:
    """Read an object, or an array of objects; return how many calls it held."""
    reader = scan.reader
    if (yield from reader.peek()) not in ("[", "［"):
        return (yield from _object_calls(scan, explicit, depth))
    reader.take(1)
    count = 0
    while True:
        char = yield from reader.skip_filler()
        if char and char in "]］":
            reader.take(1)
            return count
        if char and char in "{｛":
            found = yield from _object_calls(scan, explicit, depth)
            if not found:
                scan.outbox.release() if explicit or count else scan.outbox.reject()
            count += found
        elif not char or not (yield from read_value(scan, char, "[")):
            return count


def _object_calls(scan: Scan, explicit: bool, depth: int) -> Parse[int]:
    """Read the object that begins here; return how many calls it is: none, one, or those that it wraps."""
    reader = scan.reader
    reader.take(1)
    found = _Object(scan, explicit, depth)
    while True:
        char = yield from reader.skip_filler()
        if char and char in "}｝":
            reader.take(1)
            return found.finish(whole=True)
        if char == "{" and found.opened is None:
            # Begun anew inside itself: the inner one is meant.
            found.members.clear()
            reader.take(1)
        elif not char or not (yield from found.read_member(char)):
            return found.finish(whole=False)


def read_value(scan: Scan, char: str, inside: str, opened: OpenCall | None = None) -> Parse[tuple[str, bool] | None]:
    """Take any JSON value that begins with `char`; return its text and whether it is whole. None: there is none."""
    if char in OPENS or char in QUOTES:
        # In text that was taken for a call and is none, a string without an end must not swallow what follows.
        lined = scan.outbox.rejected
        return (yield from scan.reader.value(inside, opened.delta if opened else unseen, lined=lined))
    text = yield from scan.reader.word(_SCALAR, MAX_SCALAR)
    return (text, True) if text.strip() else None


class _Object:
    """An object while it is read: its members as they were written, and the call that it turned out to be."""

    def __init__(self, scan: Scan, explicit: bool, depth: int) -> None:
        self.members: dict[str, str] = {}
        self.opened: OpenCall | None = None
        self._scan = scan
        self._explicit = explicit
        self._depth = depth
        self._wrapped = 0
        self._arguments = ""
        self._sound = True
        self._twice = ""

    def read_member(self, char: str) -> Parse[bool]:
        """Read a key and its value. False where there is none: the object ends here, closed or not."""
        reader = self._scan.reader
        key = yield from self._read_key(char)
        colon = yield from reader.skip_space()
        if not key or not colon or colon not in ":：=":
            return False
        reader.take(1)
        if not self._explicit and not self._may_stand_in_call(key):
            self._scan.outbox.reject()
        char = yield from reader.skip_space()
        if key in CALL_KEYS and char and char in "{[" and self._depth < MAX_NESTING and not self._name():
            self._say_content()
            self._wrapped += yield from items(self._scan, explicit=self._explicit, depth=self._depth + 1)
            return True
        if not char or not (yield from self._read_value(key, char)):
            return False
        if not self._explicit and self._names_something_else(key):
            self._scan.outbox.reject()
        return self._sound

    def finish(self, *, whole: bool) -> int:
        """Give out the call, if it is one; return how many calls there were."""
        scan = self._scan
        whole = whole and self._sound
        if self.opened is not None:
            scan.end_json(self.opened, self._arguments, whole=whole, carried=self._carried())
            return 1
        if self._wrapped or self._answers():
            return max(self._wrapped, 1)
        call = call_in_object(self.members, scan.offer, explicit=self._explicit)
        if call is not None and self._twice:
            call = unreadable_call(call.name, scan.offer, f"{self._twice[:40]!r} is given twice")
        if call is None or (call.problem and not self._explicit):
            return 0
        if not whole and not self._explicit and not scan.offer.valid(call.name, call.arguments):
            return 0
        scan.give(call, whole=whole)
        return 1

    def _read_key(self, char: str) -> Parse[str]:
        if char in QUOTES:
            text, whole = yield from self._scan.reader.value("", unseen, key=True, most=MAX_KEY)
            return plain_text(text) if whole else ""
        return (yield from self._scan.reader.word(_WORD, MAX_KEY))

    def _read_value(self, key: str, char: str) -> Parse[bool]:
        streams = self._streams(key, char)
        if streams:
            self.opened = self._scan.outbox.open(self._name())
        read = yield from read_value(self._scan, char, "{", self.opened if streams else None)
        if read is None:
            return False
        text, self._sound = read
        if streams:
            self._arguments = text
        elif self.members.get(key, text) != text:
            self._twice = key
        self.members[key] = text
        return True

    def _streams(self, key: str, char: str) -> bool:
        """Whether the call is certain by now, and its arguments begin here."""
        if not self._explicit or self.opened is not None or char != "{" or key not in ARGUMENT_KEYS:
            return False
        name = self._name()
        return bool(name) and key not in self._scan.offer.properties(name)

    def _name(self) -> str:
        return tool_named_in(self.members, self._scan.offer) or ""

    def _carried(self) -> str:
        return next((plain_text(self.members[key]) for key in CARRIED_KEYS if key in self.members), "")

    def _may_stand_in_call(self, key: str) -> bool:
        offer = self._scan.offer
        if key == "response":
            return self._unwraps_response() or key in offer.keys
        message = key == "role" or (key in _BESIDE_ROLE and "role" in self.members)
        return message or key in _KEYS or key in offer.keys or key in offer

    def _names_something_else(self, key: str) -> bool:
        """The object has a name that is not a tool's: this is an answer in JSON."""
        if key not in NAME_KEYS or key in self._scan.offer.keys:
            return False
        name = plain_text(self.members[key])
        return self._scan.offer.find(name) is None and name != FINAL

    def _say_content(self) -> None:
        """A message as an API would send it has its text beside its calls."""
        if "role" in self.members and "content" in self.members:
            self._scan.outbox.say(plain_text(self.members.pop("content")))

    def _answers(self) -> bool:
        """An answer that was put into the form of a call is text."""
        if self._unwraps_response() and self.members.keys() == {"response"}:
            text = self.members["response"]
        elif plain_text(self.members.get("action", "")) == FINAL and FINAL not in self._scan.offer:
            text = self.members.get("action_input", "")
        else:
            return False
        self._scan.outbox.settle()
        self._scan.outbox.say(plain_text(text))
        return True

    def _unwraps_response(self) -> bool:
        return self._scan.dialect == "generic_json"
