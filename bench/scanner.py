"""How fast the call scanner reads, beside `json.loads` of the same text: `python -m bench.scanner`."""

import json
import time
from collections.abc import Callable

from toolpost import CallScanner

MEGABYTES = 5
ROUNDS = 3
TOKEN = 4  # characters that a model sends at a time, about
BLOCK = 65_536

TOOLS = [
    {
        "name": "write_file",
        "parameters": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
            "required": ["path", "content"],
        },
    }
]
PROSE = """The scanner lets ordinary text through at once; it's only a `<`, or a brace that begins a line, it looks at.
Where a < b, or [1] is cited, or "quoted" text stands, nothing is held back for longer than it must be.

- A point with **bold** words, see [the page](https://example.org/a?b=c).

"""
XML_BEGIN = "<function=write_file><parameter=path>a</parameter><parameter=content>"
CODE = 'for (let i = 0; i < n; i++) { total += rows[i]["price"]; }\n'


def main() -> None:
    size = MEGABYTES * 1_000_000
    code = CODE * (size // len(CODE))
    texts = {
        "prose": PROSE * (size // len(PROSE)),
        "prose with code": (PROSE * 4 + f"```js\n{CODE * 3}```\n\n") * (size // (len(PROSE) * 4 + len(CODE) * 3)),
        "one call, JSON": _hermes(code),
        "one call, XML": f"{XML_BEGIN}{code}</parameter></function>",
        "small calls": (_hermes(CODE) + "\n") * (size // len(_hermes(CODE))),
    }
    print(f"{'MB/s':18}{'json.loads':>12}{'whole':>10}{'64 KB':>10}{f'{TOKEN} chars':>10}{'µs a piece':>12}")
    for name, text in texts.items():
        encoded = json.dumps(text, ensure_ascii=False)
        figures = [
            _speed(lambda encoded=encoded: json.loads(encoded), text),
            *(_speed(lambda text=text, piece=piece: scan(text, piece), text) for piece in (len(text), BLOCK)),
        ]
        short = text[: len(text) // 10]
        figures.append(_speed(lambda short=short: scan(short, TOKEN), short))
        columns = "".join(f"{figure:>{width}.1f}" for figure, width in zip(figures, (12, 10, 10, 10), strict=True))
        print(f"{name:18}{columns}{TOKEN / figures[-1]:>12.2f}")
    print(f"\nµs a character, {TOKEN} at a time, by the length of one argument:")
    for length in (5_000, 50_000, 500_000, 5_000_000):
        text = _hermes((CODE * (length // len(CODE) + 1))[:length])
        print(f"{length:>12,}{1 / _speed(lambda text=text: scan(text, TOKEN), text):>10.3f}")


def scan(text: str, piece: int) -> int:
    """Feed `text` in pieces; return the number of events."""
    scanner = CallScanner(TOOLS)
    count = sum(len(scanner.feed(text[start : start + piece])) for start in range(0, len(text), piece))
    return count + len(scanner.close())


def _hermes(content: str) -> str:
    call = {"name": "write_file", "arguments": {"path": "a", "content": content}}
    return f"<tool_call>{json.dumps(call)}</tool_call>"


def _speed(work: Callable[[], object], text: str) -> float:
    """Megabytes a second, in the best of some rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return len(text.encode()) / best / 1_000_000


if __name__ == "__main__":
    main()
