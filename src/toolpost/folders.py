"""Where this user's files are: configuration, data, cache."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

Kind = Literal["config", "data", "cache"]
_XDG = {
    "config": ("XDG_CONFIG_HOME", ".config"),
    "data": ("XDG_DATA_HOME", ".local/share"),
    "cache": ("XDG_CACHE_HOME", ".cache"),
}


def user_folder(kind: Kind, environ: Mapping[str, str] = os.environ) -> Path:
    """Toolpost's own folder of this kind; `TOOLPOST_DATA_DIR` and its like name another one."""
    if own := environ.get(f"TOOLPOST_{kind.upper()}_DIR"):
        return Path(own).expanduser()
    variable, default = _XDG[kind]
    if given := environ.get(variable):
        return Path(given, "toolpost")
    if sys.platform not in ("darwin", "win32"):
        return Path.home() / default / "toolpost"
    # Only these systems need to be asked, and every start would pay for the import.
    import platformdirs

    find = {
        "config": platformdirs.user_config_path,
        "data": platformdirs.user_data_path,
        "cache": platformdirs.user_cache_path,
    }
    return find[kind]("toolpost", appauthor=False)
