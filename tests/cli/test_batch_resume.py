"""A batch that was stopped, killed or changed: the same command goes on with it, and nothing runs twice."""

import asyncio
import random
import signal
from collections import Counter

import msgspec
import pytest
from batches import BatchConsole, by_id, decoded, echo, prompt_in
from console import PATIENCE, finished, interrupt

from toolpost.testing import Gate, Upstream, call, http_error, pause, text

NOTE = '''
import os
from toolpost import ToolContext, tool

@tool
def note(word: str) -> str:
    """Write a word into the notes."""
    file = os.open("notes", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    os.write(file, f"{word}\\n".encode())
    os.close(file)
    return "noted"
'''


DIE = '''
import os, signal
from toolpost import tool

@tool(idempotent=True)
def die() -> str:
    """Die."""
    os.kill(os.getpid(), signal.SIGKILL)
    return ""
'''


class NotingConsole(BatchConsole):
    """Its model notes each prompt with a tool, and then answers."""

    def __init__(self, home, base_url) -> None:
        super().__init__(home, base_url)
        self.tools.write_text(NOTE)

    @property
    def arguments(self):
        return ("--output", "results.jsonl", "--tools", str(self.tools), "--allow", "*")

    @property
    def notes(self):
        return Counter((self.folder / "notes").read_text().split())


def is_noted(request) -> bool:
    return request.body["messages"][-1]["role"] == "tool"


def noting(request):
    return echo(request) if is_noted(request) else call("note", {"word": prompt_in(request)})


async def killed(process) -> None:
    process.kill()
    await process.wait()


async def test_after_a_kill_what_was_running_goes_on_in_its_own_session(tmp_path):
    gates = [Gate(), Gate()]
    waiting = iter(gates)

    def answer(request):
        if is_noted(request) and (gate := next(waiting, None)):
            return pause(gate) + text("nobody hears this")
        return noting(request)

    async with Upstream(answer, repeat=True) as up:
        console = NotingConsole(tmp_path, up.base_url)
        words = ["a", "b", "c", "d"]
        console.write(*words)
        process = await console.start_batch("--concurrency", "2", *console.arguments)
        for gate in gates:
            await asyncio.wait_for(gate.reached.wait(), PATIENCE)
        await killed(process)
        assert console.results == []
        done = await console.batch("--concurrency", "2", *console.arguments)
        sessions = msgspec.json.decode((await console.call("sessions", "--json")).out)
    assert done.status == 0
    assert {result["text"] for result in by_id(console.results).values()} == {f"answer to {word}" for word in words}
    assert console.notes == Counter(words), "a call ran twice, or never"
    assert len(sessions) == 4
    assert Counter(prompt_in(request) for request in up.requests) == {"a": 3, "b": 3, "c": 2, "d": 2}
    assert by_id(console.results)["1"]["steps"] == 2


@pytest.mark.timeout(240)
async def test_an_item_goes_on_with_the_agent_and_the_model_that_it_was_begun_with(tmp_path):
    async with Upstream(call("die"), text("end")) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.tools.write_text(DIE.replace("(idempotent=True)", "") + NOTE)
        agent = console.folder / ".toolpost" / "agents" / "reader.md"
        agent.parent.mkdir()
        agent.write_text("---\ndescription: Read\ntools: [die]\n---\nRead.\n")
        console.write("go")
        arguments = ("--output", "results.jsonl", "--tools", str(console.tools), "--allow", "*")
        died = await console.batch(*arguments, "--agent", "reader", "--model", "openai/other")
        assert died.status == -signal.SIGKILL, died.err
        done = await console.batch(*arguments)
        assert done.status == 0, done.err
        assert [result["text"] for result in console.results] == ["end"]
        first, second = ([tool["function"]["name"] for tool in request.body["tools"]] for request in up.requests)
        assert first == second == ["die"]
        assert {request.body["model"] for request in up.requests} == {"other"}


async def test_killed_again_and_again_a_batch_ends_with_one_result_for_each_item(tmp_path):
    chance = random.Random(4711)
    async with Upstream(noting, repeat=True) as up:
        console = NotingConsole(tmp_path, up.base_url)
        words = [f"w{number}" for number in range(60)]
        console.write(*words)
        for _ in range(8):
            process = await console.start_batch("--concurrency", "4", *console.arguments)
            await up.requested(len(up.requests) + chance.randint(1, 14), timeout=PATIENCE)
            await killed(process)
        done = await console.batch("--concurrency", "4", *console.arguments)
    assert done.status == 0
    results = by_id(console.results)
    assert [results[str(number)]["text"] for number in range(1, 61)] == [f"answer to {word}" for word in words]
    assert max(console.notes.values()) == 1, "a call ran twice"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_stops_the_batch_and_the_same_command_goes_on(tmp_path, number):
    gate = Gate()

    def answer(request):
        return pause(gate) + text("never") if is_noted(request) and not gate.reached.is_set() else noting(request)

    async with Upstream(answer, repeat=True) as up:
        console = NotingConsole(tmp_path, up.base_url)
        console.write("a", "b", "c")
        process = await console.start_batch("--concurrency", "1", *console.arguments)
        await asyncio.wait_for(gate.reached.wait(), PATIENCE)
        interrupt(process, number)
        done = await finished(process)
        assert (done.status, console.results) == (130, [])
        assert "0 of 3 items" in done.err
        assert "stopped; to go on: the same command" in done.err
        assert len(up.requests) == 2
        (listed,) = msgspec.json.decode((await console.call("sessions", "--json")).out)
        assert listed["state"] == "interrupted"
        again = await console.batch("--concurrency", "1", *console.arguments)
    assert again.status == 0
    assert by_id(console.results)["1"]["text"] == "answer to a"
    assert console.notes == Counter(["a", "b", "c"])
    said = [message["content"] for message in up.requests[2].body["messages"] if message["role"] == "user"]
    assert said == ["a"]


async def test_a_batch_on_stdout_that_is_stopped_says_under_which_name_it_goes_on(tmp_path):
    gate = Gate()
    async with Upstream(echo, pause(gate) + text("never"), echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b")
        process = await console.start_batch("--concurrency", "1")
        await asyncio.wait_for(gate.reached.wait(), PATIENCE)
        interrupt(process)
        done = await finished(process)
        name = done.err.rpartition("--name ")[2].strip()
        again = await console.batch("--name", name)
    assert (done.status, again.status) == (130, 0)
    assert {result["text"] for result in decoded(again.out)} == {"answer to a", "answer to b"}


async def test_a_signal_while_a_provider_is_waited_for_ends_the_batch_at_once(tmp_path):
    busy = http_error(429, "slow down", headers={"retry-after": "1000"})
    async with Upstream(busy, echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a")
        process = await console.start_batch("--output", "results.jsonl")
        async with asyncio.timeout(PATIENCE):
            assert b"waiting 1000 s" in await process.stderr.readline()
        interrupt(process)
        assert (await finished(process)).status == 130
        again = await console.batch_to_file()
    assert (again.status, console.results[0]["text"]) == (0, "answer to a")


async def test_a_line_that_a_kill_has_cut_is_mended_from_the_store(tmp_path):
    async with Upstream(echo, echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b")
        await console.batch_to_file()
        whole = by_id(console.results)
        file = console.folder / "results.jsonl"
        file.write_bytes(file.read_bytes()[:-10])
        done = await console.batch_to_file()
    assert done.status == 0
    assert by_id(console.results) == whole


async def test_results_that_are_gone_come_from_the_store(tmp_path):
    async with Upstream(echo, echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b")
        await console.batch_to_file()
        whole = by_id(console.results)
        (console.folder / "results.jsonl").unlink()
        done = await console.batch_to_file()
    assert done.status == 0
    assert by_id(console.results) == whole


async def test_new_items_are_run_and_old_ones_are_not_run_again(tmp_path):
    async with Upstream(echo, echo, echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b")
        await console.batch_to_file()
        console.write("a", "b", "c")
        done = await console.batch_to_file()
    assert (done.status, len(by_id(console.results))) == (0, 3)
    assert "2 of 3 items are done already" in done.err


@pytest.mark.parametrize("is_written", [True, False], ids=["with its result", "without its result"])
async def test_an_item_that_has_changed_is_refused_before_anything_runs(tmp_path, is_written):
    async with Upstream(echo, echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write({"prompt": "a", "id": "y"}, {"prompt": "b", "id": "x"})
        await console.batch_to_file()
        if not is_written:
            (console.folder / "results.jsonl").unlink()
        console.write("new", {"prompt": "B", "id": "x"})
        done = await console.batch_to_file()
    assert (done.status, len(up.requests)) == (2, 2)
    assert "the item 'x' has changed since the batch 'results.jsonl' ran it: give the item another id" in done.err


async def test_what_an_item_only_says_of_itself_may_change(tmp_path):
    async with Upstream(echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write({"prompt": "a", "metadata": {"row": 1}})
        await console.batch_to_file()
        console.write({"prompt": "a", "metadata": {"row": 2}})
        done = await console.batch_to_file()
    assert done.status == 0


async def test_a_file_with_results_of_another_batch_is_left_alone(tmp_path):
    async with Upstream(echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a")
        await console.batch_to_file()
        before = console.results
        done = await console.batch_to_file("--name", "other")
    assert done.status == 2
    assert "line 1 is a result of another batch; give another --output" in done.err
    assert console.results == before


@pytest.mark.parametrize(
    "content",
    [
        "notes",
        "notes\n",
        '{"id": 1}',
        "{\n",
        '{"id":"chatcmpl-7","choices":["the only copy"]}',
        '{"id":"1","session":"ses_of_another_batch","text":"the only copy"}',
        '{"id":"a note without an end',
    ],
)
async def test_a_file_that_is_of_no_batch_is_left_alone(tmp_path, content):
    console = BatchConsole(tmp_path)
    console.write("a")
    (console.folder / "results.jsonl").write_text(content)
    done = await console.batch_to_file()
    assert done.status == 2
    assert "line 1 is no result of a batch" in done.err
    assert (console.folder / "results.jsonl").read_text() == content


@pytest.mark.parametrize("is_there", [True, False])
async def test_results_are_not_written_through_a_link(tmp_path, is_there):
    console = BatchConsole(tmp_path)
    console.write("a")
    outside = tmp_path / ".profile"
    if is_there:
        outside.touch()
    (console.folder / "results.jsonl").symlink_to(outside)
    done = await console.batch_to_file()
    assert done.status == 2
    assert "results.jsonl is a link, and results are not written through one: give the file's own path" in done.err
    assert not outside.exists() or outside.read_bytes() == b""


@pytest.mark.parametrize("left", [8, 12, 20, 40, 200])
async def test_a_first_line_that_a_kill_has_cut_is_ours_where_its_id_is_whole(tmp_path, left):
    async with Upstream(echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a")
        await console.batch_to_file()
        whole = by_id(console.results)
        file = console.folder / "results.jsonl"
        file.write_bytes(file.read_bytes()[:left])
        done = await console.batch_to_file()
    if left < len('{"id":"1"'):
        assert "line 1 is no result of a batch" in done.err
    else:
        assert by_id(console.results) == whole


async def test_two_processes_that_run_the_same_batch_share_its_work(tmp_path):
    gate = Gate()

    def answer(request):
        return pause(gate) + text("slow") if prompt_in(request) == "a" else echo(request)

    async with Upstream(answer, answer) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b")
        first = await console.start_batch("--name", "shared", "--concurrency", "1")
        await asyncio.wait_for(gate.reached.wait(), PATIENCE)
        second = await console.start_batch("--name", "shared", "--concurrency", "2")
        async with asyncio.timeout(PATIENCE):
            row = await second.stdout.readline()
        gate.open()
        ends = [await finished(first), await finished(second)]
    assert [end.status for end in ends] == [0, 0]
    assert by_id(decoded(ends[0].out)) == by_id(decoded(row + ends[1].out.encode()))


async def test_failed_results_are_taken_out_and_the_others_stay_as_they_are(tmp_path):
    bad = http_error(400, "no")
    async with Upstream(echo, bad, echo, bad) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b", "c")
        await console.batch_to_file("--concurrency", "1")
        file = console.folder / "results.jsonl"
        file.chmod(0o640)
        first, failed, third = file.read_bytes().splitlines(keepends=True)
        done = await console.batch_to_file("--concurrency", "1", "--retry-failed")
    assert done.status == 1
    kept = file.read_bytes().splitlines(keepends=True)
    assert kept[:2] == [first, third]
    assert msgspec.json.decode(kept[2])["id"] == msgspec.json.decode(failed)["id"]
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in console.folder.iterdir() if path.name.startswith(".results")] == []


async def test_failed_results_stay_where_the_items_can_not_be_run(tmp_path):
    async with Upstream(http_error(400, "no")) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a")
        await console.batch_to_file()
        before = console.results
        console.write("a", {"promt": "b"})
        done = await console.batch_to_file("--retry-failed")
    assert (done.status, console.results) == (2, before)


async def test_an_item_that_kills_its_process_is_given_up_and_the_others_run(tmp_path):
    def answer(request):
        return call("die") if prompt_in(request) == "poison" and not is_noted(request) else echo(request)

    async with Upstream(answer, repeat=True) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.tools.write_text(DIE)
        console.write("good", "poison", "better")
        arguments = ("--output", "results.jsonl", "--tools", str(console.tools), "--allow", "*", "--concurrency", "1")
        ends = [(await console.batch(*arguments)).status for _ in range(6)]
    assert ends == [-signal.SIGKILL] * 5 + [1]
    results = by_id(console.results)
    assert results["2"]["error"]["code"] == "given_up"
    assert results["3"]["text"] == "answer to better"


@pytest.mark.parametrize("is_gone", [False, True], ids=["its agent is there", "its agent is gone"])
async def test_an_interrupted_run_goes_on_as_the_agent_that_it_was_begun_as(tmp_path, is_gone):
    """The same command without --agent means the default agent, which may use every tool."""
    gate = Gate()
    async with Upstream(pause(gate) + text("never"), text("the end"), strict=False) as up:
        console = NotingConsole(tmp_path, up.base_url)
        reader = console.folder / ".toolpost" / "agents" / "reader.md"
        reader.parent.mkdir()
        reader.write_text("---\ndescription: Reads\ntools: [read]\n---\nYou read.\n")
        console.write("go")
        process = await console.start_batch(*console.arguments, "--agent", "reader")
        await asyncio.wait_for(gate.reached.wait(), PATIENCE)
        await killed(process)
        if is_gone:
            reader.unlink()
        done = await console.batch(*console.arguments)
        if is_gone:
            assert (done.status, len(up.requests)) == (2, 1)
            assert "the agent reader of the run of item '1' is gone: --agent names another one" in done.err
            done = await console.batch(*console.arguments, "--agent", "build")
    assert done.status == 0
    tools = [{tool["function"]["name"] for tool in request.body["tools"]} for request in up.requests]
    assert tools[0] == {"read"}
    assert ("note" in tools[1]) == is_gone
