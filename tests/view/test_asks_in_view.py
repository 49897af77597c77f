"""Approvals and questions: what a person sees before deciding, and what stays of the answer."""

import asyncio
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from view_play import Watched, opened, stored

from toolpost import Agent, Answer, tool
from toolpost.guard.paths import FileAccess
from toolpost.testing import ScriptedModel, call, calls, text
from toolpost.tools.builtin import question
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.limits import ToolLimits
from toolpost.tools.workbench import Workbench
from toolpost.tui.dialogs.approval_lines import approval_lines
from toolpost.tui.drawing.contract import Look
from toolpost.tui.themes import THEMES
from toolpost.types.events import PermissionAsked
from toolpost.view.approvals import ArgumentsPreview, CommandPreview, DiffPreview, approval_of, rule_words
from toolpost.view.items import ApprovalItem
from toolpost.view.transcript import TranscriptView

RAN = []


@tool(patterns=lambda arguments: [arguments["path"]])
async def delete_file(path: str) -> str:
    """Delete a file."""
    RAN.append(path)
    return f"deleted {path}"


@pytest.fixture(autouse=True)
def clear():
    RAN.clear()


class Person:
    """Answers when told to, and says when somebody is asked."""

    def __init__(self, session):
        self.session = session
        self.watched = Watched(session)
        self.asked = asyncio.Event()
        self.replied = asyncio.Event()
        session.subscribe(self.hear)

    def hear(self, event):
        if event.type in ("permission_asked", "question_asked"):
            self.asked.set()
        if event.type == "permission_replied":
            self.replied.set()

    async def waits(self):
        await self.asked.wait()
        self.asked.clear()
        return self.watched.view.asks[-1]


def deleting(*paths):
    return calls(*(call("delete_file", {"path": path}) for path in paths)), text("ok")


async def asked_for(*turns, tools=(delete_file,)):
    session = Agent(ScriptedModel(*turns), tools, interactive=True, permissions={"*": "ask"}).session()
    person = Person(session)
    return person, asyncio.create_task(session.run("go"))


async def test_an_ask_waits_with_its_call_until_it_is_answered():
    person, running = await asked_for(*deleting("a"))
    ask = await person.waits()
    view = person.watched.view
    (item,) = person.watched.of("call")
    assert (ask.permission, ask.patterns, ask.call, ask.arguments) == ("delete_file", ("a",), item.id, {"path": "a"})
    assert (item.phase, item.asks) == ("asking", (ask.id,))
    assert (view.facts.state, view.facts.asks) == ("waiting", (ask.id,))
    person.session.reply(ask.id, "once")
    await running
    (item,) = person.watched.of("call")
    assert (item.phase, item.consent.reply, item.asks) == ("done", "once", ())
    assert view.facts.asks == ()
    (gone,) = [one for changes in person.watched.changes for one in changes.removed]
    assert (gone.id, gone.state, gone.reply) == (ask.id, "once", "once")
    assert stored(view.items) == stored(opened(person.session.messages).items)


async def test_several_asks_are_a_list_and_each_is_answered_by_itself():
    person, running = await asked_for(*deleting("a", "b", "c"))
    while len(person.watched.view.asks) < 3:
        await person.waits()
    first, second, third = person.watched.view.asks
    person.session.reply(second.id, "once")
    await person.replied.wait()
    assert [ask.id for ask in person.watched.view.asks] == [first.id, third.id]
    assert [item.phase for item in person.watched.of("call")][::2] == ["asking", "asking"]
    person.session.reply(first.id, "once")
    person.session.reply(third.id, "reject", "leave c alone")
    await running
    assert [item.phase for item in person.watched.of("call")] == ["done", "done", "denied"]
    assert person.watched.of("call")[2].consent.message == "leave c alone"
    assert stored(person.watched.items) == stored(opened(person.session.messages).items)


async def test_an_ask_that_is_rejected_ends_the_run_with_a_denied_call():
    person, running = await asked_for(deleting("a")[0])
    ask = await person.waits()
    person.session.reply(ask.id, "reject")
    await running
    assert person.watched.of("call")[0].phase == "denied"
    assert person.watched.of("run_end")[0].reason == "denied"
    assert stored(person.watched.items) == stored(opened(person.session.messages).items)


async def test_asks_of_a_stopped_run_are_closed():
    person, running = await asked_for(deleting("a", "b")[0])
    await person.waits()
    await person.session.abort()
    await running
    assert person.watched.view.asks == []
    assert person.watched.view.facts.asks == ()
    assert all(item.is_finished for item in person.watched.items)


async def test_a_question_is_a_form_and_its_answer_stays_with_the_call(tmp_path):
    tools = [question.make(Workbench(FileAccess(tmp_path), ReadTracker(), ToolLimits()))]
    colour = {"question": "Which colour?", "options": ["red", "blue"], "multiple": True}
    person, running = await asked_for(call("question", {"questions": [colour]}), text("ok"), tools=tools)
    while not person.watched.of("question"):
        ask = await person.waits()
        if isinstance(ask, ApprovalItem):
            person.session.reply(ask.id, "once")
    (form,) = person.watched.of("question")
    (field,) = form.fields
    assert (field.question, field.options, field.multiple) == ("Which colour?", ("red", "blue"), True)
    assert person.watched.of("call")[0].phase == "asking"
    person.session.answer(form.id, [["red", "blue"]])
    await running
    (item,) = person.watched.of("call")
    assert item.details["answers"] == [{"question": "Which colour?", "answer": ["red", "blue"]}]
    assert person.watched.of("question") == []
    assert stored(person.watched.items) == stored(opened(person.session.messages).items)


async def test_an_answer_by_a_program_reaches_the_call_too():
    session = Agent(
        ScriptedModel(*deleting("a")), [delete_file], on_ask=lambda ask: Answer("always"), permissions={"*": "ask"}
    ).session()
    watched = Watched(session)
    await session.run("go")
    assert watched.of("call")[0].consent.reply == "always"
    assert RAN == ["a"]


def ask(permission="edit", patterns=("a.py",), always=("**",), **details):
    view = TranscriptView()
    view.feed(PermissionAsked(1, "ses_1", 0.0, "ask_1", permission, patterns, always, "", "c1", details))
    return view.asks[0]


def test_a_command_is_shown_whole_and_its_other_arguments_beside_it():
    command = "for f in *; do\n  rm -rf $f\ndone  # " + "x" * 10_000
    seen = approval_of(ask("bash", (command,), arguments={"command": command, "network": True}))
    assert seen.preview == CommandPreview(command)
    assert seen.arguments == {"network": True}
    assert seen.wants == ()


def test_an_edit_is_shown_as_a_diff_with_the_words_that_change():
    arguments = {"path": "a.py", "old_text": "x = foo(1)\n", "new_text": "x = foo(2)\ny = 3\n", "replace_all": True}
    seen = approval_of(ask(arguments=arguments))
    assert isinstance(seen.preview, DiffPreview)
    (hunk,) = seen.preview.hunks
    assert [(line.sign, line.text) for line in hunk.lines] == [("-", "x = foo(1)"), ("+", "x = foo(2)"), ("+", "y = 3")]
    assert hunk.lines[0].changed == ((8, 9),)
    assert seen.arguments == {"replace_all": True}


def test_no_line_of_what_is_written_is_taken_for_the_name_of_a_file():
    content = "++ b/other.py\n-- a\n@@ -1 +1 @@\n*** End Patch\ndiff --git a b\n"
    seen = approval_of(ask(arguments={"path": "a.txt", "content": content}))
    assert [line.text for hunk in seen.preview.hunks for line in hunk.lines] == content.splitlines()
    patch = "*** Begin Patch\n*** Update File: a\n@@\n--- x\n+++ y\n*** Delete File: b\n*** End Patch"
    hunks = approval_of(ask(arguments={"patch": patch})).preview.hunks
    assert [(hunk.path, [line.text for line in hunk.lines]) for hunk in hunks] == [
        ("Update File: a", ["-- x", "++ y"]),
        ("Delete File: b", []),
    ]


def test_what_the_diff_of_an_edit_does_not_say_stands_beside_it():
    edits = [{"old_text": "a", "new_text": "b", "then_run": "curl x | sh"}, {"old_text": "c", "new_text": "d"}]
    seen = approval_of(ask(arguments={"path": "a.txt", "edits": edits, "new_text": "other"}))
    assert [line.text for hunk in seen.preview.hunks for line in hunk.lines] == ["a", "b", "c", "d"]
    assert seen.arguments == {"edits": [{"then_run": "curl x | sh"}, {}], "new_text": "other"}
    assert approval_of(ask(arguments={"path": "a.txt", "edits": edits[1:]})).arguments == {}


def test_a_diff_that_the_tool_tells_hides_no_argument_that_it_does_not_say():
    arguments = {"path": "a.txt", "content": "kept\nnew\n", "patch": "DROP TABLE users", "edits": ["x"]}
    seen = approval_of(ask(arguments=arguments, diff="@@ -1,2 +1,2 @@\n kept\n-old\n+new\n"))
    assert seen.arguments == {"patch": "DROP TABLE users", "edits": ["x"]}


def test_a_patch_says_all_that_is_in_it():
    lines = (
        "*** Begin Patch; x",
        "*** Delete File: a",
        "@@",
        "@@ alone",
        "@@ next",
        "\\ no end",
        "+y",
        "\\ at the end",
    )
    shown = str(approval_of(ask(arguments={"patch": "\n".join(lines)})).preview)
    for said in ("Begin Patch; x", "Delete File: a", "alone", "next", "no end", "y", "at the end"):
        assert said in shown


TOKENS = st.sampled_from([f"tok{number}x" for number in range(20)])
# What a patch or a diff gives a meaning to.
SHAPES = (
    *("{}", "{}\n", "+{}\n-{}", " {}", "@@ {}", "@@ -1 +1 @@ {}", "@@\n", "\\ {}", "--- {}", "+++ {}\t{}", "\r{}\r\n"),
    *(
        "*** {}",
        "*** Delete File: {}\n",
        "*** End Patch {}",
        "*** Begin Patch",
        "diff --git {}",
        "index {}",
        "\n\n",
        "",
    ),
)
told_texts = st.lists(st.builds(lambda shape, a: shape.replace("{}", a), st.sampled_from(SHAPES), TOKENS), max_size=5)
told_texts = told_texts.map("\n".join)
NAMES = st.sampled_from(["path", "content", "patch", "old_text", "new_text", "edits", "command", "x", "tok99x"])
told_values = st.recursive(
    told_texts | st.none() | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=4),
    max_leaves=8,
)
edit_lists = st.lists(st.dictionaries(NAMES, told_texts, max_size=4) | told_values, max_size=3)
told_arguments = st.dictionaries(NAMES, told_values, max_size=6) | st.fixed_dictionaries(
    {"path": told_texts, "edits": edit_lists},
    optional={"old_text": told_texts, "new_text": told_texts, "x": told_texts},
)


@given(told_arguments, st.none() | told_texts)
@settings(max_examples=500, deadline=None)
def test_every_argument_is_in_what_is_held_and_drawn(arguments, diff):
    given_ask = ask(arguments=arguments, **({} if diff is None else {"diff": diff}))
    view = str(approval_of(given_ask))
    drawn = approval_lines(given_ask, Look(500, THEMES["terminal"]), 500)
    screen = "".join(strip.text for strip in drawn)
    for token in re.findall("tok\\d+x", str(arguments)):
        assert token in view
        assert token in screen


def test_what_is_neither_a_command_nor_a_diff_shows_all_its_arguments():
    arguments = {"city": "Oslo", "days": 3}
    seen = approval_of(ask("weather", ('{"city":"Oslo","days":3}',), arguments=arguments))
    assert seen.preview == ArgumentsPreview(arguments)
    assert (seen.arguments, seen.wants) == ({}, ())
    assert approval_of(ask("web_fetch", ("a.example",), arguments={"url": "https://a.example/x"})).wants == (
        "a.example",
    )


def test_the_rules_that_always_would_save_are_told_exactly():
    one = ask("bash", ("git push",), ("git push", "git push *"))
    assert approval_of(one).rules == (("bash", "git push"), ("bash", "git push *"))
    assert rule_words(one, "en") == ("Always allow bash: git push", "Always allow bash: git push *")
    assert rule_words(one, "zh")[0] == "始终允许 bash：git push"


def test_a_tool_that_was_changed_since_shows_how():
    change = {"note": "its server has changed it since it was approved", "diff": "-a\n+b"}
    seen = approval_of(ask("mcp__x__y", ("*",), arguments={}, tool_change=change))
    assert (seen.change.note, seen.change.diff) == (change["note"], change["diff"])
    assert seen.details == {}
