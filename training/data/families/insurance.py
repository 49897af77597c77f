"""Insurance: claims, premiums, what a policy covers, who is insured."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, Word
from training.data.sums import Cash, Result
from training.data.times import Day
from training.data.world import Person

POLICY = Choice(
    {
        "car": (("car insurance", "motor insurance"), ("车险", "汽车保险")),
        "home": (("home insurance", "house insurance"), ("家财险", "房屋保险")),
        "travel": (("travel insurance", "trip insurance"), ("旅游险", "旅行保险")),
        "health": (("health insurance", "medical insurance"), ("医疗险", "健康险")),
        "life": (("life insurance",), ("寿险", "人寿保险")),
        "pet": (("pet insurance",), ("宠物险", "宠物保险")),
    },
    (
        {"car": "motor", "home": "household", "health": "medical"},
        {"car": "CAR", "home": "HOME", "travel": "TRAVEL", "health": "HEALTH", "life": "LIFE", "pet": "PET"},
    ),
)
DAMAGE = Word(
    (
        *("a cracked windscreen", "a burst pipe", "a stolen laptop", "a broken wrist", "a flooded cellar"),
        *("a kitchen fire", "a lost suitcase", "hail dents on the roof"),
        *("a scratched bumper", "a smashed phone screen"),
        *("a stolen bicycle", "a fallen tree", "a cancelled flight", "a dented door", "a broken window"),
        *("a dog bite", "water in the ceiling", "a torn awning", "a missing camera", "a chipped tooth"),
        *("a rear-end collision", "a stolen wallet", "lightning damage to the router", "a broken mirror"),
    ),
    (
        *("挡风玻璃裂了", "水管爆裂", "笔记本电脑被偷", "手腕骨折", "地下室进水", "厨房着火", "行李箱丢失"),
        *("保险杠被刮", "手机屏摔碎", "自行车被盗", "树砸到车库", "航班取消", "车门凹陷", "窗户打碎", "被狗咬伤"),
        *("天花板漏水", "相机丢失", "追尾", "钱包被偷", "后视镜撞坏", "冰雹砸坏车顶", "雷击烧坏电视", "牙齿磕断"),
    ),
)
EVENT = Word(
    (
        *("storm damage", "theft abroad", "dental work", "towing", "glass breakage", "flooding", "a rental car abroad"),
        *("lost luggage", "physiotherapy", "a cancelled holiday", "vandalism", "earthquakes", "new glasses"),
        *("a stolen bike", "hail", "food spoiled by a power cut", "rescue from a mountain", "locked-out keys"),
        *("ski accidents", "burst pipes", "an ambulance ride", "acupuncture", "mould", "broken tiles"),
    ),
    (
        *("暴风雨损坏", "国外被盗", "补牙", "拖车", "玻璃破碎", "水淹", "行李丢失", "理疗", "行程取消", "恶意划车"),
        *("地震", "配眼镜", "自行车被盗", "冰雹", "山区救援", "配钥匙开锁", "滑雪受伤", "水管爆裂", "救护车费用"),
        *("针灸", "发霉", "停电导致食物变质", "国外租车"),
    ),
)
# Damage to things and bodies: nothing that a life or a pet insurance would be told of.
CLAIMABLE = Choice({kind: words for kind, words in POLICY.values.items() if kind not in ("life", "pet")})
POLICY_NUMBER = Code(("AA-999999", "A9999999", "POL-99999", "99-9999-A"))
CLAIM_NUMBER = Code(("CL-99999", "9999-AA-99", "C9999999", "CLM9999"))

FILE_CLAIM = Family(
    key="insurance.file_claim",
    names=("file_claim", "open_insurance_claim", "report_damage", "submit_claim", "new_claim"),
    about=(
        "Report a damage to the insurer.",
        "Opens a new claim under a policy. Not for asking how an old claim is going.",
        "File an insurance claim.",
        "Tells the insurance what happened and when.",
    ),
    about_zh=("向保险公司报案。", "提交新的理赔申请，不用于查询进度。", "登记出险情况。"),
    params=(
        Param("policy", CLAIMABLE, ("policy_type", "insurance", "line"), ("Which insurance",), ("险种",)),
        Param("damage", DAMAGE, ("damage", "description", "what_happened"), ("What happened",), ("出险情况",)),
        Param("day", Day(-20, 0), ("incident_date", "date_of_loss", "happened_on"), ("Day of it",), ("出险日期",)),
        Param("cost", Cash(50, 20_000), ("estimated_cost", "loss"), ("Estimated loss",), ("估计损失",), False),
    ),
    asks=(
        "I have to make a claim on my {policy}: {damage}, happened {day}[, about {cost}].",
        "{damage}, {day}. Please report it to my {policy}[, I guess {cost}]",
        "file a claim {policy} / {damage} / {day}",
        "So annoying, {day} it was {damage}. Can you let the {policy} people know?",
        "Tell my {policy} about this: {damage}, {day}[. Repair will cost around {cost}].",
        "I want money back from the {policy} for {damage}, it was {day}",
        "please open a case with the {policy}, reason {damage}, date {day}",
        "we had {damage} {day} and I think the {policy} should pay, send it in please",
        "Claim for {damage} under the {policy}. Date of the incident: {day}[, loss {cost}].",
        "Guess what came home with me: {damage}, {day}. Surely that's a case for the {policy}; start the paperwork.",
    ),
    asks_zh=(
        "{day}出了事：{damage}，帮我向{policy}报案[，损失大概{cost}]。",
        "我要报{policy}，{damage}，时间是{day}",
        "{policy}理赔：{damage}，{day}发生的[，估计{cost}]",
        "倒霉死了，{day}{damage}，赶紧跟{policy}那边说一声",
        "{damage}，是{day}的事，能走{policy}赔吗？直接帮我提交吧",
        "帮我提交个理赔，险种{policy}，原因{damage}，日期{day}",
        "{day}的时候{damage}，{policy}应该能赔吧，帮忙申请一下",
        "出险了：{damage}。{policy}，{day}[，维修要{cost}]",
        "麻烦登记一下，{day}{damage}，用{policy}",
        "想让{policy}赔钱，{day}{damage}[，差不多损失{cost}]",
        "{day}的事了，{damage}，听说{policy}能赔，手续帮我走起来",
    ),
    outcomes=(
        Outcome(
            fields=(("claim_number", CLAIM_NUMBER), ("working_days", Result(2, 15))),
            texts=("Claim {claim_number} opened, reply within {working_days} working days",),
            texts_zh=("已立案，编号{claim_number}，{working_days}个工作日内答复",),
            answers=(
                "The claim is filed as {claim_number}; expect a reply within {working_days} working days.",
                "Reported. Your claim number is {claim_number}.",
                "Done, claim {claim_number} is open. They answer within {working_days} working days.",
            ),
            answers_zh=(
                "已经报案，编号{claim_number}，{working_days}个工作日内答复。",
                "理赔已提交，案件号是{claim_number}。",
                "好了，立案号{claim_number}，等{working_days}个工作日就有消息。",
            ),
        ),
    ),
    missing=(
        Missing(
            "damage",
            ("I need to file a claim with my {policy}, it happened {day}.", "open a {policy} claim for {day}"),
            ("What happened?", "What damage should I report?"),
            ("{day}出险了，帮我报{policy}。", "我要向{policy}报案，{day}的事"),
            ("请问发生了什么？", "具体是什么损失？"),
        ),
        Missing(
            "day",
            ("Claim on my {policy}: {damage}.", "please report {damage} to the {policy}"),
            ("When did it happen?", "On which day was that?"),
            ("{damage}，帮我报一下{policy}。", "{policy}报案，{damage}"),
            ("请问是哪天发生的？", "出险日期是哪一天？"),
        ),
    ),
    errors=("the policy had lapsed on that date", "a claim for this damage exists already"),
    also=("fleet.mishap",),
)

CLAIM_STATUS = Family(
    key="insurance.claim_status",
    names=("claim_status", "check_claim", "track_claim", "claim_progress"),
    about=(
        "How far a claim is.",
        "Looks up an insurance claim by its number.",
        "State of an open claim; changes nothing.",
    ),
    about_zh=("查询理赔进度。", "按案件号查看理赔处理情况。"),
    params=(
        Param("claim", CLAIM_NUMBER, ("claim_id", "claim_number", "case"), ("e.g. CL-20418",), ("案件号",)),
        Param("letters", Flag(), ("include_letters", "with_documents"), ("Letters too",), ("是否包含信件",), False),
    ),
    asks=(
        "How far is claim {claim}?",
        "any news on {claim}? I've been waiting for weeks for the insurer",
        "Has the insurance decided on {claim} yet?",
        "{claim} status",
        "Will they pay or not? The claim is {claim}.",
        "I'd like to know where my claim {claim} stands, please",
        "when do I get my money for {claim}",
        "My broker says {claim} is being worked on, is that true?",
        Ask("Show me claim {claim} with all the letters.", {"letters": True}),
        "Three phone calls and still nothing. Is anybody even looking at {claim}?",
    ),
    asks_zh=(
        "{claim}这个案子理赔到哪一步了？",
        "查下理赔进度，案件号{claim}",
        "{claim}批下来没有",
        "等了好几周了，{claim}有消息吗？",
        "保险公司到底赔不赔啊，我的单号是{claim}",
        "{claim}的赔款什么时候到",
        "麻烦看看{claim}现在什么状态",
        "理赔员说{claim}在处理，帮我核实一下",
        Ask("把{claim}的进度和往来信件都给我看看", {"letters": True}),
        "我那个理赔，{claim}，怎么样了？",
        "打了三次电话都没人理，{claim}到底有人管没有",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "state",
                    Word(("under review", "approved", "paid", "rejected"), ("审核中", "已批准", "已赔付", "已拒赔")),
                ),
                ("amount", Result(80, 9_000)),
            ),
            texts=("{state}; amount {amount}",),
            texts_zh=("{state}，金额{amount}",),
            answers=(
                "Claim {claim}: {state}, the amount is {amount}.",
                "Its state is: {state} ({amount}).",
                "It says {state}, with an amount of {amount}.",
            ),
            answers_zh=(
                "{claim}目前{state}，金额{amount}。",
                "状态：{state}，涉及{amount}元。",
                "显示{state}，金额为{amount}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "claim",
            ("How is my insurance claim going?", "any progress on my claim", "Have they paid my claim?"),
            ("What is the claim number?", "Which claim number is it?"),
            ("我的理赔怎么样了？", "保险赔款批了吗"),
            ("请问案件号是多少？", "您的理赔编号是哪个？"),
        ),
    ),
    also=("public_office.status",),
)

QUOTE = Family(
    key="insurance.quote",
    names=("insurance_quote", "premium_estimate", "quote_premium", "estimate_insurance_cost"),
    about=(
        "Estimate what an insurance would cost.",
        "Premium for a new policy by type, age and sum insured. Signs no contract.",
        "Price of an insurance before buying it.",
    ),
    about_zh=("估算保费。", "按险种、年龄和保额报价，不会签约。"),
    params=(
        Param("policy", POLICY, ("product", "insurance_type", "coverage_type"), ("Kind of insurance",), ("险种",)),
        Param("age", Integer(18, 85), ("age", "insured_age", "age_years"), ("Age of the insured",), ("被保人年龄",)),
        Param("cover", Cash(5_000, 2_000_000), ("sum_insured", "coverage"), ("Sum insured",), ("保额",), False),
        Param("excess", Cash(100, 2_000), ("deductible", "excess"), ("Own share per claim",), ("免赔额",), False),
    ),
    asks=(
        "What would {policy} cost at age {age}[ with cover of {cover}]?",
        "I'm {age}. How much is {policy}[ for {cover}]?",
        "price for {policy}, {age} years old[, deductible {excess}]",
        "My father is {age} and has no {policy} yet, what would he have to pay[ for a cover of {cover}]?",
        "is {policy} expensive for somebody of {age}[, with an excess of {excess}]",
        "Give me a rough premium: {policy}, age {age}[, sum insured {cover}].",
        "thinking about getting {policy}, I turn {age} this year, what's the damage per month",
        "quote please, {age} y/o, {policy}",
        "A friend aged {age} wants {policy}. Roughly what will that be[ if the excess is {excess}]?",
        "We worry about what happens if I drop dead or crash, so: {policy}, I'm {age}, what per month?",
    ),
    asks_zh=(
        "我{age}岁，买{policy}要多少钱[，保额{cover}]？",
        "{age}岁的人上{policy}一年多少保费",
        "给我爸报个价，他{age}岁，{policy}[，保额{cover}]",
        "{policy}贵不贵？今年{age}岁[，免赔额{excess}]",
        "想买{policy}，{age}岁，估个价呗",
        "{policy}，{age}岁[，免赔{excess}]，每月得交多少",
        "帮朋友问问，{age}岁，投{policy}大概什么价",
        "要是{age}岁才买{policy}，保费得多少？",
        "算一下保费：{policy}，年龄{age}[，保额{cover}]",
        "老婆{age}岁，还没有{policy}，办一个要花多少",
        "人到{age}岁该考虑{policy}了，一个月得掏多少",
    ),
    outcomes=(
        Outcome(
            fields=(("monthly_premium", Result(6, 420, 2)),),
            texts=("{monthly_premium} per month",),
            texts_zh=("每月{monthly_premium}元",),
            answers=(
                "At {age}, {policy} would cost about {monthly_premium} a month.",
                "The estimate is {monthly_premium} a month.",
                "Around {monthly_premium} per month.",
            ),
            answers_zh=(
                "{age}岁买{policy}每月大约{monthly_premium}元。",
                "估计每个月{monthly_premium}元。",
                "月保费约{monthly_premium}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "age",
            ("What does {policy} cost?", "give me a price for {policy}"),
            ("How old is the person to be insured?", "What age should I reckon with?"),
            ("{policy}多少钱？", "帮我估一下{policy}的保费"),
            ("请问被保险人多大年纪？", "被保人几岁？"),
        ),
        Missing(
            "policy",
            ("What would insurance cost me? I'm {age}.", "quote me an insurance, age {age}"),
            ("Which kind of insurance do you want?", "What should be insured: car, home, health or something else?"),
            ("我{age}岁，买保险要多少钱？", "{age}岁，报个保费"),
            ("请问要买哪种保险？", "想投什么险种？"),
        ),
    ),
)

COVERS = Family(
    key="insurance.covers",
    names=("coverage_check", "is_covered", "policy_covers", "check_coverage", "what_is_insured"),
    about=(
        "Whether a policy pays for something.",
        "Looks in the terms of a policy for a kind of event. Files no claim.",
        "Check if an event is covered.",
    ),
    about_zh=("查询某种情况是否在保障范围内。", "查看保单条款是否包含某项，不提交理赔。"),
    params=(
        Param("event", EVENT, ("event", "item", "situation", "risk"), ("What might happen, e.g. flood",), ("情况",)),
        Param("policy", POLICY, ("policy", "policy_type", "under"), ("Which insurance to look in",), ("险种",)),
    ),
    asks=(
        "Does my {policy} pay for {event}?",
        "is {event} covered by the {policy}",
        "{event}: is that in the {policy}?",
        "My neighbour says {policy} never pays for {event}, is he right?",
        "Just so I know beforehand, would the {policy} take care of {event}?",
        "can I count on my {policy} when it comes to {event}",
        "What does the {policy} say about {event}?",
        "am I insured against {event}? I mean through the {policy}",
        "Before I pay it myself: {event}, does the {policy} cover that?",
        "{event} happened to a colleague. If it were me, would my {policy} step in?",
    ),
    asks_zh=(
        "我的{policy}管{event}吗？",
        "{event}在不在{policy}的范围里",
        "{policy}包括{event}不？",
        "听邻居说{policy}不赔{event}，真的假的？",
        "先问清楚，碰上{event}，{policy}给报吗",
        "{event}能用{policy}报销吗",
        "看看{policy}条款里有没有{event}",
        "万一遇到{event}，我那个{policy}顶用吗？",
        "{policy}保不保{event}",
        "自己掏钱之前想确认下，{event}算不算{policy}的保障内容",
        "同事碰上{event}，换成我的话{policy}会出钱吗",
    ),
    outcomes=(
        Outcome(
            fields=(("covered", Word(("yes",), ("是",))), ("limit", Result(500, 50_000))),
            texts=("covered: {covered}, up to {limit}",),
            texts_zh=("是否承保：{covered}，上限{limit}元",),
            answers=(
                "Yes, the {policy} covers it up to {limit}.",
                "It is covered, up to {limit}.",
                "Yes: {event} is included, with a limit of {limit}.",
            ),
            answers_zh=(
                "包括的，{policy}最多赔{limit}元。",
                "在保障范围内，上限{limit}元。",
                "可以赔，最高{limit}元。",
            ),
        ),
        Outcome(
            fields=(("covered", Word(("no",), ("否",))), ("clause", Result(2, 40))),
            texts=("covered: {covered}, excluded in clause {clause}",),
            texts_zh=("是否承保：{covered}，见第{clause}条",),
            answers=(
                "No, clause {clause} excludes {event}.",
                "Unfortunately not: see clause {clause}.",
                "Your {policy} does not pay for that (clause {clause}).",
            ),
            answers_zh=(
                "不赔，第{clause}条把它排除了。",
                "很遗憾，{policy}不包含{event}，见第{clause}条。",
                "不在范围内，参见第{clause}条。",
            ),
        ),
    ),
    missing=(
        Missing(
            "event",
            ("What about my {policy}, would it pay?", "can you check if something is covered by the {policy}"),
            ("What should I look for in the policy?", "For what kind of event?"),
            ("我的{policy}能赔吗？", "帮我看看{policy}保不保"),
            ("请问是什么情况？", "想查哪种情况是否承保？"),
        ),
    ),
)

ADD_PERSON = Family(
    key="insurance.add_person",
    names=("add_insured_person", "add_to_policy", "include_person", "add_named_driver"),
    about=(
        "Add a person to a policy.",
        "Puts somebody else on an existing policy.",
        "Insures one more person under a policy.",
    ),
    about_zh=("在保单上增加被保险人。", "把某人加入已有保单。"),
    params=(
        Param("person", Person(0.8), ("person_name", "name", "insured"), ("Who is added",), ("姓名",)),
        Param(
            "number",
            POLICY_NUMBER,
            ("policy_number", "policy_no", "contract_id"),
            ("Number of the policy",),
            ("保单号",),
        ),
        Param(
            "start", Day(1, 60), ("valid_from", "start_date", "effective_date"), ("First day",), ("生效日期",), False
        ),
    ),
    asks=(
        "Please put {person} on policy {number}[ from {start}].",
        "add {person} to {number}",
        "{person} will be driving our car too, the policy is {number}. Can you get that insured[, starting {start}]?",
        "I want {person} to be insured as well, {number}[, beginning {start}]",
        "policy {number}: one more person, {person}",
        "We got married! {person} should be on my policy {number} now.",
        "could you include {person} in {number}[, valid from {start}]",
        "For policy {number}, {person} has to be added as an insured person.",
        "{person} just got a licence and borrows our car all the time; {number} is the contract, make it legal",
    ),
    asks_zh=(
        "把{person}加到保单{number}上[，{start}生效]。",
        "{number}这份保单再加一个人，{person}",
        "我们刚结婚，{person}也要写进{number}里",
        "以后{person}也开这辆车，保单号{number}，帮忙加一下[，从{start}开始]",
        "保单{number}添加被保人{person}",
        "想让{person}也有保障，加进{number}吧",
        "{person}还没上保险呢，放到我那份{number}里[，{start}起]",
        "麻烦在{number}上登记{person}",
        "{number}，新增{person}[，生效日{start}]",
        "给{number}加个名字：{person}",
        "{person}刚拿驾照老借我们的车，合同{number}，把人加上省得出事",
    ),
    outcomes=(
        Outcome(
            fields=(("new_premium", Result(20, 300, 2)),),
            texts=("added; the premium is now {new_premium} a month",),
            texts_zh=("已添加，保费变为每月{new_premium}元",),
            answers=(
                "{person} is now on policy {number}; the premium is {new_premium} a month.",
                "Added. You now pay {new_premium} a month.",
                "Done: {person} is insured too.",
            ),
            answers_zh=(
                "已把{person}加入保单，保费现在每月{new_premium}元。",
                "加好了，月保费{new_premium}元。",
                "{person}已经在{number}上了。",
            ),
        ),
    ),
    missing=(
        Missing(
            "person",
            ("Add somebody to my policy {number}.", "I'd like one more person on {number}"),
            ("Who should be added?", "What is the person's name?"),
            ("我想在{number}上加个人。", "保单{number}添加被保人"),
            ("请问要加谁？", "要添加的人叫什么名字？"),
        ),
        Missing(
            "number",
            ("Put {person} on my policy.", "{person} should be insured with us too"),
            ("What is the policy number?", "On which policy?"),
            ("把{person}加到我的保单上。", "给{person}也加进保险里"),
            ("请问保单号是多少？", "加到哪份保单？"),
        ),
    ),
)

DOMAIN = Domain(
    "insurance",
    (FILE_CLAIM, CLAIM_STATUS, QUOTE, COVERS, ADD_PERSON),
    unserved=(
        ("Cancel my car insurance at the end of the year.", "年底把我的车险退了。"),
        ("Find me a lawyer who fights insurers.", "帮我找个专打保险官司的律师。"),
        ("Change the bank account the premium is taken from.", "把扣保费的银行卡换一张。"),
        ("Print my green card for driving abroad.", "帮我打印出国开车用的保险卡。"),
        ("Which insurer has the best reviews?", "哪家保险公司口碑最好？"),
        ("Send the adjuster a photo of the dent.", "把凹痕照片发给定损员。"),
        ("Lower the deductible of my house insurance.", "把我家财险的免赔额调低。"),
        ("Remove my ex-husband from the policy.", "把前夫从保单上去掉。"),
        ("How much pension will I get at 67?", "我67岁能领多少养老金？"),
        ("Withdraw the claim I made last week.", "撤销我上周的理赔申请。"),
        ("Merge my two policies into one.", "把我的两份保单合成一份。"),
        ("Renew the policy for two more years.", "把保单再续两年。"),
    ),
)
