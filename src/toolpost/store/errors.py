"""The errors that all stores raise, and their texts."""

from toolpost.types.errors import MessageNotFound, StoreError

CLOSED_TEXT = "the store is closed: open it again"


def event_taken(session_id: str, seq: int) -> StoreError:
    """Two writers of one session would show here first: refuse, rather than keep two events under one `seq`."""
    return StoreError(f"session {session_id} already has an event {seq}: does another process run the session?")


def already_there(session_id: str) -> StoreError:
    return StoreError(f"there is already a session {session_id}: choose another id")


def no_message(session_id: str, message_id: str) -> StoreError:
    return MessageNotFound(session_id, message_id)


def busy_text(session_id: str, holder: str) -> str:
    return (
        f"session {session_id} has a run in {holder}: "
        "wait until that run has ended, stop it, or fork the session to go on at once"
    )
