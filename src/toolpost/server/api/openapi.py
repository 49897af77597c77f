"""Make the OpenAPI document from the table of routes."""

import re
from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Literal

import msgspec
from msgspec import Struct

from toolpost import __version__
from toolpost.server.http import JSON, Request
from toolpost.server.refusals import Kind
from toolpost.server.routing import Doc, ResponseDoc, Route, Shape

REFERENCE = "#/components/schemas/{name}"
ABOUT = """\
Any model and any tool behind the APIs that programs already use, and everything that the chat pages do.

Every response has the header `request-id`. Silent streams of server-sent events get comments as pings."""
TAGS = {
    "gateway": "Models behind the APIs of Anthropic and OpenAI",
    "chat": "Conversations as the AI SDK's UI message stream",
    "sessions": "Stored conversations: their messages, branches and runs",
    "events": "Events of sessions",
    "schedules": "Prompts that run at certain times",
    "permissions": "Permission rules, open asks and saved approvals",
    "tools": "Tools, agents, commands and MCP servers",
    "models": "Available models and what they cost",
    "accounts": "Logging in and out, and passwords",
    "admin": "People, roles, tokens, usage and runs, for admins",
    "server": "The server itself",
}


class ErrorText(Struct, frozen=True):
    """`code` is for programs and never renamed, `kind` is what many codes share, `message` says what to do."""

    code: str
    kind: Kind
    message: str


class ApiError(Struct, frozen=True):
    error: ErrorText
    request_id: str


class AnthropicErrorText(Struct, frozen=True):
    type: str
    message: str


class AnthropicError(Struct, frozen=True):
    type: Literal["error"]
    error: AnthropicErrorText
    request_id: str | None = None


class OpenAIErrorText(Struct, frozen=True):
    message: str
    type: str
    param: str | None = None
    code: str | None = None


class OpenAIError(Struct, frozen=True):
    error: OpenAIErrorText


ERRORS: dict[Shape, Any] = {"api": ApiError, "anthropic": AnthropicError, "openai": OpenAIError}


def openapi_route(routes: Sequence[Route]) -> Route:
    """Return the route of the document, which describes these routes and itself."""
    made: list[bytes] = []

    async def give(request: Request) -> None:
        if not made:
            made.append(msgspec.json.encode(document([*routes, own])))
        await request.reply(made[0])

    own = Route("GET", "/api/openapi.json", give, Doc("Get this OpenAPI document", gives=dict[str, Any]))
    return own


def document(routes: Sequence[Route]) -> dict[str, Any]:
    """Return the OpenAPI 3.1 document of all routes that have a `Doc`."""
    documented = [(route, route.doc) for route in routes if route.doc is not None]
    kinds = list(dict.fromkeys(kind for route, doc in documented for kind in _types(route, doc)))
    given, schemas = msgspec.json.schema_components(kinds, ref_template=REFERENCE)
    schema_of = dict(zip(kinds, given, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route, doc in documented:
        operation = _operation(route, doc, schema_of, schemas)
        paths.setdefault(route.path.replace(":rest}", "}"), {})[route.method.lower()] = operation
    tags = {doc.tag for _, doc in documented}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Toolpost", "version": __version__, "description": ABOUT},
        "tags": [{"name": tag, "description": about} for tag, about in TAGS.items() if tag in tags],
        "security": [{"bearer": []}, {"key": []}, {"cookie": []}],
        "paths": paths,
        "components": {
            "schemas": _used(schemas, paths),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer"},
                "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
                "cookie": {"type": "apiKey", "in": "cookie", "name": "toolpost_session"},
            },
        },
    }


def operation_id(route: Route) -> str:
    words = re.findall(r"\w+", route.path.removeprefix("/api/").replace(":rest", ""))
    return "_".join([route.method.lower(), *words])


def _types(route: Route, doc: Doc) -> Iterable[Any]:
    """Return every type that the description of a route uses."""
    answers = [answer for _, several in _answers(doc) for answer in several]
    told = (doc.takes, doc.query, *(kind for answer in answers for kind in (answer.type, answer.streams)))
    return [*(kind for kind in told if kind is not None), ERRORS[route.shape]]


def _operation(
    route: Route, doc: Doc, schema_of: Mapping[Any, Any], schemas: Mapping[str, dict[str, Any]]
) -> dict[str, Any]:
    operation: dict[str, Any] = {"operationId": operation_id(route), "summary": doc.summary, "tags": [doc.tag]}
    if doc.description:
        operation["description"] = doc.description
    if route.is_open:
        operation["security"] = []
    parameters = [_path_parameter(name, doc) for name in route.params]
    if doc.query is not None:
        parameters += _query_parameters(schemas[_name(schema_of[doc.query])])
    if parameters:
        operation["parameters"] = parameters
    if doc.takes is not None:
        schema = schema_of[doc.takes]
        needed = bool(schemas.get(_name(schema), {}).get("required")) or "$ref" not in schema
        operation["requestBody"] = {"required": needed, "content": {JSON: {"schema": schema}}}
    operation["responses"] = _responses(route, doc, schema_of)
    return operation


def _path_parameter(name: str, doc: Doc) -> dict[str, Any]:
    parameter: dict[str, Any] = {"name": name, "in": "path", "required": True}
    if name in doc.params:
        parameter["description"] = doc.params[name]
    return parameter | {"schema": {"type": "string", "minLength": 1}}


def _query_parameters(schema: Mapping[str, Any]) -> list[dict[str, Any]]:
    parameters: list[dict[str, Any]] = []
    for name, field in schema["properties"].items():
        told = {key: value for key, value in field.items() if key != "description"}
        parameter = {"name": name, "in": "query", "required": name in schema["required"], "schema": told}
        if "description" in field:
            parameter["description"] = field["description"]
        parameters.append(parameter)
    return parameters


def _responses(route: Route, doc: Doc, schema_of: Mapping[Any, Any]) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    for status, answers in _answers(doc):
        response = {"description": " · ".join(dict.fromkeys(answer.meaning for answer in answers))}
        contents = {answer.content_type: _content(answer, schema_of) for answer in answers}
        responses[str(status)] = response if status == 204 else response | {"content": contents}
    refused = {"content": {JSON: {"schema": schema_of[ERRORS[route.shape]]}}}
    for status in _refusals(route, doc):
        responses.setdefault(str(status), {"description": HTTPStatus(status).phrase} | refused)
    responses["5XX"] = {"description": "The server failed, is stopping, or is overloaded"} | refused
    return responses


def _answers(doc: Doc) -> list[tuple[int, list[ResponseDoc]]]:
    answers = {doc.status: [ResponseDoc(doc.summary, doc.gives, doc.content_type, doc.streams)]}
    for status, also in doc.also.items():
        answers.setdefault(status, []).extend([also] if isinstance(also, ResponseDoc) else also)
    return sorted(answers.items())


def _content(answer: ResponseDoc, schema_of: Mapping[Any, Any]) -> dict[str, Any]:
    if answer.type is not None:
        return {"schema": schema_of[answer.type]}
    told: dict[str, Any] = {"schema": {"type": "string"}}
    if answer.streams is not None:
        # OpenAPI 3.1 has no word for what an event of a stream holds; 3.2 calls it so.
        told["x-itemSchema"] = schema_of[answer.streams]
    return told


def _refusals(route: Route, doc: Doc) -> list[int]:
    """Return the error statuses that follow from what a route takes, and those that it declares. 403: Host or
    Origin."""
    statuses = {403, *doc.errors}
    if doc.takes is not None or doc.query is not None:
        statuses.add(400)
    if route.params:
        statuses.add(404)
    if not route.is_open:
        statuses.add(401)
    if route.method not in ("GET", "HEAD"):
        statuses |= {408, 413}
    return sorted(statuses)


_REFERRED = re.compile('"' + REFERENCE.format(name='([^"]+)') + '"')


def _name(schema: Mapping[str, Any]) -> str:
    return str(schema.get("$ref", "")).rpartition("/")[2]


def _used(schemas: Mapping[str, Any], paths: Mapping[str, Any]) -> dict[str, Any]:
    """Leave out the structs of queries, whose fields are listed with their routes."""
    used: dict[str, Any] = {}
    waiting: list[Any] = [paths]
    while waiting:
        for name in _REFERRED.findall(msgspec.json.encode(waiting.pop()).decode()):
            if name not in used:
                used[name] = schemas[name]
                waiting.append(schemas[name])
    return dict(sorted(used.items()))
