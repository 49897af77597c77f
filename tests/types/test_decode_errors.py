"""What is wrong with a value is said with its field and in JSON's words, whatever msgspec said."""

from typing import Annotated, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.arguments.decode_errors import explain_decode_error


class Cat(msgspec.Struct, tag="cat"):
    lives: int


class Dog(msgspec.Struct, tag="dog"):
    name: str


class Inner(msgspec.Struct):
    x: int


class Given(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    inner: Inner
    at_least: Annotated[int, msgspec.Meta(ge=1)] = 1
    short: Annotated[str, msgspec.Meta(max_length=3)] = ""
    like: Annotated[str, msgspec.Meta(pattern="^a")] = "a"
    choice: Literal["p", "q"] = "p"
    counts: dict[str, int] = {}
    many: list[Inner] = []
    pair: tuple[int, int] = (0, 0)
    pet: Cat | Dog | None = None
    on: bool | None = None


def said_of(body, kind=None):
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(body, type=Given)
    return explain_decode_error(caught.value, kind)


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{}", '"inner" is missing'),
        (b'{"inner": {}}', '"inner.x" is missing'),
        (b"[]", "the value must be an object, got an array"),
        (b'{"inner": 1}', '"inner" must be an object, got an integer'),
        (b'{"inner": {"x": "1"}}', '"inner.x" must be an integer, got a string'),
        (b'{"inner": {"x": 1}, "atLeast": 0}', '"atLeast" must be an integer of 1 or more'),
        (b'{"inner": {"x": 1}, "short": "long"}', '"short" must be a string of length 3 or less'),
        (b'{"inner": {"x": 1}, "like": "b"}', '"like" must be a string like /^a/'),
        (b'{"inner": {"x": 1}, "choice": "z"}', "\"choice\" can't be 'z'"),
        (b'{"inner": {"x": 1}, "counts": {"a": null}}', '"counts[…]" must be an integer, got null'),
        (b'{"inner": {"x": 1}, "many": [{"x": 1}, {}]}', '"many[1].x" is missing'),
        (b'{"inner": {"x": 1}, "pair": [1]}', '"pair" must be an array of length 2'),
        (b'{"inner": {"x": 1}, "pet": {"type": "cow"}}', "\"pet.type\" can't be 'cow'"),
        (b'{"inner": {"x": 1}, "on": "yes"}', '"on" must be true or false or null, got a string'),
        (b'{"inner": {"x": 1}, "of": 1}', '"of" is not known'),
        (b'{"inner":', "it ends too early"),
        (b"{]", "object keys must be strings at byte 1"),
    ],
)
def test_what_is_wrong_is_said_in_plain_words(body, said):
    assert said_of(body) == said


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"{}", '"inner" is missing; expected {"x": integer}'),
        (b'{"inner": {"x": 1}, "many": [{}]}', '"many[0].x" is missing; expected integer'),
        (b'{"inner": {"x": 1}, "choice": "z"}', '"choice" can\'t be \'z\'; expected "p" | "q"'),
        (b'{"inner": {"x": 1}, "choise": "p"}', '"choise" is not known, did you mean "choice"?'),
        (b'{"inner": {"x": 1}, "pet": {"type": "dog"}}', '"pet.name" is missing'),
    ],
)
def test_what_would_be_right_is_said_where_the_type_is_known(body, said):
    assert said_of(body, Given) == said


def test_bytes_that_are_no_utf_8_are_told_by_their_place():
    with pytest.raises(UnicodeDecodeError) as caught:
        b"ab\xff".decode()
    assert explain_decode_error(caught.value) == "it is not UTF-8 (byte 2)"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
)
FIELDS = {field.encode_name: VALUES for field in msgspec.structs.fields(Given)}


@given(st.fixed_dictionaries({}, optional=FIELDS))
def test_no_word_of_msgspec_is_left_whatever_is_wrong(value):
    try:
        msgspec.convert(value, Given)
    except msgspec.ValidationError as error:
        said = explain_decode_error(error)
        assert not any(word in said for word in ("Expected `", "Object ", " - at ", "$."))
