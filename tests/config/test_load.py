"""Settings from files, environment and flags: what wins, where it came from, and what is said of mistakes."""

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from toolpost.config import Config, LoadedConfig, OptionSettings, load
from toolpost.guard.rules import Rule, Rules, parse_flag
from toolpost.tools.limits import ToolLimits
from toolpost.types.errors import ConfigError


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    return place


@pytest.fixture
def folder(home: Path) -> Path:
    place = home / "code" / "project"
    (place / ".git").mkdir(parents=True)
    return place


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def write_user(home: Path, text: str) -> Path:
    return write(home / ".config/toolpost/config.toml", text)


def write_project(folder: Path, text: str) -> Path:
    return write(folder / ".toolpost/config.toml", text)


def read(folder: Path, environ: Mapping[str, str] | None = None, **more: Any) -> LoadedConfig:
    return load(folder, environ=environ or {}, **more)


def complaint(folder: Path, environ: Mapping[str, str] | None = None, **more: Any) -> str:
    with pytest.raises(ConfigError) as caught:
        read(folder, environ, **more)
    return str(caught.value)


def test_without_any_setting_the_defaults_hold(folder: Path) -> None:
    loaded = read(folder)
    assert loaded.config == Config()
    assert loaded.config.headless == "deny"
    assert loaded.origin("headless") == "default"
    assert loaded.files == ()


def test_each_place_overrides_the_one_before_it(home: Path, folder: Path) -> None:
    user = write_user(home, 'model = "u/1"\nagent = "u"\nsystem = "u"\nheadless = "fail"\n')
    project = write_project(folder, 'model = "p/1"\nagent = "p"\nsystem = "p"\n')
    loaded = read(folder, {"TOOLPOST_MODEL": "e/1", "TOOLPOST_AGENT": "e"}, flags={"model": "f/1", "agent": None})
    config = loaded.config
    assert (config.model, config.agent, config.system, config.headless) == ("f/1", "e", "p", "fail")
    assert loaded.origin("model") == "command line"
    assert loaded.origin("agent") == "environment TOOLPOST_AGENT"
    assert loaded.origin("system") == "project config ~/code/project/.toolpost/config.toml:3"
    assert loaded.origin("headless") == "user config ~/.config/toolpost/config.toml:4"
    assert loaded.files == (user, project)


def test_tables_merge_and_lists_replace(home: Path, folder: Path) -> None:
    write_user(
        home,
        'instructions = ["/u/a.md"]\n[limits]\nmax_steps = 5\nretries = 1\n'
        '[providers.local]\nbase_url = "http://u"\n[providers.local.headers]\nA = "1"\n',
    )
    write_project(
        folder,
        'instructions = ["/p/b.md"]\nlimits.max_steps = 9\n'
        '[providers.local]\nheaders = { B = "2" }\n[providers.local.models."qwen3:4b"]\ncontext_window = 4096\n',
    )
    config = read(folder, flags={"limits.tool_timeout": 7, "options": {"extra": {"a": {"b": 1}}}}).config
    assert config.instructions == ("/p/b.md",)
    assert config.limits.given() == {"max_steps": 9, "retries": 1, "tool_timeout": 7.0}
    assert config.providers["local"].base_url == "http://u"
    assert config.providers["local"].headers == {"A": "1", "B": "2"}
    assert config.providers["local"].models["qwen3:4b"].context_window == 4096
    assert config.options == OptionSettings(extra={"a": {"b": 1}})


def test_permission_rules_of_later_places_come_after_those_of_earlier_ones(home: Path, folder: Path) -> None:
    write_user(home, '[permissions]\n"*" = "ask"\nbash = { "*" = "deny", "git *" = "allow" }\n')
    write_project(folder, '[permissions]\nbash = "ask"\n')
    flags = {"permissions": [parse_flag("bash:git *", "allow", "--allow")]}
    rules = read(folder, flags=flags).config.permissions
    user, project = "user config ~/.config/toolpost/config.toml", "project config ~/code/project/.toolpost/config.toml"
    assert rules == (
        Rule("*", "*", "ask", f"{user}:2"),
        Rule("bash", "*", "deny", f"{user}:3"),
        Rule("bash", "git *", "allow", f"{user}:3"),
        Rule("bash", "*", "ask", f"{project}:2"),
        Rule("bash", "git *", "allow", "--allow"),
    )
    assert Rules(rules).decide("bash", ("git push",)).action == "allow"


def test_rules_of_an_agent_add_up_as_well(home: Path, folder: Path) -> None:
    write_user(home, '[agents.plan]\ntools = ["read", "grep"]\npermissions.edit = "deny"\n')
    write_project(folder, '[agents.plan]\ntools = { bash = false }\n[agents.plan.permissions.bash]\n"ls *" = "allow"\n')
    agent = read(folder).config.agents["plan"]
    assert [(rule.permission, rule.pattern, rule.action) for rule in agent.permissions] == [
        ("edit", "*", "deny"),
        ("bash", "ls *", "allow"),
    ]
    assert agent.permissions[1].source.endswith(".toolpost/config.toml:4")
    assert agent.tools == {"bash": False}


def test_one_action_for_everything_may_stand_alone(folder: Path) -> None:
    write_project(folder, 'permissions = "deny"\n')
    assert [(rule.permission, rule.action) for rule in read(folder).config.permissions] == [("*", "deny")]


def test_paths_are_relative_to_where_they_are_written(home: Path, folder: Path) -> None:
    write_user(home, 'store = "state/db"\n')
    write_project(folder, 'instructions = ["docs/a.md", "~/b.md", "/c.md"]\n')
    config = read(folder / "sub" / "deep").config
    assert config.store == str(home / ".config/toolpost/state/db")
    assert config.instructions == (str(folder / "docs/a.md"), str(home / "b.md"), "/c.md")
    assert read(folder, {"TOOLPOST_STORE": "x.db"}).config.store == str(folder / "x.db")


def test_the_user_file_can_be_elsewhere(home: Path, folder: Path, tmp_path: Path) -> None:
    write_user(home, 'model = "default"\n')
    write(tmp_path / "xdg/toolpost/config.toml", 'model = "xdg"\n')
    named = write(tmp_path / "named.toml", 'model = "named"\n')
    xdg = {"XDG_CONFIG_HOME": str(tmp_path / "xdg")}
    assert read(folder, xdg).config.model == "xdg"
    assert read(folder, {**xdg, "TOOLPOST_CONFIG": str(named)}).config.model == "named"
    assert "TOOLPOST_CONFIG is" in complaint(folder, {"TOOLPOST_CONFIG": str(tmp_path / "gone.toml")})


def test_the_nearest_project_file_counts_and_the_search_ends_at_the_git_root(home: Path, folder: Path) -> None:
    write_project(home, 'model = "home"\n')
    assert read(folder).config.model is None
    assert read(folder.parent).config.model == "home"
    write_project(folder, 'model = "root"\n')
    write_project(folder / "a", 'model = "a"\n')
    assert read(folder / "a" / "b").config.model == "a"
    assert read(folder / "c").config.model == "root"


def test_outside_of_home_and_git_only_the_folder_itself_is_looked_at(home: Path, tmp_path: Path) -> None:
    write_project(tmp_path, 'model = "planted"\n')
    assert read(tmp_path / "x").config.model is None
    assert read(tmp_path).config.model == "planted"


def test_the_project_file_can_be_left_out(home: Path, folder: Path) -> None:
    write_user(home, 'model = "u"\n')
    write_project(folder, "model = 3\n[nonsense]\n")
    assert read(folder, project=False).config.model == "u"


def test_one_file_in_both_roles_is_read_once(folder: Path) -> None:
    file = write_project(folder, '[permissions]\nbash = "deny"\n')
    loaded = read(folder, {"TOOLPOST_CONFIG": str(file)})
    assert len(loaded.config.permissions) == 1
    assert loaded.files == (file,)


def test_scalars_can_be_set_by_the_environment(folder: Path) -> None:
    config = read(
        folder,
        {
            "TOOLPOST_LIMITS_MAX_STEPS": "7",
            "TOOLPOST_LIMITS_STREAM_IDLE": "1.5",
            "TOOLPOST_OPTIONS_TEMPERATURE": "0",
            "TOOLPOST_HEADLESS": "fail",
            "TOOLPOST_MODEL": "",
            "TOOLPOST_AGENT": "7",
        },
    ).config
    assert config.limits.given() == {"max_steps": 7, "stream_idle": 1.5}
    assert config.options.given() == {"temperature": 0.0}
    assert (config.headless, config.model, config.agent) == ("fail", None, "7")


def test_scalars_of_the_tools_can_be_set_by_the_environment(folder: Path) -> None:
    environ = {
        "TOOLPOST_TOOL_LIMITS_BASH_SECONDS": "300",
        "TOOLPOST_TOOL_LIMITS_READ_LINES": "7",
        "TOOLPOST_WEB_SEARXNG": "https://search.example.org",
        "TOOLPOST_WEB_SEARCH": "searxng",
    }
    loaded = read(folder, environ)
    limits, web = loaded.config.tool_limits, loaded.config.web
    assert (limits.bash_seconds, limits.read_lines, limits.jobs) == (300.0, 7, 8)
    assert (web.searxng, web.search) == ("https://search.example.org", "searxng")
    assert loaded.origin("web.searxng") == "environment TOOLPOST_WEB_SEARXNG"
    said = complaint(folder, {"TOOLPOST_TOOL_LIMITS_JOBS": "0"})
    assert said == "TOOLPOST_TOOL_LIMITS_JOBS: tool_limits.jobs must be a whole number above 0, got '0'"


def test_the_engine_can_be_set_by_the_environment(home: Path, folder: Path) -> None:
    write_user(home, '[engine]\nurl = "temporal://localhost"\nper_second = 0.5\n')
    engine = read(folder, {"TOOLPOST_ENGINE_POOL": "gpu", "TOOLPOST_ENGINE_TLS": "true"}).config.engine
    assert (engine.url, engine.pool, engine.tls, engine.per_second) == ("temporal://localhost", "gpu", True, 0.5)
    assert engine.slots == 10
    said = complaint(folder, {"TOOLPOST_ENGINE_PER_SECOND": "0"})
    assert said == "TOOLPOST_ENGINE_PER_SECOND: engine.per_second must be a number above 0, got '0'"
    assert 'did you mean "slots"?' in complaint(folder, flags={"engine": {"slot": 3}})


def test_no_limit_of_the_tools_may_be_nothing_or_less(folder: Path) -> None:
    for field in structs.fields(ToolLimits):
        assert f"tool_limits.{field.name} must be" in complaint(folder, flags={"tool_limits": {field.name: 0}})


def test_a_bad_variable_is_named(folder: Path) -> None:
    said = complaint(folder, {"TOOLPOST_LIMITS_MAX_STEPS": "many"})
    assert said == "TOOLPOST_LIMITS_MAX_STEPS: limits.max_steps must be a whole number above 0, got 'many'"


def test_a_variable_that_sets_nothing_gives_a_warning_if_it_resembles_one_that_does(folder: Path) -> None:
    loaded = read(folder, {"TOOLPOST_MODLE": "x", "TOOLPOST_SOMETHING_ELSE": "1", "OTHER": "1"})
    assert loaded.warnings == ("TOOLPOST_MODLE is not a setting; did you mean TOOLPOST_MODEL?",)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            '\n\n[agents.build]\ntools = []\nmodle = "x"\n',
            ':5: unknown key "modle" in [agents.build]; did you mean "model"?',
        ),
        ("temperature = 1\n", ':1: unknown key "temperature"; did you mean "options.temperature"?'),
        ('[agents.a]\nprompt = "x"\n', ':2: unknown key "prompt" in [agents.a]; did you mean "system"?'),
        ("[limits]\nqqq = 1\n", ':2: unknown key "qqq" in [limits]; known keys: max_cost, max_seconds,'),
        ("a = 1\nmodel = 5\n", ":2: model must be a string, got 5"),
        ('headless = "maybe"\n', ':1: headless must be one of "deny", "allow", "fail", got \'maybe\''),
        ("[limits]\nmax_steps = 0\n", ":2: limits.max_steps must be a whole number above 0, got 0"),
        ("limits = 3\n", ":1: limits must be a table, got 3"),
        ('instructions = "a"\n', ":1: instructions must be a list whose entries are each a string, got 'a'"),
        ("[tools]\nbash = 1\n", ":2: tools.bash must be true or false, got 1"),
        ("agents.a.tools = 1\n", "must be a table whose values are each true or false or a list whose entries"),
        (
            '[permissions]\nread = "allow"\nbash = { "git *" = "alow" }\n',
            ":3: 'alow' is not an action for bash \"git *\"",
        ),
        ('[agents."my agent".permissions]\n"b sh" = "ask"\n', ":2: 'b sh' is not a permission"),
        ('[providers.x."y z"]\nb = 1\n', ':1: unknown key "y z" in [providers.x]'),
        ("[providers.x.headers]\nAuthorization = 123456\n", "must be a string, got ***"),
        ("model = \n", ":1:9: Invalid value"),
        ('model = "a', ": "),
        ("[tool_limits]\nread_lines = 0\n", ":2: tool_limits.read_lines must be a whole number above 0, got 0"),
        ("[tool_limits]\nbash_seconds = -1\n", "tool_limits.bash_seconds must be a number of seconds above 0, got -1"),
        (
            '[web]\nallow_hosts = [\n"wiki.lan",\n"http://intranet"]\n',
            ":4: web.allow_hosts: 'http://intranet' is not a host",
        ),
        ("[web]\nallow_hosts = [5]\n", ":2: web.allow_hosts must be a list whose entries are each a string"),
    ],
)
def test_a_mistake_is_shown_with_its_line_and_a_way_out(folder: Path, text: str, said: str) -> None:
    write_project(folder, text)
    told = complaint(folder)
    assert told.startswith("~/code/project/.toolpost/config.toml:")
    assert said in told


def test_all_mistakes_of_a_file_are_told_at_once(folder: Path) -> None:
    write_project(folder, 'modle = "x"\nheadless = 1\n')
    assert len(complaint(folder).splitlines()) == 2


def test_a_key_in_a_file_is_refused_without_being_shown(folder: Path) -> None:
    write_project(folder, '[providers.acme]\napi_key = "sk-secret-secret-secret"\n')
    said = complaint(folder)
    assert ":2: " in said
    assert "toolpost config set-key acme" in said
    assert "api_key_env" in said
    assert "sk-secret" not in said


def test_a_bad_flag_is_told_as_such(folder: Path) -> None:
    assert complaint(folder, flags={"limits.max_step": 3}).startswith(
        'command line: unknown key "max_step" in [limits]'
    )
    assert "is not a key" in complaint(folder, flags={"a = b": 3})


def test_a_file_that_cannot_be_read_is_an_error_and_not_an_empty_one(folder: Path) -> None:
    (folder / ".toolpost").mkdir()
    (folder / ".toolpost/config.toml").write_bytes(b'model = "\xff"\n')
    assert "cannot be read" in complaint(folder)


def test_a_byte_order_mark_does_no_harm(folder: Path) -> None:
    write_project(folder, '\ufeffmodel = "x"\n')
    assert read(folder).config.model == "x"


def test_the_settings_are_listed_with_origins_and_without_secrets(home: Path, folder: Path) -> None:
    write_user(
        home,
        '[providers.acme]\nbase_url = "https://me:pass@h/?key=abc"\napi_key_env = "ACME_KEY"\n'
        'headers = { "X-Api-Key" = "topsecret", Accept = "json" }\n'
        'extra_body = { tags = ["sk-abcdefghijklmnopqrst"] }\n'
        '[permissions.bash]\n"git *" = "allow"\n',
    )
    listed = {one.key: (one.value, one.origin) for one in read(folder, flags={"limits": {"retries": 0}}).settings()}
    user = "user config ~/.config/toolpost/config.toml"
    assert listed == {
        "headless": ("deny", "default"),
        "resume": ("auto", "default"),
        "tui": ("auto", "default"),
        "network": (False, "default"),
        "sandbox": ("auto", "default"),
        'permissions.bash."git *"': ("allow", f"{user}:7"),
        "limits.retries": (0, "command line"),
        "providers.acme.base_url": ("https://me:***@h/?key=***", f"{user}:2"),
        "providers.acme.api_key_env": ("ACME_KEY", f"{user}:3"),
        "providers.acme.headers.X-Api-Key": ("***", f"{user}:4"),
        "providers.acme.headers.Accept": ("json", f"{user}:4"),
        "providers.acme.extra_body.tags": (["***"], f"{user}:5"),
    }


def test_a_key_from_the_list_can_be_asked_for_its_origin(folder: Path) -> None:
    write_project(folder, '[providers.x.models."qwen3:4b"]\nmax_output = 5\n')
    loaded = read(folder)
    (key,) = [one.key for one in loaded.settings() if one.value == 5]
    assert key == 'providers.x.models."qwen3:4b".max_output'
    assert loaded.origin(key).endswith("config.toml:2")


def test_reading_settings_imports_nothing_heavy() -> None:
    code = (
        "import sys, pathlib, toolpost.config as c; c.load(pathlib.Path('/'), environ={}); "
        "sys.exit(' '.join({'keyring', 'platformdirs', 'difflib', 'pydantic'} & set(sys.modules)) or 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("spec", ["memory", "sqlite", "postgresql://host/db"])
def test_a_store_that_is_no_path_stays_as_it_is(spec: str, tmp_path: Path) -> None:
    assert load(tmp_path, environ={"HOME": str(tmp_path)}, flags={"store": spec}).config.store == spec


def test_keys_are_texts_lists_or_tables(home: Path, folder: Path) -> None:
    write_user(
        home,
        '[terminal]\ntheme = "dark"\nmouse = false\n[keys]\n"app.palette" = "ctrl+k"\nprompt.new_line = ["ctrl+j"]\n',
    )
    config = read(folder, {"TOOLPOST_TERMINAL_VIM": "true"}).config
    assert (config.terminal.theme, config.terminal.mouse, config.terminal.vim) == ("dark", False, True)
    assert config.keys == {"app.palette": "ctrl+k", "prompt": {"new_line": ("ctrl+j",)}}
    assert 'did you mean "theme"?' in complaint(folder, flags={"terminal": {"theem": "dark"}})
