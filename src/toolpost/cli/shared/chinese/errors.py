"""The first errors that a newcomer meets: no key, no model, a wrong name, a server that does not run."""

ERRORS = {
    "unexpected error: {error}\nDetails: {place}": "意外错误：{error}\n详情：{place}",
    'no prompt: use toolpost run "…", or pipe a text in': '没有提问内容：请用 toolpost run "…"，或从管道输入文本',
    'a chat needs a terminal; without one, use toolpost run "…"': '聊天需要终端；没有终端时请用 toolpost run "…"',
    "{what} needs packages that are not installed: {command}": "{what} 需要尚未安装的包：{command}",
    "a chat in the terminal": "终端聊天",
    "cannot use the folder {folder}: {reason}": "无法使用文件夹 {folder}：{reason}",
    "--tools {file}: no such file": "--tools {file}：没有这个文件",
    "--no-store cannot be combined with --session or --continue: use one or the other": (
        "--no-store 不能与 --session 或 --continue 同用：请只用其一"
    ),
    # Models and keys.
    "{model} is not a model id: write provider/model, for example openai/gpt-5-mini": (
        "{model} 不是模型 id：请写成 提供商/模型，例如 openai/gpt-5-mini"
    ),
    "{place}: {model} is not a model id: use provider/model, such as openai/gpt-5-mini": (
        "{place}：{model} 不是模型 id：请写成 提供商/模型，例如 openai/gpt-5-mini"
    ),
    "unknown provider {name}: {hint} To add one that speaks the OpenAI chat wire, put into the config:\n{lines}": (
        "未知提供商 {name}：{hint} 要添加兼容 OpenAI Chat 接口的提供商，请在配置中写入：\n{lines}"
    ),
    "unknown provider {name}: {hint}": "未知提供商 {name}：{hint}",
    "did you mean {name}?": "是否想用 {name}？",
    "known are {names}.": "已知的有 {names}。",
    "{provider} needs a key: set {variable}": "{provider} 需要密钥：请设置 {variable}",
    "{provider} needs a key: export {variable}=<your key>": "{provider} 需要密钥：export {variable}=<你的密钥>",
    "{provider} needs a key: toolpost config set-key {provider}": (
        "{provider} 需要密钥：toolpost config set-key {provider}"
    ),
    "{provider} needs a key: set {variable}, or run `toolpost config set-key {provider}`": (
        "{provider} 需要密钥：请设置 {variable}，或运行 `toolpost config set-key {provider}`"
    ),
    "{variable} must be a URL such as https://host/v1, not {value}": (
        "{variable} 必须是 https://host/v1 这样的 URL，而不是 {value}"
    ),
    'no model is selected. {variable} is set: use -m {model}, or set model = "{model}" in the configuration': (
        '没有选择模型。已设置 {variable}：请用 -m {model}，或在配置中设置 model = "{model}"'
    ),
    "no agent {name}; known: {names}. Add [agents.{wanted}] to the configuration.": (
        "没有智能体 {name}；已有：{names}。请在配置中添加 [agents.{wanted}]。"
    ),
    "the weights of {model} are not here yet: `{command}` fetches them": "{model} 的权重还不在本机：`{command}` 会下载",
    "the weights of {model} are not here: `{command}` fetches them": "{model} 的权重不在本机：`{command}` 会下载",
    "{model} was not pulled (pulled: {names}): run `toolpost models pull <file or URL>`": (
        "没有下载 {model}（已下载：{names}）：请运行 `toolpost models pull <文件或 URL>`"
    ),
    "{model} takes {need} of memory and {have} are available": "{model} 需要 {need} 内存，可用 {have}",
    'no sessions in this project yet; to start one: toolpost run "…"': '此项目还没有会话；开始一个：toolpost run "…"',
    "unknown command {name}: {hint}": "未知命令 {name}：{hint}",
    "provider {name} wants the wire {wire}, which is unknown: use one of {known}": (
        "提供商 {name} 使用的接口 {wire} 未知：请用其中之一：{known}"
    ),
    # What is wrong in the configuration.
    "{place}: unknown {what} {name}; {hint}": "{place}：未知的 {what} {name}；{hint}",
    'unknown {what} "{name}"; {hint}': '未知的 {what} "{name}"；{hint}',
    'did you mean "{name}"?': '是否想用 "{name}"？',
    "see `toolpost tools`": "见 `toolpost tools`",
    "{place}: MCP server {name}: {problem}": "{place}：MCP 服务器 {name}：{problem}",
    # The server of a model.
    "{url}: cannot connect ({reason}); is the server running there?": (
        "{url}：无法连接（{reason}）；那里的服务器在运行吗？"
    ),
    "Connection refused": "连接被拒绝",
    "No route to host": "没有到主机的路由",
    "Network is unreachable": "网络不可达",
    "{url}: the host name is not known; is it spelt right, and is there a network?": (
        "{url}：无法解析主机名；拼写对吗？有网络吗？"
    ),
    "{url}: the URL, a header or the key holds characters that HTTP cannot carry": (
        "{url}：URL、请求头或密钥中含有 HTTP 不能传输的字符"
    ),
    "{url}: the connection was reset": "{url}：连接被重置",
    "{url}: {reason}; is the host right, and is there a proxy to set (HTTPS_PROXY)?": (
        "{url}：{reason}；主机对吗？是否需要设置代理（HTTPS_PROXY）？"
    ),
    "{url}: {reason}; check HTTPS_PROXY and ALL_PROXY, or name the host in NO_PROXY": (
        "{url}：{reason}；请检查 HTTPS_PROXY 和 ALL_PROXY，或把主机写入 NO_PROXY"
    ),
    "{url}: {reason}; the response was given up": "{url}：{reason}；已放弃等待响应",
    "{url}: the certificate is not trusted ({reason}); set SSL_CERT_FILE if it should be": (
        "{url}：证书不受信任（{reason}）；如果应当信任，请设置 SSL_CERT_FILE"
    ),
    "{url}: TLS failed ({reason}); should the URL begin with http://?": (
        "{url}：TLS 失败（{reason}）；URL 是否应以 http:// 开头？"
    ),
    "{url} did not answer within {seconds} s": "{url} 在 {seconds} 秒内没有响应",
    "{url} did not answer with JSON": "{url} 返回的不是 JSON",
    "{url} answered with a web page: does base_url end where the API begins?": (
        "{url} 返回了网页：base_url 是否正好写到 API 的起点？"
    ),
    "{url} redirects to {target}: set the provider's base_url to where it leads": (
        "{url} 重定向到 {target}：请把提供商的 base_url 设为该地址"
    ),
    "{url} answered {status}: {text}": "{url} 返回 {status}：{text}",
    "{url} answered {status}: {text} (check the API key and what it is allowed)": (
        "{url} 返回 {status}：{text}（请检查 API 密钥及其权限）"
    ),
    "{url} answered {status}: {text} (check the model's name, "
    "and that base_url ends where the API begins, often in /v1)": (
        "{url} 返回 {status}：{text}（请检查模型名称，以及 base_url 是否写到 API 的起点，通常以 /v1 结尾）"
    ),
    "no text": "没有说明",
    "the server reported an error": "服务器报告了错误",
    # Sessions.
    "no session {id}: `toolpost sessions --all` lists them": "没有会话 {id}：`toolpost sessions --all` 列出全部会话",
    "queued": "排队中",
    "running": "运行中",
    "waiting": "等待回答",
    "interrupted": "已中断",
    'no sessions yet; to start one: toolpost run "…"': '还没有会话；开始一个：toolpost run "…"',
}
