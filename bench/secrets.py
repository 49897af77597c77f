"""What hiding secrets costs: whole texts, streams in pieces, an environment for a child. `python -m bench.secrets`."""

import os
import time
from collections.abc import Callable

from toolpost.guard.redact import Redactor, clean_environment, known_secrets
from toolpost.guard.secret_replacer import ByteStreamRedactor, KnownSecrets, TextStreamRedactor

MEGABYTE = 1_000_000
ROUNDS = 20
LINE = 'for (let i = 0; i < n; i++) { total += rows[i]["price"]; } // sk-, pk_ and the rest of it\n'
TEXT = LINE * (MEGABYTE // len(LINE))


def main() -> None:
    for count in (0, 1, 3, 10, 30):
        known = KnownSecrets(f"sk-{number:02d}-{'aB3dE5' * 6}" for number in range(count))
        print(f"{count} known secrets, 1 MB of code")
        _show("  whole text", lambda known=known: known.hide(TEXT))
        _show("  stream, 64 KB pieces", lambda known=known: _stream(known, 65_536))
        _show("  stream, bytes, 64 KB pieces", lambda known=known: _bytes(known, 65_536))
        _show("  stream, line by line", lambda known=known: _stream(known, len(LINE)))
    worst = KnownSecrets(["a" * 64, "ab" * 32])
    _show("worst text: a secret that nearly begins everywhere", lambda: _near(worst))
    _show("what looks like a key too (logs, exports)", lambda: Redactor(["x" * 40]).text(TEXT))
    print(f"an environment of {len(os.environ)} variables")
    _show("  the secrets of this process", known_secrets)
    _show("  clean_environment", lambda: clean_environment(os.environ))


def _stream(known: KnownSecrets, size: int) -> None:
    flow = TextStreamRedactor(known)
    for start in range(0, len(TEXT), size):
        flow.feed(TEXT[start : start + size])


def _bytes(known: KnownSecrets, size: int) -> None:
    flow, data = ByteStreamRedactor(known), TEXT.encode()
    for start in range(0, len(data), size):
        flow.feed(data[start : start + size])


def _near(known: KnownSecrets) -> str:
    return known.hide(("a" * 63 + "b") * (MEGABYTE // 64))


def _show(name: str, work: Callable[[], object]) -> None:
    work()
    taken: list[float] = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        work()
        taken.append((time.perf_counter() - begun) * 1_000_000)
    print(f"{name:52} {sorted(taken)[ROUNDS // 2]:10,.1f} µs")


if __name__ == "__main__":
    main()
