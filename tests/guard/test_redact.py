"""Nothing that is a secret, or looks like one, passes the redactor."""

import json
import time
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.guard.redact import Redactor, is_secret_name

ALNUM = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


@given(st.text(min_size=8, max_size=40).filter(lambda s: s.strip("*")), st.text(max_size=30), st.text(max_size=30))
def test_a_known_secret_is_gone_however_it_is_written(secret: str, before: str, after: str) -> None:
    redactor = Redactor([secret])
    for form in (secret, quote(secret, safe=""), json.dumps(secret)[1:-1]):
        assert form not in redactor.text(f"{before} {form} {after}").replace("***", "")


def test_a_short_value_is_no_known_secret_since_it_would_hide_ordinary_words() -> None:
    assert Redactor(["test", ""]).text("a test") == "a test"


def test_a_secret_that_begins_another_does_not_leave_its_rest() -> None:
    assert Redactor(["abcdefgh", "abcdefghIJKL"]).text("x abcdefghIJKL y") == "x *** y"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Authorization: Bearer abc.def-123456", "Authorization: Bearer ***"),
        ("authorization: Basic dXNlcjpwYXNz", "authorization: Basic ***"),
        ('{"x-api-key": "abcd1234", "a": 1}', '{"x-api-key": "***", "a": 1}'),
        (r"{\"Authorization\": \"Bearer abcd12345\"}", r"{\"Authorization\": \"Bearer ***\"}"),
        ("api_key='abcd1234'", "api_key='***'"),
        ("GET https://h/v1?alt=sse&key=AbC-12&x=1 ok", "GET https://h/v1?alt=sse&key=***&x=1 ok"),
        ("https://h/?access_token=zzz", "https://h/?access_token=***"),
        ("postgres://me:hunter2@db/x", "postgres://me:***@db/x"),
        ("Cookie: a=b; session=c\nnext", "Cookie: ***\nnext"),
        ("-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END", "-----BEGIN RSA PRIVATE KEY-----***-----END"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-_d!", "***!"),
    ],
)
def test_what_looks_like_a_key_is_hidden_and_its_name_stays(text: str, shown: str) -> None:
    assert Redactor().text(text) == shown


@given(
    st.sampled_from(["sk-", "sk-ant-", "ghp_", "gsk_", "hf_", "tvly-", "xai-"]),
    st.text(ALNUM, min_size=32, max_size=60),
)
def test_keys_of_known_makers_are_hidden_wherever_they_stand(prefix: str, rest: str) -> None:
    assert Redactor().text(f"use {prefix}{rest}, please") == "use ***, please"


@pytest.mark.parametrize(
    "text",
    [
        "the key: value of max_tokens=500 and ?monkey=3",
        'api_key_env = "OPENAI_API_KEY"',
        "a basic understanding of disk-sk-learn, task-based-approach-to-it",
        "http://localhost:8080/a@b and user@host:22",
        "password is fine",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert Redactor(["hunter2hunter2"]).text(text) == text


@given(st.text("sk-_eyJ.:/@=?&key bearer\"'\\*", max_size=60))
def test_hiding_twice_changes_nothing_more(text: str) -> None:
    once = Redactor().text(text)
    assert Redactor().text(once) == once


@pytest.mark.parametrize(
    "unit", ["a", "sk-", "eyJaaaaaaaa-", "://a:", "authorization: ", "-----BEGIN PRIVATE KEY-----", "bearer ", "?a_key"]
)
def test_hostile_text_takes_linear_time(unit: str) -> None:
    text = unit * (200_000 // len(unit))
    started = time.perf_counter()
    Redactor(["hunter2hunter2"]).text(text)
    assert time.perf_counter() - started < 20


def test_a_redactor_does_not_show_its_secrets() -> None:
    assert "hunter2" not in repr(Redactor(["hunter2hunter2"]))


def test_names_of_secrets_are_known_and_names_of_variables_are_not() -> None:
    for name in ("api_key", "X-Api-Key", "apiKey", "token", "client-secret", "Authorization", "DB_PASSWORD", "apikey"):
        assert is_secret_name(name), name
    for name in ("api_key_env", "max_tokens", "keyboard", "model", "monkey"):
        assert not is_secret_name(name), name
