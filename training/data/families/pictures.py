"""Photographs and colours: exposure, focus, resizing, palettes, contrast."""

from training.data.family import Ask, Domain, Draw, Drawn, Family, Form, Missing, Outcome, Param
from training.data.kinds import Choice, Code, Flag, Integer, ListOf, Made, Percent, Word, meant
from training.data.wordings import composed, pool

HEX = Code(("#xxxxxx", "#xxxxxx", "#xxx"))
PHOTO = composed(
    ("{stem}{number}.{ending}", "{folder}/{stem}{number}.{ending}"),
    ("{stem}{number}.{ending}", "{folder}/{stem}{number}.{ending}"),
    {
        "stem": pool("IMG_ | DSC | beach_ | wedding- | cat | portrait_ | P10 | skyline | garden- | scan_"),
        "number": pool("12 | 047 | 2210 | 8 | 193 | 0031 | 65 | 704"),
        "ending": pool("jpg | png | tiff | heic | webp"),
        "folder": pool("photos | 2025/june | raw | album | Desktop"),
    },
)
HUE = Word(
    pool(
        """navy blue | olive green | mustard | coral | teal | burgundy | lavender | rust | mint | charcoal | peach
        turquoise | plum | sand | crimson | sage green | lemon yellow | ivory | indigo | salmon pink"""
    ),
    pool("藏蓝 | 橄榄绿 | 姜黄 | 珊瑚色 | 墨绿 | 酒红 | 薰衣草紫 | 砖红 | 薄荷绿 | 炭灰 | 桃粉 | 天青 | 杏色"),
)
SENSOR = Choice(
    {
        "full_frame": (("full frame",), ("全画幅",)),
        "aps_c": (("APS-C", "crop sensor"), ("APS-C", "半画幅")),
        "micro_four_thirds": (("Micro Four Thirds",), ("M43",)),
        "phone": (("phone", "phone camera"), ("手机",)),
    },
    ({"full_frame": "FF", "aps_c": "APSC", "micro_four_thirds": "MFT", "phone": "PHONE"},),
)


def _aperture(draw: Draw) -> Drawn:
    value = draw.rng.choice((1.4, 1.8, 2, 2.8, 3.5, 4, 5.6, 8, 11, 16, 22))
    return Drawn(f"f/{value}", value)


APERTURE = Made(_aperture, (Form({"type": "number"}, meant, "the number after f/", "f/ 后的数字"),))


def _shutter(draw: Draw) -> Drawn:
    value = draw.rng.choice((2, 4, 8, 15, 30, 60, 125, 250, 500, 1000, 2000, 4000))
    said = (
        f"1/{value}秒"
        if draw.language == "zh"
        else draw.rng.choice((f"1/{value}", f"1/{value} s", f"1/{value} second"))
    )
    return Drawn(said, f"1/{value}")


SHUTTER = Made(_shutter, (Form({"type": "string"}, meant, "as a fraction, e.g. 1/90", "分数形式，如 1/90"),))

FOCUS = Family(
    key="pictures.depth_of_field",
    names=("depth_of_field", "sharp_range", "focus_calculator", "dof_calc", "zone_of_focus"),
    about=(
        "How much of a picture is sharp.",
        "Depth of field from focal length, aperture, distance and sensor.",
        "Nearest and farthest sharp point",
    ),
    about_zh=("计算景深。", "根据焦距、光圈、距离和画幅算清晰范围。"),
    params=(
        Param(
            "focal", Integer(14, 300), ("focal_length_mm", "focal_length", "lens"), ("In millimetres",), ("焦距，毫米",)
        ),
        Param("aperture", APERTURE, ("aperture", "f_number", "f_stop"), ("Aperture",), ("光圈",)),
        Param("distance", Integer(2, 40), ("subject_distance_m", "distance"), ("In metres",), ("对焦距离，米",)),
        Param("sensor", SENSOR, ("sensor", "sensor_size", "camera_type"), ("Size of the sensor",), ("画幅",), False),
    ),
    asks=(
        "How deep is the focus with {focal} mm at {aperture}, subject {distance} m away[, {sensor}]?",
        "depth of field: lens {focal} mm, {aperture}, {distance} metres[, {sensor}]",
        "I shoot a group from {distance} m with a {focal} mm lens at {aperture}. Will everybody be sharp?",
        "at {aperture} and {focal} mm, standing {distance} metres off, what's in focus[ on {sensor}]",
        "Portrait, {distance} metres, {focal} mm, {aperture}. Where does the blur start?",
        "sharp zone for {focal} mm / {aperture} / {distance} m please",
        "my {focal} mm is set to {aperture} and the fox is {distance} metres from me, how much of it will be crisp?",
        "would a bee's wings and head both be sharp? {focal} mm, {aperture}, {distance} m",
    ),
    asks_zh=(
        "{focal}毫米镜头，{aperture}，离{distance}米，景深多少[，{sensor}]？",
        "{distance}米外拍合影，{focal}毫米，光圈{aperture}，大家都清楚吗",
        "景深计算：焦距{focal}毫米，光圈{aperture}，距离{distance}米[，{sensor}]",
        "用{aperture}、{focal}毫米，站{distance}米远，哪一段是清晰的",
        "拍人像，{focal}毫米，{aperture}，距离{distance}米，背景从哪儿开始虚",
        "{sensor}相机，{focal}毫米，{aperture}，{distance}米，清晰范围",
        "对焦在{distance}米，{focal}毫米镜头开{aperture}，前后能清楚多少",
        "狐狸离我{distance}米，镜头{focal}毫米，{aperture}，能全身清晰吗",
        "焦距{focal}毫米，{aperture}，拍{distance}米处的花，前后都实吗",
        "站{distance}米外，{focal}毫米端，光圈{aperture}[，{sensor}]，虚化从哪开始",
    ),
    outcomes=(
        Outcome(
            fields=(("near_m", Integer(1, 9)), ("far_m", Integer(10, 90))),
            texts=("sharp from {near_m} m to {far_m} m",),
            answers=("It is sharp from {near_m} to {far_m} metres.", "The focus reaches from {near_m} m to {far_m} m."),
            answers_zh=("从{near_m}米到{far_m}米是清晰的。", "清晰范围{near_m}到{far_m}米。"),
        ),
    ),
    missing=(
        Missing(
            key="aperture",
            asks=(
                "Depth of field for {focal} mm at {distance} metres?",
                "{focal} mm lens, {distance} m away, what's sharp",
            ),
            replies=("At which aperture?", "What is the f-number?"),
            asks_zh=("{focal}毫米，离{distance}米，景深多少？", "焦距{focal}毫米，{distance}米外，清晰范围呢"),
            replies_zh=("请问光圈是多少？", "用多大光圈？"),
        ),
    ),
)

FILTER = Family(
    key="pictures.nd_filter",
    names=("nd_exposure_time", "filter_shutter", "long_exposure_time", "shutter_with_filter"),
    about=("Shutter time with a grey filter.", "New exposure time when a filter takes away some stops of light."),
    about_zh=("计算加减光镜后的快门时间。", "根据原快门和减光档数求新曝光时间。"),
    params=(
        Param("shutter", SHUTTER, ("base_shutter", "shutter_speed", "exposure"), ("Without the filter",), ("原快门",)),
        Param("stops", Integer(2, 10), ("stops", "filter_stops"), ("How strong the filter is",), ("减光档数",)),
    ),
    asks=(
        "I meter {shutter} without a filter. What time do I need with {stops} stops of grey?",
        "{stops}-stop filter, base exposure {shutter}",
        "silky waterfall: {shutter} becomes what when I screw on a filter of {stops} stops?",
        "shutter is {shutter}, my filter takes {stops} stops. How long do I expose?",
        "long exposure: from {shutter} with an ND of {stops} stops",
        "what happens to {shutter} if I lose {stops} stops",
        "clouds should smear: meter says {shutter}, filter strength {stops} stops",
        "how long to keep the shutter open with {stops} stops of ND if it was {shutter} before",
    ),
    asks_zh=(
        "原快门{shutter}，加{stops}档减光镜要曝光多久？",
        "拍瀑布，测光{shutter}，装上{stops}档的滤镜，快门设多少",
        "{stops}档ND，基础曝光{shutter}",
        "不加滤镜是{shutter}，减{stops}档之后呢",
        "长曝光换算：{shutter}，{stops}档",
        "{shutter}减光{stops}档要多长时间",
        "夹了{stops}档灰片，之前是{shutter}，现在快门多少",
        "想拍丝绸水流，快门{shutter}，滤镜{stops}档，算下时间",
        "想把云拍成丝，测光{shutter}，用{stops}档滤镜，开多久",
        "{stops}档镜子拧上，原来{shutter}，新快门？",
    ),
    outcomes=(
        Outcome(
            fields=(("seconds", Integer(1, 240)),),
            texts=("{seconds} s",),
            answers=("Expose for {seconds} seconds.", "With the filter it takes {seconds} s."),
            answers_zh=("曝光{seconds}秒。", "加滤镜后是{seconds}秒。"),
        ),
    ),
    missing=(
        Missing(
            key="stops",
            asks=(
                "I have {shutter} without a filter. And with my grey filter?",
                "base {shutter}, with the ND how long",
            ),
            replies=("How many stops does the filter take?", "How strong is the filter, in stops?"),
            asks_zh=("原快门{shutter}，加减光镜后是多少？", "{shutter}，装上滤镜要多久"),
            replies_zh=("请问滤镜是几档的？", "减光几档？"),
        ),
    ),
)

RESIZE = Family(
    key="pictures.resize",
    names=("resize_picture", "scale_image", "shrink_photo", "change_image_size"),
    about=(
        "Change the size of a picture in pixels.",
        "Scales a photo to a width and height; keeps the proportions if wanted.",
        "Resizes only; for cutting use crop.",
    ),
    about_zh=("修改图片尺寸。", "把照片缩放到指定宽高，不做裁剪。"),
    params=(
        Param("file", PHOTO, ("file", "image_path", "picture"), ("The picture",), ("图片文件",)),
        Param("width", Integer(320, 980, 20), ("width", "width_px", "w"), ("In pixels",), ("宽度，像素",)),
        Param("height", Integer(240, 960, 20), ("height", "height_px", "h"), ("In pixels",), ("高度，像素",), False),
        Param("quality", Percent(50, 95, 0), ("quality", "jpeg_quality"), ("Of the result",), ("质量",), False),
    ),
    asks=(
        "Resize {file} to {width} pixels wide[ and {height} pixels high].",
        "make {file} {width} px wide[, quality {quality}]",
        "the upload form rejects {file}, shrink it to a width of {width}",
        "I need {file} at a width of {width} and a height of {height}",
        "scale {file} down, width {width}[, height {height}][, quality {quality}]",
        "For the web page {file} should be {width} pixels across.",
        "the newsletter allows {width} pixels in width, adapt {file}",
        "bring {file} down to {width} across[, keep quality at {quality}]",
    ),
    asks_zh=(
        "把 {file} 缩放到宽{width}像素[，高{height}像素]",
        "{file} 改成宽度{width}[，质量{quality}]",
        "上传说 {file} 太大，缩到{width}像素宽",
        "图片 {file} 要宽{width}、高{height}",
        "调整 {file} 尺寸，宽{width}[，高{height}][，质量{quality}]",
        "网页要用，{file} 弄成{width}像素宽",
        "{file} 宽度压到{width}",
        "麻烦把 {file} 变小，宽{width}像素就行",
        "公众号限宽{width}像素，处理一下 {file}",
        "{file} 调到{width}宽[，画质{quality}]",
    ),
    outcomes=(
        Outcome(
            fields=(("kilobytes", Integer(40, 900)),),
            texts=("saved, {kilobytes} KB",),
            answers=("{file} is resized and has {kilobytes} KB now.", "Done, {kilobytes} KB."),
            answers_zh=("{file} 已调整，现在{kilobytes}KB。", "好了，{kilobytes}KB。"),
        ),
    ),
    missing=(
        Missing(
            key="width",
            asks=("Resize {file} for me.", "{file} is too big, shrink it"),
            replies=("How wide should it be, in pixels?", "To which width?"),
            asks_zh=("把 {file} 缩小", "{file} 太大了，改改尺寸"),
            replies_zh=("请问要多宽？", "宽度是多少像素？"),
        ),
    ),
)

CROP = Family(
    key="pictures.crop",
    names=("crop_picture", "trim_image", "cut_photo", "crop_to_ratio"),
    about=("Cut a picture to a shape.", "Crops a photo to an aspect ratio, around its middle or a corner."),
    about_zh=("按比例裁剪图片。", "把照片裁成指定长宽比。"),
    params=(
        Param("file", PHOTO, ("file", "photo", "source_image"), ("The picture",), ("图片",)),
        Param(
            "ratio",
            Choice(
                {
                    "1:1": (("square", "1:1"), ("正方形", "1:1")),
                    "16:9": (("16:9", "widescreen"), ("16:9", "宽屏")),
                    "4:3": (("4:3",), ("4:3",)),
                    "3:2": (("3:2",), ("3:2",)),
                    "9:16": (("9:16", "tall story format"), ("9:16", "竖屏")),
                }
            ),
            ("aspect_ratio", "ratio", "shape"),
            ("The shape",),
            ("长宽比",),
        ),
        Param("copy", Flag(), ("keep_original", "as_copy"), ("Keep the original",), ("保留原图",), False),
    ),
    asks=(
        "Crop {file} to {ratio}.",
        "cut {file}, {ratio} please",
        Ask("Make a {ratio} version of {file} but keep the original.", {"copy": True}),
        "my profile needs {ratio}, trim {file}",
        "{ratio} crop of {file}",
        "can you bring {file} into the shape {ratio}",
        Ask("crop {file} ({ratio}) and don't keep the old one", {"copy": False}),
        "the frame on my wall is {ratio}, make {file} fit",
    ),
    asks_zh=(
        "把 {file} 裁成{ratio}",
        "{file} 剪成{ratio}的",
        Ask("{file} 裁一张{ratio}的，原图留着", {"copy": True}),
        "头像要{ratio}，裁一下 {file}",
        "裁剪 {file} ，比例{ratio}",
        "{file} 我想要{ratio}比例",
        Ask("{file} 直接裁成{ratio}，不用留原图", {"copy": False}),
        "发朋友圈用，{file} 切成{ratio}",
        "相框是{ratio}的，把 {file} 裁合适",
        "{file} 只要{ratio}那块，多余的剪掉",
    ),
    outcomes=(
        Outcome(
            fields=(("saved_as", Word(("crop_01.jpg", "cut.png", "square.webp"))),),
            texts=("saved as {saved_as}",),
            answers=("The crop is saved as {saved_as}.", "Done: {saved_as}."),
            answers_zh=("裁好了，存为 {saved_as}。", "完成：{saved_as}。"),
        ),
    ),
    missing=(
        Missing(
            key="ratio",
            asks=("Crop {file}.", "cut {file} to fit"),
            replies=("To which shape: square, 16:9, another?", "Which ratio would you like?"),
            asks_zh=("裁一下 {file}", "把 {file} 剪一剪"),
            replies_zh=("请问裁成什么比例？", "要哪种长宽比？"),
        ),
    ),
)

PALETTE = Family(
    key="pictures.palette",
    names=("color_palette", "make_palette", "suggest_colors", "palette_from_color", "color_scheme"),
    about=(
        "Colours that go with a colour.",
        "Builds a palette around a base colour by a scheme from the colour wheel.",
        "Palette maker; doesn't convert colour codes.",
    ),
    about_zh=("根据一种颜色生成配色方案。", "按色轮规则推荐搭配色，不做色值转换。"),
    params=(
        Param("base", HUE, ("base_color", "color", "main_colour"), ("The colour to start from",), ("主色",)),
        Param(
            "scheme",
            Choice(
                {
                    "complementary": (("complementary", "contrasting"), ("互补色", "对比色")),
                    "analogous": (("analogous", "neighbouring"), ("邻近色", "相近色")),
                    "triadic": (("triadic",), ("三色",)),
                    "monochrome": (("monochrome",), ("单色", "同色系")),
                }
            ),
            ("scheme", "harmony", "rule"),
            ("How they go together",),
            ("配色规则",),
            False,
        ),
        Param("count", Integer(3, 8), ("count", "size", "n_colors"), ("How many colours",), ("颜色数",), False, 5),
    ),
    asks=(
        "What goes with {base}?",
        "give me a palette around {base}[, {count} colours]",
        "I painted the wall {base}. Which colours for the cushions[? something {scheme}]",
        "a {scheme} scheme for {base}[ with {count} colours]",
        "our brand is {base}, build colours around it",
        "bridesmaids wear {base}, what should the flowers be?",
        "{count} shades that match {base}[, {scheme}]",
        "I knit with {base} wool, what yarn should I add?",
    ),
    asks_zh=(
        "{base}配什么颜色好看？",
        "以{base}为主色来一套配色[，{count}个颜色]",
        "墙刷了{base}，抱枕选啥颜色[，想要{scheme}]",
        "给{base}做个{scheme}方案[，{count}种]",
        "品牌色是{base}，帮我配色",
        "伴娘穿{base}，花用什么颜色搭",
        "跟{base}搭的颜色给{count}个[，{scheme}]",
        "{base}，{scheme}，出配色",
        "穿{base}的外套，围巾什么色合适",
        "织毛衣主线是{base}，再配哪几种线",
        "客厅沙发{base}，窗帘怎么选色[，最好{scheme}]",
    ),
    outcomes=(
        Outcome(
            fields=(("colors", ListOf(HUE, 2, 3)),),
            texts=("{colors}",),
            answers=("Good with {base}: {colors}.", "Try {colors}."),
            answers_zh=("{base}可以配{colors}。", "试试{colors}。"),
        ),
    ),
    missing=(
        Missing(
            key="base",
            asks=("Make me a palette[ of {count} colours].", "which colours go together with mine?"),
            replies=("Which colour should it start from?", "What is the main colour?"),
            asks_zh=("帮我配色[，{count}个颜色]", "做一套{scheme}方案"),
            replies_zh=("请问主色是什么？", "以哪种颜色为主？"),
        ),
    ),
)

CONTRAST = Family(
    key="pictures.contrast",
    names=("contrast_ratio", "check_contrast", "readable_colors", "text_contrast"),
    about=(
        "Whether text can be read on a background.",
        "Contrast of a text colour and a background colour, by hex codes.",
    ),
    about_zh=("检查文字和背景的对比度。", "根据两个色值判断文字是否清晰可读。"),
    params=(
        Param("text", HEX, ("foreground", "text_color", "fg"), ("Hex code of the text",), ("文字颜色",)),
        Param("ground", HEX, ("background", "background_color", "bg"), ("Hex code behind it",), ("背景颜色",)),
        Param("large", Flag(), ("large_text", "is_large"), ("Large letters",), ("是否大字",), False),
    ),
    asks=(
        "Can people read {text} text on a {ground} background?",
        "contrast of {text} on {ground}",
        Ask("is {text} fine for large headlines on {ground}", {"large": True}),
        "My button has letters in {text} and a fill of {ground}. Is that enough contrast?",
        "accessibility check: text {text}, background {ground}",
        "the background is {ground} and I'd write in {text}, legible?",
        Ask("big letters in {text}, behind them {ground}: good enough?", {"large": True}),
        "my grandmother can't read the menu: letters {text}, paper {ground}. how bad is it?",
    ),
    asks_zh=(
        "文字{text}放在{ground}背景上看得清吗？",
        "{text}的字配{ground}的底，对比度多少",
        Ask("大标题用{text}，背景{ground}，够清楚吗", {"large": True}),
        "按钮字是{text}，底色{ground}，对比够不够",
        "无障碍检查：文字{text}，背景{ground}",
        "背景{ground}，我想写{text}的字，行吗",
        "字色{text}，底色{ground}，对比度合格不",
        Ask("大号字，颜色{text}，底{ground}，能看清吧？", {"large": True}),
        "老人家看不清菜单，字是{text}，纸是{ground}，差多少",
        "设计稿文字{text}、底{ground}，帮我测对比度",
    ),
    outcomes=(
        Outcome(
            fields=(("ratio", Integer(2, 20)), ("passes", Flag(("yes",), ("是",), ("no",), ("否",)))),
            texts=("{ratio}:1",),
            answers=("The contrast is {ratio} to 1.", "{text} on {ground} has a contrast of {ratio} to 1."),
            answers_zh=("对比度是{ratio}比1。", "{text}在{ground}上的对比度为{ratio}比1。"),
        ),
    ),
    missing=(
        Missing(
            key="ground",
            asks=("Is text in {text} easy to read?", "check the contrast of {text} letters"),
            replies=("On which background?", "What is the background colour?"),
            asks_zh=("{text}的字看得清吗？", "检查{text}文字的对比度"),
            replies_zh=("请问背景是什么颜色？", "背景色值是多少？"),
        ),
    ),
)

DOMAIN = Domain(
    "pictures",
    (FOCUS, FILTER, RESIZE, CROP, PALETTE, CONTRAST),
    unserved=(
        ("Delete the blurry photos from my phone.", "把手机里糊的照片删掉。"),
        ("Which camera should I buy for birds?", "拍鸟该买什么相机？"),
        ("Print the wedding album.", "把婚礼相册打印出来。"),
        ("Remove the stranger from the background.", "把背景里的陌生人去掉。"),
        ("Find a photographer for Saturday.", "找一位周六能来的摄影师。"),
        ("Who took this famous picture?", "这张著名照片是谁拍的？"),
        ("Charge the camera battery.", "给相机电池充电。"),
        ("Put a filter on it that looks like old film.", "加一个老胶片的滤镜。"),
        ("What does the colour purple stand for?", "紫色代表什么？"),
        ("Order two litres of white wall paint.", "订两升白色墙漆。"),
        ("Post the picture with a funny caption.", "配上好笑的文字把图发出去。"),
        ("Turn the video into a GIF.", "把视频转成GIF。"),
    ),
)
