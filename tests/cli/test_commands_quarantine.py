"""`toolpost quarantine`: what was taken away is listed, shown before it is put back, or deleted."""

import json
from pathlib import Path

import pytest
from console import Console

from toolpost.guard.git.snapshot import AutorunSetting
from toolpost.guard.quarantine import Quarantine, QuarantineBatch


@pytest.fixture
def console(tmp_path: Path) -> Console:
    return Console(tmp_path)


def plant(console: Console) -> QuarantineBatch:
    path = console.folder / "hook"
    path.write_text("touch /x\x1b[2J\n")
    folder = Path(console.environ["TOOLPOST_DATA_DIR"]) / "quarantine"
    return Quarantine(console.folder.resolve(), folder).take(
        [AutorunSetting(str(path), "hook pre-commit", "executable")], ()
    )


async def test_what_is_kept_is_listed_shown_and_put_back(console: Console) -> None:
    assert "no files of this project" in (await console.call("quarantine")).out
    batch = plant(console)
    listed = await console.call("quarantine", "list")
    assert batch.id in listed.out
    assert "hook" in listed.out
    assert json.loads((await console.call("quarantine", "--all", "--json")).out)[0]["id"] == batch.id
    refused = await console.call("quarantine", "restore", batch.id)
    assert refused.status == 1
    assert "--yes" in refused.err
    assert not (console.folder / "hook").exists()
    done = await console.call("quarantine", "restore", batch.id[:17], "--yes")
    assert done.status == 0
    assert "| touch /x" in done.out
    assert "\x1b" not in done.out
    assert (console.folder / "hook").exists()
    assert "no files of this project" in (await console.call("quarantine")).out


async def test_it_can_be_deleted(console: Console) -> None:
    batch = plant(console)
    assert (await console.call("quarantine", "drop")).status == 2
    assert (await console.call("quarantine", "drop", "nope")).status == 1
    done = await console.call("quarantine", "drop", batch.id)
    assert batch.id in done.out
    assert (await console.call("quarantine", "drop", "--all")).out == ""
    assert not (console.folder / "hook").exists()
