"""Hotels and restaurants from the staff's side: guests, rooms, extras, tables, the kitchen's board."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Record, Word
from training.data.sums import Cash
from training.data.times import Clock
from training.data.wordings import pool
from training.data.world import Person

ROOM = Code(("199", "299", "399", "499", "599"))
TABLE = Word(tuple(map(str, range(1, 41))))
DISH = Word(
    pool(
        """mushroom soup | veal schnitzel | grilled trout | onion tart | lamb curry | spinach ravioli | lemon cake
        oysters | beef tartare | pumpkin risotto | apple strudel | fish and chips | duck breast | tomato salad
        crème brûlée | mussels | vegan burger | cheese board | paella | miso ramen | pork ribs | cherry pie"""
    ),
    pool(
        """蘑菇汤 | 红烧肉 | 清蒸鲈鱼 | 葱油饼 | 咖喱羊肉 | 菠菜水饺 | 柠檬蛋糕 | 生蚝 | 宫保鸡丁 | 南瓜粥 | 桂花糕
        炸鱼薯条 | 烤鸭 | 凉拌番茄 | 双皮奶 | 花甲粉丝 | 素汉堡 | 麻婆豆腐 | 海鲜炒饭 | 牛肉面 | 糖醋排骨
        小笼包"""
    ),
)

CHECK_IN = Family(
    key="hospitality.check_in",
    names=("check_in_guest", "register_arrival", "guest_arrival", "assign_room_to_guest"),
    about=(
        "Check a guest in.",
        "Books the arrival of a guest into a room, with the number of keys.",
        "For the front desk. Rooms are not reserved with it.",
    ),
    about_zh=("为客人办理入住。", "登记客人到店、房号和房卡数，不用于预订。"),
    params=(
        Param("guest", Person(0.8), ("guest", "guest_name", "name"), ("Who arrives",), ("客人姓名",)),
        Param("room", ROOM, ("room", "room_number"), ("Number of the room",), ("房号",)),
        Param("keys", Integer(2, 4), ("keys", "key_cards"), ("How many key cards",), ("房卡数",), False),
        Param("breakfast", Flag(), ("breakfast", "breakfast_included"), ("With breakfast",), ("是否含早餐",), False),
    ),
    asks=(
        "Check {guest} into room {room}[ with {keys} keys].",
        "{guest} is here, room {room}[, {keys} key cards]",
        "arrival: {guest}, {room}",
        Ask("{guest} has just come in and gets {room}, breakfast included", {"breakfast": True}),
        Ask("check in {guest}, room {room}, no breakfast", {"breakfast": False}),
        "A tired-looking {guest} stands at the desk. Put them in {room}[ and hand out {keys} cards].",
        "please register {guest} as arrived in {room}",
        "room {room} goes to {guest} tonight, do the check-in",
        "{guest} took the late train but is finally here; {room}",
    ),
    asks_zh=(
        "给{guest}办入住，{room}房[，{keys}张房卡]",
        "客人{guest}到了，住{room}",
        "客人{guest}入住{room}房间",
        Ask("{guest}到店，{room}，含早", {"breakfast": True}),
        Ask("{guest}住{room}，不要早餐，办一下入住", {"breakfast": False}),
        "前台：{guest}来了，安排{room}[，给{keys}张卡]",
        "登记一下，{guest}，房号{room}",
        "{guest}坐末班车刚到，办{room}的入住",
        "把{room}给{guest}，办理入住[，房卡{keys}张]",
        "{room}房{guest}check in",
    ),
    outcomes=(
        Outcome(
            fields=(("folio", Code(("F-9999", "99999"))),),
            texts=("checked in, folio {folio}",),
            texts_zh=("已入住，账号{folio}",),
            answers=(
                "{guest} is checked in to room {room}.",
                "Done, folio {folio}.",
                "Room {room} is booked in for {guest}.",
            ),
            answers_zh=("{guest}已入住{room}。", "办好了，账单号{folio}。", "{room}房已登记给{guest}。"),
        ),
    ),
    missing=(
        Missing(
            "room",
            ("Check in {guest}.", "our hotel guest {guest} has arrived"),
            ("Which room does {guest} get?", "Into which room?"),
            ("给{guest}办入住", "{guest}到店了"),
            ("请问安排哪个房间？", "{guest}住几号房？"),
        ),
        Missing(
            "guest",
            ("Somebody arrived for room {room}, check them in.", "check-in for {room} please"),
            ("What is the guest's name?", "Who is the guest?"),
            ("{room}房办入住", "{room}的客人到了"),
            ("请问客人叫什么名字？", "客人姓名是？"),
        ),
    ),
)

CLEANING = Family(
    key="hospitality.housekeeping",
    names=("set_room_status", "update_housekeeping", "room_state", "mark_room"),
    about=(
        "Set the state of a hotel room.",
        "Marks a room as clean, dirty, out of order or not to be disturbed.",
        "Housekeeping board. Guests are not moved.",
    ),
    about_zh=("更新客房状态。", "把房间标为干净、待清扫、维修或请勿打扰。"),
    params=(
        Param("room", ROOM, ("room", "room_number", "room_no"), ("Which room",), ("房号",)),
        Param(
            "state",
            Choice(
                {
                    "clean": (("clean",), ("干净", "已打扫")),
                    "dirty": (("dirty", "to be cleaned"), ("待打扫", "脏房")),
                    "out_of_order": (("out of order",), ("维修", "停用")),
                    "do_not_disturb": (("do not disturb",), ("请勿打扰", "免打扰")),
                },
            ),
            ("status", "state", "condition"),
            ("New state",),
            ("状态",),
        ),
    ),
    asks=(
        "Mark room {room} as {state}.",
        "{room} is {state}",
        "room {room}: {state}",
        Ask("I've just finished cleaning {room}.", {"state": "clean"}),
        Ask("the shower in {room} is broken, nobody can sleep there", {"state": "out_of_order"}),
        Ask("The guests in {room} left a battlefield, it needs cleaning.", {"state": "dirty"}),
        Ask("guest in {room} wants to be left alone today", {"state": "do_not_disturb"}),
        "please set {room} to {state} on the board",
        "housekeeping: {room}, {state}",
    ),
    asks_zh=(
        "{room}房标记为{state}",
        "{room}：{state}",
        "把{room}改成{state}",
        Ask("{room}刚打扫完", {"state": "clean"}),
        Ask("{room}的淋浴坏了，不能住人", {"state": "out_of_order"}),
        Ask("{room}退房了，乱得很，要打扫", {"state": "dirty"}),
        Ask("{room}的客人今天不想被打扰", {"state": "do_not_disturb"}),
        "房态更新，{room}，{state}",
        "客房部：{room}{state}",
        Ask("{room}收拾好了，可以卖", {"state": "clean"}),
    ),
    outcomes=(
        Outcome(
            fields=(("rooms_to_clean", Integer(0, 40)),),
            texts=("saved, {rooms_to_clean} rooms left to clean",),
            texts_zh=("已更新，还有{rooms_to_clean}间待打扫",),
            answers=("Room {room} is updated.", "Noted for {room}; {rooms_to_clean} rooms are left to clean.", "Done."),
            answers_zh=("{room}房态已更新。", "记下了，还有{rooms_to_clean}间要打扫。", "好了。"),
        ),
    ),
    missing=(
        Missing(
            "room",
            ("Set the room to {state}.", "one room is {state}, note it"),
            ("Which room?", "What is the room number?"),
            ("有间房改成{state}", "房间标为{state}"),
            ("请问是哪间房？", "房号是多少？"),
        ),
    ),
)

CHARGE = Family(
    key="hospitality.room_charge",
    names=("post_room_charge", "charge_to_room", "add_to_folio", "book_extra"),
    about=(
        "Put an extra on a room's bill.",
        "Charges the minibar, the laundry or the bar to a room.",
        "Adds to the bill; it does not take the payment.",
    ),
    about_zh=("把消费记到房账。", "将迷你吧、洗衣等费用挂到房间账单，不收款。"),
    params=(
        Param("room", ROOM, ("room", "room_number", "folio_room"), ("Room that pays",), ("房号",)),
        Param(
            "extra",
            Choice(
                {
                    "minibar": (("minibar",), ("迷你吧",)),
                    "laundry": (("laundry",), ("洗衣",)),
                    "bar": (("bar",), ("酒吧",)),
                    "spa": (("spa", "massage"), ("水疗", "按摩")),
                    "parking": (("parking",), ("停车",)),
                }
            ),
            ("item", "service", "charge_type"),
            ("What it is for",),
            ("项目",),
        ),
        Param("amount", Cash(4, 400), ("amount", "price", "sum"), ("How much",), ("金额",)),
    ),
    asks=(
        "Charge {amount} {extra} to room {room}.",
        "{room}, {extra}, {amount}",
        "put {amount} for {extra} on the bill of {room}",
        "The gentleman in {room} used the {extra}: {amount}, on his room please.",
        "room {room} owes {amount} for {extra}",
        "add {extra} {amount} to the folio of {room}",
        "{amount} from {room}, it was {extra}",
        "guests of {room} will pay at checkout, {extra}, {amount}",
        "book {extra} on {room}, {amount}",
    ),
    asks_zh=(
        "{room}房{extra}{amount}，挂房账",
        "把{amount}的{extra}费记到{room}",
        "{room}的客人用了{extra}，{amount}，退房一起结",
        "{extra}，{amount}，入{room}的账",
        "给{room}加一笔{extra}：{amount}",
        "房号{room}，{extra}消费{amount}",
        "{room}挂账{amount}，项目{extra}",
        "客人说记房间上，{room}，{extra}{amount}",
        "{room}账单上加{extra}{amount}",
        "{extra}{amount}，{room}先挂着",
    ),
    outcomes=(
        Outcome(
            fields=(("balance", Integer(40, 2400)),),
            texts=("posted, balance {balance}",),
            texts_zh=("已入账，余额{balance}",),
            answers=(
                "{amount} is on the bill of room {room}.",
                "Done; the bill stands at {balance}.",
                "Charged to {room}.",
            ),
            answers_zh=("{amount}已记到{room}房账。", "入好了，账单共{balance}。", "已挂到{room}。"),
        ),
    ),
    missing=(
        Missing(
            "room",
            ("Charge {amount} for {extra}.", "{extra}, {amount}, on the room"),
            ("To which room?", "What is the room number?"),
            ("{extra}{amount}，挂房账", "记一笔{extra}，{amount}"),
            ("请问挂哪个房间？", "房号是多少？"),
        ),
        Missing(
            "amount",
            ("Room {room} had {extra}, put it on the bill.", "{extra} for {room}"),
            ("How much was it?", "What is the amount?"),
            ("{room}用了{extra}，挂账", "{room}加一笔{extra}"),
            ("请问金额是多少？", "多少钱？"),
        ),
    ),
)

WAKE = Family(
    key="hospitality.wake_up",
    names=("schedule_wake_up_call", "wake_guest", "wake_up_service", "set_morning_call"),
    about=(
        "Arrange a wake-up call for a room.",
        "Rings a guest's room at a time.",
        "Wake-up service of the hotel; the user's own alarm is another thing.",
    ),
    about_zh=("安排客房叫醒服务。", "在指定时间给房间打叫醒电话。"),
    params=(
        Param("room", ROOM, ("room", "room_number"), ("Which room",), ("房号",)),
        Param("time", Clock(4, 10), ("time", "call_at", "wake_time"), ("When to ring",), ("叫醒时间",)),
    ),
    asks=(
        "Wake-up call for room {room} at {time}.",
        "ring {room} at {time}, please",
        "the couple in {room} have an early flight, wake them at {time}",
        "{room} wake up {time}",
        "Could you call room {room} at {time} so that they get up?",
        "guest of {room} must be out of bed by {time}, please phone",
        "morning call, {time}, {room}",
        "at {time} somebody has to get {room} up",
    ),
    asks_zh=(
        "{room}房{time}叫醒",
        "{time}叫醒一下{room}",
        "{room}的客人要赶飞机，{time}打电话叫一下",
        "叫醒服务：{room}，{time}",
        "{time}给{room}打叫早电话",
        "{room}要morning call，{time}",
        "帮{room}设{time}的叫早",
        "{room}客人怕睡过头，{time}叫他",
        "叫早，{time}，房号{room}",
        "{time}提醒{room}的客人起床",
    ),
    outcomes=(
        Outcome(
            fields=(("calls_that_morning", Integer(1, 20)),),
            texts=("set, {calls_that_morning} calls that morning",),
            texts_zh=("已设置，当天共{calls_that_morning}个叫早",),
            answers=("Room {room} will be called at {time}.", "The call at {time} is set.", "Done for {room}."),
            answers_zh=("{room}房{time}叫醒，已安排。", "叫早设好了，{time}。", "{room}的叫醒已登记。"),
        ),
    ),
    missing=(
        Missing(
            "time",
            ("Room {room} wants a wake-up call.", "wake {room} tomorrow"),
            ("At what time?", "When should I ring room {room}?"),
            ("{room}要叫醒服务", "明早叫一下{room}"),
            ("请问几点叫醒？", "{room}几点叫？"),
        ),
    ),
    also=("reminders.alarm",),
)

TICKET = Family(
    key="hospitality.order",
    names=("send_order_to_kitchen", "place_table_order", "kitchen_ticket", "enter_order"),
    about=(
        "Send a table's order to the kitchen.",
        "Enters dishes and how many of each for a table.",
        "For waiters in the house; no deliveries.",
    ),
    about_zh=("给餐桌下单到厨房。", "录入某桌点的菜和份数，仅限堂食。"),
    params=(
        Param("table", TABLE, ("table", "table_number", "table_no"), ("Which table",), ("桌号",)),
        Param(
            "dishes",
            ListOf(Record("{quantity} {dish}", "{quantity}份{dish}", {"dish": DISH, "quantity": Integer(1, 6)}), 1, 4),
            ("items", "dishes", "lines"),
            ("What they ordered",),
            ("菜品",),
        ),
        Param(
            "note",
            Word(
                pool(
                    """no salt | nut allergy | extra spicy | no onions | well done | gluten-free | sauce on the side
                in a hurry | no garlic | birthday table"""
                ),
                pool("少盐 | 坚果过敏 | 加辣 | 不要洋葱 | 全熟 | 无麸质 | 酱分开放 | 赶时间 | 不放蒜 | 不要香菜"),
            ),
            ("note", "kitchen_note"),
            ("Remark for the cook",),
            ("备注",),
            False,
        ),
    ),
    asks=(
        "Table {table} would like {dishes}[, {note}].",
        "table {table}: {dishes}[. Note: {note}]",
        "send {dishes} to the kitchen for table {table}",
        "{dishes} for table {table}[, and tell the cook {note}]",
        "New order, table {table}, {dishes}[, {note}].",
        "the family at table {table} finally decided: {dishes}",
        "Put in {dishes} for number {table}, please[ ({note})].",
        "kitchen! {dishes}, table {table}",
    ),
    asks_zh=(
        "{table}号桌点{dishes}[，{note}]",
        "{table}桌：{dishes}[，备注{note}]",
        "给{table}号桌下单，{dishes}",
        "{table}号桌终于选好了，{dishes}[，{note}]",
        "厨房，{table}桌要{dishes}",
        "{dishes}，{table}号桌[，跟师傅说{note}]",
        "加单：{table}号桌，{dishes}",
        "{table}桌一家人要{dishes}[，{note}]",
        "传菜单，{table}号，{dishes}",
        "{table}号桌来{dishes}",
    ),
    outcomes=(
        Outcome(
            fields=(("ready_in_minutes", Integer(6, 45)),),
            texts=("ready in {ready_in_minutes} min",),
            texts_zh=("{ready_in_minutes}分钟后出菜",),
            answers=(
                "Table {table}'s order is in; {ready_in_minutes} minutes.",
                "Sent, it's ready in {ready_in_minutes} minutes.",
                "The kitchen has it.",
            ),
            answers_zh=(
                "{table}号桌已下单，{ready_in_minutes}分钟出菜。",
                "下好了，大概{ready_in_minutes}分钟。",
                "厨房收到了。",
            ),
        ),
    ),
    missing=(
        Missing(
            "table",
            ("Send {dishes} to the kitchen.", "new order: {dishes}"),
            ("For which table?", "Which table ordered that?"),
            ("下单：{dishes}", "厨房来{dishes}"),
            ("请问是几号桌？", "哪一桌点的？"),
        ),
    ),
)

SOLD_OUT = Family(
    key="hospitality.sold_out",
    names=("mark_sold_out", "eighty_six_dish", "dish_unavailable", "take_off_menu"),
    about=(
        "Take a dish off tonight's menu.",
        "Marks a dish as sold out, so that nobody can order it.",
        "Menu board of the restaurant.",
    ),
    about_zh=("把菜品标为售罄。", "今晚停售某道菜。"),
    params=(
        Param("dish", DISH, ("dish", "menu_item", "item"), ("Which dish",), ("菜品",)),
        Param("until", Clock(16, 22), ("back_at", "until"), ("When it is back",), ("恢复时间",), False),
    ),
    asks=(
        "The {dish} is sold out[ until {until}].",
        "no more {dish} tonight",
        "86 the {dish}",
        "we've run out of {dish}[, there's more at {until}]",
        "Stop selling the {dish}[ until {until}], the last one just went.",
        "cook says {dish} is finished, take it off",
        "tell the waiters not to offer {dish} any more",
        "{dish}: gone[, back at {until}]",
    ),
    asks_zh=(
        "{dish}卖完了[，{until}再上]",
        "今晚{dish}没了",
        "{dish}沽清",
        "师傅说{dish}做完了，下架",
        "别再卖{dish}了[，{until}恢复]",
        "告诉服务员{dish}不要点了",
        "最后一份{dish}刚出，标售罄",
        "{dish}停售[到{until}]",
        "{dish}断货了，菜单上撤掉",
        "菜单里把{dish}关了",
    ),
    outcomes=(
        Outcome(
            fields=(("dishes_left_on_menu", Integer(6, 40)),),
            texts=("removed, {dishes_left_on_menu} dishes left",),
            texts_zh=("已停售，菜单剩{dishes_left_on_menu}道菜",),
            answers=(
                "The {dish} is off the menu.",
                "Done, {dishes_left_on_menu} dishes are left.",
                "Nobody can order it now.",
            ),
            answers_zh=("{dish}已停售。", "好了，菜单还剩{dishes_left_on_menu}道菜。", "{dish}已标为售罄。"),
        ),
    ),
    missing=(
        Missing(
            "dish",
            ("Something is sold out, take it off the menu.", "we ran out of a dish"),
            ("Which dish is it?", "What is sold out?"),
            ("有道菜卖完了", "菜单上撤一道菜"),
            ("请问是哪道菜？", "哪个菜卖完了？"),
        ),
    ),
)

DOMAIN = Domain(
    "hospitality",
    (CHECK_IN, CLEANING, CHARGE, WAKE, TICKET, SOLD_OUT),
    unserved=(
        ("Hire a second barkeeper.", "再招一个酒保。"),
        ("What did guests write about us online?", "客人在网上怎么评价我们？"),
        ("Change the price of the double rooms.", "改一下双人间的价格。"),
        ("Order ten kilos of flour.", "订十公斤面粉。"),
        ("Call a taxi for the lady in the lobby.", "给大堂的女士叫辆出租车。"),
        ("Find the owner of the lost ring.", "找一下丢戒指的失主。"),
        ("Put flowers on every table.", "每张桌子摆上花。"),
        ("Plan the shifts for Christmas.", "排一下圣诞节的班。"),
        ("Repair the ice machine.", "把制冰机修一下。"),
        ("Take the payment from table six.", "收一下六号桌的钱。"),
        ("Translate the menu into Dutch.", "把菜单翻成荷兰语。"),
        ("Turn down the music in the bar.", "把酒吧的音乐调小。"),
    ),
)
