"""Git's settings: read as git reads them, and what can run something told from what can't."""

import contextlib
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolpost.guard.git.config import BadGitConfig, is_harmless, parse_config, render_config

ENVIRON = {"PATH": "/usr/local/bin:/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1", "HOME": "/nonexistent"}

CLONED = b"""\
[core]
\trepositoryformatversion = 0
\tfilemode = true
\tbare = false
\tlogallrefupdates = true
[remote "origin"]
\turl = https://example.org/a/b.git
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "main"]
\tremote = origin
\tmerge = refs/heads/main
[submodule "lib"]
\turl = git@example.org:a/lib.git
\tactive = true
"""
ACTING = [
    "[core]\nfsmonitor = x",
    "[CORE]\n\tFsMonitor = x",
    '[core] fsmonitor = "a b" # c',
    "[core]\nfsmon\\\nitor = x",
    "[core]\nfsmonitor = \\\n x",
    "\ufeff[core]\r\nsshCommand = x\r\n",
    "[core]pager=x",
    "[core]\nhooksPath = /x",
    "[core]\nfsmonitor",
    "[core]\neditor = x",
    "[core]\ngitProxy = x",
    "[core]\nattributesFile = x",
    "[core]\naskPass = x",
    "[core]\nworktree = /",
    '[core "x"]\nbare = true',
    '[filter "x"]\nclean = x',
    "[filter.x]\nprocess = x",
    "[alias]\nst = !x",
    '[alias "x"]\ncommand = y',
    "[diff]\nexternal = x",
    '[diff "x"]\ntextconv = x',
    '[merge "x"]\ndriver = x',
    "[gpg]\nprogram = x",
    '[gpg "ssh"]\nprogram = x',
    "[include]\npath = x",
    '[includeIf "gitdir:/"]\npath = x',
    "[credential]\nhelper = !x",
    "[sequence]\neditor = x",
    '[url "ext::sh -c x"]\ninsteadOf = https://',
    '[remote "o"]\nurl = ext::sh -c x',
    '[remote "o"]\nurl = fd::17',
    '[remote "o"]\nurl = -oProxyCommand=x',
    '[remote "o"]\nurl = ssh://-oProxyCommand=x/y',
    '[remote "o"]\nurl = ssh://a@-oProxyCommand=x/y',
    '[remote "o"]\nurl = x://y',
    '[remote "o"]\nvcs = x',
    '[remote "o"]\nuploadpack = x',
    '[branch "m"]\nremote = ext::sh -c x',
    '[branch "m"]\nmergeOptions = x',
    '[submodule "s"]\nupdate = !x',
    "[uploadpack]\npackObjectsHook = x",
    "[gc]\nrecentObjectsHook = x",
    "[init]\ntemplateDir = x",
    "[pager]\nstatus = x",
    "[interactive]\ndiffFilter = x",
    "[http]\nproxy = x",
    "[hook]\nx = y",
    "[lfs]\nx = y",
]
STRANGE = [
    b"key = 1",
    b"[core",
    b'[core "x]\na = 1',
    b"[core]\n1a = 2",
    b"[core]\na_b = 2",
    b'[core]\na = "b\n',
    b"[core]\na = \\q",
    b"[core]\nbare\0 = 1",
    b"[]\na = 1",
    b'[a.b "c"]\nd = 1',
    b"[core]\n" + b"#" * 1_000_001,
]


def test_what_a_clone_writes_is_harmless() -> None:
    assert all(map(is_harmless, parse_config(CLONED)))


@pytest.mark.parametrize("text", ACTING)
def test_what_can_run_something_is_not(text: str) -> None:
    with contextlib.suppress(BadGitConfig):
        assert not all(map(is_harmless, parse_config(text.encode())))


@pytest.mark.parametrize("data", STRANGE)
def test_what_is_no_settings_is_refused(data: bytes) -> None:
    with pytest.raises(BadGitConfig):
        parse_config(data)


PIECES = st.sampled_from(
    (
        *("[core]", "[a.B]", '[a "B c"]', '[a "\\"\\\\x"]', "\n", "\r\n", " ", "\t", "key", "Key-2", "=", '"', "\\"),
        *("\\n", "\\\n", "#", ";", "x", "é", "value", "]", "[", "\r", "[alias] x = !y", "\v", ".", "1"),
    )
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PIECES, max_size=14).map("".join))
def test_it_reads_what_git_reads(tmp_path: Path, text: str) -> None:
    """Whatever this parser accepts, git reads in the same way: nothing that acts can hide between the two."""
    file = tmp_path / "config"
    file.write_bytes(text.encode())
    try:
        ours = parse_config(text.encode())
    except BadGitConfig:
        return
    assert _read_by_git(file) == [(one.key, one.value) for one in ours]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(st.characters(blacklist_characters="\0\n\r", blacklist_categories=["Cs"])), st.text('a"\\ b\n\t#;é'))
def test_what_it_writes_git_reads(tmp_path: Path, subsection: str, value: str) -> None:
    entries = parse_config(b'[core]\nbare = true\n[remote "x"]\nurl = y')
    entries[1] = type(entries[1])("remote", subsection, "url", value)
    file = tmp_path / "config"
    file.write_bytes(render_config(entries))
    assert parse_config(render_config(entries)) == entries
    assert _read_by_git(file) == [(one.key, one.value) for one in entries]


def _read_by_git(file: Path) -> list[tuple[str, str | None]]:
    words = ["git", "config", "--file", str(file), "--no-includes", "--list", "-z"]
    done = subprocess.run(words, capture_output=True, check=True, env=ENVIRON, cwd="/")
    found: list[tuple[str, str | None]] = []
    for line in done.stdout.decode().split("\0")[:-1]:
        key, newline, value = line.partition("\n")
        found.append((key, value if newline else None))
    return found
