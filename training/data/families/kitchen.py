"""At the stove: more or fewer servings, substitutes, how long food keeps, the pantry, and what is cooked when."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, Word
from training.data.times import Day
from training.data.wordings import pool

from ._kitchen_stock import EXPIRING, FREEZE

DISH = Word(
    pool(
        """lasagne | mushroom risotto | chicken curry | apple pie | pumpkin soup | beef stew | pancakes | banana bread
        fish pie | lentil soup | tiramisu | goulash | vegetable chilli | shepherd's pie | ramen | pad thai | moussaka
        quiche | cheesecake | falafel | paella | meatballs | potato salad | carrot cake | dumplings"""
    ),
    pool(
        """红烧肉 | 番茄炒蛋 | 宫保鸡丁 | 麻婆豆腐 | 咖喱鸡 | 南瓜汤 | 饺子 | 鱼香肉丝 | 酸菜鱼 | 土豆炖牛肉 | 糖醋排骨
        蛋炒饭 | 提拉米苏 | 苹果派 | 葱油饼 | 西红柿牛腩 | 可乐鸡翅 | 清蒸鲈鱼 | 皮蛋瘦肉粥 | 地三鲜 | 小笼包
        香蕉蛋糕"""
    ),
)
INGREDIENT = Word(
    pool(
        """buttermilk | eggs | butter | sour cream | baking powder | honey | soy sauce | cornstarch | white wine | yeast
        mascarpone | heavy cream | brown sugar | lemon juice | breadcrumbs | fish sauce | parmesan | tahini | vanilla
        coconut milk | mustard | gelatine | maple syrup | shallots | saffron"""
    ),
    pool(
        """黄油 | 鸡蛋 | 淡奶油 | 酸奶油 | 泡打粉 | 蜂蜜 | 料酒 | 玉米淀粉 | 白葡萄酒 | 酵母 | 马斯卡彭 | 红糖 | 柠檬汁
        面包糠 | 鱼露 | 帕玛森奶酪 | 芝麻酱 | 椰浆 | 芥末 | 吉利丁 | 生抽 | 豆瓣酱 | 味淋"""
    ),
)
FOOD = Word(
    pool(
        """cooked rice | minced beef | smoked salmon | chicken soup | cut melon | fresh pasta | boiled eggs | ham
        cream | raw chicken | tofu | strawberries | grilled fish | mashed potatoes | hummus | opened yoghurt | pesto
        oysters | leftover pizza | cooked beans"""
    ),
    pool(
        """剩米饭 | 牛肉馅 | 烟熏三文鱼 | 鸡汤 | 切开的西瓜 | 鲜面条 | 煮鸡蛋 | 火腿 | 生鸡肉 | 豆腐 | 草莓 | 烤鱼
        土豆泥 | 开封的酸奶 | 剩披萨 | 煮熟的豆子 | 卤牛肉 | 虾仁 | 隔夜青菜 | 豆浆"""
    ),
)
PLACE = Choice(
    {
        "fridge": (("fridge", "refrigerator"), ("冰箱冷藏室", "冷藏室")),
        "freezer": (("freezer",), ("冷冻室", "冷冻层")),
        "pantry": (("pantry", "larder"), ("储藏室", "橱柜")),
    },
    ({"fridge": "FRIDGE", "freezer": "FREEZER", "pantry": "PANTRY"},),
)
MEAT = Choice(
    {
        "beef": (("beef", "steak"), ("牛肉", "牛排")),
        "lamb": (("lamb",), ("羊肉",)),
        "pork": (("pork",), ("猪肉",)),
        "duck": (("duck",), ("鸭肉", "鸭胸")),
        "salmon": (("salmon",), ("三文鱼",)),
        "tuna": (("tuna",), ("金枪鱼",)),
    }
)
DONENESS = Choice(
    {
        "rare": (("rare",), ("三分熟",)),
        "medium": (("medium", "pink"), ("五分熟",)),
        "well_done": (("well done", "cooked through"), ("全熟",)),
    },
    ({"rare": "RARE", "medium": "MEDIUM", "well_done": "WELL_DONE"}, {"rare": 1, "medium": 2, "well_done": 3}),
)
MEAL = Choice(
    {
        "breakfast": (("breakfast",), ("早餐", "早饭")),
        "lunch": (("lunch",), ("午餐", "午饭")),
        "dinner": (("dinner", "supper"), ("晚餐", "晚饭")),
    },
    ({"breakfast": "BREAKFAST", "lunch": "LUNCH", "dinner": "DINNER"},),
)

SCALE = Family(
    key="kitchen.scale",
    names=("scale_recipe", "adjust_servings", "resize_recipe", "recipe_for_people", "convert_servings"),
    about=(
        "Recalculate a recipe for another number of people.",
        "Scales the amounts of a recipe from its servings to the servings wanted.",
        "Adjusts the quantities of a dish. Finds no recipes.",
    ),
    about_zh=("按人数换算食谱用量。", "把一道菜从原来的份数换算到需要的份数。"),
    params=(
        Param("dish", DISH, ("dish", "recipe", "recipe_name"), ("Which recipe",), ("菜名",)),
        Param("old", Integer(2, 8), ("from_servings", "original_servings"), ("Servings as written",), ("原份数",)),
        Param("new", Integer(1, 40), ("to_servings", "wanted_servings", "target"), ("Servings wanted",), ("目标份数",)),
    ),
    asks=(
        "My recipe for {dish} is for {old} people, but {new} are coming.",
        "{dish} from {old} to {new} servings",
        "The book says {dish} serves {old}. I have to feed {new}, so how much of everything?",
        "scale the {dish} up, it's for {old} and I need it for {new}",
        "I only have a recipe for {dish} that serves {old}. Redo the amounts for {new} people, please.",
        "We're {new} tonight. The {dish} recipe makes {old} portions. What do I need?",
        "Change the {dish} so that it feeds {new} rather than {old}.",
        "how do the quantities of {dish} change if I cook for {new} instead of {old}",
    ),
    asks_zh=(
        "{dish}的方子是{old}人份，今晚来{new}个人，怎么换算",
        "把{dish}从{old}人份改成{new}人份",
        "{dish}菜谱写的是{old}人份，我要做{new}人份，各放多少",
        "换算一下{dish}，原来{old}份，现在要{new}份",
        "要给{new}个人做{dish}，可食谱只有{old}人份的",
        "{dish}，{old}份变{new}份，用量帮我重算",
        "家里来{new}位客人，{dish}的配方是{old}人份，用料怎么调",
        "书上{dish}够{old}个人吃，我们{new}个人，要多少材料",
        "原方{old}人份的{dish}，按{new}人份重新配",
        "不做{old}人份了，{dish}改{new}人份，算下用量",
    ),
    outcomes=(
        Outcome(
            fields=(("amounts_changed", Integer(4, 16)),),
            texts=("{amounts_changed} amounts changed",),
            texts_zh=("已换算{amounts_changed}种用料",),
            answers=(
                "The {dish} is now for {new}; {amounts_changed} amounts have changed.",
                "Done, the recipe is recalculated for {new} people.",
                "I changed {amounts_changed} amounts of the {dish}.",
            ),
            answers_zh=(
                "{dish}已改成{new}人份，换算了{amounts_changed}种用料。",
                "换算好了，现在是{new}人份。",
                "{amounts_changed}种用料都重算了。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="new",
            asks=(
                "I have a recipe for {dish}, it serves {old}. Please change the amounts.",
                "scale my {dish}, it serves {old}",
            ),
            replies=("For how many people do you want to cook?", "How many servings do you need?"),
            asks_zh=("{dish}方子是{old}人份，帮我换算", "把{old}人份的{dish}改一下份量"),
            replies_zh=("请问要做几人份？", "想改成几个人吃？"),
        ),
    ),
)

SWAP = Family(
    key="kitchen.substitute",
    names=("ingredient_substitute", "find_replacement_ingredient", "swap_ingredient", "cooking_substitution"),
    about=(
        "What can stand in for an ingredient.",
        "Suggests a substitute for something that is missing in the kitchen.",
        "Replacement for an ingredient, vegan if wanted.",
    ),
    about_zh=("查找食材的替代品。", "缺某种材料时可以用什么代替。"),
    params=(
        Param(
            "missing",
            INGREDIENT,
            ("ingredient", "missing_ingredient", "replace"),
            ("What is missing",),
            ("缺少的食材",),
        ),
        Param("dish", DISH, ("dish", "used_in", "recipe"), ("What it is for",), ("用于哪道菜",), required=False),
        Param("vegan", Flag(), ("vegan", "plant_based"), ("True for vegan only",), ("是否纯素",), required=False),
    ),
    asks=(
        "I've run out of {missing}. What else can I take[ for {dish}]?",
        "no {missing} in the house, what now[? making {dish}]",
        Ask("What can a vegan use instead of {missing}[ in {dish}]?", {"vegan": True}),
        "The recipe wants {missing} and the shops are closed. Any alternative?",
        "instead of {missing}?",
        "Can {missing} be replaced with something[ in {dish}]?",
        "My guest can't have {missing}. What would do the same job[ in {dish}]?",
        Ask("a plant-based swap for {missing} please", {"vegan": True}),
    ),
    asks_zh=(
        "{missing}用完了，拿什么代替[？做{dish}用]",
        "家里没{missing}，怎么办",
        Ask("吃纯素的话，{missing}可以换成什么[，做{dish}]", {"vegan": True}),
        "做{dish}没有{missing}了，能用别的吗",
        "不放{missing}，可以放啥",
        "超市关门了，菜谱要{missing}，有替代的吗",
        "客人不能吃{missing}，换成什么好",
        "{missing}的替代品",
        Ask("有没有植物性的东西能替掉{missing}", {"vegan": True}),
        "买不到{missing}，[做{dish}时]用什么顶一下",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "substitute",
                    Word(
                        pool("yoghurt | apple sauce | olive oil | cider vinegar | oat cream"),
                        pool("酸奶 | 苹果泥 | 橄榄油 | 苹果醋 | 燕麦奶"),
                    ),
                ),
            ),
            texts=("use {substitute}", "{substitute}, same amount"),
            texts_zh=("可用{substitute}代替",),
            answers=(
                "Take {substitute} instead.",
                "{substitute} can stand in for {missing}.",
                "You can use {substitute}.",
            ),
            answers_zh=("可以用{substitute}代替。", "没有{missing}就用{substitute}。", "换成{substitute}就行。"),
        ),
    ),
    missing=(
        Missing(
            key="missing",
            asks=("Something is missing for my {dish}, what can I take instead?", "I need a substitute for cooking"),
            replies=("Which ingredient is missing?", "What do you want to replace?"),
            asks_zh=("做{dish}缺个材料，用什么代替", "想找个替代的食材"),
            replies_zh=("请问缺什么食材？", "要替换哪种材料？"),
        ),
    ),
)

KEEPS = Family(
    key="kitchen.keeps",
    names=("food_storage_time", "how_long_does_it_keep", "shelf_life", "storage_guide"),
    about=(
        "How long a food keeps.",
        "Days that a food stays good in the fridge, the freezer or the pantry.",
        "Storage times of food; it does not know what you have at home.",
    ),
    about_zh=("查询食物能保存多久。", "某种食物在冷藏、冷冻或常温下的保质天数。"),
    params=(
        Param("food", FOOD, ("food", "item", "product"), ("Which food",), ("食物",)),
        Param("place", PLACE, ("storage", "place", "stored_in"), ("Where it is kept",), ("存放位置",)),
    ),
    asks=(
        "How long does {food} keep in the {place}?",
        "{food} in the {place}, how many days",
        "Is {food} from Sunday still ok if it was in the {place}?",
        "I put {food} into the {place} and forgot it. When does it go off?",
        "can i leave {food} in the {place} over the holidays",
        "What's the limit for {food} kept in the {place}?",
        "We cooked too much. If {food} goes into the {place}, until when do we have to eat it?",
        "days for {food}, {place}",
    ),
    asks_zh=(
        "{food}放{place}能放几天？",
        "{place}里的{food}还能吃吗，一般放多久会坏",
        "{food}搁{place}多久会坏",
        "忘了{place}里还有{food}，几天内要吃完",
        "想把{food}存到{place}，能保存多长时间",
        "{food}在{place}可以留几天",
        "做多了，{food}放进{place}，最晚什么时候吃",
        "{place}存{food}，保质期多久",
        "出去玩几天，{food}放{place}行不行，能放多久",
        "{food}，{place}，几天",
    ),
    outcomes=(
        Outcome(
            fields=(("days", Integer(2, 30)),),
            texts=("{days} days", "up to {days} days"),
            texts_zh=("最多{days}天",),
            answers=("It keeps for {days} days.", "{days} days at most.", "You should eat it within {days} days."),
            answers_zh=("{food}可以放{days}天。", "最多{days}天。", "{days}天之内吃完。"),
        ),
    ),
    missing=(
        Missing(
            key="place",
            asks=("How long does {food} keep?", "is {food} still fine after a few days"),
            replies=("Where is it stored: fridge, freezer or pantry?", "Where do you keep it?"),
            asks_zh=("{food}能放几天", "{food}多久会坏"),
            replies_zh=("请问放在哪里，冷藏还是冷冻？", "存放在什么地方？"),
        ),
        Missing(
            key="food",
            asks=("How long can I leave it in the {place}?", "how many days does that keep in the {place}"),
            replies=("Which food is it?", "What do you want to keep there?"),
            asks_zh=("放{place}能放多久", "搁{place}几天会坏"),
            replies_zh=("请问是什么食物？", "要存什么？"),
        ),
    ),
)

CORE = Family(
    key="kitchen.core_temperature",
    names=("core_temperature", "meat_temperature", "doneness_guide", "roasting_target"),
    about=(
        "The inner temperature at which meat is done.",
        "Core temperature for meat or fish and the doneness wanted.",
        "For the roasting thermometer. Does not set the oven.",
    ),
    about_zh=("查询肉类的中心温度。", "按肉的种类和熟度给出中心温度。"),
    params=(
        Param("meat", MEAT, ("meat", "kind", "food"), ("Kind of meat or fish",), ("肉的种类",)),
        Param("done", DONENESS, ("doneness", "level", "how_done"), ("How it should be",), ("熟度",)),
    ),
    asks=(
        "At how many degrees is {meat} {done}?",
        "{meat}, {done}, what should the thermometer say",
        "I want the {meat} {done}. When do I take it off the heat?",
        "Grandpa likes his {meat} {done}; what must the middle reach?",
        "inside temperature for {done} {meat}",
        "How hot is {meat} inside when it's {done}?",
        "The {meat} goes on the grill tonight and everybody wants it {done}. Which degree?",
        "what's the core for {meat} if it is to be {done}?",
    ),
    asks_zh=(
        "{meat}{done}要多少度？",
        "想把{meat}做到{done}，中心温度是多少",
        "{meat}，{done}，温度计该显示几度",
        "爷爷喜欢{done}的{meat}，里面要到几度",
        "烤{meat}，要{done}的，什么时候出炉合适，几度",
        "{done}的{meat}内部温度",
        "今晚烧烤，{meat}大家都要{done}，多少度算好",
        "怎么判断{meat}已经{done}，看多少度",
        "{meat}里面到几度才是{done}",
        "做{done}{meat}，探针温度设多少",
    ),
    outcomes=(
        Outcome(
            fields=(("celsius", Integer(54, 74)),),
            texts=("{celsius} °C", "core {celsius} °C"),
            texts_zh=("中心温度{celsius}°C",),
            answers=("The middle should reach {celsius} °C.", "{celsius} °C.", "Take it off at {celsius} °C."),
            answers_zh=("中心温度{celsius}度。", "到{celsius}度就可以了。", "{celsius}度时出炉。"),
        ),
    ),
    missing=(
        Missing(
            key="done",
            asks=("What should the thermometer say for {meat}?", "core temperature of {meat}"),
            replies=("How do you want it: rare, medium or well done?", "How well done should it be?"),
            asks_zh=("{meat}的中心温度是多少", "烤{meat}要到几度"),
            replies_zh=("请问要几分熟？", "想要什么熟度？"),
        ),
    ),
)

MEAL_PLAN = Family(
    key="kitchen.plan_meal",
    names=("plan_meal", "add_to_meal_plan", "set_menu_for_day", "meal_planner_add"),
    about=(
        "Put a dish into the meal plan.",
        "Plans what is cooked on a day, for breakfast, lunch or dinner.",
        "Writes the weekly menu. Orders nothing.",
    ),
    about_zh=("把菜加进膳食计划。", "安排某天某餐做什么菜，不下单。"),
    params=(
        Param("dish", DISH, ("dish", "meal_name", "what"), ("The dish",), ("菜名",)),
        Param("day", Day(0, 10), ("date", "day"), ("Day",), ("日期",)),
        Param("meal", MEAL, ("meal", "slot", "meal_type"), ("Which meal",), ("哪一餐",), required=False),
        Param(
            "cook",
            Word(pool("Dad | Mum | Grandma | Lukas | Mei")),
            ("cook", "who_cooks"),
            (),
            ("谁做",),
            required=False,
        ),
    ),
    asks=(
        "We're having {dish} on {day}[ for {meal}].",
        "put {dish} on the menu for {day}[, {meal}]",
        "On {day} I want to make {dish}[ for {meal}]. Put it in the plan.",
        "{day}: {dish}[, {cook} cooks]",
        "The kids wish for {dish}. Let's plan that for {day}[; {cook} cooks it].",
        "meal plan, {day}, {meal}, {dish}",
        "Could {dish} go into our food plan on {day}?",
        "For {meal} on {day} we eat {dish}, write that in the weekly menu.",
    ),
    asks_zh=(
        "{day}[{meal}]吃{dish}，加到菜单里",
        "把{dish}排到{day}[的{meal}]",
        "{day}我想做{dish}，写进膳食计划",
        "孩子想吃{dish}，安排在{day}吧",
        "一周菜单：{day}{meal}，{dish}",
        "{meal}计划：{day}做{dish}",
        "{day}家里就吃{dish}，记到菜谱计划上",
        "菜单上{day}那天加个{dish}",
        "排一下，{day}的{meal}做{dish}",
        "{day}[{meal}]定{dish}了",
    ),
    outcomes=(
        Outcome(
            fields=(("planned_meals", Integer(1, 14)),),
            texts=("added; {planned_meals} meals planned",),
            texts_zh=("已加入，共{planned_meals}餐",),
            answers=(
                "The {dish} is in the plan.",
                "Planned; that makes {planned_meals} meals in the plan.",
                "Done, {dish} is on the menu.",
            ),
            answers_zh=("{dish}已加入菜单。", "排好了，计划里共有{planned_meals}餐。", "好的，{dish}写进计划了。"),
        ),
    ),
    missing=(
        Missing(
            key="day",
            asks=("Put {dish} into the meal plan.", "let's have {dish} soon, plan it"),
            replies=("On which day do you want {dish}?", "For which day?"),
            asks_zh=("把{dish}加进菜单", "想吃{dish}，排进计划"),
            replies_zh=("请问安排在哪天？", "{dish}哪天做？"),
        ),
        Missing(
            key="dish",
            asks=("Plan something for {meal} on {day}.", "put a dish on the menu for {day}"),
            replies=("Which dish shall I plan?", "What would you like to cook?"),
            asks_zh=("{day}的{meal}排一道菜", "给{day}安排个菜"),
            replies_zh=("请问做什么菜？", "想吃什么？"),
        ),
    ),
    also=("calendar.create", "food_health.log_meal"),
)

DOMAIN = Domain(
    "kitchen",
    (SCALE, SWAP, KEEPS, CORE, MEAL_PLAN, FREEZE, EXPIRING),
    unserved=(
        ("Sharpen my kitchen knives.", "把我的菜刀磨一磨。"),
        ("Which wine goes with duck?", "吃鸭肉配什么酒？"),
        ("Do the dishes.", "把碗洗了。"),
        ("Who invented the croissant?", "羊角面包是谁发明的？"),
        ("Carve the turkey at the table.", "把火鸡在桌上切好。"),
        ("Preheat the oven to 200 degrees.", "把烤箱预热到200度。"),
        ("Taste the soup and tell me if it needs salt.", "尝尝汤咸不咸。"),
        ("Peel the potatoes for me.", "帮我把土豆皮削了。"),
        ("Where can I buy fresh truffles?", "哪里能买到新鲜松露？"),
        ("Print grandma's recipe on a card.", "把奶奶的菜谱打印成卡片。"),
        ("Descale the kettle.", "给水壶除水垢。"),
        ("Clean the extractor hood.", "清洗一下抽油烟机。"),
    ),
)
