"""The text of a PDF, page by page."""

import io
import logging

MAX_PAGES = 200
MAX_CHARS = 2_000_000


def pdf_text(data: bytes) -> str:
    """The text with a line before each page; empty where there is none, or where the file can't be read."""
    from pypdf import PdfReader  # takes a while to import, and few files are PDFs
    from pypdf.errors import PyPdfError

    # It reports every flaw of a file, and nobody can do anything about them.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    pages: list[str] = []
    size = 0
    try:
        reader = PdfReader(io.BytesIO(data))
        count = len(reader.pages)
        for number in range(min(count, MAX_PAGES)):
            text = reader.pages[number].extract_text().translate(_CONTROLS)
            size += len(text)
            pages.append(f"--- page {number + 1} of {count} ---\n{text.strip()}")
            if size > MAX_CHARS:
                break
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return ""
    return "\n".join(pages) if size else ""


_CONTROLS = dict.fromkeys(code for code in range(32) if chr(code) not in "\t\n")
