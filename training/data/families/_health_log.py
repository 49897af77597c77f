"""Tools for what a body does: workouts, symptoms and sleep."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Decimal, Flag, Integer, Word
from training.data.times import Day, Duration

from ._health_words import ACTIVITY, KILOMETRES, SYMPTOM

LOG_WORKOUT = Family(
    key="food_health.log_workout",
    names=("log_workout", "record_exercise", "add_training", "save_activity", "track_workout"),
    about=(
        "Record a workout that was done.",
        "Saves a training with its length, and its distance and day if known.",
        "Exercise log",
    ),
    about_zh=("记录一次运动。", "保存运动记录，包括时长、距离和日期。"),
    params=(
        Param(
            "activity", ACTIVITY, ("activity", "exercise", "sport", "workout_type"), ("Kind of sport",), ("运动项目",)
        ),
        Param("length", Duration(), ("duration", "duration_minutes", "minutes"), ("How long",), ("时长",)),
        Param("distance", KILOMETRES, ("distance_km", "kilometers"), ("In kilometres",), ("公里数",), required=False),
        Param("day", Day(-6, 0), ("date", "day", "done_on"), ("When it was",), ("日期",), required=False),
        Param("pulse", Integer(90, 185), ("heart_rate", "avg_pulse"), ("Mean pulse",), ("平均心率",), required=False),
    ),
    asks=(
        "Log {length} of {activity}[ on {day}].",
        "I did {activity} for {length}[, {distance} km]",
        "{activity}, {length}[, {distance} kilometers][, average pulse {pulse}]",
        "Add a workout: {activity}, {length}.",
        "I'm exhausted! {length} of {activity}[ with a heart rate of {pulse}]. Save it.",
        "put down {length} {activity}[ for {day}]",
        "My {activity} session[ on {day}] took {length}[ and I made {distance} km], please record it.",
        "just back from {activity}, it was {length}",
        "could you note that I spent {length} on {activity}[ on {day}]?",
        "track {activity}: {length}[, {distance} km][, pulse {pulse}]",
        "sweaty but happy: {activity}, {length}[, {distance} km]. for the training diary",
        "Coach will ask, so enter {length} of {activity}[ on {day}][, pulse {pulse}].",
    ),
    asks_zh=(
        "记录{activity}{length}",
        "我[{day}]的运动是{activity}，{length}[，{distance}公里]，记一下",
        "{activity}，{length}[，平均心率{pulse}]",
        "累死了，刚练完{activity}，{length}[，心率{pulse}]，存一下",
        "添加运动：{activity}，{length}[，{distance}公里]",
        "{day}做了{length}的{activity}，补记上",
        "刚结束{activity}，用了{length}[，{distance}公里]，打个卡",
        "把{length}的{activity}记到运动日志[，日期{day}]",
        "教练要看的，登记{activity}{length}[，心率{pulse}]",
        "出了一身汗，{activity}{length}，写进训练日志",
    ),
    outcomes=(
        Outcome(
            fields=(("kcal", Integer(40, 1400)),),
            texts=("saved: {kcal} kcal burned",),
            texts_zh=("已保存：消耗{kcal}千卡",),
            answers=(
                "Well done! {kcal} kcal, and it's in your log.",
                "Your {activity} is saved: {kcal} kcal burned.",
                "Saved, {kcal} kcal.",
            ),
            answers_zh=(
                "辛苦了，这次{activity}消耗了{kcal}千卡。",
                "{activity}已记录，消耗{kcal}千卡。",
                "存好了，一共消耗{kcal}千卡。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="length",
            asks=("Log my {activity}.", "I did some {activity}, save it"),
            replies=("How long did you train?", "How many minutes was it?"),
            asks_zh=("记录一次{activity}", "刚练完{activity}，记一下"),
            replies_zh=("请问练了多长时间？", "一共练了多久？"),
        ),
        Missing(
            key="activity",
            asks=("Log a workout of {length}.", "I trained for {length}, note it"),
            replies=("What kind of workout was it?", "Which sport did you do?"),
            asks_zh=("记录{length}的运动", "我锻炼了{length}，记一下"),
            replies_zh=("请问是什么运动？", "做的哪项运动？"),
        ),
    ),
    also=("reminders.log_habit",),
)

_NOTE = Word(
    (
        *("started after lunch", "worse when I lie down", "only on the left side", "gone after an hour"),
        *("since the flight", "after too much coffee", "it woke me up twice", "better with fresh air"),
        *("probably the new pillow", "came on suddenly", "happens every spring", "right after running"),
        *("I skipped breakfast", "the pill did not help", "long day at the screen", "second time this week"),
        *("with a bit of a chill", "mostly in the evening", "when climbing stairs", "ate shrimp before"),
        *("slept only four hours", "a hot bath helped", "weather changed today", "worse in the morning"),
        "nothing unusual otherwise",
    ),
    (
        *("午饭后开始的", "躺下更厉害", "只有左边", "一小时后就好了", "坐飞机之后", "咖啡喝多了", "半夜醒了两次"),
        *("出去透气好一些", "可能是换了枕头", "突然就来了", "每年春天都这样", "跑步之后", "没吃早饭", "吃了药也没用"),
        *(
            "对着电脑一整天",
            "这周第二次了",
            "有点发冷",
            "晚上比较明显",
            "爬楼梯的时候",
            "之前吃了虾",
            "昨晚只睡了四小时",
        ),
        *("泡热水澡会好点", "今天变天了", "早上最严重", "其他都正常"),
    ),
    quoted=0.4,
)

LOG_SYMPTOM = Family(
    key="food_health.log_symptom",
    names=("log_symptom", "record_symptom", "symptom_diary", "note_complaint", "health_log_entry"),
    about=(
        "Write a symptom into the health log.",
        "Records a complaint and how bad it is, from 1 to 10. It gives no medical advice.",
        "Symptom diary",
    ),
    about_zh=("记录身体症状。", "把症状和严重程度（1到10）写入健康日志，不提供医疗建议。"),
    params=(
        Param("symptom", SYMPTOM, ("symptom", "complaint", "issue"), ("What is felt",), ("症状",)),
        Param("severity", Integer(3, 10), ("severity", "intensity", "pain_level"), ("1 to 10",), ("程度，1到10",)),
        Param("note", _NOTE, ("note", "remark", "comment"), ("In the user's own words",), ("备注，用户原话",), False),
        Param("fever", Flag(), ("with_fever", "fever"), ("With a fever or not",), ("是否发烧",), required=False),
    ),
    asks=(
        "Log a symptom: {symptom}, {severity} out of 10[, note: {note}].",
        "{symptom} again, about a {severity} of 10",
        "Please write down {symptom} for me, level {severity}[. Add the note {note}].",
        "{symptom} since this morning, on a scale to ten I'd say {severity}[, remark: {note}], log it",
        Ask("health log: {symptom}, strength {severity}, no fever", {"fever": False}),
        "ugh, {symptom}. put it in my log with {severity}[ and the comment {note}]",
        Ask("{symptom} with a fever, intensity {severity}, keep a record please", {"fever": True}),
        "My doctor wants me to keep track: {symptom}, {severity}/10[, {note}].",
        "For the diary: {symptom} today, severity {severity}[, comment: {note}].",
        "record {symptom} at {severity}",
        "For my next check-up: {symptom}, {severity} on the scale of ten. Keep that[, with the note {note}].",
        "bad day, {symptom} at {severity} of 10, save it",
    ),
    asks_zh=(
        "记录症状：{symptom}，程度{severity}[，备注：{note}]",
        "又{symptom}了，大概{severity}分，记一下",
        "我{symptom}，满分十分的话有{severity}分，写进健康日志",
        Ask("健康日志：{symptom}，{severity}级，没发烧", {"fever": False}),
        "医生让我记录，{symptom}，{severity}分[，备注{note}]",
        Ask("{symptom}还发烧，程度{severity}，帮我记下来", {"fever": True}),
        "难受，{symptom}，程度{severity}，记到日志里[，备注写{note}]",
        "今天{symptom}，严重程度{severity}，记上",
        "下次复诊要用，{symptom}，十分里{severity}分，存一下[，备注：{note}]",
        "今天状态差，{symptom}，{severity}分，登记",
    ),
    outcomes=(
        Outcome(
            fields=(("entries_this_month", Integer(2, 20)),),
            texts=("saved; {entries_this_month} entries this month",),
            texts_zh=("已保存，本月第{entries_this_month}条",),
            answers=(
                "I've written down the {symptom} with {severity} out of 10.",
                "It's in your log; that makes {entries_this_month} entries this month.",
                "Noted: {symptom} at {severity}. Get well soon.",
            ),
            answers_zh=(
                "{symptom}已写进健康日志，本月第{entries_this_month}条。",
                "记好了，本月共{entries_this_month}条记录。",
                "已记录{symptom}，程度{severity}，早日康复。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="severity",
            asks=("Log a symptom: {symptom}.", "{symptom} again, put it in my health log"),
            replies=("How bad is it, from 1 to 10?", "How strong is it on a scale of ten?"),
            asks_zh=("记录症状：{symptom}", "我{symptom}，记到健康日志里"),
            replies_zh=("请问严重程度是几分（1到10）？", "有多严重？1到10打几分？"),
        ),
        Missing(
            key="symptom",
            asks=("Log a symptom, severity {severity}.", "add an entry to my symptom diary"),
            replies=("Which symptom do you have?", "What do you feel?"),
            asks_zh=("帮我记录一个症状，程度{severity}", "我要记一条症状"),
            replies_zh=("请问是什么症状？", "哪里不舒服？"),
        ),
    ),
    also=(
        "lists.write_note",
        "lists.append_note",
    ),
)

SLEEP_REPORT = Family(
    key="food_health.sleep_report",
    names=("sleep_report", "get_sleep", "sleep_summary", "night_stats"),
    about=(
        "How somebody slept in one night.",
        "Hours, wakings and score of a night, from the watch.",
        "Sleep data. The date is the day on which one woke up.",
    ),
    about_zh=("查询某一晚的睡眠情况。", "返回睡眠时长、醒来次数和评分。"),
    params=(Param("day", Day(-14, 0), ("date", "day", "wake_date"), ("Day of waking up",), ("起床日期",)),),
    asks=(
        "How did I sleep, waking up on {day}?",
        "sleep report for {day}",
        "I feel like a zombie. Show me my night data for {day}.",
        "how many hours of rest did I get for {day}",
        "What does my watch say about the night before {day} began?",
        "was my sleep any good on {day}",
        "Give me the sleep score of {day}, please.",
        "did I wake up often on {day}?",
        "my partner says I tossed and turned on {day}, check the sleep data",
        "sleep stats {day}",
        "why was i so tired on {day}? how long was i in bed asleep",
        "Did I get enough rest on {day}?",
    ),
    asks_zh=(
        "{day}我睡得怎么样？",
        "查一下{day}的睡眠报告",
        "{day}睡了几个小时",
        "困死了，看看{day}的睡眠数据",
        "{day}的睡眠评分是多少",
        "我{day}夜里醒了几次",
        "手表上{day}的睡眠记录给我看看",
        "老婆说我{day}翻来覆去的，查查睡眠情况",
        "{day}怎么那么困，夜里睡够了吗",
        "{day}休息得好不好，看看数据",
    ),
    outcomes=(
        Outcome(
            fields=(("hours", Decimal(3, 10, 1)), ("wakings", Integer(2, 9)), ("score", Integer(30, 98))),
            texts=("{hours} h, {wakings} wakings, score {score}",),
            texts_zh=("{hours}小时，醒来{wakings}次，评分{score}",),
            answers=(
                "That night had {hours} hours of sleep, {wakings} wakings and a score of {score}.",
                "You slept {hours} hours and woke {wakings} times.",
                "{hours} hours, with a score of {score}.",
            ),
            answers_zh=(
                "那晚睡了{hours}小时，中间醒了{wakings}次，得分{score}。",
                "您睡了{hours}小时，醒了{wakings}次。",
                "睡眠{hours}小时，评分{score}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="day",
            asks=("Show me a sleep report.", "how was my sleep?"),
            replies=("For which day?", "Which night do you mean?"),
            asks_zh=("看看我的睡眠报告", "我睡得怎么样？"),
            replies_zh=("请问是哪一天的？", "要看哪天的睡眠？"),
        ),
    ),
    errors=("no data for that night",),
)
