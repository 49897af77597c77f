"""Where travellers sleep and what they drive: hotels, hired cars, airport transfers."""

from training.data.family import Draw, Drawn, Family, Form, Missing, Outcome, Param, PartOf
from training.data.kinds import STRING, Amount, Choice, Integer, Made, Word
from training.data.times import Day, Moment, Period
from training.data.world import City, Person

from ._places import ADDRESS, AIRPORTS


def _start(drawn: Drawn) -> str:
    return drawn.meaning["start"]


def _days(draw: Draw) -> Drawn:
    return Period(Day(1, 40)).draw(draw)


# The first day of a stay; its last day is `PartOf(key, "end")`.
FIRST_DAY = Made(
    _days, (Form(STRING, _start, "YYYY-MM-DD", "格式 YYYY-MM-DD"), Form({**STRING, "format": "date"}, _start))
)
HOTEL_NAMES = Word(
    ("Hotel Aurora", "The Old Post", "Park Inn", "Casa Verde", "Grand Plaza", "Riverside Lodge", "Hotel Miramar"),
    ("如家酒店", "锦江饭店", "青年旅舍", "希尔顿酒店", "湖畔居", "云上民宿"),
)
CAR = Choice(
    {
        "compact": (("a compact car", "a compact"), ("紧凑型车",)),
        "suv": (("an SUV",), ("SUV", "越野车")),
        "van": (("a van", "a minivan"), ("商务车", "面包车")),
        "convertible": (("a convertible",), ("敞篷车",)),
        "electric": (("an electric car",), ("电动车",)),
    },
    ({"compact": "COMPACT", "suv": "SUV", "van": "VAN", "convertible": "CONVERTIBLE", "electric": "ELECTRIC"},),
)
NIGHTLY = Amount(30, 1_000, ("{} dollars", "{} euros", "{}"), ("{}元", "{}块"))

HOTELS = Family(
    key="travel.hotels",
    names=("search_hotels", "find_hotel", "list_accommodation", "hotel_search", "rooms_available"),
    about=(
        "Search for hotels in a city for some nights.",
        "Finds free hotel rooms between two days. It does not reserve them.",
        "Hotels with free rooms, by city, dates, guests and highest price.",
    ),
    about_zh=("搜索某城市的酒店。", "查询入住期间有空房的酒店，不会下单。"),
    params=(
        Param("city", City(0.4), ("city", "town", "destination"), ("City",), ("城市",)),
        Param(
            "country",
            PartOf("city", "country"),
            ("country", "country_name"),
            ("Country, if the user names it",),
            ("国家（如有提到）",),
            required=False,
        ),
        Param("stay", FIRST_DAY, ("check_in", "checkin_date", "arrival"), ("Day of arrival",), ("入住日期",)),
        Param(
            "leave",
            PartOf("stay", "end", about="YYYY-MM-DD", about_zh="格式 YYYY-MM-DD"),
            ("check_out", "checkout_date", "departure"),
            ("Day of departure",),
            ("退房日期",),
        ),
        Param(
            "guests",
            Integer(2, 6),
            ("guests", "people", "num_guests"),
            ("Number of guests",),
            ("入住人数",),
            required=False,
        ),
        Param(
            "price",
            NIGHTLY,
            ("max_price", "price_limit", "budget_per_night"),
            ("Highest price for a night",),
            ("每晚最高价",),
            required=False,
        ),
    ),
    asks=(
        "Find a hotel in {city} {stay}[ for {guests} people][, at most {price} a night].",
        "hotels {city} {stay}[, under {price} per night]",
        "We need somewhere to sleep in {city} {stay}[, there are {guests} of us].",
        "I'm visiting my son in {city} {stay} and hate his sofa. What rooms are there[ below {price} a night]?",
        "Where can {guests} of us stay in {city} {stay}[ for less than {price} a night]?",
        "a room in {city} {stay} please[, budget {price} a night]",
        "Any decent place to spend the nights in {city} {stay}?",
        "Could you see which hotels in {city} have space {stay}[ for {guests} guests]?",
        "I'll be in {city} {stay}. Beds wanted[, {guests} people][, max {price} each night]!",
        "{stay} in {city}: what accommodation is free?",
        "my company sends me to {city} {stay}, they pay up to {price} a night. Find me a hotel.",
        "The {guests} of us are off to {city} {stay}, and nobody has thought of beds yet.",
        "Honeymoon in {city} {stay}! Where do we check in[ without paying more than {price} a night]?",
        "need a bed, {city}, {stay}[, {price} a night tops]",
    ),
    asks_zh=(
        "{stay}在{city}住酒店，有什么推荐[，每晚不超过{price}]？",
        "帮我找{city}的酒店，{stay}[，{guests}个人住]",
        "{stay}去{city}看儿子，晚上住哪儿好[，预算每晚{price}以内]",
        "我们{guests}个人{stay}在{city}，有空房的酒店有哪些",
        "{city}，{stay}，找住的地方[，{guests}位]",
        "公司派我{stay}去{city}，住宿标准每晚{price}，查一下酒店",
        "查{city}{stay}还有房的宾馆",
        "{stay}要在{city}过夜，看看哪些酒店有房[，最贵{price}一晚]",
        "蜜月去{city}，{stay}，住哪里好[，每晚{price}以内]",
        "{city}{stay}有便宜的旅馆吗[，我们{guests}个人]",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("hotel", HOTEL_NAMES),
                ("price", Integer(45, 320)),
                ("rating", Word(("7.8", "8.4", "9.1", "8.9"))),
            ),
            texts=("{hotel}, {price} a night, rated {rating}",),
            texts_zh=("{hotel}，每晚{price}元，评分{rating}",),
            answers=(
                "{hotel} in {city} has rooms for {price} a night; it is rated {rating}.",
                "I found {hotel}: {price} a night, rating {rating}.",
                "You could stay at {hotel} for {price} a night.",
            ),
            answers_zh=(
                "{city}的{hotel}有房，每晚{price}元，评分{rating}。",
                "找到{hotel}，每晚{price}元，评分{rating}。",
                "可以住{hotel}，评分{rating}，每晚{price}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("I need a hotel {stay}.", "Find me a room {stay} for {guests} people."),
            replies=("In which city?", "Where do you want to stay?"),
            asks_zh=("{stay}帮我找个酒店", "{stay}要住宾馆，有房吗？"),
            replies_zh=("请问在哪个城市？", "您要住在哪座城市？"),
        ),
        Missing(
            key="stay",
            asks=("Find a hotel in {city}.", "we need a place to sleep in {city}, {guests} people"),
            replies=("From which day to which day?", "When do you arrive and when do you leave?"),
            asks_zh=("找一家{city}的酒店", "去{city}玩，住哪里好？"),
            replies_zh=("请问哪天入住、哪天退房？", "入住和退房日期是哪两天？"),
        ),
    ),
    errors=("no rooms free on these days",),
)

CAR_HIRE = Family(
    key="travel.car_hire",
    names=("rent_car", "car_rental_quotes", "hire_car", "rental_cars"),
    about=(
        "Rental cars in a city for some days.",
        "Quotes for hiring a car, by city, dates and class.",
        "Find a car to rent. Not a taxi.",
    ),
    about_zh=("查询某城市的租车。", "按城市、日期和车型查询租车报价，不是打车。"),
    params=(
        Param("city", City(0.2), ("pickup_city", "city", "location"), ("Where to pick up the car",), ("取车城市",)),
        Param(
            "days", Period(Day(1, 40)), ("rental_period", "dates", "period"), ("First and last day",), ("租车起止日期",)
        ),
        Param("car", CAR, ("car_class", "vehicle_type", "category"), ("Class of car",), ("车型",), required=False),
        Param(
            "age",
            Integer(19, 75),
            ("driver_age", "age"),
            ("Age of the driver in years",),
            ("驾驶人年龄",),
            required=False,
        ),
    ),
    asks=(
        "I want to rent a car in {city} {days}[. The driver is {age}].",
        "car hire {city} {days}",
        "What does {car} cost in {city} {days}[? I'm {age} years old]",
        "We fly into {city} and need our own wheels {days}.",
        "Get me {car} in {city} {days}, please.",
        "{days} we tour around {city} and would like to drive ourselves[, the driver is {age}]. What's on offer?",
        "my car's being repaired so I need another one in {city} {days}",
        "Is there {car} for hire in {city} {days}[, driver aged {age}]?",
        "Rental quotes for {city} {days} please[, I'm {age}]",
        "Looking for {car} to drive myself, {city}, {days}.",
        "road trip! we start in {city} and need {car} {days}[, driver's age {age}]",
        "Which company would give a {age}-year-old a car in {city} {days}?",
        "There's no bus where we stay near {city}, so we'll want a vehicle {days}.",
    ),
    asks_zh=(
        "{days}在{city}租辆车[，驾驶人{age}岁]",
        "{city}租{car}多少钱，{days}",
        "我们飞到{city}，{days}想自驾，租什么车好",
        "帮我在{city}租一辆{car}，{days}[，我{age}岁]",
        "{days}，{city}，自驾租车报价",
        "车送修了，{days}得在{city}租车开",
        "{city}{days}有{car}可以租吗？",
        "查一下{days}{city}的租车价格[，司机{age}岁]",
        "一家人去{city}玩，{days}需要{car}一辆",
        "{city}出行没车不方便，{days}租一台吧",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "company",
                    Word(("Hertz", "Sixt", "Avis", "Europcar", "Enterprise"), ("神州租车", "一嗨租车", "悟空租车")),
                ),
                ("total", Integer(90, 700, 5)),
            ),
            texts=("{company}: {total} in total",),
            texts_zh=("{company}，共{total}元",),
            answers=(
                "{company} in {city} asks {total} in total.",
                "You can rent from {company} for {total}.",
                "The best quote is {total}, from {company}.",
            ),
            answers_zh=(
                "{city}的{company}总价{total}元。",
                "可以租{company}的车，一共{total}元。",
                "{company}报价{total}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("I need a rental car {days}.", "What does {car} cost to hire {days}?"),
            replies=("Where do you want to pick up the car?", "In which city?"),
            asks_zh=(
                "{days}租辆车",
                "{days}想自驾，帮我租车",
            ),
            replies_zh=(
                "请问在哪个城市取车？",
                "您在哪里取车？",
            ),
        ),
        Missing(
            key="days",
            asks=("I'd like to hire {car} in {city}.", "rent a car in {city}"),
            replies=("From when until when do you need it?", "For which days?"),
            asks_zh=(
                "在{city}租辆{car}",
                "到{city}想租车自驾",
            ),
            replies_zh=("请问从哪天租到哪天？", "租车日期是哪几天？"),
        ),
    ),
)

TRANSFER = Family(
    key="travel.transfer",
    names=("book_airport_transfer", "airport_pickup", "arrange_shuttle", "transfer_booking"),
    about=(
        "Book a driver from an airport to an address.",
        "Airport pick-up at a set moment, for people and bags.",
        "Arranges a ride from the airport. Not for rides inside a city.",
    ),
    about_zh=("预订接机服务。", "预约机场到指定地址的专车。"),
    params=(
        Param("airport", AIRPORTS, ("airport", "pickup_airport"), ("Airport of arrival",), ("到达机场",)),
        Param("address", ADDRESS, ("dropoff_address", "to_address", "address"), ("Where to go",), ("目的地址",)),
        Param(
            "when",
            Moment(Day(0, 30)),
            ("pickup_time", "pickup_at", "arrival_time"),
            ("When to be there",),
            ("接机时间",),
        ),
        Param("people", Integer(2, 8), ("passengers", "people"), (), ("人数",), required=False),
        Param(
            "bags",
            Integer(2, 9),
            ("bags", "suitcases", "luggage_count"),
            ("Pieces of luggage",),
            ("行李件数",),
            required=False,
        ),
        Param(
            "name",
            Person(1.0),
            ("sign_name", "passenger_name"),
            ("Name for the sign",),
            ("接机牌姓名",),
            required=False,
        ),
    ),
    asks=(
        "Book a transfer from {airport} to {address}, {when}[, {people} passengers][ with {bags} bags].",
        "someone has to fetch us at {airport} {when} and bring us to {address}[, there are {people} of us]",
        "I land at {airport} {when} and need a driver to {address}[. Sign: {name}].",
        "airport pickup {airport}, {when}, to {address}[, {bags} suitcases]",
        "My parents arrive at {airport} {when}. Have them driven to {address}[; name on the board: {name}].",
        "Arrange a shuttle: {airport} -> {address}, {when}[, {people} people].",
        "I won't wait for the bus at {airport} after that flight. Have a car there {when}, going to {address}.",
        "can you get me a ride from {airport} to {address}? I'm there {when}[ with {bags} pieces of luggage]",
        "Pick-up {when} at {airport}[ for {people}], drop-off {address}.",
        "To {address} from {airport}, {when}: reserve a driver[ who holds up a sign with {name}].",
        "our guest speaker flies into {airport} {when}, someone has to drive her to {address}[, sign: {name}]",
        "We touch down at {airport} {when}[, {people} people][, {bags} bags]. Get us a driver to {address}.",
    ),
    asks_zh=(
        "{when}在{airport}接机，送到{address}[，{people}个人][，{bags}件行李]",
        "帮我约个接机，{airport}到{address}，{when}",
        "爸妈{when}到{airport}，安排车送他们去{address}[，接机牌写{name}]",
        "我{when}落地{airport}，要一辆车到{address}[，有{bags}个箱子]",
        "{airport}接机，{when}，目的地{address}[，一共{people}位]",
        "飞太久不想等大巴，{when}叫个司机在{airport}等我，去{address}",
        "订{when}从{airport}到{address}的专车接机[，举牌名字{name}]",
        "客户{when}到{airport}，派车接到{address}[，{people}人]",
        "讲课老师{when}飞到{airport}，接一下送{address}[，牌子上写{name}]",
        "{when}，{airport}，接{people}个人去{address}",
    ),
    outcomes=(
        Outcome(
            fields=(("driver", Person()), ("price", Integer(25, 140, 5))),
            texts=("confirmed, driver {driver}, {price}",),
            texts_zh=("已确认，司机{driver}，{price}元",),
            answers=(
                "Booked: {driver} will wait at {airport}; the ride costs {price}.",
                "{driver} drives you to {address} for {price}.",
                "The transfer is arranged with {driver}, for {price}.",
            ),
            answers_zh=(
                "已预订，司机{driver}会在{airport}等候，车费{price}元。",
                "安排好了，{driver}送您到{address}，{price}元。",
                "接机已订，司机{driver}，{price}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="when",
            asks=("Book a driver from {airport} to {address}.", "we need picking up at {airport}, going to {address}"),
            replies=("When do you arrive?", "On which day and at what time should the driver be there?"),
            asks_zh=(
                "约个{airport}到{address}的接机",
                "从{airport}到{address}，要一辆接机的车",
            ),
            replies_zh=("请问几号几点接机？", "航班什么时候到？"),
        ),
        Missing(
            key="address",
            asks=("Have a driver pick me up at {airport} {when}.", "airport transfer from {airport}, {when}"),
            replies=("Where should the driver take you?", "What is the address you are going to?"),
            asks_zh=(
                "{when}在{airport}接我",
                "我{when}到{airport}，安排个接机",
            ),
            replies_zh=("请问送到哪里？", "目的地址是哪里？"),
        ),
    ),
    also=("getting_around.taxi",),
)

STAY = (HOTELS, CAR_HIRE, TRANSFER)
