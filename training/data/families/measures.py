"""Everyday geometry and consumption: areas, circles, volumes, fuel, electricity."""

from training.data.family import Ask, Domain, Draw, Drawn, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Decimal, Made, Word
from training.data.sums import NUMBER, Plain, Result
from training.data.times import Duration

ANY_SUM = ("arithmetic.evaluate", "arithmetic.story", "arithmetic.multiply", "arithmetic.operation")
SIDE = Plain(1, 60, 2)

AREA = Family(
    key="measures.area",
    names=("rectangle_area", "area_calculator", "floor_area", "surface_of_rectangle"),
    about=("Area of a rectangle.", "Length times width: floors, walls, gardens.", "For rectangles only, no circles."),
    about_zh=("计算长方形面积。", "长乘宽，用于地板、墙面、花园等。"),
    params=(
        Param("length", SIDE, ("length", "length_m", "side_a"), ("Length in meters",), ("长，米",)),
        Param("width", SIDE, ("width", "width_m", "side_b"), ("Width in meters",), ("宽，米",)),
    ),
    asks=(
        "What's the area of a room {length} m long and {width} m wide?",
        "area of a rectangle, length {length}, width {width}",
        "How much carpet do I need? The floor has a length of {length} m and a width of {width} m.",
        "a garden of {length} m length and {width} m width, how many square metres",
        "My wall is {length} metres long and {width} metres wide. How big is that in square metres?",
        "length {length} width {width}, square metres please",
        "We're tiling the bathroom, it's {length} m in length, {width} m in width. How many square metres of tiles?",
        "is a field with length {length} m and width {width} m big? what's the area",
        "The label gives the length as {length} m and the width as {width} m; how much surface does the cloth have?",
        "How large is a plot with a length of {length} m and a width of {width} m?",
    ),
    asks_zh=(
        "长{length}米、宽{width}米的房间面积多大？",
        "长方形长{length}宽{width}，面积是多少",
        "铺地毯，地板长{length}米宽{width}米，要多少平米？",
        "花园长{length}米，宽{width}米，多少平方米",
        "卫生间贴砖，长{length}米、宽{width}米，需要多少平米的砖？",
        "一块地长{length}米，宽{width}米，有多大",
        "求长为{length}、宽为{width}的矩形面积",
        "墙长{length}米宽{width}米，几个平方",
    ),
    outcomes=(
        Outcome(
            fields=(("area", Result(2, 3_000, 2)),),
            texts=("{area} m²",),
            texts_zh=("{area}平方米",),
            answers=("The area is {area} square metres.", "That's {area} square metres.", "{area} m²."),
            answers_zh=("面积是{area}平方米。", "有{area}平方米。", "{area}平米。"),
        ),
    ),
    missing=(
        Missing(
            key="width",
            asks=("What's the area of a room {length} m long?", "The floor is {length} m long, how big is it?"),
            replies=("How wide is it?", "What is the width?"),
            asks_zh=("房间长{length}米，面积多大？", "地板长{length}米，多少平米"),
            replies_zh=("请问宽是多少？", "宽几米？"),
        ),
    ),
    also=ANY_SUM,
)

CIRCLE = Family(
    key="measures.circle",
    names=("circle", "circle_calculator", "circle_measure", "round_shape"),
    about=("Area or circumference of a circle.", "Measures of a circle from its radius.", "Circles, given the radius."),
    about_zh=("计算圆的面积或周长。", "根据半径算圆。"),
    params=(
        Param("radius", Result(1, 90, 1), ("radius", "r"), ("The radius",), ("半径",)),
        Param(
            "what",
            Choice(
                {
                    "area": (("area",), ("面积",)),
                    "circumference": (("circumference",), ("周长",)),
                },
                ({"circumference": "perimeter"},),
            ),
            ("quantity", "measure", "what"),
            ("What to work out",),
            ("求什么",),
        ),
    ),
    asks=(
        "What's the {what} of a circle with radius {radius}?",
        "{what} circle radius {radius}",
        "A pond has a radius of {radius} m, what's its {what}?",
        Ask("How long is a fence around a circle of radius {radius}?", {"what": "circumference"}),
        Ask("a round table has a radius of {radius} cm, how much surface is that", {"what": "area"}),
        "work out the {what}: it's a circle, radius {radius}",
        Ask("My wheel has radius {radius} cm. How far does it roll in one turn?", {"what": "circumference"}),
        Ask("With a radius of {radius} m, how many square metres does a sprinkler water?", {"what": "area"}),
        "r = {radius}, what is the {what} of the circle",
        "I need the {what} for a circular rug, radius {radius}.",
    ),
    asks_zh=(
        "半径{radius}的圆{what}是多少？",
        "圆的半径是{radius}，求{what}",
        "池塘半径{radius}米，{what}多少",
        Ask("圆桌半径{radius}厘米，桌面有多大？", {"what": "area"}),
        Ask("车轮半径{radius}厘米，滚一圈走多远？", {"what": "circumference"}),
        Ask("半径{radius}米的圆形花坛，围一圈篱笆要多长？", {"what": "circumference"}),
        "算圆的{what}，半径{radius}",
        "r等于{radius}，圆的{what}是几",
    ),
    outcomes=(
        Outcome(
            fields=(("value", Result(5, 9_000, 2)),),
            texts=("{value}",),
            texts_zh=("{value}",),
            answers=("It's {value}.", "The result is {value}.", "That makes {value}."),
            answers_zh=("是{value}。", "结果是{value}。", "等于{value}。"),
        ),
    ),
    missing=(
        Missing(
            key="radius",
            asks=("What's the {what} of a circle?", "I need the {what} of my round table."),
            replies=("What is the radius?", "How big is the radius?"),
            asks_zh=("圆的{what}是多少？", "帮我算圆桌的{what}"),
            replies_zh=("请问半径是多少？", "半径多大？"),
        ),
    ),
    also=("arithmetic.evaluate",),
)

VOLUME = Family(
    key="measures.volume",
    names=("box_volume", "container_volume", "volume_of_box", "capacity"),
    about=(
        "Volume of a box.",
        "How much fits into a container: length, width, height.",
        "Capacity of a tank or crate.",
    ),
    about_zh=("计算长方体体积。", "根据长宽高算容器能装多少。"),
    params=(
        Param("length", Plain(10, 200), ("length_cm", "length", "l"), ("Length in cm",), ("长，厘米",)),
        Param("width", Plain(10, 120), ("width_cm", "width", "w"), ("Width in cm",), ("宽，厘米",)),
        Param("height", Plain(10, 150), ("height_cm", "height", "h"), ("Height in cm",), ("高，厘米",)),
        Param(
            "unit",
            Choice(
                {
                    "liters": (("litres", "liters"), ("升",)),
                    "cubic_centimeters": (("cubic centimetres", "cm³"), ("立方厘米",)),
                    "cubic_meters": (("cubic metres", "m³"), ("立方米",)),
                },
                ({"liters": "l", "cubic_centimeters": "cm3", "cubic_meters": "m3"},),
            ),
            ("unit", "result_unit", "output_unit"),
            ("Unit of the result",),
            ("结果单位",),
            required=False,
        ),
    ),
    asks=(
        "What's the volume of a box {length} cm long, {width} cm wide and {height} cm high[ in {unit}]?",
        "How much fits into a tank of length {length}, width {width} and height {height} cm[? in {unit} please]",
        "volume: length {length}, width {width}, height {height}[, in {unit}]",
        "My aquarium: height {height} cm, length {length} cm, width {width} cm. How many {unit} is that?",
        "will it hold enough? crate {length} cm long, {width} cm wide, {height} cm high, capacity in {unit}",
        "I have a chest, {length} long, {width} wide and {height} high, all in cm. What's the capacity?",
        "capacity of a trunk {width} cm wide, {height} cm high, {length} cm long[, in {unit}]",
        "How many {unit} of soil go into a planter with length {length} cm, width {width} cm, height {height} cm?",
        "The parcel is {height} cm high, {width} cm wide and {length} cm long, what volume is that?",
        "a suitcase of {length} cm length, {width} cm width, {height} cm height: volume[ in {unit}]?",
    ),
    asks_zh=(
        "长{length}厘米、宽{width}厘米、高{height}厘米的箱子体积多大？",
        "鱼缸长{length}宽{width}高{height}厘米，能装多少{unit}水？",
        "体积：长{length}，宽{width}，高{height}[，用{unit}表示]",
        "包裹高{height}厘米，长{length}厘米，宽{width}厘米，体积是多少[{unit}]",
        "花箱长{length}厘米，宽{width}厘米，高{height}厘米，要多少{unit}土？",
        "行李箱宽{width}、高{height}、长{length}，单位厘米，容积多少",
        "算个体积，长宽高分别是{length}、{width}、{height}厘米[，单位{unit}]",
        "柜子长{length}厘米宽{width}厘米高{height}厘米，容量几{unit}",
    ),
    outcomes=(
        Outcome(
            fields=(("volume", Result(5, 2_000, 1)),),
            texts=("{volume}",),
            texts_zh=("{volume}",),
            answers=("The volume is {volume}.", "It holds {volume}.", "That's {volume}."),
            answers_zh=("体积是{volume}。", "能装{volume}。", "是{volume}。"),
        ),
    ),
    missing=(
        Missing(
            key="height",
            asks=("What's the volume of a box {length} cm long and {width} cm wide?",),
            replies=("How high is it?", "What is the height?"),
            asks_zh=("箱子长{length}厘米、宽{width}厘米，体积多大？",),
            replies_zh=("请问高是多少？", "高几厘米？"),
        ),
    ),
    also=("arithmetic.evaluate",),
)

MILEAGE = Family(
    key="measures.mileage",
    names=("fuel_consumption", "fuel_economy", "mileage_calculator", "liters_per_100km"),
    about=("Fuel consumption of a car.", "Litres per 100 km from distance and fuel.", "How thirsty a car is."),
    about_zh=("计算油耗。", "根据里程和加油量算百公里油耗。"),
    params=(
        Param("distance", Plain(80, 1_200), ("distance_km", "kilometers", "km"), ("Distance in km",), ("里程，公里",)),
        Param("fuel", Plain(6, 90, 1), ("liters", "fuel_liters", "fuel_used"), ("Fuel in litres",), ("用油，升",)),
    ),
    asks=(
        "I used {fuel} litres for {distance} km, what's my fuel consumption?",
        "{distance} km on {fuel} litres, how much is that per 100 km",
        "How thirsty is my car? {fuel} litres in {distance} kilometres.",
        "I filled up {fuel} litres after {distance} km. What does the car need on 100 km?",
        "consumption for {fuel} l and {distance} km",
        "Drove {distance} km and the tank took {fuel} litres. Is that a lot, per 100 km?",
        "The van did {distance} km with {fuel} litres of diesel: fuel economy?",
        "what's the mileage, {distance} km, {fuel} litres",
        "We burned {fuel} litres on a trip of {distance} km. Litres per hundred?",
        "my dad's old car: {distance} km, {fuel} litres. how economical is it",
    ),
    asks_zh=(
        "跑了{distance}公里用了{fuel}升油，油耗多少？",
        "{fuel}升油开了{distance}公里，百公里油耗是多少",
        "我的车费油吗？{distance}公里烧了{fuel}升",
        "开{distance}公里后加了{fuel}升，百公里几个油？",
        "里程{distance}公里，用油{fuel}升，算油耗",
        "货车{distance}公里用掉{fuel}升柴油，油耗怎么样",
        "这趟{distance}公里一共耗油{fuel}升，每百公里多少升？",
        "帮我算油耗：{fuel}升，{distance}公里",
    ),
    outcomes=(
        Outcome(
            fields=(("per_100_km", Result(3, 14, 1)),),
            texts=("{per_100_km} l/100 km",),
            texts_zh=("百公里{per_100_km}升",),
            answers=("It needs {per_100_km} litres per 100 km.", "That's {per_100_km} litres on 100 km."),
            answers_zh=("百公里油耗{per_100_km}升。", "每百公里{per_100_km}升。"),
        ),
    ),
    missing=(
        Missing(
            key="fuel",
            asks=("I drove {distance} km, what's my fuel consumption?", "how thirsty was the car over {distance} km"),
            replies=("How many litres did you use?", "How much fuel did it take?"),
            asks_zh=("我开了{distance}公里，油耗多少？", "跑{distance}公里的油耗是多少"),
            replies_zh=("请问用了多少升油？", "加了多少油？"),
        ),
    ),
    also=("arithmetic.evaluate", "arithmetic.story"),
)


def _watts(draw: Draw) -> Drawn:
    watts = draw.rng.choice((5, 9, 40, 60, 100, 150, 300, 500, 800, 1_000, 1_200, 1_500, 2_000, 2_500, 3_000))
    said = [f"{watts}瓦", f"{watts}W"] if draw.language == "zh" else [f"{watts} watts", f"{watts} W", f"{watts}W"]
    if watts >= 1_000:
        said.append(f"{watts / 1000:g}千瓦" if draw.language == "zh" else f"{watts / 1000:g} kW")
    return Drawn(draw.rng.choice(said), watts)


ELECTRICITY = Family(
    key="measures.electricity",
    names=("electricity_cost", "power_cost", "appliance_cost", "energy_bill_estimate"),
    about=(
        "What running an appliance costs.",
        "Electricity cost from power in watts, hours a day and the price of a kilowatt hour.",
        "Estimates the monthly power bill of a device.",
    ),
    about_zh=("计算电器的电费。", "根据功率（瓦）、每天使用时间和电价估算电费。"),
    params=(
        Param(
            "appliance",
            Word(
                (
                    *(
                        "heater",
                        "fridge",
                        "gaming PC",
                        "dryer",
                        "air conditioner",
                        "oven",
                        "lamp",
                        "TV",
                        "kettle",
                        "fan",
                    ),
                    *("dishwasher", "aquarium pump", "electric blanket", "dehumidifier", "sauna", "freezer", "router"),
                ),
                (
                    "取暖器",
                    "冰箱",
                    "电脑",
                    "烘干机",
                    "空调",
                    "烤箱",
                    "台灯",
                    "电视",
                    "电水壶",
                    "风扇",
                    "洗碗机",
                    "除湿机",
                ),
            ),
            ("appliance", "device", "name"),
            ("Which appliance",),
            ("电器",),
            required=False,
        ),
        Param(
            "power", Made(_watts, (NUMBER,)), ("power_watts", "watts", "wattage"), ("Power in watts",), ("功率，瓦",)
        ),
        Param(
            "hours",
            Duration("hours", (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24)),
            ("hours_per_day", "daily_hours"),
            ("Use per day",),
            ("每天使用时间",),
        ),
        Param(
            "price",
            Decimal(0.08, 0.6, 2),
            ("price_per_kwh", "rate", "tariff"),
            ("Price of a kWh",),
            ("每度电价",),
            False,
        ),
    ),
    asks=(
        "What does my {appliance} of {power} cost me if it runs {hours} a day[ at {price} per kWh]?",
        "{power} for {hours} a day[, {price} a kWh], how much is the electricity",
        "My {appliance} takes {power} and is on {hours} every day. What will the power bill say?",
        "running costs: {appliance}, {power}, {hours} daily[, {price} per kilowatt hour]",
        "how expensive is it to leave the {appliance} with its {power} on for {hours} a day",
        "We use the {appliance} {hours} a day, it has {power}[ and we pay {price} per kWh]. Cost?",
        "Is my {appliance} ruining me? {power}, {hours} a day.",
        "electricity for something with {power} that's on {hours} per day[; a kWh is {price}]",
        "If the {appliance} draws {power} for {hours} a day, what do I pay?",
        "power {power}, use {hours} a day, what's that in money[ at {price} a kWh]",
    ),
    asks_zh=(
        "{power}的{appliance}每天开{hours}，电费多少[？每度{price}元]",
        "{appliance}{power}，一天用{hours}，要多少电费？",
        "{power}，每天{hours}[，电价{price}]，电费怎么算",
        "我家{appliance}是{power}的，天天开{hours}，费电吗？电费多少",
        "功率{power}的电器一天用{hours}[，一度电{price}元]，花多少钱",
        "开{hours}{power}的{appliance}一天要花多少电费",
        "{appliance}功率{power}，每天{hours}，帮我估算电费",
        "每天用{hours}，功率{power}[，每度{price}]，电费是多少",
    ),
    outcomes=(
        Outcome(
            fields=(("cost_per_month", Result(0.5, 120, 2)),),
            texts=("{cost_per_month} per month",),
            texts_zh=("每月{cost_per_month}元",),
            answers=("It costs about {cost_per_month} a month.", "That's {cost_per_month} a month."),
            answers_zh=("每月大约{cost_per_month}元。", "一个月{cost_per_month}元左右。"),
        ),
    ),
    missing=(
        Missing(
            key="power",
            asks=(
                "What does my {appliance} cost if it runs {hours} a day?",
                "electricity for {hours} of {appliance} daily",
            ),
            replies=("How many watts does it have?", "What is its power in watts?"),
            asks_zh=("{appliance}每天开{hours}，电费多少？", "一天用{hours}{appliance}要多少电费"),
            replies_zh=("请问功率是多少瓦？", "功率多大？"),
        ),
        Missing(
            key="hours",
            asks=("What does my {appliance} with {power} cost me?", "how expensive is it to run {power}"),
            replies=("How many hours a day is it on?", "How long does it run each day?"),
            asks_zh=("{power}的{appliance}要多少电费？", "{power}的电器电费多少"),
            replies_zh=("请问每天用几个小时？", "一天开多久？"),
        ),
    ),
    also=("arithmetic.evaluate",),
)

DOMAIN = Domain(
    "measures",
    (AREA, CIRCLE, VOLUME, MILEAGE, ELECTRICITY),
    unserved=(
        ("Lay the tiles in my bathroom.", "帮我把卫生间的瓷砖铺了。"),
        ("Is my tank leaking?", "我的油箱是不是漏了？"),
        ("Repair the heater in the hall.", "修一下走廊的取暖器。"),
        ("Who first measured the earth?", "最早测量地球的人是谁？"),
        ("Find a cheaper electricity supplier.", "帮我找一家更便宜的电力公司。"),
        ("What colour goes well with a grey floor?", "灰色地板配什么颜色好看？"),
        ("How do I bleed a radiator?", "暖气片怎么放气？"),
        ("Book my car in for a service.", "帮我预约汽车保养。"),
        ("Read the electricity meter.", "读一下电表。"),
        ("Is diesel still allowed in the city centre?", "市中心还让柴油车进吗？"),
        ("Draw a plan of my flat.", "画一张我家的平面图。"),
        ("Which fridge has the best reviews?", "哪款冰箱口碑最好？"),
        ("Read me my last power bill.", "念一下我上个月的电费单。"),
    ),
)
