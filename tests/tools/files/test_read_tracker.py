"""What the model has seen: per session, bounded, the oldest forgotten first."""

from pathlib import Path

from toolpost.tools.files import read_tracker as module
from toolpost.tools.files.read_tracker import ReadTracker


def test_the_latest_sight_counts_and_belongs_to_its_session():
    seen = ReadTracker()
    seen.note("one", Path("/a"), "first", b"1")
    seen.note("one", Path("/a"), "second", b"2")
    assert seen.of("one", Path("/a")) == "second"
    assert seen.content("one", Path("/a")) == b"2"
    assert seen.of("two", Path("/a")) is None
    seen.forget("one", Path("/a"))
    assert seen.of("one", Path("/a")) is None


def test_large_contents_are_known_by_their_digest_alone():
    seen = ReadTracker()
    seen.note("one", Path("/a"), "digest", b"x" * (module.MAX_CONTENT_BYTES + 1))
    assert seen.of("one", Path("/a")) == "digest"
    assert seen.content("one", Path("/a")) is None


def test_memory_stays_bounded_and_the_newest_is_kept(monkeypatch):
    monkeypatch.setattr(module, "MAX_FILES", 5)
    monkeypatch.setattr(module, "MAX_CONTENTS_BYTES", 100)
    seen = ReadTracker()
    for number in range(50):
        seen.note("one", Path(f"/{number}"), str(number), b"x" * 30)
    known = [number for number in range(50) if seen.of("one", Path(f"/{number}"))]
    assert known == [47, 48, 49]
    for number in range(50):
        seen.note("one", Path(f"/{number}"), str(number))
    assert [number for number in range(50) if seen.of("one", Path(f"/{number}"))] == [45, 46, 47, 48, 49]
