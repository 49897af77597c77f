"""What a server asks of the person, as questions of the face that is open."""

import pytest
from mcp_play import Caller, Person

from toolpost.mcp.elicitation import MAX_FIELDS, NOT_OPENED, OPENED, SKIP, elicit_from_person
from toolpost.mcp.requests import Elicitation, ElicitationAnswer


@pytest.fixture
def ask(tmp_path):
    async def ask(request, *rounds):
        caller = Caller(tmp_path)
        caller.host = Person(*rounds)
        answer = await elicit_from_person(request, caller.context())
        assert caller.host.rounds == []
        return answer, caller.host.asked

    return ask


def form(required=(), message="Who are you?", **properties):
    schema = {"type": "object", "properties": properties, "required": list(required)}
    return Elicitation("registry", "ses_1", message, schema)


async def test_each_property_is_one_question_and_the_first_says_who_asks(ask):
    request = form(
        ["name"],
        name={"type": "string", "title": "Name", "description": "As in your passport"},
        age={"type": "integer"},
    )
    answer, [[name, age]] = await ask(request, ["Ada", "36"])
    assert answer == ElicitationAnswer("accept", {"name": "Ada", "age": 36})
    assert name.question == "The MCP server registry asks: Who are you?\nName: As in your passport"
    assert age.question == "age (optional)"


@pytest.mark.parametrize(
    ("schema", "given", "value"),
    [
        ({"type": "integer"}, "-7", -7),
        ({"type": "number"}, "2.50", 2.5),
        ({"type": "number"}, "3", 3),
        ({"type": "boolean"}, "yes", True),
        ({"type": "boolean"}, "False", False),
        ({"type": "string"}, "42", "42"),
        ({"type": "string", "enum": ["a", "b"]}, "b", "b"),
        ({"type": "string", "enum": ["a", "b"], "enumNames": ["Alpha", "Beta"]}, "Beta", "b"),
        ({"type": "string", "oneOf": [{"const": "a", "title": "Alpha"}]}, "Alpha", "a"),
        ({"type": "array", "items": {"type": "string", "enum": ["a", "b", "c"]}}, ("a", "c"), ["a", "c"]),
        ({"type": "array", "items": {"anyOf": [{"const": "a", "title": "Alpha"}]}}, ("Alpha",), ["a"]),
    ],
)
async def test_an_answer_gets_the_type_of_its_field(ask, schema, given, value):
    answer, _ = await ask(form(["it"], it=schema), [given])
    assert answer.content == {"it": value}
    assert type(answer.content["it"]) is type(value)


async def test_choices_are_options(ask):
    request = form(
        ["sure", "one", "some"],
        sure={"type": "boolean"},
        one={"type": "string", "enum": ["a", "b"], "enumNames": ["Alpha", "Beta"]},
        some={"type": "array", "items": {"type": "string", "enum": ["x", "y"]}},
    )
    _, [[sure, one, some]] = await ask(request, ["no", "Alpha", ("x",)])
    assert sure.options == ("yes", "no")
    assert one.options == ("Alpha", "Beta")
    assert some.options == ("x", "y")
    assert (sure.multiple, one.multiple, some.multiple) == (False, False, True)


async def test_optional_fields_may_be_skipped_and_defaults_stand_in_for_silence(ask):
    request = form(
        ["size"],
        size={"type": "integer", "default": 3},
        note={"type": "string"},
        more={"type": "boolean"},
    )
    answer, [[size, note, _]] = await ask(request, [(), "", SKIP])
    assert answer == ElicitationAnswer("accept", {"size": 3})
    assert "default: 3" in size.question
    assert note.options == (SKIP,)


async def test_what_does_not_fit_is_asked_again_and_only_that(ask):
    request = form(["age", "name"], age={"type": "integer", "minimum": 18}, name={"type": "string"})
    answer, [_, again, last] = await ask(request, ["old", "Ada"], ["17"], ["18"])
    assert answer == ElicitationAnswer("accept", {"age": 18, "name": "Ada"})
    assert [question.question.splitlines()[-1] for question in (*again, *last)] == ["age", "age"]


async def test_after_three_wrong_answers_the_form_is_cancelled(ask):
    answer, _ = await ask(form(["age"], age={"type": "integer"}), ["a"], [""], ["c"])
    assert answer == ElicitationAnswer("cancel")


async def test_dismissed_questions_cancel(ask):
    assert (await ask(form(name={"type": "string"}), None))[0] == ElicitationAnswer("cancel")
    assert (await ask(Elicitation("s", "ses_1", "m", url="https://example.com/"), None))[0].action == "cancel"


@pytest.mark.parametrize(
    "request_", [form(name={"type": "string"}), form(), Elicitation("s", "", "m", url="http://a.b/")]
)
async def test_where_nobody_is_there_it_is_declined(tmp_path, request_):
    assert await elicit_from_person(request_, Caller(tmp_path).context()) == ElicitationAnswer("decline")


async def test_a_form_without_fields_asks_yes_or_no(ask):
    answer, [[question]] = await ask(form(message="Delete it?"), ["yes"])
    assert answer == ElicitationAnswer("accept", {})
    assert question.question == "The MCP server registry asks: Delete it?"
    assert (await ask(form(), ["no"]))[0].action == "decline"


async def test_an_address_is_shown_with_its_host_and_never_opened_from_here(ask):
    request = Elicitation("registry", "ses_1", "Log in", url="https://bücher.example/pay?x=1#top")
    answer, [[question]] = await ask(request, [OPENED])
    assert answer == ElicitationAnswer("accept")
    assert "https://bücher.example/pay?x=1#top" in question.question
    assert "Its host is xn--bcher-kva.example." in question.question
    assert (await ask(request, [NOT_OPENED]))[0] == ElicitationAnswer("decline")
    assert (await ask(request, ["what is this?"]))[0] == ElicitationAnswer("decline")


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "file:///etc/passwd", "https://bank.example@evil.example/", "https://a.example/\u202egpj"],
)
async def test_an_address_that_hides_where_it_leads_is_not_even_shown(ask, url):
    answer, asked = await ask(Elicitation("registry", "ses_1", "Open this", url=url))
    assert (answer.action, asked) == ("decline", [])


async def test_a_person_sees_no_hidden_characters_and_no_endless_texts(ask):
    request = form(message="m" * 9_000, name={"type": "string", "title": "Na\x1b[31mme\u202e"})
    _, [[question]] = await ask(request, ["Ada"])
    assert len(question.question) < 5_000
    assert not {"\x1b", "\u202e"} & set(question.question)


async def test_a_form_of_endless_fields_is_declined_unseen(ask):
    request = form(**{f"field{number}": {"type": "string"} for number in range(MAX_FIELDS + 1)})
    answer, asked = await ask(request)
    assert (answer.action, asked) == ("decline", [])
