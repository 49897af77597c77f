"""Care outside and inside of hospitals: prescriptions, pharmacies, medicines, visits, emergencies."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Code, Flag, Integer, ListOf, Word
from training.data.sums import Result
from training.data.times import Day
from training.data.world import City

from ._hospitals import BLOOD_DRIVE, EMERGENCY_NUMBER, VISITING, WAITING

MEDICINE = Word(
    (
        *("ibuprofen", "paracetamol", "aspirin", "amoxicillin", "metformin", "omeprazole", "cetirizine", "lisinopril"),
        *("atorvastatin", "salbutamol", "warfarin", "levothyroxine", "sertraline", "loratadine"),
        *("diclofenac", "insulin"),
        *("prednisolone", "doxycycline", "ramipril", "melatonin", "naproxen", "zinc tablets"),
    ),
    (
        *("布洛芬", "对乙酰氨基酚", "阿司匹林", "阿莫西林", "二甲双胍", "奥美拉唑", "西替利嗪"),
        *("赖诺普利", "阿托伐他汀"),
        *("沙丁胺醇", "华法林", "左甲状腺素", "舍曲林", "氯雷他定", "双氯芬酸", "胰岛素", "泼尼松龙", "多西环素"),
        *("雷米普利", "褪黑素", "头孢", "板蓝根"),
    ),
)
REFILL = Family(
    key="clinics.refill",
    names=("refill_prescription", "request_refill", "renew_prescription", "repeat_prescription"),
    about=(
        "Order a medicine on prescription again.",
        "Asks the surgery for a repeat prescription.",
        "Refill of a prescription medicine. Does not look up prices.",
    ),
    about_zh=("续开处方药。", "向医生申请再开一次处方。"),
    params=(
        Param("medicine", MEDICINE, ("medication", "medicine", "drug"), ("Name of the medicine",), ("药名",)),
        Param("packs", Integer(2, 4), ("packs", "quantity", "boxes"), ("How many packs",), ("盒数",), False, 1),
        Param(
            "number",
            Code(("RX-99999", "99999999", "E-9999-9999")),
            ("prescription_no", "rx_number"),
            (),
            ("处方号",),
            False,
        ),
    ),
    asks=(
        "I'm nearly out of {medicine}, get me a new prescription[, number {number}].",
        "refill {medicine}[, packs: {packs}]",
        "Please ask the doctor for more {medicine}[ ({number})].",
        "my {medicine} runs out on Friday, order it again[, old prescription {number}]",
        "repeat prescription for {medicine} please",
        "Grandma has only two tablets of {medicine} left. Could her prescription be renewed[? It's {number}]",
        "need more {medicine} from my GP",
        "same {medicine} as always, once more[, {packs} boxes]",
        "The blister pack of {medicine} is almost empty and the doctor knows me, so just have it written again.",
    ),
    asks_zh=(
        "{medicine}快吃完了，帮我续一下处方[，处方号{number}]。",
        "续开{medicine}[，{packs}盒]",
        "跟医生说再给我开点{medicine}",
        "奶奶的{medicine}只剩两片了，处方续上吧[，{number}]",
        "{medicine}周五就没了，再开一次",
        "老样子，{medicine}再来[{packs}盒]",
        "申请续方：{medicine}[，原处方{number}]",
        "我的{medicine}又要断药了，帮忙申请",
        "{medicine}续处方[，数量{packs}盒]",
        "麻烦让医生把{medicine}的处方再开一遍",
        "{medicine}那板就剩几粒，医生也认识我，让他照着再写一张",
    ),
    outcomes=(
        Outcome(
            fields=(("hours", Result(2, 72)),),
            texts=("request sent, ready in {hours} hours",),
            texts_zh=("申请已发送，{hours}小时后可取",),
            answers=(
                "The refill of {medicine} is requested; ready in {hours} hours.",
                "Ordered. It takes {hours} hours.",
                "Requested.",
            ),
            answers_zh=("{medicine}已申请续方，{hours}小时后可取。", "申请好了，要等{hours}小时。", "续方申请已提交。"),
        ),
    ),
    missing=(
        Missing(
            "medicine",
            ("Renew my prescription.", "I need a refill", "My pills are nearly gone, order more."),
            ("Which medicine do you need?", "Of which medicine?"),
            ("帮我续处方。", "药快没了，再开点"),
            ("请问是什么药？", "续哪种药？"),
        ),
    ),
    errors=("the doctor wants to see the patient first",),
)

NIGHT_PHARMACY = Family(
    key="clinics.night_pharmacy",
    names=("pharmacy_on_duty", "find_open_pharmacy", "emergency_pharmacy", "night_chemist"),
    about=(
        "Pharmacies that are open at night or on holidays.",
        "Which chemist is on duty in a city.",
        "Duty pharmacy by day.",
    ),
    about_zh=("查询值班药店。", "某城市夜间或节假日营业的药店。"),
    params=(
        Param("city", City(0.2), ("city", "town", "near"), ("Where",), ("城市",)),
        Param("day", Day(0, 20), ("date", "on_day"), ("Day; today if absent",), ("日期，默认今天",), False),
    ),
    asks=(
        "Which pharmacy is on duty in {city}[ on {day}]?",
        "My son has a fever and everything in {city} is closed, where can I get medicine?",
        "open chemist {city}[ {day}]",
        "where in {city} can one buy drops for the ear at night[, {day}]",
        "pharmacy {city} now",
        "Is there any chemist's in {city} that's open[ {day}]?",
        "I need cough syrup at this hour. I'm in {city}.",
        "emergency pharmacy in {city}[ for {day}], please",
        "toothache at two in the morning, stuck in {city}, who sells painkillers",
    ),
    asks_zh=(
        "{city}[{day}]哪家药店值班？",
        "孩子发烧了，{city}的店都关了，哪里能买药",
        "{city}半夜还开的药房",
        "这个点在{city}上哪儿买止咳糖浆",
        "{city}24小时药店有吗",
        "[{day}]{city}有药店开门吗？",
        "人在{city}，急着买药，哪家开着",
        "查{city}值班药房[，{day}]",
        "大过节的，{city}药店还有营业的没",
        "深夜药店，{city}",
        "凌晨两点牙疼，困在{city}，谁家卖止痛药",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "pharmacy",
                    Word(("Swan Pharmacy", "Lion Chemist", "Station Pharmacy"), ("天鹅药房", "康民药店", "车站大药房")),
                ),
                ("until", Word(("22:00", "02:00", "06:00", "08:00"))),
            ),
            texts=("{pharmacy}, open until {until}",),
            texts_zh=("{pharmacy}，营业至{until}",),
            answers=(
                "{pharmacy} is open until {until}.",
                "In {city} it's {pharmacy}, until {until}.",
                "Go to {pharmacy}; it closes at {until}.",
            ),
            answers_zh=(
                "{pharmacy}开到{until}。",
                "{city}的{pharmacy}在营业，到{until}。",
                "可以去{pharmacy}，{until}关门。",
            ),
        ),
    ),
    missing=(
        Missing(
            "city",
            ("Which pharmacy is open now?", "is there a chemist on duty tonight"),
            ("In which city?", "Where are you?"),
            ("现在哪家药店开着？", "有没有值班药房"),
            ("请问在哪个城市？", "您在哪里？"),
        ),
    ),
    also=("eating.opening_hours",),
)

INTERACTION = Family(
    key="clinics.interaction",
    names=("check_drug_interactions", "drug_compatibility", "medicine_interaction", "can_i_combine"),
    about=(
        "Whether medicines go together.",
        "Checks several medicines for interactions.",
        "Warns if drugs must not be combined.",
    ),
    about_zh=("检查药物相互作用。", "看几种药能不能一起吃。"),
    params=(
        Param(
            "medicines",
            ListOf(MEDICINE, 2, 4),
            ("medicines", "drugs", "medication_list"),
            ("All of them",),
            ("药物列表",),
        ),
        Param("alcohol", Flag(), ("with_alcohol", "alcohol"), ("Also consider alcohol",), ("是否考虑酒精",), False),
    ),
    asks=(
        "Can I take {medicines} together?",
        "{medicines}: safe to combine?",
        "My mother takes {medicines} and now feels dizzy, do they clash?",
        "do {medicines} interact",
        "check this mix for me: {medicines}",
        "Is it a problem if somebody uses {medicines} at the same time?",
        Ask("I had some wine. Are {medicines} a problem together with alcohol?", {"alcohol": True}),
        "the doctor gave me {medicines}, any dangers in that mix?",
        "There's a whole row of boxes on dad's shelf: {medicines}. Nothing bad if he swallows them all?",
    ),
    asks_zh=(
        "{medicines}能一起吃吗？",
        "{medicines}同时服用有没有问题",
        "我妈在吃{medicines}，现在头晕，是不是药冲突了",
        "{medicines}会相互影响吗",
        "帮我查查{medicines}犯不犯冲",
        "医生开了{medicines}，混着吃安全吗",
        Ask("昨晚喝了酒，吃{medicines}要紧吗？把酒精也算上", {"alcohol": True}),
        "{medicines}，可不可以一块儿吃",
        "这几种药有禁忌吗：{medicines}",
        "同时用{medicines}危险不",
        "我爸桌上一排药：{medicines}，全吃下去不会出事吧",
    ),
    outcomes=(
        Outcome(
            fields=(("risk", Word(("low", "moderate", "high"), ("低", "中等", "高"))), ("interactions", Result(1, 3))),
            texts=("risk: {risk}; interactions found: {interactions}",),
            texts_zh=("风险：{risk}；发现{interactions}处相互作用",),
            answers=(
                "The risk is {risk}; interactions found: {interactions}.",
                "It found {interactions}, with a {risk} risk.",
                "Risk: {risk}. Please ask a pharmacist before you take them.",
            ),
            answers_zh=(
                "风险{risk}，发现{interactions}处相互作用。",
                "查到{interactions}处，风险等级{risk}。",
                "风险等级：{risk}，服用前请咨询药师。",
            ),
        ),
    ),
    missing=(
        Missing(
            "medicines",
            ("Can I take these medicines together?", "check my drugs for interactions"),
            ("Which medicines are they?", "Which ones do you take?"),
            ("这几种药能一起吃吗？", "帮我查下药物相互作用"),
            ("请问是哪几种药？", "都有什么药？"),
        ),
    ),
)

DOMAIN = Domain(
    "clinics",
    (REFILL, NIGHT_PHARMACY, INTERACTION, WAITING, VISITING, EMERGENCY_NUMBER, BLOOD_DRIVE),
    unserved=(
        ("Order a hearing aid for grandpa.", "给爷爷订个助听器。"),
        ("Is this rash dangerous?", "这个疹子危险吗？"),
        ("Send an ambulance to my house.", "叫辆救护车来我家。"),
        ("How much does aspirin cost?", "阿司匹林多少钱？"),
        ("Bring me my mother's X-ray pictures.", "把我妈的X光片调出来。"),
        ("Which doctor is best for knees?", "看膝盖哪个医生最好？"),
        ("Have my blood pressure taken at home.", "安排人上门量血压。"),
        ("Move my father to a single room.", "把我爸换到单人病房。"),
        ("Throw away expired medicine for me.", "帮我处理过期药。"),
        ("Teach me how to bandage a hand.", "教我怎么包扎手。"),
        ("Pay the hospital bill from March.", "把三月的住院费交了。"),
        ("Was my blood test normal?", "我的验血结果正常吗？"),
    ),
)
