"""One gateway for each module of tests, with a provider for every wire, and one process for each client."""

from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest
import pytest_asyncio
from driven import Driver
from stage import Stage, raised

from toolpost.models.embedded.weights.folder import path_of
from toolpost.models.embedded.weights.known import DEFAULT, SMALLEST

# Other people's packages, which are not ours to test.
collect_ignore = ["python_modules"]


@pytest.fixture(scope="module")
def driver() -> Iterator[Callable[[str], Driver]]:
    """`driver("node")`, or `driver("python")` with the name of the packages after a colon."""
    with ExitStack() as stack:

        @cache
        def started(name: str) -> Driver:
            kind, _, packages = name.partition(":")
            return stack.enter_context(Driver.node() if kind == "node" else Driver.python(packages))

        yield started


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def raised_stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Stage]:
    home: Path = tmp_path_factory.mktemp("home")
    weights = {name: path_of(name) for name in (SMALLEST, DEFAULT)}
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TOOLPOST_DATA_DIR", str(home / "data"))
        patch.setenv("HOME", str(home))
        patch.setenv("TOOLPOST_CACHE_DIR", str(home / "cache"))
        path_of(SMALLEST).parent.mkdir(parents=True)
        for name, place in weights.items():
            path_of(name).symlink_to(place)
        async with raised(home / "project") as stage:
            yield stage


@pytest.fixture
def stage(raised_stage: Stage) -> Generator[Stage]:
    """Empty at the start; at the end the model has said all that it was told to."""
    raised_stage.clear()
    yield raised_stage
    assert not raised_stage.says.left, "the model was never asked for these"
