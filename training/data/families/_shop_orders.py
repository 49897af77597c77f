"""Tools for what follows an order: its state, the parcel, returns, reviews, subscriptions."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Decimal, Flag, Integer, Word
from training.data.times import Day, Duration
from training.data.world import City

from ._shop_words import GROCERY, MODEL, OPINION, ORDER, RETURN_REASON, TRACKING

ORDER_STATUS = Family(
    key="shopping_orders.order_status",
    names=("order_status", "get_order", "check_order", "lookup_order", "order_details"),
    about=(
        "State of an order, by its order number.",
        "Tells whether an order is paid, packed or shipped. For a parcel on its way there is the tracking code.",
        "Order lookup",
    ),
    about_zh=("按订单号查询订单状态。", "查询订单是否已付款、发货，不是物流轨迹。"),
    params=(Param("order", ORDER, ("order_id", "order_number", "order"), ("Order number",), ("订单号",)),),
    asks=(
        "What's the status of order {order}?",
        "order {order}??",
        "I bought something last week, order number {order}. Has it been packed yet?",
        "has my order {order} been paid",
        "Can you look up {order} for me? That's my order.",
        "My order {order} seems to be stuck, what's going on?",
        "did {order} go through? I never got a confirmation of the order",
        "check order no. {order} please",
        "How far along is {order}, my order for the birthday party?",
        "tell me where we stand with order {order}",
        "Nothing has happened for days. It's {order}, could you look into that order?",
        "my order {order}, news?",
    ),
    asks_zh=(
        "订单{order}现在什么状态？",
        "查一下订单{order}",
        "我上周买的东西，订单号{order}，发货了没",
        "{order}这个订单付款成功了吗",
        "订单{order}怎么一直没动静",
        "帮我看看订单号{order}到哪一步了",
        "我的订单{order}打包了吗",
        "没收到确认短信，订单{order}下成功了吗",
        "好几天没动静了，订单{order}帮忙看看",
        "{order}，这单咋样了",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("status", Word(("paid", "packed", "shipped", "delivered"), ("已付款", "已打包", "已发货", "已送达"))),
                ("total", Decimal(9, 700, 2)),
            ),
            texts=("{status}, total {total}", "status: {status}"),
            texts_zh=("{status}，金额{total}元",),
            answers=("Your order {order} has been {status}.", "It has been {status}.", "Order {order}: {status}."),
            answers_zh=("查到了，订单{order}的状态是{status}。", "订单{order}：{status}。", "您的订单{status}。"),
        ),
    ),
    missing=(
        Missing(
            key="order",
            asks=("What's the status of my order?", "has my order been shipped?", "check my order please"),
            replies=("What is the order number?", "Could you give me the order number?"),
            asks_zh=("我的订单到哪一步了？", "查一下我的订单"),
            replies_zh=("请问订单号是多少？", "请提供订单号。"),
        ),
    ),
    errors=("order not found",),
)

TRACK_PARCEL = Family(
    key="shopping_orders.track_parcel",
    names=("track_parcel", "package_tracking", "trace_shipment", "where_is_package", "track_shipment"),
    about=(
        "Where a parcel is, by its tracking code.",
        "Follows a shipment of a carrier. It does not know order numbers.",
        "Parcel tracking",
    ),
    about_zh=("按快递单号查询包裹位置。", "物流查询，不支持订单号。"),
    params=(
        Param("code", TRACKING, ("tracking_code", "tracking_number", "code"), ("Tracking code",), ("快递单号",)),
        Param(
            "carrier",
            Choice(
                {
                    "dhl": (("DHL",), ("DHL",)),
                    "ups": (("UPS",), ("UPS",)),
                    "fedex": (("FedEx",), ("联邦快递", "FedEx")),
                    "post": (("the post", "regular mail"), ("邮政",)),
                },
                ({"dhl": "DHL", "ups": "UPS", "fedex": "FedEx", "post": "POST"},),
            ),
            ("carrier", "courier"),
            ("Who carries it",),
            ("快递公司",),
            required=False,
        ),
    ),
    asks=(
        "Where is my parcel {code}?",
        "track {code}[, sent with {carrier}]",
        "The tracking code is {code}[, carrier is {carrier}]. When will it be here?",
        "package {code} should have come yesterday, where's it hiding",
        "I'm waiting for a present[ by {carrier}] and it's getting late... {code}",
        "Could you follow the shipment {code} for me[? It's {carrier}]",
        "{code} - still on its way?",
        "has the courier got {code} on the van already[? It's with {carrier}]",
        "My aunt sent me something with {carrier}, the code is {code}. Any news?",
        "tracking number {code}, what does it say",
        "do i have to stay home today? parcel {code}[, {carrier}]",
        "The sender gave me {code}. How far has the package got[ with {carrier}]?",
    ),
    asks_zh=(
        "快递{code}到哪了？",
        "查物流，单号{code}[，{carrier}的]",
        "包裹{code}怎么还没到",
        "单号是{code}[，走的{carrier}]，什么时候能送到",
        "阿姨用{carrier}给我寄了东西，单号{code}，有消息吗",
        "{code}还在路上吗",
        "帮我跟踪一下{code}这个包裹",
        "等礼物等得着急，快递单号{code}[，{carrier}]",
        "今天要不要在家等快递？单号{code}[，{carrier}]",
        "寄件人给了我单号{code}，货走到哪儿了",
    ),
    outcomes=(
        Outcome(
            fields=(("last_seen", City(0.0)), ("days_left", Integer(2, 9))),
            texts=("last seen in {last_seen}, {days_left} days left",),
            texts_zh=("最近位置：{last_seen}，预计{days_left}天",),
            answers=(
                "{days_left} more days; right now it's in {last_seen}.",
                "Your parcel was last seen in {last_seen}; it needs {days_left} more days.",
                "It's in {last_seen}.",
            ),
            answers_zh=(
                "还有{days_left}天送到，现在在{last_seen}。",
                "包裹目前在{last_seen}，预计还要{days_left}天。",
                "快递到{last_seen}了。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="code",
            asks=("Where is my parcel?", "track my package from {carrier}", "my parcel still isn't here"),
            replies=("What is the tracking code?", "Could you give me the tracking number?"),
            asks_zh=("我的快递到哪了？", "查一下{carrier}的包裹"),
            replies_zh=("请问快递单号是多少？", "请提供快递单号。"),
        ),
    ),
    errors=("unknown tracking code",),
)

MOVE_DELIVERY = Family(
    key="shopping_orders.move_delivery",
    names=("reschedule_delivery", "change_delivery_day", "move_delivery", "set_delivery_slot"),
    about=(
        "Move a delivery to another day.",
        "Changes when an order is brought, and where the driver may leave it.",
        "Reschedules a delivery; does not cancel it.",
    ),
    about_zh=("更改送货日期。", "改约配送时间，可指定时段和放置地点。"),
    params=(
        Param("order", ORDER, ("order_id", "order_number", "delivery_id"), ("Order",), ("订单号",)),
        Param("day", Day(1, 20), ("new_date", "delivery_date", "date"), ("New day",), ("新的送货日期",)),
        Param(
            "slot",
            Choice(
                {
                    "morning": (("in the morning",), ("上午",)),
                    "afternoon": (("in the afternoon",), ("下午",)),
                    "evening": (("in the evening",), ("晚上",)),
                },
                ({"morning": "AM", "afternoon": "PM", "evening": "EVE"},),
            ),
            ("slot", "time_window"),
            ("Part of the day",),
            ("时段",),
            required=False,
        ),
        Param(
            "spot",
            Word(
                ("with the neighbour", "behind the shed", "in the garage", "at the front desk", "on the porch"),
                ("邻居家", "门卫处", "快递柜", "车库", "前台", "门口鞋柜"),
            ),
            ("drop_off", "leave_at", "instructions"),
            ("Where it may be left",),
            ("放置地点",),
            required=False,
        ),
    ),
    asks=(
        "Deliver order {order} on {day} instead[, {slot}].",
        "I won't be home, can {order} come on {day}[ {slot}]?",
        "move the delivery of {order}, {day} suits us better[, and leave it {spot}]",
        "{order}: new delivery day {day}[, {slot}]",
        "We're on holiday, so bring {order} on {day}[; they can leave it {spot}].",
        "please have {order} delivered on {day}[ {slot}], not before",
        "The fridge ({order}) should arrive on {day}[ {slot}], change that please.",
        "another day would be better for my order {order}: {day}[, and put it {spot}]",
        "can the driver come with {order} on {day}[? He may leave it {spot}]",
        "postpone the delivery {order}, it should come on {day}",
        "Nobody can open the door that day, order {order} had better come on {day}[, {slot}].",
        "new plan for {order}: bring it on {day}[ {slot}][ and leave it {spot}]",
    ),
    asks_zh=(
        "订单{order}改到{day}[{slot}]送",
        "我不在家，{order}能{day}[{slot}]送吗",
        "把{order}的送货时间改成{day}[，放{spot}就行]",
        "{order}推迟到{day}配送",
        "我们在度假，订单{order}，{day}再送吧[，可以放{spot}]",
        "冰箱的订单{order}，麻烦{day}[{slot}]送来",
        "{order}换个时间，{day}[{slot}]送",
        "让师傅{day}送{order}[，放在{spot}]",
        "那天家里没人开门，订单{order}还是{day}[{slot}]送吧",
        "{order}换成{day}送[，没人就放{spot}]",
    ),
    outcomes=(
        Outcome(
            fields=(("confirmation", Code(("C-9999", "DL99999"))),),
            texts=("moved, confirmation {confirmation}",),
            texts_zh=("已改期，确认号{confirmation}",),
            answers=(
                "Changed, your confirmation is {confirmation}.",
                "Order {order} has a new day; the confirmation is {confirmation}.",
                "The delivery has been moved.",
            ),
            answers_zh=(
                "改期成功，确认号是{confirmation}。",
                "{order}的配送已改期，确认号{confirmation}。",
                "已经改好了，{day}送。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="day",
            asks=("Move the delivery of {order}.", "I won't be home for {order}, change the delivery please"),
            replies=("To which day?", "Which day would suit you?"),
            asks_zh=("{order}的送货时间改一下", "我不在家，{order}改天送"),
            replies_zh=("请问改到哪天？", "想哪天送？"),
        ),
        Missing(
            key="order",
            asks=("Bring my delivery on {day} instead.", "can my order come on {day}?"),
            replies=("What is the order number?", "Which order do you mean?"),
            asks_zh=("我的货改到{day}送", "能不能{day}再送货"),
            replies_zh=("请问订单号是多少？", "是哪个订单？"),
        ),
    ),
)

RETURN_ITEM = Family(
    key="shopping_orders.return_item",
    names=("return_item", "start_return", "create_return", "request_refund", "send_back"),
    about=(
        "Send an article of an order back.",
        "Starts a return, for a refund or for a replacement.",
        "Returns one item of an order; needs a reason.",
    ),
    about_zh=("申请退货。", "为订单中的商品办理退货或换货。"),
    params=(
        Param("order", ORDER, ("order_id", "order_number", "order"), ("Order number",), ("订单号",)),
        Param("item", MODEL, ("item", "product", "article"), ("What goes back",), ("退货商品",)),
        Param("reason", RETURN_REASON, ("reason", "return_reason"), ("Why",), ("退货原因",)),
        Param("swap", Flag(), ("exchange", "replacement"), ("A new one instead of money",), ("是否换货",), False),
    ),
    asks=(
        "I want to return the {item} from order {order}, {reason}.",
        "return {item}, order {order}: {reason}",
        "The {item} goes back, {reason}. Order number is {order}.",
        Ask(
            "My {item} was in pieces when I opened the box, so I'd like a new one for it. Order {order}.",
            {"swap": True, "reason": "damaged"},
        ),
        "{order}: please take back the {item}, {reason}",
        "My {item} came today (order {order}) and {reason}. How do I get rid of it?",
        Ask("Please exchange the {item} of order {order} for a larger one.", {"swap": True, "reason": "too_small"}),
        Ask("money back for the {item} in order {order} please, no replacement, {reason}", {"swap": False}),
        "what a disappointment, the {item} is going straight back: {reason}, order {order}",
        "could you start a return for the {item}? {reason}. it was order {order}",
        "get this {item} out of my house, {reason}. order {order}",
        Ask(
            "The {item} I got with order {order} doesn't fit at all, way too big. Back it goes.",
            {"reason": "too_large"},
        ),
    ),
    asks_zh=(
        "我要退{item}，订单{order}，{reason}",
        "订单{order}里的{item}{reason}，申请退货",
        "{item}{reason}，想退掉，订单号{order}",
        Ask("{item}一打开就是坏的，给我换一个新的，订单{order}", {"swap": True, "reason": "damaged"}),
        Ask("订单{order}的{item}太大了，换个小一号的", {"swap": True, "reason": "too_large"}),
        "退货：{order}，{item}，原因是{reason}",
        Ask("订单{order}的{item}，{reason}，只退款不换货", {"swap": False}),
        "今天刚到的{item}，{reason}，帮我退了吧，单子是{order}",
        "太失望了，{item}{reason}，订单{order}我要退货",
        Ask("订单{order}寄来的{item}根本不是我买的那款，退了", {"reason": "wrong_item"}),
        "{item}不要了，{reason}，订单{order}，走退货",
    ),
    outcomes=(
        Outcome(
            fields=(("label", Word(("R-4471", "R-9020", "RX-183", "RET-55"))), ("days", Integer(7, 30))),
            texts=("return label {label}, valid {days} days",),
            texts_zh=("退货单{label}，{days}天内有效",),
            answers=(
                "You have {days} days to send it back with label {label}.",
                "Your return label is {label}; send the {item} within {days} days.",
                "Done, use label {label}.",
            ),
            answers_zh=(
                "退货已受理，凭单号{label}在{days}天内寄回。",
                "退货单号{label}，请在{days}天内寄回{item}。",
                "已申请退货，单号{label}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="order",
            asks=("I want to return the {item}, {reason}.", "send back the {item}, {reason}"),
            replies=("What is the order number?", "From which order is it?"),
            asks_zh=("我要退{item}，{reason}", "{item}{reason}，申请退货"),
            replies_zh=("请问订单号是多少？", "是哪个订单？"),
        ),
        Missing(
            key="reason",
            asks=("I'd like to return the {item} from order {order}.", "return {item}, order {order}"),
            replies=("Why do you want to send it back?", "What is wrong with the {item}?"),
            asks_zh=("订单{order}的{item}我要退货", "退{item}，订单{order}"),
            replies_zh=("请问退货原因是什么？", "为什么要退？"),
        ),
    ),
    errors=("the return period is over",),
)

WRITE_REVIEW = Family(
    key="shopping_orders.write_review",
    names=("write_review", "post_review", "rate_product", "submit_product_review"),
    about=(
        "Publish a review of a product.",
        "Posts stars and, if there is one, a text. The text is published word for word.",
        "Product review, 1 to 5 stars",
    ),
    about_zh=("发表商品评价。", "提交星级和评价内容，原文发布。"),
    params=(
        Param("model", MODEL, ("product", "product_name", "item"), ("Product",), ("商品",)),
        Param("stars", Integer(2, 5), ("stars", "rating", "score"), ("1 to 5",), ("星级，1到5",)),
        Param("text", OPINION, ("text", "comment", "review"), ("Word for word",), ("评价内容，原文",), required=False),
        Param("hidden", Flag(), ("anonymous", "hide_name"), ("Without a name",), ("是否匿名",), required=False),
    ),
    asks=(
        "Give {stars} stars to the {model}[ and write {text}].",
        "review for {model}: {stars} stars[, {text}]",
        "{stars} out of 5 for the {model}[. Text: {text}]",
        Ask("post an anonymous review of the {model}, {stars} stars[, saying {text}]", {"hidden": True}),
        "Let the world know what I think of the {model}: {text}, {stars} stars.",
        "{stars} stars for the {model}[, comment {text}]",
        "I've used the {model} for a month now, so publish {stars} stars[ with the words {text}].",
        "{model} deserves {stars} of 5 stars, submit that[ together with {text}]",
        Ask("Without my name please: {stars} stars for the {model}[, {text}].", {"hidden": True}),
        "could you leave {stars} stars on the page of the {model}[ and the comment {text}]",
        "tell other buyers: {stars} stars for the {model}[, and {text}]",
        "The {model}? {stars} stars from me, put that online[ with {text}].",
    ),
    asks_zh=(
        "给{model}打{stars}星[，评价{text}]",
        "评价{model}：{stars}星[，内容是{text}]",
        "{model}我给{stars}分，满分5分[，写上{text}]",
        Ask("匿名评价{model}，{stars}星[，{text}]", {"hidden": True}),
        "用了一个月{model}，发个{stars}星评价吧[，就写{text}]",
        "{model}值{stars}颗星，帮我提交[，评语{text}]",
        Ask("别显示我的名字，{model}给{stars}星[，评语：{text}]", {"hidden": True}),
        "发表对{model}的评论，{stars}星，{text}",
        "给其他买家参考，{model}，{stars}星[，{text}]",
        "{model}嘛，我给{stars}星，发出去[，写{text}]",
    ),
    outcomes=(
        Outcome(
            fields=(("average", Decimal(2, 5, 1)),),
            texts=("published; average now {average}",),
            texts_zh=("已发布，当前平均{average}分",),
            answers=(
                "Thanks, it's online. The {model} has {average} on average.",
                "Your review is published; the average is {average} now.",
                "Posted: {stars} stars for the {model}.",
            ),
            answers_zh=(
                "评价成功，{model}目前平均{average}分。",
                "评价已发布，现在平均{average}分。",
                "已为{model}打了{stars}星。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="stars",
            asks=("I want to review the {model}.", "post a review of the {model}"),
            replies=("How many stars, from 1 to 5?", "How many stars do you give it?"),
            asks_zh=("我想评价{model}", "给{model}写个评价"),
            replies_zh=("请问打几星？", "给几颗星？"),
        ),
        Missing(
            key="model",
            asks=("Post a review with {stars} stars.", "I'd like to give {stars} stars"),
            replies=("Which product is it for?", "What would you like to review?"),
            asks_zh=("帮我打{stars}星评价", "发个{stars}星的评价"),
            replies_zh=("请问是哪件商品？", "要评价哪个商品？"),
        ),
    ),
)

SUBSCRIPTION = Family(
    key="shopping_orders.subscription",
    names=("subscribe_to_product", "create_recurring_order", "auto_reorder", "start_subscription"),
    about=(
        "Have a product delivered again and again.",
        "Starts a subscription: so many pieces every so many weeks.",
        "Recurring order",
    ),
    about_zh=("订阅商品，定期送货。", "创建周期购，设置数量和间隔。"),
    params=(
        Param("product", GROCERY, ("product", "item", "article"), ("What",), ("商品",)),
        Param(
            "every",
            Duration("weeks", (2, 3, 4, 5, 6, 8, 10, 12)),
            ("interval_weeks", "every_weeks", "frequency"),
            ("Time between two deliveries",),
            ("间隔",),
        ),
        Param("count", Integer(2, 24), ("quantity", "count"), ("Pieces each time",), ("每次数量",), required=False),
        Param("start", Day(1, 30), ("start_date", "first_delivery"), ("First delivery",), ("首次送货日期",), False),
    ),
    asks=(
        "Send me {product} every {every}[, starting {start}].",
        "subscribe to {product}, every {every}[, {count} at a time]",
        "I'm tired of buying {product} all the time, I'd rather get a delivery every {every}[, {count} pieces each].",
        "recurring order: {product} / {every}[ / {count} pieces]",
        "We use up {product} in {every}, so set up a regular delivery at that pace[, first one on {start}].",
        "could I get {product} automatically every {every}[, {count} packs]?",
        "every {every} a delivery of {product} please[, the first one on {start}]",
        "put {product} on auto-delivery with {every} in between[, quantity {count}]",
        "We always run out of {product}. A new load every {every} would be great[, beginning {start}].",
        "start a subscription for {product}: {every} between deliveries[, {count} each time]",
        "never want to think about {product} again, every {every} is fine[, {count} pieces]",
        "Can't {product} just turn up at my door every {every}[, starting {start}]?",
    ),
    asks_zh=(
        "每{every}给我送一次{product}[，从{start}开始]",
        "订阅{product}，{every}一次[，每次{count}份]",
        "老是要买{product}太麻烦了，每{every}自动送吧[，一次{count}份]",
        "{product}周期购，间隔{every}[，首次{start}]",
        "我家{every}用完一次{product}，就按这个频率定期送",
        "{product}总是不够用，每{every}补一次货[，{count}份]",
        "能不能每隔{every}自动下单{product}[，{start}起]",
        "设个定期送货，{product}，每{every}[，每次{count}份]",
        "不想再操心{product}了，每{every}送来就行[，{count}份]",
        "{product}能不能每{every}自动送上门[，{start}开始]",
    ),
    outcomes=(
        Outcome(
            fields=(("rebate", Integer(5, 20)),),
            texts=("subscribed, {rebate}% off each delivery",),
            texts_zh=("订阅成功，每次优惠{rebate}%",),
            answers=(
                "Done, and you save {rebate}% on every delivery of {product}.",
                "Your subscription for {product} is set up, with {rebate}% off.",
                "You'll get {product} regularly now.",
            ),
            answers_zh=(
                "已为您定期配送{product}，每单省{rebate}%。",
                "{product}订阅成功，每次优惠{rebate}%。",
                "好的，{product}会定期送达。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="every",
            asks=("Set up a regular delivery of {product}.", "subscribe to {product} please"),
            replies=("How often should it come?", "Every how many weeks?"),
            asks_zh=("帮我订阅{product}", "{product}定期给我送"),
            replies_zh=("请问多久送一次？", "每隔几周送一次？"),
        ),
        Missing(
            key="product",
            asks=("Set up a delivery every {every}.", "I want a subscription, every {every}"),
            replies=("Of which product?", "What should be delivered?"),
            asks_zh=("每{every}给我送一次货", "设个{every}一次的定期送货"),
            replies_zh=("请问订阅什么商品？", "要定期送什么？"),
        ),
    ),
)
