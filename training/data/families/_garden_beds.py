"""Soil for garden beds, and the irrigation of the garden."""

from training.data.family import Family, Missing, Outcome, Param
from training.data.kinds import Decimal, Integer
from training.data.times import Duration

SOIL = Family(
    key="gardening.soil",
    names=("soil_needed", "raised_bed_soil", "potting_soil_calculator", "bags_of_soil", "compost_amount"),
    about=(
        "How much soil a raised bed takes.",
        "Bags of soil for a bed, from length and width in metres and depth in centimetres.",
        "Calculates soil for a planting bed.",
    ),
    about_zh=("计算花坛或种植箱需要多少土。", "按长、宽（米）和深（厘米）计算需要几袋土。"),
    params=(
        Param("length", Decimal(1, 6, 1), ("length_m", "length", "bed_length"), ("Length in metres",), ("长，米",)),
        Param("width", Decimal(1, 3, 1), ("width_m", "width", "bed_width"), ("Width in metres",), ("宽，米",)),
        Param("depth", Integer(15, 80, 5), ("depth_cm", "depth", "fill_depth"), ("Depth in cm",), ("深，厘米",)),
        Param("bag", Integer(20, 70, 10), ("bag_litres", "bag_size"), ("Litres in a bag",), ("每袋升数",), False, 40),
    ),
    asks=(
        "How much soil for a bed {length} m long, {width} m wide and {depth} cm deep?",
        "my raised bed is {length} by {width} metres, {depth} cm deep. how many bags[ of {bag} litres]?",
        "We built a box of {length} m x {width} m and want to fill it {depth} cm high. How many[ {bag} litre] bags?",
        "bags of compost for {length} m x {width} m x {depth} cm[, {bag} l each]",
        "The new vegetable patch: {length} metres long, {width} metres wide. How many bags for {depth} cm of soil?",
        "If I fill {length} by {width} m with {depth} cm of earth, how many bags do I need?",
        "Dad wants to know how much earth goes into a planter, length {length} m, width {width} m, depth {depth} cm.",
        "Fill depth {depth} cm, bed {length} m by {width} m: how many sacks[ at {bag} litres]?",
    ),
    asks_zh=(
        "花坛长{length}米、宽{width}米、深{depth}厘米，要多少土？",
        "种植箱{length}米乘{width}米，填{depth}厘米深，买几袋土[，一袋{bag}升]",
        "新做的菜地长{length}米宽{width}米，铺{depth}厘米厚的土需要几袋",
        "填满一个长{length}米、宽{width}米、深{depth}厘米的箱子得多少营养土",
        "营养土要买几袋？长{length}米，宽{width}米，深{depth}厘米[，每袋{bag}升]",
        "我爸砌了个花池，{length}米长{width}米宽，想填{depth}厘米的土，要买多少",
        "算一下土：{length}米×{width}米，厚{depth}厘米",
        "露台上的菜箱长{length}米、宽{width}米，土深{depth}厘米，[{bag}升一袋的，]几袋够",
        "长{length}米宽{width}米的地，垫{depth}厘米土，得要几包",
        "{depth}厘米深，长{length}米、宽{width}米，需要多少袋土",
    ),
    outcomes=(
        Outcome(
            fields=(("bags", Integer(4, 90)), ("litres", Integer(150, 6000, 10))),
            texts=("{litres} l = {bags} bags",),
            texts_zh=("{litres}升，{bags}袋",),
            answers=(
                "You need {litres} litres, which is {bags} bags.",
                "{bags} bags, {litres} litres in all.",
                "Buy {bags} bags of soil.",
            ),
            answers_zh=("一共{litres}升，要{bags}袋。", "需要{bags}袋土，共{litres}升。", "买{bags}袋就够了。"),
        ),
    ),
    missing=(
        Missing(
            key="depth",
            asks=(
                "How much soil for a bed of {length} by {width} m?",
                "bed {length} m long and {width} m wide, how many bags",
            ),
            replies=("How deep should the soil be?", "To what depth do you want to fill it?"),
            asks_zh=("花坛长{length}米宽{width}米，要多少土", "{length}米乘{width}米的菜箱，买几袋土"),
            replies_zh=("请问土要多深？", "打算填多少厘米深？"),
        ),
    ),
    also=("measures.volume",),
)

HOLD = Family(
    key="gardening.pause",
    names=("pause_irrigation", "hold_sprinklers", "suspend_garden_watering", "irrigation_pause"),
    about=(
        "Pause the garden's automatic irrigation.",
        "Stops the sprinklers for some days; they start again by themselves.",
        "Suspends irrigation, e.g. after rain. Does not change the plan.",
    ),
    about_zh=("暂停花园自动灌溉。", "让喷灌停几天，之后自动恢复。"),
    params=(
        Param(
            "length",
            Duration("days", (1, 2, 3, 4, 5, 7, 10, 14)),
            ("days", "pause_days", "duration"),
            ("How long to pause",),
            ("暂停多久",),
        ),
    ),
    asks=(
        "Hold the sprinklers for {length}.",
        "no watering of the garden for {length}, it has rained enough",
        "The lawn is a swamp. Keep the irrigation off for {length}.",
        "pause the garden irrigation for {length}",
        "We've had so much rain that the sprinklers can rest for {length}.",
        "Could the automatic watering take a break of {length}?",
        "They are laying new turf, so for {length} the sprinklers must stay off.",
        "sprinkler break, {length}",
    ),
    asks_zh=(
        "喷灌停{length}",
        "雨下够了，花园{length}不用浇水",
        "草坪都成水塘了，自动灌溉先关{length}",
        "暂停自动浇水{length}",
        "院子的喷头歇{length}吧",
        "接下来{length}别开喷灌",
        "灌溉系统停{length}，之后再恢复",
        "草坪在翻新，{length}内不要喷水",
        "最近老下雨，让洒水器休息{length}",
        "花园灌溉暂停，时间{length}",
    ),
    outcomes=(
        Outcome(
            fields=(("zones", Integer(1, 6)),),
            texts=("paused in {zones} zones",),
            texts_zh=("已暂停{zones}个区域",),
            answers=(
                "The irrigation is paused for {length}, in {zones} zones.",
                "Sprinklers off for {length}.",
                "Done, {zones} zones get no water for {length}.",
            ),
            answers_zh=(
                "灌溉已暂停{length}，共{zones}个区域。",
                "好的，喷灌停{length}。",
                "{zones}个区域都停了，为期{length}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="length",
            asks=("Pause the sprinklers, please.", "the garden is wet enough, stop the irrigation for a while"),
            replies=("For how many days should it be paused?", "How long should the irrigation stay off?"),
            asks_zh=("先把喷灌停一停", "花园太湿了，灌溉暂停一下"),
            replies_zh=("请问要暂停几天？", "停多久？"),
        ),
    ),
)
