"""Parse a Markdown file with settings above its text: YAML between two lines of `---`."""

import re
from collections.abc import Mapping
from typing import Any, cast

from msgspec import Struct

from toolpost.extras import ExtraMissing, missing_text
from toolpost.types.errors import ConfigError

MAX_BYTES = 256_000
MAX_SETTINGS_BYTES = 32_000

_FENCED = re.compile(r"\ufeff?---[ \t]*\n(.*?)(?:\n)?^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PLAIN_LINE = re.compile(r"([A-Za-z][\w-]*):(?:[ \t]+(.*))?")


class MarkdownDocument(Struct, frozen=True):
    """`settings` is empty where the file has none."""

    settings: Mapping[str, Any]
    body: str


def parse(data: bytes, name: str) -> MarkdownDocument:
    """Read a file's content. Raises `ConfigError` that begins with `name` and says the line."""
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{name}: {len(data):,} bytes are too large for a definition; {MAX_BYTES:,} is the limit")
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise ConfigError(f"{name} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    fenced = _FENCED.match(text)
    if fenced is None:
        if text.startswith("---\n"):
            raise ConfigError(f"{name}: the settings that begin with --- have no --- below them")
        return MarkdownDocument({}, text.strip())
    return MarkdownDocument(_settings(fenced[1], name), text[fenced.end() :].strip())


def _settings(text: str, name: str) -> dict[str, Any]:
    if len(text.encode()) > MAX_SETTINGS_BYTES:
        raise ConfigError(
            f"{name}: the settings above its text are too large; {MAX_SETTINGS_BYTES:,} bytes is the limit"
        )
    try:
        # Imported here: most starts read no definition at all.
        import yaml
    except ImportError:
        raise ExtraMissing(missing_text("cli", f"{name}: to read the settings above its text")) from None

    try:
        value: object = yaml.load(text, Loader=_loader())
    except yaml.YAMLError as error:
        plain = _plain(text)
        if plain is None:
            raise ConfigError(_mistake(error, name)) from None
        return plain
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"{name}:2: the settings must be lines such as `description: Reviews code`")
    table = cast(dict[object, Any], value)
    return {str(key): entry for key, entry in table.items()}


def _loader() -> Any:
    """Plain data and nothing else. An alias can make much of little, and no definition needs one."""
    import yaml

    class Loader(yaml.SafeLoader):
        def compose_node(self, parent: Any, index: Any) -> Any:
            if getattr(cast(Any, self).peek_event(), "anchor", None) is not None:
                raise yaml.YAMLError("anchors and aliases are not read here")
            return super().compose_node(parent, index)

    return Loader


def _plain(text: str) -> dict[str, Any] | None:
    """Lines of `key: text`, as many people write them: a colon in the text makes them no YAML, but plain to read."""
    found: dict[str, Any] = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        matched = _PLAIN_LINE.fullmatch(line.rstrip())
        value = (matched[2] or "").strip() if matched else ""
        # What only YAML can read is not guessed at.
        if matched is None or not value or value[0] in "[{&*|>!%@`\"'":
            return None
        found[matched[1]] = {"true": True, "false": False}.get(value, value)
    return found


def _mistake(error: Exception, name: str) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or str(error)
    # The mark counts from 0, and the settings begin in the file's second line.
    place = f"{name}:{mark.line + 2}" if mark is not None else name
    return f"{place}: the settings above its text are not valid YAML: {problem}"
