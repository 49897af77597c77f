"""What is shipped for deployment: the image's steps, compose.yaml, the systemd units and the settings they name."""

import asyncio
import os
import re
import runpy
import shlex
import shutil
import signal
import socket
import subprocess
import tomllib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from temporal_server import DYNAMIC_CONFIG

from toolpost.cli.main import COMMANDS, _command_parser, _load
from toolpost.config.layers import variables
from toolpost.config.load import load
from toolpost.models.resolve import PRESETS
from toolpost.server.metrics import Metrics, health_routes
from toolpost.temporal.engine import TemporalEngine

ROOT = Path(__file__).parent.parent
IMAGE = ROOT / "tests" / "extras" / "environments" / "image" / "bin" / "python"
STEPS = list(runpy.run_path(str(ROOT / "scripts" / "dockerfile_steps.py"))["steps"]((ROOT / "Dockerfile").read_text()))
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, Any] = COMPOSE["services"]
TEMPORAL: dict[str, Any] = yaml.safe_load((ROOT / "deploy" / "compose.temporal.yaml").read_text())["services"]
PATIENCE = 60.0
TOKEN = "a-token-of-a-person"
# Of the Compose Specification, what is used here: a key that is misspelt shows.
SERVICE_KEYS = {
    *("build", "cap_drop", "command", "depends_on", "entrypoint", "env_file", "environment", "healthcheck", "image"),
    "init",
    *("networks", "ports", "profiles", "read_only", "restart", "security_opt", "stop_grace_period", "tmpfs", "volumes"),
}
HEALTHCHECK_KEYS = {"test", "interval", "timeout", "retries", "start_period", "disable"}
# Settings of accounts, which deploy/ and .env.example name.
ENV_NAMES = re.compile(r"^#?([A-Z_]+)=", re.MULTILINE)


def last_stage() -> dict[str, str]:
    start = max(number for number, step in enumerate(STEPS) if step.instruction == "FROM")
    return {step.instruction: step.rest for step in STEPS[start:]}


def exec_form(text: str) -> list[str]:
    return yaml.safe_load(text)


def test_the_image_runs_as_a_user_of_its_own_and_builds_elsewhere() -> None:
    froms = [step.rest for step in STEPS if step.instruction == "FROM"]
    assert len(froms) == 3
    last = last_stage()
    assert int(last["USER"].partition(":")[0]) > 1000
    assert last["COPY"].startswith("--from=build ")
    assert "npm" not in last["RUN"]
    assert all(re.search(r":\d", image) for image in froms)


def test_what_the_image_copies_is_in_the_repository_and_not_ignored() -> None:
    allowed = [line[1:] for line in (ROOT / ".dockerignore").read_text().splitlines() if line.startswith("!")]
    sources = [
        source.rstrip("/")
        for step in STEPS
        if step.instruction == "COPY" and not step.rest.startswith("--from")
        for source in step.rest.split()[:-1]
    ]
    assert "web/package-lock.json" in sources
    for source in sources:
        assert (ROOT / source).exists(), source
        assert any(source == entry or source.startswith(f"{entry}/") for entry in allowed), source


def test_the_image_has_extras_that_exist() -> None:
    (install,) = [step.rest for step in STEPS if "uv pip install" in step.rest]
    found = re.search(r"whl\)\[([a-z,]+)\]", install)
    assert found is not None
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(found[1].split(",")) <= set(known)


def test_the_command_of_the_image_is_one_that_the_command_line_knows() -> None:
    assert exec_form(last_stage()["ENTRYPOINT"]) == ["toolpost"]
    command, *arguments = exec_form(last_stage()["CMD"])
    parsed = _command_parser(command, _load(command)).parse_args(arguments)
    assert (parsed.host, parsed.port) == ("0.0.0.0", int(last_stage()["EXPOSE"]))


def test_the_health_check_asks_an_open_route() -> None:
    (code,) = re.findall(r"GET', '([^']+)'", last_stage()["HEALTHCHECK"])
    routes = health_routes(Metrics(), lambda: False)
    assert [route.is_open for route in routes if route.path == code] == [True]


@asynccontextmanager
async def image_serving(home: Path) -> AsyncIterator[tuple[str, list[str]]]:
    """The command of the image in what its steps have installed, and its health check, both on a free port."""
    assert IMAGE.exists(), "what the image would have is missing: run `make image`"
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    # Its folders, below the home of this test.
    environ = {name: f"{home}{path}" for name, path in re.findall(r"(TOOLPOST_\w+)=(\S+)", last_stage()["ENV"])}
    environ |= {"PATH": "/usr/bin:/bin", "HOME": str(home), "TOOLPOST_TOKEN": TOKEN}
    environ |= {"TOOLPOST_MODEL": "openai/any", "OPENAI_API_KEY": "sk-x"}
    command = [str(IMAGE), "-I", "-m", *exec_form(last_stage()["ENTRYPOINT"]), *exec_form(last_stage()["CMD"])]
    process = await asyncio.create_subprocess_exec(
        *command, "--port", str(port), cwd=home, env=environ, stderr=subprocess.PIPE
    )
    check = [
        str(IMAGE) if part == "python" else part.replace("8642", str(port))
        for part in exec_form(last_stage()["HEALTHCHECK"].partition("CMD ")[2])
    ]
    try:
        assert process.stderr is not None
        async with asyncio.timeout(PATIENCE):
            await process.stderr.readuntil(b"serving ")
        yield f"http://127.0.0.1:{port}", check
        process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(PATIENCE):
            await process.communicate()
        assert process.returncode == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_what_the_steps_of_the_image_install_serves_the_chat_and_is_healthy(tmp_path: Path) -> None:
    async with image_serving(tmp_path) as (url, check):
        healthy = await asyncio.create_subprocess_exec(*check, env={"HTTP_PROXY": "http://127.0.0.1:9"})
        assert await healthy.wait() == 0
        async with httpx.AsyncClient(base_url=url, trust_env=False) as http:
            page = await http.get("/")
            assert '<div id="app">' in page.text
            assert (await http.get("/api/me")).status_code == 401
            assert (await http.get("/api/me", headers={"authorization": f"Bearer {TOKEN}"})).status_code == 200
    sick = await asyncio.create_subprocess_exec(*check, stderr=subprocess.DEVNULL)
    assert await sick.wait() != 0


def test_compose_names_nothing_that_is_not_there() -> None:
    assert set(COMPOSE) == {"name", "services", "volumes", "networks"}
    assert set(SERVICES) == {"toolpost", "postgres", "valkey", "ollama"}
    check_services(SERVICES, SERVICES)
    for service in SERVICES.values():
        assert all("healthcheck" in SERVICES[other] for other in service.get("depends_on", {}))
    assert [name for name, service in SERVICES.items() if "profiles" in service] == ["ollama"]


def test_compose_with_temporal_names_nothing_that_is_not_there() -> None:
    check_services(TEMPORAL, {**TEMPORAL, **SERVICES})
    versions = {service["image"] for name, service in TEMPORAL.items() if name.startswith("temporal")}
    assert all(re.search(r":\d+\.\d+\.\d+$", image) for image in versions)


def check_services(services: dict, together: dict) -> None:
    for name, service in services.items():
        assert set(service) <= SERVICE_KEYS, name
        assert set(service.get("healthcheck", {})) <= HEALTHCHECK_KEYS
        assert set(service.get("networks", [])) <= set(COMPOSE["networks"])
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            assert (ROOT / source).exists() if source.startswith(".") else source in COMPOSE["volumes"]
        for other, condition in service.get("depends_on", {}).items():
            has_check = "healthcheck" in together[other]
            assert condition == {"condition": "service_healthy" if has_check else "service_completed_successfully"}


def test_of_temporal_only_the_page_can_be_reached_and_only_if_it_is_asked_for() -> None:
    assert [name for name, service in TEMPORAL.items() if "ports" in service] == ["temporal-ui"]
    assert TEMPORAL["temporal-ui"]["profiles"] == ["temporal-ui"]
    assert TEMPORAL["temporal-ui"]["ports"][0].startswith("127.0.0.1:")
    assert TEMPORAL["temporal"]["networks"] == ["stores"]


def test_the_worker_of_compose_is_the_server_s_with_another_command() -> None:
    worker, server = TEMPORAL["worker"], SERVICES["toolpost"]
    (command,) = worker["command"]
    _command_parser(command, _load(command)).parse_args([])
    environment = {**server["environment"], **TEMPORAL["toolpost"]["environment"]}
    assert worker["environment"] == environment
    for key in ("build", "image", "env_file", "volumes", "networks", "read_only", "cap_drop", "security_opt"):
        assert worker[key] == server[key]
    engine = load(ROOT, environ={**environment, "HOME": "/nowhere"}, project=False).config.engine
    assert TemporalEngine(engine, {}) is not None
    assert (engine.url, engine.pool) == ("temporal://temporal:7233/default", "toolpost")


def test_the_settings_of_the_temporal_server_are_those_of_the_tests() -> None:
    (source, place, _) = TEMPORAL["temporal"]["volumes"][0].split(":")
    assert TEMPORAL["temporal"]["environment"]["DYNAMIC_CONFIG_FILE_PATH"] == place
    settings = yaml.safe_load((ROOT / source).read_text())
    assert settings == {name: [{"value": value}] for name, value in DYNAMIC_CONFIG.items()}


def test_the_stores_of_compose_can_be_reached_by_the_server_only() -> None:
    assert COMPOSE["networks"]["stores"] == {"internal": True}
    for name in ("postgres", "valkey"):
        assert SERVICES[name]["networks"] == ["stores"]
        assert "ports" not in SERVICES[name]
    assert SERVICES["toolpost"]["ports"] == ["${PUBLISH:-127.0.0.1:8642}:8642"]


def test_the_server_of_compose_finds_its_stores() -> None:
    environment = SERVICES["toolpost"]["environment"]
    config = load(ROOT, environ={**environment, "HOME": "/nowhere"}, project=False).config
    assert config.store == "postgresql://toolpost@postgres/toolpost"
    assert config.server.redis == "valkey://valkey:6379"
    postgres = SERVICES["postgres"]["environment"]
    assert environment["PGPASSWORD"] == postgres["POSTGRES_PASSWORD"]
    assert (postgres["POSTGRES_USER"], postgres["POSTGRES_DB"]) == ("toolpost", "toolpost")


def test_the_example_of_env_names_what_compose_and_the_server_read() -> None:
    example = (ROOT / ".env.example").read_text()
    names = set(ENV_NAMES.findall(example))
    used = set(re.findall(r"\$\{(\w+)", (ROOT / "compose.yaml").read_text()))
    assert used <= names
    keys = {name for preset in PRESETS.values() for name in (preset.api_key_env, preset.base_url_env) if name}
    known = used | keys | set(variables()) | {"TAVILY_API_KEY", "COMPOSE_PROFILES"}
    # Settings of accounts, wherever the server has them.
    assert {name for name in names - known if not name.startswith("TOOLPOST_SERVER_")} == set()
    assert "TOOLPOST_SERVER_ACCOUNTS=true" in example


def test_the_configuration_of_compose_is_valid() -> None:
    config = load(ROOT, environ={"TOOLPOST_CONFIG": str(ROOT / "deploy" / "config.toml")}, project=False).config
    (network,) = COMPOSE["networks"]["default"]["ipam"]["config"]
    assert set(config.server.trusted_proxies) == {"127.0.0.1", "::1", network["gateway"]}


@pytest.mark.parametrize("unit", ["toolpost.service", "toolpost-backup.service"])
def test_the_commands_of_the_units_are_ones_that_the_command_line_knows(unit: str) -> None:
    text = (ROOT / "deploy" / unit).read_text()
    (start,) = re.findall(r"/opt/toolpost/bin/toolpost (.+)", text)
    words = shlex.split(start.rstrip("'\n").replace("%%", "%"))
    command, *arguments = words[2:]
    assert words[0] == "-C"
    assert command in COMMANDS
    _command_parser(command, _load(command)).parse_args(arguments)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is missing")
@pytest.mark.parametrize("unit", ["toolpost.service", "toolpost-backup.service", "toolpost-backup.timer"])
def test_systemd_takes_the_units(unit: str, tmp_path: Path) -> None:
    for path in (ROOT / "deploy").glob("toolpost*"):
        # The only thing that is missing here is the program itself.
        text = path.read_text().replace("/opt/toolpost/bin/toolpost", "/bin/true")
        (tmp_path / path.name).write_text(text)
    environ = {**os.environ, "SYSTEMD_UNIT_PATH": f"{tmp_path}:"}
    checked = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / unit], env=environ, capture_output=True, text=True
    )
    assert unit not in checked.stderr
    assert checked.returncode == 0, checked.stderr
