"""Notes that are written, continued and found again, and the tasks that are open."""

from training.data.families._everyday import CHORES
from training.data.family import Ask, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Word
from training.data.wordings import composed

NOTE_TITLES = Word(
    (
        *("Gift ideas", "Holiday plans", "Recipes", "House rules", "Reading list", "Interview prep", "Dreams"),
        *("Garden diary", "Book quotes", "Car repairs", "Meeting notes", "Thesis outline", "Wifi passwords"),
        *("Birthday speech", "Business ideas", "Baby names", "Allergies", "Trip to Kyoto", "Workout log"),
        *("Kitchen renovation", "Lecture 7", "Sourdough", "Budget 2027", "Client feedback", "Movie night picks"),
    ),
    (
        *(
            "礼物清单",
            "旅行计划",
            "菜谱",
            "读书笔记",
            "面试准备",
            "花园日记",
            "金句摘抄",
            "修车记录",
            "会议记录",
            "论文提纲",
        ),
        *(
            "创业点子",
            "宝宝名字",
            "过敏记录",
            "京都之行",
            "健身记录",
            "厨房装修",
            "第七讲",
            "客户反馈",
            "电影推荐",
            "年度预算",
        ),
        *("婚礼致辞", "育儿心得", "基金定投", "搬家事项", "吉他谱"),
    ),
    quoted=0.2,
)
THOUGHTS = composed(
    (
        "{who} prefers {what} over {other}",
        "the spare key is {where}",
        "the {thing} costs {price}",
        "try {what} with {other}",
        "the guarantee of the {thing} ends in {month}",
        "{who} recommended the {thing} from the {shop}",
        "never buy {what} at the {shop} again",
        "the {thing} is {where}",
        "ask {who} about the {thing}",
        "the password hint is {what} and {other}",
        "{month} is the best time for {what}",
        "idea: a {shop} that only sells {what}",
    ),
    (
        "{who}更喜欢{what}，不喜欢{other}",
        "备用钥匙在{where}",
        "{thing}要{price}",
        "试试{what}配{other}",
        "{thing}的保修到{month}结束",
        "{who}推荐{shop}的{thing}",
        "再也不在{shop}买{what}了",
        "{thing}放在{where}",
        "问问{who}{thing}的事",
        "{month}最适合{what}",
        "点子：开一家只卖{what}的{shop}",
    ),
    {
        "who": ("Grandma", "Uncle Joe", "the landlord", "Priya", "Tomas", "my boss", "the neighbour", "Dr Weber"),
        "what": ("rye bread", "mint tea", "ginger", "figs", "oat cookies", "tulips", "goat cheese", "dark chocolate"),
        "other": ("honey", "sea salt", "walnuts", "lime", "cinnamon", "white wine"),
        "where": ("in the blue drawer", "behind the mirror", "with the neighbours", "on the top shelf", "in box 14"),
        "thing": ("drill", "espresso machine", "tent", "lamp", "sewing machine", "projector", "bike rack", "heater"),
        "price": ("49 euros", "$120", "about 300", "1,250 yen", "75 pounds", "19.90"),
        "month": ("March", "August", "October", "early spring", "December"),
        "shop": ("corner shop", "bakery", "flea market", "hardware store", "garden centre", "bookshop"),
    },
    {
        "who": ("奶奶", "房东", "小李", "王医生", "老板", "邻居", "表姐", "陈老师"),
        "what": ("全麦面包", "薄荷茶", "生姜", "无花果", "燕麦饼干", "郁金香", "黑巧克力"),
        "other": ("蜂蜜", "海盐", "核桃", "青柠", "肉桂"),
        "where": ("蓝色抽屉里", "镜子后面", "邻居那儿", "最上面一层", "14号箱子里"),
        "thing": ("电钻", "咖啡机", "帐篷", "台灯", "缝纫机", "投影仪", "取暖器"),
        "price": ("399块", "1200元", "大概三百", "75元", "19块9"),
        "month": ("三月", "八月", "十月", "初春", "年底"),
        "shop": ("小卖部", "面包店", "跳蚤市场", "五金店", "花店", "书店"),
    },
    quoted=0.15,
)
TAGS = Word(
    ("work", "home", "ideas", "health", "money", "family", "travel", "school", "recipes", "urgent"),
    ("工作", "家庭", "灵感", "健康", "理财", "旅行", "学习", "菜谱", "重要"),
)
SAVED = Flag(("yes",), ("是",))

WRITE = Family(
    key="lists.write_note",
    names=("create_note", "take_note", "save_note", "new_note", "write_memo"),
    about=(
        "Save a note.",
        "Writes down a text as a new note, with tags if wanted.",
        "Take a note. For things to be done use the to-do list.",
    ),
    about_zh=("保存笔记。", "把一段文字记成新笔记，可加标签。待办请用任务工具。"),
    params=(
        Param("text", THOUGHTS, ("content", "text", "note"), ("What to write down",), ("笔记内容",)),
        Param("title", NOTE_TITLES, ("title", "heading"), ("Heading of the note",), ("标题",), False),
        Param("tags", ListOf(TAGS, 1, 3), ("tags", "labels"), ("Tags",), ("标签",), False),
    ),
    asks=(
        "Take a note: {text}",
        "note to self, {text}",
        "Write this down[ under the heading {title}]: {text}",
        "I want to remember that {text}. Save it as a note[ with the tags {tags}].",
        "make a new note[ titled {title}] that says {text}",
        "memo: {text}",
        "Can you jot this down for me[, tags {tags}]: {text}",
        "Before I forget, {text}. Put that in a new note[ called {title}].",
        "save a note[ tagged {tags}] - {text}",
        "My head is full. Keep this in my notes[, title {title}]: {text}",
    ),
    asks_zh=(
        "记个笔记：{text}",
        "帮我记下来，{text}",
        "新建笔记[，标题{title}]，内容是{text}",
        "写条备忘[，标签{tags}]：{text}",
        "趁没忘赶紧记一笔：{text}",
        "存成笔记[，题目叫{title}]：{text}",
        "随手记：{text}",
        "把这句话保存到新笔记[，打上{tags}标签]：{text}",
    ),
    outcomes=(
        Outcome(
            fields=(("note_id", Code(("n-9999", "note_999", "xxxxxx"))),),
            texts=("saved as {note_id}",),
            texts_zh=("已保存：{note_id}",),
            answers=("I've written it down.", "Saved as note {note_id}.", "Noted: {text}."),
            answers_zh=("记下来了。", "笔记已保存，编号{note_id}。", "已记录：{text}。"),
        ),
    ),
    missing=(
        Missing(
            key="text",
            asks=("Take a note.", "I want to write something down", "new note please"),
            replies=("What should I write down?", "What should the note say?"),
            asks_zh=("帮我记个笔记。", "新建一条备忘"),
            replies_zh=("请问要记什么？", "笔记内容是什么？"),
        ),
    ),
)

APPEND = Family(
    key="lists.append_note",
    names=("append_to_note", "extend_note", "add_line_to_note", "update_note"),
    about=(
        "Add a line to a note that exists.",
        "Appends text at the end of the note with this title.",
        "Continue a note; creates no new one.",
    ),
    about_zh=("在已有笔记后追加内容。", "把文字加到指定标题的笔记末尾。"),
    params=(
        Param("title", NOTE_TITLES, ("note_title", "title", "note"), ("Which note",), ("笔记标题",)),
        Param("text", THOUGHTS, ("text", "line", "addition"), ("What to add",), ("追加内容",)),
    ),
    asks=(
        "Add to my note {title}: {text}",
        "in the {title} note, write at the end that {text}",
        "append this to {title}: {text}",
        "My {title} note needs another line: {text}",
        "open {title} and add {text}",
        "One more for the note {title} - {text}",
        "I learned something today. Put it in the note {title}: {text}",
        "Could you extend {title} with this? {text}",
        "{title} note, new line: {text}",
        "please continue the note {title}: {text}",
    ),
    asks_zh=(
        "在笔记{title}里加一句：{text}",
        "{title}那篇笔记末尾补上：{text}",
        "把这句追加到{title}：{text}",
        "给{title}再添一行，{text}",
        "打开笔记{title}，加上{text}",
        "{title}笔记还要写：{text}",
        "今天学到一点，补进{title}：{text}",
        "续写笔记{title}：{text}",
    ),
    outcomes=(
        Outcome(
            fields=(("lines", Integer(4, 60)),),
            texts=("note has {lines} lines now",),
            texts_zh=("笔记现有{lines}行",),
            answers=("Added to {title}.", "Done, the note has {lines} lines now.", "I've put it in the note {title}."),
            answers_zh=("已加到{title}。", "补好了，现在共{lines}行。", "{title}已更新。"),
        ),
    ),
    missing=(
        Missing(
            key="title",
            asks=("Add this to one of my notes: {text}", "append a line to a note: {text}"),
            replies=("Which note should I add it to?", "What is the note called?"),
            asks_zh=("在我的一篇笔记里加上：{text}", "给笔记追加一行：{text}"),
            replies_zh=("请问加到哪篇笔记？", "笔记的标题是什么？"),
        ),
        Missing(
            key="text",
            asks=("Add something to the note {title}.", "I want to add a line to {title}"),
            replies=("What should I add?", "What should the new line say?"),
            asks_zh=("在笔记{title}里加点内容。", "给{title}补一行"),
            replies_zh=("请问要加什么内容？", "补充什么？"),
        ),
    ),
)

FIND = Family(
    key="lists.find_note",
    names=("search_notes", "find_note", "lookup_notes", "grep_notes"),
    about=(
        "Search the notes.",
        "Finds notes that contain some words, all of them or those with one tag.",
        "Look through the user's notes; changes nothing.",
    ),
    about_zh=("搜索笔记。", "查找包含关键词的笔记，可按标签筛选。"),
    params=(
        Param(
            "words",
            Word(
                (
                    *("drill", "spare key", "goat cheese", "Kyoto", "landlord", "guarantee", "Wi-Fi", "allergy"),
                    *("sourdough", "Uncle Joe", "tax number", "blue drawer", "speech", "tent", "espresso machine"),
                ),
                (
                    "备用钥匙",
                    "房东",
                    "保修",
                    "过敏",
                    "京都",
                    "税号",
                    "发言稿",
                    "帐篷",
                    "咖啡机",
                    "密码",
                    "王医生",
                    "装修",
                ),
                quoted=0.2,
            ),
            ("words", "text", "contains"),
            ("Words to look for",),
            ("关键词",),
        ),
        Param("tag", TAGS, ("tag", "label"), ("Only notes with this tag",), ("标签",), False),
    ),
    asks=(
        "What did I write about {words}?",
        "find my note on {words}[ tagged {tag}]",
        "search the notes for {words}[, tag {tag}]",
        "I know that I noted something about {words} once. Where is it?",
        "Did I ever write anything down about {words}[? It would be tagged {tag}]",
        "notes mentioning {words}",
        "Look through my[ {tag}] notes for {words}.",
        "dig out what I wrote on {words}",
        "My memory is terrible: what do my notes say about {words}?",
        "which of my notes has the word {words} in it",
    ),
    asks_zh=(
        "我写过关于{words}的笔记吗？",
        "搜一下笔记里的{words}[，标签是{tag}]",
        "找出提到{words}的笔记",
        "记得记过{words}的事，在哪儿？",
        "笔记里关于{words}怎么写的",
        "查笔记：{words}[，{tag}标签下的]",
        "翻翻[{tag}标签的]笔记，看有没有{words}",
        "哪篇笔记里有{words}这个词",
    ),
    outcomes=(
        Outcome(
            fields=(("title", Word(NOTE_TITLES.pool, NOTE_TITLES.pool_zh)), ("snippet", THOUGHTS)),
            texts=("{title}: … {snippet} …",),
            texts_zh=("{title}：……{snippet}……",),
            answers=(
                "Your note {title} says: {snippet}.",
                "I found it in {title}: {snippet}.",
                "In {title} it says: {snippet}.",
            ),
            answers_zh=("笔记《{title}》里写着：{snippet}。", "在{title}里找到了：{snippet}。", "{title}：{snippet}。"),
        ),
    ),
    missing=(
        Missing(
            key="words",
            asks=("Search my notes.", "I'm looking for a note"),
            replies=("What should I look for?", "Which words are in the note?"),
            asks_zh=("帮我搜笔记。", "我要找一篇笔记"),
            replies_zh=("请问找什么内容？", "关键词是什么？"),
        ),
    ),
)

TODOS = Family(
    key="lists.open_tasks",
    names=("list_tasks", "get_todos", "show_open_tasks", "todo_list"),
    about=(
        "Tasks on the to-do list.",
        "Lists tasks, by default the open ones; how many and in which order can be chosen.",
        "Read the to-dos.",
    ),
    about_zh=("查看待办事项。", "列出任务，可限制数量和排序。"),
    params=(
        Param("limit", Integer(2, 10), ("limit", "max_items", "count"), ("At most so many",), ("最多几条",), False, 10),
        Param(
            "order",
            Choice(
                {
                    "due": (("due date", "deadline"), ("截止日期",)),
                    "priority": (("priority", "importance"), ("优先级", "重要程度")),
                    "newest": (("newest first", "date added"), ("添加时间",)),
                },
                ({"due": "BY_DUE", "priority": "BY_PRIORITY", "newest": "BY_NEWEST"},),
            ),
            ("sort_by", "order_by"),
            ("Order",),
            ("排序方式",),
            False,
        ),
        Param("done", Flag(), ("include_done", "with_completed"), ("Finished ones too",), ("包含已完成",), False),
    ),
    asks=(
        "What's on my to-do list?",
        "show my top {limit} tasks[ sorted by {order}]",
        "What do I still have to do?",
        "list my to-dos by {order}",
        "I have an hour to kill, what tasks are open?",
        Ask("Show all tasks, the finished ones as well[, sorted by {order}].", {"done": True}),
        Ask("tasks please, but without those already done", {"done": False}),
        "Give me {limit} things from my to-do list.",
        "Anything left to tackle?",
        "my tasks[, ordered by {order}], only the first {limit}",
    ),
    asks_zh=(
        "我还有哪些待办？",
        "列出前{limit}条任务[，按{order}排序]",
        "待办按{order}排一下给我看",
        "还有什么事没做？",
        Ask("把所有任务列出来，完成的也要", {"done": True}),
        Ask("看看任务，做完的不用显示", {"done": False}),
        "给我{limit}条待办",
        "空出一小时，有什么任务可以做",
        "我的待办清单",
    ),
    outcomes=(
        Outcome(
            fields=(("tasks", ListOf(CHORES, 2, 4)),),
            texts=("{tasks}",),
            texts_zh=("{tasks}",),
            answers=("These are open: {tasks}.", "On your list: {tasks}.", "You have to do this: {tasks}."),
            answers_zh=("待办有：{tasks}。", "还没做的是{tasks}。", "清单上是：{tasks}。"),
        ),
    ),
    also=("lists.show", "reminders.list"),
)

UNSERVED = (
    ("Sort my shopping list by the aisles of the shop.", "把购物清单按货架顺序排好。"),
    ("Recover the note that I threw away yesterday.", "恢复我昨天扔掉的那条笔记。"),
    ("Scan this receipt for me.", "帮我扫描这张小票。"),
    ("Insert a photo into my garden diary note.", "在花园日记里插一张照片。"),
    ("Print the packing list.", "把行李清单打印出来。"),
    ("Pin the packing list to the top of the screen.", "把行李清单置顶。"),
    ("Draw a mind map of my business ideas.", "把我的创业点子画成思维导图。"),
    ("Lock my diary with a password.", "给我的日记加个密码锁。"),
    ("Delete all my notes from last year.", "把去年的笔记全部删掉。"),
    ("Read the handwriting in this photo.", "识别这张照片里的手写字。"),
    ("Assign the laundry task to my brother.", "把洗衣服的任务分配给我弟弟。"),
    ("Merge the picnic list and the barbecue list.", "把野餐清单和烧烤清单合并。"),
    ("Rename my shopping list to groceries.", "把购物清单改名为食材清单。"),
    ("Make a voice recording of this lecture.", "把这节课录音。"),
)
