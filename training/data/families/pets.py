"""Animals at home: vets, food, walks."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Decimal, Flag, Integer, ListOf, Word
from training.data.times import Day, Duration
from training.data.world import City, Person

PET = Choice(
    {
        "dog": (("dog", "puppy"), ("狗", "小狗", "狗狗")),
        "cat": (("cat", "kitten"), ("猫", "猫咪")),
        "rabbit": (("rabbit", "bunny"), ("兔子",)),
        "bird": (("bird", "budgie", "parrot"), ("鸟", "鹦鹉")),
    },
    ({"dog": "DOG", "cat": "CAT", "rabbit": "RABBIT", "bird": "BIRD"},),
)
PET_NAMES = Word(
    ("Biscuit", "Luna", "Mr. Whiskers", "Rex", "Pepper", "Coco", "Ziggy", "Old Tom"), ("豆豆", "咪咪", "旺财", "小黑")
)
SYMPTOMS = Word(
    ("a limp", "a cough", "no appetite", "itchy ears", "a swollen paw"),
    ("咳嗽", "不吃东西", "耳朵发痒", "走路一瘸一拐"),
)

BOOK_VET = Family(
    key="pets.book_vet",
    names=("book_vet_visit", "schedule_vet", "vet_appointment", "create_vet_booking"),
    about=("Book an appointment with a vet.", "Make a vet appointment for a pet on a day.", "Schedules a vet visit."),
    about_zh=("预约宠物医生。", "为宠物预约某天的兽医门诊。"),
    params=(
        Param("pet", PET_NAMES, ("pet", "pet_name", "animal_name"), ("Name of the pet",), ("宠物的名字",)),
        Param("day", Day(0, 30), ("date", "day", "visit_date"), ("Day of the visit",), ("就诊日期",)),
        Param("reason", SYMPTOMS, ("reason", "symptom"), ("Why the pet is ill",), ("就诊原因",), required=False),
    ),
    asks=(
        "Book a vet appointment for {pet} {day}[, it has {reason}].",
        "can you get {pet} in to see the vet {day}[? there's {reason}]",
        "{pet} needs the vet[ because of {reason}]. {day} would be good.",
        "I'd like to take {pet} to the vet {day}[ about {reason}]",
    ),
    asks_zh=(
        "帮我给{pet}约{day}的兽医[，它{reason}]。",
        "{day}带{pet}去看医生，帮忙预约一下[，因为{reason}]",
        "{pet}[{reason}，]想{day}看兽医，预约一下吧",
    ),
    outcomes=(
        Outcome(
            fields=(("time", Word(("09:15", "10:40", "14:20", "16:05"))), ("vet", Person())),
            texts=("Booked: {time} with Dr {vet}", "confirmed for {time}, {vet}"),
            texts_zh=("已预约：{time}，{vet}医生",),
            answers=(
                "{pet} has an appointment at {time} with {vet}.",
                "Done: {pet} sees {vet} at {time}.",
            ),
            answers_zh=("已经约好了：{pet}{time}由{vet}接诊。", "{pet}的预约时间是{time}，医生是{vet}。"),
        ),
    ),
    missing=(
        Missing(
            key="pet",
            asks=("Book a vet appointment {day}.", "I need a vet {day}, please."),
            replies=("Which pet is the appointment for?", "What is the pet's name?"),
            asks_zh=("{day}帮我约个兽医。",),
            replies_zh=("是给哪只宠物预约？", "请问宠物叫什么名字？"),
        ),
        Missing(
            key="day",
            asks=("Book {pet} in at the vet.", "{pet} has to see a vet, can you arrange that?"),
            replies=("On which day should {pet} see the vet?", "Which day would suit you?"),
            asks_zh=("给{pet}约一下兽医。",),
            replies_zh=("想约哪一天？", "请问{pet}哪天去看兽医？"),
        ),
    ),
    errors=("no free appointment on that day", "the clinic is closed that day"),
)

FEEDING = Family(
    key="pets.feeding",
    names=("feeding_amount", "pet_food_calculator", "daily_food_portion", "how_much_food"),
    about=("How much food a pet needs a day.", "Calculates the daily food for an animal by its weight."),
    about_zh=("计算宠物每天的食量。", "根据体重计算宠物每日喂食量。"),
    params=(
        Param("kind", PET, ("animal", "species", "pet_type"), ("Kind of animal",), ("宠物种类",)),
        Param("weight", Decimal(0.5, 45, 1), ("weight_kg", "weight"), ("Weight in kilograms",), ("体重，公斤",)),
        Param(
            "active",
            Flag(),
            ("is_active", "very_active"),
            ("True if it moves a lot",),
            ("是否活动量大",),
            required=False,
        ),
    ),
    asks=(
        "How much should I feed my {kind}? It weighs {weight} kg.",
        "my {kind} is {weight} kilos, how much food a day",
        Ask("What's the daily portion for a very active {kind} of {weight} kg?", {"active": True}),
    ),
    asks_zh=(
        "我家{kind}{weight}公斤，每天喂多少？",
        Ask("很好动的{kind}，{weight}公斤，一天吃多少合适？", {"active": True}),
    ),
    outcomes=(
        Outcome(
            fields=(("grams_per_day", Integer(20, 600, 5)),),
            texts=("{grams_per_day} g per day", "{grams_per_day} grams a day, in two meals"),
            texts_zh=("每天{grams_per_day}克",),
            answers=("Your {kind} should get {grams_per_day} grams a day.", "About {grams_per_day} g of food a day."),
            answers_zh=("每天喂{grams_per_day}克就可以了。", "建议每天{grams_per_day}克。"),
        ),
    ),
    missing=(
        Missing(
            key="weight",
            asks=("How much should my {kind} eat a day?", "what's the right portion for a {kind}"),
            replies=("How much does it weigh?", "What does your {kind} weigh?"),
            asks_zh=("我家{kind}一天该吃多少？",),
            replies_zh=("它有多重？", "请告诉我体重。"),
        ),
    ),
)

WALKERS = Family(
    key="pets.find_walker",
    names=("find_dog_walkers", "search_walkers", "dog_walker_search"),
    about=("Find people who walk dogs in a city.", "Search dog walkers nearby."),
    about_zh=("查找城市里的遛狗服务。",),
    params=(
        Param("city", City(), ("city", "location", "place"), ("Where to look",), ("所在城市",)),
        Param(
            "length", Duration(), ("minutes", "walk_minutes", "duration"), ("Length of a walk",), ("遛狗时长",), False
        ),
        Param("dogs", ListOf(PET_NAMES, 1, 3), ("dogs", "dog_names"), ("Names of the dogs",), ("狗的名字",), False),
    ),
    asks=(
        "Find me a dog walker in {city}[ for {length}][, it's for {dogs}].",
        "who can walk my dogs in {city}[? walks of {length}]",
        "I need somebody to walk {dogs} in {city}.",
    ),
    asks_zh=("在{city}找个遛狗的人[，每次{length}]。", "{city}有谁能帮忙遛狗[？狗叫{dogs}]"),
    outcomes=(
        Outcome(
            fields=(("name", Person()), ("price", Integer(8, 40))),
            texts=("{name}, {price} per walk",),
            texts_zh=("{name}，每次{price}元",),
            answers=("{name} walks dogs in {city} for {price} a walk.",),
            answers_zh=("{city}的{name}可以遛狗，每次{price}。",),
        ),
    ),
)

DOMAIN = Domain(
    "pets",
    (BOOK_VET, FEEDING, WALKERS),
    unserved=(
        ("Order ten kilos of dry cat food.", "帮我买十公斤猫粮。"),
        ("Is my dog's barking a sign that it is lonely?", "狗一直叫是不是因为孤单？"),
        ("Cancel the pet insurance for Luna.", "把露娜的宠物保险取消掉。"),
    ),
)
