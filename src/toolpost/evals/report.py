"""Write the report on a folder of results: as Markdown, and as a page with charts."""

from pathlib import Path

from .markdown import markdown
from .page import page
from .report_content import Report, read_report

MARKDOWN, PAGE = "report.md", "report.html"


def write_report(folder: Path) -> Report:
    """Write both forms beside the results that they are made from."""
    report = read_report(folder)
    (folder / MARKDOWN).write_text(markdown(report), encoding="utf-8")
    (folder / PAGE).write_text(page(report), encoding="utf-8")
    return report
