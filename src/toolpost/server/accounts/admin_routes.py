"""The routes of admins: people, invitations, roles, API tokens, what was used, and what runs now."""

from contextlib import suppress
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from toolpost.config.schema import GatewaySettings, Right, UseSettings
from toolpost.engine.state import State
from toolpost.guard.rules import Rule
from toolpost.server.chat.conversations import Conversations
from toolpost.server.http import Request
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.server.routing import Doc, Handler, Route
from toolpost.store.account_records import ModelUse
from toolpost.store.contract import SessionInfo
from toolpost.store.run_records import RunRecord
from toolpost.types.errors import SessionNotFound

from .accounts import MOST_INVITATION_DAYS, Accounts, Directory
from .auth_routes import NOT_KEPT, Name, Password
from .links import base_url, link_url
from .people import People
from .records import TOKEN, Account, ApiToken, Link
from .roles import BUILT_IN, Role
from .usage import UsageLog, days_ago, sum_of

TAG = "admin"
RoleName = Annotated[str, Meta(min_length=1, max_length=200)]
MAX_RUNS = 1000
INVITATION_DAYS = 7.0


class AdminUser(Struct, frozen=True):
    """`provider` is where the person logs in instead of here, "" for nowhere else. Times are in seconds since 1970, 0
    where there is none. `is_you`: the one who asks, whose account others have to change."""

    name: str
    role: str
    disabled: bool
    has_password: bool
    provider: str
    created: float
    created_by: str
    last_login: float
    is_you: bool


class UserList(Struct, frozen=True):
    users: tuple[AdminUser, ...]


class NewUser(Struct, frozen=True, forbid_unknown_fields=True):
    """Without a password the response has a link with which the person sets one."""

    name: Name
    role: RoleName = "member"
    password: Password = ""


class MadeUser(AdminUser, frozen=True):
    token: str | None
    url: str | None


class UserChange(Struct, frozen=True, forbid_unknown_fields=True):
    role: RoleName | None = None
    disabled: bool | None = None


class ResetLink(Struct, frozen=True):
    token: str
    url: str


class AdminInvitation(Struct, frozen=True):
    id: str
    role: str
    invited_by: str
    created: float
    expires: float


class InvitationList(Struct, frozen=True):
    invitations: tuple[AdminInvitation, ...]


class NewInvitation(Struct, frozen=True, forbid_unknown_fields=True):
    role: RoleName = "member"
    expires_days: Annotated[float, Meta(gt=0, le=MOST_INVITATION_DAYS)] = INVITATION_DAYS


class MadeInvitation(AdminInvitation, frozen=True):
    """The token and the link are shown this once."""

    token: str
    url: str


class AdminRole(Struct, frozen=True):
    name: str
    agents: tuple[str, ...]
    models: tuple[str, ...]
    tools: tuple[str, ...]
    permissions: tuple[Rule, ...]
    limits: UseSettings
    rights: tuple[Right, ...]
    is_built_in: bool


class RoleList(Struct, frozen=True):
    """Roles are changed in the configuration; it needs no restart."""

    roles: tuple[AdminRole, ...]


class AdminToken(Struct, frozen=True):
    id: str
    user: str
    name: str
    created: float
    created_by: str


class TokenList(Struct, frozen=True):
    tokens: tuple[AdminToken, ...]


class NewToken(Struct, frozen=True, forbid_unknown_fields=True):
    user: Name
    name: Annotated[str, Meta(min_length=1, max_length=100)]


class MadeToken(AdminToken, frozen=True):
    """The token is shown this once."""

    token: str


class UsageRow(Struct, frozen=True):
    """`cost` is in US dollars; requests to models without a known price cost nothing here."""

    user: str
    model: str
    requests: int
    input_tokens: int
    output_tokens: int
    cost: float


class UsageTable(Struct, frozen=True):
    usage: tuple[UsageRow, ...]


class UsageQuery(Struct, frozen=True):
    days: Annotated[int, Meta(ge=1, le=3650)] = 30


class RunRow(Struct, frozen=True):
    """`started` is when the run was accepted, in seconds since 1970. `state` is what it is doing now."""

    session: str
    title: str
    user: str
    agent: str
    model: str
    started: float
    state: State


class RunTable(Struct, frozen=True):
    runs: tuple[RunRow, ...]


class AdminRoutes:
    def __init__(
        self,
        conversations: Conversations,
        directory: Directory,
        settings: GatewaySettings,
        usage: UsageLog | None,
        accounts: Accounts | None,
    ) -> None:
        self._conversations = conversations
        self._directory = directory
        self._settings = settings
        self._usage_log = usage
        self._known = accounts

    def routes(self) -> list[Route]:
        name, one, token = {"name": "The user's name"}, {"id": "The invitation's id"}, {"id": "The token's id"}
        session, off = {"session": "The session's id"}, (409,)
        return [
            _route("GET", "users", self._users, Doc("List the accounts", TAG, gives=UserList, errors=off)),
            _route(
                "POST",
                "users",
                self._make_user,
                Doc("Make an account", TAG, takes=NewUser, gives=MadeUser, status=201, errors=off),
            ),
            _route(
                "PATCH",
                "users/{name}",
                self._change_user,
                Doc(
                    "Change a role, disable or enable", TAG, takes=UserChange, gives=AdminUser, params=name, errors=off
                ),
            ),
            _route(
                "DELETE",
                "users/{name}",
                self._delete_user,
                Doc("Delete an account", TAG, status=204, params=name, errors=off),
            ),
            _route(
                "POST",
                "users/{name}/reset",
                self._reset_user,
                Doc("Make a link that sets a password", TAG, gives=ResetLink, params=name, errors=off),
            ),
            _route(
                "GET",
                "invitations",
                self._invitations,
                Doc("List open invitations", TAG, gives=InvitationList, errors=off),
            ),
            _route(
                "POST",
                "invitations",
                self._invite,
                Doc("Invite somebody", TAG, takes=NewInvitation, gives=MadeInvitation, status=201, errors=off),
            ),
            _route(
                "DELETE",
                "invitations/{id}",
                self._withdraw,
                Doc("Withdraw an invitation", TAG, status=204, params=one, errors=off),
            ),
            _route("GET", "roles", self._roles, Doc("List the roles", TAG, gives=RoleList)),
            _route("GET", "tokens", self._tokens, Doc("List the API tokens", TAG, gives=TokenList, errors=off)),
            _route(
                "POST",
                "tokens",
                self._make_token,
                Doc("Make an API token", TAG, takes=NewToken, gives=MadeToken, status=201, errors=off),
            ),
            _route(
                "DELETE",
                "tokens/{id}",
                self._delete_token,
                Doc("Delete an API token", TAG, status=204, params=token, errors=off),
            ),
            _route(
                "GET",
                "usage",
                self._usage,
                Doc("Get what people have used, by model", TAG, query=UsageQuery, gives=UsageTable),
            ),
            _route("GET", "runs", self._runs, Doc("List what runs now", TAG, gives=RunTable)),
            _route("POST", "runs/{session}/stop", self._stop, Doc("Stop a run", TAG, status=204, params=session)),
        ]

    @property
    def _accounts(self) -> Accounts:
        if self._known is None:
            text = "this server has no accounts: set `accounts = true` in [server], or start it with --accounts"
            raise Refusal("conflict", text, code="accounts_off")
        return self._known

    @property
    def _people(self) -> People:
        return People(self._accounts)

    async def _users(self, request: Request) -> None:
        listed = await self._people.listed()
        await request.reply_json(UserList(tuple(AdminUser(**_shown(one, request)) for one in listed)))

    async def _make_user(self, request: Request) -> None:
        body, people = request.json(NewUser), self._people
        account = await people.make(request.user, body.name, body.role, body.password)
        secret = None if body.password else (await people.new_reset_link(request.user, account.name))[1]
        url = secret and link_url(base_url(request, self._settings), "reset", secret)
        made = MadeUser(**_shown(account, request), token=secret, url=url)
        await request.reply_json(made, status=201, headers=NOT_KEPT)

    async def _change_user(self, request: Request) -> None:
        body, name = request.json(UserChange), request.params["name"]
        if body.role is None and body.disabled is None:
            raise BadRequest("send `role` or `disabled`")
        changed = await self._people.change(request.user, name, role=body.role, disabled=body.disabled)
        await request.reply_json(AdminUser(**_shown(changed, request)))

    async def _delete_user(self, request: Request) -> None:
        await self._people.delete(request.user, request.params["name"])
        await request.reply(status=204)

    async def _reset_user(self, request: Request) -> None:
        _, secret = await self._people.new_reset_link(request.user, request.params["name"])
        link = ResetLink(secret, link_url(base_url(request, self._settings), "reset", secret))
        await request.reply_json(link, headers=NOT_KEPT)

    async def _invitations(self, request: Request) -> None:
        found: list[AdminInvitation] = []
        for record in await self._accounts.records.listed("invitation"):
            link = msgspec.json.decode(record.body, type=Link)
            found.append(AdminInvitation(record.id, link.role, link.made_by, record.time, record.expires))
        await request.reply_json(InvitationList(tuple(found)))

    async def _invite(self, request: Request) -> None:
        body = request.json(NewInvitation)
        record, secret = await self._people.invite(request.user, body.role, body.expires_days)
        made = MadeInvitation(
            record.id,
            body.role,
            request.user.name,
            record.time,
            record.expires,
            secret,
            link_url(base_url(request, self._settings), "invitation", secret),
        )
        await request.reply_json(made, status=201, headers=NOT_KEPT)

    async def _withdraw(self, request: Request) -> None:
        if await self._accounts.records.open().take_record("invitation", request.params["id"]) is None:
            raise Refusal("not_found", "there is no such invitation: it was used, or withdrawn before")
        await request.reply(status=204)

    async def _roles(self, request: Request) -> None:
        await request.reply_json(RoleList(tuple(map(_role, self._directory.roles.values()))))

    async def _tokens(self, request: Request) -> None:
        accounts = {one.key: one.name for one in await self._accounts.records.accounts()}
        found: list[AdminToken] = []
        for record in await self._accounts.records.listed(TOKEN):
            token = msgspec.json.decode(record.body, type=ApiToken)
            owner = accounts.get(token.account, token.account)
            found.append(AdminToken(token.id, owner, token.name, record.time, token.made_by))
        await request.reply_json(TokenList(tuple(found)))

    async def _make_token(self, request: Request) -> None:
        body, people = request.json(NewToken), self._people
        token, secret = await people.new_token(request.user, body.user, body.name)
        owner = (await people.find(body.user)).name
        now = self._accounts.records.now()
        made = MadeToken(token.id, owner, token.name, now, token.made_by, secret)
        await request.reply_json(made, status=201, headers=NOT_KEPT)

    async def _delete_token(self, request: Request) -> None:
        await self._people.delete_token(request.user, request.params["id"])
        await request.reply(status=204)

    async def _usage(self, request: Request) -> None:
        if self._usage_log is not None:
            await self._usage_log.write()
        since = days_ago(request.query_as(UsageQuery).days)
        sums: dict[tuple[str, str], ModelUse] = {}
        for use in await self._conversations.store.uses(since):
            key = use.user, use.model
            sums[key] = sum_of(sums[key], use) if key in sums else use
        rows = [
            UsageRow(user, model, use.requests, use.input_tokens, use.output_tokens, use.cost)
            for (user, model), use in sorted(sums.items())
        ]
        await request.reply_json(UsageTable(tuple(rows)))

    async def _runs(self, request: Request) -> None:
        store = self._conversations.store
        here = [one.session for one in self._conversations.open.values() if one.runs_here]
        rows = {one.id: await self._run(one.info, one.open_run) for one in here if one.open_run is not None}
        async for run in store.open_runs():
            if len(rows) >= MAX_RUNS:
                break
            # Its session may have been deleted since.
            with suppress(SessionNotFound):
                if run.record.session_id not in rows:
                    info = await store.info(run.record.session_id)
                    rows[info.id] = await self._run(info, run.record)
        await request.reply_json(RunTable(tuple(rows.values())))

    async def _run(self, info: SessionInfo, record: RunRecord) -> RunRow:
        state = await self._conversations.state(info)
        return RunRow(info.id, info.title, info.owner, record.agent, record.model, record.began, state)

    async def _stop(self, request: Request) -> None:
        session = request.params["session"]
        try:
            await self._conversations.control.stop(session)
        except SessionNotFound:
            raise Refusal("not_found", f"there is no session {session}", code="session_unknown") from None
        await request.reply(status=204)


def _route(method: str, path: str, handler: Handler, doc: Doc) -> Route:
    return Route(method, f"/api/admin/{path}", handler, doc, needs="administer")


def _shown(account: Account, request: Request) -> dict[str, Any]:
    return {
        "name": account.name,
        "role": account.role,
        "disabled": account.disabled,
        "has_password": bool(account.password),
        "provider": account.provider,
        "created": account.created,
        "created_by": account.created_by,
        "last_login": account.last_login,
        "is_you": account.name == request.user.name,
    }


def _role(role: Role) -> AdminRole:
    rights = tuple(sorted(role.rights))
    is_built_in = role.name in BUILT_IN
    return AdminRole(
        role.name, role.agents, role.models, role.tools, role.permissions, role.limits, rights, is_built_in
    )
