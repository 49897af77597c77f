"""Small sets of cases, and a model that answers them rightly."""

import json

WEATHER = {
    "name": "get_weather",
    "description": "Get the weather of a city.",
    "parameters": {
        "type": "object",
        "properties": {
            "city": {"type": "string"},
            "unit": {"type": "string", "enum": ["celsius", "fahrenheit"], "default": "celsius"},
            "days": {"type": "integer"},
        },
        "required": ["city"],
    },
}
ADD = {
    "name": "add",
    "description": "Add numbers.",
    "parameters": {
        "type": "object",
        "properties": {"numbers": {"type": "array", "items": {"type": "number"}}},
        "required": ["numbers"],
    },
}


def weather(*cities, **arguments):
    return {"name": "get_weather", "arguments": {"city": list(cities), **arguments}}


OSLO = {
    "id": "oslo",
    "category": "single",
    "language": "en",
    "tools": [WEATHER, ADD],
    "question": "How is the weather in Oslo?",
    "accept": [[weather("Oslo", "Oslo, Norway", unit=["celsius", None])]],
    "results": {"get_weather": "18 °C, rain"},
    "answer": [["18"], ["rain"]],
}
TWO = {
    "id": "two",
    "category": "parallel",
    "language": "zh",
    "tools": [WEATHER],
    "question": "东京和巴黎的天气怎么样？",
    "accept": [[weather("东京", "Tokyo"), weather("巴黎", "Paris")]],
    "results": {"get_weather": ["东京：20 度", "巴黎：15 度"]},
    "answer": [["20"], ["15"]],
}
POEM = {
    "id": "poem",
    "category": "no_call",
    "language": "en",
    "tools": [WEATHER],
    "question": "Write a poem.",
    "accept": [[]],
}
WHERE = {
    "id": "where",
    "category": "missing",
    "language": "en",
    "tools": [WEATHER],
    "question": "How is the weather?",
    "accept": [[]],
    "asks_for": ["city", "where"],
}
ALL = [OSLO, TWO, POEM, WHERE]


def write_set(path, *lines):
    path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
    return path
