"""Codes that machines read: Unix time stamps, the clocks of servers, barcodes, book numbers, check digits."""

from training.data.family import Ask, Domain, Draw, Drawn, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, Made, Word
from training.data.times import Moment
from training.data.wordings import pool, year

ZONE = Word(
    pool(
        """UTC | Europe/Berlin | Asia/Shanghai | America/New_York | Asia/Tokyo | Europe/London | America/Sao_Paulo
        Australia/Sydney | Asia/Kolkata | Africa/Cairo | America/Los_Angeles | Asia/Dubai | Europe/Madrid
        Asia/Singapore | America/Chicago | Europe/Warsaw | Africa/Lagos | Pacific/Auckland | Asia/Seoul | Etc/GMT+3"""
    )
)
SERVER = Word(
    pool(
        """web-01 | db-main | cache-2 | mail.example.org | build-runner-7 | edge-fra-3 | backup-nas | api-prod-1
        vpn-gw | worker-12 | staging-box | log-sink | ci-mac-mini | db-replica-2 | printserver | gpu-node-4 | dns-1
        files.example.com | proxy-east"""
    )
)
EAN = Code(("4099999999999", "9999999999999", "99999999", "6909999999999"))
SYMBOLOGY = Choice(
    {
        "code128": (("Code 128",), ("Code 128", "128码")),
        "ean13": (("EAN-13", "EAN"), ("EAN-13", "EAN码")),
        "code39": (("Code 39",), ("Code 39", "39码")),
        "datamatrix": (("Data Matrix",), ("Data Matrix", "DM码")),
    },
    ({"code128": "CODE_128", "ean13": "EAN_13", "code39": "CODE_39", "datamatrix": "DATA_MATRIX"},),
)
LABEL = Code(("A9999-99", "SKU999999", "BOX-99-AA", "99999999", "INV9999"))
TITLES = Word(
    pool(
        "The Quiet Harbour | Salt and Smoke | A Short History of Bees | Nine Winters | The Glass Orchard | Learning Go"
    ),
    pool("安静的港湾 | 九个冬天 | 蜜蜂简史 | 玻璃果园 | 盐与烟"),
)
GOODS = Word(
    pool("oat biscuits 200 g | green tea | tomato soup | hand cream | AA batteries | dark chocolate"),
    pool("燕麦饼干 | 绿茶 | 番茄汤 | 护手霜 | 五号电池 | 黑巧克力"),
)


def _seconds(draw: Draw) -> Drawn:
    value = draw.rng.randrange(1_100_000_000, 1_990_000_000)
    return Drawn(str(value), value)


def _book_number(draw: Draw) -> Drawn:
    digits = "".join(draw.rng.choices("0123456789", k=10))
    dashed = f"{digits[0]}-{digits[1:4]}-{digits[4:9]}-{digits[9]}"
    text = draw.rng.choice((f"978{digits}", f"978-{dashed}", f"979-{dashed}", digits))
    return Drawn(text, text)


STAMP = Made(_seconds, Integer(0, 1).forms[:1])
ISBN = Made(_book_number)

FROM_STAMP = Family(
    key="stamps.to_date",
    names=("timestamp_to_date", "decode_unix_time", "epoch_to_datetime", "read_timestamp", "from_epoch"),
    about=(
        "Turn a Unix time stamp into a date and time.",
        "Reads seconds since 1970 as a date, in a time zone if one is given.",
        "Epoch seconds to calendar time; not the other way round.",
    ),
    about_zh=("把 Unix 时间戳转换成日期时间。", "秒级时间戳转可读时间，可指定时区，不做反向转换。"),
    params=(
        Param("stamp", STAMP, ("timestamp", "epoch_seconds", "unix_time"), ("Seconds since 1970",), ("秒级时间戳",)),
        Param("zone", ZONE, ("timezone", "tz"), ("IANA name, e.g. Europe/Rome",), ("时区",), False, "UTC"),
    ),
    asks=(
        "What date is {stamp}[ in {zone}]?",
        "the log says {stamp}, when was that",
        "convert epoch {stamp} to a readable time[ ({zone})]",
        "Customer record was created at {stamp}. Which day is that in plain language?",
        "unix time {stamp} = ?",
        "my token expires at {stamp}, so when is that[, time zone {zone}]?",
        "read the time stamp {stamp}[ for {zone}]",
        "I found the number {stamp} in a column called created_at. What moment does it stand for?",
    ),
    asks_zh=(
        "{stamp}是什么时间[，{zone}时区]？",
        "日志里写着{stamp}，这是几号几点",
        "时间戳{stamp}转成日期[，按{zone}]",
        "令牌{stamp}过期，是哪天啊",
        "把{stamp}换算成正常时间",
        "数据库created_at一列是{stamp}，对应什么时候",
        "unix时间{stamp}等于几点几分[，时区用{zone}]",
        "看不懂{stamp}这串时间数字，翻成日期",
        "解析时间戳：{stamp}",
        "{stamp}秒是哪年哪月",
    ),
    outcomes=(
        Outcome(
            fields=(("datetime", Moment()),),
            texts=("{datetime}",),
            answers=("That is {datetime}.", "{stamp} stands for {datetime}."),
            answers_zh=("是{datetime}。", "{stamp}对应{datetime}。"),
        ),
    ),
    missing=(
        Missing(
            key="stamp",
            asks=("Turn a time stamp into a date[ in {zone}].", "what date is this epoch value"),
            replies=("Which time stamp?", "What is the number?"),
            asks_zh=("帮我转个时间戳[，{zone}时区]", "这个时间戳是哪天？"),
            replies_zh=("请问时间戳是多少？", "是哪个时间戳？"),
        ),
    ),
)

TO_STAMP = Family(
    key="stamps.from_date",
    names=("date_to_timestamp", "to_epoch", "unix_time_of", "make_timestamp"),
    about=(
        "Turn a date and time into a Unix time stamp.",
        "Calendar time to epoch, in seconds or milliseconds; not the other way round.",
    ),
    about_zh=("把日期时间转换成 Unix 时间戳。", "生成时间戳，可选毫秒，不做反向转换。"),
    params=(
        Param("moment", Moment(), ("datetime", "moment", "local_time"), ("The moment",), ("日期时间",)),
        Param(
            "millis", Flag(), ("milliseconds", "in_ms"), ("Milliseconds instead of seconds",), ("毫秒",), False, False
        ),
    ),
    asks=(
        "What's the Unix time for {moment}?",
        "give me the epoch value of {moment}",
        Ask("timestamp in milliseconds for {moment}", {"millis": True}),
        "I need {moment} as seconds since 1970.",
        "The API wants a number, but I only have {moment}. What do I send?",
        "epoch, {moment}",
        Ask("What is {moment} in epoch milliseconds?", {"millis": True}),
        "database column is an integer, my value is {moment}",
    ),
    asks_zh=(
        "{moment}的时间戳是多少？",
        "把{moment}转成unix时间",
        Ask("{moment}的毫秒时间戳", {"millis": True}),
        "接口要传数字，{moment}该写多少",
        "{moment}换算成1970年以来的秒数",
        "生成{moment}的时间戳",
        Ask("要毫秒级的，{moment}转时间戳", {"millis": True}),
        "我想要{moment}对应的epoch值",
        "定时任务填{moment}，时间戳写啥",
        "数据库字段是整数，{moment}该存成多少",
    ),
    outcomes=(
        Outcome(
            fields=(("value", STAMP),),
            texts=("{value}",),
            answers=("The time stamp is {value}.", "Use {value}."),
            answers_zh=("时间戳是{value}。", "填{value}。"),
        ),
    ),
    missing=(
        Missing(
            key="moment",
            asks=("I need an epoch value.", "make me a unix timestamp"),
            replies=("For which date and time?", "Of which moment?"),
            asks_zh=("帮我生成一个时间戳", "我要个unix时间"),
            replies_zh=("请问是哪个日期和时间？", "要哪个时刻的？"),
        ),
    ),
)

SERVER_CLOCK = Family(
    key="stamps.server_clock",
    names=("server_clock", "host_time", "check_clock_drift", "read_host_clock"),
    about=("The time that a server's clock shows.", "Reads the clock of a host and how far it is off."),
    about_zh=("查看服务器时钟。", "读取主机时间和偏差。"),
    params=(Param("server", SERVER, ("host", "server_name", "node"), ("Name of the host",), ("主机名",)),),
    asks=(
        "What time does {server} think it is?",
        "is the clock on {server} off",
        "check the clock of {server}",
        "Logs from {server} are out of order, I suspect its clock. Have a look?",
        "time on {server}",
        "by how much does {server} drift?",
        "certificates fail on {server}, maybe because of a wrong clock",
        "did {server} miss the change to summer time?",
    ),
    asks_zh=(
        "{server}上现在几点？",
        "{server}的时钟准不准",
        "看下{server}的系统时间",
        "{server}日志顺序乱了，是不是时间不对，查一下",
        "{server}时间偏差多少",
        "证书报错，怀疑{server}时钟不准",
        "检查{server}的时钟漂移",
        "{server}这台机器的时间跟标准时间差多少？",
        "{server}，时钟",
        "夏令时{server}换过来没有，看看它几点",
    ),
    outcomes=(
        Outcome(
            fields=(("clock", Word(("09:14:22", "13:40:05", "22:01:57"))), ("offset_ms", Integer(1, 900))),
            texts=("{clock}, off by {offset_ms} ms",),
            answers=("{server} shows {clock} and is off by {offset_ms} ms.", "Its clock is {offset_ms} ms off."),
            answers_zh=("{server}显示{clock}，偏差{offset_ms}毫秒。", "时钟偏了{offset_ms}毫秒。"),
        ),
    ),
    missing=(
        Missing(
            key="server",
            asks=("Check the clock of the server.", "is the host's time off?"),
            replies=("Which server?", "What is the name of the host?"),
            asks_zh=("看下服务器时间", "时钟准不准？"),
            replies_zh=("请问是哪台服务器？", "主机名是什么？"),
        ),
    ),
)

SET_ZONE = Family(
    key="stamps.set_zone",
    names=("set_server_timezone", "change_host_timezone", "timezone_set", "configure_tz"),
    about=("Set the time zone of a server.", "Changes a host's time zone; can restart its services afterwards."),
    about_zh=("设置服务器时区。", "修改主机时区，可选重启服务。"),
    params=(
        Param("server", SERVER, ("host", "server", "machine"), ("Which host",), ("主机",)),
        Param("zone", ZONE, ("timezone", "zone", "tz_name"), ("IANA name",), ("时区名",)),
        Param("restart", Flag(), ("restart_services", "reload"), ("Restart services too",), ("重启服务",), False),
    ),
    asks=(
        "Set {server} to {zone}.",
        "change the time zone on {server} to {zone}",
        Ask("Put {server} on {zone} and restart its services afterwards.", {"restart": True}),
        "cron runs at the wrong hour because {server} isn't on {zone}, fix that",
        "{server} should live in {zone}",
        "we moved {server}, its zone is {zone} now, please adjust",
        Ask("switch {server} over to {zone}, services may be restarted right away, do that too", {"restart": True}),
        "the colleagues on {server} want to see local time, that's {zone}",
    ),
    asks_zh=(
        "把{server}的时区改成{zone}",
        "{server}时区设为{zone}",
        Ask("{server}切到{zone}，然后重启服务", {"restart": True}),
        "定时任务跑错点了，{server}应该用{zone}，改一下",
        "机器{server}搬家了，时区换{zone}",
        "给{server}配置时区{zone}",
        "{server}别用原来的时区了，用{zone}",
        Ask("时区改{zone}，机器是{server}，改完重启服务", {"restart": True}),
        "将{server}调整到{zone}时区",
        "同事登{server}想看当地时间，设成{zone}",
    ),
    outcomes=(
        Outcome(
            fields=(("done", Flag()),),
            texts=("timezone changed",),
            answers=("{server} is now on {zone}.", "Done, the zone of {server} is {zone}."),
            answers_zh=("{server}的时区已改为{zone}。", "好了，{server}现在是{zone}。"),
        ),
    ),
    missing=(
        Missing(
            key="zone",
            asks=("Change the time zone of {server}.", "{server} has the wrong time zone, set it right"),
            replies=("To which time zone?", "Which zone should it have?"),
            asks_zh=("改一下{server}的时区", "{server}时区不对，调一下"),
            replies_zh=("请问改成哪个时区？", "要设成什么时区？"),
        ),
    ),
    errors=("permission denied", "unknown time zone"),
)

BOOK_NUMBER = Family(
    key="stamps.isbn",
    names=("isbn_lookup", "book_by_isbn", "find_by_isbn", "identify_book"),
    about=("Which book an ISBN belongs to.", "Title and author by book number.", "Only by number; no title search."),
    about_zh=("按 ISBN 查书。", "根据书号查书名和作者，不能按书名搜。"),
    params=(Param("isbn", ISBN, ("isbn", "book_number", "code"), ("ISBN, with or without dashes",), ("ISBN 书号",)),),
    asks=(
        "Which book has the ISBN {isbn}?",
        "look up isbn {isbn}",
        "the cover is torn off, only {isbn} on the back. What am I holding?",
        "identify the book with number {isbn}",
        "Is {isbn} a novel? Title, please.",
        "somebody texted me {isbn} as a reading tip. which book?",
        "book number {isbn}: who wrote it",
        "the library till only took the number {isbn}, what did I borrow?",
    ),
    asks_zh=(
        "ISBN {isbn} 是哪本书？",
        "查书号 {isbn}",
        "封面掉了，背面写着 {isbn} ，是什么书",
        "书号 {isbn} 的作者是谁",
        "朋友发来 {isbn} ，让我看这本，书名叫啥",
        "根据 {isbn} 找书",
        "{isbn} 对应哪本书啊",
        "旧书上只剩 {isbn} ，帮我认认",
        "帮我查 {isbn} 这个ISBN",
        "借书单上只印了 {isbn} ，我借的是哪本",
    ),
    outcomes=(
        Outcome(
            fields=(("title", TITLES), ("year", year(1975, 2024))),
            texts=("{title} ({year})",),
            answers=("It is {title}, from {year}.", "That number belongs to {title}."),
            answers_zh=("是《{title}》，{year}年出版。", "这是《{title}》。"),
        ),
    ),
    missing=(
        Missing(
            key="isbn",
            asks=("Which book is this? I have its ISBN.", "look up an isbn for me"),
            replies=("What is the ISBN?", "Please give me the number."),
            asks_zh=("帮我按ISBN查本书", "查一下这个书号"),
            replies_zh=("请问ISBN是多少？", "书号是什么？"),
        ),
    ),
)

SCAN = Family(
    key="stamps.barcode_lookup",
    names=("barcode_lookup", "product_by_barcode", "scan_result", "what_is_this_code"),
    about=("Which product a barcode belongs to.", "Looks up goods by the number under the bars."),
    about_zh=("按条形码查商品。", "根据条码数字查是什么产品。"),
    params=(Param("code", EAN, ("barcode", "ean", "gtin"), ("The digits",), ("条码数字",)),),
    asks=(
        "What product is barcode {code}?",
        "the label is gone, the bars say {code}. what's in the tin?",
        "look up EAN {code}",
        "I typed {code} off a packet in the cellar, tell me what it was",
        "barcode {code}",
        "Which article hides behind the number {code}?",
        "someone left a packet at the till with {code} on it, what is it?",
        "no scanner here, the digits are {code}, name the goods",
    ),
    asks_zh=(
        "条码{code}是什么商品？",
        "包装没了，条形码是{code}，这是啥",
        "查条形码{code}",
        "{code}这个条码对应哪个产品",
        "地窖里翻出个罐头，码是{code}，看看是什么",
        "扫码枪坏了，手输{code}，查商品",
        "商品条码：{code}",
        "输入条码{code}，告诉我品名",
        "收银台有人落下个东西，条码{code}，是什么",
        "货架上没标签，只有{code}，帮忙认货",
    ),
    outcomes=(
        Outcome(
            fields=(("product", GOODS),),
            texts=("{product}",),
            answers=("It is {product}.", "The code belongs to {product}."),
            answers_zh=("是{product}。", "这个条码是{product}。"),
        ),
    ),
    missing=(
        Missing(
            key="code",
            asks=("What product does this barcode belong to?", "look up a barcode"),
            replies=("Which digits are under the bars?", "What is the number?"),
            asks_zh=("这个条码是什么商品？", "帮我查个条形码"),
            replies_zh=("请问条码数字是多少？", "条形码是多少？"),
        ),
    ),
)

MAKE_BARCODE = Family(
    key="stamps.make_barcode",
    names=("make_barcode", "generate_barcode", "barcode_image", "print_bars"),
    about=("Make a barcode image.", "Turns a number or label into bars. Not for QR codes."),
    about_zh=("生成条形码。", "把编号做成条码图片，不做二维码。"),
    params=(
        Param("content", LABEL, ("content", "value", "label"), ("What it says",), ("条码内容",)),
        Param("kind", SYMBOLOGY, ("symbology", "format", "barcode_type"), ("Kind of code",), ("码制",)),
        Param("height", Integer(10, 60, 5), ("height_mm", "height"), ("In millimetres",), ("高度，毫米",), False),
        Param("text", Flag(), ("show_text", "print_value_below"), ("Print the value below",), ("下方显示文字",), False),
    ),
    asks=(
        "Make a {kind} barcode for {content}[, {height} mm high].",
        "I need {content} as {kind}",
        Ask("barcode {kind} with {content}, and print the number below the bars", {"text": True}),
        "generate bars for {content}, type {kind}[, height {height} mm]",
        "our shelves need labels: {content} in {kind}, please",
        Ask("{kind} for {content}, bars only, no text underneath", {"text": False}),
        "turn {content} into a {kind} that the scanner can read",
        "stick-on label for crate {content}: {kind}[, {height} mm tall]",
    ),
    asks_zh=(
        "把 {content} 做成{kind}条码[，高{height}毫米]",
        "生成{kind}，内容 {content}",
        Ask("{content} 的{kind}条形码，下面要印上数字", {"text": True}),
        "货架标签要用，{content}，{kind}格式",
        "给 {content} 出一张{kind}[，{height}毫米高]",
        Ask("做个{kind}，内容是 {content} ，下面不要文字", {"text": False}),
        "我要 {content} 的条码，用{kind}",
        "扫码枪要能扫，把 {content} 转{kind}",
        "箱子 {content} 要贴标，{kind}[，高{height}毫米]",
        "打一个{kind}，写 {content}",
    ),
    outcomes=(
        Outcome(
            fields=(("file", Word(("barcode_01.png", "label.svg", "code_77.png"))),),
            texts=("saved as {file}",),
            answers=("The barcode is in {file}.", "Done: {file}."),
            answers_zh=("条码已保存为 {file}。", "做好了：{file}。"),
        ),
    ),
    missing=(
        Missing(
            key="kind",
            asks=("Make a barcode for {content}.", "i need bars for {content}"),
            replies=("Which kind of barcode: Code 128, EAN-13, another?", "What type of barcode?"),
            asks_zh=("给 {content} 做个条码", "把 {content} 生成条形码"),
            replies_zh=("请问用哪种码制？", "要什么类型的条码？"),
        ),
    ),
    also=("toolkit.qr_code",),
)

DOMAIN = Domain(
    "stamps",
    (FROM_STAMP, TO_STAMP, SERVER_CLOCK, SET_ZONE, BOOK_NUMBER, SCAN, MAKE_BARCODE),
    unserved=(
        ("Reboot the mail server tonight.", "今晚重启邮件服务器。"),
        ("Order a new hand scanner.", "订一把新的扫码枪。"),
        ("Why does Unix time start in 1970?", "为什么Unix时间从1970年开始？"),
        ("Register an ISBN for my novel.", "给我的小说申请书号。"),
        ("How much does this book weigh?", "这本书有多重？"),
        ("Install the updates on all hosts.", "给所有主机装更新。"),
        ("Send the labels to the printer in the warehouse.", "把标签发到仓库的打印机。"),
        ("How many tins are left in stock?", "罐头还剩多少库存？"),
        ("Write a review of the last book I read.", "给我刚看完的书写篇书评。"),
        ("Who logged in on the database yesterday?", "昨天谁登录了数据库？"),
        ("Sell my used schoolbooks.", "把我的旧课本卖掉。"),
        ("Watch the disk space and warn me.", "盯着磁盘空间，不够了提醒我。"),
    ),
)
