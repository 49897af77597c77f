"""Every code block of the README and the docs is run, on a scripted server where it asks a model."""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

import toolpost
from toolpost.models.embedded.weights.folder import path_of
from toolpost.models.embedded.weights.known import DEFAULT
from toolpost.testing import Upstream, call
from toolpost.testing.demo import answer

ROOT = Path(__file__).parent.parent
PAGES = [
    ROOT / name for name in ("README.md", "README.zh.md", "CONTRIBUTING.md", "CODE_OF_CONDUCT.md", "bench/README.md")
] + sorted((ROOT / "docs").rglob("*.md"))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Drawings and commands that would run the tests again from inside the tests.
NOT_RUN = {"text", "sh"}
# Blocks with this address are run by tests/server/clients, with a gateway behind it.
GATEWAY = "http://127.0.0.1:8642"


class Block(NamedTuple):
    page: Path
    line: int
    language: str
    code: str


def blocks():
    for page in PAGES:
        content = page.read_text()
        for match in BLOCK.finditer(content):
            yield Block(page, content[: match.start()].count("\n") + 1, match[1], match[2])


def name(block):
    return f"{block.page.relative_to(ROOT)}:{block.line}"


BLOCKS = list(blocks())


def reply(request):
    """The demo's answer; where structured output is wanted, one that fits."""
    offered = {tool["function"]["name"]: tool["function"] for tool in request.body.get("tools") or ()}
    if "final_output" in offered:
        fields = offered["final_output"]["parameters"]["properties"]
        return call(
            "final_output", {key: 1 if field.get("type") == "integer" else "x" for key, field in fields.items()}
        )
    return answer(request)


@pytest.fixture(scope="module")
def model_server():
    """A scripted server in a thread of its own, because the snippets block."""
    loop = asyncio.new_event_loop()
    upstream = Upstream(reply, repeat=True, strict=False)
    loop.run_until_complete(upstream.start())
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    yield upstream.base_url
    asyncio.run_coroutine_threadsafe(upstream.stop(), loop).result(5)
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()


@pytest.fixture
def environment(model_server, tmp_path):
    keep = {name: value for name, value in os.environ.items() if not name.startswith(("TOOLPOST_", "OPENAI_"))}
    return {
        **keep,
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "TOOLPOST_DATA_DIR": str(tmp_path / "data"),
        "TOOLPOST_CACHE_DIR": str(tmp_path / "cache"),
        "TOOLPOST_MODEL": "openai/gpt-5-mini",
        "OPENAI_BASE_URL": model_server,
        # Tokens that a configuration of the docs takes from a variable.
        "BOB_TOKEN": "a-token-of-somebody",
        "METRICS_TOKEN": "a-token-for-the-metrics",
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONWARNINGS": "error",
    }


def of(*languages):
    chosen = [block for block in BLOCKS if block.language in languages and GATEWAY not in block.code]
    assert chosen
    return pytest.mark.parametrize("block", chosen, ids=[name(block) for block in chosen])


@of("python")
def test_a_python_block_runs(block, environment, tmp_path):
    file = tmp_path / "snippet.py"
    file.write_text(block.code)
    done = subprocess.run(
        [sys.executable, file], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr


@of("console")
def test_a_command_works(block, environment):
    for line in block.code.splitlines():
        if line.startswith("$ toolpost"):
            done = subprocess.run(
                line[2:], shell=True, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60
            )
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        else:
            assert line == "$ make run", f"who runs {line!r}?"


@of("toml")
def test_a_configuration_is_valid(block, environment, tmp_path):
    tomllib.loads(block.code)
    if "pyproject.toml" in block.code:
        return
    # The user's own settings: a project's would not be read before it is trusted.
    file = tmp_path / "config.toml"
    file.write_text(block.code)
    env = {**environment, "TOOLPOST_CONFIG": str(file)}
    done = subprocess.run(
        ["toolpost", "config", "check"], cwd=tmp_path, env=env, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert file.name in done.stdout, "nobody read it"


def test_no_block_is_of_a_kind_that_nobody_runs():
    for block in BLOCKS:
        if block.language == "json":
            msgspec.json.decode(block.code)
        elif block.language == "js":
            assert GATEWAY in block.code, name(block)
        else:
            assert block.language in {"python", "console", "toml", *NOT_RUN}, name(block)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text()):
        if "://" not in target:
            assert (page.parent / target).exists(), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_modules_that_a_page_names_exist(page):
    named = re.findall(r"`((?:[a-z_0-9]+/)+[a-z_0-9]+\.py)`", page.read_text())
    places = (ROOT / "src" / "toolpost", ROOT / "src", ROOT)
    assert not [name for name in named if not any((place / name).exists() for place in places)]


def test_the_command_reference_is_what_the_commands_say():
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "cli_reference.py"], capture_output=True, text=True, timeout=60, check=True
    )
    assert (ROOT / "docs" / "cli.md").read_text() == done.stdout, "run: python scripts/cli_reference.py > docs/cli.md"


def test_the_drawings_of_the_architecture_are_what_the_imports_say():
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from architecture import drawings
    finally:
        sys.path.pop(0)
    for file, drawn in drawings().items():
        kept = (ROOT / "docs" / "images" / file).read_text()
        assert kept == drawn, "run: python scripts/architecture.py"


@pytest.mark.timeout(300)
def test_the_site_is_built_without_dead_links_and_with_every_public_name(tmp_path):
    copy = tmp_path / "site"
    script = ROOT / "scripts" / "docs_site.py"
    done = subprocess.run([sys.executable, script], cwd=ROOT, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout + done.stderr
    shutil.copytree(ROOT / "build" / "site", copy)
    reference = (copy / "reference.html").read_text()
    assert not [name for name in toolpost.__all__ if f'id="toolpost.{name}"' not in reference]
    assert all(f'id="toolpost.{field}"' in reference for field in ("Limits.max_steps", "McpServer.url", "Agent.run"))
    # Each half leads to the other, and its first page is the README of its language.
    assert 'href="./zh/index.html" hreflang="zh"' in (copy / "index.html").read_text()
    chinese = (copy / "zh" / "index.html").read_text()
    assert 'href="../index.html" hreflang="en"' in chinese
    assert '<html lang="zh"' in chinese
    # A page that is missing is noticed wherever something links to it, in both languages.
    (copy / "zh" / "models.html").unlink()
    (copy / "tools.html").unlink()
    command = [sys.executable, script, "--check", copy]
    broken = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert broken.returncode == 1
    assert "index.html: tools.html" in broken.stderr
    assert "zh/index.html: models.html" in broken.stderr
    assert "zh/tools.html: ../tools.html" in broken.stderr


@pytest.mark.timeout(1_200)
def test_make_run_answers_the_demo_question(environment):
    plain = {name: value for name, value in environment.items() if not name.startswith(("OPENAI_", "TOOLPOST_MODEL"))}
    place = path_of(DEFAULT, plain)
    place.parent.mkdir(parents=True)
    place.symlink_to(path_of(DEFAULT))
    done = subprocess.run(
        ["make", "run", f"MODEL=embedded/{DEFAULT}"], cwd=ROOT, env=plain, capture_output=True, text=True, timeout=1_100
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("● ") == 4
    english, chinese = done.stdout.strip().split("\n\n", 1)
    assert "Tokyo" in english
    assert "714" in english
    assert "东京" in chinese
    assert "714" in chinese
