"""Games: boards, scores, trivia, word puzzles."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Record, Word
from training.data.times import Duration
from training.data.wordings import distinct, pool
from training.data.world import Person

SQUARE = Word(tuple(f"{column}{row}" for column in "abcdefgh" for row in range(1, 9)))
GAME_ID = Code(("G-9999", "M-99", "A999", "xxxxxx"))
BOARD_GAME = Word(
    pool(
        """chess | checkers | backgammon | go | scrabble | dominoes | ludo | reversi | bridge | rummy | hearts
        canasta | mahjong | yahtzee | darts | mini golf | bowling | table football | pool"""
    ),
    pool(
        """象棋 | 围棋 | 五子棋 | 国际象棋 | 跳棋 | 军棋 | 飞行棋 | 麻将 | 斗地主 | 桥牌 | 升级 | 黑白棋 | 保龄球 | 台球
        大富翁 | 狼人杀 | 掼蛋"""
    ),
)
CATEGORY = Word(
    pool(
        """history | science | film | geography | pop music | literature | animals | football | painting | food
        mythology | television | space | inventions | the Olympics | fashion | cars | opera | plants | video games"""
    ),
    pool(
        """历史 | 科学 | 电影 | 地理 | 流行音乐 | 文学 | 动物 | 足球 | 绘画 | 美食 | 神话 | 电视剧 | 太空 | 发明
        时尚 | 汽车 | 戏曲 | 植物 | 电子游戏"""
    ),
)
HARDNESS = Choice(
    {
        "easy": (("easy", "simple"), ("简单", "容易")),
        "medium": (("medium", "normal"), ("中等", "一般")),
        "hard": (("hard", "difficult", "tough"), ("困难", "很难")),
    },
    ({"easy": 1, "medium": 2, "hard": 3}, {"easy": "EASY", "medium": "MEDIUM", "hard": "HARD"}),
)
LETTERS = Word(
    pool(
        """RTAESN | OLPCUD | GNIRSP | TEALBS | MNDIOA | HRCAEB | WODNIW | KSETCO | AIRPLE | NOTSEG | DRAWBE | CANOEI
        LEMSTO | PHRASE | TINGES | VORELC | BUTARE | SHINDO | FLOAGE | QUIETR"""
    )
)
GUESS = Word(tuple("BCDEFGHKLMNOPRSTUVW"))

MOVE = Family(
    key="play.move",
    names=("make_move", "chess_move", "move_piece", "play_chess_turn", "submit_move"),
    about=(
        "Make a move in a running game of chess.",
        "Moves a piece from one square to another. Does not judge the position.",
        "Plays a chess move by squares",
    ),
    about_zh=("在进行中的国际象棋里走一步。", "把棋子从一格移到另一格，不做局面分析。"),
    params=(
        Param("game", GAME_ID, ("game_id", "match", "board_id"), ("Which game",), ("对局编号",)),
        Param("source", SQUARE, ("from_square", "source", "start"), ("Where the piece stands",), ("起始格",)),
        Param("target", SQUARE, ("to_square", "target", "dest"), ("Where it goes",), ("目标格",)),
        Param(
            "promote",
            Choice(
                {
                    "queen": (("queen",), ("后",)),
                    "rook": (("rook",), ("车",)),
                    "bishop": (("bishop",), ("象",)),
                    "knight": (("knight",), ("马",)),
                },
                ({"queen": "Q", "rook": "R", "bishop": "B", "knight": "N"},),
            ),
            ("promotion", "promote_to"),
            ("What a pawn becomes",),
            ("兵升变为",),
            False,
        ),
    ),
    asks=(
        "In game {game}, move from {source} to {target}[ and promote to a {promote}].",
        "game {game}: {source} to {target}",
        "my turn in {game}, I take the piece on {source} over to {target}[, it becomes a {promote}]",
        "Play {source} to {target} in {game}, please.",
        "I've thought long enough. Board {game}, what stands on {source} goes to {target}.",
        "put my piece from {source} on {target} in match {game}[ (make it a {promote})]",
        "let me go to {target} from {source}, game {game}",
        "next move in {game}: {source} -> {target}",
    ),
    asks_zh=(
        "对局{game}，从{source}走到{target}[，升变成{promote}]",
        "{game}这盘，{source}到{target}",
        "轮到我了，{game}里把{source}的子移到{target}",
        "在棋局{game}中走{source}到{target}",
        "想好了，{game}号棋盘，{source}上的棋子去{target}",
        "{game}：从 {source} 动到 {target} [，变{promote}]",
        "棋局 {game} 下一步，{source} 走 {target}",
        "帮我落子，{game}，起点{source}，终点{target}",
        "{game}那局我走{source}到{target}[，兵变{promote}]",
        "编号{game}的棋，移动{source}至{target}",
    ),
    outcomes=(
        Outcome(
            fields=(("reply", SQUARE), ("check", Flag())),
            texts=("move accepted, opponent goes to {reply}",),
            answers=("Your move is made; the other side went to {reply}.", "Played. The answer came on {reply}."),
            answers_zh=("已走子，对方走到{reply}。", "走好了，对手应在{reply}。"),
        ),
    ),
    missing=(
        Missing(
            key="target",
            asks=("In game {game}, move the piece on {source}.", "game {game}: i move from {source}"),
            replies=("To which square?", "Where should it go?"),
            asks_zh=("对局{game}，动{source}上的子", "{game}里走{source}那个"),
            replies_zh=("请问走到哪一格？", "移到哪里？"),
        ),
        Missing(
            key="game",
            asks=("Move from {source} to {target}.", "{source} to {target}, it's my turn"),
            replies=("In which game?", "Which game is it? Please give me its number."),
            asks_zh=("从{source}走到{target}", "走一步，{source}到{target}"),
            replies_zh=("请问是哪一局？", "对局编号是多少？"),
        ),
    ),
    errors=("illegal move", "it is not your turn"),
)

NEW_GAME = Family(
    key="play.new_game",
    names=("start_game", "new_game", "open_table", "challenge_player", "create_match"),
    about=(
        "Start a new game against somebody.",
        "Opens a game and invites the other player; with time per side if wanted.",
        "New match. Running games are not touched.",
    ),
    about_zh=("开一局新游戏。", "创建对局并邀请对手，可设每方用时。"),
    params=(
        Param("game", BOARD_GAME, ("game", "game_name", "kind"), ("What is played",), ("游戏名称",)),
        Param("opponent", Person(), ("opponent", "against", "invitee"), ("The other player",), ("对手",)),
        Param(
            "clock",
            Duration("minutes", (3, 5, 10, 15, 20, 30, 45, 60)),
            ("minutes_per_side", "time_limit", "clock"),
            ("Time for each",),
            ("每方时限",),
            False,
        ),
        Param("rated", Flag(), ("rated", "counts_for_ranking"), ("Counts for the ranking",), ("是否计分",), False),
    ),
    asks=(
        "Start a game of {game} with {opponent}[, {clock} each].",
        "challenge {opponent} to {game}",
        Ask("I want a rated game of {game} against {opponent}.", {"rated": True}),
        "{opponent} is sure to beat me at {game}. Set it up[, {clock} per side]!",
        "how about some {game} with {opponent}[ at {clock} each]? open a table",
        Ask("friendly round of {game} with {opponent}, doesn't count for the ranking", {"rated": False}),
        "new {game} match vs {opponent}[, time limit {clock}]",
        "Invite {opponent} for {game}.",
    ),
    asks_zh=(
        "跟{opponent}开一局{game}[，每人{clock}]",
        "约{opponent}来盘{game}",
        Ask("和{opponent}下一局计分的{game}", {"rated": True}),
        "{opponent}不服气，要跟我比{game}，开一局[，每方{clock}]",
        "邀请{opponent}玩{game}",
        Ask("找{opponent}玩{game}，随便玩玩，不算排名", {"rated": False}),
        "手痒了，跟{opponent}整两把{game}[，限时{clock}]",
        "新建对局：{game}，对手{opponent}",
        "叫上{opponent}，来一局{game}呗",
        "向{opponent}发起{game}挑战[，时限{clock}]",
    ),
    outcomes=(
        Outcome(
            fields=(("game_id", GAME_ID),),
            texts=("game {game_id} created",),
            answers=("The game with {opponent} is open: {game_id}.", "{opponent} is invited; the game is {game_id}."),
            answers_zh=("已和{opponent}开局，编号{game_id}。", "邀请已发出，对局{game_id}。"),
        ),
    ),
    missing=(
        Missing(
            key="opponent",
            asks=("Start a game of {game}.", "i feel like playing {game}"),
            replies=("Against whom would you like to play?", "Who should be the other player?"),
            asks_zh=("开一局{game}", "想玩{game}了"),
            replies_zh=("请问跟谁玩？", "对手是谁？"),
        ),
        Missing(
            key="game",
            asks=("Start a game with {opponent}.", "I want to play against {opponent}"),
            replies=("Which game?", "What would you like to play?"),
            asks_zh=("跟{opponent}开一局", "约{opponent}玩一盘"),
            replies_zh=("请问玩什么？", "是哪种游戏？"),
        ),
    ),
)

SCORES = Family(
    key="play.scores",
    names=("record_scores", "enter_results", "save_game_scores", "score_sheet_add"),
    about=(
        "Write down the points of a game night.",
        "Records each player's points in a game.",
        "Score sheet: adds one round. Shows nothing.",
    ),
    about_zh=("记录一局游戏的得分。", "把每位玩家的分数记入计分表。"),
    params=(
        Param("game", BOARD_GAME, ("game", "played"), ("What was played",), ("游戏",)),
        Param(
            "points",
            ListOf(
                Record("{player} {score}", "{player}{score}分", {"player": Person(0), "score": Integer(13, 300)}), 2, 4
            ),
            ("scores", "results", "points"),
            ("Points by player",),
            ("各玩家得分",),
        ),
    ),
    asks=(
        "Write down our {game} scores: {points}.",
        "{game} tonight: {points}",
        "We just finished {game}. Points: {points}. Keep that for me.",
        "record the result of {game}, {points}",
        "put {points} on the {game} sheet",
        "before we forget who won {game}: {points}",
        "score for {game} -> {points}",
        "{points} - that was {game}, keep it for the yearly table",
    ),
    asks_zh=(
        "记一下{game}的得分：{points}",
        "今晚{game}：{points}",
        "刚打完{game}，{points}，帮我记上",
        "{game}成绩录入，{points}",
        "把{points}写进{game}的计分表",
        "别忘了谁赢的，{game}结果是{points}",
        "{game}这局{points}，存一下",
        "登记{game}比分：{points}",
        "{points}，这是{game}的战绩，存档",
        "年终要排名，{game}这次是{points}",
    ),
    outcomes=(
        Outcome(
            fields=(("rounds", Integer(2, 40)),),
            texts=("saved as round {rounds}",),
            answers=("Saved; that was round {rounds}.", "The scores are on the sheet as round {rounds}."),
            answers_zh=("已记录，这是第{rounds}局。", "分数记好了，第{rounds}局。"),
        ),
    ),
    missing=(
        Missing(
            key="points",
            asks=("Write down the result of {game}.", "we finished {game}, note the scores"),
            replies=("Who had how many points?", "What are the scores?"),
            asks_zh=("记一下{game}的成绩", "{game}打完了，记分"),
            replies_zh=("请问每个人多少分？", "各位的得分是多少？"),
        ),
    ),
    fits=distinct("points", "player"),
)

TRIVIA = Family(
    key="play.trivia",
    names=("trivia_question", "ask_trivia", "next_quiz_question", "draw_trivia_card"),
    about=(
        "Get a trivia question.",
        "Draws a question from a category, easy to hard.",
        "One quiz question at a time, for game nights",
    ),
    about_zh=("抽一道知识问答题。", "按类别和难度出一道趣味题。"),
    params=(
        Param("category", CATEGORY, ("category", "field", "topic"), ("Field of the question",), ("题目类别",), False),
        Param("hardness", HARDNESS, ("difficulty", "level"), ("How hard",), ("难度",), False),
        Param(
            "choices", Flag(), ("multiple_choice", "with_options"), ("Give answers to choose from",), ("选择题",), False
        ),
    ),
    asks=(
        "Ask me a trivia question[ about {category}].",
        "I bet you can't stump me on {category}",
        "give me a {hardness} one about {category}",
        Ask("quiz question on {category} with options A to D please", {"choices": True}),
        "we're bored in the car, ask us something[ on {category}]",
        "next card! category {category}[, {hardness}]",
        "Test my general knowledge.",
        "a {hardness} riddle for the pub quiz[, {category}]?",
        Ask("one multiple choice question about {category}", {"choices": True}),
    ),
    asks_zh=(
        "考我一道[{category}]题",
        "{category}方面你难不倒我，出题吧",
        "来个{hardness}的{category}问题",
        Ask("出一道{category}的选择题", {"choices": True}),
        "开车无聊，问我们点啥[，{category}类的]",
        "下一题！{category}[，要{hardness}的]",
        "测测我的常识",
        "知识竞赛热身，{hardness}的来一道",
        "随便抽一题[，{category}]",
        Ask("{category}题，给ABCD四个选项", {"choices": True}),
        "聚会暖场，来道{category}的趣味题",
    ),
    also=("creation.quiz",),
    outcomes=(
        Outcome(
            fields=(
                (
                    "question",
                    Word(
                        pool(
                            """Which river runs through Cairo? | Who painted the Night Watch?
                            In which year did the Titanic sink? | What is the largest desert?"""
                        ),
                        pool("尼罗河流经哪个国家的首都？ | 螃蟹有几条腿？ | 泰坦尼克号哪年沉没？ | 最大的沙漠是哪个？"),
                    ),
                ),
            ),
            texts=("{question}",),
            answers=("Here is your question: {question}", "{question}"),
            answers_zh=("请听题：{question}", "{question}"),
        ),
    ),
)

ANAGRAM = Family(
    key="play.anagram",
    names=("solve_anagram", "words_from_letters", "letter_puzzle", "unscramble"),
    about=(
        "Find words that can be made from some letters.",
        "Unscrambles letters into English words; a least length may be given.",
    ),
    about_zh=("用给定字母拼出英文单词。", "字母重组，可限定最短长度或开头。"),
    params=(
        Param("letters", LETTERS, ("letters", "rack", "tiles"), ("The letters",), ("字母",)),
        Param("least", Integer(3, 6), ("min_length", "at_least"), ("Least length",), ("最短长度",), False),
        Param("start", Word(tuple("ABCDEFGHLMPRSTW")), ("starts_with", "first_letter"), (), (), False),
    ),
    asks=(
        "What words can I make from {letters}[ with at least {least} letters]?",
        "unscramble {letters}",
        "my tiles are {letters}, any ideas[? should start with {start}]",
        "Stuck on a word game. Letters {letters}[, minimum {least}].",
        "best word out of {letters}[ that begins with {start}]",
        "I have {letters} on my rack and no clue",
        "rearrange {letters} into a real word[, {least} letters or more]",
        "crossword jumble {letters}[, the answer has {least} letters or more]",
    ),
    asks_zh=(
        "{letters} 能拼出什么英文单词[，至少{least}个字母]？",
        "我手里的字母是 {letters} ，帮我想个词[，{start}开头的]",
        "字母重组：{letters}",
        "拼字游戏卡住了，{letters}[，不少于{least}个字母]",
        "把 {letters} 打乱重排成单词",
        "{letters} 里能凑出哪些词[，要以{start}开头]",
        "用 {letters} 这几个字母组词",
        "牌架上有 {letters}，没头绪，支个招",
        "{letters} 组成的最好的词是啥[，最短{least}个字母]",
        "这堆字母 {letters} 乱七八糟的，能变出啥词",
    ),
    outcomes=(
        Outcome(
            fields=(
                ("word", Word(("STREAM", "CLOUD", "SPRING", "TABLES", "NOMAD", "REACH"))),
                ("more", Integer(2, 20)),
            ),
            texts=("{word} and {more} more",),
            answers=("You could play {word}; there are {more} more.", "{word} works, for one."),
            answers_zh=("可以拼{word}，还有{more}个。", "比如{word}。"),
        ),
    ),
    missing=(
        Missing(
            key="letters",
            asks=("Unscramble my letters.", "what words can I make, at least {least} letters long?"),
            replies=("Which letters do you have?", "What are the letters?"),
            asks_zh=("帮我用手上的字母拼个词", "能拼出什么词？至少{least}个字母"),
            replies_zh=("请问有哪些字母？", "字母是什么？"),
        ),
    ),
)

HANGMAN = Family(
    key="play.guess",
    names=("guess_letter", "hangman_guess", "try_letter", "submit_guess"),
    about=("Guess a letter in hangman.", "One letter for the hidden word of the running round."),
    about_zh=("猜单词游戏里猜一个字母。", "在当前这轮提交一个字母。"),
    params=(Param("letter", GUESS, ("letter", "guess", "char"), ("One letter",), ("一个字母",)),),
    asks=(
        "I guess {letter}.",
        "is {letter} in the word?",
        "try {letter}",
        "Hmm, next letter: {letter}",
        "my guess is the letter {letter}",
        "let's see whether {letter} is in it",
        "I'll go with {letter} this time",
        "does the hidden word contain {letter}?",
    ),
    asks_zh=(
        "我猜{letter}",
        "单词里有{letter}吗？",
        "试试字母{letter}",
        "下一个字母{letter}",
        "我觉得有个{letter}",
        "那就{letter}吧",
        "猜字母：{letter}",
        "会不会有{letter}呢，试一下",
        "字母{letter}，开！",
        "里面该不会有{letter}吧？",
        "这回押{letter}",
    ),
    outcomes=(
        Outcome(
            fields=(("hits", Integer(1, 3)), ("tries_left", Integer(1, 8))),
            texts=("{letter}: {hits} found, {tries_left} tries left",),
            answers=(
                "Yes, {letter} is there, {hits} found. {tries_left} tries are left.",
                "Hit: {hits} times {letter}!",
            ),
            answers_zh=("有{letter}，共{hits}个，还剩{tries_left}次机会。", "猜中了，{hits}个{letter}！"),
        ),
        Outcome(
            fields=(("hits", Integer(0, 0)), ("tries_left", Integer(1, 8))),
            texts=("no {letter}, {tries_left} tries left",),
            answers=("No {letter} in it. You have {tries_left} tries left.", "Sorry, no {letter}; {tries_left} left."),
            answers_zh=("没有{letter}，还剩{tries_left}次。", "猜错了，剩下{tries_left}次机会。"),
        ),
    ),
    missing=(
        Missing(
            key="letter",
            asks=("I want to guess a letter.", "next try in hangman"),
            replies=("Which letter?", "What is your letter?"),
            asks_zh=("我要猜一个字母", "再猜一次"),
            replies_zh=("请问猜哪个字母？", "你猜什么字母？"),
        ),
    ),
)

DOMAIN = Domain(
    "play",
    (MOVE, NEW_GAME, SCORES, TRIVIA, ANAGRAM, HANGMAN),
    unserved=(
        ("Explain the rules of mahjong to me.", "给我讲讲麻将的规则。"),
        ("Who is the chess world champion?", "现在的国际象棋世界冠军是谁？"),
        ("Buy the extension pack for my farm game.", "帮我买农场游戏的扩展包。"),
        ("Reset my password for the game server.", "重置我的游戏服务器密码。"),
        ("Stream our match to my channel.", "把我们的比赛直播到我的频道。"),
        ("Find a chess club near the station.", "找一家车站附近的棋社。"),
        ("Which side is better in game 4512?", "4512这局哪边占优？"),
        ("Undo the last goal, it was offside.", "刚才那个球越位了，撤掉。"),
        ("Design a crossword for my aunt's birthday.", "为姑妈生日设计一个填字游戏。"),
        ("How long have I played this week?", "我这周玩了多久游戏？"),
        ("Send my opponent some flowers.", "给我的对手送束花。"),
        ("Turn down the sound effects.", "把音效调小。"),
    ),
)
