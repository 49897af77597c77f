"""Remember which calls were denied, to tell exactly what would have allowed them."""

from collections.abc import Iterable
from typing import Any

from toolpost.tools.registry import Registry
from toolpost.types.events import Event, ToolCalled, ToolExecutionEnd


class Denials:
    """Listens to a session's events."""

    def __init__(self) -> None:
        self._calls: dict[str, tuple[str, dict[str, Any]]] = {}

    def handle(self, event: Event) -> None:
        if isinstance(event, ToolCalled):
            self._calls[event.call_id] = event.name, event.arguments
        elif isinstance(event, ToolExecutionEnd):
            _, arguments = self._calls.pop(event.call_id, ("", {}))
            if event.error_kind == "denied":
                # Its name may have been repaired since.
                self._calls[event.call_id] = event.name, arguments

    def flags(self, names: Iterable[str], tools: Registry) -> list[str]:
        """`--allow` flags for the denied calls of these tools, ready to be pasted into a shell."""
        # Imported here: only a denial needs it.
        from shlex import quote

        wanted = set(names)
        denied = [call for call in self._calls.values() if call[0] in wanted]
        rules = {rule for name, arguments in denied for rule in _rules(name, arguments, tools)}
        # The calls of a sub-agent are not among these events: all that is known of them is the tool.
        rules |= {_permission(name, tools) for name in wanted - {name for name, _ in denied}}
        return [f"--allow {quote(rule)}" for rule in sorted(rules)]


def _rules(name: str, arguments: dict[str, Any], tools: Registry) -> list[str]:
    tool, permission = tools.get(name), _permission(name, tools)
    if tool is None or tool.patterns is None:
        return [permission]
    return [f"{permission}:{pattern}" for pattern in tool.patterns(arguments)]


def _permission(name: str, tools: Registry) -> str:
    tool = tools.get(name)
    return (tool and tool.permission) or name
