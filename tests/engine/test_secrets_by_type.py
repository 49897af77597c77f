"""Every text that an event, a part or a recorded exchange can hold: hidden where it holds a secret, or left as said."""

from typing import get_args

import msgspec
import pytest
from bench_play import bench

from toolpost import Agent, Limits, ModelError, ToolContext, ToolError, ToolResult, tool
from toolpost.guard.word_sets import names
from toolpost.models.openai_chat.model import OpenAIChat
from toolpost.plugins.hooks import Plugin
from toolpost.store.contract import Exchange
from toolpost.store.sqlite.store import SqliteStore
from toolpost.testing import ScriptedModel, Upstream, call, error, http_error, text
from toolpost.tools.builtin import question
from toolpost.types import events as ev
from toolpost.types import messages as ms

KEY = "k7-Quite_unlike-any-known-key.9"

# What tools, servers and the model's calls bring. `MessageUpdate.text` is here for the pieces of a call's input.
HIDDEN = {
    ev.MessageUpdate: {"text"},
    ev.ToolCalled: {"arguments"},
    ev.ToolExecutionStart: {"arguments"},
    ev.ToolExecutionUpdate: {"text", "details"},
    ev.ToolExecutionEnd: {"content", "title", "details"},
    ev.PermissionAsked: {"patterns", "title", "details"},
    ev.QuestionAsked: {"questions"},
    ev.Retry: {"error"},
    ev.CompactionEnd: {"error"},
    ev.RunEnd: {"error"},
    ms.Message: {"error"},
    ms.RetryPart: {"error"},
    ms.Pending: {"raw"},
    ms.Running: {"arguments"},
    ms.Completed: {"arguments", "content", "title", "details"},
    ms.Failed: {"message", "arguments", "raw", "details"},
    Exchange: {"url", "sent", "received"},
}
# The user's own words, the model's answer to them, and what a provider wants to have back unchanged.
AS_SAID = {
    ev.MessageStart: {"message"},
    ev.MessageEnd: {"message"},
    ev.PermissionReplied: {"message"},
    ev.QuestionReplied: {"answers"},
    # Words of our own, with names of models and tools.
    ev.Notice: {"text", "data"},
    ev.RunEnd: {"text", "output"},
    ms.Message: {"parts"},
    ms.TextPart: {"text", "metadata"},
    ms.ReasoningPart: {"text", "metadata"},
    ms.FilePart: {"data", "url", "metadata"},
    ms.ContextPart: {"text", "links"},
    ms.CompactionPart: {"summary"},
    ms.StepFinish: {"metadata"},
    ms.ToolPart: {"state", "metadata", "consent"},
}
# Numbers, ids, names and words of our own. Approvals that hold a secret are not offered at all (`always`).
NEVER_TOLD = names("""
    seq session_id time code run_id message_id call_id ask_id question_id parent_id id type kind role status
    model agent child name asked label tool tools source mime by reply permission always fingerprint
    step steps part attempt delay next_at tokens tokens_before kept_from reason limit usage cost duration
    is_error error_kind dismissed started ended sent_at first_byte_at ended_at sent_bytes received_bytes
    again interrupted
""")
TYPES = (*get_args(ev.Event), *get_args(ms.Part), *get_args(ms.CallState), ms.Message, Exchange)


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("ACME_API_KEY", KEY)


class Recorder(SqliteStore):
    """A store that remembers everything that it was given."""

    def __init__(self, *args) -> None:
        super().__init__(*args)
        self.given = []

    async def commit(self, changes):
        self.given += (*changes.events, *changes.messages, *changes.exchanges)
        await super().commit(changes)


class Adding(Plugin):
    name = "adding"

    async def tool_execute_after(self, result):
        return msgspec.structs.replace(result, details={**(result.details or {}), "plugin": KEY})


@tool(patterns=lambda arguments: [arguments["key"]], label="Use")
async def use(key: str, ctx: ToolContext) -> ToolResult:
    """Use a key."""
    ctx.update(f"using {key}", {"key": key})
    await ctx.ask("use_it", [key], title=f"use {key}", details={"key": key})
    return ToolResult([f"used {key}"], {"key": key}, f"used {key}")


@tool
async def fail(key: str) -> str:
    """Fail."""
    raise ToolError(f"401 for {key}")


def values(given, kind):
    """All structs of a type in what was given, however deep."""
    for value in given:
        if type(value) is kind:
            yield value
        if isinstance(value, ev.MessageStart | ev.MessageEnd):
            yield from values([value.message], kind)
        elif isinstance(value, ms.Message):
            yield from values(value.parts, kind)
        elif isinstance(value, ms.ToolPart):
            yield from values([value.state], kind)


def test_every_field_of_every_type_is_decided_on():
    for kind in TYPES:
        for field in kind.__struct_fields__:
            decisions = [field in HIDDEN.get(kind, ()), field in AS_SAID.get(kind, ()), field in NEVER_TOLD]
            assert sum(decisions) == 1, f"{kind.__name__}.{field}: decide whether a secret is hidden in it"


async def test_a_secret_is_hidden_in_every_field_that_can_bring_one(tmp_path):
    turns = (
        call("use", {"key": KEY}, chunk=5),
        call("fail", {"key": KEY}),
        call("use", f'{{"key": "{KEY}", '),
        call("question", {"questions": [{"question": f"Is it {KEY}?", "options": [KEY]}]}),
        error("overloaded", f"busy with {KEY}"),
        text("done"),
        error("auth", f"no summary for {KEY}"),
        error("auth", f"not with {KEY}"),
    )
    store = Recorder(tmp_path / "toolpost.db")
    with ScriptedModel(*turns) as model:
        tools = [use, fail, question.make(bench(tmp_path))]
        agent = Agent(
            model,
            tools,
            store=store,
            folder=tmp_path,
            plugins=[Adding()],
            limits=Limits(retry_delay=0),
            permissions={"*": "ask"},
            on_ask=lambda asked: "once",
            on_question=lambda asked: ["yes"],
        )
        session = agent.session()
        await session.run("go")
        assert not await session.compact()
        with pytest.raises(ModelError):
            await session.run("again")
        await session.close()
    async with Upstream(http_error(401, f"invalid key: {KEY}")) as up:
        model = OpenAIChat("m", provider="acme", base_url=f"{up.base_url}/{KEY}", api_key=KEY)
        session = Agent(model, store=store).session()
        with pytest.raises(ModelError):
            await session.run(f"my key is {KEY}")
        await session.close()
    await store.close()
    untold, told = [], []
    for kind, fields in HIDDEN.items():
        for field in sorted(fields):
            found = [repr(getattr(value, field)) for value in values(store.given, kind)]
            if any(KEY in value for value in found):
                told.append(f"{kind.__name__}.{field}")
            elif not any("***" in value for value in found):
                untold.append(f"{kind.__name__}.{field}")
    assert (told, untold) == ([], [])
