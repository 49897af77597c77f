"""What the embedded model is taught: every call fits its schema, every value can be read from what was said, nothing
measured is among it."""

import json
import random
from datetime import date

import pytest

from toolpost.arguments.validate import Validator
from toolpost.models.prompted.scanner import CallScanner
from toolpost.types.stream import ToolCall
from training.data.apart import EVERYDAY, HELD_OUT, is_measured_text, is_measured_tool
from training.data.compose import Composer
from training.data.families import domains
from training.data.family import Ask, Draw
from training.data.more import more_asks
from training.data.render import pieces, tools_of
from training.data.toolbox import Unfit, make_tool, question
from training.data.vary import varied

FAMILIES = [family for domain in domains() for family in domain.families]
TODAY = date(2026, 11, 16)


@pytest.fixture(scope="module")
def conversations():
    composer = Composer(7, HELD_OUT)
    return [composer.conversation() for _ in range(600)]


def test_every_call_fits_the_schema_of_a_tool_on_offer(conversations):
    for record in conversations:
        checks = {tool["name"]: Validator(tool["name"], tool["parameters"]) for tool in record["tools"]}
        calls = [call for message in record["messages"] for call in message.get("calls") or ()]
        assert all(checks[call["name"]].valid(call["arguments"]) for call in calls), record


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.key)
def test_every_way_to_ask_gives_whole_arguments(family, language):
    asks = family.asks if language == "en" else family.asks_zh
    assert asks
    for number, ask in enumerate(asks):
        made = 0
        for seed in range(60):
            draw = Draw(random.Random(f"{family.key} {number} {seed}"), language, TODAY)
            tool = make_tool(family, draw)
            try:
                text, drawn = question(tool, ask, draw)
                arguments = tool.arguments(drawn)
            except Unfit:
                continue
            assert Validator(tool.name, tool.spec["parameters"]).valid(arguments), (text, arguments, tool.spec)
            assert not set("{[") & set(text)
            made += 1
            if made == 3:
                break
        assert made, f"this can't be asked with any values: {ask.text if isinstance(ask, Ask) else ask}"


def test_keys_are_unique_and_what_refers_to_them_exists():
    keys = [family.key for family in FAMILIES]
    assert len(set(keys)) == len(keys)
    assert set(keys) >= HELD_OUT
    assert set(keys) >= set(more_asks())
    assert set(keys) >= {other for family in FAMILIES for other in family.also}


def test_the_same_seed_gives_the_same_conversations_and_another_gives_others():
    first, again, other = ([Composer(seed).conversation() for _ in range(3)] for seed in (1, 1, 2))
    assert first == again != other


def test_held_out_families_are_never_taught_and_validation_asks_for_nothing_else():
    names = {name for family in FAMILIES if family.key in HELD_OUT for name in family.names}
    others = {name for family in FAMILIES if family.key not in HELD_OUT for name in family.names}
    taught, kept = Composer(3, HELD_OUT), Composer(3, HELD_OUT, unseen=True)
    offered = {tool["name"] for _ in range(300) for tool in taught.conversation()["tools"]}
    assert not offered & (names - others)
    asked = {tool["name"] for _ in range(50) for tool in kept.conversation()["tools"]}
    assert asked & names
    assert not asked & (others - names)


def test_what_is_measured_is_recognised():
    tools = json.loads((EVERYDAY / "tools.json").read_text())
    assert all(map(is_measured_tool, tools))
    assert not is_measured_tool({"name": tools[0]["name"], "parameters": {"properties": {"quite_another": {}}}})
    questions = [json.loads(line)["question"] for line in (EVERYDAY / "cases.jsonl").read_text().splitlines()]
    long = [question for question in questions if question.isascii() and len(question.split()) > 12]
    assert all(map(is_measured_text, long))
    assert is_measured_text("Hello! " + long[0] + " Thanks.")
    assert not is_measured_text("How many pelicans does it take to carry a piano over the river?")


def test_what_is_rendered_is_read_back_by_the_scanner(conversations):
    for record in conversations[:200]:
        turns = [message for message in record["messages"] if message["role"] == "assistant"]
        learnt = [text for text, learn in pieces(record, learn_all=True) if learn]
        assert len(learnt) == len(turns)
        for text, turn in zip(learnt, turns, strict=True):
            scanner = CallScanner(tools_of(record))
            events = [*scanner.feed(text.removesuffix("<|im_end|>")), *scanner.close()]
            found = [{"name": one.name, "arguments": one.arguments} for one in events if isinstance(one, ToolCall)]
            assert found == (turn.get("calls") or [])


def test_only_the_models_own_turns_are_learnt(conversations):
    for record in conversations[:50]:
        for text, learn in pieces(record, learn_all=True):
            assert text.endswith("<|im_end|>" if learn else "<|im_start|>assistant\n")


def test_another_surface_says_the_same(conversations):
    rng = random.Random(5)
    for record in conversations[:200]:
        other = varied(record, rng, record["tools"])
        checks = {tool["name"]: Validator(tool["name"], tool["parameters"]) for tool in other["tools"]}
        for before, after in zip(record["messages"], other["messages"], strict=True):
            assert before.get("content") == after.get("content")
            for one, two in zip(before.get("calls") or (), after.get("calls") or (), strict=True):
                assert checks[two["name"]].valid(two["arguments"])
                assert sorted(map(str, one["arguments"].values())) == sorted(map(str, two["arguments"].values()))
