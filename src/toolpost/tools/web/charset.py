"""Decode the bytes of a page: by byte order mark, header, the page's own declaration, else as UTF-8 or Windows-1252."""

import re
from codecs import getincrementaldecoder
from functools import cache

_IN_HEADER = re.compile(r"charset\s*=\s*[\"']?([^\s\"';]+)", re.IGNORECASE)
_IN_HTML = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
_IN_XML = re.compile(rb"<\?xml[^>]{0,200}?encoding\s*=\s*[\"']([A-Za-z0-9_:.-]{1,40})")
_LOOKED_AT = 2_048
_MARKS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


def decode_text(body: bytes, content_type: str, cut: bool = False) -> str:
    """Decode `body`; what is invalid in its charset becomes U+FFFD, and half a character at a cut is dropped."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return _decode(body[len(mark) :], codec, cut)
    declared = _codec_of_header(content_type) or _codec_of_document(body[:_LOOKED_AT])
    if declared:
        return _decode(body, declared, cut)
    try:
        return getincrementaldecoder("utf-8")().decode(body, final=not cut)
    except UnicodeDecodeError:
        return _decode(body, "utf-8" if _mostly_utf8(body) else "cp1252", cut)


def _decode(body: bytes, codec: str, cut: bool) -> str:
    return getincrementaldecoder(codec)("replace").decode(body, final=not cut)


def _codec_of_header(content_type: str) -> str:
    found = _IN_HEADER.search(content_type)
    return _codecs().get(found[1].lower(), "") if found else ""


def _codec_of_document(head: bytes) -> str:
    found = _IN_HTML.search(head) or _IN_XML.match(head)
    codec = _codecs().get(found[1].decode("ascii").lower(), "") if found else ""
    # A declaration that can be read as ASCII is not in UTF-16.
    return "utf-8" if codec.startswith("utf-16") else codec


def _mostly_utf8(body: bytes) -> bool:
    """Whether it is UTF-8 but for a few stray bytes."""
    sample = body[:65_536].decode("utf-8", "replace")
    return sample.count("\ufffd") * 50 < sum(not char.isascii() for char in sample)


@cache
def _codecs() -> dict[str, str]:
    """Map the web's names of charsets to codecs. Only these: Python has codecs that are not charsets, and slow ones."""
    names = {
        "utf-8": "utf8 utf-8 unicode-1-1-utf-8",
        "cp1252": "windows-1252 cp1252 iso-8859-1 iso8859-1 iso88591 latin1 latin-1 l1 ascii us-ascii x-cp1252",
        "utf-16-le": "utf-16 utf-16le unicode",
        "utf-16-be": "utf-16be",
        "gb18030": "gb18030 gbk gb2312 gb_2312-80 x-gbk chinese csgb2312",
        "big5hkscs": "big5 big5-hkscs cn-big5 x-x-big5",
        "cp932": "shift_jis shift-jis sjis ms_kanji x-sjis windows-31j",
        "euc_jp": "euc-jp x-euc-jp",
        "iso2022_jp": "iso-2022-jp",
        "cp949": "euc-kr ks_c_5601-1987 ksc5601 korean windows-949",
        "koi8-r": "koi8-r koi8 koi",
        "koi8-u": "koi8-u koi8-ru",
        "cp866": "ibm866 cp866 866",
        "cp874": "windows-874 tis-620 iso-8859-11",
        "mac-roman": "macintosh mac x-mac-roman",
        "iso8859-8": "iso-8859-8 iso-8859-8-i hebrew",
        "cp1254": "windows-1254 iso-8859-9 latin5",
    }
    for number in (1250, 1251, 1253, 1255, 1256, 1257, 1258):
        names[f"cp{number}"] = f"windows-{number} cp{number} x-cp{number}"
    for number in (2, 3, 4, 5, 6, 7, 10, 13, 14, 15, 16):
        names[f"iso8859-{number}"] = f"iso-8859-{number} iso8859-{number} iso_8859-{number}"
    return {label: codec for codec, labels in names.items() for label in labels.split()}
