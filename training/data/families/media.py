"""Music, radio and podcasts; films, books and photos are in `_media_shelf`."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Flag, Integer, Percent
from training.data.times import Duration
from training.data.world import Tongue

from ._media_shelf import FILM_SEARCH, PHOTOS, RESERVE_BOOK, SHOW_TIMES
from ._media_words import BAND, PLAYLIST, SONGS, SPEAKER, STATION, TITLE, TOPIC

PLAY_SONG = Family(
    key="media.play_song",
    names=("play_song", "play_track", "start_music", "music_play", "play_title"),
    about=(
        "Play a song by its title.",
        "Starts one song, on a given speaker if wanted. Not for radio stations or playlists.",
        "Plays a track",
    ),
    about_zh=("按歌名播放歌曲。", "播放一首歌，可指定歌手和播放设备。"),
    params=(
        Param("title", TITLE, ("title", "song", "track", "song_title"), ("Title of the song",), ("歌名",)),
        Param("artist", BAND, ("artist", "singer", "performer"), ("Who sings it",), ("歌手或乐队",), required=False),
        Param("speaker", SPEAKER, ("device", "speaker", "output"), ("Where to play it",), ("播放设备",), False),
        Param("loop", Flag(), ("repeat", "loop"), ("Play it again and again",), ("是否单曲循环",), required=False),
    ),
    asks=(
        "Play {title}[ by {artist}][ on the {speaker}].",
        "put on {title}[ by {artist}] please",
        "I've had {title} stuck in my head all day, let me hear it[ on the {speaker}]",
        "can you play the song {title}[ by {artist}]",
        Ask("Play {title}[ by {artist}] on repeat.", {"loop": True}),
        "My friend told me about {artist}. Start {title}, I'd like to listen.",
        "{title}[, {artist}][, on the {speaker}]",
        "I want to dance to {title}!",
        Ask("loop {title}[ on the {speaker}]", {"loop": True}),
        "let's hear {title}[ from {artist}][ through the {speaker}]",
        "Would you start the track {title}[ on the {speaker}]?",
        "what does {title} by {artist} sound like? play it",
        "ok now {title}[ by {artist}]",
        "Mum's favourite is {title}. Surprise her with it[ on the {speaker}]!",
    ),
    asks_zh=(
        "放一首{title}",
        "播放[{artist}的]{title}[，用{speaker}放]",
        "我想听[{artist}的]{title}",
        "{title}这首歌在我脑子里转了一天，放来听听",
        Ask("单曲循环[{artist}的]{title}", {"loop": True}),
        "在{speaker}上放{title}",
        "朋友推荐了{artist}，来一首{title}吧",
        Ask("一直循环播放{title}", {"loop": True}),
        "来首歌，{title}[，{artist}唱的]",
        "麻烦用{speaker}播一下{artist}的{title}",
        "妈妈最爱{title}，放给她听[，用{speaker}]",
        "接下来放{title}[，{artist}的那版]",
    ),
    outcomes=(
        Outcome(
            fields=(("album", TITLE), ("seconds", Integer(120, 360))),
            texts=("playing, from the album {album}", "now playing ({seconds} s)"),
            texts_zh=("正在播放，专辑：{album}",),
            answers=("Playing {title} now.", "Here comes {title}, from the album {album}.", "{title} is on."),
            answers_zh=("好的，{title}，请欣赏。", "正在为您播放{title}。", "{title}开始播放了，来自专辑{album}。"),
        ),
    ),
    missing=(
        Missing(
            key="title",
            asks=("Play a song by {artist}.", "put some song on the {speaker}", "play that song again"),
            replies=("Which song would you like to hear?", "What is the title of the song?"),
            asks_zh=("放首歌", "用{speaker}放一首歌"),
            replies_zh=("请问想听哪首歌？", "歌名是什么？"),
        ),
    ),
    errors=("song not found", "the speaker is offline"),
)

PAUSE = Family(
    key="media.pause",
    names=("pause_playback", "pause_media", "stop_playing", "hold_playback"),
    about=("Pause whatever is playing.", "Pauses playback; it can go on later.", "Pause"),
    about_zh=("暂停播放。", "暂停当前正在播放的内容。"),
    params=(),
    asks=(
        "Pause.",
        "pause the music",
        "Hang on, the phone is ringing, make it stop for a moment",
        "stop playing please",
        "can you pause that",
        "Silence for a second, the doorbell rang.",
        "hold the film, I need popcorn",
        "I'm in a meeting now, stop what's playing for the moment",
        "Please interrupt the playback.",
        "wait wait, pause this episode",
        "one sec, someone's talking to me, freeze it",
        "I have to run to the loo, don't let it go on without me",
    ),
    asks_zh=(
        "暂停",
        "先停一下，我接个电话",
        "别放了",
        "暂停播放",
        "等等，有人敲门，先暂停",
        "停一下，我去拿点零食",
        "音乐先停了吧",
        "我要开会了，先别放",
        "有人跟我说话，先定住",
        "我去趟厕所，别往下放",
    ),
    outcomes=(
        Outcome(
            fields=(("item", TITLE), ("minute", Integer(2, 90))),
            texts=("paused {item} at minute {minute}",),
            texts_zh=("已在第{minute}分钟暂停：{item}",),
            answers=("{item} is on hold at minute {minute}.", "Paused {item} at minute {minute}.", "I've paused it."),
            answers_zh=("好的，{item}停在第{minute}分钟了。", "{item}已暂停，停在第{minute}分钟。", "已经暂停了。"),
        ),
    ),
    errors=("nothing is playing",),
)

VOLUME = Family(
    key="media.volume",
    names=("set_volume", "volume_level", "change_volume", "adjust_sound", "speaker_volume"),
    about=(
        "Set the volume.",
        "Sets how loud a device plays, in percent. Without a device, the one that is playing.",
        "Volume control",
    ),
    about_zh=("设置音量。", "调节设备的音量，不指定设备则为当前播放设备。"),
    params=(
        Param("level", Percent(1, 100, 0), ("level", "volume", "loudness"), ("Volume",), ("音量",)),
        Param("speaker", SPEAKER, ("device", "speaker", "target"), ("Which device",), ("设备",), required=False),
    ),
    asks=(
        "Set the volume to {level}[ on the {speaker}].",
        "volume {level}",
        "I can't understand a word, make it {level}[ on the {speaker}]",
        "The neighbours are complaining. {level} must be enough[ for the {speaker}].",
        "turn the {speaker} to {level}",
        "can you put the sound at {level}",
        "That's not the right loudness for a party, {level} please!",
        "My mother is on the phone, so have the {speaker} play at {level}.",
        "{level} volume[ on the {speaker}] would be perfect",
        "sound level {level}, thanks",
        "I'd like the {speaker} at {level}",
        "The baby sleeps next door, the {speaker} should be at {level}.",
        "this is my favourite part, {level}!",
    ),
    asks_zh=(
        "音量调到{level}",
        "把{speaker}的声音调成{level}",
        "听不清，[{speaker}]声音开到{level}",
        "邻居有意见了，[{speaker}]音量{level}就够了",
        "声音{level}",
        "我妈在打电话，{speaker}音量设为{level}",
        "聚会嘛，音量得{level}",
        "[{speaker}]音量改成{level}，谢谢",
        "宝宝在隔壁睡觉，{speaker}开{level}就行",
        "这段最好听，声音给我{level}",
    ),
    outcomes=(
        Outcome(
            fields=(("before", Integer(2, 100)),),
            texts=("changed from {before}", "ok (was {before})"),
            texts_zh=("已调整，之前为{before}",),
            answers=(
                "Done, {level} instead of {before}.",
                "The volume is {level} now; it was {before} before.",
                "Volume set to {level}.",
            ),
            answers_zh=("已从{before}调整为{level}。", "音量已调到{level}，之前是{before}。", "好的，音量{level}。"),
        ),
    ),
    missing=(
        Missing(
            key="level",
            asks=("Change the volume.", "set the volume of the {speaker}", "the {speaker} needs another volume"),
            replies=("To what level, in percent?", "How loud should it be?"),
            asks_zh=("调一下音量", "{speaker}音量改一下"),
            replies_zh=("请问调到百分之多少？", "要多大音量？"),
        ),
    ),
)

MAKE_PLAYLIST = Family(
    key="media.make_playlist",
    names=("create_playlist", "make_playlist", "new_playlist", "save_song_list"),
    about=(
        "Create a playlist from songs.",
        "Makes a new playlist with a name and its first songs. It does not play it.",
        "New playlist; each song has a title and an artist.",
    ),
    about_zh=("新建歌单并加入歌曲。", "用给定的歌曲创建播放列表，不会开始播放。"),
    params=(
        Param("name", PLAYLIST, ("name", "playlist_name", "playlist"), ("Name of the playlist",), ("歌单名称",)),
        Param("songs", SONGS, ("songs", "tracks", "items"), ("Songs in it",), ("歌曲列表",)),
        Param("public", Flag(), ("public", "shared"), ("May others see it",), ("是否公开",), required=False),
    ),
    asks=(
        "Create a playlist called {name} with {songs}.",
        "new playlist {name}: {songs}",
        "I want {songs} together in a playlist, name it {name}",
        Ask("Make a public playlist {name} with {songs}, so that my friends can see it.", {"public": True}),
        "could you save {songs} as the playlist {name}?",
        "put together a playlist for me: {songs}. Call it {name}.",
        Ask("a private playlist please, {name}, with {songs} in it", {"public": False}),
        "We keep listening to {songs}. Make that a playlist named {name}.",
        "start a list {name} and throw in {songs}",
        "Please set up {name} as a new playlist containing {songs}.",
        "collect {songs} under the name {name} for me",
        "Tomorrow we drive for hours. Bundle {songs} as {name}, a new playlist.",
    ),
    asks_zh=(
        "新建一个歌单叫{name}，加入{songs}",
        "建歌单{name}：{songs}",
        "把{songs}放到一个新歌单里，名字叫{name}",
        Ask("创建一个公开歌单{name}，里面有{songs}", {"public": True}),
        "帮我做个播放列表，{songs}，名字就叫{name}",
        "我最近老听{songs}，存成歌单{name}吧",
        Ask("建个私密歌单{name}，放{songs}", {"public": False}),
        "歌单名{name}，歌曲要{songs}，麻烦新建一下",
        "明天要开长途，把{songs}收成新歌单{name}",
        "{songs}，归到一起，取名{name}，新建歌单",
    ),
    outcomes=(
        Outcome(
            fields=(("minutes", Integer(3, 20)),),
            texts=("playlist saved, {minutes} min",),
            texts_zh=("歌单已保存，共{minutes}分钟",),
            answers=(
                "Your new playlist {name} has {minutes} minutes of music.",
                "The playlist {name} is saved; it runs for {minutes} minutes.",
                "{name} is ready.",
            ),
            answers_zh=(
                "{name}已经保存，时长{minutes}分钟。",
                "歌单{name}建好了，共{minutes}分钟。",
                "已创建歌单{name}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="name",
            asks=("Make a playlist with {songs}.", "put {songs} into a new playlist"),
            replies=("What should the playlist be called?", "Which name shall I give it?"),
            asks_zh=("用{songs}建个歌单", "把{songs}存成新歌单"),
            replies_zh=("请问歌单叫什么名字？", "歌单的名字是什么？"),
        ),
        Missing(
            key="songs",
            asks=("Create a playlist called {name}.", "new playlist {name} please"),
            replies=("Which songs should be in it?", "What songs shall I put into {name}?"),
            asks_zh=("新建一个歌单叫{name}", "帮我建个{name}歌单"),
            replies_zh=("要放哪些歌？", "请问歌单里加哪些歌曲？"),
        ),
    ),
)

_LISTENING = (20, 25, 30, 40, 45, 50, 60, 75, 90, 120)

FIND_PODCAST = Family(
    key="media.find_podcast",
    names=("find_podcasts", "search_podcast_episodes", "podcast_search", "discover_podcasts"),
    about=(
        "Find podcast episodes on a topic.",
        "Searches podcasts by topic, language and length. Nothing is played.",
        "Podcast search",
    ),
    about_zh=("按主题搜索播客节目。", "搜索播客，可限定语言和时长，不会播放。"),
    params=(
        Param("topic", TOPIC, ("topic", "subject", "about", "keywords"), ("What it is about",), ("主题",)),
        Param(
            "longest",
            Duration(values=_LISTENING),
            ("max_minutes", "max_length"),
            ("Longest episode",),
            ("最长时长",),
            False,
        ),
        Param("tongue", Tongue(), ("language", "lang"), ("Language of the podcast",), ("语言",), required=False),
    ),
    asks=(
        "Find me a podcast about {topic}[ in {tongue}].",
        "podcasts on {topic}[, at most {longest}]",
        "I'd like to learn something about {topic} on my way to work[, but it only takes {longest}]",
        "any good shows to listen to about {topic}[? in {tongue} please]",
        "My commute is boring. Is there an episode on {topic}[ no longer than {longest}]?",
        "something in {tongue} to listen to, about {topic}",
        "search podcast episodes: {topic}[, {tongue}][, up to {longest}]",
        "Who talks about {topic} in a podcast[ of {longest} or less]?",
        "got any podcast recommendations for someone into {topic}",
        "I'm doing the ironing and want to hear people chat about {topic}[, {longest} at most].",
        "i want to fall asleep to someone explaining {topic}, which podcast",
        "Long flight ahead: what could I listen to about {topic}[ in {tongue}], podcast-wise?",
    ),
    asks_zh=(
        "找一个讲{topic}的播客[，要{tongue}的]",
        "有没有关于{topic}的播客[，不超过{longest}]",
        "上班路上想听点{topic}的节目[，最长{longest}]",
        "推荐几期{topic}的播客",
        "通勤太无聊了，搜搜{topic}相关的播客[，{tongue}的]",
        "做家务的时候想听人聊{topic}[，{longest}以内]",
        "我最近对{topic}感兴趣，有什么播客节目吗",
        "搜播客：{topic}[，{tongue}][，{longest}以内]",
        "想听着{topic}的播客睡觉，有什么推荐",
        "要坐长途飞机，找点{topic}的播客[，{tongue}的]",
    ),
    outcomes=(
        Outcome(
            fields=(("show", TITLE), ("episodes", Integer(3, 300)), ("minutes", Integer(5, 20))),
            texts=("{show}: {episodes} episodes, about {minutes} min each",),
            texts_zh=("{show}：{episodes}期，每期约{minutes}分钟",),
            answers=(
                "There is a show called {show} with {episodes} episodes.",
                "Try {show}: it has {episodes} episodes of about {minutes} minutes.",
                "{show} is about {topic}, roughly {minutes} minutes an episode.",
            ),
            answers_zh=(
                "推荐{show}，一共{episodes}期。",
                "可以听听{show}，每期大约{minutes}分钟。",
                "{show}有{episodes}期节目，讲的是{topic}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="topic",
            asks=("Find me a podcast.", "I need a podcast of up to {longest}", "search for podcasts in {tongue}"),
            replies=("What should it be about?", "Which topic are you interested in?"),
            asks_zh=("给我找个播客", "搜个{longest}以内的播客"),
            replies_zh=("请问想听什么主题的？", "对哪方面的内容感兴趣？"),
        ),
    ),
    also=("information.search_web",),
)

RADIO = Family(
    key="media.radio",
    names=("tune_radio", "play_station", "radio_on", "start_radio", "listen_live"),
    about=(
        "Play a radio station.",
        "Tunes in to a live station, with a sleep timer if wanted.",
        "Live radio by the name of the station",
    ),
    about_zh=("播放电台。", "收听直播电台，可设置定时关闭。"),
    params=(
        Param("station", STATION, ("station", "channel", "station_name"), ("Name of the station",), ("电台名称",)),
        Param("sleep", Duration(), ("sleep_timer", "stop_after"), ("Stops after this time",), ("定时关闭",), False),
        Param("speaker", SPEAKER, ("device", "output"), ("Where to play",), ("播放设备",), required=False),
    ),
    asks=(
        "Tune in to {station}[ on the {speaker}].",
        "{station} please[, off after {sleep}]",
        "I'd like to listen to {station}[ for {sleep}]",
        "put {station} on[, {speaker}]",
        "turn on the radio, {station}[, and switch it off after {sleep}]",
        "Let me fall asleep to {station}, it should stop after {sleep}.",
        "my show starts on {station} any minute, get it running[ on the {speaker}]!",
        "can we have {station} on the {speaker}",
        "What's on {station} right now? Let it play.",
        "radio: {station}[, {sleep}]",
        "kick off my morning with {station}[ on the {speaker}]",
        "Grandpa wants his {station}[ for {sleep}], live of course.",
    ),
    asks_zh=(
        "打开{station}",
        "我要听{station}[，{sleep}后关]",
        "用{speaker}放{station}",
        "收音机调到{station}[，听{sleep}]",
        "睡前听会儿{station}，{sleep}后自动停",
        "{station}的节目马上开始了，快打开",
        "电台{station}[，在{speaker}上播]",
        "早上好，来点{station}的广播吧",
        "爷爷要听他的{station}[，{sleep}就关]",
        "开车呢，帮我调到{station}",
    ),
    outcomes=(
        Outcome(
            fields=(("programme", TITLE),),
            texts=("tuned in, now on air: {programme}",),
            texts_zh=("已打开，正在播出：{programme}",),
            answers=(
                "Tuned in to {station}: {programme} is on air.",
                "{station} is on, with {programme}.",
                "You're listening to {station}.",
            ),
            answers_zh=(
                "已为您调到{station}，现在是{programme}。",
                "{station}已打开，正在播出{programme}。",
                "正在播放{station}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="station",
            asks=("Turn on the radio.", "radio on the {speaker} please"),
            replies=("Which station would you like?", "Which station shall I tune in to?"),
            asks_zh=("打开收音机", "用{speaker}放广播"),
            replies_zh=("请问想听哪个电台？", "哪个频道？"),
        ),
    ),
    errors=("station not available",),
)

DOMAIN = Domain(
    "media",
    (PLAY_SONG, PAUSE, VOLUME, MAKE_PLAYLIST, FIND_PODCAST, RADIO, FILM_SEARCH, SHOW_TIMES, RESERVE_BOOK, PHOTOS),
    unserved=(
        ("Record the football match tonight.", "把今晚的球赛录下来。"),
        ("Who wrote the music for this film?", "这部电影的配乐是谁写的？"),
        ("Delete my Gym playlist.", "把健身房歌单删掉。"),
        ("Can you transcribe this song into sheet music?", "能把这首歌扒成谱子吗？"),
        ("Cancel my streaming subscription.", "帮我退订视频会员。"),
        ("Write a short poem in the style of a sea shanty.", "写一首船歌风格的小诗。"),
        ("Crop the picture so that only the dog is left.", "把照片裁剪一下，只留狗。"),
        ("Which headphones are the best for running?", "跑步用哪款耳机最好？"),
        ("Upload my band's demo to the label.", "把我们乐队的小样上传给唱片公司。"),
        ("How do I tune a ukulele?", "尤克里里怎么调音？"),
        ("Buy two tickets for the 8 pm screening.", "买两张晚上八点场的电影票。"),
        ("Follow this artist and tell me about new albums.", "关注这个歌手，有新专辑提醒我。"),
        ("Turn on the subtitles.", "打开字幕。"),
        ("Give this podcast five stars.", "给这个播客打五星。"),
    ),
)
