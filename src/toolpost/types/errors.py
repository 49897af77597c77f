"""The exceptions that Toolpost raises.

ToolpostError
├── ConfigError            a setting is wrong; the text says where and what to do
│   ├── RunStaysOpen       a run can't go on here as things are: it stays open, and the text says what it needs
│   ├── UsageError         the SDK was called in a wrong way; a `TypeError` too
│   └── WiringError        inside a run only: the caller of the run gets a `UsageError`
├── ModelError             a provider or its wire failed; carries an `ErrorInfo`
├── StoreError             the store cannot do it
│   ├── SessionNotFound
│   ├── MessageNotFound
│   ├── RunNotStored       a run has ended, but its end could not be stored; carries its `result`
│   ├── StoreFull          the disk of the store is full
│   └── SessionBusy        another run, here or in another process, holds the session
│       └── SessionTakenOver   this process held it, was frozen or cut off, and another one took it over
├── OutputError            the model gave no valid structured output
├── PermissionDenied       `ctx.ask` was refused
└── ToolError              raised by a tool: the model reads the message

Codes of `ModelError`: auth, spend_limit, rate_limit, own_limit, overloaded, server, network, unreachable, timeout,
truncated, context_overflow, bad_request, not_found, content_filter, unknown_price, protocol. Programs look at the
code, never at the text.
"""

from typing import Any

from .messages import CallErrorKind, ErrorInfo

RETRYABLE_CODES = frozenset({"rate_limit", "overloaded", "server", "network", "timeout", "truncated"})


class ToolpostError(Exception):
    """Base of everything that Toolpost raises."""


class ConfigError(ToolpostError):
    pass


class UsageError(ConfigError, TypeError):
    pass


class WiringError(ConfigError):
    """What the user's code handed to a run does not fit: a hook's answer of a wrong type, say. It ends the run. A tool
    that runs an agent of its own never lets one out, so it is always about the run in which it is raised."""


class RunStaysOpen(ConfigError):
    pass


class ModelError(ToolpostError):
    def __init__(self, info: ErrorInfo) -> None:
        super().__init__(info.message)
        self.info = info

    @property
    def code(self) -> str:
        return self.info.code


class StoreError(ToolpostError):
    pass


class SessionNotFound(StoreError):
    def __init__(self, session_id: str) -> None:
        super().__init__(f"no session {session_id}: `toolpost sessions --all` lists them")
        self.session_id = session_id


class MessageNotFound(StoreError):
    def __init__(self, session_id: str, message_id: str) -> None:
        super().__init__(f"session {session_id} has no message {message_id}")
        self.message_id = message_id


class RunNotStored(StoreError):
    """What the model answered is in `result` (a `RunResult`), and nowhere else."""

    def __init__(self, message: str, result: Any) -> None:
        super().__init__(message)
        self.result = result


class StoreFull(StoreError):
    pass


class SessionBusy(StoreError):
    pass


class SessionTakenOver(SessionBusy):
    def __init__(self, session_id: str) -> None:
        super().__init__(
            f"session {session_id} was taken over by another process while this one was frozen or cut off: this change "
            "was not saved; open the session again, or fork it to go on at once"
        )


class OutputError(ToolpostError):
    pass


class PermissionDenied(ToolpostError):
    pass


class ToolError(ToolpostError):
    """Raise it in a tool with a text that tells the model what was wrong and what to try."""

    def __init__(self, message: str, *, kind: CallErrorKind = "failed") -> None:
        super().__init__(message)
        self.kind: CallErrorKind = kind
