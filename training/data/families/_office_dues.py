"""Public offices: fines, tax deadlines, and what needs a permit."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Code, Flag, Word
from training.data.sums import Cash, Result
from training.data.world import City, Country

PERMIT = Word(
    (
        *("a garden shed", "a street party", "a food stall", "a roof terrace", "a fence", "fireworks"),
        *("a film shoot", "a swimming pool"),
        *("a garage", "a market stand", "tree felling", "solar panels", "a charity run"),
        *("an open-air concert", "scaffolding"),
        *("a skip on the road", "a balcony extension", "a beach bonfire", "a carport", "a shop sign", "busking"),
    ),
    (
        *("搭车棚", "办街头派对", "摆小吃摊", "加盖露台", "修围墙", "放烟花", "拍电影", "建游泳池", "建车库", "砍树"),
        *("装太阳能板", "办慈善跑", "办露天音乐会", "搭脚手架", "占道停放建筑垃圾", "封阳台", "点沙滩篝火"),
        *("挂店铺招牌", "街头卖艺"),
        *("装电梯", "改外墙"),
    ),
)

FINE = Family(
    key="public_office.fine",
    names=("pay_fine", "settle_ticket", "pay_penalty", "pay_parking_fine"),
    about=(
        "Pay a fine.",
        "Pays a parking or speeding ticket by its number.",
        "Settles a penalty notice. Cannot contest it.",
    ),
    about_zh=("缴纳罚款。", "按罚单号缴交通罚款，不能申诉。"),
    params=(
        Param(
            "notice",
            Code(("T-999999", "99A9999", "FN9999", "9999999999")),
            ("notice_number", "ticket_id"),
            (),
            ("罚单号",),
        ),
        Param("amount", Cash(10, 500), ("amount", "sum"), ("Amount of the fine",), ("金额",)),
    ),
    asks=(
        "Pay my parking ticket {notice}, it's {amount}.",
        "{amount} for ticket {notice}, settle it please",
        "Got flashed by a speed camera again... {amount}, number {notice}. Pay it.",
        "clear the fine {notice} of {amount}",
        "I owe the city {amount} because I parked badly, notice {notice}, get it over with",
        "transfer the {amount} for penalty {notice}",
        "fine {notice}, {amount}, pay now",
        "Before they send a reminder: ticket {notice}, {amount}.",
        "There was a note under my wiper: {notice}, {amount}. Let's be honest citizens and get it paid.",
    ),
    asks_zh=(
        "交一下罚单{notice}，{amount}。",
        "违停被贴条了，单号{notice}，{amount}，帮我缴了",
        "又超速了，罚了{amount}，罚单{notice}，付掉吧",
        "缴罚款：{notice}，金额{amount}",
        "{notice}这张罚单{amount}，现在就交",
        "把{amount}的罚款交了，编号{notice}",
        "趁还没催缴，把{notice}的{amount}付了",
        "交通罚款{amount}，单号{notice}，处理一下",
        "我有张罚单，{notice}，{amount}，缴费",
        "罚款{amount}别拖了，单子是{notice}",
        "雨刷下面夹了张单子，{notice}，{amount}，老老实实交了吧",
    ),
    outcomes=(
        Outcome(
            fields=(("receipt", Code(("RC-99999", "P9999999"))),),
            texts=("paid, receipt {receipt}",),
            texts_zh=("已缴纳，收据号{receipt}",),
            answers=(
                "The fine {notice} is paid, receipt {receipt}.",
                "Paid. Your receipt is {receipt}.",
                "Done: {amount} paid.",
            ),
            answers_zh=("罚单{notice}已缴，收据{receipt}。", "交好了，收据号{receipt}。", "{amount}罚款已付清。"),
        ),
    ),
    missing=(
        Missing(
            "notice",
            ("Pay my fine of {amount}.", "settle the {amount} parking ticket"),
            ("What is the number of the notice?", "Which ticket number?"),
            ("帮我交{amount}罚款。", "有张{amount}的罚单要缴"),
            ("请问罚单号是多少？", "罚单编号是哪个？"),
        ),
    ),
)

TAX_DEADLINE = Family(
    key="public_office.tax_deadline",
    names=("tax_filing_deadline", "tax_due_date", "when_are_taxes_due", "filing_deadline"),
    about=(
        "Last day to hand in the tax return.",
        "Tax deadline of a country for a year.",
        "When taxes are due. Computes no tax.",
    ),
    about_zh=("查询报税截止日期。", "某国某年度报税的最后期限，不计算税额。"),
    params=(
        Param("country", Country(), ("country", "tax_country", "jurisdiction"), ("Where tax is paid",), ("国家",)),
        Param("extended", Flag(), ("with_extension", "extended"), ("With an extension",), ("是否延期",), False),
    ),
    asks=(
        "When do I have to hand in my tax return in {country}?",
        "tax deadline {country}",
        "How long have I got for my taxes? I live in {country}.",
        "I work in {country} now, by when does the tax office there want my forms?",
        "last day for filing in {country}, please",
        "My shoebox of receipts is full and I'm in {country}. When is it due?",
        Ask("With an extension, what's the final date for taxes in {country}?", {"extended": True}),
        "don't want a late fee from the taxman in {country}, what's the cut-off",
        "I keep putting off the paperwork for the revenue people in {country}, how much longer can I?",
    ),
    asks_zh=(
        "{country}报税截止到哪天？",
        "在{country}最晚什么时候报税",
        "我在{country}工作，税表几号之前要交？",
        "{country}的报税期限",
        "还没整理发票呢，{country}那边什么时候截止",
        "{country}税务局要求哪天前申报",
        Ask("申请了延期的话，{country}报税最后期限是哪天？", {"extended": True}),
        "怕被罚滞纳金，{country}报税还来得及吗，截止日是？",
        "查查{country}今年交税表的最后一天",
        "移居{country}了，报税的deadline是什么时候",
        "一直拖着没弄税表，{country}那边还能拖到几号",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("deadline", Word(("April 30", "May 31", "July 31", "October 15"), ("4月30日", "5月31日", "7月31日"))),
            ),
            texts=("deadline: {deadline}",),
            texts_zh=("截止日期：{deadline}",),
            answers=(
                "The deadline in {country} is {deadline}.",
                "You have until {deadline}.",
                "It's due by {deadline}.",
            ),
            answers_zh=("{country}的截止日期是{deadline}。", "最晚{deadline}。", "请在{deadline}前申报。"),
        ),
    ),
    missing=(
        Missing(
            "country",
            ("When are taxes due?", "what's the last day to file my tax return"),
            ("In which country do you pay tax?", "For which country?"),
            ("报税什么时候截止？", "最晚哪天交税表"),
            ("请问是哪个国家？", "您在哪国报税？"),
        ),
    ),
)

PERMIT_NEEDED = Family(
    key="public_office.permit_needed",
    names=("permit_needed", "do_i_need_a_permit", "check_permit_rule", "permission_required"),
    about=(
        "Whether something needs a permit in a city.",
        "Looks up if a plan must be approved by the city.",
        "Permit rules.",
    ),
    about_zh=("查询某件事是否需要许可。", "看看在某城市做某事要不要审批。"),
    params=(
        Param("plan", PERMIT, ("activity", "project", "plan"), ("What is planned",), ("计划做的事",)),
        Param("city", City(0.1), ("city", "municipality", "place"), ("Where",), ("城市",)),
    ),
    asks=(
        "Do I need permission for this in {city}: {plan}?",
        "permit required? {plan}, {city}",
        "We're planning something in {city}, namely {plan}. Does the city have to agree?",
        "is it simply allowed in {city} or must I ask someone first? it's about {plan}",
        "rules in {city} about {plan}: licence needed or not",
        "Will I get into trouble in {city} without a permit? ({plan})",
        "my neighbour in {city} says you need approval: {plan}. true?",
        "{plan} in {city}, do the authorities need to sign that off",
        "Before the city of {city} fines us: {plan}, do we ask someone first?",
    ),
    asks_zh=(
        "在{city}{plan}要审批吗？",
        "{city}这边{plan}需不需要许可证",
        "想{plan}，人在{city}，要不要先申请",
        "{plan}在{city}合规吗，用不用报批",
        "邻居说在{city}{plan}得先办手续，是真的吗？",
        "我们打算在{city}{plan}，得跟政府报备吗",
        "{city}，{plan}，要证吗",
        "没有许可就{plan}，{city}会管吗",
        "查查{city}对{plan}有没有审批要求",
        "在{city}能直接{plan}吗，还是要批准",
        "别到时候被{city}城管罚，我们要{plan}，得先打招呼吗",
    ),
    outcomes=(
        Outcome(
            fields=(("required", Word(("yes",), ("是",))), ("fee", Result(15, 400))),
            texts=("permit required: {required}, fee {fee}",),
            texts_zh=("需要许可：{required}，费用{fee}元",),
            answers=(
                "Yes, you need a permit; it costs {fee}.",
                "In {city} that needs a permit ({fee}).",
                "Yes. The fee is {fee}.",
            ),
            answers_zh=("需要许可，费用{fee}元。", "在{city}要审批，收费{fee}元。", "要办许可证，{fee}元。"),
        ),
    ),
    missing=(
        Missing(
            "plan",
            ("Do I need a permit in {city}?", "is a permission required in {city} for my plan"),
            ("What are you planning?", "A permit for what?"),
            ("在{city}要办许可吗？", "{city}这边需要审批不"),
            ("请问打算做什么？", "是什么事情需要许可？"),
        ),
    ),
)
