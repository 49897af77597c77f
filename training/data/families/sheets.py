"""Spreadsheets: cells, formulas, rows, columns, sheets and sharing."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Decimal, Flag, Integer, ListOf, Word
from training.data.wordings import composed, pool
from training.data.world import Email

SHEET = Word(
    pool(
        """Budget | Guests | Inventory | Q3 | Salaries | Members | Fixtures | Costs | Overview | Timesheet | Grades
        Harvest | Prices | Planning | Orders 2026 | Summary | Race times | Donations | Rota | Forecast"""
    ),
    pool(
        """预算 | 来宾 | 库存 | 三季度 | 工资 | 会员 | 赛程 | 成本 | 总览 | 工时 | 成绩 | 收成 | 价格 | 计划 | 订单
        汇总 | 比赛成绩 | 捐款 | 排班 | 预测"""
    ),
)
CELL = composed(
    ("{column}{row}",),
    ("{column}{row}",),
    {
        "column": pool("A | B | C | D | E | F | G | H | K | M | AB"),
        "row": tuple(map(str, (*range(1, 30), 42, 57, 100, 118))),
    },
)
AREA = composed(
    ("{column}{first}:{column}{last}", "{column}{first}:{other}{last}"),
    ("{column}{first}:{column}{last}", "{column}{first}:{other}{last}"),
    {
        "column": pool("A | B | C | D"),
        "other": pool("E | F | G | H"),
        "first": pool("1 | 2 | 3 | 5"),
        "last": pool("9 | 12 | 20 | 31 | 50 | 100"),
    },
)
HEADING = Word(
    pool(
        """price | name | quantity | date of birth | city | score | amount | department | status | phone | total
        category | weight | supplier | due date | rating | height | turnover"""
    ),
    pool(
        """价格 | 姓名 | 数量 | 生日 | 城市 | 得分 | 金额 | 部门 | 状态 | 电话 | 合计 | 类别 | 重量 | 供应商
        到期日 | 评分 | 身高 | 营业额"""
    ),
)
SHEET_PARAM = Param(
    "sheet", SHEET, ("sheet", "sheet_name", "worksheet", "tab"), ("Name of the sheet",), ("工作表名",), False
)

WRITE = Family(
    key="sheets.write_cell",
    names=("set_cell_value", "write_cell", "update_cell", "put_number"),
    about=(
        "Write a number into a cell.",
        "Sets one cell of a spreadsheet to a value.",
        "Overwrites what is in the cell. For formulas use another tool.",
    ),
    about_zh=("往单元格里写数值。", "把某个单元格设为指定数字，公式请用别的工具。"),
    params=(
        Param("cell", CELL, ("cell", "address", "cell_ref"), ("Cell, e.g. B7",), ("单元格，如 B7",)),
        Param("value", Decimal(1, 9000, 2), ("value", "number", "content"), ("Number to write",), ("数值",)),
        SHEET_PARAM,
    ),
    asks=(
        "Put {value} into cell {cell}[ of {sheet}].",
        "{cell} = {value}[, sheet {sheet}]",
        "cell {cell}[ on the sheet {sheet}] should be {value}",
        "write {value} in {cell}",
        "There's a mistake in {cell}[ of the {sheet} sheet], it has to say {value}.",
        "change {cell} to {value}[, in {sheet}]",
        "please correct {cell}: {value}",
        "I mistyped. {cell} is {value}[, the tab is {sheet}]",
        "enter {value} at {cell}[ in the tab {sheet}]",
    ),
    asks_zh=(
        "在{cell}填{value}[，工作表{sheet}]",
        "[{sheet}表的]{cell}改成{value}",
        "{cell}写{value}",
        "单元格{cell}应该是{value}，改一下",
        "[{sheet}里]{cell}填错了，改为{value}",
        "把{value}填进{cell}",
        "{cell}={value}",
        "表格里{cell}那格输入{value}[，{sheet}那张表]",
        "更新{cell}，值{value}",
        "{cell}格的数字换成{value}",
    ),
    outcomes=(
        Outcome(
            fields=(("previous", Integer(0, 4000)),),
            texts=("saved, was {previous}",),
            texts_zh=("已保存，原值{previous}",),
            answers=("{cell} is {value} now.", "Done; it was {previous} before.", "I've written {value} into {cell}."),
            answers_zh=("{cell}已改为{value}。", "好了，原来是{previous}。", "{cell}写好了。"),
        ),
    ),
    missing=(
        Missing(
            "value",
            ("Change cell {cell}.", "{cell} is wrong, correct it"),
            ("What should {cell} say?", "Which value should I write?"),
            ("改一下{cell}", "{cell}填错了"),
            ("请问{cell}填什么？", "改成多少？"),
        ),
        Missing(
            "cell",
            ("Write {value} into the sheet {sheet}.", "put {value} in a cell"),
            ("Into which cell?", "Which cell do you mean?"),
            ("在{sheet}里填{value}", "填一个{value}"),
            ("请问填在哪个单元格？", "哪一格？"),
        ),
    ),
)

FORMULA = Family(
    key="sheets.formula",
    names=("insert_formula", "apply_function", "set_formula", "aggregate_range"),
    about=(
        "Put a formula over a range into a cell.",
        "Lets a cell show the sum, average, largest, smallest or number of a range.",
        "Formulas in spreadsheets; numbers in a question are worked out elsewhere.",
    ),
    about_zh=("在单元格插入公式。", "对区域求和、平均、最大、最小或计数，写到某一格。"),
    params=(
        Param("area", AREA, ("range", "source_range", "area"), ("Range, e.g. A1:A9",), ("区域，如 A1:A9",)),
        Param(
            "function",
            Choice(
                {
                    "SUM": (("sum", "total"), ("总和", "求和")),
                    "AVERAGE": (("average", "mean"), ("平均值", "平均数")),
                    "MAX": (("maximum", "largest value"), ("最大值",)),
                    "MIN": (("minimum", "smallest value"), ("最小值",)),
                    "COUNT": (("count", "number of entries"), ("计数", "个数")),
                },
                ({"SUM": "sum", "AVERAGE": "average", "MAX": "max", "MIN": "min", "COUNT": "count"},),
            ),
            ("function", "formula", "operation"),
            ("What to work out",),
            ("函数",),
        ),
        Param("cell", CELL, ("target_cell", "output_cell", "into"), ("Cell for the result",), ("结果单元格",)),
    ),
    asks=(
        "Put the {function} of {area} into {cell}.",
        "{cell}: {function} of {area}",
        "I'd like {cell} to show the {function} over {area}",
        "formula in {cell}, {function}, range {area}",
        "work out the {function} of {area} and write it to {cell}",
        Ask("Add up {area} in {cell}.", {"function": "SUM"}),
        Ask("how many cells of {area} are filled? show it in {cell}", {"function": "COUNT"}),
        Ask("{cell} should always hold the highest number from {area}.", {"function": "MAX"}),
        Ask("in {cell} I need the lowest of {area}", {"function": "MIN"}),
    ),
    asks_zh=(
        "在{cell}算{area}的{function}",
        "{cell}放{area}的{function}",
        "{area}{function}，写到{cell}",
        Ask("把{area}加起来放在{cell}", {"function": "SUM"}),
        Ask("{cell}显示{area}里最大的数", {"function": "MAX"}),
        Ask("{area}平均一下，结果放{cell}", {"function": "AVERAGE"}),
        Ask("数一数{area}有几个，填到{cell}", {"function": "COUNT"}),
        Ask("{cell}里要{area}当中最小的那个", {"function": "MIN"}),
        "插入公式：区域{area}，{function}，结果在{cell}",
        "给{cell}加公式，{area}的{function}",
    ),
    outcomes=(
        Outcome(
            fields=(("result", Integer(1, 9000)),),
            texts=("= {result}",),
            texts_zh=("结果{result}",),
            answers=("{cell} shows {result}.", "The formula is in {cell}; it gives {result}.", "Done: {result}."),
            answers_zh=("{cell}显示{result}。", "公式已放到{cell}，结果是{result}。", "好了，{result}。"),
        ),
    ),
    missing=(
        Missing(
            "cell",
            ("Make the {function} of {area}.", "{function} over {area} please"),
            ("In which cell should it stand?", "Into which cell?"),
            ("算{area}的{function}", "{area}{function}一下"),
            ("请问结果放在哪个单元格？", "写到哪一格？"),
        ),
        Missing(
            "area",
            ("{cell} should show the {function}.", "put the {function} into {cell}"),
            ("Of which range?", "Which cells should it cover?"),
            ("{cell}放个{function}", "在{cell}算{function}"),
            ("请问是哪个区域？", "对哪些单元格？"),
        ),
    ),
)

SORT = Family(
    key="sheets.sort",
    names=("sort_sheet", "order_rows_by", "sort_by_column", "arrange_rows"),
    about=(
        "Sort a sheet by a column.",
        "Orders the rows by one column, upwards or downwards.",
        "Sorts rows of a spreadsheet.",
    ),
    about_zh=("按列排序。", "将表格行按某一列升序或降序排列。"),
    params=(
        Param("column", HEADING, ("column", "sort_key", "by"), ("Heading of the column",), ("列名",)),
        Param("descending", Flag(), ("descending", "reverse"), ("Largest first",), ("是否降序",), False, False),
        SHEET_PARAM,
    ),
    asks=(
        "Sort[ the sheet {sheet}] by {column}.",
        "order the rows by {column}[ in {sheet}]",
        Ask("sort by {column}, descending[, sheet {sheet}]", {"descending": True}),
        Ask("Arrange the table[ {sheet}] by {column} in ascending order.", {"descending": False}),
        "the rows[ of {sheet}] are all over the place, {column} should decide the order",
        "{column} sorted please[, tab {sheet}]",
        Ask("list with the column {column} going downwards[ in {sheet}], descending I mean", {"descending": True}),
        "can you arrange[ {sheet}] by the column {column}",
    ),
    asks_zh=(
        "[{sheet}表]按{column}排序",
        "按照{column}这列排一下",
        Ask("[{sheet}]按{column}降序排", {"descending": True}),
        Ask("{column}升序排列[，{sheet}表]", {"descending": False}),
        "[{sheet}里的]行太乱了，以{column}排",
        Ask("{column}从大到小排", {"descending": True}),
        Ask("{column}从小到大排[，{sheet}那张]", {"descending": False}),
        "表格用{column}排个序",
        "排序：{column}[，工作表{sheet}]",
        "把数据按{column}排好",
    ),
    outcomes=(
        Outcome(
            fields=(("rows", Integer(5, 900)),),
            texts=("{rows} rows sorted",),
            texts_zh=("已排序{rows}行",),
            answers=("{rows} rows are sorted by {column}.", "Sorted by {column}.", "Done, {rows} rows."),
            answers_zh=("已按{column}排好{rows}行。", "按{column}排序完成。", "好了，共{rows}行。"),
        ),
    ),
    missing=(
        Missing(
            "column",
            ("Sort the sheet {sheet}.", "put the rows in order"),
            ("By which column?", "Which column decides the order?"),
            ("给{sheet}排序", "把表格排一下"),
            ("请问按哪一列？", "以哪列为准？"),
        ),
    ),
    also=("figures.sort",),
)

COLUMN = Family(
    key="sheets.add_columns",
    names=("add_columns", "insert_columns", "new_columns", "extend_table"),
    about=(
        "Add columns to a sheet.",
        "Inserts new columns with headings.",
        "Makes the columns; fills in no data.",
    ),
    about_zh=("给表格添加列。", "插入带标题的新列，不填数据。"),
    params=(
        Param(
            "headings",
            ListOf(HEADING, 1, 4),
            ("headings", "column_names", "columns"),
            ("Headings of the columns",),
            ("列标题",),
        ),
        SHEET_PARAM,
        Param(
            "after",
            Code(("A", "AA")),
            ("after_column", "position"),
            ("Letter of the column before",),
            ("插在哪列之后",),
            False,
        ),
    ),
    asks=(
        "Add columns for {headings}[ to {sheet}].",
        "new columns: {headings}[, after column {after}]",
        "I need {headings} as columns[ in the sheet {sheet}]",
        "insert {headings} as new columns[ behind column {after}]",
        "the table[ {sheet}] lacks columns for {headings}, make them",
        "extend the table[ {sheet}] by the columns {headings}",
        "could you give me extra columns called {headings}",
        "columns to add: {headings}[, tab {sheet}][, right after column {after}]",
    ),
    asks_zh=(
        "加几列：{headings}[，在{sheet}里]",
        "[{sheet}表]新增{headings}列",
        "表格少了{headings}，加成新的列",
        "插入列{headings}[，放在{after}列后面]",
        "我要多几列，分别是{headings}",
        "[{after}列之后]添加{headings}这些列",
        "[在{sheet}]建列：{headings}",
        "给表加上{headings}的列",
        "新列：{headings}[，{after}列后]",
        "再来{headings}几列",
    ),
    outcomes=(
        Outcome(
            fields=(("columns", Integer(4, 40)),),
            texts=("{columns} columns now",),
            texts_zh=("现有{columns}列",),
            answers=("Added: {headings}.", "Done, the sheet has {columns} columns.", "The new columns are there."),
            answers_zh=("已添加{headings}。", "好了，现在共{columns}列。", "新列加好了。"),
        ),
    ),
    missing=(
        Missing(
            "headings",
            ("Add some columns to {sheet}.", "I need more columns"),
            ("What should they be called?", "Which headings should they have?"),
            ("给{sheet}加几列", "再加点列"),
            ("请问列名是什么？", "要加哪些列？"),
        ),
    ),
)

SHARE = Family(
    key="sheets.share",
    names=("share_sheet", "grant_sheet_access", "invite_to_spreadsheet", "add_collaborator"),
    about=(
        "Share a sheet with somebody.",
        "Lets a person read, comment on or edit a spreadsheet.",
        "Access to one sheet by e-mail address.",
    ),
    about_zh=("把表格共享给别人。", "授权某人查看、评论或编辑表格。"),
    params=(
        Param("address", Email(), ("email", "user_email", "with"), ("Address of the person",), ("邮箱",)),
        Param("name", SHEET, ("sheet", "spreadsheet", "file_name"), ("What is shared",), ("表格",)),
        Param(
            "role",
            Choice(
                {
                    "viewer": (("read",), ("查看",)),
                    "commenter": (("comment on",), ("评论",)),
                    "editor": (("edit",), ("编辑",)),
                },
                ({"viewer": "read", "commenter": "comment", "editor": "write"},),
            ),
            ("role", "permission", "access_level"),
            ("What they may do",),
            ("权限",),
        ),
    ),
    asks=(
        "Let {address} {role} the sheet {name}.",
        "share {name} with {address}, they may {role} it",
        "{address} should be able to {role} {name}",
        Ask("give {address} view-only access to {name}", {"role": "viewer"}),
        Ask("My colleague {address} has to change numbers in {name}. Give edit rights.", {"role": "editor"}),
        Ask("I want remarks on {name} from {address}, but no changes: comment access", {"role": "commenter"}),
        "please allow {address} to {role} our {name} spreadsheet",
        "{name}: {address} can {role} it from now on",
    ),
    asks_zh=(
        "把{name}表共享给{address}，可以{role}",
        "让{address}能{role}{name}",
        "给{address}开{name}的{role}权限",
        Ask("{name}给{address}看，只读就行", {"role": "viewer"}),
        Ask("同事{address}要改{name}里的数，给编辑权", {"role": "editor"}),
        Ask("{address}只能在{name}上留评论，不能改", {"role": "commenter"}),
        "{name}分享给{address}，{role}权限",
        "共享{name}，对方{address}，允许{role}",
        "{address}需要{role}{name}这张表",
        "授权{address}{role}{name}",
    ),
    outcomes=(
        Outcome(
            fields=(("people", Integer(2, 30)),),
            texts=("shared, {people} people have access",),
            texts_zh=("已共享，共{people}人可访问",),
            answers=(
                "{address} has access to {name}.",
                "Shared; {people} people can open it.",
                "Done, {name} is shared.",
            ),
            answers_zh=("{address}已可访问{name}。", "共享好了，共{people}人能打开。", "{name}已共享。"),
        ),
    ),
    missing=(
        Missing(
            "role",
            ("Share {name} with {address}.", "give {address} access to {name}"),
            ("Should they read, comment or edit?", "What may {address} do with it?"),
            ("把{name}共享给{address}", "{name}分享给{address}"),
            ("请问给查看、评论还是编辑权限？", "对方可以做什么？"),
        ),
    ),
)

DOMAIN = Domain(
    "sheets",
    (WRITE, FORMULA, SORT, COLUMN, SHARE),
    unserved=(
        ("Make a pie chart of the costs.", "把成本做成饼图。"),
        ("Print the sheet in landscape.", "横向打印这张表。"),
        ("Delete the third row.", "删掉第三行。"),
        ("Colour all negative numbers red.", "把负数都标红。"),
        ("Freeze the first line.", "冻结首行。"),
        ("Export the table as a PDF.", "把表格导出成PDF。"),
        ("Who changed the prices last night?", "昨晚谁改了价格？"),
        ("Merge the two top cells.", "合并最上面两个单元格。"),
        ("Protect the sheet with a password.", "给表格加个密码。"),
        ("Undo my last change.", "撤销上一步。"),
        ("Rename the file.", "给文件改个名。"),
        ("Find duplicates in the list.", "找出名单里的重复项。"),
    ),
)
