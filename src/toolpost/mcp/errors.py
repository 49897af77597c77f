"""Describe errors of MCP servers for a person or a model."""

from collections.abc import Callable, Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING, cast

from msgspec import Struct

from toolpost.guard.redact import known_redactor
from toolpost.tools.untrusted import untrusted
from toolpost.types.errors import ToolError, ToolpostError

from .tools import one_line

if TYPE_CHECKING:
    from mcp import MCPError

# Marks what a server said, given with where it is from: for a model as data, for a person not at all.
Mark = Callable[[str, str], str]

MAX_REASON = 300
MAX_READ = 10_000
# What the SDK says where it has only a status.
_FOR_A_STATUS = ("Server returned an error response", "Not Found", "Session terminated")


class HttpFailure(Struct, frozen=True):
    """An HTTP error response: its status and text. `scope` is the scope that the login lacks, if that is the
    reason."""

    status: int
    text: str = ""
    scope: str | None = None

    def __str__(self) -> str:
        known = self.status in HTTPStatus.__members__.values()
        name = f"HTTP {self.status}{f' {HTTPStatus(self.status).phrase}' if known else ''}"
        return f"{name}: {self.text}" if self.text else name


class NeedsScope(ToolError):
    """The login lacks a scope; a login with a wider scope may allow this."""


class NoSession(ToolError):
    """The server has forgotten our session and did not process the request."""


class ConnectionBroken(ToolError):
    """The connection ended during a request."""


def call_error(
    error: Exception,
    server: str,
    what: str,
    failures: Sequence[HttpFailure] = (),
    *,
    reason: str = "",
    mark: Mark = untrusted,
) -> Exception:
    """The error for the caller of `what`. `failures` are what HTTP requests met meanwhile; `reason` is why we ended
    the connection, where we did; `mark` marks the server's own words."""
    # Imported here: see transports.py.
    from mcp import MCPError, types

    if isinstance(error, ToolpostError):
        return error
    is_mcp = isinstance(error, MCPError)
    http = _http_error(failures, server, what, mark)
    if not is_mcp and not reason:
        text = f"The MCP server {server} sent an invalid response to {what}: {reason_of(error)}"
        return http or ToolError(text)
    # Servers use the SDK's code for their own errors too.
    closed = is_mcp and error.code == types.CONNECTION_CLOSED and error.message == "Connection closed"
    if reason or not is_mcp or (closed and http is None):
        return ConnectionBroken(
            f"The connection to the MCP server {server} was lost during {what}{f': {reason}' if reason else ''}. "
            "It is not known whether it was done: check before you try again."
        )
    if error.code == types.URL_ELICITATION_REQUIRED:
        asked = mark(_addresses(error), f"MCP server {server}")
        return ToolError(f"The user must open this address first:\n{asked}")
    # What a server says of itself in the protocol's words is better than the status that came with it.
    if http is not None and (isinstance(http, NoSession | NeedsScope) or error.message in _FOR_A_STATUS):
        return http
    return ToolError(mark(error.message or "it failed without a message", f"MCP server {server}"))


def _http_error(failures: Sequence[HttpFailure], server: str, what: str, mark: Mark) -> ToolError | None:
    if not failures:
        return None
    last = failures[-1]
    if last.scope is not None:
        wanted = f" (scope: {last.scope})" if last.scope else ""
        how = f"the user can log in: toolpost mcp login {server}"
        return NeedsScope(f"The MCP server {server} requires a login with more permissions for {what}{wanted}; {how}")
    match last.status:
        case HTTPStatus.NOT_FOUND:
            return NoSession(f"The MCP server {server} does not know {what}.")
        case HTTPStatus.UNAUTHORIZED:
            return ToolError(
                f"The MCP server {server} requires a login; the user can log in: toolpost mcp login {server}"
            )
        case _:
            said = mark(str(last), f"MCP server {server}")
            return ToolError(f"The MCP server {server} answered {what} with an error:\n{said}")


def reason_of(error: BaseException, failures: Sequence[HttpFailure] = ()) -> str:
    """The first thing that went wrong, however deep the SDK's task groups have packed it, in one line; with the HTTP
    status and its text, where the SDK's own words leave them out.

    The words may be the server's, and the address in them may hold a key.
    """
    leaf = first_leaf(error)
    text = one_line(known_redactor().text(str(leaf)[:MAX_READ].strip()).partition("\n")[0])
    if failures and (not text or text in _FOR_A_STATUS or hasattr(leaf, "response")):
        text = str(failures[-1])
    return text[:MAX_REASON] or type(leaf).__name__


def first_leaf(error: BaseException) -> BaseException:
    leaf: BaseException = error
    while isinstance(leaf, BaseExceptionGroup):
        leaf = cast("BaseExceptionGroup[BaseException]", leaf).exceptions[0]
    return leaf


def _addresses(error: "MCPError") -> str:
    from mcp import UrlElicitationRequiredError

    try:
        return "\n".join(wanted.url for wanted in UrlElicitationRequiredError.from_error(error.error).elicitations)
    except ValueError:
        return error.message
