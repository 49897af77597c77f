"""What is seen of a text without a model."""

import pytest

from toolpost.models.embedded.words import gist, numbers_in, shared_words, stems
from toolpost.types.tools import ToolSpec


def spec(name: str, description: str, *parameters: str) -> ToolSpec:
    properties = {parameter: {"type": "string"} for parameter in parameters}
    return ToolSpec(name, description, {"type": "object", "properties": properties, "required": list(parameters)})


WEATHER = spec("get_weather", "Get the current weather for a city.", "city")
TIMER = spec("set_timer", "Start a countdown timer.", "minutes")
CALCULATE = spec("calculate", "Work out an arithmetic expression.", "expression")
READ = spec("readFile", "Read a file from the disk.", "path")
TOOLS = [WEATHER, TIMER, CALCULATE, READ]


@pytest.mark.parametrize(
    ("request_", "tool"),
    [
        ("Is the weather nice in Rome?", WEATHER),
        ("Start the timers", TIMER),
        ("reading this file", READ),
        ("what is 17 * 4", CALCULATE),
        ("show me notes.md", READ),
        ("(15 - 4) / 8?", CALCULATE),
    ],
)
def test_shared_words_point_at_one_tool(request_, tool):
    weights = shared_words(request_, TOOLS)
    assert [one for one, weight in zip(TOOLS, weights, strict=True) if weight] == [tool]


@pytest.mark.parametrize(
    "request_",
    ["Hello!", "It was on 2026-01-02", "call 555-1234", "Thank you for your help", "Who are you?", "Tell me a joke"],
)
def test_small_talk_and_dates_share_no_word_with_any_tool(request_):
    assert not any(shared_words(request_, TOOLS))


def test_a_word_that_few_tools_have_weighs_more():
    cities = [spec("city_weather", "Weather.", "city"), spec("city_time", "Time.", "city"), spec("city_map", "Map.")]
    weights = shared_words("weather of a city", cities)
    assert weights[0] > weights[1] > 0


def test_chinese_words_are_found_in_a_chinese_description():
    tools = [spec("a", "查询城市的天气", "city"), spec("b", "计算算式", "expression")]
    weights = shared_words("今天北京天气怎么样？", tools)
    assert weights[0] > 0
    assert weights[1] == 0


def test_examples_in_a_description_are_not_the_question_s_words():
    assert gist("Name of the city, e.g. Tokyo or Paris.\n\nMore.") == "Name of the city"
    assert not stems(gist("Arithmetic, for example the weather")) & stems("weather")


def test_numbers_are_found_as_json_writes_them():
    assert numbers_in("From 1,200 to -3.5, 7,8 and 007, in room B12.") == ["1200", "-3.5", "7", "8"]
