"""Contracts of private life: subscriptions of services, lawyers, pay."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, ListOf, Word
from training.data.sums import Result
from training.data.times import Clock, Day, Duration
from training.data.world import City, Person

from ._payroll import ADVANCE, BANK_CHANGE, OVERTIME, PAYSLIP

SERVICE = Word(
    (
        *("Streamly", "MusicBox", "Gym Central", "CloudKeep", "Daily Herald", "MealCrate", "PhotoVault", "LinguaPro"),
        *("CinemaClub", "Coffee Post", "GameHub", "SafeVPN", "WineCircle", "BookNook", "CarShare Plus", "SportsLive"),
        *("FlowerWeek", "TaxEasy", "MindRest", "PetBox", "ArtHouse TV", "Podium Plus"),
    ),
    (
        *("星影视频", "乐听音乐", "力健健身房", "云存盘", "每日晨报", "鲜盒美食", "相册云", "轻松外语"),
        *("影院俱乐部", "咖啡到家"),
        *("游戏中心", "极速加速器", "读书角", "共享汽车会员", "体育直播", "鲜花周订", "冥想时刻"),
        *("宠物盒子", "知识会员"),
        *("漫画会员", "外卖会员"),
    ),
)
TOPIC = Choice(
    {
        "family": (("a divorce", "family law"), ("离婚", "家庭纠纷")),
        "employment": (("a dismissal", "employment law"), ("劳动纠纷", "劳动争议")),
        "tenancy": (("a rent dispute", "tenancy law"), ("租房纠纷",)),
        "inheritance": (("an inheritance", "a will"), ("继承", "遗嘱")),
        "traffic": (("a traffic accident",), ("交通事故",)),
        "immigration": (("immigration law", "immigration"), ("移民",)),
        "consumer": (("a consumer complaint",), ("消费维权",)),
    },
    ({"family": "family_law", "employment": "employment_law", "tenancy": "tenancy_law", "traffic": "traffic_law"},),
)
PAPER = Choice(
    {
        "power_of_attorney": (("power of attorney",), ("授权委托书",)),
        "loan_agreement": (("loan agreement",), ("借款合同", "借条")),
        "sales_contract": (("sales contract", "purchase contract"), ("买卖合同",)),
        "sublease": (("sublease agreement", "sublet contract"), ("转租协议",)),
        "nda": (("non-disclosure agreement",), ("保密协议",)),
        "prenup": (("prenuptial agreement", "prenup"), ("婚前协议",)),
    },
    ({"nda": "non_disclosure", "prenup": "prenuptial"},),
)

LIST = Family(
    key="contracts.list_subscriptions",
    names=("list_subscriptions", "my_subscriptions", "active_memberships", "recurring_payments"),
    about=(
        "Everything the user is subscribed to.",
        "Lists running subscriptions and their cost. Changes nothing.",
        "Subscriptions.",
    ),
    about_zh=("列出所有订阅。", "查看正在扣费的会员和订阅。"),
    params=(
        Param("unused", Flag(), ("only_unused", "unused_only"), ("Only those nobody uses",), ("只看没用的",), False),
    ),
    asks=(
        "What am I subscribed to?",
        "where does my money go every month? list the memberships",
        "show all my subscriptions",
        Ask("Which subscriptions do I pay for without using them?", {"unused": True}),
        "how much do all those monthly services cost me",
        "I think I'm paying for five streaming things, which ones are they",
        Ask("only the memberships I never use, please", {"unused": True}),
        "memberships overview",
        "Small sums keep vanishing from my card. What am I paying for all the time?",
    ),
    asks_zh=(
        "我都订阅了什么？",
        "每个月都在扣哪些会员费",
        "列一下我的订阅",
        Ask("有哪些会员交着钱却没在用", {"unused": True}),
        "这些月费加起来多少钱",
        "我好像开了一堆视频会员，都有哪些",
        Ask("只看我不用的订阅", {"unused": True}),
        "自动续费的都有啥",
        "会员总览",
        "查查我现在有几个订阅在续费",
        "卡里老是少几块几十块，我都在给谁交月费啊",
    ),
    outcomes=(
        Outcome(
            fields=(("count", Result(2, 14)), ("monthly_total", Result(15, 240, 2))),
            texts=("{count} subscriptions, {monthly_total} a month",),
            texts_zh=("{count}个订阅，每月{monthly_total}元",),
            answers=(
                "You have {count} subscriptions for {monthly_total} a month.",
                "{count} in all; {monthly_total} monthly.",
                "There are {count}.",
            ),
            answers_zh=(
                "共{count}个订阅，每月{monthly_total}元。",
                "有{count}个，月费合计{monthly_total}元。",
                "{count}个在续费。",
            ),
        ),
    ),
)

CANCEL = Family(
    key="contracts.cancel_subscription",
    names=("cancel_subscription", "end_membership", "unsubscribe_service", "terminate_subscription"),
    about=(
        "End a subscription for good.",
        "Cancels a membership. To stop it for a time use another tool.",
        "Unsubscribe.",
    ),
    about_zh=("取消订阅。", "永久退订某项会员服务。"),
    params=(
        Param("service", SERVICE, ("service", "subscription", "provider"), ("What to cancel",), ("服务名称",)),
        Param("day", Day(0, 60), ("end_date", "last_day"), ("Last day",), ("终止日期",), False),
    ),
    asks=(
        "Cancel {service}[ as of {day}].",
        "I never use {service}, get me out of it[, last day {day}]",
        "end my {service} membership",
        "{service} got too expensive. I'm done with it for good[, from {day}].",
        "unsubscribe {service}",
        "please terminate the contract with {service}[, effective {day}]",
        "I don't want to pay for {service} any more",
        "quit {service} for me[, by {day}]",
        "{service} had its chance. Tell them goodbye[, {day} is the last day].",
    ),
    asks_zh=(
        "把{service}退了[，{day}到期]。",
        "取消{service}",
        "{service}根本没用过，退订吧[，{day}终止]",
        "{service}又涨价，不续了",
        "我不想再给{service}交钱了",
        "关掉{service}的自动续费，不要了",
        "终止{service}会员[，日期{day}]",
        "帮我把{service}注销掉",
        "{service}退订",
        "以后都不用{service}了，帮我取消",
        "{service}越来越难用，跟它说拜拜[，用到{day}为止]",
    ),
    outcomes=(
        Outcome(
            fields=(("refund", Result(0, 40, 2)),),
            texts=("cancelled, refund {refund}",),
            texts_zh=("已取消，退款{refund}元",),
            answers=(
                "{service} is cancelled; you get {refund} back.",
                "Cancelled. Refund: {refund}.",
                "Your {service} subscription has ended.",
            ),
            answers_zh=("{service}已取消，退款{refund}元。", "退订成功，退{refund}元。", "{service}已经退订。"),
        ),
    ),
    missing=(
        Missing(
            "service",
            ("Cancel my subscription.", "I want to end a membership", "unsubscribe me please"),
            ("Which subscription should I cancel?", "Which service do you mean?"),
            ("帮我退个订阅。", "取消会员"),
            ("请问取消哪个服务？", "要退订哪一个？"),
        ),
    ),
    also=("mailbox.unsubscribe",),
)

PAUSE = Family(
    key="contracts.pause_subscription",
    names=("pause_subscription", "hold_subscription", "suspend_membership", "put_on_hold"),
    about=(
        "Stop a subscription for some months.",
        "Freezes a membership for a time; it goes on afterwards.",
        "Pause, not cancel.",
    ),
    about_zh=("暂停订阅。", "冻结会员一段时间，之后恢复。"),
    params=(
        Param("service", SERVICE, ("service", "membership", "subscription"), ("What to pause",), ("服务名称",)),
        Param(
            "length",
            Duration("months", (1, 2, 3, 4, 6, 9, 12)),
            ("months", "pause_months"),
            ("How long",),
            ("暂停时长",),
        ),
    ),
    asks=(
        "Pause {service} for {length}.",
        "freeze my {service} membership for {length}",
        "I broke my leg, so no {service} for {length}. Put it on hold.",
        "{service} on hold, {length}",
        "we're travelling for {length}, suspend {service} until we're back",
        "for {length} I won't need {service}, but keep my account",
        "can {service} be stopped for {length} and then go on again? do that",
        "give {service} a rest, {length}",
        "Baby on the way, no time for {service} during the next {length}; afterwards I'm back.",
    ),
    asks_zh=(
        "{service}暂停{length}。",
        "把{service}会员冻结{length}",
        "腿摔了，{service}{length}用不了，先停一下",
        "{service}先停{length}，之后再恢复",
        "要出国{length}，{service}挂起吧",
        "接下来{length}不用{service}，账号留着，先暂停",
        "{service}，停{length}",
        "给{service}办个{length}的停卡",
        "能不能让{service}休息{length}？帮我弄",
        "冻结{service}，时间{length}",
        "要生娃了，{length}内顾不上{service}，之后再继续",
    ),
    outcomes=(
        Outcome(
            fields=(("saved", Result(5, 200, 2)),),
            texts=("paused; {saved} saved",),
            texts_zh=("已暂停，节省{saved}元",),
            answers=(
                "{service} is paused for {length}; you save {saved}.",
                "Paused. That saves {saved}.",
                "{service} is on hold.",
            ),
            answers_zh=("{service}已暂停{length}，省下{saved}元。", "暂停好了，节省{saved}元。", "{service}已冻结。"),
        ),
    ),
    missing=(
        Missing(
            "length",
            ("Pause {service}.", "put my {service} membership on hold"),
            ("For how long?", "For how many months?"),
            ("把{service}暂停一下。", "{service}先停一停"),
            ("请问暂停多久？", "停几个月？"),
        ),
        Missing(
            "service",
            ("Freeze my membership for {length}.", "pause it for {length}"),
            ("Which membership should I pause?", "Which service?"),
            ("帮我暂停会员{length}。", "停{length}"),
            ("请问暂停哪个服务？", "哪个会员？"),
        ),
    ),
    also=("clubs.freeze_membership",),
)

CONSULT = Family(
    key="contracts.lawyer",
    names=("book_lawyer", "legal_consultation", "attorney_appointment", "schedule_legal_advice"),
    about=(
        "Get an appointment with a lawyer.",
        "Books legal advice on a topic in a city.",
        "Lawyer appointment; gives no advice itself.",
    ),
    about_zh=("预约律师咨询。", "按案由和城市预约法律咨询。"),
    params=(
        Param("topic", TOPIC, ("topic", "legal_field", "matter"), ("What it is about",), ("咨询事项",)),
        Param("city", City(0.1), ("city", "office_city", "place"), ("Where",), ("城市",)),
        Param("day", Day(1, 30), ("date", "day"), ("Day",), ("日期",)),
        Param("time", Clock(8, 18), ("time", "start_time"), ("Time",), ("时间",), False),
    ),
    asks=(
        "I need a lawyer in {city} on {day}[ at {time}], it's about {topic}.",
        "lawyer {city}, {topic}, {day}[, {time}]",
        "Book legal advice about {topic} in {city} {day}[ at {time}].",
        "my cousin needs to talk to an attorney about {topic}: {city}, {day}",
        "who can advise me on {topic} in {city}? make it {day}[ at {time}]",
        "get me an appointment at a law office in {city} {day} because of {topic}",
        "{topic}... I want to see a solicitor {day} in {city}",
        "legal consultation {day}, subject {topic}, city {city}",
        "I don't sleep any more because of {topic}. Somebody with a law degree, {city}, {day}[, {time}].",
    ),
    asks_zh=(
        "帮我约{day}[{time}]{city}的律师，关于{topic}。",
        "{topic}的事，想{day}在{city}咨询律师",
        "找{city}律师，{topic}，{day}[{time}]",
        "表妹遇到{topic}，约个{city}的律师，{day}",
        "法律咨询，{city}，{day}，事由{topic}",
        "{day}[{time}]去{city}的律所，问{topic}",
        "想打官司，{topic}，{city}，{day}约律师",
        "预约{city}的律师谈{topic}，{day}",
        "摊上{topic}了，{day}[{time}]在{city}见律师，帮我约",
        "{city}有律师能谈{topic}吗？{day}的时间，约上",
        "为{topic}愁得睡不着，{day}[{time}]在{city}找个懂法的聊聊，约好",
    ),
    outcomes=(
        Outcome(
            fields=(("lawyer", Person(1.0)), ("fee", Result(50, 400))),
            texts=("{lawyer}, fee {fee}",),
            texts_zh=("{lawyer}律师，费用{fee}元",),
            answers=(
                "You have an appointment with {lawyer}; the fee is {fee}.",
                "Booked with {lawyer} in {city}.",
                "{lawyer} expects you.",
            ),
            answers_zh=(
                "已约好{lawyer}律师，费用{fee}元。",
                "{city}的{lawyer}律师接待您。",
                "约好了，律师是{lawyer}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "topic",
            ("Book me a lawyer in {city} {day}.", "I need legal advice in {city} {day}"),
            ("What is it about?", "Which legal matter is it?"),
            ("帮我约{day}{city}的律师。", "{day}想在{city}咨询律师"),
            ("请问是什么事情？", "咨询哪方面的问题？"),
        ),
        Missing(
            "city",
            ("I need a lawyer {day} because of {topic}.", "legal advice on {topic} {day}, please"),
            ("In which city?", "Where should the lawyer be?"),
            ("{day}约个律师，{topic}的事。", "{topic}，{day}想见律师"),
            ("请问在哪个城市？", "想约哪座城市的律师？"),
        ),
    ),
)

DRAFT = Family(
    key="contracts.draft",
    names=("draft_document", "create_legal_draft", "write_contract", "contract_template"),
    about=(
        "Draft a legal paper.",
        "Makes a draft of a contract between people.",
        "Fills in a template with the parties' names.",
    ),
    about_zh=("起草法律文书。", "按当事人生成合同草稿。"),
    params=(
        Param("paper", PAPER, ("document_type", "template", "kind"), ("Which paper",), ("文书类型",)),
        Param(
            "parties", ListOf(Person(1.0), 2, 3), ("parties", "names", "signatories"), ("Who signs it",), ("当事人",)
        ),
        Param("notary", Flag(), ("notarized", "needs_notary"), ("For a notary",), ("是否需公证",), False),
    ),
    asks=(
        "Draft a {paper} between {parties}.",
        "I need a {paper}, names: {parties}",
        "{paper} for {parties}, first version please",
        "write up a {paper}; it's signed by {parties}",
        "we shook hands on it, now put it on paper: {paper}, {parties}",
        "can you prepare a {paper} with {parties} as the parties",
        Ask("a {paper} that a notary can certify, {parties}", {"notary": True}),
        "template {paper}, signatories {parties}",
        "{parties} trust each other but want it in writing: {paper}, please.",
    ),
    asks_zh=(
        "帮{parties}起草一份{paper}。",
        "要一份{paper}，当事人{parties}",
        "{parties}之间的{paper}，先出个草稿",
        "口头说好了，现在写成{paper}，签字的是{parties}",
        "{paper}，{parties}，拟一下",
        "生成{paper}，双方是{parties}",
        Ask("写份要拿去公证的{paper}，{parties}", {"notary": True}),
        "我想给{parties}弄个{paper}",
        "拟{paper}，签署人：{parties}",
        "{parties}要签{paper}，准备一下文本",
        "{parties}互相信得过，但还是白纸黑字好，来份{paper}",
    ),
    outcomes=(
        Outcome(
            fields=(("file", Word(("draft_1.docx", "contract_v1.docx", "paper_17.pdf"))), ("pages", Result(1, 12))),
            texts=("{file}, {pages} pages",),
            texts_zh=("{file}，共{pages}页",),
            answers=(
                "The draft is ready: {file}, pages: {pages}.",
                "I saved the {paper} as {file}.",
                "Done, see {file}.",
            ),
            answers_zh=("草稿好了：{file}，共{pages}页。", "{paper}已保存为{file}。", "起草完成，见{file}。"),
        ),
    ),
    missing=(
        Missing(
            "parties",
            ("Draft a {paper}.", "I need a {paper}"),
            ("Between whom?", "Who are the parties?"),
            ("起草一份{paper}。", "我要写个{paper}"),
            ("请问当事人是谁？", "由谁签署？"),
        ),
    ),
)

DOMAIN = Domain(
    "contracts",
    (LIST, CANCEL, PAUSE, CONSULT, DRAFT, PAYSLIP, BANK_CHANGE, OVERTIME, ADVANCE),
    unserved=(
        ("Sign me up for MusicBox Premium.", "帮我开通乐听音乐会员。"),
        ("Ask my boss for a raise.", "跟老板说加薪。"),
        ("Will I win my case in court?", "我的官司能赢吗？"),
        ("Share my streaming password with Dad.", "把视频会员密码发给爸爸。"),
        ("When is my next day off?", "我下次休息是哪天？"),
        ("Hand in my notice at work.", "替我向公司递辞职信。"),
        ("Find me a new job as a cook.", "给我找个厨师的工作。"),
        ("Witness my signature.", "给我的签名做个见证。"),
        ("Sign the lease in my name.", "替我在租约上签字。"),
        ("Who earns the most in our team?", "我们组谁工资最高？"),
        ("Reset my gym locker code.", "重置健身房储物柜密码。"),
        ("Sue my neighbour.", "起诉我的邻居。"),
    ),
)
