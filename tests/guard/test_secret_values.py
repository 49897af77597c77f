"""A secret whose value is known is hidden: in texts, in plain data, and in streams cut anywhere."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.guard.secret_replacer import ByteStreamRedactor, KnownSecrets, TextStreamRedactor

KEY = "sk-Ab9_xY7-kQ2"
# Few characters, so that the secrets overlap, begin each other and nearly begin all the time.
SECRETS = st.lists(st.text("ab1é", min_size=8, max_size=11), min_size=1, max_size=4)
LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7"
PEM = f"-----BEGIN PRIVATE KEY-----\n{LINE}\n{LINE[::-1]}\n-----END PRIVATE KEY-----"


@st.composite
def streams(draw):
    """Secrets, and a text full of them and of their halves, in pieces."""
    secrets = draw(SECRETS)
    parts = st.one_of(st.sampled_from(secrets), st.text("ab1é \n", max_size=6))
    text = "".join(draw(st.lists(parts, max_size=8)))
    cuts = sorted(draw(st.lists(st.integers(0, len(text)), max_size=12)))
    places = [0, *cuts, len(text)]
    return secrets, text, [text[start:end] for start, end in pairwise(places)]


@given(streams())
def test_a_stream_shows_what_the_whole_text_would_wherever_it_is_cut(stream):
    secrets, text, pieces = stream
    known = KnownSecrets(secrets)
    flow = TextStreamRedactor(known)
    shown = "".join([*map(flow.feed, pieces), flow.end()])
    assert shown == known.hide(text)
    assert not any(secret in shown for secret in secrets)


@given(streams())
def test_bytes_are_hidden_wherever_they_are_cut_inside_characters_too(stream):
    secrets, text, _ = stream
    known, data = KnownSecrets(secrets), text.encode()
    for size in (1, 3, 7):
        flow = ByteStreamRedactor(known)
        pieces = [data[start : start + size] for start in range(0, len(data), size)]
        shown = b"".join([*map(flow.feed, pieces), flow.end()])
        assert shown.decode() == known.hide(text)


def test_nothing_of_a_secret_is_shown_at_any_two_cuts():
    text = f"key={KEY}; again {KEY[:6]} {KEY}"
    for first in range(len(text)):
        for second in range(first, len(text)):
            flow = TextStreamRedactor(KnownSecrets([KEY]))
            shown = [flow.feed(piece) for piece in (text[:first], text[first:second], text[second:])]
            assert "".join([*shown, flow.end()]) == f"key=***; again {KEY[:6]} ***"


@given(streams())
def test_no_more_is_held_back_than_may_begin_a_secret(stream):
    secrets, _, pieces = stream
    flow, fed, shown = TextStreamRedactor(KnownSecrets(secrets)), "", ""
    for piece in pieces:
        fed, shown = fed + piece, shown + flow.feed(piece)
        whole = KnownSecrets(secrets).hide(fed)
        assert len(whole) - len(shown) < max(map(len, secrets))


def test_what_can_not_begin_a_secret_is_shown_at_once():
    flow = TextStreamRedactor(KnownSecrets([KEY]))
    assert [flow.feed("a line\n"), flow.feed("price: s"), flow.feed("ix\n")] == ["a line\n", "price: ", "six\n"]


def test_without_secrets_nothing_is_touched():
    text, data, table = "any text", b"any \xff bytes", {"any": ["data"]}
    known = KnownSecrets(["short"])
    assert not known
    assert known.hide(text) is text
    assert known.hide_in(table) is table
    assert TextStreamRedactor(known).feed(text) is text
    assert ByteStreamRedactor(known).feed(data) is data


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner)))
def test_plain_data_keeps_its_shape(value):
    wrapped = {"kept": value, KEY: [f"<{KEY}>", {"deep": KEY}]}
    assert KnownSecrets([KEY]).hide_in(wrapped) == {"kept": value, "***": ["<***>", {"deep": "***"}]}


@pytest.mark.parametrize("shown", [PEM, json.dumps(PEM), PEM.replace("\n", "\r\n"), PEM.replace("\n", "\n    12\t")])
def test_a_key_of_several_lines_is_hidden_however_its_lines_are_shown(shown):
    hidden = KnownSecrets([PEM]).hide(shown)
    assert LINE not in hidden
    assert LINE[::-1] not in hidden


def test_a_value_that_is_no_unicode_is_hidden_too():
    value = b"p\xe4ssw\xf6rd-123".decode(errors="surrogateescape")
    assert KnownSecrets([value]).hide(f"<{value}>") == "<***>"
    assert ByteStreamRedactor(KnownSecrets([value])).feed(b"<p\xe4ssw\xf6rd-123>") == b"<***>"
    assert KnownSecrets(["no-system-has-\ud800"]).in_bytes


def test_known_secrets_do_not_show_themselves():
    assert KEY not in repr(KnownSecrets([KEY]))
