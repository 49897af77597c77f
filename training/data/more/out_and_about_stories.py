"""Wishes on the way, at table and on journeys as they come up in passing: in stories, hints and half sentences."""

from training.data.family import Ask

_DRIVING, _WALKING, _TRANSIT = {"mode": "driving"}, {"mode": "walking"}, {"mode": "transit"}

MORE: dict[str, tuple[tuple[str | Ask, ...], tuple[str | Ask, ...]]] = {
    "getting_around.route": (
        (
            "from {start} to {end}, how do I go[ {mode}]",
            "I have a date at {end} and I'm still at {start}. Quickest way {mode}?",
            Ask("How many minutes on foot is it from {start} to {end}?", _WALKING),
            Ask("bus or tube from {start} to {end}", _TRANSIT),
            Ask("by car from {start} to {end}, how long will I sit in it[ if I go at {leave}]", _DRIVING),
        ),
        (
            "去{end}怎么走，从{start}",
            "请规划从{start}到{end}的路线[，{mode}]",
            "{start}去{end}要多久",
            "到{end}要怎么走？我现在在{start}",
            "从{start}{mode}去{end}",
            Ask("从{start}到{end}坐什么车", _TRANSIT),
            Ask("{start}到{end}开车要多长时间", _DRIVING),
            Ask("{start}到{end}打算走路去，远吗", _WALKING),
            "约会在{end}，我还在{start}，最快怎么去",
            "带我去{end}，从{start}走[，{mode}]",
            "我从{start}出发，去{end}的路线",
            "从{start}到{end}怎么过去方便[，想{mode}]",
        ),
    ),
    "getting_around.taxi": (
        (
            "get a car to {start}, going to {end}",
            "I missed the last bus at {start} and must get to {end}. Cab!",
            "Could you hail me a taxi? {start} to {end}[, {time}].",
            "ride for {people}: {start} to {end}",
        ),
        (
            "请帮我叫一辆出租车，从{start}到{end}",
            "打个车从{start}到{end}",
            "叫车，从{start}去{end}",
            "末班车没赶上，从{start}打车去{end}",
            "给我叫辆车到{end}，我在{start}等",
            "要车，{start}到{end}[，{time}]",
            "{time}要用车，{start}去{end}，叫个出租",
            "帮我约{time}的车，从{start}到{end}[，{people}人]",
            "送我去{end}，来{start}接，叫个的士",
        ),
    ),
    "getting_around.traffic": (
        (
            "is {road} busy",
            "what's holding us up on {road}",
            "Should I take {road} or will I stand in a queue there?",
        ),
        (
            "{road}现在堵车吗",
            "{road}前面怎么了，不动了",
            "请查询{road}的实时路况",
            "{road}今天好不好走",
            "走{road}会不会堵车",
            "{road}堵得厉害吗",
            "要不要绕开{road}，那边堵不堵",
        ),
    ),
    "getting_around.departures": (
        (
            "bus times at {stop}",
            "I'm freezing at {stop}, is line {line} coming soon?",
            "can I still catch line {line} at {stop}",
        ),
        (
            "{stop}还有多久来车",
            "{stop}{line}还有几分钟",
            "请查询{stop}的到站时间[，{line}]",
            "{line}几点到{stop}",
            "等车呢，{stop}，[{line}]还有几分钟到",
            "{stop}的末班走了没，下一班{line}什么时候",
            "公交怎么还不来，我在{stop}[等{line}]",
        ),
    ),
    "getting_around.parking": (
        (
            "where to put the car when we go to {near}",
            "is it easy to park around {near}",
            "car space wanted near {near}",
        ),
        (
            "{near}附近停车场",
            "{near}好停车吗",
            "去{near}停车方便吗，哪儿有位子",
            "请查找{near}附近的停车位",
            "{near}周边哪儿能放车[，停{length}]",
            "开车来{near}，找不到车位",
        ),
    ),
    "eating.find": (
        (
            "we'd kill for some {cuisine} food, {city}",
            "a {price} {cuisine} restaurant for tonight in {city}",
            "Does {city} have {cuisine} restaurants?",
            "My date loves {cuisine}. Where in {city}?",
        ),
        (
            "{city}有什么好吃的{cuisine}",
            "请推荐{city}的{cuisine}餐厅",
            "{city}吃{cuisine}哪家强",
            "{city}{cuisine}推荐",
            "女朋友爱吃{cuisine}，{city}哪家合适",
            "来{city}出差，想吃{cuisine}",
            "找家{cuisine}，在{city}[，要{price}]",
            "{city}有没有地道的{cuisine}",
            "肚子饿了想吃{cuisine}，我在{city}",
            "{city}{price}{cuisine}有哪些",
        ),
    ),
    "eating.book_table": (
        (
            "we're {people}, {restaurant}, {when}, can you get us a table",
            "dinner for {people} at {restaurant} {when} please",
            "Mum turns sixty! {restaurant}, {people} guests, {when}. Reserve it, please.",
        ),
        (
            "请帮我预订{restaurant}，{when}，{people}位",
            "订餐位，{restaurant}，{people}人，{when}",
            "在{restaurant}给我订{when}的桌，{people}个人",
            "我妈过生日，{when}在{restaurant}吃饭，{people}个人，订好位子",
            "{when}，{restaurant}，给我们{people}位留个位置",
            "{when}想吃{restaurant}，{people}个人，怕没位，先订上",
            "约了朋友去{restaurant}，{people}人，{when}，帮我订座",
        ),
    ),
    "eating.opening_hours": (
        (
            "does {place} open at all[ on {day}]",
            "when can I visit {place}[ on {day}]",
            "what time does {place} close[ on {day}]",
            "I'd like to be first in line at {place}[ on {day}], when do the doors open?",
        ),
        (
            "{place}几点开",
            "{place}几点关",
            "{place}[{day}]开门吗",
            "{place}[{day}]营业到几点",
            "请问{place}的营业时间是什么时候",
            "{place}[{day}]几点到几点开",
            "{day}{place}开不开门",
            "{place}现在开着吗",
            "下班后去{place}还开着吗，几点关",
        ),
    ),
    "eating.time_in": (
        (
            "what time do they have in {city}",
            "is it already tomorrow in {city}, what time is it there",
            "{city}: what's the clock showing?",
        ),
        (
            "{city}现在几点钟",
            "请问{city}当地时间是几点",
            "{city}那边几点",
            "{city}几点钟了现在",
            "{city}现在时间",
            "{city}当前几点",
            "女儿在{city}留学，这会儿她那里几点",
            "{city}是不是半夜了，几点",
        ),
    ),
    "eating.convert_time": (
        (
            "{here} {time} in {there} time?",
            "if I call at {time} from {here}, what time does the phone ring in {there}",
            "it's about a meeting: {time}, clock of {here}. What does that make in {there}?",
        ),
        (
            "{here}{time}是{there}几点",
            "{here}的{time}，{there}那边是几点",
            "请把{here}时间{time}换算为{there}时间",
            "{here}{time}开会，{there}是几点",
            "{here}{time}相当于{there}什么时间",
            "我从{here}{time}打过去，{there}几点了",
        ),
    ),
    "travel.search_flights": (
        (
            "flying {origin} to {destination} on {day}, what's there",
            "cheap flights from {origin} to {destination}, {day}",
            "Grandpa is turning ninety in {destination}. I'm in {origin} and would fly on {day}. Flights?",
        ),
        (
            "{day}{origin}飞{destination}",
            "请查询{day}{origin}到{destination}的航班",
            "{origin}到{destination}{day}有航班吗",
            "{day}从{origin}到{destination}的机票",
            "爷爷过寿，{day}要从{origin}飞{destination}，查下航班[，{back}回来]",
            "买{day}从{origin}去{destination}的飞机票，先看看有什么航班",
            "{day}飞{destination}便宜吗，从{origin}走",
            "{day}，{origin}至{destination}，航班",
        ),
    ),
    "travel.flight_status": (
        ("is {number} late", "arrival time of {number}[ {day}]", "when will {number} be on the ground[ on {day}]"),
        (
            "{number}几点到",
            "{number}几点起飞",
            "{number}准时吗",
            "请查询航班{number}的状态[，{day}]",
            "{number}现在什么情况",
            "{number}晚点多久",
            "朋友坐{number}来，[{day}]落地了没有",
        ),
    ),
    "travel.trains": (
        (
            "train times {origin} to {destination}, {leave}",
            "I'm in {origin}, want to be home in {destination}, can leave {leave}. Which train?",
        ),
        (
            "{leave}{origin}到{destination}的火车",
            "请查询{leave}从{origin}到{destination}的高铁车次",
            "{origin}坐火车去{destination}，{leave}走",
            "高铁{origin}到{destination}，{leave}[，{klass}]",
            "{leave}从{origin}回{destination}有什么高铁",
            "查一下车次，{origin}到{destination}，{leave}",
        ),
    ),
    "travel.hotels": (
        (
            "hotel in {city} please, {stay}",
            "we have no bed in {city} yet, {stay}[, {guests} people]",
            "find rooms: {city}, {stay}[, {price} per night at most]",
        ),
        (
            "{city}找酒店，{stay}",
            "请查询{city}{stay}的酒店",
            "{stay}住{city}，有什么酒店[，{guests}个人]",
            "{stay}去{city}要住宿",
            "{city}{stay}有房吗",
            "{stay}在{city}有没有便宜的酒店[，{price}以下一晚]",
            "{city}的酒店，{stay}[，一晚{price}以内]",
        ),
    ),
}
