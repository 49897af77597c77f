"""What is in the freezer and the pantry, and what has to be eaten soon."""

from training.data.family import Family, Missing, Outcome, Param
from training.data.kinds import Integer, ListOf, Record, Word
from training.data.times import Day, Duration
from training.data.wordings import distinct, pool

LEFTOVER = Word(
    pool(
        """tomato sauce | bread rolls | chicken stock | pea soup | meatballs | berries | dumplings | fish fingers
        pizza dough | spinach | stewed apples | prawns | bean stew | waffles | lasagne | curry paste | chopped herbs
        sausages | pulled pork | ice cubes"""
    ),
    pool(
        """饺子 | 馄饨 | 包子 | 鸡汤 | 牛肉丸 | 汤圆 | 馒头 | 虾仁 | 排骨 | 蓝莓 | 披萨饼底 | 玉米粒 | 鱼块 | 香肠
        粽子 | 手抓饼 | 鸡翅 | 羊肉卷 | 豌豆 | 腊肉"""
    ),
)
PACK = Record("{count} portions of {item}", "{item}{count}份", {"item": LEFTOVER, "count": Integer(2, 12)})

FREEZE = Family(
    key="kitchen.freeze",
    names=("add_to_freezer", "freezer_inventory_add", "store_frozen", "log_frozen_food"),
    about=(
        "Write down what went into the freezer.",
        "Adds foods with their number of portions to the freezer's inventory.",
        "Keeps the list of frozen food. Says nothing about how long it keeps.",
    ),
    about_zh=("登记放进冷冻室的食物。", "把食物和份数加入冷冻库存清单。"),
    params=(
        Param("items", ListOf(PACK, 1, 4), ("items", "contents", "foods"), ("Foods and portions",), ("食物和份数",)),
        Param(
            "day", Day(-4, 0), ("frozen_on", "date"), ("Today if left out",), ("冷冻日期，默认今天",), required=False
        ),
    ),
    asks=(
        "I've frozen {items}[, {day}].",
        "freezer: {items}",
        "{items} went into the freezer[ {day}], keep a list of it.",
        "Note for the freezer inventory: {items}.",
        "Spent the whole morning cooking, now {items} are in the ice box. Write that down.",
        "We put {items} on ice {day}.",
        "Add {items} to what we have frozen.",
        "stocked the freezer with {items}, log it",
    ),
    asks_zh=(
        "冻了{items}，记一下",
        "冷冻室里放了{items}[，{day}放的]",
        "登记冷冻库存：{items}",
        "忙了一上午，{items}都冻起来了，帮我记上",
        "{day}冻的：{items}",
        "把{items}加到冷冻清单",
        "{items}进冷冻室了",
        "刚把{items}放进冰柜，写下来免得忘",
        "冰柜新增{items}",
        "妈妈包的，{items}，都冻上了，登记",
    ),
    outcomes=(
        Outcome(
            fields=(("total_portions", Integer(6, 60)),),
            texts=("saved, {total_portions} portions in the freezer",),
            texts_zh=("已保存，冷冻室共{total_portions}份",),
            answers=(
                "Noted; there are {total_portions} portions in the freezer now.",
                "It's on the freezer list.",
                "Saved. That makes {total_portions} portions.",
            ),
            answers_zh=(
                "记好了，冷冻室现在共{total_portions}份。",
                "已加入冷冻清单。",
                "登记完成，总共{total_portions}份。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="items",
            asks=("I've put food into the freezer, write it down.", "add something to the freezer list"),
            replies=("What did you freeze, and how many portions?", "Which foods and how many portions?"),
            asks_zh=("我往冷冻室放了东西，记一下", "登记一下冷冻库存"),
            replies_zh=("请问放了什么、几份？", "冻了哪些东西，各多少份？"),
        ),
    ),
    fits=distinct("items", "item"),
    also=("lists.add_amounts", "lists.write_note", "lists.add_items"),
)

EXPIRING = Family(
    key="kitchen.expiring",
    names=("expiring_food", "use_up_soon", "pantry_check", "food_going_off", "what_expires"),
    about=(
        "What at home has to be eaten soon.",
        "Lists the food in the house that expires within some days.",
        "Looks through the stock for what is about to go off.",
    ),
    about_zh=("查看家里快过期的食物。", "列出几天内到期的库存食物。"),
    params=(
        Param(
            "within",
            Duration("days", (2, 3, 4, 5, 7, 10, 14)),
            ("days", "within_days", "horizon"),
            ("A week if left out",),
            ("多少天内，默认一周",),
            required=False,
            default=7,
        ),
    ),
    asks=(
        "What do we have to eat up soon?",
        "Is anything in the house going off within {within}?",
        "which food expires in the next {within}",
        "I hate throwing food away. What should go first?",
        "Before I go shopping: what's about to spoil?",
        "We leave for {within}. What won't last until we're back?",
        "anything past its best soon?",
        "Show me what must be used up within {within}.",
        "What's close to its date in our kitchen?",
    ),
    asks_zh=(
        "家里有什么快过期了？",
        "{within}内有哪些东西要过期",
        "不想浪费，哪些得先吃掉",
        "去超市之前看看什么快坏了",
        "我们出门{within}，哪些吃的撑不到回来",
        "有没有马上到期的食物",
        "接下来{within}必须吃完的有啥",
        "厨房里什么临期了",
        "看下库存，{within}里会过期的",
        "快坏的东西列一下",
        "今晚做饭先把哪些要到期的用掉",
    ),
    outcomes=(
        Outcome(
            fields=(("food", LEFTOVER), ("days_left", Integer(1, 6))),
            texts=("{food}: {days_left} days left",),
            texts_zh=("{food}：还剩{days_left}天",),
            answers=(
                "The {food} should be eaten first: {days_left} days left.",
                "{food}, good for {days_left} more days.",
                "Use up the {food}; it has {days_left} days left.",
            ),
            answers_zh=(
                "先吃{food}吧，还剩{days_left}天。",
                "{food}还有{days_left}天到期。",
                "快过期的是{food}，剩{days_left}天。",
            ),
        ),
    ),
)
