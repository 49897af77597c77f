"""Write the system prompt of prompted mode: tools, calls and results as text in a dialect, in English or Chinese."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec import structs

from toolpost.models.message_parts import arguments_of, is_image, result_text
from toolpost.types.messages import CompactionPart, Completed, Failed, FilePart, Message, TextPart, ToolPart
from toolpost.types.text import Language
from toolpost.types.tool_spec import ToolSpec

from .call_writer import SINGLE, CallToWrite, dump, spell
from .json_envelope import ENVELOPE_NOTE, write_answer, write_calls
from .result_writer import ResultText, write_results
from .sample_calls import sample_arguments, sample_question
from .signatures import signature

MAX_EXAMPLES = 2
# A sample of its argument, a text in a format of its own, would teach the wrong format.
_NO_SAMPLE = frozenset({"apply_patch"})
# No marker tells these from an answer, so nothing may stand beside them.
_UNMARKED = frozenset({"bare_json", "bare_json_list", "llama3_json", "pythonic", "xlam", "openai_dict", "generic_json"})


class PromptWords(NamedTuple):
    """What is said around the tools, in one language."""

    title: str
    listed: str
    form: str
    form_alone: str
    joins: str
    when: str
    several: str
    single: str
    alone: str
    only: str
    stop: str
    required: str
    given_up: str


_WORDS: dict[Language, PromptWords] = {
    "en": PromptWords(
        title="# Tools",
        listed="These tools are at hand. Each line is one: its name, what it does, and a JSON Schema of its arguments.",
        form="Asked {questions}, write exactly this (the values are samples):",
        form_alone="A call is written exactly like this:",
        joins=" and ",
        when="Call a tool whenever it can find out or do what the user wants. Otherwise answer in plain words.",
        several="Calls that do not need each other's results go into one message, one after the other.",
        single="Make one call at a time.",
        alone="A call is the whole message: write nothing before or after it.",
        only="Use only these tools, with the arguments of their schemas. If a required value is unknown, ask for it.",
        stop="After your calls, stop. Their results come in the next message. Never write a result yourself.",
        required="In this turn you must make a call.",
        given_up="Your last tool calls could not be read. Make no more calls: answer in words with what you have.",
    ),
    "zh": PromptWords(
        title="# 工具",
        listed="你可以使用以下工具。每行一个：名称、用途，以及参数的 JSON Schema。",
        form="例如用户说{questions}时，严格按如下格式书写（其中的值仅为示例）：",
        form_alone="调用工具时，严格按如下格式书写：",
        joins="、",
        when="凡是工具能查到或做到用户所需的，就调用工具；否则直接用文字回答。",
        several="互不依赖的调用写在同一条消息里，一个接一个。",
        single="每次只调用一个工具。",
        alone="一次调用就是整条消息，前后不要写任何其他文字。",
        only="只能使用上面的工具和其 schema 中的参数。缺少必填的值时，请向用户询问。",
        stop="写完调用就停下，结果会在下一条消息中给出。不要自己编造结果。",
        required="这一轮必须调用工具。",
        given_up="你前几次的工具调用无法解析。不要再调用工具，请直接用文字回答。",
    ),
}


class PromptWriter:
    """Writes for one dialect in one language. `trained` says that the model knows the dialect and its results,
    `enveloped` that its whole answer is one JSON object, `brief` that it was taught to call tools by their signatures
    alone and needs no word about how."""

    def __init__(
        self,
        dialect: str,
        language: Language = "en",
        *,
        trained: bool = False,
        enveloped: bool = False,
        brief: bool = False,
    ) -> None:
        self._dialect = dialect
        self._language: Language = language
        self._trained = trained
        self._enveloped = enveloped
        self._brief = brief

    @property
    def given_up(self) -> str:
        """What to say instead of offering tools, where the model's calls cannot be read."""
        return _WORDS[self._language].given_up

    def tools(self, tools: Sequence[ToolSpec], *, required: bool = False) -> str:
        """The part of the system prompt that offers the tools and says how to call them."""
        words = _WORDS[self._language]
        if self._brief:
            return "\n".join([words.title, *map(signature, tools)])
        lines = (
            dump({"name": tool.name, "description": tool.description, "parameters": tool.parameters}) for tool in tools
        )
        rules = [words.when, words.single if self._single else words.several]
        if self._dialect in _UNMARKED and not self._enveloped:
            rules.append(words.alone)
        rules += [words.only, words.stop]
        if required:
            rules.append(words.required)
        return "\n".join(
            [
                *(words.title, "", words.listed, "<tools>", *lines, "</tools>", ""),
                *([ENVELOPE_NOTE, ""] if self._enveloped else []),
                *(*self._example(tools), "", *(f"- {rule}" for rule in rules)),
            ]
        )

    def message(self, message: Message) -> list[Message]:
        """A message with its calls and their results in words: what the model said, and then what came back."""
        calls = message.calls
        if not calls:
            return [self._answer(message)]
        kept = tuple(part for part in message.parts if isinstance(part, FilePart | CompactionPart))
        written = self._spell([CallToWrite(call.name, arguments_of(call.state)) for call in calls])
        # An envelope holds calls or text, never both.
        text = written if self._enveloped else "\n".join(filter(None, [message.text, written]))
        said = Message(message.id, "assistant", (*kept, TextPart(text)), model=message.model)
        told = write_results([_result(call) for call in calls], self._dialect, self._language, trained=self._trained)
        return [said, Message(f"{message.id}-results", "user", (TextPart(told), *_images(calls)))]

    @property
    def _single(self) -> bool:
        return self._dialect in SINGLE and not self._enveloped

    def _spell(self, calls: Sequence[CallToWrite]) -> str:
        return write_calls(calls) if self._enveloped else spell(self._dialect, calls)

    def _answer(self, message: Message) -> Message:
        if not self._enveloped or message.role == "user" or not message.text:
            return message
        kept = tuple(part for part in message.parts if isinstance(part, FilePart | CompactionPart))
        return structs.replace(message, parts=(*kept, TextPart(write_answer(message.text))))

    def _example(self, tools: Sequence[ToolSpec]) -> tuple[str, str]:
        """A sample question, and the calls that answer it: of the user's own tools before the built-in ones, and of
        those that take arguments, which show more, before the others."""
        words = _WORDS[self._language]
        fit = [tool for tool in tools if tool.name not in _NO_SAMPLE]
        ordered = sorted(fit, key=lambda tool: (tool.built_in, not tool.parameters.get("properties")))
        shown = ordered[: 1 if self._single else MAX_EXAMPLES]
        if not shown:
            return words.form_alone, self._spell([CallToWrite("tool_name", {"argument": "value"})])
        calls = [CallToWrite(tool.name, sample_arguments(tool.parameters)) for tool in shown]
        asked = words.joins.join(
            f"“{sample_question(tool, call.arguments)}”" for tool, call in zip(shown, calls, strict=True)
        )
        return words.form.format(questions=asked), self._spell(calls)


def _result(call: ToolPart) -> ResultText:
    return ResultText(call.name, result_text(call.state, is_image), isinstance(call.state, Failed))


def _images(calls: Sequence[ToolPart]) -> list[FilePart]:
    states = [call.state for call in calls]
    content = [part for state in states if isinstance(state, Completed) for part in state.content]
    return [part for part in content if isinstance(part, FilePart) and is_image(part)]
