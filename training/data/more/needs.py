"""Questions that say what somebody needs and leave it to the reader what to do about it."""

from training.data.family import Ask

MORE: dict[str, tuple[tuple[str | Ask, ...], tuple[str | Ask, ...]]] = {
    "calendar.agenda": (
        (
            "A friend wants to drag me to a museum on {day}. Can I say yes?",
            "Is it safe to party the night before, or is {day} full?",
            "Should I bring a suit on {day}? Depends on what I'm doing then.",
        ),
        (
            "{day}能不能跟朋友去看电影",
            "{day}孩子想去游乐场，我走得开吗",
            "{day}可以赖床不",
            "要不要在{day}请假，看我那天有啥",
            "{day}得几点出门，第一件事是什么",
        ),
    ),
    "calendar.next": (
        (
            "Is there time for a sandwich before my next appointment?",
            "Do I need to hurry, or is nothing on my calendar soon?",
            "Can I go home already or is there another meeting?",
        ),
        (
            "我现在能下班了吗，后面还有会没",
            "来得及吃个饭吗，接着有什么安排",
            "要不要赶时间，下一场几点",
            "还有多久开会",
            "收拾一下该去哪个会了",
        ),
    ),
    "calendar.search": (
        (
            "I have to buy a present before {words}. How many days are left?",
            "What should I tell my parents, when is {words}?",
        ),
        (
            "{words}之前得买礼物，到底是哪天",
            "爸妈问{words}什么时候，我答不上来",
            "{words}快到了吧，几号",
            "{words}过了没有",
        ),
    ),
    "calendar.block": (
        (
            "I need silence on {day} {start}[ for {label}], keep people out of my calendar.",
            "On {day} I pick up the kids, so {start} can't be booked.",
        ),
        (
            "{day}要接孩子，{start}不能有人约我",
            "{day}{start}想一个人待着干活[，{label}]，别人约不了才好",
            "{day}{start}我要补觉，不许开会，日历上挡一下",
            "{day}{start}留给我自己[，{label}]",
        ),
    ),
    "reminders.place": (
        (
            Ask(
                "I always walk past it: once I get to {spot}, I have to {what}. Help me remember.",
                {"trigger": "arrive"},
            ),
            Ask(
                "Before I'm gone from {spot} I have to {what}, and I know I'll forget. Tell me then.",
                {"trigger": "leave"},
            ),
        ),
        (
            Ask("每次到{spot}就想不起来要{what}，到了你吱一声", {"trigger": "arrive"}),
            Ask("我肯定会忘，离开{spot}的时候得{what}，到时提醒我", {"trigger": "leave"}),
            Ask("人到{spot}才能{what}，到那儿再叫我", {"trigger": "arrive"}),
            Ask("走之前要{what}，我快离开{spot}时喊一声", {"trigger": "leave"}),
        ),
    ),
    "reminders.timer_left": (
        (
            "Can I leave the kitchen for a bit, or is the {label} almost done?",
            "Is it worth sitting down before the[ {label}] timer rings?",
        ),
        (
            "{label}还得等吗",
            "我先去洗个手，[{label}的]倒计时来得及不",
            "{label}差不多了吧，还有几分钟",
            "怎么还不响，[{label}的]计时还剩多少",
        ),
    ),
    "reminders.alarm": (
        (
            "The plane won't wait. I have to be on my feet at {time}.",
            "If I'm not up at {time}, my boss kills me.",
            "I'm a heavy sleeper and must get up at {time}[ on {days}].",
        ),
        (
            "{time}还没起就赶不上飞机了，想办法弄醒我",
            "我睡得死，{time}必须起床[，{days}]",
            "{time}要是没醒老板会骂我",
            "送孩子上学，{time}就得醒[，{days}]",
            "怕起不来，{time}一定把我叫醒",
        ),
    ),
    "reminders.alarm_off": (
        (
            "I worked all night, please nothing that rings at {time}.",
            "Holiday mode: I don't have to get up at {time} any more.",
        ),
        (
            "昨晚通宵了，{time}千万别响",
            "不用{time}起床了，让我睡",
            "{time}不必起来了，闹钟就免了",
            "休假中，{time}的闹钟用不上了",
        ),
    ),
    "lists.add_amounts": (
        (
            "The fridge is empty, we should get {items}[ before {by}].",
            "I can't cook without {items}. For the next trip to the shop, please.",
        ),
        (
            "冰箱里啥也没有了，该买{items}了",
            "没有{items}这顿饭做不成，下回买[，{by}之前]",
            "出门买菜别落下{items}",
            "下班路上得捎{items}，记在购物清单",
        ),
    ),
    "lists.show": (
        (
            "I'm at the till, did I forget anything from the {list} list?",
            "What else is missing? Everything is on the {list} list.",
        ),
        (
            "要结账了，{list}清单上还有漏的吗",
            "{list}还要准备什么，看单子",
            "人在外面，{list}清单上还差什么",
            "{list}清单上的东西我记不全了",
        ),
    ),
    "lists.find_note": (
        (
            "I can't recall the thing about {words}, but I noted it somewhere.",
            "What was it again with {words}? My notes must know.",
        ),
        (
            "{words}的事我记过，想不起来了，看看笔记",
            "{words}是怎么回事来着，笔记里有",
            "明明记了{words}，笔记里怎么找不着",
            "有关{words}，我当时写了啥",
        ),
    ),
    "contacts.call": (
        (
            "{person} isn't answering my texts, I want to talk",
            "I'm worried about {person}. Get me through.",
            "I'd like to hear {person}'s voice",
        ),
        (
            "{person}不回消息，直接打过去",
            "有点担心{person}，电话问问，拨号",
            "好久没跟{person}聊天了，打一个",
            "这事短信说不清，打给{person}",
            "想{person}了，接通电话",
        ),
    ),
    "contacts.block": (
        (
            "I'm sick of {phone}, keep it from calling me",
            "{phone} rings all day long and I can't sleep. Do something so it can't reach me.",
        ),
        (
            "{phone}烦死了，别让他再打得通",
            "{phone}整天推销贷款，想清静一下，挡住它",
            "再也不想看到{phone}来电",
            "{phone}老响一声就挂，处理掉，屏蔽",
        ),
    ),
    "contacts.away": (
        (
            "Nobody will read my mail {start}; senders should be told.",
            "I'm on a boat without internet {start}[, {deputy} can help people meanwhile]. Warn those who email me.",
        ),
        (
            "{start}我在海上没网，发邮件来的人得知道[，可以找{deputy}]",
            "{start}没人看我的邮箱，要让来信的人知道",
            "{start}我去蜜月，邮件谁来都先自动回一句",
            "{start}回不了邮件，怕人家干等，设个自动的",
        ),
    ),
    "food_health.recipes": (
        (
            "My stomach is growling and there's {with} in the fridge.",
            "The kids are starving. I've got {with} and {time}.",
            "throw {with} away or make something of it?",
        ),
        (
            "肚子饿了，只有{with}",
            "孩子们嚷嚷饿，家里有{with}，我有{time}",
            "{with}扔了可惜，能做成什么",
            "今天轮到我做饭，买了{with}，没主意",
            "两手空空回家，厨房就{with}，吃什么呀",
        ),
    ),
    "food_health.nutrition": (
        (
            "Will I get fat from {food}?",
            "May I have {food} every day? I'm worried about the {nutrient}.",
            "Should I swap my snack for {grams} grams of {food}? What's in it?",
        ),
        (
            "{food}会不会长胖",
            "天天吃{food}行吗，担心{nutrient}",
            "晚上吃{food}好不好，营养怎么样",
            "给孩子吃{food}，{nutrient}够不够",
            "加餐换成{grams}克{food}行吗，看看含什么",
        ),
    ),
    "food_health.sleep_report": (
        (
            "Why was I so tired on {day}?",
            "Should I have gone to bed earlier? Look at {day}.",
        ),
        (
            "{day}为啥那么累",
            "{day}黑眼圈那么重，是熬夜了吗",
            "{day}一直打哈欠，夜里没休息好？",
            "是不是该早点睡，看{day}的记录",
        ),
    ),
    "food_health.book_doctor": (
        (
            "This {reason} scares me. I'd like the {who} to see me {when}.",
            "I can't take it any more, I'm going to the {who} {when}. Announce me there.",
        ),
        (
            "{reason}好几天了有点怕，{when}想让{who}瞧瞧",
            "撑不住了，{when}得去看{who}",
            "{patient}{reason}老不好，{when}带去{who}看看，帮忙约",
            "想做个检查，{who}，{when}方便吗，约上",
        ),
    ),
    "shopping_orders.track_parcel": (
        (
            "Can I go out or will the courier with {code} come?",
            "I need it for the party tonight! {code}, is it close[? {carrier} is bringing it]",
        ),
        (
            "能出门吗，怕{code}这个快递来了没人收",
            "今晚聚会要用，{code}今天到得了吗",
            "快递员啥时候到，我等着呢，{code}[，{carrier}]",
            "都一个礼拜了还没收到，{code}",
            "要去驿站取吗，{code}到了没",
        ),
    ),
    "shopping_orders.order_status": (
        (
            "The card was charged but nothing happened with order {order}",
            "Did the shop forget my order {order}?",
        ),
        (
            "钱扣了没动静，订单{order}",
            "商家是不是忘了我的订单{order}",
            "订单{order}怎么还不发",
            "等了一周，订单{order}还没信儿",
        ),
    ),
    "shopping_orders.compare_prices": (
        (
            "I don't want to be ripped off with the {model}.",
            "Is it worth going to another shop for the {model}[, say {shops}]?",
        ),
        (
            "{model}别买亏了，哪家低",
            "{model}要不要换家店买[，{shops}呢]",
            "怎么买{model}最省钱",
            "看到{model}，不知道算不算贵，别的店多少",
        ),
    ),
    "shopping_orders.view_cart": (
        (
            "I only have fifty left. Is that enough for what's in my cart?",
            "Before I pay: did I pick too much?",
        ),
        (
            "兜里就五十，够付购物车里的吗",
            "我是不是买多了，看看购物车",
            "付钱之前确认一下都有什么",
            "购物车有没有漏了东西",
        ),
    ),
}
