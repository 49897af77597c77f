"""Money over time: taxes, loans, savings, wages, and the prices of shares and coins."""

from training.data.family import Ask, Domain, Draw, Drawn, Family, Form, Missing, Outcome, Param
from training.data.kinds import STRING, Choice, Flag, Made, Percent
from training.data.sums import Cash, Plain, Result
from training.data.times import Duration
from training.data.world import Country

ANY_SUM = ("arithmetic.evaluate", "arithmetic.story")
YEARS = Duration("years", (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 18, 20, 25, 30, 35))

TAX = Family(
    key="finance.tax",
    names=("sales_tax", "add_vat", "price_with_tax", "vat_calculator"),
    about=("Add sales tax or VAT to a price.", "Gross price from a net price and a tax rate.", "VAT calculator."),
    about_zh=("计算含税价格。", "在净价上加增值税。"),
    params=(
        Param("net", Cash(5, 90_000), ("net_price", "amount", "price"), ("Price before tax",), ("税前价格",)),
        Param("rate", Percent(3, 27), ("tax_rate", "vat_rate", "rate"), ("Tax rate",), ("税率",)),
        Param("country", Country(), ("country", "region"), ("Country of the sale",), ("国家",), False),
    ),
    asks=(
        "How much is {net} plus {rate} VAT[ in {country}]?",
        "add {rate} sales tax to {net}",
        "What's the gross price of {net} with {rate} tax[, sold in {country}]?",
        "The plumber wants {net} and then there's {rate} VAT on top. What will I pay?",
        "{net} before tax, tax is {rate}. total?",
        "I'm selling for {net} net[ in {country}] at {rate} VAT, what do I put on the bill?",
        "with a tax of {rate}, {net} becomes what?",
        "price including {rate} tax for something that costs {net} without",
        "They quote {net} without VAT. With {rate} it would be?",
        "gross up {net} by {rate} VAT please",
    ),
    asks_zh=(
        "{net}加{rate}的税是多少？",
        "税前{net}，税率{rate}，含税价多少[？在{country}卖]",
        "师傅报价{net}，不含税，税率{rate}，我要付多少？",
        "净价{net}，增值税{rate}，一共多少钱",
        "把{rate}的税加到{net}上",
        "不含税{net}，按{rate}交税，发票写多少？",
        "[在{country}，]{net}的货加上{rate}增值税多少钱",
        "算一下{net}含{rate}税的价格",
    ),
    outcomes=(
        Outcome(
            fields=(("tax", Result(1, 900, 2)), ("gross", Result(950, 9_000, 2))),
            texts=("tax {tax}, gross {gross}",),
            texts_zh=("税额{tax}，含税{gross}",),
            answers=(
                "With tax it's {gross}; {tax} of that is tax.",
                "You pay {gross}.",
                "{gross}, including {tax} tax.",
            ),
            answers_zh=("含税{gross}，其中税额{tax}。", "一共{gross}。", "税{tax}，合计{gross}。"),
        ),
    ),
    missing=(
        Missing(
            key="rate",
            asks=("What's {net} with tax?", "Add the VAT to {net}.", "how much is {net} gross"),
            replies=("What is the tax rate?", "How high is the tax, in percent?"),
            asks_zh=("{net}加上税是多少？", "算一下{net}的含税价"),
            replies_zh=("请问税率是多少？", "税率是百分之几？"),
        ),
    ),
    also=ANY_SUM,
)

LOAN = Family(
    key="finance.loan",
    names=("loan_payment", "mortgage_calculator", "monthly_payment", "credit_installment", "loan_calculator"),
    about=(
        "Monthly payment of a loan.",
        "Mortgage and loan calculator: principal, yearly interest and term.",
        "What a loan costs a month. For savings use another tool.",
    ),
    about_zh=("计算贷款月供。", "房贷、贷款计算器：本金、年利率、期限。"),
    params=(
        Param("principal", Cash(2_000, 900_000), ("principal", "loan_amount", "amount"), ("Sum borrowed",), ("本金",)),
        Param(
            "interest", Percent(1, 14, 2), ("annual_rate", "interest_rate", "rate"), ("Interest a year",), ("年利率",)
        ),
        Param("term", YEARS, ("years", "term_years", "term"), ("Term",), ("贷款期限",)),
        Param("down", Cash(1_000, 90_000), ("down_payment", "deposit"), ("Paid at once",), ("首付",), False),
    ),
    asks=(
        "What's the monthly payment on {principal} at {interest} over {term}[, with {down} down]?",
        "loan of {principal}, {interest} interest, {term}: what do I pay a month",
        "We want to buy a house and borrow {principal} for {term} at {interest}. What's that a month?",
        "mortgage {principal} {interest} {term}[ deposit {down}]",
        "If the bank gives me {principal} at {interest} and I pay it back in {term}, how high are the instalments?",
        "My car is financed with {principal} at {interest} for {term}[ after {down} down]. Monthly cost?",
        "how much a month for {principal} borrowed at {interest} with a term of {term}",
        "I need {principal} for a new kitchen. The offer is {interest} a year for {term}. What would I pay each month?",
        "calculate my mortgage: {term}, {principal}, {interest}",
        "could we afford {principal} over {term} with {interest} interest, what's the rate per month?",
    ),
    asks_zh=(
        "贷款{principal}，年利率{interest}，{term}还清，每月还多少？",
        "房贷{principal}，{term}，利率{interest}[，首付{down}]，月供多少",
        "借{principal}，年息{interest}，分{term}还，一个月要还多少钱？",
        "想买房，向银行贷{principal}，利率{interest}，期限{term}，算下月供",
        "车贷{principal}，{interest}的利率，{term}，每月多少[？首付{down}]",
        "{principal}贷{term}，利率{interest}，月供是多少",
        "装修要贷{principal}，银行给的年利率{interest}，{term}期，每个月还多少？",
        "帮我算算月供：{term}，{interest}，{principal}",
    ),
    outcomes=(
        Outcome(
            fields=(("monthly", Result(90, 6_000, 2)), ("interest_paid", Result(500, 90_000, 2))),
            texts=("{monthly} a month, {interest_paid} interest in all",),
            texts_zh=("每月{monthly}，利息合计{interest_paid}",),
            answers=("You'd pay {monthly} a month.", "{monthly} a month, and {interest_paid} of interest in all."),
            answers_zh=("每月还{monthly}。", "月供{monthly}，总利息{interest_paid}。"),
        ),
    ),
    missing=(
        Missing(
            key="interest",
            asks=(
                "What's the monthly payment on {principal} over {term}?",
                "loan {principal}, {term}, how much a month",
            ),
            replies=("What is the interest rate?", "At which interest rate?"),
            asks_zh=("贷款{principal}，{term}还清，月供多少？", "{principal}贷{term}每月还多少"),
            replies_zh=("请问年利率是多少？", "利率是多少？"),
        ),
        Missing(
            key="term",
            asks=(
                "I borrow {principal} at {interest}, what do I pay a month?",
                "monthly cost of {principal} at {interest}",
            ),
            replies=("Over how many years?", "How long is the term?"),
            asks_zh=("贷{principal}，利率{interest}，每月还多少？", "借{principal}，年息{interest}，月供多少"),
            replies_zh=("请问贷多少年？", "贷款期限是多久？"),
        ),
    ),
    also=("arithmetic.evaluate",),
)

SAVINGS = Family(
    key="finance.savings",
    names=("compound_interest", "savings_growth", "future_value", "investment_growth"),
    about=(
        "What savings grow to with compound interest.",
        "Future value of a deposit, with a monthly addition if wanted.",
        "Interest on savings; not for loans.",
    ),
    about_zh=("计算存款的复利增长。", "本金按年利率增长若干年后的金额。"),
    params=(
        Param("start", Cash(100, 200_000), ("principal", "initial", "deposit"), ("Money at the start",), ("本金",)),
        Param("interest", Percent(1, 12), ("annual_rate", "rate", "yearly_return"), ("Return a year",), ("年利率",)),
        Param("term", YEARS, ("years", "period", "term"), ("How long",), ("存期",)),
        Param(
            "monthly", Cash(20, 2_000), ("monthly_addition", "contribution"), ("Added monthly",), ("每月追加",), False
        ),
    ),
    asks=(
        "If I put aside {start} at {interest} for {term}, what will it be worth[ when I add {monthly} a month]?",
        "what does {start} grow to in {term} at {interest}",
        "Grandpa left me {start}. With {interest} a year, how much is that after {term}?",
        "{start} invested at {interest} for {term}[, plus {monthly} every month]",
        "I'm saving for my kids: {start} now, {interest} return, {term}. What comes out?",
        "future value of {start}, {term}, {interest}",
        "how rich am I in {term} if {start} earns {interest} per year[ and I pay in {monthly} monthly]",
        "A fund promises {interest} a year. I'd leave {start} there for {term}. And then?",
        "compound {start} at {interest} over {term}, please",
        "my nest egg is {start}, it yields {interest}. where is it after {term}?",
    ),
    asks_zh=(
        "存{start}，年利率{interest}，{term}后有多少？",
        "{start}按{interest}复利，{term}之后变成多少",
        "爷爷留给我{start}，每年{interest}的收益，{term}后是多少钱？",
        "投{start}，年化{interest}，放{term}[，每月再投{monthly}]，最后多少",
        "给孩子存教育金，先放{start}，收益{interest}，{term}能攒多少？",
        "本金{start}，{term}，利率{interest}，到期多少",
        "理财说年化{interest}，我放{start}，{term}后拿多少？",
        "{start}利滚利{term}，年息{interest}，算算",
    ),
    outcomes=(
        Outcome(
            fields=(("value", Result(500, 400_000, 2)),),
            texts=("{value}",),
            texts_zh=("{value}",),
            answers=("It grows to {value}.", "You'd have {value}.", "After that time it's {value}."),
            answers_zh=("到期有{value}。", "会变成{value}。", "大约{value}。"),
        ),
    ),
    missing=(
        Missing(
            key="term",
            asks=("What does {start} grow to at {interest}?", "I invest {start} at {interest}, what will I have?"),
            replies=("After how many years?", "For how long?"),
            asks_zh=("存{start}，年利率{interest}，以后有多少？", "{start}按{interest}复利会变成多少"),
            replies_zh=("请问存多少年？", "打算放多久？"),
        ),
    ),
    also=("arithmetic.evaluate",),
)

WAGE = Family(
    key="finance.wage",
    names=("hourly_wage", "salary_to_hourly", "pay_per_hour", "wage_converter"),
    about=("Pay per hour from a salary.", "Turns a yearly or monthly salary into an hourly wage.", "Hourly wage."),
    about_zh=("把工资换算成时薪。", "根据年薪或月薪计算每小时的工资。"),
    params=(
        Param("salary", Cash(1_500, 150_000), ("salary", "pay", "gross_salary"), ("The salary",), ("工资",)),
        Param(
            "period",
            Choice(
                {
                    "year": (("a year", "per year", "yearly", "annually"), ("一年", "每年", "年薪")),
                    "month": (("a month", "per month", "monthly"), ("一个月", "每月", "月薪")),
                },
                ({"year": "yearly", "month": "monthly"}, {"year": "annual", "month": "monthly"}),
            ),
            ("period", "per", "pay_period"),
            ("What the salary is paid for",),
            ("工资周期",),
        ),
        Param("hours", Plain(15, 48), ("hours_per_week", "weekly_hours"), ("Hours a week",), ("每周工时",), False),
    ),
    asks=(
        "I make {salary} {period}, what is that an hour[ at {hours} hours a week]?",
        "{salary} {period}[, {hours} hours a week] as an hourly wage",
        "What's the hourly rate if they pay {salary} {period}[ for a {hours} hour week]?",
        "They offer me {salary} {period}. How much do I get for each hour[ if I work {hours} hours a week]?",
        "is {salary} {period} good? tell me per hour",
        "my pay is {salary} {period}[ and I work {hours} hours per week]. per hour?",
        "A new job, {salary} {period}. Break it down to an hour, please.",
        "how much do I earn in an hour with {salary} {period}",
        "With {salary} {period}[ and {hours} hours a week], one hour of my time is worth what?",
        "hourly: {salary} {period}",
    ),
    asks_zh=(
        "{period}{salary}，时薪是多少[？每周工作{hours}小时]",
        "我{period}{salary}，每小时挣多少？",
        "{period}{salary}[，一周上{hours}个小时班]，折合每小时多少钱",
        "新工作{period}{salary}，换算成时薪",
        "公司给{period}{salary}[，每周{hours}小时]，一小时值多少？",
        "{period}{salary}算下来一个钟头多少钱",
        "想知道{period}{salary}相当于时薪多少",
        "{period}{salary}，按小时算是多少",
    ),
    outcomes=(
        Outcome(
            fields=(("hourly", Result(9, 90, 2)),),
            texts=("{hourly} per hour",),
            texts_zh=("每小时{hourly}",),
            answers=("That's {hourly} an hour.", "You earn {hourly} an hour.", "{hourly} per hour."),
            answers_zh=("时薪{hourly}。", "每小时{hourly}。", "一小时{hourly}。"),
        ),
    ),
    also=("arithmetic.evaluate",),
)

_SHARES = (
    *(("Apple", "苹果", "AAPL"), ("Microsoft", "微软", "MSFT"), ("Tesla", "特斯拉", "TSLA"), ("Nike", "耐克", "NKE")),
    *(("Intel", "英特尔", "INTC"), ("Netflix", "奈飞", "NFLX"), ("Disney", "迪士尼", "DIS"), ("Boeing", "波音", "BA")),
    *(("Pfizer", "辉瑞", "PFE"), ("Starbucks", "星巴克", "SBUX"), ("Oracle", "甲骨文", "ORCL"), ("Visa", "维萨", "V")),
    *(("Ford", "福特", "F"), ("Adobe", "奥多比", "ADBE"), ("IBM", "IBM", "IBM"), ("Walmart", "沃尔玛", "WMT")),
    *(
        ("Toyota", "丰田", "TM"),
        ("Sony", "索尼", "SONY"),
        ("Nvidia", "英伟达", "NVDA"),
        ("Alibaba", "阿里巴巴", "BABA"),
    ),
    *(("Uber", "优步", "UBER"), ("PayPal", "贝宝", "PYPL"), ("Costco", "好市多", "COST"), ("Qualcomm", "高通", "QCOM")),
    *(("McDonald's", "麦当劳", "MCD"), ("Coca-Cola", "可口可乐", "KO"), ("Caterpillar", "卡特彼勒", "CAT")),
)


def _share(draw: Draw) -> Drawn:
    name, name_zh, ticker = draw.rng.choice(_SHARES)
    said = ticker if draw.rng.random() < 0.25 and len(ticker) > 2 else name_zh if draw.language == "zh" else name
    return Drawn(said, {"said": said, "ticker": ticker})


SHARE = Made(
    _share,
    (
        Form(
            STRING, lambda drawn: drawn.meaning["said"], "company name or ticker, as given", "公司名或代码，按用户原话"
        ),
        Form(STRING, lambda drawn: drawn.meaning["ticker"], "ticker, e.g. NKE", "股票代码，如 NKE"),
    ),
)

QUOTE = Family(
    key="finance.quote",
    names=("quote_lookup", "share_quote", "latest_share_price", "market_quote", "equity_quote"),
    about=(
        "Latest price of a share.",
        "Looks up the market quote of a listed company.",
        "Share prices only; no crypto, no trading.",
    ),
    about_zh=("查询股票最新价格。", "查上市公司的股价行情，不做交易。"),
    params=(
        Param("share", SHARE, ("instrument", "stock", "security", "company"), ("Which share",), ("股票",)),
        Param("after", Flag(), ("extended_hours", "after_hours"), ("Include after-hours trade",), ("含盘后",), False),
    ),
    asks=(
        "What is {share} trading at?",
        "{share} share price",
        "how is {share} doing on the stock market",
        "My dad bought {share} years ago, what's one share worth now?",
        "Has {share} gone up? Give me the latest quote.",
        "price of {share} stock please",
        Ask("Where does {share} stand in after-hours trading?", {"after": True}),
        "I'm thinking of buying {share} shares, how much is one?",
        "quote for {share}",
        "what would I get for one share of {share} today",
    ),
    asks_zh=(
        "{share}现在股价多少？",
        "{share}股票多少钱一股",
        "查一下{share}的行情",
        "{share}今天涨了吗？现在多少",
        "我爸买了{share}的股票，现在一股值多少？",
        Ask("{share}盘后价格是多少", {"after": True}),
        "想买{share}的股票，现在什么价？",
        "{share}最新报价",
    ),
    outcomes=(
        Outcome(
            fields=(("price", Result(8, 900, 2)), ("change_percent", Result(-6, 6, 2))),
            texts=("{price} ({change_percent}%)",),
            texts_zh=("{price}（{change_percent}%）",),
            answers=("{share} is at {price}, a change of {change_percent}%.", "One share costs {price}."),
            answers_zh=("{share}现价{price}，涨跌{change_percent}%。", "一股{price}。"),
        ),
    ),
    missing=(
        Missing(
            key="share",
            asks=("What's the share price?", "How is my stock doing?", "get me the latest quote"),
            replies=("Of which company?", "Which share do you mean?"),
            asks_zh=("股价多少了？", "我的股票怎么样了"),
            replies_zh=("请问是哪只股票？", "您说的是哪家公司？"),
        ),
    ),
)

COIN = Choice(
    {
        "BTC": (("bitcoin", "BTC", "Bitcoin"), ("比特币", "BTC")),
        "ETH": (("ether", "Ethereum", "ETH"), ("以太坊", "以太币", "ETH")),
        "DOGE": (("dogecoin", "DOGE"), ("狗狗币", "DOGE")),
        "LTC": (("litecoin", "LTC"), ("莱特币", "LTC")),
        "SOL": (("Solana", "SOL"), ("SOL币", "SOL")),
    },
    ({"BTC": "bitcoin", "ETH": "ethereum", "DOGE": "dogecoin", "LTC": "litecoin", "SOL": "solana"},),
)

ALERT = Family(
    key="finance.alert",
    names=("set_price_alert", "watch_price", "create_price_alert", "notify_on_price"),
    about=(
        "Send a notice when a crypto coin reaches a price.",
        "Price alert: above or below a limit.",
        "Watches the price of a coin. It does not buy or sell.",
    ),
    about_zh=("设置虚拟币价格提醒。", "当币价高于或低于某个值时通知，不会买卖。"),
    params=(
        Param("coin", COIN, ("coin", "asset", "crypto"), ("The coin",), ("币种",)),
        Param(
            "side",
            Choice(
                {
                    "above": (("rises above", "climbs over", "goes above"), ("涨到", "涨过", "高于")),
                    "below": (("falls below", "drops under", "goes below"), ("跌到", "跌破", "低于")),
                },
                ({"above": "up", "below": "down"}, {"above": ">", "below": "<"}),
            ),
            ("direction", "condition", "when"),
            ("Which side of the limit",),
            ("触发方向",),
        ),
        Param("limit", Cash(10, 150_000), ("target_price", "price", "threshold"), ("The limit",), ("目标价",)),
    ),
    asks=(
        "Tell me when {coin} {side} {limit}.",
        "alert me if {coin} {side} {limit}",
        "Let me know as soon as {coin} {side} {limit}, please.",
        "I'd like to be warned once {coin} {side} {limit}.",
        "ping me when {coin} {side} {limit}",
        "keep an eye on {coin} for me: a note if it {side} {limit}",
        Ask("I want to sell {coin} at {limit}, tell me when it has got up there.", {"side": "above"}),
        Ask("If {coin} ever crashes to {limit}, wake me up.", {"side": "below"}),
        "price alert: {coin} {side} {limit}",
        "Watch {coin}. Should it be so that it {side} {limit}, I need a message.",
    ),
    asks_zh=(
        "{coin}{side}{limit}时告诉我。",
        "{coin}{side}{limit}提醒我一下",
        "帮我盯着{coin}，{side}{limit}就通知我",
        "设个提醒：{coin}{side}{limit}",
        "如果{coin}{side}{limit}，马上叫我",
        Ask("{coin}要是暴跌到{limit}就叫醒我", {"side": "below"}),
        Ask("我打算{coin}升上{limit}再卖，到了告诉我", {"side": "above"}),
        "一旦{coin}{side}{limit}，给我发消息",
    ),
    outcomes=(
        Outcome(
            fields=(("alert_id", Result(100, 9_999)),),
            texts=("alert {alert_id} set",),
            texts_zh=("提醒 {alert_id} 已设置",),
            answers=(
                "Done, I'll let you know when {coin} gets there.",
                "The alert for {coin} is set.",
                "Alert {alert_id} is set.",
            ),
            answers_zh=("好的，{coin}到价会通知您。", "{coin}的价格提醒已设置。", "提醒已设好，编号{alert_id}。"),
        ),
    ),
    missing=(
        Missing(
            key="limit",
            asks=("Set a price alert for {coin}.", "Tell me when {coin} moves.", "watch {coin} for me"),
            replies=("At which price should I tell you?", "What price should trigger the alert?"),
            asks_zh=("给{coin}设个价格提醒。", "帮我盯着{coin}"),
            replies_zh=("请问到什么价格提醒？", "目标价是多少？"),
        ),
    ),
)

DOMAIN = Domain(
    "finance",
    (TAX, LOAN, SAVINGS, WAGE, QUOTE, ALERT),
    unserved=(
        ("Buy ten shares of the railway company.", "帮我买十股铁路公司的股票。"),
        ("File my tax return.", "帮我报税。"),
        ("Open a savings account for my son.", "给我儿子开个储蓄账户。"),
        ("Will the market crash next year?", "明年股市会崩盘吗？"),
        ("Ask my boss for a raise.", "帮我跟老板提加薪。"),
        ("Cancel the loan application.", "把贷款申请撤回。"),
        ("What's my credit score?", "我的信用分是多少？"),
        ("Explain what an index fund is.", "什么是指数基金？"),
        ("Who is the richest person alive?", "现在世界首富是谁？"),
        ("Sell all my coins now.", "把我的币全卖了。"),
        ("When is my next payday?", "我下次发工资是哪天？"),
        ("Consolidate all my debts into one.", "把我的债务合并成一笔。"),
        ("Show me the gold price chart of the last decade.", "给我看近十年的金价走势图。"),
    ),
)
