"""Pages that are made to take long: each shape of 100 kB is read in a process of its own, which must come to its end.

What goes wrong here takes minutes, and stops every thread with it; so the limit is generous, and no time is measured.
"""

import json
import subprocess
import sys

import pytest

SECONDS = 60
READ = """
import json, sys
from toolpost.tools.web.html.markdown import read_page
for page in json.load(sys.stdin):
    print(repr(page[:80]), flush=True)
    read_page(page, "https://example.com/", "markdown")
"""
N = 100_000
NUMBERS = [
    "1" * N + "x",
    "1." * (N // 2),
    "." + "1" * N + "x",
    "-" * N + "1",
    "1 " * (N // 2) + "x",
    "0." + "0" * N + "x",
]
PROPERTIES = ["text-indent", "font-size", "font", "opacity", "width", "margin-left", "clip", "clip-path", "transform"]
STYLES = [f"{name}:{value};overflow:hidden;position:absolute" for name in PROPERTIES for value in NUMBERS]
STYLES += [f"transform:{name}({value})" for name in ("scale", "translate") for value in NUMBERS]
STYLES += [f"position:absolute;clip:rect({value}" for value in ("0" + " " * N, "0 ," * (N // 3), "0px" * (N // 3))]
STYLES += [
    "clip-path:inset(" + "5" * N,
    "display:" + "!" * N,
    "!important" * (N // 10),
    "\\61 " * (N // 4),
    "/*" * (N // 2),
]
SHEETS = [
    ".a" * (N // 2) + "{display:none}",
    ".a," * (N // 3) + ".b{" + "display:none;" * (N // 13) + "}",
    "a" + " " * N + "b{display:none}",
    "a> " * (N // 3) + "b{display:none}",
    "a" * N + "!{display:none}",
    ":a(" * (N // 3) + "{display:none}",
    ":a(" + ":b" * (N // 2) + "{display:none}",
    ":is(" * (N // 4) + ".a" + ")" * N + "{display:none}",
    ":is(.a," * (N // 7) + "{display:none}",
    "[" * N + "{display:none}",
    "[," * (N // 2) + "{display:none}",
    "'" * N,
    "'\\\n" * (N // 3),
    "\"'" * (N // 2) + "\\",
    "\\61 " * (N // 4) + "{display:none}",
    "{" * N,
    "}" * N,
    "@media screen{" * (N // 14),
    "/*" * (N // 2),
    ".a{display:none}" * (N // 16),
    "".join(f".a.b{number}{{top:0}}" for number in range(N // 14)),
]
PAGES = [
    '</a b=">"' * (N // 9),
    '<a b=">"' * (N // 8),
    "<a b='" * (N // 6),
    "<a " + "b " * (N // 2) + ">",
    "<a " + "b=" * (N // 2) + ">",
    "<a b" + " " * N + ">",
    "<a b=" + " " * N + "'>",
    "</" * (N // 2),
    "<!" * (N // 2),
    "<!--" * (N // 4),
    "<style>" * (N // 7),
    "<title></title" * (N // 14),
    "&#" + "1" * N,
    "&amp" * (N // 4),
    "<pre class='" + "lang " * (N // 5) + "'>x</pre>",
    "<pre class='lang" + " " * N + "'>x</pre>",
    "<pre>" + "`" * N,
    " \n" * (N // 2) + "x",
    "<div style='visibility:visible'>" * (N // 32),
    "<ul><li hidden>" * (N // 15),
    "<main class=a>" * (N // 14) + "</p>" * (N // 4),
    "<table><tr><td>" * (N // 15),
]


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param([f'<p style="{style}">a</p>' for style in STYLES], id="styles"),
        pytest.param([f"<style>{css}</style>" + "<p class=a>x" * (N // 12) for css in SHEETS], id="sheets"),
        pytest.param([f"<style>.a{{{style}}}</style><p class=a>x" for style in STYLES], id="rules"),
        pytest.param(PAGES, id="pages"),
    ],
)
def test_no_page_takes_more_time_than_its_size(pages: list[str]) -> None:
    run = [sys.executable, "-c", READ]
    done = subprocess.run(run, input=json.dumps(pages), stdout=subprocess.PIPE, text=True, check=True, timeout=SECONDS)
    assert len(done.stdout.splitlines()) == len(pages)
