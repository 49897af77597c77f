"""What `toolpost permissions explain`, `tools list` and `config check` say of rules, as real calls are judged."""

import pytest
from project import Project

from toolpost.cli.shared.formats import short_id
from toolpost.store.contract import Approval


@pytest.fixture
def project(tmp_path, monkeypatch, capsys):
    return Project(tmp_path, monkeypatch, capsys)


def explained(project, *arguments):
    done = project.call("permissions", "explain", *arguments)
    assert done.status == 0, done.err
    return done.out


def parts(project, *arguments):
    told = project.call("permissions", "explain", *arguments, "--json").json
    return told["action"], {(one["permission"], one["pattern"]): one["action"] for one in told["parts"]}


class TestExplain:
    def test_each_command_of_a_line_is_explained_with_the_rule_that_decides(self, project):
        project.write(".toolpost/config.toml", '[permissions.bash]\n"git *" = "allow"\n')
        said = explained(project, "bash", "git log && rm -rf x")
        assert said.startswith('bash "git log && rm -rf x": asks first')
        assert 'bash "git log": runs without asking\ndecided by: bash "git *" = allow' in said
        assert 'bash "rm -rf x": asks first\ndecided by: no rule matches' in said

    def test_what_an_agent_does_not_have_is_noted_and_so_is_a_name_that_nothing_has(self, project):
        done = project.call("permissions", "explain", "edit", "m.py", "--agent", "plan")
        assert "note: this agent does not have the tool edit: read-only" in done.err
        assert project.call("permissions", "explain", "edit", "m.py").err == ""
        assert 'unknown permission "reed"; did you mean "read"?' in project.call("permissions", "explain", "reed").err

    @pytest.mark.parametrize("name", ["bash", "job_start"])
    def test_the_strictest_of_the_commands_is_what_happens(self, project, name):
        project.write(".toolpost/config.toml", '[permissions.bash]\n"*" = "allow"\n"rm *" = "deny"\n')
        action, found = parts(project, name, "git log && rm x")
        assert action == "deny"
        assert found == {("bash", "git log"): "allow", ("bash", "rm x"): "deny"}

    def test_what_a_command_asks_for_besides_is_told(self, project):
        project.write(".toolpost/config.toml", '[permissions]\nbash = "allow"\n')
        action, found = parts(project, "bash", "cat .env > /etc/x")
        assert action == "ask"
        assert found[("secret", ".env")] == found[("external_directory", "/etc/*")] == "ask"
        assert ("external_directory", "/etc/*") not in parts(project, "bash", "cat .env > /etc/x", "--agent", "plan")[1]
        said = explained(project, "bash", "cat .env")
        assert "may hold secrets" in said
        assert 'bash_network "cat .env": asks first' in said.partition("where the call wants the network")[2]

    def test_the_network_is_not_asked_for_where_all_commands_have_it(self, project):
        project.write(".toolpost/config.toml", "network = true\n")
        assert "bash_network" not in explained(project, "bash", "ls")

    def test_a_path_is_explained_as_the_tools_see_it(self, project):
        project.write(".toolpost/config.toml", '[permissions.edit]\n"a.txt" = "allow"\n')
        assert parts(project, "edit", f"{project.folder}/sub/../a.txt") == ("allow", {("edit", "a.txt"): "allow"})
        assert parts(project, "read", "/etc/hostname")[1][("external_directory", "/etc/*")] == "ask"

    def test_a_glob_is_explained_by_the_folder_that_it_begins_in(self, project):
        project.write(".toolpost/config.toml", '[permissions.glob]\n"src" = "deny"\n')
        assert parts(project, "glob", "src/**/*.py") == ("deny", {("glob", "src"): "deny"})
        assert parts(project, "glob", "**/*.py") == ("allow", {("glob", "."): "allow"})
        assert "is not a pattern" in explained(project, "glob", "src/[")

    @pytest.mark.parametrize("name", ["glob", "grep", "list", "lsp"])
    def test_what_searches_outside_of_the_project_is_told_that_it_leaves_it(self, project, name):
        assert parts(project, name, "/etc")[1][("external_directory", "/etc/*")] == "ask"

    def test_a_page_is_explained_by_its_host(self, project):
        project.write(".toolpost/config.toml", '[permissions.web_fetch]\n"docs.example" = "allow"\n')
        assert parts(project, "web_fetch", "https://docs.example/a?b") == (
            "allow",
            {("web_fetch", "docs.example"): "allow"},
        )

    def test_what_no_tool_ever_does_is_denied_whatever_the_rules_say(self, project):
        project.write(".toolpost/config.toml", '[permissions]\n"*" = "allow"\n')
        for arguments in (("edit", ".env"), ("bash", "echo x > .env")):
            assert "which no tool writes" in explained(project, *arguments)
            assert parts(project, *arguments)[0] == "deny"

    def test_without_a_pattern_it_says_what_holds_for_any(self, project):
        project.write(".toolpost/config.toml", '[permissions]\nbash = {"*" = "ask", "rm *" = "deny"}\nedit = "deny"\n')
        assert "edit: denied, whatever the pattern" in explained(project, "edit")
        assert "web_fetch: asks first, whatever the pattern" in explained(project, "web_fetch")
        depends = explained(project, "bash")
        assert "bash: it depends on the pattern" in depends
        assert depends.index('bash "rm *" = deny') < depends.index('bash "*" = ask')
        assert project.call("permissions", "explain", "edit", "--json").json["action"] == "deny"

    def test_the_name_of_a_tool_is_explained_by_its_permission(self, project):
        project.write(".toolpost/config.toml", '[permissions]\nedit = "allow"\nwrite = "deny"\n')
        said = explained(project, "write", "x")
        assert "the tool write uses the permission edit" in said
        assert 'edit "x": denied\ndecided by: write "*" = deny' in said
        assert 'edit "x": runs without asking' in explained(project, "edit", "x")


class TestApprovals:
    def test_those_of_a_servers_users_neither_count_nor_are_taken_back_here(self, project):
        place = str(project.folder)
        saved = [Approval(f"apr_{owner}1", place, "edit", "a.txt", 1.0, owner) for owner in ("", "ann")]
        project.in_store(lambda store: store.approve(saved))
        (mine,) = project.call("permissions", "list", "--json").json["approvals"]
        assert mine["id"] == "apr_1"
        assert project.call("permissions", "revoke", "--all").status == 0
        assert project.call("permissions", "explain", "edit", "a.txt", "--json").json["approved"] is False
        (left,) = project.call("permissions", "list", "--all", "--json").json["approvals"]
        assert left["owner"] == "ann"


class TestRulesForTools:
    CONFIG = '[permissions]\nwrite = "allow"\njob_start = "deny"\n'

    def test_a_rule_that_names_a_tool_with_another_permission_is_noted(self, project):
        project.write(".toolpost/config.toml", self.CONFIG)
        for command in (("config", "check"), ("permissions", "list")):
            told = project.call(*command).out
            assert 'write "*" = allow' in told
            assert "has no effect: write is a tool, and its permission is edit" in told
            assert "[tools] job_start = false" in told
            assert len(project.call(*command, "--json").json["notes"]) == 2

    def test_a_rule_for_a_permission_or_for_several_is_not_noted(self, project):
        config = '[permissions]\n"*" = "ask"\nedit = "deny"\n"job_*" = "allow"\nget_weather = "allow"\n'
        project.write(".toolpost/config.toml", config)
        assert project.call("config", "check", "--json").json["notes"] == []


class TestToolsOfAnAgent:
    @pytest.mark.parametrize("agent", ["plan", "explore"])
    def test_what_a_read_only_agent_is_never_offered_is_off(self, project, agent):
        listed = {one["name"]: one["runs"] for one in project.call("tools", "--agent", agent, "--json").json}
        assert {listed[name] for name in ("write", "edit", "apply_patch")} == {"off"}
        assert listed["read"] == "allow"
        told = project.call("tools", "--agent", agent).out.splitlines()
        assert any(line.startswith("write ") and "off (read-only)" in line for line in told)

    def test_a_tool_that_is_denied_by_its_own_name_is_listed_as_denied(self, project):
        project.write(".toolpost/config.toml", '[permissions]\nwrite = "deny"\n')
        listed = {one["name"]: one["runs"] for one in project.call("tools", "--json").json}
        assert (listed["write"], listed["edit"]) == ("deny", "ask")


def test_a_saved_approval_that_says_too_much_or_hides_something_is_told(project):
    given = [("apr_aaaaaaaaaaaa", "gcc *"), ("apr_bbbbbbbbbbbb", "git status *"), ("apr_cccccccccccc", "ls \u202ex")]
    saved = [Approval(one, str(project.folder), "bash", pattern, 1.0) for one, pattern in given]
    project.in_store(lambda store: store.approve(saved))
    listed = project.call("permissions", "list").out
    assert "ls \\u{202e}x" in listed
    assert [line.split()[1] for line in listed.splitlines() if "no longer counts" in line] == [
        short_id("apr_aaaaaaaaaaaa")
    ]
    assert 'outdated:   bash "gcc *"' in explained(project, "bash", "gcc -wrapper ./evil a.c")
    assert "a saved approval answers the ask" in explained(project, "bash", "git status -s")
