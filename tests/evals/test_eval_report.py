"""Results that a later start goes on with, the figures made of them, and the report on them."""

import re
from html.parser import HTMLParser

import msgspec
import pytest

from toolpost.evals.cases import CATEGORIES, Expected, ExpectedCall
from toolpost.evals.figures import share, summarise
from toolpost.evals.report import write_report
from toolpost.evals.results import METRICS, CaseResult, Header, JudgedCall, Results, read_results
from toolpost.evals.variants import Variant, all_variants
from toolpost.types.errors import ConfigError
from toolpost.types.messages import ErrorInfo, Usage

HEADER = Header("mine", "abc", 9, "1.0")
NATIVE, PROMPTED = Variant("a/b", "native"), Variant("a/b", "prompted", "hermes", True)
EVIL = "<script>alert('x')</script> & `code` | *bold*"


def outcome(case, passed=True, *, variant=NATIVE, error=None, **changed):
    scores = {} if error else {"passed": passed, "tool": True, "arguments": passed}
    expected = Expected(((ExpectedCall("f", {"x": [1, None]}),),), (("18",),))
    made = CaseResult(variant, case, "single", "en", f"Question of {case}?", expected, scores, error=error)
    return msgspec.structs.replace(made, **changed)


@pytest.fixture
def write(tmp_path):
    def write(*outcomes):
        with Results(tmp_path, HEADER) as results:
            for one in outcomes:
                results.add(one)
        return tmp_path

    return write


def test_intervals_are_wilsons():
    half = share(5, 10)
    assert (half.rate, round(half.low, 4), round(half.high, 4)) == (0.5, 0.2366, 0.7634)
    none, all_of_them = share(0, 20), share(20, 20)
    assert (none.low, round(none.high, 4)) == (0.0, 0.1611)
    assert (round(all_of_them.low, 4), all_of_them.high) == (0.8389, 1.0)


def test_metrics_count_the_cases_that_they_apply_to_and_errors_count_nowhere():
    slow = {"first": 0.1, "took": 3.0, "usage": Usage(100, 10)}
    failed = outcome("c", error=ErrorInfo("auth", "no"), took=99.0)
    silent = outcome("d", category="no_call", language="zh", scores={"passed": True, "no_call": True}, **slow)
    (found,) = summarise([outcome("a", **slow), outcome("b", False, **slow), failed, silent])
    assert (found.cases, found.errors) == (4, 1)
    assert {name: (one.hits, one.count) for name, one in found.shares.items()} == {
        "passed": (2, 3),
        "tool": (2, 2),
        "arguments": (1, 2),
        "no_call": (1, 1),
    }
    assert list(found.categories) == ["single", "no_call"]
    assert (found.categories["single"]["passed"].hits, found.languages["zh"]["passed"].count) == (1, 1)
    assert (found.first_median, found.turn_median, found.turn_p95) == (0.1, 3.0, 3.0)
    assert (found.input_tokens, found.output_tokens) == (300, 30)


def test_a_later_start_goes_on_and_tries_errors_again(write):
    folder = write(outcome("a"), outcome("b", error=ErrorInfo("auth", "no")), outcome("c", variant=PROMPTED))
    with Results(folder, HEADER) as results:
        assert results.is_finished(NATIVE, "a")
        assert not results.is_finished(NATIVE, "b")
        assert not results.is_finished(NATIVE, "c")
        results.add(outcome("b", False))
    _, outcomes = read_results(folder)
    assert [(one.case, one.error) for one in outcomes] == [("a", None), ("b", None), ("c", None)]


def test_a_line_cut_by_a_kill_is_dropped(write):
    folder = write(outcome("a"), outcome("b"))
    file = folder / "results.jsonl"
    file.write_bytes(file.read_bytes()[:-20])
    assert [one.case for one in read_results(folder)[1]] == ["a"]
    with Results(folder, HEADER) as results:
        results.add(outcome("c"))
    assert [one.case for one in read_results(folder)[1]] == ["a", "c"]


def test_results_of_other_cases_are_kept_unless_thrown_away_on_purpose(write):
    folder = write(outcome("a"))
    other = Header("other", "xyz", 3, "1.0")
    with pytest.raises(ConfigError, match=r"holds results of other cases \(mine, 9 of them\): give another --out"):
        Results(folder, other)
    assert [one.case for one in read_results(folder)[1]] == ["a"]
    Results(folder, other, fresh=True).__exit__()
    assert read_results(folder) == (other, [])


@pytest.mark.parametrize("fresh", [True, False])
def test_a_file_of_somebody_else_is_not_touched(tmp_path, fresh):
    file = tmp_path / "results.jsonl"
    file.write_text('{"mine": 1}\n{"no end"')
    with pytest.raises(ConfigError, match="was not written by `toolpost eval`"):
        Results(tmp_path, HEADER, fresh=fresh)
    assert file.read_text() == '{"mine": 1}\n{"no end"'


def test_a_broken_line_in_the_middle_is_named(write):
    folder = write(outcome("a"), outcome("b"))
    file = folder / "results.jsonl"
    file.write_text(file.read_text().replace('"case":"a"', '"case":3'))
    with pytest.raises(ConfigError, match=r"results.jsonl, line 2: .* must be a string, got an integer"):
        read_results(folder)


def test_variants_are_every_model_in_every_way():
    def named(*given):
        return [variant.name for variant in all_variants(*given)]

    assert named(["a/b", "c/d"]) == ["a/b", "c/d"]
    assert named(["a/b"], ["native", "prompted"]) == ["a/b · native", "a/b · prompted"]
    assert named(["a/b"], [], ["hermes"]) == ["a/b · prompted · hermes"]
    assert named(["a/b"], [], [], [True, False]) == ["a/b · prompted · grammar", "a/b · prompted · no grammar"]
    assert named(["a/b"], ["native", "prompted"], ["hermes", "llama3_json"]) == [
        "a/b · native",
        "a/b · prompted · hermes",
        "a/b · prompted · llama3_json",
    ]


class Page(HTMLParser):
    """The tags, the visible text, and everything that a browser would fetch."""

    def __init__(self, source):
        super().__init__()
        self.open, self.tags, self.texts, self.links = [], [], [], []
        self.feed(source)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag not in ("meta", "rect", "line", "path"):
            self.open.append(tag)
        self.links += [value for name, value in attributes if name in ("src", "href", "srcset", "data", "action")]

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture
def reported(write):
    failed = {"text": EVIL, "calls": (JudgedCall("f", {"x": 2}, asked="F"),), "question": EVIL}
    folder = write(
        outcome("a", first=0.2, took=1.5),
        outcome("b", False, **failed),
        outcome("c", error=ErrorInfo("rate_limit", EVIL)),
        outcome("d", variant=PROMPTED, took=7.25),
    )
    write_report(folder)
    return (folder / "report.md").read_text(), (folder / "report.html").read_text(), read_results(folder)[1]


def test_both_reports_have_the_figures_of_the_results(reported):
    markdown, html, outcomes = reported
    text = " ".join(Page(html).texts).replace("\u00a0", " ")
    for summary in summarise(outcomes):
        assert summary.variant.name in markdown
        assert summary.variant.name in text
        for one in summary.shares.values():
            figures = f"{one.rate * 100:.0f} % ({one.low * 100:.0f}–{one.high * 100:.0f}), {one.hits}/{one.count}"
            assert figures in markdown
            assert figures in text
    assert "50 % (9–91), 1/2" in text
    assert "7.25 s" in text
    for said in (markdown, text):
        assert "f(x=1 | left out)" in said
        assert "f(x=2) (as F)" in said
        assert "wrong arguments" in said
        assert "Slowest cases" in said


def test_the_page_is_one_file_and_nothing_in_it_is_read_as_html(reported):
    _, html, _ = reported
    page = Page(html)
    assert page.links == []
    assert "url(" not in html
    assert "@import" not in html
    assert "script" not in page.tags
    assert any(EVIL in text for text in page.texts)
    assert f"rate_limit: {EVIL}" in page.texts
    assert "prefers-color-scheme: dark" in html


def test_the_charts_have_a_bar_for_each_figure_as_long_as_its_share(reported):
    _, html, outcomes = reported
    metrics = next(part for part in html.split("<svg ") if 'aria-label="Every metric"' in part)
    drawn = re.findall(r"<title>(.+?): .*?</title><rect [^>]*width=\"([\d.]+)\"", metrics)
    native, prompted = summarise(outcomes)
    expected = [
        (one.variant.name, 420 * one.shares[metric].rate)
        for metric in METRICS
        if metric in native.shares
        for one in (native, prompted)
    ]
    assert [(name, float(width)) for name, width in drawn] == expected


def test_nothing_in_the_markdown_is_read_as_markup(reported):
    markdown, _, _ = reported
    assert "<script>" not in re.sub(r"(`+).+?\1", "", markdown)
    assert r"\*bold\*" in markdown
    rows = [line for line in markdown.splitlines() if line.startswith("|")]
    # Four columns, or eight: no text of a model's makes another.
    assert {len(re.sub(r"\\.|[^|]", "", row)) for row in rows} == {5, 9}


def test_a_report_on_nothing_can_be_read(write):
    for outcomes in ((), (outcome("a", error=ErrorInfo("auth", "no")),)):
        folder = write(*outcomes)
        write_report(folder)
        assert "Tool calling" in (folder / "report.md").read_text()
        assert "</html>" in (folder / "report.html").read_text()


def test_every_category_and_metric_can_be_reported(write):
    scores = dict.fromkeys(METRICS, True)
    folder = write(*(outcome(name, category=name, scores=scores) for name in CATEGORIES))
    write_report(folder)
    text = (folder / "report.html").read_text()
    assert all(name.replace("_", " ") in text for name in CATEGORIES)
