"""Sums: expressions to work out, and the four operations as tools of their own."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Percent
from training.data.stories import Story
from training.data.sums import Expression, Figure, Plain, Result

FOUR = ("arithmetic.add", "arithmetic.subtract", "arithmetic.multiply", "arithmetic.divide")
ANY_SUM = ("arithmetic.evaluate", "arithmetic.story", "arithmetic.operation")
CALCULATORS = ("evaluate_math", "calculator", "math_eval", "compute", "solve_expression", "do_the_math")
ABOUT = (
    "Evaluate an arithmetic expression.",
    "Works out a calculation exactly. Use it for every sum instead of guessing.",
    "Computes the value of a mathematical expression. It knows figures only: no units, no currencies.",
    "Basic calculator: + - * / ** and brackets.",
)
ABOUT_ZH = ("计算一个算式的结果。", "计算器：支持加减乘除、乘方和括号。", "精确计算数学表达式，凡是算数都用它。")


def _value(result: Result) -> Outcome:
    return Outcome(
        fields=(("result", result),),
        texts=("{result}", "= {result}", "result: {result}"),
        texts_zh=("{result}", "结果：{result}"),
        answers=("That makes {result}.", "{result}.", "The result is {result}.", "It comes to {result}."),
        answers_zh=("结果是{result}。", "等于{result}。", "一共是{result}。", "算出来是{result}。"),
    )


VALUES = (_value(Result(1, 3_000)), _value(Result(1, 900, 2)), _value(Result(1, 4_000_000)), _value(Result(0, 1, 4)))

EVALUATE = Family(
    key="arithmetic.evaluate",
    names=CALCULATORS,
    about=ABOUT,
    about_zh=ABOUT_ZH,
    params=(
        Param(
            "sum",
            Expression(),
            ("expression", "expr", "formula", "input"),
            ("The expression to evaluate", "What to work out"),
            ("要计算的算式", "数学表达式"),
        ),
    ),
    asks=(
        "What is {sum}?",
        "what's {sum}",
        "{sum}",
        "{sum} = ?",
        "how much is {sum}",
        "Calculate {sum}.",
        "Can you work out {sum} for me?",
        "I need {sum}, please.",
        "Quick one: {sum}?",
        "my son's homework asks for {sum}, what do I tell him?",
        "I'm doing my taxes and got stuck at {sum}. What does it come to?",
        "Please compute {sum} exactly, I don't trust my head.",
        "tell me {sum} thanks",
        "Hey, what do you get for {sum}?",
        "We are in a quiz, hurry: {sum}!",
    ),
    asks_zh=(
        "{sum}等于多少？",
        "{sum}是多少",
        "{sum}",
        "算一下{sum}",
        "帮我算算{sum}",
        "请计算{sum}。",
        "{sum}=？",
        "孩子作业里有一题：{sum}，答案是多少？",
        "麻烦精确算一下{sum}，谢谢",
        "我口算不行，{sum}结果是几？",
        "{sum}得多少啊",
    ),
    outcomes=VALUES,
    missing=(
        Missing(
            key="sum",
            asks=("Can you do a calculation for me?", "I need you to work something out.", "calculate this for me"),
            replies=("What should I calculate?", "Which calculation would you like me to do?"),
            asks_zh=("帮我算个数。", "我想算点东西", "能帮我做个计算吗？"),
            replies_zh=("请问要算什么？", "请把算式告诉我，好吗？"),
        ),
    ),
    also=(*ANY_SUM, *FOUR, "figures.power", "figures.root", "figures.total", "figures.average"),
    errors=("syntax error in the expression", "division by zero", "result too large"),
)

STORY = Family(
    key="arithmetic.story",
    names=CALCULATORS,
    about=ABOUT,
    about_zh=ABOUT_ZH,
    params=(Param("sum", Story(), ("expression", "expr", "formula", "input"), ("The expression",), ("算式",)),),
    asks=(
        "{sum}",
        "{sum} Thanks!",
        "{sum} I always get this wrong.",
        "Help me with this: {sum}",
        "Hi there. {sum}",
        "Quick question. {sum}",
        "{sum} Please work it out exactly.",
        "My daughter asks: {sum}",
        "ok so {sum}",
        "Let me think. {sum}",
    ),
    asks_zh=(
        "{sum}",
        "{sum}谢谢",
        "帮我算一下：{sum}",
        "请问，{sum}",
        "孩子问我：{sum}",
        "有道应用题：{sum}",
        "我数学不好，{sum}",
        "{sum}麻烦算准一点。",
    ),
    outcomes=VALUES,
    also=(*ANY_SUM, *FOUR, "figures.total", "figures.average", "measures.area", "money.split", "measures.mileage"),
    errors=("syntax error in the expression", "division by zero"),
)

OPERATION = Family(
    key="arithmetic.operation",
    names=("arithmetic", "basic_math", "two_number_operation", "apply_operation", "simple_calc"),
    about=(
        "One arithmetic operation on two numbers.",
        "Adds, subtracts, multiplies or divides two numbers.",
        "Apply an operation to a pair of numbers. For longer expressions call it step by step.",
    ),
    about_zh=("对两个数做一次四则运算。", "两个数的加、减、乘、除。"),
    params=(
        Param("a", Figure(), ("a", "x", "first", "left"), ("First number",), ("第一个数",)),
        Param(
            "operation",
            Choice(
                {
                    "add": (("plus", "+"), ("加", "加上", "+")),
                    "subtract": (("minus", "-"), ("减", "减去", "-")),
                    "multiply": (("times", "multiplied by", "x", "*"), ("乘", "乘以", "×")),
                    "divide": (("divided by", "/", "÷"), ("除以", "÷")),
                },
                (
                    {"add": "+", "subtract": "-", "multiply": "*", "divide": "/"},
                    {"add": "addition", "subtract": "subtraction", "multiply": "multiplication", "divide": "division"},
                ),
            ),
            ("operation", "op", "operator"),
            ("What to do with them",),
            ("运算",),
        ),
        Param("b", Figure(), ("b", "y", "second", "right"), ("Second number",), ("第二个数",)),
    ),
    asks=(
        "What is {a} {operation} {b}?",
        "{a} {operation} {b}",
        "how much is {a} {operation} {b}?",
        "Work out {a} {operation} {b}, please.",
        "I need to know what {a} {operation} {b} makes.",
        "could you do {a} {operation} {b} for me",
        "{a} {operation} {b} is what?",
        Ask("Add {a} and {b}.", {"operation": "add"}),
        Ask("Take {b} away from {a}.", {"operation": "subtract"}),
        Ask("Multiply {a} by {b}, would you?", {"operation": "multiply"}),
        Ask("If I divide {a} by {b}, what do I get?", {"operation": "divide"}),
        Ask("I earned {a} in May and {b} in June. Together?", {"operation": "add"}),
    ),
    asks_zh=(
        "{a}{operation}{b}等于几？",
        "{a}{operation}{b}",
        "算算{a}{operation}{b}",
        "{a}{operation}{b}是多少啊",
        "请计算{a}{operation}{b}，谢谢。",
        Ask("从{a}里减掉{b}还剩多少？", {"operation": "subtract"}),
        Ask("把{a}和{b}相乘", {"operation": "multiply"}),
        Ask("{a}平均分成{b}份，每份是多少？", {"operation": "divide"}),
        Ask("{a}和{b}加在一起是多少？", {"operation": "add"}),
    ),
    outcomes=VALUES,
    missing=(
        Missing(
            key="b",
            asks=("What do I get if I start with {a} and divide it?", "Take {a} and multiply it for me."),
            replies=("By which number?", "What is the second number?"),
            asks_zh=("{a}乘一下是多少？", "帮我用{a}做个除法"),
            replies_zh=("请问另一个数是多少？", "第二个数是几？"),
        ),
    ),
    also=(*ANY_SUM, *FOUR, "figures.total"),
    errors=("division by zero",),
)


def _pair(
    names: tuple[tuple[str, ...], tuple[str, ...]], first: str, second: str, count: bool = False
) -> tuple[Param, Param]:
    return (
        Param("a", Figure(), names[0], (first, "First number"), ("第一个数",)),
        Param("b", Figure(count), names[1], (second, "Second number"), ("第二个数",)),
    )


ADD = Family(
    key="arithmetic.add",
    names=("add", "add_numbers", "plus", "addition"),
    about=("Add two numbers.", "Returns a + b.", "The sum of two numbers; it does nothing else."),
    about_zh=("两个数相加。", "返回 a 与 b 的和。"),
    params=_pair((("a", "x", "num1", "first"), ("b", "y", "num2", "second")), "A number", "The number to add"),
    asks=(
        "Add {a} and {b}.",
        "What is {a} plus {b}?",
        "{a} + {b}",
        "what do {a} and {b} make together",
        "I have {a} here and another {b} there, how much is it in all?",
        "Put {b} on top of {a}: what's that?",
        "the sum of {a} and {b}, please",
        "We sold {a} tickets online and {b} at the door. How many altogether?",
        "if you take {a} and then {b} more, where do you end up?",
        "how much is {a} and {b} combined",
    ),
    asks_zh=(
        "{a}加{b}等于多少？",
        "{a}和{b}的和是多少",
        "{a}+{b}",
        "把{a}和{b}加起来",
        "线上卖了{a}张票，线下卖了{b}张，一共多少张？",
        "先有{a}，又来了{b}，总共多少？",
        "{a}再加上{b}是几",
        "请帮忙求{a}与{b}之和",
    ),
    outcomes=VALUES,
    missing=(
        Missing(
            key="b",
            asks=("What is {a} plus?", "Add something to {a}."),
            replies=("What should I add to {a}?", "Which number should be added?"),
            asks_zh=("{a}再加一个数是多少？", "给{a}加一下"),
            replies_zh=("{a}要加多少？", "请问加的是哪个数？"),
        ),
    ),
    also=(*ANY_SUM, "figures.total"),
)

SUBTRACT = Family(
    key="arithmetic.subtract",
    names=("subtract", "minus", "difference", "subtract_numbers"),
    about=("Subtract one number from another.", "Returns a - b.", "The difference: first number less the second."),
    about_zh=("两个数相减。", "返回 a 减 b 的差。"),
    params=_pair(
        (("a", "x", "minuend", "from_number"), ("b", "y", "subtrahend", "take")),
        "The number to subtract from",
        "The number to take away",
    ),
    asks=(
        "Subtract {b} from {a}.",
        "What is {a} minus {b}?",
        "{a} - {b}",
        "take {b} away from {a}, what's left?",
        "I had {a} points and lost {b}. Where am I now?",
        "What remains of {a} once {b} is gone?",
        "how much is {a} less {b}",
        "The budget was {a}, we used {b} of it. How much is left?",
        "From {a} knock off {b}, please.",
        "if I pay {b} out of {a} how much do I still have",
    ),
    asks_zh=(
        "{a}减{b}等于多少？",
        "{a}减去{b}",
        "{a}-{b}",
        "从{a}里扣掉{b}还剩多少",
        "我有{a}分，丢了{b}分，现在几分？",
        "预算{a}，用掉了{b}，还有多少？",
        "{a}去掉{b}剩几",
        "请算{a}与{b}相差多少，用前者减后者",
    ),
    outcomes=VALUES,
    also=ANY_SUM,
    fits=lambda drawn: drawn["a"].meaning > drawn["b"].meaning,
)

MULTIPLY = Family(
    key="arithmetic.multiply",
    names=("multiply", "times", "product", "multiply_numbers"),
    about=("Multiply two numbers.", "Returns a * b.", "The product of two numbers, exactly."),
    about_zh=("两个数相乘。", "返回 a 与 b 的乘积。"),
    params=_pair(
        (("a", "x", "num1", "factor1"), ("b", "y", "num2", "factor2")), "One factor", "The other factor", True
    ),
    asks=(
        "Multiply {a} by {b}.",
        "What's {a} times {b}?",
        "{a} x {b}",
        "{a} * {b} please",
        "the product of {a} and {b}",
        "There are {b} pallets with {a} kilos on each, what do they weigh together?",
        "One is {a}, and I take {b} of them. How much is that?",
        "how much do {b} pieces at {a} each come to",
        "They pay me {a} a day and I stay {b} days: what do I earn?",
        "could you do {a} multiplied by {b}",
    ),
    asks_zh=(
        "{a}乘以{b}等于多少？",
        "{a}乘{b}",
        "{a}×{b}",
        "{a}和{b}的积是多少",
        "有{b}箱货，每箱重{a}公斤，总重多少？",
        "每天赚{a}，干{b}天能挣多少？",
        "求{a}与{b}相乘的结果",
        "{b}件，每件{a}块，总价多少",
    ),
    outcomes=VALUES,
    also=ANY_SUM,
)

DIVIDE = Family(
    key="arithmetic.divide",
    names=("divide", "divide_numbers", "quotient", "division"),
    about=(
        "Divide one number by another.",
        "Returns a / b. The divisor must not be zero.",
        "The quotient of two numbers.",
    ),
    about_zh=("两个数相除。", "返回 a 除以 b 的商，除数不能为零。"),
    params=(
        Param("a", Figure(), ("a", "dividend", "numerator", "x"), ("The number to divide",), ("被除数",)),
        Param("b", Figure(True), ("b", "divisor", "denominator", "y"), ("The number to divide by",), ("除数",)),
        Param("places", Plain(1, 6), ("decimals", "precision", "digits"), ("Decimal places",), ("小数位数",), False),
    ),
    asks=(
        "Divide {a} by {b}[, to {places} decimal places].",
        "What's {a} divided by {b}?",
        "{a} / {b}",
        "how often does {b} go into {a}",
        "Share {a} equally among {b}: how much does each get?",
        "{a} ÷ {b}[ with {places} decimals]",
        "if {a} euros are split {b} ways, what's one part?",
        "We have {a} minutes for {b} speakers, how long does each have?",
        "what is {a} over {b}[, {places} decimal places please]",
        "Cut {a} into {b} equal pieces. How big is one?",
    ),
    asks_zh=(
        "{a}除以{b}等于多少[，保留{places}位小数]？",
        "{a}÷{b}[，精确到小数点后{places}位]",
        "{a}/{b}",
        "把{a}平分给{b}个人，每人多少？",
        "{a}里面有几个{b}？",
        "{a}分成{b}等份，一份是多少",
        "{a}分钟分给{b}个发言人，每人几分钟？",
        "用{a}除以{b}，商是几[？保留{places}位小数]",
    ),
    outcomes=VALUES,
    missing=(
        Missing(
            key="b",
            asks=("Split {a} into equal parts.", "Divide {a} for me."),
            replies=("By what should I divide {a}?", "Into how many parts?"),
            asks_zh=("把{a}平均分一下。", "{a}做个除法"),
            replies_zh=("要除以几？", "请问分成几份？"),
        ),
    ),
    also=(*ANY_SUM, "money.split"),
    errors=("division by zero",),
    fits=lambda drawn: drawn["a"].meaning > drawn["b"].meaning,
)

PERCENT = Family(
    key="arithmetic.percent",
    names=("percent_of", "percentage", "calculate_percentage", "share_of"),
    about=(
        "A percentage of a number.",
        "Works out so many percent of a value.",
        "Percent of a base. Nothing is added to it.",
    ),
    about_zh=("求一个数的百分之几。", "计算某个数的百分比。"),
    params=(
        Param("percent", Percent(1, 99), ("percent", "percentage", "rate"), ("The share",), ("百分比",)),
        Param("base", Figure(), ("of", "base", "total", "value"), ("The number it is taken of",), ("基数",)),
    ),
    asks=(
        "What's {percent} of {base}?",
        "{percent} of {base}",
        "how much is {percent} of {base}",
        "If {percent} of {base} people said yes, how many is that?",
        "My cut is {percent} of {base}. How much do I get?",
        "We have {base} members and {percent} turned up, how many came?",
        "{base} in all, {percent} of it is mine. what's my part",
        "the agent takes {percent} from {base}, how much is that",
        "Work out {percent} of {base}, please.",
        "They say {percent} of the {base} seats are taken. How many seats?",
    ),
    asks_zh=(
        "{base}的{percent}是多少？",
        "{base}当中的{percent}等于多少",
        "我拿{base}的{percent}，是多少？",
        "一共{base}人，{percent}到场了，来了多少人？",
        "中介抽{base}的{percent}，抽多少钱",
        "{base}个座位坐了{percent}，坐了几个？",
        "帮我算{base}的{percent}",
        "总数{base}，占{percent}的是多少",
    ),
    outcomes=VALUES,
    missing=(
        Missing(
            key="base",
            asks=("How much is {percent}?", "I get {percent}, what is that in figures?"),
            replies=("Of which number?", "{percent} of what?"),
            asks_zh=("{percent}是多少？", "我能拿{percent}，是多少？"),
            replies_zh=("请问是哪个数的{percent}？", "总数是多少？"),
        ),
    ),
    also=("arithmetic.evaluate", "money.tip"),
    fits=lambda drawn: drawn["base"].meaning >= 10,
)

CHANGE = Family(
    key="arithmetic.change",
    names=("percent_change", "growth_rate", "percentage_difference", "relative_change"),
    about=(
        "Change between two values in percent.",
        "By how many percent something rose or fell.",
        "Growth rate, old to new.",
    ),
    about_zh=("计算两个数之间的变化百分比。", "从旧值到新值涨跌了百分之几。"),
    params=(
        Param("old", Figure(), ("old_value", "from_value", "before", "start"), ("Value before",), ("原来的值",)),
        Param("new", Figure(), ("new_value", "to_value", "after", "end"), ("Value now",), ("现在的值",)),
    ),
    asks=(
        "By how many percent is {new} more or less than {old} was?",
        "percent change from {old} to {new}",
        "Sales went from {old} to {new}, how many percent is that?",
        "My rent was {old} and is now {new}. What's the change in percent?",
        "from {old} to {new} in percent",
        "We had {old} visitors last year and {new} this year. How did that develop, in percent?",
        "it used to be {old}, now it's {new}, what percentage is the difference",
        "The town had {old} people, today {new}. Growth rate?",
        "how much in percent did it move, start {old}, end {new}",
        "Followers: {old} before, {new} after. Tell me the percentage.",
    ),
    asks_zh=(
        "从{old}到{new}变化了百分之几？",
        "原来{old}，现在{new}，涨跌幅是多少",
        "销量从{old}变成{new}，变化百分比是多少？",
        "房租以前{old}，现在{new}，变了百分之多少",
        "去年{old}人，今年{new}人，增长率多少？",
        "由{old}变到{new}，幅度是百分之几",
        "粉丝之前{old}，之后{new}，算一下变化率",
        "{old}到{new}的增长率",
    ),
    outcomes=(
        Outcome(
            fields=(("percent", Result(-80, 300, 1)),),
            texts=("{percent}%",),
            texts_zh=("{percent}%",),
            answers=("That's a change of {percent}%.", "It changed by {percent}%.", "{percent}%."),
            answers_zh=("变化了{percent}%。", "幅度是{percent}%。", "{percent}%。"),
        ),
    ),
    missing=(
        Missing(
            key="old",
            asks=("It is {new} now, how many percent did it change?", "We're at {new} today. Growth in percent?"),
            replies=("What was it before?", "Which value did it have before?"),
            asks_zh=("现在是{new}，变化了百分之几？", "今年{new}，增长率多少？"),
            replies_zh=("请问原来是多少？", "之前是多少？"),
        ),
    ),
    also=("arithmetic.evaluate",),
    fits=lambda drawn: 0.1 < drawn["new"].meaning / drawn["old"].meaning < 10,
)

DOMAIN = Domain(
    "arithmetic",
    (EVALUATE, STORY, OPERATION, ADD, SUBTRACT, MULTIPLY, DIVIDE, PERCENT, CHANGE),
    unserved=(
        ("Who invented the zero?", "零是谁发明的？"),
        ("Mark my daughter's maths test.", "帮我批改女儿的数学卷子。"),
        ("Explain to me why a minus times a minus is a plus.", "为什么负负得正？给我讲讲。"),
        ("Repair my pocket calculator.", "帮我修一下计算器。"),
        ("Photograph my homework and hand it in.", "帮我拍作业并提交。"),
        ("Enrol my son in the maths olympiad.", "给我儿子报名奥数比赛。"),
        ("What is the next prime minister election about?", "下届首相选举主要争什么？"),
        ("Print twenty sheets of exercises in long division.", "打印二十页竖式除法练习题。"),
        ("Save this result in my spreadsheet.", "把这个结果存到我的表格里。"),
        ("Prove that there are infinitely many primes.", "证明质数有无穷多个。"),
        ('How do you pronounce "quotient"?', "“商”这个词英语怎么念？"),
        ("Check my proof for mistakes.", "检查一下我的证明有没有错。"),
        ("Set my class twenty sums for tomorrow.", "给我们班出二十道明天的算术题。"),
        ("What grade did I get in maths?", "我数学考了多少分？"),
    ),
)
