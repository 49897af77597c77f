"""Warehouses and the shop floor: stock, shipments, machines and their repair."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Record, Word
from training.data.times import Day, Duration
from training.data.wordings import composed, pool
from training.data.world import City, Person

ARTICLE = Word(
    pool(
        """hinges | copper wire | work gloves | light bulbs | paint rollers | hex bolts | cardboard boxes
        ball bearings | rubber seals | garden hoses | floor tiles | safety vests | door handles | packing tape
        steel pipes | batteries | water filters | shelf brackets | solar panels | bike chains | drill bits
        cable drums | air filters | screws"""
    ),
    pool(
        """铰链 | 铜线 | 劳保手套 | 灯泡 | 滚筒刷 | 六角螺栓 | 纸箱 | 轴承 | 密封圈 | 水管 | 地砖 | 反光背心
        门把手 | 封箱胶带 | 钢管 | 电池 | 滤芯 | 支架 | 太阳能板 | 自行车链条 | 钻头 | 电缆 | 空气滤芯 | 螺丝"""
    ),
)
BIN = Code(("A-99", "B-99-9", "C99", "D-9-99", "R99-9", "H9-99"))
MACHINE = composed(
    ("{kind} {number}",),
    ("{number}号{kind}",),
    {
        "kind": pool(
            """lathe | milling machine | press | packing line | conveyor | laser cutter | bottling line
            welding robot | labeller | oven | compressor | injection moulder | palletiser | saw"""
        ),
        "number": pool("1 | 2 | 3 | 4 | 5 | 7 | 12"),
    },
    {
        "kind": pool(
            """车床 | 铣床 | 冲压机 | 包装线 | 传送带 | 激光切割机 | 灌装线 | 焊接机器人 | 贴标机 | 烘箱 | 空压机
            注塑机"""
        ),
        "number": pool("1 | 2 | 3 | 4 | 5 | 7 | 12"),
    },
)

STOCK = Family(
    key="warehouse.count",
    names=("stock_on_hand", "warehouse_stock", "inventory_level", "count_in_warehouse", "article_quantity"),
    about=(
        "How many of an article lie in the warehouse.",
        "Quantity on hand and the bin where it is stored.",
        "Inventory of our own warehouse. Shops and their prices are not in it.",
    ),
    about_zh=("查询仓库库存数量。", "某物料在仓库还有多少、放在哪个货位。"),
    params=(
        Param("article", ARTICLE, ("article", "item", "sku_name", "material"), ("What to count",), ("物料名称",)),
        Param("site", City(0), ("site", "warehouse_city"), ("City of the warehouse",), ("仓库所在城市",), False),
    ),
    asks=(
        "How many {article} do we have left in the warehouse[ in {site}]?",
        "{article} on hand[, {site} site]",
        "Are we running out of {article}[ in {site}]?",
        "A customer just phoned about {article}. Can we deliver from our own store[ in {site}]?",
        "stock level {article}",
        "the guys on the line are asking for more {article}, is there anything left on the shelves",
        "Where do we keep the {article} and how many are there[ in {site}]?",
        "Before I reorder {article}: what does the inventory say[ for {site}]?",
        "Check the warehouse[ in {site}] for {article}, please.",
        "do we still have {article}[ over in {site}]",
    ),
    asks_zh=(
        "仓库里{article}还有多少？",
        "[{site}仓]{article}库存",
        "{article}是不是快没了[，看下{site}的仓库]",
        "客户要{article}，[{site}仓库]有货发吗？",
        "查一下{article}还剩几件",
        "产线在催{article}，库里还有没有",
        "{article}放在哪个货位，有多少[？{site}那边的]",
        "下单补货之前，先看看{article}的结存",
        "[{site}]{article}还够用吗",
        "盘一下{article}",
        "我们自己库房的{article}剩多少了",
    ),
    outcomes=(
        Outcome(
            fields=(("quantity", Integer(0, 4200)), ("bin", BIN)),
            texts=("{quantity} pcs in {bin}",),
            texts_zh=("{bin}货位，{quantity}件",),
            answers=(
                "There are {quantity} {article} in bin {bin}.",
                "We have {quantity}, stored in {bin}.",
                "{quantity} are left; you find them in {bin}.",
            ),
            answers_zh=(
                "{article}还有{quantity}件，在{bin}货位。",
                "库存{quantity}，货位{bin}。",
                "还剩{quantity}件，放在{bin}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "article",
            ("How much do we have in stock?", "check the warehouse in {site} for me"),
            ("Which article do you mean?", "What should I look for?"),
            ("仓库里还有多少？", "帮我查下库存"),
            ("请问查哪种物料？", "要查什么东西的库存？"),
        ),
    ),
    also=("shopping_orders.store_stock",),
)

RELOCATE = Family(
    key="warehouse.relocate",
    names=("move_stock", "relocate_goods", "transfer_bin", "bin_to_bin", "restow_article"),
    about=(
        "Book goods from one bin to another.",
        "Moves a quantity of an article between two storage places.",
        "Relocation inside the warehouse; nothing leaves the house.",
    ),
    about_zh=("货位之间移库。", "把一定数量的物料从一个货位移到另一个货位。"),
    params=(
        Param("article", ARTICLE, ("article", "item", "material"), ("What is moved",), ("物料",)),
        Param("quantity", Integer(2, 900), ("quantity", "qty", "pieces"), ("How many",), ("数量",)),
        Param("source", BIN, ("from_bin", "source_bin", "from_location"), ("Bin it lies in now",), ("原货位",)),
        Param("target", BIN, ("to_bin", "target_bin", "to_location"), ("Bin it goes to",), ("目标货位",)),
    ),
    asks=(
        "Move {quantity} {article} from {source} to {target}.",
        "{quantity} {article}, {source} -> {target}",
        "book {quantity} {article} out of {source} and into {target}",
        "We need room in {source}: put {quantity} {article} over to {target}.",
        "I've just carried {quantity} {article} from {source} across to {target}, please record it",
        "{target} gets {quantity} {article} from {source}",
        "relocate {article}: {quantity} pieces, from bin {source} to bin {target}",
        "The forklift took {quantity} {article} from {source}; they stand in {target} now.",
        "shift {quantity} of the {article} lying in {source} to {target}",
    ),
    asks_zh=(
        "把{quantity}件{article}从{source}移到{target}",
        "{article}移库，{source}到{target}，{quantity}件",
        "{source}太满了，挪{quantity}件{article}去{target}",
        "刚用叉车把{quantity}件{article}从{source}搬到了{target}，系统里登一下",
        "{target}货位补{quantity}件{article}，从{source}出",
        "从{source}拿{quantity}件{article}放{target}",
        "{quantity}件{article}换位置：原来{source}，现在{target}",
        "帮我做个移位，物料{article}，数量{quantity}，{source}转{target}",
        "{source}的{article}调{quantity}件到{target}",
        "{article} {quantity}件 {source}→{target}",
    ),
    outcomes=(
        Outcome(
            fields=(("document", Code(("MV-99999", "T999999"))), ("left_in_source", Integer(0, 300))),
            texts=("booked {document}, {left_in_source} left",),
            texts_zh=("已过账{document}，原货位剩{left_in_source}",),
            answers=(
                "Booked: {quantity} {article} are now in {target}.",
                "Done under {document}; {left_in_source} are left in {source}.",
                "The move to {target} is recorded as {document}.",
            ),
            answers_zh=(
                "移好了，{quantity}件{article}在{target}。",
                "已登记，单号{document}，{source}还剩{left_in_source}件。",
                "移库完成，单号{document}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "target",
            ("Move {quantity} {article} out of {source}.", "{quantity} {article} have to leave {source}, book it"),
            ("To which bin?", "Where should the {article} go?"),
            ("从{source}移走{quantity}件{article}", "{source}的{article}要挪{quantity}件出来"),
            ("请问移到哪个货位？", "目标货位是哪个？"),
        ),
        Missing(
            "quantity",
            ("Move {article} from {source} to {target}.", "some {article} went from {source} to {target}"),
            ("How many pieces?", "How many {article} should I book?"),
            ("把{article}从{source}移到{target}", "{article}从{source}挪到{target}"),
            ("请问移多少件？", "数量是多少？"),
        ),
    ),
    fits=lambda drawn: drawn["source"].meaning != drawn["target"].meaning,
)

LOAD = Family(
    key="warehouse.dispatch",
    names=("create_shipment", "dispatch_goods", "book_freight", "plan_outbound_load", "ship_pallets"),
    about=(
        "Create a shipment to a city.",
        "Books freight for packages, with their kind and number.",
        "Outbound loads only. To follow a parcel use another tool.",
    ),
    about_zh=("创建发货单。", "按件数和包装类型安排货运，不用于查询物流。"),
    params=(
        Param("city", City(0), ("destination", "ship_to", "to_city"), ("Where it goes",), ("目的地",)),
        Param(
            "packages",
            ListOf(
                Record(
                    "{count} {type} of {goods}",
                    "{count}{type}{goods}",
                    {
                        "count": Integer(2, 30),
                        "type": Choice(
                            {
                                "pallet": (("pallets",), ("托",)),
                                "crate": (("crates",), ("木箱",)),
                                "drum": (("drums",), ("桶",)),
                                "carton": (("cartons",), ("箱",)),
                            }
                        ),
                        "goods": ARTICLE,
                    },
                ),
                1,
                3,
            ),
            ("packages", "load", "units"),
            ("What is sent",),
            ("货物",),
        ),
        Param("day", Day(0, 20), ("pickup_date", "ship_on", "loading_day"), ("Day of loading",), ("装车日期",), False),
        Param("fragile", Flag(), ("fragile", "handle_with_care"), ("Breaks easily",), ("是否易碎",), False),
    ),
    asks=(
        "Ship {packages} to {city}[ on {day}].",
        "we need a truck to {city}[ {day}], it's {packages}",
        "{packages} have to go to {city}[, loading {day}]",
        Ask("Book freight to {city} for {packages}, fragile.", {"fragile": True}),
        Ask("careful with this one, it breaks easily: {packages} for {city}", {"fragile": True}),
        "The client in {city} is waiting for {packages}. Get it on the road[ {day}].",
        "outbound {city}: {packages}[, {day}]",
        "Could you arrange a shipment of {packages} to {city}[ for {day}]?",
        "send off {packages}, destination {city}",
        "Our branch in {city} ordered {packages}, plan the load[ on {day}]",
    ),
    asks_zh=(
        "发{packages}到{city}[，{day}装车]",
        "[{day}]安排一车去{city}，{packages}",
        "{city}的客户在等{packages}，赶紧发出去",
        Ask("{packages}发{city}，易碎品", {"fragile": True}),
        Ask("这批怕碎，{packages}，送{city}", {"fragile": True}),
        "订个货运，目的地{city}，货是{packages}[，{day}提货]",
        "给{city}分公司发{packages}",
        "{packages}要走{city}[，{day}出库]",
        "帮我开个发货单：{city}，{packages}",
        "[{day}]往{city}发货，{packages}",
    ),
    outcomes=(
        Outcome(
            fields=(("shipment", Code(("SH-99999", "L999999"))), ("weight_kg", Integer(80, 9000, 10))),
            texts=("{shipment} created, {weight_kg} kg",),
            texts_zh=("发货单{shipment}，{weight_kg}公斤",),
            answers=(
                "Shipment {shipment} to {city} is booked.",
                "Done: {shipment}, {weight_kg} kg for {city}.",
                "It's planned as {shipment} and weighs {weight_kg} kg.",
            ),
            answers_zh=(
                "发往{city}的货单{shipment}已建好。",
                "安排好了，{shipment}，共{weight_kg}公斤。",
                "货单号{shipment}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "city",
            ("Ship {packages} on {day}.", "{packages} have to go out"),
            ("Where should it go?", "To which city?"),
            ("发{packages}", "{packages}要发走"),
            ("请问发到哪里？", "目的地是哪个城市？"),
        ),
        Missing(
            "packages",
            ("Book a truck to {city}.", "we have a load for {city}, arrange it"),
            ("What should be shipped?", "Which goods go to {city}?"),
            ("安排一车货去{city}", "往{city}发批货"),
            ("请问发什么货、多少件？", "要发哪些货？"),
        ),
    ),
)

MACHINE_STATE = Family(
    key="warehouse.machine",
    names=("machine_state", "line_monitor", "read_machine", "equipment_telemetry", "shop_floor_status"),
    about=(
        "State of a machine on the shop floor.",
        "Whether a machine runs, its temperature and its pieces per hour.",
        "Reads the sensors of production equipment; starts and stops nothing.",
    ),
    about_zh=("查询车间设备状态。", "读取机器是否运行、温度和每小时产量。"),
    params=(Param("machine", MACHINE, ("machine", "equipment_id", "asset", "unit"), ("Which machine",), ("设备",)),),
    asks=(
        "Is {machine} running?",
        "how's {machine} doing",
        "{machine} temperature and output",
        "Something smells burnt near {machine}. What do its sensors say?",
        "How many pieces an hour does {machine} make?",
        "did {machine} stop again",
        "The night shift complained about {machine}, check on it.",
        "status of {machine} please",
        "Can I send the men home or is {machine} still producing?",
        "tell me whether {machine} is too hot",
    ),
    asks_zh=(
        "{machine}在运行吗？",
        "{machine}现在什么情况",
        "{machine}的温度和产量",
        "{machine}那边有糊味，看看传感器数据",
        "{machine}每小时出多少件？",
        "{machine}是不是又停了",
        "夜班说{machine}不对劲，查一下",
        "看一下{machine}的状态",
        "{machine}过热了没有",
        "我不在车间，{machine}还转着吗？",
        "{machine}开着没",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("state", Word(("running",), ("运行中",))),
                ("temperature_c", Integer(22, 96)),
                ("pieces_per_hour", Integer(40, 900)),
            ),
            texts=("{state}, {temperature_c} °C, {pieces_per_hour}/h",),
            texts_zh=("{state}，{temperature_c}度，每小时{pieces_per_hour}件",),
            answers=(
                "Yes: {machine} is running at {temperature_c} °C.",
                "It is running, {pieces_per_hour} pieces an hour, {temperature_c} °C.",
                "{pieces_per_hour} pieces an hour, and {temperature_c} °C.",
            ),
            answers_zh=(
                "{machine}运行中，温度{temperature_c}度。",
                "在运行，每小时{pieces_per_hour}件，{temperature_c}度。",
                "{machine}每小时出{pieces_per_hour}件。",
            ),
        ),
        Outcome(
            fields=(("state", Word(("stopped",), ("停机",))), ("minutes_ago", Integer(2, 58))),
            texts=("{state} {minutes_ago} min ago",),
            texts_zh=("{state}，{minutes_ago}分钟前",),
            answers=("{machine} stopped {minutes_ago} minutes ago.", "It has been stopped for {minutes_ago} minutes."),
            answers_zh=("{machine}{minutes_ago}分钟前停机了。", "已经停机{minutes_ago}分钟。"),
        ),
    ),
    missing=(
        Missing(
            "machine",
            ("Is the machine running?", "how many pieces an hour are we making on it"),
            ("Which machine do you mean?", "Which machine should I check?"),
            ("机器还在转吗？", "看下设备状态"),
            ("请问是哪台设备？", "您说的是哪台机器？"),
        ),
    ),
)

REPAIR = Family(
    key="warehouse.repair",
    names=("order_maintenance", "request_repair", "maintenance_order", "report_breakdown", "schedule_service_job"),
    about=(
        "Order maintenance for a machine.",
        "Creates a repair job: what is broken, how urgent, and who should do it.",
        "For machines in production. Office computers are not repaired with it.",
    ),
    about_zh=("给设备报修。", "创建维修工单，可注明紧急程度和维修人员。"),
    params=(
        Param("machine", MACHINE, ("machine", "equipment", "asset_name"), ("Machine to repair",), ("设备",)),
        Param(
            "fault",
            Word(
                pool(
                    """oil leak | torn belt | strange noise | overheating | sensor failure | loose guard
                    blocked nozzle | worn bearing | emergency stop stuck | error E42 | bent blade
                    low air pressure | broken display | motor does not start | jammed feeder | missing screw
                    blown fuse | too much vibration"""
                ),
                pool(
                    """漏油 | 皮带断了 | 有异响 | 过热 | 传感器失灵 | 护罩松动 | 喷嘴堵了 | 轴承磨损 | 急停卡住
                    报错E42 | 刀片弯了 | 气压不足 | 屏幕坏了 | 电机不启动 | 进料卡住 | 少了颗螺丝 | 保险丝烧了
                    震动太大"""
                ),
            ),
            ("fault", "problem", "symptom"),
            ("What is wrong",),
            ("故障",),
        ),
        Param(
            "urgency",
            Choice(
                {
                    "low": (("low priority", "no hurry"), ("不急", "优先级低")),
                    "normal": (("normal priority",), ("正常处理", "普通优先级")),
                    "high": (("urgent", "high priority"), ("加急", "很急")),
                },
            ),
            ("urgency", "priority"),
            ("How urgent it is",),
            ("紧急程度",),
            False,
        ),
        Param("worker", Person(), ("assigned_to", "technician"), ("Who does it",), ("维修人员",), False),
        Param("time", Duration(), ("estimated_minutes", "planned_duration"), ("Time planned",), ("预计时长",), False),
    ),
    asks=(
        "{machine} is down: {fault}. Get it repaired[, {urgency}].",
        "report {fault} on {machine}[, {urgency}]",
        "maintenance for {machine}[, {worker} should do it]. Fault: {fault}",
        "We can't produce, {machine} has a problem: {fault}[. Send {worker}]",
        "{fault} at {machine}, please open a repair job[ and plan {time} for it]",
        "somebody has to look at {machine} ({fault})[, {urgency}]",
        "Could {worker} fix {machine}? The problem: {fault}[, {urgency}].",
        "repair order, {machine}, {fault}[, about {time}]",
        "the shift leader noted {fault} for {machine}. Make a job of it[, {urgency}][, for {worker}].",
    ),
    asks_zh=(
        "{machine}{fault}，报修[，{urgency}]",
        "给{machine}开个维修单，{fault}[，让{worker}去]",
        "{machine}出问题了：{fault}[，{urgency}]",
        "报修：{machine}，{fault}[，预计{time}]",
        "{machine}干不了活了，{fault}，找人修一下",
        "让{worker}修一下{machine}，故障是{fault}[，{urgency}]",
        "班长说{machine}{fault}，登记维修[，留{time}]",
        "车间里{machine}{fault}，叫维修[，{urgency}]",
        "{machine}需要检修，{fault}[，派{worker}]",
        "{fault}，{machine}，安排人修一下",
    ),
    outcomes=(
        Outcome(
            fields=(("job", Code(("WO-9999", "M99999"))),),
            texts=("work order {job} created",),
            texts_zh=("工单{job}已创建",),
            answers=(
                "Repair job {job} for {machine} is open.",
                "Done, the job number is {job}.",
                "{machine} is reported.",
            ),
            answers_zh=("{machine}的维修单{job}已开。", "已报修，工单号{job}。", "{machine}报修好了。"),
        ),
    ),
    missing=(
        Missing(
            "fault",
            ("Order a repair for {machine}.", "{machine} needs maintenance, {urgency}"),
            ("What is wrong with {machine}?", "What is the fault?"),
            ("{machine}报修", "给{machine}开个维修单"),
            ("请问{machine}是什么故障？", "出了什么问题？"),
        ),
        Missing(
            "machine",
            ("Report a fault: {fault}.", "we have a breakdown here, {fault}"),
            ("Which machine is it?", "On which machine?"),
            ("报修，{fault}", "有台机器{fault}，叫人来修"),
            ("请问是哪台设备？", "哪台机器{fault}？"),
        ),
    ),
    also=("tracker.create_ticket", "household.report_fault"),
)

DOMAIN = Domain(
    "warehouse",
    (STOCK, RELOCATE, LOAD, MACHINE_STATE, REPAIR),
    unserved=(
        ("Hire two more forklift drivers.", "再招两个叉车司机。"),
        ("Switch off the big press.", "把大冲压机关掉。"),
        ("Print new labels for the shelves.", "打印新的货架标签。"),
        ("Who worked the night shift on Sunday?", "周日夜班是谁上的？"),
        ("Draw me the floor plan of hall three.", "画一张三号车间的平面图。"),
        ("Order lunch for the drivers.", "给司机们订午饭。"),
        ("Register a new truck for the fleet.", "车队新登记一辆卡车。"),
        ("What does a pallet to Chile cost?", "发一托货到智利要多少钱？"),
        ("Start the yearly stocktaking.", "启动年度盘点。"),
        ("Pay the parking fine for the white van.", "把白色面包车的违停罚款交了。"),
        ("Teach the robot a new movement.", "教机器人一个新动作。"),
        ("Calculate the carbon footprint of the plant.", "算一下工厂的碳排放。"),
        ("Open gate four for the supplier.", "给供应商开一下四号门。"),
    ),
)
