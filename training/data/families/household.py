"""The home as a building site: tradespeople, paint, borrowed tools, faults, cleaners and moving house."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Decimal, Flag, Integer, Word
from training.data.times import Clock, Day, Duration
from training.data.wordings import pool
from training.data.world import City, Person

from ._household_moves import CLEANING, MOVING

TRADE = Choice(
    {
        "plumber": (("plumber",), ("水管工", "管道师傅")),
        "electrician": (("certified electrician", "licensed electrician"), ("电工", "电工师傅")),
        "carpenter": (("carpenter", "joiner"), ("木工", "木匠")),
        "painter": (("painter", "decorator"), ("油漆工", "刷墙师傅")),
        "locksmith": (("locksmith",), ("开锁师傅", "锁匠")),
        "roofer": (("roofer",), ("屋顶防水师傅", "补漏师傅")),
        "tiler": (("tiler",), ("瓦工", "贴砖师傅")),
    },
    (
        {
            "plumber": "PLUMBING",
            "electrician": "ELECTRICAL",
            "carpenter": "CARPENTRY",
            "painter": "PAINTING",
            "locksmith": "LOCKS",
            "roofer": "ROOFING",
            "tiler": "TILING",
        },
    ),
)
DEVICE = Word(
    pool(
        """cordless drill | pressure washer | belt sander | tile cutter | long ladder | chainsaw | carpet cleaner
        jigsaw | hedge trimmer | wallpaper steamer | sewing machine | circular saw | heat gun | concrete mixer
        staple gun | wheelbarrow | leaf blower | soldering iron | paint sprayer | bench grinder | pipe wrench
        spirit level"""
    ),
    pool(
        """电钻 | 高压洗车机 | 砂光机 | 瓷砖切割机 | 人字梯 | 电锯 | 地毯清洗机 | 曲线锯 | 绿篱机 | 蒸汽除墙纸机
        缝纫机 | 圆锯 | 热风枪 | 搅拌机 | 射钉枪 | 独轮车 | 吹叶机 | 电烙铁 | 喷漆枪 | 角磨机 | 管钳 | 水平仪"""
    ),
)
DEFECT = Word(
    pool(
        """dripping tap | blocked drain | broken heater | mouldy wall | flickering lamp | cracked window | loose tile
        running toilet | jammed door | damp ceiling | dead socket | leaking pipe | squeaking floorboard | torn blind
        cold radiator | noisy fan | wobbly railing | broken doorbell | stuck window | smelly sink"""
    ),
    pool(
        """水龙头漏水 | 下水道堵了 | 暖气坏了 | 墙上发霉 | 灯一闪一闪 | 窗玻璃裂了 | 瓷砖松了 | 马桶一直流水 | 门卡住了
        天花板渗水 | 插座没电 | 水管漏水 | 地板咯吱响 | 百叶窗坏了 | 暖气片不热 | 排风扇太吵 | 扶手松动 | 门铃不响
        窗户打不开 | 水槽有异味"""
    ),
)
ROOM = Choice(
    {
        "kitchen": (("kitchen",), ("厨房",)),
        "bathroom": (("bathroom",), ("卫生间", "浴室")),
        "bedroom": (("bedroom",), ("卧室",)),
        "living_room": (("living room", "lounge"), ("客厅",)),
        "hallway": (("hallway", "corridor"), ("走廊", "过道")),
        "cellar": (("cellar", "basement"), ("地下室",)),
    },
    (
        {
            "kitchen": "KITCHEN",
            "bathroom": "BATH",
            "bedroom": "BEDROOM",
            "living_room": "LIVING",
            "hallway": "HALL",
            "cellar": "CELLAR",
        },
    ),
)
TICKET = Code(("R-9999", "HM-999999", "REP9999", "F99-999"))

TRADES = Family(
    key="household.find_trade",
    names=("find_tradesperson", "search_craftsmen", "find_handyman", "trades_directory", "local_trades"),
    about=(
        "Find a tradesperson in a city.",
        "Searches plumbers, electricians and other trades nearby, also for emergencies.",
        "A directory of craftsmen. It sends nobody.",
    ),
    about_zh=("查找当地的维修师傅。", "按工种和城市找师傅，可选加急。"),
    params=(
        Param("trade", TRADE, ("trade", "profession", "category"), ("Which trade",), ("工种",)),
        Param("city", City(), ("city", "town", "area"), ("Where",), ("城市",)),
        Param("urgent", Flag(), ("emergency", "urgent"), ("True in an emergency",), ("是否加急",), required=False),
        Param("rate", Integer(30, 120, 5), ("max_hourly_rate", "max_rate"), (), ("每小时最高价",), required=False),
    ),
    asks=(
        "I need a {trade} in {city}[, at most {rate} an hour].",
        "any good {trade} around {city}",
        Ask("Emergency! Which {trade} in {city} can come tonight?", {"urgent": True}),
        "My brother-in-law botched it, now I want a real {trade}. We live in {city}[, up to {rate} an hour].",
        "who do you call in {city} for {trade} work",
        Ask("It's urgent: a {trade} in {city}, please.", {"urgent": True}),
        "Could you recommend a {trade} in {city}?",
        Ask("No hurry, but I'm looking for a {trade} in {city}[ under {rate} per hour].", {"urgent": False}),
        "{city}, {trade} wanted",
    ),
    asks_zh=(
        "在{city}找个{trade}[，每小时不超过{rate}]",
        "{city}有靠谱的{trade}吗",
        Ask("急！{city}哪个{trade}今晚能来", {"urgent": True}),
        "自己弄坏了，还是得请{trade}，我在{city}",
        "求推荐{city}的{trade}[，时薪{rate}以内]",
        Ask("很急，{city}，要个{trade}", {"urgent": True}),
        "我住{city}，想请个{trade}上门",
        "家里要修东西，{city}哪里有{trade}",
        Ask("不着急，慢慢帮我在{city}找个{trade}", {"urgent": False}),
        "{city}的{trade}怎么联系",
        "刚搬到{city}，不认识{trade}，帮我找一个",
    ),
    outcomes=(
        Outcome(
            fields=(("name", Person()), ("hourly_rate", Integer(30, 90, 5))),
            texts=("{name}, {hourly_rate} per hour",),
            texts_zh=("{name}，每小时{hourly_rate}",),
            answers=(
                "{name} works in {city} for {hourly_rate} an hour.",
                "Try {name}: {hourly_rate} per hour.",
                "I found {name}, who charges {hourly_rate} an hour.",
            ),
            answers_zh=(
                "{city}的{name}，每小时{hourly_rate}。",
                "可以找{name}，收费每小时{hourly_rate}。",
                "找到了{name}，时薪{hourly_rate}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("I need a {trade}.", "do you know a good {trade}?"),
            replies=("In which city?", "Where do you need the {trade}?"),
            asks_zh=("帮我找个{trade}", "有没有靠谱的{trade}"),
            replies_zh=("请问在哪个城市？", "您在哪里？"),
        ),
        Missing(
            key="trade",
            asks=("I need somebody for repairs in {city}.", "find me a craftsman in {city}"),
            replies=("Which trade do you need, a plumber or an electrician for example?", "What kind of tradesperson?"),
            asks_zh=("在{city}找个师傅", "{city}有人能上门维修吗"),
            replies_zh=("请问要找哪种师傅？", "需要什么工种，水管工还是电工？"),
        ),
    ),
)

PAINT = Family(
    key="household.paint",
    names=("paint_needed", "wall_paint_calculator", "litres_of_paint", "how_much_paint"),
    about=(
        "How much paint a wall takes.",
        "Litres of paint for an area in square metres and a number of coats.",
        "Paint calculator; for walls and ceilings alike.",
    ),
    about_zh=("计算需要多少油漆。", "按面积（平方米）和涂刷遍数计算漆量。"),
    params=(
        Param(
            "area", Decimal(4, 140, 1), ("area_m2", "wall_area", "square_metres"), ("Area in m²",), ("面积，平方米",)
        ),
        Param(
            "coats", Integer(1, 4), ("coats", "layers", "number_of_coats"), ("Coats of paint",), ("涂刷遍数",), False, 2
        ),
        Param("rough", Flag(), ("rough_surface", "textured"), ("True for rough plaster",), ("墙面是否粗糙",), False),
    ),
    asks=(
        "How many litres do I need to paint {area} square metres[, {coats} coats]?",
        "painting {area} m2, how much paint[ for {coats} coats]",
        "The nursery has {area} square metres of wall. What size of bucket do I buy[ for {coats} coats]?",
        Ask("{area} m² of rough plaster, how much colour does that drink?", {"rough": True}),
        "We're redecorating, {area} square metres in all. How much white[, {coats} layers]?",
        "is there a rule for how much paint goes on {area} square metres?",
        Ask("A textured wall, {area} square metres: litres of paint[ for {coats} coats]?", {"rough": True}),
        "paint for {area} sqm please",
        "{coats} coats on {area} square metres, how many litres would that be",
    ),
    asks_zh=(
        "刷{area}平方米的墙要多少漆[，刷{coats}遍]？",
        "{area}平米，油漆买几升",
        "儿童房的墙一共{area}平方米，得买多大桶的漆",
        Ask("墙面很粗糙，{area}平方米，要多少涂料", {"rough": True}),
        "重新装修，{area}平米的墙，[刷{coats}遍，]乳胶漆要多少",
        "刷{coats}遍，面积{area}平方米，需要几升",
        "天花板{area}平方米，要用多少漆",
        "买漆怕买多，{area}平米够用是多少升",
        Ask("{area}平方米的粗糙水泥墙，[{coats}遍，]漆要准备多少", {"rough": True}),
        "想把客厅刷成白色，{area}平方米，多少漆才够",
    ),
    outcomes=(
        Outcome(
            fields=(("litres", Decimal(2, 40, 1)),),
            texts=("{litres} l of paint", "{litres} litres"),
            texts_zh=("需要{litres}升",),
            answers=("You need {litres} litres.", "{litres} litres of paint will do.", "Buy {litres} litres."),
            answers_zh=("需要{litres}升漆。", "买{litres}升就够。", "大约要{litres}升。"),
        ),
    ),
    missing=(
        Missing(
            key="area",
            asks=("How much paint do I need for the living room?", "how many litres for {coats} coats of white"),
            replies=("How many square metres do you want to paint?", "How large is the area?"),
            asks_zh=("刷客厅要多少漆", "刷{coats}遍需要几升漆"),
            replies_zh=("请问面积多少平方米？", "要刷多大面积？"),
        ),
    ),
)

BORROW = Family(
    key="household.borrow_tool",
    names=("borrow_tool", "reserve_from_tool_library", "tool_loan", "lend_me_tool", "tool_share_booking"),
    about=(
        "Borrow a tool from the tool library.",
        "Reserves a tool for some days from a given day.",
        "Lends out tools and machines. Sells none.",
    ),
    about_zh=("从工具共享站借工具。", "预约借用某件工具，从某天起借几天。"),
    params=(
        Param("tool", DEVICE, ("tool", "item", "equipment"), ("What to borrow, e.g. jigsaw",), ("工具名称",)),
        Param("day", Day(0, 21), ("pickup_date", "start_date", "from_day"), ("Day of pick-up",), ("取件日期",)),
        Param(
            "length",
            Duration("days", (1, 2, 3, 4, 5, 7, 10, 14)),
            ("days", "loan_days"),
            ("How long",),
            ("借用天数",),
            False,
        ),
    ),
    asks=(
        "I'd like to borrow a {tool} on {day}[ for {length}].",
        "is there a {tool} I could have {day}? put it aside for me",
        "Reserve the {tool} for me, I'll fetch it on {day}[ and keep it for {length}].",
        "We're doing up the flat and lack a {tool}. Can I pick one up {day}[, for {length}]?",
        "{tool}, from {day}[, {length}]",
        "Buying a {tool} for one job is silly. Get me one on loan from {day}.",
        "On {day} I need a {tool}[ for {length}], borrowed of course.",
        "Could the tool library lend me a {tool} on {day}?",
    ),
    asks_zh=(
        "想借一下{tool}，{day}来拿[，用{length}]",
        "{day}有{tool}可以借吗？帮我留着",
        "预约{tool}，{day}取[，借{length}]",
        "就用一次不想买，{day}借个{tool}给我",
        "家里装修缺{tool}，{day}去借[，{length}就还]",
        "{day}要用{tool}，帮我在工具站订一个",
        "借{tool}，{day}开始[，共{length}]",
        "工具共享站的{tool}，{day}我要用[{length}]",
        "能不能{day}借{tool}给我用用",
        "老爸{day}要修篱笆，替他借{tool}[，借{length}]",
    ),
    outcomes=(
        Outcome(
            fields=(("ready_at", Clock(8, 18)), ("deposit", Integer(10, 80, 5))),
            texts=("reserved, ready at {ready_at}, deposit {deposit}",),
            texts_zh=("已预留，{ready_at}可取，押金{deposit}",),
            answers=(
                "The {tool} is reserved; pick it up from {ready_at}, deposit {deposit}.",
                "You can have the {tool} from {ready_at} on.",
                "Reserved. The deposit is {deposit}.",
            ),
            answers_zh=(
                "{tool}留好了，{ready_at}可以取，押金{deposit}元。",
                "已预约{tool}，{ready_at}来拿。",
                "好了，押金{deposit}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="day",
            asks=("I want to borrow a {tool}.", "put a {tool} aside for me for {length}"),
            replies=("On which day do you want to pick up the {tool}?", "From which day do you need it?"),
            asks_zh=("想借{tool}", "帮我借个{tool}，用{length}"),
            replies_zh=("请问哪天来取？", "{tool}从哪天开始借？"),
        ),
        Missing(
            key="tool",
            asks=("I need to borrow a tool on {day}.", "reserve something from the tool library for {day}"),
            replies=("Which tool would you like?", "What do you want to borrow?"),
            asks_zh=("{day}想借个工具", "{day}去工具站借东西，帮我预约"),
            replies_zh=("请问要借什么工具？", "借哪一件？"),
        ),
    ),
)

REPORT = Family(
    key="household.report_fault",
    names=("report_defect", "notify_landlord", "file_repair_request", "maintenance_request", "tell_property_manager"),
    about=(
        "Report a fault in the flat to the landlord.",
        "Files a repair request with the property management: what is broken and in which room.",
        "Repair requests of tenants. For how one of them stands use another tool.",
    ),
    about_zh=("向房东报修。", "向物业提交报修单：什么坏了、在哪个房间。"),
    params=(
        Param("defect", DEFECT, ("defect", "issue", "description"), ("What is broken",), ("故障描述",)),
        Param("room", ROOM, ("room", "location_in_flat"), ("Which room",), ("房间",)),
        Param("since", Day(-14, 0), ("since", "first_noticed"), ("Since when",), ("从何时起",), required=False),
    ),
    asks=(
        "Tell the landlord there's a {defect} in the {room}[, noticed {since}].",
        "{defect} in the {room}, please report it",
        "We have a {defect} in our {room}. Somebody from the management should deal with it.",
        "Report: {room}, {defect}[, first seen {since}].",
        "The {room} again! This time a {defect}. Let the property people know.",
        "can you write to the management about the {defect} in the {room}",
        "I pay rent and live with a {defect} in the {room}. File a repair request.",
        "A {defect} showed up in the {room}[, I noticed it {since}]. It's a matter for the owner.",
    ),
    asks_zh=(
        "跟房东说一下，{room}{defect}[，{since}发现的]",
        "报修：{room}，{defect}",
        "{room}{defect}，让物业来修",
        "我家{room}{defect}，帮我提交报修单",
        "{room}又出问题了，{defect}，通知物业",
        "{since}发现{room}{defect}，上报一下",
        "房租照付，{room}{defect}没人管，报修",
        "麻烦给管理处报一下{room}{defect}的事",
        "{room}里{defect}，得找房东处理",
        "登记维修，{room}，{defect}[，{since}开始的]",
    ),
    outcomes=(
        Outcome(
            fields=(("request_id", TICKET),),
            texts=("request {request_id} filed",),
            texts_zh=("报修单{request_id}已提交",),
            answers=(
                "It is reported as {request_id}.",
                "The landlord knows about it now; the number is {request_id}.",
                "Filed: {request_id}.",
            ),
            answers_zh=(
                "已报修，单号{request_id}。",
                "报修单{request_id}已提交。",
                "房东那边收到了，编号{request_id}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="room",
            asks=("Tell the landlord about a {defect}.", "{defect}, please report it to the management"),
            replies=("In which room is it?", "Which room is affected?"),
            asks_zh=("跟房东说一下，{defect}", "报修，{defect}"),
            replies_zh=("请问是哪个房间？", "在哪间屋子？"),
        ),
    ),
    also=("housing.repair",),
)

REPORT_STATE = Family(
    key="household.repair_status",
    names=("repair_request_status", "check_repair", "maintenance_progress", "when_is_it_fixed"),
    about=(
        "How a repair request stands.",
        "State of a repair that was reported to the landlord, by its number.",
        "Looks up a request that exists; files no new one.",
    ),
    about_zh=("查询报修进度。", "按单号查看报修处理情况，不能新建。"),
    params=(Param("ticket", TICKET, ("request_id", "ticket", "reference_number"), ("The number",), ("报修单号",)),),
    asks=(
        "What's happening with repair {ticket}?",
        "any news on {ticket}",
        "When will somebody come about {ticket}?",
        "I reported it weeks ago ({ticket}) and nobody has shown up.",
        "Has the landlord looked at {ticket} yet?",
        "status {ticket}",
        "Is {ticket} still open, or did they forget me?",
        "My flatmate asks how far they are with {ticket}.",
    ),
    asks_zh=(
        "报修单{ticket}处理到哪一步了？",
        "{ticket}有消息吗",
        "{ticket}什么时候派人来修",
        "几周前报的修，{ticket}，怎么还没人来",
        "房东看过{ticket}了没",
        "查一下{ticket}的进度",
        "{ticket}是不是被忘了",
        "室友问{ticket}修得怎么样了",
        "报修编号{ticket}，现在啥情况",
        "催一催，{ticket}安排上了吗",
    ),
    outcomes=(
        Outcome(
            fields=(("visit", Day(1, 14)), ("worker", Person())),
            texts=("{worker} comes on {visit}",),
            texts_zh=("{worker}{visit}上门",),
            answers=(
                "{worker} will come on {visit}.",
                "The repair is planned: {worker}, {visit}.",
                "For {ticket} the visit is on {visit}.",
            ),
            answers_zh=("{worker}{visit}上门维修。", "已安排，{visit}由{worker}来修。", "{ticket}定在{visit}处理。"),
        ),
    ),
    missing=(
        Missing(
            key="ticket",
            asks=("How is my repair request coming along?", "any news about the repair I reported"),
            replies=("What is the number of the request?", "Which request number is it?"),
            asks_zh=("我的报修怎么样了", "之前报的修有进展吗"),
            replies_zh=("请问报修单号是多少？", "单号是哪个？"),
        ),
    ),
)

DOMAIN = Domain(
    "household",
    (TRADES, PAINT, BORROW, REPORT, REPORT_STATE, CLEANING, MOVING),
    unserved=(
        ("Cancel my rental contract by the end of June.", "六月底把租约退掉。"),
        ("Hang the picture above the sofa.", "把画挂到沙发上面。"),
        ("Lay the parquet in the bedroom.", "把卧室的木地板铺好。"),
        ("Is wallpaper coming back into fashion?", "墙纸又流行了吗？"),
        ("Chop wood for the stove.", "给炉子劈点柴。"),
        ("Redirect my post to the new address.", "把我的信件转到新地址。"),
        ("What does a square metre cost in this street?", "这条街房价一平米多少？"),
        ("Evict the tenant on the third floor.", "让三楼的租客搬走。"),
        ("Design a new kitchen for me.", "帮我设计一个新厨房。"),
        ("Lower the rent by ten percent.", "把房租降百分之十。"),
        ("Take the rubbish out.", "把垃圾倒了。"),
        ("Find me a flatmate who likes cats.", "找个喜欢猫的室友。"),
        ("Build a shelf from these boards.", "用这些木板做个书架。"),
    ),
)
