"""Commands written as Markdown, and the prompts they make."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.definitions.commands import CommandFile, expand, find_commands
from toolpost.types.errors import ConfigError


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "project"


def write(folder, name, content):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


async def made(template, arguments="", files=()):
    ran = []

    async def shell(line):
        ran.append(line)
        return f"<{line}>"

    async def file(path):
        return f"content of {path}" if path in files else None

    return await expand(CommandFile("c", template), arguments, shell=shell, file=file), ran


@pytest.mark.parametrize(
    ("template", "arguments", "prompt"),
    [
        ("Fix $ARGUMENTS now", "the bug", "Fix the bug now"),
        ("From $2 to $1", "a 'b c'", "From b c to a"),
        ("Say $1$3.", "a", "Say a."),
        ("Review it", "", "Review it"),
        ("Review it", "all of it", "Review it\n\nall of it"),
        ("Costs $100", "", "Costs $100"),
        ("Say $ARGUMENTS", "$1 'open", "Say $1 'open"),
        ("Say $1", "don't stop", "Say don't"),
    ],
)
async def test_blanks_are_filled_with_what_was_typed(template, arguments, prompt):
    assert (await made(template, arguments))[0] == prompt


async def test_a_shell_command_is_replaced_by_what_it_prints():
    prompt, ran = await made("State:\n!`git status`\nand !`ls $1`!", "'a b'")
    assert ran == ["git status", "ls 'a b'"]
    assert prompt == "State:\n<git status>\nand <ls 'a b'>!"


async def test_arguments_can_neither_bring_a_command_nor_end_one():
    prompt, ran = await made("!`echo $1 $ARGUMENTS` $1", "'!`id`; rm -rf /' x")
    assert ran == ["echo '!`id`; rm -rf /' '!`id`; rm -rf /' x"]
    assert prompt.endswith("!`id`; rm -rf /")


async def test_files_that_are_named_stand_below_the_prompt_once():
    prompt, _ = await made(
        "Compare @src/a.py with @src/a.py, mail me@x.org @nobody", "@b.md.", files=("src/a.py", "b.md")
    )
    assert prompt == (
        "Compare @src/a.py with @src/a.py, mail me@x.org @nobody\n\n@b.md.\n\nsrc/a.py:\ncontent of src/a.py\n\n"
        "b.md:\ncontent of b.md"
    )


async def test_what_a_command_prints_is_not_read_again():
    async def shell(line):
        return "!`id` @secret $1"

    async def file(path):
        raise AssertionError(path)

    assert await expand(CommandFile("c", "!`x`"), "", shell=shell, file=file) == "!`id` @secret $1"


@given(st.text(max_size=60), st.text(max_size=30))
async def test_only_the_files_own_commands_ever_run(before, arguments):
    template = before.replace("!`", "") + "\n!`one` "
    _, ran = await made(template, arguments)
    assert ran == ["one"]


def test_commands_are_found_by_name_with_what_their_settings_say(project):
    write(project, ".claude/commands/git/fix.md", "---\ndescription: Fixes\nagent: build\nmodel: openai/x\n---\nFix")
    write(project, ".opencode/command/old.md", "Old")
    write(project, ".toolpost/commands/old.md", "New")
    write(project, ".toolpost/commands/empty.md", "---\ndescription: x\n---\n")
    write(project, ".toolpost/commands/9.md", "x")
    commands = find_commands(project, {}, trusted=True)
    assert commands.items["git:fix"] == CommandFile("git:fix", "Fix", "Fixes", "build", "openai/x", "project")
    assert commands.items["old"].template == "New"
    assert len(commands.warnings) == 2
    assert find_commands(project, {}, trusted=False).items == {}


@pytest.mark.parametrize(
    ("settings", "template", "arguments"),
    [
        ("", "Review it", [("arguments", False, False)]),
        ("", "Fix $ARGUMENTS", [("arguments", False, False)]),
        ("", "From $2 to @$1", [("arg1", True, True), ("arg2", True, False)]),
        ("arguments: [from, to]", "From $1 to $2", [("from", True, False), ("to", True, False)]),
        ("arguments: from to", "From $1 to $2", [("from", True, False), ("to", True, False)]),
        ("arguments:\n  - name: to\n    required: false", "To $1", [("to", False, False)]),
    ],
)
def test_a_command_says_what_it_can_be_called_with(project, settings, template, arguments):
    write(project, ".toolpost/commands/c.md", f"---\n{settings}\n---\n{template}")
    found = find_commands(project, {"HOME": str(project.parent)}, trusted=True)
    assert [(one.name, one.required, one.is_path) for one in found.items["c"].arguments] == arguments
    assert not found.warnings


@pytest.mark.parametrize("written", ["3", "[a, a]", "[{values: x}]", "{a: b}", "[a, 3]"])
def test_arguments_that_nobody_can_read_are_left_out_with_a_warning(project, written):
    write(project, ".toolpost/commands/c.md", f"---\narguments: {written}\n---\nTo $1")
    found = find_commands(project, {"HOME": str(project.parent)}, trusted=True)
    assert [one.name for one in found.items["c"].arguments] == ["arg1"]
    assert "`arguments`" in found.warnings[0]


@given(st.lists(st.text(min_size=1), min_size=2, max_size=2))
async def test_arguments_by_name_fill_the_blanks_of_their_places(values):
    command = CommandFile("c", "$1|$2")
    named = dict(zip(("arg1", "arg2"), values, strict=True))
    assert (await made("$1|$2", command.joined(named)))[0] == "|".join(values).strip()


@pytest.mark.parametrize(
    ("named", "why"), [({"arg1": "x"}, "c needs arg2"), ({"arg1": "", "arg2": "y"}, "c needs arg1")]
)
def test_a_command_without_what_it_needs_is_refused(named, why):
    with pytest.raises(ConfigError, match=why):
        CommandFile("c", "$1 $2").joined(named)
