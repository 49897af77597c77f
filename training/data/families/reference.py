"""Looking things up: words, translations, facts about countries, holidays."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Amount, Choice, Integer, ListOf, Word
from training.data.times import Day
from training.data.wordings import composed, pool, year
from training.data.world import Country, Person, Tongue

TERM = Word(
    pool(
        """serendipity | obfuscate | ephemeral | gregarious | candid | mitigate | quaint | frugal | zeal | wander
        brisk | tedious | resilient | ambiguous | meander | stoic | lucid | plight | hasty | jovial | vivid | dwindle
        petrichor | sonder | ubiquitous | cumbersome | happy | tired | angry | beautiful | clever | important"""
    ),
    pool(
        """踌躇 | 斟酌 | 邂逅 | 斑斓 | 缱绻 | 画蛇添足 | 塞翁失马 | 朝三暮四 | 孜孜不倦 | 踟蹰 | 蹉跎 | 慷慨 | 谨慎
        敷衍 | 憧憬 | 高兴 | 美丽 | 勤奋 | 安静 | 聪明 | 豁达 | 囫囵吞枣 | 守株待兔 | 犹豫 | 从容 | 惬意 | 落寞"""
    ),
    quoted=0.4,
)
PHRASE = composed(
    (
        "Where is the {place}?",
        "How much is the {thing}?",
        "I have lost my {thing}.",
        "Could we have the {thing}?",
        "See you at the {place} {when}.",
        "Is the {place} open {when}?",
        "thank you for the {thing}",
        "the {place} is closed",
        "I'd like to buy a {thing}",
        "My {thing} does not work any more.",
        "good luck {when}",
    ),
    (
        "{place}在哪里？",
        "这个{thing}多少钱？",
        "我的{thing}丢了",
        "{when}{place}开门吗？",
        "{when}在{place}见",
        "谢谢你的{thing}",
        "祝你{when}好运",
    ),
    {
        "place": pool("station | pharmacy | old bridge | library | harbour | nearest bank | museum | town hall"),
        "thing": pool("ticket | umbrella | room key | suitcase | phone | menu | blue jacket | bill | passport | map"),
        "when": pool("tomorrow | tonight | on Sunday | in the morning | next week"),
    },
    {
        "place": pool("火车站 | 药店 | 图书馆 | 码头 | 银行 | 博物馆 | 市政厅 | 洗手间"),
        "thing": pool("车票 | 雨伞 | 房卡 | 行李箱 | 手机 | 菜单 | 外套 | 护照 | 地图"),
        "when": pool("明天 | 今晚 | 星期天 | 早上 | 下周"),
    },
    quoted=1.0,
)
RELATION = Choice(
    {
        "synonym": (("synonyms", "similar words"), ("近义词", "同义词")),
        "antonym": (("antonyms", "opposites"), ("反义词",)),
    },
    ({"synonym": "synonyms", "antonym": "antonyms"}, {"synonym": "similar", "antonym": "opposite"}),
)
FACT = Choice(
    {
        "population": (("population", "the population"), ("人口", "人口数量")),
        "area": (("area", "land area", "the surface area"), ("面积", "国土面积")),
        "gdp": (("GDP", "gross domestic product"), ("国内生产总值", "GDP")),
        "visitors": (("yearly visitors", "number of tourists"), ("每年游客数", "年游客量")),
        "exports": (("exports", "yearly exports"), ("出口额", "年出口额")),
    },
    (
        {"population": "POP", "area": "AREA", "gdp": "GDP", "visitors": "TOURISM", "exports": "EXPORTS"},
        {"gdp": "gross_domestic_product", "visitors": "tourist_arrivals"},
    ),
)
PLAIN_WORDS = Word(
    pool(
        """bright | swift | calm | gentle | keen | plain | dull | vast | eager | sharp | mild | steady | faint
        bold | neat"""
    ),
    pool("从容 | 平静 | 温和 | 迅速 | 广阔 | 敏锐 | 模糊 | 坚定 | 沉稳 | 轻快 | 单调 | 热切"),
)

DEFINE = Family(
    key="reference.define",
    names=("define_word", "dictionary_lookup", "word_meaning", "lookup_definition", "get_dictionary_entry"),
    about=(
        "Look up what a word means.",
        "Dictionary: gives the definition of one word.",
        "Returns the meaning of a word. Not for translating whole sentences.",
        "Definition lookup",
    ),
    about_zh=("查询词语的意思。", "词典：返回一个词的释义。", "查词典，不用于整句翻译。"),
    params=(
        Param(
            "word", TERM, ("word", "term", "entry", "headword"), ("The word to look up", "e.g. candid"), ("要查的词",)
        ),
        Param("language", Tongue(), ("language", "lang"), ("Language of the definition",), ("释义所用语言",), False),
    ),
    asks=(
        "What does {word} mean?",
        "define {word}[ in {language}]",
        "Meaning of {word}, please.",
        "I keep coming across {word} in this novel and have no idea what it is supposed to mean.",
        "could you explain the word {word}[, in {language} if possible]?",
        "My boss wrote {word} in an e-mail. What's that?",
        "dictionary entry for {word}",
        "hey, quick one: {word}, what is that in plain words",
        "Look {word} up for me[ and give me the definition in {language}].",
        "how would a dictionary describe {word}",
        "My daughter asked me what {word} means and I had to pass. Help?",
        "{word} definition[ in {language}]",
    ),
    asks_zh=(
        "{word}是什么意思？",
        "帮我查一下{word}这个词[，用{language}解释]",
        "{word}怎么解释",
        "书里看到{word}，没看懂，是啥意思？",
        "词典里{word}的释义是什么",
        "孩子问我{word}是什么意思，我答不上来，帮我查查",
        "请解释{word}的含义[，用{language}]",
        "查词：{word}",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "definition",
                    Word(
                        pool(
                            """lasting only a short time | fond of company | hard to understand
                            able to recover quickly | pleasantly old-fashioned | to walk without hurry
                            great energy and eagerness | honest and direct | to make less severe
                            found everywhere at once | careful with money | long and boring"""
                        ),
                        pool(
                            """犹豫不决 | 偶然遇见 | 反复考虑 | 多此一举 | 色彩丰富 | 时间白白过去
                            工作努力不知疲倦 | 大方，不吝啬"""
                        ),
                    ),
                ),
            ),
            texts=("{definition}", "Definition: {definition}."),
            texts_zh=("释义：{definition}",),
            answers=("It means: {definition}.", "{word} means “{definition}”.", "The dictionary says: {definition}."),
            answers_zh=("{word}的意思是：{definition}。", "词典的解释是：{definition}。", "意思是{definition}。"),
        ),
    ),
    missing=(
        Missing(
            key="word",
            asks=("Can you look a word up for me?", "What does this word mean?", "I need a definition."),
            replies=("Which word should I look up?", "What is the word?"),
            asks_zh=("帮我查个词。", "这个词是什么意思？", "我想查一下词典"),
            replies_zh=("请问要查哪个词？", "是哪个词呢？"),
        ),
    ),
    errors=("no entry for this word", "dictionary not available"),
)

RELATED = Family(
    key="reference.related_words",
    names=("find_related_words", "thesaurus", "word_alternatives", "thesaurus_lookup", "list_similar_words"),
    about=(
        "Find synonyms or antonyms of a word.",
        "Thesaurus.",
        "Lists other words with the same or the opposite meaning. It does not explain words.",
    ),
    about_zh=("查找近义词或反义词。", "同义词词典，不提供释义。"),
    params=(
        Param("word", TERM, ("word", "term", "query_word"), ("Word to start from",), ("原词",)),
        Param("relation", RELATION, ("relation", "kind", "type"), ("What to list",), ("词语关系",)),
        Param("count", Integer(2, 20), ("max_results", "count", "limit"), ("How many words",), ("返回个数",), False),
    ),
    asks=(
        "Give me {relation} of {word}.",
        "{relation} for {word}[, about {count} of them]",
        "I need {relation} for {word}[, {count} would do].",
        Ask("What's another word for {word}?", {"relation": "synonym"}),
        Ask(
            "I've used {word} three times in this paragraph already, what else could I write?", {"relation": "synonym"}
        ),
        Ask("what's the opposite of {word}", {"relation": "antonym"}),
        Ask("Which word says the contrary of {word}?", {"relation": "antonym"}),
        Ask("how else can i say {word}[? {count} suggestions please]", {"relation": "synonym"}),
        Ask("Help me avoid repeating {word}[; list {count} alternatives].", {"relation": "synonym"}),
        "For my crossword: {relation} of {word}, please.",
        "could you list[ {count}] {relation} of {word}",
        "list {relation}: {word}",
    ),
    asks_zh=(
        "{word}的{relation}有哪些？",
        "给我[{count}个]{word}的{relation}",
        "列出{word}的{relation}[，{count}个就行]",
        Ask("还有什么词跟{word}意思差不多？", {"relation": "synonym"}),
        Ask("作文里{word}用太多次了，换个说法", {"relation": "synonym"}),
        Ask("{word}反过来怎么说？", {"relation": "antonym"}),
        Ask("跟{word}意思相反的词是什么", {"relation": "antonym"}),
        Ask("能代替{word}的词[，给我{count}个]", {"relation": "synonym"}),
        "语文作业要写{word}的{relation}，帮我查查",
    ),
    outcomes=(
        Outcome(
            fields=(("words", ListOf(PLAIN_WORDS, 2, 4)),),
            texts=("{words}", "Found: {words}"),
            texts_zh=("找到：{words}",),
            answers=("You could use {words}.", "For {word} I found {words}.", "Here you go: {words}."),
            answers_zh=("可以用{words}。", "查到这些：{words}。", "有{words}。"),
        ),
    ),
    missing=(
        Missing(
            key="word",
            asks=("I need some {relation}.", "Can you find {relation} for a word?"),
            replies=("For which word?", "Which word do you want {relation} for?"),
            asks_zh=("帮我找几个{relation}。", "我想查{relation}"),
            replies_zh=("请问是哪个词的{relation}？", "要查哪个词呢？"),
        ),
    ),
)

TRANSLATE = Family(
    key="reference.translate",
    names=("render_in_language", "translate_phrase", "phrase_translator", "say_in", "translate_sentence"),
    about=(
        "Translate a phrase into another language.",
        "Puts a text into the language you name.",
        "Translation of short texts. Not a dictionary: it gives no definitions.",
    ),
    about_zh=("把一句话翻译成另一种语言。", "短文本翻译。"),
    params=(
        Param("text", PHRASE, ("phrase", "source_text", "sentence"), ("What to translate",), ("要翻译的内容",)),
        Param("target", Tongue(), ("into", "to_language", "target"), ("Language wanted",), ("目标语言",)),
        Param(
            "formal",
            Choice(
                {
                    "formal": (("formal", "polite"), ("正式", "礼貌")),
                    "casual": (("casual", "informal"), ("随意", "口语化")),
                }
            ),
            ("tone", "register"),
            ("How it should sound",),
            ("语气",),
            False,
        ),
    ),
    asks=(
        "How do you say {text} in {target}?",
        "translate {text} into {target}[, {formal} tone]",
        "what's {text} in {target}",
        "I'm at a market abroad and need to say {text} in {target}.",
        "Put this into {target} please: {text}[ Keep it {formal}.]",
        "My neighbour only speaks {target}. How would I tell her {text}[ in a {formal} way]?",
        "{text} - in {target}, please",
        "give me the {target} for {text}",
        "Turn {text} into[ {formal}] {target}.",
        "can you write {text} in {target} for me? thanks!",
        "I want to write {text} on a card, but in {target}[, and {formal}].",
    ),
    asks_zh=(
        "{text}用{target}怎么说？",
        "把{text}翻译成{target}[，语气{formal}一点]",
        "帮我翻一下：{text}，要{target}",
        "我想用{target}说{text}",
        "{target}里{text}怎么讲",
        "我邻居只会{target}，{text}该怎么跟她说？",
        "请译成{target}：{text}",
        "{text}这句话的{target}[，{formal}一些]",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "translation",
                    Word(
                        pool(
                            """Wo ist der Bahnhof? | ¿Cuánto cuesta? | Où est la gare ? | Dov'è la stazione?
                            Até amanhã. | Vielen Dank! | Mucha suerte mañana | C'est fermé | Ho perso la chiave
                            Waar is de brug?"""
                        )
                    ),
                ),
            ),
            texts=("{translation}",),
            answers=("Here is the translation: {translation}", "{translation}", "You can say: {translation}"),
            answers_zh=("译文是：{translation}", "可以这样说：{translation}", "{translation}"),
        ),
    ),
    missing=(
        Missing(
            key="target",
            asks=("Translate {text}", "please translate {text} for me", "I need a translation of {text}"),
            replies=("Into which language?", "Which language should it be translated into?"),
            asks_zh=("翻译一下{text}", "帮我把{text}翻译出来"),
            replies_zh=("请问要翻译成哪种语言？", "翻译成什么语言呢？"),
        ),
        Missing(
            key="text",
            asks=("Can you translate something into {target}?", "I need a sentence in {target}."),
            replies=("What should I translate into {target}?", "Which sentence should I translate?"),
            asks_zh=("帮我翻译一句{target}。", "我想把一句话翻成{target}"),
            replies_zh=("请问要翻译哪句话？", "要翻译的内容是什么？"),
        ),
    ),
)

COUNTRY_FACTS = Family(
    key="reference.country_facts",
    names=("country_figures", "get_country_figure", "country_statistics", "nation_data", "lookup_country_number"),
    about=(
        "A figure about a country.",
        "Gives the population, area, GDP, visitors or exports of a country.",
        "National statistics by country. One figure at a time; knows nothing about cities.",
    ),
    about_zh=("查询国家的统计数字。", "返回某国的人口、面积、GDP、游客数或出口额。"),
    params=(
        Param("country", Country(), ("country", "nation", "country_name"), ("Which country",), ("国家",)),
        Param("fact", FACT, ("figure", "indicator", "measure", "statistic"), ("What to return",), ("要查的指标",)),
        Param("year", year(1995, 2025), ("year", "in_year"), ("Year of the figure",), ("年份",), False),
    ),
    asks=(
        "Tell me: {fact} of {country}.",
        "{country} {fact}?",
        "For a school project I need {fact} of {country}.",
        Ask("How many people live in {country}?", {"fact": "population"}),
        Ask("how big is {country}", {"fact": "area"}),
        Ask("How many square kilometres does {country} cover?", {"fact": "area"}),
        Ask("do a lot of tourists go to {country}? how many a year", {"fact": "visitors"}),
        Ask("How large is the economy of {country}, as GDP?", {"fact": "gdp"}),
        Ask("We're having a pub quiz: how many inhabitants does {country} have?", {"fact": "population"}),
        Ask("how much does {country} sell abroad in a year", {"fact": "exports"}),
        "could you look up {fact} for {country}",
        "I'm writing about {country} and still miss one figure: {fact}.",
        "{fact} of {country} please",
    ),
    asks_zh=(
        "查一下{country}的{fact}。",
        "{country}的{fact}是多少？",
        "作业要写{country}的{fact}，帮我找一下",
        Ask("{country}有多少人？", {"fact": "population"}),
        Ask("{country}有多大", {"fact": "area"}),
        Ask("一年有多少游客去{country}？", {"fact": "visitors"}),
        Ask("{country}的经济规模，按GDP算是多少", {"fact": "gdp"}),
        Ask("{country}一年往国外卖多少东西？", {"fact": "exports"}),
        "我想了解{country}的{fact}",
    ),
    outcomes=(
        Outcome(
            fields=(("value", Amount(100_000, 90_000_000)),),
            texts=("{value}", "value: {value}"),
            texts_zh=("数值：{value}",),
            answers=("For {country} the figure is {value}.", "{country} stands at {value}.", "That is {value}."),
            answers_zh=("{country}的数字是{value}。", "查到的结果是{value}。", "是{value}。"),
        ),
    ),
    missing=(
        Missing(
            key="country",
            asks=("Look up {fact} of a country for me.", "I need {fact} for my geography homework."),
            replies=("Which country do you mean?", "For which country?"),
            asks_zh=("帮我查一个国家的{fact}。", "地理作业要写{fact}"),
            replies_zh=("请问是哪个国家？", "要查哪个国家的？"),
        ),
    ),
)

HOLIDAYS = Family(
    key="reference.holidays",
    names=("public_holidays", "list_holidays", "bank_holidays", "holiday_calendar", "national_days_off"),
    about=(
        "Public holidays of a country in a year.",
        "List the official days off. Not for booking leave.",
        "Returns bank holidays by country and year.",
    ),
    about_zh=("查询某国某年的法定节假日。", "列出公众假期，不用于请假。"),
    params=(
        Param("country", Country(), ("country", "country_name", "nation"), ("Country",), ("国家",)),
        Param("year", year(2019, 2032), ("year",), ("e.g. 2031",), ("年份",)),
        Param("month", Integer(1, 12), ("month",), ("Only this month, 1 to 12",), ("只看某月，1–12",), False),
    ),
    asks=(
        "Which public holidays does {country} have in {year}?",
        "bank holidays {country} {year}",
        "When are shops closed for holidays in {country} in {year}?",
        "I'm going to {country} in {year} and don't want to stand before closed doors. What are the days off?",
        "list the national holidays of {country} for {year}",
        "Our office in {country} wants its {year} calendar, so which days are off officially?",
        "official days off in {country}, year {year}",
        "For {year}: what holidays are there in {country}?",
        "do people in {country} get many days off in {year}? list them please",
        "Give me the {year} holiday calendar for {country}.",
    ),
    asks_zh=(
        "{country}{year}年有哪些法定假日？",
        "查一下{year}年{country}的公众假期",
        "{year}年打算去{country}，想避开节假日，哪几天放假？",
        "{country}{year}年放假安排",
        "我们在{country}有办公室，{year}年哪些天是官方休息日？",
        "列出{country}在{year}年的节日",
        "{year}年{country}都放哪些假",
        "帮我看看{country}{year}年的假期日历",
    ),
    outcomes=(
        Outcome(
            fields=(("holidays", Integer(6, 18)), ("next", Day(3, 120))),
            texts=("{holidays} holidays, the next one: {next}",),
            texts_zh=("共{holidays}个假日，最近的是{next}",),
            answers=("{country} has {holidays} public holidays in {year}.", "There are {holidays} of them in {year}."),
            answers_zh=("{country}{year}年共有{holidays}个法定假日。", "一共{holidays}个。"),
        ),
    ),
    missing=(
        Missing(
            key="country",
            asks=("Which public holidays are there in {year}?", "list the days off for {year}"),
            replies=("In which country?", "Which country's holidays do you want?"),
            asks_zh=("{year}年有哪些法定假日？", "查一下{year}年的放假安排"),
            replies_zh=("请问是哪个国家？", "要查哪个国家的假期？"),
        ),
        Missing(
            key="year",
            asks=("What are the public holidays in {country}?", "bank holidays in {country} please"),
            replies=("For which year?", "Which year do you mean?"),
            asks_zh=("{country}有哪些公众假期？", "查一下{country}的节假日"),
            replies_zh=("请问是哪一年？", "要查哪一年的？"),
        ),
    ),
)

NATIVE_SPEAKER = Family(
    key="reference.find_interpreter",
    names=("find_interpreter", "search_interpreters", "book_translator_search", "list_interpreters"),
    about=(
        "Find a human interpreter for a language.",
        "Search for people who interpret at meetings. Does not translate texts itself.",
    ),
    about_zh=("查找某种语言的口译员。", "寻找真人翻译，不直接翻译文本。"),
    params=(
        Param("language", Tongue(), ("language", "lang", "spoken_language"), ("Language to interpret",), ("语种",)),
        Param("day", Day(0, 40), ("date", "day", "on_date"), ("Day of the job",), ("日期",), False),
    ),
    asks=(
        "I need somebody who interprets {language}[ on {day}].",
        "find a {language} interpreter[ for {day}]",
        "We have guests who only speak {language}[, they come {day}]. Who could sit in and translate?",
        "is there a person who can interpret {language} for us[ {day}]",
        "My grandmother only speaks {language} and has to see a doctor[ on {day}], so I need a human translator there.",
        "looking for {language} interpreters",
        "Who do we have for {language}? I mean real interpreters.",
        "Get me an interpreter for {language}[, {day}].",
    ),
    asks_zh=(
        "找一位{language}口译[，{day}要用]",
        "[{day}]有没有会{language}的翻译人员？",
        "客人只会说{language}，[{day}]需要一个现场翻译",
        "帮我请个{language}口译员[，时间是{day}]",
        "奶奶只讲{language}，[{day}]看病要有人陪同翻译",
        "哪位翻译能做{language}口译？",
    ),
    outcomes=(
        Outcome(
            fields=(("name", Person(1.0)), ("rate", Integer(30, 160, 5))),
            texts=("{name}, {rate} per hour",),
            texts_zh=("{name}，每小时{rate}",),
            answers=("{name} interprets {language} for {rate} an hour.", "You could ask {name}, at {rate} an hour."),
            answers_zh=("{name}可以做{language}口译，每小时{rate}。", "可以找{name}，每小时{rate}。"),
        ),
    ),
    missing=(
        Missing(
            key="language",
            asks=("I need an interpreter.", "Find me somebody who can interpret at a meeting."),
            replies=("For which language?", "Which language should the interpreter speak?"),
            asks_zh=("帮我找个口译员。", "开会需要一个现场翻译"),
            replies_zh=("请问是哪种语言？", "需要哪个语种的翻译？"),
        ),
    ),
)

DOMAIN = Domain(
    "reference",
    (DEFINE, RELATED, TRANSLATE, COUNTRY_FACTS, HOLIDAYS, NATIVE_SPEAKER),
    unserved=(
        ("Check the spelling of my cover letter.", "帮我检查求职信里的错别字。"),
        ("How is this word pronounced? Play it to me.", "这个词怎么读？放给我听。"),
        ("Enrol me in a Spanish evening class.", "帮我报个西班牙语夜校班。"),
        ("Who was the first king of this country?", "这个国家的第一位国王是谁？"),
        ("Apply for a visa for me.", "帮我申请签证。"),
        ("Write a poem that rhymes with orange.", "写一首押韵的小诗。"),
        ("Count the words in my essay.", "数一下我这篇文章有多少字。"),
        ("Add this word to my vocabulary list.", "把这个词加到我的生词本。"),
        ("Which country won the most medals last year?", "去年哪个国家拿的奖牌最多？"),
        ("Show me the flag of that country.", "把那个国家的国旗给我看看。"),
        ("Find me a pen friend abroad.", "帮我找个外国笔友。"),
        ("Scan this page and read out the text.", "扫描这一页，把文字读出来。"),
        ("Which accent do I have?", "我说话带哪里的口音？"),
    ),
)
