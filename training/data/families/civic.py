"""Life in a town: rubbish, things lost and found, elections, donations."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Word
from training.data.sums import Cash
from training.data.world import City

from ._lost_property import REPORT_LOST, SEARCH_FOUND
from ._streets import STREET
from ._waste import BULKY_PICKUP, SORTING, WASTE_DAY

CHARITY = Word(
    (
        *("Sea Rescue", "Doctors on Wheels", "Save the Owls", "Food Bank North", "Children First", "Clean Rivers"),
        *("Animal Shelter Oakhill", "Books for All", "Hope House", "Forest Friends", "Winter Coats", "Blind Dog Fund"),
        *("Village Wells", "Open Kitchen", "Music for Kids", "Mountain Guard", "Free Clinic", "Lighthouse Trust"),
        *("Second Harvest", "Warm Beds"),
    ),
    (
        *("海上救援会", "流动医生", "护鸟协会", "爱心食物银行", "儿童优先基金", "清河行动"),
        *("橡树山动物救助站", "万卷书计划"),
        *("希望之家", "森林之友", "暖冬行动", "导盲犬基金", "乡村水井", "开放厨房", "音乐助学"),
        *("免费诊所", "灯塔基金会"),
        *("春蕾计划", "免费午餐", "暖阳基金"),
    ),
)

POLLING = Family(
    key="civic.polling_place",
    names=("find_polling_place", "polling_station", "where_to_vote", "voting_location"),
    about=(
        "Where somebody votes.",
        "Polling station for a street in a city.",
        "Finds the place to vote; registers nobody.",
    ),
    about_zh=("查询投票站。", "按住址查投票地点。"),
    params=(
        Param("street", STREET, ("street", "home_street"), ("Street of the voter",), ("街道",)),
        Param("city", City(0.1), ("city", "municipality"), ("City",), ("城市",)),
        Param("access", Flag(), ("wheelchair_access", "accessible"), ("Must be step-free",), ("需无障碍",), False),
    ),
    asks=(
        "Where do I vote? I live in {street}, {city}.",
        "polling station for {street} in {city}",
        "Election on Sunday and I've lost the letter: {street}, {city}. Where must I go?",
        "{street}, {city}, where can I cast my ballot",
        Ask("My mother is in a wheelchair. Where can she vote step-free near {street}, {city}?", {"access": True}),
        "which school is the polling place for {street}, {city}",
        "voters of {street} in {city}, where do they go?",
        Ask("accessible polling place, {street}, {city}", {"access": True}),
        "First time I'm allowed to choose a mayor! Home is {street}, {city}; which building do I walk to?",
    ),
    asks_zh=(
        "我住{city}{street}，去哪投票？",
        "{city}{street}的投票站在哪",
        "周日选举，通知单丢了，{city}，{street}，该去哪里投",
        Ask("我妈坐轮椅，{city}{street}附近哪个投票站无障碍", {"access": True}),
        "{street}的居民在哪儿投票？{city}",
        "查投票地点：{city}，{street}",
        "住在{city}的{street}，投票点是哪个学校",
        "{city}{street}选民到哪里投票",
        Ask("需要无障碍投票站，地址{city}{street}", {"access": True}),
        "想去投票，家在{street}，{city}，位置告诉我",
        "第一次有选举权，家住{city}{street}，要走到哪栋楼去投",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "building",
                    Word(("Linden School", "Fire Station 2", "Parish Hall"), ("实验小学", "社区中心", "第二中学")),
                ),
            ),
            texts=("{building}",),
            texts_zh=("{building}",),
            answers=("You vote at {building}.", "The polling place for {street} is {building}.", "Go to {building}."),
            answers_zh=("投票站在{building}。", "{street}的投票点是{building}。", "请到{building}投票。"),
        ),
    ),
    missing=(
        Missing(
            "street",
            ("Where do I vote in {city}?", "polling station {city}?"),
            ("In which street do you live?", "Which street?"),
            ("在{city}去哪投票？", "{city}的投票站"),
            ("请问您住哪条街？", "住址在哪条路？"),
        ),
    ),
)

DONATE = Family(
    key="civic.donate",
    names=("make_donation", "donate_money", "give_to_charity", "support_cause"),
    about=(
        "Give money to a charity.",
        "Donates a sum, once or regularly.",
        "Charity donation with an optional message.",
    ),
    about_zh=("向慈善机构捐款。", "一次性或定期捐赠。"),
    params=(
        Param("charity", CHARITY, ("charity", "organization", "recipient"), ("Who gets it",), ("慈善机构",)),
        Param("amount", Cash(5, 20_000), ("amount", "donation", "sum"), ("How much",), ("金额",)),
        Param(
            "rhythm",
            Choice(
                {
                    "once": (("once", "one time only"), ("一次性", "就这一次")),
                    "monthly": (("every month", "monthly"), ("每月", "每个月")),
                    "yearly": (("every year", "yearly"), ("每年",)),
                },
                ({"once": "one_time"},),
            ),
            ("frequency", "interval"),
            ("How often",),
            ("频率",),
            False,
            "once",
        ),
        Param("anonymous", Flag(), ("anonymous", "hide_name"), ("Hide the giver's name",), ("是否匿名",), False),
    ),
    asks=(
        "Donate {amount} to {charity}[, {rhythm}].",
        "give {charity} {amount}[ {rhythm}]",
        "I saw a film about it and want to help: {amount} for {charity}[, {rhythm}].",
        Ask("{amount} to {charity}, but they shouldn't see my name", {"anonymous": True}),
        "Christmas is near, so {amount} for {charity} please",
        "put {amount} in the hat for {charity}[, {rhythm}]",
        Ask("anonymous gift of {amount} to {charity}[, {rhythm}]", {"anonymous": True}),
        "I'd like to support {charity} with {amount}[ {rhythm}]",
        "My bonus came, so {charity} shall have {amount} of it[, {rhythm}].",
    ),
    asks_zh=(
        "给{charity}捐{amount}[，{rhythm}]。",
        "捐{amount}给{charity}",
        "看了报道很感动，想捐{amount}给{charity}",
        Ask("匿名捐{amount}给{charity}", {"anonymous": True}),
        Ask("{charity}捐{amount}，别留我名字[，{rhythm}]", {"anonymous": True}),
        "支持一下{charity}，{amount}[，{rhythm}]",
        "{charity}，捐款{amount}，{rhythm}",
        "快过年了，给{charity}献份爱心，{amount}",
        "我想[{rhythm}]资助{charity}{amount}",
        "帮我向{charity}捐赠{amount}",
        "奖金发了，拿{amount}出来帮帮{charity}[，{rhythm}]",
    ),
    outcomes=(
        Outcome(
            fields=(("receipt", Code(("D-99999", "R9999-99"))),),
            texts=("donation received, receipt {receipt}",),
            texts_zh=("捐款成功，收据{receipt}",),
            answers=(
                "{charity} got your {amount}; the receipt is {receipt}.",
                "Donated. Receipt: {receipt}.",
                "Done, thank you.",
            ),
            answers_zh=(
                "已向{charity}捐{amount}，收据{receipt}。",
                "捐款成功，收据号{receipt}。",
                "捐好了，感谢您的爱心。",
            ),
        ),
    ),
    missing=(
        Missing(
            "amount",
            ("I want to donate to {charity}.", "give something to {charity}"),
            ("How much would you like to give?", "What sum?"),
            ("我想给{charity}捐款。", "捐点钱给{charity}"),
            ("请问捐多少？", "捐款金额是多少？"),
        ),
        Missing(
            "charity",
            ("I'd like to donate {amount}.", "give {amount} to a good cause"),
            ("Who should get it?", "To which charity?"),
            ("我想捐{amount}。", "捐{amount}做慈善"),
            ("请问捐给哪个机构？", "捐给谁？"),
        ),
    ),
    also=("accounts.send",),
)

DOMAIN = Domain(
    "civic",
    (WASTE_DAY, SORTING, BULKY_PICKUP, REPORT_LOST, SEARCH_FOUND, POLLING, DONATE),
    unserved=(
        ("Order a bigger paper bin.", "换一个大点的废纸桶。"),
        ("Who won the election?", "选举谁赢了？"),
        ("Register me as a voter.", "帮我登记成选民。"),
        ("Sell my old sofa online.", "把旧沙发挂网上卖掉。"),
        ("Block the bank card in my lost wallet.", "钱包丢了，冻结里面的银行卡。"),
        ("Start a petition against the new road.", "发起一个反对修路的请愿。"),
        ("Plant a tree in our street.", "在我们街上种棵树。"),
        ("Which party should I vote for?", "我该投哪个党？"),
        ("Make me a new key.", "帮我配把新钥匙。"),
        ("Find volunteers to clean the beach.", "招志愿者清理海滩。"),
        ("How much tax do I save by donating?", "捐款能抵多少税？"),
        ("Stop my monthly donation.", "停掉我每月的捐款。"),
    ),
)
