"""Read, change, diff and undo files of a project."""
