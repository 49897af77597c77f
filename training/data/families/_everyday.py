"""What everyday life is full of, as values to speak of: events, chores, messages, groceries."""

from training.data.family import Draw, Drawn, Form
from training.data.kinds import STRING, Integer, ListOf, Made, Record, Word
from training.data.speech import spoken_list
from training.data.times import Clock, Day, Period
from training.data.wordings import composed
from training.data.world import Person

EVENTS = Word(
    (
        *("dentist appointment", "team standup", "budget review", "yoga class", "piano lesson", "job interview"),
        *("haircut", "car service", "product demo", "book club", "vet visit", "physio session", "sprint retro"),
        *("quarterly planning", "house viewing", "swimming lesson", "passport appointment", "board meeting"),
        *("eye test", "design review", "choir practice", "flat inspection", "tax appointment", "blood test"),
        *("farewell drinks", "pottery workshop", "football training", "thesis defence", "parents' evening"),
        *("client workshop", "fire drill", "flu shot", "garden club", "French conversation group", "chess night"),
        *("driving test", "Grandma's birthday", "all-hands", "kitchen fitting", "school play", "wine tasting"),
        *("Project Falcon kickoff", "release planning", "mortgage meeting", "spin class", "security training"),
    ),
    (
        *("部门例会", "牙医复诊", "项目评审", "瑜伽课", "钢琴课", "面试", "家长会", "体检", "客户拜访", "读书会"),
        *("产品演示", "年终总结会", "驾照考试", "羽毛球训练", "英语角", "预算讨论会", "看房", "疫苗接种", "论文答辩"),
        *("生日聚会", "同学聚会", "周会", "设计评审", "安全培训", "签约仪式", "理发", "汽车保养", "电话会议", "烘焙课"),
        *("新员工培训", "小区业主会", "供应商洽谈", "立项会", "摄影课", "合唱排练"),
    ),
)

# Events that several people come to, again and again.
GATHERINGS = Word(
    (
        *("team standup", "book club", "budget review", "sprint retro", "choir practice", "design review"),
        *("chess night", "all-hands", "football training", "garden club", "board game night", "parents' council"),
        *("quarterly planning", "release planning", "lunch and learn", "running group", "band rehearsal", "pub quiz"),
        *("sales sync", "French conversation group", "safety briefing", "neighbourhood meeting", "film club"),
        *("customer call", "potluck dinner", "writing circle", "yoga class", "lab meeting", "Project Falcon review"),
    ),
    (
        *(
            "部门例会",
            "读书会",
            "项目评审",
            "周会",
            "合唱排练",
            "设计评审",
            "羽毛球训练",
            "英语角",
            "桌游之夜",
            "业主会",
        ),
        *(
            "季度规划会",
            "版本发布会",
            "分享会",
            "跑团活动",
            "乐队排练",
            "销售碰头会",
            "安全培训",
            "电影沙龙",
            "客户电话会",
        ),
        *("聚餐", "写作小组", "瑜伽课", "组会", "晨会", "复盘会", "足球训练"),
    ),
)


def _meeting(draw: Draw) -> Drawn:
    """An event by its name alone, or what one does with whom."""
    rng = draw.rng
    if rng.random() < 0.6:
        return EVENTS.draw(draw)
    who = Person(0.3).draw(draw).said
    if draw.language == "zh":
        said = f"和{who}{rng.choice(('吃午饭', '吃晚饭', '喝咖啡', '开会', '视频会议', '谈合同', '打球', '看展'))}"
    else:
        what = ("lunch", "coffee", "dinner", "call", "1:1", "catch-up", "brunch", "video call", "tennis", "drinks")
        said = f"{rng.choice(what)} with {who}"
    return Drawn(said, said)


def _quoted(draw: Draw) -> Drawn:
    drawn = _meeting(draw)
    marks = ('"{}"', "“{}”", "'{}'") if draw.language == "en" else ("“{}”", "「{}」", "《{}》")
    return Drawn(draw.rng.choice(marks).format(drawn.said), drawn.meaning)


MEETINGS = Made(lambda draw: _quoted(draw) if draw.rng.random() < 0.12 else _meeting(draw))


def _chore(draw: Draw) -> Drawn:
    """Something to be done, as a phrase that follows "remind me to"."""
    rng = draw.rng
    who = Person(0.4).draw(draw).said
    if draw.language == "zh":
        said = rng.choice(_CHORES_ZH).format(
            who=who,
            bill=rng.choice(("电费", "水费", "房租", "燃气费", "话费", "信用卡", "物业费", "宽带费")),
            thing=rng.choice(("快递", "洗好的衣服", "蛋糕", "身份证", "体检报告", "眼镜", "护照", "自行车")),
        )
    else:
        said = rng.choice(_CHORES).format(
            who=who,
            bill=rng.choice(("electricity", "gas", "water", "phone", "internet", "credit card", "council tax")),
            thing=rng.choice(
                ("the dry cleaning", "the parcel", "my prescription", "the birthday cake", "the bike", "the tickets")
            ),
        )
    return Drawn(said, said)


_CHORES = (
    *("call {who}", "call {who}", "email {who}", "text {who} back", "pay the {bill} bill", "pay the {bill} bill"),
    *("pick up {thing}", "pick up {thing}", "water the plants", "take the bins out", "feed the cat"),
    *("take my medicine", "renew the car insurance", "return the library books", "defrost the freezer"),
    *("order printer paper", "submit the expense report", "sign the lease", "back up the laptop", "buy stamps"),
    *("book the hotel for the conference", "change the air filter", "check the tyre pressure", "iron the shirts"),
    *("send {who} the contract", "wish {who} a happy birthday", "thank {who} for the flowers", "charge the camera"),
    *("move the car", "turn off the sprinkler", "print the boarding passes", "cancel the gym trial"),
    *("hand in the essay", "call the plumber", "walk the dog", "vacuum the stairs", "update my CV", "do the laundry"),
)
_CHORES_ZH = (
    *(
        "给{who}打电话",
        "给{who}打电话",
        "给{who}回邮件",
        "回{who}的消息",
        "交{bill}",
        "交{bill}",
        "取{thing}",
        "取{thing}",
    ),
    *("浇花", "倒垃圾", "喂猫", "吃药", "续车险", "还图书馆的书", "交报销单", "备份电脑", "买打印纸", "订会议的酒店"),
    *("换空调滤网", "给轮胎打气", "熨衬衫", "把合同发给{who}", "祝{who}生日快乐", "给相机充电", "挪车", "关洒水器"),
    *("打印登机牌", "取消健身房试用", "交论文", "联系水管工", "遛狗", "更新简历", "洗衣服", "预约体检", "签租房合同"),
)
CHORES = Made(_chore)


def _statement(draw: Draw) -> Drawn:
    """Something to let somebody know, as a sentence of its own that also follows "tell her"."""
    rng = draw.rng
    clock = Clock(8, 21).draw(draw).said
    if draw.language == "zh":
        said = rng.choice(_STATEMENTS_ZH).format(clock=clock, count=rng.choice(("五", "十", "二十", "15", "40")))
    else:
        said = rng.choice(_STATEMENTS).format(clock=clock, count=rng.choice(("five", "ten", "20", "15", "forty")))
    return Drawn(said, said)


_STATEMENTS = (
    *("I'll be {count} minutes late", "I'll be {count} minutes late", "we start at {clock}", "I'm on my way"),
    *("the meeting has moved to {clock}", "the train leaves at {clock}", "the keys are under the flower pot"),
    *("I can't make it tonight", "the parcel has arrived", "we're out of milk", "the report is ready for review"),
    *("I found the blue folder", "the plumber is coming at {clock}", "the game was cancelled", "I passed the exam"),
    *("the kids are already asleep", "I left the charger in the car", "the Wi-Fi is working again"),
    *("our table is booked for {clock}", "I need another day for the slides", "the invoice has been paid"),
    *("the demo went really well", "we landed safely", "I got the job", "grandpa is feeling much better"),
    *("the cat is at the neighbours'", "traffic is terrible on the ring road", "the cake is in the fridge"),
    *("I'm bringing dessert", "the heating is broken again", "I'll call back after {clock}", "the gate code is 4471"),
    *("the printer on the second floor is fixed", "practice starts at {clock}", "I miss you"),
)
_STATEMENTS_ZH = (
    *(
        "我晚到{count}分钟",
        "我晚到{count}分钟",
        "我们{clock}开始",
        "我已经在路上了",
        "会议改到{clock}了",
        "火车{clock}开",
    ),
    *("钥匙在花盆下面", "今晚我去不了了", "快递到了", "家里没牛奶了", "报告写好了", "文件夹找到了", "水管工{clock}来"),
    *(
        "比赛取消了",
        "我考过了",
        "孩子们已经睡了",
        "充电器落在车上了",
        "网修好了",
        "位子订好了，{clock}",
        "幻灯片还要一天",
    ),
    *("发票已经付了", "演示很顺利", "我们平安落地了", "我拿到那份工作了", "爷爷好多了", "猫在邻居家", "环路堵得厉害"),
    *(
        "蛋糕在冰箱里",
        "我带甜点过去",
        "暖气又坏了",
        "我{clock}以后回电话",
        "门禁密码是4471",
        "训练{clock}开始",
        "我想你了",
    ),
)
STATEMENTS = Made(_statement)

SUBJECTS = composed(
    (
        *("{doc} for {time}", "Question about the {doc}", "{doc}", "Re: {doc}", "New {doc} attached"),
        *("Changes to the {doc}", "Reminder: {doc}", "Your {doc}", "{doc} is overdue", "Thanks for the {doc}"),
    ),
    (
        *(
            "{time}的{doc}",
            "关于{doc}的问题",
            "{doc}",
            "回复：{doc}",
            "{doc}有更新",
            "请查收{doc}",
            "{doc}修改意见",
            "感谢您的{doc}",
        ),
    ),
    {
        "doc": (
            *("Invoice 2041", "travel plan", "contract", "meeting minutes", "offer", "application", "price list"),
            *("rental agreement", "budget", "photo album", "lab report", "newsletter", "order 7713", "guest list"),
        ),
        "time": ("May", "next week", "the summer", "Q3", "Monday", "the new flat"),
    },
    {
        "doc": (
            "合同",
            "发票2041",
            "报价单",
            "会议纪要",
            "行程安排",
            "求职申请",
            "预算表",
            "订单7713",
            "实验报告",
            "租房协议",
        ),
        "time": ("五月", "下周", "暑假", "三季度", "周一", "新项目"),
    },
    quoted=0.4,
)

GROCERIES = Word(
    (
        *("eggs", "milk", "flour", "butter", "bananas", "olive oil", "toilet paper", "coffee beans", "oat milk"),
        *("cherry tomatoes", "rice", "cheddar", "dish soap", "red onions", "garlic", "bread", "yogurt", "apples"),
        *("cat litter", "AA batteries", "washing powder", "spinach", "lentils", "lemons", "peanut butter", "honey"),
        *("sparkling water", "bin bags", "basil", "chicken thighs", "tofu", "mushrooms", "shampoo", "paper towels"),
    ),
    (
        *(
            "鸡蛋",
            "牛奶",
            "面粉",
            "黄油",
            "香蕉",
            "橄榄油",
            "卫生纸",
            "咖啡豆",
            "豆腐",
            "番茄",
            "大米",
            "洗洁精",
            "洋葱",
        ),
        *(
            "大蒜",
            "面包",
            "酸奶",
            "苹果",
            "猫砂",
            "五号电池",
            "洗衣液",
            "菠菜",
            "柠檬",
            "花生酱",
            "蜂蜜",
            "气泡水",
            "垃圾袋",
        ),
        *("排骨", "蘑菇", "洗发水", "酱油", "香菜", "土豆", "鸡翅", "挂面"),
    ),
)


# What is counted by the piece has no unit in English.
_GOODS = (
    *(("apples", ("", "bags", "kilos")), ("milk", ("liters", "bottles")), ("flour", ("bags", "kilos"))),
    *(("eggs", ("", "boxes")), ("rice", ("bags", "kilos")), ("potatoes", ("kilos", "bags")), ("coffee", ("packs",))),
    *(("lemons", ("", "nets")), ("tomatoes", ("", "cans", "kilos")), ("lentils", ("cans", "bags"))),
    *(("olive oil", ("bottles", "liters")), ("butter", ("packs",)), ("avocados", ("",)), ("tuna", ("cans",))),
    *(("beer", ("bottles", "crates")), ("light bulbs", ("",)), ("onions", ("", "nets")), ("yogurts", ("",))),
    *(("toilet paper", ("packs", "rolls")), ("orange juice", ("cartons", "liters")), ("candles", ("", "boxes"))),
)
_GOODS_ZH = (
    *(
        ("苹果", ("个", "斤", "公斤")),
        ("牛奶", ("盒", "箱", "升")),
        ("面粉", ("袋", "公斤")),
        ("鸡蛋", ("个", "盒", "斤")),
    ),
    *(
        ("大米", ("袋", "公斤")),
        ("土豆", ("个", "斤")),
        ("咖啡", ("包", "罐")),
        ("柠檬", ("个",)),
        ("番茄", ("个", "斤")),
    ),
    *(("绿豆", ("斤", "袋")), ("橄榄油", ("瓶",)), ("黄油", ("块",)), ("啤酒", ("瓶", "罐", "箱")), ("灯泡", ("个",))),
    *(("洋葱", ("个",)), ("酸奶", ("杯", "盒")), ("卫生纸", ("卷", "提")), ("橙汁", ("瓶", "盒")), ("酱油", ("瓶",))),
)
_ENTRY = Record(
    "{quantity} {unit} of {name}",
    "{quantity}{unit}{name}",
    {"name": GROCERIES, "quantity": Integer(2, 12), "unit": Word(("packs",), ("包",))},
    optional=("unit",),
)


def _amounts(draw: Draw) -> Drawn:
    """One to four goods to buy, each with how much of it."""
    goods = draw.rng.sample(_GOODS if draw.language == "en" else _GOODS_ZH, draw.rng.randint(1, 4))
    entries = tuple(_amount(name, draw.rng.choice(units), draw) for name, units in goods)
    return Drawn(spoken_list([entry.said for entry in entries], draw), entries)


def _amount(name: str, unit: str, draw: Draw) -> Drawn:
    quantity = Integer(2, 12).draw(draw)
    parts = {"name": Drawn(name, name), "quantity": quantity}
    if unit:
        parts["unit"] = Drawn(unit, unit)
    if draw.language == "zh":
        return Drawn(f"{quantity.said}{unit}{name}", parts)
    return Drawn(f"{quantity.said} {unit} of {name}" if unit else f"{quantity.said} {name}", parts)


AMOUNTS = Made(_amounts, ListOf(_ENTRY).forms)


def _span(kind: Day | Clock, longest: int) -> Made:
    """A time from … to …: the parameter itself is the start; `PartOf(key, "end")` is the end."""
    about = ("YYYY-MM-DD", "格式 YYYY-MM-DD") if isinstance(kind, Day) else ("HH:MM", "格式 HH:MM")
    return Made(Period(kind, longest).draw, (Form(STRING, lambda drawn: drawn.meaning["start"], *about),))


HOURS = _span(Clock(7, 19), 1)
DAYS = _span(Day(1, 40), 14)
