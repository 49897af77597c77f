"""SIGKILL at every place of a run: whoever goes on with it does nothing twice, and leaves what one process had left."""

import itertools
from pathlib import Path

import pytest
from play_child import Order
from played import Nursery, Outcome, in_flight, played
from plays import PLAYS, Place
from postgres_server import PostgresServer

from toolpost.store import open_store

WRITES = ("before write", "after write")
KINDS = (*WRITES, "tool begins", "tool ends", "request", "delta")
# What a process leaves behind changes only here (but for locks, which die with it), so a death anywhere else leaves
# what one of these does.
CHANGES = ("after write", "tool ends")
# Where that is not taken for granted: calls side by side, a sub-agent that asks, and prompts that come meanwhile.
EVERYWHERE = ("parallel", "task asks", "waiting prompts")
WAITING = [name for name in PLAYS if name in ("approval", "asking", "question", "task asks")]


class Theatre:
    """Where one play is played again and again, each time in a folder of its own."""

    def __init__(self, nursery: Nursery, folder: Path, play: str, *, submits: bool = True, url: str = "") -> None:
        self._nursery = nursery
        self._folder = folder
        self._play = play
        self._submits = submits
        self._url = url
        self._played = 0

    async def play(self, *deaths: Place) -> tuple[list[str], Outcome]:
        """Play it with these deaths, and check what is left of it. Give how its processes ended, too."""
        self._played += 1
        folder = self._folder / str(self._played)
        folder.mkdir()
        place = f"{self._url}{self._played}" if self._url else str(folder / "t.db")
        order = Order(self._play, place, str(folder), submits=self._submits)
        try:
            ended = await played(self._nursery, order, deaths)
            store = open_store(place)
            outcome = await Outcome(self._play, str(folder)).read(store)
            await store.close()
            outcome.check()
        except AssertionError as error:
            error.add_note(f"{self._play}, with the deaths {deaths}")
            raise
        return ended, outcome


async def everywhere(theatre: Theatre, kinds: tuple[str, ...] = CHANGES, *, before: int = 0, then: bool = False) -> int:
    """Let a process die at every place, after so many `before` it that did not; `then` the one after it dies, too.
    What is left must be as if none had died. Return how many places there were."""
    _, whole = await theatre.play()
    places = 0
    seconds = itertools.cycle([Place(what, nth) for nth in range(1, 8) for what in WRITES])
    for what in kinds:
        for nth in itertools.count(1):
            deaths = [*[Place()] * before, Place(what, nth), *([next(seconds)] if then else [])]
            ended, outcome = await theatre.play(*deaths)
            if ended[before] != "killed":
                break
            places += 1
            if not outcome.was_silenced:
                assert outcome.story == whole.story, deaths
            assert in_flight(outcome) <= IN_FLIGHT * ended.count("killed")
    return places


# Of one step, as many calls as there are in it may be cut off at once.
IN_FLIGHT = 3


@pytest.mark.parametrize("play", PLAYS)
async def test_a_run_goes_on_wherever_its_process_dies(nursery: Nursery, memory_folder: Path, play: str) -> None:
    assert await everywhere(Theatre(nursery, memory_folder, play), KINDS if play in EVERYWHERE else CHANGES) > 6


@pytest.mark.parametrize("play", WAITING)
async def test_a_run_that_was_answered_goes_on_wherever_its_process_dies(
    nursery: Nursery, memory_folder: Path, play: str
) -> None:
    assert await everywhere(Theatre(nursery, memory_folder, play), before=1) > 4


@pytest.mark.parametrize("play", ["parallel", "waiting prompts", "task"])
async def test_one_that_was_not_submitted_does_so_too(nursery: Nursery, memory_folder: Path, play: str) -> None:
    assert await everywhere(Theatre(nursery, memory_folder, play, submits=False)) > 6


@pytest.mark.parametrize("play", PLAYS)
async def test_who_goes_on_with_it_may_die_as_well(nursery: Nursery, memory_folder: Path, play: str) -> None:
    assert await everywhere(Theatre(nursery, memory_folder, play), then=True) > 6


@pytest.mark.parametrize("play", ["parallel", "task asks"])
async def test_the_same_holds_on_a_server(nursery: Nursery, memory_folder: Path, play: str) -> None:
    with PostgresServer() as server:
        assert await everywhere(Theatre(nursery, memory_folder, play, url=server.url("play"))) > 10
