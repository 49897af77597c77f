"""`toolpost eval` as a process, against a scripted server that answers each question in its own way."""

import json
import re

import msgspec
import pytest
from console import Console, finished, interrupt, lines

from toolpost.testing import Upstream, call, http_error, stall, text

WEATHER = {
    "name": "get_weather",
    "description": "Get the weather of a city.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}


def asks(city, **more):
    accept = [[{"name": "get_weather", "arguments": {"city": [city]}}]]
    results = {"results": {"get_weather": "18 °C"}, "answer": [["18"]]}
    return {"id": city, "tools": [WEATHER], "question": f"Weather in {city}?", "accept": accept, **results, **more}


CASES = [
    asks("Oslo"),
    asks("Rome"),
    {"id": "poem", "language": "zh", "tools": [WEATHER], "question": "写一首诗", "accept": [[]]},
    asks("Lima", language="zh"),
]


def question(request):
    return next(message["content"] for message in request.body["messages"] if message["role"] == "user")


def city_of(request):
    return question(request).removeprefix("Weather in ").removesuffix("?")


def right(request):
    """The right call, then the right answer; a poem where one is wanted."""
    if request.body["messages"][-1]["role"] == "tool":
        return text("18 degrees.")
    return call("get_weather", {"city": city_of(request)}) if "Weather" in question(request) else text("床前明月光")


def but(city, turn):
    return lambda request: turn if city_of(request) == city else right(request)


def serve(reply):
    return Upstream(reply, repeat=True, strict=False)


@pytest.fixture
def console(tmp_path):
    def console(up):
        made = Console(tmp_path, up.base_url)
        made.folder.joinpath("set.jsonl").write_text("".join(f"{json.dumps(case)}\n" for case in CASES))
        made.folder.joinpath(".toolpost", "config.toml").write_text("[limits]\nretries = 0\n")
        return made

    return console


def results(console, out="toolpost-eval"):
    return [msgspec.json.decode(line) for line in (console.folder / out / "results.jsonl").read_bytes().splitlines()][
        1:
    ]


def shares(done, variant=0):
    found = json.loads(done.out)["variants"][variant]["shares"]
    return {name: (share["hits"], share["count"]) for name, share in found.items()}


SET = ("eval", "--set", "set.jsonl", "--mode", "native")


async def test_the_scores_are_printed_and_reported(console):
    async with serve(but("Rome", call("get_weather", {"city": "Paris"}))) as up:
        project = console(up)
        done = await project.call(*SET)
    assert done.status == 0
    first = re.split("  +", lines(done.out)[1])
    assert first == ["passed", "openai/scripted · native", "75 %", "30–95 %", "3 of 4"]
    assert done.out.endswith("report: toolpost-eval/report.html\n")
    assert "openai/scripted · native: 4 of 4 cases, passed: 3 of 4\n" in done.err
    page = (project.folder / "toolpost-eval" / "report.html").read_text()
    assert "get_weather(city=&quot;Paris&quot;)" in page


async def test_json_has_every_figure_and_the_results_are_the_same(console):
    async with serve(but("Rome", text("Sunny."))) as up:
        project = console(up)
        done = await project.call(*SET, "--json")
    scores = [one["scores"] for one in results(project)]
    assert shares(done) == {
        "passed": (3, 4),
        "tool": (2, 3),
        "arguments": (2, 3),
        "well_formed": (2, 2),
        "no_call": (1, 1),
        "answered": (2, 2),
    }
    for name, counted in shares(done).items():
        held = [one[name] for one in scores if name in one]
        assert (sum(held), len(held)) == counted


async def test_variants_run_one_after_another_and_stand_side_by_side(console):
    async with serve(right) as up:
        project = console(up)
        done = await project.call("eval", "openai/a", "openai/b", "--set", "set.jsonl", "--mode", "native", "--json")
    names = [one["variant"] for one in json.loads(done.out)["variants"]]
    assert names == [{"model": "openai/a", "mode": "native"}, {"model": "openai/b", "mode": "native"}]
    assert shares(done, 0) == shares(done, 1)
    assert [request.body["model"] for request in up.requests] == ["a"] * 7 + ["b"] * 7


async def test_prompted_calls_are_measured_alike(console):
    def written(request):
        turn = right(request)
        said = f'<tool_call>\n{{"name": "get_weather", "arguments": {{"city": "{city_of(request)}"}}}}\n</tool_call>'
        is_answered = len(request.body["messages"]) > 2
        return text("18 degrees.") if is_answered else text(said) if turn.calls else turn

    async with serve(written) as up:
        done = await console(up).call("eval", "--set", "set.jsonl", "--dialect", "hermes", "--json")
    assert json.loads(done.out)["variants"][0]["variant"] == {
        "model": "openai/scripted",
        "mode": "prompted",
        "dialect": "hermes",
    }
    assert shares(done)["passed"] == (4, 4)
    assert all("tools" not in request.body for request in up.requests)


@pytest.mark.parametrize(
    ("flags", "ids"),
    [
        (["--category", "no_call"], {"poem"}),
        (["--language", "zh"], {"poem", "Lima"}),
        (["--language", "zh", "--category", "single"], {"Lima"}),
        (["--limit", "2"], {"Oslo", "poem"}),
    ],
)
async def test_some_of_the_cases_can_be_chosen(console, flags, ids):
    async with serve(right) as up:
        project = console(up)
        await project.call(*SET, *flags)
    assert {one["case"] for one in results(project)} == ids


async def test_after_a_kill_only_what_is_left_is_run(console):
    async with serve(but("Lima", stall())) as up:
        project = console(up)
        process = await project.start(*SET, "--concurrency", "1")
        await up.requested(6)
        process.kill()
        await process.wait()
        held = results(project)
        assert [one["case"] for one in held] == ["Oslo", "Rome", "poem"]
        with (project.folder / "toolpost-eval" / "results.jsonl").open("ab") as file:
            file.write(b'{"variant": {"mod')
    async with serve(right) as up:
        project.environ["OPENAI_BASE_URL"] = up.base_url
        done = await project.call(*SET, "--json")
    assert {question(request) for request in up.requests} == {"Weather in Lima?"}
    assert results(project)[:3] == held
    assert shares(done)["passed"] == (4, 4)


async def test_ctrl_c_stops_and_says_how_to_go_on(console):
    async with serve(but("Lima", stall())) as up:
        project = console(up)
        process = await project.start(*SET, "--concurrency", "1")
        await up.requested(6)
        interrupt(process)
        done = await finished(process)
        await up.closed()
        assert (done.status, done.out) == (130, "")
        assert "stopped: 3 of 4 cases are done and saved in toolpost-eval\nto continue: the same command; " in done.err
        seen = await project.call("eval", "--report", "toolpost-eval", "--json")
    assert shares(seen)["passed"] == (3, 3)


async def test_cases_run_side_by_side_up_to_the_number_given(console):
    async with serve(stall()) as up:
        project = console(up)
        process = await project.start(*SET, "--concurrency", "3")
        await up.requested(3)
        assert up.open == 3
        interrupt(process)
        await finished(process)
    assert len(up.requests) == 3


async def test_errors_are_no_wrong_answers_and_are_tried_again_by_the_next_start(console):
    async with serve(but("Rome", http_error(500))) as up:
        project = console(up)
        done = await project.call(*SET, "--json")
        assert done.status == 1
        assert shares(done)["passed"] == (3, 3)
        assert "1 case ended in an error; to retry: the same command" in done.err
    async with serve(right) as up:
        project.environ["OPENAI_BASE_URL"] = up.base_url
        again = await project.call(*SET, "--json")
    assert (again.status, shares(again)["passed"]) == (0, (4, 4))
    assert len(up.requests) == 2


async def test_a_wrong_key_ends_it_at_once(console):
    async with serve(http_error(401, "bad key")) as up:
        done = await console(up).call(*SET, "--concurrency", "1")
    assert done.status == 1
    assert len(up.requests) == 1
    assert "openai/scripted · native was stopped: " in done.err


async def test_a_changed_set_is_not_mixed_with_old_results(console):
    async with serve(right) as up:
        project = console(up)
        await project.call(*SET, "--category", "no_call")
        file = project.folder / "set.jsonl"
        file.write_text(file.read_text().replace("Oslo", "Bergen"))
        refused = await project.call(*SET)
        assert refused.status == 2
        assert "holds results of other cases (set, 4 of them): give another --out, or --fresh" in refused.err
        assert (await project.call(*SET, "--fresh")).status == 0
    assert {one["case"] for one in results(project)} == {"Bergen", "Rome", "poem", "Lima"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--set", "nowhere.jsonl"], "can't read nowhere.jsonl: No such file or directory"),
        (["--set", "broken.jsonl"], "broken.jsonl can't be used:\n  line 2: "),
        (["--language", "fr"], "no case of set has this category and language; its languages: en, zh"),
        (["--dialect", "hermes"], "--dialect and --grammar need --mode prompted"),
        (["nobody/x"], "unknown provider 'nobody'"),
        (["--report", "nowhere"], "can't read nowhere/results.jsonl"),
        (["--out", "set.jsonl"], "can't keep results in set.jsonl: File exists; give another --out"),
        (["--limit", "0"], "'0' is not a whole number above 0"),
    ],
)
async def test_what_is_wrong_is_said_before_anything_is_asked(console, arguments, said):
    async with serve(right) as up:
        project = console(up)
        project.folder.joinpath("broken.jsonl").write_text(f"{json.dumps(CASES[2])}\n{{}}\n")
        done = await project.call(*SET, *arguments)
    assert done.status == 2
    assert said in done.err
    assert up.requests == []
    assert not (project.folder / "toolpost-eval").exists()


async def test_without_any_model_one_is_asked_for(console):
    async with serve(right) as up:
        project = console(up)
        del project.environ["TOOLPOST_MODEL"]
        done = await project.call(*SET)
    assert (done.status, "no model is given: use toolpost eval PROVIDER/MODEL" in done.err) == (2, True)


async def test_on_a_terminal_there_is_a_bar(console):
    async with serve(right) as up:
        project = console(up)
        async with project.terminal(*SET) as terminal:
            assert await terminal.ended() == 0
    assert "4/4" in terminal.screen
    assert "passed: 4 of 4" in terminal.screen
    assert "report: toolpost-eval/report.html" in terminal.screen
