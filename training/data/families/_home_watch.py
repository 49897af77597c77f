"""Tools that keep an eye on a house: its climate and its cameras."""

from collections.abc import Mapping

from training.data.family import Ask, Drawn, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Decimal, Flag, Integer
from training.data.times import Clock, Day

from ._home_words import CAMERA, ROOM, SPACE

_MODE = Choice(
    {
        "heat": (("heating", "heat"), ("制热", "暖气")),
        "cool": (("cooling", "cool"), ("制冷", "冷气")),
        "auto": (("auto", "automatic"), ("自动",)),
    },
    ({"heat": "heating", "cool": "cooling", "auto": "automatic"},),
)

SET_THERMOSTAT = Family(
    key="smart_home.set_thermostat",
    names=("set_thermostat", "set_room_temperature", "thermostat_target", "adjust_heating", "climate_set"),
    about=(
        "Set the temperature that the home or a room should have.",
        "Changes the thermostat's target. It does not read the temperature.",
        "Thermostat target in degrees Celsius, for a room or everywhere",
    ),
    about_zh=("设置家里或房间的目标温度。", "调节温控器，不用于查询温度。"),
    params=(
        Param(
            "degrees",
            Decimal(15, 28, 1),
            ("temperature", "target_temp", "degrees", "setpoint"),
            ("Target in °C", "Degrees Celsius, e.g. 20.5"),
            ("目标温度，摄氏度",),
        ),
        Param("room", ROOM, ("room", "zone"), ("One room only",), ("指定房间",), required=False),
        Param("mode", _MODE, ("mode", "hvac_mode"), ("Mode",), ("模式",), required=False),
        Param("until", Clock(8, 23), ("until", "hold_until"), ("Until when",), ("保持到几点",), required=False),
    ),
    asks=(
        "Set the thermostat to {degrees} degrees[ in the {room}].",
        "{degrees} degrees[ in the {room}][ until {until}] please",
        "I'm freezing! Make it {degrees}°C[ in the {room}].",
        "can we have {degrees} degrees[ until {until}]",
        "My grandmother is visiting and she likes it at {degrees} degrees[ in the {room}], so warm the place up.",
        "thermostat {degrees}[, {mode} mode]",
        "Put the temperature at {degrees}[ on {mode}][ till {until}].",
        "It's stuffy in the {room}, bring it to {degrees} degrees.",
        "could the {room} be {degrees} °C[ until {until}]?",
        "We sleep better at {degrees} degrees, so set that[ for the {room}].",
        "Change the target to {degrees} degrees[ with {mode}], thanks.",
        "let the house go to {degrees}[ until {until}], we're going out",
        "brrr. {degrees} degrees[ in the {room}] would be heaven",
        "The plants in the {room} need {degrees} degrees[ until {until}].",
    ),
    asks_zh=(
        "把温度调到{degrees}度",
        "[{room}]空调开到{degrees}度[，{mode}模式]",
        "冻死了，[{room}]升到{degrees}度",
        "家里设成{degrees}度[，到{until}为止]",
        "奶奶来了，她怕冷，[{room}]温度调{degrees}度吧",
        "{room}太闷了，调成{degrees}度",
        "温控器{degrees}度[，{mode}]",
        "睡觉的时候{degrees}度比较舒服，[{room}]就这么设",
        "我们要出门，温度设到{degrees}度[，保持到{until}]",
        "{room}的花要{degrees}度才行[，保持到{until}]",
        "热死了，[{room}]给我降到{degrees}度",
    ),
    outcomes=(
        Outcome(
            fields=(("now", Decimal(14, 30, 1)),),
            texts=("target set; currently {now}", "ok, now {now} C"),
            texts_zh=("已设置，当前{now}度",),
            answers=(
                "Done. It's {now} degrees now and will go to {degrees}.",
                "The target is {degrees} degrees; it is {now} at the moment.",
                "Set to {degrees} degrees.",
            ),
            answers_zh=(
                "温度已调，目标{degrees}度，当前{now}度。",
                "已设为{degrees}度，现在是{now}度。",
                "好的，目标温度{degrees}度。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="degrees",
            asks=("Change the temperature in the {room}.", "set the thermostat, please", "it's too cold in here"),
            replies=("To how many degrees?", "What temperature would you like?"),
            asks_zh=("调一下{room}的温度", "空调温度帮我改一下", "屋里太冷了"),
            replies_zh=("请问要调到多少度？", "想要几度？"),
        ),
    ),
    errors=("the thermostat does not answer",),
)

READ_CLIMATE = Family(
    key="smart_home.read_climate",
    names=("read_room_climate", "indoor_climate", "room_sensor", "get_indoor_temperature", "sensor_reading"),
    about=(
        "Temperature and humidity inside a room, now.",
        "Reads a room's sensor. Nothing is changed, and the weather outside is not known.",
        "Indoor climate of one room",
    ),
    about_zh=("查询房间当前的温度和湿度。", "读取室内传感器，不改变设置。"),
    params=(Param("room", SPACE, ("room", "sensor", "place"), ("Which room",), ("哪个房间",)),),
    asks=(
        "How warm is it in the {room}?",
        "temperature {room}",
        "Is the air too damp in the {room}?",
        "We dry our washing in the {room}. What's the humidity there?",
        "what does the sensor in the {room} say",
        "Do I need a sweater in the {room} right now?",
        "I'm worried about mould, how humid is the {room}?",
        "how hot did it get in the {room}, I mean at the moment",
        "Could you check the climate in the {room}, please?",
        "is it cold in the {room}?",
        "tell me the temperature inside the {room}",
        "my tomatoes are in the {room}, is it warm enough there at the moment?",
        "{room} humidity pls",
    ),
    asks_zh=(
        "{room}现在多少度？",
        "{room}湿度怎么样",
        "在{room}要不要穿毛衣？",
        "{room}会不会太潮了",
        "我怕{room}发霉，看看湿度",
        "查一下{room}的温湿度",
        "{room}冷不冷",
        "{room}的传感器显示多少",
        "番茄苗放在{room}，那儿现在暖和吗",
        "{room}几度了",
    ),
    outcomes=(
        Outcome(
            fields=(("temperature", Decimal(12, 31, 1)), ("humidity", Integer(25, 85))),
            texts=("{temperature} C, {humidity}% humidity", "temp {temperature}, rel. humidity {humidity}"),
            texts_zh=("温度{temperature}度，湿度{humidity}%",),
            answers=(
                "It is {temperature} degrees in the {room}, with {humidity}% humidity.",
                "The {room} is at {temperature} °C and {humidity}% humidity.",
                "{temperature} degrees and {humidity} percent humidity.",
            ),
            answers_zh=(
                "{room}的传感器显示{temperature}度、湿度{humidity}%。",
                "{room}现在{temperature}度，湿度{humidity}%。",
                "温度{temperature}度，湿度百分之{humidity}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="room",
            asks=("How warm is it inside?", "what's the humidity at home"),
            replies=("Which room do you mean?", "In which room?"),
            asks_zh=("屋里现在几度？", "家里湿度多少"),
            replies_zh=("请问是哪个房间？", "想看哪个房间的？"),
        ),
    ),
    errors=("sensor battery empty",),
)


def _in_order(values: Mapping[str, Drawn]) -> bool:
    if "start" not in values or "end" not in values:
        return True
    return values["start"].meaning < values["end"].meaning


CAMERA_EVENTS = Family(
    key="smart_home.camera_events",
    names=("camera_events", "search_recordings", "find_footage", "security_clips", "motion_log"),
    about=(
        "Find what a camera recorded on a day between two times.",
        "Search the recordings of a security camera, if wanted only those with people.",
        "Motion events of one camera",
    ),
    about_zh=("查询某个摄像头在某天某段时间的录像。", "搜索监控录像，可只看有人的片段。"),
    params=(
        Param("camera", CAMERA, ("camera", "camera_name", "cam"), ("Which camera",), ("摄像头名称",)),
        Param("day", Day(-20, 0), ("date", "day"), ("Day of the recording",), ("录像日期",)),
        Param("start", Clock(1, 20), ("start_time", "from_time", "since"), ("Not before",), ("开始时间",)),
        Param("end", Clock(3, 23), ("end_time", "to_time", "until"), ("Not after",), ("结束时间",)),
        Param("people", Flag(), ("people_only", "only_persons"), ("Only clips with people",), ("只看有人的",), False),
    ),
    asks=(
        "Show me what the {camera} camera saw on {day} between {start} and {end}.",
        "{camera} camera, {day}, from {start} to {end}",
        "Somebody took my parcel! Check the {camera} camera for {day}, {start} to {end}.",
        "was there any movement at the {camera} on {day} from {start} until {end}",
        Ask("Did a person pass the {camera} camera on {day} between {start} and {end}?", {"people": True}),
        "Please pull the {camera} footage from {start} to {end} on {day}.",
        "I heard a noise on {day}. What did the camera at the {camera} record from {start} to {end}?",
        Ask("only clips with people: {camera} cam, {day}, {start} to {end}", {"people": True}),
        "On {day} the cat was out from {start} to {end}, can you find it on the {camera} camera?",
        "any motion on the {camera} cam between {start} and {end} on {day}?",
        "what went on at the {camera} on {day}? must have been between {start} and {end}, look at the camera",
        "The bin was knocked over on {day}, I want to see the {camera} from {start} to {end}.",
    ),
    asks_zh=(
        "看看{camera}摄像头{day} {start}到{end}的录像",
        "{day}从{start}到{end}，{camera}有什么动静吗",
        "我的快递被人拿走了，查一下{camera}监控，{day} {start}到{end}",
        Ask("{camera}的摄像头{day} {start}到{end}有没有拍到人？只要有人的片段", {"people": True}),
        "调出{camera}摄像头{day} {start}至{end}的监控",
        "{day}听到响声，{camera}的摄像头在{start}到{end}之间录到什么了",
        "帮我找{day} {start}到{end}之间{camera}的监控片段",
        Ask("{day} {start}到{end}，{camera}监控只看有人经过的", {"people": True}),
        "{day}垃圾桶被撞倒了，我要看{camera}{start}到{end}的画面",
        "{day} {start}到{end}，{camera}那边发生什么了？查监控",
    ),
    outcomes=(
        Outcome(
            fields=(("clips", Integer(2, 20)), ("longest_seconds", Integer(8, 240))),
            texts=("{clips} clips, the longest {longest_seconds} s",),
            texts_zh=("共{clips}段，最长{longest_seconds}秒",),
            answers=(
                "The camera caught {clips} clips; the longest takes {longest_seconds} seconds.",
                "There are {clips} clips, the longest of {longest_seconds} seconds.",
                "{clips} clips from the {camera} camera.",
            ),
            answers_zh=(
                "这段时间有{clips}段，最长的一段{longest_seconds}秒。",
                "找到{clips}段录像，最长的有{longest_seconds}秒。",
                "{camera}摄像头有{clips}段录像。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="camera",
            asks=(
                "Show me the recordings of {day} from {start} to {end}.",
                "any motion {day} between {start} and {end}",
            ),
            replies=("Which camera do you mean?", "Of which camera?"),
            asks_zh=("看看{day} {start}到{end}的监控", "{day} {start}到{end}有动静吗"),
            replies_zh=("请问是哪个摄像头？", "要看哪个摄像头的？"),
        ),
        Missing(
            key="day",
            asks=(
                "What did the {camera} camera see between {start} and {end}?",
                "recordings of the {camera} camera, {start} to {end}",
            ),
            replies=("On which day?", "Which day do you mean?"),
            asks_zh=("{camera}摄像头{start}到{end}拍到什么了？", "调一下{camera}{start}到{end}的监控"),
            replies_zh=("请问是哪一天？", "哪天的录像？"),
        ),
    ),
    fits=_in_order,
)
