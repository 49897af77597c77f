"""The prompts of commands, made in a session."""

from pathlib import Path

from gateway_play import write
from resource_play import message_of, people

COMMAND = "---\nagent: plan\nmodel: up/other\n---\nReview $1, it is @notes.txt"
SHELL = "Say: !`echo $ARGUMENTS`"


async def test_a_command_becomes_its_prompt_with_its_files(folder: Path) -> None:
    write(folder / ".toolpost" / "commands" / "review.md", COMMAND)
    write(folder / "notes.txt", "remember the milk")
    async with people(folder) as every:
        session = await every.ann.session()
        told = await every.ann.post(f"/api/sessions/{session}/commands", name="review", arguments="main.py")
        unknown = await every.ann.post(f"/api/sessions/{session}/commands", name="revew", status=400)
        await every.bob.post(f"/api/sessions/{session}/commands", name="review", status=404)
    assert told["prompt"].startswith("Review main.py, it is @notes.txt\n\nnotes.txt:\n")
    assert "remember the milk" in told["prompt"]
    assert (told["agent"], told["model"]) == ("plan", "up/other")
    assert "did you mean review?" in message_of(unknown)


async def test_a_shell_command_in_it_runs_under_the_rules_of_the_session(folder: Path) -> None:
    write(folder / ".toolpost" / "commands" / "say.md", SHELL)
    rules = '[permissions.bash]\n"*" = "deny"\n"echo *" = "allow"\n'
    async with people(folder, config=rules) as every:
        session = await every.ann.session()
        told = await every.ann.post(f"/api/sessions/{session}/commands", name="say", arguments="hi; id")
    assert "hi; id" in told["prompt"]


async def test_a_command_that_may_not_run_is_refused(folder: Path) -> None:
    write(folder / ".toolpost" / "commands" / "say.md", SHELL)
    async with people(folder, config='[permissions]\nbash = "deny"\n') as every:
        session = await every.ann.session()
        told = await every.ann.post(f"/api/sessions/{session}/commands", name="say", status=400)
    assert "!`echo" in message_of(told)
