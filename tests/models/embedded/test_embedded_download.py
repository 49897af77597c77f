"""A download from an address: it goes on where it broke off, as long as the file is the same one."""

import os

import pytest
from tiny_weights import GGUF, left_in, serving

from toolpost.models.embedded.weights.folder import pulled
from toolpost.models.embedded.weights.pull import pull
from toolpost.types.errors import ConfigError


@pytest.fixture
def cache(tmp_path):
    return {**os.environ, "TOOLPOST_CACHE_DIR": str(tmp_path / "cache")}


@pytest.fixture
def shelf():
    with serving(GGUF * 8) as server:
        yield server


def ranges(shelf) -> list[str]:
    return [asked for _, asked in shelf.asked]


def test_a_file_is_pulled_by_its_address(cache, shelf):
    seen = []
    path = pull(f"{shelf.url}?key=secret", progress=lambda *told: seen.append(told), environ=cache)
    assert path.read_bytes() == shelf.content
    assert seen[-1] == (len(shelf.content), len(shelf.content))
    assert left_in(cache) == ["big.gguf"]


def test_a_file_whose_length_is_not_told_is_taken_to_its_end(cache, shelf):
    shelf.is_chunked = True
    assert pull(shelf.url, environ=cache).read_bytes() == shelf.content


def test_a_download_that_was_cut_goes_on_where_it_stopped(cache, shelf):
    shelf.cuts = 1
    with pytest.raises(ConfigError, match="run the same command again"):
        pull(shelf.url, environ=cache)
    assert pulled(cache) == []
    assert pull(shelf.url, environ=cache).read_bytes() == shelf.content
    assert ranges(shelf) == ["", f"bytes={len(shelf.content) // 2}-"]
    assert left_in(cache) == ["big.gguf"]


def test_a_download_behind_a_redirect_goes_on_too(cache, shelf):
    """Vendors' addresses lead to another host each time."""
    shelf.cuts = 1
    moved = shelf.url.replace("big", "moved")
    with pytest.raises(ConfigError):
        pull(moved, environ=cache)
    assert pull(moved, environ=cache).read_bytes() == shelf.content
    assert shelf.asked[-1] == ("/big.gguf", f"bytes={len(shelf.content) // 2}-")


def test_a_server_that_is_gone_for_a_while_costs_nothing_of_what_came(cache, shelf):
    shelf.cuts = 1
    for status in (200, 503):
        shelf.status = status
        with pytest.raises(ConfigError):
            pull(shelf.url, environ=cache)
    shelf.status = 200
    pull(shelf.url, environ=cache)
    assert ranges(shelf)[-1] == f"bytes={len(shelf.content) // 2}-"


def test_a_file_that_changed_meanwhile_is_begun_anew(cache, shelf):
    shelf.cuts = 1
    with pytest.raises(ConfigError):
        pull(shelf.url, environ=cache)
    shelf.content, shelf.tag = GGUF * 5, '"two"'
    assert pull(shelf.url, environ=cache).read_bytes() == shelf.content


@pytest.mark.parametrize("tag", ["", 'W/"one"'])
def test_without_a_tag_that_promises_the_same_bytes_it_is_begun_anew(cache, shelf, tag):
    shelf.tag, shelf.cuts = tag, 1
    with pytest.raises(ConfigError):
        pull(shelf.url, environ=cache)
    assert pull(shelf.url, environ=cache).read_bytes() == shelf.content
    assert ranges(shelf) == ["", ""]


def test_a_web_page_is_refused_before_it_is_downloaded(cache, shelf):
    shelf.content = b"<html>" * 1000
    with pytest.raises(ConfigError, match="not a GGUF file") as caught:
        pull(f"{shelf.url}?key=secret", environ=cache)
    assert "secret" not in str(caught.value)
    assert left_in(cache) == []


def test_an_address_that_does_not_answer_is_said(cache):
    with pytest.raises(ConfigError, match="can't be reached"):
        pull("http://127.0.0.1:9/x.gguf", environ=cache)
    with pytest.raises(ConfigError, match="there is no file"):
        pull("nowhere.gguf", environ=cache)
