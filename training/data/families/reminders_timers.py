"""Reminders and habits. Timers, alarms and the stopwatch are in `_timers`."""

from training.data.families import _timers as timers
from training.data.families._everyday import CHORES
from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Word
from training.data.times import Day, Duration, Moment

REMINDER_ID = Code(("rem_9999", "R-9999", "xxxxxx"))
DONE = Flag(("yes",), ("是",))

REMIND_AT = Family(
    key="reminders.at",
    names=("set_reminder", "create_reminder", "remind_me", "add_reminder", "schedule_reminder"),
    about=(
        "Set a reminder.",
        "Reminds the user of something at a given day and time.",
        "Create a reminder for a fixed moment. It is no alarm clock and no calendar event.",
        "Remind me of a thing to do.",
    ),
    about_zh=("设置提醒。", "在指定的日期和时间提醒用户做某事。", "创建定时提醒，不是闹钟。"),
    params=(
        Param("what", CHORES, ("text", "task", "reminder", "what"), ("What to be reminded of",), ("提醒内容",)),
        Param("when", Moment(), ("remind_at", "when", "datetime"), ("When to remind",), ("提醒时间",)),
        Param(
            "urgent",
            Flag(),
            ("urgent", "high_priority"),
            ("True if it must not be missed",),
            ("是否紧急",),
            required=False,
        ),
    ),
    asks=(
        "Remind me to {what} {when}.",
        "{when} I have to {what}, remind me",
        "can you ping me {when} so that I {what}",
        "Don't let me forget to {what}. A nudge {when} would be perfect.",
        "I always forget such things... please remind me {when} to {what}!",
        "set a reminder: {what}, {when}",
        Ask("Remind me {when} to {what}, and it's really urgent!", {"urgent": True}),
        "I need to {what} but not now. Bring it up again {when}.",
        "give me a poke {when}: {what}",
        "Could you make sure I {what} {when}?",
        "reminder {when} {what}",
        Ask("remind me to {what} {when}, nothing urgent", {"urgent": False}),
        "If I don't {what}, my flatmate will kill me. Tell me {when}.",
    ),
    asks_zh=(
        "{when}提醒我{what}。",
        "提醒我{when}{what}",
        "别让我忘了{what}，{when}叫我一声",
        "我老是忘事，{when}记得喊我{what}",
        "设个提醒：{what}，{when}",
        Ask("{when}一定要提醒我{what}，很急！", {"urgent": True}),
        "{when}我得{what}，到时候说一声",
        "现在没空，{when}再提醒我{what}吧",
        "帮我定个{when}的提醒，内容是{what}",
        Ask("{when}提醒我{what}，不着急的那种", {"urgent": False}),
    ),
    outcomes=(
        Outcome(
            fields=(("reminder_id", REMINDER_ID),),
            texts=("reminder {reminder_id} set", "ok: {reminder_id}"),
            texts_zh=("提醒已设置：{reminder_id}",),
            answers=(
                "I'll remind you to {what} {when}.",
                "Your reminder is set: {what}, {when}.",
                "All right, I'll let you know {when}.",
                "Noted. The reminder comes {when}.",
            ),
            answers_zh=("好的，{when}提醒你{what}。", "提醒设好了：{when}，{what}。", "没问题，{when}会提醒你。"),
        ),
    ),
    missing=(
        Missing(
            key="when",
            asks=("Remind me to {what}.", "don't let me forget to {what}", "set a reminder to {what}"),
            replies=("When should I remind you?", "On which day and at what time do you want the reminder?"),
            asks_zh=("提醒我{what}。", "别让我忘了{what}"),
            replies_zh=("请问什么时候提醒您？", "要在哪天几点提醒？"),
        ),
        Missing(
            key="what",
            asks=("Set a reminder {when}.", "remind me {when} please"),
            replies=("What should I remind you of?", "What is the reminder about?"),
            asks_zh=("{when}提醒我一下。", "帮我设个{when}的提醒"),
            replies_zh=("请问提醒什么事？", "要提醒您做什么？"),
        ),
    ),
    also=("reminders.in",),
    errors=("this moment is in the past", "too many reminders"),
)

REMIND_IN = Family(
    key="reminders.in",
    names=("remind_in", "remind_me_later", "nudge_after", "delayed_reminder"),
    about=(
        "Remind the user after some time.",
        "A reminder that comes a number of minutes from now.",
        "Relative reminders only: give the delay, not a date.",
    ),
    about_zh=("过一段时间后提醒用户。", "从现在起若干分钟后提醒，只接受时长。"),
    params=(
        Param("what", CHORES, ("message", "about", "text"), ("What to say then",), ("提醒内容",)),
        Param("delay", Duration(), ("delay", "after_minutes", "minutes"), ("Time from now",), ("延迟时间",)),
    ),
    asks=(
        "Remind me in {delay} to {what}.",
        "in {delay} tell me to {what}",
        "I have to {what} in {delay}, give me a shout",
        "Nudge me {delay} from now, I must {what}.",
        "busy right now, {delay} from now please remind me to {what}",
        "Let me nap first. In {delay} I need to {what}, so poke me.",
        "Could you ping me about this in {delay}: {what}",
        "remind me to {what} after {delay}",
        "{what} - remind me in {delay}",
        "I keep putting it off. Give me {delay} and then remind me to {what}.",
    ),
    asks_zh=(
        "{delay}后提醒我{what}。",
        "过{delay}叫我{what}",
        "{delay}之后我要{what}，喊我一下",
        "先忙别的，{delay}后记得提醒我{what}",
        "再等{delay}，然后提醒我{what}",
        "我先眯一会儿，{delay}后提醒我{what}哦",
        "{what}，{delay}后提醒",
        "从现在算起{delay}，提醒我{what}。",
    ),
    outcomes=(
        Outcome(
            fields=(("reminder_id", REMINDER_ID),),
            texts=("set, {reminder_id}",),
            texts_zh=("已设置{reminder_id}",),
            answers=("I'll remind you in {delay}.", "OK, in {delay}: {what}.", "Done, the reminder comes in {delay}."),
            answers_zh=("好的，{delay}后提醒你。", "{delay}后会提醒你{what}。", "设好了，{delay}后叫你。"),
        ),
    ),
    missing=(
        Missing(
            key="delay",
            asks=("Remind me a bit later to {what}.", "not now, remind me later to {what}"),
            replies=("In how many minutes?", "How long should I wait before I remind you?"),
            asks_zh=("待会儿提醒我{what}。", "过一阵提醒我{what}"),
            replies_zh=("请问多久之后提醒？", "过多长时间提醒您？"),
        ),
    ),
    also=("reminders.at",),
)

SPOTS = Word(
    (
        *("my flat", "the workshop", "the gym", "the supermarket", "my parents' house", "the office"),
        *("the school", "the pharmacy", "the post office", "the airport", "the garage", "the station"),
    ),
    ("家", "公司", "健身房", "超市", "爸妈家", "火车站", "学校", "药店", "邮局", "机场"),
    quoted=0.02,
)

REMIND_THERE = Family(
    key="reminders.place",
    names=("location_reminder", "remind_at_place", "set_place_reminder", "geo_reminder"),
    about=(
        "Remind the user at a place.",
        "Creates a reminder that fires on arriving at a place or on leaving it, whatever the time.",
        "Reminder bound to a location instead of a time.",
    ),
    about_zh=("到达或离开某地时提醒。", "基于地点的提醒，与时间无关。"),
    params=(
        Param("what", CHORES, ("text", "task", "note"), ("What to be reminded of",), ("提醒内容",)),
        Param("spot", SPOTS, ("place", "location"), ("The place",), ("地点",)),
        Param(
            "trigger",
            Choice(
                {
                    "arrive": (("get to", "arrive at", "reach"), ("到", "到了")),
                    "leave": (("leave", "am about to leave"), ("离开", "要离开")),
                },
                ({"arrive": "enter", "leave": "exit"}, {"arrive": "ON_ARRIVAL", "leave": "ON_DEPARTURE"}),
            ),
            ("trigger", "on", "event"),
            ("Arriving or leaving",),
            ("触发条件",),
        ),
    ),
    asks=(
        "When I {trigger} {spot}, remind me to {what}.",
        "remind me to {what} when I {trigger} {spot}",
        "As soon as I {trigger} {spot} tell me to {what}",
        Ask("I'm out and about, but once I'm at {spot} I must {what}. Remind me there.", {"trigger": "arrive"}),
        Ask("before I walk out of {spot} remind me to {what}", {"trigger": "leave"}),
        Ask("Next time I'm at {spot}: {what}. Please remind me.", {"trigger": "arrive"}),
        "The moment I {trigger} {spot}, give me a nudge to {what}.",
        Ask("Don't let me drive away from {spot} without a reminder to {what}.", {"trigger": "leave"}),
        "set a location reminder: {what}, when I {trigger} {spot}",
        Ask("{what} - remind me on arrival at {spot}", {"trigger": "arrive"}),
    ),
    asks_zh=(
        "我{trigger}{spot}的时候提醒我{what}。",
        "等我{trigger}{spot}，记得喊我{what}",
        Ask("一到{spot}就提醒我{what}", {"trigger": "arrive"}),
        Ask("从{spot}出来的时候提醒我{what}", {"trigger": "leave"}),
        Ask("下次去{spot}，提醒我{what}", {"trigger": "arrive"}),
        Ask("出{spot}之前别忘了提醒我{what}", {"trigger": "leave"}),
        "{trigger}{spot}时提醒：{what}",
        Ask("我人快到{spot}了，到了之后提醒我{what}吧", {"trigger": "arrive"}),
    ),
    outcomes=(
        Outcome(
            fields=(("saved", DONE),),
            texts=("place reminder saved",),
            texts_zh=("地点提醒已保存",),
            answers=(
                "I'll remind you there to {what}.",
                "Done, {spot} will trigger the reminder.",
                "Saved: {what}, at {spot}.",
            ),
            answers_zh=("好的，到时候提醒你{what}。", "已设好与{spot}有关的提醒。", "地点提醒保存了：{what}。"),
        ),
    ),
)

LIST_REMINDERS = Family(
    key="reminders.list",
    names=("list_reminders", "show_reminders", "open_reminders", "get_pending_reminders"),
    about=(
        "Show the reminders that are still open.",
        "Lists pending reminders, optionally of one day only.",
        "All reminders that have not been done yet.",
    ),
    about_zh=("查看未完成的提醒。", "列出待处理的提醒，可按日期筛选。"),
    params=(Param("day", Day(0, 10), ("date", "due_on", "day"), ("Only this day",), ("日期",), False),),
    asks=(
        "Which reminders do I have[ on {day}]?",
        "show my reminders[ {day}]",
        "What did I ask you to remind me of[ on {day}]?",
        "is there anything you're supposed to remind me of[ on {day}]",
        "List the reminders that are still open.",
        "I have a feeling that I'm forgetting something. What reminders are set[ for me on {day}]?",
        "what will you nag me about {day}?",
        "pending reminders[ {day}] pls",
        "How many reminders are left[ on {day}], and which?",
        "Read me my reminders[ of {day}].",
    ),
    asks_zh=(
        "我[{day}]有哪些提醒？",
        "看看[{day}的]提醒",
        "[{day}]我让你提醒我什么来着？",
        "还有哪些提醒没处理",
        "列出[{day}]所有待办的提醒。",
        "总觉得忘了什么，查下设了哪些提醒",
        "{day}你会提醒我什么",
        "把[{day}的]提醒念给我听",
    ),
    outcomes=(
        Outcome(
            fields=(("reminders", ListOf(CHORES, 2, 3)),),
            texts=("open: {reminders}",),
            texts_zh=("未完成：{reminders}",),
            answers=(
                "I'm to remind you of this: {reminders}.",
                "Open reminders: {reminders}.",
                "There are: {reminders}.",
            ),
            answers_zh=("有这些提醒：{reminders}。", "还没处理的是{reminders}。", "要提醒你的是：{reminders}。"),
        ),
        Outcome(
            fields=(("open_reminders", Integer(0, 0)),),
            texts=("nothing open",),
            texts_zh=("没有提醒",),
            answers=("There are no open reminders.", "Nothing, you have no reminders.", "None at all."),
            answers_zh=("没有提醒。", "目前没有待处理的提醒。", "一条提醒也没有。"),
        ),
    ),
)

SNOOZE = Family(
    key="reminders.snooze",
    names=("snooze", "snooze_reminder", "postpone_alert", "remind_again"),
    about=(
        "Put off what is ringing or reminding right now.",
        "Snoozes the current alert for some minutes.",
        "Be quiet for a while, then alert again.",
    ),
    about_zh=("稍后再提醒。", "把当前的提醒或闹铃推迟几分钟。"),
    params=(
        Param(
            "delay",
            Duration("minutes", (5, 9, 10, 15, 20, 30, 45, 60)),
            ("minutes", "snooze_minutes", "for_minutes"),
            ("How long",),
            ("推迟时长",),
        ),
    ),
    asks=(
        "Snooze for {delay}.",
        "{delay} more please",
        "ugh, not now. Again in {delay}.",
        "Let me sleep another {delay}",
        "Be quiet and come back in {delay}.",
        "I'm not ready yet, give me {delay}",
        "shh, ring again in {delay}",
        "Postpone this alert by {delay}.",
        "Can I have {delay} before you bug me again?",
        "just {delay} longer in bed",
    ),
    asks_zh=(
        "再睡{delay}。",
        "推迟{delay}再提醒",
        "等{delay}再响",
        "现在别吵，{delay}后再叫我",
        "贪睡{delay}",
        "还没准备好，给我{delay}",
        "稍后提醒，{delay}",
        "让我再躺{delay}吧",
    ),
    outcomes=(
        Outcome(
            fields=(("snoozed", DONE),),
            texts=("snoozed",),
            texts_zh=("已推迟",),
            answers=("OK, again in {delay}.", "Snoozed for {delay}.", "I'll be back in {delay}."),
            answers_zh=("好的，{delay}后再提醒。", "已推迟{delay}。", "{delay}后再叫你。"),
        ),
    ),
    missing=(
        Missing(
            key="delay",
            asks=("Snooze.", "not now, later please", "postpone this alert"),
            replies=("For how long?", "How many minutes should I wait?"),
            asks_zh=("晚点再提醒我。", "先别响"),
            replies_zh=("请问推迟多久？", "过几分钟再提醒？"),
        ),
    ),
    also=("reminders.in", "reminders.timer"),
)

HABITS = Word(
    (
        *("meditation", "push-ups", "reading", "Spanish practice", "stretching", "running", "flossing", "journaling"),
        *("guitar practice", "no sugar", "cold shower", "drinking water", "vitamins", "early rising"),
    ),
    (
        "冥想",
        "俯卧撑",
        "阅读",
        "背单词",
        "拉伸",
        "跑步",
        "早起",
        "写日记",
        "练吉他",
        "戒糖",
        "喝水",
        "吃维生素",
        "冷水澡",
    ),
)

LOG_HABIT = Family(
    key="reminders.log_habit",
    names=("log_habit", "check_in_habit", "mark_habit_done", "track_habit"),
    about=(
        "Note that a habit was done.",
        "Checks off a habit for a day, with the minutes spent on it if they are known.",
        "Habit tracker: record one time. To see the streak, use another tool.",
    ),
    about_zh=("习惯打卡。", "记录某天完成了某个习惯，可附时长。"),
    params=(
        Param("habit", HABITS, ("habit", "habit_name", "activity"), ("Which habit",), ("习惯名称",)),
        Param("day", Day(-4, 0), ("date", "day"), ("Day it was done",), ("完成日期",), False),
        Param("spent", Duration(), ("minutes", "minutes_spent"), ("Time spent",), ("用时",), False),
    ),
    asks=(
        "I did my {habit}[ {day}], tick it off.",
        "log {habit}[ {day}][, {spent}]",
        "{habit}: done[ {day}]!",
        "Check in {habit} for me[, I spent {spent} on it].",
        "I kept up {habit}[ {day}], put it in the tracker",
        "Proud of myself: {habit}[, {spent}][, {day}]. Please record it.",
        "Mark the habit {habit} as done[ on {day}].",
        "one more cross in the tracker, {habit}[, {spent}]",
        "My coach wants me to track {habit}. Done[ {day}], so note it down.",
        "add another day of {habit}[, it was {spent}]",
    ),
    asks_zh=(
        "{habit}打卡[，{day}]。",
        "[{day}]{habit}完成了，记一下[，用了{spent}]",
        "帮我给{habit}打个卡",
        "[{day}的]{habit}做了[{spent}]，打卡",
        "习惯记录：{habit}，已完成[，{spent}]",
        "[{day}]坚持了{habit}，写进打卡本",
        "{habit}又坚持了一天，标记完成[，{spent}]",
        "教练让我记{habit}，[{day}]做完了，帮我登记",
    ),
    outcomes=(
        Outcome(
            fields=(("streak_days", Integer(2, 90)),),
            texts=("logged, streak {streak_days}",),
            texts_zh=("已打卡，连续{streak_days}天",),
            answers=(
                "Logged. That makes {streak_days} days in a row.",
                "Well done, {habit} is ticked off: {streak_days} days in a row!",
                "Recorded. Your streak is {streak_days} days.",
            ),
            answers_zh=(
                "打卡成功，已连续{streak_days}天。",
                "{habit}已记录，连续{streak_days}天了！",
                "记好了，坚持了{streak_days}天。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="habit",
            asks=("Tick off my habit.", "log it in the habit tracker please"),
            replies=("Which habit did you do?", "Which habit should I check off?"),
            asks_zh=("帮我打个卡。", "习惯完成了，记一下"),
            replies_zh=("请问是哪个习惯？", "要给什么习惯打卡？"),
        ),
    ),
)

STREAK = Family(
    key="reminders.streak",
    names=("habit_streak", "get_streak", "habit_stats", "habit_progress"),
    about=(
        "How long a habit has been kept up.",
        "Current and best streak of a habit, in days. Records nothing.",
        "Statistics of one habit.",
    ),
    about_zh=("查看习惯已坚持多久。", "返回某个习惯的连续天数和最佳纪录，不做打卡。"),
    params=(Param("habit", HABITS, ("habit", "habit_name", "name"), ("Which habit",), ("习惯名称",)),),
    asks=(
        "How many days in a row have I managed {habit}?",
        "what's my {habit} streak",
        "Am I doing well with {habit}? Show the numbers.",
        "My record for {habit}?",
        "since when have I been keeping up {habit}",
        "How am I doing with {habit}?",
        "I want to brag a little: how long is my run of {habit}?",
        "streak for {habit} please",
        "Did I break my chain with {habit}?",
        "tell me how consistent I've been with {habit}",
    ),
    asks_zh=(
        "我{habit}连续坚持多少天了？",
        "{habit}的纪录是几天",
        "看看{habit}坚持得怎么样",
        "{habit}断了没有？",
        "{habit}打卡统计",
        "我想炫耀一下，{habit}坚持多久了？",
        "{habit}连续几天了",
        "我的{habit}最长坚持过多少天？",
    ),
    outcomes=(
        Outcome(
            fields=(("current_days", Integer(2, 40)), ("best_days", Integer(41, 200))),
            texts=("{current_days} days, best {best_days}",),
            texts_zh=("当前{current_days}天，最佳{best_days}天",),
            answers=(
                "You're at {current_days} days in a row; your best is {best_days}.",
                "{current_days} days so far, and your record is {best_days} days.",
                "Your {habit} streak is {current_days} days, the longest was {best_days}.",
            ),
            answers_zh=(
                "{habit}已经连续{current_days}天，最好成绩{best_days}天。",
                "目前{current_days}天，纪录是{best_days}天。",
                "坚持了{current_days}天，最长{best_days}天。",
            ),
        ),
    ),
)

DOMAIN = Domain(
    "reminders_timers",
    (
        *(REMIND_AT, REMIND_IN, REMIND_THERE, LIST_REMINDERS, SNOOZE, LOG_HABIT, STREAK),
        *(timers.START, timers.CONTROL, timers.LEFT, timers.ALARM, timers.ALARM_OFF, timers.STOPWATCH),
    ),
    unserved=timers.UNSERVED,
)
