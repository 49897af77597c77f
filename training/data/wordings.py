"""Texts put together from parts, and the names of files, services and pages that several domains speak of."""

from collections.abc import Callable, Mapping

from .family import Draw, Drawn, Form
from .kinds import Choice, Made, Word, meant
from .times import Day


def pool(text: str) -> tuple[str, ...]:
    """The entries of a text, which are parted by bars and line ends."""
    return tuple(entry.strip() for line in text.splitlines() for entry in line.split("|") if entry.strip())


def composed(
    english: tuple[str, ...],
    chinese: tuple[str, ...],
    parts: Mapping[str, tuple[str, ...]],
    parts_zh: Mapping[str, tuple[str, ...]] | None = None,
    quoted: float = 0.0,
) -> Made:
    """Texts from templates, their slots filled out of `parts`. `quoted` is how often they stand in quotation marks."""

    def make(draw: Draw) -> Drawn:
        rng, is_english = draw.rng, draw.language == "en"
        filling = parts if is_english or parts_zh is None else parts_zh
        template = rng.choice(english if is_english else chinese)
        text = template.format(**{slot: rng.choice(words) for slot, words in filling.items()})
        if rng.random() >= quoted:
            return Drawn(text, text)
        marks = rng.choice(('"{}"', "“{}”", "'{}'") if is_english else ("“{}”", "「{}」", '"{}"'))
        return Drawn(marks.format(text), text)

    return Made(make)


def year(first: int, last: int) -> Made:
    """A year, always in figures: nobody says "2k" for it."""

    def make(draw: Draw) -> Drawn:
        value = draw.rng.randint(first, last)
        return Drawn(str(value), value)

    return Made(
        make, (Form({"type": "integer"}, meant), Form({"type": "integer"}, meant), Form({"type": "number"}, meant))
    )


def named_day(least: int, most: int) -> Made:
    """A day that can stand after "from" and "to": never "in three days"."""
    day = Day(least, most)

    def make(draw: Draw) -> Drawn:
        drawn = day.draw(draw)
        while drawn.said.startswith("in ") or drawn.said.endswith("天后"):
            drawn = day.draw(draw)
        return drawn

    return Made(make, day.forms)


def distinct(key: str, part: str) -> Callable[[Mapping[str, Drawn]], bool]:
    """For `Family.fits`: no two records in the list `key` have the same `part`."""

    def fits(drawn: Mapping[str, Drawn]) -> bool:
        parts = [record.meaning[part].meaning for record in drawn[key].meaning] if key in drawn else []
        return len(set(parts)) == len(parts)

    return fits


_STEMS = pool(
    """report | notes | budget | config | main | index | settings | users | orders | backup | draft | todo | app
    invoice_2025 | meeting-notes | q3_report | test_login | parser | utils | server | client | schema | readme_old
    holiday-photos | thesis_v2 | contract | changelog | data_2024 | results | template | photo_0412 | sales-march"""
)
_STEMS_ZH = (*_STEMS[:18], *pool("会议纪要 | 预算表 | 合同 | 周报 | 毕业论文 | 名单 | 采购清单 | 简历 | 年终总结"))
_ENDINGS = pool("txt | md | csv | json | py | log | pdf | docx | xlsx | yaml | toml | js | html | sql")
_FOLDERS = pool(
    """src | docs | tests | data | logs | config | scripts | Documents | Downloads | projects/alpha | src/api | backup
    /var/log | /etc/nginx | /home/mia/notes | ~/Desktop | ~/Documents/taxes | lib | assets/images | build/output
    /srv/www | reports/2025 | src/components | /tmp/uploads | archive/old | team/shared | exports | migrations"""
)

FOLDER = Word(_FOLDERS)
FILE_NAME = composed(
    ("{stem}.{ending}",),
    ("{stem}.{ending}",),
    {"stem": _STEMS, "ending": _ENDINGS},
    {"stem": _STEMS_ZH, "ending": _ENDINGS},
)
PATH = composed(
    ("{stem}.{ending}", "{folder}/{stem}.{ending}", "{folder}/{stem}.{ending}"),
    ("{stem}.{ending}", "{folder}/{stem}.{ending}"),
    {"folder": _FOLDERS, "stem": _STEMS, "ending": _ENDINGS},
    {"folder": _FOLDERS, "stem": _STEMS_ZH, "ending": _ENDINGS},
)

PAGE = composed(
    ("https://{host}/{page}", "https://{host}/{page}", "{host}/{page}", "https://www.{host}/{page}?id={number}"),
    ("https://{host}/{page}", "{host}/{page}", "https://www.{host}/{page}?id={number}"),
    {
        "host": pool("example.com | example.org | blog.example.net | shop.example.com | docs.example.org"),
        "page": pool(
            """menu | summer-sale | pricing | about-us | events/june | recipes/pho | signup | blog/why-bees-dance
            news/harbour-bridge | guide/first-steps | faq | careers | p/climate-report | wifi | album/lisbon"""
        ),
        "number": pool("7 | 42 | 318 | 1009 | 5521"),
    },
)

SERVICE = Word(
    pool(
        """billing | checkout | auth-service | search-api | payments | web-frontend | notifications | image-resizer
        user-service | inventory | mailer | recommendation-engine | gateway | report-worker | chat-backend
        orders-api | scheduler | login-page | data-pipeline | catalog"""
    )
)
ENVIRONMENT = Choice(
    {
        "production": (("production", "prod", "the live system"), ("生产环境", "线上环境", "生产")),
        "staging": (("staging", "the staging system"), ("预发布环境", "staging 环境")),
        "development": (("development", "dev", "the dev environment"), ("开发环境",)),
    },
    (
        {"production": "prod", "staging": "stage", "development": "dev"},
        {"production": "PRODUCTION", "staging": "STAGING", "development": "DEVELOPMENT"},
    ),
)
PRIORITY = Choice(
    {
        "low": (("low",), ("低",)),
        "medium": (("medium", "normal"), ("中", "普通")),
        "high": (("high",), ("高",)),
        "urgent": (("urgent", "critical"), ("紧急",)),
    },
    (
        {"low": "P4", "medium": "P3", "high": "P2", "urgent": "P1"},
        {"low": "LOW", "medium": "MEDIUM", "high": "HIGH", "urgent": "URGENT"},
    ),
)
TEAM = Word(
    pool(
        """platform | payments | mobile | design | marketing | finance | legal | support | data | security | sales
        backend | frontend | logistics | human resources | infrastructure | research"""
    ),
    pool(
        """平台 | 支付 | 移动端 | 设计 | 市场 | 财务 | 法务 | 客服 | 数据 | 安全 | 销售 | 后端 | 前端 | 物流 | 人事
        基础设施 | 研发"""
    ),
)
