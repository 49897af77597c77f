"""Secrets are kept in the keyring where there is one that takes them, else in files that only the user can read."""

import stat

import keyring
import keyring.backend
import keyring.errors
import pytest

from toolpost.config.token_store import TokenStore


class Ring(keyring.backend.KeyringBackend):
    priority = 1  # type: ignore[assignment]

    def __init__(self, *, refuses: bool = False) -> None:
        super().__init__()
        self.kept: dict[str, str] = {}
        self.refuses = refuses

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get(username)

    def set_password(self, service: str, username: str, password: str) -> None:
        if self.refuses:
            raise keyring.errors.PasswordSetError("too long")
        self.kept[username] = password


@pytest.fixture
def environ(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "chosen")
    return {"TOOLPOST_DATA_DIR": str(tmp_path)}


def use(ring, environ, monkeypatch):
    monkeypatch.setattr(keyring, "get_keyring", lambda: ring)
    return TokenStore({**environ, "PYTHON_KEYRING_BACKEND": "chosen"})


def test_without_a_keyring_a_secret_is_a_file_of_the_users_own(environ, tmp_path):
    vault = TokenStore(environ)
    assert vault.get("one") is None
    vault.set("one", "first")
    vault.set("one", "second")
    (file,) = (tmp_path / "secrets").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert vault.get("one") == "second"


def test_a_keyring_is_preferred_and_leaves_no_file(environ, tmp_path, monkeypatch):
    TokenStore(environ).set("one", "in a file")
    ring = Ring()
    vault = use(ring, environ, monkeypatch)
    assert vault.get("one") == "in a file"
    vault.set("one", "in the ring")
    assert vault.get("one") == "in the ring"
    assert ring.kept == {"one": "in the ring"}
    assert list((tmp_path / "secrets").iterdir()) == []


def test_a_keyring_that_refuses_leaves_the_file(environ, tmp_path, monkeypatch):
    vault = use(Ring(refuses=True), environ, monkeypatch)
    vault.set("one", "kept")
    assert vault.get("one") == "kept"
    assert len(list((tmp_path / "secrets").iterdir())) == 1
