"""The lines of an approval: all that a person decides on, with nothing cut and nothing unseen."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import structs

from toolpost.tui.drawing.contract import Look, StyleName
from toolpost.tui.drawing.diffs import DiffLines
from toolpost.view.approvals import ApprovalView, ArgumentsPreview, CommandPreview, DiffPreview, approval_of, rule_words
from toolpost.view.diff import DiffHunk, read_diff
from toolpost.view.escape_codes import exact, exact_json, exact_line
from toolpost.view.items import ApprovalItem
from toolpost.view.words import label_of, words

from .text_lines import DialogLines


def approval_title(ask: ApprovalItem, look: Look) -> str:
    """What wants to be allowed, on a line: the tool's own title, or its name."""
    return exact_line(ask.title) or label_of(ask.permission, look.language)


def approval_lines(ask: ApprovalItem, look: Look, width: int) -> DialogLines:
    writer = _Writer(look, width)
    view = approval_of(ask)
    writer.warn(ask, view)
    writer.preview(view)
    writer.named("ask.others", view.arguments)
    if view.wants:
        writer.heading("ask.also")
        for want in view.wants:
            writer.text(exact(want), "text", "  ")
    writer.named("ask.told", view.details)
    if view.written:
        writer.heading("ask.written")
        writer.text(exact(view.written), "code")
    return writer.lines


def rule_lines(ask: ApprovalItem, look: Look, width: int) -> DialogLines:
    """The rules that "always" would save."""
    writer = _Writer(look, width)
    if rules := rule_words(ask, look.language):
        writer.heading("ask.saves")
        for rule in rules:
            writer.text(exact_line(rule), "strong", "  ")
    return writer.lines


class _Writer:
    def __init__(self, look: Look, width: int) -> None:
        self.lines = DialogLines()
        self._look, self._width = look, width

    def text(self, text: str, style: StyleName, first: str = "") -> None:
        self.lines.wrap(text, self._look.palette.style(style), self._width, first=first)

    def heading(self, key: str, **values: object) -> None:
        self.text(words(key, self._look.language, **values), "dim")

    def warn(self, ask: ApprovalItem, view: ApprovalView) -> None:
        language = self._look.language
        if view.is_repetition:
            tool = label_of(", ".join(ask.patterns), language)
            self.text(exact_line(words("approval.doomLoop", language, tool=tool)), "warning")
        if view.change is not None:
            key = "approval.changed" if view.change.diff else "approval.unknownBefore"
            self.text(words(key, language), "warning")
            if view.change.note:
                self.text(exact(view.change.note), "warning")
            self._hunks(read_diff(view.change.diff))
        if view.note:
            self.text(exact(view.note), "warning")

    def preview(self, view: ApprovalView) -> None:
        match view.preview:
            case CommandPreview(text):
                self.text(exact(text), "code", "$ ")
            case DiffPreview(path, hunks):
                if path:
                    self.text(exact_line(path), "strong")
                self._hunks(hunks, path)
            case ArgumentsPreview(arguments):
                self._values(arguments)
            case None:
                pass

    def named(self, key: str, values: Mapping[str, Any]) -> None:
        if values:
            self.heading(key)
            self._values(values)

    def _values(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            is_text = isinstance(value, str)
            text = exact(value) if is_text else exact_json(json.dumps(value, ensure_ascii=False, indent=2, default=str))
            if "\n" in text:
                self.text(f"{exact_line(name)}:", "strong", "  ")
                self.text(text if is_text else exact(text), "text", "    ")
            else:
                self.text(f"{exact_line(name)}: {exact(text)}", "text", "  ")

    def _hunks(self, hunks: Sequence[DiffHunk], path: str = "") -> None:
        look = structs.replace(self._look, width=self._width)
        self.lines.join(DiffLines(hunks, look, form="unified", is_exact=True, path=path))
