"""Texts of `toolpost run` and `toolpost chat`: notices, approvals, questions, how a run ended."""

CHAT = {
    "note: {text}": "提示：{text}",
    "the run reached a limit": "运行达到上限",
    "the run reached a limit: {limit}": "运行达到上限：{limit}",
    "the answer was cut at the model's output limit": "回答在模型的输出上限处被截断",
    "the answer was cut because the model's context window is full": "模型的上下文窗口已满，回答被截断",
    "{limit}; raise it with --{option}": "{limit}；用 --{option} 提高上限",
    "the run ended because a call was rejected": "运行结束：有调用被拒绝",
    "the run ended because a call was rejected; write what to do instead": "运行结束：有调用被拒绝；请写出应该怎么做",
    "the run ended because the model repeated the same call": "运行结束：模型重复了同样的调用",
    "the model returned an empty answer": "模型返回了空回答",
    "the model returned an empty answer; see `toolpost trace`": "模型返回了空回答；请看 `toolpost trace`",
    "denied because no person could approve it: {names}. To allow it: {flags}": (
        "无人可批准，已拒绝：{names}。要允许它：{flags}"
    ),
    "stopped": "已停止",
    "going on with the run that was interrupted": "继续被中断的运行",
    "a run of this session was interrupted: /resume goes on with it": "此会话有一个被中断的运行：/resume 继续它",
    "no run of this session was interrupted": "此会话没有被中断的运行",
    "the run that was interrupted here is closed; --resume would have gone on with it": (
        "这里被中断的运行已关闭；用 --resume 本可继续它"
    ),
    "the run that waited for an answer here is closed; toolpost chat would have asked": (
        "这里等待回答的运行已关闭；本可回答它的是：toolpost chat"
    ),
    'the run that was interrupted here is closed, as resume = "never" says': (
        '按 resume = "never" 的设置，这里被中断的运行已关闭'
    ),
    'the run that was interrupted here is closed, as resume = "never" says: '
    'toolpost run -s {session} "…" goes on with its session': (
        '按 resume = "never" 的设置，这里被中断的运行已关闭；继续此会话：toolpost run -s {session} "…"'
    ),
    "--allow does not widen a run that goes on: it keeps the rules that it was started with": (
        "--allow 不会放宽继续的运行：它保留开始时的规则"
    ),
    "the agent {agent} of this run is gone: --agent names the one that goes on with session {session}": (
        "此运行的智能体 {agent} 已不存在：用 --agent 指定继续会话 {session} 的智能体"
    ),
    "this run was begun as the agent {agent}, which is not there: --agent names the one that goes on with session "
    "{session}": ("此运行由智能体 {agent} 开始，它已不存在：用 --agent 指定继续会话 {session} 的智能体"),
    "this run belongs to the folder {folder}: go on with it there": "此运行属于文件夹 {folder}：请在那里继续",
    "this is the run of a sub-agent: it goes on with the session that sent it, {session}": (
        "这是子智能体的运行：它随派出它的会话 {session} 一起继续"
    ),
    "this run was begun with a secret in its options or its system prompt, which is not kept, so it can't go on: stop "
    "it, and send its prompt again": (
        "此运行开始时，其选项或系统提示中含有密钥；密钥不会保存，因此它无法继续：请停止它，并重新发送提示"
    ),
    "this run was begun with the settings of its folder, which is not trusted any more: look at what has changed, run "
    "`toolpost trust`, and then go on with it": (
        "此运行开始时使用了其文件夹的设置，而该文件夹已不再受信任：查看改动，运行 `toolpost trust`，然后再继续"
    ),
    "no run of this project was interrupted: toolpost sessions lists its sessions": (
        "此项目没有被中断的运行；列出会话：toolpost sessions"
    ),
    'session {session} has no open run: continue with toolpost run -s {again} "…"': (
        '会话 {session} 没有未结束的运行；继续：toolpost run -s {again} "…"'
    ),
    "the run of session {session} belongs to a server: it goes on there, or on its page": (
        "会话 {session} 的运行属于服务器，在服务器或其网页上继续"
    ),
    "this run waits for a person: --resume on a terminal asks, or toolpost chat -s {session}": (
        "此运行在等待回答：在终端里用 --resume 回答，或用 toolpost chat -s {session}"
    ),
    "stopped; the session is saved and you can go on": "已停止；会话已保存，可以继续",
    "cannot write the answer: {reason}": "无法写出回答：{reason}",
    'continue with: toolpost run -s {session} "…"': '继续：toolpost run -s {session} "…"',
    "continue with: toolpost chat -s {session}": "继续：toolpost chat -s {session}",
    "/help lists the commands, Ctrl-D quits": "/help 列出命令，Ctrl-D 退出",
    "Ctrl-D or /exit quits, /help lists the commands": "Ctrl-D 或 /exit 退出，/help 列出命令",
    "unknown command /{name}: did you mean /{likely}?": "未知命令 /{name}：是否想用 /{likely}？",
    "unknown command /{name}: /help lists them": "未知命令 /{name}：/help 列出所有命令",
    "(no title)": "（无标题）",
    "{title} · {count} message[s]": "{title} · {count} 条消息",
    # What a run took.
    "{count} token[s] ({input} in, {output} out)": "{count} token（输入 {input}，输出 {output}）",
    "{count} token[s] ({input} in, {cached} cached, {output} out)": (
        "{count} token（输入 {input}，缓存 {cached}，输出 {output}）"
    ),
    "{tokens} · {cost} · {count} step[s] · {time}": "{tokens} · {cost} · {count} 步 · {time}",
    "{tokens} · {count} step[s] · {time}": "{tokens} · {count} 步 · {time}",
    # While it runs.
    "retrying in {seconds} s (attempt {number}): {reason}": "{seconds} 秒后重试（第 {number} 次）：{reason}",
    "the answer was cut off; it starts again below": "回答中断；下面重新开始",
    "summarising it": "正在总结对话",
    "the conversation is long: summarising it": "对话较长：正在总结",
    "cannot summarise the conversation: {reason}": "无法总结对话：{reason}",
    "cannot save a file from the model ({kind}): {reason}": "无法保存模型生成的文件（{kind}）：{reason}",
    "waiting for standard input; add < /dev/null if there is none": "正在等待标准输入；如果没有输入，请加 < /dev/null",
    # Approvals.
    "Allow": "允许",
    "  for the sub-agent {name}": "  来自子智能体 {name}",
    " of the sub-agent {name}": "（来自子智能体 {name}）",
    "… {count} more line[s]": "… 还有 {count} 行",
    "  {lines}: v shows all": "  {lines}：按 v 查看全部",
    "once": "仅此一次",
    "always in this project: {rules}": "在此项目中始终允许：{rules}",
    "reject and stop": "拒绝并停止",
    "view all": "查看全部",
    "  or type what the model should do instead": "  或者写出模型应该怎么做",
    "for {pattern}": "对象：{pattern}",
    "changed: {text}": "有改动：{text}",
    # Questions of the model.
    "Question": "问题",
    "  {how}; Ctrl-D to decline and stop": "  {how}；按 Ctrl-D 拒绝并停止",
    "type your answer": "请输入回答",
    "numbers such as 1,3, or other text": "输入编号（如 1,3）或其他文字",
    "a number, or other text": "输入编号或其他文字",
    # A folder that is not trusted.
    "{folder} is not trusted: {files}. Nothing of it is used until you run: toolpost trust": (
        "{folder} 未受信任：{files}。在你运行 `toolpost trust` 之前，不会使用其中的任何内容"
    ),
    "{folder} changed since you trusted it: {files}. Nothing of it is used until you run: toolpost trust": (
        "{folder} 在你信任之后有改动：{files}。在你运行 `toolpost trust` 之前，不会使用其中的任何内容"
    ),
    "{files} and {count} more": "{files} 等，另有 {count} 个",
    "not offered: {names}; each of them needs packages that are not installed: {command}": (
        "未提供：{names}；它们需要尚未安装的包：{command}"
    ),
}
