"""Clothes: care labels, what to wear, alterations, dry cleaning, and costumes to hire."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Word
from training.data.times import Day
from training.data.wordings import pool
from training.data.world import City, Person

PIECE = Word(
    pool(
        """silk blouse | wool coat | black suit | wedding dress | down jacket | linen shirt | leather jacket | kilt
        jeans | pleated skirt | cashmere scarf | raincoat | tuxedo | velvet dress | ski trousers | tweed blazer | kimono
        tie | summer dress | denim jacket | curtains | cocktail dress"""
    ),
    pool(
        """真丝衬衫 | 羊毛大衣 | 黑西装 | 婚纱 | 羽绒服 | 亚麻衬衫 | 皮夹克 | 牛仔裤 | 百褶裙 | 羊绒围巾 | 风衣 | 礼服
        丝绒裙 | 滑雪裤 | 旗袍 | 汉服 | 领带 | 连衣裙 | 牛仔外套 | 窗帘 | 西裤 | 毛呢裙"""
    ),
)
FABRIC = Word(
    pool(
        """silk | wool | linen | cashmere | cotton | velvet | polyester | viscose | denim | leather | suede | lace
        satin | down | fleece | mohair | nylon | corduroy | tweed | bamboo fibre"""
    ),
    pool(
        """真丝 | 羊毛 | 亚麻 | 羊绒 | 纯棉 | 丝绒 | 涤纶 | 粘胶 | 牛仔布 | 皮革 | 麂皮 | 蕾丝 | 缎面 | 羽绒 | 抓绒
        马海毛 | 尼龙 | 灯芯绒 | 粗花呢 | 竹纤维"""
    ),
)
STAIN = Word(
    pool(
        """red wine | grass | coffee | blood | ink | candle wax | tomato sauce | lipstick | grease | chewing gum | curry
        mud | nail polish | sweat | berries | chocolate | paint | rust | soy sauce | sunscreen"""
    ),
    pool(
        """红酒 | 草渍 | 咖啡 | 血迹 | 墨水 | 蜡油 | 番茄酱 | 口红 | 油渍 | 口香糖 | 咖喱 | 泥巴 | 指甲油 | 汗渍
        蓝莓汁 | 巧克力 | 油漆 | 铁锈 | 酱油 | 防晒霜"""
    ),
)
EVENT = Choice(
    {
        "wedding": (("wedding",), ("婚礼",)),
        "interview": (("job interview",), ("面试",)),
        "funeral": (("funeral",), ("葬礼",)),
        "date": (("first date", "romantic dinner"), ("约会", "相亲")),
        "hike": (("hike",), ("爬山", "徒步")),
        "opera": (("night at the opera", "concert"), ("听歌剧", "音乐会")),
    },
    (
        {
            "wedding": "WEDDING",
            "interview": "INTERVIEW",
            "funeral": "FUNERAL",
            "date": "DATE",
            "hike": "HIKE",
            "opera": "OPERA",
        },
    ),
)
CHANGE = Choice(
    {
        "shorten": (("shortened", "taken up"), ("改短",)),
        "lengthen": (("lengthened", "let down"), ("放长",)),
        "take_in": (("taken in", "made narrower"), ("改瘦", "收腰")),
        "let_out": (("let out", "made wider"), ("改肥", "放大")),
    },
    ({"shorten": "SHORTEN", "lengthen": "LENGTHEN", "take_in": "TAKE_IN", "let_out": "LET_OUT"},),
)
COSTUME = Word(
    pool(
        """pirate | witch | deep-sea diver | cowboy | vampire | knight | mermaid | penguin | clown | Roman emperor
        ghost | lion | superhero | fairy | detective | Viking | dinosaur | chef | robot | princess"""
    ),
    pool(
        "海盗 | 女巫 | 宇航员 | 牛仔 | 吸血鬼 | 骑士 | 美人鱼 | 企鹅 | 小丑 | 皇帝 | 孙悟空 | 狮子 | 侠客 | 仙女 | 侦探"
    ),
)
TICKET = Code(("DC-9999", "99999", "T9-999", "K99-99"))

STAINS = Family(
    key="wardrobe.stain",
    names=("stain_removal", "remove_stain", "stain_advice", "spot_cleaning_tip"),
    about=(
        "How to get a stain out of a fabric.",
        "Advice for removing a stain, by what caused it and the fabric.",
        "Tips for doing it at home. The dry cleaner's is another tool.",
    ),
    about_zh=("去渍建议。", "按污渍和面料给出在家去渍的办法。"),
    params=(
        Param("stain", STAIN, ("stain", "caused_by", "spill"), ("What made the stain",), ("污渍",)),
        Param("fabric", FABRIC, ("fabric", "material", "textile"), ("Which fabric",), ("面料",)),
        Param("dry", Flag(), ("already_dry", "old_stain"), ("True for an old stain",), ("是否已干",), required=False),
    ),
    asks=(
        "How do I get {stain} out of {fabric}?",
        "{stain} on {fabric}, help!",
        "Somebody spilt {stain} on me and it's {fabric}. What now?",
        Ask("The {stain} has dried on the {fabric} already. Any chance?", {"dry": True}),
        "can {fabric} be saved from {stain}",
        "My date starts in an hour and there's {stain} on my {fabric}!",
        Ask("{stain} on {fabric}, still wet. What should I do?", {"dry": False}),
        "What takes {stain} off {fabric} without ruining it?",
    ),
    asks_zh=(
        "{fabric}沾了{stain}怎么洗？",
        "{stain}弄到{fabric}上了，救命",
        "衣服是{fabric}的，被泼了{stain}，怎么办",
        Ask("{fabric}上的{stain}已经干了，还能去掉吗", {"dry": True}),
        "一小时后要约会，{fabric}上有{stain}",
        "怎么去掉{fabric}上的{stain}",
        Ask("刚弄上的{stain}，还没干，{fabric}面料，怎么处理", {"dry": False}),
        "{stain}能从{fabric}上洗掉吗",
        "孩子把{stain}蹭到我{fabric}衣服上了",
        "{fabric}除{stain}的办法",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "use",
                    Word(
                        pool("cold water | white vinegar | baking soda | soap | salt"),
                        pool("冷水 | 白醋 | 小苏打 | 肥皂 | 盐"),
                    ),
                ),
                ("minutes", Integer(5, 60, 5)),
            ),
            texts=("{use}, {minutes} min",),
            texts_zh=("{use}，{minutes}分钟",),
            answers=(
                "Treat it with {use} for {minutes} minutes.",
                "Use {use} and wait {minutes} minutes.",
                "Try {use}.",
            ),
            answers_zh=("用{use}处理{minutes}分钟。", "试试{use}。", "先用{use}，等{minutes}分钟。"),
        ),
    ),
    missing=(
        Missing(
            key="fabric",
            asks=("How do I get {stain} out?", "{stain} on my clothes, what can I do"),
            replies=("Which fabric is it?", "What is it made of?"),
            asks_zh=("{stain}怎么洗掉", "衣服上有{stain}，怎么办"),
            replies_zh=("请问是什么面料？", "衣服是什么材质的？"),
        ),
        Missing(
            key="stain",
            asks=("There's a stain on my {fabric}. How do I get it out?",),
            replies=("What caused the stain?", "What kind of stain is it?"),
            asks_zh=("{fabric}脏了一块，怎么去掉",),
            replies_zh=("请问是什么污渍？", "沾上了什么？"),
        ),
    ),
)

OUTFIT = Family(
    key="wardrobe.outfit",
    names=("suggest_outfit", "what_to_wear", "outfit_planner", "dress_advice"),
    about=(
        "What to wear for an occasion.",
        "Suggests an outfit out of your own wardrobe for an occasion and a temperature.",
        "Picks clothes that you have. Sells none.",
    ),
    about_zh=("穿搭建议。", "根据场合和气温从衣柜里推荐穿搭。"),
    params=(
        Param("event", EVENT, ("occasion", "event", "purpose"), ("What for",), ("场合",)),
        Param(
            "degrees",
            Integer(2, 34),
            ("temperature_c", "degrees"),
            ("Temperature in °C",),
            ("气温，摄氏度",),
            required=False,
        ),
        Param(
            "avoid",
            ListOf(FABRIC, 1, 2),
            ("avoid_fabrics", "exclude"),
            ("Fabrics to avoid",),
            ("不要的面料",),
            required=False,
        ),
    ),
    asks=(
        "What should I put on for a {event}[? It's {degrees} degrees]",
        "I have a {event} tomorrow and nothing to wear[, {degrees} degrees outside]",
        "Dress me for a {event}[, but no {avoid}].",
        "outfit for a {event}[, {degrees} °C][, without {avoid}]",
        "Is there anything in my closet that would do for a {event}[ at {degrees} degrees]?",
        "My sister insists I look decent at the {event}. Any idea[? I can't stand {avoid}]",
        "clothes for a {event} please",
        "How do I dress for a {event} when it's {degrees} degrees?",
    ),
    asks_zh=(
        "去{event}穿什么好[？外面{degrees}度]",
        "要{event}了，没衣服穿[，气温{degrees}度]",
        "帮我搭一套{event}穿的[，不要{avoid}]",
        "{event}怎么穿[，{degrees}度]",
        "衣柜里有没有适合{event}的",
        "妹妹非要我{event}穿得体面点，给个建议[，{avoid}的不穿]",
        "{degrees}度的天去{event}，该穿啥",
        "{event}穿搭[，{degrees}度][，别用{avoid}]",
        "从我的衣服里挑一身{event}用的",
        "马上要{event}，穿哪套合适",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("top", PIECE),
                ("shoes", Word(pool("black shoes | boots | sneakers"), pool("黑皮鞋 | 靴子 | 运动鞋"))),
            ),
            texts=("{top} with {shoes}",),
            texts_zh=("{top}配{shoes}",),
            answers=(
                "Wear the {top} with {shoes}.",
                "How about the {top} and {shoes}?",
                "The {top} would do, with {shoes}.",
            ),
            answers_zh=("穿{top}配{shoes}。", "{top}加{shoes}怎么样？", "可以穿{top}，搭{shoes}。"),
        ),
    ),
    missing=(
        Missing(
            key="event",
            asks=("What should I wear?", "choose me some clothes for {degrees} degrees"),
            replies=("What is the occasion?", "Where are you going?"),
            asks_zh=("穿什么好", "{degrees}度该穿什么"),
            replies_zh=("请问是什么场合？", "要去做什么？"),
        ),
    ),
)

TAILOR = Family(
    key="wardrobe.alteration",
    names=("order_alteration", "tailor_job", "alter_clothes", "book_tailor"),
    about=(
        "Have a garment altered by the tailor.",
        "Orders an alteration: which piece, what is to be done, by how many centimetres.",
        "The tailor changes what you have; new clothes are not made.",
    ),
    about_zh=("预约裁缝改衣。", "下单改衣：哪件、怎么改、改几厘米。"),
    params=(
        Param("piece", PIECE, ("garment", "piece", "item"), ("Which garment",), ("衣物",)),
        Param("change", CHANGE, ("alteration", "change", "work"), ("What is done",), ("修改项目",)),
        Param("cm", Integer(2, 15), ("centimetres", "amount_cm"), ("By how much",), ("几厘米",), required=False),
        Param("day", Day(2, 30), ("needed_by", "ready_date"), ("When it's needed",), ("取衣日期",), required=False),
    ),
    asks=(
        "I need my {piece} {change}[ by {cm} cm][; I need it on {day}].",
        "{piece}, to be {change}[, {cm} cm][, for {day}]",
        "I've lost weight over the summer, so get the {piece} {change}.",
        "Can the tailor have my {piece} {change}[ by {cm} centimetres]?",
        "The {piece} doesn't fit any more. It should be {change}[, needed on {day}].",
        "please have the {piece} {change}",
        "My son grows like a weed. His {piece} must be {change}[ by {cm} cm].",
        "Ask the tailor to see to my {piece}: I want it {change}.",
    ),
    asks_zh=(
        "{piece}要{change}[{cm}厘米][，{day}要穿]",
        "帮我把{piece}送去裁缝那儿{change}",
        "夏天瘦了，{piece}得{change}[，{cm}厘米]",
        "裁缝能给我的{piece}{change}[{cm}厘米]吗",
        "{piece}不合身了，{change}一下[，{day}要用]",
        "改衣服：{piece}，{change}[，{cm}厘米]",
        "儿子长得快，他的{piece}要{change}",
        "下个改衣单，{piece}{change}[，{day}取]",
        "{piece}拿去{change}",
        "找师傅给{piece}{change}[，大概{cm}厘米]",
    ),
    outcomes=(
        Outcome(
            fields=(("tailor", Person()), ("price", Integer(8, 60))),
            texts=("{tailor}, {price}",),
            texts_zh=("{tailor}，{price}元",),
            answers=(
                "{tailor} will do it for {price}.",
                "The order for the {piece} is in; it costs {price}.",
                "Done: {tailor}, {price}.",
            ),
            answers_zh=("{tailor}来改，{price}元。", "{piece}的改衣单已下，{price}元。", "好了，由{tailor}负责。"),
        ),
    ),
    missing=(
        Missing(
            key="change",
            asks=("My {piece} has to go to the tailor.", "order an alteration for my {piece}"),
            replies=("What should be done with the {piece}?", "Should it be shortened, taken in or let out?"),
            asks_zh=("{piece}要改一下", "把{piece}送去裁缝那儿"),
            replies_zh=("请问怎么改？", "{piece}是改短还是改瘦？"),
        ),
        Missing(
            key="piece",
            asks=("I need something {change} by the tailor.",),
            replies=("Which garment is it?", "What should be altered?"),
            asks_zh=("有件衣服要{change}",),
            replies_zh=("请问是哪件？", "要改什么衣服？"),
        ),
    ),
)

COLLECT = Family(
    key="wardrobe.cleaner_status",
    names=("dry_cleaning_status", "cleaner_pickup_ready", "laundry_ticket", "is_my_cleaning_ready"),
    about=(
        "Whether clothes are ready at the dry cleaner's.",
        "State of an order at the dry cleaner's, by the number on the slip.",
        "Looks the slip up. Takes no new orders.",
    ),
    about_zh=("查询干洗进度。", "凭取衣单号查干洗是否完成。"),
    params=(Param("slip", TICKET, ("ticket_number", "slip", "receipt_no"), ("Number on the slip",), ("取衣单号",)),),
    asks=(
        "Can I fetch my suit from the cleaner's? The slip says {slip}.",
        "dry cleaning {slip} ready?",
        "Is {slip} done at the dry cleaner's?",
        "I need my coat tonight. Laundry slip {slip}, is it finished?",
        "They promised my shirts for yesterday, slip {slip}. Where are they?",
        "How far is the cleaner with {slip}?",
        "slip {slip}, are my clothes clean",
        "Look up number {slip} at the dry cleaner's, please.",
    ),
    asks_zh=(
        "干洗单{slip}好了吗？",
        "我的西装能取了没，单号{slip}",
        "干洗店那边{slip}洗完没有",
        "今晚要穿那件大衣，取衣单{slip}，洗好了吗",
        "说好昨天能拿，{slip}，衬衫怎么还没好",
        "查一下干洗，号码{slip}",
        "{slip}的衣服什么时候能拿",
        "洗衣店{slip}进度",
        "送去干洗的衣服，单子上写{slip}，好没好",
        "帮我问问洗衣店{slip}可以取了吗",
    ),
    outcomes=(
        Outcome(
            fields=(("ready_on", Day(0, 6)), ("to_pay", Integer(8, 90))),
            texts=("ready {ready_on}, {to_pay} to pay",),
            texts_zh=("{ready_on}可取，应付{to_pay}元",),
            answers=(
                "{slip} is ready on {ready_on}; you pay {to_pay}.",
                "You can fetch it on {ready_on}.",
                "Ready on {ready_on}, {to_pay} to pay.",
            ),
            answers_zh=(
                "{slip}{ready_on}可取，付{to_pay}元。",
                "{ready_on}可以去拿。",
                "{ready_on}好，费用{to_pay}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="slip",
            asks=("Is my dry cleaning ready?", "can I pick up my suit at the cleaner's"),
            replies=("What is the number on the slip?", "Which slip number is it?"),
            asks_zh=("我的干洗好了吗", "西装能取了没"),
            replies_zh=("请问取衣单号是多少？", "单子上的号码是？"),
        ),
    ),
)

FANCY_DRESS = Family(
    key="wardrobe.hire_costume",
    names=("hire_costume", "rent_fancy_dress", "costume_rental", "reserve_costume"),
    about=(
        "Hire a costume.",
        "Reserves a fancy dress in a size for a day, in a shop of a city.",
        "Costumes for carnival and parties, on loan.",
    ),
    about_zh=("租借服装道具。", "按角色、尺码、日期和城市租服装。"),
    params=(
        Param("role", COSTUME, ("costume", "character", "theme"), ("Which costume",), ("角色",)),
        Param(
            "size",
            Choice({one: ((f"size {one}",), (f"{one}码", f"{one}号")) for one in ("S", "M", "L", "XL")}),
            ("size", "clothing_size"),
            ("Size",),
            ("尺码",),
        ),
        Param("day", Day(1, 40), ("date", "needed_on"), ("For which day",), ("使用日期",)),
        Param("city", City(0.0), ("city", "shop_city"), ("Where",), ("城市",), required=False),
    ),
    asks=(
        "I want to be a {role} on {day}, {size}[, shop in {city}].",
        "{role} costume, {size}, {day}[, {city}]",
        "Carnival on {day}! Reserve me a {role}, {size}.",
        "Our boss will go to the party as a {role}. Hire that in {size}[ in {city}], the party is on {day}.",
        "Could I rent the outfit of a {role} for {day}? {size}, please[, in {city}].",
        "on {day} i need to look like a {role}, {size}",
        "For the school play on {day} we lack a {role} in {size}[, we're in {city}].",
        "Put aside a {role} costume in {size}, I need it on {day}.",
    ),
    asks_zh=(
        "{day}要扮{role}，{size}，帮我租[，{city}]",
        "租一套{role}服，{size}，{day}用",
        "{day}化装舞会，预订{role}的衣服，{size}[，在{city}]",
        "老板{day}年会要演{role}，{size}，租一套",
        "{role}服装，{size}，{day}[，{city}取]",
        "{day}学校演出缺个{role}，{size}的，租得到吗",
        "想租{role}的行头，{day}穿，{size}",
        "给我留一套{role}，{size}，{day}",
        "万圣节提前准备，{day}，{role}，{size}[，{city}的店]",
        "{day}我打算变成{role}，{size}，订衣服",
    ),
    outcomes=(
        Outcome(
            fields=(("fee", Integer(15, 90, 5)), ("deposit", Integer(20, 100, 10))),
            texts=("fee {fee}, deposit {deposit}",),
            texts_zh=("租金{fee}元，押金{deposit}元",),
            answers=(
                "The {role} is reserved: {fee}, and {deposit} as a deposit.",
                "Done, it costs {fee}.",
                "Your {role} costume is put aside.",
            ),
            answers_zh=("{role}服订好了，租金{fee}元，押金{deposit}元。", "已预订，{fee}元。", "{role}的衣服留好了。"),
        ),
    ),
    missing=(
        Missing(
            key="size",
            asks=("I'd like to hire a {role} costume for {day}.", "{role} costume on {day}, reserve it"),
            replies=("Which size do you need?", "What is your size: S, M, L or XL?"),
            asks_zh=("租一套{role}服，{day}用", "{day}要扮{role}，帮我订"),
            replies_zh=("请问什么尺码？", "要多大码？"),
        ),
        Missing(
            key="role",
            asks=("I need a costume on {day}, {size}.",),
            replies=("Which costume would you like?", "What do you want to go as?"),
            asks_zh=("{day}要租套服装，{size}",),
            replies_zh=("请问扮什么角色？", "想租哪种服装？"),
        ),
    ),
)

DOMAIN = Domain(
    "wardrobe",
    (STAINS, OUTFIT, TAILOR, COLLECT, FANCY_DRESS),
    unserved=(
        ("Iron my shirts for the week.", "把我这周的衬衫熨好。"),
        ("Which colours are in fashion this autumn?", "今年秋天流行什么颜色？"),
        ("Pierce my ears.", "给我打耳洞。"),
        ("Who designed that green dress at the gala?", "晚会上那条绿裙子是谁设计的？"),
        ("Polish my boots.", "把我的靴子擦亮。"),
        ("Give my old coats to charity.", "把旧大衣捐掉。"),
        ("Sew a button on my jacket right now.", "马上给我的夹克缝个扣子。"),
        ("How do I tie a bow tie?", "领结怎么打？"),
        ("Zip up my dress, please.", "帮我拉上裙子的拉链。"),
        ("Knit me a pair of gloves.", "给我织一双手套。"),
        ("Find a fashion school in Milan.", "找一所米兰的时装学校。"),
        ("Fold the laundry.", "把衣服叠好。"),
    ),
)
