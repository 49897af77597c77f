"""Weather and nature: what it is like outside now, what it will be like, and the warnings."""

from training.data.family import Domain, Family, Missing, Outcome, Param, PartOf
from training.data.kinds import Choice, Integer, Word
from training.data.times import Clock, Day, Duration, Period
from training.data.world import City

from ._weather_hazards import HAZARDS
from ._weather_sky import SKY

SCALE = Choice(
    {
        "celsius": (("Celsius", "degrees Celsius", "°C"), ("摄氏度",)),
        "fahrenheit": (("Fahrenheit", "degrees Fahrenheit", "°F"), ("华氏度",)),
    },
    ({"celsius": "metric", "fahrenheit": "imperial"}, {"celsius": "C", "fahrenheit": "F"}),
)
SKY_NOW = Word(
    ("sunny", "cloudy", "foggy", "overcast", "partly cloudy", "raining lightly"),
    ("晴", "多云", "有雾", "阴", "晴间多云", "小雨"),
)
SKY_LATER = Word(
    ("sunny", "cloudy", "rainy", "partly cloudy", "stormy", "mostly dry"),
    ("晴", "多云", "有雨", "晴间多云", "有雷阵雨", "阴"),
)

NOW = Family(
    key="weather.now",
    names=("current_conditions", "weather_now", "conditions_at", "outside_now", "observe_weather", "live_weather"),
    about=(
        "The weather in a city at this moment.",
        "Current temperature and sky. Not a forecast.",
        "Live observation for one city: temperature and conditions.",
        "What it is like outside right now.",
    ),
    about_zh=("查询城市当前天气。", "返回此刻的气温和天空状况，不是预报。", "某城市的实时天气。"),
    params=(
        Param("city", City(0.4), ("city", "city_name", "town", "where"), ("City, e.g. Bergen",), ("城市名称",)),
        Param(
            "country",
            PartOf("city", "country"),
            ("country", "country_name", "nation"),
            ("Country of the city, if the user names it",),
            ("用户提到的国家",),
            required=False,
        ),
        Param("scale", SCALE, ("units", "scale", "temperature_unit"), (), ("温度单位",), required=False),
    ),
    asks=(
        "What's it like outside in {city} right now?",
        "current weather in {city}[ in {scale}]",
        "How warm is it in {city} at the moment[, in {scale}]?",
        "My sister just moved to {city} and I wonder what kind of weather she's got right now.",
        "I've just landed in {city}. Coat or T-shirt for the walk out of the terminal?",
        "temperature {city} now[ {scale} please]",
        "is it freezing in {city} right now",
        "Is the sun out in {city} at this moment?",
        "Before I ring grandpa: how's the weather where he is, in {city}, this minute[? Use {scale}]",
        "Could you check the present conditions for {city}[, temperature in {scale}]?",
        "{city}, hot or cold right now?",
        "so what's the sky doing over {city} at present",
        "I'm stuck in an office in {city} with no windows, tell me what it looks like out there",
    ),
    asks_zh=(
        "{city}现在天气怎么样？",
        "{city}这会儿多少度[，用{scale}]？",
        "此刻{city}外面冷不冷",
        "我妈在{city}，想知道她那边现在是晴天还是下雨",
        "刚到{city}，出机场要穿外套吗？",
        "查一下{city}的实时天气[，温度用{scale}]",
        "{city}现在出太阳了没",
        "帮我看看{city}当前气温",
        "准备给{city}的同事打电话，那边这会儿天气如何",
        "在{city}的地下室上班，外面现在什么天呀",
    ),
    outcomes=(
        Outcome(
            fields=(("temperature", Integer(-8, 37)), ("sky", SKY_NOW)),
            texts=("{temperature} degrees, {sky}", "{sky}, {temperature}°"),
            texts_zh=("{temperature}度，{sky}",),
            answers=(
                "It is {sky} in {city} and {temperature} degrees.",
                "Right now {city} has {temperature} degrees and it is {sky}.",
                "{temperature} degrees and {sky}.",
            ),
            answers_zh=(
                "{city}现在{temperature}度，{sky}。",
                "{sky}，气温{temperature}度。",
                "此刻{city}是{temperature}度，{sky}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("What's it like outside right now?", "how warm is it at the moment", "Is the sun out?"),
            replies=("In which city?", "Which city are you asking about?", "Where are you?"),
            asks_zh=("现在外面天气怎么样？", "这会儿多少度？"),
            replies_zh=("请问是哪个城市？", "您想查哪座城市的天气？"),
        ),
    ),
    errors=("city not found", "the weather station does not answer"),
)

ONE_DAY = Family(
    key="weather.one_day",
    names=("daily_forecast", "forecast_for_day", "weather_on_date", "predict_day", "day_outlook"),
    about=(
        "Weather forecast for a city on one day.",
        "What the weather will be on a given day: high, low and sky.",
        "Forecast of a single future day. For the weather at this moment use another tool.",
    ),
    about_zh=("查询某城市某一天的天气预报。", "返回未来某天的最高、最低气温和天气，不是实时天气。"),
    params=(
        Param("city", City(), ("city", "location", "place"), ("City",), ("城市",)),
        Param("day", Day(1, 9), ("date", "day", "forecast_date"), ("The day to predict",), ("预报日期",)),
        Param("scale", SCALE, ("units", "unit_system"), (), (), required=False),
    ),
    asks=(
        "What will the weather be like in {city} on {day}?",
        "forecast {city} {day}",
        "We're getting married in {city} on {day}. What will the day be like?",
        "Do I pack a jumper or shorts for {city} on {day}?",
        "how hot will it get in {city} on {day}[ in {scale}]",
        "{day} I have a barbecue in {city}, is the weather going to play along?",
        "Grandma comes to {city} on {day} and asks what to wear.",
        "Please look up the outlook for {city} on {day}[, in {scale}].",
        "will it be a nice day in {city} on {day}?",
        "On {day} we want to see {city} on foot. Good or bad weather for that?",
        "What's the high for {city} on {day}[ in {scale}]?",
        "hi! planning a garden party in {city}, {day}. weather?",
        "How cold will it get during the night in {city} on {day}?",
    ),
    asks_zh=(
        "{day}{city}天气怎么样？",
        "{city}{day}的天气预报",
        "{day}去{city}出差，穿什么合适？",
        "我们{day}在{city}办婚礼，天气好不好啊",
        "{city}{day}最高多少度[，用{scale}表示]",
        "{day}想在{city}烧烤，天气给力吗？",
        "帮忙看看{city}{day}冷不冷",
        "老人{day}到{city}，那天天气如何，要带厚衣服吗",
        "{day}，{city}，天气预报，谢谢",
        "打算{day}在{city}爬山，那天是晴天吗",
    ),
    outcomes=(
        Outcome(
            fields=(("high", Integer(16, 36)), ("low", Integer(2, 14)), ("sky", SKY_LATER)),
            texts=("{sky}, high {high}, low {low}",),
            texts_zh=("{sky}，最高{high}度，最低{low}度",),
            answers=(
                "It will be {sky} in {city}, between {low} and {high} degrees.",
                "Expect a {sky} day with a high of {high} and a low of {low}.",
                "{city} will be {sky}: up to {high} degrees, down to {low} at night.",
            ),
            answers_zh=(
                "{city}那天{sky}，{low}到{high}度。",
                "预计{sky}，最高{high}度，最低{low}度。",
                "{sky}，气温{low}到{high}度。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("What will the weather be like on {day}?", "Do I need a jumper on {day}?", "weather forecast {day}"),
            replies=("For which city?", "Where will you be?"),
            asks_zh=("{day}天气怎么样？", "{day}冷不冷？"),
            replies_zh=("请问是哪个城市？", "您想查哪里的天气？"),
        ),
        Missing(
            key="day",
            asks=("What will the weather be like when I get to {city}?", "I need a forecast for my trip to {city}."),
            replies=("Which day are you going to be in {city}?", "For which day do you need the forecast?"),
            asks_zh=("我要去{city}，到时候天气怎么样？", "帮我看看去{city}那天的天气"),
            replies_zh=("请问是哪一天？", "您哪天去{city}？"),
        ),
    ),
    errors=("no forecast that far ahead", "unknown city"),
)

SEVERAL_DAYS = Family(
    key="weather.several_days",
    names=("multi_day_forecast", "extended_outlook", "forecast_days", "weather_ahead", "long_forecast"),
    about=(
        "Forecast for the next days in a city.",
        "Weather for a number of days from today on.",
        "Outlook over several days; use the daily forecast for a single date.",
    ),
    about_zh=("查询城市未来几天的天气。", "从今天起连续多天的天气预报，单日请用其他工具。"),
    params=(
        Param("city", City(), ("city", "location", "for_city"), ("City",), ("城市",)),
        Param(
            "count", Integer(3, 14), ("days", "num_days", "day_count", "horizon"), ("How many days ahead",), ("天数",)
        ),
    ),
    asks=(
        "What's the weather in {city} for the next {count} days?",
        "{count} day forecast {city}",
        "I'm spending the coming {count} days in {city}. What weather should I plan for?",
        "Give me an outlook for {city} over the next {count} days.",
        "how will it develop over the next {count} days in {city}",
        "We're renting a cabin near {city}, starting today, for {count} days. Sun or rain?",
        "Is {city} going to stay warm over the next {count} days?",
        "Could I see the forecast for {city}, {count} days please?",
        "the roofers need dry weather in {city} for {count} days from now on, do they get it?",
        "next {count} days, {city}: what's coming?",
        "I'm house-sitting in {city} the next {count} days and must water the garden. How will the weather be?",
    ),
    asks_zh=(
        "{city}未来{count}天天气怎么样？",
        "查{city}{count}天的天气预报",
        "接下来{count}天我都在{city}，天气如何",
        "{city}往后{count}天会降温吗？",
        "从今天起在{city}待{count}天，该带什么衣服",
        "给我{city}接下来{count}天的天气趋势",
        "{city}，{count}天预报",
        "工地在{city}，今后{count}天能不能一直是晴天？",
        "帮我看看{city}今后{count}天的天气",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("warmest", Integer(18, 35)),
                ("coldest", Integer(1, 15)),
                (
                    "trend",
                    Word(
                        ("mostly sunny", "changeable", "mostly rainy", "cloudy"), ("以晴为主", "多变", "多雨", "多云")
                    ),
                ),
            ),
            texts=("{trend}, {coldest} to {warmest} degrees",),
            texts_zh=("{trend}，{coldest}至{warmest}度",),
            answers=(
                "{city} will be {trend}, with {coldest} to {warmest} degrees.",
                "The next days are {trend}; temperatures lie between {coldest} and {warmest}.",
                "Expect {coldest} to {warmest} degrees, {trend}.",
            ),
            answers_zh=(
                "{city}接下来天气{trend}，气温{coldest}到{warmest}度。",
                "这几天{trend}，{coldest}到{warmest}度。",
                "预计{trend}，最低{coldest}度，最高{warmest}度。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="count",
            asks=(
                "I need a forecast over several days for {city}.",
                "What's the weather in {city} over the next while?",
            ),
            replies=("How many days ahead?", "For how many days?"),
            asks_zh=("看看{city}接下来几天的天气", "{city}往后一段时间天气怎么样？"),
            replies_zh=("请问要看几天？", "您要未来多少天的预报？"),
        ),
        Missing(
            key="city",
            asks=("What's the weather for the next {count} days?", "{count} day forecast please"),
            replies=("Which city?", "For which city should I look?"),
            asks_zh=(
                "未来{count}天天气怎么样？",
                "给我看{count}天的天气预报",
            ),
            replies_zh=("请问是哪个城市？",),
        ),
    ),
)

HOURLY = Family(
    key="weather.hourly",
    names=("hourly_forecast", "next_hours", "weather_by_hour", "hour_by_hour"),
    about=(
        "Weather hour by hour for the coming hours.",
        "Hourly forecast from now on.",
        "Forecast in steps of one hour, at most two days ahead.",
    ),
    about_zh=("逐小时天气预报。", "返回接下来若干小时的天气。"),
    params=(
        Param("city", City(0.2), ("city", "location"), ("City",), ("城市",)),
        Param(
            "hours",
            Duration("hours", (2, 3, 4, 5, 6, 8, 10, 12, 18, 24, 36)),
            ("hours", "hours_ahead", "span"),
            ("How far ahead",),
            ("时长",),
        ),
    ),
    asks=(
        "What's the weather doing in {city} over the next {hours}?",
        "hour by hour forecast for {city}, {hours}",
        "I have to paint a fence in {city} and it takes {hours}. Does the weather hold from now?",
        "Hourly weather in {city} for the coming {hours}, please.",
        "we start hiking in {city} now and will be out for {hours}, what should we expect",
        "How does the temperature change in {city} within the next {hours}?",
        "next {hours} in {city}, hourly",
        "Our open-air show in {city} begins right away and lasts {hours}: dry or not?",
        "Show me hour by hour what {city} gets in the next {hours}.",
        "Can the washing stay out in {city} for the next {hours}?",
    ),
    asks_zh=(
        "{city}未来{hours}的天气",
        "逐小时看看{city}接下来{hours}的天气",
        "我在{city}刷墙要{hours}，从现在开始天气能撑住吗",
        "接下来{hours}{city}会变天吗？",
        "{city}，{hours}内的逐时预报",
        "现在出发在{city}徒步{hours}，路上天气怎么样",
        "被子晒在外面，{city}往后{hours}会不会变天",
        "帮我查{city}今后{hours}每小时的气温",
    ),
    outcomes=(
        Outcome(
            fields=(("first", Integer(15, 24)), ("last", Integer(8, 14)), ("sky", SKY_LATER)),
            texts=("{sky}, from {first} down to {last} degrees",),
            texts_zh=("{sky}，从{first}度降到{last}度",),
            answers=(
                "It will be {sky} in {city}, falling from {first} to {last} degrees.",
                "It stays {sky}; the temperature drops from {first} to {last} degrees.",
                "Expect it to be {sky}; it cools from {first} to {last} degrees.",
            ),
            answers_zh=(
                "{city}接下来{sky}，从{first}度降到{last}度。",
                "{sky}，气温由{first}度降至{last}度。",
                "预计{sky}，温度从{first}度降到{last}度。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="hours",
            asks=("Give me the hourly weather for {city}.", "hour by hour forecast {city}"),
            replies=("For how many hours ahead?", "How many hours should it cover?"),
            asks_zh=(
                "看看{city}的逐小时天气",
                "要{city}的逐时预报",
            ),
            replies_zh=(
                "请问要看接下来几个小时？",
                "要看多长时间的？",
            ),
        ),
        Missing(
            key="city",
            asks=(
                "What's the weather doing over the next {hours}?",
                "I'm outside for {hours} from now, what's coming?",
            ),
            replies=("Where are you?", "In which city?"),
            asks_zh=(
                "接下来{hours}天气怎么样？",
                "我要在外面待{hours}，天气会变吗",
            ),
            replies_zh=("请问您在哪个城市？",),
        ),
    ),
)

RAIN = Family(
    key="weather.rain",
    names=("rain_probability", "chance_of_rain", "will_it_rain", "precipitation_check", "umbrella_check"),
    about=(
        "How likely rain is in a city on a day.",
        "Chance of rain in percent, for a day or for some hours of it.",
        "Tells only about rain, not about temperature.",
    ),
    about_zh=("查询某城市某天的降雨概率。", "返回某天或某时段下雨的可能性，只含降雨。"),
    params=(
        Param("city", City(), ("city", "location", "place"), ("City",), ("城市",)),
        Param("day", Day(0, 8), ("date", "day"), ("Day",), ("日期",)),
        Param(
            "hours",
            Period(Clock(7, 19)),
            ("between", "time_window", "hours"),
            ("Part of the day that matters",),
            ("时间段",),
            required=False,
        ),
    ),
    asks=(
        "Will it rain in {city} on {day}[ {hours}]?",
        "Do I need an umbrella in {city} on {day}?",
        "chance of rain {city} {day}",
        "We play tennis in {city} on {day}[ {hours}]. Will we get wet?",
        "Should I leave the laundry outside on {day}? I'm in {city}.",
        "how likely are showers in {city} on {day}[ {hours}]",
        "I just washed the car, so of course I wonder: any rain in {city} on {day}?",
        "On {day} there's a parade in {city}[ {hours}], are the costumes going to be soaked?",
        "is {city} staying dry on {day}[ {hours}]",
        "Wellies or trainers for {city} on {day}? I mean: does it pour?",
        "Precipitation probability for {city} on {day}[, {hours}], please.",
        "my roof leaks. {city}, {day}, rain yes or no?",
    ),
    asks_zh=(
        "{day}{city}会下雨吗？",
        "{day}在{city}要带伞吗",
        "{city}{day}[，{hours}，]下雨的概率大不大？",
        "我们{day}在{city}打网球[，{hours}]，会不会淋雨",
        "刚洗完车，{city}{day}有雨吗？",
        "{day}{city}降雨概率多少",
        "{city}{day}有没有阵雨[，主要看{hours}]",
        "{day}想在{city}晾衣服，会不会下雨啊",
        "{city}，{day}，用不用穿雨鞋？",
    ),
    outcomes=(
        Outcome(
            fields=(("chance_percent", Integer(60, 95, 5)),),
            texts=("{chance_percent}% chance of rain",),
            texts_zh=("降雨概率{chance_percent}%",),
            answers=(
                "Yes, rain is likely in {city}: the chance is {chance_percent} %.",
                "Take an umbrella, the chance of rain is {chance_percent} %.",
                "It will probably rain: {chance_percent} %.",
            ),
            answers_zh=(
                "{city}很可能下雨，概率{chance_percent}%。",
                "降雨概率{chance_percent}%，带上伞吧。",
                "多半要下雨，概率{chance_percent}%。",
            ),
        ),
        Outcome(
            fields=(("chance_percent", Integer(5, 20, 5)),),
            texts=("{chance_percent}% chance of rain",),
            texts_zh=("降雨概率{chance_percent}%",),
            answers=(
                "Rain is unlikely in {city}: {chance_percent} %.",
                "No, it should stay dry; the chance of rain is {chance_percent} %.",
                "You can leave the umbrella at home, the chance is only {chance_percent} %.",
            ),
            answers_zh=(
                "{city}基本不会下雨，概率{chance_percent}%。",
                "不用担心，降雨概率只有{chance_percent}%。",
                "应该不下雨，概率只有{chance_percent}%。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("Will it rain on {day}?", "Do I need an umbrella on {day}?"),
            replies=("In which city?", "Where will you be on that day?"),
            asks_zh=("{day}会下雨吗？", "{day}要不要带伞？"),
            replies_zh=("请问在哪个城市？", "您到时候在哪里？"),
        ),
        Missing(
            key="day",
            asks=(
                "How likely is rain for our picnic in {city}?",
                "I'm going to {city} and don't know whether to take an umbrella.",
            ),
            replies=("On which day?", "When is that?"),
            asks_zh=("去{city}要不要带伞？", "在{city}野餐会不会遇上下雨"),
            replies_zh=("请问是哪一天？", "您哪天去？"),
        ),
    ),
    also=("weather.one_day", "weather.now", "weather.several_days"),
)

DOMAIN = Domain(
    "weather_nature",
    (NOW, ONE_DAY, SEVERAL_DAYS, HOURLY, RAIN, *SKY, *HAZARDS),
    unserved=(
        ("How warm is the sea at the moment?", "现在海水多少度？"),
        ("Where is the nearest lightning rod inspector?", "附近哪里能请人检查避雷针？"),
        ("Turn on the garden sprinkler.", "把花园的喷水器打开。"),
        ("How high are the waves going to be for surfing?", "冲浪那天浪有多高？"),
        ("Which bird is singing in my garden?", "院子里叫的是什么鸟？"),
        ("Did it rain in Madrid on my birthday in 1994?", "1994年我生日那天马德里下雨了吗？"),
        ("Order me a new umbrella.", "给我买把新雨伞。"),
        ("When does the next solar eclipse cross Spain?", "西班牙下一次日食是什么时候？"),
        ("Which mushrooms were reported in the woods near me this week?", "这周附近树林里有人采到什么蘑菇？"),
        ("How many lightning strikes were there last night?", "昨晚打了多少次雷？"),
        ("What is the water level of the Rhine?", "莱茵河水位多高？"),
        ("Are there northern lights to be seen tonight?", "今晚能看到极光吗？"),
        ("Close the awning, the storm is coming.", "暴风雨要来了，把遮阳棚收起来。"),
        ("Which constellation is that above my house?", "我家房顶上那个是什么星座？"),
        ("Order tomato seeds for the balcony.", "买点阳台种的番茄种子。"),
        ("Track the hurricane's path for me.", "帮我看看台风走到哪里了。"),
        ("Is the lake frozen thick enough to skate on?", "湖面冻得够厚能滑冰吗？"),
        ("Insure my greenhouse against hail.", "给我的温室大棚买份冰雹险。"),
    ),
)
