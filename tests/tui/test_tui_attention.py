"""What reaches the terminal outside of the screen: notifications, title, clipboard, its background colour."""

import base64
import os
import pty

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.tui.attention import Attention, clipboard_sequence
from toolpost.tui.terminal_background import ask_background, read_color


def written(notify="auto", *, has_focus=False, text="Allow bash?", **environ):
    pieces = []
    attention = Attention(pieces.append, notify, environ)
    attention.has_focus = has_focus
    attention.call("Toolpost", text)
    return "".join(pieces)


def test_who_looks_at_the_window_is_not_called():
    assert written(has_focus=True) == ""


def test_a_bell_and_a_notification_call_who_is_elsewhere():
    assert written() == "\x07\x1b]9;Toolpost: Allow bash?\x07"
    assert written("bell") == "\x07"
    assert written("off") == ""


def test_each_terminal_gets_the_notification_that_it_knows():
    assert "\x1b]99;" in written(TERM="xterm-kitty")
    assert "\x1b]777;notify;Toolpost;Allow bash?" in written(TERM="rxvt-unicode")
    assert written(TMUX="/tmp/tmux").startswith("\x07\x1bPtmux;\x1b\x1b]9;")


@given(st.text())
def test_no_text_gets_out_of_its_sequence(text):
    said = written(text=text, TERM="rxvt-unicode").removeprefix("\x07\x1b]777;notify;Toolpost;").removesuffix("\x07")
    assert not any(ord(char) < 0x20 or 0x7F <= ord(char) < 0xA0 for char in said)
    assert ";" not in said


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"])))
def test_the_clipboard_gets_the_text_also_through_tmux(text):
    encoded = base64.b64encode(text.encode()).decode()
    assert clipboard_sequence(text, {}) == f"\x1b]52;c;{encoded}\x07"
    assert clipboard_sequence(text, {"TMUX": "x"}) == (
        f"\x1b]52;c;{encoded}\x07\x1bPtmux;\x1b\x1b]52;c;{encoded}\x07\x1b\\"
    )


@pytest.mark.parametrize(
    ("answer", "color"),
    [
        (b"\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?62c", (255, 255, 255)),
        (b"\x1b]11;rgb:1e1e/1e1e/2e2e\x07", (30, 30, 46)),
        (b"\x1b]11;rgb:f/0/8\x07", (255, 0, 136)),
        (b"\x1b]11;rgba:0000/0000/0000/ffff\x07", (0, 0, 0)),
        (b"\x1b[?62;22c", None),
        (b"", None),
    ],
)
def test_the_background_is_read_from_the_answer_of_a_terminal(answer, color):
    assert read_color(answer) == color


def answered(answer):
    """What a process on a terminal of its own, which answers so, takes for its background."""
    pid, terminal = pty.fork()
    if pid == 0:
        color = ask_background(20.0 if answer else 0.05)
        os.write(1, f"<{color}>".encode())
        os._exit(0)
    said = b""
    while b">" not in said:
        said += os.read(terminal, 1024)
        if b"\x1b[c" in said and answer:
            os.write(terminal, answer)
            answer = b""
    os.waitpid(pid, 0)
    os.close(terminal)
    return said[said.index(b"<") :].decode()


@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_terminal_is_asked_and_one_that_is_silent_is_not_waited_for():
    assert answered(b"\x1b]11;rgb:ffff/ffff/ffff\x07\x1b[?62c") == "<(255, 255, 255)>"
    assert answered(b"\x1b[?62c") == "<None>"
    assert answered(b"") == "<None>"
