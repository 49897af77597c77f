"""Software in many languages, and messages between services: strings, language files, reviewers, topics."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, Word
from training.data.wordings import composed, pool
from training.data.world import Person, Tongue

STRING_KEY = composed(
    ("{screen}.{part}", "{screen}_{part}", "{screen}.{part}.label"),
    ("{screen}.{part}", "{screen}_{part}"),
    {
        "screen": pool("login | cart | settings | profile | checkout | search | onboarding | menu | error | invoice"),
        "part": pool("title | button | hint | welcome | empty | cancel | confirm | subtitle | tooltip | footer"),
    },
)
PHRASE = Word(
    pool(
        """Add to basket | Sign in | Try again | See you soon | Your cart is empty | Save changes
        Forgot your password? | Next step | Good morning | Nothing found | Delete account | Thanks for your order
        Read more | Back | Welcome home | Choose a date | Almost done | Turn on sound"""
    ),
    pool(
        """加入购物车 | 登录 | 请重试 | 回头见 | 购物车是空的 | 保存修改 | 忘记密码？ | 下一步 | 早上好 | 没有结果
        注销账号 | 感谢下单 | 查看更多 | 返回 | 欢迎回家 | 选择日期 | 马上就好 | 打开声音"""
    ),
    quoted=0.95,
)
APP = Word(
    pool(
        """web shop | mobile app | help centre | admin panel | booking page | game client | newsletter tool
        kiosk screen | billing portal | watch app"""
    ),
    pool("网店 | 手机应用 | 帮助中心 | 管理后台 | 预订页面 | 游戏客户端 | 邮件工具 | 自助机 | 账单门户 | 手表应用"),
)
TOPIC = composed(
    ("{team}.{event}", "{team}/{event}", "{team}-{event}"),
    ("{team}.{event}", "{team}/{event}", "{team}-{event}"),
    {
        "team": pool("orders | users | stock | payments | sensors | fleet | mail | games"),
        "event": pool("created | deleted | updated | failed | low | paid | started | moved"),
    },
)

GAPS = Family(
    key="localisation.gaps",
    names=("missing_translations", "untranslated_strings", "translation_progress", "language_coverage"),
    about=(
        "How much of an app is not translated yet.",
        "Counts the strings of an app that lack a language.",
        "Progress of a translation; translates nothing.",
    ),
    about_zh=("查询软件翻译进度。", "统计某应用在某语言下未翻译的文案数量。"),
    params=(
        Param("language", Tongue(), ("language", "locale", "lang"), ("Which language",), ("语言",)),
        Param("app", APP, ("app", "project", "product"), ("Which software",), ("软件",), False),
    ),
    asks=(
        "How many strings are still missing in {language}[ for the {app}]?",
        "{language} translation progress[, {app}]",
        "Can we ship[ the {app}] in {language} yet or are there gaps?",
        "what's untranslated in {language}[ in the {app}]",
        "our users in the {language} version still see English, how much is left[ in the {app}]",
        "is {language} complete[ in the {app}]",
        "how far is the team with {language}[ for the {app}]",
        "{language}: open texts[ in the {app}]?",
    ),
    asks_zh=(
        "[{app}的]{language}还有多少没翻译？",
        "{language}翻译进度[，{app}]",
        "{language}版能上线了吗，还缺多少文案",
        "[{app}里]{language}还剩几条没翻",
        "用户说{language}界面还有英文，缺多少[？{app}]",
        "{language}翻完了没有[，{app}]",
        "查一下[{app}]{language}的缺失文案",
        "{language}本地化做到哪了",
        "[{app}]{language}完成度",
        "还有多少字符串没有{language}",
    ),
    outcomes=(
        Outcome(
            fields=(("missing", Integer(0, 800)), ("percent_done", Integer(20, 100))),
            texts=("{missing} missing, {percent_done}% done",),
            texts_zh=("缺{missing}条，完成{percent_done}%",),
            answers=(
                "{missing} strings are missing in {language}.",
                "It is {percent_done}% done; {missing} are missing.",
                "{missing} are left.",
            ),
            answers_zh=(
                "{language}还缺{missing}条。",
                "完成{percent_done}%，还剩{missing}条。",
                "还有{missing}条没翻译。",
            ),
        ),
    ),
    missing=(
        Missing(
            "language",
            ("How many strings are untranslated in the {app}?", "what's missing in the translation"),
            ("In which language?", "Which language do you mean?"),
            ("{app}还有多少没翻译？", "翻译还差多少"),
            ("请问是哪种语言？", "查哪个语言？"),
        ),
    ),
)

STORE = Family(
    key="localisation.store",
    names=("save_translation", "set_string", "update_translation", "store_localized_text"),
    about=(
        "Save the text of a string in a language.",
        "Writes a translation that is given under its key.",
        "It stores texts and does not translate them.",
    ),
    about_zh=("保存文案翻译。", "把给定的译文写入某个键，不负责翻译。"),
    params=(
        Param("key", STRING_KEY, ("key", "string_key", "id"), ("Key of the string",), ("文案键",)),
        Param("language", Tongue(), ("language", "locale"), ("Language of the text",), ("语言",)),
        Param("text", PHRASE, ("text", "value", "translation"), ("The text itself",), ("译文",)),
    ),
    asks=(
        "Save {text} as the {language} text of {key}.",
        "{key}, {language}: {text}",
        "the key {key} should read {text} in {language}",
        "in {language} we want {text} for {key}",
        "set {key} to {text}, language {language}",
        "Our translator sent {text} for {key}, that's the {language} one. Put it in.",
        "{language} string {key} becomes {text}",
        "please store {text} under {key} for {language}",
    ),
    asks_zh=(
        "{key}的{language}文案存为{text}",
        "{key}，{language}：{text}",
        "把{text}写到{key}，语言{language}",
        "{language}里{key}显示{text}",
        "译者发来了{text}，是{key}的{language}版，录进去",
        "{key}在{language}下改成{text}",
        "保存翻译：{key}，{language}，{text}",
        "{language}的{key}应该是{text}",
        "更新{language}文案{key}，内容{text}",
        "给{key}填上{language}译文{text}",
    ),
    outcomes=(
        Outcome(
            fields=(("characters", Integer(3, 40)),),
            texts=("saved, {characters} characters",),
            texts_zh=("已保存，{characters}个字符",),
            answers=("{key} is saved in {language}.", "Done, {characters} characters.", "The text of {key} is stored."),
            answers_zh=("{key}的{language}文案已保存。", "存好了，{characters}个字符。", "{key}已更新。"),
        ),
    ),
    missing=(
        Missing(
            "text",
            ("Set the {language} text of {key}.", "{key} needs its {language} text"),
            ("What should it say?", "Which text should I save?"),
            ("填一下{key}的{language}文案", "更新{key}的{language}版"),
            ("请问内容是什么？", "译文写什么？"),
        ),
        Missing(
            "language",
            ("{key} should read {text}.", "save {text} under {key}"),
            ("In which language?", "For which language?"),
            ("{key}改成{text}", "把{text}写到{key}"),
            ("请问是哪种语言？", "哪个语言的？"),
        ),
    ),
    also=("reference.translate",),
)

EXPORT = Family(
    key="localisation.export",
    names=("export_language_file", "download_strings", "build_language_pack", "export_locale"),
    about=(
        "Export all strings of a language into a file.",
        "Makes a language file as JSON, CSV, PO or XLIFF.",
        "Exports only.",
    ),
    about_zh=("导出语言文件。", "把某语言的全部文案导出为 JSON、CSV、PO 或 XLIFF。"),
    params=(
        Param("language", Tongue(), ("language", "locale", "lang"), ("Which language",), ("语言",)),
        Param(
            "format",
            Choice(
                {
                    "json": (("JSON",), ("JSON",)),
                    "csv": (("CSV",), ("CSV",)),
                    "po": (("PO",), ("PO",)),
                    "xliff": (("XLIFF",), ("XLIFF",)),
                }
            ),
            ("format", "file_format", "type"),
            ("Format of the file",),
            ("格式",),
        ),
        Param(
            "checked",
            Flag(),
            ("reviewed_only", "only_approved"),
            ("Only texts that were reviewed",),
            ("仅已审核",),
            False,
        ),
    ),
    asks=(
        "Export {language} as {format}.",
        "give me the {language} strings in a {format} file",
        Ask("{language} language pack, {format}, only reviewed texts", {"checked": True}),
        Ask("all {language} strings as {format}, reviewed or not", {"checked": False}),
        "the agency wants our {language} texts, they take {format}",
        "{format} file for {language}, please",
        "I need to hand over the {language} locale as {format}",
        "build the {language} file ({format})",
    ),
    asks_zh=(
        "导出{language}，{format}格式",
        "把{language}文案导成{format}",
        Ask("{language}语言包，{format}，只要审核过的", {"checked": True}),
        Ask("{language}全部导出{format}，没审核的也要", {"checked": False}),
        "翻译公司要我们的{language}文本，他们用{format}",
        "给我一份{language}的{format}文件",
        "{language}语言文件，{format}",
        "生成{format}格式的{language}包",
        "要交{language}的字符串，格式{format}",
        "下载{language}文案（{format}）",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("strings", Integer(100, 5000)),
                ("file", Word(pool("locale_07.zip | strings.zip | pack_v3.zip | texts.zip"))),
            ),
            texts=("{file}, {strings} strings",),
            texts_zh=("{file}，{strings}条",),
            answers=(
                "{file} holds {strings} strings.",
                "The export is ready: {file}.",
                "Done, {strings} strings in {file}.",
            ),
            answers_zh=("{file}，共{strings}条。", "导出好了：{file}。", "完成，{strings}条文案。"),
        ),
    ),
    missing=(
        Missing(
            "format",
            ("Export the {language} strings.", "I need our {language} texts as a file"),
            ("In which format: JSON, CSV, PO or XLIFF?", "Which format?"),
            ("导出{language}文案", "给我{language}的语言文件"),
            ("请问要什么格式？", "导成 JSON、CSV、PO 还是 XLIFF？"),
        ),
    ),
)

REVIEWER = Family(
    key="localisation.reviewer",
    names=("assign_reviewer", "set_language_reviewer", "name_proofreader", "choose_language_owner"),
    about=(
        "Say who checks a language.",
        "Makes somebody the reviewer of a language in our software.",
        "Sets the person; starts no review.",
    ),
    about_zh=("指定语言审校人。", "让某人负责某语言文案的审核。"),
    params=(
        Param("person", Person(), ("reviewer", "person", "proofreader"), ("Who checks",), ("审校人",)),
        Param("language", Tongue(), ("language", "locale"), ("Which language",), ("语言",)),
    ),
    asks=(
        "{person} reviews the {language} texts from now on.",
        "make {person} the proofreader for {language}",
        "{language} reviewer: {person}",
        "I'd like {person} to check our {language} strings",
        "{person} grew up with {language}, let them look after that language in the app",
        "assign {language} to {person} for review",
        "who checks {language}? put {person} there",
        "hand the {language} proofreading to {person}",
    ),
    asks_zh=(
        "{language}文案以后由{person}审",
        "让{person}当{language}的审校",
        "{language}审核人：{person}",
        "{person}母语是{language}，界面文字让他把关",
        "把{language}交给{person}校对",
        "指定{person}负责{language}审核",
        "{language}的校对换成{person}",
        "我想请{person}看{language}的文案",
        "{language}没人审，派{person}",
        "软件里的{language}归{person}管",
    ),
    outcomes=(
        Outcome(
            fields=(("waiting_for_review", Integer(0, 300)),),
            texts=("set, {waiting_for_review} texts wait",),
            texts_zh=("已设置，待审{waiting_for_review}条",),
            answers=(
                "{person} reviews {language} now.",
                "Done; {waiting_for_review} texts wait for review.",
                "{language} belongs to {person}.",
            ),
            answers_zh=("{language}由{person}审核。", "好了，待审{waiting_for_review}条。", "已交给{person}。"),
        ),
    ),
    missing=(
        Missing(
            "person",
            ("We need a reviewer for {language}.", "somebody has to check {language}"),
            ("Who should review it?", "Whom should I assign?"),
            ("{language}要找个人审", "给{language}指定审校"),
            ("请问让谁审？", "交给谁？"),
        ),
    ),
)

LISTEN = Family(
    key="localisation.topic",
    names=("subscribe_to_topic", "listen_to_topic", "attach_consumer", "follow_event_topic"),
    about=(
        "Let a service listen to a message topic.",
        "Subscribes a program to a topic, from the start or from now on.",
        "Message topics between services, not newsletters.",
    ),
    about_zh=("订阅消息主题。", "让某程序接收某主题的消息，不是邮件订阅。"),
    params=(
        Param("topic", TOPIC, ("topic", "topic_name", "channel"), ("Name of the topic",), ("主题",)),
        Param("app", APP, ("consumer", "service", "subscriber"), ("Who listens",), ("消费者",)),
        Param(
            "replay", Flag(), ("from_beginning", "replay_history"), ("Old messages as well",), ("是否从头消费",), False
        ),
    ),
    asks=(
        "Subscribe the {app} to the topic {topic}.",
        "the {app} should hear everything on {topic}",
        Ask("let the {app} listen to {topic} from the very beginning", {"replay": True}),
        Ask("hook the {app} up to {topic}, only new messages", {"replay": False}),
        "{topic} -> {app}, attach a consumer",
        "our {app} misses the messages of {topic}, connect them",
        "from today the {app} gets the events on {topic}",
        "topic {topic}, new subscriber: {app}",
    ),
    asks_zh=(
        "让{app}订阅主题{topic}",
        "{app}要收{topic}的消息",
        Ask("{app}从头消费{topic}", {"replay": True}),
        Ask("{app}接上{topic}，只要新消息", {"replay": False}),
        "{topic}加一个消费者：{app}",
        "{app}收不到{topic}的事件，连上",
        "主题{topic}，订阅方{app}",
        "把{app}挂到{topic}上",
        "以后{topic}的消息也发给{app}",
        "给{app}开通{topic}订阅",
    ),
    outcomes=(
        Outcome(
            fields=(("subscribers", Integer(1, 20)),),
            texts=("subscribed, {subscribers} subscribers",),
            texts_zh=("已订阅，共{subscribers}个订阅方",),
            answers=(
                "The {app} listens to {topic} now.",
                "Done; {topic} has {subscribers} subscribers.",
                "Subscribed.",
            ),
            answers_zh=("{app}已订阅{topic}。", "好了，{topic}共{subscribers}个订阅方。", "订阅成功。"),
        ),
    ),
    missing=(
        Missing(
            "topic",
            ("Let the {app} listen to a topic.", "the {app} needs those messages, subscribe it"),
            ("To which topic?", "What is the topic called?"),
            ("让{app}订阅一个主题", "{app}要收消息"),
            ("请问是哪个主题？", "主题名是什么？"),
        ),
    ),
)

DOMAIN = Domain(
    "localisation",
    (GAPS, STORE, EXPORT, REVIEWER, LISTEN),
    unserved=(
        ("Change the font of the app.", "改一下应用的字体。"),
        ("Hire a translator in Lisbon.", "在里斯本请个翻译。"),
        ("Make the buttons wider.", "把按钮加宽。"),
        ("Record the voice-over in Japanese.", "录日语配音。"),
        ("Which country buys most from us?", "哪个国家买得最多？"),
        ("Delete the whole topic.", "把整个主题删掉。"),
        ("Fix the spelling on the start page.", "改正首页的错别字。"),
        ("Take a screenshot of the menu.", "给菜单截个图。"),
        ("Pay the agency's invoice.", "把翻译公司的发票付了。"),
        ("Publish a new version of the app.", "发布应用的新版本。"),
        ("Teach me some Dutch.", "教我几句荷兰语。"),
        ("How fast do our messages travel?", "我们的消息传得多快？"),
    ),
)
