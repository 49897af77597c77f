"""Money in everyday sums: exchanging, tipping, sharing a bill, discounts, taxes, loans."""

from collections.abc import Mapping

from training.data.family import Ask, Domain, Drawn, Family, Missing, Outcome, Param
from training.data.kinds import Amount, ListOf, Made, Percent
from training.data.sums import Cash, Plain, Result
from training.data.times import Day
from training.data.world import Currency

ANY_SUM = ("arithmetic.evaluate", "arithmetic.story")
SOURCE = Param("source", Currency(), ("from_currency", "from", "base", "source"), ("Currency held",), ("原货币",))
TARGET = Param("target", Currency(), ("to_currency", "to", "quote", "target"), ("Currency wanted",), ("目标货币",))
# A list can't be thrown away for one currency that a schema does not name, so no schema of a list names them.
CODES = Made(Currency().draw, Currency().forms[:3])


def _differ(drawn: Mapping[str, Drawn]) -> bool:
    return drawn["source"].meaning["code"] != drawn["target"].meaning["code"]


def _all_differ(drawn: Mapping[str, Drawn]) -> bool:
    codes = [drawn["source"].meaning["code"], *(one.meaning["code"] for one in drawn["targets"].meaning)]
    return len(set(codes)) == len(codes)


EXCHANGE = Family(
    key="money.exchange",
    names=("convert_currency", "currency_converter", "exchange_money", "money_convert", "fx_convert"),
    about=(
        "Convert an amount of money into another currency.",
        "Currency conversion at the current or a past rate.",
        "Exchanges currencies on paper. It moves no money and knows no units of measure.",
    ),
    about_zh=("货币换算。", "按汇率把一笔钱换算成另一种货币，不会真的转账。", "汇率换算工具。"),
    params=(
        Param("amount", Amount(1, 5_000_000), ("amount", "value", "sum"), ("How much",), ("金额",)),
        SOURCE,
        TARGET,
        Param("day", Day(-200, 0), ("date", "on_date", "rate_date"), ("Day of the rate",), ("汇率日期",), False),
    ),
    asks=(
        "How much is {amount} {source} in {target}[, at the rate of {day}]?",
        "{amount} {source} to {target}",
        "convert {amount} {source} into {target}[ as of {day}]",
        "The hotel charges {amount} {source}. What's that in {target}?",
        "I've got {amount} {source} left from my trip, how many {target} would that be?",
        "In {target}, what's {amount} {source} worth?",
        "my cousin earns {amount} {source} a month, tell me in {target}",
        "what do I get in {target} for {amount} {source}[ with the rate of {day}]",
        "They want {amount} {source} for the flat and I only think in {target}.",
        "change {amount} {source} to {target} please",
        "If I swap {amount} {source} for {target}, how much do I end up with?",
        "How many {target} do I need to pay a bill of {amount} {source}?",
        "{amount} {source} = ? {target}",
    ),
    asks_zh=(
        "{amount}{source}等于多少{target}？",
        "{amount}{source}换成{target}[，按{day}的汇率]",
        "酒店要{amount}{source}，合多少{target}？",
        "把{amount}{source}换算成{target}",
        "旅游剩了{amount}{source}，能换多少{target}",
        "{amount}{source}值多少{target}啊",
        "表弟一个月挣{amount}{source}，相当于多少{target}？",
        "{amount}{source}兑{target}",
        "[按{day}的汇率，]{amount}{source}是多少{target}",
        "这套房要价{amount}{source}，用{target}算是多少？",
    ),
    outcomes=(
        Outcome(
            fields=(("converted", Result(5, 90_000, 2)), ("rate", Result(0.1, 9, 4))),
            texts=("{converted} (rate {rate})", "converted: {converted}, rate {rate}"),
            texts_zh=("{converted}（汇率 {rate}）",),
            answers=(
                "{amount} {source} comes to {converted}.",
                "That's {converted} at a rate of {rate}.",
                "It's {converted}.",
            ),
            answers_zh=("{amount}{source}约合{converted}。", "按汇率{rate}算，是{converted}。", "折合{converted}。"),
        ),
    ),
    missing=(
        Missing(
            key="target",
            asks=(
                "Convert {amount} {source}.",
                "What are {amount} {source} worth?",
                "exchange {amount} {source} for me",
            ),
            replies=("Into which currency?", "Which currency would you like it in?"),
            asks_zh=("换一下{amount}{source}。", "{amount}{source}值多少？", "帮我换算{amount}{source}"),
            replies_zh=("请问要换成哪种货币？", "换算成什么货币？"),
        ),
        Missing(
            key="amount",
            asks=(
                "I want to change my {source} into {target}.",
                "Convert {source} to {target} for me, I have some left.",
            ),
            replies=("How much would you like to convert?", "How many {source} are there?"),
            asks_zh=("我想把手里的{source}换成{target}。", "剩了点{source}，能换多少{target}？"),
            replies_zh=("请问有多少{source}？", "要换算多少金额？"),
        ),
    ),
    also=("money.exchange_many", "money.rate"),
    errors=("unknown currency", "no rate for that day"),
    fits=_differ,
)

EXCHANGE_MANY = Family(
    key="money.exchange_many",
    names=("convert_to_currencies", "multi_currency_convert", "compare_currencies", "exchange_table"),
    about=(
        "Convert an amount into several currencies at once.",
        "One amount, many currencies: returns each value.",
        "Shows what a sum is worth in a list of currencies.",
    ),
    about_zh=("一次换算成多种货币。", "把一笔钱同时换算成几种货币。"),
    params=(
        Param("amount", Amount(1, 500_000), ("amount", "value"), ("How much",), ("金额",)),
        SOURCE,
        Param(
            "targets",
            ListOf(CODES, 2, 4),
            ("to_currencies", "targets", "currencies"),
            ("Currencies wanted",),
            ("目标货币列表",),
        ),
    ),
    asks=(
        "How much is {amount} {source} in {targets}?",
        "{amount} {source} to {targets}",
        "show me {amount} {source} in {targets} please",
        "I'm sending the price list abroad: {amount} {source} in {targets}?",
        "What would {amount} {source} be in {targets}?",
        "compare what {amount} {source} is worth in {targets}",
        "give {amount} {source} as {targets}",
        "Our friends all ask what we paid, {amount} {source}. Tell me that in {targets}.",
        "need {amount} {source} converted to {targets} for the invoice",
        "We travel through several countries with {amount} {source}. How much is it in {targets}?",
    ),
    asks_zh=(
        "{amount}{source}分别等于多少{targets}？",
        "把{amount}{source}换算成{targets}",
        "{amount}{source}用{targets}算各是多少",
        "报价单要给国外客户，{amount}{source}换成{targets}各多少？",
        "看看{amount}{source}值多少{targets}",
        "{amount}{source}兑{targets}",
        "我带了{amount}{source}去好几个国家，换{targets}分别能换多少？",
        "帮我对比{amount}{source}换成{targets}的金额",
    ),
    outcomes=(
        Outcome(
            fields=(("first", Result(5, 90_000, 2)), ("second", Result(5, 90_000, 2))),
            texts=("{first}; {second}",),
            texts_zh=("{first}；{second}",),
            answers=("That makes {first} and {second}.", "The values are {first} and {second}."),
            answers_zh=("分别是{first}和{second}。", "折合{first}和{second}。"),
        ),
    ),
    also=("money.exchange", "money.rate"),
    fits=_all_differ,
)

RATE = Family(
    key="money.rate",
    names=("exchange_rate", "fx_rate", "currency_rate", "rate_lookup"),
    about=(
        "Exchange rate between two currencies.",
        "Gives the current rate of a currency pair.",
        "Looks up a rate; for amounts use a converter.",
    ),
    about_zh=("查询两种货币之间的汇率。", "返回货币对的当前汇率。"),
    params=(SOURCE, TARGET),
    asks=(
        "What's the exchange rate from {source} to {target}?",
        "{source} {target} rate",
        "How does {source} stand against {target}?",
        "rate for {source} into {target} please",
        "I'm off on holiday with {source} and want to know what the rate to {target} is.",
        "Did {source} fall again? Give me the rate to {target}.",
        "current {source} to {target} rate",
        "At what rate do banks change {source} to {target}?",
        "is it a good time to swap {source} for {target}, what's the rate now",
        "tell me today's rate, {source} to {target}",
    ),
    asks_zh=(
        "{source}对{target}的汇率是多少？",
        "{source}兑{target}汇率",
        "现在{source}换{target}什么汇率",
        "查一下{source}到{target}的汇率",
        "{source}对{target}又跌了吗？现在汇率多少",
        "要出国了，{source}换{target}的汇率怎么样？",
        "银行{source}兑{target}是多少",
        "今天{source}对{target}的汇率，谢谢",
    ),
    outcomes=(
        Outcome(
            fields=(("rate", Result(0.05, 150, 4)),),
            texts=("{rate}", "rate: {rate}"),
            texts_zh=("汇率：{rate}",),
            answers=("The rate is {rate}.", "{source} to {target} stands at {rate}.", "It's {rate} at the moment."),
            answers_zh=("汇率是{rate}。", "目前{source}兑{target}是{rate}。", "现在是{rate}。"),
        ),
    ),
    missing=(
        Missing(
            key="target",
            asks=("What's the exchange rate of {source}?", "how is {source} doing today, what's the rate"),
            replies=("Against which currency?", "The rate to which currency?"),
            asks_zh=("{source}的汇率是多少？", "今天{source}汇率怎么样"),
            replies_zh=("请问对哪种货币？", "兑换哪种货币？"),
        ),
    ),
    fits=_differ,
)

TIP = Family(
    key="money.tip",
    names=("tip_calculator", "calculate_tip", "restaurant_tip", "gratuity"),
    about=("Work out a tip.", "Tip for a bill, and each person's share if it is split.", "How much gratuity to leave."),
    about_zh=("计算小费。", "根据账单金额和比例算小费，可按人数平摊。"),
    params=(
        Param("bill", Cash(8, 900), ("bill", "bill_amount", "total", "check"), ("The bill",), ("账单金额",)),
        Param("share", Percent(5, 25), ("tip_percent", "percentage", "tip_rate"), ("Tip",), ("小费比例",)),
        Param("people", Plain(2, 12), ("people", "split_by", "guests"), ("People who share",), ("分摊人数",), False),
    ),
    asks=(
        "How much is a {share} tip on {bill}[ split between {people} people]?",
        "tip {share} of {bill}[, we're {people}]",
        "Our dinner was {bill} and I'd like to leave {share}. How much is that[ for each of {people} people]?",
        "The waiter was lovely: {share} on top of {bill}, please work it out.",
        "what do I leave if the bill is {bill} and I tip {share}[ and there are {people} of us]",
        "bill {bill}, tip {share}[, {people} people]",
        "I always give {share}. The taxi is {bill}, so what's the tip?",
        "for a check of {bill} what's {share} gratuity",
        "Lunch for {people}, {bill} with a {share} tip. What does everyone owe?",
        "{bill} at the hairdresser's, and {share} for her. How much do I give her?",
    ),
    asks_zh=(
        "账单{bill}，给{share}小费是多少[？{people}个人分]",
        "{bill}的{share}小费是多少？",
        "吃饭花了{bill}，想给{share}的小费，该给多少[，{people}个人平摊]？",
        "服务员很好，{bill}再给{share}小费，算一下",
        "打车{bill}，小费{share}，给多少合适",
        "{people}个人吃了{bill}，小费{share}，每人多少？",
        "消费{bill}，按{share}给小费",
        "理发{bill}，小费给{share}是多少钱",
    ),
    outcomes=(
        Outcome(
            fields=(("tip", Result(1, 90, 2)), ("total", Result(100, 900, 2))),
            texts=("tip {tip}, total {total}",),
            texts_zh=("小费{tip}，合计{total}",),
            answers=("The tip is {tip}, which makes {total} in all.", "Leave {tip}; the total is {total}.", "{tip}."),
            answers_zh=("小费是{tip}，合计{total}。", "给{tip}就行，总共{total}。", "小费{tip}。"),
        ),
    ),
    missing=(
        Missing(
            key="share",
            asks=("How much should I tip on {bill}?", "The bill is {bill}, work out the tip.", "tip for {bill}?"),
            replies=("What percentage would you like to tip?", "How many percent should the tip be?"),
            asks_zh=("账单{bill}，小费给多少？", "{bill}该给多少小费"),
            replies_zh=("请问小费按百分之几给？", "想给百分之多少的小费？"),
        ),
        Missing(
            key="bill",
            asks=("Work out a {share} tip for me.", "I want to leave {share}, how much is that?"),
            replies=("How much is the bill?", "What does the bill come to?"),
            asks_zh=("帮我算{share}的小费。", "小费给{share}，是多少钱？"),
            replies_zh=("账单是多少钱？", "请问一共消费了多少？"),
        ),
    ),
    also=(*ANY_SUM, "money.split"),
)

SPLIT = Family(
    key="money.split",
    names=("split_bill", "share_costs", "divide_bill", "cost_per_person"),
    about=(
        "Split a bill equally.",
        "What each person pays of a shared sum.",
        "Divides costs among people, without a tip.",
    ),
    about_zh=("平摊账单。", "几个人平分一笔费用，不含小费。"),
    params=(
        Param("bill", Cash(10, 20_000), ("total", "bill", "amount"), ("The whole sum",), ("总金额",)),
        Param("people", Plain(2, 24), ("people", "persons", "ways"), ("How many people share",), ("人数",)),
    ),
    asks=(
        "Split {bill} between {people} people.",
        "{bill} divided among {people} of us, what does each pay?",
        "We were {people} and the cabin cost {bill}. How much does everyone owe?",
        "go dutch on {bill}, {people} people",
        "what's my share of {bill} if there are {people} of us",
        "The present was {bill} and {people} colleagues chip in. How much each?",
        "{people} friends, one pizza order of {bill}: per head?",
        "we rented a van for {bill}, {people} people, everyone pays the same",
        "how much per person is {bill} for {people}",
        "Please share {bill} out fairly, we are {people}.",
    ),
    asks_zh=(
        "{bill}，{people}个人AA，每人多少？",
        "{people}个人平摊{bill}",
        "我们{people}个人租房花了{bill}，每人出多少？",
        "礼物{bill}，{people}个同事凑，一人多少钱",
        "{bill}分给{people}个人付",
        "饭钱{bill}，{people}个人平分",
        "{people}个朋友一起点了{bill}的外卖，人均多少？",
        "AA一下，一共{bill}，{people}个人",
    ),
    outcomes=(
        Outcome(
            fields=(("each", Result(3, 900, 2)),),
            texts=("{each} each", "{each}"),
            texts_zh=("每人{each}",),
            answers=("Everyone pays {each}.", "That's {each} each.", "{each} per person."),
            answers_zh=("每人{each}。", "每个人付{each}。", "人均{each}。"),
        ),
    ),
    missing=(
        Missing(
            key="people",
            asks=("Split the bill of {bill} for us.", "We want to share {bill}, what does each pay?"),
            replies=("How many of you are there?", "Between how many people?"),
            asks_zh=("{bill}大家AA，每人多少？", "帮我们平摊一下{bill}"),
            replies_zh=("请问一共几个人？", "有几个人分？"),
        ),
    ),
    also=(*ANY_SUM, "arithmetic.divide", "arithmetic.operation", "money.tip"),
)

DISCOUNT = Family(
    key="money.discount",
    names=("apply_discount", "sale_price", "discounted_price", "discount_calculator"),
    about=("Price after a discount.", "What something costs once a percentage is taken off.", "Sale price calculator."),
    about_zh=("计算打折后的价格。", "原价减去折扣后的售价。"),
    params=(
        Param("price", Cash(5, 9_000), ("price", "original_price", "list_price"), ("Price before",), ("原价",)),
        Param("off", Percent(5, 80), ("discount", "discount_percent", "reduction"), ("Discount",), ("减价幅度",)),
    ),
    asks=(
        "What's {price} with {off} off?",
        "{off} off {price}",
        "The jacket was {price} and is reduced by {off}. What do I pay?",
        "how much is a TV for {price} after a {off} discount",
        "I have a voucher for {off}, the basket is {price}. What's left to pay?",
        "If they knock {off} off {price}, where does it land?",
        Ask("everything is half price today! the bag was {price}, and now?", {"off": 50}),
        Ask("A quarter off {price}, how much is that?", {"off": 25}),
        "students get {off}. what would a ticket of {price} be",
        "Sale! {off} less on everything. The lamp costs {price} now, and then?",
        "take {off} from {price}, please, it's a sale",
        "my loyalty card gives me {off} on a purchase of {price}, what's the final price?",
    ),
    asks_zh=(
        "原价{price}，优惠{off}后多少钱？",
        "{price}减{off}是多少",
        "外套{price}，降价{off}，现在卖多少？",
        "我有一张{off}的优惠券，购物车{price}，实付多少？",
        "{price}的电视便宜{off}，要付多少",
        "学生票优惠{off}，{price}的票多少钱？",
        "会员减{off}，{price}买下来多少",
        "全场直降{off}，{price}的台灯折后价是多少？",
        Ask("{price}打八折是多少？", {"off": 20}),
        Ask("原价{price}，打七折多少钱", {"off": 30}),
        Ask("{price}的鞋打对折要付多少", {"off": 50}),
        Ask("会员九折，{price}的东西实付多少？", {"off": 10}),
        Ask("{price}的包六五折，现在多少钱？", {"off": 35}),
    ),
    outcomes=(
        Outcome(
            fields=(("final", Result(3, 7_000, 2)),),
            texts=("{final}", "new price {final}"),
            texts_zh=("折后价{final}",),
            answers=("You pay {final}.", "It comes down to {final}.", "The new price is {final}."),
            answers_zh=("折后是{final}。", "只要付{final}。", "现价{final}。"),
        ),
    ),
    missing=(
        Missing(
            key="price",
            asks=("I get {off} off, what do I pay?", "What's the sale price with {off} off?"),
            replies=("What is the price before the discount?", "How much does it cost without the discount?"),
            asks_zh=("优惠{off}，要付多少？", "降价{off}之后多少钱"),
            replies_zh=("请问原价是多少？", "原来卖多少钱？"),
        ),
        Missing(
            key="off",
            asks=("What does a coat of {price} cost in the sale?", "{price} with the discount is how much?"),
            replies=("How big is the discount?", "How many percent off is it?"),
            asks_zh=("{price}的大衣打折后多少钱？", "{price}优惠完是多少"),
            replies_zh=("请问优惠百分之多少？", "折扣力度是多少？"),
        ),
    ),
    also=ANY_SUM,
)

DOMAIN = Domain(
    "money",
    (EXCHANGE, EXCHANGE_MANY, RATE, TIP, SPLIT, DISCOUNT),
    unserved=(
        ("Is this banknote genuine?", "这张钞票是真的吗？"),
        ("Who is on the ten pound note?", "十英镑纸币上印的是谁？"),
        ("Get the shop to take my old coins.", "让商店收下我的旧硬币。"),
        ("Is tipping rude in Japan?", "在日本给小费失礼吗？"),
        ("Block my credit card, I lost it.", "我信用卡丢了，帮我冻结。"),
        ("Find a coupon code for the shoe shop.", "帮我找鞋店的优惠码。"),
        ("Order euros in cash for my holiday.", "帮我预约取一些欧元现金。"),
        ("Complain to the restaurant about the bill.", "账单不对，帮我向餐厅投诉。"),
        ("When does the winter sale begin?", "冬季打折什么时候开始？"),
        ("Which card has the lowest foreign fees?", "哪张信用卡境外手续费最低？"),
        ("Haggle with the seller for me.", "帮我跟卖家砍价。"),
        ("Scan this receipt.", "扫描一下这张小票。"),
        ("Why is the yen so weak this year?", "今年日元为什么这么弱？"),
    ),
)
