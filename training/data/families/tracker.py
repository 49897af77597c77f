"""Tickets, customers, colleagues and candidates: records that a company keeps."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Amount, Choice, Code, ListOf, Word
from training.data.times import Day
from training.data.wordings import PRIORITY, TEAM, composed, pool
from training.data.world import Email, Person, Phone

TITLE = composed(
    ("{thing} {trouble}", "{thing} {trouble} on {where}", "{thing} {trouble} after the update"),
    ("{thing}{trouble}", "{where}上{thing}{trouble}", "更新后{thing}{trouble}"),
    {
        "thing": pool(
            """Login page | Search box | PDF export | Checkout button | Printer queue | Calendar sync
            Password reset | Menu bar"""
        ),
        "trouble": pool(
            """crashes | shows an empty page | is very slow | loses data | has the wrong colour | sends no mail"""
        ),
        "where": pool("phones | tablets | Safari | old laptops | Linux"),
    },
    {
        "thing": pool("登录页 | 搜索框 | PDF导出 | 结算按钮 | 打印队列 | 日历同步 | 密码重置 | 菜单栏"),
        "trouble": pool("崩溃 | 显示空白 | 特别慢 | 丢数据 | 颜色不对 | 收不到邮件"),
        "where": pool("手机 | 平板 | Safari | 旧电脑 | Linux"),
    },
    quoted=0.6,
)
LABEL = Word(
    pool("backend | ui | regression | security | docs | mobile | billing | quick-win | customer | performance"),
    pool("后端 | 界面 | 回归 | 安全 | 文档 | 移动端 | 计费 | 性能 | 客户反馈"),
)
TICKET = Code(("BUG-999", "PROJ-9999", "#9999", "TCK-99999", "OPS-99", "999999"))
STATUS = Choice(
    {
        "open": (("open",), ("待处理", "未解决")),
        "in_progress": (("in progress", "being worked on"), ("处理中", "进行中")),
        "in_review": (("in review",), ("待审核", "审核中")),
        "done": (("done", "finished"), ("已完成", "完成")),
    },
    (
        {"open": "OPEN", "in_progress": "IN_PROGRESS", "in_review": "IN_REVIEW", "done": "DONE"},
        {"open": "todo", "in_progress": "doing", "in_review": "review"},
    ),
)
STAGE = Choice(
    {
        "screening": (("screening",), ("初筛", "简历筛选")),
        "interview": (("the interview stage", "interview"), ("面试",)),
        "offer": (("the offer stage", "offer"), ("发offer", "录用通知")),
        "rejected": (("rejected",), ("淘汰", "不合适")),
    },
    ({"screening": "SCREENING", "interview": "INTERVIEW", "offer": "OFFER", "rejected": "REJECTED"},),
)
CREATE = Family(
    key="tracker.create_ticket",
    names=("create_ticket", "open_issue", "report_bug", "new_ticket", "file_issue"),
    about=(
        "Open a ticket.",
        "Reports a bug or a task with a title and a priority.",
        "New tickets only; to change one use another tool.",
    ),
    about_zh=("新建工单。", "提交缺陷或任务，含标题和优先级。"),
    params=(
        Param("title", TITLE, ("title", "summary", "headline"), ("Short title",), ("标题",)),
        Param("priority", PRIORITY, ("priority", "severity", "urgency"), ("How urgent",), ("优先级",)),
        Param("assignee", Person(), ("assignee", "assign_to", "owner"), ("Who works on it",), ("负责人",), False),
        Param("labels", ListOf(LABEL, 1, 3), ("labels", "tags"), ("Labels",), ("标签",), False),
    ),
    asks=(
        "Open a ticket with {priority} priority: {title}[, assign it to {assignee}].",
        "new bug, priority {priority}, title {title}[, labels {labels}]",
        "please file {title} as {priority} priority[ for {assignee}]",
        "Customers are complaining. Put {title} into the tracker, priority {priority}[, {assignee} should take it].",
        "report {title}[, tags {labels}], it's {priority} priority",
        "{title} - {priority} priority, make it an issue[ and give it to {assignee}]",
        "create an issue called {title}, priority {priority}[, labelled {labels}]",
        "somebody needs to look at this: {title}. priority {priority}, ticket please",
        "log a defect {title} with {priority} priority[ and the labels {labels}]",
        "I found something: {title}. Can you write a ticket ({priority} priority)?",
    ),
    asks_zh=(
        "提个工单：{title}，优先级{priority}[，指派给{assignee}]。",
        "新建缺陷{title}，优先级{priority}[，标签{labels}]",
        "客户在投诉，把{title}录进系统，优先级{priority}[，让{assignee}处理]",
        "报个 bug：{title}，{priority}优先级",
        "{title}，优先级{priority}，开个单子[，给{assignee}]",
        "发现个问题，{title}，帮我建单，优先级设为{priority}",
        "创建任务{title}[，打上{labels}标签]，优先级{priority}",
        "登记一个问题，标题{title}，优先级{priority}",
    ),
    outcomes=(
        Outcome(
            fields=(("ticket", TICKET),),
            texts=("created {ticket}",),
            texts_zh=("已创建{ticket}",),
            answers=("I opened ticket {ticket}.", "Done, it is {ticket}.", "The ticket {ticket} is created."),
            answers_zh=("工单{ticket}已创建。", "建好了，编号{ticket}。", "已提交，单号是{ticket}。"),
        ),
    ),
    missing=(
        Missing(
            key="priority",
            asks=("Open a ticket: {title}.", "please report {title}"),
            replies=("Which priority should it have?", "How urgent is it?"),
            asks_zh=("提个工单：{title}。", "报个问题，{title}"),
            replies_zh=("请问优先级是什么？", "优先级设为多少？"),
        ),
        Missing(
            key="title",
            asks=("Open a {priority} priority ticket.", "I'd like to report a bug, {priority} priority."),
            replies=("What should the title be?", "What is the problem?"),
            asks_zh=("开个优先级{priority}的工单。", "我要报个 bug，优先级{priority}"),
            replies_zh=("请问标题是什么？", "具体是什么问题？"),
        ),
    ),
)

UPDATE = Family(
    key="tracker.set_status",
    names=("set_ticket_status", "move_ticket", "update_issue_status", "change_status"),
    about=(
        "Change the status of a ticket.",
        "Moves an existing ticket to another column.",
        "Ticket status. Does not open new tickets.",
    ),
    about_zh=("修改工单状态。", "把已有工单移到另一状态。"),
    params=(
        Param("ticket", TICKET, ("ticket_id", "issue", "ticket", "key"), ("Number of the ticket",), ("工单编号",)),
        Param("status", STATUS, ("status", "state", "column"), ("New status",), ("新状态",)),
    ),
    asks=(
        "Set {ticket} to {status}.",
        "{ticket} is {status} now",
        "move {ticket} to {status}",
        Ask("I've just solved {ticket}, you can tick it off.", {"status": "done"}),
        Ask("i'm starting on {ticket}", {"status": "in_progress"}),
        Ask("{ticket} came back, please reopen it", {"status": "open"}),
        Ask("Close {ticket}.", {"status": "done"}),
        Ask("{ticket} waits for somebody to review it", {"status": "in_review"}),
        "mark {ticket} as {status} please",
        "the board is out of date: {ticket} should be {status}",
    ),
    asks_zh=(
        "把{ticket}改成{status}。",
        "{ticket}现在是{status}",
        Ask("{ticket}已经解决了，关掉吧", {"status": "done"}),
        Ask("我开始做{ticket}了", {"status": "in_progress"}),
        Ask("{ticket}又出现了，重新打开", {"status": "open"}),
        Ask("{ticket}等人审核", {"status": "in_review"}),
        "将{ticket}标记为{status}",
        "看板没更新，{ticket}应该是{status}",
    ),
    outcomes=(
        Outcome(
            fields=(("updated", Choice({"true": (("yes",), ("是",))})),),
            texts=("updated",),
            texts_zh=("已更新",),
            answers=("{ticket} is updated.", "Done, I changed {ticket}.", "The status of {ticket} is changed."),
            answers_zh=("{ticket}已更新。", "好了，{ticket}的状态已修改。"),
        ),
    ),
    missing=(
        Missing(
            key="ticket",
            asks=("Set the ticket to {status}.", "mark my issue as {status}"),
            replies=("Which ticket?", "What is the number of the ticket?"),
            asks_zh=("把工单改成{status}。", "那个单子标记为{status}"),
            replies_zh=("请问是哪个工单？", "工单编号是多少？"),
        ),
        Missing(
            key="status",
            asks=("Change the status of {ticket}.", "move {ticket} to another column"),
            replies=("To which status?", "What should the new status of {ticket} be?"),
            asks_zh=("改一下{ticket}的状态。", "{ticket}换个状态"),
            replies_zh=("请问改成什么状态？", "新状态是什么？"),
        ),
    ),
    errors=("no such ticket",),
)

FIND = Family(
    key="tracker.find_tickets",
    names=("find_tickets", "search_issues", "list_tickets", "query_issues"),
    about=(
        "List tickets.",
        "Finds tickets by status, assignee, priority or label.",
        "Search in the tracker; changes nothing.",
    ),
    about_zh=("查询工单。", "按状态、负责人、优先级或标签筛选工单。"),
    params=(
        Param("status", STATUS, ("status", "state"), ("Status",), ("状态",), False),
        Param("assignee", Person(), ("assignee", "assigned_to"), ("Who works on it",), ("负责人",), False),
        Param("priority", PRIORITY, ("priority", "severity"), ("Priority",), ("优先级",), False),
        Param("label", LABEL, ("label", "tag"), ("A label",), ("标签",), False),
        Param("since", Day(-30, -1), ("created_after", "since"), ("Not older than this day",), ("起始日期",), False),
    ),
    asks=(
        "Which tickets does {assignee} have[ that are {status}]?",
        "list tickets with {priority} priority[ assigned to {assignee}]",
        "what is {assignee} working on? show the tickets[ labelled {label}]",
        "show all tickets that are {status}[ with the label {label}]",
        "any tickets created since {since}[ with priority {priority}]?",
        "Before the stand-up: which issues are {status}[ and belong to {assignee}]?",
        "tickets labelled {label}[, status {status}]",
        "how does the tracker look for {assignee}",
        "find issues[ of {assignee}] that are {status}[, {priority} priority]",
        "what's on {assignee}'s plate[, {priority} priority only]?",
    ),
    asks_zh=(
        "{assignee}手上有哪些工单[，状态{status}的]？",
        "列出优先级{priority}的工单[，负责人{assignee}]",
        "哪些工单是{status}[，标签{label}]",
        "{since}以来有新工单吗[，优先级{priority}]？",
        "晨会前看一下，{status}的单子有哪些",
        "标签是{label}的工单[，{assignee}的]",
        "{assignee}在做什么，查下工单",
        "查询工单：状态{status}，优先级{priority}",
    ),
    outcomes=(
        Outcome(
            fields=(("tickets", ListOf(TICKET, 2, 4)),),
            texts=("{tickets}",),
            texts_zh=("{tickets}",),
            answers=("I found {tickets}.", "These match: {tickets}."),
            answers_zh=("找到{tickets}。", "符合的有{tickets}。"),
        ),
    ),
)

CUSTOMER = Family(
    key="tracker.add_customer",
    names=("add_customer", "create_contact_record", "crm_new_customer", "register_client"),
    about=(
        "Add a customer.",
        "Creates a customer in the CRM with a mail address, and a phone number if known.",
        "New CRM entry",
    ),
    about_zh=("新增客户。", "在客户系统中登记客户资料。"),
    params=(
        Param("name", Person(1.0), ("name", "full_name", "customer_name"), ("Name of the customer",), ("客户姓名",)),
        Param("email", Email(), ("email", "email_address", "mail"), ("Mail address",), ("邮箱",)),
        Param("phone", Phone(), ("phone", "phone_number"), ("Phone number",), ("电话",), False),
        Param(
            "value",
            Amount(1_000, 900_000),
            ("deal_value", "expected_revenue"),
            ("What the deal may be worth",),
            ("预计金额",),
            False,
        ),
    ),
    asks=(
        "Add {name} as a customer, {email}[, phone {phone}].",
        "new customer: {name}, {email}[, deal worth {value} euros]",
        "I met {name} at the fair, please save the contact as a client. Mail is {email}[, tel. {phone}].",
        "put {name} ({email}) into the CRM[, we expect {value} dollars]",
        "register a client {name} with {email}[ and {phone}]",
        "{name} wants to buy from us[ for about {value}]. Add them with {email}, please.",
        "crm entry for {name}, {email}[, {phone}]",
        "the address of our new client {name} is {email}, create a record[, number {phone}]",
        "we won {name} over! create the customer with {email}[, worth {value} euros]",
        "save {name}, reachable at {email}[ or {phone}], as a client",
    ),
    asks_zh=(
        "新增客户{name}，邮箱{email}[，电话{phone}]。",
        "把{name}录入客户系统，{email}",
        "展会上认识了{name}，存成客户吧，邮箱是{email}[，手机{phone}]",
        "登记客户：{name}，{email}[，预计{value}元]",
        "{name}想跟我们合作[，金额大概{value}]，邮箱{email}，建个客户档案",
        "客户{name}，邮箱{email}，加到CRM",
        "谈下了{name}！建客户，邮箱{email}[，约{value}元]",
        "把{name}存为客户，联系邮箱{email}[，电话{phone}]",
    ),
    outcomes=(
        Outcome(
            fields=(("customer_id", Code(("C-9999", "99999"))),),
            texts=("saved as {customer_id}",),
            texts_zh=("已保存，编号{customer_id}",),
            answers=("{name} is saved as customer {customer_id}.", "Done: {name}, number {customer_id}."),
            answers_zh=("{name}已录入，客户编号{customer_id}。", "已添加客户{name}，编号是{customer_id}。"),
        ),
    ),
    missing=(
        Missing(
            key="email",
            asks=("Add {name} as a customer.", "new client: {name}[, phone {phone}]"),
            replies=("What is the mail address of {name}?", "Which e-mail address should I save?"),
            asks_zh=("新增客户{name}。", "把{name}加到客户系统[，电话{phone}]"),
            replies_zh=("请问{name}的邮箱是什么？", "邮箱地址是多少？"),
        ),
    ),
    also=("contacts.add",),
)

EMPLOYEE = Family(
    key="tracker.find_employee",
    names=("find_employee", "staff_directory", "lookup_colleague", "search_people"),
    about=(
        "Look up a colleague.",
        "Staff directory: team, desk and extension of a person.",
        "Employees only, no customers.",
    ),
    about_zh=("查找同事。", "员工通讯录：部门、座位和分机。"),
    params=(Param("name", Person(), ("name", "employee", "person"), ("Name of the person",), ("姓名",)),),
    asks=(
        "Where does {name} sit?",
        "which team is {name} in",
        "what's the extension of {name}?",
        "find {name} in the staff directory",
        "I have a parcel for {name}, where do I find them in the building?",
        "who is {name}? a colleague, i think",
        "{name}'s desk and extension please",
        "look up our colleague {name}",
        "I only know that {name} works here somewhere. which desk?",
        "can't reach {name}, what's the internal number?",
    ),
    asks_zh=(
        "{name}坐在哪儿？",
        "{name}是哪个部门的",
        "{name}的分机号是多少？",
        "通讯录里查一下{name}",
        "有个快递是{name}的，在公司哪里能找到人？",
        "同事{name}的工位和分机",
        "只知道{name}在我们公司，工位在哪？",
        "联系不上{name}，内线多少",
    ),
    outcomes=(
        Outcome(
            fields=(("team", TEAM), ("desk", Code(("9A-99", "A99"))), ("extension", Code(("9999",)))),
            texts=("{team}, desk {desk}, ext. {extension}",),
            texts_zh=("{team}部，工位{desk}，分机{extension}",),
            answers=(
                "{name} is in {team}, desk {desk}, extension {extension}.",
                "Team {team}, desk {desk}, extension {extension}.",
            ),
            answers_zh=("{name}在{team}部，工位{desk}，分机{extension}。", "{team}部，工位{desk}，分机{extension}。"),
        ),
    ),
    missing=(
        Missing(
            key="name",
            asks=("Look up a colleague for me.", "Where does he sit?", "I need somebody's extension."),
            replies=("Whom are you looking for?", "What is the name of the colleague?"),
            asks_zh=("帮我查个同事。", "他坐在哪儿？"),
            replies_zh=("请问叫什么名字？", "您要找哪位同事？"),
        ),
    ),
    also=("contacts.find",),
)

CANDIDATE = Family(
    key="tracker.move_candidate",
    names=("move_candidate", "update_application", "set_applicant_stage", "advance_applicant"),
    about=(
        "Move an applicant to another stage.",
        "Sets the stage of a job application.",
        "Hiring: where an applicant stands.",
    ),
    about_zh=("更新应聘者的阶段。", "修改求职申请的状态。"),
    params=(
        Param("name", Person(1.0), ("candidate", "applicant", "name"), ("Name of the applicant",), ("应聘者姓名",)),
        Param("stage", STAGE, ("stage", "step", "status"), ("New stage",), ("阶段",)),
    ),
    asks=(
        "Move {name} to {stage}.",
        "{name}'s application: {stage}",
        Ask("{name} did great on the phone, invite them to the interview round.", {"stage": "interview"}),
        Ask("we want to hire {name}, set the application to offer", {"stage": "offer"}),
        Ask("{name} is not a fit, turn the application down", {"stage": "rejected"}),
        "put the applicant {name} into {stage}",
        "set the stage of {name} to {stage} please",
        Ask("The CV of {name} has come in, start with screening.", {"stage": "screening"}),
        "hiring pipeline: {name} -> {stage}",
        "please record that {name} is now at {stage}",
    ),
    asks_zh=(
        "把{name}转到{stage}。",
        Ask("{name}电话里聊得很好，进面试", {"stage": "interview"}),
        Ask("{name}不太合适，淘汰吧", {"stage": "rejected"}),
        Ask("我们想录用{name}，改到发offer阶段", {"stage": "offer"}),
        "应聘者{name}的状态改为{stage}",
        "{name}的申请，阶段：{stage}",
        "招聘流程里把{name}设为{stage}",
        "记一下，{name}现在到{stage}了",
    ),
    outcomes=(
        Outcome(
            fields=(("saved", Choice({"ok": (("ok",), ("完成",))})),),
            texts=("saved",),
            texts_zh=("已保存",),
            answers=("The application of {name} is updated.", "Done, {name} is moved."),
            answers_zh=("{name}的申请已更新。", "好了，{name}的阶段已修改。"),
        ),
    ),
    missing=(
        Missing(
            key="stage",
            asks=("Update the application of {name}.", "move {name} along"),
            replies=("To which stage?", "Which stage is {name} in now?"),
            asks_zh=("更新一下{name}的申请。", "{name}的应聘状态改一下"),
            replies_zh=("请问改到哪个阶段？", "转到什么阶段？"),
        ),
    ),
)

DOMAIN = Domain(
    "tracker",
    (CREATE, UPDATE, FIND, CUSTOMER, EMPLOYEE, CANDIDATE),
    unserved=(
        ("Delete all closed tickets of last year.", "把去年关闭的工单全部删除。"),
        ("Attach this screenshot to the bug.", "把这张截图附到缺陷上。"),
        ("Export our customers as a spreadsheet.", "把客户导出成表格。"),
        ("Merge the two duplicate tickets.", "把两个重复的工单合并。"),
        ("Write a job ad for a designer.", "写一则招聘设计师的启事。"),
        ("How much does our new colleague earn?", "新同事工资多少？"),
        ("Call the customer back for me.", "替我给客户回个电话。"),
        ("Estimate how long the bug will take to fix.", "估一下修这个缺陷要多久。"),
        ("Give the applicant's references a ring.", "给应聘者的推荐人打个电话。"),
        ("Start a new sprint.", "开始一个新的迭代。"),
        ("Remove the customer who moved away.", "把搬走的那个客户删掉。"),
        ("Print the staff list with photographs.", "打印带照片的员工名单。"),
    ),
)
