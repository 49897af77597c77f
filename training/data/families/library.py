"""Books, scientific papers and study cards: finding, borrowing, citing, learning."""

from training.data.family import Ask, Domain, Draw, Drawn, Family, Form, Missing, Outcome, Param
from training.data.kinds import STRING, Choice, Code, Flag, Integer, ListOf, Made, Word
from training.data.times import Day
from training.data.wordings import composed, pool, year
from training.data.world import Person

BOOK = composed(
    ("The {what} of {whose}", "{whose} and the {what}", "A {what} in {whose}", "The last {what}", "My {what} years"),
    ("{whose}的{what}", "{what}与{whose}", "最后的{what}", "在{whose}寻找{what}"),
    {
        "what": pool(
            """lighthouse | gardener | map | winter | orchard | silence | violin | border | kitchen | tide
            archive"""
        ),
        "whose": pool("Mira | the North | salt | Tomorrow | Elias Brandt | the Valley | glass | Old Harbour | August"),
    },
    {
        "what": pool("灯塔 | 园丁 | 地图 | 冬天 | 果园 | 提琴 | 边界 | 厨房 | 潮水"),
        "whose": pool("北方 | 阿木 | 盐湖 | 明天 | 山谷 | 老港 | 八月"),
    },
    quoted=0.85,
)
CARD = Code(("LIB-99999", "99999999", "AA999999", "99-9999-99"))
GENRE = Choice(
    {
        "crime": (("crime novels", "detective stories"), ("推理小说", "侦探小说")),
        "science_fiction": (("science fiction", "sci-fi"), ("科幻小说",)),
        "biography": (("biographies",), ("传记",)),
        "poetry": (("poetry", "poems"), ("诗集",)),
        "history": (("history books",), ("历史书",)),
        "children": (("children's books", "picture books"), ("童书", "绘本")),
    },
    ({"crime": "mystery", "science_fiction": "sci-fi", "children": "kids"},),
)
FIELDS = Word(
    pool(
        """protein folding | graph neural networks | soil erosion | sleep and memory | battery recycling
        urban heat | bird migration | language acquisition | dark matter | gut bacteria | microplastics
        tidal energy | vitamin D | reinforcement learning | medieval trade | bridge vibrations
        honeybee decline | ocean acidity | copper mining"""
    ),
    pool(
        """蛋白质折叠 | 图神经网络 | 水土流失 | 睡眠与记忆 | 电池回收 | 城市热岛 | 候鸟迁徙 | 语言习得 | 暗物质
        肠道菌群 | 微塑料 | 潮汐能 | 强化学习"""
    ),
)
STYLE = Choice(
    {
        "apa": (("APA", "APA style"), ("APA", "APA 格式")),
        "mla": (("MLA", "MLA style"), ("MLA", "MLA 格式")),
        "chicago": (("Chicago", "Chicago style"), ("芝加哥格式",)),
        "bibtex": (("BibTeX",), ("BibTeX",)),
    },
    ({"apa": "APA", "mla": "MLA", "chicago": "Chicago", "bibtex": "BibTeX"},),
)

_PAIRS = pool(
    """gato cat 猫 | Haus house 房子 | pomme apple 苹果 | libro book 书 | Wasser water 水 | nuage cloud 云
    sol sun 太阳 | Baum tree 树 | noche night 夜晚 | Brot bread 面包 | chien dog 狗 | lait milk 牛奶
    fiume river 河 | Schnee snow 雪"""
)


def _pair(draw: Draw) -> Drawn:
    front, english, chinese = draw.rng.choice(_PAIRS).split()
    back = chinese if draw.language == "zh" else english
    return Drawn(f"{front} = {back}", {"front": front, "back": back})


def _pair_form(front: str, back: str) -> Form:
    schema = {"type": "object", "properties": {front: STRING, back: STRING}, "required": [front, back]}
    return Form(schema, lambda drawn: {front: drawn.meaning["front"], back: drawn.meaning["back"]})


FLASH_CARD = Made(_pair, (_pair_form("front", "back"), _pair_form("question", "answer"), _pair_form("term", "meaning")))
DECK = Word(
    pool("Spanish basics | German A1 | Holiday words | Chapter 4 | Kitchen words | Exam prep"),
    pool("西语基础 | 德语入门 | 旅行词汇 | 第四章 | 厨房词汇 | 考前复习"),
)

BOOKS = Family(
    key="library.books",
    names=("find_books", "book_search", "search_catalogue", "library_catalog", "browse_books"),
    about=(
        "Find books by author, genre or year.",
        "Search the catalogue. Does not borrow or reserve.",
        "Book search with filters.",
    ),
    about_zh=("按作者、类型或年份查找图书。", "图书目录检索，不能借书。"),
    params=(
        Param("author", Person(1.0), ("author", "written_by", "writer"), ("Name of the author",), ("作者",), False),
        Param("genre", GENRE, ("genre", "category", "kind"), ("Kind of book",), ("类型",), False),
        Param(
            "since",
            year(1980, 2025),
            ("published_after", "from_year", "since"),
            ("Not older than this year",),
            ("最早出版年份",),
            False,
        ),
        Param("limit", Integer(1, 20), ("limit", "max_results"), ("How many to list",), ("数量",), False),
    ),
    asks=(
        "Do you have {genre}[ by {author}]?",
        "books by {author}[, at most {limit}]",
        "I'm in the mood for {genre}[, nothing older than {since}].",
        "what has {author} written[ since {since}]",
        "Show me[ {limit}] {genre} from {since} onwards.",
        "My aunt reads nothing but {genre}. Any[ by {author}]?",
        "find {genre} published from {since} on[, {limit} titles]",
        "I loved the last one by {author}, is there more[? only {genre} though]",
        "list {limit} books written by {author}",
        "looking for something to read on the beach: {genre}, please",
        "my reading list is empty. {author} maybe[, {limit} titles]?",
        "anything in the way of {genre} for a long train ride?",
    ),
    asks_zh=(
        "有没有{author}写的[{genre}]？",
        "找几本{genre}[，{since}年以后的]",
        "{author}都写过什么书[，列{limit}本]",
        "想看{genre}，推荐书目查一下[，{limit}本]",
        "我姑姑只看{genre}，[{author}的]有吗",
        "查{since}年以后出版的{genre}",
        "{author}还有别的书吗？上一本很好看",
        "给我列{limit}本{author}的作品",
        "长途火车上想看点{genre}[，{limit}本]",
        "书单空了，看看{author}的书吧",
    ),
    outcomes=(
        Outcome(
            fields=(("title", BOOK), ("shelf", Code(("A9.99", "AA-9")))),
            texts=("{title}, shelf {shelf}",),
            texts_zh=("{title}，书架{shelf}",),
            answers=("There is {title}, on shelf {shelf}.", "I found {title}; it stands at {shelf}."),
            answers_zh=("有{title}，在{shelf}书架。", "找到了{title}，位置是{shelf}。"),
        ),
    ),
    also=("information.search_web",),
)

RESERVE = Family(
    key="library.reserve",
    names=("reserve_book", "hold_book", "place_hold", "request_title"),
    about=(
        "Reserve a book.",
        "Puts a title aside for a reader, with the number of the library card.",
        "Place a hold; not for renewing loans.",
    ),
    about_zh=("预约一本书。", "凭借书证为读者预留图书。"),
    params=(
        Param("title", BOOK, ("title", "book", "book_title"), ("Title of the book",), ("书名",)),
        Param("card", CARD, ("card_number", "library_card", "reader_id"), ("Number of the card",), ("借书证号",)),
        Param("until", Day(2, 30), ("keep_until", "pickup_by"), ("Last day of pickup",), ("最晚取书日",), False),
    ),
    asks=(
        "Please put {title} aside for me, card {card}[, I'll come by {until}].",
        "reserve {title} with library card {card}[, pickup until {until}]",
        "I'd like {title} kept for me. My card number is {card}.",
        "hold {title} on {card}",
        "My card is {card} and I'd love to read {title} when it's back. Can you set it aside?",
        "could the library keep {title} for card {card}[ until {until}]?",
        "Everybody talks about {title}, so put me down for it, will you? Card: {card}",
        "place a hold: {title} / {card}",
        "{card} is my reader number, please reserve {title}[; I can fetch it until {until}]",
        "I read about {title} in the paper and want to be next in line. I'm {card}.",
    ),
    asks_zh=(
        "帮我预约{title}，借书证{card}[，最晚{until}去取]。",
        "用{card}这张证预留一本{title}",
        "{title}能给我留着吗？证号{card}",
        "我的借书证是{card}，想借{title}，先帮我占着[，最晚{until}来拿]",
        "预约图书：{title}，{card}",
        "大家都在聊{title}，给我也留一本吧，证号{card}",
        "证号{card}，请保留{title}[到{until}]",
        "等{title}还回来帮我留一下，{card}",
    ),
    outcomes=(
        Outcome(
            fields=(("queue", Integer(2, 9)),),
            texts=("reserved, place {queue} in the queue",),
            texts_zh=("已预约，排第{queue}位",),
            answers=(
                "{title} is reserved; you are number {queue} in the queue.",
                "Done. You are number {queue} in line.",
            ),
            answers_zh=("{title}已预约，您排在第{queue}位。", "约好了，前面排到第{queue}位。"),
        ),
    ),
    missing=(
        Missing(
            key="card",
            asks=("Reserve {title} for me.", "could you put {title} aside for me?"),
            replies=("What is the number of your library card?", "Which library card should I use?"),
            asks_zh=("帮我预约{title}。", "给我留一本{title}"),
            replies_zh=("请问您的借书证号是多少？", "借书证号是多少呢？"),
        ),
        Missing(
            key="title",
            asks=("Reserve a book for card {card}.", "I want to put a hold on a book, my card is {card}"),
            replies=("Which book would you like?", "What is the title of the book?"),
            asks_zh=("用{card}帮我预约一本书。", "我想预约图书，证号{card}"),
            replies_zh=("请问是哪本书？", "书名是什么？"),
        ),
    ),
    errors=("this card has expired", "title not in the catalogue"),
    also=("media.reserve_book",),
)

RENEW = Family(
    key="library.renew",
    names=("renew_loan", "extend_loan", "prolong_borrowing", "renew_books"),
    about=(
        "Renew books that are on loan.",
        "Extends the loan of everything on a library card.",
        "Longer loan, not a new reservation.",
    ),
    about_zh=("续借图书。", "延长借书证上所有图书的借期。"),
    params=(
        Param("card", CARD, ("card_number", "library_card", "reader_id"), ("Number of the card",), ("借书证号",)),
        Param("weeks", Integer(1, 6), ("weeks", "extra_weeks"), ("For how many weeks",), ("续借周数",), False),
    ),
    asks=(
        "Renew the books on card {card}[ for {weeks} weeks].",
        "I haven't finished reading yet, can I keep my books longer[, say {weeks} weeks]? Card {card}",
        "extend my loans, {card}",
        "my library stuff is due and I'm ill. card no. {card}[, {weeks} more weeks please]",
        "prolong everything borrowed with {card}",
        "Could you get me {weeks} more weeks on the books of card {card}?",
        "card {card}: renew",
        "I won't make it to the library in time; please extend card {card}.",
        "still on page ten... {card}, give me more time please[, {weeks} weeks]",
        "I'm abroad and my books on {card} are almost due",
    ),
    asks_zh=(
        "把{card}上的书续借一下[，{weeks}周]。",
        "书还没看完，能多借[{weeks}个星期]吗？证号{card}",
        "续借，{card}",
        "书快到期了可我去不了，证号{card}，帮我延一下",
        "借书证{card}的书再借{weeks}周",
        "{card}，帮我续期",
        "才看到第十页，{card}，再宽限[{weeks}周]吧",
        "人在国外，{card}上的书快到期了",
    ),
    outcomes=(
        Outcome(
            fields=(("books", Integer(2, 9)), ("due", Day(7, 40))),
            texts=("{books} books, now due {due}",),
            texts_zh=("{books}本，新到期日{due}",),
            answers=("Renewed {books} books; they are now due {due}.", "Done: {books} books, due {due}."),
            answers_zh=("已续借{books}本，{due}到期。", "续借好了，{books}本书，到期日{due}。"),
        ),
    ),
    missing=(
        Missing(
            key="card",
            asks=("Renew my library books, please.", "can I keep my books a bit longer?"),
            replies=("What is your card number?", "Which library card are they on?"),
            asks_zh=("帮我续借图书。", "我的书想多借几天"),
            replies_zh=("请问借书证号是多少？", "请告诉我借书证号。"),
        ),
    ),
)

PAPERS = Family(
    key="library.papers",
    names=("search_papers", "find_studies", "scholar_search", "literature_search", "find_publications"),
    about=(
        "Search scientific papers.",
        "Finds studies on a subject, by authors or years if wanted.",
        "Academic literature; no books, no news.",
    ),
    about_zh=("检索学术论文。", "按主题查找研究文献，可限定作者和年份。"),
    params=(
        Param(
            "subject",
            FIELDS,
            ("subject", "keywords", "about", "research_topic"),
            ("What the papers are about",),
            ("研究主题",),
        ),
        Param("authors", ListOf(Person(1.0), 1, 3), ("authors", "author_names"), ("Authors",), ("作者",), False),
        Param(
            "first", year(1990, 2014), ("year_from", "from_year", "start_year"), ("First year",), ("起始年份",), False
        ),
        Param("last", year(2015, 2026), ("year_to", "to_year", "end_year"), ("Last year",), ("截止年份",), False),
        Param(
            "free", Flag(), ("open_access", "free_only"), ("Only papers that anybody may read",), ("仅开放获取",), False
        ),
    ),
    asks=(
        "Find papers on {subject}[ by {authors}].",
        "studies about {subject} from {first} to {last}",
        "what research is there on {subject}[ between {first} and {last}]?",
        "I'm writing my thesis on {subject} and need literature[, especially by {authors}].",
        Ask("Are there any papers on {subject} that I can read for free?", {"free": True}),
        Ask("open access articles on {subject}[, from {first} to {last}]", {"free": True}),
        "has anybody published on {subject}[ since {first}]",
        "publications by {authors} about {subject}",
        "What does science know about {subject}? Give me studies.",
        "{subject} papers {first}-{last}",
        "my professor wants sources on {subject}[, nothing after {last}]",
        "literature search: {subject}[; authors {authors}]",
    ),
    asks_zh=(
        "找一些关于{subject}的论文[，作者{authors}]。",
        "{first}年到{last}年{subject}方面的研究",
        "{subject}有哪些文献[，{authors}写的]？",
        "毕业论文写{subject}，需要参考文献",
        Ask("有没有免费能看的{subject}论文？", {"free": True}),
        "{authors}发表过{subject}的文章吗",
        "检索{subject}，{first}到{last}年",
        "导师让我看{subject}的研究[，不要{last}年以后的]",
        Ask("只要开放获取的：{subject}[，{first}年以来]", {"free": True}),
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "title",
                    Word(pool("A field study | Ten years of data | A second look | Patterns in the noise | A review")),
                ),
                ("hits", Integer(3, 400)),
            ),
            texts=("{hits} hits; first: {title}",),
            texts_zh=("共{hits}篇；第一篇：{title}",),
            answers=("I found {hits} papers; the first is “{title}”.", "There are {hits}, for example “{title}”."),
            answers_zh=("找到{hits}篇，第一篇是《{title}》。", "共{hits}篇，比如《{title}》。"),
        ),
    ),
    missing=(
        Missing(
            key="subject",
            asks=(
                "I need some papers.",
                "Find me scientific literature from {first} to {last}.",
                "search for studies by {authors}",
            ),
            replies=("On which subject?", "What should the papers be about?"),
            asks_zh=("帮我找论文。", "检索{first}到{last}年的文献"),
            replies_zh=("请问是什么主题？", "论文的研究主题是什么？"),
        ),
    ),
    also=("information.search_web",),
)

CITE = Family(
    key="library.cite",
    names=("format_citation", "cite_paper", "make_reference", "citation_for_doi"),
    about=(
        "Make a citation of a paper from its DOI.",
        "Formats a reference in a citation style.",
        "Citation text; does not find or download papers.",
    ),
    about_zh=("根据 DOI 生成引用格式。", "按指定格式生成参考文献。"),
    params=(
        Param(
            "doi",
            Code(("10.9999/xxxxxx", "10.99999/AAA.9999.99", "10.9999/9999-9999")),
            ("doi", "identifier"),
            ("e.g. 10.1000/182",),
            ("论文 DOI",),
        ),
        Param("style", STYLE, ("style", "citation_style", "output"), ("Citation style",), ("引用格式",)),
    ),
    asks=(
        "Cite {doi} in {style}.",
        "I need the {style} reference for {doi}",
        "how do I put {doi} into my bibliography, {style}?",
        "{doi} as {style} please",
        "My journal insists on {style}. What would {doi} look like?",
        "give me a citation for the paper with DOI {doi}, in {style}",
        "reference list entry, {style}: {doi}",
        "turn {doi} into {style} for my thesis",
        "hi! {style} for {doi}, thanks",
        "bibliography help: {doi}, and they want {style}",
    ),
    asks_zh=(
        "{doi}用{style}怎么引用？",
        "给我{doi}的{style}引用",
        "参考文献要{style}，论文是{doi}",
        "把{doi}写成{style}",
        "期刊要求{style}，{doi}该怎么写进参考文献",
        "生成引用：{doi}，{style}",
        "帮我把 DOI 为 {doi} 的文章按{style}列出来",
        "写论文引到{doi}，学校要求{style}",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "citation",
                    composed(
                        ("{who} ({year}). {what}.",),
                        ("{who} ({year}). {what}.",),
                        {
                            "who": pool("Okafor, A. | Keller, M. | Ito, H. | Silva, R."),
                            "year": pool("2009 | 2014 | 2018 | 2023"),
                            "what": pool("A field study | Ten years of data | A second look"),
                        },
                    ),
                ),
            ),
            texts=("{citation}",),
            answers=("Here it is: {citation}", "{citation}"),
            answers_zh=("引用如下：{citation}", "{citation}"),
        ),
    ),
    missing=(
        Missing(
            key="style",
            asks=("Cite {doi}.", "I need a reference for {doi}"),
            replies=("In which citation style?", "Which style do you need: APA, MLA, Chicago or BibTeX?"),
            asks_zh=("帮我引用{doi}。", "生成{doi}的参考文献"),
            replies_zh=("请问用哪种引用格式？", "要什么格式的引用？"),
        ),
        Missing(
            key="doi",
            asks=("Make me a citation in {style}.", "I have to cite a paper in {style}."),
            replies=("What is the DOI of the paper?", "Which paper? Please give me its DOI."),
            asks_zh=("帮我做一个{style}的引用。", "有篇论文要按{style}引用"),
            replies_zh=("请问论文的 DOI 是多少？", "是哪篇论文？请给我 DOI。"),
        ),
    ),
)

FLASH = Family(
    key="library.flash_cards",
    names=("add_flash_cards", "create_flashcards", "new_cards", "fill_deck"),
    about=("Add flash cards to a deck.", "Puts pairs of front and back into a deck for learning."),
    about_zh=("往卡组里添加单词卡。", "添加正反面配对的记忆卡片。"),
    params=(
        Param("deck", DECK, ("deck", "deck_name", "set"), ("Name of the deck",), ("卡组名称",)),
        Param("cards", ListOf(FLASH_CARD, 1, 4), ("cards", "pairs", "entries"), ("The cards",), ("卡片",)),
    ),
    asks=(
        "Add these cards to {deck}: {cards}.",
        "put {cards} into my deck {deck}",
        "new flash cards for {deck}, {cards}",
        "I want to memorise {cards}, so add them to {deck}.",
        "deck {deck}: {cards}",
        "please make cards out of {cards} in {deck}",
        "today's words were {cards}. they belong into {deck}",
        "help me study: {cards} go on cards in {deck}",
        "I always forget {cards}, stick that into {deck}",
        "vocabulary for {deck}: {cards}",
    ),
    asks_zh=(
        "把{cards}加到卡组{deck}。",
        "{deck}里新增卡片：{cards}",
        "今天学了{cards}，做成单词卡放进{deck}",
        "我要背{cards}，加进{deck}",
        "给{deck}添加{cards}",
        "卡组{deck}：{cards}",
        "老是记不住{cards}，放进{deck}吧",
        "{deck}加新词：{cards}",
    ),
    outcomes=(
        Outcome(
            fields=(("total", Integer(13, 200)),),
            texts=("added; {total} cards in the deck",),
            texts_zh=("已添加，共{total}张",),
            answers=("Added. {deck} has {total} cards now.", "Done: {total} cards in {deck}."),
            answers_zh=("已添加，{deck}现在有{total}张卡。", "好了，共{total}张。"),
        ),
    ),
    missing=(
        Missing(
            key="deck",
            asks=("Make flash cards: {cards}.", "add cards for {cards}"),
            replies=("Into which deck?", "Which deck should I put them in?"),
            asks_zh=("做单词卡：{cards}。", "把{cards}做成卡片"),
            replies_zh=("请问放到哪个卡组？", "加到哪个卡组？"),
        ),
    ),
)

DOMAIN = Domain(
    "library",
    (BOOKS, RESERVE, RENEW, PAPERS, CITE, FLASH),
    unserved=(
        ("Pay the fine on my library account.", "帮我交图书馆的罚款。"),
        ("I lost the book that I borrowed, replace it.", "我把借的书弄丢了，替我赔一本。"),
        ("Proofread chapter two of my thesis.", "帮我校对论文第二章。"),
        ("Bind my thesis in leather.", "把我的论文做成皮面精装。"),
        ("Tell the author how much I liked the end.", "转告作者我很喜欢结局。"),
        ("Join the reading club in my street.", "帮我报名街道读书会。"),
        ("Write a review of the novel that I finished.", "给我刚看完的小说写篇书评。"),
        ("Sell my old textbooks.", "把我的旧课本卖掉。"),
        ("Submit my paper to a journal.", "把我的论文投给期刊。"),
        ("Send my e-books to my reader.", "把电子书传到我的阅读器上。"),
        ("How many pages did I read this week?", "我这周读了多少页？"),
        ("Print twenty copies of my essay.", "把我的文章打印二十份。"),
    ),
)
