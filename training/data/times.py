"""Days, times of day, moments and spans of time: said as people say them, wanted as schemas want them."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from .family import Draw, Drawn, Form
from .kinds import STRING, meant
from .speech import chinese_words, english_words

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_WEEK = "一二三四五六日"


@dataclass(frozen=True)
class Day:
    """A day from `least` to `most` days after today. Schemas want it as YYYY-MM-DD, or in the user's own words."""

    least: int = 0
    most: int = 60
    words_too: bool = True

    def draw(self, draw: Draw) -> Drawn:
        distance = draw.rng.randint(self.least, self.most)
        if draw.rng.random() < 0.55 and max(self.least, -7) < min(self.most, 13):
            distance = draw.rng.randint(max(self.least, -7), min(self.most, 13))
        day = draw.today + timedelta(days=distance)
        return Drawn(say_day(day, draw), day)

    @property
    def forms(self) -> tuple[Form, ...]:
        iso = Form({"type": "string"}, _iso, "YYYY-MM-DD", "格式 YYYY-MM-DD")
        marked = Form({"type": "string", "format": "date"}, _iso)
        long = Form({"type": "string"}, _iso, "in ISO format, e.g. 2026-01-31", "ISO 格式，如 2026-01-31")
        own = Form({"type": "string"}, _said_day, "as the user said it", "按用户原话")
        return (iso, iso, marked, long, own) if self.words_too else (iso, iso, marked, long)


def _iso(drawn: Drawn) -> str:
    return drawn.meaning.isoformat()


def _said_day(drawn: Drawn) -> str:
    return drawn.said.removeprefix("on ")


def say_day(day: date, draw: Draw) -> str:
    """A day as somebody would say it today; without a preposition, but for "in three days"."""
    near = _near_zh(day, draw) if draw.language == "zh" else _near(day, draw)
    if near and draw.rng.random() < 0.75:
        return draw.rng.choice(near)
    return draw.rng.choice(_far_zh(day, draw) if draw.language == "zh" else _far(day, draw))


def _near(day: date, draw: Draw) -> list[str]:
    distance, name = (day - draw.today).days, _DAYS[day.weekday()]
    same_week = draw.today - timedelta(days=draw.today.weekday()) <= day
    next_week = timedelta(0) <= day - (draw.today + timedelta(days=7 - draw.today.weekday())) < timedelta(days=7)
    said = {0: ["today"], 1: ["tomorrow"], 2: ["the day after tomorrow"], -1: ["yesterday"]}.get(distance, [])
    if 0 < distance < 7:
        said += [name, name, f"this {name}", f"this coming {name}"] if same_week and not next_week else [name]
    if next_week:
        said += [f"next {name}", f"{name} next week"]
    if -7 <= distance < 0 and distance != -1:
        said += [f"last {name}"]
    if 1 < distance < 12:
        said += [f"in {english_words(distance)} days", f"in {distance} days"]
    if distance in (7, 14, 21):
        weeks = distance // 7
        said += ["in a week", "a week from today"] if weeks == 1 else [f"in {english_words(weeks)} weeks"]
    return said


def _far(day: date, draw: Draw) -> list[str]:
    month, short, number = _MONTHS[day.month - 1], _MONTHS[day.month - 1][:3], day.day
    said = [f"{month} {number}", f"{number} {month}", f"{month} {_th(number)}", f"the {_th(number)} of {month}"]
    said += [f"{short} {number}", f"{month.lower()} {_th(number)}", day.isoformat()]
    if abs((day - draw.today).days) > 300 or draw.rng.random() < 0.2:
        return [f"{month} {number}, {day.year}", f"{number} {month} {day.year}", f"{short} {_th(number)}, {day.year}"]
    return said


def _th(number: int) -> str:
    ending = "th" if 10 < number < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def _near_zh(day: date, draw: Draw) -> list[str]:
    distance, name = (day - draw.today).days, _WEEK[day.weekday()]
    monday = draw.today - timedelta(days=draw.today.weekday())
    weeks = (day - monday).days // 7
    said = {0: ["今天"], 1: ["明天"], 2: ["后天"], 3: ["大后天"], -1: ["昨天"], -2: ["前天"]}.get(distance, [])
    week = draw.rng.choice(("周", "周", "星期", "礼拜"))
    said = [*said, *said]
    if distance > 0 and weeks == 0:
        said += [f"{week}{name}", f"这{week}{name}", f"本周{name}"]
    if weeks == 1:
        said += [f"下{week}{name}"]
    if weeks == -1:
        said += [f"上{week}{name}"]
    if 2 < distance < 12:
        said += [f"{chinese_words(distance)}天后", f"{distance}天后"]
    return said


def _far_zh(day: date, draw: Draw) -> list[str]:
    number = f"{day.month}月{day.day}"
    words = f"{chinese_words(day.month)}月{chinese_words(day.day)}号"
    if abs((day - draw.today).days) > 300 or draw.rng.random() < 0.2:
        return [f"{day.year}年{number}日", f"{day.year}年{number}号"]
    return [f"{number}日", f"{number}号", f"{number}号", words, day.isoformat()]


@dataclass(frozen=True)
class Clock:
    """A time of day between two hours, on a quarter or five minutes. Schemas want it as HH:MM."""

    first: int = 6
    last: int = 22

    def draw(self, draw: Draw) -> Drawn:
        minute = draw.rng.choice((0, 0, 0, 30, 30, 15, 45, 5 * draw.rng.randrange(12)))
        moment = time(draw.rng.randint(self.first, self.last), minute)
        return Drawn(say_time(moment, draw), moment)

    @property
    def forms(self) -> tuple[Form, ...]:
        plain = Form({"type": "string"}, _hours, "HH:MM", "格式 HH:MM")
        long = Form({"type": "string"}, _hours, "24-hour clock, e.g. 14:30", "24 小时制，如 14:30")
        return plain, plain, long, Form(STRING, _said_time, "as the user said it", "按用户原话")


def _hours(drawn: Drawn) -> str:
    return drawn.meaning.strftime("%H:%M")


def _said_time(drawn: Drawn) -> str:
    return drawn.said


def say_time(moment: time, draw: Draw) -> str:
    return draw.rng.choice(_times_zh(moment) if draw.language == "zh" else _times(moment, draw))


def _times(moment: time, draw: Draw) -> list[str]:
    hour, minute = moment.hour, moment.minute
    on_dial = (hour - 1) % 12 + 1
    half = "am" if hour < 12 else "pm"
    figure = f"{on_dial}:{minute:02}" if minute else str(on_dial)
    said = [f"{figure} {half}", f"{figure}{half}", f"{figure} {half.upper()}", f"{hour}:{minute:02}"]
    if moment == time(12):
        said += ["noon", "noon"]
    part = "in the morning" if hour < 12 else "in the afternoon" if hour < 18 else "in the evening"
    if minute == 0 and draw.rng.random() < 0.3:
        said = [f"{english_words(on_dial)} {part}", f"{on_dial} {part}", f"{on_dial} o'clock {part}"]
    if minute == 30 and draw.rng.random() < 0.2:
        said = [f"half past {english_words(on_dial)} {part}"]
    return said


def _times_zh(moment: time) -> list[str]:
    hour, minute = moment.hour, moment.minute
    part = "凌晨" if hour < 6 else "早上" if hour < 9 else "上午" if hour < 12 else "中午" if hour == 12 else "下午"
    part = "晚上" if hour >= 18 else part
    on_dial = hour if hour <= 12 else hour - 12
    word = "两" if on_dial == 2 else chinese_words(on_dial)
    behind, figure = {0: ("", ""), 30: ("半", "半"), 15: ("一刻", "15分")}.get(
        minute, (f"{chinese_words(minute)}分", f"{minute:02}分")
    )
    return [
        f"{part}{word}点{behind}",
        f"{part}{on_dial}点{figure}",
        f"{part}{on_dial}:{minute:02}",
        f"{hour}:{minute:02}",
    ]


@dataclass(frozen=True)
class Moment:
    """A day and a time of day. The words are "{day} at {time}"; a schema wants YYYY-MM-DDTHH:MM or the like."""

    day: Day = Day(0, 30)
    clock: Clock = Clock()

    def draw(self, draw: Draw) -> Drawn:
        day, clock = self.day.draw(draw), self.clock.draw(draw)
        moment = datetime.combine(day.meaning, clock.meaning)
        if draw.language == "zh":
            gap = " " if day.said[-1].isdigit() else ""
            return Drawn(f"{day.said}{gap}{clock.said}", moment)
        orders = (f"{day.said} at {clock.said}", f"{day.said} at {clock.said}", f"{clock.said} {day.said}")
        return Drawn(draw.rng.choice(orders), moment)

    @property
    def forms(self) -> tuple[Form, ...]:
        def form(pattern: str, about: str) -> Form:
            return Form({"type": "string"}, lambda drawn: drawn.meaning.strftime(pattern), about, f"格式 {about}")

        return (
            form("%Y-%m-%dT%H:%M", "YYYY-MM-DDTHH:MM"),
            form("%Y-%m-%d %H:%M", "YYYY-MM-DD HH:MM"),
            form("%Y-%m-%dT%H:%M:00", "YYYY-MM-DDTHH:MM:SS"),
        )


@dataclass(frozen=True)
class Period:
    """Some days or times in a row, as parts `start` and `end`: use it with `PartOf(key, "start")`.

    The words are "from … to …", in Chinese "…到…".
    """

    kind: Day | Clock = Day(1, 40)
    longest: int = 14

    def draw(self, draw: Draw) -> Drawn:
        first = self.kind.draw(draw)
        rng = draw.rng
        if isinstance(self.kind, Clock):
            minutes = first.meaning.hour * 60 + first.meaning.minute + rng.choice((30, 45, 60, 60, 90, 120, 180))
            end: Any = time(min(minutes, 23 * 60 + 45) // 60, min(minutes, 23 * 60 + 45) % 60)
            last = say_time(end, draw)
            start, finish = _hours(first), end.strftime("%H:%M")
        else:
            end = first.meaning + timedelta(days=rng.randint(1, self.longest))
            last, start, finish = say_day(end, draw), first.meaning.isoformat(), end.isoformat()
        if draw.language == "zh":
            said = rng.choice((f"{first.said}到{last}", f"从{first.said}到{last}", f"{first.said}至{last}"))
        else:
            said = rng.choice((f"from {first.said} to {last}", f"from {first.said} until {last}"))
        return Drawn(said, {"start": start, "end": finish})

    @property
    def forms(self) -> tuple[Form, ...]:
        properties: dict[str, Any] = {"start": {"type": "string"}, "end": {"type": "string"}}
        return (Form({"type": "object", "properties": properties, "required": ["start", "end"]}, meant),)


@dataclass(frozen=True)
class Duration:
    """A span of time, in `unit`: "minutes", "seconds", "hours", "days" or "months". The meaning is a count of it."""

    unit: str = "minutes"
    values: tuple[int, ...] = (5, 10, 15, 20, 25, 30, 40, 45, 60, 75, 90, 105, 120, 150, 180, 240)

    def draw(self, draw: Draw) -> Drawn:
        value = draw.rng.choice(self.values)
        return Drawn(
            draw.rng.choice(_spans_zh(value, self.unit) if draw.language == "zh" else _spans(value, self.unit)), value
        )

    @property
    def forms(self) -> tuple[Form, ...]:
        zh = {
            "minutes": "分钟",
            "seconds": "秒",
            "hours": "小时",
            "days": "天",
            "months": "月",
            "years": "年",
            "weeks": "周",
        }
        plain = Form({"type": "integer"}, meant, f"in {self.unit}", f"单位：{zh[self.unit]}")
        number = Form({"type": "number"}, meant, f"in {self.unit}", f"单位：{zh[self.unit]}")
        return plain, plain, number


_LARGER: dict[str, tuple[int, str, str]] = {
    "minutes": (60, "hour", "小时"),
    "seconds": (60, "minute", "分钟"),
    "days": (7, "week", "周"),
    "months": (12, "year", "年"),
}
_OWN_ZH = {
    "minutes": "分钟",
    "seconds": "秒",
    "hours": "小时",
    "days": "天",
    "months": "个月",
    "years": "年",
    "weeks": "周",
}


def _spans(value: int, unit: str) -> list[str]:
    one = unit.removesuffix("s")
    said = [f"{value} {unit if value != 1 else one}"] * 2
    if 1 < value <= 20:
        said.append(f"{english_words(value)} {unit}")
    if unit in _LARGER:
        size, larger, _ = _LARGER[unit]
        article = "an" if larger == "hour" else "a"
        whole, rest = divmod(value, size)
        if not rest:
            said += (
                [f"{article} {larger}", f"1 {larger}"]
                if whole == 1
                else [f"{whole} {larger}s", f"{english_words(whole)} {larger}s"]
            )
        elif rest * 2 == size:
            said += [f"half {article} {larger}"] if not whole else [f"{value / size:g} {larger}s"]
            said += [f"{article} {larger} and a half"] if whole == 1 else []
            said += [f"{english_words(whole)} and a half {larger}s"] if whole > 1 else []
    return said


def _spans_zh(value: int, unit: str) -> list[str]:
    said = [f"{value}{_OWN_ZH[unit]}"] * 2
    if value < 100:
        said.append(f"{'两' if value == 2 else chinese_words(value)}{_OWN_ZH[unit]}")
    if unit in _LARGER:
        size, _, larger = _LARGER[unit]
        measure = "个" if larger == "小时" else ""
        whole, rest = divmod(value, size)
        count = "两" if whole == 2 else chinese_words(whole)
        if not rest:
            said += [f"{whole}{measure}{larger}", f"{count}{measure}{larger}"]
        elif rest * 2 == size and larger in ("小时", "年"):
            said += (
                [f"半{measure if larger == '小时' else ''}{larger}"]
                if not whole
                else [f"{count}{measure or ''}半{larger}" if measure else f"{count}年半"]
            )
    return said
