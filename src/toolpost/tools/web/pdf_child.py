"""Run by `pdf_text` in a process of its own: a PDF on stdin, its text on stdout, within limits on memory and time."""

import io
import logging
import sys


def main(memory: int, seconds: int, most: int) -> None:
    _limit(memory, seconds)
    data = sys.stdin.buffer.read()
    logging.disable(logging.CRITICAL)
    # Half a second of import, and code that must not run in the parent.
    from pypdf import PdfReader

    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        sys.exit("it is encrypted")
    room = most
    for number, page in enumerate(reader.pages, 1):
        text = page.extract_text().strip()
        told = f"[page {number} of {len(reader.pages)}]\n{text or '(no text: perhaps a scan)'}\n\n"
        sys.stdout.buffer.write(told[:room].encode("utf-8", "replace"))
        room -= len(told)
        if room <= 0:
            sys.stdout.buffer.write(f"\n[cut after {most:,} characters]\n".encode())
            return


def _limit(memory: int, seconds: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


if __name__ == "__main__":
    try:
        main(*map(int, sys.argv[1:]))
    except Exception as error:  # noqa: BLE001  # whatever a broken file does to the library is one word
        # Its text may quote the file, and this goes where nothing is marked as somebody else's.
        sys.exit(type(error).__name__)
