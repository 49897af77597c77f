"""Search the web for each question before the model reads it, for agents that have `presearch` on."""

from msgspec import structs

from toolpost.guard.rules import Rules
from toolpost.plugins.hooks import Plugin, PromptHook
from toolpost.tools.workbench import Workbench
from toolpost.types.messages import ContextPart, SourceLink


class Presearch(Plugin):
    """Puts web results beside the question, which saves the turn that would ask for them. Agents can switch it on."""

    name = "presearch"

    def __init__(self, bench: Workbench, rules: Rules) -> None:
        self._bench = bench
        self._rules = rules

    async def chat_message(self, prompt: PromptHook) -> PromptHook | None:
        """Nothing is added where searching has to be asked for, or nothing was found."""
        # Imported here: few agents search.
        from toolpost.tools.builtin.web_search import presearch

        if self._rules.decide("web_search", [prompt.text]).action != "allow":
            return None
        found = await presearch(self._bench, prompt.text)
        if found is None:
            return None
        links = tuple(SourceLink(hit.url, hit.title) for hit in found.hits)
        return structs.replace(prompt, context=(*prompt.context, ContextPart(found.text, "web_search", links)))
