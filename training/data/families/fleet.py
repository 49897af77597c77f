"""A company's vehicles: where they are, who drives them, their service and their mishaps."""

from training.data.family import Ask, Domain, Draw, Drawn, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Decimal, Flag, Integer, Made, Word
from training.data.times import Clock, Day
from training.data.wordings import pool
from training.data.world import City, Person


def _plate(draw: Draw) -> Drawn:
    """A number plate of the country that the user speaks the language of."""
    patterns = (
        ("沪A99999", "粤A9A999", "京A99A99", "苏A99999")
        if draw.language == "zh"
        else ("AA-999", "AAA 9999", "99-AA-99")
    )
    return Code(patterns).draw(draw)


PLATE = Made(_plate)
PLATE_PARAM = Param(
    "plate", PLATE, ("plate", "registration", "license_plate", "vehicle"), ("Number plate",), ("车牌号",)
)

LOCATE = Family(
    key="fleet.locate",
    names=("locate_vehicle", "fleet_position", "vehicle_tracker", "where_is_truck"),
    about=(
        "Where a vehicle of the fleet is.",
        "Position and fuel of a company vehicle by its plate.",
        "Fleet tracking.",
    ),
    about_zh=("查询车队车辆位置。", "按车牌返回车辆所在地和剩余油量。"),
    params=(PLATE_PARAM,),
    asks=(
        "Where is {plate} right now?",
        "position of the van {plate}",
        "Has {plate} reached the customer yet? Where is it?",
        "our driver in {plate} doesn't pick up the phone, find the truck",
        "how much diesel is left in {plate}",
        "track {plate}",
        "The gate asks when {plate} comes in. How far away is it?",
        "Does {plate} need to fill up soon?",
        "show me {plate} on the map",
        "what's the location of the lorry with plate {plate}",
    ),
    asks_zh=(
        "{plate}现在在哪？",
        "查下车牌{plate}的位置",
        "{plate}到客户那儿了吗，走到哪了",
        "司机不接电话，看看{plate}在哪儿",
        "{plate}还有多少油",
        "定位{plate}",
        "门卫问{plate}什么时候进来，车到哪了？",
        "{plate}要不要加油了？",
        "公司那辆{plate}跑到哪里去了",
        "{plate}货车的实时位置",
        "看看{plate}离得远不远",
    ),
    outcomes=(
        Outcome(
            fields=(("near", City(0)), ("fuel_percent", Integer(5, 98))),
            texts=("near {near}, fuel {fuel_percent}%",),
            texts_zh=("在{near}附近，油量{fuel_percent}%",),
            answers=(
                "{plate} is near {near}, with {fuel_percent}% of its fuel left.",
                "It's close to {near}.",
                "The vehicle is near {near}; the tank is {fuel_percent}% full.",
            ),
            answers_zh=(
                "{plate}在{near}附近，油量{fuel_percent}%。",
                "车在{near}附近。",
                "{plate}还有{fuel_percent}%的油，位置在{near}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "plate",
            ("Where is our truck?", "locate the van for me"),
            ("What is its number plate?", "Which vehicle do you mean?"),
            ("车现在到哪了？", "定位一下公司的车"),
            ("请问车牌号是多少？", "是哪辆车？"),
        ),
    ),
    also=("getting_around.find_car",),
)

ASSIGN = Family(
    key="fleet.assign",
    names=("assign_driver", "give_vehicle_to", "set_driver", "allocate_vehicle", "driver_assignment"),
    about=(
        "Assign a driver to a vehicle.",
        "Says who drives which vehicle on a day, and from when.",
        "Vehicle allocation of the company fleet; taxis are ordered elsewhere.",
    ),
    about_zh=("给车辆安排司机。", "指定某天由谁开哪辆车。"),
    params=(
        Param("driver", Person(), ("driver", "employee", "assigned_driver"), ("Who drives",), ("司机",)),
        PLATE_PARAM,
        Param("day", Day(0, 20), ("date", "day", "shift_date"), ("Day of the trip",), ("日期",)),
        Param("start", Clock(5, 15), ("start_time", "from_time"), ("Start of the shift",), ("开始时间",), False),
    ),
    asks=(
        "{driver} drives {plate} {day}[, starting at {start}].",
        "give {plate} to {driver} on {day}",
        "Put {driver} behind the wheel of {plate} {day}[ from {start}].",
        "{day}: {plate} -> {driver}[, {start}]",
        "I want {driver} to take {plate} on {day}[, off at {start}]",
        "Can you assign {plate} to {driver} for {day}?",
        "Our usual man is ill. {driver} will have to take over {plate} {day}[ at {start}].",
        "for {day} the van {plate} goes to {driver}",
        "{driver} needs wheels {day}[ from {start}], let it be {plate}",
    ),
    asks_zh=(
        "{day}{plate}让{driver}开[，{start}出车]",
        "安排{driver}{day}开{plate}",
        "{plate}这台车，{day}派给{driver}",
        "老司机病了，{day}由{driver}顶上开{plate}[，{start}开始]",
        "{driver}{day}要用车，给他{plate}[，{start}起]",
        "{day}的班：{driver}，车{plate}[，{start}]",
        "把{plate}分配给{driver}，{day}用",
        "{day}{driver}跑{plate}这辆车",
        "{plate}换{driver}开，{day}[{start}]开始",
        "司机{driver}，车牌{plate}，{day}，排一下",
    ),
    outcomes=(
        Outcome(
            fields=(("assignment", Code(("F-9999", "DR99999"))),),
            texts=("assigned, {assignment}",),
            texts_zh=("已安排，{assignment}",),
            answers=("{driver} drives {plate}.", "Done: {plate} goes to {driver}.", "Assigned under {assignment}."),
            answers_zh=("已安排{driver}开{plate}。", "好了，{plate}归{driver}开。", "排好了，编号{assignment}。"),
        ),
    ),
    missing=(
        Missing(
            "driver",
            ("Somebody has to drive {plate} {day}.", "assign a driver to {plate} for {day}"),
            ("Who should drive {plate}?", "Which driver should I assign?"),
            ("{day}给{plate}安排个司机", "{plate}这车{day}要出，排个人"),
            ("请问让谁开？", "安排哪位司机？"),
        ),
        Missing(
            "plate",
            ("{driver} needs a vehicle {day}.", "give {driver} a van on {day}"),
            ("Which vehicle should {driver} get?", "What is the plate of the vehicle?"),
            ("{day}给{driver}派辆车", "{driver}{day}要用车"),
            ("请问派哪辆车？", "车牌号是多少？"),
        ),
    ),
)

FUEL = Family(
    key="fleet.fuel",
    names=("fleet_fuel_log", "record_fill_up", "fuel_entry", "add_tank_receipt"),
    about=(
        "Record a fill-up of a vehicle.",
        "Writes litres, mileage and kind of fuel into the vehicle's book.",
        "Fuel log. It does not pay and does not find filling stations.",
    ),
    about_zh=("登记车辆加油。", "记录加油升数、里程和油品。"),
    params=(
        PLATE_PARAM,
        Param("litres", Decimal(8, 320), ("litres", "volume_l", "quantity"), ("Litres filled in",), ("升数",)),
        Param(
            "mileage",
            Integer(1200, 380000),
            ("odometer_km", "mileage"),
            ("Kilometres on the clock",),
            ("里程数",),
            False,
        ),
        Param(
            "fuel",
            Choice(
                {
                    "diesel": (("diesel",), ("柴油",)),
                    "petrol": (("petrol", "gasoline"), ("汽油",)),
                    "gas": (("natural gas", "CNG"), ("天然气",)),
                },
            ),
            ("fuel_type", "fuel"),
            ("Kind of fuel",),
            ("油品",),
            False,
        ),
    ),
    asks=(
        "I put {litres} litres[ of {fuel}] into {plate}[, {mileage} km on the clock].",
        "{plate} refuelled: {litres} l[ {fuel}][, odometer {mileage}]",
        "log {litres} litres for {plate}",
        "Just filled up {plate}, {litres} litres went in[. It has done {mileage} kilometres].",
        "fuel book {plate}: {litres} litres[ {fuel}]",
        "note for {plate}, tank receipt says {litres} litres[ of {fuel}]",
        "The tank of {plate} took {litres} litres[ at {mileage} km], write it down.",
        "{litres} litres[ of {fuel}] in {plate}, please record",
        "back from the pump with {plate}: {litres} litres",
    ),
    asks_zh=(
        "{plate}加了{litres}升[{fuel}][，里程{mileage}]",
        "登记加油：{plate}，{litres}升",
        "刚给{plate}加满，{litres}升[，表上{mileage}公里]",
        "{plate}加油{litres}升，记一下",
        "小票上写{litres}升[{fuel}]，车是{plate}，录入一下",
        "油耗本：{plate}，{litres}升[，{mileage}公里]",
        "我刚从加油站回来，{plate}加了{litres}升[{fuel}]",
        "记录{plate}的加油，数量{litres}升[，里程表{mileage}]",
        "{litres}升[{fuel}]，{plate}，入账",
        "{plate}今天喝了{litres}升[{fuel}]，帮我登上",
    ),
    outcomes=(
        Outcome(
            fields=(("litres_per_100km", Decimal(5, 34)),),
            texts=("saved, {litres_per_100km} l/100 km",),
            texts_zh=("已登记，百公里{litres_per_100km}升",),
            answers=(
                "Noted for {plate}. It uses {litres_per_100km} litres per 100 km.",
                "Recorded: {litres} litres.",
                "It's in the book of {plate}.",
            ),
            answers_zh=(
                "{plate}加油已登记，百公里{litres_per_100km}升。",
                "记好了，{litres}升。",
                "已录入{plate}的加油记录。",
            ),
        ),
    ),
    missing=(
        Missing(
            "litres",
            ("I filled up {plate}, log it.", "record a tank stop for {plate}"),
            ("How many litres did you fill in?", "How many litres went into {plate}?"),
            ("{plate}加了油，登记一下", "给{plate}记一笔加油"),
            ("请问加了多少升？", "{plate}加了几升？"),
        ),
    ),
    also=("car_care.log_fuel",),
)

SERVICE = Family(
    key="fleet.service_due",
    names=("service_due", "fleet_service_deadline", "vehicle_service_status", "inspection_deadline"),
    about=(
        "When a vehicle needs its next service or inspection.",
        "Deadline of the oil change, the tyres or the official inspection.",
        "Looks up a date; books no workshop.",
    ),
    about_zh=("查询车辆下次保养或年检时间。", "返回换机油、换胎或年检的到期日，不预约。"),
    params=(
        PLATE_PARAM,
        Param(
            "kind",
            Choice(
                {
                    "oil": (("oil change", "new oil"), ("换机油", "机油保养")),
                    "tyres": (("tyre change", "new tyres"), ("换轮胎", "换胎")),
                    "inspection": (("official inspection", "roadworthiness test"), ("年检", "验车")),
                    "brakes": (("brake check",), ("刹车检查", "检查刹车")),
                }
            ),
            ("service_type", "kind", "job"),
            ("Which job",),
            ("项目",),
        ),
    ),
    asks=(
        "When is the next {kind} for {plate}?",
        "{plate}, {kind}, due when",
        "Is {plate} overdue for its {kind}?",
        "how long can {plate} still drive before the {kind}",
        "The police asked about the {kind} of {plate}. By when does it have to be done?",
        Ask("does {plate} still have valid papers from the inspection, or till when", {"kind": "inspection"}),
        Ask("The oil in {plate} must be ancient. When should it be changed?", {"kind": "oil"}),
        Ask("winter is coming, when do the tyres of {plate} have to be changed", {"kind": "tyres"}),
        "tell me the date for {plate}: {kind}",
        "did we miss the {kind} on {plate}",
    ),
    asks_zh=(
        "{plate}什么时候该{kind}？",
        "{plate}是不是该{kind}了，哪天？",
        "查一下{plate}{kind}的日期",
        "{plate}还能跑多久才要{kind}",
        Ask("交警问{plate}的年检，什么时候到期？", {"kind": "inspection"}),
        Ask("{plate}的机油该换了吧，哪天到期", {"kind": "oil"}),
        Ask("冬天快到了，{plate}的轮胎啥时候换", {"kind": "tyres"}),
        Ask("{plate}刹车有点软，检查日期是哪天？", {"kind": "brakes"}),
        "我们是不是错过了{plate}的{kind}",
        "{plate}下次{kind}是几号",
        "{kind}，{plate}，哪天？",
    ),
    outcomes=(
        Outcome(
            fields=(("due", Day(3, 200)), ("km_left", Integer(200, 18000, 100))),
            texts=("due {due}, {km_left} km left",),
            texts_zh=("到期日{due}，还剩{km_left}公里",),
            answers=(
                "It is due on {due}.",
                "{plate} is due on {due}, or after {km_left} km.",
                "By {due}; {km_left} km are left.",
            ),
            answers_zh=(
                "到期日是{due}。",
                "{plate}在{due}到期，或再跑{km_left}公里。",
                "{due}之前，还剩{km_left}公里。",
            ),
        ),
    ),
    missing=(
        Missing(
            "kind",
            ("What is due on {plate}?", "check the deadline for {plate}"),
            ("Oil, tyres, brakes or the inspection?", "Which job do you mean?"),
            ("{plate}什么时候到期？", "查下{plate}的日子"),
            ("请问查机油、轮胎、刹车还是年检？", "您问的是哪个项目？"),
        ),
    ),
    also=("car_care.inspection_due",),
)

MISHAP = Family(
    key="fleet.mishap",
    names=("report_vehicle_damage", "accident_report", "file_damage", "log_incident"),
    about=(
        "Report damage to a company vehicle.",
        "Files an accident: where, what was hit, and whether people were hurt.",
        "Damage report for the fleet manager. It calls no ambulance.",
    ),
    about_zh=("上报车辆事故或损坏。", "登记事故地点、受损部位和是否有人受伤。"),
    params=(
        PLATE_PARAM,
        Param(
            "part",
            Word(
                pool(
                    """left mirror | rear bumper | windscreen | front door | tail light | front wheel | roof
                    loading ramp | right headlight | tailgate | number plate holder | radiator | rear window
                    side panel | exhaust | fuel cap | wiper | antenna | driver's seat | sliding door"""
                ),
                pool(
                    """左后视镜 | 后保险杠 | 挡风玻璃 | 前门 | 尾灯 | 前轮 | 车顶 | 尾板 | 右大灯 | 后备箱盖 | 水箱
                    后窗 | 侧围 | 排气管 | 油箱盖 | 雨刮器 | 天线 | 驾驶座 | 滑动门 | 车牌架"""
                ),
            ),
            ("damaged_part", "part", "damage"),
            ("What is damaged",),
            ("受损部位",),
        ),
        Param("city", City(0), ("place", "where", "city"), ("Where it happened",), ("地点",), False),
        Param("injured", Flag(), ("people_hurt", "injuries"), ("Whether anybody was hurt",), ("是否有人受伤",), False),
    ),
    asks=(
        "I had a crash with {plate}[ in {city}], the {part} is damaged.",
        "damage report {plate}: {part}[, {city}]",
        Ask("Accident with {plate}[ in {city}]! The {part} is gone, but nobody is hurt.", {"injured": False}),
        Ask("{plate} was hit[ in {city}], {part} broken and the driver is injured", {"injured": True}),
        "somebody scratched {plate} overnight, it's the {part}",
        "Please tell the fleet manager that the {part} of {plate} is broken[. It happened in {city}].",
        "backed {plate} into a post[ in {city}], {part} dented, sorry",
        "{part} of {plate} smashed, file it",
        Ask("no one was hurt, luckily. It's {plate}, the {part}[, in {city}]. Report it please.", {"injured": False}),
    ),
    asks_zh=(
        "{plate}出事故了，{part}坏了[，在{city}]",
        "上报：{plate}，{part}受损[，地点{city}]",
        Ask("{plate}[在{city}]被撞了，{part}坏了，人没事", {"injured": False}),
        Ask("{plate}[在{city}]追尾，{part}撞烂了，司机受伤了", {"injured": True}),
        "昨晚不知道谁把{plate}刮了，{part}有伤",
        "倒车没看见柱子，{plate}的{part}碰了[，人在{city}]",
        "跟车队报一下，{plate}{part}损坏",
        "登记车损，{plate}，{part}",
        Ask("还好没人受伤，{plate}的{part}坏了[，{city}]，报一下", {"injured": False}),
        "{plate}的{part}裂了，走个事故登记[，{city}]",
    ),
    outcomes=(
        Outcome(
            fields=(("claim", Code(("DMG-9999", "U99999"))),),
            texts=("filed as {claim}",),
            texts_zh=("已登记，编号{claim}",),
            answers=(
                "The damage to {plate} is reported as {claim}.",
                "Filed: {claim}.",
                "Reported; the number is {claim}.",
            ),
            answers_zh=("{plate}的车损已登记，编号{claim}。", "报好了，{claim}。", "已上报，编号{claim}。"),
        ),
    ),
    missing=(
        Missing(
            "part",
            ("I had an accident with {plate}.", "{plate} got damaged in {city}, report it"),
            ("What is damaged?", "Which part of {plate} was hit?"),
            ("{plate}出事故了", "{plate}被人撞了，上报一下"),
            ("请问哪里受损了？", "{plate}坏了哪个部位？"),
        ),
    ),
    also=("car_care.breakdown", "insurance.file_claim"),
)

DOMAIN = Domain(
    "fleet",
    (LOCATE, ASSIGN, FUEL, SERVICE, MISHAP),
    unserved=(
        ("Buy a second electric van.", "再买一辆电动面包车。"),
        ("Wash the blue truck.", "把蓝色卡车洗一洗。"),
        ("Renew the insurance of all cars.", "给所有车续保。"),
        ("Which driver has the most points on the licence?", "哪个司机扣分最多？"),
        ("Book the workshop for Friday.", "约一下周五的修理厂。"),
        ("Charge the toll to the customer.", "把过路费算给客户。"),
        ("Lend my own car to a colleague.", "把我自己的车借给同事。"),
        ("Sell the old bus.", "把旧大巴卖了。"),
        ("Show the dash camera video of this morning.", "调出今早行车记录仪的视频。"),
        ("Remove the speed limiter from the van.", "把面包车的限速器拆掉。"),
        ("How do I change a tyre on a lorry?", "货车怎么换轮胎？"),
        ("Order winter chains for six trucks.", "给六辆卡车订防滑链。"),
    ),
)
