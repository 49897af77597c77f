"""Places, roads, airports and tables that the domains of weather, travel, getting around and eating out speak of."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from training.data.family import Draw, Drawn
from training.data.kinds import Code, ListOf, Made, Word


@dataclass(frozen=True)
class Titled(Word):
    """Names that are said with their article, "the Louvre", and meant without it."""

    def draw(self, draw: Draw) -> Drawn:
        drawn = super().draw(draw)
        return Drawn(drawn.said, drawn.meaning.removeprefix("the "))


LANDMARKS = Word(
    (
        *("Central Station", "Victoria Park", "St. Mary's Hospital", "Riverside Mall", "Harbour Square", "City Hall"),
        *("Queen Street Market", "Terminal 2", "Maple Grove School", "Union Square", "Northgate Gym", "Pier 39"),
        *("Lakeview Hotel", "Hawthorn Stadium", "Trinity College", "Elm Street Clinic", "Grand Theatre", "Foxton Zoo"),
        *("Westfield Cinema", "Kingsway Library", "Old Mill Brewery", "Oakridge Golf Club", "Museum of Glass"),
        *("Fairview Cemetery", "Bluewater Marina", "South Bus Depot", "Tech Park Gate 4", "Rosewood Care Home"),
        *("Albert Bridge", "Saint Paul's Cathedral"),
    ),
    (
        *("人民广场", "火车南站", "市第一医院", "万达广场", "中山公园", "市图书馆", "大剧院", "师范大学东门", "科技园"),
        *("汽车西站", "体育中心", "动物园", "植物园", "老城隍庙", "会展中心", "解放碑", "春熙路", "鼓楼", "西湖断桥"),
        *("星海广场", "儿童医院", "软件园二期", "滨江公园", "钟楼", "长途汽车站", "市民中心", "奥林匹克公园"),
    ),
)
_STREETS = (
    *("Linden Street", "Baker Road", "Mill Lane", "Ocean Avenue", "King Street", "Rosewood Drive", "Park Row"),
    *("Birch Close", "Canal Street", "Sunset Boulevard", "Chapel Hill", "Station Road", "Willow Court", "High Street"),
    *("Vineyard Way", "Orchard Terrace", "Fifth Avenue", "Bishopsgate", "Granville Street", "Cedar Crescent"),
)
_STREETS_ZH = (
    *(
        "中山路",
        "解放路",
        "人民路",
        "建设路",
        "南京西路",
        "长江路",
        "学院路",
        "文三路",
        "天河北路",
        "和平街",
        "新华大道",
    ),
    *("朝阳北路", "滨海大道", "科苑路", "青年路", "梧桐巷"),
)


def _address(draw: Draw) -> Drawn:
    rng = draw.rng
    number = rng.randint(1, 240)
    said = f"{rng.choice(_STREETS_ZH)}{number}号" if draw.language == "zh" else f"{number} {rng.choice(_STREETS)}"
    return Drawn(said, said)


def _spot(draw: Draw) -> Drawn:
    return LANDMARKS.draw(draw) if draw.rng.random() < 0.6 else _address(draw)


def distinct(lines: ListOf, field: str) -> Made:
    """A list of records of which no two have the same `field`, as nobody orders a dish twice over."""

    def draw_lines(draw: Draw) -> Drawn:
        while True:
            drawn = lines.draw(draw)
            names = [line.meaning[field].meaning for line in drawn.meaning]
            if len(set(names)) == len(names):
                return drawn

    return Made(draw_lines, lines.forms)


ADDRESS = Made(_address)
# A landmark or an address: anything that a driver could be sent to.
SPOT = Made(_spot)

ROADS = Titled(
    (
        *("the A4", "I-95", "the M25", "Highway 101", "the ring road", "Route 66", "the A7", "I-80", "Lakeshore Drive"),
        *("the E45", "Harbour Tunnel", "the Bay Bridge", "US-1", "the M6", "Airport Road", "the A10", "Highway 7"),
    ),
    (
        "京沪高速",
        "沪昆高速",
        "三环",
        "四环",
        "延安高架",
        "机场高速",
        "滨海大道",
        "内环高架",
        "绕城高速",
        "长江大桥",
        "G4高速",
    ),
)
AIRPORTS = Word(
    (
        *("LHR", "JFK", "Heathrow", "Gatwick", "CDG", "Schiphol", "FRA", "Logan", "SFO", "Newark", "Narita", "HND"),
        *("Changi", "LAX", "O'Hare", "DXB", "Ben Gurion", "Incheon", "MUC", "Lisbon Airport", "Pearson", "YVR"),
    ),
    (
        *("浦东机场", "首都机场", "大兴机场", "白云机场", "虹桥机场", "双流机场", "宝安机场", "萧山机场", "成田机场"),
        *("仁川机场", "樟宜机场", "香港机场", "天河机场", "希思罗机场"),
    ),
)
FLIGHT_NUMBERS = Code(("LH999", "LH9999", "BR999", "KL9999", "EK99", "CZ9999", "MU9999", "UU999", "QR9999", "SQ99"))
BOOKING_CODES = Code(("AAA999", "A9A9A9", "AAAAAA", "AA9999", "9A9A9A", "AA-99999", "RES-9999", "BK99999"))

RESTAURANTS = Word(
    (
        *("Da Enzo", "The Copper Pot", "Lotus Garden", "Chez Margot", "Blue Anchor", "Taj Palace", "El Camino"),
        *("Nonna Rosa", "Sakura House", "The Wild Fig", "Brasserie Nord", "Smoke & Salt", "Golden Wok", "Café Lumen"),
        *("La Barca", "Olive & Thyme", "The Rusty Spoon", "Pho Corner", "Casa Pepe", "Bistro 21", "Little Havana"),
        *("Zum Goldenen Hirsch", "Mama Ji", "Harvest Table", "Le Petit Four", "The Gilded Goose"),
    ),
    (
        *(
            "海底捞",
            "老成都火锅",
            "外婆家",
            "小南国",
            "鼎泰丰",
            "绿茶餐厅",
            "全聚德",
            "南翔馒头店",
            "渝信川菜",
            "同春园",
        ),
        *(
            "西贝莜面村",
            "和府捞面",
            "翠园",
            "松鹤楼",
            "一号码头",
            "云海肴",
            "老北京涮肉",
            "江边城外",
            "蜀大侠",
            "樱花屋",
        ),
    ),
)
MUSEUMS = Titled(
    (
        *("the Louvre", "the Prado", "the Natural History Museum", "the Van Gogh Museum", "the Uffizi", "MoMA"),
        *("the Deutsches Museum", "the British Museum", "the Rijksmuseum", "the Acropolis Museum", "Tate Modern"),
        *("the Vatican Museums", "the Science Museum", "the Guggenheim", "the Maritime Museum", "the Railway Museum"),
    ),
    (
        *("故宫", "国家博物馆", "上海博物馆", "陕西历史博物馆", "苏州博物馆", "南京博物院", "自然博物馆", "科技馆"),
        *("敦煌莫高窟", "兵马俑", "三星堆博物馆", "湖南博物院", "浦东美术馆", "铁路博物馆"),
    ),
)


def apart(first: str, second: str) -> Callable[[Mapping[str, Drawn]], bool]:
    """Refuse two parameters that say the same, such as a way from a place to itself."""

    def differ(drawn: Mapping[str, Drawn]) -> bool:
        if first not in drawn or second not in drawn:
            return True
        return _bare(drawn[first]) != _bare(drawn[second])

    return differ


def _bare(drawn: Drawn) -> str:
    """What a place is called, without the country that may have been said with it."""
    meaning = drawn.meaning
    return str(meaning.get("city") or meaning.get("name") if isinstance(meaning, dict) else meaning).lower()
