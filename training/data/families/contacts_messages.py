"""The address book, calls and answering for oneself. What is written to others is in `_messages`."""

from training.data.families import _messages as messages
from training.data.families._everyday import DAYS, STATEMENTS
from training.data.family import Ask, Domain, Family, Missing, Outcome, Param, PartOf
from training.data.kinds import Choice, Code, Flag, Integer, Word
from training.data.times import Clock
from training.data.world import Email, Person, Phone

COMPANIES = Word(
    (
        *("Northwind Traders", "Bluefin Labs", "Acme Tools", "Harbour Bakery", "Oak & Sons", "Lumen Studio"),
        *("Riverside Clinic", "Falcon Logistics", "Green Fork", "Apex Roofing", "Kite Insurance"),
    ),
    ("蓝海科技", "晨光印刷", "北方物流", "绿叶餐饮", "鼎盛建材", "星河设计", "安康诊所", "飞鹰保险"),
    quoted=0.03,
)
DONE = Flag(("yes",), ("是",))

FIND = Family(
    key="contacts.find",
    names=("find_contact", "lookup_contact", "get_contact_info", "search_address_book", "contact_details"),
    about=(
        "Look somebody up in the address book.",
        "How to reach a contact, by phone or by mail. Calls nobody.",
        "Reads contacts, never changes them.",
    ),
    about_zh=("在通讯录中查找联系人。", "查询联系人的电话或邮箱，不会拨号。"),
    params=(
        Param("person", Person(0.6), ("name", "contact", "person"), ("Name of the contact",), ("联系人姓名",)),
        Param(
            "detail",
            Choice(
                {
                    "phone": (("phone number", "number", "mobile number"), ("电话", "手机号", "电话号码")),
                    "email": (("email address", "mail address", "email"), ("邮箱", "电子邮箱")),
                },
                ({"phone": "PHONE", "email": "EMAIL"},),
            ),
            ("field", "detail", "info"),
            ("Which detail",),
            ("要查的信息",),
        ),
    ),
    asks=(
        "What's {person}'s {detail}?",
        "do you have the {detail} of {person}",
        "I need {person}'s {detail}",
        Ask("How can I reach {person} by phone? Just the number please.", {"detail": "phone"}),
        Ask("To which address do I mail {person} the photos? I mean electronically, their email.", {"detail": "email"}),
        Ask("I have to ring {person} but never saved it under favourites. What do I dial?", {"detail": "phone"}),
        "somebody wants {person}'s {detail} from me, what is it",
        "Look up {person} for me, the {detail} is all I need.",
        "{person} {detail}?",
        "I met {person} last year and must have saved the {detail} somewhere. What is it?",
        "Check my contacts: {detail} of {person}.",
    ),
    asks_zh=(
        "{person}的{detail}是多少？",
        "查一下{person}的{detail}",
        "通讯录里有没有{person}的{detail}",
        Ask("怎么打电话给{person}？给我号码就行", {"detail": "phone"}),
        "我要{person}的{detail}，帮我找找",
        Ask("想发邮件给{person}，发到哪个地址？", {"detail": "email"}),
        "有人跟我要{person}的{detail}，告诉我一下",
        "去年认识了{person}，应该存过{detail}，是什么？",
    ),
    outcomes=(
        Outcome(
            fields=(("number", Phone()), ("mail", Email())),
            texts=("{person}: {number}, {mail}", "tel {number}; mail {mail}"),
            texts_zh=("{person}：{number}，{mail}",),
            answers=(
                "Here is {person}: phone {number}, email {mail}.",
                "Your contacts have {number} and {mail}.",
                "You can reach {person} at {number} or {mail}.",
            ),
            answers_zh=(
                "{person}的电话是{number}，邮箱是{mail}。",
                "电话{number}，邮箱{mail}。",
                "可以打{number}，或者发{mail}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="person",
            asks=("What's the {detail}?", "can you find the {detail} in my contacts"),
            replies=("Whose {detail} do you need?", "Which contact do you mean?"),
            asks_zh=("帮我查个{detail}。", "{detail}是多少？"),
            replies_zh=("请问查谁的{detail}？", "是哪位联系人？"),
        ),
        Missing(
            key="detail",
            asks=("Look up {person}.", "search my contacts for {person}"),
            replies=(
                "What do you need, the phone number or the email address?",
                "Which detail of {person} do you want?",
            ),
            asks_zh=("查一下{person}。", "在通讯录里找{person}"),
            replies_zh=("请问要查电话还是邮箱？", "需要{person}的什么信息？"),
        ),
    ),
    also=("tracker.find_employee",),
    errors=("no contact with this name", "the contact has no such detail"),
)

ADD = Family(
    key="contacts.add",
    names=("add_contact", "create_contact", "save_contact", "new_contact"),
    about=(
        "Save a new contact.",
        "Adds a person to the address book with a phone number and, if known, mail address and company.",
        "New entry in the contacts.",
    ),
    about_zh=("新建联系人。", "把一个人加入通讯录，包括电话，可附邮箱和公司。"),
    params=(
        Param("person", Person(0.7), ("name", "full_name", "contact_name"), ("Name",), ("姓名",)),
        Param("phone", Phone(), ("phone", "phone_number", "mobile"), ("Phone number",), ("电话号码",)),
        Param("mail", Email(), ("email", "mail"), ("Mail address",), ("邮箱",), False),
        Param("company", COMPANIES, ("company", "organization"), ("Where they work",), ("公司",), False),
    ),
    asks=(
        "Save {person}, {phone}[, works at {company}].",
        "new contact: {person}, {phone}[, {mail}]",
        "I just met {person}[ from {company}]. The number is {phone}, add it to my contacts.",
        "put {phone} in my phone book as {person}",
        "Add {person} to the address book: phone {phone}[, email {mail}][, company {company}].",
        "{person} gave me a card: {phone}[ and {mail}]. Please store that.",
        "contact {person} {phone}",
        "My new colleague is called {person}, you can reach them at {phone}[ or {mail}]. Save it.",
        "Could you create a contact for {person} with {phone}[ at {company}]?",
        "remember this number: {phone}, that's {person}[ of {company}]",
    ),
    asks_zh=(
        "存一下{person}的电话{phone}[，公司{company}]。",
        "新建联系人：{person}，{phone}[，邮箱{mail}]",
        "刚认识了[{company}的]{person}，号码{phone}，加到通讯录",
        "{phone}是{person}，帮我存起来",
        "通讯录加上{person}，手机{phone}[，{mail}][，在{company}]",
        "{person}给了我名片，{phone}[，邮箱{mail}]，保存一下",
        "把{person}加为联系人，电话{phone}",
        "新同事叫{person}，{phone}能找到[，也可以发{mail}]，记到联系人里",
    ),
    outcomes=(
        Outcome(
            fields=(("contact_id", Code(("c-9999", "999999"))),),
            texts=("contact {contact_id} saved",),
            texts_zh=("联系人已保存：{contact_id}",),
            answers=(
                "I've saved {person} with {phone}.",
                "Done, {person} is in your contacts.",
                "Saved: {person}, {phone}.",
            ),
            answers_zh=("已保存{person}，{phone}。", "{person}已加入通讯录。", "存好了：{person}。"),
        ),
    ),
    missing=(
        Missing(
            key="phone",
            asks=("Add {person} to my contacts.", "save {person} in the phone book"),
            replies=("What is {person}'s phone number?", "Which number should I save?"),
            asks_zh=("把{person}加到通讯录。", "存一下{person}的号码"),
            replies_zh=("请问{person}的电话是多少？", "号码是多少？"),
        ),
        Missing(
            key="person",
            asks=("Save this number: {phone}", "new contact {phone}"),
            replies=("Whose number is it?", "What name should I save it under?"),
            asks_zh=("存一下这个号码：{phone}", "新建联系人，{phone}"),
            replies_zh=("请问这是谁的号码？", "联系人叫什么名字？"),
        ),
    ),
)

CHANGE = Family(
    key="contacts.change",
    names=("update_contact_number", "change_phone_number", "edit_contact", "replace_number"),
    about=(
        "Change the phone number of a contact.",
        "Replaces the number of somebody who is already in the address book.",
        "For contacts that exist; new ones have to be added.",
    ),
    about_zh=("修改联系人的电话号码。", "替换通讯录中已有联系人的号码。"),
    params=(
        Param("person", Person(0.5), ("contact", "name", "person"), ("Which contact",), ("联系人",)),
        Param("phone", Phone(), ("new_number", "phone", "number"), ("The new number",), ("新号码",)),
    ),
    asks=(
        "{person} has a new number: {phone}. Update the contact.",
        "change {person}'s number to {phone}",
        "The old number of {person} is dead, use {phone} from now on.",
        "{person} switched providers, it's {phone} now",
        "Please correct {person} in my contacts, the phone is {phone}.",
        "update {person} -> {phone}",
        "I had the wrong digits saved for {person}, it should be {phone}",
        "Replace {person}'s phone number by {phone}.",
        "my contacts are out of date: {person} can be reached at {phone} these days",
        "overwrite the number of {person}, new one is {phone}",
    ),
    asks_zh=(
        "{person}换号了，改成{phone}。",
        "把{person}的电话更新为{phone}",
        "{person}的旧号停了，以后用{phone}",
        "通讯录里{person}的号码错了，应该是{phone}",
        "修改联系人{person}，新手机{phone}",
        "{person}现在的号码是{phone}，帮我改一下",
        "{person}换了运营商，号码变成{phone}，更新下",
        "替换{person}的号码：{phone}",
    ),
    outcomes=(
        Outcome(
            fields=(("updated", DONE),),
            texts=("contact updated",),
            texts_zh=("联系人已更新",),
            answers=(
                "{person} now has the number {phone}.",
                "Done, I've changed it to {phone}.",
                "The contact is updated.",
            ),
            answers_zh=("{person}的号码已改为{phone}。", "改好了：{phone}。", "联系人已更新。"),
        ),
    ),
    missing=(
        Missing(
            key="phone",
            asks=("{person} has a new number, update the contact.", "change {person}'s number please"),
            replies=("What is the new number?", "Which number should I save for {person}?"),
            asks_zh=("{person}换号了，帮我改一下。", "更新{person}的电话"),
            replies_zh=("请问新号码是多少？", "{person}的新电话是什么？"),
        ),
    ),
    errors=("no contact with this name",),
)

CALL = Family(
    key="contacts.call",
    names=("place_call", "make_call", "call_contact", "dial", "start_call"),
    about=(
        "Call somebody.",
        "Starts a phone or video call with a contact.",
        "Ring a person up right away. Writes nothing.",
    ),
    about_zh=("拨打电话。", "与联系人进行语音或视频通话。"),
    params=(
        Param("person", Person(0.4), ("contact", "name", "callee"), ("Whom to call",), ("呼叫对象",)),
        Param(
            "mode",
            Choice(
                {
                    "voice": (("voice", "normal", "audio"), ("语音", "普通")),
                    "video": (("video",), ("视频",)),
                },
                ({"voice": "AUDIO", "video": "VIDEO"},),
            ),
            ("mode", "call_type", "kind"),
            ("Kind of call",),
            ("通话方式",),
            False,
        ),
        Param("speaker", Flag(), ("speakerphone", "on_speaker"), ("Loud",), ("是否免提",), False),
    ),
    asks=(
        "Call {person}.",
        "ring {person} up",
        "I want to talk to {person}[, {mode} call]",
        "get {person} on the line please",
        Ask("Call {person} on speaker, my hands are full of dough.", {"speaker": True}),
        Ask("I'd love to see {person}'s face, start a video call", {"mode": "video"}),
        "Dial {person} for me[ ({mode} call)].",
        Ask("phone {person}, but not on loudspeaker", {"speaker": False}),
        "Start a {mode} call with {person}.",
        "It's an emergency, I have to speak with {person} right now!",
        "give {person} a ring",
        "can you connect me with {person}[ by {mode} call]",
    ),
    asks_zh=(
        "给{person}打电话。",
        "拨给{person}",
        "我要和{person}通话[，{mode}]",
        Ask("打给{person}，开免提，我手上都是面粉", {"speaker": True}),
        Ask("想看看{person}的脸，打个视频", {"mode": "video"}),
        "跟{person}来个{mode}通话",
        Ask("打给{person}，不要免提", {"speaker": False}),
        "帮我接通{person}",
        "急事，马上联系{person}，打电话！",
    ),
    outcomes=(
        Outcome(
            fields=(("call_state", Word(("ringing",))),),
            texts=("ringing",),
            texts_zh=("正在呼叫",),
            answers=("Calling {person} now.", "It's ringing.", "I'm calling {person}."),
            answers_zh=("正在呼叫{person}。", "电话已经打通，正在响铃。", "在给{person}打电话了。"),
        ),
    ),
    missing=(
        Missing(
            key="person",
            asks=("Make a phone call.", "I want to call someone", "start a call please"),
            replies=("Whom should I call?", "Who do you want to talk to?"),
            asks_zh=("帮我打个电话。", "我要打电话"),
            replies_zh=("请问打给谁？", "要呼叫哪位？"),
        ),
    ),
    errors=("the line is busy", "no contact with this name"),
)

BLOCK = Family(
    key="contacts.block",
    names=("block_number", "block_caller", "reject_calls_from", "ban_number"),
    about=("Block a phone number.", "Calls and texts from the number are refused from now on.", "Stop a caller."),
    about_zh=("屏蔽号码。", "拒收来自该号码的电话和短信。"),
    params=(
        Param("phone", Phone(), ("number", "phone_number", "phone"), ("Number to block",), ("要屏蔽的号码",)),
        Param("report", Flag(), ("report_spam", "report"), ("Report it as spam",), ("是否举报骚扰",), False),
    ),
    asks=(
        "Block {phone}.",
        "{phone} keeps calling me, make it stop",
        "I never want to hear from {phone} again",
        Ask("block {phone} and report it as spam", {"report": True}),
        "Please don't let {phone} through any more.",
        "Some salesman rings every day from {phone}. Shut him out.",
        Ask("{phone} is a scammer, block and report!", {"report": True}),
        "put {phone} on the blacklist",
        Ask("Just block {phone}, no need to report anything.", {"report": False}),
        "refuse all calls from {phone}",
    ),
    asks_zh=(
        "屏蔽{phone}。",
        "{phone}老打来，别让它再打了",
        "把{phone}拉黑",
        Ask("拉黑{phone}，顺便举报骚扰", {"report": True}),
        "以后不接{phone}的电话，拦截掉",
        Ask("{phone}是骗子，屏蔽并举报", {"report": True}),
        "推销的天天用{phone}打我，帮我封掉",
        Ask("只拉黑{phone}，不用举报", {"report": False}),
    ),
    outcomes=(
        Outcome(
            fields=(("blocked", DONE),),
            texts=("number blocked",),
            texts_zh=("号码已屏蔽",),
            answers=("{phone} is blocked now.", "Done, you won't hear from {phone} again.", "I've blocked the number."),
            answers_zh=("{phone}已屏蔽。", "好了，{phone}打不进来了。", "已拉黑该号码。"),
        ),
    ),
    missing=(
        Missing(
            key="phone",
            asks=("Block a number for me.", "someone keeps calling me, block them"),
            replies=("Which number should I block?", "What number do they call from?"),
            asks_zh=("帮我屏蔽一个号码。", "有人老打骚扰电话，拉黑他"),
            replies_zh=("请问是哪个号码？", "要屏蔽的号码是多少？"),
        ),
    ),
)

VOICEMAIL = Family(
    key="contacts.voicemail",
    names=("check_voicemail", "get_voicemails", "listen_to_voicemail", "voice_messages"),
    about=(
        "Check the voice mail.",
        "Reads out voice messages, all of them or only new ones.",
        "What callers have left on the answering machine.",
    ),
    about_zh=("查看语音信箱。", "播报语音留言，可只看未听的。"),
    params=(
        Param("fresh", Flag(), ("new_only", "unheard_only"), ("Only new ones",), ("只看新留言",), False),
        Param("caller", Person(0.3), ("from_caller", "caller"), ("Only from this caller",), ("来电人",), False),
    ),
    asks=(
        "Any voice mails[ from {caller}]?",
        "Did anyone leave me a message on the machine?",
        Ask("play the new voice messages only", {"fresh": True}),
        "Check my voice mail[, only the messages from {caller}].",
        "I missed a few calls, what did they say on the voice mail?",
        "has {caller} left a voice mail",
        Ask("Play all voice mails, old ones too.", {"fresh": False}),
        "voicemail pls",
        "What does {caller} say on the answering machine?",
        Ask("Are there voice mails that I haven't heard yet[ from {caller}]?", {"fresh": True}),
    ),
    asks_zh=(
        "有没有语音留言[，{caller}的]？",
        "谁给我留言了？查下语音信箱",
        Ask("只听新的语音留言", {"fresh": True}),
        "错过几个电话，语音信箱里说了什么",
        "{caller}留语音了吗",
        Ask("所有语音留言都放一遍，旧的也要", {"fresh": False}),
        "查看语音信箱",
        Ask("还有没听过的留言吗？", {"fresh": True}),
    ),
    outcomes=(
        Outcome(
            fields=(("from", Person()), ("time", Clock(8, 21)), ("message", STATEMENTS)),
            texts=("{from}, {time}: {message}",),
            texts_zh=("{from}，{time}：{message}",),
            answers=(
                "{from} called at {time} and said: {message}.",
                "One message, from {from}: {message}.",
                "{from} says: {message}.",
            ),
            answers_zh=("{from}{time}留言说：{message}。", "有一条{from}的留言：{message}。", "{from}说：{message}。"),
        ),
        Outcome(
            fields=(("count", Integer(0, 0)),),
            texts=("no messages",),
            texts_zh=("没有留言",),
            answers=("There are no voice mails.", "Nobody left a message.", "Your voice mail is empty."),
            answers_zh=("没有语音留言。", "没人留言。", "语音信箱是空的。"),
        ),
    ),
)

AWAY = Family(
    key="contacts.away",
    names=("set_out_of_office", "enable_auto_reply", "vacation_responder", "set_away_message"),
    about=(
        "Switch on the out-of-office reply.",
        "Answers incoming mail automatically between two days.",
        "Automatic reply while the user is away.",
    ),
    about_zh=("设置外出自动回复。", "在一段日期内自动回复来信。"),
    params=(
        Param("start", DAYS, ("start_date", "from_date", "first_day"), ("First day away",), ("开始日期",)),
        Param(
            "end",
            PartOf("start", "end", about="YYYY-MM-DD", about_zh="格式 YYYY-MM-DD"),
            ("end_date", "to_date", "last_day"),
            ("Last day away",),
            ("结束日期",),
        ),
        Param("deputy", Email(), ("contact_instead", "deputy"), ("Whom to write to instead",), ("代理联系人",), False),
        Param(
            "outside",
            Flag(),
            ("external_senders", "reply_to_external"),
            ("Answer people outside too",),
            ("是否回复外部",),
            False,
        ),
    ),
    asks=(
        "I'm away {start}, switch on the out-of-office[ and name {deputy} instead of me].",
        "set an automatic reply {start}",
        "Holiday at last! {start} nobody gets an answer from me, only the auto reply[, {deputy} steps in].",
        "out of office {start}[, contact {deputy}]",
        Ask("Turn on the away message {start}, for outside senders as well.", {"outside": True}),
        Ask("auto-reply {start}, colleagues only, nobody outside", {"outside": False}),
        "I'll be in hospital {start}. People who mail me should be told[ to write to {deputy}].",
        "Let everybody who mails me know that I'm off {start}.",
        "vacation responder {start} please[, substitute is {deputy}]",
        "I'm at a conference {start} and won't read mail. Set that up[, {deputy} covers for me].",
    ),
    asks_zh=(
        "我{start}不在，开一下自动回复[，有事找{deputy}]。",
        "设置外出自动回复，{start}",
        "终于放假了，{start}来信都自动回[，代理人{deputy}]",
        Ask("{start}打开自动回复，外部发件人也回", {"outside": True}),
        Ask("{start}自动回复，只回同事，不回外部", {"outside": False}),
        "{start}我住院，邮件帮我设自动答复[，请他们联系{deputy}]",
        "{start}出差开会不看邮件，设个休假回复",
        "请启用{start}的离开消息[，紧急联系{deputy}]",
    ),
    outcomes=(
        Outcome(
            fields=(("active", DONE),),
            texts=("automatic reply scheduled",),
            texts_zh=("自动回复已设定",),
            answers=(
                "The automatic reply is set {start}.",
                "Done, enjoy your time off!",
                "Your out-of-office is on {start}.",
            ),
            answers_zh=("{start}的自动回复已设好。", "好了，来信会自动回复。", "外出回复已启用。"),
        ),
    ),
    missing=(
        Missing(
            key="start",
            asks=("Turn on my out-of-office.", "set up an automatic reply, I'm going on holiday"),
            replies=("From when to when are you away?", "What are the first and last day of your absence?"),
            asks_zh=("帮我开自动回复。", "我要休假，设一下外出回复"),
            replies_zh=("请问从哪天到哪天？", "休假的起止日期是？"),
        ),
    ),
)

DOMAIN = Domain(
    "contacts_messages",
    (
        *(FIND, ADD, CHANGE, CALL, BLOCK, VOICEMAIL, AWAY),
        *(messages.TEXT, messages.LATER, messages.MAIL, messages.INBOX, messages.GROUP, messages.UNREAD),
    ),
    unserved=messages.UNSERVED,
)
