"""Pay from an employer: payslips, the account it goes to, overtime, advances."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, Word
from training.data.sums import Cash, Result

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
MONTH = Choice(
    {
        "January": (("January", "Jan"), ("一月", "1月")),
        "February": (("February", "Feb"), ("二月", "2月")),
        "March": (("March",), ("三月", "3月")),
        "April": (("April",), ("四月", "4月")),
        "May": (("May",), ("五月", "5月")),
        "June": (("June",), ("六月", "6月")),
        "July": (("July",), ("七月", "7月")),
        "August": (("August", "Aug"), ("八月", "8月")),
        "September": (("September", "Sept"), ("九月", "9月")),
        "October": (("October", "Oct"), ("十月", "10月")),
        "November": (("November", "Nov"), ("十一月", "11月")),
        "December": (("December", "Dec"), ("十二月", "12月")),
    },
    ({name: number for number, name in enumerate(_MONTHS, start=1)},),
)
PURPOSE = Word(
    (
        *("a broken boiler", "a dentist bill", "a funeral", "a flat deposit", "car repairs", "school fees"),
        *("moving house", "a new washing machine", "a vet bill", "a family visit", "winter tyres", "a wedding"),
        *("a tax payment", "new glasses", "a burst pipe", "baby clothes", "a rail pass", "a summer camp"),
        *("a legal bill", "an emergency trip"),
    ),
    (
        *("修锅炉", "看牙", "办丧事", "交租房押金", "修车", "交学费", "搬家", "买洗衣机", "给猫看病"),
        *("回老家", "换轮胎"),
        *("办婚礼", "补税", "配眼镜", "修水管", "给宝宝添衣服", "买火车月票", "送孩子去夏令营", "付律师费", "紧急出行"),
    ),
)

PAYSLIP = Family(
    key="contracts.payslip",
    names=("get_payslip", "salary_statement", "download_pay_stub", "wage_slip"),
    about=("Payslip of a month.", "What was paid out in a month, and what was taken off.", "The user's pay stub."),
    about_zh=("查询工资条。", "某月发了多少、扣了多少。"),
    params=(
        Param("month", MONTH, ("month", "pay_month", "period"), ("Month of the pay",), ("月份",)),
        Param("details", Flag(), ("with_deductions", "detailed"), ("List the deductions",), ("是否列出扣款",), False),
    ),
    asks=(
        "How much did I get paid in {month}?",
        "payslip {month}",
        "The bank wants to see my pay for {month}, fetch it please.",
        "what was my salary after tax in {month}",
        "show me the {month} pay stub",
        "I think they paid me too little in {month}, let me see the slip",
        Ask("My {month} payslip with all the deductions.", {"details": True}),
        "wages for {month}?",
        Ask("what did they take off my pay in {month}? list every deduction", {"details": True}),
        "My landlord asks what I earned in {month}, so dig it out.",
    ),
    asks_zh=(
        "{month}发了多少工资？",
        "{month}工资条",
        "银行要看我{month}的工资，调出来",
        "{month}税后到手多少",
        "看一下{month}的薪资单",
        "感觉{month}少发了，给我看看工资条",
        Ask("{month}工资条，扣款明细也要", {"details": True}),
        Ask("{month}都扣了我哪些钱，逐项列出来", {"details": True}),
        "我{month}挣了多少",
        "找{month}的工资单给我",
        "{month}的薪水明明说要涨，到底发了几个钱",
        "租房要收入证明，把{month}发钱的单子找出来",
    ),
    outcomes=(
        Outcome(
            fields=(("gross", Result(2_400, 9_000)), ("net", Result(1_500, 2_300))),
            texts=("gross {gross}, net {net}",),
            texts_zh=("税前{gross}，税后{net}",),
            answers=(
                "In {month} you got {net} net, {gross} gross.",
                "Net pay: {net} (gross {gross}).",
                "You were paid {net}.",
            ),
            answers_zh=("{month}税后{net}元，税前{gross}元。", "到手{net}元。", "税前{gross}，实发{net}。"),
        ),
    ),
    missing=(
        Missing(
            "month",
            ("Show me my payslip.", "I need a pay stub", "What was I paid?"),
            ("Of which month?", "Which month's payslip do you need?"),
            ("给我看看工资条。", "查一下工资"),
            ("请问是几月的？", "要哪个月的？"),
        ),
    ),
)

BANK_CHANGE = Family(
    key="contracts.bank_change",
    names=("update_payroll_account", "change_salary_account", "set_pay_account", "payroll_bank_details"),
    about=(
        "Change the account that the salary goes to.",
        "Tells payroll a new IBAN.",
        "New bank details for pay; moves no money.",
    ),
    about_zh=("更改工资卡。", "向薪资部门登记新的收款账号。"),
    params=(
        Param(
            "iban",
            Code(("DE99999999999999", "FR9999999999", "GB99AAAA999999", "6222999999999999")),
            ("iban", "account_number"),
            (),
            ("账号",),
        ),
        Param(
            "month",
            MONTH,
            ("from_month", "first_month"),
            ("First month that is paid there",),
            ("从几月起",),
            False,
        ),
    ),
    asks=(
        "My pay should go to {iban}[ from {month}].",
        "new bank account for my salary: {iban}",
        "I changed banks, tell payroll it's {iban}[, starting {month}]",
        "{iban} is my new account for wages",
        "please have my wages sent to {iban} instead[ as of {month}]",
        "salary account -> {iban}",
        "HR needs my new number: {iban}[, first for {month}]",
        "from now on pay me on {iban}",
        "The old bank closed my branch. Boss, the money goes to {iban} now.",
    ),
    asks_zh=(
        "工资以后打到{iban}[，{month}起]。",
        "换工资卡，新账号{iban}",
        "我换银行了，跟财务说发到{iban}[，从{month}开始]",
        "工资卡号改成{iban}",
        "把我的薪水转到这个户头：{iban}",
        "人事要新卡号，{iban}",
        "发薪账户更新为{iban}[，{month}生效]",
        "以后薪资请付到{iban}",
        "旧卡注销了，工资改发{iban}",
        "{iban}，这是我新的工资账户，登记一下",
        "原来那家银行网点撤了，以后发钱走{iban}",
    ),
    outcomes=(
        Outcome(
            fields=(("confirmation", Code(("HR-9999", "P9999"))),),
            texts=("account changed, confirmation {confirmation}",),
            texts_zh=("账户已变更，确认号{confirmation}",),
            answers=(
                "Your pay now goes to {iban}.",
                "Changed; the confirmation is {confirmation}.",
                "Done ({confirmation}).",
            ),
            answers_zh=("工资将发到{iban}。", "已更改，确认号{confirmation}。", "工资卡换好了。"),
        ),
    ),
    missing=(
        Missing(
            "iban",
            ("I want my pay on another account.", "change my salary account please"),
            ("What is the new account number?", "Which account should it go to?"),
            ("我想换工资卡。", "工资换个账户发"),
            ("请问新账号是多少？", "改发到哪个账户？"),
        ),
    ),
)

OVERTIME = Family(
    key="contracts.overtime",
    names=("overtime_balance", "hours_credit", "flexitime_account", "extra_hours"),
    about=("How many extra hours the user has.", "Balance of overtime hours. Takes no input.", "Flexitime credit."),
    about_zh=("查询加班时长余额。", "还有多少加班小时可调休。"),
    params=(),
    asks=(
        "How much overtime have I piled up?",
        "overtime balance",
        "Could I leave early on Friday? See how many extra hours I have.",
        "how many hours does the company owe me",
        "what's on my flexitime account",
        "I've stayed late all month, what does that add up to",
        "do I have plus or minus hours",
        "check my time credit please",
        "I want a long weekend without using holidays, is there enough on the clock?",
    ),
    asks_zh=(
        "我攒了多少加班时间？",
        "加班余额",
        "周五想早走，看看我还有多少调休",
        "公司还欠我几个小时",
        "调休还剩多少",
        "天天加班，加起来有多久了",
        "我的弹性工时是正的还是负的",
        "查下可调休时长",
        "这个月加了不少班，累计多少小时了",
        "还能调几个小时的休",
        "想不请假休个长周末，攒的钟点够吗",
    ),
    outcomes=(
        Outcome(
            fields=(("hours", Result(1, 80, 1)),),
            texts=("{hours} h",),
            texts_zh=("{hours}小时",),
            answers=("You have {hours} hours of overtime.", "The balance is {hours} hours.", "{hours} extra hours."),
            answers_zh=("您有{hours}小时加班余额。", "可调休{hours}小时。", "一共{hours}小时。"),
        ),
    ),
)

ADVANCE = Family(
    key="contracts.advance",
    names=("request_salary_advance", "pay_advance", "ask_for_advance", "early_wage_request"),
    about=(
        "Ask the employer for part of the pay early.",
        "Requests an advance, paid back over some months.",
        "Salary advance.",
    ),
    about_zh=("申请预支工资。", "提前支取部分工资，分期扣还。"),
    params=(
        Param("amount", Cash(100, 5_000), ("amount", "advance"), ("How much",), ("金额",)),
        Param("purpose", PURPOSE, ("reason", "purpose"), ("What it is for",), ("用途",)),
        Param(
            "months", Integer(2, 12), ("repay_months", "instalments"), ("Months to pay it back",), ("还款月数",), False
        ),
    ),
    asks=(
        "I need {amount} of my pay early because of {purpose}[, paid back over {months} months].",
        "advance of {amount}, reason: {purpose}[, {months} months]",
        "Could my boss pay {amount} in advance? It's for {purpose}.",
        "ask payroll for {amount} before payday, for {purpose}[, back in {months} months]",
        "salary advance {amount} / {purpose}",
        "Money is tight this month because of {purpose}. Request {amount} from my next wages[ over {months} months].",
        "request an early payment of {amount}, purpose {purpose}",
        "please apply for an advance on my salary: {purpose}, {amount}",
        "Payday is far and {purpose} can't wait. See if the firm gives me {amount} now.",
    ),
    asks_zh=(
        "想预支{amount}工资，用来{purpose}[，分{months}个月还]。",
        "申请预支{amount}，原因是{purpose}",
        "这个月手头紧，要{purpose}，跟公司预支{amount}",
        "能不能提前发我{amount}？急着{purpose}",
        "预支工资{amount}，用途{purpose}[，{months}个月扣完]",
        "帮我提个预支申请，{purpose}，{amount}",
        "要{purpose}，先从工资里支{amount}[，分{months}个月还]",
        "向财务申请提前领{amount}，因为要{purpose}",
        "薪水预支：{amount}，{purpose}",
        "家里要{purpose}，想先拿{amount}工资，申请一下",
        "离发薪还早，可{purpose}等不了，问问公司能不能先给{amount}",
    ),
    outcomes=(
        Outcome(
            fields=(("request", Code(("SA-9999", "A9999"))),),
            texts=("request {request} sent to payroll",),
            texts_zh=("申请{request}已提交财务",),
            answers=(
                "The request for {amount} is with payroll: {request}.",
                "Sent as {request}.",
                "Requested: {amount}.",
            ),
            answers_zh=("{amount}的预支申请已提交，编号{request}。", "已申请，单号{request}。", "申请已发给财务。"),
        ),
    ),
    missing=(
        Missing(
            "amount",
            ("I need an advance on my salary for {purpose}.", "request part of my pay early, reason {purpose}"),
            ("How much do you need?", "What sum should I ask for?"),
            ("想预支点工资{purpose}。", "申请预支工资，用来{purpose}"),
            ("请问预支多少？", "需要多少钱？"),
        ),
        Missing(
            "purpose",
            ("Ask for an advance of {amount}.", "I need {amount} of my wages early"),
            ("What is it for?", "What reason should I give?"),
            ("帮我申请预支{amount}工资。", "预支{amount}"),
            ("请问用途是什么？", "预支的原因是？"),
        ),
    ),
)
