"""Food, drink, exercise, ailments and medicine, as values to speak of."""

from training.data.family import Draw, Drawn, Form, Kind
from training.data.kinds import Choice, Decimal, Integer, ListOf, Made, Record, Word, meant
from training.data.speech import chinese_words, english_words

INGREDIENT = Word(
    (
        *("chicken", "rice", "spinach", "eggs", "lentils", "mushrooms", "salmon", "potatoes", "coconut milk", "tofu"),
        *("zucchini", "chickpeas", "feta", "pasta", "tomatoes", "leeks", "bacon", "carrots", "red cabbage", "prawns"),
        *("sweet potatoes", "ground beef", "black beans", "cauliflower", "quinoa", "goat cheese", "pumpkin", "noodles"),
    ),
    (
        *(
            "鸡蛋",
            "西红柿",
            "土豆",
            "牛肉",
            "豆腐",
            "白菜",
            "茄子",
            "虾仁",
            "鸡胸肉",
            "香菇",
            "青椒",
            "胡萝卜",
            "排骨",
            "米饭",
        ),
        *("南瓜", "菠菜", "三文鱼", "红薯", "豆角", "木耳", "面条", "莲藕", "西兰花", "五花肉", "黄瓜", "玉米"),
    ),
)
AVOIDED = Word(
    ("peanuts", "garlic", "onions", "celery", "cream", "pork", "shellfish", "soy", "honey", "coriander", "sesame"),
    ("香菜", "花生", "大蒜", "洋葱", "海鲜", "猪肉", "奶油", "芝麻", "辣椒", "芹菜", "蜂蜜"),
)
DIET = Choice(
    {
        "vegetarian": (("vegetarian",), ("素食",)),
        "vegan": (("vegan",), ("纯素",)),
        "gluten_free": (("gluten-free", "gluten free"), ("无麸质",)),
        "low_carb": (("low-carb", "low carb"), ("低碳水",)),
        "high_protein": (("high-protein", "protein-rich"), ("高蛋白",)),
    },
    ({"gluten_free": "gluten-free", "low_carb": "low-carb", "high_protein": "high-protein"},),
)
FOOD = Word(
    (
        *("avocado", "cottage cheese", "brown rice", "peanut butter", "banana", "salmon", "oatmeal", "dark chocolate"),
        *("Greek yogurt", "hummus", "pizza", "almonds", "lentil soup", "croissant", "apple pie", "fried rice", "tofu"),
        *("mango", "cashews", "granola", "rye bread", "mozzarella", "beef stew", "kimchi", "potato salad", "figs"),
    ),
    (
        *(
            "牛油果",
            "米饭",
            "花生酱",
            "香蕉",
            "三文鱼",
            "燕麦",
            "黑巧克力",
            "酸奶",
            "披萨",
            "杏仁",
            "小笼包",
            "红烧肉",
            "豆腐",
        ),
        *("芒果", "腰果", "全麦面包", "炒饭", "粽子", "煎饼", "油条", "饺子", "凉皮", "鸡胸肉", "蛋糕", "月饼"),
    ),
)
_ANY_FOODS = ListOf(
    Record("{grams} grams of {food}", "{grams}克{food}", {"food": FOOD, "grams": Integer(20, 450, 10)}), 1, 4
)


def _foods(draw: Draw) -> Drawn:
    """What somebody ate, no food twice."""
    while True:
        foods = _ANY_FOODS.draw(draw)
        if len({one.meaning["food"].meaning for one in foods.meaning}) == len(foods.meaning):
            return foods


EATEN: Kind = Made(_foods, _ANY_FOODS.forms)
MEAL = Choice(
    {
        "breakfast": (("breakfast",), ("早餐", "早饭")),
        "lunch": (("lunch",), ("午餐", "午饭")),
        "dinner": (("dinner", "supper"), ("晚餐", "晚饭")),
        "snack": (("a snack",), ("加餐", "零食")),
    },
    ({"breakfast": "BREAKFAST", "lunch": "LUNCH", "dinner": "DINNER", "snack": "SNACK"},),
)


def _drink(draw: Draw) -> Drawn:
    """Some water, as millilitres or a part of a litre; the meaning is millilitres."""
    rng = draw.rng
    value = rng.choice((100, 150, 200, 250, 300, 330, 400, 500, 600, 750, 1000, 1500, 2000))
    litres = f"{value / 1000:g}"
    if draw.language == "zh":
        said = [f"{value}毫升", f"{value}毫升", f"{value}ml", f"{litres}升"]
        said += {500: ["半升"], 1000: ["一升"], 1500: ["一升半"], 2000: ["两升"]}.get(value, [])
    else:
        said = [f"{value} ml", f"{value}ml", f"{value} millilitres", f"{litres} liters" if value != 1000 else "1 liter"]
        said += {500: ["half a liter", "half a litre"], 1000: ["a litre"], 1500: ["a litre and a half"]}.get(value, [])
        said += {2000: ["two litres"], 750: ["three quarters of a litre"]}.get(value, [])
    return Drawn(rng.choice(said), value)


def _litres(drawn: Drawn) -> float:
    litres = drawn.meaning / 1000
    return int(litres) if litres == int(litres) else litres


WATER: Kind = Made(
    _drink,
    (
        Form({"type": "integer"}, meant, "in millilitres", "单位：毫升"),
        Form({"type": "number"}, meant, "ml", "毫升"),
        Form({"type": "number"}, _litres, "in litres, e.g. 0.25", "单位：升，如 0.25"),
    ),
)
ACTIVITY = Word(
    (
        *("running", "swimming", "cycling", "yoga", "rowing", "boxing", "hiking", "tennis", "Pilates", "weightlifting"),
        *("badminton", "climbing", "dancing", "skating", "football", "basketball", "jump rope", "HIIT", "tai chi"),
    ),
    (
        *(
            "跑步",
            "游泳",
            "骑行",
            "瑜伽",
            "划船",
            "拳击",
            "徒步",
            "网球",
            "普拉提",
            "力量训练",
            "羽毛球",
            "攀岩",
            "舞蹈",
        ),
        *("滑冰", "足球", "篮球", "跳绳", "太极", "爬楼梯"),
    ),
)
KILOMETRES = Decimal(1, 60, 1)


def _dose(draw: Draw) -> Drawn:
    """A dose as it stands on the box: it is copied, never converted."""
    rng = draw.rng
    amount = rng.choice((1, 2, 3, 5, 10, 15, 20, 25, 40, 50, 75, 100, 200, 250, 400, 500))
    if amount > 3:
        units = ("毫克", "mg", "毫升" if amount <= 25 else "毫克") if draw.language == "zh" else (" mg", "mg", " mcg")
        said = f"{amount}{rng.choice(units)}"
    elif draw.language == "zh":
        said = f"{'两' if amount == 2 else chinese_words(amount)}{rng.choice(('片', '粒', '袋'))}"
    else:
        said = f"{english_words(amount)} {rng.choice(('tablet', 'capsule', 'drop'))}{'s' if amount > 1 else ''}"
    return Drawn(said, said)


DOSE: Kind = Made(_dose)
MEDICINE = Word(
    (
        *("ibuprofen", "vitamin D", "metformin", "amoxicillin", "iron", "omeprazole", "cetirizine", "magnesium"),
        *("levothyroxine", "atorvastatin", "aspirin", "zinc", "ramipril", "folic acid", "paracetamol", "fish oil"),
        *("lisinopril", "melatonin", "prednisone", "cough syrup", "vitamin B12", "loratadine", "probiotics"),
    ),
    (
        *(
            "布洛芬",
            "维生素D",
            "二甲双胍",
            "阿莫西林",
            "铁剂",
            "奥美拉唑",
            "氯雷他定",
            "钙片",
            "阿司匹林",
            "叶酸",
            "降压药",
        ),
        *("感冒灵", "褪黑素", "益生菌", "鱼油", "止咳糖浆", "优甲乐", "维生素B12", "板蓝根", "葡萄糖酸锌"),
    ),
)
SYMPTOM = Word(
    (
        *("headache", "sore throat", "back pain", "nausea", "dizziness", "cough", "stomach ache", "rash"),
        *("knee pain", "heartburn", "toothache", "migraine", "runny nose", "neck stiffness", "ear pain", "fatigue"),
        *("cramps in the calves", "itchy eyes", "chest tightness", "shoulder pain", "joint pain", "insomnia"),
    ),
    (
        *("头痛", "嗓子疼", "腰痛", "恶心", "头晕", "咳嗽", "胃痛", "皮疹", "膝盖疼", "反酸", "牙疼", "偏头痛"),
        *("流鼻涕", "脖子僵硬", "耳朵疼", "乏力", "小腿抽筋", "眼睛痒", "胸闷", "肩膀疼", "关节痛", "失眠"),
    ),
)
SPECIALIST = Choice(
    {
        "dentist": (("dentist",), ("牙科",)),
        "dermatologist": (("dermatologist", "skin doctor"), ("皮肤科",)),
        "eye_doctor": (("eye doctor", "ophthalmologist"), ("眼科",)),
        "general_practitioner": (("GP", "family doctor"), ("全科", "普通内科")),
        "cardiologist": (("cardiologist", "heart specialist"), ("心内科",)),
        "pediatrician": (("pediatrician", "children's doctor"), ("儿科",)),
        "orthopedist": (("orthopedist",), ("骨科",)),
    },
    ({"general_practitioner": "gp", "eye_doctor": "ophthalmology", "dentist": "dentistry"},),
)
