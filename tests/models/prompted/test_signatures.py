"""Tools as signatures: short, whole, and never without a required parameter."""

from hypothesis import given
from hypothesis import strategies as st

from toolpost.models.prompted.prompt_writer import PromptWriter
from toolpost.models.prompted.signatures import MAX_ABOUT, shortened, signature
from toolpost.types.tool_spec import ToolSpec


def spec(name, description="", required=(), **properties):
    return ToolSpec(name, description, {"type": "object", "properties": properties, "required": list(required)})


def test_a_signature_has_names_kinds_defaults_and_descriptions():
    tool = spec(
        "get_forecast",
        "Get the forecast.",
        ["city"],
        city={"type": "string", "description": "City name"},
        days={"type": "integer", "default": 3},
        unit={"enum": ["celsius", "fahrenheit"]},
        alerts={"type": "boolean"},
    )
    assert signature(tool) == (
        'get_forecast(city: string (City name), days?: int = 3, unit?: "celsius"|"fahrenheit", alerts?: bool)'
        " - Get the forecast."
    )


def test_lists_objects_unions_and_references_are_told():
    item = {"type": "object", "properties": {"name": {"type": "string"}, "count": {"type": "integer"}}}
    item["required"] = ["name"]
    tool = ToolSpec(
        "order",
        "",
        {
            "type": "object",
            "properties": {
                "items": {"type": "array", "items": {"$ref": "#/$defs/Item"}},
                "when": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
                "size": {"type": ["number", "string", "null"]},
            },
            "required": ["items"],
            "$defs": {"Item": item},
        },
    )
    assert signature(tool) == "order(items: list of {name: string, count?: int}, when?: date, size?: number|string)"


def test_a_tool_without_parameters_or_description_is_its_name():
    assert signature(ToolSpec("ping", "", {})) == "ping()"


def test_long_texts_end_after_a_sentence_or_a_word_and_close_what_they_open():
    long = "Gets the weather. " + "It says much more about it than anybody wants to read in a line. " * 4
    assert shortened(long, 60) == "Gets the weather."
    assert shortened("The unit to use (e.g. metric, imperial, or something else entirely)", 40) == "The unit to use"
    assert shortened("查询城市的天气。还有很多别的说明。", 10) == "查询城市的天气。"


def test_a_taught_model_gets_signatures_and_no_word_about_how_to_call():
    tools = [spec("a", "Does a."), spec("b", "Does b.", ["x"], x={"type": "string"})]
    assert (
        PromptWriter("hermes", trained=True, brief=True).tools(tools)
        == "# Tools\na() - Does a.\nb(x: string) - Does b."
    )


@given(st.text(max_size=400), st.integers(min_value=10, max_value=200))
def test_nothing_is_longer_than_it_may_be(text, most):
    assert len(shortened(text, most)) <= most


names = st.text("abcdefgh_", min_size=1, max_size=12)


@given(names, st.lists(names, unique=True, max_size=6), st.text(max_size=600))
def test_every_parameter_is_in_its_signature_once_and_on_one_line(name, parameters, about):
    tool = spec(name, about, parameters[:2], **{key: {"type": "string"} for key in parameters})
    written = signature(tool)
    inside = written[len(name) + 1 : written.index(")")]
    assert [part.split(":")[0].rstrip("?") for part in inside.split(", ") if part] == parameters
    assert "\n" not in written
    assert len(written) < len(name) + sum(len(key) + 12 for key in parameters) + MAX_ABOUT + 8
