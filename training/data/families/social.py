"""Social networks: posts, comments, hashtags, followers, accounts to mute."""

from training.data.family import Ask, Domain, Family, Missing, Outcome, Param
from training.data.kinds import Choice, Decimal, Flag, Integer, ListOf, Word
from training.data.times import Moment
from training.data.wordings import composed, pool

NETWORK = Choice(
    {
        "instagram": (("Instagram", "insta", "IG"), ("Instagram", "ins")),
        "facebook": (("Facebook", "FB"), ("Facebook", "脸书")),
        "linkedin": (("LinkedIn",), ("领英", "LinkedIn")),
        "tiktok": (("TikTok",), ("抖音", "TikTok")),
        "weibo": (("Weibo",), ("微博",)),
        "youtube": (("YouTube",), ("YouTube", "油管")),
    }
)
POST = Word(
    pool(
        """We are open again! | New bread every morning from six. | Thank you for 500 followers
        Rainy day, good book | Our summer menu is here. | Guess who got a puppy? | Doors open at eight tonight
        Last chance for early tickets | Spring sale starts now | Meet our new apprentice Lena
        Sold out, you are amazing! | First snow on the terrace | Coffee tastes better with friends.
        Back from holiday with new ideas | We are hiring a baker | Behind the scenes | Can you spot the cat?
        Ten years and still having fun | Finished my first marathon! | Workshop places left: two
        Fresh strawberries until Friday | Closed on Monday for repairs | Sunday brunch is back
        Look at this sunset"""
    ),
    pool(
        """今天开始恢复营业啦 | 新品上架，欢迎试吃 | 感谢五百位粉丝的支持 | 下雨天和好书最配 | 夏季菜单来了
        今晚八点不见不散 | 早鸟票最后一天 | 春季特惠开始 | 欢迎新同事小林 | 全部售罄，谢谢大家 | 初雪来了
        周末一起喝咖啡吗 | 度假归来，满血复活 | 招一名面包师 | 幕后花絮 | 猜猜猫在哪里 | 我们十岁了
        人生第一个马拉松完赛 | 手工课还剩两个名额 | 草莓季到周五结束 | 周一设备检修，暂停营业 | 周日早午餐回归
        看看今天的晚霞 | 团队合影出炉"""
    ),
    quoted=0.92,
)
HANDLE = composed(
    ("@{first}{second}", "@{first}_{second}", "@{first}.{second}"),
    ("@{first}{second}", "@{first}_{second}"),
    {
        "first": pool(
            """lena | urban | blue | real | tiny | north | coffee | lazy | mister | hello | green | data | old"""
        ),
        "second": pool(
            """baker | trails | fox | studio | notes | kitchen | runner | 88 | maps | daily | garden | pixel"""
        ),
    },
)
TAG = Word(
    pool(
        """streetfood | vanlife | sourdough | catsofberlin | homegarden | trailrunning | bookclub | slowfashion
        ceramics | mondaymood | filmphotography | zerowaste | smallbusiness | knitting | cityrun | plantbased
        oldtimers | boardgames | wildswimming | techjobs | gardening | campinglife | vinyl"""
    ),
    pool(
        """露营 | 手冲咖啡 | 城市漫步 | 胶片摄影 | 减脂餐 | 阳台种菜 | 二手书 | 猫咪日常 | 国风 | 骑行 | 手账 | 烘焙
        独立书店 | 跑步打卡 | 租房改造 | 老歌 | 毕业季 | 亲子游 | 极简生活 | 周末去哪儿 | 黑胶唱片 | 编织"""
    ),
)

PUBLISH = Family(
    key="social.publish",
    names=("publish_post", "create_social_post", "post_update", "share_on_network", "new_status"),
    about=(
        "Publish a post on a social network.",
        "Posts a text, at once or at a set time.",
        "Puts an update on one of the user's profiles. Private messages are not sent with it.",
    ),
    about_zh=("在社交平台发布动态。", "发帖，可定时；不用于私信。"),
    params=(
        Param("text", POST, ("text", "content", "caption", "body"), ("Text of the post",), ("帖子内容",)),
        Param("network", NETWORK, ("network", "platform", "channel"), ("Where to post",), ("平台",)),
        Param("when", Moment(), ("publish_at", "scheduled_time", "when"), ("Now if left out",), ("定时发布",), False),
        Param("tags", ListOf(TAG, 1, 3), ("hashtags", "tags"), ("Hashtags without #",), ("话题标签，不带#",), False),
    ),
    asks=(
        "Post {text} on {network}[ with the hashtags {tags}].",
        "put this on {network}: {text}",
        "{network} post[, {when}]: {text}",
        "Let everybody on {network} know: {text}",
        "My boss wants something up on {network}[ {when}]. Write {text}[ and tag it {tags}].",
        "can you share {text} to our {network} page",
        "Time to feed the {network} crowd again, they get: {text}[. Tags: {tags}]",
        "publish on {network}[ {when}]: {text}",
        "I want to see {text} up on {network}[ {when}].",
        "{network} needs a sign of life from us, use {text}",
    ),
    asks_zh=(
        "在{network}发一条：{text}",
        "帮我发{network}，内容是{text}[，带上话题{tags}]",
        "{network}更新一下，写{text}",
        "把{text}发到{network}[，定在{when}]",
        "[{when}]往{network}上发{text}",
        "好久没更{network}了，发个{text}吧",
        "老板催着更新{network}，文案用{text}[，标签加{tags}]",
        "{network}：{text}，发出去",
        "我想[{when}]在{network}上发布{text}",
        "让{network}上的粉丝都看到：{text}",
        "给{network}账号发条动态，就写{text}[，话题{tags}]",
    ),
    outcomes=(
        Outcome(
            fields=(("post_id", Integer(10000, 99999)),),
            texts=("accepted, post {post_id}",),
            texts_zh=("已受理，帖子{post_id}",),
            answers=(
                "Your post for {network} is in, number {post_id}.",
                "Done, {post_id} on {network}.",
                "That's set up.",
            ),
            answers_zh=("{network}的帖子弄好了，编号{post_id}。", "好了，帖子编号{post_id}。", "已经处理好了。"),
        ),
    ),
    missing=(
        Missing(
            "text",
            ("Post something on {network}.", "new {network} post please", "Our {network} page needs an update."),
            ("What should the post say?", "Which text should I publish on {network}?"),
            ("在{network}发条动态。", "帮我更新一下{network}", "{network}该发帖了"),
            ("请问发什么内容？", "{network}上想写点什么？"),
        ),
        Missing(
            "network",
            ("Publish {text} for me.", "Post this: {text}", "tell the followers {text}"),
            ("On which network?", "Where should I post it?"),
            ("发一条动态：{text}", "帮我发{text}"),
            ("请问发到哪个平台？", "要发在哪个平台上？"),
        ),
    ),
)

COMMENTS = Family(
    key="social.moderate",
    names=("moderate_comment", "handle_comment", "comment_action", "update_comment_state"),
    about=(
        "Hide, delete, pin or like a comment.",
        "Acts on one comment under the user's posts.",
        "Comment moderation. It writes no replies.",
    ),
    about_zh=("处理评论：隐藏、删除、置顶或点赞。", "对帖子下的某条评论进行操作，不能回复。"),
    params=(
        Param("author", HANDLE, ("author", "commenter", "user_handle"), ("Who wrote the comment",), ("评论者",)),
        Param(
            "action",
            Choice(
                {
                    "hide": (("hide",), ("隐藏",)),
                    "delete": (("delete", "remove"), ("删除", "删掉")),
                    "pin": (("pin",), ("置顶",)),
                    "like": (("like",), ("点赞",)),
                }
            ),
            ("action", "operation", "do"),
            ("What to do with it",),
            ("操作",),
        ),
    ),
    asks=(
        "{action} the comment by {author}",
        "Please {action} what {author} wrote under my post.",
        Ask("What {author} wrote is so lovely, keep it at the top of the comments.", {"action": "pin"}),
        Ask("get rid of {author}'s comment for good", {"action": "delete"}),
        Ask("Give {author}'s comment a thumbs up.", {"action": "like"}),
        Ask("nobody should see {author}'s comment for now, but keep it", {"action": "hide"}),
        "there's a comment from {author}, {action} it",
        Ask("{author} is spamming below my photo again. Delete that comment.", {"action": "delete"}),
        Ask("a little heart for the comment of {author}, please", {"action": "like"}),
        "comment of {author}: {action}",
    ),
    asks_zh=(
        "把{author}的评论{action}",
        "{action}{author}那条评论",
        Ask("{author}又在下面发广告，评论删了吧", {"action": "delete"}),
        Ask("{author}写得真好，放到评论区最上面", {"action": "pin"}),
        Ask("给{author}的评论点个赞", {"action": "like"}),
        Ask("{author}的评论先别让别人看到，但不要删", {"action": "hide"}),
        "帖子下面{author}的留言，帮我{action}",
        Ask("{author}骂人，直接把评论去掉", {"action": "delete"}),
        Ask("把{author}的留言顶到第一条", {"action": "pin"}),
        "{author}的那条，{action}一下",
        Ask("替我给{author}的留言比个心", {"action": "like"}),
    ),
    outcomes=(
        Outcome(
            fields=(("remaining_comments", Integer(2, 400)),),
            texts=("ok, {remaining_comments} comments visible",),
            texts_zh=("完成，可见评论{remaining_comments}条",),
            answers=(
                "Done with {author}'s comment.",
                "That's done; {remaining_comments} comments are visible.",
                "Done.",
            ),
            answers_zh=("{author}的评论处理好了。", "好了，现在可见评论{remaining_comments}条。", "已经处理。"),
        ),
    ),
    missing=(
        Missing(
            "author",
            ("{action} that comment", "Please {action} the comment under my photo."),
            ("Whose comment do you mean?", "Which user wrote it?"),
            ("把那条评论{action}", "帮我{action}一条评论"),
            ("请问是谁的评论？", "是哪个用户写的？"),
        ),
        Missing(
            "action",
            ("Do something about {author}'s comment.", "there is a comment by {author}, handle it"),
            ("Should I hide, delete, pin or like it?", "What should I do with the comment?"),
            ("处理一下{author}的评论", "{author}那条评论管一管"),
            ("请问要隐藏、删除、置顶还是点赞？", "想怎么处理这条评论？"),
        ),
    ),
)

AUDIENCE = Family(
    key="social.audience",
    names=("follower_stats", "audience_growth", "get_follower_count", "channel_statistics"),
    about=(
        "How many followers the user has on a network.",
        "Number of followers and how it changed in the last days.",
        "Audience figures of the own profile, not of other people's.",
    ),
    about_zh=("查询自己账号的粉丝数。", "返回某平台的粉丝数量和最近的变化。"),
    params=(
        Param("network", NETWORK, ("network", "platform", "site"), ("Which network",), ("平台",)),
        Param(
            "days", Integer(3, 90), ("last_days", "period_days", "window"), ("Days to look back",), ("最近天数",), False
        ),
    ),
    asks=(
        "How many followers do I have on {network}?",
        "{network} followers[, last {days} days]",
        "Are we growing on {network}[ over the past {days} days]?",
        "did anybody new subscribe to us at {network}",
        "My {network} account feels dead. How many people still follow it?",
        "what's our reach looking like on {network}[? take {days} days]",
        "I bet my sister that I'd reach a thousand fans on {network}. How many is it now?",
        "Show me the audience figures for {network}[ for {days} days].",
        "has the crowd on {network} got bigger[ in the last {days} days]",
        "how popular are we on {network} these days",
    ),
    asks_zh=(
        "我的{network}有多少粉丝了？",
        "{network}粉丝数",
        "[最近{days}天]{network}涨粉了吗？",
        "看看{network}掉粉没有[，看{days}天的]",
        "我们{network}现在多少人关注",
        "跟朋友打赌{network}能破千，现在多少粉了？",
        "{network}[近{days}天]的关注人数变化",
        "最近{network}没什么人气，到底还有多少人关注？",
        "{network}账号做得怎么样了，粉丝多少",
        "查一下{network}的粉丝[，{days}天内的]",
        "想知道{network}上有多少人在看我们",
    ),
    outcomes=(
        Outcome(
            fields=(("followers", Integer(120, 48000)), ("change_percent", Decimal(-4, 18))),
            texts=("{followers} followers, {change_percent}% change",),
            texts_zh=("粉丝{followers}，变化{change_percent}%",),
            answers=(
                "You have {followers} followers on {network}.",
                "{followers} people follow you, a change of {change_percent}%.",
                "It's {followers} on {network}, {change_percent}% against before.",
            ),
            answers_zh=(
                "您在{network}上有{followers}个粉丝。",
                "现在粉丝{followers}，变化{change_percent}%。",
                "{network}粉丝数是{followers}。",
            ),
        ),
    ),
    missing=(
        Missing(
            "network",
            ("How many followers do I have?", "are we getting more fans", "How is my audience doing?"),
            ("On which network?", "Which platform should I look at?"),
            ("我有多少粉丝？", "最近涨粉了吗", "现在多少人关注我"),
            ("请问是哪个平台？", "想看哪个平台的粉丝？"),
        ),
    ),
)

TRENDS = Family(
    key="social.hashtag",
    names=("hashtag_popularity", "tag_insights", "check_hashtag", "hashtag_usage"),
    about=(
        "How much a hashtag is used.",
        "Posts per day with a hashtag and the best hour to use it.",
        "Tells whether a tag is popular. It publishes nothing.",
    ),
    about_zh=("查询话题标签的热度。", "返回某个话题每天的帖子数，不会发帖。"),
    params=(
        Param("tag", TAG, ("hashtag", "tag", "topic_tag"), ("Tag without the #",), ("话题，不带#",)),
        Param("network", NETWORK, ("network", "platform"), ("All networks if left out",), ("平台",), False),
    ),
    asks=(
        "How popular is #{tag}[ on {network}]?",
        "is anybody still using #{tag}[ on {network}]",
        "Does the hashtag {tag} do well[ on {network}]?",
        "#{tag}, hot or not?",
        "I was thinking of tagging my pottery pictures with {tag}. Do people look at that tag?",
        "how many posts a day carry #{tag}",
        "Is {tag} trending[ over on {network}]?",
        "Worth using {tag} as a hashtag[ on {network}]?",
        "numbers for the tag {tag}[, {network} only]",
        "my intern swears by #{tag}[ for {network}]. Check how much it is used, will you?",
    ),
    asks_zh=(
        "#{tag}这个话题火吗？",
        "[{network}上]{tag}这个标签热度怎么样",
        "话题{tag}每天有多少帖子",
        "现在还有人用#{tag}吗[，{network}上]",
        "{tag}上热门了没有",
        "我想给照片打上{tag}的标签，这个标签有人看吗？",
        "查查#{tag}的热度[，只看{network}]",
        "实习生说{tag}这个话题流量大，真的吗？",
        "[在{network}]带{tag}话题有用吗，多少人在发",
        "{tag}话题的数据给我看看",
        "#{tag} 值不值得带",
    ),
    outcomes=(
        Outcome(
            fields=(("posts_per_day", Integer(20, 90000)), ("best_hour", Integer(6, 22))),
            texts=("{posts_per_day} posts/day, best hour {best_hour}",),
            texts_zh=("每天{posts_per_day}帖，最佳时段{best_hour}点",),
            answers=(
                "#{tag} has {posts_per_day} posts a day.",
                "There are {posts_per_day} posts a day; the best hour is {best_hour}:00.",
                "{posts_per_day} posts a day use {tag}.",
            ),
            answers_zh=(
                "#{tag}每天有{posts_per_day}条帖子。",
                "每天{posts_per_day}帖，{best_hour}点发效果最好。",
                "{tag}话题每天{posts_per_day}条。",
            ),
        ),
    ),
    missing=(
        Missing(
            "tag",
            ("Is my hashtag popular?", "check how much a tag is used on {network}"),
            ("Which hashtag do you mean?", "What is the tag?"),
            ("这个话题火不火？", "帮我查个标签的热度"),
            ("请问是哪个话题？", "标签叫什么？"),
        ),
    ),
)

MUTE = Family(
    key="social.mute",
    names=("mute_account", "silence_profile", "mute_user", "set_account_mute"),
    about=(
        "Mute an account so that its posts are not shown.",
        "Hides all posts of somebody from the timeline, for some days or for good.",
        "Silences a profile. The comments under own posts are another matter.",
    ),
    about_zh=("屏蔽某个账号的动态。", "不再显示某人的帖子，可设天数。"),
    params=(
        Param("account", HANDLE, ("account", "handle", "username", "profile"), ("Whose posts",), ("账号",)),
        Param(
            "days", Integer(2, 60), ("days", "for_days", "duration_days"), ("For good if left out",), ("天数",), False
        ),
        Param("stories", Flag(), ("stories_too", "include_stories"), ("Stories as well",), ("是否包括快拍",), False),
    ),
    asks=(
        "Mute {account}[ for {days} days].",
        "I don't want to see {account} in my feed[ for {days} days]",
        "{account} posts forty times a day, spare me that[ for the next {days} days].",
        "silence {account}[ {days} days]",
        "no more posts by {account} please",
        Ask("Mute {account}, stories too.", {"stories": True}),
        Ask("stop showing me {account}'s posts and stories[ for {days} days]", {"stories": True}),
        "My ex is {account}. I can't bear the holiday pictures, take them out of my timeline[ for {days} days].",
        "Can you make {account} disappear from my home page[ for {days} days]?",
        "a break from {account}[, {days} days]",
    ),
    asks_zh=(
        "屏蔽{account}[{days}天]",
        "不想再看到{account}的动态了",
        "{account}天天刷屏，[{days}天内]别给我推了",
        "把{account}静音[，{days}天]",
        "[接下来{days}天]首页不要出现{account}",
        Ask("{account}的动态和快拍都别让我看到", {"stories": True}),
        Ask("屏蔽{account}，快拍也一起[，{days}天]", {"stories": True}),
        "{account}是我前任，看着心烦，帮我屏蔽掉",
        "让{account}从我的时间线消失[{days}天]",
        "眼不见为净，{account}不看了",
        "{account}太吵了，安静[{days}天]吧",
    ),
    outcomes=(
        Outcome(
            fields=(("muted_accounts", Integer(1, 40)),),
            texts=("muted; {muted_accounts} accounts in all",),
            texts_zh=("已屏蔽，共{muted_accounts}个账号",),
            answers=(
                "{account} is muted.",
                "You won't see {account} any more.",
                "Done, {muted_accounts} accounts are muted.",
            ),
            answers_zh=(
                "已屏蔽{account}。",
                "好了，不会再看到{account}的动态。",
                "屏蔽好了，一共{muted_accounts}个账号。",
            ),
        ),
    ),
    missing=(
        Missing(
            "account",
            ("Mute somebody for {days} days.", "One person is spoiling my feed, silence them."),
            ("Which account should I mute?", "Whose posts do you not want to see?"),
            ("帮我屏蔽一个人", "有个账号太烦了，{days}天别让我看到"),
            ("请问要屏蔽哪个账号？", "是哪个账号？"),
        ),
    ),
)

DOMAIN = Domain(
    "social",
    (PUBLISH, COMMENTS, AUDIENCE, TRENDS, MUTE),
    unserved=(
        ("Change my profile picture.", "帮我换个头像。"),
        ("Who looked at my story yesterday?", "昨天谁看了我的快拍？"),
        ("Make my account private.", "把我的账号设为私密。"),
        ("Reply to the question under my last video.", "回复一下我上个视频下面的提问。"),
        ("Download all pictures I ever posted.", "把我发过的照片全部下载下来。"),
        ("Buy me some advertising for the bakery page.", "给面包店主页投点广告。"),
        ("Apply for the blue tick.", "帮我申请蓝V认证。"),
        ("Cut the clip to thirty seconds.", "把视频剪到三十秒。"),
        ("Delete my account completely.", "把我的账号彻底注销。"),
        ("Which influencers talk about hiking?", "有哪些博主讲徒步？"),
        ("Start a live stream.", "开个直播。"),
        ("Report that fake profile to the platform.", "向平台举报那个假账号。"),
        ("Change my user name.", "改一下我的用户名。"),
    ),
)
