"""When the car complains: lights on the dashboard and breakdowns on the road."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, Word
from training.data.wordings import pool
from training.data.world import Phone

LAMP = Word(
    pool(
        """red oil can | yellow engine | circled exclamation mark | battery symbol | thermometer in waves | red lamp
        yellow snowflake | flashing airbag sign | lamp saying ABS | tyre with an exclamation mark
        steering wheel symbol | glowing coil | key symbol | wrench | skidding car | brake pad sign | yellow turtle
        fuel pump | seat belt sign | headlight with an arrow"""
    ),
    pool(
        """红色油壶 | 黄色发动机 | 圆圈里的感叹号 | 电瓶标志 | 水温计标志 | 黄色雪花 | 闪烁的安全气囊标志 | ABS灯
        带感叹号的轮胎 | 方向盘标志 | 弹簧形状的灯 | 钥匙标志 | 扳手标志 | 打滑小车标志 | 刹车片标志 | 橙色小乌龟
        加油机标志 | 安全带标志 | 红色三角 | 大灯箭头标志"""
    ),
)
URGENCY = Choice(
    {
        "stop": (("stop at once",), ("立即停车",)),
        "soon": (("see a garage soon",), ("尽快去修理厂",)),
        "harmless": (("no danger",), ("没有危险",)),
    }
)
FAULT = Choice(
    {
        "flat_tyre": (("a flat tyre", "a puncture"), ("爆胎", "轮胎没气")),
        "dead_battery": (("a dead battery", "a flat battery"), ("电瓶没电", "电瓶亏电")),
        "no_fuel": (("an empty tank", "no fuel left"), ("没油", "油箱空")),
        "engine": (("engine trouble", "smoke from the engine"), ("发动机冒烟", "发动机故障")),
        "locked_out": (("the keys locked inside", "locked myself out"), ("钥匙锁车里", "被锁在车外")),
    },
    (
        {
            "flat_tyre": "TYRE",
            "dead_battery": "BATTERY",
            "no_fuel": "FUEL",
            "engine": "ENGINE",
            "locked_out": "LOCKED_OUT",
        },
    ),
)
ROADSIDE = Word(
    pool(
        """A7 near exit 12 | Mill Lane 4 | car park of the swimming pool | M25 at junction 9
        Harbour Street | rest stop Blue Hills | the ferry terminal | kilometre 83 of the A1 | tunnel at Oak Hill
        Station Road 17 | petrol station on Main Street | bridge in Ashford | Elm Street 230 | Route 66 mile 41
        the zoo car park | B44 behind Lindow | airport parking level 2 | lay-by at Stone Cross
        Park Avenue 9 | roundabout at Eastgate"""
    ),
    pool(
        """京沪高速K83 | 机场停车场二层 | 滨江路17号 | 动物园停车场 | 绕城高速12号出口 | 人民路加油站 | 杭甬高速服务区
        东门环岛 | 跨海大桥中段 | 解放路230号 | 火车站南广场 | 青山隧道口 | 大学城地铁站旁 | 318国道41公里处
        中心医院门口 | 万达地下车库 | 新港码头 | 环湖路9号 | 沪昆高速上饶出口 | 体育馆后门"""
    ),
)

WARNING_LIGHT = Family(
    key="car_care.warning_light",
    names=("explain_warning_light", "dashboard_light", "warning_lamp_meaning", "decode_dash_symbol"),
    about=(
        "What a light on the dashboard means.",
        "Explains a warning symbol and says whether one may drive on.",
        "Meaning of dashboard lamps. Sends no help.",
    ),
    about_zh=("解释仪表盘警示灯。", "说明仪表盘标志的含义以及能否继续行驶。"),
    params=(
        Param("lamp", LAMP, ("symbol", "light", "lamp_description"), ("What it looks like",), ("灯的样子",)),
        Param("blinking", Flag(), ("blinking", "is_flashing"), ("True if it blinks",), ("是否闪烁",), required=False),
    ),
    asks=(
        "What does the {lamp} on my dashboard mean?",
        "the {lamp} came on, can I drive on",
        Ask("Help, the {lamp} keeps blinking at me while I drive.", {"blinking": True}),
        "Halfway home the {lamp} lit up. Is that bad?",
        "{lamp} behind the wheel is lit, what is it",
        "My daughter called: in her car a {lamp} is showing. What's that?",
        Ask("The {lamp} glows all the time without blinking. What does it want?", {"blinking": False}),
        "There's a {lamp} next to the speedometer and I don't know it.",
    ),
    asks_zh=(
        "仪表盘上亮了个{lamp}，什么意思？",
        "{lamp}亮了还能开吗",
        "开到一半{lamp}亮起来，严重吗",
        Ask("{lamp}一直在闪，怎么回事", {"blinking": True}),
        "女儿打电话说车上出现{lamp}，那是什么",
        "车子启动后{lamp}不灭，是什么毛病",
        "时速表旁边有个{lamp}，没见过",
        Ask("{lamp}常亮不闪，要紧吗", {"blinking": False}),
        "看到{lamp}要不要马上停车",
        "{lamp}代表啥",
        "我的车今早显示{lamp}，解释一下",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "meaning",
                    Word(
                        pool("a faulty sensor | a low fluid level | a worn part | a switched-off system"),
                        pool("传感器故障 | 油液不足 | 部件磨损 | 某个系统已关闭"),
                    ),
                ),
                ("advice", URGENCY),
            ),
            texts=("{meaning}: {advice}",),
            texts_zh=("{meaning}，{advice}",),
            answers=(
                "It means {meaning}: {advice}.",
                "That is {meaning}; {advice}.",
                "The {lamp} stands for {meaning}.",
            ),
            answers_zh=("这表示{meaning}，{advice}。", "{lamp}的意思是{meaning}。", "是{meaning}，建议：{advice}。"),
        ),
    ),
    missing=(
        Missing(
            key="lamp",
            asks=("Some light came on in the dashboard. What is it?", "a warning lamp is on, can I keep driving"),
            replies=("What does the light look like?", "Which symbol is it?"),
            asks_zh=("仪表盘亮了个灯，什么意思", "有个故障灯亮了，还能开吗"),
            replies_zh=("请问是什么样的灯？", "那个标志长什么样？"),
        ),
    ),
)

BREAKDOWN = Family(
    key="car_care.breakdown",
    names=("request_roadside_help", "call_breakdown_service", "roadside_assistance", "send_tow_truck"),
    about=(
        "Send help to a car that broke down.",
        "Calls the breakdown service to a place, with the fault and a number to call back.",
        "Roadside assistance, right away. Garage appointments are made elsewhere.",
    ),
    about_zh=("呼叫道路救援。", "车在路上坏了时派救援，需要地点和故障。"),
    params=(
        Param("place", ROADSIDE, ("location", "where", "car_location"), ("Where the car is",), ("车辆位置",)),
        Param("fault", FAULT, ("problem", "fault_type", "reason"), ("What happened",), ("故障类型",)),
        Param("phone", Phone(), ("callback_number", "phone"), ("Number to call back",), ("回拨电话",), required=False),
        Param("people", Integer(2, 6), ("passengers", "people_in_car"), (), ("车上人数",), required=False),
    ),
    asks=(
        "I'm at {place} with {fault}. Send somebody[, my number is {phone}].",
        "broken down at {place}, {fault}[, call {phone}]",
        "Can a tow truck come to {place}? It's {fault}[, and we are {people} people].",
        "We're stuck at {place}: {fault}. Help!",
        "{fault} at {place}, need help right now",
        "My mother is standing at {place}, {fault}. Please get her help[; she's on {phone}].",
        "Nothing moves any more. Location {place}, reason: {fault}[, {people} of us in the car].",
        "Please call out the breakdown people to {place} because of {fault}.",
    ),
    asks_zh=(
        "我在{place}，{fault}了，快派人来[，电话{phone}]",
        "车坏在{place}，{fault}，叫救援",
        "{place}，{fault}，需要拖车[，我们{people}个人]",
        "救命，{fault}了，人在{place}",
        "我妈的车停在{place}动不了，{fault}，帮她叫救援[，她电话{phone}]",
        "{fault}，现在困在{place}[，车上{people}个人]",
        "请派道路救援到{place}，原因是{fault}",
        "在{place}抛锚了，{fault}，有人能来吗",
        "位置{place}，故障：{fault}[，联系电话{phone}]",
        "车子{fault}，走不了了，我在{place}等",
    ),
    outcomes=(
        Outcome(
            fields=(("minutes", Integer(15, 90, 5)),),
            texts=("a patrol arrives in {minutes} min",),
            texts_zh=("救援{minutes}分钟后到",),
            answers=(
                "Help is on the way and will be there in {minutes} minutes.",
                "Somebody will be with you in {minutes} minutes.",
                "The breakdown service comes in {minutes} minutes. Stay safe.",
            ),
            answers_zh=(
                "救援车{minutes}分钟后到。",
                "已经派人了，大约{minutes}分钟到，请注意安全。",
                "{minutes}分钟后救援到达{place}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="place",
            asks=("I've broken down with {fault}, send help.", "{fault}! I need a tow truck"),
            replies=("Where are you?", "Where is the car standing?"),
            asks_zh=("{fault}了，快叫救援", "车{fault}，帮我叫拖车"),
            replies_zh=("请问车在哪里？", "您现在在什么位置？"),
        ),
        Missing(
            key="fault",
            asks=("I'm stuck at {place}, call the breakdown service.", "roadside help to {place} please"),
            replies=("What is wrong with the car?", "What happened to the car?"),
            asks_zh=("我的车停在{place}动不了，叫救援", "派救援到{place}"),
            replies_zh=("请问车出了什么问题？", "是什么故障？"),
        ),
    ),
)
