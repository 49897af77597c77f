"""Before and after a journey: visas, luggage, and bookings to cancel."""

from training.data.family import Family, Missing, Outcome, Param
from training.data.kinds import Choice, Integer, ListOf, Word
from training.data.world import City, Country

from ._places import BOOKING_CODES, apart

PURPOSE = Choice(
    {
        "tourism": (("a holiday", "tourism"), ("旅游",)),
        "business": (("business", "a business trip"), ("商务", "出差")),
        "study": (("studies", "a study year"), ("留学", "读书")),
        "transit": (("transit", "a layover"), ("过境", "转机")),
    },
)
PLANS = Word(
    (
        *("hiking", "swimming", "a business dinner", "skiing", "clubbing", "a beach day", "sightseeing", "a wedding"),
        *("cycling", "diving", "an opera night", "climbing", "camping", "yoga", "horse riding"),
    ),
    ("徒步", "游泳", "商务晚宴", "滑雪", "海边玩", "逛景点", "参加婚礼", "骑行", "潜水", "露营", "拍照", "骑马"),
)
BAG = Choice(
    {
        "carry_on": (("carry-on", "hand luggage"), ("登机箱", "随身行李")),
        "backpack": (("backpack", "rucksack"), ("背包", "双肩包")),
        "suitcase": (("suitcase", "big suitcase"), ("大行李箱", "托运箱")),
    },
)
VISA = Family(
    key="travel.visa",
    names=("visa_requirements", "check_visa", "entry_rules", "do_i_need_a_visa"),
    about=(
        "Whether a traveller needs a visa.",
        "Entry rules for a nationality and a country to visit. Does not apply for a visa.",
        "Visa requirements by passport and destination.",
    ),
    about_zh=("查询是否需要签证。", "按护照国籍和目的地查询入境规定，不代办签证。"),
    params=(
        Param(
            "passport",
            Country(),
            ("nationality", "passport_country", "citizenship"),
            ("Country that issued the passport",),
            ("护照签发国",),
        ),
        Param("to", Country(), ("destination", "visiting", "to_country"), ("Country to visit",), ("前往国家",)),
        Param("purpose", PURPOSE, ("purpose", "reason"), (), ("出行目的",), required=False),
        Param(
            "days",
            Integer(5, 180),
            ("stay_days", "days", "length_of_stay"),
            ("Length of the stay in days",),
            ("停留天数",),
            required=False,
        ),
    ),
    asks=(
        "I have a passport from {passport}. Do I need a visa for {to}[? I'd stay {days} days]",
        "visa for {to} with {passport} passport[, {purpose}]",
        "My girlfriend is a citizen of {passport}, can she just enter {to}[ for {days} days]?",
        "What are the entry rules for {to} if you come from {passport}[ for {purpose}]?",
        "Going to {to} for {purpose}. Papers are from {passport}. What do I need at the border?",
        "can someone with citizenship of {passport} travel to {to} without paperwork[, {days} days]",
        "Our new colleague, whose passport is from {passport}, has to go to {to}[ for {purpose}]. Any permit needed?",
        "Will they let me into {to} on my passport from {passport}?",
        "nationality: {passport}, destination: {to}[, {days} days] - visa or no visa?",
        "Before I buy tickets to {to}: as a national of {passport}, is a visa required[ for {days} days]?",
        "my dad holds papers from {passport} and dreams of seeing {to}. what would immigration ask of him",
        "Is {to} visa-free for holders of a passport issued by {passport}[, reason: {purpose}]?",
        "I've been offered a place in {to}, my passport was issued in {passport}. Is a visa necessary[ for {purpose}]?",
    ),
    asks_zh=(
        "我持{passport}护照，去{to}要签证吗[？待{days}天]",
        "{passport}护照去{to}免签吗？",
        "女朋友是{passport}国籍，能直接入境{to}吗[，停留{days}天]",
        "拿{passport}护照到{to}{purpose}需要办什么手续",
        "查一下{passport}公民前往{to}的签证要求[，目的是{purpose}]",
        "新同事的护照是{passport}的，要去{to}[{purpose}]，用不用办签证？",
        "护照：{passport}；目的地：{to}，需要签证不[，{days}天]",
        "买票之前先问下，{passport}护照进{to}要不要签",
        "我爸是{passport}公民，想去{to}看看，入境要什么手续",
        "持{passport}护照在{to}待{days}天，用办签证吗",
    ),
    outcomes=(
        Outcome(
            fields=(("visa", Word(("not required",), ("不需要",))), ("allowed_days", Integer(14, 90))),
            texts=("visa {visa}, up to {allowed_days} days",),
            texts_zh=("{visa}签证，可停留{allowed_days}天",),
            answers=(
                "A visa for {to} is {visa} for up to {allowed_days} days.",
                "No visa is needed for stays of up to {allowed_days} days.",
                "You can enter {to} without a visa and stay {allowed_days} days.",
            ),
            answers_zh=(
                "去{to}{visa}签证，最多停留{allowed_days}天。",
                "免签，可停留{allowed_days}天。",
                "{to}可以免签入境，停留{allowed_days}天。",
            ),
        ),
        Outcome(
            fields=(("visa", Word(("required",), ("需要",))), ("fee", Integer(30, 160, 5))),
            texts=("visa {visa}, fee {fee}",),
            texts_zh=("{visa}签证，费用{fee}",),
            answers=(
                "Yes, a visa for {to} is {visa}; it costs {fee}.",
                "You need a visa, and the fee is {fee}.",
                "Entering {to} takes a visa, which costs {fee}.",
            ),
            answers_zh=("去{to}{visa}签证，费用{fee}。", "要办签证，费用是{fee}。", "入境{to}要签证，办理费{fee}。"),
        ),
    ),
    missing=(
        Missing(
            key="passport",
            asks=("Do I need a visa for {to}?", "can I stay {days} days in {to} without a visa"),
            replies=("Which country issued your passport?", "What is your nationality?"),
            asks_zh=("去{to}要签证吗？", "我想去{to}{purpose}，要办签证吗"),
            replies_zh=("请问您持哪国护照？", "您的国籍是哪里？"),
        ),
        Missing(
            key="to",
            asks=("My passport is from {passport}. Do I need a visa?", "visa check, {passport} passport"),
            replies=("Which country do you want to visit?", "For which country?"),
            asks_zh=(
                "我拿{passport}护照，需要签证吗？",
                "{passport}护照出国要不要签证",
            ),
            replies_zh=(
                "请问要去哪个国家？",
                "目的地是哪国？",
            ),
        ),
    ),
    fits=apart("passport", "to"),
)

PACKING = Family(
    key="travel.packing",
    names=("packing_list", "what_to_pack", "make_packing_list", "luggage_planner"),
    about=(
        "Make a packing list for a trip.",
        "Suggests what to take, by place, nights and plans.",
        "Luggage list for a journey.",
    ),
    about_zh=("生成旅行行李清单。", "根据目的地、天数和活动建议该带什么。"),
    params=(
        Param("city", City(0.2), ("destination", "city", "place"), ("Where the trip goes",), ("目的地",)),
        Param("nights", Integer(2, 21), ("nights", "num_nights", "nights_away"), ("Number of nights",), ("过夜数",)),
        Param(
            "plans",
            ListOf(PLANS, 1, 4),
            ("activities", "plans"),
            ("What the traveller will do",),
            ("活动",),
            required=False,
        ),
        Param("bag", BAG, ("bag", "luggage_type"), (), ("行李类型",), required=False),
    ),
    asks=(
        "What should I pack for {nights} nights in {city}[? Plans: {plans}]",
        "packing list {city}, {nights} nights[, {plans}]",
        "I always forget half of my stuff. I'm off to {city} for {nights} nights[ with just a {bag}], what must go in?",
        "We'll spend {nights} nights in {city} and there'll be {plans}. Make me a list of things to take.",
        "how do I fill my {bag} for {city}, staying {nights} nights[ ({plans})]",
        "Help me get my bags ready: {city}, {nights} nights.",
        "{nights} nights in {city} are coming up[, including {plans}]. What do I bring?",
        "What to bring to {city}? I'm away for {nights} nights[ and take a {bag}]",
        "my suitcase is still empty and I leave for {city} soon, {nights} nights. what goes in[, given {plans}]?",
        "Could you draw up a luggage list for {nights} nights in {city}[, for {plans}]?",
        "first time in {city}, {nights} nights, and I overpack like crazy. tell me what I really need[ in my {bag}]",
        "Which things should not be missing in my {bag} when I go to {city} for {nights} nights?",
        "we leave for {city} at dawn ({nights} nights[, {plans}]) and the wardrobe is still full. Help!",
    ),
    asks_zh=(
        "去{city}住{nights}晚要带些什么[？打算{plans}]",
        "列一份{city}{nights}晚的行李清单[，活动有{plans}]",
        "我老忘带东西，去{city}过{nights}夜，帮我想想该带啥",
        "在{city}待{nights}晚，[只带一个{bag}，]怎么收拾行李",
        "要去{city}{plans}，住{nights}晚，该准备哪些东西？",
        "{city}，{nights}晚，打包清单[，用{bag}]",
        "箱子还空着，马上去{city}住{nights}晚，往里装什么好",
        "帮我做个出行物品清单：{city}，{nights}个晚上[，安排了{plans}]",
        "第一次去{city}，住{nights}晚，总怕带多了，到底需要啥[，我用{bag}]",
        "{bag}里该装什么？去{city}{nights}晚",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "items",
                    ListOf(
                        Word(
                            (
                                "passport",
                                "rain jacket",
                                "charger",
                                "walking shoes",
                                "swimwear",
                                "toothbrush",
                                "sunscreen",
                            ),
                            ("护照", "雨衣", "充电器", "运动鞋", "泳衣", "牙刷", "防晒霜"),
                        ),
                        3,
                        5,
                    ),
                ),
            ),
            texts=("{items}",),
            texts_zh=("{items}",),
            answers=("For {city} take {items}.", "Pack {items}.", "Your list for {city}: {items}."),
            answers_zh=("去{city}带上{items}。", "建议带{items}。", "清单如下：{items}。"),
        ),
    ),
    missing=(
        Missing(
            key="nights",
            asks=("What should I pack for {city}?", "make me a packing list for {city}"),
            replies=("How many nights will you stay?", "For how many nights?"),
            asks_zh=(
                "去{city}要带什么？",
                "要去{city}了，列个行李清单",
            ),
            replies_zh=(
                "请问住几晚？",
                "要在那边过几夜？",
            ),
        ),
        Missing(
            key="city",
            asks=("What do I pack for {nights} nights away?", "Make a packing list, {nights} nights."),
            replies=("Where are you going?", "What is the destination?"),
            asks_zh=(
                "出门{nights}晚，列个行李清单",
                "要出门住{nights}晚，该带些什么",
            ),
            replies_zh=(
                "请问去哪里？",
                "目的地是哪儿？",
            ),
        ),
    ),
)

CANCEL = Family(
    key="travel.cancel_booking",
    names=("cancel_trip_booking", "cancel_reservation", "void_booking", "call_off_trip"),
    about=(
        "Cancel a travel booking by its code.",
        "Cancels a flight, hotel or car that was booked.",
        "Calls off a reservation of a trip; cannot change it.",
    ),
    about_zh=("按订单号取消旅行预订。", "取消已订的机票、酒店或租车，不能改签。"),
    params=(
        Param(
            "code",
            BOOKING_CODES,
            ("booking_code", "reference", "confirmation_number"),
            ("Code of the booking",),
            ("订单号",),
        ),
        Param(
            "refund",
            Choice(
                {
                    "money": (("money back", "a refund to my card"), ("退款", "退钱")),
                    "voucher": (("a voucher",), ("代金券",)),
                }
            ),
            ("refund_as", "refund_type"),
            ("What to give back",),
            ("退还方式",),
            required=False,
        ),
    ),
    asks=(
        "Cancel my travel booking {code}[, I'd like {refund}].",
        "cancel trip {code}",
        "We can't go after all, the baby is ill. Please call off reservation {code}[ and ask for {refund}].",
        "I no longer need the room booked as {code}.",
        "Call off the flight with confirmation {code}[; I want {refund}]",
        "{code} has to go, our holiday is off",
        "My boss changed his mind about the trip, so drop {code}[ and get {refund}].",
        "Get rid of the rental car reservation {code}, please.",
        "could you void {code} for me[? {refund} would be best]",
        "Turns out I won't be travelling. The booking is {code}. Undo it.",
        "doctor says no flying for me, so {code} must be cancelled[, {refund} if they allow it]",
        "Our hotel reservation {code} is no longer wanted, we stay with friends now.",
        "The number is {code}. Cancel, please[, and I insist on {refund}].",
    ),
    asks_zh=(
        "取消订单{code}[，要{refund}]",
        "行程去不了了，把{code}这个预订取消吧",
        "孩子病了，{code}的机票退掉[，我要{refund}]",
        "订单{code}不要了",
        "帮我把酒店订单{code}退了",
        "老板说不出差了，{code}取消一下[，换成{refund}]",
        "租车单{code}作废，谢谢",
        "旅行泡汤了，麻烦撤销{code}[，最好{refund}]",
        "医生不让我坐飞机，{code}取消掉[，争取{refund}]",
        "我们改住朋友家了，酒店{code}不住了，退订",
    ),
    outcomes=(
        Outcome(
            fields=(("returned", Integer(20, 900, 10)),),
            texts=("cancelled, refund {returned}",),
            texts_zh=("已取消，退{returned}元",),
            answers=(
                "Booking {code} is cancelled; {returned} will be refunded.",
                "It is cancelled. You get {returned} back.",
                "{code} has been called off, with {returned} refunded.",
            ),
            answers_zh=(
                "订单{code}已取消，退还{returned}元。",
                "取消好了，会退您{returned}元。",
                "{code}已退订，{returned}元将退回。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="code",
            asks=(
                "Cancel my hotel booking.",
                "Our holiday is off, please cancel it.",
                "call off my flight and get {refund}",
            ),
            replies=("What is the booking code?", "Which booking? Please give me its code."),
            asks_zh=("把我的酒店退了", "行程取消吧"),
            replies_zh=("请问订单号是多少？", "是哪个订单？请告诉我编号。"),
        ),
    ),
    errors=("booking not found", "this fare can't be cancelled"),
)


PAPERS = (VISA, PACKING, CANCEL)
