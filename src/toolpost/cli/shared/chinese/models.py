"""Texts of `toolpost models`, and of a model that is chosen or fetched at a start."""

MODELS = {
    "default model: {model} ({origin})": "默认模型：{model}（{origin}）",
    "default model: none. To choose one: toolpost run -m {model} … or export TOOLPOST_MODEL={model}": (
        "默认模型：无。选择一个：toolpost run -m {model} … 或 export TOOLPOST_MODEL={model}"
    ),
    "user config {place}": "用户配置 {place}",
    "project config {place}": "项目配置 {place}",
    "environment {variable}": "环境变量 {variable}",
    "PROVIDER": "提供商",
    "KEY": "密钥",
    "URL": "地址",
    "EMBEDDED": "内置模型",
    "SIZE": "大小",
    "MEMORY": "内存",
    "HERE": "本机",
    "yes": "是",
    "set ({variable})": "已设置（{variable}）",
    "set (keyring)": "已设置（密钥环）",
    "missing ({variable})": "缺少（{variable}）",
    "not needed": "不需要",
    "plugin {name}": "插件 {name}",
    "no model server runs on this machine (checked: {names})": "本机没有模型服务器在运行（已检查：{names}）",
    "running: {url} with {count} model[s]: {names}": "正在运行：{url}，{count} 个模型：{names}",
    "{names} and {count} more: toolpost models list {provider}": (
        "{names}，另有 {count} 个：toolpost models list {provider}"
    ),
    "no models": "没有模型",
    "to see the models of a provider: toolpost models list {provider}": (
        "查看提供商的模型：toolpost models list {provider}"
    ),
    "no key is set. To set one, for example: {command}": "没有设置密钥。例如可以这样设置：{command}",
    "export {variable}=<your key>": "export {variable}=<你的密钥>",
    "no weights are on this machine yet": "本机还没有权重",
    "{provider} lists no models": "{provider} 没有列出模型",
    # `toolpost models probe`
    "{model} at http{url}": "{model}，地址 http{url}",
    "this process": "本进程",
    "server reports": "服务器报告",
    "tools: {state}": "工具：{state}",
    "context window: {tokens}": "上下文窗口：{tokens}",
    "tools: {state}, context window: {tokens}": "工具：{state}，上下文窗口：{tokens}",
    "answers": "能回答",
    "native calls": "原生调用",
    "calls as text": "文本调用",
    "with a grammar": "使用语法约束",
    "several at once": "一次多个",
    "no": "否",
    "first word after {seconds} s": "{seconds} 秒后出现第一个词",
    "first word after {seconds} s, {rate} tokens/s": "{seconds} 秒后出现第一个词，{rate} token/秒",
    "it said nothing": "没有回答",
    "it made no call": "没有发起调用",
    "its call could not be read": "调用无法解析",
    "its arguments were wrong": "参数有误",
    "its time was up": "超时",
    "it writes them as text": "它以文本形式写出调用",
    "the server refuses tools": "服务器不接受工具",
    "no grammar is known for this server": "不知道该服务器支持的语法约束",
    "{count} of {all} calls": "{all} 个调用中完成了 {count} 个",
    "it made no right call in either way": "两种方式都没有正确的调用",
    "{why}: the model is too small for tools, or its template is wrong. Try another dialect or model.": (
        "{why}：模型太小，不适合用工具，或者它的模板有误。请换一种方言或模型。"
    ),
    'it works best natively, but the configuration says tool_calls = "{mode}"': (
        '原生调用效果最好，但配置中写的是 tool_calls = "{mode}"'
    ),
    'it works best as text, but the configuration says tool_calls = "{mode}"': (
        '文本调用效果最好，但配置中写的是 tool_calls = "{mode}"'
    ),
    "from now on it is asked for tool calls natively": "今后用原生方式请求工具调用",
    "from now on it is asked for tool calls as text": "今后用文本方式请求工具调用",
    # `toolpost models pull`
    "{reason}, so {model} is used": "{reason}，因此使用 {model}",
    "--from works only with weights that Toolpost knows: {names}": "--from 只能用于 Toolpost 已知的权重：{names}",
    "the name and SHA-256 of {model} are fixed: omit --name and --sha256": (
        "{model} 的名称和 SHA-256 是固定的：请去掉 --name 和 --sha256"
    ),
    "--clean takes no other options": "--clean 不能与其他选项同用",
    "{model} is at {place}, {size}": "{model} 位于 {place}，{size}",
    "deleted {size} of unfinished pulls": "已删除未完成的下载 {size}",
    "there is no unfinished pull": "没有未完成的下载",
    "another process is fetching these weights: stop it first": "另一个进程正在下载这些权重：请先停止它",
    "another process is fetching it: waiting": "另一个进程正在下载：等待中",
    "{model} is {title}, {licence}:\n{size} to fetch, {memory} of memory\nfrom {sources}": (
        "{model} 即 {title}，{licence}：\n需下载 {size}，占用内存 {memory}\n来源：{sources}"
    ),
    "{size} were fetched before; continuing from there": "之前已下载 {size}；从那里继续",
    "stopped: {size} are kept in {folder}. `{command}` continues from there, `{other}` deletes them.": (
        "已停止：{size} 保留在 {folder}。`{command}` 继续下载，`{other}` 删除它们。"
    ),
    # Which model is used where none is named.
    "using {model} because {variable} is set; to use another: -m provider/model": (
        "使用 {model}，因为设置了 {variable}；换用其他模型：-m 提供商/模型"
    ),
    "using {model}, the first model of the server at {url}": "使用 {model}：{url} 上服务器的第一个模型",
    "no API key is set and no local server answers: using {model}, a small model in this process. "
    "To use another: -m provider/model (`toolpost models` lists the providers).": (
        "没有设置 API 密钥，也没有本地服务器响应：使用 {model}，一个在本进程内运行的小模型。"
        "换用其他模型：-m 提供商/模型（`toolpost models` 列出提供商）。"
    ),
    "no API key is set and no local server answers: fetching the weights of a small model, once. "
    "To avoid this, set an API key (such as OPENAI_API_KEY) or start a local server.": (
        "没有设置 API 密钥，也没有本地服务器响应：下载一个小模型的权重，只需一次。"
        "若不想下载，请设置 API 密钥（如 ARK_API_KEY）或启动本地服务器。"
    ),
    "no model is configured and no local server answers: using a scripted demo, not a real model. "
    "To use a model: -m provider/model (`toolpost models` lists the providers), or install a small one: {command}": (
        "没有配置模型，也没有本地服务器响应：使用脚本演示，不是真正的模型。"
        "要使用模型：-m 提供商/模型（`toolpost models` 列出提供商），或安装一个小模型：{command}"
    ),
    "{reason}, so {model} is used instead": "{reason}，因此改用 {model}",
}
