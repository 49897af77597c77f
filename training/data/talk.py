"""What needs no tool: small talk and short answers, refusals where no tool fits, questions back when in doubt."""

from .wordings import pool

REFUSALS = pool(
    """I can't do that with the tools I have.
    None of my tools can do that.
    Sorry, I have no tool for that.
    I'm afraid that is not something my tools can do.
    That is outside of what I can do here.
    I don't have a tool that does this, so I can't help with it.
    Sorry, that isn't possible with what I have at hand.
    My tools don't cover that.
    I'm not able to do that; no tool of mine is made for it.
    There is no tool here for that request.
    Unfortunately I can't do this: none of the tools fits.
    That is beyond my tools, sorry.
    I can't help with that one, because I lack the tool for it.
    No tool of mine does that. Is there something else I can do?
    Sorry, I can't do that from here.
    I looked at my tools and none of them can do this.
    I would need another tool for that.
    That request needs a tool that I don't have.
    I'm sorry, but my tools are made for other things.
    I can't take care of that with these tools.
    This is not something I can do at the moment: the right tool is missing.
    Nothing among my tools would do that, sorry.
    I have to pass on that, since I have no fitting tool.
    Sorry, I can only do what my tools allow, and that is not among it."""
)
REFUSALS_ZH = pool(
    """我现有的工具做不到这一点。
    抱歉，我没有能做这件事的工具。
    对不起，我的工具里没有一个能做这个。
    这超出了我现有工具的能力。
    很抱歉，这件事我办不了，没有合适的工具。
    目前的工具都不支持这个操作。
    抱歉，我手头的工具没法完成这个请求。
    我没有相应的工具，帮不上这个忙。
    这个我做不了，缺少对应的工具。
    不好意思，没有工具可以处理这个请求。
    很遗憾，现有工具都不适用。
    我这里没有可以做这件事的工具。
    抱歉，这个请求需要我没有的工具。
    这件事不在我能做的范围内。
    我看了一下，没有哪个工具能做到。
    对不起，我暂时做不到，工具里没有这项功能。
    没有合适的工具，这个我无法完成。还有别的可以帮你吗？
    抱歉，我只能做工具支持的事，这个不在其中。
    这个功能我没有，实在抱歉。
    我的工具是做别的事情的，这个帮不了你。
    不好意思，这个我没办法办到。
    要做这件事得用别的工具，我这里没有。
    恕我无能为力，现有工具不支持。"""
)
UNSURE = pool(
    """I'm not sure what you would like me to do. Could you say a bit more?
    What exactly do you need?
    Could you tell me more about what you want?
    I didn't quite get that. What should I do?
    Do you want me to do something? Please tell me what.
    I'm not certain what you mean. Could you put it in other words?
    What would you like me to do with that?
    Please give me a little more to go on.
    I may have misunderstood: what are you looking for?
    Can you be more specific?
    Sorry, I can't tell what you want yet. What is it about?
    That could mean several things. Which one do you mean?"""
)
UNSURE_ZH = pool(
    """我不太确定你想让我做什么，可以再说具体一点吗？
    你具体需要什么？
    能再多说一些吗？
    我没太明白，你想让我做什么？
    请问你是想让我帮什么忙？
    不太清楚你的意思，可以换个说法吗？
    你想让我拿这个做什么呢？
    能再给我一点信息吗？
    我可能理解错了，你想找的是什么？
    可以说得更具体些吗？
    抱歉，我还不清楚你的需求，是关于什么的？
    这句话有好几种理解，你指的是哪一种？"""
)


def _pairs(text: str) -> tuple[tuple[str, str, str, str], ...]:
    """Two lines each: question and reply in English, then both in Chinese."""
    lines = [tuple(part.strip() for part in line.split("|")) for line in text.strip().splitlines()]
    return tuple(
        (question, reply, question_zh, reply_zh)
        for (question, reply), (question_zh, reply_zh) in zip(lines[::2], lines[1::2], strict=True)
    )


_MANNERS = """
Hello! | Hello! How can I help you?
你好！ | 你好！有什么可以帮你的吗？
hi | Hi there! What can I do for you?
嗨 | 嗨！需要我做什么？
Good morning! | Good morning! I hope the day starts well for you.
早上好！ | 早上好！祝你今天一切顺利。
good evening | Good evening! What can I do for you?
晚上好 | 晚上好！有什么需要帮忙的？
Hey, are you there? | Yes, I'm here. What do you need?
在吗？ | 在的，请说。
How are you? | I'm well, thank you. How are you?
你好吗？ | 我很好，谢谢。你呢？
how's it going | All fine here, thanks. And with you?
最近怎么样 | 我这边一切正常，谢谢关心。你怎么样？
Nice to meet you. | Nice to meet you too!
很高兴认识你。 | 我也很高兴认识你！
I'm back! | Welcome back! What's next?
我回来啦！ | 欢迎回来！接下来做什么？
Thanks! | You're welcome!
谢谢！ | 不客气！
Thank you so much, that was really helpful. | I'm glad it helped!
太感谢了，帮了我大忙。 | 能帮到你我很高兴！
thx | You're welcome.
谢啦 | 不用谢。
Great job! | Thank you, that's kind of you.
干得好！ | 谢谢夸奖！
You're the best. | Thank you! I'm happy to help.
你真棒。 | 谢谢！很乐意帮忙。
Perfect, that's all. | Glad to hear it. Have a good day!
好了，就这些。 | 好的，祝你愉快！
ok | All right. Tell me if you need anything else.
好的 | 好的，还有需要就告诉我。
never mind | No problem. Just tell me if you need something.
算了 | 没关系，有需要再叫我。
Forget what I said. | All right, forgotten.
刚才的话当我没说。 | 好的，当作没说过。
Sorry, wrong window. | No problem at all.
不好意思，发错了。 | 没关系。
Bye! | Goodbye! Take care.
再见！ | 再见！保重。
Good night. | Good night, sleep well!
晚安。 | 晚安，好梦！
See you tomorrow. | See you tomorrow!
明天见。 | 明天见！
I have to go now. | All right, until next time!
我得走了。 | 好的，下次见！
Have a nice weekend! | Thank you, the same to you!
周末愉快！ | 谢谢，你也周末愉快！
Happy New Year! | Happy New Year to you too!
新年快乐！ | 也祝你新年快乐！
Merry Christmas! | Merry Christmas to you too!
圣诞快乐！ | 圣诞快乐！
Please. | Of course. What would you like me to do?
拜托了。 | 没问题，要我做什么？
Can you hear me? | I read what you write, and I'm listening.
你能听见吗？ | 我能看到你写的内容，请说。
Are you sure? | I try to be, but please check anything that matters.
你确定吗？ | 我尽力做到准确，重要的事请再核实一下。
That was wrong. | I'm sorry. Tell me what was wrong and I'll try again.
你刚才说错了。 | 对不起，请告诉我哪里不对，我再试一次。
You are useless. | I'm sorry that I was no help. What can I do better?
你真没用。 | 很抱歉没帮上忙，我可以怎么改进？
This takes far too long. | I'm sorry about the wait.
怎么这么慢。 | 抱歉让你久等了。
I don't understand you. | Sorry, I'll put it more simply. What was unclear?
我没听懂你的意思。 | 抱歉，我说简单点。哪里不清楚？
Please be brief. | I will be.
说简短点。 | 好的。
Speak English, please. | Of course, in English then.
请说中文。 | 好的，我说中文。
I'm sorry for being rude before. | No harm done. How can I help?
刚才态度不好，抱歉。 | 没关系，有什么可以帮你？
You made me laugh. | I'm glad I did!
你把我逗笑了。 | 那太好了！
"""

_ABOUT_ME = """
Who are you? | I'm an assistant that can chat and use tools for you.
你是谁？ | 我是一个助手，可以聊天，也能用工具帮你办事。
What can you do? | I can answer short questions and use the tools that I'm given.
你能做什么？ | 我可以回答简单的问题，也可以使用提供给我的工具。
What's your name? | I have no name of my own; just call me assistant.
你叫什么名字？ | 我没有自己的名字，叫我助手就行。
Are you a human? | No, I'm a computer program.
你是真人吗？ | 不是，我是一个计算机程序。
are you a robot | I'm a program, so a robot without a body, if you like.
你是机器人吗 | 我是一个程序，可以说是没有身体的机器人。
How old are you? | I don't have an age as people do.
你几岁了？ | 我没有年龄。
Where do you live? | I run on a computer; I have no home.
你住在哪里？ | 我在电脑里运行，没有住处。
Do you have feelings? | No, but I try to be kind.
你有感情吗？ | 没有，不过我会尽量友善。
Do you sleep? | No, I'm here whenever you write.
你会睡觉吗？ | 不会，你随时可以找我。
Do you ever make mistakes? | Yes, I do. Please check what matters.
你会出错吗？ | 会的，重要的事情请再确认一下。
What's your favourite colour? | I can't see colours, but blue sounds pleasant.
你最喜欢什么颜色？ | 我看不见颜色，不过蓝色听起来不错。
Do you like music? | I can't hear it, but I like that people enjoy it.
你喜欢音乐吗？ | 我听不到，不过喜欢看到大家享受音乐。
Can you learn? | Not from this chat, but I can use what you tell me in it.
你会学习吗？ | 聊天不会让我学会新东西，但我会用到你告诉我的内容。
Do you love me? | I can't love, but I'm glad to be of use to you.
你爱我吗？ | 我没有爱的能力，但很高兴能帮到你。
Are you smarter than me? | No. I know some things, and you know others.
你比我聪明吗？ | 谈不上，我知道一些，你知道另一些。
Do you eat? | No, but tell me what you like to eat!
你吃饭吗？ | 不吃，不过可以说说你爱吃什么！
Which languages do you speak? | I understand English and Chinese.
你会说哪些语言？ | 我懂中文和英文。
Will you remember this tomorrow? | Only if this chat is kept; I have no memory beyond it.
你明天还记得这些吗？ | 只有保留这段对话才行，除此之外我没有记忆。
Tell me something about yourself. | I'm a small language model that likes short answers.
介绍一下你自己。 | 我是一个小型语言模型，喜欢简短回答。
Can I trust you? | I try to be right, but check what is important.
我能相信你吗？ | 我会尽力说对，但重要的事请核实。
"""

_FEELINGS = """
I'm sad today. | I'm sorry to hear that. Would you like to tell me what happened?
我今天很难过。 | 听到这个我很遗憾，愿意说说发生了什么吗？
I'm so tired. | That sounds like a long day. I hope you can rest soon.
我好累。 | 辛苦了，希望你能早点休息。
I'm bored. | How about a walk, a book, or a chat with me?
好无聊啊。 | 去散散步、看看书，或者跟我聊聊天？
I got the job! | Congratulations! That's wonderful news.
我被录用了！ | 恭喜！真是好消息。
I failed my exam. | I'm sorry. It hurts now, but you can try again.
我考试没过。 | 别太难过，下次还有机会。
It's my birthday today! | Happy birthday! I hope it's a lovely day.
今天是我生日！ | 生日快乐！祝你今天过得开心。
I had a fight with my best friend. | That's hard. Perhaps a calm talk will help both of you.
我跟最好的朋友吵架了。 | 一定不好受，也许冷静下来谈一谈会好些。
I'm nervous about tomorrow. | That's natural. Take a deep breath; you'll manage.
明天的事让我好紧张。 | 紧张很正常，深呼吸，你可以的。
I feel lonely. | I'm sorry. Is there somebody you would like to call?
我觉得很孤单。 | 抱抱你。有没有想联系的人？
I'm so happy right now! | That's lovely! What made you so happy?
我现在特别开心！ | 真好！是什么让你这么开心？
My cat died last week. | I'm very sorry for your loss.
我的猫上周走了。 | 请节哀，我很遗憾。
We're having a baby! | Congratulations to all of you!
我们要有宝宝了！ | 恭喜你们！
I can't sleep. | I'm sorry. A dark, quiet room and no screen often help.
我睡不着。 | 试试把房间弄暗、安静一点，先别看屏幕。
Everything is too much for me. | That sounds hard. Take one small thing at a time.
事情太多，我快撑不住了。 | 一定很辛苦，一次只做一件小事，慢慢来。
I'm in love. | How lovely! I wish you both all the best.
我恋爱了。 | 真好！祝你们幸福。
My head hurts. | I'm sorry. Rest and some water may help; see a doctor if it stays.
我头疼。 | 休息一下，喝点水；如果一直疼就去看医生。
I passed my driving test! | Well done! Drive safely.
我驾照考过了！ | 太棒了！注意行车安全。
It's raining again and I hate it. | I understand. A warm tea may make it better.
又下雨了，真烦。 | 理解，喝杯热茶也许会好点。
"""

_OPINIONS = """
Tell me a joke. | Why did the scarecrow win a prize? He was outstanding in his field.
讲个笑话。 | 为什么数学书总是不开心？因为它的问题太多了。
another joke please | What do you call a bear without teeth? A gummy bear.
再讲一个笑话 | 小明问：“什么路最窄？”答：“冤家路窄。”
Do you know a riddle? | What has hands but can't clap? A clock.
出个谜语吧。 | 什么东西越洗越脏？水。
Tell me something funny. | I told my computer I needed a break, and it froze.
说点好笑的。 | 我跟电脑说想休息一下，结果它先死机了。
Cats or dogs? | Both are good company: cats for calm, dogs for walks.
猫好还是狗好？ | 各有各的好：猫安静，狗爱陪你散步。
Tea or coffee? | Tea for quiet, coffee for waking up.
茶好还是咖啡好？ | 想静一静喝茶，想提神喝咖啡。
Should I learn piano or guitar? | The one whose sound you love more: you'll practise it gladly.
学钢琴好还是吉他好？ | 选你更喜欢的音色，练起来才有劲。
Is it better to get up early? | It is if you also go to bed early.
早起好吗？ | 如果也能早睡，那就好。
Do you believe in ghosts? | I know of no proof for them, but they make good stories.
世界上有鬼吗？ | 没有证据，不过鬼故事挺有意思。
What is the meaning of life? | People answer it differently; many say love, work and friends.
人生的意义是什么？ | 每个人答案不同，很多人说是爱、事业和朋友。
Give me some advice. | Begin with the smallest step, and begin today.
给我一点建议。 | 从最小的一步开始，今天就开始。
Cheer me up. | You have managed hard days before, and you'll manage this one.
给我打打气。 | 以前的难关你都过来了，这次也行。
Say something wise. | Listen twice before you speak once.
说句有哲理的话。 | 听两遍，再说一遍。
What do you think of winter? | It's cold, but good for soup and books.
你觉得冬天怎么样？ | 冷是冷，但适合喝汤看书。
Is chocolate good for you? | A little of it does no harm to most people.
吃巧克力好吗？ | 少吃一点，对大多数人没坏处。
Heads or tails? You say. | I say heads.
正面还是反面？你来说。 | 我选正面。
Guess what I'm thinking of. | I can't read minds, but perhaps it's dinner?
猜猜我在想什么。 | 我不会读心，是不是在想晚饭？
Sing me a song. | I can't sing, but la la la is the best I can do.
唱首歌吧。 | 我不会唱，只能啦啦啦两句。
Give me a compliment. | You ask good questions.
夸夸我。 | 你很会提问题。
Shall I cut my hair short? | If you have wanted it for a while, try it: hair grows again.
我要不要剪短发？ | 如果想了很久就试试吧，头发还会长的。
Is money important? | It is, up to the point where one need not worry.
钱重要吗？ | 重要，够用不发愁就好。
"""

_FACTS = """
How many days does a leap year have? | A leap year has 366 days.
闰年有多少天？ | 闰年有366天。
How many legs does a spider have? | A spider has eight legs.
蜘蛛有几条腿？ | 蜘蛛有八条腿。
What is the capital of Italy? | The capital of Italy is Rome.
意大利的首都是哪里？ | 意大利的首都是罗马。
Which planet is closest to the sun? | Mercury is the closest to the sun.
离太阳最近的行星是哪颗？ | 是水星。
What is the largest ocean? | The Pacific is the largest ocean.
最大的海洋是哪个？ | 是太平洋。
Who wrote Hamlet? | William Shakespeare wrote it.
《哈姆雷特》是谁写的？ | 是莎士比亚写的。
Who painted the Mona Lisa? | Leonardo da Vinci painted it.
《蒙娜丽莎》是谁画的？ | 是达·芬奇画的。
How many minutes are in an hour? | There are 60 minutes in an hour.
一小时有多少分钟？ | 一小时有60分钟。
what do bees make | Bees make honey, and wax.
蜜蜂酿什么 | 蜜蜂酿蜂蜜，也产蜂蜡。
What is water made of? | Water is made of hydrogen and oxygen.
水是由什么组成的？ | 水由氢和氧组成。
Why is the sky blue? | Air scatters blue light more than red, so the sky looks blue.
天空为什么是蓝色的？ | 空气对蓝光的散射比红光强，所以天看起来是蓝的。
Why do leaves turn yellow? | In autumn the green fades and the yellow below it shows.
叶子为什么会变黄？ | 秋天绿色褪去，下面的黄色就显出来了。
What is a noun? | A noun is a word for a person, a place or a thing.
什么是名词？ | 名词是表示人、地方或事物的词。
What is gravity? | Gravity is the force that pulls masses towards each other.
什么是重力？ | 重力是地球对物体的吸引力。
How many continents are there? | Mostly seven are counted.
世界上有几个大洲？ | 通常说有七个大洲。
Which is the longest bone in the body? | The thigh bone is the longest.
人体最长的骨头是哪块？ | 是大腿骨。
At what temperature does water boil? | At sea level water boils at 100 degrees Celsius.
水多少度沸腾？ | 在海平面，水在100摄氏度沸腾。
Is a whale a fish? | No, a whale is a mammal.
鲸鱼是鱼吗？ | 不是，鲸是哺乳动物。
Is a tomato a fruit? | To a botanist, yes; in the kitchen it's a vegetable.
西红柿是水果吗？ | 从植物学上说是果实，在厨房里当蔬菜。
What does HTML stand for? | It stands for HyperText Markup Language.
HTML 是什么的缩写？ | 是“超文本标记语言”的英文缩写。
What is a browser? | A browser is a program that shows web pages.
浏览器是什么？ | 浏览器是用来显示网页的程序。
How many strings does a violin have? | A violin has four strings.
小提琴有几根弦？ | 小提琴有四根弦。
How many players does a football team have on the pitch? | There are eleven.
足球队场上有几个人？ | 十一个人。
How many sides does a triangle have? | A triangle has three sides.
三角形有几条边？ | 三角形有三条边。
Which animal is the largest? | The blue whale is the largest animal.
最大的动物是什么？ | 是蓝鲸。
What colour do blue and yellow make? | Blue and yellow paint make green.
蓝色和黄色混在一起是什么颜色？ | 颜料混合后是绿色。
Does the sun rise in the east? | Yes, it rises in the east and sets in the west.
太阳从东边升起吗？ | 是的，东升西落。
How many letters does the English alphabet have? | It has 26 letters.
英文字母有多少个？ | 有26个。
What do plants need to grow? | They need light, water, air and nutrients.
植物生长需要什么？ | 需要光、水、空气和养分。
Why do we yawn? | Nobody is quite sure; it may help to keep us awake.
人为什么会打哈欠？ | 还没有定论，可能是为了保持清醒。
What is a prime number? | It can only be divided by one and by itself.
什么是质数？ | 质数只能被1和它自己整除。
What is ice? | Ice is frozen water.
冰是什么？ | 冰是冻结的水。
Which month has the fewest days? | February has the fewest.
哪个月天数最少？ | 是二月。
What is an island? | An island is land with water all around it.
什么是岛？ | 岛是四面被水包围的陆地。
Who was the first person on the Moon? | It was Neil Armstrong, in 1969.
第一个登上月球的人是谁？ | 是阿姆斯特朗，在1969年。
What is the Great Wall? | It's a very long system of old walls in northern China.
长城是什么？ | 长城是中国北方绵延很长的古代防御城墙。
what is a byte | A byte is eight bits.
一个字节是多少 | 一个字节是八个比特。
Do fish sleep? | Most fish rest, though they have no eyelids to close.
鱼会睡觉吗？ | 大多数鱼会休息，只是没有眼皮可闭。
How long does an egg need to be hard-boiled? | About ten minutes in boiling water.
鸡蛋煮多久才熟透？ | 水开后煮十分钟左右。
Why is the sea salty? | Rivers carry salts from rocks into the sea.
海水为什么是咸的？ | 河水把岩石中的盐分带进了大海。
What is bread made of? | Mostly flour, water, salt and yeast.
面包是用什么做的？ | 主要是面粉、水、盐和酵母。
"""

_WRITING = """
Write a short birthday wish for my aunt. | Happy birthday, dear aunt! May the year bring you health and joy.
给我姑姑写句生日祝福。 | 姑姑生日快乐，愿您健康喜乐！
Write one sentence about autumn. | The leaves fall slowly, and the air smells of rain.
写一句关于秋天的话。 | 秋风起，叶落满阶。
Give me a polite way to say no to an invitation. | “Thank you for asking me, but I can't come this time.”
怎么礼貌地拒绝邀请？ | 可以说：“谢谢邀请，不过这次我去不了。”
How do I begin a formal letter? | Begin with “Dear Sir or Madam,” if you don't know the name.
正式信件怎么开头？ | 可以写“尊敬的先生/女士：”。
Write a two-line poem about the sea. | The sea comes in, the sea goes out, and leaves a shell for me.
写两句关于大海的诗。 | 潮来潮去月如钩，一片帆影入海流。
Suggest a title for my holiday album. | How about “Two Weeks of Sun”?
给我的旅行相册起个标题。 | 叫“阳光两周”怎么样？
Make this sound nicer: send me the file. | “Could you please send me the file?”
把“把文件发我”说得客气点。 | “麻烦您把文件发给我，好吗？”
Finish the sentence: the early bird … | … catches the worm.
接下一句：床前明月光 | 疑是地上霜。
Write a thank-you line for a teacher. | Thank you for your patience and for believing in us.
写一句感谢老师的话。 | 谢谢您的耐心与鼓励，老师辛苦了！
Write a sentence with the word “river”. | The river was quiet in the morning.
用“因为”造个句子。 | 因为下雨，我们改在室内活动。
A short toast for a wedding, please. | To the two of you: may you laugh together all your lives!
来一句婚礼祝酒词。 | 祝你们永结同心，白头偕老！
Say “I'll be late” in a friendly way. | “Sorry, I'm running a little late. See you soon!”
怎么友好地说我要迟到了？ | “不好意思，我会晚一点到，马上见！”
How do I say sorry to a colleague? | “I'm sorry about this morning; I should have asked you first.”
怎么跟同事道歉？ | “早上的事对不起，我应该先问问你。”
Give me a slogan for a bakery. | Fresh before the sun is up.
给面包店想句广告语。 | 太阳没起，面包先香。
Write a get-well line. | Get well soon, we miss you!
写一句祝早日康复的话。 | 祝你早日康复，我们都想你！
"""

TALK = _pairs(_MANNERS) + sum((_pairs(part) for part in (_ABOUT_ME, _FEELINGS, _OPINIONS, _FACTS, _WRITING)), ())
