"""Sums hidden in small stories: "I bought 12 boxes with 6 eggs in each, how many is that?"."""

from dataclasses import dataclass

from .family import Draw, Drawn, Form
from .sums import Expression, Plain, Result


@dataclass(frozen=True)
class Story:
    """A question that says a sum without naming its operations. What it means is the expression."""

    def draw(self, draw: Draw) -> Drawn:
        english, chinese, expression = draw.rng.choice(_STORIES)
        large, small = Plain(20, 900), Plain(2, 18)
        # The larger figures come in capitals, so that nobody pays more out than is there.
        parts = {name: (large if name.isupper() else small).draw(draw) for name in "ABCabc"}
        # A bare figure in digits, for shares and factors: nobody says "百分之两".
        parts["n"] = Result(2, 60).draw(draw)
        parts["B"], parts["A"] = sorted((parts["A"], parts["B"]), key=lambda part: part.meaning)
        said = (chinese if draw.language == "zh" else english).format(**{key: part.said for key, part in parts.items()})
        return Drawn(said, expression.format(**{key: part.meaning for key, part in parts.items()}))

    @property
    def forms(self) -> tuple[Form, ...]:
        return Expression().forms


_STORIES: tuple[tuple[str, str, str], ...] = (
    (
        "I bought {a} boxes with {b} eggs in each. How many eggs is that?",
        "买了{a}盒鸡蛋，每盒{b}个，一共多少个？",
        "{a} * {b}",
    ),
    (
        "We are {a} people and the bill is {A} dollars, what does each pay?",
        "{a}个人吃饭一共{A}元，每人该付多少？",
        "{A} / {a}",
    ),
    ("I had {A} dollars and spent {a}. What's left?", "我有{A}块钱，花了{a}块，还剩多少？", "{A} - {a}"),
    (
        "There are {A} kids and {B} adults coming, how many is that together?",
        "来了{A}个小孩和{B}个大人，总共多少人？",
        "{A} + {B}",
    ),
    ("I read {a} pages a day, how many in {A} days?", "我每天读{a}页书，{A}天能读多少页？", "{a} * {A}"),
    (
        "A ticket costs {A} and we need {a}, plus a fee of {b}. What will it cost?",
        "一张票{A}元，买{a}张，另加{b}元手续费，总价多少？",
        "{A} * {a} + {b}",
    ),
    (
        "I work {a} hours a day at {A} an hour. What do I make a day?",
        "我一天上班{a}小时，每小时{A}元，一天挣多少？",
        "{a} * {A}",
    ),
    (
        "If {A} cookies are shared by {a} kids, how many does each get?",
        "{A}块饼干分给{a}个孩子，每人几块？",
        "{A} / {a}",
    ),
    (
        "rent is {A}, power is {B} and internet {C}, what do I pay in all",
        "房租{A}，电费{B}，网费{C}，加起来是多少",
        "{A} + {B} + {C}",
    ),
    (
        "I drove {A} km in the morning and {B} km after lunch, how far was that in total?",
        "上午开了{A}公里，下午又开了{B}公里，总共开了多少公里？",
        "{A} + {B}",
    ),
    (
        "The shelf holds {A} books and there are {a} shelves, how many fit?",
        "一个书架放{A}本书，{a}个书架能放多少本？",
        "{A} * {a}",
    ),
    (
        "My phone was {A} euros and the case {a}. How much did I spend?",
        "手机{A}欧元，手机壳{a}欧元，我一共花了多少？",
        "{A} + {a}",
    ),
    (
        "A car does {A} km on {a} litres. How far does it go on one litre?",
        "车加{a}升油能跑{A}公里，一升油能跑多远？",
        "{A} / {a}",
    ),
    (
        "{a} packs of {b} batteries, and I've used {c} of them: how many are left?",
        "{a}包电池，每包{b}节，用掉了{c}节，还剩几节？",
        "{a} * {b} - {c}",
    ),
    ("I save {A} a month. How much is that after {a} months?", "我每个月存{A}元，{a}个月后有多少？", "{A} * {a}"),
    (
        "The hall has {a} rows of {A} seats. How many people can sit?",
        "礼堂有{a}排座位，每排{A}个，能坐多少人？",
        "{a} * {A}",
    ),
    (
        "We collected {A} bottles, the other class {B}. How many more did we get?",
        "我们班收集了{A}个瓶子，隔壁班{B}个，我们多了几个？",
        "{A} - {B}",
    ),
    (
        "if I split {A} dollars plus a {a} dollar fee between {b} of us, how much is it each",
        "{A}元再加{a}元服务费，{b}个人平摊，每人多少",
        "({A} + {a}) / {b}",
    ),
    (
        "Monday I walked {A} steps, Tuesday {B}, Wednesday {C}. What's the mean of the three?",
        "周一走了{A}步，周二{B}步，周三{C}步，平均每天多少步？",
        "({A} + {B} + {C}) / 3",
    ),
    (
        "A factory makes {A} chairs a day, {a} days a week. How many chairs a week is that?",
        "工厂每天生产{A}把椅子，每周开工{a}天，一周生产多少把？",
        "{A} * {a}",
    ),
    (
        "Lunch was {A} and dinner {B}, and my friend paid me back {a}. What did I really spend?",
        "午饭{A}元，晚饭{B}元，朋友还了我{a}元，我实际花了多少？",
        "{A} + {B} - {a}",
    ),
    (
        "the train goes {A} km in {a} hours, how many km per hour is that",
        "火车{a}小时开了{A}公里，每小时多少公里",
        "{A} / {a}",
    ),
    (
        "I have {a} bags of {b} apples and {c} loose ones. How many apples do I have?",
        "有{a}袋苹果，每袋{b}个，外加{c}个散的，总共几个苹果？",
        "{a} * {b} + {c}",
    ),
    ("The room is {a} by {b} metres, what's the area?", "房间长{a}米、宽{b}米，面积多大？", "{a} * {b}"),
    (
        "One pill every day for {A} days, {a} pills in a pack: how many packs is that?",
        "每天一片药，吃{A}天，一盒{a}片，要几盒？",
        "{A} / {a}",
    ),
    (
        "They want {A} up front and then {B} a month for {a} months, what's the total?",
        "首付{A}元，之后每月{B}元，付{a}个月，总共多少钱？",
        "{A} + {B} * {a}",
    ),
    ("What percent of {A} is {B}?", "{B}是{A}的百分之几？", "{B} / {A} * 100"),
    (
        "{B} out of {A} passed the test. How many percent is that?",
        "{A}人考试，{B}人及格，及格率百分之几？",
        "{B} / {A} * 100",
    ),
    ("How much more is {A} than {B}?", "{A}比{B}多多少？", "{A} - {B}"),
    ("Add {A}, {B} and {C}.", "把{A}、{B}和{C}加在一起。", "{A} + {B} + {C}"),
    ("Subtract {B} from {A}.", "从{A}当中减去{B}。", "{A} - {B}"),
    ("Multiply {A} by {n}, then add {C}.", "{A}先乘以{n}，再加{C}。", "{A} * {n} + {C}"),
    ("Add {C} to {A}, then divide the lot by {n}.", "{A}先加{C}，得数再除以{n}。", "({A} + {C}) / {n}"),
    ("how many times does {n} go into {A}", "{A}里面有多少个{n}", "{A} / {n}"),
    ("What do I have to add to {B} to get {A}?", "{B}加上多少等于{A}？", "{A} - {B}"),
    ("What times {n} makes {A}?", "几乘以{n}等于{A}？", "{A} / {n}"),
    (
        "A shirt is {A} dollars with {n} percent off. What do I pay?",
        "一件衬衫{A}元，便宜百分之{n}，要付多少？",
        "{A} * (1 - {n} / 100)",
    ),
    (
        "The bill was {A} and I want to tip {n} percent. What do I pay in all?",
        "账单{A}元，另给{n}%的小费，一共付多少？",
        "{A} * (1 + {n} / 100)",
    ),
    (
        "We have {A} dollars for {a} days, how much can we spend a day?",
        "我们有{A}块钱，要用{a}天，每天能花多少？",
        "{A} / {a}",
    ),
    (
        "A carton of {a} beers costs {A}. How much is a single one?",
        "一箱{a}瓶啤酒卖{A}元，单瓶多少钱？",
        "{A} / {a}",
    ),
    (
        "{a} adults at {A} each and {b} children at {B} each, what do the tickets cost?",
        "成人票{A}元，儿童票{B}元，{a}个大人{b}个小孩，门票一共多少钱？",
        "{a} * {A} + {b} * {B}",
    ),
    (
        "I pay with a note of {A} and the shopping is {B}. What change do I get?",
        "买东西花了{B}元，给了{A}元，该找我多少？",
        "{A} - {B}",
    ),
    (
        "A box weighs {a} kilos and there are {A} on the truck. What's the load?",
        "一箱货重{a}公斤，车上装了{A}箱，总共多重？",
        "{a} * {A}",
    ),
    (
        "My flat is {A} square metres and the rent is {a} per square metre. What is the rent?",
        "房子{A}平方米，每平方米租金{a}元，房租是多少？",
        "{A} * {a}",
    ),
    (
        "It's {A} km to go and we do {a} km a day. In how many days are we there?",
        "还有{A}公里，每天走{a}公里，几天能到？",
        "{A} / {a}",
    ),
    (
        "There were {A} people on the train, {a} got off and {b} got on. How many now?",
        "火车上有{A}个人，下去{a}个，上来{b}个，现在有多少人？",
        "{A} - {a} + {b}",
    ),
    (
        "I drink {a} cups of coffee a day, {b} cents each. What does a week cost me, in cents?",
        "我每天喝{a}杯咖啡，每杯{b}元，一个星期花多少钱？",
        "{a} * {b} * 7",
    ),
    (
        "every one of {a} classes has {A} pupils and {B} are ill today, how many are at school",
        "学校有{a}个班，每班{A}人，今天有{B}人请假，到校多少人",
        "{a} * {A} - {B}",
    ),
    (
        "The farmer has {A} hens that lay {a} eggs a week. How many eggs is that a week?",
        "农民养了{A}只鸡，每只一周下{a}个蛋，一周收多少个蛋？",
        "{A} * {a}",
    ),
    (
        "I want to buy a bike for {A} and have {B}. How much is missing?",
        "想买一辆{A}元的自行车，手里有{B}元，还差多少？",
        "{A} - {B}",
    ),
    (
        "I put {a} coins of {b} cents and {c} coins of 10 cents in a jar. How many cents?",
        "存钱罐里有{a}枚{b}角硬币和{c}枚10角硬币，一共多少角？",
        "{a} * {b} + {c} * 10",
    ),
    (
        "A field is {A} m long and {B} m wide, how long is the fence around it?",
        "一块地长{A}米、宽{B}米，围一圈篱笆要多少米？",
        "2 * ({A} + {B})",
    ),
    (
        "My wage is {a} an hour, {b} hours a day, {c} days. What will I get?",
        "时薪{a}元，每天干{b}小时，干{c}天，能拿多少？",
        "{a} * {b} * {c}",
    ),
    (
        "I've got {A} photos and each page of the album takes {a}. How many pages do I fill?",
        "有{A}张照片，相册每页放{a}张，要放几页？",
        "{A} / {a}",
    ),
    (
        "We spent {A} on petrol, {B} on food and {C} on tickets for {a} people. What is it per person?",
        "油费{A}，吃饭{B}，门票{C}，{a}个人平摊，每人多少？",
        "({A} + {B} + {C}) / {a}",
    ),
    (
        "The subscription is {A} a year. What is it a month?",
        "会员费一年{A}元，合每个月多少钱？",
        "{A} / 12",
    ),
    ("netflix is {a} a month, what's that in a year", "视频会员一个月{a}元，一年多少钱", "{a} * 12"),
    (
        "The meter said {B} last month and {A} now. How many units did we use?",
        "电表上个月{B}，现在{A}，用了多少度？",
        "{A} - {B}",
    ),
    (
        "We used {A} kWh and one costs {a} cents, how many cents is the bill?",
        "用了{A}度电，每度{a}角，电费多少角？",
        "{A} * {a}",
    ),
    (
        "A recipe for {a} takes {A} grams of flour. How much for one person?",
        "{a}人份要{A}克面粉，一人份要多少？",
        "{A} / {a}",
    ),
    (
        "the recipe is for {a} people and takes {A} g of rice, but we're {b}, how much do I take",
        "菜谱{a}个人用{A}克米，我们{b}个人，要用多少克",
        "{A} / {a} * {b}",
    ),
    (
        "If {a} apples cost {A} cents, what do {b} cost?",
        "{a}个苹果{A}角钱，买{b}个要多少？",
        "{A} / {a} * {b}",
    ),
    (
        "A third of our {A} members came, how many is that?",
        "会员{A}人，来了三分之一，来了多少人？",
        "{A} / 3",
    ),
    ("I ate half of {A} grams of chocolate. How much did I eat?", "{A}克巧克力我吃了一半，吃了多少克？", "{A} / 2"),
)
