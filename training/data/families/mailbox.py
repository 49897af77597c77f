"""Order in the mailbox: labels, folders, rules, newsletters, bins."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, Word
from training.data.times import Day
from training.data.wordings import pool
from training.data.world import Email, Person

SUBJECT = Word(
    pool(
        """Your ticket for Friday | Offer for the roof | Minutes of the board | Password changed
        Lunch on Thursday? | Draft contract v3 | Photos from the trip | Invoice 2044 | Parents' evening
        Change of venue | Welcome aboard | Sick note | Rent increase | Car inspection due | Final reminder
        Holiday plans | Exam results | Lost umbrella | New bank details | Project kick-off | Survey: canteen
        Delivery delayed"""
    ),
    pool(
        """周五的票 | 屋顶维修报价 | 董事会纪要 | 密码已更改 | 周四午饭 | 合同第三稿 | 旅行照片 | 发票2044
        家长会通知 | 地点变更 | 入职欢迎 | 病假条 | 房租调整 | 车辆年检提醒 | 最后催款 | 假期安排 | 考试成绩
        失物招领 | 新账户信息 | 项目启动会 | 食堂问卷 | 快递延误"""
    ),
    quoted=0.9,
)
FOLDER = Word(
    pool(
        """Receipts | Travel | Family | Projects 2026 | Taxes | Job search | School | Clients | Read later | House
        Choir | Insurance | Newsletters | Friends | Follow-up | Old stuff | Legal | Recipes | Tickets | Health"""
    ),
    pool(
        """收据 | 旅行 | 家人 | 项目 | 报税 | 求职 | 学校 | 客户 | 稍后阅读 | 房子 | 合唱团 | 保险 | 订阅 | 朋友
        待跟进 | 旧邮件 | 法务 | 菜谱 | 票据 | 健康"""
    ),
)
LABEL = Word(
    pool(
        """urgent | waiting | private | to pay | boring | done | ask mum | project x | someday | reply | red | vip
        draft | confidential | team | weekend | legal | follow up | important | to print"""
    ),
    pool(
        """紧急 | 等待回复 | 私人 | 待付款 | 已处理 | 问妈妈 | 以后再说 | 需回复 | 红色 | 重要客户 | 机密 | 团队
        周末看 | 待打印 | 跟进 | 参考"""
    ),
    quoted=0.5,
)
SENDER = Word(
    pool(
        """Daily Deals | Garden World | CityRun Club | FlyCheap | Book of the Week | Tech Digest | Pizza Palace
        Wine Letter | The Morning Brew | Sofa Outlet | JobRadar | Cinema Six | Yoga Now | Crypto Times
        Shoe Depot | Museum News"""
    ),
    pool(
        """每日特惠 | 园艺世界 | 城市跑团 | 低价机票 | 每周一书 | 科技早报 | 披萨王 | 葡萄酒周刊 | 沙发折扣
        求职雷达 | 六号影城 | 瑜伽生活 | 鞋仓 | 博物馆通讯"""
    ),
)

TAG = Family(
    key="mailbox.label",
    names=("label_email", "tag_message", "add_label", "mark_mail_with"),
    about=(
        "Put a label on an e-mail.",
        "Adds a label to the message with a given subject.",
        "Labels only; the mail stays where it is.",
    ),
    about_zh=("给邮件加标签。", "按主题给邮件添加标签，不移动邮件。"),
    params=(
        Param("subject", SUBJECT, ("subject", "message_subject", "mail"), ("Subject of the mail",), ("邮件主题",)),
        Param("label", LABEL, ("label", "tag", "label_name"), ("Label to add",), ("标签",)),
    ),
    asks=(
        "Put the label {label} on the mail {subject}.",
        "label {subject} as {label}",
        "tag the message {subject} with {label}",
        "The e-mail {subject} should carry the tag {label}.",
        "can you mark {subject} with my {label} label",
        "that mail called {subject}, add {label} as a tag",
        "So I find it again: {subject} gets the label {label}.",
        "add tag {label} to {subject}",
        "I use {label} as a label for such things, stick it on {subject}",
    ),
    asks_zh=(
        "给邮件{subject}加上{label}标签",
        "{subject}那封打个{label}的标签",
        "把{subject}标记为{label}",
        "邮件{subject}，标签{label}",
        "主题是{subject}的邮件，贴个{label}标签",
        "为了以后好找，{subject}标上{label}",
        "{subject}这封信加标签：{label}",
        "在{subject}上加个{label}标签吧",
        "帮我用{label}标一下{subject}",
        "{label}这个标签给{subject}打上",
    ),
    outcomes=(
        Outcome(
            fields=(("with_this_label", Integer(1, 240)),),
            texts=("labelled, {with_this_label} in all",),
            texts_zh=("已加标签，共{with_this_label}封",),
            answers=("The mail has the label {label} now.", "Done; {with_this_label} mails carry it.", "Labelled."),
            answers_zh=("已加上{label}标签。", "好了，这个标签下有{with_this_label}封邮件。", "标好了。"),
        ),
    ),
    missing=(
        Missing(
            "label",
            ("Put a label on the mail {subject}.", "tag {subject} for me"),
            ("Which label should it get?", "What should the label be?"),
            ("给邮件{subject}加个标签", "{subject}那封标记一下"),
            ("请问加什么标签？", "标签写什么？"),
        ),
        Missing(
            "subject",
            ("Label a mail as {label}.", "one of my mails should be tagged {label}"),
            ("Which mail do you mean?", "What is the subject of the mail?"),
            ("给一封邮件加{label}标签", "有封邮件标成{label}"),
            ("请问是哪封邮件？", "邮件主题是什么？"),
        ),
    ),
)

MOVE = Family(
    key="mailbox.move",
    names=("move_to_folder", "file_email", "move_mail", "archive_into"),
    about=(
        "Move mails of a sender into a folder.",
        "Takes all messages from one person out of the inbox and files them.",
        "Moves once; for mails to come make a rule.",
    ),
    about_zh=("把某人的邮件移到文件夹。", "一次性整理邮件；以后的邮件请用规则。"),
    params=(
        Param("sender", Person(), ("sender", "from_person", "from_name"), ("Whose mails",), ("发件人",)),
        Param("folder", FOLDER, ("folder", "target_folder", "destination"), ("Where they go",), ("文件夹",)),
        Param("unread", Flag(), ("keep_unread", "mark_unread"), ("Leave them unread",), ("保持未读",), False),
    ),
    asks=(
        "Move all mails from {sender} to the folder {folder}.",
        "file everything by {sender} under {folder}",
        "{sender}'s mails -> {folder}",
        "My inbox is a mess. Whatever {sender} sent belongs into {folder}.",
        "could you put the messages from {sender} into my {folder} folder",
        Ask("shift {sender}'s mails to {folder} but leave them unread", {"unread": True}),
        "sweep the mails of {sender} over to {folder}",
        "mails from {sender} should lie in {folder}, move them",
        "get {sender}'s letters out of the inbox, into {folder}",
    ),
    asks_zh=(
        "把{sender}的邮件都移到{folder}文件夹",
        "{sender}发来的归到{folder}",
        "收件箱太乱了，{sender}的邮件放进{folder}",
        "{sender}的信 → {folder}",
        Ask("{sender}的邮件移到{folder}，保持未读", {"unread": True}),
        "将{sender}的邮件归档到{folder}",
        "{folder}文件夹里放{sender}的邮件，挪过去",
        "把收件箱里{sender}的来信整理进{folder}",
        "{sender}那些邮件帮我收到{folder}里",
        "清一下收件箱，{sender}的去{folder}",
    ),
    outcomes=(
        Outcome(
            fields=(("moved", Integer(1, 320)),),
            texts=("{moved} moved",),
            texts_zh=("已移动{moved}封",),
            answers=(
                "{moved} mails from {sender} are in {folder} now.",
                "Moved {moved} mails.",
                "Done, {moved} of them.",
            ),
            answers_zh=("{sender}的{moved}封邮件已移到{folder}。", "移动了{moved}封。", "好了，共{moved}封。"),
        ),
    ),
    missing=(
        Missing(
            "folder",
            ("Move the mails from {sender}.", "get {sender}'s mails out of my inbox"),
            ("Into which folder?", "Where should {sender}'s mails go?"),
            ("把{sender}的邮件移走", "整理一下{sender}的邮件"),
            ("请问移到哪个文件夹？", "放进哪个文件夹？"),
        ),
    ),
)

RULE = Family(
    key="mailbox.rule",
    names=("create_mail_rule", "add_filter", "new_inbox_rule", "auto_sort_mail"),
    about=(
        "Make a rule for mails to come.",
        "From now on mails from an address are moved, forwarded, starred or deleted.",
        "Filter for the future; mails that are there already stay.",
    ),
    about_zh=("创建收信规则。", "以后来自某地址的邮件自动处理，不影响已有邮件。"),
    params=(
        Param(
            "address",
            Email(),
            ("from_address", "sender_email", "match_from"),
            ("Address of the sender",),
            ("发件地址",),
        ),
        Param(
            "action",
            Choice(
                {
                    "archive": (("archived",), ("归档",)),
                    "star": (("starred",), ("加星标",)),
                    "delete": (("deleted", "thrown away"), ("删除", "删掉")),
                    "mark_read": (("marked as read",), ("标为已读",)),
                }
            ),
            ("action", "then", "do"),
            ("What happens to them",),
            ("动作",),
        ),
    ),
    asks=(
        "From now on mails from {address} should be {action}.",
        "rule: {address} -> {action}",
        "whatever comes from {address} is to be {action} automatically",
        "I get ten mails a day from {address}. Make sure that they are always {action}.",
        Ask("Always throw away what {address} sends.", {"action": "delete"}),
        Ask("give every future mail from {address} a star", {"action": "star"}),
        Ask("everything {address} writes to me should go straight to the archive from now on", {"action": "archive"}),
        "new filter, sender {address}, mails get {action}",
        "please set up my inbox so that {address} is always {action}",
    ),
    asks_zh=(
        "以后{address}来的邮件自动{action}",
        "建个规则：{address}发的都{action}",
        "{address}每天发十封，全部自动{action}",
        Ask("{address}的邮件以后一律扔掉", {"action": "delete"}),
        Ask("今后{address}来信都打星", {"action": "star"}),
        Ask("{address}发来的邮件以后直接进归档", {"action": "archive"}),
        Ask("以后{address}的邮件都当已读处理", {"action": "mark_read"}),
        "设置过滤：发件人{address}，{action}",
        "收信规则，{address}，{action}",
        "从今往后{address}的都给我{action}",
    ),
    outcomes=(
        Outcome(
            fields=(("rules", Integer(1, 40)),),
            texts=("rule saved, {rules} in all",),
            texts_zh=("规则已保存，共{rules}条",),
            answers=(
                "The rule for {address} is saved.",
                "Done, you have {rules} rules now.",
                "That will happen from now on.",
            ),
            answers_zh=("{address}的规则已保存。", "好了，现在共有{rules}条规则。", "以后会自动处理。"),
        ),
    ),
    missing=(
        Missing(
            "address",
            ("Some mails should always be {action}.", "make a rule so that they are {action}"),
            ("From which address?", "Which sender's mails do you mean?"),
            ("有些邮件以后自动{action}", "建个自动{action}的规则"),
            ("请问是哪个发件地址？", "针对谁发来的邮件？"),
        ),
    ),
)

LEAVE = Family(
    key="mailbox.unsubscribe",
    names=("unsubscribe_newsletter", "leave_mailing_list", "stop_newsletter", "opt_out"),
    about=(
        "Unsubscribe from a newsletter.",
        "Takes the user off a mailing list, and deletes old issues if wanted.",
        "Ends a subscription by mail.",
    ),
    about_zh=("退订邮件订阅。", "退出某个邮件列表，可同时删除旧邮件。"),
    params=(
        Param("list", SENDER, ("newsletter", "list_name", "sender"), ("Which newsletter",), ("订阅名称",)),
        Param("purge", Flag(), ("delete_old", "purge"), ("Delete the old issues too",), ("删除旧邮件",), False),
    ),
    asks=(
        "Unsubscribe me from {list}.",
        "no more mail from {list} please",
        "{list} writes every single day, I've had enough of that newsletter",
        "take me off the {list} list",
        Ask("Stop the {list} newsletter and delete the old issues.", {"purge": True}),
        Ask("get rid of {list}, past mails as well", {"purge": True}),
        Ask("I don't want new issues of {list}, but keep the old ones.", {"purge": False}),
        "cancel the {list} newsletter",
        "why do I still get {list}? sign me out of it",
    ),
    asks_zh=(
        "退订{list}",
        "不要再收{list}的邮件了",
        "{list}天天发，烦死了，取消订阅",
        "把我从{list}的名单里去掉",
        Ask("退订{list}，以前的也删掉", {"purge": True}),
        Ask("{list}不要了，旧邮件一起清空", {"purge": True}),
        Ask("{list}别再发了，但旧的留着", {"purge": False}),
        "取消{list}的邮件订阅",
        "怎么还在收{list}，帮我退了",
        "{list}的通讯停掉吧",
    ),
    outcomes=(
        Outcome(
            fields=(("effective_in_days", Integer(1, 7)),),
            texts=("unsubscribed, takes {effective_in_days} days",),
            texts_zh=("已退订，{effective_in_days}天内生效",),
            answers=(
                "You are off the list of {list}.",
                "Done, it takes {effective_in_days} days to work.",
                "Unsubscribed from {list}.",
            ),
            answers_zh=("已退订{list}。", "好了，{effective_in_days}天内生效。", "{list}的订阅已取消。"),
        ),
    ),
    missing=(
        Missing(
            "list",
            ("Unsubscribe me.", "take me off that mailing list", "I get too many newsletters, stop one"),
            ("Which newsletter?", "From which list should I take you?"),
            ("帮我退订", "取消邮件订阅", "那个订阅不要了"),
            ("请问退订哪一个？", "是哪个订阅？"),
        ),
    ),
    also=("contracts.cancel_subscription",),
)

CLEAR = Family(
    key="mailbox.clear",
    names=("empty_mail_folder", "clear_mailbox_folder", "purge_old_mail", "clean_up_mail"),
    about=(
        "Delete the mails in the bin, the spam or the promotions.",
        "Empties one of the standard folders, all of it or what is older than a day.",
        "Deletes for good.",
    ),
    about_zh=("清空邮箱文件夹。", "清空垃圾箱、垃圾邮件或推广邮件，可只删某天之前的。"),
    params=(
        Param(
            "folder",
            Choice(
                {
                    "trash": (("trash", "bin"), ("回收站", "已删除")),
                    "spam": (("spam", "junk"), ("垃圾邮件",)),
                    "promotions": (("promotions", "ads"), ("推广邮件", "广告邮件")),
                }
            ),
            ("folder", "which", "mailbox"),
            ("Which folder",),
            ("文件夹",),
        ),
        Param(
            "before", Day(-90, -3), ("older_than", "before"), ("Only mails before this day",), ("此日期之前",), False
        ),
    ),
    asks=(
        "Empty the {folder} folder.",
        "clear out {folder} in my mail[, only what came before {before}]",
        "delete everything in the {folder} folder[ from before {before}]",
        "My mailbox is full! Throw out the {folder} folder.",
        "mail folder {folder}: wipe it",
        "please remove all mails in the {folder} folder[ that are older than {before}]",
        "is there still something in the {folder} folder? then clean it",
        "get rid of what is in {folder}[, if it came before {before}]",
        "purge the {folder} folder",
    ),
    asks_zh=(
        "清空{folder}",
        "把{folder}里的都删了[，只删{before}之前的]",
        "邮箱满了，{folder}清一清",
        "删除{before}之前的{folder}",
        "{folder}全部删掉",
        "[{before}以前的]{folder}不要了",
        "帮我倒一下{folder}",
        "{folder}里还有东西吗，有就清掉",
        "彻底清理{folder}[，{before}之前的]",
        "腾点空间，{folder}清空",
    ),
    outcomes=(
        Outcome(
            fields=(("deleted", Integer(3, 2400)),),
            texts=("{deleted} deleted",),
            texts_zh=("已删除{deleted}封",),
            answers=("{deleted} mails are deleted.", "Done: {deleted} mails gone.", "Cleared, {deleted} mails in all."),
            answers_zh=("删除了{deleted}封邮件。", "清空了，共{deleted}封。", "好了，{deleted}封已删。"),
        ),
    ),
    missing=(
        Missing(
            "folder",
            ("Empty a folder in my mailbox.", "delete old mails, before {before}"),
            ("Which folder: trash, spam or promotions?", "Which one should I empty?"),
            ("清空一个邮箱文件夹", "把{before}之前的旧邮件删了"),
            ("请问清空回收站、垃圾邮件还是推广邮件？", "是哪个文件夹？"),
        ),
    ),
)

DOMAIN = Domain(
    "mailbox",
    (TAG, MOVE, RULE, LEAVE, CLEAR),
    unserved=(
        ("Attach the photo to my draft.", "把照片附到草稿里。"),
        ("Change my signature.", "修改我的邮件签名。"),
        ("Undo sending the last mail.", "撤回刚才那封邮件。"),
        ("Print the mail from the landlord.", "把房东那封邮件打印出来。"),
        ("Was my message opened?", "我的邮件对方看了吗？"),
        ("Open a second mail account.", "再开一个邮箱账号。"),
        ("Read me the longest mail.", "把最长那封邮件念给我听。"),
        ("Encrypt my messages.", "给我的邮件加密。"),
        ("Who is in the team mailing list?", "团队邮件组里都有谁？"),
        ("Save the attachments to the drive.", "把附件存到网盘。"),
        ("Reply that I can't come.", "回信说我去不了。"),
        ("How big is my mailbox?", "我的邮箱有多大？"),
    ),
)
