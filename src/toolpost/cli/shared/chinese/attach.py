"""Texts of `toolpost attach`: the connection to a server, and what it lacks."""

ATTACH = {
    "Token of the server (not shown): ": "服务器的令牌（不显示）：",
    "a token is needed: set {variable}, or name another variable with --token-env": (
        "需要令牌：设置 {variable}，或用 --token-env 指定另一个变量"
    ),
    "{url} is no address of a server: give one such as https://host or 127.0.0.1:8642": (
        "{url} 不是服务器的地址：请写成 https://host 或 127.0.0.1:8642 这样"
    ),
    "leave user and password out of the address: the token says who you are": (
        "地址里不要写用户名和密码：令牌已说明你是谁"
    ),
    "the token would go to {place} in plain text, where others can read it: use https://, a tunnel "
    "(ssh -L 8642:127.0.0.1:8642 {host}), or --insecure on a network that you trust": (
        "令牌会以明文发往 {place}，别人可以读到：请用 https://、隧道（ssh -L 8642:127.0.0.1:8642 {host}），"
        "或在可信的网络里加 --insecure"
    ),
    "the connection to {url} was lost; trying again": "与 {url} 的连接断开，正在重试",
    "the connection to {url} is back": "与 {url} 的连接已恢复",
    "what happens in this session is not shown any more: {reason}": "此会话之后发生的事不再显示：{reason}",
    "the answer of {url} is larger than {size} bytes": "{url} 的回答超过 {size} 字节",
    "{url} does not accept the token: set {variable} to yours, or name another variable with --token-env": (
        "{url} 不接受这个令牌：把 {variable} 设为你的令牌，或用 --token-env 指定另一个变量"
    ),
    "{url} leads to {place}: attach to that address": "{url} 转到 {place}：请用那个地址",
    "another address": "另一个地址",
    "{url} does not have what this needs: it is no `toolpost serve`, or an older one: update Toolpost there": (
        "{url} 没有所需的接口：它不是 `toolpost serve`，或者版本较旧：请在那里更新 Toolpost"
    ),
    "{url} answered with the status {status}": "{url} 返回状态 {status}",
    "{url} does not answer as a `toolpost serve` of this version does ({reason}): is it the right address, and is "
    "Toolpost up to date there and here?": (
        "{url} 的回答与此版本的 `toolpost serve` 不符（{reason}）：地址对吗？两边的 Toolpost 都是最新版吗？"
    ),
    "there is nothing to retry": "没有可以重试的内容",
    "there is nothing to fork yet": "还没有可以复制的内容",
    "nothing was said in this session yet": "此会话还没有内容",
    "a server runs no commands of yours: ask the agent to run this one": "服务器不运行你的命令：请让智能体运行它",
    "this server offers you no agent {agent}: /agent lists those that it has": (
        "此服务器没有给你智能体 {agent}：/agent 列出它有的智能体"
    ),
    "{count} sessions begin with {id}: give more of the id": "有 {count} 个会话以 {id} 开头：请多写几位",
    "nothing can be undone": "没有可以撤销的改动",
    "nothing can be redone": "没有可以重做的改动",
    "nothing was undone": "没有撤销任何改动",
    "nothing was redone": "没有重做任何改动",
    "nothing was undone; not undone: {names}": "没有撤销任何改动；未撤销：{names}",
    "nothing was redone; not redone: {names}": "没有重做任何改动；未重做：{names}",
    "undone: {paths}": "已撤销：{paths}",
    "redone: {paths}": "已重做：{paths}",
    "undone: {paths}; not undone: {names}": "已撤销：{paths}；未撤销：{names}",
    "redone: {paths}; not redone: {names}": "已重做：{paths}；未重做：{names}",
    "continue with: toolpost attach {url} -s {session}": "继续：toolpost attach {url} -s {session}",
    "the tools are those of the server": "工具由服务器提供",
}
