"""Plants in the garden and on the window sill: care, watering, sowing, what ails them, and soil for the beds."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, Word
from training.data.times import Day
from training.data.wordings import pool

from ._garden_beds import HOLD, SOIL

PLANT = Word(
    pool(
        """monstera | basil | orchid | cactus | peace lily | rubber plant | lavender | rose bush | lemon tree | fern
        spider plant | snake plant | rosemary | hydrangea | begonia | fig tree | bonsai | ivy | olive tree | mint
        aloe vera | geranium | jasmine | camellia | bamboo palm"""
    ),
    pool(
        """龟背竹 | 绿萝 | 君子兰 | 蝴蝶兰 | 仙人掌 | 发财树 | 薄荷 | 月季 | 栀子花 | 茉莉 | 吊兰 | 虎皮兰 | 迷迭香
        绣球花 | 多肉 | 文竹 | 柠檬树 | 橡皮树 | 芦荟 | 长寿花 | 三角梅 | 富贵竹 | 山茶花 | 铜钱草"""
    ),
)
CROP = Word(
    pool(
        """carrots | tomatoes | peas | spinach | radishes | pumpkins | leeks | runner beans | kale | beetroot | chillies
        cucumbers | lettuce | onions | courgettes | sweetcorn | broad beans | garlic | parsnips | sunflowers"""
    ),
    pool(
        """胡萝卜 | 番茄 | 豌豆 | 菠菜 | 小萝卜 | 南瓜 | 韭菜 | 四季豆 | 生菜 | 辣椒 | 黄瓜 | 洋葱 | 西葫芦 | 玉米
        蚕豆 | 大蒜 | 茄子 | 香菜 | 向日葵 | 空心菜"""
    ),
)
TROUBLE = Word(
    pool(
        """yellow leaves | brown tips | white fluff on the stems | drooping leaves | black spots | sticky leaves
        holes in the leaves | tiny flies in the soil | curling leaves | rotten roots | grey mould | no flowers
        falling buds | orange dust under the leaves | pale new leaves | cobwebs between the stems | soft stems
        crispy edges | scales along the veins | split bark"""
    ),
    pool(
        """叶子发黄 | 叶尖发黑 | 茎上有白色絮状物 | 叶子打蔫 | 叶面有黑斑 | 叶子发黏 | 叶子被咬了洞 | 土里有小飞虫
        叶子卷边 | 烂根 | 长了灰霉 | 不开花 | 花苞掉落 | 新叶发白 | 枝条之间有蛛网 | 茎秆发软 | 叶边干枯 | 徒长"""
    ),
)
SEASON = Choice(
    {
        "cold": (("cold", "northern", "cool"), ("寒冷", "偏冷")),
        "mild": (("mild", "temperate"), ("温和",)),
        "hot": (("hot", "tropical"), ("炎热",)),
    },
    ({"cold": "COLD", "mild": "MILD", "hot": "HOT"}, {"cold": "cool", "mild": "temperate", "hot": "tropical"}),
)
MONTH = Word(
    pool("March | April | early May | late February | August | September"), pool("三月 | 四月 | 五月初 | 八月 | 九月")
)
LIGHT = Choice(
    {
        "full sun": (("full sun",), ("充足的阳光",)),
        "half shade": (("half shade",), ("半阴的环境",)),
        "shade": (("shade",), ("阴凉的环境",)),
    }
)

CARE = Family(
    key="gardening.care",
    names=("plant_care_guide", "care_instructions", "lookup_plant_care", "plant_needs", "houseplant_info"),
    about=(
        "How a plant wants to be kept.",
        "Gives the light and the water that a plant needs. Does not diagnose ill plants.",
        "Care sheet of one plant: light and how often to water.",
    ),
    about_zh=("查询植物的养护方法。", "某种植物需要的光照和浇水频率，不做病害诊断。"),
    params=(
        Param("plant", PLANT, ("plant", "plant_name", "species"), ("Which plant, e.g. fern",), ("植物名称",)),
        Param("indoors", Flag(), ("indoors", "is_indoor"), ("True if kept inside",), ("是否养在室内",), required=False),
    ),
    asks=(
        "How do I look after {plant}?",
        "someone gave me {plant} and I have no clue what to do with it",
        "What kind of light does {plant} like?",
        "I killed the last one. How does {plant} want to be treated?",
        "{plant} - sun or shade?",
        Ask("I want to keep {plant} in the flat. What does it need?", {"indoors": True}),
        Ask("Growing {plant} inside: how much water and light?", {"indoors": True}),
        Ask("{plant} outside on the balcony, how do I keep it happy?", {"indoors": False}),
        "My aunt left me her {plant}. Tell me how to keep it alive, please.",
        "care tips for {plant}",
    ),
    asks_zh=(
        "{plant}怎么养？",
        "朋友送了我{plant}，完全不会养，教教我",
        "{plant}喜欢晒太阳吗",
        "想知道{plant}需要什么样的光照",
        "上一盆被我养死了，{plant}到底该怎么照顾",
        Ask("{plant}放在屋里养要注意什么？", {"indoors": True}),
        Ask("室内养{plant}，多久浇一次水合适", {"indoors": True}),
        Ask("{plant}摆在室外阳台上该怎么打理？", {"indoors": False}),
        "{plant}的养护要点",
        "新手第一次养{plant}，有什么讲究",
        "奶奶留给我{plant}，怎么才能养好呢",
    ),
    outcomes=(
        Outcome(
            fields=(("light", LIGHT), ("water_every_days", Integer(2, 21))),
            texts=("Light: {light}. Water every {water_every_days} days.",),
            texts_zh=("光照：{light}；每{water_every_days}天浇水一次",),
            answers=(
                "It likes {light} and water every {water_every_days} days.",
                "Give it {light}, and water it every {water_every_days} days.",
                "{plant}: {light}, water every {water_every_days} days.",
            ),
            answers_zh=(
                "{plant}需要{light}，每{water_every_days}天浇一次水。",
                "给它{light}，{water_every_days}天浇一次水就行。",
                "养{plant}：{light}，隔{water_every_days}天浇水。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="plant",
            asks=("How do I look after this plant?", "someone gave me a plant, how do I keep it alive"),
            replies=("Which plant is it?", "What is the plant called?"),
            asks_zh=("这盆花怎么养？", "刚收到一盆植物，怎么照顾"),
            replies_zh=("请问是什么植物？", "这盆植物叫什么名字？"),
        ),
    ),
)

WATERED = Family(
    key="gardening.log_watering",
    names=("log_watering", "mark_watered", "record_plant_watering", "watering_done", "plant_diary_add"),
    about=(
        "Write down that a plant was watered.",
        "Records a watering in the plant diary, with the amount in millilitres if known.",
        "Notes that a plant got water. Sets no schedule.",
    ),
    about_zh=("记录给植物浇过水。", "在植物日记里登记一次浇水，不设定计划。"),
    params=(
        Param("plant", PLANT, ("plant", "plant_name", "which_plant"), ("The plant",), ("哪盆植物",)),
        Param("ml", Integer(50, 900, 50), ("amount_ml", "millilitres"), ("Amount in ml",), ("水量，毫升",), False),
        Param("day", Day(-6, 0), ("date", "watered_on"), ("Today if left out",), ("日期，默认今天",), False),
        Param("fed", Flag(), ("with_fertilizer", "fertilized"), ("True if fed too",), ("是否同时施肥",), False),
    ),
    asks=(
        "I've watered the {plant}[, {ml} ml].",
        "the {plant} got its water {day}",
        "Put in the diary that the {plant} had a drink[ of {ml} ml].",
        "just gave the {plant} {ml} ml",
        Ask("Watered the {plant} and fed it with fertilizer as well[, {ml} ml].", {"fed": True}),
        "Before I forget: {plant}, watered {day}.",
        "note: {plant} watered[ with {ml} ml]",
        "My neighbour poured {ml} ml on the {plant}, keep track of that.",
        Ask("The {plant} was watered {day}, with plant food in it. Log that.", {"fed": True}),
    ),
    asks_zh=(
        "{plant}我浇过水了[，{ml}毫升]",
        "记一下，{plant}{day}浇了水",
        "刚给{plant}浇了{ml}毫升水",
        "{plant}喝饱水了，登记一下",
        Ask("{plant}浇水的时候顺便施了肥，记上", {"fed": True}),
        "{day}浇过{plant}了，别忘了记",
        "浇水打卡：{plant}[，{ml}毫升]",
        "邻居帮忙给{plant}浇了{ml}毫升，写进日记",
        "替我记录：{plant}已浇水",
        Ask("{day}给{plant}浇水加施肥，都记下来", {"fed": True}),
        "{plant}浇完啦[，用了{ml}毫升]",
    ),
    outcomes=(
        Outcome(
            fields=(("next_due_days", Integer(2, 14)),),
            texts=("logged, due again in {next_due_days} days",),
            texts_zh=("已记录，{next_due_days}天后再浇",),
            answers=(
                "Noted. The {plant} is due again in {next_due_days} days.",
                "It's in the diary; next watering in {next_due_days} days.",
                "Written down. {next_due_days} days until the {plant} needs water again.",
            ),
            answers_zh=(
                "记好了，{plant}{next_due_days}天后再浇。",
                "已经登记，下次浇水在{next_due_days}天后。",
                "{plant}的浇水记录已保存，{next_due_days}天后该浇了。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="plant",
            asks=("I've done the watering, note it.", "log {ml} ml of water in the plant diary"),
            replies=("Which plant did you water?", "Which plant was it?"),
            asks_zh=("我浇过花了，记一下", "浇了{ml}毫升水，登记"),
            replies_zh=("请问浇的是哪盆？", "是给哪种植物浇的水？"),
        ),
    ),
    also=("lists.write_note",),
)

SCHEDULE = Family(
    key="gardening.watering_plan",
    names=("set_watering_schedule", "plan_watering", "watering_interval", "create_watering_plan"),
    about=(
        "Set how often a plant is to be watered.",
        "Creates or changes the watering plan of a plant: every so many days.",
        "Sets the interval between waterings; it does not record one.",
    ),
    about_zh=("设置植物的浇水周期。", "创建或修改浇水计划，按间隔天数。"),
    params=(
        Param("plant", PLANT, ("plant", "plant_name"), ("The plant",), ("植物",)),
        Param("every", Integer(2, 21), ("interval_days", "every_days", "frequency"), ("Days between",), ("间隔天数",)),
        Param("start", Day(0, 14), ("start_date", "first_watering"), ("First time",), ("首次浇水日期",), False),
    ),
    asks=(
        "Water the {plant} every {every} days[, starting {start}].",
        "the {plant} should get water every {every} days from now on",
        "Change the {plant} to every {every} days[, first time {start}].",
        "Apparently I drown my {plant}. Make it once in {every} days.",
        "watering plan: {plant}, each {every} days",
        "Could you put the {plant} on a rhythm of {every} days[, beginning {start}]?",
        "I'd like a plan for my {plant}: {every} days between waterings.",
        "Every {every} days is enough for the {plant}, set it up like that.",
    ),
    asks_zh=(
        "{plant}改成每{every}天浇一次水[，从{start}开始]",
        "给{plant}定个浇水计划，{every}天一次",
        "以后{plant}隔{every}天浇一回",
        "总是浇太多，{plant}设成{every}天浇一次吧",
        "浇水周期：{plant}，{every}天",
        "从{start}起，{plant}每{every}天浇水",
        "帮我安排{plant}的浇水频率，每{every}天",
        "{every}天一次就够了，把{plant}的计划调一下",
        "听说{plant}不能太湿，浇水间隔设{every}天",
        "新来的{plant}，每{every}天浇一次[，{start}第一次]，设好",
    ),
    outcomes=(
        Outcome(
            fields=(("first", Day(0, 14)),),
            texts=("plan saved, first watering {first}",),
            texts_zh=("计划已保存，首次{first}",),
            answers=(
                "The plan is set; the first watering is on {first}.",
                "Done: the {plant} gets water from {first} on.",
                "Saved. First watering: {first}.",
            ),
            answers_zh=(
                "设好了，第一次浇水是{first}。",
                "{plant}的计划已保存，从{first}开始。",
                "好的，{first}起按计划浇水。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="every",
            asks=("Make a watering plan for the {plant}.", "set up a rhythm for watering my {plant}"),
            replies=("How many days should lie between waterings?", "How often should the {plant} be watered?"),
            asks_zh=("给{plant}定个浇水计划", "帮我设置{plant}的浇水周期"),
            replies_zh=("请问几天浇一次？", "{plant}想隔多少天浇一次水？"),
        ),
    ),
    also=("reminders.at", "calendar.repeat"),
)

SOWING = Family(
    key="gardening.sowing_time",
    names=("sowing_calendar", "when_to_sow", "planting_time", "best_month_to_plant", "sow_window"),
    about=(
        "When to sow a vegetable or flower.",
        "Best month for sowing, by crop and climate.",
        "Looks up the sowing time; tells nothing about care later on.",
    ),
    about_zh=("查询作物的播种时间。", "根据作物和气候给出最佳播种月份。"),
    params=(
        Param("crop", CROP, ("crop", "vegetable", "seed"), ("What to sow, e.g. kale",), ("作物",)),
        Param("climate", SEASON, ("climate", "climate_zone"), ("Climate of the garden",), ("气候",), False),
        Param("glass", Flag(), ("under_glass", "greenhouse"), ("True in a greenhouse",), ("是否在温室",), False),
    ),
    asks=(
        "When should I sow {crop}[ in a {climate} climate]?",
        "is it too late to put {crop} in the ground",
        "Which month is best for {crop}[? We have a {climate} climate here]",
        "I bought seeds for {crop} yesterday, when do they go in?",
        Ask("When can {crop} be sown in a greenhouse?", {"glass": True}),
        Ask("{crop} under glass - when do I start[? The climate is {climate}]", {"glass": True}),
        "The kids want to grow {crop}. When do we start?",
        "sowing time {crop}[, {climate} climate]",
        "what's the right time of year to plant {crop}?",
    ),
    asks_zh=(
        "{crop}什么时候播种？",
        "现在种{crop}还来得及吗",
        "[我们这儿气候{climate}，]{crop}几月种最好",
        "刚买了{crop}的种子，啥时候下地",
        Ask("大棚里种{crop}，几月播种合适", {"glass": True}),
        Ask("温室里{crop}最早什么时候能种？", {"glass": True}),
        "孩子想种{crop}，什么时候开始好",
        "{crop}播种时间[，{climate}气候]",
        "想在院子里种点{crop}，哪个月份动手",
        "种{crop}要赶在什么时候？",
        "几月份适合撒{crop}的种子",
    ),
    outcomes=(
        Outcome(
            fields=(("month", MONTH), ("depth_cm", Integer(1, 6))),
            texts=("sow in {month}, {depth_cm} cm deep",),
            texts_zh=("{month}播种，深{depth_cm}厘米",),
            answers=(
                "Sow {crop} in {month}, {depth_cm} cm deep.",
                "{month} is the best time; put the seeds {depth_cm} cm deep.",
                "The time for {crop} is {month}.",
            ),
            answers_zh=(
                "{crop}适合{month}播种，深{depth_cm}厘米。",
                "最好在{month}种，埋{depth_cm}厘米深。",
                "{month}种{crop}正合适。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="crop",
            asks=("When should I sow them?", "what's the best month for sowing in a {climate} climate"),
            replies=("What would you like to sow?", "Which vegetable or flower is it?"),
            asks_zh=("什么时候播种好？", "气候{climate}的地方几月下种"),
            replies_zh=("请问想种什么？", "是哪种作物？"),
        ),
    ),
)

AILING = Family(
    key="gardening.diagnose",
    names=("diagnose_plant", "plant_doctor", "identify_plant_problem", "check_plant_disease"),
    about=(
        "Find out what is wrong with a plant.",
        "Names the likely disease or pest from a symptom, and what helps against it.",
        "For plants that are ill. General care is another tool's business.",
    ),
    about_zh=("诊断植物的病虫害。", "根据症状判断植物得了什么病，给出办法。"),
    params=(
        Param("plant", PLANT, ("plant", "plant_name", "patient"), ("The plant",), ("植物",)),
        Param("symptom", TROUBLE, ("symptom", "problem", "what_is_wrong"), ("What one sees",), ("症状",)),
    ),
    asks=(
        "My {plant} has {symptom}. What is it?",
        "{symptom} on my {plant}, help",
        "Why does the {plant} in the hallway have {symptom}?",
        "I came back from holiday and the {plant} has {symptom}. Can it be saved?",
        "what does it mean when {plant} gets {symptom}",
        "I see {symptom} on the {plant} and it's getting worse every week.",
        "Is the {plant} ill? It has {symptom}.",
        "Please find out what's wrong with our {plant}: {symptom}.",
    ),
    asks_zh=(
        "我的{plant}{symptom}，怎么回事？",
        "{plant}{symptom}了，救命",
        "出差回来发现{plant}{symptom}，还有救吗",
        "{plant}最近{symptom}，是不是生病了",
        "{plant}{symptom}是为什么",
        "帮我看看{plant}得了什么病，{symptom}",
        "阳台上的{plant}{symptom}，越来越严重",
        "{symptom}，这盆{plant}是怎么了",
        "养了两年的{plant}突然{symptom}，什么原因",
        "{plant}出问题了：{symptom}",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "cause",
                    Word(
                        pool("too much water | spider mites | root rot | too little light"),
                        pool("浇水过多 | 红蜘蛛 | 根腐病 | 光照不足"),
                    ),
                ),
                ("recovers_in_weeks", Integer(2, 8)),
            ),
            texts=("likely {cause}; recovery in {recovers_in_weeks} weeks",),
            texts_zh=("可能是{cause}，约{recovers_in_weeks}周恢复",),
            answers=(
                "It is probably {cause}. The {plant} should recover in {recovers_in_weeks} weeks.",
                "That looks like {cause}; give it {recovers_in_weeks} weeks.",
                "The likely cause is {cause}.",
            ),
            answers_zh=(
                "多半是{cause}，{recovers_in_weeks}周左右能恢复。",
                "{plant}应该是{cause}引起的。",
                "看样子是{cause}，养{recovers_in_weeks}周就好。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="symptom",
            asks=("Something is wrong with my {plant}.", "my {plant} doesn't look well, what's up with it?"),
            replies=("What does the {plant} look like?", "What do you see on the {plant}?"),
            asks_zh=("我的{plant}好像病了", "{plant}状态不对，帮我看看"),
            replies_zh=("请问{plant}有什么症状？", "具体是什么样子？"),
        ),
        Missing(
            key="plant",
            asks=("I see {symptom}, what is it?", "One of my plants has {symptom}."),
            replies=("Which plant is it?", "What kind of plant has it?"),
            asks_zh=("有盆花{symptom}，怎么办", "{symptom}是什么毛病"),
            replies_zh=("请问是哪种植物？", "是什么植物出了问题？"),
        ),
    ),
)

DOMAIN = Domain(
    "gardening",
    (CARE, WATERED, SCHEDULE, SOWING, AILING, SOIL, HOLD),
    unserved=(
        ("Order twenty tulip bulbs for the front garden.", "买二十个郁金香球根。"),
        ("Mow the lawn this afternoon.", "今天下午把草坪割了。"),
        ("Which florist delivers roses on Sundays?", "哪家花店星期天送玫瑰？"),
        ("How do I sharpen my hedge trimmer?", "修枝剪怎么磨？"),
        ("Dig a pond behind the house.", "在屋后挖个池塘。"),
        ("Who won the flower show this year?", "今年花展谁得了奖？"),
        ("Find me a gardener for Saturday.", "周六帮我找个园丁。"),
        ("Prune the apple tree for me.", "帮我修剪苹果树。"),
        ("Is my neighbour allowed to cut our hedge?", "邻居可以剪我们家的树篱吗？"),
        ("How many earthworms live in a square metre?", "一平方米土里有多少蚯蚓？"),
        ("Book a tour of the botanical garden.", "预约植物园的导览。"),
        ("Rename my fern to Ferdinand.", "把我的蕨类改名叫小蕨。"),
        ("Drive the hedgehog out of the shed.", "把棚子里的刺猬赶出去。"),
    ),
)
