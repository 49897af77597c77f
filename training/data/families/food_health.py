"""Eating and keeping well: recipes, nutrition, meals and water; the body's own log is in `_health_log`."""

from collections.abc import Mapping

from training.data.family import Domain, Drawn, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Decimal, Integer, ListOf, Word
from training.data.times import Day, Duration

from ._health_care import BOOK_DOCTOR, CANCEL_DOCTOR, MEDICINE_PLAN
from ._health_log import LOG_SYMPTOM, LOG_WORKOUT, SLEEP_REPORT
from ._health_words import AVOIDED, DIET, EATEN, FOOD, INGREDIENT, MEAL, WATER

_DISH = Word(
    ("One-Pot Supper", "Garden Bowl", "Midweek Stew", "Grandma's Pan", "Sunday Casserole", "Golden Stir-Fry"),
    ("家常小炒", "一锅炖", "妈妈的拿手菜", "暖心浓汤", "什锦拌菜", "黄金煎饼"),
)

_FLESH = {"chicken", "salmon", "bacon", "prawns", "ground beef", "牛肉", "虾仁", "鸡胸肉", "排骨", "三文鱼", "五花肉"}
_DAIRY = {"eggs", "feta", "goat cheese", "鸡蛋"}


def _edible(values: Mapping[str, Drawn]) -> bool:
    """No vegan bacon."""
    if "diet" not in values or "with" not in values:
        return True
    named = {one.meaning for one in values["with"].meaning}
    barred = {"vegetarian": _FLESH, "vegan": _FLESH | _DAIRY}.get(values["diet"].meaning, set[str]())
    return not named & barred


RECIPES = Family(
    key="food_health.recipes",
    names=("find_recipes", "recipes_by_ingredients", "recipe_search", "cook_with", "suggest_dishes"),
    about=(
        "Find recipes that use given ingredients.",
        "What can be cooked with what is there. May leave out foods, keep to a diet and a cooking time.",
        "Recipe search by ingredients",
    ),
    about_zh=("根据食材查找菜谱。", "用现有食材推荐菜谱，可设忌口、饮食方式和时间。"),
    params=(
        Param("with", ListOf(INGREDIENT, 1, 5), ("ingredients", "include", "available"), ("What to use",), ("食材",)),
        Param("without", ListOf(AVOIDED, 1, 3), ("exclude", "avoid", "without"), ("To leave out",), ("忌口",), False),
        Param("diet", DIET, ("diet", "diet_type"), ("Diet",), ("饮食方式",), required=False),
        Param(
            "time",
            Duration(values=(10, 15, 20, 25, 30, 40, 45, 60, 90, 120)),
            ("max_minutes", "max_time", "cooking_time"),
            ("Longest cooking time",),
            ("最长烹饪时间",),
            required=False,
        ),
        Param("servings", Integer(2, 10), ("servings", "people"), ("For how many",), ("几人份",), required=False),
    ),
    asks=(
        "What can I cook with {with}[ in {time}]?",
        "recipes with {with}[, without {without}]",
        "My fridge has {with}. Any ideas for dinner[ for {servings} people]?",
        "need a {diet} dish using {with}[, max {time}]",
        "I bought {with} at the market and have no clue what to make of it[; no {without} please]",
        "Give me a {diet} recipe with {with}[, {servings} servings].",
        "we've got {with} left over, what now",
        "something tasty from {with}[, ready within {time}][, no {without}]",
        "How could I use up {with}[ for {servings} guests]? One of us can't have {without}.",
        "dinner idea: {with}[, {diet}][, {time} at most]",
        "Hi, hungry family of {servings} here and only {with} in the house, help!",
        "the {with} will go bad tomorrow, save them with a good idea for dinner",
        "what would a chef do with {with}[ and only {time}]",
    ),
    asks_zh=(
        "{with}能做什么菜？",
        "冰箱里只剩{with}了，晚饭做点什么好[，{servings}个人吃]",
        "用{with}做菜，推荐个菜谱[，不放{without}]",
        "有没有用{with}做的{diet}菜谱[，{time}以内]",
        "买了{with}不知道怎么做[，家里有人不吃{without}]",
        "{time}之内能用{with}做出什么",
        "家里来了{servings}位客人，只有{with}，怎么做好吃",
        "{diet}食谱，要有{with}[，不要{without}]",
        "找菜谱：{with}[，{time}内做好]",
        "{with}再不吃就坏了，做个什么菜好",
        "大厨会拿{with}做什么[，只有{time}]",
    ),
    outcomes=(
        Outcome(
            fields=(("dish", _DISH), ("kcal", Integer(180, 900)), ("found", Integer(2, 40))),
            texts=("{found} recipes; best match: {dish}, {kcal} kcal",),
            texts_zh=("共{found}个菜谱，最佳：{dish}，{kcal}千卡",),
            answers=(
                "There are {found} recipes. I'd try {dish}, with {kcal} kcal.",
                "You could make {dish}, which has {kcal} kcal a portion.",
                "I found {found} recipes; the best match is {dish}.",
            ),
            answers_zh=(
                "推荐{dish}，一份{kcal}千卡。",
                "可以做{dish}，每份大约{kcal}千卡。",
                "找到{found}个菜谱，最合适的是{dish}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="with",
            asks=("Find me a {diet} recipe.", "what can I cook in {time}?", "suggest a recipe for {servings} people"),
            replies=("Which ingredients do you have?", "What would you like to cook with?"),
            asks_zh=("推荐个{diet}菜谱", "{time}内能做什么菜？"),
            replies_zh=("请问您有哪些食材？", "想用什么食材做？"),
        ),
    ),
    fits=_edible,
    also=("information.search_web",),
)

NUTRITION = Family(
    key="food_health.nutrition",
    names=("nutrition_facts", "food_nutrients", "lookup_calories", "nutrient_lookup", "food_values"),
    about=(
        "Calories and nutrients of a food.",
        "Nutrition values for an amount of a food. Nothing is written to the diary.",
        "Nutrition lookup, per 100 g unless an amount is given",
    ),
    about_zh=("查询食物的热量和营养成分。", "查询一定重量食物的营养，不会记录到饮食日记。"),
    params=(
        Param("food", FOOD, ("food", "food_item", "product"), ("Name of the food",), ("食物名称",)),
        Param("grams", Integer(10, 500, 10), ("grams", "weight_g", "amount"), ("Grams",), ("克数",), required=False),
        Param(
            "nutrient",
            Choice(
                {
                    "protein": (("protein",), ("蛋白质",)),
                    "fat": (("fat",), ("脂肪",)),
                    "sugar": (("sugar",), ("糖",)),
                    "fiber": (("fiber", "fibre"), ("膳食纤维",)),
                    "calories": (("calories", "energy"), ("热量", "卡路里")),
                }
            ),
            ("nutrient", "value_of"),
            ("Only this one",),
            ("指定营养素",),
            required=False,
        ),
    ),
    asks=(
        "How much {nutrient} is in {food}?",
        "{nutrient} in {grams} grams of {food}",
        "What are the nutrition facts of {food}[, {grams} grams]?",
        "is {food} healthy? give me the numbers[ for {grams} g]",
        "I'm counting my macros, what does {food} have[ per {grams} grams]",
        "Would {grams} grams of {food} ruin my diet? I mean the {nutrient}.",
        "nutrition {food}[ {grams} g]",
        "My trainer says {food} is full of {nutrient}. How much is it exactly?",
        "look up {food} for me, I care about the {nutrient}",
        "What's inside {food}, nutritionally speaking?",
        "can i eat {grams} g of {food} on a diet? show me what's in it",
        "{food}: good or bad for me? Tell me how much {nutrient} it has.",
    ),
    asks_zh=(
        "{food}有多少{nutrient}？",
        "{grams}克{food}的{nutrient}是多少",
        "{food}的营养成分[，{grams}克]",
        "吃{food}健康吗，看看营养数据",
        "教练说{food}的{nutrient}很高，到底多少",
        "减肥能吃{food}吗？查一下{nutrient}",
        "查{food}[{grams}克]的营养",
        "我在算宏量营养，{grams}克{food}含什么",
        "{food}吃了会胖吗，给我看看{nutrient}",
        "一份{food}{grams}克，营养怎么样",
    ),
    outcomes=(
        Outcome(
            fields=(("kcal", Integer(30, 900)), ("protein_g", Decimal(0, 40, 1)), ("fat_g", Decimal(0, 60, 1))),
            texts=("{kcal} kcal, protein {protein_g} g, fat {fat_g} g",),
            texts_zh=("{kcal}千卡，蛋白质{protein_g}克，脂肪{fat_g}克",),
            answers=(
                "That would be {kcal} kcal, {fat_g} g of it fat.",
                "It has {kcal} kcal, {protein_g} g of protein and {fat_g} g of fat.",
                "{food}: {kcal} kcal, with {protein_g} g of protein.",
            ),
            answers_zh=(
                "{food}：{kcal}千卡，脂肪{fat_g}克。",
                "热量{kcal}千卡，蛋白质{protein_g}克，脂肪{fat_g}克。",
                "{food}含{kcal}千卡热量。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="food",
            asks=("How much {nutrient} is in it?", "look up the nutrition facts for {grams} grams"),
            replies=("Which food do you mean?", "Of which food?"),
            asks_zh=("{nutrient}有多少？", "查一下{grams}克的营养成分"),
            replies_zh=("请问是哪种食物？", "要查什么食物？"),
        ),
    ),
    errors=("food not in the database",),
    also=("information.search_web",),
)

LOG_MEAL = Family(
    key="food_health.log_meal",
    names=("log_meal", "add_food_diary", "record_meal", "food_journal_entry", "track_meal"),
    about=(
        "Write what somebody ate into the food diary.",
        "Logs a meal: each food with its grams.",
        "Food diary entry. For plans of future meals use something else.",
    ),
    about_zh=("记录吃了什么。", "把一餐写入饮食日记，含每种食物的克数。"),
    params=(
        Param("meal", MEAL, ("meal", "meal_type"), ("Which meal",), ("哪一餐",)),
        Param("items", EATEN, ("items", "foods", "entries"), ("What was eaten",), ("吃的食物",)),
        Param("day", Day(-6, 0), ("date", "day", "eaten_on"), ("Day, today if left out",), ("日期",), required=False),
    ),
    asks=(
        "Log {items} for {meal}.",
        "I had {items} as {meal}[ on {day}], put it in the diary",
        "{meal}: {items}",
        "add to my food diary: {items}, that was {meal}",
        "Just ate {items}. Count it as {meal}, please.",
        "for {meal}[ on {day}] there were {items}",
        "Could you note that I've eaten {items} for {meal}[ on {day}]?",
        "my entry for {meal}[ on {day}] should read {items}",
        "Sinful, but true: {items} for {meal}. Write it down.",
        "track {items} as {meal}",
        "So, {meal} was {items}. For the record.",
        "forgot to enter {meal}[ on {day}]: {items}",
    ),
    asks_zh=(
        "记录{meal}：{items}",
        "我[{day}]{meal}吃了{items}，记一下",
        "把{items}记到{meal}里",
        "刚吃完{items}，算{meal}",
        "饮食日记[{day}]：{meal}，{items}",
        "{meal}我吃的是{items}，帮我写进饮食日记",
        "{day}的{meal}是{items}，补记一下",
        "有点罪恶，{meal}吃了{items}，记上吧",
        "忘了记{meal}[，{day}的]：{items}",
        "{meal}就吃了{items}，登记一下",
    ),
    outcomes=(
        Outcome(
            fields=(("kcal", Integer(120, 1500)),),
            texts=("saved, {kcal} kcal",),
            texts_zh=("已保存，共{kcal}千卡",),
            answers=(
                "Written down. That meal had {kcal} kcal.",
                "Logged: {kcal} kcal for that meal.",
                "It's in your diary, {kcal} kcal in all.",
            ),
            answers_zh=(
                "好的，这顿{kcal}千卡，已经记上了。",
                "已记录，这一餐共{kcal}千卡。",
                "写进日记了，{kcal}千卡。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="items",
            asks=("I want to log {meal}.", "add {meal} to the food diary"),
            replies=("What did you eat, and how much of it?", "Which foods, and how many grams?"),
            asks_zh=("记一下我的{meal}", "把{meal}写进饮食日记"),
            replies_zh=("请问吃了什么，各多少克？", "都吃了哪些东西？"),
        ),
        Missing(
            key="meal",
            asks=("Log {items}.", "I ate {items}, note it down"),
            replies=("Which meal was that?", "Was it breakfast, lunch, dinner or a snack?"),
            asks_zh=("记录一下{items}", "我吃了{items}，记一下"),
            replies_zh=("请问是哪一餐？", "这是早餐、午餐还是晚餐？"),
        ),
    ),
    also=(
        "lists.write_note",
        "lists.append_note",
    ),
)

LOG_WATER = Family(
    key="food_health.log_water",
    names=("note_water", "add_water_intake", "record_drink", "track_hydration"),
    about=("Record how much water was drunk.", "Adds an amount to today's water.", "Water intake, one drink at a time"),
    about_zh=("记录喝水量。", "把喝的水计入今天的饮水量。"),
    params=(Param("amount", WATER, ("amount", "volume", "quantity"), ("How much",), ("饮水量",)),),
    asks=(
        "I just drank {amount} of water.",
        "log {amount}",
        "{amount} of water down!",
        "Had a big bottle after the run, {amount}. Add that to my water.",
        "add {amount} to today's water please",
        "I've been good and drunk {amount}",
        "Put another {amount} on my hydration count.",
        "note {amount} of water for me",
        "thirsty day, {amount} more just now",
        "Can you record that I've had {amount} to drink?",
        "finished my bottle, that's {amount}",
        "My doctor nags me to drink more, well, {amount} just now!",
    ),
    asks_zh=(
        "我刚喝了{amount}水",
        "记录喝水{amount}",
        "跑完步喝了一大瓶，{amount}，记上",
        "今天的饮水量再加{amount}",
        "又喝了{amount}",
        "帮我记{amount}水",
        "天太热，刚灌了{amount}水，记一下",
        "喝水打卡，{amount}",
        "一瓶水喝完了，{amount}",
        "医生让我多喝水，刚喝完{amount}，记上",
    ),
    outcomes=(
        Outcome(
            fields=(("today_ml", Integer(2000, 3800, 50)), ("goal_percent", Integer(10, 130))),
            texts=("today: {today_ml} ml ({goal_percent}% of the goal)",),
            texts_zh=("今日{today_ml}毫升，目标的{goal_percent}%",),
            answers=(
                "{today_ml} ml today, which is {goal_percent}% of your goal.",
                "Noted. Today it's {today_ml} ml so far.",
                "That makes {goal_percent}% of your goal.",
            ),
            answers_zh=(
                "今天累计{today_ml}毫升，达到目标的{goal_percent}%。",
                "记好了，今天一共喝了{today_ml}毫升。",
                "已记录，完成目标的{goal_percent}%。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="amount",
            asks=("I just drank some water, log it.", "add water to my tracker", "record a drink"),
            replies=("How much did you drink?", "How many millilitres was it?"),
            asks_zh=("我刚喝水了，记一下", "记录一次喝水"),
            replies_zh=("请问喝了多少毫升？", "喝了多少？"),
        ),
    ),
    also=("reminders.log_habit", "body.water"),
)

DOMAIN = Domain(
    "food_health",
    (
        *(RECIPES, NUTRITION, LOG_MEAL, LOG_WATER, LOG_WORKOUT, LOG_SYMPTOM, SLEEP_REPORT),
        *(MEDICINE_PLAN, BOOK_DOCTOR, CANCEL_DOCTOR),
    ),
    unserved=(
        ("Reserve a table at a vegan restaurant.", "订一家素食餐厅的位子。"),
        ("Which wine goes with duck?", "鸭肉配什么酒好？"),
        ("Order a pizza to my place.", "给我点个披萨外卖。"),
        ("How do I get a wine stain out of a shirt?", "衬衫上的红酒渍怎么去掉？"),
        ("Renew my health insurance.", "帮我续一下医保。"),
        ("Is a pharmacy open near me at this hour?", "这个点附近有药店开门吗？"),
        ("Delete yesterday's workout.", "把昨天的运动记录删掉。"),
        ("Sign me up for the marathon in May.", "给我报名五月的马拉松。"),
        ("What does an MRI cost without insurance?", "没有保险做一次核磁共振要多少钱？"),
        ("Show me an exercise for a stiff neck.", "教我一个缓解颈椎的动作。"),
        ("Convert two cups of flour to grams.", "两杯面粉是多少克？"),
        ("Send my blood results to my sister.", "把我的验血报告发给我姐。"),
        ("Buy a new pair of running shoes.", "买一双新跑鞋。"),
        ("How many steps did my team take this week?", "我们队这周一共走了多少步？"),
    ),
)
