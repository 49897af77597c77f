"""What nature may do to people: bad air, pollen, earthquakes, snow on the slopes, warnings."""

from training.data.family import Family, Missing, Outcome, Param, PartOf
from training.data.kinds import Choice, Decimal, Integer, Word
from training.data.times import Day, Duration
from training.data.world import City, Country

RESORTS = Word(
    (
        *("Zermatt", "Verbier", "Whistler", "Aspen", "Chamonix", "St. Anton", "Niseko", "Val Thorens", "Kitzbühel"),
        *("Park City", "Cortina", "Bansko", "Åre", "Jackson Hole", "Mammoth Mountain", "Les Gets", "Davos", "Levi"),
        *("Banff Sunshine", "Andermatt", "Big Sky", "Sestriere", "Baqueira Beret", "Hakuba", "Cardrona"),
    ),
    (
        "亚布力",
        "崇礼云顶",
        "北大湖",
        "长白山",
        "松花湖",
        "将军山",
        "可可托海",
        "太舞",
        "南山滑雪场",
        "二世古",
        "万龙",
        "富龙",
    ),
)
PLANT = Choice(
    {
        "grass": (("grass",), ("禾草",)),
        "birch": (("birch",), ("桦树",)),
        "ragweed": (("ragweed",), ("豚草",)),
        "olive": (("olive",), ("橄榄树",)),
        "cypress": (("cypress",), ("柏树",)),
    },
    ({"grass": "GRASS", "birch": "BIRCH", "ragweed": "RAGWEED", "olive": "OLIVE", "cypress": "CYPRESS"},),
)
POLLUTANT = Choice(
    {
        "pm25": (("PM2.5", "pm2.5"), ("PM2.5", "细颗粒物")),
        "pm10": (("PM10",), ("PM10",)),
        "ozone": (("ozone",), ("臭氧",)),
        "no2": (("nitrogen dioxide", "NO2"), ("二氧化氮",)),
    },
    ({"pm25": "PM2.5", "pm10": "PM10", "ozone": "O3", "no2": "NO2"},),
)
AIR = Family(
    key="weather.air",
    names=("air_quality", "aqi_lookup", "get_air_index", "pollution_level", "check_air"),
    about=(
        "Air quality index of a city.",
        "How clean the air is right now. Optionally one pollutant only.",
        "Current air pollution in a city; not pollen.",
    ),
    about_zh=("查询城市的空气质量。", "返回当前空气质量指数，可指定污染物，不含花粉。"),
    params=(
        Param("city", City(0.4), ("city", "location", "place_name"), ("City to check",), ("城市",)),
        Param(
            "country",
            PartOf("city", "country"),
            ("country", "country_name"),
            ("Country, if given",),
            ("国家（如有）",),
            required=False,
        ),
        Param(
            "pollutant",
            POLLUTANT,
            ("pollutant", "substance", "measure"),
            ("Only this substance",),
            ("污染物",),
            required=False,
        ),
    ),
    asks=(
        "How's the air quality in {city} right now?",
        "aqi {city}",
        "Is it OK to go for a run outside in {city} or is the smog too bad?",
        "How much {pollutant} is in the air in {city}?",
        "{pollutant} level in {city}?",
        "My daughter has asthma and we are in {city} today. Is the air safe for her to breathe?",
        "do I need a mask against the smog in {city}",
        "Could you check how polluted it is in {city} at the moment[, {pollutant} only]?",
        "the sky looks hazy here in {city}, is it pollution?",
        "Should I keep the windows shut in {city} because of the fumes[? I care about {pollutant}]",
        "Give me the current {pollutant} reading for {city}.",
        "I'm in {city}. Clean air or not?",
        "Marathon training in {city} today: are my lungs going to hate me?",
    ),
    asks_zh=(
        "{city}现在空气质量怎么样？",
        "{city}的{pollutant}是多少？",
        "今天{city}有霾吗，能不能出去跑步",
        "{city}空气好不好，要不要戴口罩？",
        "查一下{city}的AQI",
        "孩子有哮喘，我们在{city}，现在空气能出门吗？",
        "{city}灰蒙蒙的，污染严重吗[？主要看{pollutant}]",
        "帮我看看{city}当前{pollutant}浓度",
        "在{city}能开窗通风吗，外面空气污染大不大",
    ),
    outcomes=(
        Outcome(
            fields=(("index", Integer(15, 48)), ("level", Word(("good",), ("优",)))),
            texts=("AQI {index} ({level})",),
            texts_zh=("空气质量指数{index}，{level}",),
            answers=(
                "The air in {city} is {level}, with an index of {index}.",
                "Index {index}: the air is {level}.",
                "You can breathe freely in {city}: index {index}, {level}.",
            ),
            answers_zh=(
                "{city}空气质量{level}，指数{index}。",
                "指数{index}，空气{level}。",
                "空气质量为{level}，指数{index}。",
            ),
        ),
        Outcome(
            fields=(("index", Integer(155, 290)), ("level", Word(("unhealthy",), ("不健康",)))),
            texts=("AQI {index} ({level})",),
            texts_zh=("空气质量指数{index}，{level}",),
            answers=(
                "The air in {city} is {level} at the moment: the index is {index}.",
                "It is {level}, index {index}.",
                "Better stay inside: the index is {index}, which is {level}.",
            ),
            answers_zh=(
                "{city}现在的空气{level}，指数{index}。",
                "指数高达{index}，属于{level}。",
                "{city}空气质量指数{index}，对人{level}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("How's the air today?", "Is the smog bad enough for a mask?", "what's the {pollutant} level"),
            replies=("In which city?", "Which city should I check the air for?"),
            asks_zh=("今天空气怎么样？", "外面要戴口罩防霾吗？"),
            replies_zh=("请问是哪个城市的空气？", "您在哪个城市？"),
        ),
    ),
    errors=("no measuring station for this city", "the station is offline"),
)

POLLEN = Family(
    key="weather.pollen",
    names=("pollen_count", "get_pollen", "allergy_forecast", "pollen_level"),
    about=(
        "Pollen count for a plant in a city.",
        "How much pollen of a plant is in the air on a day.",
        "Forecast for people with hay fever; says nothing about air pollution.",
    ),
    about_zh=("查询城市里某种植物的花粉浓度。", "花粉预报，供花粉过敏者使用。"),
    params=(
        Param("plant", PLANT, ("plant", "pollen_type", "allergen"), ("Plant the pollen comes from",), ("植物种类",)),
        Param("city", City(), ("city", "area", "location"), ("City",), ("城市",)),
        Param("day", Day(0, 4), ("date", "day"), (), (), required=False),
    ),
    asks=(
        "What's the {plant} pollen count in {city}[ on {day}]?",
        "{plant} pollen {city}[ {day}]",
        "I'm allergic to {plant}. Will I suffer in {city}[ on {day}]?",
        "My nose is running like mad here in {city}, could it be the {plant}?",
        "how bad is the {plant} pollen in {city}[ {day}]",
        "Should I take my hay fever tablets in {city}[ on {day}]? It's {plant} that gets me.",
        "We're having a picnic in {city} on {day} and Tom sneezes near {plant}. How much of it is in the air?",
        "Is {plant} flowering in {city} yet, i.e. is there a lot of pollen[ on {day}]?",
        "pollen check please: {city}, {plant}[, {day}]",
        "With my {plant} allergy, can I go jogging in {city}[ on {day}]?",
        "Red eyes again, and I'm in {city}. How much {plant} is flying around[ on {day}]?",
        "looking at a weekend in {city}, but {plant} makes me sneeze. is it bad there[ {day}]",
    ),
    asks_zh=(
        "{city}[{day}]{plant}花粉多吗？",
        "我对{plant}花粉过敏，[{day}]去{city}会难受吗",
        "查一下{city}[{day}]的{plant}花粉浓度",
        "人在{city}一直打喷嚏，是不是{plant}花粉太多了？",
        "[{day}]在{city}野餐，担心{plant}花粉，浓度高不高？",
        "{plant}花粉，{city}[，{day}]",
        "{city}的{plant}是不是开始飘花粉了？",
        "[{day}]到{city}要不要带过敏药，我怕{plant}花粉",
        "眼睛又红又痒，人在{city}，[{day}]{plant}花粉浓度怎么样",
    ),
    outcomes=(
        Outcome(
            fields=(("grains", Integer(60, 400, 10)), ("level", Word(("high", "very high"), ("高", "很高")))),
            texts=("{level}: {grains} grains per m3",),
            texts_zh=("{level}，每立方米{grains}粒",),
            answers=(
                "The {plant} pollen count in {city} is {level}: {grains} grains per cubic metre.",
                "It is {level}, {grains} grains per cubic metre.",
                "There is a lot of {plant} pollen: {grains} grains per cubic metre.",
            ),
            answers_zh=(
                "{city}的{plant}花粉浓度{level}，每立方米{grains}粒。",
                "浓度{level}，每立方米{grains}粒。",
                "{plant}花粉比较多，每立方米{grains}粒。",
            ),
        ),
        Outcome(
            fields=(("level", Word(("low", "moderate"), ("低", "中等"))),),
            texts=("{level}",),
            texts_zh=("{level}",),
            answers=(
                "The air in {city} has a {level} level of {plant} pollen.",
                "The count is {level}.",
                "It is only {level} in {city}.",
            ),
            answers_zh=("{city}的{plant}花粉浓度{level}。", "花粉浓度{level}。", "{plant}花粉不算多，浓度{level}。"),
        ),
    ),
    missing=(
        Missing(
            key="plant",
            asks=("What's the pollen count in {city}?", "Will my hay fever be bad in {city} on {day}?"),
            replies=("Which plant's pollen?", "Which plant are you allergic to?"),
            asks_zh=("{city}{day}花粉多吗？", "我花粉过敏，{city}情况怎么样"),
            replies_zh=("请问是哪种植物的花粉？", "您对哪种植物过敏？"),
        ),
        Missing(
            key="city",
            asks=("How much {plant} pollen is there?", "I'm allergic to {plant}, is it in the air on {day}?"),
            replies=("In which city?", "Where are you?"),
            asks_zh=(
                "{plant}花粉现在多不多？",
                "我怕{plant}花粉，这两天严重吗",
            ),
            replies_zh=("请问您在哪个城市？",),
        ),
    ),
)

QUAKES = Family(
    key="weather.earthquakes",
    names=("recent_earthquakes", "quake_search", "list_earthquakes", "seismic_events"),
    about=(
        "Earthquakes of the last days in a country.",
        "Search for earthquakes by country, smallest magnitude and number of days back.",
        "Lists past earthquakes. It cannot predict any.",
    ),
    about_zh=("查询某国最近的地震。", "按国家、最小震级和天数查询已发生的地震，不能预测。"),
    params=(
        Param("country", Country(), ("country", "region", "area"), ("Country to search",), ("国家",)),
        Param(
            "magnitude",
            Decimal(2.5, 7, 1),
            ("min_magnitude", "magnitude", "at_least"),
            ("Smallest magnitude, e.g. 4.5",),
            ("最小震级",),
            required=False,
        ),
        Param(
            "back",
            Duration("days", (2, 3, 5, 7, 10, 14, 30)),
            ("days", "past_days", "days_back"),
            ("How far to look back",),
            ("最近多少天",),
            required=False,
        ),
    ),
    asks=(
        "Have there been any earthquakes in {country}[ in the last {back}]?",
        "earthquakes {country}[ magnitude {magnitude} or more]",
        "Did the ground shake in {country} lately[? say, over the past {back}]",
        "List quakes of at least {magnitude} in {country}[ from the past {back}].",
        "My cousin lives in {country} and saw the lamps swinging. Was there a quake[ of {magnitude} or stronger]?",
        "any tremors in {country}[ above {magnitude}][ within the last {back}]",
        "We fly to {country} soon. Has there been seismic activity[ in the past {back}]?",
        "Show me everything from magnitude {magnitude} up that hit {country} in the last {back}.",
        "I felt a jolt here in {country}, was that an earthquake?",
        "What shook {country}[ during the past {back}]?",
        "is {country} trembling again? only things over {magnitude}, please",
        "My Airbnb host in {country} mentioned aftershocks. What was recorded[ in the past {back}]?",
    ),
    asks_zh=(
        "{country}[最近{back}]有地震吗？",
        "查一下{country}[{magnitude}级以上]的地震",
        "[过去{back}]{country}发生过[{magnitude}级以上的]地震没有",
        "{country}最近震过吗[，只看{magnitude}级以上的]",
        "刚才在{country}感觉晃了一下，是不是地震了",
        "我表姐在{country}，听说那边地震了，帮我查查[最近{back}的记录]",
        "列出{country}[近{back}][{magnitude}级及以上]的地震",
        "要去{country}旅游，[最近{back}]那边地震多不多？",
    ),
    outcomes=(
        Outcome(
            fields=(("count", Integer(2, 9)), ("strongest", Word(("4.6", "5.1", "5.8", "6.2", "7.1")))),
            texts=("{count} events, strongest {strongest}",),
            texts_zh=("共{count}次，最大{strongest}级",),
            answers=(
                "There were {count} earthquakes in {country}; the strongest had magnitude {strongest}.",
                "Yes: {count} in all, the strongest of magnitude {strongest}.",
                "{country} had {count} of them, up to magnitude {strongest}.",
            ),
            answers_zh=(
                "{country}发生了{count}次地震，最大{strongest}级。",
                "共有{count}次，最强的是{strongest}级。",
                "查到{count}次，最大震级{strongest}。",
            ),
        ),
        Outcome(
            fields=(("count", Integer(0, 0)),),
            texts=("no events found",),
            texts_zh=("没有记录",),
            answers=(
                "No earthquakes were recorded in {country}.",
                "None were found.",
                "There is no record of any in {country}.",
            ),
            answers_zh=("{country}没有地震记录。", "没有查到地震。", "{country}那边没有查到记录。"),
        ),
    ),
    missing=(
        Missing(
            key="country",
            asks=("Was there an earthquake in the last {back}?", "List quakes above {magnitude}."),
            replies=("In which country?", "Which country should I search?"),
            asks_zh=("最近{back}有{magnitude}级以上的地震吗？", "刚才是不是地震了？"),
            replies_zh=("请问是哪个国家？", "您想查哪个国家的地震？"),
        ),
    ),
)

SNOW = Family(
    key="weather.snow",
    names=("snow_report", "ski_conditions", "snow_depth", "get_piste_report", "slope_snow"),
    about=(
        "Snow depth in a ski resort.",
        "Snow on the slopes, fresh snow and how many lifts are open.",
        "Report of a ski area. Not for the weather in towns.",
    ),
    about_zh=("查询滑雪场的雪况。", "返回雪场积雪厚度和开放缆车数，不用于城市天气。"),
    params=(Param("resort", RESORTS, ("resort", "ski_area", "mountain"), ("Ski resort, e.g. Saas-Fee",), ("滑雪场",)),),
    asks=(
        "How much snow is there in {resort}?",
        "snow depth {resort}",
        "Is it worth driving up to {resort} with the skis this weekend, snow-wise?",
        "Are the pistes at {resort} any good at the moment?",
        "we've booked a week in {resort} and I worry that it's all rock and grass up there. how deep is it?",
        "Any fresh powder at {resort}?",
        "Is {resort} skiable yet?",
        "Please get me the slope report for {resort}.",
        "What are the lifts and the white stuff like over in {resort}?",
        "skiing at {resort}: enough base?",
        "the kids want to sledge at {resort}, is anything lying there",
        "Friends of mine are up in {resort}. Are they skiing or just drinking cocoa?",
    ),
    asks_zh=(
        "{resort}现在雪厚吗？",
        "{resort}的雪况怎么样",
        "周末想去{resort}滑雪，雪够不够？",
        "{resort}有新雪吗？",
        "查下{resort}雪道积雪多少厘米",
        "{resort}开了几条缆车，雪好滑吗",
        "我们订了{resort}的酒店，就怕没雪，帮我看看",
        "{resort}能滑了吗？",
        "孩子想去{resort}玩雪，那边积雪怎么样",
    ),
    outcomes=(
        Outcome(
            fields=(("depth_cm", Integer(35, 240, 5)), ("lifts_open", Integer(4, 38))),
            texts=("{depth_cm} cm, {lifts_open} lifts open",),
            texts_zh=("积雪{depth_cm}厘米，开放缆车{lifts_open}条",),
            answers=(
                "{resort} has {depth_cm} cm of snow and {lifts_open} lifts open.",
                "There are {depth_cm} cm on the slopes; {lifts_open} lifts are running.",
                "The snow is {depth_cm} cm deep, with {lifts_open} lifts in use.",
            ),
            answers_zh=(
                "{resort}积雪{depth_cm}厘米，开放{lifts_open}条缆车。",
                "雪厚{depth_cm}厘米，有{lifts_open}条缆车在运行。",
                "目前{resort}雪深{depth_cm}厘米，缆车开了{lifts_open}条。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="resort",
            asks=("How deep is the snow on the slopes?", "Is there enough snow for skiing this weekend?"),
            replies=("Which ski resort do you mean?", "At which resort?"),
            asks_zh=("雪场雪厚吗？", "周末滑雪雪够不够？"),
            replies_zh=("请问是哪个滑雪场？", "您要去哪个雪场？"),
        ),
    ),
)
WARNINGS = Family(
    key="weather.warnings",
    names=("local_warnings", "active_weather_alerts", "list_alerts", "get_home_warnings", "severe_weather"),
    about=(
        "Weather warnings in force at the user's own place.",
        "Lists official storm, flood and heat warnings for where the user is. Takes nothing.",
        "Active alerts for the home location.",
    ),
    about_zh=("查询本地当前的气象预警。", "列出用户所在地正在生效的暴雨、大风、高温等预警，无需参数。"),
    params=(),
    asks=(
        "Are there any weather warnings here?",
        "weather alerts?",
        "My phone made that awful siren noise, is there an official storm warning for my area?",
        "Has the weather service issued anything for us?",
        "Do we have to worry about floods where I live?",
        "the sky looks green out there, any alert in force?",
        "Is there a heat warning at home right now?",
        "Should I tie down the trampoline? I mean, is a storm warning out for our place?",
        "Show me the active warnings for my location, please.",
        "everyone in the street is boarding up windows. what have the authorities announced?",
    ),
    asks_zh=(
        "我们这儿有气象预警吗？",
        "现在本地有什么预警",
        "外面天好黑，气象台发预警了没有？",
        "我家这边有暴雨预警吗",
        "查一下我所在位置的天气警报",
        "手机刚才响了警报，是不是发布了台风预警？",
        "本地有没有高温预警啊",
        "邻居都在加固窗户，气象部门发布什么通知了吗",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "warning",
                    Word(
                        ("storm", "flood", "heat", "thunderstorm", "frost"),
                        ("大风", "暴雨", "高温", "雷电", "道路结冰"),
                    ),
                ),
                ("until", Word(("18:00", "21:00", "23:30", "midnight"), ("18:00", "21:00", "23:30", "午夜"))),
            ),
            texts=("{warning} warning until {until}",),
            texts_zh=("{warning}预警，至{until}",),
            answers=(
                "Yes, there is a {warning} warning until {until}.",
                "A {warning} warning is in force until {until}.",
                "Be careful: {warning} warning, until {until}.",
            ),
            answers_zh=(
                "有，{warning}预警，持续到{until}。",
                "目前有{warning}预警，到{until}结束。",
                "请注意，{warning}预警，{until}前有效。",
            ),
        ),
        Outcome(
            fields=(("active", Integer(0, 0)),),
            texts=("no active warnings",),
            texts_zh=("暂无预警",),
            answers=(
                "No, there are no warnings for your area.",
                "Nothing is in force at the moment.",
                "All quiet, no warnings.",
            ),
            answers_zh=("目前没有预警。", "您所在的地方暂无预警。", "没有，一切正常。"),
        ),
    ),
)

HAZARDS = (AIR, POLLEN, QUAKES, SNOW, WARNINGS)
