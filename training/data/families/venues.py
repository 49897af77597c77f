"""Halls and their evenings, from the organiser's side: seats, guest lists, tickets at the door, acts, stands."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, Word
from training.data.times import Clock, Day, Duration
from training.data.wordings import pool
from training.data.world import Person

SHOW = Word(
    pool(
        """Jazz Night | Comedy Club | Spring Gala | Poetry Slam | Winter Ball | Tech Meetup | Opera Evening
        Quiz Night | Film Marathon | Charity Dinner | Battle of the Bands | Wine Tasting | Science Fair
        Dance Finals | Book Launch | Magic Show | Folk Festival | Chess Open"""
    ),
    pool(
        """爵士之夜 | 脱口秀专场 | 春季晚宴 | 诗歌朗诵会 | 冬日舞会 | 技术沙龙 | 歌剧之夜 | 知识竞赛 | 电影马拉松
        慈善晚餐 | 乐队大赛 | 品酒会 | 科学展 | 舞蹈决赛 | 新书发布会 | 魔术秀 | 民谣节 | 象棋公开赛"""
    ),
)
ACT = Word(
    pool(
        """The Rusty Spoons | Lena and the Owls | Captain Cardigan | Blue Tram | DJ Marzipan | The Night Buses
        Trio Fermata | Mister Magnet | Velvet Goats | Aunt Agnes | Brass Kitchen | Slow Comet | The Left Shoes
        Paper Moon Choir"""
    ),
    pool(
        """生锈勺子乐队 | 猫头鹰组合 | 蓝电车 | DJ杏仁 | 夜班车乐队 | 三重奏延音 | 磁铁先生 | 丝绒山羊 | 铜管厨房
        慢彗星 | 左脚鞋 | 纸月亮合唱团"""
    ),
)
SHOW_PARAM = Param("show", SHOW, ("event", "show", "event_name"), ("Which event",), ("活动名称",))

SEATS = Family(
    key="venues.seats_left",
    names=("seats_left", "ticket_sales_status", "remaining_capacity", "how_full_is_event"),
    about=(
        "How many seats of an event are still unsold.",
        "Sales of our own event: sold and left, by area if wanted.",
        "For organisers; it sells no tickets.",
    ),
    about_zh=("查询活动余票。", "主办方查看某活动还剩多少座位，不售票。"),
    params=(
        SHOW_PARAM,
        Param(
            "area",
            Choice(
                {
                    "stalls": (("stalls",), ("池座",)),
                    "balcony": (("balcony",), ("楼座", "二楼")),
                    "box": (("boxes",), ("包厢",)),
                    "standing": (("standing area",), ("站区", "站票区")),
                }
            ),
            ("area", "section"),
            ("One part of the hall",),
            ("区域",),
            False,
        ),
    ),
    asks=(
        "How many seats are left for {show}[ in the {area}]?",
        "{show} sold out yet?[ I mean the {area}]",
        "Is {show} going to be empty? How are we selling[ in the {area}]?",
        "seats left {show}[, {area}]",
        "do we need to print more posters for {show}, or is the hall full already",
        "my sponsor asks how full {show} is",
        "what can the box office still sell for {show}[, {area}]",
        "capacity left at {show}",
    ),
    asks_zh=(
        "{show}还剩多少座位？",
        "{show}卖完了吗[，{area}]",
        "{show}卖得怎么样，还有多少票没卖",
        "{show}[{area}]余票",
        "赞助商问{show}上座多少",
        "要不要给{show}加海报，坐满了没有",
        "票房还能卖几张{show}[，{area}的]",
        "看看{show}还空多少[，{area}]",
        "我们的{show}会不会冷场，剩多少座",
        "查{show}剩余席位",
    ),
    outcomes=(
        Outcome(
            fields=(("left", Integer(1, 400)), ("sold", Integer(20, 1800))),
            texts=("{left} left, {sold} sold",),
            texts_zh=("剩{left}，已售{sold}",),
            answers=(
                "{left} seats are left for {show}.",
                "{sold} are sold, {left} are left.",
                "There are {left} left.",
            ),
            answers_zh=("{show}还剩{left}个座位。", "已售{sold}，还剩{left}。", "剩{left}个。"),
        ),
    ),
    missing=(
        Missing(
            "show",
            ("How many seats are left?", "are we sold out in the {area}"),
            ("For which event?", "Which event do you mean?"),
            ("还剩多少座位？", "{area}卖完了吗"),
            ("请问是哪场活动？", "查哪个活动？"),
        ),
    ),
)

GUEST = Family(
    key="venues.guest_list",
    names=("add_to_guest_list", "put_on_guest_list", "invite_free_guest", "guest_list_entry"),
    about=(
        "Put somebody on an event's guest list.",
        "Free entry for a person and those who come along.",
        "Guest list at the door.",
    ),
    about_zh=("加入嘉宾名单。", "让某人及同伴免票入场。"),
    params=(
        SHOW_PARAM,
        Param("guest", Person(0.9), ("guest", "name", "guest_name"), ("Who comes in",), ("嘉宾",)),
        Param(
            "plus",
            Integer(1, 5),
            ("plus", "companions", "extra_people"),
            ("How many come along",),
            ("同行人数",),
            False,
        ),
        Param(
            "backstage", Flag(), ("backstage", "backstage_pass"), ("May go behind the stage",), ("可否进后台",), False
        ),
    ),
    asks=(
        "Put {guest} on the guest list for {show}[, plus {plus}].",
        "{guest} gets in free at {show}[ with {plus} friends]",
        "guest list {show}: {guest}[ +{plus}]",
        Ask("{guest} comes to {show} as our guest and may go backstage", {"backstage": True}),
        Ask("free entry to {show} for {guest}, not backstage though", {"backstage": False}),
        "I promised {guest} a free evening at {show}[, {plus} people come along]",
        "let {guest} in without a ticket at {show}",
        "add {guest} for {show}[ and {plus} companions] to the list at the door",
    ),
    asks_zh=(
        "把{guest}加到{show}的嘉宾名单[，带{plus}个人]",
        "{show}让{guest}免票进[，另带{plus}人]",
        "{show}嘉宾：{guest}[，+{plus}]",
        Ask("{guest}来看{show}，可以进后台", {"backstage": True}),
        Ask("{guest}免票看{show}，但不能进后台", {"backstage": False}),
        "我答应请{guest}看{show}[，同行{plus}位]，门口登记一下",
        "{show}门口名单加{guest}",
        "给{guest}留{show}的赠票名额[，外加{plus}位朋友]",
        "{guest}不用买票，{show}直接进",
        "嘉宾名单，{show}，{guest}[，{plus}个同伴]",
    ),
    outcomes=(
        Outcome(
            fields=(("on_the_list", Integer(2, 80)),),
            texts=("added, {on_the_list} on the list",),
            texts_zh=("已添加，名单共{on_the_list}人",),
            answers=(
                "{guest} is on the list for {show}.",
                "Added; {on_the_list} people are on it.",
                "Done for {guest}.",
            ),
            answers_zh=("{guest}已在{show}的名单上。", "加好了，共{on_the_list}人。", "{guest}登记好了。"),
        ),
    ),
    missing=(
        Missing(
            "show",
            ("Put {guest} on the guest list.", "free entry for {guest}"),
            ("For which event?", "At which event?"),
            ("把{guest}加到嘉宾名单", "{guest}免票进"),
            ("请问是哪场活动？", "哪个活动的名单？"),
        ),
        Missing(
            "guest",
            ("Somebody should be on the list for {show}.", "add a guest for {show}"),
            ("Who is it?", "What is the guest's name?"),
            ("{show}加个嘉宾", "{show}名单上添一位"),
            ("请问嘉宾叫什么？", "加谁？"),
        ),
    ),
)

SCAN = Family(
    key="venues.scan",
    names=("validate_ticket", "scan_ticket", "check_entry_ticket", "admit_ticket"),
    about=("Check a ticket at the door.", "Says whether a ticket is valid and marks it as used.", "Admission control."),
    about_zh=("门口验票。", "检查门票是否有效并核销。"),
    params=(
        Param(
            "ticket",
            Code(("T-999999", "AA99AA99", "9999 9999", "E9999A")),
            ("ticket", "ticket_code", "barcode"),
            ("Code of the ticket",),
            ("票号",),
        ),
    ),
    asks=(
        "Is ticket {ticket} valid?",
        "scan {ticket}",
        "man at the door with {ticket}, may he come in",
        "ticket {ticket}, let them in or not",
        "the scanner is broken, I type it: {ticket}",
        "check {ticket} at the entrance",
        "somebody already used {ticket}? look it up, she wants to get in",
        "validate {ticket} please",
    ),
    asks_zh=(
        "票号{ticket}有效吗？",
        "验票{ticket}",
        "门口有人拿着{ticket}，能进吗",
        "{ticket}这张票放不放行",
        "扫码枪坏了，手输：{ticket}",
        "核销{ticket}",
        "{ticket}是不是用过了，查一下",
        "检票：{ticket}",
        "看看{ticket}真假",
        "{ticket}入场",
    ),
    outcomes=(
        Outcome(
            fields=(("valid", Word(("yes",), ("是",))), ("seat", Code(("9C", "19D", "29B")))),
            texts=("valid, seat {seat}",),
            texts_zh=("有效，座位{seat}",),
            answers=("Valid, seat {seat}.", "{ticket} is fine; the seat is {seat}.", "Yes, let them in."),
            answers_zh=("有效，座位{seat}。", "{ticket}没问题，座位{seat}。", "可以入场。"),
        ),
        Outcome(
            fields=(("valid", Word(("no",), ("否",))), ("used_at", Clock(18, 21))),
            texts=("already used at {used_at}",),
            texts_zh=("已于{used_at}使用",),
            answers=("No, it was already used at {used_at}.", "{ticket} is not valid any more."),
            answers_zh=("不行，{used_at}已经用过了。", "{ticket}已失效。"),
        ),
    ),
    missing=(
        Missing(
            "ticket",
            ("Is this ticket valid?", "check a ticket for me"),
            ("What is the code on the ticket?", "Which ticket code?"),
            ("这张票能进吗？", "帮我验张票"),
            ("请问票号是多少？", "票上的号码是？"),
        ),
    ),
)

SLOT = Family(
    key="venues.stage_slot",
    names=("schedule_act", "set_stage_time", "book_stage_slot", "line_up_entry"),
    about=(
        "Give an act its time on stage.",
        "Enters who plays when, and for how long, at an event.",
        "Running order of one evening.",
    ),
    about_zh=("安排演出时段。", "登记某活动中谁几点上台、演多久。"),
    params=(
        SHOW_PARAM,
        Param("act", ACT, ("act", "artist", "performer"), ("Who plays",), ("演出者",)),
        Param("start", Clock(15, 22), ("start", "stage_time", "begins_at"), ("When they begin",), ("开始时间",)),
        Param(
            "length",
            Duration("minutes", (15, 20, 30, 40, 45, 60, 75, 90)),
            ("minutes", "set_length"),
            ("How long they play",),
            ("时长",),
            False,
        ),
    ),
    asks=(
        "{act} plays at {start} at {show}[ for {length}].",
        "running order {show}: {start} {act}[, {length}]",
        "put {act} on stage at {start}, event {show}",
        "for {show}, {act} goes on at {start}[ and gets {length}]",
        "The manager of {act} agreed to {start}[, {length}]. Enter it for {show}.",
        "{show}, {act}, stage time {start}",
        "give {act} the slot at {start} at {show}[, set of {length}]",
        "line-up of {show}: {act} from {start}[, {length} long]",
    ),
    asks_zh=(
        "{show}上{act}{start}登台[，演{length}]",
        "节目单{show}：{start}，{act}[，{length}]",
        "安排{act}{start}在{show}演出",
        "{act}的经纪人同意{start}了，排进{show}[，{length}]",
        "{show}，{act}，{start}上台",
        "{start}轮到{act}，{show}的节目表写上",
        "{show}给{act}{start}的时段[，时长{length}]",
        "把{act}排到{show}，{start}开始[，共{length}]",
        "{act}{start}上{show}的舞台",
        "演出顺序：{show}，{start}，{act}",
    ),
    outcomes=(
        Outcome(
            fields=(("acts", Integer(2, 14)),),
            texts=("entered, {acts} acts",),
            texts_zh=("已登记，共{acts}个节目",),
            answers=("{act} plays at {start}.", "Entered; {show} has {acts} acts now.", "The slot of {act} is set."),
            answers_zh=("{act}{start}上台。", "排好了，{show}共{acts}个节目。", "{act}的时段已登记。"),
        ),
    ),
    missing=(
        Missing(
            "start",
            ("{act} plays at {show}, enter that.", "give {act} a slot at {show}"),
            ("At what time?", "When does {act} go on?"),
            ("{show}安排{act}演出", "把{act}排进{show}"),
            ("请问几点上台？", "{act}什么时候演？"),
        ),
    ),
)

STAND = Family(
    key="venues.stand",
    names=("rent_stand", "book_booth", "reserve_market_stall", "assign_exhibitor_space"),
    about=(
        "Rent a stand to an exhibitor.",
        "Reserves a booth of some size at an event for a day.",
        "Stands and stalls in our halls.",
    ),
    about_zh=("出租展位。", "为参展商预留某天、某种大小的展位。"),
    params=(
        Param("exhibitor", Person(0.9), ("exhibitor", "tenant", "rented_by"), ("Who rents it",), ("参展商",)),
        Param("day", Day(2, 60), ("date", "fair_day"), ("Which day",), ("日期",)),
        Param(
            "size",
            Choice(
                {
                    "small": (("small",), ("小", "小型")),
                    "medium": (("medium-sized",), ("中", "中型")),
                    "large": (("large", "big"), ("大", "大型")),
                },
                ({"small": "S", "medium": "M", "large": "L"},),
            ),
            ("size", "stand_size"),
            ("How large",),
            ("大小",),
        ),
        Param("power", Flag(), ("power", "electricity"), ("With electricity",), ("是否通电",), False),
    ),
    asks=(
        "Rent a {size} stand to {exhibitor} {day}.",
        "{exhibitor} wants a {size} booth on {day}",
        Ask("{size} stall with electricity for {exhibitor}, {day}", {"power": True}),
        Ask("book {exhibitor} a {size} stand on {day}, no power needed", {"power": False}),
        "reserve a {size} stand in our hall, {exhibitor}, {day}",
        "{exhibitor} sells candles and would like a {size} stall {day}",
        "stand for {exhibitor}: {size}, {day}",
        "please keep a {size} booth free for {exhibitor} on {day}",
    ),
    asks_zh=(
        "{day}租个{size}展位给{exhibitor}",
        "{exhibitor}{day}要一个{size}展位",
        Ask("给{exhibitor}留{size}摊位，{day}，要通电", {"power": True}),
        Ask("{exhibitor}{day}订{size}展位，不用电", {"power": False}),
        "预留{size}展位，{exhibitor}，{day}",
        "{exhibitor}卖蜡烛的，{day}想要个{size}摊位",
        "展位登记：{exhibitor}，{size}，{day}",
        "{day}的市集，{exhibitor}租{size}摊位",
        "帮{exhibitor}订{day}的{size}展位",
        "{size}展位一个，{day}，{exhibitor}用",
    ),
    outcomes=(
        Outcome(
            fields=(("stand", Code(("A99", "B99", "H9-99"))), ("fee", Integer(40, 900))),
            texts=("stand {stand}, fee {fee}",),
            texts_zh=("展位{stand}，费用{fee}",),
            answers=(
                "{exhibitor} has stand {stand}; the fee is {fee}.",
                "Reserved: {stand}.",
                "Stand {stand} is kept for {exhibitor}.",
            ),
            answers_zh=("{exhibitor}的展位是{stand}，费用{fee}。", "留好了，{stand}。", "{stand}已留给{exhibitor}。"),
        ),
    ),
    missing=(
        Missing(
            "size",
            ("{exhibitor} wants a stand on {day}.", "rent {exhibitor} a booth {day}"),
            ("How large should it be: small, medium or large?", "Which size?"),
            ("{exhibitor}{day}要个展位", "给{exhibitor}订{day}的摊位"),
            ("请问要大、中还是小展位？", "展位多大？"),
        ),
    ),
    also=("crafts.stall",),
)

DOMAIN = Domain(
    "venues",
    (SEATS, GUEST, SCAN, SLOT, STAND),
    unserved=(
        ("Hire a caterer for the gala.", "给晚宴请个餐饮公司。"),
        ("Turn the stage lights blue.", "把舞台灯调成蓝色。"),
        ("Write a review of the concert.", "写一篇音乐会评论。"),
        ("Where did the drummer leave his sticks?", "鼓手把鼓槌放哪了？"),
        ("Cancel the whole festival.", "把整个音乐节取消。"),
        ("Order forty chairs more.", "再订四十把椅子。"),
        ("Ask the police for two officers.", "向警方申请两名警员。"),
        ("Make the posters in pink.", "海报做成粉色的。"),
        ("How much did the bar earn?", "吧台赚了多少？"),
        ("Refund all the tickets.", "把票全退了。"),
        ("Find a babysitter for the singer.", "给歌手找个保姆。"),
        ("Stream the show on the internet.", "把演出网上直播。"),
    ),
)
