"""Its place here puts this folder on the path, so that every test can import `strategies`; and `--quick`."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from slow import SLOW

HERE = Path(__file__).parent
# How long an example takes says how busy the machine is.
settings.register_profile("toolpost", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("toolpost")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="leave out what tests/slow.py names")


def pytest_configure(config: pytest.Config) -> None:
    gone = [name for names in SLOW.values() for name in names if not (HERE / name).exists()]
    if gone:
        raise pytest.UsageError(f"tests/slow.py names what is not there: {', '.join(gone)}")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """What is slow is not even imported."""
    return True if config.getoption("quick") and collection_path in _SLOW else None


def pytest_report_header(config: pytest.Config) -> str:
    return f"quick: {len(_SLOW)} files and folders of tests/slow.py are left out" if config.getoption("quick") else ""


_SLOW = frozenset(HERE / name for names in SLOW.values() for name in names)
