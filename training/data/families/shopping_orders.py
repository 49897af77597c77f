"""Buying things: search, prices, stock and the cart; what follows an order is in `_shop_orders`."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param, PartOf
from training.data.kinds import Choice, Decimal, Flag, Integer, ListOf

from ._shop_orders import MOVE_DELIVERY, ORDER_STATUS, RETURN_ITEM, SUBSCRIPTION, TRACK_PARCEL, WRITE_REVIEW
from ._shop_words import BRAND, COLOUR, COUPON, GOODS, LINES, MODEL, SHOP, TOWN, price

SEARCH_PRODUCTS = Family(
    key="shopping_orders.search_products",
    names=("search_products", "find_items", "product_search", "browse_catalog", "shop_search"),
    about=(
        "Search the shop for products, with a price limit and filters.",
        "Product search. Nothing is put into the cart.",
        "Finds articles by a few words; may be sorted and filtered",
    ),
    about_zh=("搜索商品，可按价格、品牌、颜色筛选。", "商品搜索，不会加入购物车。"),
    params=(
        Param("query", GOODS, ("query", "keywords", "search_term", "product"), ("What to look for",), ("搜索词",)),
        Param("max", price(15, 2500), ("max_price", "price_limit", "budget"), ("Highest price",), ("最高价格",), False),
        Param("brand", BRAND, ("brand", "manufacturer"), ("Brand",), ("品牌",), required=False),
        Param("color", COLOUR, ("color", "colour"), ("Colour",), ("颜色",), required=False),
        Param("stars", Integer(2, 5), ("min_rating", "min_stars"), ("Stars, at least",), ("最低星级",), False),
        Param(
            "sort",
            Choice(
                {
                    "price_asc": (("cheapest first",), ("从便宜到贵",)),
                    "rating": (("best rated first",), ("评分高的在前",)),
                    "newest": (("newest first",), ("最新的在前",)),
                },
                ({"price_asc": "price", "rating": "reviews", "newest": "date"},),
            ),
            ("sort_by", "order_by"),
            ("Order of the results",),
            ("排序方式",),
            required=False,
        ),
        Param("stock", Flag(), ("in_stock_only", "available_only"), (), (), required=False),
    ),
    asks=(
        "Find {query} under {max}[ by {brand}].",
        "{query}[ in {color}][, max {max}]",
        "I'm looking for {query}[ from {brand}][, {sort} please]",
        "My brother moves out soon and needs {query}. Not more than {max}[, {color} if possible].",
        "do you have {query} for less than {max}[, {sort}]",
        Ask("show me {query} that can be shipped right away, only what's in stock[, up to {max}]", {"stock": True}),
        "I'd like {query} with at least {stars} stars[, below {max}].",
        "search for {query}[, {color}][, brand {brand}][, {sort}]",
        "budget is {max}, I want {query}[ in {color}]",
        "need {query} asap[, {stars} stars or better]",
        "Do you sell {query} by {brand}[ for up to {max}]?",
        Ask("only available items please: {query}[ in {color}][, {sort}]", {"stock": True}),
        "Birthday coming up... thinking of {query}, {color}, {max} at most[, {brand} would be great].",
        "my old one broke, so {query} it is, {max} tops[, {brand} preferred]",
        "What have you got for somebody who needs {query}[ and has {max} to spend]?",
    ),
    asks_zh=(
        "找一款{max}以内的{query}[，要{brand}的]",
        "{query}[，{color}][，不超过{max}]",
        "我想买{query}[，品牌{brand}][，{sort}]",
        "弟弟要搬家，需要{query}，预算{max}[，最好{color}]",
        "有没有{stars}星以上的{query}[，{max}以下]",
        Ask("看看有现货的{query}[，{max}以内]", {"stock": True}),
        "搜一下{brand}的{query}[，{color}的][，{sort}]",
        "{max}能买到什么样的{query}[，{sort}]",
        "快过生日了，想要个{color}的{query}，最多{max}",
        Ask("{query}，只看有货的[，{sort}]", {"stock": True}),
        "旧的坏了，想换{query}，最多{max}[，优先{brand}]",
        "预算{max}，求推荐{query}[，{stars}星以上]",
    ),
    outcomes=(
        Outcome(
            fields=(("name", MODEL), ("reviews", Integer(12, 900)), ("hits", Integer(2, 300))),
            texts=("{hits} hits; first: {name}, {reviews} reviews",),
            texts_zh=("共{hits}件；第一个：{name}，{reviews}条评价",),
            answers=(
                "There are {hits} hits, starting with {name} ({reviews} reviews).",
                "I found {hits} products; the first is {name}, with {reviews} reviews.",
                "How about {name}? It has {reviews} reviews.",
            ),
            answers_zh=(
                "一共{hits}件，排在最前的是{name}，{reviews}条评价。",
                "找到{hits}件商品，第一个是{name}，有{reviews}条评价。",
                "可以看看{name}，有{reviews}条评价。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="query",
            asks=("Search the shop for something under {max}.", "show me what you have from {brand}"),
            replies=("What are you looking for?", "Which kind of product do you want?"),
            asks_zh=("帮我找个{max}以内的东西", "看看{brand}有什么"),
            replies_zh=("请问想找什么商品？", "要买哪类东西？"),
        ),
    ),
    also=("information.search_web",),
)

COMPARE_PRICES = Family(
    key="shopping_orders.compare_prices",
    names=("compare_prices", "price_comparison", "cheapest_offer", "find_best_price"),
    about=(
        "Compare what shops ask for one product.",
        "Finds the cheapest offer for a model. Without shops, all known ones are asked.",
        "Price comparison",
    ),
    about_zh=("比较各商店的价格。", "查询某商品在不同商店的最低价。"),
    params=(
        Param("model", MODEL, ("product", "model", "product_name"), ("Name of the product",), ("商品名称",)),
        Param("shops", ListOf(SHOP, 2, 4), ("shops", "stores", "sellers"), ("Only these",), ("商店",), False),
        Param("shipping", Flag(), ("include_shipping", "with_shipping"), (), (), required=False),
    ),
    asks=(
        "Where is the {model} cheapest?",
        "compare the price of the {model} at {shops}",
        "who has the best offer for the {model}[, out of {shops}]",
        Ask("Cheapest {model}, shipping included[, at {shops}]?", {"shipping": True}),
        "I don't want to pay too much for the {model}. Check {shops} for me.",
        "price check {model}[: {shops}]",
        "My mum has set her heart on the {model}; at which shop would I save the most[, {shops}]?",
        "is the {model} cheaper at {shops}?",
        Ask("what does the {model} cost everywhere, without the shipping", {"shipping": False}),
        "{shops}: which of them sells the {model} for less?",
        "i've seen the {model} at {shops}, who's the cheapest?",
        "Am I overpaying for the {model}? See what others want for it[: {shops}].",
    ),
    asks_zh=(
        "{model}哪里最便宜？",
        "比一下{shops}的{model}价格",
        "{model}在哪家买划算[，{shops}里选]",
        Ask("{model}含运费哪家最低[，看{shops}]", {"shipping": True}),
        "不想当冤大头，帮我查查{shops}的{model}卖多少",
        "我妈看上了{model}，在哪儿买能省点",
        "{shops}，谁家的{model}更便宜",
        Ask("比价：{model}，不算运费", {"shipping": False}),
        "在{shops}都看到了{model}，哪家便宜",
        "{model}会不会买贵了，看看别家什么价",
    ),
    outcomes=(
        Outcome(
            fields=(("shop", SHOP), ("lowest", Decimal(12, 1500, 2))),
            texts=("lowest: {lowest} at {shop}",),
            texts_zh=("最低价：{shop}，{lowest}元",),
            answers=(
                "Go to {shop}: nobody asks less than {lowest}.",
                "The {model} is cheapest at {shop}: {lowest}.",
                "{shop} has it for {lowest}.",
            ),
            answers_zh=(
                "{shop}最划算，只要{lowest}元。",
                "{model}在{shop}最便宜，{lowest}元。",
                "最低价是{lowest}元，在{shop}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="model",
            asks=("Compare the prices at {shops}.", "where is it cheapest?"),
            replies=("Which product do you mean?", "The price of what?"),
            asks_zh=("比一下{shops}的价格", "哪里最便宜？"),
            replies_zh=("请问是哪件商品？", "要比较什么商品？"),
        ),
    ),
    also=(
        "shopping_orders.search_products",
        "information.search_web",
    ),
)

STORE_STOCK = Family(
    key="shopping_orders.store_stock",
    names=("check_store_stock", "in_store_availability", "local_stock", "is_it_in_the_shop"),
    about=(
        "Is a product on the shelf in the shop of a city?",
        "Checks how many pieces a local shop has. Online stock is not included.",
        "Stock in a local shop",
    ),
    about_zh=("查询某城市门店是否有货。", "查询线下门店库存，不含网店。"),
    params=(
        Param("model", MODEL, ("product", "item", "article"), ("Product",), ("商品",)),
        Param("town", TOWN, ("city", "store_city", "location"), ("City of the shop",), ("门店所在城市",)),
        Param(
            "country",
            PartOf("town", "country"),
            ("country", "country_name"),
            ("If it was named",),
            ("国家",),
            required=False,
        ),
        Param("pieces", Integer(2, 20), ("quantity", "pieces"), ("How many are needed",), ("需要的数量",), False),
    ),
    asks=(
        "Do you have the {model} in your {town} shop?",
        "stock {model} {town}",
        "I'm in {town} right now, could I pick up {pieces} of the {model} there?",
        "Before I drive all the way to {town}: is the {model} on the shelf?",
        "is the {model} available in the shop in {town}[? I need {pieces}]",
        "We're visiting {town} and I want to try the {model} in person, have they got it?",
        "how many {model} are left at the store in {town}",
        "Can I buy the {model} over the counter in {town}[, {pieces} pieces]?",
        "check whether {town} has the {model} in store[, {pieces} of them]",
        "my friend in {town} would collect the {model} for me, is it there?",
        "don't want to order online. any {model} to take home in {town}?",
        "Passing through {town} later, would I find the {model} there on the shelf[, {pieces} of them]?",
    ),
    asks_zh=(
        "{town}的门店有{model}吗？",
        "我现在在{town}，店里能买到{model}吗[，要{pieces}个]",
        "去{town}之前先问问，店里有没有{model}",
        "查{town}门店{model}的库存",
        "{model}在{town}的店里还剩几个",
        "朋友在{town}，能帮我去店里拿{model}吗，有货没",
        "{town}实体店有{pieces}个{model}吗",
        "想在{town}的店里试试{model}，有现货吗",
        "不想网购，{town}的店里有{model}可以直接拿吗",
        "等会儿路过{town}，店里有{pieces}个{model}没有",
    ),
    outcomes=(
        Outcome(
            fields=(("on_shelf", Integer(20, 90)), ("aisle", Integer(2, 30))),
            texts=("{on_shelf} pieces, aisle {aisle}",),
            texts_zh=("{on_shelf}件，{aisle}号货架",),
            answers=(
                "{on_shelf} of them are waiting in aisle {aisle}.",
                "Yes, {on_shelf} pieces in {town}, in aisle {aisle}.",
                "The shop has {on_shelf} of the {model}.",
            ),
            answers_zh=(
                "还有{on_shelf}件，去{aisle}号货架找。",
                "有的，{town}门店还有{on_shelf}件，在{aisle}号货架。",
                "门店有{on_shelf}件{model}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="town",
            asks=("Is the {model} on the shelf?", "can I buy the {model} in a shop"),
            replies=("In which city?", "The shop of which city?"),
            asks_zh=("门店有{model}吗？", "实体店能买到{model}吗"),
            replies_zh=("请问是哪个城市的门店？", "在哪个城市？"),
        ),
        Missing(
            key="model",
            asks=("Does the shop in {town} have it?", "check the stock in {town}"),
            replies=("Which product are you looking for?", "What should be in stock?"),
            asks_zh=("{town}的店里有货吗？", "查一下{town}门店的库存"),
            replies_zh=("请问是哪件商品？", "要查什么商品？"),
        ),
    ),
)

ADD_TO_CART = Family(
    key="shopping_orders.add_to_cart",
    names=("add_to_cart", "put_in_basket", "cart_add_items", "fill_cart"),
    about=(
        "Put things into the shopping cart.",
        "Adds one or more articles, each with its quantity. It does not order them.",
        "Cart: add items",
    ),
    about_zh=("把商品加入购物车。", "添加一件或多件商品及数量，不会下单。"),
    params=(
        Param("items", LINES, ("items", "products", "lines"), ("Articles and how many of each",), ("商品和数量",)),
        Param("coupon", COUPON, ("coupon", "promo_code"), ("Code for a rebate",), ("优惠码",), required=False),
    ),
    asks=(
        "Add {items} to my cart.",
        "put {items} in the basket[ and use the coupon {coupon}]",
        "I need {items}",
        "We're out of everything: {items} please, into the cart[, promo code {coupon}].",
        "cart: {items}",
        "could you throw {items} into my basket?",
        "Shopping for the weekend, so {items} go into the cart[ with code {coupon}].",
        "{items}, just add them, I'll pay later",
        "Grandma asked for {items}. Put that in my cart, will you?",
        "let me have {items} in the trolley[, voucher {coupon}]",
        "also {items} please, in the cart with them",
        "For the picnic we want {items} in the basket[, and there's the code {coupon}].",
    ),
    asks_zh=(
        "把{items}加入购物车",
        "购物车加{items}[，用优惠码{coupon}]",
        "我要买{items}，先放购物车",
        "家里什么都没了，{items}，都加上[，优惠码{coupon}]",
        "帮我加购{items}",
        "奶奶要{items}，放到购物车里吧",
        "周末采购：{items}，加到车里",
        "{items}，先加着，回头再付款",
        "野餐要用，{items}，加进购物车[，优惠码{coupon}]",
        "再来{items}，一起放车里",
    ),
    outcomes=(
        Outcome(
            fields=(("total", Decimal(8, 300, 2)),),
            texts=("cart total {total}",),
            texts_zh=("购物车合计{total}元",),
            answers=(
                "Everything is in; that's {total} so far.",
                "It's all in your cart; the total is {total}.",
                "Added. The cart comes to {total} now.",
            ),
            answers_zh=(
                "都放进去了，目前合计{total}元。",
                "已加入购物车，合计{total}元。",
                "加好了，现在一共{total}元。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="items",
            asks=("Add something to my cart.", "put it in the basket with code {coupon}"),
            replies=("What should I add, and how many of each?", "Which items would you like?"),
            asks_zh=("帮我加购物车", "往购物车里加点东西"),
            replies_zh=("请问要加什么，各几份？", "要加哪些商品？"),
        ),
    ),
    errors=("one of the items is sold out",),
    also=(
        "lists.add_items",
        "lists.add_amounts",
    ),
)

VIEW_CART = Family(
    key="shopping_orders.view_cart",
    names=("view_cart", "show_basket", "get_cart", "cart_contents"),
    about=("Show what is in the shopping cart.", "Contents and total of the cart", "Reads the cart, changes nothing."),
    about_zh=("查看购物车。", "返回购物车里的商品和总价。"),
    params=(),
    asks=(
        "What's in my cart?",
        "show my basket",
        "How much would I have to pay right now?",
        "Did I already put the milk in the cart? Let me see it.",
        "cart total?",
        "let me check my basket before I pay",
        "What have I collected in the shop so far?",
        "remind me what I wanted to buy, it's all in the cart",
        "please read out my shopping cart",
        "how many things are in my trolley",
        "before checkout: what am I about to buy?",
        "did i go over 100 already, what does the basket add up to",
    ),
    asks_zh=(
        "我购物车里有什么？",
        "看看购物车",
        "现在结账要付多少钱",
        "牛奶加过了没？打开购物车看看",
        "购物车一共多少钱",
        "付款前让我再看一眼购物车",
        "我都选了些什么",
        "购物车里几件东西了",
        "结账前看看我都要买啥",
        "购物篮里加起来多少了",
    ),
    outcomes=(
        Outcome(
            fields=(("articles", Integer(2, 30)), ("total", Decimal(8, 600, 2))),
            texts=("{articles} articles, {total}",),
            texts_zh=("{articles}件，合计{total}元",),
            answers=(
                "You have {articles} things in the cart for {total}.",
                "There are {articles} articles in it, {total} in all.",
                "Your cart comes to {total}.",
            ),
            answers_zh=(
                "一共{articles}件，总价{total}元。",
                "购物车里有{articles}件商品，共{total}元。",
                "合计{total}元。",
            ),
        ),
    ),
)

DOMAIN = Domain(
    "shopping_orders",
    (
        *(SEARCH_PRODUCTS, COMPARE_PRICES, STORE_STOCK, ADD_TO_CART, VIEW_CART),
        *(ORDER_STATUS, TRACK_PARCEL, MOVE_DELIVERY, RETURN_ITEM, WRITE_REVIEW, SUBSCRIPTION),
    ),
    unserved=(
        ("Change the password of my shop account.", "修改我的商城密码。"),
        ("Write to the seller that the lid does not fit.", "给卖家留言，说盖子盖不上。"),
        ("Take the bread out of my cart again.", "把面包从购物车里拿掉。"),
        ("Print the invoice for my last order.", "打印上一单的发票。"),
        ("Sell my old bicycle for me.", "帮我把旧自行车卖掉。"),
        ("How long is the warranty on my kettle?", "我的水壶保修多久？"),
        ("Add my new credit card.", "绑定我的新信用卡。"),
        ("Is a leather sofa better than a fabric one?", "皮沙发好还是布沙发好？"),
        ("Send a gift card to my aunt.", "给我阿姨送一张礼品卡。"),
        ("Tell me when the price of this camera drops.", "这款相机降价了通知我。"),
        ("What are the shop's opening hours on Sundays?", "这家店周日几点开门？"),
        ("Repair the screen of my phone.", "帮我修一下手机屏幕。"),
        ("Report this seller for fraud.", "我要举报这个卖家欺诈。"),
        ("How many loyalty points have I collected?", "我攒了多少会员积分？"),
    ),
)
