"""Lines that run a program, or write a file, without naming it where one would look. Each is really run first: a case
that does nothing proves nothing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from toolpost.guard.rules import Rules, parse_rules
from toolpost.guard.shell.judge import judge

# Arithmetic runs what is in an index, however that text came together.
INDEX = "x='a[$'; x+='(canary)]'; "
SPLIT = "'a[$''(canary)]'"

RUNS = [
    f'{INDEX}declare "$x=1"',
    f"{INDEX}: ${{!x}}",
    f"{INDEX}declare -a a=([$x]=1)",
    f"{INDEX}a=([$x]=1); true",
    f'{INDEX}printf -v "$x" z',
    f"{INDEX}read $x <<< 1",
    f"{INDEX}RANDOM=$x; true",
    f'{INDEX}o=-v; test $o "$x"',
    f'{INDEX}test -n y -a -v "$x"',
    f'{INDEX}y="-v $x"; [ $y ]; true',
    f'{INDEX}[ -v "$x" ]; true',
    f'{INDEX}a=(1); unset "$x"',
    f"printf -v {SPLIT} z",
    f"read {SPLIT} <<< 1",
    f"a=(1); unset {SPLIT}",
    f"declare {SPLIT}=1",
    *("for PATH in ./evil; do ls; done", "printf -v PATH ./evil; ls", "printf -vPATH ./evil; ls"),
    *("o=-vPATH; printf $o ./evil; ls", "read PATH <<< ./evil; ls", "read -r PATH <<< ./evil; ls"),
    *("unset PATH; : ${PATH:=./evil}; ls", "unset PATH; : ${PATH=./evil}; ls"),
    *("set -k; bash script BASH_ENV=evil/ls", "set -o keyword; bash script BASH_ENV=evil/ls"),
    *("bash -kc 'bash script BASH_ENV=evil/ls'", "bash -o keyword -c 'bash script BASH_ENV=evil/ls'"),
    *("o=-k; set $o; bash script BASH_ENV=evil/ls", "export 'BASH_ENV=evil/ls'; bash script"),
    *("BASH_ENV=evil/ls bash script", "shopt -s expand_aliases\nBASH_ALIASES[ls]=canary\nls"),
    *("trap -- canary EXIT", "trap -- 'canary x' EXIT; true"),
    *("sh -c 'canary=1; b=2; ((canary>b))'", "sh -c \"echo \\$'\\\\'; canary #'\"", "sh -c 'a=1; ((canary || a))'"),
    *("dash -c 'canary=1; ((canary))'", "echo canary | xargs -I% sh -c %"),
    *("echo --compress-program=canary | xargs sort -S 1k big", "sort --compress-prog=./canary -S 1k big"),
    *("x=--compress-program=canary; sort $x -S 1k big", "x=e; find . -maxdepth 0 -${x}xec canary ';'"),
    *("echo -exec canary ';' | xargs find . -maxdepth 0", "split --filt=canary big"),
    *("tar cfI out.tar canary script", "tar cf out.tar --use-comp=canary script"),
    *("tar xf old.tar --to-comm=canary", "tar xf old.tar --checkpoint=1 --checkpoint-act=exec=canary"),
    *("git fetch --upload-pac=canary .", "git fetch --upload-pa canary .", "git ls-remote --uploa=canary ."),
    *("x=--upload-pack=canary; git fetch $x .", "git fetch $'--upload-pack=canary' ."),
    *("git fetch {--upload-pack=canary,.}", 'x=canary; git fetch "--upload-pack=$x" .'),
    *("git clone -u canary . new", "git clone -ucanary . new"),
    *("git clone --config core.sshCommand=canary a:b new", "git clone -ccore.sshCommand=canary a:b new"),
    *("git grep -Ocanary some", "git grep -nOcanary some"),
    *("git rebase -xcanary HEAD~1", "git rebase --exe canary HEAD~1", "git difftool -yxcanary HEAD~1"),
    *("git -c alias.y='!canary' y", "git --config-env=alias.y=CANARY y"),
    *("git bisect start HEAD HEAD~2; git bisect run canary", "git -C . submodule --quiet foreach canary"),
    *("sed '1e canary' script", "sed 's/.*/canary/e' script", "sed -n '1!d;s/.*/canary/;e' script"),
    *("sed --expression='1e canary' script", "sed -ne '1e canary' script", "x='1e canary'; sed \"$x\" script"),
    *("sed -n '-e1e canary' script", "sed '/x/!{e canary\n}' script"),
    *("awk 'BEGIN { system(\"canary\") }'", "awk 'BEGIN { \"canary\" | getline }'"),
    *("awk 'BEGIN { print | \"canary\" }'", 'x=\'BEGIN { system("canary") }\'; awk "$x"'),
    *("echo 'BEGIN { system(\"canary\") }' > p; awk -fp",),
    *("make -f /dev/null --eval='x:;canary' x", "make -f /dev/null x Y='$(shell canary)' --eval='x:;: $(Y)'"),
    *("make ok SHELL=canary", "make ok V='$(shell canary)'", "make ok --ev='$(shell canary)'"),
    *("env -C evil ./ls", "linux64 canary", "script -qc canary /dev/null", "flock script canary", "setarch -R canary"),
    *("/lib64/ld-linux-x86-64.so.2 /bin/bash -c canary", "rbash -c canary", "man -P canary ls"),
    *("coproc canary; wait", "coproc X { canary; }; wait", "time { canary; }"),
    *("echo canary | bash", "bash <<< canary", "bash < <(echo canary)", ". <(echo canary)"),
    *(f'{INDEX}y=" -o -v $x"; {line}' for line in ("[ -f b$y ]", "[ x = x$y ]", '[ "x" = "x"$y ]', "[ ! b$y ]")),
    *(f'{INDEX}y=" -o -v $x"; {line}' for line in ('test "b"$y', "\\[ -f b$y ]", "command [ -f b$y ]")),
    *(f'{INDEX}y=(b -o -v "$x"); [ -f "a${{y[@]}}" ]', f'{INDEX}set -- b -o -v "$x"; [ -f "$@" ]'),
    f'{INDEX}command test -v "$x"; true',
    *("x=' -maxdepth 0 -exec canary ;'; find .$x", "x=(. -maxdepth 0 -exec canary ';'); find ./\"${x[@]}\""),
    *("find .$(echo ' -maxdepth 0 -exec canary ;')", "find .`echo ' -maxdepth 0 -exec canary ;'`"),
    *(
        "x=' --compress-program=canary -S 1k'; sort big$x",
        "x=' -xcanary'; git rebase HEAD~1$x",
    ),
    *("echo --compress-program=canary | xargs -I X sort X -S 1k big", 'o=I; tar "cf$o" out.tar canary script'),
    *(
        "x=' SHELL=canary'; make ok ok$x",
        "x='a PATH'; read -p $x y <<< './evil z'; ls",
    ),
    "echo 'BEGIN { system(\"canary\") }' > p; x=': -f p'; awk -F $x 1",
    *("source /dev/stdin <<< canary", "mapfile -C 'canary #' -c 1 a <<< x", "compgen -C canary x"),
]
WRITES = [
    *("echo hi > /dev/fd/../cwd/out", "echo hi > /dev/fd/./../cwd/out", "sh -c '[[ x > out ]]'"),
    *("sh -c 'a=1; out=2; ((a>out))'", "exec 3> out; echo hi >&3", "echo hi 1<> out", "{ echo hi; } &> out"),
    *("(echo hi) >| out", "> out", "2> out true", "awk 1 script > out"),
    *("sort -oout big", "sort -uoout big", "sort -uo out big", "sort --output=out big", "sort --outp out big"),
    *("uniq big out", "uniq -c big out", "xxd big out", "shuf -n1 -oout big", "shuf --output=out big"),
    *("git diff --output=out HEAD~1", "git log --output out", "git archive -oout HEAD"),
    *("git archive --output=out HEAD", "git format-patch -1 --output=out", "x=--output=out; git log $x"),
    *("sed -n 'w out' script", "sed 's/e/f/w out' script", "awk 'BEGIN { print 1 > \"out\" }'"),
    *("history -s x; history -w out", "history -s x; history -a out", "find . -maxdepth 0 -fls out"),
    *("iconv -oout script", "curl -soout file://$PWD/script", "curl -so out file://$PWD/script"),
    *("command cd evil; echo > ../out", "builtin cd evil && echo > ../out", "env -C evil tee ../out <<< x"),
    *("trap 'cd ..' DEBUG; cd evil/deep; echo x > out; cp out ../../out",),
    *(
        "x=' -o out'; sort big$x",
        'x=(big -o out); sort ./"${x[@]}"',
        "sort big$(echo ' -o out')",
        "sort big`echo ' -o out'`",
    ),
    *("x=' --output=out'; git log HEAD$x", 'set -- script -o out; sort ./"$@"', "x=' -fls out'; find .$x"),
    *("dd if=script of=out", "cp script out", "ln script out", "install script out", "tee out < script"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository, a program `canary` on the PATH, and one that is called `ls` beside it."""
    folder = tmp_path_factory.mktemp("hidden")
    (folder / "bin").mkdir()
    (folder / "evil" / "deep").mkdir(parents=True)
    for program in (folder / "bin" / "canary", folder / "evil" / "ls", folder / "canary"):
        program.write_text('#!/bin/sh\n: > "$RAN"\nexit 1\n')
        program.chmod(0o755)
    (folder / "script").write_text("some text\n")
    (folder / "big").write_text("".join(f"line {number} {'x' * 90}\n" for number in range(4_000)))
    (folder / "Makefile").write_text("ok:\n\t@true $(V)\n")
    commit = ["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "x"]
    _quietly(["git", "init", "-q"], folder)
    _quietly(["git", "add", "script"], folder)
    for _ in range(3):
        _quietly(commit, folder)
    _quietly(["git", "init", "-q", "sub"], folder)
    _quietly(commit, folder / "sub")
    _quietly(["git", "-c", "protocol.file.allow=always", "submodule", "add", "-q", "./sub", "module"], folder)
    _quietly(commit, folder)
    _quietly(["tar", "cf", "old.tar", "script"], folder)
    return folder


def _quietly(words: list[str], folder: Path) -> None:
    subprocess.run(words, cwd=folder, check=False, capture_output=True)


def _run(line: str, folder: Path, place: Path) -> None:
    copy = place / "copy"
    shutil.copytree(folder, copy, symlinks=True)
    env = {"PATH": f"{copy}/bin:/usr/bin:/bin", "HOME": str(place), "CANARY": "!canary", "RAN": str(place / "ran")}
    env |= {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b"}
    subprocess.run(
        ["bash", "-c", line], cwd=copy, env=env, stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False
    )


@pytest.mark.parametrize("line", RUNS, ids=lambda line: repr(line)[:60])
def test_a_program_that_runs_is_seen(line: str, folder: Path, tmp_path: Path) -> None:
    _run(line, folder, tmp_path)
    if not (tmp_path / "ran").exists():
        pytest.skip("it does not run anything with the programs that are here")
    judged = judge(line)
    assert judged.opaque or {"canary", "evil/ls"} & set(judged.programs), judged
    rules = Rules(parse_rules({"bash": {"*": "allow", "opaque: *": "ask", "canary *": "deny"}}, "test"))
    assert rules.decide("bash", judged.patterns).action != "allow"


@pytest.mark.parametrize("line", WRITES, ids=lambda line: repr(line)[:60])
def test_a_file_that_is_written_is_seen(line: str, folder: Path, tmp_path: Path) -> None:
    _run(line, folder, tmp_path)
    if not os.path.lexists(tmp_path / "copy" / "out"):
        pytest.skip("it writes nothing with the programs that are here")
    judged = judge(line)
    assert judged.opaque or {"out", "../out", "evil/../out"} & set(judged.writes) or "> /dev/fd" in str(judged.patterns)
