"""Web results beside the question, for an agent that is set up so: it saves the turn that would ask for them."""

from msgspec import structs

from toolpost.guard.rules import Rules
from toolpost.plugins.hooks import Plugin, PromptHook
from toolpost.tools.workbench import Workbench
from toolpost.types.messages import ContextPart, SourceLink


class Presearch(Plugin):
    name = "presearch"

    def __init__(self, bench: Workbench, rules: Rules) -> None:
        self._bench = bench
        self._rules = rules

    async def chat_message(self, prompt: PromptHook) -> PromptHook | None:
        """Nothing is added where searching is not allowed without a question, or nothing was found."""
        # Imported here: few agents search.
        from toolpost.tools.builtin.web_search import presearch

        if self._rules.decide("web_search", [prompt.text]).action != "allow":
            return None
        found = await presearch(self._bench, prompt.text)
        if found is None:
            return None
        links = tuple(SourceLink(hit.url, hit.title) for hit in found.hits)
        return structs.replace(prompt, context=(*prompt.context, ContextPart(found.text, "web_search", links)))
