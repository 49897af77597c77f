"""Getting around: ways and how long they take, traffic, stops, taxis, parking and charging."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, ListOf, Word
from training.data.times import Clock
from training.data.world import City

from ._places import ROADS, SPOT, apart
from ._vehicles import VEHICLES

MODE = Choice(
    {
        "driving": (("by car",), ("开车", "自驾")),
        "walking": (("on foot",), ("走路", "步行")),
        "cycling": (("by bike", "by bicycle"), ("骑车", "骑自行车")),
        "transit": (("by public transport",), ("坐公共交通", "坐公交")),
    },
    (
        {"driving": "car", "walking": "foot", "cycling": "bike", "transit": "public_transport"},
        {"driving": "DRIVE", "walking": "WALK", "cycling": "BICYCLE", "transit": "TRANSIT"},
    ),
)
AVOID = Choice(
    {
        "tolls": (("toll roads", "tolls"), ("收费路段",)),
        "highways": (("motorways", "highways"), ("高速",)),
        "ferries": (("ferries",), ("轮渡",)),
    },
)
LENGTH_UNIT = Choice(
    {"km": (("kilometres", "km"), ("公里", "千米")), "miles": (("miles",), ("英里",))},
    ({"km": "metric", "miles": "imperial"}, {"km": "kilometers", "miles": "mi"}),
)
STOPS = Word(
    (
        *("Main Street", "Central Station", "Hauptbahnhof", "Market Square", "Oxford Circus", "Pine Avenue"),
        *(
            "University",
            "Harbour",
            "St. Stephen's",
            "Town Hall",
            "Bellevue",
            "Museum Quarter",
            "Zoo Gate",
            "Ferry Pier",
        ),
        *("Lime Street", "Karlsplatz", "Union Station", "Riverside", "East Gate", "Hospital North", "Kings Cross"),
        *("Depot Road", "Rosengarten", "Plaza Mayor", "Mill Bridge"),
    ),
    (
        *(
            "人民广场站",
            "西单站",
            "体育西路站",
            "五道口站",
            "春熙路站",
            "钟楼站",
            "火车站南广场",
            "中山北路口",
            "大学城站",
        ),
        *("国贸站", "徐家汇站", "江汉路站", "市民中心站", "龙翔桥站", "火车东站", "新街口站"),
    ),
)
LINES = Word(
    ("7", "U4", "S3", "42", "N19", "38A", "M2", "100", "C1", "15", "X9", "red", "T5", "611", "B"),
    ("2号线", "10号线", "43路", "快速公交1号线", "302路", "7路", "机场线", "夜22路", "5号线", "103路"),
)

ROUTE = Family(
    key="getting_around.route",
    names=("plan_route", "get_directions", "route_between", "navigate", "travel_time", "directions_to"),
    about=(
        "The way from one place to another and how long it takes.",
        "Plans a route by car, on foot, by bike or by public transport.",
        "Directions between two points. For more than two use another tool.",
    ),
    about_zh=("规划两地之间的路线。", "给出驾车、步行、骑行或公交的路线和用时，只限两点之间。"),
    params=(
        Param("start", SPOT, ("origin", "start", "from_place"), ("Where to start",), ("起点",)),
        Param("end", SPOT, ("destination", "end", "to_place"), ("Where to go",), ("终点",)),
        Param("mode", MODE, ("mode", "travel_mode", "by"), ("How to travel",), ("出行方式",), required=False),
        Param(
            "avoid",
            ListOf(AVOID, 1, 2),
            ("avoid", "avoid_features"),
            ("What to keep away from",),
            ("需要避开的",),
            required=False,
        ),
        Param(
            "leave", Clock(6, 21), ("departure_time", "leave_at"), ("When to set off",), ("出发时间",), required=False
        ),
    ),
    asks=(
        "How do I get from {start} to {end}[ {mode}]?",
        "{start} to {end}[ {mode}], how long",
        "What's the best way from {start} to {end}[ if I leave at {leave}]?",
        "directions from {start} to {end}[ {mode}]",
        "I have an interview near {end} and I'm coming from {start}. How long will I need {mode}?",
        "I'm at {start}, lost as usual. Get me to {end}[ {mode}].",
        Ask("How long is the walk from {start} to {end}?", {"mode": "walking"}),
        Ask("Can you find me a drive from {start} to {end}[ without {avoid}]?", {"mode": "driving"}),
        Ask("is it far to cycle from {start} to {end}[, setting off at {leave}]", {"mode": "cycling"}),
        "We must be at {end} and start from {start}[ at {leave}]. Which way should we take {mode}?",
        Ask("navigate by car to {end}, starting at {start}[, no {avoid} please]", {"mode": "driving"}),
        "If I set out from {start} at {leave}, when am I at {end}[ {mode}]?",
    ),
    asks_zh=(
        "从{start}到{end}怎么走？",
        "{start}到{end}{mode}要多久",
        "我在{start}，迷路了，{mode}去{end}怎么走",
        Ask("开车导航去{end}，从{start}出发[，避开{avoid}]", {"mode": "driving"}),
        "{leave}从{start}出发，多久能到{end}",
        Ask("从{start}走着去{end}远不远？", {"mode": "walking"}),
        Ask("从{start}开车去{end}[，不走{avoid}]，怎么走最快", {"mode": "driving"}),
        "要去{end}面试，从{start}过去{mode}大概多长时间[？我{leave}走]",
        "帮我规划{start}到{end}的路线[，{mode}]",
        "{end}在哪个方向，我从{start}{mode}过去",
    ),
    outcomes=(
        Outcome(
            fields=(("minutes", Integer(8, 95)), ("km", Word(("2.4", "5.1", "7.8", "12.6", "18.3")))),
            texts=("{minutes} min, {km} km",),
            texts_zh=("{minutes}分钟，{km}公里",),
            answers=(
                "From {start} to {end} it is {km} km and takes {minutes} minutes.",
                "You need {minutes} minutes for the {km} km.",
                "It takes {minutes} minutes to get to {end}, {km} km in all.",
            ),
            answers_zh=(
                "从{start}到{end}{km}公里，需要{minutes}分钟。",
                "全程{km}公里，大约{minutes}分钟。",
                "到{end}要{minutes}分钟，{km}公里。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="start",
            asks=("How do I get to {end}?", "directions to {end} {mode} please"),
            replies=("Where are you starting from?", "What is your starting point?"),
            asks_zh=("去{end}怎么走？", "{mode}到{end}要多久"),
            replies_zh=("请问从哪里出发？", "您的起点是哪里？"),
        ),
        Missing(
            key="end",
            asks=("Plan a route from {start} {mode}.", "I'm leaving {start} now, which way should I go?"),
            replies=("Where do you want to go?", "What is the destination?"),
            asks_zh=(
                "我从{start}出发，帮我规划路线",
                "人在{start}，{mode}走哪条路",
            ),
            replies_zh=("请问要去哪里？", "终点是哪里？"),
        ),
    ),
    errors=("no route found", "place not found"),
    fits=apart("start", "end"),
)

ROUND = Family(
    key="getting_around.many_stops",
    names=("plan_stops", "optimize_stops", "multi_stop_route", "errand_route", "best_order"),
    about=(
        "The best order for visiting several places.",
        "Plans one tour over many stops. Not for a simple way from A to B.",
        "Sorts stops into the shortest tour.",
    ),
    about_zh=("规划经过多个地点的最佳顺序。", "多站路线规划，不用于两点之间。"),
    params=(
        Param("stops", ListOf(SPOT, 3, 5), ("stops", "places", "waypoints"), ("Places to visit",), ("要去的地点",)),
        Param(
            "home",
            Flag(),
            ("return_to_start", "round_trip"),
            ("True to come back in the end",),
            ("是否回到起点",),
            required=False,
        ),
    ),
    asks=(
        "In which order should I visit {stops}?",
        "best tour for {stops}",
        "I have errands at {stops} today. What order saves the most time?",
        Ask("Plan a round trip over {stops}, ending where I began.", {"home": True}),
        "parcels to deliver: {stops}. sort them for me",
        Ask("I must drop in at {stops} and be back where I started. How do I do it cleverly?", {"home": True}),
        "Work out the shortest tour through {stops}.",
        "The kids have to be fetched from {stops}. Which one first?",
        "we want to see {stops} in one day, how do we string them together?",
        Ask("One way only, no coming back: {stops}. Sort the stops for me.", {"home": False}),
    ),
    asks_zh=(
        "{stops}，按什么顺序去最省时间？",
        "我今天要跑{stops}，帮我排个最短路线",
        Ask("要去{stops}，最后回到出发点，怎么走最快", {"home": True}),
        "送快递：{stops}，排下顺序",
        "一天逛完{stops}，先去哪个后去哪个？",
        Ask("转一圈{stops}再回到起点，给我排个路线", {"home": True}),
        "接孩子要跑{stops}几个地方，怎么安排",
        "把{stops}串成一条最短的路线",
    ),
    outcomes=(
        Outcome(
            fields=(("minutes", Integer(35, 180, 5)), ("first", SPOT)),
            texts=("{minutes} minutes in total, begin with {first}",),
            texts_zh=("共{minutes}分钟，先去{first}",),
            answers=(
                "Begin with {first}; the whole tour takes {minutes} minutes.",
                "It takes {minutes} minutes if you start at {first}.",
                "Go to {first} first. You need {minutes} minutes for everything.",
            ),
            answers_zh=(
                "先去{first}，全程{minutes}分钟。",
                "从{first}开始，一共{minutes}分钟。",
                "第一站去{first}，总共{minutes}分钟。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="stops",
            asks=("Plan a tour for my errands.", "In which order should I do my deliveries?"),
            replies=("Which places do you have to visit?", "What are the stops?"),
            asks_zh=(
                "帮我排一下今天跑腿的路线",
                "今天好几个地方要去，怎么安排顺序",
            ),
            replies_zh=("请问要去哪些地方？", "有哪几个地点？"),
        ),
    ),
)

TRAFFIC = Family(
    key="getting_around.traffic",
    names=("traffic_on_road", "check_traffic", "road_conditions", "jam_report"),
    about=(
        "Traffic on a road right now.",
        "Jams, accidents and delays on one road.",
        "Says how busy a road is; plans no route.",
    ),
    about_zh=("查询某条道路的路况。", "返回道路拥堵和延误情况，不规划路线。"),
    params=(Param("road", ROADS, ("road", "road_name", "street"), ("Name of the road",), ("道路名称",)),),
    asks=(
        "How's the traffic on {road}?",
        "traffic {road}",
        "Is {road} jammed again?",
        "we've been standing still on {road} for ages, what happened?",
        "Any accidents on {road} this morning?",
        "I usually take {road} to work. Is it moving?",
        "should I stay off {road} just now",
        "My husband is late, he drives along {road}. Is there a hold-up?",
        "Check {road} for delays, please.",
        "what's the situation on {road}, all clear?",
    ),
    asks_zh=(
        "{road}现在堵吗？",
        "{road}路况怎么样",
        "{road}又堵死了吗",
        "我卡在{road}半天不动，前面出什么事了？",
        "今早{road}有事故没有",
        "上班要走{road}，现在通不通畅",
        "查下{road}的拥堵情况",
        "老公开车走{road}还没回来，是不是堵车了",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("delay_minutes", Integer(10, 75, 5)),
                ("cause", Word(("an accident", "roadworks", "a broken-down lorry"), ("事故", "施工", "货车抛锚"))),
            ),
            texts=("delay of {delay_minutes} minutes: {cause}",),
            texts_zh=("延误{delay_minutes}分钟，原因：{cause}",),
            answers=(
                "There is a delay of {delay_minutes} minutes because of {cause}.",
                "Expect {delay_minutes} minutes more: {cause}.",
                "It is slow because of {cause}, {delay_minutes} minutes extra.",
            ),
            answers_zh=(
                "{road}因{cause}延误{delay_minutes}分钟。",
                "有{cause}，要多花{delay_minutes}分钟。",
                "前方{cause}，预计延误{delay_minutes}分钟。",
            ),
        ),
        Outcome(
            fields=(("delay_minutes", Integer(0, 0)),),
            texts=("no delays",),
            texts_zh=("畅通",),
            answers=("Traffic is flowing, there is no delay.", "All clear, no delays.", "It is moving freely."),
            answers_zh=("{road}畅通，没有延误。", "路况良好，没有延误。", "现在不堵。"),
        ),
    ),
    missing=(
        Missing(
            key="road",
            asks=("How's the traffic?", "Is there a jam on my way?"),
            replies=("On which road?", "Which road do you mean?"),
            asks_zh=("现在堵车吗？", "路况怎么样？"),
            replies_zh=("请问是哪条路？", "您要走哪条路？"),
        ),
    ),
)

DISTANCE = Family(
    key="getting_around.distance",
    names=("distance_between", "city_distance", "how_far", "measure_distance"),
    about=(
        "Distance between two cities.",
        "How far two cities are apart, as the crow flies.",
        "Only the distance, no directions.",
    ),
    about_zh=("查询两座城市之间的距离。", "返回两地直线距离，不含路线。"),
    params=(
        Param("first", City(0.25), ("city_a", "from_city", "point_a"), ("One city",), ("城市一",)),
        Param("second", City(0.25), ("city_b", "to_city", "point_b"), ("The other city",), ("城市二",)),
        Param("unit", LENGTH_UNIT, ("unit", "units"), (), ("单位",), required=False),
    ),
    asks=(
        "How far is it from {first} to {second}[ in {unit}]?",
        "distance {first} to {second}[ in {unit}]",
        "How many {unit} are there from {first} to {second}?",
        "My pen pal lives in {second} and I'm in {first}, how far apart are we?",
        "from {first} to {second}, roughly how far would a bird fly[, in {unit}]",
        "Starting in {first}, what would the distance to {second} be[ ({unit})]?",
        "for a quiz: number of {unit} from {first} to {second}",
        "I moved from {first} to {second}. How big is the distance[ in {unit}]?",
        "{first} - {second}, how far?",
        "Is {first} really that far away from {second}? Give me the figure[ in {unit}].",
    ),
    asks_zh=(
        "{first}离{second}有多远？",
        "从{first}到{second}多少{unit}",
        "{first}距离{second}多远[，用{unit}]",
        "我在{first}，笔友在{second}，我们隔多远？",
        "{first}到{second}的直线距离[，单位{unit}]",
        "查一下从{first}到{second}的距离",
        "我从{first}搬到了{second}，这两地距离是多少[{unit}]",
        "知识竞赛问：{first}距{second}多少{unit}？",
    ),
    outcomes=(
        Outcome(
            fields=(("distance", Integer(120, 9800)),),
            texts=("{distance}",),
            texts_zh=("{distance}",),
            answers=(
                "The distance from {first} to {second} is {distance}.",
                "They are {distance} apart.",
                "It is {distance} to {second}.",
            ),
            answers_zh=(
                "{first}到{second}的距离是{distance}。",
                "两地相距{distance}。",
                "{first}与{second}相隔{distance}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="second",
            asks=("How far is it from {first}?", "I live in {first}. How many {unit} away is it?"),
            replies=("How far to which city?", "To which city?"),
            asks_zh=(
                "从{first}出发有多远？",
                "我在{first}，离那边多少{unit}？",
            ),
            replies_zh=(
                "请问到哪座城市？",
                "目的地是哪个城市？",
            ),
        ),
        Missing(
            key="first",
            asks=("How far is it to {second}?", "How many {unit} to {second}?"),
            replies=("From which city?", "Where do you measure from?"),
            asks_zh=("到{second}有多少{unit}？", "{second}远不远？"),
            replies_zh=(
                "请问从哪座城市算起？",
                "从哪里出发？",
            ),
        ),
    ),
    also=("getting_around.route",),
    fits=apart("first", "second"),
)

DEPARTURES = Family(
    key="getting_around.departures",
    names=("next_departures", "stop_timetable", "departure_board", "when_is_the_next_bus"),
    about=(
        "The next buses, trams and undergrounds from a stop.",
        "Departure board of a stop, for all lines or one of them.",
        "Live departures of local transport.",
    ),
    about_zh=("查询站点的下一班公交或地铁。", "某站的实时发车信息，可指定线路。"),
    params=(
        Param("stop", STOPS, ("stop", "station", "stop_name"), ("Name of the stop",), ("站名",)),
        Param("line", LINES, ("line", "route", "service"), ("Only this line",), ("线路",), required=False),
        Param(
            "count",
            Integer(2, 10),
            ("limit", "max_results", "count"),
            ("How many to list",),
            ("返回条数",),
            required=False,
        ),
    ),
    asks=(
        "When does the next one leave from {stop}?",
        "departures {stop}[, line {line}]",
        "What's leaving from {stop}[ on line {line}] soon?",
        "I'm standing at {stop} in the rain, how long until something comes[ on line {line}]?",
        "Show me the next {count} departures from {stop}.",
        "have I missed line {line} at {stop}",
        "Does line {line} still run from {stop} now?",
        "my tram stop is {stop}. Next ones please[, the next {count}]",
        "How many minutes until line {line} gets to {stop}?",
        "Look at the board at {stop}[ for line {line}] and tell me what's next[, {count} of them].",
    ),
    asks_zh=(
        "{stop}下一班车什么时候到？",
        "{stop}的{line}还有多久来",
        "我在{stop}等车，[{line}]几分钟后到？",
        "列出{stop}接下来{count}班车",
        "{line}在{stop}是不是已经开走了",
        "查{stop}[{line}]的到站信息",
        "下着雨呢，{stop}还要等多久才有车[，我坐{line}]",
        "{stop}现在还有{line}吗？",
    ),
    outcomes=(
        Outcome(
            fields=(("minutes", Integer(1, 19)), ("towards", STOPS)),
            texts=("in {minutes} min, towards {towards}",),
            texts_zh=("{minutes}分钟后，开往{towards}",),
            answers=(
                "The next one leaves {stop} in {minutes} min, towards {towards}.",
                "In {minutes} min, in the direction of {towards}.",
                "You have {minutes} min: the next one goes to {towards}.",
            ),
            answers_zh=(
                "{stop}下一班{minutes}分钟后到，开往{towards}。",
                "还有{minutes}分钟，方向{towards}。",
                "下一班开往{towards}，{minutes}分钟后进站。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="stop",
            asks=("When does line {line} come?", "When is the next bus?"),
            replies=("At which stop?", "Which stop are you at?"),
            asks_zh=("{line}什么时候来？", "下一班公交几点？"),
            replies_zh=("请问在哪一站？", "您在哪个站等车？"),
        ),
    ),
)

DOMAIN = Domain(
    "getting_around",
    (ROUTE, ROUND, TRAFFIC, DISTANCE, DEPARTURES, *VEHICLES),
    unserved=(
        ("Pay my speeding ticket.", "帮我交一下超速罚单。"),
        ("Renew the monthly bus pass.", "给我的公交月卡续费。"),
        ("Find the cheapest petrol near me.", "找附近最便宜的加油站。"),
        ("Book a garage to change my tyres.", "约个修车店换轮胎。"),
        ("Call a tow truck, my car won't start.", "车打不着火了，叫辆拖车。"),
        ("I left my umbrella on the tram. Report it as lost.", "伞落在电车上了，帮我报失。"),
        ("Sell my old bicycle online.", "把我的旧自行车挂网上卖了。"),
        ("Book a driving lesson for my daughter.", "给我女儿约一节驾驶课。"),
        ("How many points do I have on my driving licence?", "我的驾照还剩多少分？"),
        ("Rent me a scooter for an hour.", "租一小时电动滑板车。"),
        ("Top up my metro card.", "给地铁卡充值。"),
        ("Insure my new motorbike.", "给我的新摩托车上保险。"),
        ("Check the tyre pressure of my car.", "看看我车的胎压多少。"),
        ("Complain to the bus company about the rude driver.", "向公交公司投诉那个态度差的司机。"),
        ("When is my car due for its inspection?", "我的车什么时候年检？"),
        ("Share my live location with Marco.", "把我的实时位置分享给小王。"),
        ("Unlock the car from here.", "远程帮我把车门打开。"),
    ),
)
