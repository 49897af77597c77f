"""Cleaners for the home, and moving out of it."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, ListOf
from training.data.times import Clock, Day, Moment
from training.data.world import City, Person

from ._places import apart

EXTRA = Choice(
    {
        "windows": (("windows",), ("窗户",)),
        "oven": (("oven",), ("烤箱",)),
        "fridge": (("fridge",), ("冰箱",)),
        "balcony": (("balcony",), ("阳台",)),
        "carpets": (("carpets",), ("地毯",)),
    },
    ({"windows": "WINDOWS", "oven": "OVEN", "fridge": "FRIDGE", "balcony": "BALCONY", "carpets": "CARPETS"},),
)

CLEANING = Family(
    key="household.book_cleaner",
    names=("book_cleaning", "order_cleaner", "schedule_house_cleaning", "hire_cleaner"),
    about=(
        "Book a cleaner for the home.",
        "Orders house cleaning for a number of hours, with extras such as windows or the oven.",
        "Sends a person who cleans. Not for robots.",
    ),
    about_zh=("预约家政保洁。", "预约上门保洁的时间和时长，可加擦窗等项目。"),
    params=(
        Param("when", Moment(Day(1, 21), Clock(7, 17)), ("start", "when", "appointment"), ("Start",), ("开始时间",)),
        Param("hours", Integer(2, 8), ("hours", "duration_hours"), ("For how many hours",), ("几个小时",)),
        Param("extras", ListOf(EXTRA, 1, 3), ("extras", "additional_services"), ("Extra work",), ("附加项目",), False),
        Param(
            "own", Flag(), ("bring_supplies", "with_products"), ("True to bring products",), ("是否自带用品",), False
        ),
    ),
    asks=(
        "I need a cleaner {when} for {hours} hours[, including the {extras}].",
        "book somebody to clean the flat {when}, {hours} hours[, extras: {extras}]",
        "My in-laws are coming and the place is a mess. Send a cleaner {when} for {hours} hours.",
        Ask(
            "Cleaning {when}, {hours} hours, and they should bring their own products[. Also the {extras}]",
            {"own": True},
        ),
        "Could someone scrub our house {when}? {hours} hours should do[, with the {extras}].",
        "{hours} hours of house cleaning, {when}[, plus {extras}]",
        "After the party we want help with cleaning: {when}, {hours} hours.",
        Ask("Get a cleaner for {hours} hours {when}. We have all the cleaning products here.", {"own": False}),
    ),
    asks_zh=(
        "{when}约个保洁，{hours}小时[，还要清洁{extras}]",
        "家里太乱了，{when}请阿姨来打扫{hours}小时",
        "丈母娘要来，{when}找人来大扫除，{hours}个小时[，包括{extras}]",
        Ask("{when}保洁{hours}小时，清洁用品让他们自带[，{extras}也要擦]", {"own": True}),
        "预约钟点工，{when}，做{hours}小时",
        "{when}上门打扫，时长{hours}小时[，加上{extras}]",
        "派对之后需要人收拾，{when}，{hours}小时",
        "想请家政{when}过来，{hours}小时差不多[，{extras}也弄一下]",
        Ask("{when}来个保洁阿姨，{hours}小时，用品家里都有不用带", {"own": False}),
        "帮我订{hours}小时的保洁，{when}开始",
    ),
    outcomes=(
        Outcome(
            fields=(("cleaner", Person()), ("price", Integer(40, 260, 5))),
            texts=("{cleaner}, {price} in total",),
            texts_zh=("{cleaner}，共{price}元",),
            answers=(
                "{cleaner} will come and clean for {hours} hours; that is {price}.",
                "Booked: {cleaner}, {price} in all.",
                "The cleaner is {cleaner} and the price {price}.",
            ),
            answers_zh=(
                "约好了，{cleaner}来打扫，共{price}元。",
                "保洁员是{cleaner}，费用{price}元。",
                "已预约{hours}小时，合计{price}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="when",
            asks=("I need a cleaner for {hours} hours.", "book {hours} hours of house cleaning"),
            replies=("When should the cleaner come?", "On which day and at what time?"),
            asks_zh=("约个{hours}小时的保洁", "请阿姨来打扫{hours}小时"),
            replies_zh=("请问什么时候来？", "约哪天几点？"),
        ),
        Missing(
            key="hours",
            asks=("Get me a cleaner {when}.", "somebody should clean the flat {when}"),
            replies=("For how many hours?", "How many hours of cleaning do you need?"),
            asks_zh=("{when}约个保洁", "{when}请人来打扫"),
            replies_zh=("请问需要几个小时？", "打扫多久？"),
        ),
    ),
    also=("smart_home.start_vacuum",),
)

MOVING = Family(
    key="household.moving_quote",
    names=("moving_quote", "removal_estimate", "get_removal_offer", "estimate_move_cost"),
    about=(
        "Ask what a removal company wants for a move.",
        "Quote for moving house between two towns, by rooms and day.",
        "Estimates the price of a move; it books none.",
    ),
    about_zh=("搬家报价。", "按起止城市、房间数和日期估算搬家费用，不下单。"),
    params=(
        Param("start", City(0.1), ("from_city", "origin", "moving_from"), ("Old home",), ("搬出城市",)),
        Param("end", City(0.1), ("to_city", "destination", "moving_to"), ("New home",), ("搬入城市",)),
        Param("rooms", Integer(2, 7), ("rooms", "number_of_rooms", "flat_size"), ("Rooms",), ("房间数",)),
        Param("day", Day(10, 90), ("moving_date", "date"), ("Day of the move",), ("搬家日期",), required=False),
        Param("piano", Flag(), ("has_piano", "piano"), ("True with a piano",), ("是否有钢琴",), required=False),
    ),
    asks=(
        "What would it cost to move {rooms} rooms from {start} to {end}[ on {day}]?",
        "moving house {start} to {end}, {rooms} rooms, how much",
        "I got a job in {end} and have to leave {start}. What do movers want for {rooms} rooms[, on {day}]?",
        Ask("We move from {start} to {end} with {rooms} rooms and a piano. What will that be?", {"piano": True}),
        "Price for a removal: {rooms} rooms, out of {start}, into {end}[, {day}].",
        "How expensive is a move from {start} to {end}? We have {rooms} rooms of stuff.",
        "All our furniture ({rooms} rooms) has to get from {start} to {end}[ on {day}]. Give me a figure.",
        Ask("From {start} to {end}, {rooms} rooms, no piano. Roughly how much for the movers?", {"piano": False}),
    ),
    asks_zh=(
        "从{start}搬家到{end}，{rooms}个房间，要多少钱[，{day}搬]？",
        "{rooms}间房的东西，{start}搬到{end}，报个价",
        "我在{end}找到工作了，要从{start}搬过去，{rooms}个房间，搬家公司收多少",
        Ask("从{start}搬去{end}，{rooms}个房间，还有一架钢琴，多少钱", {"piano": True}),
        "搬家估价：{start}到{end}，{rooms}个房间[，{day}]",
        "{day}从{start}搬到{end}，家里{rooms}个房间，费用大概多少",
        "全家从{start}搬往{end}，东西有{rooms}个房间那么多，贵不贵",
        "想问问搬家价格，{start}搬到{end}，{rooms}间屋子",
        Ask("{rooms}个房间，没有钢琴，从{start}搬到{end}得花多少", {"piano": False}),
        "女儿要从{start}搬到{end}，{rooms}个房间的家具，搬家费多少",
    ),
    outcomes=(
        Outcome(
            fields=(("price", Integer(400, 6000, 50)), ("movers", Integer(2, 6))),
            texts=("{price}, with {movers} movers",),
            texts_zh=("{price}元，{movers}名工人",),
            answers=(
                "The move from {start} to {end} would cost about {price}, with {movers} movers.",
                "About {price}.",
                "They estimate {price} and send {movers} people.",
            ),
            answers_zh=(
                "从{start}搬到{end}大约{price}元，{movers}名工人。",
                "估价{price}元。",
                "大概{price}元，来{movers}个人搬。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="rooms",
            asks=("What does it cost to move from {start} to {end}?", "removal {start} to {end}, what's the price"),
            replies=("How many rooms do you have?", "How many rooms have to be moved?"),
            asks_zh=("从{start}搬家到{end}多少钱", "{start}搬到{end}，搬家费是多少"),
            replies_zh=("请问有几个房间？", "要搬几间房的东西？"),
        ),
        Missing(
            key="end",
            asks=("We move out of {start}, {rooms} rooms. What will the movers cost?",),
            replies=("Where are you moving to?", "Which city do you move to?"),
            asks_zh=("从{start}搬走，{rooms}个房间，多少钱",),
            replies_zh=("请问搬到哪里？", "要搬去哪个城市？"),
        ),
    ),
    fits=apart("start", "end"),
)
