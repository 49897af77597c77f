"""Recognise secret files and guarded configuration files by their names.

Secret is what lets somebody in: environment files, keys, tokens, credentials. Guarded is what runs by itself sooner or
later: the configuration of agents, shells, git and editors.
"""

import re
from pathlib import PurePath

from .autorun_files import TABLE, folded

SECRET_NAMES = (
    *(".env*", "*.env", "id_rsa", "id_dsa", "id_ecdsa*", "id_ed25519*", "identity"),
    *("*.pem", "*.key", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx", "*.ppk", "wallet.dat", "shadow", "gshadow"),
    *(".netrc", "_netrc", ".pgpass", ".my.cnf", ".npmrc", ".pypirc", ".git-credentials", ".htpasswd", ".dockercfg"),
    *(".vault-token", ".boto", ".s3cfg", "*.tfstate", "*.tfvars", "kubeconfig", "auth.json", "token.json", ".token"),
    *("credentials", "credentials.json", "credentials.toml", "credentials.y*ml", "credentials.ini", "credentials.xml"),
    *("secrets.json", "secrets.toml", "secrets.y*ml", "secrets.ini", "client_secret*.json", "service?account*.json"),
    *("application_default_credentials.json", ".*_history", "key3.db", "key4.db", "logins.json"),
)
SECRET_FOLDERS = (".ssh", ".gnupg", ".aws", ".azure", ".kube", ".password-store", "keyrings")
SECRET_PATHS = (".docker/config.json", ".config/gcloud/", ".config/gh/")
# What looks like a secret by its name and is shared on purpose.
SHARED_NAMES = ("*.pub", "*.example", "*.sample", "*.template", "*.dist", "cacert.pem", "cert.pem", "fullchain.pem")

# At home and everywhere; what is guarded in a project stands in the table of files that run later.
GUARDED_NAMES = (
    *(".bashrc", ".bash_*", ".profile", ".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout"),
    *(".cshrc", ".tcshrc", ".kshrc", ".login", ".logout", ".inputrc", ".gitconfig", ".ripgreprc"),
    *(".vimrc", ".exrc", ".emacs", ".xprofile", ".xinitrc", ".xsession", ".pythonrc", ".pdbrc", "crontab"),
)
GUARDED_FOLDERS = (".git", *(row.path for row in TABLE if row.verdict == "guard"))
GUARDED_PATHS = (".config/fish/", ".config/autostart/", ".config/systemd/", ".config/git/", ".config/toolpost/")


def is_secret(path: PurePath) -> bool:
    """True for a file that holds a secret, and for what is in a folder of secrets."""
    parts = [folded(part) for part in path.parts]
    if is_of_process(path) or _is_among(parts, SECRET_FOLDERS, SECRET_PATHS):
        return True
    # A copy that an editor or a person left behind holds what the original does.
    name = _COPY.sub("", parts[-1]) if parts else ""
    return bool(_SECRET.match(name)) and not _SHARED.match(name)


def is_of_process(path: PurePath) -> bool:
    """True for what the system tells of a process: what its environment told it, and its memory, can be read there."""
    parts = path.parts
    return parts[:2] == ("/", "proc") and len(parts) > 3 and (parts[2].isdigit() or parts[2].endswith("self"))


def is_guarded(path: PurePath) -> bool:
    """True for configuration that something other than the agent will act on."""
    parts = [folded(part) for part in path.parts]
    return _is_among(parts, GUARDED_FOLDERS, GUARDED_PATHS) or (bool(parts) and bool(_GUARDED.match(parts[-1])))


def _is_among(parts: list[str], folders: tuple[str, ...], paths: tuple[str, ...]) -> bool:
    if any(part in folders for part in parts):
        return True
    joined = f"/{'/'.join(parts)}/"
    return any(f"/{path.rstrip('/')}/" in joined for path in paths)


def _matcher(names: tuple[str, ...]) -> re.Pattern[str]:
    forms = (re.escape(name).replace(r"\*", ".*").replace(r"\?", ".") for name in names)
    return re.compile(rf"(?:{'|'.join(forms)})\Z", re.DOTALL)


_COPY = re.compile(r"(?:~|\.(?:bak|backup|old|orig|save|swo|swp|tmp|\d+))+\Z")
_SECRET, _SHARED, _GUARDED = _matcher(SECRET_NAMES), _matcher(SHARED_NAMES), _matcher(GUARDED_NAMES)
