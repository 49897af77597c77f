"""What the rules and switches of a folder say about its tools, before any arguments are known."""

from collections.abc import Sequence
from typing import Literal

from toolpost.guard.rules import Rule
from toolpost.tools.define import Tool
from toolpost.tools.offered_tools import READ_ONLY, OfferedTools, decide_outright

from .workspace import Workspace

Runs = Literal["allow", "ask", "deny", "off", "depends"]


class Outcomes:
    """For one agent of the folder, with `rules` added to its own."""

    def __init__(self, workspace: Workspace, agent: str | None = None, rules: Sequence[Rule] = ()) -> None:
        settings = workspace.agent(agent)[1]
        self._rules = workspace.rules(settings, rules)
        self._offering = OfferedTools(workspace.choice(settings), self._rules, bool(settings.read_only))

    def __call__(self, tool: Tool) -> Runs:
        """`depends` where rules differ by pattern."""
        decision = decide_outright(self._rules, tool)
        if decision.action != "deny" and not self._offering.has(tool):
            return "off"
        if decision.rule is not None:
            return decision.action
        return "depends" if self._rules.about(tool.asks_for) else "ask"

    def shown(self, tool: Tool) -> str:
        """The same for people, with what is to be said about it."""
        outcome = self(tool)
        is_too_much = outcome == "off" and self.why_hidden(tool) == READ_ONLY
        return f"{outcome} ({READ_ONLY})" if is_too_much else outcome

    def why_hidden(self, tool: Tool) -> str:
        """Why a model is not offered the tool; nothing if it is."""
        return self._offering.why_not(tool)
