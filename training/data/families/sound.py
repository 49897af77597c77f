"""Making music: chords, scales, tempo, tuning, transposing, practice."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Flag, Integer, ListOf, Word
from training.data.times import Duration
from training.data.wordings import pool

ROOT = Word(("C", "D", "E", "F", "G", "A", "B", "C#", "F#", "Bb", "Eb", "Ab"))
CHORD = Word(
    pool("C | G | Am | F | Dm | Em | E7 | A7 | D | Bm | Cmaj7 | G7 | F#m | Bb | Eb | Gm | Asus4 | Dm7 | B7 | Cadd9")
)
QUALITY = Choice(
    {
        "major": (("major",), ("大三和弦",)),
        "minor": (("minor",), ("小三和弦",)),
        "diminished": (("diminished",), ("减三和弦",)),
        "augmented": (("augmented",), ("增三和弦",)),
        "dominant7": (("dominant seventh", "seventh"), ("属七和弦",)),
        "sus4": (("sus4", "suspended fourth"), ("挂四和弦",)),
    },
    ({"major": "maj", "minor": "min", "diminished": "dim", "augmented": "aug", "dominant7": "7"},),
)
SCALE = Choice(
    {
        "major": (("major",), ("大调",)),
        "minor": (("natural minor", "minor"), ("自然小调", "小调")),
        "pentatonic": (("pentatonic",), ("五声音阶",)),
        "blues": (("blues",), ("布鲁斯音阶", "蓝调音阶")),
        "dorian": (("dorian",), ("多利亚调式",)),
        "chromatic": (("chromatic",), ("半音阶",)),
    },
)
INSTRUMENT = Word(
    pool(
        """guitar | ukulele | violin | bass | cello | banjo | mandolin | viola | harp | double bass | lute | zither
        twelve-string guitar | baritone ukulele | sitar | dulcimer | oud | balalaika"""
    ),
    pool("吉他 | 尤克里里 | 小提琴 | 贝斯 | 大提琴 | 二胡 | 琵琶 | 古筝 | 中提琴 | 竖琴 | 三弦 | 柳琴 | 中阮 | 月琴"),
)
TUNING = Choice(
    {
        "standard": (("standard tuning", "the usual tuning"), ("标准调弦", "标准音")),
        "drop_d": (("drop D",), ("Drop D", "降D调弦")),
        "open_g": (("open G",), ("开放G调弦",)),
        "half_step_down": (("half a step down",), ("降半音",)),
    },
)
PIECE = Word(
    pool(
        """Für Elise | the Moonlight Sonata | Clair de Lune | the Goldberg Variations | Gymnopédie No. 1 | Greensleeves
        my scales | the second movement | Asturias | the bridge of our song | Canon in D | the Swan | Scarborough Fair
        Bolero | the chorus | Minuet in G | Spring | the drum fill | my solo | Nocturne No. 2"""
    ),
    pool(
        """致爱丽丝 | 月光奏鸣曲 | 卡农 | 梁祝 | 二泉映月 | 春江花月夜 | 小步舞曲 | 茉莉花 | 赛马 | 彩云追月
        渔舟唱晚 | 绿袖子 | 音阶 | 第二乐章 | 副歌 | 高山流水 | 平湖秋月"""
    ),
)

CHORD_NOTES = Family(
    key="sound.chord_notes",
    names=("chord_notes", "spell_chord", "notes_in_chord", "chord_lookup", "build_chord"),
    about=(
        "Which notes a chord has.",
        "Spells a chord from its root and quality. For scales use the scale tool.",
        "Chord dictionary",
    ),
    about_zh=("查询和弦由哪些音组成。", "按根音和类型给出和弦音，不含音阶。"),
    params=(
        Param("root", ROOT, ("root", "root_note", "tonic"), ("e.g. G#",), ("根音",)),
        Param("quality", QUALITY, ("quality", "chord_type", "kind"), ("Kind of chord",), ("和弦类型",)),
        Param("inversion", Integer(1, 2), ("inversion",), ("Which inversion",), ("第几转位",), False),
    ),
    asks=(
        "Which notes are in {root} {quality}?",
        "how do I play {root} {quality} on the piano",
        "spell the {root} {quality} chord[, inversion {inversion}]",
        "my songbook says {root} {quality}, which keys do I press?",
        "{quality} chord on {root}",
        "I forgot what goes into {root} {quality}[ in inversion {inversion}]",
        "Build me a {quality} triad over {root}, what do I get?",
        "our guitarist wants {root} {quality} from me on the keyboard, which notes?",
    ),
    asks_zh=(
        "{root}的{quality}有哪些音？",
        "钢琴上{root}{quality}怎么按",
        "{root} {quality}的组成音[，第{inversion}转位]",
        "谱子上写着{root}{quality}，该按哪几个键",
        "以{root}为根音的{quality}是什么",
        "{root}{quality}里头都有啥音，忘了",
        "构造一个{root}上的{quality}",
        "查和弦：{root}，{quality}[，转位{inversion}]",
        "弹{root}的{quality}手指放哪几个音",
        "吉他手让我弹{root}{quality}，是哪几个音来着",
    ),
    outcomes=(
        Outcome(
            fields=(("notes", Word(("C E G", "A C E", "D F# A", "G B D F", "F Ab C", "E G# B", "B D F"))),),
            texts=("{notes}",),
            answers=("The notes are {notes}.", "It is made of {notes}."),
            answers_zh=("组成音是 {notes}。", "包含 {notes}。"),
        ),
    ),
    missing=(
        Missing(
            key="root",
            asks=("Which notes are in a {quality} chord?", "how do i build a {quality} chord"),
            replies=("On which root note?", "What is the root of the chord?"),
            asks_zh=("{quality}有哪些音？", "怎么弹{quality}"),
            replies_zh=("请问根音是什么？", "以哪个音为根音？"),
        ),
    ),
)

SCALE_NOTES = Family(
    key="sound.scale",
    names=("scale_notes", "notes_of_scale", "get_scale", "list_scale_tones"),
    about=("The notes of a scale.", "Lists the tones of a scale or mode from its first note.", "Scales, not chords."),
    about_zh=("列出音阶的音。", "从主音起给出某调式的各个音，不含和弦。"),
    params=(
        Param("start", ROOT, ("key", "first_note", "tonic"), ("First note",), ("主音",)),
        Param("scale", SCALE, ("scale", "mode", "scale_type"), ("Kind of scale",), ("音阶类型",)),
        Param("descending", Flag(), ("descending", "downwards"), ("From top to bottom",), ("下行",), False),
    ),
    asks=(
        "Give me the {start} {scale} scale.",
        "what notes can I improvise with in {start} {scale}",
        Ask("{start} {scale} scale going down, please", {"descending": True}),
        "list the tones of {start} {scale}",
        "My exam piece needs the {scale} scale on {start}.",
        "which sharps and flats has the {start} {scale} scale?",
        "we jam in {start} {scale}, what am I allowed to play",
        Ask("write out {start} {scale} from top to bottom", {"descending": True}),
    ),
    asks_zh=(
        "{start}{scale}有哪些音？",
        "用{start} {scale}即兴，能弹什么音",
        Ask("{start}{scale}，要下行的", {"descending": True}),
        "列出{start}的{scale}",
        "考级要弹{start}{scale}，音是哪些",
        "{start} {scale}有几个升降号，把音写出来",
        "今晚合奏是{start}{scale}，我弹哪些音不会错？",
        Ask("从高到低写出{start}{scale}", {"descending": True}),
        "查音阶：{start}，{scale}",
        "{start}起的{scale}怎么弹",
    ),
    outcomes=(
        Outcome(
            fields=(("tones", Word(("C D E F G A B", "A C D E G", "D E F G A B C", "G A Bb C D Eb F"))),),
            texts=("{tones}",),
            answers=("The scale is {tones}.", "Play {tones}."),
            answers_zh=("音阶是 {tones}。", "依次是 {tones}。"),
        ),
    ),
    missing=(
        Missing(
            key="scale",
            asks=("Give me a scale on {start}.", "which scale tones start at {start}"),
            replies=("Which kind of scale: major, minor, blues?", "What kind of scale?"),
            asks_zh=("给我{start}开始的音阶", "{start}的音阶有哪些音"),
            replies_zh=("请问是哪种音阶？", "大调、小调还是别的？"),
        ),
    ),
)

METRONOME = Family(
    key="sound.metronome",
    names=("start_metronome", "metronome", "set_tempo", "click_track", "beat_keeper"),
    about=(
        "Start the metronome.",
        "Clicks at a tempo in beats per minute.",
        "Keeps the beat; stops by itself after a while if asked.",
    ),
    about_zh=("打开节拍器。", "按每分钟拍数打拍子。"),
    params=(
        Param("bpm", Integer(40, 208), ("bpm", "tempo", "beats_per_minute"), ("Beats per minute",), ("每分钟拍数",)),
        Param(
            "meter",
            Choice(
                {
                    "4/4": (("4/4",), ("四四拍", "4/4拍")),
                    "3/4": (("3/4", "waltz time"), ("四三拍", "3/4拍")),
                    "6/8": (("6/8",), ("八六拍", "6/8拍")),
                    "2/4": (("2/4",), ("四二拍", "2/4拍")),
                }
            ),
            ("time_signature", "meter"),
            ("Beats of a bar",),
            ("拍号",),
            False,
            "4/4",
        ),
        Param("length", Duration("minutes", (2, 3, 5, 10, 15, 20)), ("stop_after_minutes", "minutes"), (), (), False),
    ),
    asks=(
        "Metronome at {bpm}, please[, {meter}].",
        "give me a click at {bpm} bpm[ for {length}]",
        "I always rush. Keep me at {bpm} beats per minute[ in {meter}].",
        "tempo {bpm}[, {meter}]",
        "start ticking, {bpm} a minute",
        "Our song is at {bpm} bpm, let me hear the beat[ in {meter}]",
        "count me in at {bpm} beats a minute[ and stop after {length}]",
        "let me march: {bpm} steps a minute[, for {length}]",
    ),
    asks_zh=(
        "节拍器开到{bpm}[，{meter}]",
        "给我打拍子，每分钟{bpm}拍[，打{length}]",
        "我老抢拍，用{bpm}的速度卡住我[，{meter}]",
        "速度{bpm}[，{meter}]",
        "开始滴答，一分钟{bpm}下",
        "这首歌是{bpm}bpm，放个节拍[，{meter}的]",
        "练琴用，节拍器{bpm}[，{length}后停]",
        "打开节拍器，{bpm}拍每分",
        "帮我数拍子，{bpm}[，{meter}]",
        "跑步踩点，来个{bpm}的拍子[，{length}]",
    ),
    outcomes=(
        Outcome(
            fields=(("running", Flag()),),
            texts=("ticking at {bpm}",),
            answers=("The metronome ticks at {bpm}.", "Here is your beat: {bpm} a minute."),
            answers_zh=("节拍器已开，速度{bpm}。", "开始打拍，每分钟{bpm}拍。"),
        ),
    ),
    missing=(
        Missing(
            key="bpm",
            asks=("Start the metronome[ in {meter}].", "give me a beat to practise with"),
            replies=("At which tempo?", "How many beats per minute?"),
            asks_zh=("打开节拍器[，{meter}]", "给我打个拍子"),
            replies_zh=("请问速度是多少？", "每分钟多少拍？"),
        ),
    ),
)

TUNE = Family(
    key="sound.tune",
    names=("tuning_notes", "tune_instrument", "string_tuning", "tuner"),
    about=("Notes to tune the strings of an instrument to.", "Tuning of a string instrument, standard or special."),
    about_zh=("查询弦乐器的调弦音。", "给出乐器每根弦的定音。"),
    params=(
        Param("instrument", INSTRUMENT, ("instrument", "instrument_name"), ("What is tuned",), ("乐器",)),
        Param("tuning", TUNING, ("tuning", "preset", "scheme"), ("Which tuning",), ("调弦方式",), False, "standard"),
    ),
    asks=(
        "What are the strings of a {instrument} tuned to[ in {tuning}]?",
        "help me tune my {instrument}[, {tuning}]",
        "my {instrument} sounds awful, which notes should the strings have?",
        "{tuning} for {instrument}",
        "I bought a used {instrument} and have no idea how to tune it",
        "string notes, {instrument}[, {tuning}]",
        "give me the pitches so I can tune the {instrument}[ to {tuning}] before the gig",
        "new strings on the {instrument}: which pitch does each get[ ({tuning})]?",
    ),
    asks_zh=(
        "{instrument}[{tuning}]的弦怎么定音？",
        "帮我给{instrument}调音[，{tuning}]",
        "我的{instrument}跑调了，每根弦该是什么音",
        "刚买的二手{instrument}，不会调弦",
        "{instrument}，{tuning}，各弦音高",
        "演出前要调{instrument}[，{tuning}]，音高给我",
        "{instrument}的弦从粗到细是哪些音？",
        "{instrument}调弦",
        "怎么把{instrument}调准",
        "给{instrument}换了新弦，每根拧到什么音[，{tuning}]",
    ),
    outcomes=(
        Outcome(
            fields=(("strings", Word(("E A D G B E", "G C E A", "G D A E", "C G D A", "D A D G B E"))),),
            texts=("{strings}",),
            answers=("Tune the strings to {strings}.", "For the {instrument} that is {strings}."),
            answers_zh=("各弦定为 {strings}。", "{instrument}的弦是 {strings}。"),
        ),
    ),
    missing=(
        Missing(
            key="instrument",
            asks=("Help me tune up[ to {tuning}].", "which notes should my strings have"),
            replies=("Which instrument is it?", "What do you play?"),
            asks_zh=("帮我调音[，{tuning}]", "弦该定什么音"),
            replies_zh=("请问是什么乐器？", "是哪种乐器呢？"),
        ),
    ),
)

TRANSPOSE = Family(
    key="sound.transpose",
    names=("transpose_chords", "shift_key", "change_key", "move_chords"),
    about=(
        "Move chords up or down by semitones.",
        "Transposes a list of chords; direction and distance are given.",
    ),
    about_zh=("把和弦升高或降低若干半音。", "和弦移调。"),
    params=(
        Param("chords", ListOf(CHORD, 2, 5), ("chords", "progression"), ("The chords",), ("和弦列表",)),
        Param("steps", Integer(2, 7), ("semitones", "steps", "amount"), ("How far",), ("半音数",)),
        Param(
            "direction",
            Choice({"up": (("up", "higher"), ("升", "升高")), "down": (("down", "lower"), ("降", "降低"))}),
            ("direction", "way"),
            ("Up or down",),
            ("升或降",),
        ),
    ),
    asks=(
        "Transpose {chords} {direction} by {steps} semitones.",
        "{steps} semitones {direction}: {chords}",
        "the singer has a cold, move {chords} {direction} by {steps} half steps",
        "I play {chords}. What is that {steps} semitones {direction}?",
        "shift {chords} {steps} half tones {direction} for my capo",
        "rewrite the progression {chords}, {steps} semitones {direction} please",
        Ask("That's too high for me: take {chords} {steps} semitones deeper.", {"direction": "down"}),
        "the choir can't reach it: {chords}, {steps} half steps {direction} please",
    ),
    asks_zh=(
        "把{chords}{direction}{steps}个半音",
        "{chords}，{direction}{steps}个半音是什么和弦？",
        "主唱感冒了，{chords}这几个和弦{direction}{steps}个半音",
        Ask("唱不上去，{chords}往下移{steps}个半音", {"direction": "down"}),
        "移调：{chords}，{direction}{steps}个半音",
        "我弹{chords}，要{direction}{steps}个半音，换成啥",
        Ask("{chords}整体往上挪{steps}个半音", {"direction": "up"}),
        "和弦进行{chords}{direction}{steps}个半音后怎么写",
        "夹变调夹，{chords}{direction}{steps}个半音",
        "合唱团唱不了，{chords}要{direction}{steps}个半音",
    ),
    outcomes=(
        Outcome(
            fields=(("chords_now", ListOf(CHORD, 2, 4)),),
            texts=("{chords_now}",),
            answers=("Now they are {chords_now}.", "Play {chords_now}."),
            answers_zh=("移调后是{chords_now}。", "改弹{chords_now}。"),
        ),
    ),
    missing=(
        Missing(
            key="steps",
            asks=("Transpose {chords} {direction}.", "move {chords} {direction} for me"),
            replies=("By how many semitones?", "How far: how many half steps?"),
            asks_zh=("把{chords}{direction}一点", "{chords}{direction}调"),
            replies_zh=("请问移动几个半音？", "要移几个半音？"),
        ),
    ),
)

PRACTICE = Family(
    key="sound.practice",
    names=("log_practice", "practice_diary", "add_practice_session", "note_practice"),
    about=("Note that a piece was practised.", "Practice diary for musicians: piece, time, and how it went."),
    about_zh=("记录练琴。", "音乐练习日志：曲目、时长和感受。"),
    params=(
        Param("piece", PIECE, ("piece", "what", "title"), ("What was practised",), ("练习曲目",)),
        Param("length", Duration(), ("minutes", "duration_minutes"), ("For how long",), ("练习时长",)),
        Param(
            "feeling",
            Choice(
                {
                    "good": (("well", "great"), ("很顺", "不错")),
                    "ok": (("so-so", "okay"), ("一般", "还行")),
                    "bad": (("badly", "terribly"), ("很差", "糟糕")),
                },
                ({"good": 3, "ok": 2, "bad": 1},),
            ),
            ("rating", "feeling", "how_it_went"),
            ("How it went",),
            ("练得如何",),
            False,
        ),
    ),
    asks=(
        "I practised {piece} for {length}[, it went {feeling}].",
        "log {length} of {piece}",
        "put in my practice diary: {piece}, {length}[, went {feeling}]",
        "Just spent {length} on {piece}, write it down please",
        "my teacher checks the diary on Friday. Today: {piece}, {length}",
        "{length} of {piece} done[, {feeling}]",
        "note for my practice log that I worked on {piece} for {length}[ and it went {feeling}]",
        "{piece} again, {length}[, and it went {feeling}]. into the diary with it",
    ),
    asks_zh=(
        "我练了{length}{piece}[，感觉{feeling}]",
        "记一笔：{piece}，练了{length}",
        "练琴日志：{piece}，{length}[，{feeling}]",
        "刚刚磨了{length}的{piece}，记下来",
        "老师周五要查，今天{piece}练了{length}",
        "{piece}打卡，{length}[，练得{feeling}]",
        "今天弹{piece}弹了{length}，帮我登记",
        "练习记录加上{piece}{length}",
        "{piece}终于练完了，花了{length}[，{feeling}]，记录一下",
        "又是{piece}，{length}[，弹得{feeling}]，写进日志",
    ),
    outcomes=(
        Outcome(
            fields=(("week_minutes", Integer(60, 900, 5)),),
            texts=("saved, {week_minutes} minutes this week",),
            answers=("Noted. You have {week_minutes} minutes this week.", "Saved: {length} of {piece}."),
            answers_zh=("记好了，本周共{week_minutes}分钟。", "已记录{piece}{length}。"),
        ),
    ),
    missing=(
        Missing(
            key="length",
            asks=("Log that I practised {piece}.", "i worked on {piece} today, note it"),
            replies=("For how long did you practise?", "How many minutes was it?"),
            asks_zh=("记一下我练了{piece}", "今天练{piece}了，登记"),
            replies_zh=("请问练了多久？", "练习了多长时间？"),
        ),
    ),
)

DOMAIN = Domain(
    "sound",
    (CHORD_NOTES, SCALE_NOTES, METRONOME, TUNE, TRANSPOSE, PRACTICE),
    unserved=(
        ("Compose a lullaby for my baby.", "给我的宝宝写一首摇篮曲。"),
        ("Sell my old trumpet online.", "帮我在网上卖掉旧小号。"),
        ("Who wrote the Four Seasons?", "《四季》是谁写的？"),
        ("Book the rehearsal room for tonight.", "订今晚的排练室。"),
        ("Record what I am playing now.", "把我现在弹的录下来。"),
        ("Find a piano teacher who comes to the house.", "找一位上门的钢琴老师。"),
        ("Print the sheet music for the choir.", "给合唱团打印乐谱。"),
        ("Remove the vocals from this track.", "把这首歌的人声去掉。"),
        ("What key is the song on the radio in?", "收音机里那首歌是什么调？"),
        ("Order a new set of strings.", "订一套新琴弦。"),
        ("How do I hold the bow correctly?", "琴弓应该怎么握？"),
        ("Mute the microphone of the drummer.", "把鼓手的麦克风静音。"),
    ),
)
