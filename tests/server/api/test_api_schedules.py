"""The routes of schedules: who sees which, what is refused, and what a firing does on a server that runs."""

import asyncio
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from account_play import CHAT_AGENT, team
from api_play import talking
from resource_play import People, Person, message_of

from toolpost.schedules.records import Schedules
from toolpost.schedules.schedule import Schedule
from toolpost.testing import Gate, call, pause, text

ASKING = '[permissions]\n"*" = "ask"\n'


async def add(person: Person, status: int = 201, **fields: Any) -> Any:
    when = {} if fields.keys() & {"cron", "every", "at"} else {"cron": "0 9 * * 1-5"}
    return await person.post("/api/schedules", status=status, **{"prompt": "look around", **when, **fields})


async def change(person: Person, schedule_id: str, status: int = 200, **fields: Any) -> Any:
    answer = await person.http.patch(f"/api/schedules/{schedule_id}", json=fields)
    assert answer.status_code == status, answer.text
    return answer.json()


async def fired(person: Person, schedule_id: str, count: int = 1) -> Any:
    """The schedule once so many of its firings are over."""
    return await person.until(
        f"/api/schedules/{schedule_id}",
        lambda found: len([one for one in found["firings"] if one["outcome"] != "running"]) >= count,
    )


def stored(every: People) -> Schedules:
    return Schedules(lambda: every.play.workspace.store)


async def test_a_schedule_says_when_it_comes_and_is_listed(folder: Path) -> None:
    async with talking(folder) as every:
        assert await every.ann.get("/api/schedules") == {"schedules": [], "most": 100}
        made = await add(every.ann, time_zone="Europe/Berlin", name="mornings", most=3)
        assert made["id"].startswith("sch_")
        coming = datetime.fromtimestamp(made["next_at"], UTC)
        assert coming.hour in (7, 8)
        assert coming.weekday() < 5
        assert made["next_at"] > time.time()
        shown = {name: made[name] for name in ("name", "prompt", "cron", "every", "at", "time_zone", "state", "most")}
        assert shown == {
            "name": "mornings",
            "prompt": "look around",
            "cron": "0 9 * * 1-5",
            "every": "",
            "at": None,
            "time_zone": "Europe/Berlin",
            "state": "active",
            "most": 3,
        }
        second = await add(every.ann, every="15m")
        assert second["every"] == "15m"
        listed = (await every.ann.get("/api/schedules"))["schedules"]
        assert listed == [made, second]
        assert await every.ann.get(f"/api/schedules/{made['id']}") == made
        await every.ann.delete(f"/api/schedules/{made['id']}")
        assert (await every.ann.get("/api/schedules"))["schedules"] == [second]


async def test_nobody_finds_the_schedule_of_somebody_else(folder: Path) -> None:
    async with talking(folder) as every:
        made = await add(every.ann)
        path = f"/api/schedules/{made['id']}"
        for other in (every.bob, every.root):
            assert (await other.get("/api/schedules"))["schedules"] == []
            assert (await other.get(path, status=404))["error"]["code"] == "schedule_not_found"
            await other.delete(path, status=404)
            await other.post(f"{path}/run", status=404)
            await change(other, made["id"], status=404, prompt="mine")
        assert await every.ann.get(path) == made


async def test_a_schedule_of_another_folder_is_not_here(folder: Path) -> None:
    async with talking(folder) as every:
        made = await add(every.ann)
        kept = await stored(every).find(made["id"])
        assert kept is not None
        elsewhere = Schedule("sch_elsewhere", "ann", "/another/folder", "go", kept.timing, next_at=1.0)
        await stored(every).add(elsewhere)
        assert (await every.ann.get("/api/schedules"))["schedules"] == [made]
        await every.ann.get("/api/schedules/sch_elsewhere", status=404)


async def test_a_firing_is_a_run_in_a_new_session_of_its_owner(folder: Path) -> None:
    async with talking(folder) as every:
        made = await add(every.ann, at="in 1s", name="once")
        found = await fired(every.ann, made["id"])
        assert (found["state"], found["next_at"], found["fired"]) == ("ended", None, 1)
        (firing,) = found["firings"]
        assert firing["outcome"] == "done"
        assert firing["due"] == made["at"] <= firing["at"]
        session = await every.ann.get(f"/api/sessions/{firing['session']}")
        assert session["title"] == "once"
        told = await every.ann.get(f"/api/sessions/{firing['session']}/messages")
        assert told["messages"][0]["parts"][0]["text"] == "look around"
        await every.bob.get(f"/api/sessions/{firing['session']}", status=404)


async def test_a_schedule_goes_on_with_one_session(folder: Path) -> None:
    async with talking(folder) as every:
        session = await every.ann.done("before")
        made = await add(every.ann, every="1d", session=session)
        for count in (1, 2):
            await every.ann.post(f"/api/schedules/{made['id']}/run", status=202)
            found = await fired(every.ann, made["id"], count)
        assert {one["session"] for one in found["firings"]} == {session}
        messages = (await every.ann.get(f"/api/sessions/{session}/messages"))["messages"]
        prompts = [one["parts"][0]["text"] for one in messages if one["role"] == "user"]
        assert prompts == ["before", "look around", "look around"]
        assert len((await every.ann.get("/api/sessions"))["sessions"]) == 1


async def test_a_run_now_does_not_move_the_next_time(folder: Path) -> None:
    async with talking(folder) as every:
        made = await add(every.ann, every="1d")
        asked = await every.ann.post(f"/api/schedules/{made['id']}/run", status=202)
        assert asked["is_pending"]
        found = await fired(every.ann, made["id"])
        assert (found["next_at"], found["is_pending"]) == (made["next_at"], False)


async def test_what_is_paused_does_not_fire_until_it_goes_on_but_may_be_run_by_hand(folder: Path) -> None:
    async with talking(folder) as every:
        made = await add(every.ann, every="1m")
        paused = await change(every.ann, made["id"], paused=True)
        assert (paused["state"], paused["next_at"]) == ("paused", None)
        await every.ann.post(f"/api/schedules/{made['id']}/run", status=202)
        found = await fired(every.ann, made["id"])
        assert (found["state"], found["fired"]) == ("paused", 1)
        resumed = await change(every.ann, made["id"], paused=False)
        assert resumed["state"] == "active"
        assert resumed["next_at"] > time.time()


async def test_a_firing_is_left_out_while_the_run_before_goes_on_and_is_not_asked_for(folder: Path) -> None:
    gate = Gate()
    async with talking(folder, text("first ") + pause(gate) + text("last")) as every:
        made = await add(every.root, every="1s", prompt="slow")
        path = f"/api/schedules/{made['id']}"
        found = await every.root.until(path, lambda found: len(found["firings"]) > 1)
        refused = await every.root.post(f"{path}/run", status=409)
        assert refused["error"]["code"] == "schedule_running"
        await change(every.root, made["id"], paused=True)
        gate.open()
        found = await fired(every.root, made["id"], 2)
        assert found["firings"][-1]["outcome"] == "done"
        assert {one["outcome"] for one in found["firings"][:-1]} == {"skipped"}
        assert found["fired"] == 1


async def test_a_queued_firing_begins_when_the_run_before_has_ended(folder: Path) -> None:
    gate = Gate()
    async with talking(folder, text("first ") + pause(gate) + text("last"), text("second")) as every:
        made = await add(every.ann, every="1d", overlap="queue")
        path = f"/api/schedules/{made['id']}"
        await every.ann.post(f"{path}/run", status=202)
        await every.ann.until(path, lambda found: found["firings"])
        await every.ann.post(f"{path}/run", status=202)
        assert (await every.ann.post(f"{path}/run", status=409))["error"]["code"] == "schedule_pending"
        gate.open()
        found = await fired(every.ann, made["id"], 2)
        assert [one["outcome"] for one in found["firings"]] == ["done", "done"]


async def test_a_run_of_a_schedule_asks_its_owner_for_permission(folder: Path) -> None:
    asks = call("bash", {"command": "ls"})
    async with talking(folder, asks, text("done"), config=ASKING) as every:
        made = await add(every.ann, at="in 1s", agent="build")
        asked = await every.ann.ask()
        found = await every.ann.get(f"/api/schedules/{made['id']}")
        assert found["firings"][0]["outcome"] == "running"
        assert asked["session"] == found["firings"][0]["session"]
        await every.ann.post(f"/api/asks/{asked['id']}", reply="once", status=204)
        assert (await fired(every.ann, made["id"]))["firings"][0]["outcome"] == "done"


@pytest.mark.parametrize(
    ("fields", "code", "why"),
    [
        ({"cron": "61 * * * *"}, "schedule_time_invalid", "bad minute"),
        ({"cron": "* * * * * *"}, "schedule_time_invalid", "5 fields"),
        ({"every": "soon"}, "schedule_time_invalid", "90s, 15m"),
        ({"every": "30s"}, "schedule_too_often", "every 1m at the most"),
        ({"at": "2020-01-01T00:00"}, "schedule_time_invalid", "in the past"),
        ({"at": "in 5m", "every": "5m"}, "schedule_time_invalid", "in one way"),
        ({"time_zone": "Mars/Phobos"}, "schedule_time_invalid", "no time zone"),
        ({"until": "in 1m", "every": "2m"}, "schedule_time_invalid", "never fire before its end"),
        ({"until": "tomorrow"}, "schedule_time_invalid", "until 'tomorrow' is not a time"),
        ({"prompt": "  "}, "invalid_request", "the prompt is empty"),
        ({"session": "ses_nobodys"}, "session_not_found", "no session"),
        ({"agent": "nobody"}, "invalid_request", "no agent 'nobody'"),
        ({"model": "no/model"}, "not_found", "unknown provider"),
        ({"missed": "never"}, "invalid_request", "missed"),
        ({"nonsense": 1}, "invalid_request", "nonsense"),
    ],
)
async def test_what_could_not_fire_is_refused(folder: Path, fields: dict[str, Any], code: str, why: str) -> None:
    async with talking(folder) as every:
        status = 404 if code in ("session_not_found", "not_found") else 400
        told = await add(every.ann, status=status, **fields)
        assert told["error"]["code"] == code
        assert why in message_of(told)
        assert (await every.ann.get("/api/schedules"))["schedules"] == []


async def test_both_at_once_needs_a_new_session_each_time(folder: Path) -> None:
    async with talking(folder) as every:
        session = await every.ann.session()
        told = await add(every.ann, status=400, session=session, overlap="allow")
        assert "needs a new session" in message_of(told)


async def test_the_session_of_somebody_else_is_not_gone_on_with(folder: Path) -> None:
    async with talking(folder) as every:
        session = await every.ann.done("mine")
        assert (await add(every.bob, status=404, session=session))["error"]["code"] == "session_not_found"


async def test_limits_hold_for_members_and_not_for_admins(folder: Path) -> None:
    config = "[server.schedules]\nmost = 1\nshortest_seconds = 3600\n"
    async with talking(folder, config=config) as every:
        for fields in ({"every": "30m"}, {"cron": "*/30 * * * *"}):
            assert (await add(every.ann, status=400, **fields))["error"]["code"] == "schedule_too_often"
        hourly = await add(every.ann, cron="0 * * * *")
        assert (await every.ann.get("/api/schedules"))["most"] == 1
        told = await add(every.ann, status=409)
        assert told["error"]["code"] == "too_many_schedules"
        assert "you may have 1" in message_of(told)
        told = await change(every.ann, hourly["id"], status=400, every="1m")
        assert told["error"]["code"] == "schedule_too_often"
        # What one has takes nothing from others.
        await add(every.bob)
        assert (await every.root.get("/api/schedules"))["most"] is None
        for _ in range(2):
            await add(every.root, every="10s")


async def test_of_many_schedules_at_once_only_so_many_are_kept(folder: Path) -> None:
    async with talking(folder, config="[server.schedules]\nmost = 3\n") as every:
        body = {"prompt": "go", "every": "1h"}
        answers = await asyncio.gather(*(every.ann.http.post("/api/schedules", json=body) for _ in range(8)))
        assert sorted(answer.status_code for answer in answers) == [201] * 3 + [409] * 5


async def test_a_change_keeps_the_rest_and_finds_the_next_time_again(folder: Path) -> None:
    async with talking(folder) as every:
        made = await add(every.ann, cron="0 9 * * *", name="old", missed="all", until="2035-01-01")
        renamed = await change(every.ann, made["id"], name="new", prompt="another")
        assert renamed == {**made, "name": "new", "prompt": "another"}
        moved = await change(every.ann, made["id"], time_zone="Asia/Shanghai")
        assert (moved["cron"], moved["time_zone"]) == ("0 9 * * *", "Asia/Shanghai")
        assert moved["next_at"] != made["next_at"]
        often = await change(every.ann, made["id"], every="2h", until="")
        assert (often["cron"], often["every"], often["until"], often["missed"]) == ("", "2h", None, "all")
        assert 7_100 < often["next_at"] - time.time() <= 7_200


async def test_the_next_times_are_shown_before_there_is_a_schedule(folder: Path) -> None:
    async with talking(folder) as every:
        shown = await every.ann.get("/api/schedules/preview", cron="0 12 * * *", time_zone="Asia/Tokyo")
        hours = [datetime.fromtimestamp(one, UTC).hour for one in shown["times"]]
        assert hours == [3, 3, 3]
        assert len((await every.ann.get("/api/schedules/preview", at="in 10m"))["times"]) == 1
        told = await every.ann.get("/api/schedules/preview", status=400, every="1s")
        assert told["error"]["code"] == "schedule_too_often"
        assert len((await every.root.get("/api/schedules/preview", every="1s"))["times"]) == 3
        told = await every.ann.get("/api/schedules/preview", status=400)
        assert told["error"]["code"] == "schedule_time_invalid"


async def test_a_schedule_ends_after_its_last_firing(folder: Path) -> None:
    async with talking(folder) as every:
        made = await add(every.root, every="1s", most=2)
        found = await every.root.until(f"/api/schedules/{made['id']}", lambda found: found["state"] == "ended")
        assert (found["fired"], found["next_at"]) == (2, None)
        more = await change(every.root, made["id"], most=3)
        assert more["state"] == "active"


async def test_what_a_role_lost_pauses_the_schedule_with_the_reason(folder: Path) -> None:
    roles = '[server.roles.trainee]\nagents = ["chat"]\n'
    helper = '[agents.helper]\ndescription = "Helps"\ntools = ["todo_write"]\n'
    async with team(folder, config=CHAT_AGENT + helper + roles) as every:
        ann = await every.invited("ann")
        made = await ann.post("/api/schedules", status=201, prompt="go", every="1h", agent="helper")
        await every.root.patch("/api/admin/users/ann", role="trainee")
        await ann.post(f"/api/schedules/{made['id']}/run", status=202)
        found = await until_paused(ann, made["id"])
        assert found["code"] == "agent_not_allowed"
        assert "may not use the agent helper" in found["reason"]
        # Nothing of it was begun.
        assert found["firings"] == []
        assert (await ann.get("/api/sessions"))["sessions"] == []


async def test_what_an_admin_made_is_paused_where_a_member_could_not_make_it(folder: Path) -> None:
    limits = "[server.schedules]\nmost = 2\n"
    async with team(folder, config=CHAT_AGENT + limits) as every:
        ann = await every.invited("ann")
        await every.root.patch("/api/admin/users/ann", role="admin")
        often = await ann.post("/api/schedules", status=201, prompt="go", every="40s")
        made = [await ann.post("/api/schedules", status=201, prompt="go", every="1h") for _ in range(3)]
        await change(ann, made[0]["id"], paused=True)
        await every.root.patch("/api/admin/users/ann", role="member")
        for late, code in ((made[2], "too_many_schedules"), (often, "schedule_too_often")):
            await ann.post(f"/api/schedules/{late['id']}/run", status=202)
            found = await until_paused(ann, late["id"])
            assert (found["code"], found["firings"]) == (code, [])
        assert (await ann.get("/api/sessions"))["sessions"] == []
        await ann.post(f"/api/schedules/{made[1]['id']}/run", status=202)
        assert (await fired(ann, made[1]["id"]))["state"] == "active"


async def test_a_person_who_is_disabled_or_gone_does_not_fire(folder: Path) -> None:
    async with team(folder) as every:
        schedules = Schedules(lambda: every.play.workspace.store)
        for name, shut_out in (("ann", {"disabled": True}), ("bob", None)):
            person = await every.invited(name)
            made = await person.post("/api/schedules", status=201, prompt="go", every="1h")
            if shut_out:
                await every.root.patch(f"/api/admin/users/{name}", **shut_out)
            else:
                await every.root.delete(f"/api/admin/users/{name}")
            # As if its time had come.
            await schedules.change(made["id"], lambda one: one.asked(time.time()))
            found = await paused(schedules, made["id"])
            assert found.code == "schedule_owner_gone"
            assert found.firings == ()


async def test_the_session_that_was_deleted_pauses_the_schedule(folder: Path) -> None:
    async with talking(folder) as every:
        session = await every.ann.session()
        made = await add(every.ann, every="1h", session=session)
        await every.ann.delete(f"/api/sessions/{session}")
        await every.ann.post(f"/api/schedules/{made['id']}/run", status=202)
        found = await until_paused(every.ann, made["id"])
        assert found["code"] == "session_not_found"


async def until_paused(person: Any, schedule_id: str) -> Any:
    async with asyncio.timeout(20):
        while (found := await person.get(f"/api/schedules/{schedule_id}"))["state"] != "paused":  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    return found


async def paused(schedules: Schedules, schedule_id: str) -> Schedule:
    async with asyncio.timeout(20):
        while True:
            found = await schedules.find(schedule_id)
            assert found is not None
            if found.paused:
                return found
            await asyncio.sleep(0.01)
