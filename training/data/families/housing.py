"""Homes: flats to rent and buy, viewings, what a home is worth, repairs, rent, neighbours."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Word
from training.data.sums import Cash, Result
from training.data.times import Clock, Day
from training.data.wordings import year
from training.data.world import City

DEAL = Choice(
    {"rent": (("to rent", "for rent"), ("租房", "租")), "buy": (("to buy", "for sale"), ("买房", "买"))},
    ({"buy": "sale"}, {"rent": "RENT", "buy": "BUY"}),
)
FEATURES = Word(
    (
        *("balcony", "garden", "lift", "parking space", "dishwasher", "bathtub", "fireplace", "sea view", "cellar"),
        *("floor heating", "pets allowed", "furnished", "roof terrace", "open kitchen"),
        *("guest toilet", "air conditioning"),
        *("fast internet", "two bathrooms", "step-free access", "bike room", "walk-in closet"),
    ),
    (
        *("阳台", "花园", "电梯", "停车位", "洗碗机", "浴缸", "壁炉", "海景", "地下室", "地暖", "可养宠物", "带家具"),
        *("露台", "开放式厨房", "双卫", "空调", "高速宽带", "无障碍通道", "衣帽间", "天然气", "飘窗"),
    ),
)
LISTING = Code(("H-99999", "AA9999", "RE-9999", "99999-A", "L999999"))
DEFECT = Word(
    (
        *("a dripping tap", "a broken radiator", "a blocked drain", "a leaking roof", "no hot water", "a stuck window"),
        *("mould on the wall", "a dead light switch", "a loose door handle", "a rattling fan", "a cracked tile"),
        *("a noisy boiler", "a running toilet", "a faulty socket", "a broken blind", "a smell of gas"),
        *("a jammed lock", "peeling paint", "a broken oven", "water under the sink", "a flickering lamp"),
    ),
    (
        *("水龙头滴水", "暖气片坏了", "下水道堵了", "屋顶漏水", "没有热水", "窗户卡住", "墙上发霉", "电灯开关失灵"),
        *("门把手松了", "排风扇异响", "瓷砖裂了", "热水器有噪音", "马桶一直流水", "插座没电", "百叶窗坏了", "门锁卡住"),
        *("墙皮脱落", "烤箱坏了", "水槽下面漏水", "灯一直闪", "燃气灶打不着火"),
    ),
)
ROOM = Choice(
    {
        "kitchen": (("kitchen",), ("厨房",)),
        "bathroom": (("bathroom",), ("卫生间", "浴室")),
        "bedroom": (("bedroom",), ("卧室",)),
        "living_room": (("living room", "lounge"), ("客厅",)),
        "hallway": (("hallway", "corridor"), ("走廊", "过道")),
        "basement": (("basement",), ("地下室",)),
    },
)
URGENCY = Choice(
    {
        "low": (("not urgent", "no hurry"), ("不急", "不着急")),
        "normal": (("normal priority",), ("普通优先级", "一般优先级")),
        "high": (("urgent", "really urgent"), ("很急", "紧急")),
    },
    ({"low": "LOW", "normal": "NORMAL", "high": "HIGH"},),
)

SEARCH = Family(
    key="housing.search",
    names=("search_homes", "find_flats", "property_search", "list_properties", "home_finder"),
    about=(
        "Find homes to rent or buy.",
        "Searches flats and houses in a city by rooms, price and features.",
        "Property listings. Does not arrange viewings.",
    ),
    about_zh=("搜索房源。", "按城市、房间数、价格等条件找房，不安排看房。", "查找出租或出售的房子。"),
    params=(
        Param("city", City(0.2), ("city", "location", "area"), ("Where",), ("城市",)),
        Param("deal", DEAL, ("deal", "listing_type", "offer"), ("Rent or buy",), ("租还是买",)),
        Param(
            "rooms", Integer(2, 6), ("min_rooms", "rooms", "bedrooms"), ("At least so many rooms",), ("房间数",), False
        ),
        Param("price", Cash(400, 900_000), ("max_price", "budget", "price_limit"), ("At most",), ("最高价格",), False),
        Param(
            "features", ListOf(FEATURES, 1, 3), ("features", "must_have"), ("What it must have",), ("配套要求",), False
        ),
    ),
    asks=(
        "Show me flats {deal} in {city}[ with {rooms} rooms][, up to {price}].",
        "anything {deal} in {city}[ under {price}][? must have: {features}]",
        "We're moving to {city} and need a place {deal}[, {rooms} rooms][, not over {price}].",
        "{city}, {deal}[, {rooms} rooms][, {features}]",
        "My daughter starts university in {city}; are there apartments {deal}[ below {price}]?",
        "I'm looking for a home {deal} in {city}[, what matters: {features}]",
        "what houses are {deal} in {city}[, budget {price}]",
        "could you see which apartments {deal} exist around {city}[ with at least {rooms} rooms]",
        Ask("I want to become a tenant in {city}[, {rooms} rooms][, max {price}]. What's on offer?", {"deal": "rent"}),
        Ask("We'd like to own our place at last. What can one purchase in {city}[ up to {price}]?", {"deal": "buy"}),
        "The baby needs a room of its own. What's {deal} in {city}[ with {rooms} rooms][ for no more than {price}]?",
    ),
    asks_zh=(
        Ask("想在{city}租房[，{rooms}个房间][，不超过{price}]", {"deal": "rent"}),
        Ask("{city}有什么房子出租[？要有{features}]", {"deal": "rent"}),
        Ask("我下个月去{city}上班，帮我找个住的地方租下来[，预算{price}]", {"deal": "rent"}),
        Ask("{city}租房[，{rooms}居室][，{features}]", {"deal": "rent"}),
        Ask("女儿要去{city}读书，看看那边有啥公寓能租[，{price}以内]", {"deal": "rent"}),
        Ask("打算在{city}买套房[，{rooms}个房间][，预算{price}]，有合适的吗", {"deal": "buy"}),
        Ask("{city}有哪些二手房在卖[，总价{price}以下]", {"deal": "buy"}),
        Ask("攒够首付了，看看{city}的在售房源[，最好有{features}]", {"deal": "buy"}),
        Ask("我们想在{city}买房安家[，至少{rooms}个房间]", {"deal": "buy"}),
        "找一下{city}的房子，我想{deal}[，{rooms}间房]",
        "{city}，打算{deal}，房源列一下[，价格不超过{price}]",
        Ask("孩子要出生了，现在的房子太小，在{city}换个大的租[，{rooms}个房间]", {"deal": "rent"}),
        Ask("手上有点积蓄，{city}有什么房子值得买下来[，{price}以内]", {"deal": "buy"}),
    ),
    outcomes=(
        Outcome(
            fields=(("found", Result(2, 60)), ("best_match", LISTING), ("asking_price", Result(500, 4_000))),
            texts=("{found} homes; best match {best_match} at {asking_price}",),
            texts_zh=("共{found}套，最匹配{best_match}，价格{asking_price}",),
            answers=(
                "I found {found} homes in {city}; the best match is {best_match} at {asking_price}.",
                "There are {found}. Have a look at {best_match}, it costs {asking_price}.",
                "{found} results. {best_match} fits best ({asking_price}).",
            ),
            answers_zh=(
                "{city}找到{found}套，最合适的是{best_match}，价格{asking_price}。",
                "一共{found}套房源，推荐{best_match}，{asking_price}元。",
                "有{found}套，其中{best_match}最匹配。",
            ),
        ),
    ),
    missing=(
        Missing(
            "city",
            ("Find me a flat {deal}.", "are there any nice houses {deal}"),
            ("In which city?", "Where should I look?"),
            ("我想{deal}，帮我找找。", "想{deal}，有什么房源"),
            ("请问在哪个城市？", "想找哪座城市的房子？"),
        ),
    ),
)

VIEWING = Family(
    key="housing.viewing",
    names=("schedule_viewing", "book_viewing", "arrange_house_visit", "request_viewing"),
    about=(
        "Arrange to look at a home.",
        "Makes an appointment to view a listing.",
        "Book a viewing with the agent. Needs the listing's number.",
    ),
    about_zh=("预约看房。", "按房源编号安排看房时间。"),
    params=(
        Param(
            "listing", LISTING, ("listing_id", "property_id", "reference"), ("Number of the listing",), ("房源编号",)
        ),
        Param("day", Day(1, 21), ("date", "viewing_date"), ("Day of the visit",), ("看房日期",)),
        Param("time", Clock(8, 19), ("time", "at"), ("Time of the visit",), ("看房时间",)),
        Param(
            "online",
            Flag(("by video call", "as a video tour"), ("视频看房", "线上看"), ("in person",), ("实地看", "到现场看")),
            ("virtual", "by_video"),
            ("True for a video tour",),
            ("是否线上看房",),
            False,
        ),
    ),
    asks=(
        "I want to see the flat {listing} on {day} at {time}[, {online}].",
        "book a viewing: {listing}, {day}, {time}",
        "Can we look at {listing} {day}? {time} would suit us[, {online} please].",
        "{listing} looks lovely. Ask the agent for {day}, {time}[, {online}].",
        "My husband is only free {day} at {time}, get us in to see {listing} then.",
        "please arrange a visit to property {listing} {day} at {time}",
        "at {time} {day} I could go and look at {listing}, make an appointment",
        "viewing for {listing} {day} {time}[ {online}] thx",
        "the photos of {listing} convinced my wife. {day} at {time} we could come round, tell them",
    ),
    asks_zh=(
        "{day}{time}想去看{listing}这套房[，{online}]。",
        "约看房：{listing}，{day}，{time}",
        "{listing}看着不错，帮我跟中介约{day}{time}[，{online}]",
        "老公只有{day}{time}有空，约一下看{listing}",
        "{day}能看{listing}吗？{time}左右我们方便",
        "安排个看房吧，房源{listing}，时间{day}{time}[，{online}]",
        "我想{day}{time}到{listing}那套转转，约个时间",
        "{listing}，{day}{time}，预约看房",
        "帮忙定一下，{day}{time}看房，编号{listing}[，{online}]",
        "{day}我路过那边，{time}顺便看看{listing}，跟中介说一声",
        "媳妇看中了{listing}的照片，{day}{time}我们可以过去，跟他们定一下",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "agent",
                    Word(("Ms Keller", "Mr Duarte", "Ms Obi", "Mr Lund"), ("王女士", "李先生", "陈经理", "赵先生")),
                ),
            ),
            texts=("viewing confirmed, agent: {agent}",),
            texts_zh=("看房已确认，经纪人：{agent}",),
            answers=(
                "The viewing of {listing} is confirmed; {agent} will meet you.",
                "Booked: {agent} shows you {listing} at {time}.",
                "All set, {agent} expects you.",
            ),
            answers_zh=(
                "已约好看{listing}，{agent}接待您。",
                "看房预约成功，联系人{agent}。",
                "约好了，{time}{agent}带您看房。",
            ),
        ),
    ),
    missing=(
        Missing(
            "listing",
            ("Arrange a viewing {day} at {time}.", "I'd like to see the flat {day}, {time}"),
            ("Which listing do you want to see?", "What's the number of the listing?"),
            ("{day}{time}帮我约个看房。", "想{day}{time}去看房"),
            ("请问看哪套房？房源编号是多少？", "是哪个房源？"),
        ),
        Missing(
            "time",
            ("Let me see {listing} {day}.", "book a viewing of {listing} for {day}"),
            ("At what time?", "What time would suit you?"),
            ("{day}想看{listing}。", "约{day}看{listing}"),
            ("请问几点看房？", "几点方便？"),
        ),
    ),
)

VALUE = Family(
    key="housing.value",
    names=("estimate_home_value", "property_valuation", "appraise_home", "house_price_estimate"),
    about=(
        "Estimate what a home is worth.",
        "Market value of a flat or house by city, size and year built.",
        "Rough valuation of a property. Not for searching listings.",
    ),
    about_zh=("估算房产价值。", "根据城市、面积和建成年份估房价。"),
    params=(
        Param("city", City(0.2), ("city", "town", "location"), ("City of the home",), ("所在城市",)),
        Param(
            "size", Integer(25, 300), ("area_sqm", "living_area", "square_meters"), ("In square metres",), ("平方米",)
        ),
        Param("year", year(1900, 2022), ("year_built", "built_in"), ("Year of construction",), ("建成年份",), False),
    ),
    asks=(
        "What is a flat of {size} square metres in {city} worth?",
        "my house in {city} has {size} m², how much could I sell it for",
        "Grandma left us her apartment in {city}, {size} sqm. What might it fetch?",
        "value of a home: {city}, {size} m2",
        "I wonder what our {size} square metres in {city} would bring on the market",
        "how much money is {size} sqm in {city} these days",
        "We may sell. {size} square metres, {city}. What should we ask for?",
        "rough price for {size} m² of living space in {city} please",
        "{size} sqm in {city}, what's it worth",
        "It was built in {year}, has {size} square metres and stands in {city}. What would a buyer pay?",
        "{city}, {size} m², from {year}: what's the market value",
        "divorce... who gets how much for the {size} square metres in {city}?",
    ),
    asks_zh=(
        "{city}一套{size}平米的房子值多少钱？",
        "我家在{city}，{size}平，能卖多少",
        "奶奶留下的房子在{city}，{size}平方米，估个价",
        "{city}，{size}平，现在市价多少",
        "想卖房，{city}的，{size}平方，挂多少合适？",
        "帮我评估一下{city}{size}平米的房子",
        "{size}平在{city}大概什么价位",
        "这套{city}的公寓{size}平米，市场上能值几个钱",
        "算算我{city}那套{size}平的房子现在价值多少",
        "房产估值：{city}，面积{size}平方米[，{year}年建]",
        "{year}年盖的房子，{city}，{size}平，值多少？",
        "朋友想接手我{city}的老房子，{size}平米，{year}年的，开价多少好",
        "离婚分房，{city}那套{size}平米，到底能折多少钱",
    ),
    outcomes=(
        Outcome(
            fields=(("estimate", Result(90_000, 2_000_000)),),
            texts=("estimated value {estimate}",),
            texts_zh=("估值{estimate}",),
            answers=(
                "It is worth about {estimate}.",
                "A home of that size in {city} is valued at {estimate}.",
                "The estimate is {estimate}.",
            ),
            answers_zh=("大约值{estimate}。", "{city}这样的房子估值{estimate}。", "估价是{estimate}。"),
        ),
    ),
    missing=(
        Missing(
            "size",
            ("What's my flat in {city} worth?", "how much could I sell my house in {city} for"),
            ("How many square metres does it have?", "How large is the home?"),
            ("我在{city}的房子值多少？", "{city}的房子能卖多少钱"),
            ("请问多少平方米？", "房子面积是多大？"),
        ),
    ),
)

REPAIR = Family(
    key="housing.repair",
    names=("tell_landlord", "report_flat_problem", "notify_property_manager", "create_repair_order"),
    about=(
        "Tell the landlord about something broken.",
        "Sends a repair request for a rented home to the management.",
        "Report a defect in the flat.",
    ),
    about_zh=("向房东或物业报修。", "提交住房维修申请。"),
    params=(
        Param("defect", DEFECT, ("defect", "issue", "problem"), ("What is broken",), ("故障",)),
        Param("room", ROOM, ("room", "where"), ("Room it is in",), ("房间",)),
        Param("urgency", URGENCY, ("urgency", "priority"), ("How urgent",), ("紧急程度",), False, "normal"),
    ),
    asks=(
        "There's {defect} in the {room}, tell the landlord[, it's {urgency}].",
        "report to the management: {defect}, {room}[, {urgency}]",
        "I've got {defect} in my {room}. Somebody has to come and fix it[, {urgency}].",
        "{room}: {defect}. Please send this to the building office",
        "Not again... {defect} in the {room}. Let the caretaker know[, {urgency}]",
        "can you ask for a repair in the {room}? it's {defect}",
        "we came home and found {defect} in the {room}, pass it on to the owner please[ ({urgency})]",
        "repair request {room} {defect}[ {urgency}]",
        "Visitors laughed at {defect} in our {room}. High time the owner did something, write to them.",
    ),
    asks_zh=(
        "{room}{defect}，跟房东说一下[，{urgency}]。",
        "报修：{room}，{defect}",
        "家里{room}{defect}，叫物业来修[，{urgency}]",
        "又坏了，{room}{defect}，帮我通知管理处",
        "我这{room}里{defect}，得有人来看看[，{urgency}]",
        "{defect}，在{room}，帮忙提交个维修单",
        "刚回家发现{room}{defect}，麻烦转告房东[，{urgency}]",
        "物业报修，{defect}，位置{room}",
        "{room}那边{defect}，申请维修[，{urgency}]",
        "能不能找人修一下？{room}{defect}",
        "朋友来家看见{room}{defect}都笑了，赶紧让房东处理",
    ),
    outcomes=(
        Outcome(
            fields=(("order", Code(("R-9999", "WO99999"))), ("hours", Result(2, 72))),
            texts=("repair order {order}; a technician comes within {hours} hours",),
            texts_zh=("维修单{order}，{hours}小时内上门",),
            answers=(
                "Reported as {order}; somebody comes within {hours} hours.",
                "The landlord knows about it. A technician should be there within {hours} hours.",
                "Repair order {order} is placed for the {room}.",
            ),
            answers_zh=(
                "已报修，单号{order}，{hours}小时内上门。",
                "房东已收到，{hours}小时内会有人来。",
                "{room}的维修单{order}已提交。",
            ),
        ),
    ),
    missing=(
        Missing(
            "room",
            ("There's {defect}, please tell the landlord.", "report {defect} to the management"),
            ("In which room is it?", "Where in the flat is it?"),
            ("{defect}，帮我报修。", "跟房东说一声，{defect}"),
            ("请问在哪个房间？", "是哪个房间的问题？"),
        ),
        Missing(
            "defect",
            ("Something in the {room} is broken, tell the landlord.", "I need a repair in the {room}"),
            ("What exactly is broken?", "What is the problem in the {room}?"),
            ("{room}有东西坏了，帮我报修。", "{room}要修一下"),
            ("请问具体是什么坏了？", "{room}出了什么问题？"),
        ),
    ),
    also=("household.report_fault",),
)

RENT_DUE = Family(
    key="housing.rent_due",
    names=("next_rent_payment", "rent_due", "rent_status", "upcoming_rent"),
    about=(
        "When the next rent is due and how much it is.",
        "The user's next rent payment.",
        "Rent due. Takes no input.",
    ),
    about_zh=("查询下次交房租的时间和金额。", "下一期房租。"),
    params=(),
    asks=(
        "When do I have to pay the rent again?",
        "how much is my next rent",
        "rent due?",
        "Is it nearly time to pay the landlord? Check for me.",
        "I keep forgetting when the money for the flat has to be there",
        "what do I owe the landlord next",
        "Tell me the next rent payment, please.",
        "before I buy these shoes: what will the flat cost me next and when",
        "my account looks thin, is the flat still to be paid this month",
        "How long can I wait before the landlord gets angry?",
    ),
    asks_zh=(
        "下次什么时候交房租？",
        "这期房租多少钱",
        "该交房租了吗？帮我看看",
        "老忘记哪天交租，查一下",
        "下个房租要付多少，哪天付",
        "房东那边我下次要给多少钱",
        "看一下我的下期房租",
        "房租还有几天到期？",
        "买鞋之前先看看房租要交多少",
        "离交租还有多久",
        "卡里没剩多少了，这个月房子的钱还没付吧，查查",
        "再不交租房东要催了吧，还有几天",
    ),
    outcomes=(
        Outcome(
            fields=(("amount", Result(450, 3_200)), ("days_left", Result(2, 30))),
            texts=("{amount} due in {days_left} days",),
            texts_zh=("{days_left}天后应付{amount}",),
            answers=(
                "Your next rent is {amount}, due in {days_left} days.",
                "{amount} in {days_left} days.",
                "You have {days_left} days left to pay {amount}.",
            ),
            answers_zh=(
                "下期房租{amount}元，{days_left}天后到期。",
                "还有{days_left}天，要交{amount}元。",
                "{days_left}天后付{amount}元。",
            ),
        ),
    ),
)

DOMAIN = Domain(
    "housing",
    (SEARCH, VIEWING, VALUE, REPAIR, RENT_DUE),
    unserved=(
        ("Give notice on my flat for the end of March.", "三月底退租，帮我发通知。"),
        ("Ask for a lower rent.", "帮我跟房东谈降租。"),
        ("Paint the bedroom walls light green.", "把卧室墙刷成浅绿色。"),
        ("What mortgage rate would the bank give me?", "银行能给我多少房贷利率？"),
        ("Draw up a rental contract for my tenant.", "给我的租客起草一份租约。"),
        ("Put my house up for sale online.", "把我的房子挂到网上卖。"),
        ("Is the neighbour allowed to grill on the balcony?", "邻居能在阳台烧烤吗？"),
        ("Get my deposit back from the old landlord.", "让以前的房东把押金退给我。"),
        ("Find a flatmate for the empty room.", "给空房间找个合租的人。"),
        ("Change the lock of the front door.", "把大门的锁换掉。"),
        ("Cancel the viewing on Friday.", "取消周五的看房。"),
        ("Who lived in this house before us?", "这房子以前是谁住的？"),
    ),
)
