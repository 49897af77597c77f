"""Utilities: meters, outages, mobile data, tariffs, roaming, bills."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, Word
from training.data.sums import Cash, Result
from training.data.times import Day, Duration
from training.data.world import Country, Phone

from ._streets import STREET

METER = Choice(
    {
        "electricity": (("electricity meter", "power meter"), ("电表",)),
        "gas": (("gas meter",), ("燃气表", "煤气表")),
        "water": (("water meter",), ("水表",)),
        "heat": (("heat meter",), ("暖气表", "热量表")),
    },
    ({"electricity": "power", "heat": "heating"}, {"electricity": "E", "gas": "G", "water": "W", "heat": "H"}),
)
SUPPLY = Choice(
    {
        "power": (("power", "electricity"), ("电",)),
        "water": (("water",), ("水", "自来水")),
        "gas": (("gas",), ("燃气", "煤气")),
        "internet": (("internet", "broadband"), ("网", "宽带")),
        "phone": (("phone line", "landline"), ("电话", "固话")),
    },
    ({"power": "electricity", "internet": "broadband", "phone": "landline"},),
)
PLAN = Word(
    (
        *("Basic S", "Basic M", "Smart 20", "Smart 50", "Unlimited Plus", "Student Flex", "Family Max", "Prepaid Lite"),
        *("Night Owl", "Green Power 100", "Solo 10", "Fibre 250", "Fibre 500", "Fibre 1000"),
        *("Business Pro", "Senior Easy"),
        *("Traveller", "Weekend Saver", "Eco Fix", "Young L"),
    ),
    (
        *("畅享套餐", "青春卡", "家庭融合套餐", "流量王", "校园套餐", "孝心卡", "冰淇淋套餐", "宽带500兆", "千兆光纤"),
        *("绿色电价", "峰谷电价", "商务套餐", "无忧卡", "夜间流量包", "至尊套餐", "轻享版", "5G尊享版", "出国游套餐"),
        *("亲情套餐", "大王卡"),
    ),
)

READING = Family(
    key="utilities.reading",
    names=("submit_meter_reading", "report_reading", "send_meter_value", "record_meter"),
    about=(
        "Send the utility a meter reading.",
        "Submits what the meter shows. Does not tell how much was used.",
        "Report the figure on a meter.",
    ),
    about_zh=("上报表读数。", "提交水表、电表等的读数。"),
    params=(
        Param("meter", METER, ("meter", "meter_type", "utility"), ("Which meter",), ("哪种表",)),
        Param("value", Integer(120, 98_000), ("reading", "value", "counter"), ("Figure on the meter",), ("读数",)),
        Param("day", Day(-10, 0), ("read_on", "reading_date"), ("Day of the reading",), ("抄表日期",), False),
    ),
    asks=(
        "The {meter} says {value}[, read {day}]. Please pass it on.",
        "submit {value} for the {meter}",
        "I went down to the cellar: {meter} {value}[, that was {day}]. Tell the supplier.",
        "{meter}: {value}",
        "They sent me a card asking for the {meter}. It's at {value} now.",
        "please report my {meter}, it shows {value}[ as of {day}]",
        "meter reading {value}, {meter}[, {day}]",
        "My {meter} stands at {value}, can you hand that in?",
        "Torch in hand, I crawled behind the boiler: {value} on the {meter}. Off to the supplier with it.",
    ),
    asks_zh=(
        "{meter}读数{value}，帮我报上去[，{day}抄的]。",
        "刚看了{meter}，是{value}，上报一下",
        "{meter}：{value}",
        "供应商催我抄表，{meter}现在{value}",
        "帮我提交{meter}的数，{value}[，{day}看的]",
        "{meter}走到{value}了，报给公司",
        "抄表：{meter}，{value}[，日期{day}]",
        "我下楼看了一眼{meter}，上面写{value}，帮忙登记",
        "把{value}报给他们，这是{meter}的",
        "{meter}显示{value}，自助抄表提交",
        "拿手电照了半天，{meter}上是{value}，发给他们吧",
    ),
    outcomes=(
        Outcome(
            fields=(("used_since_last", Result(10, 900)),),
            texts=("accepted; {used_since_last} units since the last reading",),
            texts_zh=("已接收，比上次多{used_since_last}",),
            answers=(
                "The reading is in; that's {used_since_last} units since the last one.",
                "Submitted. You used {used_since_last} units since last time.",
                "Done, your {meter} reading was accepted.",
            ),
            answers_zh=(
                "读数已提交，比上次多用了{used_since_last}。",
                "报好了，这期用量{used_since_last}。",
                "{meter}读数已收到。",
            ),
        ),
    ),
    missing=(
        Missing(
            "value",
            ("I want to report my {meter}.", "submit a reading for the {meter}"),
            ("What does the meter show?", "What is the reading?"),
            ("我要报{meter}读数。", "帮我提交{meter}的数"),
            ("请问读数是多少？", "{meter}上显示多少？"),
        ),
        Missing(
            "meter",
            ("The meter shows {value}, send it in.", "report reading {value}"),
            ("Which meter is it?", "Is that electricity, gas, water or heat?"),
            ("表上是{value}，帮我报一下。", "读数{value}，提交"),
            ("请问是哪种表？", "是水表、电表还是燃气表？"),
        ),
    ),
)

OUTAGE = Family(
    key="utilities.outage",
    names=("report_outage", "report_service_failure", "log_outage", "outage_ticket"),
    about=(
        "Report that power, water, gas, internet or phone is gone.",
        "Tells the supplier about an outage in a street.",
        "Log an outage. To ask about known ones use another tool.",
    ),
    about_zh=("上报停水停电断网。", "向供应商报告某街道的故障。"),
    params=(
        Param("supply", SUPPLY, ("service", "utility", "supply"), ("What is out",), ("什么停了",)),
        Param("street", STREET, ("street", "location", "street_name"), ("Street it is in",), ("街道",)),
        Param(
            "since",
            Duration("hours", (1, 2, 3, 4, 5, 6, 8, 10, 12)),
            ("hours_out", "for_hours"),
            (),
            ("已持续",),
            False,
        ),
    ),
    asks=(
        "The {supply} is out in {street}[, for {since} now]. Please report it.",
        "no {supply} in {street}[ for {since}], tell the company",
        "we've been without {supply} in {street}[ for {since}], make sure they know about it",
        "report: {supply} failure, {street}",
        "Somebody dug up {street} and now the {supply} is dead. Let the supplier know.",
        "{street}, {supply} gone[ {since} already]. send a report",
        "could you notify them that the {supply} went down on {street}",
        "My whole house in {street} has no {supply}, log that with the supplier",
        "All dark and quiet in {street}, the {supply} just vanished. Let whoever is in charge know.",
    ),
    asks_zh=(
        "{street}停{supply}了[，已经{since}]，帮我报一下。",
        "{street}这边没{supply}[，断了{since}]，通知公司",
        "报故障：{street}，{supply}",
        "{street}挖路把{supply}弄断了，跟他们说一声",
        "我家在{street}，{supply}断了，报修",
        "{supply}没了！{street}，快上报[，都{since}了]",
        "{street}整栋楼都没{supply}，帮忙登记故障",
        "上报一下，{street}的{supply}出问题了",
        "从刚才起{street}就断{supply}[，有{since}了]，反映给客服",
        "麻烦报障，地点{street}，断的是{supply}",
        "{street}一下子{supply}就没了，谁负责啊，帮忙反映",
    ),
    outcomes=(
        Outcome(
            fields=(("ticket", Code(("OUT-9999", "F99999"))), ("hours_to_fix", Result(1, 12))),
            texts=("ticket {ticket}, expected repair in {hours_to_fix} h",),
            texts_zh=("工单{ticket}，预计{hours_to_fix}小时修复",),
            answers=(
                "Reported as {ticket}; it should be back in {hours_to_fix} hours.",
                "The supplier knows. Expected repair: {hours_to_fix} hours.",
                "Ticket {ticket} is open for {street}.",
            ),
            answers_zh=(
                "已上报，工单{ticket}，预计{hours_to_fix}小时恢复。",
                "供应商已收到，大约{hours_to_fix}小时修好。",
                "{street}的故障已登记，单号{ticket}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "street",
            ("The {supply} is out, report it.", "no {supply} here, please tell the supplier"),
            ("In which street?", "Where is the outage?"),
            ("停{supply}了，帮我报一下。", "{supply}断了，上报"),
            ("请问在哪条街？", "是什么位置？"),
        ),
    ),
)

DATA_LEFT = Family(
    key="utilities.data_left",
    names=("mobile_data_left", "data_usage", "check_data_allowance", "remaining_data"),
    about=(
        "How much mobile data is left.",
        "Data allowance of a number this month.",
        "Remaining data volume of a SIM.",
    ),
    about_zh=("查询剩余手机流量。", "查看号码本月流量使用情况。"),
    params=(
        Param(
            "number",
            Phone(),
            ("phone_number", "msisdn", "line"),
            ("Number; the user's own if absent",),
            ("号码",),
            False,
        ),
    ),
    asks=(
        "How many gigabytes have I got left this month?",
        "is my mobile data nearly used up",
        "Can I still stream a film on the train without wifi? Look at my allowance.",
        "data left[ on {number}]?",
        "My son watches videos all day. What's left on {number}?",
        "how much of my data plan is gone",
        "check the data volume[ of {number}] please",
        "why is the phone so slow, have I used all my gigs[? number {number}]",
        "the kids want cartoons in the car, will my gigabytes survive that",
    ),
    asks_zh=(
        "这个月流量还剩多少？",
        "流量快用完了吧，查一下",
        "火车上还能看电影吗？看看我流量够不够",
        "{number}还有多少流量",
        "儿子天天刷视频，{number}剩多少流量了",
        "剩余流量[，号码{number}]",
        "还有几个G",
        "网速好慢，是不是流量超了[？{number}]",
        "帮我看看套餐流量用了多少",
        "本月流量情况[，查{number}]",
        "我还能刷多少视频呀，流量还有吗",
        "路上给孩子放动画片，我的G数撑得住吗",
    ),
    outcomes=(
        Outcome(
            fields=(("gigabytes_left", Result(0.2, 60, 1)), ("days_left", Result(1, 30))),
            texts=("{gigabytes_left} GB left for {days_left} days",),
            texts_zh=("剩余{gigabytes_left}GB，还有{days_left}天",),
            answers=(
                "{gigabytes_left} GB are left for the next {days_left} days.",
                "You still have {gigabytes_left} GB, and {days_left} days to go.",
                "There's {gigabytes_left} GB left.",
            ),
            answers_zh=(
                "还剩{gigabytes_left}GB，本期还有{days_left}天。",
                "剩余流量{gigabytes_left}GB。",
                "还有{gigabytes_left}GB可用。",
            ),
        ),
    ),
)

TOP_UP = Family(
    key="utilities.top_up",
    names=("top_up_phone", "recharge_prepaid", "add_phone_credit", "mobile_recharge"),
    about=(
        "Put credit on a prepaid number.",
        "Tops up a mobile phone with an amount of money.",
        "Recharge a SIM card.",
    ),
    about_zh=("给手机充话费。", "为号码充值指定金额。"),
    params=(
        Param("number", Phone(), ("phone_number", "number", "recipient"), ("Number to top up",), ("手机号",)),
        Param("amount", Cash(5, 500), ("amount", "credit", "value"), ("How much",), ("金额",)),
    ),
    asks=(
        "Put {amount} on {number}.",
        "top up {number} with {amount}",
        "My mum can't call any more, her credit is gone: {number}, {amount} please.",
        "recharge {amount} {number}",
        "I'd like to add {amount} of credit to the prepaid card {number}",
        "{number} needs {amount} more credit",
        "load {number}, {amount}",
        "could you send {amount} phone credit to {number}? she's abroad",
        "Grandpa's phone is dead silent because he never pays. {number}, give it {amount}.",
    ),
    asks_zh=(
        "给{number}充{amount}话费。",
        "{number}充值{amount}",
        "我妈手机停机了，{number}，充{amount}",
        "帮我往{number}里交{amount}话费",
        "话费充{amount}，号码{number}",
        "{number}欠费了，先充个{amount}吧",
        "充话费{amount}，到{number}",
        "给孩子的号{number}打{amount}话费进去",
        "{number}，{amount}，话费",
        "手机没钱了，号码是{number}，来{amount}的",
        "爷爷的电话打不出去了，{number}，给他存{amount}",
    ),
    outcomes=(
        Outcome(
            fields=(("new_credit", Result(5, 600, 2)),),
            texts=("topped up, credit is now {new_credit}",),
            texts_zh=("充值成功，余额{new_credit}元",),
            answers=(
                "Done: {number} now has {new_credit} of credit.",
                "Topped up. The credit is {new_credit}.",
                "{amount} added.",
            ),
            answers_zh=("充好了，{number}余额{new_credit}元。", "充值成功，现有{new_credit}元。", "已充{amount}。"),
        ),
    ),
    missing=(
        Missing(
            "amount",
            ("Top up {number}.", "put some credit on {number}"),
            ("How much should I top up?", "What amount?"),
            ("给{number}充话费。", "{number}充个值"),
            ("请问充多少？", "充值金额是多少？"),
        ),
        Missing(
            "number",
            ("Put {amount} of credit on the phone.", "recharge {amount}"),
            ("Which number should I top up?", "What is the phone number?"),
            ("充{amount}话费。", "帮忙交{amount}话费"),
            ("请问给哪个号码充？", "手机号是多少？"),
        ),
    ),
)

CHANGE_PLAN = Family(
    key="utilities.change_plan",
    names=("change_plan", "switch_tariff", "set_contract_plan", "upgrade_tariff"),
    about=(
        "Switch to another plan.",
        "Changes the tariff of a phone, internet or power contract.",
        "Move to a new tariff.",
    ),
    about_zh=("更换套餐。", "把手机、宽带或用电合同换成另一个资费方案。"),
    params=(
        Param("plan", PLAN, ("plan", "tariff", "plan_name"), ("Name of the new plan",), ("新套餐名称",)),
        Param("day", Day(1, 60), ("effective_date", "start_on"), ("First day of it",), ("生效日期",), False),
    ),
    asks=(
        "Switch me to {plan}[ from {day}].",
        "I want the {plan} tariff instead of what I have[, starting {day}]",
        "change plan -> {plan}",
        "My colleague pays much less with {plan}. Move my contract over to that[, from {day}].",
        "can I have {plan} from now on? change it please",
        "please put my contract on {plan}[, beginning {day}]",
        "I don't need so much any more, {plan} would do, so change it",
        "{plan} sounds better, go for it[, valid {day}]",
        "The lady in the shop recommended {plan} and she's right, I want that one from now on.",
    ),
    asks_zh=(
        "帮我换成{plan}[，{day}生效]。",
        "套餐改{plan}",
        "同事用{plan}便宜多了，我也换这个[，从{day}开始]",
        "不想要现在的套餐了，改成{plan}",
        "我要办{plan}，把原来的换掉[，{day}起]",
        "把我的合约转到{plan}",
        "换套餐：{plan}[，生效日{day}]",
        "现在用不了那么多，{plan}就够，给我改了吧",
        "升级到{plan}行吗？帮我办",
        "{plan}看着划算，换它",
        "营业厅小姐姐推荐{plan}，我觉得行，以后就用这个",
    ),
    outcomes=(
        Outcome(
            fields=(("monthly_price", Result(5, 120, 2)),),
            texts=("plan changed, {monthly_price} per month",),
            texts_zh=("已变更，每月{monthly_price}元",),
            answers=(
                "You are on {plan} now, at {monthly_price} a month.",
                "Switched; it costs {monthly_price} a month.",
                "Done: {plan}.",
            ),
            answers_zh=(
                "已换成{plan}，每月{monthly_price}元。",
                "变更成功，月费{monthly_price}元。",
                "套餐已改为{plan}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "plan",
            ("I want another tariff.", "switch my plan please", "Change my phone plan."),
            ("Which plan would you like?", "To which tariff should I switch?"),
            ("我想换个套餐。", "帮我改一下套餐"),
            ("请问换成哪个套餐？", "想改成什么套餐？"),
        ),
    ),
)

ROAMING = Family(
    key="utilities.roaming",
    names=("activate_roaming", "buy_roaming_pass", "enable_roaming", "travel_data_pass"),
    about=(
        "Switch on roaming for a country.",
        "Buys a data pass for use abroad.",
        "Roaming package for some days in a country.",
    ),
    about_zh=("开通国际漫游。", "购买出国流量包。"),
    params=(
        Param("country", Country(), ("country", "destination", "roaming_country"), ("Where to",), ("国家",)),
        Param(
            "length",
            Duration("days", (1, 2, 3, 5, 7, 10, 14, 21, 30)),
            ("days", "valid_days"),
            ("How long",),
            ("天数",),
        ),
        Param("calls", Flag(), ("include_calls", "with_calls"), ("Calls too, not only data",), ("是否含通话",), False),
    ),
    asks=(
        "I need my phone to work in {country} for {length}.",
        "roaming {country} {length}",
        "Flying to {country}! Get me a data pass for {length}.",
        "we'll be in {country} for {length} and I want maps on my phone there, activate that",
        Ask("Switch on roaming with calls in {country} for {length}.", {"calls": True}),
        "activate roaming, {length}, {country} please",
        "buy {length} of mobile internet abroad, country: {country}",
        Ask("For {length} in {country} I need internet and phone calls, book the package.", {"calls": True}),
        "Honeymoon in {country}, {length}! I want to post pictures from the beach without a giant bill.",
    ),
    asks_zh=(
        "我要去{country}，开通{length}漫游。",
        "{country}漫游，{length}",
        "出差{country}，买个{length}的流量包",
        "在{country}待{length}，手机得能上网，帮我开一下",
        "飞{country}啦，给我来{length}的境外流量",
        "开国际漫游，目的地{country}，{length}",
        Ask("去{country}{length}，要能上网也要能打电话，开通漫游", {"calls": True}),
        Ask("{country}漫游带通话的，{length}，办一个", {"calls": True}),
        "境外上网包，{country}，{length}",
        "到{country}旅游{length}，别到时候没网，先开通",
        "蜜月去{country}，{length}，想随时发朋友圈又怕天价话费，帮我办好",
    ),
    outcomes=(
        Outcome(
            fields=(("price", Result(5, 90, 2)), ("gigabytes", Result(1, 20))),
            texts=("active: {gigabytes} GB for {price}",),
            texts_zh=("已开通：{gigabytes}GB，{price}元",),
            answers=(
                "Roaming in {country} is on: {gigabytes} GB for {price}.",
                "You have {gigabytes} GB in {country}; it costs {price}.",
                "Activated for {length}.",
            ),
            answers_zh=(
                "{country}漫游已开通，{gigabytes}GB，{price}元。",
                "开好了，有{gigabytes}GB流量。",
                "已开通{length}漫游。",
            ),
        ),
    ),
    missing=(
        Missing(
            "country",
            ("Switch on roaming for {length}.", "I'm going abroad for {length}, I need data there"),
            ("For which country?", "Where are you travelling?"),
            ("开通{length}漫游。", "出国{length}，帮我开流量包"),
            ("请问去哪个国家？", "目的地是哪国？"),
        ),
        Missing(
            "length",
            ("I need roaming in {country}.", "get me a data pass for {country}"),
            ("For how many days?", "How long will you be there?"),
            ("开通{country}漫游。", "去{country}要用流量，开一下"),
            ("请问开几天？", "待多少天？"),
        ),
    ),
)

DOMAIN = Domain(
    "utilities",
    (READING, OUTAGE, DATA_LEFT, TOP_UP, CHANGE_PLAN, ROAMING),
    unserved=(
        ("Cancel my broadband contract.", "把宽带合同取消。"),
        ("Why is my gas bill twice as high as last year?", "燃气费怎么比去年贵一倍？"),
        ("Install a second socket in the hall.", "在走廊再装个插座。"),
        ("Block my lost SIM card.", "手机卡丢了，帮我挂失。"),
        ("Give me a new phone number.", "给我换个新号码。"),
        ("When will the street lamp be repaired?", "路灯什么时候修好？"),
        ("Put the contract in my wife's name.", "把合同过户到我老婆名下。"),
        ("Reset the router in the office.", "把办公室的路由器重启一下。"),
        ("Is the tap water here safe to drink?", "这里的自来水能直接喝吗？"),
        ("Which supplier is cheapest in my area?", "我们这片哪家电力公司最便宜？"),
        ("Pay last month's water bill.", "把上个月水费交了。"),
        ("Send a technician to lay fibre to my flat.", "派个师傅来我家拉光纤。"),
    ),
)
