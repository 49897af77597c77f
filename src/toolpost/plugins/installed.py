"""Installed plugins: entry points of the group `toolpost`, each a `Plugin` class or a function that gives one."""

from collections.abc import Mapping
from importlib.metadata import EntryPoint, entry_points

from .hooks import Plugin

GROUP = "toolpost"


def installed_plugins(switches: Mapping[str, bool]) -> tuple[list[Plugin], list[str]]:
    """The plugins by name, and a warning for each that is broken; the others go on. `{name: False}` leaves one out."""
    plugins: list[Plugin] = []
    warnings: list[str] = []
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        if not switches.get(entry.name, True):
            continue
        try:
            plugins.append(_load(entry))
        except Exception as error:  # noqa: BLE001 - a broken plugin must not take the others with it
            warnings.append(f"plugin {entry.name} ({entry.value}) was not loaded: {type(error).__name__}: {error}")
    return plugins, warnings


def _load(entry: EntryPoint) -> Plugin:
    made = entry.load()()
    if not isinstance(made, Plugin):
        raise TypeError(f"{entry.value} gives a {type(made).__name__}, not a toolpost.Plugin")
    if not made.name:
        made.name = entry.name
    return made
