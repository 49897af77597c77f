"""Find installed plugins: entry points of the group `toolpost`, each a `Plugin` class or a function that gives one."""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from .hooks import Plugin

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

GROUP = "toolpost"


def installed_plugins(switches: Mapping[str, bool]) -> tuple[list[Plugin], list[str]]:
    """The plugins by name, and a warning for each that is broken; the others go on. `{name: False}` leaves one out."""
    plugins: list[Plugin] = []
    warnings: list[str] = []
    for entry in _entry_points():
        if not switches.get(entry.name, True):
            continue
        try:
            plugins.append(_load(entry))
        except Exception as error:  # noqa: BLE001 - a broken plugin must not take the others with it
            warnings.append(f"plugin {entry.name} ({entry.value}) was not loaded: {type(error).__name__}: {error}")
    return plugins, warnings


def _entry_points() -> "list[EntryPoint]":
    if not any(_names_our_group(folder) for folder in sys.path):
        return []
    # Importing this takes longer than everything else here, and most people have no plugins.
    from importlib.metadata import entry_points

    return sorted(entry_points(group=GROUP), key=lambda entry: entry.name)


def _names_our_group(folder: str) -> bool:
    """True if a package in this folder has entry points for us, by a look at the files that list them."""
    needle = f"[{GROUP}]".encode()
    try:
        return any(needle in file.read_bytes() for file in Path(folder).glob("*-info/entry_points.txt"))
    except OSError:
        return False


def _load(entry: "EntryPoint") -> Plugin:
    made = entry.load()()
    if not isinstance(made, Plugin):
        raise TypeError(f"{entry.value} gives a {type(made).__name__}, not a toolpost.Plugin")
    if not made.name:
        made.name = entry.name
    return made
