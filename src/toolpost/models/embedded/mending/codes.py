"""Codes that a schema wants for what people name: EUR for euros, jp for Japan, pt for Portuguese."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from .wanted import about_of, properties_of, required_in

_CURRENCIES = """
USD: us dollars, american dollars, dollars, dollar, bucks, usd, 美元, 美金
EUR: euros, euro, eur, 欧元
GBP: pounds sterling, british pounds, pounds, pound, quid, gbp, 英镑
JPY: japanese yen, yen, jpy, 日元, 日币
CNY: chinese yuan, yuan, renminbi, rmb, cny, 人民币
CHF: swiss francs, swiss franc, francs, chf, 瑞士法郎, 瑞郎
HKD: hong kong dollars, hkd, 港币, 港元
TWD: taiwan dollars, 新台币, 台币
SGD: singapore dollars, sgd, 新加坡元, 新币
AUD: australian dollars, aussie dollars, aud, 澳元, 澳币
CAD: canadian dollars, cad, 加元, 加币
NZD: new zealand dollars, nzd, 新西兰元, 纽币
INR: indian rupees, rupees, rupee, inr, 卢比
KRW: korean won, krw, 韩元, 韩币
THB: thai baht, baht, thb, 泰铢
SEK: swedish kronor, swedish crowns, sek, 瑞典克朗
NOK: norwegian kroner, nok, 挪威克朗
DKK: danish kroner, dkk, 丹麦克朗
PLN: zloty, zlotys, zł, pln, 兹罗提
CZK: czech crowns, koruna, czk, 捷克克朗
HUF: forint, forints, huf, 福林
TRY: turkish lira, lira, 里拉
RUB: rubles, roubles, ruble, rub, 卢布
BRL: reais, brazilian real, brl, 雷亚尔
MXN: mexican pesos, pesos, mxn, 墨西哥比索
ZAR: rand, zar, 兰特
AED: dirhams, dirham, aed, 迪拉姆
VND: dong, vnd, 越南盾
IDR: rupiah, idr, 印尼盾
MYR: ringgit, myr, 林吉特, 马币
"""
_SIGNS = {"€": "EUR", "£": "GBP", "₹": "INR", "₩": "KRW", "$": "USD"}
_COUNTRIES = """
us: united states, usa, america, the states, 美国
gb: united kingdom, britain, england, uk, 英国
de: germany, 德国
fr: france, 法国
it: italy, 意大利
es: spain, 西班牙
pt: portugal, 葡萄牙
nl: netherlands, holland, 荷兰
be: belgium, 比利时
ch: switzerland, 瑞士
at: austria, 奥地利
pl: poland, 波兰
se: sweden, 瑞典
no: norway, 挪威
dk: denmark, 丹麦
fi: finland, 芬兰
ie: ireland, 爱尔兰
gr: greece, 希腊
tr: turkey, 土耳其
ru: russia, 俄罗斯
ua: ukraine, 乌克兰
cn: china, 中国
jp: japan, 日本
kr: south korea, korea, 韩国
in: india, 印度
th: thailand, 泰国
vn: vietnam, 越南
sg: singapore, 新加坡
my: malaysia, 马来西亚
id: indonesia, 印尼, 印度尼西亚
ph: philippines, 菲律宾
au: australia, 澳大利亚, 澳洲
nz: new zealand, 新西兰
ca: canada, 加拿大
mx: mexico, 墨西哥
br: brazil, 巴西
ar: argentina, 阿根廷
cl: chile, 智利
za: south africa, 南非
eg: egypt, 埃及
ke: kenya, 肯尼亚
ng: nigeria, 尼日利亚
il: israel, 以色列
ae: emirates, uae, 阿联酋
sa: saudi arabia, 沙特
"""
_LANGUAGES = """
en: english, 英语, 英文
zh: chinese, mandarin, 中文, 汉语
ja: japanese, 日语, 日文
ko: korean, 韩语, 韩文
fr: french, 法语, 法文
de: german, 德语, 德文
es: spanish, 西班牙语
pt: portuguese, 葡萄牙语
it: italian, 意大利语
nl: dutch, 荷兰语
pl: polish, 波兰语
ru: russian, 俄语, 俄文
tr: turkish, 土耳其语
ar: arabic, 阿拉伯语
hi: hindi, 印地语
th: thai, 泰语
vi: vietnamese, 越南语
sv: swedish, 瑞典语
el: greek, 希腊语
"""
_CODES = {"currency": _CURRENCIES, "country": _COUNTRIES, "language": _LANGUAGES}
# What a description says of a code, in lower case.
_WANTED = {
    "currency": re.compile(r"iso[ -]?4217|currency|货币|币种"),
    "country": re.compile(r"iso[ -]?3166|country code|two-letter country|国家代码"),
    "language": re.compile(r"iso[ -]?639|language code|two-letter language|语言代码"),
}
_IS_CODE = re.compile(r"[A-Za-z]{2,3}(?:[-_]\w{2,4})?")
_THREE_LETTERS = re.compile(r"\b[A-Z]{3}\b|iso|three|3|代码", re.IGNORECASE)


def with_codes_named(given: Mapping[str, Any], schema: Mapping[str, Any], question: str) -> dict[str, Any]:
    """The arguments, where a code that nothing in the question stands for gives way to the one that was named."""
    changed = dict(given)
    for name, node in properties_of(schema).items():
        kind = _kind(name, node)
        value = given.get(name)
        if kind is None or not isinstance(value, str):
            continue
        if not _IS_CODE.fullmatch(value) and name not in required_in(schema) and not _named(kind, question):
            del changed[name]
            continue
        named = _named(kind, question)
        taken = {str(other).upper() for key, other in changed.items() if key != name}
        left = [code for code in named if code.upper() not in taken]
        if any(value.upper().startswith((f"{code.upper()}-", f"{code.upper()}_")) for code in named):
            continue
        if value.upper() in (code.upper() for code in named):
            changed[name] = next(code for code in named if code.upper() == value.upper())
        elif len(left) == 1:
            changed[name] = left[0]
        if changed[name] != value and value.isupper() and len(value) == 2:
            changed[name] = changed[name].upper()
    return changed


def codes_named(name: str, node: Mapping[str, Any], question: str) -> list[str]:
    """The codes that a question names for a parameter that wants one."""
    kind = _kind(name, node)
    return _named(kind, question) if kind else []


def names_of(code: str) -> list[str]:
    """What people call a currency, a country or a language, longer names first."""
    return [word for kind in _CODES for word, known in _pairs(kind) if known.lower() == code.lower()]


def _kind(name: str, node: Mapping[str, Any]) -> str | None:
    about = about_of(node)
    if node.get("type") != "string" or "enum" in node:
        return None
    if node.get("pattern") == "^[A-Z]{3}$" or ("currency" in name.lower() and not about):
        return "currency"
    for kind, wanted in _WANTED.items():
        if wanted.search(f"{name} {about}".lower()) and (kind != "currency" or _THREE_LETTERS.search(about)):
            return kind
    return None


def _named(kind: str, question: str) -> list[str]:
    """The codes of what a question names, in its order."""
    places: dict[str, int] = {}
    text = question.lower()
    for pattern, code in _patterns(kind):
        found = pattern.search(text)
        if found:
            places[code] = min(places.get(code, len(text)), found.start())
            # Swiss francs are no other francs.
            text = text[: found.start()] + " " * len(found[0]) + text[found.end() :]
    if kind == "currency":
        for sign, code in _SIGNS.items():
            if sign in text:
                places.setdefault(code, text.index(sign))
    return sorted(places, key=places.__getitem__)


@cache
def _patterns(kind: str) -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(_alone(re.escape(word))), code) for word, code in _pairs(kind)]


@cache
def _pairs(kind: str) -> list[tuple[str, str]]:
    """Every name with its code, longer names first."""
    lines = (line.partition(": ") for line in _CODES[kind].strip().splitlines())
    pairs = [(word.strip(), code) for code, _, words in lines for word in words.split(",")]
    return sorted(pairs, key=lambda pair: -len(pair[0]))


def _alone(word: str) -> str:
    """Egyptian pounds are no pounds: a word for money in many countries does not follow one that names a country."""
    if not word.isascii():
        return word
    country = "" if r"\ " in word else r"(?<!an )(?<!sh )(?<!se )(?<!ne )(?<!ni )(?<!ic )"
    return rf"(?<![a-z]){country}{word}(?![a-z])"
