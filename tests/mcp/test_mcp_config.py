import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.config.load import load
from toolpost.config.mcp_servers import add_entry, configured_servers
from toolpost.mcp.config import McpServer, from_table, merge, read_file
from toolpost.mcp.names import server_words, tool_names
from toolpost.tools.check_definition import NAME
from toolpost.types.errors import ConfigError

ENVIRON = {"TOKEN": "abc", "EMPTY": ""}


def entry(table, environ=ENVIRON):
    return from_table("one", table, environ, origin="a file", base=Path("/base"), project=True)


def test_the_common_format_is_read(tmp_path):
    file = tmp_path / ".mcp.json"
    servers = {
        "time": {"command": "uvx", "args": ["mcp-server-time"], "env": {"KEY": "${TOKEN}"}, "autoApprove": ["*"]},
        "docs": {"type": "http", "url": "https://${HOST:-example.com}/mcp", "headers": {"X-Key": "k-${TOKEN}"}},
        "old": {"type": "sse", "url": "https://example.com/sse", "disabled": True},
        "bare": {"url": "https://example.com/mcp"},
    }
    file.write_text(json.dumps({"mcpServers": servers}))
    time, docs, old, bare = read_file(file, ENVIRON, project=True)
    assert (time.command, time.args, time.env) == ("uvx", ("mcp-server-time",), {"KEY": "abc"})
    assert time.transport == "stdio"
    assert time.project
    assert time.origin == str(file)
    assert (docs.url, docs.headers, docs.transport) == ("https://example.com/mcp", {"X-Key": "k-abc"}, "http")
    assert (old.transport, old.enabled) == ("sse", False)
    assert bare.transport == "url"


def test_a_file_that_is_not_there_has_no_servers(tmp_path):
    assert read_file(tmp_path / ".mcp.json", {}, project=True) == ()


@pytest.mark.parametrize("text", ["{", "[]", '{"mcpServers": []}', "\ud800".encode("utf-8", "surrogatepass")])
def test_a_file_that_cannot_be_read_is_named(tmp_path, text):
    file = tmp_path / ".mcp.json"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ConfigError, match=re.escape(str(file))):
        read_file(file, {}, project=True)


@pytest.mark.parametrize(
    ("table", "problem"),
    [
        ({}, 'either "command" or "url"'),
        ({"command": "a", "url": "https://b"}, 'either "command" or "url"'),
        ({"command": 5}, '"command" must be a string'),
        ({"command": "a", "args": "b c"}, '"args" must be a list'),
        ({"command": "a", "env": ["b"]}, '"env" must be an object'),
        ({"command": "a", "type": "http"}, 'needs "url"'),
        ({"url": "https://a", "type": "stdio"}, 'needs "command"'),
        ({"url": "https://a", "type": "carrier-pigeon"}, "stdio, http or sse"),
        ({"url": "file:///etc/passwd"}, "http:// or https://"),
        ({"command": "a", "timeout": -1}, '"timeout" must be a number above 0'),
        ({"command": "a", "env": {"B": "${NOT_SET}"}}, 'variable NOT_SET, which "env.B" needs'),
        ("a", "must be an object"),
    ],
)
def test_what_is_wrong_with_an_entry_is_its_own_problem(table, problem):
    assert problem in entry(table).problem
    assert entry(table).name == "one"


def test_a_folder_to_work_in_is_relative_to_the_file():
    assert entry({"command": "a", "cwd": "sub"}).cwd == "/base/sub"


def test_secrets_are_not_in_what_is_logged_of_a_server():
    server = entry({"url": "https://a/?key=abc", "headers": {"Authorization": "Bearer abc"}})
    assert "abc" not in repr(server)


def test_later_layers_win_but_an_untrusted_folder_never_takes_the_place_of_the_users_own():
    own, theirs = McpServer("github", command="mine"), McpServer("github", command="theirs", project=True)
    new = McpServer("new", command="x", project=True)
    assert merge([own], [theirs, new], trusted=True) == (theirs, new)
    assert merge([own], [theirs, new], trusted=False) == (own, new)


def test_tables_of_the_configuration_are_checked_like_all_others(tmp_path):
    (tmp_path / ".toolpost").mkdir()
    file = tmp_path / ".toolpost" / "config.toml"
    file.write_text('[mcp.time]\ncommand = "uvx"\nargs = ["mcp-server-time"]\ntimeout = 5\n')
    environ = {"TOOLPOST_CONFIG_DIR": str(tmp_path)}
    assert load(tmp_path, environ=environ).config.mcp["time"].args == ("mcp-server-time",)
    file.write_text('[mcp.time]\ncomand = "uvx"\n')
    with pytest.raises(ConfigError, match='did you mean "command"'):
        load(tmp_path, environ=environ)


def test_names_are_what_people_expect():
    words = server_words(["github", "my.server", "a__b"])
    assert words == {"github": "github", "my.server": "my_server", "a__b": "a_b"}
    assert tool_names("github", ["create_issue", "list-all"]) == {
        "create_issue": "mcp__github__create_issue",
        "list-all": "mcp__github__list-all",
    }


def test_names_that_would_be_one_are_told_apart_and_the_exact_one_keeps_its_own():
    names = tool_names("s", ["a.b", "a_b", "a b"])
    assert names["a_b"] == "mcp__s__a_b"
    assert len(set(names.values())) == 3
    words = server_words(["a.b", "a_b"])
    assert words["a_b"] == "a_b"
    assert words["a.b"] != "a_b"


anything = st.text(st.characters(codec="utf-8") | st.sampled_from("_-.ab"), min_size=0, max_size=90)


@given(st.lists(st.tuples(anything, st.lists(anything, max_size=8)), max_size=5, unique_by=lambda server: server[0]))
def test_every_tool_of_every_server_has_a_valid_name_of_its_own(servers):
    words = server_words(name for name, _ in servers)
    found = [name for server, tools in servers for name in tool_names(words[server], tools).values()]
    assert len(found) == sum(len(set(tools)) for _, tools in servers)
    assert len(set(found)) == len(found)
    assert all(NAME.fullmatch(name) for name in found)
    assert words == server_words(name for name, _ in reversed(servers))


def test_who_bears_the_name_that_another_would_get_shares_it_with_nobody():
    word = server_words(["a b", "a_b"])["a b"]
    assert len(set(server_words(["a b", "a_b", word]).values())) == 3
    name = tool_names("s", ["a b", "a_b"])["a b"].removeprefix("mcp__s__")
    assert len(set(tool_names("s", ["a b", "a_b", name]).values())) == 3


@pytest.mark.parametrize("content", [b"[" * 1_000_000, b'{"mcpServers": {' + b" " * 5_000_000])
def test_a_file_that_is_too_large_or_too_deep_is_an_error_and_stops_nothing_before_trust(tmp_path, content):
    (tmp_path / ".mcp.json").write_bytes(content)
    with pytest.raises(ConfigError, match="json"):
        read_file(tmp_path / ".mcp.json", {}, project=True)
    environ = {"TOOLPOST_CONFIG_DIR": str(tmp_path / "config")}
    loaded = load(tmp_path, environ=environ, project=False)
    assert configured_servers(loaded, tmp_path, environ, trusted=False) == ()


@pytest.mark.parametrize("target", ["../outside.json", "/proc/kmsg", "/dev/zero"])
def test_what_a_folder_brings_is_read_from_the_folder_alone(tmp_path, target):
    (tmp_path / "outside.json").write_text('{"mcpServers": {"marker": {"command": "true"}}}')
    project = tmp_path / "project"
    project.mkdir()
    (project / ".mcp.json").symlink_to(target)
    environ = {"TOOLPOST_CONFIG_DIR": str(tmp_path / "config")}
    loaded = load(project, environ=environ, project=False)
    assert configured_servers(loaded, project, environ, trusted=False) == ()
    with pytest.raises(ConfigError, match="outside its folder"):
        configured_servers(loaded, project, environ, trusted=True)
    with pytest.raises(ConfigError, match="outside its folder"):
        add_entry(project / ".mcp.json", "new", {"command": "true"})


def test_a_pipe_in_the_place_of_a_file_holds_nobody_up(tmp_path):
    os.mkfifo(tmp_path / ".mcp.json")
    with pytest.raises(ConfigError, match="is a named pipe, not a file"):
        read_file(tmp_path / ".mcp.json", {}, project=True)


def test_a_link_within_the_folder_and_the_users_own_link_are_followed(tmp_path):
    (tmp_path / "project").mkdir()
    real = tmp_path / "project" / "servers.json"
    real.write_text('{"mcpServers": {"one": {"command": "true"}}}')
    (tmp_path / "project" / ".mcp.json").symlink_to("servers.json")
    (tmp_path / "mcp.json").symlink_to(real)
    (tmp_path / "alias").symlink_to("project")
    for file, project in (("project/.mcp.json", True), ("alias/.mcp.json", True), ("mcp.json", False)):
        assert [server.name for server in read_file(tmp_path / file, {}, project=project)] == ["one"]


@pytest.mark.parametrize(
    ("oauth", "why"),
    [
        ({"grant": "password"}, "oauth.grant"),
        ({"grant": "client_credentials", "client_id": "robot"}, "client_secret or private_key"),
        ({"client_id": "robot", "private_key": "x"}, 'needs "oauth.grant"'),
        ({"client_metadata_url": "http://example.com/client.json"}, "https://"),
        ({"client_metadata_url": "https://example.com/"}, "with a path"),
    ],
)
def test_a_login_that_could_not_work_is_a_problem_of_its_server(tmp_path, oauth, why):
    table = {"url": "https://example.com/mcp", "oauth": oauth}
    assert why in from_table("docs", table, {}, origin="", base=tmp_path, project=False).problem


def test_a_login_without_a_person_takes_its_secrets_from_the_environment(tmp_path):
    oauth = {"grant": "client_credentials", "client_id": "robot", "private_key": "${KEY}", "issuer": "https://login"}
    table = {"url": "https://example.com/mcp", "oauth": oauth}
    server = from_table("docs", table, {"KEY": "pem"}, origin="", base=tmp_path, project=False)
    assert (server.problem, server.oauth.private_key, server.oauth.issuer) == ("", "pem", "https://login")
    assert "pem" not in repr(server.oauth)
