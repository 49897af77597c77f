"""Birthdays, presents and pocket money in the family."""

from training.data.family import Family, Missing, Outcome, Param
from training.data.kinds import Amount, Choice, Integer, Word
from training.data.times import Day, Duration
from training.data.wordings import pool
from training.data.world import Person

RELATIVE = Word(
    pool(
        """mother | father | grandmother | uncle | little sister | nephew | godson | mother-in-law | husband | wife
        cousin | best friend | neighbour | teacher | boss | grandfather | stepdaughter | aunt | flatmate | niece"""
    ),
    pool(
        """妈妈 | 爸爸 | 奶奶 | 舅舅 | 妹妹 | 侄子 | 岳母 | 老公 | 老婆 | 外甥女 | 表哥 | 闺蜜 | 邻居 | 老师
        老板 | 爷爷 | 姑姑 | 室友 | 同桌 | 女朋友"""
    ),
)
TASTE = Word(
    pool(
        """cooking | football | gardening | chess | hiking | board games | jazz | cats | detective novels | knitting
        astronomy | tea | painting | fishing | trains | photography | baking | dinosaurs | camping | cycling"""
    ),
    pool(
        """做饭 | 足球 | 园艺 | 下棋 | 徒步 | 桌游 | 爵士乐 | 猫 | 侦探小说 | 编织 | 骑车 | 天文 | 喝茶 | 画画
        钓鱼 | 火车 | 摄影 | 烘焙 | 恐龙 | 露营"""
    ),
)
KID = Word(
    pool(
        """Mia | Noah | Emma | Liam | Zoe | Leo | Ella | Finn | Ava | Oscar | Lily | Theo | Nora | Milo | Ruby | Hugo
        Ivy | Jonas | Clara | Max"""
    ),
    pool("朵朵 | 乐乐 | 小宝 | 果果 | 浩浩 | 甜甜 | 轩轩 | 悦悦 | 阳阳 | 豆豆 | 妞妞 | 壮壮 | 萌萌 | 文文 | 糖糖"),
)

SAVE_BIRTHDAY = Family(
    key="family.save_birthday",
    names=("save_birthday", "add_birthday", "remember_birthday", "birthday_book_add"),
    about=(
        "Write somebody's birthday into the birthday book.",
        "Saves the date of a person's next birthday, and how old they will be.",
        "Remembers birthdays. Other events belong into the calendar.",
    ),
    about_zh=("记下某人的生日。", "把生日存进生日簿，可注明几岁。"),
    params=(
        Param("who", Person(), ("person", "name", "whose"), ("Whose birthday",), ("谁的生日",)),
        Param(
            "day",
            Day(2, 300, words_too=False),
            ("date", "birthday", "next_birthday"),
            ("Next birthday",),
            ("生日日期",),
        ),
        Param("age", Integer(1, 95), ("turning", "age"), ("Age then",), ("满几岁",), required=False),
    ),
    asks=(
        "{who} has a birthday on {day}[ and turns {age}].",
        "remember: {who}, birthday on {day}",
        "I always forget the birthday of {who}, which is on {day}. Keep it for me.",
        "Put {who} into the birthday book, {day}[, turning {age}].",
        "On {day} it's the birthday of {who}[, number {age}]. Save that.",
        "birthday {who} {day}[ ({age})]",
        "{who} told me the big day is on {day}. Note the birthday, so that I won't be embarrassed again.",
        "Save the birthday of {who}: {day}.",
    ),
    asks_zh=(
        "{who}的生日是{day}[，满{age}岁]，记下来",
        "记一下{who}生日，{day}",
        "老是忘记{who}的生日，{day}，帮我存着",
        "{day}是{who}的生日[，{age}岁了]",
        "生日簿加上{who}，{day}[，{age}岁]",
        "{who}{day}过生日，别让我忘了，存一下",
        "把{who}的生日存成{day}",
        "{who}说他{day}生日，写到生日本里",
        "添加生日：{who}，{day}",
        "{day}{who}过生日[，满{age}岁]，登记到生日簿",
    ),
    outcomes=(
        Outcome(
            fields=(("saved_birthdays", Integer(3, 60)),),
            texts=("saved, {saved_birthdays} birthdays in the book",),
            texts_zh=("已保存，共{saved_birthdays}个生日",),
            answers=(
                "The birthday of {who} is saved.",
                "Noted. There are {saved_birthdays} birthdays in the book now.",
                "I've put {who} into the birthday book.",
            ),
            answers_zh=("{who}的生日记好了。", "已保存，生日簿里共{saved_birthdays}个。", "存好了，不会忘。"),
        ),
    ),
    missing=(
        Missing(
            key="day",
            asks=("Save the birthday of {who}.", "put {who} into the birthday book"),
            replies=("When is {who}'s birthday?", "On which day is it?"),
            asks_zh=("记一下{who}的生日", "把{who}加进生日簿"),
            replies_zh=("请问生日是哪天？", "{who}的生日是几月几号？"),
        ),
        Missing(
            key="who",
            asks=("Remember a birthday on {day}.", "somebody has a birthday on {day}, save it"),
            replies=("Whose birthday is it?", "Who has a birthday then?"),
            asks_zh=("{day}有人过生日，记一下", "存个生日，{day}"),
            replies_zh=("请问是谁的生日？", "谁过生日？"),
        ),
    ),
    also=("calendar.create", "calendar.repeat", "reminders.at"),
)

UPCOMING = Family(
    key="family.upcoming_birthdays",
    names=("upcoming_birthdays", "next_birthdays", "who_has_birthday", "birthday_overview"),
    about=(
        "Whose birthday comes next.",
        "Lists the birthdays of the coming days.",
        "Looks into the birthday book; adds nothing to it.",
    ),
    about_zh=("查看即将到来的生日。", "列出接下来一段时间内的生日。"),
    params=(
        Param(
            "within",
            Duration("days", (7, 10, 14, 20, 21, 28, 30, 45, 60)),
            ("days", "within_days", "days_ahead"),
            ("How far ahead",),
            ("往后多少天",),
            required=False,
            default=30,
        ),
    ),
    asks=(
        "Who is getting a year older in the next {within}?",
        "Any birthdays coming up?",
        "whose birthday is next",
        "Do I need to buy presents within {within}?",
        "I don't want to miss anybody's big day again. Who's next?",
        "birthdays next {within}",
        "Who of the family has something to celebrate within {within}?",
        "For whom will there be candles on a cake soon?",
    ),
    asks_zh=(
        "接下来{within}谁过生日？",
        "最近有谁要过生日",
        "下一个过生日的是谁",
        "{within}之内要准备生日礼物吗",
        "快看看别又漏了谁的生日",
        "{within}里家里谁又长一岁",
        "有没有人快过生日了",
        "生日提醒一览[，{within}内]",
        "未来{within}的寿星都有谁",
        "马上要给谁买蛋糕了",
    ),
    outcomes=(
        Outcome(
            fields=(("name", Person()), ("date", Day(1, 28)), ("turns", Integer(4, 90))),
            texts=("{name}, {date}, turns {turns}",),
            texts_zh=("{name}，{date}，满{turns}岁",),
            answers=(
                "{name} turns {turns} on {date}.",
                "The next one is {name}, on {date}.",
                "{name} has a birthday on {date}.",
            ),
            answers_zh=("{name}{date}过生日，满{turns}岁。", "下一个是{name}，{date}。", "{date}是{name}的生日。"),
        ),
    ),
)

GIFT = Family(
    key="family.gift_ideas",
    names=("gift_ideas", "suggest_present", "present_finder", "what_to_give"),
    about=(
        "Ideas for a present.",
        "Suggests a present for a person, by interest, occasion and budget.",
        "Gift ideas only. Buys and sends nothing.",
    ),
    about_zh=("推荐礼物。", "按对象、爱好、场合和预算推荐礼物，不购买。"),
    params=(
        Param("whom", RELATIVE, ("recipient", "for_whom", "person"), ("Who gets it",), ("送给谁",)),
        Param("likes", TASTE, ("interest", "hobby", "likes"), ("What the person likes",), ("爱好",), required=False),
        Param(
            "budget",
            Amount(10, 400, ("{} dollars", "{} euros"), ("{}元", "{}块钱")),
            ("budget", "max_price"),
            (),
            ("预算",),
            False,
        ),
        Param(
            "occasion",
            Choice(
                {
                    "birthday": (("birthday",), ("生日",)),
                    "wedding": (("wedding",), ("婚礼",)),
                    "graduation": (("graduation",), ("毕业",)),
                    "retirement": (("retirement",), ("退休",)),
                }
            ),
            ("occasion", "event"),
            ("What for",),
            ("场合",),
            required=False,
        ),
    ),
    asks=(
        "What could I give my {whom}[? Interested in {likes}][, at most {budget}]",
        "present for my {whom}[, likes {likes}][, {budget}]",
        "I never know what to get for my {whom}. Loves {likes}, and I've got {budget}.",
        "My {whom} has everything already! Any idea[ for the {occasion}]?",
        "What would please my {whom}, who is mad about {likes}?",
        "need something for the {occasion} of my {whom}[, up to {budget}]",
        "Inspire me: a {occasion} present for my {whom}[, who enjoys {likes}].",
        "With {budget} to spend, what makes my {whom} happy?",
    ),
    asks_zh=(
        "送{whom}什么礼物好[？喜欢{likes}][，预算{budget}]",
        "给{whom}挑个{occasion}礼物[，{budget}以内]",
        "{whom}爱好{likes}，送点什么",
        "每次都不知道给{whom}买啥[，{budget}左右]，出出主意",
        "{whom}什么都不缺，还能送什么[，{occasion}用]",
        "{whom}{occasion}，送什么合适",
        "手里有{budget}，能给{whom}买个什么惊喜",
        "迷上{likes}的{whom}会喜欢什么礼物",
        "求礼物灵感：{whom}[，{likes}爱好者]",
        "想讨{whom}开心，送什么呢[，不超过{budget}]",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "idea",
                    Word(
                        pool("a good book | a picnic basket | concert tickets | a warm blanket | a course voucher"),
                        pool("一本好书 | 野餐篮 | 音乐会门票 | 一条毛毯 | 课程礼券"),
                    ),
                ),
                ("price", Integer(12, 90)),
            ),
            texts=("{idea}, about {price}",),
            texts_zh=("{idea}，约{price}元",),
            answers=(
                "How about {idea}? It costs about {price}.",
                "{idea}, for about {price}.",
                "Your {whom} might like {idea}.",
            ),
            answers_zh=("送{idea}怎么样？大约{price}元。", "可以送{whom}{idea}。", "推荐{idea}，{price}元左右。"),
        ),
    ),
    missing=(
        Missing(
            key="whom",
            asks=("I need an idea for a {occasion} present.", "what could I give for {budget}"),
            replies=("Who is the present for?", "Whom do you want to give it to?"),
            asks_zh=("想个{occasion}礼物", "{budget}能送什么礼物"),
            replies_zh=("请问送给谁？", "礼物是给谁的？"),
        ),
    ),
    also=("shopping_orders.search_products",),
)

POCKET_MONEY = Family(
    key="family.pocket_money",
    names=("add_pocket_money", "pay_allowance", "credit_child_allowance", "pocket_money_book"),
    about=(
        "Credit a child with pocket money.",
        "Adds an amount to a child's pocket money account, with what it is for.",
        "The children's own little bank: only credits.",
    ),
    about_zh=("给孩子记零花钱。", "往孩子的零花钱账户加钱，可写明原因。"),
    params=(
        Param("child", KID, ("child", "kid", "account_of"), ("Which child",), ("孩子",)),
        Param("sum", Integer(2, 60), ("amount", "sum", "value"), ("How much",), ("金额",)),
        Param(
            "what",
            Word(
                pool(
                    "washing the car | a good report | raking leaves | doing the dishes | babysitting | walking the dog"
                ),
                pool("洗车 | 考得好 | 扫地 | 洗碗 | 照顾弟弟 | 遛狗 | 倒垃圾"),
            ),
            ("reason", "note"),
            ("What for",),
            ("原因",),
            required=False,
        ),
    ),
    asks=(
        "{child} gets {sum} euros pocket money[ for {what}].",
        "give {child} {sum} dollars in the allowance book[, {what}]",
        "{child} has earned {sum} pounds[ by {what}], put it on the pocket money account.",
        "It's Sunday: {sum} euros pocket money for {child}.",
        "Credit {child} with {sum} dollars of allowance[ for {what}].",
        "pocket money {child} {sum}",
        "I promised {child} {sum} euros for {what}. Add them to the allowance.",
        "Grandma sent {sum} dollars for {child}, put them into the kids' bank.",
    ),
    asks_zh=(
        "给{child}{sum}块零花钱[，奖励{what}]",
        "{child}的零花钱加{sum}元",
        "{child}{what}，奖励{sum}块，记到零花钱里",
        "又到周日了，{child}零用钱{sum}元入账",
        "答应{child}的{sum}块，[因为{what}，]记到零花钱账上",
        "零花钱：{child}，{sum}元[，{what}]",
        "奶奶给了{child}{sum}块，存进零花钱账户",
        "{child}赚了{sum}元零用钱[，{what}得的]",
        "往{child}的小金库里放{sum}块",
        "给{child}小账户充{sum}元零花",
    ),
    outcomes=(
        Outcome(
            fields=(("balance", Integer(61, 300)),),
            texts=("balance {balance}",),
            texts_zh=("余额{balance}元",),
            answers=(
                "{child} now has {balance}.",
                "Added; the balance is {balance}.",
                "Done. {child}'s account stands at {balance}.",
            ),
            answers_zh=(
                "{child}现在有{balance}元。",
                "已入账，余额{balance}元。",
                "加好了，{child}的余额是{balance}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="sum",
            asks=("Give {child} some pocket money for {what}.", "it's pocket money day for {child}"),
            replies=("How much should {child} get?", "What amount?"),
            asks_zh=("给{child}发零花钱", "{child}{what}，奖励点零花钱"),
            replies_zh=("请问给多少？", "{child}的零花钱是多少？"),
        ),
        Missing(
            key="child",
            asks=("Add {sum} euros of pocket money.", "pocket money, {sum} dollars"),
            replies=("Which child gets it?", "For which child?"),
            asks_zh=("零花钱加{sum}块", "发{sum}元零用钱"),
            replies_zh=("请问给哪个孩子？", "是谁的零花钱？"),
        ),
    ),
    also=("accounts.send",),
)
