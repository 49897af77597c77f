"""Things lost and things found."""

from training.data.family import Family, Missing, Outcome, Param
from training.data.kinds import Code, Word
from training.data.sums import Result
from training.data.times import Day
from training.data.world import City

BELONGING = Word(
    (
        *("umbrella", "backpack", "wallet", "scarf", "keyring", "phone", "laptop bag", "glasses case", "teddy bear"),
        *("camera", "hat", "suitcase", "earphones", "notebook", "jacket", "watch", "bracelet"),
        *("lunch box", "sports bag"),
        *("water bottle", "glove", "pushchair"),
    ),
    (
        *("雨伞", "背包", "钱包", "围巾", "钥匙串", "手机", "电脑包", "眼镜盒", "毛绒熊", "相机", "帽子"),
        *("行李箱", "耳机"),
        *("笔记本", "外套", "手表", "手链", "饭盒", "运动包", "水杯", "手套", "婴儿车"),
    ),
)
COLOUR = Word(
    ("black", "red", "blue", "green", "yellow", "grey", "brown", "white", "pink", "orange", "purple", "silver"),
    ("黑色", "红色", "蓝色", "绿色", "黄色", "灰色", "棕色", "白色", "粉色", "橙色", "紫色", "银色"),
)
PLACE = Word(
    (
        *("the bus station", "the tram stop", "the main station", "the swimming pool", "the city library"),
        *("the night market", "the zoo"),
        *("the airport", "the metro station", "the town hall", "the football stadium", "the cinema", "the ferry pier"),
        *(
            "the shopping centre",
            "the botanical garden",
            "the museum",
            "the theatre",
            "the ice rink",
            "the concert hall",
        ),
        *("the taxi rank", "the farmers' market"),
    ),
    (
        *("公交总站", "电车站", "火车站", "游泳馆", "市图书馆", "夜市", "动物园", "机场"),
        *("地铁站", "市政厅"),
        *("足球场", "电影院", "轮渡码头", "购物中心", "植物园", "博物馆", "剧院", "溜冰场", "音乐厅", "出租车上客点"),
        *("农贸市场",),
    ),
)

REPORT_LOST = Family(
    key="civic.report_lost",
    names=("report_lost_item", "lost_property_report", "file_lost_item", "register_loss"),
    about=(
        "Report a thing as lost.",
        "Tells the lost-property office what was lost, where and when.",
        "File a loss report.",
    ),
    about_zh=("登记失物。", "向失物招领处报告丢了什么、在哪丢的。"),
    params=(
        Param("thing", BELONGING, ("item", "object", "lost_item"), ("What was lost",), ("物品",)),
        Param("place", PLACE, ("place", "location", "lost_at"), ("Where it was lost",), ("丢失地点",)),
        Param("day", Day(-14, 0), ("lost_on", "date"), ("Day of the loss",), ("丢失日期",), False),
        Param("colour", COLOUR, ("color", "colour"), ("Colour",), ("颜色",), False),
    ),
    asks=(
        "I left my {thing} somewhere, most likely at {place}[, {day}]. Please report it as lost.",
        "lost: {thing}[, {colour}], {place}[, {day}]",
        "My {thing} is gone! Must have been at {place}[, {day}][, it's {colour}]. Tell the lost property office.",
        "report a lost {thing}, last seen at {place}[, colour {colour}]",
        "could you file a loss for my {thing}? it was at {place}[ {day}]",
        "I'm so stupid, forgot my {colour} {thing} at {place}. Put it on the list of lost things.",
        "lost property form: {thing} / {place}[ / {colour}]",
        "please let them know that my {thing} was lost at {place}[ {day}]",
        "My {thing} slipped out somewhere, {place}[, {day}]. Should somebody bring it in, it is mine: note that down.",
    ),
    asks_zh=(
        "我的{thing}落在{place}了[，{day}丢的]，帮我登记。",
        "丢了{thing}，在{place}[，{colour}的]",
        "{thing}不见了，应该是在{place}[，{day}]，报失",
        "真粗心，把{colour}{thing}忘在{place}了，跟失物招领说一声",
        "登记失物：{thing}，{place}[，{day}][，{colour}]",
        "麻烦报一下，{place}丢失{thing}一件",
        "[{day}]在{place}把{thing}弄丢了，帮忙报失",
        "失物登记，物品{thing}，地点{place}[，颜色{colour}]",
        "{thing}掉在{place}了，挂个失",
        "回家才发现{thing}没了，可能落{place}了，帮我报给他们",
        "一转眼{thing}就没了，{place}[，{day}]，要是有人送来得知道是我的，先备个案",
    ),
    outcomes=(
        Outcome(
            fields=(("report", Code(("LF-9999", "V99999"))),),
            texts=("loss registered as {report}",),
            texts_zh=("已登记，编号{report}",),
            answers=(
                "The loss of your {thing} is registered as {report}.",
                "Reported: {report}.",
                "Done, the report is {report}.",
            ),
            answers_zh=("{thing}已报失，编号{report}。", "登记好了：{report}。", "失物登记号是{report}。"),
        ),
    ),
    missing=(
        Missing(
            "place",
            ("I lost my {thing}, please report it.", "report a lost {thing}"),
            ("Where did you lose it?", "At which place was it?"),
            ("我{thing}丢了，帮我登记。", "报失一个{thing}"),
            ("请问在哪里丢的？", "丢失地点是哪儿？"),
        ),
        Missing(
            "thing",
            ("I lost something at {place}, report it.", "left something at {place}, tell the lost property office"),
            ("What did you lose?", "What is it that you lost?"),
            ("我在{place}丢了东西，登记一下。", "有东西落在{place}了，报失"),
            ("请问丢了什么？", "是什么东西？"),
        ),
    ),
    also=("airline.baggage",),
)

SEARCH_FOUND = Family(
    key="civic.search_found",
    names=("search_found_items", "found_property_search", "check_lost_and_found", "was_it_handed_in"),
    about=(
        "Look whether a lost thing was found.",
        "Searches what was handed in at lost property. Reports nothing.",
        "Found items.",
    ),
    about_zh=("查找招领物品。", "看看丢的东西有没有人捡到上交。"),
    params=(
        Param("thing", BELONGING, ("item", "keyword", "object"), ("What to look for",), ("物品",)),
        Param("colour", COLOUR, ("color", "colour"), ("Colour",), ("颜色",), False),
        Param("city", City(0.0), ("city", "office"), ("City of the office",), ("城市",), False),
    ),
    asks=(
        "Has anybody handed in a {thing}[ in {city}][, colour {colour}]?",
        "was my {thing} found[? it is {colour}]",
        "look in lost and found for a {thing}[, {colour}][, {city}]",
        "Maybe an honest person found my {thing}[ in {city}]. Can you check?",
        "any {colour} {thing} at the lost property office[ in {city}]?",
        "did someone bring in a {thing}",
        "my {thing} has been missing for a week, see if it turned up[ in {city}]",
        "found items: {thing}[, {colour}]",
        "fingers crossed: is there a {thing} on the shelves of the finders' office[, {colour}][, {city}]",
    ),
    asks_zh=(
        "有人捡到{thing}吗[？{colour}的]",
        "失物招领那边有没有{thing}[，{city}]",
        "我的{thing}找到没有[？是{colour}的]",
        "看看有没有好心人交了{thing}[，在{city}丢的]",
        "招领处有{colour}{thing}吗",
        "丢了一周的{thing}，查查有没有人上交",
        "搜一下招领物品：{thing}[，{colour}]",
        "{city}失物招领，找{thing}",
        "有谁把{thing}交过去了吗",
        "帮我找找捡到的{thing}里有没有我的[，颜色{colour}]",
        "碰碰运气，招领架子上有没有{thing}[，{colour}][，{city}的]",
    ),
    outcomes=(
        Outcome(
            fields=(("matches", Result(1, 6)), ("shelf", Code(("A-99", "R99")))),
            texts=("{matches} matches, see shelf {shelf}",),
            texts_zh=("{matches}件符合，货架{shelf}",),
            answers=(
                "Matches: {matches}, on shelf {shelf}.",
                "It may be there: {matches} on shelf {shelf}.",
                "Found {matches}; ask for {shelf}.",
            ),
            answers_zh=(
                "有{matches}件符合，在{shelf}架。",
                "找到{matches}件类似的，货架号{shelf}。",
                "可能在{shelf}，共{matches}件。",
            ),
        ),
    ),
    missing=(
        Missing(
            "thing",
            ("Has my lost thing been found?", "check the lost and found for me"),
            ("What are you looking for?", "What did you lose?"),
            ("我丢的东西找到了吗？", "帮我查查失物招领"),
            ("请问丢的是什么？", "要找什么物品？"),
        ),
    ),
)
