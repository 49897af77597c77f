"""`code_search` on real source with real ripgrep and tree-sitter."""

import re

import pytest
from search_desk import SearchDesk

from toolpost.tools.code_search.languages import language_of
from toolpost.tools.code_search.symbols import find_symbols
from toolpost.types.errors import ToolError


@pytest.fixture
def desk(tmp_path):
    return SearchDesk(tmp_path)


SOURCES = {
    "a.py": (
        "LIMIT = 1\nclass Parser:\n    depth = 2\n    def parse(self):\n        local = LIMIT\n        return local\n\n"
        "async def run(parser: Parser):\n    # Parser in a comment\n    return parser.parse('Parser')\n",
        {
            "LIMIT": "variable",
            "Parser": "class",
            "depth": "variable",
            "parse": "function",
            "run": "function",
            "local": "",
        },
    ),
    "a.ts": (
        "export interface Shape { area(): number }\nexport const twice = (n: number) => n * 2\ntype Id = string\n"
        "enum Color { Red }\nexport class Box implements Shape { size = 1; area() { return twice(this.size) } }\n",
        {"Shape": "interface", "twice": "function", "Id": "type", "Color": "enum", "Box": "class", "area": "method"},
    ),
    "a.jsx": (
        "function App() { return <Item/> }\nconst Item = () => null\nclass Store { get() {} }\n",
        {"App": "function", "Item": "function", "Store": "class", "get": "method"},
    ),
    "a.go": (
        "package a\ntype Server struct { addr string }\nfunc (s *Server) Start() {}\n"
        "func New() *Server { return nil }\nconst Max = 1\nvar global = 2\n",
        {
            "Server": "type",
            "Start": "method",
            "New": "function",
            "Max": "constant",
            "global": "variable",
            "addr": "field",
        },
    ),
    "a.rs": (
        "pub struct Lexer<'a> { text: &'a str }\nimpl<'a> Lexer<'a> { fn next_token(&self) -> Token { Token::End } }\n"
        "enum Token { End }\ntrait Walk { fn walk(&self); }\nmacro_rules! shout { () => {} }\nconst SIZE: u8 = 1;\n",
        {
            "Lexer": "struct",
            "next_token": "function",
            "Token": "enum",
            "Walk": "trait",
            "shout": "macro",
            "SIZE": "constant",
        },
    ),
    "A.java": (
        "class Account { private int total; Account() {} void pay(int n) { this.total += n; } }\n"
        "record Point(int x) {}\n",
        {"Account": "class", "pay": "method", "total": "variable", "Point": "record"},
    ),
    "a.c": (
        "#define LIMIT 3\nstruct node { int value; };\ntypedef struct node *node_ptr;\n"
        "static int *find(struct node *n) { return &n->value; }\nint total;\nvoid use(void) { find(0); }\n",
        {"LIMIT": "macro", "node": "struct", "node_ptr": "type", "find": "function", "total": "declaration"},
    ),
    "a.hpp": (
        "namespace geo { class Shape { public: virtual double area() const; }; }\n"
        "double geo::Shape::area() const { return 0; }\ntemplate <class T> T biggest(T a) { return a; }\n",
        {"geo": "namespace", "Shape": "class", "area": "field", "biggest": "function"},
    ),
}


@pytest.mark.parametrize("name", SOURCES)
def test_definitions_are_told_from_uses_in_every_language(name):
    source, expected = SOURCES[name]
    for symbol, kind in expected.items():
        found = list(find_symbols(source.encode(), language_of(name), re.compile(rf"\b{symbol}\b".encode())))
        kinds = [one.kind for one in found if one.kind]
        assert kinds[:1] == ([kind] if kind else []), symbol


@pytest.mark.parametrize(
    ("name", "symbol", "scope"),
    [
        ("a.py", "parse", "Parser"),
        ("a.go", "Start", "Server"),
        ("a.rs", "next_token", "Lexer"),
        ("A.java", "pay", "Account"),
    ],
)
def test_a_definition_knows_what_it_is_in(name, symbol, scope):
    pattern = re.compile(rf"\b{symbol}\b".encode())
    [found] = [one for one in find_symbols(SOURCES[name][0].encode(), language_of(name), pattern) if one.kind]
    assert found.scope == scope


def test_names_in_comments_and_texts_are_no_symbols():
    found = list(find_symbols(SOURCES["a.py"][0].encode(), language_of("a.py"), re.compile(rb"\bParser\b")))
    assert [one.line for one in found] == [2, 8]


async def test_definitions_come_first_with_their_code_then_the_uses(desk):
    desk.put("app/use.py", "from lib import load\n\nload(1)\n")
    desk.put("lib.py", '"""Load things."""\n\n\ndef load(path):\n    return path\n')
    assert await desk.lines("code_search", query="load") == [
        "lib.py:4 function load",
        "  4: def load(path):",
        "  5:     return path",
        "Used (2):",
        "app/use.py",
        "  1: from lib import load",
        "  3: load(1)",
    ]
    assert "Used (" not in await desk.say("code_search", query="load", kind="definition")
    assert "function load" not in await desk.say("code_search", query="load", kind="reference")


async def test_a_long_definition_is_shown_in_part(desk):
    desk.put("a.py", "class Long:\n" + "    x = 1\n" * 100)
    shown = await desk.lines("code_search", query="Long", kind="definition")
    assert len(shown) == 10
    assert shown[-1] == "  [… 93 more lines]"


async def test_a_name_in_a_class_is_found_by_both_names(desk):
    desk.put("a.py", "class A:\n    def run(self): ...\nclass B:\n    def run(self): ...\n")
    assert await desk.lines("code_search", query="B.run()", kind="definition") == [
        "a.py:4 function B.run",
        "  4:     def run(self): ...",
    ]


async def test_words_of_a_name_find_it_however_it_is_written(desk):
    desk.put("a.py", "def parse_config_file(): ...\n")
    desk.put("b.ts", "export function parseConfig() {}\n")
    desk.put("c.py", "def config_parser(): ...\n")
    shown = await desk.say("code_search", query="parse config", kind="definition")
    assert "a.py:1 function parse_config_file" in shown
    assert shown.startswith("b.ts:1 function parseConfig")
    assert "c.py" not in shown


async def test_a_name_that_is_only_used_here_is_not_mixed_up_with_longer_ones(desk):
    desk.put("a.py", "import json\n\njson.loads(my_loads_text)\n")
    assert await desk.lines("code_search", query="loads") == ["Used (1):", "a.py", "  3: json.loads(my_loads_text)"]


async def test_installed_packages_are_searched_when_asked_and_marked_as_others_work(desk):
    desk.git("init")
    desk.put(".gitignore", ".venv/\nnode_modules/\n")
    desk.put(".venv/pyvenv.cfg", "home = /usr/bin\n")
    desk.put(".venv/lib/python3.12/site-packages/tool/core.py", "def helper(): ...\n")
    desk.put("node_modules/left/index.js", "export function helper() {}\n")
    desk.put("mine.py", "def helper(): ...\n")
    assert await desk.lines("code_search", query="helper") == ["mine.py:1 function helper", "  1: def helper(): ..."]
    shown = await desk.say("code_search", query="helper", scope="dependencies")
    assert shown.startswith('<untrusted source="installed packages">')
    assert ".venv/lib/python3.12/site-packages/tool/core.py:1 function helper" in shown
    assert "node_modules/left/index.js:1 function helper" in shown
    assert "mine.py" not in shown
    both = await desk.say("code_search", query="helper", scope="all")
    assert both.startswith("mine.py:1")
    assert "tool/core.py:1" in both


async def test_a_project_without_a_gitignore_does_not_show_its_packages_as_its_own(desk):
    desk.put("venv/pyvenv.cfg", "")
    desk.put("venv/lib/python3.12/site-packages/x.py", "def helper(): ...\n")
    desk.put("sub/node_modules/x.js", "function helper() {}\n")
    assert "Nothing named helper" in await desk.say("code_search", query="helper")


async def test_packages_behind_a_link_out_of_the_project_are_not_searched(desk):
    outside = desk.root.parent / f"{desk.root.name}_outside"
    outside.mkdir()
    (outside / "x.js").write_text("function helper() {}")
    (desk.root / "node_modules").symlink_to(outside)
    with pytest.raises(ToolError, match="no installed packages"):
        await desk.say("code_search", query="helper", scope="dependencies")


async def test_what_was_not_found_or_is_no_name_is_said(desk):
    desk.put("a.py", "x = 1\n")
    assert "Nothing named missing_name" in await desk.say("code_search", query="missing_name")
    with pytest.raises(ToolError, match="no name in it"):
        await desk.say("code_search", query="?!")
