"""Eating out and places to go: restaurants, tables, takeaways, museums, events, and what time it is elsewhere."""

from training.data.family import Ask, Domain, Draw, Drawn, Family, Missing, Outcome, Param, PartOf
from training.data.kinds import Choice, Flag, Integer, ListOf, Made, Record, Word
from training.data.times import Clock, Day, Moment
from training.data.world import City, Person, Phone

from ._going_out import GOING_OUT
from ._places import ADDRESS, BOOKING_CODES, RESTAURANTS, distinct

CUISINE = Word(
    (
        *("Thai", "Italian", "Vietnamese", "Mexican", "Greek", "Ethiopian", "Japanese", "Lebanese", "Korean", "French"),
        *("Peruvian", "Georgian", "Turkish", "Indian", "Cantonese", "Spanish", "Sichuan", "Moroccan", "vegan", "Cuban"),
    ),
    (
        *("川菜", "粤菜", "火锅", "日料", "韩国料理", "湘菜", "泰国菜", "意大利菜", "西北菜", "烧烤", "素食", "东北菜"),
        *("越南菜", "法餐", "本帮菜", "云南菜", "印度菜", "早茶", "小龙虾", "墨西哥菜"),
    ),
)
PRICE = Choice(
    {
        "cheap": (("cheap", "low-cost"), ("便宜的", "实惠的")),
        "moderate": (("mid-priced", "moderately priced"), ("中等价位的", "价格适中的")),
        "expensive": (("fancy", "high-end"), ("高档的", "高端的")),
    },
    ({"cheap": 1, "moderate": 2, "expensive": 3}, {"cheap": "$", "moderate": "$$", "expensive": "$$$"}),
)
DISH = Word(
    (
        *("margherita pizza", "pad thai", "chicken tikka", "caesar salad", "miso soup", "beef burger", "falafel wrap"),
        *("spring rolls", "lasagne", "garlic naan", "tiramisu", "lentil soup", "fish tacos", "mango lassi", "ramen"),
        *("pork dumplings", "greek salad", "cheese pide", "veggie curry", "apple pie", "onion rings", "iced tea"),
    ),
    (
        *("宫保鸡丁", "麻婆豆腐", "扬州炒饭", "酸辣汤", "小笼包", "牛肉面", "鱼香肉丝", "水煮鱼", "回锅肉", "豆浆"),
        *("烤鸭", "珍珠奶茶", "凉拌黄瓜", "糖醋里脊", "虾饺", "干炒牛河", "红烧肉", "葱油拌面"),
    ),
)
ORDER_LINE = Record("{quantity} {dish}", "{quantity}份{dish}", {"dish": DISH, "quantity": Integer(1, 6)})
_EVENTS = ("my father's 70th birthday", "our anniversary", "a business lunch", "a hen night", "Lena's graduation")
_WISHES = ("a table by the window", "a high chair for the baby", "a quiet corner", "a table outside", "vegan options")
_WARNINGS = ("one guest is allergic to nuts", "we bring a small dog", "one of us uses a wheelchair", "two are coeliac")
_EVENTS_ZH = ("给爸爸过七十大寿", "结婚纪念日", "商务宴请", "同学聚会", "孩子满月酒")
_WISHES_ZH = ("要靠窗的位子", "需要一把儿童椅", "要个安静的包间", "想坐露台", "要无烟区")
_WARNINGS_ZH = ("有一位对花生过敏", "带一只小狗", "有人坐轮椅", "有两位吃素")


def _table_note(draw: Draw) -> Drawn:
    rng = draw.rng
    pools = (_EVENTS_ZH, _WISHES_ZH, _WARNINGS_ZH) if draw.language == "zh" else (_EVENTS, _WISHES, _WARNINGS)
    parts = [rng.choice(pool) for pool in rng.sample(pools, rng.choice((1, 1, 2)))]
    said = ("，" if draw.language == "zh" else ", ").join(parts)
    return Drawn(said, said)


TABLE_NOTE = Made(_table_note)

FIND = Family(
    key="eating.find",
    names=("find_restaurants", "search_restaurants", "restaurant_finder", "places_to_eat", "dining_search"),
    about=(
        "Find restaurants in a city by cuisine.",
        "Searches places to eat, with price and whether they are open now. Books nothing.",
        "Restaurants serving a kind of food.",
    ),
    about_zh=("按菜系查找餐厅。", "搜索某城市的饭店，可筛选价位和是否营业，不负责订位。"),
    params=(
        Param("cuisine", CUISINE, ("cuisine", "food", "kind_of_food"), ("Kind of food, e.g. Polish",), ("菜系",)),
        Param("city", City(0.4), ("city", "town", "in_city"), ("City",), ("城市",)),
        Param(
            "country",
            PartOf("city", "country"),
            ("country", "country_name"),
            ("Country, if it was named",),
            ("国家（如有提到）",),
            required=False,
        ),
        Param("price", PRICE, ("price_level", "price_range", "budget"), (), ("价位",), required=False),
        Param(
            "open",
            Flag(),
            ("open_now", "only_open"),
            ("True to list only what is open now",),
            ("是否只看营业中",),
            required=False,
        ),
    ),
    asks=(
        "Where can I get good {cuisine} food in {city}?",
        "{cuisine} restaurants {city}",
        "I'm craving something {cuisine}. What is there in {city}?",
        "Find a {price} {cuisine} restaurant in {city}.",
        Ask("Which {cuisine} places in {city} are open right now?", {"open": True}),
        Ask("it's late, we're starving and stuck in {city}. any {cuisine} kitchen still serving?", {"open": True}),
        "My in-laws are in {city} and only eat {cuisine}. Where do I send them[? Something {price}]",
        "Recommend a {price} place for {cuisine} in {city}, please.",
        "anyone know where to eat {cuisine} in {city}",
        "Dinner in {city}, {cuisine} if possible[, {price}].",
        "We'd like to try {cuisine} cooking while we are in {city}. Suggestions[, {price} ones]?",
        "What's the best {cuisine} spot in {city}?",
    ),
    asks_zh=(
        "{city}哪里有好吃的{cuisine}？",
        "{city}的{cuisine}餐厅",
        "好想吃{cuisine}，{city}有什么推荐",
        "在{city}找家{price}{cuisine}馆子",
        Ask("{city}现在还开着的{cuisine}店有哪些", {"open": True}),
        Ask("太晚了，饿得不行，{city}还有营业的{cuisine}吗？", {"open": True}),
        "公婆来{city}，只吃{cuisine}，去哪家合适",
        "推荐{city}{price}{cuisine}",
        "周末去{city}玩，想尝尝{cuisine}，哪家好",
        "晚饭在{city}吃{cuisine}，给几个选择",
    ),
    outcomes=(
        Outcome(
            fields=(("name", RESTAURANTS), ("rating", Word(("4.2", "4.5", "4.7", "4.9")))),
            texts=("{name}, rated {rating}",),
            texts_zh=("{name}，评分{rating}",),
            answers=(
                "{name} in {city} is rated {rating}.",
                "Try {name}; it has a rating of {rating}.",
                "I found {name}, rated {rating}.",
            ),
            answers_zh=(
                "{city}的{name}评分{rating}，可以试试。",
                "推荐{name}，评分{rating}。",
                "找到一家：{name}，评分{rating}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("Where can I eat {cuisine} food?", "find me a {price} {cuisine} restaurant"),
            replies=("In which city?", "Where are you?"),
            asks_zh=("想吃{cuisine}，有推荐吗？", "找家{price}{cuisine}店"),
            replies_zh=("请问在哪个城市？", "您在哪里？"),
        ),
        Missing(
            key="cuisine",
            asks=("Where should we eat in {city}?", "I'm hungry and in {city}, find me a restaurant."),
            replies=("What kind of food would you like?", "Which cuisine do you prefer?"),
            asks_zh=(
                "{city}有什么好吃的餐厅？",
                "人在{city}，饿了，给找家餐厅",
            ),
            replies_zh=("请问想吃什么菜？", "您喜欢哪种菜系？"),
        ),
    ),
)

BOOK = Family(
    key="eating.book_table",
    names=("book_table", "reserve_table", "make_reservation", "restaurant_booking", "table_reservation"),
    about=(
        "Reserve a table at a restaurant.",
        "Books a table for a number of people at a moment. Changes to a reservation are made elsewhere.",
        "Make a restaurant reservation.",
    ),
    about_zh=("在餐厅订位。", "预订餐桌，需要餐厅、人数和时间；修改预订请用其他工具。"),
    params=(
        Param(
            "restaurant",
            RESTAURANTS,
            ("restaurant", "restaurant_name", "venue"),
            ("Name of the restaurant",),
            ("餐厅名称",),
        ),
        Param(
            "people", Integer(2, 14), ("party_size", "guests", "people", "covers"), ("Number of guests",), ("用餐人数",)
        ),
        Param(
            "when",
            Moment(Day(0, 25), Clock(11, 21)),
            ("when", "date_time", "reservation_time"),
            ("Day and time",),
            ("用餐时间",),
        ),
        Param(
            "name",
            Person(),
            ("name", "guest_name", "under_name"),
            ("Name for the booking",),
            ("预订人",),
            required=False,
        ),
        Param("phone", Phone(), ("phone", "contact_number"), (), ("联系电话",), required=False),
        Param(
            "note",
            TABLE_NOTE,
            ("notes", "special_request", "remarks"),
            ("Wishes, as the user puts them",),
            ("备注",),
            required=False,
        ),
    ),
    asks=(
        "Book a table for {people} at {restaurant}, {when}[, under the name {name}].",
        "table for {people}, {restaurant}, {when}[, phone {phone}]",
        "Could you get us in at {restaurant}, {when}? Party of {people}[. Note: {note}].",
        "We'd like to eat at {restaurant} {when}, there will be {people} of us[. Please put down {name}].",
        "{people} people, {when}, {restaurant}. Please reserve[; name {name}][, number {phone}]",
        "I promised my wife a nice meal at {restaurant}. {when}, for {people}. Can you fix that[? Remark: {note}]",
        "Reserve {restaurant} for {people} guests {when}[ in the name of {name}][ with the remark: {note}]",
        "Everyone agreed on {restaurant}, {when}. Count: {people}. Make the reservation please.",
        "hey can you call {restaurant} and hold a table {when} for {people}[, they can ring me on {phone}]",
        "We're eating at {restaurant}! {people} guests, {when}[, special request: {note}]. Sort it out for me?",
        "See that {restaurant} keeps seats for {people} of us, {when}.",
    ),
    asks_zh=(
        "订{restaurant}，{when}，{people}位[，姓名{name}]",
        "帮我在{restaurant}订个位子，{when}，{people}个人[，备注：{note}]",
        "{when}想去{restaurant}吃饭，一共{people}人，订一下位[，用{name}的名字]",
        "{people}个人，{when}，{restaurant}，订桌[，电话{phone}]",
        "答应老婆去{restaurant}，{when}，{people}位，帮我安排好[，备注写：{note}]",
        "给{restaurant}打个招呼，{when}留{people}个座位[，留{name}的名字]",
        "大家都说去{restaurant}，那就{when}，总共{people}人，预订吧[，联系电话{phone}]",
        "{restaurant}{when}还能订吗？我们{people}个人，能就订上[，预订人{name}]",
    ),
    outcomes=(
        Outcome(
            fields=(("code", BOOKING_CODES),),
            texts=("reserved, code {code}",),
            texts_zh=("预订成功，编号{code}",),
            answers=(
                "Your table at {restaurant} is reserved; the code is {code}.",
                "Done. The reservation code is {code}.",
                "{restaurant} expects you. Code: {code}.",
            ),
            answers_zh=(
                "{restaurant}订好了，预订号{code}。",
                "已经订上位子，编号{code}。",
                "位子留好了，预订号是{code}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="people",
            asks=("Book a table at {restaurant}, {when}.", "we want to eat at {restaurant} {when}, reserve please"),
            replies=("For how many people?", "How many of you will there be?"),
            asks_zh=("订{restaurant}，{when}", "{when}去{restaurant}吃饭，帮我订位"),
            replies_zh=("请问一共几位？", "有几个人用餐？"),
        ),
        Missing(
            key="when",
            asks=("Reserve a table for {people} at {restaurant}.", "{restaurant}, {people} people, please book"),
            replies=("When would you like to come?", "For which day and time?"),
            asks_zh=(
                "订{restaurant}，{people}位",
                "在{restaurant}帮我留{people}个位子",
            ),
            replies_zh=("请问什么时候用餐？", "几号几点？"),
        ),
        Missing(
            key="restaurant",
            asks=("Book a table for {people}, {when}.", "I need a dinner reservation {when} for {people} people."),
            replies=("At which restaurant?", "Which restaurant would you like?"),
            asks_zh=(
                "{when}订个{people}人的位子",
                "我们{people}个人{when}想出去吃饭，订一下",
            ),
            replies_zh=("请问订哪家餐厅？", "想去哪家饭店？"),
        ),
    ),
    errors=("fully booked at that time", "the restaurant is closed that day"),
)

MOVE = Family(
    key="eating.move_table",
    names=("move_reservation", "change_table_time", "reschedule_table", "update_reservation"),
    about=(
        "Move a table reservation to another time.",
        "Changes the time of a reservation that exists; needs its code.",
        "Reschedules a table. Does not make or cancel one.",
    ),
    about_zh=("更改餐厅预订的时间。", "按预订号改期，不能新建或取消预订。"),
    params=(
        Param(
            "code", BOOKING_CODES, ("reservation_code", "code", "booking_id"), ("Code of the reservation",), ("预订号",)
        ),
        Param(
            "when",
            Moment(Day(0, 25), Clock(11, 21)),
            ("new_time", "move_to", "new_date_time"),
            ("The new day and time",),
            ("新的时间",),
        ),
    ),
    asks=(
        "Move my table reservation {code}. New time: {when}.",
        "reschedule table {code}: {when}",
        "The babysitter can only come {when}. Shift table reservation {code} to then.",
        "Our plans for dinner have shifted. Could we have table {code} {when} instead?",
        "Table booking {code} won't work any more, {when} would.",
        "please change our restaurant booking {code}, we come {when} instead",
        "My train is delayed. I only arrive {when}, so change the table with code {code} to that.",
        "New time for {code}: {when}. Let the restaurant know.",
        "I'd rather eat {when}; the reservation number is {code}.",
        "we can't make it in time for table {code}. could you say we're coming {when}?",
    ),
    asks_zh=(
        "把餐厅预订{code}改到{when}",
        "预订号{code}，换成{when}",
        "保姆{when}才能来，订的位子{code}挪到那时候",
        "火车晚点了，餐位{code}改成{when}吧",
        "{code}这个订位能不能推到{when}？",
        "吃饭时间变了，{when}，预订号是{code}",
        "我想{when}再去吃，订单{code}帮我改期",
        "订桌{code}改时间：{when}，跟餐厅说一声",
    ),
    outcomes=(
        Outcome(
            fields=(("status", Word(("moved", "confirmed"), ("已改期", "已确认"))),),
            texts=("{status}",),
            texts_zh=("{status}",),
            answers=(
                "Reservation {code} has its new time: {when}.",
                "Done. We expect you {when}.",
                "Your table {code} has been moved.",
            ),
            answers_zh=("预订{code}已改到{when}。", "改好了，用餐时间是{when}。", "预订{code}的时间已经更新。"),
        ),
    ),
    missing=(
        Missing(
            key="code",
            asks=("Move my table to {when}.", "Can our dinner reservation be changed to {when}?"),
            replies=("What is the code of the reservation?", "Which reservation is it? I need its code."),
            asks_zh=(
                "把订的位子改到{when}",
                "吃饭时间变了，改成{when}吧",
            ),
            replies_zh=(
                "请问预订号是多少？",
                "是哪个预订？请告诉我编号。",
            ),
        ),
        Missing(
            key="when",
            asks=("I have to move reservation {code}.", "Change the time of table {code}, please."),
            replies=("To when should I move it?", "What is the new day and time?"),
            asks_zh=(
                "预订{code}要改个时间",
                "餐位{code}的时间帮我挪一下",
            ),
            replies_zh=("请问改到什么时候？", "新的时间是几号几点？"),
        ),
    ),
)

ORDER = Family(
    key="eating.takeaway",
    names=("order_takeaway", "order_food", "food_delivery", "place_meal_order"),
    about=(
        "Order food from a restaurant to an address.",
        "Places a delivery order: dishes with their quantities.",
        "Has meals brought to the door.",
    ),
    about_zh=("点外卖。", "从餐厅下单并送到指定地址，需写明菜品和份数。"),
    params=(
        Param(
            "restaurant",
            RESTAURANTS,
            ("restaurant", "from_restaurant", "vendor"),
            ("Restaurant to order from",),
            ("餐厅",),
        ),
        Param(
            "items",
            distinct(ListOf(ORDER_LINE, 1, 4), "dish"),
            ("items", "dishes", "order_lines"),
            ("Dishes and how many of each",),
            ("菜品及份数",),
        ),
        Param("address", ADDRESS, ("address", "deliver_to", "delivery_address"), ("Where to bring it",), ("送餐地址",)),
        Param(
            "cutlery",
            Flag(),
            ("cutlery", "include_cutlery"),
            ("Whether to pack cutlery",),
            ("是否需要餐具",),
            required=False,
        ),
    ),
    asks=(
        "Order {items} from {restaurant} to {address}.",
        "delivery from {restaurant}: {items}. address {address}",
        "Too tired to cook. Have {restaurant} bring {items} to {address}.",
        Ask("Get {items} delivered from {restaurant} to {address}, no cutlery please.", {"cutlery": False}),
        "The whole team is hungry! {restaurant}, {items}, to {address}.",
        "I'd like {items} from {restaurant}, and I'm at {address}.",
        Ask("takeaway to {address} from {restaurant}, {items}, with cutlery", {"cutlery": True}),
        "movie night at {address}, so please send for {items} at {restaurant}",
        "Could {restaurant} deliver {items}? We live at {address}.",
        "To {address}, please: {items}, all of it from {restaurant}.",
    ),
    asks_zh=(
        "在{restaurant}点{items}，送到{address}",
        "外卖：{restaurant}，{items}，地址{address}",
        "懒得做饭了，让{restaurant}送{items}到{address}",
        Ask("从{restaurant}叫{items}，送{address}，不要餐具", {"cutlery": False}),
        "大家都饿了，{restaurant}来{items}，送到{address}",
        Ask("点个外卖，{restaurant}的{items}，送{address}，要带餐具", {"cutlery": True}),
        "我在{address}，想吃{restaurant}的{items}，帮我下单",
        "晚上在{address}看球，点{restaurant}的{items}",
    ),
    outcomes=(
        Outcome(
            fields=(("minutes", Integer(20, 65, 5)), ("total", Integer(14, 96))),
            texts=("accepted, {minutes} min, {total}",),
            texts_zh=("已接单，{minutes}分钟送达，{total}元",),
            answers=(
                "Ordered: {restaurant} delivers in {minutes} minutes, for {total}.",
                "The food will be there in {minutes} minutes and costs {total}.",
                "Your order is placed: {total} in all, {minutes} minutes.",
            ),
            answers_zh=(
                "已下单，{restaurant}{minutes}分钟后送到，共{total}元。",
                "点好了，{minutes}分钟送达，{total}元。",
                "外卖已下单，一共{total}元，大约{minutes}分钟到。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="address",
            asks=("Order {items} from {restaurant}.", "I want {items} from {restaurant} delivered."),
            replies=("Where should it be delivered?", "What is the address?"),
            asks_zh=(
                "在{restaurant}点{items}",
                "想吃{restaurant}的{items}，叫个外卖",
            ),
            replies_zh=("请问送到哪里？", "送餐地址是哪里？"),
        ),
        Missing(
            key="items",
            asks=("Order from {restaurant} to {address}.", "get us food from {restaurant}, we're at {address}"),
            replies=("What would you like to eat?", "Which dishes, and how many of each?"),
            asks_zh=(
                "点{restaurant}的外卖，送{address}",
                "{restaurant}叫个外卖到{address}",
            ),
            replies_zh=("请问要点什么菜？", "要哪些菜，各几份？"),
        ),
    ),
    errors=("the restaurant does not deliver there",),
)

DOMAIN = Domain(
    "eating_out_places",
    (FIND, BOOK, MOVE, ORDER, *GOING_OUT),
    unserved=(
        ("Send the cook my compliments in a text message.", "给厨师发条短信，夸他菜做得好。"),
        ("Cancel my gym membership.", "把我的健身卡退了。"),
        ("Write a bad review of that pizza place.", "给那家披萨店写个差评。"),
        ("Count the calories of what I ate today.", "算算我今天吃了多少卡路里。"),
        ("Split the restaurant bill between five people.", "五个人平摊这顿饭钱，每人多少？"),
        ("Sign me up for the pottery class.", "给我报名陶艺班。"),
        ("Does the Blue Anchor have vegan dishes on its menu?", "绿茶餐厅的菜单上有素菜吗？"),
        ("Buy a gift voucher for a spa.", "买一张水疗礼品券。"),
        ("Set an alarm for seven tomorrow.", "明天七点叫我起床。"),
        ("Cancel my table for tonight altogether.", "今晚订的位子不要了，取消。"),
        ("Is there a dress code at the opera?", "去歌剧院有着装要求吗？"),
        ("How many stars does this chef have?", "这位大厨有几颗星？"),
        ("Find me a babysitter for Saturday night.", "周六晚上帮我找个保姆看孩子。"),
        ("Rent a room for my birthday party.", "租个场地办生日派对。"),
        ("Order two crates of wine for the cellar.", "订两箱红酒放酒窖。"),
        ("Has my food delivery left the restaurant yet?", "我的外卖出餐了吗？"),
        ("Become a friend of the museum with a yearly pass.", "给我办一张博物馆年卡。"),
        ("Order groceries for the week.", "买一周的菜送到家。"),
    ),
)
