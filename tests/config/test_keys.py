"""Keys come from the environment, else from a keyring that may be missing, broken or stuck."""

import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import keyring
import keyring.backend
import keyring.backends.fail
import keyring.errors
import pytest

from toolpost.config import find_key, forget_key, store_key
from toolpost.types.errors import ConfigError

CHOSEN = {"PYTHON_KEYRING_BACKEND": "chosen.by.the.user"}


class MemoryKeyring(keyring.backend.KeyringBackend):
    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if self.kept.pop((service, username), None) is None:
            raise keyring.errors.PasswordDeleteError("no such password")


class StuckKeyring(MemoryKeyring):
    def __init__(self) -> None:
        super().__init__()
        self.released = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.released.wait()
        return "late"


class BrokenKeyring(MemoryKeyring):
    def get_password(self, service: str, username: str) -> str | None:
        raise OSError("the bus is gone")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise keyring.errors.PasswordSetError("the bus is gone")

    def delete_password(self, service: str, username: str) -> None:
        raise keyring.errors.KeyringLocked("it is locked")


@pytest.fixture(autouse=True)
def _restored(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    before = keyring.get_keyring()
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", CHOSEN["PYTHON_KEYRING_BACKEND"])
    yield
    keyring.set_keyring(before)


def test_the_environment_comes_first_in_the_order_of_the_names() -> None:
    keyring.set_keyring(MemoryKeyring())
    store_key("acme", "from-keyring")
    environ = {**CHOSEN, "A": "", "B": " from-b\n", "C": "from-c"}
    assert find_key("acme", ["A", "B", "C"], environ) == "from-b"
    assert find_key("acme", ["A"], environ) == "from-keyring"
    assert find_key("other", ["A"], environ) is None


def test_a_key_can_be_stored_and_forgotten() -> None:
    keyring.set_keyring(MemoryKeyring())
    store_key("acme", " secret\n")
    assert find_key("acme", [], CHOSEN) == "secret"
    assert forget_key("acme") is True
    assert forget_key("acme") is False
    assert find_key("acme", [], CHOSEN) is None


def test_a_key_does_not_show_itself() -> None:
    key = find_key("acme", ["K"], {"K": "topsecret"})
    assert repr(key) == "***"
    assert f"{[key]}" == "[***]"
    assert f"Bearer {key}" == "Bearer topsecret"


def test_a_stuck_keyring_holds_nobody_up() -> None:
    stuck = StuckKeyring()
    keyring.set_keyring(stuck)
    started = time.monotonic()
    assert find_key("acme", [], CHOSEN, patience=0.05) is None
    assert time.monotonic() - started < 2
    stuck.released.set()


def test_a_broken_keyring_means_no_key() -> None:
    keyring.set_keyring(BrokenKeyring())
    assert find_key("acme", [], CHOSEN) is None


def test_what_cannot_be_stored_is_said_with_another_way() -> None:
    keyring.set_keyring(BrokenKeyring())
    with pytest.raises(ConfigError, match=r"refused the key.*api_key_env"):
        store_key("acme", "secret")
    with pytest.raises(ConfigError, match="locked"):
        forget_key("acme")
    with pytest.raises(ConfigError, match="is empty"):
        store_key("acme", " ")


def test_without_a_keyring_storing_says_what_to_do_instead(monkeypatch: pytest.MonkeyPatch) -> None:
    keyring.set_keyring(keyring.backends.fail.Keyring())
    monkeypatch.delenv("PYTHON_KEYRING_BACKEND")
    with pytest.raises(ConfigError, match=r"is not available.*\[providers.acme\] as api_key_env"):
        store_key("acme", "secret")
    assert find_key("acme", [], CHOSEN) is None


def test_a_foreign_backend_that_nobody_chose_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Backends from other packages may ask for a password on the terminal."""
    memory = MemoryKeyring()
    keyring.set_keyring(memory)
    store_key("acme", "secret")
    monkeypatch.delenv("PYTHON_KEYRING_BACKEND")
    assert find_key("acme", [], {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}) is None


class Item:
    def __init__(self, locked: bool) -> None:
        self.locked = locked

    def is_locked(self) -> bool:
        return self.locked


class Connection:
    def close(self) -> None:
        pass


@pytest.mark.skipif(sys.platform != "linux", reason="the desktop bus is of Linux")
@pytest.mark.parametrize(("items", "found"), [([Item(True)], None), ([], None), ([Item(False)], "secret")])
def test_a_locked_desktop_keyring_is_not_asked_since_it_would_open_a_dialog(
    monkeypatch: pytest.MonkeyPatch, items: list[Item], found: str | None
) -> None:
    import secretstorage
    from keyring.backends.SecretService import Keyring

    monkeypatch.setattr(secretstorage, "dbus_init", Connection)
    monkeypatch.setattr(secretstorage, "search_items", lambda *_: iter(items))
    monkeypatch.setattr(Keyring, "get_password", lambda *_: "secret")
    keyring.set_keyring(Keyring())
    assert find_key("acme", [], {"DBUS_SESSION_BUS_ADDRESS": "unix:path=/nowhere"}) == found


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a keyring")
def test_keyring_is_not_imported_where_the_environment_has_the_key_or_there_is_no_desktop() -> None:
    code = (
        "import sys; from toolpost.config import find_key; "
        "find_key('a', ['K'], {'K': 'x', 'DBUS_SESSION_BUS_ADDRESS': 'y'}); "
        "find_key('a', ['K'], {}); sys.exit('keyring' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
