"""Tools for the machines of a house: blinds, vacuum robot, plugs, washing machine, and what they use."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Decimal, Integer, ListOf, Percent, Word
from training.data.times import Clock, Day, Duration, Period

from ._home_words import DEVICE, SPACE

BLINDS = Family(
    key="smart_home.blinds",
    names=("move_blinds", "control_shades", "set_blinds", "window_covering", "blinds_position"),
    about=(
        "Open or close the blinds of a room.",
        "Moves blinds, curtains or shutters. Windows themselves stay as they are.",
        "Blinds up, down or partly down",
    ),
    about_zh=("打开或关闭房间的窗帘。", "控制窗帘、百叶窗，不控制窗户。"),
    params=(
        Param("room", SPACE, ("room", "location", "room_name"), ("Room, e.g. attic",), ("房间",)),
        Param(
            "action",
            Choice(
                {"open": (("open",), ("打开",)), "close": (("close",), ("关上",))}, ({"open": "up", "close": "down"},)
            ),
            ("action", "direction", "command"),
        ),
        Param("part", Percent(10, 90, 0), ("amount", "percent", "how_far"), ("How far",), ("开合程度",), False),
    ),
    asks=(
        Ask("Open the blinds in the {room}.", {"action": "open"}),
        Ask("close the {room} curtains[ by {part}]", {"action": "close"}),
        Ask("The sun is blinding me in the {room}.", {"action": "close"}),
        Ask("let some daylight into the {room}", {"action": "open"}),
        Ask("Draw the curtains in the {room}, the neighbours are staring again", {"action": "close"}),
        Ask("pull the shades in the {room} up[ by {part}] please", {"action": "open"}),
        Ask("I'd like the shutters in the {room} shut[, {part} of the way].", {"action": "close"}),
        Ask("Good morning! Blinds up in the {room}.", {"action": "open"}),
        Ask("could you raise the {room} blinds[ {part}]? my plants need the light", {"action": "open"}),
        Ask("shades down in the {room}[ by {part}], it's getting hot in there", {"action": "close"}),
        Ask("I can't see my screen because of the glare in the {room}", {"action": "close"}),
        Ask("time to wake up the kids, let the morning sun into the {room}", {"action": "open"}),
    ),
    asks_zh=(
        Ask("把{room}的窗帘拉开", {"action": "open"}),
        Ask("{room}窗帘关上[，关{part}]", {"action": "close"}),
        Ask("{room}太晒了，帮我挡一下阳光", {"action": "close"}),
        Ask("让{room}进点阳光吧", {"action": "open"}),
        Ask("对面的人老往{room}看，拉上窗帘", {"action": "close"}),
        Ask("早上好，打开{room}的百叶窗[，开{part}]", {"action": "open"}),
        Ask("{room}的窗帘拉上去[{part}]，植物要晒太阳", {"action": "open"}),
        Ask("该睡了，{room}窗帘放下来", {"action": "close"}),
        Ask("{room}反光看不清屏幕，窗帘拉上[{part}]", {"action": "close"}),
        Ask("叫孩子起床，让太阳照进{room}", {"action": "open"}),
    ),
    outcomes=(
        Outcome(
            fields=(("moved", Integer(2, 6)),),
            texts=("{moved} blinds moved", "ok: {moved}"),
            texts_zh=("已移动{moved}幅窗帘",),
            answers=(
                "All {moved} blinds in the {room} are where you want them.",
                "Done, the {moved} blinds in the {room} have moved.",
                "The blinds in the {room} are set.",
            ),
            answers_zh=(
                "{room}的窗帘搞定了，一共{moved}幅。",
                "{room}的{moved}幅窗帘已经调好了。",
                "好了，{room}的窗帘已经动过了。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="room",
            asks=("Close the blinds.", "open the curtains please", "shutters down!"),
            replies=("In which room?", "Which room's blinds do you mean?"),
            asks_zh=("拉上窗帘", "把窗帘打开"),
            replies_zh=("请问是哪个房间的窗帘？", "哪个房间？"),
        ),
    ),
    errors=("the motor is blocked", "no blinds in this room"),
)

_POWER = Choice(
    {
        "quiet": (("quiet", "silent"), ("静音", "安静")),
        "standard": (("standard", "normal"), ("标准", "普通")),
        "turbo": (("turbo", "full power", "strong"), ("强力", "最大吸力")),
    },
    ({"quiet": "low", "standard": "medium", "turbo": "high"},),
)

START_VACUUM = Family(
    key="smart_home.start_vacuum",
    names=("start_vacuum", "clean_rooms", "vacuum_rooms", "robot_clean", "send_vacuum"),
    about=(
        "Send the robot vacuum to clean. Without rooms it cleans the whole home.",
        "Vacuum some rooms or everywhere",
        "Starts a cleaning run of the vacuum robot.",
    ),
    about_zh=("让扫地机器人开始清扫，不指定房间则清扫全屋。", "启动扫地机器人。"),
    params=(
        Param("rooms", ListOf(SPACE, 1, 4), ("rooms", "areas", "zones"), ("Rooms to clean",), ("要清扫的房间",), False),
        Param("power", _POWER, ("mode", "suction", "power"), ("Suction power",), ("吸力模式",), False),
        Param("passes", Integer(2, 4), ("passes", "repeat"), ("How many times over",), ("清扫遍数",), False),
    ),
    asks=(
        "Start the vacuum[ in {power} mode].",
        "vacuum the {rooms}[ {passes} times]",
        "The dog has been in the {rooms} and there is hair all over the floor[, go over it {passes} times].",
        "guests in an hour and the floors are a mess! get the robot going[ at {power} power]",
        "Could you hoover the {rooms}[ on {power}]?",
        "I spilled flour, send the robot to the {rooms}[, {passes} passes]",
        "let the robot clean everything[, {power} suction]",
        "Please have the {rooms} vacuumed[ in {power} mode][, {passes} rounds].",
        "crumbs in the {rooms} again, you know what to do",
        "robot, clean the {rooms}[ {passes} times][ on {power}]",
        "I'd like the floors done while I'm out.",
        "the {rooms} could do with a clean[, {power} mode please]",
        "My socks are full of dust, do something about the floor in the {rooms}.",
    ),
    asks_zh=(
        "开始扫地[，用{power}模式]",
        "扫一下{rooms}[，扫{passes}遍]",
        "狗掉毛掉得{rooms}到处都是，派机器人去扫扫",
        "一会儿有客人来，让扫地机器人把全屋扫一遍",
        "{rooms}的地该吸了[，{power}模式]",
        "面粉撒了，让机器人去{rooms}清理[，来回{passes}遍]",
        "让扫地机器人打扫{rooms}[，{power}吸力]",
        "趁我出门，把地扫了吧[，{power}模式]",
        "{rooms}又有饼干渣了，吸一下[，{passes}遍]",
        "地上全是灰，{rooms}吸一遍[，{power}模式]",
        "让小机器人去{rooms}转转，地太脏了",
    ),
    outcomes=(
        Outcome(
            fields=(("minutes", Integer(12, 95)), ("battery", Integer(40, 100))),
            texts=("started, about {minutes} min, battery {battery}%",),
            texts_zh=("已开始，预计{minutes}分钟，电量{battery}%",),
            answers=(
                "Off it goes. Give it {minutes} minutes.",
                "The vacuum has started and needs about {minutes} minutes.",
                "It's cleaning: roughly {minutes} minutes, with {battery}% battery.",
            ),
            answers_zh=(
                "好的，机器人开工了，预计{minutes}分钟扫完。",
                "扫地机器人出发了，大约要{minutes}分钟。",
                "已经开始清扫，电量{battery}%。",
            ),
        ),
    ),
    errors=("the dust bin is full", "battery too low to start"),
)

DOCK_VACUUM = Family(
    key="smart_home.dock_vacuum",
    names=("dock_vacuum", "vacuum_return_home", "stop_cleaning", "send_robot_home"),
    about=("Stop cleaning and send the vacuum to its dock.", "Robot vacuum back to base", "Ends the cleaning run."),
    about_zh=("停止清扫，让扫地机器人回充。", "让扫地机器人回到底座。"),
    params=(),
    asks=(
        "Send the vacuum home.",
        "stop vacuuming",
        "The robot is too loud, I'm on a call. Make it go back to its base!",
        "vacuum back to dock please",
        "enough cleaning for today",
        "can the hoover robot go and charge now",
        "Please end the cleaning run.",
        "I can't hear the TV with that thing running around on the floor, park it",
        "return the robot to its station",
        "the cat is scared of the vacuum, stop it",
        "that's clean enough, the robot may rest",
        "Robot, go home.",
    ),
    asks_zh=(
        "让扫地机器人回去充电",
        "别扫了",
        "扫地机太吵了，我在开会，让它回去",
        "停止清扫",
        "扫地机器人回充",
        "今天就扫到这儿吧",
        "猫被扫地机吓到了，快停下",
        "让机器人回底座",
        "地够干净了，让机器人歇着吧",
        "扫地机器人，回家",
    ),
    outcomes=(
        Outcome(
            fields=(("cleaned_m2", Integer(5, 120)),),
            texts=("returning, {cleaned_m2} m2 cleaned",),
            texts_zh=("正在返回，已清扫{cleaned_m2}平方米",),
            answers=(
                "Cleaning has stopped; {cleaned_m2} square metres are done.",
                "It's on its way to the dock after {cleaned_m2} square metres.",
                "The vacuum is going home.",
            ),
            answers_zh=(
                "已停止清扫，机器人回底座了，扫了{cleaned_m2}平方米。",
                "扫地机器人正在回充，已清扫{cleaned_m2}平方米。",
                "好的，它正在回去。",
            ),
        ),
    ),
)

PLUG_TIMER = Family(
    key="smart_home.plug_timer",
    names=("set_plug_timer", "plug_countdown", "timed_outlet", "schedule_plug", "outlet_timer"),
    about=(
        "Switch a plugged-in device on or off after some time.",
        "Countdown for a smart plug: when it ends, the device is switched.",
        "Timer of a smart plug. Not for lights in the ceiling.",
    ),
    about_zh=("设置智能插座的倒计时开关。", "一段时间后自动打开或关闭插座上的设备。"),
    params=(
        Param("device", DEVICE, ("device", "plug", "appliance"), ("What is plugged in",), ("插座上的设备",)),
        Param(
            "state",
            Choice({"on": (("on",), ("开",)), "off": (("off",), ("关",))}, ({"on": "ON", "off": "OFF"},)),
            ("state", "turn", "switch_to"),
        ),
        Param("after", Duration(), ("delay_minutes", "after_minutes", "countdown"), ("Time until then",), ("倒计时",)),
    ),
    asks=(
        Ask("Turn off the {device} in {after}.", {"state": "off"}),
        Ask("in {after} switch the {device} on", {"state": "on"}),
        Ask("I always forget the {device}. Cut its power after {after}, will you?", {"state": "off"}),
        Ask("the {device} should run for another {after} and then stop", {"state": "off"}),
        Ask("I'll be home in {after} and want the {device} running by then, not before.", {"state": "on"}),
        Ask("{device} off after {after}", {"state": "off"}),
        Ask("Could you start the {device} {after} from now?", {"state": "on"}),
        Ask("Give the {device} {after} more, then off with it.", {"state": "off"}),
        Ask("Please let the {device} come on in {after}.", {"state": "on"}),
        Ask("set a countdown of {after} to shut down the {device}", {"state": "off"}),
        Ask("no more than {after} for the {device}, then cut the power", {"state": "off"}),
        Ask("dinner is in {after}, have the {device} go on by then, not now", {"state": "on"}),
    ),
    asks_zh=(
        Ask("{after}后关掉{device}", {"state": "off"}),
        Ask("{after}以后打开{device}", {"state": "on"}),
        Ask("我老忘关{device}，过{after}断电吧", {"state": "off"}),
        Ask("{device}再开{after}就关", {"state": "off"}),
        Ask("我{after}后到家，到时候{device}要开着", {"state": "on"}),
        Ask("给{device}定个{after}的倒计时关机", {"state": "off"}),
        Ask("过{after}帮我把{device}启动", {"state": "on"}),
        Ask("麻烦让{device}在{after}后自动关闭", {"state": "off"}),
        Ask("{device}最多再用{after}，然后断电", {"state": "off"}),
        Ask("{after}之后要用{device}，到点给我通上电", {"state": "on"}),
    ),
    outcomes=(
        Outcome(
            fields=(("at", Word(("08:40", "12:15", "17:50", "21:05", "22:30", "23:10"))),),
            texts=("timer set for {at}", "will switch at {at}"),
            texts_zh=("定时成功，{at}执行",),
            answers=(
                "OK, at {at} the {device} changes over.",
                "The timer for the {device} is set, it ends at {at}.",
                "Done: the {device} switches at {at}.",
            ),
            answers_zh=(
                "定时成功，{device}到{at}自动切换。",
                "{device}的定时设好了，{at}执行。",
                "好的，{at}会自动切换{device}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="device",
            asks=("Turn it off in {after}.", "switch something on after {after}"),
            replies=("Which device do you mean?", "What should be switched?"),
            asks_zh=("{after}后关掉", "过{after}帮我打开"),
            replies_zh=("请问是哪个设备？", "要定时哪个设备？"),
        ),
        Missing(
            key="after",
            asks=("Set a timer to turn off the {device}.", "the {device} should go off by itself later"),
            replies=("After how many minutes?", "When should the {device} be switched?"),
            asks_zh=("给{device}设个定时关机", "让{device}晚点自动关"),
            replies_zh=("请问多久以后？", "要过多长时间关？"),
        ),
    ),
)

_PROGRAMME = Choice(
    {
        "cotton": (("cotton", "cottons"), ("棉织物", "棉麻")),
        "wool": (("wool", "woollens"), ("羊毛",)),
        "delicates": (("delicates", "delicate"), ("轻柔", "精细")),
        "sportswear": (("sportswear", "sports"), ("运动服",)),
        "quick": (("quick", "fast"), ("快洗", "快速")),
        "bedding": (("bedding", "bed linen"), ("床品", "被褥")),
    },
    ({"cotton": "COTTON", "wool": "WOOL", "quick": "QUICK_WASH"},),
)

WASHING = Family(
    key="smart_home.washing",
    names=("start_washing_machine", "run_laundry", "start_wash", "wash_cycle", "laundry_program"),
    about=(
        "Start a programme of the washing machine.",
        "Starts a wash. It can be ready at a given time.",
        "Runs the washer with a programme, temperature and spin speed",
    ),
    about_zh=("启动洗衣机程序。", "开始洗衣，可设置水温、转速和完成时间。"),
    params=(
        Param("programme", _PROGRAMME, ("program", "programme", "cycle"), ("Wash programme",), ("洗涤程序",)),
        Param("heat", Integer(20, 90, 10), ("temperature", "temp_c"), ("Degrees Celsius",), ("水温，摄氏度",), False),
        Param("spin", Integer(400, 1400, 200), ("spin_rpm", "spin_speed"), ("Spin, rpm",), ("脱水转速",), False),
        Param("ready", Clock(7, 21), ("ready_at", "finish_by"), ("When it is to be done",), ("完成时间",), False),
    ),
    asks=(
        "Start the washing machine on {programme}[ at {heat} degrees].",
        "{programme} wash[, {heat} degrees][, {spin} rpm]",
        "I've filled the washer, run the {programme} programme[ so that it's done by {ready}]",
        "could you do a {programme} wash[ with a spin of {spin}]?",
        "The laundry should be ready at {ready}, use {programme}[ and {heat} degrees].",
        "put the washer on {programme}[, spin {spin}], please",
        "My whites are in the drum: {programme}, {heat} degrees, {spin} rpm.",
        "laundry time, {programme} cycle[, finished by {ready}]",
        "let the machine wash on {programme}[ at {heat} degrees][ and spin at {spin}]",
        "The drum is full and I'm off to work, go with {programme}[ and have it finished at {ready}].",
        "Football practice was muddy, everything is in the drum. {programme}[, {heat} degrees] please.",
        "{programme}[ at {spin} rpm], and I want to hang it up at {ready}",
    ),
    asks_zh=(
        "洗衣机开{programme}程序[，水温{heat}度]",
        "用{programme}模式洗衣服[，转速{spin}]",
        "衣服放好了，{programme}，[{heat}度，]开洗吧",
        "[{ready}前洗好，]洗衣机选{programme}",
        "帮我洗衣服，{programme}程序[，{heat}度][，脱水{spin}转]",
        "我要去上班了，洗衣机用{programme}洗[，{ready}洗完]",
        "脏衣服都塞进去了，跑一遍{programme}[，{spin}转脱水]",
        "{programme}洗一桶[，水温{heat}度]",
        "球衣全是泥，已经放进洗衣机了，{programme}洗[，{heat}度]",
        "{ready}我要晾衣服，用{programme}先洗上[，{heat}度]",
    ),
    outcomes=(
        Outcome(
            fields=(("minutes", Integer(15, 180)),),
            texts=("programme set, {minutes} minutes",),
            texts_zh=("程序已设置，时长{minutes}分钟",),
            answers=(
                "The wash takes {minutes} minutes.",
                "The washing machine is set, the programme takes {minutes} minutes.",
                "Set: {minutes} minutes.",
            ),
            answers_zh=(
                "洗衣程序已安排，时长{minutes}分钟。",
                "洗衣机设好了，程序要{minutes}分钟。",
                "好的，需要洗{minutes}分钟。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="programme",
            asks=("Start the washing machine.", "do the laundry at {heat} degrees", "run the washer please"),
            replies=("Which programme should it run?", "On which programme?"),
            asks_zh=("开洗衣机", "帮我洗一下衣服"),
            replies_zh=("请问用什么程序？", "要用哪个洗涤模式？"),
        ),
    ),
    errors=("the door is open", "no water"),
)

ENERGY = Family(
    key="smart_home.energy",
    names=("energy_usage", "power_consumption", "get_electricity_use", "energy_report"),
    about=(
        "How much electricity was used in a period, by the home or by one device.",
        "Electricity consumption in kWh. Without a device: the whole home.",
        "Energy report",
    ),
    about_zh=("查询一段时间内的用电量。", "查询家里或某个设备的耗电量。"),
    params=(
        Param("span", Period(Day(-60, -8), 7), ("period", "time_range", "date_range"), ("Days",), ("日期范围",)),
        Param("device", DEVICE, ("device", "appliance"), ("One device only",), ("指定设备",), required=False),
    ),
    asks=(
        "How much electricity did we use {span}?",
        "power consumption[ of the {device}] {span}",
        "What did the {device} draw {span}?",
        "I wonder whether the {device} eats all our power. Show me {span}.",
        "our bill looks far too high, how many kWh was it {span}",
        "energy report {span}[ for the {device}] please",
        "Can you tell me how much current the house took {span}?",
        "We were away {span}. What was used all the same[ by the {device}]?",
        "kWh {span}[, only the {device}]",
        "Could I see the electricity use {span}?",
        "how hungry was our {device} {span}?",
        "I have to fill in the meter form, how many kilowatt-hours {span}?",
    ),
    asks_zh=(
        "{span}家里用了多少电？",
        "查一下{span}的耗电量[，{device}的]",
        "{span}{device}耗了多少度电",
        "电费太高了，看看{span}用了几度电",
        "我们{span}不在家，还是用了电吗？用了多少",
        "{span}的用电情况[，只看{device}]",
        "总觉得{device}很费电，{span}到底用了多少",
        "给我一份{span}的用电报告",
        "要填电表，{span}一共几千瓦时",
        "{span}[{device}]费电吗，给个数",
    ),
    outcomes=(
        Outcome(
            fields=(("kwh", Decimal(2, 240, 1)), ("cost", Decimal(1, 80, 2))),
            texts=("{kwh} kWh, cost {cost}",),
            texts_zh=("{kwh}千瓦时，费用{cost}元",),
            answers=("It was {kwh} kWh, which cost {cost}.", "{kwh} kWh in that time.", "You used {kwh} kWh."),
            answers_zh=(
                "一共{kwh}度，折合{cost}元。",
                "用了{kwh}度电，费用{cost}元。",
                "这段时间的用电量是{kwh}千瓦时。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="span",
            asks=("How much power did the {device} use?", "show me our electricity consumption"),
            replies=("For which days?", "From when to when?"),
            asks_zh=("家里用了多少电？", "查一下{device}的耗电量"),
            replies_zh=("请问查哪段时间的？", "从哪天到哪天？"),
        ),
    ),
)
