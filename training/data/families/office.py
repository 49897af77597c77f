"""Office life: leave, rooms, invoices, expenses, hours, colleagues, customers."""

from collections.abc import Mapping

from training.data.family import Domain, Drawn, Family, Missing, Outcome, Param
from training.data.kinds import Amount, Choice, Code, Decimal, Integer, ListOf, Record, Word
from training.data.times import Clock, Day
from training.data.wordings import composed, distinct, named_day, pool
from training.data.world import Person

COMPANY = composed(
    ("{name} {kind}", "{name} & {other}", "{name} {kind}"),
    ("{name}{kind}",),
    {
        "name": pool(
            """Northwind | Bluebird | Hartmann | Solano | Ferro | Lakeside | Kestrel | Orbital | Maple Street
            Ostrava"""
        ),
        "kind": pool("Ltd | Foods | Logistics | GmbH | Studios | Energy | Partners | Textiles | Robotics"),
        "other": pool("Sons | Daughters | Stein | Costa | Co"),
    },
    {
        "name": pool("北风 | 蓝鸟 | 远山 | 临江 | 星海 | 启明 | 华源 | 枫叶"),
        "kind": pool("科技 | 食品 | 物流 | 能源 | 文化 | 纺织 | 贸易公司"),
    },
)
LEAVE = Choice(
    {
        "vacation": (("vacation", "holiday", "annual leave"), ("年假", "休假")),
        "sick": (("sick leave",), ("病假",)),
        "unpaid": (("unpaid leave",), ("无薪假", "事假")),
        "parental": (("parental leave",), ("育儿假", "陪产假")),
    },
    (
        {"vacation": "annual", "sick": "sickness"},
        {"vacation": "VACATION", "sick": "SICK", "unpaid": "UNPAID", "parental": "PARENTAL"},
    ),
)
EQUIPMENT = Word(
    pool("a projector | a whiteboard | video conferencing | a phone | a flip chart | a large screen | microphones"),
    pool("投影仪 | 白板 | 视频会议设备 | 电话 | 大屏幕 | 话筒 | 翻页板"),
)
GOODS = Word(
    pool(
        """desk lamps | website design | consulting hours | office chairs | boxes of paper | training days
        ink cartridges | flower deliveries | hours of cleaning | photo prints | translation pages | keyboards
        coffee beans | monitors"""
    ),
    pool(
        """台灯 | 网站设计 | 咨询服务 | 办公椅 | 打印纸 | 培训 | 墨盒 | 鲜花配送 | 保洁服务 | 翻译 | 键盘 | 咖啡豆
        显示器"""
    ),
)
ITEM = Record(
    "{quantity} {description} at {unit_price} each",
    "{quantity}份{description}（单价{unit_price}元）",
    {"description": GOODS, "quantity": Integer(2, 60), "unit_price": Amount(1, 900)},
)
SPENDING = Choice(
    {
        "travel": (("travel", "train tickets", "a taxi"), ("差旅", "打车", "火车票")),
        "meals": (("meals", "a team lunch", "dinner with a client"), ("餐费", "团队午餐", "请客户吃饭")),
        "lodging": (("a hotel", "lodging"), ("住宿", "酒店")),
        "supplies": (("office supplies", "stationery"), ("办公用品", "文具")),
        "training": (("a course", "training"), ("培训", "课程")),
    },
    ({"travel": "TRAVEL", "meals": "MEALS", "lodging": "LODGING", "supplies": "SUPPLIES", "training": "TRAINING"},),
)
PROJECT = Word(
    pool(
        """Apollo | website relaunch | Project Falcon | payroll migration | Atlas | the Hansen account
        warehouse app | Orion | annual audit"""
    ),
    pool("阿波罗 | 官网改版 | 猎鹰项目 | 薪资系统迁移 | 仓库小程序 | 年度审计 | 银河计划 | 数据中台 | 新店筹备"),
)


def _in_order(drawn: Mapping[str, Drawn]) -> bool:
    return "first" not in drawn or "last" not in drawn or drawn["first"].meaning < drawn["last"].meaning


REQUEST_LEAVE = Family(
    key="office.request_leave",
    names=("request_leave", "apply_for_time_off", "submit_absence", "create_leave_request"),
    about=(
        "Ask for days off.",
        "Sends a leave request from a first to a last day.",
        "Leave requests. Not for public holidays.",
    ),
    about_zh=("提交请假申请。", "申请从某天到某天休假。"),
    params=(
        Param("kind", LEAVE, ("leave_type", "type", "kind"), ("Kind of leave",), ("假期类型",)),
        Param("first", named_day(0, 40), ("start_date", "from_date", "first_day"), ("First day off",), ("开始日期",)),
        Param("last", named_day(1, 60), ("end_date", "to_date", "last_day"), ("Last day off",), ("结束日期",)),
        Param("cover", Person(), ("substitute", "covered_by", "stand_in"), ("Who stands in",), ("代班人",), False),
    ),
    asks=(
        "I'd like to take {kind} from {first} to {last}[, {cover} covers for me].",
        "request {kind} from {first} until {last}",
        "put me down for {kind}, first day {first}, last day {last}[, stand-in {cover}]",
        "My family is visiting, so I need {kind} from {first} through {last}.",
        "{kind} please: {first} to {last}[. {cover} takes over my work]",
        "can you hand in {kind} for me? it starts {first} and ends {last}",
        "I won't be in from {first} to {last}, that's {kind}[; {cover} will fill in]",
        "apply for {kind}, {first} - {last}",
        "Please file {kind} for me starting {first} and lasting until {last}.",
        "hi, from {first} to {last} i want to be off ({kind})",
    ),
    asks_zh=(
        "我想请{kind}，从{first}到{last}[，{cover}代班]。",
        "帮我申请{first}到{last}的{kind}",
        "{first}开始休{kind}，{last}结束[，工作交给{cover}]",
        "家里来人，{first}到{last}要请{kind}",
        "请假：{kind}，{first}至{last}",
        "{first}到{last}我不在公司，算{kind}[，{cover}替我]",
        "提交{kind}申请，起止时间{first}到{last}",
        "麻烦给我报一下{kind}，{first}起，到{last}为止",
    ),
    outcomes=(
        Outcome(
            fields=(("request_id", Code(("LR-9999", "99999"))), ("sent_to", Person(1.0))),
            texts=("request {request_id} sent to {sent_to}",),
            texts_zh=("申请{request_id}已提交给{sent_to}",),
            answers=("Your request {request_id} went to {sent_to}.", "Done: {sent_to} has your request {request_id}."),
            answers_zh=("申请{request_id}已提交给{sent_to}。", "好了，单号{request_id}，由{sent_to}审批。"),
        ),
    ),
    missing=(
        Missing(
            key="last",
            asks=("I want {kind} starting {first}.", "request {kind} from {first} please"),
            replies=("Until which day?", "What is your last day off?"),
            asks_zh=("我{first}开始休{kind}。", "从{first}起请{kind}"),
            replies_zh=("请问休到哪天？", "假期到哪一天结束？"),
        ),
        Missing(
            key="kind",
            asks=("I need to be off from {first} to {last}.", "book leave for me from {first} to {last}"),
            replies=("What kind of leave is it?", "Which kind: vacation, sick, unpaid or parental leave?"),
            asks_zh=("我{first}到{last}要请假。", "帮我请{first}到{last}的假"),
            replies_zh=("请问是哪种假？", "请的是什么类型的假？"),
        ),
    ),
    errors=("you have no days left", "these days overlap with another request"),
    fits=_in_order,
)

BOOK_ROOM = Family(
    key="office.book_room",
    names=("book_meeting_room", "reserve_room", "room_booking", "get_conference_room"),
    about=(
        "Book a meeting room.",
        "Finds and reserves a room for a number of people.",
        "Rooms in the office; invites nobody.",
    ),
    about_zh=("预订会议室。", "按人数和时间预留会议室，不发邀请。"),
    params=(
        Param("people", Integer(2, 30), ("attendees", "people", "capacity", "seats"), ("How many people",), ("人数",)),
        Param("day", Day(0, 20), ("date", "day"), ("Day of the meeting",), ("日期",)),
        Param("start", Clock(8, 11), ("start_time", "from_time", "start"), ("When it starts",), ("开始时间",)),
        Param("end", Clock(13, 19), ("end_time", "until", "end"), ("When it ends",), ("结束时间",)),
        Param(
            "equipment",
            ListOf(EQUIPMENT, 1, 3),
            ("equipment", "features"),
            ("What must be there",),
            ("所需设备",),
            False,
        ),
    ),
    asks=(
        "I need a room for {people} people on {day} from {start} to {end}[, with {equipment}].",
        "book a meeting room {day}, {start} to {end}, {people} persons[, we need {equipment}]",
        "We're {people} people and want to sit together {day} between {start} and {end}.",
        "is there a room for {people} on {day} from {start} until {end}? please take it",
        "{people} seats, {day}, {start} - {end}[, {equipment}]",
        "get us a conference room on {day}: start {start}, end {end}, {people} of us",
        "{people} people are coming {day}, from {start} to {end}. Find us a room[ that has {equipment}].",
        "reserve a room from {start} to {end} on {day} for {people} people",
        "where can {people} of us meet on {day} from {start} until {end}?[ we need {equipment}.] please book it",
        "workshop on {day}, {people} participants, {start} to {end}, we have no room yet",
    ),
    asks_zh=(
        "订一间{people}人的会议室，{day}{start}到{end}[，要有{equipment}]。",
        "{day}{start}到{end}，{people}个人开会，找个房间",
        "我们{people}个人{day}要碰一下，{start}开始，{end}结束，订个会议室[，需要{equipment}]",
        "预定会议室：{day}，{start}到{end}，{people}人",
        "{day}客户过来，一共{people}人，从{start}到{end}，安排个会议室",
        "帮忙留个会议室，{people}人用，时间{day}{start}至{end}",
        "{day}从{start}到{end}有没有能坐{people}个人的会议室？帮我订上",
        "{day}有个培训，{people}人参加，{start}到{end}，还没有场地",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "room",
                    Word(
                        pool("Oak | Room 204 | Lisbon | Aquarium | B12 | Everest"),
                        pool("204室 | 泰山厅 | B12 | 西湖厅 | 三号会议室"),
                    ),
                ),
            ),
            texts=("{room} booked",),
            texts_zh=("已预订{room}",),
            answers=("You have {room}.", "Booked: {room} for {people} people."),
            answers_zh=("已订好{room}。", "订的是{room}，可坐{people}人。"),
        ),
    ),
    missing=(
        Missing(
            key="people",
            asks=("Book a meeting room on {day} from {start} to {end}.", "i need a room {day}, {start} to {end}"),
            replies=("For how many people?", "How many people will be there?"),
            asks_zh=("订个会议室，{day}{start}到{end}。", "{day}{start}到{end}要一间会议室"),
            replies_zh=("请问有多少人？", "一共几个人？"),
        ),
        Missing(
            key="day",
            asks=(
                "Book a room for {people} people from {start} to {end}.",
                "room for {people}, {start} until {end} please",
            ),
            replies=("On which day?", "Which day do you need it?"),
            asks_zh=("订间{people}人的会议室，{start}到{end}。", "{people}人开会，{start}到{end}，订个房间"),
            replies_zh=("请问是哪一天？", "哪天要用？"),
        ),
    ),
    errors=("no room of that size is free",),
)

INVOICE = Family(
    key="office.create_invoice",
    names=("create_invoice", "make_invoice", "bill_customer", "issue_invoice"),
    about=(
        "Write an invoice.",
        "Bills a customer for a list of items.",
        "Creates an invoice; payment is not collected here.",
    ),
    about_zh=("开具发票。", "按项目清单给客户开账单。"),
    params=(
        Param("customer", COMPANY, ("customer", "client", "bill_to"), ("Who pays",), ("客户",)),
        Param("items", ListOf(ITEM, 1, 3), ("items", "line_items", "positions"), ("What is billed",), ("明细",)),
        Param(
            "due",
            Integer(7, 60),
            ("due_in_days", "payment_days"),
            ("Days until it is due",),
            ("付款期限（天）",),
            False,
        ),
    ),
    asks=(
        "Bill {customer} for {items}[, due in {due} days].",
        "write an invoice to {customer}: {items}",
        "{customer} bought {items}. Please invoice that[, payable within {due} days].",
        "new invoice, customer {customer}, items {items}",
        "We delivered {items} to {customer}, time to send the bill[, {due} days to pay].",
        "make out a bill for {customer} over {items}",
        "invoice for {customer} please, that was {items}",
        "could you charge {customer} for {items}[? payment target {due} days]",
        "{customer} still owes us for {items}, get the paperwork out",
        "the job for {customer} is finished, that makes {items}[, net {due} days]. write it up",
    ),
    asks_zh=(
        "给{customer}开发票：{items}[，{due}天内付款]。",
        "{customer}买了{items}，开个账单",
        "开票，客户{customer}，明细是{items}",
        "我们给{customer}送了{items}，该收钱了，开张发票[，账期{due}天]",
        "为{customer}做一张发票，项目有{items}",
        "把{items}开给{customer}，发票",
        "{customer}的活干完了，一共{items}，把单据开出来[，{due}天付清]",
        "{customer}还欠我们{items}的钱，出张发票",
        "向{customer}收款，{items}",
    ),
    outcomes=(
        Outcome(
            fields=(("number", Code(("INV-9999", "2026-9999"))),),
            texts=("invoice {number} written",),
            texts_zh=("发票{number}已开",),
            answers=("Invoice {number} is ready for {customer}.", "Done, {customer} gets invoice {number}."),
            answers_zh=("给{customer}的发票{number}已开好。", "开好了，编号{number}。"),
        ),
    ),
    missing=(
        Missing(
            key="items",
            asks=("Write an invoice to {customer}.", "bill {customer} please"),
            replies=("What should {customer} be billed for?", "Which items go on the invoice?"),
            asks_zh=("给{customer}开张发票。", "{customer}要开票"),
            replies_zh=("请问开哪些项目？", "发票明细是什么？"),
        ),
    ),
    fits=distinct("items", "description"),
    also=("accounts.invoice",),
)

EXPENSE = Family(
    key="office.report_expense",
    names=("report_expense", "submit_expense", "claim_expense", "add_expense_claim"),
    about=(
        "Report money you spent for work.",
        "Files an expense to be paid back.",
        "Expenses of staff, not invoices to customers.",
    ),
    about_zh=("提交报销。", "登记因公垫付的费用。"),
    params=(
        Param("amount", Amount(10, 3000), ("amount", "sum", "total"), ("How much",), ("金额",)),
        Param("category", SPENDING, ("category", "type", "expense_type"), ("What for",), ("类别",)),
        Param("day", Day(-20, 0), ("date", "spent_on", "day"), ("When it was spent",), ("日期",), False),
        Param("project", PROJECT, ("project", "cost_center"), ("Project to charge",), ("所属项目",), False),
    ),
    asks=(
        "I spent {amount} euros on {category}[ {day}][, charge it to {project}].",
        "expense: {category}, {amount}[, project {project}]",
        "please get me back the {amount} dollars I paid for {category}[ on {day}]",
        "I paid {amount} for {category} out of my own pocket[ {day}]",
        "file {amount} pounds for {category}[ under {project}]",
        "{amount} euros went on {category}[ {day}], can you submit that?",
        "claim {amount} for {category}[, dated {day}]",
        "Boss said I can hand in {category}: {amount} francs[, it's for {project}].",
        "I'm {amount} euros poorer because of {category}[ on {day}], the company should pay that",
        "receipt for {category}, {amount} dollars, please hand it in[ for {project}]",
    ),
    asks_zh=(
        "报销{category}，{amount}元[，{day}花的]。",
        "[{day}]我垫了{amount}块{category}费用，帮我报一下",
        "{category}花了{amount}元[，算在{project}上]",
        "提交一笔报销：{category}，{amount}",
        "自己掏了{amount}元，是{category}[，项目{project}]，要报账",
        "{amount}元的{category}可以报吧？帮我提交[，日期{day}]",
        "{category}发票，{amount}元，帮我交上去[，{project}项目]",
        "为公司垫付{category}共{amount}元[，{day}]",
    ),
    outcomes=(
        Outcome(
            fields=(("claim", Code(("EX-9999", "C99999"))),),
            texts=("claim {claim} filed",),
            texts_zh=("报销单{claim}已提交",),
            answers=("Your claim {claim} is filed.", "Done, the claim number is {claim}."),
            answers_zh=("报销单{claim}已提交。", "好了，单号{claim}。"),
        ),
    ),
    missing=(
        Missing(
            key="amount",
            asks=("I want to claim {category}.", "File an expense for {category}[ on {day}]."),
            replies=("How much was it?", "What did you pay?"),
            asks_zh=("我要报销{category}。", "[{day}的]{category}帮我报一下"),
            replies_zh=("请问金额是多少？", "花了多少钱？"),
        ),
    ),
    also=("accounts.expense",),
)

HOURS = Family(
    key="office.log_hours",
    names=("log_hours", "add_timesheet_entry", "record_work_time", "book_hours"),
    about=("Note hours worked on a project.", "Adds an entry to the time sheet.", "Time sheet entry. Not for leave."),
    about_zh=("登记项目工时。", "在工时表中添加一条记录。"),
    params=(
        Param("project", PROJECT, ("project", "project_name", "job"), ("Which project",), ("项目",)),
        Param(
            "hours", Decimal(1.5, 10, 1), ("hours", "time_spent", "duration_hours"), ("How many hours",), ("小时数",)
        ),
        Param("day", Day(-10, 0), ("date", "day", "worked_on"), ("When",), ("日期",), False),
    ),
    asks=(
        "Log {hours} hours on {project}[ for {day}].",
        "I worked {hours} h on {project}[ {day}]",
        "put {hours} hours down for {project}",
        "time sheet: {project}, {hours} hours[, {day}]",
        "[{day}: ]{project} kept me busy for {hours} hours, note that please",
        "add {hours} hours of work on {project} to my sheet[, date {day}]",
        "{hours} hours {project}[ {day}]",
        "Before I forget: I sat {hours} hours over {project}[ {day}].",
        "what a day: {hours} hours of nothing but {project}[ on {day}], write that down",
        "my boss wants to see {hours} h under {project}[, {day}]",
    ),
    asks_zh=(
        "给{project}记{hours}小时[，{day}的]。",
        "[{day}]我在{project}上干了{hours}个小时",
        "工时登记：{project}，{hours}小时",
        "[{day}]{project}花了我{hours}小时，记一下",
        "{project}加{hours}小时工时[，日期{day}]",
        "别忘了把{project}的{hours}小时填进工时表",
        "[{day}]一直忙{project}，{hours}个小时，登记上",
        "工时系统里{project}填{hours}小时[，{day}]",
    ),
    outcomes=(
        Outcome(
            fields=(("week_total", Decimal(11, 45, 1)),),
            texts=("saved, {week_total} hours this week",),
            texts_zh=("已保存，本周共{week_total}小时",),
            answers=(
                "Noted. You have {week_total} hours this week.",
                "{project} is logged; {week_total} hours this week in all.",
            ),
            answers_zh=("已登记，本周一共{week_total}小时。", "记好了，本周合计{week_total}小时。"),
        ),
    ),
    missing=(
        Missing(
            key="hours",
            asks=("Log my time on {project}.", "I worked on {project}, put it in the time sheet"),
            replies=("How many hours?", "How long did you work on {project}?"),
            asks_zh=("给{project}登记工时。", "我做了{project}，记到工时表里"),
            replies_zh=("请问几个小时？", "做了多长时间？"),
        ),
        Missing(
            key="project",
            asks=("Log {hours} hours for me.", "put down {hours} hours"),
            replies=("For which project?", "Which project was it?"),
            asks_zh=("帮我记{hours}小时工时。", "登记{hours}个小时"),
            replies_zh=("请问是哪个项目？", "记在哪个项目上？"),
        ),
    ),
)

DOMAIN = Domain(
    "office",
    (REQUEST_LEAVE, BOOK_ROOM, INVOICE, EXPENSE, HOURS),
    unserved=(
        ("How many days of leave do I have left?", "我还剩几天年假？"),
        ("Raise my salary by ten percent.", "给我涨百分之十的工资。"),
        ("Order sandwiches for the meeting.", "给会议订些三明治。"),
        ("Approve Marta's leave request.", "批准马丽的请假申请。"),
        ("Remind the customer that the invoice is overdue.", "催客户付逾期的发票。"),
        ("The coffee machine on our floor is broken.", "我们楼层的咖啡机坏了。"),
        ("Print me a new name badge.", "给我打印一张新工牌。"),
        ("Cancel the room that Jonas booked.", "把小周订的会议室取消。"),
        ("Write the minutes of this morning's meeting.", "把今早的会议写成纪要。"),
        ("Who has a birthday in our office this month?", "这个月公司谁过生日？"),
        ("Get me a parking space in the garage.", "给我申请一个车位。"),
        ("Send my tax form to the payroll office.", "把我的税表交给薪资部门。"),
        ("Hire two more interns for the summer.", "夏天再招两个实习生。"),
    ),
)
