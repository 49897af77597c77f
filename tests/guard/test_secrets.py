"""What is secret and what is guarded, by its name."""

from pathlib import PurePath

import pytest

from toolpost.guard.secret_names import is_guarded, is_secret

SECRET = [
    *(".env", ".env.local", "app/.env.production", "prod.env", ".envrc", ".ENV", ".Env.Local", "．env", ".e\u200bnv"),
    *("id_rsa", "keys/id_ed25519", "server.key", "server.pem", "a.p12", "store.jks", ".netrc", ".npmrc", ".pypirc"),
    *(".git-credentials", "credentials.json", "secrets.yaml", "client_secret_123.json", "service-account.json"),
    *("/home/u/.ssh/config", "/home/u/.aws/credentials", "/home/u/.kube/config", "/home/u/.docker/config.json"),
    *("/home/u/.config/gcloud/x/y", "/etc/shadow", "/proc/self/environ", "/proc/12/mem", ".bash_history", ".env."),
    *(
        "terraform.tfstate",
        "kubeconfig",
        ".SSH/known_hosts",
        ".env~",
        ".env-prod",
        ".env_old",
        ".env.bak",
        "id_rsa.bak",
    ),
    *("server.key~", "credentials.json.orig", "secrets.yaml.old.1", ".netrc.save"),
]
PLAIN = [
    *(".env.example", ".env.sample", "id_rsa.pub", "src/secrets.py", "credentials.py", "token.py", "environment.md"),
    *("keys.md", "env/bin/python", "README.md", "monkey.txt", "/etc/hosts", "/proc/cpuinfo", "envoy.yaml", "a.environ"),
    *("docs/.docker/readme.md", "ssh/config", "history.md", ".env.example.bak", "main.py~", "notes.old"),
]
GUARDED = [
    *(".git/config", ".git/hooks/pre-commit", "sub/.git", ".git", ".toolpost/config.toml", ".mcp.json", ".bashrc"),
    *(
        "/home/u/.zshrc",
        "/home/u/.config/fish/config.fish",
        ".vscode/tasks.json",
        ".claude/settings.json",
        ".GIT/config",
    ),
    *(".git./config", ".g\u200cit/config", ".gitmodules", ".husky/pre-commit"),
]
UNGUARDED = [
    "git/config",
    "src/mcp.json",
    ".gitignore",
    ".github/workflows/ci.yml",
    "bashrc",
    "AGENTS.md",
    "a/.config/x",
]


@pytest.mark.parametrize("path", SECRET)
def test_what_lets_somebody_in_is_secret(path):
    assert is_secret(PurePath(path))


@pytest.mark.parametrize("path", [*PLAIN, *UNGUARDED])
def test_what_only_sounds_like_it_is_not(path):
    assert not is_secret(PurePath(path))


@pytest.mark.parametrize("path", GUARDED)
def test_what_runs_by_itself_is_guarded(path):
    assert is_guarded(PurePath(path))


@pytest.mark.parametrize("path", [*UNGUARDED, *PLAIN])
def test_other_files_are_not_guarded(path):
    assert not is_guarded(PurePath(path))
