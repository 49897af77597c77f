"""Find the meaningful beginning of a command, which rules are about: `git commit`, `npm run test`, `rm`."""

import re
from collections.abc import Collection, Sequence

from .words import Word

# How many words, options aside, say what a command does. Not listed: one.
_TWO = """
    alembic ansible-galaxy apk apt apt-get aptitude asdf az bazel brew bun bundle bunx cargo cdk choco composer conda
    corepack dnf docker docker-compose dotnet dvc eb fly flyctl gem gh git git-lfs glab gmake go gradle gradlew hatch
    helm heroku hg just kind kubectl lerna make mamba minikube mise mix mvn mvnw nest netlify ng nix nomad npm npx nvm
    nx oc opam packer pacman pdm pip pip3 pipenv pipx pixi pnpm pnpx pod podman poetry pre-commit prisma pulumi pyenv
    rails rake rbenv rush rustup scoop sdk serverless skaffold snap stack svn swift systemctl task terraform tofu tox
    turbo uv uvx vagrant vault vercel volta wrangler yarn yum zig zypper
"""
ARITY = dict.fromkeys(_TWO.split(), 2) | {"aws": 3, "doctl": 3, "gcloud": 3}
# Where the second word only names a group, the third one counts too.
_GROUPS = {
    "bundle": "exec",
    "bun": "run x",
    "docker": "buildx compose container image network system volume",
    "dotnet": "tool",
    "gh": "auth gist issue pr release repo run secret workflow",
    "git": "bisect config lfs notes remote stash submodule worktree",
    "go": "mod run tool work",
    "hatch": "run",
    "kubectl": "auth config create rollout set",
    "mise": "exec run",
    "nix": "flake profile store",
    "npm": "exec run run-script",
    "pdm": "run",
    "pip": "cache config",
    "pipenv": "run",
    "pipx": "run",
    "pnpm": "dlx exec run",
    "podman": "compose container image network system volume",
    "poetry": "run",
    "rush": "run",
    "terraform": "state workspace",
    "uv": "cache pip python run self tool",
    "yarn": "dlx run workspace",
}
DEEPER = {(name, group): 3 for name, groups in _GROUPS.items() for group in groups.split()}

# Options that stand before the subcommand and take the next word.
VALUED = {
    "git": ("-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path", "--super-prefix", "--config-env"),
    "docker": ("-H", "--host", "-c", "--context", "--config", "-l", "--log-level"),
    "kubectl": ("-n", "--namespace", "--context", "--kubeconfig", "--cluster", "--user", "-s", "--server", "--token"),
    "helm": ("-n", "--namespace", "--kube-context", "--kubeconfig"),
    "npm": ("--prefix", "-w", "--workspace", "-C"),
    "pnpm": ("--filter", "-F", "-C", "--dir"),
    "yarn": ("--cwd",),
    "cargo": ("-C", "--config", "--color", "-Z"),
    "uv": ("--directory", "--project", "--config-file", "--cache-dir", "--python"),
    "gh": ("-R", "--repo"),
    "make": ("-C", "-f", "-I", "-j", "-l", "-o", "-W", "--directory", "--file"),
    "go": ("-C",),
    "aws": ("--profile", "--region", "--endpoint-url", "--output"),
    "gcloud": ("--project", "--account", "--configuration"),
    "poetry": ("-C", "--directory", "-P", "--project"),
}

_VERSION = re.compile(r"[-.\d]+\Z")


def is_among(name: str, table: Collection[str]) -> bool:
    """True for a name in the table, or one that is the same with a version: `python3.12`."""
    return name in table or _VERSION.sub("", name) in table


def prefix(words: Sequence[Word]) -> list[Word] | None:
    """The beginning of a command up to its last meaningful word, options on the way included.

    None where it can't be said: a word of it is only known when the command runs, or is missing.
    """
    name = program(words)
    wanted, taken, index = ARITY.get(name, 1), 1, 1
    while taken < wanted and index < len(words):
        word = words[index]
        if not word.literal:
            return None
        index += 1
        if word.text in VALUED.get(name, ()):
            index += 1
        elif not word.text.startswith("-"):
            taken += 1
            if taken == 2:
                wanted = max(wanted, DEEPER.get((name, word.text), 0))
    if index > len(words) or not all(word.literal for word in words[:index]):
        return None
    return list(words[:index])


def bare(words: Sequence[Word]) -> list[Word]:
    """The same command without its folder and without options before the subcommand: `/usr/bin/git -C x push` is
    `git push` too, and a rule about that must see it."""
    name = program(words)
    found = prefix(words)
    if found is None or not words[0].literal:
        return list(words)
    kept, skip = [Word(name, True)], False
    for word in found[1:]:
        if skip:
            skip = False
        elif word.text in VALUED.get(name, ()):
            skip = True
        elif not word.text.startswith("-"):
            kept.append(word)
    return [*kept, *words[len(found) :]]


def program(words: Sequence[Word]) -> str:
    """The name of the program, without the folder that it is in."""
    return words[0].text.rpartition("/")[2] or words[0].text
