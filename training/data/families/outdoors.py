"""Hikes, huts, tents and gear: what one plans before going outside."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, Word
from training.data.times import Clock, Day, Moment
from training.data.wordings import pool
from training.data.world import Person, Phone

from ._outdoors_gear import GEAR, SIGHTING

REGION = Word(
    pool(
        """Lake District | Black Forest | Dolomites | Tatra Mountains | Cairngorms | Snowdonia | Picos de Europa
        Vosges | Blue Ridge Mountains | Sierra Nevada | Peak District | Bavarian Alps | Pyrenees | Jura | Harz
        Drakensberg | Carpathians | Julian Alps | Lofoten Islands | Southern Alps"""
    ),
    pool(
        """黄山 | 四姑娘山 | 武功山 | 莫干山 | 秦岭 | 香格里拉 | 长白山 | 庐山 | 峨眉山 | 太行山 | 张家界 | 雁荡山
        梅里雪山 | 贡嘎 | 天目山 | 武夷山 | 五台山 | 阿尔卑斯山 | 大围山 | 百花山"""
    ),
)
TRAIL = Word(
    pool(
        """Eagle Ridge | Old Mill Path | Seven Lakes Loop | Witches' Trail | Kestrel Way | Summit Route
        Fox Valley Walk | Glacier Path | Monk's Steps | Coastal Way | Pine Needle Loop | Smugglers' Trail
        Waterfall Walk | Iron Bridge Path | Shepherd's Round | Silver Birch Trail | Lighthouse Track | Bear Creek Trail
        Red Rock Circuit | Marsh Boardwalk"""
    ),
    pool(
        """鹰嘴岭步道 | 七湖环线 | 古磨坊小径 | 松针环路 | 瀑布步道 | 冰川路线 | 海岸线步道 | 灯塔小路 | 红石环线
        白桦林步道 | 云海栈道 | 天门古道 | 虎跳峡徒步线 | 竹海步道 | 九曲溪步道 | 徽杭古道 | 龙脊线 | 野鸭湖环线
        望江亭步道 | 茶马古道"""
    ),
)
HARDNESS = Choice(
    {
        "easy": (("easy", "gentle"), ("轻松", "简单")),
        "moderate": (("moderate", "medium"), ("中等",)),
        "hard": (("hard", "demanding"), ("高难度", "有挑战")),
    },
    (
        {"easy": "T1", "moderate": "T3", "hard": "T5"},
        {"easy": "green", "moderate": "blue", "hard": "black"},
        {"easy": 1, "moderate": 2, "hard": 3},
    ),
)
CAMPSITE = Word(
    pool(
        """Lakeside Camp | Pine Grove | Blue Lagoon Camping | Riverbend | Camp Kestrel | Dune Camping | Hilltop Meadow
        Old Orchard Camp | Camping Aurora | Beaver Creek | Sunny Bay | Moorland Camp | Camp Nordwind | Willow Field
        Echo Valley | Starry Night Camp | Camping La Rosa | Heron Point | Cliffside Camping | Maple Camp"""
    ),
    pool(
        """湖畔营地 | 松林营地 | 蓝湾露营地 | 星空营地 | 河湾营地 | 山顶草甸营地 | 果园露营地 | 日出营地 | 白鹭洲营地
        沙丘营地 | 枫林营地 | 云端营地 | 野奢营地 | 柳岸营地 | 回声谷营地 | 望海营地 | 竹林营地 | 牧场营地 | 观星台营地
        鹿鸣营地"""
    ),
)
PITCH = Choice(
    {
        "tent": (("a tent", "our tent"), ("帐篷",)),
        "caravan": (("a caravan", "the caravan"), ("拖挂房车",)),
        "camper_van": (("a camper van", "our van"), ("自行式房车", "床车")),
        "cabin": (("a cabin", "a wooden hut"), ("小木屋",)),
    },
    ({"tent": "TENT", "caravan": "CARAVAN", "camper_van": "VAN", "cabin": "CABIN"},),
)

FIND_HIKES = Family(
    key="outdoors.find_hikes",
    names=("find_hikes", "search_trails", "hiking_routes", "suggest_walk", "trail_finder"),
    about=(
        "Find hikes in a region.",
        "Searches hiking routes by region, longest distance and difficulty.",
        "Suggests walks. It does not say whether a path is open.",
    ),
    about_zh=("查找徒步路线。", "按地区、最长距离和难度搜索徒步路线。"),
    params=(
        Param("region", REGION, ("region", "area", "mountains"), ("Where",), ("地区",)),
        Param(
            "km", Integer(4, 30), ("max_km", "max_distance_km", "length_km"), ("At most km",), ("最长公里数",), False
        ),
        Param("hard", HARDNESS, ("difficulty", "grade", "level"), ("Difficulty",), ("难度",), required=False),
        Param("dogs", Flag(), ("dog_friendly", "dogs_allowed"), ("True with a dog",), ("是否可带狗",), required=False),
    ),
    asks=(
        "Where can we go for a walk in the {region}[, no more than {km} km]?",
        "hikes in the {region}[, {hard}][, up to {km} km]",
        "We have two days in the {region} and want to stretch our legs. Any {hard} tours?",
        Ask("A walk in the {region} where the dog may come along[, at most {km} km]?", {"dogs": True}),
        "My knees are bad, so show me {hard} trails in the {region}[ under {km} km].",
        "What's a nice path in the {region}?",
        Ask("dog friendly trail, {region}[, {hard}]", {"dogs": True}),
        "I'd love some fresh air and a view. I'm in the {region}[ and {km} km is my limit].",
        "Recommend me a hike of up to {km} km in the {region}, something {hard}.",
    ),
    asks_zh=(
        "{region}有什么徒步路线[，{km}公里以内]？",
        "周末想去{region}走走，推荐条{hard}的路线",
        "{region}哪里适合爬山[，不超过{km}公里]",
        Ask("想带狗去{region}徒步[，{km}公里以内]，走哪条", {"dogs": True}),
        "膝盖不好，{region}有{hard}一点的步道吗",
        "在{region}待两天，想活动活动，有什么路线[，{hard}的]",
        "{region}徒步[，{km}公里内][，{hard}]",
        "想呼吸新鲜空气，人在{region}，去哪走走",
        Ask("{region}能带狗的步道有哪些[，难度{hard}]", {"dogs": True}),
        "找一条{region}的{hard}线路，最长{km}公里",
        "带爸妈去{region}，走哪条道好",
    ),
    outcomes=(
        Outcome(
            fields=(("trail", TRAIL), ("climb_m", Integer(50, 1200, 10))),
            texts=("{trail}: {climb_m} m up",),
            texts_zh=("{trail}，爬升{climb_m}米",),
            answers=(
                "Try {trail} in the {region}, with {climb_m} m of climbing.",
                "{trail} would suit you: {climb_m} m up.",
                "There is {trail}.",
            ),
            answers_zh=(
                "可以走{trail}，爬升{climb_m}米。",
                "{region}的{trail}不错。",
                "推荐{trail}，累计爬升{climb_m}米。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="region",
            asks=("Find me a hike, something {hard}.", "a walk of at most {km} km, please"),
            replies=("In which region?", "Where would you like to hike?"),
            asks_zh=("推荐条{hard}的徒步路线", "想找条{km}公里以内的步道"),
            replies_zh=("请问在哪个地区？", "想去哪里徒步？"),
        ),
    ),
)

TRAIL_STATE = Family(
    key="outdoors.trail_status",
    names=("trail_status", "is_trail_open", "path_conditions", "check_trail", "trail_report"),
    about=(
        "Whether a trail is open, and in what state.",
        "Current condition of one hiking trail: closures, mud, snow.",
        "Reports on one known path. Finds no paths.",
    ),
    about_zh=("查询步道是否开放。", "某条步道的开放情况和路况。"),
    params=(Param("trail", TRAIL, ("trail", "trail_name", "path"), ("Name of the trail",), ("步道名称",)),),
    asks=(
        "Is {trail} open?",
        "how muddy is {trail} right now",
        "Can we walk {trail} after all that rain?",
        "They felled trees along {trail} last week. Can one get through again?",
        "Will I need crampons on {trail}?",
        "Is there still snow on {trail}?",
        "{trail} closed?",
        "Before we drive two hours: in what state is {trail}?",
    ),
    asks_zh=(
        "{trail}现在开放吗？",
        "下了几天雨，{trail}还能走吗",
        "{trail}路况怎么样",
        "听说{trail}塌方了，通了没有",
        "{trail}上还有雪吗",
        "去{trail}要带冰爪吗",
        "{trail}封了没",
        "开车两个小时才到，先问问{trail}能不能进",
        "{trail}泥不泥泞",
        "走{trail}之前看一眼路况",
        "今天{trail}让不让上山",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "state",
                    Choice(
                        {
                            "open": (("open",), ("开放",)),
                            "closed": (("closed",), ("关闭",)),
                            "partly open": (("partly open",), ("部分开放",)),
                        }
                    ),
                ),
                ("checked_days_ago", Integer(2, 6)),
            ),
            texts=("{state}, checked {checked_days_ago} days ago",),
            texts_zh=("{state}，{checked_days_ago}天前检查",),
            answers=(
                "{trail} is {state}.",
                "It is {state}; somebody checked {checked_days_ago} days ago.",
                "{checked_days_ago} days ago {trail} was {state}.",
            ),
            answers_zh=(
                "{trail}目前{state}。",
                "{state}，{checked_days_ago}天前检查过。",
                "{checked_days_ago}天前的消息：{trail}{state}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="trail",
            asks=("Is the trail open?", "how are the conditions on the path"),
            replies=("Which trail do you mean?", "What is the name of the trail?"),
            asks_zh=("步道开放吗", "那条路现在能走吗"),
            replies_zh=("请问是哪条步道？", "步道叫什么名字？"),
        ),
    ),
)

CAMP = Family(
    key="outdoors.book_pitch",
    names=("book_pitch", "reserve_campsite", "campsite_booking", "book_camping_spot"),
    about=(
        "Book a place on a campsite.",
        "Reserves a pitch for tent, caravan or van, or a cabin, for some nights.",
        "Campsites only; hotels are another matter.",
    ),
    about_zh=("预订露营地营位。", "按营地、日期、晚数和住宿类型预订营位。"),
    params=(
        Param("site", CAMPSITE, ("campsite", "site_name", "camp"), ("Which campsite",), ("营地",)),
        Param("day", Day(1, 90), ("arrival", "check_in", "arrival_date"), ("Day of arrival",), ("到达日期",)),
        Param("nights", Integer(2, 10), ("nights", "number_of_nights"), ("How many nights",), ("住几晚",)),
        Param("kind", PITCH, ("pitch_type", "accommodation"), ("What to sleep in",), ("营位类型",), required=False),
        Param(
            "people", Integer(2, 8), ("guests", "people", "group_size"), ("How many people",), ("人数",), required=False
        ),
        Param("power", Flag(), ("electricity", "with_power"), ("True with power",), ("是否要电源",), required=False),
    ),
    asks=(
        "Book us in at {site} from {day} for {nights} nights[, with {kind}].",
        "{site}, arriving {day}, {nights} nights[, {people} people][, {kind}]",
        "We'd like to camp at {site}. Arrival is on {day} and we stay {nights} nights[; there are {people} of us].",
        Ask("A spot with electricity at {site}, {nights} nights, arriving on {day}[, for {kind}].", {"power": True}),
        "The kids want to sleep outside: {nights} nights at {site}, check-in {day}.",
        "is {site} free for {nights} nights from {day}? if so reserve[, we come with {kind}]",
        "Put up {people} people at {site} for {nights} nights, we arrive on {day}.",
        Ask("No power needed, just a quiet place at {site} on {day} for {nights} nights.", {"power": False}),
    ),
    asks_zh=(
        "订{site}，{day}到，住{nights}晚[，住{kind}]",
        "{day}去{site}露营，{nights}个晚上[，{people}个人]，帮我订",
        "想在{site}住{nights}晚，{day}入住[，{people}人]",
        Ask("{site}订个带电源的营位，{day}到，{nights}晚[，{kind}]", {"power": True}),
        "孩子吵着要露营，{site}，{day}，{nights}晚",
        "{site}{day}有位子吗？有就订{nights}晚[，我们是{kind}]",
        "我们{people}个人{day}到{site}，待{nights}晚，预订营位",
        "露营预订：{site}，{day}，{nights}晚[，{kind}]",
        Ask("{day}到{site}，{nights}晚，不用接电", {"power": False}),
        "帮忙占个{site}的营位，{day}开始，{nights}晚",
    ),
    outcomes=(
        Outcome(
            fields=(("pitch", Integer(1, 140)), ("price", Integer(15, 280))),
            texts=("pitch {pitch}, {price} in all",),
            texts_zh=("{pitch}号营位，共{price}元",),
            answers=(
                "You have pitch {pitch} at {site}, for {price}.",
                "Booked: pitch {pitch}, {price} in all.",
                "Pitch {pitch} is reserved.",
            ),
            answers_zh=(
                "订好了，{site}{pitch}号营位，共{price}元。",
                "{pitch}号营位已预订。",
                "预订成功，{pitch}号，{price}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="nights",
            asks=("Reserve a place at {site} from {day}.", "we arrive at {site} on {day} with {kind}, book it"),
            replies=("How many nights will you stay?", "For how many nights?"),
            asks_zh=("{day}去{site}露营，订一下", "订{site}，{day}到"),
            replies_zh=("请问住几晚？", "打算住几个晚上？"),
        ),
        Missing(
            key="site",
            asks=("We want to camp for {nights} nights from {day}.", "book a pitch, {day}, {nights} nights"),
            replies=("At which campsite?", "Which campsite would you like?"),
            asks_zh=("{day}想去露营，{nights}晚", "订个营位，{day}，{nights}晚"),
            replies_zh=("请问订哪个营地？", "想去哪家营地？"),
        ),
    ),
    errors=("the campsite is full on these days",),
)

SAFETY = Family(
    key="outdoors.safety_plan",
    names=("leave_tour_plan", "register_hike", "trip_check_in", "safety_plan", "file_route_plan"),
    about=(
        "Leave word of a hike, so that somebody looks for you.",
        "Registers a tour with the time of return; the contact is alarmed if you are late.",
        "A safety net for people who walk alone. Finds no routes.",
    ),
    about_zh=("登记徒步行程以备安全。", "登记路线和返回时间，超时会通知联系人。"),
    params=(
        Param("trail", TRAIL, ("route", "trail", "tour"), ("Where you go",), ("路线",)),
        Param(
            "back", Moment(Day(0, 4), Clock(13, 21)), ("back_by", "return_time", "expected_return"), (), ("返回时间",)
        ),
        Param("contact", Person(), ("emergency_contact", "contact_name"), ("Who is told",), ("紧急联系人",)),
        Param("phone", Phone(), ("contact_phone", "phone"), ("Their number",), ("联系人电话",), required=False),
    ),
    asks=(
        "I'm walking {trail} and should be back {back}. If not, call {contact}[, {phone}].",
        "hiking {trail} alone, return {back}, contact {contact}[ {phone}]",
        "If I haven't come down from {trail} by then, {back}, let {contact} know[ on {phone}].",
        "Register my tour: {trail}, back {back}, {contact} is my emergency contact[, number {phone}].",
        "My wife worries when I'm up on {trail}. I'll be home {back}; alarm {contact} otherwise.",
        "Leave word that I'm on {trail}. Return planned {back}. In an emergency tell {contact}[: {phone}].",
        "safety check-in: {trail}, {contact}, back {back}",
        "Going up {trail} now. Expect me {back}, and warn {contact}[ at {phone}] if I don't show up.",
    ),
    asks_zh=(
        "我去走{trail}，{back}回来，没回就联系{contact}[，电话{phone}]",
        "一个人爬{trail}，预计{back}下山，紧急联系人{contact}[，{phone}]",
        "登记行程：{trail}，{back}返回，联系人{contact}",
        "{back}还没从{trail}下来就通知{contact}[，号码{phone}]",
        "家里人不放心，我走{trail}，{back}到家，有事找{contact}",
        "徒步报备，路线{trail}，返程{back}，出事联系{contact}[{phone}]",
        "要是{back}我还没回，告诉{contact}我在{trail}",
        "现在上{trail}，{back}应该能回，超时就打给{contact}[，{phone}]",
        "给我报个平安计划：{trail}，{contact}，{back}回",
        "独自走{trail}，{back}前返回，麻烦登记，联系人是{contact}",
    ),
    outcomes=(
        Outcome(
            fields=(("grace_minutes", Integer(30, 120, 15)),),
            texts=("registered, alarm {grace_minutes} min after the return time",),
            texts_zh=("已登记，超时{grace_minutes}分钟后报警",),
            answers=(
                "Your tour is registered. {contact} is told if you are {grace_minutes} minutes late.",
                "Done. After {grace_minutes} minutes without word I tell {contact}. Have a good walk!",
                "The plan for {trail} is saved.",
            ),
            answers_zh=(
                "已登记，超时{grace_minutes}分钟会通知{contact}。",
                "{trail}的行程已备案，注意安全。",
                "好的，晚{grace_minutes}分钟就联系{contact}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="contact",
            asks=("I'm hiking {trail}, back {back}. Register it.", "leave word: {trail}, return {back}"),
            replies=("Who should be told if you are late?", "Who is your emergency contact?"),
            asks_zh=("我去{trail}，{back}回，登记一下", "徒步报备：{trail}，{back}返回"),
            replies_zh=("请问紧急联系人是谁？", "超时通知谁？"),
        ),
        Missing(
            key="back",
            asks=(
                "Register my hike on {trail}, contact {contact}.",
                "I'm off to {trail}; tell {contact} if I don't return",
            ),
            replies=("When do you expect to be back?", "By when will you be back?"),
            asks_zh=("我走{trail}，紧急联系人{contact}，登记", "去爬{trail}，出事找{contact}"),
            replies_zh=("请问几点回来？", "预计什么时候返回？"),
        ),
    ),
)

DOMAIN = Domain(
    "outdoors",
    (FIND_HIKES, TRAIL_STATE, CAMP, SAFETY, GEAR, SIGHTING),
    unserved=(
        ("Waterproof my hiking boots.", "给我的登山鞋做防水。"),
        ("Which mushrooms can I eat raw?", "哪些蘑菇可以生吃？"),
        ("Patch the hole in my tent.", "把我帐篷上的洞补好。"),
        ("Who climbed Everest first?", "谁最先登上珠峰？"),
        ("Light a campfire.", "生一堆篝火。"),
        ("Get me a fishing licence for the lake.", "帮我办湖区的钓鱼证。"),
        ("Carry my backpack to the next hut.", "把我的背包送到下一个山屋。"),
        ("Tell me a ghost story for the campfire.", "讲个适合篝火的鬼故事。"),
        ("How do I treat a blister?", "脚上起水泡怎么处理？"),
        ("Print a map of the valley.", "打印一张山谷地图。"),
        ("Teach me to read a compass.", "教我看指南针。"),
        ("Measure my heart rate while I climb.", "爬山的时候测我的心率。"),
    ),
)
