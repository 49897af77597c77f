"""Hypothesis strategies for the words of Toolpost: messages with all parts and call states, events, session infos."""

from typing import Any

from hypothesis import strategies as st

from toolpost.store.contract import Exchange, Prompt, SessionInfo
from toolpost.types import events as ev
from toolpost.types import messages as ms
from toolpost.types import stream as sm

# Lone surrogates have no UTF-8 form, so no text that was ever stored or sent holds one.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
names = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,11}", fullmatch=True)
numbers = st.floats(allow_nan=False, allow_infinity=False)
counts = st.integers(min_value=0, max_value=2**53)

json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**64 - 1) | numbers | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
json_objects = st.dictionaries(texts, json_values, max_size=3)
maybe_objects = st.none() | json_objects

usages = st.builds(ms.Usage, counts, counts, counts, counts, counts)
costs = st.none() | numbers
error_infos = st.builds(ms.ErrorInfo, names, texts, st.none() | st.integers(100, 599), st.booleans(), costs)
call_error_kinds = st.sampled_from(ms.CallErrorKind.__args__)
finish_reasons = st.sampled_from(ms.FinishReason.__args__)

text_parts = st.builds(ms.TextPart, texts, maybe_objects)
file_parts = st.builds(ms.FilePart, names, texts, texts, texts)
contents = st.lists(text_parts | file_parts, max_size=2).map(tuple)

call_states = st.one_of(
    st.builds(ms.Pending, texts),
    st.builds(ms.Running, json_objects, numbers),
    st.builds(ms.Completed, json_objects, contents, numbers, numbers, texts, maybe_objects),
    st.builds(ms.Failed, call_error_kinds, texts, maybe_objects, texts, numbers, numbers, maybe_objects),
)
tool_parts = st.builds(ms.ToolPart, names, names, call_states, texts, maybe_objects)
tool_names = st.lists(names, max_size=2).map(tuple)

answer_parts = st.one_of(
    text_parts,
    st.builds(ms.ReasoningPart, texts, maybe_objects),
    tool_parts,
    file_parts,
    st.builds(ms.StepStart, counts, names, tool_names),
    st.builds(ms.StepFinish, finish_reasons, usages, costs, maybe_objects),
    st.builds(ms.RetryPart, counts, error_infos, numbers),
)
context_parts = st.builds(
    ms.ContextPart, texts, names, st.lists(st.builds(ms.SourceLink, texts, texts), max_size=2).map(tuple)
)
compaction_parts = st.builds(ms.CompactionPart, texts, st.none() | names, counts)
prompt_parts = st.one_of(text_parts, file_parts, context_parts, compaction_parts)
parts = answer_parts | prompt_parts


maybe_names = st.none() | names


def messages(
    ids: st.SearchStrategy[str] = names, parents: st.SearchStrategy[str | None] = maybe_names
) -> st.SearchStrategy[ms.Message]:
    def of(role: str, parts: st.SearchStrategy[ms.Part]) -> st.SearchStrategy[ms.Message]:
        return st.builds(
            ms.Message,
            id=ids,
            role=st.just(role),
            parts=st.lists(parts, max_size=4).map(tuple),
            parent_id=parents,
            time=numbers,
            model=names,
            agent=texts,
            error=st.none() | error_infos,
        )

    return of("user", prompt_parts) | of("assistant", answer_parts)


questions = st.builds(ev.Question, texts, tool_names, st.booleans())


def events(
    seqs: st.SearchStrategy[int] = counts, session_ids: st.SearchStrategy[str] = names
) -> st.SearchStrategy[ev.Event]:
    head = (seqs, session_ids, numbers)
    call = (names, names, names, json_objects)
    return st.one_of(
        st.builds(ev.RunStart, *head, names, names),
        st.builds(ev.StepStarted, *head, counts, names, tool_names),
        st.builds(ev.MessageStart, *head, messages()),
        st.builds(ev.MessageUpdate, *head, names, counts, st.sampled_from(ev.DeltaKind.__args__), texts, texts, texts),
        st.builds(ev.MessageEnd, *head, messages()),
        st.builds(ev.ToolCalled, *head, *call),
        st.builds(ev.ToolExecutionStart, *head, *call, texts),
        st.builds(ev.ToolExecutionUpdate, *head, names, names, texts, maybe_objects),
        st.builds(
            ev.ToolExecutionEnd,
            *head,
            *(names, names, names, contents, numbers, st.booleans()),
            *(st.none() | call_error_kinds, texts, maybe_objects),
        ),
        st.builds(
            ev.PermissionAsked, *head, names, names, tool_names, tool_names, texts, texts, maybe_objects, texts, texts
        ),
        st.builds(ev.QuestionAsked, *head, names, st.lists(questions, max_size=2).map(tuple), texts, texts, texts),
        st.builds(ev.QuestionReplied, *head, names, st.lists(tool_names, max_size=2).map(tuple), st.booleans()),
        st.builds(
            ev.PermissionReplied,
            *head,
            *(names, st.sampled_from(ev.Reply.__args__), texts),
            st.sampled_from(["person", "policy", "hook", "saved"]),
        ),
        st.builds(ev.Retry, *head, counts, numbers, numbers, error_infos),
        st.builds(ev.CompactionStart, *head, st.sampled_from(["threshold", "overflow", "asked"]), counts),
        st.builds(ev.CompactionEnd, *head, texts, st.none() | error_infos),
        st.builds(ev.Notice, *head, st.sampled_from(ev.NoticeCode.__args__), texts),
        st.builds(ev.StepEnd, *head, counts, finish_reasons, usages, costs),
        st.builds(
            ev.RunEnd,
            *head,
            *(names, st.sampled_from(ev.RunReason.__args__), texts, counts, usages),
            *(costs, st.none() | error_infos, texts),
        ),
        st.builds(ev.Settled, *head),
        st.builds(ev.CutOff, *head),
    )


stream_events: st.SearchStrategy[sm.StreamEvent] = st.one_of(
    st.builds(sm.TextStart, names),
    st.builds(sm.TextDelta, texts, names),
    st.builds(sm.TextEnd, names, maybe_objects),
    st.builds(sm.ReasoningStart, names),
    st.builds(sm.ReasoningDelta, texts, names),
    st.builds(sm.ReasoningEnd, names, maybe_objects),
    st.builds(sm.ToolInputStart, names, names),
    st.builds(sm.ToolInputDelta, names, texts),
    st.builds(sm.ToolInputEnd, names),
    st.builds(sm.ToolCall, names, names, json_objects, texts, maybe_objects),
    st.builds(sm.Finish, finish_reasons, usages, maybe_objects),
    st.builds(sm.StreamError, error_infos),
)

prompts = st.builds(Prompt, names, texts, st.booleans())


def session_infos(ids: st.SearchStrategy[str] = names) -> st.SearchStrategy[SessionInfo]:
    return st.builds(
        SessionInfo,
        id=ids,
        title=texts,
        folder=texts,
        model=names,
        agent=texts,
        owner=names,
        created=numbers,
        updated=numbers,
        head=maybe_names,
        forked_from=maybe_names,
        parent=maybe_names,
        open_run=maybe_names,
        run_seq=counts,
        open_seq=counts,
        seq=counts,
        usage=usages,
        cost=costs,
        inbox=st.lists(prompts, max_size=2).map(tuple),
        metadata=maybe_objects,
    )


exchanges = st.builds(
    Exchange,
    *(names, texts, st.integers(100, 599), numbers, numbers, numbers, counts, counts, texts, texts),
)
