"""Finding out: the web, encyclopedias, news, sports."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Flag, Integer, Word
from training.data.times import Day
from training.data.wordings import composed, pool, year
from training.data.world import Country

QUERY = composed(
    (
        "{thing}",
        "best {thing} for beginners",
        "how to repair a {thing}",
        "{thing} reviews",
        "{thing} {place}",
        "cheap {thing}",
    ),
    ("{thing}", "{thing}推荐", "怎么修{thing}", "{thing}评测", "{place}{thing}", "便宜的{thing}"),
    {
        "thing": pool(
            """sourdough starter | mountain bike | espresso machine | mechanical keyboard | rain jacket | solar panel
            sewing machine | folding kayak | rice cooker | acoustic guitar | standing desk | tile saw | camping stove"""
        ),
        "place": pool("near the harbour | for small flats | made in Europe | under 100 | second hand"),
    },
    {
        "thing": pool(
            """山地自行车 | 咖啡机 | 机械键盘 | 冲锋衣 | 电饭煲 | 缝纫机 | 太阳能板 | 升降桌 | 露营炉 | 吉他
            空气炸锅"""
        ),
        "place": pool("二手 | 国产 | 小户型 | 入门级"),
    },
    quoted=0.25,
)
TOPIC = Word(
    pool(
        """the Silk Road | black holes | Ada Lovelace | photosynthesis | the Roman Republic | octopuses | Bauhaus
        jazz | the French Revolution | plate tectonics | Marie Curie | tea ceremonies | the Great Barrier Reef
        cubism | sloths | the printing press | Alan Turing | glaciers | the Ottoman Empire | penicillin
        volcanoes | the Moon landing | Frida Kahlo | coral reefs | the Magna Carta | honey bees
        quantum computing | the Suez Canal | origami"""
    ),
    pool(
        """丝绸之路 | 黑洞 | 居里夫人 | 光合作用 | 罗马共和国 | 章鱼 | 包豪斯 | 爵士乐 | 法国大革命 | 板块构造
        茶道 | 大堡礁 | 活字印刷 | 图灵 | 冰川 | 青霉素 | 火山 | 登月 | 珊瑚礁 | 蜜蜂 | 量子计算 | 苏伊士运河
        敦煌莫高窟 | 都江堰 | 李清照"""
    ),
)
SUBJECT = Word(
    pool(
        """climate | electric cars | interest rates | space travel | artificial intelligence | the housing market
        football | wildfires | the film industry | vaccines | chip makers | railways | farming | energy prices
        schools | elections"""
    ),
    pool(
        """气候 | 电动车 | 利率 | 航天 | 人工智能 | 楼市 | 足球 | 山火 | 电影业 | 疫苗 | 芯片 | 铁路 | 农业
        能源价格 | 教育"""
    ),
)
CLUB = Word(
    pool(
        """Ajax | Benfica | Lakers | Celtic | Boca Juniors | Galatasaray | Yankees | Juventus | Sevilla | Lyon
        Maple Leafs | Flamengo | Chiefs | Porto | Arsenal | Warriors | River Plate | Napoli | Red Sox"""
    ),
    pool(
        """国安 | 申花 | 皇马 | 巴萨 | 湖人 | 勇士 | 曼联 | 阿森纳 | 拜仁 | 尤文图斯 | 国际米兰 | 泰山队 | 广东宏远
        辽宁男篮 | 利物浦"""
    ),
)
OPPONENT = Word(
    pool("Rangers | United | Real | Olympia | Racing | Dynamo | Athletic | Union | Wanderers"),
    pool("河南队 | 海港 | 大连队 | 长春队 | 深圳队 | 浙江队"),
)
LEAGUE = Word(
    pool("Premier League | Bundesliga | Serie A | La Liga | NBA | NHL | Eredivisie | MLS | Ligue 1 | J League"),
    pool("英超 | 德甲 | 意甲 | 西甲 | NBA | 中超 | CBA | 法甲 | 日职联 | 荷甲"),
)
TITLE = Word(
    pool(
        """A field study | Ten years of data | The missing link | What we know so far | A second look | Slow change
        Patterns in the noise | A short history | Under the surface | The long winter | Letters home"""
    ),
    pool("田野调查 | 十年数据分析 | 缺失的一环 | 再次审视 | 缓慢的变化 | 噪声中的规律 | 简史 | 漫长的冬天 | 家书"),
)
HEADLINE = Word(
    pool(
        """New bridge opens after two years | Prices fall for a third month | Storm closes the northern ports
        Voters to decide in spring | Record harvest in the south | Strike ends after long talks
        Museum finds lost letters | Satellite sends its first pictures | Cities plan more trees"""
    ),
    pool(
        """新桥两年后通车 | 价格连续三个月下跌 | 风暴致北部港口关闭 | 南方迎来丰收 | 罢工结束 | 卫星传回首批照片
        多个城市计划种更多树"""
    ),
)

SEARCH = Family(
    key="information.search_web",
    names=("search_the_web", "internet_lookup", "find_online", "query_search_engine", "look_online"),
    about=(
        "Search the web.",
        "Looks something up on the internet and returns pages.",
        "General web search for pages. Not for news.",
    ),
    about_zh=("在网上搜索。", "互联网搜索，返回相关网页。"),
    params=(
        Param("query", QUERY, ("search_terms", "q", "phrase", "keywords"), ("What to search for",), ("搜索词",)),
        Param("count", Integer(2, 30), ("max_results", "limit", "num"), ("Number of pages",), ("结果数量",), False),
    ),
    asks=(
        "Search the web for {query}.",
        "google {query} for me",
        "find pages about {query}[, {count} results are enough]",
        "What does the internet say about {query}?",
        "look up {query} online[ and show me the first {count} hits]",
        "I've got a free evening and want to read up: please search for {query}.",
        "do a quick search: {query}",
        "can you see what comes up online for {query}[? top {count} only]",
        "I need some websites on {query}, could you look?",
        "run a search with the words {query}[, limit {count}]",
        "show me[ {count}] web results for {query}",
    ),
    asks_zh=(
        "上网搜一下{query}。",
        "百度一下{query}[，给我前{count}条]",
        "网上查查{query}",
        "帮我搜{query}[，要{count}个结果]",
        "我想看看网上关于{query}的网页",
        "搜索：{query}",
        "用搜索引擎找一下{query}，谢谢",
        "网上有没有{query}的资料？搜一下",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("title", TITLE),
                ("url", Word(pool("https://example.org/a1 | https://example.com/guide | https://example.net/x7"))),
            ),
            texts=("1. {title} ({url})",),
            texts_zh=("1. {title}（{url}）",),
            answers=(
                "I found “{title}”: {url}",
                "The first page is “{title}” at {url}.",
                "Have a look at {url}: “{title}”.",
            ),
            answers_zh=(
                "找到《{title}》：{url}",
                "第一条是《{title}》，网址是 {url}",
                "可以看看 {url}，标题是《{title}》。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="query",
            asks=("Search the web for me.", "Can you look something up online?", "google something for me"),
            replies=("What should I search for?", "What would you like me to look up?"),
            asks_zh=("帮我上网搜点东西。", "网上查一下"),
            replies_zh=("请问要搜什么？", "想查什么内容呢？"),
        ),
    ),
    also=(
        *("information.encyclopedia", "information.news", "information.match_result", "information.fixtures"),
        *("information.league_table", "library.papers", "library.books", "reference.country_facts"),
        *("reference.holidays", "reference.define"),
    ),
)

ENCYCLOPEDIA = Family(
    key="information.encyclopedia",
    names=("encyclopedia_article", "read_encyclopedia", "wiki_summary", "get_article", "topic_overview"),
    about=(
        "Encyclopedia article on a topic.",
        "Gives the opening of an encyclopedia entry.",
        "Facts about a subject, person or event.",
    ),
    about_zh=("查询百科条目。", "返回某个主题的百科简介。"),
    params=(
        Param("topic", TOPIC, ("topic", "article", "subject", "entry"), ("Title of the article",), ("条目名称",)),
        Param("sentences", Integer(2, 12), ("sentences", "length"), ("Number of sentences",), ("句数",), False),
    ),
    asks=(
        "Tell me about {topic}[ in {sentences} sentences].",
        "what does the encyclopedia say on {topic}",
        "give me a short overview of {topic}[, {sentences} sentences]",
        "I have to give a talk on {topic} and know nothing. Where do I start?",
        "{topic}: what should one know?",
        "encyclopedia entry: {topic}",
        "My son is crazy about {topic}; could you get me the basics?",
        "I'd love to learn something about {topic}[. {sentences} sentences will do].",
        "summary of the article on {topic} please",
        "open the encyclopedia at {topic}",
        "background on {topic}[, no more than {sentences} sentences]",
    ),
    asks_zh=(
        "介绍一下{topic}[，{sentences}句话就行]。",
        "百科里{topic}怎么说？",
        "我想了解{topic}",
        "{topic}的百科条目",
        "要做一个关于{topic}的报告，先给我一点背景[，{sentences}句]",
        "查百科：{topic}",
        "给孩子讲讲{topic}，基本情况是什么？",
        "{topic}是怎么回事，简单说说",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("year", year(1200, 1990)),
                ("readers", Integer(1000, 90000)),
            ),
            texts=("First described in {year}. Read by {readers} people this month.",),
            texts_zh=("最早记载于{year}年，本月阅读{readers}次。",),
            answers=("It was first described in {year}.", "The article says it was first described in {year}."),
            answers_zh=("最早的记载是{year}年。", "条目说最早记载于{year}年。"),
        ),
    ),
    missing=(
        Missing(
            key="topic",
            asks=("Read me an encyclopedia article.", "I'd like to look something up in the encyclopedia."),
            replies=("On which topic?", "Which article would you like?"),
            asks_zh=("帮我查个百科。", "我想看一个百科条目"),
            replies_zh=("请问查哪个条目？", "想了解什么主题？"),
        ),
    ),
    also=("information.search_web",),
)

NEWS = Family(
    key="information.news",
    names=("latest_headlines", "news_feed", "fetch_headlines", "top_stories", "news_about"),
    about=(
        "Current news headlines.",
        "Latest stories, of a subject or a country if wanted.",
        "Headlines of today; for older pages use a search.",
    ),
    about_zh=("获取最新新闻标题。", "最新新闻，可按主题或国家筛选。"),
    params=(
        Param("subject", SUBJECT, ("category", "subject", "about"), ("Subject of the news",), ("新闻主题",), False),
        Param("country", Country(), ("country", "region"), ("Country of the news",), ("国家",), False),
        Param("count", Integer(1, 15), ("count", "limit", "max_items"), ("How many",), ("条数",), False),
    ),
    asks=(
        "What's in the news[ about {subject}]?",
        "any news from {country}[ on {subject}]?",
        "headlines[, {count} of them]",
        "Give me the[ {count}] latest headlines[ from {country}].",
        "what's happening in the world today",
        "Did anything happen with {subject} lately?",
        "I haven't opened a paper for days. What did I miss[ in {country}]?",
        "top {count} stories about {subject} please",
        "catch me up on {subject}[ in {country}]",
        "My uncle keeps talking about {subject}, what are the papers writing about it?",
        "news {country} {subject}",
        "morning! what's new[ in {country}]?",
    ),
    asks_zh=(
        "今天有什么新闻[，关于{subject}的]？",
        "[{country}]最近发生了什么大事？",
        "给我{count}条[{subject}方面的]新闻",
        "看看头条",
        "{subject}最近有什么动态？",
        "好几天没看报了，[{country}]有啥新鲜事",
        "{country}关于{subject}的最新消息",
        "早上好，播报一下新闻吧[，{count}条]",
    ),
    outcomes=(
        Outcome(
            fields=(("headline", HEADLINE), ("hours_ago", Integer(2, 20))),
            texts=("{headline} ({hours_ago} h ago)",),
            texts_zh=("{headline}（{hours_ago}小时前）",),
            answers=("The latest: {headline}, {hours_ago} hours ago.", "“{headline}”, reported {hours_ago} hours ago."),
            answers_zh=("最新消息：{headline}，{hours_ago}小时前。", "{hours_ago}小时前的新闻：{headline}。"),
        ),
    ),
    also=("information.search_web",),
)

RESULT = Family(
    key="information.match_result",
    names=("match_result", "get_final_score", "last_game_score", "sports_result", "game_score"),
    about=(
        "The score of a team's match.",
        "Result of a game that was played.",
        "Final score of a match in the past. Not for future games.",
    ),
    about_zh=("查询球队的比赛结果。", "已结束比赛的比分，不含未来赛程。"),
    params=(
        Param("team", CLUB, ("team", "club", "team_name"), ("Name of the team",), ("球队",)),
        Param("day", Day(-9, -1), ("date", "played_on", "day"), ("Day of the match",), ("比赛日期",), False),
    ),
    asks=(
        "How did {team} do[ {day}]?",
        "Did {team} win[ on {day}]?",
        "score of the {team} game[ {day}]",
        "I fell asleep during the match of {team}[ {day}], how did it end?",
        "what was the final score for {team}[ {day}]",
        "{team} result[ {day}]",
        "Please tell me {team} didn't lose[ {day}].",
        "My brother is grumpy, I guess {team} lost[ {day}]? what was the score",
        "how many goals or points did {team} get in their match[ {day}]",
        "the {team} match[ from {day}]: who won?",
        "I couldn't watch {team}[ on {day}], was it a good evening for them? the score please",
        "should I congratulate a fan of {team}[ for {day}]? I don't know how it ended",
    ),
    asks_zh=(
        "{team}[{day}]赢了吗？",
        "{team}[{day}]的比分是多少",
        "[{day}]{team}打得怎么样？",
        "[{day}]看球睡着了，{team}最后几比几？",
        "查一下{team}[{day}]的比赛结果",
        "{team}上一场输了没[，{day}那场]",
        "[{day}]{team}那场谁赢了",
        "我哥今天脸色不好，{team}是不是输了？比分多少",
        "听说{team}[{day}]的球很精彩，几比几？",
        "球迷朋友在哭，{team}[{day}]是输了吗",
    ),
    outcomes=(
        Outcome(
            fields=(("opponent", OPPONENT), ("score", Word(pool("2:1 | 3:0 | 1:1 | 0:2 | 4:2 | 0:0 | 5:1 | 1:3")))),
            texts=("{score} against {opponent}",),
            texts_zh=("对{opponent}，{score}",),
            answers=("It ended {score} against {opponent}.", "{team} played {score} against {opponent}."),
            answers_zh=("{team}对{opponent}，比分是{score}。", "最后{score}，对手是{opponent}。"),
        ),
    ),
    missing=(
        Missing(
            key="team",
            asks=("How did the match end?", "What was the score yesterday?", "did we win?"),
            replies=("Which team do you mean?", "The match of which team?"),
            asks_zh=("比赛结果怎么样？", "昨天几比几？"),
            replies_zh=("请问是哪支球队？", "您问的是哪个队？"),
        ),
    ),
    errors=("no match found for this team",),
)

FIXTURES = Family(
    key="information.fixtures",
    names=("upcoming_matches", "next_fixture", "team_schedule", "when_do_they_play", "future_games"),
    about=(
        "When a team plays next.",
        "Upcoming matches of a team. Scores are not included.",
        "Match schedule by team.",
    ),
    about_zh=("查询球队接下来的比赛。", "球队赛程，不含比分。"),
    params=(
        Param("team", CLUB, ("team", "club", "side"), ("Name of the team",), ("球队",)),
        Param("count", Integer(2, 8), ("matches", "count", "limit"), ("How many matches",), ("场数",), False),
        Param("home", Flag(), ("home_only", "only_home_games"), ("Only games at home",), ("只看主场",), False),
    ),
    asks=(
        "When do {team} play next?",
        "next[ {count}] games of {team}",
        "who are {team} up against next",
        "I want to take my dad to see {team}. When would that be possible?",
        Ask("Which home games do {team} have coming up?", {"home": True}),
        Ask("I only go to home games: when do {team} play[, next {count}]?", {"home": True}),
        "fixtures of {team}[, the next {count} please]",
        "what's coming up for {team}",
        "is there any {team} game I could watch soon?",
        "schedule for {team}[ - {count} matches]",
        "keep a day free for {team}: which one?",
        "before I buy a flight I want to know when {team} are on the pitch[, for the next {count} dates]",
    ),
    asks_zh=(
        "{team}下一场什么时候踢？",
        "{team}接下来[{count}场]的赛程",
        "{team}下场对谁",
        "想带我爸去看{team}比赛，最近什么时候有？",
        Ask("{team}最近有哪些主场比赛？", {"home": True}),
        "查查{team}的比赛安排[，往后{count}场]",
        "最近能看到{team}的球吗，哪天？",
        Ask("我只看主场，{team}下次主场是什么时候", {"home": True}),
    ),
    outcomes=(
        Outcome(
            fields=(("opponent", OPPONENT), ("day", Day(1, 30))),
            texts=("{day} against {opponent}",),
            texts_zh=("{day}对{opponent}",),
            answers=("The next match is against {opponent}: {day}.", "{team} next play {opponent}, {day}."),
            answers_zh=("{team}下一场{day}对{opponent}。", "{day}，对手是{opponent}。"),
        ),
    ),
    missing=(
        Missing(
            key="team",
            asks=("When is the next match?", "Show me the upcoming games.", "who are we playing next?"),
            replies=("Of which team?", "Which team's games do you want?"),
            asks_zh=("下一场比赛什么时候？", "看看接下来的赛程"),
            replies_zh=("请问是哪支球队？", "要查哪个队的赛程？"),
        ),
    ),
)

TABLE = Family(
    key="information.league_table",
    names=("league_table", "get_standings", "league_standings", "ranking_of_league"),
    about=(
        "The table of a league.",
        "Standings: who leads a league.",
        "Shows places and points of a league, not single matches.",
    ),
    about_zh=("查询联赛积分榜。", "联赛排名，不含单场比赛。"),
    params=(
        Param("league", LEAGUE, ("league", "competition", "division"), ("e.g. Serie B",), ("联赛",)),
        Param("season", year(2015, 2026), ("season", "season_year"), ("Year in which it began",), ("赛季年份",), False),
    ),
    asks=(
        "Who is first in the {league}?",
        "show me the {league} table[ of {season}]",
        "{league} standings[ {season}]",
        "How do things stand in the {league}?",
        "who's leading the {league} right now",
        "I have a bet with a friend on the {league}. Who's on top?",
        "Who ended up on top of the {league}[ in {season}]?",
        "places and points in the {league}, please",
        "is it tight at the top of the {league}? show me the ranking",
        "I left the country for a while, has {league} got a new number one?",
    ),
    asks_zh=(
        "{league}现在谁排第一？",
        "看一下{league}积分榜[，{season}赛季]",
        "{league}排名",
        "{league}目前形势怎么样？",
        "跟朋友打了赌，{league}现在谁领先？",
        "[{season}年]{league}最后谁是第一？",
        "{league}各队积分",
        "查{league}的名次",
    ),
    outcomes=(
        Outcome(
            fields=(("leader", CLUB), ("points", Integer(20, 88))),
            texts=("1. {leader}, {points} points",),
            texts_zh=("第一名：{leader}，{points}分",),
            answers=("{leader} lead with {points} points.", "First place: {leader}, {points} points."),
            answers_zh=("{leader}以{points}分排第一。", "目前领先的是{leader}，{points}分。"),
        ),
    ),
    missing=(
        Missing(
            key="league",
            asks=("Show me the table.", "Who is on top of the league?", "standings please"),
            replies=("Of which league?", "Which league do you mean?"),
            asks_zh=("看一下积分榜。", "现在谁排第一？"),
            replies_zh=("请问是哪个联赛？", "要看哪个联赛的排名？"),
        ),
    ),
)

DOMAIN = Domain(
    "information",
    (SEARCH, ENCYCLOPEDIA, NEWS, RESULT, FIXTURES, TABLE),
    unserved=(
        ("Buy two tickets for the final.", "买两张决赛的票。"),
        ("Record tonight's match for me.", "把今晚的比赛录下来。"),
        ("Post a comment under that article.", "在那篇文章下面发个评论。"),
        ("Cancel my newspaper subscription.", "把我订的报纸退了。"),
        ("Bookmark this page.", "把这个网页加入收藏。"),
        ("Sign me up for a five-a-side team.", "帮我报名五人制足球队。"),
        ("Bet ten euros on a draw.", "押十块钱赌平局。"),
        ("Get me an autograph of the goalkeeper.", "帮我要一张守门员的签名。"),
        ("Close all my browser tabs.", "把浏览器标签页都关了。"),
        ("Coach my daughter's team.", "给我女儿的球队当教练。"),
        ("Delete my search history.", "清除我的搜索记录。"),
        ("Write a letter to the editor.", "给报社写封读者来信。"),
        ("Referee our game on Sunday.", "周日来给我们的比赛当裁判。"),
    ),
)
