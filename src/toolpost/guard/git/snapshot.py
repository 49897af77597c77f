"""Snapshots of the settings and files that other programs will run or obey, and what is new between two of them."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from toolpost.guard.autorun_files import Verdict

# Of a file system that counts time in seconds.
CLOCK_SECONDS = 2.0

Kind = Literal["settings", "file"]


class AutorunSetting(Struct, frozen=True, order=True):
    """One thing that runs or is obeyed later. `path` is the file that holds it, without links; a file of `settings`
    holds others too.

    `live`: a `.git` leads there, so git uses it from the folder around. Without, it acts only for somebody who goes
    into that repository. `leads_to` is set by `changed_settings`: `path` is then a pointer to settings that were
    there before.
    """

    path: str
    name: str
    value: str
    runs: str = "run by git"
    kind: Kind = "file"
    verdict: Verdict = "guard"
    live: bool = False
    leads_to: tuple["AutorunSetting", ...] = ()


class AutorunSnapshot(Struct, frozen=True):
    """What runs or is obeyed later, as it was at one time. `complete` is false where there was too much to look at,
    `all_told` where that is so only for what is told. `pointers` are what makes a setting live: the file or link to
    take away."""

    settings: frozenset[AutorunSetting]
    complete: bool
    time: float
    all_told: bool = True
    pointers: dict[AutorunSetting, frozenset[str]] = {}


def changed_settings(before: AutorunSnapshot, after: AutorunSnapshot) -> list[AutorunSetting]:
    """The settings in `after` that are not in `before`; where `before` is not complete, those new on disk since then.

    A setting that was there before and has become live is not new itself: what leads there is.
    """
    found: set[AutorunSetting] = set()
    led: dict[str, list[AutorunSetting]] = {}
    for one in after.settings - before.settings:
        all_seen = before.complete and (before.all_told or one.verdict == "guard")
        at_rest = replace(one, live=False)
        if at_rest not in before.settings and (all_seen or _is_since(one.path, before.time)):
            found.add(at_rest)
        elif one.live:
            for path in after.pointers.get(one, ()):
                if all_seen or _is_since(path, before.time):
                    led.setdefault(path, []).append(one)
    pointers = (_pointer(path, sorted(settings)) for path, settings in led.items())
    return sorted((*found, *pointers))


def known_as(settings: Iterable[AutorunSetting]) -> frozenset[AutorunSetting]:
    """The forms in which a snapshot holds these settings, for the next comparison."""
    alone = [one for setting in settings for one in (setting.leads_to or (setting,))]
    return frozenset(replace(one, live=live) for one in alone for live in (False, True))


def _pointer(path: str, settings: Sequence[AutorunSetting]) -> AutorunSetting:
    value = ", ".join(f"{one.path} {one.name}={one.value}" for one in settings)
    return AutorunSetting(path, "leads to", value, "followed by git to what it runs", leads_to=tuple(settings))


def paths_of(settings: Iterable[AutorunSetting]) -> list[str]:
    """The files that hold these, each once."""
    return list(dict.fromkeys(one.path for one in settings))


def _is_since(path: str, begun: float) -> bool:
    return changed_at(path) >= begun - CLOCK_SECONDS


def changed_at(path: str) -> float:
    """When a file was last changed in any way; 0 where that can't be known."""
    try:
        return Path(path).lstat().st_ctime
    except (OSError, ValueError):
        return 0.0
