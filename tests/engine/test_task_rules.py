"""What a sub-agent may do is never more than what its sender may, whatever rules anybody writes."""

from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost import Agent, Limits, MemoryStore, tool
from toolpost.engine.history import History
from toolpost.engine.journal import Journal
from toolpost.engine.run_options import RunOptions
from toolpost.engine.session_setup import Setup, SubAgent
from toolpost.engine.state import Core, Run
from toolpost.engine.sub_agents import child_setup
from toolpost.guard.rules import ACTIONS, Rule, Rules
from toolpost.store.contract import SessionInfo
from toolpost.testing import ScriptedModel, call, text
from toolpost.tools.host import SubAgentTask
from toolpost.tools.offered_tools import ToolSwitches
from toolpost.tools.registry import Registry

STRICTNESS = {"allow": 0, "ask": 1, "deny": 2}

permissions = st.sampled_from(["bash", "edit", "read", "delete", "*", "b*", "?ead"])
patterns = st.sampled_from(["*", "a", "b", "a*", "?", "git *", "git push", "src/*", "**"])
rules = st.lists(st.builds(Rule, permissions, patterns, st.sampled_from(ACTIONS)), max_size=6).map(tuple)
names = st.sampled_from(["bash", "edit", "read", "delete", "doom_loop"])
texts = st.lists(st.sampled_from(["a", "b", "ab", "git", "git push", "src/x", ""]), max_size=3)
switches = st.frozensets(st.sampled_from(["bash", "edit", "task"]))
sub_agents = st.builds(
    SubAgent,
    rules=rules,
    choice=st.builds(ToolSwitches.without, switches),
    read_only=st.booleans(),
    limits=st.fixed_dictionaries(
        {},
        optional={"max_steps": st.integers(1, 999), "max_seconds": st.floats(1, 9_999), "max_cost": st.floats(1, 99)},
    ),
)
ERRAND = SubAgentTask("go", "Go", seconds=100.0, steps=10, depth=9)


def run_of(setup, switched_off=frozenset()):
    journal = Journal(MemoryStore(), SessionInfo("ses"), None, setup.limits)
    return Run(Core(journal, History(), setup), asked=RunOptions(switched_off=switched_off))


@given(rules, st.lists(sub_agents, min_size=1, max_size=3), switches, switches, st.booleans(), names, texts)
def test_each_level_only_narrows(own, agents, off, off_now, read_only, name, asked):
    limits = Limits(max_seconds=50.0, max_tokens=1_000)
    setup = Setup(
        ScriptedModel(), Registry(), Rules(own), choice=ToolSwitches.without(off), read_only=read_only, limits=limits
    )
    run = run_of(setup, off_now)
    for agent in agents:
        above, run = run, run_of(child_setup(run, "a", agent, ERRAND, "task"))
        sender, child = above.core.setup, run.core.setup
        decided = [rules.decide(name, asked).action for rules in (sender.rules, child.rules)]
        assert STRICTNESS[decided[1]] >= STRICTNESS[decided[0]]
        assert child.rules.hides(name) or not sender.rules.hides(name)
        offered = {tool for tool in ("bash", "edit", "task", "read") if child.choice.offers(tool)}
        assert not offered & above.asked.switched_off
        assert all(sender.choice.offers(tool) for tool in offered)
        assert child.read_only or not sender.read_only
        assert child.limits.max_steps <= ERRAND.steps
        assert run.seconds_left <= above.seconds_left
        assert child.headless == sender.headless
        assert (child.on_ask, child.on_question) == (None, None)


@settings(max_examples=40, deadline=None)
@given(rules, rules, st.sampled_from(["a", "b", "ab"]))
async def test_nothing_runs_below_that_would_not_run_above(own, theirs, path):
    ran = []

    @tool(patterns=lambda arguments: [arguments["path"]])
    async def delete(path: str) -> str:
        """Delete."""
        ran.append(path)
        return "done"

    small = ScriptedModel(call("delete", {"path": path}), text("ok"))
    helper = Agent(small, [delete], name="helper", permissions=theirs)
    errand = call("task", {"description": "d", "prompt": "p", "agent": "helper"})
    agent = Agent(
        ScriptedModel(errand, text("ok")), [delete], agents=[helper], permissions=(*own, Rule("task", "*", "allow"))
    )
    await agent.run("go")
    above = Agent(ScriptedModel(call("delete", {"path": path}), text("ok")), [delete], permissions=own)
    below = list(ran)
    ran.clear()
    await above.run("go")
    assert len(below) <= len(ran)
