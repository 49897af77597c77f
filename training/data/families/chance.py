"""Primes, factorials, and figures drawn by chance: dice, coins, lots."""

from training.data.family import Ask, Domain, Draw, Drawn, Family, Form, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, ListOf, Made, Word, meant
from training.data.sums import Plain, Result
from training.data.world import Person

PRIME = Family(
    key="chance.prime",
    names=("is_prime", "prime_check", "check_prime", "test_prime"),
    about=("Is a number prime?", "Tests a whole number for primality.", "Says whether a number has other divisors."),
    about_zh=("判断一个数是不是质数。", "检验整数是否为素数。"),
    params=(Param("number", Result(2, 9_000), ("number", "n", "value"), ("Whole number to test",), ("要判断的整数",)),),
    asks=(
        "Is {number} a prime number?",
        "is {number} prime",
        "Can {number} be divided by anything but one and itself?",
        "check whether {number} is prime",
        "We argue about {number}: prime or not?",
        "Does {number} have any divisors apart from itself and 1?",
        "would {number} count as a prime",
        "For my homework I have to know if {number} is a prime.",
        "{number}, prime?",
        "tell me please if {number} is one of the primes",
    ),
    asks_zh=(
        "{number}是质数吗？",
        "{number}是不是素数",
        "{number}除了1和它自己还有别的因数吗？",
        "帮我判断{number}是质数还是合数",
        "{number}算素数吗",
        "作业问{number}是否为质数",
        "检查一下{number}是不是质数",
        "{number}能被别的数整除吗？",
    ),
    outcomes=(
        Outcome(
            fields=(("prime", Choice({"true": (("true",), ("true",))})),),
            texts=("prime", "yes, prime"),
            texts_zh=("质数",),
            answers=("Yes, {number} is prime.", "{number} is a prime number."),
            answers_zh=("是的，{number}是质数。", "{number}是质数。"),
        ),
        Outcome(
            fields=(("divisor", Plain(2, 90)),),
            texts=("not prime, divisible by {divisor}",),
            texts_zh=("不是质数，能被{divisor}整除",),
            answers=("No, {number} can be divided by {divisor}.", "{number} isn't prime: {divisor} divides it."),
            answers_zh=("不是，{number}能被{divisor}整除。", "{number}不是质数，{divisor}是它的因数。"),
        ),
    ),
    missing=(
        Missing(
            key="number",
            asks=("Is this a prime number?", "Check a prime for me.", "I want to know whether a number is prime"),
            replies=("Which number should I test?", "What number do you mean?"),
            asks_zh=("这个数是质数吗？", "帮我判断一个数是不是质数"),
            replies_zh=("请问是哪个数？", "要判断哪个数？"),
        ),
    ),
)

FACTORS = Family(
    key="chance.factors",
    names=("prime_factors", "factorize", "decompose_number", "factor_number"),
    about=("Prime factors of a number.", "Splits a whole number into its prime factors.", "Factorization."),
    about_zh=("分解质因数。", "把整数分解成质因数的乘积。"),
    params=(Param("number", Result(12, 9_000), ("number", "n", "integer"), ("Number to factor",), ("要分解的数",)),),
    asks=(
        "What are the prime factors of {number}?",
        "factor {number}",
        "Which primes multiply to {number}?",
        "break {number} down into primes",
        "I need the factorization of {number}, please",
        "Into which primes does {number} split?",
        "decompose {number} for me",
        "how do I write {number} as a product of primes",
        "My exercise says: factorize {number}.",
        "prime factors {number}",
    ),
    asks_zh=(
        "{number}分解质因数",
        "{number}的质因数有哪些？",
        "把{number}写成质数的乘积",
        "{number}能拆成哪些质数相乘？",
        "请对{number}进行质因数分解",
        "作业要求分解{number}，结果是什么",
        "{number}由哪些素数乘起来",
        "帮我拆一下{number}的质因数",
    ),
    outcomes=(
        Outcome(
            fields=(("factors", ListOf(Word(("2", "3", "5", "7", "11", "13", "17", "19", "23", "29", "31")), 2, 4)),),
            texts=("{factors}",),
            texts_zh=("{factors}",),
            answers=("The prime factors of {number} are {factors}.", "They are {factors}.", "{factors}."),
            answers_zh=("{number}的质因数是{factors}。", "分解结果：{factors}。", "有{factors}。"),
        ),
    ),
)

FACTORIAL = Family(
    key="chance.factorial",
    names=("factorial", "compute_factorial", "n_factorial", "arrangements"),
    about=("Factorial of a number.", "n!, the number of orders that n things can stand in.", "Computes n factorial."),
    about_zh=("求阶乘。", "计算 n 的阶乘，即 n 个事物的排列数。"),
    params=(Param("number", Result(2, 25), ("n", "number", "count"), ("Whole number",), ("正整数",)),),
    asks=(
        "What is {number} factorial?",
        "{number}!",
        "factorial of {number}",
        "In how many orders can {number} people queue up?",
        "How many ways are there to arrange {number} different books on a shelf?",
        "compute the factorial for {number}, please",
        "1 times 2 times 3 and so on up to {number}, what's that?",
        "{number} songs in a playlist: how many different orders are possible",
        "what does {number}! come to?",
        "I need n! for n = {number}",
    ),
    asks_zh=(
        "{number}的阶乘是多少？",
        "{number}!等于几",
        "{number}个人排队有多少种排法？",
        "{number}本不同的书摆一排，有几种摆法？",
        "求{number}的阶乘",
        "从1一直乘到{number}是多少",
        "{number}首歌能排出多少种播放顺序？",
        "算一下n!，n等于{number}",
    ),
    outcomes=(
        Outcome(
            fields=(("result", Result(6, 4_000_000)),),
            texts=("{result}",),
            texts_zh=("{result}",),
            answers=("That's {result}.", "It is {result}.", "{result}."),
            answers_zh=("是{result}。", "结果是{result}。", "一共{result}。"),
        ),
    ),
    also=("arithmetic.evaluate",),
)

RANDOM = Family(
    key="chance.random",
    names=("random_number", "pick_number", "random_integer", "draw_number"),
    about=(
        "A random whole number between two bounds.",
        "Draws a number by chance, both bounds included.",
        "Random integer generator; for dice use another tool.",
    ),
    about_zh=("在两个数之间随机取一个整数。", "生成随机整数，含两端。"),
    params=(
        Param("low", Result(1, 50), ("min", "low", "from_number", "lower"), ("Smallest possible",), ("最小值",)),
        Param("high", Result(60, 5_000), ("max", "high", "to_number", "upper"), ("Largest possible",), ("最大值",)),
        Param("unique", Flag(), ("exclude_used", "no_repeats"), ("Never repeat a number",), ("不重复",), False),
    ),
    asks=(
        "Give me a random number between {low} and {high}.",
        "pick a number from {low} to {high}",
        "any number from {low} to {high}, surprise me",
        "I can't decide which page to read: choose one from {low} to {high} by chance.",
        "The winner has a ticket between {low} and {high}. Draw one!",
        "random {low}-{high}",
        Ask("Draw a number from {low} to {high} that we haven't had yet.", {"unique": True}),
        "Let chance decide, at least {low} and at most {high}.",
        "think of a number, {low} being the lowest and {high} the highest",
        "could you generate a random integer, min {low} max {high}",
    ),
    asks_zh=(
        "在{low}到{high}之间随机取一个数。",
        "给我一个{low}到{high}的随机数",
        "从{low}到{high}随便挑个数",
        "抽奖号码是{low}到{high}，帮我抽一个",
        Ask("{low}到{high}抽一个没抽过的号", {"unique": True}),
        "随机数，最小{low}，最大{high}",
        "{low}～{high}之间随机选一页来读",
        "听天由命吧，{low}到{high}里选一个",
    ),
    outcomes=(
        Outcome(
            fields=(("number", Result(10, 900)),),
            texts=("{number}",),
            texts_zh=("{number}",),
            answers=("It's {number}.", "The number is {number}.", "I drew {number}."),
            answers_zh=("抽到了{number}。", "随机数是{number}。", "是{number}。"),
        ),
    ),
    missing=(
        Missing(
            key="high",
            asks=("Give me a random number from {low} up.", "pick a number, {low} or more"),
            replies=("What is the largest number it may be?", "Up to which number?"),
            asks_zh=("从{low}开始随机取个数", "给我一个不小于{low}的随机数"),
            replies_zh=("最大到多少？", "请问上限是多少？"),
        ),
    ),
)


def _die(draw: Draw) -> Drawn:
    sides = draw.rng.choice((4, 6, 8, 10, 12, 20))
    return Drawn(str(sides), sides)


DICE = Family(
    key="chance.dice",
    names=("roll_dice", "dice_roller", "throw_dice", "roll"),
    about=("Roll dice.", "Throws one or more dice and gives the faces.", "Dice of any number of sides, 6 by default."),
    about_zh=("掷骰子。", "掷一个或多个骰子，默认六面。"),
    params=(
        Param("count", Plain(1, 8), ("count", "dice", "how_many"), ("How many dice, 1 by default",), ("个数",), False),
        Param(
            "sides",
            Made(
                _die,
                (Form({"type": "integer"}, meant), Form({"type": "integer", "enum": [4, 6, 8, 10, 12, 20]}, meant)),
            ),
            ("sides", "faces"),
            ("Sides of a die",),
            ("面数",),
            required=False,
        ),
    ),
    asks=(
        "Roll the dice!",
        Ask("Roll a die.", {"count": 1}),
        Ask("roll two dice for me", {"count": 2}),
        "throw some dice with {sides} sides",
        Ask("It's my turn and we lost our die, can you roll one?", {"count": 1}),
        Ask("I attack with my sword, one d20 please", {"count": 1, "sides": 20}),
        Ask("three six-sided dice, go", {"count": 3, "sides": 6}),
        Ask("We play a board game without dice. Roll two for Anna.", {"count": 2}),
        Ask("throw one {sides}-sided die", {"count": 1}),
        Ask("Roll 4 dice with {sides} sides each, please.", {"count": 4}),
        "let the dice decide",
    ),
    asks_zh=(
        "掷骰子！",
        Ask("掷一个骰子", {"count": 1}),
        Ask("帮我扔两个骰子", {"count": 2}),
        "扔一把{sides}面的骰子",
        Ask("轮到我了，掷一颗骰子", {"count": 1}),
        Ask("三个六面骰，走起", {"count": 3, "sides": 6}),
        Ask("桌游骰子丢了，替我投两颗", {"count": 2}),
        Ask("投一个{sides}面骰", {"count": 1}),
    ),
    outcomes=(
        Outcome(
            fields=(("rolls", ListOf(Result(1, 6), 1, 3)),),
            texts=("{rolls}",),
            texts_zh=("{rolls}",),
            answers=("You rolled {rolls}.", "The dice show {rolls}.", "It's {rolls}."),
            answers_zh=("掷出了{rolls}。", "点数是{rolls}。", "是{rolls}。"),
        ),
    ),
)

COIN = Family(
    key="chance.coin",
    names=("flip_coin", "toss_coin", "coin_flip", "heads_or_tails"),
    about=("Flip a coin.", "Heads or tails, by chance.", "Tosses a fair coin once."),
    about_zh=("抛硬币。", "随机得到正面或反面。"),
    params=(),
    asks=(
        "Flip a coin.",
        "heads or tails?",
        "toss a coin for me",
        "We can't agree who starts, throw a coin please.",
        "Let a coin decide.",
        "can you do a coin toss",
        "I need a fair fifty-fifty decision from you, heads I go, tails I stay",
        "Coin flip, quick!",
        "should I or shouldn't I? flip for it",
        "Do you have a coin? Give it a toss.",
    ),
    asks_zh=(
        "抛个硬币。",
        "正面还是反面？",
        "帮我扔个硬币",
        "我们定不下来谁先，抛硬币吧",
        "让硬币来决定",
        "掷一下硬币好吗",
        "正面就去，反面就不去，扔一个",
        "来，抛一次硬币",
    ),
    outcomes=(
        Outcome(
            fields=(("side", Choice({"heads": (("heads",), ("正面",)), "tails": (("tails",), ("反面",))})),),
            texts=("{side}",),
            texts_zh=("{side}",),
            answers=("It's {side}.", "The coin says {side}.", "{side}!"),
            answers_zh=("是{side}。", "硬币是{side}。", "{side}朝上。"),
        ),
    ),
)

LOTS = Family(
    key="chance.lots",
    names=("draw_lots", "pick_someone", "random_person", "choose_at_random"),
    about=("Pick one of some names by chance.", "Draws lots among people.", "Random choice from a list of names."),
    about_zh=("从几个人里随机选一个。", "抽签。"),
    params=(
        Param(
            "people", ListOf(Person(0.3), 3, 5), ("names", "people", "candidates"), ("Who takes part",), ("参加的人",)
        ),
        Param("winners", Plain(1, 3), ("count", "winners", "how_many"), ("How many to pick",), ("选几个",), False),
    ),
    asks=(
        "Who does the dishes: {people}? Pick at random.",
        "draw lots between {people}",
        "{people} all want the last piece of cake, let chance decide",
        "Choose one of {people} by chance, please.",
        "pick somebody out of {people}",
        Ask("We raffle two prizes among {people}. Who wins?", {"winners": 2}),
        "One of {people} has to drive. Draw!",
        "randomly select from {people}",
        "Nobody volunteers, so it's either {people}. You choose, blindly.",
        Ask("I need one random name out of {people}", {"winners": 1}),
    ),
    asks_zh=(
        "{people}，随机选一个去洗碗。",
        "在{people}里抽签",
        "从{people}中随机挑一个人",
        "{people}都想要最后一块蛋糕，抽一个吧",
        Ask("{people}里抽两个中奖的", {"winners": 2}),
        "谁去拿快递？{people}里抽一个",
        "{people}，点到谁就谁开车",
        "没人愿意主动，{people}里随机来一个",
    ),
    outcomes=(
        Outcome(
            fields=(("place", Result(1, 3)),),
            texts=("number {place} of the list",),
            texts_zh=("名单第{place}位",),
            answers=("Number {place} of the list it is.", "Chance picked number {place} of your list."),
            answers_zh=("抽中了名单上第{place}位。", "选中的是第{place}个人。"),
        ),
    ),
    missing=(
        Missing(
            key="people",
            asks=("Draw lots for us.", "Pick one of us at random.", "let chance decide who goes"),
            replies=("Who takes part?", "Which names should I draw from?"),
            asks_zh=("帮我们抽个签。", "随机选一个人吧"),
            replies_zh=("有哪些人参加？", "请问从哪几个人里选？"),
        ),
    ),
)

DOMAIN = Domain(
    "chance",
    (PRIME, FACTORS, FACTORIAL, RANDOM, DICE, COIN, LOTS),
    unserved=(
        ("Teach me to throw a coin so that it lands on its edge.", "教我怎么让硬币立起来。"),
        ("What are tonight's lottery numbers?", "今晚彩票开奖号码是多少？"),
        ("How old is the oldest coin in the world?", "世界上最老的硬币有多少年了？"),
        ("Buy me two lottery tickets.", "帮我买两张彩票。"),
        ("Deal the cards for a round of poker.", "发牌，来一局扑克。"),
        ("Explain the rules of backgammon.", "讲讲双陆棋的规则。"),
        ("What is my coin collection worth?", "我收藏的硬币值多少钱？"),
        ("Which horse will win the race?", "哪匹马会赢？"),
        ("Read my palm.", "给我看看手相。"),
        ("Place a bet on the red horse.", "给红马下注。"),
        ("Shuffle the cards and deal five each.", "洗牌，每人发五张。"),
        ("What are the odds that it snows at Christmas?", "圣诞节下雪的概率有多大？"),
        ("Tell me my horoscope.", "看看我今天的星座运势。"),
    ),
)
