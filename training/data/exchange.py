"""The pieces of an exchange: questions for one or several calls, what is missing, results, and answers from them."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any

from . import phrases
from .family import Ask, Domain, Draw, Drawn, Family, Kind, Missing, Outcome
from .kinds import Code, Word
from .retell import any_result, plainly
from .speech import spoken_list
from .toolbox import Tool, Unfit, question, said, slots
from .world import City, Country, Currency, Person, Tongue

Call = tuple[Tool, dict[str, Drawn]]
Record = dict[str, Any]

# Kinds of which several can be named in one breath: "in Lyon, Osaka and Porto".
_LISTABLE = (City, Country, Currency, Person, Tongue, Word, Code)
MOST_SUBJECT = 30
_END = re.compile(r"[.!?。！？\s]+$")


@dataclass(frozen=True)
class Setting:
    """Where a conversation takes place. `left` are the domain's families that no tool on offer can stand in for."""

    draw: Draw
    domain: Domain
    tools: list[Tool]
    left: list[Family]

    @property
    def chinese(self) -> bool:
        return self.draw.language == "zh"

    def dressed(self, text: str) -> str:
        """Sometimes with a greeting, a word of thanks, or a slip of the finger."""
        rng = self.draw.rng
        if rng.random() < 0.08:
            text = rng.choice(phrases.BEFORE_ZH if self.chinese else phrases.BEFORE) + text
        if rng.random() < 0.08:
            text += rng.choice(phrases.AFTER_ZH if self.chinese else phrases.AFTER)
        if not self.chinese and rng.random() < 0.05:
            text = _END.sub("", text[:1].lower() + text[1:])
        return text


def call(tool: Tool, drawn: Mapping[str, Drawn]) -> Record:
    return {"name": tool.name, "arguments": tool.arguments(drawn)}


class Exchange:
    def __init__(self, setting: Setting) -> None:
        self.setting = setting
        self._draw = setting.draw
        self._rng = setting.draw.rng

    def ask(self, tool: Tool, given: Mapping[str, Drawn] | None = None) -> tuple[str, dict[str, Drawn]]:
        return question(tool, self._rng.choice(self._asks(tool)), self._draw, given)

    def ask_one_by_one(self, tools: Sequence[Tool]) -> tuple[str, list[Call]]:
        """Questions joined into one message."""
        connectors = phrases.CONNECTORS_ZH if self.setting.chinese else phrases.CONNECTORS
        text, calls = "", list[Call]()
        for tool in tools:
            more, drawn = self.ask(tool)
            calls.append((tool, drawn))
            if text:
                joint = self._rng.choice(connectors)
                if joint.startswith("?") and not text.endswith("?"):
                    joint = ". " + joint[2:]
                text = _END.sub("", text) + joint
                lower = not self.setting.chinese and joint[-2:-1] not in ".:" and joint != "\n"
                more = more[:1].lower() + more[1:] if lower and not more.startswith("I") else more
            text += more
        return text, calls

    def ask_for_several(self, tool: Tool, count: int) -> tuple[str, list[Call]]:
        """One question that names several values where the tool takes one."""
        asks = [(ask, key) for ask in self._asks(tool) for key in self._listable(tool, ask)]
        if not asks:
            raise Unfit
        ask, key = self._rng.choice(asks)
        values = self._different(tool, key, count)
        together = Drawn(spoken_list([value.said for value in values], self._draw), values[0].meaning)
        text, drawn = question(tool, ask, self._draw, {key: together})
        return text, [(tool, {**drawn, key: value}) for value in values]

    def ask_for_the_same(self, tool: Tool) -> tuple[str, list[Call]]:
        """A question, and then "the same for Osaka"."""
        text, drawn = self.ask(tool)
        key = self._exchangeable(tool, drawn)
        if key is None:
            raise Unfit
        other = self._another(tool, key, drawn[key])
        tail = self._rng.choice(phrases.SAME_FOR_ZH if self.setting.chinese else phrases.SAME_FOR).format(other.said)
        head = _END.sub("", text) if tail.startswith((",", "，", "。")) else text
        return head + tail, [(tool, drawn), (tool, {**drawn, key: other})]

    def follow_up(self, tool: Tool, drawn: dict[str, Drawn]) -> tuple[str, dict[str, Drawn]] | None:
        """ "And in Osaka?" after an answer about Lyon."""
        key = self._exchangeable(tool, drawn)
        if key is None:
            return None
        other = self._another(tool, key, drawn[key])
        words = self._rng.choice(phrases.FOLLOW_UPS_ZH if self.setting.chinese else phrases.FOLLOW_UPS)
        return words.format(other.said), {**drawn, key: other}

    def ask_without(self, tool: Tool) -> tuple[Missing, str, str, dict[str, Drawn]]:
        """A question that leaves out a required value, and the question back."""
        gap = self._rng.choice(tool.family.missing)
        asks, replies = (gap.asks_zh, gap.replies_zh) if self.setting.chinese else (gap.asks, gap.replies)
        if not asks or not replies or gap.key not in tool.forms:
            raise Unfit
        text, drawn = question(tool, self._rng.choice(asks), self._draw)
        words = {key: one.said for key, one in drawn.items()}
        return gap, text, _filled(self._rng.sample(replies, len(replies)), words), drawn

    def supply(self, tool: Tool, gap: Missing, drawn: dict[str, Drawn]) -> tuple[str, dict[str, Drawn]] | None:
        """What the user answers, and all the values there are now; None where more is missing."""
        param = next(param for param in tool.family.params if param.key == gap.key)
        if not hasattr(param.kind, "draw"):
            return None
        value = param.kind.draw(self._draw)
        whole = {**drawn, gap.key: value}
        if not value.said or any(other.required and other.key not in whole for other in tool.family.params):
            return None
        words = self._rng.choice(phrases.SUPPLIED_ZH if self.setting.chinese else phrases.SUPPLIED)
        return words.format(value.said), whole

    def results_and_answer(self, calls: Sequence[Call]) -> list[Record]:
        messages, answers = list[Record](), list[str]()
        for tool, drawn in calls:
            if self._rng.random() < 0.07:
                failure = self._rng.choice((*tool.family.errors, *phrases.FAILURES))
                messages.append({"role": "tool", "name": tool.name, "content": failure, "failed": True})
                words = self._rng.choice(phrases.FAILED_ZH if self.setting.chinese else phrases.FAILED)
                answers.append(words.format(failure.rstrip(".")))
                continue
            result, answer = self._result_and_answer(tool, drawn)
            messages.append({"role": "tool", "name": tool.name, "content": result})
            answers.append(answer)
        return [*messages, {"role": "assistant", "content": self._joined(answers)}]

    def _joined(self, answers: Sequence[str]) -> str:
        if len(answers) > 2 and self._rng.random() < 0.7:
            return "\n".join(answers)
        if not self.setting.chinese:
            return " ".join(answers)
        ended = [answer if answer.endswith(("。", "！", "？")) else f"{answer}；" for answer in answers[:-1]]
        return "".join([*ended, *answers[-1:]])

    def _result_and_answer(self, tool: Tool, drawn: Mapping[str, Drawn]) -> tuple[str, str]:
        """Mostly what the family foresees; sometimes anything, told plainly: no tool's results are known ahead."""
        subject = next((one.said for one in drawn.values() if one.said and len(one.said) < MOST_SUBJECT), "")
        way = self._rng.random()
        if way < 0.18:
            return any_result(self._draw, subject)
        result, answer = self._outcome(self._rng.choice(tool.family.outcomes), drawn)
        if way < 0.3 and not result.startswith(("{", "[")):
            return result, plainly(result, subject, self._draw)
        return result, answer

    def _outcome(self, outcome: Outcome, call_values: Mapping[str, Drawn]) -> tuple[str, str]:
        fields = {name: (kind, kind.draw(self._draw)) for name, kind in outcome.fields}
        words = {key: one.said for key, one in call_values.items() if one.said}
        words |= {name: _plain(drawn) for name, (_, drawn) in fields.items()}
        chinese = self.setting.chinese
        texts = outcome.texts_zh if chinese and outcome.texts_zh and self._rng.random() < 0.7 else outcome.texts
        if texts and self._rng.random() < 0.4:
            result = _filled(self._rng.sample(texts, len(texts)), words)
        else:
            result = self._as_json({name: _json_of(kind, drawn) for name, (kind, drawn) in fields.items()})
        answers = outcome.answers_zh if chinese else outcome.answers
        return result, _filled(self._rng.sample(answers, len(answers)), words)

    def _as_json(self, values: dict[str, Any]) -> str:
        if self._rng.random() < 0.25:
            values = dict([*values.items(), self._rng.choice(phrases.NOISE)])
        if self._rng.random() < 0.1:
            values = {"result": values}
        return json.dumps(values, ensure_ascii=False)

    def _asks(self, tool: Tool) -> list[str | Ask]:
        """Questions that need no parameter which this tool does not have."""
        asks = tool.family.asks_zh if self.setting.chinese else tool.family.asks
        kept = [ask for ask in asks if all(key in tool.forms for key in _needed(ask))]
        if not kept:
            raise Unfit
        return kept

    def _listable(self, tool: Tool, ask: str | Ask) -> list[str]:
        if isinstance(ask, Ask):
            return []
        outside = re.sub(r"\[[^\]]*\]", "", ask)
        return [key for key in slots(outside) if outside.count(f"{{{key}}}") == 1 and self._is_listable(tool, key)]

    def _exchangeable(self, tool: Tool, drawn: Mapping[str, Drawn]) -> str | None:
        """A value that can be named alone: nobody would take it for another of the call's."""
        keys = [key for key in drawn if self._is_listable(tool, key) and drawn[key].said]
        kinds = {param.key: type(param.kind) for param in tool.family.params}
        alone = [key for key in keys if [kinds[other] for other in keys].count(kinds[key]) == 1]
        return self._rng.choice(alone) if alone else None

    def _is_listable(self, tool: Tool, key: str) -> bool:
        param = next(param for param in tool.family.params if param.key == key)
        return isinstance(param.kind, _LISTABLE) and not getattr(param.kind, "quoted", 0)

    def _another(self, tool: Tool, key: str, than: Drawn) -> Drawn:
        return next((value for value in self._different(tool, key, 2) if value.said != than.said), than)

    def _different(self, tool: Tool, key: str, count: int) -> list[Drawn]:
        kind: Any = next(param.kind for param in tool.family.params if param.key == key)
        found: dict[str, Drawn] = {}
        for _ in range(count * 8):
            drawn = kind.draw(self._draw)
            # A comma inside of a value would make a list of it.
            if "," not in drawn.said and "，" not in drawn.said:
                found.setdefault(drawn.said, drawn)
            if len(found) == count:
                return list(found.values())
        raise Unfit


def _needed(ask: str | Ask) -> list[str]:
    text, fixed = (ask.text, list(ask.fixed)) if isinstance(ask, Ask) else (ask, [])
    return [*slots(re.sub(r"\[[^\]]*\]", "", text)), *fixed]


def _filled(texts: Sequence[str], words: Mapping[str, str]) -> str:
    """The first of the texts whose slots can be filled."""
    for text in texts:
        if all(words.get(key) for key in slots(text)):
            return said(text, words)
    raise Unfit


def _plain(drawn: Drawn) -> str:
    """A result is told in the figures that it has."""
    match drawn.meaning:
        case bool():
            return drawn.said or str(drawn.meaning).lower()
        case int() | float():
            return str(drawn.meaning)
        case datetime():
            return drawn.meaning.strftime("%Y-%m-%d %H:%M")
        case date():
            return drawn.meaning.isoformat()
        case time():
            return drawn.meaning.strftime("%H:%M")
        case _:
            return drawn.said


def _json_of(kind: Kind, drawn: Drawn) -> Any:
    match drawn.meaning:
        case date() | time():
            return _plain(drawn)
        case _:
            return kind.forms[0].value(drawn)
