"""Video calls, slides and forms: the tools around a meeting."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, ListOf, Word
from training.data.times import Duration
from training.data.wordings import pool
from training.data.world import Person

TITLE = Word(
    pool(
        """Why Bees Matter | Quarterly Results | Our Trip to Iceland | Safety at Work | Roman Roads
        New Office Plan | The Water Cycle | Choir Anniversary | Budget Options | Customer Interviews
        Startup Pitch | Solar on the Roof | How We Hire | A Short History of Tea | Product Roadmap
        Bike Lanes Now | Lessons Learned | Annual Review"""
    ),
    pool(
        """蜜蜂为什么重要 | 季度业绩 | 冰岛之旅 | 安全生产 | 古罗马道路 | 新办公室方案 | 水循环 | 合唱团周年
        预算方案 | 客户访谈 | 创业路演 | 屋顶光伏 | 招聘流程 | 茶叶简史 | 产品路线图 | 自行车道 | 经验总结
        年度回顾"""
    ),
    quoted=0.85,
)
QUESTION = Word(
    pool(
        """name | e-mail address | age | T-shirt size | arrival day | favourite dish | allergies | phone number
        company | number of guests | comments | postal code | job title | emergency contact | date of birth
        dietary wishes"""
    ),
    pool(
        """姓名 | 邮箱 | 年龄 | 衣服尺码 | 到达日期 | 最爱的菜 | 过敏情况 | 手机号 | 公司 | 来宾人数 | 意见 | 邮编
        职位 | 紧急联系人 | 出生日期 | 饮食要求"""
    ),
)
FORM = Word(
    pool(
        """sign-up sheet | guest survey | order form | feedback form | visitor list | job application
        membership form | trip registration | party RSVP | race entry"""
    ),
    pool("报名表 | 来宾调查 | 订购单 | 反馈表 | 访客登记 | 求职申请 | 入会申请 | 旅行登记 | 聚会回执 | 参赛表"),
)

MUTE = Family(
    key="conference.mute",
    names=("mute_participant", "set_microphone", "silence_speaker", "control_mic"),
    about=(
        "Switch somebody's microphone in a call on or off.",
        "Mutes or unmutes a participant of the running video call.",
        "Microphones only.",
    ),
    about_zh=("控制参会者的麦克风。", "在视频会议中将某人静音或取消静音。"),
    params=(
        Param("person", Person(), ("participant", "person", "attendee"), ("Whose microphone",), ("参会者",)),
        Param("muted", Flag(), ("muted", "mute"), ("True to silence",), ("是否静音",)),
    ),
    asks=(
        Ask("Mute {person}.", {"muted": True}),
        Ask("unmute {person} please", {"muted": False}),
        Ask("{person}'s dog is barking into the call, switch off that mic", {"muted": True}),
        Ask("we can't hear {person}, turn the microphone on", {"muted": False}),
        Ask("Let {person} speak now.", {"muted": False}),
        Ask("there's an echo from {person}, silence them", {"muted": True}),
        Ask("{person} mic off", {"muted": True}),
        Ask("{person} wants to say something and is muted. Open the mic.", {"muted": False}),
    ),
    asks_zh=(
        Ask("把{person}静音", {"muted": True}),
        Ask("给{person}开麦", {"muted": False}),
        Ask("{person}那边狗一直叫，关掉他的麦", {"muted": True}),
        Ask("听不见{person}说话，把麦打开", {"muted": False}),
        Ask("{person}有回音，闭麦", {"muted": True}),
        Ask("让{person}发言，取消静音", {"muted": False}),
        Ask("{person}太吵了，麦克风关一下", {"muted": True}),
        Ask("{person}想说话但被静音了，放开吧", {"muted": False}),
        Ask("关{person}的麦", {"muted": True}),
        Ask("解除{person}的静音", {"muted": False}),
    ),
    outcomes=(
        Outcome(
            fields=(("open_microphones", Integer(1, 30)),),
            texts=("ok, {open_microphones} mics open",),
            texts_zh=("完成，{open_microphones}人开麦",),
            answers=(
                "Done for {person}.",
                "Done; {open_microphones} microphones are open.",
                "{person}'s microphone is switched.",
            ),
            answers_zh=("{person}的麦已处理。", "好了，现在{open_microphones}人开麦。", "{person}的麦克风已切换。"),
        ),
    ),
    missing=(
        Missing(
            "person",
            ("Mute somebody in the call.", "switch off that noisy mic"),
            ("Whose microphone?", "Who should be muted?"),
            ("会议里有人太吵，静音一下", "把麦关了"),
            ("请问是谁的麦克风？", "要静音谁？"),
        ),
    ),
)

ROOMS = Family(
    key="conference.breakout",
    names=("open_breakout_rooms", "split_into_groups", "create_breakouts", "start_group_rooms"),
    about=(
        "Split a call into group rooms.",
        "Opens a number of breakout rooms for a while.",
        "Rooms in a video call, not in a building.",
    ),
    about_zh=("开启分组讨论室。", "把视频会议分成若干小组，可设时长。"),
    params=(
        Param("rooms", Integer(2, 12), ("rooms", "number_of_rooms", "groups"), ("How many",), ("小组数",)),
        Param(
            "time",
            Duration("minutes", (5, 8, 10, 12, 15, 20, 25, 30)),
            ("minutes", "duration", "close_after"),
            ("How long",),
            ("时长",),
            False,
        ),
        Param("random", Flag(), ("assign_randomly", "shuffle"), ("Mix people by chance",), ("是否随机分组",), False),
    ),
    asks=(
        "Open {rooms} breakout rooms[ for {time}].",
        "split the call into {rooms} groups[, {time}]",
        "I'd like people to discuss in {rooms} small rooms[ for {time}]",
        Ask("make {rooms} groups by chance[ for {time}]", {"random": True}),
        Ask("{rooms} breakouts, but I'll sort the people myself, not randomly", {"random": False}),
        "time for group work: {rooms} rooms[, back in {time}]",
        "send everybody off into {rooms} rooms[ for {time}]",
        "breakouts, {rooms}[, {time}]",
    ),
    asks_zh=(
        "开{rooms}个分组讨论室[，{time}]",
        "把会议分成{rooms}组[，讨论{time}]",
        "大家分{rooms}个小组聊[{time}]",
        Ask("随机分{rooms}组[，{time}]", {"random": True}),
        Ask("分{rooms}组，人我自己排，不要随机", {"random": False}),
        "小组讨论时间，{rooms}间[，{time}后回来]",
        "分组：{rooms}个[，时长{time}]",
        "线上课分{rooms}组做练习[，{time}]",
        "视频会议里建{rooms}个讨论间",
        "拆成{rooms}组[，每组{time}]",
    ),
    outcomes=(
        Outcome(
            fields=(("people_per_room", Integer(2, 9)),),
            texts=("open, {people_per_room} people each",),
            texts_zh=("已开启，每组{people_per_room}人",),
            answers=(
                "{rooms} rooms are open, with {people_per_room} people each.",
                "The groups have started.",
                "Done: {people_per_room} people in each room.",
            ),
            answers_zh=(
                "{rooms}个讨论室已开，每组{people_per_room}人。",
                "分组开始了。",
                "好了，每组{people_per_room}人。",
            ),
        ),
    ),
    missing=(
        Missing(
            "rooms",
            ("Open breakout rooms for {time}.", "let's do group work in the call"),
            ("How many rooms?", "Into how many groups?"),
            ("开分组讨论", "大家分组聊{time}"),
            ("请问分几组？", "要几个讨论室？"),
        ),
    ),
)

RECORD = Family(
    key="conference.record",
    names=("record_call", "call_recording", "set_recording", "recording_switch"),
    about=(
        "Start or stop recording a call.",
        "Records the running video call, or ends the recording.",
        "Recording of calls.",
    ),
    about_zh=("开始或停止会议录制。", "录制当前视频会议。"),
    params=(
        Param(
            "on",
            Choice(
                {"start": (("start",), ("开始",)), "stop": (("stop",), ("停止",)), "pause": (("pause",), ("暂停",))}
            ),
            ("action", "state", "command"),
            ("What to do",),
            ("操作",),
        ),
        Param(
            "captions", Flag(), ("with_captions", "transcribe"), ("Write down what is said",), ("是否生成字幕",), False
        ),
    ),
    asks=(
        "{on} recording the call",
        "please {on} the recording",
        Ask("Some people couldn't come, so record this meeting.", {"on": "start"}),
        Ask("record the call with captions", {"on": "start", "captions": True}),
        Ask("that's private now, end the recording", {"on": "stop"}),
        Ask("a short break, hold the recording for a moment", {"on": "pause"}),
        Ask("I want this call on tape, no captions needed", {"on": "start", "captions": False}),
        "recording: {on}",
    ),
    asks_zh=(
        "{on}录制",
        "会议录像{on}一下",
        Ask("有人没来，把会录下来", {"on": "start"}),
        Ask("录制会议，要字幕", {"on": "start", "captions": True}),
        Ask("接下来是私事，别录了", {"on": "stop"}),
        Ask("休息一会，录像先暂停", {"on": "pause"}),
        Ask("录屏吧，字幕不用", {"on": "start", "captions": False}),
        "请{on}会议录制",
        Ask("录制结束", {"on": "stop"}),
        Ask("开录", {"on": "start"}),
    ),
    outcomes=(
        Outcome(
            fields=(("minutes_recorded", Integer(0, 120)),),
            texts=("ok, {minutes_recorded} min so far",),
            texts_zh=("完成，已录{minutes_recorded}分钟",),
            answers=("Done; {minutes_recorded} minutes are recorded.", "The recording is switched.", "Done."),
            answers_zh=("好了，已录{minutes_recorded}分钟。", "录制状态已更改。", "完成。"),
        ),
    ),
)

SLIDES = Family(
    key="conference.slides",
    names=("create_slides", "make_presentation", "build_deck", "new_slide_deck"),
    about=(
        "Make a presentation.",
        "Creates a deck with a title, a number of slides and a style.",
        "Slides only: no texts, tables or pictures.",
    ),
    about_zh=("制作演示文稿。", "按标题、页数和风格生成幻灯片。"),
    params=(
        Param("title", TITLE, ("title", "topic", "deck_title"), ("Title of the deck",), ("标题",)),
        Param("slides", Integer(4, 40), ("slides", "slide_count", "number_of_slides"), ("How many",), ("页数",), False),
        Param(
            "style",
            Choice(
                {
                    "plain": (("plain",), ("简约",)),
                    "colourful": (("colourful",), ("多彩",)),
                    "dark": (("dark",), ("深色",)),
                    "business": (("business",), ("商务",)),
                }
            ),
            ("style", "theme", "template"),
            ("How it looks",),
            ("风格",),
            False,
        ),
    ),
    asks=(
        "Make a presentation called {title}[ with {slides} slides].",
        "slides on {title}[, {slides} of them][, {style} style]",
        "I have to give a talk tomorrow, {title} is the title. Prepare a deck[ of {slides} slides].",
        "new deck: {title}[, {style} look]",
        "create {slides} slides about {title}",
        "could you build me a slide show, title {title}[, in a {style} design]",
        "presentation {title}[, {style}]",
        "my class wants to see something about {title}, make slides[, {slides} pages]",
    ),
    asks_zh=(
        "做个PPT，标题{title}[，{slides}页]",
        "帮我做一份演示文稿{title}[，{style}风格]",
        "明天要演讲，题目是{title}，准备幻灯片[，{slides}页]",
        "关于{title}的PPT[，{style}一点]",
        "生成{slides}页幻灯片，主题{title}",
        "新建演示：{title}[，风格{style}]",
        "{title}，做成幻灯片[，{slides}张]",
        "老师让讲{title}，给我弄个PPT",
        "来一套{title}的演示稿[，{style}风]",
        "演示文稿，{title}[，{slides}页][，{style}]",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("pages", Integer(4, 40)),
                ("file", Word(pool("deck_14.pptx | talk.pptx | slides_v1.pptx | show.pptx"))),
            ),
            texts=("{file}, {pages} slides",),
            texts_zh=("{file}，共{pages}页",),
            answers=("The deck is ready: {file}.", "{file} has {pages} slides.", "Done, it's in {file}."),
            answers_zh=("演示文稿做好了：{file}。", "{file}，共{pages}页。", "好了，文件是{file}。"),
        ),
    ),
    missing=(
        Missing(
            "title",
            ("Make me a presentation with {slides} slides.", "I need a {style} deck"),
            ("What is it about?", "What should the title be?"),
            ("帮我做个PPT", "做{slides}页幻灯片"),
            ("请问主题是什么？", "标题叫什么？"),
        ),
    ),
)

FORMS = Family(
    key="conference.form",
    names=("create_form", "build_questionnaire", "new_web_form", "make_form"),
    about=(
        "Make a form that people fill in.",
        "Creates an online form with its fields.",
        "Forms with several fields; for one question with answers to choose use a poll.",
    ),
    about_zh=("创建在线表单。", "按字段生成供人填写的表单。"),
    params=(
        Param("form", FORM, ("form_name", "title", "name"), ("Name of the form",), ("表单名称",)),
        Param("fields", ListOf(QUESTION, 2, 5), ("fields", "questions", "inputs"), ("What is asked",), ("字段",)),
        Param(
            "most",
            Integer(10, 500),
            ("max_responses", "response_limit"),
            ("Close after so many answers",),
            ("最多份数",),
            False,
        ),
    ),
    asks=(
        "Make a {form} that asks for {fields}.",
        "new form: {form}, fields {fields}[, at most {most} answers]",
        "I need a {form} with {fields}[, closed after {most} replies]",
        "build a {form} where people enter {fields}",
        "I want people to fill in a {form}. Ask them for {fields}.",
        "{form}: {fields}[, limit {most}]",
        "create an online {form}, it should contain {fields}",
        "could you put together a {form} asking {fields}[, and stop it at {most} responses]",
    ),
    asks_zh=(
        "做个{form}，要填{fields}",
        "新建表单{form}，字段有{fields}[，最多{most}份]",
        "我需要一份{form}，包含{fields}[，满{most}份关闭]",
        "建{form}让大家填{fields}",
        "搞活动用的{form}，收集{fields}",
        "{form}：{fields}[，限{most}人]",
        "在线{form}，内容{fields}",
        "帮我设计{form}，问{fields}[，收够{most}份就停]",
        "生成{form}，里面要有{fields}",
        "弄个{form}，栏目是{fields}",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("link", Word(pool("forms.example/a71 | forms.example/k3p | forms.example/zz9 | forms.example/20f"))),
            ),
            texts=("ready: {link}",),
            texts_zh=("已生成：{link}",),
            answers=("The {form} is at {link}.", "Done: {link}.", "People can fill it in at {link}."),
            answers_zh=("{form}在这里：{link}。", "做好了，{link}。", "大家可以在{link}填写。"),
        ),
    ),
    missing=(
        Missing(
            "fields",
            ("Make a {form}.", "I need an online {form}"),
            ("What should the form ask for?", "Which fields do you want?"),
            ("做个{form}", "帮我建一份{form}"),
            ("请问要填哪些内容？", "需要哪些字段？"),
        ),
    ),
    also=("creation.poll",),
)

DOMAIN = Domain(
    "conference",
    (MUTE, ROOMS, RECORD, SLIDES, FORMS),
    unserved=(
        ("Blur my background.", "把我的背景虚化。"),
        ("Share my screen.", "共享我的屏幕。"),
        ("Throw the stranger out of the call.", "把陌生人踢出会议。"),
        ("Translate the slides into Greek.", "把幻灯片翻成希腊语。"),
        ("Who spoke most today?", "今天谁发言最多？"),
        ("Raise my hand.", "帮我举手。"),
        ("Add music to the third slide.", "第三页加点音乐。"),
        ("How many people filled in the form?", "有多少人填了表？"),
        ("Write the minutes of the meeting.", "写会议纪要。"),
        ("Turn on my camera.", "打开我的摄像头。"),
        ("Delete all answers to the survey.", "把问卷的回答都删掉。"),
        ("Order a projector.", "订一台投影仪。"),
    ),
)
