"""The cards of calls: state and subject on one line, output that stays cheap, results by their kind."""

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from toolpost.tui.drawing.contract import Look
from toolpost.tui.drawing.items import draw_item
from toolpost.tui.drawing.terminal_output import coloured_pieces
from toolpost.tui.themes import NO_COLOUR, THEMES
from toolpost.types.messages import Consent, FilePart, TextPart
from toolpost.view.growing_text import GrowingText
from toolpost.view.items import CallError, CallItem, SentAgent
from toolpost.view.live_output import LiveOutput

DIFF = "@@ -1,2 +1,2 @@ def f():\n-    return old_name + 1\n+    return new_name + 1\n     # end\n"


def call(name="bash", **fields):
    return CallItem(id="m/c", message_id="m", call_id="c", name=name, **fields)


def look(width=60, **changes):
    return Look(width, THEMES["dark"], **changes)


def shown(item, **changes):
    return [strip.text.rstrip() for strip in draw_item(item, look(**changes)).lines]


def done(name, text, **fields):
    return call(name, phase="done", content=(TextPart(text),), **fields)


def numbered(count):
    return "\n".join(f"line {number}" for number in range(1, count + 1))


def test_a_call_is_one_line_with_its_state_label_subject_and_duration():
    item = call(phase="done", arguments={"command": "ls -la"}, content=(TextPart("a"),), duration=1.25)
    assert shown(item) == ["✓ Bash  ls -la  1.2 s", "  a"]
    assert shown(item, has_unicode=False)[0] == "= Bash  ls -la  1.2 s"


def test_a_long_subject_gives_way_to_what_stands_behind_it():
    (line, *_) = shown(call(phase="done", arguments={"command": "x" * 200}, duration=2.0), width=40)
    assert line.endswith("…  2.0 s")
    assert len(line) == 40


def test_a_path_is_seen_from_the_folder_of_the_session():
    item = call("read", phase="running", arguments={"path": "/home/me/project/src/a.py"})
    assert shown(item, folder="/home/me/project") == ["● Read  src/a.py"]
    assert shown(item, folder="/home/me/pro") == ["● Read  /home/me/project/src/a.py"]


def test_time_goes_on_in_the_first_line_only():
    drawing = draw_item(call(phase="running", arguments={"command": "sleep 9"}, started=100.0), look())
    assert drawing.update(call(phase="running", arguments={"command": "sleep 9"}, started=100.0), now=103.0) == 0
    assert drawing.lines[0].text == "● Bash  sleep 9  3.0 s"


def test_a_folded_card_shows_the_end_of_live_output():
    output = LiveOutput()
    output.add(numbered(30) + "\n\x1b[32mgreen\x1b[0m and 50 %\r60 %")
    lines = shown(call(phase="running", output=output), output_lines=3)
    assert lines[1:] == ["  … 28 more lines", "  line 29", "  line 30", "  60 %"]


def test_an_open_card_shows_all_that_is_kept_of_live_output():
    output = LiveOutput()
    output.add(numbered(1_000) + "\n")
    lines = shown(call(phase="running", output=output), is_expanded=True)
    assert lines[1] == "  line 1"
    assert lines[-1] == "  line 1000"
    assert "  … 600 more lines" in lines


def test_of_a_command_the_end_is_shown_and_of_a_file_the_beginning():
    assert shown(done("bash", numbered(20)), output_lines=4)[1:] == [
        "  … 17 more lines", "  line 18", "  line 19", "  line 20",
    ]  # fmt: skip
    assert shown(done("read", numbered(20)), output_lines=4)[1:] == [
        "  line 1", "  line 2", "  line 3", "  … 17 more lines",
    ]  # fmt: skip


def test_a_huge_output_is_measured_but_not_drawn():
    drawing = draw_item(done("bash", numbered(200_000)), look(is_expanded=True))
    assert len(drawing.lines) == 200_001
    assert drawing.lines[100_000].text == "  line 100000"
    assert [strip.text for strip in drawing.lines[-2:]] == ["  line 199999", "  line 200000"]
    assert len(draw_item(done("bash", numbered(200_000)), look()).lines) == 9


def test_colours_of_a_command_are_kept_and_nothing_else_of_its_sequences():
    text = "\x1b[1;31mred\x1b]0;title\x07 \x1b[2Jstill\nnext\x1b[0m plain \x1b[38;5;200mx\x1b[8mhidden\x1b[48;2;1;2;3my"
    lines = draw_item(done("bash", text), look(is_expanded=True)).lines
    assert [strip.text for strip in lines[1:]] == ["  red still", "  next plain xhiddeny"]
    first, second = ([*strip] for strip in lines[1:])
    assert first[1].style.color.name == second[1].style.color.name == "color(1)" or first[1].style.color.number == 1
    assert second[1].style.color.number == 1
    assert not any(segment.style and segment.style.conceal for segment in second)


@given(
    st.lists(st.sampled_from(["\x1b[", "3", "8", ";", "5", ":", "2", "m", "a", "\x1b", "9999999", "0", "K"])).map(
        "".join
    )
)
def test_any_sequence_is_harmless(line):
    pieces, _ = coloured_pieces(line, look().palette.style("text"), look().palette.style("text"), has_colours=True)
    assert "\x1b" not in "".join(text for text, _ in pieces)


def test_without_colours_a_command_has_none_either():
    item = done("bash", "\x1b[31mred\x1b[0m")
    drawing = draw_item(item, Look(40, NO_COLOUR))
    assert all(segment.style is None or segment.style.color is None for strip in drawing.lines for segment in strip)


def test_an_exit_code_that_is_not_0_is_told():
    assert shown(done("bash", "no", details={"exit_code": 2}))[-1] == "  exit code 2"


def test_an_edit_is_shown_as_a_diff_with_its_words_marked():
    files = [{"path": "/p/a.py", "kind": "changed", "diff": DIFF, "added": 1, "removed": 1}]
    item = done("edit", "Edited.", arguments={"path": "/p/a.py"}, details={"files": files})
    drawing = draw_item(item, look(folder="/p", is_expanded=True))
    texts = [strip.text.rstrip() for strip in drawing.lines]
    assert texts[0] == "✓ Edit  a.py  +1 -1"
    assert "  ⋯ def f():" in texts
    assert "  1 -     return old_name + 1" in texts
    marked = [seg.text for strip in drawing.lines for seg in strip if seg.style == look().palette.style("added_word")]
    assert marked == ["new_name"]


def test_a_wide_diff_stands_side_by_side():
    files = [{"path": "a.py", "kind": "changed", "diff": DIFF}]
    lines = shown(done("edit", "Edited.", details={"files": files}), width=130, is_expanded=True)
    assert any("old_name" in line and "new_name" in line for line in lines)


def test_results_are_drawn_by_their_kind():
    rows = '[{"name": "a", "size": 1}, {"name": "b", "size": 22}]'
    table = shown(done("query", rows), is_expanded=True)
    assert table[1:] == ["  name │ size", "  ─────┼─────", "  a    │ 1", "  b    │ 22"]
    assert shown(done("get", '{"a": [1, 2]}'), is_expanded=True)[1:] == [
        "  {", '    "a": [', "      1,", "      2", "    ]", "  }",
    ]  # fmt: skip
    assert shown(done("task", "# Done\n\n- **one**"))[1:] == ["  Done", "", "  • one"]
    hits = "1. A title\nhttps://a.example/x\nSource: A\nSome text"
    assert shown(done("web_search", hits))[1:] == ["  A title  A"]
    image = call("read", phase="done", content=(FilePart("image/png", data="AAAA" * 400, name="a.png"),))
    assert shown(image)[1:] == ["  ▪ a.png  image/png, 1.2 kB"]
    assert shown(done("get", ""))[1:] == ["  The result is empty."]


def test_arguments_are_seen_while_they_are_written():
    raw = GrowingText()
    item = call("write", raw=raw)
    folded, opened = draw_item(item, look()), draw_item(item, look(is_expanded=True))
    text = '{"path": "a.py", "content": "' + "\\n".join(f"line {n}" for n in range(50)) + '"}'
    kept = list(opened.lines)
    for at in range(0, len(text), 7):
        raw.add(text[at : at + 7])
        folded.update(item)
        first = opened.update(item)
        kept = [*kept[:first], *opened.lines[first:]]
        assert kept == list(opened.lines)
    assert [strip.text for strip in folded.lines] == ["◌ Write  a.py", *(f"    line {n}" for n in (47, 48, 49))]
    assert [strip.text for strip in kept[:5]] == ["◌ Write  a.py", "  path:", "    a.py", "  content:", "    line 0"]
    assert len(kept) == 54


def test_an_open_card_shows_its_arguments():
    item = call("edit", phase="running", arguments={"path": "a", "old_text": "x\ny", "edits": [1]})
    assert shown(item, is_expanded=True)[1:] == ["  path: a", "  old_text:", "    x", "    y", "  edits: [1]"]


def test_a_failure_says_why():
    failed = call(phase="failed", error=CallError("failed", "no such file: a.py"))
    assert shown(failed) == ["✗ Bash  Failed", "  no such file: a.py"]
    denied = call(phase="denied", error=CallError("denied", "-"), consent=Consent("ask", "reject", "use uv"))
    assert shown(denied)[1] == "  Denied by a user. use uv"
    timeout = call(phase="failed", error=CallError("timeout", numbered(100)))
    assert len(shown(timeout)) == 9
    assert shown(timeout, is_expanded=True)[-1] == "  line 100"


def test_a_sub_agent_has_a_line_of_its_own():
    sent = SentAgent("ses_1", "explore", calls=3, tokens=12_345, cost=0.5, ending="limit", is_asking=True)
    lines = shown(call("task", phase="running", sub_agent=sent), width=120)
    assert lines[1] == "  ↳ explore  3 calls · tokens: 12,345 · $0.5000 · limit  Waiting for your approval"


def test_notices_of_a_tool_are_shown():
    assert shown(done("bash", "x", details={"notices": ["No sandbox here."]}))[-1] == "  ! No sandbox here."


NASTY = st.text(st.sampled_from("ab 你\n\t\r\x1b[31m]0;\x07\u202e\u200d\ufe0f❤\ud800|`#{}\"'@+-")) | st.text()


@given(NASTY, st.sampled_from(["bash", "read", "task", "web_search", "edit", "other"]), st.booleans(), st.data())
@settings(max_examples=200, deadline=None)
def test_whatever_a_tool_says_fits_and_is_harmless(text, name, is_expanded, data):
    width = data.draw(st.sampled_from([1, 8, 20, 50, 130]))
    files = [{"path": text, "kind": "changed", "diff": text}] if data.draw(st.booleans()) else []
    details = {"files": files, "notices": [text]}
    item = done(name, text, arguments={"path": text, "more": [text]}, details=details, title=text, label=text)
    sent = SentAgent("s", text, ending=text)
    failed = structs.replace(item, phase="failed", error=CallError("failed", text), sub_agent=sent)
    for one in (item, failed, structs.replace(item, phase="preparing", raw=GrowingText(text))):
        for strip in draw_item(one, look(width, is_expanded=is_expanded)).lines:
            assert strip.cell_length <= width
            assert not any(unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") for char in strip.text)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_states_are_in_the_language_of_the_person(language):
    (line,) = shown(call(phase="asking", arguments={"command": "rm x"}), language=language)
    assert ("Needs your approval" if language == "en" else "需要您批准") in line or language == "zh"
