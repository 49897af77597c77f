"""Results of any shape, told plainly: what is taught for tools whose results nobody could foresee."""

import json
from typing import Any

from .family import Draw, Kind
from .kinds import Amount, Choice, Code, Decimal, Integer, Percent, Word
from .times import Clock, Day
from .world import City, Country, Person

_STATES = Word(
    (
        "open",
        "closed",
        "confirmed",
        "pending",
        "delayed",
        "ready",
        "sold out",
        "in stock",
        "running",
        "approved",
        "low",
    ),
    ("营业中", "已关闭", "已确认", "待处理", "延误", "已就绪", "已售罄", "有货", "运行中", "已批准", "偏低"),
)
_TITLES = Word(
    ("Harbour Lights", "Blue Note Trio", "Room 14", "Spring Sale", "Northern Line", "Green Tea Latte", "Version 2.4"),
    ("海边的灯", "蓝调三重奏", "14号会议室", "春季促销", "北线", "绿茶拿铁", "2.4版"),
)
_SKY = Choice(
    {
        "sunny": (("sunny",), ("晴",)),
        "light rain": (("light rain",), ("小雨",)),
        "overcast": (("overcast",), ("阴",)),
        "cloudy": (("cloudy",), ("多云",)),
        "foggy": (("foggy",), ("有雾",)),
        "snow": (("snow",), ("下雪",)),
    }
)
# Name, name in Chinese, kind, and what may stand behind the value.
FIELDS: tuple[tuple[str, str, Kind, str], ...] = (
    ("temperature", "气温", Decimal(-20, 42), "°C"),
    ("feels_like", "体感温度", Integer(-20, 42), "°C"),
    ("humidity", "湿度", Integer(10, 99), "%"),
    ("conditions", "天气", _SKY, ""),
    ("wind_speed", "风速", Decimal(0, 90), " km/h"),
    ("price", "价格", Amount(2, 4_000), ""),
    ("total", "总计", Amount(5, 90_000), ""),
    ("rate", "汇率", Decimal(0.1, 160, 4), ""),
    ("result", "结果", Decimal(0, 90_000, 2), ""),
    ("distance_km", "距离", Decimal(0.2, 900), " km"),
    ("duration_minutes", "时长", Integer(3, 300), " min"),
    ("status", "状态", _STATES, ""),
    ("title", "标题", _TITLES, ""),
    ("name", "名称", Person(), ""),
    ("city", "城市", City(0), ""),
    ("country", "国家", Country(codes=False), ""),
    ("date", "日期", Day(-20, 90, words_too=False), ""),
    ("time", "时间", Clock(), ""),
    ("departure", "出发", Clock(), ""),
    ("arrival", "到达", Clock(), ""),
    ("count", "数量", Integer(0, 900), ""),
    ("rating", "评分", Decimal(1, 5), ""),
    ("score", "得分", Integer(0, 120), ""),
    ("confirmation", "确认号", Code(), ""),
    ("reference", "编号", Code(), ""),
    ("battery", "电量", Integer(1, 100), "%"),
    ("discount", "折扣", Percent(5, 60), ""),
    ("balance", "余额", Amount(3, 60_000), ""),
    ("calories", "热量", Integer(40, 1_400), " kcal"),
    ("weight_kg", "重量", Decimal(0.2, 140), " kg"),
    ("population", "人口", Amount(2_000, 30_000_000), ""),
    ("level", "级别", Word(("low", "medium", "high", "very high"), ("低", "中", "高", "很高")), ""),
)
_OPENINGS = (
    "{subject}: {told}.",
    "{told}.",
    "Here is what I found: {told}.",
    "For {subject}: {told}.",
    "The result: {told}.",
)
_OPENINGS_ZH = ("{subject}：{told}。", "{told}。", "查到了：{told}。", "结果：{told}。", "{subject}的结果：{told}。")


def any_result(draw: Draw, subject: str) -> tuple[str, str]:
    """A result with fields that nobody foresaw, and a plain answer from it."""
    rng = draw.rng
    chosen = rng.sample(FIELDS, rng.choices((1, 2, 3, 4, 5), (20, 30, 25, 15, 10))[0])
    chinese = draw.language == "zh"
    drawn = [
        (name, zh if chinese else name.replace("_", " "), _value(kind, draw), unit) for name, zh, kind, unit in chosen
    ]
    if rng.random() < 0.4:
        separator = rng.choice((", ", "; ", " / ") if not chinese else ("，", "；", ", "))
        text = separator.join(f"{name}{': ' if not chinese else '：'}{value}{unit}" for _, name, value, unit in drawn)
        if subject and rng.random() < 0.4:
            text = f"{subject}: {text}"
        return text, plainly(text, subject, draw)
    values = {name: value for name, _, value, _ in drawn}
    told = ("，" if chinese else ", ").join(f"{name}{'' if chinese else ' '}{value}" for _, name, value, _ in drawn)
    return json.dumps(values, ensure_ascii=False), _opened(told, subject, draw)


def plainly(text: str, subject: str, draw: Draw) -> str:
    """A result that is text already, told as it stands."""
    told = text.rstrip(".。")
    return _opened(told, "" if subject and subject in told else subject, draw)


def _opened(told: str, subject: str, draw: Draw) -> str:
    openings = _OPENINGS_ZH if draw.language == "zh" else _OPENINGS
    fitting = [opening for opening in openings if subject or "{subject}" not in opening]
    answer = draw.rng.choice(fitting).format(subject=subject, told=told)
    return answer[0].upper() + answer[1:]


def _value(kind: Kind, draw: Draw) -> Any:
    drawn = kind.draw(draw)
    match drawn.meaning:
        case int() | float():
            return drawn.meaning
        case str():
            return drawn.said.strip("\"'“”")
        case _ if hasattr(drawn.meaning, "isoformat"):
            return drawn.meaning.isoformat()[:10] if hasattr(drawn.meaning, "year") else drawn.meaning.strftime("%H:%M")
        case _:
            return drawn.said
