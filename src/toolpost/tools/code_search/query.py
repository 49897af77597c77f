"""What a search for code looks for: a name with perhaps what it is in, or the words of a name."""

import re

from toolpost.types.errors import ToolError

from .symbols import Symbol

MAX_WORDS = 8
_NAME = re.compile(r"[^\W\d]\w*")


class Query:
    """`Parser.parse` is the name `parse` in `Parser`; `parse config` are words of `parse_config` and `ParseConfig`."""

    def __init__(self, text: str) -> None:
        # Dots and the like join a path of names, blanks the words of one name.
        paths = [re.findall(_NAME, path) for path in re.sub(r"\(.*", "", text).split()]
        words = [path[-1] for path in paths if path]
        if not words:
            raise ToolError(
                f"{text!r} has no name in it; give one such as parse_config or Parser.parse.", kind="invalid"
            )
        if len(words) > MAX_WORDS:
            raise ToolError("Give one name, or a few words of it. For other texts use grep.", kind="invalid")
        self.scope = paths[0][-2] if len(words) == 1 and len(paths[0]) > 1 else ""
        self.words = words

    @property
    def exact(self) -> str:
        """The name as it stands, where it is one."""
        return rf"\b{self.words[0]}\b" if len(self.words) == 1 else ""

    @property
    def loose(self) -> str:
        """Names with all the words in them, in this order."""
        return r"(?i)\b\w*" + r"\w*".join(word.strip("_") for word in self.words) + r"\w*"

    def rank(self, symbol: Symbol) -> tuple[int, int, int]:
        """Smaller is better: in the right scope, named just so, and no mere variable."""
        astray = bool(self.scope) and self.scope not in symbol.scope.split(".")
        bare = "".join(self.words).lower().replace("_", "")
        name = symbol.name.replace("_", "").lower()
        unlike = 0 if symbol.name in self.words else 1 if name == bare else 2
        return (int(astray), unlike, int(symbol.kind in ("variable", "field", "declaration")))
