"""Living things: species, sightings, food chains, family trees of life, strands of DNA."""

from training.data.family import Ask, Domain, Draw, Drawn, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, ListOf, Made, Word
from training.data.times import Day
from training.data.wordings import pool
from training.data.world import City, Country

ANIMAL = Word(
    pool(
        """red fox | barn owl | hedgehog | grey seal | otter | kingfisher | badger | white stork | lynx
        brown bear | humpback whale | tree frog | peregrine falcon | stag beetle | snow leopard | sea turtle | moose
        honey bee | bald eagle | giant panda | manta ray | meerkat | emperor penguin | wild boar"""
    ),
    pool(
        """赤狐 | 仓鸮 | 刺猬 | 斑海豹 | 水獭 | 翠鸟 | 獾 | 白鹳 | 大鲵 | 猞猁 | 棕熊 | 座头鲸 | 树蛙 | 游隼 | 锹甲
        雪豹 | 海龟 | 驼鹿 | 蜜蜂 | 大熊猫 | 朱鹮 | 金丝猴 | 丹顶鹤 | 野猪 | 中华鲟"""
    ),
)
COLOUR = Choice(
    {
        "red": (("red",), ("红色",)),
        "yellow": (("yellow",), ("黄色",)),
        "blue": (("blue",), ("蓝色",)),
        "green": (("green",), ("绿色",)),
        "black": (("black",), ("黑色",)),
        "white": (("white",), ("白色",)),
        "brown": (("brown",), ("棕色", "褐色")),
        "grey": (("grey", "gray"), ("灰色",)),
    },
)
HABITAT = Choice(
    {
        "forest": (("in the forest", "in the woods"), ("森林", "树林")),
        "wetland": (("in a marsh", "in the wetlands"), ("湿地", "沼泽")),
        "coast": (("at the coast", "by the sea"), ("海边", "海岸")),
        "garden": (("in a garden",), ("花园", "院子")),
        "mountain": (("in the mountains",), ("山上", "山区")),
        "city": (("in the city", "in town"), ("城里", "市区")),
    },
    ({"forest": "FOREST", "wetland": "WETLAND", "coast": "COAST", "garden": "GARDEN", "mountain": "MOUNTAIN"},),
)


def _strand(draw: Draw) -> Drawn:
    text = "".join(draw.rng.choices("ACGT", k=draw.rng.randint(6, 18)))
    return Drawn(text, text)


STRAND = Made(_strand)
BIRD = Word(pool("robin | goldfinch | nuthatch | blue tit | wren | jay"), pool("知更鸟 | 金翅雀 | 山雀 | 戴胜 | 松鸦"))

SIGHTING = Family(
    key="nature.sighting",
    names=("report_sighting", "log_wildlife", "add_observation", "record_species_seen", "submit_sighting"),
    about=(
        "Report a wild animal that was seen.",
        "Adds a sighting to the wildlife map: species, number, place, day.",
        "For observations only; does not call the rangers.",
    ),
    about_zh=("上报野生动物目击记录。", "在野生动物地图上登记所见物种、数量、地点和日期。"),
    params=(
        Param("species", ANIMAL, ("species", "animal", "taxon"), ("What was seen",), ("物种",)),
        Param("city", City(), ("near", "location", "place"), ("Near which town",), ("地点",)),
        Param("count", Integer(2, 30), ("count", "individuals", "how_many"), ("How many",), ("数量",), False),
        Param("day", Day(-20, 0), ("date", "seen_on"), ("When",), ("日期",), False),
        Param("young", Flag(), ("with_young", "has_offspring"), ("Young ones were there",), ("有幼崽",), False),
    ),
    asks=(
        "I saw a {species} near {city}[ on {day}]. Put it on the map.",
        "report: {species}, {city}[, {count} of them]",
        "you won't believe it, a {species} showed up by {city}, please register that",
        "log a sighting of {species} close to {city}[, {day}]",
        Ask("There was a {species} with young near {city}, note it for the survey.", {"young": True}),
        "wildlife count: {count} times {species}, place {city}",
        "Add to the observations: {species} outside {city}[ on {day}][, number seen: {count}]",
        "the club wants all records: {species} seen by {city}[, {count} animals]",
    ),
    asks_zh=(
        "我[{day}]在{city}附近看到{species}了，登记一下",
        "上报：{species}，{city}[，{count}只]",
        "太稀奇了，{city}边上居然有{species}出没，帮我记到地图上",
        "记录目击：{city}，{species}[，{day}]",
        Ask("{city}附近有只{species}带着幼崽，报一下", {"young": True}),
        "野生动物调查：{city}发现{species}{count}只",
        "{day}在{city}拍到{species}，提交观察记录",
        "{city}出现{species}[，数了数有{count}只]，请上传",
        "观鸟群让登记，{species}，地点{city}[，时间{day}]",
        "护林站让报，{city}外头有{species}",
        "刚刚在{city}遇见{species}，写进观察库[，共{count}只]",
    ),
    outcomes=(
        Outcome(
            fields=(("record", Word(("W-120", "W-587", "W-2041"))),),
            texts=("saved as {record}",),
            answers=("Your sighting is saved as {record}.", "Thank you, {species} is on the map: {record}."),
            answers_zh=("已登记，编号{record}。", "{species}已上图，记录{record}。"),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("I saw a {species}, report it.", "log a sighting of {species}[ on {day}]"),
            replies=("Near which town was that?", "Where did you see it?"),
            asks_zh=("我看到{species}了，上报一下", "登记一次{species}目击"),
            replies_zh=("请问在哪里看到的？", "地点是哪儿？"),
        ),
        Missing(
            key="species",
            asks=("I want to report an animal near {city}.", "wildlife sighting by {city}, please log it"),
            replies=("Which animal was it?", "What did you see?"),
            asks_zh=("我要上报在{city}看到的动物", "{city}附近有野生动物，登记"),
            replies_zh=("请问是什么动物？", "看到的是哪种动物？"),
        ),
    ),
)

CLASSIFY = Family(
    key="nature.classify",
    names=("classify_species", "taxonomy_of", "scientific_rank", "tree_of_life"),
    about=("Where an animal belongs in the tree of life.", "Family, order, class or Latin name of a species."),
    about_zh=("查询动物的分类地位。", "给出物种的科、目、纲或学名。"),
    params=(
        Param("species", ANIMAL, ("common_name", "species", "animal"), ("Everyday name",), ("俗名",)),
        Param(
            "rank",
            Choice(
                {
                    "family": (("family",), ("科",)),
                    "order": (("order",), ("目",)),
                    "class": (("class",), ("纲",)),
                    "latin_name": (("Latin name", "scientific name"), ("学名", "拉丁名")),
                },
                ({"family": "FAMILY", "order": "ORDER", "class": "CLASS", "latin_name": "BINOMIAL"},),
            ),
            ("rank", "level", "what"),
            ("Which rank",),
            ("分类等级",),
        ),
    ),
    asks=(
        "What's the {rank} of the {species}?",
        "taxonomy: {rank} of the {species}",
        Ask("What do scientists call the {species} in Latin?", {"rank": "latin_name"}),
        "biology homework: {species}, {rank}?",
        "I label pictures and need the {rank} for a {species}",
        Ask("which family is the {species} in", {"rank": "family"}),
        "give me the {rank}: {species}",
        "the museum sign for the {species} lacks its {rank}",
    ),
    asks_zh=(
        Ask("{species}属于哪个科？", {"rank": "family"}),
        Ask("{species}是什么目的", {"rank": "order"}),
        Ask("{species}的学名叫什么", {"rank": "latin_name"}),
        Ask("{species}归哪个纲", {"rank": "class"}),
        "查{species}的分类，要{rank}",
        "生物作业：{species}的{rank}是什么？",
        "给图片做标注，{species}的{rank}是啥",
        "{species}，{rank}",
        Ask("科学家管{species}叫什么拉丁名", {"rank": "latin_name"}),
        Ask("想知道{species}在分类上是哪一科的", {"rank": "family"}),
        "博物馆标签上缺了{species}的{rank}",
    ),
    outcomes=(
        Outcome(
            fields=(("name", Word(("Canidae", "Carnivora", "Mammalia", "Aves", "Tyto alba", "Lutrinae"))),),
            texts=("{name}",),
            answers=("It is {name}.", "For the {species} that is {name}."),
            answers_zh=("是 {name}。", "{species}：{name}。"),
        ),
    ),
    missing=(
        Missing(
            key="species",
            asks=("What is its {rank}?", "i need the {rank} of an animal"),
            replies=("Of which animal?", "Which species do you mean?"),
            asks_zh=("这种动物的{rank}是什么？", "查个动物的{rank}"),
            replies_zh=("请问是哪种动物？", "要查什么动物？"),
        ),
    ),
    also=("information.search_web", "information.encyclopedia"),
)

FOOD_CHAIN = Family(
    key="nature.food_chain",
    names=("food_chain", "who_eats_whom", "prey_or_predators", "diet_lookup"),
    about=("What an animal eats, or what eats it.", "Prey or predators of a species."),
    about_zh=("查询动物的食物或天敌。", "某物种吃什么、被什么吃。"),
    params=(
        Param("species", ANIMAL, ("species", "animal"), ("The animal",), ("动物",)),
        Param(
            "side",
            Choice(
                {
                    "prey": (("prey", "food"), ("食物", "猎物")),
                    "predators": (("predators", "enemies"), ("天敌",)),
                },
                ({"prey": "eats", "predators": "eaten_by"},),
            ),
            ("direction", "side", "relation"),
            ("Prey or predators",),
            ("食物或天敌",),
        ),
    ),
    asks=(
        Ask("What does a {species} eat?", {"side": "prey"}),
        Ask("who hunts the {species}", {"side": "predators"}),
        "list the {side} of the {species}",
        Ask("Does anything dare to attack a {species}?", {"side": "predators"}),
        Ask("My story is about a hungry {species}. What would it look for in the wild?", {"side": "prey"}),
        "natural {side} of a {species}",
        "for a poster on the {species} i need its {side}",
        "a documentary showed the {species}, now my son wants to know its {side}",
    ),
    asks_zh=(
        Ask("{species}吃什么？", {"side": "prey"}),
        Ask("什么动物会吃{species}", {"side": "predators"}),
        "{species}的{side}有哪些",
        Ask("{species}怕谁？", {"side": "predators"}),
        Ask("野外的{species}靠吃啥活着", {"side": "prey"}),
        "做海报用，{species}的{side}",
        "查{species}的{side}",
        Ask("谁敢攻击{species}啊", {"side": "predators"}),
        Ask("{species}平时捕食什么", {"side": "prey"}),
        "自然界里{species}的{side}是什么",
        "看完纪录片，孩子想知道{species}的{side}",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "animals",
                    Word(
                        pool("mice and beetles | fish | eagles and wolves | berries and roots | large owls"),
                        pool("老鼠和甲虫 | 鱼 | 鹰和狼 | 浆果和根茎 | 大型猫头鹰"),
                    ),
                ),
            ),
            texts=("{animals}",),
            answers=("For the {species}: {animals}.", "The answer is {animals}."),
            answers_zh=("{species}：{animals}。", "是{animals}。"),
        ),
    ),
    also=("information.search_web", "information.encyclopedia"),
)

IDENTIFY = Family(
    key="nature.identify_bird",
    names=("identify_bird", "bird_guide", "which_bird", "match_bird", "bird_by_features"),
    about=(
        "Find out which bird it was from its colours, size and where it was seen.",
        "Bird guide by features; needs no photo.",
    ),
    about_zh=("根据颜色、大小和环境识别鸟类。", "观鸟手册：按特征查鸟，不需要照片。"),
    params=(
        Param("colours", ListOf(COLOUR, 2, 3), ("colors", "plumage", "colours"), ("Colours of it",), ("羽毛颜色",)),
        Param("habitat", HABITAT, ("habitat", "seen_in", "environment"), ("Where it was",), ("环境",)),
        Param("size", Integer(8, 90), ("length_cm", "size_cm"), ("Length in centimetres",), ("体长，厘米",), False),
    ),
    asks=(
        "Which bird is {colours} and lives {habitat}[, about {size} cm long]?",
        "saw a bird, {colours}, {habitat}[, some {size} cm]. what was it",
        "I heard something {colours} singing {habitat}. Name?",
        "help me name a feathered visitor: {colours}, {habitat}[, {size} centimetres]",
        "bird guide: {habitat}, plumage {colours}",
        "my daughter drew a bird in {colours} that she watched {habitat}, any idea which one?",
        "feathers {colours}, seen {habitat}[, roughly {size} cm]: which species?",
        "I spotted it {habitat}, it had {colours} on it, a bird I don't know",
    ),
    asks_zh=(
        "{habitat}有只鸟，{colours}[，大概{size}厘米]，是什么鸟？",
        "在{habitat}看到一只{colours}的鸟，叫啥",
        "识鸟：{colours}，{habitat}[，体长{size}厘米]",
        "{habitat}里有只鸟在叫，羽毛{colours}，认得吗",
        "女儿画了只在{habitat}见到的鸟，颜色是{colours}，哪种？",
        "羽毛{colours}[，长{size}厘米]，生活在{habitat}的是什么鸟",
        "查鸟类手册，{habitat}，{colours}",
        "早上{habitat}飞来一只{colours}相间的鸟，帮我认认",
        "这鸟羽毛有{colours}，在{habitat}拍的，啥品种",
        "{habitat}，{colours}，[身长{size}厘米，]求鸟名",
    ),
    outcomes=(
        Outcome(
            fields=(("bird", BIRD), ("match_percent", Integer(60, 99))),
            texts=("{bird}, {match_percent}%",),
            answers=("It was probably a {bird} ({match_percent}%).", "That fits a {bird}, {match_percent}% sure."),
            answers_zh=("很可能是{bird}，匹配度{match_percent}%。", "{bird}，把握{match_percent}%。"),
        ),
    ),
    missing=(
        Missing(
            key="colours",
            asks=("Which bird did I see {habitat}?", "i saw a bird {habitat}, what is it"),
            replies=("What colours did it have?", "Can you tell me its colours?"),
            asks_zh=("{habitat}那只是什么鸟？", "在{habitat}看到一只鸟，帮我认认"),
            replies_zh=("请问它是什么颜色的？", "羽毛是什么颜色？"),
        ),
        Missing(
            key="habitat",
            asks=("I saw a bird, {colours}. Which one?",),
            replies=("Where did you see it: forest, coast, garden?", "In what kind of place was it?"),
            asks_zh=("有只{colours}的鸟，是什么？",),
            replies_zh=("请问在什么环境看到的？", "是在哪里看到的，树林、海边还是别处？"),
        ),
    ),
)

STATUS = Family(
    key="nature.status",
    names=("conservation_status", "is_endangered", "red_list_status", "species_protection"),
    about=("How endangered a species is.", "Conservation status of an animal, worldwide or in one country."),
    about_zh=("查询物种的濒危等级。", "动物的保护状况，可限某个国家。"),
    params=(
        Param("species", ANIMAL, ("species", "animal_name", "name"), ("The animal",), ("物种",)),
        Param("country", Country(), ("country", "in_country"), ("Only there",), ("国家",), False),
    ),
    asks=(
        "Is the {species} endangered[ in {country}]?",
        "conservation status of the {species}[, {country}]",
        "how many worries should I have about the {species} dying out[ in {country}]?",
        "is it true that the {species} is on the red list",
        "Will my grandchildren still see a {species}[ in {country}]? How threatened is it?",
        "red list: {species}",
        "protected or not: {species}[ in {country}]",
        "for a talk: how safe is the {species} from extinction[ in {country}]",
    ),
    asks_zh=(
        "{species}濒危吗？",
        "{species}[在{country}]是几级保护",
        "查{species}的濒危等级[，{country}]",
        "听说{species}上了红色名录，真的吗",
        "{species}[在{country}]会不会灭绝，受威胁程度怎样",
        "{country}的{species}受保护吗",
        "{species}还剩得多吗，保护状况如何",
        "保护级别：{species}",
        "我们孙子辈还看得到{species}吗？查查现状",
        "做演讲要用，{species}现在属于什么保护等级",
        "{species}快没了吗[，我说{country}那边]",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "status",
                    Choice(
                        {
                            "endangered": (("endangered",), ("濒危",)),
                            "vulnerable": (("vulnerable",), ("易危",)),
                            "least concern": (("of least concern",), ("无危",)),
                        }
                    ),
                ),
            ),
            texts=("{status}",),
            answers=("The {species} is {status}.", "It is listed as {status}."),
            answers_zh=("{species}为{status}。", "等级是{status}。"),
        ),
    ),
    missing=(
        Missing(
            key="species",
            asks=("Is that animal endangered?", "which status has it on the red list[ in {country}]"),
            replies=("Which animal do you mean?", "Which species?"),
            asks_zh=("这种动物濒危吗？", "查一下保护级别"),
            replies_zh=("请问是哪种动物？", "什么动物？"),
        ),
    ),
    also=("information.search_web", "information.encyclopedia"),
)

DNA = Family(
    key="nature.dna",
    names=("dna_tool", "transform_sequence", "dna_strand", "sequence_operation"),
    about=(
        "Work on a strand of DNA.",
        "Complement, reverse, transcript or protein of a DNA sequence.",
    ),
    about_zh=("处理 DNA 序列。", "求互补链、反向序列、转录或翻译结果。"),
    params=(
        Param("sequence", STRAND, ("sequence", "dna", "strand"), ("Letters A, C, G, T",), ("碱基序列",)),
        Param(
            "task",
            Choice(
                {
                    "complement": (("complement", "complementary strand"), ("互补链", "互补序列")),
                    "reverse": (("reverse",), ("反向序列",)),
                    "transcribe": (("RNA transcript", "transcript"), ("转录的RNA", "mRNA")),
                    "translate": (("protein", "amino acids"), ("蛋白质序列", "氨基酸序列")),
                },
            ),
            ("operation", "task", "output"),
            ("What to compute",),
            ("操作",),
        ),
    ),
    asks=(
        "What is the {task} of {sequence}?",
        "give me the {task} for {sequence}",
        Ask("transcribe {sequence} into RNA", {"task": "transcribe"}),
        Ask("which strand pairs with {sequence}", {"task": "complement"}),
        Ask("Translate the strand {sequence} into amino acids.", {"task": "translate"}),
        "lab sheet says {sequence}, i have to write down the {task}",
        Ask("read {sequence} backwards for me", {"task": "reverse"}),
        "I have {sequence} in the tube, what's the {task}?",
    ),
    asks_zh=(
        "{sequence} 的{task}是什么？",
        "求 {sequence} 的{task}",
        Ask("把 {sequence} 转录成RNA", {"task": "transcribe"}),
        Ask("跟 {sequence} 配对的那条链怎么写", {"task": "complement"}),
        Ask("{sequence} 翻译成氨基酸", {"task": "translate"}),
        "实验报告要写 {sequence} 的{task}",
        Ask("{sequence} 倒过来是什么", {"task": "reverse"}),
        "DNA片段 {sequence} ，要{task}",
        "生物题：{sequence}，写出{task}",
        "管子里这段是 {sequence} ，写一下{task}",
        "老师让求{task}，原序列 {sequence}",
    ),
    outcomes=(
        Outcome(
            fields=(("result", STRAND),),
            texts=("{result}",),
            answers=("The result is {result}.", "That gives {result}."),
            answers_zh=("结果是 {result}。", "得到 {result}。"),
        ),
    ),
    missing=(
        Missing(
            key="sequence",
            asks=("I need the {task} of a strand.", "work out the {task} of my DNA piece"),
            replies=("What is the sequence?", "Please give me the strand."),
            asks_zh=("帮我求一段DNA的{task}", "写出{task}"),
            replies_zh=("请问序列是什么？", "碱基序列是什么？"),
        ),
    ),
)

DOMAIN = Domain(
    "nature",
    (SIGHTING, CLASSIFY, FOOD_CHAIN, IDENTIFY, STATUS, DNA),
    unserved=(
        ("Call the rangers, a deer is hurt.", "有只鹿受伤了，叫护林员来。"),
        ("Adopt a panda in my mother's name.", "以我妈妈的名义认养一只熊猫。"),
        ("How long do elephants live?", "大象能活多久？"),
        ("Play the song of the nightingale.", "放一段夜莺的叫声。"),
        ("Buy a nest box for the garden.", "给院子买个鸟巢箱。"),
        ("Is this mushroom safe to eat?", "这种蘑菇能吃吗？"),
        ("Book a whale watching tour.", "订一个观鲸团。"),
        ("Why do cats purr?", "猫为什么会打呼噜？"),
        ("Count the trees in the park.", "数一数公园里有多少棵树。"),
        ("Donate ten euros to save the bees.", "捐十块钱保护蜜蜂。"),
        ("Clone my favourite rose.", "克隆我最喜欢的玫瑰。"),
        ("What is the zoo's entrance fee?", "动物园门票多少钱？"),
    ),
)
