"""Back up a store into one file while it is used, and restore it into a store of any kind."""

from .archive import Manifest
from .transfer import check_backup, restore_backup, write_backup

__all__ = ["Manifest", "check_backup", "restore_backup", "write_backup"]
