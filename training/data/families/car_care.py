"""Cars and their upkeep: the garage, fuel, tyres, warning lights, inspections and breakdowns."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Amount, Choice, Code, Flag, Integer, Word
from training.data.times import Clock, Day
from training.data.wordings import pool
from training.data.world import Person

from ._car_trouble import BREAKDOWN, WARNING_LIGHT

PLATE = Code(("AB9 AAA", "A-AA 9999", "AAA-999", "99-AAA-9", "AA99 AAA", "9AAA999"))
CAR = Word(
    pool(
        """Toyota Corolla | VW Golf | Ford Fiesta | Honda Civic | Mazda 3 | Skoda Octavia | Renault Clio | Fiat Panda
        Volvo V60 | Kia Picanto | Hyundai i20 | Peugeot 208 | BMW 320d | Seat Leon | Nissan Leaf | Citroen C3
        Subaru Forester | Mini Cooper | Dacia Duster | Suzuki Swift"""
    ),
    pool(
        """卡罗拉 | 朗逸 | 思域 | 雅阁 | 凯美瑞 | 轩逸 | 宝来 | 哈弗H6 | 五菱宏光 | 比亚迪秦 | 比亚迪海豚 | 奥迪A4
        宝马3系 | 沃尔沃S60 | 帕萨特 | 途观 | 名爵5 | 逸动 | 理想L7 | 飞度"""
    ),
)
JOB = Choice(
    {
        "oil_change": (("an oil change", "new oil"), ("换机油", "更换机油")),
        "tyre_change": (("a tyre change", "winter tyres"), ("换轮胎", "换冬季胎")),
        "brakes": (("a brake check", "new brake pads"), ("检查刹车", "换刹车片")),
        "full_service": (("a full service", "the yearly service"), ("大保养", "年度保养")),
        "bodywork": (("a dent repair", "some bodywork"), ("钣金修复", "修车身凹痕")),
    },
    (
        {
            "oil_change": "OIL",
            "tyre_change": "TYRES",
            "brakes": "BRAKES",
            "full_service": "SERVICE",
            "bodywork": "BODY",
        },
    ),
)
FUEL = Choice(
    {
        "petrol": (("petrol", "gasoline"), ("汽油",)),
        "diesel": (("diesel",), ("柴油",)),
        "lpg": (("LPG",), ("液化气",)),
    },
    ({"petrol": "PETROL", "diesel": "DIESEL", "lpg": "LPG"},),
)
AXLE = Choice(
    {"front": (("front",), ("前轮", "前胎")), "rear": (("rear", "back"), ("后轮", "后胎"))},
    ({"front": "F", "rear": "R"},),
)

GARAGE = Family(
    key="car_care.garage",
    names=("book_garage", "schedule_car_service", "workshop_appointment", "garage_booking", "book_mechanic"),
    about=(
        "Book a job at the garage.",
        "Makes an appointment at the workshop for a car, by its number plate.",
        "Appointments with a mechanic. Not for breakdowns on the road.",
    ),
    about_zh=("预约汽车维修保养。", "按车牌预约修理厂的项目，不用于道路救援。"),
    params=(
        Param("plate", PLATE, ("plate", "license_plate", "registration"), ("Number plate",), ("车牌号",)),
        Param("job", JOB, ("job", "service_type", "work"), ("What is to be done",), ("维修项目",)),
        Param("day", Day(1, 40), ("date", "day", "appointment_date"), ("Day of the visit",), ("到店日期",)),
        Param(
            "loan", Flag(), ("loan_car", "needs_replacement_car"), ("True for a loan car",), ("是否需要代步车",), False
        ),
    ),
    asks=(
        "Book {job} for {plate} on {day}.",
        "my car ({plate}) needs {job}, is {day} possible?",
        "I'd like to bring {plate} in for {job} on {day}.",
        Ask("{plate} needs {job} on {day}, and I'll need a loan car meanwhile.", {"loan": True}),
        "{day}, {job}, plate {plate}",
        "Can the mechanic have a go at {plate} on {day}? It's due for {job}.",
        "The lease says I must have {job} done. Plate is {plate}, and I'm free on {day}.",
        Ask("Bring-in for {job} on {day}, {plate}. No replacement car needed.", {"loan": False}),
        "get {plate} {job} at the workshop on {day} please",
        "My wife is away on {day}, so the garage can have {plate} then for {job}.",
    ),
    asks_zh=(
        "{plate}预约{day}{job}",
        "我的车{plate}要{job}，{day}能安排吗",
        "{day}想去修理厂{job}，车牌{plate}",
        Ask("车牌{plate}，{day}{job}，还要一辆代步车", {"loan": True}),
        "帮我跟4S店约一下，{plate}，{day}，{job}",
        "该{job}了，{plate}，{day}有空就过去",
        "{plate}这台车{day}送去{job}，约一下",
        "老婆{day}不用车，正好把{plate}开去{job}，预约",
        Ask("{day}给{plate}{job}，不用代步车", {"loan": False}),
        "约个师傅，{day}给{plate}{job}",
        "车子{plate}跑了一万公里，{day}去{job}，定个时间",
    ),
    outcomes=(
        Outcome(
            fields=(("drop_off", Clock(7, 11)), ("price", Integer(60, 700, 5))),
            texts=("drop-off {drop_off}, about {price}",),
            texts_zh=("{drop_off}送车，约{price}元",),
            answers=(
                "Booked: bring {plate} in at {drop_off}; it will cost about {price}.",
                "The garage expects {plate} at {drop_off}.",
                "Done. Drop-off is at {drop_off}, the price about {price}.",
            ),
            answers_zh=(
                "约好了，{plate}{drop_off}到店，费用约{price}元。",
                "请{drop_off}把{plate}送到，大约{price}元。",
                "已预约，{drop_off}送车。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="job",
            asks=("Book {plate} in at the garage on {day}.", "I want to bring {plate} to the workshop on {day}."),
            replies=("What should be done on the car?", "What does {plate} need?"),
            asks_zh=("{day}把{plate}送修理厂，约一下", "{plate}约{day}去4S店"),
            replies_zh=("请问要做什么项目？", "{plate}需要做哪项保养或维修？"),
        ),
        Missing(
            key="plate",
            asks=("I need {job} on {day}, book it.", "Can I bring the car for {job} on {day}?"),
            replies=("What is the number plate?", "Which car is it? Please tell me its plate."),
            asks_zh=("{day}约个{job}", "想{day}去{job}"),
            replies_zh=("请问车牌号是多少？", "是哪辆车？车牌是什么？"),
        ),
    ),
    errors=("the workshop is fully booked that day",),
)

FUELLED = Family(
    key="car_care.log_fuel",
    names=("log_refuel", "record_fuel_stop", "add_fill_up", "fuel_log_entry"),
    about=(
        "Write a fill-up into the fuel log.",
        "Records litres, what they cost and the mileage after refuelling.",
        "Adds an entry to the car's fuel log. Calculates nothing.",
    ),
    about_zh=("记录一次加油。", "登记加油的升数、金额和里程。"),
    params=(
        Param("litres", Integer(8, 70), ("litres", "volume_l", "amount_liters"), ("Litres filled",), ("加油升数",)),
        Param("paid", Integer(15, 160), ("total_price", "cost", "paid"), ("What it cost",), ("金额",)),
        Param(
            "km", Integer(12000, 240000, 7), ("odometer_km", "mileage"), ("Kilometres on the clock",), ("里程",), False
        ),
        Param("fuel", FUEL, ("fuel", "fuel_type"), ("Kind of fuel",), ("油品",), False),
    ),
    asks=(
        "I put in {litres} litres for {paid} euros[, {km} km on the clock].",
        "filled up: {litres} l, {paid} dollars[, odometer {km}]",
        "Fuel stop today, {paid} euros for {litres} litres of {fuel}.",
        "Just paid {paid} pounds for {litres} litres, note that in the log[. Mileage {km}]",
        "tank {litres} litres {paid} euro[ {km} km]",
        "Keep track of this one: {litres} litres of {fuel}, {paid} dollars.",
        "The tank was nearly empty, it took {litres} litres and cost me {paid} euros.",
        "With {km} km on the car I tanked {litres} litres for {paid} euros.",
    ),
    asks_zh=(
        "加了{litres}升油，花了{paid}块[，里程{km}公里]",
        "记一笔加油：{litres}升，{paid}元",
        "刚在加油站加了{litres}升{fuel}，{paid}块钱",
        "油箱快空了，加了{litres}升，一共{paid}元，记下来",
        "今天加油{paid}元，{litres}升[，表上{km}公里]",
        "加油记录：{fuel}{litres}升，{paid}元",
        "跑到{km}公里加的油，{litres}升，{paid}块",
        "花{paid}块加了{litres}升，登记一下[，里程数{km}]",
        "又加油了，{litres}升{paid}元",
        "帮我把这次加油记进去，{litres}升，付了{paid}元",
    ),
    outcomes=(
        Outcome(
            fields=(("entries", Integer(3, 80)),),
            texts=("saved as entry {entries}",),
            texts_zh=("已保存，第{entries}条",),
            answers=(
                "The fill-up of {litres} litres is in the log.",
                "Noted, that is entry {entries}.",
                "Saved: {litres} litres for {paid}.",
            ),
            answers_zh=("记好了，{litres}升，{paid}元。", "已登记，这是第{entries}条记录。", "这次加油已保存。"),
        ),
    ),
    missing=(
        Missing(
            key="paid",
            asks=("I filled up {litres} litres, put it in the log.", "{litres} litres of {fuel} tanked, note it"),
            replies=("How much did you pay?", "What did the fuel cost?"),
            asks_zh=("加了{litres}升油，记一下", "刚加{litres}升{fuel}，登记"),
            replies_zh=("请问花了多少钱？", "这次加油多少钱？"),
        ),
    ),
    also=(
        "accounts.expense",
        "fleet.fuel",
    ),
)

TYRES = Family(
    key="car_care.tyre_pressure",
    names=("tyre_pressure", "recommended_tire_pressure", "tire_pressure_lookup", "wheel_pressure"),
    about=(
        "The right tyre pressure of a car.",
        "Recommended pressure by model, axle and whether the car is fully loaded.",
        "Looks the pressure up in the maker's table; it measures nothing.",
    ),
    about_zh=("查询推荐胎压。", "按车型、前后轮和是否满载给出胎压。"),
    params=(
        Param("car", CAR, ("model", "car_model", "vehicle"), ("Make and model",), ("车型",)),
        Param("axle", AXLE, ("axle", "position"), ("Front or rear",), ("前轮或后轮",), False),
        Param("loaded", Flag(), ("full_load", "loaded"), ("True when packed full",), ("是否满载",), False),
    ),
    asks=(
        "How much air goes into the tyres of a {car}?",
        "what pressure for the {axle} wheels of my {car}",
        Ask("We're packed to the roof for the holidays. How many bar for the {car}?", {"loaded": True}),
        "I'm at the air pump with the {car}. How many bar[ in the {axle} tyres]?",
        "{car} tyres, how many bar",
        Ask(
            "Five people and luggage, so the {car} is fully loaded: which pressure[ for the {axle} tyres]?",
            {"loaded": True},
        ),
        "The tyres of our {car} look flat to me. What should the gauge read?",
        Ask("An empty {car}, how much pressure do the {axle} tyres want?", {"loaded": False}),
        "tell me the bar value for a {car}, {axle} axle",
    ),
    asks_zh=(
        "{car}的胎压应该打多少？",
        "我在加气泵旁边，{car}打几个气压",
        "{car}{axle}要打多少bar",
        Ask("{car}满载出远门，胎压多少合适", {"loaded": True}),
        Ask("坐满五个人还带行李，{car}的{axle}该充多少", {"loaded": True}),
        "感觉{car}的轮胎有点瘪，标准值是多少",
        "{car}轮胎充到几个压",
        Ask("{car}空车的时候{axle}胎压是多少？", {"loaded": False}),
        "查下{car}的标准胎压[，{axle}的]",
        "冬天了，{car}要充多少气",
    ),
    outcomes=(
        Outcome(
            fields=(("bar", Word(pool("2.1 | 2.2 | 2.3 | 2.4 | 2.5 | 2.7 | 2.9"))),),
            texts=("{bar} bar", "recommended: {bar} bar"),
            texts_zh=("推荐{bar} bar",),
            answers=("The {car} wants {bar} bar.", "{bar} bar is right.", "Fill them to {bar} bar."),
            answers_zh=("{car}打{bar} bar就行。", "推荐胎压是{bar} bar。", "充到{bar} bar即可。"),
        ),
    ),
    missing=(
        Missing(
            key="car",
            asks=("How much air do my tyres need?", "what's the right pressure for the {axle} tyres"),
            replies=("Which car is it?", "What model do you drive?"),
            asks_zh=("轮胎打多少气合适", "{axle}胎压应该是多少"),
            replies_zh=("请问是什么车型？", "您开的是哪款车？"),
        ),
    ),
)

INSPECTION = Family(
    key="car_care.inspection_due",
    names=("inspection_due_date", "check_roadworthiness", "next_inspection", "vehicle_test_status"),
    about=(
        "When a car's technical inspection is due.",
        "Date until which the inspection of a car is valid, by its plate.",
        "Checks the official test of a vehicle; it books none.",
    ),
    about_zh=("查询车辆年检到期时间。", "按车牌查年检有效期，不提供预约。"),
    params=(Param("plate", PLATE, ("plate_number", "registration_number", "plate"), ("The plate",), ("车牌号码",)),),
    asks=(
        "Until when is the inspection of {plate} valid?",
        "when does {plate} have to go to the test again",
        "Is the sticker on {plate} still good?",
        "The police asked about the inspection of {plate}. When does it run out?",
        "I'm thinking of buying {plate}. How long is its test still valid?",
        "{plate} inspection due?",
        "Has {plate} passed its roadworthiness test?",
        "Could you look up when {plate} is due for its technical check?",
    ),
    asks_zh=(
        "{plate}的年检什么时候到期？",
        "查下{plate}哪天该年检了",
        "车子{plate}年审过期没有",
        "想买辆二手车，车牌{plate}，年检到什么时候",
        "{plate}年检有效期",
        "交警说我年检快到了，{plate}，到底哪天",
        "{plate}今年验车了没",
        "帮忙看看{plate}什么时候要去车管所检测",
        "我不记得上次验车的时间了，{plate}还在有效期吗",
        "{plate}下次年审是几号",
    ),
    outcomes=(
        Outcome(
            fields=(("valid_until", Day(20, 700)),),
            texts=("valid until {valid_until}",),
            texts_zh=("有效期至{valid_until}",),
            answers=(
                "The inspection of {plate} is valid until {valid_until}.",
                "{plate} is due by {valid_until}.",
                "It is good until {valid_until}.",
            ),
            answers_zh=(
                "{plate}的年检有效期到{valid_until}。",
                "{valid_until}之前要年检。",
                "还在有效期内，到{valid_until}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="plate",
            asks=("When is my car's inspection due?", "is my test sticker still valid"),
            replies=("What is the number plate?", "Which plate should I check?"),
            asks_zh=("我的车年检什么时候到期", "该验车了吗"),
            replies_zh=("请问车牌号是多少？", "要查哪个车牌？"),
        ),
    ),
    also=("fleet.service_due",),
)

VALUE = Family(
    key="car_care.sell_value",
    names=("estimate_car_value", "car_valuation", "used_car_price", "trade_in_value"),
    about=(
        "What a used car is worth.",
        "Estimates the price of a used car from model, year and kilometres.",
        "Valuation of used cars. Puts no advertisement online.",
    ),
    about_zh=("估算二手车价格。", "根据车型、年份和里程估价，不发布广告。"),
    params=(
        Param("car", CAR, ("model", "make_and_model", "car"), ("Make and model",), ("车型",)),
        Param("age", Integer(2, 18), ("age_years", "years_old"), ("Age in years",), ("车龄，年",)),
        Param(
            "km",
            Amount(12000, 260000, ("{} km", "{} kilometres"), ("{}公里",)),
            ("mileage_km", "kilometres"),
            (),
            ("里程",),
        ),
        Param("owner", Person(), ("seller_name", "owner"), ("Who sells",), ("车主",), False),
    ),
    asks=(
        "What could I still get for a {car}, {age} years old, {km}?",
        "my {car} is {age} years old and has done {km}. worth anything?",
        "They offer me a {car}, {age} years old, with {km}. What's a fair price?",
        "{car}, {km}, {age} years: value?",
        "I'm thinking of parting with the {car}. It has {km} on it and is {age} years old.",
        "value of a {car} after {age} years and {km}[, owner is {owner}]",
        "[{owner} wants to know: ]how much is a {car} worth after {age} years and {km}?",
        "Would anybody pay well for a {car} with {km}? It's {age} years old.",
    ),
    asks_zh=(
        "{car}开了{age}年，跑了{km}，还能卖多少钱？",
        "我的{car}，{age}年车龄，{km}，值多少",
        "别人卖我一辆{age}年的{car}，{km}，多少钱合适",
        "估个价：{car}，{age}年，{km}",
        "想换车了，{car}用了{age}年，里程{km}，能值几个钱",
        "二手{car}，车龄{age}年，跑了{km}，行情怎样",
        "[车主{owner}，]{car}，{km}，买了{age}年，大概什么价",
        "{km}的{car}，已经{age}年了，现在卖亏不亏",
        "帮我评估一下这辆{car}，{age}年，{km}",
        "老{car}陪了我{age}年，表上{km}，还值多少",
    ),
    outcomes=(
        Outcome(
            fields=(("low", Integer(1500, 6000, 100)), ("high", Integer(6500, 15000, 100))),
            texts=("between {low} and {high}",),
            texts_zh=("{low}到{high}",),
            answers=(
                "It is worth between {low} and {high}.",
                "Expect {low} to {high} for the {car}.",
                "A fair price is {low} to {high}.",
            ),
            answers_zh=("大概值{low}到{high}。", "这辆{car}能卖{low}至{high}。", "合理的价格在{low}到{high}之间。"),
        ),
    ),
    missing=(
        Missing(
            key="km",
            asks=("What is a {car} worth after {age} years?", "my {car} is {age} years old, what would I get for it"),
            replies=("How many kilometres has it done?", "What is its mileage?"),
            asks_zh=("{car}开了{age}年，值多少钱", "{age}年的{car}能卖多少"),
            replies_zh=("请问跑了多少公里？", "里程是多少？"),
        ),
    ),
)

DOMAIN = Domain(
    "car_care",
    (GARAGE, FUELLED, TYRES, INSPECTION, VALUE, WARNING_LIGHT, BREAKDOWN),
    unserved=(
        ("Insure my new car from the first of May.", "五月一号起给我的新车上保险。"),
        ("Start the engine so that it is warm when I come down.", "先把车发动热一下。"),
        ("Pay my speeding fine.", "帮我交超速罚款。"),
        ("Which electric car has the longest range?", "哪款电动车续航最长？"),
        ("Order two new wiper blades.", "买两根雨刮器。"),
        ("Teach me to park backwards.", "教我倒车入库。"),
        ("Transfer the car to my brother's name.", "把车过户给我弟弟。"),
        ("How do I get chewing gum off the seat?", "座椅上的口香糖怎么弄掉？"),
        ("Wash and wax my car tomorrow.", "明天帮我洗车打蜡。"),
        ("Renew my driving licence.", "给我的驾照换证。"),
        ("Play the radio in the car.", "打开车里的收音机。"),
        ("Paint my car matt black.", "把我的车喷成哑光黑。"),
    ),
)
