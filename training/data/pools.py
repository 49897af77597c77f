"""Names of things in the world, in English and Chinese, for questions to speak of."""

from .pools_measures import CURRENCIES, UNITS
from .pools_people import FAMILY_NAMES, FAMILY_NAMES_ZH, GIVEN_NAMES, GIVEN_NAMES_ZH
from .pools_places import CITIES, COUNTRIES

__all__ = [
    "CITIES",
    "COUNTRIES",
    "CURRENCIES",
    "FAMILY_NAMES",
    "FAMILY_NAMES_ZH",
    "GIVEN_NAMES",
    "GIVEN_NAMES_ZH",
    "HOSTS",
    "LANGUAGES",
    "UNITS",
]

# Only domains that are kept free for examples.
HOSTS: tuple[str, ...] = (
    *("example.com", "example.org", "example.net", "mail.example.com", "mail.example.net", "office.example.org"),
    *("post.example", "letters.example", "studio.example", "garden.example", "uni.example", "acme.example"),
    *("northwind.example", "bluefin.example", "clinic.example", "bakery.example", "team.example.org"),
)
# English name, code, and the words for it in both languages.
LANGUAGES: tuple[tuple[str, str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("German", "de", ("German",), ("德语", "德文")),
    ("English", "en", ("English",), ("英语", "英文")),
    ("French", "fr", ("French",), ("法语", "法文")),
    ("Spanish", "es", ("Spanish",), ("西班牙语", "西语")),
    ("Italian", "it", ("Italian",), ("意大利语", "意大利文")),
    ("Portuguese", "pt", ("Portuguese",), ("葡萄牙语", "葡语")),
    ("Dutch", "nl", ("Dutch",), ("荷兰语",)),
    ("Swedish", "sv", ("Swedish",), ("瑞典语",)),
    ("Norwegian", "no", ("Norwegian",), ("挪威语",)),
    ("Danish", "da", ("Danish",), ("丹麦语",)),
    ("Finnish", "fi", ("Finnish",), ("芬兰语",)),
    ("Polish", "pl", ("Polish",), ("波兰语",)),
    ("Czech", "cs", ("Czech",), ("捷克语",)),
    ("Hungarian", "hu", ("Hungarian",), ("匈牙利语",)),
    ("Romanian", "ro", ("Romanian",), ("罗马尼亚语",)),
    ("Greek", "el", ("Greek",), ("希腊语",)),
    ("Russian", "ru", ("Russian",), ("俄语", "俄文")),
    ("Ukrainian", "uk", ("Ukrainian",), ("乌克兰语",)),
    ("Turkish", "tr", ("Turkish",), ("土耳其语",)),
    ("Arabic", "ar", ("Arabic",), ("阿拉伯语", "阿语")),
    ("Hebrew", "he", ("Hebrew",), ("希伯来语",)),
    ("Persian", "fa", ("Persian", "Farsi"), ("波斯语",)),
    ("Hindi", "hi", ("Hindi",), ("印地语",)),
    ("Bengali", "bn", ("Bengali",), ("孟加拉语",)),
    ("Swahili", "sw", ("Swahili",), ("斯瓦希里语",)),
    ("Chinese", "zh", ("Chinese", "Mandarin"), ("中文", "汉语")),
    ("Japanese", "ja", ("Japanese",), ("日语", "日文")),
    ("Korean", "ko", ("Korean",), ("韩语", "韩文")),
    ("Thai", "th", ("Thai",), ("泰语",)),
    ("Vietnamese", "vi", ("Vietnamese",), ("越南语",)),
    ("Indonesian", "id", ("Indonesian",), ("印尼语", "印度尼西亚语")),
    ("Malay", "ms", ("Malay",), ("马来语",)),
)
