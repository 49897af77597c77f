"""Rubbish: when it is collected, where it belongs, who takes large things away."""

from training.data.family import Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Integer, ListOf, Word
from training.data.sums import Result
from training.data.times import Day

from ._streets import STREET

WASTE = Choice(
    {
        "paper": (("paper", "cardboard"), ("废纸", "纸板")),
        "glass": (("glass",), ("玻璃", "玻璃瓶")),
        "plastic": (("plastic", "packaging"), ("塑料", "塑料包装")),
        "organic": (("food waste", "compost"), ("厨余垃圾", "湿垃圾")),
        "residual": (("general waste", "household rubbish"), ("其他垃圾", "干垃圾")),
        "garden": (("garden waste", "garden clippings"), ("园林垃圾", "枯枝落叶")),
        "hazardous": (("hazardous waste",), ("有害垃圾",)),
    },
    ({"organic": "bio", "residual": "general"}, {"residual": "household", "organic": "food", "plastic": "packaging"}),
)
RUBBISH = Word(
    (
        *("old batteries", "a pizza box", "a broken mirror", "paint tins", "a mattress"),
        *("light bulbs", "coffee capsules"),
        *("cooking oil", "nappies", "an umbrella", "yoghurt pots", "an old printer", "aerosol cans", "egg shells"),
        *("worn-out shoes", "a frying pan", "medicine bottles", "bubble wrap", "wine corks"),
        *("a car tyre", "cat litter"),
        *("milk cartons", "a toaster", "candle stubs", "ink cartridges"),
    ),
    (
        *("废电池", "披萨盒", "碎镜子", "油漆桶", "旧床垫", "灯泡", "咖啡胶囊", "用过的食用油", "尿不湿"),
        *("坏雨伞", "酸奶杯"),
        *("旧打印机", "喷雾罐", "鸡蛋壳", "旧鞋", "煎锅", "药瓶", "气泡膜", "红酒塞", "旧轮胎", "猫砂"),
        *("牛奶盒", "烤面包机"),
        *("蜡烛头", "墨盒", "大骨头"),
    ),
)
BULKY = Word(
    (
        *("sofa", "fridge", "washing machine", "mattress", "wardrobe", "bookshelf", "armchair", "carpet", "bed frame"),
        *("freezer", "dining table", "television", "office chair", "treadmill", "piano", "dishwasher"),
        *("door", "bathtub"),
        *("lawnmower", "chest of drawers", "bicycle"),
    ),
    (
        *("沙发", "冰箱", "洗衣机", "床垫", "衣柜", "书架", "扶手椅", "地毯", "床架", "冰柜", "餐桌"),
        *("电视机", "办公椅"),
        *("跑步机", "钢琴", "洗碗机", "旧门板", "浴缸", "割草机", "五斗柜", "旧自行车"),
    ),
)

WASTE_DAY = Family(
    key="civic.waste_day",
    names=("waste_collection_day", "bin_day", "next_rubbish_pickup", "collection_calendar"),
    about=(
        "When a kind of waste is collected next.",
        "Next collection of a bin in a street.",
        "Rubbish calendar. Orders no special collection.",
    ),
    about_zh=("查询垃圾清运日。", "某街道某类垃圾下次什么时候收。"),
    params=(
        Param("waste", WASTE, ("waste_type", "bin", "fraction"), ("Kind of waste",), ("垃圾种类",)),
        Param("street", STREET, ("street", "address", "road"), ("Street",), ("街道",)),
    ),
    asks=(
        "When is {waste} collected in {street}?",
        "{waste} {street} next pickup",
        "Do I have to put the {waste} bin out tonight? I live in {street}.",
        "which day do they take {waste} away, {street}",
        "our {waste} is overflowing here in {street}, when does the lorry come",
        "bin day for {waste} in {street} please",
        "Just moved to {street}. When does one put out {waste}?",
        "did I miss it again? {waste}, {street}, next date",
        "Something smells. When does {street} finally get rid of its {waste}?",
    ),
    asks_zh=(
        "{street}什么时候收{waste}？",
        "{waste}哪天来拉，{street}",
        "今晚要把{waste}推出去吗？我住{street}",
        "{street}这边{waste}都堆满了，垃圾车几时来",
        "刚搬到{street}，{waste}周几收",
        "查{street}的{waste}清运日",
        "是不是又错过了？{street}收{waste}的下次时间",
        "{waste}，{street}，收运时间",
        "{street}的{waste}多久收一次，下次是哪天",
        "帮我看看{street}哪天可以扔{waste}",
        "味儿太大了，{street}的{waste}到底哪天拉走",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("weekday", Word(("Monday", "Wednesday", "Friday"), ("周一", "周三", "周五"))),
                ("in_days", Result(1, 14)),
            ),
            texts=("{weekday}, in {in_days} days",),
            texts_zh=("{weekday}，{in_days}天后",),
            answers=(
                "It's collected on {weekday}, in {in_days} days.",
                "{street}: {weekday}.",
                "Next on {weekday} ({in_days} days).",
            ),
            answers_zh=(
                "{weekday}收，还有{in_days}天。",
                "{street}的下次清运是{weekday}。",
                "{in_days}天后，{weekday}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "street",
            ("When is {waste} collected?", "which day do they pick up {waste}"),
            ("In which street?", "Which street do you live in?"),
            ("什么时候收{waste}？", "{waste}周几来拉"),
            ("请问在哪条街？", "您住哪条路？"),
        ),
        Missing(
            "waste",
            ("When do they empty the bins in {street}?", "bin day {street}?"),
            ("Which kind of waste?", "Which bin do you mean?"),
            ("{street}什么时候收垃圾？", "{street}垃圾清运日"),
            ("请问是哪类垃圾？", "哪种垃圾？"),
        ),
    ),
)

SORTING = Family(
    key="civic.sorting",
    names=("which_bin", "recycling_guide", "disposal_advice", "how_to_dispose"),
    about=("Which bin something belongs in.", "How to get rid of an item the right way.", "Sorting guide for waste."),
    about_zh=("垃圾分类查询。", "某样东西该扔进哪个桶。"),
    params=(Param("thing", RUBBISH, ("item", "object", "waste_item"), ("What to throw away",), ("要扔的东西",)),),
    asks=(
        "Where do I throw away {thing}?",
        "which bin for {thing}",
        "{thing}: recyclable or not?",
        "My flatmate and I argue about {thing}. Where does that belong?",
        "how do I get rid of {thing} properly",
        "can I just put {thing} in the rubbish?",
        "clearing out the cellar and found {thing}, what do I do with that",
        "{thing} = general waste?",
        "In my hand: {thing}. In front of me: five bins. Help!",
    ),
    asks_zh=(
        "{thing}扔哪个桶？",
        "{thing}是什么垃圾",
        "{thing}能回收吗",
        "跟室友吵起来了，{thing}到底算哪类垃圾",
        "{thing}怎么处理才对",
        "{thing}可以直接丢吗？",
        "收拾屋子翻出{thing}，该怎么扔",
        "{thing}属于干垃圾还是湿垃圾",
        "查一下{thing}的分类",
        "不知道{thing}往哪扔",
        "手里拿着{thing}，面前五个桶，傻眼了",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "bin",
                    Word(
                        ("yellow bin", "blue bin", "brown bin", "recycling yard"),
                        ("可回收物桶", "有害垃圾桶", "其他垃圾桶"),
                    ),
                ),
            ),
            texts=("{bin}",),
            texts_zh=("{bin}",),
            answers=("That belongs in the {bin}.", "Use the {bin}.", "It goes to the {bin}."),
            answers_zh=("应该放{bin}。", "{thing}请投{bin}。", "扔到{bin}。"),
        ),
    ),
    missing=(
        Missing(
            "thing",
            ("Which bin does this go in?", "how do I throw this away properly"),
            ("What do you want to throw away?", "What is it?"),
            ("这个扔哪个桶？", "这东西怎么分类"),
            ("请问要扔什么？", "是什么东西？"),
        ),
    ),
)

BULKY_PICKUP = Family(
    key="civic.bulky_pickup",
    names=("order_bulky_pickup", "bulky_waste_collection", "request_furniture_removal", "book_junk_removal"),
    about=(
        "Have large things taken away.",
        "Orders a collection of bulky waste from a street on a day.",
        "Furniture removal.",
    ),
    about_zh=("预约大件垃圾清运。", "安排某天上门收走旧家具家电。"),
    params=(
        Param("things", ListOf(BULKY, 1, 4), ("items", "objects", "things"), ("What is to go",), ("物品",)),
        Param("street", STREET, ("street", "pickup_street"), ("Where from",), ("街道",)),
        Param("day", Day(1, 30), ("date", "pickup_date"), ("Day",), ("日期",)),
        Param("floor", Integer(1, 9), ("floor", "storey"), ("Which floor",), ("楼层",), False),
    ),
    asks=(
        "Please have this collected from {street} {day}: {things}.",
        "bulky waste {street}, {day}: {things}[, floor {floor}]",
        "We're clearing grandma's flat in {street}. To go: {things}. Can they come {day}[? It's on floor {floor}]",
        "junk to take away {day} in {street}: {things}",
        "order a bulky pickup for {day}, {street}, list: {things}",
        "{things} must go, {street}, {day}[, floor {floor}]",
        "get rid of the following for me {day}: {things}. Address {street}[, floor {floor}].",
        "large rubbish, {things}, in front of the house in {street} {day}",
        "New furniture comes soon, so the old stuff leaves {street} {day}: {things}.",
    ),
    asks_zh=(
        "{day}来{street}拉走{things}[，{floor}楼]。",
        "大件垃圾：{things}，{street}，{day}",
        "{street}有{things}要扔，约{day}来收",
        "清理奶奶的房子，{things}都不要了，{day}到{street}收一下[，在{floor}楼]",
        "预约大件清运，{day}，{street}，东西有{things}",
        "{things}没地方放了，{day}派人到{street}拉走",
        "{day}能来{street}收旧家具吗？有{things}[，{floor}层]",
        "旧物清运：{street}，{things}，时间{day}",
        "搬家剩下{things}，{street}，{day}处理掉[，{floor}楼]",
        "麻烦安排{day}去{street}收{things}",
        "新家具要到了，{street}的旧东西{day}得清走：{things}",
    ),
    outcomes=(
        Outcome(
            fields=(("order", Code(("BW-9999", "S99999"))), ("fee", Result(0, 90))),
            texts=("collection {order} booked, fee {fee}",),
            texts_zh=("清运单{order}，费用{fee}元",),
            answers=(
                "The collection is booked as {order}; the fee is {fee}.",
                "Booked for {street}, fee {fee}.",
                "Done: {order}.",
            ),
            answers_zh=("已预约，单号{order}，费用{fee}元。", "约好了，收费{fee}元。", "{street}的清运单是{order}。"),
        ),
    ),
    missing=(
        Missing(
            "things",
            ("I need a bulky waste pickup in {street} {day}.", "collect our junk from {street} {day}"),
            ("What should be taken away?", "Which things are to go?"),
            ("{day}来{street}收大件垃圾。", "约{day}{street}的大件清运"),
            ("请问有哪些东西？", "要收走什么？"),
        ),
    ),
)
