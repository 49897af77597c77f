"""What a command in the sandbox may see and change: which folders are hidden, shown, and protected."""

import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from toolpost.folders import user_folder

from .redact import Redactor
from .sandbox_placeholders import is_placeholder
from .tables import names

# Other people's files, sockets of services, and what is plugged in. Each is replaced by an empty folder.
HIDDEN = ("/home", "/root", "/run", "/tmp", "/var/tmp", "/var/spool", "/mnt", "/media", "/boot", "/lost+found")
HIDDEN_FILES = names("""
    /etc/shadow /etc/shadow- /etc/gshadow /etc/gshadow- /etc/sudoers /etc/sudoers.d /etc/ssl/private
    /etc/krb5.keytab /etc/security/opasswd /etc/wireguard /etc/letsencrypt /etc/NetworkManager/system-connections
    /etc/ipsec.secrets /etc/ppp /etc/docker /etc/kubernetes /var/lib/docker /var/lib/containerd /var/lib/kubelet
    /var/lib/sudo /var/lib/NetworkManager /var/backups /etc/apt/auth.conf /etc/apt/auth.conf.d /etc/mysql/debian.cnf
    /etc/netplan /etc/openvpn /etc/wpa_supplicant /etc/ssh/ssh_host_rsa_key /etc/ssh/ssh_host_ecdsa_key
    /etc/ssh/ssh_host_ed25519_key
""")
# Programs and libraries in the home folder, read-only. What is secret in them is hidden all the same.
TOOLCHAINS = names("""
    .asdf .bun/bin .cabal/bin .cargo/bin .cargo/env .cargo/git .cargo/registry .conda .deno/bin .dotnet .ghcup
    .goenv .jenv .juliaup .local/bin .local/lib .local/pipx .local/share/fnm .local/share/mise/installs
    .local/share/mise/shims .local/share/pipx .local/share/pnpm .local/share/uv/python .local/share/uv/tools
    .m2/repository .nix-profile .nodenv .nvm .opam .phpenv .pyenv .rbenv .rustup .rvm .sdkman/candidates .volta
    anaconda3 bin go mambaforge miniconda3 miniforge3
""")
# Settings that programs expect, shown where nothing in them looks like a secret.
SETTINGS = (".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes", ".editorconfig")
MAX_SETTINGS_BYTES = 100_000

# In the home folder, hidden even if the project is the home folder itself.
SECRETS = names("""
    .ssh .gnupg .aws .azure .kube .docker .config/gcloud .config/gh .config/rclone .password-store
    .local/share/keyrings .mozilla .config/google-chrome .config/chromium .netrc .git-credentials .pgpass .my.cnf
    .npmrc .pypirc .cargo/credentials .cargo/credentials.toml .bash_history .zsh_history .python_history
    .vault-token .terraform.d .dotnet/corefx .gradle/gradle.properties .m2/settings.xml .config/op .claude .codex
    .gemini .thunderbird .local/share/toolpost .local/share/uv/credentials
""")
# In the project: never written by a command, and not made by one where they do not exist.
PROTECTED = (".toolpost", ".mcp.json")
# In the git folder: what git runs, and what says where else it finds such things.
PROTECTED_IN_GIT = ("hooks", "config", "config.worktree", "commondir")
# Never written by a command where they exist.
PROTECTED_IF_THERE = names("""
    .agents .claude .codex .cursor .devcontainer .envrc .gemini .git/info/attributes .gitmodules .husky .idea
    .opencode .pre-commit-config.yaml .vscode
""")
PROTECTED_AT_HOME = names("""
    .bash_login .bash_logout .bash_profile .bashrc .config/autostart .config/fish .config/systemd .config/toolpost
    .gitconfig .profile .zlogin .zprofile .zshenv .zshrc
""")
MAX_MODULES = 64

# They name sockets and displays that can't be reached from inside, or programs that would be asked there.
DROPPED = names("""
    DBUS_SESSION_BUS_ADDRESS DISPLAY GIT_ASKPASS GPG_AGENT_INFO SSH_AGENT_PID SSH_ASKPASS SSH_AUTH_SOCK
    SSH_CONNECTION SUDO_ASKPASS TMUX VSCODE_GIT_IPC_HANDLE VSCODE_IPC_HOOK_CLI WAYLAND_DISPLAY XAUTHORITY
    XDG_RUNTIME_DIR
""")


def environment(env: Mapping[str, str]) -> dict[str, str]:
    """The environment inside: without what leads out."""
    kept = {name: value for name, value in env.items() if name not in DROPPED}
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home()), **kept, "TMPDIR": "/tmp"}


def home() -> Path:
    return _real_home(str(Path.home()))


def beneath(path: Path, folder: Path) -> bool:
    """True for the folder itself and what is in it. Several hundred are compared for each command, so no `pathlib`."""
    return path == folder or str(path).startswith(f"{str(folder).rstrip('/')}/")


def hidden_folders() -> tuple[Path, ...]:
    """Folders to be replaced by empty ones; the home folder among them, wherever it is."""
    return _hidden_with(home())


def hidden_files(project: Path, granted: Sequence[Path] = ()) -> list[Path]:
    """What may not be read: system secrets, sockets of services, Toolpost's own data, and secrets at home.

    What is in a hidden folder needs no cover, unless it is in the project or in a place that was granted.
    """
    own = [user_folder("data"), user_folder("config"), user_folder("cache")]
    at_home = [home() / name for name in SECRETS]
    wanted = [*map(Path, HIDDEN_FILES), *own, *at_home, *_sockets()]
    covered = [folder for folder in hidden_folders() if not beneath(folder, project)]
    opened = (project, *granted, *(home() / name for name in TOOLCHAINS))
    seen = (path for path in dict.fromkeys(wanted) if _in_any(path, opened) or not _in_any(path, covered))
    # What can't be read anyway needs no cover.
    return [path for path in seen if _is_there(path) and os.access(path, os.R_OK) and not beneath(project, path)]


def shown_paths(env: Mapping[str, str], network: bool) -> list[Path]:
    """What is shown of the hidden folders, read-only."""
    at_home = [home() / name for name in TOOLCHAINS]
    entries = [Path(entry) for entry in env.get("PATH", "").split(os.pathsep) if entry.startswith("/")]
    on_path = [path for entry in entries for path in _works_with(entry)]
    settings = [path for name in SETTINGS if _is_open(path := home() / name)]
    resolver = [Path(os.path.realpath("/etc/resolv.conf"))] if network else []
    hidden = hidden_folders()
    wanted = dict.fromkeys((*at_home, *on_path, *settings, *resolver))
    found = sorted(path for path in wanted if _in_any(path, hidden) and not _is_home(path) and _can_be_seen(path))
    # Each mount takes a good part of a millisecond.
    return [path for path in found if not any(path != other and beneath(path, other) for other in found)]


def is_hidden(path: Path, project: Path, granted: Sequence[Path] = ()) -> bool:
    """True for a place that a command would not see."""
    return _in_any(path, hidden_folders()) and not _in_any(path, (project, *granted))


def has_nameless_sockets() -> bool:
    """True if a service can be reached by a name that is in no folder: such names belong to the network."""
    try:
        return " @" in Path("/proc/net/unix").read_text()
    except OSError:
        return True


def is_empty(folder: Path) -> bool:
    """True for a folder in which there is nothing to hide."""
    try:
        with os.scandir(folder) as entries:
            return not any(entries)
    except OSError:
        return False


def protected_paths(project: Path, more: Sequence[Path], granted: Sequence[Path] = ()) -> tuple[list[Path], list[Path]]:
    """What may not be written in what is writable: what is there, and what is not and may not be made."""
    roots = writable_roots(project, granted)
    git = git_folder(project) or project / ".git"
    always = [*(project / ".git" / name for name in PROTECTED_IN_GIT), *(project / name for name in PROTECTED), *more]
    always += [*(git / name for name in PROTECTED_IN_GIT), *(home() / name for name in PROTECTED_AT_HOME)]
    if_there = [*(project / name for name in PROTECTED_IF_THERE), *_parts_of_git(git)]
    for folder in granted:
        if_there += [folder / name for name in (*PROTECTED, *PROTECTED_IF_THERE)]
        if_there += [folder / ".git" / name for name in PROTECTED_IN_GIT]
    there: dict[Path, None] = {}
    missing: dict[Path, None] = {}
    for path in dict.fromkeys(always):
        root = next((root for root in roots if path != root and beneath(path, root)), None)
        if root is not None:
            place = _deepest(path, root)
            (missing if _is_missing(place) else there)[place] = None
    there |= dict.fromkeys(path for path in if_there if os.path.lexists(path) and path not in granted)
    return list(there), list(missing)


def writable_roots(project: Path, granted: Sequence[Path] = ()) -> list[Path]:
    """What a command may write: the project, its git folder where that is elsewhere, and what was granted."""
    common = git_folder(project)
    return [project, *(() if common is None else (common,)), *granted]


def way_to(path: Path, roots: Sequence[Path]) -> list[Path]:
    """The places on the way from one of these folders to `path`, that one included."""
    return [place for place in (*reversed(path.parents), path) if place not in roots and _in_any(place, roots)]


def git_folder(project: Path) -> Path | None:
    """The git folder of a worktree that lies elsewhere, if that folder says that this worktree is its own.

    The file `.git` alone is the project's word; a hostile one could name any folder.
    """
    try:
        pointer = (project / ".git").read_text()
        if not pointer.startswith("gitdir: "):
            return None
        own = Path(os.path.realpath(project / pointer.removeprefix("gitdir: ").strip()))
        back = Path((own / "gitdir").read_text().strip())
        common = Path(os.path.realpath(own / (own / "commondir").read_text().strip()))
    except (OSError, ValueError):
        return None
    belongs = os.path.realpath(back) == os.path.realpath(project / ".git") and own.is_relative_to(common)
    return common if belongs and not common.is_relative_to(project) else None


@lru_cache
def _real_home(path: str) -> Path:
    return Path(os.path.realpath(path))


@lru_cache
def _hidden_with(home: Path) -> tuple[Path, ...]:
    wanted = dict.fromkeys((*map(Path, HIDDEN), home))
    found = [path for path in wanted if path.is_dir() and not path.is_symlink() and path != Path("/")]
    return tuple(path for path in found if not any(path != other and beneath(path, other) for other in found))


def _works_with(entry: Path) -> list[Path]:
    """What has to be seen for the programs of a folder on the PATH: the toolchain, or the environment it is part of."""
    prefix = entry.parent
    if entry.name in ("bin", "Scripts") and (prefix / "pyvenv.cfg").is_file():
        return [prefix, *_base_of(prefix)]
    if (prefix / "conda-meta").is_dir():
        return [prefix]
    return [_toolchain_of(entry) or entry]


def _base_of(environment: Path) -> list[Path]:
    """The Python that a virtual environment was made of."""
    try:
        lines = (environment / "pyvenv.cfg").read_text(errors="replace").splitlines()
    except OSError:
        return []
    said = next((line.partition("=")[2].strip() for line in lines if line.partition("=")[0].strip() == "home"), "")
    return [_toolchain_of(Path(said)) or Path(said).parent] if said.startswith("/") else []


def _is_home(path: Path) -> bool:
    """True for somebody's home folder and what such folders are in: no PATH opens these."""
    return beneath(home(), path) or path.parent == Path("/home") or any(beneath(Path(one), path) for one in HIDDEN)


def _toolchain_of(entry: Path) -> Path | None:
    """The whole of what a folder on the PATH is a part of: HOME may be another one than where programs are."""
    for name in TOOLCHAINS:
        words = Path(name).parts
        if not name.startswith("."):
            continue
        for start in range(1, len(entry.parts) - len(words) + 1):
            if entry.parts[start : start + len(words)] == words:
                return Path(*entry.parts[: start + len(words)])
    return None


def _in_any(path: Path, folders: Iterable[Path]) -> bool:
    return any(beneath(path, folder) for folder in folders)


def _parts_of_git(git: Path) -> list[Path]:
    """Settings and hooks of submodules, and what points from the worktrees to them."""
    found: list[Path] = []
    for folder in sorted((git / "modules").glob("**/hooks"))[:MAX_MODULES]:
        found += [folder, folder.parent / "config"]
    for folder in sorted((git / "worktrees").glob("*/"))[:MAX_MODULES]:
        found += [folder / "commondir", folder / "gitdir", folder / "config.worktree"]
    return found


def _deepest(path: Path, project: Path) -> Path:
    """The path, or what is in its way: the first part that is missing, or that is no folder."""
    for place in reversed(path.parents):
        if beneath(place, project) and (_is_missing(place) or not place.is_dir()):
            return place
    return path


def _is_missing(path: Path) -> bool:
    return not os.path.lexists(path) or is_placeholder(path)


def _can_be_seen(path: Path) -> bool:
    try:
        path.stat()
    except OSError:
        return False
    return True


def _is_there(path: Path) -> bool:
    try:
        path.lstat()
    except OSError:
        return False
    return not path.is_symlink()


def _is_open(path: Path) -> bool:
    """True for a small file in which nothing looks like a secret."""
    try:
        data = path.read_bytes()[: MAX_SETTINGS_BYTES + 1]
    except OSError:
        return False
    text = data.decode(errors="replace")
    return len(data) <= MAX_SETTINGS_BYTES and Redactor().text(text) == text


def _sockets() -> Iterable[Path]:
    """Sockets of services: a read-only file system does not keep anybody from talking to them."""
    try:
        lines = Path("/proc/net/unix").read_text().splitlines()
    except OSError:
        return
    hidden = hidden_folders()
    for line in lines:
        _, slash, rest = line.partition(" /")
        if slash and not _in_any(path := Path(f"/{rest}"), hidden) and _is_socket(path):
            yield path


def _is_socket(path: Path) -> bool:
    try:
        return stat.S_ISSOCK(path.lstat().st_mode)
    except OSError:
        return False
