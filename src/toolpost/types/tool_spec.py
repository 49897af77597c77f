"""The definition of a tool as model adapters take it: name, description, parameters."""

from typing import Any

from msgspec import Struct


class ToolSpec(Struct, frozen=True):
    """Name, description and a JSON Schema of the parameters. `metadata` is, by wire, what else that wire is told.
    `strict`: a server that can shall hold the model to the schema. `built_in` marks a tool that comes with Toolpost."""

    name: str
    description: str
    parameters: dict[str, Any]
    metadata: dict[str, Any] | None = None
    built_in: bool = False
    strict: bool = False
