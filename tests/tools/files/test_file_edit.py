"""`edit`: exactly where possible, forgivingly where safe, never by guessing."""

import pytest
from file_desk import Desk

from toolpost.guard.paths import Missing
from toolpost.tools.limits import ToolLimits
from toolpost.types.errors import PermissionDenied, ToolError

PYTHON = """\
class Shop:
    def price(self, item):
        if item.free:
            return 0
        return item.cost * 2

    def name(self):
        return "shop"
"""


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


async def test_an_exact_match_is_replaced(desk):
    desk.put("a.py", PYTHON)
    said = await desk.say("edit", path="a.py", old_text="item.cost * 2", new_text="item.cost")
    assert said == "Edited a.py (+1 -1)."
    assert desk.get("a.py").decode() == PYTHON.replace("item.cost * 2", "item.cost")
    assert desk.recorded == [("a.py", PYTHON.encode(), PYTHON.replace("item.cost * 2", "item.cost").encode())]


async def test_several_places_are_refused_with_their_lines(desk):
    desk.put("a.py", PYTHON)
    with pytest.raises(ToolError, match="2 times, at lines 2, 7"):
        await desk.call("edit", path="a.py", old_text="def ", new_text="async def ")
    assert desk.get("a.py").decode() == PYTHON


async def test_all_places_are_replaced_when_that_is_meant(desk):
    desk.put("a.py", PYTHON)
    said = await desk.say("edit", path="a.py", old_text="return", new_text="yield", replace_all=True)
    assert said == "Edited a.py at 3 places (+3 -3)."
    assert desk.get("a.py").decode() == PYTHON.replace("return", "yield")


@pytest.mark.parametrize(
    ("old", "new", "strategy", "before", "after"),
    [
        ("one  \ntwo\n", "1\n2\n", "line ends", "zero\none\ntwo\t\nthree\n", "zero\n1\n2\nthree\n"),
        ("a\nb", "c\nd", "", "x\r\na\r\nb\r\ny\r\n", "x\r\nc\r\nd\r\ny\r\n"),
        ("aaaa\nbbbb", "c\nd", "line ends", "x\na\na\naaaa\r\nbbbb\ny\n", "x\na\na\nc\nd\ny\n"),
        (
            "if x:\n    run()\n",
            "if y:\n    run()\n    stop()\n",
            "indentation",
            "def f():\n    if x:\n        run()\n    end\n",
            "def f():\n    if y:\n        run()\n        stop()\n    end\n",
        ),
        (
            "if x:\n    run()",
            "if x:\n    if y:\n        run()",
            "indentation",
            "def f():\n\tif x:\n\t\trun()\n",
            "def f():\n\tif x:\n\t\tif y:\n\t\t\trun()\n",
        ),
        ('say("it\'s")', "say(1)", "punctuation", "say(“it’s”)\nsay(2)\n", "say(1)\nsay(2)\n"),
        ('print(\\"hi\\")\\n', 'print(\\"ho\\")\\n', "escapes", 'print("hi")\nx\n', 'print("ho")\nx\n'),
        ("if a &lt; b:", "if a &gt; b:", "escapes", "if a < b:\n    pass\n", "if a > b:\n    pass\n"),
        ("x  =   f(1,  2)", "x = g(1)", "whitespace", "a; x = f(1, 2); b\n", "a; x = g(1); b\n"),
        (
            "def f(a):\n    first(a)\n    second(a, b)\n    return a",
            "def f():\n    return 1",
            "first and last line",
            "def f(a):\n    first(a)\n    second(a, c)\n    return a\n\nend\n",
            "def f():\n    return 1\n\nend\n",
        ),
    ],
)
async def test_a_forgiving_match_says_what_it_forgave(desk, old, new, strategy, before, after):
    desk.put("a.txt", before)
    result = await desk.call("edit", path="a.txt", old_text=old, new_text=new)
    assert desk.get("a.txt").decode() == after
    assert result.details["strategies"] == [strategy or "exact"]
    text = result.content[0].text
    assert (f"matched but for {strategy}" in text and "\n@@ " in text) if strategy else "matched" not in text


@pytest.mark.parametrize(
    ("old", "new", "before"),
    [
        # All indentation lost: nobody can say how deep the new lines belong.
        ("if x:\nrun()\n", "if y:\nstop()\n", "if x:\n    run()\n"),
        # The end of another word.
        ("at   home", "away", "chat home\n"),
        # First and last line are there, but what is between is something else.
        ("begin\nalpha beta\ngamma delta\nend", "x", "begin\n1234567890\n0987654321\nend\n"),
        # Too short to forgive anything.
        ("a  b", "c", "a b\n"),
        # What should become of the space at the ends can't be known.
        ("foo  bar  baz\n", "x", "foo bar baz end\n"),
    ],
)
async def test_what_is_not_safe_to_forgive_is_refused(desk, old, new, before):
    desk.put("a.txt", before)
    with pytest.raises(ToolError, match="not found; nothing was changed"):
        await desk.call("edit", path="a.txt", old_text=old, new_text=new)
    assert desk.get("a.txt").decode() == before


async def test_a_forgiving_match_in_several_places_is_refused_too(desk):
    desk.put("a.txt", "  one\n  two\n\n    one\n    two\n")
    with pytest.raises(ToolError, match="2 times, at lines 1, 4"):
        await desk.call("edit", path="a.txt", old_text="one\ntwo\n", new_text="x\n")
    said = await desk.say("edit", path="a.txt", old_text="one\ntwo\n", new_text="x\n", replace_all=True)
    assert "at 2 places" in said
    assert desk.get("a.txt") == b"  x\n\n    x\n"


async def test_a_block_with_far_more_in_it_is_refused(desk):
    filler = "".join(f"    keep {number}\n" for number in range(20))
    before = f"start here\n    one\n{filler}stop here\n"
    desk.put("a.txt", before)
    with pytest.raises(ToolError, match="nothing was changed"):
        await desk.call("edit", path="a.txt", old_text="start here\n    one\nstop here", new_text="x")
    assert desk.get("a.txt").decode() == before


async def test_a_match_swollen_by_spaces_is_refused(desk):
    before = f"alpha{' ' * 3_000}beta\n"
    desk.put("a.txt", before)
    with pytest.raises(ToolError, match="nothing was changed"):
        await desk.call("edit", path="a.txt", old_text="alpha beta", new_text="x")
    assert desk.get("a.txt").decode() == before


async def test_the_nearest_lines_are_shown_where_nothing_matches(desk):
    desk.put("a.py", PYTHON)
    with pytest.raises(ToolError) as refused:
        await desk.call("edit", path="a.py", old_text="    if item.is_free():\n        return None\n", new_text="x")
    assert "The nearest is at line 3" in str(refused.value)
    assert "     3\t        if item.free:" in str(refused.value)


async def test_a_file_like_nothing_asked_for_says_so(desk):
    desk.put("a.txt", "1\n2\n3\n")
    with pytest.raises(ToolError, match="Nothing in the file is like it"):
        await desk.call("edit", path="a.txt", old_text="completely different words", new_text="x")


async def test_a_new_file_is_made_with_an_empty_old_text(desk):
    assert await desk.say("edit", path="new/a.txt", new_text="one\n") == "Made new/a.txt (+1 -0)."
    assert desk.get("new/a.txt") == b"one\n"
    with pytest.raises(ToolError, match="old text is empty"):
        await desk.call("edit", path="new/a.txt", new_text="two\n")


async def test_a_missing_file_says_what_may_be_meant(desk):
    desk.put("settings.py", "x")
    with pytest.raises(Missing, match=r"Did you mean settings\.py"):
        await desk.call("edit", path="setings.py", old_text="x", new_text="y")
    assert list(desk.snapshot()) == ["settings.py"]


async def test_nothing_to_change_is_said(desk):
    desk.put("a.txt", "one\n")
    with pytest.raises(ToolError, match="the same"):
        await desk.call("edit", path="a.txt", old_text="one", new_text="one")


async def test_several_edits_are_made_in_order_or_not_at_all(desk):
    desk.put("a.txt", "one\ntwo\nthree\n")
    edits = [{"old_text": "one", "new_text": "1"}, {"old_text": "1\ntwo", "new_text": "1\n2"}]
    assert await desk.say("edit", path="a.txt", edits=edits) == "Edited a.txt (+2 -2)."
    assert desk.get("a.txt") == b"1\n2\nthree\n"
    with pytest.raises(ToolError, match="Edit 2 of 2: The old text was not found"):
        await desk.call("edit", path="a.txt", edits=[{"old_text": "three", "new_text": "3"}, edits[0]])
    assert desk.get("a.txt") == b"1\n2\nthree\n"


async def test_one_edit_or_several_but_not_both(desk):
    desk.put("a.txt", "one\n")
    with pytest.raises(ToolError, match="either"):
        await desk.call("edit", path="a.txt", old_text="one", edits=[{"old_text": "a", "new_text": "b"}])


async def test_a_file_changed_since_it_was_read_is_not_edited(desk):
    desk.put("a.txt", "one\ntwo\n")
    await desk.call("read", path="a.txt")
    desk.put("a.txt", "one\nTWO\n")
    with pytest.raises(ToolError, match=r"(?s)changed by another program.*-two\n\+TWO"):
        await desk.call("edit", path="a.txt", old_text="one", new_text="1")
    assert desk.get("a.txt") == b"one\nTWO\n"
    await desk.call("edit", path="a.txt", old_text="one", new_text="1")
    assert desk.get("a.txt") == b"1\nTWO\n"


async def test_binary_and_oversized_files_are_refused(tmp_path):
    desk = Desk(tmp_path, ToolLimits(edit_file_bytes=1_000))
    desk.put("a.bin", b"one\0two")
    desk.put("a.txt", "one" + " " * 1_000)
    for name, why in (("a.bin", "not text"), ("a.txt", "too large")):
        with pytest.raises(ToolError, match=why):
            await desk.call("edit", path=name, old_text="one", new_text="1")


async def test_a_link_is_edited_where_it_leads_and_stays_a_link(desk):
    desk.put("real.txt", "one")
    (desk.root / "link.txt").symlink_to("real.txt")
    await desk.call("edit", path="link.txt", old_text="one", new_text="two")
    assert desk.get("real.txt") == b"two"
    assert (desk.root / "link.txt").is_symlink()
    assert desk.asked == [("edit", "real.txt")]


async def test_secrets_and_refused_places_stay_as_they_are(desk, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    (other / "a.txt").write_text("one")
    desk.put(".env", "one")
    desk.denied = {"external_directory"}
    for path in (".env", str(other / "a.txt")):
        with pytest.raises(PermissionDenied):
            await desk.call("edit", path=path, old_text="one", new_text="two")
    assert (other / "a.txt").read_text() == "one"
    assert desk.get(".env") == b"one"


async def test_several_edits_of_a_large_file_touch_nothing_else(desk):
    lines = [f"line {number} of the large file" for number in range(250_000)]
    desk.put("big.txt", "\n".join(lines))
    chosen = range(1_000, 250_000, 24_900)
    edits = [{"old_text": f"line {number} of the", "new_text": "changed\nin a"} for number in chosen]
    await desk.call("edit", path="big.txt", edits=edits)
    for number in chosen:
        lines[number] = "changed\nin a large file"
    assert desk.get("big.txt").decode() == "\n".join(lines)
