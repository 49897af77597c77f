"""A developer's desk: commands, history, tests, logs, encodings, cron lines."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, Word
from training.data.times import Day, Duration
from training.data.wordings import FOLDER, PATH, SERVICE, composed, pool
from training.data.world import Person

COMMAND = Word(
    pool(
        """npm install | make build | docker ps | git status | pip list | df -h | cargo test | uptime | ls -la /tmp
        python manage.py migrate | systemctl restart nginx | tar -xzf backup.tar.gz | whoami | free -m | yarn lint
        ping -c 4 example.com | go vet ./... | du -sh * | crontab -l | kubectl get pods | rm -rf build | mvn package
        psql -c "select 1" | curl -I https://example.org | node server.js | ssh-keygen -t ed25519 | top -b -n 1"""
    ),
    quoted=0.3,
)
LEVEL = Choice(
    {
        "error": (("errors", "error"), ("错误", "报错")),
        "warning": (("warnings", "warning"), ("警告", "告警")),
        "info": (("info messages", "info"), ("普通信息", "info")),
        "debug": (("debug messages", "debug"), ("调试信息", "debug")),
    },
    ({"error": "ERROR", "warning": "WARN", "info": "INFO", "debug": "DEBUG"},),
)
ENCODING = Choice(
    {
        "base64": (("base64", "Base64"), ("base64", "Base64")),
        "url": (("URL encoding", "percent encoding"), ("URL 编码",)),
        "hex": (("hex", "hexadecimal"), ("十六进制", "hex")),
        "html": (("HTML entities",), ("HTML 实体",)),
    },
    ({"base64": "BASE64", "url": "URL", "hex": "HEX", "html": "HTML"}, {"url": "percent", "html": "html_entities"}),
)
SNIPPET = composed(
    ("{one} & {two}", "{one}/{two}?", "{one}:{number}", "Hello {one}!", "{one}-{two}-{number}", "<b>{one}</b>"),
    ("{one} & {two}", "{one}:{number}", "你好{one}", "{one}-{two}-{number}", "<b>{one}</b>"),
    {
        "one": pool("admin | blue moon | user name | tea | north | lemon cake | São Paulo | guest | 50% off | alpha"),
        "two": pool("milk | secret | west | night shift | Zürich | beta | cash | crème | honey"),
        "number": pool("12 | 2048 | 77 | 9001 | 365"),
    },
    {
        "one": pool("世界 | admin | 蓝月 | 用户 | 茶"),
        "two": pool("牛奶 | 北京 | beta | 夜班"),
        "number": pool("12 | 2048 | 77"),
    },
    quoted=0.7,
)
CRON = composed(
    (
        "{minute} {hour} * * *",
        "{minute} {hour} * * {day}",
        "*/{step} * * * *",
        "0 {hour} {day} * *",
        "{minute} */{step} * * *",
    ),
    ("{minute} {hour} * * *", "*/{step} * * * *", "0 {hour} {day} * *", "{minute} {hour} * * {day}"),
    {
        "minute": pool("0 | 5 | 15 | 30 | 45"),
        "hour": pool("0 | 3 | 6 | 9 | 14 | 18 | 22"),
        "step": pool("2 | 5 | 10 | 15 | 20"),
        "day": pool("1 | 2 | 3 | 4 | 5 | 6"),
    },
    quoted=0.5,
)
TEST_FILE = composed(
    ("tests/test_{what}.py", "test_{what}.py", "tests/{part}/test_{what}.py", "spec/{what}.spec.js"),
    ("tests/test_{what}.py", "test_{what}.py", "spec/{what}.spec.js"),
    {"what": pool("login | cart | users | export | dates | search | mail"), "part": pool("api | unit | web")},
)

RUN = Family(
    key="code.run_command",
    names=("run_command", "shell", "execute_in_terminal", "bash_exec", "run_in_shell"),
    about=(
        "Run a shell command.",
        "Executes a command line and returns its output.",
        "Terminal. For tests there may be a tool of its own.",
    ),
    about_zh=("执行一条命令。", "在终端运行命令并返回输出。"),
    params=(
        Param("command", COMMAND, ("command", "cmd", "command_line"), ("The command", "e.g. ls"), ("命令",)),
        Param("folder", FOLDER, ("cwd", "working_directory", "folder"), ("Where to run it",), ("工作目录",), False),
        Param(
            "limit",
            Duration("seconds", (5, 10, 20, 30, 60, 90, 120, 300)),
            ("timeout", "timeout_s"),
            ("Time limit",),
            ("超时",),
            False,
        ),
    ),
    asks=(
        "Run {command}[ in {folder}].",
        "execute {command}[ with a timeout of {limit}]",
        "what does {command} give[ in {folder}]?",
        "please type {command} into the terminal[, stop after {limit}]",
        "I'm on my phone and can't get to a shell. Could you run {command}[ in {folder}] for me?",
        "$ {command}",
        "do a {command}[ inside {folder}] and show me the output",
        "try {command}[, but give up after {limit}]",
        "shell command: {command}",
        "let's see what happens with {command}[ in {folder}][, at most {limit}]",
        "fire off {command} and tell me how it went",
    ),
    asks_zh=(
        "[在{folder}里]运行{command}",
        "执行 {command} [，超时{limit}]",
        "终端里敲一下{command}，看输出",
        "我手边没电脑，帮我跑一下{command}[，目录是{folder}]",
        "{command}的结果是什么？跑一下",
        "[进{folder}]执行命令{command}",
        "试试{command}[，最多等{limit}]",
        "帮忙敲个 {command} [，在{folder}下]",
    ),
    outcomes=(
        Outcome(
            fields=(("exit_code", Integer(0, 2)), ("lines", Integer(3, 200))),
            texts=("exit code {exit_code}, {lines} lines of output",),
            texts_zh=("退出码{exit_code}，输出{lines}行",),
            answers=(
                "It ended with code {exit_code} after {lines} lines of output.",
                "Exit code {exit_code}, {lines} lines.",
            ),
            answers_zh=("命令结束，退出码{exit_code}，输出{lines}行。", "退出码是{exit_code}，共{lines}行输出。"),
        ),
    ),
    missing=(
        Missing(
            key="command",
            asks=("Run a command in {folder}.", "Execute something in the terminal for me."),
            replies=("Which command should I run?", "What is the command?"),
            asks_zh=("在{folder}里跑个命令。", "帮我在终端执行一下"),
            replies_zh=("请问要执行什么命令？", "命令是什么？"),
        ),
    ),
    also=(
        *("files.list_folder", "files.read", "files.search", "files.rename", "files.move", "files.delete"),
        *("files.checksum", "code.git_history", "code.run_tests", "code.encode"),
    ),
)

HISTORY = Family(
    key="code.git_history",
    names=("git_history", "list_commits", "commit_log", "recent_changes", "git_log"),
    about=(
        "Commits of a repository.",
        "Lists who changed what, by file, author or date.",
        "History only; changes nothing.",
    ),
    about_zh=("查看提交历史。", "按文件、作者或日期列出提交。"),
    params=(
        Param("path", PATH, ("path", "file", "for_file"), ("Only commits that touch it",), ("文件",), False),
        Param("author", Person(), ("author", "by", "committer"), ("Only by this person",), ("作者",), False),
        Param("since", Day(-40, -1), ("since", "after", "from_date"), ("First day",), ("起始日期",), False),
        Param("count", Integer(1, 50), ("count", "max_count", "limit"), ("How many",), ("条数",), False),
    ),
    asks=(
        "Who changed {path}[ since {since}]?",
        "show me the last {count} commits[ by {author}]",
        "what has {author} been committing[ since {since}]",
        "git log[ of {path}][, {count} entries]",
        "history of {path}[, only {author}'s commits]",
        "Something broke in {path}. What was changed there[ since {since}]?",
        "list commits[ by {author}][ since {since}]",
        "recent commits please[, {count} of them]",
        "I was away; what went into the repository since {since}?",
        "did {author} touch {path}?",
        "what did I miss in the code while I was ill? since {since}, please",
        "{path} used to work. which commits touched it?",
    ),
    asks_zh=(
        "{path}[从{since}以来]谁改过？",
        "看最近{count}条提交[，{author}的]",
        "{author}[自{since}起]提交了什么",
        "{path}的修改历史[，{count}条]",
        "{path}坏了，看看[{since}以来]改了什么",
        "列一下提交记录[，作者{author}]",
        "我休假了，{since}之后仓库有哪些提交？",
        "{author}动过{path}吗",
    ),
    outcomes=(
        Outcome(
            fields=(("commit", Code(("xxxxxxx",))), ("author", Person())),
            texts=("{commit} by {author}",),
            texts_zh=("{commit}，作者{author}",),
            answers=("The latest is {commit} by {author}.", "{author} made the last commit, {commit}."),
            answers_zh=("最近一次是{author}的{commit}。", "最新提交{commit}，作者是{author}。"),
        ),
    ),
)

TESTS = Family(
    key="code.run_tests",
    names=("run_tests", "test_runner", "execute_test_suite", "check_tests"),
    about=(
        "Run the tests.",
        "Runs all tests, or those of a file or with a word in their name.",
        "Test runner; not for other commands.",
    ),
    about_zh=("运行测试。", "运行全部或部分测试用例。"),
    params=(
        Param("path", TEST_FILE, ("path", "test_file", "target"), ("Only this file",), ("测试文件",), False),
        Param(
            "word",
            Word(pool("login | payment | timeout | upload | parser | cache | export | unicode | signup | refund")),
            ("keyword", "filter", "name_contains"),
            ("Only tests with this in their name",),
            ("名称关键字",),
            False,
        ),
        Param(
            "stop",
            Flag(),
            ("fail_fast", "stop_on_first_failure"),
            ("Stop at the first failure",),
            ("首次失败即停止",),
            False,
        ),
    ),
    asks=(
        "Run the tests[ in {path}].",
        "do the tests still pass[ in {path}]?",
        "run only the tests with {word} in their name",
        Ask("run the test suite and stop at the first failure", {"stop": True}),
        "I've changed a lot, is everything still green?",
        "test {path} please[, only the {word} ones]",
        Ask("check {path}, and quit as soon as one test fails", {"stop": True}),
        "are the {word} tests ok",
        "Before I push: does the whole test suite go through?",
        "rerun {path}",
    ),
    asks_zh=(
        "跑一下测试[，只跑{path}]。",
        "[{path}的]测试还能过吗？",
        "只跑名字里带{word}的测试",
        Ask("运行测试，遇到第一个失败就停", {"stop": True}),
        "我改了不少代码，测试都还绿吗",
        "{word}相关的测试通过了没",
        Ask("测一下{path}，一失败就停下来", {"stop": True}),
        "提交前把所有测试跑一遍",
    ),
    outcomes=(
        Outcome(
            fields=(("passed", Integer(13, 400)), ("failed", Integer(2, 9))),
            texts=("{passed} passed, {failed} failed",),
            texts_zh=("{passed}个通过，{failed}个失败",),
            answers=("{passed} tests passed and {failed} failed.", "{failed} tests fail, {passed} pass."),
            answers_zh=("{passed}个通过，{failed}个失败。", "有{failed}个测试失败，{passed}个通过。"),
        ),
        Outcome(
            fields=(("passed", Integer(13, 400)),),
            texts=("all {passed} tests passed",),
            texts_zh=("{passed}个测试全部通过",),
            answers=("All {passed} tests pass.", "Everything is green: {passed} tests passed."),
            answers_zh=("{passed}个测试全部通过。", "都通过了，共{passed}个。"),
        ),
    ),
)

LOGS = Family(
    key="code.read_logs",
    names=("read_logs", "tail_logs", "fetch_log_lines", "service_logs", "log_viewer"),
    about=(
        "Read the log of a service.",
        "Latest log lines, by level and age.",
        "Shows what a service has logged, not whether it is up.",
    ),
    about_zh=("查看服务日志。", "按级别和时间读取日志。"),
    params=(
        Param("service", SERVICE, ("service", "app", "component"), ("Name of the service",), ("服务名",)),
        Param("level", LEVEL, ("level", "severity", "min_level"), ("Kind of messages",), ("日志级别",), False),
        Param(
            "span",
            Duration("minutes", (5, 10, 15, 30, 60, 90, 120, 240)),
            ("last_minutes", "since_minutes"),
            ("How far back",),
            ("最近多少分钟",),
            False,
        ),
        Param("lines", Integer(5, 500, 5), ("lines", "limit", "max_lines"), ("How many lines",), ("行数",), False),
    ),
    asks=(
        "Show me the logs of {service}[ for the last {span}].",
        "any {level} in {service}[ over the past {span}]?",
        "tail {lines} lines of {service}",
        "what has {service} been writing[ in the last {span}]",
        "customers complain about {service}, see if it logged {level}[ within {span}]",
        "{service} logs[, {level} only][, {lines} lines]",
        "Give me the last {lines} log lines from {service}.",
        "is {service} throwing {level} again",
        "look into the log of {service}[, {level}]",
        "At lunch something went wrong with {service}. What's in its log[ for the last {span}]?",
        "why is {service} acting up? read what it wrote[ during the last {span}]",
    ),
    asks_zh=(
        "看一下{service}[最近{span}]的日志。",
        "{service}[过去{span}]有{level}吗？",
        "{service}日志最后{lines}行",
        "用户反映{service}有问题，查下日志里的{level}",
        "把{service}的日志调出来[，只看{level}][，{lines}行]",
        "{service}又有{level}了？",
        "中午{service}出了问题，日志里写了什么[，看最近{span}]",
        "{service}都打印了些什么日志",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("count", Integer(3, 90)),
                (
                    "last",
                    Word(
                        pool(
                            """connection reset | disk almost full | slow query | bad request | retrying upload
                            token expired"""
                        )
                    ),
                ),
            ),
            texts=("{count} entries, last: {last}",),
            texts_zh=("{count}条，最后一条：{last}",),
            answers=("{service} logged {count} entries; the last says “{last}”.", "{count} entries. Last one: {last}."),
            answers_zh=("{service}有{count}条日志，最后一条是“{last}”。", "共{count}条，最新的是：{last}。"),
        ),
    ),
    missing=(
        Missing(
            key="service",
            asks=("Show me the logs.", "Are there {level} in the log?", "tail the last {lines} lines"),
            replies=("Of which service?", "Which service's log do you mean?"),
            asks_zh=("看一下日志。", "日志里有{level}吗？"),
            replies_zh=("请问是哪个服务？", "要看哪个服务的日志？"),
        ),
    ),
)

ENCODE = Family(
    key="code.encode",
    names=("encode_text", "convert_encoding", "text_encoder", "to_encoded_form"),
    about=(
        "Encode a text.",
        "Turns plain text into base64, URL, hex or HTML form. It does not decode.",
        "Base64 and the like",
    ),
    about_zh=("对文本进行编码。", "把文本转成 base64、URL 等编码，不做解码。"),
    params=(
        Param("text", SNIPPET, ("text", "input", "plain"), ("Text to encode",), ("原文",)),
        Param("encoding", ENCODING, ("encoding", "scheme", "format"), ("Which encoding",), ("编码方式",)),
    ),
    asks=(
        "Encode {text} as {encoding}.",
        "{text} in {encoding} please",
        "what is {text} in {encoding}",
        "I need {encoding} for {text}",
        "turn {text} into {encoding}",
        "For a header field I have to write {text} in {encoding}. What does that look like?",
        "convert to {encoding}: {text}",
        "use {encoding} on {text}",
        "I can't paste {text} as it is, it has to be {encoding}",
        "what would {text} be after {encoding}?",
    ),
    asks_zh=(
        "把{text}转成{encoding}。",
        "{text}的{encoding}是什么？",
        "用{encoding}处理：{text}",
        "请求头里要放{text}，转成{encoding}",
        "{text}要写成{encoding}",
        "给{text}做{encoding}",
        "{text}不能直接贴，要{encoding}的形式",
        "经过{encoding}之后{text}变成什么样？",
    ),
    outcomes=(
        Outcome(
            fields=(("encoded", Code(("AxAxA9==", "xxAxxxxA", "99xx99xx"))),),
            texts=("{encoded}",),
            answers=("That is {encoded}.", "{encoded}"),
            answers_zh=("结果是{encoded}。", "{encoded}"),
        ),
    ),
    missing=(
        Missing(
            key="text",
            asks=("Encode something as {encoding} for me.", "I need a {encoding} string."),
            replies=("Which text should I encode?", "What is the text?"),
            asks_zh=("帮我做个{encoding}。", "需要转成{encoding}"),
            replies_zh=("请问要编码什么内容？", "原文是什么？"),
        ),
        Missing(
            key="encoding",
            asks=("Encode {text}.", "please encode {text} for me"),
            replies=("In which encoding?", "As what: base64, URL, hex or HTML?"),
            asks_zh=("把{text}编码一下。", "给{text}编个码"),
            replies_zh=("请问用哪种编码？", "要用什么编码方式？"),
        ),
    ),
)

CRON_TEXT = Family(
    key="code.explain_cron",
    names=("explain_cron", "describe_schedule", "cron_to_text", "when_does_cron_run"),
    about=("Explain a cron expression.", "Says in words when a cron line runs.", "Does not create or change jobs."),
    about_zh=("解释 cron 表达式。", "说明定时任务何时运行，不会创建任务。"),
    params=(
        Param("expression", CRON, ("expression", "cron", "schedule"), ("Five fields",), ("cron 表达式",)),
        Param(
            "runs",
            Integer(2, 10),
            ("next_runs", "show_next"),
            ("Also list so many next runs",),
            ("列出后几次运行",),
            False,
        ),
    ),
    asks=(
        "What does {expression} mean in a crontab?",
        "when does {expression} run[? show the next {runs} runs]",
        "explain the cron line {expression}",
        "I found {expression} in an old crontab and can't tell how often that fires.",
        "cron: {expression}, in words please[, with the next {runs} times]",
        "how often is a job with {expression} started",
        "could you read {expression} for me? it's a cron thing",
        "translate the schedule {expression} into plain English",
        "the old admin left {expression} behind. at what times does that go off?",
        "does {expression} run on weekends too? tell me what it says",
    ),
    asks_zh=(
        "cron 表达式 {expression} 是什么意思？",
        "{expression} 什么时候执行[，列出后面{runs}次]",
        "解释一下定时任务 {expression}",
        "老的 crontab 里有一行 {expression}，多久跑一次？",
        "这个 cron 怎么看：{expression}",
        "{expression} 这个定时规则说人话是什么",
        "前同事留下一条 {expression} ，几点会触发？",
        "{expression} 周末也会跑吗，说明一下这个规则",
    ),
    outcomes=(
        Outcome(
            fields=(("runs_per_month", Integer(20, 900)),),
            texts=("{runs_per_month} runs a month",),
            texts_zh=("每月运行{runs_per_month}次",),
            answers=("It runs {runs_per_month} times a month.", "That makes {runs_per_month} runs a month."),
            answers_zh=("它每月运行{runs_per_month}次。", "一个月会执行{runs_per_month}次。"),
        ),
    ),
    missing=(
        Missing(
            key="expression",
            asks=("Can you explain a cron expression to me?", "When does my cron job run?"),
            replies=("What is the expression?", "Which cron expression do you mean?"),
            asks_zh=("帮我解释一个 cron 表达式。", "我的定时任务什么时候跑？"),
            replies_zh=("请问表达式是什么？", "是哪个 cron 表达式？"),
        ),
    ),
)

DOMAIN = Domain(
    "code",
    (RUN, HISTORY, TESTS, LOGS, ENCODE, CRON_TEXT),
    unserved=(
        ("Write a unit test for the login page.", "给登录页写个单元测试。"),
        ("Open a pull request with my changes.", "用我的改动提一个合并请求。"),
        ("Translate this function from Java to Rust.", "把这个函数从 Java 改写成 Rust。"),
        ("Decode this token for me.", "帮我把这个令牌解码。"),
        ("Which licence does this package have?", "这个包用的是什么许可证？"),
        ("Review my code, please.", "帮我审查一下代码。"),
        ("Order a quieter keyboard for my desk.", "给我的工位买个静音键盘。"),
        ("Add a dark theme to the editor.", "给编辑器换个深色主题。"),
        ("Create a cron job that cleans up every night.", "建一个每晚清理的定时任务。"),
        ("Draw a diagram of our classes.", "画一张类图。"),
        ("Why is my laptop so hot?", "我的笔记本怎么这么烫？"),
        ("Renew the certificate of our site.", "给网站续一下证书。"),
        ("Silence the log alerts until Monday.", "把日志告警静音到周一。"),
    ),
)
