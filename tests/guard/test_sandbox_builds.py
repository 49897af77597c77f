"""Projects build and test in the sandbox, with the toolchain of this machine and what it has fetched before."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from toolpost.guard.redact import clean_environment
from toolpost.guard.sandbox.sandbox import Sandbox, SandboxedCommand, SandboxSettings, find_sandbox, find_shell

SECONDS = 300


@pytest.fixture(scope="module")
def sandbox() -> Sandbox:
    found = find_sandbox(SandboxSettings("bubblewrap"))
    assert found.kind == "bubblewrap", found.reason
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "project"
    made.mkdir()
    subprocess.run(["git", "init", "-q", str(made)], check=True)
    return made


def write(folder: Path, texts: dict[str, str]) -> None:
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def build(sandbox: Sandbox, project: Path, script: str, **env: str) -> str:
    """What a script says, as the `bash` tool would run it. It has to succeed."""
    environment = {**clean_environment(os.environ), **env}
    launch = sandbox.wrap(SandboxedCommand([find_shell(), "-ec", script], project, project, environment))
    try:
        done = subprocess.run(
            launch.argv,
            env=launch.env,
            cwd=launch.cwd,
            pass_fds=launch.pass_fds,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=SECONDS,
            start_new_session=True,
        )
    finally:
        launch.close()
    said = done.stdout.decode(errors="replace")
    assert done.returncode == 0, said
    return said


def needs(**programs: str) -> None:
    """Skip where a program is missing, or does not tell its version: `cargo` may be a stub that would fetch it."""
    for program, option in programs.items():
        found = shutil.which(program)
        if not found or subprocess.run([found, option], capture_output=True, check=False).returncode:
            pytest.skip(f"there is no {program} here")


@pytest.mark.timeout(SECONDS)
def test_python(sandbox: Sandbox, project: Path) -> None:
    write(
        project,
        {
            "pkg/__init__.py": "def double(n):\n    return 2 * n\n",
            "test_pkg.py": "import unittest, concurrent.futures, pkg\n\n"
            "class T(unittest.TestCase):\n    def test(self):\n"
            "        with concurrent.futures.ProcessPoolExecutor(2) as pool:\n"
            "            self.assertEqual(list(pool.map(pkg.double, [1, 2])), [2, 4])\n",
            "pyproject.toml": '[project]\nname = "pkg"\nversion = "1"\n',
        },
    )
    said = build(
        sandbox,
        project,
        "python3 -m unittest test_pkg && python3 -m venv --without-pip .venv && "
        ".venv/bin/python -c 'import sys, ssl, sqlite3, ctypes; print(sys.prefix)'",
    )
    assert "OK" in said
    assert str(project / ".venv") in said


@pytest.mark.timeout(SECONDS)
def test_python_with_a_package_of_the_cache(sandbox: Sandbox, project: Path, tmp_path: Path) -> None:
    """A wheel that uv has unpacked once is linked from its cache, which stays as it was."""
    programs = Path(sys.executable).parent
    if not (programs / "uv").exists():
        pytest.skip("there is no uv here")
    cache, wheels = tmp_path / "uv-cache", project / "wheels"
    wheels.mkdir()
    with zipfile.ZipFile(wheels / "dep-1-py3-none-any.whl", "w") as wheel:
        wheel.writestr("dep.py", "answer = 42\n")
        wheel.writestr("dep-1.dist-info/METADATA", "Metadata-Version: 2.1\nName: dep\nVersion: 1\n")
        wheel.writestr("dep-1.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr("dep-1.dist-info/RECORD", "dep.py,,\ndep-1.dist-info/METADATA,,\ndep-1.dist-info/WHEEL,,\n")
    install = "uv pip install -q --no-index --find-links wheels --target {} dep"
    env = {"UV_CACHE_DIR": str(cache), "PATH": f"{programs}:{os.environ['PATH']}"}
    subprocess.run(install.format(tmp_path / "first").split(), cwd=project, env={**os.environ, **env}, check=True)
    before = sorted(path for path in cache.rglob("*"))
    said = build(
        sandbox,
        project,
        f"{install.format('libs')} && PYTHONPATH=libs python3 -c 'import dep; print(dep.answer)'",
        **env,
    )
    assert said.split()[-1] == "42"
    assert sorted(path for path in cache.rglob("*")) == before


@pytest.mark.timeout(SECONDS)
def test_node(sandbox: Sandbox, project: Path) -> None:
    needs(node="--version", npm="--version")
    write(
        project,
        {
            "package.json": '{"name": "app", "version": "1.0.0", "scripts": {"test": "node --test"}, '
            '"dependencies": {"dep": "file:dep"}}',
            "dep/package.json": '{"name": "dep", "version": "1.0.0", "main": "index.js"}',
            "dep/index.js": "module.exports = 42\n",
            "app.test.js": "const test = require('node:test'), assert = require('node:assert')\n"
            "test('dep', () => assert.equal(require('dep'), 42))\n",
            ".npmrc": "save-exact=true\n",
        },
    )
    said = build(sandbox, project, "npm install --offline --no-audit --no-fund && npm test")
    assert "pass 1" in said


@pytest.mark.timeout(SECONDS)
def test_rust(sandbox: Sandbox, project: Path) -> None:
    needs(cargo="--version")
    write(
        project,
        {
            "Cargo.toml": '[package]\nname = "app"\nversion = "0.1.0"\nedition = "2021"\n'
            '[dependencies]\ndep = { path = "dep" }\n',
            "src/main.rs": 'fn main() { println!("answer {}", dep::answer()) }\n'
            "#[test]\nfn works() { assert_eq!(dep::answer(), 42) }\n",
            "dep/Cargo.toml": '[package]\nname = "dep"\nversion = "0.1.0"\nedition = "2021"\n',
            "dep/src/lib.rs": "pub fn answer() -> u32 { 42 }\n",
        },
    )
    said = build(sandbox, project, "cargo test --offline && cargo run --offline")
    assert "1 passed" in said
    assert "answer 42" in said


@pytest.mark.timeout(SECONDS)
def test_go_with_a_module_of_the_cache(sandbox: Sandbox, project: Path, tmp_path: Path) -> None:
    needs(go="version")
    proxy, cache = tmp_path / "proxy" / "example.org" / "dep" / "@v", tmp_path / "mod"
    proxy.mkdir(parents=True)
    write(proxy, {"v1.0.0.mod": "module example.org/dep\n", "v1.0.0.info": '{"Version": "v1.0.0"}', "list": "v1.0.0\n"})
    source = tmp_path / "zip" / "example.org" / "dep@v1.0.0"
    write(source, {"go.mod": "module example.org/dep\n", "dep.go": "package dep\n\nfunc Answer() int { return 42 }\n"})
    with zipfile.ZipFile(proxy / "v1.0.0.zip", "w") as packed:
        for path in source.iterdir():
            packed.write(path, path.relative_to(tmp_path / "zip"))
    write(
        project,
        {
            "go.mod": "module app\n\ngo 1.19\n\nrequire example.org/dep v1.0.0\n",
            "app_test.go": 'package app\n\nimport (\n\t"testing"\n\n\t"example.org/dep"\n)\n\n'
            'func TestIt(t *testing.T) {\n\tif dep.Answer() != 42 {\n\t\tt.Fatal("no")\n\t}\n}\n',
        },
    )
    env = {"GOFLAGS": "-mod=mod", "GONOSUMDB": "*", "GOMODCACHE": str(cache)}
    filled = {**os.environ, **env, "GOPROXY": f"file://{tmp_path / 'proxy'}", "GOSUMDB": "off"}
    subprocess.run(["go", "mod", "download", "all"], cwd=project, env=filled, check=True)
    said = build(sandbox, project, "go test ./...", **env, GOPROXY="off", GOSUMDB="off")
    assert "ok" in said
    subprocess.run(["chmod", "-R", "u+w", str(cache)], check=True)


@pytest.mark.timeout(SECONDS)
def test_java(sandbox: Sandbox, project: Path) -> None:
    needs(javac="-version", java="-version")
    code = 'public class App { public static void main(String[] a) { System.out.println("answer " + 42); } }\n'
    write(project, {"src/App.java": code})
    assert "answer 42" in build(sandbox, project, "mkdir out && javac -d out src/App.java && java -cp out App")


@pytest.mark.timeout(SECONDS)
def test_c_and_git(sandbox: Sandbox, project: Path) -> None:
    needs(gcc="--version", make="--version")
    write(
        project,
        {"main.c": '#include <stdio.h>\nint main(void) { puts("answer 42"); }\n', "Makefile": "all: main\n\t./main\n"},
    )
    commit = "git add -A && git -c user.name=a -c user.email=a@b commit -qm first && git log --oneline"
    said = build(sandbox, project, f"make && {commit}")
    assert "answer 42" in said
    assert "first" in said
