"""Pets that ran away, and pets that somebody found."""

from training.data.family import Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Integer, Word
from training.data.times import Day
from training.data.wordings import composed, pool
from training.data.world import City, Phone

RUNAWAY = Choice(
    {
        "dog": (("dog",), ("狗",)),
        "cat": (("cat",), ("猫",)),
        "rabbit": (("rabbit",), ("兔子",)),
        "tortoise": (("tortoise",), ("乌龟",)),
        "parrot": (("parrot",), ("鹦鹉",)),
    },
    ({"dog": "DOG", "cat": "CAT", "rabbit": "RABBIT", "tortoise": "TORTOISE", "parrot": "PARROT"},),
)
LOOKS = composed(
    ("{colour} with {mark}",),
    ("{colour}带{mark}", "{colour}有{mark}"),
    {
        "colour": pool("black | ginger | grey | brown | white | spotted"),
        "mark": pool("a red collar | a white paw | one blue eye | a bent ear | a green ribbon | a short tail | a bell"),
    },
    {
        "colour": pool("黑色 | 橘色 | 灰色 | 棕色 | 白色 | 花斑"),
        "mark": pool("红项圈 | 白爪子 | 一只蓝眼睛 | 折耳 | 绿丝带 | 短尾巴 | 铃铛"),
    },
)
CHIP = Code(("999999999999999", "A99999999", "9999-9999"))

LOST = Family(
    key="pet_life.report_lost",
    names=("report_lost_pet", "missing_pet_notice", "lost_animal_report", "pet_ran_away"),
    about=(
        "Report a pet that ran away.",
        "Files a notice for a lost animal: kind, looks, city and a number to call.",
        "For owners. Who has found an animal uses another tool.",
    ),
    about_zh=("登记走失宠物。", "发布寻宠信息：种类、特征、城市和电话。"),
    params=(
        Param("kind", RUNAWAY, ("species", "animal", "kind"), ("Kind of animal",), ("种类",)),
        Param("looks", LOOKS, ("description", "appearance", "marks"), ("What it looks like",), ("外貌特征",)),
        Param("city", City(0.0), ("city", "lost_in", "last_seen"), ("Where it got lost",), ("走失城市",)),
        Param("phone", Phone(), ("owner_phone", "contact", "phone"), ("Number to call",), ("联系电话",)),
        Param("day", Day(-7, 0), ("lost_on", "since"), ("Since when",), ("走失日期",), required=False),
        Param("reward", Integer(20, 500, 10), ("reward", "finder_reward"), ("Reward",), ("酬金",), required=False),
    ),
    asks=(
        "My {kind} ran away in {city}[ {day}]! It's {looks}. Please call {phone}[, reward {reward}].",
        "lost {kind}, {city}, {looks}, phone {phone}[, reward {reward}]",
        "We can't find our {kind} anywhere in {city}. It is {looks}, and our number is {phone}.",
        "Put up a notice: {kind} missing in {city}[ since {day}], {looks}, contact {phone}.",
        "The gardener left the gate open and now the {kind} is gone. {city}, {looks}, {phone}.",
        "Please report our {kind} as missing. Looks: {looks}. City: {city}. Phone: {phone}.",
        "{kind} missing[ {day}]: {looks}. Last seen in {city}. Tel. {phone}[. We pay {reward}]",
        "Has anybody seen a {kind}, {looks}? It's ours, it got lost in {city}. Register it, {phone}.",
    ),
    asks_zh=(
        "我家{kind}在{city}走丢了[，{day}]，{looks}，电话{phone}[，酬谢{reward}元]",
        "寻{kind}：{city}，{looks}，联系{phone}",
        "{city}丢了{kind}，特征{looks}，请打{phone}[，重谢{reward}元]",
        "发个寻宠启事，{kind}，{looks}，{city}[，{day}走失]，{phone}",
        "门没关好，{kind}跑了，{looks}，人在{city}，电话{phone}",
        "帮我登记走失：{kind}，{looks}，{city}，{phone}",
        "{kind}不见了，{city}，{looks}，看到请联系{phone}[，{reward}元酬金]",
        "找遍{city}都没找到我的{kind}，{looks}，手机{phone}，发布寻找",
        "[{day}]{city}走失{kind}一只，{looks}，主人电话{phone}",
        "孩子哭了一天，{kind}丢了，{looks}，{city}，{phone}，快帮忙登记",
    ),
    outcomes=(
        Outcome(
            fields=(("notice", Integer(1000, 9999)), ("shelters", Integer(2, 15))),
            texts=("notice {notice}, {shelters} shelters informed",),
            texts_zh=("启事{notice}，已通知{shelters}家收容所",),
            answers=(
                "The notice is out (number {notice}) and {shelters} shelters know.",
                "I've reported it; {shelters} shelters in the area are looking out.",
                "Notice {notice} is published. Good luck!",
            ),
            answers_zh=(
                "启事已发布，编号{notice}，通知了{shelters}家收容所。",
                "已登记，{shelters}家收容所会留意。",
                "寻宠启事{notice}已发出。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="phone",
            asks=("My {kind} got lost in {city}, {looks}. Report it!", "missing {kind}, {city}, {looks}"),
            replies=("Which number should people call?", "What is your phone number?"),
            asks_zh=("{kind}在{city}丢了，{looks}，帮我登记", "寻{kind}，{city}，{looks}"),
            replies_zh=("请问联系电话是多少？", "看到的人打哪个电话？"),
        ),
        Missing(
            key="looks",
            asks=("My {kind} ran away in {city}, call {phone}.",),
            replies=("What does it look like?", "Can you describe your {kind}?"),
            asks_zh=("{kind}在{city}走丢了，电话{phone}",),
            replies_zh=("请问它长什么样？", "{kind}有什么特征？"),
        ),
    ),
)

FOUND = Family(
    key="pet_life.chip_owner",
    names=("find_pet_owner", "lookup_chip", "microchip_search", "owner_by_chip"),
    about=(
        "Find the owner of an animal by its chip.",
        "Looks a microchip number up in the pet register.",
        "For animals that were found. Reports none as lost.",
    ),
    about_zh=("按芯片号查找宠物主人。", "在宠物登记库查询芯片号。"),
    params=(Param("chip", CHIP, ("chip_number", "microchip_id", "chip"), ("Number of the chip",), ("芯片号",)),),
    asks=(
        "I found a dog, its chip says {chip}. Whose is it?",
        "who owns the animal with chip {chip}",
        "A cat came to our door and the vet read the number {chip}. Find its people.",
        "chip {chip}, owner?",
        "Somebody must be missing this little one. Chip number {chip}.",
        "The scanner shows {chip}. Where does the pet belong?",
        "Look up microchip {chip} in the pet register, please.",
        "Is {chip} registered to anybody?",
    ),
    asks_zh=(
        "捡到一只狗，芯片号{chip}，是谁家的？",
        "查芯片{chip}的主人",
        "有只猫跑到我家，医生扫出来是{chip}，帮它找主人",
        "{chip}登记在谁名下",
        "扫描仪显示{chip}，这宠物是哪家的",
        "肯定有人在找它，芯片{chip}",
        "宠物芯片{chip}，查一下登记信息",
        "路边捡的小家伙，芯片编号{chip}，联系谁",
        "芯片{chip}有主人吗",
        "帮这只狗回家，芯片号码{chip}",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("pet_name", Word(pool("Balu | Kiki | Sammy | Minka"), pool("巴鲁 | 琪琪 | 小米 | 咪卡"))),
                ("owner_phone", Phone()),
            ),
            texts=("{pet_name}, call {owner_phone}",),
            texts_zh=("{pet_name}，电话{owner_phone}",),
            answers=(
                "The animal is called {pet_name}; call the owner on {owner_phone}.",
                "It's {pet_name}. Number: {owner_phone}.",
                "Please call {owner_phone}.",
            ),
            answers_zh=(
                "它叫{pet_name}，主人电话{owner_phone}。",
                "请拨打{owner_phone}联系主人。",
                "是{pet_name}，电话{owner_phone}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="chip",
            asks=("I found a cat with a chip. Whose is it?", "find the owner of this dog by its chip"),
            replies=("What is the chip number?", "Which number does the chip have?"),
            asks_zh=("捡到一只有芯片的猫，是谁家的", "按芯片帮我找狗主人"),
            replies_zh=("请问芯片号是多少？", "芯片编号是什么？"),
        ),
    ),
)
