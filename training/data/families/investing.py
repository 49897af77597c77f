"""Investing: portfolio, orders, dividends, indices, crypto, savings plans."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer
from training.data.sums import Cash, Plain, Result
from training.data.times import Day
from training.data.wordings import year

from ._investing_words import ADDRESS, COIN, COMPANY, FUND, INDEX, RHYTHM

PORTFOLIO = Family(
    key="investing.portfolio",
    names=("portfolio_summary", "my_investments", "depot_overview", "holdings_value"),
    about=(
        "What the user's investments are worth.",
        "Summary of the portfolio.",
        "Value and gain of all holdings.",
    ),
    about_zh=("查看投资组合总览。", "所有持仓的市值和盈亏。"),
    params=(
        Param("crypto", Flag(), ("include_crypto", "with_crypto"), ("Count crypto too",), ("是否包括加密货币",), False),
    ),
    asks=(
        "How are my investments doing?",
        "portfolio please",
        "am I rich yet? what is everything I hold worth",
        "Have my shares gone up or down in all?",
        "Show me an overview of my depot.",
        "what's the total of my stocks and funds",
        Ask("What is my portfolio worth, crypto included?", {"crypto": True}),
        "I haven't looked for months, how bad is it with my savings in the market?",
        "give me the state of my holdings",
        "Could I buy a boat if I sold everything I own on the stock market?",
    ),
    asks_zh=(
        "我的投资现在怎么样？",
        "看看我的持仓",
        "总共赚了还是亏了",
        "我手里的股票基金一共值多少",
        "账户总览给我看一下",
        "好几个月没看了，我的组合跌惨了吗？",
        "帮我看下投资收益",
        Ask("连加密货币一起算，我的资产组合值多少", {"crypto": True}),
        "我的理财现在什么情况",
        "持仓市值多少了",
        "我是不是又亏了，看看总盈亏",
        "要是全卖了能换辆车吗？看看我手上那些一共值多少",
    ),
    outcomes=(
        Outcome(
            fields=(("total_value", Result(900, 240_000)), ("gain_percent", Result(-30, 60, 1))),
            texts=("value {total_value}, change {gain_percent} %",),
            texts_zh=("市值{total_value}，涨跌{gain_percent}%",),
            answers=(
                "Your portfolio is worth {total_value}, a change of {gain_percent}%.",
                "It stands at {total_value} ({gain_percent}%).",
                "Altogether {total_value}; that's {gain_percent}%.",
            ),
            answers_zh=(
                "您的组合市值{total_value}，涨跌{gain_percent}%。",
                "总值{total_value}，收益率{gain_percent}%。",
                "目前{total_value}，变动{gain_percent}%。",
            ),
        ),
    ),
)

ORDER = Family(
    key="investing.order",
    names=("place_order", "trade_shares", "submit_stock_order", "create_trade"),
    about=(
        "Buy or sell shares.",
        "Places an order for shares of a company, with a price limit if wanted.",
        "Trades stocks. Does not tell prices.",
    ),
    about_zh=("买卖股票。", "按公司和股数下单，可设限价。", "提交交易委托，不查询行情。"),
    params=(
        Param(
            "side",
            Choice(
                {"buy": (("buy",), ("买入", "买")), "sell": (("sell",), ("卖出", "卖掉"))},
                ({"buy": "BUY", "sell": "SELL"},),
            ),
            ("side", "action", "direction"),
            ("Buy or sell",),
            ("买卖方向",),
        ),
        Param("company", COMPANY, ("company", "security", "stock"), ("Name of the company",), ("公司名称",)),
        Param("shares", Integer(1, 900), ("quantity", "shares", "number_of_shares"), ("How many shares",), ("股数",)),
        Param("limit", Cash(2, 900), ("limit_price", "limit"), ("Worst price to accept",), ("限价",), False),
    ),
    asks=(
        "{side} {shares} shares of {company}[, limit {limit}]",
        "Please {side} {shares} {company} shares[ at {limit} or better].",
        "I want to {side} {company}, {shares} shares[, limit price {limit}]",
        "{company}: {side} {shares}",
        Ask("Get rid of {shares} of my {company} shares[, limit {limit}].", {"side": "sell"}),
        Ask("Everybody talks about {company}. Get me {shares} shares[ with a limit of {limit}].", {"side": "buy"}),
        Ask("purchase {shares} {company} stocks", {"side": "buy"}),
        Ask(
            "I need cash for the roof, so {shares} {company} shares have to be sold[, limit {limit}]", {"side": "sell"}
        ),
        "could you {side} {shares} stocks of {company} for me",
        Ask(
            "Time to take profits: {shares} pieces of {company}, out with them[, not below {limit}].", {"side": "sell"}
        ),
    ),
    asks_zh=(
        "{side}{shares}股{company}[，限价{limit}]",
        "帮我{side}{company}{shares}股",
        "{company}，{side}，{shares}股[，限价{limit}]",
        Ask("大家都看好{company}，给我来{shares}股[，限价{limit}]", {"side": "buy"}),
        Ask("急用钱，把{company}抛掉{shares}股", {"side": "sell"}),
        Ask("{company}清一部分，出{shares}股[，不低于{limit}]", {"side": "sell"}),
        Ask("建仓{company}，{shares}股", {"side": "buy"}),
        Ask("加仓{shares}股{company}[，限价{limit}]", {"side": "buy"}),
        "下单{side}{company}，数量{shares}股",
        "我要{side}{shares}股{company}的股票[，价格限{limit}]",
        Ask("{company}涨够了，卖{shares}股落袋为安", {"side": "sell"}),
        Ask("我看{company}要涨，先上车{shares}股", {"side": "buy"}),
    ),
    outcomes=(
        Outcome(
            fields=(("order_id", Code(("OR-99999", "T9999999"))),),
            texts=("order {order_id} accepted",),
            texts_zh=("委托{order_id}已受理",),
            answers=(
                "The order for {shares} shares of {company} is placed: {order_id}.",
                "Order {order_id} is in.",
                "Done, the order number is {order_id}.",
            ),
            answers_zh=(
                "{company}{shares}股的委托已提交，编号{order_id}。",
                "下单成功，委托号{order_id}。",
                "已提交：{order_id}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "shares",
            ("{side} {company} shares for me.", "I'd like to {side} {company}"),
            ("How many shares?", "What quantity should I order?"),
            ("帮我{side}{company}。", "我要{side}{company}的股票"),
            ("请问多少股？", "数量是多少？"),
        ),
        Missing(
            "company",
            ("Please {side} {shares} shares.", "{side} {shares} stocks today"),
            ("Shares of which company?", "Which company do you mean?"),
            ("帮我{side}{shares}股。", "{side}{shares}股股票"),
            ("请问是哪家公司的股票？", "哪只股票？"),
        ),
    ),
    errors=("the market is closed", "not enough funds"),
)

DIVIDENDS = Family(
    key="investing.dividends",
    names=("dividend_history", "get_dividends", "payout_per_share", "dividend_info"),
    about=(
        "Dividends that a company paid.",
        "What a share pays out in a year.",
        "Dividend per share by company and year.",
    ),
    about_zh=("查询公司分红。", "某公司某年每股股息。"),
    params=(
        Param("company", COMPANY, ("company", "issuer", "company_name"), ("Name of the company",), ("公司",)),
        Param("year", year(1990, 2025), ("year", "fiscal_year"), ("Four digits",), ("年份",), False),
    ),
    asks=(
        "What dividend does {company} pay?",
        "how much did {company} give its shareholders per share",
        "{company} payout",
        "I'm thinking of living off {company}. What do they hand out a share?",
        "is {company} a good payer, what's the dividend",
        "Tell me the dividend of {company}, please",
        "do I get anything for just holding {company}?",
        "dividends {company}[ {year}]",
        "back in {year}, what did one share of {company} pay out",
        "My grandfather lived on {company} in {year}. How much was that per share?",
        "Aunt Vera swears by {company} because money arrives every spring. How much is it for one share?",
    ),
    asks_zh=(
        "{company}分红多少？",
        "拿着{company}每股能分多少钱",
        "{company}的股息",
        "想靠{company}吃利息，每股派多少",
        "{company}大方吗，一股分多少红",
        "查下{company}派息情况",
        "{company}给股东发多少",
        "持有{company}一年能拿多少股息？",
        "{company}分红记录看一下",
        "听说{company}派息高，到底多少",
        "{year}年{company}每股分了多少",
        "{company}{year}那年派息怎么样",
        "姑妈说{company}年年发钱，一股能拿多少",
    ),
    outcomes=(
        Outcome(
            fields=(("per_share", Result(0.1, 9, 2)), ("yield_percent", Result(0.5, 9, 1))),
            texts=("{per_share} per share, yield {yield_percent} %",),
            texts_zh=("每股{per_share}，股息率{yield_percent}%",),
            answers=(
                "{company} pays {per_share} per share, a yield of {yield_percent}%.",
                "The dividend is {per_share} a share.",
                "{per_share} per share ({yield_percent}%).",
            ),
            answers_zh=(
                "{company}每股派{per_share}，股息率{yield_percent}%。",
                "每股分红{per_share}。",
                "股息{per_share}，收益率{yield_percent}%。",
            ),
        ),
    ),
    missing=(
        Missing(
            "company",
            ("What's the dividend?", "how much do they pay out per share"),
            ("Of which company?", "Which company are you asking about?"),
            ("分红是多少？", "每股派息多少"),
            ("请问是哪家公司？", "查哪家公司的分红？"),
        ),
    ),
)

INDEX_LEVEL = Family(
    key="investing.index_level",
    names=("index_level", "market_index", "exchange_index", "index_quote"),
    about=(
        "Level of a stock index.",
        "Where an exchange index stands now.",
        "Index points and change of the day; no single shares.",
    ),
    about_zh=("查询股市指数。", "某指数当前点位和涨跌，不查个股。"),
    params=(
        Param("index", INDEX, ("index", "index_code", "symbol"), ("Which index",), ("指数",)),
        Param("day", Day(-30, -1), ("date", "as_of"), ("Past day",), ("日期",), False),
    ),
    asks=(
        "Where is the {index}?",
        "{index} today?",
        "How did the {index} close[ {day}]?",
        "is the {index} up or down",
        "They said on the radio that markets fell. What does the {index} say?",
        "how many points has the {index}[ {day}]",
        "show me the {index}[ for {day}]",
        "good day on the exchange? I only follow the {index}",
        "My pension hangs on the {index}, should I be worried[ about {day}]?",
    ),
    asks_zh=(
        "{index}现在多少点？",
        "{index}涨了没",
        "{index}[{day}]收在多少",
        "新闻说股市大跌，{index}怎么样",
        "看下{index}[，{day}的]",
        "今天大盘如何，我看{index}",
        "{index}点位",
        "{index}守住了吗，现在到多少点了",
        "帮我瞅一眼{index}",
        "[{day}]{index}行情怎么样",
        "养老钱都跟着{index}走，[{day}]没崩吧",
    ),
    outcomes=(
        Outcome(
            fields=(("points", Result(2_000, 42_000, 1)), ("change_percent", Result(-4, 4, 2))),
            texts=("{points} ({change_percent} %)",),
            texts_zh=("{points}点（{change_percent}%）",),
            answers=(
                "The {index} stands at {points}, {change_percent}% on the day.",
                "It's at {points} points ({change_percent}%).",
                "{points} points, a change of {change_percent}%.",
            ),
            answers_zh=(
                "{index}报{points}点，涨跌{change_percent}%。",
                "目前{points}点。",
                "{points}点，变动{change_percent}%。",
            ),
        ),
    ),
    missing=(
        Missing(
            "index",
            ("How's the stock market?", "where do the indices stand", "Did the exchange close higher?"),
            ("Which index do you mean?", "Which index should I look up?"),
            ("股市今天怎么样？", "大盘多少点"),
            ("请问看哪个指数？", "想查哪个指数？"),
        ),
    ),
    also=("finance.quote",),
)

SEND_CRYPTO = Family(
    key="investing.send_crypto",
    names=("send_crypto", "wallet_transfer", "transfer_coins", "withdraw_crypto"),
    about=(
        "Send coins to a wallet address.",
        "Transfers crypto from the user's wallet.",
        "Sends coins away; cannot be undone.",
    ),
    about_zh=("向钱包地址转出加密货币。", "从钱包发送代币，不可撤回。"),
    params=(
        Param("coin", COIN, ("coin", "asset", "currency"), ("Which coin",), ("币种",)),
        Param("amount", Plain(0.05, 40, 3), ("amount", "quantity", "coins"), ("How many coins",), ("数量",)),
        Param("address", ADDRESS, ("to_address", "address", "wallet"), ("Address that gets them",), ("收款地址",)),
        Param(
            "speed",
            Choice(
                {"slow": (("slow",), ("慢速",)), "normal": (("normal",), ("普通",)), "fast": (("fast",), ("快速",))}
            ),
            ("fee_level", "speed"),
            ("Fee level",),
            ("手续费档位",),
            False,
            "normal",
        ),
    ),
    asks=(
        "Send {amount} {coin} to {address}[, {speed} fee].",
        "transfer {amount} {coin} -> {address}",
        "My brother wants his {coin} back: {amount} to {address}.",
        "move {amount} {coin} out of my wallet to {address}[ with the {speed} fee]",
        "{address} should get {amount} {coin}[, {speed} speed]",
        "pay {amount} in {coin} to this wallet: {address}",
        "withdraw {amount} {coin}, address {address}[, {speed} transfer]",
        "I lost a bet, so {amount} {coin} go to {address}",
        "Pizza day! The cook takes {coin}: {amount}, and his wallet is {address}.",
    ),
    asks_zh=(
        "转{amount}个{coin}到{address}[，{speed}手续费]",
        "把{amount}{coin}发给{address}",
        "给{address}打{amount}个{coin}",
        "我弟要我还他{coin}，{amount}个，地址{address}",
        "从钱包转出{coin}，数量{amount}，收款地址{address}[，{speed}到账]",
        "{address}，{coin}，{amount}，转账",
        "打赌输了，{amount}个{coin}转到{address}",
        "提币：{coin} {amount}，到{address}[，用{speed}]",
        "麻烦往{address}转{amount}枚{coin}",
        "用{coin}付款，{amount}个，对方钱包{address}",
        "买披萨，老板收{coin}，{amount}个，钱包{address}，付了",
    ),
    outcomes=(
        Outcome(
            fields=(("transaction", Code(("txxxxxxxxx", "0xxxxxxxxx"))), ("fee", Result(0.001, 0.09, 3))),
            texts=("sent, transaction {transaction}, fee {fee}",),
            texts_zh=("已发送，交易{transaction}，手续费{fee}",),
            answers=(
                "Sent: transaction {transaction}, fee {fee}.",
                "{amount} {coin} are on their way to {address}.",
                "Done ({transaction}).",
            ),
            answers_zh=(
                "已转出，交易号{transaction}，手续费{fee}。",
                "{amount}个{coin}已发往{address}。",
                "转好了：{transaction}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "address",
            ("Send {amount} {coin}.", "I want to transfer {amount} {coin} to my brother"),
            ("To which address?", "What is the wallet address?"),
            ("转{amount}个{coin}。", "帮我发{amount}个{coin}给我弟"),
            ("请问转到哪个地址？", "收款钱包地址是什么？"),
        ),
    ),
)

SAVINGS_PLAN = Family(
    key="investing.savings_plan",
    names=("start_savings_plan", "recurring_investment", "create_fund_plan", "auto_invest"),
    about=(
        "Invest a sum regularly in a fund.",
        "Sets up a savings plan.",
        "Recurring purchase of a fund. Not for single orders.",
    ),
    about_zh=("设置基金定投。", "定期向基金投入固定金额。"),
    params=(
        Param("fund", FUND, ("fund", "fund_name", "product"), ("Name of the fund",), ("基金名称",)),
        Param("amount", Cash(10, 3_000), ("amount", "rate", "instalment"), ("Sum each time",), ("每期金额",)),
        Param("rhythm", RHYTHM, ("interval", "frequency", "every"), ("How often",), ("频率",)),
        Param("start", Day(1, 50), ("first_payment", "start_date"), ("First payment",), ("首次扣款日",), False),
    ),
    asks=(
        "Put {amount} into the {fund} fund {rhythm}[, first on {start}].",
        "savings plan: {fund}, {amount}, {rhythm}",
        "I want to save for our daughter: {amount} {rhythm} in {fund}[, starting {start}]",
        "{rhythm} {amount} should go into {fund}",
        "invest {amount} {rhythm} in the fund {fund}[ from {start}] automatically",
        "set up {fund} with {amount} {rhythm} please",
        "For my old age I'd like to lay aside {amount} {rhythm}, the fund is {fund}",
        "auto-invest {amount} / {rhythm} / {fund}",
        "If I don't see it I won't spend it: {amount} {rhythm}, straight into {fund}.",
    ),
    asks_zh=(
        "{rhythm}定投{amount}到{fund}[，{start}开始]。",
        "设个定投，{fund}，{rhythm}{amount}",
        "给女儿攒钱，{rhythm}往{fund}里放{amount}[，首期{start}]",
        "{fund}{rhythm}买{amount}",
        "想为养老做准备，{rhythm}投{amount}，买{fund}",
        "自动扣款{amount}，{rhythm}，投{fund}",
        "帮我开通{fund}的定投，{amount}，{rhythm}[，从{start}起]",
        "{fund}，{amount}，{rhythm}，定投安排上",
        "我打算{rhythm}拿{amount}出来定投{fund}",
        "{rhythm}固定存{amount}到{fund}，别让我忘了，直接设成自动",
        "看不见就不会乱花，{rhythm}先划{amount}去{fund}",
    ),
    outcomes=(
        Outcome(
            fields=(("plan_id", Code(("SP-9999", "P99999"))),),
            texts=("savings plan {plan_id} created",),
            texts_zh=("定投计划{plan_id}已建立",),
            answers=(
                "The plan is set up: {plan_id}.",
                "Done, {amount} goes into {fund} (plan {plan_id}).",
                "Savings plan {plan_id} runs.",
            ),
            answers_zh=(
                "定投已设好，编号{plan_id}。",
                "好了，{rhythm}投{amount}到{fund}。",
                "定投计划{plan_id}已生效。",
            ),
        ),
    ),
    missing=(
        Missing(
            "amount",
            ("I want to invest in {fund} {rhythm}.", "start a savings plan, {fund}, {rhythm}"),
            ("How much each time?", "What sum should I invest?"),
            ("想{rhythm}定投{fund}。", "开个{fund}的定投，{rhythm}"),
            ("请问每期投多少？", "每次金额是多少？"),
        ),
        Missing(
            "fund",
            ("Invest {amount} {rhythm} for me.", "put away {amount} {rhythm} in a fund"),
            ("Into which fund?", "Which fund do you want?"),
            ("{rhythm}帮我定投{amount}。", "{rhythm}存{amount}到基金里"),
            ("请问投哪只基金？", "买哪个基金？"),
        ),
    ),
)

DOMAIN = Domain(
    "investing",
    (PORTFOLIO, ORDER, DIVIDENDS, INDEX_LEVEL, SEND_CRYPTO, SAVINGS_PLAN),
    unserved=(
        ("Cancel the order I placed this morning.", "撤掉我早上下的单。"),
        ("Should I put my money in gold or bonds?", "我该买黄金还是债券？"),
        ("Open a depot for my grandson.", "给孙子开个证券账户。"),
        ("Recover the password of my crypto wallet.", "找回我加密钱包的密码。"),
        ("Who is the chief executive of Acme Motors?", "极光汽车的总裁是谁？"),
        ("Find a financial adviser near me.", "帮我找个附近的理财顾问。"),
        ("Print the tax statement of my bank.", "打印银行的税务证明。"),
        ("Stop the savings plan in January.", "一月份把定投停了。"),
        ("Lend me two hundred until Friday.", "借我两百，周五还。"),
        ("Explain what an option is.", "解释一下什么是期权。"),
        ("Buy a lottery ticket.", "买张彩票。"),
        ("When does the exchange open on holidays?", "节假日交易所几点开市？"),
    ),
)
