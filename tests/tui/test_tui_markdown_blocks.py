"""The blocks of Markdown that models write are those of CommonMark, as markdown-it finds them in the whole text."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from toolpost.tui.drawing.contract import Look
from toolpost.tui.drawing.items import draw_item
from toolpost.tui.themes import THEMES
from toolpost.view.growing_text import GrowingText
from toolpost.view.items import TextItem

WIDTH = 400
READER = MarkdownIt("commonmark", {"html": False}).enable(["strikethrough", "table"])


def drawn(text):
    """The lines that are no blank ones: where these stand is a matter of taste."""
    item = TextItem(id="m/1", message_id="m", source=GrowingText(text))
    lines = [strip.text.rstrip() for strip in draw_item(item, Look(WIDTH, THEMES["terminal"])).lines]
    return [line for line in lines if line.strip(" ▌")]


class Expected:
    """The same lines, made of markdown-it's tokens."""

    def __init__(self, text):
        self.lines, self.prefix, self.numbers, self.is_head, self.row = [], [], [], False, []
        for token in READER.parse(text):
            self.take(token)

    def put(self, text):
        for line in text.split("\n"):
            self.lines.append(("".join(self.prefix) + line).rstrip())
            self.prefix = [one if "▌" in one else " " * len(one) for one in self.prefix]

    def take(self, token):
        match token.type:
            case "blockquote_open":
                self.prefix.append("▌ ")
            case "bullet_list_open":
                self.numbers.append(None)
            case "ordered_list_open":
                self.numbers.append(int(token.attrs.get("start", 1)))
            case "bullet_list_close" | "ordered_list_close":
                self.numbers.pop()
            case "list_item_open":
                number = self.numbers[-1]
                self.prefix.append("• " if number is None else f"{number}{token.markup} ")
                self.numbers[-1] = None if number is None else number + 1
            case "list_item_close" | "blockquote_close":
                if self.prefix[-1].strip(" ▌"):
                    self.put("")
                self.prefix.pop()
            case "hr":
                self.put("─" * (WIDTH - len("".join(self.prefix))))
            case "fence" | "code_block":
                self.code(token)
            case "tr_open":
                self.row = []
            case "tr_close":
                self.rows.append(self.row)
            case "table_open":
                self.rows = []
            case "table_close":
                self.table()
            case "inline" if token.level and self.in_cell:
                self.row.append(self.inline(token))
            case "inline":
                self.put(self.inline(token))
            case "th_open" | "td_open":
                self.in_cell = True
            case "th_close" | "td_close":
                self.in_cell = False

    in_cell = False

    def inline(self, token):
        breaks = {"softbreak": " ", "hardbreak": "\n"}
        return "".join(breaks.get(child.type, child.content) for child in token.children)

    def code(self, token):
        if token.info:
            self.put("  " + token.info.split()[0])
        for line in token.content.removesuffix("\n").split("\n") if token.content else ():
            self.put("  " + line)

    def table(self):
        widths = [max(1, *(len(row[at]) for row in self.rows)) for at in range(len(self.rows[0]))]
        head, *rows = [
            " │ ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)) for row in self.rows
        ]
        for line in (head, "─┼─".join("─" * width for width in widths), *rows):
            self.put(line)


def expected(text):
    return [line for line in Expected(text).lines if line.strip(" ▌")]


CASES = (
    "- one\n- two\n  - nested\n1. first\n2. second",
    "1. one\n2. two\n- bullet\n- more",
    "- a\n* b\n+ c",
    "1) one\n2) two\n1. three",
    "- a\n\n1) b\n2) c",
    "Text:\n- a\n- b\nmore of b\n\nend",
    "Text:\n1. a\n2. b",
    "Text:\n1) a\n2) b",
    "Text in\n2024. was a year\nand - no list",
    "- a\n  ```py\n  x = 1\n\n  y = 2\n  ```\n- b",
    "1. a\n\n   ```\n   x\n   ```\n\n   more\n2. b",
    "- a\n\n      indented\n- b",
    "- a\n```\nx\n```\nb",
    "> - a\n> - b\n>   - c\n>\n> text\n> 1. d",
    "> > a\n> b\n\n- > c\n  > d\n- e",
    "> ```\n> x\n> ```\n> y",
    "> ```\nx\n```",
    "Text\n| a | b |\n|---|---|\n| 1 | 2 |\n\nmore",
    "| a |\n|---|\n| 1 |\n\ntext",
    "| a | b |\n|---|---|\n| 1 |\n| 1 | 2 | 3 |\n\n# x",
    "| a | b |\n|---|---|\n| 1 | 2 |\n- x",
    "| a | b |\n|---|---|\n| 1 | 2 |\n> x",
    "a | b\n--|--\n1 | 2",
    "***\n---\n___\n* * *\n- - -",
    "a\n***\nb\n---\nc",
    "- a\n***\n- b",
    "- a\n---\n- b",
    "Head\n===\ntext\nmore\n---\nend",
    "> Head\n> ===\n> text",
    "- Head\n  ---\n  text",
    "a  \nb\\\nc",
    "\\*a\\* \\# b \\[x\\] \\`c\\` 1\\. d",
    "\\# no head\n\\- no item\n1\\. no item",
    "&lt;a&gt; &amp; &copy; &#35; &nope;",
    "see https://a.b/c, and http://d.e.",
    "text[^1]\n\n[^1]: the note\n\nmore",
    "cost $5 and $a_1 + b_2$\n\n$$\nx = y\n$$",
    "#no head\n# head\n####### no\n## two ##\n#",
    "    code\n\n\n    more\ntext",
    "text\n    no code",
    "```\nopen\n\n- x",
    "````\n```\n````",
    "~~~ py x\n```\n~~~",
    "``` a`b\ntext",
    "- \n  a\n-\n\n  b",
    "-\n- a",
    "10. a\n11. b\n\n    c",
    "1. a\n   1. b\n      1. c\n2. d",
    "- a\n  1. b\n  2. c\n- d",
    "- a\n\n  b\n\n\n- c\n\nd",
    "* a\n    * b\n        * c",
    "**a**\n- b\n\n**c**\n1. d",
    "**a\nb**",
    "- **a**: b\n  `c`\n- d",
    "a\n# b\nc",
    "1. a\n\n2. b\n\n   c\n\n3. d",
    "- a\n > b",
    "1. a\n```\nx\n```\n2. b",
    "1. a\n  2. b",
    " 1. a\n  - b",
    "a | b\n    --|--",
    "```\n    ```\nx\n```",
    "-\n\n  > a",
    "<details>\n<summary>x</summary>\n\ntext\n</details>",
)


@pytest.mark.parametrize("text", CASES)
def test_blocks_are_those_of_commonmark(text):
    assert drawn(text) == expected(text)


def indented(text, first, rest):
    head, *more = text.split("\n")
    return "\n".join([first + head, *(rest + line if line or rest.strip() else "" for line in more)])


def quoted(blocks):
    return indented("\n\n".join(blocks), "> ", "> ")


def listed(items, mark):
    marks = [f"{at}{mark} " if mark in ".)" else f"{mark} " for at in range(1, len(items) + 1)]
    return "\n".join(indented(item, first, " " * len(first)) for item, first in zip(items, marks, strict=True))


def in_turns(*blocks):
    """A block and a list below it, without or with a blank line."""
    return st.tuples(*blocks, st.sampled_from(["\n", "\n\n"])).map(lambda parts: parts[-1].join(parts[:-1]))


plain = st.sampled_from(["some text", "two\nlines", "a\\\nb", "1986\\. a year", "`x|y` $a$", "https://a.b/c"])
leaves = plain | st.sampled_from(
    ["# head", "head\n===", "***", "```py\nx = 1\n\n    ```\n```", "~~~\n- x\n~~~", "| a | b |\n|---|---|\n| 1 | 2 |"]
)


def lists_of(items):
    return st.builds(listed, st.lists(items, min_size=1, max_size=3), st.sampled_from("-*.)"))


inner = lists_of(leaves) | st.lists(leaves, min_size=1, max_size=2).map(quoted)
lists = lists_of(leaves | in_turns(plain, lists_of(plain)) | in_turns(plain, inner))
blocks = leaves | lists | st.lists(leaves | lists, min_size=1, max_size=2).map(quoted)
texts = st.lists(blocks | in_turns(plain, lists) | in_turns(lists, lists), min_size=1, max_size=3).map("\n\n".join)


@given(texts)
@example("- a\n\n  b\n1. c")
@settings(max_examples=100, deadline=None)
def test_any_blocks_in_any_other_are_those_of_commonmark(text):
    assert drawn(text) == expected(text)
