"""Goods, prices, shops and opinions, as values to speak of."""

from training.data.family import Draw, Drawn, Form, Kind
from training.data.kinds import Choice, Code, Integer, ListOf, Made, Record, Word, meant
from training.data.speech import chinese_words
from training.data.world import City

_FEATURES = (
    *("wireless", "stainless steel", "foldable", "waterproof", "second-hand", "electric", "wooden", "lightweight"),
    *("noise-cancelling", "vintage", "organic", "portable", "extra large", "rechargeable", "adjustable", "handmade"),
)
_THINGS = (
    *("headphones", "water bottle", "desk lamp", "backpack", "running shoes", "office chair", "espresso machine"),
    *("rain jacket", "coffee table", "hair dryer", "wardrobe", "bike helmet", "suitcase", "monitor stand", "tent"),
    *("frying pan", "yoga mat", "baby monitor", "phone case", "garden hose", "bluetooth speaker", "picture frame"),
)
_FEATURES_ZH = (
    "无线",
    "不锈钢",
    "可折叠",
    "防水",
    "二手",
    "电动",
    "实木",
    "轻便",
    "降噪",
    "复古",
    "便携",
    "大号",
    "可充电",
)
_THINGS_ZH = (
    *(
        "耳机",
        "保温杯",
        "台灯",
        "双肩包",
        "跑鞋",
        "办公椅",
        "咖啡机",
        "冲锋衣",
        "茶几",
        "牙刷",
        "书架",
        "头盔",
        "行李箱",
    ),
    *("显示器支架", "帐篷", "炒锅", "瑜伽垫", "婴儿监护器", "手机壳", "音箱", "相框", "雨伞", "床垫"),
)


def _product(draw: Draw) -> Drawn:
    rng = draw.rng
    zh = draw.language == "zh"
    thing = rng.choice(_THINGS_ZH if zh else _THINGS)
    if rng.random() < 0.45:
        feature = rng.choice(_FEATURES_ZH if zh else _FEATURES)
        thing = f"{feature}{thing}" if zh else f"{feature} {thing}"
    if zh or thing.endswith("s"):
        return Drawn(thing, thing)
    if rng.random() < 0.5:
        return Drawn(f"{thing}s", f"{thing}s")
    # What one searches for is the thing without its article.
    return Drawn(f"{'an' if thing[0] in 'aeiou' else 'a'} {thing}", thing)


# Something to look for in a shop, by a few words.
GOODS: Kind = Made(_product)
# Something with a name of its own, as it stands on the box.
MODEL = Word(
    (
        *(
            "Aurora X200",
            "Kettler Pro 3",
            "Lumina Desk Lamp",
            "TrailFox 45L",
            "Barista One",
            "NordPad 11",
            "ZenMat 6mm",
        ),
        *("PixelView 27", "CloudRunner 5", "Vento S", "EcoBottle 750", "Quiet Ears 2", "GranTurismo Stroller"),
        *(
            "Ocean Wave Soundbar",
            "SmartKettle V2",
            "Alpine Down Jacket",
            "MonoChef 8-in-1",
            "Helix Keyboard",
            "Rova E-Bike",
        ),
    ),
    (
        *(
            "晨光X200",
            "极光台灯",
            "山狐45升背包",
            "云跑5代",
            "静界耳机2",
            "智能水壶V2",
            "远航平板11",
            "风尚S手表",
            "禅意瑜伽垫",
        ),
        *(
            "海浪回音壁",
            "雪峰羽绒服",
            "八合一料理锅",
            "螺旋键盘",
            "清风空气净化器",
            "小鹿婴儿车",
            "蓝盾充电宝",
            "星图投影仪",
        ),
    ),
)
BRAND = Word(
    ("Norvik", "Altamira", "Brightly", "Kestrel", "Solano", "Hartmann", "Umi", "Fjell", "Pomelo", "Garvey & Sons"),
    ("青禾", "海澜山", "极度", "云杉", "白鹭", "远方", "小满", "木子", "晨星", "蓝盾"),
)
GROCERY = Word(
    (
        *(
            "milk",
            "oat milk",
            "sourdough bread",
            "bananas",
            "olive oil",
            "free-range eggs",
            "toilet paper",
            "coffee beans",
        ),
        *("AA batteries", "dish soap", "tortillas", "butter", "baby wipes", "dog food", "sparkling water", "lemons"),
        *("pasta sauce", "light bulbs", "tissues", "cherry tomatoes", "hand cream", "tea bags", "paper towels"),
    ),
    (
        *(
            "牛奶",
            "面包",
            "香蕉",
            "橄榄油",
            "鸡蛋",
            "卫生纸",
            "咖啡豆",
            "电池",
            "洗洁精",
            "黄油",
            "湿巾",
            "狗粮",
            "矿泉水",
        ),
        *("柠檬", "酱油", "灯泡", "抽纸", "小番茄", "护手霜", "茶包", "大米", "洗衣液", "速冻饺子"),
    ),
)
_COUNTED = Word(
    (
        *("bananas", "lemons", "avocados", "light bulbs", "AA batteries", "notebooks", "frozen pizzas", "yoghurts"),
        *("bagels", "candles", "dish towels", "energy bars", "bottles of olive oil", "cans of tuna", "bags of rice"),
        *(
            "cartons of milk",
            "loaves of rye bread",
            "packs of tissues",
            "boxes of tea",
            "jars of honey",
            "scented soaps",
        ),
        *("water filters", "paper plates", "limes", "toothbrushes", "wool socks"),
    ),
    GROCERY.pool_zh,
)
_ANY_LINES = ListOf(
    Record("{quantity} {name}", "{quantity}份{name}", {"name": _COUNTED, "quantity": Integer(2, 12)}), 1, 5
)


def _lines(draw: Draw) -> Drawn:
    """Lines of a cart, no two of them for the same thing."""
    while True:
        lines = _ANY_LINES.draw(draw)
        if len({line.meaning["name"].meaning for line in lines.meaning}) == len(lines.meaning):
            return lines


LINES: Kind = Made(_lines, _ANY_LINES.forms)
COLOUR = Word(
    ("black", "white", "navy", "olive green", "red", "grey", "beige", "pink", "light blue", "mustard"),
    ("黑色", "白色", "藏青色", "军绿色", "红色", "灰色", "米色", "粉色", "浅蓝色", "姜黄色"),
)


def _spoken_price(value: float, draw: Draw) -> str:
    rng = draw.rng
    if draw.language == "zh":
        words = [f"{value}元", f"{value}块", f"{value}块钱", f"¥{value}"]
        if value == int(value) and value % 10 == 0:
            words.append(f"{chinese_words(int(value))}块")
        return rng.choice(words)
    figures = f"{value:,}" if rng.random() < 0.7 else f"{value}"
    words = [f"${figures}", f"${figures}", f"{figures} dollars", f"€{figures}", f"{figures} euros", f"{figures} bucks"]
    if value >= 1000 and value % 100 == 0:
        words += [f"${value / 1000:g}k", f"{value / 1000:g}k dollars"]
    return rng.choice(words)


def price(low: int, high: int) -> Kind:
    """A price as people say it, with a currency that is not wanted as a value."""

    def drawn_price(draw: Draw) -> Drawn:
        value: float = draw.rng.randint(low, high)
        if draw.rng.random() < 0.6:
            value = max(low, round(value, -1 if value < 300 else -2))
        elif draw.rng.random() < 0.4:
            value = round(value + draw.rng.choice((0.5, 0.9, 0.99)), 2)
        return Drawn(_spoken_price(value, draw), value)

    return Made(drawn_price, (Form({"type": "number"}, meant),))


ORDER = Code(("999-9999999", "AA-99999", "#99999", "A9999-99", "ORD-999999", "9999999999"))
TRACKING = Code(("AA999999999AA", "1Z999AA99999999", "99999999999999", "AAAA9999999999", "9A999-999-99"))
COUPON = Code(("SAVE99", "SPRING99", "AAAAA99", "WELCOME-9A9A", "AA9-AA9", "VIP999A"))
SHOP = Word(
    (
        *("ShopRight", "MegaMart", "Bluebird Store", "TechBarn", "HomeHarbor", "Bazaar24", "Greenleaf", "Pixel Depot"),
        *("Corner & Co", "OutdoorHaus"),
    ),
    ("优鲜超市", "百汇商城", "蓝鸟商店", "数码坊", "家居港", "大集市", "绿叶商城", "山野户外", "街角小铺"),
)
# Without its country, which is a parameter of its own.
TOWN: Kind = Made(City(0.4).draw, City().forms[:2])

_GOOD = (
    *("Exactly what I was looking for", "Works like a charm", "Sturdy and well made", "Great value for the money"),
    *("My kids love it", "Arrived two days early", "Better than in the pictures", "Very quiet and easy to clean"),
)
_BAD = (
    *("stopped working after a week", "the colour is off", "instructions are a joke", "smells of plastic"),
    *("smaller than expected", "the box was dented", "battery could last longer", "a bit pricey"),
)
_GOOD_ZH = (
    "质量很好",
    "和图片一样",
    "物流超快",
    "孩子很喜欢",
    "性价比高",
    "做工扎实",
    "声音很小，好清洗",
    "正是我想要的",
)
_BAD_ZH = (
    "用了一周就坏了",
    "颜色有点偏",
    "说明书看不懂",
    "有股塑料味",
    "比想象的小",
    "盒子压坏了",
    "续航一般",
    "有点贵",
)


def _opinion(draw: Draw) -> Drawn:
    rng = draw.rng
    if draw.language == "zh":
        text = rng.choice(
            (f"{rng.choice(_GOOD_ZH)}，就是{rng.choice(_BAD_ZH)}", rng.choice(_GOOD_ZH), rng.choice(_BAD_ZH))
        )
        return Drawn(rng.choice(("“{}”", "「{}」", "{}" if "，" not in text else "“{}”")).format(text), text)
    good, bad = rng.choice(_GOOD), rng.choice(_BAD)
    text = rng.choice((f"{good}, but {bad}", good, bad[0].upper() + bad[1:]))
    return Drawn(rng.choice(('"{}"', "“{}”", "'{}'")).format(text), text)


OPINION: Kind = Made(_opinion)
RETURN_REASON = Choice(
    {
        "too_small": (("it's too small",), ("太小了",)),
        "too_large": (("it's too big", "it's too large"), ("太大了",)),
        "damaged": (("it arrived broken", "it came damaged"), ("收到就是坏的", "运输中损坏了")),
        "wrong_item": (("that's not what I ordered", "they sent the wrong thing"), ("发错货了", "和我买的不一样")),
        "changed_mind": (("I changed my mind", "I just don't want it any more"), ("不想要了", "后悔买了")),
    },
    ({"too_small": "size_small", "too_large": "size_large", "damaged": "defective"},),
)
