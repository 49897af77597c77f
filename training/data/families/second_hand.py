"""Selling and buying used things: listings, prices, offers, and what a thing is still worth."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Amount, Choice, Code, Flag, Integer, Word
from training.data.times import Day
from training.data.wordings import composed, pool
from training.data.world import City, Person

_THINGS = pool(
    """road bike | corner sofa | record player | baby pram | coffee machine | dining table | guitar | film camera
        bookshelf | sewing machine | winter coat | fish tank | piano stool | games console | ski boots | desk lamp
        dinner set | rug | kick scooter | high chair"""
)
_THINGS_ZH = pool(
    """公路自行车 | 转角沙发 | 黑胶唱机 | 婴儿车 | 咖啡机 | 实木餐桌 | 吉他 | 胶片相机 | 书架 | 缝纫机 | 羽绒服 | 鱼缸
        钢琴凳 | 游戏机 | 滑雪鞋 | 台灯 | 餐具套装 | 地毯 | 电动滑板车 | 儿童餐椅"""
)
THING = Word(_THINGS, _THINGS_ZH)
TITLE = composed(
    (
        "{colour} {thing}",
        "{thing} with accessories",
        "vintage {thing}",
        "{thing}, hardly used",
        "solid {thing} for sale",
    ),
    ("{colour}{thing}", "{thing}带配件", "复古{thing}", "九成新{thing}", "闲置{thing}"),
    {"thing": _THINGS, "colour": pool("red | dark green | white | black | blue | grey")},
    {"thing": _THINGS_ZH, "colour": pool("红色 | 墨绿色 | 白色 | 黑色 | 蓝色 | 灰色")},
)
PRICE = Amount(5, 3000, ("{} euros", "{} dollars", "{} pounds"), ("{}元", "{}块"))
LISTING = Code(("L-99999", "AD9999999", "99-AAA", "K9999A"))
CONDITION = Choice(
    {
        "new": (("brand new", "unused"), ("全新", "没用过")),
        "good": (("in good condition", "well kept"), ("成色不错", "保养得好")),
        "worn": (("with signs of wear", "well worn"), ("有使用痕迹", "比较旧")),
        "defective": (("broken", "for spares"), ("坏的", "有故障")),
    },
    (
        {"new": "NEW", "good": "GOOD", "worn": "WORN", "defective": "DEFECTIVE"},
        {"new": "A", "good": "B", "worn": "C", "defective": "D"},
    ),
)

SELL = Family(
    key="second_hand.sell",
    names=("create_listing", "post_ad", "sell_item", "new_classified", "put_up_for_sale"),
    about=(
        "Put something up for sale.",
        "Publishes a classified ad with title, price and condition.",
        "Creates an ad for a used thing. To change its price there is another tool.",
    ),
    about_zh=("发布二手商品。", "发布一条出售信息：标题、价格、成色。"),
    params=(
        Param("title", TITLE, ("title", "headline", "item_title"), ("Title of the ad",), ("标题",)),
        Param("price", PRICE, ("price", "asking_price", "amount"), ("Asking price",), ("价格",)),
        Param("state", CONDITION, ("condition", "state", "quality"), ("Condition",), ("成色",), required=False),
        Param(
            "fixed",
            Flag(),
            ("fixed_price", "no_haggling"),
            ("True if not negotiable",),
            ("是否一口价",),
            required=False,
        ),
        Param(
            "city",
            City(0.0),
            ("city", "pickup_city", "location"),
            ("Where to fetch it",),
            ("取货城市",),
            required=False,
        ),
    ),
    asks=(
        "Sell my stuff: {title}, {price}[, {state}][, pick-up in {city}].",
        "put up an ad: {title} for {price}[, it's {state}]",
        "The cellar is full, so this has to go: {title}. I want {price} for it[ and it's {state}].",
        Ask("List {title} at {price}, fixed price, no haggling[. Collection in {city}]", {"fixed": True}),
        "Please advertise the following for {price}: {title}[, {state}].",
        "ad, title {title}, price {price}[, {city}]",
        "I'd like to get rid of this: {title}. Ask {price}[, it can be fetched in {city}].",
        Ask("New listing for {price}, open to offers: {title}[, {state}].", {"fixed": False}),
    ),
    asks_zh=(
        "帮我挂个二手：{title}，{price}[，{state}]",
        "发布闲置，标题{title}，卖{price}[，{city}自提]",
        "家里放不下了，{title}，{price}出[，{state}]",
        Ask("上架：{title}，{price}，一口价不讲价[，{city}取货]", {"fixed": True}),
        "想卖掉一样东西：{title}，要价{price}",
        "出二手，{title}，{price}[，{state}][，人在{city}]",
        "挂到平台上，{title}，标价{price}",
        Ask("{title}，{price}，可小刀，帮我发[，{state}]", {"fixed": False}),
        "搬家清仓，{title}，{price}转让",
        "发个转让帖：{title}，{price}[，{city}面交]",
    ),
    outcomes=(
        Outcome(
            fields=(("listing_id", LISTING),),
            texts=("published as {listing_id}",),
            texts_zh=("已发布，编号{listing_id}",),
            answers=(
                "Your ad is online: {listing_id}.",
                "Published, its number is {listing_id}.",
                "It's up for sale as {listing_id}.",
            ),
            answers_zh=("已发布，编号{listing_id}。", "挂上去了，商品号{listing_id}。", "上架成功：{listing_id}。"),
        ),
    ),
    missing=(
        Missing(
            key="price",
            asks=("I want to sell this: {title}.", "put up an ad: {title}"),
            replies=("What price do you ask?", "How much do you want for it?"),
            asks_zh=("帮我卖：{title}", "发布闲置，{title}"),
            replies_zh=("请问卖多少钱？", "标价多少？"),
        ),
        Missing(
            key="title",
            asks=("I want to sell something for {price}.", "put an ad online, price {price}"),
            replies=("What do you want to sell?", "What should the title be?"),
            asks_zh=("想卖个东西，{price}", "帮我挂个二手，{price}"),
            replies_zh=("请问卖什么？", "商品标题写什么？"),
        ),
    ),
)

REPRICE = Family(
    key="second_hand.reprice",
    names=("change_listing_price", "reprice_ad", "lower_asking_price", "update_ad_price"),
    about=(
        "Change the price of an ad.",
        "Sets a new asking price for one of your listings.",
        "For ads that are online already.",
    ),
    about_zh=("修改二手商品的价格。", "给已发布的商品改价。"),
    params=(
        Param("ad", LISTING, ("listing_id", "ad_id", "ad"), ("Number of the ad",), ("商品编号",)),
        Param("price", PRICE, ("new_price", "price"), ("The new price",), ("新价格",)),
    ),
    asks=(
        "Nobody wants {ad}. Make it {price}.",
        "{ad} now {price}",
        "Lower {ad} to {price}, I need the space.",
        "The price of {ad} should be {price} from now on.",
        "set {ad} at {price} please",
        "Maybe {ad} was too dear. Let's try {price}.",
        "I've changed my mind about {ad}: {price} it is.",
        "Could you correct my ad {ad}? It ought to say {price}.",
    ),
    asks_zh=(
        "{ad}没人要，改成{price}",
        "把{ad}的价格调到{price}",
        "{ad}降到{price}吧，急着腾地方",
        "{ad}标错了，应该是{price}",
        "改价：{ad}，{price}",
        "{ad}可能太贵，试试{price}",
        "商品{ad}从现在起卖{price}",
        "我那条{ad}，价钱换成{price}",
        "{ad}便宜点，{price}",
        "帮我把{ad}重新定价{price}",
    ),
    outcomes=(
        Outcome(
            fields=(("watchers", Integer(0, 40)),),
            texts=("price changed, {watchers} watchers told",),
            texts_zh=("已改价，通知{watchers}人",),
            answers=(
                "{ad} now costs {price}.",
                "The price is changed; {watchers} watchers were told.",
                "Done, {ad} is at {price}.",
            ),
            answers_zh=("{ad}已改为{price}。", "改好了，通知了{watchers}位关注者。", "价格已更新。"),
        ),
    ),
    missing=(
        Missing(
            key="price",
            asks=("Make {ad} cheaper.", "I want to change what {ad} costs"),
            replies=("What should the new price be?", "To how much?"),
            asks_zh=("{ad}便宜点卖", "给{ad}改个价"),
            replies_zh=("请问改成多少？", "新价格是多少？"),
        ),
        Missing(
            key="ad",
            asks=("Change my ad's price to {price}.", "make it {price} instead, in the ad"),
            replies=("Which ad? Please tell me its number.", "What is the number of the ad?"),
            asks_zh=("把我的商品改成{price}", "价格调到{price}"),
            replies_zh=("请问是哪个商品？", "商品编号是多少？"),
        ),
    ),
)

SOLD = Family(
    key="second_hand.sold",
    names=("mark_as_sold", "close_listing", "take_ad_down", "ad_sold"),
    about=(
        "Take an ad down because the thing is sold.",
        "Marks a listing as sold, with the buyer if known.",
        "Ends an ad. It cannot be undone.",
    ),
    about_zh=("把商品标记为已售出。", "商品卖掉后下架，可填写买家。"),
    params=(
        Param("ad", LISTING, ("listing_id", "ad_number", "ad"), ("Number of the ad",), ("商品编号",)),
        Param("buyer", Person(), ("buyer", "sold_to"), ("Who bought it",), ("买家",), required=False),
        Param("day", Day(-5, 0), ("sold_on", "date"), ("When",), ("成交日期",), required=False),
    ),
    asks=(
        "{ad} is gone[, {buyer} bought it].",
        "take {ad} down, it's sold[ to {buyer}]",
        "Somebody fetched {ad}[ {day}], close the ad.",
        "{ad} sold[, {day}]",
        "Hooray, {ad} found a new home[ with {buyer}]! Remove the listing.",
        "People still call me about {ad}, though it's sold. Take it off.",
        "Mark {ad} as sold[ to {buyer}].",
        "{buyer} paid for {ad} and took it {day}.",
    ),
    asks_zh=(
        "{ad}卖掉了[，买家{buyer}]",
        "把{ad}下架，已经出了",
        "{ad}[{day}]被人拿走了，关掉链接",
        "{ad}已售[，{day}成交]",
        "终于把{ad}卖出去了[，卖给{buyer}]，标记一下",
        "老有人问{ad}，其实早卖了，撤下来吧",
        "{buyer}买走了{ad}，标成已售",
        "{ad}标记已卖出",
        "{day}成交的{ad}，下架",
        "我的{ad}有主了，别再展示",
    ),
    outcomes=(
        Outcome(
            fields=(("ads_left", Integer(0, 20)),),
            texts=("closed, {ads_left} ads left",),
            texts_zh=("已下架，剩{ads_left}条",),
            answers=(
                "{ad} is marked as sold; {ads_left} ads are left.",
                "The ad is closed.",
                "{ad} is off the market.",
            ),
            answers_zh=("{ad}已标为售出，还剩{ads_left}条在售。", "已下架。", "{ad}撤下来了。"),
        ),
    ),
    missing=(
        Missing(
            key="ad",
            asks=("I've sold it, take the ad down.", "{buyer} bought it, close the listing"),
            replies=("Which ad is it?", "What is the number of the ad?"),
            asks_zh=("东西卖掉了，下架吧", "{buyer}买走了，标成已售"),
            replies_zh=("请问是哪条商品？", "商品编号是多少？"),
        ),
    ),
)

OFFER = Family(
    key="second_hand.offer",
    names=("make_offer", "bid_on_listing", "send_price_offer", "haggle"),
    about=(
        "Offer a price for somebody's ad.",
        "Sends the seller an offer for a listing.",
        "Haggling with a seller. Your own prices are changed elsewhere.",
    ),
    about_zh=("向卖家出价。", "对别人的二手商品报价、砍价。"),
    params=(
        Param("ad", LISTING, ("listing_id", "ad_id", "item_ref"), ("Number of the ad",), ("商品编号",)),
        Param("sum", PRICE, ("offer", "bid", "offered_price"), ("What you would pay",), ("出价",)),
        Param("day", Day(0, 7), ("pickup_day", "collect_on"), ("When you'd fetch it",), ("自取日期",), required=False),
    ),
    asks=(
        "Offer the seller of {ad} {sum}[, I could fetch it {day}].",
        "would they take {sum} for {ad}? ask them",
        "{ad} is too expensive. Tell them I'd pay {sum}[ and come {day}].",
        "my bid for {ad}: {sum}",
        "I want that thing, {ad}, but not for more than {sum}. Make them an offer.",
        "Try {sum} on {ad}[, pick-up {day}].",
        "Write to the owner of {ad} that {sum} is what I can give.",
        "Haggle for me: {ad}, {sum}.",
    ),
    asks_zh=(
        "给{ad}的卖家出价{sum}[，{day}去取]",
        "问问{ad}{sum}卖不卖",
        "{ad}太贵了，跟卖家说我出{sum}",
        "砍价：{ad}，{sum}[，{day}自提]",
        "看中了{ad}，最多给{sum}，帮我谈",
        "我对{ad}报{sum}",
        "{ad}这件我想{sum}收，发给卖家",
        "试试{sum}能不能拿下{ad}[，{day}就能拿]",
        "跟{ad}的主人讲，{sum}我马上买",
        "出价{sum}，商品{ad}",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "reply",
                    Choice(
                        {
                            "accepted": (("accepted",), ("接受了",)),
                            "refused": (("refused",), ("拒绝了",)),
                            "pending": (("not answered yet",), ("还没回复",)),
                        }
                    ),
                ),
            ),
            texts=("offer sent: {reply}",),
            texts_zh=("出价已发送，卖家{reply}",),
            answers=(
                "I offered {sum} for {ad}. The seller has {reply}.",
                "The offer is made; the seller has {reply}.",
                "The seller has {reply}.",
            ),
            answers_zh=("已出价{sum}，卖家{reply}。", "卖家{reply}。", "{ad}的报价已发，卖家{reply}。"),
        ),
    ),
    missing=(
        Missing(
            key="sum",
            asks=("Make the seller of {ad} an offer.", "I want to haggle for {ad}"),
            replies=("How much do you want to offer?", "What would you pay?"),
            asks_zh=("帮我跟{ad}的卖家砍价", "对{ad}出个价"),
            replies_zh=("请问出多少？", "想报什么价？"),
        ),
    ),
)

WORTH = Family(
    key="second_hand.worth",
    names=("resale_value", "what_is_it_worth", "estimate_used_price", "second_hand_value"),
    about=(
        "What a used thing is worth.",
        "Estimates the second-hand price from the thing, its age and its condition.",
        "An estimate only; puts nothing up for sale.",
    ),
    about_zh=("估算二手物品的价值。", "按物品、使用年数和成色估价，不发布。"),
    params=(
        Param("thing", THING, ("item", "product", "thing"), ("What it is",), ("物品",)),
        Param("state", CONDITION, ("condition", "quality"), ("Condition",), ("成色",)),
        Param("age", Integer(2, 25), ("age_years", "years_used"), ("Age in years",), ("用了几年",), required=False),
        Param("paid", PRICE, ("original_price", "paid"), ("Price when new",), ("原价",), required=False),
    ),
    asks=(
        "What could I ask for a {thing}? It's {state}[ and {age} years old].",
        "value of a used {thing}, {state}[, {age} years][, was {paid}]",
        "My late uncle left me a {thing}, {state}[, {age} years old]. Worth anything?",
        "is a {thing} worth selling at all if it's {state}",
        "How much does a {thing} fetch these days if it's {state}[? I paid {paid} back then]",
        "They want a fortune at the flea market for a {thing} that is {state}. What's fair?",
        "{thing}, {state}: what would it bring[? bought for {paid}]",
        "I might part with the {thing}; it's {state}[, after {age} years]. What's it worth?",
    ),
    asks_zh=(
        "{thing}，{state}[，用了{age}年]，能卖多少？",
        "二手{thing}{state}的值多少钱[，原价{paid}]",
        "舅舅留下{thing}，{state}，还值钱吗",
        "我这{thing}{state}，[买的时候{paid}，]现在什么价",
        "估个价：{thing}，{state}[，{age}年]",
        "跳蚤市场上{thing}要价太高，{state}的多少才合理",
        "{thing}{state}，还有卖的必要吗，值多少",
        "想出手{thing}，{state}[，用了{age}年]，大概能拿回多少",
        "现在{state}的{thing}行情如何",
        "帮我看看{thing}值几个钱，{state}",
    ),
    outcomes=(
        Outcome(
            fields=(("low", Integer(5, 90, 5)), ("high", Integer(95, 400, 5))),
            texts=("{low} to {high}",),
            texts_zh=("{low}到{high}",),
            answers=(
                "It is worth {low} to {high}.",
                "Ask between {low} and {high}.",
                "A {thing} like that brings {low} to {high}.",
            ),
            answers_zh=("值{low}到{high}。", "可以卖{low}至{high}。", "这样的{thing}大约{low}到{high}。"),
        ),
    ),
    missing=(
        Missing(
            key="state",
            asks=("What is a used {thing} worth?", "how much for a {thing} after {age} years"),
            replies=("What condition is it in?", "In what state is the {thing}?"),
            asks_zh=("二手{thing}值多少", "用了{age}年的{thing}能卖多少"),
            replies_zh=("请问成色怎么样？", "{thing}是什么状态？"),
        ),
        Missing(
            key="thing",
            asks=("I've got something that is {state}. What is it worth?",),
            replies=("What is it?", "Which thing do you want to value?"),
            asks_zh=("有个{state}的东西，值多少钱",),
            replies_zh=("请问是什么东西？", "要估什么？"),
        ),
    ),
    also=("car_care.sell_value",),
)

MY_ADS = Family(
    key="second_hand.my_ads",
    names=("my_listings", "list_my_ads", "show_own_ads", "ads_online"),
    about=(
        "Your own ads that are online.",
        "Shows what you have up for sale at the moment. Takes no parameters.",
        "Lists your listings; other people's are not in it.",
    ),
    about_zh=("查看我发布的二手商品。", "列出自己正在出售的商品，无需参数。"),
    params=(),
    asks=(
        "What do I have up for sale at the moment?",
        "show my ads",
        "Are my ads still online?",
        "How many of my things are still unsold?",
        "I've lost track of what I'm selling.",
        "my listings please",
        "Has anybody looked at the stuff I'm selling?",
        "Which of my ads are running right now?",
    ),
    asks_zh=(
        "我现在挂着哪些东西在卖？",
        "看看我的闲置",
        "我发布的商品还在线吗",
        "我还有几件没卖出去",
        "都忘了自己在卖什么了，列一下",
        "我的在售商品",
        "有没有人看我挂的东西",
        "我上架了些什么",
        "打开我发布的二手列表",
        "查一下我卖的那些还剩多少",
    ),
    outcomes=(
        Outcome(
            fields=(("count", Integer(1, 25)), ("views", Integer(20, 900))),
            texts=("{count} ads, {views} views",),
            texts_zh=("在售{count}件，浏览{views}次",),
            answers=(
                "You have {count} ads online, with {views} views.",
                "{count} things are up for sale.",
                "{count} ads, seen {views} times.",
            ),
            answers_zh=(
                "你有{count}件在售，共{views}次浏览。",
                "现在挂着{count}件。",
                "{count}件商品，被看了{views}次。",
            ),
        ),
    ),
)

DOMAIN = Domain(
    "second_hand",
    (SELL, REPRICE, SOLD, OFFER, WORTH, MY_ADS),
    unserved=(
        ("Carry the sofa down to the buyer's car.", "把沙发搬到买家车上。"),
        ("Take photos of my bike from all sides.", "给我的自行车多拍几张照片。"),
        ("Report this seller to the police.", "把这个卖家举报给警察。"),
        ("Where is the next flea market?", "最近的跳蚤市场在哪儿？"),
        ("Give the buyer five stars.", "给买家打五星。"),
        ("How do I pack a mirror for the post?", "镜子怎么包装才能寄？"),
        ("Donate my old clothes to charity.", "把旧衣服捐出去。"),
        ("Repair the record player before I sell it.", "卖之前先把唱机修好。"),
        ("Is haggling rude in Japan?", "在日本砍价失礼吗？"),
        ("Polish the old silver before I sell it.", "卖之前把旧银器擦亮。"),
        ("Refund the buyer of the lamp.", "给买台灯的人退款。"),
        ("Do I have to pay tax on things I sell online?", "网上卖二手要交税吗？"),
    ),
)
