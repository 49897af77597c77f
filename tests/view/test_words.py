"""The words of the views: those of the web page, in both languages, for everything that can be shown."""

import re
from typing import get_args

import pytest
from page_texts import page_texts

from toolpost.tools.builtin import NAMES
from toolpost.types.events import RunReason
from toolpost.types.messages import CallErrorKind, Consent, ErrorInfo
from toolpost.view.actions import ActionKind
from toolpost.view.items import CallError, CallItem, CallPhase, NoticeItem, PromptItem, RunEndItem
from toolpost.view.session_facts import SessionState, TodoState
from toolpost.view.stages import stage_words
from toolpost.view.words import (
    chinese,
    end_words,
    english,
    error_words,
    label_of,
    notice_words,
    outcome_words,
    phase_words,
    seconds_words,
    subject_of,
    texts,
    words,
)

TABLES = {"en": english, "zh": chinese}
BLANK = re.compile(r"\{(\w+)\}")


@pytest.mark.parametrize("language", TABLES)
def test_the_words_are_those_of_the_web_page(language):
    page = page_texts(f"{language}.ts", language)
    assert {name: page.get(name) for name in TABLES[language].PAGE} == TABLES[language].PAGE


@pytest.mark.parametrize("language", TABLES)
def test_every_label_and_every_failure_of_the_web_page_is_here(language):
    assert page_texts("tool-labels.ts", language) == TABLES[language].TOOLS
    assert page_texts(f"errors-{language}.ts", "modelErrors") == TABLES[language].ERRORS
    assert set(NAMES) <= TABLES[language].TOOLS.keys()


def test_both_languages_have_the_same_words_with_the_same_blanks():
    english_texts, chinese_texts = texts("en"), texts("zh")
    assert english_texts.keys() == chinese_texts.keys()
    for name, text in english_texts.items():
        assert set(BLANK.findall(text)) == set(BLANK.findall(chinese_texts[name])), name


@pytest.mark.parametrize("language", TABLES)
def test_there_are_words_for_every_state_and_kind(language):
    known = texts(language)
    for phase in get_args(CallPhase):
        assert phase_words(call(phase), language)
    for kind in get_args(CallErrorKind):
        assert f"error.{kind}" in known
    for action in get_args(ActionKind):
        assert f"action.{action}" in known
    for state in get_args(SessionState):
        assert f"state.{state}" in known
    for state in get_args(TodoState):
        assert f"panel.todoStates.{state}" in known
    for reason in set(get_args(RunReason)) - {"done", "parked"}:
        end = RunEndItem(id="e", reason=reason, limit="max_steps", error=FAILURE if reason == "error" else None)
        assert end_words(end, language)


FAILURE = ErrorInfo("overloaded", "529 too busy")


def call(phase="done", name="bash", **more):
    return CallItem(id="m/c", message_id="m", call_id="c", name=name, phase=phase, **more)


def test_a_call_that_a_person_has_answered_says_how():
    assert phase_words(call("answered", consent=Consent("a", "always")), "en") == "Always allowed"
    assert phase_words(call("answered", consent=Consent("a", "once")), "zh") == "已允许一次"


def test_a_call_without_a_result_says_why():
    denied = CallError("denied", "bash is denied by a rule (toolpost.toml).")
    assert outcome_words(call("denied", error=denied), "en") == f"Denied by a rule. {denied.text}"
    by_person = call("denied", error=denied, consent=Consent("a", "reject", "not now"))
    assert outcome_words(by_person, "en") == "Denied by a user. not now"
    assert outcome_words(call("failed", error=CallError("failed", "no such city")), "zh") == "no such city"
    assert outcome_words(call("stopped", error=CallError("aborted", "for the model")), "en") == "stopped"
    assert outcome_words(call(), "en") == ""


def test_tools_have_the_names_that_people_know():
    assert label_of("web_search", "en") == "Web search"
    assert label_of("web_search", "zh") == "网络搜索"
    assert label_of("bash", "en", "My shell") == "My shell"
    assert label_of("get_weather", "en") == "Get weather"
    assert label_of("mcp__context7__resolve-library-id", "zh") == "context7: resolve-library-id"
    assert label_of("mcp__context7__resolve", "en", "Resolve a library") == "context7: Resolve a library"


def test_the_argument_that_says_most_is_the_subject():
    assert subject_of({"timeout": 3, "command": "ls -l\nrm x"}) == "ls -l"
    assert subject_of({"questions": [{"question": "Which?"}]}) == "Which?"
    assert subject_of({"n": 3, "deep": {"x": 1}, "to": "x"}) == "3, x"
    assert subject_of(None) == ""


def test_a_failure_says_what_to_do_and_keeps_the_words_of_the_provider():
    assert error_words(FAILURE, "en") == ("The model’s provider is overloaded. Try again in a minute.", "529 too busy")
    assert error_words(ErrorInfo("odd", "it broke"), "zh") == ("It broke.", "")


def test_a_retry_counts_down():
    data = {"attempt": 1, "delay": 4.0}
    notice = NoticeItem(id="n", code="retry", text="…", data=data, error=FAILURE, until=100.0)
    said = "The model did not answer (The model’s provider is overloaded. Try again in a minute). Attempt 2 in {} s."
    assert notice_words(notice, "en", 96.5) == said.format(4)
    assert notice_words(notice, "en", 103.0) == said.format(0)


def test_a_notice_of_a_small_window_names_the_tools_for_people():
    data = {"model": "m", "window": 4000, "tools": ["web_search", "read"]}
    notice = NoticeItem(id="n", code="tools_left_out", text="…", data=data)
    assert notice_words(notice, "zh", 0).endswith("以下工具未提供给它：网络搜索、读取文件")


def test_a_value_is_never_filled_itself():
    assert words("stage.searching", "en", query="{tool}") == "Searching “{tool}”…"


def test_seconds_read_the_same_in_every_language():
    assert [seconds_words(time) for time in (0.04, 0.41, 12.34, 185)] == ["40 ms", "0.4 s", "12.3 s", "3 min 5 s"]


def test_a_stage_says_what_a_run_is_doing():
    asked = PromptItem(id="p", text="go", message_id="p")
    search = call("running", "web_search", arguments={"query": "rain"})
    assert stage_words([asked], "en") == "Thinking…"
    assert stage_words([asked, search], "en") == "Searching “rain”…"
    assert stage_words([asked, call("preparing", "write")], "en") == "Preparing: Write…"
    assert stage_words([asked, call("asking")], "zh") == "等待你的批准"
    fetch = call("running", "web_fetch", arguments={"url": "https://user:pw@docs.example:8080/x"})
    assert stage_words([asked, fetch], "en") == "Opening docs.example…"
    assert stage_words([asked, call(), call()], "en") == "Reading 2 results…"
    assert stage_words([asked, call("running"), call("running")], "en") == "Running 2 tools…"
