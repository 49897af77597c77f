"""Check the types of values in a request; an error is a `BadRequest` with the path of the value."""

from typing import Any, cast

from toolpost.server.refusals import BadRequest


def text(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise wrong(value, path, "a string")
    return value


def name(value: Any, path: str) -> str:
    if not isinstance(value, str) or not value:
        raise wrong(value, path, "a string that is not empty")
    return value


def table(value: Any, path: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise wrong(value, path, "an object")
    return cast("dict[str, Any]", value)


def rows(value: Any, path: str) -> list[Any]:
    if not isinstance(value, list):
        raise wrong(value, path, "an array")
    return cast("list[Any]", value)


def names(value: Any, path: str) -> list[str]:
    return [text(item, f"{path}[{index}]") for index, item in enumerate(rows(value, path))]


def flag(value: Any, path: str) -> bool:
    if not isinstance(value, bool):
        raise wrong(value, path, "true or false")
    return value


def number(value: Any, path: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise wrong(value, path, "a number")
    return value


def count(value: Any, path: str) -> int:
    """Check for a whole number above 0."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise wrong(value, path, "a whole number above 0")
    return value


def wrong(value: Any, path: str, wanted: str) -> BadRequest:
    if value is None:
        return BadRequest(f"{path} is missing: it must be {wanted}", param=path)
    return BadRequest(f"{path} must be {wanted}", param=path)
