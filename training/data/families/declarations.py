"""Forms with several entries: customs, household members, valuables, wages, a portfolio's split, hazards."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Percent, Record, Word
from training.data.sums import Cash, Result
from training.data.wordings import distinct
from training.data.world import City, Country, Person, Phone

from ._investing_words import FUND
from ._streets import STREET

GOODS = Word(
    (
        *("T-shirts", "perfume bottles", "watches", "cigars", "wine bottles", "silk scarves", "headphones", "carpets"),
        *("leather bags", "cheese wheels", "sunglasses", "paintings", "tea tins", "guitars", "coats"),
        *("cameras", "toys"),
        *("chocolate boxes", "sneakers", "lamps", "rings", "books"),
    ),
    (
        *("T恤", "香水", "手表", "雪茄", "红酒", "丝巾", "耳机", "地毯", "皮包", "奶酪", "墨镜", "油画"),
        *("茶叶", "吉他"),
        *("大衣", "相机", "玩具", "巧克力", "运动鞋", "台灯", "戒指", "书"),
    ),
)
VALUABLE = Word(
    (
        *("gold necklace", "violin", "oil painting", "road bike", "pearl earrings", "stamp collection"),
        *("laptop", "drone"),
        *("antique clock", "fur coat", "telescope", "espresso machine", "wedding ring"),
        *("silver cutlery", "electric piano"),
        *("porcelain vase", "film camera", "golf clubs", "record player", "diving gear", "coin collection"),
    ),
    (
        *("金项链", "小提琴", "油画", "公路车", "珍珠耳环", "集邮册", "笔记本电脑", "无人机", "古董钟"),
        *("皮草大衣", "望远镜"),
        *("咖啡机", "婚戒", "银餐具", "电钢琴", "瓷花瓶", "胶片相机", "高尔夫球杆", "黑胶唱机", "潜水装备", "古钱币"),
    ),
)
HAZARD = Choice(
    {
        "pothole": (("pothole",), ("路面坑洞", "坑洞")),
        "fallen_tree": (("fallen tree",), ("倒下的树",)),
        "broken_lamp": (("broken street lamp",), ("坏掉的路灯",)),
        "flooding": (("flooded road",), ("路面积水",)),
        "gas_smell": (("smell of gas",), ("煤气味",)),
        "loose_cable": (("loose power cable",), ("垂下的电线",)),
        "ice": (("sheet of ice",), ("结冰路面",)),
        "open_manhole": (("open manhole",), ("没盖的井盖口",)),
    },
    ({"fallen_tree": "tree_down", "broken_lamp": "street_light", "flooding": "flooded_road"},),
)

CUSTOMS = Family(
    key="declarations.customs",
    names=("declare_goods", "customs_declaration", "fill_customs_form", "submit_customs_entry"),
    about=(
        "Declare goods to customs.",
        "Fills in a customs form: what, how many, worth how much.",
        "Customs entry for goods.",
    ),
    about_zh=("海关申报。", "填写携带物品的数量和价值。"),
    params=(
        Param(
            "goods",
            ListOf(
                Record(
                    "{quantity} {name} worth {value}",
                    "{quantity}件{name}价值{value}",
                    {"name": GOODS, "quantity": Integer(2, 9), "value": Cash(20, 3_000)},
                ),
                1,
                3,
            ),
            ("items", "goods", "articles"),
            ("All goods with number and value",),
            ("物品清单",),
        ),
        Param(
            "country", Country(), ("country", "entering", "destination_country"), ("Country entered",), ("入境国家",)
        ),
        Param("gift", Flag(), ("gifts", "are_gifts"), ("True for presents",), ("是否为礼品",), False),
    ),
    asks=(
        "I'm entering {country} with {goods}. Declare that.",
        "customs {country}: {goods}",
        "In my suitcase for {country}: {goods}. I don't want trouble at the border, fill in the form.",
        "please declare {goods} on arrival in {country}",
        Ask("Going to {country} with presents: {goods}. Do the paperwork.", {"gift": True}),
        "red channel in {country}, I carry {goods}",
        "form for the {country} customs officers, goods: {goods}",
        Ask("gifts for the family in {country}, namely {goods}, declare them", {"gift": True}),
    ),
    asks_zh=(
        "入境{country}，带了{goods}，帮我申报。",
        "海关申报：{country}，{goods}",
        "行李里有{goods}，去{country}，别到时候被罚，先填表",
        "到{country}要报关，物品是{goods}",
        Ask("给{country}的亲戚带礼物：{goods}，申报一下", {"gift": True}),
        "{country}红色通道，我带着{goods}",
        "填{country}的入境申报单，{goods}",
        "{goods}，带进{country}，走申报",
        Ask("都是礼品，{goods}，入境{country}，填报关单", {"gift": True}),
        "马上落地{country}，手上有{goods}，报一下",
    ),
    outcomes=(
        Outcome(
            fields=(("duty", Result(0, 400)), ("form", Code(("CD-9999", "Z99999")))),
            texts=("form {form}, duty {duty}",),
            texts_zh=("申报单{form}，税款{duty}",),
            answers=(
                "Declared on form {form}; the duty is {duty}.",
                "The form is {form}. Duty: {duty}.",
                "Done, you pay {duty} of duty.",
            ),
            answers_zh=("已申报，单号{form}，税款{duty}。", "申报单{form}，应缴{duty}。", "报好了，税款{duty}。"),
        ),
    ),
    missing=(
        Missing(
            "goods",
            ("I need a customs declaration for {country}.", "declare my things to customs in {country}"),
            ("Which goods, how many, and what are they worth?", "What do you carry?"),
            ("入境{country}，帮我申报。", "填一下{country}的报关单"),
            ("请问带了哪些物品？数量和价值是多少？", "要申报什么？"),
        ),
    ),
    fits=distinct("goods", "name"),
)

HOUSEHOLD = Family(
    key="declarations.household",
    names=("register_household", "declare_residents", "household_members", "set_household"),
    about=("Register who lives in a home.", "Lists the people of a household with their ages.", "Residents of a home."),
    about_zh=("登记家庭成员。", "申报同住人员及年龄。"),
    params=(
        Param(
            "members",
            ListOf(Record("{name} ({age})", "{name}（{age}岁）", {"name": Person(1.0), "age": Integer(13, 90)}), 2, 4),
            ("members", "residents", "people"),
            ("Name and age of each",),
            ("成员姓名和年龄",),
        ),
        Param("pets", Integer(1, 4), ("number_of_pets", "pets"), ("How many pets",), ("宠物数量",), False),
    ),
    asks=(
        "In our home live {members}. Register us.",
        "household: {members}[, number of pets: {pets}]",
        "The census form wants everybody. That's {members}.",
        "please put down {members} as residents[ and pets: {pets}]",
        "who lives here: {members}",
        "register these people under one roof: {members}",
        "our flat share has new faces, it's {members} now, enter that",
        "members of the household are {members}[, pets {pets}], file it",
    ),
    asks_zh=(
        "家里住着{members}，登记一下。",
        "家庭成员：{members}[，宠物{pets}只]",
        "人口普查要填，我们家有{members}",
        "同住人员是{members}，报上去",
        "一个屋檐下的有{members}，登记户内人口",
        "合租换人了，现在是{members}，更新登记",
        "把{members}都登记成住户[，另有宠物{pets}只]",
        "户内成员登记：{members}",
        "社区来问住几口人，填{members}",
        "这屋里的人：{members}，录一下",
    ),
    outcomes=(
        Outcome(
            fields=(("household_id", Code(("HH-9999", "W99999"))),),
            texts=("household {household_id} saved",),
            texts_zh=("住户编号{household_id}已保存",),
            answers=(
                "The household is registered as {household_id}.",
                "Saved: {household_id}.",
                "Done, your number is {household_id}.",
            ),
            answers_zh=(
                "已登记，住户编号{household_id}。",
                "保存好了：{household_id}。",
                "登记完成，编号{household_id}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "members",
            ("Register our household.", "fill in who lives here"),
            ("Who lives there, and how old are they?", "What are the names and ages?"),
            ("登记一下我们家的人口。", "帮我填同住人员"),
            ("请问有哪些人？分别多大？", "成员的姓名和年龄是？"),
        ),
    ),
    fits=distinct("members", "name"),
)

VALUABLES = Family(
    key="declarations.valuables",
    names=("add_valuables", "inventory_of_valuables", "record_valuables", "insure_items"),
    about=(
        "Write valuables into the home inventory.",
        "Adds things with their value to the insured list.",
        "Valuables list.",
    ),
    about_zh=("登记贵重物品。", "把物品及价值加入家财清单。"),
    params=(
        Param(
            "things",
            ListOf(
                Record("{name} at {value}", "{name}值{value}", {"name": VALUABLE, "value": Cash(100, 20_000)}), 1, 4
            ),
            ("valuables", "items", "entries"),
            ("Each thing with its value",),
            ("物品和价值",),
        ),
        Param("city", City(0.0), ("kept_in", "location_city"), ("City where they are kept",), ("存放城市",), False),
    ),
    asks=(
        "Put these on my list of valuables: {things}.",
        "inventory: {things}[, kept in {city}]",
        "If the house burns down I want proof. Note {things}.",
        "add {things} to the home inventory[, all of it in {city}]",
        "I inherited a few nice things: {things}. Record them for the insurance.",
        "valuables -> {things}",
        "please write down what we own: {things}",
        "the appraiser was here: {things}. Enter that into the inventory[, place {city}]",
    ),
    asks_zh=(
        "贵重物品登记：{things}。",
        "把{things}加进家财清单[，放在{city}]",
        "万一着火得有凭据，记一下{things}",
        "继承了几样东西：{things}，登记到清单里",
        "鉴定师来过了，{things}，录入清单",
        "家里值钱的有{things}，都记上[，在{city}]",
        "清单里新增{things}",
        "帮我写进财产清单：{things}",
        "{things}，列入贵重物品",
        "给保险留个底，{things}，登记好",
    ),
    outcomes=(
        Outcome(
            fields=(("total", Result(500, 60_000)),),
            texts=("inventory updated, total {total}",),
            texts_zh=("清单已更新，总值{total}",),
            answers=(
                "Recorded; the inventory is now worth {total}.",
                "Added. The total is {total}.",
                "Done: {total} in all.",
            ),
            answers_zh=("已登记，清单总值{total}元。", "加好了，合计{total}元。", "清单现在共{total}元。"),
        ),
    ),
    missing=(
        Missing(
            "things",
            ("Add something to my list of valuables.", "update the home inventory"),
            ("Which things, and what are they worth?", "What should I add?"),
            ("我要登记贵重物品。", "更新一下家财清单"),
            ("请问有哪些物品？价值多少？", "要登记什么？"),
        ),
    ),
    fits=distinct("things", "name"),
)

WAGES = Family(
    key="declarations.wages",
    names=("run_payroll", "pay_staff", "submit_wage_run", "batch_salary_payment"),
    about=("Pay several employees at once.", "Payroll run: each name with a sum.", "Batch payment of wages."),
    about_zh=("批量发工资。", "按姓名和金额发放工资。"),
    params=(
        Param(
            "payments",
            ListOf(
                Record("{amount} for {name}", "{name}拿{amount}", {"name": Person(1.0), "amount": Cash(200, 9_000)}),
                2,
                4,
            ),
            ("payments", "wages", "entries"),
            ("Name and sum of each",),
            ("姓名和金额",),
        ),
        Param(
            "method",
            Choice(
                {
                    "bank_transfer": (("by bank transfer",), ("银行转账",)),
                    "cash": (("in cash",), ("现金",)),
                    "cheque": (("by cheque",), ("支票",)),
                }
            ),
            ("method", "pay_by"),
            ("How it is paid",),
            ("发放方式",),
            False,
            "bank_transfer",
        ),
    ),
    asks=(
        "Pay the team: {payments}[, {method}].",
        "payroll {payments}",
        "It's the end of the month, so {payments}[, {method}]. Send it out.",
        "wages please: {payments}",
        "the waiters worked hard, give them their money: {payments}[ {method}]",
        "run the salaries, {payments}",
        "our helpers get paid today: {payments}",
        "staff payments[ {method}]: {payments}",
    ),
    asks_zh=(
        "发工资：{payments}[，{method}]。",
        "月底了，给大家发钱，{payments}",
        "员工工资，{payments}[，用{method}]",
        "帮我把薪水发了，{payments}",
        "店里的伙计辛苦了，结一下工钱：{payments}[，{method}]",
        "工资批次：{payments}",
        "该发钱了，{payments}",
        "今天结薪，{payments}[，走{method}]",
        "给下面几位发薪：{payments}",
        "{payments}，这个月的工资，一起发掉",
    ),
    outcomes=(
        Outcome(
            fields=(("run_id", Code(("PR-9999", "B99999"))), ("total", Result(1_000, 30_000))),
            texts=("run {run_id}, total {total}",),
            texts_zh=("批次{run_id}，合计{total}",),
            answers=(
                "The payroll run {run_id} is out, {total} in all.",
                "Paid: {total} (run {run_id}).",
                "Done, the run is {run_id}.",
            ),
            answers_zh=("工资已发，批次{run_id}，合计{total}元。", "发好了，共{total}元。", "批次{run_id}已完成。"),
        ),
    ),
    missing=(
        Missing(
            "payments",
            ("Pay the staff.", "run payroll for this month"),
            ("Who gets how much?", "What are the names and sums?"),
            ("给员工发工资。", "把这个月工资发了"),
            ("请问发给谁，各发多少？", "姓名和金额是多少？"),
        ),
    ),
    also=("accounts.send",),
    fits=distinct("payments", "name"),
)

SPLIT = Family(
    key="declarations.rebalance",
    names=("rebalance_portfolio", "set_target_allocation", "portfolio_split", "define_asset_mix"),
    about=(
        "Set what share of the money is in which fund.",
        "Rebalances a portfolio to target percentages.",
        "Asset mix.",
    ),
    about_zh=("设置基金配置比例。", "按目标百分比调整组合。"),
    params=(
        Param(
            "targets",
            ListOf(Record("{share} {fund}", "{fund}占{share}", {"fund": FUND, "share": Percent(5, 33, 0)}), 2, 3),
            ("targets", "allocation", "weights"),
            ("Each fund with its share",),
            ("各基金比例",),
        ),
    ),
    asks=(
        "I want my money like this: {targets}.",
        "rebalance to {targets}",
        "Too much risk for my age. New mix: {targets}, the rest stays in cash.",
        "set the allocation {targets}",
        "change my portfolio to {targets} please",
        "my adviser suggested {targets}, do that",
        "from now on hold {targets}",
        "targets: {targets}",
    ),
    asks_zh=(
        "仓位调成{targets}。",
        "重新配置：{targets}",
        "年纪大了风险要小，改成{targets}，剩下的留现金",
        "组合比例设为{targets}",
        "顾问建议{targets}，照这个调",
        "再平衡，{targets}",
        "把我的基金配比改一下，{targets}",
        "以后按{targets}来分配",
        "目标仓位{targets}",
        "我想这样分：{targets}",
    ),
    outcomes=(
        Outcome(
            fields=(("trades", Result(1, 9)),),
            texts=("rebalanced, trades: {trades}",),
            texts_zh=("已调整，交易{trades}笔",),
            answers=(
                "The portfolio is rebalanced; trades made: {trades}.",
                "Done, with {trades} in the list of trades.",
                "Rebalanced.",
            ),
            answers_zh=("组合已调整，共{trades}笔交易。", "调好了，交易{trades}笔。", "已按新比例配置。"),
        ),
    ),
    missing=(
        Missing(
            "targets",
            ("Rebalance my portfolio.", "I want another mix of funds"),
            ("Which funds, and what share of each?", "What mix would you like?"),
            ("帮我调一下基金配比。", "重新平衡一下组合"),
            ("请问各基金占多少比例？", "想怎么分配？"),
        ),
    ),
    fits=distinct("targets", "fund"),
)

HAZARD_REPORT = Family(
    key="declarations.hazard",
    names=("report_hazard", "tell_city_about_danger", "street_problem", "submit_hazard"),
    about=(
        "Tell the city about a danger in a street.",
        "Reports potholes, fallen trees and the like.",
        "Street hazards.",
    ),
    about_zh=("上报街道隐患。", "向市政报告坑洞、倒树等。"),
    params=(
        Param("hazard", HAZARD, ("hazard", "category", "problem_type"), ("What it is",), ("隐患类型",)),
        Param(
            "place",
            Record("{street}, {city}", "{city}{street}", {"street": STREET, "city": City(0.0)}),
            ("place", "location", "where"),
            ("Street and city",),
            ("地点",),
        ),
        Param("phone", Phone(), ("callback_number", "contact_phone"), ("For questions",), ("联系电话",), False),
    ),
    asks=(
        "Please report this {hazard}: {place}[. My number is {phone}].",
        "{hazard}, {place}[, call me on {phone}]",
        "Somebody will get hurt! {place}, {hazard}. Tell the city.",
        "on my way to work I saw it, {hazard} at {place}, pass it on[ with my number {phone}]",
        "report to the council: {hazard} / {place}",
        "my wheel nearly broke, there is a {hazard} in {place}, let them know",
        "can someone take care of the {hazard} in {place}? report it please",
        "danger: {hazard}. Where: {place}[. Contact: {phone}]",
    ),
    asks_zh=(
        "{place}有{hazard}，帮我上报[，电话{phone}]。",
        "报告隐患：{place}，{hazard}",
        "上班路上看到{place}有{hazard}，反映一下[，联系我{phone}]",
        "太危险了，{place}有{hazard}，快告诉市政",
        "{hazard}，位置{place}，谁管一下",
        "差点出事，{place}那儿有{hazard}，报上去",
        "跟城管说，{place}发现{hazard}[，我的号码{phone}]",
        "市政热线：{hazard}，{place}",
        "孩子上学要经过{place}，那里有{hazard}，赶紧报",
        "麻烦登记{place}的{hazard}[，回电{phone}]",
    ),
    outcomes=(
        Outcome(
            fields=(("case", Code(("HZ-9999", "C99999"))), ("hours", Result(1, 96))),
            texts=("case {case}, dealt with in {hours} h",),
            texts_zh=("工单{case}，{hours}小时内处理",),
            answers=(
                "Reported as {case}; it is dealt with within {hours} hours.",
                "The city has it: {case}.",
                "Case {case} is open.",
            ),
            answers_zh=("已上报，工单{case}，{hours}小时内处理。", "市政已收到：{case}。", "登记好了，单号{case}。"),
        ),
    ),
    missing=(
        Missing(
            "place",
            ("I want to report a {hazard}.", "there's a {hazard}, tell the city"),
            ("Where is it? Which street and city?", "In which street and city?"),
            ("我要报告一个隐患：{hazard}。", "有{hazard}，上报一下"),
            ("请问在哪个城市哪条街？", "具体位置是哪里？"),
        ),
    ),
)

DOMAIN = Domain(
    "declarations",
    (CUSTOMS, HOUSEHOLD, VALUABLES, WAGES, SPLIT, HAZARD_REPORT),
    unserved=(
        ("How much wine may I bring home duty-free?", "免税能带多少酒回家？"),
        ("Sell the antique clock at an auction.", "把古董钟拿去拍卖。"),
        ("Hire two more waiters.", "再招两个服务员。"),
        ("Fix the pothole by tomorrow.", "明天之前把坑补好。"),
        ("Get my suitcase back from customs.", "把海关扣的箱子要回来。"),
        ("Which fund grew most this year?", "今年哪只基金涨得最多？"),
        ("Remove my ex from the lease.", "把前任从租约里去掉。"),
        ("Appraise this painting from a photo.", "看照片估一下这幅画的价。"),
        ("Give everybody a raise of ten percent.", "给所有人涨薪百分之十。"),
        ("Draw our family tree.", "画一张我们家的家谱。"),
        ("Adopt a child together with my husband.", "我想和丈夫领养一个孩子。"),
        ("Print the wage tax forms for last year.", "打印去年的工资税表。"),
    ),
)
