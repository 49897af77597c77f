"""Places on the globe and years of the past: coordinates, heights, rivers, borders, what happened when."""

from training.data.family import Ask, Domain, Draw, Drawn, Family, Form, Missing, Outcome, Param
from training.data.kinds import Choice, Decimal, Flag, Integer, Made, Record, Word, meant
from training.data.wordings import pool, year
from training.data.world import City, Country

LANDMARK = Word(
    pool(
        """the Eiffel Tower | Machu Picchu | the Colosseum | Stonehenge | Mount Fuji | the Taj Mahal | Ayers Rock
        the Golden Gate Bridge | Angkor Wat | the Alhambra | Table Mountain | Lake Titicaca | the Acropolis | Petra
        Niagara Falls | the Brandenburg Gate | Big Ben | Christ the Redeemer | the Matterhorn | Easter Island"""
    ),
    pool(
        """埃菲尔铁塔 | 马丘比丘 | 罗马斗兽场 | 巨石阵 | 富士山 | 泰姬陵 | 故宫 | 布达拉宫 | 吴哥窟 | 黄山 | 兵马俑
        青海湖 | 少林寺 | 尼亚加拉瀑布 | 大本钟 | 泰山 | 莫高窟 | 乐山大佛 | 三峡大坝 | 鼓浪屿"""
    ),
)
PEAK = Word(
    pool(
        """Kilimanjaro | Denali | Mont Blanc | Aconcagua | Elbrus | Annapurna | K2 | Mount Fuji | the Matterhorn | Etna
        Ararat | Ben Nevis | Kangchenjunga | Popocatépetl | the Zugspitze | Teide | Mount Cook | Olympus | Rainier"""
    ),
    pool("乞力马扎罗山 | 勃朗峰 | 珠穆朗玛峰 | 乔戈里峰 | 富士山 | 泰山 | 华山 | 黄山 | 峨眉山 | 玉山 | 贡嘎山"),
)
RIVER = Word(
    pool(
        """Danube | Nile | Amazon | Mekong | Rhine | Ganges | Volga | Mississippi | Congo | Yangtze | Niger | Loire
        Zambezi | Orinoco | Vistula | Indus | Murray | Thames | Paraná | Tagus"""
    ),
    pool("长江 | 黄河 | 珠江 | 尼罗河 | 亚马孙河 | 多瑙河 | 湄公河 | 莱茵河 | 恒河 | 伏尔加河 | 澜沧江 | 雅鲁藏布江"),
)
FIELD = Choice(
    {
        "politics": (("politics",), ("政治",)),
        "science": (("science",), ("科学", "科技")),
        "art": (("art", "the arts"), ("艺术",)),
        "sport": (("sport", "sports"), ("体育",)),
        "war": (("war", "wars"), ("战争",)),
    },
)


def _degrees(limit: float) -> Made:
    """Degrees as one copies them from a map: with a sign, never in words."""

    def make(draw: Draw) -> Drawn:
        value = round(draw.rng.uniform(-limit, limit), draw.rng.choice((2, 3, 4, 4)))
        return Drawn(str(value), value)

    return Made(make, (Form({"type": "number"}, meant),))


LATITUDE, LONGITUDE = _degrees(70), _degrees(179)
POINT = Record("{lat}, {lon}", "{lat}，{lon}", {"lat": LATITUDE, "lon": LONGITUDE})

COORDINATES = Family(
    key="atlas.coordinates",
    names=("find_coordinates", "geocode_place", "lat_lon_of", "locate_landmark", "place_to_gps"),
    about=(
        "Latitude and longitude of a well-known place.",
        "Gives the GPS coordinates of a landmark. Does not plan routes.",
        "From name to coordinates",
    ),
    about_zh=("查询地标的经纬度。", "由地名得到 GPS 坐标，不规划路线。"),
    params=(
        Param("place", LANDMARK, ("place_name", "landmark", "query"), ("Name of the place",), ("地点名称",)),
        Param(
            "style",
            Choice(
                {
                    "decimal": (("decimal degrees", "decimals"), ("十进制度", "小数格式")),
                    "dms": (("degrees, minutes and seconds", "degrees and minutes"), ("度分秒",)),
                }
            ),
            ("format", "notation"),
            ("How they are written",),
            ("坐标格式",),
            False,
            "decimal",
        ),
    ),
    asks=(
        "What are the coordinates of {place}[ in {style}]?",
        "where exactly on the globe is {place}, i need lat and long",
        "GPS position of {place}[, {style}]",
        "my drone wants numbers: {place}",
        "Give me latitude and longitude for {place}.",
        "I want to engrave the coordinates of {place} on a ring, that's where we met[, as {style}]",
        "pin for {place} as two numbers",
        "I'm setting up a sundial like the one at {place} and need its latitude and longitude",
    ),
    asks_zh=(
        "{place}的经纬度是多少[，{style}]？",
        "查一下{place}的坐标",
        "{place}的GPS位置[，用{style}]",
        "无人机要输坐标，{place}",
        "{place}在地球上的准确位置，要经度纬度",
        "想把{place}的坐标刻在戒指上[，{style}的]",
        "{place}，经纬度",
        "给我{place}的定位坐标",
        "拍星空要用，{place}北纬多少东经多少",
        "{place}的纬度和经度帮我找出来",
        "给孩子讲地图，{place}在经度几度纬度几度？",
    ),
    outcomes=(
        Outcome(
            fields=(("latitude", LATITUDE), ("longitude", LONGITUDE)),
            texts=("{latitude}, {longitude}",),
            answers=("It lies at {latitude}, {longitude}.", "Latitude {latitude}, longitude {longitude}."),
            answers_zh=("坐标是 {latitude}, {longitude}。", "纬度{latitude}，经度{longitude}。"),
        ),
    ),
    missing=(
        Missing(
            key="place",
            asks=("I need the coordinates of a place[ in {style}].", "latitude and longitude, please"),
            replies=("Of which place?", "Which place do you mean?"),
            asks_zh=("帮我查个坐标[，{style}]", "经纬度是多少？"),
            replies_zh=("请问是哪个地方？", "要查哪里的坐标？"),
        ),
    ),
)

PLACE_AT = Family(
    key="atlas.place_at",
    names=("place_at", "reverse_geocode", "what_is_there", "name_of_location", "gps_to_place"),
    about=(
        "Which place lies at given coordinates.",
        "From latitude and longitude to a name. Not for addresses.",
    ),
    about_zh=("根据经纬度查地名。", "坐标反查所在地点，不接受地址。"),
    params=(
        Param("lat", LATITUDE, ("latitude", "lat"), ("North is positive",), ("纬度，北为正",)),
        Param("lon", LONGITUDE, ("longitude", "lon", "lng"), ("East is positive",), ("经度，东为正",)),
        Param("radius", Integer(5, 100, 5), ("radius_km", "within_km"), ("Look that far",), ("搜索半径，公里",), False),
    ),
    asks=(
        "What is at latitude {lat}, longitude {lon}?",
        "where is lat {lat} lon {lon}",
        "The photo was taken at {lat} (lat), {lon} (lon). Which place is that?",
        "coordinates lat {lat}, lon {lon}: name of the nearest town[ within {radius} km]",
        "a ship last reported from longitude {lon}, latitude {lat}. what lies there?",
        "I found a note with two numbers, latitude {lat} and longitude {lon}. Treasure? Where would that be?",
        "look around lat {lat} / lon {lon}[, {radius} km at most]",
        "our sensor woke up at latitude {lat}, longitude {lon} and I have no idea what town that is",
    ),
    asks_zh=(
        "纬度{lat}，经度{lon}是什么地方？",
        "坐标纬度{lat}、经度{lon}在哪儿",
        "照片的定位是纬度{lat}，经度{lon}，哪里拍的",
        "经度{lon}纬度{lat}附近[{radius}公里内]有什么城镇",
        "船最后报的位置：经度{lon}，纬度{lat}，那是哪里",
        "查坐标：lat {lat}，lon {lon}",
        "纸条上写着纬度{lat}和经度{lon}，是指哪儿？",
        "lat={lat}，lon={lon}[，半径{radius}公里]，地名是？",
        "这个点在哪：纬度 {lat} 经度 {lon}",
        "追踪器最后停在纬度{lat}、经度{lon}，那边叫什么",
        "帮我看看经度{lon}、纬度{lat}落在哪个地方",
    ),
    outcomes=(
        Outcome(
            fields=(("name", City(0)), ("distance_km", Integer(1, 60))),
            texts=("{distance_km} km from {name}",),
            answers=("That is {distance_km} km from {name}.", "The nearest place is {name}, {distance_km} km away."),
            answers_zh=("离{name}{distance_km}公里。", "最近的是{name}，相距{distance_km}公里。"),
        ),
    ),
    missing=(
        Missing(
            key="lon",
            asks=("What place is at latitude {lat}?", "lat {lat}, where is that"),
            replies=("And the longitude?", "What is the longitude?"),
            asks_zh=("纬度{lat}是什么地方？", "纬度{lat}那个点在哪"),
            replies_zh=("请问经度是多少？", "经度呢？"),
        ),
    ),
)

GREAT_CIRCLE = Family(
    key="atlas.great_circle",
    names=("great_circle_distance", "gps_distance", "distance_of_points", "haversine"),
    about=(
        "Distance between two points given by coordinates, as the crow flies.",
        "Great-circle distance of two GPS positions.",
    ),
    about_zh=("计算两个坐标点之间的直线距离。", "两个 GPS 位置的大圆距离。"),
    params=(
        Param("start", POINT, ("point_a", "start", "origin"), ("First point",), ("第一个点",)),
        Param("end", POINT, ("point_b", "end", "target"), ("Second point",), ("第二个点",)),
        Param("miles", Flag(), ("in_miles", "use_miles"), ("Miles instead of kilometres",), ("用英里",), False),
    ),
    asks=(
        "How far is it from ({start}) to ({end})?",
        "distance between point A at {start} and point B at {end}",
        Ask("how many miles lie between ({start}) and ({end})", {"miles": True}),
        "My buoy drifted from ({start}) to ({end}). How far did it get?",
        "as the crow flies: start {start}; end {end}",
        "start is at {start}. finish is at {end}. length of the straight line?",
        Ask("Distance in miles please. From: {start}. To: {end}.", {"miles": True}),
        "two boats, one at ({start}), the other at ({end}). how much water is between them?",
    ),
    asks_zh=(
        "从（{start}）到（{end}）有多远？",
        "A点{start}；B点{end}，两点距离是多少",
        Ask("（{start}）与（{end}）相距多少英里", {"miles": True}),
        "浮标从（{start}）漂到了（{end}），漂了多远",
        "直线距离：起点 {start}；终点 {end}",
        "两个坐标隔多远？第一个 {start}；第二个 {end}",
        "起飞位置（{start}），降落位置（{end}），飞了多少公里",
        "算大圆距离，（{start}）至（{end}）",
        "一条船在（{start}），另一条在（{end}），隔多远",
        "无人机从（{start}）直飞（{end}），要飞多远",
    ),
    outcomes=(
        Outcome(
            fields=(("distance", Decimal(10, 9000, 1)),),
            texts=("{distance}",),
            answers=("The distance is {distance}.", "They are {distance} apart."),
            answers_zh=("距离是{distance}。", "两点相距{distance}。"),
        ),
    ),
    missing=(
        Missing(
            key="end",
            asks=("How far is it from ({start})?", "distance from point A at {start}"),
            replies=("To which point?", "What are the coordinates of the other point?"),
            asks_zh=("从（{start}）出发有多远？", "A点{start}，算距离"),
            replies_zh=("请问另一个点的坐标是？", "到哪个点？"),
        ),
    ),
)

HEIGHT = Family(
    key="atlas.height",
    names=("mountain_height", "summit_elevation", "peak_info", "how_high_is"),
    about=("Height of a mountain.", "Elevation of a summit above the sea, in metres or feet."),
    about_zh=("查询山峰海拔。", "山顶高度，米或英尺。"),
    params=(
        Param("peak", PEAK, ("peak", "mountain", "summit_name"), ("The mountain",), ("山峰",)),
        Param(
            "unit",
            Choice(
                {"metres": (("metres", "m"), ("米",)), "feet": (("feet", "ft"), ("英尺",))},
                ({"metres": "m", "feet": "ft"},),
            ),
            ("unit", "units"),
            ("In which unit",),
            ("单位",),
            False,
            "metres",
        ),
    ),
    asks=(
        "How high is {peak}[ in {unit}]?",
        "height of {peak}[, {unit}]",
        "we're climbing {peak} next summer, how far above the sea is the top?",
        "Is the air thin on {peak}? Tell me its elevation[ in {unit}].",
        "elevation {peak}",
        "my trivia card asks for the altitude of {peak}",
        "at how many {unit} is the summit of {peak}",
        "I bet my brother that {peak} is no giant. Settle it: how tall[ in {unit}]?",
    ),
    asks_zh=(
        "{peak}有多高[，用{unit}]？",
        "{peak}海拔多少",
        "明年要爬{peak}，山顶海拔是多少[{unit}]",
        "{peak}上缺氧吗，看看有多高",
        "查{peak}的高度[，单位{unit}]",
        "{peak}主峰多少{unit}",
        "{peak}，海拔",
        "孩子问{peak}高多少{unit}",
        "听说{peak}特别高，具体多少",
        "跟同事打赌{peak}没那么高，到底有多高",
        "站在{peak}顶上，脚下离海平面多远？",
    ),
    outcomes=(
        Outcome(
            fields=(("elevation", Integer(1300, 8800)),),
            texts=("{elevation}",),
            answers=("{peak} reaches {elevation}.", "The summit is at {elevation}."),
            answers_zh=("{peak}高{elevation}。", "海拔{elevation}。"),
        ),
    ),
    missing=(
        Missing(
            key="peak",
            asks=("How high is that mountain[ in {unit}]?", "what's the elevation of the summit"),
            replies=("Which mountain?", "What is the mountain called?"),
            asks_zh=("那座山有多高？", "查一下山的海拔"),
            replies_zh=("请问是哪座山？", "哪座山？"),
        ),
    ),
    also=("information.search_web", "information.encyclopedia"),
)

RIVER_COURSE = Family(
    key="atlas.river",
    names=("river_course", "countries_of_river", "river_facts", "trace_river"),
    about=("Where a river rises, flows and ends.", "Course of a river: source, mouth and the countries on its way."),
    about_zh=("查询河流的源头、流向和流经国家。", "河流走向。"),
    params=(Param("river", RIVER, ("river", "river_name", "stream"), ("Name of the river",), ("河流名称",)),),
    asks=(
        "Which countries does the {river} flow through?",
        "where does the {river} begin and end",
        "I'm doing a boat trip down the {river}, what's its course?",
        "source and mouth of the {river}",
        "Into which sea does the {river} empty?",
        "how long is the way of the {river} from spring to sea",
        "geography test: the {river}, from where to where?",
        "if I threw a bottle into the {river}, where would it end up?",
    ),
    asks_zh=(
        "{river}流经哪些国家？",
        "{river}发源于哪里，流到哪里去",
        "{river}最后注入哪个海",
        "地理考试：{river}的走向",
        "想坐船游{river}，沿途经过哪儿",
        "{river}的源头在什么地方？",
        "{river}从哪儿来到哪儿去，多长",
        "查{river}的流程",
        "{river}入海口在哪",
        "往{river}里扔个漂流瓶，最后会漂到哪里",
        "{river}一路上都经过谁家的地盘",
    ),
    outcomes=(
        Outcome(
            fields=(("length_km", Integer(400, 6600, 10)), ("source", Country(False)), ("mouth", Country(False))),
            texts=("{length_km} km, from {source} to {mouth}",),
            answers=("It runs {length_km} km, from {source} to {mouth}.", "From {source} to {mouth}: {length_km} km."),
            answers_zh=(
                "全长{length_km}公里，从{source}流到{mouth}。",
                "发源于{source}，止于{mouth}，{length_km}公里。",
            ),
        ),
    ),
    also=("information.search_web", "information.encyclopedia"),
)

YEAR_EVENTS = Family(
    key="atlas.year_events",
    names=("events_of_year", "history_by_year", "what_happened_in", "chronicle", "year_in_history"),
    about=(
        "What happened in a year of the past.",
        "Main events of a year, by country or field if wanted. Not for news.",
        "Historical chronicle",
    ),
    about_zh=("查询历史上某一年发生的大事。", "按年份查历史事件，可限国家或领域，不含新闻。"),
    params=(
        Param("year", year(1066, 1999), ("year", "in_year"), ("The year",), ("年份",)),
        Param("country", Country(False), ("country", "region"), ("Only there",), ("国家",), False),
        Param("field", FIELD, ("field", "category", "theme"), ("Only this field",), ("领域",), False),
        Param("count", Integer(2, 10), ("limit", "max_events"), ("How many",), ("条数",), False),
    ),
    asks=(
        "What happened in {year}[ in {country}]?",
        "main events of {year}[ in {field}]",
        "Our house was built in {year}. What was going on in the world[ of {field}]?",
        "{year} - give me {count} events",
        "which things made {year} a year to remember[ for {country}]",
        "for a quiz: {year}, {field}, {country}",
        "I'm writing a novel set in {country} in {year}. What shook the place back then?",
        "history of {year}[, only {field}][, {count} entries]",
    ),
    asks_zh=(
        "{year}年[{country}]发生了什么？",
        "{year}年的大事[，{field}方面的]",
        "老宅子是{year}年盖的，那年世上有啥大事",
        "列出{year}年的{count}件事",
        "写小说，背景是{year}年的{country}，当时出了什么事",
        "{year}年{country}{field}方面有什么事件",
        "历史上的{year}年[，只看{field}]",
        "{year}年有哪些值得记住的事[，给{count}条]",
        "查{year}年大事记[，{country}]",
        "{year}那一年到底怎么了",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "event",
                    Word(
                        pool(
                            """a new queen was crowned | a great fire burned the capital | the first railway opened
                            a peace treaty was signed | a comet was seen by day"""
                        ),
                        pool("新女王加冕 | 首都发生大火 | 第一条铁路通车 | 签订了和约 | 白天看到彗星"),
                    ),
                ),
            ),
            texts=("{event}",),
            answers=("In {year}, {event}.", "Among other things, {event}."),
            answers_zh=("{year}年，{event}。", "那一年{event}。"),
        ),
    ),
    missing=(
        Missing(
            key="year",
            asks=("What happened in that year[ in {country}]?", "main events of a year[ in {field}], please"),
            replies=("Which year?", "Which year would you like to know about?"),
            asks_zh=("那一年发生了什么？", "查一下历史大事[，{field}方面]"),
            replies_zh=("请问是哪一年？", "要查哪年的？"),
        ),
    ),
    also=("information.search_web", "information.encyclopedia"),
)

RULER = Family(
    key="atlas.ruler",
    names=("ruler_in_year", "head_of_state_in", "who_ruled", "monarch_lookup"),
    about=("Who ruled a country in a year.", "Monarch or head of state of a country at a time in history."),
    about_zh=("查询某国某年的统治者。", "历史上某年的君主或国家元首。"),
    params=(
        Param("country", Country(), ("country", "realm", "nation"), ("Which country",), ("国家",)),
        Param("year", year(1850, 2015), ("year", "at_year"), ("Which year",), ("年份",)),
    ),
    asks=(
        "Who ruled {country} in {year}?",
        "head of state of {country}, {year}",
        "I have a coin of {year} from {country}. Whose face is on it, who was in power?",
        "who sat on top in {country} back in {year}",
        "In {year}, who was king or president of {country}?",
        "under whom did people live in {country} in {year}",
        "my great-aunt left {country} in {year}. Who governed it then?",
        "whose portrait hung in the offices of {country} in {year}?",
    ),
    asks_zh=(
        "{year}年{country}是谁当政？",
        "{country}{year}年的国家元首是谁",
        "有一枚{country}{year}年的硬币，当时谁在位",
        "{year}年那会儿{country}谁说了算",
        "{country}，{year}年，君主或总统",
        "{year}年统治{country}的是哪位",
        "查{year}年{country}的领导人",
        "想知道{country}在{year}年是谁执政",
        "太奶奶{year}年离开{country}，那时候是谁在管",
        "{year}年{country}的当家人叫什么",
        "写论文，{country}，{year}年的执政者",
    ),
    outcomes=(
        Outcome(
            fields=(("ruler", Word(("Frederick III", "Isabella II", "Charles IV", "Maria I", "Otto II"))),),
            texts=("{ruler}",),
            answers=("It was {ruler}.", "{ruler} ruled in {year}."),
            answers_zh=("是{ruler}。", "{year}年在位的是{ruler}。"),
        ),
    ),
    missing=(
        Missing(
            key="year",
            asks=("Who ruled {country} back then?", "who was on the throne of {country}"),
            replies=("In which year?", "Which year do you mean?"),
            asks_zh=("{country}当时谁在位？", "{country}的君主是谁"),
            replies_zh=("请问是哪一年？", "哪一年的？"),
        ),
        Missing(
            key="country",
            asks=("Who was in power in {year}?", "which king ruled in {year}"),
            replies=("In which country?", "Of which country?"),
            asks_zh=("{year}年谁在位？", "{year}年是谁当政"),
            replies_zh=("请问是哪个国家？", "哪个国家的？"),
        ),
    ),
    also=("information.search_web", "information.encyclopedia"),
)

DOMAIN = Domain(
    "atlas",
    (COORDINATES, PLACE_AT, GREAT_CIRCLE, HEIGHT, RIVER_COURSE, YEAR_EVENTS, RULER),
    unserved=(
        ("Print a map of the old town.", "打印一张老城区地图。"),
        ("Share my live location with Anna.", "把我的实时位置分享给安娜。"),
        ("Book a guide for the climb.", "预订一位登山向导。"),
        ("Why did the Roman Empire fall?", "罗马帝国为什么灭亡？"),
        ("Which flag has a dragon on it?", "哪国国旗上有龙？"),
        ("Name five volcanoes that could erupt soon.", "说出五座可能喷发的火山。"),
        ("Is the border crossing open at night?", "口岸晚上开放吗？"),
        ("Draw my family tree.", "给我画一张家谱。"),
        ("How deep is the Mariana Trench?", "马里亚纳海沟有多深？"),
        ("Order a globe for the classroom.", "给教室订一个地球仪。"),
        ("Which museum shows the oldest maps?", "哪家博物馆有最古老的地图？"),
        ("Write an essay on the silk road.", "写一篇关于丝绸之路的文章。"),
    ),
)
