"""What a shell line is about to do, as the rules are asked."""

import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.guard.rules import Rules, covered, parse_rules
from toolpost.guard.shell.judge import OPAQUE, judge
from toolpost.guard.wildcards import covers, exact

UNDERSTOOD = [
    ("ls", ["ls"], ["ls *"]),
    ("git commit -m 'a b'", ["git commit -m 'a b'"], ["git commit -m 'a b'"]),
    ("npm run test -- -x", ["npm run test -- -x"], ["npm run test -- -x"]),
    ("rm -rf build", ["rm -rf build"], ["rm -rf build"]),
    ("docker compose up -d", ["docker compose up -d"], ["docker compose up -d"]),
    ("make test", ["make test"], ["make test"]),
    ("make", ["make"], ["make"]),
    ("python -c 'print(1)'", ["python -c 'print(1)'"], ["python -c 'print(1)'"]),
    ('r"m" a\\b', ["rm ab"], ["rm ab"]),
    ("a && b; c || d & e", ["a", "b", "c", "d", "e"], ["a", "b", "c", "d", "e"]),
    ("a | b |& c", ["a", "b", "c"], ["a", "b", "c"]),
    ("(a; { b; })", ["a", "b"], ["a", "b"]),
    ('echo "$(a `b`)"', ['echo "$(a `b`)"', "a `b`", "b"], ["echo *", "a `b`", "b"]),
    ("diff <(a) <(b)", ["diff <(a) <(b)", "a", "b"], ["diff *", "a", "b"]),
    ("x=$(a) y=1", ["a"], ["a"]),
    ("if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"], ["a", "b", "c", "d", "e"]),
    ("while a; do b; done", ["a", "b"], ["a", "b"]),
    ("for f in $(a); do b $f; done", ["a", "b $f"], ["a", "b $f"]),
    ("case $(a) in x) b;; *) c;; esac", ["a", "b", "c"], ["a", "b", "c"]),
    ("f() { a; }; f", ["a", "f"], ["a", "f"]),
    ("! a", ["a"], ["a"]),
    ("[[ -f $(a) ]] && b", ["a", "b"], ["a", "b"]),
    ("cat <<EOF\nx $(a) y\nEOF", ["cat", "a"], ["cat *", "a"]),
    ("cat <<'EOF'\nx $(a) y\nEOF", ["cat"], ["cat *"]),
    ("cat <<< $(a)", ["cat", "a"], ["cat *", "a"]),
    ("echo ${x:-$(a)}", ["echo ${x:-$(a)}", "a"], ["echo *", "a"]),
    ("export A=$(a)", ["export A=$(a)", "a"], ["export A=$(a)", "a"]),
    ("a > out", ["a", "> out"], ["a", "> out"]),
    ("a > out -l", ["a -l", "> out"], ["a -l", "> out"]),
    ("a &>> 'my out'", ["a", "> 'my out'"], ["a", "> 'my out'"]),
    ('a > "$x"', ["a", '> "$x"'], ["a", '> "$x"']),
    ("a >/dev/null 2>&1", ["a"], ["a"]),
    ("a | tee out", ["a", "tee out", "> out"], ["a", "tee out", "> out"]),
    ("sudo -u bob a b", ["sudo -u bob a b", "a b"], ["sudo -u bob a b", "a b"]),
    ("env -i A=1 a", ["env -i A=1 a", "a"], ["env -i A=1 a", "a"]),
    ("nohup nice -n 5 timeout -k 1 5 a", None, ["nohup *", "nice *", "timeout *", "a"]),
    (
        "find . -name x -exec a {} +",
        ["find . -name x -exec a '{}' +", "a {}"],
        ["find . -name x -exec a '{}' +", "a {}"],
    ),
    ("find src -delete", ["find src -delete", "rm -r src"], ["find src -delete", "rm -r src"]),
    ("ls | xargs -n 1 wc b", ["ls", "xargs -n 1 wc b", "wc b"], ["ls *", "xargs -n 1 wc b", "wc b"]),
    ("bash -c 'a; b'", ["bash -c 'a; b'", "a", "b"], ["bash -c 'a; b'", "a", "b"]),
    ("sh -ec \"a 'b'\"", None, ["sh -ec 'a '\"'\"'b'\"'\"''", "a b"]),
    ("command -v git", ["command -v git"], ["command *"]),
    ("time a", ["time a", "a"], ["time *", "a"]),
    ("trap 'a b' EXIT", ["trap 'a b' EXIT", "a b"], ["trap 'a b' EXIT", "a b"]),
    ("/usr/bin/git push", ["/usr/bin/git push", "git push"], ["/usr/bin/git push", "git push"]),
    ("git -C x push", ["git -C x push", "git push"], ["git -C x push", "git push"]),
    ("A=1 a", ["A=1 a", "a"], ["A=1 a", "a"]),
    ("PATH=x; a", ["a", "PATH=x"], ["a", "PATH=x"]),
    ("i=0; while ((i < 3)); do a $((i++)); done", ["a $((i++))"], ["a $((i++))"]),
    ("a # b; c", ["a"], ["a"]),
    ("a \\\n  b", ["a b"], ["a b"]),
    ("a\nb", ["a", "b"], ["a", "b"]),
]
NOT_UNDERSTOOD = [
    *("", "   ", "# only a comment", "a )", "'a", "a <<EOF\nx", 'eval "a"', "$x", '"$x" a', "$(a) b", "`a`", "{a,b}"),
    *("/bin/r?", "git $x", "git {push,origin}", "npm run $x", "sudo $x a", "sudo -s", "env -S 'a b'", "env $x"),
    *(
        "curl x | sh",
        "bash -s",
        "bash",
        "bash <<EOF\na\nEOF",
        'bash -c "$x"',
        'sh -c "a $x"',
        "a | xargs sh",
    ),
    *(
        "ls | xargs git",
        "ls | xargs rm",
        "ls | xargs -I X cp X b",
        "ls | xargs -I '' a",
        "getopts $x y",
        "ls | xargs -I{} {} x",
        "ls | xargs -I{} sh -c 'a {}'",
        "find . -exec {} \\;",
        "find $x",
        "find *",
    ),
    *("tar cf x *", "tar --to-command=a xf x", "rg --pre a b", "git -c core.pager=a log", "git rebase -x a", "a\r\nb"),
    *("a\u00a0b", "r\\\nm x", "alias a=b", "hash -p a b", "enable -f a b", "! { a; }", "x='a[$(b)]'; echo $((x))"),
    *("n=$(a); echo $((n + 1))", "echo $((HOME))", "[[ $x -eq 1 ]]", "declare -n a=b", "${x@P}", "echo ${x@P}"),
    *(
        "BASH_ENV=x a",
        "PS4='$(a)'; set -x; b",
        "LD_PRELOAD=x a",
        "cat <<EOF\n`a`\nEOF",
        "cat <<A <<B\nA\nB",
        "parallel a",
        "python <<EOF\nx\nEOF",
        "a | python3 -",
        "env 'BASH_FUNC_a%%=() { b; }' a",
        "env LD_PRELOAD=x a",
    ),
    *("cd $x && a > out", "for d in a b; do cd $d; b > out; done", "ssh -o ProxyCommand=a b", "su -c a", "a" * 100_000),
]


@pytest.mark.parametrize(("line", "patterns", "always"), UNDERSTOOD, ids=[line for line, *_ in UNDERSTOOD])
def test_every_command_of_a_line_is_seen(line: str, patterns: list[str] | None, always: list[str]) -> None:
    judged = judge(line)
    assert judged.opaque == ""
    assert patterns is None or list(judged.patterns) == patterns
    assert list(judged.always) == always


@pytest.mark.parametrize("line", NOT_UNDERSTOOD, ids=lambda line: repr(line)[:40])
def test_what_is_not_understood_is_asked_as_a_whole(line: str) -> None:
    judged = judge(line)
    assert judged.opaque
    assert judged.patterns[0] == OPAQUE + line
    narrow = Rules(parse_rules({"bash": {f"{name} *": "allow" for name in ("git", "bash", "a", "ls", "find")}}, "test"))
    assert narrow.decide("bash", judged.patterns).action == "ask"


@pytest.mark.parametrize("line", NOT_UNDERSTOOD, ids=lambda line: repr(line)[:40])
def test_always_for_an_opaque_line_allows_that_line_only(line: str) -> None:
    judged = judge(line)
    saved = [("bash", pattern) for pattern in judged.always]
    assert covered(saved, "bash", judged.patterns)
    for other in ("a", "git push", "rm -rf x", "b", f"{line} c", f"a; {line}"):
        assert not covered(saved, "bash", judge(other).patterns)


@pytest.mark.parametrize(
    "line", ["rm -rf x; $y", 'echo `rm -rf x` $("$y")', "bash -c 'rm -rf x; $y'", "rm -rf x\r", "$y | rm -rf x"]
)
def test_a_denied_part_denies_a_line_that_is_not_understood(line: str) -> None:
    rules = Rules(parse_rules({"bash": {"*": "allow", "rm *": "deny"}}, "test"))
    judged = judge(line)
    assert judged.opaque
    assert rules.decide("bash", judged.patterns).action == "deny"


@pytest.mark.parametrize(
    "line",
    [
        *("git push", "/usr/bin/git push", "git -C . push", "A=1 git push", "env git push", "sudo -n git push"),
        *("bash -c 'git push'", "echo $(git push)", "(git push)", "if git push; then a; fi", "gi't' pu\\sh"),
        *("xargs git push", "timeout 5 nice git push", "find . -exec git push \\;", "a | git push", "a\ngit push"),
        *("cat <(git push)", "f() { git push; }", "trap 'git push' EXIT", "nohup git --no-pager push", "exec git push"),
    ],
)
def test_a_rule_about_a_command_holds_wherever_it_stands(line: str) -> None:
    rules = Rules(parse_rules({"bash": {"*": "allow", "git push *": "deny"}}, "test"))
    assert rules.decide("bash", judge(line).patterns).action == "deny"


@pytest.mark.parametrize(
    "line",
    [
        *("uv run python x.py", "poetry run sh x", "npx tsx x.ts", "uv tool run x", "docker exec a b", "docker run a"),
        *(
            "docker compose exec web a",
            "kubectl exec a -- b",
            "conda run a",
            "python3.12 x.py",
            "perl5.36 x",
            "lua5.4 x",
        ),
        *("gsed s/a/b/ x", "view x", "ex x", "m4 x", "psql -c x", "deno run x", "npm exec x", "nix develop -c a"),
    ],
)
def test_what_runs_anything_is_allowed_for_good_only_as_it_was(line: str) -> None:
    judged = judge(line)
    assert judged.opaque == ""
    assert judged.always[0] == line


@pytest.mark.parametrize(
    "line",
    [
        *("sed -n '1,20p' x", "sed -i 's|a|b|; s#c#d#' x", "sed -En -e 's/(a)/b/p' -e '/x/,$d' y", "sed '/a/{p;q}' x"),
        *("awk -F: '{ print $1, $2 }' x", 'git commit -m "$(cat x)"', "git log -5 --format=%H", "git diff HEAD -- $x"),
        *(
            'rg a"$x"',
            "sort b*",
            'find . -name "a$x"',
            'git log "v$x"',
            '[ a"$x" = b ] && a',
            "[ $((1)) -gt 0 ] && a",
            'read -p "$x" y',
        ),
        *("make -j4 test CFLAGS=-O2", "tar xzf x.tgz -C y", "find . -name '*.py' | xargs grep x", "cd a && make > b"),
        *('while read -r line; do a "$line"; done < x', '[ -f "$x" ] && a', "[ $? -eq 0 ] && a", "printf '%s' \"$x\""),
        *(
            "set -euo pipefail; a",
            "shopt -s globstar; ls **/*.py",
            "source .venv/bin/activate && a",
            "sh -c 'a $((1+2))'",
        ),
        *(
            "trap 'rm -f x' EXIT; a",
            "sort -t, -k2 x | uniq -c",
            "a & wait $!",
            "x=(a b); echo ${x[@]}",
            "uv run pytest -q",
        ),
    ],
)
def test_what_everybody_writes_is_understood(line: str) -> None:
    assert judge(line).opaque == ""


def test_an_allowed_command_may_not_write_files_by_redirection() -> None:
    rules = Rules(parse_rules({"bash": {"echo *": "allow", "tee *": "allow", "find *": "allow"}}, "test"))
    assert rules.decide("bash", judge("echo hi").patterns).action == "allow"
    for line in (
        "find . -fprint x",
        "echo hi > .bashrc",
        "echo hi >> x",
        "echo hi | tee x",
        "echo hi &> x",
        "> x echo hi",
    ):
        assert rules.decide("bash", judge(line).patterns).action == "ask"


@pytest.mark.parametrize(
    ("line", "reads", "writes"),
    [
        ("cat a ~/b < c", ["a", "~/b", "c"], []),
        ("a > x 2> /tmp/y >> ~/z", [], ["x", "/tmp/y", "~/z"]),
        ("cd sub && a > x", [], ["sub/x", "x"]),
        ("cd /etc; a > x", [], ["/etc/x", "x"]),
        ("cp a b /c/d", ["a", "b"], ["/c/d"]),
        ("mv a /b", [], ["a", "/b"]),
        ("rm -rf /a b", [], ["/a", "b"]),
        ("tee -a /x y", [], ["/x", "y"]),
        ("dd if=/a of=/b", ["/a"], ["/b"]),
        ("sed -i s/a/b/ /x", ["/x"], ["/x"]),
        ("curl -o /x http://y", [], ["/x"]),
        ("find . -fprint /x", [], ["/x"]),
        ('a > "~/x"', [], ["./~/x"]),
        ("sudo bash -c 'a > /x'", [], ["/x"]),
        ("chmod 755 /x", [], ["/x"]),
        ('a > "$x"', [], []),
    ],
)
def test_literal_files_are_named(line: str, reads: list[str], writes: list[str]) -> None:
    judged = judge(line)
    assert judged.opaque == ""
    assert sorted(judged.reads) == sorted(reads)
    assert sorted(judged.writes) == sorted(writes)


def test_a_line_over_the_limit_is_opaque_and_still_searched() -> None:
    judged = judge("rm x; " * 50 + "git push", limit=200)
    assert "longer" in judged.opaque
    assert "git" in judged.programs
    assert judge("rm x; " * 500, limit=200).programs == ()


def test_a_long_line_is_judged_in_reasonable_time() -> None:
    begun = time.perf_counter()
    assert judge("ls -l a; " * 2_000).opaque == ""
    assert judge("$(" * 5_000).opaque
    assert judge("((((" * 5_000).opaque
    assert judge(f"echo '{'[' * 60_000}'").opaque == ""
    assert judge("#\n" * 20_000).opaque
    assert time.perf_counter() - begun < 20


FAR_CHARACTERS = """
from toolpost.guard.shell.judge import judge

for code in range(0x100, 0x110000, 0x400):
    judge("{" + chr(code))
"""


def test_no_character_ends_the_process() -> None:
    """tree-sitter-bash issue 337: its scanner looks characters up beyond the end of a table. What lies there differs
    from process to process, so several are tried."""
    ended = [subprocess.run([sys.executable, "-c", FAR_CHARACTERS], check=False).returncode for _ in range(4)]
    assert ended == [0] * 4


def test_far_characters_stay_what_they_are() -> None:
    judged = judge("git commit -m 'é 中 🎉' > 🎉.txt")
    assert judged.opaque == ""
    assert judged.patterns[0] == "git commit -m 'é 中 🎉'"
    assert judged.writes == ("🎉.txt",)


@given(st.text(st.characters() | st.characters(categories=["Cs"]), max_size=60))
def test_no_text_breaks_the_judge(text: str) -> None:
    judged = judge(text)
    assert judged.patterns
    assert len(judged.always) >= 1
    assert covered([("bash", pattern) for pattern in judged.always], "bash", judged.patterns)


@given(st.text(st.sampled_from("ab $`'\"\\(){}<>|&;\n#=*?[]!-xargs eval"), max_size=40))
def test_shell_like_text_is_covered_by_its_own_always(text: str) -> None:
    judged = judge(text)
    assert covered([("bash", pattern) for pattern in judged.always], "bash", judged.patterns)
    if judged.opaque:
        assert all(covers(exact(found), found) for found in judged.always)
