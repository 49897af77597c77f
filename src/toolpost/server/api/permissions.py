"""The permission rules, what they decide about a call, and the saved approvals of a user."""

from typing import Annotated

from msgspec import Meta, Struct

from toolpost.config.schema import Headless
from toolpost.guard.rules import Action, Rule, Rules, covered
from toolpost.server.accounts.bounds import agent_for
from toolpost.server.http import Request
from toolpost.server.refusals import Refusal
from toolpost.server.routing import Doc, Route
from toolpost.server.users import User
from toolpost.store.contract import Approval
from toolpost.workspace import Workspace
from toolpost.workspace.explain_permissions import Need, explained, notes_on

LONGEST = 10_000


class SavedApproval(Struct, frozen=True):
    """It answers asks of its owner for this permission and pattern in this folder, and never overrules a deny."""

    id: str
    permission: str
    pattern: str
    time: float


class PermissionList(Struct, frozen=True):
    """The last rule that matches decides. `headless` is what happens to an ask if there is no person to answer; `notes`
    say which rules have no effect."""

    approvals: tuple[SavedApproval, ...]
    rules: tuple[Rule, ...]
    headless: Headless
    notes: tuple[str, ...]


class PermissionQuery(Struct, frozen=True):
    """Use the rules of the default agent, or of another."""

    agent: str = ""


class PermissionCheck(Struct, frozen=True, forbid_unknown_fields=True):
    """`permission` may also be the name of a tool. Without a pattern the answer holds for every pattern."""

    permission: Annotated[str, Meta(min_length=1, max_length=LONGEST)]
    pattern: Annotated[str, Meta(max_length=LONGEST)] | None = None
    agent: str = ""


class CheckedPart(Struct, frozen=True):
    """One permission that is needed; `why` says what it is needed for, if not for the call itself."""

    permission: str
    pattern: str
    action: Action
    rule: Rule | None
    is_approved: bool
    why: str


class Checked(Struct, frozen=True):
    """`rule` is the one that decides, null if none matches, which means ask. `is_approved`: your saved approvals answer
    the ask. `is_hidden`: it is denied for every pattern, so models are not offered it. `refused` is why no rule could
    allow it. `parts` are all permissions that the call needs."""

    action: Action
    rule: Rule | None
    is_approved: bool = False
    is_hidden: bool = False
    refused: str = ""
    parts: tuple[CheckedPart, ...] = ()


def routes(workspace: Workspace) -> list[Route]:
    async def permissions(request: Request) -> None:
        query = request.query_as(PermissionQuery)
        agent = agent_for(workspace, request.user, query.agent)[1]
        rules = workspace.rules(agent, request.user.rules(workspace))
        notes = notes_on(workspace.rules(agent), workspace.tools)
        saved = [SavedApproval(one.id, one.permission, one.pattern, one.time) for one in await approvals(request.user)]
        listed = PermissionList(tuple(saved), rules.rules, workspace.config.headless, tuple(notes))
        await request.reply_json(listed)

    async def revoke(request: Request) -> None:
        wanted = request.params["id"]
        # Looked for among the user's own: nobody learns of, or takes back, what somebody else has approved.
        if all(one.id != wanted for one in await approvals(request.user)):
            raise Refusal(
                "not_found", f"there is no saved approval {wanted}: GET /api/permissions lists your approvals"
            )
        await workspace.store.revoke(wanted)
        await request.reply(status=204)

    async def check(request: Request) -> None:
        asked = request.json(PermissionCheck)
        saved = [(one.permission, one.pattern) for one in await approvals(request.user)]
        await request.reply_json(await _checked(workspace, asked, saved, request.user))

    async def approvals(user: User) -> list[Approval]:
        return await workspace.store.approvals(str(workspace.project), user.name)

    listing = Doc(
        "List the rules and your saved approvals", tag="permissions", query=PermissionQuery, gives=PermissionList
    )
    revoking = Doc("Delete a saved approval", tag="permissions", status=204, params={"id": "The approval's id"})
    checking = Doc("Check what the rules decide about a call", tag="permissions", takes=PermissionCheck, gives=Checked)
    return [
        Route("GET", "/api/permissions", permissions, listing),
        Route("DELETE", "/api/permissions/{id}", revoke, revoking),
        Route("POST", "/api/permissions/check", check, checking),
    ]


async def _checked(
    workspace: Workspace, asked: PermissionCheck, approved: list[tuple[str, str]], user: User
) -> Checked:
    extra = user.rules(workspace)
    agent = agent_for(workspace, user, asked.agent)[0]
    found = await explained(workspace, asked.permission, asked.pattern, agent, extra)
    if found.needs is None:
        return Checked(found.decision.action, found.decision.rule, is_hidden=found.hidden)
    return Checked(
        found.decision.action,
        found.decision.rule,
        found.needs.approved(found.rules, approved),
        found.hidden,
        found.needs.refused,
        tuple(_part(need, found.rules, approved) for need in found.needs.all),
    )


def _part(need: Need, rules: Rules, approved: list[tuple[str, str]]) -> CheckedPart:
    decision = need.decided(rules)
    is_approved = covered(approved, need.permission, (need.pattern,))
    return CheckedPart(need.permission, need.pattern, decision.action, decision.rule, is_approved, need.why)
