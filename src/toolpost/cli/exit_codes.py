"""The exit statuses of the command line."""

TYPE_CHECKING = False  # without importing `typing`: see main.py
if TYPE_CHECKING:
    from toolpost.types.events import RunReason

OK = 0
FAILED = 1
USAGE = 2
LIMIT = 3
DENIED = 4
STOPPED = 130
OUTPUT_CLOSED = 141

EXIT_CODES = {
    OK: "success",
    FAILED: "failure, such as of the model, the store or a check",
    USAGE: "wrong usage or configuration",
    LIMIT: "the run reached a limit (steps, tokens, cost, seconds)",
    DENIED: "a call was denied because no person could approve it, or the run ended for it",
    STOPPED: "stopped by Ctrl-C or SIGTERM; the session is saved and can be continued",
    OUTPUT_CLOSED: "output closed by the reader (SIGPIPE)",
}


def of_reason(reason: "RunReason") -> int:
    match reason:
        case "done" | "handed_over":
            return OK
        case "limit":
            return LIMIT
        case "denied" | "repetition":
            return DENIED
        case "aborted" | "parked":
            return STOPPED
        case "error":
            return FAILED
