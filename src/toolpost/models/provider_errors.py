"""Classify errors of providers: one table from HTTP status and text to the code of a `ModelError`."""

import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from toolpost.types.errors import RETRYABLE_CODES, ModelError
from toolpost.types.messages import ErrorInfo

MESSAGE_LIMIT = 600

_BY_STATUS = {
    400: "bad_request",
    401: "auth",
    402: "spend_limit",
    403: "auth",
    404: "not_found",
    408: "timeout",
    409: "server",
    413: "bad_request",
    422: "bad_request",
    429: "rate_limit",
    529: "overloaded",
}

_BY_WORD = {
    "rate_limit": 429,
    "overloaded": 529,
    "auth": 401,
    "permission": 403,
    "not_found": 404,
    "too_large": 413,
    "invalid_request": 400,
}

_OVERFLOW = re.compile(
    r"context_length_exceeded|exceed_context_size|string_above_max_length|model_context_window_exceeded"
    r"|maximum context|max(imum)? (prompt|input) (length|tokens)|context (length|window|size)|prompt is too long"
    r"|exceeds? the (model'?s )?(maximum |available )?context|input (length|is too long|token count)|max_model_len"
    r"|too many (input )?tokens|reduce the length"
    r"|上下文.{0,12}(超|过长|限制)|(输入|提示|prompt|tokens?).{0,16}(过长|太长|超过|超出|超长)|超(过|出).{0,12}(上下文|最大长度|token)",
    re.IGNORECASE,
)
_OUTPUT_TOO_LARGE = re.compile(r"max_(completion_)?tokens\W.{0,40}too large", re.IGNORECASE)
_SPEND = re.compile(
    r"insufficient_quota|insufficient[ _](balance|credit|funds)|credit balance|billing_(error|hard_limit)"
    r"|out of credits|spend(ing)?[ _]limit|payment required|arrearage|account_?overdue|quota_exceeded_error"
    r"|quotaId\"\s*:\s*\"\w*PerDay|余额不足|欠费|额度(不足|已用)",
    re.IGNORECASE,
)
_QUOTA = re.compile(r"exceeded your current quota", re.IGNORECASE)
_NO_MODEL = re.compile(
    r"model_not_found|modelnotfound|(model|endpoint).{0,80}(does not exist|not found|not exist)|模型不存在",
    re.IGNORECASE,
)
_FILTER = re.compile(r"content_filter|content_policy|data_inspection_failed|sensitivecontent|内容安全", re.IGNORECASE)
_BAD_KEY = re.compile(r"API_KEY_INVALID|api key (not valid|expired)", re.IGNORECASE)
# Google says in the body how long to wait.
_RETRY_INFO = re.compile(r'"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"')
_OVERLOADED = re.compile(r"overloaded|server_busy|engine is currently busy|at capacity|服务繁忙", re.IGNORECASE)


class ProviderRefusal(ModelError):
    """A server's own no: besides what it means, its headers and its body, without our secrets."""

    def __init__(self, info: ErrorInfo, headers: Mapping[str, str], body: bytes) -> None:
        super().__init__(info)
        self.headers = headers
        self.body = body


def model_error(code: str, message: str, *, status: int | None = None) -> ModelError:
    return ModelError(ErrorInfo(code, message, status, code in RETRYABLE_CODES))


def from_response(
    where: str, status: int, headers: Mapping[str, str], body: bytes, secrets: Sequence[str] = ()
) -> ModelError:
    """The error of an HTTP answer with status 300 or more. `where` is the URL without its secrets."""
    if 300 <= status < 400:
        target = scrub(headers.get("location", "elsewhere").split("?")[0], secrets)
        text = f"{where} redirects to {target}: set the provider's base_url to where it leads"
        return model_error("bad_request", text, status=status)
    described, text = describe(body)
    after = retry_after(headers)
    if after is None:
        after = _retry_info(described)
    code = classify(status, described, after)
    message = scrub(f"{where} answered {status}: {text or 'no text'}{_hint(code)}", secrets)
    retryable = {"true": True, "false": False}.get(headers.get("x-should-retry", ""), code in RETRYABLE_CODES)
    told = scrub(body.decode("utf-8", "replace"), secrets).encode()
    return ProviderRefusal(ErrorInfo(code, message, status, retryable, after), headers, told)


def from_error_object(error: Any, secrets: Sequence[str] = ()) -> ErrorInfo:
    """The error that a server sends inside a stream that began with 200."""
    raw = msgspec.json.encode({"error": error})
    described, text = describe(raw)
    status = _status_in(error)
    after = _retry_info(described)
    code = classify(status or 500, described, after)
    message = scrub(text or "the server reported an error", secrets)
    return ErrorInfo(code, message, status, code in RETRYABLE_CODES, after)


def classify(status: int, text: str, after: float | None) -> str:
    if _SPEND.search(text) or (status == 429 and after is None and _QUOTA.search(text)):
        return "spend_limit"
    if status in (400, 413, 422, 500) and _OVERFLOW.search(text) and not _OUTPUT_TOO_LARGE.search(text):
        return "context_overflow"
    if status == 400 and _BAD_KEY.search(text):
        return "auth"
    if status == 400 and _FILTER.search(text):
        return "content_filter"
    if status in (400, 422) and _NO_MODEL.search(text):
        return "not_found"
    if status in (500, 503) and _OVERLOADED.search(text):
        return "overloaded"
    return _BY_STATUS.get(status, "server" if status >= 500 else "bad_request")


def describe(body: bytes) -> tuple[str, str]:
    """Return all that may tell what went wrong, and the one text for a person."""
    raw = body.decode("utf-8", "replace").strip()
    try:
        value: Any = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        text = re.sub(r"\s+", " ", re.sub(r"<[^>]{0,200}>", " ", raw)).strip()
        return raw, text[:MESSAGE_LIMIT]
    return raw, (_message_of(value) or raw)[:MESSAGE_LIMIT]


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds to wait, from `retry-after-ms` or `retry-after` (seconds or an HTTP date)."""
    try:
        if millis := headers.get("retry-after-ms"):
            return max(0.0, float(millis) / 1000)
        value = headers.get("retry-after")
        if not value:
            return None
        if re.fullmatch(r"\s*\d+(\.\d+)?\s*", value):
            return float(value)
        # Its import costs more than all the rest here, and dates are rare.
        from email.utils import parsedate_to_datetime

        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _retry_info(text: str) -> float | None:
    found = _RETRY_INFO.search(text)
    return float(found[1]) if found else None


def scrub(text: str, secrets: Sequence[str]) -> str:
    """Take every secret out of a text: some servers quote the key they refuse."""
    for secret in secrets:
        if len(secret) >= 4:
            text = text.replace(secret, "***")
    return text


def _message_of(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        items = cast("list[Any]", value)[:5]
        return "; ".join(filter(None, (_message_of(item) for item in items)))
    if not isinstance(value, dict):
        return ""
    fields = cast("dict[str, Any]", value)
    for key in ("error", "message", "msg", "detail", "details", "errors", "error_msg"):
        if text := _message_of(fields.get(key)):
            return text
    return ""


def _status_in(error: Any) -> int | None:
    if not isinstance(error, dict):
        return None
    fields = cast("dict[str, Any]", error)
    for key in ("code", "status", "status_code", "http_code"):
        value = fields.get(key)
        if isinstance(value, str) and value.isdigit():
            value = int(value)
        if isinstance(value, int) and 400 <= value < 600:
            return value
    kind = f"{fields.get('type', '')} {fields.get('code', '')}".lower()
    return next((status for word, status in _BY_WORD.items() if word in kind), None)


def _hint(code: str) -> str:
    if code == "auth":
        return " (check the API key and what it is allowed)"
    if code == "not_found":
        return " (check the model's name, and that base_url ends where the API begins, often in /v1)"
    return ""
