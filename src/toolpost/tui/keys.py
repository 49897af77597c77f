"""Keys of the terminal UI: the table of actions with their default keys, and the `[keys]` table of the configuration.

A widget binds an action by its name (`bind`); the app hands `KeyMap.for_textual` to `App.set_keymap`.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal, cast, get_args

from msgspec import Struct
from textual.binding import Binding
from textual.keys import Keys

from toolpost.types.errors import ConfigError
from toolpost.types.text import Language
from toolpost.view.words import words

# Where an action can be used. "app" is everywhere, so its keys are taken in every other area too.
Area = Literal["app", "transcript", "prompt", "ask", "form", "list", "diff"]
AREAS: tuple[Area, ...] = get_args(Area)
# A key that no keyboard has: Textual takes an action without keys for one that keeps its default.
_UNBOUND = "unbound"
_MODIFIERS = ("ctrl", "alt", "shift", "super", "hyper", "meta")
_ALIASES = {
    "control": "ctrl",
    "option": "alt",
    "cmd": "super",
    "esc": "escape",
    "return": "enter",
    "del": "delete",
    "ins": "insert",
    "pgup": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
}
_SHOWN = {
    "escape": "Esc",
    "pageup": "PgUp",
    "pagedown": "PgDn",
    "delete": "Del",
    "insert": "Ins",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
}


class KeyAction(Struct, frozen=True):
    """Something that a key does. Its help is the text `keys.{name}`."""

    name: str
    keys: tuple[str, ...]

    @property
    def area(self) -> Area:
        return self.name.partition(".")[0]  # pyright: ignore[reportReturnType]


def _table(areas: Mapping[Area, Mapping[str, str]]) -> Mapping[str, KeyAction]:
    return {
        f"{area}.{name}": KeyAction(f"{area}.{name}", tuple(keys.split()))
        for area, actions in areas.items()
        for name, keys in actions.items()
    }


# Keys are written as Textual names them, with blanks between.
ACTIONS: Mapping[str, KeyAction] = _table(
    {
        "app": {
            "quit": "ctrl+q",
            "stop": "escape",
            "palette": "ctrl+p",
            "help": "f1",
            "mode": "shift+tab",
            "sessions": "ctrl+t",
            "new": "ctrl+n",
            "models": "f2",
            "agents": "f9",
            "themes": "f4",
            "timeline": "f5",
            "changes": "f6",
            "ask": "f7",
            "export": "f8",
            "side_pane": "ctrl+b",
            "follow": "ctrl+end",
            "suspend": "ctrl+z",
            "interrupt": "ctrl+c",
            "end": "ctrl+d",
            "focus": "f10",
            "copy": "ctrl+y",
            "search": "ctrl+f",
            "fold_all": "ctrl+o",
            "next_match": "f3",
            "previous_match": "shift+f3",
        },
        "transcript": {
            "up": "up",
            "down": "down",
            "page_up": "pageup",
            "page_down": "pagedown",
            "first": "home",
            "last": "end",
            "previous": "left_square_bracket ctrl+up",
            "next": "right_square_bracket ctrl+down",
            "open": "enter",
            "fold": "space",
            "select": "v",
            "copy": "y",
            "leave": "escape",
        },
        "prompt": {
            "send": "enter",
            "new_line": "shift+enter alt+enter ctrl+j",
            "queue": "tab alt+q",
            "undo": "ctrl+underscore",
            "redo": "alt+underscore",
            "unfold": "alt+p",
            "search_history": "ctrl+r",
            "external_editor": "ctrl+g",
            "page_up": "pageup",
            "page_down": "pagedown",
        },
        "ask": {
            "once": "y",
            "always": "a",
            "deny": "n",
            "reason": "r",
            "choose": "enter",
            "up": "up",
            "down": "down",
            "full_screen": "f",
            "next": "right",
            "previous": "left",
            "list": "l",
            "scroll_up": "pageup",
            "scroll_down": "pagedown",
        },
        "form": {
            "next": "tab",
            "previous": "shift+tab",
            "up": "up",
            "down": "down",
            "toggle": "space",
            "send": "enter",
            "dismiss": "escape",
        },
        "list": {
            "up": "up ctrl+p",
            "down": "down ctrl+n",
            "page_up": "pageup",
            "page_down": "pagedown",
            "first": "ctrl+home",
            "last": "ctrl+end",
            "choose": "enter",
            "delete": "ctrl+d",
            "rename": "ctrl+r",
            "other": "ctrl+t",
            "close": "escape",
        },
        "diff": {
            "up": "up k",
            "down": "down j",
            "page_up": "pageup",
            "page_down": "pagedown space",
            "first": "home",
            "last": "end",
            "layout": "s",
            "whole": "w",
            "next_change": "n",
            "previous_change": "p",
            "next_file": "right_square_bracket tab",
            "previous_file": "left_square_bracket shift+tab",
            "search": "slash ctrl+f",
            "next_match": "enter f3",
            "previous_match": "shift+enter shift+f3",
            "copy": "c",
            "close": "escape q",
        },
    }
)


class KeyMap(Struct, frozen=True):
    """The keys of every action. `conflicts` tells, for a person, which keys were taken from which action."""

    keys: Mapping[str, tuple[str, ...]]
    conflicts: tuple[str, ...] = ()

    def keys_of(self, action: str) -> tuple[str, ...]:
        return self.keys[action]

    def shown(self, action: str) -> str:
        """The first key of an action as a person reads it: `Ctrl+K`. Empty where it has none."""
        keys = self.keys[action]
        return shown_key(keys[0]) if keys else ""

    @property
    def for_textual(self) -> dict[str, str]:
        return {name: ",".join(keys) or _UNBOUND for name, keys in self.keys.items() if keys != ACTIONS[name].keys}


def bind(name: str, action: str = "", *, priority: bool = False) -> Binding:
    """The binding of an action of the table, for `BINDINGS`; it runs `action_NAME` unless another action is named."""
    known = ACTIONS[name]
    return Binding(
        ",".join(known.keys) or _UNBOUND, action or name.partition(".")[2], show=False, id=name, priority=priority
    )


def load_keys(overrides: Mapping[str, Any] | None = None, language: Language = "en") -> KeyMap:
    """The default keys with those of the configuration. An empty text or list leaves an action without a key. Names may
    be tables: in TOML, `app.help = "f1"` is one.

    A key that is given to an action is taken from those that have it by default; of two actions that are given the
    same, the first gets it. Raises `ConfigError` for an action or a key that there is not.
    """
    given = dict(_read(overrides or {}, language))
    keys = {name: given.get(name, action.keys) for name, action in ACTIONS.items()}
    return KeyMap(*_without_conflicts(keys, tuple(given), language))


def shown_key(key: str) -> str:
    *modifiers, last = key.split("+")
    if last not in _SHOWN:
        char = last if len(last) == 1 else _signs().get(last, "")
        last = (char.upper() if modifiers else char) or last.capitalize()
    return "+".join([*(name.capitalize() for name in modifiers), _SHOWN.get(last, last)])


def _read(overrides: Mapping[str, Any], language: Language) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, given in _flat(overrides):
        if name not in ACTIONS:
            raise ConfigError(
                words("keys.unknownAction", language, name=name, hint=_hint(name, tuple(ACTIONS), language))
            )
        texts = cast("list[object]", given) if isinstance(given, list | tuple) else [given]
        yield name, tuple(_key(text, name, language) for text in texts if text != "")


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    for name, given in table.items():
        if isinstance(given, Mapping):
            yield from _flat(cast("Mapping[str, Any]", given), f"{above}{name}.")
        else:
            yield above + name, given


def _key(given: object, action: str, language: Language) -> str:
    """A key as Textual names it, of what a person may write: `Ctrl-K`, `ctrl+?`, `Esc`."""
    text = str(given)
    found = _split(text)
    if found is None or not _is_key(found[1]):
        hint = _key_hint(text, language)
        raise ConfigError(words("keys.unknownKey", language, name=action, given=text, hint=hint))
    modifiers, last = found
    if modifiers == {"shift"} and len(last) == 1 and last.isalpha():
        return last.upper()
    if modifiers and len(last) == 1:
        last = last.lower()
    if len(last) == 1:
        last = _name_of_char(last)
    return "+".join([*(name for name in _MODIFIERS if name in modifiers), last])


def _split(text: str) -> tuple[set[str], str] | None:
    """The modifiers and the key; None where a modifier is none."""
    rest, modifiers = text.strip(), set[str]()
    while len(rest) > 1:
        ends = [at for at in (rest.find("+"), rest.find("-")) if at > 0]
        if not ends or min(ends) == len(rest) - 1:
            break
        name = rest[: min(ends)].lower()
        name = _ALIASES.get(name, name)
        if name not in _MODIFIERS:
            return None
        modifiers.add(name)
        rest = rest[min(ends) + 1 :]
    if len(rest) > 1:
        rest = _ALIASES.get(rest.lower(), rest.lower())
    return (modifiers, rest) if rest else None


def _is_key(name: str) -> bool:
    return (len(name) == 1 and name.isprintable() and name != " ") or name in _names()


@cache
def _names() -> frozenset[str]:
    """The names of keys without modifiers."""
    plain = {key.value for key in Keys if "+" not in key.value and "<" not in key.value}
    return frozenset(plain | _signs().keys() | {"space"})


@cache
def _signs() -> Mapping[str, str]:
    """The signs that have a name as keys, by that."""
    return {_name_of_char(char): char for char in map(chr, range(0x21, 0x7F)) if not char.isalnum()}


def _name_of_char(char: str) -> str:
    # The function that Textual itself names keys with; it has no public one.
    from textual.keys import _character_to_key  # pyright: ignore[reportPrivateUsage]

    return _character_to_key(char)


def _key_hint(text: str, language: Language) -> str:
    """The key that somebody may have meant, each of its parts put right."""
    # Imported here: it is needed for mistakes alone.
    from difflib import get_close_matches

    *modifiers, last = text.lower().replace("-", "+").split("+")
    near = [get_close_matches(name, _MODIFIERS, 1) for name in modifiers]
    near.append([last] if len(last) == 1 else get_close_matches(last, list(_names()), 1))
    name = "+".join(found[0] for found in near) if all(near) else ""
    return words("keys.didYouMean", language, name=name) if name else words("keys.seeHelp", language)


def _hint(name: str, known: Sequence[str], language: Language) -> str:
    # Imported here: it is needed for mistakes alone.
    from difflib import get_close_matches

    last = {one.rpartition(".")[2]: one for one in sorted(known)}
    near = get_close_matches(name, list(known), 1, 0.6) or [
        last[one] for one in get_close_matches(name.rpartition(".")[2], list(last), 1, 0.6)
    ]
    return words("keys.didYouMean", language, name=near[0]) if near else words("keys.seeHelp", language)


def _without_conflicts(
    keys: Mapping[str, tuple[str, ...]], given: Sequence[str], language: Language
) -> tuple[dict[str, tuple[str, ...]], tuple[str, ...]]:
    """Keys that were given come first, in their order; then the defaults. Two areas other than "app" may share one."""
    owners: dict[tuple[str, str], str] = {}
    told: list[str] = []
    left: dict[str, tuple[str, ...]] = {}
    changed = set(given)
    for name in (*given, *(name for name in keys if name not in changed)):
        kept: list[str] = []
        for key in keys[name]:
            owner = _owner(owners, key, ACTIONS[name].area) if changed else None
            # Defaults know of each other: an area may use a key of the app in its own way.
            if owner is not None and (owner in changed):
                told.append(words("keys.conflict", language, given=shown_key(key), owner=owner, name=name))
                continue
            owners.setdefault((ACTIONS[name].area, key), name)
            kept.append(key)
        left[name] = tuple(kept)
    return {name: left[name] for name in keys}, tuple(told)


def _owner(owners: Mapping[tuple[str, str], str], key: str, area: Area) -> str | None:
    """The action that has the key where this area is used."""
    places = AREAS if area == "app" else (area, "app")
    return next((owners[place, key] for place in places if (place, key) in owners), None)
