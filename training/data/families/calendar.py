"""The calendar: events that are made, moved and called off. Looking things up is in `_calendar_look`."""

from datetime import timedelta

from training.data.families import _calendar_look as look
from training.data.families._everyday import GATHERINGS, HOURS, MEETINGS
from training.data.family import Ask, Domain, Draw, Drawn, Family, Missing, Outcome, Param, PartOf
from training.data.kinds import Choice, Code, Flag, ListOf, Made, Word
from training.data.times import Clock, Day, Duration, Moment, say_day
from training.data.world import Email


def _far_day(draw: Draw) -> Drawn:
    day = draw.today + timedelta(days=draw.rng.randint(60, 320))
    return Drawn(say_day(day, draw), day)


PLACES = Word(
    (
        *("the office", "Café Luna", "Room 204", "the town hall", "Zoom", "the main library", "Bay 3", "the park"),
        *("Studio 5", "meeting room B", "the old brewery", "the community centre", "Harbour Street 12"),
    ),
    ("公司", "三楼会议室", "星光咖啡馆", "图书馆", "市民中心", "204室", "线上", "人民公园", "和平路12号", "体育馆"),
    quoted=0.05,
)
ALERT = Duration("minutes", (5, 10, 15, 20, 30, 45, 60, 120))
EVENT_ID = Code(("evt_9999", "E-99999", "xxxxxxxx", "cal-9999"))

CREATE = Family(
    key="calendar.create",
    names=("create_event", "add_calendar_event", "schedule_event", "new_appointment", "add_to_calendar"),
    about=(
        "Put an event into the calendar.",
        "Creates a calendar event on a day at a time. Does not change events that are already there.",
        "Add an appointment or meeting to the user's schedule.",
        "New calendar entry.",
    ),
    about_zh=("在日历中新建日程。", "新增一个日历事件，不修改已有的日程。", "添加约会或会议。"),
    params=(
        Param("title", MEETINGS, ("title", "name", "summary", "event"), ("What the event is called",), ("日程标题",)),
        Param("day", Day(0, 45), ("date", "day", "on_date"), ("Day of the event",), ("日期",)),
        Param("start", Clock(7, 21), ("start_time", "time", "begins_at"), ("When it begins",), ("开始时间",)),
        Param("length", Duration(), ("duration_minutes", "duration", "length"), ("Length",), ("时长",), False, 60),
        Param("place", PLACES, ("location", "place", "where"), ("Where it takes place",), ("地点",), False),
        Param("guests", ListOf(Email(), 1, 3), ("guests", "attendees"), ("Mail addresses",), ("参与人邮箱",), False),
        Param("alert", ALERT, ("alert_minutes", "remind_before"), ("Alert before it starts",), ("提前提醒",), False),
    ),
    asks=(
        "Put {title} in my calendar on {day} at {start}[, it takes {length}][, place: {place}].",
        "schedule {title} {day} at {start}[ for {length}]",
        "I've got {title} on {day} at {start}[ at {place}], can you pencil that in?",
        "add {title} to my calendar, {day}, {start}[, {length}]",
        "Please don't let me forget the calendar entry: {title}, {day} {start}[, {place}].",
        "They finally called me back! {title} is {day} at {start}[ and should last {length}]. Note it in my diary.",
        "Could you book {start} on {day} in my calendar for {title}[? It's at {place}]",
        "Create an appointment called {title} at {start} on {day}[, duration {length}].",
        "new event: {title} / {day} / {start}",
        "We agreed on {day} at {start} for {title}[, probably {length}]. Get it into the schedule please.",
        "I'd like {title} on my calendar on {day}, starting at {start}[, location {place}]",
        "Save the date: {title}, {start}, {day}[ ({length})].",
        "Plan {title} on {day} at {start}[ for {length}][ and invite {guests}].",
        "{title} {day} {start} into the calendar[, alert me {alert} before]",
        "Calendar entry please: {title}, {day}, from {start}[ in {place}][, guests {guests}][, warn me {alert} ahead].",
        "I tend to be late, so put {title} on {day} at {start} in my calendar and buzz me {alert} beforehand.",
    ),
    asks_zh=(
        "帮我在日历里加上{title}，{day}{start}[，大概{length}]。",
        "{day}{start}有{title}[，在{place}]，记到日程里",
        "新建日程：{title}，{day}{start}开始[，时长{length}]",
        "我{day}{start}有{title}[，地点{place}]，帮我排进日历吧",
        "刚定下来，{title}就在{day}{start}[，预计{length}]，麻烦写进我的日历。",
        "把{title}安排在{day}{start}[，{place}]",
        "日历上{day}{start}给我留个{title}的安排[，{length}]。",
        "请添加一个{day}{start}的日程，名字叫{title}",
        "{title}，{day}，{start}，加到日历",
        "{day}{start}安排{title}[，{length}][，邀请{guests}]",
        "日历加{title}，{day}{start}，提前{alert}提醒我",
        "我老迟到，{day}{start}的{title}记到日历里[，地点{place}][，提前{alert}叫我]",
    ),
    outcomes=(
        Outcome(
            fields=(("event_id", EVENT_ID),),
            texts=("created {event_id}", "Event saved with id {event_id}."),
            texts_zh=("已创建，编号{event_id}",),
            answers=(
                "Done: {title} is in your calendar on {day} at {start}.",
                "I've added {title} on {day} at {start}.",
                "It's in your calendar: {title}, {day}, {start}.",
                "Your calendar now has {title} on {day} at {start} (entry {event_id}).",
            ),
            answers_zh=(
                "已加入日历：{title}，{day}{start}。",
                "好了，{day}{start}的{title}已经记下。",
                "{title}已安排在{day}{start}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="start",
            asks=("Put {title} in my calendar on {day}.", "I have {title} {day}, add it to the calendar"),
            replies=("At what time does it start?", "What time on {day} should I enter?", "When does {title} begin?"),
            asks_zh=("帮我在日历里加上{day}的{title}。", "{day}有{title}，记到日程里"),
            replies_zh=("请问几点开始？", "{title}是几点？"),
        ),
        Missing(
            key="day",
            asks=("Add {title} at {start} to my calendar.", "schedule {title} for me, it starts at {start}"),
            replies=("Which day is it?", "On which day should I schedule {title}?"),
            asks_zh=("把{title}加到日历，{start}开始。", "日历里加个{title}，{start}的"),
            replies_zh=("请问是哪一天？", "{title}安排在哪天？"),
        ),
        Missing(
            key="title",
            asks=("Put something in my calendar on {day} at {start}.", "new appointment {day} at {start} please"),
            replies=("What should the event be called?", "What is the appointment about?"),
            asks_zh=("帮我在{day}{start}建个日程。", "日历里{day}{start}加一条"),
            replies_zh=("请问日程叫什么名字？", "这个日程是什么内容？"),
        ),
    ),
    also=("calendar.block", "food_health.book_doctor", "pets.book_vet"),
    errors=("the calendar is read-only", "another event is at this time"),
)

BLOCK = Family(
    key="calendar.block",
    names=("block_time", "reserve_time_slot", "add_busy_time", "set_focus_time", "mark_as_busy"),
    about=(
        "Block some hours in the calendar so that nobody books them.",
        "Marks a stretch of one day as busy.",
        "Keep a time slot free of meetings, from a start to an end time.",
    ),
    about_zh=("在日历中占用一段时间，防止别人预约。", "把某天的一段时间标记为忙碌。"),
    params=(
        Param("day", Day(0, 30), ("date", "day"), ("Day to block",), ("日期",)),
        Param("start", HOURS, ("start", "from_time", "begin"), ("First minute of the slot",), ("开始时间",)),
        Param(
            "end",
            PartOf("start", "end", about="HH:MM", about_zh="格式 HH:MM"),
            ("end", "to_time", "finish"),
            ("End of the slot",),
            ("结束时间",),
        ),
        Param(
            "label",
            Word(
                (
                    "deep work",
                    "focus time",
                    "writing",
                    "code review",
                    "gym",
                    "thesis",
                    "school run",
                    "admin",
                    "therapy",
                ),
                ("专注时间", "写方案", "健身", "接孩子", "写论文", "整理资料", "代码评审"),
                quoted=0.15,
            ),
            ("label", "reason", "note"),
            ("Shown on the slot",),
            ("备注",),
            False,
        ),
    ),
    asks=(
        "Block {start} on {day}[ for {label}].",
        "I don't want any meetings on {day} {start}[, I need it for {label}]",
        "keep {day} {start} free for me please[ ({label})]",
        "mark me as busy {start} {day}",
        "Could you make sure nobody books me {start} on {day}[? That's {label}]",
        "I have to concentrate. Reserve {day} {start}[ and call it {label}].",
        "{day}: busy {start}[, {label}]",
        "Set aside time on {day}, {start}[, for {label}].",
        "my colleagues keep grabbing my free hours, so block out {day} {start}",
        "hold the time {start} on {day} for me[, label it {label}]",
        "On {day} I'm not available {start}[ because of {label}]. Show me as busy.",
    ),
    asks_zh=(
        "帮我把{day}{start}占住[，写{label}]。",
        "{day}{start}不要安排会议[，我要{label}]",
        "{day}{start}标成忙碌[，备注{label}]",
        "我{day}{start}要静下心干活，别让人约我",
        "锁定{day}{start}这段时间[，用来{label}]",
        "{day}{start}我没空，日历上帮我占一下[，{label}]。",
        "把{day}{start}空出来，谁都别约进来",
        "预留{day}{start}[，名称{label}]",
    ),
    outcomes=(
        Outcome(
            fields=(("blocked", Flag(("yes",), ("是",))),),
            texts=("slot blocked", "busy time saved"),
            texts_zh=("时间段已锁定",),
            answers=(
                "Done, you are shown as busy on {day} {start}.",
                "I've blocked {day} {start}.",
                "Nobody can book you {start} on {day} now.",
            ),
            answers_zh=(
                "{day}{start}已经帮你占住了。",
                "好的，{day}{start}已标为忙碌。",
                "{day}{start}不会再有人约你了。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="start",
            asks=("Block some time on {day}.", "keep a slot free for me {day}"),
            replies=("From when to when should I block it?", "Which hours on {day}?"),
            asks_zh=("{day}帮我占一段时间。", "{day}给我留段空档，别让人约"),
            replies_zh=("请问从几点到几点？", "{day}的哪个时间段？"),
        ),
        Missing(
            key="day",
            asks=("Block {start} in my calendar.", "mark me as busy {start}"),
            replies=("On which day?", "Which day should I block?"),
            asks_zh=("帮我把{start}占住。", "{start}标成忙碌"),
            replies_zh=("请问是哪一天？", "要占哪天的时间？"),
        ),
    ),
    also=("calendar.create",),
)

FREQUENCY = Choice(
    {
        "daily": (("every day", "daily"), ("每天",)),
        "weekly": (("every week", "weekly", "once a week"), ("每周", "每个星期")),
        "biweekly": (("every two weeks", "every other week", "every fortnight"), ("每两周", "隔周")),
        "monthly": (("every month", "monthly", "once a month"), ("每个月", "每月")),
        "yearly": (("every year", "yearly", "once a year"), ("每年",)),
    },
    ({"daily": "DAILY", "weekly": "WEEKLY", "biweekly": "BIWEEKLY", "monthly": "MONTHLY", "yearly": "YEARLY"},),
)

REPEAT = Family(
    key="calendar.repeat",
    names=("create_recurring_event", "schedule_series", "add_repeating_event", "recurring_appointment"),
    about=(
        "Create an event that repeats.",
        "Schedules a series of events from a first day on, optionally until a last day.",
        "For events that come back daily, weekly or monthly; not for single ones.",
    ),
    about_zh=("创建重复日程。", "从某一天开始安排周期性日程，可设置截止日期。"),
    params=(
        Param("title", GATHERINGS, ("title", "event_name", "subject"), ("Name of the series",), ("日程名称",)),
        Param("often", FREQUENCY, ("frequency", "repeat", "recurrence"), ("How often it repeats",), ("重复频率",)),
        Param("first", Moment(Day(0, 20)), ("first_start", "starts_at", "start"), ("First time",), ("首次时间",)),
        Param(
            "until",
            Made(_far_day, Day().forms),
            ("until", "end_date", "repeat_until"),
            ("Last day",),
            ("截止日期",),
            False,
        ),
        Param("length", Duration(), ("minutes", "duration"), ("Length of each event",), ("每次时长",), False),
    ),
    asks=(
        "Set up {title} {often}, first time {first}[, until {until}].",
        "I need {title} to repeat {often} starting {first}[, {length} each]",
        "{title} happens {often} from now on, the first one is {first}. Put the whole series in[ until {until}].",
        "make {title} a recurring thing: {often}, beginning {first}",
        "We'll have {title} {often}. It starts {first}[ and each takes {length}][, last one {until}].",
        "can you schedule {title} {often} with the first one {first}[ and stop {until}]?",
        "recurring event {title}, {often}, first {first}[, {length}]",
        "I signed up for {title}! It's {often}, starting {first}[ and running until {until}]. Add all of them.",
        "Please enter a series: {title}, {often}, first occurrence {first}.",
        "Repeat {title} in my calendar {often}, kicking off {first}[, {length} long]",
    ),
    asks_zh=(
        "建一个重复日程：{title}，{often}一次，第一次是{first}[，到{until}为止]。",
        "{title}以后{often}都有，从{first}开始[，每次{length}]，帮我加上",
        "{title}{often}一次，首次{first}[，一直到{until}]",
        "我报了{title}，{often}一次，第一次{first}，全部排进日历",
        "从{first}起，{often}安排一次{title}[，每次{length}][，{until}结束]",
        "把{title}设成{often}重复，{first}开始。",
        "{often}都要有{title}，第一场{first}[，每场{length}]，帮我设个周期日程",
        "请设置周期性日程{title}，{often}，起始{first}[，截止{until}]",
    ),
    outcomes=(
        Outcome(
            fields=(("series_id", EVENT_ID),),
            texts=("series {series_id} created",),
            texts_zh=("已创建系列{series_id}",),
            answers=(
                "The series {title} is set up, first time {first}.",
                "Done: {title} now repeats, starting {first}.",
                "I've created the recurring event {title}.",
            ),
            answers_zh=(
                "重复日程{title}已建好，首次{first}。",
                "好的，{title}已设为重复日程。",
                "{title}已按周期加入日历。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="often",
            asks=("Make {title} repeat, starting {first}.", "I need a recurring {title}, first one {first}"),
            replies=("How often should it repeat?", "Does {title} come daily, weekly or monthly?"),
            asks_zh=("把{title}设成重复日程，{first}开始。", "{title}要循环，从{first}起"),
            replies_zh=("请问多久重复一次？", "是每天、每周还是每月？"),
        ),
        Missing(
            key="first",
            asks=("Set up {title} {often}.", "put {title} in the calendar as a series, {often}"),
            replies=("When is the first one?", "On which day and at what time does {title} start?"),
            asks_zh=("{title}{often}一次，帮我设成重复日程。", "{often}安排一次{title}"),
            replies_zh=("第一次是什么时候？", "请问从哪天几点开始？"),
        ),
    ),
)

MOVE = Family(
    key="calendar.move",
    names=("move_event", "reschedule_event", "change_event_time", "postpone_event", "shift_appointment"),
    about=(
        "Move an event that exists to another day or time.",
        "Reschedules an appointment. Use it only for events that are already in the calendar.",
        "Change when an event takes place.",
    ),
    about_zh=("把已有日程改到其他日期或时间。", "修改日程的时间。", "日程改期。"),
    params=(
        Param("title", MEETINGS, ("event", "title", "event_name"), ("Which event",), ("要改期的日程",)),
        Param("day", Day(1, 40), ("new_date", "to_date", "date"), ("The new day",), ("新日期",)),
        Param("start", Clock(8, 20), ("new_time", "to_time", "time"), ("The new time",), ("新时间",), False),
    ),
    asks=(
        "Move {title} to {day}[ at {start}].",
        "can we push my {title} to {day}[, {start}]",
        "I can't make my {title}, put it on {day}[ at {start}] instead.",
        "{title} has been postponed, it's now on {day}[ at {start}]. Please fix my calendar.",
        "reschedule {title} -> {day}[ {start}]",
        "Something came up. Could {title} happen on {day}[ at {start}] instead?",
        "They changed the date of my {title}, the new one is {day}[ and it starts at {start}]",
        "shift {title} to {day}[, new time {start}]",
        "Turns out {day} suits me better for {title}[, at {start}], change it please",
        "My {title} got delayed. New date: {day}[, {start}].",
        "I'm ill, so {title} will have to wait until {day}[ at {start}]. Update the calendar.",
    ),
    asks_zh=(
        "把{title}改到{day}[{start}]。",
        "{title}推迟到{day}[{start}]了，帮我改一下日历",
        "临时有事，{title}挪到{day}[{start}]吧",
        "{title}改期，新时间{day}[{start}]",
        "我赶不上{title}了，换到{day}[{start}]行吗",
        "对方说{title}要延到{day}[{start}]，麻烦更新日程。",
        "{title}能不能调到{day}[{start}]",
        "{day}[{start}]更合适，把{title}移过去",
        "我生病了，{title}只能等到{day}[{start}]，改一下",
    ),
    outcomes=(
        Outcome(
            fields=(("moved", Flag(("yes",), ("是",))), ("guests_informed", Flag(("yes",), ("是",)))),
            texts=("event moved", "rescheduled"),
            texts_zh=("日程已改期",),
            answers=(
                "Done, {title} is now on {day}.",
                "I've moved {title} to {day}.",
                "Your calendar is updated: {title} takes place on {day}.",
            ),
            answers_zh=("{title}已改到{day}。", "好的，{title}现在是{day}。", "已经帮你把{title}挪到{day}了。"),
        ),
    ),
    missing=(
        Missing(
            key="day",
            asks=("Can you move my {title}?", "I have to postpone {title}", "Reschedule {title}, please."),
            replies=("To which day should I move it?", "What is the new day for {title}?"),
            asks_zh=("帮我把{title}改期。", "{title}要推迟一下"),
            replies_zh=("请问改到哪一天？", "{title}挪到哪天？"),
        ),
        Missing(
            key="title",
            asks=("Move the event to {day}.", "please push it to {day}, I'm busy"),
            replies=("Which event should I move?", "Which appointment do you mean?"),
            asks_zh=("把日程挪到{day}。", "帮我改到{day}"),
            replies_zh=("请问是哪个日程？", "要改哪一个日程？"),
        ),
    ),
    errors=("no such event", "that day is fully booked"),
)

CANCEL = Family(
    key="calendar.cancel",
    names=("cancel_event", "delete_event", "remove_appointment", "call_off_meeting", "drop_event"),
    about=(
        "Cancel an event.",
        "Deletes an event from the calendar and can tell the guests why.",
        "Remove an appointment for good; to change its time, move it instead.",
    ),
    about_zh=("取消日程。", "从日历中删除一个日程，可通知参会人。如需改期请用改期工具。"),
    params=(
        Param("title", MEETINGS, ("event", "title", "event_title"), ("The event to cancel",), ("要取消的日程",)),
        Param("day", Day(0, 20), ("date", "day", "on"), ("Day of the event",), ("日程日期",), False),
        Param(
            "notify", Flag(), ("notify_guests", "inform_attendees"), ("Tell the guests",), ("是否通知参会人",), False
        ),
    ),
    asks=(
        "Cancel {title}[ on {day}].",
        "I won't be going to my {title}[ on {day}], take it off the calendar",
        "delete {title}[ {day}] from my calendar",
        "{title}[ on {day}] isn't happening any more, please get rid of it.",
        Ask("Call off {title} and let everyone know.", {"notify": True}),
        Ask("cancel my {title} but don't tell the guests", {"notify": False}),
        "Turns out I don't need the {title}[ on {day}] after all. Remove it.",
        "scrap {title}[ on {day}]",
        "We broke up, so {title}[ {day}] can go.",
        "Can you clear {title}[ on {day}] from my schedule?",
        Ask("The {title} is off. Inform the people who were invited.", {"notify": True}),
        "no more {title}[ {day}], erase it please",
    ),
    asks_zh=(
        "取消[{day}的]{title}。",
        "[{day}的]{title}不去了，从日历里删掉",
        "把[{day}的]{title}删了吧",
        Ask("{title}取消，顺便通知大家。", {"notify": True}),
        Ask("悄悄取消{title}，不用通知别人", {"notify": False}),
        "[{day}的]{title}黄了，日历上去掉",
        "我不需要[{day}的]{title}了，帮我撤掉",
        "{title}不办了，移除这个日程",
        "日程里[{day}的]{title}可以划掉了",
    ),
    outcomes=(
        Outcome(
            fields=(("cancelled", Flag(("yes",), ("是",))),),
            texts=("event deleted", "cancelled"),
            texts_zh=("日程已删除",),
            answers=("Done, {title} is cancelled.", "I've taken {title} off your calendar.", "Cancelled: {title}."),
            answers_zh=("{title}已取消。", "好的，{title}已从日历中删除。", "已经把{title}去掉了。"),
        ),
    ),
    missing=(
        Missing(
            key="title",
            asks=("Cancel my appointment.", "please delete the event from my calendar", "call it off"),
            replies=("Which event should I cancel?", "Which appointment do you mean?"),
            asks_zh=("帮我取消日程。", "把那个会取消掉"),
            replies_zh=("请问要取消哪个日程？", "是哪一个日程？"),
        ),
    ),
    also=("food_health.cancel_doctor",),
    errors=("no such event", "only the organiser can cancel this event"),
)

DOMAIN = Domain(
    "calendar",
    (CREATE, BLOCK, REPEAT, MOVE, CANCEL, look.AGENDA, look.SEARCH, look.FREE, look.NEXT, look.INVITE, look.RESPOND),
    unserved=look.UNSERVED,
)
