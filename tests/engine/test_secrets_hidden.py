"""What a call gives out, to whoever watches, to the store and to the model, holds no secret of this process."""

import os
import sys

import msgspec
import pytest
from bench_play import bench, shown, states

from toolpost import Agent, Limits, ToolContext, ToolError, ToolResult, tool
from toolpost.models.openai_chat.model import OpenAIChat
from toolpost.plugins.hooks import Plugin
from toolpost.store.sqlite.store import SqliteStore
from toolpost.testing import ScriptedModel, Upstream, call, calls, http_error, text
from toolpost.tools.builtin import batch, question
from toolpost.tools.builtin.todos import make_todo_write
from toolpost.tools.jobs import BackgroundJob
from toolpost.tools.process import run_process
from toolpost.types.errors import ModelError
from toolpost.types.events import PermissionAsked, Question, QuestionAsked, ToolExecutionUpdate, event_encoder

KEY = "k7-Quite_unlike-any-known-key.9"
CODE = "import json, os, sys; sys.stdout.write(json.dumps(dict(os.environ)))"


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("ACME_API_KEY", KEY)
    monkeypatch.setenv("SAME_ELSEWHERE", f"https://h/?x={KEY}")


class Watched:
    """A session that keeps all that it publishes and stores."""

    def __init__(self, tmp_path) -> None:
        self.folder = tmp_path
        self.events = []

    async def run(self, tools, *turns, prompt="go", **more):
        file = self.folder / "toolpost.db"
        store = SqliteStore(file)
        with ScriptedModel(*turns) as model:
            agent = Agent(model, tools, store=store, folder=self.folder, **{"headless": "allow", **more})
            self.session = session = agent.session()
            session.subscribe(self.events.append)
            await session.run(prompt)
            await session.close()
        await store.close()
        self.published = b"\n".join(event_encoder.encode(event) for event in self.events).decode()
        self.stored = "".join(path.read_bytes().decode(errors="replace") for path in self.folder.glob("toolpost.db*"))
        self.requests = "".join(repr(msgspec.to_builtins(request.messages)) for request in model.requests[1:])

    @property
    def everything(self):
        return self.published + self.stored + self.requests

    @property
    def updates(self):
        return "".join(event.text for event in self.events if isinstance(event, ToolExecutionUpdate))


@pytest.fixture
def watched(tmp_path):
    return Watched(tmp_path)


async def test_a_child_process_has_no_secret_in_its_environment(watched):
    @tool
    async def environment(ctx: ToolContext) -> str:
        """Show a child's environment."""
        done = await run_process([sys.executable, "-I", "-c", CODE], ctx)
        return done.output.content[0].text

    await watched.run([environment], call("environment"), text("ok"))
    seen = msgspec.json.decode(shown(states(watched.session)[0]))
    assert seen["PATH"] == os.environ["PATH"]
    assert not {"ACME_API_KEY", "SAME_ELSEWHERE"} & seen.keys()


async def test_what_a_plugin_means_to_give_a_child_reaches_it(watched):
    class Giving(Plugin):
        name = "giving"

        async def shell_env(self, env):
            return {**env, "FOR_THE_CHILD": KEY}

    @tool
    async def length(ctx: ToolContext) -> str:
        """Tell how long the child's key is."""
        done = await run_process("printf %s ${#FOR_THE_CHILD}", ctx)
        return done.output.content[0].text

    await watched.run([length], call("length"), text("ok"), plugins=[Giving()])
    assert shown(states(watched.session)[0]) == str(len(KEY))


async def test_a_tool_that_tells_a_secret_tells_it_to_nobody(watched):
    @tool
    async def leak(ctx: ToolContext) -> ToolResult:
        """Tell the key in every way that there is."""
        ctx.update(f"working with {KEY}\n", {"key": KEY})
        return ToolResult([f"the key is {KEY}!"], {"deep": [{"key": KEY}], KEY: 1}, f"title {KEY}")

    await watched.run([leak], call("leak"), text("ok"))
    assert KEY not in watched.everything
    assert shown(states(watched.session)[0]) == "the key is ***!"
    assert watched.updates == "working with ***\n"
    for place in (watched.requests, watched.published, watched.stored):
        assert "the key is ***!" in place


@pytest.mark.parametrize("kind", [ToolError, ValueError])
async def test_an_error_does_not_tell_it_either(watched, kind):
    @tool
    async def fails() -> str:
        """Fail."""
        raise kind(f"401 for {KEY}")

    await watched.run([fails], call("fails"), text("ok"))
    assert KEY not in watched.everything
    assert "401 for ***" in shown(states(watched.session)[0])


async def test_updates_cut_anywhere_show_no_piece_of_it(watched):
    said = f"a {KEY} b {KEY}{KEY[:9]}"

    @tool
    async def drips(ctx: ToolContext, size: int) -> str:
        """Say it in pieces."""
        for start in range(0, len(said), size):
            ctx.update(said[start : start + size])
        return "done"

    turns = [call("drips", {"size": size}) for size in range(1, len(said))]
    await watched.run([drips], *turns, text("ok"), limits=Limits(max_steps=200))
    assert watched.updates == f"a *** b ***{KEY[:9]}" * (len(said) - 1)


async def test_output_of_a_child_is_hidden_before_it_is_cut_or_kept(watched):
    @tool
    async def flood(ctx: ToolContext) -> str:
        """Print it again and again, a little at a time, so that every limit and every read cuts some of it."""
        code = "import sys\nfor n in range(40_000): sys.stdout.write(sys.argv[1]); n % 97 or sys.stdout.flush()"
        done = await run_process([sys.executable, "-I", "-c", code, KEY], ctx, spill=watched.folder / "outputs")
        assert done.output.truncated
        return done.output.content[0].text

    await watched.run([flood], call("flood"), text("ok"), limits=Limits(tool_timeout=60))
    spilled = "".join(path.read_text() for path in (watched.folder / "outputs").rglob("*.txt"))
    assert spilled == "***" * 40_000
    seen = watched.everything.replace("ACME_API_KEY", "")
    assert not any(piece in seen for piece in (KEY[:12], KEY[-12:], KEY[8:20]))


async def test_output_of_a_job_is_hidden_however_often_it_is_read():
    job, seen = BackgroundJob("job_1", "ses", "cmd", "", keep=10_000), b""
    for byte in f"a {KEY} b {KEY[:5]}".encode():
        job.take(bytes([byte]))
        seen += job.read()[0]
    job.finish()
    assert seen + job.read()[0] == f"a *** b {KEY[:5]}".encode()


async def test_a_long_result_is_hidden_before_it_is_cut(watched):
    @tool
    async def long() -> str:
        """Give much of it."""
        return KEY * 20_000

    await watched.run([long], call("long"), text("ok"))
    assert KEY[:12] not in watched.everything
    assert KEY[-12:] not in watched.everything


async def test_arguments_with_a_secret_work_and_are_hidden_wherever_they_are_told(watched):
    seen, meanwhile = [], []

    @tool
    async def use(key: str, ctx: ToolContext) -> str:
        """Use a key."""
        seen.append(key)
        meanwhile.append(states(watched.session)[0].arguments)
        return "used"

    asked = []

    async def on_ask(ask: PermissionAsked):
        asked.append(ask)
        return "once"

    turn = call("use", {"key": f"Bearer {KEY}"}, chunk=5)
    await watched.run([use], turn, text("ok"), on_ask=on_ask, permissions={"use": "ask"})
    assert seen == [f"Bearer {KEY}"]
    assert KEY not in watched.everything
    assert asked[0].details == {"arguments": {"key": "Bearer ***"}}
    assert [*meanwhile, states(watched.session)[0].arguments] == [{"key": "Bearer ***"}] * 2


async def test_what_built_in_tools_pass_on_is_hidden_too(watched):
    """`batch` makes calls of its own, and `todo_write` keeps what it is given with the session."""
    tools = [batch.make(bench(watched.folder)), make_todo_write(bench(watched.folder))]
    todos = {"todos": [{"content": f"use {KEY}"}]}
    await watched.run(tools, call("batch", {"calls": [{"tool": "todo_write", "arguments": todos}]}), text("ok"))
    assert KEY not in watched.everything
    assert watched.session.info.metadata["todos"][0]["content"] == "use ***"


async def test_always_saves_no_approval_that_holds_a_secret(watched, monkeypatch):
    @tool(patterns=lambda arguments: [arguments["key"]])
    async def use(key: str) -> str:
        """Use a key."""
        return "used"

    asked = []

    async def on_ask(ask: PermissionAsked):
        asked.append(ask)
        return "always"

    monkeypatch.setenv("ODD_PASSWORD", odd := "with*stars?and[more]")
    turns = [call("use", {"key": value}) for value in (KEY, odd, "***", KEY, "plain")]
    await watched.run([use], *turns, text("ok"), on_ask=on_ask, permissions={"use": "ask"})
    assert [(ask.patterns, ask.always) for ask in asked] == [
        (("***",), ()),
        (("***",), ()),
        (("***",), ("???",)),
        (("***",), ()),
        (("plain",), ("plain",)),
    ]
    assert KEY not in watched.everything


async def test_a_call_that_is_never_whole_keeps_no_secret(watched):
    broken = call("use", f'{{"key": "{KEY}", ', chunk=4)

    @tool
    async def use(key: str) -> str:
        """Use a key."""
        return "used"

    await watched.run([use], broken, text("ok"))
    assert KEY not in watched.everything
    assert states(watched.session)[0].status == "error"


async def test_a_person_who_is_asked_about_repetition_is_shown_no_secret(watched):
    asked = []

    @tool
    async def use(key: str) -> str:
        """Use a key."""
        return "used"

    async def on_ask(ask: PermissionAsked):
        asked.append(ask.details)
        return "once"

    broken = [call("use", f'{{"key": "{KEY}", ') for _ in range(3)]
    whole = [call("use", {"key": KEY}) for _ in range(3)]
    await watched.run([use], *broken, *whole, text("ok"), on_ask=on_ask)
    assert KEY not in watched.everything
    assert asked == [{"written": '{"key": "***", '}, {"arguments": {"key": "***"}}]


async def test_a_question_to_a_person_holds_no_secret(watched):
    asked = []

    async def on_question(ask: QuestionAsked):
        asked.extend((*ask.questions, *watched.session.open_asks[0].questions))
        return ["***"]

    questions = {"questions": [{"question": f"Is it {KEY}?", "options": [KEY, "no"]}]}
    tools = [question.make(bench(watched.folder))]
    await watched.run(tools, call("question", questions), text("ok"), on_question=on_question)
    assert KEY not in watched.everything
    assert asked == [Question("Is it ***?", ("***", "no"))] * 2


async def test_a_key_that_a_tool_reads_while_it_runs_is_hidden_in_its_own_result(watched, monkeypatch):
    other = "read-from-a-file-4711"

    @tool
    async def load() -> str:
        """Put a key into the environment, as libraries do."""
        monkeypatch.setenv("LATE_TOKEN", other)
        return f"loaded {other}"

    await watched.run([load], call("load"), text("ok"))
    assert other not in watched.everything


async def test_what_a_plugin_adds_to_a_result_is_looked_at_too(watched):
    class Adding(Plugin):
        name = "adding"

        async def tool_execute_after(self, result):
            return msgspec.structs.replace(result, content=(*result.content, *ToolResult([KEY]).content))

    @tool
    async def plain() -> str:
        """Say something."""
        return "something"

    await watched.run([plain], calls(call("plain"), call("plain")), text("ok"), plugins=[Adding()])
    assert KEY not in watched.everything


async def test_the_users_own_words_stay_as_they_are(watched):
    await watched.run([], text("ok"), prompt=f"my key is {KEY}")
    assert watched.session.messages[0].text == f"my key is {KEY}"


async def test_a_server_that_names_the_key_in_its_refusal_does_not_get_it_stored(tmp_path):
    store = SqliteStore(tmp_path / "toolpost.db")
    events = []
    async with Upstream(http_error(401, f"invalid key: {KEY}")) as up:
        model = OpenAIChat("m", provider="acme", base_url=up.base_url, api_key=KEY)
        session = Agent(model, store=store).session()
        session.subscribe(events.append)
        with pytest.raises(ModelError) as raised:
            await session.run("go")
        await session.close()
    await store.close()
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("toolpost.db*"))
    assert "invalid key: ***" in str(raised.value)
    assert KEY.encode() not in stored + b"".join(map(event_encoder.encode, events))
