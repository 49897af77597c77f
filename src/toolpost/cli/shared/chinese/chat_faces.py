"""Texts of the chat in the terminal: its `/` commands, what it tells of sessions and runs, errors of its control."""

CHAT_FACES = {
    # Sessions and runs.
    "another process drives the run of this session: what it does is shown here, and it is stopped there": (
        "另一个进程在执行此会话的运行：这里显示其进展，请在那里停止它"
    ),
    "something runs in this session: wait until it has ended, or stop it, before you {what}": (
        "此会话中有任务在运行：请等它结束或停止它，然后再{what}"
    ),
    "start another one": "开始新的运行",
    "change the model or the agent": "更换模型或代理",
    "undo a prompt": "撤销提示",
    "undo changes of files": "撤销文件改动",
    "redo changes of files": "重做文件改动",
    "something runs: wait until it has ended, or stop it": "有任务在运行：请等它结束，或停止它",
    "there is no tool bash here, which runs commands": "这里没有运行命令的工具 bash",
    "the session “{title}” waits for your answer": "会话“{title}”在等你回答",
    "the run of the session “{title}” has ended": "会话“{title}”的运行已结束",
    "the session is still being opened: try again": "会话仍在打开：请重试",
    "nothing was said in this session yet": "此会话还没有内容",
    "this session runs: stop it before you delete it": "此会话正在运行：请先停止再删除",
    "there is nothing to retry": "没有可重试的内容",
    "there is nothing to fork yet": "还没有可复制的内容",
    "nothing was changed: {reason}": "未做任何改动：{reason}",
    "nothing can be undone": "没有可以撤销的内容",
    "nothing can be redone": "没有可以重做的内容",
    "undone: {names}": "已撤销：{names}",
    "redone: {names}": "已重做：{names}",
    "not undone: {names}": "未撤销：{names}",
    "not redone: {names}": "未重做：{names}",
    # What is typed.
    "working": "正在运行",
    "done": "完成",
    "{line} waits until the run has ended": "{line} 等到运行结束后执行",
    "the model reads this at its next step": "模型在下一步读到它",
    "this waits until the run has ended": "它等到运行结束后执行",
    "the prompt was: {text}": "原提示是：{text}",
    "more than {count} message[s]": "多于 {count} 条消息",
    "{title} · more than {count} message[s]": "{title} · 多于 {count} 条消息",
    "cut off at its greatest length": "在最大长度处被截断",
    # The commands.
    "  agent    {name}, mode {mode}": "  代理     {name}，模式 {mode}",
    "  spent    {tokens}, cost {cost}": "  已用     {tokens}，费用 {cost}",
    "  !COMMAND runs a command, @ completes files; what is typed while a run goes on waits": (
        "  !命令 运行命令，@ 补全文件；运行期间输入的内容会等待"
    ),
    "Enter sends, Alt+Enter adds a line, Ctrl-C stops a run, Ctrl-D quits": (
        "Enter 发送，Alt+Enter 换行，Ctrl-C 停止运行，Ctrl-D 退出"
    ),
    "Enter sends, a backslash before it adds a line, Ctrl-C stops a run, Ctrl-D quits": (
        "Enter 发送，行末加反斜杠换行，Ctrl-C 停止运行，Ctrl-D 退出"
    ),
    "{model}; to change it: /model provider/model": "{model}；更换：/model 提供商/模型",
    "the model is now {model}": "现在的模型是 {model}",
    "the model is now {model}, variant {variant}": "现在的模型是 {model}，变体 {variant}",
    "/variant NAME selects one, /variant none clears it": "/variant 名称 选择，/variant none 清除",
    "this model has no variants": "此模型没有变体",
    "the variant of {model} is now {variant}": "{model} 的变体现在是 {variant}",
    "/agent NAME selects another": "/agent 名称 选择另一个",
    "the agent is now {name}": "现在的代理是 {name}",
    "the agent is now {name}, which is read-only": "现在的代理是 {name}（只读）",
    "/mode NAME selects another": "/mode 名称 选择另一个",
    "there is no mode {name}: choose ask, edits or plan": "没有模式 {name}：请选 ask、edits 或 plan",
    "the mode is now {name}: {about}": "现在的模式是 {name}：{about}",
    "asks before files are changed and commands are run, as the rules say": "按规则，改动文件和运行命令前先询问",
    "changes files of the project without asking; everything else is asked for": "改动项目文件不询问；其他都询问",
    "the read-only agent plans and changes nothing": "只读代理做计划，不做改动",
    "/sessions NUMBER continues one": "/sessions 编号 继续其中一个",
    "no sessions here yet": "这里还没有会话",
    "your next prompt starts a new session": "下一个提示会开始新会话",
    "this is now a copy, {session}; the original session is unchanged": "现在是副本 {session}；原会话不变",
    "there is nothing to undo": "没有可撤销的内容",
    "the last prompt and its answer are undone": "最后一个提示及其回答已撤销",
    "files are unchanged: {reason}": "文件未改动：{reason}",
    "cannot be undone: {names}": "无法撤销：{names}",
    "undo these file changes too? [y/N] ": "也撤销这些文件改动吗？[y/N] ",
    "undo these file changes too?": "也撤销这些文件改动吗？",
    "these file changes are undone": "这些文件改动已撤销",
    "the file changes are undone": "文件改动已撤销",
    "this session has changed no files": "此会话没有改动文件",
    "summarised: {tokens} in use now": "已总结：现在使用 {tokens}",
    "there is nothing to summarise yet": "还没有可总结的内容",
    "to give the session a title: /rename TITLE": "给会话命名：/rename 标题",
    "the title is now {title}": "现在的标题是 {title}",
    "there is no answer to copy yet": "还没有可复制的回答",
    "plain mode sends nothing but text to the terminal: use /export FILE instead": (
        "纯文本模式只向终端发送文字：请用 /export 文件"
    ),
    "the last answer was sent to the clipboard of the terminal": "最后的回答已发送到终端的剪贴板",
    "{path} cannot be written: {reason}": "无法写入 {path}：{reason}",
    "the session is in {path}": "会话已写入 {path}",
    "no tools here: use --tools FILE.py, or put a file into .toolpost/tools/": (
        "这里没有工具：用 --tools 文件.py，或把文件放入 .toolpost/tools/"
    ),
    "no MCP servers here; to add one: toolpost mcp add": "这里没有 MCP 服务器；添加：toolpost mcp add",
    "no background jobs in this session": "此会话没有后台任务",
    "this is {face}; to change it: /tui full, /tui inline or /tui plain": (
        "现在是 {face}；更换：/tui full、/tui inline 或 /tui plain"
    ),
    "show the model, or change it: /model provider/model": "显示模型，或更换：/model 提供商/模型",
    "list the variants of the model, or select one: /variant high": "列出模型的变体，或选择：/variant high",
    "list the agents, or select one: /agent plan": "列出代理，或选择：/agent plan",
    "show what is asked for, or change it: /mode ask, edits or plan": "显示询问模式，或更换：/mode ask、edits 或 plan",
    "list the sessions of this project, or continue one: /sessions 2; /sessions all": (
        "列出此项目的会话，或继续：/sessions 2；/sessions all"
    ),
    "start a new session": "开始新会话",
    "copy this session and continue in the copy": "复制此会话，在副本中继续",
    "undo the last prompt, to change it": "撤销最后一个提示，以便修改",
    "redo the file changes that were undone last": "重做最近撤销的文件改动",
    "show what this session changed in files": "显示此会话对文件的改动",
    "answer the last prompt again": "重新回答最后一个提示",
    "go on with a run that was interrupted": "继续被中断的运行",
    "summarise the conversation so far": "总结到目前为止的对话",
    "give the session another title": "给会话换个标题",
    "copy the last answer": "复制最后的回答",
    "show the session as Markdown, or write it: /export FILE": "以 Markdown 显示会话，或写入文件：/export 文件",
    "list the tools": "列出工具",
    "show the state of the MCP servers": "显示 MCP 服务器的状态",
    "list the background jobs of this session": "列出此会话的后台任务",
    "show tokens, cost and how full the context is": "显示 token、费用和上下文占用",
    "change to another face: /tui full, inline or plain": "更换界面：/tui full、inline 或 plain",
    "show this list": "显示此列表",
    "quit": "退出",
}
