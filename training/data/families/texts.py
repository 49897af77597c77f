"""Work on pieces of text: counting, letter case, comparing, replacing, sorting, picking out addresses."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, ListOf, Word
from training.data.wordings import composed, pool

_WHO = pool("the cat | our neighbour | a tall man | my sister | the old captain | every student | the new teacher")
_DID = pool("found a coin | missed the bus | painted the fence | bought six eggs | lost the key | fed the ducks")
_WHEN = pool("yesterday | after lunch | in the rain | on Monday | before noon | without a word")
_WHO_ZH = pool("小猫 | 邻居 | 一个高个子 | 我姐姐 | 老船长 | 每个学生 | 新来的老师 | 卖花的阿姨")
_DID_ZH = pool("捡到一枚硬币 | 没赶上车 | 刷了篱笆 | 买了六个鸡蛋 | 丢了钥匙 | 喂了鸭子 | 唱起了歌")
_WHEN_ZH = pool("昨天 | 午饭后 | 下雨的时候 | 星期一 | 天亮之前 | 一句话没说就")
SENTENCE = composed(
    ("{who} {did} {when}", "{when} {who} {did}", "{who} {did}"),
    ("{when}{who}{did}", "{who}{when}{did}", "{who}{did}"),
    {"who": _WHO, "did": _DID, "when": _WHEN},
    {"who": _WHO_ZH, "did": _DID_ZH, "when": _WHEN_ZH},
    quoted=1.0,
)
TITLE = Word(
    pool(
        """the quick brown fox | annual sales report | HELLO WORLD | notes from the garden | a day at the sea
        lost and found | how to bake bread | user profile page | Summer In The City | monthly team update
        WARNING: HOT SURFACE | first steps with python | order confirmation | my favourite recipes | no smoking
        blue moon over kentucky | Terms and Conditions | learning to sail | last call for flight 12 | big data"""
    ),
    pool(
        """hello world | annual report | user name | final version | good morning | read me first | no entry
        Happy New Year | summer sale | made in china | project plan | meeting notes | thank you | main menu"""
    ),
    quoted=1.0,
)
TERM = Word(
    pool(
        """colour | Mr Brown | 2024 | teh | customer | Berlin | metre | cheap | old logo | Tuesday | apples | boss
        e-mail | sofa | version 1 | dog | grey | holiday | draft | phone"""
    ),
    pool(
        "颜色 | 张总 | 2024 | 客户 | 北京 | 便宜 | 旧版 | 周二 | 苹果 | 老板 | 邮件 | 沙发 | 初稿 | 手机 | 按排 | 帐号"
    ),
    quoted=0.9,
)
OTHER = Word(
    pool(
        "color | Ms Green | 2025 | the | client | Munich | foot | affordable | Friday | pears | manager | couch | final"
    ),
    pool("色彩 | 李总 | 2025 | 顾客 | 上海 | 实惠 | 新版 | 周五 | 梨 | 经理 | 终稿 | 安排 | 账号 | 来信"),
    quoted=0.9,
)
ENTRY = Word(
    pool(
        """pear | Zurich | anchor | violin | Maria | tulip | basil | Oslo | drum | kiwi | owl | lemon | Quentin | yak
        maple | harbour | novel | ice | ferry | copper"""
    ),
    pool("苹果 | 北京 | 张伟 | 小提琴 | 李娜 | 郁金香 | 柠檬 | 上海 | 鼓 | 王芳 | 香蕉 | 成都 | 猫头鹰 | 广州 | 陈晨"),
)
COUNTED = Choice(
    {
        "words": (("words",), ("个词",)),
        "characters": (("characters", "letters"), ("个字符", "个字")),
        "sentences": (("sentences",), ("句话", "句")),
        "lines": (("lines",), ("行",)),
    },
)
CASE = Choice(
    {
        "upper": (("upper case", "capital letters", "all caps"), ("大写", "全大写")),
        "lower": (("lower case", "small letters"), ("小写", "全小写")),
        "title": (("title case",), ("首字母大写",)),
        "snake": (("snake case", "snake_case"), ("下划线格式", "snake_case")),
        "camel": (("camel case", "camelCase"), ("驼峰格式", "camelCase")),
    },
    ({"upper": "UPPER", "lower": "LOWER", "title": "TITLE", "snake": "SNAKE", "camel": "CAMEL"},),
)
FOUND = Choice(
    {
        "emails": (("e-mail addresses", "email addresses", "emails"), ("邮箱", "邮箱地址", "电子邮件地址")),
        "phones": (("phone numbers", "telephone numbers"), ("电话", "电话号码", "手机号")),
        "links": (("links", "web addresses", "URLs"), ("链接", "网址")),
        "dates": (("dates",), ("日期",)),
    },
    ({"emails": "EMAIL", "phones": "PHONE", "links": "URL", "dates": "DATE"},),
)
LETTER = composed(
    (
        "Write to {mail} or call {phone} before {date}.",
        "{mail}, {phone}, see https://{host}/help",
        "Ask {mail} by {date}",
    ),
    ("请在{date}前联系{mail}或拨打{phone}。", "{mail}，{phone}，详见 https://{host}/help", "{date}前发到{mail}"),
    {
        "mail": pool("anna@example.com | info@bakery.example | tom.lee@example.org | desk@clinic.example"),
        "phone": pool("555-0142 | 555-0177 | 555-0119 | 555-0103"),
        "date": pool("12 May | 3 June 2026 | 2026-09-01 | July 30"),
        "host": pool("example.com | team.example.org | studio.example"),
    },
    {
        "mail": pool("chen@example.com | info@bakery.example | li.na@example.org | desk@clinic.example"),
        "phone": pool("13800001234 | 15900005678 | 010-5550142 | 021-5550177"),
        "date": pool("5月12日 | 2026年6月3日 | 2026-09-01 | 周五"),
        "host": pool("example.com | team.example.org | studio.example"),
    },
    quoted=1.0,
)

COUNT = Family(
    key="texts.count",
    names=("count_in_text", "text_counter", "text_length", "measure_text", "word_count"),
    about=(
        "Count the words, characters, sentences or lines of a text.",
        "Tells how long a text is. Does not change it.",
        "Length of a text in the unit you name",
    ),
    about_zh=("统计文本的词数、字符数、句数或行数。", "计算一段文字的长度，不改动内容。"),
    params=(
        Param("text", SENTENCE, ("text", "content", "input"), ("The text",), ("要统计的文本",)),
        Param("unit", COUNTED, ("unit", "count_what", "mode"), ("What to count",), ("统计单位",)),
    ),
    asks=(
        "How many {unit} are in {text}?",
        "count the {unit} of {text}",
        "Number of {unit} here: {text}",
        "My form allows a limited number of {unit}. How many does {text} have?",
        "tell me how long {text} is, in {unit}",
        "is {text} too long? i need the number of {unit}",
        "The editor wants to know how many {unit} make up {text}",
        "the {unit} in {text}, please count them",
    ),
    asks_zh=(
        "{text}有多少{unit}？",
        "数一下{text}一共几{unit}",
        "{text}这段有几{unit}",
        "编辑问{text}是多少{unit}",
        "帮我统计{text}，看看有多少{unit}",
        "表格有限制，{text}占多少{unit}？",
        "{text}，共几{unit}？",
        "看看{text}有没有超，是多少{unit}",
        "算算{text}里面总共几{unit}",
        "老师嫌短，{text}有几{unit}了",
    ),
    outcomes=(
        Outcome(
            fields=(("count", Integer(1, 60)),),
            texts=("{count}",),
            answers=("The count is {count}.", "It comes to {count}.", "There are {count}."),
            answers_zh=("一共{count}。", "统计结果是{count}。", "共有{count}。"),
        ),
    ),
    missing=(
        Missing(
            key="text",
            asks=("Count the {unit} for me.", "how many {unit} is my text"),
            replies=("Which text? Please paste it.", "What is the text?"),
            asks_zh=("帮我数数有多少{unit}", "我这篇一共几{unit}？"),
            replies_zh=("请把文字发给我，好吗？", "是哪段文字？"),
        ),
    ),
)

CHANGE_CASE = Family(
    key="texts.case",
    names=("change_case", "convert_case", "letter_case", "recase_text"),
    about=(
        "Change the letter case of a text.",
        "Turns text into upper, lower, title, snake or camel case.",
        "Only changes letters, never words.",
    ),
    about_zh=("转换英文大小写。", "把文本改成大写、小写、首字母大写、下划线或驼峰格式。"),
    params=(
        Param("text", TITLE, ("text", "string", "value"), ("Text to change",), ("要转换的文本",)),
        Param("case", CASE, ("case", "style", "to_case"), ("The case wanted",), ("目标格式",)),
    ),
    asks=(
        "Put {text} into {case}.",
        "change {text} to {case}",
        Ask("make {text} shout: every letter big", {"case": "upper"}),
        "I need {text} in {case} for the sign.",
        "my caps lock was stuck, turn {text} into {case}",
        "how does {text} look in {case}?",
        Ask("Capitalise the first letter of each word in {text}.", {"case": "title"}),
        "rewrite {text}, {case} please",
        Ask("I want {text} as a variable name with underscores", {"case": "snake"}),
    ),
    asks_zh=(
        "把{text}改成{case}",
        "{text}转成{case}",
        Ask("{text}的字母全部变大", {"case": "upper"}),
        "招牌上要用，{text}换成{case}",
        "大写锁定没关，{text}帮我弄成{case}",
        Ask("{text}每个单词开头大写", {"case": "title"}),
        "{text}用{case}怎么写？",
        "变量名要{case}，原文是{text}",
        Ask("{text}单词之间用下划线连起来", {"case": "snake"}),
        "请将{text}统一为{case}",
        "我要{case}的：{text}",
    ),
    outcomes=(
        Outcome(
            fields=(("result", Word(("HELLO WORLD", "annual_sales_report", "userProfilePage", "Lost And Found"))),),
            texts=("{result}",),
            answers=("Here it is: {result}", "It becomes: {result}"),
            answers_zh=("改好了：{result}", "结果是：{result}"),
        ),
    ),
    missing=(
        Missing(
            key="case",
            asks=("Change the case of {text}.", "the letters of {text} are wrong, fix the case"),
            replies=("Which case: upper, lower, title, snake or camel?", "What case would you like?"),
            asks_zh=("{text}换一下大小写", "转换{text}的大小写格式"),
            replies_zh=("请问要换成哪种格式？", "想要大写、小写还是别的格式？"),
        ),
    ),
)

COMPARE = Family(
    key="texts.compare",
    names=("compare_texts", "text_diff", "find_differences", "diff_strings", "same_or_not"),
    about=(
        "Compare two texts and show where they differ.",
        "Differences between an old and a new text.",
        "Diff of two short texts; not for files.",
    ),
    about_zh=("比较两段文字的差异。", "找出旧文本和新文本哪里不同，不用于文件。"),
    params=(
        Param("first", SENTENCE, ("first", "text_a", "old_text"), ("The first text",), ("第一段文字",)),
        Param("second", SENTENCE, ("second", "text_b", "new_text"), ("The second text",), ("第二段文字",)),
        Param(
            "ignore",
            Flag(),
            ("ignore_case", "case_insensitive"),
            ("Take A and a for the same",),
            ("忽略大小写",),
            False,
        ),
    ),
    asks=(
        "What is different between {first} and {second}?",
        "compare {first} with {second}",
        "First it said {first}, now it says {second}. What did they change?",
        Ask("Are {first} and {second} the same if capitals don't matter?", {"ignore": True}),
        "diff please: {first} versus {second}",
        "my translation is {first}, the book has {second}. where do they part?",
        "Did someone edit this? Before: {first}. After: {second}.",
        Ask("show the differences of {first} and {second}, ignore upper and lower case", {"ignore": True}),
        "spot the difference: {first} / {second}",
    ),
    asks_zh=(
        "{first}和{second}有什么不同？",
        "对比一下{first}跟{second}",
        "原来写的是{first}，现在是{second}，改了哪儿？",
        Ask("不管大小写的话，{first}和{second}一样吗", {"ignore": True}),
        "找不同：{first}，{second}",
        "我译成{first}，书上是{second}，差在哪",
        "有人动过吗？之前：{first}，之后：{second}",
        "比较两句：{first}；{second}",
        Ask("忽略大小写，比一比{first}与{second}", {"ignore": True}),
        "这两句是不是同一句：{first}，还有{second}",
    ),
    outcomes=(
        Outcome(
            fields=(("differences", Integer(1, 9)),),
            texts=("{differences} differences",),
            texts_zh=("{differences}处不同",),
            answers=("I found {differences} differences.", "They differ in {differences} places."),
            answers_zh=("有{differences}处不同。", "两段文字有{differences}处差异。"),
        ),
    ),
    missing=(
        Missing(
            key="second",
            asks=("Compare {first} with the new version.", "what has changed since {first}"),
            replies=("What is the other text?", "Which text should I compare it with?"),
            asks_zh=("拿{first}跟新的比一下", "{first}后来改了什么？"),
            replies_zh=("请问另一段文字是什么？", "要和哪段文字比较？"),
        ),
    ),
)

REPLACE = Family(
    key="texts.replace",
    names=("find_and_replace", "replace_in_document", "substitute_word", "swap_text", "bulk_replace"),
    about=(
        "Replace a word or phrase everywhere in the open document.",
        "Find and replace. With the first option only the first hit is changed.",
        "Swaps one piece of text for another.",
    ),
    about_zh=("在当前文档中查找并替换。", "把文档里的某个词全部换成另一个词。"),
    params=(
        Param("find", TERM, ("find", "search_for", "old"), ("What to look for",), ("要查找的内容",)),
        Param("replace", OTHER, ("replace_with", "replacement", "new"), ("What to put there",), ("替换为",)),
        Param("whole", Flag(), ("whole_words", "match_whole_word"), ("Only whole words",), ("全字匹配",), False),
        Param("first", Flag(), ("first_only", "only_first"), ("Only the first hit",), ("仅替换第一处",), False),
    ),
    asks=(
        "Replace {find} with {replace} in my document.",
        "change every {find} to {replace}",
        "I wrote {find} all over the place, it should be {replace}",
        Ask("swap only the first {find} for {replace}", {"first": True}),
        Ask("Put {replace} where it says {find}, whole words only.", {"whole": True}),
        "wherever it says {find}, make it {replace} please",
        "find {find}, replace with {replace}",
        "the client no longer likes {find}; use {replace} instead in the text",
        Ask("just the first time {find} comes up, write {replace}", {"first": True}),
    ),
    asks_zh=(
        "把文档里的{find}都换成{replace}",
        "{find}全部改成{replace}",
        "我到处写成{find}了，应该是{replace}",
        Ask("只把第一个{find}替换成{replace}", {"first": True}),
        Ask("全字匹配，把{find}替换为{replace}", {"whole": True}),
        "查找{find}，替换成{replace}",
        "客户不喜欢{find}，文中统一改用{replace}",
        "凡是出现{find}的地方，一律写{replace}",
        "文章里{find}改{replace}",
        Ask("{find}第一次出现的地方改成{replace}，后面别动", {"first": True}),
        "帮我批量替换，原词{find}，新词{replace}",
    ),
    outcomes=(
        Outcome(
            fields=(("replaced", Integer(1, 48)),),
            texts=("{replaced} replaced",),
            answers=("Done: {replaced} replaced.", "I have put in {replace} {replaced} times."),
            answers_zh=("已替换{replaced}处。", "好了，一共换了{replaced}处。"),
        ),
    ),
    missing=(
        Missing(
            key="replace",
            asks=("Replace {find} in my document.", "get {find} out of the text and put something better"),
            replies=("What should stand there instead?", "With what should I replace it?"),
            asks_zh=("把文档里的{find}替换掉", "{find}这个词全部换掉"),
            replies_zh=("请问要换成什么？", "替换成哪个词？"),
        ),
        Missing(
            key="find",
            asks=("Put {replace} there instead, everywhere in the document.",),
            replies=("Which word should be replaced?", "What is it that I should look for?"),
            asks_zh=("全部替换成{replace}",),
            replies_zh=("请问要替换哪个词？", "要把什么换成它？"),
        ),
    ),
)

SORT = Family(
    key="texts.sort_lines",
    names=("sort_lines", "order_entries", "alphabetize", "sort_text_list"),
    about=(
        "Sort entries of a list of words.",
        "Puts lines of text in alphabetical order, or the reverse. Not for numbers.",
        "Alphabetical order",
    ),
    about_zh=("把多行文字按字母顺序排序。", "对词语列表排序，可倒序，不用于数字。"),
    params=(
        Param("lines", ListOf(ENTRY, 3, 6), ("lines", "entries", "items"), ("What to sort",), ("要排序的内容",)),
        Param("reverse", Flag(), ("descending", "reverse"), ("From Z to A",), ("是否倒序",), False, False),
    ),
    asks=(
        "Sort {lines} alphabetically.",
        "put {lines} in ABC order",
        Ask("order {lines} from Z to A", {"reverse": True}),
        "For the index: {lines}. Alphabetical, please.",
        "what's the dictionary order of {lines}",
        Ask("Sort {lines}, but backwards.", {"reverse": True}),
        "my labels are a mess, bring them in alphabetical order: {lines}",
        "alphabetise {lines}",
    ),
    asks_zh=(
        "把{lines}按字母排一下",
        "{lines}按拼音顺序排列",
        Ask("{lines}倒着排，从Z到A", {"reverse": True}),
        "做索引用，给{lines}排个序",
        "名单太乱了，按首字母排好：{lines}",
        Ask("倒序排列{lines}", {"reverse": True}),
        "{lines}，按字典顺序怎么排？",
        "请将以下几项排序：{lines}",
        "标签按字母顺序整理，有{lines}",
        "{lines}谁排前面？按音序来",
    ),
    outcomes=(
        Outcome(
            fields=(("first", ENTRY), ("count", Integer(3, 6))),
            texts=("sorted {count} entries, first: {first}",),
            answers=("Sorted; {first} comes first.", "All {count} are in order, starting with {first}."),
            answers_zh=("排好了，第一个是{first}。", "{count}项已排序，最前面是{first}。"),
        ),
    ),
)

EXTRACT = Family(
    key="texts.extract",
    names=("extract_from_text", "pick_out", "pull_contacts", "scan_text_for"),
    about=(
        "Pick e-mail addresses, phone numbers, links or dates out of a text.",
        "Finds all pieces of one kind in a text.",
        "Extraction from free text",
    ),
    about_zh=("从文本中提取邮箱、电话、链接或日期。", "找出文字里某一类信息。"),
    params=(
        Param("text", LETTER, ("text", "source_text", "raw"), ("Text to search",), ("原文",)),
        Param("kind", FOUND, ("kind", "entity_type", "what"), ("What to pick out",), ("提取类型",)),
    ),
    asks=(
        "Pull all {kind} out of {text}",
        "which {kind} are in {text}",
        "I got this note: {text}. I only want the {kind}.",
        "extract {kind}: {text}",
        Ask("Where can I mail them? Find the addresses with an @ in {text}", {"kind": "emails"}),
        "list the {kind} that appear in {text}",
        "from the text {text}, fish out the {kind} for my address book",
        "someone pasted {text} into the chat; which {kind} do you see?",
    ),
    asks_zh=(
        "从{text}里提取{kind}",
        "{text}里面有哪些{kind}？",
        "收到一条消息：{text}，只要{kind}",
        "把{text}中的{kind}挑出来",
        Ask("{text}里带@的地址帮我找出来", {"kind": "emails"}),
        "列出{text}里的{kind}",
        "提取{kind}：{text}",
        "通讯录要用，把{kind}抠出来，原文是{text}",
        "看看{text}有没有{kind}，有的话给我",
        "群里有人发了{text}，{kind}有哪些",
    ),
    outcomes=(
        Outcome(
            fields=(("found", Word(("anna@example.com", "555-0142", "https://example.com/help", "12 May"))),),
            texts=("{found}",),
            answers=("I found {found}.", "There is one: {found}."),
            answers_zh=("找到了：{found}。", "里面有{found}。"),
        ),
    ),
    missing=(
        Missing(
            key="text",
            asks=("Pull the {kind} out of a text for me.", "i need all {kind} from my letter"),
            replies=("Please paste the text.", "From which text?"),
            asks_zh=("帮我提取{kind}", "把信里的{kind}找出来"),
            replies_zh=("请问原文是什么？", "请把原文发给我，好吗？"),
        ),
    ),
)

DOMAIN = Domain(
    "texts",
    (COUNT, CHANGE_CASE, COMPARE, REPLACE, SORT, EXTRACT),
    unserved=(
        ("Write a poem of eight lines about rain.", "写一首八行的关于雨的诗。"),
        ("Read this page out loud.", "把这一页念给我听。"),
        ("Check whether my essay was copied from somewhere.", "查查我的论文有没有抄袭。"),
        ("Make the headline bold and blue.", "把标题加粗并变成蓝色。"),
        ("Print two copies of the letter.", "把这封信打印两份。"),
        ("Turn the scanned page into text.", "把扫描页转成文字。"),
        ("Hide the second paragraph behind a password.", "给第二段加上密码。"),
        ("What font is used on this poster?", "这张海报用的是什么字体？"),
        ("Merge my three documents into one PDF.", "把三个文档合成一个PDF。"),
        ("Give my story a happier ending.", "给我的故事换个更开心的结局。"),
        ("Undo the last change.", "撤销上一步修改。"),
        ("Number the pages from five on.", "从第五页开始编页码。"),
    ),
)
