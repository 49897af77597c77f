"""Hair, nails and skin: appointments at the salon."""

from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer
from training.data.times import Clock, Day, Moment
from training.data.world import Person

TREATMENT = Choice(
    {
        "haircut": (("a haircut", "a trim"), ("剪头发", "理发")),
        "colouring": (("hair colouring", "new highlights"), ("染发", "挑染")),
        "perm": (("a perm",), ("烫头发", "烫发")),
        "manicure": (("a manicure", "gel nails"), ("美甲", "做指甲")),
        "facial": (("a facial", "a face treatment"), ("做脸", "面部护理")),
        "massage": (("a back massage", "a massage"), ("按摩", "背部按摩")),
        "beard_trim": (("a beard trim", "a shave"), ("修胡子", "刮胡子")),
    },
    (
        {
            "haircut": "CUT",
            "colouring": "COLOR",
            "perm": "PERM",
            "manicure": "NAILS",
            "facial": "FACE",
            "massage": "MASSAGE",
            "beard_trim": "BEARD",
        },
    ),
)
BOOKING = Code(("S-9999", "SAL99999", "B9-999", "AAA999"))

SALON = Family(
    key="clubs.salon",
    names=("book_salon", "salon_appointment", "beauty_booking", "reserve_treatment", "hairdresser_booking"),
    about=(
        "Make an appointment at the salon.",
        "Books a treatment at the hairdresser's or beautician's, with a stylist of one's choice.",
        "Appointments for hair, nails and skin. No doctors.",
    ),
    about_zh=("预约美容美发。", "预约理发、美甲等项目，可指定发型师。"),
    params=(
        Param("treatment", TREATMENT, ("treatment", "service", "what"), ("What is done",), ("项目",)),
        Param("when", Moment(Day(0, 21), Clock(9, 19)), ("appointment", "date_time", "when"), ("When",), ("预约时间",)),
        Param("stylist", Person(), ("stylist", "preferred_staff"), ("With whom",), ("指定的人",), required=False),
        Param(
            "first", Flag(), ("first_visit", "new_customer"), ("True if new there",), ("是否首次到店",), required=False
        ),
    ),
    asks=(
        "I'd like {treatment} {when}[, with {stylist} if possible].",
        "{treatment} {when} please[, {stylist}]",
        "I look like a sheepdog. Get me {treatment} {when}[ with {stylist}].",
        Ask(
            "Book {treatment} {when}[ with {stylist}]. I've never been there before, it's my first visit.",
            {"first": True},
        ),
        "My daughter's wedding is coming up and I need {treatment} {when}.",
        "Is {when} free for {treatment}? Then put me down.",
        "treat myself: {treatment}, {when}[, by {stylist}]",
        Ask("I'm a regular there. {treatment} {when} as always, please book it.", {"first": False}),
    ),
    asks_zh=(
        "{when}约个{treatment}[，找{stylist}]",
        "想{when}去{treatment}，帮忙预约",
        "头发乱得像鸡窝，快帮我约{when}，{treatment}[，{stylist}做]",
        Ask("第一次去那家店，{when}{treatment}，约一下", {"first": True}),
        "女儿要结婚了，{when}得去{treatment}，订上",
        "{when}有空位吗？我要{treatment}[，指定{stylist}]",
        "犒劳一下自己，{when}，{treatment}",
        Ask("我是老顾客了，{when}照旧{treatment}，预约[，还是{stylist}]", {"first": False}),
        "{treatment}，{when}[，{stylist}老位子]",
        "跟理发店说一声，{when}我来{treatment}",
    ),
    outcomes=(
        Outcome(
            fields=(("booking", BOOKING), ("price", Integer(15, 160, 5))),
            texts=("{booking}, {price}",),
            texts_zh=("{booking}，{price}元",),
            answers=(
                "You are booked in; the number is {booking} and the price {price}.",
                "Done, booking {booking}.",
                "It's arranged and will cost {price}.",
            ),
            answers_zh=("约好了，预约号{booking}，{price}元。", "已预约，编号{booking}。", "安排好了，价格{price}元。"),
        ),
    ),
    missing=(
        Missing(
            key="when",
            asks=("I want {treatment}.", "book me in for {treatment} with {stylist}"),
            replies=("When would you like to come?", "Which day and time suits you?"),
            asks_zh=("我想{treatment}，约一下", "预约{treatment}，找{stylist}"),
            replies_zh=("请问什么时候？", "想约哪天几点？"),
        ),
        Missing(
            key="treatment",
            asks=("Make me an appointment at the salon {when}.", "can I come to the salon {when}"),
            replies=("What would you like to have done?", "Which treatment should I book?"),
            asks_zh=("{when}约美容院", "{when}去美发店，帮我约"),
            replies_zh=("请问做什么项目？", "想做哪一项？"),
        ),
    ),
)

CANCEL_SALON = Family(
    key="clubs.cancel_salon",
    names=("cancel_salon_booking", "drop_beauty_appointment", "salon_cancellation", "release_salon_slot"),
    about=(
        "Cancel an appointment at the salon.",
        "Calls off a salon booking by its number.",
        "Gives a slot at the hairdresser's back. For new appointments use another tool.",
    ),
    about_zh=("取消美容美发预约。", "按预约号取消，不能新建预约。"),
    params=(
        Param("booking", BOOKING, ("booking_id", "booking", "appointment_no"), ("Booking number",), ("预约号",)),
        Param(
            "reason",
            Choice(
                {
                    "ill": (("I'm ill", "I've caught a cold"), ("我病了", "我感冒了")),
                    "work": (("I have to work",), ("要加班", "要上班")),
                    "mind": (("I've changed my mind",), ("不想做了", "改主意了")),
                }
            ),
            ("reason", "why"),
            ("Why",),
            ("原因",),
            required=False,
        ),
    ),
    asks=(
        "I can't make it to the salon, booking {booking}[. {reason}]",
        "cancel {booking} at the hairdresser's[, {reason}]",
        "Sorry, [{reason}, so ]somebody else can have my hair appointment {booking}.",
        "Call off {booking} at the beautician's.",
        "Tell the salon I'm not coming: {booking}[, {reason}].",
        "my nail appointment {booking} has to go[, {reason}]",
        "Please give back my slot at the salon. It's number {booking}.",
        "{booking}, salon, cancel",
    ),
    asks_zh=(
        "取消美发预约{booking}[，{reason}]",
        "{reason}，美容院{booking}那个去不了了",
        "美甲店的{booking}不去了，退掉",
        "跟理发店说我不来了，{booking}",
        "预约号{booking}，做头发那个取消吧[，{reason}]",
        "把沙龙的{booking}撤了",
        "{booking}的做脸预约让给别人吧[，{reason}]",
        "美容预约{booking}作废",
        "临时有变，{booking}这单美发不做了",
        "理发的号{booking}帮我退一下",
    ),
    outcomes=(
        Outcome(
            fields=(("fee", Integer(0, 20, 5)),),
            texts=("cancelled, fee {fee}",),
            texts_zh=("已取消，手续费{fee}元",),
            answers=("{booking} is cancelled; the fee is {fee}.", "It's called off, fee {fee}.", "Cancelled."),
            answers_zh=("{booking}已取消，手续费{fee}元。", "取消好了，扣{fee}元。", "预约已取消。"),
        ),
    ),
    missing=(
        Missing(
            key="booking",
            asks=("Cancel my appointment at the hairdresser's.", "I can't come to the salon, call it off"),
            replies=("What is the booking number?", "Which booking number should I cancel?"),
            asks_zh=("取消我的美发预约", "美容院去不了了，退掉吧"),
            replies_zh=("请问预约号是多少？", "要取消哪个预约号？"),
        ),
    ),
    also=("calendar.cancel",),
)
