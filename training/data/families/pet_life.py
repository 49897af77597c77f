"""More about pets: sitters, vaccinations, weight, poisons, grooming, and pets that ran away."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Decimal, Flag, Integer, Word
from training.data.times import Clock, Day, Moment
from training.data.wordings import named_day, pool
from training.data.world import Person

from ._pet_life_lost import FOUND, LOST

NAME = Word(
    pool(
        """Biscuit | Luna | Rex | Pepper | Coco | Ziggy | Bella | Simba | Daisy | Mochi | Oreo | Shadow | Nala | Gizmo
        Toby | Waffles | Cleo | Bruno | Hazel | Pumpkin | Snowy | Rocky | Pixie | Leo"""
    ),
    pool(
        """豆豆 | 咪咪 | 旺财 | 小黑 | 奶茶 | 布丁 | 雪球 | 橘子 | 可乐 | 土豆 | 年糕 | 花花 | 大福 | 球球 | 芝麻 | 汤圆
        毛毛 | 闪电 | 饭团 | 麻薯 | 虎子 | 米粒"""
    ),
)
SPECIES = Choice(
    {
        "dog": (("dog", "puppy"), ("狗", "狗狗")),
        "cat": (("cat", "kitten"), ("猫", "猫咪")),
        "rabbit": (("rabbit",), ("兔子",)),
        "hamster": (("hamster",), ("仓鼠",)),
        "parrot": (("parrot",), ("鹦鹉",)),
    },
    ({"dog": "DOG", "cat": "CAT", "rabbit": "RABBIT", "hamster": "HAMSTER", "parrot": "PARROT"},),
)
MORSEL = Word(
    pool(
        """chocolate | grapes | onions | avocado | cheese | raw potatoes | lilies | macadamia nuts | coffee | popcorn
        honey | chewing gum | raisins | mushrooms | garlic | cooked bones | bacon | cucumber | poinsettia | tulip bulbs
        eggs | ice cream | walnuts"""
    ),
    pool(
        """巧克力 | 葡萄 | 洋葱 | 牛油果 | 奶酪 | 生土豆 | 百合花 | 夏威夷果 | 咖啡 | 爆米花 | 蜂蜜 | 口香糖 | 葡萄干
        蘑菇 | 大蒜 | 鸡骨头 | 火腿肠 | 黄瓜 | 绿萝叶子 | 樱桃 | 牛奶 | 冰淇淋 | 核桃"""
    ),
)
VACCINE = Choice(
    {
        "rabies": (("rabies",), ("狂犬疫苗", "狂犬病疫苗")),
        "distemper": (("distemper",), ("犬瘟疫苗", "犬瘟热疫苗")),
        "cat_flu": (("cat flu",), ("猫鼻支疫苗",)),
    },
    ({"rabies": "RAB", "distemper": "DIS", "cat_flu": "FLU"},),
)
GROOM = Choice(
    {
        "bath": (("a bath", "a wash"), ("洗澡",)),
        "clipping": (("a fur trim", "a haircut"), ("剪毛", "修毛")),
        "nails": (("a nail trim",), ("剪指甲",)),
        "full": (("the full treatment", "the whole works"), ("全套美容",)),
    },
    ({"bath": "BATH", "clipping": "CLIP", "nails": "NAILS", "full": "FULL"},),
)

BOARD = Family(
    key="pet_life.boarding",
    names=("book_pet_boarding", "reserve_kennel", "pet_hotel_booking", "board_pet"),
    about=(
        "Book a place where a pet stays while you are away.",
        "Reserves a kennel or cattery for a pet between two days.",
        "Boarding with overnight stay. For walks only use another tool.",
    ),
    about_zh=("预订宠物寄养。", "在两个日期之间为宠物预订寄养。"),
    params=(
        Param("pet", NAME, ("pet", "pet_name", "guest"), ("Name of the pet",), ("宠物名字",)),
        Param("start", named_day(1, 12), ("from_date", "drop_off", "check_in"), ("First day",), ("送达日期",)),
        Param("end", named_day(14, 30), ("to_date", "pick_up", "check_out"), ("Last day",), ("接回日期",)),
        Param("kind", SPECIES, ("species", "animal_type"), ("Kind of animal",), ("宠物种类",), required=False),
        Param(
            "alone",
            Flag(),
            ("single_room", "keep_separate"),
            ("True if kept alone",),
            ("是否单独房间",),
            required=False,
        ),
    ),
    asks=(
        "We're off on holiday, {pet} needs a place from {start} to {end}.",
        "board {pet} {start} to {end}[, it's a {kind}]",
        "Who takes {pet} from {start} to {end}? Book the pet hotel[, {pet} is a {kind}].",
        Ask(
            "A single room for {pet} at the kennel, from {start} to {end}, because of the other animals.",
            {"alone": True},
        ),
        "pet hotel for {pet}, drop-off {start}, pick-up {end}",
        "My {kind} {pet} can't come with us. Please reserve boarding from {start} to {end}.",
        "{pet} has to stay somewhere from {start} to {end} while I'm in hospital.",
        Ask("{pet} likes company, so no single room. Boarding from {start} to {end}, please.", {"alone": False}),
    ),
    asks_zh=(
        "我们去度假，{pet}要寄养，{start}到{end}",
        "给{pet}订宠物酒店，{start}送，{end}接[，是只{kind}]",
        "{start}到{end}没人照顾{pet}，帮我约寄养",
        Ask("{pet}要单间，{start}到{end}寄养", {"alone": True}),
        "寄养预订：{pet}[，{kind}]，{start}至{end}",
        "我家{kind}{pet}带不走，{start}到{end}找个地方寄养",
        "住院期间{pet}得有人管，{start}送去寄养，{end}接回",
        Ask("{pet}喜欢热闹不用单间，{start}到{end}寄养", {"alone": False}),
        "出差，{pet}放宠物店寄养，从{start}到{end}",
        "宠物酒店给{pet}留个位子，{start}入住，{end}离开",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "place",
                    Word(pool("Happy Paws | Villa Whiskers | Green Meadow"), pool("快乐爪爪 | 猫咪别墅 | 绿草地")),
                ),
                ("price", Integer(60, 600, 5)),
            ),
            texts=("{place}, {price} in all",),
            texts_zh=("{place}，共{price}元",),
            answers=(
                "{pet} will stay at {place}, for {price}.",
                "Booked at {place}: {price}.",
                "{place} takes {pet} in.",
            ),
            answers_zh=("{pet}住{place}，共{price}元。", "订好了，{place}，{price}元。", "{place}会照顾{pet}。"),
        ),
    ),
    missing=(
        Missing(
            key="end",
            asks=("{pet} needs boarding from {start}.", "book the kennel for {pet}, drop-off {start}"),
            replies=("Until which day?", "When will you pick {pet} up?"),
            asks_zh=("{pet}{start}开始寄养", "{start}把{pet}送去寄养，订一下"),
            replies_zh=("请问寄养到哪天？", "哪天来接{pet}？"),
        ),
        Missing(
            key="pet",
            asks=("I need boarding for my pet from {start} to {end}.",),
            replies=("What is your pet's name?", "Which pet is it?"),
            asks_zh=("{start}到{end}寄养宠物，帮我订",),
            replies_zh=("请问宠物叫什么名字？", "是哪只宠物？"),
        ),
    ),
)

SHOTS = Family(
    key="pet_life.vaccination",
    names=("vaccination_due", "pet_shots_status", "check_pet_vaccine", "next_vaccination"),
    about=(
        "When a pet's next vaccination is due.",
        "Looks into a pet's vaccination card, for one vaccine if named.",
        "Reads the card. Books no vet.",
    ),
    about_zh=("查询宠物疫苗到期时间。", "查看宠物的免疫记录，不预约医生。"),
    params=(
        Param("pet", NAME, ("pet_name", "pet"), ("Name of the pet",), ("宠物名字",)),
        Param("vaccine", VACCINE, ("vaccine", "against"), ("Which one",), ("哪种疫苗",), required=False),
    ),
    asks=(
        "When does {pet} need the next jab[ against {vaccine}]?",
        "is {pet} still protected[ against {vaccine}]",
        "We want to take {pet} across the border. Is the {vaccine} shot still valid?",
        "{pet} vaccination due?",
        "The dog school wants proof. Until when is {pet} vaccinated[ against {vaccine}]?",
        "How long ago did {pet} get the {vaccine} shot, and when is the next?",
        "check the vaccination card of {pet}[ for {vaccine}]",
        "Has {pet} had all the shots?",
    ),
    asks_zh=(
        "{pet}下次打疫苗是什么时候？",
        "{pet}的{vaccine}还有效吗",
        "想带{pet}出国，{vaccine}过期没有",
        "{pet}该打针了吗[，{vaccine}]",
        "宠物学校要证明，{pet}的疫苗到哪天",
        "查下{pet}的免疫本[，看{vaccine}]",
        "{pet}什么时候要补针[，{vaccine}]",
        "{pet}疫苗都打齐了没",
        "忘了{pet}上次啥时候打的{vaccine}，下次几号",
        "{pet}免疫到期日",
    ),
    outcomes=(
        Outcome(
            fields=(("due", Day(10, 400)),),
            texts=("due {due}",),
            texts_zh=("{due}到期",),
            answers=("{pet} is due on {due}.", "The next one is due on {due}.", "{pet} is protected until {due}."),
            answers_zh=("{pet}的下一针在{due}。", "{due}到期。", "{pet}的保护期到{due}。"),
        ),
    ),
    missing=(
        Missing(
            key="pet",
            asks=("When is the next {vaccine} shot due?", "is my pet's vaccination still valid"),
            replies=("For which pet?", "What is the pet's name?"),
            asks_zh=("{vaccine}什么时候到期", "我家宠物疫苗过期没"),
            replies_zh=("请问是哪只宠物？", "宠物叫什么？"),
        ),
    ),
)

WEIGH = Family(
    key="pet_life.log_weight",
    names=("log_pet_weight", "record_weight_of_pet", "pet_weigh_in", "add_weight_entry"),
    about=(
        "Write down a pet's weight.",
        "Adds a weight in kilograms to a pet's chart.",
        "Records weights; it does not say how much to feed.",
    ),
    about_zh=("记录宠物体重。", "把宠物的体重（公斤）记入曲线。"),
    params=(
        Param("pet", NAME, ("pet", "pet_name", "name"), ("Which pet",), ("宠物",)),
        Param("kg", Decimal(1, 48, 1), ("weight_kg", "kg", "weight"), ("Weight in kg",), ("体重，公斤",)),
        Param("day", Day(-6, 0), ("date", "weighed_on"), ("Today if left out",), ("日期，默认今天",), required=False),
    ),
    asks=(
        "{pet} weighs {kg} kilos[, measured {day}].",
        "weight {pet}: {kg} kg[, {day}]",
        "Put {pet} on the scales: {kg} kg. Keep that in the chart.",
        "We weighed {pet}[ {day}], it's {kg} kg",
        "The diet is working! {pet} is down to {kg} kg, note it.",
        "{pet} has reached {kg} kilograms, please record it[ for {day}]",
        "At the vet's the scales said {kg} kg for {pet}. Add it to the list.",
        "{pet}, {kg} kg, log",
    ),
    asks_zh=(
        "{pet}{kg}公斤，记一下[，{day}称的]",
        "{day}称了{pet}，{kg}公斤",
        "{pet}体重{kg}kg，存到曲线里",
        "减肥有效果，{pet}降到{kg}公斤了，记录",
        "记录体重：{pet}，{kg}公斤",
        "{pet}又胖了，现在{kg}公斤，登记",
        "医院秤上{pet}是{kg}公斤，加到记录",
        "{pet}长到{kg}公斤啦，帮我写下来",
        "把{pet}{kg}公斤录进去[，日期{day}]",
        "{pet}上秤了，{kg}公斤",
    ),
    outcomes=(
        Outcome(
            fields=(("entries", Integer(2, 50)),),
            texts=("saved, {entries} entries",),
            texts_zh=("已保存，共{entries}条",),
            answers=(
                "{kg} kg is noted for {pet}.",
                "Saved; there are {entries} entries for {pet}.",
                "The chart is up to date.",
            ),
            answers_zh=("{pet}的体重记好了。", "已保存，共{entries}条记录。", "{pet}{kg}公斤，已录入。"),
        ),
    ),
    missing=(
        Missing(
            key="kg",
            asks=("Note the weight of {pet}.", "we weighed {pet} {day}, put it in the chart"),
            replies=("How much does {pet} weigh?", "How many kilos?"),
            asks_zh=("记一下{pet}的体重", "{day}给{pet}称重了，登记"),
            replies_zh=("请问{pet}多少公斤？", "体重是多少？"),
        ),
    ),
)

POISON = Family(
    key="pet_life.poison_check",
    names=("is_it_toxic", "pet_poison_check", "food_safety_for_pets", "can_pet_eat"),
    about=(
        "Whether something is poisonous for an animal.",
        "Checks a food or plant for one kind of pet.",
        "Says if a pet may eat something; it calls no vet.",
    ),
    about_zh=("查询某物对宠物是否有毒。", "判断某种食物或植物宠物能不能吃。"),
    params=(
        Param("what", MORSEL, ("substance", "food", "item"), ("Food or plant",), ("食物或植物",)),
        Param("kind", SPECIES, ("animal", "species", "pet_type"), ("Kind of pet",), ("宠物种类",)),
    ),
    asks=(
        "Can my {kind} eat {what}?",
        "{what} for a {kind}, ok or not",
        "Help, the {kind} got at the {what}! Is that dangerous?",
        "My son shared his {what} with the {kind}. Should I worry?",
        "is {what} bad for a {kind}",
        "The {kind} loves {what}. Is it harmless?",
        "Will {what} harm a {kind}?",
        "We have {what} lying about at home and a {kind}. Do I have to put it away?",
    ),
    asks_zh=(
        "{kind}能吃{what}吗？",
        "我家{kind}偷吃了{what}，要紧吗",
        "{what}对{kind}有毒吗",
        "儿子把{what}分给{kind}吃了，有没有事",
        "{kind}很爱{what}，会不会有害",
        "糟了，{kind}啃了{what}，危险吗",
        "家里养{kind}，{what}要不要收起来",
        "给{kind}喂{what}行不行",
        "{what}，{kind}可以碰吗",
        "听说{kind}不能吃{what}，真的假的",
    ),
    outcomes=(
        Outcome(
            fields=(("risk_of_5", Integer(0, 5)),),
            texts=("risk {risk_of_5} of 5",),
            texts_zh=("风险等级{risk_of_5}（满分5）",),
            answers=(
                "The risk for a {kind} is {risk_of_5} out of 5.",
                "{risk_of_5} out of 5 on the danger scale.",
                "{what}: risk {risk_of_5} of 5.",
            ),
            answers_zh=(
                "{what}对{kind}的风险是{risk_of_5}级，最高5级。",
                "风险{risk_of_5}级（满分5）。",
                "危险程度{risk_of_5}，最高为5。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="kind",
            asks=("Is {what} poisonous for my pet?", "may pets have {what}"),
            replies=("What kind of pet is it?", "Which animal do you mean?"),
            asks_zh=("宠物能吃{what}吗", "{what}对宠物有毒吗"),
            replies_zh=("请问是什么宠物？", "是猫、狗还是别的？"),
        ),
        Missing(
            key="what",
            asks=("My {kind} ate something. Is it dangerous?", "can a {kind} have that?"),
            replies=("What did it eat?", "What exactly?"),
            asks_zh=("我家{kind}乱吃东西了，要紧吗", "这个{kind}能吃吗"),
            replies_zh=("请问吃了什么？", "是什么东西？"),
        ),
    ),
)

GROOMER = Family(
    key="pet_life.grooming",
    names=("book_groomer", "pet_grooming", "grooming_appointment", "wash_and_trim"),
    about=(
        "Book a pet in with the groomer.",
        "Makes an appointment for washing, trimming or nails of a pet.",
        "Groomers for animals, not for people; no medical care.",
    ),
    about_zh=("预约宠物美容。", "为宠物预约洗澡、剪毛等，不含医疗。"),
    params=(
        Param("pet", NAME, ("pet", "pet_name"), ("Name of the pet",), ("宠物名字",)),
        Param("job", GROOM, ("service", "treatment", "package"), ("What is done",), ("美容项目",)),
        Param("when", Moment(Day(0, 16), Clock(9, 18)), ("when", "appointment_time"), ("When",), ("时间",)),
    ),
    asks=(
        "{pet} needs {job} {when}.",
        "book the groomer: {pet}, {job}, {when}",
        "{pet} rolled in something awful. Get us {job} {when}!",
        "Could {pet} have {job} {when}?",
        "{when} for {pet} at the dog parlour, {job} please",
        "Make {pet} pretty for the show: {job}, {when}.",
        "I'd like {job} for {pet}. We could come {when}.",
        "groomer {when}, {pet}, {job}",
    ),
    asks_zh=(
        "{when}给{pet}{job}，预约一下",
        "{pet}要{job}，{when}行吗",
        "{pet}在泥里打滚了，{when}带去{job}，约上",
        "宠物店{when}给{pet}{job}",
        "约宠物美容：{pet}，{job}，{when}",
        "{when}带{pet}去{job}，帮我订时间",
        "比赛前给{pet}打扮一下，{when}，{job}",
        "想让{pet}{when}{job}",
        "{pet}毛太长了，{when}去{job}，预约",
        "美容师{when}有空吗？{pet}{job}",
    ),
    outcomes=(
        Outcome(
            fields=(("groomer", Person()), ("price", Integer(20, 120, 5))),
            texts=("{groomer}, {price}",),
            texts_zh=("{groomer}，{price}元",),
            answers=(
                "{groomer} will look after {pet}; it costs {price}.",
                "Booked with {groomer}, for {price}.",
                "{pet} has an appointment with {groomer}.",
            ),
            answers_zh=(
                "约好了，{groomer}给{pet}做，{price}元。",
                "美容师是{groomer}，{price}元。",
                "{pet}的美容已预约。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="when",
            asks=("{pet} needs {job}.", "book {job} for {pet}"),
            replies=("When would you like to come?", "On which day and at what time?"),
            asks_zh=("{pet}要{job}", "给{pet}约个{job}"),
            replies_zh=("请问什么时候？", "约哪天几点？"),
        ),
        Missing(
            key="job",
            asks=("Book {pet} in with the groomer {when}.",),
            replies=("What should be done: a bath, a trim, nails?", "Which treatment does {pet} need?"),
            asks_zh=("{when}给{pet}约美容",),
            replies_zh=("请问做什么项目？", "{pet}是洗澡还是剪毛？"),
        ),
    ),
    also=("pets.book_vet",),
)

DOMAIN = Domain(
    "pet_life",
    (BOARD, SHOTS, WEIGH, POISON, GROOMER, LOST, FOUND),
    unserved=(
        ("Buy a scratching post.", "买个猫抓板。"),
        ("Teach my parrot to say hello.", "教我的鹦鹉说你好。"),
        ("Why does my cat stare at the wall?", "我的猫为什么盯着墙看？"),
        ("Register my dog for the dog tax.", "给我的狗上户口。"),
        ("Clean the hamster cage.", "把仓鼠笼子打扫一下。"),
        ("Brush the dog.", "给狗梳梳毛。"),
        ("How old is that in dog years?", "换算成狗的年龄是多少？"),
        ("Adopt the grey cat from the shelter.", "领养收容所那只灰猫。"),
        ("Take the dog out now.", "现在去遛狗。"),
        ("Insure my horse against accidents.", "给我的马买意外险。"),
        ("Which breed is best for a small flat?", "小户型适合养什么品种？"),
        ("Fill up the aquarium.", "给鱼缸加水。"),
    ),
)
