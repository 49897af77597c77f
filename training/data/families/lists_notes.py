"""Lists of things and of tasks. Notes are in `_notes`."""

from training.data.families import _notes as notes
from training.data.families._everyday import AMOUNTS, CHORES, GROCERIES
from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, ListOf, Word
from training.data.times import Day
from training.data.world import Person

LISTS = Word(
    (
        *("shopping", "camping", "weekend", "birthday party", "hardware store", "packing", "Christmas", "picnic"),
        *("new flat", "barbecue", "baby", "farmers market", "drugstore", "office supplies", "road trip"),
    ),
    (
        "购物",
        "露营",
        "周末",
        "生日会",
        "五金店",
        "行李",
        "年货",
        "野餐",
        "新家",
        "烧烤",
        "宝宝用品",
        "菜市场",
        "办公用品",
        "自驾游",
    ),
)
DONE = Flag(("yes",), ("是",))
ADD_ITEMS = Family(
    key="lists.add_items",
    names=("add_to_list", "add_items", "list_add", "append_items", "put_on_list"),
    about=(
        "Add things to a list.",
        "Puts one or more items on a list that exists.",
        "Append items to a shopping list or the like. Quantities are not kept.",
    ),
    about_zh=("向清单添加物品。", "把一个或多个物品加到已有清单，不记录数量。"),
    params=(
        Param("items", ListOf(GROCERIES, 1, 6), ("items", "entries", "things"), ("What to add",), ("要添加的物品",)),
        Param(
            "list",
            LISTS,
            ("list_name", "list", "to_list"),
            ("Name of the list, without the word list, e.g. garden", "Which list"),
            ("清单名称，如“花园”",),
        ),
    ),
    asks=(
        "Add {items} to the {list} list.",
        "put {items} on my {list} list",
        "We've run out of {items}, note it on the {list} list please.",
        "{list} list: {items}",
        "I also need {items}. That goes on the {list} list.",
        "Can you jot down {items} on the {list} list?",
        "just opened the fridge, no {items} left... {list} list!",
        "For the {list} list: {items}. Thanks a lot.",
        "My roommate asked for {items}, so stick that on the {list} list.",
        "append {items} to {list}",
        "Don't forget {items} on the {list} list.",
        "the {list} list should also have {items}",
    ),
    asks_zh=(
        "把{items}加到{list}清单。",
        "{list}清单里再添上{items}",
        "家里{items}没了，记到{list}清单上",
        "{list}清单：{items}",
        "还要{items}，写进{list}清单吧",
        "室友说要{items}，放到{list}清单里",
        "刚看了冰箱，缺{items}，{list}清单帮我补上",
        "{list}清单加{items}，谢谢",
        "别忘了{items}，记在{list}清单",
    ),
    outcomes=(
        Outcome(
            fields=(("added", DONE), ("entries_now", Integer(6, 30))),
            texts=("added, {entries_now} entries now",),
            texts_zh=("已添加，共{entries_now}项",),
            answers=(
                "Done, I've put {items} on the {list} list.",
                "I've added {items}; the list has {entries_now} entries now.",
                "Added to the {list} list: {items}.",
            ),
            answers_zh=(
                "已把{items}加到{list}清单。",
                "加好了，{list}清单现在有{entries_now}项。",
                "{items}已经记下。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="items",
            asks=("Add something to the {list} list.", "I need to put a few things on my {list} list"),
            replies=("What should I add?", "Which things go on the {list} list?"),
            asks_zh=("{list}清单里加点东西。", "往{list}清单上添几样"),
            replies_zh=("请问要加什么？", "要添加哪些东西？"),
        ),
        Missing(
            key="list",
            asks=("Add {items} to my list.", "put {items} on a list for me"),
            replies=("To which list?", "Which list should it go on?"),
            asks_zh=("把{items}加到清单里。", "记一下{items}，放清单上"),
            replies_zh=("请问是哪个清单？", "加到哪张清单？"),
        ),
    ),
    also=("lists.add_amounts",),
    errors=("no list with this name",),
)

ADD_AMOUNTS = Family(
    key="lists.add_amounts",
    names=("add_groceries", "shopping_add", "grocery_list_add", "add_shopping_items"),
    about=(
        "Put groceries on the shopping list, with their quantities.",
        "Adds entries of name, quantity and unit to the shopping list.",
        "For the one shopping list of the household.",
    ),
    about_zh=("把食材连同数量加入购物清单。", "向购物清单添加名称、数量和单位。"),
    params=(
        Param("items", AMOUNTS, ("items", "groceries", "entries"), ("What to buy",), ("要买的东西",)),
        Param("by", Day(0, 10), ("needed_by", "by_date"), ("Needed by this day",), ("需要日期",), False),
    ),
    asks=(
        "Put {items} on the shopping list[, needed by {by}].",
        "we need {items}[ by {by}]",
        "shopping list: {items}",
        "I'm making soup for everyone. Add {items} to the shopping.",
        "Next time we shop, get {items}[ (by {by})].",
        "Please note {items} for the supermarket.",
        "add {items} to the groceries[, deadline {by}]",
        "The recipe asks for {items}, on the shopping list with it!",
        "out of stock at home: {items}. Put them on the list",
        "grandma wants {items}[ by {by}], add that to what we buy",
    ),
    asks_zh=(
        "购物清单加上{items}[，{by}之前要]。",
        "要买{items}，记一下",
        "菜谱上要{items}，写进购物清单",
        "下次去超市带{items}[，{by}前用]",
        "我要煮汤，购物清单里添{items}",
        "奶奶要{items}，加到要买的东西里",
        "家里缺{items}，放进购物清单[，{by}之前买]",
        "购物：{items}",
    ),
    outcomes=(
        Outcome(
            fields=(("saved", DONE),),
            texts=("saved to the shopping list",),
            texts_zh=("已存入购物清单",),
            answers=(
                "On the shopping list: {items}.",
                "Done, I've noted {items}.",
                "Added {items} to the shopping list.",
            ),
            answers_zh=("购物清单已加上{items}。", "记好了：{items}。", "{items}已加入购物清单。"),
        ),
    ),
    missing=(
        Missing(
            key="items",
            asks=("Put something on the shopping list.", "I need to add a few groceries"),
            replies=("What do you need, and how much of it?", "Which groceries should I add?"),
            asks_zh=("购物清单加点东西。", "我要加几样要买的"),
            replies_zh=("请问要买什么、多少？", "要加哪些东西？"),
        ),
    ),
    also=("lists.add_items",),
)

CHECK_OFF = Family(
    key="lists.remove_item",
    names=("remove_from_list", "check_off_item", "delete_list_item", "strike_item"),
    about=(
        "Take an item off a list.",
        "Removes one item from a list, e.g. because it has been bought.",
        "Strike out an entry; the list itself stays.",
    ),
    about_zh=("从清单中移除一项。", "划掉清单里的某个物品，清单本身保留。"),
    params=(
        Param("item", GROCERIES, ("item", "entry", "name"), ("The entry",), ("物品",)),
        Param(
            "list",
            LISTS,
            ("list_name", "list", "from_list"),
            ("Name of the list, without the word list, e.g. garden", "Which list"),
            ("清单名称，如“花园”",),
        ),
    ),
    asks=(
        "Take {item} off the {list} list.",
        "got the {item}, cross it off the {list} list",
        "We still have {item}, so remove it from the {list} list.",
        "delete {item} from {list}",
        "I just bought {item}. It can go from my {list} list.",
        "no need for {item} any more on the {list} list",
        "Strike {item} from the {list} list please.",
        "Someone gave us {item} for free! Off the {list} list with it.",
        "{item}: done, {list} list",
        "can you check off {item} on the {list} list",
    ),
    asks_zh=(
        "把{item}从{list}清单里删掉。",
        "{item}买到了，{list}清单划掉",
        "家里还有{item}，{list}清单上去掉吧",
        "{list}清单不用{item}了",
        "刚买了{item}，可以从{list}清单勾掉",
        "邻居送了{item}，{list}清单里移除",
        "{list}清单里的{item}打个勾",
        "移除{list}清单中的{item}",
    ),
    outcomes=(
        Outcome(
            fields=(("left", Integer(2, 20)),),
            texts=("removed, {left} left",),
            texts_zh=("已移除，还剩{left}项",),
            answers=(
                "Done, {item} is off the {list} list.",
                "I've removed {item}; {left} entries are left.",
                "Off the list: {item}.",
            ),
            answers_zh=("{item}已从{list}清单移除。", "划掉了，还剩{left}项。", "{list}清单里没有{item}了。"),
        ),
    ),
    missing=(
        Missing(
            key="item",
            asks=("Take something off the {list} list.", "remove an item from my {list} list"),
            replies=("Which item should I remove?", "What can go from the {list} list?"),
            asks_zh=("{list}清单里删一样。", "从{list}清单划掉一项"),
            replies_zh=("请问删哪一项？", "要划掉什么？"),
        ),
    ),
)

SHOW = Family(
    key="lists.show",
    names=("show_list", "get_list", "read_list", "open_list", "view_list"),
    about=("What is on a list.", "Gives back the entries of one list.", "Read a list by its name."),
    about_zh=("查看清单内容。", "返回某个清单里的全部条目。"),
    params=(
        Param(
            "list",
            LISTS,
            ("list_name", "list", "name"),
            ("Name of the list, without the word list, e.g. garden", "Which list"),
            ("清单名称，如“花园”",),
        ),
    ),
    asks=(
        "What's on the {list} list?",
        "read me my {list} list",
        "I'm in the shop right now, what was on the {list} list?",
        "show {list} list",
        "Do we still need anything from the {list} list?",
        "Open the {list} list.",
        "Can you tell me everything on the {list} list",
        "what did I write on my {list} list again",
        "Is the {list} list empty yet?",
        "My partner is asking what's left on the {list} list.",
    ),
    asks_zh=(
        "{list}清单上有什么？",
        "念一下{list}清单",
        "我在店里了，{list}清单都有啥",
        "打开{list}清单",
        "{list}清单还缺什么吗？",
        "看看{list}清单",
        "我在{list}清单里写了什么来着",
        "老公问{list}清单还剩什么",
    ),
    outcomes=(
        Outcome(
            fields=(("entries", ListOf(GROCERIES, 2, 5)),),
            texts=("{entries}",),
            texts_zh=("{entries}",),
            answers=("On the {list} list: {entries}.", "It has {entries}.", "You need {entries}."),
            answers_zh=("{list}清单上有{entries}。", "有{entries}。", "清单内容：{entries}。"),
        ),
        Outcome(
            fields=(("count", Integer(0, 0)),),
            texts=("empty",),
            texts_zh=("空",),
            answers=("The {list} list is empty.", "There is nothing on it.", "Nothing is left on the {list} list."),
            answers_zh=("{list}清单是空的。", "上面什么都没有。", "{list}清单里没有东西了。"),
        ),
    ),
    missing=(
        Missing(
            key="list",
            asks=("Read me my list.", "what's on the list?", "show me one of my lists"),
            replies=("Which list do you mean?", "Which one of your lists?"),
            asks_zh=("念一下清单。", "清单上有什么？"),
            replies_zh=("请问是哪个清单？", "要看哪张清单？"),
        ),
    ),
)

CREATE_LIST = Family(
    key="lists.create",
    names=("create_list", "new_list", "make_list", "start_list"),
    about=(
        "Start a new list.",
        "Creates an empty list with a name, or one with first items.",
        "New list; existing ones are not changed.",
    ),
    about_zh=("新建清单。", "创建一个清单，可带初始条目。"),
    params=(
        Param("list", LISTS, ("name", "list_name", "title"), ("Name of the new list",), ("清单名称",)),
        Param("items", ListOf(GROCERIES, 2, 5), ("items", "initial_items"), ("First items",), ("初始条目",), False),
        Param("person", Person(0.2), ("share_with", "shared_with"), ("Who may see it too",), ("共享给谁",), False),
    ),
    asks=(
        "Start a new list called {list}[ with {items}].",
        "create a {list} list[ and share it with {person}]",
        "I need a fresh list for {list}[: {items}]",
        "new list {list}[, first entries {items}]",
        "We're planning ahead: make a list named {list}[ and put {items} on it][, {person} should see it too].",
        "Can you set up a {list} list for me[? {items} to begin with]",
        "Let's begin a list for {list}[, shared with {person}].",
        "there's no {list} list yet, so make one[ containing {items}]",
        "Please open up a brand-new list, {list}.",
        "a list for {list} would be handy[, {person} needs access]. Create it?",
    ),
    asks_zh=(
        "新建一个{list}清单[，先放{items}]。",
        "创建清单，名字叫{list}[，共享给{person}]",
        "帮我弄张新的{list}清单[：{items}]",
        "还没有{list}清单，建一个吧[，里面写{items}]",
        "我要列个{list}清单[，{person}也能看]",
        "开一张新清单：{list}",
        "准备一下，建{list}清单[，包括{items}][，给{person}也共享]",
        "来个{list}清单[，初始内容{items}]",
    ),
    outcomes=(
        Outcome(
            fields=(("created", DONE),),
            texts=("list created",),
            texts_zh=("清单已创建",),
            answers=("The {list} list is ready.", "I've created the list {list}.", "Done, there is a {list} list now."),
            answers_zh=("{list}清单建好了。", "已创建清单：{list}。", "好的，新清单{list}可以用了。"),
        ),
    ),
    missing=(
        Missing(
            key="list",
            asks=("Create a new list.", "make me a list please"),
            replies=("What should the list be called?", "What name should it have?"),
            asks_zh=("新建一个清单。", "帮我建张清单"),
            replies_zh=("请问清单叫什么名字？", "清单的名称是什么？"),
        ),
    ),
)

PRIORITY = Choice(
    {
        "low": (("low",), ("低",)),
        "medium": (("medium", "normal"), ("中", "普通")),
        "high": (("high", "top"), ("高", "最高")),
    },
    ({"low": "LOW", "medium": "MEDIUM", "high": "HIGH"},),
)

ADD_TASK = Family(
    key="lists.add_task",
    names=("add_todo", "create_task", "new_task", "add_task", "todo_add"),
    about=(
        "Add a task to the to-do list.",
        "Creates a to-do with an optional due day and priority. It does not remind anybody.",
        "New to-do item.",
    ),
    about_zh=("添加待办事项。", "新建一个任务，可设截止日期和优先级，不会发提醒。"),
    params=(
        Param("task", CHORES, ("task", "title", "todo"), ("What is to be done",), ("待办内容",)),
        Param("due", Day(0, 30), ("due", "due_date", "deadline"), ("When it is due",), ("截止日期",), False),
        Param("priority", PRIORITY, ("priority", "importance"), ("How important it is",), ("优先级",), False),
    ),
    asks=(
        "Add {task} to my to-do list[, due {due}].",
        "todo: {task}[, priority {priority}][, by {due}]",
        "put it on my task list that I have to {task}[, deadline {due}]",
        "New task: {task}[, {priority} priority].",
        Ask("I absolutely must {task}[ by {due}]. To-do list, top of the pile!", {"priority": "high"}),
        Ask("Some day I should {task}. Put it on the to-dos, no rush, low priority.", {"priority": "low"}),
        "One more thing for my to-dos: {task}[ ({priority} priority)].",
        "create a task to {task}[, it has to be done by {due}]",
        "my to-do list is missing something: {task}[, due {due}]",
        "Write down as a task that I need to {task}[ until {due}].",
        "task {task}[ due {due}][ priority {priority}]",
    ),
    asks_zh=(
        "待办加一条：{task}[，{due}前完成]。",
        "把{task}写进待办[，优先级{priority}]",
        "新任务：{task}[，截止{due}][，优先级{priority}]",
        Ask("我必须{task}[，{due}之前]，加到待办，优先级最高", {"priority": "high"}),
        Ask("有空的话{task}，放进待办，优先级低就行", {"priority": "low"}),
        "待办清单里还差一项，{task}",
        "建个任务，{task}[，{due}到期]",
        "任务列表加上{task}[，截止日期{due}]",
        "帮我记个待办，{task}[，优先级{priority}]",
    ),
    outcomes=(
        Outcome(
            fields=(("task_number", Integer(3, 99)),),
            texts=("task {task_number} created",),
            texts_zh=("任务{task_number}已创建",),
            answers=("It's on your to-do list: {task}.", "Added as task {task_number}.", "Done, I've noted {task}."),
            answers_zh=("已加入待办：{task}。", "任务建好了，编号{task_number}。", "好的，{task}已记到待办。"),
        ),
    ),
    missing=(
        Missing(
            key="task",
            asks=("Add a task to my to-do list.", "new to-do please"),
            replies=("What is the task?", "What do you have to do?"),
            asks_zh=("帮我加个待办。", "新建一个任务"),
            replies_zh=("请问任务内容是什么？", "要做什么事？"),
        ),
    ),
    also=("lists.add_items",),
)

FINISH_TASK = Family(
    key="lists.finish_task",
    names=("complete_task", "mark_task_done", "finish_todo", "close_task"),
    about=(
        "Mark a task as done.",
        "Ticks off a task of the to-do list. The task is kept in the history.",
        "Complete a to-do.",
    ),
    about_zh=("把任务标记为完成。", "勾选待办事项，记录会保留。"),
    params=(Param("task", CHORES, ("task", "title", "todo"), ("The task",), ("任务",)),),
    asks=(
        "Mark the task {task} as done.",
        "to-do {task}: finished!",
        "I managed to {task} at last, tick it off my to-dos",
        "the task to {task} is done",
        "Check off “{task}” on my to-do list.",
        "Finally got round to it: {task}. You can close that task.",
        "complete {task} in the task list",
        "One less to worry about. {task} is finished, tick that to-do.",
        "done with this to-do: {task}",
        "Please set {task} to completed.",
    ),
    asks_zh=(
        "任务{task}完成了。",
        "待办里的{task}打勾",
        "终于搞定：{task}，帮我标成已完成",
        "{task}这个待办做完了，勾掉",
        "把待办{task}设为完成",
        "少一件心事，{task}已办妥，待办关掉吧",
        "完成任务：{task}",
        "{task}，这条待办可以打钩了",
    ),
    outcomes=(
        Outcome(
            fields=(("open_tasks", Integer(2, 25)),),
            texts=("done, {open_tasks} open",),
            texts_zh=("已完成，剩余{open_tasks}项",),
            answers=(
                "Well done! {open_tasks} tasks are left.",
                "I've ticked it off; {open_tasks} tasks are still open.",
                "Marked as done: {task}.",
            ),
            answers_zh=("已标记完成，还剩{open_tasks}项。", "好的，{task}已勾掉。", "干得好，还有{open_tasks}项待办。"),
        ),
    ),
    missing=(
        Missing(
            key="task",
            asks=("Mark a task as done.", "tick off one of my to-dos"),
            replies=("Which task did you finish?", "Which one is done?"),
            asks_zh=("帮我勾掉一个待办。", "有个任务完成了"),
            replies_zh=("请问完成的是哪一项？", "是哪个任务？"),
        ),
    ),
    also=("lists.remove_item",),
)

DOMAIN = Domain(
    "lists_notes",
    (
        *(ADD_ITEMS, ADD_AMOUNTS, CHECK_OFF, SHOW, CREATE_LIST, ADD_TASK, FINISH_TASK),
        *(notes.WRITE, notes.APPEND, notes.FIND, notes.TODOS),
    ),
    unserved=notes.UNSERVED,
)
