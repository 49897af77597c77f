"""What may stand in the items of a batch, and what is refused before anything runs."""

import asyncio
import sys

import pytest
from batches import BatchConsole, by_id, decoded, echo
from console import finished

from toolpost.testing import Upstream, call, text

SCHEMA = {"type": "object", "properties": {"degrees": {"type": "integer"}}, "required": ["degrees"]}


async def test_a_text_is_a_prompt_and_its_line_is_its_id(tmp_path):
    async with Upstream(echo, repeat=True) as up:
        console = BatchConsole(tmp_path, up.base_url)
        (console.folder / "items.jsonl").write_bytes(
            b'\xef\xbb\xbf"one"\r\n\r\n{"prompt": "two", "model": null}\n"three"'
        )
        done = await console.batch()
    assert done.status == 0
    texts = {item: result["text"] for item, result in by_id(decoded(done.out)).items()}
    assert texts == {"1": "answer to one", "3": "answer to two", "4": "answer to three"}


async def test_standard_input_may_hold_the_items(tmp_path):
    async with Upstream(echo, repeat=True) as up:
        console = BatchConsole(tmp_path, up.base_url)
        done = await console.batch(items="-", stdin=b'"one"\n{"prompt":"two","id":"b"}\n')
    assert done.status == 0
    assert sorted(by_id(decoded(done.out))) == ["1", "b"]


async def test_an_item_says_how_it_is_run_and_what_it_says_of_itself_comes_back(tmp_path):
    async with Upstream(echo, repeat=True) as up:
        console = BatchConsole(tmp_path, up.base_url)
        (console.folder / "shots").mkdir()
        (console.folder / "shots" / "dot.png").write_bytes(b"\x89PNG")
        item = {
            "prompt": "look",
            "id": 7,
            "system": "You are terse.",
            "model": "openai/other",
            "options": {"temperature": 0.5},
            "files": ["dot.png"],
            "metadata": {"row": [1, 2]},
        }
        console.write(item, "plain")
        done = await console.batch("--files", "shots", "--concurrency", "1")
    assert done.status == 0
    own, plain = (request.body for request in up.requests)
    assert (own["model"], own["temperature"], plain["model"]) == ("other", 0.5, "scripted")
    assert own["messages"][0]["content"].startswith("You are terse.")
    assert own["messages"][-1]["content"][1]["image_url"]["url"].startswith("data:image/png;base64,")
    results = by_id(decoded(done.out))
    assert results["7"]["metadata"] == {"row": [1, 2]}
    assert results["2"]["metadata"] is None


async def test_an_agent_of_an_item_stands_before_that_of_the_command(tmp_path):
    async with Upstream(echo, repeat=True) as up:
        console = BatchConsole(tmp_path, up.base_url)
        agents = '[agents.pirate]\nsystem = "Talk like a pirate."\n[agents.poet]\nsystem = "Write verse."\n'
        (console.folder / ".toolpost" / "config.toml").write_text(agents)
        console.write({"prompt": "a", "agent": "pirate"}, "b")
        await console.batch("--agent", "poet", "--concurrency", "1")
    heads = [request.body["messages"][0]["content"].splitlines()[0] for request in up.requests]
    assert heads == ["Talk like a pirate.", "Write verse."]


async def test_each_item_may_have_an_output_schema_and_the_flag_is_for_the_others(tmp_path):
    def answer(request):
        (offered,) = [tool["function"] for tool in request.body["tools"] if tool["function"]["name"] == "final_output"]
        return call("final_output", dict.fromkeys(offered["parameters"]["properties"], 22))

    own = {"type": "object", "properties": {"feet": {"type": "integer"}}, "required": ["feet"]}
    async with Upstream(answer, repeat=True) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write(SCHEMA, name="schema.json")
        console.write({"prompt": "high", "output_schema": own}, "warm")
        done = await console.batch("--output-schema", "schema.json")
    results = by_id(decoded(done.out))
    assert (results["1"]["output"], results["2"]["output"]) == ({"feet": 22}, {"degrees": 22})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        pytest.param(b"What is 2 + 2?", "line 2: it is not JSON", id="plain text"),
        pytest.param(b'{"prompt": "x"', "line 2: it is not JSON (it ends too early)", id="half an object"),
        pytest.param(b"[1]", 'line 2: it must be a text in quotes, or an object with "prompt"', id="a list"),
        pytest.param(b'{"promt": "x"}', 'line 2: "promt" is not known, did you mean "prompt"?', id="a typo"),
        pytest.param(b'{"prompt": " "}', "line 2: the prompt is empty", id="an empty prompt"),
        pytest.param(b'{"prompt": "x", "id": ""}', 'line 2: "id" must have 1 to 200 characters', id="an empty id"),
        pytest.param(b'{"prompt": "x", "id": 1}', "line 2: the id '1' is that of line 1 too", id="a double"),
        pytest.param(b'{"prompt": "x", "model": "nope/x"}', "line 2: unknown provider 'nope'", id="a model"),
        pytest.param(b'{"prompt": "x", "agent": "nobody"}', "line 2: no agent 'nobody'", id="an agent"),
        pytest.param(b'{"prompt": "x", "variant": "odd"}', "line 2: ", id="a variant"),
        pytest.param(b'{"prompt": "x", "options": {"temperatur": 1}}', "temperatur is not an option", id="an option"),
        pytest.param(b'{"prompt": "x", "output_schema": {"type": "odd"}}', "line 2: the JSON Schema", id="a schema"),
        pytest.param(b'{"prompt": "x", "files": ["none.png"]}', "line 2: none.png", id="a file"),
        pytest.param(b'{"prompt": "x", "files": ["/etc/hostname"]}', "is not in ", id="a file elsewhere"),
        pytest.param(b'{"prompt": "x", "files": ["../secret.txt"]}', "is not in ", id="a file above"),
        pytest.param(
            b'{"prompt": "x", "files": ["nope.txt"]}', "line 2: nope.txt does not exist.", id="a missing file"
        ),
        pytest.param(b'{"prompt": "x", "files": ["link.txt"]}', "is not in ", id="a link that leads out"),
        pytest.param(b'{"prompt": "x", "files": [".env"]}', "holds secrets", id="a file with secrets"),
    ],
)
async def test_one_item_that_can_not_be_run_is_named_and_nothing_runs(tmp_path, line, said):
    async with Upstream() as up:
        console = BatchConsole(tmp_path, up.base_url)
        (tmp_path / "secret.txt").write_text("secret")
        (console.folder / ".env").write_text("KEY=secret")
        (console.folder / "link.txt").symlink_to(tmp_path / "secret.txt")
        (console.folder / "items.jsonl").write_bytes(b'"fine"\n' + line + b'\n"fine"\n')
        done = await console.batch("--output", "results.jsonl")
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert not up.requests
    assert console.results == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(["none.jsonl"], "cannot read none.jsonl: No such file", id="no items"),
        pytest.param(["."], "cannot read .: Is a directory", id="a folder"),
        pytest.param(["items.jsonl", "-o", "items.jsonl"], "holds the items", id="the items as output"),
        pytest.param(["items.jsonl", "-o", "no/where.jsonl"], "cannot write to", id="no folder"),
        pytest.param(["items.jsonl", "-o", "/dev/null"], "/dev/null is not a file", id="a device"),
        pytest.param(["items.jsonl", "-o", "tools.py"], "line 2 is no result of a batch", id="another file"),
        pytest.param(["items.jsonl", "--name", " "], "--name must have 1 to 200 characters", id="no name"),
        pytest.param(["items.jsonl", "--concurrency", "0"], "not a whole number above 0", id="nobody works"),
        pytest.param(["items.jsonl", "-m", "nope/x"], "toolpost: unknown provider 'nope'", id="the usual model"),
        pytest.param(["items.jsonl", "--output-schema", "tools.py"], "is not valid JSON", id="no schema"),
    ],
)
async def test_wrong_usage_gives_2_and_changes_no_file(tmp_path, arguments, said):
    console = BatchConsole(tmp_path)
    console.write("one")
    before = {path.name: path.read_bytes() for path in console.folder.iterdir() if path.is_file()}
    done = await console.call("batch", *arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err
    assert "Traceback" not in done.err
    assert {path.name: path.read_bytes() for path in console.folder.iterdir() if path.is_file()} == before


async def test_no_items_are_no_work(tmp_path):
    console = BatchConsole(tmp_path)
    console.write()
    done = await console.batch()
    assert (done.status, done.out) == (0, "")


async def test_a_file_that_is_gone_when_its_item_is_run_fails_that_item_alone(tmp_path):
    def remove(request):
        (console.folder / "b.txt").unlink()
        return text("removed")

    async with Upstream(remove, echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        (console.folder / "b.txt").write_text("b")
        console.write("first", {"prompt": "second", "files": ["b.txt"]}, "third")
        done = await console.batch("--concurrency", "1")
    results = by_id(decoded(done.out))
    assert done.status == 1
    assert (results["2"]["reason"], results["2"]["error"]["code"]) == ("error", "config")
    assert results["3"]["text"] == "answer to third"


async def test_a_hundred_thousand_lines_are_checked_in_bounded_memory(tmp_path):
    console = BatchConsole(tmp_path)
    few = await peak(console, 1)
    many = await peak(console, 100_000)
    assert many - few < 30_000, "in kilobytes"


async def peak(console, count):
    """The memory that checking so many items took at most, the last of which is refused."""
    lines = [f'{{"prompt": "What is {number} + 1?", "id": "item-{number}"}}\n' for number in range(count)]
    (console.folder / "items.jsonl").write_text("".join([*lines, "not JSON\n"]))
    code = (
        "import resource, sys; from toolpost.cli.main import main\n"
        "main(sys.argv[1:]); print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code, "batch", "items.jsonl"),
        cwd=console.folder,
        env=console.environ,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    done = await finished(process)
    assert f"line {count + 1}: it is not JSON" in done.err
    return int(done.out)
