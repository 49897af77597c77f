"""Making things: pictures, speech, charts, polls, quizzes."""

from training.data.family import Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Decimal, Integer, ListOf, Record, Word
from training.data.times import Day
from training.data.wordings import composed, distinct, pool

SCENE = composed(
    ("a {how} {who} {where}", "a {who} {where} {light}", "two {how} foxes {where}", "a {how} {who} {light}"),
    ("{where}的一只{who}", "{light}下{how}的{who}", "{where}，一只{how}的{who}"),
    {
        "how": pool("sleepy | tiny | golden | curious | white | blue | cheerful"),
        "who": pool("cat | robot | lighthouse | dragon | teapot | owl | fisherman | astronaut | tram | castle"),
        "where": pool("in the snow | on a hill | under a bridge | in a bookshop | by the sea | on the Moon"),
        "light": pool("at sunset | in the fog | at night | under paper lanterns"),
    },
    {
        "how": pool("打瞌睡 | 小小 | 金色 | 好奇 | 蓝色 | 开心"),
        "who": pool("猫 | 机器人 | 小龙 | 猫头鹰 | 狐狸 | 熊猫 | 白鹤"),
        "where": pool("雪地里 | 山坡上 | 桥下 | 书店里 | 海边 | 月球上"),
        "light": pool("夕阳 | 薄雾 | 月光 | 灯笼"),
    },
    quoted=0.25,
)
STYLE = Choice(
    {
        "watercolor": (("watercolour", "a watercolour"), ("水彩", "水彩画")),
        "photo": (("photo", "a photograph"), ("照片", "写实照片")),
        "cartoon": (("cartoon", "a cartoon"), ("卡通", "漫画")),
        "oil": (("oil painting", "an oil painting"), ("油画",)),
        "pixel": (("pixel art",), ("像素画", "像素风")),
        "sketch": (("pencil sketch", "a sketch"), ("素描",)),
    },
    (
        {
            "watercolor": "WATERCOLOR",
            "photo": "PHOTO",
            "cartoon": "CARTOON",
            "oil": "OIL",
            "pixel": "PIXEL",
            "sketch": "SKETCH",
        },
    ),
)
SHAPE = Choice(
    {
        "square": (("square",), ("方形", "正方形")),
        "portrait": (("portrait", "upright"), ("竖版", "竖图")),
        "landscape": (("landscape", "wide"), ("横版", "横图")),
    },
    (
        {"square": "1:1", "portrait": "9:16", "landscape": "16:9"},
        {"square": "1024x1024", "portrait": "768x1344", "landscape": "1344x768"},
    ),
)
SPEECH = composed(
    ("{hello}, {news}.", "{news}. {bye}!", "{hello}! {bye}."),
    ("{hello}，{news}。", "{news}，{bye}！"),
    {
        "hello": pool("Dear guests | Good morning | Attention please | Hello everybody | Ladies and gentlemen"),
        "news": pool(
            """the doors open in ten minutes | the train is late | dinner is ready | the library closes now
            lesson three begins"""
        ),
        "bye": pool("Thank you | Have a safe trip | See you soon | Please take your seats"),
    },
    {
        "hello": pool("各位来宾 | 早上好 | 请注意 | 大家好 | 女士们先生们"),
        "news": pool("十分钟后开门 | 列车晚点了 | 晚饭好了 | 图书馆要关门了 | 现在开始第三课"),
        "bye": pool("谢谢 | 一路平安 | 回头见 | 请就座"),
    },
    quoted=1.0,
)
VOICE = Choice(
    {
        "female": (("a female voice", "a woman's voice"), ("女声",)),
        "male": (("a male voice", "a man's voice"), ("男声",)),
        "child": (("a child's voice",), ("童声",)),
    },
    ({"female": "F", "male": "M", "child": "C"},),
)
POINT = Record(
    "{label} {value}",
    "{label}{value}",
    {
        "label": Word(
            pool(
                """north | south | apples | pears | Q1 | Q2 | rent | food | trains | buses | Monday | Friday
                Anna's team | online"""
            ),
            pool("北区 | 南区 | 苹果 | 梨 | 一季度 | 二季度 | 房租 | 餐饮 | 地铁 | 公交 | 周一 | 周五 | 线上 | 门店"),
        ),
        "value": Integer(13, 9000),
    },
)
CHART = Choice(
    {
        "bar": (("bar chart", "bar graph"), ("柱状图", "条形图")),
        "pie": (("pie chart",), ("饼图",)),
        "line": (("line chart", "line graph"), ("折线图",)),
    },
    ({"bar": "BAR", "pie": "PIE", "line": "LINE"},),
)
HEADING = Word(
    pool(
        """Sales 2025 | Our spending | Visitors | Harvest | Votes by region | Time per task | Class results
        Tickets sold"""
    ),
    pool("2025年销售额 | 家庭开支 | 访客数 | 收成 | 各区票数 | 用时统计 | 班级成绩 | 售票情况"),
    quoted=0.8,
)
OPTION = Word(
    pool(
        """pizza | sushi | hiking | the cinema | bowling | a museum | red | green | Tuesday | Thursday | mountains
        the beach"""
    ),
    pool("披萨 | 寿司 | 爬山 | 看电影 | 保龄球 | 博物馆 | 红色 | 绿色 | 周二 | 周四 | 去海边 | 烧烤"),
)
VOTE = composed(
    (
        "{what} for the {occasion}?",
        "Which {thing} do we take to the {occasion}?",
        "What shall we do at the {occasion}?",
    ),
    ("{occasion}{what}？", "{occasion}我们选哪个{thing}？"),
    {
        "what": pool("What do you prefer | What would you like | Which one"),
        "thing": pool("game | cake | bus | speaker"),
        "occasion": pool("summer party | team day | reunion | class trip | birthday | farewell"),
    },
    {
        "what": pool("做什么 | 你更想要哪个 | 怎么安排"),
        "thing": pool("游戏 | 蛋糕 | 时间"),
        "occasion": pool("夏日聚会 | 团建 | 同学会 | 班级出游 | 生日会 | 欢送会"),
    },
    quoted=1.0,
)
LESSON = Word(
    pool(
        """the French Revolution | fractions | irregular verbs | the solar system | photosynthesis | jazz
        chemistry | chess | European rivers | human anatomy | road signs | Greek myths | weather | first aid
        computer networks | world capitals"""
    ),
    pool(
        """法国大革命 | 分数 | 不规则动词 | 太阳系 | 光合作用 | 化学元素 | 象棋 | 河流 | 人体结构 | 交通标志
        希腊神话 | 急救 | 唐诗 | 网络基础"""
    ),
)
HARDNESS = Choice(
    {
        "easy": (("easy", "simple"), ("简单", "容易")),
        "medium": (("medium", "moderate"), ("中等", "一般难度")),
        "hard": (("hard", "difficult"), ("困难", "难")),
    },
    (
        {"easy": "EASY", "medium": "MEDIUM", "hard": "HARD"},
        {"easy": "beginner", "medium": "intermediate", "hard": "advanced"},
    ),
)
LINK = Word(pool("https://example.org/f/8812 | https://example.com/out/71 | https://example.net/files/a9"))

IMAGE = Family(
    key="creation.image",
    names=("generate_image", "paint_picture", "create_illustration", "draw_image", "image_maker"),
    about=(
        "Make a picture from a description.",
        "Draws what you describe, in a style.",
        "New images only; photos can't be edited with it.",
    ),
    about_zh=("根据描述生成图片。", "按描述和风格作画，不能修改照片。"),
    params=(
        Param("scene", SCENE, ("prompt", "description", "what"), ("What to show",), ("画面描述",)),
        Param("style", STYLE, ("style", "art_style", "look"), ("Style",), ("风格",), False),
        Param("shape", SHAPE, ("aspect", "shape", "format", "size"), ("Shape of the picture",), ("画幅",), False),
        Param("count", Integer(2, 8), ("count", "n", "images"), ("How many",), ("张数",), False),
    ),
    asks=(
        "Draw {scene}[ as {style}].",
        "make a picture of {scene}[, style: {style}][, {shape} format]",
        "I'd love to see {scene}[ in this style: {style}]",
        "generate {count} images of {scene}[, {shape}]",
        "For the cover of my notebook: {scene}[, please in {shape} format].",
        "paint me {scene}[, it should look like {style}]",
        "picture: {scene}[, {count} variants]",
        "my kid wants {scene} on a poster, can you create that[? {shape} would be best]",
        "an illustration showing {scene}[, {style}]",
        "what would {scene} look like? make an image[, {shape}]",
    ),
    asks_zh=(
        "画{scene}[，{style}风格]。",
        "生成一张图：{scene}[，{shape}]",
        "给我画{count}张图，内容是{scene}",
        "想要一幅画，{scene}[，用{style}的感觉]",
        "孩子想要一张海报，上面是{scene}[，{shape}]",
        "作图：{scene}[，{style}][，{shape}]",
        "帮我做个插图，{scene}",
        "把{scene}画出来[，要{count}张]",
    ),
    outcomes=(
        Outcome(
            fields=(("url", LINK),),
            texts=("{url}",),
            texts_zh=("{url}",),
            answers=("Here is your picture: {url}", "The picture is ready: {url}"),
            answers_zh=("图片好了：{url}", "已生成：{url}"),
        ),
    ),
    missing=(
        Missing(
            key="scene",
            asks=("Draw something for me.", "I need a picture[, {style}].", "make an image[ in {shape} format]"),
            replies=("What should it show?", "What would you like to see in the picture?"),
            asks_zh=("帮我画张图。", "生成一张图片[，{style}风格]"),
            replies_zh=("请问画什么内容？", "想要什么画面？"),
        ),
    ),
)

SPEAK = Family(
    key="creation.speech",
    names=("text_to_speech", "speak_text", "make_audio", "read_aloud", "synthesize_voice"),
    about=(
        "Turn a text into speech.",
        "Makes an audio file of a spoken text.",
        "Voice output. It does not play music.",
    ),
    about_zh=("把文字转成语音。", "生成朗读音频。"),
    params=(
        Param("text", SPEECH, ("text", "words", "script"), ("What is spoken",), ("朗读内容",)),
        Param("voice", VOICE, ("voice", "speaker"), ("Whose voice",), ("声音",), False),
        Param("speed", Decimal(0.5, 2, 1), ("speed", "rate"), ("1 is normal",), ("语速，1为正常",), False),
    ),
    asks=(
        "Say {text}[ in {voice}].",
        "make an audio file of {text}[ with {voice}]",
        "read this out: {text}[ at speed {speed}]",
        "I need {text} as a recording[, {voice}]",
        "turn {text} into speech[, speed {speed}]",
        "For our loudspeakers: please voice {text}[, in {voice}].",
        "speak the following: {text}",
        "an announcement please, {text}[, {voice}][, speed {speed}]",
        "our phone line should greet callers with {text}[, {voice}]",
    ),
    asks_zh=(
        "把{text}念出来[，用{voice}]。",
        "生成语音：{text}[，{voice}]",
        "朗读{text}[，语速{speed}]",
        "要一段广播录音，内容是{text}",
        "文字转语音：{text}",
        "用{voice}说：{text}[，语速{speed}]",
        "电话开场白录成{text}[，{voice}]",
        "把{text}做成音频[，语速{speed}]",
    ),
    outcomes=(
        Outcome(
            fields=(("audio", LINK), ("seconds", Integer(2, 30))),
            texts=("{audio} ({seconds} s)",),
            texts_zh=("{audio}（{seconds}秒）",),
            answers=("The recording takes {seconds} seconds: {audio}", "Here is the audio: {audio}"),
            answers_zh=("音频好了，{seconds}秒：{audio}", "录音在这里：{audio}"),
        ),
    ),
    missing=(
        Missing(
            key="text",
            asks=("Make a voice recording.", "Say something[ in {voice}].", "I need an announcement."),
            replies=("What should be said?", "Which text should I speak?"),
            asks_zh=("帮我录段语音。", "生成一段朗读[，{voice}]"),
            replies_zh=("请问朗读什么内容？", "要念的文字是什么？"),
        ),
    ),
)

DRAW_CHART = Family(
    key="creation.chart",
    names=("draw_chart", "plot_data", "make_chart", "create_graph"),
    about=(
        "Draw a chart of some figures.",
        "Plots labelled values as bars, a line or a pie.",
        "Charts of data that you give it.",
    ),
    about_zh=("用数据画图表。", "把带标签的数值画成柱状图、折线图或饼图。"),
    params=(
        Param("kind", CHART, ("chart_type", "kind", "type"), ("Kind of chart",), ("图表类型",)),
        Param("data", ListOf(POINT, 2, 5), ("data", "points", "values"), ("What to plot",), ("数据",)),
        Param("title", HEADING, ("title", "heading"), ("Title above it",), ("标题",), False),
    ),
    asks=(
        "Make a {kind} of {data}[, titled {title}].",
        "{kind}: {data}",
        "plot {data} as a {kind}[ with the title {title}]",
        "I'd like a {kind} with {data}",
        "For my slides I need {data} in a {kind}[, heading {title}].",
        "draw me a {kind}[ called {title}] showing {data}",
        "here are the numbers: {data}. put them into a {kind}",
        "can you turn {data} into a {kind}?",
        "nobody reads tables, so show {data} as a {kind}",
        "visualise {data}, {kind} please[, caption {title}]",
    ),
    asks_zh=(
        "画个{kind}：{data}[，标题{title}]。",
        "用{data}做一张{kind}",
        "幻灯片里要用，{data}，做成{kind}[，标题写{title}]",
        "数据是{data}，画{kind}",
        "把{data}画成{kind}",
        "生成{kind}，数据{data}[，名为{title}]",
        "没人爱看表格，把{data}做成{kind}",
        "{kind}，内容{data}",
    ),
    outcomes=(
        Outcome(
            fields=(("file", LINK),),
            texts=("saved: {file}",),
            texts_zh=("已保存：{file}",),
            answers=("Your {kind} is ready: {file}", "Here it is: {file}"),
            answers_zh=("{kind}画好了：{file}", "图表在这里：{file}"),
        ),
    ),
    missing=(
        Missing(
            key="data",
            asks=("Make a {kind}.", "I need a {kind}[ titled {title}]."),
            replies=("Which figures should it show?", "What data should I plot?"),
            asks_zh=("画个{kind}。", "做一张{kind}[，标题{title}]"),
            replies_zh=("请问数据是什么？", "要画哪些数据？"),
        ),
        Missing(
            key="kind",
            asks=("Make a chart of {data}.", "plot {data}"),
            replies=("What kind of chart: bar, line or pie?", "Which kind of chart would you like?"),
            asks_zh=("把{data}画成图表。", "给{data}作个图"),
            replies_zh=("请问要哪种图表？", "画成什么图？"),
        ),
    ),
    fits=distinct("data", "label"),
)

POLL = Family(
    key="creation.poll",
    names=("create_poll", "start_vote", "new_poll", "ask_the_group"),
    about=(
        "Start a poll.",
        "Lets people vote between some options.",
        "One question with options; for tests of knowledge make a quiz.",
    ),
    about_zh=("发起投票。", "让大家在几个选项中投票。"),
    params=(
        Param("question", VOTE, ("question", "title", "topic"), ("What is asked",), ("投票问题",)),
        Param(
            "options", ListOf(OPTION, 2, 5), ("options", "choices", "answers"), ("What people choose from",), ("选项",)
        ),
        Param("closes", Day(1, 20), ("closes_on", "deadline", "end_date"), ("Last day to vote",), ("截止日期",), False),
    ),
    asks=(
        "Start a poll: {question} Options are {options}[, open until {closes}].",
        "let the group vote on {question} with {options}",
        "make a poll asking {question}, choices {options}[, it closes {closes}]",
        "We can't agree. Ask everybody {question} and offer {options}.",
        "poll {question} - {options}[ - deadline {closes}]",
        "I want people to choose between {options}. The question is {question}",
        "new vote please, {question}, and let them pick from {options}",
        "set up a vote with {options}[ until {closes}]: {question}",
        "find out what people think: {question} They can pick {options}.",
        "put {question} to the vote; choices: {options}",
    ),
    asks_zh=(
        "发起投票：{question}选项有{options}[，{closes}截止]。",
        "让大家投票，{question}，选{options}",
        "意见不统一，问问大家{question}，选项是{options}",
        "建个投票，标题{question}，选项{options}[，到{closes}结束]",
        "投票：{question}，{options}",
        "做个投票，在{options}里选，问题是{question}",
        "看看大家想法：{question}，可选{options}",
        "就{question}投个票，选项{options}[，{closes}前]",
    ),
    outcomes=(
        Outcome(
            fields=(("link", LINK),),
            texts=("poll created: {link}",),
            texts_zh=("投票已创建：{link}",),
            answers=("The poll is open: {link}", "People can vote here: {link}"),
            answers_zh=("投票已发起：{link}", "大家可以在这里投票：{link}"),
        ),
    ),
    missing=(
        Missing(
            key="options",
            asks=("Start a poll: {question}", "let everybody vote on {question}"),
            replies=("Which options should there be?", "What can people choose from?"),
            asks_zh=("发起投票：{question}", "让大家投一下{question}"),
            replies_zh=("请问有哪些选项？", "选项是什么？"),
        ),
    ),
)

QUIZ = Family(
    key="creation.quiz",
    names=("make_quiz", "generate_quiz", "quiz_builder", "create_test_questions"),
    about=(
        "Make a quiz about a subject.",
        "Writes questions with answers, as many and as hard as you like.",
        "Quiz questions. For votes use a poll.",
    ),
    about_zh=("生成测验题。", "就某个主题出题，可指定题数和难度。"),
    params=(
        Param("subject", LESSON, ("subject", "topic", "theme"), ("What it is about",), ("主题",)),
        Param(
            "count", Integer(3, 40), ("questions", "number_of_questions", "count"), ("How many questions",), ("题数",)
        ),
        Param("level", HARDNESS, ("difficulty", "level"), ("How hard",), ("难度",), False),
    ),
    asks=(
        "Make a quiz with {count} questions on {subject}[, {level} ones].",
        "{count}[ {level}] questions about {subject} please",
        "I teach tomorrow and need {count} questions about {subject}[, level {level}].",
        "test me on {subject}, {count} questions[, make it {level}]",
        "quiz: {subject}, {count} questions[, difficulty {level}]",
        "we're having a games night, write {count} questions on {subject}",
        "can you come up with {count} quiz questions about {subject}[? {level}, please]",
        "how well do I know {subject}? Ask me {count} things in a quiz.",
        "my pupils are bored, surprise them with {count} questions on {subject}[ - {level}]",
        "exam on {subject} soon, drill me with {count} questions",
    ),
    asks_zh=(
        "出{count}道{subject}的题[，难度{level}]。",
        "明天上课要用，来{count}道关于{subject}的题目",
        "考考我{subject}，{count}题[，{level}的]",
        "做个{subject}小测验，{count}道题",
        "聚会用的问答，主题{subject}，{count}题[，要{level}]",
        "关于{subject}，给我{count}个测验题",
        "快考{subject}了，来{count}道题练练",
        "给学生出{count}道{subject}题[，{level}]",
    ),
    outcomes=(
        Outcome(
            fields=(("quiz", LINK),),
            texts=("quiz at {quiz}",),
            texts_zh=("测验：{quiz}",),
            answers=("Your quiz on {subject} is here: {quiz}", "Done, {count} questions: {quiz}"),
            answers_zh=("{subject}测验做好了：{quiz}", "{count}道题在这里：{quiz}"),
        ),
    ),
    missing=(
        Missing(
            key="subject",
            asks=("Make a quiz with {count} questions.", "write {count} quiz questions"),
            replies=("On which subject?", "What should the quiz be about?"),
            asks_zh=("出{count}道题。", "做个{count}题的测验"),
            replies_zh=("请问是什么主题？", "关于什么内容？"),
        ),
        Missing(
            key="count",
            asks=("Make a quiz on {subject}.", "quiz me on {subject}"),
            replies=("How many questions would you like?", "How many questions should it have?"),
            asks_zh=("出一套{subject}的题。", "做个{subject}测验"),
            replies_zh=("请问要多少道题？", "几道题合适？"),
        ),
    ),
)

DOMAIN = Domain(
    "creation",
    (IMAGE, SPEAK, DRAW_CHART, POLL, QUIZ),
    unserved=(
        ("Remove the background of my photo.", "把我照片的背景去掉。"),
        ("Cut the last ten seconds off my video.", "把视频最后十秒剪掉。"),
        ("Compose a melody for the piano.", "写一段钢琴曲。"),
        ("Who has voted in the poll so far?", "现在都有谁投票了？"),
        ("Grade the essays of my class.", "给我们班的作文打分。"),
        ("Sew me a costume for the school play.", "给我做一套演出服。"),
        ("Turn my recording into text.", "把我的录音转成文字。"),
        ("Frame the poster and hang it up.", "把海报裱起来挂上。"),
        ("Make my slides look nicer.", "把我的幻灯片做漂亮点。"),
        ("Carve our names into a bench.", "把我们的名字刻在长椅上。"),
        ("Sharpen this blurry picture.", "把这张模糊的图变清晰。"),
        ("Make a film of our wedding.", "把我们的婚礼剪成影片。"),
    ),
)
