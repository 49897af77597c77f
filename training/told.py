"""Make conversations whose answers tell every figure of their results: `data/told.txt` and its words, drawn by chance.

What is answered from a result has to be true to it, whatever its form: flat or nested, a list, text, nothing found, or
an error. A conversation offers a few tools, asks for one or several calls, and ends with the answer.
"""

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Literal

from .render import Record

DATA = Path(__file__).with_name("data")
Language = Literal["en", "zh"]
# A text in English and in Chinese.
Pair = tuple[str, str]

PARALLEL, FAILED, EMPTY = 0.35, 0.08, 0.06
TALKS, REFUSED = 0.1, 0.12
MAX_CALLS, MAX_ENTRIES, MAX_OTHER_TOOLS = 4, 4, 5
MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November")
ERRORS: tuple[tuple[str, Pair], ...] = (
    ("Error: request timed out after 10 s", ("the service did not answer in time", "服务没有及时回应")),
    ('{"error": "service unavailable", "retry": true}', ("the service is not available right now", "服务暂时不可用")),
    ("403 Forbidden: missing permission", ("I don't have permission for that", "没有权限")),
    ('{"error": {"code": 404, "message": "not found"}}', ("it was not found", "没有找到")),
    ("quota exceeded for today", ("today's quota is used up", "今天的额度已用完")),
    ('{"ok": false, "reason": "connection refused"}', ("the connection was refused", "连接被拒绝")),
    ("invalid input", ("the input was not accepted", "输入不被接受")),
)
NOTHING: Pair = ("I found nothing for that.", "没有找到相关结果。")
REFUSALS: tuple[Pair, ...] = (
    ("I can't {} here: none of my tools is for that.", "我没法{}，手头没有这样的工具。"),
    ("Sorry, I can't {}.", "抱歉，我不能{}。"),
    ("I'm afraid I have no way to {}.", "抱歉，我这里没办法{}。"),
)
EMPTY_TEXTS = ("[]", "No results", '{"results": []}', "没有结果")
LINKS: tuple[Pair, ...] = ((" Also: ", "另外，"), (" And ", "还有，"), (" ", " "), ("\n", "\n"), (" Then, ", "然后，"))
# Fields that an answer leaves out, since nobody asks for them.
NOISE = (("status", "ok"), ("cached", False), ("request_id", "r-8f21"), ("source", "live"), ("success", True), ("v", 2))
WRAPPERS = ("result", "data", "response", "payload")


@dataclass
class Field:
    """A field of a result: its names, the kind of its value, how it is told."""

    names: list[str]
    kind: str
    told: Pair


@dataclass
class Domain:
    """A tool, what is asked of it, and what it gives back."""

    name: str
    about: str
    parameters: dict[str, str]
    asks: dict[Language, list[str]] = field(default_factory=lambda: {"en": [], "zh": []})
    begins: Pair = ("", "")
    failed: Pair = ("", "")
    fields: list[Field] = field(default_factory=list)
    # The names of the list that holds entries with these fields; none where the result is one thing.
    lists: list[str] = field(default_factory=list)


@dataclass
class Exchange:
    """One call with its question, its result and how that is told."""

    question: str
    call: Record
    result: Record
    answer: str


def records(count: int, seed: int = 0) -> Iterator[Record]:
    """So many conversations; the same seed makes the same ones."""
    rng = random.Random(f"told {seed}")
    for _ in range(count):
        chance = rng.random()
        if chance < TALKS:
            yield _without_call(rng, *rng.choice(talks()))
        elif chance < TALKS + REFUSED:
            yield _refused(rng)
        else:
            yield _record(rng)


@cache
def domains() -> list[Domain]:
    blocks = (DATA / "told.txt").read_text(encoding="utf-8").split("\n\n")[1:]
    return [_domain(block.strip().splitlines()) for block in blocks]


@cache
def words() -> dict[str, list[Pair]]:
    found: dict[str, list[Pair]] = {}
    for line in (DATA / "told_words.txt").read_text(encoding="utf-8").splitlines()[1:]:
        kind, _, entries = line.partition(": ")
        pairs = (entry.partition("=") for entry in entries.split("; "))
        found[kind] = [(english, chinese or english) for english, _, chinese in pairs]
    return found


@cache
def talks() -> list[tuple[str, str]]:
    """Questions that need no tool, with their answers."""
    lines = (DATA / "told_talks.txt").read_text(encoding="utf-8").splitlines()[1:]
    return [(question, answer) for question, _, answer in (line.partition(" => ") for line in lines if line)]


def _domain(lines: list[str]) -> Domain:
    head, about = lines[0].split(" : ")
    name, *parameters = head.split()
    domain = Domain(name, about, dict(parameter.split("=") for parameter in parameters))
    for line in lines[1:]:
        sign, text = line[0], line[1:].strip(" ")
        match sign:
            case "?":
                domain.asks["en"].append(text)
            case "？":
                domain.asks["zh"].append(text)
            case "=":
                domain.begins = _pair(line[2:])
            case "!":
                domain.failed = _pair(text)
            case "*":
                domain.lists = text.split("/")
            case _:
                names, kind, english, chinese = line.split(" | ")
                domain.fields.append(Field(names.split("/"), kind, (english, chinese)))
    return domain


def _pair(text: str) -> Pair:
    english, chinese = text.split(" | ")
    return english, chinese


def _record(rng: random.Random) -> Record:
    language: Language = rng.choice(("en", "zh"))
    today = date(2024, 1, 1) + timedelta(days=rng.randrange(1800))
    count = rng.randint(2, MAX_CALLS) if rng.random() < PARALLEL else 1
    asked = rng.sample(domains(), count) if rng.random() < 0.5 else [rng.choice(domains())] * count
    others = [one for one in rng.sample(domains(), rng.randint(0, MAX_OTHER_TOOLS)) if one not in asked]
    names = {one.name: _renamed(one.name, rng) for one in [*asked, *others]}
    made = [_exchange(domain, names[domain.name], language, today, rng) for domain in asked]
    exchanges = list({one.question: one for one in made}.values())
    offered = list({one.name: one for one in [*asked, *others]}.values())
    rng.shuffle(offered)
    messages = [
        {"role": "user", "content": _joined_questions([one.question for one in exchanges], language, rng)},
        {"role": "assistant", "calls": [one.call for one in exchanges]},
        *(one.result for one in exchanges),
        {"role": "assistant", "content": _joined_answers([one.answer for one in exchanges], language, rng)},
    ]
    tools = [_tool(domain, names[domain.name]) for domain in offered]
    return {**_own(language), "today": str(today), "tools": tools, "messages": messages}


def _refused(rng: random.Random) -> Record:
    """What is asked for is what one tool does, and that one is not on offer."""
    domain = rng.choice(domains())
    language: Language = rng.choice(("en", "zh"))
    side = 0 if language == "en" else 1
    arguments = {key: _argument(kind, date(2026, 1, 1), rng) for key, kind in domain.parameters.items()}
    said = {key: _said(one[side] if isinstance(one, tuple) else one, language) for key, one in arguments.items()}
    question = rng.choice(domain.asks[language]).format(**said)
    return _without_call(rng, question, rng.choice(REFUSALS)[side].format(domain.failed[side].format(**said)), domain)


def _without_call(rng: random.Random, question: str, answer: str, left_out: Domain | None = None) -> Record:
    offered = [one for one in rng.sample(domains(), rng.randint(1, MAX_OTHER_TOOLS)) if one is not left_out]
    language: Language = "zh" if any("\u4e00" <= sign <= "\u9fff" for sign in question) else "en"
    messages = [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]
    tools = [_tool(domain, _renamed(domain.name, rng)) for domain in offered or [domains()[0]]]
    today = str(date(2024, 1, 1) + timedelta(days=rng.randrange(1800)))
    return {**_own(language), "today": today, "tools": tools, "messages": messages}


def _own(language: Language) -> Record:
    return {"source": "told", "license": "MIT", "category": "told", "language": language}


def _exchange(domain: Domain, name: str, language: Language, today: date, rng: random.Random) -> Exchange:
    side = 0 if language == "en" else 1
    given = {key: _argument(kind, today, rng) for key, kind in domain.parameters.items()}
    arguments = {key: value[side] if isinstance(value, tuple) else value for key, value in given.items()}
    said = {key: _said(value, language) for key, value in arguments.items()}
    question = rng.choice(domain.asks[language]).format(**said)
    call = {"name": name, "arguments": {key: str(v) if isinstance(v, date) else v for key, v in arguments.items()}}
    begins, chance = domain.begins[side].format(**said), rng.random()
    if chance < FAILED:
        content, reason = rng.choice(ERRORS)
        tried = domain.failed[side].format(**said)
        told = f"I couldn't {tried}: {reason[0]}." if language == "en" else f"没能{tried}：{reason[1]}。"
        return Exchange(question, call, {"role": "tool", "content": content, "failed": True}, told)
    if domain.lists and chance < FAILED + EMPTY:
        return Exchange(question, call, {"role": "tool", "content": rng.choice(EMPTY_TEXTS)}, NOTHING[side])
    content, told = _result(domain, language, today, said, rng)
    return Exchange(question, call, {"role": "tool", "content": content}, _sentence(begins, told, language))


def _result(
    domain: Domain, language: Language, today: date, said: dict[str, str], rng: random.Random
) -> tuple[str, str]:
    """What the tool gives back, and how it is told."""
    if not domain.lists:
        entry, told = _entry(domain, domain.fields, language, today, said, rng)
        return _written(entry, rng), told
    fields = domain.fields[: 1 + rng.randint(1, len(domain.fields) - 1)]
    names = [rng.choice(one.names) for one in fields]
    made = [
        _entry(domain, fields, language, today, said, rng, names)
        for _ in range(rng.choice((1, 2, 2, 3, 3, MAX_ENTRIES)))
    ]
    entries = list({json.dumps(entry, ensure_ascii=False): (entry, told) for entry, told in made}.values())
    told = ("; " if language == "en" else "；").join(told for _, told in entries)
    listed: list[Record] = [entry for entry, _ in entries]
    shape = rng.random()
    if shape < 0.25:
        return json.dumps(listed, ensure_ascii=False), told
    if shape < 0.45:
        return "\n".join(rng.choice((" - ", ", ", " | ")).join(map(str, entry.values())) for entry in listed), told
    around: Record = {rng.choice(domain.lists): listed} | ({"total": len(listed)} if rng.random() < 0.3 else {})
    return json.dumps(_wrapped(around, rng), ensure_ascii=False), told


def _entry(
    domain: Domain,
    fields: list[Field],
    language: Language,
    today: date,
    said: dict[str, str],
    rng: random.Random,
    names: list[str] | None = None,
) -> tuple[Record, str]:
    """Some of the fields with values; of an entry in a list all of them."""
    side = 0 if language == "en" else 1
    if names is None:
        count = rng.randint(1, len(fields))
        fields = [one for one in fields if one in rng.sample(fields, count)] or fields[:1]
        names = [rng.choice(one.names) for one in fields]
    values = [_value(one.kind, side, today, rng) for one in fields]
    entry = {name: str(value) if isinstance(value, date) else value for name, value in zip(names, values, strict=True)}
    parts = [
        one.told[side].replace("{}", _said(value, language)).format(**said).strip()
        for one, value in zip(fields, values, strict=True)
    ]
    if domain.lists and len(parts) > 1:
        rest = (", " if language == "en" else "，").join(parts[1:])
        return entry, f"{parts[0]} ({rest})" if rng.random() < 0.5 and language == "en" else _listed(
            [parts[0], rest], language
        )
    return entry, _listed(parts, language)


def _listed(parts: list[str], language: Language) -> str:
    if language == "zh":
        return "，".join(parts)
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}{' and' if len(parts) > 2 else ','} {parts[-1]}"


def _written(entry: Record, rng: random.Random) -> str:
    """One thing as JSON, or as text of a few forms."""
    shape = rng.random()
    if shape < 0.6:
        return json.dumps(_wrapped(entry, rng), ensure_ascii=False)
    if shape < 0.75:
        return "\n".join(f"{name}: {value}" for name, value in entry.items())
    if shape < 0.9:
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in entry.items())
    return "; ".join(f"{name}={value}" for name, value in entry.items())


def _wrapped(entry: Record, rng: random.Random) -> Record:
    if rng.random() < 0.3:
        entry = entry | dict(rng.sample(NOISE, rng.randint(1, 2)))
    if rng.random() < 0.25:
        entry = {rng.choice(WRAPPERS): entry} | (dict(rng.sample(NOISE, 1)) if rng.random() < 0.5 else {})
    return entry


def _sentence(begins: str, told: str, language: Language) -> str:
    # A number and a figure behind it stay two.
    text = begins + (" " if begins[-1:].isdigit() and told[:1].isdigit() else "") + told
    if text.partition(" ")[0].isalpha():
        text = text[:1].upper() + text[1:]
    return text + ("." if language == "en" else "。")


def _joined_questions(questions: list[str], language: Language, rng: random.Random) -> str:
    link = rng.choice(LINKS)[0 if language == "en" else 1]
    return link.join(dict.fromkeys(questions))


def _joined_answers(answers: list[str], language: Language, rng: random.Random) -> str:
    return rng.choice(("\n", " " if language == "en" else "")).join(answers)


def _argument(kind: str, today: date, rng: random.Random) -> Any:
    match kind:
        case "day":
            return today + timedelta(days=rng.randint(-3, 20))
        case "clock":
            return f"{rng.randint(7, 22):02}:{rng.choice((0, 15, 30, 45)):02}"
        case "small":
            return rng.randint(2, 9)
        case "temp":
            return rng.randint(15, 26)
        case "money" | "grams":
            return rng.choice((25, 40, 50, 75, 80, 100, 120, 150, 200, 250, 300, 450, 600))
        case "parcel" | "order":
            return f"{rng.choice('ABKQTXZ')}{rng.randint(10_000, 999_999)}"
        case _:
            return rng.choice(words()[kind])


def _value(kind: str, side: int, today: date, rng: random.Random) -> Any:
    name, *limits = kind.split()
    match name:
        case "int":
            return rng.randint(int(limits[0]), int(limits[1]))
        case "dec":
            return round(rng.uniform(float(limits[0]), float(limits[1])), int(limits[2]))
        case "money":
            return rng.choice((rng.randint(5, 400), round(rng.uniform(5, 400), 2)))
        case "pick":
            return rng.choice(words()[limits[0]])[side]
        case "day":
            return today + timedelta(days=rng.randint(0, 30))
        case "time":
            return f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}"
        case "score":
            return f"{rng.randint(0, 6)}:{rng.randint(0, 6)}"
        case "phone":
            return f"+{rng.randint(30, 99)} {rng.randint(100, 999)} {rng.randint(1000, 9999)}"
        case "code3":
            return rng.choice(("USD", "EUR", "CNY", "JPY", "GBP", "CHF"))
        case "train" | "flight" | "ticket" | "code":
            letters = rng.choice("ABCDGKLMPRTVX") + rng.choice("ACEGKMRSU")
            return f"{letters}{'-' if name == 'ticket' else ''}{rng.randint(12, 9899)}"
        case _:
            raise ValueError(f"{kind} is not a kind of value")


def _said(value: Any, language: Language) -> str:
    if not isinstance(value, date):
        return str(value)
    if language == "zh":
        return f"{value.month}月{value.day}日"
    return f"on {(*MONTHS, 'December')[value.month - 1]} {value.day}"


def _renamed(name: str, rng: random.Random) -> str:
    """The same name in one of the styles that tools have."""
    first, *rest = name.split("_")
    return rng.choice((name, name, first + "".join(map(str.title, rest)), f"{first}.{'_'.join(rest)}", f"api_{name}"))


def _tool(domain: Domain, name: str) -> Record:
    numbers = ("small", "temp", "money", "grams")
    properties: Record = {
        key: {"type": "string", "format": "date"}
        if kind == "day"
        else {"type": "integer" if kind in numbers else "string", "description": _spaced(key)}
        for key, kind in domain.parameters.items()
    }
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": domain.about + ".", "parameters": parameters}


def _spaced(name: str) -> str:
    return re.sub(r"_", " ", name).capitalize()
