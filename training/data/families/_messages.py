"""Texts, mails and chats."""

from training.data.families._everyday import STATEMENTS, SUBJECTS
from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, ListOf, Word
from training.data.times import Day, Moment
from training.data.world import Email, Person

SENT = Flag(("yes",), ("是",))

TEXT = Family(
    key="contacts.text",
    names=("send_text", "text_contact", "send_sms", "message_person", "write_message"),
    about=(
        "Send a text message.",
        "Sends a short message to a contact right now.",
        "Text somebody. For mail or for a later time there are other tools.",
    ),
    about_zh=("发送短信。", "立刻给联系人发一条消息。"),
    params=(
        Param("person", Person(0.35), ("recipient", "contact", "to_name"), ("Who gets it",), ("收件人",)),
        Param("text", STATEMENTS, ("message", "text", "content"), ("What it says",), ("消息内容",)),
    ),
    asks=(
        "Text {person}: {text}",
        "tell {person} {text}",
        "Let {person} know that {text}.",
        "message {person} saying {text}",
        "Send {person} a text: {text}",
        "Can you write to {person} that {text}?",
        "I can't type while driving. Tell {person}: {text}",
        "sms to {person}, {text}",
        "{person} is waiting for news, so write this: {text}",
        "drop {person} a line: {text}",
        "Please inform {person} by text that {text}.",
        "shoot {person} a message, {text}",
    ),
    asks_zh=(
        "给{person}发消息：{text}",
        "告诉{person}{text}",
        "跟{person}说一声，{text}",
        "发短信给{person}，说{text}",
        "我在开车，帮我告诉{person}：{text}",
        "{person}在等消息，你就写：{text}",
        "短信通知{person}，{text}",
        "回{person}一句：{text}",
        "麻烦转告{person}，{text}",
    ),
    outcomes=(
        Outcome(
            fields=(("sent", SENT),),
            texts=("message sent",),
            texts_zh=("消息已发送",),
            answers=(
                "I've told {person}.",
                "Sent to {person}.",
                "Done, {person} has your message.",
                "The text is on its way.",
            ),
            answers_zh=("已经告诉{person}了。", "消息已发给{person}。", "发好了。"),
        ),
    ),
    missing=(
        Missing(
            key="text",
            asks=("Send a text to {person}.", "message {person} for me"),
            replies=("What should I write?", "What do you want to tell {person}?"),
            asks_zh=("给{person}发个消息。", "帮我发短信给{person}"),
            replies_zh=("请问写什么内容？", "要跟{person}说什么？"),
        ),
        Missing(
            key="person",
            asks=("Send this as a text: {text}", "text someone that {text}"),
            replies=("Who should get the message?", "To whom?"),
            asks_zh=("发条消息：{text}", "帮我发短信，就说{text}"),
            replies_zh=("请问发给谁？", "收件人是哪位？"),
        ),
    ),
    errors=("no contact with this name", "message not delivered"),
)

LATER = Family(
    key="contacts.text_later",
    names=("schedule_message", "send_later", "delayed_text", "queue_message"),
    about=(
        "Send a message at a later time.",
        "Schedules a text message: it goes out at the given day and time.",
        "Timed messages; use the other tool to send at once.",
    ),
    about_zh=("定时发送消息。", "在指定时间自动发送短信。"),
    params=(
        Param("person", Person(0.35), ("to", "recipient", "contact"), ("Who gets it",), ("收件人",)),
        Param("text", STATEMENTS, ("message", "body", "text"), ("What it says",), ("消息内容",)),
        Param("when", Moment(), ("send_at", "when", "deliver_at"), ("When to send it",), ("发送时间",)),
    ),
    asks=(
        "Send this to {person} {when}: {text}",
        "schedule a text to {person}, going out {when}: {text}",
        "{when} please text {person} the following: {text}",
        "Not now, but {when}, let {person} know this: {text}",
        "queue a message for {person} ({when}): {text}",
        "I'll be asleep by then. Text {person} {when} for me: {text}",
        "Can you write to {person} {when}? It should say: {text}",
        "timed message to {person}, {when}, text: {text}",
        "Hold this message for {person} until {when}: {text}",
        "deliver to {person} {when} - {text}",
    ),
    asks_zh=(
        "{when}给{person}发消息：{text}",
        "定时短信，{when}发给{person}：{text}",
        "先别发，{when}再告诉{person}：{text}",
        "那时候我睡了，{when}帮我发给{person}：{text}",
        "预约一条消息给{person}，{when}发，内容：{text}",
        "{when}的时候跟{person}说：{text}",
        "设置{when}自动发送给{person}：{text}",
        "等到{when}，发短信给{person}：{text}",
    ),
    outcomes=(
        Outcome(
            fields=(("queued", SENT),),
            texts=("message scheduled",),
            texts_zh=("消息已排期",),
            answers=(
                "The message goes to {person} {when}.",
                "Scheduled, {person} gets it {when}.",
                "Done, I'll send it {when}.",
            ),
            answers_zh=("{when}会发给{person}。", "已设定时发送：{when}。", "好的，到时候发给{person}。"),
        ),
    ),
    missing=(
        Missing(
            key="when",
            asks=("Send this to {person} later: {text}", "schedule a message to {person}: {text}"),
            replies=("When should I send it?", "On which day and at what time?"),
            asks_zh=("晚点给{person}发：{text}", "定时发消息给{person}：{text}"),
            replies_zh=("请问什么时候发？", "要哪天几点发送？"),
        ),
    ),
)

MAIL = Family(
    key="contacts.mail",
    names=("compose_mail", "mail_out", "write_email", "post_mail", "dispatch_email"),
    about=(
        "Write and send an email.",
        "Sends a mail with a subject line and a text, to one address or several.",
        "Outgoing mail; for short texts to a phone use messages.",
    ),
    about_zh=("撰写并发送邮件。", "给一个或多个邮箱发送邮件，含主题和正文。"),
    params=(
        Param(
            "address", ListOf(Email(), 1, 2), ("recipients", "addresses", "send_to"), ("Who gets it",), ("收件邮箱",)
        ),
        Param("subject", SUBJECTS, ("subject_line", "topic", "heading"), ("Subject",), ("主题",)),
        Param("text", STATEMENTS, ("text", "content", "mail_text"), ("The mail itself",), ("正文",)),
        Param("copy", Email(), ("cc", "copy_to"), ("Who gets a copy",), ("抄送",), False),
    ),
    asks=(
        "Email {address}, subject {subject}, text: {text}",
        "write to {address} with the subject {subject}[ and a copy to {copy}]: {text}",
        "Mail to {address}. Subject: {subject}. Text: {text}[. CC {copy}]",
        "I need to send a mail to {address}[ (cc {copy})]. The subject is {subject} and it should say: {text}",
        "Please let {address} know by email, subject line {subject}: {text}",
        "new mail -> {address}[, cc {copy}], subject {subject}, body: {text}",
        "Could you answer {address}? Call it {subject} and write: {text}",
        "send an email titled {subject} to {address}: {text}",
        "{address} should get a mail from me. Title {subject}, content: {text}",
        "shoot an email over to {address}, subject {subject}[, {copy} in copy], saying {text}",
    ),
    asks_zh=(
        "给{address}发邮件，主题{subject}，正文：{text}",
        "写封邮件给{address}[，抄送{copy}]，标题{subject}，内容：{text}",
        "邮件发到{address}，主题是{subject}，就写{text}",
        "用邮件通知{address}，标题{subject}：{text}",
        "发邮件：收件人{address}[，抄送{copy}]，主题{subject}，正文{text}",
        "麻烦回信给{address}，主题写{subject}，告诉对方：{text}",
        "给{address}寄一封题为{subject}的邮件：{text}",
        "新邮件，{address}，主题{subject}，内容{text}",
    ),
    outcomes=(
        Outcome(
            fields=(("mail_sent", SENT),),
            texts=("mail sent", "250 accepted"),
            texts_zh=("邮件已发送",),
            answers=("The mail to {address} is sent.", "Done, your email is on its way.", "Sent to {address}."),
            answers_zh=("邮件已发给{address}。", "邮件发出去了。", "已发送。"),
        ),
    ),
    missing=(
        Missing(
            key="address",
            asks=("Send an email, subject {subject}, text: {text}", "write a mail with the subject {subject}: {text}"),
            replies=("To which address should I send it?", "Who should get the mail?"),
            asks_zh=("发封邮件，主题{subject}，正文：{text}", "写邮件，标题{subject}，内容：{text}"),
            replies_zh=("请问发到哪个邮箱？", "收件人的邮箱是？"),
        ),
        Missing(
            key="subject",
            asks=("Email {address} this: {text}", "send {address} a mail saying {text}"),
            replies=("What should the subject line be?", "Which subject should it have?"),
            asks_zh=("给{address}发邮件：{text}", "写邮件告诉{address}：{text}"),
            replies_zh=("请问邮件主题是什么？", "主题写什么？"),
        ),
    ),
)

INBOX = Family(
    key="contacts.inbox",
    names=("search_mail", "find_emails", "search_inbox", "mail_lookup"),
    about=(
        "Search the mailbox.",
        "Finds mails by words, and if wanted by sender or from a day on.",
        "Look for a mail that has arrived.",
    ),
    about_zh=("搜索邮箱。", "按关键词查找邮件，可限定发件人和日期。"),
    params=(
        Param(
            "words",
            Word(
                (
                    *("invoice", "boarding pass", "rental contract", "job offer", "tracking number", "school trip"),
                    *("refund", "wedding", "password reset", "tax return", "newsletter", "warranty", "lab results"),
                ),
                (
                    "发票",
                    "登机牌",
                    "租房合同",
                    "录用通知",
                    "快递单号",
                    "退款",
                    "婚礼",
                    "密码重置",
                    "报税",
                    "保修",
                    "化验单",
                ),
                quoted=0.15,
            ),
            ("keywords", "contains", "search_text"),
            ("Words in the mail",),
            ("关键词",),
        ),
        Param("sender", Person(0.4), ("sender", "from_person"), ("Who wrote it",), ("发件人",), False),
        Param("since", Day(-30, -1), ("since", "after_date"), ("Not older than this",), ("起始日期",), False),
    ),
    asks=(
        "Find the mail about the {words}[ from {sender}].",
        "search my inbox for {words}[, since {since}]",
        "Did I get an email with the {words}[? It came after {since}]",
        "where's that mail about the {words}[ that {sender} sent]",
        "I'm looking for the {words}, somebody mailed it to me[, {sender} I think].",
        "Has the {words} arrived in my mailbox yet?",
        "pull up emails mentioning {words}[ by {sender}][ since {since}]",
        "Which mails talk about {words}?",
        "At the counter they want to see the {words}, it's in some email. Quick!",
        "look in the mail for {words}",
    ),
    asks_zh=(
        "找一下[{sender}发的]关于{words}的邮件。",
        "邮箱里搜{words}[，{since}以后的]",
        "我收到{words}的邮件了吗？",
        "[{sender}的]那封讲{words}的邮件在哪儿",
        "有人把{words}发我邮箱了[，好像是{sender}]，帮我找找",
        "{words}到邮箱了没有",
        "搜索邮件：{words}[，发件人{sender}][，从{since}起]",
        "柜台要看{words}，在哪封邮件里？快！",
    ),
    outcomes=(
        Outcome(
            fields=(("subject", SUBJECTS), ("from", Person())),
            texts=("{from}: {subject}",),
            texts_zh=("{from}：{subject}",),
            answers=(
                "There is one from {from}: {subject}.",
                "I found {subject}, sent by {from}.",
                "{from} sent you {subject}.",
            ),
            answers_zh=(
                "找到了{from}发来的：{subject}。",
                "有一封{from}的邮件，主题{subject}。",
                "{from}发过{subject}。",
            ),
        ),
        Outcome(
            fields=(("hits", Integer(0, 0)),),
            texts=("no match",),
            texts_zh=("无结果",),
            answers=("I found no such mail.", "There is no mail about that.", "Nothing about {words} in your mailbox."),
            answers_zh=("没有找到这样的邮件。", "邮箱里没有关于{words}的邮件。", "没有结果。"),
        ),
    ),
    missing=(
        Missing(
            key="words",
            asks=("Find an email for me.", "search my inbox"),
            replies=("What is the mail about?", "Which words should I look for?"),
            asks_zh=("帮我找封邮件。", "搜一下邮箱"),
            replies_zh=("请问邮件是关于什么的？", "关键词是什么？"),
        ),
    ),
)

GROUP = Family(
    key="contacts.group",
    names=("create_group_chat", "new_group", "start_group", "make_chat_group"),
    about=(
        "Create a group chat.",
        "Opens a chat with several people under a name.",
        "New group with members; sends no message yet.",
    ),
    about_zh=("创建群聊。", "拉几个人建群并命名，不发送消息。"),
    params=(
        Param("members", ListOf(Person(0.25), 2, 5), ("members", "people", "participants"), ("Members",), ("成员",)),
        Param(
            "name",
            Word(
                (
                    *("Hiking Crew", "Flat 4B", "Surprise Party", "Book Worms", "Sunday Football", "Cousins"),
                    *(
                        "Project Falcon",
                        "Parents of Class 3",
                        "Lunch Gang",
                        "Road Trip",
                        "Band Practice",
                        "Night Shift",
                    ),
                    *("Garden Helpers", "Chess Friends", "Wedding Planning", "The Old Team"),
                ),
                (
                    *(
                        "徒步小队",
                        "合租群",
                        "惊喜派对",
                        "书虫",
                        "周日足球",
                        "家人群",
                        "三班家长",
                        "午饭搭子",
                        "自驾游",
                        "乐队排练",
                    ),
                    *("夜班组", "婚礼筹备", "棋友", "老同学", "项目攻坚"),
                ),
                quoted=0.3,
            ),
            ("group_name", "name", "title"),
            ("Name of the group",),
            ("群名",),
        ),
        Param("muted", Flag(), ("muted", "silent"), ("Without notifications",), ("是否免打扰",), False),
    ),
    asks=(
        "Create a group {name} with {members}.",
        "start a group chat with {members}, name it {name}",
        "I want to chat with {members} together. Call the group {name}.",
        "new group {name}: {members}",
        Ask("Make a group called {name} for {members}, but mute it for me.", {"muted": True}),
        "We're planning something: {members} and me, in a chat named {name}.",
        "put {members} into a new chat, {name}",
        "Could you open a group for {members}? {name} would be a nice name.",
        Ask("group {name}, members {members}, muted please", {"muted": True}),
        "set up {name} as a group chat. Members: {members}",
    ),
    asks_zh=(
        "建个群，叫{name}，拉上{members}。",
        "把{members}拉到一个群里，群名{name}",
        "新建群聊{name}，成员{members}",
        "我想和{members}一起聊，群就叫{name}",
        Ask("拉{members}建群{name}，我这边设免打扰", {"muted": True}),
        "开个{name}群，里面有{members}",
        "创建群组：{name}，{members}",
        "{members}和我，建个叫{name}的群",
    ),
    outcomes=(
        Outcome(
            fields=(("created", SENT),),
            texts=("group created",),
            texts_zh=("群已创建",),
            answers=("The group {name} is ready.", "Done, {members} are in the group.", "I've created {name}."),
            answers_zh=("群{name}建好了。", "已把{members}拉进群。", "{name}创建成功。"),
        ),
    ),
    missing=(
        Missing(
            key="name",
            asks=("Start a group chat with {members}.", "put {members} in one chat"),
            replies=("What should the group be called?", "Which name should the group have?"),
            asks_zh=("把{members}拉个群。", "和{members}建个群聊"),
            replies_zh=("请问群叫什么名字？", "群名是什么？"),
        ),
        Missing(
            key="members",
            asks=("Create a group called {name}.", "new group chat {name}"),
            replies=("Who should be in the group?", "Whom shall I add to {name}?"),
            asks_zh=("建个叫{name}的群。", "新建群聊{name}"),
            replies_zh=("请问拉哪些人？", "群成员有谁？"),
        ),
    ),
)

UNREAD = Family(
    key="contacts.unread",
    names=("unread_messages", "new_messages", "get_unread", "check_messages"),
    about=(
        "Messages that have not been read.",
        "Shows new messages, of one app or of all.",
        "Unread messages, newest first.",
    ),
    about_zh=("查看未读消息。", "显示新消息，可指定来源。"),
    params=(
        Param(
            "app",
            Choice(
                {
                    "sms": (("SMS",), ("短信",)),
                    "mail": (("mail", "email"), ("邮件",)),
                    "chat": (("chat",), ("聊天",)),
                },
                ({"sms": "SMS", "mail": "EMAIL", "chat": "CHAT"},),
            ),
            ("channel", "app", "source"),
            ("Where to look",),
            ("来源",),
            False,
        ),
        Param("limit", Integer(2, 20), ("limit", "max_count"), ("At most so many",), ("最多条数",), False, 10),
    ),
    asks=(
        "Do I have new messages?",
        "any unread {app} messages?",
        "What have I missed[ in {app}]?",
        "show me the last {limit} unread messages",
        "Did anybody write to me?",
        "Read my new {app} messages[, {limit} at most].",
        "I was offline all day, catch me up on my messages.",
        "Has somebody texted back yet? Check unread ones[ in {app}].",
        "unread[ {app}]",
        "my phone keeps buzzing, what is it",
    ),
    asks_zh=(
        "有新消息吗？",
        "看看未读{app}",
        "我错过了什么消息[，最多看{limit}条]？",
        "显示{limit}条未读消息",
        "有人找我吗",
        "手机一直震，谁发消息了",
        "一天没上线，念念未读{app}[，{limit}条就行]",
        "查下未读消息",
    ),
    outcomes=(
        Outcome(
            fields=(("from", Person()), ("text", STATEMENTS)),
            texts=("{from}: {text}",),
            texts_zh=("{from}：{text}",),
            answers=("{from} wrote: {text}.", "There is one from {from}: {text}.", "One new message. {from}: {text}."),
            answers_zh=("{from}说：{text}。", "有一条{from}的消息：{text}。", "{from}发来：{text}。"),
        ),
    ),
)

UNSERVED = (
    ("Pin the chat with Anna to the top.", "把和安娜的聊天置顶。"),
    ("Change my ringtone.", "换个来电铃声。"),
    ("How many minutes are left on my phone plan?", "我的套餐还剩多少分钟通话？"),
    ("Post a photo of my lunch online.", "把我的午饭照片发到网上。"),
    ("Delete Marco from my contacts.", "把马可从通讯录里删掉。"),
    ("Leave the group chat of my old school.", "退出老同学的群聊。"),
    ("Forward the invoice to my accountant.", "把发票转发给我的会计。"),
    ("Unsubscribe me from all newsletters.", "把所有订阅邮件都退订。"),
    ("Record my next phone call.", "把我下一个电话录音。"),
    ("Where is my sister's phone right now?", "我妹妹的手机现在在哪儿？"),
    ("Turn on airplane mode.", "打开飞行模式。"),
    ("Mark everything in the spam folder as read.", "把垃圾邮件文件夹里的都标为已读。"),
    ("Set a new profile picture for me.", "给我换个新头像。"),
    ("Send a postcard with real stamps to grandma.", "给奶奶寄一张真正贴邮票的明信片。"),
)
