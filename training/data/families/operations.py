"""Running systems: servers, releases, feature flags, who is on call, database queries."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Percent, Record, Word
from training.data.times import Day
from training.data.wordings import ENVIRONMENT, SERVICE, TEAM, composed, distinct, pool
from training.data.world import Person

VERSION = composed(
    ("v{one}.{two}.{three}", "{one}.{two}.{three}", "{one}.{two}"),
    ("v{one}.{two}.{three}", "{one}.{two}.{three}", "{one}.{two}"),
    {
        "one": tuple(map(str, range(10))),
        "two": tuple(map(str, range(25))),
        "three": (*map(str, range(15)), "0-rc1", "2-beta"),
    },
)
SERVER = composed(
    ("{role}-{number}", "{role}{number}", "{role}-{place}-{number}"),
    ("{role}-{number}", "{role}{number}", "{role}-{place}-{number}"),
    {
        "role": pool("web | db | cache | worker | mail | build | proxy | api | gpu | backup"),
        "number": pool("01 | 02 | 03 | 7 | 12 | 20"),
        "place": pool("eu | us | ap | berlin | oslo"),
    },
)
SWITCHES = Word(
    pool(
        """new_checkout | dark-mode | beta_search | fast-login | gift_cards | night_theme | ai-replies | two_step_login
        free-shipping | live_chat | smart_sort | new-onboarding | invoice_v2 | offline_mode"""
    )
)
CONDITION = Record(
    "{field} {operator} {value}",
    "{field} {operator} {value}",
    {
        "field": Word(pool("stock | total | quantity | price | rating | visits | balance")),
        "operator": Choice(
            {
                "gt": (("over", "greater than", ">"), ("大于", ">")),
                "lt": (("under", "less than", "<"), ("小于", "<")),
                "eq": (("equal to", "="), ("等于", "=")),
            },
            ({"gt": ">", "lt": "<", "eq": "="},),
        ),
        "value": Integer(2, 5000),
    },
)
TABLE = Word(
    pool("customers | orders | invoices | products | shipments | employees | subscriptions | visits | payments")
)

STATUS = Family(
    key="operations.server_status",
    names=("server_status", "host_health", "check_server", "machine_health"),
    about=("How a server is doing.", "Load, memory and uptime of one machine.", "Health of a host; reads no logs."),
    about_zh=("查询服务器状态。", "返回某台机器的负载、内存和运行时间。"),
    params=(Param("server", SERVER, ("server", "host", "hostname", "machine"), ("Name of the machine",), ("主机名",)),),
    asks=(
        "Is {server} up?",
        "how is {server} doing",
        "status of {server}",
        "check the load on {server} please",
        "{server} feels slow today, what's wrong with it?",
        "did {server} reboot? see how it is",
        "Got an alert for {server}. Is it still alive?",
        "memory and load of {server}?",
        "health check {server}",
        "can't reach {server}, is it dead?",
    ),
    asks_zh=(
        "{server}还活着吗？",
        "看一下{server}的状态",
        "{server}今天好慢，负载多少",
        "检查{server}",
        "收到{server}的告警，机器正常吗？",
        "{server}的内存和负载",
        "{server}是不是重启过，看看情况",
        "连不上{server}，是挂了吗",
    ),
    outcomes=(
        Outcome(
            fields=(("load_percent", Integer(13, 99)), ("uptime_days", Integer(2, 300))),
            texts=("up {uptime_days} days, load {load_percent}%",),
            texts_zh=("已运行{uptime_days}天，负载{load_percent}%",),
            answers=(
                "{server} is up for {uptime_days} days, load {load_percent}%.",
                "It is up, with a load of {load_percent}%.",
            ),
            answers_zh=("{server}已运行{uptime_days}天，负载{load_percent}%。", "正常，负载{load_percent}%。"),
        ),
    ),
    missing=(
        Missing(
            key="server",
            asks=("Is the server up?", "check the health of a machine for me"),
            replies=("Which server?", "What is the name of the server?"),
            asks_zh=("服务器正常吗？", "帮我看看机器状态"),
            replies_zh=("请问是哪台服务器？", "主机名是什么？"),
        ),
    ),
)

DEPLOY = Family(
    key="operations.deploy",
    names=("deploy_service", "release_version", "ship_release", "start_deployment"),
    about=(
        "Deploy a version of a service.",
        "Rolls a release out to an environment.",
        "Only forward; to go back use a rollback.",
    ),
    about_zh=("部署服务的某个版本。", "把版本发布到指定环境。"),
    params=(
        Param("service", SERVICE, ("service", "app", "application"), ("What to deploy",), ("服务",)),
        Param("version", VERSION, ("version", "tag", "release"), ("e.g. 1.4.2",), ("版本号",)),
        Param("environment", ENVIRONMENT, ("environment", "env", "target"), ("Where to",), ("环境",)),
        Param("wait", Flag(), ("wait_until_healthy", "wait"), ("Wait until it is healthy",), ("等待健康检查",), False),
    ),
    asks=(
        "Deploy {service} {version} to {environment}.",
        "ship {version} of {service} to {environment}",
        "please roll {service} out to {environment}, version {version}",
        "get {version} of {service} onto {environment}",
        "QA gave the green light, so {service} {version} can go to {environment}.",
        Ask("deploy {service} {version} to {environment} and wait until it's healthy", {"wait": True}),
        "release {service} version {version} on {environment}",
        "{environment} should run {version} of {service}, do that now",
        "{service} -> {environment}, {version}",
        "put {service} live on {environment} with {version}",
    ),
    asks_zh=(
        "把{service}的{version}部署到{environment}。",
        "发布{service} {version}到{environment}",
        "{environment}上{service}更新到{version}",
        "测试通过了，{service} {version}可以上{environment}了",
        Ask("部署{service} {version}到{environment}，等健康了再结束", {"wait": True}),
        "上线{service}，版本{version}，目标{environment}",
        "{environment}要跑{service}的{version}，现在发",
        "{version}的{service}推到{environment}去",
    ),
    outcomes=(
        Outcome(
            fields=(("deployment", Code(("d-9999", "DEP-999"))), ("seconds", Integer(20, 400))),
            texts=("{deployment} finished in {seconds} s",),
            texts_zh=("{deployment}完成，用时{seconds}秒",),
            answers=(
                "{service} {version} is deployed ({deployment}), after {seconds} seconds.",
                "Done: deployment {deployment} took {seconds} seconds.",
            ),
            answers_zh=(
                "{service} {version}已部署，编号{deployment}，用时{seconds}秒。",
                "部署{deployment}完成，耗时{seconds}秒。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="version",
            asks=("Deploy {service} to {environment}.", "ship {service} to {environment} please"),
            replies=("Which version?", "Which version of {service} should I deploy?"),
            asks_zh=("把{service}部署到{environment}。", "{service}上{environment}"),
            replies_zh=("请问是哪个版本？", "版本号是多少？"),
        ),
        Missing(
            key="environment",
            asks=("Deploy {service} {version}.", "release {version} of {service}"),
            replies=("To which environment?", "Where should it go: production, staging or development?"),
            asks_zh=("部署{service} {version}。", "发布{service}的{version}"),
            replies_zh=("请问部署到哪个环境？", "发到哪个环境？"),
        ),
    ),
    errors=("the version was not found", "the environment is locked"),
)

ROLLBACK = Family(
    key="operations.rollback",
    names=("rollback_service", "undo_release", "revert_deployment", "roll_back"),
    about=(
        "Go back to the previous version of a service.",
        "Undoes the last deployment.",
        "Rollback of a release. It installs nothing new.",
    ),
    about_zh=("回滚服务。", "撤销上一次部署。"),
    params=(
        Param("service", SERVICE, ("service", "app", "application"), ("Which service",), ("服务",)),
        Param("environment", ENVIRONMENT, ("environment", "env", "where"), ("In which environment",), ("环境",)),
    ),
    asks=(
        "Roll back {service} in {environment}.",
        "undo the last release of {service} on {environment}",
        "the new {service} is broken, go back to the old one in {environment}",
        "revert {service}, {environment}",
        "Users can't log in since the release of {service} on {environment}. Take it back!",
        "please restore the previous version of {service} in {environment}",
        "that deploy of {service} to {environment} was a mistake, undo it",
        "{environment}: previous version of {service} again, quickly",
        "everything is red since {service} went to {environment}; the version before was fine",
        "I regret the {service} release on {environment}",
    ),
    asks_zh=(
        "回滚{environment}的{service}。",
        "{service}新版本有问题，{environment}退回上一版",
        "撤销{service}在{environment}的发布",
        "{environment}上的{service}发错了，撤回来",
        "发版后{service}坏了，{environment}赶紧恢复旧版本",
        "把{environment}里{service}还原到之前的版本",
        "{service}这次发到{environment}后悔了，退回去",
        "{environment}一片红，{service}换回原来的版本",
    ),
    outcomes=(
        Outcome(
            fields=(("version", VERSION),),
            texts=("back on {version}",),
            texts_zh=("已回到{version}",),
            answers=("{service} is back on {version}.", "Done, it runs {version} again."),
            answers_zh=("{service}已回滚到{version}。", "已恢复为{version}。"),
        ),
    ),
    missing=(
        Missing(
            key="service",
            asks=("Roll back the last release in {environment}.", "undo the deploy on {environment}"),
            replies=("Of which service?", "Which service should be rolled back?"),
            asks_zh=("回滚{environment}的发布。", "{environment}退回上一版"),
            replies_zh=("请问是哪个服务？", "要回滚哪个服务？"),
        ),
    ),
)

SET_FLAG = Family(
    key="operations.set_flag",
    names=("set_feature_flag", "toggle_feature", "switch_flag", "feature_toggle"),
    about=(
        "Turn a feature flag on or off.",
        "Switches a feature, for a share of users if wanted.",
        "Feature flags; new ones can't be made here.",
    ),
    about_zh=("开启或关闭功能开关。", "切换功能，可只对部分用户生效。"),
    params=(
        Param("flag", SWITCHES, ("flag", "feature", "flag_name"), ("Name of the flag",), ("开关名称",)),
        Param(
            "on",
            Flag(("on",), ("打开",), ("off",), ("关闭",)),
            ("enabled", "on", "active"),
            ("True for on",),
            ("是否开启",),
        ),
        Param(
            "share",
            Percent(1, 100, 0),
            ("rollout", "share_of_users", "percentage"),
            ("Share of users",),
            ("用户比例",),
            False,
        ),
    ),
    asks=(
        "Turn {flag} {on}.",
        "switch the flag {flag} {on}",
        Ask("enable {flag}[ for {share} of users]", {"on": True}),
        Ask("Let's give {flag} to {share} of our users.", {"on": True}),
        Ask("disable {flag}, it causes trouble", {"on": False}),
        Ask("nobody should see {flag} for now", {"on": False}),
        Ask("{flag} is ready, activate it[ for {share} of the users]", {"on": True}),
        Ask("kill {flag} please", {"on": False}),
        "feature {flag}: {on}",
        Ask("time to launch {flag}[, {share} of people first]", {"on": True}),
    ),
    asks_zh=(
        "{on}{flag}。",
        "把功能{flag}{on}",
        Ask("启用{flag}[，{share}的用户]", {"on": True}),
        Ask("给{share}的用户开放{flag}", {"on": True}),
        Ask("{flag}出问题了，停用", {"on": False}),
        Ask("先别让用户看到{flag}", {"on": False}),
        Ask("{flag}可以上了[，先给{share}的人]", {"on": True}),
    ),
    outcomes=(
        Outcome(
            fields=(("saved", Choice({"ok": (("ok",), ("完成",))})),),
            texts=("saved",),
            texts_zh=("已保存",),
            answers=("The flag {flag} is set.", "Done, {flag} is changed."),
            answers_zh=("{flag}已设置。", "好了，{flag}已修改。"),
        ),
    ),
    missing=(
        Missing(
            key="flag",
            asks=("Turn the feature flag {on}.", "switch a feature {on} for me"),
            replies=("Which flag?", "What is the name of the feature?"),
            asks_zh=("把功能开关{on}。", "{on}一个功能"),
            replies_zh=("请问是哪个开关？", "功能名称是什么？"),
        ),
    ),
)

ON_CALL = Family(
    key="operations.on_call",
    names=("who_is_on_call", "on_call_person", "get_duty_contact", "pager_duty_lookup"),
    about=(
        "Who is on call for a team.",
        "Person on duty, now or on a day.",
        "On-call rota. Tells who is on duty, calls nobody.",
    ),
    about_zh=("查询值班人员。", "某团队当前或某天由谁值班。"),
    params=(
        Param("team", TEAM, ("team", "group", "rota"), ("Which team",), ("团队",)),
        Param("day", Day(0, 20), ("date", "day", "on_date"), ("Day, if not now",), ("日期",), False),
    ),
    asks=(
        "Who is on call for {team}[ {day}]?",
        "who do i wake up if {team} has a problem[ on {day}]",
        "on-call {team}[ {day}]",
        "Everything is burning! Whom can I ring in {team}?",
        "who has pager duty in the {team} team[ {day}]",
        "[{day}: ]who's on duty at {team}",
        "tell me the person on stand-by for {team}[ on {day}]",
        "{team} team, emergency contact[ {day}]?",
        "it's 3 am and {team} stuff is down, whose phone do I ring?",
        "whom does the {team} alarm go to[ on {day}]?",
    ),
    asks_zh=(
        "{team}团队[{day}]谁值班？",
        "出事了，{team}那边该找谁",
        "[{day}]{team}的值班人",
        "查{team}组[{day}]的 on-call",
        "{team}[{day}]是谁待命",
        "半夜{team}出故障叫谁起来？",
        "凌晨三点{team}的系统挂了，打谁电话？",
        "{team}的告警[{day}]会发给谁",
    ),
    outcomes=(
        Outcome(
            fields=(("person", Person(1.0)), ("extension", Code(("9999",)))),
            texts=("{person}, ext. {extension}",),
            texts_zh=("{person}，分机{extension}",),
            answers=("{person} is on call, extension {extension}.", "Ring {person} at {extension}."),
            answers_zh=("值班的是{person}，分机{extension}。", "找{person}，分机{extension}。"),
        ),
    ),
    missing=(
        Missing(
            key="team",
            asks=("Who is on call[ {day}]?", "whom can I page right now"),
            replies=("For which team?", "Which team do you mean?"),
            asks_zh=("[{day}]谁值班？", "现在找谁处理故障"),
            replies_zh=("请问是哪个团队？", "查哪个组的值班？"),
        ),
    ),
)

QUERY = Family(
    key="operations.query_records",
    names=("query_records", "select_rows", "filter_table", "database_query"),
    about=(
        "Rows of a table that meet some conditions.",
        "Queries the database with filters. Reads only.",
        "Filtered select",
    ),
    about_zh=("按条件查询数据表。", "用筛选条件读取数据库记录。"),
    params=(
        Param("table", TABLE, ("table", "collection", "entity"), ("Which table",), ("数据表",)),
        Param(
            "conditions",
            ListOf(CONDITION, 1, 3),
            ("filters", "conditions", "where"),
            ("What rows must meet",),
            ("筛选条件",),
        ),
        Param("limit", Integer(5, 500, 5), ("limit", "max_rows"), ("How many rows",), ("行数上限",), False),
    ),
    asks=(
        "Get me the {table} with {conditions}[, at most {limit}].",
        "all {table} where {conditions}",
        "query {table}: {conditions}[, limit {limit}]",
        "which {table} have {conditions}?",
        "My report needs the {table} with {conditions}[ ({limit} rows will do)].",
        "show[ the first {limit}] rows of {table} where {conditions}",
        "filter the table {table} by {conditions}",
        "look in {table} for rows with {conditions}",
        "the boss wants to know which {table} show {conditions}",
        "pull from {table} what has {conditions}[, {limit} rows at most]",
    ),
    asks_zh=(
        "查{table}表，条件{conditions}[，最多{limit}条]。",
        "{table}里{conditions}的记录",
        "从{table}筛选{conditions}的数据[，取{limit}行]",
        "报表要用，{table}表中{conditions}的有哪些？",
        "查询{table}：{conditions}",
        "把{table}里满足{conditions}的列出来[，前{limit}条]",
        "老板想看{table}里{conditions}的数据",
        "取{table}中{conditions}的行[，不超过{limit}行]",
    ),
    outcomes=(
        Outcome(
            fields=(("rows", Integer(2, 480)),),
            texts=("{rows} rows",),
            texts_zh=("{rows}行",),
            answers=("I found {rows} rows.", "{rows} rows of {table} match."),
            answers_zh=("查到{rows}条。", "{table}里有{rows}条符合。"),
        ),
    ),
    missing=(
        Missing(
            key="table",
            asks=("Show me the rows where {conditions}.", "query everything with {conditions}"),
            replies=("In which table?", "Which table should I query?"),
            asks_zh=("查{conditions}的记录。", "筛选{conditions}的数据"),
            replies_zh=("请问查哪张表？", "是哪个数据表？"),
        ),
    ),
    fits=distinct("conditions", "field"),
)

DOMAIN = Domain(
    "operations",
    (STATUS, DEPLOY, ROLLBACK, SET_FLAG, ON_CALL, QUERY),
    unserved=(
        ("Order more memory for the build machine.", "给编译机买点内存。"),
        ("Swap my on-call shift with Lena.", "把我的值班跟小丽换一下。"),
        ("Drop the old visits table.", "把旧的访问表删掉。"),
        ("Add a column to the orders table.", "给订单表加一列。"),
        ("Write the post-mortem of last night's outage.", "写昨晚故障的复盘报告。"),
        ("Scale the checkout to ten machines.", "把结算服务扩到十台机器。"),
        ("Shut the backup server down.", "把备份服务器关机。"),
        ("Change the password of the database.", "修改数据库密码。"),
        ("How much did the cloud cost us last month?", "上个月云服务花了多少钱？"),
        ("Freeze all releases until January.", "一月之前冻结所有发布。"),
        ("Create a new feature flag for the winter sale.", "给冬季促销新建一个功能开关。"),
        ("Move the mail server to another data centre.", "把邮件服务器搬到另一个机房。"),
    ),
)
