"""A tool's result without the secrets of this process. Whole, before it is cut: half a secret is not recognised."""

from collections.abc import Sequence

from msgspec import structs

from toolpost.guard.known_secrets import KnownSecrets
from toolpost.types.messages import Content, TextPart

from .define import ToolResult


def hidden(result: ToolResult, secrets: KnownSecrets) -> ToolResult:
    """The same result with every known secret in its texts, title and details hidden."""
    if not secrets:
        return result
    content = hidden_content(result.content, secrets)
    return ToolResult(content, secrets.hide_in(result.details), secrets.hide(result.title))


def hidden_content(content: Sequence[Content | str], secrets: KnownSecrets) -> tuple[Content, ...]:
    return tuple(_part(TextPart(part) if isinstance(part, str) else part, secrets) for part in content)


def _part(part: Content, secrets: KnownSecrets) -> Content:
    if isinstance(part, TextPart):
        return structs.replace(part, text=secrets.hide(part.text), metadata=secrets.hide_in(part.metadata))
    return structs.replace(part, name=secrets.hide(part.name), url=secrets.hide(part.url))
