"""What is seen of a question without a model."""

import pytest

from toolpost.models.embedded.words import (
    gist,
    is_detail,
    led_by,
    numbers_in,
    requests_in,
    said_as,
    shared_words,
    spans_in,
    stems,
)
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
    ("question", "requests"),
    [
        ("What's the weather in Rome? How much is 2 + 2?", ["What's the weather in Rome?", "How much is 2 + 2?"]),
        ("Set a timer for 5 minutes and read a.txt", ["Set a timer for 5 minutes", "read a.txt"]),
        ("What is the weather in Bonn, Kiel and Ulm?", ["What is the weather in Bonn, Kiel and Ulm?"]),
        ("Read notes v1.2 now.", ["Read notes v1.2 now."]),
        ("罗马天气怎么样？二加二是多少？", ["罗马天气怎么样？", "二加二是多少？"]),
        ("", []),
    ],
)
def test_a_question_falls_into_its_requests(question, requests):
    assert requests_in(question, TOOLS) == requests


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


@pytest.mark.parametrize(
    ("request_", "wanted", "unwanted"),
    [
        ("What's the weather in Buenos Aires?", "Buenos Aires", ["Buenos", "Aires", "in Buenos Aires"]),
        ("Also, what is (42 - 7) * 17?", "(42 - 7) * 17", ["42", "17", "is"]),
        ("Open src/main.py, please", "src/main.py", ["please"]),
        ("Is it sunny in Paris, France?", "Paris, France", ["in"]),
        ("Play some Mozart", "Mozart", ["some Mozart"]),
        ("What does 'to be' mean?", "to be", ["mean"]),
    ],
)
def test_spans_are_whole_values(request_, wanted, unwanted):
    spans = spans_in(request_)
    assert wanted in spans
    assert not set(unwanted) & set(spans)


def test_spans_leave_out_what_is_taken_and_the_tool_s_own_words():
    spans = spans_in("Convert 5 dollars to euros", taken=["euros"], without=stems("convert"))
    assert spans == ["5 dollars", "dollars"]


def test_numbers_are_found_as_json_writes_them():
    assert numbers_in("From 1,200 to -3.5, 7,8 and 007, in room B12.") == ["1200", "-3.5", "7", "8"]


def test_a_value_is_found_by_its_name_or_by_the_word_before_it():
    assert said_as("city: Rome, country = Italy", "city", ["Rome", "Italy"]) == ["Rome"]
    assert said_as("use Rome as the city and 3 as the count", "count", ["Rome", "3"]) == ["3"]
    assert led_by("change francs into the yen", ("to", "into"), ["francs", "yen"]) == ["yen"]


def test_a_sentence_that_asks_nothing_says_more_about_the_one_before():
    assert is_detail("For three people, please.", TOOLS)
    assert not is_detail("And tomorrow?", TOOLS)
    assert not is_detail("Set the timer.", TOOLS)
