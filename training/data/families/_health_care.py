"""Tools for medicine and doctors."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, ListOf, Word
from training.data.times import Clock, Day, Duration, Moment
from training.data.world import Person

from ._health_words import DOSE, MEDICINE, SPECIALIST, SYMPTOM

MEDICINE_PLAN = Family(
    key="food_health.medicine_plan",
    names=("add_medication", "schedule_medicine", "medication_reminder", "create_pill_plan", "set_medicine_times"),
    about=(
        "Plan a medicine: what, how much, and at which times of the day.",
        "Reminds somebody to take a medicine every day at given times.",
        "Medication schedule",
    ),
    about_zh=("添加用药计划。", "设置每天服药的时间、剂量和疗程。"),
    params=(
        Param("medicine", MEDICINE, ("medicine", "medication", "drug", "name"), ("Its name",), ("药名",)),
        Param("dose", DOSE, ("dose", "dosage"), ("How much, as on the box",), ("剂量，如 2片",)),
        Param("times", ListOf(Clock(6, 22), 1, 3), ("times", "times_of_day"), ("When",), ("服药时间",)),
        Param(
            "days",
            Duration("days", (3, 5, 7, 10, 14, 21, 30)),
            ("days", "for_days", "course_days"),
            ("For how many days",),
            ("疗程",),
            required=False,
        ),
        Param("food", Flag(), ("with_food", "with_meal"), ("To be taken with food",), ("是否随餐",), required=False),
    ),
    asks=(
        "Remind me to take {dose} of {medicine} every day at {times}[ for {days}].",
        "{medicine}, {dose}, at {times}[, {days}]",
        "The doctor gave me {medicine}: {dose} at {times}[ for {days}]. Set that up please.",
        Ask("add {medicine} {dose} at {times}, with food", {"food": True}),
        "I have to take {medicine} now, always at {times}, {dose} each time[, for {days}]",
        "put {dose} of {medicine} into my pill plan for {times} daily",
        "My mum needs {dose} of {medicine} at {times}, can you keep track of it?",
        Ask(
            "{dose} of {medicine} on an empty stomach at {times}[ for {days}], add it to my medication", {"food": False}
        ),
        "new prescription! {medicine}, {dose} a time, times are {times}[, to be taken for {days}]",
        "Every day at {times} it's {dose} of {medicine} for me[, over {days}]. I keep forgetting, so help me.",
        "i always mix up my pills. {medicine} is {dose} at {times}[, {days} long], keep an eye on it",
        "From now on {dose} of {medicine} daily, at {times}[, for {days}].",
    ),
    asks_zh=(
        "提醒我每天{times}吃{medicine}，每次{dose}[，吃{days}]",
        "添加用药：{medicine}，{dose}，{times}",
        "医生给我开了{medicine}，每天{times}吃{dose}[，连吃{days}]，设一下",
        Ask("{medicine}每次{dose}，{times}随餐服用，加到用药计划", {"food": True}),
        "我妈每天{times}要吃{dose}{medicine}，帮忙记着",
        Ask("{medicine}空腹吃，{times}各{dose}[，疗程{days}]", {"food": False}),
        "老忘吃药，{medicine}，每天{times}，一次{dose}，帮我安排上",
        "新开的药{medicine}，{times}各吃{dose}[，一共{days}]",
        "从今天起每天{times}吃{medicine}，{dose}[，吃{days}]",
        "总记混药，{medicine}是{times}吃，每次{dose}，帮我盯着",
    ),
    outcomes=(
        Outcome(
            fields=(("plan_id", Code(("M-999", "MED999"))),),
            texts=("plan {plan_id} saved",),
            texts_zh=("计划{plan_id}已保存",),
            answers=(
                "{medicine} is in your plan now, number {plan_id}.",
                "Your plan for {medicine} is saved as {plan_id}.",
                "Done: {dose} of {medicine} at {times}.",
            ),
            answers_zh=(
                "已加入用药计划：{medicine}，{dose}，编号{plan_id}。",
                "{medicine}的用药计划已保存，编号{plan_id}。",
                "设好了，每天{times}吃{medicine}，每次{dose}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="dose",
            asks=("Remind me to take {medicine} at {times}.", "{medicine} every day at {times} please"),
            replies=("How much should you take each time?", "What is the dose of {medicine}?"),
            asks_zh=("提醒我每天{times}吃{medicine}", "{times}吃{medicine}，加到用药计划"),
            replies_zh=("请问每次吃多少？", "{medicine}的剂量是多少？"),
        ),
        Missing(
            key="times",
            asks=("Add {medicine}, {dose}, to my medication.", "I have to take {dose} of {medicine} every day"),
            replies=("At what times of the day?", "When do you take it?"),
            asks_zh=("把{medicine}加到用药计划，每次{dose}", "我每天要吃{dose}{medicine}"),
            replies_zh=("请问每天几点吃？", "什么时间服药？"),
        ),
    ),
    also=(
        "reminders.at",
        "calendar.repeat",
    ),
)

BOOK_DOCTOR = Family(
    key="food_health.book_doctor",
    names=("book_doctor", "doctor_appointment", "schedule_consultation", "book_medical_visit", "request_checkup"),
    about=(
        "Book an appointment with a doctor.",
        "Makes an appointment with a kind of doctor at a day and time.",
        "Doctor's appointments. To give one up, there is another tool.",
    ),
    about_zh=("预约医生。", "按科室和时间挂号预约，不用于取消预约。"),
    params=(
        Param("who", SPECIALIST, ("specialty", "doctor_type", "specialist"), ("Kind of doctor",), ("科室",)),
        Param("when", Moment(Day(1, 30), Clock(8, 17)), ("when", "datetime", "slot"), ("Day and time",), ("就诊时间",)),
        Param("reason", SYMPTOM, ("reason", "complaint"), ("Why",), ("就诊原因",), required=False),
        Param("patient", Person(), ("patient", "patient_name"), ("If not the user",), ("患者姓名",), required=False),
        Param("video", Flag(), ("video", "online"), ("By video call",), ("是否视频问诊",), required=False),
    ),
    asks=(
        "Book me an appointment with the {who} {when}[, because of {reason}].",
        "{who}, {when}[, patient {patient}]",
        "I need to see the {who}[ about {reason}]. Would {when} work?",
        Ask("can I talk to the {who} by video {when}[? it's about {reason}]", {"video": True}),
        "get {patient} in with the {who} {when}",
        "My {reason} isn't getting any better, I want the {who} to look at it {when}.",
        "please arrange a visit to the {who} {when}[ for {patient}]",
        Ask("online appointment with the {who}, {when}[, reason: {reason}]", {"video": True}),
        "time for a check-up: {who}, {when}",
        "could you make an appointment at the {who} for {patient}, {when}[? {patient} complains of {reason}]",
        "{reason} is driving me crazy, get me to the {who} {when}",
        "Is the {who} free {when}? If so, put me down[, it's about {reason}].",
    ),
    asks_zh=(
        "帮我约{when}的{who}[，因为{reason}]",
        "挂个{who}的号，{when}[，就诊人{patient}]",
        "我{reason}一直不好，想{when}看{who}",
        Ask("{when}想视频问诊{who}[，{reason}]", {"video": True}),
        "给{patient}预约{who}，{when}",
        "{when}有{who}的号吗，帮我约上",
        Ask("线上约一个{who}医生，{when}[，原因是{reason}]", {"video": True}),
        "该体检了，预约{when}的{who}",
        "{patient}{reason}，给挂个{who}，{when}",
        "{reason}快把我逼疯了，{when}给我挂{who}",
        "{when}{who}还有号的话给我留一个[，{reason}]",
    ),
    outcomes=(
        Outcome(
            fields=(("doctor", Person(1.0)), ("reference", Code(("APT-9999", "D99999", "AA9999")))),
            texts=("booked with {doctor}, reference {reference}",),
            texts_zh=("预约成功：{doctor}，编号{reference}",),
            answers=(
                "{doctor} expects you. Keep the reference {reference}.",
                "Your appointment is with {doctor}; the reference is {reference}.",
                "Booked: {doctor}, {when}. Reference {reference}.",
            ),
            answers_zh=(
                "预约成功，{doctor}医生，请记住预约号{reference}。",
                "已预约{doctor}医生，预约号{reference}。",
                "约好了，{when}，{doctor}医生。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="when",
            asks=("Book me an appointment with the {who}.", "I need the {who} because of {reason}"),
            replies=("Which day and time would suit you?", "When would you like to go?"),
            asks_zh=("帮我约个{who}", "我{reason}，想看{who}"),
            replies_zh=("请问想约什么时间？", "哪天几点方便？"),
        ),
        Missing(
            key="who",
            asks=("Book me a doctor's appointment {when}.", "I want to see a doctor {when}"),
            replies=("Which kind of doctor do you need?", "What specialty should it be?"),
            asks_zh=("帮我约{when}的医生", "{when}想看医生"),
            replies_zh=("请问要看哪个科？", "预约哪个科室？"),
        ),
    ),
    errors=("no free slot at that time",),
    also=("calendar.create",),
)

CANCEL_DOCTOR = Family(
    key="food_health.cancel_doctor",
    names=("cancel_doctor_appointment", "drop_medical_visit", "cancel_consultation", "release_appointment"),
    about=(
        "Cancel a doctor's appointment by its reference.",
        "Gives up a medical appointment. It can't book or move one.",
        "Cancels a visit at the doctor",
    ),
    about_zh=("取消医生预约。", "按预约号取消就诊，不能新约或改期。"),
    params=(
        Param(
            "reference",
            Code(("APT-9999", "D99999", "AA9999", "999-999", "AA-99-9999")),
            ("reference", "appointment_id", "booking_code"),
            ("Reference of the appointment",),
            ("预约号",),
        ),
        Param(
            "reason",
            Choice(
                {
                    "recovered": (("I'm feeling fine again", "I'm healthy again"), ("已经好了", "病好了")),
                    "travel": (("I'll be travelling", "I'm out of town"), ("要出差", "要出远门")),
                    "conflict": (("I have to work", "something else came up"), ("临时有事", "要上班")),
                }
            ),
            ("reason", "cancel_reason"),
            (),
            (),
            required=False,
        ),
    ),
    asks=(
        "Cancel my doctor's appointment {reference}[, {reason}].",
        "I can't make it to {reference}, please take me off the doctor's list[; {reason}]",
        "cancel {reference} at the clinic",
        "Please call off the visit with the number {reference}[ because {reason}].",
        "the appointment {reference} with my doctor is no longer needed[, {reason}]",
        "won't go to the doctor, ref {reference}[, {reason}]",
        "Could somebody else have my slot at the dentist? It's {reference}[, {reason}].",
        "{reference}: cancel this medical appointment",
        "hi, I booked a check-up ({reference}) but {reason}, so cancel it",
        "Give up the consultation {reference} for me, thanks.",
        "no need to see the doctor any more[, {reason}], it was {reference}",
        "Tell the practice that I'm not coming, my reference is {reference}[, {reason}].",
    ),
    asks_zh=(
        "取消预约{reference}[，我{reason}]",
        "预约号{reference}的门诊我去不了了，帮我退掉[，{reason}]",
        "把{reference}这个号退了",
        "我{reason}，取消看医生的预约，编号{reference}",
        "{reference}的就诊不需要了[，{reason}]",
        "麻烦取消体检预约，预约号是{reference}",
        "牙医那个号{reference}让给别人吧[，我{reason}]",
        "不去看医生了，预约编号{reference}，取消",
        "跟诊所说我不来了，预约号{reference}[，{reason}]",
        "不用看病了[，{reason}]，{reference}作废吧",
    ),
    outcomes=(
        Outcome(
            fields=(("fee", Word(("none", "15.00", "20.00", "25.00"), ("0元", "15元", "20元"))),),
            texts=("cancelled, fee: {fee}",),
            texts_zh=("已取消，费用：{fee}",),
            answers=(
                "Done, you don't have to go; the fee is {fee}.",
                "Appointment {reference} is cancelled. Fee: {fee}.",
                "{reference} has been cancelled.",
            ),
            answers_zh=(
                "取消成功，手续费{fee}。",
                "预约{reference}已取消，手续费：{fee}。",
                "{reference}已经帮您取消了。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="reference",
            asks=("Cancel my doctor's appointment.", "I can't go to the doctor, cancel it please"),
            replies=("What is the reference of the appointment?", "Which appointment? I need its number."),
            asks_zh=("取消我的看病预约", "我不去看医生了，帮我取消"),
            replies_zh=("请问预约号是多少？", "请提供预约编号。"),
        ),
    ),
    errors=("no such appointment", "too late to cancel"),
)
