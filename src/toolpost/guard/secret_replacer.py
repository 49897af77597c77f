"""Replace known secret values with `***` in a text, in plain data, or in a stream that is cut anywhere."""

import json
import re
from collections.abc import Iterable
from functools import cached_property
from typing import Any, cast
from urllib.parse import quote

HIDDEN = "***"

SHORTEST = 8
# A line of a key that has several is hidden by itself too: files are read line by line, with numbers before them.
SHORTEST_LINE = 32


class KnownSecrets:
    """Replaces known values with `***`, in time linear in the text. Where there are none it costs nothing."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        forms = {form for value in values if len(value) >= SHORTEST for form in _forms(value)}
        # Longest first, or a secret that begins another would leave the rest of it standing.
        self._forms = tuple(sorted(forms, key=len, reverse=True))

    def __bool__(self) -> bool:
        return bool(self._forms)

    def __repr__(self) -> str:
        return f"KnownSecrets({len(self._forms)})"

    def hide(self, text: str) -> str:
        """Return `text` with every known secret in it hidden."""
        return self._expression.sub(HIDDEN, text) if self._are_in(text) else text

    def hide_in(self, value: Any) -> Any:
        """The same for plain data: lists, tables and texts."""
        if not self._forms:
            return value
        if isinstance(value, str):
            return self.hide(value)
        if isinstance(value, list | tuple):
            return [self.hide_in(item) for item in cast("list[Any]", value)]
        if isinstance(value, dict):
            return {self.hide_in(key): self.hide_in(item) for key, item in cast("dict[Any, Any]", value).items()}
        return value

    def hide_certain(self, text: str) -> tuple[str, int]:
        """Hide secrets in a text that goes on. Returns what is certain of it, and where the rest begins, which may be a
        secret that is not whole yet."""
        begun, pieces, at = self._begun(text), list[str](), 0
        for match in self._expression.finditer(text) if self._are_in(text) else ():
            if any(at <= place <= match.start() for place in begun):
                break
            pieces += (text[at : match.start()], HIDDEN)
            at = match.end()
        end = next((place for place in begun if place >= at), len(text))
        return "".join((*pieces, text[at:end])), end

    @cached_property
    def in_bytes(self) -> "KnownSecrets":
        """The same for bytes that are read as Latin-1, which keeps them as they are."""
        encoded = KnownSecrets()
        encoded._forms = tuple(_encoded(form).decode("latin-1") for form in self._forms)
        return encoded

    def _are_in(self, text: str) -> bool:
        # Many times as fast as the expression, and nearly always the answer is no.
        return any(form in text for form in self._forms)

    def _begun(self, text: str) -> list[int]:
        """Where at the end of the text a secret may have begun."""
        longest = len(self._forms[0]) if self._forms else 0
        places = (match.start() for match in self._firsts.finditer(text, max(0, len(text) - longest + 1)))
        return [place for place in places if self._is_beginning(text[place:])]

    def _is_beginning(self, text: str) -> bool:
        return any(len(form) > len(text) and form.startswith(text) for form in self._by_first[text[0]])

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, self._forms)) or r"(?!)")

    @cached_property
    def _firsts(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, self._by_first)) or r"(?!)")

    @cached_property
    def _by_first(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for form in self._forms:
            found.setdefault(form[0], []).append(form)
        return found


class TextStreamRedactor:
    """A text that comes in pieces, without the secrets that are cut by them: what may begin one is held back."""

    def __init__(self, secrets: KnownSecrets) -> None:
        self._secrets = secrets
        self._held = ""

    def feed(self, text: str) -> str:
        """Add text; returns what can be shown now."""
        if not self._secrets:
            return text
        text = self._held + text
        shown, end = self._secrets.hide_certain(text)
        self._held = text[end:]
        return shown

    def end(self) -> str:
        """Return what was held back, now that no text follows."""
        rest, self._held = self._secrets.hide(self._held), ""
        return rest


class ByteStreamRedactor:
    """The same for bytes, whatever their encoding."""

    def __init__(self, secrets: KnownSecrets) -> None:
        self._flow = TextStreamRedactor(secrets.in_bytes) if secrets else None

    def feed(self, data: bytes) -> bytes:
        return data if self._flow is None else self._flow.feed(data.decode("latin-1")).encode("latin-1")

    def end(self) -> bytes:
        return b"" if self._flow is None else self._flow.end().encode("latin-1")


def _forms(secret: str) -> Iterable[str]:
    """The secret as it stands, inside JSON and inside a URL; of one with several lines, each line that tells much."""
    lines = [line for line in re.split(r"\s+|\\r|\\n", secret) if len(line) >= SHORTEST_LINE]
    written = [json.dumps(secret, ensure_ascii=ascii_only)[1:-1] for ascii_only in (True, False)]
    return secret, *written, quote(_encoded(secret), safe=""), *lines


def _encoded(text: str) -> bytes:
    """As the system has it, whose bytes need not be UTF-8; what no system has must do no harm."""
    try:
        return text.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return text.encode(errors="replace")
