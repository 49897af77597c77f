"""The body in figures: body mass, energy, running pace, water, heart rate."""

from training.data.family import Domain, Draw, Drawn, Family, Form, Missing, Outcome, Param
from training.data.kinds import Choice, Integer, Made
from training.data.sums import NUMBER, Plain, Result
from training.data.times import Duration


def _height(draw: Draw) -> Drawn:
    height = draw.rng.randint(148, 204)
    meters, rest = divmod(height, 100)
    if draw.language == "zh":
        said = (f"{height}厘米", f"{height}公分", f"{meters}米{rest:02}", f"{height / 100:.2f}米")
    else:
        said = (
            f"{height} cm",
            f"{height}cm",
            f"{height / 100:.2f} m",
            f"{height / 100:.2f} metres",
            f"{meters}m{rest:02}",
        )
    return Drawn(draw.rng.choice(said), height)


HEIGHT = Made(
    _height,
    (
        Form({"type": "number"}, lambda drawn: drawn.meaning, "in centimeters", "单位：厘米"),
        Form({"type": "integer"}, lambda drawn: drawn.meaning, "height in cm, e.g. 182", "单位厘米，如 182"),
        Form({"type": "number"}, lambda drawn: drawn.meaning / 100, "in meters, e.g. 1.82", "单位：米，如 1.82"),
    ),
)


def _weight(draw: Draw) -> Drawn:
    value = Plain(45, 130, 1).draw(draw)
    units = (
        ("{}公斤", "{}公斤", "{}kg", "{}千克")
        if draw.language == "zh"
        else ("{} kg", "{}kg", "{} kilos", "{} kilograms")
    )
    return Drawn(draw.rng.choice(units).format(value.said), value.meaning)


WEIGHT = Made(_weight, (Form({"type": "number"}, lambda drawn: drawn.meaning, "in kilograms", "单位：公斤"), NUMBER))
SEX = Choice(
    {"female": (("woman", "female"), ("女性", "女生")), "male": (("man", "male"), ("男性", "男生"))},
    ({"female": "F", "male": "M"},),
)

BMI = Family(
    key="body.bmi",
    names=("bmi", "body_mass_index", "calculate_bmi", "weight_check"),
    about=("Body mass index.", "BMI from height and weight.", "Says whether a weight is healthy for a height."),
    about_zh=("计算身体质量指数（BMI）。", "根据身高体重计算 BMI。"),
    params=(
        Param("weight", WEIGHT, ("weight_kg", "weight", "mass"), ("Body weight",), ("体重",)),
        Param("height", HEIGHT, ("height", "body_height", "stature"), ("Body height",), ("身高",)),
        Param("age", Integer(18, 85), ("age", "age_years"), ("Age in years",), ("年龄",), False),
    ),
    asks=(
        "What's my BMI? I'm {height} and {weight}[, {age} years old].",
        "bmi for {weight} at {height}",
        "I weigh {weight} and I'm {height} tall[ and {age} years old], am I too heavy?",
        "The doctor asked for my body mass index: {height}, {weight}.",
        "is {weight} too much for somebody of {height}[ who is {age}]?",
        "my brother is {height} and weighs {weight}. is that healthy",
        "Height {height}, weight {weight}[, age {age}]: what's the index?",
        "I've gained a bit, {weight} now at {height}. Should I worry?",
        "body mass index, {height}, {weight}",
        "work out if I'm overweight with {weight} and {height}",
    ),
    asks_zh=(
        "我身高{height}，体重{weight}，BMI是多少？",
        "{height}，{weight}[，{age}岁]，算胖吗？",
        "身高{height}体重{weight}的BMI",
        "医生要我的身体质量指数，{height}，{weight}",
        "我弟弟{height}，{weight}，这个体重健康吗？",
        "最近胖了，{weight}，个子{height}，超重没有？",
        "帮我算BMI：体重{weight}，身高{height}[，年龄{age}]",
        "{weight}对{height}的人来说重不重",
    ),
    outcomes=(
        Outcome(
            fields=(("bmi", Result(17, 36, 1)),),
            texts=("BMI {bmi}",),
            texts_zh=("BMI {bmi}",),
            answers=("The BMI is {bmi}.", "At {height} and {weight} that's a BMI of {bmi}.", "It's {bmi}."),
            answers_zh=("BMI是{bmi}。", "{height}、{weight}的BMI是{bmi}。", "指数为{bmi}。"),
        ),
    ),
    missing=(
        Missing(
            key="height",
            asks=("What's my BMI at {weight}?", "I weigh {weight}, am I too heavy?"),
            replies=("How tall are you?", "What is your height?"),
            asks_zh=("我{weight}，BMI多少？", "体重{weight}算胖吗"),
            replies_zh=("请问身高是多少？", "您多高？"),
        ),
        Missing(
            key="weight",
            asks=("What's my BMI? I'm {height}.", "I'm {height} tall, is my weight all right?"),
            replies=("How much do you weigh?", "What is your weight?"),
            asks_zh=("我身高{height}，BMI是多少？", "{height}，我体重正常吗"),
            replies_zh=("请问体重是多少？", "您多重？"),
        ),
    ),
    also=("arithmetic.evaluate",),
)

BURN = Family(
    key="body.burn",
    names=("calories_burned", "exercise_energy", "workout_calories", "burn_estimate"),
    about=("Calories burned by an exercise.", "Energy used in a workout, by activity and time.", "Not for food."),
    about_zh=("估算运动消耗的热量。", "根据运动和时长计算消耗的卡路里。"),
    params=(
        Param(
            "activity",
            Choice(
                {
                    "running": (("running", "jogging"), ("跑步", "慢跑")),
                    "cycling": (("cycling", "biking"), ("骑车", "骑行")),
                    "swimming": (("swimming",), ("游泳",)),
                    "walking": (("walking",), ("走路", "散步")),
                    "rowing": (("rowing",), ("划船",)),
                    "dancing": (("dancing",), ("跳舞",)),
                    "yoga": (("yoga",), ("瑜伽",)),
                    "hiking": (("hiking",), ("徒步", "爬山")),
                }
            ),
            ("activity", "exercise", "sport"),
            ("What was done",),
            ("运动项目",),
        ),
        Param("length", Duration(), ("minutes", "duration", "duration_minutes"), ("How long",), ("时长",)),
        Param("weight", WEIGHT, ("weight_kg", "body_weight"), ("Body weight",), ("体重",), False),
    ),
    asks=(
        "How many calories do I burn with {length} of {activity}[ at {weight}]?",
        "{length} {activity}, how much energy is that[? I weigh {weight}]",
        "I was {activity} for {length}[ and I weigh {weight}]. What did that burn?",
        "calories for {activity} {length}",
        "Can I have the cake after {length} of {activity}? How many kcal did I use?",
        "burned by {activity} for {length}[, body weight {weight}]",
        "My watch is flat. {activity}, {length}: how many calories?",
        "is {activity} for {length} enough to work off dinner, what does it burn",
        "If I go {activity} for {length}, how much do I use up?",
        "energy used by {length} of {activity}[ for someone of {weight}]?",
    ),
    asks_zh=(
        "{activity}{length}能消耗多少热量[？我{weight}]",
        "我{activity}了{length}，烧掉多少卡路里？",
        "{activity}{length}消耗多少大卡[，体重{weight}]",
        "{length}的{activity}能抵一顿晚饭吗？消耗多少",
        "手表没电了，{activity}{length}，消耗了多少？",
        "想吃蛋糕，刚{activity}{length}，用掉多少热量？",
        "体重{weight}，{activity}{length}，热量多少",
        "{activity}{length}大概掉多少卡",
    ),
    outcomes=(
        Outcome(
            fields=(("kcal", Result(60, 1_500)),),
            texts=("{kcal} kcal",),
            texts_zh=("{kcal}千卡",),
            answers=("That burns about {kcal} kcal.", "Around {kcal} kcal.", "You use up {kcal} kcal."),
            answers_zh=("大约消耗{kcal}千卡。", "约{kcal}千卡。", "能烧掉{kcal}千卡。"),
        ),
    ),
    missing=(
        Missing(
            key="length",
            asks=("How many calories does {activity} burn?", "I went {activity} today, what did I burn?"),
            replies=("For how long?", "How long did you do it?"),
            asks_zh=("{activity}能消耗多少热量？", "我今天去{activity}了，烧了多少卡？"),
            replies_zh=("请问运动了多久？", "多长时间？"),
        ),
        Missing(
            key="activity",
            asks=("How many calories did I burn in {length} of sport?", "I exercised for {length}, what did it burn?"),
            replies=("Which sport was it?", "What kind of exercise did you do?"),
            asks_zh=("运动{length}消耗多少热量？", "我锻炼了{length}，烧了多少卡？"),
            replies_zh=("请问是什么运动？", "您做的哪项运动？"),
        ),
    ),
)

PACE = Family(
    key="body.pace",
    names=("running_pace", "pace_calculator", "run_speed", "compute_pace"),
    about=("Pace of a run.", "Minutes per kilometre from distance and time.", "How fast a run was."),
    about_zh=("计算跑步配速。", "根据距离和时间算每公里用时。"),
    params=(
        Param(
            "distance", Plain(2, 42, 1), ("distance_km", "kilometers", "distance"), ("Distance in km",), ("距离，公里",)
        ),
        Param(
            "time",
            Duration("minutes", (12, 18, 22, 25, 30, 38, 45, 55, 60, 75, 90, 120, 150)),
            ("minutes", "time_minutes", "duration"),
            ("Time it took",),
            ("用时",),
        ),
    ),
    asks=(
        "I ran {distance} km in {time}, what's my pace?",
        "pace for {distance} km in {time}",
        "How fast was I? {distance} kilometres, {time}.",
        "{time} for {distance} km, how many minutes per kilometre is that",
        "My goal is {distance} km in {time}. How fast do I have to run each kilometre?",
        "did the park loop today, {distance} km and it took {time}. how quick is that",
        "what pace is {distance} km in {time}?",
        "Training log: {distance} km, {time}. Pace?",
        "If I want to finish {distance} km in {time} what does each km have to be",
        "we needed {time} for {distance} km, slow or what? tell me the pace",
    ),
    asks_zh=(
        "我{time}跑了{distance}公里，配速多少？",
        "{distance}公里用时{time}，配速是多少",
        "跑{distance}公里花了{time}，每公里几分钟？",
        "想{time}跑完{distance}公里，每公里要多快？",
        "今天公园跑了{distance}公里，用了{time}，速度怎么样",
        "{time}{distance}公里是什么配速",
        "训练记录：{distance}公里，{time}，算配速",
        "{distance}公里跑了{time}，算慢吗？配速多少",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("pace", Made(lambda draw: Drawn(*[f"{draw.rng.randint(4, 8)}:{draw.rng.randint(0, 59):02}"] * 2))),
            ),
            texts=("{pace} per km",),
            texts_zh=("每公里{pace}",),
            answers=("Your pace was {pace} per kilometre.", "That's {pace} a kilometre.", "{pace} per km."),
            answers_zh=("配速是每公里{pace}。", "每公里{pace}。", "配速{pace}。"),
        ),
    ),
    missing=(
        Missing(
            key="time",
            asks=("I ran {distance} km, what was my pace?", "pace of my {distance} km run"),
            replies=("How long did it take?", "What was your time?"),
            asks_zh=("我跑了{distance}公里，配速多少？", "{distance}公里的配速是多少"),
            replies_zh=("请问用了多长时间？", "跑了多久？"),
        ),
    ),
    also=("arithmetic.evaluate", "arithmetic.story", "arithmetic.divide"),
)

NEED = Family(
    key="body.need",
    names=("daily_calories", "calorie_need", "energy_requirement", "tdee"),
    about=(
        "Calories a person needs a day.",
        "Daily energy need by sex, age, height, weight and activity.",
        "How much to eat a day to keep the weight. Not for exercise.",
    ),
    about_zh=("计算每日所需热量。", "根据性别、年龄、身高、体重算一天要摄入多少卡路里。"),
    params=(
        Param("sex", SEX, ("sex", "gender"), ("Sex",), ("性别",)),
        Param("age", Integer(18, 85), ("age", "age_years"), ("Age in years",), ("年龄",)),
        Param("height", HEIGHT, ("height", "body_height"), ("Body height",), ("身高",)),
        Param("weight", WEIGHT, ("weight", "weight_kg"), ("Body weight",), ("体重",)),
        Param(
            "activity",
            Choice(
                {
                    "low": (("I sit most of the day", "I hardly move"), ("基本久坐", "很少运动")),
                    "moderate": (("I do some sport", "I'm fairly active"), ("偶尔运动", "活动量一般")),
                    "high": (("I train every day", "I work hard with my body"), ("天天锻炼", "干体力活")),
                },
                ({"low": "sedentary", "moderate": "moderately_active", "high": "very_active"},),
            ),
            ("activity_level", "activity", "lifestyle"),
            ("How active",),
            ("活动量",),
            required=False,
        ),
    ),
    asks=(
        "How many calories do I need a day? I'm a {sex}, {age}, {height}, {weight}[, and {activity}].",
        "{sex}, {age} years, {height}, {weight}: how much should that person eat a day?",
        "what's my daily energy need: {sex} {age} {height} {weight}[. {activity}]",
        "I want to keep my weight of {weight}. I'm {age}, {height}, a {sex}[; {activity}]. How much may I eat?",
        "calorie requirement for a {sex} of {age}, {weight} at {height}",
        "My diet plan needs a number: {sex}, {height}, {weight}, aged {age}. How many kcal a day?",
        "tdee {sex} {age} years old {weight} {height}",
        "As a {sex} of {age} with {height} and {weight}[, {activity}], what can I eat in a day?",
        "Please tell me the daily calories for somebody who's {age}, {sex}, {height} tall and weighs {weight}.",
        "i'm {height}, {weight}, {age} years old and a {sex}. how many kcal per day",
    ),
    asks_zh=(
        "{sex}，{age}岁，{height}，{weight}，一天需要多少卡路里？",
        "我{age}岁，{sex}，身高{height}，体重{weight}[，{activity}]，每天该吃多少热量",
        "算一下每日热量：{sex}，{age}岁，{height}，{weight}[，{activity}]",
        "想保持{weight}的体重，{sex}，{height}，{age}岁，一天能吃多少大卡？",
        "制定饮食计划要用：{sex}，{height}，{weight}，{age}岁，每天多少千卡",
        "{age}岁{sex}，{weight}，{height}[，{activity}]，每日需要多少能量？",
        "一个{age}岁的{sex}，身高{height}、体重{weight}，一天要摄入多少热量",
        "{height}{weight}，{age}岁，{sex}，一天吃多少合适",
    ),
    outcomes=(
        Outcome(
            fields=(("kcal_per_day", Result(1_400, 3_600)),),
            texts=("{kcal_per_day} kcal per day",),
            texts_zh=("每天{kcal_per_day}千卡",),
            answers=(
                "About {kcal_per_day} kcal a day.",
                "The daily need is {kcal_per_day} kcal.",
                "{kcal_per_day} kcal.",
            ),
            answers_zh=("每天大约{kcal_per_day}千卡。", "一天需要{kcal_per_day}千卡。", "约{kcal_per_day}千卡。"),
        ),
    ),
    missing=(
        Missing(
            key="age",
            asks=("How many calories does a {sex} of {height} and {weight} need a day?",),
            replies=("How old is the person?", "What age?"),
            asks_zh=("{sex}，{height}，{weight}，一天需要多少热量？",),
            replies_zh=("请问年龄多大？", "多少岁？"),
        ),
    ),
)


def _drink(draw: Draw) -> Drawn:
    amount = draw.rng.choice((150, 200, 250, 300, 330, 400, 500, 600, 750, 1_000, 1_500, 2_000))
    said = [f"{amount}毫升"] if draw.language == "zh" else [f"{amount} ml", f"{amount}ml", f"{amount} millilitres"]
    if amount in (500, 1_000, 1_500, 2_000):
        litres = {500: ("half a litre", "半升"), 1_000: ("a litre", "一升"), 1_500: ("1.5 litres", "1.5升")}
        said.append(litres.get(amount, ("2 litres", "2升"))[1 if draw.language == "zh" else 0])
    return Drawn(draw.rng.choice(said), amount)


WATER = Family(
    key="body.water",
    names=("log_water", "add_drink", "record_water_intake", "drink_tracker"),
    about=("Record a drink of water.", "Adds water to today's count.", "Water diary, in millilitres."),
    about_zh=("记录喝水量。", "把喝的水记到今天的总量里。"),
    params=(
        Param(
            "amount",
            Made(
                _drink,
                (Form({"type": "integer"}, lambda drawn: drawn.meaning, "in millilitres", "单位：毫升"),),
            ),
            ("ml", "amount_ml", "volume"),
            ("How much was drunk",),
            ("喝水量",),
        ),
    ),
    asks=(
        "I just drank {amount} of water.",
        "log {amount} of water",
        "put down {amount} for today's drinking",
        "had {amount} of water with lunch",
        "Another {amount} down! Count it, please.",
        "add {amount} to my water",
        "My bottle is empty, that was {amount}.",
        "note {amount} of water for me",
        "thirsty day, {amount} more",
        "Please track that I've had {amount} of water.",
    ),
    asks_zh=(
        "我刚喝了{amount}水。",
        "记录喝水{amount}",
        "又喝了{amount}，记上",
        "午饭喝了{amount}水",
        "今天喝水加{amount}",
        "水壶空了，喝了{amount}",
        "帮我记{amount}水",
        "打卡，喝水{amount}",
    ),
    outcomes=(
        Outcome(
            fields=(("today_ml", Result(300, 3_000)),),
            texts=("{today_ml} ml today",),
            texts_zh=("今日{today_ml}毫升",),
            answers=(
                "Noted, that makes {today_ml} ml today.",
                "Done: {today_ml} ml so far.",
                "You're at {today_ml} ml today.",
            ),
            answers_zh=("记好了，今天共{today_ml}毫升。", "已记录，累计{today_ml}毫升。", "今天喝了{today_ml}毫升了。"),
        ),
    ),
    missing=(
        Missing(
            key="amount",
            asks=("I drank some water, write it down.", "log my water", "I had a drink, count it please."),
            replies=("How much did you drink?", "How many millilitres was it?"),
            asks_zh=("我喝水了，记一下。", "记录喝水"),
            replies_zh=("请问喝了多少？", "喝了多少毫升？"),
        ),
    ),
    also=("food_health.log_water",),
)


DOMAIN = Domain(
    "body",
    (BMI, BURN, PACE, NEED, WATER),
    unserved=(
        ("Read my blood test results.", "帮我看看验血报告。"),
        ("Why do my knees hurt after running?", "跑完步膝盖为什么疼？"),
        ("Pair my new running watch.", "连接我的新跑步手表。"),
        ("Write me a training plan for a marathon.", "给我写一份马拉松训练计划。"),
        ("How much sugar is in a glass of cola?", "一杯可乐有多少糖？"),
        ("Guide me through a stretching session.", "带我做一套拉伸。"),
        ("What did I weigh last month?", "我上个月体重多少？"),
        ("Sign me up for the city run.", "帮我报名城市马拉松。"),
        ("Is coffee bad for the heart?", "喝咖啡对心脏不好吗？"),
        ("Which shoes are best for flat feet?", "扁平足穿什么鞋好？"),
        ("Cancel my gym membership.", "取消我的健身会员。"),
        ("How tall will my son become?", "我儿子能长多高？"),
        ("Design a diet for my mother.", "给我妈妈定一份食谱方案。"),
    ),
)
