"""Public offices: appointments, papers, fees, fines, moving house, taxes."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, Record, Word
from training.data.sums import Result
from training.data.times import Day
from training.data.world import City

from ._office_dues import FINE, PERMIT_NEEDED, TAX_DEADLINE
from ._streets import STREET

SERVICE = Choice(
    {
        "passport": (("passport",), ("护照",)),
        "id_card": (("ID card", "identity card"), ("身份证",)),
        "driving_licence": (("driving licence", "driver's license"), ("驾照", "驾驶证")),
        "birth_certificate": (("birth certificate",), ("出生证明",)),
        "marriage_certificate": (("marriage certificate",), ("结婚证",)),
        "residence_permit": (("residence permit",), ("居住证", "居留许可")),
        "car_registration": (("car registration", "vehicle registration"), ("车辆登记", "行驶证")),
        "business_licence": (("business licence", "trade licence"), ("营业执照",)),
    },
    ({"id_card": "identity_card", "driving_licence": "drivers_license", "car_registration": "vehicle_registration"},),
)
REFERENCE = Code(("AZ-9999-99", "9999999", "REF99999", "AA99/9999", "999-999-99"))

BOOK = Family(
    key="public_office.book",
    names=("book_office_appointment", "citizen_office_slot", "reserve_counter_slot", "town_hall_appointment"),
    about=(
        "Get an appointment at the citizens' office.",
        "Books a slot at a public office for a document, in a city, on a day.",
        "Appointment with the authorities. Does not apply for anything itself.",
    ),
    about_zh=("预约政务大厅办事。", "预约办理证件的时间，不代办证件。"),
    params=(
        Param("service", SERVICE, ("service", "matter", "document_type"), ("What it is about",), ("办理事项",)),
        Param("city", City(0.1), ("city", "municipality", "office_city"), ("City of the office",), ("城市",)),
        Param("day", Day(1, 45), ("date", "preferred_date", "day"), ("Wanted day",), ("日期",)),
        Param("people", Integer(1, 5), ("persons", "number_of_people"), ("How many people",), ("人数",), False),
    ),
    asks=(
        "I need an appointment for my {service} in {city} on {day}[, we are {people} people].",
        "{service}, {city} office, {day}: get me a slot",
        "I lost my {service}! Can I go to the town hall in {city} {day}?",
        "book me in at the authorities in {city} {day}, it's about my {service}[, for {people} people]",
        "is there a way to see somebody in {city} {day} about my {service}? please reserve it",
        "Appointment {day}, {city}, {service}.",
        "day off {day}! I want to sort out the {service} at the office in {city}, make the appointment please",
        "could you reserve a counter slot in {city} for the {service} {day}[ for {people} people]",
        "They stole my bag with the {service} in it. First free visit to the office in {city} {day}, please take it.",
    ),
    asks_zh=(
        "帮我约{day}去{city}办{service}[，{people}个人]。",
        "{service}到期了，{day}想去{city}的政务大厅，约个号",
        "{city}政务中心，{day}，办{service}，预约",
        "{day}我休假，想去{city}把{service}办了，取个号吧",
        "预约办{service}，地点{city}，时间{day}[，一共{people}人]",
        "麻烦挂个{city}办事大厅{day}的号，{service}",
        "想在{city}办{service}，{day}能约上吗？能的话就约",
        "{day}去{city}弄{service}，先帮我预约好",
        "我妈的{service}要换，{day}陪她去{city}窗口，约一下",
        "{city}{day}{service}，预约个窗口[，{people}位]",
        "包被偷了，{service}也没了，{day}去{city}补办，先把号占上",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("slot", Word(("08:20", "09:40", "11:10", "13:30", "15:50"))),
                ("counter", Result(1, 30)),
            ),
            texts=("booked {slot}, counter {counter}",),
            texts_zh=("已预约{slot}，{counter}号窗口",),
            answers=(
                "Your appointment is at {slot}, counter {counter}.",
                "Booked for {slot}; go to counter {counter}.",
                "Done: {slot} at counter {counter} in {city}.",
            ),
            answers_zh=(
                "约好了，{slot}到{counter}号窗口。",
                "预约成功：{slot}，{counter}号窗口。",
                "{city}办{service}，{slot}在{counter}号窗口。",
            ),
        ),
    ),
    missing=(
        Missing(
            "service",
            (
                "Get me an appointment at the town hall in {city} {day}.",
                "I must go to the office in {city} {day}, book it",
            ),
            ("What is the appointment about?", "Which document do you need?"),
            ("帮我约{day}{city}政务大厅的号。", "{day}要去{city}的办事大厅，预约一下"),
            ("请问办什么业务？", "要办哪种证件？"),
        ),
        Missing(
            "city",
            ("Appointment for my {service} {day}, please.", "book a slot {day} for the {service}"),
            ("In which city is the office?", "Which city's office?"),
            ("{day}办{service}，帮我约号。", "预约{day}办{service}"),
            ("请问在哪个城市办？", "去哪座城市的大厅？"),
        ),
    ),
)

DOCUMENTS = Family(
    key="public_office.documents",
    names=("required_documents", "papers_needed", "document_checklist", "what_to_bring"),
    about=(
        "Which papers one needs for an application.",
        "Checklist of documents to bring for a service. Books nothing.",
        "Lists what must be brought to the office.",
    ),
    about_zh=("查询办事需要的材料。", "列出办理证件要带的文件，不做预约。"),
    params=(
        Param("service", SERVICE, ("procedure", "service", "application_for"), ("What is applied for",), ("办理事项",)),
        Param("child", Flag(), ("for_child", "is_minor"), ("True if it is for a minor",), ("是否未成年人",), False),
        Param("renewal", Flag(), ("renewal", "is_renewal"), ("True to renew an old one",), ("是否换领",), False),
    ),
    asks=(
        "What papers do I need for a new {service}?",
        "what do I have to bring along for the {service}",
        "{service}: list of documents please",
        "I don't want to go twice. What must I take with me for a new {service}?",
        "do they want photos and stuff for the {service}",
        Ask("Which documents does one need for the {service} of a child?", {"child": True}),
        Ask("I have to renew my {service}, what should be in my folder?", {"renewal": True}),
        Ask("paperwork for renewing my {service}", {"renewal": True}),
        "Can you make sure I have everything for the {service}? What's on their checklist?",
        "Last time they sent me home because a sheet was missing. So, {service}: what exactly goes in the folder?",
    ),
    asks_zh=(
        "办{service}要什么材料？",
        "{service}需要带哪些东西",
        "不想白跑一趟，办{service}得准备啥",
        "{service}要照片吗？材料清单发我看看",
        "申请{service}都要哪些证明",
        Ask("给孩子办{service}要带什么", {"child": True}),
        Ask("小孩的{service}怎么准备材料？", {"child": True}),
        Ask("{service}到期换新的，要哪些文件", {"renewal": True}),
        Ask("换领{service}需要准备什么？", {"renewal": True}),
        "明天去弄{service}，包里该装些什么材料",
        "上次少张纸被赶回来了，这次办{service}到底要带哪些",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("first", Word(("an ID", "a photo", "a form"), ("户口本", "照片", "申请表"))),
                (
                    "second",
                    Word(("proof of address", "the old document", "a bank card"), ("住址证明", "旧证件", "银行卡")),
                ),
            ),
            texts=("{first}; {second}",),
            texts_zh=("{first}；{second}",),
            answers=(
                "Bring {first} and {second}.",
                "You need {first} and {second}.",
                "For that: {first}, and {second}.",
            ),
            answers_zh=("请带上{first}和{second}。", "需要{first}、{second}。", "办{service}要准备{first}和{second}。"),
        ),
    ),
    missing=(
        Missing(
            "service",
            ("Which papers must I take to the office?", "what documents do they want"),
            ("For which document or service?", "What do you want to apply for?"),
            ("去办事要带什么材料？", "需要准备哪些证明"),
            ("请问办什么事项？", "您要办哪种证件？"),
        ),
    ),
)

STATUS = Family(
    key="public_office.status",
    names=("application_status", "check_application", "track_application", "permit_progress"),
    about=(
        "How far an application is.",
        "State of an application at a public office, by its number.",
        "Is it ready yet?",
    ),
    about_zh=("查询申请办理进度。", "按受理编号查看证件是否办好。"),
    params=(
        Param("reference", REFERENCE, ("reference_number", "application_id", "ref"), ("e.g. AZ-2041-17",), ("受理号",)),
    ),
    asks=(
        "Is my application {reference} done?",
        "{reference} - can I pick it up yet?",
        "What's going on with {reference}? The office said three weeks.",
        "status of my papers, reference {reference}",
        "I applied ages ago, {reference}, and haven't heard a thing from the authorities",
        "could you look up where {reference} is stuck",
        "has the office approved {reference}",
        "my file at the town hall is {reference}, how's it looking",
        "The clerk wrote {reference} on a note and said to check later. It's later now.",
    ),
    asks_zh=(
        "{reference}办好了吗？",
        "我的证什么时候能拿？受理号{reference}",
        "查一下{reference}的办理进度",
        "都三个星期了，{reference}怎么还没动静",
        "{reference}到哪一步了",
        "政务大厅那个申请，编号{reference}，批了没",
        "帮我看看{reference}卡在哪里了",
        "可以去取证了吗？{reference}",
        "申请编号{reference}，现在啥情况",
        "之前交的材料，{reference}，审核过了吗",
        "窗口给了我个号{reference}，让过几天查，现在能查到啥",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "state",
                    Word(
                        ("in progress", "waiting for documents", "ready for pick-up"), ("办理中", "待补材料", "可领取")
                    ),
                ),
                ("days", Result(1, 30)),
            ),
            texts=("{state}, updated {days} days ago",),
            texts_zh=("{state}，{days}天前更新",),
            answers=(
                "{reference}: {state}, as of {days} days ago.",
                "The state is: {state}. It was updated {days} days ago.",
                "It says: {state}.",
            ),
            answers_zh=(
                "{reference}目前{state}，{days}天前更新。",
                "状态是{state}。",
                "显示{state}，更新于{days}天前。",
            ),
        ),
    ),
    missing=(
        Missing(
            "reference",
            ("How far is my application?", "is my permit ready", "When can I collect my papers?"),
            ("What is the reference number?", "Do you have the number of the application?"),
            ("我的申请办得怎么样了？", "证件办好没有"),
            ("请问受理号是多少？", "申请编号是哪个？"),
        ),
    ),
)

MOVE = Family(
    key="public_office.move",
    names=("register_address", "report_change_of_address", "update_residence", "register_move"),
    about=(
        "Tell the authorities a new address.",
        "Registers that the user has moved.",
        "Change of residence at the registry.",
    ),
    about_zh=("登记新住址。", "向户籍部门申报搬家。"),
    params=(
        Param(
            "address",
            Record(
                "{number} {street}, {city}",
                "{city}{street}{number}号",
                {"street": STREET, "number": Integer(1, 99), "city": City(0.0)},
            ),
            ("new_address", "address", "residence"),
            ("Where the user lives now",),
            ("新地址",),
        ),
        Param("day", Day(-30, 30), ("moving_date", "since", "move_in_date"), ("Day of the move",), ("搬入日期",)),
    ),
    asks=(
        "We moved to {address}, moving day {day}. Please tell the registry.",
        "register my new address: {address}, move-in {day}",
        "my residence changes to {address}, date {day}",
        "New flat! {address}, the date is {day}. The authorities need to know.",
        "change of residence, {address}, {day}",
        "update my registered home with the city, it's {address} as of {day}",
        "I have to declare that I live at {address} now, moving date {day}",
        "for the residents' register: {address}, {day} was the date on the lease",
        "boxes are all over the place but we live at {address} now; write {day} as the day we came, for the town hall",
    ),
    asks_zh=(
        "我搬家了，新地址{address}，搬入日期{day}，帮我登记。",
        "登记新住址：{address}，{day}",
        "住址变更，{address}，搬家时间{day}",
        "换房子啦，现在住{address}，日期{day}，跟派出所那边报一下",
        "帮我申报居住地，{address}，{day}入住",
        "户籍地址改成{address}，日期写{day}",
        "居住登记：{address}，入住{day}",
        "{day}入住{address}，麻烦办一下地址登记",
        "我住的地方变了，{address}，{day}，需要报备",
        "把我的居住地址更新为{address}，从{day}算起",
        "行李还没拆完呢，已经住进{address}，入住日{day}，去社区报到的手续帮我办",
    ),
    outcomes=(
        Outcome(
            fields=(("confirmation", REFERENCE),),
            texts=("address registered, confirmation {confirmation}",),
            texts_zh=("住址已登记，回执号{confirmation}",),
            answers=(
                "Your new address is registered; the confirmation is {confirmation}.",
                "Done, the registry confirmed it as {confirmation}.",
                "{address} is now your registered address.",
            ),
            answers_zh=(
                "新地址登记好了，回执{confirmation}。",
                "已登记，回执号{confirmation}。",
                "您的登记地址现在是{address}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "address",
            ("I moved, date {day}, please register it.", "tell the registry I've got a new home, moved {day}"),
            ("What is the new address?", "Where do you live now?"),
            ("我搬家了，{day}搬的，帮我登记。", "{day}换了住处，报一下"),
            ("请问新地址是哪里？", "新住址是什么？"),
        ),
    ),
)

DOMAIN = Domain(
    "public_office",
    (BOOK, DOCUMENTS, STATUS, MOVE, FINE, TAX_DEADLINE, PERMIT_NEEDED),
    unserved=(
        ("Contest the speeding ticket I got.", "帮我申诉那张超速罚单。"),
        ("Fill in my tax return.", "替我填报税表。"),
        ("Who is the mayor of our town?", "我们镇的镇长是谁？"),
        ("Take a passport photo of me.", "给我拍张证件照。"),
        ("How do I become a citizen?", "怎样才能入籍？"),
        ("Cancel my appointment at the town hall.", "取消我在政务大厅的预约。"),
        ("Register my newborn for kindergarten.", "给刚出生的孩子报幼儿园。"),
        ("Have my diploma certified by a notary.", "找公证处公证我的毕业证。"),
        ("How much income tax will I pay on 60,000?", "年收入六万要交多少个税？"),
        ("Change my surname after the wedding.", "婚后帮我改姓。"),
        ("Laminate my birth certificate.", "把出生证明塑封一下。"),
        ("Complain about the clerk who was rude.", "投诉那个态度差的工作人员。"),
    ),
)
