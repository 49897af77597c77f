"""Which addresses may be reached: a table of what has been tried elsewhere, and properties over spellings."""

import ipaddress
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.guard.addresses import Policy, reason_against
from toolpost.guard.strict_urls import AddressRefused, Target, canonical_host, follow, parse_url
from toolpost.types.errors import ConfigError

PUBLIC = "93.184.215.14"


async def pin(url: str, *answers: str, allow: Sequence[str] = ()) -> tuple[str, ...]:
    async def resolve(host: str) -> Sequence[str]:
        return answers or (PUBLIC,)

    return await Policy(allow).pin(parse_url(url), resolve)


# Each with a resolver that gives a public address to every name: what is refused is refused by its spelling.
REFUSED_URLS = [
    *(
        "http://127.0.0.1/",
        "http://127.0.0.2/",
        "http://127.255.255.254/",
        "http://127.0.0.1:8080/",
        "http://127.0.0.1./",
    ),
    *("http://0.0.0.0/", "http://0.1.2.3/", "http://0/", "http://0x0/", "http://00/"),
    *(
        "http://10.0.0.1/",
        "http://10.255.255.255/",
        "http://172.16.0.1/",
        "http://172.31.255.255/",
        "http://192.168.0.1/",
    ),
    *("http://100.64.0.1/", "http://100.127.255.254/", "http://100.100.100.200/latest/meta-data/"),
    *("http://169.254.169.254/latest/meta-data/", "http://169.254.170.2/v2/credentials", "http://169.254.0.1/"),
    *("http://168.63.129.16/machine", "http://192.0.0.192/opc/v2/", "http://192.0.0.8/"),
    *("http://192.0.2.1/", "http://198.51.100.7/", "http://203.0.113.9/", "http://198.18.0.1/", "http://198.19.255.1/"),
    *(
        "http://192.88.99.1/",
        "http://224.0.0.1/",
        "http://239.255.255.250/",
        "http://240.0.0.1/",
        "http://255.255.255.255/",
    ),
    *(
        "http://2130706433/",
        "http://017700000001/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://127.1/",
        "http://127.0.1/",
    ),
    *("http://0177.0.0.1/", "http://0x7f.0.0.1/", "http://127.0.0.0x1/", "http://0300.0250.0.1/", "http://3232235521/"),
    *(
        "http://127.0.0.1.0x/",
        "http://256.256.256.256/",
        "http://1.2.3.4.5/",
        "http://4294967297/",
        "http://000127.0.0.1/",
    ),
    *(
        "http://１２７.０.０.１/",
        "http://①②⑦.⓪.⓪.①/",
        "http://127。0。0。1/",
        "http://127｡0｡0｡1/",
        "http://１６９.254.169.254/",
    ),
    *("http://[::1]/", "http://[::]/", "http://[0:0:0:0:0:0:0:1]/", "http://[::1%25lo]/", "http://[::1%lo]/"),
    *(
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::ffff:169.254.169.254]/",
        "http://[::ffff:8.8.8.8]/",
    ),
    *("http://[::127.0.0.1]/", "http://[::7f00:1]/", "http://[::ffff:0:127.0.0.1]/", "http://[64:ff9b::7f00:1]/"),
    *("http://[64:ff9b:1::a00:1]/", "http://[2002:7f00:1::]/", "http://[2002:a00:1::1]/", "http://[2001::1]/"),
    *(
        "http://[2001:0:4136:e378:8000:63bf:80ff:fffe]/",
        "http://[fe80::1]/",
        "http://[fe80::1%25eth0]/",
        "http://[fec0::1]/",
    ),
    *(
        "http://[fc00::1]/",
        "http://[fd00:ec2::254]/",
        "http://[fd12:3456::1]/",
        "http://[ff02::1]/",
        "http://[2001:db8::1]/",
    ),
    *("http://[3fff::1]/", "http://[100::1]/", "http://[5f00::1]/", "http://[2001:10::1]/", "http://[2001:2::1]/"),
    *(
        "http://[2a00:1450::5efe:7f00:1]/",
        "http://[4000::1]/",
        "http://[v1.fe80]/",
        "http://[127.0.0.1]/",
        "http://[::1/",
    ),
    *(
        "http://localhost/",
        "http://LOCALHOST/",
        "http://localhost./",
        "http://a.localhost/",
        "http://localhost.localdomain/",
    ),
    *(
        "http://ｌｏｃａｌｈｏｓｔ/",
        "http://loc%61lhost/",
        "http://printer/",
        "http://printer.local/",
        "http://nas.lan/",
    ),
    *(
        "http://metadata/",
        "http://metadata.google.internal/",
        "http://metadata.goog/",
        "http://instance-data.ec2.internal/",
    ),
    *(
        "http://metadata.tencentyun.com/",
        "http://host.docker.internal/",
        "http://kubernetes.default.svc/",
        "http://x.svc.cluster.local/",
    ),
    *("http://router.home.arpa/", "http://wiki.corp/", "http://wiki.intranet/", "http://site.onion/", "http://a.test/"),
    *(
        "http://user@example.com/",
        "http://user:pass@example.com/",
        "http://example.com@127.0.0.1/",
        "http://127.0.0.1@example.com/",
    ),
    *(
        "http://example.com:22/",
        "http://example.com:25/",
        "http://example.com:6379/",
        "http://example.com:0/",
        "http://example.com:65536/",
    ),
    *(
        "http://example.com:99999/",
        "http://example.com:８０/",
        "http://example.com:-80/",
        "http://example.com:80:80/",
        "http://:80/",
    ),
    *(
        "file:///etc/passwd",
        "gopher://example.com/",
        "dict://example.com:11211/",
        "ftp://example.com/",
        "data:text/html,x",
    ),
    *(
        "javascript:alert(1)",
        "jar:http://example.com!/",
        "ldap://example.com",
        "//example.com/",
        "example.com",
        "",
        "http://",
    ),
    *(
        "http:///example.com/",
        "http:/example.com/",
        "http:example.com",
        "https:\\\\example.com",
        "http://example.com\\@127.0.0.1/",
    ),
    *(
        "http://exa\tmple.com/",
        "http://example.com\n.evil.com/",
        "http://example.com\0.evil.com/",
        "http://exam ple.com/",
    ),
    *(
        "http://example..com/",
        "http://.example.com/",
        "http://example.com../",
        "http://-a.example.com/",
        "http://faß.de/",
    ),
    *(
        "http://a\u200db.com/",
        "http://" + "a" * 64 + ".com/",
        "http://" + "a." * 130 + "com/",
        "http://example.com/" + "a" * 9000,
    ),
    *(
        "http://exa%00mple.com/",
        "http://127.0.0.1%2f@example.com/",
        "http://example.com%2f@127.0.0.1/",
        "http://[::1]:80:80/",
        "http://[::1]x/",
    ),
    *(
        "http://example.com/\ud800",
        "http://exa\udfffmple.com/",
        "http://①②⑦.0.0.1/",
        "http://１２７。０。０。１/",
        "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/",
        "http://localhost。/",
        "http://[64:ff9b:1::7f00:1]/",
        "http://[2001:0:7f00:1::]/",
        "http://[fe80::5efe:127.0.0.1]/",
        "http://[2600::200:5efe:10.0.0.1]/",
    ),
]

REFUSED_ANSWERS = [
    *("127.0.0.1", "10.1.2.3", "172.20.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1"),
    *(
        "168.63.129.16",
        "255.255.255.255",
        "198.18.0.1",
        "192.0.2.1",
        "240.0.0.1",
        "::1",
        "::",
        "fe80::1",
        "fe80::1%eth0",
    ),
    *(
        "fd00::1",
        "::ffff:10.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::",
        "2001:0:1::",
        "ff02::1",
        "2001:db8::1",
        "fd20:ce::254",
    ),
]

REACHED = [
    ("http://example.com/", "http://example.com/"),
    ("HTTPS://Example.COM./a?b=c#d", "https://example.com/a?b=c"),
    ("https://example.com:8443/", "https://example.com:8443/"),
    ("http://example.com:/", "http://example.com/"),
    ("https://bücher.de/ä b?q=ü%20", "https://xn--bcher-kva.de/%C3%A4%20b?q=%C3%BC%20"),
    ("https://例え.jp/", "https://xn--r8jz45g.jp/"),
    ("http://93.184.215.14/", "http://93.184.215.14/"),
    ("http://９３.184.215.14/", "http://93.184.215.14/"),
    ("https://[2606:4700:4700::1111]/", "https://[2606:4700:4700::1111]/"),
    ("https://[2606:4700:4700:0:0:0:0:1111]:8443/x", "https://[2606:4700:4700::1111]:8443/x"),
    (" https://a-b.example.org/x?y=/z ", "https://a-b.example.org/x?y=/z"),
    ("https://x_y.example.org?q", "https://x_y.example.org/?q"),
    ("https://en.wikipedia.org/wiki/A_(b)'s", "https://en.wikipedia.org/wiki/A_(b)'s"),
]


def test_the_table_of_refused_addresses_is_as_long_as_it_claims() -> None:
    assert len(set(REFUSED_URLS)) == len(REFUSED_URLS) >= 150
    assert len(set(REFUSED_ANSWERS)) == len(REFUSED_ANSWERS) >= 25


@pytest.mark.parametrize("url", REFUSED_URLS, ids=ascii)
async def test_what_is_not_the_public_web_is_refused(url: str) -> None:
    with pytest.raises(AddressRefused):
        await pin(url)


@pytest.mark.parametrize("answer", REFUSED_ANSWERS)
async def test_one_bad_address_among_the_answers_refuses_the_name(answer: str) -> None:
    for answers in ((answer,), (PUBLIC, answer), (answer, PUBLIC)):
        with pytest.raises(AddressRefused):
            await pin("https://example.com/", *answers)


@pytest.mark.parametrize(("url", "canonical"), REACHED, ids=ascii)
async def test_the_public_web_is_reached_in_one_spelling(url: str, canonical: str) -> None:
    assert parse_url(url).url == canonical
    assert await pin(url)


async def test_the_addresses_to_connect_to_are_those_that_were_checked() -> None:
    assert await pin("https://example.com/", PUBLIC, "2606:4700::1", PUBLIC) == (PUBLIC, "2606:4700::1")


async def test_a_name_is_resolved_once_and_an_address_never() -> None:
    asked: list[str] = []

    async def resolve(host: str) -> Sequence[str]:
        asked.append(host)
        return [PUBLIC] if len(asked) == 1 else ["127.0.0.1"]

    policy = Policy()
    assert await policy.pin(parse_url("https://example.com/"), resolve) == (PUBLIC,)
    assert await policy.pin(parse_url(f"https://{PUBLIC}/"), resolve) == (PUBLIC,)
    assert asked == ["example.com"]


async def test_a_refusal_says_what_the_user_can_do() -> None:
    with pytest.raises(AddressRefused, match="leave out everything before the @"):
        await pin("http://user:pass@example.com/")
    with pytest.raises(AddressRefused, match=r"intranet\.corp is a local name.*allow_hosts in \[web\]"):
        await pin("http://intranet.corp/")


@pytest.mark.parametrize(
    ("entry", "url", "answer"),
    [
        ("intranet.example", "http://intranet.example/", "10.0.0.5"),
        ("Intranet.EXAMPLE.", "http://intranet.example:8080/", "10.0.0.5"),
        ("*.corp.example", "http://wiki.corp.example/", "192.168.3.3"),
        ("wiki.lan:3000", "http://wiki.lan:3000/", "192.168.3.3"),
        ("localhost:9000", "http://localhost:9000/", "127.0.0.1"),
        ("10.0.0.0/8", "http://10.2.3.4/", PUBLIC),
        ("10.0.0.0/8", "http://example.com/", "10.2.3.4"),
        ("192.168.1.5", "http://192.168.1.5/", PUBLIC),
        ("127.0.0.1:9000", "http://127.0.0.1:9000/", PUBLIC),
        ("[fd00::5]:8080", "http://[fd00::5]:8080/", PUBLIC),
        ("::1", "http://[::1]/", PUBLIC),
        ("bücher.lan", "http://bücher.lan/", "10.0.0.5"),
        ("example.com:22", "http://example.com:22/", PUBLIC),
        ("169.254.169.254", "http://169.254.169.254/", PUBLIC),
    ],
)
async def test_the_allow_list_opens_just_what_it_names(entry: str, url: str, answer: str) -> None:
    with pytest.raises(AddressRefused):
        await pin(url, answer)
    assert await pin(url, answer, allow=[entry])


@pytest.mark.parametrize(
    ("entry", "url", "answer"),
    [
        ("intranet.example", "http://other.example/", "10.0.0.5"),
        ("intranet.example", "http://notintranet.example/", "10.0.0.5"),
        ("intranet.example", "http://intranet.example.evil.com/", "10.0.0.5"),
        ("intranet.example", "http://intranet.example:22/", "10.0.0.5"),
        ("intranet.example", "http://10.0.0.5/", "10.0.0.5"),
        ("*.corp.example", "http://corp.example/", "10.0.0.5"),
        ("*.corp.example", "http://evilcorp.example/", "10.0.0.5"),
        ("wiki.lan:3000", "http://wiki.lan/", PUBLIC),
        ("wiki.lan:3000", "http://wiki.lan:3001/", "10.0.0.5"),
        ("127.0.0.1:9000", "http://127.0.0.1:9001/", PUBLIC),
        ("127.0.0.1:9000", "http://127.0.0.1/", PUBLIC),
        ("10.0.0.0/8", "http://11.0.0.1:22/", PUBLIC),
        ("10.0.0.0/8", "http://192.168.0.1/", PUBLIC),
        # A host of the intranet does not get to name the metadata service as itself.
        ("intranet.example", "http://intranet.example/", "169.254.169.254"),
    ],
)
async def test_the_allow_list_opens_nothing_beside_what_it_names(entry: str, url: str, answer: str) -> None:
    with pytest.raises(AddressRefused):
        await pin(url, answer, allow=[entry])


@pytest.mark.parametrize(
    "entry", ["", "*", "http://x.example", "a b", "10.0.0.0/33", "10.0.0.1/8", "x:y", "x:0", "x:70000", "2130706433"]
)
def test_an_entry_that_cannot_be_read_is_an_error_that_shows_the_forms(entry: str) -> None:
    with pytest.raises(ConfigError, match=r"allow_hosts.*10\.0\.0\.0/8"):
        Policy([entry])


@given(st.ip_addresses(v=4))
def test_what_python_calls_private_is_never_public_here(address: ipaddress.IPv4Address) -> None:
    if not address.is_global or address.is_multicast or address.is_reserved:
        assert reason_against(str(address))


@given(st.ip_addresses(v=6))
def test_what_python_calls_private_is_never_public_in_ipv6(address: ipaddress.IPv6Address) -> None:
    embedded = address.ipv4_mapped or address.sixtofour or address.teredo
    if not address.is_global or address.is_multicast or address.is_reserved or embedded:
        assert reason_against(str(address))


SPECIAL_4 = [
    ipaddress.ip_network(text)
    for text in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "100.64.0.0/10",
        "0.0.0.0/8",
    )
]


def spellings(address: ipaddress.IPv4Address) -> list[str]:
    """The ways in which readers of URLs are known to write one IPv4 address."""
    number = int(address)
    a, b, c, d = address.packed
    return [
        f"{a}.{b}.{c}.{d}",
        f"{number}",
        f"0{number:o}",
        f"{number:#x}",
        f"{a:#x}.{b:#x}.{c:#x}.{d:#x}",
        f"0{a:o}.0{b:o}.0{c:o}.0{d:o}",
        f"{a}.{number & 0xFFFFFF}",
        f"{a}.{b}.{number & 0xFFFF}",
        f"{a:#x}.{number & 0xFFFFFF}",
        f"0{a:o}.{b}.{c}.{d:#x}",
        f"{a:04d}.{b}.{c}.{d}",
        f"{a}.{b}.{c}.{d}.",
        f"{a}。{b}．{c}｡{d}",
        f"{a}.{b}.{c}.{d}".translate({48 + digit: 0xFF10 + digit for digit in range(10)}),
        f"[::ffff:{address}]",
        f"[::{address}]",
        f"[64:ff9b::{address}]",
        f"[2002:{number >> 16:x}:{number & 0xFFFF:x}::1]",
        f"[::ffff:{number >> 16:x}:{number & 0xFFFF:x}]",
        f"[::ffff:0:{address}]",
    ]


@settings(max_examples=300)
@given(
    st.sampled_from(SPECIAL_4),
    st.integers(0, 2**32 - 1),
    st.sampled_from(["http://{}/", "https://{}:8080/x", "http://{}?q"]),
)
async def test_no_spelling_of_a_private_address_passes(network: ipaddress.IPv4Network, seed: int, form: str) -> None:
    address = network[seed % network.num_addresses]
    for spelling in spellings(address):
        with pytest.raises(AddressRefused):
            await pin(form.format(spelling))


# Half characters too: a model's JSON can hold them.
ANY_TEXT = st.text(st.characters(codec=None, exclude_categories=()), max_size=60)


@settings(max_examples=300)
@given(ANY_TEXT)
async def test_whatever_stands_in_a_url_it_is_refused_or_has_one_canonical_form(text: str) -> None:
    try:
        target = parse_url(f"http://{text}")
    except AddressRefused:
        return
    assert target.host.isascii()
    assert target.host == target.host.lower()
    assert target.url.isascii()
    assert not set("@\\\r\n\0 ") & set(target.netloc)
    assert parse_url(target.url) == target
    assert canonical_host(f"[{target.host}]" if ":" in target.host else target.host) == target.host


@given(ANY_TEXT)
async def test_wherever_a_redirect_leads_it_is_read_as_strictly(location: str) -> None:
    base = Target("https", "example.com", 443, "/a/b")
    try:
        target = follow(base, location)
    except AddressRefused:
        return
    assert parse_url(target.url) == target


@pytest.mark.parametrize(
    ("location", "url"),
    [
        ("/x", "https://example.com/x"),
        ("c?d", "https://example.com/a/c?d"),
        ("//other.org/y", "https://other.org/y"),
        ("http://other.org", "http://other.org/"),
        ("", "https://example.com/a/b"),
    ],
)
def test_a_redirect_is_relative_to_where_it_came_from(location: str, url: str) -> None:
    assert follow(Target("https", "example.com", 443, "/a/b"), location).url == url


@pytest.mark.parametrize(
    "location", ["http://127.1/", "//0x7f.1/", "\\\\127.0.0.1/", "http://a@b.com/", "file:///x", "http://[::1"]
)
def test_a_redirect_to_an_odd_address_is_refused(location: str) -> None:
    with pytest.raises(AddressRefused):
        follow(Target("https", "example.com", 443), location)
