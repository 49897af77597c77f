"""Every hook fires, in order, within its time; gates fail closed and watchers fail open."""

import asyncio
import threading
from typing import ClassVar

import pytest
from msgspec import structs

from toolpost import Agent, ConfigError, Limits, Plugin, Rule, Tool, ToolContext, ToolError, ToolpostError, tool
from toolpost.plugins.hooks import Command
from toolpost.testing import ScriptedModel, call, text, turn
from toolpost.types.messages import TextPart, Usage


@tool
async def echo(word: str) -> str:
    """Say a word."""
    return word


def result_of(session):
    state = session.messages[1].calls[0].state
    return state.content[0].text if state.status == "completed" else state.message


async def run_with(*plugins, turns=None, tools=(echo,), **arguments):
    model = ScriptedModel(*(turns or (call("echo", {"word": "hi"}), text("ok"))))
    session = Agent(model, tools, plugins=plugins, **arguments).session()
    await session.run("go")
    return session, model


async def test_tool_execute_before_can_change_the_arguments():
    class Shout(Plugin):
        async def tool_execute_before(self, call):
            return structs.replace(call, arguments={"word": call.arguments["word"].upper()})

    session, _ = await run_with(Shout())
    assert result_of(session) == "HI"


async def test_changed_arguments_are_checked_like_the_model_s_own():
    class Break(Plugin):
        async def tool_execute_before(self, call):
            return structs.replace(call, arguments={})

    session, _ = await run_with(Break())
    assert session.messages[1].calls[0].state.kind == "invalid"


async def test_tool_execute_before_can_refuse_a_call():
    class Refuse(Plugin):
        async def tool_execute_before(self, call):
            raise ToolError("not on a Sunday")

    session, _ = await run_with(Refuse())
    assert result_of(session) == "not on a Sunday"


async def test_tool_execute_after_can_change_the_result():
    class Censor(Plugin):
        async def tool_execute_after(self, result):
            return structs.replace(result, content=(TextPart("***"),))

    session, _ = await run_with(Censor())
    assert result_of(session) == "***"


async def test_chat_params_changes_the_options():
    class Cold(Plugin):
        async def chat_params(self, params):
            return structs.replace(params, options={**params.options, "temperature": 0})

    _, model = await run_with(Cold(), options={"temperature": 1, "seed": 1})
    assert model.requests[0].options == {"temperature": 0, "seed": 1}


async def test_chat_system_transform_changes_the_system_prompt():
    class Polite(Plugin):
        async def chat_system_transform(self, system):
            return structs.replace(system, body="Be polite.")

    _, model = await run_with(Polite(), system="You help.")
    assert model.requests[0].system == ("You help.", "Be polite.")


async def test_chat_message_changes_the_prompt_before_it_is_stored():
    class Translate(Plugin):
        async def chat_message(self, prompt):
            return structs.replace(prompt, text=f"{prompt.text} (please)")

    session, _ = await run_with(Translate())
    assert session.messages[0].text == "go (please)"


async def test_chat_message_can_refuse_the_prompt():
    class Refuse(Plugin):
        name = "bouncer"

        async def chat_message(self, prompt):
            raise ValueError("not allowed in here")

    with pytest.raises(ToolpostError, match="bouncer"):
        await Agent(ScriptedModel(), plugins=[Refuse()]).run("go")


@pytest.mark.parametrize(("answer", "expected"), [("allow", "hi"), ("deny", "denied"), (None, "needs approval")])
async def test_permission_ask_answers_in_a_person_s_place(answer, expected):
    class Decide(Plugin):
        async def permission_ask(self, ask):
            assert ask.permission == "echo"
            return answer

    session, _ = await run_with(Decide(), permissions={"*": "ask"})
    assert expected in result_of(session)


async def test_permission_ask_is_not_asked_about_a_deny():
    class Allow(Plugin):
        async def permission_ask(self, ask):
            return "allow"

    session, _ = await run_with(Allow(), permissions={"echo": {"*": "allow", "*hi*": "deny"}})
    assert session.messages[1].calls[0].state.kind == "denied"


async def test_event_sees_every_event():
    class Watch(Plugin):
        def __init__(self):
            self.seen = []

        async def event(self, event):
            self.seen.append(event.type)

    watch = Watch()
    session, _ = await run_with(watch)
    await session.close()
    assert watch.seen[0] == "run_start"
    assert watch.seen[-1] == "settled"


async def test_compaction_changes_what_the_model_is_told():
    class Keep(Plugin):
        async def compaction(self, hook):
            return structs.replace(hook, instructions=f"{hook.instructions} Keep all ticket numbers.")

    turns = (turn(call("echo", {"word": "hi"}), usage=Usage(3_900, 1)), text("SUMMARY"), text("ok"))
    model = ScriptedModel(*turns, context_window=4_000)
    await Agent(model, [echo], plugins=[Keep()]).run("go")
    assert "Keep all ticket numbers." in model.requests[1].messages[0].text


async def test_shell_env_changes_what_child_processes_get():
    class Path(Plugin):
        async def shell_env(self, env):
            return {**env, "GREETING": "hello"}

    @tool
    async def greeting(ctx: ToolContext) -> str:
        """Tell the greeting."""
        from toolpost.tools.process import run_process

        done = await run_process('echo "$GREETING"', ctx)
        return done.output.content[0].text.strip()

    session, _ = await run_with(Path(), turns=(call("greeting"), text("ok")), tools=(greeting,))
    assert result_of(session) == "hello"


async def test_child_processes_get_no_secret_of_ours(monkeypatch):
    monkeypatch.setenv("ACME_API_KEY", "sk-very-secret")

    @tool
    async def environment(ctx: ToolContext) -> str:
        """Tell the environment."""
        from toolpost import run_process

        return (await run_process("env", ctx)).output.content[0].text

    session, _ = await run_with(turns=(call("environment"), text("ok")), tools=(environment,))
    assert "PATH=" in result_of(session)
    assert "sk-very-secret" not in result_of(session)


async def test_plugins_run_in_the_order_in_which_they_are_given():
    def appending(letter):
        class Append(Plugin):
            async def tool_execute_before(self, call):
                return structs.replace(call, arguments={"word": call.arguments["word"] + letter})

        return Append()

    session, _ = await run_with(appending("a"), appending("b"))
    assert result_of(session) == "hiab"


@pytest.mark.parametrize("hook", ["tool_execute_before", "tool_execute_after"])
@pytest.mark.parametrize("failure", ["raises", "hangs"])
async def test_a_gate_that_fails_is_closed(hook, failure):
    async def fail(self, value):
        if failure == "raises":
            raise RuntimeError("boom")
        await asyncio.Event().wait()

    broken = type("Broken", (Plugin,), {hook: fail, "name": "broken"})()
    session, _ = await run_with(broken, limits=Limits(hook_timeout=0.05))
    state = session.messages[1].calls[0].state
    assert state.status == "error"
    assert "broken" in state.message


async def test_a_permission_hook_that_fails_denies():
    class Broken(Plugin):
        async def permission_ask(self, ask):
            raise RuntimeError("boom")

    session, _ = await run_with(Broken(), permissions={"*": "ask"}, headless="allow")
    assert session.messages[1].calls[0].state.kind == "denied"


async def test_a_params_hook_that_fails_ends_the_run_with_its_name():
    class Broken(Plugin):
        name = "paranoid"

        async def chat_params(self, params):
            raise RuntimeError("boom")

    with pytest.raises(ToolpostError, match="paranoid"):
        await Agent(ScriptedModel(), plugins=[Broken()]).run("go")


async def test_a_watcher_that_fails_changes_nothing():
    class Broken(Plugin):
        async def event(self, event):
            raise RuntimeError("boom")

        async def compaction(self, hook):
            raise RuntimeError("boom")

    session, _ = await run_with(Broken())
    assert result_of(session) == "hi"
    await session.close()


async def test_a_plugin_adds_tools_models_commands_and_rules():
    async def answer(arguments, ctx):
        return "from the plugin"

    class Extra(Plugin):
        name = "extra"

        def tools(self):
            schema = {"type": "object", "properties": {}}
            return [Tool("extra_tool", "Extra", "An extra tool.", schema, answer)]

        def models(self):
            return {"acme": lambda name: ScriptedModel(call("extra_tool"), text(f"I am {name}"))}

        def commands(self):
            return {"review": Command("Review the changes", "Review: $ARGUMENTS")}

        def rules(self):
            return [Rule("extra_tool", "*", "allow", "plugin extra")]

    session = Agent("acme/large", plugins=[Extra()]).session()
    assert (await session.run("go")).text == "I am large"
    assert result_of(session) == "from the plugin"


async def test_the_user_s_rules_are_stronger_than_a_plugin_s():
    class Generous(Plugin):
        def rules(self):
            return [Rule("*", "*", "allow", "plugin")]

    _, model = await run_with(Generous(), turns=(text("ok"),), permissions={"echo": "deny"})
    assert model.requests[0].tools == ()


@pytest.mark.parametrize(
    "hook", ["tool_execute_before", "tool_execute_after", "chat_params", "chat_system_transform", "chat_message"]
)
async def test_a_hook_that_gives_back_something_else_ends_the_run_with_its_name(hook):
    async def wrong(self, value):
        return {"word": "x"}

    plugin = type("Wrong", (Plugin,), {hook: wrong, "name": "wrong"})()
    with pytest.raises(ConfigError, match=f"plugin wrong: {hook} returned .* or None to leave it"):
        await run_with(plugin)


async def test_a_wrong_environment_ends_the_run_though_the_tool_catches_what_it_gets():
    class Wrong(Plugin):
        name = "wrong"

        async def shell_env(self, env):
            return ["PATH"]

    @tool
    async def careful(ctx: ToolContext) -> str:
        """Go on whatever happens."""
        try:
            await ctx.environment()
        except Exception:
            return "went on"
        return "fine"

    with pytest.raises(ConfigError, match="plugin wrong: shell_env returned"):
        await run_with(Wrong(), turns=(call("careful"),), tools=(careful,))


async def test_a_sync_hook_runs_in_a_thread():
    threads = []

    class Shout(Plugin):
        def tool_execute_before(self, call):
            threads.append(threading.current_thread())
            return structs.replace(call, arguments={"word": call.arguments["word"].upper()})

        def chat_params(self, params):
            return structs.replace(params, options={"seed": 7})

        def permission_ask(self, ask):
            return "allow"

    session, model = await run_with(Shout(), permissions={"*": "ask"})
    assert result_of(session) == "HI"
    assert model.requests[0].options == {"seed": 7}
    assert threading.main_thread() not in threads


async def test_a_sync_hook_that_hangs_is_left_behind_and_its_gate_is_closed():
    release = threading.Event()

    class Hang(Plugin):
        name = "hang"

        def tool_execute_before(self, call):
            release.wait(60)

    session, _ = await run_with(Hang(), limits=Limits(hook_timeout=0.05))
    release.set()
    assert "plugin hang: tool_execute_before took longer than 0.05 s" in result_of(session)


async def test_a_sync_event_hook_hears_all_before_the_run_returns():
    class Watch(Plugin):
        seen: ClassVar[list[str]] = []

        def event(self, event):
            self.seen.append(event.type)

    await run_with(Watch())
    assert (Watch.seen[0], Watch.seen[-1]) == ("run_start", "settled")


async def test_a_hook_given_to_one_object_counts():
    plugin = Plugin()
    plugin.tool_execute_before = lambda call: structs.replace(call, arguments={"word": "mine"})
    session, _ = await run_with(plugin)
    assert result_of(session) == "mine"


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("tool_execute_befor", "tool_execute_before"),
        ("toolExecuteAfter", "tool_execute_after"),
        ("on_chat_params", "chat_params"),
        ("permission_asked", "permission_ask"),
        ("events", "event"),
        ("tool", "tools"),
    ],
)
def test_a_misspelt_hook_is_an_error_when_the_class_is_made(name, meant):
    with pytest.raises(ConfigError, match=rf"{name} of the plugin Misspelt is not a hook.*did you mean {meant}\?"):
        type("Misspelt", (Plugin,), {name: lambda self, value: None})


def test_methods_of_a_plugin_s_own_are_its_own():
    class Own(Plugin):
        limit = 3

        def __init__(self) -> None: ...
        def _events(self) -> None: ...
        def count_words(self, text): ...

    assert Own().limit == 3


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("tool_execute_before", lambda self: None, "is called with .self, value., but .*lambda.* can't be"),
        ("event", lambda self, event, more: None, "is called with .self, value."),
        ("rules", lambda self, more: (), "is called with .self., but"),
        ("chat_params", 3, "chat_params of the plugin Wrong is 3 .int.: give a function"),
    ],
)
def test_a_hook_with_the_wrong_parameters_is_an_error_when_the_class_is_made(name, value, said):
    with pytest.raises(ConfigError, match=said):
        type("Wrong", (Plugin,), {name: value})


@pytest.mark.parametrize("given", [None, {"echo": "deny"}, ["echo"], "echo"])
def test_rules_of_a_plugin_that_are_none_are_an_error(given):
    class Wrong(Plugin):
        name = "wrong"

        def rules(self):
            return given

    with pytest.raises(ConfigError, match=r"plugin wrong: rules\(\) gave .*: return a list of Rule"):
        Agent(ScriptedModel(), plugins=[Wrong()])


async def test_a_sync_hook_that_fails_is_closed_too():
    class Plain(Plugin):
        name = "plain"

        def tool_execute_before(self, call):
            raise RuntimeError("boom")

    session, _ = await run_with(Plain())
    assert "plugin plain: tool_execute_before failed: boom" in result_of(session)


async def test_content_given_as_plain_text_by_a_hook_is_content():
    class Censor(Plugin):
        async def tool_execute_after(self, result):
            return structs.replace(result, content="hidden", details={"why": object()})

    session, _ = await run_with(Censor())
    assert result_of(session) == "hidden"
