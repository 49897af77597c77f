"""Tools for films, cinemas, books and photos."""

from training.data.family import Family, Missing, Outcome, Param, PartOf
from training.data.kinds import Choice, Decimal, Integer, Made, Word
from training.data.times import Clock, Day, Duration
from training.data.world import City, Person

from ._media_words import AUTHOR, SCREEN_GENRE, TITLE, years

FILM_SEARCH = Family(
    key="media.film_search",
    names=("search_titles", "find_films", "film_search", "discover_movies_and_series", "what_to_watch"),
    about=(
        "Find films or series by genre, and by year, rating, actor or length.",
        "Searches the catalogue of films and series. It does not know cinemas.",
        "Catalogue search for films and series",
    ),
    about_zh=("按类型、年份、评分等搜索影视作品。", "搜索电影或剧集，不含影院排片。"),
    params=(
        Param("genre", SCREEN_GENRE, ("genre", "category"), ("Genre",), ("类型",)),
        Param(
            "form",
            Choice(
                {"film": (("film", "movie"), ("电影",)), "series": (("series", "TV series"), ("剧集", "电视剧"))},
                ({"film": "movie", "series": "tv"},),
            ),
            ("type", "kind", "format"),
        ),
        Param("actor", Person(1.0), ("actor", "starring", "cast_member"), ("Who plays in it",), ("演员",), False),
        Param("year", years(1960, 2025), ("from_year", "min_year"), ("Not older than",), ("最早年份",), False),
        Param("rating", Decimal(5, 8.4, 1), ("min_rating", "rating"), ("At least, of 10",), ("最低评分",), False),
        Param(
            "longest", Duration(values=(80, 90, 100, 110, 120, 150, 180)), ("max_runtime", "max_length"), (), (), False
        ),
    ),
    asks=(
        "Find a {genre} {form}[ with {actor}][ rated at least {rating}].",
        "I feel like watching a {genre} {form} tonight[, nothing over {longest}]",
        "any {genre} {form} starring {actor}[, made in {year} or later]?",
        "what's a {genre} {form} with a rating of {rating} or better[ and {actor} in it]",
        "We're on the sofa and can't decide. A {genre} {form} would be nice[, {longest} at most].",
        "{genre} {form}[ {actor}][ rating {rating}+]",
        "Show me a {genre} {form}[ under {longest}][ that has {actor} in it].",
        "my girlfriend adores {actor}, is there a {genre} {form} with them?",
        "Recommend a {genre} {form} please[, not older than {year}][, minimum rating {rating}].",
        "could you look for a {genre} {form}[ of up to {longest}], from {year} or newer",
        "Bored. {genre} {form}?",
        "date night! need a {genre} {form}[, rating {rating} at least][ and under {longest}]",
        "Help, the kids want a {genre} {form}[ not older than {year}].",
    ),
    asks_zh=(
        "找一部{genre}{form}[，{actor}演的][，评分{rating}以上]",
        "今晚想看个{genre}{form}[，别超过{longest}]",
        "{actor}有没有演过{genre}{form}",
        "推荐一部{year}年以后的{genre}{form}[，评分至少{rating}]",
        "我们窝在沙发上不知道看什么，来部{genre}{form}吧[，{longest}以内]",
        "{genre}{form}[，主演{actor}][，{year}年以后的]",
        "搜一下评分{rating}以上的{genre}{form}",
        "女朋友很喜欢{actor}，找部{actor}的{genre}{form}",
        "好无聊，有什么{genre}{form}可看的",
        "约会夜看什么好？{genre}{form}[，{rating}分以上][，{longest}以内]",
        "孩子们吵着要看{genre}{form}[，{year}年以后的]",
    ),
    outcomes=(
        Outcome(
            fields=(("title", TITLE), ("score", Decimal(8.6, 9.8, 1))),
            texts=("{title} (score {score})",),
            texts_zh=("{title}（评分{score}）",),
            answers=(
                "{title} could be something for you; people give it {score}.",
                "How about {title}? It has a score of {score}.",
                "I found {title}, rated {score}.",
            ),
            answers_zh=(
                "推荐{title}，大家打了{score}分。",
                "可以看看{title}，评分{score}。",
                "找到了{title}，评分是{score}。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="genre",
            asks=("Find me a {form} with {actor}.", "I want to watch a {form}"),
            replies=("Which genre do you like?", "What genre should it be?"),
            asks_zh=("找一部{actor}演的{form}", "想看{form}"),
            replies_zh=("请问喜欢什么类型的？", "想看哪种类型？"),
        ),
    ),
    also=("information.search_web",),
)

# The country is a parameter of its own, so the city stands alone.
_TOWN = Made(City(0.4).draw, City().forms[:2])

SHOW_TIMES = Family(
    key="media.show_times",
    names=("cinema_showtimes", "get_screenings", "film_times", "movie_schedule", "find_showtimes"),
    about=(
        "When a film is shown in the cinemas of a city.",
        "Screening times of one film on one day. Tickets can't be bought with it.",
        "Cinema show times",
    ),
    about_zh=("查询某城市影院的放映时间。", "查询电影场次，不能购票。"),
    params=(
        Param("film", TITLE, ("film", "movie", "title", "movie_title"), ("Title of the film",), ("片名",)),
        Param("city", _TOWN, ("city", "location", "town"), ("Where",), ("城市",)),
        Param(
            "country",
            PartOf("city", "country"),
            ("country", "country_name"),
            ("Country, if known",),
            ("国家",),
            required=False,
        ),
        Param("day", Day(0, 12), ("date", "day", "on_date"), ("Day of the show",), ("日期",)),
        Param("after", Clock(12, 17), ("after", "not_before"), ("Only shows after",), ("最早时间",), required=False),
    ),
    asks=(
        "When is {film} on in {city} on {day}?",
        "show times for {film} in {city} {day}[ after {after}]",
        "I'd love to see {film} on {day}. I'll be in {city}, what screenings are there[ after {after}]?",
        "is {film} still in cinemas in {city} on {day}",
        "We're meeting in {city} on {day} and thought of going to {film}[, but not before {after}].",
        "{film}, {city}, {day}[, from {after} on]",
        "At what time could we watch {film} on the big screen in {city} on {day}?",
        "My nephew wants to go to {film} on {day}; which shows are there in {city}[ after {after}]?",
        "cinema listings for {film} in {city} on {day} please",
        "can you check when they show {film} on {day} in {city}[, {after} or later]",
        "would there be an evening with {film} for us in {city} on {day}[, later than {after}]?",
        "taking grandma to {film} on {day}, {city}, when does it start",
    ),
    asks_zh=(
        "{city}{day}几点放{film}？",
        "查一下{day}{city}有没有{film}的场次[，{after}以后的]",
        "{day}我在{city}，想去看{film}，有哪几场",
        "{film}在{city}{day}还上映吗",
        "外甥{day}想看{film}，{city}的影院有什么场次[，{after}之后]",
        "{city}，{day}，{film}的放映时间",
        "我们{day}在{city}见面，打算看{film}[，不要早于{after}]",
        "帮我看看{day}{film}在{city}的排片",
        "{day}想带奶奶在{city}看{film}，几点开演",
    ),
    outcomes=(
        Outcome(
            fields=(
                (
                    "cinema",
                    Word(("Rex", "Odeon", "Palace", "Lumen", "Kino Nord"), ("大光明影院", "星空影城", "和平影院")),
                ),
                ("starts_at", Word(("18:10", "18:30", "19:00", "19:45", "20:15", "21:05", "22:00"))),
            ),
            texts=("{cinema} {starts_at}", "{starts_at} at the {cinema}"),
            texts_zh=("{cinema} {starts_at}",),
            answers=(
                "You can see {film} at the {cinema} at {starts_at}.",
                "{film} starts at {starts_at} at the {cinema}.",
                "The {cinema} shows it at {starts_at}.",
            ),
            answers_zh=(
                "{starts_at}在{cinema}有一场{film}。",
                "{film}在{cinema}{starts_at}开场。",
                "{cinema}有一场，{starts_at}开始。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="city",
            asks=("When is {film} on {day}?", "show times for {film} on {day}"),
            replies=("In which city?", "Where would you like to see it?"),
            asks_zh=("{day}几点放{film}？", "查一下{film}在{day}的场次"),
            replies_zh=("请问在哪个城市？", "想在哪座城市看？"),
        ),
        Missing(
            key="film",
            asks=("What time is the film in {city} on {day}?", "cinema times in {city} on {day}"),
            replies=("Which film do you want to see?", "What is the title of the film?"),
            asks_zh=("{day}{city}电影几点开场", "查一下{city}{day}的电影场次"),
            replies_zh=("请问看哪部电影？", "片名是什么？"),
        ),
    ),
    errors=("no shows on that day",),
    also=(
        "eating.events",
        "information.search_web",
    ),
)

RESERVE_BOOK = Family(
    key="media.reserve_book",
    names=("set_book_aside", "library_hold", "request_library_book", "reserve_at_library", "borrow_book"),
    about=(
        "Reserve a book at the library.",
        "Places a hold on a book; it is kept at a branch until the member comes.",
        "Library reservation",
    ),
    about_zh=("在图书馆预约图书。", "预约一本书，可选择取书分馆。"),
    params=(
        Param("title", TITLE, ("title", "book", "book_title"), ("Title of the book",), ("书名",)),
        Param("author", AUTHOR, ("author", "written_by"), ("Who wrote it",), ("作者",), required=False),
        Param(
            "branch",
            Word(
                ("Central", "Northside", "Riverside", "Old Town", "University", "Harbour", "Westpark"),
                ("总馆", "城东分馆", "滨江分馆", "大学城分馆", "老城分馆", "西湖分馆"),
            ),
            ("branch", "pickup_branch", "library"),
            ("Where to collect it",),
            ("取书分馆",),
            required=False,
        ),
        Param("copies", Integer(2, 30), ("copies", "quantity"), ("How many copies",), ("册数",), required=False),
    ),
    asks=(
        "Reserve {title}[ by {author}] at the library.",
        "I'd like to borrow {title}[ by {author}][, pick-up at {branch}]",
        "put {title} on hold for me[ at the {branch} branch]",
        "Could the library set aside {title}[ by {author}] for me?",
        "My book club reads {title} next. Please get me {copies} copies from the library[, {branch} branch].",
        "want to read {title} but not buy it, ask the library[, {branch} branch]",
        "library hold: {title}[, {author}]",
        "{author} wrote {title}, can you reserve it[ at {branch}]?",
        "Everybody talks about {title}, so keep one for me at the library, thanks.",
        "we need {copies} copies of {title}[ by {author}] for class, reserve them",
        "i can wait, just get me in line for {title} at the library[, {branch}]",
        "Has the library got {title}[ by {author}]? If so, keep it for me.",
    ),
    asks_zh=(
        "在图书馆预约[{author}的]{title}",
        "我想借{title}[，到{branch}取]",
        "帮我预留一本{title}[，作者{author}]",
        "读书会下次读{title}，向图书馆预约{copies}本",
        "大家都在聊{title}，给我预约一本吧，我去图书馆拿[，{branch}]",
        "不想买，就从图书馆借[{author}写的]{title}",
        "图书馆预约：{title}[，{branch}取书]",
        "上课要用{copies}本{title}[，{author}写的]，预约一下",
        "我不急，图书馆那本{title}帮我排个队[，{branch}]",
        "图书馆要是有[{author}的]{title}，给我留着",
    ),
    outcomes=(
        Outcome(
            fields=(("place_in_line", Integer(2, 25)), ("ready_in_days", Integer(2, 40))),
            texts=("reserved, number {place_in_line} in line, about {ready_in_days} days",),
            texts_zh=("预约成功，排第{place_in_line}位，约{ready_in_days}天",),
            answers=(
                "Reserved. There are others before you: you're number {place_in_line}.",
                "{title} is reserved; it should be ready in {ready_in_days} days.",
                "You are number {place_in_line} in line for {title}.",
            ),
            answers_zh=(
                "预约成功，前面还有人，您是第{place_in_line}位。",
                "{title}预约好了，大约{ready_in_days}天后可取。",
                "{title}已预约，您排在第{place_in_line}位。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="title",
            asks=("Reserve a book by {author}.", "I want to borrow a book from the library"),
            replies=("Which book would you like?", "What is the title of the book?"),
            asks_zh=("帮我在图书馆约本书", "预约一本{author}的书"),
            replies_zh=("请问是哪本书？", "书名是什么？"),
        ),
    ),
    errors=("the library does not own this book",),
    also=("library.reserve",),
)

_SUBJECT = Word(
    (
        *("sunsets", "the dog", "birthday cake", "mountains", "our old car", "snow", "food", "the beach", "receipts"),
        *("the wedding", "flowers", "whiteboards", "the baby", "bikes", "bridges", "Grandma", "the new kitchen"),
        *("screenshots", "cats", "waterfalls", "fireworks", "the school play", "passports", "market stalls"),
    ),
    (
        *(
            "日落",
            "狗",
            "生日蛋糕",
            "雪山",
            "旧车",
            "美食",
            "海滩",
            "发票",
            "婚礼",
            "花",
            "白板",
            "宝宝",
            "自行车",
            "桥",
        ),
        *("奶奶", "截图", "猫", "瀑布", "烟花", "护照", "毕业典礼", "菜市场", "全家福", "荷花", "樱花"),
    ),
)

PHOTOS = Family(
    key="media.photos",
    names=("search_photos", "find_pictures", "photo_search", "look_up_photos"),
    about=(
        "Find photos by what is in them, where and when they were taken.",
        "Searches the user's own photos.",
        "Photo search; does not edit, delete or share.",
    ),
    about_zh=("搜索用户的照片。", "按内容、地点、年份查找照片，不能编辑或删除。"),
    params=(
        Param("subject", _SUBJECT, ("subject", "query", "content"), ("What is in the picture",), ("照片内容",)),
        Param("place", City(0.2), ("place", "taken_in", "location"), ("Where",), ("拍摄地点",), required=False),
        Param("year", years(2005, 2025), ("year", "taken_year"), ("Year",), ("拍摄年份",), required=False),
        Param("most", Integer(3, 60), ("limit", "max_results"), ("At most so many",), ("最多数量",), required=False),
    ),
    asks=(
        "Find my photos of {subject}[ from {place}].",
        "pictures of {subject}[, taken in {place}][, from {year}]",
        "where are the shots of {subject} that I took in {place}?",
        "I'd like to see {most} pictures of {subject}[ from {place}]",
        "Remember our trip to {place}? Show me {subject} from back then.",
        "photos with {subject} from {year} please[, no more than {most}]",
        "I want to show my colleagues what {subject} looked like[ in {place}], dig up the photos",
        "all pics of {subject}[, {year}]",
        "Do I have any pictures of {subject}[ from {place}]?",
        "get me up to {most} photos of {subject}",
        "that evening in {place}... there must be pictures of {subject}",
        "for the album i need {subject}[, {most} shots][, from {year}]",
    ),
    asks_zh=(
        "找一下{subject}的照片[，在{place}拍的]",
        "我在{place}拍的{subject}呢？翻出来看看",
        "给我看{most}张{subject}的照片",
        "还记得去{place}那次吗？找找当时{subject}的照片",
        "相册里有没有{year}年拍的{subject}",
        "搜照片：{subject}[，{place}][，{year}年]",
        "想给同事看{subject}的照片，最多{most}张",
        "把{subject}的照片都找出来",
        "做相册要用，找{subject}的照片[，{most}张][，{year}年的]",
        "那年在{place}，肯定拍了{subject}，找找看",
    ),
    outcomes=(
        Outcome(
            fields=(("found", Integer(2, 400)), ("newest", Word(("IMG_2041.jpg", "DSC00912.jpg", "P1070033.jpg")))),
            texts=("{found} photos, newest {newest}",),
            texts_zh=("{found}张照片，最新：{newest}",),
            answers=(
                "{found} pictures match, the latest one being {newest}.",
                "I found {found} photos; the newest is {newest}.",
                "There are {found} photos of {subject}.",
            ),
            answers_zh=(
                "共找到{found}张，最近一张是{newest}。",
                "找到{found}张{subject}的照片，最新的是{newest}。",
                "一共有{found}张。",
            ),
        ),
    ),
    missing=(
        Missing(
            key="subject",
            asks=("Find my photos from {place}.", "look through my pictures please"),
            replies=("What should be in the pictures?", "Which photos are you looking for?"),
            asks_zh=("找找我在{place}拍的照片", "帮我翻一下照片"),
            replies_zh=("请问照片里有什么？", "要找什么内容的照片？"),
        ),
    ),
)
