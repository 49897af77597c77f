"""Encode ids of calls in the characters that Anthropic's wire allows, and decode them.

An id that fits goes out as it stands. Any other is spelled in base64 behind a mark, so that a client's answer leads
back to the id that the model gave.
"""

import base64
import binascii
import re

from toolpost.models.message_parts import digest

_MARK = "toolu_tp_"
_LONGEST = 64
_FITS = re.compile(r"[A-Za-z0-9_-]{1,64}")
_SHOWN = "mcptoolu_"
_RUN_HERE = "toolu_here_"
_SHOWN_FITS = re.compile(r"[A-Za-z0-9_-]{1,55}")


def to_wire(call_id: str) -> str:
    """Encode the id of a call that the client runs."""
    if _FITS.fullmatch(call_id) and not call_id.startswith(_MARK):
        return call_id
    spelled = _MARK + base64.urlsafe_b64encode(call_id.encode("utf-8", "surrogatepass")).decode().rstrip("=")
    return spelled if len(spelled) <= _LONGEST else "toolu_" + digest(call_id, 24)


def from_wire(wire_id: str) -> str:
    """Decode an id that `to_wire` encoded; return any other id unchanged."""
    spelled = wire_id.removeprefix(_MARK)
    if spelled == wire_id:
        return wire_id
    try:
        found = base64.b64decode(spelled + "=" * (-len(spelled) % 4), b"-_", validate=True)
        call_id = found.decode("utf-8", "surrogatepass")
    except (binascii.Error, ValueError):
        return wire_id
    return call_id if to_wire(call_id) == wire_id else wire_id


def to_run_here(call_id: str) -> str:
    """Encode the id of a call that runs here and is shown to the client as a `tool_use`."""
    if is_run_here(call_id) and _FITS.fullmatch(call_id):
        return call_id
    fits = _FITS.fullmatch(call_id) and len(call_id) <= _LONGEST - len(_RUN_HERE)
    return _RUN_HERE + (call_id if fits else digest(call_id, 24))


def is_run_here(wire_id: str) -> bool:
    return wire_id.startswith(_RUN_HERE)


def to_shown(call_id: str) -> str:
    """Encode the id of a call that runs here and is shown to the client as an `mcp_tool_use`."""
    if call_id.startswith(_SHOWN) and _FITS.fullmatch(call_id):
        return call_id
    return _SHOWN + (call_id if _SHOWN_FITS.fullmatch(call_id) else digest(call_id, 24))
