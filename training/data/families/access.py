"""Who may go where: badges, doors, groups of rights, visitors, and the players of a game server."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Word
from training.data.times import Clock, Day, Duration
from training.data.wordings import pool
from training.data.world import Person

DOOR = Word(
    pool(
        """server room | main entrance | lab 3 | archive | loading dock | roof terrace | boardroom | garage
        workshop | vault | north gate | staff canteen | data centre | cold store | studio B | pharmacy"""
    ),
    pool(
        """机房 | 正门 | 三号实验室 | 档案室 | 装卸区 | 屋顶露台 | 会议厅 | 车库 | 车间 | 金库 | 北门 | 员工食堂
        数据中心 | 冷库 | B录音室 | 药房"""
    ),
)
BADGE = Code(("B-99999", "AA9999", "999-999", "C99A99"))
SYSTEM = Word(
    pool(
        """payroll | CRM | wiki | billing | ticket system | build server | HR portal | shared drive | analytics
        mail archive | shop admin | time tracking"""
    ),
    pool(
        """工资系统 | 客户系统 | 知识库 | 计费系统 | 工单系统 | 构建服务器 | 人事系统 | 共享盘 | 数据看板 | 邮件归档
        店铺后台 | 考勤系统"""
    ),
)
PLAYER = Word(
    pool(
        """DragonTea | n00bslayer | PixelPanda | Xx_Storm_xX | LadyRook | mrBlocky | SilentFox9 | TurboGoat
        zeroCool42 | GrannyGamer | IronMole | kiwi_knight | LagMonster | MoonBaker | Sir_Fail"""
    )
)

OPEN_DOORS = Family(
    key="access.grant_doors",
    names=("grant_door_access", "allow_doors", "extend_badge", "add_door_permission"),
    about=(
        "Let a person through some doors.",
        "Adds doors to somebody's badge, for good or until a day.",
        "Doors of the building; rights in software are given elsewhere.",
    ),
    about_zh=("给某人开通门禁。", "为工牌增加可进入的门，可设截止日期。"),
    params=(
        Param("person", Person(), ("person", "employee", "badge_holder"), ("Who",), ("人员",)),
        Param("doors", ListOf(DOOR, 1, 3), ("doors", "areas", "zones"), ("Which doors",), ("区域",)),
        Param("until", Day(3, 60), ("valid_until", "expires_on"), ("Last day",), ("截止日期",), False),
    ),
    asks=(
        "Give {person} access to the {doors}[ until {until}].",
        "{person} should be able to open: {doors}",
        "badge of {person}: add {doors}[, expires {until}]",
        "{person} starts today and needs to get into the {doors}",
        "let {person} into the {doors}[, but only until {until}]",
        "The door stays shut for {person}. Please unlock {doors} on the badge.",
        "door rights for {person}, {doors}",
        "can {person} have the {doors} on the badge[ till {until}]",
    ),
    asks_zh=(
        "给{person}开通{doors}的门禁[，到{until}为止]",
        "{person}要能进{doors}",
        "{person}的工牌加上{doors}",
        "新来的{person}需要进{doors}[，有效到{until}]",
        "让{person}可以刷开{doors}",
        "{person}刷不开门，把{doors}加上",
        "门禁授权：{person}，{doors}[，截止{until}]",
        "{doors}放{person}进",
        "帮{person}的卡开{doors}权限[，{until}过期]",
        "{person}以后能进{doors}，设置一下",
    ),
    outcomes=(
        Outcome(
            fields=(("doors_on_badge", Integer(1, 25)),),
            texts=("saved, {doors_on_badge} doors",),
            texts_zh=("已开通，共{doors_on_badge}个门",),
            answers=(
                "{person} can open it now.",
                "Done; the badge opens {doors_on_badge} doors.",
                "Access for {person} is set.",
            ),
            answers_zh=("{person}可以进了。", "好了，工牌共{doors_on_badge}个门。", "{person}的门禁已开通。"),
        ),
    ),
    missing=(
        Missing(
            "doors",
            ("Extend the badge of {person}.", "{person} needs more access, until {until}"),
            ("Which doors?", "Where should {person} get in?"),
            ("给{person}开门禁", "{person}的卡要加权限"),
            ("请问开通哪些门？", "要进哪些区域？"),
        ),
    ),
)

BLOCK = Family(
    key="access.block_badge",
    names=("block_badge", "disable_badge", "deactivate_card", "revoke_badge"),
    about=("Block a badge.", "Makes a badge useless at once, e.g. after a loss.", "Blocks one badge by its number."),
    about_zh=("停用工牌。", "立即冻结某张门禁卡，例如丢失时。"),
    params=(
        Param("badge", BADGE, ("badge_number", "badge_id", "card"), ("Number on the badge",), ("卡号",)),
        Param(
            "reason",
            Choice(
                {
                    "lost": (("lost",), ("丢失", "丢了")),
                    "stolen": (("stolen",), ("被偷",)),
                    "left": (("the person has left the company",), ("人已离职",)),
                }
            ),
            ("reason", "why"),
            ("Why",),
            ("原因",),
            False,
        ),
    ),
    asks=(
        "Block badge {badge}[, {reason}].",
        "the card {badge} must not open anything any more[: {reason}]",
        Ask("Somebody stole my badge {badge}, kill it!", {"reason": "stolen"}),
        Ask("I can't find my badge anywhere, number {badge}, it's lost. Disable it.", {"reason": "lost"}),
        "deactivate {badge}",
        "badge {badge}[ {reason}], please lock it out",
        "make {badge} useless right now",
        "switch off the badge with number {badge}[, {reason}]",
    ),
    asks_zh=(
        "停用工牌{badge}[，{reason}]",
        "{badge}这张卡冻结[，{reason}]",
        Ask("我的工牌被偷了，{badge}，马上停掉", {"reason": "stolen"}),
        Ask("工牌找不到了，丢了，号码{badge}，挂失", {"reason": "lost"}),
        "把{badge}作废",
        "{badge}不能再开门了，禁用[，{reason}]",
        "卡号{badge}，立刻冻结",
        Ask("{badge}的人离职了，卡停掉", {"reason": "left"}),
        "门禁卡{badge}失效处理",
        "拉黑{badge}这张工牌[，{reason}]",
    ),
    outcomes=(
        Outcome(
            fields=(("last_used", Clock(6, 20)),),
            texts=("blocked, last used {last_used}",),
            texts_zh=("已停用，最后使用{last_used}",),
            answers=(
                "{badge} is blocked.",
                "Blocked; it was last used at {last_used}.",
                "Badge {badge} opens nothing any more.",
            ),
            answers_zh=("{badge}已停用。", "停掉了，最后一次使用是{last_used}。", "工牌{badge}已失效。"),
        ),
    ),
    missing=(
        Missing(
            "badge",
            ("Block my badge, it's {reason}.", "a badge was {reason}, disable it"),
            ("What is the number of the badge?", "Which badge?"),
            ("我的工牌{reason}，停用", "冻结一张门禁卡"),
            ("请问卡号是多少？", "是哪张工牌？"),
        ),
    ),
)

DOOR_LOG = Family(
    key="access.door_log",
    names=("door_log", "who_entered", "entry_history", "access_events"),
    about=("Who went through a door.", "Entries at a door on a day.", "Reads the door's log; it changes no rights."),
    about_zh=("查询门禁记录。", "某天谁进过某扇门。"),
    params=(
        Param("door", DOOR, ("door", "area", "entrance"), ("Which door",), ("门",)),
        Param("day", Day(-10, 0), ("date", "on_day"), ("Which day",), ("日期",)),
    ),
    asks=(
        "Who was in the {door} {day}?",
        "entries {door} {day}",
        "someone left the light on in the {door} {day}, who was there",
        "Show me who went through the {door} door on {day}.",
        "{door}, log of {day}",
        "things are missing from the {door}. Who got in {day}?",
        "how many people used the {door} {day}",
        "last person into the {door} {day}?",
    ),
    asks_zh=(
        "{day}谁进过{door}？",
        "{door}{day}的门禁记录",
        "{day}{door}灯没关，谁去过",
        "查{door}的出入记录，{day}",
        "{door}丢东西了，{day}有谁进去",
        "{day}多少人进了{door}",
        "看看{day}最后进{door}的是谁",
        "调一下{door}{day}的刷卡记录",
        "{door}，{day}，进出名单",
        "{day}有人刷开{door}吗",
    ),
    outcomes=(
        Outcome(
            fields=(("entries", Integer(1, 140)), ("last_person", Person(0.9))),
            texts=("{entries} entries, last {last_person}",),
            texts_zh=("{entries}次进入，最后是{last_person}",),
            answers=(
                "{entries} entries; the last was {last_person}.",
                "The last one in was {last_person}.",
                "There were {entries} entries.",
            ),
            answers_zh=(
                "共{entries}次，最后进去的是{last_person}。",
                "最后一个是{last_person}。",
                "有{entries}次进入记录。",
            ),
        ),
    ),
    missing=(
        Missing(
            "door",
            ("Who got in {day}?", "show me the entries of {day}"),
            ("At which door?", "Which door do you mean?"),
            ("{day}谁进来过？", "查{day}的门禁记录"),
            ("请问是哪扇门？", "查哪个区域？"),
        ),
        Missing(
            "day",
            ("Who was in the {door}?", "entry log of the {door} please"),
            ("On which day?", "Which day should I look at?"),
            ("谁进过{door}？", "{door}的出入记录"),
            ("请问查哪一天？", "是哪天？"),
        ),
    ),
)

RIGHTS = Family(
    key="access.software_role",
    names=("set_user_role", "grant_role", "change_permissions", "assign_system_role"),
    about=(
        "Give somebody a role in a software system.",
        "Sets what a person may do in one of our systems.",
        "Rights in software, not on doors.",
    ),
    about_zh=("设置系统权限。", "为某人在某系统中分配角色，不是门禁。"),
    params=(
        Param("person", Person(), ("user", "person", "account"), ("Who",), ("用户",)),
        Param("system", SYSTEM, ("system", "application", "app"), ("In which system",), ("系统",)),
        Param(
            "role",
            Choice(
                {
                    "reader": (("read-only",), ("只读",)),
                    "editor": (("editor",), ("编辑",)),
                    "admin": (("admin", "administrator"), ("管理员",)),
                    "none": (("no",), ("无",)),
                },
            ),
            ("role", "level", "permission"),
            ("New role",),
            ("角色",),
        ),
    ),
    asks=(
        Ask("Make {person} an admin in the {system} system.", {"role": "admin"}),
        Ask("{person} may only read in {system}, set that", {"role": "reader"}),
        Ask("take all rights in {system} away from {person}", {"role": "none"}),
        Ask("{person} has to change entries in {system}, so editor rights please", {"role": "editor"}),
        Ask("read-only access to {system} for {person}", {"role": "reader"}),
        Ask("{person} left the team; no role in {system} any more", {"role": "none"}),
        Ask("{system}: {person} becomes administrator", {"role": "admin"}),
        Ask("set {person} to editor in {system}", {"role": "editor"}),
    ),
    asks_zh=(
        Ask("把{person}设为{system}管理员", {"role": "admin"}),
        Ask("{person}在{system}里只读", {"role": "reader"}),
        Ask("取消{person}在{system}的所有权限", {"role": "none"}),
        Ask("{person}要改{system}里的东西，给编辑权限", {"role": "editor"}),
        Ask("{system}给{person}开只读", {"role": "reader"}),
        Ask("{person}调走了，{system}的权限全收回", {"role": "none"}),
        Ask("{person}升为{system}的管理员", {"role": "admin"}),
        Ask("{system}：{person}，编辑", {"role": "editor"}),
        Ask("让{person}只能看{system}，不能改", {"role": "reader"}),
        Ask("{person}以后管{system}，管理员权限给他", {"role": "admin"}),
    ),
    outcomes=(
        Outcome(
            fields=(("users", Integer(2, 300)),),
            texts=("saved, {users} users",),
            texts_zh=("已保存，共{users}个用户",),
            answers=(
                "The rights of {person} in {system} are set.",
                "Done; {system} has {users} users.",
                "{person}'s role is changed.",
            ),
            answers_zh=(
                "{person}在{system}的权限已设置。",
                "好了，{system}共{users}个用户。",
                "{person}的角色已更改。",
            ),
        ),
    ),
    missing=(
        Missing(
            "role",
            ("Change {person}'s rights in {system}.", "{person} needs access to {system}"),
            ("Which role: read-only, editor, admin or none?", "What may {person} do in {system}?"),
            ("改一下{person}在{system}的权限", "{person}要用{system}"),
            ("请问给只读、编辑还是管理员？", "什么角色？"),
        ),
        Missing(
            "system",
            ("Make {person} an admin.", "{person} should get editor rights"),
            ("In which system?", "For which system?"),
            ("把{person}设为管理员", "给{person}编辑权限"),
            ("请问是哪个系统？", "在哪个系统里？"),
        ),
    ),
)

VISITOR = Family(
    key="access.visitor",
    names=("register_visitor", "announce_guest", "visitor_pass", "expect_visitor"),
    about=(
        "Announce a visitor at the gate.",
        "Prepares a visitor's pass for a day, and who will fetch them.",
        "Visitors only, not staff.",
    ),
    about_zh=("登记访客。", "为来访者准备某天的通行证，并注明接待人。"),
    params=(
        Param("visitor", Person(0.9), ("visitor", "guest_name", "visitor_name"), ("Who comes",), ("访客",)),
        Param("day", Day(0, 14), ("date", "visit_day"), ("Day of the visit",), ("来访日期",)),
        Param("time", Clock(8, 17), ("arrival", "arrival_time"), ("When they come",), ("到达时间",), False),
        Param("parking", Flag(), ("parking", "needs_parking"), ("Needs a parking space",), ("是否需要车位",), False),
    ),
    asks=(
        "Announce {visitor} at the gate for {day}[ at {time}].",
        "we expect a visitor {day}: {visitor}[, around {time}]",
        "visitor pass for {visitor}, {day}",
        Ask("{visitor} visits us {day}[ at {time}] and needs a parking space", {"parking": True}),
        Ask("tell reception that {visitor} comes {day}, no car", {"parking": False}),
        "{visitor} from the supplier drops in {day}[, {time}], let the gate know",
        "put {visitor} on the visitor list, {day}[, {time}]",
        "prepare a guest pass, {visitor}, {day}",
    ),
    asks_zh=(
        "登记访客{visitor}，{day}[{time}]来",
        "{day}有客人{visitor}来访[，{time}到]",
        "给{visitor}办张访客证，{day}用",
        Ask("{visitor}{day}来公司[，{time}]，要车位", {"parking": True}),
        Ask("跟前台说{visitor}{day}来，不开车", {"parking": False}),
        "供应商的{visitor}{day}过来[，{time}]，跟门卫打个招呼",
        "访客名单加上{visitor}，{day}",
        "{visitor}{day}[{time}]要进厂，提前登记",
        "来访预约：{visitor}，{day}[，{time}]",
        "准备访客通行证，{visitor}，{day}",
    ),
    outcomes=(
        Outcome(
            fields=(("pass_number", Code(("V-999", "V9999"))),),
            texts=("pass {pass_number}",),
            texts_zh=("访客证{pass_number}",),
            answers=(
                "{visitor} is announced, pass {pass_number}.",
                "Done, the pass is {pass_number}.",
                "The gate knows about {visitor}.",
            ),
            answers_zh=(
                "{visitor}已登记，访客证{pass_number}。",
                "办好了，{pass_number}。",
                "门卫已收到{visitor}的信息。",
            ),
        ),
    ),
    missing=(
        Missing(
            "visitor",
            ("We expect a visitor {day}.", "announce a guest for {day}, {time}"),
            ("What is the visitor's name?", "Who is coming?"),
            ("{day}有访客", "登记个访客，{day}来"),
            ("请问访客叫什么？", "来访的是谁？"),
        ),
        Missing(
            "day",
            ("{visitor} is going to visit us, tell the gate.", "visitor pass for {visitor}"),
            ("On which day?", "When does {visitor} come?"),
            ("登记访客{visitor}", "{visitor}要来访"),
            ("请问哪天来？", "{visitor}什么时候到？"),
        ),
    ),
)

KICK = Family(
    key="access.game_ban",
    names=("ban_player", "suspend_player", "game_server_ban", "kick_from_server"),
    about=(
        "Ban a player from the game server.",
        "Keeps a player out of the game for some time.",
        "For admins of a game server.",
    ),
    about_zh=("封禁游戏玩家。", "在一段时间内禁止某玩家进入游戏服务器。"),
    params=(
        Param(
            "player",
            PLAYER,
            ("player", "player_name", "nickname"),
            ("Name in the game",),
            ("玩家名",),
        ),
        Param(
            "time",
            Duration("hours", (2, 3, 6, 8, 12, 24, 36, 48, 72)),
            ("hours", "ban_hours", "duration"),
            ("How long",),
            ("时长",),
        ),
        Param(
            "cause",
            Choice(
                {
                    "cheating": (("cheating", "using cheats"), ("作弊", "开挂")),
                    "insults": (("insulting others", "foul language"), ("骂人", "辱骂他人")),
                    "spam": (("spamming the chat",), ("刷屏",)),
                }
            ),
            ("reason", "cause"),
            ("Why",),
            ("原因",),
            False,
        ),
    ),
    asks=(
        "Ban {player} from the server for {time}[ for {cause}].",
        "{player} out, {time}[, {cause}]",
        "keep {player} off the game for {time}",
        "I've had enough of {player}. No playing for {time}[, reason: {cause}].",
        "suspend {player} {time}[ because of {cause}]",
        "{player} has earned a break of {time} from our game server[: {cause}]",
        "server ban: {player}, {time}",
        "lock {player} out of the game for {time}[, {cause}]",
    ),
    asks_zh=(
        "封掉{player}，{time}[，{cause}]",
        "{player}禁止进服{time}[，因为{cause}]",
        "把玩家{player}踢出去，{time}内别进来",
        "{player}太过分了，封{time}[，理由{cause}]",
        "封禁：{player}，{time}",
        "{player}，[{cause}，]关小黑屋{time}",
        "服务器上{player}停{time}",
        "让{player}冷静{time}，先封号[，{cause}]",
        "玩家{player}封号{time}[，原因：{cause}]",
        "{time}不许{player}玩",
    ),
    outcomes=(
        Outcome(
            fields=(("players_online", Integer(1, 80)),),
            texts=("banned, {players_online} online",),
            texts_zh=("已封禁，在线{players_online}人",),
            answers=(
                "{player} is banned for {time}.",
                "Done; {players_online} players are online.",
                "{player} is out.",
            ),
            answers_zh=("{player}已封禁{time}。", "封好了，在线{players_online}人。", "{player}已被请出。"),
        ),
    ),
    missing=(
        Missing(
            "time",
            ("Ban {player} from the server.", "{player} is a pest, throw them out"),
            ("For how long?", "How long should {player} be banned?"),
            ("封了{player}", "{player}太烦，禁止进服"),
            ("请问封多久？", "{player}封多长时间？"),
        ),
    ),
)

DOMAIN = Domain(
    "access",
    (OPEN_DOORS, BLOCK, DOOR_LOG, RIGHTS, VISITOR, KICK),
    unserved=(
        ("Print a photo on my badge.", "在我的工牌上印照片。"),
        ("Switch off the alarm in hall two.", "把二号厅的警报关了。"),
        ("Reset my password.", "重置我的密码。"),
        ("Order three new door handles.", "买三个新门把手。"),
        ("Where is the spare key of the garage?", "车库备用钥匙在哪？"),
        ("Hire a security guard for the weekend.", "周末请个保安。"),
        ("Show the camera at the north gate.", "看北门的监控。"),
        ("Open the door for me right now.", "现在帮我把门打开。"),
        ("Restart the game server.", "重启游戏服务器。"),
        ("How many visitors came last year?", "去年来了多少访客？"),
        ("Write the safety rules for guests.", "写一份访客安全须知。"),
        ("Create a new world in the game.", "在游戏里建个新世界。"),
    ),
)
