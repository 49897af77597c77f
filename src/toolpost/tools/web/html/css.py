"""Parse the style rules of a page that can hide text: simple selectors only, in time linear to their size."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from toolpost.guard.word_sets import names

MAX_CHARACTERS = 500_000
# Of one element: no page needs more, and a page could make every element look through all of its rules.
MAX_CLASSES = 20
MAX_RULES = 20
# Of one value: what hides text is short.
MAX_VALUE = 200

PROPERTIES = names("""
    animation background background-clip bottom clip clip-path color content-visibility display font font-size height
    inset left margin-left margin-top max-height max-width opacity overflow overflow-x overflow-y position right scale
    text-indent text-shadow top transform transition translate visibility -webkit-background-clip
    -webkit-text-fill-color -webkit-text-stroke width will-change
""")

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_STRING = re.compile(r"""\"(?:[^"\\\n]|\\.)*+(?:"|$)|'(?:[^'\\\n]|\\.)*+(?:'|$)""", re.DOTALL | re.MULTILINE)
_ESCAPE = re.compile(r"\\(?:([0-9a-fA-F]{1,6})\s?|(.))", re.DOTALL)
_PUNCTUATION = re.compile(r"([{};])")
_ATTRIBUTE = re.compile(r"\[[^\]]*\]?")
# The same as what stands in it, where that is one name.
_SAME = re.compile(r":(?:is|where)\(\s*([.#]?[\w-]+)\s*\)", re.IGNORECASE)
_CALC = re.compile(r"calc\(\s*([^\s()]+)\s*\)")
_PSEUDO = re.compile(r":[\w-]+(?:\([^()]*\))?")
_COMBINATOR = re.compile(r"\s*[>+~]\s*|\s+")
_COMPOUND = re.compile(r"([A-Za-z][\w-]*+)?+((?:[.#][\w-]++)*+)")
_PART = re.compile(r"([.#])([\w-]+)")
_ROOTS = ("html", "body", ":root")


class StyleValue(NamedTuple):
    """The value of a property in lower case, and its precedence: the greatest `weight` wins."""

    weight: tuple[bool, int, int, int, int]
    text: str


class Selector(NamedTuple):
    """One element by its name, id and classes. `is_certain`: nothing else decides whether it is meant."""

    name: str
    parts: tuple[tuple[str, str], ...]
    specificity: tuple[int, int, int]
    is_certain: bool


class StyleRule(NamedTuple):
    selector: Selector
    values: Mapping[str, StyleValue]


def declarations(text: str, specificity: tuple[int, int, int] = (1_000, 0, 0), order: int = 0) -> dict[str, StyleValue]:
    """The properties that matter here, of a style attribute or of a rule."""
    return _weighed(_declared(text), specificity, order)


def _declared(text: str) -> dict[str, tuple[bool, str]]:
    """Of each property what it is set to, and whether that is important."""
    found: dict[str, tuple[bool, str]] = {}
    for line in _plain(text).split(";"):
        name, colon, value = line.partition(":")
        name = name.strip().lower()
        if not colon or name not in PROPERTIES:
            continue
        value, mark, last = value.lower().rpartition("!")
        is_important = bool(mark) and last.strip() == "important"
        value = " ".join((value if is_important else f"{value}{mark}{last}").split())[:MAX_VALUE]
        value = _CALC.sub(r"\1", value) if "calc" in value else value
        if name not in found or is_important or not found[name][0]:
            found[name] = (is_important, value)
    return found


def _weighed(
    declared: Mapping[str, tuple[bool, str]], specificity: tuple[int, int, int], order: int
) -> dict[str, StyleValue]:
    return {name: StyleValue((important, *specificity, order), text) for name, (important, text) in declared.items()}


class StyleSheet:
    """The rules of a page's style elements, found by the elements that they may be meant for."""

    def __init__(self) -> None:
        self._rules: dict[tuple[str, str], list[StyleRule]] = {}
        self._room = MAX_CHARACTERS
        self._order = 0

    def __bool__(self) -> bool:
        return bool(self._rules)

    def add(self, css: str, media: str = "") -> None:
        """Take the rules of one style element; `media` is its attribute."""
        certainty = _certainty(media)
        css, self._room = css[: self._room], max(0, self._room - len(css))
        if certainty is None:
            return
        for selectors, body, is_certain in _blocks(
            _STRING.sub('""', _COMMENT.sub(" ", css)).replace("<!--", " "), certainty
        ):
            # Once for all selectors: a page could have thousands of them before thousands of declarations.
            if not (declared := _declared(body)):
                continue
            for selector in _selectors(selectors, is_certain):
                self._order += 1
                key = selector.parts[-1] if selector.parts else ("", selector.name)
                values = _weighed(declared, selector.specificity, self._order)
                self._rules.setdefault(key, []).append(StyleRule(selector, values))

    def of(self, name: str, classes: Iterable[str], id: str) -> tuple[dict[str, StyleValue], dict[str, list[str]]]:
        """The values that hold for an element, and those that may hold besides: where a rule has conditions that are
        not looked at."""
        own = {("", name), ("#", id), *((".", word) for word in list(classes)[:MAX_CLASSES])}
        values: dict[str, StyleValue] = {}
        doubts: dict[str, list[str]] = {}
        for key in own & self._rules.keys():
            for rule in self._rules[key][-MAX_RULES:]:
                if rule.selector.name not in ("", name) or not own.issuperset(rule.selector.parts):
                    continue
                for property, value in rule.values.items():
                    if not rule.selector.is_certain:
                        doubts.setdefault(property, []).append(value.text)
                    elif property not in values or value.weight >= values[property].weight:
                        values[property] = value
        return values, doubts


def _plain(text: str) -> str:
    """Without comments, and with escapes resolved: a browser reads `d\\69 splay` as `display`."""
    text = _COMMENT.sub(" ", text) if "/*" in text else text
    return _ESCAPE.sub(_unescaped, text) if "\\" in text else text


def _unescaped(found: re.Match[str]) -> str:
    number = int(found[1], 16) if found[1] else 0
    return (chr(number) if 0 < number < 0x110000 else "\ufffd") if found[1] else found[2]


def _blocks(css: str, certain: bool) -> Iterator[tuple[str, str, bool]]:
    """Selectors, declarations, and whether they hold for everybody who looks at the page on a screen."""
    inside: list[bool | None] = [certain]
    prelude, selectors, body = "", "", list[str]()
    # A browser closes what the page did not.
    for piece in (*_PUNCTUATION.split(css), "}"):
        if piece == "{":
            # A rule in a rule is about other elements, or about this one under a condition.
            certainty = None if selectors else _inside(prelude, inside[-1])
            if certainty is not None and not prelude.startswith("@"):
                selectors, body = prelude, []
            inside.append(certainty)
        elif piece in ("}", ";"):
            if inside[-1] is not None:
                body.append(prelude)
            state = inside.pop() if piece == "}" and len(inside) > 1 else None
            if selectors and state is not None:
                yield selectors, ";".join(body), state
                selectors = ""
        prelude = "" if piece in ("{", "}", ";") else piece.strip()


def _inside(prelude: str, outer: bool | None) -> bool | None:
    """Whether what stands in a block holds for certain, perhaps, or (None) is not for elements on a screen."""
    if outer is None or not prelude.startswith("@"):
        return outer
    kind, _, condition = prelude[1:].partition(" ")
    if kind.lower() == "media":
        certainty = _certainty(condition)
        return None if certainty is None else certainty and outer
    return outer if kind.lower() in ("supports", "layer") else None


def _certainty(media: str) -> bool | None:
    media = media.strip().lower()
    if media == "print":
        return None
    return media in ("", "all", "screen", "only screen", "screen, print", "screen,print")


def _selectors(text: str, is_certain: bool) -> Iterator[Selector]:
    for one in _SAME.sub(_named, _ATTRIBUTE.sub("[]", _plain(text))).split(","):
        found = _selector(one.strip(), is_certain)
        if found is not None:
            yield found


def _named(found: re.Match[str]) -> str:
    """A class or an id can stand after anything, the name of an element only where nothing stands before it."""
    before = found.string[max(0, found.start() - 1) : found.start()]
    return found[1] if found[1][0] in ".#" or before in ("", " ", ",", ">", "+", "~") else found[0]


def _selector(text: str, is_certain: bool) -> Selector | None:
    *above, last = _COMBINATOR.split(text)
    bare = _PSEUDO.sub("", last.replace("[]", ""))
    compound = _COMPOUND.fullmatch(bare)
    # What stands before or after an element, or all of them: not about its own text.
    if compound is None or not bare or "::" in last or last.endswith((":before", ":after")):
        return None
    is_plain = bare == last and all(one.lower() in _ROOTS for one in above)
    parts = [(found[1], found[2]) for found in _PART.finditer(compound[2])]
    ids = sum(sign == "#" for sign, _ in parts)
    specificity = (ids, len(parts) - ids, int(bool(compound[1])))
    # Each part once: every element that one of them names looks through them.
    return Selector((compound[1] or "").lower(), tuple(dict.fromkeys(parts)), specificity, is_certain and is_plain)
