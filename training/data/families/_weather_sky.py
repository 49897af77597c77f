"""Sea, sun, moon and wind: tides, daylight, the moon's phase, gusts and ultraviolet light."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Integer, Word
from training.data.times import Day
from training.data.world import City

COAST = Word(
    (
        *("Brighton", "Cascais", "Bar Harbor", "Whitby", "Bondi Beach", "Saint-Malo", "Half Moon Bay", "Byron Bay"),
        *("Galway Bay", "Cape May", "Mont Saint-Michel", "Newquay", "Tofino", "Biarritz", "Sylt", "Nazaré", "Penzance"),
        *("Santa Cruz", "Muizenberg", "Raglan", "Oban", "Provincetown", "Ericeira", "Husum", "Tenby"),
    ),
    (
        *("青岛第一海水浴场", "三亚湾", "厦门鼓浪屿", "北戴河", "舟山", "大连星海湾", "北海银滩", "平潭岛", "东山岛"),
        *("日照", "惠州双月湾", "阳江海陵岛", "威海", "钱塘江口", "嵊泗", "涠洲岛"),
    ),
)
SUN_EVENT = Choice(
    {
        "sunrise": (("sunrise",), ("日出",)),
        "sunset": (("sunset",), ("日落",)),
        "dawn": (("dawn", "first light"), ("破晓", "天亮")),
        "dusk": (("dusk", "nightfall"), ("黄昏", "天黑")),
    },
)
HIGH_WATER = Word(("06:12", "07:48", "09:05", "10:31", "11:54"))
LOW_WATER = Word(("13:20", "14:47", "15:58", "16:36", "17:41"))

TIDES = Family(
    key="weather.tides",
    names=("tide_table", "get_tides", "tides_at", "high_low_water", "lookup_tide_times"),
    about=(
        "Times of high and low water at a place on the coast.",
        "Tide times for a beach or harbour on a day. Does not give wave height or water temperature.",
        "Returns high tide and low tide for one day.",
    ),
    about_zh=("查询海边某地的潮汐时间。", "返回某一天的满潮和干潮时间，不含浪高和水温。"),
    params=(
        Param("spot", COAST, ("location", "beach", "coast_point", "harbour"), ("Beach or harbour",), ("海滩或港口",)),
        Param("day", Day(0, 20), ("date", "day", "on_date"), ("Day of the tides",), ("日期",)),
    ),
    asks=(
        "When is high tide at {spot} on {day}?",
        "tide times {spot} {day}",
        "We want to go rock pooling at {spot} on {day}. When is the water lowest?",
        "I'm taking the kids to {spot} on {day}, when will there be any beach to play on?",
        "low water at {spot} on {day} pls",
        "{day} I plan to walk out over the sands at {spot}. At what times is it safe, tide-wise?",
        "Could you look up the ebb and flow for {spot} on {day}?",
        "my brother wants to launch his boat at {spot} on {day} so we need to know when the sea is in",
        "What are the tides doing at {spot} on {day}?",
        "Heading to {spot} {day}: when does the water come in, and when does it go out?",
        "Tides please. {spot}, {day}.",
    ),
    asks_zh=(
        "{spot}{day}几点涨潮？",
        "{day}去{spot}赶海，几点退潮合适？",
        "查一下{day}{spot}的潮汐时间",
        "我想{day}带孩子到{spot}挖蛤蜊，什么时候水位最低",
        "{spot}，{day}的潮汐表",
        "{day}在{spot}出海，满潮是几点呀？",
        "麻烦看看{spot}{day}什么时候潮水会上来",
        "听说{spot}退潮能走到对面小岛，{day}几点能走？",
    ),
    outcomes=(
        Outcome(
            fields=(("high", HIGH_WATER), ("low", LOW_WATER)),
            texts=("High water {high}, low water {low}", "high {high} / low {low}"),
            texts_zh=("满潮{high}，干潮{low}",),
            answers=(
                "At {spot} high tide is at {high} and low tide at {low}.",
                "High water is at {high}, low water at {low}.",
                "The water is lowest at {low}; high tide is at {high}.",
            ),
            answers_zh=(
                "{spot}满潮是{high}，退到最低是{low}。",
                "涨潮最高在{high}，退潮最低在{low}。",
                "{high}满潮，{low}干潮。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="spot",
            asks=(
                "When is low tide on {day}?",
                "tide times please, {day}",
                "We go crabbing on {day}, when is the sea out?",
            ),
            replies=("Which beach or harbour do you mean?", "At which place on the coast?"),
            asks_zh=("{day}几点退潮？", "帮我查{day}的潮汐"),
            replies_zh=("请问是哪个海边？", "您想查哪里的潮汐？"),
        ),
        Missing(
            key="day",
            asks=("When is high tide at {spot}?", "I need the tides at {spot}."),
            replies=("For which day do you need the tides?", "On which day?"),
            asks_zh=("{spot}什么时候涨潮？", "我要去{spot}赶海，看下潮汐"),
            replies_zh=("请问是哪一天？", "您打算哪天去？"),
        ),
    ),
    errors=("no tide station near this place", "unknown location"),
)

SUN = Family(
    key="weather.sun",
    names=("sun_times", "sunrise_sunset", "daylight_lookup", "get_sun_event", "solar_clock"),
    about=(
        "When the sun rises or sets in a city.",
        "Time of sunrise, sunset, dawn or dusk.",
        "Looks up the light of a day in a place, by the event asked for. Not for the moon.",
    ),
    about_zh=("查询某城市的日出、日落时间。", "返回某地某天太阳升落或天亮天黑的时间，不含月亮。"),
    params=(
        Param("city", City(), ("city", "place", "location"), ("Where",), ("城市",)),
        Param("event", SUN_EVENT, ("event", "sun_event", "type"), ("Which event of the sun",), ("哪种时刻",)),
        Param("day", Day(0, 60), ("date", "day"), ("Today if left out",), ("不填则为今天",), required=False),
    ),
    asks=(
        "When is {event} in {city}[ on {day}]?",
        "{event} time {city}[ {day}]",
        "I'd like to photograph the harbour at {event} in {city}[ on {day}]. When should I be there?",
        Ask("when does the sun come up in {city}[ on {day}]", {"event": "sunrise"}),
        Ask("What time does the sun go down in {city}[ on {day}]?", {"event": "sunset"}),
        Ask(
            "I want to propose while the sun sinks into the sea in {city}[ on {day}], what time is that?",
            {"event": "sunset"},
        ),
        Ask("How early would I have to get up in {city}[ on {day}] to see the sun rise?", {"event": "sunrise"}),
        "My flight lands in {city} on {day}. Exactly when is {event} there that day?",
        "tell me what time {event} is over in {city}[, {day}]",
        "Curious: {event} in {city}[ on {day}], at what time?",
        Ask("until when is the sun still above the horizon in {city}[ on {day}]?", {"event": "sunset"}),
    ),
    asks_zh=(
        "{city}[{day}]几点{event}？",
        "[{day}]{city}的{event}时间",
        "想[{day}]在{city}拍照，{event}是几点？",
        Ask("{city}[{day}]太阳几点下山", {"event": "sunset"}),
        Ask("[{day}]在{city}想看太阳升起来，要几点起床？", {"event": "sunrise"}),
        "帮我查查{city}[{day}]{event}是什么时候",
        "我[{day}]要在{city}跑步，{event}是几点呀？",
        Ask("{city}[{day}]的太阳大概几点出来？", {"event": "sunrise"}),
    ),
    outcomes=(
        Outcome(
            fields=(
                ("dawn", Word(("04:48", "05:31", "06:02"))),
                ("sunrise", Word(("06:18", "06:54", "07:26"))),
                ("sunset", Word(("17:52", "18:09", "19:37"))),
                ("dusk", Word(("20:04", "20:31", "21:03"))),
            ),
            texts=("dawn {dawn}, sunrise {sunrise}, sunset {sunset}, dusk {dusk}",),
            texts_zh=("天亮{dawn}，日出{sunrise}，日落{sunset}，天黑{dusk}",),
            answers=(
                "In {city} the sun rises at {sunrise} and sets at {sunset}. Dawn is at {dawn}, dusk at {dusk}.",
                "Dawn {dawn}, sunrise {sunrise}, sunset {sunset}, dusk {dusk}.",
                "It is light from {dawn} to {dusk}; the sun rises at {sunrise} and sets at {sunset}.",
            ),
            answers_zh=(
                "{city}{sunrise}日出，{sunset}日落；{dawn}天亮，{dusk}天黑。",
                "天亮{dawn}，日出{sunrise}，日落{sunset}，天黑{dusk}。",
                "日出是{sunrise}，日落是{sunset}，{dawn}开始天亮，{dusk}天黑。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("When is {event} on {day}?", "what time is {event}"),
            replies=("In which city?", "For which place do you want to know the time of {event}?"),
            asks_zh=("{day}几点{event}？", "查一下{event}时间"),
            replies_zh=("请问是哪个城市？", "您在哪座城市？"),
        ),
    ),
    errors=("place not found", "the sun does not set there on that day"),
)

MOON = Family(
    key="weather.moon",
    names=("moon_phase", "lunar_phase", "get_moon", "moon_on_date"),
    about=("Phase of the moon on a day.", "Tells how full the moon is.", "Moon phase and illumination for a date."),
    about_zh=("查询某天的月相。", "返回当天月亮的圆缺和亮度。"),
    params=(Param("day", Day(0, 90), ("date", "night", "day"), ("The night in question",), ("日期",)),),
    asks=(
        "How full is the moon on {day}?",
        "moon phase {day}",
        "We're camping on {day}, will there be moonlight?",
        "Is the moon going to be bright on {day}? I want to watch meteors.",
        "what will the moon look like on {day}",
        "On {day} I do a night hike and wonder if I can leave the torch at home. How much moon is there?",
        "Waxing or waning on {day}?",
        "Can you tell me the lunar phase on {day}, please?",
        "My gran plants her beans by the moon. What's it at on {day}?",
        "{day} - moon nearly full or more like a sliver?",
        "I can't sleep when the moon shines in. What am I in for on {day}?",
        "my werewolf costume party is on {day}, will the moon fit the theme",
    ),
    asks_zh=(
        "{day}月亮圆不圆？",
        "{day}是什么月相",
        "{day}晚上露营，会有月光吗？",
        "想{day}拍星空，月亮会不会太亮",
        "查一下{day}的月相",
        "{day}是满月吗？",
        "{day}夜里爬山，月亮够亮吗？",
        "帮我看看{day}是上弦月还是下弦月",
        "{day}钓夜鱼，想知道月光够不够",
        "月亮太亮我睡不着，{day}是圆的吗",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("phase", Word(("waxing gibbous", "waning gibbous"), ("盈凸月", "亏凸月"))),
                ("lit_percent", Integer(60, 97)),
            ),
            texts=("{phase}, {lit_percent}% lit",),
            texts_zh=("{phase}，亮度{lit_percent}%",),
            answers=(
                "The moon is a {phase} then, {lit_percent} % lit.",
                "Quite full: it is a {phase} with {lit_percent} % of it lit.",
            ),
            answers_zh=("那天是{phase}，亮度{lit_percent}%，比较亮。", "月相是{phase}，被照亮{lit_percent}%。"),
        ),
        Outcome(
            fields=(
                ("phase", Word(("waxing crescent", "waning crescent"), ("娥眉月", "残月"))),
                ("lit_percent", Integer(3, 35)),
            ),
            texts=("{phase}, {lit_percent}% lit",),
            texts_zh=("{phase}，亮度{lit_percent}%",),
            answers=(
                "It will only be a {phase}, {lit_percent} % lit.",
                "There is just a {phase}: {lit_percent} % of it is lit.",
            ),
            answers_zh=("那天是{phase}，亮度只有{lit_percent}%。", "月相是{phase}，亮度{lit_percent}%，不太亮。"),
        ),
    ),
    missing=(
        Missing(
            key="day",
            asks=("How full will the moon be?", "We go stargazing soon, will the moon be bright?"),
            replies=("On which night?", "Which date do you mean?"),
            asks_zh=("帮我查一下月相", "去露营那天月亮亮不亮？"),
            replies_zh=("请问是哪一天？", "您想查哪天的月相？"),
        ),
    ),
)

SPEED_UNIT = Choice(
    {
        "kmh": (("km/h", "kilometres per hour"), ("公里每小时", "千米每小时")),
        "mph": (("mph", "miles per hour"), ("英里每小时",)),
        "knots": (("knots",), ("节",)),
        "ms": (("m/s", "metres per second"), ("米每秒",)),
    },
    ({"kmh": "km/h", "mph": "mph", "knots": "kn", "ms": "m/s"},),
)

WIND = Family(
    key="weather.wind",
    names=("wind_report", "wind_speed", "get_wind", "gust_forecast", "wind_at"),
    about=(
        "Wind speed and direction in a city.",
        "How strong the wind blows, now or on a day, in the unit asked for.",
        "Wind and gusts only.",
    ),
    about_zh=("查询城市的风速和风向。", "返回风力，可选日期和单位。"),
    params=(
        Param("city", City(), ("city", "location", "place"), ("City",), ("城市",)),
        Param("day", Day(1, 6), ("date", "day"), ("Leave out for now",), ("不填表示当前",), required=False),
        Param("unit", SPEED_UNIT, ("unit", "speed_unit"), (), ("风速单位",), required=False),
    ),
    asks=(
        "How windy is it in {city}[, in {unit}]?",
        "wind {city}[ {day}][ in {unit}]",
        "Can I fly my kite in {city} on {day} or will there be no breeze?",
        "Is it blowing hard in {city}?",
        "We want to sail off {city} on {day}. Wind speed[ in {unit}]?",
        "what direction does the wind come from in {city}[ on {day}]",
        "I'm cycling through {city} on {day} and hate headwinds. How strong will it blow?",
        "My gazebo in {city} is not nailed down, any gusts[ on {day}]?",
        "Wind strength for {city}[ on {day}], {unit} if you can.",
        "is {city} stormy enough for windsurfing on {day}[? {unit} please]",
        "drone flight planned in {city}[ {day}], too breezy?",
    ),
    asks_zh=(
        "{city}[{day}]风大吗？",
        "{city}[{day}]风速多少[，用{unit}表示]",
        "{day}想在{city}放风筝，有风吗",
        "[{day}]{city}刮什么风？",
        "{day}从{city}出海，风力多大[，单位用{unit}]？",
        "在{city}飞无人机，[{day}]风会不会太大",
        "骑车穿过{city}，[{day}]逆风厉害吗",
        "{city}阳台的花盆要不要收，[{day}]有没有大风",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("speed", Integer(4, 70)),
                (
                    "direction",
                    Word(("north", "south-west", "east", "north-west"), ("北风", "西南风", "东风", "西北风")),
                ),
            ),
            texts=("{speed} from the {direction}",),
            texts_zh=("{direction}，风速{speed}",),
            answers=(
                "The wind in {city} comes from the {direction} at {speed}.",
                "Wind from the {direction}, speed {speed}.",
                "It blows from the {direction} with a speed of {speed}.",
            ),
            answers_zh=(
                "{city}刮{direction}，风速{speed}。",
                "{direction}，风速{speed}。",
                "风向是{direction}，速度{speed}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("How windy is it?", "Can I fly a kite on {day}?", "wind speed in {unit} please"),
            replies=("In which city?", "Where do you want to know the wind?"),
            asks_zh=("{day}风大吗？", "现在刮什么风？"),
            replies_zh=("请问是哪个城市？", "您想查哪里的风？"),
        ),
    ),
    also=("weather.now", "weather.one_day"),
)

UV = Family(
    key="weather.uv",
    names=("uv_index", "sunburn_risk", "get_uv", "uv_forecast"),
    about=(
        "Ultraviolet index of a city on a day.",
        "How fast the sun burns the skin.",
        "UV index, for sun protection.",
    ),
    about_zh=("查询城市的紫外线指数。", "返回某天的紫外线强度，用于防晒。"),
    params=(
        Param("city", City(), ("city", "location"), ("City",), ("城市",)),
        Param("day", Day(0, 5), ("date", "day"), ("Day",), ("日期",)),
    ),
    asks=(
        "What's the UV index in {city} on {day}?",
        "Do I need sunscreen in {city} on {day}?",
        "will I burn in {city} on {day}? I'm very pale",
        "uv {city} {day}",
        "My toddler will be on the playground in {city} on {day}. Is a sun hat a must?",
        "How strong is the sun's radiation in {city} on {day}?",
        "we're at an open-air pool in {city} on {day}, factor 20 or factor 50?",
        "I got badly sunburnt last year. How risky is {city} on {day}?",
        "On {day} I lay tiles on a roof in {city}. Should I cover my arms against the sun?",
        "Check the ultraviolet level for {city} on {day}.",
        "Baby's first outing in {city} is on {day}: sun cream, yes or no?",
        "i'm lying on a rooftop in {city} {day}, how fast do I turn into a lobster",
    ),
    asks_zh=(
        "{city}{day}紫外线强吗？",
        "{day}在{city}要涂防晒吗",
        "{day}{city}的紫外线指数是多少",
        "我皮肤白，{day}在{city}会不会晒伤？",
        "孩子{day}在{city}户外玩，需要戴遮阳帽吗",
        "{day}去{city}露天泳池，防晒霜用多少倍的？",
        "查{city}{day}紫外线",
        "{day}{city}太阳毒不毒，怕晒黑",
        "{day}在{city}骑行一整天，需不需要防晒衣",
        "人在{city}，{day}撑不撑遮阳伞？",
    ),
    outcomes=(
        Outcome(
            fields=(("uv", Integer(6, 11)), ("risk", Word(("high", "very high"), ("强", "很强")))),
            texts=("UV {uv}, {risk}",),
            texts_zh=("紫外线指数{uv}，{risk}",),
            answers=(
                "The UV index in {city} is {uv}, which is {risk}: protect your skin.",
                "It is {risk}, index {uv}. Use sunscreen.",
                "With an index of {uv} the risk is {risk}.",
            ),
            answers_zh=(
                "{city}紫外线指数{uv}，{risk}，注意防晒。",
                "指数{uv}，紫外线{risk}，要涂防晒霜。",
                "{city}的紫外线{risk}，指数{uv}。",
            ),
        ),
        Outcome(
            fields=(("uv", Integer(1, 2)), ("risk", Word(("low",), ("弱",)))),
            texts=("UV {uv}, {risk}",),
            texts_zh=("紫外线指数{uv}，{risk}",),
            answers=(
                "The UV index is {uv} in {city}, so the risk is {risk}.",
                "The risk is {risk}: index {uv}.",
                "Only {uv}, so the danger is {risk}.",
            ),
            answers_zh=(
                "{city}紫外线指数{uv}，比较{risk}。",
                "指数{uv}，紫外线{risk}。",
                "紫外线比较{risk}，指数只有{uv}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("Do I need sunscreen on {day}?", "what's the uv index {day}"),
            replies=("In which city will you be?", "Which city is it?"),
            asks_zh=("{day}紫外线强吗？", "{day}要不要涂防晒？"),
            replies_zh=("请问是哪个城市？",),
        ),
        Missing(
            key="day",
            asks=("I'll be outdoors in {city}, will I get sunburnt?", "UV index for my trip to {city}?"),
            replies=("On which day?", "Which day are you there?"),
            asks_zh=(
                "去{city}玩要涂防晒吗？",
                "在{city}户外活动会晒伤吗",
            ),
            replies_zh=("请问是哪天？",),
        ),
    ),
)

SKY = (TIDES, SUN, MOON, WIND, UV)
