"""Long pasted texts and attached images, each shown in the prompt as one short label such as `[pasted 120 lines]`."""

import re
from collections.abc import Sequence

from toolpost.types.messages import FilePart
from toolpost.types.text import Language
from toolpost.view.escape_codes import clean
from toolpost.view.words import words

# What is longer is folded when it is pasted.
MAX_LINES = 8
MAX_CHARS = 1_000


def is_long(text: str) -> bool:
    return len(text) > MAX_CHARS or text.count("\n") >= MAX_LINES


def pasted_text(text: str) -> str:
    """A text as it may be put into the prompt: a line ends in one way, and no terminal acts on it."""
    return clean(text.replace("\r\n", "\n").replace("\r", "\n"))


class FoldedTexts:
    """What the labels in a prompt stand for."""

    def __init__(self, language: Language) -> None:
        self._language: Language = language
        self._texts: dict[str, str] = {}
        self._files: dict[str, FilePart] = {}
        self._labels: re.Pattern[str] | None = None

    def fold(self, text: str) -> str:
        """Keep a text; gives its label."""
        # A line end at the end begins no line.
        count = text.removesuffix("\n").count("\n") + 1
        said = (
            words("prompt.pastedLines", self._language, count=f"{count:,}")
            if count > 1
            else words("prompt.pastedChars", self._language, count=f"{len(text):,}")
        )
        label = self._unused(said)
        self._texts[label] = text
        self._relabel()
        return label

    def attach(self, file: FilePart) -> str:
        """Keep an image; gives its label, which stays in the text that is sent."""
        name = file.name.replace("[", "(").replace("]", ")")
        label = self._unused(words("prompt.image", self._language, name=name))
        self._files[label] = file
        self._relabel()
        return label

    def unfold(self, text: str) -> str:
        """The text with every folded part written out."""
        if self._labels is None or not self._texts:
            return text
        return self._labels.sub(lambda found: self._texts.get(found[0], found[0]), text)

    def text_of(self, label: str) -> str | None:
        return self._texts.get(label)

    def files_in(self, text: str) -> tuple[FilePart, ...]:
        """The images whose labels are still in the text, in its order."""
        if self._labels is None:
            return ()
        labels = dict.fromkeys(found[0] for found in self._labels.finditer(text))
        return tuple(self._files[label] for label in labels if label in self._files)

    def spans(self, line: str) -> Sequence[tuple[int, int]]:
        """Where labels are in a line."""
        if self._labels is None or "[" not in line:
            return ()
        return [found.span() for found in self._labels.finditer(line)]

    def forget(self) -> None:
        self._texts.clear()
        self._files.clear()
        self._labels = None

    def _unused(self, said: str) -> str:
        label, number = f"[{said}]", 1
        while label in self._texts or label in self._files:
            number += 1
            label = f"[{said} #{number}]"
        return label

    def _relabel(self) -> None:
        labels = (*self._texts, *self._files)
        self._labels = re.compile("|".join(map(re.escape, labels)))
