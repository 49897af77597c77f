"""What a child process gets of the environment, and which of its values are secrets."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.guard.redact import (
    clean_environment,
    is_secret_name,
    known_secrets,
    remember,
    remember_named,
    secrets_of,
)

KEY = "sk-test-0123456789abcdef"
PASSWORD = "Tr0ub4dor&3-horse"
NAMES = st.from_regex(r"[A-Z][A-Z0-9_]{0,12}", fullmatch=True)
VALUES = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=30)


def child_of(environ):
    """The environment as a real child process sees it."""
    code = "import json, os; print(json.dumps(dict(os.environ)))"
    done = subprocess.run([sys.executable, "-I", "-c", code], env=environ, capture_output=True, check=True, text=True)
    return json.loads(done.stdout)


def test_a_child_gets_no_secret_by_name_or_by_value():
    ordinary = {"PATH": "/usr/bin:/bin", "HOME": "/home/me", "LANG": "C.UTF-8", "COLOUR": "blue", "EDITOR": "vi"}
    secret = {
        "OPENAI_API_KEY": KEY,
        "PGPASSWORD": PASSWORD,
        "SAME_WITHOUT_A_NAME": KEY,
        "INSIDE": f"curl -u me:{PASSWORD} host",
        "DATABASE_URL": "postgres://me:hunter2@db/x",
        "HTTPS_PROXY": "http://me:hunter2@proxy:3128",
        "WHATEVER": "ghp_abcdefghijklmnopqrstuvwxyz0123",
        "CLOUD": "AKIAABCDEFGHIJKLMNOP",
        "HEADER": "Authorization: Bearer abcdefgh12345678",
        "PEM": "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
        "SSH_AUTH_SOCK": "/tmp/agent.1",
    }
    seen = child_of(clean_environment({**ordinary, **secret}))
    assert {name: seen.get(name) for name in ordinary} == ordinary
    assert not secret.keys() & seen.keys()


@given(
    st.dictionaries(NAMES, VALUES, max_size=8),
    st.text("abcXYZ019_-", min_size=16, max_size=30),
    st.from_regex(r"X_[A-Z]{1,9}", fullmatch=True),
)
def test_no_value_with_a_known_secret_in_it_passes(environ, secret, name):
    full = {**environ, "SOME_TOKEN": secret, name: f"x{secret}y"}
    kept = clean_environment(full)
    assert not any(secret in value for value in kept.values())
    assert kept.items() <= full.items()


@given(st.sampled_from(["PATH", "HOME", "LANG", "LC_ALL", "TERM", "PWD", "USER", "SHELL", "TMPDIR"]), VALUES)
def test_what_no_child_works_without_is_kept_whatever_is_in_it(name, value):
    assert clean_environment({name: value, "MY_TOKEN": value})[name] == value


@pytest.mark.parametrize(
    "value",
    ["true", "disabled", "postgres", "Production", "not-needed", "12345678", "127.0.0.1:6379", "short", "~/keys/id"],
)
def test_an_ordinary_value_under_a_secret_name_is_not_hidden_from_texts(value):
    environ = {"DB_PASSWORD": value, "MODE": value}
    assert secrets_of(environ) == frozenset()
    assert clean_environment(environ) == {"MODE": value}


def test_a_path_is_no_secret_but_a_key_that_begins_with_a_slash_is(tmp_path):
    file = str(tmp_path / "not-there.pem")
    for odd in ("/" + "é" * 300, "/with-a-\0-in-it", "/\ud800-and-more"):
        assert secrets_of({"SOME_KEY": odd}) == {odd}
    assert secrets_of({"KEY_FILE": file, "AWS_SECRET": "/wJalrXUtnFEMI/K7MDENG"}) == {"/wJalrXUtnFEMI/K7MDENG"}


def test_a_variable_that_the_settings_name_as_a_key_is_one():
    assert secrets_of({"ACME": PASSWORD, "OTHER": "x" * 20}, named={"ACME"}) == {PASSWORD}


def test_what_is_remembered_is_known_and_reaches_no_child():
    remember("of-the-keyring-4711")
    remember_named(
        {"Authorization": "Bearer token-0815-abc", "Accept": "application/json", "x-api-key": "k3y-of-acme-x"}
    )
    hide = known_secrets().hide
    assert hide("of-the-keyring-4711 token-0815-abc k3y-of-acme-x application/json") == "*** *** *** application/json"
    assert clean_environment({"A": "x of-the-keyring-4711", "B": "token-0815-abc", "C": "c"}) == {"C": "c"}


def test_a_change_of_the_environment_is_seen_at_once(monkeypatch):
    monkeypatch.setenv("MY_TOKEN", "first-value-1")
    assert known_secrets().hide("first-value-1 second-value-2") == "*** second-value-2"
    monkeypatch.setenv("MY_TOKEN", "second-value-2")
    assert known_secrets().hide("first-value-1 second-value-2") == "first-value-1 ***"
    monkeypatch.delenv("MY_TOKEN")
    assert known_secrets().hide("first-value-1 second-value-2") == "first-value-1 second-value-2"


@pytest.mark.parametrize(
    "name", ["PGPASSWORD", "SSHPASS", "MYSQL_PWD", "GITHUB_PAT", "DB_PASS", "npmAuthToken", "SECRETS"]
)
def test_names_as_systems_write_them_are_known(name):
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name", ["PATH", "COMPASS", "BYPASS", "MAX_TOKENS", "KEYBOARD", "PATTERN", "AUTHOR", "SSH_ASKPASS"]
)
def test_names_that_only_sound_so_are_not(name):
    assert not is_secret_name(name)
