"""The command palette: find anything that can be done by its name or its help, with the key that does it at once."""

from collections.abc import Sequence

from msgspec import Struct

from toolpost.tui.drawing.contract import Look
from toolpost.tui.keys import ACTIONS, Area, KeyMap, load_keys
from toolpost.view.words import words

from .picker import Picker, PickerRow


class PaletteEntry(Struct, frozen=True):
    """Something that can be done. `id` is what the palette gives once it is chosen."""

    id: str
    name: str
    help: str = ""
    key: str = ""


def command_palette(entries: Sequence[PaletteEntry], look: Look, *, keys: KeyMap | None = None) -> Picker:
    rows = [PickerRow(entry.id, entry.name, entry.help, tags=(entry.key,) if entry.key else ()) for entry in entries]
    return Picker(rows, look, title=words("palette.title", look.language), keys=keys)


def action_entries(area: Area, look: Look, *, keys: KeyMap | None = None) -> tuple[PaletteEntry, ...]:
    """The actions of an area, for the palette: each by its help, with its key."""
    known = keys or load_keys()
    return tuple(
        PaletteEntry(name, words(f"keys.{name}", look.language), key=known.shown(name))
        for name, action in ACTIONS.items()
        if action.area == area
    )
