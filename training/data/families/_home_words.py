"""The words of a house: rooms, doors, devices, colours."""

from collections.abc import Sequence

from training.data.family import Draw, Drawn, Form, Kind
from training.data.kinds import STRING, Choice, Made, Word, meant

_ROOMS: dict[str, tuple[Sequence[str], Sequence[str]]] = {
    "living_room": (("living room", "lounge", "sitting room"), ("客厅", "客厅", "起居室")),
    "bedroom": (("bedroom",), ("卧室", "主卧")),
    "kitchen": (("kitchen",), ("厨房",)),
    "bathroom": (("bathroom",), ("浴室", "卫生间")),
    "hallway": (("hallway", "corridor"), ("走廊", "过道")),
    "office": (("office", "study"), ("书房", "办公室")),
    "kids_room": (("kids' room", "nursery"), ("儿童房", "孩子房间")),
    "garage": (("garage",), ("车库",)),
}
_SPACES = Word(
    (
        *("living room", "guest room", "attic", "basement", "dining room", "sunroom", "laundry room", "home office"),
        *("upstairs bathroom", "master bedroom", "kitchen", "hall", "den", "workshop", "playroom", "entrance hall"),
        *("walk-in closet", "spare bedroom", "conservatory", "pantry", "music room"),
    ),
    (
        *("客厅", "主卧", "次卧", "厨房", "餐厅", "阳台", "书房", "玄关", "卫生间", "阁楼", "地下室", "客房"),
        *("儿童房", "衣帽间", "洗衣房", "影音室", "老人房", "楼上卫生间", "储藏室", "健身房"),
    ),
)


def _draw_room(draw: Draw) -> Drawn:
    return Choice(_ROOMS).draw(draw)


# A room from a short list, wanted by its name in the list or as it was said.
LISTED_ROOM: Kind = Choice(_ROOMS, ({name: name.upper() for name in _ROOMS},))
ROOM: Kind = Made(_draw_room, (Form({"type": "string", "enum": list(_ROOMS)}, meant), Form(STRING, lambda d: d.said)))
# Any room, in the user's own words.
SPACE: Kind = _SPACES

COLOR = Choice(
    {
        "red": (("red",), ("红色",)),
        "blue": (("blue",), ("蓝色",)),
        "green": (("green",), ("绿色",)),
        "purple": (("purple", "violet"), ("紫色",)),
        "orange": (("orange",), ("橙色", "橘色")),
        "pink": (("pink",), ("粉色", "粉红色")),
        "warm_white": (("warm white", "a warm white"), ("暖白", "暖白色")),
        "cool_white": (("cool white", "a cold white"), ("冷白", "冷白色")),
    },
    ({"warm_white": "warm", "cool_white": "cool"},),
)
DOOR = Word(
    (
        *("front door", "back door", "garage door", "patio door", "side gate", "cellar door", "main entrance"),
        *("garden gate", "balcony door", "shed", "bike room", "guest house door", "office door", "basement door"),
    ),
    ("大门", "前门", "后门", "车库门", "阳台门", "院门", "侧门", "储藏室门", "书房门", "地下室门", "入户门"),
)
DEVICE = Word(
    (
        *("coffee machine", "fan", "heater", "Christmas lights", "TV", "kettle", "air purifier", "dehumidifier"),
        *("electric blanket", "aquarium pump", "phone charger", "rice cooker", "towel rail", "desk lamp", "humidifier"),
        *("e-bike charger", "slow cooker", "bedside lamp", "sprinkler", "stereo", "bottle warmer", "printer"),
    ),
    (
        *(
            "电风扇",
            "咖啡机",
            "取暖器",
            "电视",
            "热水壶",
            "空气净化器",
            "除湿机",
            "电热毯",
            "鱼缸水泵",
            "充电器",
            "电饭煲",
        ),
        *("加湿器", "台灯", "热水器", "电动车充电器", "音响", "打印机", "圣诞灯", "消毒柜", "豆浆机", "落地扇"),
    ),
)
CAMERA = Word(
    (
        *("driveway", "front porch", "backyard", "garage", "nursery", "hallway", "side entrance", "garden", "balcony"),
        *("pool", "mailbox", "stairwell", "carport", "shop floor", "back gate"),
    ),
    ("门口", "后院", "车库", "院子", "阳台", "客厅", "楼道", "儿童房", "花园", "泳池", "大门", "仓库", "走廊"),
)
SCENE = Word(
    (
        *("movie night", "good night", "dinner party", "morning coffee", "reading time", "romantic evening", "away"),
        *("deep focus", "game night", "bath time", "wake up", "yoga", "homework", "sunset", "guests are coming"),
        *("cozy winter", "Sunday brunch", "baby sleeping", "cleaning day", "work from home", "siesta", "party"),
        *("all off", "welcome home", "late night snack", "vacation"),
    ),
    (
        *("观影", "晚安", "回家", "离家", "起床", "阅读", "聚餐", "浪漫晚餐", "专注工作", "会客", "游戏之夜", "瑜伽"),
        *("午休", "写作业", "宝宝睡觉", "大扫除", "周末早餐", "度假", "派对", "夜宵", "温馨冬夜", "泡澡", "居家办公"),
        *("日落", "全关"),
    ),
    quoted=0.35,
)
