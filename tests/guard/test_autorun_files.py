"""The one table of files that run later."""

from pathlib import PurePath

import pytest

from toolpost.guard.autorun_files import (
    GUARDED_ALWAYS,
    GUARDED_IF_THERE,
    GUARDED_IN_GIT,
    TABLE,
    attribute_drivers,
    autorun_file,
    is_told_of,
    module_settings,
    package_scripts,
    path_imports,
)
from toolpost.guard.secret_names import is_guarded

GUARDED = [".vscode/tasks.json", ".vscode", "a/.VSCode/settings.json", ".husky/pre-commit", ".cursor/mcp.json"]
GUARDED += [".claude/settings.json", ".envrc", ".idea/x.xml", ".gitmodules", ".pre-commit-config.yaml", ".mcp.json"]
TOLD = [".github/workflows/ci.yml", "a/.github/workflows/b.yml", "package.json", "conftest.py", "lib/sitecustomize.py"]
GUARDED += [".devcontainer.json", ".windsurf/mcp.json", ".zed/tasks.json", ".helix/languages.toml"]
TOLD += [".cargo/config.toml", "a/.cargo/config.toml", "opencode.json", "mise.toml", ".mise.toml", "lefthook.yml"]
TOLD += ["x/a.pth", ".gitattributes", ".gitlab-ci.yml"]
NEITHER = ["a.py", ".github/CODEOWNERS", "workflows/ci.yml", "config.toml", "packages.json", "git/config"]


@pytest.mark.parametrize("path", GUARDED)
def test_what_is_never_an_agents_business_is_guarded(path: str) -> None:
    row = autorun_file(PurePath(path))
    assert row is not None
    assert row.verdict == "guard"
    assert is_guarded(PurePath(path)), "the file tools ask for what the table guards"


@pytest.mark.parametrize("path", TOLD)
def test_what_it_may_write_is_told(path: str) -> None:
    row = autorun_file(PurePath(path))
    assert row is not None
    assert row.verdict == "tell"
    assert not is_guarded(PurePath(path))


@pytest.mark.parametrize("path", NEITHER)
def test_other_files_do_not_act(path: str) -> None:
    assert autorun_file(PurePath(path)) is None


def test_the_sandbox_gets_its_names_from_the_table() -> None:
    assert GUARDED_ALWAYS == (".toolpost", ".mcp.json")
    assert GUARDED_IN_GIT == ("hooks", "config", "config.worktree", "commondir")
    guarded = {row.path for row in TABLE if row.verdict == "guard"}
    assert {*GUARDED_ALWAYS, *GUARDED_IF_THERE} == guarded | {".git/info/attributes"}


def test_only_a_part_of_some_files_acts() -> None:
    assert package_scripts(b'{"name": "x"}') == package_scripts(b"[1]") == ""
    assert package_scripts(b'{"scripts": {"a": "b"}}') == '{"a": "b"}'
    assert package_scripts(b"{") == "{"
    assert attribute_drivers(b"* text\n*.bin filter=lfs diff=lfs\n") == "*.bin filter=lfs diff=lfs"
    assert path_imports(b"/a\nimport x; x()\n") == "import x; x()"
    assert module_settings(b'[submodule "a"]\npath = a\nurl = https://example.org/a\n') == ""
    assert module_settings(b'[submodule "a"]\nupdate = !x\n') == "submodule.a.update = !x"


def test_nobody_is_told_of_packages_and_tests() -> None:
    assert is_told_of(PurePath("web/package.json"))
    for path in ("node_modules/a/package.json", "tests/conftest.py", ".venv/lib/x.pth", ".git/package.json"):
        assert not is_told_of(PurePath(path))
