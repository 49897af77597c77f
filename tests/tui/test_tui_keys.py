"""The table of keys, and what the configuration changes in it."""

import tomllib
from typing import ClassVar

import pytest
from textual.app import App
from textual.binding import Binding

from toolpost.tui.keys import ACTIONS, AREAS, bind, load_keys, shown_key
from toolpost.types.errors import ConfigError
from toolpost.view.words import words


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_action_has_a_key_and_a_help(language):
    for name, action in ACTIONS.items():
        assert action.keys, name
        assert words(f"keys.{name}", language)
    for area in AREAS:
        assert words(f"area.{area}", language)


def test_no_two_actions_of_an_area_have_the_same_key():
    seen = {}
    for name, action in ACTIONS.items():
        for key in action.keys:
            assert seen.setdefault((action.area, key), name) == name


def test_keys_are_written_as_people_write_them():
    keys = load_keys(
        {"app.palette": ["Ctrl-K", "alt+?"], "app.help": "F12", "diff.close": "Esc", "diff.last": "Shift+G"}
    )
    assert keys.keys_of("app.palette") == ("ctrl+k", "alt+question_mark")
    assert keys.keys_of("app.help") == ("f12",)
    assert keys.keys_of("diff.close") == ("escape",)
    assert keys.keys_of("diff.last") == ("G",)
    assert keys.keys_of("app.quit") == ACTIONS["app.quit"].keys


@pytest.mark.parametrize(
    ("key", "name"), [("+", "plus"), ("-", "minus"), ("ctrl+-", "ctrl+minus"), ("ctrl++", "ctrl+plus"), ("/", "slash")]
)
def test_signs_are_keys_too(key, name):
    assert load_keys({"diff.layout": key}).keys_of("diff.layout") == (name,)


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ("ctrl+k", "Ctrl+K"),
        ("escape", "Esc"),
        ("slash", "/"),
        ("G", "G"),
        ("f3", "F3"),
        ("shift+tab", "Shift+Tab"),
        ("space", "Space"),
    ],
)
def test_keys_are_shown_as_people_read_them(key, shown):
    assert shown_key(key) == shown


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"app.palete": "f2"}, "app.palete. Did you mean app.palette?"),
        ({"palette": "f2"}, "Did you mean app.palette?"),
        ({"app.help": "pagdown"}, "pagdown, given for app.help, is no key. Did you mean pagedown?"),
        ({"app.help": "crtl+k"}, "crtl+k, given for app.help, is no key. Did you mean ctrl+k?"),
        ({"app.help": "ctrl+"}, "is no key"),
        ({"app.help": True}, "True, given for app.help, is no key"),
        ({"zzz": "f2"}, "Help lists the actions"),
    ],
)
def test_an_unknown_action_or_key_is_told_with_the_nearest(given, said):
    with pytest.raises(ConfigError, match=r"\[keys\]") as failure:
        load_keys(given)
    assert said in str(failure.value)


def test_an_unknown_action_is_told_in_chinese():
    with pytest.raises(ConfigError, match="是否想写"):
        load_keys({"app.palete": "f2"}, "zh")


def test_a_key_that_is_given_away_is_taken_from_its_action_and_that_is_told():
    keys = load_keys({"ask.once": "n"})
    assert keys.keys_of("ask.once") == ("n",)
    assert keys.keys_of("ask.deny") == ()
    assert keys.conflicts == ("[keys]: n belongs to ask.once, so ask.deny does not have it.",)


def test_two_actions_may_change_their_keys():
    keys = load_keys({"ask.once": "n", "ask.deny": "y"})
    assert (keys.keys_of("ask.once"), keys.keys_of("ask.deny")) == (("n",), ("y",))
    assert keys.conflicts == ()


def test_of_two_that_are_given_the_same_key_the_first_gets_it():
    keys = load_keys({"ask.once": "x", "ask.deny": "x"})
    assert (keys.keys_of("ask.once"), keys.keys_of("ask.deny")) == (("x",), ())
    assert len(keys.conflicts) == 1


def test_a_key_for_everywhere_is_taken_in_every_area():
    keys = load_keys({"app.palette": "f"})
    assert keys.keys_of("ask.full_screen") == ()
    assert "ask.full_screen" in keys.conflicts[0]


def test_names_may_be_tables_as_in_toml():
    keys = load_keys(tomllib.loads('app.help = "f12"\n[diff]\nclose = ["x", "esc"]\n'))
    assert (keys.keys_of("app.help"), keys.keys_of("diff.close")) == (("f12",), ("x", "escape"))


def test_areas_may_share_a_key():
    assert load_keys({"ask.once": "c"}).conflicts == ()


def test_an_action_may_be_left_without_a_key():
    assert load_keys({"app.suspend": "", "app.quit": []}).keys_of("app.suspend") == ()


class TwoKeys(App[None]):
    BINDINGS: ClassVar = [bind("ask.once", "say('once')"), bind("ask.deny", "say('deny')"), Binding("z", "say('z')")]

    def __init__(self, keys):
        super().__init__()
        self.said = []
        self.set_keymap(keys.for_textual)

    def action_say(self, what):
        self.said.append(what)


@pytest.mark.parametrize(
    ("given", "pressed", "said"),
    [
        ({}, "yn", ["once", "deny"]),
        ({"ask.once": "n", "ask.deny": "y"}, "yn", ["deny", "once"]),
        ({"ask.once": "n"}, "yn", ["once"]),
        ({"ask.once": ["j", "k"]}, "jkyn", ["once", "once", "deny"]),
        ({"ask.deny": ""}, "ynz", ["once", "z"]),
    ],
)
async def test_the_keys_are_those_of_the_widgets(given, pressed, said):
    app = TwoKeys(load_keys(given))
    async with app.run_test() as pilot:
        await pilot.press(*pressed)
        assert app.said == said
