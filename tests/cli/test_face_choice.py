"""Which face the chat takes: what was asked for, or what the terminal can show."""

import pytest

from toolpost.cli.chat import face_choice
from toolpost.cli.chat.face_choice import choose_face
from toolpost.config.schema import Config


@pytest.mark.parametrize(
    ("wanted", "term", "columns", "lines", "face"),
    [
        pytest.param("auto", "xterm-256color", 80, 24, "full", id="a usual terminal"),
        pytest.param("auto", "xterm-256color", 40, 12, "full", id="just large enough"),
        pytest.param("auto", "xterm-256color", 39, 24, "inline", id="too narrow"),
        pytest.param("auto", "xterm-256color", 80, 11, "inline", id="too low"),
        pytest.param("auto", "dumb", 80, 24, "plain", id="a dumb terminal"),
        pytest.param("auto", "", 80, 24, "plain", id="nothing is known of it"),
        pytest.param("full", "dumb", 20, 5, "full", id="asked for"),
        pytest.param("plain", "xterm-256color", 80, 24, "plain", id="plain text asked for"),
    ],
)
def test_auto_takes_what_the_terminal_can_show(monkeypatch, wanted, term, columns, lines, face):
    monkeypatch.setattr(face_choice, "has_full_screen", lambda: True)
    assert choose_face(wanted, term=term, columns=columns, lines=lines) == face


def test_without_the_full_screen_it_is_line_by_line(monkeypatch):
    monkeypatch.setattr(face_choice, "has_full_screen", lambda: False)
    assert choose_face("auto", term="xterm", columns=80, lines=24) == "inline"


def test_the_setting_is_auto():
    assert Config().tui == "auto"
