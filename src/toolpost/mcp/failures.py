"""What went wrong with a server, in words for a person or a model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from toolpost.guard.redact import known_redactor
from toolpost.tools.untrusted import untrusted
from toolpost.types.errors import ToolError, ToolpostError

from .tools import one_line

if TYPE_CHECKING:
    from mcp import MCPError

LONGEST_REASON = 300
MOST_READ = 10_000


class NoSession(ToolError):
    """The server no longer knows our session, so it did not look at what was asked."""


class Broken(ToolError):
    """The connection ended while something was asked."""


def call_error(
    error: Exception, server: str, what: str, statuses: Sequence[int] = (), *, reason: str = ""
) -> Exception:
    """The error for a model that called `what`. `reason` is why we ended the connection, where we did."""
    # Imported here: see transports.py.
    from mcp import MCPError, types

    if isinstance(error, ToolpostError):
        return error
    is_mcp = isinstance(error, MCPError)
    if not is_mcp and not reason:
        return ToolError(f"The MCP server {server} gave an answer to {what} that can't be used: {reason_of(error)}")
    if reason or not is_mcp or error.code == types.CONNECTION_CLOSED:
        return Broken(
            f"The connection to the MCP server {server} broke during {what}{f': {reason}' if reason else ''}. "
            "Whether it was done is not known: check before you try it again."
        )
    if 404 in statuses:
        return NoSession(f"The MCP server {server} does not know {what}.")
    if 401 in statuses:
        return ToolError(f"The MCP server {server} wants a login; the user can give one: toolpost mcp login {server}")
    if error.code == types.URL_ELICITATION_REQUIRED:
        asked = untrusted(_addresses(error), f"MCP server {server}")
        return ToolError(f"The user has to open an address first, which the server gives:\n{asked}")
    return ToolError(untrusted(error.message or "it failed without a word", f"MCP server {server}"))


def reason_of(error: BaseException) -> str:
    """The first thing that went wrong, however deep the SDK's task groups have packed it, in one line.

    The words may be the server's, and the address in them may hold a key.
    """
    leaf = first_leaf(error)
    text = one_line(known_redactor().text(str(leaf)[:MOST_READ].strip()).partition("\n")[0])
    return text[:LONGEST_REASON] or type(leaf).__name__


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
