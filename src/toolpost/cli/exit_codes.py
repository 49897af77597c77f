"""What the exit status says; scripts look at it, never at the text."""

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
    OK: "answered",
    FAILED: "failed: the model or the store",
    USAGE: "wrong usage or configuration",
    LIMIT: "a limit ended the run (steps, tokens, cost, seconds)",
    DENIED: "a call was denied because nobody was there to allow it, or the run was ended for it",
    STOPPED: "stopped by Ctrl-C or SIGTERM; the session is kept and can go on",
    OUTPUT_CLOSED: "whoever read the output has closed it",
}


def of_reason(reason: "RunReason") -> int:
    match reason:
        case "done" | "handed_over":
            return OK
        case "limit":
            return LIMIT
        case "denied" | "repetition":
            return DENIED
        case "aborted":
            return STOPPED
        case "error":
            return FAILED
