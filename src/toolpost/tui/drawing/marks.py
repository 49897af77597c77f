"""The short texts of drawings: marks, sizes, costs, links to places."""

from toolpost.view.items import CallPhase

from .contract import Look, StyleName

_PHASE_MARKS: dict[CallPhase, tuple[str, str, StyleName]] = {
    "preparing": ("◌", "~", "running"),
    "ready": ("◌", "~", "running"),
    "asking": ("?", "?", "warning"),
    "answered": ("◌", "~", "running"),
    "running": ("●", "*", "running"),
    "done": ("✓", "=", "success"),
    "failed": ("✗", "x", "error"),
    "denied": ("⊘", "x", "warning"),
    "stopped": ("■", "x", "warning"),
    "handed_over": ("→", ">", "dim"),
}


def phase_mark(phase: CallPhase, look: Look) -> tuple[str, StyleName]:
    """The mark for how far a call is, and its style."""
    mark, plain, style = _PHASE_MARKS[phase]
    return (mark if look.has_unicode else plain), style


def fold_mark(look: Look) -> str:
    """Whether there is more to be seen."""
    if look.has_unicode:
        return "▾ " if look.is_expanded else "▸ "
    return "- " if look.is_expanded else "+ "


def size_words(size: int) -> str:
    """A number of bytes, as people read it: `12 B`, `3.4 kB`, `5.6 MB`."""
    if size < 1000:
        return f"{size} B"
    return f"{size / 1000:.1f} kB" if size < 1_000_000 else f"{size / 1_000_000:.1f} MB"


def cost_words(cost: float) -> str:
    return f"${cost:.2f}" if cost >= 1 or cost == 0 else f"${cost:.4f}"


def in_folder(path: str, look: Look) -> str:
    """A path as seen from the folder of the session."""
    folder = look.folder.rstrip("/\\")
    rest = path.removeprefix(folder)
    return rest[1:] if folder and rest != path and rest[:1] in ("/", "\\") and len(rest) > 1 else path
