"""The sky and what flies there: planets, satellites, launches, eclipses, shooting stars."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Decimal, Flag, Integer, Word
from training.data.times import Day
from training.data.wordings import pool, year
from training.data.world import City, Country

PLANET = Choice(
    {
        "mercury": (("Mercury",), ("水星",)),
        "venus": (("Venus",), ("金星",)),
        "mars": (("Mars",), ("火星",)),
        "jupiter": (("Jupiter",), ("木星",)),
        "saturn": (("Saturn",), ("土星",)),
        "uranus": (("Uranus",), ("天王星",)),
        "neptune": (("Neptune",), ("海王星",)),
        "moon": (("the Moon", "the moon"), ("月球", "月亮")),
    },
)
BODY = Word(
    pool(
        """Mercury | Venus | Mars | Jupiter | Saturn | Uranus | Neptune | Pluto | Ceres | Titan | Europa | Io
        Ganymede | Callisto | Enceladus | Triton | Eris | Phobos | Charon | Vesta"""
    ),
    pool("水星 | 金星 | 火星 | 木星 | 土星 | 天王星 | 海王星 | 冥王星 | 谷神星 | 土卫六 | 木卫二 | 木卫一 | 阋神星"),
)
STAR = Word(
    pool(
        """Vega | Sirius | Orion | the Pleiades | Andromeda | Betelgeuse | Polaris | Cassiopeia | Arcturus | Antares
        Jupiter | Saturn | Mars | Venus | the Orion Nebula | Scorpius | Aldebaran | Capella | Cygnus | Lyra"""
    ),
    pool(
        """织女星 | 天狼星 | 猎户座 | 昴星团 | 仙女座 | 参宿四 | 北极星 | 仙后座 | 大角星 | 心宿二 | 木星 | 土星 | 火星
        金星 | 天蝎座 | 牛郎星 | 北斗七星 | 天鹅座 | 毕宿五 | 五车二"""
    ),
)
SATELLITE = Word(
    pool(
        """ISS | Tiangong | Hubble | NOAA-19 | Starlink-1130 | Landsat 9 | Terra | Sentinel-2A | Metop-B | Envisat
        Cosmos 1408 | Aqua | Swarm C | Jason-3 | Suomi NPP | Galileo-12 | Meteor-M2 | CryoSat | Fengyun-3D | Lageos"""
    ),
    pool(
        """国际空间站 | 天宫空间站 | 哈勃望远镜 | 风云三号 | 高分七号 | 北斗三号 | 墨子号 | 悟空号 | 资源三号 | 海洋二号
        ISS | NOAA-19 | Landsat 9 | 羲和号 | 吉林一号"""
    ),
)
AGENCY = Choice(
    {
        "nasa": (("NASA",), ("NASA", "美国宇航局")),
        "esa": (("ESA",), ("欧空局", "ESA")),
        "cnsa": (("China", "CNSA"), ("中国", "国家航天局")),
        "isro": (("India", "ISRO"), ("印度", "ISRO")),
        "jaxa": (("Japan", "JAXA"), ("日本", "JAXA")),
        "spacex": (("SpaceX",), ("SpaceX",)),
    },
    ({"nasa": "NASA", "esa": "ESA", "cnsa": "CNSA", "isro": "ISRO", "jaxa": "JAXA", "spacex": "SPACEX"},),
)
ROCKET = Word(
    pool("Falcon 9 | Ariane 6 | Vega-C | Soyuz | Long March 5 | Electron | H3"), pool("长征五号 | 长征二号F | 猎鹰九号")
)
FACT = Choice(
    {
        "diameter": (("diameter",), ("直径",)),
        "mass": (("mass",), ("质量",)),
        "gravity": (("gravity", "surface gravity"), ("重力", "表面重力")),
        "temperature": (("temperature", "mean temperature"), ("温度", "平均温度")),
        "day_length": (("day length", "length of a day"), ("一天的长度", "自转周期")),
        "moons": (("number of moons", "moon count"), ("卫星数量", "卫星数")),
    },
)

WEIGHT_THERE = Family(
    key="sky.weight_there",
    names=("weight_on_planet", "planet_weight", "gravity_scale", "how_heavy_in_space", "calc_offworld_weight"),
    about=(
        "What something weighs on another planet.",
        "Turns a weight on Earth into the weight on another body of the solar system. Not for unit conversion.",
        "Weight under another gravity",
    ),
    about_zh=("计算物体在其他星球上的重量。", "把地球上的体重换算成别的星球上的体重，不做单位换算。"),
    params=(
        Param("body", PLANET, ("planet", "body", "where"), ("Where it is weighed",), ("星球",)),
        Param(
            "weight",
            Decimal(1, 180, 1),
            ("earth_weight_kg", "kg", "weight"),
            ("Weight on Earth in kilograms",),
            ("在地球上的重量，公斤",),
        ),
    ),
    asks=(
        "I weigh {weight} kg. How much would that be on {body}?",
        "how heavy is a {weight} kg rock on {body}",
        "our sack of potatoes is {weight} kilos and my son wants to know what the scales would show on {body}",
        "If an astronaut of {weight} kg stood on {body}, what would she weigh there?",
        "On {body}, what would {weight} kg feel like?",
        "weight on {body} for {weight} kilograms",
        "would my {weight} kg suitcase be easier to lift on {body}? give me the figure",
        "Work out what {weight} kg here on Earth becomes on {body}, please.",
        "science homework: a robot weighs {weight} kg on Earth, now it lands on {body}. its weight?",
    ),
    asks_zh=(
        "我{weight}公斤，到{body}上有多重？",
        "{weight}公斤的人站在{body}上，秤会显示多少",
        "孩子问，他{weight}公斤，要是去了{body}会变多重？",
        "一块{weight}公斤的石头放到{body}上是多少公斤？",
        "在{body}上称体重，地球上{weight}公斤的话是多少",
        "{body}上的体重，地球体重{weight}公斤",
        "宇航员连装备{weight}公斤，在{body}表面相当于多重？",
        "算一下{weight}公斤的东西在{body}有多沉",
        "要是住在{body}，我这{weight}公斤会不会显瘦？给个数",
        "物理作业：探测器在地球上重{weight}公斤，降落到{body}后呢？",
    ),
    outcomes=(
        Outcome(
            fields=(("weight_kg", Decimal(0.5, 400, 1)),),
            texts=("{weight_kg} kg",),
            texts_zh=("{weight_kg}公斤",),
            answers=("That would be {weight_kg} kg on {body}.", "On {body} the scales would show {weight_kg} kg."),
            answers_zh=("在{body}上是{weight_kg}公斤。", "到了{body}，秤上会显示{weight_kg}公斤。"),
        ),
    ),
    missing=(
        Missing(
            key="weight",
            asks=("What would I weigh on {body}?", "how heavy would my dog be on {body}"),
            replies=("What is the weight on Earth, in kilograms?", "How many kilograms is it here on Earth?"),
            asks_zh=("我到{body}上有多重？", "我家狗去了{body}会多重"),
            replies_zh=("请问在地球上是多少公斤？", "现在体重是多少公斤呢？"),
        ),
        Missing(
            key="body",
            asks=("I'm {weight} kg. What would I weigh on another planet?", "{weight} kilos, but out in space?"),
            replies=("On which planet?", "Which planet, or the Moon, do you have in mind?"),
            asks_zh=("我{weight}公斤，到别的星球上有多重？", "{weight}公斤的东西在外星多重"),
            replies_zh=("请问是哪个星球？", "您想知道在哪颗星球上的重量？"),
        ),
    ),
)

BODY_FACT = Family(
    key="sky.body_fact",
    names=("planet_fact", "solar_system_lookup", "celestial_body_data", "body_facts", "get_planet_property"),
    about=(
        "One figure about a planet, dwarf planet or moon.",
        "Looks up the size, mass, gravity, temperature, day length or moons of a body in the solar system.",
        "Solar system data sheet.",
    ),
    about_zh=("查询太阳系天体的一项数据。", "查行星或卫星的直径、质量、重力、温度、自转周期、卫星数。"),
    params=(
        Param("body", BODY, ("name", "body_name", "object"), ("Planet or moon, e.g. Rhea",), ("天体名称",)),
        Param("fact", FACT, ("property", "fact", "field", "attribute"), ("What to look up",), ("要查的数据",)),
    ),
    asks=(
        "What is the {fact} of {body}?",
        "look up the {fact} of {body} for my school poster",
        Ask("How many moons does {body} have?", {"fact": "moons"}),
        Ask("how wide is {body} across", {"fact": "diameter"}),
        Ask("Is it freezing on {body}? How cold or hot does it get?", {"fact": "temperature"}),
        Ask("how long does {body} take to turn once around itself", {"fact": "day_length"}),
        Ask("How strongly does {body} pull on things at its surface?", {"fact": "gravity"}),
        "I need one number: the {fact} of {body}.",
        "we argued at dinner about {body} and its {fact}. who can settle it?",
        "tell me the {fact} for {body} pls",
    ),
    asks_zh=(
        "{body}的{fact}是多少？",
        "查一下{body}的{fact}，做手抄报用",
        Ask("{body}有几颗卫星？", {"fact": "moons"}),
        Ask("{body}有多大，直径多少", {"fact": "diameter"}),
        Ask("{body}上冷不冷？大概多少度", {"fact": "temperature"}),
        Ask("{body}自转一圈要多久？", {"fact": "day_length"}),
        Ask("在{body}表面引力有多强", {"fact": "gravity"}),
        "我想知道{body}的{fact}",
        "饭桌上争起来了，{body}的{fact}到底是多少",
        "{body}，{fact}，报个数",
        Ask("{body}到底有多重啊，质量是多少", {"fact": "mass"}),
    ),
    outcomes=(
        Outcome(
            fields=(("value", Decimal(1, 900, 1)), ("unit", Word(("km", "K", "hours", "m/s2", "units")))),
            texts=("{value} {unit}",),
            answers=("For {body} it is {value} {unit}.", "{body}: {value} {unit}.", "The figure is {value} {unit}."),
            answers_zh=("{body}：{value} {unit}。", "查到了，是{value} {unit}。", "{body}的数据是{value} {unit}。"),
        ),
    ),
    missing=(
        Missing(
            key="body",
            asks=("What's the {fact} of that planet?", "look up a planet's {fact}"),
            replies=("Which planet or moon do you mean?", "Of which body?"),
            asks_zh=("那颗行星的{fact}是多少？", "帮我查个星球的{fact}"),
            replies_zh=("请问是哪颗星球？", "您想查哪个天体？"),
        ),
    ),
    also=("information.search_web", "information.encyclopedia"),
)

PASSES = Family(
    key="sky.passes",
    names=("satellite_passes", "next_flyover", "spot_satellite", "find_visible_passes", "overhead_times"),
    about=(
        "When a satellite or space station passes over a place.",
        "Predicts visible flyovers of a spacecraft. Does not track aircraft.",
        "Flyover times by satellite and city.",
    ),
    about_zh=("预测卫星或空间站何时飞过某地上空。", "查询航天器过境时间，不能查飞机。"),
    params=(
        Param("satellite", SATELLITE, ("satellite", "craft", "object_name"), ("Name of the craft",), ("航天器名称",)),
        Param("city", City(), ("observer_city", "city", "over"), ("Where one looks up",), ("观测城市",)),
        Param("day", Day(0, 10), ("date", "night_of", "on_date"), ("Day to look",), ("日期",), False),
        Param(
            "naked",
            Flag(),
            ("visible_only", "naked_eye"),
            ("Only passes that the naked eye can see",),
            ("只要肉眼可见的",),
            False,
        ),
    ),
    asks=(
        "When does {satellite} fly over {city}[ {day}]?",
        "when can I wave at {satellite} from {city}[, maybe {day}]",
        Ask("Any pass of {satellite} over {city} that I can see with the naked eye?", {"naked": True}),
        "my kids in {city} want to spot {satellite}[ {day}], what time should we go outside?",
        "next flyover of {satellite}, {city}",
        "We're camping near {city} {day}. Will {satellite} cross the sky, and when?",
        "passes of {satellite} above {city}[ on {day}] please",
        "I have my telescope set up in {city} and wait for {satellite}. How long until it comes?",
        "at what time is {satellite} overhead in {city}[ {day}]",
    ),
    asks_zh=(
        "{satellite}[{day}]什么时候飞过{city}？",
        "在{city}[{day}]几点能看到{satellite}",
        Ask("{city}上空肉眼能看到的{satellite}过境是什么时候？", {"naked": True}),
        "带孩子在{city}看{satellite}，[{day}]几点出门合适？",
        "{satellite}下一次经过{city}上空是几点",
        "查{satellite}[{day}]在{city}的过境时间",
        "我在{city}架好望远镜了，{satellite}啥时候来？",
        "{day}在{city}郊外露营，能碰上{satellite}吗，几点",
        "{city}这边[{day}]抬头能看见{satellite}吗？告诉我时间",
        "{satellite}，{city}，过顶时刻",
    ),
    outcomes=(
        Outcome(
            fields=(("time", Word(("04:52", "05:31", "19:48", "20:17", "21:06", "22:35"))), ("minutes", Integer(2, 7))),
            texts=("{time}, visible for {minutes} min",),
            texts_zh=("{time}，可见{minutes}分钟",),
            answers=(
                "{satellite} passes over {city} at {time} and can be seen for {minutes} minutes.",
                "Look up at {time}: it is in view for {minutes} minutes.",
            ),
            answers_zh=(
                "{satellite}将在{time}经过{city}，可见{minutes}分钟。",
                "{time}抬头看，大约能看{minutes}分钟。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("When does {satellite} pass over me?", "next time I can see {satellite}?"),
            replies=("Which city will you be watching from?", "Where are you, so that I can look up the pass?"),
            asks_zh=("{satellite}什么时候飞过我头顶？", "下次看到{satellite}是几点"),
            replies_zh=("请问您在哪个城市？", "您准备在哪里观看？"),
        ),
    ),
)

LAUNCHES = Family(
    key="sky.launches",
    names=("upcoming_launches", "rocket_launch_schedule", "next_liftoff", "list_space_launches", "launch_calendar"),
    about=(
        "The next rocket launches.",
        "Upcoming launches, of all agencies or of one. Past launches are not included.",
        "Launch calendar for rockets",
    ),
    about_zh=("查询近期火箭发射。", "列出即将进行的航天发射，可按机构筛选，不含历史发射。"),
    params=(
        Param("agency", AGENCY, ("agency", "operator", "launch_provider"), ("Who launches",), ("发射机构",), False),
        Param("count", Integer(2, 10), ("limit", "count", "max_results"), ("How many",), ("条数",), False, 5),
    ),
    asks=(
        "What's the next rocket going up?",
        "when does {agency} launch again",
        "Show me the next {count} launches by {agency}.",
        "anything lifting off soon[ from {agency}]?",
        "I'd love to watch a liftoff live. What's coming up?",
        "next {count} space launches",
        "Does {agency} have a mission on the pad in the coming weeks?",
        "rocket schedule please[, only {agency}]",
        "my nephew is mad about rockets, tell me which ones start soon",
    ),
    asks_zh=(
        "最近有什么火箭要发射？",
        "{agency}下一次发射是什么时候",
        "列出{agency}接下来的{count}次发射",
        "近期航天发射安排[，只看{agency}的]",
        "想看发射直播，最近有哪场？",
        "接下来{count}次火箭发射都有啥",
        "{agency}这阵子有没有要上天的任务？",
        "外甥迷火箭，看看最近哪枚要升空",
        "发射日历[，{agency}]",
        "火箭发射时间表给我看看",
    ),
    outcomes=(
        Outcome(
            fields=(("rocket", ROCKET), ("date", Day(2, 40))),
            texts=("{date}: {rocket}",),
            answers=("The next one is {rocket} on {date}.", "{rocket} lifts off on {date}."),
            answers_zh=("下一次是{rocket}，{date}发射。", "{date}将发射{rocket}。"),
        ),
    ),
    also=("information.search_web", "information.encyclopedia"),
)

ECLIPSE = Family(
    key="sky.eclipse",
    names=("next_eclipse", "eclipse_finder", "find_eclipses", "eclipse_in_country"),
    about=(
        "Find the next solar or lunar eclipse that can be seen from a country.",
        "Eclipse dates by country and kind.",
        "Looks for eclipses; knows nothing of meteor showers.",
    ),
    about_zh=("查询某国下一次可见的日食或月食。", "按国家和类型查食的日期，不含流星雨。"),
    params=(
        Param(
            "kind",
            Choice(
                {
                    "solar": (("solar eclipse", "eclipse of the sun"), ("日食",)),
                    "lunar": (("lunar eclipse", "eclipse of the moon"), ("月食",)),
                },
                ({"solar": "SOLAR", "lunar": "LUNAR"}, {"solar": "sun", "lunar": "moon"}),
            ),
            ("kind", "eclipse_type", "type"),
            ("Of the sun or of the moon",),
            ("日食或月食",),
        ),
        Param("country", Country(), ("country", "visible_from", "seen_from"), ("Seen from where",), ("可见国家",)),
        Param("after", year(2027, 2060), ("after_year", "from_year"), ("Not before this year",), ("起始年份",), False),
    ),
    asks=(
        "When is the next {kind} in {country}[ after {after}]?",
        "will there be a {kind} over {country}[ from {after} on]",
        Ask("When does the sun go dark over {country} again?", {"kind": "solar"}),
        Ask("I missed the blood moon. When is the next one that {country} can see?", {"kind": "lunar"}),
        "plan a trip for me: next {kind} visible from {country}[, {after} or later]",
        "next date of a {kind}, {country}",
        "My grandmother would like to see one more {kind} from her home in {country}. When could that be?",
        Ask("do I need those cardboard glasses in {country} soon, for the sun being covered?", {"kind": "solar"}),
    ),
    asks_zh=(
        "{country}[{after}年以后]下一次{kind}是什么时候？",
        "在{country}什么时候能看到{kind}",
        Ask("{country}什么时候太阳会被月亮挡住？", {"kind": "solar"}),
        Ask("错过了红月亮，{country}下一次能看到是哪天？", {"kind": "lunar"}),
        "想去{country}看{kind}，查查日期[，{after}年之后的]",
        "{country}，{kind}，下一次",
        "奶奶想在{country}再看一回{kind}，得等到什么时候？",
        "[{after}年起，]{country}能看见的{kind}有哪次",
        "最近一次{country}可见的{kind}在哪天啊",
        "帮忙看看{country}啥时候有{kind}",
    ),
    outcomes=(
        Outcome(
            fields=(("date", Day(60, 4000)), ("coverage_percent", Integer(20, 100))),
            texts=("{date}, {coverage_percent}% covered",),
            answers=(
                "The next one is on {date}, with {coverage_percent}% covered.",
                "Mark {date}: {coverage_percent}% will be covered.",
            ),
            answers_zh=("下一次在{date}，遮挡{coverage_percent}%。", "{date}可以看到，食分{coverage_percent}%。"),
        ),
    ),
    missing=(
        Missing(
            key="country",
            asks=("When is the next {kind}?", "next {kind} pls"),
            replies=("From which country do you want to see it?", "In which country will you be?"),
            asks_zh=("下一次{kind}是哪天？", "什么时候有{kind}"),
            replies_zh=("请问您在哪个国家观看？", "是想在哪个国家看？"),
        ),
    ),
    also=("information.search_web", "information.encyclopedia"),
)

VISIBLE = Family(
    key="sky.visible",
    names=("star_position", "where_in_the_sky", "locate_in_sky", "sky_object_finder"),
    about=(
        "Where to look for a star, planet or constellation tonight.",
        "Gives direction and height above the horizon of an object in the night sky.",
    ),
    about_zh=("告诉你在夜空哪个方向能找到某颗星。", "查询恒星、行星或星座的方位和高度。"),
    params=(
        Param("object", STAR, ("object", "target", "star_or_planet"), ("What to find",), ("目标天体",)),
        Param("city", City(0), ("location", "from_city", "observer"), ("Where one stands",), ("所在城市",)),
        Param("hour", Integer(18, 23), ("hour", "local_hour"), ("Hour of the evening",), ("几点",), False),
    ),
    asks=(
        "Where in the sky do I find {object} from {city}?",
        "standing on my roof in {city}, which way do I turn to see {object}",
        "Point me to {object}, I'm in {city}.",
        "is {object} above the horizon in {city} now? which direction?",
        Ask("Where will {object} be at 10 pm as seen from {city}?", {"hour": 22}),
        "how high is {object} over {city}",
        "I can't make out {object} here in {city}. Where should I look?",
        Ask("at 9 in the evening, where's {object}, seen from {city}?", {"hour": 21}),
    ),
    asks_zh=(
        "在{city}往哪个方向能看到{object}？",
        "我在{city}，{object}在天上哪个位置",
        "{city}今晚怎么找{object}",
        Ask("晚上十点从{city}看，{object}在哪边？", {"hour": 22}),
        "{object}现在升起来了吗？我人在{city}，朝哪看",
        "站在{city}楼顶找不着{object}，该往哪儿看",
        "从{city}看{object}有多高",
        Ask("晚上9点{city}的{object}在什么方位", {"hour": 21}),
        "{object}的方位，{city}",
        "给我指一下{object}，我在{city}",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("direction", Choice({"south": (("south",), ("南",)), "east": (("east",), ("东",))})),
                ("altitude_degrees", Integer(5, 85)),
            ),
            texts=("{direction}, {altitude_degrees} degrees high",),
            answers=(
                "Look {direction}: {object} stands {altitude_degrees} degrees above the horizon.",
                "You find {object} in the {direction}, {altitude_degrees} degrees up.",
            ),
            answers_zh=(
                "朝{direction}看，{object}离地平线{altitude_degrees}度。",
                "{object}在{direction}边，高度{altitude_degrees}度。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="object",
            asks=("What direction do I look in from {city} to see it?", "help me find a star from {city}"),
            replies=("Which star, planet or constellation are you looking for?", "What would you like to find?"),
            asks_zh=("我在{city}，帮我找颗星星", "在{city}往哪看？"),
            replies_zh=("请问您要找哪颗星？", "想看的是什么星？"),
        ),
    ),
)

DOMAIN = Domain(
    "sky",
    (WEIGHT_THERE, BODY_FACT, PASSES, LAUNCHES, ECLIPSE, VISIBLE),
    unserved=(
        ("Buy me a telescope with a wide lens.", "帮我买一台大口径望远镜。"),
        ("Who was the first person on the Moon?", "第一个登上月球的人是谁？"),
        ("Book two seats in the planetarium for Sunday.", "帮我订周日天文馆的两张票。"),
        ("Name a star after my daughter.", "用我女儿的名字命名一颗星星。"),
        ("Show me a photo of the Crab Nebula.", "给我看蟹状星云的照片。"),
        ("How do I become an astronaut?", "怎样才能当宇航员？"),
        ("Point the observatory's dish at the galactic centre.", "把天文台的天线对准银心。"),
        ("Download the data of the last X-ray survey.", "下载最近一次X射线巡天的数据。"),
        ("Is there life under the ice of Europa?", "木卫二的冰层下有生命吗？"),
        ("Send a message to the crew of the space station.", "给空间站的宇航员发条消息。"),
        ("Report a fireball that I saw over the lake.", "我在湖上看到一颗火流星，帮我上报。"),
        ("Write a bedtime story about a comet.", "写一个关于彗星的睡前故事。"),
    ),
)
