"""The stream of events for whoever wants to hear of a few kinds only."""

import asyncio
from pathlib import Path

from api_play import listening, talking
from resource_play import PATIENCE


async def test_only_the_kinds_that_were_asked_for_come_and_their_ids_go_on_behind_the_others(folder: Path) -> None:
    async with talking(folder) as every, asyncio.timeout(PATIENCE):
        async with listening(every.ann, types="run_start, settled") as frames:
            await anext(frames)
            session = await every.ann.done()
            seen = [await anext(frames), await anext(frames)]
        assert [(frame.event, frame.data["session_id"]) for frame in seen] == [
            ("run_start", session),
            ("settled", session),
        ]
        async with listening(every.ann, last=seen[-1].id, types="run_start,settled") as frames:
            await anext(frames)
            other = await every.ann.done()
            first = await anext(frames)
    assert (first.event, first.data["session_id"]) == ("run_start", other)
