"""What is taken out of the errors that clients read, and what stays."""

import pytest

from toolpost.server.gateway.targets import HiddenAddress
from toolpost.types.messages import ErrorInfo


def told(message: str, url: str = "https://api.vendor.example/v1", status: int | None = 400) -> str:
    return HiddenAddress(url, "vendor").told(ErrorInfo("bad_request", message, status)).message


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("https://api.vendor.example/v1/chat/completions answered 400: no", "vendor answered 400: no"),
        ("https://user:pw@api.vendor.example:8443/v1: no", "vendor: no"),
        ("the certificate is not valid for 'api.vendor.example'.", "the certificate is not valid for 'vendor'."),
        ("API.VENDOR.EXAMPLE says no", "vendor says no"),
        ("see https://docs.vendor.example/limits.", "see https://docs.vendor.example/limits."),
        ("my-api.vendor.example.org is another host", "my-api.vendor.example.org is another host"),
        ("http://10.0.0.5:8000/generate died", "another server died"),
        ("connect to 192.168.1.7:11434 failed", "connect to another server failed"),
        ("localhost:1234 is not there", "another server is not there"),
        ("http://[::1]:9/x and [fe80::1]", "another server and another server"),
        ("http://worker-3/x and http://vllm.svc:80/", "another server and another server"),
        ("8.8.8.8 is public, version 1.2.3 is none", "8.8.8.8 is public, version 1.2.3 is none"),
    ],
)
def test_only_addresses_of_ours_are_taken_out(message: str, said: str) -> None:
    assert told(message) == said


def test_a_server_with_a_bare_name_is_hidden_where_it_stands_as_an_address() -> None:
    said = told("http://vllm:8000/v1 answered 400: vllm has no such model", "http://vllm:8000/v1")
    assert said == "vendor answered 400: vllm has no such model"


def test_in_our_own_words_every_address_is_of_an_upstream() -> None:
    said = told("https://api.vendor.example/v1 redirects to https://new.vendor.example/v2: set base_url", status=308)
    assert said == "vendor redirects to another server: set base_url"


def test_an_address_that_can_t_be_read_hides_nothing_and_harms_nothing() -> None:
    assert told("no", "http://[") == told("no", "") == "no"


@pytest.mark.parametrize("piece", ["a.", "://", "a://", "/", "http://a/", "[", "1.", "@", "http://", "api.vendor."])
def test_a_megabyte_of_anything_takes_linear_time(piece: str) -> None:
    """A pattern that looks back would take longer than a test may."""
    assert len(told(piece * (1_000_000 // len(piece)))) > 1000
