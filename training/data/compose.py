"""Conversations put together from families: what is asked, which tools are offered, the calls, results and answers."""

import json
import random
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

from . import talk
from .exchange import Exchange, Setting, call
from .families import domains
from .family import Domain, Draw, Drawn, Family, Language
from .toolbox import Tool, Unfit, make_tool

Record = dict[str, Any]

FIRST_DAY, LAST_DAY = date(2021, 1, 1), date(2032, 12, 31)
MOST_TOOLS = 8
TRIES = 12
CHINESE = 0.42
_LENGTHS = ((1, 2, 3), (58, 27, 15))
_OFFERS = ((1, 2, 3, 4, 5, 6, 7, 8), (14, 12, 14, 18, 16, 12, 8, 6))
_COUNTS = ((2, 3, 4, 5, 6, 7, 8), (52, 25, 11, 6, 3, 2, 1))
_WEIGHTS = {"single": 44, "parallel": 20, "missing": 9, "refusal": 12, "talk": 7}


class Composer:
    """Draws conversations of some families. `held_out` are the keys of families for validation: with `unseen` only they
    are asked for, else they are never in."""

    def __init__(self, seed: int, held_out: Sequence[str] = (), *, unseen: bool = False) -> None:
        self._rng = random.Random(seed)
        kept = [_without(domain, held_out, unseen) for domain in domains()]
        self._domains = [domain for domain in kept if domain.families]
        self._families = [family for domain in self._domains for family in domain.families]
        self._weights = [len(domain.families) for domain in self._domains]

    def conversation(self) -> Record:
        while True:
            try:
                return self._conversation()
            except Unfit:
                continue

    def _conversation(self) -> Record:
        rng = self._rng
        language: Language = "zh" if rng.random() < CHINESE else "en"
        today = FIRST_DAY + timedelta(days=rng.randrange((LAST_DAY - FIRST_DAY).days))
        setting = self._setting(Draw(rng, language, today))
        count = rng.choices(*_LENGTHS)[0]
        messages: list[Record] = []
        kinds: list[str] = []
        for number in range(count):
            kind = rng.choices(list(_WEIGHTS), list(_WEIGHTS.values()))[0]
            messages += _tried(_EXCHANGES[kind], setting, is_last=number == count - 1)
            kinds.append(kind)
        specs = [tool.spec for tool in setting.tools]
        return {
            "source": "generated",
            "category": "+".join(kinds),
            "language": language,
            "today": today.isoformat(),
            "tools": specs,
            "messages": messages,
        }

    def _setting(self, draw: Draw) -> Setting:
        """A domain and the tools on offer: mostly its own, so that the choice is between relatives."""
        rng = draw.rng
        domain = rng.choices(self._domains, self._weights)[0]
        wanted = rng.choices(*_OFFERS)[0]
        chosen: list[Family] = []
        own = rng.sample(domain.families, len(domain.families))
        others = rng.sample(self._families, min(len(self._families), 2 * MOST_TOOLS))
        share = rng.choice((1.0, 0.8, 0.5, 0.3))
        while len(chosen) < wanted and (own or others):
            pool = own if own and (rng.random() < share or not others or not chosen) else others
            family = pool.pop()
            if all(family.key != other.key and not _alike(family, other) for other in chosen):
                chosen.append(family)
        language: Language = "en" if draw.language == "en" or rng.random() < 0.5 else "zh"
        tools: dict[str, Tool] = {}
        for family in chosen:
            tool = make_tool(family, draw._replace(language=language))
            tools.setdefault(tool.name, tool)
        left = [family for family in domain.families if not any(_alike(family, tool.family) for tool in tools.values())]
        offered = list(tools.values())
        rng.shuffle(offered)
        return Setting(draw, domain, offered, [family for family in left if family not in chosen])


def _without(domain: Domain, held_out: Sequence[str], unseen: bool) -> Domain:
    families = tuple(family for family in domain.families if (family.key in held_out) == unseen)
    return Domain(domain.name, families, domain.unserved)


def _alike(one: Family, other: Family) -> bool:
    return other.key in one.also or one.key in other.also


def _tried(exchange: Callable[..., list[Record]], setting: Setting, *, is_last: bool) -> list[Record]:
    """Several times, so that what fits less often is not drawn less often."""
    for _ in range(TRIES):
        try:
            return exchange(setting, is_last=is_last)
        except Unfit:
            continue
    raise Unfit


def _single(setting: Setting, *, is_last: bool) -> list[Record]:
    exchange = Exchange(setting)
    tool = setting.draw.rng.choice(setting.tools)
    text, drawn = exchange.ask(tool)
    return _called(exchange, setting.dressed(text), [(tool, drawn)], is_last)


def _parallel(setting: Setting, *, is_last: bool) -> list[Record]:
    rng = setting.draw.rng
    exchange = Exchange(setting)
    count = rng.choices(*_COUNTS)[0]
    way = rng.random()
    if way < 0.45:
        text, calls = exchange.ask_for_several(rng.choice(setting.tools), count)
    elif way < 0.6:
        text, calls = exchange.ask_for_the_same(rng.choice(setting.tools))
    else:
        text, calls = exchange.ask_one_by_one(rng.choices(setting.tools, k=min(count, 4)))
    return _called(exchange, setting.dressed(text), calls, is_last)


def _called(exchange: Exchange, text: str, calls: list[tuple[Tool, dict[str, Drawn]]], is_last: bool) -> list[Record]:
    """The question, its calls, and mostly their results and the answer; sometimes a follow-up."""
    setting = exchange.setting
    rng = setting.draw.rng
    written = [call(tool, drawn) for tool, drawn in calls]
    if len({json.dumps(one, sort_keys=True) for one in written}) < len(written):
        raise Unfit
    messages: list[Record] = [{"role": "user", "content": text}, {"role": "assistant", "calls": written}]
    if is_last and rng.random() < 0.45:
        return messages
    messages += exchange.results_and_answer(calls)
    if len(calls) == 1 and rng.random() < 0.15 and (more := exchange.follow_up(*calls[0])):
        question, drawn = more
        messages += [{"role": "user", "content": question}, {"role": "assistant", "calls": [call(calls[0][0], drawn)]}]
        if not is_last or rng.random() < 0.5:
            messages += exchange.results_and_answer([(calls[0][0], drawn)])
    return messages


def _missing(setting: Setting, *, is_last: bool) -> list[Record]:
    exchange = Exchange(setting)
    rng = setting.draw.rng
    tools = [tool for tool in setting.tools if tool.family.missing]
    if not tools:
        raise Unfit
    tool = rng.choice(tools)
    gap, text, reply, drawn = exchange.ask_without(tool)
    messages: list[Record] = [
        {"role": "user", "content": setting.dressed(text)},
        {"role": "assistant", "content": reply},
    ]
    if rng.random() < 0.5:
        supplied = exchange.supply(tool, gap, drawn)
        if supplied is not None:
            words, whole = supplied
            messages += _called(exchange, words, [(tool, whole)], is_last)
    return messages


def _refusal(setting: Setting, *, is_last: bool) -> list[Record]:
    """A question that none of the tools is for, though it may be near to what they do."""
    rng = setting.draw.rng
    chinese = setting.draw.language == "zh"
    if setting.left and (rng.random() < 0.6 or not setting.domain.unserved):
        stranger = make_tool(rng.choice(setting.left), setting.draw)
        text, _ = Exchange(setting).ask(stranger)
    elif setting.domain.unserved:
        text = rng.choice(setting.domain.unserved)[1 if chinese else 0]
    else:
        raise Unfit
    reply = rng.choice(talk.REFUSALS_ZH if chinese else talk.REFUSALS)
    return [{"role": "user", "content": setting.dressed(text)}, {"role": "assistant", "content": reply}]


def _talk(setting: Setting, *, is_last: bool) -> list[Record]:
    question, reply, question_zh, reply_zh = setting.draw.rng.choice(talk.TALK)
    pair = (question_zh, reply_zh) if setting.draw.language == "zh" else (question, reply)
    return [{"role": "user", "content": pair[0]}, {"role": "assistant", "content": pair[1]}]


_EXCHANGES: dict[str, Callable[..., list[Record]]] = {
    "single": _single,
    "parallel": _parallel,
    "missing": _missing,
    "refusal": _refusal,
    "talk": _talk,
}
