"""The calendar, second part: what is on, when there is room, and invitations."""

from collections.abc import Mapping
from datetime import time

from training.data.families._everyday import EVENTS, GATHERINGS, HOURS, MEETINGS
from training.data.family import Ask, Drawn, Family, Missing, Outcome, Param, PartOf
from training.data.kinds import Choice, ListOf, Word
from training.data.times import Clock, Day, Duration
from training.data.world import Email, Person

AGENDA = Family(
    key="calendar.agenda",
    names=("list_events", "get_agenda", "day_schedule", "show_calendar_day", "events_on"),
    about=(
        "Events of one day.",
        "Lists what is in the calendar on a given day.",
        "The day's agenda. For one event by its name, search instead.",
    ),
    about_zh=("查看某天的日程。", "列出日历中某一天的全部安排。"),
    params=(Param("day", Day(0, 25), ("date", "day", "for_date"), ("Which day",), ("日期",)),),
    asks=(
        "What's on my calendar on {day}?",
        "what do I have {day}",
        "Am I busy on {day}?",
        "How does my day look on {day}?",
        "show me {day} please",
        "My mother wants to visit on {day}, is there anything planned?",
        "list all appointments on {day}",
        "Do I have anything on {day}? I might sleep in.",
        "Give me a rundown of {day}.",
        "which meetings are there on {day}?",
        "I'm packing my bag. Where do I have to be on {day}?",
        "agenda {day}",
    ),
    asks_zh=(
        "我{day}有什么安排？",
        "{day}的日程是什么",
        "{day}忙不忙？",
        "看看{day}都有哪些会",
        "{day}我妈要来，那天有安排吗？",
        "列一下{day}的所有日程。",
        "{day}我要去哪些地方",
        "{day}有事吗，想睡个懒觉",
        "帮我过一遍{day}的行程",
    ),
    outcomes=(
        Outcome(
            fields=(("events", ListOf(EVENTS, 2, 4)),),
            texts=("{day}: {events}",),
            texts_zh=("{day}：{events}",),
            answers=(
                "You have {events} on {day}.",
                "On {day} there is {events}.",
                "Your calendar shows {events}.",
            ),
            answers_zh=("{day}有{events}。", "{day}的安排是：{events}。", "日历上有{events}。"),
        ),
        Outcome(
            fields=(("event", EVENTS), ("time", Clock(8, 20))),
            texts=("{time} {event}",),
            texts_zh=("{time} {event}",),
            answers=(
                "There is only {event} at {time}.",
                "Just one thing on {day}: {event} at {time}.",
                "You have {event} at {time}.",
            ),
            answers_zh=("{day}只有{time}的{event}。", "就一件事：{time}{event}。", "{time}有{event}。"),
        ),
    ),
    missing=(
        Missing(
            key="day",
            asks=("Show me my schedule.", "what's in my calendar?", "list my appointments"),
            replies=("Which day do you want to see?", "For which day?"),
            asks_zh=("看一下我的日程。", "我有什么安排？"),
            replies_zh=("请问看哪一天的？", "要查哪天的日程？"),
        ),
    ),
)

SEARCH = Family(
    key="calendar.search",
    names=("find_event", "search_calendar", "lookup_event", "when_is_event", "search_events"),
    about=(
        "Find an event by its name.",
        "Searches the calendar for words and gives back the day and time of the event.",
        "Look up when something takes place.",
    ),
    about_zh=("按名称查找日程。", "在日历中搜索关键词，返回日期和时间。"),
    params=(
        Param("words", MEETINGS, ("keyword", "text", "search_term"), ("Words of the title",), ("关键词",)),
        Param(
            "after", Day(3, 30), ("after", "from_date", "not_before"), ("Only after this day",), ("起始日期",), False
        ),
    ),
    asks=(
        "When is my {words}?",
        "what time was the {words} again",
        "I forgot the date of my {words}.",
        "Find {words} in my calendar[, after {after}].",
        "How long do I have until my {words}? When is it?",
        "Is there a {words} in the calendar[ after {after}]?",
        "search my calendar for {words}[ from {after} on]",
        "My wife asks when my {words} is, I have no idea",
        "look up {words}",
        "On which day did we put the {words}?",
        "did I already enter {words}[, some time after {after}]?",
    ),
    asks_zh=(
        "我的{words}是什么时候？",
        "{words}是几号来着",
        "在日历里找一下{words}[，{after}以后的]。",
        "忘了{words}的日期，帮我查查",
        "搜索日程：{words}",
        "{words}定在哪天了？",
        "我记没记{words}这个安排[，应该在{after}之后]？",
        "老婆问{words}是哪天，帮我看看",
        "还有多久到{words}？查下时间",
    ),
    outcomes=(
        Outcome(
            fields=(("date", Day(1, 40)), ("time", Clock(8, 20))),
            texts=("found: {date} {time}",),
            texts_zh=("找到：{date} {time}",),
            answers=(
                "It is on {date} at {time}.",
                "Your calendar has {words} on {date} at {time}.",
                "{date} at {time}.",
            ),
            answers_zh=("是{date} {time}。", "{words}在{date} {time}。", "日历上写的是{date} {time}。"),
        ),
    ),
    missing=(
        Missing(
            key="words",
            asks=("When is it?", "can you find an event in my calendar", "look something up in my calendar"),
            replies=("Which event are you looking for?", "What is the event called?"),
            asks_zh=("帮我在日历里找个日程。", "那个会是什么时候？"),
            replies_zh=("请问找哪个日程？", "日程叫什么名字？"),
        ),
    ),
)


def _fits_the_window(drawn: Mapping[str, Drawn]) -> bool:
    if "within" not in drawn or "length" not in drawn:
        return True
    start, end = (time.fromisoformat(drawn["within"].meaning[part]) for part in ("start", "end"))
    return drawn["length"].meaning <= (end.hour - start.hour) * 60 + end.minute - start.minute


FREE = Family(
    key="calendar.free",
    names=("find_free_slots", "free_time", "check_availability", "suggest_times", "open_slots"),
    about=(
        "Find free time on a day.",
        "Suggests gaps in the calendar that are long enough. Books nothing.",
        "Free slots of at least the given length.",
    ),
    about_zh=("查找某天的空闲时间。", "根据所需时长给出可用时段，不会预订。"),
    params=(
        Param("day", Day(0, 20), ("date", "day"), ("Day to look at",), ("日期",)),
        Param("length", Duration(), ("minutes_needed", "duration_minutes", "min_length"), ("Length",), ("所需时长",)),
        Param("within", HOURS, ("earliest", "not_before", "window_start"), ("Look from here",), ("最早时间",), False),
        Param(
            "latest",
            PartOf("within", "end", about="HH:MM", about_zh="格式 HH:MM"),
            ("latest", "not_after", "window_end"),
            ("Look up to here",),
            ("最晚时间",),
            False,
        ),
    ),
    asks=(
        "When am I free for {length} on {day}?",
        "find me {length} on {day}[, any time {within}]",
        "I want to go for a run of {length} on {day}, when could I squeeze it in?",
        "is there a gap of {length} on {day}[ {within}]?",
        "A client wants {length} of my time on {day}. What can I offer[? It must be {within}]",
        "open slots {day}, {length}",
        "Where in my day could {length} of reading fit on {day}?",
        "I need {length} of peace and quiet on {day}[, somewhere {within}]. When is nothing on?",
        "which times work on {day} if it takes {length}",
        "Suggest a time for a call of {length} on {day}[, {within}].",
        "Does {day} have {length} to spare[ {within}]?",
    ),
    asks_zh=(
        "{day}我哪个时段有{length}的空？",
        "帮我在{day}找{length}空闲时间[，{within}之间]",
        "{day}想跑步{length}，什么时候塞得进去？",
        "{day}[{within}]有没有{length}的空档",
        "客户{day}要占我{length}，哪些时间可以？",
        "{day}什么时候能腾出{length}[，{within}]？",
        "查一下{day}够{length}的空闲时段",
        "{day}开个{length}的会，推荐几个时间[，{within}都行]",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("slots", ListOf(Word(("08:30", "09:00", "10:15", "11:00", "13:30", "14:45", "16:00", "17:30")), 2, 3)),
            ),
            texts=("free at {slots}",),
            texts_zh=("空闲：{slots}",),
            answers=(
                "You could start at {slots}.",
                "On {day} there is room at {slots}.",
                "These times are free: {slots}.",
            ),
            answers_zh=("{day}可以从{slots}开始。", "有空的时间是{slots}。", "{slots}都有{length}的空。"),
        ),
        Outcome(
            fields=(("slot", Clock(8, 19)),),
            texts=("only {slot}",),
            texts_zh=("只有{slot}",),
            answers=("Only {slot} works on {day}.", "There is one gap, at {slot}.", "You are free at {slot}."),
            answers_zh=("{day}只有{slot}有空。", "就一个空档：{slot}。", "{slot}开始可以。"),
        ),
    ),
    missing=(
        Missing(
            key="length",
            asks=("Find a gap in my calendar on {day}.", "I need some time on {day}, when is it possible?"),
            replies=("How long should it be?", "How much time do you need on {day}?"),
            asks_zh=("帮我在{day}找个空档。", "{day}我要留点时间，什么时候合适"),
            replies_zh=("请问需要多长时间？", "大概要多久？"),
        ),
        Missing(
            key="day",
            asks=("Find me a free slot of {length}.", "when could I fit in {length}?"),
            replies=("On which day?", "Which day should I look at?"),
            asks_zh=("帮我找{length}的空闲时间。", "什么时候有{length}的空？"),
            replies_zh=("请问是哪一天？", "要查哪天？"),
        ),
    ),
    fits=_fits_the_window,
)

NEXT = Family(
    key="calendar.next",
    names=("next_event", "upcoming_event", "get_next_meeting", "whats_next"),
    about=("The next event.", "Returns the event that comes up next, with its time.", "What is coming up now."),
    about_zh=("下一个日程。", "返回即将开始的日程及时间。"),
    params=(),
    asks=(
        "What's next?",
        "what's my next meeting",
        "Where do I have to be next?",
        "I just got out of a meeting. What comes now?",
        "Do I have time for a coffee or does something start soon?",
        "next appointment please",
        "when do I have to leave my desk again",
        "Which event is coming up?",
        "who am I meeting next and when",
        "Tell me what's coming up next in my calendar.",
    ),
    asks_zh=(
        "接下来有什么安排？",
        "下一个会是什么时候",
        "我接下来要去哪儿？",
        "刚开完会，下面是什么",
        "下一个日程",
        "现在去喝杯咖啡来得及吗，下个会几点？",
        "马上要开始的是哪个会？",
        "看下我的下一项安排",
    ),
    outcomes=(
        Outcome(
            fields=(("title", EVENTS), ("starts_at", Clock(8, 20))),
            texts=("{starts_at}: {title}",),
            texts_zh=("{starts_at}：{title}",),
            answers=("Next is {title} at {starts_at}.", "You have {title} at {starts_at}.", "At {starts_at}: {title}."),
            answers_zh=(
                "接下来是{starts_at}的{title}。",
                "下一项是{title}，{starts_at}开始。",
                "{starts_at}有{title}。",
            ),
        ),
    ),
    also=("calendar.agenda",),
)

INVITE = Family(
    key="calendar.invite",
    names=("invite_guests", "add_attendees", "send_invitation", "invite_to_event"),
    about=(
        "Invite people to an event.",
        "Adds guests to an event that is already in the calendar, by their mail addresses.",
        "Send calendar invitations; the event must exist.",
    ),
    about_zh=("邀请他人参加日程。", "通过邮箱给已有日程添加参会人。"),
    params=(
        Param("title", GATHERINGS, ("event", "event_title", "meeting"), ("The event",), ("日程",)),
        Param("guests", ListOf(Email(), 1, 3), ("attendees", "emails", "guests"), ("Mail addresses",), ("参会人邮箱",)),
        Param(
            "role",
            Choice(
                {"optional": (("optional",), ("可选",)), "required": (("required",), ("必须参加",))},
                ({"optional": "OPTIONAL", "required": "REQUIRED"},),
            ),
            ("attendance", "role"),
            ("Whether they must come",),
            ("是否必须参加",),
            False,
        ),
    ),
    asks=(
        "Invite {guests} to {title}.",
        "add {guests} to the {title} invite",
        "{guests} should be at my {title} as well, send an invitation",
        "Please put {guests} on the guest list of {title}[, attendance {role}].",
        "I forgot to invite {guests} to {title}!",
        Ask("{guests} can come to {title} if they like, it's optional for them. Send it out.", {"role": "optional"}),
        Ask("{title} is mandatory for {guests}, invite them", {"role": "required"}),
        "For {title} we also need {guests}. Can you include them[ as {role}]?",
        "send the calendar invitation of {title} to {guests}",
        "who's missing from {title}? Right, {guests}. Invite please.",
    ),
    asks_zh=(
        "邀请{guests}参加{title}。",
        "{title}把{guests}也加上",
        "给{guests}发{title}的日程邀请[，{role}]",
        "忘了叫{guests}来{title}，补个邀请",
        Ask("{title}请{guests}，来不来都行，选填参加。", {"role": "optional"}),
        Ask("{guests}必须参加{title}，发邀请", {"role": "required"}),
        "{title}的参会人里添加{guests}",
        "{title}还缺{guests}，帮我邀请一下",
    ),
    outcomes=(
        Outcome(
            fields=(("sent", Word(("yes",), ("是",))),),
            texts=("invitations sent",),
            texts_zh=("邀请已发送",),
            answers=(
                "I've invited {guests} to {title}.",
                "Done, the invitation went out.",
                "{title}: {guests} invited.",
            ),
            answers_zh=("已邀请{guests}参加{title}。", "邀请发出去了。", "好的，{guests}已加入{title}。"),
        ),
    ),
    missing=(
        Missing(
            key="guests",
            asks=("Invite some more people to {title}.", "send the invitation for {title}"),
            replies=("Whom should I invite? Please give me the addresses.", "Which addresses should get it?"),
            asks_zh=("给{title}再加几个人。", "把{title}的邀请发出去"),
            replies_zh=("请问要邀请谁？请给我邮箱。", "发给哪些邮箱？"),
        ),
        Missing(
            key="title",
            asks=("Invite {guests}.", "send a calendar invitation to {guests}"),
            replies=("To which event?", "Which event should I invite them to?"),
            asks_zh=("邀请{guests}。", "给{guests}发个日程邀请"),
            replies_zh=("请问是哪个日程？", "邀请参加哪个活动？"),
        ),
    ),
)

RESPOND = Family(
    key="calendar.respond",
    names=("respond_to_invitation", "rsvp", "answer_invite", "reply_to_event"),
    about=(
        "Accept or decline an invitation.",
        "Answers an invitation that somebody sent: yes, no or maybe.",
        "RSVP to an event.",
    ),
    about_zh=("回复日程邀请。", "接受、拒绝或暂定参加一个邀请。"),
    params=(
        Param("title", GATHERINGS, ("invitation", "event", "event_name"), ("The event",), ("被邀请的活动",)),
        Param(
            "answer",
            Choice(
                {
                    "accepted": (("accept", "say yes to", "confirm"), ("接受", "答应")),
                    "declined": (("decline", "say no to", "turn down"), ("拒绝", "推掉")),
                    "tentative": (("say maybe to", "tentatively accept"), ("暂定接受", "暂定参加")),
                },
                (
                    {"accepted": "yes", "declined": "no", "tentative": "maybe"},
                    {"accepted": "ACCEPT", "declined": "DECLINE", "tentative": "TENTATIVE"},
                ),
            ),
            ("response", "status", "answer"),
            ("The answer",),
            ("回复",),
        ),
        Param("host", Person(), ("organizer", "from_person"), ("Who invited",), ("邀请人",), False),
    ),
    asks=(
        "Please {answer} the invitation to {title}[ from {host}].",
        "{answer} the {title} invite[ that {host} sent]",
        Ask("I'll be there for {title}[, let {host} know].", {"answer": "accepted"}),
        Ask("tell them I can't come to {title}", {"answer": "declined"}),
        Ask("Not sure yet about {title}, put me down as a maybe[ with {host}].", {"answer": "tentative"}),
        Ask("Count me in for {title}!", {"answer": "accepted"}),
        Ask("{title}[ with {host}]? No way, I'm on holiday then. Say no.", {"answer": "declined"}),
        Ask("[{host} invited me to something. ]I might make it to {title}, so maybe.", {"answer": "tentative"}),
        "could you {answer} {title} for me",
        Ask("Yes to {title}[, the one {host} organises].", {"answer": "accepted"}),
    ),
    asks_zh=(
        "帮我{answer}[{host}发的]{title}的邀请。",
        "{title}的邀请，{answer}",
        Ask("{title}我一定到[，回复{host}]。", {"answer": "accepted"}),
        Ask("{title}我去不了，婉拒一下[{host}]", {"answer": "declined"}),
        Ask("{title}还不确定，先回个待定", {"answer": "tentative"}),
        Ask("[{host}约的]{title}算我一个", {"answer": "accepted"}),
        Ask("那会儿我在休假，{title}回绝吧", {"answer": "declined"}),
        Ask("可能会去{title}，先说也许吧", {"answer": "tentative"}),
        "{answer}{title}这个邀请[，{host}发来的]",
    ),
    outcomes=(
        Outcome(
            fields=(("recorded", Word(("yes",), ("是",))),),
            texts=("response recorded",),
            texts_zh=("回复已记录",),
            answers=("Your answer for {title} has been sent.", "Done, they know now.", "I've answered the invitation."),
            answers_zh=("{title}的邀请已回复。", "好的，已经告诉对方了。", "回复发出去了。"),
        ),
    ),
    missing=(
        Missing(
            key="answer",
            asks=("Answer the invitation to {title}.", "there's an invite to {title}, please respond"),
            replies=("Do you want to accept or decline?", "Shall I say yes, no or maybe?"),
            asks_zh=("回复一下{title}的邀请。", "{title}的邀请帮我处理一下"),
            replies_zh=("请问接受还是拒绝？", "要参加吗？"),
        ),
    ),
)

UNSERVED = (
    ("Print my calendar for the whole month on A3.", "把我整个月的日历用A3纸打印出来。"),
    ("Change the colour of my work calendar to green.", "把工作日历的颜色改成绿色。"),
    ("Export all my events as an ICS file.", "把所有日程导出成ICS文件。"),
    ("Hide my private calendar from the phone's lock screen.", "把私人日历从锁屏上隐藏起来。"),
    ("Set my default reminder for all events to one hour before.", "把所有日程的默认提醒改成提前一小时。"),
    ("Share my calendar with my assistant, read-only.", "把我的日历以只读方式共享给助理。"),
    ("Give the book club event a cover picture.", "给读书会的日程加张封面图。"),
    ("How many hours did I spend in meetings last year?", "我去年一共开了多少小时的会？"),
    ("Attach the slides to the budget review event.", "把幻灯片附到预算评审的日程上。"),
    ("Set my working hours to 9 to 5.", "把我的工作时间设成九点到五点。"),
    ("Connect my university's timetable to this calendar.", "把学校的课表同步到这个日历。"),
    ("Start recording the video meeting.", "开始录制视频会议。"),
    ("Merge my two calendars into one.", "把我的两个日历合并成一个。"),
    ("Restore the event that I deleted this morning.", "恢复我今天早上删掉的日程。"),
    ("Write the minutes of today's board meeting.", "帮我写今天董事会的会议纪要。"),
)
