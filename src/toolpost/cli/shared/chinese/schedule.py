"""What `toolpost schedule` says, and what is wrong with a time."""

SCHEDULE = {
    'no schedules yet; to add one: toolpost schedule add "…" --cron "0 9 * * 1-5"': (
        '还没有定时任务；添加：toolpost schedule add "…" --cron "0 9 * * 1-5"'
    ),
    "{text}; to see other projects: toolpost schedule list --all": "{text}；查看其他项目：toolpost schedule list --all",
    "note: no server runs here that would fire it: start `toolpost serve` in this project, with the same store, and "
    "let it run": "注意：这里没有服务器来触发它：请在此项目中用同一存储启动 `toolpost serve`，并让它一直运行",
    "say when it runs, with one of --cron, --every and --at": "请用 --cron、--every、--at 之一说明何时运行",
    "added {schedule}; {next}": "已添加 {schedule}；{next}",
    "next {time}, in {left}": "下次：{time}，还有 {left}",
    "this terminal": "此终端",
    "session {session} is not one of {whose} in this project: choose another": (
        "会话 {session} 不属于{whose}在此项目中的会话：请选择另一个"
    ),
    "{schedule} is paused; to let it go on: toolpost schedule resume {schedule}": (
        "{schedule} 已暂停；继续：toolpost schedule resume {schedule}"
    ),
    "{schedule} is at its end: it does not fire any more": "{schedule} 已到期，不再触发",
    "{schedule} goes on; {next}": "{schedule} 继续；{next}",
    "removed {schedule}": "已删除 {schedule}",
    "{schedule} fires already: a run of it waits for its turn": "{schedule} 已在触发：它的一个运行正在等待",
    "{schedule} {when}; to see it: toolpost schedule show {schedule}": (
        "{schedule} {when}；查看：toolpost schedule show {schedule}"
    ),
    "runs within seconds": "将在几秒内运行",
    "runs within seconds and stays paused": "将在几秒内运行，之后仍为暂停",
    "runs as soon as a server looks for it": "等有服务器时运行",
    "runs as soon as a server looks for it and stays paused": "等有服务器时运行，之后仍为暂停",
    "no schedule {schedule}: `toolpost schedule list --all` lists them": (
        "没有定时任务 {schedule}：用 `toolpost schedule list --all` 列出"
    ),
    "a cron expression has at most {count} characters: make several schedules": (
        "cron 表达式最多 {count} 个字符：请分成几个定时任务"
    ),
    "cron {expression} never comes: no month has such a day": "cron {expression} 永远不会到来：没有哪个月有这一天",
    "cron {expression} does not have {count} fields: {hint}": "cron {expression} 不是 {count} 个字段：{hint}",
    "cron {expression}: {problem}; {hint}": "cron 表达式 {expression}：{problem}；{hint}",
    'write minute, hour, day, month and weekday, such as "0 9 * * 1-5", or @daily': (
        '请写分、时、日、月、星期，如 "0 9 * * 1-5"，或 @daily'
    ),
    "the prompt is empty: say what is to be done": "提示为空：请说明要做什么",
    'overlap "allow" needs a new session for each firing: a session has one run at a time': (
        'overlap "allow" 要求每次触发都用新会话：一个会话同时只能有一个运行'
    ),
    "it may fire every {time} at the most: take a longer time, or ask an admin": (
        "最多每 {time} 触发一次：请用更长的间隔，或询问管理员"
    ),
    "it would never fire before its end: choose a later one": "它在到期前永远不会触发：请选择更晚的到期时间",
    "no time zone {name}; {hint}": "没有时区 {name}；{hint}",
    "write one such as Europe/Berlin, Asia/Shanghai or UTC": "请写 Europe/Berlin、Asia/Shanghai 或 UTC 这样的时区",
    "this system has no time zones: pip install tzdata": "此系统没有时区数据：pip install tzdata",
    "say when, in one way: a cron expression, an interval, or a time": (
        "请用一种方式说明时间：cron 表达式、间隔或时刻"
    ),
    "{field} {text} is not a time such as 90s, 15m, 2h, 1d or 1h30m": (
        "{field} {text} 不是 90s、15m、2h、1d 或 1h30m 这样的时间"
    ),
    "{field} {text} is not a time: {hint}": "{field} {text} 不是时间：{hint}",
    'write it as 2026-12-24T18:00, with +01:00 for another time zone, or as "in 20m"': (
        '请写成 2026-12-24T18:00，其他时区加上 +01:00，或写 "in 20m"'
    ),
    "{field} {text} is in the past": "{field} {text} 已经过去",
    "{field} {text} is more than ten years ahead": "{field} {text} 在十年以后",
}
