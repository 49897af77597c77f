"""The calls of a turn, put right: each by itself, then all of them together."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import structs

from toolpost.models.embedded.notes import Note
from toolpost.types.stream import ToolCall
from toolpost.types.tools import ToolSpec

from .choices import with_choices_in_order, with_named_choices
from .codes import with_codes_named
from .copying import Doubled, Said
from .examples import with_examples_meant
from .facts import Fact, Facts
from .figures import with_bounds_meant, with_each_used_once, with_left_filled, without_unsaid
from .flags import with_flags_meant
from .forms import in_wanted_forms
from .lists import forgotten_items
from .measures import in_wanted_units
from .pairing import with_own_figures
from .quotes import with_quotes_used

# Asked for the one of some texts that was meant by a parameter of a call.
ChooseFor = Callable[[ToolCall, str, Sequence[str]], str]


class Mended(NamedTuple):
    """A call and its tool; `missing` are the required parameters for which nothing was said, and `made_up` what the
    model wrote there."""

    call: ToolCall
    tool: ToolSpec
    made_up: Mapping[str, Any] = {}

    @property
    def arguments(self) -> dict[str, Any]:
        return self.call.arguments

    @property
    def missing(self) -> list[str]:
        return [name for name in self.made_up if name not in self.arguments]

    @property
    def whole(self) -> ToolCall:
        """The call as it must be where there has to be one, made up or not."""
        return structs.replace(self.call, arguments={**self.made_up, **self.arguments})

    def given(self, arguments: dict[str, Any]) -> "Mended":
        return self._replace(call=structs.replace(self.call, arguments=arguments))


class Mender:
    """What was said in one conversation, `texts`, and the question among them that is answered now."""

    def __init__(
        self, texts: Sequence[str], question: str, notes: Sequence[Note], today: str, choose: ChooseFor
    ) -> None:
        self._said = Said(texts, question)
        self._question = question
        self._today = today
        self._notes = notes
        before = "\n".join(text for text in texts if text.strip() != question)
        self._facts = Facts(question, notes, before, today)
        self._choose = choose

    def mended(self, call: ToolCall, tool: ToolSpec, *, alone: bool) -> Mended:
        """A call by itself; `alone` if there are no others. One that could not be read stays as it is."""
        if call.raw:
            return Mended(call, tool)
        schema = tool.parameters
        arguments = self._said.arguments(
            call.arguments, schema, lambda name, spans: self._choose(call, name, spans), alone=alone
        )
        arguments = in_wanted_units(arguments, schema, self._question, self._notes)
        arguments = in_wanted_forms(arguments, schema, self._today)
        arguments = with_codes_named(arguments, schema, self._question)
        arguments = with_flags_meant(arguments, tool, self._question)
        arguments = with_named_choices(arguments, schema, self._question, alone=alone)
        arguments = with_examples_meant(arguments, schema, self._question, alone=alone)
        if alone:
            arguments = with_quotes_used(arguments, schema, self._question)
        arguments = with_bounds_meant(arguments, schema, self._facts)
        kept, needed = without_unsaid(arguments, schema, self._facts)
        return Mended(structs.replace(call, arguments=kept), tool, {name: arguments[name] for name in needed})

    def with_whole_lists(self, calls: Sequence[Mended]) -> list[Mended]:
        """The calls, and those for the items of a list that were forgotten, where all are of one tool."""
        if not calls or len({one.call.name for one in calls}) != 1 or any(one.call.raw for one in calls):
            return list(calls)
        forgotten = forgotten_items([one.arguments for one in calls], calls[0].tool.parameters, self._question)
        return [*calls, *(calls[0].given(arguments) for arguments in forgotten)]

    def spread(self, calls: Sequence[Mended]) -> list[Mended]:
        """All calls, with each choice and each figure that was said for one of them in that one alone."""
        names = [one.call.name for one in calls]
        arguments = [one.arguments for one in calls]
        if len(calls) > 1 and len(set(names)) == 1:
            arguments = with_choices_in_order(arguments, calls[0].tool.parameters, self._question)
            arguments = with_own_figures(arguments, calls[0].tool.parameters, self._question, self._facts)
        return _given(calls, with_each_used_once(arguments, names, [one.tool.parameters for one in calls], self._facts))

    def filled(self, calls: Sequence[Mended]) -> list[Mended]:
        """All calls, with what was left where there is one place for it."""
        schemas = [one.tool.parameters for one in calls]
        return _given(calls, with_left_filled([one.arguments for one in calls], schemas, self._facts))

    def left(self, calls: Sequence[Mended]) -> list[Fact]:
        """What the question names and no call has."""
        return self._facts.left([one.arguments for one in calls])

    def reasons(self, calls: Sequence[Mended]) -> list[Fact]:
        """What of that may want a call of its own."""
        return self._facts.reasons([one.arguments for one in calls])

    def doubled(self, calls: Sequence[Mended]) -> Doubled | None:
        found = (self._said.said_once(one.arguments, one.tool.parameters) for one in calls)
        return next((one for one in found if one), None)


def _given(calls: Sequence[Mended], arguments: Sequence[dict[str, Any]]) -> list[Mended]:
    return [one if one.call.raw else one.given(given) for one, given in zip(calls, arguments, strict=True)]
