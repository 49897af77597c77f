"""A house that listens: lights, scenes, locks, and the devices of `_home_devices`."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Integer, Percent, Word
from training.data.times import Duration

from ._home_devices import BLINDS, DOCK_VACUUM, ENERGY, PLUG_TIMER, START_VACUUM, WASHING
from ._home_watch import CAMERA_EVENTS, READ_CLIMATE, SET_THERMOSTAT
from ._home_words import COLOR, DOOR, LISTED_ROOM, ROOM, SCENE, SPACE

_SWITCH = Choice(
    {"on": (("on",), ("开",)), "off": (("off",), ("关",))},
    ({"on": "ON", "off": "OFF"}, {"on": "turn_on", "off": "turn_off"}),
)

SWITCH_LIGHT = Family(
    key="smart_home.switch_light",
    names=("switch_light", "toggle_lights", "set_light_power", "lights_on_off", "light_switch"),
    about=(
        "Turn the lights of a room on or off.",
        "Switches lights. Does not change how bright they are or their colour.",
        "On/off for the lights in one room",
    ),
    about_zh=("打开或关闭某个房间的灯。", "开关灯。不用于调节亮度或颜色。", "控制房间灯的开关"),
    params=(
        Param("room", ROOM, ("room", "area", "location", "zone"), ("Room whose lights are meant",), ("房间",)),
        Param("state", _SWITCH, ("state", "power", "action"), ("On or off",), ("开或关",)),
    ),
    asks=(
        Ask("Turn on the lights in the {room}.", {"state": "on"}),
        Ask("lights off in the {room} please", {"state": "off"}),
        Ask("It's pitch dark in the {room}, I can't see a thing.", {"state": "on"}),
        Ask("I think I left the light burning in the {room}. Could you kill it?", {"state": "off"}),
        Ask("can you switch the {room} light on", {"state": "on"}),
        Ask("{room} lights off", {"state": "off"}),
        Ask("Nobody is in the {room} any more, so no need to waste power on the lamps there.", {"state": "off"}),
        Ask("I'm walking into the {room} with my hands full, give me some light", {"state": "on"}),
        Ask("Hey, the {room} is still lit up. Make it dark, please.", {"state": "off"}),
        Ask("Would you mind putting the light on in the {room}?", {"state": "on"}),
        Ask("shut off every lamp in the {room}", {"state": "off"}),
        Ask("We're about to eat, so light up the {room}, thanks!", {"state": "on"}),
        Ask("why are we burning electricity in the {room}? nobody's there", {"state": "off"}),
        Ask("Kids are asleep now, so make it dark in the {room} please.", {"state": "off"}),
        Ask("ok i'm home, {room} light", {"state": "on"}),
    ),
    asks_zh=(
        Ask("把{room}的灯打开", {"state": "on"}),
        Ask("{room}灯关了吧", {"state": "off"}),
        Ask("{room}黑漆漆的，什么都看不见", {"state": "on"}),
        Ask("我好像忘了关{room}的灯，帮我关一下", {"state": "off"}),
        Ask("开一下{room}的灯，谢谢", {"state": "on"}),
        Ask("{room}没人了，别浪费电，灯关掉", {"state": "off"}),
        Ask("我现在要去{room}拿东西，给我亮个灯", {"state": "on"}),
        Ask("麻烦把{room}的灯都熄了", {"state": "off"}),
        Ask("{room}开灯", {"state": "on"}),
        Ask("孩子睡着了，{room}的灯灭了吧", {"state": "off"}),
        Ask("我到家了，{room}给我弄亮点，把灯开开", {"state": "on"}),
    ),
    outcomes=(
        Outcome(
            fields=(("lamps", Integer(2, 9)),),
            texts=("ok, {lamps} lamps switched", "{lamps} lamps changed"),
            texts_zh=("已切换{lamps}盏灯", "成功，共{lamps}盏灯"),
            answers=(
                "All right, the light in the {room} is taken care of.",
                "The {room} lights did what you asked: {lamps} lamps.",
                "Done, {lamps} lamps in the {room} have been switched.",
                "I've switched the {room} lights.",
            ),
            answers_zh=(
                "搞定，{room}的灯按您说的办了。",
                "好的，{room}的{lamps}盏灯已经切换好了。",
                "{room}的灯已经处理好了。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="room",
            asks=("Turn on the lights.", "lights off please", "could you switch the light on?"),
            replies=("In which room?", "Which room's lights do you mean?"),
            asks_zh=("把灯打开", "关灯", "帮我开个灯"),
            replies_zh=("请问是哪个房间的灯？", "要操作哪个房间的灯？"),
        ),
    ),
    errors=("the light does not answer", "hub offline"),
)

DIM_LIGHT = Family(
    key="smart_home.dim_light",
    names=("set_brightness", "dim_lights", "adjust_light_level", "light_brightness", "set_light_level"),
    about=(
        "Set how bright the lights of a room are.",
        "Dims or brightens lamps to a level. Not for switching them off.",
        "Brightness of a room's lights, in percent, with an optional fade.",
    ),
    about_zh=("调节房间灯光的亮度。", "把灯调到指定亮度，可以设置渐变时间。"),
    params=(
        Param("room", SPACE, ("room", "area", "where"), ("Name of the room, in the user's words",), ("房间名称",)),
        Param("level", Percent(5, 100, 0), ("brightness", "level", "intensity"), ("Brightness",), ("亮度",)),
        Param(
            "fade",
            Duration("seconds", (2, 3, 5, 10, 20, 30, 60, 90, 120)),
            ("transition", "fade_seconds", "fade_time"),
            ("How long the change takes",),
            ("渐变时长",),
            required=False,
        ),
    ),
    asks=(
        "Dim the {room} lights to {level}[ over {fade}].",
        "brightness {level} in the {room}",
        "It's too bright in the {room}, go down to {level}[, slowly, within {fade}]",
        "My eyes hurt. Can the {room} be at {level} instead?",
        "Set the lamps in the {room} to {level}[ with a fade of {fade}], please.",
        "I'm reading in the {room} and could use more light, let's say {level}",
        "{level} light in the {room}[, and take {fade} for it]",
        "could you put the {room} at {level} brightness?",
        "Bring the {room} up to {level}, I can hardly read my book.",
        "the baby is asleep so only {level} in the {room} please",
        "Make the {room} a bit cosier: {level} brightness[ over {fade}].",
        "I want the {room} lights at {level}[, fading for {fade}]",
        "For the film we want the {room} at {level}[, give it {fade} to get there].",
        "what about {level} in the {room}, would be easier on my eyes",
    ),
    asks_zh=(
        "把{room}的灯调到{level}[，用{fade}慢慢变]",
        "{room}亮度{level}",
        "{room}太亮了，降到{level}吧",
        "我在{room}看书，光线有点暗，调到{level}",
        "宝宝睡了，{room}的灯只要{level}就行[，渐变{fade}]",
        "{room}的灯光亮度设成{level}[，{fade}内完成]",
        "眼睛不舒服，麻烦把{room}的灯调成{level}亮度",
        "{room}灯光{level}，谢谢",
        "氛围要温馨点，{room}调到{level}就好",
        "要看电影了，{room}灯光弄到{level}[，{fade}渐变]",
    ),
    outcomes=(
        Outcome(
            fields=(("status", Word(("ok", "done"))),),
            texts=("ok", "level set", "done"),
            texts_zh=("设置成功", "完成"),
            answers=("The {room} lights are at {level} now.", "Done: {level} in the {room}.", "{room}: {level}."),
            answers_zh=(
                "已将{room}的亮度设为{level}。",
                "{room}的灯光已经调到{level}。",
                "好了，{room}现在是{level}的亮度。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="level",
            asks=("Dim the lights in the {room}.", "change the brightness in the {room}"),
            replies=("How bright should the {room} be, in percent?", "To what level?"),
            asks_zh=("把{room}的灯光亮度调一下", "{room}的灯调暗点"),
            replies_zh=("请问要调到百分之多少？", "{room}想要多亮？"),
        ),
        Missing(
            key="room",
            asks=("Dim the lights to {level}.", "brightness to {level} please"),
            replies=("Which room do you mean?", "The lights in which room?"),
            asks_zh=("灯光调到{level}", "亮度{level}"),
            replies_zh=("请问是哪个房间？", "要调哪个房间的灯？"),
        ),
    ),
    errors=("this lamp can't be dimmed", "no such room"),
)

COLOR_LIGHT = Family(
    key="smart_home.color_light",
    names=("set_light_color", "color_lights", "change_lamp_colour", "light_colour", "paint_room_with_light"),
    about=(
        "Give the lights of a room a colour.",
        "Change the colour of lamps, and their brightness if wanted.",
        "Coloured light for one room",
    ),
    about_zh=("设置房间灯光的颜色。", "更改灯的颜色，可同时设置亮度。"),
    params=(
        Param("room", LISTED_ROOM, ("room", "zone", "group"), ("Where",), ("哪个房间",)),
        Param("color", COLOR, ("color", "colour", "hue"), ("Colour of the light",), ("灯光颜色",)),
        Param("level", Percent(5, 100, 0), ("brightness", "intensity"), ("Brightness",), ("亮度",), required=False),
    ),
    asks=(
        "Make the {room} lights {color}[ at {level}].",
        "{color} light in the {room} please",
        "We're having a party, so I want the {room} in {color}[, brightness {level}]!",
        "could the lamps in the {room} be {color}[ and at {level}]?",
        "change the {room} to {color}",
        "I'm in the mood for something {color} in the {room} tonight.",
        "{room}: {color}[, {level} bright]",
        "The light in the {room} looks awful, try {color}[ with {level} brightness].",
        "My daughter would love it if the {room} glowed {color}[ at {level}].",
        "set lamp colour {color} for the {room}",
        "i want {color} vibes in the {room} rn",
        "Halloween is here! Turn the {room} {color}[, {level} brightness].",
        "Could we swap the boring light in the {room} for {color}?",
    ),
    asks_zh=(
        "把{room}的灯变成{color}[，亮度{level}]",
        "{room}要{color}的灯光",
        "今晚开派对，{room}换成{color}[，{level}的亮度]",
        "{room}的灯能不能调成{color}",
        "{room}灯光{color}[，亮度{level}]",
        "女儿想让{room}的灯是{color}的",
        "现在{room}的光太难看了，换{color}试试",
        "麻烦将{room}的灯设为{color}[，{level}亮度]",
        "过节啦，{room}来点{color}的光[，{level}亮度]",
        "能不能给{room}整个{color}的氛围",
    ),
    outcomes=(
        Outcome(
            fields=(("lamps", Integer(2, 8)),),
            texts=("{lamps} lamps set",),
            texts_zh=("已设置{lamps}盏灯",),
            answers=(
                "{color} it is: the {room} is ready.",
                "The {room} is lit in {color} now.",
                "Done, {lamps} lamps in the {room} changed colour.",
            ),
            answers_zh=(
                "{room}现在亮着{color}的灯光。",
                "{room}的灯已经是{color}了。",
                "好了，{room}的{lamps}盏灯换成了{color}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="color",
            asks=("Change the colour of the {room} lights.", "give the {room} lights another colour"),
            replies=("Which colour would you like?", "What colour should the {room} be?"),
            asks_zh=("换一下{room}灯的颜色", "{room}的灯换个颜色"),
            replies_zh=("想换成什么颜色？", "请问{room}要什么颜色的灯光？"),
        ),
    ),
    errors=("these lamps are white only",),
)

ACTIVATE_SCENE = Family(
    key="smart_home.activate_scene",
    names=("activate_scene", "run_scene", "start_scene", "apply_scene", "trigger_home_scene"),
    about=(
        "Start a scene that was set up before.",
        "Activates a saved scene by its name; several devices change at once.",
        "Run a smart home scene, e.g. 'dinner'.",
    ),
    about_zh=("启动已保存的场景。", "按名称执行智能家居场景。"),
    params=(
        Param("scene", SCENE, ("scene", "scene_name", "name"), ("Name of the scene",), ("场景名称",)),
        Param(
            "delay",
            Duration("minutes", (1, 2, 5, 10, 15, 20, 30, 45, 60)),
            ("delay_minutes", "delay", "start_in"),
            ("Wait before it starts",),
            ("延迟启动",),
            required=False,
        ),
    ),
    asks=(
        "Start the {scene} scene[ in {delay}].",
        "scene {scene}",
        "activate {scene} mode[ {delay} from now]",
        "Put the house into {scene} mode, please.",
        "You know my scene {scene}? I'd like that one now.",
        "time for the {scene} scene",
        "Could you run {scene}[, but only in {delay}]? It's one of my scenes.",
        "Please set the whole house to {scene}[ in {delay}].",
        "we're ready, go ahead with the {scene} scene",
        "switch to scene {scene}[, {delay} from now]",
        "I'd love the {scene} scene[ in about {delay}], thanks",
        "everyone's here, so {scene} scene please",
        "Would you kick off {scene}? That's the scene I made yesterday.",
    ),
    asks_zh=(
        "打开{scene}模式",
        "启动{scene}场景[，{delay}后再开始]",
        "[{delay}后]切换到{scene}模式",
        "来个{scene}场景吧",
        "我们准备好了，执行{scene}场景",
        "全屋进入{scene}模式，谢谢",
        "帮我开一下之前设的{scene}场景[，{delay}之后]",
        "{scene}模式，走起",
        "人都到齐了，来{scene}模式",
        "执行一下场景：{scene}[，{delay}后]",
    ),
    outcomes=(
        Outcome(
            fields=(("devices_changed", Integer(2, 25)),),
            texts=("scene applied to {devices_changed} devices", "{devices_changed} devices updated"),
            texts_zh=("场景已应用，{devices_changed}个设备已更新",),
            answers=(
                "All set for {scene}.",
                "The scene {scene} is set: {devices_changed} devices follow it.",
                "Done, {scene} covers {devices_changed} devices.",
            ),
            answers_zh=(
                "{scene}已执行，{devices_changed}个设备有变化。",
                "{scene}场景已启动，共{devices_changed}个设备。",
                "好的，{scene}模式已经设好了。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="scene",
            asks=("Start one of my scenes.", "activate a scene please", "can you run my scene"),
            replies=("Which scene should I start?", "What is the scene called?"),
            asks_zh=("帮我开个场景模式", "启动场景"),
            replies_zh=("请问要启动哪个场景？", "场景叫什么名字？"),
        ),
    ),
    errors=("no scene of that name",),
)

LIST_SCENES = Family(
    key="smart_home.list_scenes",
    names=("list_scenes", "get_scenes", "show_saved_scenes", "available_scenes"),
    about=("List the scenes of this home.", "Names of all saved scenes. Starts nothing.", "All scenes"),
    about_zh=("列出家里的所有场景。", "查看已保存的场景，不会启动任何场景。"),
    params=(),
    asks=(
        "Which scenes do I have?",
        "list my scenes",
        "What scenes have we set up at home?",
        "I forgot what I called my scenes, can you tell me?",
        "show me all saved scenes",
        "is there any scene for the evening, or what have I got?",
        "Remind me which moods the house knows.",
        "what scenes can you run",
        "Before I make another one: what scenes exist already?",
        "scenes overview please",
        "any idea what my scenes were called again",
        "Read me the names of the scenes, please.",
    ),
    asks_zh=(
        "我有哪些场景？",
        "列一下家里的场景",
        "都设置过什么场景来着",
        "现在能用的场景有哪些",
        "我忘了场景都叫什么，给我看看",
        "看看保存过的场景模式",
        "家里有什么模式可以选？",
        "新建之前先看看已经有哪些场景",
        "场景列表",
        "念一下我有哪些场景",
    ),
    outcomes=(
        Outcome(
            fields=(("count", Integer(3, 14)), ("first", SCENE), ("last_used", SCENE)),
            texts=("{count} scenes; first: {first}; last used: {last_used}",),
            texts_zh=("共{count}个场景；第一个：{first}；最近使用：{last_used}",),
            answers=(
                "I know {count} scenes here. The first is {first}.",
                "You have {count} scenes; the one last used is {last_used}.",
                "There are {count} scenes, from {first} to your last used one, {last_used}.",
            ),
            answers_zh=(
                "家里存了{count}个场景，上次用的是{last_used}。",
                "您有{count}个场景，最近用过的是{last_used}。",
                "一共{count}个场景，第一个是{first}。",
            ),
        ),
    ),
)

LOCK_DOOR = Family(
    key="smart_home.lock_door",
    names=("control_lock", "set_door_lock", "lock_or_unlock", "door_lock", "smart_lock"),
    about=(
        "Lock or unlock a door.",
        "Operates a smart lock. A door with a code needs that code to be opened.",
        "Locks/unlocks one door",
    ),
    about_zh=("给门上锁或开锁。", "控制智能门锁，部分门需要密码。"),
    params=(
        Param("door", DOOR, ("door", "lock", "lock_name"), ("Which door",), ("哪扇门",)),
        Param(
            "action",
            Choice(
                {"lock": (("lock",), ("上锁",)), "unlock": (("unlock",), ("开锁",))},
                ({"lock": "LOCK", "unlock": "UNLOCK"},),
            ),
            ("action", "command", "operation"),
        ),
        Param("pin", Code(("9999", "99999", "999999")), ("pin", "code", "passcode"), ("Code",), ("密码",), False),
    ),
    asks=(
        Ask("Lock the {door}.", {"action": "lock"}),
        Ask("unlock the {door}[, the code is {pin}]", {"action": "unlock"}),
        Ask("My parents are waiting outside, let them in through the {door}[ with {pin}].", {"action": "unlock"}),
        Ask("I'm already in bed and not sure the {door} is secured, take care of it please", {"action": "lock"}),
        Ask("can you bolt the {door} for the night?", {"action": "lock"}),
        Ask("Open the lock of the {door}[, pin {pin}], the plumber is here", {"action": "unlock"}),
        Ask("We've left. Make sure nobody gets in by the {door}.", {"action": "lock"}),
        Ask("{door} lock please", {"action": "lock"}),
        Ask("Hi! Could you unlock the {door} for the cleaner[? Use {pin}]", {"action": "unlock"}),
        Ask("forgot my keys again... unlock the {door}[ using code {pin}]", {"action": "unlock"}),
        Ask("going to sleep, is the {door} locked? if in doubt lock it", {"action": "lock"}),
        Ask("The dog walker stands in front of the {door}, please open up[, code {pin}].", {"action": "unlock"}),
    ),
    asks_zh=(
        Ask("把{door}锁上", {"action": "lock"}),
        Ask("帮我开一下{door}的锁[，密码{pin}]", {"action": "unlock"}),
        Ask("爸妈到了，给他们开{door}[，密码是{pin}]", {"action": "unlock"}),
        Ask("我已经躺下了，{door}不知道锁没锁，锁一下吧", {"action": "lock"}),
        Ask("我们出门了，{door}要锁好", {"action": "lock"}),
        Ask("师傅在外面等着，{door}解锁[，用{pin}]", {"action": "unlock"}),
        Ask("忘带钥匙了，给我打开{door}的锁", {"action": "unlock"}),
        Ask("{door}上锁", {"action": "lock"}),
        Ask("遛狗的阿姨在{door}外面，给她开一下[，密码{pin}]", {"action": "unlock"}),
        Ask("出门太急，{door}好像没锁，远程锁一下", {"action": "lock"}),
    ),
    outcomes=(
        Outcome(
            fields=(("battery_percent", Integer(12, 100)),),
            texts=("done, battery {battery_percent}%",),
            texts_zh=("操作成功，电量{battery_percent}%",),
            answers=(
                "The {door}: done, and the battery still has {battery_percent}%.",
                "Done. The lock's battery is at {battery_percent}%.",
                "That's done for the {door}.",
            ),
            answers_zh=(
                "{door}操作完成，锁的电量还有{battery_percent}%。",
                "{door}已经操作好了，门锁电量{battery_percent}%。",
                "好的，{door}处理好了。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="door",
            asks=("Lock the door.", "unlock it for my guests please", "can you lock up?"),
            replies=("Which door do you mean?", "Which of the doors?"),
            asks_zh=("把门锁上", "帮我开锁"),
            replies_zh=("请问是哪扇门？", "要操作哪个门？"),
        ),
    ),
    errors=("the lock is jammed", "wrong code"),
)

DOMAIN = Domain(
    "smart_home",
    (
        *(SWITCH_LIGHT, DIM_LIGHT, COLOR_LIGHT, ACTIVATE_SCENE, LIST_SCENES, LOCK_DOOR),
        *(BLINDS, START_VACUUM, DOCK_VACUUM, PLUG_TIMER, WASHING, ENERGY),
        *(SET_THERMOSTAT, READ_CLIMATE, CAMERA_EVENTS),
    ),
    unserved=(
        ("Order new bulbs for the kitchen lamp.", "帮我买几个厨房的灯泡。"),
        ("Is the smoke detector in the attic still working?", "阁楼的烟雾报警器还正常吗？"),
        ("Delete the movie night scene.", "把观影场景删掉。"),
        ("Add a new fingerprint for the front door.", "给大门录入一个新指纹。"),
        ("When does the fridge need a new filter?", "冰箱什么时候该换滤芯？"),
        ("Preheat the oven to 200 degrees.", "烤箱预热到200度。"),
        ("Why is the Wi-Fi so slow upstairs?", "楼上的无线网怎么这么慢？"),
        ("Call an electrician, the fuse has blown.", "保险丝烧了，帮我叫个电工。"),
        ("Mow the lawn this afternoon.", "下午把草坪割一下。"),
        ("What would solar panels for our roof cost?", "我家屋顶装太阳能板要多少钱？"),
        ("Rename the lamp by the sofa to reading lamp.", "把沙发旁的灯改名叫阅读灯。"),
        ("Start the dishwasher on eco.", "洗碗机开节能模式。"),
        ("Which light bulb uses the least power, LED or halogen?", "LED灯和卤素灯哪个更省电？"),
        ("Set an alarm for half past six.", "设一个六点半的闹钟。"),
        ("Fill up the robot's water tank, would you?", "给扫地机器人的水箱加点水。"),
    ),
)
