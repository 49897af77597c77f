"""Read requests of the chat, and find their place in the stored conversation.

The stored tree is the truth: of the history that a client sends along only ids are looked at, to find the place.
"""

import base64
import binascii
from collections.abc import Sequence
from typing import Annotated, Any, Literal
from urllib.parse import unquote_to_bytes

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType, field

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.types.messages import FilePart

from .ai_sdk.stream import Approvals, Retraction
from .message_tree import MessageTree

_MAX_FILES = 20
_MAX_BYTES = 20_000_000
_NAME_CHARS = 200
_IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
_TYPES = (*_IMAGES, "application/pdf")
MAX_MESSAGES = 10_000


class GivenFile(Struct, frozen=True):
    """A file of the AI SDK's: `url` is a data URL."""

    url: Annotated[str, Meta(description="A data URL: data:image/png;base64,…")]
    media_type: str = field(name="mediaType", default="")
    filename: str = ""


def file_parts(given: Sequence[GivenFile]) -> list[FilePart]:
    """Read images, PDF documents and texts. Other files, and too many or too large ones, are refused."""
    if len(given) > _MAX_FILES:
        raise BadRequest(f"{len(given)} files in one prompt: send at most {_MAX_FILES}", code="too_many_files")
    parts: list[FilePart] = []
    size = 0
    for file in given:
        mime, data = _read(file)
        size += len(data)
        if size > _MAX_BYTES:
            text = f"the files of one prompt must not be larger than {_MAX_BYTES:,} bytes in total"
            raise Refusal("too_large", text, code="files_too_large")
        parts.append(FilePart(_type_of(file, mime, data), base64.b64encode(data).decode(), name=_name_of(file)))
    return parts


def _read(file: GivenFile) -> tuple[str, bytes]:
    scheme, _, rest = file.url.partition(":")
    head, comma, content = rest.partition(",")
    if scheme.lower() != "data" or not comma:
        raise BadRequest(f"{_shown(file)}: only data URLs are accepted: send the file itself, not a link to it")
    mime, *parameters = [word.strip().lower() for word in head.split(";")]
    try:
        data = unquote_to_bytes(content)
        return mime, base64.b64decode(data, validate=True) if "base64" in parameters else data
    except binascii.Error:
        raise BadRequest(f"{_shown(file)}: its data URL is not valid base64") from None


def _type_of(file: GivenFile, mime: str, data: bytes) -> str:
    """Return the media type, if the file is of an accepted kind; browsers do not know the types of most text files."""
    wanted = (file.media_type.partition(";")[0].strip().lower() or mime).replace("image/jpg", "image/jpeg")
    if wanted in _TYPES:
        return wanted
    if _is_text(data):
        return wanted if wanted.startswith("text/") or wanted == "application/json" else "text/plain"
    images = ", ".join(_IMAGES)
    raise BadRequest(
        f"{_shown(file)} is {wanted or 'of an unknown type'}: send an image ({images}), a PDF or a text file",
        code="file_type",
    )


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def _name_of(file: GivenFile) -> str:
    """Return the file name without its folders, which are private."""
    return file.filename.replace("\\", "/").rpartition("/")[2][:_NAME_CHARS]


def _shown(file: GivenFile) -> str:
    return f"the file {_name_of(file)!r}" if file.filename else "a file"


class GivenMessage(Struct, frozen=True):
    """A UI message of the AI SDK's."""

    id: str = ""
    role: str = "user"
    parts: list[dict[str, Any]] = []


class ChatBody(Struct, frozen=True):
    """The AI SDK's body (`id`, `messages`, `trigger`, `messageId`), or plainly `message` and `conversation_id`.

    `model`, `agent`, `system` and `variant` (of the model) hold for this run; `switch_off` names tools that are not
    offered. `approvals`: "end" closes the stream while a person is asked, as the AI SDK wants it, "live" leaves it
    open. `retract` says how what a failed attempt has shown is taken back: "mark" says in the text that it broke off,
    for version 6 of the AI SDK, "reset-step" sends the chunk of that name, for version 7.
    """

    id: Annotated[str, Meta(max_length=128)] = ""
    conversation_id: Annotated[str, Meta(max_length=128)] = ""
    messages: Annotated[list[GivenMessage], Meta(max_length=MAX_MESSAGES)] = []
    message: str | GivenMessage | None = None
    trigger: Literal["submit-message", "regenerate-message"] = "submit-message"
    message_id: str | None = field(name="messageId", default=None)
    model: str = ""
    agent: str = ""
    system: str = ""
    variant: str = ""
    options: dict[str, Any] = {}
    switch_off: list[str] = []
    approvals: Approvals = "end"
    retract: Retraction = "mark"
    files: list[GivenFile] = []


class ChatPrompt(Struct, frozen=True):
    """A prompt to run, or (None) the prompt before the message `at`, once more. Unset means the head."""

    text: str | None
    files: Sequence[FilePart] = ()
    at: str | UnsetType | None = UNSET


class ApprovalAnswer(Struct, frozen=True):
    """The answer of a person to the ask of a call, as the client reports it."""

    ask_id: str
    is_approved: bool
    reason: str
    call_id: str
    input: Any


def wanted(body: ChatBody, tree: MessageTree, head: str | None) -> ChatPrompt | list[ApprovalAnswer]:
    """Return what the client wants. Raises `BadRequest` if that is not clear."""
    messages = body.messages
    if isinstance(body.message, GivenMessage):
        messages = [*messages, body.message]
    if body.trigger == "regenerate-message":
        return ChatPrompt(None, at=_prompt_again(body, messages, tree, head))
    if isinstance(body.message, str):
        return ChatPrompt(body.message, file_parts(body.files))
    if not messages:
        raise BadRequest("there is no prompt: send `messages` or `message`")
    last = messages[-1]
    if last.role == "assistant":
        return _answers(last)
    if last.role != "user":
        raise BadRequest(f"the last message has the role {last.role}: it must be a user message")
    text, files = _content(last)
    at = _place(body, messages, tree)
    return ChatPrompt(text, file_parts([*files, *body.files]), UNSET if at == head else at)


def _place(body: ChatBody, messages: Sequence[GivenMessage], tree: MessageTree) -> str | UnsetType | None:
    """Return the message that the prompt follows."""
    edited = body.message_id
    if edited is not None and edited in tree and tree[edited].role == "user":
        return tree[edited].parent
    before = _answer_before(messages, tree)
    if before is not None:
        return tree.end_of(before)
    if edited is None:
        return UNSET
    if not body.messages or edited != messages[-1].id:
        raise BadRequest(f"messageId: there is no message {edited}")
    # An edit of what the conversation began with.
    return None


def _prompt_again(body: ChatBody, messages: Sequence[GivenMessage], tree: MessageTree, head: str | None) -> str:
    """Return the prompt that is to be answered again."""
    named = [body.message_id or "", messages[-1].id if messages else ""]
    known = next((one for one in named if one in tree), None)
    before = _answer_before(messages, tree)
    if known is not None:
        prompt = tree.prompt_of(known)
    elif before is not None:
        prompt = tree.newest_prompt(tree.end_of(before))
    else:
        prompt = tree.prompt_of(head or "")
    if prompt is None:
        raise BadRequest("there is no answer to regenerate")
    return prompt


def _answer_before(messages: Sequence[GivenMessage], tree: MessageTree) -> str | None:
    """Return the last stored answer before the prompt."""
    return next((one.id for one in reversed(messages[:-1]) if one.role == "assistant" and one.id in tree), None)


def _content(message: GivenMessage) -> tuple[str, list[GivenFile]]:
    texts: list[str] = []
    files: list[GivenFile] = []
    for part in message.parts:
        if part.get("type") == "text":
            texts.append(str(part.get("text", "")))
        elif part.get("type") == "file":
            try:
                files.append(msgspec.convert(part, GivenFile))
            except msgspec.ValidationError as error:
                raise BadRequest(f"invalid file part: {explain_decode_error(error, GivenFile)}") from None
    return "\n".join(texts), files


def _answers(message: GivenMessage) -> list[ApprovalAnswer]:
    answers: list[ApprovalAnswer] = []
    for part in message.parts:
        given = part.get("approval")
        if part.get("state") == "approval-responded" and isinstance(given, dict):
            try:
                told = msgspec.convert(given, _Approval)
            except msgspec.ValidationError as error:
                raise BadRequest(f"invalid approval in a tool part: {explain_decode_error(error, _Approval)}") from None
            call_id = str(part.get("toolCallId", ""))
            answers.append(ApprovalAnswer(told.id, told.approved, told.reason or "", call_id, part.get("input")))
    if not answers:
        raise BadRequest(
            "the last message must be a user message or answer an approval: tools run on the server, not in the client"
        )
    return answers


class _Approval(Struct, frozen=True):
    id: str
    approved: bool
    reason: str | None = None
