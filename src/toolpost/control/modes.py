"""What the permission modes `edits` and `plan` of a face stand for."""

from toolpost.tools.files.path_permissions import EDIT

# The read-only agent that works in the mode `plan`.
PLAN_AGENT = "plan"


def is_edit(permission: str, patterns: tuple[str, ...]) -> bool:
    """Whether it is a change of files in the project. Secrets, settings of agents and places outside are asked for
    under permissions of their own as well."""
    return permission == EDIT and not any(pattern.startswith(("/", "~", "..")) for pattern in patterns)
