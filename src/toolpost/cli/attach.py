"""`toolpost attach URL`: show the sessions of a `toolpost serve` elsewhere in this terminal."""

import asyncio
import os
from argparse import ArgumentParser, Namespace
from pathlib import Path

from toolpost.config.load import load
from toolpost.control.api_client import TOKEN_VARIABLE, ApiClient, checked_url
from toolpost.control.server_control import ServerControl
from toolpost.types.errors import ConfigError

from .chat.command import add_face_argument, check_terminal, show_sessions
from .shared.language import shown

HELP = "show the sessions of a toolpost serve elsewhere: watch, answer and stop its runs"


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("url", metavar="URL", help="the address of the server, such as https://host or 127.0.0.1:8642")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("-s", "--session", metavar="ID", help="open this session: its id or the beginning of it")
    which.add_argument("-c", "--continue", dest="newest", action="store_true", help="open your newest session there")
    parser.add_argument(
        "--token-env",
        metavar="NAME",
        default=TOKEN_VARIABLE,
        help="the variable that has your token (default: TOOLPOST_TOKEN); where it is not set, you are asked",
    )
    parser.add_argument(
        "--insecure", action="store_true", help="send the token over plain http to another machine, too"
    )
    add_face_argument(parser)


def run(args: Namespace) -> int:
    check_terminal()
    # Before a person types a token that can't be used.
    url = checked_url(args.url, insecure=args.insecure)
    api = ApiClient(url, _token(args.token_env), insecure=args.insecure, token_name=args.token_env)
    return asyncio.run(_attach(api, args))


async def _attach(api: ApiClient, args: Namespace) -> int:
    control = ServerControl(api, session=args.session or "", newest=args.newest, shown=shown)
    # The person's own settings: those of the folder that this is started in are for its sessions.
    config = load(Path.cwd(), project=False).config
    return await show_sessions(control, config, args.tui, again="toolpost attach URL -s {id}".replace("URL", api.url))


def _token(variable: str) -> str:
    if token := os.environ.get(variable, "").strip():
        return token
    # Imported here: most people have it in a variable.
    from getpass import getpass

    token = getpass(shown("Token of the server (not shown): ")).strip()
    if not token:
        raise ConfigError(f"a token is needed: set {variable}, or name another variable with --token-env")
    return token
