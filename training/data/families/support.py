"""Customer support: refunds, warranties, chats handed over, goodwill, and how content customers are."""

from training.data.family import Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Decimal, Integer, Word
from training.data.sums import Cash
from training.data.times import Day
from training.data.wordings import pool
from training.data.world import Person

ORDER = Code(("AA-99999", "9999999", "O-999999", "99-9999-A"))
PRODUCT = Word(
    pool(
        """kettle | vacuum cleaner | headset | office chair | e-bike | washing machine | drill | coffee grinder
        monitor | baby monitor | tent | electric toothbrush | lawn mower | hair dryer | router | suitcase
        blender | smart lock | keyboard | heater | sewing machine | projector"""
    ),
    pool(
        """电水壶 | 吸尘器 | 耳麦 | 办公椅 | 电动自行车 | 洗衣机 | 电钻 | 磨豆机 | 显示器 | 婴儿监护器 | 帐篷
        电动牙刷 | 割草机 | 吹风机 | 路由器 | 行李箱 | 破壁机 | 智能门锁 | 键盘 | 取暖器 | 缝纫机 | 投影仪"""
    ),
)
MONEY = Cash(5, 900)

REFUND = Family(
    key="support.refund",
    names=("open_refund_case", "refund_order", "refund_customer", "start_refund"),
    about=(
        "Open a refund case for an order.",
        "Gives a customer money back, all or a part, for a stated reason.",
        "Refunds. Goods that come back are booked with another tool.",
    ),
    about_zh=("为订单发起退款。", "按原因给客户退全款或部分款项。"),
    params=(
        Param("order", ORDER, ("order_id", "order_number", "order"), ("Number of the order",), ("订单号",)),
        Param(
            "reason",
            Choice(
                {
                    "damaged": (("it arrived damaged", "it came broken"), ("到货破损", "收到是坏的")),
                    "late": (("it came too late", "the delivery was late"), ("送得太晚", "延迟送达")),
                    "wrong_item": (
                        ("we sent the wrong item", "the wrong thing was delivered"),
                        ("发错货", "寄错了东西"),
                    ),
                    "never_arrived": (("it never arrived", "the parcel got lost"), ("一直没收到", "包裹丢了")),
                    "charged_twice": (("they were charged twice", "it was billed twice"), ("重复扣款", "扣了两次钱")),
                }
            ),
            ("reason", "reason_code", "cause"),
            ("Why the money goes back",),
            ("退款原因",),
        ),
        Param("amount", MONEY, ("amount", "refund_amount"), ("The whole price if left out",), ("金额",), False),
    ),
    asks=(
        "Refund order {order}, {reason}.",
        "{order}: give the money back[, {amount}], {reason}",
        "The lady on the phone is furious about {order}: {reason}. Pay her back[ {amount}].",
        "open a refund case for {order} because {reason}[, amount {amount}]",
        "please reimburse[ {amount} for] {order}. Reason: {reason}",
        "{reason}, so the customer of {order} wants money back[, {amount}]",
        "can we return the payment for {order}? {reason}",
        "money back on {order}[ ({amount})], {reason}",
        "I promised a refund[ of {amount}] on order {order} since {reason}",
    ),
    asks_zh=(
        "订单{order}{reason}，给客户退款[{amount}]",
        "{order}退款，原因：{reason}[，退{amount}]",
        "客户很生气，{order}{reason}，把钱退了吧",
        "给{order}发起退款，{reason}",
        "{order}这单{reason}，退[{amount}]给人家",
        "因为{reason}，{order}要退钱[，金额{amount}]",
        "订单号{order}，客户说{reason}，走退款[{amount}]",
        "帮我退一下{order}的钱，{reason}",
        "我答应客户了，{order}{reason}，退款[{amount}]",
        "{reason}，订单{order}，申请退款",
    ),
    outcomes=(
        Outcome(
            fields=(("case", Code(("RF-9999", "R99999"))), ("days", Integer(1, 10))),
            texts=("case {case}, paid in {days} days",),
            texts_zh=("退款单{case}，{days}天内到账",),
            answers=(
                "Refund {case} is open; the money arrives within {days} days.",
                "Order {order} is refunded under {case}.",
                "Done, case {case}.",
            ),
            answers_zh=("退款单{case}已建，{days}天内到账。", "{order}已退款，单号{case}。", "办好了，{case}。"),
        ),
    ),
    missing=(
        Missing(
            "order",
            ("A customer wants a refund, {reason}.", "give them {amount} back, {reason}"),
            ("What is the order number?", "Which order is it?"),
            ("客户要退款，{reason}", "{reason}，把钱退给他"),
            ("请问订单号是多少？", "是哪个订单？"),
        ),
        Missing(
            "reason",
            ("Refund order {order}.", "money back for {order}, {amount}"),
            ("For which reason?", "Why should order {order} be refunded?"),
            ("{order}退款", "给{order}退{amount}"),
            ("请问退款原因是什么？", "为什么要退？"),
        ),
    ),
    also=("shopping_orders.return_item",),
)

WARRANTY = Family(
    key="support.warranty",
    names=("check_warranty", "warranty_status", "is_under_guarantee", "warranty_lookup"),
    about=(
        "Whether a product is still under warranty.",
        "Looks up the warranty by product and day of purchase.",
        "Warranty check; repairs are not booked here.",
    ),
    about_zh=("查询产品是否在保修期内。", "按产品和购买日期查保修。"),
    params=(
        Param("product", PRODUCT, ("product", "product_name", "item"), ("What was bought",), ("产品",)),
        Param(
            "bought",
            Day(-1400, -20, False),
            ("purchase_date", "bought_on", "sold_on"),
            ("Day of purchase",),
            ("购买日期",),
        ),
        Param(
            "serial",
            Code(("SN999999", "AA99-9999", "S-99999A")),
            ("serial_number", "serial"),
            ("Serial number",),
            ("序列号",),
            False,
        ),
    ),
    asks=(
        "Is a {product} bought on {bought} still under warranty?",
        "warranty {product}, purchased {bought}[, serial {serial}]",
        "A customer's {product} died. She got it on {bought}, does she have to pay for the repair?",
        "{product} from {bought}, guarantee or not",
        "my {product} broke, I bought it on {bought}[, number {serial}]. Am I covered?",
        "Does the guarantee still hold for a {product} sold on {bought}[ (serial {serial})]?",
        "how long is the {product} of {bought} covered",
        "The receipt for the {product} says {bought}. Is that too old for a free repair?",
        "check cover: {product}, bought {bought}[, {serial}]",
    ),
    asks_zh=(
        "{bought}买的{product}还在保修期吗？",
        "{product}，{bought}购买，过保了没[，序列号{serial}]",
        "客户的{product}坏了，{bought}买的，修要不要钱",
        "查保修：{product}，购买日{bought}[，{serial}]",
        "我的{product}坏了，{bought}买的，能免费修吗？",
        "发票上写{bought}，{product}还保不保",
        "{product}是{bought}买的[，编号{serial}]，还能保修多久",
        "看下{bought}卖出去的{product}在不在保",
        "{bought}入手的{product}，质保到什么时候",
        "{product}{bought}买的，还有质保吗",
    ),
    outcomes=(
        Outcome(
            fields=(("covered", Word(("yes",), ("是",))), ("months_left", Integer(1, 24))),
            texts=("covered: {covered}, {months_left} months left",),
            texts_zh=("在保，剩{months_left}个月",),
            answers=(
                "Yes, for {months_left} more months.",
                "The {product} is covered for another {months_left} months.",
                "It is covered.",
            ),
            answers_zh=("在保，还有{months_left}个月。", "{product}还能保修{months_left}个月。", "还在保修期内。"),
        ),
        Outcome(
            fields=(("covered", Word(("no",), ("否",))), ("ended_months_ago", Integer(1, 30))),
            texts=("covered: {covered}, ended {ended_months_ago} months ago",),
            texts_zh=("已过保{ended_months_ago}个月",),
            answers=(
                "No, it ended {ended_months_ago} months ago.",
                "The warranty of the {product} is over.",
                "It is no longer covered.",
            ),
            answers_zh=("已经过保{ended_months_ago}个月了。", "{product}过保了。", "不在保修期内。"),
        ),
    ),
    missing=(
        Missing(
            "bought",
            ("Is my {product} still under warranty?", "{product} broke, am I covered"),
            ("When was the {product} bought?", "What is the day of purchase?"),
            ("我的{product}还保修吗？", "{product}坏了，能免费修吗"),
            ("请问是哪天买的？", "{product}的购买日期是？"),
        ),
    ),
)

HANDOVER = Family(
    key="support.handover",
    names=("hand_over_chat", "transfer_to_agent", "escalate_conversation", "route_chat", "assign_chat_to_team"),
    about=(
        "Hand a chat over to people.",
        "Puts a customer's conversation into the hands of a team, with a note.",
        "Routing of live chats, not of tickets.",
    ),
    about_zh=("把会话转给人工。", "将客户聊天转给某个团队，可附备注。"),
    params=(
        Param(
            "team",
            Choice(
                {
                    "billing": (("billing", "the billing people"), ("账单组", "财务客服")),
                    "technical": (("technical support", "the technicians"), ("技术支持", "技术组")),
                    "complaints": (("complaints", "the complaints desk"), ("投诉组", "投诉部门")),
                    "sales": (("sales", "the sales team"), ("销售", "销售组")),
                }
            ),
            ("team", "department", "queue"),
            ("Which team",),
            ("团队",),
        ),
        Param("customer", Person(), ("customer", "visitor_name"), ("Who is chatting",), ("客户",), False),
        Param(
            "language",
            Choice(
                {
                    "en": (("English",), ("英语",)),
                    "es": (("Spanish",), ("西班牙语",)),
                    "zh": (("Chinese",), ("中文",)),
                    "fr": (("French",), ("法语",)),
                },
                ({"en": "english", "es": "spanish", "zh": "chinese", "fr": "french"},),
            ),
            ("language", "agent_language"),
            ("Language the agent must speak",),
            ("坐席语言",),
            False,
        ),
    ),
    asks=(
        "Hand this chat over to {team}.",
        "transfer {customer} to {team}[, somebody who speaks {language}]",
        "I can't help here, let {team} take the conversation[ with {customer}].",
        "connect me with {team}[, in {language} if you can]",
        "enough of bots! put me through to {team}",
        "{customer} wants a human, {team} should take over",
        "route chat to {team}[, {language} speaker]",
        "Please pass the conversation[ with {customer}] on to {team}.",
        "can someone from {team}[ who knows {language}] join the chat",
    ),
    asks_zh=(
        "转{team}",
        "把这个会话转给{team}[，要会{language}的]",
        "{customer}要找人工，转{team}[，{language}坐席]",
        "我不要机器人，给我接{team}",
        "这问题我处理不了，让{team}接手吧",
        "[{customer}的]聊天转到{team}",
        "请{team}的人进来聊[，会说{language}的]",
        "接{team}，谢谢",
        "客户[{customer}]情绪激动，交给{team}",
        "把对话移交给{team}[，最好讲{language}]",
    ),
    outcomes=(
        Outcome(
            fields=(("agent", Person(0)), ("wait_minutes", Integer(1, 25))),
            texts=("{agent} takes over in {wait_minutes} min",),
            texts_zh=("{agent}将在{wait_minutes}分钟内接手",),
            answers=(
                "{agent} takes over in about {wait_minutes} minutes.",
                "The chat goes to {agent}.",
                "Handed over; the wait is {wait_minutes} minutes.",
            ),
            answers_zh=(
                "{agent}会在{wait_minutes}分钟内接手。",
                "已转给{agent}。",
                "转好了，大约等{wait_minutes}分钟。",
            ),
        ),
    ),
    missing=(
        Missing(
            "team",
            ("Hand the chat over, please.", "I want to talk to a human", "transfer {customer} to somebody else"),
            ("To which team: billing, technical support, complaints or sales?", "Which team should take over?"),
            ("转人工", "把{customer}的会话转走", "我要找真人"),
            ("请问转到哪个组：账单、技术、投诉还是销售？", "需要转给哪个部门？"),
        ),
    ),
)

VOUCHER = Family(
    key="support.goodwill",
    names=("issue_voucher", "send_goodwill_credit", "grant_store_credit", "compensate_customer"),
    about=(
        "Give a customer a voucher as an apology.",
        "Issues store credit of some amount, valid for some days.",
        "Goodwill only: no money is paid out.",
    ),
    about_zh=("给客户发补偿券。", "发放一定金额的店铺抵用券，不退现金。"),
    params=(
        Param("customer", Person(), ("customer", "recipient", "customer_name"), ("Who gets it",), ("客户",)),
        Param("amount", MONEY, ("amount", "credit", "value"), ("Value of the voucher",), ("面额",)),
        Param(
            "days", Integer(10, 365), ("valid_days", "expires_in_days"), ("How long it is good",), ("有效天数",), False
        ),
    ),
    asks=(
        "Give {customer} a voucher of {amount}[, valid for {days} days].",
        "{customer} waited two hours, make it up with a voucher over {amount}",
        "store credit {amount} for {customer}[, {days} days]",
        "as an apology {customer} should get a voucher worth {amount}[ that runs {days} days]",
        "Can we calm {customer} down with {amount} of shop credit?",
        "issue a goodwill voucher: {customer}, {amount}[, good for {days} days]",
        "voucher {amount} to {customer}",
        "I feel bad about what happened to {customer}. {amount} in store credit, please.",
        "send {customer} a gift code over {amount}[ with {days} days to use it]",
    ),
    asks_zh=(
        "给{customer}发一张{amount}的补偿券[，{days}天有效]",
        "{customer}等了两个小时，送{amount}抵用券赔个不是",
        "补偿{customer}{amount}的券[，有效期{days}天]",
        "用{amount}的店铺券安抚一下{customer}",
        "发券：{customer}，{amount}[，{days}天]",
        "这事是我们不对，给{customer}{amount}代金券",
        "{customer}那边送个{amount}的优惠券表示歉意[，{days}天内可用]",
        "抵用券{amount}，发给{customer}",
        "{customer}应得一张{amount}的券[，{days}天过期]",
        "为了道歉，{customer}账户里放{amount}的券",
    ),
    outcomes=(
        Outcome(
            fields=(("code", Code(("SORRY-AA99", "GW-9999A"))),),
            texts=("voucher {code} issued",),
            texts_zh=("券码{code}已发放",),
            answers=(
                "{customer} gets a voucher: {code}.",
                "Done, the code is {code}.",
                "{amount} of credit for {customer}, code {code}.",
            ),
            answers_zh=("已给{customer}发券，券码{code}。", "发好了，{code}。", "{customer}的{amount}券码是{code}。"),
        ),
    ),
    missing=(
        Missing(
            "amount",
            ("Send {customer} a voucher to say sorry.", "{customer} deserves some store credit"),
            ("How much should the voucher be worth?", "Over which amount?"),
            ("给{customer}发张补偿券", "送{customer}一张券道歉"),
            ("请问面额是多少？", "发多少钱的券？"),
        ),
        Missing(
            "customer",
            ("Issue a voucher of {amount}.", "one goodwill voucher over {amount} please"),
            ("For which customer?", "Who should get it?"),
            ("发一张{amount}的券", "补偿{amount}的抵用券"),
            ("请问发给哪位客户？", "给谁？"),
        ),
    ),
)

MOOD = Family(
    key="support.satisfaction",
    names=("satisfaction_score", "customer_rating", "csat_report", "support_feedback"),
    about=(
        "How content customers were with the support.",
        "Average rating of the support and the number of answers.",
        "Satisfaction figures, for one channel or all.",
    ),
    about_zh=("客服满意度统计。", "返回客服平均评分和评价数量。"),
    params=(
        Param(
            "channel",
            Choice(
                {
                    "phone": (("phone", "the hotline"), ("电话", "热线")),
                    "chat": (("chat",), ("在线聊天", "在线客服")),
                    "email": (("e-mail", "email"), ("邮件",)),
                }
            ),
            ("channel", "contact_channel"),
            ("All if left out",),
            ("渠道",),
            False,
        ),
        Param(
            "period",
            Choice(
                {
                    "week": (("this week",), ("这周", "本周")),
                    "month": (("this month",), ("这个月", "本月")),
                    "year": (("this year",), ("今年",)),
                }
            ),
            ("period", "timeframe"),
            ("Which period",),
            ("时间段",),
            False,
        ),
    ),
    asks=(
        "How happy are our customers with the support[ {period}]?",
        "support rating[ {period}][, only {channel}]",
        "Do people like how we help them[ via {channel}]?",
        "satisfaction figures[ for {channel}][, {period}]",
        "are people still complaining about our service[ {period}], what's the score",
        "My boss wants to know how well support did[ {period}].",
        "what do customers think of us[ over {channel}][ {period}]",
        "show the csat[ {period}]",
        "How did customers rate the service desk {period}?",
    ),
    asks_zh=(
        "[{period}]客户对客服满意吗？",
        "客服评分[，{period}的]",
        "[{channel}]满意度多少",
        "老板问[{period}]客服做得怎么样",
        "大家对我们的服务评价如何[，只看{channel}]",
        "[{period}][{channel}]服务打了几分",
        "看看客服满意度[，{period}]",
        "客户还在骂我们吗，服务评分多少",
        "[{channel}渠道的]服务评价给我看看",
        "{period}服务评分是多少",
    ),
    outcomes=(
        Outcome(
            fields=(("average", Decimal(2.4, 4.9)), ("answers", Integer(20, 900))),
            texts=("{average} of 5, {answers} answers",),
            texts_zh=("{average}分（满分5分），{answers}条评价",),
            answers=(
                "The average is {average} of 5, from {answers} answers.",
                "{average} of 5.",
                "Customers gave {average} of 5 on average.",
            ),
            answers_zh=(
                "平均{average}分，共{answers}条评价。",
                "满意度{average}分，满分5分。",
                "客户平均打了{average}分。",
            ),
        ),
    ),
)

DOMAIN = Domain(
    "support",
    (REFUND, WARRANTY, HANDOVER, VOUCHER, MOOD),
    unserved=(
        ("Change the customer's delivery address.", "修改客户的收货地址。"),
        ("Write a polite answer to this complaint.", "给这条投诉写个得体的回复。"),
        ("How many agents are on duty today?", "今天几个客服在岗？"),
        ("Record a new greeting for the hotline.", "给热线录一段新的问候语。"),
        ("Ban the rude customer from our shop.", "把那个骂人的客户拉黑。"),
        ("Merge the two customer accounts.", "把两个客户账号合并。"),
        ("Book a technician for Tuesday.", "约周二的师傅上门。"),
        ("Send out a survey about our packaging.", "发一份关于包装的问卷。"),
        ("Close the shop chat for today.", "今天把在线客服关了。"),
        ("Train the new colleague on returns.", "给新同事培训退货流程。"),
        ("Extend the guarantee by one year.", "把保修延长一年。"),
        ("Which product gets the most complaints?", "哪个产品投诉最多？"),
    ),
)
