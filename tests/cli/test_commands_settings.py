"""`toolpost permissions`, `config`, `tools` and `models`, on real files."""

import asyncio
import io
import sys
import threading

import pytest
from project import Project

from toolpost.config import find_key
from toolpost.store.contract import Approval
from toolpost.testing import Upstream


@pytest.fixture
def project(tmp_path, monkeypatch, capsys):
    return Project(tmp_path, monkeypatch, capsys)


def approve(project, *approvals):
    project.in_store(lambda store: store.approve(approvals))


def approval(project, id, pattern, place=None):
    return Approval(id, place or str(project.folder), "bash", pattern, 1.0)


class TestPermissions:
    def test_rules_are_listed_in_order_with_their_origin(self, project):
        listed = project.call("permissions", "list").out
        assert listed.index("get_weather") < listed.index("secret_tool")
        assert "config.toml:4" in listed

    def test_a_rule_that_never_decides_is_pointed_out(self, project):
        project.write(".toolpost/config.toml", '[permissions.bash]\n"git *" = "allow"\n"*" = "deny"\n')
        assert "never decides" in project.call("permissions").out

    def test_explain_prints_the_rule_that_decides(self, project):
        project.write(".toolpost/config.toml", '[permissions.bash]\n"*" = "ask"\n"rm *" = "deny"\n')
        done = project.call("permissions", "explain", "bash", "rm -rf x")
        assert done.status == 0
        assert 'bash "rm -rf x": denied' in done.out
        assert "config.toml:3" in done.out.partition("decided by:")[2].splitlines()[0]

    def test_explain_says_what_happens_with_nobody_to_ask(self, project):
        assert 'headless = "deny"' in project.call("permissions", "explain", "bash", "ls").out
        approve(project, approval(project, "apr_1", "ls"))
        answered = project.call("permissions", "explain", "bash", "ls").out
        assert "saved approval answers" in answered
        assert "headless" not in answered

    def test_explain_takes_the_rules_of_an_agent(self, project):
        project.write(".toolpost/config.toml", '[agents.careful.permissions]\nbash = "deny"\n')
        decisions = [
            project.call("permissions", "explain", "bash", "ls", "--json", *agent).json
            for agent in ((), ("--agent", "careful"))
        ]
        assert [(one["action"], one["hidden"]) for one in decisions] == [("ask", False), ("deny", True)]
        assert project.call("permissions", "explain", "bash", "ls", "--agent", "nobody").status == 2

    def test_an_approval_is_revoked_by_the_beginning_of_its_id(self, project):
        approve(project, approval(project, "apr_0123", "ls"), approval(project, "apr_4567", "pwd"))
        assert "pwd" in project.call("permissions").out
        assert project.call("permissions", "revoke", "4567").status == 0
        assert [one["pattern"] for one in project.call("permissions", "--json").json["approvals"]] == ["ls"]

    def test_all_revokes_only_those_of_this_project(self, project):
        approve(project, approval(project, "apr_1", "ls"), approval(project, "apr_2", "pwd", "/elsewhere"))
        assert project.call("permissions", "revoke", "--all").status == 0
        left = project.call("permissions", "list", "--all", "--json").json["approvals"]
        assert [one["project"] for one in left] == ["/elsewhere"]

    @pytest.mark.parametrize(("arguments", "status"), [((), 2), (("apr_1", "--all"), 2), (("nothing",), 1)])
    def test_revoke_wants_exactly_one_thing_that_exists(self, project, arguments, status):
        approve(project, approval(project, "apr_1", "ls"))
        assert project.call("permissions", "revoke", *arguments).status == status
        assert len(project.call("permissions", "--json").json["approvals"]) == 1


class TestConfig:
    def test_show_tells_values_and_origins(self, project, monkeypatch):
        monkeypatch.setenv("TOOLPOST_LIMITS_MAX_STEPS", "7")
        assert 'model = "scripted/model"' in project.call("config").out
        origins = {one["key"]: one["origin"] for one in project.call("config", "show", "--origin", "--json").json}
        assert origins["model"].endswith("config.toml:2")
        assert origins["limits.max_steps"] == "environment TOOLPOST_LIMITS_MAX_STEPS"

    def test_show_hides_secrets(self, project):
        project.write(".toolpost/config.toml", '[providers.x.headers]\nauthorization = "Bearer abcdefghijkl"\n')
        for flags in ((), ("--json",), ("--origin",)):
            assert "abcdefghijkl" not in project.call("config", "show", *flags).out

    def test_path_tells_both_files_and_which_is_there(self, project):
        places = project.call("config", "path", "--json").json
        assert places["project"] == {"path": str(project.folder / ".toolpost/config.toml"), "exists": True}
        assert places["user"]["exists"] is False
        assert "(not found)" in project.call("config", "path").out

    def test_check_names_the_line_of_a_mistake(self, project):
        project.write(".toolpost/config.toml", 'model = "openai/x"\n')
        assert project.call("config", "check").status == 0
        project.write(".toolpost/config.toml", 'model = "a/b"\nmodle = "x"\n')
        done = project.call("config", "check")
        assert done.status == 1
        assert "config.toml:2" in done.err
        assert 'did you mean "model"' in done.err

    @pytest.mark.parametrize(
        ("config", "said"),
        [
            (f'[server.users.ann]\nrole = "boss"\ntoken_sha256 = "{"0" * 64}"\n', "has the role 'boss'"),
            ('[server.logins]\nsign_up_role = "gast"\n', "sign_up_role is 'gast', and there is no such role"),
        ],
    )
    def test_check_finds_roles_that_are_not_there(self, project, config, said):
        project.write(".toolpost/config.toml", config)
        done = project.call("config", "check")
        assert done.status == 1
        assert said in done.err

    def test_check_finds_an_agent_that_is_not_there(self, project):
        project.write(".toolpost/config.toml", 'agent = "ghost"\n')
        assert project.call("config", "check", "--json").json["problems"][0].startswith("no agent 'ghost'")

    @pytest.mark.parametrize(
        ("config", "said"),
        [
            ('model = "gpt-5"\n', "config.toml:1: 'gpt-5' is not a model id"),
            ('[agents.a]\nmodel = "gpt-5"\n', "config.toml:2: 'gpt-5' is not a model id"),
            ('[providers.mine]\nbase_url = "example.com"\n', "[providers.mine] base_url must be a URL"),
            ('[providers.mine]\napi_key_env = "X"\n', "mine"),
            ('model = "opnai/x"\n', "config.toml:1: unknown provider 'opnai': did you mean 'openai'?"),
            ('[mcp.x]\nurl = "notaurl"\n', 'MCP server x: "url" must begin with http:// or https://'),
        ],
    )
    def test_check_finds_what_no_request_could_be_sent_to(self, project, config, said):
        project.write(".toolpost/config.toml", config)
        done = project.call("config", "check")
        assert done.status == 1
        assert said in done.err

    def test_check_finds_a_file_of_servers_that_cannot_be_read(self, project):
        project.write(".mcp.json", "{bad")
        done = project.call("config", "check")
        assert done.status == 1
        assert ".mcp.json cannot be read" in done.err

    @pytest.mark.parametrize(
        ("config", "said"),
        [
            ("[tools]\nbsah = false\n", 'config.toml:2: unknown tool "bsah"; did you mean "bash"?'),
            ("[tools]\nfrobnicate = false\n", 'unknown tool "frobnicate"; see `toolpost tools`'),
            ('[tools]\n"jobs_*" = false\n', 'unknown tool "jobs_*"; see `toolpost tools`'),
            (
                '[permissions]\nbahs = "deny"\n',
                'config.toml:2: unknown permission "bahs"; did you',
            ),
            (
                '[permissions.secrets]\n".env" = "allow"\n',
                'unknown permission "secrets"; did you mean "secret"?',
            ),
            ("[agents.a.tools]\nraed = false\n", 'agents.a.tools: unknown tool "raed"; did you mean "read"?'),
            ('[agents.a]\ntools = ["raed"]\n', 'agents.a.tools: unknown tool "raed"; did you mean "read"?'),
            ('[agents.a.permissions]\nedti = "deny"\n', 'unknown permission "edti"; did you mean "edit"?'),
        ],
    )
    def test_check_notes_names_that_nothing_here_has(self, project, config, said):
        project.write(".toolpost/config.toml", config)
        done = project.call("config", "check")
        assert done.status == 0
        assert said in done.out

    def test_check_is_content_with_names_that_something_has(self, project):
        """What the folder's own tools, servers and permissions are called, and patterns of them."""
        names = ("get_weather", "job_*", "mcp__github__*", "mcp__any", "mcp_*", "recall", "read")
        beside = ("bash_network", "doom_loop", "edit", "external_directory", "mcp_sampling", "repository_settings")
        tools = "".join(f'"{name}" = true\n' for name in names)
        permissions = "".join(f'"{name}" = "ask"\n' for name in ("*", *beside, "secret", "mcp__github__*", "web_*"))
        project.write(".toolpost/config.toml", f"[tools]\n{tools}[permissions]\n{permissions}")
        assert project.call("config", "check", "--json").json == {"problems": [], "notes": []}

    def test_check_notes_instructions_that_are_not_there(self, project):
        project.write(".toolpost/config.toml", 'instructions = ["rules.md"]\n')
        done = project.call("config", "check")
        assert done.status == 0
        assert "rules.md" in done.out

    def test_overruling_another_file_or_for_an_agent_is_no_mistake(self, project, monkeypatch, tmp_path):
        user = tmp_path / "user.toml"
        user.write_text('[permissions]\nbash = "ask"\n')
        monkeypatch.setenv("TOOLPOST_CONFIG", str(user))
        project.write(
            ".toolpost/config.toml", '[permissions]\nbash = "deny"\n[agents.free.permissions]\n"*" = "allow"\n'
        )
        assert project.call("config", "check", "--json").json == {"problems": [], "notes": []}

    def test_a_key_from_stdin_is_kept_found_and_forgotten(self, project, monkeypatch, tmp_path):
        backend = tmp_path / "mine" / "filering.py"
        backend.parent.mkdir()
        backend.write_text(
            "import json, pathlib\nfrom keyring.backend import KeyringBackend\n"
            f"FILE = pathlib.Path({str(tmp_path / 'keys.json')!r})\n"
            "def read():\n    return json.loads(FILE.read_text()) if FILE.exists() else {}\n"
            "class Ring(KeyringBackend):\n    priority = 1\n"
            "    def get_password(self, s, u):\n        return read().get(u)\n"
            "    def set_password(self, s, u, p):\n        FILE.write_text(json.dumps({**read(), u: p}))\n"
            "    def delete_password(self, s, u):\n"
            "        from keyring.errors import PasswordDeleteError\n        keys = read()\n"
            "        if u not in keys:\n            raise PasswordDeleteError(u)\n"
            "        del keys[u]\n        FILE.write_text(json.dumps(keys))\n"
        )
        monkeypatch.syspath_prepend(str(backend.parent))
        monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "filering.Ring")
        monkeypatch.delenv("OPENAI_API_KEY", raising=False)
        import keyring.core

        monkeypatch.setattr(keyring.core, "_keyring_backend", None)
        monkeypatch.setattr(sys, "stdin", io.StringIO("my-own-key-1\n"))
        done = project.call("config", "set-key", "openai")
        assert done.status == 0
        assert "my-own-key-1" not in done.out + done.err
        assert find_key("openai", ()) == "my-own-key-1"
        assert "set (keyring)" in project.call("models").out
        assert "is deleted" in project.call("config", "forget-key", "openai").out
        assert "had no key" in project.call("config", "forget-key", "openai").out

    def test_a_key_for_web_search_is_kept_under_its_own_name(self, project, monkeypatch):
        kept = {}
        monkeypatch.setattr("toolpost.config.api_keys.store_key", lambda name, key, variable: kept.update({name: key}))
        monkeypatch.setattr("toolpost.config.api_keys.require_keyring", lambda: None)
        monkeypatch.setattr(sys, "stdin", io.StringIO("tvly-my-own-key-1\n"))
        done = project.call("config", "set-key", "tavily")
        assert (done.status, kept) == (0, {"tavily": "tvly-my-own-key-1"})
        assert "toolpost doctor" in done.out

    def test_a_key_for_a_mistyped_provider_is_refused(self, project, monkeypatch):
        monkeypatch.setattr(sys, "stdin", io.StringIO("my-own-key-1\n"))
        done = project.call("config", "set-key", "opnai")
        assert done.status == 2
        assert "openai" in done.err


def own_tools(project):
    listed = project.call("tools", "--json").json
    return {one["name"]: one["runs"] for one in listed if one["source"] != "builtin"}


class TestTools:
    def test_each_tool_is_listed_with_its_outcome(self, project):
        project.write(
            ".toolpost/config.toml",
            '[permissions]\nget_weather = {"*" = "deny", "x" = "allow"}\n[tools]\nsecret_tool = false\n',
        )
        listed = own_tools(project)
        assert listed == {"get_weather": "depends", "secret_tool": "off"}
        assert "Get the current weather" in project.call("tools").out

    @pytest.mark.parametrize("action", ["allow", "ask", "deny"])
    def test_the_outcome_is_what_the_rules_say(self, project, action):
        project.write(".toolpost/config.toml", f'[permissions]\nget_weather = "{action}"\n')
        outcomes = own_tools(project)
        assert outcomes == {"get_weather": action, "secret_tool": "ask"}

    def test_no_tools_teach_how_to_write_one(self, project):
        (project.folder / ".toolpost/tools/weather.py").unlink()
        assert "@tool" in project.call("tools").out

    def test_servers_are_pointed_to_because_their_tools_are_not_listed(self, project):
        assert "MCP" not in project.call("tools").out
        servers = '{"a": {"command": "x"}, "b": {"command": "y"}, "c": {"command": "z", "enabled": false}}'
        project.write(".mcp.json", f'{{"mcpServers": {servers}}}')
        assert project.call("tools").out.endswith("2 MCP servers; to list their tools: toolpost mcp test\n")

    def test_show_gives_the_schema_and_a_wrong_name_a_hint(self, project):
        assert project.call("tools", "show", "get_weather", "--json").json["parameters"]["required"] == ["city"]
        assert '"City name, e.g. Tokyo"' in project.call("tools", "show", "get_weather").out
        wrong = project.call("tools", "show", "get_wether")
        assert wrong.status == 1
        assert "did you mean get_weather" in wrong.err

    def test_check_is_content_with_good_tools(self, project):
        done = project.call("tools", "check")
        assert done.status == 0, done.out
        assert "2 tools checked" in done.out

    def test_check_names_the_file_the_tool_and_what_to_do(self, project):
        project.write(".toolpost/tools/poor.py", "from toolpost import tool\n\n@tool\ndef poor(x):\n    return x\n")
        project.write(".toolpost/tools/broken.py", "\nimport nothing_of_this_name\n")
        done = project.call("tools", "check")
        assert done.status == 1
        assert ".toolpost/tools/poor.py: poor: no description" in done.out
        assert ".toolpost/tools/broken.py:2: ModuleNotFoundError" in done.out

    def test_check_takes_files_even_ones_that_leave(self, project):
        good = project.folder / ".toolpost/tools/weather.py"
        assert project.call("tools", "check", str(good)).status == 0
        leaving = project.write("leaving.py", "raise SystemExit(0)\n")
        done = project.call("tools", "check", str(good), str(leaving), "missing.py", "--json")
        assert done.status == 1
        assert [text.partition(":")[0].rpartition("/")[2] for text in done.json["broken"]] == [
            "leaving.py",
            "missing.py",
        ]


class Served:
    """An upstream on a loop of its own, for commands that bring theirs."""

    def __init__(self, *models: str) -> None:
        self.upstream = Upstream(models=models)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever)

    def __enter__(self):
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.upstream.start(), self._loop).result()
        return self.upstream

    def __exit__(self, *exc):
        asyncio.run_coroutine_threadsafe(self.upstream.stop(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


class TestModels:
    def test_keys_are_told_but_never_printed(self, project, monkeypatch):
        monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-0123456789")
        monkeypatch.delenv("GROQ_API_KEY", raising=False)
        done = project.call("models")
        assert "set (OPENAI_API_KEY)" in done.out
        assert "missing (GROQ_API_KEY)" in done.out
        assert "very-secret" not in done.out + project.call("models", "--json").out

    def test_the_default_model_and_its_origin_are_told(self, project, monkeypatch):
        assert "scripted/model (project config" in project.call("models").out
        monkeypatch.setenv("TOOLPOST_MODEL", "openai/x")
        told = project.call("models", "list", "--json").json["default"]
        assert told == {"model": "openai/x", "origin": "environment TOOLPOST_MODEL"}

    def test_running_servers_are_found_with_their_models(self, project, monkeypatch):
        with Served("qwen3:4b", "llama3") as upstream:
            monkeypatch.setenv("OLLAMA_HOST", upstream.url)
            assert "ollama/qwen3:4b, ollama/llama3" in project.call("models").out

    def test_a_provider_is_asked_for_its_models(self, project):
        with Served("b", "a") as upstream:
            project.write(".toolpost/config.toml", f'[providers.mine]\nbase_url = "{upstream.base_url}"\n')
            assert project.call("models", "list", "mine").out == "mine/a\nmine/b\n"

    def test_a_provider_on_the_anthropic_wire_is_asked_with_its_token(self, project, monkeypatch):
        monkeypatch.setenv("MINE_TOKEN", "tok-very-secret")
        with Served("b", "a") as upstream:
            lines = [f'base_url = "{upstream.url}"', 'wire = "anthropic"', 'auth_token_env = "MINE_TOKEN"']
            project.write(".toolpost/config.toml", "\n".join(["[providers.mine]", *lines]))
            assert project.call("models", "list", "mine").out == "mine/a\nmine/b\n"
            told = project.call("models").out
        assert "set (MINE_TOKEN)" in told
        assert "very-secret" not in told

    def test_a_provider_that_cannot_be_asked_says_why(self, project, monkeypatch):
        monkeypatch.delenv("GROQ_API_KEY", raising=False)
        done = project.call("models", "list", "groq")
        assert done.status == 1
        assert "export GROQ_API_KEY" in done.err
        assert project.call("models", "list", "nobody").status == 2
