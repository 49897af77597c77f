"""Things to see and when: opening hours, tickets, events, and the clock in other cities."""

from training.data.family import Family, Missing, Outcome, Param, PartOf
from training.data.kinds import Choice, Integer, ListOf, Record, Word
from training.data.times import Clock, Day
from training.data.world import City, Email

from ._places import BOOKING_CODES, MUSEUMS, Titled, apart, distinct

VENUES = Titled(
    (
        *(
            "the city library",
            "Hilltop Swimming Pool",
            "the Botanical Garden",
            "Foxton Zoo",
            "Kaufland",
            "the town hall",
        ),
        *("Green Leaf Pharmacy", "the post office on Mill Lane", "Northgate Gym", "the Planetarium", "Tesco Extra"),
        *("Riverside Mall", "the Louvre", "the recycling centre", "St. Anne's Church", "Bauhaus", "the Aquarium"),
        *(
            "Sunny Side Bakery",
            "the passport office",
            "Corner Bookshop",
            "the Castle Gardens",
            "IKEA",
            "Blue Lagoon Spa",
        ),
        *("the flea market", "Central Ice Rink"),
    ),
    (
        *(
            "市图书馆",
            "宜家",
            "动物园",
            "科技馆",
            "游泳馆",
            "盒马鲜生",
            "山姆会员店",
            "植物园",
            "万象城",
            "邮局",
            "税务大厅",
        ),
        *("故宫", "海洋馆", "新华书店", "同仁堂药店", "车管所", "花鸟市场", "天文馆", "美术馆", "迪卡侬"),
    ),
)
TICKET = Choice(
    {
        "adult": (("adult",), ("成人",)),
        "child": (("child",), ("儿童",)),
        "senior": (("senior",), ("老人",)),
        "student": (("student",), ("学生",)),
    },
    ({"adult": "ADULT", "child": "CHILD", "senior": "SENIOR", "student": "STUDENT"},),
)
TICKET_LINE = Record("{count} {type}", "{count}张{type}票", {"type": TICKET, "count": Integer(1, 6)})
EVENT = Choice(
    {
        "concert": (("concerts", "live gigs"), ("音乐会", "演唱会")),
        "theatre": (("plays", "theatre shows"), ("话剧", "戏剧")),
        "sports": (("sports events", "matches"), ("体育比赛", "比赛")),
        "festival": (("festivals",), ("节庆活动",)),
        "exhibition": (("exhibitions",), ("展览",)),
        "market": (("markets", "street markets"), ("市集",)),
        "comedy": (("comedy shows", "stand-up nights"), ("脱口秀", "相声")),
    },
    ({"concert": "music", "sports": "sport", "exhibition": "art"},),
)

HOURS = Family(
    key="eating.opening_hours",
    names=("opening_hours", "is_it_open", "business_hours", "check_open_times", "hours_of"),
    about=(
        "When a shop, museum or office is open.",
        "Opening times of a place, on a day if one is given.",
        "Opening and closing time. Sells no tickets.",
    ),
    about_zh=("查询营业时间。", "返回商店、场馆或机构的开门和关门时间，不售票。"),
    params=(
        Param("place", VENUES, ("place", "place_name", "business"), ("Name of the place",), ("地点名称",)),
        Param("day", Day(0, 12), ("date", "day"), ("Today if left out",), ("默认今天",), required=False),
    ),
    asks=(
        "When does {place} open[ on {day}]?",
        "opening times {place}[ {day}]",
        "How long is {place} open[ on {day}]?",
        "I get off work late. Until when can I go to {place}[ on {day}]?",
        "is {place} closed on {day}",
        "We drove all the way to {place} last time and stood in front of a locked door. When can we go[ on {day}]?",
        "what time do they shut at {place}[ on {day}]",
        "Can I still get into {place} after work on {day}?",
        "Tell me the hours of {place}[ on {day}], please.",
        "There's a holiday on {day}, is {place} open at all?",
        "thinking of popping over to {place}, are they there yet",
        "The kids are desperate to go to {place}. From when on do they let people in[ on {day}]?",
        "Need to drop something off at {place}[ {day}], how late can I be?",
    ),
    asks_zh=(
        "{place}[{day}]几点开门？",
        "{place}[{day}]的营业时间",
        "我下班晚，{place}[{day}]开到几点",
        "{place}{day}关门吗？",
        "上次去{place}吃了闭门羹，[{day}]什么时候开啊",
        "{day}放假，{place}还营业吗",
        "{place}几点下班，现在过去来得及不",
        "帮我看看{place}[{day}]开放时间",
        "想去趟{place}，[{day}]几点能进",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("opens", Word(("08:00", "09:00", "09:30", "10:00"))),
                ("closes", Word(("17:00", "18:30", "20:00", "21:00"))),
            ),
            texts=("{opens}-{closes}", "open from {opens} to {closes}"),
            texts_zh=("{opens}至{closes}",),
            answers=(
                "It is open from {opens} to {closes}.",
                "The hours are {opens} to {closes}.",
                "They open at {opens} and close at {closes}.",
            ),
            answers_zh=("{place}{opens}开门，{closes}关门。", "开放时间是{opens}到{closes}。", "{opens}到{closes}。"),
        ),
    ),
    missing=(
        Missing(
            key="place",
            asks=("When do they open on {day}?", "What are the opening hours?"),
            replies=("Of which place?", "Which shop or place do you mean?"),
            asks_zh=("{day}几点开门？", "营业时间是几点到几点？"),
            replies_zh=("请问是哪个地方？", "您问的是哪家？"),
        ),
    ),
    errors=("no opening hours known for this place",),
)

TICKETS = Family(
    key="eating.tickets",
    names=("buy_museum_tickets", "book_entry", "purchase_admission", "reserve_tickets"),
    about=(
        "Buy tickets for a museum.",
        "Books admission for a day: how many tickets of each type. The tickets come by e-mail.",
        "Museum tickets, by day and type of visitor.",
    ),
    about_zh=("购买博物馆门票。", "预订某天的门票，写明各类票的张数。"),
    params=(
        Param("museum", MUSEUMS, ("museum", "venue", "attraction"), ("Name of the museum",), ("博物馆",)),
        Param("day", Day(1, 30), ("date", "visit_date", "day"), ("Day of the visit",), ("参观日期",)),
        Param(
            "tickets",
            distinct(ListOf(TICKET_LINE, 1, 3), "type"),
            ("tickets", "ticket_types", "admissions"),
            ("Types and numbers",),
            ("票种和张数",),
        ),
        Param("email", Email(), ("email", "send_to"), ("Where to send them",), ("接收邮箱",), required=False),
    ),
    asks=(
        "Buy tickets for {museum} on {day}: {tickets}[, sent to {email}].",
        "{museum} {day}, {tickets} tickets please",
        "We're off to {museum} on {day} and don't want to queue. Get us in: {tickets}.",
        "I need admission to {museum} on {day}, {tickets}[. E-mail: {email}]",
        "Could you sort out entry to {museum}? We go on {day}. It's {tickets}.",
        "school trip to {museum} {day}, tickets: {tickets}[, mail them to {email}]",
        "Reserve {tickets} tickets at {museum}, we go on {day}.",
        "{tickets} for {museum}, {day}[, please send everything to {email}]",
        "My aunt wants to see {museum} with us on {day}, so order {tickets} tickets.",
        "On {day} we visit {museum}. Tickets needed: {tickets}.",
        "grandparents are treating us to {museum}! {tickets}, {day}",
        "Put us down for {museum} on {day} - {tickets}[. Confirmation to {email}]",
    ),
    asks_zh=(
        "买{day}{museum}的票，{tickets}[，发到{email}]",
        "{museum}，{day}，{tickets}",
        "{day}去{museum}不想排队，帮我订{tickets}",
        "订{museum}门票：{tickets}，{day}参观[，邮箱{email}]",
        "学校组织{day}去{museum}，要{tickets}",
        "我姨妈想看{museum}，{day}去，买{tickets}吧[，电子票发{email}]",
        "帮忙预约{museum}{day}的门票，{tickets}",
        "{day}我们一家去{museum}，{tickets}，下单",
    ),
    outcomes=(
        Outcome(
            fields=(("order", BOOKING_CODES), ("total", Integer(12, 140))),
            texts=("order {order}, total {total}",),
            texts_zh=("订单{order}，共{total}元",),
            answers=(
                "The tickets are bought: order {order}, {total} in all.",
                "Done. Order {order}, total {total}.",
                "You can go to {museum}: order {order}, {total} paid.",
            ),
            answers_zh=(
                "{museum}的票买好了，订单号{order}，共{total}元。",
                "已购票，订单{order}，总价{total}元。",
                "票订好了，共{total}元，订单号{order}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="tickets",
            asks=("Get us tickets for {museum} on {day}.", "we want to see {museum} on {day}, buy tickets"),
            replies=("How many tickets, and of which type?", "For how many adults and children?"),
            asks_zh=(
                "买{day}{museum}的门票",
                "{day}想去{museum}，帮忙买票",
            ),
            replies_zh=("请问要几张什么票？", "成人、儿童各几张？"),
        ),
        Missing(
            key="day",
            asks=("Buy {tickets} tickets for {museum}.", "{tickets} for {museum}, please"),
            replies=("For which day?", "When do you want to visit?"),
            asks_zh=(
                "{museum}，{tickets}，帮我买",
                "{museum}要{tickets}",
            ),
            replies_zh=("请问哪天参观？", "哪一天去？"),
        ),
    ),
    errors=("sold out on that day",),
)

EVENTS = Family(
    key="eating.events",
    names=("find_events", "whats_on", "events_in_city", "event_search", "list_happenings"),
    about=(
        "Events in a city, of one kind, on a day.",
        "What is on: concerts, plays, matches, markets and so on.",
        "Searches public events. Does not sell tickets.",
    ),
    about_zh=("查询城市里的活动。", "按类别和日期查找演出、展览、比赛等，不售票。"),
    params=(
        Param("city", City(0.4), ("city", "town"), ("City",), ("城市",)),
        Param(
            "country",
            PartOf("city", "country"),
            ("country",),
            ("Country, if it was named",),
            ("国家（如有提到）",),
            required=False,
        ),
        Param("kind", EVENT, ("category", "event_type", "kind"), ("Kind of event",), ("活动类别",)),
        Param("day", Day(0, 30), ("date", "on_date", "day"), (), ("日期",), required=False),
    ),
    asks=(
        "Are there any {kind} in {city}[ on {day}]?",
        "{kind} {city}[ {day}]",
        "We're bored in {city} and like {kind}. What's on[ on {day}]?",
        "My nephew visits {city} on {day} and loves {kind}. Anything for him?",
        "what {kind} can I go to in {city}[ on {day}]",
        "Find {kind} happening in {city}[ on {day}], please.",
        "On {day} I'm free in {city}, I'd fancy {kind}.",
        "Looking for {kind} around {city}[, {day}]",
        "Is there something like {kind} going on in {city}[ on {day}]?",
        "date night in {city}, {day}: I was thinking of {kind}. options?",
        "My flight only leaves at midnight and I'm stuck in {city}. Are {kind} a possibility[ on {day}]?",
        "got visitors in {city} who adore {kind}, what do I do with them[ {day}]",
    ),
    asks_zh=(
        "{city}[{day}]有什么{kind}？",
        "[{day}]在{city}闲着没事，对{kind}感兴趣，有吗",
        "查一下{city}[{day}]的{kind}",
        "外甥{day}来{city}，他喜欢{kind}，有什么可以去的",
        "{city}最近有{kind}吗",
        "{day}想在{city}约会，考虑{kind}，有哪些",
        "[{day}]{city}哪里有{kind}",
        "帮我找找{city}[{day}]的{kind}信息",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "title",
                    Word(
                        ("Night of Lights", "Open Stage", "The Winter Cup", "River Sounds", "New Faces"),
                        ("星光之夜", "城市之声", "青年之夜", "冬日杯", "江边集"),
                    ),
                ),
                ("starts", Word(("10:00", "15:30", "19:00", "20:15"))),
            ),
            texts=("{title}, {starts}",),
            texts_zh=("{title}，{starts}开始",),
            answers=(
                "In {city} there is “{title}”, starting at {starts}.",
                "“{title}” starts at {starts}.",
                "You could go to “{title}”, at {starts}.",
            ),
            answers_zh=(
                "{city}有“{title}”，{starts}开始。",
                "可以去“{title}”，{starts}开始。",
                "有一场“{title}”，{starts}开始。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("Are there any {kind} on {day}?", "I'd like to see {kind}, what's on?"),
            replies=("In which city?", "Where are you?"),
            asks_zh=(
                "{day}有什么{kind}？",
                "想找{kind}，有推荐吗",
            ),
            replies_zh=("请问在哪个城市？",),
        ),
        Missing(
            key="kind",
            asks=("What's on in {city} on {day}?", "Find something to go to in {city}."),
            replies=("What kind of event do you like?", "Which sort of event: concerts, theatre, sports?"),
            asks_zh=(
                "{city}{day}有什么活动？",
                "在{city}闲着，有啥可以参加的",
            ),
            replies_zh=("请问想看哪类活动？", "您喜欢什么类型的活动？"),
        ),
    ),
)

TIME_IN = Family(
    key="eating.time_in",
    names=("local_time", "time_in_city", "clock_in", "current_time_at", "world_clock"),
    about=(
        "What time it is in a city now.",
        "Current local time of a place.",
        "Local time right now; converts no times.",
    ),
    about_zh=("查询城市的当地时间。", "返回某地此刻的时间，不做换算。"),
    params=(Param("city", City(0.35), ("city", "place", "location"), ("City",), ("城市",)),),
    asks=(
        "What time is it in {city}?",
        "time {city} now",
        "Is it too late to call my aunt in {city}?",
        "are people in {city} still asleep",
        "I'd like to phone a supplier in {city}. What does the clock say there?",
        "Current time in {city}, please.",
        "How late is it over in {city} at the moment?",
        "my brother studies in {city}, is it morning or evening for him right now",
        "Just landed in {city} and my watch is still wrong. The local time?",
        "Would I wake somebody up if I rang {city} now?",
        "my online chess partner sits in {city}, should he be in bed by now?",
        "Are the offices in {city} open already, I mean what hour do they have?",
    ),
    asks_zh=(
        "{city}现在几点？",
        "{city}当地时间",
        "现在给{city}的姑姑打电话会不会太晚",
        "{city}那边的人睡了没，几点了",
        "想联系{city}的供应商，他们那儿现在几点",
        "刚到{city}，手表还没调，当地几点了？",
        "我弟在{city}读书，他那边现在是早上还是晚上",
        "查下{city}此刻的时间",
        "给{city}的客户发消息，他那儿天亮了吗，几点",
    ),
    outcomes=(
        Outcome(
            fields=(("time", Word(("03:12", "06:45", "09:20", "13:58", "17:31", "21:04", "23:47"))),),
            texts=("{time}",),
            texts_zh=("{time}",),
            answers=("It is {time} in {city}.", "The local time is {time}.", "In {city} it is {time} now."),
            answers_zh=("{city}现在是{time}。", "当地时间{time}。", "那边现在{time}。"),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("What's the local time over there?", "Is it too late to call my aunt abroad?"),
            replies=("In which city?", "Which city do you mean?"),
            asks_zh=("那边现在几点？", "国外现在几点了？"),
            replies_zh=("请问是哪个城市？",),
        ),
    ),
)

CONVERT = Family(
    key="eating.convert_time",
    names=("convert_time_zone", "time_difference", "translate_time", "meeting_time_in"),
    about=(
        "Convert a time of day from one city's zone to another's.",
        "What a given time in one city is in another city.",
        "Time zone converter. For the time right now use another tool.",
    ),
    about_zh=("换算两座城市的时间。", "把一地的某个时刻换算成另一地的时间，不查询当前时间。"),
    params=(
        Param("time", Clock(6, 22), ("time", "clock_time", "at"), ("The time to convert",), ("要换算的时间",)),
        Param("here", City(0.1), ("from_city", "source_city", "from_place"), ("City of the given time",), ("原城市",)),
        Param("there", City(0.1), ("to_city", "target_city", "to_place"), ("City to convert to",), ("目标城市",)),
    ),
    asks=(
        "When it's {time} in {here}, what time is it in {there}?",
        "{time} {here} time in {there}",
        "Our call is at {time} in {here}. What's that for the colleagues in {there}?",
        "convert {time} from {here} to {there}",
        "The match kicks off at {time} in {here}; when do I have to switch on the TV in {there}?",
        "I live in {there} and the webinar starts at {time}, {here} time. So when is that for me?",
        "If my boss in {here} says {time}, what does that mean in {there}?",
        "my mum in {here} goes to bed at {time}, which is when here in {there}",
        "What does the clock in {there} show at {time} in {here}?",
        "Flight lands {here} at {time} local. In {there} they'd like to know what time that is for them.",
        "podcast drops {time} {here} time, I'm in {there}, when do I hit refresh",
        "Dad rings from {here} every day at {time} his time. Our clocks in {there} say what then?",
    ),
    asks_zh=(
        "{here}的{time}是{there}的几点？",
        "{here}时间{time}，换算成{there}时间",
        "会议在{here}{time}开，{there}的同事是几点",
        "球赛{here}{time}开始，我在{there}几点看",
        "我在{there}，讲座是{here}时间{time}，对我来说是几点",
        "当{here}是{time}的时候，{there}几点了",
        "把{here}的{time}转换到{there}",
        "妈妈在{here}{time}睡觉，那是{there}的什么时候？",
        "直播{here}时间{time}开始，{there}的观众几点进来",
    ),
    outcomes=(
        Outcome(
            fields=(("result", Word(("00:30", "04:00", "08:15", "11:00", "15:30", "19:45", "22:00"))),),
            texts=("{result}",),
            texts_zh=("{result}",),
            answers=("That is {result} in {there}.", "In {there} it is {result} then.", "{result}, in {there}."),
            answers_zh=("{there}是{result}。", "换算过来，{there}时间是{result}。", "对应{there}时间{result}。"),
        ),
    ),
    missing=(
        Missing(
            key="there",
            asks=("What is {time} in {here} for somebody elsewhere?", "Convert {time} {here} time for me."),
            replies=("To the time of which city?", "For which city should I convert it?"),
            asks_zh=(
                "{here}的{time}换算一下是几点？",
                "{here}时间{time}，对应那边几点",
            ),
            replies_zh=(
                "请问换算成哪个城市的时间？",
                "要换算到哪座城市？",
            ),
        ),
        Missing(
            key="time",
            asks=(
                "Convert a time from {here} to {there} for me.",
                "Our meeting is on {here} time, when is it in {there}?",
            ),
            replies=("Which time should I convert?", "At what time is it in {here}?"),
            asks_zh=(
                "帮我把{here}的时间换算成{there}的",
                "会议按{here}时间开，{there}是几点？",
            ),
            replies_zh=("请问是几点？", "要换算的是几点？"),
        ),
    ),
    fits=apart("here", "there"),
)

GOING_OUT = (HOURS, TICKETS, EVENTS, TIME_IN, CONVERT)
