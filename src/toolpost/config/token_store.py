"""Store tokens of logins in the keyring, or in a file that only the user can read."""

import os
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkstemp

from toolpost.folders import user_folder
from toolpost.types.errors import ConfigError

from .api_keys import find_key, keyring_in_use, store_key


class TokenStore:
    """Login tokens by key. Where there is no keyring, each is a file that only the user can read."""

    def __init__(self, environ: Mapping[str, str] | None = None) -> None:
        self._environ = os.environ if environ is None else environ
        self._folder = user_folder("data", self._environ) / "secrets"

    def get(self, key: str) -> str | None:
        found = find_key(key, (), self._environ)
        if found is not None:
            return str(found)
        try:
            return self._file(key).read_text()
        except OSError:
            return None

    def set(self, key: str, secret: str) -> None:
        if keyring_in_use(self._environ) is not None:
            try:
                store_key(key, secret)
            except ConfigError:
                # A keyring that refuses (locked, or too small for it) leaves the file.
                self._write(key, secret)
            else:
                self._file(key).unlink(missing_ok=True)
            return
        self._write(key, secret)

    def _write(self, key: str, secret: str) -> None:
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Made anew for its owner only, and put in place whole.
        handle, name = mkstemp(dir=self._folder)
        try:
            with os.fdopen(handle, "w") as file:
                file.write(secret)
            Path(name).replace(self._file(key))
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def _file(self, key: str) -> Path:
        return self._folder / f"{key}.json"
