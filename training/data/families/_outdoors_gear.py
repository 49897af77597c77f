"""Gear to rent for the outdoors, and animals that were seen there."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, ListOf, Record, Word
from training.data.times import Day
from training.data.wordings import distinct, named_day, pool

THING = Word(
    pool(
        """sleeping bags | head torches | snowshoes | camping stoves | life jackets | climbing helmets | trekking poles
        kayaks | ice axes | two-man tents | cool boxes | wetsuits | dry bags | paddle boards | mountain bikes | tarps
        hammocks | binoculars | bear cans | folding chairs"""
    ),
    pool(
        """睡袋 | 头灯 | 雪鞋 | 户外炉 | 救生衣 | 攀岩头盔 | 登山杖 | 皮划艇 | 冰镐 | 双人帐篷 | 保温箱 | 潜水服
        防水袋 | 桨板 | 山地车 | 天幕 | 吊床 | 望远镜 | 折叠椅 | 防潮垫"""
    ),
)
PIECE = Record("{count} {item}", "{item}{count}件", {"item": THING, "count": Integer(2, 8)})
ANIMAL = Word(
    pool(
        """wolf | golden eagle | lynx | kingfisher | pine marten | brown bear | fire salamander | black stork
        wild boar | grass snake | badger | red kite | chamois | hoopoe | beaver | seal | marmot | barn owl | moose
        hedgehog"""
    ),
    pool(
        """白鹭 | 金雕 | 猞猁 | 翠鸟 | 水獭 | 黑熊 | 娃娃鱼 | 东方白鹳 | 野猪 | 猕猴 | 狗獾 | 鱼鹰 | 岩羊 | 戴胜
        小熊猫 | 藏狐 | 旱獭 | 猫头鹰 | 梅花鹿 | 刺猬"""
    ),
)
SPOT = Word(
    pool(
        """Heron Pond | Mill Creek | Oak Hill | the north meadow | Stone Bridge | Raven Rock | the old quarry
        Marsh Lane | Fox Hollow | Bear Gully | Lake Ansel | the pine forest | Gull Cliff | the river mouth
        Birch Grove"""
    ),
    pool(
        """鹭鸶塘 | 磨坊溪 | 橡树坡 | 北草甸 | 石桥 | 乌鸦岩 | 旧采石场 | 湿地公园 | 狐狸谷 | 松树林
        海鸥崖 | 入海口 | 白桦林 | 水库边 | 后山"""
    ),
)

GEAR = Family(
    key="outdoors.rent_gear",
    names=("rent_outdoor_gear", "gear_rental", "hire_equipment", "reserve_gear"),
    about=(
        "Rent gear for a trip.",
        "Reserves pieces of outdoor gear, each with its number, between two days.",
        "Rental of outdoor equipment. Nothing is sold.",
    ),
    about_zh=("租借户外装备。", "按件数租用户外装备，需要起止日期。"),
    params=(
        Param("items", ListOf(PIECE, 1, 4), ("items", "equipment", "gear"), ("What and how many",), ("装备及数量",)),
        Param("start", named_day(1, 12), ("from_date", "pickup", "start_date"), ("First day",), ("起租日",)),
        Param("end", named_day(14, 28), ("to_date", "return_date", "end_date"), ("Last day",), ("归还日",)),
        Param("insured", Flag(), ("insurance", "insured"), ("True with insurance",), ("是否买保险",), required=False),
    ),
    asks=(
        "We need {items} from {start} to {end}.",
        "rent {items}, pick up {start}, bring back {end}",
        "Our club goes to the mountains and lacks {items}. We'd fetch them {start} and return them {end}.",
        Ask("Reserve {items} from {start} to {end}, with insurance.", {"insured": True}),
        "Can I hire {items}? Start {start}, end {end}.",
        "for the trip: {items}, {start} to {end}",
        Ask("Get us {items} on hire from {start} to {end}. We don't want the insurance.", {"insured": False}),
        "From {start} to {end} we would like to borrow against payment: {items}.",
    ),
    asks_zh=(
        "租{items}，{start}到{end}",
        "我们要{items}，{start}取，{end}还",
        "俱乐部进山缺{items}，{start}拿，{end}还，帮我租",
        Ask("租用{items}，从{start}到{end}，要买保险", {"insured": True}),
        "能租{items}吗？{start}开始，{end}归还",
        "装备租赁：{items}，{start}至{end}",
        "{start}出发，{end}回来还，先租{items}",
        Ask("{start}到{end}租{items}，保险不要", {"insured": False}),
        "帮我预订{items}，租期{start}到{end}",
        "出去玩要用{items}，{start}租到{end}",
    ),
    outcomes=(
        Outcome(
            fields=(("total", Integer(25, 400, 5)), ("deposit", Integer(20, 150, 10))),
            texts=("{total} plus a deposit of {deposit}",),
            texts_zh=("租金{total}元，押金{deposit}元",),
            answers=(
                "It's reserved: {total}, and a deposit of {deposit}.",
                "The rent is {total} in all.",
                "Done. Please bring {deposit} as a deposit.",
            ),
            answers_zh=("租好了，租金{total}元，押金{deposit}元。", "一共{total}元。", "已预订，押金{deposit}元。"),
        ),
    ),
    missing=(
        Missing(
            key="end",
            asks=("We'd like to rent {items} from {start}.", "hire {items}, starting {start}"),
            replies=("Until which day?", "When will you bring them back?"),
            asks_zh=("租{items}，{start}开始", "{start}要用{items}，帮我租"),
            replies_zh=("请问租到哪天？", "什么时候归还？"),
        ),
        Missing(
            key="items",
            asks=("I want to rent gear from {start} to {end}.",),
            replies=("Which pieces, and how many?", "What do you need?"),
            asks_zh=("{start}到{end}租点装备",),
            replies_zh=("请问租什么、几件？", "需要哪些装备？"),
        ),
    ),
    fits=distinct("items", "item"),
)

SIGHTING = Family(
    key="outdoors.sighting",
    names=("report_sighting", "log_wildlife", "wildlife_observation", "add_animal_sighting"),
    about=(
        "Report an animal that was seen.",
        "Adds a sighting of a wild animal to the nature map: what, where, how many.",
        "For wild animals; lost pets are reported elsewhere.",
    ),
    about_zh=("上报野生动物目击。", "把看到的野生动物记到自然地图：种类、地点、数量。"),
    params=(
        Param("animal", ANIMAL, ("species", "animal", "what"), ("Which animal",), ("动物",)),
        Param("spot", SPOT, ("place", "where", "spot"), ("Where",), ("地点",)),
        Param("count", Integer(2, 12), ("count", "how_many"), ("How many",), ("数量",), required=False, default=1),
        Param("day", Day(-6, 0), ("seen_on", "date"), ("When",), ("日期",), required=False),
    ),
    asks=(
        "I saw a {animal} at {spot}[ {day}]!",
        "{animal} at {spot}[, {day}], put it on the map",
        "You won't believe it: a {animal}, right at {spot}. Report it.",
        "Sighting: {animal}, {spot}[, {count} of them][, {day}]",
        "My children spotted a {animal} near {spot}[ {day}]. The rangers will want to know.",
        "{day} there was a {animal} at {spot}, please record it",
        "Tell the nature people about the {animal} at {spot}[; there were {count}].",
        "Walking the dog I met a {animal} by {spot}[, {day}]. Log the observation.",
    ),
    asks_zh=(
        "我在{spot}看到{animal}了[，{day}]",
        "{spot}有{animal}[，{count}只]，记到地图上",
        "没想到，{spot}居然有{animal}，上报一下",
        "目击记录：{animal}，{spot}[，{count}只][，{day}]",
        "孩子{day}在{spot}发现了{animal}，告诉护林员",
        "遛狗时在{spot}碰到{animal}，登记",
        "{day}{spot}出现{animal}[，一共{count}只]",
        "拍到{animal}了，就在{spot}[，{day}]，帮我提交",
        "向自然保护区报告：{spot}，{animal}",
        "{spot}那边[{day}]有人看见{animal}，记录下来",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("record", Integer(1000, 9999)),
                ("rarity", Choice({"rare": (("rare",), ("罕见",)), "common": (("common",), ("常见",))})),
            ),
            texts=("record {record}, {rarity}",),
            texts_zh=("记录{record}，{rarity}",),
            answers=(
                "The {animal} is on the map, as record {record}; it is {rarity} there.",
                "Thank you, that is record {record}.",
                "Reported. The {animal} is {rarity} in that place.",
            ),
            answers_zh=(
                "已上报，记录号{record}，{animal}在那里{rarity}。",
                "谢谢，编号{record}。",
                "记好了，{animal}在当地{rarity}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="spot",
            asks=("I saw a {animal}!", "put a {animal} on the nature map, seen {day}"),
            replies=("Where did you see it?", "Where was the {animal}?"),
            asks_zh=("我看到{animal}了，上报", "{day}遇见{animal}，记一下"),
            replies_zh=("请问在哪里看到的？", "地点是哪儿？"),
        ),
        Missing(
            key="animal",
            asks=("I saw an animal at {spot} and want to report it.", "report a sighting at {spot}"),
            replies=("Which animal was it?", "What did you see?"),
            asks_zh=("在{spot}看到个动物，上报", "{spot}有野生动物，记一下"),
            replies_zh=("请问是什么动物？", "看到的是哪种动物？"),
        ),
    ),
    also=("nature.sighting",),
)
