"""`toolpost batch`: many prompts side by side, what is written of them, and what stops them."""

import asyncio
import re
from pathlib import Path

import msgspec
import pytest
from batches import BatchConsole, by_id, decoded, echo, prompt_in
from console import PATIENCE, finished, lines

from toolpost.store.sqlite.store import SqliteStore
from toolpost.testing import Gate, Upstream, call, http_error, pause, text, turn
from toolpost.types.events import Retry

PRICED = """
[providers.openai.models.scripted]
price = {input = 100_000, output = 0}
"""
RETRIES = {"TOOLPOST_LIMITS_RETRY_DELAY": "0.01"}


async def test_results_are_written_as_they_come_with_all_that_is_known_of_them(tmp_path):
    gate = Gate()

    def answer(request):
        return pause(gate) + text("slow") if prompt_in(request) == "first" else echo(request)

    async with Upstream(answer, answer) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write({"prompt": "first", "id": "a", "metadata": {"row": 1}}, {"prompt": "second", "id": "b"})
        process = await console.start_batch()
        async with asyncio.timeout(PATIENCE):
            first = msgspec.json.decode(await process.stdout.readline())
        gate.open()
        done = await finished(process)
    assert (done.status, first["id"], first["text"]) == (0, "b", "answer to second")
    (second,) = decoded(done.out)
    assert second.pop("session").startswith("ses_")
    assert second.pop("seconds") > 0
    assert second == {
        "id": "a",
        "reason": "done",
        "text": "slow",
        "output": None,
        "steps": 1,
        "usage": {"input": 10, "output": 5},
        "cost": None,
        "limit": "",
        "error": None,
        "denied": [],
        "metadata": {"row": 1},
    }


async def test_no_more_run_side_by_side_than_were_asked_for_and_no_fewer(tmp_path):
    gates, most = [], 0

    def answer(request):
        nonlocal most
        gates.append(Gate())
        most = max(most, sum(not gate.opened.is_set() for gate in gates))
        return pause(gates[-1]) + text("ok")

    async with Upstream(*[answer] * 10) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write(*[f"item {number}" for number in range(10)])
        process = await console.start_batch("--concurrency", "3")
        for number in range(10):
            await up.requested(min(number + 3, 10), timeout=PATIENCE)
            gates[number].open()
        done = await finished(process)
    assert (done.status, len(decoded(done.out)), most) == (0, 10, 3)


async def test_a_failing_item_fails_alone_and_is_run_again_only_when_that_is_asked_for(tmp_path):
    is_broken = True

    def answer(request):
        is_bad = prompt_in(request) == "bad" and is_broken
        return http_error(400, "no such thing") if is_bad else echo(request)

    async with Upstream(answer, repeat=True) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("good", "bad", "better")
        done = await console.batch_to_file()
        assert done.status == 1
        assert "1 item failed; to run them again: the same command with --retry-failed" in done.err
        failed = by_id(console.results)["2"]
        assert (failed["reason"], failed["error"]["code"]) == ("error", "bad_request")
        again = await console.batch_to_file()
        assert (again.status, len(up.requests)) == (1, 3)
        is_broken = False
        mended = await console.batch_to_file("--retry-failed")
    assert (mended.status, len(up.requests)) == (0, 4)
    assert {result["text"] for result in by_id(console.results).values()} == {
        "answer to good",
        "answer to bad",
        "answer to better",
    }
    assert by_id(console.results)["2"]["session"] == failed["session"]
    said = [message["content"] for message in up.requests[3].body["messages"] if message["role"] != "system"]
    assert said == ["bad"], "it began anew, without what had failed before"


async def test_a_batch_stops_after_so_many_failures_and_goes_on_later(tmp_path):
    async with Upstream(*[http_error(400, "no")] * 2, *[echo] * 3) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b", "c", "d", "e")
        done = await console.batch_to_file("--concurrency", "1", "--max-failures", "2")
        assert (done.status, len(console.results)) == (1, 2)
        assert "stopped, because 2 items failed; to go on: the same command" in done.err
        again = await console.batch_to_file("--concurrency", "1", "--max-failures", "2")
    assert (again.status, len(by_id(console.results))) == (1, 5)


async def test_a_batch_stops_when_all_together_cost_too_much(tmp_path):
    async with Upstream(*[turn(text("ok"), usage=None)] * 4) as up:
        console = BatchConsole(tmp_path, up.base_url)
        (console.folder / ".toolpost" / "config.toml").write_text(PRICED)
        console.write("a", "b", "c", "d", "e")
        done = await console.batch_to_file("--concurrency", "1", "--max-total-cost", "1.5")
        assert (done.status, len(console.results)) == (3, 2)
        assert "--max-total-cost was reached" in done.err
        assert "$2" in done.err
        again = await console.batch_to_file("--concurrency", "1", "--max-total-cost", "1.5")
        assert (again.status, len(console.results)) == (3, 2)
        more = await console.batch_to_file("--concurrency", "1", "--max-total-cost", "3.5")
    assert (more.status, [result["cost"] for result in console.results]) == (3, [1.0] * 4)


async def test_a_limit_of_the_cost_needs_a_price(tmp_path):
    console = BatchConsole(tmp_path)
    console.write("a")
    done = await console.batch("--max-total-cost", "1")
    assert done.status == 2
    assert "the price of openai/scripted is not known" in done.err


async def test_limits_of_a_run_hold_for_each_item(tmp_path):
    async with Upstream(call("get_weather", {"city": "Rome"}), text("as far as I know"), text("sunny")) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b")
        done = await console.batch(
            *("--tools", str(console.tools), "--allow", "*", "--max-steps", "1", "--concurrency", "1")
        )
    results = by_id(decoded(done.out))
    assert (done.status, results["1"]["reason"], results["1"]["limit"]) == (3, "limit", "max_steps")
    assert results["2"]["reason"] == "done"


async def test_what_nobody_could_approve_gives_4_and_the_flags(tmp_path):
    weather = call("get_weather", {"city": "Rome"})
    async with Upstream(weather, text("I could not."), weather, text("sunny")) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a")
        tools = ("--tools", str(console.tools))
        done = await console.batch(*tools)
        allowed = await console.batch(*tools, "--allow", "get_weather")
    assert (done.status, decoded(done.out)[0]["denied"]) == (4, ["get_weather"])
    assert "To allow them: --allow get_weather" in done.err
    assert (allowed.status, decoded(allowed.out)[0]["denied"]) == (0, [])


async def test_an_item_that_tries_again_says_so(tmp_path):
    async with Upstream(http_error(503, "out of order"), echo) as up:
        console = BatchConsole(tmp_path, up.base_url, **RETRIES)
        console.write("a")
        done = await console.batch_to_file()
    assert done.status == 0
    assert re.search(r"item 1 tries again in \d+ s: .*out of order", done.err)


async def test_a_provider_that_is_too_busy_fails_no_item(tmp_path):
    busy = http_error(429, "slow down", headers={"retry-after": "1"})
    async with Upstream(busy, echo, echo) as up:
        console = BatchConsole(tmp_path, up.base_url, **RETRIES, TOOLPOST_LIMITS_RETRY_AFTER_MAX="0.1")
        console.write("a", "b")
        done = await console.batch("--concurrency", "1")
    assert (done.status, len(by_id(decoded(done.out)))) == (0, 2)
    assert "waiting 1 s" in done.err


async def test_while_a_provider_wants_to_be_left_alone_nothing_new_begins(tmp_path):
    came = []

    def answer(request):
        came.append((asyncio.get_running_loop().time(), prompt_in(request)))
        is_busy = came[-1][1] == "a" and [word for _, word in came].count("a") == 1
        return http_error(429, "slow down", headers={"retry-after": "1"}) if is_busy else pause(gate) + echo(request)

    gate = Gate()
    async with Upstream(answer, repeat=True) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b", "c")
        process = await console.start_batch("--concurrency", "2")
        await asyncio.wait_for(told_to_wait(console), PATIENCE)
        # The one beside it ends while it waits.
        gate.open()
        done = await finished(process)
    assert (done.status, len(came)) == (0, 4)
    first = next(time for time, word in came if word == "a")
    assert next(time for time, word in came if word == "c") - first >= 1


async def told_to_wait(console):
    """Return once a run has stored that its provider wants to be left alone."""
    store = SqliteStore(console.data / "toolpost.db")
    try:
        async for _ in store.follow():
            async for info in store.sessions():
                if [event async for event in store.events(info.id) if isinstance(event, Retry)]:
                    return
    finally:
        await store.close()


async def test_a_batch_whose_items_would_all_fail_alike_stops(tmp_path):
    async with Upstream(http_error(401, "bad key"), repeat=True) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write(*[f"item {number}" for number in range(50)])
        done = await console.batch_to_file("--concurrency", "1")
    assert (done.status, len(up.requests), len(console.results)) == (1, 5, 5)
    assert "stopped, because 5 items failed one after the other: " in done.err


async def test_results_of_a_batch_without_a_file_can_be_had_again_by_its_name(tmp_path):
    async with Upstream(echo, echo) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b")
        first = await console.batch("--name", "mine")
        again = await console.batch("--name", "mine")
    assert by_id(decoded(first.out)) == by_id(decoded(again.out))


async def test_two_batches_do_not_write_to_one_file(tmp_path):
    gate = Gate()
    async with Upstream(pause(gate) + text("ok")) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a")
        process = await console.start_batch("--output", "results.jsonl")
        await asyncio.wait_for(gate.reached.wait(), PATIENCE)
        other = await console.batch_to_file()
        gate.open()
        done = await finished(process)
    assert (done.status, other.status) == (0, 2)
    assert "another batch writes to" in other.err


async def test_each_prompt_has_a_session_that_says_what_it_was_for(tmp_path):
    async with Upstream(echo, text("more")) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write({"prompt": "a", "id": "x"})
        await console.batch_to_file()
        (session,) = msgspec.json.decode((await console.call("sessions", "--json")).out)
        assert (session["id"], session["title"]) == (console.results[0]["session"], "results.jsonl: x")
        more = await console.run("-s", session["id"], "go on")
    assert more.out == "more\n"


async def test_a_reader_that_leaves_ends_the_batch_quietly(tmp_path):
    gate = Gate()
    async with Upstream(text("first"), pause(gate) + text("second")) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b")
        process = await console.start_batch("--concurrency", "1")
        async with asyncio.timeout(PATIENCE):
            await process.stdout.readline()
            await gate.reached.wait()
            process.stdout._transport.close()
            err = await process.stderr.read()
            assert await process.wait() == 141
    assert b"Traceback" not in err


async def test_who_closes_stdout_does_not_end_a_batch_that_writes_to_a_file(tmp_path):
    gate = Gate()
    async with Upstream(pause(gate) + text("ok")) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a")
        process = await console.start_batch("--output", "results.jsonl")
        async with asyncio.timeout(PATIENCE):
            await gate.reached.wait()
            process.stdout._transport.close()
            gate.open()
            await process.stderr.read()
            assert await process.wait() == 0
    assert console.results[0]["text"] == "ok"


async def test_without_a_terminal_the_end_is_one_line_and_quiet_is_silent(tmp_path):
    async with Upstream(echo, repeat=True) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b")
        told = await console.batch()
        quiet = await console.batch("--quiet")
    (line,) = lines(told.err)
    assert line.startswith("2 of 2 items, 30 tokens, in ")
    assert (quiet.status, quiet.err) == (0, "")


async def test_a_terminal_shows_one_line_that_is_drawn_anew(tmp_path):
    gate = Gate()
    async with Upstream(echo, pause(gate) + text("ok")) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a", "b")
        async with console.terminal("batch", "items.jsonl", "-o", "results.jsonl", "--concurrency", "1") as terminal:
            await terminal.seen("1/2")
            await terminal.seen("1 running")
            gate.open()
            await terminal.seen("2 of 2 items")
            assert await terminal.ended() == 0
    assert terminal.screen.count("\n") == 1


async def test_results_on_a_terminal_do_not_mix_with_the_line(tmp_path):
    async with Upstream(text("a\x9b31mb"), repeat=True) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write("a")
        async with console.terminal("batch", "items.jsonl") as terminal:
            assert await terminal.ended() == 0
    (row,) = [line.rpartition("\x1b[K")[2] for line in terminal.screen.splitlines() if '"id":"1"' in line]
    assert msgspec.json.decode(row)["text"] == "a\x9b31mb"
    assert "\x9b" not in terminal.screen


@pytest.mark.timeout(300)
async def test_memory_does_not_grow_with_the_number_of_items(tmp_path):
    sizes = {}

    def answer(request):
        if len(up.requests) in (500, 2_000):
            sizes[len(up.requests)] = resident(process.pid)
        return text("ok " * 1_000)

    async with Upstream(answer, repeat=True) as up:
        console = BatchConsole(tmp_path, up.base_url)
        console.write(*[f"item {number}" for number in range(2_000)])
        process = await console.start_batch("--output", "results.jsonl", "--concurrency", "8")
        done = await finished(process)
    assert (done.status, len(by_id(console.results))) == (0, 2_000)
    assert sizes[2_000] - sizes[500] < 8_000, "in kilobytes"


def resident(pid):
    status = Path(f"/proc/{pid}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS")]
    return int(line.split()[1])
