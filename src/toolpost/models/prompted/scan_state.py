"""What the parsers of all dialects share: the text, the way out, the tools on offer, and what was seen so far."""

import json

from .call_repair import Written, failed, written
from .incremental_reader import Markers, Reader
from .offered_tools import Offer
from .scan_output import OpenCall, Outbox

# How often a broken call may be cut at its end tag and the rest be read anew; each costs a look at the rest.
MOST_CUTS = 50


class Scan:
    """One scan of one model turn."""

    def __init__(self, offer: Offer, dialect: str | None, openers: Markers, closers: Markers) -> None:
        self.offer = offer
        self.dialect = dialect
        self.openers = openers
        self.closers = closers
        self.outbox = Outbox()
        self.reader = Reader(self.outbox.taken)
        # The model ran into its length limit: what is still open at the end must not run.
        self.cut_off = False
        # The marker that was read last.
        self.opener = ""
        # Whom the message is for, where it has a header that says so.
        self.addressed = ""
        # A token that wraps text was seen, so its companions are no text either.
        self.wrapped = False
        # The text holds a final answer beside its action: neither is to be believed.
        self.answered = False
        # A call did not come to its own end.
        self.unfinished = False
        self._cuts = 0

    def give(self, call: Written, *, whole: bool) -> None:
        """Give out a call that is known only now that it has ended."""
        shown = json.dumps(call.arguments, ensure_ascii=False)
        opened = self.outbox.open(call.name)
        opened.delta(shown)
        opened.end(self._final(call, whole), shown)

    def end(self, opened: OpenCall, call: Written, raw: str, *, whole: bool) -> None:
        opened.end(self._final(call, whole), raw)

    def end_json(self, opened: OpenCall, text: str, *, whole: bool, carried: str = "") -> None:
        """End a call whose arguments are the JSON `text`, or as much of it as belongs to the call."""
        call = written(opened.name, text, self.offer, whole=whole, carried=carried)
        if (call.problem or call.mended) and (whole or not self.cut_off):
            # A quote that is missing lets a string run on over the end of its call: that end is the better guide.
            found = self.closers.search(text, 0)
            if found and self._cuts < MOST_CUTS:
                self._cuts += 1
                whole = True
                self.reader.push_back(text[found.start() :])
                text = text[: found.start()]
                call = written(opened.name, text, self.offer, whole=False, carried=carried)
        self.end(opened, call, text, whole=whole)

    def _final(self, call: Written, whole: bool) -> Written:
        self.unfinished = self.unfinished or not whole
        if whole or call.problem:
            return call
        if self.cut_off:
            return failed(call.name, self.offer, "the call was cut off", call.carried)
        if not self.offer.valid(call.name, call.arguments):
            return failed(call.name, self.offer, "the call does not come to its end", call.carried)
        return call._replace(mended=True)
