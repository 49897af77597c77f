"""Write tool results as text: in the form that a dialect's models were trained on, or plainly marked."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from toolpost.types.text import Language

from .call_writer import dump
from .dialects.table import MARKERS
from .incremental_reader import Markers

ResultForm = Callable[["ResultText"], str]


class ResultText(NamedTuple):
    name: str
    text: str
    failed: bool = False


def write_results(results: Sequence[ResultText], dialect: str, language: Language, *, trained: bool) -> str:
    """What the model is told after its calls. A family that was `trained` on this form needs no words around it."""
    form = _FORMS.get(dialect) if trained else None
    safe = [result._replace(text=neutral(result.text)) for result in results]
    told = "\n".join((form or _marked[language])(result) for result in safe)
    return told if form else f"{told}\n{_ANSWER[language]}"


def neutral(text: str) -> str:
    """Take the life out of markers in a text that is data: a model that quotes it must not make a call by that."""
    return _live().sub(text)


def _tagged(tag: str) -> ResultForm:
    return lambda result: f"<{tag}>\n{_said(result)}\n</{tag}>"


def _said(result: ResultText) -> str:
    return f"Error: {result.text}" if result.failed else result.text


def _marked_en(result: ResultText) -> str:
    return f"<tool_result>\n{result.name} {'failed' if result.failed else 'returned'}:\n{result.text}\n</tool_result>"


def _marked_zh(result: ResultText) -> str:
    return f"<tool_result>\n{result.name} {'调用失败' if result.failed else '返回'}：\n{result.text}\n</tool_result>"


def _function_results(result: ResultText) -> str:
    body = f"<tool_name>{result.name}</tool_name>\n<stdout>\n{_said(result)}\n</stdout>"
    return f"<function_results>\n<result>\n{body}\n</result>\n</function_results>"


def _deepseek(result: ResultText) -> str:
    output = f"<｜tool▁output▁begin｜>{_said(result)}<｜tool▁output▁end｜>"
    return f"<｜tool▁outputs▁begin｜>{output}<｜tool▁outputs▁end｜>"


_marked: dict[Language, ResultForm] = {"en": _marked_en, "zh": _marked_zh}
_ANSWER: dict[Language, str] = {
    "en": "Answer the user from this. Call a tool again only if something is still missing.",
    "zh": "请根据以上结果回答用户。只有仍缺少信息时才再次调用工具。",
}
_RESPONSE = _tagged("tool_response")
_FORMS: dict[str, ResultForm] = {
    **dict.fromkeys(("hermes", "granite4_hermes", "ernie45", "reka_edge", "seed_flat", "longcat_hermes"), _RESPONSE),
    **dict.fromkeys(("qwen3_coder_xml", "step3p5_xml", "minicpm5_xml"), _RESPONSE),
    **dict.fromkeys(("glm45_argkey", "ling3", "poolside_v1", "hunyuan_v3"), _RESPONSE),
    "minimax_m2": _tagged("response"),
    **dict.fromkeys(("anthropic_invoke", "anthropic_legacy"), _function_results),
    **dict.fromkeys(("deepseek_v3", "deepseek_v3_asciibar", "deepseek_v31"), _deepseek),
    **dict.fromkeys(("deepseek_v32_dsml", "deepseek_v4_dsml"), _tagged("function_results")),
    **dict.fromkeys(
        ("mistral", "mistral_args"), lambda result: f"[TOOL_RESULTS]{dump({'content': _said(result)})}[/TOOL_RESULTS]"
    ),
    "kimi_k2": lambda result: f"## Return of functions.{result.name}:0\n{_said(result)}",
    "gemma_tool_code": lambda result: f"```tool_output\n{_said(result)}\n```",
    **dict.fromkeys(
        ("react", "react_json", "action_json_fenced", "command_r_plus"), lambda result: f"Observation: {_said(result)}"
    ),
}


class _Live:
    """The markers that open a call, a result or a turn, and those that end a result."""

    def __init__(self) -> None:
        openers = {text for text, (kind, _) in MARKERS.items() if kind not in ("citation", "think")}
        ends = {end for kind, end in MARKERS.values() if kind == "result"}
        self._markers = Markers((*openers, *ends, "</response>"))

    def sub(self, text: str) -> str:
        pieces: list[str] = []
        at = 0
        while found := self._markers.search(text, at):
            # A space behind the first character: plain to see, and no marker any more.
            pieces += [text[at : found.start() + 1], " "]
            at = found.start() + 1
        return "".join([*pieces, text[at:]])


@cache
def _live() -> _Live:
    return _Live()
