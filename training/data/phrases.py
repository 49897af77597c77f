"""Words between, before and after questions, follow-ups, and what is said when a tool fails."""

CONNECTORS = (
    ". Also, ",
    " and also ",
    ". And ",
    "; ",
    ", and then ",
    ". Then ",
    " – oh, and ",
    "? And ",
    ". Plus: ",
    "\n",
    ". Next: ",
    ". After that, ",
    " and ",
    ". I also want to know: ",
    ". One more thing: ",
    ", plus ",
)
CONNECTORS_ZH = (
    "，另外",
    "。还有，",
    "，然后",
    "；",
    "，顺便",
    "。再",
    "，同时",
    "\n",
    "。另外，",
    "，还有",
    "，再帮我",
)
BEFORE = (
    "Hi! ",
    "Hey, ",
    "Hello there. ",
    "Quick question: ",
    "Please: ",
    "Ok so ",
    "hey ",
    "Good morning! ",
    "Sorry to bother you. ",
    "I'm in a hurry. ",
    "Could you help me? ",
    "Right, ",
    "So, ",
    "One thing: ",
)
AFTER = (
    " Thanks!",
    " Thank you.",
    " thx",
    " Please.",
    " That would be great.",
    " Cheers",
    " 🙂",
    " I'd appreciate it.",
)
BEFORE_ZH = ("你好，", "您好！", "请问，", "麻烦你，", "嗨，", "问一下，", "早上好，", "帮个忙，", "打扰一下，")
AFTER_ZH = ("谢谢！", "谢谢", "多谢啦", "麻烦了。", "拜托了", "辛苦了")
SAME_FOR = (
    " And the same for {}.",
    " Also for {}.",
    " Then do it for {} too.",
    " Same thing for {}, please.",
    ", and for {} as well",
    " And {}?",
)
SAME_FOR_ZH = ("，{}也一样。", "，还有{}也要。", "。{}也帮我弄一下。", "，{}也同样处理", "。还有{}呢？")
FOLLOW_UPS = (
    "And {}?",
    "What about {}?",
    "and {}",
    "Same for {}, please.",
    "How about {}?",
    "Now for {}.",
    "ok, {} too",
)
FOLLOW_UPS_ZH = ("那{}呢？", "{}呢？", "换成{}呢", "还有{}呢？", "那{}怎么样？", "再看看{}")
SUPPLIED = ("{}", "{}.", "{}, please", "It's {}.", "Oh, sorry: {}", "{} of course", "let's say {}")
SUPPLIED_ZH = ("{}", "{}。", "是{}", "哦，{}", "就{}吧", "{}，谢谢")
FAILURES = (
    "the service is not available right now",
    "request timed out after 30 s",
    "not found",
    "permission denied",
    "rate limit exceeded, try again later",
    "HTTP 503",
    "invalid value",
    "connection refused",
    "internal error",
    "no data for this request",
    "quota used up",
    "authentication failed",
)
FAILED = (
    "That did not work: {}.",
    "Sorry, the tool failed: {}.",
    "I could not do that: {}.",
    "I got an error instead: {}.",
    "It didn't go through: {}. Shall I try again?",
    "I couldn't get an answer: {}.",
)
FAILED_ZH = (
    "没有成功：{}。",
    "抱歉，工具出错了：{}。",
    "这次没能完成：{}。",
    "出错了：{}。要再试一次吗？",
    "暂时无法完成：{}。",
)
NOISE = (
    ("status", "ok"),
    ("source", "live"),
    ("cached", False),
    ("request_id", "r-48213"),
    ("version", 2),
    ("took_ms", 132),
    ("ok", True),
    ("provider", "demo"),
)
