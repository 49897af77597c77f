"""One word for one thing: a reader who sees a class name knows which class is meant."""

import ast
from collections import defaultdict
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "toolpost"
# A contract and its implementation by the contract's name.
CONTRACTS = {"TokenStore": ["config/token_store.py", "mcp/oauth.py"]}


def public_classes():
    places = defaultdict(list)
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(str(path.relative_to(PACKAGE)))
    return places


def test_no_two_public_classes_share_a_name():
    shared = {name: sorted(paths) for name, paths in public_classes().items() if len(paths) > 1}
    assert shared == CONTRACTS
