"""Checkers of the schema subsets that providers document, written apart from the code that makes them."""

from typing import Any

Schema = dict[str, Any]

GEMINI_KEYS = {
    *("type", "format", "description", "nullable", "enum", "properties", "required", "items", "anyOf", "pattern"),
    *("minItems", "maxItems", "minLength", "maxLength", "minimum", "maximum", "minProperties", "maxProperties"),
}
GEMINI_JSON_KEYS = {
    *(
        "type",
        "format",
        "description",
        "enum",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "prefixItems",
    ),
    *("anyOf", "minItems", "maxItems", "minimum", "maximum"),
}
STRICT_KEYS = {
    *("type", "description", "enum", "anyOf", "properties", "required", "additionalProperties", "items", "$ref"),
    *("pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems"),
    *("maxItems", "$defs"),
}
OLLAMA_KEYS = {"type", "description", "enum", "anyOf", "properties", "required", "items"}
TYPES = {"string", "number", "integer", "boolean", "array", "object"}


def nodes(schema: Schema) -> list[Schema]:
    """All schemas of a document, itself first."""
    found = [schema]
    for key in ("properties", "$defs", "patternProperties"):
        found += [node for item in schema.get(key, {}).values() for node in nodes(item)]
    for key in ("anyOf", "prefixItems", "oneOf", "allOf"):
        found += [node for item in schema.get(key, ()) for node in nodes(item)]
    for key in ("items", "additionalProperties", "not"):
        found += nodes(schema[key]) if isinstance(schema.get(key), dict) else []
    return found


def check_root(schema: Schema) -> None:
    assert schema["type"] == "object"
    assert isinstance(schema["properties"], dict)
    assert not schema.keys() & {"anyOf", "oneOf", "allOf", "not", "enum", "const", "$ref", "nullable"}


def check_gemini(schema: Schema) -> None:
    check_root(schema)
    for node in nodes(schema):
        assert node.keys() <= GEMINI_KEYS, node
        if "anyOf" in node:
            assert node.keys() == {"anyOf"}, node
            assert len(node["anyOf"]) > 1
            continue
        assert node["type"] in TYPES, node
        assert node.get("nullable", True) is True
        if "enum" in node:
            assert node["type"] == "string"
            assert all(isinstance(value, str) and value for value in node["enum"])
        if "format" in node:
            allowed = {"string": ["date-time"], "number": ["float", "double"], "integer": ["int32", "int64"]}
            assert node["format"] in allowed[node["type"]]
        if node["type"] == "array":
            assert "items" in node
        assert set(node.get("required", ())) <= node.get("properties", {}).keys()


def check_gemini_json(schema: Schema) -> None:
    check_root(schema)
    for node in nodes(schema):
        assert node.keys() <= GEMINI_JSON_KEYS, node
        assert all(isinstance(value, str | float | int) and value is not True for value in node.get("enum", ())), node


def check_strict(schema: Schema) -> None:
    check_root(schema)
    for node in nodes(schema):
        assert node.keys() <= STRICT_KEYS, node
        if "$ref" in node:
            assert node.keys() == {"$ref"}
            assert node["$ref"].removeprefix("#/$defs/") in schema["$defs"]
            continue
        assert "type" in node or "anyOf" in node, node
        types = node.get("type")
        if types == "object" or "object" in (types or ()):
            assert node["additionalProperties"] is False
            assert node["required"] == list(node["properties"])
        if types == "array" or "array" in (types or ()):
            assert "items" in node


def check_ollama(schema: Schema) -> None:
    check_root(schema)
    assert all(node.keys() <= OLLAMA_KEYS for node in nodes(schema))


def check_passing(schema: Schema) -> None:
    check_root(schema)
    references = [node["$ref"] for node in nodes(schema) if "$ref" in node]
    assert all(reference.removeprefix("#/$defs/") in schema["$defs"] for reference in references)


CHECKERS = {
    "openai": check_passing,
    "anthropic": check_passing,
    "openai_strict": check_strict,
    "gemini": check_gemini,
    "gemini_json": check_gemini_json,
    "ollama": check_ollama,
}


def from_openapi(node: Schema) -> Schema:
    """What `nullable` means, for a validator of plain JSON Schema."""
    plain = {key: value for key, value in node.items() if key not in ("nullable", "format")}
    for key in ("properties",):
        if key in node:
            plain[key] = {name: from_openapi(item) for name, item in node[key].items()}
    if "items" in node:
        plain["items"] = from_openapi(node["items"])
    if "anyOf" in node:
        plain["anyOf"] = [from_openapi(item) for item in node["anyOf"]]
    if node.get("nullable"):
        plain["type"] = [node["type"], "null"]
        if "enum" in node:
            plain["enum"] = [*node["enum"], None]
    return plain
