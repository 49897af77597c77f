"""Plain requests, short ones and formal ones, about weather, home, media, ways, tables and journeys."""

from training.data.family import Ask

MORE: dict[str, tuple[tuple[str | Ask, ...], tuple[str | Ask, ...]]] = {
    "weather.several_days": (
        (
            "the next {count} days in {city}, please: temperatures and rain",
            Ask("week ahead, {city}", {"count": 7}),
            Ask("What's the weather for the whole of the next seven days in {city}?", {"count": 7}),
            "We're touring around {city} for {count} days starting this morning, what's the weather going to do?",
        ),
        (
            "{city}最近{count}天天气",
            "{city}未来{count}天会下雨吗",
            "请查询{city}未来{count}天的天气预报",
            "接下来{count}天{city}冷不冷",
            Ask("{city}这一周天气怎么样，七天都要", {"count": 7}),
            Ask("{city}一周天气预报", {"count": 7}),
            Ask("{city}未来十天天气", {"count": 10}),
            "今天起{count}天，{city}的天气",
            "{city}接下来{count}天热不热",
        ),
    ),
    "weather.hourly": (
        (
            "hourly weather {city} {hours}",
            "what happens weather-wise in {city} during the coming {hours}",
            "Give me every hour of the next {hours} for {city}.",
        ),
        (
            "{city}未来{hours}天气怎么变",
            "请给出{city}未来{hours}的逐小时天气",
            "{city}接下来{hours}多少度",
            "{hours}内{city}会不会变冷",
            "{city}每小时天气，看{hours}的",
            "接下来{hours}我都在{city}外面，天气会怎样",
        ),
    ),
    "weather.wind": (
        (
            "is {city} windy[ on {day}]",
            "wind forecast {city} {day}",
            "How many {unit} is the wind in {city}[ on {day}]?",
        ),
        (
            "{city}[{day}]风大不大",
            "{city}[{day}]有风吗",
            "请查询{city}[{day}]的风速和风向",
            "{city}[{day}]刮几级风",
            "[{day}]{city}什么风向",
            "{day}{city}风速[，用{unit}]",
        ),
    ),
    "weather.uv": (
        ("sunscreen on {day} in {city}?", "how bad are the UV rays in {city} on {day}", "uv index for {day}, {city}"),
        (
            "{day}{city}要不要涂防晒",
            "{day}{city}紫外线高吗",
            "请查询{city}{day}的紫外线强度",
            "{city}{day}容易晒黑吗",
            "{day}在{city}要不要防晒",
            "{day}{city}太阳晒不晒",
        ),
    ),
    "getting_around.distance": (
        (
            "how far {first} to {second}",
            "How far is {second} from {first}? Start at {first}[, {unit} please].",
            "{unit} from {first} to {second}?",
        ),
        (
            "{first}到{second}有多远",
            "{first}到{second}多少{unit}",
            "请问{first}距{second}有多远",
            "{first}到{second}有几{unit}",
            "从{first}到{second}的距离是多少{unit}",
            "{first}与{second}相距多少{unit}",
        ),
    ),
    "getting_around.find_car": (
        ("car where?", "In which place did I park the car?", "tell me where I've parked"),
        (
            "我的车停在哪里",
            "车停哪了",
            "请告诉我停车位置",
            "我之前把车停哪了",
            "车放哪儿了来着",
            "帮我想想车停在几号位",
        ),
    ),
    "getting_around.keep_spot": (
        ("note: car at {note}", "Save where I've parked: {note}.", "the car's parking spot is {note}, remember it"),
        (
            "我把车停在{note}了",
            "请记住停车位置：{note}",
            "停车位置{note}，记一下",
            "车停在{note}，别忘了",
            "停在{note}，帮我存着",
            "记车位，{note}",
        ),
    ),
    "getting_around.charging": (
        (
            "{plug} charging at {near}",
            "charge my EV close to {near} ({plug})",
            "{near}, {plug}, where do I plug in the car",
        ),
        (
            "{near}附近的{plug}充电桩",
            "请查找{near}附近支持{plug}的充电站",
            "{near}充电去哪，{plug}",
            "车要充电，{near}附近，{plug}[，{power}千瓦以上]",
            "{near}有充电桩吗，我是{plug}的",
        ),
    ),
    "getting_around.bikes": (
        ("rent a city bike near {near}", "are there bikes to share at {near}", "{count} shared bikes at {near} please"),
        (
            "{near}附近的共享单车",
            "{near}能扫到单车吗",
            "请查询{near}周边可用的共享单车",
            "{near}附近找{count}辆单车",
            "{near}有没有自行车可以骑，共享的",
        ),
    ),
    "smart_home.dim_light": (
        (
            "{level} in the {room}, lights I mean",
            "brighter in the {room}: {level}",
            "dimmer in the {room}, {level} will do",
        ),
        (
            "{room}灯光调到{level}",
            "请将{room}亮度设置为{level}",
            "{room}灯亮度调到{level}",
            "{room}灯调亮到{level}",
            "{room}灯调暗到{level}",
            "把{room}的灯开到{level}",
            "{room}太暗，亮度{level}吧",
        ),
    ),
    "smart_home.lock_door": (
        (
            Ask("lock {door}", {"action": "lock"}),
            Ask("open the {door} lock for me[, {pin}]", {"action": "unlock"}),
            Ask("Is the {door} still unlocked? Then lock it.", {"action": "lock"}),
        ),
        (
            Ask("{door}锁上", {"action": "lock"}),
            Ask("{door}开锁", {"action": "unlock"}),
            Ask("请锁好{door}", {"action": "lock"}),
            Ask("请给{door}解锁[，密码{pin}]", {"action": "unlock"}),
            Ask("把{door}的锁打开[，密码是{pin}]", {"action": "unlock"}),
            Ask("忘了锁{door}，帮我锁上", {"action": "lock"}),
            Ask("有人来了，{door}开一下锁", {"action": "unlock"}),
        ),
    ),
    "smart_home.start_vacuum": (
        ("start cleaning the {rooms}", "sweep the {rooms}", "robot vacuum on[, {power}]"),
        (
            "请启动扫地机器人",
            "扫{rooms}",
            "清扫{rooms}",
            "让机器人扫{rooms}[，{power}模式]",
            "家里太脏，扫一下地",
            "{rooms}脏了，扫扫地",
            "打开扫地机器人[，{power}模式]",
        ),
    ),
    "smart_home.dock_vacuum": (
        ("stop the vacuum", "robot back to base", "End of cleaning, please send the vacuum to its charger."),
        (
            "请让扫地机器人返回充电座",
            "停止扫地",
            "扫地机器人停下",
            "扫地机回去吧",
            "让扫地机器人回家充电",
            "不要再扫地了",
        ),
    ),
    "smart_home.plug_timer": (
        (
            Ask("{device}: off in {after}", {"state": "off"}),
            Ask("please start the {device} in {after}", {"state": "on"}),
            Ask("have the {device} switched off in {after}", {"state": "off"}),
        ),
        (
            Ask("{after}后把{device}关了", {"state": "off"}),
            Ask("{after}后把{device}打开", {"state": "on"}),
            Ask("请在{after}后关闭{device}", {"state": "off"}),
            Ask("请在{after}后开启{device}", {"state": "on"}),
            Ask("{device}定时{after}关闭", {"state": "off"}),
            Ask("过{after}关{device}", {"state": "off"}),
            Ask("过{after}开{device}", {"state": "on"}),
        ),
    ),
    "media.pause": (
        ("pause it", "pause the video please", "shh, stop the music for a second", "take a break with the playback"),
        ("请暂停播放", "先暂停", "停一下音乐", "暂停音乐", "暂停视频", "电影暂停", "先别播了", "等一下，停停"),
    ),
    "media.radio": (
        (
            "play {station} radio",
            "turn {station} on, I want to hear the news",
            "live radio please: {station}[, {sleep}]",
        ),
        (
            "请播放广播{station}",
            "放{station}的广播",
            "我想听{station}这个电台",
            "打开电台{station}",
            "收听{station}[，{sleep}后关闭]",
            "调到{station}这个台",
        ),
    ),
    "media.find_podcast": (
        ("any podcasts about {topic}?", "podcast on {topic} please[, in {tongue}]", "find episodes: {topic}"),
        (
            "有没有讲{topic}的播客",
            "请搜索关于{topic}的播客[，{longest}以内]",
            "推荐{topic}的播客",
            "找{topic}播客[，{tongue}的]",
            "想听{topic}的播客",
            "{topic}有什么好听的播客",
        ),
    ),
    "media.show_times": (
        (
            "when can I see {film} in {city} on {day}",
            "{film} showtimes in {city}, {day}",
            "screenings of {film}: {city}, {day}[, after {after}]",
        ),
        (
            "{day}{city}有{film}的场次吗",
            "请查询{film}{day}在{city}的放映时间",
            "{city}{day}{film}几点的场",
            "{day}在{city}看{film}，几点有",
            "{film}在{city}什么时候放，{day}的",
        ),
    ),
    "media.photos": (
        ("show me photos of {subject}", "find pictures: {subject}[, {place}]", "photos from {year} with {subject}"),
        (
            "找{subject}的照片",
            "请搜索{subject}的照片[，{year}年的]",
            "看看{subject}的照片[，在{place}拍的]",
            "我拍的{subject}在哪",
            "{year}年{subject}的照片",
            "搜索相册，{subject}",
        ),
    ),
    "eating.events": (
        ("are there {kind} in {city}[ on {day}]", "what {kind} are on, {city}[, {day}]", "{city} {kind}"),
        (
            "{city}有什么{kind}",
            "{city}[{day}]有没有{kind}",
            "请查询{city}[{day}]的{kind}",
            "想在{city}看{kind}[，{day}]",
            "[{day}]{city}有{kind}看吗",
            "{city}的{kind}有哪些",
        ),
    ),
    "eating.takeaway": (
        (
            "deliver {items} from {restaurant} to {address}",
            "food order: {restaurant}, {items}, to {address}",
            "please order {items} at {restaurant}; we're at {address}",
        ),
        (
            "点{restaurant}的{items}，送到{address}",
            "请帮我在{restaurant}点{items}，地址{address}",
            "叫{restaurant}的外卖，{items}，送{address}",
            "想吃{restaurant}的{items}，送到{address}来",
            "{restaurant}外卖：{items}，送到{address}",
        ),
    ),
    "eating.move_table": (
        (
            "change reservation {code} to {when}",
            "our table {code}: {when} instead",
            "please move dinner booking {code} to {when}",
        ),
        (
            "请把预订{code}改到{when}",
            "餐厅预订{code}改成{when}",
            "订的位{code}换到{when}",
            "{code}的桌改{when}",
            "预约{code}推迟到{when}",
        ),
    ),
    "travel.visa": (
        (
            "visa for {to}, passport {passport}",
            "do {passport} passport holders need a visa for {to}",
            "Is a visa required in {to} for citizens of {passport}?",
        ),
        (
            "{passport}护照去{to}要签证吗",
            "持{passport}护照去{to}需要办签证吗",
            "请查询{passport}公民去{to}的签证要求",
            "{passport}去{to}签证怎么要求，护照是{passport}的",
            "我是{passport}人，去{to}免签吗",
        ),
    ),
    "travel.packing": (
        (
            "what to bring for {nights} nights in {city}",
            "make a packing list: {city}, {nights} nights",
            "luggage for {city}, {nights} nights[, {bag}]?",
        ),
        (
            "去{city}住{nights}晚带什么",
            "去{city}{nights}晚要带什么东西",
            "请列出去{city}{nights}晚的行李清单",
            "{city}{nights}晚行李清单",
            "去{city}{nights}晚，帮我收拾行李，带啥[，要{plans}]",
        ),
    ),
    "travel.car_hire": (
        (
            "rent a car, {city}, {days}",
            "I'd need a car in {city} {days}",
            "{car} to rent in {city} {days}, please",
        ),
        (
            "{days}在{city}租车",
            "请查询{city}{days}的租车",
            "{city}租{car}，{days}",
            "想在{city}租辆车，{days}",
            "{days}去{city}，要租车",
        ),
    ),
    "travel.cancel_booking": (
        ("please cancel booking {code}", "cancel {code}[, {refund}]", "I want to cancel my trip, number {code}"),
        (
            "请取消预订{code}",
            "订单{code}退掉[，{refund}]",
            "我要取消{code}",
            "{code}不要了，退了吧",
            "预订{code}取消",
            "帮我退{code}[，{refund}]",
        ),
    ),
}
