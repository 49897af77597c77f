"""Units: converting measures, degrees, kitchen measures, and sizes of clothes and shoes."""

from training.data.conversions import Conversion
from training.data.family import Domain, Family, Missing, Outcome, Param, PartOf
from training.data.kinds import Choice, Integer, Word
from training.data.sums import Plain, Result
from training.data.world import Unit

ANY_UNIT = ("units.by_name", "units.by_symbol")
MEASURED = ("units.length", "units.weight", "units.temperature", "units.data")
CONVERTED = Outcome(
    fields=(("converted", Result(1, 5_000, 2)),),
    texts=("{converted}", "result: {converted}"),
    texts_zh=("{converted}", "换算结果：{converted}"),
    answers=("That's {converted}.", "It comes to {converted}.", "Converted, it's {converted}."),
    answers_zh=("换算过来是{converted}。", "等于{converted}。", "是{converted}。"),
)


def _any_unit(key: str, symbols: bool) -> Family:
    about = "e.g. mi" if symbols else "e.g. mile"
    return Family(
        key=key,
        names=("convert_units", "unit_converter", "convert_measurement", "measure_convert", "convert"),
        about=(
            "Convert a value from one unit to another.",
            "Unit conversion for length, weight, volume, temperature, speed, area, data, energy and pressure.",
            "Converts measurements. It does not convert currencies.",
        ),
        about_zh=("单位换算。", "把数值从一种单位换算成另一种，不支持货币。", "长度、重量、体积、温度等单位的转换。"),
        params=(
            Param(
                "value",
                PartOf("conversion", "value", {"type": "number"}),
                ("value", "amount", "quantity"),
                ("The value to convert",),
                ("要换算的数值",),
            ),
            Param(
                "conversion",
                Conversion(symbols),
                ("from_unit", "source_unit", "unit_from", "from"),
                ("Unit of the value",),
                ("原单位",),
            ),
            Param(
                "to",
                PartOf("conversion", "to", about=about, about_zh=about.replace("e.g.", "如")),
                ("to_unit", "target_unit", "unit_to", "to"),
                ("Unit to convert to",),
                ("目标单位",),
            ),
        ),
        asks=(
            "Convert {conversion}.",
            "{conversion}",
            "what is {conversion}?",
            "I need {conversion} please",
            "how much is {conversion}",
            "Could you change {conversion} for me?",
            "The manual is foreign, so I have to turn {conversion}. What do I get?",
            "{conversion}, anyone?",
            "quick conversion: {conversion}",
            "my teacher wants {conversion}, help",
            "Please work out {conversion} for the report.",
            "hi! {conversion}? thanks",
        ),
        asks_zh=(
            "{conversion}",
            "{conversion}是多少？",
            "把{conversion}",
            "帮我将{conversion}",
            "请问{conversion}等于多少",
            "说明书是外国的，得把{conversion}，结果是多少？",
            "{conversion}，谢谢",
            "老师让把{conversion}，答案是几？",
        ),
        outcomes=(CONVERTED,),
        also=(*ANY_UNIT, *MEASURED, "units.kitchen"),
        errors=("unknown unit", "the units measure different things"),
    )


BY_NAME = _any_unit("units.by_name", symbols=False)
BY_SYMBOL = _any_unit("units.by_symbol", symbols=True)


def _params(measure: str, value: Plain) -> tuple[Param, ...]:
    return (
        Param("value", value, ("value", "amount", "number"), ("How much",), ("数值",)),
        Param("source", Unit(measure), ("from_unit", "from", "unit"), ("Unit it is in",), ("原单位",)),
        Param("target", Unit(measure), ("to_unit", "to", "target"), ("Unit wanted",), ("目标单位",)),
    )


def _no_target(asks: tuple[str, ...], asks_zh: tuple[str, ...]) -> tuple[Missing]:
    replies = ("Into which unit?", "Which unit would you like it in?")
    return (Missing("target", asks, replies, asks_zh, ("请问要换成什么单位？", "换算成哪个单位？")),)


LENGTH = Family(
    key="units.length",
    names=("convert_length", "length_converter", "distance_convert", "convert_distance"),
    about=(
        "Convert lengths and distances.",
        "Length conversion: metric and imperial.",
        "How long something is in another unit.",
    ),
    about_zh=("长度换算。", "公制与英制长度、距离的换算。"),
    params=_params("length", Plain(1, 900, 1)),
    asks=(
        "How many {target} are {value} {source}?",
        "{value} {source} in {target}?",
        "The sofa is {value} {source} wide. What's that in {target}?",
        "My American friend says it's {value} {source} away, how much is that in {target}?",
        "I'm knitting from a pattern that asks for {value} {source} and my tape shows {target}.",
        "convert {value} {source} to {target} please",
        "how long is {value} {source} if you measure in {target}",
        "In {target}, what would {value} {source} be?",
        "we have to walk {value} {source}, tell me in {target}",
        "The board must be {value} {source} long, but I think in {target}.",
        "express {value} {source} as {target}",
    ),
    asks_zh=(
        "{value}{source}是多少{target}？",
        "{value}{source}等于几{target}",
        "沙发宽{value}{source}，换成{target}是多少？",
        "把{value}{source}换算成{target}",
        "外国朋友说离这里{value}{source}，合多少{target}？",
        "图纸上写{value}{source}，我只有{target}的尺子，应该量多少？",
        "{value}{source}用{target}表示是多少",
        "要走{value}{source}，也就是多少{target}？",
    ),
    outcomes=(CONVERTED,),
    missing=_no_target(
        ("Convert {value} {source} for me.", "The table is {value} {source} long, I need that in another unit."),
        ("{value}{source}帮我换算一下。", "桌子长{value}{source}，想换个单位"),
    ),
    also=ANY_UNIT,
    fits=lambda drawn: drawn["source"].meaning != drawn["target"].meaning,
)

WEIGHT = Family(
    key="units.weight",
    names=("convert_weight", "weight_converter", "mass_convert", "convert_mass"),
    about=(
        "Convert weights.",
        "Mass conversion between kilograms, pounds, ounces and the like.",
        "Weight in another unit.",
    ),
    about_zh=("重量换算。", "公斤、磅、盎司等质量单位互换。"),
    params=_params("weight", Plain(1, 500, 1)),
    asks=(
        "How many {target} are {value} {source}?",
        "{value} {source} in {target}?",
        "My suitcase weighs {value} {source} and the airline counts in {target}. What is that?",
        "The baby is {value} {source}, grandma wants to know it in {target}.",
        "the gym has plates of {value} {source}, what's that in {target}",
        "convert {value} {source} into {target}",
        "I lifted {value} {source} today! In {target}?",
        "how heavy is {value} {source} in {target}",
        "Tell me what {value} {source} are in {target}.",
        "a recipe from London calls for {value} {source}, my scale only knows {target}",
    ),
    asks_zh=(
        "{value}{source}是多少{target}？",
        "{value}{source}合多少{target}",
        "行李箱{value}{source}，航空公司按{target}算，是多少？",
        "宝宝{value}{source}，奶奶想知道是几{target}",
        "{value}{source}换成{target}",
        "我今天举了{value}{source}，相当于多少{target}？",
        "把{value}{source}换算为{target}",
        "秤上只有{target}，{value}{source}该称多少？",
    ),
    outcomes=(CONVERTED,),
    missing=_no_target(
        ("What's {value} {source} in another unit?", "Convert {value} {source}."),
        ("{value}{source}换算一下", "{value}{source}换个单位是多少？"),
    ),
    also=(*ANY_UNIT, "units.kitchen"),
    fits=lambda drawn: drawn["source"].meaning != drawn["target"].meaning,
)

TEMPERATURE = Family(
    key="units.temperature",
    names=("convert_temperature", "temperature_converter", "degrees_convert", "convert_degrees"),
    about=(
        "Convert degrees.",
        "Temperature conversion between Celsius, Fahrenheit and Kelvin.",
        "It is no weather report.",
    ),
    about_zh=("温度换算。", "摄氏、华氏、开尔文之间的换算，不查天气。"),
    params=_params("temperature", Plain(-20, 450, 1)),
    asks=(
        "What's {value} {source} in {target}?",
        "{value} {source} to {target}",
        "The oven in this recipe is at {value} {source}, how much is that in {target}?",
        "convert {value} {source} to {target}",
        "My thermometer says {value} {source}. Is there a way to say that in {target}?",
        "how hot is {value} {source} in {target}",
        "A colleague abroad complains about {value} {source}. In {target}, please?",
        "express {value} {source} in {target}",
        "if it's {value} {source}, what would it read in {target}?",
        "the kiln goes up to {value} {source}, give me {target}",
    ),
    asks_zh=(
        "{value}{source}是多少{target}？",
        "{value}{source}换成{target}",
        "食谱说烤箱{value}{source}，也就是多少{target}？",
        "把{value}{source}转换成{target}",
        "体温计显示{value}{source}，等于几{target}",
        "国外同事说那边{value}{source}，合多少{target}？",
        "{value}{source}用{target}怎么表示",
        "{value}{source}相当于{target}多少",
    ),
    outcomes=(CONVERTED,),
    missing=_no_target(
        ("Convert {value} {source}.", "My oven says {value} {source}, I need that in another unit."),
        ("{value}{source}换算一下", "烤箱显示{value}{source}，换个单位是多少？"),
    ),
    also=ANY_UNIT,
    fits=lambda drawn: drawn["source"].meaning != drawn["target"].meaning,
)

DATA = Family(
    key="units.data",
    names=("convert_data_size", "file_size_convert", "storage_units", "bytes_converter"),
    about=(
        "Convert amounts of data.",
        "Data sizes: bytes, kilobytes, megabytes and so on.",
        "File size in another unit.",
    ),
    about_zh=("数据大小换算。", "字节、KB、MB、GB、TB 互换。"),
    params=_params("data", Plain(1, 5_000, 1)),
    asks=(
        "How many {target} are {value} {source}?",
        "{value} {source} in {target}",
        "My disk has {value} {source}, how much is that in {target}?",
        "The download is {value} {source}. Tell me in {target}.",
        "convert {value} {source} to {target}, please",
        "our backup needs {value} {source}, that's how many {target}?",
        "what do {value} {source} make in {target}",
        "If my plan gives me {value} {source} a month, what is it in {target}?",
        "turn {value} {source} into {target}",
        "the mail server takes {value} {source}, I need it as {target}",
    ),
    asks_zh=(
        "{value}{source}是多少{target}？",
        "{value}{source}等于几{target}",
        "硬盘{value}{source}，换成{target}是多少？",
        "下载文件{value}{source}，合多少{target}",
        "把{value}{source}换算成{target}",
        "套餐每月{value}{source}流量，也就是多少{target}？",
        "备份要{value}{source}，是几{target}",
        "{value}{source}转成{target}",
    ),
    outcomes=(CONVERTED,),
    also=ANY_UNIT,
    fits=lambda drawn: drawn["source"].meaning != drawn["target"].meaning,
)

KITCHEN = Family(
    key="units.kitchen",
    names=("kitchen_measure", "ingredient_weight", "cooking_converter", "convert_ingredient"),
    about=(
        "Convert kitchen measures of an ingredient.",
        "How much an ingredient weighs: cups and spoons to grams, by its density.",
        "Cooking conversion that knows the ingredient. Not for plain units.",
    ),
    about_zh=("按食材换算厨房量具。", "把几杯、几勺的食材换算成克等单位。"),
    params=(
        Param(
            "ingredient",
            Word(
                (
                    *("flour", "sugar", "brown sugar", "butter", "rice", "honey", "milk", "cocoa", "oats", "salt"),
                    *(
                        "olive oil",
                        "yogurt",
                        "cornmeal",
                        "almond flour",
                        "powdered sugar",
                        "cream",
                        "lentils",
                        "raisins",
                    ),
                    *("baking powder", "peanut butter", "coconut milk", "chopped nuts", "grated cheese", "semolina"),
                ),
                (
                    *("面粉", "白糖", "红糖", "黄油", "大米", "蜂蜜", "牛奶", "可可粉", "燕麦", "盐", "橄榄油", "酸奶"),
                    *("玉米粉", "杏仁粉", "糖粉", "淡奶油", "小扁豆", "葡萄干", "泡打粉", "花生酱", "椰浆", "碎坚果"),
                ),
            ),
            ("ingredient", "food", "item"),
            ("The ingredient", "e.g. flour"),
            ("食材",),
        ),
        Param("amount", Plain(2, 12), ("amount", "quantity", "value"), ("How much of it",), ("数量",)),
        Param(
            "measure",
            Choice(
                {
                    "cup": (("cups", "cups"), ("杯",)),
                    "tablespoon": (("tablespoons", "tbsp"), ("汤匙", "大勺")),
                    "teaspoon": (("teaspoons", "tsp"), ("茶匙", "小勺")),
                },
                ({"tablespoon": "tbsp", "teaspoon": "tsp"},),
            ),
            ("measure", "from_unit", "unit"),
            ("Measure it is given in",),
            ("量具",),
        ),
        Param(
            "target",
            Choice(
                {
                    "gram": (("grams", "g"), ("克",)),
                    "ounce": (("ounces", "oz"), ("盎司",)),
                    "milliliter": (("milliliters", "ml"), ("毫升",)),
                },
                ({"gram": "g", "ounce": "oz", "milliliter": "ml"},),
            ),
            ("to_unit", "target_unit", "to"),
            ("Unit wanted",),
            ("目标单位",),
            required=False,
        ),
    ),
    asks=(
        "How many {target} are {amount} {measure} of {ingredient}?",
        "{amount} {measure} {ingredient}, what's that in {target}",
        "The recipe wants {amount} {measure} of {ingredient} but I only have a scale[ that shows {target}].",
        "how much do {amount} {measure} of {ingredient} weigh",
        "I'm baking and it says {amount} {measure} {ingredient}. I need that in {target}.",
        "Convert {amount} {measure} of {ingredient}[ to {target}], please.",
        "my measuring spoons are gone: {amount} {measure} of {ingredient} in {target}?",
        "what would {amount} {measure} of {ingredient} be on the scale[, in {target}]",
        "Grandma's cake takes {ingredient}, {amount} {measure} of it. How many {target} is that?",
        "what's the weight of {amount} {measure} of {ingredient}[ in {target}]?",
    ),
    asks_zh=(
        "{amount}{measure}{ingredient}是多少{target}？",
        "食谱要{amount}{measure}{ingredient}，我只有秤，该称多少[{target}]？",
        "{amount}{measure}{ingredient}有多重",
        "{ingredient}{amount}{measure}换成{target}",
        "做蛋糕要{ingredient}{amount}{measure}，等于多少{target}？",
        "没有量勺，{amount}{measure}{ingredient}大概多少{target}",
        "帮我换算{amount}{measure}{ingredient}[，要{target}]",
        "{amount}{measure}的{ingredient}合多少{target}呀",
    ),
    outcomes=(
        Outcome(
            fields=(("weight", Result(5, 900)),),
            texts=("{weight}",),
            texts_zh=("{weight}",),
            answers=("For the {ingredient} that's {weight}.", "It comes to {weight}.", "{weight} of {ingredient}."),
            answers_zh=("{ingredient}大约是{weight}。", "换算后是{weight}。", "是{weight}。"),
        ),
    ),
    missing=(
        Missing(
            key="ingredient",
            asks=("How heavy are {amount} {measure}?", "What do {amount} {measure} weigh?"),
            replies=("Of which ingredient?", "What is it {amount} {measure} of?"),
            asks_zh=("{amount}{measure}有多重？", "{amount}{measure}是多少克"),
            replies_zh=("请问是什么食材？", "是哪种食材的{amount}{measure}？"),
        ),
    ),
)

SYSTEM = Choice(
    {
        "US": (("US", "American"), ("美国", "美码")),
        "UK": (("UK", "British"), ("英国", "英码")),
        "EU": (("EU", "European"), ("欧洲", "欧码")),
        "JP": (("Japanese",), ("日本", "日码")),
    },
    ({"US": "us", "UK": "uk", "EU": "eu", "JP": "jp"},),
)

SIZES = Family(
    key="units.sizes",
    names=("convert_clothing_size", "size_chart", "shoe_and_clothing_sizes", "size_converter"),
    about=(
        "Convert sizes of clothes and shoes between countries.",
        "Clothing and shoe size chart.",
        "Size conversion for a garment, from one country's system to another.",
    ),
    about_zh=("各国服装、鞋码换算。", "查询衣服和鞋子的尺码对照。"),
    params=(
        Param(
            "garment",
            Choice(
                {
                    "shoes": (("shoes", "trainers", "boots"), ("鞋", "靴子", "运动鞋")),
                    "dress": (("dresses",), ("连衣裙", "裙子")),
                    "shirt": (("shirts",), ("衬衫",)),
                    "trousers": (("trousers", "pants"), ("裤子",)),
                }
            ),
            ("garment", "item", "clothing_type"),
            ("What is worn",),
            ("服饰种类",),
        ),
        Param("size", Integer(4, 48), ("size", "value"), ("The size",), ("尺码",)),
        Param("source", SYSTEM, ("from_system", "from_country", "source"), ("System of the size",), ("原尺码体系",)),
        Param("target", SYSTEM, ("to_system", "to_country", "target"), ("System wanted",), ("目标尺码体系",)),
    ),
    asks=(
        "I wear {source} size {size} in {garment}, what's my {target} size?",
        "{garment} in {source} {size}, what is that in {target} sizes",
        "What {target} size do I order for a {source} {size} in {garment}?",
        "My niece takes {source} {size} for {garment}. Which {target} size should I get her?",
        "convert {garment} size {size} from {source} to {target}",
        "the label of the {garment} says {source} {size}, and in {target} sizes?",
        "Is there a {target} equivalent of {garment} in {source} size {size}?",
        "bought {garment} abroad, {source} {size}. tell me the {target} size",
        "For {garment}: {source} {size} is which size in the {target} system?",
        "shopping for {garment} in a {target} shop, my {source} size is {size}, help",
    ),
    asks_zh=(
        "{garment}{source}{size}号，对应{target}是几号？",
        "我穿{source}{size}号的{garment}，换成{target}该买多大？",
        "{garment}，{source}{size}换{target}",
        "标签上写{source}{size}，是{garment}，{target}尺码是多少",
        "给侄女买{garment}，她穿{source}{size}号，{target}要选几号？",
        "{garment}的{source}{size}号等于{target}多少号",
        "帮我把{garment}尺码从{source}{size}换算到{target}",
        "海淘{garment}，{source}{size}号相当于{target}几号啊",
    ),
    outcomes=(
        Outcome(
            fields=(("matching", Result(4, 48)),),
            texts=("size {matching}",),
            texts_zh=("{matching}号",),
            answers=("That's a size {matching}.", "You need size {matching}.", "It corresponds to {matching}."),
            answers_zh=("对应{matching}号。", "应该选{matching}号。", "是{matching}号。"),
        ),
    ),
    missing=(
        Missing(
            key="size",
            asks=("I have a {source} size in {garment}, what's it in {target} sizes?",),
            replies=("Which size do you wear?", "What is the size?"),
            asks_zh=("我的{garment}是{source}尺码，换成{target}是几号？",),
            replies_zh=("请问您穿几号？", "尺码是多少？"),
        ),
        Missing(
            key="garment",
            asks=("What's a {source} {size} in {target} sizes?", "convert size {size} from {source} to {target}"),
            replies=("What do you want to wear: shoes, a dress, a shirt or trousers?", "For which kind of clothing?"),
            asks_zh=("{source}{size}号换成{target}是几号？", "把尺码从{source}{size}换成{target}"),
            replies_zh=("请问是鞋子还是衣服？", "是哪种服饰？"),
        ),
    ),
    fits=lambda drawn: drawn["source"].meaning != drawn["target"].meaning,
)

DOMAIN = Domain(
    "units",
    (BY_NAME, BY_SYMBOL, LENGTH, WEIGHT, TEMPERATURE, DATA, KITCHEN, SIZES),
    unserved=(
        ("Who invented the metric system?", "公制是谁发明的？"),
        ("Let these trousers out by two centimetres.", "把这条裤子放宽两厘米。"),
        ("Calibrate my bathroom scale.", "帮我校准体重秤。"),
        ("Measure the living room for me.", "帮我量一下客厅。"),
        ("Is my fever dangerous?", "我烧成这样危险吗？"),
        ("How do I get flour stains out of a black shirt?", "黑衬衫上的面粉渍怎么洗？"),
        ("Speed up my internet connection.", "把我的网速提一提。"),
        ("Which measuring cup should I trust?", "哪个量杯更准？"),
        ("Weigh this letter for me.", "帮我称一下这封信。"),
        ("How tall is the highest mountain of Africa?", "非洲最高的山有多高？"),
        ("Does this coat run small?", "这件大衣偏小吗？"),
        ("Why did my cake collapse?", "我的蛋糕为什么塌了？"),
        ("How long does milk keep in the fridge?", "牛奶在冰箱里能放多久？"),
        ("Book a fitting with the tailor.", "帮我预约裁缝量尺寸。"),
    ),
)
