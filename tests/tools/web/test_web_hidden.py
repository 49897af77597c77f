"""Text of a page that no reader sees is left out; what readers see of ordinary pages stays."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.tools.web.html.markdown import read_page

URL = "https://example.com/"


def seen(html: str) -> list[str]:
    return read_page(html, URL, "text").text.split()


STYLES = [
    "display:none",
    "DISPLAY : NONE !important",
    "display:block;display:none",
    "display:none !important;display:block",
    "d\\69splay:none",
    "display:/**/none",
    "visibility:hidden",
    "visibility: collapse",
    "content-visibility:hidden",
    "font-size:0",
    "font-size:0px",
    "font-size:0em",
    "font-size:.01em",
    "font-size:1px",
    "font:0/0 a",
    "font:bold 0px serif",
    "opacity:0",
    "opacity:0.0",
    "opacity: 0%",
    "position:absolute;left:-9999px",
    "position:fixed;top:-100em",
    "position:absolute;right:-5000px",
    "text-indent:-9999px",
    "text-indent:-999em;overflow:hidden",
    "margin-left:-10000px",
    "transform:translateX(-9999px)",
    "transform:translate(0, -5000px)",
    "transform:scale(0)",
    "width:0;overflow:hidden",
    "height:0px;overflow:hidden",
    "max-height:0;overflow-y:hidden",
    "width:1px;height:1px;overflow:hidden",
    "position:absolute;clip:rect(0,0,0,0)",
    "position:absolute;clip:rect(1px, 1px, 1px, 1px)",
    "clip-path:inset(50%)",
    "clip-path:inset(100%)",
    "clip-path:circle(0)",
    "clip-path:inset(51%)",
    "clip-path:inset(50% 50% 50% 50%)",
    "clip-path:inset(0 60% 0 40%)",
    "clip-path: inset( 99.5% )",
    "clip-path:inset(1000% 0 0 0)",
    "clip-path:inset(50% round 2px)",
    "color:transparent",
    "color: TRANSPARENT !important",
    "color:#0000",
    "color:#ffffff00",
    "color:rgba(0,0,0,0)",
    "color:rgb(0 0 0 / 0%)",
    "color:black;-webkit-text-fill-color:transparent",
    "position:absolute;inset:0 auto auto -9999px",
    "translate:-9999px",
    "translate:0 -9999px",
    "scale:0",
    "scale:1 0",
    "font-size:calc(0px)",
    "opacity:calc( 0 )",
    "text-indent:calc(-9999px)",
]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("name", ["p", "div", "span", "li", "td", "h2", "section"])
def test_an_element_that_its_style_hides_is_left_out(style: str, name: str) -> None:
    assert seen(f"<p>before</p><{name} style='{style}'>evil <b>evil</b></{name}><p>after</p>") == ["before", "after"]


RULED = [
    ("<style>.x{display:none}</style>", "class=x"),
    ("<style>.x{visibility:hidden}</style>", "class='a x b'"),
    ("<style>.x{font-size:0}</style>", "class=x"),
    ("<style>#x{display:none}</style>", "id=x"),
    ("<style>aside{display:none}</style>", ""),
    ("<style>aside.x{display:none}</style>", "class=x"),
    ("<style>h4, .y, .x {color:red; display : none !important}</style>", "class=x"),
    ("<style>body .x{display:none}</style>", "class=x"),
    ("<style>.a{color:red} @media screen{.x{display:none}}</style>", "class=x"),
    ("<style>@supports (display:grid){.x{display:none}}</style>", "class=x"),
    ("<style>/* } */ .x{content:'}';display:none}</style>", "class=x"),
    ("<style><!-- .x{display:none} --></style>", "class=x"),
    ("<style>.x{display:none", "class=x"),
    ("<STYLE type='text/css' media=screen>.x{display:none}</STYLE>", "class=x"),
    ("<style>.x{display:block}</style><style>.x{display:none}</style>", "class=x"),
    ("<style>.x{display:none} aside{display:block}</style>", "class=x"),
    ("<style>.x{display:none !important}</style>", "class=x style='display:block'"),
    ("<style>.x{position:absolute;left:-9999px}</style>", "class=x"),
    ("<style>.x{display:none} @media print{.x{display:block}}</style>", "class=x"),
    ("<style>.x{display:none} .x::before{display:block}</style>", "class=x"),
    ("<style>.\\78{display:none}</style>", "class=x"),
    ("<style>:is(.x){display:none}</style>", "class=x"),
    ("<style>:where( #x ){display:none}</style>", "id=x"),
    ("<style>aside:is(.x){display:none}</style>", "class=x"),
    ("<style>body :is(aside){display:none}</style>", ""),
    ("<style>.x{color:transparent}</style>", "class=x"),
]


@pytest.mark.parametrize(("style", "attributes"), RULED)
def test_a_rule_of_the_page_hides_what_it_names(style: str, attributes: str) -> None:
    page = f"<p>before</p><aside {attributes}>evil <b>evil</b></aside><p>after</p>"
    if not style.endswith("display:none"):
        assert seen(f"<head>{style}</head>{page}") == ["before", "after"]
    closed = style if style.lower().endswith("</style>") else f"{style}</style>"
    assert seen(f"{page}{closed}") == ["before", "after"]


@pytest.mark.parametrize(
    "html",
    [
        "<img alt=evil src=/x style='display:none'>",
        "<img alt=evil src=/x hidden>",
        "<p hidden>evil<p hidden>evil</p>",
        "<ul><li hidden>evil<ul><li>evil</ul></li></ul>",
        "<ul><li style='display:none'>evil</ul>",
        "<table><tr><td hidden>evil</table>",
        "<p hidden=until-found>evil</p>",
        "<div style='visibility:hidden'><div style='font-size:0'>evil</div>evil</div>",
        "<div style='display:none'><p style='display:block;visibility:visible'>evil</p></div>",
        "<div style='font-size:0'><p style='font-size:200%'>evil</p></div>",
        "<div style='visibility:hidden'>evil<img alt=evil src=/x></div>",
        "<div style='font-size:0'><ul><li>evil</li></ul></div>",
        "<textarea style='display:none'>evil</textarea>",
        "<a href='/evil' style='display:none'>evil</a>",
        "<pre style='opacity:0'>evil</pre>",
    ],
)
def test_other_ways_to_hide_are_left_out_too(html: str) -> None:
    assert seen(f"<div><p>before</p>{html}</div><p>after</p>") == ["before", "after"]


ORDINARY = [
    "<p style='color:red'>word</p>",
    "<p style='color:rgba(0,0,0,0.87)'>word</p>",
    "<p style='color:rgb(10, 20, 0)'>word</p>",
    "<p style='color:#fff'>word</p>",
    "<p style='color:#000'>word</p>",
    "<p style='color:#102030'>word</p>",
    "<p style='background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent'>word</p>",
    "<p style='color:transparent;text-shadow:0 0 2px #000'>word</p>",
    "<div style='color:transparent'><p style='color:black'>word</p></div>",
    "<style>.x{color:transparent} .open .x{color:red}</style><p class=x>word</p>",
    "<p style='clip-path:inset(5%)'>word</p>",
    "<p style='clip-path:inset(50% 0 0 0)'>word</p>",
    "<p style='scale:1.1;translate:-50% 0;inset:0'>word</p>",
    "<p style='width:calc(100% - 2px);overflow:hidden'>word</p>",
    "<style>p:is(div){display:none} .a:is(.x){display:none}</style><p class=x>word</p>",
    "<p aria-hidden=true>word</p>",
    "<p style='display:block'>word</p>",
    "<p style='display:none;display:block'>word</p>",
    "<p style='opacity:0.5'>word</p>",
    "<p style='opacity:0;transform:translateY(20px)'>word</p>",
    "<p style='opacity:0;transition:opacity 1s'>word</p>",
    "<p style='font-size:10px'>word</p>",
    "<p style='font:700 16px/1.5 serif'>word</p>",
    "<p style='text-indent:-20px'>word</p>",
    "<p style='position:absolute;left:-10px;top:0'>word</p>",
    "<p style='left:-9999px'>word</p>",
    "<p style='height:0'>word</p>",
    "<p style='overflow:hidden;width:100%;height:200px'>word</p>",
    "<p style='overflow:hidden;width:0.9em'>word</p>",
    "<p style='margin:0;padding:0;border:0'>word</p>",
    "<p style='margin-left:-15px'>word</p>",
    "<p style='transform:translate(-50%, -50%)'>word</p>",
    "<p style='transform:scale(0.9)'>word</p>",
    "<p style='background:url(none);content:\"display:none\"'>word</p>",
    "<p title='display:none' data-hidden=1 class=hidden>word</p>",
    "<div style='font-size:0'><p style='font-size:16px'>word</p></div>",
    "<td style='font-size:0px'><div style='font:13px Arial'>word</div></td>",
    "<div style='font-size:0'><img alt=word src='data:x'></div>",
    "<div style='visibility:hidden'><p style='visibility:visible'>word</p></div>",
    "<style>body{display:none}</style><p>word</p>",
    "<style>html,body{visibility:hidden;opacity:0}</style><p>word</p>",
    "<style>.fade{opacity:0}</style><p class=fade>word</p>",
    "<noscript><style>.lazy{display:none}</style></noscript><p class=lazy>word</p>",
    "<template><style>.x{display:none}</style></template><p class=x>word</p>",
    "<style media=print>.x{display:none}</style><p class=x>word</p>",
    "<style>@media print{.x{display:none}}</style><p class=x>word</p>",
    "<style>@media (max-width:600px){.x{display:none}}</style><p class=x>word</p>",
    "<style>.x{display:none} @media (min-width:600px){.x{display:flex}}</style><p class=x>word</p>",
    "<style>.x{display:none} .open .x{display:block}</style><div class=open><p class=x>word</p></div>",
    "<style>.tab{display:none} .tab.active{display:block}</style><p class='tab active'>word</p>",
    "<style>.x{display:none} #y{display:block}</style><p id=y class=x>word</p>",
    "<style>#y{display:block} .x{display:none}</style><p id=y class=x>word</p>",
    "<style>.x{display:none}</style><p class=x style='display:block'>word</p>",
    "<style>.x::before{display:none} .x:after{display:none}</style><p class=x>word</p>",
    "<style>.x:empty{display:none} .x[hidden]{display:none} .x:not(p){display:none}</style><p class=x>word</p>",
    "<style>.a .x{display:none}</style><p class=x>word</p>",
    "<style>*{font-size:0}</style><p>word</p>",
    "<style>@keyframes a{from{visibility:hidden} .x{display:none}} @font-face{font-size:0}</style><p class=x>word</p>",
    "<style>.x{color:red; &:hover{display:none} .y{display:none}}</style><p class=x>word</p>",
    "<style>.list{font-size:0} .list li{font-size:16px}</style><ul class=list><li>word</li></ul>",
    "<style type='text/template'>.x{display:none}</style><p class=x>word</p>",
    "<style>p.x{display:none}</style><div class=x>word</div>",
    "<p hidden></p>word",
    "<p hidden><div>word</div>",
    "<div><p hidden></div><p>word</p>",
    "<ul><li hidden></ul>word",
    "<ul><li hidden><li>word</ul>",
    "<table><tr hidden><td><tr><td>word</table>",
    "<div hidden><div></div></div>word",
    "<details><summary></summary>word</details>",
]


@pytest.mark.parametrize("html", ORDINARY)
def test_what_readers_see_stays(html: str) -> None:
    assert [word.strip("-") for word in seen(f"<p>before</p>{html}<p>after</p>") if word != "-"] == [
        "before",
        "word",
        "after",
    ]


def test_a_hidden_list_leaves_no_bullet_behind() -> None:
    page = "<ul style='visibility:hidden'><li>evil</li><li>evil</ul><p>after</p>"
    assert read_page(page, URL, "markdown").text == "after"


WORDS = st.sampled_from(["alpha", "beta", "gamma"])
PLAIN = [
    "<p>{}</p>",
    "<li>{} ",
    "<div class=a><span>{}</span></div>",
    "<h2 id=b>{}</h2>",
    "<b style='color:red'>{}</b> ",
]
HIDDEN = ["<p style='{}'>evil</p>", "<div style='{}'><i>evil</i><p>evil</p></div>", "<span style='{}'>evil</span>"]


@given(st.lists(st.tuples(WORDS, st.sampled_from(PLAIN), st.sampled_from(HIDDEN), st.sampled_from(STYLES)), max_size=8))
def test_between_hidden_texts_no_visible_word_is_lost(pieces: list[tuple[str, str, str, str]]) -> None:
    html = "".join(shown.format(word) + hidden.format(style) for word, shown, hidden, style in pieces)
    assert [word for word in seen(html) if word != "-"] == [word for word, *_ in pieces]


HOSTILE = {
    "comments": "<style>" + "/*" * 100_000,
    "braces": "<style>" + "{" * 200_000,
    "closing": "<style>" + "}" * 200_000,
    "brackets": "<style>" + "[" * 200_000 + "{display:none}",
    "colons": "<style>" + ":a(" * 70_000 + "{display:none}",
    "strings": "<style>" + "'\"" * 100_000,
    "commas": "<style>" + "a," * 100_000 + "{display:none}",
    "spaces": "<style>" + " " * 200_000 + "a{display:none}",
    "escapes": "<style>" + "\\" * 200_000,
    "rules": "<style>" + ".x{display:none}" * 12_000 + "</style>" + "<p class=x>y" * 20_000,
    "classes": "<style>"
    + "".join(f".x{n}.y{{display:none}}" for n in range(5_000))
    + "</style>"
    + f"<p class='y {' '.join(f'x{n}' for n in range(200))}'>z" * 200,
    "styles": "<p style='" + "display:none;" * 20_000 + "'>x",
    "numbers": "<p style='left:" + "1" * 200_000 + "px;font:" + "1 " * 50_000 + "'>x",
    "values": "<p style='transform:" + "translate(" * 20_000 + "'>x",
    "nested": "<div style='font-size:0'>" * 10_000 + "<p style='font-size:9px'>x" * 10_000,
    "lists": "<ul><li style='visibility:hidden'>" * 8_000 + "</ul>" * 8_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_style_takes_longer_than_its_size_explains(kind: str) -> None:
    started = time.process_time()
    seen(HOSTILE[kind])
    assert time.process_time() - started < 5
