"""Whatever a client sends is understood or refused; and the tree that places are looked up in."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.server.chat.message_tree import MessageTree
from toolpost.server.chat.request import ApprovalAnswer, ChatBody, ChatPrompt, wanted
from toolpost.server.chat.routes import session_id_of
from toolpost.server.refusals import Refusal
from toolpost.server.users import User
from toolpost.types.errors import ToolpostError
from toolpost.types.messages import CompactionPart, ErrorInfo, Message, RetryPart, StepStart, TextPart

ids = st.sampled_from(["m1", "m2", "m3", "m4", "m5", "u", ""])
json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
approvals = st.fixed_dictionaries({"id": json | ids, "approved": json})
parts = st.fixed_dictionaries(
    {"type": st.sampled_from(["text", "file", "tool-echo", "data-x"])},
    optional={
        "text": json,
        "url": json | st.sampled_from(["data:,x", "data:image/png;base64,aGk=", "data:x", "http://x"]),
        "mediaType": json,
        "state": st.sampled_from(["approval-responded", "output-available"]),
        "approval": json | approvals,
        "toolCallId": json,
        "input": json,
    },
)
messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system"])},
    optional={"id": ids, "parts": st.lists(parts, max_size=3)},
)
bodies = st.fixed_dictionaries(
    {},
    optional={
        "id": ids,
        "messages": st.lists(messages, max_size=4) | json,
        "message": st.text(max_size=5) | messages | json,
        "trigger": st.sampled_from(["submit-message", "regenerate-message"]),
        "messageId": ids | st.none(),
        "files": st.lists(parts, max_size=2),
    },
)


@st.composite
def trees(draw):
    """Messages in the order in which they were made, each below one before it."""
    made = []
    for number in range(draw(st.integers(0, 5))):
        parent = draw(st.sampled_from([None, *(message.id for message in made)]))
        made.append(draw(kinds)(f"m{number}", parent))
    return made


def user(message_id, parent):
    return Message(message_id, "user", (TextPart("?"),), parent)


def answer(message_id, parent, step=1):
    return Message(message_id, "assistant", (StepStart(step, "m"), TextPart("!")), parent)


def attempt(message_id, parent):
    failed = RetryPart(1, ErrorInfo("overloaded", "busy"), 0.0)
    return Message(message_id, "assistant", (StepStart(1, "m"), failed), parent)


def summary(message_id, parent):
    return Message(message_id, "user", (CompactionPart("so far"),), parent)


kinds = st.sampled_from([user, answer, lambda one, parent: answer(one, parent, 2), attempt, summary])


@given(bodies, trees())
def test_any_body_is_understood_or_refused(body, made):
    try:
        asked = wanted(msgspec.convert(body, ChatBody), MessageTree(made), made[-1].id if made else None)
    except (Refusal, msgspec.ValidationError):
        return
    if isinstance(asked, ChatPrompt):
        known = {message.id for message in made}
        assert asked.at is msgspec.UNSET or asked.at is None or asked.at in known
        assert asked.text is not None or asked.at in known
    else:
        assert all(isinstance(one, ApprovalAnswer) for one in asked)


@given(trees())
def test_places_in_a_tree_are_always_found(made):
    tree = MessageTree(made)
    by_id = {message.id: message for message in made}
    for message in made:
        assert tree.end_of(message.id) in tree
        assert tree.last_below(message.id) in tree
        prompt = tree.prompt_of(message.id)
        assert prompt is None or by_id[prompt].role == "user"
        if not (tree[message.id].is_attempt or tree[message.id].is_compaction):
            assert message.id in tree.versions(message.id)


def test_the_steps_of_a_run_are_one_answer():
    steered = [user("u1", None), attempt("a0", "u1"), answer("a1", "u1"), user("s1", "a1"), answer("a2", "s1", 2)]
    tree = MessageTree([*steered, summary("c1", "a2"), answer("a3", "c1", 3), user("u2", "a3"), answer("b1", "u2")])
    assert tree.end_of("a1") == tree.end_of("a0") == "a3"
    assert tree.prompt_of("a3") == tree.prompt_of("s1") == "u1"
    assert tree.prompt_of("b1") == "u2"
    assert tree.versions("a1") == ["a1"]
    assert tree.last_below("u1") == "b1"


@pytest.mark.parametrize("given_id", ["", "a b", "a/b", "ü" * 20, "x" * 129, "../../../../etc/passwd"])
def test_ids_that_could_be_anything_are_refused(given_id):
    with pytest.raises((Refusal, ToolpostError)):
        session_id_of(given_id, User("anna"))


@given(st.text("ab-_1", min_size=1, max_size=15), st.sampled_from(["anna", "bob", ""]))
def test_a_short_id_is_another_for_each_user_and_leads_to_itself(given_id, name):
    own = session_id_of(given_id, User(name))
    assert own != session_id_of(given_id, User("somebody"))
    assert session_id_of(own, User(name)) == own
    with pytest.raises(Refusal):
        session_id_of(own, User("somebody"))
