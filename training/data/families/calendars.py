"""Calendars of many cultures and the signs in the sky that people read: lunar dates, festivals, zodiac, horoscopes."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, Word
from training.data.times import Clock, Day
from training.data.wordings import named_day, pool, year
from training.data.world import City, Person

CALENDAR = Choice(
    {
        "hebrew": (("Hebrew", "Jewish"), ("希伯来历", "犹太历")),
        "islamic": (("Islamic", "Hijri"), ("伊斯兰历", "回历")),
        "persian": (("Persian", "Iranian"), ("波斯历", "伊朗历")),
        "buddhist": (("Buddhist", "Thai"), ("佛历", "泰历")),
        "ethiopian": (("Ethiopian",), ("埃塞俄比亚历",)),
        "julian": (("Julian",), ("儒略历",)),
    },
    ({"hebrew": "HEBREW", "islamic": "HIJRI", "persian": "PERSIAN", "buddhist": "BUDDHIST", "julian": "JULIAN"},),
)
FESTIVAL = Word(
    pool(
        """Ramadan | Easter | Diwali | Hanukkah | Chinese New Year | Eid al-Fitr | Nowruz | Holi | Passover | Vesak
        the Mid-Autumn Festival | the Dragon Boat Festival | Rosh Hashanah | Songkran | Pentecost | Yom Kippur
        Lantern Festival | Shrove Tuesday | Orthodox Christmas | Tet | Losar | Purim"""
    ),
    pool(
        """春节 | 中秋节 | 端午节 | 元宵节 | 重阳节 | 七夕 | 清明节 | 腊八节 | 复活节 | 开斋节 | 排灯节 | 光明节
        泼水节 | 洒红节 | 藏历新年 | 中元节 | 除夕 | 佛诞节 | 火把节"""
    ),
)
SIGN = Choice(
    {
        "aries": (("Aries",), ("白羊座",)),
        "taurus": (("Taurus",), ("金牛座",)),
        "gemini": (("Gemini",), ("双子座",)),
        "leo": (("Leo",), ("狮子座",)),
        "virgo": (("Virgo",), ("处女座",)),
        "libra": (("Libra",), ("天秤座",)),
        "scorpio": (("Scorpio",), ("天蝎座",)),
        "pisces": (("Pisces",), ("双鱼座",)),
    },
)
_MONTHS = pool(
    "January | February | March | April | May | June | July | August | September | October | November | December"
)
_MONTHS_ZH = pool("一月 | 二月 | 三月 | 四月 | 五月 | 六月 | 七月 | 八月 | 九月 | 十月 | 十一月 | 十二月")
MONTH = Choice(
    {
        name.lower(): ((name,), (name_zh, f"{number}月"))
        for number, (name, name_zh) in enumerate(zip(_MONTHS, _MONTHS_ZH, strict=True), 1)
    },
    ({name.lower(): number for number, name in enumerate(_MONTHS, 1)},),
)
OCCASION = Choice(
    {
        "wedding": (("a wedding",), ("结婚", "办婚礼")),
        "moving": (("moving house",), ("搬家", "乔迁")),
        "opening": (("opening a shop", "opening a business"), ("开业", "开张")),
        "travel": (("a long journey", "setting out on a trip"), ("出行", "出远门")),
        "haircut": (("a haircut", "cutting hair"), ("理发", "剪头发")),
    },
)

CONVERT = Family(
    key="calendars.convert",
    names=("convert_calendar", "to_calendar", "calendar_date", "date_in_calendar", "foreign_date"),
    about=(
        "Convert a date into another culture's calendar.",
        "Gives a Gregorian date in the Hebrew, Islamic, Persian, Buddhist, Ethiopian or Julian calendar.",
    ),
    about_zh=("把公历日期换算成其他历法。", "公历转希伯来历、伊斯兰历、波斯历等，不含农历。"),
    params=(
        Param("day", named_day(0, 300), ("date", "gregorian_date", "day"), ("The Gregorian date",), ("公历日期",)),
        Param("calendar", CALENDAR, ("calendar", "target_calendar", "system"), ("Into which one",), ("目标历法",)),
    ),
    asks=(
        "What is {day} in the {calendar} calendar?",
        "convert {day} to the {calendar} calendar",
        "My neighbour counts by the {calendar} calendar. What does she call {day}?",
        "the {calendar} date for {day}",
        "which day does the {calendar} calendar show on {day}?",
        "I'm dating a letter the {calendar} way, the day is {day}",
        "for the invitation I need {day} in the {calendar} calendar too",
        "a friend from abroad asks what {day} is by the {calendar} count",
    ),
    asks_zh=(
        "{day}在{calendar}里是哪天？",
        "把{day}换算成{calendar}",
        "邻居用{calendar}，{day}她那边是几月几号",
        "{day}对应的{calendar}日期",
        "请帖上还要写{calendar}，公历是{day}",
        "{calendar}怎么表示{day}？",
        "查{calendar}：{day}",
        "{day}按{calendar}算是什么日子",
        "{day}转{calendar}",
        "想知道{day}的{calendar}写法",
        "外国朋友问{day}按{calendar}是几号",
    ),
    outcomes=(
        Outcome(
            fields=(("date", Word(("5 Nisan 5787", "12 Rajab 1448", "3 Farvardin 1406", "8 Meskerem 2019"))),),
            texts=("{date}",),
            answers=("That is {date}.", "The date there is {date}."),
            answers_zh=("是 {date}。", "换算结果：{date}。"),
        ),
    ),
    missing=(
        Missing(
            key="calendar",
            asks=("What is {day} in the other calendar?", "convert {day} to another calendar"),
            replies=("Into which calendar?", "Which calendar do you mean?"),
            asks_zh=("{day}换成别的历法是哪天？", "帮我换算一下{day}的历法"),
            replies_zh=("请问换成哪种历法？", "是哪种历法呢？"),
        ),
    ),
    also=("calendars.lunar",),
)

LUNAR = Family(
    key="calendars.lunar",
    names=("lunar_date", "chinese_lunar_date", "nongli", "lunar_calendar_day"),
    about=("The date in the Chinese lunar calendar.", "Lunar month and day of a date, with the solar term if wanted."),
    about_zh=("查询某天的农历日期。", "公历转农历，可带节气。"),
    params=(
        Param("day", named_day(0, 200), ("solar_date", "date", "on"), ("The date",), ("公历日期",)),
        Param("term", Flag(), ("include_solar_term", "with_term"), ("Name the solar term",), ("是否附节气",), False),
    ),
    asks=(
        "What's the lunar date on {day}?",
        "which day of the Chinese moon calendar is {day}",
        Ask("Lunar date and solar term for {day}, please.", {"term": True}),
        "my grandma celebrates by the moon. What does her calendar say on {day}?",
        "chinese lunar calendar, {day}",
        "is {day} the first or the fifteenth of the lunar month?",
        "When I call home they count by the moon. What do they call {day}?",
        "put {day} into the lunar calendar",
    ),
    asks_zh=(
        "{day}是农历几月几号？",
        "{day}阴历是哪天",
        Ask("{day}农历多少，是什么节气", {"term": True}),
        "奶奶过阴历生日，{day}是农历初几",
        "{day}是不是初一十五？",
        "查一下{day}的老黄历日期",
        "公历{day}，农历呢",
        Ask("{day}的农历，把节气也带上", {"term": True}),
        "{day}按阴历算是几号",
        "想知道{day}是农历什么日子",
        "老家都讲农历，{day}是几月初几啊",
        "打电话回老家，{day}他们说是初几？",
    ),
    outcomes=(
        Outcome(
            fields=(("month", Integer(1, 12)), ("day_of_month", Integer(1, 30))),
            texts=("lunar month {month}, day {day_of_month}",),
            texts_zh=("农历{month}月{day_of_month}日",),
            answers=("It is day {day_of_month} of lunar month {month}.", "Lunar month {month}, day {day_of_month}."),
            answers_zh=("农历{month}月{day_of_month}日。", "那天是农历{month}月{day_of_month}日。"),
        ),
    ),
    missing=(
        Missing(
            key="day",
            asks=("What is that day in the lunar calendar?", "lunar date please"),
            replies=("Of which day?", "Which date shall I look up?"),
            asks_zh=("那天是农历几号？", "帮我查个农历"),
            replies_zh=("请问是哪一天？", "要查哪天的农历？"),
        ),
    ),
    also=("calendars.convert",),
)

FEAST = Family(
    key="calendars.festival",
    names=("festival_date", "when_is_festival", "find_feast_day", "moveable_feast", "holiday_by_year"),
    about=(
        "When a festival falls in a year.",
        "Date of a religious or traditional feast that moves from year to year.",
        "Looks up one festival, not all holidays of a country.",
    ),
    about_zh=("查询某个节日在某年是哪天。", "传统或宗教节日的公历日期，不列出全部假日。"),
    params=(
        Param("festival", FESTIVAL, ("festival", "feast", "name"), ("Which festival",), ("节日名称",)),
        Param("year", year(2024, 2040), ("year", "in_year"), ("Calendar year",), ("年份",)),
    ),
    asks=(
        "When is {festival} in {year}?",
        "on what date does {festival} fall in {year}",
        "I'm planning leave for {year}, when's {festival}?",
        "{festival} {year}",
        "Is {festival} in {year} early or late? Which day?",
        "we want to be with family for {festival} in {year}, give me the date",
        "date of {festival}, year {year}",
        "my in-laws ask when to fly in: {festival}, {year}",
    ),
    asks_zh=(
        "{year}年{festival}是哪天？",
        "{festival}在{year}年是几月几号",
        "想排{year}年的假，{festival}是什么时候",
        "{year}年的{festival}早不早，哪一天",
        "{festival}，{year}年",
        "查{year}年{festival}的日期",
        "{year}年{festival}要回家，是几号来着",
        "到{year}年，{festival}落在哪天？",
        "{festival}{year}年公历日期",
        "帮我看下{year}年几号过{festival}",
        "丈人问{year}年{festival}买哪天的票，节是几号",
    ),
    outcomes=(
        Outcome(
            fields=(("date", Day(20, 3000)),),
            texts=("{date}",),
            answers=("{festival} is on {date}.", "It falls on {date}."),
            answers_zh=("{festival}是{date}。", "日期是{date}。"),
        ),
    ),
    missing=(
        Missing(
            key="year",
            asks=("When is {festival}?", "date of {festival} pls"),
            replies=("In which year?", "For which year?"),
            asks_zh=("{festival}是哪天？", "什么时候过{festival}"),
            replies_zh=("请问是哪一年的？", "要查哪年？"),
        ),
    ),
    also=("reference.holidays", "information.search_web", "information.encyclopedia"),
)

ANIMAL = Family(
    key="calendars.zodiac_animal",
    names=("zodiac_animal", "chinese_zodiac", "birth_animal", "shengxiao"),
    about=("The animal of a birth year in the Chinese zodiac.", "Chinese zodiac sign by year."),
    about_zh=("根据出生年份查生肖。", "生肖查询。"),
    params=(Param("year", year(1935, 2024), ("birth_year", "year"), ("Year of birth",), ("出生年份",)),),
    asks=(
        "I was born in {year}. Which animal am I?",
        "chinese zodiac for {year}",
        "what creature stands for the year {year} in China",
        "My father is from {year}, so is he a tiger or a rabbit?",
        "which zodiac animal goes with {year}?",
        "born {year}, dragon or snake?",
        "our baby came in {year}, what goes on the jade pendant, which animal?",
        "is {year} a rat year?",
    ),
    asks_zh=(
        "{year}年属什么？",
        "我{year}年生的，什么属相",
        "{year}年是什么年，龙年还是蛇年",
        "我爸{year}年出生，属啥的",
        "生肖查询：{year}",
        "{year}年出生的孩子属什么生肖",
        "{year}年生人是属虎还是属兔？",
        "对象{year}年的，看看她属相",
        "想买生肖吊坠，宝宝{year}年的，买哪个动物",
        "{year}那年是鼠年吗",
        "同事{year}年的，猜猜属什么",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "animal",
                    Word(pool("tiger | rabbit | dragon | snake | horse | goat"), pool("虎 | 兔 | 龙 | 蛇 | 马 | 羊")),
                ),
            ),
            texts=("{animal}",),
            answers=("{year} is a year of the {animal}.", "The animal is the {animal}."),
            answers_zh=("{year}年属{animal}。", "生肖是{animal}。"),
        ),
    ),
    missing=(
        Missing(
            key="year",
            asks=("Which Chinese zodiac animal am I?", "what's my wife's chinese sign"),
            replies=("In which year were you born?", "What is the year of birth?"),
            asks_zh=("我属什么？", "帮我查下属相"),
            replies_zh=("请问是哪一年出生的？", "出生年份是哪年？"),
        ),
    ),
)

HOROSCOPE = Family(
    key="calendars.horoscope",
    names=("horoscope", "read_horoscope", "star_sign_outlook", "sign_outlook"),
    about=(
        "Horoscope for a star sign.",
        "What the stars say for a sign, for a day, a week or a month; on love, work or health if wanted.",
    ),
    about_zh=("查询星座运势。", "按星座看今日、本周或本月运势，可选爱情、事业、健康。"),
    params=(
        Param("sign", SIGN, ("sign", "star_sign", "zodiac"), ("The sign",), ("星座",)),
        Param(
            "span",
            Choice(
                {
                    "today": (("today",), ("今天", "今日")),
                    "week": (("this week",), ("这周", "本周")),
                    "month": (("this month",), ("这个月", "本月")),
                },
                ({"today": "daily", "week": "weekly", "month": "monthly"},),
            ),
            ("period", "span", "time_frame"),
            ("For how long",),
            ("时间范围",),
        ),
        Param(
            "about",
            Choice(
                {
                    "love": (("love",), ("爱情", "感情")),
                    "work": (("work", "my job"), ("事业", "工作")),
                    "health": (("health",), ("健康",)),
                    "money": (("money",), ("财运", "金钱")),
                }
            ),
            ("area", "focus"),
            ("What it is about",),
            ("方面",),
            False,
        ),
    ),
    asks=(
        "What do the stars say for {sign} {span}[ about {about}]?",
        "horoscope {sign}, {span}",
        "I'm a {sign}. Will {span} be kind to me[ when it comes to {about}]?",
        "any luck for {sign} {span}[ in matters of {about}]?",
        "read me the {sign} forecast for {span} please",
        "my girlfriend believes in this stuff, she's {sign}: how's {span}[, {about} most of all]",
        "how are things looking {span} for a {sign}[, {about}]",
        "should a {sign} stay in bed {span}[ as far as {about} goes]?",
    ),
    asks_zh=(
        "{sign}{span}运势怎么样？",
        "{span}{sign}的[{about}]运势",
        "我是{sign}，{span}顺不顺[，主要看{about}]",
        "看看{sign}{span}[{about}]如何",
        "女朋友信这个，她{sign}的，{span}咋样",
        "{sign}，{span}，[{about}，]星座运程",
        "{span}{sign}走不走运啊",
        "帮我查{sign}的{span}星运[，{about}方面]",
        "属{sign}的人{span}[{about}上]要注意啥",
        "{sign}{span}会有好事吗",
        "{sign}{span}适合出门折腾吗[，{about}这块呢]",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("stars", Integer(1, 5)),
                ("lucky_color", Choice({"blue": (("blue",), ("蓝色",)), "red": (("red",), ("红色",))})),
            ),
            texts=("{stars} of 5 stars, lucky colour {lucky_color}",),
            answers=("{stars} of 5 stars; the lucky colour is {lucky_color}.", "It gets {stars} stars out of 5."),
            answers_zh=("运势{stars}颗星，幸运色{lucky_color}。", "满分五星，得{stars}星。"),
        ),
    ),
    missing=(
        Missing(
            key="sign",
            asks=("What does my horoscope say for {span}?", "how are my stars {span}"),
            replies=("What is your star sign?", "Which sign are you?"),
            asks_zh=("我{span}运势怎么样？", "看看{span}星座运程"),
            replies_zh=("请问是什么星座？", "你是哪个星座？"),
        ),
    ),
)

CHART = Family(
    key="calendars.birth_chart",
    names=("birth_chart", "draw_natal_chart", "natal_chart", "cast_chart"),
    about=("Draw a birth chart.", "Natal chart of a person from day, time and place of birth. Not a daily horoscope."),
    about_zh=("绘制星盘。", "根据出生日期、时间和地点排出本命盘，不是每日运势。"),
    params=(
        Param("person", Person(), ("name", "person", "subject"), ("Whose chart",), ("姓名",)),
        Param("born", Day(-20000, -3000, False), ("birth_date", "born_on"), ("Day of birth",), ("出生日期",)),
        Param("time", Clock(0, 23), ("birth_time", "time_of_birth"), ("Time of birth",), ("出生时间",)),
        Param("place", City(0), ("birth_place", "city_of_birth"), ("Where",), ("出生地",)),
    ),
    asks=(
        "Draw the birth chart of {person}, born {born} at {time} in {place}.",
        "natal chart: {person}, {born}, {time}, {place}",
        "My friend {person} came into the world in {place}, {born}, at {time}. Cast the chart.",
        "astrology time! {person} was born at {time} in {place}, {born}. show the chart",
        "I'd like a chart for {person}. Place {place}, date {born}, time {time}.",
        "can you make {person} a natal chart? {place}, {born}, {time}",
        "what does the sky of {person}'s birth look like? {born}, {time}, {place}",
        "set up a chart for {person}: {time} on {born}, {place}",
    ),
    asks_zh=(
        "给{person}排个星盘，{born}{time}生于{place}",
        "{person}，{born}，{time}，{place}出生，画本命盘",
        "朋友{person}是{born}{time}在{place}生的，看看星盘",
        "排盘：{person}，出生地{place}，{born} {time}",
        "帮{person}看本命盘，她{born}{time}出生在{place}",
        "{person}的星盘怎么样？{place}人，{born}{time}生",
        "星盘一份，姓名{person}，生日{born}，时间{time}，地点{place}",
        "想给{person}做个星盘，{place}，{born}，{time}",
        "算一下{person}的上升和月亮，生于{place}，{born}{time}",
        "{person}是{place}生人，{born}，{time}，想看出生盘",
    ),
    outcomes=(
        Outcome(
            fields=(("ascendant", SIGN), ("moon", SIGN)),
            texts=("ascendant {ascendant}, moon in {moon}",),
            answers=(
                "{person} has {ascendant} rising and the moon in {moon}.",
                "Ascendant {ascendant}, moon in {moon}.",
            ),
            answers_zh=("{person}上升{ascendant}，月亮{moon}。", "上升是{ascendant}，月亮在{moon}。"),
        ),
    ),
    missing=(
        Missing(
            key="time",
            asks=("Draw the birth chart of {person}, born {born} in {place}.",),
            replies=("At what time of day was {person} born?", "What was the time of birth?"),
            asks_zh=("给{person}排星盘，{born}生于{place}",),
            replies_zh=("请问是几点出生的？", "{person}的出生时间是几点？"),
        ),
        Missing(
            key="place",
            asks=("I want a natal chart for {person}, {born} at {time}.",),
            replies=("Where was {person} born?", "What is the place of birth?"),
            asks_zh=("给{person}画个本命盘，{born}{time}出生",),
            replies_zh=("请问出生地是哪里？", "{person}在哪里出生？"),
        ),
    ),
)

LUCKY = Family(
    key="calendars.lucky_day",
    names=("lucky_days", "auspicious_days", "find_good_day", "almanac_search"),
    about=("Find lucky days for something in a month, by the almanac.", "Auspicious days of a month for an occasion."),
    about_zh=("按黄历查某月适合做某事的吉日。", "择日：结婚、搬家、开业等。"),
    params=(
        Param("occasion", OCCASION, ("occasion", "purpose", "event"), ("What is planned",), ("事由",)),
        Param("month", MONTH, ("month", "in_month"), ("Which month",), ("月份",)),
        Param("weekend", Flag(), ("weekends_only", "only_weekends"), ("Only weekends",), ("只看周末",), False),
    ),
    asks=(
        "Which days in {month} are lucky for {occasion}?",
        "good days for {occasion} in {month}, by the almanac",
        Ask("My mother-in-law insists on a lucky weekend in {month}. It is for {occasion}.", {"weekend": True}),
        "what does the almanac say about {occasion} in {month}",
        "We are planning {occasion}, {month} at the latest. When in that month is it auspicious?",
        Ask("auspicious days in {month} for {occasion}, weekends only", {"weekend": True}),
        "lucky dates: {occasion}, {month}",
        "I don't want to tempt fate with {occasion}. Pick me a good day in {month}.",
    ),
    asks_zh=(
        "{month}哪天适合{occasion}？",
        "看看{month}{occasion}的好日子",
        Ask("{month}{occasion}，只要周末，挑个吉日", {"weekend": True}),
        "老人讲究，{month}里哪几天宜{occasion}",
        "想{month}{occasion}，翻翻黄历",
        "择日：{occasion}，{month}",
        "{month}有没有宜{occasion}的黄道吉日",
        "丈母娘让选日子，{month}{occasion}哪天吉利",
        "{occasion}选{month}哪天好啊",
        Ask("{month}的周末哪天可以{occasion}？查黄历", {"weekend": True}),
    ),
    outcomes=(
        Outcome(
            fields=(("day", Integer(1, 14)), ("other_day", Integer(15, 28))),
            texts=("days {day} and {other_day}",),
            answers=("Day {day} and day {other_day} of the month are good.", "Lucky days: {day} and {other_day}."),
            answers_zh=("{day}号和{other_day}号是好日子。", "吉日有{day}号、{other_day}号。"),
        ),
    ),
    missing=(
        Missing(
            key="month",
            asks=("Which days are lucky for {occasion}?",),
            replies=("In which month?", "Which month do you have in mind?"),
            asks_zh=("哪天适合{occasion}？", "帮我看个{occasion}的日子"),
            replies_zh=("请问是几月？", "想在哪个月？"),
        ),
    ),
)

DOMAIN = Domain(
    "calendars",
    (CONVERT, LUNAR, FEAST, ANIMAL, HOROSCOPE, CHART, LUCKY),
    unserved=(
        ("Print a calendar with photos of my family.", "用家人的照片印一本挂历。"),
        ("What should I cook for Diwali?", "排灯节该做什么菜？"),
        ("Why do leap years exist?", "为什么会有闰年？"),
        ("Buy mooncakes for the office.", "给办公室买月饼。"),
        ("Lay the tarot cards for me.", "给我算一副塔罗牌。"),
        ("Read my palm from this picture.", "看这张照片给我看手相。"),
        ("Invite everybody to the New Year dinner.", "邀请大家来吃年夜饭。"),
        ("Which stone brings luck to a bride?", "新娘戴什么石头吉利？"),
        ("Send red envelopes to my nieces.", "给侄女们发红包。"),
        ("What time is prayer in our mosque?", "我们清真寺几点做礼拜？"),
        ("Write New Year couplets for my door.", "给我家写副春联。"),
        ("Tell me what my dream of snakes means.", "我梦见蛇，解解梦。"),
    ),
)
