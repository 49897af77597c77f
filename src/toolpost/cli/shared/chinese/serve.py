"""What `toolpost serve` and `toolpost worker` say when they have started."""

SERVE = {
    "serving {model} on {url}": "已启动：{url}，模型 {model}",
    "  Chat:       {page}": "  聊天：      {page}",
    "  agent:      {agent}": "  智能体：    {agent}",
    "  runs:       wait for a `toolpost worker` with this store and engine; --drive runs them here, too": (
        "  运行：      由使用同一存储和引擎的 `toolpost worker` 执行；加 --drive 则也在这里执行"
    ),
    "  users:      {count} ({names})": "  用户：      {count}（{names}）",
    "a worker needs the store of those who submit runs: set `store`, or give --store": (
        "worker 需要和提交运行的一方相同的存储：设置 `store`，或用 --store"
    ),
    "driving runs of {queue} ({place}), {count} at once": "正在执行 {queue} 的运行（{place}），同时最多 {count} 个",
    "  First start: make the first admin within a day: {link}": (
        "  第一次启动：请在一天内打开此链接，创建管理员：{link}"
    ),
}
