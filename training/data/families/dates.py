"""Sums with dates: days between, ages, days added, countdowns, weekdays; and other ways to write numbers."""

from datetime import date, timedelta

from training.data.family import Ask, Domain, Draw, Drawn, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Made, Word
from training.data.sums import Result
from training.data.times import Day, Duration, say_day

ISO = Day(words_too=False).forms


def _from(least: int, most: int) -> Made:
    """A day so far from today that it is said by its date."""

    def make(draw: Draw) -> Drawn:
        day = draw.today + timedelta(days=draw.rng.randint(least, most))
        return Drawn(say_day(day, draw), day)

    return Made(make, ISO)


def _named(draw: Draw) -> Drawn:
    """A day by its name or date: no "in three days", which reads badly after "a countdown to"."""
    while True:
        drawn = _COMING.draw(draw)
        if not drawn.said.startswith("in ") and not drawn.said.endswith(("天后", "from today")):
            return drawn


_COMING = Day(1, 200)


def _start(draw: Draw) -> Drawn:
    return draw.rng.choice((Day(-12, 0), _from(22, 150))).draw(draw)


def _long_ago(draw: Draw) -> Drawn:
    day = draw.today - timedelta(days=draw.rng.randint(800, 30_000))
    return Drawn(say_day(day, draw), day)


EVENTS = Word(
    (
        *("the exam", "our wedding", "the trip to Rome", "the marathon", "my birthday", "the deadline", "moving day"),
        *("the concert", "the summer holidays", "the job interview", "the school play", "mum's operation"),
        *("the product launch", "graduation", "the family reunion", "the baby's due date", "opening night"),
        *("the tax deadline", "the final", "the ski trip", "my driving test", "the conference", "the move"),
        *("the new season", "the housewarming", "our anniversary"),
    ),
    (
        *("考试", "婚礼", "去罗马的旅行", "马拉松", "生日", "截止日期", "搬家", "演唱会", "暑假", "面试", "文艺汇演"),
        *("妈妈的手术", "产品发布会", "毕业典礼", "家庭聚会", "预产期", "首演", "报税截止日", "决赛", "滑雪旅行"),
        *("驾考", "开会", "新一季开播", "结婚纪念日", "高考"),
    ),
)

BETWEEN = Family(
    key="dates.between",
    names=("days_between", "date_difference", "count_days", "date_diff"),
    about=("Days between two dates.", "Counts the days from one date to another.", "Difference of two dates in days."),
    about_zh=("计算两个日期相差多少天。", "从一个日期到另一个日期的天数。"),
    params=(
        Param("start", _from(22, 150), ("start_date", "from_date", "date1", "start"), ("First day",), ("开始日期",)),
        Param("end", _from(160, 295), ("end_date", "to_date", "date2", "end"), ("Last day",), ("结束日期",)),
        Param(
            "working", Flag(), ("business_days", "workdays_only"), ("Count working days only",), ("只算工作日",), False
        ),
    ),
    asks=(
        "How many days are there between {start} and {end}?",
        "days from {start} to {end}",
        "My leave goes from {start} to {end}, how many days is that?",
        Ask("How many working days lie between {start} and {end}?", {"working": True}),
        "We rent the house on {start} and give it back on {end}. How long is that?",
        "count the days, {start} until {end}",
        "how long is it from {start} to {end}",
        Ask("business days from {start} to {end}, weekends don't count", {"working": True}),
        "If a course starts on {start} and ends on {end}, how many days does it last?",
        "The guarantee runs {start} to {end}: number of days?",
        "what's the difference between {start} and {end} in days",
    ),
    asks_zh=(
        "{start}到{end}有多少天？",
        "从{start}到{end}一共几天",
        "我的假期是{start}到{end}，是多少天？",
        Ask("{start}到{end}之间有多少个工作日？", {"working": True}),
        "房子{start}租，{end}退，住多少天",
        "{start}和{end}相差几天",
        Ask("{start}至{end}，除去周末有几天", {"working": True}),
        "课程{start}开始，{end}结束，持续多少天？",
        "算一下{start}距离{end}多少天",
    ),
    outcomes=(
        Outcome(
            fields=(("days", Result(12, 280)),),
            texts=("{days} days", "{days}"),
            texts_zh=("{days}天",),
            answers=("That's {days} days.", "There are {days} days between them.", "{days} days."),
            answers_zh=("一共{days}天。", "相差{days}天。", "是{days}天。"),
        ),
    ),
    missing=(
        Missing(
            key="end",
            asks=("How many days is it from {start}?", "Count the days starting on {start}."),
            replies=("Until which day?", "What is the last day?"),
            asks_zh=("从{start}开始有多少天？", "帮我从{start}数天数"),
            replies_zh=("请问到哪一天？", "结束日期是哪天？"),
        ),
    ),
    also=("dates.countdown",),
)

AGE = Family(
    key="dates.age",
    names=("age_from_birthday", "calculate_age", "how_old", "age_calculator"),
    about=(
        "Age of a person from the date of birth.",
        "How old somebody is, in years.",
        "Age on a day, today by default.",
    ),
    about_zh=("根据出生日期计算年龄。", "算一个人多大了。"),
    params=(
        Param(
            "birthday",
            Made(_long_ago, ISO),
            ("birth_date", "date_of_birth", "birthday", "dob"),
            ("Born on",),
            ("出生日期",),
        ),
        Param(
            "on", _from(30, 900), ("on_date", "as_of", "reference_date"), ("Day to count to",), ("计算到哪天",), False
        ),
    ),
    asks=(
        "How old is somebody born on {birthday}?",
        "age of someone born {birthday}",
        "My aunt was born on {birthday}, how old is she now?",
        "I was born {birthday}. How old am I[ on {on}]?",
        "birthday {birthday}, age?",
        "how many years old will a child born on {birthday} be on {on}?",
        "The form asks for my age and I only have the date, {birthday}.",
        "dad's birth certificate says {birthday}. what's his age[ on {on}]",
        "if you came into the world on {birthday}, how old are you[ on {on}]?",
        "date of birth {birthday}, tell me how old that makes him",
    ),
    asks_zh=(
        "{birthday}出生的人现在多大？",
        "我{birthday}生的，几岁了？",
        "姑姑生日是{birthday}，今年多少岁",
        "{birthday}出生，到{on}多大？",
        "生日{birthday}，算年龄",
        "孩子{birthday}出生，到{on}满几岁？",
        "身份证上写{birthday}，年龄是多少",
        "{birthday}来到这个世界，现在多少岁了[？算到{on}]",
    ),
    outcomes=(
        Outcome(
            fields=(("years", Result(3, 82)),),
            texts=("{years} years",),
            texts_zh=("{years}岁",),
            answers=("That's {years} years.", "{years} years old.", "The age is {years}."),
            answers_zh=("{years}岁。", "今年{years}岁。", "年龄是{years}岁。"),
        ),
    ),
    missing=(
        Missing(
            key="birthday",
            asks=("How old am I?", "What's my grandma's age?", "work out how old my brother is"),
            replies=("What is the date of birth?", "On which day was that person born?"),
            asks_zh=("我多大了？", "帮我算算奶奶的年龄"),
            replies_zh=("请问出生日期是哪天？", "生日是哪年哪月哪日？"),
        ),
    ),
)

SHIFT = Family(
    key="dates.shift",
    names=("add_days", "date_after", "shift_date", "date_plus_days"),
    about=(
        "The date some days after a date.",
        "Adds days to a date.",
        "Finds a due date: start day plus a number of days.",
    ),
    about_zh=("某天之后若干天是几号。", "给日期加上天数，用来算到期日。"),
    params=(
        Param(
            "start",
            Made(_start, ISO),
            ("start_date", "date", "from_date"),
            ("Day to start at",),
            ("起始日期",),
        ),
        Param(
            "days",
            Duration("days", (7, 10, 12, 14, 20, 21, 28, 30, 35, 40, 45, 60, 70, 90, 100, 120, 180)),
            ("days", "number_of_days", "offset"),
            ("Days to add",),
            ("增加的天数",),
        ),
    ),
    asks=(
        "What date is it {days} after {start}?",
        "{start} plus {days}",
        "A letter from {start} gives me {days} to answer. When is that up?",
        "The bill of {start} is due in {days}, so on which day?",
        "add {days} to {start}",
        "The jam is from {start} and keeps {days}. Until when is it good?",
        "which day comes {days} after {start}",
        "our visa is valid from {start} for {days}, when do we have to leave?",
        "count {days} on from {start}, please",
        "Notice period {days}, counted from {start}. My last day?",
    ),
    asks_zh=(
        "{start}之后{days}是几号？",
        "{start}加{days}是哪天",
        "从{start}算起{days}内要回复，截止到哪天？",
        "账单日{start}，{days}后到期，是几号？",
        "从{start}往后数{days}",
        "签证{start}生效，有效{days}，什么时候到期？",
        "离职从{start}算起{days}，最后一天是哪天",
        "{start}过{days}是什么日子",
    ),
    outcomes=(
        Outcome(
            fields=(("date", Made(lambda draw: Drawn(*[_later(draw).isoformat()] * 2))),),
            texts=("{date}",),
            texts_zh=("{date}",),
            answers=("That's {date}.", "It falls on {date}.", "{date}."),
            answers_zh=("是{date}。", "落在{date}。", "{date}。"),
        ),
    ),
    missing=(
        Missing(
            key="days",
            asks=("What date comes some days after {start}?", "The bill is dated {start}, when is it due?"),
            replies=("How many days should I add?", "After how many days?"),
            asks_zh=("{start}往后是几号？", "账单日{start}，什么时候到期？"),
            replies_zh=("请问加多少天？", "几天后到期？"),
        ),
    ),
)


def _later(draw: Draw) -> date:
    return draw.today + timedelta(days=draw.rng.randint(5, 250))


COUNTDOWN = Family(
    key="dates.countdown",
    names=("start_countdown", "create_countdown", "countdown_to", "add_countdown"),
    about=("Create a countdown to an event.", "Shows the days left until a day, on the home screen.", "New countdown."),
    about_zh=("创建倒计时。", "为某个活动新建倒数日。"),
    params=(
        Param("event", EVENTS, ("title", "event", "label", "name"), ("What is waited for",), ("事件",)),
        Param("day", Made(_named, _COMING.forms), ("date", "target_date", "day"), ("Day of the event",), ("日期",)),
        Param("notify", Flag(), ("notify_daily", "daily_reminder"), ("Notice every day",), ("每天提醒",), False),
    ),
    asks=(
        "Start a countdown to {event} on {day}.",
        "{event} is {day}, count down the days for me",
        "I can't wait for {event}! It's on {day}, put up a countdown.",
        "new countdown: {event}, {day}",
        "set up a days-to-go display for {event} on {day}",
        Ask("Count down to {event} on {day} and tell me every day how long it still is.", {"notify": True}),
        "How about a countdown? {event}, {day}.",
        "let me see how long it is until {event}, make a counter for {day}",
        "Please create a countdown for {day}, call it {event}.",
        "{day} is {event}. Show me the days left until then on my screen.",
    ),
    asks_zh=(
        "给{event}建个倒计时，{day}。",
        "{day}是{event}，帮我倒数",
        "新建倒数日：{event}，{day}",
        "好期待{event}，就在{day}，弄个倒计时吧",
        Ask("{event}在{day}，开倒计时，每天提醒我还剩几天", {"notify": True}),
        "创建一个{day}的倒计时，名字叫{event}",
        "{event}倒计时，日期{day}",
        "在桌面上显示距离{event}还有多久，日子是{day}",
    ),
    outcomes=(
        Outcome(
            fields=(("days_left", Result(3, 200)),),
            texts=("created, {days_left} days left",),
            texts_zh=("已创建，还剩{days_left}天",),
            answers=("The countdown is running: {days_left} days left.", "Done, {days_left} days to go until {event}."),
            answers_zh=("倒计时已建好，还有{days_left}天。", "距离{event}还有{days_left}天。"),
        ),
    ),
    missing=(
        Missing(
            key="day",
            asks=("Start a countdown to {event}.", "Count down the days to {event} for me."),
            replies=("On which day is {event}?", "What date is it?"),
            asks_zh=("给{event}建个倒计时。", "帮我倒数{event}"),
            replies_zh=("{event}是哪天？", "请问日期是几号？"),
        ),
        Missing(
            key="event",
            asks=("Start a countdown to {day}.", "set up a countdown for {day} please"),
            replies=("What is it for?", "What should the countdown be called?"),
            asks_zh=("建一个{day}的倒计时。", "倒数到{day}"),
            replies_zh=("请问是为什么事倒计时？", "倒计时叫什么名字？"),
        ),
    ),
    also=("dates.between",),
)

WEEKDAY = Family(
    key="dates.weekday",
    names=("weekday_of", "day_of_week", "which_weekday", "get_weekday"),
    about=("Weekday of a date.", "Says on which day of the week a date falls.", "Day of the week for any date."),
    about_zh=("查询某天是星期几。", "返回日期对应的星期。"),
    params=(Param("day", _from(22, 900), ("date", "day", "for_date"), ("The date",), ("日期",)),),
    asks=(
        "What day of the week is {day}?",
        "which weekday is {day}",
        "Does {day} fall on a weekend?",
        "Is {day} a Sunday?",
        "We want to marry on {day}, what weekday would that be?",
        "{day}, is that a working day?",
        "my birthday party is {day}, tell me if that's a Saturday",
        "On what day does {day} fall?",
        "weekday for {day} pls",
        "I have to be in court on {day}. Which day of the week is it?",
    ),
    asks_zh=(
        "{day}是星期几？",
        "{day}礼拜几",
        "{day}是周末吗？",
        "我们想{day}结婚，那天周几？",
        "查一下{day}是周几",
        "{day}要上班吗？是星期几",
        "{day}是不是星期天",
        "{day}赶上周几",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "weekday",
                    Choice(
                        {
                            "Monday": (("Monday",), ("星期一",)),
                            "Wednesday": (("Wednesday",), ("星期三",)),
                            "Friday": (("Friday",), ("星期五",)),
                            "Saturday": (("Saturday",), ("星期六",)),
                            "Sunday": (("Sunday",), ("星期日",)),
                        }
                    ),
                ),
            ),
            texts=("{weekday}",),
            texts_zh=("{weekday}",),
            answers=("It's a {weekday}.", "That day is a {weekday}.", "A {weekday}."),
            answers_zh=("是{weekday}。", "{day}是{weekday}。", "那天是{weekday}。"),
        ),
    ),
)

BASE = Choice(
    {
        "binary": (("binary",), ("二进制",)),
        "octal": (("octal",), ("八进制",)),
        "decimal": (("decimal",), ("十进制",)),
        "hexadecimal": (("hexadecimal", "hex"), ("十六进制",)),
    },
    ({"binary": "bin", "octal": "oct", "decimal": "dec", "hexadecimal": "hex"},),
)

BASES = Family(
    key="dates.number_base",
    names=("convert_base", "number_base", "radix_convert", "base_converter"),
    about=(
        "Write a whole number in another base.",
        "Binary, octal, decimal and hexadecimal.",
        "Converts a decimal number.",
    ),
    about_zh=("进制转换。", "把十进制整数写成二进制、八进制或十六进制。"),
    params=(
        Param("number", Result(2, 5_000), ("number", "value", "n"), ("Decimal number",), ("十进制数",)),
        Param("base", BASE, ("base", "target_base", "to"), ("Base wanted",), ("目标进制",)),
    ),
    asks=(
        "What's {number} in {base}?",
        "{number} to {base}",
        "convert {number} to {base}",
        "How do computers write {number} in {base}?",
        "write {number} as a {base} number",
        "my exercise sheet wants {number} in {base} notation",
        "I need the {base} form of {number}.",
        "{base} for {number} please",
        "Could you express {number} in {base}?",
        "if I write {number} in {base}, what does it look like",
    ),
    asks_zh=(
        "{number}的{base}是多少？",
        "把{number}转成{base}",
        "{number}用{base}怎么写",
        "{number}换算为{base}",
        "作业要把{number}写成{base}",
        "请给出{number}的{base}表示",
        "{base}下{number}是什么样",
        "{number}转{base}",
    ),
    outcomes=(
        Outcome(
            fields=(("written", Word(("1011", "11010", "7f", "3e8", "1750", "100101", "ff2", "644", "2a", "111000"))),),
            texts=("{written}",),
            texts_zh=("{written}",),
            answers=("It's {written}.", "{number} is written {written}.", "{written}."),
            answers_zh=("是{written}。", "{number}写成{written}。", "{written}。"),
        ),
    ),
    missing=(
        Missing(
            key="base",
            asks=("Convert {number} to another base.", "write {number} in a different number system"),
            replies=("Which base would you like?", "Binary, octal or hexadecimal?"),
            asks_zh=("把{number}换个进制。", "{number}进制转换"),
            replies_zh=("请问转成几进制？", "要哪种进制？"),
        ),
    ),
    fits=lambda drawn: drawn["base"].meaning != "decimal",
)

ROMAN = Family(
    key="dates.roman",
    names=("to_roman", "roman_numeral", "convert_to_roman", "roman"),
    about=("Write a number in Roman numerals.", "Arabic figures to Roman ones.", "Roman numeral of a whole number."),
    about_zh=("把数字写成罗马数字。", "阿拉伯数字转罗马数字。"),
    params=(Param("number", Result(3, 2_030), ("number", "value", "arabic"), ("The number",), ("数字",)),),
    asks=(
        "What's {number} in Roman numerals?",
        "{number} as a roman number",
        "How would the Romans have written {number}?",
        "write {number} in roman numerals",
        "I want a tattoo of {number}, but in those letters like X and V.",
        "roman numeral for {number}",
        "The clock face needs {number} the old Roman way.",
        "convert {number} to roman",
        "How do I carve {number} into stone, Roman style?",
        "which letters stand for {number} in ancient Rome",
    ),
    asks_zh=(
        "{number}用罗马数字怎么写？",
        "{number}的罗马数字",
        "把{number}转成罗马数字",
        "古罗马人怎么写{number}",
        "想纹身，{number}的罗马写法是什么？",
        "{number}写成X、V那种是怎样的",
        "钟面上要刻{number}，罗马数字",
        "请将{number}换成罗马数字",
    ),
    outcomes=(
        Outcome(
            fields=(("roman", Word(("XIV", "LXXII", "MCMXC", "CDLV", "XXXIX", "DCCC", "MMXX", "CXI", "XLVII"))),),
            texts=("{roman}",),
            texts_zh=("{roman}",),
            answers=("{number} is {roman}.", "It's written {roman}.", "{roman}."),
            answers_zh=("是{roman}。", "{number}写作{roman}。", "罗马数字是{roman}。"),
        ),
    ),
)

DOMAIN = Domain(
    "dates",
    (BETWEEN, AGE, SHIFT, COUNTDOWN, WEEKDAY, BASES, ROMAN),
    unserved=(
        ("Why does February have 28 days?", "二月为什么只有28天？"),
        ("What happened on the day I was born?", "我出生那天发生了什么大事？"),
        ("Plan a surprise party for my wife.", "给我太太策划一个惊喜派对。"),
        ("Send grandma a birthday card.", "给奶奶寄一张生日贺卡。"),
        ("Carve my name in Roman letters.", "用罗马字体刻我的名字。"),
        ("Extend the deadline by a week.", "把截止日期延长一周。"),
        ("Who designed our calendar?", "我们现在的历法是谁制定的？"),
        ("Renew my passport before it expires.", "护照到期前帮我续办。"),
        ("Stop the clock in the hall from ticking so loudly.", "走廊的钟太响了，让它安静点。"),
        ("What star sign is somebody born in August?", "八月出生的是什么星座？"),
        ("Teach me to count in Latin.", "教我用拉丁语数数。"),
        ("How long do tortoises live?", "乌龟能活多久？"),
        ("Cross out the wrong year on the form.", "把表格上写错的年份划掉。"),
        ("Which day suits everybody for the party?", "聚会哪天大家都有空？"),
    ),
)
