"""List the folders of the machine that a sandboxed command sees: system folders, toolchains and build caches."""

import os
import re
import stat
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from msgspec import Struct

from toolpost.guard.redact import Redactor
from toolpost.guard.secret_names import is_secret
from toolpost.guard.word_sets import names

# Programs, libraries and what they read. /srv, /var, /data and whatever else there is on a machine are not among them.
SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt", "/nix/store", "/gnu/store"),
    *("/run/current-system", "/snap", "/home/linuxbrew/.linuxbrew", "/sys/devices/system/cpu", "/var/cache/fontconfig"),
    *("/var/lib/dpkg", "/var/lib/gems", "/var/lib/ghc", "/var/lib/texmf"),
)
ETC_FOLDERS = (
    *("alternatives", "ssl/certs", "ca-certificates", "pki/ca-trust", "pki/tls/certs", "crypto-policies", "fonts"),
    *("ld.so.conf.d", "java*", "terminfo", "texmf", "maven", "php", "R", "ghc", "dotnet"),
)
ETC_FILES = (
    *("passwd", "group", "hosts", "hostname", "host.conf", "nsswitch.conf", "services", "protocols", "gai.conf"),
    *("localtime", "timezone", "locale.alias", "locale.conf", "locale.gen", "default/locale", "ld.so.cache"),
    *("ld.so.conf", "os-release", "lsb-release", "debian_version", "shells", "login.defs", "mime.types", "magic"),
    *(
        "inputrc",
        "bash.bashrc",
        "ssl/openssl.cnf",
        "pki/tls/openssl.cnf",
        "npmrc",
        "pip.conf",
        "gitconfig",
        "papersize",
    ),
)
MAX_ETC_BYTES = 2_000_000
# Programs and libraries in the home folder, read-only.
TOOLCHAINS = names("""
    .asdf .bun/bin .cabal/bin .cargo/bin .cargo/env .conda .deno/bin .dotnet .ghcup .goenv .jenv .juliaup .local/bin
    .local/lib .local/pipx .local/share/fnm .local/share/mise/installs .local/share/mise/shims .local/share/pipx
    .local/share/pnpm .local/share/uv/python .local/share/uv/tools .nix-profile .nodenv .nvm .opam .phpenv .pyenv .rbenv
    .rustup .rvm .sdkman/candidates .volta anaconda3 bin go mambaforge miniconda3 miniforge3
""")
# What builds have fetched before and need without a network. A command may write there; that is gone when it ends.
CACHES = names("""
    .bun/install/cache .bundle/cache .cabal/packages .cache/Cypress .cache/coursier .cache/deno .cache/go-build
    .cache/ms-playwright .cache/node .cache/pip .cache/pnpm .cache/puppeteer .cache/uv .cache/yarn .cargo/git
    .cargo/registry .gem .gradle/caches .gradle/native .gradle/wrapper .hex .ivy2/cache .local/share/pnpm/store
    .m2/repository .m2/wrapper .mix .npm/_cacache .nuget/packages .pub-cache .stack .yarn/berry/cache go/pkg/mod
""")
# Where toolchains and caches are instead, as people tell their programs; "" is the folder itself.
TOOLCHAIN_VARIABLES = {
    **dict.fromkeys(("CARGO_HOME", "BUN_INSTALL", "DENO_INSTALL", "GOPATH"), "bin"),
    **dict.fromkeys(("CONDA_PREFIX", "DOTNET_ROOT", "GOROOT", "JAVA_HOME", "M2_HOME", "MAVEN_HOME", "NVM_DIR"), ""),
    **dict.fromkeys(("PYENV_ROOT", "RUSTUP_HOME", "SDKMAN_CANDIDATES_DIR", "VIRTUAL_ENV", "VOLTA_HOME"), ""),
}
CACHE_VARIABLES = {
    "CARGO_HOME": ("registry", "git"),
    "GOPATH": ("pkg/mod",),
    "GRADLE_USER_HOME": ("caches", "native", "wrapper"),
    "XDG_CACHE_HOME": ("pip", "uv", "go-build", "yarn", "deno", "ms-playwright"),
    **dict.fromkeys(("GOMODCACHE", "GOCACHE", "NUGET_PACKAGES", "PIP_CACHE_DIR", "UV_CACHE_DIR", "DENO_DIR"), ("",)),
    "npm_config_cache": ("_cacache",),
}
# Settings that programs expect, shown where nothing in them looks like a secret.
SETTINGS = (".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes", ".editorconfig")
MAX_SETTINGS_BYTES = 100_000
MAX_LINKS = 8
REMEMBERED_SECONDS = 5.0
BESIDE_PROGRAMS = ("lib", "lib64", "libexec", "share", "include")
# Folders of people and services. Nothing on the PATH opens these.
NEVER_WHOLE = tuple(
    map(Path, ("/", "/home", "/root", "/run", "/tmp", "/var", "/var/tmp", "/mnt", "/media", "/srv", "/etc", "/dev"))
)


class VisiblePath(Struct, frozen=True, order=True):
    """A path to be shown: as it is, as a link to `leads_to`, or as a cache that can be written for a while."""

    path: Path
    how: Literal["as it is", "link", "cache"] = "as it is"
    leads_to: str = ""


def home() -> Path:
    return _real(str(Path.home()))


def beneath(path: Path, folder: Path) -> bool:
    """True for the folder itself and what is in it. Several hundred are compared for each command, so no `pathlib`."""
    return path == folder or str(path).startswith(f"{str(folder).rstrip('/')}/")


def in_any(path: Path, folders: Sequence[Path]) -> bool:
    return any(beneath(path, folder) for folder in folders)


def visible_paths(env: Mapping[str, str], open_places: Sequence[Path]) -> Sequence[VisiblePath]:
    """The system, then toolchains, caches and settings of the user, each where it exists.

    What is in `open_places`, which a command can write, is shown with those and never by a path that leads there.
    """
    told = tuple((name, env[name]) for name in ("PATH", *TOOLCHAIN_VARIABLES, *CACHE_VARIABLES) if name in env)
    shown = _shown(told, tuple(open_places), home(), _moment())
    return [*shown, *(one for one in _settings() if not in_any(one.path, open_places))]


def is_shown(path: Path, env: Mapping[str, str], open_places: Sequence[Path]) -> bool:
    """True for what a command sees anyway, or sees an empty folder of its own in the place of."""
    own = (Path("/proc"), Path("/dev"), Path("/tmp"), Path("/var/tmp"), Path("/run"))
    etc = (*etc_folders(), *(Path(name) for name, _ in etc_files(network=False)))
    shown = (*open_places, *own, *etc, *(one.path for one in visible_paths(env, open_places)))
    return in_any(path, shown) or beneath(home(), path) or any(beneath(one, path) for one in shown)


def etc_folders() -> Sequence[Path]:
    """Folders of /etc with nothing but settings of programs in them."""
    return _etc_folders(_moment())


def etc_files(network: bool) -> Sequence[tuple[str, bytes]]:
    """Files of /etc that programs expect, with their content."""
    return _etc_files(network, _moment())


def is_open_setting(path: Path, secret: re.Pattern[str] | None = None) -> bool:
    """True for a small regular file in which nothing looks like a secret, or matches `secret`."""
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        is_file = stat.S_ISREG(os.fstat(opened).st_mode)
        data = os.read(opened, MAX_SETTINGS_BYTES + 1) if is_file else b""
    finally:
        os.close(opened)
    return is_file and _has_no_secret(data) and not (secret and secret.search(data.decode(errors="replace")))


def _moment() -> int:
    """What was found on the machine counts for a few seconds: each command would ask several hundred times."""
    return int(time.monotonic() / REMEMBERED_SECONDS)


@lru_cache(maxsize=64)
def _shown(
    told: tuple[tuple[str, str], ...], open_places: tuple[Path, ...], at_home: Path, moment: int
) -> tuple[VisiblePath, ...]:
    env = dict(told)
    found: dict[Path, VisiblePath] = {}
    for path in map(Path, SYSTEM):
        _add(found, path, open_places)
    system = tuple(found)
    wanted = [*(at_home / name for name in TOOLCHAINS), *_on_path(env, open_places), *_by_variable(env, _TOOLCHAINS)]
    for path in sorted(dict.fromkeys(wanted)):
        _add(found, path, open_places)
    caches = [*(at_home / name for name in CACHES), *_by_variable(env, CACHE_VARIABLES)]
    for path in sorted(dict.fromkeys(caches)):
        if not _is_too_wide(path) and not in_any(path, (*open_places, *system)) and _is_plain_folder(path):
            found[path] = VisiblePath(path, "cache")
    return tuple(sorted(found.values(), key=lambda one: (one.how == "cache", one.path)))


@lru_cache(maxsize=2)
def _etc_folders(moment: int) -> tuple[Path, ...]:
    found = (path for pattern in ETC_FOLDERS for path in sorted(Path("/etc").glob(pattern)))
    return tuple(path for path in found if path.is_dir() and not path.is_symlink())


@lru_cache(maxsize=4)
def _etc_files(network: bool, moment: int) -> tuple[tuple[str, bytes], ...]:
    found: list[tuple[str, bytes]] = []
    for name in (*ETC_FILES, *(("resolv.conf",) if network else ())):
        try:
            with Path("/etc", name).open("rb") as file:
                data = file.read(MAX_ETC_BYTES + 1)
        except OSError:
            continue
        if len(data) <= MAX_ETC_BYTES and (name not in _MAY_HOLD_SECRETS or _has_no_secret(data)):
            found.append((f"/etc/{name}", data))
    return tuple(found)


def _settings() -> Iterator[VisiblePath]:
    """Looked at for each command: what is put into them may be a secret."""
    for name in SETTINGS:
        path = home() / name
        if os.path.realpath(path) == str(path) and is_open_setting(path):
            yield VisiblePath(path)


def _has_no_secret(data: bytes) -> bool:
    text = data.decode(errors="replace")
    return len(data) <= MAX_SETTINGS_BYTES and Redactor().text(text) == text


@lru_cache
def _real(path: str) -> Path:
    return Path(os.path.realpath(path))


def _add(found: dict[Path, VisiblePath], path: Path, shown_already: Sequence[Path]) -> None:
    """Show a path; for a link the link, and where it leads if that is nowhere that is shown."""
    for _ in range(MAX_LINKS):
        if (
            in_any(path, (*shown_already, *found))
            or _is_too_wide(path)
            or os.path.realpath(path.parent) != str(path.parent)
        ):
            return
        if not os.path.islink(path):  # noqa: PTH114 - Path's raises for what may not be looked at
            if os.path.exists(path):  # noqa: PTH110 - the same
                found[path] = VisiblePath(path)
            return
        leads_to = str(path.readlink())
        found[path] = VisiblePath(path, "link", leads_to)
        path = Path(os.path.normpath(path.parent / leads_to))


def _on_path(env: Mapping[str, str], open_places: Sequence[Path]) -> Iterator[Path]:
    for entry in env.get("PATH", "").split(os.pathsep):
        path = Path(os.path.normpath(entry))
        # What an environment in the project says about itself is the project's word.
        if entry.startswith("/") and not in_any(path, open_places):
            yield from _works_with(path)


def _by_variable(env: Mapping[str, str], table: Mapping[str, Sequence[str]]) -> Iterator[Path]:
    for variable, parts in table.items():
        folder = env.get(variable, "").partition(os.pathsep)[0]
        if folder.startswith("/"):
            yield from (Path(os.path.normpath(Path(folder, part))) for part in parts)


def _works_with(entry: Path) -> list[Path]:
    """What has to be seen for the programs of a folder on the PATH: the toolchain, or the environment it is part of."""
    prefix = entry.parent
    if entry.name in ("bin", "Scripts") and os.path.exists(prefix / "pyvenv.cfg"):  # noqa: PTH110 - the same
        return [prefix, *_base_of(prefix)]
    if os.path.exists(prefix / "conda-meta"):  # noqa: PTH110 - the same
        return [prefix]
    if toolchain := _toolchain_of(entry):
        return [toolchain]
    # What is unpacked somewhere has its libraries beside its programs; in ~/.local other things are there as well.
    is_own = entry.name == "bin" and prefix not in (home(), home() / ".local") and prefix not in NEVER_WHOLE
    return [entry, *(prefix / name for name in BESIDE_PROGRAMS if is_own)]


def _base_of(environment: Path) -> list[Path]:
    """The Python that a virtual environment was made of."""
    try:
        lines = (environment / "pyvenv.cfg").read_text(errors="replace").splitlines()
    except OSError:
        return []
    said = next((line.partition("=")[2].strip() for line in lines if line.partition("=")[0].strip() == "home"), "")
    return [_toolchain_of(Path(said)) or Path(said).parent] if said.startswith("/") else []


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


def _is_too_wide(path: Path) -> bool:
    """True for somebody's home folder, folders that such are in, and those that hold more than programs."""
    return beneath(home(), path) or path.parent == Path("/home") or path in NEVER_WHOLE or is_secret(path)


def _is_plain_folder(path: Path) -> bool:
    return os.path.realpath(path) == str(path) and os.path.isdir(path)  # noqa: PTH112 - the same


_TOOLCHAINS = {variable: (part,) for variable, part in TOOLCHAIN_VARIABLES.items()}
_MAY_HOLD_SECRETS = frozenset({"npmrc", "pip.conf", "gitconfig"})
