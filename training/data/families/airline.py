"""An airline from the staff's side: gates, boarding, crews, passengers who miss their flight, bags that go astray."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Word
from training.data.times import Clock, Day, Duration
from training.data.wordings import pool
from training.data.world import City, Person

FLIGHT = Code(("LX999", "BA9999", "NK 999", "KQ99", "ZZ9999"))
GATE = Code(("A9", "A99", "B9", "C99", "D9", "99"))
SEAT = Code(("1C", "7F", "19D", "29B", "39E"))
LUGGAGE = Word(
    pool(
        """black suitcase | red backpack | blue duffel bag | guitar case | pram | green trolley | ski bag
        grey hard shell | pink kids' case | brown leather bag"""
    ),
    pool(
        """黑色箱子 | 红色双肩包 | 蓝色行李袋 | 吉他盒 | 婴儿车 | 绿色拉杆箱 | 滑雪包 | 灰色硬箱 | 粉色儿童箱
        棕色皮包"""
    ),
)

GATE_CHANGE = Family(
    key="airline.gate",
    names=("change_gate", "assign_gate", "set_departure_gate", "move_flight_to_gate"),
    about=(
        "Move a flight to another gate.",
        "Sets the gate from which a flight leaves, and announces it if wanted.",
        "For the operations desk. It doesn't tell passengers' own flight status.",
    ),
    about_zh=("更改航班登机口。", "设置航班的登机口，可选择广播通知。"),
    params=(
        Param("flight", FLIGHT, ("flight", "flight_number", "flight_no"), ("Flight",), ("航班号",)),
        Param("gate", GATE, ("gate", "new_gate", "gate_id"), ("New gate",), ("登机口",)),
        Param("announce", Flag(), ("announce", "broadcast"), ("Announce it in the hall",), ("是否广播",), False),
    ),
    asks=(
        "Move {flight} to gate {gate}.",
        "{flight} leaves from {gate} now",
        "gate change {flight}: {gate}",
        Ask("put {flight} on gate {gate} and announce it", {"announce": True}),
        Ask("quietly shift {flight} to gate {gate}, no announcement", {"announce": False}),
        "The bridge is broken, so {flight} has to board at gate {gate}.",
        "assign gate {gate} to {flight}",
        "can {flight} use gate {gate} instead? change it",
    ),
    asks_zh=(
        "{flight}改到{gate}登机口",
        "航班{flight}换登机口，{gate}",
        "{flight}现在从{gate}口走",
        Ask("{flight}挪到{gate}口，广播一下", {"announce": True}),
        Ask("{flight}换到登机口{gate}，不用广播", {"announce": False}),
        "廊桥坏了，{flight}去{gate}号口登机",
        "给{flight}分配登机口{gate}",
        "登机口变更：{flight}，{gate}",
        "把{flight}安排在{gate}登机口",
        "{flight}登机口调成{gate}",
    ),
    outcomes=(
        Outcome(
            fields=(("walk_minutes", Integer(2, 20)),),
            texts=("changed, {walk_minutes} min walk",),
            texts_zh=("已更改，步行{walk_minutes}分钟",),
            answers=(
                "{flight} leaves from gate {gate} now.",
                "Changed; it's a walk of {walk_minutes} minutes.",
                "Gate {gate} is set.",
            ),
            answers_zh=("{flight}已改到{gate}登机口。", "改好了，步行约{walk_minutes}分钟。", "登机口已设为{gate}。"),
        ),
    ),
    missing=(
        Missing(
            "gate",
            ("Change the gate of {flight}.", "{flight} needs another gate"),
            ("To which gate?", "Which gate should {flight} use?"),
            ("{flight}换个登机口", "更改{flight}的登机口"),
            ("请问改到哪个登机口？", "换到几号口？"),
        ),
    ),
)

HOLD = Family(
    key="airline.delay",
    names=("post_delay", "delay_flight", "set_flight_delay", "hold_departure"),
    about=(
        "Delay a flight.",
        "Posts how long a flight will be late and why.",
        "Enters a delay; asking about one is another tool.",
    ),
    about_zh=("发布航班延误。", "登记航班晚点时长和原因，不用于查询。"),
    params=(
        Param("flight", FLIGHT, ("flight", "flight_number"), ("Flight",), ("航班号",)),
        Param(
            "time",
            Duration("minutes", (10, 15, 20, 30, 40, 45, 60, 90, 120, 150, 180)),
            ("delay_minutes", "minutes", "delay"),
            ("How late it is",),
            ("延误时长",),
        ),
        Param(
            "cause",
            Choice(
                {
                    "weather": (("bad weather",), ("天气原因", "天气不好")),
                    "technical": (("a technical problem", "technical reasons"), ("机械故障", "技术原因")),
                    "crew": (("crew shortage", "a missing crew member"), ("机组人手不足", "机组原因")),
                    "late_arrival": (("late arrival of the aircraft",), ("前序航班晚到",)),
                }
            ),
            ("cause", "reason"),
            ("Why",),
            ("原因",),
            False,
        ),
    ),
    asks=(
        "Delay {flight} by {time}[ because of {cause}].",
        "{flight} +{time}[, {cause}]",
        "we can't leave yet, hold {flight} for {time}[, due to {cause}]",
        "post a delay of {time} for {flight}[, reason: {cause}]",
        Ask("Fog everywhere, bad weather... {flight} goes {time} late, put it on the boards.", {"cause": "weather"}),
        "{flight} will be {time} late[ owing to {cause}], enter it",
        "enter {time} delay on {flight}",
        "tell the system that {flight} departs {time} later than planned[, {cause}]",
    ),
    asks_zh=(
        "{flight}延误{time}[，{cause}]",
        "给{flight}登记晚点{time}",
        "{flight}推迟{time}起飞[，因为{cause}]",
        "还走不了，{flight}再等{time}[，{cause}]",
        "发布延误：{flight}，{time}[，原因{cause}]",
        Ask("外面大雾，天气不行，{flight}晚{time}，上屏", {"cause": "weather"}),
        "把{flight}往后推{time}",
        "航班{flight}要晚{time}，录入一下[，{cause}]",
        "{flight}[由于{cause}]晚点{time}，更新系统",
        "{flight}延{time}",
    ),
    outcomes=(
        Outcome(
            fields=(("passengers_informed", Integer(20, 320)),),
            texts=("posted, {passengers_informed} informed",),
            texts_zh=("已发布，通知{passengers_informed}人",),
            answers=(
                "{flight} is delayed by {time}.",
                "Posted; {passengers_informed} passengers are informed.",
                "The delay is entered.",
            ),
            answers_zh=("{flight}延误{time}，已发布。", "已登记，通知了{passengers_informed}位旅客。", "延误已录入。"),
        ),
    ),
    missing=(
        Missing(
            "time",
            ("{flight} is going to be late, enter it.", "post a delay for {flight}"),
            ("How long is the delay?", "By how much is {flight} late?"),
            ("{flight}要延误，登记一下", "给{flight}录个晚点"),
            ("请问延误多久？", "{flight}晚多长时间？"),
        ),
    ),
)

REBOOK = Family(
    key="airline.rebook",
    names=("rebook_passenger", "move_passenger", "transfer_to_flight", "change_passenger_flight"),
    about=(
        "Put a passenger on another flight.",
        "Rebooks somebody who missed the flight or whose flight was cancelled.",
        "For airline staff; new tickets are sold elsewhere.",
    ),
    about_zh=("为旅客改签。", "把误机或航班取消的旅客转到另一航班。"),
    params=(
        Param("passenger", Person(0.8), ("passenger", "passenger_name", "traveller"), ("Who",), ("旅客",)),
        Param("flight", FLIGHT, ("new_flight", "to_flight", "target_flight"), ("New flight",), ("新航班",)),
        Param("day", Day(0, 6), ("date", "travel_date"), ("Day of the new flight",), ("日期",)),
        Param("seat", SEAT, ("seat", "seat_number"), ("Seat, if one is wanted",), ("座位",), False),
    ),
    asks=(
        "Rebook {passenger} on {flight} {day}[, seat {seat}].",
        "{passenger} missed the plane, put them on {flight} {day}",
        "move {passenger} to {flight} on {day}[ in {seat}]",
        "{passenger} -> {flight}, {day}[, {seat}]",
        "Our cancelled guest {passenger} flies with {flight} on {day} instead[, give them {seat}].",
        "could you transfer {passenger} to {flight}, departing {day}",
        "there's room on {flight} {day}, take {passenger} on it",
        "new flight for {passenger}: {flight}, {day}[, seat {seat}]",
    ),
    asks_zh=(
        "把{passenger}改签到{day}的{flight}[，座位{seat}]",
        "{passenger}误机了，安排{day}{flight}",
        "{passenger}转{flight}，{day}走[，坐{seat}]",
        "航班取消，旅客{passenger}改{day}的{flight}",
        "改签：{passenger}，{flight}，{day}",
        "{day}的{flight}有空位，给{passenger}换上[，{seat}]",
        "帮{passenger}换成{flight}，日期{day}",
        "{passenger}没赶上飞机，换{day}{flight}这班",
        "旅客{passenger}，新航班{flight}，{day}[，{seat}座]",
        "给{passenger}重新安排{flight}，{day}出发",
    ),
    outcomes=(
        Outcome(
            fields=(("ticket", Code(("9999-999999", "TK99999"))),),
            texts=("rebooked, ticket {ticket}",),
            texts_zh=("已改签，票号{ticket}",),
            answers=(
                "{passenger} is on {flight} now.",
                "Rebooked under ticket {ticket}.",
                "Done: {passenger} flies with {flight}.",
            ),
            answers_zh=("{passenger}已改签到{flight}。", "改好了，票号{ticket}。", "{passenger}改坐{flight}。"),
        ),
    ),
    missing=(
        Missing(
            "flight",
            ("Rebook {passenger} for {day}.", "{passenger} missed the plane and has to fly {day}"),
            ("On which flight?", "Which flight should {passenger} take?"),
            ("给{passenger}改签到{day}", "{passenger}误机了，想{day}走"),
            ("请问改到哪个航班？", "新航班号是多少？"),
        ),
    ),
)

CREW = Family(
    key="airline.crew",
    names=("assign_crew", "roster_crew", "set_flight_crew", "crew_for_flight"),
    about=(
        "Put a crew on a flight.",
        "Names the people who fly and serve on a flight.",
        "Crew roster of one flight on one day.",
    ),
    about_zh=("安排航班机组。", "指定某航班某天的机组人员。"),
    params=(
        Param("flight", FLIGHT, ("flight", "flight_number"), ("Flight",), ("航班号",)),
        Param(
            "people", ListOf(Person(0.9), 2, 4), ("crew", "members", "crew_names"), ("Who is on board",), ("机组成员",)
        ),
        Param("day", Day(0, 14), ("date", "duty_date"), ("Day of the flight",), ("日期",)),
        Param("report", Clock(4, 20), ("report_time", "check_in_time"), ("When they report",), ("报到时间",), False),
    ),
    asks=(
        "Put {people} on {flight} {day}[, reporting at {report}].",
        "crew for {flight} on {day}: {people}[, show at {report}]",
        "{people} fly {flight} {day}",
        "roster {people} for {flight}, {day}[, check-in {report}]",
        "Half the team is sick. {people} have to take {flight} on {day}[, they report at {report}].",
        "{flight}, {day}, crew {people}",
        "please assign {people} to {flight} on {day}",
        "for {flight} {day} I want {people} on board",
    ),
    asks_zh=(
        "{day}{flight}的机组：{people}[，{report}报到]",
        "安排{people}飞{day}的{flight}",
        "{flight}，{day}，机组{people}",
        "一半人病了，{day}{flight}让{people}上[，{report}签到]",
        "{people}执飞{flight}，{day}",
        "排班：{day}，{flight}，{people}[，{report}到]",
        "{day}的{flight}由{people}执行",
        "把{people}排到{day}的{flight}上",
        "给{flight}配机组，{day}，{people}",
        "{flight}这班{day}定{people}",
    ),
    outcomes=(
        Outcome(
            fields=(("duty_hours", Integer(3, 13)),),
            texts=("rostered, {duty_hours} h duty",),
            texts_zh=("已排班，执勤{duty_hours}小时",),
            answers=(
                "The crew of {flight} is set.",
                "Done: {people} are on {flight}.",
                "Rostered, {duty_hours} hours of duty.",
            ),
            answers_zh=("{flight}机组已排好。", "好了，{people}执飞{flight}。", "已排班，执勤{duty_hours}小时。"),
        ),
    ),
    missing=(
        Missing(
            "people",
            ("{flight} needs a crew on {day}.", "roster somebody for {flight} {day}"),
            ("Who should be on the crew?", "Whom should I assign to {flight}?"),
            ("{day}{flight}要排机组", "给{day}的{flight}安排人"),
            ("请问安排哪些人？", "机组成员是谁？"),
        ),
    ),
)

BAG = Family(
    key="airline.baggage",
    names=("trace_baggage", "find_lost_bag", "bag_trace", "locate_suitcase"),
    about=(
        "Where a checked bag is.",
        "Traces a piece of luggage by its tag.",
        "Baggage only; parcels are tracked elsewhere.",
    ),
    about_zh=("查询托运行李位置。", "按行李牌号追踪行李。"),
    params=(
        Param(
            "tag",
            Code(("LX999999", "0999 999999", "BA-999999")),
            ("bag_tag", "tag_number", "tag"),
            ("Number on the tag",),
            ("行李牌号",),
        ),
        Param(
            "look",
            LUGGAGE,
            ("description", "appearance"),
            ("What it looks like",),
            ("外观",),
            False,
        ),
    ),
    asks=(
        "Where is the bag with tag {tag}?",
        "trace {tag}[, it's a {look}]",
        "a passenger's luggage did not arrive, tag {tag}[, {look}]",
        "find the suitcase {tag}",
        "The belt is empty and a family is crying. Tag {tag}[, {look}], where did it go?",
        "bag tag {tag}, last seen where",
        "my luggage is lost[, a {look}]! the sticker says {tag}",
        "has {tag} been loaded or is the bag still somewhere else",
    ),
    asks_zh=(
        "行李牌{tag}的箱子在哪？",
        "查行李{tag}[，{look}]",
        "旅客行李没到，牌号{tag}[，是个{look}]",
        "找一下行李{tag}",
        "转盘都空了，{tag}的行李跑哪去了",
        "{tag}这件行李最后在哪里",
        "我的托运行李丢了[，{look}]，标签上写{tag}",
        "行李{tag}装机了没有，现在在哪",
        "追踪行李牌{tag}",
        "行李没出来，{tag}[，{look}]，帮忙查",
    ),
    outcomes=(
        Outcome(
            fields=(("last_seen", City(0)), ("arrives", Clock(6, 22))),
            texts=("last seen {last_seen}, arrives {arrives}",),
            texts_zh=("最后位置{last_seen}，{arrives}到达",),
            answers=(
                "The bag is in {last_seen} and arrives at {arrives}.",
                "It was last seen in {last_seen}.",
                "{tag} is in {last_seen}.",
            ),
            answers_zh=("行李在{last_seen}，{arrives}到。", "最后出现在{last_seen}。", "{tag}目前在{last_seen}。"),
        ),
    ),
    missing=(
        Missing(
            "tag",
            ("My suitcase did not arrive.", "find a lost bag, it's a {look}"),
            ("What is the number on the tag?", "Which tag number does it have?"),
            ("我的行李没到", "行李丢了，{look}"),
            ("请问行李牌号是多少？", "行李标签上的号码是？"),
        ),
    ),
    also=("shopping_orders.track_parcel", "civic.report_lost", "civic.search_found"),
)

DOMAIN = Domain(
    "airline",
    (GATE_CHANGE, HOLD, REBOOK, CREW, BAG),
    unserved=(
        ("How many meals are on board?", "机上配了多少份餐？"),
        ("De-ice the aircraft.", "给飞机除冰。"),
        ("Sell me a ticket to Lima.", "卖我一张去利马的票。"),
        ("Call a wheelchair for the old lady.", "给老太太叫个轮椅。"),
        ("Refuel the plane with ten tons.", "给飞机加十吨油。"),
        ("Open the lounge earlier tomorrow.", "明天休息室早点开。"),
        ("Weigh this parcel for cargo.", "这件货称一下重。"),
        ("Give the guest two thousand miles.", "给客人补两千里程。"),
        ("Who parked in the crew car park?", "谁把车停在机组停车场了？"),
        ("Clean the cabin quickly.", "快把客舱打扫一下。"),
        ("Write an apology to the passengers.", "给旅客写封道歉信。"),
        ("Check the passport of this traveller.", "查一下这位旅客的护照。"),
    ),
)
