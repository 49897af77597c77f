"""Files and folders: listing, reading, searching, moving, deleting, checking."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf
from training.data.wordings import FILE_NAME, FOLDER, PATH, composed, pool

ENDING = Choice(
    {
        "py": ((".py", "Python"), (".py", "Python")),
        "md": ((".md", "Markdown"), (".md", "Markdown")),
        "csv": ((".csv", "CSV"), (".csv", "CSV")),
        "log": ((".log", "log"), (".log", "日志")),
        "json": ((".json", "JSON"), (".json", "JSON")),
        "pdf": ((".pdf", "PDF"), (".pdf", "PDF")),
    },
    ({"py": ".py", "md": ".md", "csv": ".csv", "log": ".log", "json": ".json", "pdf": ".pdf"},),
)
ORDER = Choice(
    {
        "name": (("by name", "in alphabetical order"), ("按名称", "按文件名")),
        "size": (("by size",), ("按大小",)),
        "modified": (("by date of change", "by when they were changed"), ("按修改时间", "按修改日期")),
    },
    ({"name": "NAME", "size": "SIZE", "modified": "MTIME"}, {"modified": "date"}),
)
ALGORITHM = Choice(
    {
        "sha256": (("SHA-256", "sha256"), ("SHA-256", "sha256")),
        "md5": (("MD5", "md5"), ("MD5", "md5")),
        "sha1": (("SHA-1", "sha1"), ("SHA-1", "sha1")),
        "sha512": (("SHA-512", "sha512"), ("SHA-512", "sha512")),
    },
    ({"sha256": "SHA-256", "md5": "MD5", "sha1": "SHA-1", "sha512": "SHA-512"},),
)
NEEDLE = composed(
    ("{noun}", "{noun}_{verb}", "def {verb}_{noun}", "{noun} not found", "{verb} the {noun}", "{noun}.{verb}("),
    ("{noun}", "{noun}_{verb}", "{verb}_{noun}", "找不到{noun}", "def {verb}_{noun}"),
    {
        "noun": pool("user | invoice | token | session | timeout | password | cache | order | TODO | customer | retry"),
        "verb": pool("load | parse | send | delete | check | update | render | open | merge | close"),
    },
    quoted=0.6,
)
LINE = composed(
    ("{who} will {do} {when}", "call {who} {when}", "{do} before {when}", "ask {who} to {do}"),
    ("{when}让{who}{do}", "给{who}打电话", "{when}之前{do}", "{who}负责{do}"),
    {
        "who": pool("Nina | the landlord | Omar | the printer | Mr Falk | the team | Grandma"),
        "do": pool(
            """sign the lease | order more paper | check the heating | book the hall | send the photos
            pay the rent"""
        ),
        "when": pool("Monday | next week | the holidays | lunch | the end of May"),
    },
    {
        "who": pool("小林 | 房东 | 王工 | 打印店 | 项目组 | 外婆"),
        "do": pool("签合同 | 买打印纸 | 检查暖气 | 订会场 | 发照片 | 交房租"),
        "when": pool("周一 | 下周 | 放假 | 午饭 | 五月底"),
    },
    quoted=0.8,
)

LIST = Family(
    key="files.list_folder",
    names=("list_folder", "list_directory", "show_files", "dir_contents", "ls"),
    about=(
        "List the files in a folder.",
        "Shows what a directory holds; does not read the files.",
        "Directory listing",
    ),
    about_zh=("列出文件夹里的文件。", "查看目录内容，不读取文件。"),
    params=(
        Param(
            "folder", FOLDER, ("path", "folder", "directory", "dir"), ("Folder to list", "e.g. src"), ("文件夹路径",)
        ),
        Param("ending", ENDING, ("extension", "file_type", "suffix"), ("Only this type",), ("文件类型",), False),
        Param("order", ORDER, ("sort_by", "order"), ("Order of the list",), ("排序方式",), False),
        Param("hidden", Flag(), ("show_hidden", "include_hidden"), ("Hidden files too",), ("是否含隐藏文件",), False),
    ),
    asks=(
        "What's in {folder}?",
        "list the files in {folder}[, sorted {order}]",
        "Show me everything under {folder}[ {order}].",
        "which {ending} files are there in {folder}",
        Ask("show all files of {folder}, hidden ones too[, {order}]", {"hidden": True}),
        "I've forgotten what I put into {folder}. Can you have a look?",
        "are there any {ending} files in {folder}?",
        "ls {folder}",
        "contents of {folder}[, only {ending} files][, {order}] please",
        "Somebody tidied up {folder}; what is left in there?",
        "could you tell me what the folder {folder} contains",
        Ask("I can't see my dotfiles in {folder}, list those as well", {"hidden": True}),
    ),
    asks_zh=(
        "{folder}里有什么？",
        "列出{folder}下的文件[，{order}排序]",
        "{folder}里有哪些{ending}文件",
        Ask("把{folder}的文件都列出来，隐藏的也要", {"hidden": True}),
        "看看{folder}文件夹[，{order}排]",
        "忘了{folder}里放了啥，帮我看一眼",
        "查看目录{folder}[，只看{ending}文件]",
        "{folder}底下还剩哪些文件？",
    ),
    outcomes=(
        Outcome(
            fields=(("files", ListOf(FILE_NAME, 2, 5)),),
            texts=("{files}",),
            texts_zh=("{files}",),
            answers=("In {folder} there are {files}.", "It holds {files}.", "I see {files}."),
            answers_zh=("{folder}里有{files}。", "有这些文件：{files}。", "里面是{files}。"),
        ),
    ),
    missing=(
        Missing(
            key="folder",
            asks=("List the files.", "Show me what's in the folder.", "which files are in there"),
            replies=("Of which folder?", "Which folder should I list?"),
            asks_zh=("列出文件。", "看看文件夹里有什么"),
            replies_zh=("请问是哪个文件夹？", "要看哪个目录？"),
        ),
    ),
    errors=("no such directory", "permission denied"),
)

READ = Family(
    key="files.read",
    names=("read_text_file", "open_file", "view_file", "cat_file", "show_file_text"),
    about=(
        "Read a file.",
        "Returns the text of a file, or some lines of it.",
        "Shows what stands in one file. To look through many, search.",
    ),
    about_zh=("读取文件内容。", "返回文件的全文或若干行。"),
    params=(
        Param("path", PATH, ("path", "file", "filename", "file_path"), ("File to read",), ("文件路径",)),
        Param("first", Integer(1, 80), ("start_line", "from_line"), ("First line",), ("起始行",), False),
        Param("last", Integer(81, 400), ("end_line", "to_line"), ("Last line",), ("结束行",), False),
    ),
    asks=(
        "Open {path}.",
        "what does {path} say",
        "show me {path}[ from line {first} to line {last}]",
        "read lines {first} to {last} of {path}",
        "I need to see what's written in {path}.",
        "cat {path}",
        "There's something odd in {path} between lines {first} and {last}, let me see it.",
        "can you print {path} here",
        "Let's have a look at {path}[, lines {first} through {last}].",
        "my colleague says everything is explained in {path}. what's in it?",
        "display {path}[ up to line {last}]",
    ),
    asks_zh=(
        "打开{path}看看。",
        "{path}里写了什么？",
        "读一下{path}[，第{first}行到第{last}行]",
        "{path}的第{first}到{last}行",
        "同事说答案在{path}里，内容是什么",
        "把{path}的内容显示出来",
        "看看{path}[，看到第{last}行就行]",
        "cat {path}",
    ),
    outcomes=(
        Outcome(
            fields=(("text", LINE),),
            texts=("{text}",),
            texts_zh=("{text}",),
            answers=("It says: {text}", "{path} reads: {text}"),
            answers_zh=("内容是：{text}", "{path}里写着：{text}"),
        ),
    ),
    missing=(
        Missing(
            key="path",
            asks=("Read the file to me.", "open that file", "Show me lines {first} to {last}."),
            replies=("Which file?", "Which file should I open?"),
            asks_zh=("打开文件。", "看一下第{first}到{last}行"),
            replies_zh=("请问是哪个文件？", "要打开哪个文件？"),
        ),
    ),
    errors=("file not found", "the file is not text"),
)

SEARCH = Family(
    key="files.search",
    names=("search_in_files", "grep_files", "find_text", "full_text_search", "look_for_text"),
    about=(
        "Search for a text in files.",
        "Finds the lines that contain some words, in a folder.",
        "Text search over files, like grep. Not for finding files by their name.",
    ),
    about_zh=("在文件中搜索文本。", "查找包含某段文字的行。"),
    params=(
        Param("text", NEEDLE, ("text", "pattern", "needle", "search_for"), ("Text to find",), ("要找的文字",)),
        Param("folder", FOLDER, ("folder", "path", "where"), ("Where to look",), ("搜索范围",), False),
        Param("ending", ENDING, ("extension", "file_type"), ("Only in this type",), ("文件类型",), False),
        Param("fold", Flag(), ("ignore_case", "case_insensitive"), ("Capitals don't matter",), ("忽略大小写",), False),
    ),
    asks=(
        "Where do we use {text}[ in {folder}]?",
        "search for {text}[ in {folder}][, only in {ending} files]",
        "which files mention {text}[ under {folder}]",
        "grep {text} in {folder}",
        Ask("find {text}[ in {folder}], no matter if upper or lower case", {"fold": True}),
        "I know I wrote {text} somewhere[ in {folder}]. Where was it?",
        "look through the {ending} files[ in {folder}] for {text}",
        "Does {text} still occur anywhere[ in {folder}]?",
        "find every line with {text}[, {ending} files only]",
        Ask("search {text}, ignore case", {"fold": True}),
        "who still calls {text}? look in {folder} please",
    ),
    asks_zh=(
        "[在{folder}里]搜一下{text}",
        "哪些文件里有{text}[，只看{ending}文件]？",
        "我记得写过{text}，[在{folder}里]找找",
        Ask("查找{text}，不区分大小写", {"fold": True}),
        "{text}在哪儿用到了[，范围{folder}]",
        "在{ending}文件中搜索{text}",
        "看看{folder}里还有没有{text}",
        "全文检索{text}[，目录{folder}]",
    ),
    outcomes=(
        Outcome(
            fields=(("file", FILE_NAME), ("line", Integer(12, 400)), ("matches", Integer(2, 40))),
            texts=("{matches} matches, first: {file}:{line}",),
            texts_zh=("{matches}处匹配，第一处：{file}:{line}",),
            answers=("{matches} matches; the first is in {file}, line {line}.", "First seen in {file} at line {line}."),
            answers_zh=("共{matches}处，第一处在{file}第{line}行。", "最先出现在{file}第{line}行。"),
        ),
    ),
    missing=(
        Missing(
            key="text",
            asks=("Search the files in {folder}.", "can you look for something in {folder}?"),
            replies=("Which text should I look for?", "What should I search for in {folder}?"),
            asks_zh=("在{folder}里搜索一下。", "帮我在{folder}里找点东西"),
            replies_zh=("请问要找什么文字？", "要搜索的内容是什么？"),
        ),
    ),
)

RENAME = Family(
    key="files.rename",
    names=("rename_file", "change_file_name", "set_filename", "rename"),
    about=(
        "Rename a file.",
        "Gives a file a new name in the same folder. Use another tool to move it.",
        "New name for a file",
    ),
    about_zh=("重命名文件。", "给文件改名，不移动位置。"),
    params=(
        Param("path", PATH, ("path", "file", "old_name", "current_name"), ("The file",), ("原文件",)),
        Param("name", FILE_NAME, ("new_name", "to", "name"), ("Its new name",), ("新名称",)),
    ),
    asks=(
        "Rename {path} to {name}.",
        "call {path} {name} from now on",
        "{path} should be called {name}",
        "change the name of {path} to {name} please",
        "The name {path} is confusing; make it {name}.",
        "I'd like the file {path} to have the name {name} instead.",
        "could you give {path} a better name, namely {name}?",
        "new name for {path}: {name}",
        "{name} is what {path} ought to be named, please fix that",
        "whoever named this {path} was drunk, {name} is what it should be",
    ),
    asks_zh=(
        "把{path}改名为{name}。",
        "{path}重命名成{name}",
        "{path}这个名字不好懂，改成{name}",
        "文件{path}以后叫{name}",
        "给{path}换个名字：{name}",
        "将{path}更名为{name}，谢谢",
        "{path}的文件名改一下，新名字{name}",
        "{path}名字起得太随便，叫{name}",
    ),
    outcomes=(
        Outcome(
            fields=(("renamed", Choice({"yes": (("yes",), ("是",))})),),
            texts=("renamed", "ok"),
            texts_zh=("已重命名",),
            answers=("Done, it is now called {name}.", "{path} is now {name}.", "Renamed to {name}."),
            answers_zh=("好了，现在叫{name}。", "{path}已改名为{name}。", "已重命名为{name}。"),
        ),
    ),
    missing=(
        Missing(
            key="name",
            asks=("Rename {path}.", "{path} needs another name."),
            replies=("What should {path} be called?", "What is the new name?"),
            asks_zh=("给{path}改个名。", "重命名{path}"),
            replies_zh=("请问要改成什么名字？", "新名字是什么？"),
        ),
        Missing(
            key="path",
            asks=("Rename a file to {name}.", "I want the file to be called {name}."),
            replies=("Which file should be renamed?", "Which file do you mean?"),
            asks_zh=("把文件改名成{name}。", "有个文件要改叫{name}"),
            replies_zh=("请问是哪个文件？", "要给哪个文件改名？"),
        ),
    ),
    errors=("a file of that name exists", "file not found"),
)

MOVE = Family(
    key="files.move",
    names=("move_files", "relocate_files", "put_into_folder", "transfer_files"),
    about=(
        "Move files into a folder.",
        "Takes one or more files to another place. Names stay as they are.",
        "Files to another folder",
    ),
    about_zh=("把文件移动到某个文件夹。", "移动一个或多个文件，文件名不变。"),
    params=(
        Param("files", ListOf(PATH, 1, 4), ("files", "paths", "sources"), ("Files to move",), ("要移动的文件",)),
        Param("folder", FOLDER, ("target_folder", "destination", "to_folder"), ("Where to",), ("目标文件夹",)),
        Param("replace", Flag(), ("overwrite", "replace_existing"), ("Replace what is there",), ("是否覆盖",), False),
    ),
    asks=(
        "Move {files} to {folder}.",
        "put {files} into {folder}",
        "{folder} is the right place for {files}",
        "could you shift {files} over to {folder}?",
        Ask("move {files} into {folder} and overwrite what is there", {"replace": True}),
        "My desktop is a mess. Get {files} into {folder} for me.",
        "I want {files} in {folder}, not where I left that",
        "into {folder} with {files}, please",
        Ask("take {files} to {folder}, but don't overwrite anything", {"replace": False}),
        "tidy up: {files} to {folder}",
    ),
    asks_zh=(
        "把{files}移到{folder}。",
        "{files}放进{folder}里",
        "桌面太乱了，把{files}挪到{folder}",
        Ask("将{files}移动到{folder}，同名的直接覆盖", {"replace": True}),
        "{files}应该放在{folder}，帮我搬过去",
        Ask("把{files}移进{folder}，不要覆盖已有文件", {"replace": False}),
        "麻烦将{files}转移至{folder}",
        "收拾一下，{files}归到{folder}",
    ),
    outcomes=(
        Outcome(
            fields=(("moved", Choice({"ok": (("ok",), ("完成",))})),),
            texts=("moved",),
            texts_zh=("已移动",),
            answers=("Done, it is all in {folder} now.", "I moved {files} to {folder}."),
            answers_zh=("已移到{folder}。", "{files}已经放到{folder}了。"),
        ),
    ),
    missing=(
        Missing(
            key="folder",
            asks=("Move {files}, please.", "{files} should go somewhere else."),
            replies=("Into which folder?", "Where should I move it?"),
            asks_zh=("把{files}移走。", "{files}换个位置放"),
            replies_zh=("请问移到哪个文件夹？", "要放到哪里？"),
        ),
    ),
)

DELETE = Family(
    key="files.delete",
    names=("delete_files", "remove_files", "trash_files", "erase_files"),
    about=(
        "Delete files.",
        "Removes files for good, or puts them into the trash.",
        "Deletion; cannot be undone unless trashed.",
    ),
    about_zh=("删除文件。", "彻底删除文件或移入回收站。"),
    params=(
        Param("files", ListOf(PATH, 1, 4), ("files", "paths", "targets"), ("Files to delete",), ("要删除的文件",)),
        Param("trash", Flag(), ("to_trash", "use_trash"), ("Only into the trash",), ("是否放入回收站",), False),
    ),
    asks=(
        "Delete {files}.",
        "get rid of {files}",
        "I don't need {files} any more",
        "{files} can go",
        Ask("throw {files} into the trash", {"trash": True}),
        "remove {files} please, it only takes up space",
        Ask("erase {files} for good, not just into the bin", {"trash": False}),
        "The disk is full. Kick out {files}.",
        "could you wipe {files}?",
        Ask("put {files} in the bin, I may want it back", {"trash": True}),
    ),
    asks_zh=(
        "删除{files}。",
        "{files}不要了",
        "把{files}删掉，占地方",
        Ask("把{files}扔进回收站", {"trash": True}),
        "磁盘满了，清掉{files}",
        Ask("彻底删除{files}，别放回收站", {"trash": False}),
        "{files}可以删了",
        "麻烦移除{files}",
    ),
    outcomes=(
        Outcome(
            fields=(("freed_mb", Integer(2, 900)),),
            texts=("deleted, {freed_mb} MB freed",),
            texts_zh=("已删除，释放{freed_mb} MB",),
            answers=("Deleted; {freed_mb} MB are free again.", "{files} is gone, which freed {freed_mb} MB."),
            answers_zh=("已删除，释放了{freed_mb} MB。", "{files}删好了，腾出{freed_mb} MB。"),
        ),
    ),
    missing=(
        Missing(
            key="files",
            asks=("Delete the old files.", "Please remove that file.", "get rid of it"),
            replies=("Which files should I delete?", "Which file do you mean?"),
            asks_zh=("把文件删了。", "删除那个文件"),
            replies_zh=("请问要删除哪些文件？", "是哪个文件？"),
        ),
    ),
)

HASH = Family(
    key="files.checksum",
    names=("file_checksum", "hash_file", "compute_digest", "fingerprint_file"),
    about=(
        "Compute the hash of a file.",
        "Checksum of a file by an algorithm.",
        "Gives a digest to compare downloads with.",
    ),
    about_zh=("计算文件的哈希值。", "用指定算法求校验和。"),
    params=(
        Param("path", PATH, ("path", "file", "file_path"), ("The file",), ("文件",)),
        Param("algorithm", ALGORITHM, ("algorithm", "hash_type", "method"), ("Which hash",), ("算法",)),
    ),
    asks=(
        "What's the {algorithm} of {path}?",
        "{algorithm} checksum for {path}",
        "I downloaded {path} and want to be sure that it's intact: compute its {algorithm}.",
        "hash {path} with {algorithm}",
        "give me the {algorithm} digest of {path} please",
        "did {path} change? i need its {algorithm} to compare",
        "run {algorithm} over {path}",
        "The release page lists a {algorithm} sum. What do you get for {path}?",
        "is my copy of {path} the right one? show me its {algorithm}",
        "fingerprint of {path}, {algorithm}",
    ),
    asks_zh=(
        "{path}的{algorithm}是多少？",
        "算一下{path}的{algorithm}校验和",
        "刚下载了{path}，想核对完整性，用{algorithm}算一下",
        "对{path}做{algorithm}",
        "给我{path}的{algorithm}值",
        "官网给了{algorithm}，帮我看{path}的是什么",
        "我手里的{path}对不对？给我{algorithm}对一下",
        "{path}，{algorithm}，算指纹",
    ),
    outcomes=(
        Outcome(
            fields=(("digest", Code(("xxxxxxxxxxxx", "xxxxxxxxxxxxxxxx"))),),
            texts=("{digest}",),
            answers=("It is {digest}.", "The digest of {path} is {digest}."),
            answers_zh=("是{digest}。", "{path}的校验值是{digest}。"),
        ),
    ),
    missing=(
        Missing(
            key="algorithm",
            asks=("Compute a checksum of {path}.", "hash {path}"),
            replies=("With which algorithm?", "Which hash do you want, SHA-256 or another?"),
            asks_zh=("算一下{path}的校验和。", "求{path}的哈希"),
            replies_zh=("请问用哪种算法？", "要用什么算法？"),
        ),
    ),
)

DOMAIN = Domain(
    "files",
    (LIST, READ, SEARCH, RENAME, MOVE, DELETE, HASH),
    unserved=(
        ("Convert the spreadsheet to a PDF.", "把表格转成 PDF。"),
        ("Zip the whole project.", "把整个项目打成压缩包。"),
        ("Print the contract on both sides.", "把合同双面打印出来。"),
        ("Encrypt my tax folder.", "给税务文件夹加密。"),
        ("Who edited this document last?", "这个文档最后是谁改的？"),
        ("Give Tom permission to write in the folder.", "给小王开这个文件夹的写权限。"),
        ("Scan my drive for viruses.", "给硬盘杀毒。"),
        ("Restore the version from last month.", "恢复到上个月的版本。"),
        ("Rotate the photo to the right.", "把照片向右旋转。"),
        ("Split the PDF into single pages.", "把 PDF 拆成单页。"),
        ("Format the USB stick.", "格式化U盘。"),
        ("Share the folder with a public link.", "给文件夹生成公开分享。"),
        ("Compare the two drafts and mark what differs.", "对比两份草稿，标出不同。"),
    ),
)
