"""Accounts: balances, transfers, money sent to people, expenses, budgets, invoices."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, ListOf, Record, Word
from training.data.sums import Cash, Plain, Result
from training.data.times import Day
from training.data.world import Person

ACCOUNT = Choice(
    {
        "checking": (("checking account", "current account", "checking"), ("活期账户", "工资卡")),
        "savings": (("savings account", "savings"), ("储蓄账户", "存款账户")),
        "business": (("business account", "company account"), ("公司账户", "对公账户")),
        "joint": (("joint account", "shared account"), ("共同账户", "家庭账户")),
    },
    ({"checking": "CHECKING", "savings": "SAVINGS", "business": "BUSINESS", "joint": "JOINT"},),
)
CATEGORY = Choice(
    {
        "groceries": (("groceries", "food shopping"), ("买菜", "食品")),
        "eating_out": (("eating out", "restaurants"), ("餐饮", "下馆子")),
        "transport": (("transport", "getting around"), ("交通", "出行")),
        "rent": (("rent",), ("房租",)),
        "clothes": (("clothes", "clothing"), ("服装", "衣服")),
        "entertainment": (("entertainment", "fun"), ("娱乐",)),
        "health": (("health", "medicine"), ("医疗", "看病")),
        "travel": (("travel", "trips"), ("旅行", "旅游")),
    },
    ({"eating_out": "restaurants", "entertainment": "leisure"},),
)
NOTES = Word(
    (
        *("rent for May", "pizza last night", "birthday present", "concert tickets", "your half of the gas bill"),
        *("thanks for dinner", "piano lesson", "babysitting", "train to Lyon", "old bike", "class trip"),
        *("team lunch", "flowers for mum", "football boots", "deposit for the flat", "guitar strings", "ski pass"),
        *("wedding gift", "phone bill", "my share of the taxi", "two cinema tickets", "garden chairs", "cat food"),
        *("the bet I lost", "gym fee", "school books", "paint and brushes"),
    ),
    (
        *("五月房租", "昨晚的披萨", "生日礼物", "演唱会门票", "燃气费", "谢谢请客", "钢琴课", "保姆费", "火车票"),
        *("班级旅行", "团队午餐", "给妈妈买花", "球鞋", "租房押金", "滑雪票", "份子钱", "话费", "打车钱", "电影票"),
        *("猫粮", "健身卡", "课本费", "买油漆", "孩子学费", "水果钱"),
    ),
    quoted=0.5,
)

BALANCE = Family(
    key="accounts.balance",
    names=("account_balance", "check_balance", "get_balance", "balance_inquiry"),
    about=(
        "Balance of an account.",
        "How much money is in one of the user's accounts.",
        "Reads a balance; moves no money.",
    ),
    about_zh=("查询账户余额。", "看看某个账户里还有多少钱。"),
    params=(Param("account", ACCOUNT, ("account", "account_type", "which"), ("Which account",), ("账户",)),),
    asks=(
        "How much is in my {account}?",
        "balance of my {account}",
        "what's left in the {account}",
        "Can I still afford a weekend away? Look into my {account}.",
        "Did my pay arrive? Check how much the {account} holds.",
        "show me the balance, {account} please",
        "am I broke? I mean the {account}",
        "Tell me where my {account} stands.",
        "I want to know the current amount on the {account}.",
        "is there enough money on my {account}, what does it say",
    ),
    asks_zh=(
        "我的{account}还有多少钱？",
        "查一下{account}余额",
        "{account}里剩多少",
        "工资到了吗？看看{account}有多少钱",
        "想去旅游，{account}里钱还够吗？帮我看看余额",
        "{account}现在多少钱",
        "帮我看一眼{account}",
        "请告诉我{account}的余额",
    ),
    outcomes=(
        Outcome(
            fields=(("balance", Result(20, 20_000, 2)),),
            texts=("{balance}", "balance: {balance}"),
            texts_zh=("余额：{balance}",),
            answers=("There's {balance} in it.", "Balance of your {account}: {balance}.", "The balance is {balance}."),
            answers_zh=("余额是{balance}。", "您的{account}里有{balance}。", "还有{balance}。"),
        ),
    ),
    missing=(
        Missing(
            key="account",
            asks=("What's my balance?", "How much money do I have?", "check my balance please"),
            replies=("Which account do you mean?", "In which account should I look?"),
            asks_zh=("我还有多少钱？", "查下余额"),
            replies_zh=("请问查哪个账户？", "是哪个账户？"),
        ),
    ),
)

TRANSFER = Family(
    key="accounts.transfer",
    names=("transfer_between_accounts", "move_money", "internal_transfer", "account_transfer"),
    about=(
        "Move money between the user's own accounts.",
        "Internal transfer from one account to another.",
        "Transfers among own accounts. To pay other people use another tool.",
    ),
    about_zh=("在自己的账户之间转账。", "内部转账，不用于付款给别人。"),
    params=(
        Param("amount", Cash(5, 60_000), ("amount", "sum", "value"), ("How much",), ("金额",)),
        Param("source", ACCOUNT, ("from_account", "from", "source"), ("Account to take from",), ("转出账户",)),
        Param("target", ACCOUNT, ("to_account", "to", "destination"), ("Account to put into",), ("转入账户",)),
        Param("day", Day(0, 40), ("date", "on_date", "execute_on"), ("When, now if left out",), ("转账日期",), False),
    ),
    asks=(
        "Transfer {amount} from my {source} to my {target}[ on {day}].",
        "move {amount} from {source} to {target}[ {day}]",
        "Put {amount} into the {target}, take it from the {source}.",
        "I got paid! Shift {amount} over to {target} from {source}, please.",
        "take {amount} out of my {source} and add it to my {target}[, on {day}]",
        "my {target} is nearly empty, top it up with {amount} from the {source}",
        "{amount}, {source} to {target}[, {day}]",
        "From the {source} I'd like {amount} to go to the {target}[ on {day}].",
        "Could you send {amount} across from my {source} to the {target}?",
        "we need {amount} in our {target}, use the {source}",
    ),
    asks_zh=(
        "从{source}转{amount}到{target}[，{day}转]。",
        "把{amount}从{source}转到{target}",
        "{target}快没钱了，从{source}补{amount}进去",
        "[{day}]从{source}划{amount}到{target}",
        "发工资了，从{source}挪{amount}到{target}",
        "帮我转账，{source}转到{target}，{amount}",
        "往{target}里放{amount}，从{source}出",
        "请把{source}的{amount}转入{target}[，时间定在{day}]",
    ),
    outcomes=(
        Outcome(
            fields=(("reference", Code(("AA-99999", "TX999999"))),),
            texts=("done, reference {reference}",),
            texts_zh=("已转账，编号{reference}",),
            answers=(
                "I've moved {amount} to your {target}.",
                "Done: {amount} went over. The reference is {reference}.",
            ),
            answers_zh=("已把{amount}转到{target}。", "转好了，{amount}，编号{reference}。"),
        ),
    ),
    missing=(
        Missing(
            key="amount",
            asks=("Move some money from my {source} to my {target}.", "transfer from {source} to {target}"),
            replies=("How much should I transfer?", "What amount should I move?"),
            asks_zh=("从{source}转点钱到{target}。", "{source}转到{target}"),
            replies_zh=("请问转多少？", "要转多少钱？"),
        ),
        Missing(
            key="target",
            asks=("Transfer {amount} from my {source}.", "take {amount} out of the {source} and move it"),
            replies=("To which account?", "Where should the money go?"),
            asks_zh=("从{source}转{amount}。", "把{source}里的{amount}转走"),
            replies_zh=("请问转到哪个账户？", "转入哪个账户？"),
        ),
    ),
    errors=("insufficient funds", "the account is blocked"),
    fits=lambda drawn: drawn["source"].meaning != drawn["target"].meaning,
)

SEND = Family(
    key="accounts.send",
    names=("pay_person", "send_money", "wire_to_contact", "make_payment", "p2p_payment"),
    about=("Pay money to a person.", "Sends money to a contact, with a note if wanted.", "Payment to somebody else."),
    about_zh=("给别人转账付款。", "向联系人付款，可附留言。"),
    params=(
        Param("person", Person(), ("recipient", "payee", "contact", "to"), ("Who gets it",), ("收款人",)),
        Param("amount", Cash(2, 5_000), ("amount", "sum"), ("How much",), ("金额",)),
        Param("note", NOTES, ("note", "message", "reference", "memo"), ("What it is for",), ("备注",), False),
        Param("instant", Flag(), ("instant", "express"), ("Send at once",), ("是否实时到账",), False),
    ),
    asks=(
        "Send {person} {amount}[ with the note {note}].",
        "pay {person} {amount}[, note: {note}]",
        "I owe {person} {amount}, please pay it back[. Put {note} as the reference].",
        "{amount} to {person}[, {note}]",
        "Can you give {person} {amount} from me?",
        "wire {amount} to {person}[, message {note}]",
        Ask("{person} needs {amount} right away, make it an instant payment.", {"instant": True}),
        "Settle up with {person}: {amount}[, {note}].",
        "{person} paid for me yesterday, send {amount}[ and write {note}]",
        "let {person} have {amount}",
    ),
    asks_zh=(
        "给{person}转{amount}[，备注{note}]。",
        "转{amount}给{person}",
        "我欠{person}{amount}，帮我还了[，留言写{note}]",
        "付{person}{amount}[，用途：{note}]",
        "把{amount}打给{person}",
        Ask("{person}急用{amount}，实时到账转过去", {"instant": True}),
        "昨天{person}帮我垫了钱，转{amount}过去[，备注写{note}]",
        "向{person}付款{amount}",
    ),
    outcomes=(
        Outcome(
            fields=(("reference", Code(("P-999999", "AA999999"))),),
            texts=("sent, {reference}",),
            texts_zh=("已付款，{reference}",),
            answers=(
                "{person} has been sent {amount}.",
                "Done, {amount} is on its way to {person}.",
                "Paid: {reference}.",
            ),
            answers_zh=("已给{person}转了{amount}。", "付好了，编号{reference}。", "{amount}已经转给{person}。"),
        ),
    ),
    missing=(
        Missing(
            key="amount",
            asks=("Send {person} some money.", "Pay {person} back, please.", "I owe {person} money, pay it"),
            replies=("How much should {person} get?", "What amount should I send?"),
            asks_zh=("给{person}转点钱。", "帮我把欠{person}的钱还了"),
            replies_zh=("请问转多少给{person}？", "金额是多少？"),
        ),
        Missing(
            key="person",
            asks=("Send {amount} for me.", "I want to pay somebody {amount}."),
            replies=("Who should get it?", "To whom should I send it?"),
            asks_zh=("转{amount}出去。", "我要付{amount}"),
            replies_zh=("请问转给谁？", "收款人是谁？"),
        ),
    ),
    errors=("unknown recipient", "insufficient funds"),
)

EXPENSE = Family(
    key="accounts.expense",
    names=("log_expense", "record_spending", "add_expense", "track_expense"),
    about=("Write down an expense.", "Records spending in a category.", "Expense diary: it pays nothing."),
    about_zh=("记一笔支出。", "按类别记录花销，不会付款。"),
    params=(
        Param("amount", Cash(1, 3_000), ("amount", "cost", "spent"), ("How much was spent",), ("金额",)),
        Param("category", CATEGORY, ("category", "type", "bucket"), ("Kind of expense",), ("类别",)),
        Param("day", Day(-10, 0), ("date", "spent_on", "day"), ("Day, today if left out",), ("日期",), False),
    ),
    asks=(
        "I spent {amount} on {category}[ {day}].",
        "log {amount} for {category}[, {day}]",
        "put {amount} down under {category}",
        "Ouch, {amount} for {category} again[, that was {day}]. Write it down.",
        "note an expense of {amount}, category {category}[, date {day}]",
        "{category}: {amount}",
        "add {amount} to {category} in my spending diary[ for {day}]",
        "Please remember that {amount} went on {category}.",
        "for the books: {amount}, {category}[, {day}]",
        "My wallet is lighter by {amount}, it's {category}.",
    ),
    asks_zh=(
        "{category}花了{amount}[，{day}的]。",
        "记一笔：{category}{amount}",
        "[{day}]{category}支出{amount}，记一下",
        "又花了{amount}，{category}，记账",
        "帮我记账，{category}，{amount}[，{day}]",
        "{amount}，算在{category}里",
        "把{amount}记到{category}",
        "记个账：{category}{amount}",
    ),
    outcomes=(
        Outcome(
            fields=(("month_total", Result(50, 3_000, 2)),),
            texts=("saved; {month_total} this month",),
            texts_zh=("已记录，本月共{month_total}",),
            answers=(
                "Noted: {amount} for {category}. That makes {month_total} this month.",
                "I've written down {amount}.",
            ),
            answers_zh=("记好了，{category}{amount}，本月共{month_total}。", "已记录{amount}。"),
        ),
    ),
    missing=(
        Missing(
            key="category",
            asks=("I spent {amount}, write it down.", "log an expense of {amount}"),
            replies=("What was it for?", "Which category does it belong to?"),
            asks_zh=("我花了{amount}，记一下。", "记一笔{amount}的支出"),
            replies_zh=("请问花在什么上面？", "属于哪个类别？"),
        ),
    ),
    also=("office.report_expense",),
)

BUDGET = Family(
    key="accounts.budget",
    names=("set_budget", "spending_limit", "define_budget", "budget_for_category"),
    about=("Set a budget for a kind of spending.", "Puts a monthly or weekly limit on a category.", "Budget planner."),
    about_zh=("设置某类支出的预算。", "给一个类别设定每周或每月的花费上限。"),
    params=(
        Param("category", CATEGORY, ("category", "area", "type"), ("Kind of spending",), ("类别",)),
        Param("amount", Cash(20, 5_000), ("limit", "amount", "budget"), ("The limit",), ("上限",)),
        Param(
            "period",
            Choice(
                {
                    "week": (("a week", "per week", "weekly"), ("每周", "一周")),
                    "month": (("a month", "per month", "monthly"), ("每月", "一个月")),
                },
                ({"week": "weekly", "month": "monthly"},),
            ),
            ("period", "per", "interval"),
            ("Period of the limit",),
            ("周期",),
            required=False,
        ),
    ),
    asks=(
        "Set a budget of {amount}[ {period}] for {category}.",
        "I don't want to spend more than {amount}[ {period}] on {category}",
        "limit {category} to {amount}[ {period}]",
        "{category} budget: {amount}[ {period}]",
        "We waste too much on {category}. {amount}[ {period}] has to do from now on.",
        "cap my {category} spending at {amount}[ {period}]",
        "From now on only {amount}[ {period}] for {category}, please keep watch.",
        "give {category} a ceiling of {amount}[ {period}]",
        "I'd like to plan {amount}[ {period}] for {category}.",
        "make it {amount} {period} for {category}, that's the new limit",
    ),
    asks_zh=(
        "{category}预算设成[{period}]{amount}。",
        "{category}[{period}]最多花{amount}",
        "把{category}的预算定为{amount}",
        "以后{category}[{period}]控制在{amount}以内",
        "给{category}设个上限，[{period}]{amount}",
        "{category}花太多了，[{period}]只能用{amount}",
        "计划{category}[{period}]花{amount}",
        "{category}限额{amount}[，{period}]",
    ),
    outcomes=(
        Outcome(
            fields=(("left", Result(10, 900, 2)),),
            texts=("budget saved, {left} left",),
            texts_zh=("预算已保存，还剩{left}",),
            answers=("The budget for {category} is set to {amount}.", "Saved. You have {left} left."),
            answers_zh=("{category}预算已设为{amount}。", "设好了，还剩{left}可用。"),
        ),
    ),
    missing=(
        Missing(
            key="amount",
            asks=("Set a budget for {category}.", "I want to spend less on {category}, put a limit on it."),
            replies=("How high should the limit be?", "How much may it be?"),
            asks_zh=("给{category}设个预算。", "我想限制{category}的开销"),
            replies_zh=("预算设多少？", "请问上限是多少？"),
        ),
    ),
)

ITEM = Record(
    "{quantity} {description} at {price} each",
    "{quantity}个{description}单价{price}",
    {
        "description": Word(
            (
                *(
                    "logos",
                    "web pages",
                    "posters",
                    "translations",
                    "photo prints",
                    "chairs",
                    "training hours",
                    "cables",
                ),
                *("business cards", "garden visits", "lamps", "video clips", "cakes", "test reports", "windows"),
            ),
            ("标志设计", "网页", "海报", "译文", "照片", "椅子", "课时", "名片", "视频", "蛋糕", "报告", "台灯"),
        ),
        "quantity": Plain(2, 40),
        "price": Plain(3, 400, 2),
    },
)

INVOICE = Family(
    key="accounts.invoice",
    names=("create_invoice", "bill_customer", "new_invoice", "draft_invoice"),
    about=(
        "Create an invoice for a customer.",
        "Writes an invoice with its items.",
        "Bills a client; it collects no money.",
    ),
    about_zh=("给客户开发票。", "按明细生成账单。"),
    params=(
        Param("customer", Person(0.8), ("customer", "client", "bill_to"), ("Who is billed",), ("客户",)),
        Param("items", ListOf(ITEM, 1, 3), ("items", "lines", "positions"), ("What is billed",), ("明细",)),
        Param("due", Day(7, 60), ("due_date", "payable_by"), ("Due day",), ("付款期限",), False),
    ),
    asks=(
        "Invoice {customer} for {items}[, due {due}].",
        "make out a bill to {customer}: {items}[. Payable by {due}]",
        "Please write an invoice for {customer} with {items}.",
        "{customer} ordered {items}, bill it[, due on {due}]",
        "I delivered {items} to {customer}. Draft the invoice[ with due date {due}].",
        "new invoice, customer {customer}, lines: {items}[, due {due}]",
        "charge {customer} for {items}",
        "The job for {customer} is done, put {items} on the invoice.",
        "could you prepare the bill for {customer}, it's {items}[, to be paid by {due}]",
        "bill {customer}: {items}",
    ),
    asks_zh=(
        "给{customer}开发票：{items}[，{due}前付款]。",
        "{customer}订了{items}，开个账单",
        "帮我给{customer}出一张账单，{items}[，付款期限{due}]",
        "新发票，客户{customer}，明细{items}",
        "{customer}的活干完了，按{items}开票[，{due}到期]",
        "向{customer}收款，开票内容：{items}",
        "我给{customer}交了{items}，写张发票",
        "开票给{customer}，{items}[，{due}到期]",
    ),
    outcomes=(
        Outcome(
            fields=(("number", Code(("INV-9999", "2026-9999", "R99999"))), ("total", Result(50, 9_000, 2))),
            texts=("invoice {number}, total {total}",),
            texts_zh=("发票{number}，合计{total}",),
            answers=(
                "Invoice {number} for {customer} is ready; it comes to {total}.",
                "Done: {number}, {total} in all.",
            ),
            answers_zh=("发票{number}已开给{customer}，合计{total}。", "开好了，编号{number}，共{total}。"),
        ),
    ),
    missing=(
        Missing(
            key="items",
            asks=("Write an invoice for {customer}.", "Bill {customer}, please."),
            replies=("What should be on the invoice?", "What do you want to bill {customer} for?"),
            asks_zh=("给{customer}开张发票。", "帮我给{customer}出账单"),
            replies_zh=("请问开票内容是什么？", "发票上写哪些项目？"),
        ),
    ),
    also=("office.create_invoice",),
)

DOMAIN = Domain(
    "accounts",
    (BALANCE, TRANSFER, SEND, EXPENSE, BUDGET, INVOICE),
    unserved=(
        ("Open a new account in my name.", "帮我新开一个账户。"),
        ("Change the PIN of my card.", "修改我银行卡的密码。"),
        ("Block the stolen card.", "把被偷的卡挂失。"),
        ("Order a second card for my wife.", "给我太太办一张副卡。"),
        ("Increase my overdraft.", "提高我的透支额度。"),
        ("Apply for a credit card with miles.", "申请一张能攒里程的信用卡。"),
        ("Dispute the charge from last night.", "昨晚那笔扣款不对，帮我申诉。"),
        ("Show me a receipt for the coffee machine.", "把咖啡机的收据给我看看。"),
        ("Close my old joint account.", "注销我旧的共同账户。"),
        ("How do banks make money?", "银行是怎么赚钱的？"),
        ("Cancel the standing order for the gym.", "把健身房的自动扣款取消。"),
        ("Order a new chequebook.", "申请一本新支票簿。"),
        ("What fees does a foreign transfer cost?", "跨国汇款手续费是多少？"),
    ),
)
