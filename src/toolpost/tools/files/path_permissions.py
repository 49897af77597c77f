"""Ask for the permissions that a path needs before a tool touches it, in the right order."""

from collections.abc import Callable, Sequence
from typing import Any

from toolpost.guard.paths import FileAccess, ResolvedPath
from toolpost.guard.wildcards import exact
from toolpost.tools.define import ToolContext
from toolpost.types.errors import PermissionDenied

# The permission under which files are changed, by whichever tool.
EDIT = "edit"


async def allow(ctx: ToolContext, project_files: FileAccess, place: ResolvedPath, permission: str) -> None:
    """Return if `permission` may be used on `place`; raise `PermissionDenied` if not.

    The engine has asked for what the tool's `patterns` said, which is `place.shown`. What is asked here comes on top:
    for a place outside the project, a secret, and for where a link leads, since a rule may know it by that name.
    """
    if not place.inside:
        await _ask_outside(ctx, project_files, place)
    if place.secret:
        await _ask_secret(ctx, place, permission)
    elif place.guarded and permission == EDIT:
        title = f"Change {place.target}, which configures an agent, a shell, git or an editor"
        await ctx.ask("secret", [place.target], title=title)
    if place.target != place.shown:
        await ctx.ask(permission, [place.target], title=f"{place.shown} leads to {place.target}")


async def allow_reading(ctx: ToolContext, place: ResolvedPath) -> None:
    """For tools that show what is in a file under a permission of their own: what the rules say of reading it, in
    particular, holds for them, too."""
    names = list(dict.fromkeys((place.shown, place.target)))
    if any(ctx.holds_back("read", name) for name in names):
        await ctx.ask("read", names, title=f"Read {place.shown}")


def shown_path(project_files: FileAccess, default: str = "") -> Callable[[dict[str, Any]], Sequence[str]]:
    """The `patterns` of a tool that takes one `path`."""
    return lambda arguments: [project_files.resolve(arguments.get("path") or default).shown]


def changed_path(project_files: FileAccess) -> Callable[[dict[str, Any]], Sequence[str]]:
    """The same for a tool that changes it."""
    return lambda arguments: shown_changes(project_files, [arguments.get("path") or ""])


def shown_changes(project_files: FileAccess, paths: Sequence[str]) -> Sequence[str]:
    """The patterns that the rules are asked for files that are to be changed. What can never be allowed is refused
    instead, before anybody is asked for it."""
    places = [project_files.resolve(path) for path in paths]
    for place in places:
        require_no_secret(place)
    return list(dict.fromkeys(place.shown for place in places))


def require_no_secret(place: ResolvedPath) -> None:
    if place.secret:
        raise PermissionDenied(f"{place.shown} holds secrets, which no tool writes. Ask the user to change it.")


def whole_project(arguments: dict[str, Any]) -> tuple[str, ...]:
    """What "always" means for a change: every file of the project. Secrets, settings of agents and places outside have
    asks of their own, so it opens none of those."""
    return ("*",)


async def _ask_outside(ctx: ToolContext, project_files: FileAccess, place: ResolvedPath) -> None:
    folder = place.real if project_files.is_folder(place) else place.real.parent
    within = f"{str(folder).rstrip('/')}/*"
    title = f"Access {place.target}, outside the project"
    await ctx.ask("external_directory", [within], always=[f"{exact(within[:-1])}*"], title=title)


async def _ask_secret(ctx: ToolContext, place: ResolvedPath, permission: str) -> None:
    if permission == EDIT:
        require_no_secret(place)
    await ctx.ask("secret", [place.target], title=f"Read {place.target}, which may hold secrets")
