"""Texts of `toolpost doctor` and of `.env` files."""

DOCTOR = {
    "{count} problem[s] found": "发现 {count} 个问题",
    "no problems found": "没有发现问题",
    "{first} (and {count} more)": "{first}（另有 {count} 项）",
    "not checked: {reason}": "未检查：{reason}",
    "no answer within {seconds} s": "{seconds} 秒内没有回应",
    "Python {version} is too old": "Python {version} 版本过低",
    "install Python 3.11 or newer": "请安装 Python 3.11 或更高版本",
    "no files, all defaults": "没有配置文件，全部使用默认值",
    "this system has none; API keys are read from the environment": "本系统没有密钥环；API 密钥从环境变量读取",
    "the encoding is {encoding}: some characters cannot be shown": "编码为 {encoding}：部分字符无法显示",
    "UTF-8, {cells} cells wide": "UTF-8，宽 {cells} 列",
    "UTF-8, not a terminal": "UTF-8，不是终端",
    "installed: {purpose}": "已安装：{purpose}",
    "not installed: {purpose}": "未安装：{purpose}",
    # What the extras are for.
    "the chat in a terminal, keys in the keyring, prices, agents in Markdown": (
        "终端聊天、密钥环、价格、Markdown 智能体"
    ),
    "commands in a sandbox, search, language servers, PDFs": "沙箱中的命令、代码搜索、语言服务器、PDF",
    "MCP servers, and being one": "连接 MCP 服务器，或作为 MCP 服务器",
    "a model inside the process": "进程内模型",
    "sessions in PostgreSQL": "把会话存入 PostgreSQL",
    "limits and answers that workers share": "多个 worker 共享限额与缓存的回答",
    "spans for OpenTelemetry": "OpenTelemetry 链路追踪",
    "web search without a key": "无需密钥的网页搜索",
    "runs driven by Temporal, on many machines": "由 Temporal 在多台机器上执行运行",
    "what a run costs, how much a model can read": "运行费用与模型上下文长度",
    # Configuration and trust.
    "{file} is not used until you trust this folder: toolpost trust": "信任此文件夹前不会使用 {file}：toolpost trust",
    "instructions: no such file: {name}": "instructions：没有这个文件：{name}",
    "{folder} changed since it was trusted: its own settings, tools and servers are not used": (
        "{folder} 在信任之后有改动：不使用它自带的设置、工具和服务器"
    ),
    "{folder} is not trusted: its own settings, tools and servers are not used": (
        "{folder} 未受信任：不使用它自带的设置、工具和服务器"
    ),
    "this folder has nothing that needs trust": "此文件夹没有需要信任的内容",
    "this folder is trusted": "此文件夹已受信任",
    # Store.
    "kept on a PostgreSQL server": "保存在 PostgreSQL 服务器上",
    'store = "memory": sessions are not saved': 'store = "memory"：会话不会保存',
    "the disk of {place} is full": "{place} 所在的磁盘已满",
    "free some space, or export TOOLPOST_DATA_DIR=<another disk>": (
        "请清理空间，或 export TOOLPOST_DATA_DIR=<另一块磁盘>"
    ),
    "{place} is not writable: {reason}": "{place} 不可写：{reason}",
    "export TOOLPOST_DATA_DIR=<a folder of yours>": "export TOOLPOST_DATA_DIR=<你自己的文件夹>",
    "{place} is writable": "{place} 可写",
    "{place} will be created": "将创建 {place}",
    "none yet; the first session creates it": "还没有；第一个会话会创建它",
    "{place} is damaged: {complaint}": "{place} 已损坏：{complaint}",
    "move {place} away, or export TOOLPOST_DATA_DIR=<another>": (
        "请移走 {place}，或 export TOOLPOST_DATA_DIR=<另一个文件夹>"
    ),
    "replace {place} with a backup": "请用备份替换 {place}",
    "{place} is intact, {size}": "{place} 完好，{size}",
    "{place} opens; too large to check in {seconds} s, {size}": (
        "{place} 可以打开；太大，{seconds} 秒内检查不完，{size}"
    ),
    "the PostgreSQL server answers; its tables are up to date": "PostgreSQL 服务器有响应，表结构为最新",
    # Models.
    "{model} ({origin}) has no key": "{model}（{origin}）没有密钥",
    "{model} ({origin}), key {key}; not contacted": "{model}（{origin}），密钥{key}；未联系服务器",
    "{model} ({origin}): no server answers at {url}": "{model}（{origin}）：{url} 没有服务器响应",
    "start it, or choose another model: toolpost models": "请启动它，或换一个模型：toolpost models",
    "{model} ({origin}) is not among the models of {url}": "{url} 的模型中没有 {model}（{origin}）",
    "{model} ({origin}) at {url}": "{model}（{origin}），地址 {url}",
    "{model} ({origin}), in this process": "{model}（{origin}），在本进程内",
    "none is configured; {model} is used because {variable} is set": "未配置模型；因为设置了 {variable}，使用 {model}",
    "none is configured; the first model of {url} is used": "未配置模型；使用 {url} 的第一个模型",
    "none is configured and no local server runs; {answers} is used": (
        "未配置模型，也没有本地服务器在运行；使用 {answers}"
    ),
    "a scripted demo": "脚本演示",
    "llama.cpp is not installed": "未安装 llama.cpp",
    "{names} in {folder}/models": "{folder}/models 中有 {names}",
    "no weights of {model} yet": "还没有 {model} 的权重",
    "no weights of {model} yet; {rest}": "还没有 {model} 的权重；{rest}",
    "{size} of an unfinished pull": "有 {size} 未下载完",
    "{names}; {size} of an unfinished pull": "{names}；有 {size} 未下载完",
    "the available memory is unknown on this system": "无法得知本系统的可用内存",
    "{size} available; {model} takes {memory}": "可用 {size}；{model} 需要 {memory}",
    "{reason}: {model} is the default model": "{reason}：默认模型为 {model}",
    "close other programs, or export OPENAI_API_KEY=…": "请关闭其他程序，或 export OPENAI_API_KEY=…",
    # Web search.
    "switched off in [tools]": "已在 [tools] 中关闭",
    "{name}; then {rest}": "{name}；然后 {rest}",
    "Tavily, key {key}": "Tavily，密钥{key}",
    "Tavily without a key, a few searches a day": "Tavily（无密钥，每天只有少量搜索）",
    "SearXNG at {url}": "SearXNG，地址 {url}",
    "ddgs, which is not installed": "ddgs（未安装）",
    # Sandbox and tools.
    "off: commands run with all your permissions": "已关闭：命令以你的全部权限运行",
    'set sandbox = "auto" in config.toml': '在 config.toml 中设置 sandbox = "auto"',
    "not tried: commands cannot be judged without the shell grammar, so none runs": (
        "未测试：没有 shell 语法包就无法判断命令，因此不运行任何命令"
    ),
    "install {newer} and allow user namespaces": "请安装 {newer}，并允许 user namespaces",
    "a newer bubblewrap": "更新版本的 bubblewrap",
    "bash refuses to run: {failed}": "bash 拒绝运行：{failed}",
    "{kind} works: {count} check[s] passed": "{kind} 工作正常：{count} 项检查通过",
    "{count} built in": "内置 {count} 个",
    "{count} built in, {own} of your own: {names}": "内置 {count} 个，自有 {own} 个：{names}",
    "set {name} = false under [plugins], or reinstall it": "在 [plugins] 下设置 {name} = false，或重新安装",
    "none installed": "未安装插件",
    "no servers": "没有服务器",
    "not started until this folder is trusted: {names}": "信任此文件夹前不会启动：{names}",
    "{names}; to test them: toolpost mcp test": "{names}；测试：toolpost mcp test",
    "no language server: edits are not checked": "没有语言服务器：不检查修改",
    # `.env` files.
    "{names}: {count} variable[s] used": "{names}：使用 {count} 个变量",
    "{names}: {count} variable[s] used; not used: {unused}": "{names}：使用 {count} 个变量；未使用：{unused}",
    "there is none": "没有",
    "you said no to {names}": "你已拒绝读取 {names}",
    "{names} is not read before you say so": "在你同意之前不会读取 {names}",
    "{names} is not read before you say so: {command}": "在你同意之前不会读取 {names}：{command}",
    "{names} changed since you allowed it, and is not read": "{names} 在你同意之后有改动，不会读取",
    "{names} changed since you allowed it, and is not read: {command}": (
        "{names} 在你同意之后有改动，不会读取：{command}"
    ),
    ".env and .env.local": ".env 和 .env.local",
    "{file} has:": "{file} 含有：",
    "  line {number} is not NAME=value and is left out": "  第 {number} 行不是 NAME=value，已略过",
    "use {names} for keys and addresses? Commands that tools run do not get them.": (
        "从 {names} 读取密钥和地址吗？工具运行的命令拿不到它们。"
    ),
    "used": "使用",
    "empty": "空",
    "not used: {reason}": "不使用：{reason}",
    "{folder}: there is no .env and no .env.local": "{folder}：没有 .env，也没有 .env.local",
    "{folder}: the .env files are read": "{folder}：会读取 .env 文件",
    "{folder}: the .env files are not read": "{folder}：不会读取 .env 文件",
    "{folder}: the .env files have changed and are not read": "{folder}：.env 文件有改动，不会读取",
    "standard input is not a terminal: add --yes to read these files": "标准输入不是终端：要读取这些文件，请加 --yes",
    "not used: the environment has another value": "不使用：环境变量里已有值",
    "not used: set it in the environment or the configuration": "不使用：请在环境变量或配置文件里设置",
    "not used: it is empty": "不使用：值为空",
    "accounts are off: {names} sets TOOLPOST_SERVER_ACCOUNTS and is not read; to read it: {command}": (
        "账号功能未开启：{names} 设置了 TOOLPOST_SERVER_ACCOUNTS，但没有读取；要读取：{command}"
    ),
    "sessions are in SQLite or PostgreSQL; for old conversations: toolpost sessions import": (
        "会话保存在 SQLite 或 PostgreSQL；导入旧对话：toolpost sessions import"
    ),
    "to keep sessions in PostgreSQL, set TOOLPOST_STORE=postgresql://… in the environment": (
        "要把会话存入 PostgreSQL，请设置 TOOLPOST_STORE=postgresql://…"
    ),
    "workers share limits through Redis if [server] redis names it": (
        "在 [server] redis 中写明后，多个 worker 通过 Redis 共享限额"
    ),
    "to choose the model, set TOOLPOST_MODEL={model}": "要选择模型，请设置 TOOLPOST_MODEL={model}",
    "set base_url in [providers.ark] of the configuration": "请在配置的 [providers.ark] 中设置 base_url",
    "web search uses Tavily, SearXNG or DuckDuckGo": "网页搜索使用 Tavily、SearXNG 或 DuckDuckGo",
    "logins need no secret of yours": "登录不需要你提供密钥",
}
# The rows of `toolpost doctor`. Not among the texts: they are ordinary words, which may stand in any text.
ROWS = {
    "configuration": "配置",
    "env files": ".env 文件",
    "data": "数据",
    "database": "数据库",
    "model": "模型",
    "embedded": "内置模型",
    "memory": "内存",
    "trust": "信任",
    "sandbox": "沙箱",
    "tools": "工具",
    "web search": "网页搜索",
    "plugins": "插件",
    "lsp": "语言服务器",
    "keyring": "密钥环",
    "terminal": "终端",
}
