"""Figures: lists of numbers, rounding, powers and roots."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice
from training.data.sums import Figure, Plain, Result, Series

ANY_SUM = ("arithmetic.evaluate", "arithmetic.story")
NUMBERS = Series()
LIST_NAMES = ("numbers", "values", "data", "nums")


def _no_list(asks: tuple[str, ...], asks_zh: tuple[str, ...]) -> tuple[Missing]:
    replies = ("Which numbers are they?", "Could you give me the numbers?", "What are the numbers?")
    return (Missing("numbers", asks, replies, asks_zh, ("请问是哪些数？", "请把这些数字告诉我，好吗？")),)


AVERAGE = Family(
    key="figures.average",
    names=("average", "mean_of", "calculate_mean", "list_average", "avg"),
    about=(
        "Average of a list of numbers.",
        "Arithmetic mean of the given values.",
        "Computes the mean. It is not for totals.",
    ),
    about_zh=("求一组数的平均值。", "计算算术平均数，不是求和。"),
    params=(
        Param("numbers", NUMBERS, LIST_NAMES, ("The numbers", "List of values, e.g. [2, 4.5, 9]"), ("数字列表",)),
        Param("places", Plain(0, 4), ("decimals", "round_to"), ("Decimal places to round to",), ("小数位数",), False),
    ),
    asks=(
        "What's the average of {numbers}?",
        "mean of {numbers}[, {places} decimals]",
        "My test scores were {numbers}. How did I do on average?",
        "On the last days I measured {numbers}, what is that on average?",
        "Average {numbers} for me, please[, rounded to {places} places].",
        "we had {numbers} mm of rain this week, how much is that a day on average",
        "I'm trying to find the arithmetic mean of {numbers}",
        "{numbers} - what's the mean?",
        "If the prices were {numbers}, what did I pay on average?",
        "Temperatures of {numbers}: what do they average out at?",
    ),
    asks_zh=(
        "{numbers}的平均数是多少？",
        "求{numbers}的平均值[，保留{places}位小数]",
        "我几次考试得了{numbers}，平均多少分？",
        "这几天的销量是{numbers}，平均每天多少？",
        "{numbers}，均值是多少",
        "帮我把{numbers}平均一下",
        "测了几次血压，分别是{numbers}，平均下来是多少？",
        "请计算{numbers}这几个数的算术平均数",
    ),
    outcomes=(
        Outcome(
            fields=(("average", Result(10, 700, 2)),),
            texts=("{average}", "mean: {average}"),
            texts_zh=("平均值：{average}",),
            answers=("The average is {average}.", "On average that's {average}.", "{average} on average."),
            answers_zh=("平均值是{average}。", "平均下来是{average}。", "平均{average}。"),
        ),
    ),
    missing=(
        Missing(
            key="numbers",
            asks=("What's the average?", "Work out the mean of my scores.", "can you average these for me"),
            replies=("Which numbers should I average?", "What are the numbers?"),
            asks_zh=("帮我求个平均数。", "我的平均分是多少？"),
            replies_zh=("请问是哪几个数？", "要对哪些数求平均？"),
        ),
    ),
    also=ANY_SUM,
)

TOTAL = Family(
    key="figures.total",
    names=("sum_list", "total", "add_up", "sum_values", "grand_total"),
    about=("Sum of a list of numbers.", "Adds up all the values.", "Returns the total of any number of values."),
    about_zh=("求一组数的总和。", "把所有数值加起来。"),
    params=(Param("numbers", NUMBERS, LIST_NAMES, ("The numbers to add up",), ("要相加的数",)),),
    asks=(
        "Add up {numbers}.",
        "What do {numbers} come to?",
        "total of {numbers} please",
        "My receipts say {numbers}. What did I spend in all?",
        "sum {numbers}",
        "I ran {numbers} km this week, how many km altogether?",
        "How much is it all together: {numbers}?",
        "We got donations of {numbers}, what's the grand total?",
        "put {numbers} together and tell me what you get",
        "The parcels weigh {numbers} kilos, what's the weight of all of them?",
    ),
    asks_zh=(
        "把{numbers}加起来。",
        "{numbers}的总和是多少？",
        "{numbers}一共是多少",
        "几张小票分别是{numbers}，总共花了多少？",
        "这周跑了{numbers}公里，加起来多少公里？",
        "求和：{numbers}",
        "收到捐款{numbers}，合计多少？",
        "帮我合计一下{numbers}",
    ),
    outcomes=(
        Outcome(
            fields=(("total", Result(50, 9_000, 1)),),
            texts=("{total}", "total = {total}"),
            texts_zh=("合计：{total}",),
            answers=("The total is {total}.", "Altogether that's {total}.", "They add up to {total}."),
            answers_zh=("总和是{total}。", "一共{total}。", "合计{total}。"),
        ),
    ),
    missing=_no_list(
        ("Add up my receipts.", "What's the total of my list?", "sum these up please"),
        ("把我的小票加起来。", "帮我求个总和", "这些一共是多少？"),
    ),
    also=(*ANY_SUM, "arithmetic.add", "arithmetic.operation"),
)

SORT = Family(
    key="figures.sort",
    names=("sort_numbers", "sort_list", "order_values", "arrange_numbers"),
    about=("Sort a list of numbers.", "Puts numbers in order, ascending or descending.", "Orders values by size."),
    about_zh=("给一组数排序。", "按升序或降序排列数字。"),
    params=(
        Param("numbers", NUMBERS, LIST_NAMES, ("Numbers to sort",), ("要排序的数",)),
        Param(
            "order",
            Choice(
                {
                    "ascending": (("in ascending order", "from smallest to largest"), ("从小到大", "按升序")),
                    "descending": (("in descending order", "from largest to smallest"), ("从大到小", "按降序")),
                },
                ({"ascending": "asc", "descending": "desc"},),
            ),
            ("order", "direction", "sort_order"),
            ("Order of the result",),
            ("排序方式",),
            required=False,
        ),
    ),
    asks=(
        "Sort {numbers}[ {order}].",
        "put {numbers} in order[, {order}]",
        "Can you arrange {numbers} {order}?",
        "I need these {order}: {numbers}",
        "order these for me: {numbers}",
        Ask("Rank {numbers}, the biggest first.", {"order": "descending"}),
        Ask("list {numbers} with the lowest first", {"order": "ascending"}),
        "Line up {numbers} {order}, please.",
        "my kids drew {numbers}, what does it look like sorted[ {order}]?",
        Ask("The bids were {numbers}. Show them to me starting at the highest.", {"order": "descending"}),
    ),
    asks_zh=(
        "把{numbers}排个序[，{order}]。",
        "{order}排列{numbers}",
        "{numbers}，{order}排一下",
        "给这几个数排序：{numbers}",
        Ask("{numbers}，最大的排最前面", {"order": "descending"}),
        Ask("{numbers}按大小排好，小的在前", {"order": "ascending"}),
        "请将{numbers}{order}排列",
        "几个报价是{numbers}，帮我{order}排好",
    ),
    outcomes=(
        Outcome(
            fields=(("first", Result(1, 400)), ("last", Result(1, 400))),
            texts=("sorted: {first} ... {last}",),
            texts_zh=("已排序：{first} … {last}",),
            answers=("They are sorted: the first is {first}, the last is {last}.", "Done, from {first} to {last}."),
            answers_zh=("排好了，第一个是{first}，最后一个是{last}。", "已排序，从{first}到{last}。"),
        ),
    ),
    missing=_no_list(
        ("Sort my list of numbers.", "put my numbers {order}", "Arrange them by size, please."),
        ("帮我给数字排个序。", "{order}排一下", "按大小排列一下这些数"),
    ),
)

STATISTIC = Family(
    key="figures.statistic",
    names=("list_statistic", "describe_numbers", "stats", "find_statistic", "number_summary"),
    about=(
        "One statistic of a list: largest, smallest, median or standard deviation.",
        "Finds the maximum, minimum, median or spread of some numbers.",
        "Statistics of a list of values. Not for averages.",
    ),
    about_zh=("求一组数的最大值、最小值、中位数或标准差。", "统计一组数字，不含平均值。"),
    params=(
        Param("numbers", NUMBERS, LIST_NAMES, ("The numbers",), ("数字列表",)),
        Param(
            "which",
            Choice(
                {
                    "max": (("largest", "biggest", "highest"), ("最大值", "最大的数")),
                    "min": (("smallest", "lowest"), ("最小值", "最小的数")),
                    "median": (("median",), ("中位数",)),
                    "stdev": (("standard deviation",), ("标准差",)),
                },
                ({"max": "maximum", "min": "minimum", "stdev": "standard_deviation"},),
            ),
            ("statistic", "measure", "kind"),
            ("What to find",),
            ("统计量",),
        ),
    ),
    asks=(
        "What's the {which} of {numbers}?",
        "find the {which} of {numbers}",
        "Which is the {which} of these: {numbers}?",
        "{which} of {numbers}, please",
        Ask("Which of {numbers} is the top value?", {"which": "max"}),
        Ask("Our players are {numbers} points strong, who's in the lead: what's the record?", {"which": "max"}),
        Ask("the offers are {numbers}, what's the cheapest", {"which": "min"}),
        Ask("Salaries here are {numbers}. What does the one in the middle earn?", {"which": "median"}),
        Ask("How much do {numbers} scatter around their mean?", {"which": "stdev"}),
        "I measured {numbers}. Tell me the {which}.",
    ),
    asks_zh=(
        "{numbers}的{which}是多少？",
        "求{numbers}的{which}",
        "{numbers}里{which}是哪个",
        Ask("{numbers}，哪个最大？", {"which": "max"}),
        Ask("几家报价是{numbers}，最便宜的是多少？", {"which": "min"}),
        Ask("工资分别是{numbers}，排在正中间的是多少？", {"which": "median"}),
        "我测得{numbers}，告诉我{which}",
        "{which}是多少：{numbers}",
    ),
    outcomes=(
        Outcome(
            fields=(("value", Result(1, 800, 1)),),
            texts=("{value}",),
            texts_zh=("{value}",),
            answers=("It is {value}.", "That's {value}.", "The answer is {value}."),
            answers_zh=("是{value}。", "结果是{value}。", "答案是{value}。"),
        ),
    ),
    missing=_no_list(
        ("What's the {which} of my measurements?", "find the {which} of these numbers", "Tell me the {which}."),
        ("这组数的{which}是多少？", "帮我求一下{which}", "我想知道数据的{which}"),
    ),
)

ROUND = Family(
    key="figures.round",
    names=("round_number", "round_to", "rounding", "round_value"),
    about=("Round a number.", "Rounds to a number of decimal places.", "Round a value off; whole numbers by default."),
    about_zh=("四舍五入。", "把一个数保留到指定的小数位。"),
    params=(
        Param("number", Result(1, 3_000, 5), ("number", "value", "x"), ("The number to round",), ("要取整的数",)),
        Param(
            "places",
            Plain(1, 4),
            ("decimals", "digits", "places", "precision"),
            ("Decimal places to keep",),
            ("保留的小数位数",),
            required=False,
        ),
    ),
    asks=(
        "Round {number}[ to {places} decimal places].",
        "round off {number}[ to {places} decimals], please",
        "what is {number} rounded[ to {places} places]?",
        "My scale shows {number}, give it to me with {places} decimals.",
        "I only need {places} digits after the point of {number}.",
        "can you shorten {number} to {places} decimal places",
        "{number} is too exact, round it off for me",
        "The form wants {places} decimals and I have {number}. What do I enter?",
        "{number} rounded to the nearest whole number?",
        "make {number} a round figure",
    ),
    asks_zh=(
        "把{number}四舍五入[，保留{places}位小数]。",
        "{number}保留{places}位小数是多少？",
        "{number}四舍五入到整数",
        "{number}取整[到小数点后{places}位]",
        "表格要求{places}位小数，我这里是{number}，该填多少？",
        "{number}太长了，留{places}位小数就行",
        "请对{number}做四舍五入",
        "{number}精确到小数点后{places}位",
    ),
    outcomes=(
        Outcome(
            fields=(("rounded", Result(1, 3_000, 2)),),
            texts=("{rounded}",),
            texts_zh=("{rounded}",),
            answers=("Rounded, that's {rounded}.", "{rounded}.", "It rounds to {rounded}."),
            answers_zh=("四舍五入后是{rounded}。", "约等于{rounded}。", "是{rounded}。"),
        ),
    ),
)

POWER = Family(
    key="figures.power",
    names=("power", "raise_to_power", "exponentiate", "pow"),
    about=("Raise a number to a power.", "base to the power of exponent.", "Computes powers, not roots."),
    about_zh=("求一个数的乘方。", "计算底数的指数次方。"),
    params=(
        Param("base", Result(2, 60), ("base", "number", "x"), ("The base",), ("底数",)),
        Param("exponent", Result(2, 12), ("exponent", "power", "n"), ("The exponent",), ("指数",)),
    ),
    asks=(
        "What is {base} to the power of {exponent}?",
        "{base} ^ {exponent}",
        "{base}**{exponent}",
        "raise {base} to the power {exponent}",
        Ask("what's {base} squared", {"exponent": 2}),
        Ask("{base} cubed, please", {"exponent": 3}),
        "If I multiply {base} by itself until there are {exponent} factors, what do I get?",
        "I need the power with base {base} and exponent {exponent}.",
        Ask("A square has sides of {base}, so what's {base} times itself?", {"exponent": 2}),
        "compute {base} to the {exponent}, thanks",
    ),
    asks_zh=(
        "{base}的{exponent}次方是多少？",
        "{base}^{exponent}",
        Ask("{base}的平方等于几", {"exponent": 2}),
        Ask("{base}的立方是多少？", {"exponent": 3}),
        "底数{base}，指数{exponent}，结果是多少？",
        "算一下{base}的{exponent}次幂",
        "{exponent}个{base}连乘得多少",
        "请求{base}的{exponent}次方",
    ),
    outcomes=(
        Outcome(
            fields=(("result", Result(4, 900_000)),),
            texts=("{result}",),
            texts_zh=("{result}",),
            answers=("That makes {result}.", "It is {result}.", "{result}."),
            answers_zh=("结果是{result}。", "等于{result}。", "是{result}。"),
        ),
    ),
    also=ANY_SUM,
)

ROOT = Family(
    key="figures.root",
    names=("nth_root", "square_root", "root", "compute_root"),
    about=("Root of a number.", "Square root, or the n-th root if a degree is given.", "Computes roots, not powers."),
    about_zh=("开方。", "求平方根，给出次数时求 n 次方根。"),
    params=(
        Param("number", Figure(), ("number", "x", "value", "radicand"), ("The number",), ("被开方数",)),
        Param("degree", Plain(3, 7), ("degree", "n", "index"), ("Degree, 2 by default",), ("次数，默认为 2",), False),
    ),
    asks=(
        "What's the square root of {number}?",
        "square root {number}",
        "root of {number} please",
        "sqrt {number}",
        "Which number times itself makes {number}?",
        "My garden is a square of {number} square metres, how long is one side?",
        Ask("cube root of {number}?", {"degree": 3}),
        Ask("Give me the fourth root of {number}.", {"degree": 4}),
        "the root of degree {degree} of {number}, please",
        Ask("A cube holds {number} cubic cm. How long is an edge?", {"degree": 3}),
    ),
    asks_zh=(
        "{number}的平方根是多少？",
        "根号{number}等于几",
        "{number}开平方",
        "哪个数自乘等于{number}？",
        Ask("{number}的立方根是多少", {"degree": 3}),
        "{number}开{degree}次方",
        "正方形院子面积{number}平方米，边长多少？",
        Ask("求{number}的四次方根", {"degree": 4}),
    ),
    outcomes=(
        Outcome(
            fields=(("root", Result(2, 400, 3)),),
            texts=("{root}",),
            texts_zh=("{root}",),
            answers=("The root is {root}.", "It's {root}.", "{root}."),
            answers_zh=("结果是{root}。", "是{root}。", "开方得{root}。"),
        ),
    ),
    missing=(
        Missing(
            key="number",
            asks=("What's the square root?", "Take the root of it.", "I need a root computed"),
            replies=("The root of which number?", "Which number do you mean?"),
            asks_zh=("帮我开个平方。", "平方根是多少？"),
            replies_zh=("请问是哪个数？", "要对哪个数开方？"),
        ),
    ),
    also=("arithmetic.evaluate",),
)

DOMAIN = Domain(
    "figures",
    (AVERAGE, TOTAL, SORT, STATISTIC, ROUND, POWER, ROOT),
    unserved=(
        ("Guess the next number in this series.", "猜猜这个数列的下一个数。"),
        ("Clean the outliers out of my data set.", "把我数据里的异常值清理掉。"),
        ("What is the average height of a giraffe?", "长颈鹿平均有多高？"),
        ("Which countries have the largest population?", "人口最多的是哪些国家？"),
        ("Correct the typing mistakes in my table.", "改一下我表格里的错别字。"),
        ("Where does the root of a tree end?", "树根能长多深？"),
        ("Who holds the power in the senate?", "参议院现在谁掌权？"),
        ("Export these figures to a file.", "把这些数据导出成文件。"),
        ("Is 12 a lucky number in China?", "12在中国是吉利数字吗？"),
        ("Turn the list of names round.", "把名单倒过来排。"),
        ("Predict next month's sales.", "预测一下下个月的销量。"),
        ("Colour the negative cells red.", "把负数的单元格标红。"),
        ("Merge the two columns of my table.", "把表格里的两列合并。"),
        ("What is the mean temperature on Mars?", "火星的平均气温是多少？"),
    ),
)
