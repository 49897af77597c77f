"""Marketing: campaigns, their budgets and figures, groups of customers, codes for discounts."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Decimal, Flag, Integer, ListOf, Percent, Word
from training.data.sums import Cash
from training.data.times import Day
from training.data.wordings import named_day, pool
from training.data.world import Country

CAMPAIGN = Word(
    pool(
        """Spring Refresh | Back to School | Black Friday | Summer Splash | Win-back | Lunch Deals | New Year Fit
        Bike Week | Pumpkin Days | Early Bird | Welcome Series | Mother's Day | Clearance | Loyal Friends
        Rainy Days | App Launch | Winter Lights | Student Special | Grand Opening | Weekend Box"""
    ),
    pool(
        """春日焕新 | 开学季 | 双十一 | 夏日清凉 | 老客召回 | 午餐优惠 | 新年健身 | 骑行周 | 丰收节 | 早鸟计划
        新客欢迎 | 母亲节 | 清仓特卖 | 会员日 | 雨天专享 | 新品首发 | 冬日暖灯 | 学生专场 | 盛大开业 | 周末礼盒"""
    ),
)
CHANNEL = Choice(
    {
        "email": (("e-mail", "email"), ("邮件",)),
        "sms": (("text message", "SMS"), ("短信",)),
        "push": (("push notification", "app push"), ("App推送", "推送")),
        "print": (("printed flyers", "letterbox flyers"), ("传单", "纸质传单")),
        "radio": (("radio",), ("电台", "广播")),
    }
)

LAUNCH = Family(
    key="campaigns.launch",
    names=("launch_campaign", "create_campaign", "new_marketing_campaign", "plan_campaign"),
    about=(
        "Set up a marketing campaign.",
        "Creates a campaign with its channels, first day and budget.",
        "Plans campaigns; figures of running ones come from another tool.",
    ),
    about_zh=("创建营销活动。", "设定活动名称、渠道、开始日期和预算。"),
    params=(
        Param("name", CAMPAIGN, ("name", "campaign_name", "title"), ("Name of the campaign",), ("活动名称",)),
        Param("channels", ListOf(CHANNEL, 1, 3), ("channels", "media"), ("How people are reached",), ("渠道",)),
        Param("start", Day(1, 60), ("start_date", "launch_on"), ("First day",), ("开始日期",)),
        Param("budget", Cash(200, 80000), ("budget", "spend_limit"), ("What it may cost",), ("预算",), False),
        Param("country", Country(), ("country", "market"), ("Where it runs",), ("投放国家",), False),
    ),
    asks=(
        "Launch {name} on {start} by {channels}[ with a budget of {budget}].",
        "new campaign {name}, {channels}, from {start}[, {budget}]",
        "we start {name} {start}, via {channels}[, in {country}][, {budget} at most]",
        "Set up the {name} campaign: {channels}[, market {country}]. It begins on {start}.",
        "The boss wants {name} out {start}. Use {channels}[, and don't spend more than {budget}].",
        "plan {name} for {start}, reaching people through {channels}",
        "{name}: begins {start}, channels {channels}[, budget {budget}]",
        "Let's advertise[ in {country}]: {name}, {channels}, starting {start}.",
        "I'd like to kick off {name} on {start} with {channels}",
    ),
    asks_zh=(
        "{start}上线{name}活动，渠道用{channels}[，预算{budget}]",
        "新建营销活动{name}，{channels}，{start}开始",
        "策划一个{name}，{start}启动，走{channels}[，投放{country}]",
        "老板要{start}推{name}，用{channels}，[别超过{budget}，]建一下",
        "{name}：{start}起，{channels}[，{budget}]",
        "活动名{name}，渠道{channels}，开始日{start}[，市场{country}]",
        "我们{start}做{name}推广，通过{channels}[，花{budget}]",
        "帮我建{name}活动，{start}开跑，{channels}",
        "[在{country}]投{name}，{channels}，从{start}开始",
        "{channels}渠道搞个{name}，{start}上[，预算{budget}]",
    ),
    outcomes=(
        Outcome(
            fields=(("campaign_id", Code(("C-9999", "MK99999"))), ("reach", Integer(800, 90000, 100))),
            texts=("{campaign_id}, reach {reach}",),
            texts_zh=("{campaign_id}，预计触达{reach}人",),
            answers=(
                "{name} is set up as {campaign_id}.",
                "Done; it should reach {reach} people.",
                "Campaign {campaign_id} is planned.",
            ),
            answers_zh=("{name}已创建，编号{campaign_id}。", "好了，预计触达{reach}人。", "活动{campaign_id}已安排。"),
        ),
    ),
    missing=(
        Missing(
            "start",
            ("Set up the {name} campaign with {channels}.", "new campaign: {name}, by {channels}"),
            ("When should {name} start?", "On which day does it begin?"),
            ("用{channels}做{name}活动", "新建{name}，渠道{channels}"),
            ("请问哪天开始？", "{name}什么时候上线？"),
        ),
        Missing(
            "channels",
            ("Launch {name} on {start}.", "we start the campaign {name} {start}"),
            ("Through which channels?", "How should people be reached?"),
            ("{start}上线{name}", "{name}活动{start}开始"),
            ("请问用哪些渠道？", "通过什么渠道投放？"),
        ),
    ),
)

FIGURES = Family(
    key="campaigns.figures",
    names=("campaign_results", "campaign_metrics", "how_did_campaign_do", "marketing_report"),
    about=(
        "Results of a campaign.",
        "Clicks, sales or cost of one campaign.",
        "Figures of campaigns that run or have run.",
    ),
    about_zh=("查询活动效果。", "返回某个活动的点击、销量或花费。"),
    params=(
        Param("name", CAMPAIGN, ("campaign", "name", "campaign_name"), ("Which campaign",), ("活动",)),
        Param(
            "metric",
            Choice(
                {
                    "clicks": (("clicks",), ("点击数", "点击量")),
                    "sales": (("sales",), ("销量",)),
                    "cost": (("cost", "spending"), ("花费", "成本")),
                    "opens": (("opens",), ("打开数", "打开量")),
                }
            ),
            ("metric", "figure", "kpi"),
            ("Which figure",),
            ("指标",),
        ),
    ),
    asks=(
        "What were the {metric} of {name}?",
        "{name} {metric}",
        "show me the {metric} for the campaign {name}",
        Ask("How much have we burned on {name} so far?", {"metric": "cost"}),
        Ask("Did anybody click on {name}?", {"metric": "clicks"}),
        Ask("did {name} sell anything", {"metric": "sales"}),
        Ask("how often was our {name} mail opened", {"metric": "opens"}),
        "I need the {metric} of {name} for the meeting",
        "was {name} a flop? tell me the {metric}",
    ),
    asks_zh=(
        "{name}的{metric}是多少？",
        "{name}{metric}",
        "看一下{name}活动的{metric}",
        Ask("{name}到现在烧了多少钱", {"metric": "cost"}),
        Ask("{name}有人点吗，点了多少次", {"metric": "clicks"}),
        Ask("{name}卖出去多少", {"metric": "sales"}),
        Ask("{name}的邮件有多少人打开", {"metric": "opens"}),
        "开会要用，给我{name}的{metric}",
        "{name}做砸了吗？报一下{metric}",
        "查{name}，指标{metric}",
    ),
    outcomes=(
        Outcome(
            fields=(("value", Integer(12, 60000)), ("change_percent", Decimal(-30, 60))),
            texts=("{value} ({change_percent}% change)",),
            texts_zh=("{value}（变化{change_percent}%）",),
            answers=("It is {value}, a change of {change_percent}%.", "{name}: {value}.", "The figure is {value}."),
            answers_zh=("是{value}，变化{change_percent}%。", "{name}：{value}。", "数值为{value}。"),
        ),
    ),
    missing=(
        Missing(
            "name",
            ("What were the {metric}?", "show me the {metric} of our campaign"),
            ("Of which campaign?", "Which campaign do you mean?"),
            ("{metric}是多少？", "看下活动的{metric}"),
            ("请问是哪个活动？", "查哪个活动？"),
        ),
    ),
)

HALT = Family(
    key="campaigns.switch",
    names=("set_campaign_state", "pause_or_resume_campaign", "toggle_campaign", "campaign_on_off"),
    about=(
        "Pause a campaign or let it run again.",
        "Switches a campaign on or off.",
        "Changes nothing but whether it runs.",
    ),
    about_zh=("暂停或恢复营销活动。", "开关某个活动。"),
    params=(
        Param("name", CAMPAIGN, ("campaign", "campaign_name"), ("Which campaign",), ("活动",)),
        Param("active", Flag(), ("active", "running", "enabled"), ("True to let it run",), ("是否运行",)),
    ),
    asks=(
        Ask("Pause the campaign {name}.", {"active": False}),
        Ask("stop {name} at once, there's a typo in the price", {"active": False}),
        Ask("let {name} run again", {"active": True}),
        Ask("Resume {name}.", {"active": True}),
        Ask("the budget is gone, hold {name} for now", {"active": False}),
        Ask("We fixed the typo, switch {name} back on.", {"active": True}),
        Ask("campaign {name} off", {"active": False}),
        Ask("campaign {name} on", {"active": True}),
        Ask("The warehouse is empty, so nobody should see {name} any longer.", {"active": False}),
        Ask("goods are back, {name} may go on", {"active": True}),
    ),
    asks_zh=(
        Ask("暂停{name}活动", {"active": False}),
        Ask("{name}价格写错了，马上停", {"active": False}),
        Ask("恢复{name}", {"active": True}),
        Ask("{name}可以继续跑了", {"active": True}),
        Ask("预算花完了，{name}先停一停", {"active": False}),
        Ask("错别字改好了，{name}重新打开", {"active": True}),
        Ask("关掉{name}这个活动", {"active": False}),
        Ask("开启{name}活动", {"active": True}),
        Ask("没货了，{name}别再投了", {"active": False}),
        Ask("货到了，{name}接着投", {"active": True}),
    ),
    outcomes=(
        Outcome(
            fields=(("running_campaigns", Integer(0, 12)),),
            texts=("saved, {running_campaigns} running",),
            texts_zh=("已保存，运行中{running_campaigns}个",),
            answers=(
                "Done with {name}.",
                "{name} is switched; {running_campaigns} campaigns are running.",
                "That's done.",
            ),
            answers_zh=("{name}已处理。", "好了，现在有{running_campaigns}个活动在跑。", "已切换。"),
        ),
    ),
    missing=(
        Missing(
            "name",
            ("Pause the campaign.", "let the campaign run again"),
            ("Which campaign?", "What is the campaign called?"),
            ("暂停活动", "把活动恢复一下"),
            ("请问是哪个活动？", "活动叫什么？"),
        ),
    ),
)

SEGMENT = Family(
    key="campaigns.segment",
    names=("build_segment", "define_audience", "customer_segment", "create_target_group"),
    about=(
        "Put together a group of customers.",
        "Builds a target group by age, country and last purchase.",
        "Makes the group; sends nothing to it.",
    ),
    about_zh=("建立客户分群。", "按年龄、国家和最近购买筛选客户，不发送消息。"),
    params=(
        Param("least", Integer(16, 40), ("min_age", "age_from"), ("Youngest age",), ("最小年龄",)),
        Param("most", Integer(45, 80), ("max_age", "age_to"), ("Oldest age",), ("最大年龄",)),
        Param("country", Country(), ("country", "region"), ("Where they live",), ("国家",), False),
        Param(
            "bought",
            Integer(30, 400),
            ("bought_within_days", "last_purchase_days"),
            ("Days since they bought",),
            ("最近多少天内购买",),
            False,
        ),
    ),
    asks=(
        "Make a group of customers between {least} and {most}[ from {country}].",
        "target group: age {least} to {most}[, {country}][, bought something in the last {bought} days]",
        "I want to reach people from {least} to {most} years old[ in {country}]. Build the segment.",
        "segment {least}-{most}[ {country}]",
        "everyone aged {least} to {most}[ who bought in the past {bought} days], put them into one audience",
        "Which customers are between {least} and {most}[ and live in {country}]? Make a list to target.",
        "collect the customers of {least} to {most} years[, only those with a purchase within {bought} days]",
        "create an audience, minimum age {least}, maximum age {most}[, country {country}]",
    ),
    asks_zh=(
        "建个客群，{least}到{most}岁[，{country}的]",
        "圈一批{least}至{most}岁的客户[，近{bought}天买过东西]",
        "目标人群：年龄{least}-{most}[，{country}]",
        "把{least}到{most}岁[、住在{country}]的顾客归成一组",
        "我要触达{least}到{most}岁的人[，{bought}天内下过单]，做个分群",
        "客户分群，最小{least}岁，最大{most}岁[，国家{country}]",
        "筛出{least}到{most}岁的用户[，最近{bought}天有购买]",
        "{least}岁到{most}岁的会员[（{country}）]单独建一组",
        "想针对{least}到{most}岁做活动，人群先建好",
        "年龄段{least}到{most}，建人群包[，{country}]",
    ),
    outcomes=(
        Outcome(
            fields=(("customers", Integer(40, 30000)),),
            texts=("{customers} customers",),
            texts_zh=("共{customers}位客户",),
            answers=(
                "The group has {customers} customers.",
                "Done: {customers} people.",
                "{customers} customers are in it.",
            ),
            answers_zh=("这个人群有{customers}位客户。", "建好了，共{customers}人。", "里面有{customers}位客户。"),
        ),
    ),
)

PROMO = Family(
    key="campaigns.promo_code",
    names=("create_promo_code", "new_discount_code", "make_coupon", "add_voucher_code"),
    about=(
        "Make a discount code for the shop.",
        "Creates a code that takes some percent off, for a time or a number of uses.",
        "New coupon codes. It doesn't work out prices.",
    ),
    about_zh=("创建优惠码。", "生成打折码，可设有效期和使用次数。"),
    params=(
        Param(
            "code",
            Word(
                pool(
                    """SPRING20 | HELLO10 | SUNNY | THANKYOU | FRIENDS5 | WEEKEND15 | BACK2U | LUCKY7 | FREESHIP
                    STUDENT25 | XMAS24 | GOFAST | TEATIME | BIKE30 | NEWHOME | FIRST50 | RAINYDAY | VIP-ONLY
                    MAYDAY | SALE4ALL"""
                )
            ),
            ("code", "promo_code", "coupon"),
            ("The code itself",),
            ("优惠码",),
        ),
        Param(
            "percent",
            Percent(5, 70, 0),
            ("discount", "reduction", "off"),
            ("How much is taken off",),
            ("折扣比例",),
        ),
        Param("until", named_day(5, 90), ("valid_until", "expires"), ("Last day",), ("截止日期",), False),
        Param(
            "uses",
            Integer(10, 2000),
            ("max_uses", "usage_limit"),
            ("How often it may be used",),
            ("使用次数上限",),
            False,
        ),
    ),
    asks=(
        "Create the code {code} with {percent} off[, valid until {until}].",
        "promo code {code}: {percent}[, {uses} uses at most]",
        "I promised our followers {percent} off with {code}[ until {until}], set that up",
        "make a coupon {code} for {percent} discount[, up to {uses} times][, until {until}]",
        "{code} should give {percent} off in the shop",
        "Customers who type {code} get {percent} off[, but only the first {uses}].",
        "new discount code please: {code}, {percent}[, expires {until}]",
        "set up {code}, minus {percent}[, ends {until}]",
        "can we have a code {code} that knocks {percent} off",
    ),
    asks_zh=(
        "建个优惠码{code}，减{percent}[，到{until}]",
        "优惠码{code}：{percent}[，限{uses}次]",
        "输入{code}就减{percent}[，截止{until}]，设置一下",
        "答应粉丝了，{code}便宜{percent}[，最多用{uses}次]",
        "新增折扣码{code}，优惠{percent}",
        "商城加个码{code}，立减{percent}[，{until}过期]",
        "做一张券，码是{code}，优惠{percent}[，前{uses}位]",
        "{code}这个码给{percent}的折扣[，有效到{until}]",
        "帮我生成{code}优惠码，打掉{percent}",
        "促销码{code}，降{percent}[，限用{uses}次]",
    ),
    outcomes=(
        Outcome(
            fields=(("link", Code(("shop.example/c/xxxx",))),),
            texts=("saved: {link}",),
            texts_zh=("已保存：{link}",),
            answers=("The code {code} works now.", "Done: {code} takes {percent} off.", "It's live at {link}."),
            answers_zh=("优惠码{code}已生效。", "好了，{code}优惠{percent}。", "链接是{link}。"),
        ),
    ),
    missing=(
        Missing(
            "percent",
            ("Make a discount code {code}.", "new coupon {code}, until {until}"),
            ("How many percent off?", "How big is the discount of {code}?"),
            ("建个优惠码{code}", "新增折扣码{code}"),
            ("请问优惠百分之多少？", "{code}打多少折扣？"),
        ),
        Missing(
            "code",
            ("Create a promo code with {percent} off.", "we need a coupon for {percent}"),
            ("What should the code be?", "Which code should customers type?"),
            ("建一个减{percent}的优惠码", "来个优惠{percent}的码"),
            ("请问优惠码叫什么？", "码用什么？"),
        ),
    ),
)

DOMAIN = Domain(
    "campaigns",
    (LAUNCH, FIGURES, HALT, SEGMENT, PROMO),
    unserved=(
        ("Design a poster for the sale.", "给促销设计一张海报。"),
        ("Find a slogan for our new juice.", "给新果汁想句广告语。"),
        ("What do our rivals charge?", "竞争对手卖多少钱？"),
        ("Book a stand at the trade fair.", "订一个展会的摊位。"),
        ("Translate the brochure into Polish.", "把宣传册翻成波兰语。"),
        ("Hire a photographer for the catalogue.", "请个摄影师拍产品目录。"),
        ("Print five hundred flyers.", "印五百张传单。"),
        ("Who clicked on our ad by name?", "点广告的具体是哪些人？"),
        ("Sponsor the local football team.", "赞助本地足球队。"),
        ("Change the logo on the website.", "把网站上的标志换掉。"),
        ("Answer the journalist from the radio.", "回复电台的记者。"),
        ("Forecast next year's revenue.", "预测明年的营收。"),
    ),
)
