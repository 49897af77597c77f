"""What went wrong with a server, in words for a person or a model."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from toolpost.tools.untrusted import untrusted
from toolpost.types.errors import ToolError, ToolpostError

if TYPE_CHECKING:
    from mcp import MCPError


class NoSession(ToolError):
    """The server no longer knows our session, so it did not look at what was asked."""


def call_error(error: Exception, server: str, what: str, statuses: Sequence[int] = ()) -> Exception:
    """The error for a model that called `what`."""
    # Imported here: see transports.py.
    from mcp import MCPError, types

    if isinstance(error, ToolpostError):
        return error
    if not isinstance(error, MCPError):
        return ToolError(f"The MCP server {server} gave an answer to {what} that can't be used: {reason_of(error)}")
    if error.code == types.CONNECTION_CLOSED:
        return ToolError(
            f"The connection to the MCP server {server} broke during {what}. Whether it was done is not known: "
            "check before you try it again."
        )
    if 404 in statuses:
        return NoSession(f"The MCP server {server} does not know {what}.")
    if 401 in statuses:
        return ToolError(f"The MCP server {server} wants a login; the user can give one: toolpost mcp login {server}")
    if error.code == types.URL_ELICITATION_REQUIRED:
        return ToolError(f"The user has to open an address first: {_addresses(error)}")
    return ToolError(untrusted(error.message or "it failed without a word", f"MCP server {server}"))


def reason_of(error: BaseException) -> str:
    """The first thing that went wrong, however deep the SDK's task groups have packed it."""
    leaf = first_leaf(error)
    text = str(leaf).strip().splitlines()
    return text[0] if text else type(leaf).__name__


def first_leaf(error: BaseException) -> BaseException:
    leaf: BaseException = error
    while isinstance(leaf, BaseExceptionGroup):
        leaf = cast("BaseExceptionGroup[BaseException]", leaf).exceptions[0]
    return leaf


def _addresses(error: "MCPError") -> str:
    from mcp import UrlElicitationRequiredError

    return ", ".join(wanted.url for wanted in UrlElicitationRequiredError.from_error(error.error).elicitations)
