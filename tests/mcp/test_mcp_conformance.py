"""The protocol's own conformance suite, over our client and over `toolpost mcp serve`."""

import asyncio
import json
import os
import re
import shutil
import sys
from contextlib import asynccontextmanager

import pytest
from mcp_play import HERE, PATIENCE

from toolpost.guard.trust import Trust

SUITE = HERE / "servers" / "node_modules" / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
START = HERE / "conformance" / "suite.mjs"

CLIENT = (
    "initialize",
    "tools_call",
    "elicitation-sep1034-client-defaults",
    "sse-retry",
    "auth/metadata-default",
    "auth/metadata-var1",
    "auth/metadata-var2",
    "auth/metadata-var3",
    "auth/basic-cimd",
    "auth/scope-from-www-authenticate",
    "auth/scope-from-scopes-supported",
    "auth/scope-omitted-when-undefined",
    "auth/scope-step-up",
    "auth/scope-retry-limit",
    "auth/token-endpoint-auth-basic",
    "auth/token-endpoint-auth-post",
    "auth/token-endpoint-auth-none",
    "auth/pre-registration",
    "auth/2025-03-26-oauth-endpoint-fallback",
    "auth/resource-mismatch",
    "auth/offline-access-scope",
    "auth/offline-access-not-supported",
    "auth/client-credentials-jwt",
    "auth/client-credentials-basic",
)
NOT_CLIENT = {
    "auth/2025-03-26-oauth-metadata-backcompat": "its login server names an issuer that is not where its metadata is,"
    " which RFC 8414 (3.3) tells clients to refuse",
    "auth/cross-app-access-complete-flow": "tokens of an identity provider of an enterprise are not exchanged",
}
SERVER = (
    "server-initialize",
    "logging-set-level",
    "ping",
    "completion-complete",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-image",
    "tools-call-audio",
    "tools-call-embedded-resource",
    "tools-call-mixed-content",
    "tools-call-with-logging",
    "tools-call-error",
    "tools-call-with-progress",
    "tools-call-sampling",
    "tools-call-elicitation",
    "json-schema-2020-12",
    "server-sse-multiple-streams",
    "resources-list",
    "resources-read-text",
    "resources-read-binary",
    "resources-templates-read",
    "resources-subscribe",
    "resources-unsubscribe",
    "prompts-list",
    "prompts-get-simple",
    "prompts-get-with-args",
    "prompts-get-embedded-resource",
    "prompts-get-with-image",
    "dns-rebinding-protection",
)
NOT_SERVER = {
    "server-sse-polling": "a stream that broke off is not taken up again, which the protocol leaves open",
    "elicitation-sep1034-defaults": "our tools ask questions with options, not forms with typed fields",
    "elicitation-sep1330-enums": "the same: of the five kinds of choices they have two",
}
# How late a client comes back is a warning, and a matter of how busy the machine is.
TIMED = {"client-sse-retry-timing"}


async def suite(*arguments, environ=None):
    process = await asyncio.create_subprocess_exec(
        *("node", str(START), *arguments),
        env={**os.environ, "CONFORMANCE_SUITE": str(SUITE), **(environ or {})},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    output, _ = await asyncio.wait_for(process.communicate(), 2 * PATIENCE)
    return output.decode()


async def tried(folder, *arguments, environ=None):
    """What the suite found wrong in a scenario."""
    output = await suite(*arguments, "-o", str(folder), environ=environ)
    found = list(folder.rglob("checks.json"))
    assert len(found) == 1, output
    checks = json.loads(found[0].read_text())
    wrong = {check["id"]: check for check in checks if check["status"] in ("FAILURE", "WARNING")}
    # One that looked at nothing has passed nothing.
    assert wrong or any(check["status"] == "SUCCESS" for check in checks), output
    return {name: check for name, check in wrong.items() if name not in TIMED or check["status"] == "FAILURE"}


async def test_every_scenario_of_the_suite_is_known_as_one_that_passes_or_fails_for_a_reason():
    listed = re.findall(r"^  - (\S+)", await suite("list", "--client"), re.MULTILINE)
    assert sorted(listed) == sorted((*CLIENT, *NOT_CLIENT))
    listed = re.findall(r"^  - (\S+)", await suite("list", "--server"), re.MULTILINE)
    assert sorted(listed) == sorted((*SERVER, *NOT_SERVER))


@pytest.mark.parametrize(
    "scenario",
    [*CLIENT, *(pytest.param(name, marks=pytest.mark.xfail(reason=why)) for name, why in NOT_CLIENT.items())],
)
async def test_our_client_passes(scenario, tmp_path):
    command = f"{sys.executable} {HERE / 'conformance' / 'client.py'}"
    options = ("--command", command, "--scenario", scenario, "--timeout", str(round(PATIENCE * 1000)))
    assert not await tried(tmp_path / "found", "client", *options)


# A process of Node for each: fifty seconds of a core in all.
@pytest.mark.timeout(900)
async def test_our_server_passes_all_but_the_known_ones(tmp_path):
    """One after the other, on one server: as clients come and go."""
    async with served(tmp_path) as (url, token):
        wrong = {}
        for scenario in (*SERVER, *NOT_SERVER):
            folder = tmp_path / "found" / scenario
            options = ("--url", url, "--scenario", scenario)
            if found := await tried(folder, "server", *options, environ={"CONFORMANCE_TOKEN": token}):
                wrong[scenario] = [check.get("errorMessage") for check in found.values()]
        assert wrong.keys() == NOT_SERVER.keys(), wrong


@asynccontextmanager
async def served(home):
    """`toolpost mcp serve` in a folder that has what the suite asks for."""
    folder, source = home / "project", HERE / "conformance" / "project"
    for place in ("tools", "commands"):
        shutil.copytree(source / place, folder / ".toolpost" / place)
    shutil.copytree(source / "files", folder / "files")
    shutil.copy(source / "config.toml", folder / ".toolpost" / "config.toml")
    environ = {**os.environ, "HOME": str(home), "XDG_CONFIG_HOME": str(home), "TOOLPOST_DATA_DIR": str(home)}
    environ["TOOLPOST_MCP_TOKEN"] = token = "the-token-of-the-tests"
    Trust.of_user(environ).give(folder)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "toolpost", "mcp", "serve", "--http", "0"),
        cwd=folder,
        env=environ,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            while not (told := re.search(r"serving on (\S+)", (await process.stderr.readline()).decode())):
                pass
        yield told[1], token
    finally:
        process.terminate()
        await process.communicate()
