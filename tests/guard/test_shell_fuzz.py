"""Lines from a grammar of the shell, judged and then run: whatever was executed has to have been seen.

The oracle is the kernel's: `strace` says what was executed. Each line has programs of its own, all of them copies of
`true`, so that what ran can be told apart even when it ran in the background.
"""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from toolpost.guard.shell.judge import judge

STRACE = shutil.which("strace")
pytestmark = pytest.mark.skipif(STRACE is None, reason="strace is the oracle: install it")

PROGRAMS = ("pa", "pb", "pc", "pd")
LINES = 12
LONGEST = 1_000
_EXECUTED = re.compile(r'execve\("([^"]+)"')
# Stands for the number of the line in its programs' names.
NUMBER = "§"

# Where a shell evaluates an index, or takes an operator from a variable.
INDEXED = (
    *('declare "$x$y=1"', 'printf -v "$x$y" z', "read $x$y <<< 1", 'test -v "$x$y"', 'z=$x$y; echo "${!z}"'),
    *('z="-v $x$y"; [ $z ]', "a=([$x$y]=1)", 'a=(1); unset "$x$y"', "[[ $x$y -eq 1 ]]", "RANDOM=$x$y", "wait -p $x$y"),
)

names = st.sampled_from(PROGRAMS).map(lambda name: f"{name}{NUMBER}")


def _quoted(script: str) -> str:
    return shlex.quote(script)


def _ends_sooner(name: str) -> str:
    """For bash one string, for other shells a command behind one."""
    return f"echo $'\\'; {name} #'"


def _joined(*parts: "st.SearchStrategy[str] | str") -> st.SearchStrategy[str]:
    return st.tuples(*(st.just(part) if isinstance(part, str) else part for part in parts)).map("".join)


def _disguised(name: str) -> st.SearchStrategy[str]:
    """The name of a program as it might be written so that nobody recognises it."""
    first, rest = name[0], name[1:]
    forms = [f'"{name}"', f"'{name}'", f"\\{name}", f"{first}''{rest}", f'{first}"{rest}"', f"{first}\\{rest}"]
    forms += [f"$'{name}'", f"$'\\x{ord(first):02x}{rest}'", f"{{{name},x}}", f"$(echo {name})", f"`echo {name}`"]
    forms += [
        f"{first}$EMPTY{rest}",
        f"${{X:-{name}}}",
        f"{name}${{IFS}}x",
        f"./{name}",
        f"{first}?§",
        f"{first}\\\n{rest}",
    ]
    forms += [f"{first}{{{rest[0]},z}}§", f'$"{name}"', f"{name}\r", f"{name}\u00a0x", f"{name}\\\n"]
    return st.sampled_from(forms)


commands = st.deferred(lambda: simple | compound | wrapped)
words = st.deferred(
    lambda: st.one_of(
        st.sampled_from(
            ["x", "-l", "a b", "'a b'", '"a"', "\\$", "$X", '"$X"', "*", "~", "{a,b}", "$((1+2))", "#x", "a#b"]
        ),
        _joined("$(", commands, ")"),
        _joined('"$(', commands, ')"'),
        _joined('"a $(', commands, ') b"'),
        _joined("`", names, " x`"),
        _joined("${X:-$(", commands, ")}"),
        _joined("<(", commands, ")"),
        _joined("'$(", names, ")'"),
        _joined('"\\$(', names, ')"'),
        _joined('"\\\\$(', names, ')"'),
        _joined("$'\\'$(", names, ")'"),
        _joined("${X/x/$(", names, ")}"),
        _joined("a[$(", names, ")]"),
    )
)
redirects = st.one_of(
    st.sampled_from([" >out§", " >>out§", " 2>&1", " </dev/null", " &>out§", " >|out§", " 2>out§ x", " <>out§"]),
    _joined(" <<<", words),
    _joined(" > >(", commands, ")"),
)
simple = st.builds(
    lambda assigned, name, given, redirected: " ".join((*assigned, name, *given)) + redirected,
    st.lists(st.sampled_from(["A=1", "A=x ", "B='a b'"]) | _joined("A=$(", names, ")"), max_size=1),
    names | names.flatmap(_disguised),
    st.lists(words, max_size=2),
    st.just("") | redirects,
)
compound = st.one_of(
    _joined(commands, st.sampled_from(["; ", " && ", " || ", " | ", " |& ", " & ", "\n", ";\n"]), commands),
    _joined("(", commands, ")"),
    _joined("{ ", commands, "; }"),
    _joined("! ", commands),
    _joined("if ", commands, "; then ", commands, "; else ", commands, "; fi"),
    _joined("for i in 1 2; do ", commands, "; done"),
    _joined("for i in $(", commands, "); do ", commands, "; done"),
    _joined("while ", commands, "; do ", commands, "; break; done"),
    _joined("case x in y) ", commands, ";; *) ", commands, ";; esac"),
    _joined("f() { ", commands, "; }; f"),
    _joined("function g { ", commands, "; }\ng x"),
    _joined("cat <<EOF\n$(", names, ") `", names, "`\nEOF\n", commands),
    _joined("cat <<EOF\nx $(", names, ")\nEOF\n"),
    _joined("cat <<'EOF'\n$(", names, ")\nEOF\n", commands),
    _joined("cat <<-EOF | ", names, "\n\tx\n\tEOF\n"),
    _joined("[[ -n $(", commands, ") ]] && ", names),
    _joined("(( $(", names, ") 1 ))"),
    _joined("x='a[$'; y='(", names, ")]'; ", st.sampled_from(INDEXED)),
    _joined("set -", st.sampled_from("kxf"), "; ", commands),
    _joined("x='a[$(", names, ")]'; echo $((x))"),
    _joined("X=", names, "; $X"),
    _joined("X=", names, "; eval $X"),
    _joined("alias q=", names, "\nshopt -s expand_aliases\nq"),
    _joined(commands, " # ", names),
    _joined("echo \\\n", names, "\n", commands),
)
wrapped = st.one_of(
    _joined("env A=1 ", names, " x"),
    _joined("env -u A ", names),
    _joined("env -i PATH=$PATH ", names),
    _joined("nohup ", names),
    _joined("timeout 5 ", names, " x"),
    _joined("timeout -s KILL 5 nice -n 1 ", names),
    _joined("nice ", names),
    _joined("time -p ", commands),
    _joined("command ", names),
    _joined("builtin command ", names),
    _joined("(exec ", names, ")"),
    _joined("(exec -a x ", names, ")"),
    _joined("setsid -w ", names),
    _joined("stdbuf -o0 ", names),
    _joined("xargs ", names, " x </dev/null"),
    _joined("echo ", names, " | xargs -I{} {} x"),
    _joined("echo ", names, " | xargs env"),
    _joined("echo ", names, " | xargs -n1 sh -c '\"$@\"' x"),
    _joined("find . -maxdepth 0 -exec ", names, " {} \\;"),
    _joined("find . -maxdepth 0 -execdir ", names, " {} +"),
    _joined("eval ", names),
    _joined("trap ", names, " EXIT"),
    _joined("trap '", names, " x' EXIT; ", commands),
    _joined("coproc ", names),
    _joined("echo ", names, " | sh"),
    _joined("sh <<EOF\n", names, "\nEOF\n"),
    commands.map(lambda script: f"sh -c {_quoted(script)}"),
    names.map(lambda name: f"sh -c '{name}=1; b=2; (({name}>b)); [[ {name} > out{NUMBER} ]]'"),
    names.map(lambda name: f"sh -c {_quoted(_ends_sooner(name))}"),
    _joined("echo ", names, " | xargs -n1 find . -maxdepth 0 -exec"),
    _joined("sort --compress-prog=", names, " -S 1k /dev/null"),
    _joined("sed '1e ", names, "' /etc/passwd"),
    _joined("awk 'BEGIN { system(\"", names, "\") }'"),
    _joined("trap -- ", names, " EXIT"),
    commands.map(lambda script: f"bash -c {_quoted(script)} x y"),
    commands.map(lambda script: f"env bash -ec {_quoted(script)}"),
    commands.map(lambda script: f"eval {_quoted(script)}"),
    _joined("bash -c '$0 x' ", names),
    _joined("mapfile -C ", names, " -c 1 a <<<x"),
)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("programs")
    true = folder / "true"
    shutil.copy(shutil.which("true") or "/bin/true", true)
    for number in range(LINES):
        for name in PROGRAMS:
            os.link(true, folder / f"{name}{number}")
    return folder


@settings(
    max_examples=20, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(lines=st.lists(commands.filter(lambda line: len(line) <= LONGEST), min_size=LINES, max_size=LINES))
def test_whatever_runs_was_seen_or_the_line_was_opaque(
    lines: list[str], programs: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    numbered = [line.replace(NUMBER, str(at)) for at, line in enumerate(lines)]
    folder = tmp_path_factory.mktemp("run")
    executed = _execute(numbered, programs, folder)
    for at, line in enumerate(numbered):
        judged = judge(line)
        event("opaque" if judged.opaque else "understood")
        if judged.opaque:
            continue
        seen = {name.rpartition("/")[2] for name in judged.programs}
        ran = {name for name in executed if re.fullmatch(rf"p[abcd]{at}", name)}
        assert ran <= seen, (line, judged)
        if (folder / f"out{at}").exists():
            assert f"> out{at}" in judged.patterns, (line, judged)
            assert f"out{at}" in judged.writes


def _execute(lines: list[str], programs: Path, folder: Path) -> set[str]:
    """The names of all programs that were executed, or would have been had they been there."""
    for name in programs.iterdir():
        os.link(name, folder / name.name)
    trace = folder / "trace"
    runs = [f"bash -c {shlex.quote(line)} x </dev/null >/dev/null 2>&1" for line in lines]
    script = "\n".join((*runs, "wait"))
    subprocess.run(
        [str(STRACE), "-f", "-qq", "-e", "trace=execve", "-o", str(trace), "bash", "-c", script],
        cwd=folder,
        env={"PATH": f"{programs}:/usr/bin:/bin", "HOME": str(folder), "EMPTY": ""},
        timeout=100,
        check=False,
    )
    return {path.rpartition("/")[2] for path in _EXECUTED.findall(trace.read_text())}
