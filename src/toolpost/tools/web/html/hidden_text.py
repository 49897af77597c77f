"""Find the text of a page that no reader sees: a favourite place for orders to models.

It is judged by the page itself: its `hidden` attributes, style attributes and style elements. Where other style sheets
or scripts decide, the text counts as seen. So does what is only hidden from screen readers, and what fades in.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from toolpost.guard.word_sets import names

from .css import StyleSheet, declarations
from .tokens import VOID, RawText, Tag, tokens

# In pixels: text so far out, or so small, is not seen.
FAR_OUT = -900.0
TINY = 1.0

_PARAGRAPH_ENDS = names("""
    address article aside blockquote details div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hr
    main menu nav ol p pre section table ul
""")
# What is not closed ends where one of these begins, or an element is closed that it stands in.
_ENDED_BY: Mapping[str, frozenset[str]] = {
    "li": frozenset(["li"]),
    "dt": frozenset(["dt", "dd"]),
    "dd": frozenset(["dt", "dd"]),
    "td": frozenset(["td", "th", "tr"]),
    "th": frozenset(["td", "th", "tr"]),
    "tr": frozenset(["tr"]),
    "option": frozenset(["option"]),
    "p": _PARAGRAPH_ENDS,
}
_CONTAINERS = frozenset(["ul", "ol", "menu", "dl", "table", "select"])
# A page may hide them until its scripts have run.
_WHOLE_PAGE = ("html", "body")
# Possessive: a number is read once, whatever stands after it.
_LENGTH = re.compile(r"(?<![\w.-])(-?(?:\d++\.?+\d*+|\.\d++))(px|pt|em|rem|ex|ch|%|vw|vh)?(?![\w.])")
_PIXELS = {
    "": 1.0,
    "px": 1.0,
    "pt": 1.33,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
    "%": 2.0,
    "vw": 2.0,
    "vh": 2.0,
}
_CLEAR = re.compile(
    r"transparent|#[0-9a-f]{3}0|#[0-9a-f]{6}00"
    r"|(?:rgb|hsl)a?\((?:[^(),/]*+,[^(),/]*+,[^(),/]*+,|[^(),/]*+/) ?0*\.?0*%? ?\)"
)
_CLIPPED = ("background-clip", "-webkit-background-clip")
_OUTLINED = ("text-shadow", "-webkit-text-stroke")
_COLORING = frozenset(["color", "-webkit-text-fill-color", "background", *_CLIPPED, *_OUTLINED])
_FIXED_UNITS = ("px", "pt", "rem", "vw", "vh")
_FONT_WORDS = ("xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "initial", "unset")


class Effect(NamedTuple):
    """What an element does to the text in it: hide it whatever is inside, or until something inside undoes that."""

    is_hidden: bool = False
    is_visible: bool | None = None
    has_size: bool | None = None
    has_color: bool | None = None


class _Frame:
    """An element that changes what is seen, with how many of its name are open in it, itself included."""

    __slots__ = ("colored", "containers", "depth", "hidden", "name", "sized", "visible")

    def __init__(self, name: str, effect: Effect, outer: "_Frame | None") -> None:
        self.name = name
        self.depth = 1
        self.containers = 0
        self.hidden = effect.is_hidden or (outer is not None and outer.hidden)
        self.visible = _inherited(effect.is_visible, outer is None or outer.visible)
        self.sized = _inherited(effect.has_size, outer is None or outer.sized)
        self.colored = _inherited(effect.has_color, outer is None or outer.colored)


class VisibilityTracker:
    """Takes the tags of a page in order and says what of it can be seen. Elements in `skipped` never are."""

    def __init__(self, sheet: StyleSheet, skipped: frozenset[str]) -> None:
        self._sheet = sheet
        self._skipped = skipped
        self._frames: list[_Frame] = []
        self._places: dict[str, list[int]] = {}

    @property
    def is_inside(self) -> bool:
        """Whether the elements here matter to a reader."""
        return not self._frames or not self._frames[-1].hidden

    @property
    def sees_text(self) -> bool:
        if not self._frames:
            return True
        top = self._frames[-1]
        return top.visible and top.sized and top.colored and not top.hidden

    def within(self, name: str) -> bool:
        return bool(self._places.get(name))

    def open(self, tag: Tag) -> bool:
        """Enter an element; True if its content may be seen. Of one without content, whether it is seen."""
        name = tag.name
        self._end_before(name)
        effect = self._effect(tag) if self.is_inside else Effect()
        if name in VOID:
            is_visible = _inherited(effect.is_visible, not self._frames or self._frames[-1].visible)
            return self.is_inside and is_visible and not effect.is_hidden
        if effect != Effect():
            self._push(name, effect)
        elif places := self._places.get(name):
            self._frames[places[-1]].depth += 1
        if name in _CONTAINERS and self._frames and self._frames[-1].name != name:
            self._frames[-1].containers += 1
        return self.is_inside

    def close(self, name: str) -> bool:
        """Leave an element; True if its content could be seen."""
        self._end_with(name)
        was_inside = self.is_inside
        if places := self._places.get(name):
            frame = self._frames[places[-1]]
            frame.depth -= 1
            if not frame.depth:
                self._pop(places[-1])
        return was_inside

    def _end_before(self, name: str) -> None:
        """What is not closed ends where something begins that can't be in it."""
        while self._frames:
            top = self._frames[-1]
            if top.containers or name not in _ENDED_BY.get(top.name, ()):
                return
            self._pop(len(self._frames) - 1)

    def _end_with(self, name: str) -> None:
        """What is not closed ends with the element that it stands in."""
        while self._frames and (ends := _ENDED_BY.get(self._frames[-1].name)):
            top = self._frames[-1]
            if name == top.name or name not in (_CONTAINERS | ends):
                return
            if top.containers:
                top.containers -= name in _CONTAINERS
                return
            self._pop(len(self._frames) - 1)

    def _push(self, name: str, effect: Effect) -> None:
        self._places.setdefault(name, []).append(len(self._frames))
        self._frames.append(_Frame(name, effect, self._frames[-1] if self._frames else None))

    def _pop(self, place: int) -> None:
        """End an element and all that is still open in it."""
        for frame in reversed(self._frames[place:]):
            self._places[frame.name].pop()
        del self._frames[place:]

    def _effect(self, tag: Tag) -> Effect:
        if tag.name in self._skipped:
            return Effect(is_hidden=True)
        raw = tag.raw.lower()
        if tag.name in _WHOLE_PAGE or not (self._sheet or "style" in raw or "hidden" in raw):
            return Effect()
        given = tag.attributes
        if "hidden" in given:
            return Effect(is_hidden=True)
        values, doubts = self._sheet.of(tag.name, given.get("class", "").split(), given.get("id", ""))
        # Of a rule, a page's scripts will often make it fade in.
        values.pop("opacity", None)
        for property, value in declarations(given.get("style", "")).items():
            if property not in values or value.weight >= values[property].weight:
                values[property] = value
        return _judged({property: value.text for property, value in values.items()}, doubts)


def sheet_of(html: str) -> StyleSheet:
    """The rules of a page's own style elements, without those for browsers that run no scripts."""
    sheet, last, outside = StyleSheet(), Tag("", False, ""), 0
    if "<style" not in html.lower():
        return sheet
    for token in tokens(html):
        if isinstance(token, Tag):
            last = token
            if token.name in ("noscript", "template"):
                outside = max(0, outside + (-1 if token.closing else 1))
        elif isinstance(token, RawText) and token.name == "style" and not outside:
            given = last.attributes
            if given.get("type", "text/css").strip().lower() in ("", "text/css"):
                sheet.add(token.text, given.get("media", ""))
    return sheet


def _inherited(own: bool | None, outer: bool) -> bool:
    return outer if own is None else own


def _judged(values: Mapping[str, str], doubts: Mapping[str, list[str]]) -> Effect:
    """The effect of what holds for an element; what may hold besides is believed where it shows the text."""
    visible, sized, colored = _visible(values), _sized(values), _colored(values)
    for property in _COLORING & doubts.keys():
        for other in doubts[property]:
            colored = _colored({**values, property: other}) or colored
    for other in doubts.get("visibility", ()):
        visible = _visible({"visibility": other}) or visible
    for property in ("font", "font-size"):
        for other in doubts.get(property, ()):
            sized = _sized({property: other}) or sized
    hidden_by = _hidden_by(values)
    is_hidden = bool(hidden_by) and not any(
        property in doubts and any(not _hidden_by({**values, property: other}) for other in doubts[property])
        for property in hidden_by
    )
    return Effect(is_hidden, visible, sized, colored)


def _visible(values: Mapping[str, str]) -> bool | None:
    value = values.get("visibility")
    if value in ("hidden", "collapse"):
        return False
    return True if value in ("visible", "initial", "unset") else None


def _colored(values: Mapping[str, str]) -> bool | None:
    """False for letters of no colour, with nothing around or behind them that has their form."""
    color = values.get("-webkit-text-fill-color") or values.get("color")
    if color is None or color in ("inherit", "currentcolor"):
        return None
    is_formed = any("text" in values.get(name, "") for name in ("background", *_CLIPPED))
    return is_formed or any(name in values for name in _OUTLINED) or not _CLEAR.fullmatch(color)


def _sized(values: Mapping[str, str]) -> bool | None:
    """False for letters of no size; None for a size that depends on the one outside."""
    value = values.get("font-size")
    if value is None:
        return _sized_by_font(values.get("font", ""))
    if value in _FONT_WORDS:
        return True
    found = _LENGTH.fullmatch(value)
    if found is None:
        return None
    if _pixels(found) <= TINY:
        return False
    return True if found[2] in _FIXED_UNITS else None


def _sized_by_font(value: str) -> bool | None:
    """The size in a `font`, such as `bold 0/0 a`: the first number with a unit, or a nought."""
    for found in _LENGTH.finditer(value):
        if found[2] or not float(found[1]):
            return _sized({"font-size": found[0]})
    return True if any(word in value.split() for word in _FONT_WORDS[:-2]) else None


def _hidden_by(values: Mapping[str, str]) -> tuple[str, ...]:
    """The properties that together hide an element with all that is in it; none where it can be seen."""
    if values.get("display") == "none":
        return ("display",)
    if values.get("content-visibility") == "hidden":
        return ("content-visibility",)
    fades = any(values.get(name, "none") not in ("none", "auto") for name in ("transition", "animation", "will-change"))
    moves = "transform" in values and values["transform"] != "none"
    if "opacity" in values and not fades and not moves and _is_nought(values["opacity"]):
        return ("opacity",)
    if not fades and re.search(r"scale[xy]?\(0(?:\.0*)?[),]", values.get("transform", "")):
        return ("transform",)
    if not fades and any(map(_is_nought, values.get("scale", "").split())):
        return ("scale",)
    return _out_of_sight(values) or _cut_away(values)


def _out_of_sight(values: Mapping[str, str]) -> tuple[str, ...]:
    if _least(values.get("text-indent", "")) <= FAR_OUT:
        return ("text-indent",)
    if "translate" in values.get("transform", "") and _least(values["transform"]) <= FAR_OUT:
        return ("transform",)
    for side in ("margin-left", "margin-top", "translate"):
        if _least(values.get(side, "")) <= FAR_OUT:
            return (side,)
    if values.get("position") in ("absolute", "fixed", "relative"):
        for side in ("left", "top", "right", "bottom", "inset"):
            if _least(values.get(side, "")) <= FAR_OUT:
                return ("position", side)
    return ()


def _cut_away(values: Mapping[str, str]) -> tuple[str, ...]:
    """A box without room whose content is not let out of it."""
    clip = values.get("clip-path", "")
    if _leaves_nothing(clip) or re.match(r"(?:circle|ellipse)\(0", clip):
        return ("clip-path",)
    if values.get("position") in ("absolute", "fixed") and re.fullmatch(
        r"rect\(([01](?:px)?[ ,]*){4}\)", values.get("clip", "")
    ):
        return ("position", "clip")
    if any(values.get(name, "").startswith(("hidden", "clip")) for name in ("overflow", "overflow-x", "overflow-y")):
        for side in ("width", "height", "max-width", "max-height"):
            found = _LENGTH.fullmatch(values.get(side, ""))
            if found is not None and 0 <= _pixels(found) <= TINY:
                return ("overflow", "overflow-x", "overflow-y", side)
    return ()


def _leaves_nothing(clip: str) -> bool:
    """Whether an `inset(…)`, its sides in the order of CSS, takes all of a box away from two sides that face."""
    if not clip.startswith("inset("):
        return False
    words = clip[len("inset(") :].rstrip(") ").partition("round")[0].split()[:4]
    sides = [float(word[:-1]) if re.fullmatch(r"\d++(?:\.\d*+)?%", word) else 0.0 for word in words]
    if not sides:
        return False
    top, right = sides[0], sides[min(1, len(sides) - 1)]
    bottom = sides[2] if len(sides) > 2 else top
    left = sides[3] if len(sides) > 3 else right
    return top + bottom >= 100 or right + left >= 100


def _is_nought(value: str) -> bool:
    found = _LENGTH.fullmatch(value)
    return found is not None and float(found[1]) <= 0


def _least(value: str) -> float:
    return min(map(_pixels, _LENGTH.finditer(value)), default=0.0)


def _pixels(found: re.Match[str]) -> float:
    return float(found[1]) * _PIXELS[found[2] or ""]
