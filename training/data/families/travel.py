"""Travel: flights, trains, hotels, cars, visas and what to take along."""

from collections.abc import Mapping

from training.data.family import Ask, Domain, Drawn, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, ListOf, Record, Word
from training.data.times import Clock, Day, Moment
from training.data.world import City, Person

from ._places import BOOKING_CODES, FLIGHT_NUMBERS, apart
from ._travel_papers import PAPERS
from ._travel_stay import STAY

AIRLINES = Word(
    ("Lufthansa", "Iberia", "Air France", "KLM", "Finnair", "Emirates", "Qantas", "United", "Swiss", "Ryanair"),
    ("国航", "东航", "南航", "海航", "春秋航空", "汉莎航空", "阿联酋航空", "国泰航空"),
)
CABIN = Choice(
    {
        "economy": (("economy", "economy class"), ("经济舱",)),
        "premium": (("premium economy",), ("超级经济舱",)),
        "business": (("business class", "business"), ("商务舱", "公务舱")),
        "first": (("first class",), ("头等舱",)),
    },
    ({"economy": "ECONOMY", "premium": "PREMIUM_ECONOMY", "business": "BUSINESS", "first": "FIRST"},),
)
TRAIN_CLASS = Choice(
    {
        "first": (("first class", "1st class"), ("一等座",)),
        "second": (("second class", "standard class"), ("二等座",)),
        "sleeper": (("a sleeper", "a couchette"), ("卧铺",)),
    },
    ({"first": 1, "second": 2, "sleeper": 3},),
)
SEAT = Choice(
    {
        "window": (("window", "window seat"), ("靠窗",)),
        "aisle": (("aisle", "aisle seat"), ("靠过道",)),
    },
    ({"window": "WINDOW", "aisle": "AISLE"},),
)
TRAVELLER = Record(
    "{name} ({age})",
    "{name}（{age}岁）",
    {"name": Person(1.0), "age": Integer(3, 79)},
    short="{name}",
    short_zh="{name}",
    optional=("age",),
)


def _there_and_back(drawn: Mapping[str, Drawn]) -> bool:
    """A journey leads somewhere else, and back after the way there."""
    in_order = "back" not in drawn or "day" not in drawn or drawn["back"].meaning > drawn["day"].meaning
    return in_order and _ELSEWHERE(drawn)


_ELSEWHERE = apart("origin", "destination")

SEARCH_FLIGHTS = Family(
    key="travel.search_flights",
    names=("search_flights", "find_flights", "flight_offers", "list_flight_options", "fare_search"),
    about=(
        "Search for flights between two cities.",
        "Find flight offers for a day, with prices. Does not book anything.",
        "Flights from one city to another; a return flight, cabin and number of travellers are optional.",
    ),
    about_zh=("搜索两座城市之间的航班。", "查询某天的机票和价格，不会出票。"),
    params=(
        Param(
            "origin", City(0.15), ("origin", "from_city", "departure_city"), ("Where the flight starts",), ("出发城市",)
        ),
        Param("destination", City(0.15), ("destination", "to_city", "arrival_city"), ("Where to fly",), ("到达城市",)),
        Param("day", Day(1, 45), ("departure_date", "date", "depart_on"), ("Day of departure",), ("出发日期",)),
        Param(
            "back",
            Day(12, 80),
            ("return_date", "return_on"),
            ("Day of the flight back",),
            ("返程日期",),
            required=False,
        ),
        Param("cabin", CABIN, ("cabin", "cabin_class", "travel_class"), (), ("舱位",), required=False),
        Param(
            "seats",
            Integer(2, 8),
            ("passengers", "adults", "travellers"),
            ("Number of travellers",),
            ("乘客人数",),
            required=False,
        ),
        Param(
            "direct",
            Flag(),
            ("nonstop", "direct_only"),
            ("True for flights without a stop",),
            ("是否只要直飞",),
            required=False,
        ),
    ),
    asks=(
        "Find flights from {origin} to {destination} on {day}[, back on {back}][, {cabin}].",
        "flights {origin} to {destination} {day}",
        "How much is it to fly from {origin} to {destination} on {day}[ in {cabin}]?",
        "The {seats} of us need to get from {origin} to {destination} by plane on {day}[, returning on {back}].",
        Ask("Any nonstop flights from {origin} to {destination} on {day}[ in {cabin}]?", {"direct": True}),
        Ask("I hate changing planes. What goes straight from {origin} to {destination} on {day}?", {"direct": True}),
        "My cousin marries in {destination}, I'd leave {origin} on {day}[ and come home on {back}]. What planes go?",
        "I want to go to {destination} from {origin} on {day}, flying {cabin}[, {seats} people].",
        "what's the cheapest way by air to {destination} from {origin} on {day}",
        "Leaving {origin} on {day}, going to {destination}[, coming back {back}]: which flights[ for {seats} people]?",
        "On {day} I fly out to {destination}, I live in {origin}. Show me planes[ ({cabin})].",
        "plane tickets pls, {origin} -> {destination}, {day}[, return {back}]",
    ),
    asks_zh=(
        "查一下{day}从{origin}飞{destination}的航班[，{back}返回]",
        "{origin}到{destination}，{day}的机票多少钱[，{cabin}]？",
        "我们{seats}个人{day}从{origin}去{destination}，有什么航班",
        Ask("{day}{origin}直飞{destination}有票吗？", {"direct": True}),
        Ask("不想转机，{day}从{origin}到{destination}有哪些直达航班[，要{cabin}]", {"direct": True}),
        "表妹在{destination}结婚，我{day}从{origin}坐飞机过去[，{back}回来]，看看有哪些班次",
        "帮我找{day}{origin}飞往{destination}的{cabin}机票[，一共{seats}位]",
        "{day}要从{origin}飞到{destination}[，{back}飞回来]，最便宜的是哪班",
        "{origin}-{destination}，{day}，机票[，{seats}人]",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("airline", AIRLINES),
                ("price", Integer(60, 980, 5)),
                ("departs", Word(("06:40", "09:15", "13:05", "17:50", "20:25"))),
            ),
            texts=("{airline}, departs {departs}, {price}", "best offer: {price} with {airline} at {departs}"),
            texts_zh=("{airline}，{departs}起飞，{price}元",),
            answers=(
                "{airline} flies from {origin} to {destination} at {departs} for {price}.",
                "The best offer is with {airline} at {departs}, for {price}.",
                "There is a {airline} flight at {departs}; it costs {price}.",
            ),
            answers_zh=(
                "{airline}{departs}有航班从{origin}飞{destination}，票价{price}。",
                "最划算的是{airline}，{departs}起飞，{price}元。",
                "有{airline}的航班，{departs}起飞，{price}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="origin",
            asks=("Find me a flight to {destination} on {day}.", "what does it cost to fly to {destination} on {day}"),
            replies=("Where do you want to fly from?", "Which city are you leaving from?"),
            asks_zh=("查{day}飞{destination}的机票", "{day}去{destination}有什么航班？"),
            replies_zh=("请问从哪个城市出发？", "您的出发地是哪里？"),
        ),
        Missing(
            key="destination",
            asks=("I need a plane out of {origin} on {day}.", "Find flights from {origin} on {day}."),
            replies=("Where would you like to fly to?", "What is your destination?"),
            asks_zh=(
                "{day}从{origin}出发的机票帮我看看",
                "{day}我从{origin}走，有什么航班",
            ),
            replies_zh=("请问要飞到哪里？", "目的地是哪里？"),
        ),
        Missing(
            key="day",
            asks=(
                "Find flights from {origin} to {destination}.",
                "How much is a plane ticket from {origin} to {destination}?",
            ),
            replies=("On which day do you want to fly?", "When would you like to leave?"),
            asks_zh=("查{origin}飞{destination}的机票", "从{origin}坐飞机到{destination}多少钱？"),
            replies_zh=("请问哪天出发？", "您想哪一天走？"),
        ),
    ),
    errors=("no flights on this day", "unknown airport"),
    fits=_there_and_back,
)

FLIGHT_STATUS = Family(
    key="travel.flight_status",
    names=("flight_status", "track_flight", "flight_tracker", "check_arrival", "is_flight_on_time"),
    about=(
        "Status of a flight by its number.",
        "Whether a flight is on time, and its gate. Needs the flight number.",
        "Looks up delays of one flight.",
    ),
    about_zh=("按航班号查询航班动态。", "查询航班是否准点以及登机口。"),
    params=(
        Param(
            "number",
            FLIGHT_NUMBERS,
            ("flight_number", "flight_no", "flight", "flight_code"),
            ("e.g. OS417",),
            ("航班号，如 OS417",),
        ),
        Param("day", Day(-1, 2), ("date", "day", "flight_date"), (), ("日期",), required=False),
    ),
    asks=(
        "Is {number} on time[ on {day}]?",
        "status {number}",
        "I'm picking up my mother, she's on {number}[ {day}]. Is it delayed?",
        "Which gate does {number} leave from[ on {day}]?",
        "has {number} landed",
        "My boss is coming in on {number}[ {day}], when do I have to be at the airport?",
        "Can you find out what's going on with flight {number}[ {day}]?",
        "We're sitting on the tarmac in {number}, nobody says a word. How late are we?",
        "Where is {number} right now?",
        "{number}[ {day}]: still departing as planned?",
        "they keep changing the boarding time of {number}. What's the latest?",
    ),
    asks_zh=(
        "[{day}的]{number}准点吗？",
        "航班{number}的动态[，{day}的]",
        "我去接我妈，她坐{number}[，{day}的]，晚点了没有",
        "{number}在哪个登机口？",
        "{number}落地了吗",
        "老板[{day}]乘{number}到，帮我看看几点到",
        "查查{number}现在到哪了",
        "机场一直没通知，{number}到底延误多久啊？",
    ),
    outcomes=(
        Outcome(
            fields=(("delay_minutes", Integer(15, 140, 5)), ("gate", Word(("A12", "B7", "C31", "D4", "E22")))),
            texts=("delayed by {delay_minutes} minutes, gate {gate}",),
            texts_zh=("延误{delay_minutes}分钟，登机口{gate}",),
            answers=(
                "{number} is {delay_minutes} minutes late; the gate is {gate}.",
                "It is delayed by {delay_minutes} minutes, gate {gate}.",
                "Expect a delay of {delay_minutes} minutes. Gate {gate}.",
            ),
            answers_zh=(
                "{number}晚点{delay_minutes}分钟，登机口{gate}。",
                "延误{delay_minutes}分钟，登机口是{gate}。",
                "要晚{delay_minutes}分钟，请到{gate}登机口。",
            ),
        ),
        Outcome(
            fields=(("status", Word(("on time",), ("准点",))), ("gate", Word(("A3", "B18", "C9", "F40")))),
            texts=("{status}, gate {gate}",),
            texts_zh=("{status}，登机口{gate}",),
            answers=(
                "{number} is {status}, at gate {gate}.",
                "It is {status}; the gate is {gate}.",
                "No delay: {number} is {status}, gate {gate}.",
            ),
            answers_zh=(
                "{number}{status}，登机口{gate}。",
                "航班{status}，在{gate}登机口。",
                "没有延误，{status}，登机口{gate}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="number",
            asks=("Is my flight on time?", "My mother's plane lands on {day}, is it delayed?", "which gate do I go to"),
            replies=("What is the flight number?", "Which flight is it? I need its number."),
            asks_zh=("我的航班晚点了吗？", "帮我查下{day}的航班动态"),
            replies_zh=("请问航班号是多少？", "请告诉我是哪个航班？"),
        ),
    ),
    errors=("no flight with this number", "no data for that day"),
)

BOOK_FLIGHT = Family(
    key="travel.book_flight",
    names=("book_flight", "purchase_flight", "confirm_flight_offer", "reserve_plane_seats"),
    about=(
        "Book an offer found by a flight search.",
        "Books a flight offer for the travellers named. Needs the offer's id.",
        "Buys plane tickets; it does not search for flights.",
    ),
    about_zh=("预订搜索到的机票。", "按报价编号为指定乘客出票，不用于搜索航班。"),
    params=(
        Param("offer", BOOKING_CODES, ("offer_id", "offer", "option_id"), ("Id of the offer",), ("报价编号",)),
        Param("people", ListOf(TRAVELLER, 1, 3), ("passengers", "travellers"), ("Who flies",), ("乘客",)),
        Param("seat", SEAT, ("seat_preference", "seat"), (), ("座位偏好",), required=False),
    ),
    asks=(
        "Book offer {offer} for {people}[, {seat} please].",
        "take {offer}. passengers: {people}",
        "I'll go with flight offer {offer}, travellers are {people}[, they'd like {seat}].",
        "OK let's fly! {offer} it is, for {people}.",
        "Please buy the plane tickets, option {offer}, names {people}[, seats: {seat}]",
        "{people} will be flying. Confirm offer {offer}[, {seat}]",
        "We talked it over and want {offer}. The people on board: {people}.",
        "go ahead and reserve {offer} for {people}[ ({seat})]",
        "Get {people} on that plane, the offer number is {offer}.",
        "could you make the flight purchase now? id {offer}, {people}[, preference {seat}]",
    ),
    asks_zh=(
        "预订报价{offer}的机票，乘客是{people}[，要{seat}的座位]",
        "就订{offer}这个航班吧，乘机人{people}",
        "帮{people}买{offer}这张机票[，座位{seat}]",
        "商量好了，机票选{offer}，给{people}出票",
        "{offer}，乘客{people}，下单[，座位要{seat}]",
        "麻烦把{offer}这个机票方案订了，一起飞的有{people}",
        "机票方案{offer}确认，乘机人：{people}",
        "给{people}订机票，编号是{offer}[，喜欢{seat}]",
    ),
    outcomes=(
        Outcome(
            fields=(("reference", BOOKING_CODES), ("total", Integer(120, 2400, 10))),
            texts=("booked, reference {reference}, total {total}",),
            texts_zh=("已出票，订单号{reference}，共{total}元",),
            answers=(
                "The flight is booked. The reference is {reference}, the total {total}.",
                "Done: reference {reference}, {total} in all.",
                "Your tickets are bought for {total}; reference {reference}.",
            ),
            answers_zh=(
                "机票订好了，订单号{reference}，共{total}元。",
                "已出票，订单号是{reference}，总价{total}。",
                "机票已订，共{total}元，单号{reference}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="people",
            asks=("Book flight offer {offer}.", "let's take {offer}, please buy it"),
            replies=("Who is going to fly?", "What are the names of the travellers?"),
            asks_zh=("订{offer}这个航班", "机票就要{offer}，下单吧"),
            replies_zh=("请问乘客都有谁？", "乘机人叫什么名字？"),
        ),
        Missing(
            key="offer",
            asks=("Book the plane tickets for {people}.", "Please reserve that flight for {people}."),
            replies=("Which offer do you want? Please give me its number.", "What is the id of the offer?"),
            asks_zh=(
                "给{people}把机票订了",
                "{people}要飞，机票帮他们下单",
            ),
            replies_zh=("请问是哪个报价编号？", "要订哪个航班方案？"),
        ),
    ),
    errors=("the offer has expired", "no seats left"),
)

TRAINS = Family(
    key="travel.trains",
    names=("train_connections", "search_trains", "rail_timetable", "find_train", "train_journeys"),
    about=(
        "Train connections between two cities.",
        "Find trains that leave after a moment, with changes and price.",
        "Long-distance rail search. Not for trams or the underground.",
    ),
    about_zh=("查询两座城市之间的火车。", "按出发时间查询长途列车车次，不含地铁。"),
    params=(
        Param("origin", City(0.1), ("from_station", "origin", "start"), ("Where the journey starts",), ("出发站",)),
        Param("destination", City(0.1), ("to_station", "destination", "end"), ("Where it ends",), ("到达站",)),
        Param(
            "leave",
            Moment(Day(0, 20), Clock(6, 20)),
            ("departure", "leave_after", "depart_at"),
            ("Earliest departure",),
            ("最早出发时间",),
        ),
        Param("klass", TRAIN_CLASS, ("travel_class", "seat_class"), (), ("席别",), required=False),
        Param(
            "changes",
            Integer(2, 4),
            ("max_changes", "max_transfers"),
            ("Most changes of train",),
            ("最多换乘次数",),
            required=False,
        ),
    ),
    asks=(
        "Trains from {origin} to {destination} leaving {leave}[, {klass}]?",
        "train {origin} to {destination} {leave}",
        "I want to take the train from {origin} to {destination}, {leave} or later[, with at most {changes} changes].",
        "Which rail connection gets me from {origin} to {destination}, setting off {leave}[ in {klass}]?",
        "I don't fly any more. How do I get by rail from {origin} to {destination}? I can leave {leave}.",
        "my conference in {origin} ends {leave}, what train can I catch to {destination} after that[, {klass}]",
        Ask(
            "Is there a through train from {origin} to {destination}, departing {leave}? I don't want to change.",
            {"changes": 0},
        ),
        "We're going to {destination} by train, from {origin}, {leave}[, no more than {changes} changes].",
        "Departure {leave} from {origin}, arriving {destination}: show me trains[ with {klass}].",
        "look up the rail timetable please. from: {origin}, to: {destination}, {leave}",
        "The dog comes along so it must be the train: {origin} to {destination}, {leave}.",
    ),
    asks_zh=(
        "{leave}从{origin}到{destination}的火车有哪些[，要{klass}]？",
        "查{origin}到{destination}的高铁，{leave}出发",
        "我{leave}在{origin}开完会，之后坐什么车次去{destination}",
        "坐火车从{origin}去{destination}，{leave}以后走[，最多换乘{changes}次]",
        Ask("{leave}{origin}有直达{destination}的火车吗，不想换乘", {"changes": 0}),
        "{origin}→{destination}，{leave}，火车票[，{klass}]",
        "带着狗不能坐飞机，{leave}从{origin}坐火车到{destination}怎么走",
        "帮我看看{leave}后从{origin}开往{destination}的列车[，要{klass}]",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "train",
                    Word(("ICE 702", "IC 148", "TGV 6613", "RE 5", "EC 87"), ("G1023", "D376", "G7", "Z198", "C2204")),
                ),
                ("price", Integer(19, 180)),
                ("transfers", Integer(0, 2)),
            ),
            texts=("{train}, {transfers} changes, {price}",),
            texts_zh=("{train}次，换乘{transfers}次，{price}元",),
            answers=(
                "Take {train}: number of changes {transfers}, price {price}.",
                "From {origin} to {destination} there is {train} for {price}.",
                "{train} goes to {destination} and costs {price}.",
            ),
            answers_zh=(
                "可以坐{train}，从{origin}到{destination}，票价{price}。",
                "{train}次列车，票价{price}元，换乘{transfers}次。",
                "推荐{train}，到{destination}，{price}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="leave",
            asks=("Which trains go from {origin} to {destination}?", "I need a train from {origin} to {destination}."),
            replies=("When do you want to leave?", "On which day and at what time?"),
            asks_zh=(
                "{origin}到{destination}的火车有哪些？",
                "我要从{origin}坐火车去{destination}",
            ),
            replies_zh=("请问几号几点出发？", "您想什么时候出发？"),
        ),
        Missing(
            key="destination",
            asks=("I need a train from {origin} leaving {leave}.", "What trains leave {origin}, {leave}?"),
            replies=("Where do you want to go?", "Which station do you want to get to?"),
            asks_zh=(
                "{leave}从{origin}出发的火车帮我查下",
                "{leave}在{origin}坐火车，有哪些车次",
            ),
            replies_zh=("请问要去哪里？", "到达站是哪里？"),
        ),
    ),
    fits=_ELSEWHERE,
)

DOMAIN = Domain(
    "travel",
    (SEARCH_FLIGHTS, FLIGHT_STATUS, BOOK_FLIGHT, TRAINS, *STAY, *PAPERS),
    unserved=(
        ("Renew my passport, please.", "帮我换一本新护照。"),
        ("How many frequent flyer miles do I have?", "我还有多少里程积分？"),
        ("Find a ferry from Athens to Crete.", "查一下雅典到克里特岛的渡轮。"),
        ("Is there a night bus from Berlin to Prague?", "柏林到布拉格有夜间大巴吗？"),
        ("My suitcase didn't arrive. File a claim for lost luggage.", "行李没到，帮我申报行李丢失。"),
        ("Put my trip photos into an album.", "把我的旅行照片整理成相册。"),
        ("Get me travel insurance for two weeks in Peru.", "给我买两周的秘鲁旅行保险。"),
        ("Check me in online and send me the boarding pass.", "帮我网上值机，把登机牌发给我。"),
        ("What vaccinations do I need for Kenya?", "去肯尼亚要打什么疫苗？"),
        ("Book a cruise around the Norwegian fjords.", "订一个挪威峡湾邮轮。"),
        ("Reserve a campsite near Lake Garda.", "在加尔达湖边订个露营位。"),
        ("Get me an eSIM with data for my trip to Cairo.", "给我买张去开罗用的流量卡。"),
        ("Upgrade me to a lounge pass at the airport.", "给我升级一张机场贵宾厅通行证。"),
        ("Find a walking tour guide in Rome.", "在罗马找一位徒步导游。"),
        ("Change my seat to one with more legroom.", "给我换个腿部空间大的座位。"),
        ("Register my trip to Bolivia with the embassy.", "去玻利维亚的行程帮我在使馆登记一下。"),
        ("Translate the menu in my hotel.", "把酒店的菜单翻译一下。"),
        ("Ask the hotel for a late check-out.", "跟酒店说一声我要晚点退房。"),
    ),
)
