"""Phones, laptops and printers: battery, storage, networks, screens, paper and ink."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, Word
from training.data.times import Duration
from training.data.wordings import pool

DEVICE = Choice(
    {
        "phone": (("phone", "mobile", "smartphone"), ("手机",)),
        "laptop": (("laptop", "notebook"), ("笔记本", "笔记本电脑")),
        "tablet": (("tablet",), ("平板", "平板电脑")),
        "watch": (("watch", "smartwatch"), ("手表", "智能手表")),
        "earbuds": (("earbuds", "wireless earphones"), ("耳机", "无线耳机")),
    }
)
DISK = Choice(
    {
        "phone": (("phone", "mobile"), ("手机",)),
        "laptop": (("laptop", "notebook"), ("笔记本", "笔记本电脑")),
        "tablet": (("tablet",), ("平板",)),
        "camera": (("camera",), ("相机",)),
    },
    ({"phone": "PHONE", "laptop": "LAPTOP", "tablet": "TABLET", "camera": "CAMERA"},),
)
NETWORK = Word(
    pool(
        """GardenHouse | Flat12 | CafeLuna | Guest-5G | HomeOffice | library-free | NorthWing | BluePenguin
        Hotel_Adler | skylab | MyRouter2 | TrainWiFi | Studio-Net | FamilyBox | dorm_3b | workshop24
        AirportGuest | TheShed | Room-204 | lakeside"""
    )
)
PRINTER = Word(
    pool(
        """office printer | printer upstairs | Canon in the hall | HP LaserJet | Brother HL | Epson EcoTank
        label printer | printer in accounting | Kyocera | reception printer | photo printer | big Xerox
        lab printer"""
    ),
    pool(
        """办公室打印机 | 楼上的打印机 | 走廊的佳能 | 惠普激光打印机 | 兄弟打印机 | 爱普生 | 标签打印机
        财务室打印机 | 前台打印机 | 照片打印机 | 大复印机 | 实验室打印机"""
    ),
)
DOCUMENT = Word(
    pool(
        """contract.pdf | menu_summer.docx | boarding_pass.pdf | homework.pdf | flyer.png | report_q3.pdf
        recipe.txt | map_hike.pdf | tickets.pdf | invoice_203.pdf | letter_landlord.docx | seating_plan.xlsx
        thesis_ch2.pdf | sheet.pdf | insurance_form.pdf | poster_a3.pdf | cv_2026.pdf | shopping.txt
        song_lyrics.docx | agenda.docx"""
    ),
    pool(
        """合同.pdf | 夏季菜单.docx | 登机牌.pdf | 作业.pdf | 传单.png | 三季度报告.pdf | 菜谱.txt | 路线图.pdf
        门票.pdf | 发票203.pdf | 房东信.docx | 座位表.xlsx | 论文第二章.pdf | 保险单.pdf | 海报.pdf | 简历.pdf
        歌词.docx | 会议议程.docx | 课程表.xlsx | 证明.pdf"""
    ),
)

BATTERY = Family(
    key="devices.battery",
    names=("battery_level", "get_battery", "device_charge", "power_status"),
    about=(
        "How full the battery of a device is.",
        "Charge of one of the user's devices in percent, and how long it will last.",
        "Battery level only.",
    ),
    about_zh=("查询设备电量。", "返回某个设备的剩余电量和可用时长。"),
    params=(Param("device", DEVICE, ("device", "device_type", "which"), ("Which device",), ("设备",)),),
    asks=(
        "How much battery does my {device} have?",
        "{device} battery",
        "Will my {device} survive the train ride? How full is it?",
        "do I need to plug in my {device}",
        "Is the {device} charged?",
        "my {device} feels like it's about to die, what's the charge",
        "I left the charger at home. How long will the {device} last?",
        "juice left in the {device}?",
        "what percentage is my {device} at",
        "before we leave: is there power in the {device}",
    ),
    asks_zh=(
        "我的{device}还有多少电？",
        "{device}电量",
        "{device}要不要充电了",
        "{device}能撑到晚上吗，还有多少电",
        "看看{device}充满没有",
        "充电器忘家里了，{device}还能用多久？",
        "{device}快没电了吧？",
        "出门前看一眼{device}的电",
        "{device}剩百分之多少",
        "路上{device}的电够用吗",
        "查下{device}的电池",
    ),
    outcomes=(
        Outcome(
            fields=(("percent", Integer(4, 100)), ("hours_left", Integer(2, 30))),
            texts=("{percent}%, {hours_left} h left",),
            texts_zh=("电量{percent}%，约{hours_left}小时",),
            answers=(
                "Your {device} is at {percent}%.",
                "{percent}%, enough for about {hours_left} hours.",
                "It has {percent}% left and lasts {hours_left} more hours.",
            ),
            answers_zh=(
                "{device}还有{percent}%的电。",
                "电量{percent}%，还能用{hours_left}小时左右。",
                "{percent}%，大约{hours_left}小时。",
            ),
        ),
    ),
    missing=(
        Missing(
            "device",
            ("How much battery is left?", "is it charged", "How long will the battery last?"),
            ("Which device do you mean?", "Of which device?"),
            ("还有多少电？", "电充满了没", "电池还能用多久"),
            ("请问是哪个设备？", "您问的是手机还是别的设备？"),
        ),
    ),
)

STORAGE = Family(
    key="devices.storage",
    names=("free_storage", "disk_space", "storage_report", "space_left_on_device"),
    about=(
        "Free space on a device.",
        "How much storage is left and what takes most of it.",
        "Reads the storage; deletes nothing.",
    ),
    about_zh=("查询设备剩余存储空间。", "看看还有多少空间、什么占得最多，不会删除。"),
    params=(
        Param("device", DISK, ("device", "on", "target"), ("Which device",), ("设备",)),
        Param(
            "detail", Flag(), ("by_category", "show_details"), ("List what takes the space",), ("按类别列出",), False
        ),
    ),
    asks=(
        "How much space is left on my {device}?",
        "{device} storage",
        "Can I still take pictures or is the {device} full?",
        "is there room for a film on the {device}",
        Ask("My {device} keeps saying it's full. List by category what eats the space.", {"detail": True}),
        Ask("free space on the {device}, with a breakdown by category", {"detail": True}),
        "how many gigabytes are free on my {device}",
        "Would 20 more videos fit on the {device}?",
        "the {device} says memory low, check how much is left",
        "My {device} is slow, maybe there's no space left on it?",
    ),
    asks_zh=(
        "{device}还有多少空间？",
        "{device}内存满了没",
        "{device}还能存多少照片，看看剩余空间",
        Ask("{device}老提示空间不足，按类别列一下都被什么占了", {"detail": True}),
        Ask("看看{device}的存储，要分类明细", {"detail": True}),
        "{device}剩多少G",
        "想下部电影，{device}放得下吗",
        "{device}卡得要死，是不是没空间了",
        "查{device}的剩余容量",
        "{device}快存不下了吧，还剩多少",
        "我的{device}还装得下东西吗",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("free_gb", Integer(1, 480)),
                ("largest", Word(pool("photos | videos | apps"), pool("照片 | 视频 | 应用"))),
            ),
            texts=("{free_gb} GB free, mostly {largest}",),
            texts_zh=("剩余{free_gb}GB，{largest}占得最多",),
            answers=(
                "Your {device} has {free_gb} GB left.",
                "{free_gb} GB are free; {largest} take the most space.",
                "There are {free_gb} GB free on it.",
            ),
            answers_zh=("{device}还剩{free_gb}GB。", "剩余{free_gb}GB，{largest}占得最多。", "还有{free_gb}GB可用。"),
        ),
    ),
    missing=(
        Missing(
            "device",
            ("How much space do I have left?", "is the storage full"),
            ("On which device?", "Which device should I check?"),
            ("还有多少空间？", "内存是不是满了"),
            ("请问是哪个设备？", "要查哪个设备？"),
        ),
    ),
)

WIFI = Family(
    key="devices.wifi",
    names=("connect_wifi", "join_network", "wifi_login", "set_wireless_network"),
    about=(
        "Connect to a wireless network.",
        "Joins a Wi-Fi by its name, with a password if it has one.",
        "Connects this device; it does not measure the speed.",
    ),
    about_zh=("连接无线网络。", "按名称连接 Wi-Fi，需要时填写密码。"),
    params=(
        Param("network", NETWORK, ("ssid", "network", "wifi_name"), ("Name of the network",), ("网络名称",)),
        Param(
            "password",
            Word(
                pool(
                    """sunny-day-42 | Tr33house! | 12345678 | opensesame9 | kiwi&lemon | Blue_Whale7 | guest2026
                    pa55w0rd | N0rthStar | cheese-cake-11 | wlan4you | qwertz99 | LetMeIn_88 | four.red.bikes
                    mango7mango | zx81zx81"""
                )
            ),
            ("password", "passphrase", "key"),
            ("Password, if there is one",),
            ("密码",),
            False,
        ),
        Param("remember", Flag(), ("remember", "auto_join"), ("Join by itself later",), ("以后自动连接",), False),
    ),
    asks=(
        "Connect to {network}[, the password is {password}].",
        "join the wifi {network}[ with {password}]",
        "I'm in a café, the network is called {network}[ and the key is {password}]. Get me online.",
        "wifi: {network}[, pw {password}]",
        "Switch over to {network}, this network is too slow.",
        Ask("log into {network}[ using {password}] and remember it", {"remember": True}),
        Ask("Connect to {network} just this once, don't save it.", {"remember": False}),
        "can you put me on {network}[? the code on the wall says {password}]",
        "use {network} for the internet",
    ),
    asks_zh=(
        "连上{network}[，密码{password}]",
        "连WiFi，名字是{network}[，密码是{password}]",
        "我在咖啡店，网络叫{network}[，墙上写的密码{password}]，帮我连一下",
        "这个网太慢，换到{network}",
        Ask("连接{network}[，密码{password}]，以后自动连", {"remember": True}),
        Ask("就这一次连{network}，别保存", {"remember": False}),
        "无线网用{network}[，密码输{password}]",
        "帮我加入{network}这个网络",
        "没网了，连{network}试试",
        "{network}[，密码{password}]，连上去",
        "手机上不了网，接到{network}[，口令{password}]",
    ),
    outcomes=(
        Outcome(
            fields=(("signal_percent", Integer(25, 100)),),
            texts=("connected, signal {signal_percent}%",),
            texts_zh=("已连接，信号{signal_percent}%",),
            answers=(
                "You are connected to {network}.",
                "Connected; the signal is {signal_percent}%.",
                "Done, you're on {network}.",
            ),
            answers_zh=("已连上{network}。", "连好了，信号{signal_percent}%。", "{network}已连接。"),
        ),
    ),
    missing=(
        Missing(
            "network",
            ("Connect me to the wifi.", "get me online, the password is {password}"),
            ("What is the network called?", "Which network should I join?"),
            ("帮我连WiFi", "连一下网，密码{password}"),
            ("请问网络名称是什么？", "要连哪个WiFi？"),
        ),
    ),
    errors=("wrong password", "network out of range"),
)

SCREEN = Family(
    key="devices.screen_timeout",
    names=("set_screen_timeout", "display_sleep_after", "screen_off_delay", "configure_auto_lock"),
    about=(
        "After how long a screen switches itself off.",
        "Sets the time without touch until the display goes dark.",
        "Screen time-out, in seconds. It does not change how bright the screen is.",
    ),
    about_zh=("设置屏幕自动熄灭的时间。", "多久不操作后息屏，不调节亮度。"),
    params=(
        Param(
            "delay",
            Duration("seconds", (15, 30, 60, 90, 120, 180, 300, 600, 900)),
            ("seconds", "timeout", "delay"),
            ("Time until it goes dark",),
            ("时长",),
        ),
        Param("device", DISK, ("device", "screen_of"), ("This device if left out",), ("设备",), False),
    ),
    asks=(
        "Turn the screen[ of my {device}] off after {delay}.",
        "my display goes dark all the time, let it stay on for {delay}",
        "screen timeout {delay}[ on the {device}]",
        "Lock the screen[ of the {device}] by itself after {delay}.",
        "I'm cooking with a recipe open and the screen keeps dying. {delay} before it sleeps, please.",
        "auto-lock: {delay}",
        "to save power the[ {device}] screen should go black after {delay}",
        "Can the screen[ of the {device}] wait {delay} before switching off?",
        "set display sleep[ for the {device}] to {delay}",
    ),
    asks_zh=(
        "[{device}]屏幕{delay}后自动熄灭",
        "[把{device}的]息屏时间改成{delay}",
        "屏幕老是黑，让它亮{delay}再灭",
        "自动锁屏设{delay}[，{device}的]",
        "我在照着菜谱做饭，屏幕别那么快灭，{delay}吧",
        "为了省电，[{device}]{delay}不动就黑屏",
        "[{device}]{delay}没操作就关屏",
        "锁屏时间：{delay}",
        "屏幕休眠调到{delay}[，{device}]",
        "看书的时候屏幕总灭，改成{delay}",
    ),
    outcomes=(
        Outcome(
            fields=(("saved", Word(("yes",), ("是",))),),
            texts=("time-out saved",),
            texts_zh=("已设置",),
            answers=("The screen now goes dark after {delay}.", "Done: {delay}.", "The time-out is set to {delay}."),
            answers_zh=("屏幕会在{delay}后熄灭。", "好了，改成{delay}。", "息屏时间已设为{delay}。"),
        ),
    ),
    missing=(
        Missing(
            "delay",
            ("Change when the screen of my {device} switches off.", "my screen goes dark too soon"),
            ("After how long should it go dark?", "How long should the screen stay on?"),
            ("改一下{device}的息屏时间", "屏幕灭得太快了，改一下"),
            ("请问改成多久？", "多长时间后熄屏？"),
        ),
    ),
)

PRINT = Family(
    key="devices.print",
    names=("print_document", "send_to_printer", "print_file", "new_print_job"),
    about=(
        "Print a file.",
        "Sends a document to a printer, with copies, colour and both sides if wanted.",
        "Prints what is there already; it scans nothing.",
    ),
    about_zh=("打印文件。", "把文档送到打印机，可设份数、颜色和双面。"),
    params=(
        Param("file", DOCUMENT, ("file", "document", "filename", "path"), ("What to print",), ("文件",)),
        Param("printer", PRINTER, ("printer", "printer_name"), ("Default printer if left out",), ("打印机",), False),
        Param("copies", Integer(2, 40), ("copies", "num_copies", "count"), ("Number of copies",), ("份数",), False, 1),
        Param(
            "colour",
            Flag(("in colour",), ("彩色",), ("in black and white",), ("黑白",)),
            ("color", "in_color"),
            ("True for colour",),
            ("是否彩色",),
            False,
        ),
        Param(
            "sides",
            Choice(
                {"one": (("single-sided",), ("单面",)), "both": (("double-sided", "on both sides"), ("双面",))},
                ({"one": "simplex", "both": "duplex"},),
            ),
            ("sides", "duplex_mode"),
            (),
            (),
            False,
        ),
    ),
    asks=(
        "Print {file}[ {colour}][ on the {printer}].",
        "{copies} copies of {file} please[, {sides}]",
        "I need {file} on paper[, {colour}][, {sides}]",
        "send {file} to the {printer}[, {sides}]",
        "print {file}[, {colour}][, {copies} times]",
        "The meeting starts in five minutes, get me {copies} copies of {file}[ from the {printer}]!",
        "could you run off {file}[ {sides}][ {colour}]",
        "a hard copy of {file}[, {colour}]",
        "put {file} through the printer[, {copies} copies]",
    ),
    asks_zh=(
        "打印{file}[，{colour}][，{sides}]",
        "把{file}打出来[，{copies}份]",
        "{file}打{copies}份[，{colour}]",
        "马上开会了，{file}帮我打{copies}份[，{sides}]",
        "用{printer}打{file}[，{colour}]",
        "我要{file}的纸质版[，{sides}]",
        "{file}发到{printer}打印[，{copies}份]",
        "打一下{file}，[{colour}，]谢谢",
        "[{sides}]打印{file}[，{copies}份]",
        "{file}[，{colour}][，{sides}]，打印",
    ),
    outcomes=(
        Outcome(
            fields=(("pages", Integer(1, 60)), ("job", Integer(100, 999))),
            texts=("job {job}, {pages} pages",),
            texts_zh=("任务{job}，共{pages}页",),
            answers=(
                "{file} is being printed: {pages} pages.",
                "Sent to the printer as job {job}.",
                "It's printing, {pages} pages.",
            ),
            answers_zh=("{file}正在打印，共{pages}页。", "已发送，打印任务{job}。", "在打了，{pages}页。"),
        ),
    ),
    missing=(
        Missing(
            "file",
            ("Print something for me on the {printer}.", "I need {copies} copies", "print it {colour}"),
            ("Which file should I print?", "What would you like to print?"),
            ("帮我打印一下", "打{copies}份", "用{printer}打印"),
            ("请问打印哪个文件？", "要打印什么？"),
        ),
    ),
    errors=("paper jam", "the printer is offline", "no paper"),
)

INK = Family(
    key="devices.ink",
    names=("ink_level", "toner_status", "printer_supplies", "check_cartridges"),
    about=(
        "How much ink or toner a printer has left.",
        "Supplies of a printer: cartridges in percent.",
        "Looks at the cartridges; prints nothing and orders nothing.",
    ),
    about_zh=("查询打印机墨量。", "返回墨盒或碳粉剩余百分比。"),
    params=(
        Param("printer", PRINTER, ("printer", "printer_name", "device_name"), ("Which printer",), ("打印机",)),
        Param(
            "cartridge",
            Choice(
                {
                    "black": (("black",), ("黑色",)),
                    "cyan": (("cyan",), ("青色",)),
                    "magenta": (("magenta",), ("品红",)),
                    "yellow": (("yellow",), ("黄色",)),
                }
            ),
            ("cartridge", "color"),
            ("One colour only",),
            ("颜色",),
            False,
        ),
    ),
    asks=(
        "How much[ {cartridge}] ink is left in the {printer}?",
        "{printer} toner",
        "Are the cartridges of the {printer} nearly empty?",
        "My printouts come out pale on the {printer}, is there enough[ {cartridge}] ink?",
        "do we have to buy new[ {cartridge}] ink for the {printer}",
        "check the[ {cartridge}] ink of the {printer}",
        "The {printer} is blinking. Is it the[ {cartridge}] ink?",
        "will the {printer} manage two hundred more pages, ink-wise",
        "supplies of the {printer}, please",
    ),
    asks_zh=(
        "{printer}还有多少墨？",
        "{printer}的[{cartridge}]墨盒快空了吗",
        "{printer}打出来很淡，是不是没墨了",
        "看下{printer}[{cartridge}]墨量",
        "{printer}要不要买新墨盒[，{cartridge}的]",
        "{printer}灯在闪，[{cartridge}]墨够吗？",
        "{printer}碳粉还剩多少",
        "还要打两百页，{printer}的墨够不够",
        "查查{printer}的耗材",
        "{printer}[{cartridge}]墨水剩百分之几",
    ),
    outcomes=(
        Outcome(
            fields=(("percent_left", Integer(2, 100)),),
            texts=("{percent_left}% left",),
            texts_zh=("剩余{percent_left}%",),
            answers=(
                "There is {percent_left}% left.",
                "The {printer} has {percent_left}% ink left.",
                "{percent_left}% remain.",
            ),
            answers_zh=("还剩{percent_left}%。", "{printer}的墨还有{percent_left}%。", "剩余{percent_left}%。"),
        ),
    ),
    missing=(
        Missing(
            "printer",
            ("Is there enough {cartridge} ink?", "do we need new toner"),
            ("Which printer do you mean?", "In which printer?"),
            ("墨够不够？", "{cartridge}墨还有吗"),
            ("请问是哪台打印机？", "您问的是哪台？"),
        ),
    ),
)

DOMAIN = Domain(
    "devices",
    (BATTERY, STORAGE, WIFI, SCREEN, PRINT, INK),
    unserved=(
        ("Make the screen brighter.", "把屏幕调亮一点。"),
        ("Scan this receipt.", "把这张小票扫描一下。"),
        ("Uninstall the game.", "把那个游戏卸载掉。"),
        ("Update the operating system.", "更新一下系统。"),
        ("Pair my new headphones over Bluetooth.", "蓝牙配对我的新耳机。"),
        ("My screen is cracked, who can repair it?", "屏幕裂了，谁能修？"),
        ("Move all photos to the external drive.", "把照片都移到移动硬盘。"),
        ("Order a new ink cartridge.", "买一个新墨盒。"),
        ("Find my lost tablet.", "帮我找丢了的平板。"),
        ("Change my lock code.", "改一下锁屏密码。"),
        ("How fast is the internet here?", "这里网速多少？"),
        ("Restart the laptop.", "把笔记本重启一下。"),
        ("Switch the phone to silent.", "把手机调成静音。"),
    ),
)
