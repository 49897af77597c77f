"""Small helpers: summaries, codes, passwords, links, names, colours, patterns."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Word
from training.data.wordings import PAGE, pool
from training.data.world import Tongue

HEX = Code(("#xxxxxx", "#xxxxxx", "#xxx"))
COLOUR_SPACE = Choice(
    {"rgb": (("RGB",), ("RGB",)), "hsl": (("HSL",), ("HSL",)), "cmyk": (("CMYK",), ("CMYK",))},
    ({"rgb": "RGB", "hsl": "HSL", "cmyk": "CMYK"},),
)
PATTERN = Word(
    pool(
        r"""^\d+$ | \w+@\w+\.com | ^https?:// | \bcat\b | ^\s*# | \d\d:\d\d | \.png$ | a.*z | \bv\d+\.\d+ | ^yes$
        \+\d+ | colou?r | \w+-\d+ | ^--\w+ | \S+\.py$ | ^Order \d+ | (\w)\1 | (ab)+c | ^.+!$ | \D\d\D"""
    ),
    quoted=0.4,
)
SAMPLE = Word(
    pool(
        """Order 1281 | cat and dog | anna@example.com | 12:45 | v2.10 | photo.png | yes | https://example.org | 40213
        the colour red | TICKET-88 | main.py | +49 555 0101 | --verbose | foobar | a to z | hello! | 3 apples"""
    ),
    quoted=1.0,
)
NAMED = Word(
    pool(
        """a bakery | a bookshop | a rescue dog | a sailing boat | a podcast about gardens | a chess club
        a coffee brand | a band | a startup that repairs phones | a yoga studio | a board game | a hiking group
        a food truck | an app"""
    ),
    pool(
        """面包店 | 书店 | 小狗 | 帆船 | 园艺播客 | 象棋社 | 咖啡品牌 | 乐队 | 手机维修公司 | 瑜伽馆 | 桌游
        徒步小组 | 餐车 | 小程序"""
    ),
)
MOOD = Choice(
    {
        "playful": (("playful", "funny"), ("俏皮", "有趣")),
        "classic": (("classic", "traditional"), ("经典", "传统")),
        "modern": (("modern",), ("现代", "时尚")),
    },
    ({"playful": "PLAYFUL", "classic": "CLASSIC", "modern": "MODERN"},),
)
IDEA = Word(
    pool(
        """Golden Crumb | Second Chapter | Northwind | Blue Kettle | Little Anchor | Open Road | Fern & Fox
        Good Company"""
    ),
    pool("麦香 | 第二章 | 北风 | 蓝壶 | 小锚 | 在路上 | 狐与蕨 | 好伙伴"),
)
SUMMARY = Family(
    key="toolkit.summarize",
    names=("summarize_page", "page_summary", "shorten_article", "tldr"),
    about=(
        "Summarise a web page.",
        "Reads a page and gives its main points in some sentences.",
        "Summaries of pages by address.",
    ),
    about_zh=("总结网页内容。", "读取网页并用几句话概括。"),
    params=(
        Param("page", PAGE, ("url", "link", "page", "address"), ("Address of the page",), ("网页地址",)),
        Param(
            "sentences",
            Integer(2, 10),
            ("sentences", "max_sentences", "length"),
            ("How many sentences",),
            ("句数",),
            False,
        ),
        Param(
            "language",
            Tongue(),
            ("language", "output_language"),
            ("Language of the summary",),
            ("总结所用语言",),
            False,
        ),
    ),
    asks=(
        "Summarise {page}[ in {sentences} sentences].",
        "what's the gist of {page}?",
        "I have no time to read {page}. What does it say[, in {language} please]?",
        "tl;dr {page}",
        "main points of {page}[, {sentences} sentences][, in {language}]",
        "my boss sent me {page}, boil it down for me[ to {sentences} sentences]",
        "give me the short version of {page}[ in {language}]",
        "is {page} worth reading? sum it up",
        "in {sentences} sentences: what is on {page}",
        "worth my time? {page}, key points only",
    ),
    asks_zh=(
        "总结一下 {page} [，{sentences}句话]",
        "{page} 讲了什么？",
        "没时间看 {page} ，概括一下[，用{language}]",
        "老板发来 {page} ，帮我提炼要点[，{sentences}句以内]",
        "{page} 的主要内容是啥",
        "用{sentences}句话说说 {page} 写了什么",
        "请摘要： {page}",
        "{page} 值得看吗，说说要点",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "summary",
                    Word(
                        pool(
                            """Bees dance to show the way to food. | The sale ends on Sunday.
                            Three bridges will be repaired. | Prices rose a little."""
                        ),
                        pool("蜜蜂跳舞指引食物方向。 | 促销周日结束。 | 三座桥将维修。 | 价格略有上涨。"),
                    ),
                ),
            ),
            texts=("{summary}",),
            texts_zh=("{summary}",),
            answers=("In short: {summary}", "{summary}"),
            answers_zh=("概括来说：{summary}", "{summary}"),
        ),
    ),
    missing=(
        Missing(
            key="page",
            asks=("Summarise a page for me.", "Give me the gist of the article[ in {sentences} sentences]."),
            replies=("Which page? Please give me its address.", "What is the address of the page?"),
            asks_zh=("帮我总结一篇网页。", "概括一下那篇文章[，{sentences}句话]"),
            replies_zh=("请问网页地址是什么？", "是哪个网页？"),
        ),
    ),
)

QR = Family(
    key="toolkit.qr_code",
    names=("make_qr_code", "qr_generator", "create_qr", "build_qr_image"),
    about=("Make a QR code.", "Puts a link into a QR code picture.", "QR image for an address; does not shorten it."),
    about_zh=("生成二维码。", "把链接做成二维码图片。"),
    params=(
        Param("content", PAGE, ("content", "data", "url"), ("What it leads to",), ("二维码内容",)),
        Param(
            "size", Integer(100, 1200, 50), ("size", "pixels", "width"), ("Width in pixels",), ("边长，像素",), False
        ),
    ),
    asks=(
        "Make a QR code for {content}[, {size} pixels wide].",
        "qr {content}",
        "I want guests to scan something that opens {content}[; size {size} pixels].",
        "turn {content} into a code people can scan",
        "need a qr code that points to {content}[, {size} px]",
        "For our flyers: a scannable square leading to {content}.",
        "put {content} in a QR code please",
        "could I get {content} as QR[ in {size} pixels]?",
        "people should get to {content} with their phone camera",
        "a code for the door that leads to {content}[, {size} px]",
    ),
    asks_zh=(
        "给 {content} 做个二维码[，{size}像素]",
        "把 {content} 生成二维码",
        "传单上想放个能扫的码，打开 {content} [，宽{size}像素]",
        "二维码： {content}",
        "做个扫码就能进 {content} 的图",
        "{content} 转成二维码[，大小{size}像素]",
        "贴门上的码，扫了进 {content}",
        "手机一扫就到 {content} ，做个码[，{size}像素]",
    ),
    outcomes=(
        Outcome(
            fields=(("image", Word(pool("qr_1.png | code-77.png | qr_menu.png | scan.svg"))),),
            texts=("{image}",),
            answers=("The code is in {image}.", "Done: {image}"),
            answers_zh=("二维码已生成：{image}", "做好了，文件是{image}。"),
        ),
    ),
    missing=(
        Missing(
            key="content",
            asks=("Make a QR code.", "I need a QR code[ of {size} pixels]."),
            replies=("Where should it lead?", "Which link should the code hold?"),
            asks_zh=("做个二维码。", "我要一个二维码[，{size}像素]"),
            replies_zh=("请问二维码指向哪个链接？", "内容是什么？"),
        ),
    ),
)

SHORT_LINK = Family(
    key="toolkit.short_link",
    names=("shorten_link", "create_short_url", "make_short_link", "url_shortener"),
    about=(
        "Make a short link.",
        "Gives a long address a short form, with a name of your own if you like.",
        "Link shortener",
    ),
    about_zh=("生成短链接。", "把长网址变短，可自定义后缀。"),
    params=(
        Param("address", PAGE, ("long_url", "address", "target"), ("The long address",), ("长网址",)),
        Param(
            "alias",
            Word(pool("party24 | our-menu | jobs | wedding | go-team | sale50 | maps | quiz-night")),
            ("alias", "slug", "custom_name"),
            ("Name of its own",),
            ("自定义后缀",),
            False,
        ),
    ),
    asks=(
        "Shorten {address}[ to {alias}].",
        "make a short link for {address}[, call it {alias}]",
        "{address} is far too long for a text message, can you make it shorter?",
        "short url: {address}[ ({alias})]",
        "I need something brief that leads to {address}[, with {alias} at the end]",
        "give me a tiny link to {address}",
        "could you cut {address} down[ and name it {alias}]",
        "create a short link, target {address}[, alias {alias}]",
        "nobody will type {address}, give me something handy[ like {alias}]",
        "fit {address} on a business card",
    ),
    asks_zh=(
        "把 {address} 变成短链接[，后缀{alias}]",
        "{address} 太长了，缩短一下",
        "生成短网址： {address} [，名字用{alias}]",
        "给 {address} 弄个短链",
        "短信里放不下 {address} ，有短一点的吗？做一个",
        "缩短网址 {address}",
        "{address} 没人愿意输，弄个好记的[，比如{alias}]",
        "名片上印不下 {address} ，弄短点",
    ),
    outcomes=(
        Outcome(
            fields=(("short", Code(("https://s.test/xxxx", "go.test/xxxxx"))),),
            texts=("{short}",),
            answers=("Here is the short link: {short}", "{short} leads there now."),
            answers_zh=("短链接是 {short}", "好了： {short}"),
        ),
    ),
    missing=(
        Missing(
            key="address",
            asks=("Make a short link.", "shorten a link for me[, call it {alias}]"),
            replies=("Which address should I shorten?", "What is the long link?"),
            asks_zh=("帮我做个短链接。", "缩短一个网址"),
            replies_zh=("请问原网址是什么？", "要缩短哪个链接？"),
        ),
    ),
)

PASSWORD = Family(
    key="toolkit.password",
    names=("generate_password", "new_password", "random_password", "make_secret"),
    about=("Make a random password.", "Invents a safe password of a length.", "New passwords; stores nothing."),
    about_zh=("生成随机密码。", "按长度生成安全密码，不保存。"),
    params=(
        Param("length", Integer(8, 64), ("length", "characters", "size"), ("How many characters",), ("长度",), False),
        Param(
            "symbols", Flag(), ("symbols", "special_characters"), ("With signs like ! and ?",), ("是否含符号",), False
        ),
        Param("count", Integer(2, 10), ("count", "how_many"), ("How many passwords",), ("个数",), False),
    ),
    asks=(
        "I need a new password.",
        "make a password of {length} characters",
        Ask("password with {length} characters, no symbols please", {"symbols": False}),
        Ask("Invent a password for me with special characters in it[, {length} long].", {"symbols": True}),
        "My account was hacked, give me something safer to log in with[, {length} characters].",
        "{count} random passwords[ of {length} characters]",
        "suggest a strong password",
        "what would be a safe password with {length} signs?",
        Ask("the site doesn't allow symbols. random password[ of length {length}]", {"symbols": False}),
        "password please",
    ),
    asks_zh=(
        "给我生成一个密码。",
        "要一个{length}位的密码",
        Ask("密码{length}位，不要符号", {"symbols": False}),
        Ask("来个带特殊符号的密码[，{length}位]", {"symbols": True}),
        "账号被盗了，换个安全的密码[，{length}位]",
        "随机密码{count}个[，每个{length}位]",
        "想个强一点的密码",
    ),
    outcomes=(
        Outcome(
            fields=(("password", Code(("AxAx-9999-xAxA", "x9Ax9Ax9Ax9A", "AAxx99AAxx99"))),),
            texts=("{password}",),
            answers=("How about {password}?", "Your new password: {password}"),
            answers_zh=("可以用{password}。", "新密码：{password}"),
        ),
    ),
)

NAMES = Family(
    key="toolkit.name_ideas",
    names=("name_ideas", "suggest_names", "brand_name_generator", "invent_name"),
    about=(
        "Ideas for names.",
        "Suggests names for a shop, a pet, a project and the like.",
        "Finds a name. It registers nothing.",
    ),
    about_zh=("起名建议。", "为店铺、宠物、项目等想名字。"),
    params=(
        Param("subject", NAMED, ("subject", "for_what", "thing"), ("What needs a name",), ("给什么起名",)),
        Param("mood", MOOD, ("style", "mood", "tone"), ("How it should sound",), ("风格",), False),
        Param("count", Integer(2, 20), ("count", "how_many", "number"), ("How many",), ("数量",), False),
    ),
    asks=(
        "What could I call {subject}[? something {mood}]",
        "I need a name for {subject}[, {mood} if possible].",
        "give me {count} names for {subject}[, {mood}]",
        "We're starting {subject} next month and still have no name for it.",
        "name ideas: {subject}[, {count} of them]",
        "help me christen {subject}",
        "suggest how to call {subject}[ - {mood} style][, {count} ideas]",
        "any good names for {subject}?",
        "I'm out of ideas, how would you name {subject}?",
        "{subject} needs a[ {mood}] name by tonight",
    ),
    asks_zh=(
        "给{subject}起个名字[，{mood}一点]。",
        "想{count}个{subject}的名字[，风格{mood}]",
        "下个月要开张，{subject}还没名字呢，帮忙想想",
        "{subject}叫什么好？",
        "{subject}起名[，{count}个]",
        "有没有适合{subject}的名字[，要{mood}的]",
        "没灵感了，{subject}取什么名好？",
        "今晚得给{subject}定个[{mood}的]名字",
    ),
    outcomes=(
        Outcome(
            fields=(("ideas", ListOf(IDEA, 2, 4)),),
            texts=("{ideas}",),
            texts_zh=("{ideas}",),
            answers=("How about {ideas}?", "Some ideas: {ideas}."),
            answers_zh=("可以考虑{ideas}。", "比如{ideas}。"),
        ),
    ),
    missing=(
        Missing(
            key="subject",
            asks=("I need a name.", "Give me {count} name ideas.", "suggest a[ {mood}] name"),
            replies=("A name for what?", "What is the name for?"),
            asks_zh=("帮我起个名字。", "想{count}个名字"),
            replies_zh=("请问给什么起名？", "是给什么取名呢？"),
        ),
    ),
)

COLOUR = Family(
    key="toolkit.convert_colour",
    names=("convert_color", "color_space_converter", "colour_values", "hex_to"),
    about=("Convert a colour.", "Turns a hex colour into RGB, HSL or CMYK values.", "Colour values by hex code"),
    about_zh=("转换颜色格式。", "把十六进制颜色转成 RGB、HSL 或 CMYK。"),
    params=(
        Param("color", HEX, ("hex", "color", "colour_code"), ("e.g. #ff8800",), ("十六进制颜色",)),
        Param("space", COLOUR_SPACE, ("to", "color_space", "target_format"), ("Which values",), ("目标格式",)),
    ),
    asks=(
        "What is {color} in {space}?",
        "{color} to {space}",
        "convert {color} into {space} please",
        "The print shop asks for {space} and I only have {color}.",
        "give me the {space} values of {color}",
        "my css says {color}, what's that as {space}",
        "{space} for {color}?",
        "I need the colour {color} written as {space}",
        "our brand colour is {color}. the printer can only read {space}",
        "how do I write {color} in {space} notation",
    ),
    asks_zh=(
        "{color}的{space}是多少？",
        "把{color}转成{space}",
        "印刷厂要{space}，我只有{color}",
        "{color} 换成 {space}",
        "样式里写的{color}，对应{space}是什么",
        "求{color}的{space}值",
        "品牌色{color}，打印要{space}",
        "{color}用{space}怎么写",
    ),
    outcomes=(
        Outcome(
            fields=(("values", Code(("199, 99, 19", "19, 199, 99", "99, 29, 199"))),),
            texts=("{values}",),
            answers=("In {space} that is {values}.", "{color} is {values}."),
            answers_zh=("{space}值是{values}。", "{color}是{values}。"),
        ),
    ),
    missing=(
        Missing(
            key="color",
            asks=("Convert a colour to {space}.", "I need {space} values."),
            replies=("Which colour?", "What is the hex code of the colour?"),
            asks_zh=("把颜色转成{space}。", "我要{space}值"),
            replies_zh=("请问是哪个颜色？", "颜色代码是多少？"),
        ),
    ),
)

REGEX = Family(
    key="toolkit.test_pattern",
    names=("test_regex", "regex_match", "try_pattern", "check_regular_expression"),
    about=("Try a regular expression on a text.", "Says whether a pattern matches.", "Regex tester"),
    about_zh=("测试正则表达式。", "判断正则是否匹配文本。"),
    params=(
        Param("pattern", PATTERN, ("pattern", "regex", "expression"), ("Regular expression",), ("正则表达式",)),
        Param("text", SAMPLE, ("text", "subject", "sample"), ("Text to try it on",), ("待测文本",)),
    ),
    asks=(
        "Does {pattern} match {text}?",
        "test the regex {pattern} on {text}",
        "would {text} be matched by {pattern}",
        "my filter uses {pattern}, does it catch {text}?",
        "regex {pattern} against {text}",
        "try {pattern} with the text {text} please",
        "I'm stuck: pattern {pattern}, input {text}. Is it a match?",
        "{text} =~ {pattern} ?",
        "my form rejects {text}; the rule is {pattern}, does it fit at all?",
        "tell me if {pattern} finds anything in {text}",
    ),
    asks_zh=(
        "{pattern} 能匹配{text}吗？",
        "用正则 {pattern} 测一下{text}",
        "{text}符不符合 {pattern}",
        "我的过滤规则是 {pattern} ，会不会命中{text}？",
        "测试正则： {pattern} ，文本{text}",
        "拿{text}试试 {pattern}",
        "表单总不让过{text}，规则是 {pattern} ，到底匹不匹配",
        "{pattern} 在{text}里能找到东西吗",
    ),
    outcomes=(
        Outcome(
            fields=(("position", Integer(13, 40)),),
            texts=("match at position {position}",),
            texts_zh=("在位置{position}匹配",),
            answers=("Yes, it matches at position {position}.", "It does, at position {position}."),
            answers_zh=("能匹配，位置是{position}。", "匹配，在第{position}位。"),
        ),
        Outcome(
            fields=(("match", Choice({"none": (("none",), ("无",))})),),
            texts=("no match",),
            texts_zh=("不匹配",),
            answers=("No, it doesn't match.", "There is no match."),
            answers_zh=("不匹配。", "没有匹配到。"),
        ),
    ),
    missing=(
        Missing(
            key="text",
            asks=("Test the regex {pattern}.", "does {pattern} match?"),
            replies=("On which text?", "Which text should I try it on?"),
            asks_zh=("测试正则 {pattern}", "{pattern} 能匹配吗？"),
            replies_zh=("请问要匹配什么文本？", "测试文本是什么？"),
        ),
    ),
)

DOMAIN = Domain(
    "toolkit",
    (SUMMARY, QR, SHORT_LINK, PASSWORD, NAMES, COLOUR, REGEX),
    unserved=(
        ("Scan the code on this ticket.", "扫一下这张票上的码。"),
        ("Remember my bank password for me.", "帮我记住银行密码。"),
        ("How many people clicked on my link?", "我的链接有多少人点过？"),
        ("Register the name as a trade mark.", "把这个名字注册成商标。"),
        ("Mix me a paint in this shade.", "照这个颜色调一桶漆。"),
        ("Is my password in a known leak?", "我的密码泄露过吗？"),
        ("Write a slogan for the shop.", "给店铺写句广告语。"),
        ("Take the page offline.", "把这个网页下线。"),
        ("Which font goes well with this colour?", "这个颜色配什么字体好？"),
        ("Build a website for the bakery.", "给面包店建个网站。"),
        ("Delete the short link from last year.", "删掉去年的短链接。"),
        ("Design a logo with our initials.", "用我们的首字母设计个标志。"),
    ),
)
