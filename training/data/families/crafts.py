"""Things made by hand: yarn, patterns, stitches, frames, progress, and stalls at the craft fair."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, Word
from training.data.times import Day, Duration
from training.data.wordings import pool
from training.data.world import City, Person

GARMENT = Choice(
    {
        "sweater": (("sweater", "jumper"), ("毛衣",)),
        "scarf": (("scarf",), ("围巾",)),
        "hat": (("hat", "beanie"), ("帽子", "毛线帽")),
        "socks": (("pair of socks",), ("袜子",)),
        "blanket": (("blanket",), ("毯子",)),
        "mittens": (("pair of mittens",), ("手套",)),
    },
    (
        {
            "sweater": "SWEATER",
            "scarf": "SCARF",
            "hat": "HAT",
            "socks": "SOCKS",
            "blanket": "BLANKET",
            "mittens": "MITTENS",
        },
    ),
)
SIZE = Choice(
    {
        "baby": (("baby", "newborn"), ("婴儿", "宝宝")),
        "child": (("child", "kid"), ("儿童", "小孩")),
        "woman": (("woman", "lady"), ("女士",)),
        "man": (("man", "gentleman"), ("男士",)),
    },
    (
        {"baby": "XS", "child": "S", "woman": "M", "man": "L"},
        {"baby": "BABY", "child": "CHILD", "woman": "WOMAN", "man": "MAN"},
    ),
)
THICKNESS = Choice(
    {"thin": (("thin", "fine"), ("细",)), "medium": (("medium",), ("中粗",)), "thick": (("thick", "chunky"), ("粗",))}
)
CRAFT = Choice(
    {
        "knitting": (("knitting",), ("棒针编织", "织毛线")),
        "crochet": (("crochet",), ("钩针",)),
        "sewing": (("sewing",), ("缝纫",)),
        "embroidery": (("embroidery",), ("刺绣",)),
        "origami": (("origami", "paper folding"), ("折纸",)),
        "woodwork": (("woodwork",), ("木工",)),
    },
    (
        {
            "knitting": "KNIT",
            "crochet": "CROCHET",
            "sewing": "SEW",
            "embroidery": "EMBROIDER",
            "origami": "FOLD",
            "woodwork": "WOOD",
        },
    ),
)
MOTIF = Word(
    pool(
        """fox | hedgehog | Christmas tree | squid | sunflower | tote bag | teddy bear | dinosaur | snowflake
        pencil case | birdhouse | cushion cover | bunny | crane | strawberry | door wreath | baby shoes | key ring
        rainbow | whale | pot holder | star | dragon | bookmark"""
    ),
    pool(
        """狐狸 | 猫头鹰 | 圣诞树 | 章鱼 | 向日葵 | 帆布包 | 泰迪熊 | 恐龙 | 雪花 | 笔袋 | 鸟窝 | 抱枕套 | 兔子 | 千纸鹤
        草莓 | 门环 | 婴儿鞋 | 钥匙扣 | 彩虹 | 鲸鱼 | 围裙 | 星星 | 龙 | 书签"""
    ),
)
STITCH = Word(
    pool(
        """moss stitch | French knot | magic ring | blind hem | double crochet | cable stitch | backstitch
        chain stitch | satin stitch | kitchener stitch | whip stitch | herringbone stitch | zigzag stitch
        garter stitch | slip knot | picot edge | dovetail joint | running stitch | blanket stitch | popcorn stitch"""
    ),
    pool(
        """桂花针 | 法式结粒绣 | 魔术环 | 藏针缝 | 长针 | 麻花针 | 回针缝 | 锁链绣 | 缎面绣 | 平针 | 上下针 | 十字绣
        锯齿缝 | 短针 | 活结 | 狗牙边 | 燕尾榫 | 平伏针 | 锁边缝 | 爆米花针"""
    ),
)
PROJECT = Word(
    pool(
        """granny square blanket | doll's house | patchwork quilt | Viking ship model | Norwegian sweater | table runner
        toy chest | wedding album | rag rug | paper lantern | wooden train | birth sampler | leather wallet
        mosaic tray | macrame hanger | puppet theatre | herb shelf | felt slippers | beaded necklace
        stained glass lamp"""
    ),
    pool(
        """拼布被 | 娃娃屋 | 帆船模型 | 提花毛衣 | 桌旗 | 玩具箱 | 婚礼相册 | 碎布地毯 | 纸灯笼 | 木头小火车
        十字绣挂画 | 皮钱包 | 马赛克托盘 | 编绳挂件 | 木偶剧场 | 香草架 | 羊毛毡拖鞋 | 串珠项链 | 彩绘玻璃灯 | 布老虎"""
    ),
)
GOODS = Word(
    pool(
        "candles | pottery | knitwear | soap | wooden toys | jewellery | jam | cards | baskets | leather bags | prints"
    ),
    pool("蜡烛 | 陶器 | 毛线制品 | 手工皂 | 木玩具 | 首饰 | 果酱 | 贺卡 | 竹篮 | 皮具 | 版画 | 香包"),
)

YARN = Family(
    key="crafts.yarn",
    names=("yarn_needed", "balls_of_wool", "wool_calculator", "estimate_yarn", "yarn_amount"),
    about=(
        "How much wool a piece takes.",
        "Balls of yarn for a garment, by who wears it and how thick the yarn is.",
        "Estimates yarn. It gives no pattern.",
    ),
    about_zh=("估算需要多少毛线。", "按织物、穿的人和线的粗细估算毛线团数。"),
    params=(
        Param("piece", GARMENT, ("garment", "piece", "item"), ("What is made",), ("织物",)),
        Param("size", SIZE, ("size", "wearer", "for_whom"), ("Who wears it",), ("穿的人",)),
        Param(
            "yarn", THICKNESS, ("yarn_weight", "thickness"), ("Thickness of the yarn",), ("线的粗细",), required=False
        ),
    ),
    asks=(
        "How much wool for a {piece} for a {size}[, in {yarn} yarn]?",
        "{piece} for a {size}, how many balls[ of {yarn} yarn]",
        "I want to knit a {piece} as a present for a {size}. What do I have to buy?",
        "My aunt promised a {size} a {piece}. How many skeins[ of {yarn} wool] does she need?",
        "Standing in the wool shop: {piece}, {size}[, {yarn} yarn]. How many?",
        "is one ball enough for a {piece} for a {size}",
        "What does a {piece} take if it's for a {size}[ and the yarn is {yarn}]?",
        "wool for a {size}'s {piece}",
    ),
    asks_zh=(
        "给{size}织{piece}要多少毛线[，{yarn}线]？",
        "织一件{size}的{piece}，买几团线",
        "想送{size}一个手织{piece}，得准备多少线",
        "姑姑答应给{size}织{piece}，要几团[{yarn}线]",
        "我在毛线店，{size}{piece}[，{yarn}线]，几团够",
        "{piece}，{size}的，一团线够吗",
        "{size}穿的{piece}用{yarn}线织，大概几团",
        "打算织{piece}给{size}，毛线用量多少",
        "{size}{piece}的用线量",
        "织{size}{piece}费不费线，要几团",
    ),
    outcomes=(
        Outcome(
            fields=(("balls", Integer(2, 16)), ("grams", Integer(100, 800, 50))),
            texts=("{balls} balls, {grams} g",),
            texts_zh=("{balls}团，{grams}克",),
            answers=(
                "You need {balls} balls, {grams} g in all.",
                "{balls} balls will do.",
                "Buy {balls} balls of yarn.",
            ),
            answers_zh=("需要{balls}团，共{grams}克。", "{balls}团就够了。", "买{balls}团线。"),
        ),
    ),
    missing=(
        Missing(
            key="size",
            asks=("How much wool does a {piece} take?", "balls of {yarn} yarn for a {piece}"),
            replies=("Who is it for: a baby, a child, a woman or a man?", "Who will wear the {piece}?"),
            asks_zh=("织{piece}要多少线", "{piece}用{yarn}线要几团"),
            replies_zh=("请问是给谁穿的？", "给大人还是小孩？"),
        ),
        Missing(
            key="piece",
            asks=("How much yarn do I need for something for a {size}?",),
            replies=("What do you want to make?", "Which piece would you like to knit?"),
            asks_zh=("想给{size}织点东西，要多少线",),
            replies_zh=("请问织什么？", "打算织哪一样？"),
        ),
    ),
)

PATTERNS = Family(
    key="crafts.find_patterns",
    names=("find_patterns", "search_craft_patterns", "pattern_library", "craft_templates"),
    about=(
        "Find patterns for things to make.",
        "Searches instructions for a craft and a motif, free ones only if wanted.",
        "A library of craft patterns. Explains no stitches.",
    ),
    about_zh=("查找手工图样。", "按手工种类和题材搜索图样，可只看免费的。"),
    params=(
        Param("craft", CRAFT, ("craft", "technique", "category"), ("Which craft",), ("手工种类",)),
        Param("motif", MOTIF, ("motif", "subject", "query"), ("What it shows or is",), ("题材",)),
        Param("free", Flag(), ("free_only", "only_free"), ("True for free ones",), ("是否只看免费",), required=False),
        Param("count", Integer(2, 20), ("limit", "max_results"), ("How many",), ("数量",), required=False, default=10),
    ),
    asks=(
        "I'm looking for a {craft} pattern with a {motif}.",
        "{craft}, {motif}, any instructions",
        Ask("Is there a free {craft} pattern of a {motif}?", {"free": True}),
        "My granddaughter is mad about everything with a {motif}. Find something for {craft}.",
        "Show me {count} {craft} patterns with a {motif}.",
        "How could I make a {motif}? {craft} is my thing.",
        Ask("{craft} template, {motif}, must cost nothing", {"free": True}),
        "Rainy Sunday, so we want to try {craft}: a {motif}. Got a template?",
    ),
    asks_zh=(
        "找个{motif}的{craft}图解",
        "{craft}，{motif}，有教程吗",
        Ask("有没有免费的{craft}{motif}图样", {"free": True}),
        "孙女特别喜欢{motif}，找个{craft}的图样",
        "给我看{count}个{craft}{motif}的图样",
        "想做个{motif}，我会{craft}，有图纸吗",
        Ask("{craft}{motif}模板，要不花钱的", {"free": True}),
        "下雨天在家玩{craft}，做{motif}，来份图样",
        "搜一下{motif}，{craft}用的",
        "{craft}新手想做{motif}，求图解",
    ),
    outcomes=(
        Outcome(
            fields=(("designer", Person()), ("pages", Integer(1, 12))),
            texts=("pattern by {designer}, {pages} pages",),
            texts_zh=("{designer}设计，{pages}页",),
            answers=(
                "There is one by {designer}, {pages} pages long.",
                "I found a pattern by {designer}.",
                "{designer} has made one: {pages} pages.",
            ),
            answers_zh=(
                "有{designer}设计的，共{pages}页。",
                "找到{designer}的图样。",
                "{motif}图样由{designer}设计，{pages}页。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="motif",
            asks=("Find me a {craft} pattern.", "I'd like to do some {craft}, got a template?"),
            replies=("What would you like to make?", "Which motif are you looking for?"),
            asks_zh=("找个{craft}图样", "想做{craft}，有图纸吗"),
            replies_zh=("请问想做什么图案？", "要什么题材的？"),
        ),
    ),
)

EXPLAIN = Family(
    key="crafts.stitch",
    names=("explain_stitch", "stitch_guide", "how_to_stitch", "technique_help"),
    about=(
        "How a stitch or technique is done.",
        "Explains one stitch, knot or joint step by step.",
        "Technique help; for whole projects search patterns.",
    ),
    about_zh=("讲解针法或技法。", "逐步说明某种针法怎么做。"),
    params=(
        Param("stitch", STITCH, ("stitch", "technique", "name"), ("Name of the stitch",), ("针法名称",)),
        Param("left", Flag(), ("left_handed", "lefty"), ("True for left-handers",), ("是否左撇子",), required=False),
    ),
    asks=(
        "How does {stitch} work?",
        "{stitch} how to",
        Ask("I'm left-handed. How do I do {stitch}?", {"left": True}),
        "The pattern says {stitch} and I'm lost.",
        "Grandma used to show me {stitch}, but I've forgotten it.",
        "Walk me through {stitch}, please.",
        Ask("Explain {stitch} for a left-hander.", {"left": True}),
        "what on earth is {stitch} and how is it done",
    ),
    asks_zh=(
        "{stitch}怎么做？",
        "图解上写{stitch}，看不懂",
        Ask("我是左撇子，{stitch}该怎么弄", {"left": True}),
        "教我{stitch}",
        "奶奶以前教过{stitch}，我忘了",
        "{stitch}步骤",
        Ask("左手操作的{stitch}讲一下", {"left": True}),
        "一步一步说说{stitch}",
        "卡在{stitch}这里了，是什么做法",
        "啥叫{stitch}，怎么弄",
    ),
    outcomes=(
        Outcome(
            fields=(("steps", Integer(3, 9)), ("minutes", Integer(2, 15))),
            texts=("{steps} steps, video of {minutes} minutes",),
            texts_zh=("{steps}步，视频{minutes}分钟",),
            answers=(
                "There are {steps} steps, and a video of {minutes} minutes.",
                "{stitch} takes {steps} steps.",
                "A guide with {steps} steps is ready.",
            ),
            answers_zh=(
                "{stitch}分{steps}步，有{minutes}分钟的视频。",
                "一共{steps}步。",
                "讲解共{steps}步，视频{minutes}分钟。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="stitch",
            asks=("How does that stitch work?", "explain the technique in my pattern"),
            replies=("Which stitch do you mean?", "What is the stitch called?"),
            asks_zh=("那个针法怎么做", "教我个针法"),
            replies_zh=("请问是哪种针法？", "针法叫什么名字？"),
        ),
    ),
)

PROGRESS = Family(
    key="crafts.log_progress",
    names=("log_craft_time", "project_progress", "add_project_hours", "record_craft_session"),
    about=(
        "Write down how long you worked on a project.",
        "Adds a session to a craft project's diary, and whether it is finished.",
        "A diary for hobby projects; not for hours at work.",
    ),
    about_zh=("记录手工项目的进度。", "把制作时长记入手工项目日记，可标记完成。"),
    params=(
        Param("project", PROJECT, ("project", "project_name", "piece"), ("Which project",), ("项目",)),
        Param(
            "time",
            Duration("minutes", (20, 30, 45, 60, 75, 90, 120, 150, 180, 240)),
            ("minutes", "time_spent"),
            (),
            ("用时",),
        ),
        Param("done", Flag(), ("finished", "completed"), ("True if finished now",), ("是否完工",), required=False),
    ),
    asks=(
        "I worked on the {project} for {time}.",
        "{time} on the {project} tonight, note it",
        "Spent {time} with my {project}. Put it in the craft diary.",
        Ask("The {project} is finished at last! {time} today.", {"done": True}),
        "craft diary: {project}, {time}",
        "Another {time} went into the {project}, keep count.",
        Ask("Did {time} on the {project}, and it's still not finished.", {"done": False}),
        "My back hurts from {time} at the {project}; log that.",
    ),
    asks_zh=(
        "今天做{project}做了{time}，记一下",
        "{project}又花了{time}",
        "手工日记：{project}，{time}",
        Ask("{project}终于完工了，今天用了{time}", {"done": True}),
        "在{project}上忙了{time}，登记",
        "弄{project}弄得腰疼，{time}，写进去",
        Ask("{project}做了{time}，还没做完", {"done": False}),
        "{project}进度加{time}",
        "晚上赶工{project}，{time}，帮我记上",
        "给{project}记{time}的工时",
    ),
    outcomes=(
        Outcome(
            fields=(("total_hours", Integer(4, 120)),),
            texts=("{total_hours} h in total",),
            texts_zh=("累计{total_hours}小时",),
            answers=(
                "Noted; the {project} has taken {total_hours} hours so far.",
                "That makes {total_hours} hours in all.",
                "It's in the diary: {total_hours} hours in total.",
            ),
            answers_zh=(
                "记好了，{project}累计{total_hours}小时。",
                "一共{total_hours}小时了。",
                "已登记，总用时{total_hours}小时。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="time",
            asks=("I worked on the {project} today, note it.", "put the {project} into the craft diary"),
            replies=("How long did you work on it?", "For how long?"),
            asks_zh=("今天做了{project}，记一下", "{project}有进展，登记"),
            replies_zh=("请问做了多久？", "用了多长时间？"),
        ),
    ),
    also=("office.log_hours",),
)

STALL = Family(
    key="crafts.stall",
    names=("book_fair_stall", "register_market_stand", "craft_fair_signup", "rent_stall"),
    about=(
        "Rent a stall at the craft fair.",
        "Registers a stand at the craft market: what is sold, which day, how many metres.",
        "For people who sell their own work. No ads online.",
    ),
    about_zh=("报名手工集市摊位。", "登记摊位：卖什么、哪天、几米宽。"),
    params=(
        Param("city", City(0.0), ("fair_city", "city", "market"), ("Where the fair is",), ("集市城市",)),
        Param("day", Day(5, 90), ("date", "market_day", "day"), ("Day of the fair",), ("集市日期",)),
        Param("goods", GOODS, ("goods", "products", "sells"), ("What is sold",), ("售卖品",)),
        Param(
            "metres",
            Integer(2, 8),
            ("metres", "stall_width_m", "width"),
            ("Width in metres",),
            ("摊位宽度，米",),
            required=False,
        ),
        Param("roof", Flag(), ("covered", "with_roof"), ("True for a covered one",), ("是否带棚",), required=False),
    ),
    asks=(
        "I'd like to sell my {goods} at the fair in {city} on {day}[, {metres} metres].",
        "stall at the craft market {city}, {day}, {goods}[, {metres} m]",
        "My sister makes {goods} and wants a stand in {city} on {day}.",
        Ask("A covered stall for {goods} at the {city} fair on {day}[, {metres} metres wide].", {"roof": True}),
        "Sign me up for the handicraft market in {city}: {goods}, {day}.",
        "On {day} we want to offer {goods} in {city}. Get us a stand[ of {metres} metres].",
        Ask("No roof needed: a stall for {goods}, {city}, {day}.", {"roof": False}),
        "craft fair {city} {day}: can i have a table for {goods}",
    ),
    asks_zh=(
        "想在{city}的集市{day}摆摊卖{goods}[，{metres}米]",
        "{day}{city}手工市集，卖{goods}，帮我报个摊位",
        "我妹妹做{goods}，{day}想去{city}出摊",
        Ask("{city}市集{day}要个带棚的摊位，卖{goods}[，{metres}米宽]", {"roof": True}),
        "报名摆摊：{city}，{day}，{goods}[，{metres}米]",
        "{day}我们去{city}卖{goods}，订个摊",
        Ask("不用带棚，{day}{city}的摊位，卖{goods}", {"roof": False}),
        "{city}手作集市，{day}，给{goods}留个位置",
        "带上我的{goods}，{day}去{city}赶集，登记个摊位[，要{metres}米]",
        "申请{city}集市摊位，日期{day}，售卖{goods}",
    ),
    outcomes=(
        Outcome(
            fields=(("stall", Integer(1, 120)), ("fee", Integer(15, 120, 5))),
            texts=("stall {stall}, fee {fee}",),
            texts_zh=("{stall}号摊位，{fee}元",),
            answers=(
                "You have stall {stall} in {city}; the fee is {fee}.",
                "Stall {stall} is yours, for {fee}.",
                "Registered: stall {stall}.",
            ),
            answers_zh=("订到{city}{stall}号摊位，费用{fee}元。", "{stall}号摊位，{fee}元。", "报名成功，{stall}号。"),
        ),
    ),
    missing=(
        Missing(
            key="goods",
            asks=("I want a stall at the craft fair in {city} on {day}.", "stand at the market in {city}, {day}"),
            replies=("What do you want to sell?", "What will you offer there?"),
            asks_zh=("{day}想去{city}集市摆摊", "{city}集市{day}报个摊位"),
            replies_zh=("请问卖什么？", "打算卖哪类东西？"),
        ),
        Missing(
            key="day",
            asks=("I'd like to sell {goods} at the fair in {city}.",),
            replies=("On which day?", "For which day should I book the stall?"),
            asks_zh=("想去{city}集市卖{goods}",),
            replies_zh=("请问是哪天？", "哪天出摊？"),
        ),
    ),
    also=("venues.stand",),
)

DOMAIN = Domain(
    "crafts",
    (YARN, PATTERNS, EXPLAIN, PROGRESS, STALL),
    unserved=(
        ("Order red felt and a glue gun.", "买红色毛毡和热熔胶枪。"),
        ("Finish the sleeves for me.", "帮我把袖子织完。"),
        ("Who invented the sewing machine?", "缝纫机是谁发明的？"),
        ("Repair the hole in my favourite jumper.", "把我最爱的毛衣上的洞补好。"),
        ("Is knitting good for the nerves?", "织毛衣能缓解压力吗？"),
        ("Frame the picture of our dog.", "把我家狗的照片裱起来。"),
        ("Ship the necklace to my customer.", "把项链寄给我的客户。"),
        ("What do people pay for handmade soap?", "手工皂一般卖多少钱？"),
        ("Fire my pots in the kiln tonight.", "今晚把我的陶罐烧了。"),
        ("Join the quilting club.", "加入拼布俱乐部。"),
        ("Dye this cloth indigo.", "把这块布染成靛蓝色。"),
        ("Make a website for my candle shop.", "给我的蜡烛店做个网站。"),
    ),
)
