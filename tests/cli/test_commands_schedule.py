"""`toolpost schedule`, and servers that fire what it adds: as processes of their own, on real stores."""

import asyncio
import contextlib
import itertools
import re
import signal
import time
from collections import Counter
from collections.abc import AsyncIterator
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import msgspec
import pytest
import served
from console import Console, lines
from msgspec.structs import replace
from served import TOKEN

from toolpost.schedules.records import Schedules
from toolpost.schedules.schedule import PendingFiring, Schedule
from toolpost.store import open_store
from toolpost.store.contract import Store
from toolpost.testing import Gate, Upstream, pause, text

PATIENCE = 60.0
NO_SERVER = "no server runs here"
HOUR = 3_600

_schemas = itertools.count(1)


@contextlib.asynccontextmanager
async def serving(console: Console, *arguments: str) -> AsyncIterator[tuple[asyncio.subprocess.Process, str]]:
    async with served.serving(console, *arguments) as server:
        yield server.process, server.url


@contextlib.asynccontextmanager
async def kept(console: Console, address: str = "") -> AsyncIterator[tuple[Schedules, Store]]:
    """The schedules in the store that the console's commands use."""
    store = open_store(address or str(console.data / "toolpost.db"))
    try:
        yield Schedules(lambda: store), store
    finally:
        await store.close()


async def listed(console: Console) -> list[dict[str, Any]]:
    done = await console.call("schedule", "list", "--json")
    assert done.status == 0, done.err
    return msgspec.json.decode(done.out)


async def add(console: Console, *arguments: str) -> dict[str, Any]:
    done = await console.call("schedule", "add", *arguments, "--json")
    assert done.status == 0, done.err
    return msgspec.json.decode(done.out)


async def until(schedules: Schedules, schedule_id: str, true: Any) -> Schedule:
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await schedules.find(schedule_id)
            assert found is not None
            if true(found):
                return found
            await asyncio.sleep(0.05)


async def test_a_schedule_is_added_listed_shown_paused_and_removed(tmp_path: Path) -> None:
    console = Console(tmp_path, TZ="Asia/Shanghai")
    empty = await console.call("schedule")
    assert (empty.status, empty.out.partition(";")[0]) == (0, "no schedules yet")
    done = await console.call("schedule", "add", "Write the report", "--cron", "0 9 * * 1-5", "--name", "report")
    assert done.status == 0
    assert re.fullmatch(r"added \w{16}; next \d{4}-\d\d-\d\d 09:00 \(Asia/Shanghai\), in .+\n", done.out)
    assert NO_SERVER in done.err
    await add(console, "Look for mail", "--every", "90m", "--tz", "UTC")
    table = await console.call("schedule")
    head, first, second = lines(table.out)
    assert head.split() == ["ID", "WHEN", "NEXT", "LAST", "AGENT", "NAME"]
    assert re.search(r"0 9 \* \* 1-5 Asia/Shanghai +\d{4}-\d\d-\d\d 09:00 \(Asia/Shanghai\) +build +report$", first)
    assert re.search(r"every 1h30m .* \(UTC\) +build +Look for mail$", second)
    made = (await listed(console))[0]
    short = made["id"][4:20]
    shown = await console.call("schedule", "show", short)
    assert "Write the report" in shown.out
    assert "name:           report" in shown.out
    assert (await console.call("schedule", "pause", short)).status == 0
    assert (await listed(console))[0]["state"] == "paused"
    resumed = await console.call("schedule", "resume", short)
    assert "goes on; next" in resumed.out
    assert (await console.call("schedule", "remove", short)).out == f"removed {short}\n"
    assert [one["prompt"] for one in await listed(console)] == ["Look for mail"]


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "with one of --cron, --every and --at"),
        (("--every", "5m", "--at", "in 5m"), "with one of --cron, --every and --at"),
        (("--cron", "61 * * * *"), "bad minute"),
        (("--every", "soon"), "is not a time such as 90s"),
        (("--at", "2020-01-01"), "in the past"),
        (("--cron", "@daily", "--tz", "Europe/Berlim"), "did you mean Europe/Berlin?"),
        (("--every", "1h", "--until", "in 30m"), "never fire before its end"),
        (("--every", "1h", "--agent", "nobody"), "no agent 'nobody'"),
        (("--every", "1h", "-m", "openaii/x"), "unknown provider 'openaii'"),
        (("--every", "1h", "-m", "openai/gpt-5-mini", "--variant", "huge"), "has no variant 'huge'"),
        (("--every", "1h", "--session", "nothing"), "no session nothing"),
        (("--every", "1h", "--times", "0"), "not a whole number above 0"),
    ],
)
async def test_what_could_not_run_is_said_in_one_line(tmp_path: Path, arguments: tuple[str, ...], why: str) -> None:
    console = Console(tmp_path)
    done = await console.call("schedule", "add", "go", *arguments)
    assert done.status in (1, 2)
    assert why in done.err
    assert "Traceback" not in done.err
    assert await listed(console) == []


async def test_a_model_may_have_its_key_only_where_it_runs(tmp_path: Path) -> None:
    console = Console(tmp_path)
    del console.environ["OPENAI_API_KEY"]
    assert (await add(console, "go", "--every", "1h", "-m", "openai/gpt-5-mini"))["model"] == "openai/gpt-5-mini"


async def test_a_schedule_that_is_to_run_now_waits_for_a_server(tmp_path: Path) -> None:
    console = Console(tmp_path)
    made = await add(console, "go", "--every", "1h")
    done = await console.call("schedule", "run", made["id"])
    assert "runs as soon as a server looks for it; to see it" in done.out
    assert NO_SERVER in done.err


async def test_schedules_speak_chinese_and_their_json_does_not(tmp_path: Path) -> None:
    console = Console(tmp_path, TZ="UTC", TOOLPOST_LANG="zh", PYTHONUTF8="1")
    assert "还没有定时任务" in (await console.call("schedule")).out
    done = await console.call("schedule", "add", "go", "--every", "1h")
    assert re.match(r"已添加 \w{16}；下次：", done.out)
    assert "没有服务器" in done.err
    (made,) = await listed(console)
    assert "等有服务器时运行；查看" in (await console.call("schedule", "run", made["id"])).out
    assert "不是时间" in (await console.call("schedule", "add", "go", "--at", "noon")).err
    assert not re.search(r"[\u4e00-\u9fff]", (await console.call("schedule", "list", "--json")).out)


async def test_a_schedule_belongs_to_its_project(tmp_path: Path) -> None:
    console = Console(tmp_path)
    made = await add(console, "go", "--every", "1h")
    other = tmp_path / "other"
    other.mkdir()
    elsewhere = await console.call("-C", str(other), "schedule")
    assert "no schedules yet" in elsewhere.out
    assert made["id"][4:20] in (await console.call("-C", str(other), "schedule", "list", "--all")).out


async def test_a_schedule_of_the_terminal_keeps_the_agent_of_the_terminal(tmp_path: Path) -> None:
    async with Upstream(text("done"), text("done"), text("done"), repeat=True) as up:
        console = Console(tmp_path, up.base_url, BOB_TOKEN="a-token-for-bob-alone")
        (console.folder / ".toolpost" / "config.toml").write_text('[server.users.bob]\ntoken_env = "BOB_TOKEN"\n')
        mine = await add(console, "mine", "--every", "1h")
        assert mine["agent"] == "build"
        assert "agent:          build\n" in (await console.call("schedule", "show", mine["id"])).out
        bobs = await add(console, "bobs", "--every", "1h", "--owner", "bob")
        assert bobs["agent"] == ""
        assert "agent:          the server's default\n" in (await console.call("schedule", "show", bobs["id"])).out
        async with serving(console), kept(console) as (schedules, store):
            for made, agent in ((mine, "build"), (bobs, "chat")):
                assert (await console.call("schedule", "run", made["id"])).status == 0
                found = await until(schedules, made["id"], lambda one: one.firings)
                assert (await store.info(found.firings[0].session)).agent == agent
            await ended(console, mine["id"])
            await ended(console, bobs["id"])
        going_on = await add(console, "more", "--every", "1h", "--session", found.firings[0].session, "--owner", "bob")
        assert "agent:          that of its session\n" in (await console.call("schedule", "show", going_on["id"])).out


async def test_a_server_fires_what_the_command_line_adds_and_goes_on_with_a_session(tmp_path: Path) -> None:
    async with Upstream(text("first"), text("second"), text("third")) as up:
        console = Console(tmp_path, up.base_url)
        assert (await console.call("run", "begin here")).status == 0
        session = msgspec.json.decode((await console.call("sessions", "--json")).out)[0]["id"]
        async with serving(console), kept(console) as (schedules, _):
            done = await console.call("schedule", "add", "go on", "--at", "in 1s", "--session", session)
            assert done.err == ""
            (made,) = await listed(console)
            await until(schedules, made["id"], lambda one: one.firings)
            again = await console.call("schedule", "run", made["id"])
            assert (again.status, again.err) == (0, "")
            await until(schedules, made["id"], lambda one: len(one.firings) == 2)
            await asyncio.gather(up.requested(3))
            found = await ended(console, made["id"])
        assert found["state"] == "ended"
        assert [(one["outcome"], one["session"]) for one in found["firings"]] == [("done", session)] * 2
        shown = await console.call("sessions", "show", session)
        assert shown.out.count("go on") == 2
        assert "third" in shown.out


async def test_a_schedule_that_is_paused_runs_once_by_hand_and_stays_paused(tmp_path: Path) -> None:
    async with Upstream(text("done")) as up:
        console = Console(tmp_path, up.base_url)
        made = await add(console, "go", "--every", "1h")
        await console.call("schedule", "pause", made["id"])
        async with serving(console):
            done = await console.call("schedule", "run", made["id"])
            assert "runs within seconds and stays paused" in done.out
            await asyncio.gather(up.requested(1))
            found = await ended(console, made["id"])
    assert (found["state"], [one["outcome"] for one in found["firings"]]) == ("paused", ["done"])


async def test_times_are_on_the_clock_of_their_zone_and_say_so(tmp_path: Path) -> None:
    console = Console(tmp_path, TZ="UTC")
    year = date.today().year + 1
    end = "--until", f"{year}-07-02T10:00"
    made = await add(console, "go", "--at", f"{year}-07-01T09:00", "--tz", "Asia/Tokyo", *end)
    listed_now = await console.call("schedule")
    assert f"once  {year}-07-01 09:00 (Asia/Tokyo)" in listed_now.out
    shown = await console.call("schedule", "show", made["id"])
    assert f"once, {year}-07-01 09:00 (Asia/Tokyo)" in shown.out
    assert f"until:          {year}-07-02 10:00 (Asia/Tokyo)" in shown.out


async def ended(console: Console, schedule_id: str) -> dict[str, Any]:
    """A schedule none of whose runs goes on, as a program reads it."""
    async with asyncio.timeout(PATIENCE):
        while True:
            done = await console.call("schedule", "show", schedule_id, "--json")
            found = msgspec.json.decode(done.out)
            if all(one["outcome"] != "running" for one in found["firings"]):
                return found


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_of_several_servers_one_fires(tmp_path: Path, kind: str, request: pytest.FixtureRequest) -> None:
    address = ""
    if kind == "postgres":
        address = request.getfixturevalue("postgres").url(f"schedules_{next(_schemas)}")
    async with Upstream(text("done"), repeat=True) as up:
        console = Console(tmp_path, up.base_url)
        if address:
            (console.folder / ".toolpost" / "config.toml").write_text(f'store = "{address}"\n')
        several = ("--workers", "3") if address else ()
        async with serving(console, *several), serving(console, *several), kept(console, address) as (schedules, store):
            await served_by(store, 6 if address else 2)
            # Once each, all at the same moment; and one that comes every second.
            at = time.time() + 3
            template = (await add(console, "often", "--every", "1s"))["id"]
            known = await schedules.find(template)
            assert known is not None
            onces = [
                replace(known, id=f"sch_{number}", prompt=f"once {number}", timing=timing_at(known, at), next_at=at)
                for number in range(12)
            ]
            for one in onces:
                await schedules.add(one)
            found = [await until(schedules, one.id, lambda found: found.firings) for one in onces]
            often = await until(schedules, template, lambda one: len(one.firings) >= 5)
            await schedules.change(template, lambda one: one.stopped())
            sessions = [info.id async for info in store.sessions()]
            await up.requested(12 + often.fired, timeout=PATIENCE)
        assert [len(one.firings) for one in found] == [1] * 12
        assert len({one.due for one in often.firings}) == len(often.firings)
        fired = {firing.session for one in (*found, often) for firing in one.firings if firing.session}
        assert fired <= set(sessions)
        prompts = Counter(str(request.body["messages"][-1]["content"]) for request in up.requests)
        assert all(prompts[f"once {number}"] == 1 for number in range(12)), prompts


def timing_at(known: Schedule, at: float) -> Any:
    return replace(known.timing, every=0, since=0.0, at=at)


async def served_by(store: Store, count: int) -> None:
    """Wait until so many processes fire schedules."""
    async with asyncio.timeout(PATIENCE):
        while len(await store.records("scheduler")) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(("missed", "runs"), [("skip", 0), ("once", 1), ("all", 3)])
async def test_what_was_missed_while_no_server_ran_is_made_up_for_as_configured(
    tmp_path: Path, missed: str, runs: int
) -> None:
    async with Upstream(text("done"), repeat=True) as up:
        console = Console(tmp_path, up.base_url)
        made = await add(console, "report", "--every", "1h", "--missed", missed)
        begins = time.time() - 2.5 * HOUR
        async with kept(console) as (schedules, _):
            # As it would stand there after two hours and a half without a server.
            moved = lambda one: replace(one, next_at=begins, timing=replace(one.timing, since=begins))  # noqa: E731
            await schedules.change(made["id"], moved)
            async with serving(console):
                found = await until(schedules, made["id"], lambda one: one.next_at > time.time() and not one.pending)
                assert found.fired == runs
                told = await ended(console, made["id"])
        assert len(up.requests) == runs
        outcomes = [one["outcome"] for one in told["firings"]]
        assert outcomes == (["missed"] if missed == "skip" else ["done"] * runs)
        assert found.next_at == pytest.approx(begins + 3 * HOUR)
        if missed == "all":
            assert [one["due"] for one in told["firings"]] == [begins + 2 * HOUR, begins + HOUR, begins]


@pytest.mark.parametrize("had_begun", [True, False])
async def test_a_firing_that_a_dead_process_took_is_begun_once(tmp_path: Path, had_begun: bool) -> None:
    async with Upstream(text("done"), repeat=True) as up:
        console = Console(tmp_path, up.base_url)
        made = await add(console, "report", "--every", "1d")
        taken = time.time() - 120
        session = "ses_of_the_firing"
        async with kept(console) as (schedules, store):
            if had_begun:
                done = await console.call("run", "report")
                assert done.status == 0
                [session] = [info.id async for info in store.sessions()]
            pending = PendingFiring(taken, session, taken=taken, tried=taken)
            await schedules.change(made["id"], lambda one: replace(one, pending=pending))
            async with serving(console):
                found = await until(schedules, made["id"], lambda one: one.firings)
                told = await ended(console, made["id"])
        assert (found.fired, found.pending) == (1, None)
        assert [(one["session"], one["outcome"]) for one in told["firings"]] == [(session, "done")]
        assert len(up.requests) == 1


async def test_a_server_that_stops_begins_nothing_more_and_is_not_counted_on(tmp_path: Path) -> None:
    gate = Gate()
    async with Upstream(text("first ") + pause(gate) + text("last"), strict=False) as up:
        console = Console(tmp_path, up.base_url)
        async with serving(console) as (process, _), kept(console) as (schedules, _):
            made = await add(console, "slow", "--at", "in 1s")
            later = await add(console, "later", "--every", "1d")
            await until(schedules, made["id"], lambda one: one.firings)
            process.send_signal(signal.SIGTERM)
            await schedules.change(later["id"], lambda one: one.asked(time.time()))
            async with asyncio.timeout(PATIENCE):
                assert await process.wait() == 0
            waiting = await schedules.find(later["id"])
            assert waiting is not None
            assert waiting.pending is not None
            assert waiting.firings == ()
        assert NO_SERVER in (await console.call("schedule")).err
        assert len(up.requests) == 1


async def test_the_owner_of_a_schedule_may_be_a_user_of_the_server(tmp_path: Path) -> None:
    async with Upstream(text("done"), repeat=True) as up:
        console = Console(tmp_path, up.base_url, BOB_TOKEN="a-token-for-bob-alone")
        (console.folder / ".toolpost" / "config.toml").write_text('[server.users.bob]\ntoken_env = "BOB_TOKEN"\n')
        async with serving(console) as (_, url), kept(console) as (schedules, store):
            made = await add(console, "go", "--at", "in 1s", "--owner", "bob")
            found = await until(schedules, made["id"], lambda one: one.firings)
            assert (await store.info(found.firings[0].session)).owner == "bob"
            async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
                for token, count in (("a-token-for-bob-alone", 1), (TOKEN, 0)):
                    answer = await http.get("/api/schedules", headers={"x-api-key": token})
                    assert len(answer.json()["schedules"]) == count
            gone = await add(console, "go", "--at", "in 1s", "--owner", "nobody")
            stopped = await until(schedules, gone["id"], lambda one: one.paused)
        assert stopped.code == "schedule_owner_gone"
        assert "nobody may not use this server any more" in stopped.reason
