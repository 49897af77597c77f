"""The desk of a clinic: patients who arrive, files, waiting lists, beds, and calls to the waiting room."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, Word
from training.data.times import Day, Duration
from training.data.wordings import pool
from training.data.world import Person, Phone

PATIENT = Person(1.0)
WARD = Choice(
    {
        "surgery": (("surgery",), ("外科",)),
        "cardiology": (("cardiology",), ("心内科", "心脏科")),
        "children": (("paediatrics", "the children's ward"), ("儿科",)),
        "maternity": (("maternity",), ("产科",)),
        "orthopaedics": (("orthopaedics",), ("骨科",)),
        "eye": (("the eye clinic",), ("眼科",)),
    }
)
INSURER = Word(
    pool(
        """Helvia | CarePlus | NordicHealth | Union Mutual | BlueShell | Sanara | FirstAid Life | Medica Nova
        Alpina Care | City Fund"""
    ),
    pool("平安健康 | 城镇医保 | 安心保 | 康宁保险 | 新农合 | 泰和健康 | 商业医保 | 职工医保 | 长青保险 | 仁爱健康"),
)

NEW_FILE = Family(
    key="clinic_desk.register",
    names=("register_patient", "open_patient_file", "create_patient_record", "new_patient"),
    about=(
        "Open a file for a new patient.",
        "Registers a patient with day of birth, insurer and telephone.",
        "For patients who were never here. It books no appointment.",
    ),
    about_zh=("新患者建档。", "登记患者的出生日期、保险和电话，不预约。"),
    params=(
        Param("patient", PATIENT, ("patient_name", "name", "full_name"), ("Name of the patient",), ("患者姓名",)),
        Param(
            "born", Day(-30000, -400, False), ("date_of_birth", "birth_date", "dob"), ("Day of birth",), ("出生日期",)
        ),
        Param("insurer", INSURER, ("insurer", "insurance"), ("Health insurance",), ("保险",), False),
        Param("phone", Phone(), ("phone", "telephone"), ("Telephone",), ("电话",), False),
    ),
    asks=(
        "Register a new patient: {patient}, born {born}[, insured with {insurer}].",
        "{patient}, date of birth {born}[, {insurer}][, phone {phone}], open a file",
        "somebody who has never been here: {patient}, born on {born}[, number {phone}]",
        "new file for {patient}, {born}[, insurance {insurer}]",
        "I'm new at your practice. My name is {patient}, I was born on {born}[ and I'm with {insurer}].",
        "create a record, {patient}, dob {born}[, tel {phone}]",
        "first visit: {patient}, birthday {born}",
        "please take down {patient}, born {born}[, insurer {insurer}]",
    ),
    asks_zh=(
        "给{patient}建档，{born}出生[，{insurer}]",
        "新患者{patient}，生日{born}[，电话{phone}]",
        "第一次来的病人，{patient}，出生日期{born}[，保险是{insurer}]",
        "登记：{patient}，{born}生",
        "我第一次来看病，叫{patient}，{born}出生的[，{insurer}]",
        "开个新病历，{patient}，{born}[，手机{phone}]",
        "患者建卡，姓名{patient}，出生{born}",
        "录入新病人{patient}，{born}生[，参保{insurer}]",
        "{patient}要办就诊卡，{born}出生[，联系电话{phone}]",
        "初诊：{patient}，{born}",
    ),
    outcomes=(
        Outcome(
            fields=(("file_number", Code(("P-99999", "999999"))),),
            texts=("file {file_number}",),
            texts_zh=("病历号{file_number}",),
            answers=(
                "{patient} is registered; the file is {file_number}.",
                "Done, file number {file_number}.",
                "A file for {patient} is open.",
            ),
            answers_zh=("{patient}已建档，病历号{file_number}。", "办好了，{file_number}。", "{patient}的病历已建立。"),
        ),
    ),
    missing=(
        Missing(
            "born",
            ("Open a file for {patient}.", "{patient} is new here, {insurer}"),
            ("When was {patient} born?", "What is the date of birth?"),
            ("给{patient}建档", "新患者{patient}登记一下"),
            ("请问出生日期是？", "{patient}是哪天出生的？"),
        ),
    ),
)

ARRIVED = Family(
    key="clinic_desk.arrival",
    names=("check_in_patient", "mark_arrived", "patient_arrival", "put_in_waiting_room"),
    about=(
        "Note that a patient has arrived.",
        "Puts a patient into the queue of the waiting room.",
        "For patients with an appointment today.",
    ),
    about_zh=("患者签到。", "登记已预约患者到诊，进入候诊。"),
    params=(
        Param("patient", PATIENT, ("patient", "patient_name"), ("Who is here",), ("患者",)),
        Param("urgent", Flag(), ("urgent", "emergency"), ("Must be seen first",), ("是否急诊",), False),
    ),
    asks=(
        "Our patient {patient} has arrived.",
        "check in {patient}, patient with an appointment",
        Ask("{patient} is here with strong pain, urgent", {"urgent": True}),
        "put {patient} on the list for the waiting room",
        "{patient} sits in the waiting room now",
        Ask("patient {patient} came in, it's not urgent", {"urgent": False}),
        "tell the doctor that {patient} is here",
        "I'm {patient} and I have an appointment today, I'm at the desk",
    ),
    asks_zh=(
        "病人{patient}到了",
        "给{patient}签到",
        Ask("{patient}疼得厉害，急诊，先登记", {"urgent": True}),
        "{patient}在候诊室了",
        "我是{patient}，预约了今天，来报到",
        Ask("患者{patient}来了，不急", {"urgent": False}),
        "告诉医生{patient}已经到了",
        "{patient}候诊排队",
        "病人{patient}到诊，登记",
        "{patient}来看病，报到",
    ),
    outcomes=(
        Outcome(
            fields=(("place_in_queue", Integer(1, 18)), ("wait_minutes", Integer(5, 90))),
            texts=("place {place_in_queue}, about {wait_minutes} min",),
            texts_zh=("第{place_in_queue}位，约{wait_minutes}分钟",),
            answers=(
                "{patient} is number {place_in_queue}; it takes about {wait_minutes} minutes.",
                "Checked in, {wait_minutes} minutes to wait.",
                "{patient} is on the list.",
            ),
            answers_zh=(
                "{patient}排第{place_in_queue}位，约等{wait_minutes}分钟。",
                "已签到，大概等{wait_minutes}分钟。",
                "{patient}已进入候诊。",
            ),
        ),
    ),
    missing=(
        Missing(
            "patient",
            ("A patient has arrived.", "I have an appointment, I'm here"),
            ("What is the name, please?", "Who has arrived?"),
            ("来了个病人，签到", "我来报到"),
            ("请问您叫什么名字？", "患者姓名是？"),
        ),
    ),
)

WAITING_LIST = Family(
    key="clinic_desk.waiting_list",
    names=("add_to_waiting_list", "join_waiting_list", "queue_for_treatment", "waitlist_patient"),
    about=(
        "Put a patient on a waiting list.",
        "Waiting list of a department, for the next free place.",
        "No fixed date is booked.",
    ),
    about_zh=("把患者加入等候名单。", "某科室有空位时通知，不约定日期。"),
    params=(
        Param("patient", PATIENT, ("patient", "patient_name"), ("Who waits",), ("患者",)),
        Param("ward", WARD, ("department", "ward", "unit"), ("Which department",), ("科室",)),
        Param(
            "notice",
            Duration("days", (1, 2, 3, 5, 7, 14)),
            ("notice_days", "needs_notice"),
            ("How long before they must know",),
            ("需提前通知",),
            False,
        ),
    ),
    asks=(
        "Put {patient} on the waiting list of {ward}.",
        "{patient} waits for a place in {ward}[, tell them {notice} before]",
        "waiting list {ward}: {patient}",
        "no free date in {ward}, so {patient} has to wait for one. Add them.",
        "if somebody cancels in {ward}, {patient} would like the place[ with a notice of {notice}]",
        "add {patient} to those who wait for {ward}",
        "{patient}, {ward}, list of people waiting[, notice of {notice}]",
        "can {patient} move up when something gets free in {ward}? note it down",
    ),
    asks_zh=(
        "把{patient}加到{ward}的等候名单",
        "{patient}等{ward}的空位[，提前{notice}通知]",
        "{ward}排队名单：{patient}",
        "{ward}没号了，{patient}先排着",
        "{ward}有人取消的话给{patient}[，要提前{notice}说]",
        "{patient}候补{ward}",
        "登记候补，{patient}，{ward}",
        "{ward}一有位就通知{patient}，记一下",
        "给{patient}排{ward}的候补[，{notice}前通知]",
        "{patient}想等{ward}，加进去",
    ),
    outcomes=(
        Outcome(
            fields=(("place", Integer(1, 60)),),
            texts=("place {place}",),
            texts_zh=("第{place}位",),
            answers=("{patient} is number {place} on the list.", "Added at place {place}.", "Done for {patient}."),
            answers_zh=("{patient}排在第{place}位。", "已加入，第{place}位。", "{patient}已登记候补。"),
        ),
    ),
    missing=(
        Missing(
            "ward",
            ("Put {patient} on a waiting list.", "{patient} would like to wait for a free place"),
            ("For which department?", "Which department?"),
            ("给{patient}排候补", "{patient}要等空位"),
            ("请问是哪个科室？", "等哪个科？"),
        ),
    ),
)

BEDS = Family(
    key="clinic_desk.beds",
    names=("free_beds", "bed_availability", "ward_occupancy", "count_free_beds"),
    about=("Free beds in a ward.", "How many beds of a department are free.", "Beds of this clinic only."),
    about_zh=("查询空床位。", "返回某科室的空床数。"),
    params=(Param("ward", WARD, ("ward", "department"), ("Which ward",), ("科室",)),),
    asks=(
        "How many beds are free in {ward}?",
        "{ward} beds",
        "is there room for one more in {ward}",
        "The ambulance is on its way. Can {ward} take somebody?",
        "Is {ward} full?",
        "can we admit a patient to {ward} tonight",
        "free beds, {ward}",
        "how packed is {ward} at the moment",
    ),
    asks_zh=(
        "{ward}还有几张空床？",
        "{ward}床位",
        "{ward}还能收人吗",
        "救护车在路上，{ward}有床没有",
        "{ward}满了吗？",
        "今晚{ward}能住院吗，看看床位",
        "{ward}空床数",
        "{ward}现在挤不挤，剩几张床",
        "再来一个病人，{ward}放得下吗",
        "查{ward}的床位",
    ),
    outcomes=(
        Outcome(
            fields=(("free", Integer(1, 14)), ("total", Integer(16, 60))),
            texts=("{free} of {total} free",),
            texts_zh=("共{total}张，空{free}张",),
            answers=("{free} of {total} beds are free.", "There are {free} free beds.", "{free} are free."),
            answers_zh=("{total}张床里空{free}张。", "还有{free}张空床。", "空{free}张。"),
        ),
        Outcome(
            fields=(("free", Integer(0, 0)),),
            texts=("full",),
            texts_zh=("已满",),
            answers=("No bed is free.", "It is full."),
            answers_zh=("没有空床了。", "床位已满。"),
        ),
    ),
    missing=(
        Missing(
            "ward",
            ("Is there a free bed?", "how many beds do we have left"),
            ("In which ward?", "Which department?"),
            ("还有空床吗？", "床位还剩多少"),
            ("请问是哪个科室？", "查哪个科？"),
        ),
    ),
)

CALL = Family(
    key="clinic_desk.call",
    names=("call_next_patient", "next_please", "call_to_room", "summon_patient"),
    about=(
        "Call the next patient into a room.",
        "Shows a room on the screen of the waiting room.",
        "Calls whoever is next.",
    ),
    about_zh=("叫下一位患者。", "在候诊屏上叫号到某诊室。"),
    params=(
        Param(
            "room",
            Code(("9", "19", "A9", "B9")),
            ("room", "room_number", "consulting_room"),
            ("Which room",),
            ("诊室",),
        ),
    ),
    asks=(
        "Next patient to room {room}, please.",
        "call the next one into {room}",
        "room {room} is free, who's next?",
        "Dr Lee is ready in room {room}, send somebody in",
        "next! {room}",
        "we are done in {room}, the next may come",
        "show room {room} on the screen for the next patient",
        "let the next person come to {room}",
    ),
    asks_zh=(
        "下一位请到{room}诊室",
        "{room}诊室叫号",
        "{room}空了，叫下一个",
        "医生在{room}准备好了，请下一位进来",
        "下一个，{room}",
        "{room}诊室看完了，下一位",
        "屏幕上叫下一位去{room}",
        "叫号：{room}",
        "让后面的病人来{room}诊室",
        "{room}可以进人了",
    ),
    outcomes=(
        Outcome(
            fields=(("patient", Person(1.0)), ("still_waiting", Integer(0, 20))),
            texts=("{patient} called, {still_waiting} waiting",),
            texts_zh=("已叫{patient}，还有{still_waiting}人",),
            answers=(
                "{patient} is called to room {room}.",
                "{patient} comes next; {still_waiting} are still waiting.",
                "Called: {patient}.",
            ),
            answers_zh=(
                "已请{patient}到{room}诊室。",
                "叫了{patient}，还有{still_waiting}人在等。",
                "下一位是{patient}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "room",
            ("Call the next patient.", "who's next? send them in"),
            ("Into which room?", "Which room is free?"),
            ("叫下一位", "请下一个病人进来"),
            ("请问到哪个诊室？", "几号诊室？"),
        ),
    ),
)

DOMAIN = Domain(
    "clinic_desk",
    (NEW_FILE, ARRIVED, WAITING_LIST, BEDS, CALL),
    unserved=(
        ("Prescribe me something against fever.", "给我开点退烧药。"),
        ("What does my blood test mean?", "我的验血报告是什么意思？"),
        ("Order new masks.", "订一批新口罩。"),
        ("Which doctor speaks Turkish?", "哪位医生会说土耳其语？"),
        ("Send the bill to my insurer.", "把账单寄给我的保险公司。"),
        ("Clean treatment room two.", "打扫二号治疗室。"),
        ("How many patients did we treat last year?", "去年看了多少病人？"),
        ("Write me a sick note.", "给我开张病假条。"),
        ("Repair the X-ray machine.", "修一下X光机。"),
        ("Where can I park at the hospital?", "医院哪里能停车？"),
        ("Delete my patient file.", "把我的病历删掉。"),
        ("Find a flat for the new nurse.", "给新护士找个房子。"),
    ),
)
