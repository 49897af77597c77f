"""Cars and what they need: taxis, car parks, charging points, bikes, and where the car was left."""

from training.data.family import Ask, Draw, Drawn, Family, Missing, Outcome, Param
from training.data.kinds import Amount, Choice, Flag, Integer, Made, Word
from training.data.times import Clock, Duration
from training.data.world import Person

from ._places import LANDMARKS, SPOT, apart

PLUG = Choice(
    {
        "ccs": (("CCS",), ("CCS",)),
        "chademo": (("CHAdeMO",), ("CHAdeMO",)),
        "type2": (("Type 2",), ("Type 2",)),
        "tesla": (("Tesla",), ("特斯拉",)),
    },
    ({"ccs": "CCS", "chademo": "CHADEMO", "type2": "TYPE_2", "tesla": "TESLA"},),
)
FEE = Amount(1, 100, ("{} dollars", "{} euros", "{} pounds"), ("{}元", "{}块"))
CAR_PARKS = Word(
    ("Opera Garage", "P3 North", "Market Hall", "Castle Car Park", "City Point", "Q-Park Centre"),
    ("银泰停车场", "P3停车场", "地下车库B区", "市政停车楼", "中心广场停车场"),
)
_LEVELS = ("level", "floor", "deck")
_CORNERS = ("next to the lift", "by the exit", "behind a white van", "beside a pillar", "near the ticket machine")
_CORNERS_ZH = ("靠近电梯", "出口旁边", "柱子后面", "收费机旁", "一辆白车后面")


def _spot_note(draw: Draw) -> Drawn:
    rng = draw.rng
    number, row = rng.randint(1, 9), rng.choice("ABCDEFGH") + str(rng.randint(1, 60))
    if draw.language == "zh":
        notes = (f"地下{rng.choice('一二三四')}层{row}车位", f"{row}，{rng.choice(_CORNERS_ZH)}", f"{number}楼{row}")
    else:
        level = f"{rng.choice(_LEVELS)} {number}"
        notes = (f"{level}, bay {row}", f"{level}, {rng.choice(_CORNERS)}", f"row {row}, {rng.choice(_CORNERS)}")
    said = rng.choice(notes)
    return Drawn(said, said)


SPOT_NOTE = Made(_spot_note)

TAXI = Family(
    key="getting_around.taxi",
    names=("order_taxi", "call_cab", "request_ride", "book_ride", "hail_car"),
    about=(
        "Order a taxi from one place to another.",
        "Calls a cab, now or at a time of day.",
        "Sends a car with a driver to pick somebody up. Does not rent cars.",
    ),
    about_zh=("叫出租车。", "叫车从一地到另一地，可预约时间，不是租车。"),
    params=(
        Param("start", SPOT, ("pickup", "pickup_location", "from_place"), ("Where to be picked up",), ("上车地点",)),
        Param("end", SPOT, ("dropoff", "destination", "to_place"), ("Where to go",), ("下车地点",)),
        Param(
            "time", Clock(5, 23), ("pickup_time", "time"), ("Now if left out",), ("上车时间，默认现在",), required=False
        ),
        Param("people", Integer(2, 7), ("passengers", "seats"), (), ("乘车人数",), required=False),
        Param("big", Flag(), ("large_car", "needs_van"), ("True for a large car",), ("是否需要大车",), required=False),
    ),
    asks=(
        "Get me a taxi from {start} to {end}[ at {time}].",
        "cab please, {start} to {end}[, {people} people]",
        "I've had two glasses of wine, so no driving. Pick me up at {start} and take me to {end}[ at {time}].",
        "Can somebody drive us from {start} to {end}[? There are {people} of us]",
        Ask("We need a large taxi from {start} to {end}[ at {time}][, {people} passengers].", {"big": True}),
        "order a ride to {end}, I'm at {start}",
        "My mother has to go from {start} to {end} at {time} and can't walk far. Send her a cab.",
        "A car to {end} for {time}, pick-up at {start}[, {people} persons].",
        "It's pouring and the buses are on strike. Taxi! From {start} to {end}[, {people} of us].",
        "Have a cab wait for me at {start} at {time}, I'm going to {end}.",
    ),
    asks_zh=(
        "叫辆出租车，从{start}到{end}[，{time}走]",
        "我在{start}，打车去{end}",
        "喝酒了不能开车，来{start}接我，送到{end}",
        "帮我妈叫个车，{time}从{start}去{end}",
        Ask("我们[{people}个人]要一辆大车，从{start}打车到{end}[，{time}出发]", {"big": True}),
        "{time}来{start}接我们[{people}个人]，去{end}",
        "打车：{start}到{end}[，{people}人]",
        "下大雨打不到车，帮我约一辆从{start}到{end}的",
    ),
    outcomes=(
        Outcome(
            fields=(("driver", Person()), ("minutes", Integer(3, 18)), ("fare", Integer(9, 64))),
            texts=("{driver} arrives in {minutes} min, about {fare}",),
            texts_zh=("司机{driver}，{minutes}分钟后到，约{fare}元",),
            answers=(
                "{driver} will be at {start} in {minutes} min; the fare is about {fare}.",
                "A taxi is ordered: {driver}, {minutes} min, about {fare}.",
                "{driver} takes you to {end} for about {fare}.",
            ),
            answers_zh=(
                "司机{driver}{minutes}分钟后到{start}，车费约{fare}元。",
                "车叫好了，{driver}师傅，约{fare}元。",
                "已叫车，{driver}，{minutes}分钟到，去{end}约{fare}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="start",
            asks=("Get me a taxi to {end}.", "I need a cab to {end} at {time}."),
            replies=("Where should the taxi pick you up?", "Where are you?"),
            asks_zh=("打车去{end}", "{time}叫辆车去{end}"),
            replies_zh=("请问在哪里上车？", "上车地点是哪里？"),
        ),
        Missing(
            key="end",
            asks=("I need a taxi at {start}.", "Pick me up at {start} at {time}, please."),
            replies=("Where do you want to go?", "Where should the driver take you?"),
            asks_zh=(
                "来{start}接我，叫个车",
                "我在{start}，帮我打辆车",
            ),
            replies_zh=("请问要去哪里？", "您到哪里下车？"),
        ),
    ),
    errors=("no cars free nearby",),
    fits=apart("start", "end"),
)

PARKING = Family(
    key="getting_around.parking",
    names=("find_parking", "search_car_parks", "parking_near", "parking_spaces"),
    about=(
        "Find parking near a place.",
        "Car parks with free spaces, by place, time and highest hourly fee.",
        "Searches for a place to leave the car; remembers nothing.",
    ),
    about_zh=("查找附近的停车场。", "按地点、时长和价格查找有空位的停车场。"),
    params=(
        Param("near", SPOT, ("near", "location", "close_to"), ("Where to park",), ("地点",)),
        Param(
            "length",
            Duration(values=(30, 45, 60, 90, 120, 180, 240, 300)),
            ("minutes", "duration", "stay_minutes"),
            ("How long",),
            ("停车时长",),
            required=False,
        ),
        Param(
            "fee",
            FEE,
            ("max_hourly_fee", "max_price", "price_per_hour"),
            ("Highest fee for an hour",),
            ("每小时最高费用",),
            required=False,
        ),
        Param(
            "covered", Flag(), ("covered", "indoor"), ("True if it must have a roof",), ("是否室内",), required=False
        ),
    ),
    asks=(
        "Where can I park near {near}[ for {length}]?",
        "parking {near}[, max {fee} an hour]",
        "We're driving to {near} and there's never a free space. Where do we leave the car[ for {length}]?",
        Ask("I want an indoor car park close to {near}[, at most {fee} per hour].", {"covered": True}),
        "Is there anywhere to put the car around {near}[ that costs less than {fee} an hour]?",
        "somewhere to park by {near} for {length}[, not more than {fee} an hour]",
        Ask("hail is coming, find me parking with a roof near {near}[ for {length}]", {"covered": True}),
        "I have a dentist's appointment at {near}. Any car parks about[? I'll be {length}]",
        "Which garage near {near} has free spaces?",
        "circling {near} for the third time. Help me get rid of this car[ for {length}]!",
    ),
    asks_zh=(
        "{near}附近哪里能停车[，停{length}]？",
        "{near}周边停车场[，每小时不超过{fee}]",
        "开车去{near}，总是没车位，停哪儿好",
        Ask("找个{near}旁边的室内停车场[，停{length}]", {"covered": True}),
        "在{near}办事要{length}，车停哪里",
        "我绕着{near}转了三圈了，哪儿有空车位啊",
        "{near}附近有没有便宜的停车场[，一小时{fee}以内]",
        Ask("要下冰雹了，{near}附近哪有带顶棚的车位", {"covered": True}),
    ),
    outcomes=(
        Outcome(
            fields=(("name", CAR_PARKS), ("free", Integer(3, 220)), ("walk_minutes", Integer(2, 11))),
            texts=("{name}: {free} free, {walk_minutes} min on foot",),
            texts_zh=("{name}，空位{free}个，步行{walk_minutes}分钟",),
            answers=(
                "{name} has {free} free spaces and is {walk_minutes} minutes on foot from {near}.",
                "Try {name}: {free} spaces free.",
                "You can park at {name}, {walk_minutes} min on foot.",
            ),
            answers_zh=(
                "{name}有{free}个空位，离{near}步行{walk_minutes}分钟。",
                "可以停{name}，还有{free}个车位。",
                "{name}步行{walk_minutes}分钟，空位{free}个。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="near",
            asks=("Where can I park for {length}?", "find me parking below {fee} an hour"),
            replies=("Near which place?", "Where do you want to park?"),
            asks_zh=("哪里能停车{length}？", "帮我找个停车场"),
            replies_zh=("请问在哪里附近？", "您要去哪里？"),
        ),
    ),
)

CHARGING = Family(
    key="getting_around.charging",
    names=("charging_stations", "find_ev_charger", "charge_points", "ev_charging_near"),
    about=(
        "Charging points for electric cars near a place.",
        "Finds EV chargers by plug and power.",
        "Where an electric car can be charged.",
    ),
    about_zh=("查找附近的充电桩。", "按接口和功率查找电动车充电站。"),
    params=(
        Param("near", LANDMARKS, ("near", "location", "around"), ("Where to look",), ("地点",)),
        Param("plug", PLUG, ("connector", "plug_type", "plug"), ("Kind of plug",), ("接口类型",)),
        Param(
            "power",
            Integer(50, 350, 50),
            ("min_power_kw", "min_kw", "power"),
            ("Least power in kW",),
            ("最低功率，千瓦",),
            required=False,
        ),
    ),
    asks=(
        "Where can I charge my car near {near}? The plug is {plug}.",
        "{plug} charger near {near}[, at least {power} kW]",
        "My battery is at 9 percent and I'm close to {near}. I need {plug}[ with {power} kW or more].",
        "Find a {plug} charging station around {near}.",
        "is there a {plug} charge point anywhere by {near}[ with a minimum of {power} kW]",
        "We stop for lunch at {near} and would like to plug in meanwhile. It's a {plug} connector.",
        "Need juice for the electric car near {near}, {plug}[, {power} kW minimum]",
        "Fast charging with {plug}, {power} kW at least, close to {near}?",
        "the rental is electric, help. {plug} socket, somewhere around {near}",
        "Any free {plug} posts in the area of {near}[ that give {power} kW or more]?",
    ),
    asks_zh=(
        "{near}附近有{plug}充电桩吗？",
        "车快没电了，在{near}旁边，要{plug}接口的充电站[，至少{power}千瓦]",
        "找{near}周边的{plug}快充[，{power}千瓦以上]",
        "在{near}吃午饭，顺便充个电，接口是{plug}",
        "{plug}接口，{near}附近哪里能充电",
        "租的是电车，{near}那边有没有{plug}的桩？",
        "我开电动车到{near}，{plug}充电口，去哪充[，功率不低于{power}千瓦]",
        "查一下{near}附近{plug}充电站",
    ),
    outcomes=(
        Outcome(
            fields=(("name", CAR_PARKS), ("free", Integer(1, 8)), ("metres", Integer(100, 950, 50))),
            texts=("{name}, {free} free, {metres} m away",),
            texts_zh=("{name}，空闲{free}个，距离{metres}米",),
            answers=(
                "{name} is {metres} metres away and has free points: {free}.",
                "You can charge at {name}, {metres} metres from {near}.",
                "The closest one is {name}, {metres} metres away.",
            ),
            answers_zh=(
                "{name}距{near}{metres}米，有{free}个空闲桩。",
                "可以去{name}充电，{metres}米。",
                "最近的是{name}，离{near}{metres}米。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="plug",
            asks=("Where can I charge my car near {near}?", "charging station at {near}"),
            replies=("Which plug does your car have?", "What kind of connector do you need?"),
            asks_zh=(
                "{near}附近哪里能给车充电？",
                "电车没电了，人在{near}，去哪充？",
            ),
            replies_zh=("请问是什么接口？", "您的车用哪种充电接口？"),
        ),
        Missing(
            key="near",
            asks=("Find me a {plug} charger.", "I need to charge, {plug}, at least {power} kW."),
            replies=("Near which place?", "Where are you?"),
            asks_zh=(
                "找个{plug}的充电桩",
                "我的车是{plug}接口，想找地方充电",
            ),
            replies_zh=("请问在哪里附近？",),
        ),
    ),
)

BIKES = Family(
    key="getting_around.bikes",
    names=("bike_share", "available_bikes", "find_shared_bikes", "city_bikes"),
    about=(
        "Shared bikes that are free near a place.",
        "Free city bikes, by place and number.",
        "Looks for bikes to share; unlocks none.",
    ),
    about_zh=("查询附近可用的共享单车。", "返回某地附近空闲的共享单车，不负责开锁。"),
    params=(
        Param("near", SPOT, ("near", "location", "place"), ("Where to look",), ("地点",)),
        Param(
            "count",
            Integer(2, 6),
            ("bikes", "how_many", "min_bikes"),
            ("How many are needed",),
            ("数量",),
            required=False,
        ),
        Param(
            "electric",
            Flag(),
            ("electric", "ebike_only"),
            ("True for electric ones",),
            ("是否要电助力",),
            required=False,
        ),
    ),
    asks=(
        "Are there any shared bikes near {near}[? We need {count}]",
        "city bikes {near}",
        "I'd rather pedal than wait for the bus. Any bikes to share around {near}?",
        Ask("Find electric bikes near {near}[, {count} of them].", {"electric": True}),
        Ask("it's uphill all the way so I want an e-bike, are there some at {near}", {"electric": True}),
        "We're {count} friends at {near} and want to cycle on. Shared bikes for all of us?",
        "Can I pick up a public bike at {near}?",
        "bikes left at the docking station near {near}[? {count} would be needed]",
        "Look for {count} rental bikes of the city scheme close to {near}.",
        "where's the closest free bike to {near}",
    ),
    asks_zh=(
        "{near}附近有共享单车吗[？要{count}辆]",
        "{near}周围还有几辆单车",
        "不想等公交了，{near}那儿有没有共享单车骑",
        Ask("找{near}附近的共享电单车[，{count}辆]", {"electric": True}),
        Ask("一路上坡，想骑带电的，{near}旁边有吗", {"electric": True}),
        "我们在{near}，需要{count}辆共享单车",
        "{near}最近的空闲单车在哪",
        "{near}那边的单车够不够{count}个人骑",
    ),
    outcomes=(
        Outcome(
            fields=(("free", Integer(7, 24)), ("metres", Integer(50, 600, 50))),
            texts=("{free} bikes, {metres} m away",),
            texts_zh=("{free}辆，距离{metres}米",),
            answers=(
                "There are {free} bikes, {metres} metres from {near}.",
                "{free} bikes are free {metres} metres away.",
                "Yes, {free} of them, {metres} metres away.",
            ),
            answers_zh=(
                "离{near}{metres}米有{free}辆单车。",
                "{metres}米外有{free}辆可用。",
                "有的，{free}辆，距离{metres}米。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="near",
            asks=("Are there {count} shared bikes free?", "Where can I get a city bike?"),
            replies=("Near which place?", "Where are you?"),
            asks_zh=("哪里有共享单车？", "要{count}辆单车，附近有吗？"),
            replies_zh=("请问您在哪里？", "在哪个地方附近？"),
        ),
    ),
)

KEEP_SPOT = Family(
    key="getting_around.keep_spot",
    names=("save_parking_spot", "remember_parking", "note_parked_car", "store_car_location"),
    about=(
        "Remember where the car is parked.",
        "Saves a note about the parking space.",
        "Keeps the place of the car, to be asked for later.",
    ),
    about_zh=("记住停车位置。", "保存车停在哪里，方便以后查。"),
    params=(
        Param(
            "note",
            SPOT_NOTE,
            ("note", "spot", "description"),
            ("Where the car stands, in the user's words",),
            ("停车位置",),
        ),
    ),
    asks=(
        "Remember that I parked on {note}.",
        "the car is at {note}, keep that in mind",
        "I always forget where I leave it: {note} today. Make a note!",
        "Save my parking spot: {note}",
        "parked. {note}. store it please",
        "We left the car here: {note}. Can you remember it for when we come back from the show?",
        "Please note down the car's place, {note}.",
        "Don't let me search for the car again tonight. It stands at {note}.",
        "My parking space is {note}, save it for later",
        "just got out of the car, it's on {note}. hold on to that for me",
    ),
    asks_zh=(
        "记一下，车停在{note}",
        "我的车在{note}，帮我记住",
        "我老忘停哪儿，今天是{note}，存一下",
        "停好车了，{note}，备忘",
        "保存停车位置：{note}",
        "车放在{note}，看完电影提醒我找得到，先记下来",
        "停车位是{note}，别让我忘了",
        "刚停完车，位置{note}，帮忙记录",
    ),
    outcomes=(
        Outcome(
            fields=(("saved", Flag(("yes",), ("是",))),),
            texts=("saved",),
            texts_zh=("已保存",),
            answers=("Noted: your car is at {note}.", "I've saved it: {note}.", "Saved. Your car: {note}."),
            answers_zh=("记住了，车在{note}。", "已保存：{note}。", "好的，停车位置是{note}。"),
        ),
    ),
    missing=(
        Missing(
            key="note",
            asks=("Remember where I parked.", "Save my parking spot, please."),
            replies=("Where did you park?", "Where does the car stand?"),
            asks_zh=(
                "帮我记一下停车位置",
                "我停好车了，记一下位置",
            ),
            replies_zh=("请问车停在哪里？", "停在哪个位置？"),
        ),
    ),
    also=("lists.write_note",),
)

FIND_CAR = Family(
    key="getting_around.find_car",
    names=("where_is_my_car", "recall_parking", "get_saved_spot", "find_parked_car"),
    about=(
        "Where the user parked the car.",
        "Reads back the parking spot that was saved. Takes nothing.",
        "Recalls the place of the parked car.",
    ),
    about_zh=("查询车停在哪里。", "读出之前保存的停车位置，无需参数。"),
    params=(),
    asks=(
        "Where did I park?",
        "where's my car",
        "I'm running around this garage with three bags and can't find the car. Where was it?",
        "Which level did I leave the car on?",
        "What spot did I tell you when I parked?",
        "car location please",
        "Remind me where the car stands.",
        "OK, time to drive home. Where do I have to go to get the car?",
        "I've no idea any more which row we parked in.",
        "Tell me the parking space that I saved.",
    ),
    asks_zh=(
        "我车停哪儿了？",
        "我的车在哪",
        "提着大包小包找不到车，之前停在什么地方来着",
        "我停在几层了？",
        "刚才记的停车位是哪个",
        "要回家了，车停在哪里",
        "把我存的停车位置告诉我",
        "忘了停在哪一排了，帮我看看",
    ),
    outcomes=(
        Outcome(
            fields=(("spot", SPOT_NOTE),),
            texts=("{spot}",),
            texts_zh=("{spot}",),
            answers=("Your car is at {spot}.", "You parked here: {spot}.", "It stands at {spot}."),
            answers_zh=("您的车停在{spot}。", "停车位置是{spot}。", "在{spot}。"),
        ),
    ),
)

VEHICLES = (TAXI, PARKING, CHARGING, BIKES, KEEP_SPOT, FIND_CAR)
