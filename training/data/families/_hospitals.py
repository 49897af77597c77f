"""Hospitals and emergencies: waiting, visiting, emergency numbers, giving blood."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Word
from training.data.sums import Result
from training.data.times import Day
from training.data.world import Country, Person

HOSPITAL = Word(
    (
        *("St. Mary's Hospital", "City General", "Northside Clinic", "University Hospital", "Lakeview Medical Center"),
        *("Holy Cross Hospital", "Children's Hospital", "Riverside Clinic", "Westend Hospital", "Queen's Hospital"),
        *("Mountain View Hospital", "Harbour Clinic", "Green Valley Hospital"),
        *("Memorial Hospital", "Eastgate Infirmary"),
        *("Sunrise Clinic", "St. Luke's", "Central Hospital", "Oakwood Hospital", "Bayside Medical"),
    ),
    (
        *("市第一医院", "人民医院", "儿童医院", "中心医院", "大学附属医院", "湖滨医院", "城西医院"),
        *("妇幼保健院", "中医院"),
        *("仁爱医院", "协和医院", "市立医院", "康宁医院", "滨江医院", "北区医院", "红十字会医院"),
        *("同济医院", "南山医院"),
        *("东方医院", "军区总医院"),
    ),
)
WARD = Choice(
    {
        "maternity": (("maternity ward",), ("产科",)),
        "pediatrics": (("children's ward", "paediatric ward"), ("儿科",)),
        "surgery": (("surgical ward",), ("外科",)),
        "cardiology": (("cardiology ward", "heart ward"), ("心内科", "心脏科")),
        "oncology": (("oncology ward", "cancer ward"), ("肿瘤科",)),
        "intensive_care": (("intensive care unit", "ICU"), ("重症监护室", "ICU")),
        "orthopedics": (("orthopaedic ward",), ("骨科",)),
    },
    ({"intensive_care": "ICU", "pediatrics": "children"},),
)
BLOOD = Choice(
    {
        "A+": (("A positive", "A+"), ("A型阳性", "A+")),
        "A-": (("A negative", "A-"), ("A型阴性", "A-")),
        "B+": (("B positive", "B+"), ("B型阳性", "B+")),
        "B-": (("B negative", "B-"), ("B型阴性", "B-")),
        "AB+": (("AB positive", "AB+"), ("AB型阳性", "AB+")),
        "O+": (("O positive", "O+"), ("O型阳性", "O+")),
        "O-": (("O negative", "O-"), ("O型阴性", "O-")),
    },
)
SERVICE = Choice(
    {
        "police": (("police",), ("警察", "报警")),
        "ambulance": (("ambulance", "paramedics"), ("救护车", "急救")),
        "fire": (("fire brigade", "fire department"), ("消防", "消防队")),
        "poison": (("poison hotline", "poison control"), ("中毒热线", "中毒急救")),
        "mountain_rescue": (("mountain rescue",), ("山地救援",)),
        "coast_guard": (("coast guard",), ("海岸警卫队", "海上救援")),
    },
    ({"fire": "fire_brigade", "poison": "poison_control"},),
)

WAITING = Family(
    key="clinics.waiting",
    names=("emergency_room_wait", "er_waiting_time", "hospital_wait", "casualty_wait_time"),
    about=(
        "Waiting time in an emergency room.",
        "How long one waits at a hospital's casualty department now.",
        "ER wait.",
    ),
    about_zh=("查询医院急诊等候时间。", "某医院急诊现在要等多久。"),
    params=(
        Param("hospital", HOSPITAL, ("hospital", "hospital_name", "clinic"), ("Name of the hospital",), ("医院名称",)),
    ),
    asks=(
        "How long is the wait in the emergency room of {hospital}?",
        "ER at {hospital} busy?",
        "I cut my finger badly. How full is it at {hospital}?",
        "{hospital} waiting time",
        "would we be seen quickly at {hospital}, it's a twisted ankle",
        "is casualty at {hospital} packed right now",
        "how many hours would I sit at {hospital} before a doctor comes",
        "Before I drive there: emergency queue at {hospital}?",
        "Fell off the bike, wrist is blue. If we go to {hospital}, are we home before midnight?",
    ),
    asks_zh=(
        "{hospital}急诊要等多久？",
        "{hospital}急诊人多不多",
        "手指割破了，去{hospital}要排多长时间",
        "{hospital}现在急诊排队情况",
        "脚崴了，{hospital}能很快看上吗",
        "{hospital}急诊等候时间",
        "现在去{hospital}看急诊得坐几个钟头",
        "出发前问一下，{hospital}急诊挤吗",
        "孩子磕了头，{hospital}那边等得久吗",
        "帮我看看{hospital}急诊还要等多少人",
        "骑车摔了，手腕都青了，去{hospital}半夜前能看完吗",
    ),
    outcomes=(
        Outcome(
            fields=(("minutes", Result(5, 300, 0)), ("patients", Result(1, 60))),
            texts=("{minutes} minutes, {patients} patients waiting",),
            texts_zh=("{minutes}分钟，{patients}人等候",),
            answers=(
                "At {hospital} the wait is {minutes} minutes, with {patients} patients waiting.",
                "About {minutes} minutes.",
                "{patients} people are waiting; count on {minutes} minutes.",
            ),
            answers_zh=(
                "{hospital}急诊约等{minutes}分钟，前面{patients}人。",
                "大约{minutes}分钟。",
                "有{patients}人在等，约{minutes}分钟。",
            ),
        ),
    ),
    missing=(
        Missing(
            "hospital",
            ("How long is the wait in the ER?", "is the emergency room full"),
            ("Which hospital do you mean?", "At which hospital?"),
            ("急诊要等多久？", "急诊室人多吗"),
            ("请问是哪家医院？", "哪个医院的急诊？"),
        ),
    ),
)

VISITING = Family(
    key="clinics.visiting",
    names=("visiting_hours", "hospital_visiting_times", "ward_visiting_hours", "when_can_i_visit"),
    about=(
        "When patients may be visited.",
        "Visiting hours of a ward in a hospital.",
        "Times for visitors. Not the doctors' hours.",
    ),
    about_zh=("查询医院探视时间。", "某医院某病区的探视时段。"),
    params=(
        Param("hospital", HOSPITAL, ("hospital", "hospital_name"), ("Which hospital",), ("医院",)),
        Param("ward", WARD, ("ward", "department", "unit"), ("Which ward",), ("病区",)),
    ),
    asks=(
        "When can I visit somebody in the {ward} at {hospital}?",
        "visiting hours {hospital}, {ward}",
        "My sister lies in {hospital}, {ward}. When am I allowed in with flowers?",
        "until when do they let visitors into the {ward} of {hospital}",
        "{ward} {hospital} visitors from when?",
        "Dad had his operation. He's in the {ward} at {hospital}, can I see him in the evening?",
        "I'd like to drop by at {hospital} ({ward}), what are the times for guests",
        "at what time may one come to the {ward}, {hospital}?",
        "Grandpa is bored to death in the {ward} of {hospital}. When would they let me bring him cards?",
    ),
    asks_zh=(
        "{hospital}{ward}几点可以探视？",
        "探病时间，{hospital}，{ward}",
        "姐姐住在{hospital}{ward}，什么时候能去看她",
        "{ward}晚上让进吗？{hospital}的",
        "爸爸刚做完手术，在{hospital}的{ward}，探视到几点",
        "想带束花去{hospital}看人，{ward}，几点能进",
        "{hospital}的{ward}家属什么时间能进去",
        "查一下{hospital}{ward}的探视规定时间",
        "去{hospital}{ward}看病人，几点合适",
        "{ward}探视时段，医院是{hospital}",
        "爷爷在{hospital}{ward}闷坏了，几点让我进去陪他打牌",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("from", Word(("10:00", "11:30", "14:00", "15:00"))),
                ("until", Word(("17:30", "18:00", "19:30", "20:00"))),
            ),
            texts=("{from}-{until}",),
            texts_zh=("{from}至{until}",),
            answers=(
                "Visitors may come from {from} to {until}.",
                "The hours are {from} to {until}.",
                "Between {from} and {until}.",
            ),
            answers_zh=(
                "探视时间是{from}到{until}。",
                "{hospital}{ward}{from}至{until}可以探视。",
                "{from}到{until}之间。",
            ),
        ),
    ),
    missing=(
        Missing(
            "hospital",
            ("When are visiting hours in the {ward}?", "my aunt is in the {ward}, when can I come"),
            ("In which hospital?", "Which hospital is it?"),
            ("{ward}几点能探视？", "亲戚住{ward}，什么时候能去看"),
            ("请问是哪家医院？", "在哪个医院？"),
        ),
        Missing(
            "ward",
            ("When can I visit a friend at {hospital}?", "visiting times of {hospital}?"),
            ("Which ward is it?", "On which ward?"),
            ("{hospital}什么时候能探视？", "去{hospital}看朋友，几点能进"),
            ("请问是哪个科室？", "住在哪个病区？"),
        ),
    ),
    also=("eating.opening_hours",),
)

EMERGENCY_NUMBER = Family(
    key="clinics.emergency_number",
    names=("emergency_number", "local_emergency_call", "rescue_phone_number", "sos_number"),
    about=(
        "Emergency telephone number of a country.",
        "Which number reaches police, ambulance and so on.",
        "SOS numbers.",
    ),
    about_zh=("查询各国紧急电话。", "某国报警、急救等号码。"),
    params=(
        Param("country", Country(), ("country", "in_country", "region"), ("Which country",), ("国家",)),
        Param("service", SERVICE, ("service", "emergency_type", "kind"), ("Who is needed",), ("类型",)),
    ),
    asks=(
        "What's the number of the {service} in {country}?",
        "how do I call the {service} in {country}",
        "{country}: {service} phone number",
        "I'm travelling to {country}. What do I dial if I need the {service}?",
        "save me the {service} number for {country} please, I mean tell me what it is",
        "which digits for the {service}? we are in {country}",
        "In {country} now and something happened, how do we reach the {service}?",
        "{service} {country} dial what",
        "Just in case, before we fly to {country}: the {service}, what do I type into the phone?",
    ),
    asks_zh=(
        "{country}的{service}电话是多少？",
        "在{country}{service}打几号",
        "{country}，{service}，号码",
        "要去{country}旅游，万一需要{service}该拨什么号",
        "人在{country}出了点事，怎么联系{service}",
        "{service}电话，{country}那边的",
        "我们在{country}，找{service}打哪个电话",
        "查下{country}{service}的紧急号码",
        "出发去{country}前记一下{service}的电话，是多少来着",
        "{country}{service}热线几号",
        "保险起见，飞{country}前问一句，要叫{service}按哪几个键",
    ),
    outcomes=(
        Outcome(
            fields=(("number", Word(("110", "112", "113", "117", "118", "119", "144", "190", "911", "999"))),),
            texts=("{number}",),
            texts_zh=("{number}",),
            answers=("In {country} you dial {number}.", "The number is {number}.", "Call {number}."),
            answers_zh=("在{country}请拨{number}。", "号码是{number}。", "打{number}。"),
        ),
    ),
    missing=(
        Missing(
            "country",
            ("What number do I dial for the {service}?", "{service} number?"),
            ("In which country are you?", "For which country?"),
            ("{service}电话是多少？", "怎么打{service}的电话"),
            ("请问在哪个国家？", "是哪国的号码？"),
        ),
    ),
)

BLOOD_DRIVE = Family(
    key="clinics.give_blood",
    names=("book_blood_donation", "give_blood", "donate_blood_slot", "register_blood_donor"),
    about=("Make an appointment to give blood.", "Registers a blood donor for a day.", "Blood donation slot."),
    about_zh=("预约献血。", "登记献血者和日期。"),
    params=(
        Param("donor", Person(0.9), ("donor_name", "donor", "name"), ("Who gives blood",), ("献血者",)),
        Param("blood", BLOOD, ("blood_group", "blood_type"), ("Blood group",), ("血型",)),
        Param("day", Day(1, 40), ("date", "donation_date"), ("Day",), ("日期",)),
        Param("first", Flag(), ("first_time", "is_first_donation"), ("Never given before",), ("是否首次",), False),
    ),
    asks=(
        "{donor} wants to give blood on {day}, blood group {blood}.",
        "book a donation: {donor}, {blood}, {day}",
        "Sign up {donor} ({blood}) as a blood donor {day}.",
        Ask("For the first time {donor} would like to donate blood, {day}. Group {blood}.", {"first": True}),
        "they need {blood} badly, so put {donor} down for {day}",
        "blood donation {day} for {donor}, who is {blood}",
        Ask(
            "{donor} has never donated before, {blood}, please make an appointment {day} for giving blood",
            {"first": True},
        ),
        "slot for giving blood {day}? name {donor}, type {blood}",
        "{donor} isn't afraid of needles: {blood}, free {day}, let them have half a litre",
    ),
    asks_zh=(
        "{donor}想{day}去献血，血型{blood}。",
        "预约献血：{donor}，{blood}，{day}",
        "给{donor}报个名献血，{blood}，时间{day}",
        "听说血库缺{blood}，把{donor}约到{day}",
        Ask("{donor}第一次献血，{blood}，约{day}", {"first": True}),
        "{day}献血，{donor}，{blood}，登记一下",
        "{donor}，{blood}血，{day}有空献血，帮忙预约",
        Ask("从来没献过血，这次{donor}想试试，{blood}，{day}", {"first": True}),
        "帮{donor}约{day}的无偿献血，血型是{blood}",
        "献血登记，姓名{donor}，血型{blood}，日期{day}",
        "{donor}不怕打针，{blood}，{day}有空，去捐一袋血",
    ),
    outcomes=(
        Outcome(
            fields=(("slot", Word(("09:00", "10:30", "13:15", "16:40"))), ("place", HOSPITAL)),
            texts=("booked {slot} at {place}",),
            texts_zh=("已预约{slot}，{place}",),
            answers=(
                "{donor} is booked at {slot}, {place}.",
                "Done: {slot} at {place}.",
                "The appointment is at {slot} in {place}.",
            ),
            answers_zh=("{donor}约好了，{slot}在{place}。", "预约成功，{place}，{slot}。", "时间{slot}，地点{place}。"),
        ),
    ),
    missing=(
        Missing(
            "blood",
            ("{donor} wants to give blood {day}.", "book {donor} for a blood donation {day}"),
            ("What is the blood group?", "Which blood group does {donor} have?"),
            ("{donor}{day}想献血。", "给{donor}约{day}献血"),
            ("请问是什么血型？", "{donor}的血型是哪种？"),
        ),
    ),
)
