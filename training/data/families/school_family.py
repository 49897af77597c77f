"""Children, school and the family: absences, homework, lunches, pick-ups, sitters, birthdays and pocket money."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Amount, Choice, Flag, Integer, Word
from training.data.times import Clock, Day
from training.data.wordings import pool
from training.data.world import City, Person

from ._family_days import GIFT, POCKET_MONEY, SAVE_BIRTHDAY, UPCOMING

CHILD = Word(
    pool(
        """Mia | Noah | Emma | Liam | Zoe | Leo | Ella | Finn | Ava | Oscar | Lily | Theo | Nora | Milo | Ruby | Hugo
        Ivy | Jonas | Clara | Max | Amira | Felix | Nina | Sam"""
    ),
    pool(
        """朵朵 | 乐乐 | 小宝 | 果果 | 浩浩 | 甜甜 | 轩轩 | 悦悦 | 阳阳 | 豆豆 | 妞妞 | 壮壮 | 萌萌 | 文文 | 糖糖 | 小鱼
        瑞瑞 | 可可 | 彤彤 | 多多 | 安安 | 子涵"""
    ),
)
ILLNESS = Word(
    pool(
        """a fever | a cold | a stomach bug | a dentist appointment | a family funeral | chickenpox | a sore throat
        lice | an ear infection | a broken arm | a headache | a passport appointment | pink eye | a cough | a wedding
        a piano competition | a sprained ankle | a swimming contest | an eye test | a rash"""
    ),
    pool(
        """发烧 | 感冒 | 肚子疼 | 看牙 | 家里有丧事 | 出水痘 | 嗓子疼 | 中耳炎 | 胳膊骨折 | 头疼 | 办护照 | 红眼病
        咳嗽 | 参加婚礼 | 钢琴比赛 | 脚扭伤 | 游泳比赛 | 验光 | 起疹子 | 打疫苗"""
    ),
)
SUBJECT = Choice(
    {
        "maths": (("maths", "math"), ("数学",)),
        "english": (("English",), ("英语",)),
        "chinese": (("Chinese",), ("语文",)),
        "physics": (("physics",), ("物理",)),
        "history": (("history",), ("历史",)),
        "biology": (("biology",), ("生物",)),
        "art": (("art",), ("美术",)),
        "music": (("music",), ("音乐",)),
    },
    (
        {
            "maths": "MATH",
            "english": "ENG",
            "chinese": "CHN",
            "physics": "PHY",
            "history": "HIS",
            "biology": "BIO",
            "art": "ART",
            "music": "MUS",
        },
    ),
)

SICK_NOTE = Family(
    key="school.report_absence",
    names=("report_absence", "school_sick_note", "excuse_child", "notify_school_absence", "mark_child_absent"),
    about=(
        "Tell the school that a child stays away.",
        "Reports a child as absent on a day, with the reason.",
        "Excuses pupils at school or nursery. Not for work.",
    ),
    about_zh=("向学校请假。", "为孩子在某天请假并说明原因。"),
    params=(
        Param("child", CHILD, ("child", "pupil", "student"), ("Which child",), ("孩子姓名",)),
        Param("day", Day(0, 8), ("date", "day", "absent_on"), ("Day of absence",), ("缺课日期",)),
        Param("reason", ILLNESS, ("reason", "cause"), ("Why",), ("原因",), required=False),
        Param(
            "half", Flag(), ("half_day", "only_morning"), ("True for half a day",), ("是否只请半天",), required=False
        ),
    ),
    asks=(
        "{child} can't go to school {day}[ because of {reason}].",
        "tell the school {child} stays home {day}[, {reason}]",
        "{child} has {reason} and won't be in class {day}.",
        "Please excuse {child} from lessons on {day}[, it's {reason}].",
        Ask("{child} will only miss half the day at school {day}[; {reason}].", {"half": True}),
        "We were up all night with {child}. No school {day}[, it's {reason}], let the teacher know.",
        "absent {day}: {child}",
        "Write to the nursery that {child} isn't coming on {day}[, reason: {reason}].",
    ),
    asks_zh=(
        "{child}{day}不去上学[，{reason}]",
        "帮{child}跟老师请假，{day}[，因为{reason}]",
        "{child}{reason}，{day}上不了课",
        "给{child}请{day}的假",
        Ask("{child}{day}只请半天假[，{reason}]", {"half": True}),
        "昨晚折腾一宿，{child}{day}在家休息，告诉学校[，{reason}]",
        "请假：{child}，{day}[，原因{reason}]",
        "{day}{child}来不了幼儿园了，通知一下老师",
        "跟班主任说一声，{child}{day}[因{reason}]缺课",
        "{child}得在家待着，{day}的课请假",
        "学校那边给{child}报个{day}缺勤[，{reason}]",
    ),
    outcomes=(
        Outcome(
            fields=(("teacher", Person()),),
            texts=("{teacher} has been informed",),
            texts_zh=("已通知{teacher}",),
            answers=(
                "{child} is excused; {teacher} knows.",
                "Done, {teacher} has been told.",
                "The school knows about {child}.",
            ),
            answers_zh=(
                "已替{child}请假，{teacher}知道了。",
                "请好假了，已通知{teacher}。",
                "学校已收到{child}的请假。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="child",
            asks=("One of the kids can't go to school {day}.", "report an absence at school {day}"),
            replies=("Which child is it?", "Who will be absent?"),
            asks_zh=("孩子{day}请个假", "{day}不去学校了，请假"),
            replies_zh=("请问是哪个孩子？", "给谁请假？"),
        ),
        Missing(
            key="day",
            asks=("{child} has {reason}, tell the school.", "please excuse {child} from school"),
            replies=("For which day?", "On which day is {child} away?"),
            asks_zh=("帮{child}请假", "{child}{reason}，跟学校说一声"),
            replies_zh=("请问请哪天的假？", "{child}哪天不去？"),
        ),
    ),
    also=(
        "clubs.absence",
        "school_office.absence",
    ),
)

HOMEWORK = Family(
    key="school.homework",
    names=("get_homework", "homework_for_child", "open_assignments", "school_tasks"),
    about=(
        "What homework a child has.",
        "Lists a child's open assignments, in all subjects or one.",
        "Reads the school's homework book; solves nothing.",
    ),
    about_zh=("查看孩子的作业。", "列出孩子未完成的作业，可按科目，不解题。"),
    params=(
        Param("child", CHILD, ("child", "pupil_name", "kid"), ("Which child",), ("孩子",)),
        Param("subject", SUBJECT, ("subject", "course"), ("One subject only",), ("科目",), required=False),
    ),
    asks=(
        "What does {child} have to do for school[ in {subject}]?",
        "has {child} got homework[ in {subject}]",
        "{child} claims there is nothing to do. Is that true[ for {subject}]?",
        "Which exercises are open for {child}[, {subject} only]?",
        "I'm home late. What's still on {child}'s desk[ for {subject}]?",
        "homework {child}[ {subject}]",
        "Before {child} may play: is any {subject} work due?",
        "Show me the assignments {child} has not handed in yet.",
    ),
    asks_zh=(
        "{child}今天有什么作业[，{subject}的]？",
        "{child}说没作业，真的假的",
        "查一下{child}的[{subject}]作业",
        "{child}还有哪些作业没写",
        "老师给{child}布置了啥[，{subject}方面]",
        "我下班晚，{child}的{subject}作业是什么",
        "{child}作业清单[，只看{subject}]",
        "先看看{child}[{subject}]作业做完没有再让他玩",
        "{child}这周要交的[{subject}]作业",
        "{subject}有没有给{child}留作业",
    ),
    outcomes=(
        Outcome(
            fields=(("page", Integer(3, 180)), ("exercises", Integer(1, 9))),
            texts=("page {page}, {exercises} exercises",),
            texts_zh=("第{page}页，{exercises}题",),
            answers=(
                "{child} has {exercises} exercises to do, on page {page}.",
                "Page {page}, {exercises} exercises.",
                "There are {exercises} exercises on page {page}.",
            ),
            answers_zh=(
                "{child}要做第{page}页的{exercises}道题。",
                "作业在第{page}页，共{exercises}题。",
                "还有{exercises}道题，第{page}页。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="child",
            asks=("What homework is there[ in {subject}]?", "is there any {subject} homework today"),
            replies=("For which child?", "Which child do you mean?"),
            asks_zh=("今天有什么作业", "{subject}作业是什么"),
            replies_zh=("请问是哪个孩子的？", "查谁的作业？"),
        ),
    ),
)

LUNCH = Family(
    key="school.lunch",
    names=("school_lunch_menu", "canteen_menu", "lunch_at_school", "cafeteria_today"),
    about=(
        "What the school canteen serves.",
        "Menu of the school canteen on a day.",
        "School lunches only, no restaurants.",
    ),
    about_zh=("查询学校食堂菜单。", "某天学校午餐吃什么。"),
    params=(
        Param(
            "day", Day(0, 9), ("date", "day", "menu_date"), ("Today if left out",), ("日期，默认今天",), required=False
        ),
        Param(
            "veggie", Flag(), ("vegetarian", "meatless"), ("True for the meatless one",), ("是否素食",), required=False
        ),
    ),
    asks=(
        "What's for lunch at school[ on {day}]?",
        "canteen menu[ {day}]",
        "Do the kids get something decent to eat at school {day}?",
        Ask("Is there a vegetarian dish at the school canteen[ {day}]? Which one?", {"veggie": True}),
        "Should I pack a lunch box, or is the school food any good[ {day}]?",
        "what are they cooking in the school kitchen[ {day}]",
        "My son won't eat fish. What does the canteen have {day}?",
        Ask("meatless meal at school {day}, what is it", {"veggie": True}),
    ),
    asks_zh=(
        "学校食堂[{day}]吃什么？",
        "{day}学校午餐有什么菜",
        "孩子们[{day}]在学校吃啥",
        Ask("学校食堂[{day}]有素菜吗，是什么", {"veggie": True}),
        "要不要带便当，[{day}]食堂菜怎么样",
        "食堂菜单[，{day}的]",
        "儿子不吃鱼，{day}学校供应什么",
        "看一下校餐[，{day}]",
        Ask("{day}学校的素食午餐是什么", {"veggie": True}),
        "中午学校给孩子做什么吃",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "dish",
                    Word(
                        pool("pasta with tomato sauce | vegetable curry | pancakes | rice and beans | potato soup"),
                        pool("番茄意面 | 蔬菜咖喱 | 西红柿鸡蛋面 | 土豆汤 | 豆腐盖饭"),
                    ),
                ),
            ),
            texts=("{dish}", "Menu: {dish}"),
            texts_zh=("菜单：{dish}",),
            answers=("There is {dish}.", "The canteen serves {dish}.", "Lunch is {dish}."),
            answers_zh=("食堂供应{dish}。", "吃{dish}。", "午餐是{dish}。"),
        ),
    ),
)

PICK_UP = Family(
    key="school.pickup",
    names=("allow_pickup", "authorize_pick_up", "school_pickup_permission", "register_collector"),
    about=(
        "Allow somebody to fetch a child from school.",
        "Registers who collects a child on a day, and at what time.",
        "Permission for pick-up at school or nursery. Orders no taxi.",
    ),
    about_zh=("授权他人接孩子。", "登记某天由谁来学校接孩子。"),
    params=(
        Param("child", CHILD, ("child", "child_name", "pupil"), ("Which child",), ("孩子",)),
        Param("person", Person(1.0), ("collected_by", "authorized_person", "adult"), ("Who fetches it",), ("接送人",)),
        Param("day", Day(0, 10), ("date", "on_day"), ("Which day",), ("日期",)),
        Param("time", Clock(11, 17), ("time", "pickup_time"), ("At what time",), ("时间",), required=False),
    ),
    asks=(
        "{person} will fetch {child} from school {day}[ at {time}].",
        "{child} gets picked up by {person} on {day}[, {time}], tell the school",
        "I'm stuck at work {day}, so {person} collects {child}[ at {time}].",
        "Please allow {person} to take {child} home on {day}.",
        "pickup {day}: {child} with {person}[, {time}]",
        "Not me but {person} is coming for {child} {day}. The nursery must know.",
        "Let the teachers know that {child} may leave with {person} on {day}[ at {time}].",
        "Can {person} pick {child} up {day}? Put that on the list at school.",
    ),
    asks_zh=(
        "{day}由{person}去学校接{child}[，{time}]",
        "跟老师说，{day}{person}来接{child}",
        "我{day}要加班，让{person}接{child}[，{time}到]",
        "授权{person}{day}接走{child}",
        "接送登记：{child}，{person}，{day}[，{time}]",
        "{day}不是我去，是{person}接{child}，幼儿园要知道",
        "{child}{day}跟{person}走[，{time}]，告诉学校",
        "给学校说一声，{person}{day}可以把{child}接回家",
        "{day}{time}{person}到校门口接{child}，登记一下",
        "麻烦登记：{day}来接{child}的人是{person}",
    ),
    outcomes=(
        Outcome(
            fields=(("code", Integer(1000, 9999)),),
            texts=("allowed, pick-up code {code}",),
            texts_zh=("已授权，接送码{code}",),
            answers=(
                "{person} may fetch {child}; the pick-up code is {code}.",
                "It's registered. {person} needs the code {code}.",
                "Done, code {code}.",
            ),
            answers_zh=(
                "已登记，{person}可以接{child}，接送码{code}。",
                "授权好了，接送码是{code}。",
                "学校知道了，凭{code}接人。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="person",
            asks=(
                "Somebody else will fetch {child} {day}, tell the school.",
                "I can't pick up {child} on {day}, register someone else",
            ),
            replies=("Who will pick {child} up?", "What is the name of the person who comes?"),
            asks_zh=("{day}别人来接{child}，登记一下", "我{day}接不了{child}，换个人，跟学校说"),
            replies_zh=("请问谁来接？", "接{child}的人叫什么？"),
        ),
        Missing(
            key="day",
            asks=("{person} is going to pick {child} up from school, register that.",),
            replies=("On which day?", "Which day will {person} come?"),
            asks_zh=("授权{person}接{child}",),
            replies_zh=("请问是哪天？", "{person}哪天去接？"),
        ),
    ),
)

SITTER = Family(
    key="school.babysitter",
    names=("find_babysitter", "search_sitters", "babysitter_search", "childcare_tonight"),
    about=(
        "Find a babysitter.",
        "Searches sitters in a city for an evening, by the number of children.",
        "People who look after children at home. Not for pets.",
    ),
    about_zh=("找临时保姆。", "按城市、日期和孩子人数查找看孩子的人。"),
    params=(
        Param("city", City(0.1), ("city", "where", "town"), ("Where",), ("城市",)),
        Param("day", Day(0, 20), ("date", "evening", "day"), ("Which day",), ("日期",)),
        Param(
            "kids",
            Integer(2, 5),
            ("children", "number_of_children", "kids"),
            ("How many children",),
            ("孩子人数",),
            False,
        ),
        Param(
            "pay",
            Amount(8, 30, ("{} dollars", "{} euros"), ("{}元", "{}块")),
            ("max_rate", "hourly_pay"),
            (),
            ("时薪",),
            False,
        ),
    ),
    asks=(
        "We want to go out on {day}. Who can mind the kids in {city}[ for {pay} an hour]?",
        "babysitter {city} {day}[, {kids} kids]",
        "I need somebody for my {kids} children on {day}, we live in {city}.",
        "It's our anniversary {day} and granny is ill. Find a sitter in {city}[, {kids} kids][, up to {pay} an hour].",
        "Is there anyone in {city} who looks after children on {day}[? We pay {pay} an hour]",
        "Looking for a sitter: {city}, {day}[, {kids} kids, {pay} an hour]",
        "who could stay with the little ones {day}? city is {city}",
        "Opera tickets for {day}, but no sitter! We're in {city}[ with {kids} kids].",
    ),
    asks_zh=(
        "{day}我们要出门，{city}有谁能帮忙看孩子[，每小时{pay}]",
        "找个临时保姆，{city}，{day}[，{kids}个孩子]",
        "{day}家里{kids}个娃没人带，我在{city}，找人看一下",
        "结婚纪念日{day}，奶奶又病了，在{city}帮我找个带娃的[，时薪{pay}以内]",
        "{city}{day}有钟点保姆吗[，{kids}个小孩]",
        "{day}晚上要听音乐会，孩子没人看，{city}有人吗",
        "求{city}的看娃阿姨，{day}",
        "想在{city}请人{day}照看孩子[，每小时{pay}]",
        "{city}，{day}，[{kids}个孩子，]谁能来带",
        "{day}爸妈都不在，{city}这边找个姐姐陪孩子",
    ),
    outcomes=(
        Outcome(
            fields=(("sitter", Person()), ("rate", Integer(9, 28))),
            texts=("{sitter}, {rate} per hour",),
            texts_zh=("{sitter}，每小时{rate}元",),
            answers=(
                "{sitter} is free and takes {rate} an hour.",
                "{sitter} could come, for {rate} an hour.",
                "I found {sitter} in {city}.",
            ),
            answers_zh=("{sitter}有空，每小时{rate}元。", "{city}的{sitter}可以来，时薪{rate}元。", "找到了{sitter}。"),
        ),
    ),
    missing=(
        Missing(
            key="day",
            asks=("Find me a babysitter in {city}.", "who looks after children in {city}"),
            replies=("For which day?", "When do you need the sitter?"),
            asks_zh=("在{city}找个看孩子的", "{city}有临时保姆吗"),
            replies_zh=("请问哪天需要？", "是哪一天？"),
        ),
        Missing(
            key="city",
            asks=("I need a babysitter on {day}.", "sitter for {kids} kids {day}"),
            replies=("In which city?", "Where do you live?"),
            asks_zh=("{day}找个人看孩子", "{day}要个临时保姆"),
            replies_zh=("请问在哪个城市？", "您在哪儿？"),
        ),
    ),
)

DOMAIN = Domain(
    "school_family",
    (SICK_NOTE, HOMEWORK, LUNCH, PICK_UP, SITTER, SAVE_BIRTHDAY, UPCOMING, GIFT, POCKET_MONEY),
    unserved=(
        ("Solve exercise five for my son.", "帮我儿子把第五题做了。"),
        ("Which school in town is the best?", "城里哪所学校最好？"),
        ("Read the children a bedtime story.", "给孩子们讲个睡前故事。"),
        ("Enrol Mia in first grade.", "给朵朵报名上一年级。"),
        ("Send the teacher a bunch of flowers.", "给老师送一束花。"),
        ("How do I get a toddler to sleep?", "怎么哄两岁的孩子睡觉？"),
        ("Bake a birthday cake with blue icing.", "烤一个蓝色糖霜的生日蛋糕。"),
        ("Change the baby's nappy.", "给宝宝换尿布。"),
        ("Draw our family tree.", "画一张我们家的家谱。"),
        ("Block video games on the tablet after eight.", "八点以后禁止平板玩游戏。"),
        ("What grade did Leo get in the last test?", "浩浩上次考试多少分？"),
        ("Find a private tutor for physics.", "找个物理家教。"),
        ("Settle the quarrel between my two daughters.", "帮我调解两个女儿的争吵。"),
    ),
)
