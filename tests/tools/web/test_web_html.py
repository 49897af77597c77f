"""Web pages as Markdown: what a reader would see, whatever stands in the page, in time linear to its size."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.tools.web.html.markdown import MAX_ADDED, read_page

URL = "https://example.com/docs/page"


def markdown(html: str) -> str:
    return read_page(html, URL, "markdown").text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<h1>One</h1><h3>Three\n more</h3>", "# One\n\n### Three more"),
        ("<p>a\n  b<br>c</p><p>d", "a b\nc\n\nd"),
        ("a <strong> b </strong>c <em>d</em> <del>e</del>", "a **b** c *d* ~~e~~"),
        ("<b>a<b>b</b>c</b>", "**abc**"),
        ("<b></b>a<i> </i>b", "a b"),
        ("<b>one<p>two</p>three</b>", "**one**\n\n**two**\n\n**three**"),
        ("call <code>f(x)</code>", "call `f(x)`"),
        ("<a href='/x?a=1&amp;b=2'>x</a>", "[x](https://example.com/x?a=1&b=2)"),
        ("<a href=other>x</a> <a href='#part'>y</a>", "[x](https://example.com/docs/other) y"),
        ("<a href='javascript:alert(1)'>x</a> <a href='data:text/html,x'>y</a>", "x y"),
        ("<a href='/a'><p>in a block</p></a>", "[in a block](https://example.com/a)"),
        ("<a href=/a>one<a href=/b>two</a>", "[one](https://example.com/a)[two](https://example.com/b)"),
        ("<base href='https://cdn.example.net/'><a href=x>x</a>", "[x](https://cdn.example.net/x)"),
        (
            "<img src=/i.png alt='A cat'> <img src=x> <img alt=d src='data:image/png;base64,xx'>",
            "![A cat](https://example.com/i.png) d",
        ),
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>e", "- a\n- b\n  - c\n- d\n\ne"),
        ("<ol start=3><li>a</li><li><p>b</p><p>c</p></li></ol>", "3. a\n4. b\n\n  c"),
        ("<blockquote><p>a<p>b</blockquote>c", "> a\n\n> b\n\nc"),
        ("<pre><code class='language-py'>if x:\n    y &lt; 1\n</code></pre>", "```py\nif x:\n    y < 1\n```"),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        ("<table><tr><th>A<th>B<tr><td>1|2<td><p>x</p><p>y</p></table>", "| A | B |\n| --- | --- |\n| 1\\|2 | x y |"),
        ("<table><tr><td>a<td>b<tr><td>c</table>", "| a | b |\n| --- | --- |\n| c |  |"),
        ("<table><tr><td><h2>Layout</h2><p>text</table>", "Layout text"),
        ("a<hr>b", "a\n\n---\n\nb"),
        ("&lt;b&gt; &eacute; &#x4e2d; &nosuch; &amp;amp;", "<b> é 中 &nosuch; &amp;"),
        ("1 < 2 <3 > x <", "1 < 2 <3 > x <"),
        ("<p class=x\">a</p><p title='>'>b</p>", "a\n\nb"),
        ("<!-- <p>no</p> --><!doctype html><?php no ?>yes</ bad>", "yes"),
        ("<script>if (a</b) '<p>'</script><style>x</style>yes<noscript> and</noscript>", "yes and"),
        ("<svg><title>no</title><text>no</text></svg><template>no</template>yes", "yes"),
        ("<title>T</title>a<textarea>b<c></textarea>", "ab<c>"),
    ],
)
def test_a_page_becomes_what_a_reader_sees(html: str, text: str) -> None:
    assert markdown(html) == text


@pytest.mark.parametrize(
    "hidden",
    [
        "<div hidden>evil</div>",
        "<div style='color:red; DISPLAY : none'>evil<div>evil</div></div>",
        "<span style=visibility:hidden>evil</span>",
        "<p hidden>evil<p hidden>evil</p>",
        "<dialog>evil</dialog>",
    ],
)
def test_what_no_reader_sees_no_model_reads(hidden: str) -> None:
    assert markdown(f"<p>before</p>{hidden}<p>after</p>") == "before\n\nafter"


LONG = "The text that the page is about. " * 10


def test_only_the_main_part_is_given_where_the_page_has_one() -> None:
    html = f"<header>Top</header><nav>Menu</nav><main><h1>It</h1><p>{LONG}</main><footer>Small print</footer>"
    assert markdown(html) == f"# It\n\n{LONG.strip()}"
    assert markdown(f"<nav>Menu</nav><p>{LONG}</p><footer>Small print</footer>") == LONG.strip()


def test_a_page_that_has_its_text_elsewhere_is_given_whole() -> None:
    assert markdown(f"<main>Loading</main><div>{LONG}</div>").endswith(LONG.strip())
    assert "Menu" in markdown("<nav>Menu, never closed<p>Short")


def test_the_title_is_found_once() -> None:
    html = "<head><title> A\n &amp; B </title></head><svg><title>icon</title></svg>x"
    assert read_page(html, URL, "text").title == "A & B"


def test_plain_text_has_no_marks() -> None:
    html = "<h2>H</h2><p><b>b</b> <a href=/x>l</a> <img alt=i src=/i></p><ul><li>one</ul><pre>c</pre>"
    assert read_page(html, URL, "text").text == "H\n\nb l i\n\n- one\n\nc"


HOSTILE = {
    "nested blocks": "<div>" * 66_000,
    "nested lists": "<ul><li><p>x" * 13_000,
    "nested quotes": "<blockquote>x" * 20_000,
    "nested tables": "<table><tr><td>x" * 20_000,
    "nested marks": "<b><i><s><code>x" * 16_000 + "</b>" * 16_000,
    "links": "<a href=x>" * 33_000,
    "open comments": "<!--" * 83_000,
    "open tags": "<a " * 100_000,
    "open quotes": "<a b=\"'" * 50_000,
    "brackets": "<" * 166_000,
    "scripts": "<script>" * 50_000,
    "attributes": "<a " + "b='" * 100_000 + ">",
    "spaces": "<p " + " " * 166_000 + ">" + " " * 166_000,
    "entities": "&" * 166_000 + "&amp" * 33_000 + "&#" + "9" * 33_000 + ";",
    "fences": "<pre>" + "`" * 166_000,
    "columns": "<table>" + "<tr>" + "<td>x" * 33_000,
    "hidden": "<p hidden>x" * 33_000,
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_no_page_takes_longer_than_its_size_explains(kind: str) -> None:
    html = HOSTILE[kind]
    started = time.process_time()
    text = markdown(html)
    # Up to half a megabyte: tree builders take minutes, or the whole stack, for some of these.
    assert time.process_time() - started < 10
    assert len(text) < 12 * len(html)


SWELLING = {
    "a long address": (f"https://example.com/{'a/' * 4_000}", "<a href=x>y</a>" * 20_000),
    "a long base": (URL, f"<base href='https://example.com/{'a' * 500_000}'>" + "<a href=x>y</a>" * 20_000),
    "a base": (URL, f"<base href='https://example.com/{'a/' * 900}'>" + "<a href=x>y</a>" * 20_000),
    "pictures": (URL, f"<base href='https://example.com/{'a/' * 900}'>" + "<img alt=y src=x>" * 20_000),
    "an open link": (URL, f"<a href='https://example.com/{'a' * 1_900}'>" + "<p>y" * 80_000),
    "rows": (URL, "<table><tr>" + "<td>" * 100 + "y" + "<tr><td>y" * 60_000),
}


@pytest.mark.parametrize("kind", SWELLING)
def test_no_page_becomes_many_times_its_size(kind: str) -> None:
    url, html = SWELLING[kind]
    started = time.process_time()
    text = read_page(html, url, "markdown").text
    assert text.count("y") >= 20_000, "the page's own words are all there"
    assert len(text) < len(html) + MAX_ADDED
    assert time.process_time() - started < 10


def test_a_page_with_a_long_address_keeps_the_links_that_say_where_they_lead() -> None:
    html = "<p><a href='https://example.org/'>whole</a> <a href='x'>part</a></p>"
    assert (
        read_page(html, f"https://example.com/{'a' * 3_000}", "markdown").text == "[whole](https://example.org/) part"
    )


PIECES = st.sampled_from(
    [
        *(
            "<p>",
            "</p>",
            "<b>",
            "</b>",
            "<a href='/x'>",
            "</a>",
            "<ul>",
            "<ol>",
            "<li>",
            "</ul>",
            "<pre>",
            "</pre>",
            "<code>",
        ),
        *(
            "<table>",
            "<tr>",
            "<td>",
            "</table>",
            "<main>",
            "</main>",
            "<nav>",
            "</nav>",
            "<blockquote>",
            "</blockquote>",
        ),
        *(
            "<div hidden>",
            "</div>",
            "<br>",
            "<hr>",
            "<h2>",
            "</h2>",
            "<!--",
            "-->",
            "<script>",
            "</script>",
            "<",
            "'",
            '"',
        ),
        *("&amp;", "word ", "\n", "中", "\0", "<title>", "</title>", "<svg>", "</svg>", "<img alt=x src=y>", "</code>"),
    ]
)


@settings(max_examples=300)
@given(st.lists(PIECES | st.text(max_size=8), max_size=60).map("".join), st.sampled_from(["markdown", "text"]))
def test_any_page_can_be_read(html: str, form: str) -> None:
    page = read_page(html, URL, form)  # type: ignore[arg-type]
    assert "\n\n\n" not in page.text or "```" in page.text


@given(st.lists(st.sampled_from(["alpha", "beta", "gamma"]), min_size=1, max_size=8))
def test_no_visible_word_is_lost(words: list[str]) -> None:
    shapes = [
        "<p>{}</p>",
        "<li>{}",
        "<td>{}</td>",
        "<b>{}</b> ",
        "<h2>{}</h2>",
        "<div><span>{}</div>",
        "<pre>{}</pre>",
        "{} ",
    ]
    html = "".join(shapes[place % len(shapes)].format(word) for place, word in enumerate(words))
    assert [
        word for word in markdown(html).replace("*", " ").replace("`", " ").replace("-", " ").split() if word != "##"
    ] == words
