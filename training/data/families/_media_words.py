"""Songs, films, books, podcasts and stations that do not exist, made of words that could name them."""

from training.data.family import Draw, Drawn, Form, Kind
from training.data.kinds import Choice, ListOf, Made, Record, Word, meant
from training.data.world import Person

_FIRST = (
    *("Paper", "Midnight", "Silver", "Broken", "Golden", "Winter", "Hollow", "Electric", "Crimson", "Distant"),
    *("Velvet", "Burning", "Quiet", "Lonely", "Endless", "Summer", "Glass", "Wild", "Second", "Neon", "Last"),
)
_SECOND = (
    *("Moons", "Ferry", "Letters", "Harbour", "Garden", "Train", "Horizon", "Shadows", "Rain", "Kingdom", "Mirror"),
    *("Highway", "Ghosts", "River", "Carousel", "Orchard", "Station", "Fever", "Islands", "Promise", "Clocks"),
)
_WHOLE = (
    *("Where Did We Go", "Call Me When It's Over", "Dance Until Monday", "Half a Heart", "Ninety-Nine Doors"),
    *("No Map for Home", "The Year Without Snow", "Tell the Sea", "What the Baker Saw", "A Room Above the Canal"),
    *("Mr. Oduya's Bicycle", "Everything But You", "7 Days of Dust", "The Lighthouse Keeper's Son", "Salt & Smoke"),
)
_WHOLE_ZH = (
    *(
        "晚风来信",
        "山海之间",
        "不眠的城",
        "第七个夏天",
        "给明天的你",
        "旧巷口",
        "星河渡口",
        "一个人的车站",
        "雨后彩虹桥",
    ),
    *(
        "白桦林的冬天",
        "消失的邮差",
        "南方以南",
        "长夜将尽",
        "月光下的猫",
        "纸飞机",
        "时间的褶皱",
        "小镇来客",
        "归途列车",
    ),
    *("海边的修理铺", "最后一班地铁", "听见下雪", "十三号楼", "风起青石巷", "孤岛灯塔", "夏日奏鸣曲", "人间烟火色"),
)
_BANDS = (
    *("The Tin Foxes", "Marble Avenue", "Nova Lindqvist", "Los Tranvías", "Kite Weather", "DJ Samovar", "Ivory Tram"),
    *(
        "The Sundown Choir",
        "Blue Kiosk",
        "Amara Vale",
        "Plastic Meadow",
        "Sister Comet",
        "The Late Bakers",
        "Ohm & Oak",
    ),
    *("Felix Barrow Trio", "Cinder Parade", "Yuki Harper", "Northern Postcards", "MC Lantern", "Pale Captain"),
)
_BANDS_ZH = (
    *(
        "蓝鲸乐队",
        "林晚舟",
        "四月天",
        "陈星野",
        "野火合唱团",
        "苏木",
        "白昼乐队",
        "顾南",
        "小镇青年",
        "夏迟",
        "海盐乐队",
    ),
    *("赵一鸣", "旧书店", "许知夏", "回声社", "李拾光", "远山乐队", "周暮"),
)


def _title(draw: Draw) -> Drawn:
    rng = draw.rng
    if draw.language == "zh":
        name = rng.choice(_WHOLE_ZH)
        return Drawn(rng.choice(("《{}》", "《{}》", "《{}》", "{}", "“{}”")).format(name), name)
    name = rng.choice(_WHOLE)
    if rng.random() < 0.7:
        name = rng.choice(("{} {}", "{} {}", "The {} {}")).format(rng.choice(_FIRST), rng.choice(_SECOND))
    name = name.lower() if rng.random() < 0.1 else name
    marks = rng.choice(("{}", "{}", "{}", '"{}"', "“{}”", "'{}'"))
    return Drawn(marks.format(name), name)


def years(first: int, last: int) -> Kind:
    """A year, which nobody says with a separator or a magnitude."""

    def year(draw: Draw) -> Drawn:
        value = draw.rng.randint(first, last)
        return Drawn(str(value), value)

    return Made(year, (Form({"type": "integer"}, meant),))


# The title of a song, a film or a book.
TITLE: Kind = Made(_title)
BAND = Word(_BANDS, _BANDS_ZH)
SONGS = ListOf(Record("{title} by {artist}", "{artist}的{title}", {"title": TITLE, "artist": BAND}), 1, 4)
AUTHOR = Person(0.9)

PLAYLIST = Word(
    (
        *("Road Trip 2026", "Rainy Sunday", "Gym", "Dinner with Mum", "90s forever", "Focus", "Kitchen disco", "Sleep"),
        *("Wedding dance floor", "Old vinyl", "Study beats", "Summer in Lisbon", "Run faster", "Kids in the car"),
        *("Late night jazz", "Workout #3", "Chill & grill", "First date", "Monday motivation", "Songs for Nora"),
        *("Campfire", "Spring cleaning", "Piano only", "Party at Ben's", "Breakup", "Office background"),
    ),
    (
        *(
            "跑步专用",
            "雨天",
            "深夜电台",
            "自驾游",
            "健身房",
            "写代码",
            "婚礼歌单",
            "老歌回忆",
            "睡前",
            "早起加油",
            "派对",
        ),
        *("学习背景乐", "下班路上", "火锅之夜", "周末爵士", "给妈妈的歌", "夏天的海", "瑜伽放松", "古风", "开车不困"),
        *("儿歌", "广场舞", "毕业季", "做饭时听", "冬日暖阳"),
    ),
    quoted=0.4,
)
TOPIC = Word(
    (
        *("space travel", "ancient Rome", "personal finance", "gardening", "true crime", "machine learning", "baking"),
        *("stoic philosophy", "football tactics", "parenting", "the history of tea", "urban planning", "sleep science"),
        *("climate policy", "marathon training", "birds", "start-ups", "mythology", "chess", "minimalism", "opera"),
        *("volcanoes", "learning Italian", "remote work", "film music", "cheese making", "the deep sea"),
    ),
    (
        *(
            "太空探索",
            "古罗马历史",
            "个人理财",
            "园艺",
            "悬疑案件",
            "人工智能",
            "烘焙",
            "哲学",
            "足球战术",
            "育儿",
            "茶文化",
        ),
        *("城市规划", "睡眠科学", "马拉松训练", "观鸟", "创业", "神话故事", "象棋", "断舍离", "三国", "火山", "学日语"),
        *("心理学", "电影配乐", "深海生物", "中医养生"),
    ),
)
STATION = Word(
    (
        *("Radio Lagoon", "Jazz 24", "Classic Harbour", "Rock Antenna", "Wave 103.5", "City Beat", "Radio Tango"),
        *("Folk Country FM", "Night Owl Radio", "News Now 88", "Kids Corner Radio", "Bayern Waves", "Hit Island"),
        *("Radio Polar", "Soul Kitchen FM", "Channel Six Talk", "Retro 80", "Opera House Radio"),
    ),
    (
        *("音乐之声", "交通广播", "城市之音", "新闻台", "古典音乐台", "儿童广播", "经典947", "都市调频", "文艺广播"),
        *("戏曲广播", "早安电台", "财经频道", "故事广播", "乡村之声", "体育广播", "怀旧金曲台"),
    ),
)
SPEAKER = Word(
    (
        *("kitchen speaker", "soundbar", "bedroom speaker", "TV", "headphones", "bathroom radio", "garage stereo"),
        *("patio speakers", "office speaker", "tablet", "living room speaker", "record player corner", "projector"),
    ),
    ("客厅音箱", "卧室音箱", "电视", "耳机", "厨房音响", "书房音箱", "投影仪", "平板", "浴室音箱", "阳台音响"),
)
SCREEN_GENRE = Choice(
    {
        "comedy": (("comedy", "funny"), ("喜剧", "搞笑")),
        "thriller": (("thriller",), ("惊悚", "悬疑")),
        "documentary": (("documentary",), ("纪录",)),
        "romance": (("romance", "romantic"), ("爱情", "浪漫")),
        "science_fiction": (("science fiction", "sci-fi"), ("科幻",)),
        "horror": (("horror", "scary"), ("恐怖",)),
        "animation": (("cartoon",), ("动画",)),
        "war": (("war",), ("战争",)),
    },
    ({"science_fiction": "sci-fi"}, {"science_fiction": "Science Fiction", "comedy": "Comedy", "war": "War"}),
)
