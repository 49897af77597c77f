"""Statistics and chance: how data hang together, how likely things are, how many ways there are."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Decimal, Integer, ListOf, Percent, Word
from training.data.wordings import pool

DATA = ListOf(Integer(3, 99), 4, 8)
PAIR = ListOf(Integer(3, 99), 4, 4)
SERIES = Word(
    pool(
        """rainfall | sales | heart rate | commute times | exam scores | house prices | step counts | visitor numbers
        power use | response times | shoe sizes | wait times | crop yields | ticket prices | body heights"""
    ),
    pool("降雨量 | 销量 | 心率 | 通勤时间 | 考试成绩 | 房价 | 步数 | 访客数 | 用电量 | 响应时间 | 身高 | 票价 | 产量"),
)

CORRELATION = Family(
    key="odds.correlation",
    names=("correlation", "pearson_r", "correlate_lists", "relation_of_series", "compute_correlation"),
    about=(
        "How strongly two lists of numbers move together.",
        "Correlation coefficient of two series of equal length, between -1 and 1.",
        "Pearson or rank correlation",
    ),
    about_zh=("计算两组数据的相关系数。", "衡量两列数一起变化的程度，两列长度须相同。"),
    params=(
        Param("x", PAIR, ("x", "series_a", "x_values"), ("First list",), ("第一组数据",)),
        Param("y", PAIR, ("y", "series_b", "y_values"), ("Second list",), ("第二组数据",)),
        Param(
            "method",
            Choice({"pearson": (("Pearson",), ("皮尔逊",)), "spearman": (("Spearman", "rank"), ("斯皮尔曼", "秩"))}),
            ("method", "coefficient"),
            ("Which coefficient",),
            ("相关系数类型",),
            False,
            "pearson",
        ),
    ),
    asks=(
        "Is there a correlation? First list: {x}. Second list: {y}.",
        "x is {x}, y is {y}: how closely are they related[, {method} method]",
        "Hours studied: {x}. Marks: {y}. Do the two go together?",
        "correlate series A ({x}) with series B ({y})[ using {method}]",
        "temperatures {x}, ice creams sold {y}, does one follow the other?",
        "[{method} ]correlation please, x = {x}; y = {y}",
        "sensor one gave {x}; sensor two gave {y}. Do they move in step?",
        "coffee cups: {x}. hours of sleep: {y}. any link[, by {method}]?",
    ),
    asks_zh=(
        "一组是{x}，另一组是{y}，这两组数相关吗？",
        "x是{x}，y是{y}，求[{method}]相关系数",
        "学习时长：{x}；分数：{y}，两者有关系吗",
        "算算第一组{x}与第二组{y}的相关性[，用{method}]",
        "气温{x}，冰淇淋销量{y}，是不是一起涨跌？",
        "传感器一：{x}；传感器二：{y}，走势一致吗",
        "[用{method}方法，]看看数列{x}跟数列{y}关联多大",
        "广告费：{x}，销售额：{y}，有没有联动",
        "帮我看两列数据的相关度，A列：{x}，B列：{y}",
        "咖啡杯数：{x}；睡眠小时：{y}，有没有关联[，用{method}]",
    ),
    outcomes=(
        Outcome(
            fields=(("r", Decimal(0.05, 0.98, 2)),),
            texts=("r = {r}",),
            answers=("The correlation is {r}.", "They are related with a coefficient of {r}."),
            answers_zh=("相关系数是{r}。", "两组数据的相关系数为{r}。"),
        ),
    ),
    missing=(
        Missing(
            key="y",
            asks=("Does {x} go together with my other series?", "correlate {x} with something"),
            replies=("What are the numbers of the second series?", "With which numbers should I compare them?"),
            asks_zh=("{x}跟另一组数相关吗？", "算{x}的相关系数"),
            replies_zh=("请问第二组数据是什么？", "要和哪组数比较？"),
        ),
    ),
)

PERCENTILE = Family(
    key="odds.percentile",
    names=("percentile", "quantile_of", "data_percentile", "nth_percentile"),
    about=(
        "A percentile of a list of numbers.",
        "The value below which a given share of the data lies.",
        "Percentiles, e.g. the 90th; for the plain mean use another tool.",
    ),
    about_zh=("求一组数的百分位数。", "找出数据中第几百分位的值，不求平均数。"),
    params=(
        Param("data", DATA, ("data", "values", "numbers"), ("The numbers",), ("数据",)),
        Param("rank", Integer(5, 95, 5), ("percentile", "p", "rank"), ("From 1 to 99",), ("百分位，1 到 99",)),
    ),
    asks=(
        "What's percentile {rank} of {data}?",
        "given {data}, below which value do {rank} percent of them lie",
        "Find percentile number {rank} for these: {data}.",
        "response times were {data}, i want percentile {rank}",
        "percentile {rank}, numbers {data}",
        "The children measured {data}. Where is the mark that {rank} percent stay under?",
        "cut off {data} so that {rank} percent are below, what's the cut?",
        "we pay bonuses above percentile {rank}; the sales were {data}. Where is the line?",
    ),
    asks_zh=(
        "{data}的第{rank}百分位数是多少？",
        "数据{data}，百分之{rank}的值低于多少",
        "响应时间是{data}，要看第{rank}百分位",
        "求{data}的百分之{rank}分位数",
        "这几个数{data}，第{rank}百分位在哪儿",
        "孩子们的身高{data}，百分之{rank}的人在哪条线以下？",
        "{data}里面排在百分位{rank}的是几",
        "给我{data}的百分位，取{rank}",
        "想定个线，让百分之{rank}的数据都在下面，数据有{data}",
        "奖金线定在第{rank}百分位，业绩有{data}，线是多少",
    ),
    outcomes=(
        Outcome(
            fields=(("value", Decimal(3, 99, 1)),),
            texts=("{value}",),
            answers=("The value is {value}.", "It lies at {value}."),
            answers_zh=("结果是{value}。", "该百分位的值为{value}。"),
        ),
    ),
    missing=(
        Missing(
            key="rank",
            asks=("I need a percentile of {data}.", "percentile for {data}?"),
            replies=("Which percentile would you like?", "The how manyth percentile: 50, 90, another?"),
            asks_zh=("求{data}的百分位数", "{data}的分位数是多少？"),
            replies_zh=("请问要第几百分位？", "取哪个百分位？"),
        ),
    ),
)

Z_SCORE = Family(
    key="odds.z_score",
    names=("z_score", "standard_score", "how_unusual", "standardize_value"),
    about=(
        "How many standard deviations a value is from the mean.",
        "Standard score from value, mean and standard deviation.",
    ),
    about_zh=("计算标准分（z 分数）。", "看一个值偏离平均数几个标准差。"),
    params=(
        Param("value", Integer(40, 200), ("value", "x", "observation"), ("The value",), ("观测值",)),
        Param("mean", Integer(50, 150), ("mean", "mu", "average"), ("Mean of all",), ("平均数",)),
        Param("deviation", Integer(4, 30), ("standard_deviation", "sd", "sigma"), ("Spread",), ("标准差",)),
    ),
    asks=(
        "I scored {value}, the mean was {mean} with a standard deviation of {deviation}. What's my z-score?",
        "z score for x={value}, mean={mean}, sd={deviation}",
        "How unusual is {value} if the average is {mean} and the standard deviation {deviation}?",
        "mean {mean}, sigma {deviation}, my reading was {value}: how many sigmas off",
        "Our plant is {value} cm tall. The species averages {mean} with an SD of {deviation}. How far out is that?",
        "standardise {value} please (average {mean}, deviation {deviation})",
        "With a standard deviation of {deviation} around {mean}, where does {value} stand?",
        "the nurse says {value}, normal is {mean} plus or minus {deviation} (one SD). how extreme is that?",
    ),
    asks_zh=(
        "我考了{value}分，平均{mean}，标准差{deviation}，z分数是多少？",
        "均值{mean}，标准差{deviation}，{value}偏离几个标准差",
        "把{value}标准化，平均数{mean}，标准差{deviation}",
        "平均值是{mean}、标准差是{deviation}，那{value}算不算反常？",
        "x={value}，μ={mean}，σ={deviation}，求标准分",
        "这株苗{value}厘米，同类平均{mean}，标准差{deviation}，差了几个西格玛",
        "标准差{deviation}，平均{mean}，我测到{value}，离得远吗",
        "算标准分：观测值{value}，均值{mean}，标准差{deviation}",
        "{value}这个数在均值{mean}、标准差{deviation}的分布里处在什么位置？",
        "体检值{value}，正常均值{mean}，标准差{deviation}，偏得厉害吗",
    ),
    outcomes=(
        Outcome(
            fields=(("z", Decimal(0.1, 3.5, 2)),),
            texts=("z = {z}",),
            answers=("The z-score is {z}.", "It lies {z} standard deviations from the mean."),
            answers_zh=("z分数是{z}。", "偏离平均数{z}个标准差。"),
        ),
    ),
    missing=(
        Missing(
            key="deviation",
            asks=("I got {value} and the mean was {mean}. What's the z-score?",),
            replies=("What is the standard deviation?", "How large is the standard deviation?"),
            asks_zh=("我{value}分，平均{mean}，标准分是多少？",),
            replies_zh=("请问标准差是多少？", "标准差是几？"),
        ),
        Missing(
            key="mean",
            asks=("z-score of {value} with a standard deviation of {deviation}?",),
            replies=("What is the mean?", "And the average of all values?"),
            asks_zh=("{value}的z分数，标准差{deviation}",),
            replies_zh=("请问平均数是多少？", "均值是多少？"),
        ),
    ),
)

BINOMIAL = Family(
    key="odds.binomial",
    names=("binomial_probability", "chance_of_successes", "repeat_trial_odds", "binomial"),
    about=(
        "How likely a number of successes is in repeated trials.",
        "Binomial probability from trials, successes and the chance of each; exactly, at least or at most.",
    ),
    about_zh=("计算二项分布概率。", "多次独立试验中成功若干次的概率，可选恰好、至少或至多。"),
    params=(
        Param("trials", Integer(8, 60), ("trials", "n", "attempts"), ("Number of trials",), ("试验次数",)),
        Param("successes", Integer(1, 7), ("successes", "k", "hits"), ("Number of successes",), ("成功次数",)),
        Param("chance", Percent(2, 95), ("probability", "p", "success_rate"), ("Chance of one",), ("单次成功概率",)),
        Param(
            "bound",
            Choice(
                {
                    "exactly": (("exactly",), ("恰好", "正好")),
                    "at_least": (("at least",), ("至少", "最少")),
                    "at_most": (("at most",), ("至多", "最多")),
                }
            ),
            ("bound", "comparison", "kind"),
            ("Exactly that many, or more, or fewer",),
            ("恰好、至少或至多",),
        ),
    ),
    asks=(
        "A player hits {chance} of free throws. How likely are {bound} {successes} hits in {trials} throws?",
        "probability of {bound} {successes} wins in {trials} games when each is won with {chance}",
        "{trials} seeds, each sprouts with {chance}. What are the odds of {bound} {successes} sprouting?",
        "chance for {bound} {successes} out of {trials}, {chance} each",
        "{chance} of the bulbs are faulty and I take {trials}. Probability of {bound} {successes} bad ones?",
        "binomial: n {trials}, k {bound} {successes}, p {chance}",
        "we call {trials} people and {chance} of them answer. likelihood that {bound} {successes} pick up?",
        "roll of fate: {trials} tries, {chance} each, {bound} {successes} successes, how likely",
    ),
    asks_zh=(
        "罚球命中率{chance}，投{trials}次，{bound}中{successes}个的概率？",
        "每局赢的概率是{chance}，打{trials}局，{bound}赢{successes}局的可能性多大",
        "{trials}粒种子，发芽率{chance}，{bound}发芽{successes}粒的概率是多少？",
        "次品率{chance}，抽{trials}件，{bound}有{successes}件次品的概率",
        "二项分布：n是{trials}，p是{chance}，{bound}{successes}次",
        "打{trials}个电话，接通率{chance}，{bound}接通{successes}个，机会有多大",
        "成功率{chance}的事做{trials}回，{bound}成{successes}回，概率多少",
        "抽卡出货率{chance}，{trials}抽{bound}出{successes}张的概率帮我算算",
        "{trials}次里{bound}{successes}次成功，单次{chance}，概率呢",
        "面试{trials}家，每家录取机会{chance}，{bound}拿到{successes}个录用的概率有多大",
    ),
    outcomes=(
        Outcome(
            fields=(("probability_percent", Decimal(1, 99, 2)),),
            texts=("{probability_percent}%",),
            answers=("The probability is {probability_percent}%.", "That happens with {probability_percent}%."),
            answers_zh=("概率是{probability_percent}%。", "可能性为{probability_percent}%。"),
        ),
    ),
    missing=(
        Missing(
            key="chance",
            asks=("How likely are {bound} {successes} hits in {trials} throws?",),
            replies=("How likely is a hit in one throw?", "What is the chance of a single success?"),
            asks_zh=("投{trials}次，{bound}中{successes}个的概率是多少？",),
            replies_zh=("请问单次命中的概率是多少？", "每次成功的概率是多少？"),
        ),
    ),
)

WAYS = Family(
    key="odds.ways",
    names=("count_combinations", "ways_to_choose", "combinatorics", "n_choose_k", "arrangements"),
    about=(
        "In how many ways some can be chosen out of many.",
        "Combinations, or permutations where the order counts.",
        "Counts selections; does not list them.",
    ),
    about_zh=("计算组合数或排列数。", "从若干个中选几个有多少种选法，可选是否计顺序。"),
    params=(
        Param("total", Integer(8, 60), ("n", "total", "pool_size"), ("How many there are",), ("总数",)),
        Param("chosen", Integer(2, 7), ("k", "choose", "picked"), ("How many are chosen",), ("选出的个数",)),
        Param(
            "ordered",
            Choice(
                {
                    "permutation": (("the order counts", "where order matters"), ("要排顺序", "讲究先后")),
                    "combination": (("in any order", "order doesn't matter"), ("不管顺序", "不分先后")),
                },
            ),
            ("mode", "selection_type"),
            ("Permutation if the order counts, else combination",),
            ("计顺序为排列，否则为组合",),
            False,
        ),
    ),
    asks=(
        "In how many ways can I pick {chosen} out of {total}[, {ordered}]?",
        "{total} players on the bench and {chosen} may start. how many different teams are that",
        Ask(
            "How many podiums of {chosen} are possible with {total} runners, if the order counts?",
            {"ordered": "permutation"},
        ),
        "choose {chosen} from {total}[, {ordered}]",
        "The shop has {total} flavours and my cone takes {chosen}. How many cones could I build[, {ordered}]?",
        "number of possible groups of {chosen} in a class of {total}",
        "we draw {chosen} of {total} balls[, {ordered}]. number of outcomes?",
        "the choir has {total} singers and {chosen} get a solo. how many line-ups[, {ordered}]?",
    ),
    asks_zh=(
        "从{total}个里选{chosen}个有多少种选法[，{ordered}]？",
        "{total}个替补上{chosen}个，能组成几种阵容",
        Ask("{total}人赛跑，前{chosen}名考虑名次有多少种可能？", {"ordered": "permutation"}),
        "{total}种口味挑{chosen}种，一共多少搭配[，{ordered}]",
        "班里{total}人，{chosen}人一组，有多少种分法",
        "{total}个球摸{chosen}个[，{ordered}]，多少种结果？",
        "{total}选{chosen}，多少种[，{ordered}]",
        "彩票{total}个号里选{chosen}个，组合数是多少",
        Ask("{total}本书里挑{chosen}本，不管先后，有几种挑法", {"ordered": "combination"}),
        "合唱团{total}人，选{chosen}人领唱[，{ordered}]，有多少种安排",
    ),
    outcomes=(
        Outcome(
            fields=(("ways", Integer(28, 90000)),),
            texts=("{ways}",),
            answers=("There are {ways} ways.", "That makes {ways} possibilities."),
            answers_zh=("一共有{ways}种。", "共{ways}种可能。"),
        ),
    ),
    missing=(
        Missing(
            key="total",
            asks=("In how many ways can I choose {chosen}?", "how many groups of {chosen} are there"),
            replies=("Out of how many?", "How many are there to choose from?"),
            asks_zh=("选{chosen}个有多少种选法？", "挑{chosen}个出来，有几种"),
            replies_zh=("请问一共有多少个？", "从多少个里面选？"),
        ),
    ),
)

OUTLIERS = Family(
    key="odds.outliers",
    names=("find_outliers", "detect_anomalies", "odd_values_out", "flag_extremes"),
    about=(
        "Find values that do not fit the rest.",
        "Marks outliers in a named series of numbers.",
        "Outlier detection with an adjustable threshold.",
    ),
    about_zh=("找出一组数据中的异常值。", "检测离群值，可调阈值。"),
    params=(
        Param("series", SERIES, ("series_name", "label", "metric"), ("What the numbers are",), ("数据名称",)),
        Param("data", DATA, ("points", "data", "samples"), ("The numbers",), ("数据点",)),
        Param(
            "threshold", Decimal(1.5, 4, 1), ("threshold", "sigma_limit"), ("In sigmas",), ("阈值，几倍标准差",), False
        ),
    ),
    asks=(
        "Are there outliers in the {series}? The numbers: {data}[; threshold {threshold}].",
        "which of the {series} values {data} look wrong[ at {threshold} sigma]",
        "{series} this week were {data}. Does anything stick out?",
        "check {series} for odd values: {data}[, limit {threshold} sigmas]",
        "Something seems off with the {series}: {data}. Which ones don't belong?",
        "flag the extremes in {data}, that's {series}",
        "one of our {series} must be a typing error, which? {data}",
        "do all of these {series} look plausible: {data}[, cut at {threshold} sigma]",
    ),
    asks_zh=(
        "{series}数据{data}里有异常值吗[，阈值{threshold}]？",
        "帮我看看{series}，{data}，哪个不对劲",
        "这周的{series}是{data}，有没有特别离谱的",
        "检查{series}的离群点：{data}[，按{threshold}倍标准差]",
        "{series}好像有问题：{data}，哪几个不合群？",
        "{data}，这是{series}，挑出极端值",
        "{series}记录为{data}[，超过{threshold}倍标准差算异常]，找出异常",
        "感觉{series}有记错的，数字是{data}，查一下",
        "录入员可能敲错了，{series}：{data}，哪个可疑",
        "{series}这几个数{data}都合理吗[，{threshold}倍标准差为界]",
    ),
    outcomes=(
        Outcome(
            fields=(("outliers", Integer(2, 5)), ("checked", Integer(20, 90))),
            texts=("{outliers} of {checked} values are outliers",),
            answers=("{outliers} of {checked} values do not fit.", "I found {outliers} outliers in the {series}."),
            answers_zh=("{checked}个值里有{outliers}个异常。", "{series}里有{outliers}个离群值。"),
        ),
    ),
    missing=(
        Missing(
            key="data",
            asks=("Are there outliers in the {series}?", "does anything stick out in my {series}"),
            replies=("What are the numbers?", "Please give me the values."),
            asks_zh=("{series}里有异常值吗？", "帮我找{series}的离群点"),
            replies_zh=("请问具体数据是多少？", "请把数据发给我，好吗？"),
        ),
    ),
)

DOMAIN = Domain(
    "odds",
    (CORRELATION, PERCENTILE, Z_SCORE, BINOMIAL, WAYS, OUTLIERS),
    unserved=(
        ("Draw a histogram of my numbers.", "把我的数据画成直方图。"),
        ("Which lottery numbers will win on Saturday?", "周六彩票会开什么号？"),
        ("Explain what a p-value is.", "解释一下什么是p值。"),
        ("Download the census data for my county.", "下载我们县的人口普查数据。"),
        ("Place a bet of ten euros on the home team.", "押十块钱买主队赢。"),
        ("Forecast next month's sales.", "预测下个月的销量。"),
        ("Run a survey among our members.", "在会员里做个问卷调查。"),
        ("Shuffle a deck of cards.", "洗一副牌。"),
        ("Solve x squared minus 4x plus 3 equals zero.", "解方程x的平方减4x加3等于0。"),
        ("Is this coin fair? I only feel it isn't.", "我总觉得这枚硬币不公平，是吗？"),
        ("Clean the empty cells out of my spreadsheet.", "把表格里的空单元格清掉。"),
        ("Teach me how to count cards.", "教我怎么算牌。"),
    ),
)
