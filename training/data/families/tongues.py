"""Learning a language: drills, pronunciation, grammar, verbs, pinyin, characters, progress."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, Word
from training.data.times import Duration
from training.data.wordings import composed, pool
from training.data.world import Tongue

TOPIC = Word(
    pool(
        """food | animals | the kitchen | travel | feelings | the weather | clothes | the office | body parts | sports
        numbers | family | shopping | health | music | furniture | plants | airports | colours | tools"""
    ),
    pool(
        """食物 | 动物 | 厨房 | 旅行 | 情绪 | 天气 | 衣服 | 办公室 | 身体部位 | 运动 | 数字 | 家人 | 购物
        看医生 | 音乐 | 家具 | 植物 | 机场 | 颜色 | 交通工具"""
    ),
)
LEVEL = Choice(
    {
        "beginner": (("beginner", "easy"), ("初级", "入门")),
        "intermediate": (("intermediate", "middle"), ("中级",)),
        "advanced": (("advanced", "hard"), ("高级",)),
    },
    ({"beginner": "A1", "intermediate": "B1", "advanced": "C1"},),
)
HARD_WORD = Word(
    pool(
        """colonel | quinoa | Worcestershire | croissant | schedule | queue | thorough | chaos | rendezvous | gnocchi
        squirrel | mischievous | epitome | receipt | choir | aisle | draught | niche | subtle | yacht | debris"""
    ),
    pool(
        """colonel | schedule | queue | thorough | receipt | choir | aisle | subtle | yacht | squirrel | island | salmon
        debris | epitome | chaos | honest | genre | recipe"""
    ),
    quoted=0.4,
)
FLAWED = composed(
    ("{who} {verb} {what}", "{who} {verb} {what}, {tail}"),
    ("{who} {verb} {what}", "{who} {verb} {what}, {tail}"),
    {
        "who": pool("He | My brother | The childrens | She | Me and Tom | Our team | Everybody"),
        "verb": pool("don't likes | have went to | is knowing | was seen | buyed | has much | go always to"),
        "what": pool("the market | a apple | this furnitures | them | an university | less people | the informations"),
        "tail": pool("isn't it | since two years | at yesterday | because of rains | and it were nice"),
    },
    quoted=1.0,
)
PERSON = Choice(
    {
        "first": (("the first person",), ("第一人称",)),
        "second": (("the second person",), ("第二人称",)),
        "third": (("the third person",), ("第三人称",)),
    },
    ({"first": 1, "second": 2, "third": 3},),
)
VERB = Word(
    pool(
        """hablar | venir | être | aller | sein | gehen | essere | andare | ser | fazer | tener | prendre | können
        dormir | mangiare | vivir | finir | sprechen | dire | poder | savoir | nehmen | bere | salir"""
    ),
)
TENSE = Choice(
    {
        "present": (("the present tense", "the present"), ("现在时",)),
        "past": (("the past tense", "the past"), ("过去时",)),
        "future": (("the future tense", "the future"), ("将来时",)),
        "conditional": (("the conditional",), ("条件式",)),
        "subjunctive": (("the subjunctive",), ("虚拟式",)),
    },
    ({"present": "PRESENT", "past": "PAST", "future": "FUTURE"},),
)
HANZI = Word(
    pool(
        """你好 | 谢谢 | 银行 | 长城 | 音乐 | 重要 | 图书馆 | 饺子 | 朋友 | 火车站 | 生日快乐 | 明天见 | 没关系
        高兴 | 学习 | 中秋节 | 茶馆 | 出租车 | 觉得 | 睡觉 | 便宜 | 为什么 | 厕所 | 请坐"""
    ),
    pool(
        """饕餮 | 耄耋 | 龃龉 | 囹圄 | 魑魅 | 旖旎 | 踌躇 | 斡旋 | 觊觎 | 皈依 | 鳜鱼
        龟裂 | 膻中 | 氤氲 | 歆享 | 会稽 | 吐蕃 | 角色 | 供给 | 勉强 | 处理 | 便宜 | 银行 | 音乐"""
    ),
    quoted=0.3,
)
CHARACTER = Word(
    pool("龙 | 爱 | 家 | 马 | 水 | 福 | 鱼 | 飞 | 雪 | 我 | 春 | 国 | 梦 | 风 | 茶 | 永 | 书 | 鸟 | 舞 | 凤 | 心 | 寿"),
)

DRILL = Family(
    key="tongues.drill",
    names=("start_vocabulary_drill", "vocab_practice", "word_drill", "new_vocab_session", "practice_words"),
    about=(
        "Start a vocabulary drill in a language.",
        "Practises words about a topic. For grammar use another tool.",
        "Word training session",
    ),
    about_zh=("开始一次单词练习。", "按主题练习某种语言的词汇，不含语法。"),
    params=(
        Param("language", Tongue(), ("language", "target_language", "lang"), ("Language to learn",), ("学习的语言",)),
        Param("topic", TOPIC, ("topic", "theme", "subject_area"), ("What the words are about",), ("词汇主题",)),
        Param(
            "count", Integer(5, 50, 5), ("word_count", "n_words", "size"), ("How many words",), ("单词数",), False, 10
        ),
        Param("level", LEVEL, ("level", "difficulty"), ("How hard",), ("难度",), False),
    ),
    asks=(
        "Quiz me on {language} words about {topic}[, {count} of them].",
        "let's practise {language} vocabulary, topic {topic}[, {level} level]",
        "I fly out soon and need {language} words for {topic}[, say {count}]",
        "drill me: {topic} in {language}",
        "I keep forgetting how to talk about {topic} in {language}. Ask me[ {count} words].",
        "give me {count} {level} {language} words to learn about {topic}",
        "ten minutes free, time for some {language}. Theme: {topic}.",
        "test whether I still know the {language} terms for {topic}[ ({level})]",
    ),
    asks_zh=(
        "考考我{language}里关于{topic}的单词[，{count}个]",
        "来练{language}词汇，主题是{topic}[，{level}难度]",
        "要出国了，想背点{language}的{topic}词[，{count}个就行]",
        "{topic}用{language}怎么说我老忘，来几道题练练",
        "开始背单词：{language}，{topic}[，{level}]",
        "我有十分钟，练练{language}吧，主题{topic}",
        "给我出{count}个{level}的{language}单词，跟{topic}有关的",
        "{language}单词打卡，{topic}这一类",
        "测测我还记不记得{language}的{topic}词汇",
        "孩子要学{language}，练习{topic}方面的词[，先来{count}个]",
    ),
    outcomes=(
        Outcome(
            fields=(("session", Word(("V-17", "V-48", "V-203", "V-911"))), ("words", Integer(5, 50, 5))),
            texts=("session {session} with {words} words",),
            answers=("Your drill with {words} words is ready.", "Session {session} has begun: {words} words."),
            answers_zh=("练习开始了，共{words}个单词。", "已生成练习{session}，{words}个词。"),
        ),
    ),
    missing=(
        Missing(
            key="language",
            asks=("Quiz me on words about {topic}.", "vocabulary drill please, {topic}"),
            replies=("In which language?", "Which language are you practising?"),
            asks_zh=("考考我{topic}的单词", "练练词汇，主题{topic}"),
            replies_zh=("请问是哪种语言？", "练哪门语言？"),
        ),
        Missing(
            key="topic",
            asks=("I want to practise {language} words.", "drill my {language} vocabulary"),
            replies=("About which topic?", "What should the words be about?"),
            asks_zh=("我想练{language}单词", "背{language}词汇"),
            replies_zh=("请问练哪个主题的？", "想练什么方面的词？"),
        ),
    ),
)

PRONOUNCE = Family(
    key="tongues.pronounce",
    names=("pronounce", "pronunciation_of", "say_word", "get_ipa", "how_to_say"),
    about=(
        "How an English word is pronounced.",
        "Sound and phonetic spelling of a word, British or American.",
        "Pronunciation only; no meaning.",
    ),
    about_zh=("查询英文单词的发音。", "给出英式或美式音标和读音，不解释词义。"),
    params=(
        Param("word", HARD_WORD, ("word", "term", "spelling"), ("The word",), ("单词",)),
        Param(
            "accent",
            Choice(
                {
                    "british": (("British",), ("英式",)),
                    "american": (("American",), ("美式",)),
                    "australian": (("Australian",), ("澳式",)),
                },
                ({"british": "en-GB", "american": "en-US", "australian": "en-AU"},),
            ),
            ("accent", "variety"),
            ("Which English",),
            ("口音",),
            False,
        ),
        Param("slow", Flag(), ("slow", "slowly"), ("Speak slowly",), ("慢速",), False),
    ),
    asks=(
        "How do you pronounce {word}[ in {accent} English]?",
        "what does {word} sound like",
        Ask("Say {word} slowly for me.", {"slow": True}),
        "I embarrassed myself with {word} in a meeting. How is it really spoken[, {accent} accent]?",
        "pronunciation: {word}",
        "is the letter in the middle of {word} silent? let me hear it[ in {accent} English]",
        "the phonetics of {word}, {accent}",
        Ask("could i hear {word} at half speed", {"slow": True}),
    ),
    asks_zh=(
        "{word} 怎么读？",
        "{word} 的[{accent}]发音是什么",
        Ask("慢点念一遍 {word}", {"slow": True}),
        "开会时把 {word} 念错了，正确读法是啥[，要{accent}的]",
        "给我 {word} 的音标",
        "单词 {word} 怎么念[，{accent}]",
        "听听{accent}口音的 {word}",
        "{word} 中间那个字母发音吗？读给我听",
        Ask("{word} 放慢一点读给我听", {"slow": True}),
        "孩子问 {word} 咋读",
    ),
    outcomes=(
        Outcome(
            fields=(("ipa", Word(("/kjuː/", "/kwaɪə/", "/rɪˈsiːt/", "/jɒt/", "/aɪl/", "/ˈsʌtl/"))),),
            texts=("{ipa}",),
            answers=("{word} is pronounced {ipa}.", "You say {ipa}."),
            answers_zh=("{word} 读作 {ipa}。", "发音是 {ipa}。"),
        ),
    ),
    missing=(
        Missing(
            key="word",
            asks=("How do you pronounce this word?", "how is that said in {accent} English"),
            replies=("Which word?", "What is the word?"),
            asks_zh=("这个单词怎么读？", "用{accent}口音怎么念"),
            replies_zh=("请问是哪个单词？", "要读哪个词？"),
        ),
    ),
)

GRAMMAR = Family(
    key="tongues.grammar",
    names=("check_grammar", "proofread_sentence", "grammar_check", "correct_my_english"),
    about=(
        "Check the grammar of an English sentence.",
        "Finds and corrects mistakes in a sentence. Style and facts are not judged.",
    ),
    about_zh=("检查英文句子的语法。", "找出并改正语法错误，不评价文风。"),
    params=(
        Param("sentence", FLAWED, ("sentence", "text", "input_text"), ("Sentence to check",), ("要检查的句子",)),
        Param("explain", Flag(), ("explain", "with_explanations"), ("Say why",), ("是否解释",), False, False),
    ),
    asks=(
        "Is this correct English: {sentence}?",
        "check my grammar: {sentence}",
        Ask("What's wrong with {sentence}, and why?", {"explain": True}),
        "before I send it, look over {sentence}",
        "would a teacher mark anything in {sentence}",
        "My pupil wrote {sentence}. Please correct it.",
        Ask("fix {sentence} and explain each mistake", {"explain": True}),
        "any mistakes in {sentence}?",
    ),
    asks_zh=(
        "{sentence} 这句英文有语法错误吗？",
        "帮我改改 {sentence}",
        Ask("{sentence} 哪里错了，为什么？", {"explain": True}),
        "发出去之前检查一下 {sentence}",
        "英语作文里写了 {sentence}，对不对",
        "老师会扣分吗：{sentence}",
        "学生写的 {sentence}，请批改",
        Ask("纠正 {sentence}，并解释每处错误", {"explain": True}),
        "{sentence} 这样说通顺吗，语法查一下",
        "看看 {sentence} 有没有毛病",
    ),
    outcomes=(
        Outcome(
            fields=(("mistakes", Integer(2, 5)), ("corrected", Word(("He bought an apple", "She has gone there")))),
            texts=("{mistakes} mistakes; corrected: {corrected}",),
            answers=("There are {mistakes} mistakes. Better: {corrected}.", "Correct would be: {corrected}."),
            answers_zh=("有{mistakes}处错误，应改为：{corrected}。", "正确的写法是：{corrected}。"),
        ),
    ),
    missing=(
        Missing(
            key="sentence",
            asks=("Check my grammar, please.", "can you correct a sentence for me"),
            replies=("Which sentence shall I check?", "Please give me the sentence."),
            asks_zh=("帮我检查一下英语语法", "有句英文想请你改改"),
            replies_zh=("请问是哪句话？", "要检查的句子是什么？"),
        ),
    ),
)

CONJUGATE = Family(
    key="tongues.conjugate",
    names=("conjugate_verb", "verb_forms", "verb_table", "get_conjugation"),
    about=("Conjugate a verb in a tense.", "Verb table of a foreign verb.", "All persons of one verb in one tense."),
    about_zh=("动词变位。", "给出外语动词在某时态下的各人称形式。"),
    params=(
        Param("verb", VERB, ("verb", "infinitive"), ("The infinitive",), ("动词原形",)),
        Param("tense", TENSE, ("tense", "mood_or_tense", "form"), ("Which tense",), ("时态",)),
        Param("person", PERSON, ("person", "only_person"), ("One person only",), ("人称",), False),
    ),
    asks=(
        "Conjugate {verb} in {tense}.",
        "how does {verb} go in {tense}",
        "I can never remember {verb} in {tense}, show me the table",
        "forms of {verb}, {tense}[, only {person}]",
        "I need {verb} in {tense}[, just {person}], please.",
        "exam tomorrow: {verb} in {tense}",
        "what's I, you, he, she of {verb} put into {tense}",
        "need {tense} of {verb}[, {person}]",
    ),
    asks_zh=(
        "{verb} 的{tense}怎么变位？",
        "列出动词 {verb} 的{tense}[，只要{person}]",
        "{verb} 用{tense}各人称是什么",
        "明天考试，{verb} 的{tense}变位给我看看",
        "老记不住 {verb} 的{tense}",
        "动词变位：{verb}，{tense}",
        "{tense}里 {verb} 要怎么变？",
        "把 {verb} 变成{tense}，写出来",
        "{verb}，{tense}，[{person}]形式是什么",
        "求 {verb} 的{tense}变位表",
    ),
    outcomes=(
        Outcome(
            fields=(("first_person", Word(("hablo", "vengo", "suis", "vais", "gehe", "tengo", "finirai"))),),
            texts=("1st person: {first_person}",),
            answers=("The first person of {verb} is {first_person}.", "It begins with {first_person}."),
            answers_zh=("{verb} 的第一人称是 {first_person}。", "第一人称：{first_person}。"),
        ),
    ),
    missing=(
        Missing(
            key="tense",
            asks=("Conjugate {verb}.", "how does {verb} go"),
            replies=("In which tense?", "Which tense would you like?"),
            asks_zh=("{verb} 怎么变位？", "给我 {verb} 的变位"),
            replies_zh=("请问要哪个时态？", "什么时态的变位？"),
        ),
    ),
)

PINYIN = Family(
    key="tongues.pinyin",
    names=("to_pinyin", "hanzi_to_pinyin", "romanize_chinese", "pinyin_of"),
    about=("Pinyin of Chinese characters.", "Writes Chinese text in Latin letters, with or without tones."),
    about_zh=("汉字转拼音。", "给中文标注拼音，可选声调样式。"),
    params=(
        Param("text", HANZI, ("hanzi", "characters", "chinese_text"), ("Chinese text",), ("汉字",)),
        Param(
            "tones",
            Choice(
                {
                    "marks": (("tone marks",), ("带声调符号",)),
                    "numbers": (("tone numbers",), ("用数字标声调",)),
                    "none": (("no tones", "without tones"), ("不带声调", "不要声调")),
                }
            ),
            ("tone_style", "tones"),
            ("How tones are written",),
            ("声调样式",),
            False,
        ),
    ),
    asks=(
        "What's the pinyin for {text}[, {tones}]?",
        "how do I read {text} aloud",
        "romanise {text} please",
        "There's a sign that says {text}. How would I say that in Latin letters?",
        "write {text} in pinyin[, {tones}]",
        "my teacher wrote {text} on the board and I don't know how it sounds",
        "pinyin {text}",
        Ask("give me {text} in pinyin with little tone marks on top", {"tones": "marks"}),
    ),
    asks_zh=(
        "{text}怎么念？",
        "{text}的拼音是什么[，{tones}]",
        "给{text}注音",
        "看到{text}两眼一抹黑，读啥",
        "{text}标一下拼音[，{tones}]",
        "{text}这个词我一直读错，正确拼音是？",
        "把{text}转成拼音[，{tones}]",
        "孩子课本上有{text}，拼音咋写",
        "{text}，拼音",
        Ask("{text}的拼音，声调用数字1234标", {"tones": "numbers"}),
        "请问{text}读什么音",
    ),
    outcomes=(
        Outcome(
            fields=(("pinyin", Word(("nǐ hǎo", "xiè xie", "yín háng", "yīn yuè", "jué sè", "chí chú"))),),
            texts=("{pinyin}",),
            answers=("{text} is {pinyin}.", "It reads {pinyin}."),
            answers_zh=("{text}读作{pinyin}。", "拼音是{pinyin}。"),
        ),
    ),
    missing=(
        Missing(
            key="text",
            asks=("I need the pinyin of a word.", "how is this character read?"),
            replies=("Which characters?", "What are the characters?"),
            asks_zh=("这个字怎么读？", "帮我标个拼音"),
            replies_zh=("请问是哪个词？", "要标哪几个字？"),
        ),
    ),
)

STROKES = Family(
    key="tongues.strokes",
    names=("stroke_order", "character_strokes", "how_to_write", "show_strokes"),
    about=("Stroke order of a Chinese character.", "Shows how a character is written, stroke by stroke."),
    about_zh=("查询汉字笔顺。", "演示一个汉字的书写笔画顺序。"),
    params=(Param("character", CHARACTER, ("character", "glyph", "hanzi"), ("One character",), ("单个汉字",)),),
    asks=(
        "In which order do I write the strokes of {character}?",
        "how many strokes has {character}, and in what order",
        "show me how to write {character}",
        "Learning to use a brush: where do I begin with {character}?",
        "stroke order {character}",
        "I want to paint {character} on a card and do it properly",
        "what's the first stroke in {character}",
        "my pen keeps starting {character} in the wrong corner, what's the order?",
    ),
    asks_zh=(
        "{character}字的笔顺是什么？",
        "“{character}”怎么写，先写哪一笔",
        "{character}字有几画",
        "教孩子写{character}字，笔画顺序给我",
        "练毛笔字，{character}从哪里起笔？",
        "{character}的第一笔是横还是竖",
        "查笔顺：{character}",
        "演示一下{character}字怎么写",
        "{character}这个字我总倒着写，正确顺序呢",
        "笔画数和笔顺，{character}",
        "{character}字描红，先横还是先撇",
    ),
    outcomes=(
        Outcome(
            fields=(("strokes", Integer(4, 16)),),
            texts=("{strokes} strokes",),
            texts_zh=("{strokes}画",),
            answers=("{character} has {strokes} strokes.", "It is written with {strokes} strokes."),
            answers_zh=("{character}字一共{strokes}画。", "共{strokes}笔。"),
        ),
    ),
)

GOAL = Family(
    key="tongues.goal",
    names=("set_learning_goal", "daily_study_goal", "update_practice_target", "learning_target"),
    about=("Set how long to study a language every day.", "Daily study goal of a course."),
    about_zh=("设置每天学习语言的时长目标。", "修改课程的每日学习目标。"),
    params=(
        Param("language", Tongue(), ("course", "language"), ("Language of the course",), ("课程语言",)),
        Param("minutes", Duration("minutes", (5, 10, 15, 20, 30, 45, 60)), ("minutes_per_day", "goal"), (), ()),
    ),
    asks=(
        "I want to study {language} for {minutes} a day.",
        "set my {language} goal to {minutes} daily",
        "{minutes} of {language} every day from now on, note that down as my target",
        "my {language} course: make the daily goal {minutes}",
        "New resolution: {minutes} of {language} each day. Set it up.",
        "raise the {language} target to {minutes} per day",
        "I promised my boss {minutes} of {language} per day, put that in as my goal",
        "make it {minutes} a day for {language} from now on",
    ),
    asks_zh=(
        "我想每天学{language}{minutes}",
        "把{language}的每日目标设成{minutes}",
        "以后每天{minutes}{language}，帮我定个目标",
        "{language}课程，每天{minutes}",
        "新年计划：天天学{minutes}的{language}，设一下",
        "{language}学习目标改为每天{minutes}",
        "给自己加点压，{language}每天要学{minutes}",
        "每日打卡目标：{language}，{minutes}",
        "跟老板保证了每天{minutes}{language}，设成目标",
        "{language}太荒了，改成一天{minutes}",
    ),
    outcomes=(
        Outcome(
            fields=(("saved", Flag()),),
            texts=("goal saved",),
            answers=("Your goal for {language} is now {minutes} a day.", "Done: {minutes} of {language} a day."),
            answers_zh=("{language}的目标已设为每天{minutes}。", "好的，每天{minutes}{language}。"),
        ),
    ),
    missing=(
        Missing(
            key="minutes",
            asks=("Set a daily goal for {language}.", "i want to learn {language} every day, make it a goal"),
            replies=("How long would you like to study each day?", "How many minutes a day?"),
            asks_zh=("给{language}设个每日目标", "我要天天学{language}，定个目标"),
            replies_zh=("请问每天学多久？", "每天多少分钟？"),
        ),
    ),
)

DOMAIN = Domain(
    "tongues",
    (DRILL, PRONOUNCE, GRAMMAR, CONJUGATE, PINYIN, STROKES, GOAL),
    unserved=(
        ("Find me a teacher for Italian in my area.", "帮我在附近找个意大利语老师。"),
        ("Register me for the language exam in June.", "帮我报名六月的语言考试。"),
        ("What is the hardest language in the world?", "世界上最难的语言是哪种？"),
        ("Find a pen pal in Brazil for me.", "帮我找个巴西的笔友。"),
        ("Write a love letter in French.", "用法语写一封情书。"),
        ("Order a Spanish dictionary.", "买一本西班牙语词典。"),
        ("Turn on subtitles for the film.", "把电影字幕打开。"),
        ("Which of my friends speaks Polish?", "我的朋友里谁会波兰语？"),
        ("Cancel my subscription to the course.", "取消我的课程订阅。"),
        ("Where does the word robot come from?", "机器人这个词是怎么来的？"),
        ("Record my voice for thirty seconds.", "给我录音三十秒。"),
        ("How many people speak Swahili?", "有多少人说斯瓦希里语？"),
    ),
)
