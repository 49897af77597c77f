"""What holds for everybody is changed by admins only."""

from toolpost.server.failures import Refusal
from toolpost.server.http import Request


def admins_only(request: Request) -> None:
    if not request.user.is_admin:
        raise Refusal("permission", "this holds for all users of the server, so it is for admins: ask one of them")
