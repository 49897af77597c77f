"""The errors of the HTTP client, and one sentence for each.

HttpClientError
├── ConnectTimedOut      the connection was not open in time
├── ProxyFailed          the proxy can't be used, or it refused
│   └── ProxyUnreachable there is no connection to the proxy itself
├── ResponseStalled      no byte came for the idle timeout
├── ResponseCut          the connection ended in the middle of the response
├── BadResponse          what came is not HTTP/1.1
├── BodyTooLarge         the body, or what surrounds it, passed its limit
├── UndecodableBody      the body is not what its Content-Encoding says, or we can't decode it
└── RedirectRefused      one redirect too many, one of a request other than GET, or one from https to http

Besides these a request raises `OSError` as it comes (`ssl.SSLError` and `socket.gaierror` are such), and `ValueError`
for a URL or a header that HTTP can't carry.
"""

import os
import ssl
from socket import gaierror


class HttpClientError(Exception):
    """The request failed in one of the ways below."""


class ConnectTimedOut(HttpClientError):
    pass


class ProxyFailed(HttpClientError):
    pass


class ProxyUnreachable(ProxyFailed):
    pass


class ResponseStalled(HttpClientError):
    pass


class ResponseCut(HttpClientError):
    pass


class BadResponse(HttpClientError):
    pass


class BodyTooLarge(HttpClientError):
    pass


class UndecodableBody(HttpClientError):
    pass


class RedirectRefused(HttpClientError):
    pass


def explain(error: Exception) -> str:
    """Say what happened and what to try. The URL is left to the caller, since it may hold secrets."""
    match error:
        case ConnectTimedOut():
            return f"{error}; is the host right, and is there a proxy to set (HTTPS_PROXY)?"
        case ProxyFailed():
            return f"{error}; check HTTPS_PROXY and ALL_PROXY, or name the host in NO_PROXY"
        case ResponseStalled():
            return f"{error}; the response was given up"
        case ssl.SSLCertVerificationError():
            return f"the certificate is not trusted ({error.verify_message}); set SSL_CERT_FILE if it should be"
        case ssl.SSLError():
            return f"TLS failed ({error.reason}); should the URL begin with http://?"
        case gaierror():
            return "the host name is not known; is it spelt right, and is there a network?"
        case ConnectionResetError() | BrokenPipeError():
            return "the connection was reset"
        case OSError():
            return f"cannot connect ({os_reason(error)}); is the server running there?"
        case UnicodeError():
            return "the URL, a header or the key holds characters that HTTP cannot carry"
        case _:
            return str(error)


def os_reason(error: OSError) -> str:
    """Return the system's own words, such as "Connection refused", which asyncio replaces by the address."""
    if error.errno is not None and error.errno > 0:
        return os.strerror(error.errno)
    return str(error) or type(error).__name__
