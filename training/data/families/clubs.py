"""Sports clubs, evening classes and the salon: courts, courses, memberships and haircuts."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, Word
from training.data.times import Clock, Day, Duration, Moment, Period
from training.data.wordings import pool
from training.data.world import Person

from ._clubs_salon import CANCEL_SALON, SALON

SPORT = Choice(
    {
        "tennis": (("tennis",), ("网球",)),
        "badminton": (("badminton",), ("羽毛球",)),
        "squash": (("squash",), ("壁球",)),
        "table_tennis": (("table tennis", "ping-pong"), ("乒乓球",)),
        "basketball": (("basketball",), ("篮球",)),
        "volleyball": (("volleyball",), ("排球",)),
    },
    (
        {
            "tennis": "TENNIS",
            "badminton": "BADMINTON",
            "squash": "SQUASH",
            "table_tennis": "TABLE_TENNIS",
            "basketball": "BASKETBALL",
            "volleyball": "VOLLEYBALL",
        },
    ),
)
COURSE = Word(
    pool(
        """pottery | salsa | judo | life drawing | yoga | climbing | ukulele | Italian cooking | swimming | photography
        karate | ballet | knitting | fencing | creative writing | archery | watercolour painting | self-defence
        Pilates | woodcarving | sailing | choir singing | bookbinding | trampoline | rowing"""
    ),
    pool(
        """陶艺 | 拉丁舞 | 柔道 | 素描 | 瑜伽 | 攀岩 | 尤克里里 | 烘焙 | 游泳 | 摄影 | 空手道 | 芭蕾 | 编织 | 击剑
        写作 | 射箭 | 水彩画 | 防身术 | 普拉提 | 木雕 | 书法 | 合唱 | 插花 | 太极拳 | 赛艇"""
    ),
)
LEVEL = Choice(
    {
        "beginner": (("beginner",), ("初级", "零基础")),
        "intermediate": (("intermediate",), ("中级",)),
        "advanced": (("advanced",), ("高级", "进阶")),
    },
    ({"beginner": "A", "intermediate": "B", "advanced": "C"}, {"beginner": 1, "intermediate": 2, "advanced": 3}),
)
MEMBER = Code(("M-99999", "C999999", "99-9999", "MB9999"))
REASON = Choice(
    {
        "injury": (("an injury",), ("受伤",)),
        "travel": (("a long trip",), ("长期出差",)),
        "pregnancy": (("pregnancy",), ("怀孕",)),
        "money": (("money trouble",), ("手头紧",)),
    }
)

COURT = Family(
    key="clubs.court",
    names=("book_court", "reserve_sports_court", "court_reservation", "hall_booking"),
    about=(
        "Book a court at the sports club.",
        "Reserves a court for a sport at a moment, for some minutes.",
        "Courts and halls for playing. Courses are booked elsewhere.",
    ),
    about_zh=("预订运动场地。", "按项目、时间和时长预订球场。"),
    params=(
        Param("sport", SPORT, ("sport", "court_type", "discipline"), ("Which sport",), ("运动项目",)),
        Param("when", Moment(Day(0, 14), Clock(7, 21)), ("start", "start_time", "when"), ("Start",), ("开始时间",)),
        Param(
            "length", Duration("minutes", (45, 60, 90, 120)), ("minutes", "duration"), ("How long",), ("时长",), False
        ),
        Param("indoor", Flag(), ("indoor", "covered"), ("True for indoors",), ("是否室内",), required=False),
    ),
    asks=(
        "Is there a {sport} court free {when}? Book it[ for {length}].",
        "{sport} {when}[, {length}], get us a court",
        "My boss wants to play {sport} {when}. Reserve a court[ for {length}].",
        Ask("We'd like an indoor court for {sport} {when}.", {"indoor": True}),
        "court for {sport}, {when}",
        "Let's play {sport} {when}[ for {length}]! Can you arrange the court?",
        Ask("An outdoor {sport} court {when}[, {length}], please.", {"indoor": False}),
        "We want to hit some balls {when}. It's {sport}[, we need {length}].",
        "put me down for a {sport} court {when}",
    ),
    asks_zh=(
        "{when}订个{sport}场[，打{length}]",
        "约了朋友{when}打{sport}，帮忙订场地",
        "{when}有{sport}场地吗？有就订[，{length}]",
        Ask("要室内的{sport}场，{when}", {"indoor": True}),
        "老板{when}想打{sport}，订一块场地[，{length}]",
        "{sport}，{when}[，{length}]，订场",
        Ask("{when}来一块室外{sport}场[，{length}]", {"indoor": False}),
        "我们{when}去打{sport}，场地安排一下",
        "预订{sport}馆，{when}[，用{length}]",
        "手痒了，{when}打{sport}去，订个场",
        "球友都到齐了，{when}的{sport}场帮我抢一个",
    ),
    outcomes=(
        Outcome(
            fields=(("court", Integer(1, 9)), ("fee", Integer(8, 40))),
            texts=("court {court}, {fee}",),
            texts_zh=("{court}号场，{fee}元",),
            answers=(
                "You have court {court}; it costs {fee}.",
                "Court {court} is yours.",
                "Booked: court {court}, fee {fee}.",
            ),
            answers_zh=("订好了，{court}号场，{fee}元。", "{court}号场归你们了。", "场地是{court}号，费用{fee}元。"),
        ),
    ),
    missing=(
        Missing(
            key="when",
            asks=("Book a {sport} court for us.", "we want to play {sport}, get a court"),
            replies=("When do you want to play?", "For which day and time?"),
            asks_zh=("订个{sport}场", "想打{sport}，帮我订场地"),
            replies_zh=("请问什么时候打？", "订哪天几点？"),
        ),
        Missing(
            key="sport",
            asks=("I need a court {when}.", "reserve a court at the club {when}"),
            replies=("For which sport?", "Which sport would you like to play?"),
            asks_zh=("{when}订块场地", "{when}帮我订个场"),
            replies_zh=("请问打什么球？", "是什么运动项目？"),
        ),
    ),
)

ENROL = Family(
    key="clubs.enrol",
    names=("enrol_in_course", "sign_up_for_class", "course_registration", "join_class", "register_participant"),
    about=(
        "Sign somebody up for a course.",
        "Registers a person for a course at the evening school or the club.",
        "Course registration. It does not find courses.",
    ),
    about_zh=("报名课程。", "为某人报名夜校或俱乐部的课程。"),
    params=(
        Param("course", COURSE, ("course", "class_name", "subject"), ("Which course, e.g. yoga",), ("课程名称",)),
        Param("who", Person(), ("participant", "student_name", "name"), ("Who takes part",), ("学员姓名",)),
        Param("level", LEVEL, ("level", "skill_level"), ("Level",), ("级别",), required=False),
    ),
    asks=(
        "Sign {who} up for {course}[, {level} level].",
        "I'd like to register {who} for the {course} class[ at {level} level]",
        "{who} wants to learn {course}. Put the name down, please.",
        "course registration: {course}, {who}[, {level}]",
        "For her birthday {who} gets the {course} course from us[, {level} level]. Enrol her.",
        "{who} should join {course} this term",
        "Can you get {who} a place in {course}[, the {level} group]?",
        "Finally {who} has agreed to do {course}! Register before it fills up.",
    ),
    asks_zh=(
        "给{who}报{course}班[，{level}的]",
        "{who}想学{course}，帮忙报名",
        "报名：{course}课，学员{who}[，{level}]",
        "{who}终于同意去上{course}课了，赶紧报上",
        "生日礼物送{who}一门{course}课[，{level}班]，去报名",
        "{course}[{level}]班还有名额的话给{who}占一个",
        "这学期让{who}参加{course}",
        "想让{who}去练{course}[，从{level}开始]，登记一下",
        "我替{who}报个{course}",
        "{who}要上{course}课，名字写上",
        "把{who}加进{course}[{level}]班",
    ),
    outcomes=(
        Outcome(
            fields=(("first_lesson", Day(3, 40)), ("fee", Integer(40, 320, 5))),
            texts=("enrolled, starts {first_lesson}, fee {fee}",),
            texts_zh=("已报名，{first_lesson}开课，学费{fee}元",),
            answers=(
                "{who} is enrolled; the first lesson is on {first_lesson} and the fee {fee}.",
                "Done: {course} starts on {first_lesson}.",
                "{who} has a place in {course}.",
            ),
            answers_zh=(
                "{who}报上了，{first_lesson}开课，学费{fee}元。",
                "{course}课{first_lesson}开始。",
                "名额已留给{who}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="course",
            asks=("Sign {who} up for a course.", "{who} wants to take a class, register please"),
            replies=("Which course should it be?", "For which course?"),
            asks_zh=("给{who}报个班", "帮{who}报名上课"),
            replies_zh=("请问报哪门课？", "想学什么课程？"),
        ),
        Missing(
            key="who",
            asks=("I want to register somebody for {course}.", "one place in the {course} course[, {level} level]"),
            replies=("Who will take the course?", "What is the participant's name?"),
            asks_zh=("报一个{course}班", "{course}课报名一位"),
            replies_zh=("请问学员叫什么名字？", "是给谁报名？"),
        ),
    ),
    errors=("the course is full",),
    also=("school_office.enrol",),
)

TIMETABLE = Family(
    key="clubs.find_courses",
    names=("find_courses", "course_timetable", "search_classes", "list_club_courses"),
    about=(
        "Find courses on a subject.",
        "Lists the courses of the club and the evening school, by subject and weekday.",
        "Shows what is taught and when. Registers nobody.",
    ),
    about_zh=("查找课程。", "按主题和星期查询开设的课程，不报名。"),
    params=(
        Param("course", COURSE, ("subject", "topic", "what"), ("Subject",), ("主题",)),
        Param(
            "weekday",
            Choice(
                {
                    "monday": (("Mondays",), ("周一",)),
                    "tuesday": (("Tuesdays",), ("周二",)),
                    "wednesday": (("Wednesdays",), ("周三",)),
                    "thursday": (("Thursdays",), ("周四",)),
                    "friday": (("Fridays",), ("周五",)),
                    "saturday": (("Saturdays",), ("周六",)),
                    "sunday": (("Sundays",), ("周日",)),
                }
            ),
            ("weekday", "day_of_week"),
            ("Day of the week",),
            ("星期几",),
            required=False,
        ),
        Param("level", LEVEL, ("level", "difficulty"), ("Level",), ("级别",), required=False),
        Param("price", Integer(50, 400, 10), ("max_price", "max_fee"), ("Highest fee",), ("最高费用",), required=False),
    ),
    asks=(
        "Are there any {course} courses[ on {weekday}]?",
        "where can i learn {course}[, {level} level]",
        "I've always wanted to try {course}. Is it taught here[ on {weekday}][ for less than {price}]?",
        "What {course} classes do you have[ under {price} euros]?",
        "{course} on {weekday}, anything?",
        "My doctor says I should do {course}. What's on offer[ at {level} level]?",
        "show me {course} courses[, {level}]",
        "When does the {course} group meet?",
    ),
    asks_zh=(
        "有{course}课吗[，{weekday}的]？",
        "哪儿能学{course}[，{level}]",
        "一直想试试{course}，你们有开班吗",
        "{course}课有哪些[，{price}元以内的]",
        "医生建议我练{course}，有什么班可以上",
        "{weekday}有{course}吗",
        "看看{course}的课程表",
        "想找个{level}的{course}班[，不超过{price}元]",
        "{course}班什么时候上课",
        "退休了想学{course}，有没有合适的课[，最好{weekday}]",
    ),
    outcomes=(
        Outcome(
            fields=(("teacher", Person()), ("starts_at", Clock(9, 20)), ("fee", Integer(40, 300, 5))),
            texts=("{teacher}, {starts_at}, fee {fee}",),
            texts_zh=("{teacher}，{starts_at}，{fee}元",),
            answers=(
                "There is a {course} course with {teacher} at {starts_at}, for {fee}.",
                "{teacher} teaches it at {starts_at}; the fee is {fee}.",
                "Yes: {teacher}, {starts_at}.",
            ),
            answers_zh=(
                "有，{teacher}{starts_at}上课，学费{fee}元。",
                "{course}课由{teacher}教，{starts_at}开始。",
                "{teacher}的班，{fee}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="course",
            asks=("Which courses are there on {weekday}?", "I'd like to take some class, what's on"),
            replies=("What would you like to learn?", "Which subject interests you?"),
            asks_zh=("{weekday}有什么课", "想找个班上上"),
            replies_zh=("请问想学什么？", "对哪方面的课感兴趣？"),
        ),
    ),
    also=("eating.events",),
)

FREEZE_MEMBERSHIP = Family(
    key="clubs.freeze_membership",
    names=("freeze_membership", "pause_gym_membership", "suspend_club_membership", "membership_break"),
    about=(
        "Pause a membership for some months.",
        "Freezes a gym or club membership by its number; nothing is paid meanwhile.",
        "Suspends, does not end, a membership.",
    ),
    about_zh=("暂停会员资格。", "按会员号冻结健身房会员几个月，不是退会。"),
    params=(
        Param("member", MEMBER, ("member_id", "membership_number", "card_no"), ("Member number",), ("会员号",)),
        Param(
            "length",
            Duration("months", (1, 2, 3, 4, 6, 9, 12)),
            ("months", "pause_months"),
            ("How long",),
            ("暂停时长",),
        ),
        Param("reason", REASON, ("reason", "cause"), ("Why",), ("原因",), required=False),
    ),
    asks=(
        "Put membership {member} on hold for {length}[ because of {reason}].",
        "pause {member} for {length}[, {reason}]",
        "I can't train for {length}[ because of {reason}]. My number is {member}, please freeze it.",
        "Member {member} would like a break of {length}.",
        "For {length} I won't be able to come to the gym, so stop charging {member}[; it's {reason}].",
        "freeze my gym card {member} {length}",
        "My knee needs rest: {length} without the club. Card {member}.",
        "Could {member} be suspended for {length}[ due to {reason}]?",
    ),
    asks_zh=(
        "会员{member}停卡{length}[，原因是{reason}]",
        "我的健身卡{member}暂停{length}",
        "[因为{reason}，]{length}不能来锻炼，会员号{member}，帮我冻结",
        "{member}想休息{length}，先别扣费",
        "停卡：{member}，{length}[，{reason}]",
        "膝盖要养{length}，卡号{member}，先停一下",
        "健身房会员{member}办个{length}的暂停",
        "接下来{length}去不了健身房[（{reason}）]，{member}给我停了吧",
        "能把{member}挂起{length}吗",
        "冻结会员卡{member}，时间{length}",
    ),
    outcomes=(
        Outcome(
            fields=(("saved_per_month", Integer(15, 70)),),
            texts=("frozen, {saved_per_month} a month are not charged",),
            texts_zh=("已冻结，每月少扣{saved_per_month}元",),
            answers=(
                "Membership {member} is on hold for {length}.",
                "Frozen. {saved_per_month} a month will not be charged.",
                "Done, for {length} you save {saved_per_month} a month.",
            ),
            answers_zh=(
                "会员{member}已暂停{length}。",
                "停卡成功，每月少扣{saved_per_month}元。",
                "好了，{length}内每月省{saved_per_month}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="length",
            asks=("Put membership {member} on hold.", "I can't come for a while, freeze {member}"),
            replies=("For how many months?", "How long should it be paused?"),
            asks_zh=("会员{member}停卡", "{member}先冻结一下"),
            replies_zh=("请问停几个月？", "要暂停多久？"),
        ),
        Missing(
            key="member",
            asks=("Freeze my membership for {length}.", "I need a break of {length} from the gym"),
            replies=("What is your member number?", "Which membership number is it?"),
            asks_zh=("健身卡停{length}", "帮我停卡{length}"),
            replies_zh=("请问会员号是多少？", "您的卡号是？"),
        ),
    ),
    also=("contracts.pause_subscription",),
)

ABSENCE = Family(
    key="clubs.absence",
    names=("club_absence", "excuse_from_training", "skip_training", "training_sign_off"),
    about=(
        "Tell the coach that somebody will miss training.",
        "Excuses a player from training in a span of days.",
        "Signs a player off from training; the membership goes on.",
    ),
    about_zh=("向教练请假。", "为队员在一段时间内请训练假。"),
    params=(
        Param("player", Person(), ("player", "athlete", "member_name"), ("Who is away",), ("队员",)),
        Param("span", Period(Day(13, 45), 10), ("period", "absence", "days_away"), ("From and to",), ("起止日期",)),
    ),
    asks=(
        "{player} can't come to training {span}.",
        "Tell the coach that {player} is away {span}.",
        "no training for {player} {span}",
        "We're at the seaside {span}, so {player} will miss practice.",
        "Please excuse {player} from practice {span}, it's the flu.",
        "{player}: absent {span}",
        "Sign {player} off {span}, the team should know.",
        "Practice without {player} {span}, let the trainer know please.",
    ),
    asks_zh=(
        "{player}{span}不能来训练",
        "跟教练说一声，{player}{span}请假",
        "给{player}请训练假，{span}",
        "我们{span}去海边，{player}训练来不了",
        "{player}感冒了，{span}的训练请个假",
        "{span}{player}缺席训练，登记一下",
        "队里训练{player}{span}不参加",
        "帮{player}向球队请假，{span}",
        "{span}，{player}练不了球，告诉教练",
        "训练请假：{player}，{span}",
    ),
    outcomes=(
        Outcome(
            fields=(("sessions_missed", Integer(2, 6)),),
            texts=("excused from {sessions_missed} sessions",),
            texts_zh=("已请假{sessions_missed}次训练",),
            answers=(
                "{player} is excused from {sessions_missed} sessions.",
                "The coach knows; {player} misses {sessions_missed} sessions.",
                "Done, {player} is signed off.",
            ),
            answers_zh=(
                "已替{player}请假，共{sessions_missed}次训练。",
                "教练知道了。",
                "{player}缺席{sessions_missed}次，已登记。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="player",
            asks=("Somebody from our family will miss training {span}.", "excuse us from practice {span}"),
            replies=("Who will be away?", "Which player should I excuse?"),
            asks_zh=("{span}的训练请个假", "{span}来不了训练，跟教练说"),
            replies_zh=("请问是谁请假？", "是哪位队员？"),
        ),
        Missing(
            key="span",
            asks=("{player} has to miss training, tell the coach.", "sign {player} off from practice"),
            replies=("From when to when?", "Which days will {player} be away?"),
            asks_zh=("{player}要请训练假", "跟教练说{player}来不了"),
            replies_zh=("请问从哪天到哪天？", "{player}请假的日期是？"),
        ),
    ),
    also=("office.request_leave",),
)

DOMAIN = Domain(
    "clubs",
    (COURT, ENROL, TIMETABLE, FREEZE_MEMBERSHIP, ABSENCE, SALON, CANCEL_SALON),
    unserved=(
        ("Buy me a new tennis racket.", "给我买个新网球拍。"),
        ("Who won the club championship last year?", "去年俱乐部冠军是谁？"),
        ("Teach me the rules of badminton.", "教我羽毛球规则。"),
        ("Which lipstick suits a pale skin?", "白皮肤适合什么口红？"),
        ("String my racket by Friday.", "周五之前帮我的球拍穿线。"),
        ("End my gym membership for good.", "把我的健身会员彻底退掉。"),
        ("Where did I leave my swimming goggles?", "我的泳镜放哪儿了？"),
        ("Order the blue team shirts in size M.", "订购M码的蓝色队服。"),
        ("Find me a partner for doubles.", "帮我找个双打搭档。"),
        ("Write a speech for the club's jubilee.", "给俱乐部周年庆写篇致辞。"),
        ("How do I get rid of split ends?", "头发分叉怎么办？"),
        ("Drive the team to the away match.", "送球队去客场比赛。"),
        ("Elect a new treasurer.", "选一位新财务。"),
    ),
)
