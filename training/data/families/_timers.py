"""Timers, alarms and the stopwatch."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, ListOf, Word
from training.data.times import Clock, Duration

SPAN = Duration("seconds", (30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 720, 900, 1200, 1500, 1800, 2700, 3600))
LABELS = Word(
    (
        *("pasta", "eggs", "tea", "laundry", "pizza", "bread", "plank", "face mask", "rice", "homework", "break"),
        *("oven", "roast", "parking", "sourdough", "cookies", "potatoes", "meditation", "nap", "hair dye"),
    ),
    (
        "煮面",
        "煮鸡蛋",
        "泡茶",
        "洗衣机",
        "披萨",
        "烤面包",
        "平板支撑",
        "面膜",
        "焖饭",
        "写作业",
        "休息",
        "烤箱",
        "停车",
        "炖肉",
    ),
    quoted=0.04,
)
DONE = Flag(("yes",), ("是",))

START = Family(
    key="reminders.timer",
    names=("start_timer", "set_timer", "countdown", "new_timer", "start_countdown"),
    about=(
        "Start a countdown.",
        "Starts a timer that rings when the time is up. For a time of day use an alarm.",
        "Kitchen timer, with a label if wanted.",
    ),
    about_zh=("启动倒计时。", "设置计时器，时间到了会响铃；固定时刻请用闹钟。"),
    params=(
        Param("span", SPAN, ("seconds", "duration", "duration_seconds"), ("How long to count",), ("倒计时时长",)),
        Param("label", LABELS, ("label", "name", "timer_name"), ("Name of the timer",), ("计时器名称",), False),
    ),
    asks=(
        "Set a timer for {span}[ and call it {label}].",
        "timer {span}[ {label}]",
        "Count down {span}[, it's for the {label}].",
        "The {label} needs {span}, tell me when the time is up.",
        "ring in {span}[, label {label}]",
        "I put the {label} on just now. {span} please!",
        "Could you start a countdown of {span}[ named {label}]?",
        "beep after {span}",
        "Let me know when {span} are over[, for {label}].",
        "{span} on the clock[ for {label}], go!",
        "start a {label} timer, {span}",
        "I want to hold this for {span}, time me with a countdown",
    ),
    asks_zh=(
        "倒计时{span}[，叫{label}]。",
        "设个{span}的计时器[，名字{label}]",
        "{label}要{span}，到点叫我",
        "定时{span}[，{label}用]",
        "{span}后响铃",
        "刚开始{label}，帮我计{span}",
        "开个{label}计时器，{span}",
        "帮我倒数{span}，时间到了告诉我",
        "计时{span}，开始！",
    ),
    outcomes=(
        Outcome(
            fields=(("started", DONE),),
            texts=("timer running",),
            texts_zh=("计时器已启动",),
            answers=("The timer is running: {span}.", "Counting down {span}.", "OK, I'll ring in {span}."),
            answers_zh=("计时开始，{span}。", "好的，倒计时{span}。", "{span}后会响铃。"),
        ),
    ),
    missing=(
        Missing(
            key="span",
            asks=("Set a timer.", "start a countdown please", "can you time something for me? I need a timer"),
            replies=("For how long?", "How long should the timer run?"),
            asks_zh=("帮我设个计时器。", "倒计时开始"),
            replies_zh=("请问要多长时间？", "倒计时多久？"),
        ),
    ),
    also=("reminders.in",),
)

CONTROL = Family(
    key="reminders.timer_control",
    names=("control_timer", "timer_action", "manage_timer", "update_timer_state"),
    about=(
        "Pause, resume or cancel a running timer.",
        "Controls a timer that is already there. Starts no new one.",
        "Timer control.",
    ),
    about_zh=("暂停、继续或取消计时器。", "控制已有的计时器，不会新建。"),
    params=(
        Param(
            "action",
            Choice(
                {
                    "pause": (("pause", "hold", "freeze"), ("暂停",)),
                    "resume": (("resume", "continue", "unpause"), ("继续", "恢复")),
                    "cancel": (("cancel", "kill", "delete"), ("取消", "删掉")),
                },
                ({"pause": "PAUSE", "resume": "RESUME", "cancel": "CANCEL"},),
            ),
            ("action", "command", "operation"),
            ("What to do with it",),
            ("操作",),
        ),
        Param("label", LABELS, ("label", "timer_name", "name"), ("Which timer",), ("计时器名称",), False),
    ),
    asks=(
        "{action} the timer",
        "{action} the {label} timer, please",
        "Could you {action} my timer[ called {label}]?",
        Ask("Someone's at the door, stop the clock for a moment[ on the {label} timer].", {"action": "pause"}),
        Ask("ok I'm back, let the[ {label}] timer run on", {"action": "resume"}),
        Ask("I don't need the[ {label}] countdown any more.", {"action": "cancel"}),
        Ask("The {label} timer can go, we ordered food instead.", {"action": "cancel"}),
        Ask("Where were we? Keep counting[ on {label}].", {"action": "resume"}),
        "{action} {label} timer",
        "please {action} the countdown[ for {label}]",
    ),
    asks_zh=(
        "{action}计时器。",
        "{action}{label}的计时器",
        "把[{label}的]倒计时{action}",
        Ask("有人敲门，先停一下[{label}的]倒计时", {"action": "pause"}),
        Ask("我回来了，[{label}的]计时接着走", {"action": "resume"}),
        Ask("[{label}的]倒计时不用了", {"action": "cancel"}),
        Ask("{label}那个计时器撤了吧，我们叫外卖了", {"action": "cancel"}),
        "请{action}[{label}]计时器",
    ),
    outcomes=(
        Outcome(
            fields=(("state", Word(("updated",))),),
            texts=("timer updated",),
            texts_zh=("计时器已更新",),
            answers=("Done.", "OK, the timer is updated.", "That's done, the timer has been changed."),
            answers_zh=("好了。", "计时器已按要求处理。", "已完成。"),
        ),
    ),
)

LEFT = Family(
    key="reminders.timer_left",
    names=("timer_remaining", "time_left", "check_timer", "get_timer_status"),
    about=("Time left on a timer.", "How long a running timer still has to go.", "Reads a timer, changes nothing."),
    about_zh=("查看计时器剩余时间。", "返回正在运行的计时器还剩多久。"),
    params=(Param("label", LABELS, ("label", "name", "timer"), ("Which timer",), ("计时器名称",), False),),
    asks=(
        "How much time is left[ on the {label} timer]?",
        "how long until the timer rings",
        "When will the {label} be done?",
        "what does the[ {label}] timer say",
        "Is the {label} nearly there?",
        "How many minutes to go[ for {label}]?",
        "time left on {label}?",
        "Do I have time for a shower before the[ {label}] timer goes off?",
        "check the countdown[ for {label}]",
        "how's the {label} timer coming along",
    ),
    asks_zh=(
        "[{label}的]计时器还剩多久？",
        "倒计时还有几分钟",
        "{label}什么时候好？",
        "看下[{label}的]计时器",
        "{label}快到时间了吗",
        "还要等多久才响？",
        "查一下[{label}]倒计时剩余",
        "计时器响之前够我洗个澡吗？还剩多少时间",
    ),
    outcomes=(
        Outcome(
            fields=(("minutes_left", Integer(2, 55)),),
            texts=("{minutes_left} min left",),
            texts_zh=("剩余{minutes_left}分钟",),
            answers=(
                "There are {minutes_left} minutes left.",
                "{minutes_left} minutes to go.",
                "Another {minutes_left} minutes.",
            ),
            answers_zh=("还剩{minutes_left}分钟。", "还有{minutes_left}分钟。", "再等{minutes_left}分钟就好。"),
        ),
    ),
)

WEEKDAY = Choice(
    {
        "monday": (("Monday",), ("周一",)),
        "tuesday": (("Tuesday",), ("周二",)),
        "wednesday": (("Wednesday",), ("周三",)),
        "thursday": (("Thursday",), ("周四",)),
        "friday": (("Friday",), ("周五",)),
        "saturday": (("Saturday",), ("周六",)),
        "sunday": (("Sunday",), ("周日",)),
    },
    (
        {
            "monday": "MON",
            "tuesday": "TUE",
            "wednesday": "WED",
            "thursday": "THU",
            "friday": "FRI",
            "saturday": "SAT",
            "sunday": "SUN",
        },
    ),
)

ALARM = Family(
    key="reminders.alarm",
    names=("set_alarm", "create_alarm", "add_alarm", "wake_me_up", "new_alarm"),
    about=(
        "Set an alarm.",
        "Rings at a time of day, once or on some days of the week.",
        "Alarm clock. For a number of minutes use a timer instead.",
    ),
    about_zh=("设置闹钟。", "在某个时刻响铃，可按星期重复。倒计时请用计时器。"),
    params=(
        Param("time", Clock(5, 11), ("time", "at", "alarm_time"), ("When it rings",), ("响铃时间",)),
        Param(
            "days", ListOf(WEEKDAY, 1, 3), ("repeat_on", "weekdays", "days"), ("Days of the week",), ("重复日",), False
        ),
        Param(
            "sound",
            Word(
                ("birdsong", "ocean waves", "church bells", "soft piano", "rooster", "classic bell", "radio"),
                ("鸟叫声", "海浪", "钢琴曲", "公鸡打鸣", "经典铃声", "轻音乐"),
                quoted=0.1,
            ),
            ("sound", "ringtone", "tone"),
            ("What it plays",),
            ("铃声",),
            False,
        ),
    ),
    asks=(
        "Wake me up at {time}[ with {sound}].",
        "set an alarm for {time}[, every {days}]",
        "I need to be out of bed by {time}, make some noise then[, {sound} maybe]",
        "alarm {time}[ on {days}]",
        "My flight leaves early, I have to get up at {time}.",
        "Can my alarm go off at {time}[ each {days}]? [Sound: {sound}.]",
        "Please set the alarm clock to {time}[ using {sound}].",
        "I start a new job! Alarm at {time}[, {days}], please",
        "get me up at {time}[ on {days}]",
        "ring at {time} sharp[, sound {sound}]",
        "Don't let me oversleep, {time} is when I must wake up.",
    ),
    asks_zh=(
        "{time}叫我起床[，用{sound}]。",
        "定个{time}的闹钟[，每{days}都响]",
        "设闹钟{time}[，铃声{sound}]",
        "我得{time}起来，到点把我吵醒",
        "[{days}]{time}响闹钟",
        "早班飞机，{time}必须起，帮我设闹铃",
        "闹钟调到{time}[，{days}重复][，{sound}]",
        "别让我睡过头，{time}喊我",
        "新工作要早起，{time}的闹钟[，{days}]",
    ),
    outcomes=(
        Outcome(
            fields=(("alarm_set", DONE),),
            texts=("alarm on",),
            texts_zh=("闹钟已开启",),
            answers=("Your alarm is set for {time}.", "I'll wake you at {time}.", "Done, it rings at {time}."),
            answers_zh=("闹钟已设为{time}。", "好的，{time}叫你起床。", "{time}会响铃。"),
        ),
    ),
    missing=(
        Missing(
            key="time",
            asks=("Set an alarm.", "wake me up early", "I need an alarm, I have a flight to catch"),
            replies=("What time should it ring?", "At what time do you want to get up?"),
            asks_zh=("帮我定个闹钟。", "明天早点叫我起床"),
            replies_zh=("请问几点响？", "要几点叫您？"),
        ),
    ),
)

ALARM_OFF = Family(
    key="reminders.alarm_off",
    names=("disable_alarm", "turn_off_alarm", "delete_alarm", "remove_alarm"),
    about=("Switch off an alarm.", "Turns off the alarm that is set for a time.", "Delete an alarm by its time."),
    about_zh=("关闭闹钟。", "按时间删除已设置的闹钟。"),
    params=(Param("time", Clock(5, 11), ("time", "alarm_time", "at"), ("Time of the alarm",), ("闹钟时间",)),),
    asks=(
        "Turn off the {time} alarm.",
        "I can sleep in, delete the alarm at {time}",
        "no alarm at {time} any more please",
        "The meeting was cancelled so I needn't get up at {time}. Kill that alarm.",
        "switch off the alarm set for {time}",
        "Remove my {time} wake-up.",
        "cancel alarm {time}",
        "Don't ring at {time} after all.",
        "my holidays start! get rid of the {time} alarm",
        "Could you disable the one at {time}? I mean the alarm.",
    ),
    asks_zh=(
        "关掉{time}的闹钟。",
        "可以睡懒觉了，把{time}的闹铃删了",
        "{time}的闹钟不要了",
        "取消{time}闹钟",
        "{time}别响了，闹钟关掉",
        "会取消了，{time}不用叫我了",
        "放假啦，{time}那个闹钟去掉吧",
        "停用{time}的闹钟",
    ),
    outcomes=(
        Outcome(
            fields=(("removed", DONE),),
            texts=("alarm removed",),
            texts_zh=("闹钟已删除",),
            answers=("The {time} alarm is off.", "Done, it won't ring at {time}.", "I've removed that alarm."),
            answers_zh=("{time}的闹钟已关闭。", "好的，{time}不会响了。", "闹钟已删掉。"),
        ),
    ),
    missing=(
        Missing(
            key="time",
            asks=("Delete one of my alarms.", "turn off an alarm for me"),
            replies=("Which alarm? What time is it set for?", "The alarm at what time?"),
            asks_zh=("帮我删个闹钟。", "关一个闹钟"),
            replies_zh=("请问是几点的闹钟？", "要关哪个时间的？"),
        ),
    ),
)

STOPWATCH = Family(
    key="reminders.stopwatch",
    names=("stopwatch", "stopwatch_control", "use_stopwatch", "chronometer"),
    about=("Operate the stopwatch.", "Starts, stops, resets the stopwatch or takes a lap.", "Counts up, not down."),
    about_zh=("操作秒表。", "启动、停止、清零秒表或记录单圈，正向计时。"),
    params=(
        Param(
            "action",
            Choice(
                {
                    "start": (("start",), ("启动", "开始")),
                    "stop": (("stop",), ("停止", "停下")),
                    "lap": (("take a lap on",), ("记一圈",)),
                    "reset": (("reset", "zero"), ("清零", "归零")),
                },
                ({"start": "START", "stop": "STOP", "lap": "LAP", "reset": "RESET"},),
            ),
            ("action", "command", "button"),
            ("Which button",),
            ("操作",),
        ),
    ),
    asks=(
        "{action} the stopwatch",
        "Please {action} the stopwatch.",
        Ask("She's off! Measure her time.", {"action": "start"}),
        Ask("On your marks, get set, go! Stopwatch on.", {"action": "start"}),
        Ask("finish line! freeze the stopwatch", {"action": "stop"}),
        Ask("That was one round, note the split.", {"action": "lap"}),
        Ask("Put the stopwatch back to nought.", {"action": "reset"}),
        Ask("I'm starting my swim, begin counting up.", {"action": "start"}),
        Ask("lap!", {"action": "lap"}),
        "could you {action} the stopwatch for me",
        Ask("ok he's done, stop measuring", {"action": "stop"}),
    ),
    asks_zh=(
        Ask("秒表走起来！", {"action": "start"}),
        Ask("她起跑了，开始掐时间", {"action": "start"}),
        Ask("到终点了，秒表停", {"action": "stop"}),
        Ask("这是一圈，记一下分段成绩", {"action": "lap"}),
        Ask("秒表归零", {"action": "reset"}),
        Ask("我要下水了，开始正计时", {"action": "start"}),
        Ask("跑完了，别计了，秒表按停", {"action": "stop"}),
        "秒表{action}",
        "帮我把秒表{action}一下",
    ),
    outcomes=(
        Outcome(
            fields=(("done", DONE),),
            texts=("ok", "stopwatch updated"),
            texts_zh=("秒表已更新",),
            answers=("Done.", "OK, that's done.", "The stopwatch has done it."),
            answers_zh=("好了。", "秒表已按你说的操作。", "完成。"),
        ),
    ),
    missing=(
        Missing(
            key="action",
            asks=("Use the stopwatch, please.", "do something with the stopwatch"),
            replies=("Shall I start, stop or reset it?", "What should the stopwatch do?"),
            asks_zh=("用一下秒表。", "秒表弄一下"),
            replies_zh=("请问是启动、停止还是清零？", "秒表要做什么操作？"),
        ),
    ),
)

UNSERVED = (
    ("Sync my alarms with my smart watch.", "把闹钟同步到我的智能手表。"),
    ("Set the clock on the oven to summer time.", "把烤箱上的钟调成夏令时。"),
    ("Share my reminders with my husband.", "把我的提醒共享给我老公。"),
    ("Set a reminder on my brother's phone, not on mine.", "在我弟弟的手机上给他设个提醒。"),
    ("Make my alarm louder.", "把闹钟音量调大。"),
    ("Show the seconds on the clock face.", "让表盘显示秒针。"),
    ("Rename the habit flossing to dental care.", "把“早起”这个习惯改名叫“早睡早起”。"),
    ("Export my habit statistics as a spreadsheet.", "把我的打卡统计导出成表格。"),
    ("Let the alarm start softly and grow louder.", "让闹铃从小声慢慢变大声。"),
    ("Delete the habit of early rising from the tracker for good.", "把早起这个习惯从打卡本里彻底删掉。"),
    ("Send my habit chart to my coach.", "把我的打卡图表发给教练。"),
    ("Switch the clock to the 24-hour format.", "把时钟换成24小时制。"),
    ("Make the timer vibrate instead of ringing.", "让计时器震动，不要响铃。"),
    ("Count how many times I said um.", "数一数我说了几次“嗯”。"),
)
