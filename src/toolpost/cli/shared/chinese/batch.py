"""What `toolpost batch` says."""

BATCH = {
    "--name must have 1 to {count} characters": "--name 必须有 1 到 {count} 个字符",
    "{path} holds the items: give another --output": "{path} 是任务文件：请另给一个 --output",
    "the id {id} is that of line {line} too: give each item its own": ("id {id} 与第 {line} 行相同：请给每项各自的 id"),
    "{problem}; to go on: {command}, or with --here to run the items in this process": (
        "{problem}；继续：{command}，或加 --here 在此进程中运行"
    ),
    "{command} without --detach": "{command}，不带 --detach",
    "with the engine: {count} run[s]; to collect the results: {command}": (
        "引擎中有 {count} 个运行；收取结果：{command}"
    ),
    "{problem}; to go on: {command}": "{problem}；继续：{command}",
    "{count} item[s] failed; to run them again: {command} with --retry-failed": (
        "{count} 项失败；重新运行：{command}，加 --retry-failed"
    ),
    "calls were denied because no person could approve them. To allow them: {flags}": (
        "无人可批准，调用已被拒绝。要允许它们：{flags}"
    ),
    "{count} item[s] could not be run to the end; to go on: {command}": "{count} 项未能运行完；继续：{command}",
    "stopped, because a run could not be stored": "已停止：有运行无法保存",
    "stopped, because {count} items failed one after the other: {problem}": "已停止：连续 {count} 项失败：{problem}",
    "stopped, because {count} item[s] failed": "已停止：{count} 项失败",
    "stopped, because --max-total-cost was reached; raise it": "已停止：达到 --max-total-cost；请调高它",
    "cannot write the results: {problem}; to go on: {command}": "无法写入结果：{problem}；继续：{command}",
    "the same command with --name {name}": "同一命令，加 --name {name}",
    "the same command": "同一命令",
    "--max-total-cost is set, but the price of {model} is not known: use --max-tokens instead": (
        "设置了 --max-total-cost，但不知道 {model} 的价格：请改用 --max-tokens"
    ),
    "--detach needs an engine: give --engine temporal://…, or set `url` in [engine]": (
        "--detach 需要引擎：请给 --engine temporal://…，或在 [engine] 中设置 `url`"
    ),
    "--tools, --allow and --deny hold in this process only, and an engine has others drive the runs: put them into the "
    "folder's configuration, or give --here": (
        "--tools、--allow 和 --deny 只在此进程中有效，而引擎让其他进程执行运行：请写入文件夹的配置，或加 --here"
    ),
    "an engine needs a store that others can read: set `store`, or give --here": (
        "引擎需要其他进程可读的存储：请设置 `store`，或加 --here"
    ),
    "{path} holds secrets: --files names the folder that the files of items are in": (
        "{path} 含有密钥：--files 指定各项的文件所在的文件夹"
    ),
    "{path} is not in {folder}: --files names the folder that the files of items are in": (
        "{path} 不在 {folder} 中：--files 指定各项的文件所在的文件夹"
    ),
    "{file}, line {line}: it is too long: the limit is {count} bytes": "{file} 第 {line} 行：太长，最多 {count} 字节",
    "it is too long: the limit is {count} bytes": "太长，最多 {count} 字节",
    "{file}, line {line}: {problem}": "{file} 第 {line} 行：{problem}",
    '"id" must have 1 to {count} characters': '"id" 必须有 1 到 {count} 个字符',
    "cannot read {file}: {problem}; - reads standard input": "无法读取 {file}：{problem}；- 表示标准输入",
    "standard input is a terminal: pipe JSON lines in, or give a file": (
        "标准输入是终端：请用管道送入 JSON 行，或给一个文件"
    ),
    'it must be a text in quotes, or an object with "prompt"': '必须是带引号的文本，或含 "prompt" 的对象',
    'it is not JSON ({problem}): write a text in quotes, or an object with "prompt"': (
        '不是 JSON（{problem}）：请写带引号的文本，或含 "prompt" 的对象'
    ),
    "{done} of {count} item[s] are done already": "{count} 项中已完成 {done} 项",
    "item {item} tries again in {seconds} s: {problem}": "第 {item} 项将在 {seconds} 秒后重试：{problem}",
    "cannot write to {file}: {problem}; all that has run is stored, and the same command writes it": (
        "无法写入 {file}：{problem}；已运行的都已保存，同一命令会写出它们"
    ),
    "{file}, line {line} is no result of a batch; give another --output, or the --name that this file was begun with": (
        "{file} 第 {line} 行不是批处理的结果；请另给一个 --output，或给此文件开始时的 --name"
    ),
    "{file}, line {line} is no result of a batch: {problem}; give another --output, or the --name that this file was "
    "begun with": "{file} 第 {line} 行不是批处理的结果：{problem}；请另给一个 --output，或给此文件开始时的 --name",
    "{file}, line {line} is a result of another batch; give another --output, or the --name that this file was begun "
    "with": "{file} 第 {line} 行是另一批处理的结果；请另给一个 --output，或给此文件开始时的 --name",
    "{file} is not a file: give another --output, or none to have the results on stdout": (
        "{file} 不是文件：请另给一个 --output，或不给，使结果写到标准输出"
    ),
    "cannot write to {file}: {problem}; give another --output": "无法写入 {file}：{problem}；请另给一个 --output",
    "another batch writes to {file}: wait until it has ended": "另一批处理正在写入 {file}：请等它结束",
    "the agent {agent} of the run of item {item} is gone: --agent names another one": (
        "第 {item} 项运行的智能体 {agent} 已不存在：用 --agent 指定另一个"
    ),
    "{file} is a link, and results are not written through one: give the file's own path": (
        "{file} 是链接，结果不会通过链接写入：请给出文件本身的路径"
    ),
}
