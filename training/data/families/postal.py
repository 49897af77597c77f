"""Letters and parcels: postage, queues, pick-ups, mail on hold, post codes, lockers."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param, PartOf
from training.data.kinds import Choice, Code, Flag, Integer, Record, Word
from training.data.sums import Plain, Result
from training.data.times import Day, Period
from training.data.world import City, Country, Person

from ._streets import STREET

ITEM = Choice(
    {
        "letter": (("letter",), ("信", "信件")),
        "postcard": (("postcard",), ("明信片",)),
        "small_packet": (("small packet", "padded envelope"), ("小包", "小件包裹")),
        "parcel": (("parcel", "package"), ("包裹", "大件包裹")),
        "tube": (("poster tube", "mailing tube"), ("画筒", "海报筒")),
    },
    ({"small_packet": "packet", "parcel": "PARCEL", "letter": "LETTER", "postcard": "POSTCARD", "tube": "TUBE"},),
)
BRANCH = Word(
    (
        *("Central Station", "Old Town", "Market Square", "Harbour", "Westgate", "University", "North Park", "Airport"),
        *("Riverside", "Hilltop", "Castle Street", "Southfield", "City Hall", "Greenwood", "Lakeside", "Eastbrook"),
        *("Cathedral", "Mill Road", "Kingsway", "Docklands"),
    ),
    (
        *("中央车站", "老城", "市场广场", "港口", "大学城", "北苑", "机场", "滨河", "市政厅", "南湖", "东门"),
        *("西关", "科技园"),
        *("新街口", "人民广场", "高新区", "城南", "钟楼", "火车东站", "花园路"),
    ),
)
GREETING = Word(
    (
        *("Greetings from the lake!", "Wish you were here.", "Happy birthday, Grandpa!", "We miss you already"),
        *("The food is amazing", "Thank you for everything", "See you in September", "Get well soon!"),
        *("The mountains are stunning", "Congratulations on the baby", "Finally some sunshine!", "Love from all of us"),
        *("Back on Sunday, water the plants please", "You were right about the museum", "Happy anniversary"),
        *("Good luck with your exam", "It rained every day and we loved it", "Merry Christmas from Oslo"),
        *("The kids send a kiss", "Next time you come along", "Ten days without a phone, bliss"),
    ),
    (
        *("湖边问候你！", "要是你也在就好了", "爷爷生日快乐", "我们已经想你了", "这里的饭太好吃了", "谢谢你做的一切"),
        *("九月见", "早日康复", "雪山太美了", "恭喜喜得贵子", "终于出太阳了", "全家爱你", "周日回来，记得浇花"),
        *("博物馆果然值得去", "结婚纪念日快乐", "考试加油", "天天下雨也很开心", "圣诞快乐"),
        *("孩子们亲亲你", "下次一起来"),
        *("十天没碰手机，真舒服", "新年快乐，万事如意"),
    ),
    quoted=0.9,
)

POSTAGE = Family(
    key="postal.postage",
    names=("postage_cost", "calculate_postage", "shipping_rate", "stamp_price"),
    about=(
        "What it costs to post something.",
        "Postage by kind of item, weight and country.",
        "Price of stamps for a letter or parcel. Sends nothing.",
    ),
    about_zh=("计算邮费。", "按邮件种类、重量和目的国查邮资。"),
    params=(
        Param("item", ITEM, ("item_type", "kind", "mail_class"), ("Letter, parcel …",), ("邮件种类",)),
        Param("country", Country(), ("destination", "country", "to_country"), ("Where it goes",), ("寄往国家",)),
        Param("weight", Plain(10, 3_000), ("weight_grams", "grams", "weight_g"), ("Grams",), ("克",), False),
        Param("express", Flag(), ("express", "priority_mail"), ("Faster and dearer",), ("是否加急",), False),
    ),
    asks=(
        "What does a {item} to {country} cost[ at {weight} grams]?",
        "how many stamps for a {item} to {country}",
        "{item} {country}[ {weight} g] price",
        "I want to send my aunt in {country} a {item}[, it weighs {weight} g]. What will that cost me?",
        "is it expensive to mail a {item} to {country}[? it's {weight} grams]",
        Ask("And express? A {item} to {country}[, {weight} g], how much?", {"express": True}),
        "postage please: {item}[, {weight} grams], going to {country}",
        "my pen friend lives in {country}, what do I stick on a {item}",
        Ask("How much is a {item} to {country} by express mail?", {"express": True}),
        "grandson studies in {country} and I knitted him socks. The {item} would cost me what?",
    ),
    asks_zh=(
        "寄{item}到{country}多少钱[，{weight}克]？",
        "往{country}寄个{item}邮费多少",
        "{item}，{country}[，{weight}克]，邮资",
        "姨妈在{country}，想给她寄{item}[，重{weight}克]，要花多少",
        "去{country}的{item}要贴多少邮票",
        Ask("加急寄{item}去{country}要多少钱[，{weight}克]", {"express": True}),
        "{item}寄{country}贵不贵[？大概{weight}克]",
        Ask("{country}特快，{item}，什么价", {"express": True}),
        "算下邮费，{item}[，{weight}克]，目的地{country}",
        "笔友在{country}，给他寄{item}得多少邮资",
        "孙子在{country}留学，织了双袜子，装{item}寄过去要几个钱",
    ),
    outcomes=(
        Outcome(
            fields=(("price", Result(1, 80, 2)), ("transit_days", Result(2, 30))),
            texts=("{price}, about {transit_days} days",),
            texts_zh=("{price}元，约{transit_days}天",),
            answers=(
                "It costs {price} and takes about {transit_days} days.",
                "A {item} to {country} is {price}.",
                "{price}; count on {transit_days} days.",
            ),
            answers_zh=(
                "邮费{price}元，大约{transit_days}天到。",
                "寄{item}到{country}要{price}元。",
                "{price}元，{transit_days}天左右。",
            ),
        ),
    ),
    missing=(
        Missing(
            "country",
            ("What's the postage for a {item}?", "how much to send a {item}"),
            ("To which country?", "Where is it going?"),
            ("寄{item}多少钱？", "{item}邮费是多少"),
            ("请问寄到哪个国家？", "目的地是哪里？"),
        ),
        Missing(
            "item",
            ("What does it cost to post something to {country}?", "postage to {country}?"),
            ("What do you want to send: a letter, a parcel or something else?", "What kind of item is it?"),
            ("寄东西到{country}多少钱？", "{country}邮费多少"),
            ("请问寄的是什么？信件还是包裹？", "寄哪种邮件？"),
        ),
    ),
)

QUEUE = Family(
    key="postal.queue",
    names=("post_office_queue", "branch_wait_time", "counter_queue", "how_busy_is_branch"),
    about=(
        "How long the queue at a post office is.",
        "Waiting time at a branch right now.",
        "People in line at the post office.",
    ),
    about_zh=("查询邮局排队情况。", "某网点当前等候时间。"),
    params=(Param("branch", BRANCH, ("branch", "post_office", "office_name"), ("Name of the branch",), ("网点名称",)),),
    asks=(
        "Is the {branch} post office busy?",
        "how long is the line at the post office {branch}",
        "I only have ten minutes. Can I make it at the {branch} branch?",
        "waiting time {branch} branch",
        "worth going to the {branch} post office now, or is it packed?",
        "How many people are standing at the counter in {branch}?",
        "do I have to wait long at {branch} to post this?",
        "queue at {branch} right now?",
        "My meter runs out in a quarter of an hour; is {branch} quick today?",
    ),
    asks_zh=(
        "{branch}邮局现在人多吗？",
        "{branch}网点要排多久",
        "只有十分钟，{branch}邮局来得及吗",
        "看下{branch}邮局排队情况",
        "现在去{branch}那个邮局会不会挤",
        "{branch}窗口前面有几个人在等？",
        "{branch}邮局等候时间",
        "去{branch}寄东西得等多长时间",
        "{branch}邮局忙不忙啊",
        "想趁午休去{branch}邮局，排队长不长",
        "车只能停一刻钟，{branch}邮局今天快不快",
    ),
    outcomes=(
        Outcome(
            fields=(("people_waiting", Result(0, 25)), ("minutes", Result(1, 50))),
            texts=("{people_waiting} waiting, about {minutes} minutes",),
            texts_zh=("{people_waiting}人等候，约{minutes}分钟",),
            answers=(
                "At {branch} you'd wait about {minutes} minutes ({people_waiting} waiting).",
                "The wait is around {minutes} minutes.",
                "{people_waiting} in line, so about {minutes} minutes.",
            ),
            answers_zh=(
                "{branch}邮局约等{minutes}分钟，前面{people_waiting}人。",
                "大概要排{minutes}分钟。",
                "有{people_waiting}人在等，约{minutes}分钟。",
            ),
        ),
    ),
    missing=(
        Missing(
            "branch",
            ("Is the post office crowded?", "how long is the queue at the post office"),
            ("Which branch do you mean?", "At which post office?"),
            ("邮局现在人多吗？", "邮局要排队多久"),
            ("请问是哪个网点？", "哪家邮局？"),
        ),
    ),
)

PICKUP = Family(
    key="postal.pickup",
    names=("schedule_pickup", "order_parcel_collection", "book_courier", "collect_from_home"),
    about=(
        "Have parcels collected at home.",
        "Sends a courier to pick up parcels on a day.",
        "Book a collection. For parcels on their way to the user use another tool.",
    ),
    about_zh=("预约上门取件。", "安排快递员某天来取包裹。"),
    params=(
        Param("day", Day(0, 14), ("date", "pickup_date"), ("Day of the collection",), ("取件日期",)),
        Param("parcels", Integer(2, 12), ("parcels", "number_of_parcels", "count"), ("How many",), ("件数",)),
        Param(
            "window",
            Choice(
                {
                    "morning": (("in the morning", "before noon"), ("上午",)),
                    "afternoon": (("in the afternoon",), ("下午",)),
                    "evening": (("in the evening",), ("晚上", "傍晚")),
                },
                ({"morning": "AM", "afternoon": "PM", "evening": "EVE"},),
            ),
            ("time_window", "slot"),
            ("Part of the day",),
            ("时间段",),
            False,
        ),
        Param("weight", Plain(1, 30, 1), ("total_weight_kg", "kilograms"), ("Kilos in all",), ("总重，公斤",), False),
    ),
    asks=(
        "Please have {parcels} parcels picked up on {day}[ {window}].",
        "send a courier {day}[ {window}], I've got {parcels} boxes to ship",
        "{parcels} packages ready, collect them {day}[, {weight} kg altogether]",
        "I can't carry them myself: {parcels} parcels[, {weight} kilos]. Could someone come for them {day}?",
        "pickup {day}[ {window}], number of parcels: {parcels}",
        "book a collection for {day}, {parcels} pieces[, weighing {weight} kg]",
        "My online shop sold well, {parcels} parcels have to leave the house {day}[ {window}]. Order the van.",
        "collect {parcels} parcels from me {day} please[, {window}]",
        "My back hurts, so let somebody else haul the {parcels} boxes away {day}[ {window}].",
    ),
    asks_zh=(
        "{day}[{window}]来取{parcels}个包裹。",
        "叫个快递上门，{day}[{window}]，{parcels}件",
        "有{parcels}箱东西要寄，{day}来拿一下[，共{weight}公斤]",
        "东西太重搬不动，{parcels}个包裹[，{weight}公斤]，{day}派人来取",
        "预约取件，{day}[{window}]，{parcels}件",
        "网店卖出去{parcels}单，{day}[{window}]安排上门揽收",
        "{day}有空，让快递员来收{parcels}个件[，总重{weight}公斤]",
        "帮我下个取件单：{day}，{parcels}件",
        "{parcels}个快递要发，约{day}[{window}]上门",
        "麻烦{day}来家里收{parcels}个箱子",
        "腰不好，{parcels}个箱子让人{day}[{window}]来家里搬走寄掉",
    ),
    outcomes=(
        Outcome(
            fields=(("courier", Person()), ("code", Code(("PU-9999", "K99999")))),
            texts=("pickup {code} booked, courier {courier}",),
            texts_zh=("取件单{code}，快递员{courier}",),
            answers=(
                "{courier} will collect your {parcels} parcels; the code is {code}.",
                "The pickup is booked as {code}.",
                "Booked: {courier} comes by (code {code}).",
            ),
            answers_zh=(
                "已预约，快递员{courier}来取，取件码{code}。",
                "取件单{code}已下。",
                "{courier}会上门取{parcels}件。",
            ),
        ),
    ),
    missing=(
        Missing(
            "parcels",
            ("Send somebody to pick up my parcels {day}.", "book a courier for {day}"),
            ("How many parcels are there?", "How many should be collected?"),
            ("{day}来取包裹。", "约{day}上门取件"),
            ("请问有几件？", "一共多少个包裹？"),
        ),
        Missing(
            "day",
            ("I have {parcels} parcels to be collected.", "get {parcels} boxes picked up from my house"),
            ("On which day?", "When should they be picked up?"),
            ("有{parcels}个包裹要上门取。", "{parcels}件快递，派人来拿"),
            ("请问哪天取？", "哪一天方便？"),
        ),
    ),
    also=("warehouse.dispatch",),
)

HOLD = Family(
    key="postal.hold",
    names=("hold_mail", "pause_mail_delivery", "store_post", "suspend_delivery"),
    about=(
        "Keep the mail while somebody is away.",
        "Holds letters back between two days.",
        "Pauses mail delivery for a time.",
    ),
    about_zh=("暂停投递邮件。", "外出期间由邮局代存邮件。"),
    params=(
        Param("period", Period(Day(1, 40), 21), ("period", "dates"), ("First and last day",), ("起止日期",)),
        Param("parcels", Flag(), ("include_parcels", "parcels_too"), ("Parcels as well",), ("包括包裹",), False),
    ),
    asks=(
        "We're away {period}, keep our mail please.",
        "hold my letters {period}",
        "Nobody will empty the letterbox {period}. Can the post office store everything?",
        "stop delivery {period}",
        "I'm on holiday {period} and don't want post piling up at the door",
        Ask("Please hold letters and parcels {period}.", {"parcels": True}),
        "no mail {period}, thanks, I'm in hospital",
        "pause the postman {period}",
        "burglars look at full letterboxes, and our house is empty {period}",
    ),
    asks_zh=(
        "我们{period}不在家，信件先替我存着。",
        "{period}暂停送信",
        "{period}没人收信箱，让邮局代管一下",
        "出去度假，{period}别投递了",
        "{period}住院，邮件先别送",
        Ask("{period}信和包裹都别送，先存邮局", {"parcels": True}),
        "邮件代存，{period}",
        "{period}出差，不想信箱塞满，帮我停一下投递",
        "家里{period}没人，通知邮局先保管信件",
        Ask("{period}我的信件连同包裹一起保留", {"parcels": True}),
        "信箱塞满容易招贼，我们{period}都不在，邮局那边打个招呼",
    ),
    outcomes=(
        Outcome(
            fields=(("fee", Result(0, 25)),),
            texts=("mail on hold, fee {fee}",),
            texts_zh=("已暂停投递，费用{fee}元",),
            answers=(
                "Your mail is on hold; the fee is {fee}.",
                "Done, delivery is paused for that time.",
                "It will be kept. Fee: {fee}.",
            ),
            answers_zh=("已暂停投递，费用{fee}元。", "好的，那段时间邮件由邮局保管。", "办好了，收费{fee}元。"),
        ),
    ),
    missing=(
        Missing(
            "period",
            ("Please keep my mail while I'm away.", "stop delivering letters for a while"),
            ("From which day to which day?", "How long will you be away: from when until when?"),
            ("我要出门，信件先别送。", "暂停一下投递"),
            ("请问从哪天到哪天？", "起止日期是什么时候？"),
        ),
    ),
)

POSTCODE = Family(
    key="postal.postcode",
    names=("find_postcode", "zip_code_lookup", "postal_code_of", "lookup_post_code"),
    about=("Post code of a street.", "Finds the zip code for a street in a city.", "Look up a postal code by address."),
    about_zh=("查询邮政编码。", "按街道和城市查邮编。"),
    params=(
        Param("street", STREET, ("street", "street_name", "road"), ("Street",), ("街道",)),
        Param("city", City(0.4), ("city", "town"), ("City",), ("城市",)),
        Param(
            "country",
            PartOf("city", "country", about="Country, if known", about_zh="国家"),
            ("country",),
            required=False,
        ),
    ),
    asks=(
        "What's the post code of {street} in {city}?",
        "zip code {street}, {city}",
        "I'm writing the address on an envelope, {street} in {city}, what digits go in front?",
        "{street} / {city} postcode?",
        "the form wants a zip, I live on {street}, {city}",
        "find the postal code for {street} ({city})",
        "Which post code does {street} have? It's in {city}.",
        "need the code for a letter to {street}, {city}",
        "The website won't take my address without those digits: {street}, {city}.",
    ),
    asks_zh=(
        "{city}{street}的邮编是多少？",
        "查邮编：{city}，{street}",
        "信封上要写邮编，地址是{city}{street}",
        "{street}邮政编码，在{city}",
        "填表要邮编，我住{city}的{street}",
        "{city}的{street}邮编几号",
        "给{city}的朋友寄信，{street}，邮编不知道",
        "帮忙找下{street}的邮政编码，城市{city}",
        "{street}属于哪个邮编？{city}的",
        "{city}，{street}，zip code",
        "网站非要填那几位数字，我这是{city}{street}",
    ),
    outcomes=(
        Outcome(
            fields=(("postcode", Code(("99999", "AA9 9AA", "9999 AA", "999999"))),),
            texts=("{postcode}",),
            texts_zh=("{postcode}",),
            answers=("The post code is {postcode}.", "{street} has the code {postcode}.", "It's {postcode}."),
            answers_zh=("邮编是{postcode}。", "{street}的邮编：{postcode}。", "是{postcode}。"),
        ),
    ),
    missing=(
        Missing(
            "street",
            ("What's the post code in {city}?", "zip for {city} please"),
            ("For which street?", "Which street is it?"),
            ("{city}的邮编是多少？", "查一下{city}邮编"),
            ("请问是哪条街？", "街道名是什么？"),
        ),
    ),
)

SEND_CARD = Family(
    key="postal.send_card",
    names=("send_postcard", "mail_card", "print_and_post_card", "post_greeting_card"),
    about=(
        "Print a card and post it.",
        "Sends a real paper card with a greeting to somebody.",
        "Paper postcard by mail.",
    ),
    about_zh=("打印并寄出明信片。", "给某人寄一张写有祝福的纸质卡片。"),
    params=(
        Param(
            "to",
            Record(
                "{name}, {number} {street}",
                "{street}{number}号的{name}",
                {"name": Person(1.0), "street": STREET, "number": Integer(13, 99)},
            ),
            ("recipient", "to", "addressee"),
            ("Who gets it and where",),
            ("收件人和地址",),
        ),
        Param("text", GREETING, ("message", "greeting", "text"), ("What is printed on it",), ("卡片内容",)),
    ),
    asks=(
        "Post a card to {to}: {text}",
        "send {to} a postcard saying {text}",
        "A paper card please, for {to}, with the words {text}",
        "card -> {to} / text {text}",
        "I forgot to write! Print a card with {text} and mail it to {to}",
        "for {to} I'd like a real card in the letterbox that says {text}",
        "mail a greeting card. Address: {to}. Text: {text}",
        "write {text} on a card and post it to {to}",
        "Something nice on paper for {to}. Just {text}, nothing else.",
    ),
    asks_zh=(
        "给{to}寄张明信片，写{text}",
        "寄卡片给{to}，内容是{text}",
        "印一张卡片，写上{text}，寄给{to}",
        "{to}，明信片，{text}",
        "差点忘了，快给{to}寄张卡片，上面写{text}",
        "想给{to}一个惊喜，寄张纸质贺卡，写着{text}",
        "明信片：收件人是{to}，正文{text}",
        "麻烦寄一张贺卡到{to}手里，内容{text}",
        "把{text}写在卡片上，邮寄给{to}",
        "替我给{to}寄明信片，就写{text}",
        "给{to}来张纸的，就{text}这几个字",
    ),
    outcomes=(
        Outcome(
            fields=(("arrives_in_days", Result(2, 9)),),
            texts=("printed and posted, arrives in {arrives_in_days} days",),
            texts_zh=("已寄出，{arrives_in_days}天后到",),
            answers=(
                "The card is in the post and arrives in {arrives_in_days} days.",
                "Posted; it takes {arrives_in_days} days.",
                "Sent.",
            ),
            answers_zh=(
                "卡片已寄出，{arrives_in_days}天后送到。",
                "寄好了，大约{arrives_in_days}天。",
                "明信片已经寄走了。",
            ),
        ),
    ),
    missing=(
        Missing(
            "text",
            ("Send a postcard to {to}.", "I want to mail {to} a card"),
            ("What should the card say?", "What shall I write on it?"),
            ("给{to}寄张明信片。", "寄卡片给{to}"),
            ("请问卡片上写什么？", "内容是什么？"),
        ),
    ),
)

DOMAIN = Domain(
    "postal",
    (POSTAGE, QUEUE, PICKUP, HOLD, POSTCODE, SEND_CARD),
    unserved=(
        ("Rent a post office box for a year.", "租一年的邮政信箱。"),
        ("Redirect all my mail to my sister's house.", "把我的信全部转寄到姐姐家。"),
        ("Buy me a roll of a hundred stamps.", "买一卷一百张的邮票。"),
        ("When is the letterbox on the corner emptied?", "街角邮筒几点开箱？"),
        ("Pay the customs duty on my package.", "帮我缴包裹关税。"),
        ("Complain that the postman never rings.", "投诉邮递员从不按门铃。"),
        ("How do I become a stamp collector?", "怎么开始集邮？"),
        ("Cancel the courier for today.", "取消今天的上门取件。"),
        ("Wrap the present in blue paper.", "把礼物用蓝纸包起来。"),
        ("Open a bank account at the post office.", "在邮局开个账户。"),
        ("Send a telegram to my grandmother.", "给奶奶发一封电报。"),
        ("Weigh this box for me.", "帮我称一下这个箱子。"),
    ),
)
