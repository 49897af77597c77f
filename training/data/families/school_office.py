"""A school's office: pupils who are absent, marks, substitutes, enrolment, notes to parents."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, Word
from training.data.times import Day
from training.data.wordings import composed, pool
from training.data.world import Person, Phone

CLASS = composed(
    ("{year}{letter}",),
    ("{year}（{number}）班", "{year}{number}班"),
    {"year": tuple(map(str, range(1, 13))), "letter": pool("a | b | c | d")},
    {
        "year": pool("一年级 | 二年级 | 三年级 | 四年级 | 五年级 | 初一 | 初二 | 高一 | 高二"),
        "number": pool("1 | 2 | 3 | 4 | 5 | 6"),
    },
)
SUBJECT = Word(
    pool(
        """maths | history | biology | music | physics | art | geography | chemistry | P.E. | Latin | economics
        drama | English"""
    ),
    pool("数学 | 历史 | 生物 | 音乐 | 物理 | 美术 | 地理 | 化学 | 体育 | 语文 | 英语 | 政治 | 信息技术"),
)
PUPIL = Person(1.0)

ABSENT = Family(
    key="school_office.absence",
    names=("record_absence", "report_pupil_absent", "log_absence", "mark_absent"),
    about=(
        "Record that a pupil is absent.",
        "Notes the absence of a pupil on a day, with the reason if known.",
        "Attendance of pupils. Leave of employees is another matter.",
    ),
    about_zh=("登记学生缺勤。", "记录某学生某天缺课及原因，不用于员工请假。"),
    params=(
        Param("pupil", PUPIL, ("student", "pupil", "child_name"), ("Who is absent",), ("学生",)),
        Param("day", Day(0, 6), ("date", "day", "absent_on"), ("Day of absence",), ("日期",)),
        Param(
            "reason",
            Choice(
                {
                    "illness": (("ill", "down with a cold"), ("生病", "感冒")),
                    "appointment": (("at the doctor's",), ("看医生", "去医院检查")),
                    "family": (("at a family event", "at a family wedding"), ("家里有事", "家庭活动")),
                    "unexcused": (("without any excuse", "playing truant"), ("无故旷课", "没请假")),
                }
            ),
            ("reason", "reason_code"),
            ("Why",),
            ("原因",),
            False,
        ),
    ),
    asks=(
        "{pupil} is not at school {day}[, {reason}].",
        "mark {pupil} absent {day}",
        "My child {pupil} can't come to school {day}[, {reason}].",
        "absence: {pupil}, {day}[, {reason}]",
        "{pupil}'s mother called, no school {day}[, {reason}]",
        "{pupil}'s seat stays empty {day}, please note it[ ({reason})]",
        "Please excuse {pupil} from school {day}.",
        "{pupil} missing {day}[, {reason}]",
    ),
    asks_zh=(
        "{pupil}{day}不来上学[，{reason}]",
        "登记{pupil}{day}缺勤",
        "我家孩子{pupil}{day}去不了学校[，{reason}]",
        "缺勤：{pupil}，{day}[，{reason}]",
        "{pupil}妈妈来电话，{day}不上课[，{reason}]",
        "{day}{pupil}到不了校，记一下[，{reason}]",
        "给{pupil}请{day}的假[，{reason}]",
        "{pupil}{day}缺课[，原因是{reason}]",
        "老师您好，{pupil}{day}请假一天",
        "{pupil}{day}不到校，记个缺勤",
    ),
    outcomes=(
        Outcome(
            fields=(("days_absent_this_year", Integer(1, 24)),),
            texts=("noted, {days_absent_this_year} days this year",),
            texts_zh=("已登记，本学年缺勤{days_absent_this_year}天",),
            answers=(
                "The absence of {pupil} is recorded.",
                "Noted; that makes {days_absent_this_year} days this year.",
                "{pupil} is marked absent.",
            ),
            answers_zh=("{pupil}缺勤已登记。", "记好了，本学年共{days_absent_this_year}天。", "已给{pupil}登记。"),
        ),
    ),
    missing=(
        Missing(
            "day",
            ("{pupil} won't come to school.", "report {pupil} absent, {reason}"),
            ("On which day?", "When is {pupil} absent?"),
            ("{pupil}来不了学校", "给{pupil}请个假，{reason}"),
            ("请问是哪一天？", "{pupil}哪天请假？"),
        ),
        Missing(
            "pupil",
            ("My son can't come to school {day}.", "a pupil is absent {day}"),
            ("What is the pupil's name?", "Who is absent?"),
            ("孩子{day}不去学校了", "{day}有学生请假"),
            ("请问学生叫什么名字？", "是哪位学生？"),
        ),
    ),
    also=("school.report_absence",),
)

MARK = Family(
    key="school_office.mark",
    names=("enter_grade", "record_mark", "add_score", "grade_entry"),
    about=(
        "Enter a mark for a pupil.",
        "Writes points in a subject into the grade book.",
        "Grade book; it writes only.",
    ),
    about_zh=("录入学生成绩。", "把某科分数记入成绩册。"),
    params=(
        Param("pupil", PUPIL, ("student", "pupil", "learner"), ("Who",), ("学生",)),
        Param("subject", SUBJECT, ("subject", "course"), ("School subject",), ("科目",)),
        Param("points", Integer(20, 100), ("points", "score", "mark"), ("Points out of 100",), ("分数，满分100",)),
        Param(
            "kind",
            Choice(
                {
                    "test": (("test", "exam"), ("考试", "测验")),
                    "homework": (("homework",), ("作业",)),
                    "oral": (("oral work",), ("口头表现", "口试")),
                }
            ),
            ("kind", "assessment"),
            ("What was marked",),
            ("类型",),
            False,
        ),
    ),
    asks=(
        "{pupil} got {points} points in {subject}[, {kind}].",
        "grade book: {pupil}, {subject}, {points}[ for the {kind}]",
        "enter {points} for {pupil} in {subject}",
        "I've marked {pupil}'s work in {subject}[ ({kind})]: {points} out of 100.",
        "{subject}, {pupil}: {points}[, it's {kind}]",
        "please write down {points} points for {pupil}, subject {subject}",
        "well done {pupil}! {points} in {subject}, put it in the book",
        "record {subject} score {points} for {pupil}[, {kind}]",
    ),
    asks_zh=(
        "{pupil}{subject}{points}分，录入[，{kind}]",
        "登成绩：{pupil}，{subject}，{points}分",
        "{pupil}的{subject}[{kind}]得了{points}分",
        "给{pupil}记{subject}{points}分[，是{kind}]",
        "{subject}卷子改完了，{pupil}{points}分，登一下",
        "成绩册里{pupil}{subject}填{points}",
        "把{pupil}的{subject}分数{points}录进去[，{kind}]",
        "{pupil}不错，{subject}考了{points}，记上",
        "{subject}：{pupil} {points}分",
        "录分，{pupil}，{subject}[{kind}]，{points}",
    ),
    outcomes=(
        Outcome(
            fields=(("average", Integer(40, 96)),),
            texts=("saved, average {average}",),
            texts_zh=("已录入，平均{average}分",),
            answers=(
                "{pupil} has {points} points in {subject} now.",
                "Entered; the average is {average}.",
                "Recorded for {pupil}.",
            ),
            answers_zh=("{pupil}{subject}{points}分已录入。", "录好了，平均分{average}。", "已记入成绩册。"),
        ),
    ),
    missing=(
        Missing(
            "points",
            ("Enter {pupil}'s mark in {subject}.", "grade for {pupil}, {subject}"),
            ("How many points?", "What did {pupil} get in {subject}?"),
            ("录入{pupil}的{subject}成绩", "给{pupil}登{subject}分"),
            ("请问是多少分？", "{pupil}得了几分？"),
        ),
        Missing(
            "subject",
            ("{pupil} got {points} points, enter that.", "put {points} down for {pupil}"),
            ("In which subject?", "For which subject?"),
            ("{pupil}得了{points}分，登一下", "给{pupil}记{points}分"),
            ("请问是哪一科？", "什么科目？"),
        ),
    ),
)

COVER = Family(
    key="school_office.substitute",
    names=("assign_substitute", "cover_lesson", "find_cover_teacher", "set_substitution"),
    about=(
        "Let a teacher stand in for another.",
        "Puts a substitute into a lesson of a class.",
        "Substitution plan; the timetable itself stays.",
    ),
    about_zh=("安排代课老师。", "为某班某节课指定代课教师。"),
    params=(
        Param("class", CLASS, ("class_name", "group", "school_class"), ("Which class",), ("班级",)),
        Param("teacher", Person(0.9), ("substitute", "teacher", "covered_by"), ("Who stands in",), ("代课老师",)),
        Param("day", Day(0, 10), ("date", "day"), ("Day of the lesson",), ("日期",)),
        Param(
            "lesson",
            Integer(1, 9),
            ("lesson", "period", "lesson_number"),
            ("Number of the lesson",),
            ("第几节",),
            False,
        ),
    ),
    asks=(
        "{teacher} covers class {class} {day}[ in lesson {lesson}].",
        "substitute for {class} on {day}: {teacher}[, lesson {lesson}]",
        "Class {class} has no teacher {day}[, lesson {lesson}]. Send {teacher}.",
        "{teacher} stands in for the sick colleague in {class} {day}",
        "{day}, {class}[, period {lesson}], {teacher} takes over",
        "put {teacher} down as cover for {class} on {day}",
        "can {teacher} look after {class} {day}[ during lesson {lesson}]? enter it in the plan",
        "cover plan: {class}, {teacher}, {day}",
    ),
    asks_zh=(
        "{day}{class}由{teacher}代课[，第{lesson}节]",
        "安排{teacher}{day}给{class}代课",
        "{class}{day}没老师，让{teacher}去[，第{lesson}节]",
        "代课：{class}，{day}，{teacher}",
        "{teacher}顶{class}在{day}的课[，第{lesson}节]",
        "原来的老师病了，{class}{day}请{teacher}上",
        "把{teacher}排进{day}{class}的代课表",
        "{day}[第{lesson}节]{class}找{teacher}看着",
        "{class}{day}换{teacher}来上课",
        "登记代课老师{teacher}，{class}，{day}",
    ),
    outcomes=(
        Outcome(
            fields=(("room", Code(("199", "A99", "B9"))),),
            texts=("entered, room {room}",),
            texts_zh=("已登记，教室{room}",),
            answers=(
                "{teacher} covers {class}, in room {room}.",
                "The plan is updated.",
                "Done: {teacher} takes {class}.",
            ),
            answers_zh=("{teacher}给{class}代课，教室{room}。", "代课表已更新。", "排好了，{teacher}上{class}。"),
        ),
    ),
    missing=(
        Missing(
            "teacher",
            ("Class {class} needs a substitute {day}.", "nobody teaches {class} {day}, arrange cover"),
            ("Who should stand in?", "Which teacher takes {class}?"),
            ("{class}{day}要代课", "{day}{class}没人上课，安排一下"),
            ("请问让哪位老师代课？", "谁去代课？"),
        ),
    ),
)

ENROL = Family(
    key="school_office.enrol",
    names=("enrol_pupil", "register_student", "admit_pupil", "new_student"),
    about=(
        "Enrol a new pupil.",
        "Registers a child for a class with a telephone number of the parents.",
        "Admission of pupils to the school.",
    ),
    about_zh=("新生入学登记。", "为孩子登记班级和家长电话。"),
    params=(
        Param("pupil", PUPIL, ("student_name", "name", "child"), ("Name of the child",), ("孩子姓名",)),
        Param("class", CLASS, ("class_name", "into_class", "grade"), ("Class to join",), ("班级",)),
        Param("phone", Phone(), ("parent_phone", "contact_number"), ("Number of the parents",), ("家长电话",), False),
        Param("bus", Flag(), ("needs_bus", "school_bus"), ("Comes by school bus",), ("是否坐校车",), False),
    ),
    asks=(
        "Enrol {pupil} in class {class}[, parents' number {phone}].",
        "new pupil: {pupil}, {class}[, {phone}]",
        "We have moved here and {pupil} should join {class}[. You can ring us at {phone}].",
        Ask("register {pupil} for {class}, comes by school bus", {"bus": True}),
        Ask("{pupil} joins {class} and does not need the bus", {"bus": False}),
        "admit {pupil} to {class}",
        "please take up {pupil} into class {class}[, phone {phone}]",
        "there's a new kid, {pupil}, goes to {class}",
    ),
    asks_zh=(
        "给{pupil}办入学，{class}[，家长电话{phone}]",
        "新生{pupil}，分到{class}",
        "我们刚搬来，{pupil}要上{class}[，电话{phone}]",
        Ask("登记{pupil}进{class}，坐校车", {"bus": True}),
        Ask("{pupil}入读{class}，不坐校车", {"bus": False}),
        "{pupil}转学过来，安排{class}[，联系{phone}]",
        "录入新学生：{pupil}，{class}",
        "把{pupil}加到{class}名册",
        "{class}新来一个学生，叫{pupil}[，家长手机{phone}]",
        "报名：{pupil}，{class}",
    ),
    outcomes=(
        Outcome(
            fields=(("number", Code(("S-9999", "2026999"))), ("class_size", Integer(15, 45))),
            texts=("enrolled as {number}, {class_size} in the class",),
            texts_zh=("学号{number}，全班{class_size}人",),
            answers=(
                "{pupil} is enrolled in {class}.",
                "Done, the number is {number}.",
                "{class} has {class_size} pupils now.",
            ),
            answers_zh=("{pupil}已入读{class}。", "办好了，学号{number}。", "{class}现有{class_size}人。"),
        ),
    ),
    missing=(
        Missing(
            "class",
            ("Enrol {pupil}.", "{pupil} is new at our school, number {phone}"),
            ("Into which class?", "Which class will {pupil} join?"),
            ("给{pupil}办入学", "新生{pupil}登记一下"),
            ("请问进哪个班？", "{pupil}上几班？"),
        ),
    ),
)

EXAMS = Family(
    key="school_office.exam_dates",
    names=("exam_calendar", "next_exam", "test_dates", "when_is_exam"),
    about=(
        "When a class writes its next exam.",
        "Date and room of the next exam of a class in a subject.",
        "Exam dates only.",
    ),
    about_zh=("查询班级考试时间。", "返回某班某科下次考试的日期和教室。"),
    params=(
        Param("class", CLASS, ("class_name", "group"), ("Which class",), ("班级",)),
        Param("subject", SUBJECT, ("subject", "course"), ("School subject",), ("科目",)),
    ),
    asks=(
        "When does {class} write the next {subject} exam?",
        "{class} {subject} exam date",
        "my daughter is in {class} and panics about {subject}, when is the test",
        "How many days does {class} have left to study for the {subject} exam?",
        "is there a {subject} test coming up in {class}",
        "which room is the {subject} exam of {class} in",
        "next test: {subject}, class {class}",
        "should {class} start revising {subject} already? look up the exam day",
    ),
    asks_zh=(
        "{class}什么时候考{subject}？",
        "{class}{subject}考试时间",
        "我女儿在{class}，{subject}哪天考",
        "{class}{subject}考试在哪个教室",
        "{subject}下次测验是几号，{class}的",
        "{class}最近有{subject}考试吗",
        "{class}还有几天考{subject}",
        "查一下{class}的{subject}考试安排",
        "孩子要复习{subject}了，{class}哪天考？",
        "考试日期：{class}，{subject}",
    ),
    outcomes=(
        Outcome(
            fields=(("date", Day(2, 40)), ("room", Code(("199", "A99", "B9")))),
            texts=("{date}, room {room}",),
            texts_zh=("{date}，{room}教室",),
            answers=(
                "{class} writes it on {date} in room {room}.",
                "The {subject} exam is on {date}.",
                "On {date}, room {room}.",
            ),
            answers_zh=("{class}{date}考，在{room}教室。", "{subject}考试是{date}。", "{date}，{room}教室。"),
        ),
    ),
    missing=(
        Missing(
            "subject",
            ("When is the next exam of {class}?", "{class}, next test, when"),
            ("In which subject?", "Which subject do you mean?"),
            ("{class}什么时候考试？", "{class}哪天测验"),
            ("请问是哪一科？", "问的是什么科目？"),
        ),
        Missing(
            "class",
            ("When is the {subject} exam?", "date of the next {subject} test"),
            ("Of which class?", "Which class is it?"),
            ("{subject}什么时候考？", "{subject}考试是哪天"),
            ("请问是哪个班？", "几班的？"),
        ),
    ),
)

DOMAIN = Domain(
    "school_office",
    (ABSENT, MARK, COVER, ENROL, EXAMS),
    unserved=(
        ("What is for lunch in the canteen?", "食堂今天吃什么？"),
        ("Write a letter of recommendation for me.", "帮我写封推荐信。"),
        ("Help me with my fractions.", "教教我分数怎么算。"),
        ("Book the gym for the concert.", "订体育馆开音乐会。"),
        ("Expel the bully.", "把那个霸凌的学生开除。"),
        ("Order new chairs for the classroom.", "给教室买新椅子。"),
        ("How many teachers do we have?", "我们有多少老师？"),
        ("Find the lost jacket of my son.", "找一下我儿子丢的外套。"),
        ("Print the certificates.", "把证书打印出来。"),
        ("Plan the ski trip.", "策划滑雪旅行。"),
        ("Ring the bell five minutes later.", "晚五分钟打铃。"),
        ("Which pupils are left-handed?", "哪些学生是左撇子？"),
    ),
)
