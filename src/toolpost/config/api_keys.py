"""Find, store and delete the API key of a provider, in the environment or the system keyring, never in a file."""

import os
import sys
import threading
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Protocol, cast

from toolpost.extras import has, require
from toolpost.guard.redact import HIDDEN, remember
from toolpost.types.errors import ConfigError

SERVICE = "toolpost"
PATIENCE = 3.0  # seconds for the keyring's daemon to answer

# Others may prompt when they are asked for a key, so they are used only when the user has chosen one by this variable.
_SILENT_BACKENDS = frozenset({"SecretService", "Windows", "macOS"})
_CHOICE_VARIABLE = "PYTHON_KEYRING_BACKEND"
_NEEDED = ("keyring",)


class Keyring(Protocol):
    """What we use of a backend of the `keyring` library."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


class Secret(str):
    """A text that does not show itself in a repr, and so not in a log of whatever holds it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return HIDDEN


def find_key(
    provider: str, env_names: Iterable[str], environ: Mapping[str, str] | None = None, *, patience: float = PATIENCE
) -> Secret | None:
    """Return the key or None. It never prompts or raises, and waits no longer than `patience` for the keyring."""
    env = os.environ if environ is None else environ
    for name in env_names:
        if key := env.get(name, "").strip():
            return _remembered(key)
    key = _from_keyring(provider, patience) if may_have_keyring(env) else ""
    return _remembered(key) if key else None


def store_key(provider: str, key: str, variable: str = "") -> None:
    """Keep the key in the system's keyring, which may ask the user to unlock it. `variable` is the one that may hold
    the key instead, where no setting names it."""
    require_keyring()
    if not key.strip():
        raise ConfigError(f"the key for {provider} is empty")
    # Imported here because it takes 0.2 s.
    from keyring.errors import KeyringError

    try:
        _keyring_or_fail(provider, variable).set_password(SERVICE, provider, key.strip())
    except KeyringError as error:
        raise ConfigError(_no_keyring(provider, f"refused the key: {error}", variable)) from error


def forget_key(provider: str) -> bool:
    """Take the key out of the system's keyring; False if there was none."""
    require_keyring()
    # Imported here because it takes 0.2 s.
    from keyring.errors import KeyringError, PasswordDeleteError

    try:
        _keyring_or_fail(provider).delete_password(SERVICE, provider)
    except PasswordDeleteError:
        return False
    except KeyringError as error:
        raise ConfigError(_no_keyring(provider, f"refused: {error}")) from error
    return True


def require_keyring() -> None:
    """Raise `ConfigError` where the package that speaks to keyrings is not installed."""
    require("cli", "the system's keyring", _NEEDED)


def keyring_in_use(environ: Mapping[str, str] | None = None) -> str | None:
    """The kind of keyring that keys are kept in on this system, or None where there is none that we use."""
    backend = _keyring() if may_have_keyring(os.environ if environ is None else environ) else None
    return type(backend).__module__.rpartition(".")[2] if backend is not None else None


def may_have_keyring(environ: Mapping[str, str]) -> bool:
    """Guess without importing `keyring`, which takes 0.2 s: a server without a desktop's bus has none."""
    if not has(_NEEDED):
        return False
    if environ.get(_CHOICE_VARIABLE):
        return True
    if sys.platform in ("darwin", "win32") or environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return True
    runtime = environ.get("XDG_RUNTIME_DIR")
    return bool(runtime) and Path(runtime, "bus").exists()


def _remembered(key: str) -> Secret:
    """From now on it is hidden wherever it turns up."""
    remember(key)
    return Secret(key)


def _from_keyring(provider: str, patience: float) -> str:
    """Ask in a daemon thread: a keyring whose daemon hangs must hold up neither the start nor the exit."""
    answers: list[str] = []

    def ask() -> None:
        try:
            answers.extend(_ask_keyring(provider))
        except Exception:  # noqa: BLE001 (backends raise whatever their system does; for the caller there is no key)
            return

    thread = threading.Thread(target=ask, name="toolpost-keyring", daemon=True)
    thread.start()
    thread.join(patience)
    return answers[0].strip() if answers else ""


def _ask_keyring(provider: str) -> list[str]:
    backend = _keyring()
    if backend is None or _would_prompt(backend, provider):
        return []
    key = backend.get_password(SERVICE, provider)
    return [key] if key else []


def _keyring() -> Keyring | None:
    # Imported here because it takes 0.2 s.
    import keyring
    from keyring.backends.chainer import ChainerBackend

    chosen = keyring.get_keyring()
    candidates = chosen.backends if isinstance(chosen, ChainerBackend) else [chosen]
    return next((cast(Keyring, backend) for backend in candidates if _is_usable(backend)), None)


def _keyring_or_fail(provider: str, variable: str = "") -> Keyring:
    backend = _keyring()
    if backend is None:
        raise ConfigError(_no_keyring(provider, "is not available", variable))
    return backend


def _no_keyring(provider: str, trouble: str, variable: str = "") -> str:
    if variable:
        return f"the system keyring {trouble}; put the key for {provider} into the environment variable {variable}"
    return (
        f"the system keyring {trouble}; put the key for {provider} into an environment variable "
        f"and name it in [providers.{provider}] as api_key_env"
    )


def _is_usable(backend: object) -> bool:
    package, _, module = type(backend).__module__.rpartition(".")
    if package == "keyring.backends":
        return module in _SILENT_BACKENDS
    return bool(os.environ.get(_CHOICE_VARIABLE))


def _would_prompt(backend: Keyring, provider: str) -> bool:
    """True if the desktop would ask to unlock its keyring: that is for `store_key`, never for a start."""
    if not type(backend).__module__.endswith(".SecretService"):
        return False
    import secretstorage

    with closing(secretstorage.dbus_init()) as connection:
        items = secretstorage.search_items(connection, {"service": SERVICE, "username": provider})
        return all(item.is_locked() for item in items)
