"""The `/` commands of the chat."""

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from toolpost.cli.shared.find_by_id import find_session
from toolpost.cli.shared.formats import ago, dollars, first_sentence, short_id
from toolpost.cli.shared.questions import read_line
from toolpost.cli.shared.terminal_writer import BOLD, DIM
from toolpost.engine.compaction import tokens_in_use
from toolpost.engine.model_options import variant_options
from toolpost.store.contract import SessionInfo
from toolpost.types.text import counted
from toolpost.view.cells import fit
from toolpost.view.escape_codes import exact_line

if TYPE_CHECKING:
    from .command import Chat

LISTED_SESSIONS = 15


async def help_(chat: "Chat", argument: str) -> None:
    known = {name: help for name, (help, _) in COMMANDS.items()}
    known |= {name: help for name, help in chat.other_commands().items() if name not in known}
    for name, help in known.items():
        chat.say(f"  {chat.pen.style(f'/{exact_line(name)}', BOLD):<{12 + _escapes(chat)}} {exact_line(help)}")
    chat.say(chat.pen.style("  Enter sends, Alt+Enter adds a line, Ctrl-C stops a run, Ctrl-D quits", DIM))


async def model(chat: "Chat", argument: str) -> None:
    if not argument:
        chat.say(f"{exact_line(chat.session.model.info.id)}; to change it: /model provider/model")
        return
    workspace = chat.opening.workspace
    chosen = workspace.model(argument)
    if (left := chat.opening.variant) not in workspace.variants(chosen.info):
        chat.opening.variant = left = ""
    await chat.switch(chosen, chat.session.agent)
    chat.say(f"the model is now {exact_line(chosen.info.id)}{f', variant {exact_line(left)}' if left else ''}")


async def variant(chat: "Chat", argument: str) -> None:
    workspace, model = chat.opening.workspace, chat.session.model
    known = workspace.variants(model.info)
    if not argument:
        chosen = chat.opening.variant or workspace.agent(chat.session.agent)[1].variant
        for name, options in known.items():
            here = "*" if name == chosen else " "
            told = ", ".join(f"{key} {value}" for key, value in options.items())
            chat.say(fit(f" {here} {exact_line(name)}  {exact_line(told)}", chat.pen.width))
        more = "/variant NAME selects one, /variant none clears it" if known else "this model has no variants"
        chat.say(chat.pen.style(more, DIM))
        return
    wanted = "" if argument == "none" and argument not in known else argument
    variant_options(model.info, wanted, known)
    chat.opening.variant = wanted
    await chat.switch(model, chat.session.agent)
    chat.say(f"the variant of {exact_line(model.info.id)} is now {exact_line(wanted) or 'none'}")


async def agent(chat: "Chat", argument: str) -> None:
    workspace = chat.opening.workspace
    if not argument:
        offered = {name: one for name, one in workspace.agents.items() if one.mode != "subagent"}
        widest = max(map(len, map(exact_line, offered)), default=0)
        for name, settings in offered.items():
            here = "*" if name == chat.session.agent else " "
            about = exact_line(settings.description or "")
            chat.say(fit(f" {here} {exact_line(name):<{widest}}  {about}", chat.pen.width))
        chat.say(chat.pen.style("/agent NAME selects another", DIM))
        return
    name, settings = workspace.agent(argument)
    chosen = workspace.model(settings.model) if settings.model else chat.session.model
    chat.opening.agent = name
    await chat.switch(chosen, name)
    chat.say(f"the agent is now {exact_line(name)}{', which is read-only' if settings.read_only else ''}")


async def sessions(chat: "Chat", argument: str) -> None:
    if argument:
        number = int(argument) if argument.isdecimal() else 0
        # A number is the one that the person saw; who saw none means the list as it is now.
        listed = chat.listed or [info.id for info in await _newest(chat)]
        is_listed = 0 < number <= len(listed)
        info = await find_session(chat.opening.workspace, listed[number - 1] if is_listed else argument)
        await chat.adopt(await chat.opening.resume(info))
        await chat.go_on()
        return
    found = await _newest(chat)
    chat.listed = [info.id for info in found]
    for number, info in enumerate(found, 1):
        chat.say(_session_line(chat, number, info))
    chat.say(chat.pen.style("/sessions NUMBER continues one" if found else "no sessions here yet", DIM))


async def new(chat: "Chat", argument: str) -> None:
    await chat.adopt(chat.opening.new(chat.session.model))
    chat.say("your next prompt starts a new session")


async def fork(chat: "Chat", argument: str) -> None:
    if not chat.has_begun:
        chat.say("there is nothing to fork yet")
        return
    forked = await chat.session.fork()
    await chat.adopt(forked, silently=True)
    chat.say(f"this is now a copy, {short_id(forked.id)}; the original session is unchanged")


async def undo(chat: "Chat", argument: str) -> None:
    taken_back = await chat.session.undo() if chat.has_begun else None
    if taken_back is None:
        chat.say("there is nothing to undo")
        return
    chat.prefill = taken_back.text
    chat.say("the last prompt and its answer are undone")
    await _undo_files(chat, taken_back.id)


async def retry(chat: "Chat", argument: str) -> None:
    if not any(message.role == "user" for message in chat.session.messages):
        chat.say("there is nothing to retry")
        return
    await chat.drive(chat.session.retry())


async def resume(chat: "Chat", argument: str) -> None:
    if chat.session.open_run is None:
        chat.say("no run of this session was interrupted")
        return
    await chat.resume_run()


async def compact(chat: "Chat", argument: str) -> None:
    if chat.has_begun and await chat.session.compact():
        chat.say(f"summarised: {counted(tokens_in_use(chat.session.messages), 'token')} in use now")
    else:
        chat.say("there is nothing to summarise yet")


async def tools(chat: "Chat", argument: str) -> None:
    registry = chat.opening.workspace.tools
    widest = max((len(tool.name) for tool in registry), default=0)
    for tool in registry:
        about = exact_line(first_sentence(tool.description))
        chat.say(fit(f"  {tool.name:<{widest}}  {about}", chat.pen.width))
    if not len(registry):
        chat.say("no tools here: use --tools FILE.py, or put a file into .toolpost/tools/")


async def mcp(chat: "Chat", argument: str) -> None:
    servers = chat.opening.workspace.servers
    if servers is None:
        chat.say("no MCP servers here; to add one: toolpost mcp add")
        return
    for one in servers.start().status():
        detail = exact_line(one.detail) or counted(one.tools, "tool")
        chat.say(fit(f"  {exact_line(one.name)}  {one.state}  {detail}", chat.pen.width))


async def jobs(chat: "Chat", argument: str) -> None:
    running = chat.opening.workspace.bench.jobs
    found = running.of(chat.session.id) if running else ()
    for job in found:
        chat.say(fit(f"  {job.id}  {job.status}  {exact_line(job.command)}", chat.pen.width))
    if not found:
        chat.say("no background jobs in this session")


async def status(chat: "Chat", argument: str) -> None:
    session, info = chat.session, chat.session.info
    window = session.model.info.context_window
    used = tokens_in_use(session.messages)
    share = f" of {window:,} ({used / window:.0%})" if window else ""
    cost = "not known" if info.cost is None else dollars(info.cost)
    chat.say(f"  model    {exact_line(session.model.info.id)}")
    chat.say(f"  session  {session.id}  {exact_line(info.title)}")
    chat.say(f"  context  {counted(used, 'token')}{share}")
    chat.say(f"  spent    {counted(info.usage.total, 'token')}, cost {cost}")


async def exit_(chat: "Chat", argument: str) -> None:
    chat.leaving = True


COMMANDS: dict[str, tuple[str, Callable[["Chat", str], Awaitable[None]]]] = {
    "model": ("show the model, or change it: /model provider/model", model),
    "variant": ("list the variants of the model, or select one: /variant high", variant),
    "agent": ("list the agents, or select one: /agent plan", agent),
    "sessions": ("list the sessions of this project, or continue one: /sessions 2", sessions),
    "new": ("start a new session", new),
    "fork": ("copy this session and continue in the copy", fork),
    "undo": ("undo the last prompt, to change it", undo),
    "retry": ("answer the last prompt again", retry),
    "resume": ("go on with a run that was interrupted", resume),
    "compact": ("summarise the conversation so far", compact),
    "tools": ("list the tools", tools),
    "mcp": ("show the state of the MCP servers", mcp),
    "jobs": ("list the background jobs of this session", jobs),
    "status": ("show tokens, cost and how full the context is", status),
    "help": ("show this list", help_),
    "exit": ("quit", exit_),
    "quit": ("quit", exit_),
}


async def _undo_files(chat: "Chat", prompt: str) -> None:
    """Offer to take back what came of a prompt in files, too."""
    # Imported here: most chats change nothing, or take nothing back.
    from toolpost.cli.shared.file_changes import say_left_out, show_changes
    from toolpost.cli.shared.find_by_id import only_id
    from toolpost.workspace.undo import messages_of, undo_in

    workspace = chat.opening.workspace
    undo = undo_in(workspace)
    turn = undo.plan("undo", messages=await messages_of(workspace, prompt, only_id))
    if turn.problems:
        chat.note(f"files are unchanged: {'; '.join(turn.problems)}")
    elif turn.steps:
        show_changes(turn.steps)
        say_left_out(turn.left_out, "cannot be undone")
        chat.pen.put(chat.pen.style("undo these file changes too? [y/N] ", BOLD))
        answer = await read_line(0)
        if (answer or "").strip().lower() in ("y", "yes"):
            undo.apply(turn)
            chat.say("these file changes are undone" if turn.left_out else "the file changes are undone")
    elif turn.left_out:
        say_left_out(turn.left_out, "cannot be undone")


async def _newest(chat: "Chat") -> list[SessionInfo]:
    found: list[SessionInfo] = []
    async for info in chat.opening.stored():
        found.append(info)
        if len(found) == LISTED_SESSIONS:
            break
    return found


def _session_line(chat: "Chat", number: int, info: SessionInfo) -> str:
    here = "*" if info.id == chat.session.id else " "
    return fit(f" {here}{number:>2}  {exact_line(info.title) or '(no title)'}  · {ago(info.updated)}", chat.pen.width)


def _escapes(chat: "Chat") -> int:
    """The invisible letters of a styled text, which padding counts too."""
    return len(chat.pen.style("x", BOLD)) - 1
