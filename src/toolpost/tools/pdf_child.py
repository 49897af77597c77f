"""Read a PDF from stdin and write its text to stdout, within limits; `pdf_text` runs this in a child process."""

import io
import logging
import sys


def main(memory: int, seconds: int, most: int, most_pages: int) -> None:
    _limit(memory, seconds)
    data = sys.stdin.buffer.read()
    logging.disable(logging.CRITICAL)
    # Half a second of import, and code that must not run in the parent.
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        sys.exit("it is encrypted")
    count, room, has_text = len(reader.pages), most, False
    told: list[str] = []
    for number in range(min(count, most_pages)):
        text = reader.pages[number].extract_text().translate(_CONTROLS).strip()
        has_text = has_text or bool(text)
        told.append(f"[page {number + 1} of {count}]\n{text or '(no text: perhaps a scan)'}\n\n"[:room])
        room -= len(told[-1])
        if not room:
            told.append(f"\n[cut after {most:,} characters]\n")
            break
    else:
        if count > most_pages:
            told.append(f"[cut after {most_pages:,} pages]\n")
    if has_text:
        sys.stdout.buffer.write("".join(told).encode("utf-8", "replace"))


_CONTROLS = dict.fromkeys(code for code in (*range(32), *range(127, 160)) if chr(code) not in "\t\n")


def _limit(memory: int, seconds: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    try:
        main(*map(int, sys.argv[1:]))
    except Exception as error:  # noqa: BLE001  # whatever a broken file does to the library is one word
        # Its text may quote the file, and this goes where nothing is marked as somebody else's.
        sys.exit(type(error).__name__)
