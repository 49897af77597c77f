"""Read agents: those that are built in, and those that people write as Markdown."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import structs

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.arguments.suggestions import did_you_mean
from toolpost.config.schema import AgentSettings, LimitSettings, OptionSettings, TranslationSettings
from toolpost.guard.rules import Rule, parse_rules
from toolpost.models.provider_names import canonical_id
from toolpost.tools import builtin
from toolpost.types.errors import ConfigError

from .definition_files import DefinitionFile, FoundDefinitions, collect, markdown_files, places

BUILD = """\
You are Toolpost, a software engineer that works in the user's project with tools. Look before you act: read the files \
that matter, and follow the conventions that you find there. Make the smallest change that does what was asked, then \
run the tests or whatever else proves it, and say honestly what you could not check. Call tools that do not depend on \
each other at once. Answer briefly and plainly, in the user's language."""
PLAN = """\
You are Toolpost, a software engineer who plans. You may look at everything and change nothing. Find out how things \
are, ask the user where they have to decide, and end with a plan that somebody else could carry out: which files, \
which changes, in which order, and how to check them. Answer briefly and plainly, in the user's language."""
EXPLORE = """\
You search a project quickly and report. Use glob, grep and read, several calls at once, from the broad to the narrow. \
Answer with what was asked, with paths and line numbers, and with no more than that. You change nothing."""

CHAT = """\
You are a helpful assistant. Answer in the user's language, clearly and to the point. Use the tools where they help: \
search the web for what is recent, changes often or has to be exact, open a page where its excerpt is not enough, \
calculate with a tool instead of in your head. Do not search for small talk or for what you know for certain. Name the \
sources that you used, with their links. If you do not know something and can't find it out, say so instead of \
guessing. You can't read files or run commands here: if you are asked to, say so, and help as far as you can."""
CHAT_ZH = """\
你是一个乐于助人的助手。用用户的语言回答，清楚、扼要。需要时使用工具：近期的、经常变化的或必须准确的信息，先上网搜索；\
摘要不够时，打开网页阅读；计算用工具完成，不要心算。闲聊和你确知的内容不必搜索。用到的来源要注明，并附上链接。\
不知道又查不到的，就直说，不要猜测。你在这里不能读取文件，也不能运行命令：如果用户要求，请说明这一点，并尽力用别的方式帮忙。"""
# The built-in tools of `chat`; those of the folder and of MCP servers come on top. None of them touches the machine.
CHAT_TOOLS = frozenset({"calculator", "sql_query", "web_fetch", "web_search"})

BUILT_IN: Mapping[str, AgentSettings] = {
    "build": AgentSettings(description="Does the work: reads, edits, runs commands", mode="primary", system=BUILD),
    "plan": AgentSettings(
        description="Looks at everything, changes nothing, and makes a plan",
        mode="primary",
        read_only=True,
        system=PLAN,
    ),
    "chat": AgentSettings(
        description="Answers questions, with web search; has no files and no commands",
        mode="primary",
        system=CHAT,
        translations=TranslationSettings(zh=CHAT_ZH),
        tools={name: name in CHAT_TOOLS for name in builtin.NAMES},
    ),
    "explore": AgentSettings(
        description="Searches the project quickly and reports what it found with paths and lines; changes nothing",
        mode="subagent",
        read_only=True,
        system=EXPLORE,
    ),
}
# The agent that works where none is named: in a terminal, and on a server.
DEFAULT_AGENT = "build"
SERVER_AGENT = "chat"
MODES = ("primary", "subagent", "all")
_OWN_KEYS = frozenset(
    {
        "name",
        "description",
        "model",
        "variant",
        "mode",
        "tools",
        "permissions",
        "read_only",
        "presearch",
        "options",
        "limits",
        "translations",
    }
)
_TOOLS = {
    "agent": "task",
    "applypatch": "apply_patch",
    "askuserquestion": "question",
    "codesearch": "code_search",
    "ls": "list",
    "multiedit": "edit",
    "notebookedit": "edit",
    "patch": "apply_patch",
    "todoread": "todo_read",
    "todowrite": "todo_write",
    "webfetch": "web_fetch",
    "websearch": "web_search",
}
_ENTRY = re.compile(r"([^,()\s]+)(?:\([^)]*\))?")


def find_agents(project: Path, environ: Mapping[str, str], *, trusted: bool) -> FoundDefinitions[AgentSettings]:
    """The built-in agents and those in Markdown files. A file takes the place of a built-in of the same name, also
    where it is broken: the built-in might do more than the file allows. Raises `ExtraMissing` for files that nothing
    here can read."""
    found = collect(places("agents", project, environ, trusted=trusted), markdown_files, _agent, needed=True)
    agents = {name: agent for name, agent in {**BUILT_IN, **found.items}.items() if name not in found.broken}
    return FoundDefinitions(agents, found.warnings, found.broken)


def merged(base: AgentSettings | None, over: AgentSettings | None) -> AgentSettings:
    """What the configuration says of an agent, laid over its definition. Of rules, later ones are stronger; a table of
    tools changes only the tools that it names."""
    if base is None or over is None:
        return over or base or AgentSettings()
    given = {name: value for name, value in structs.asdict(over).items() if value not in (None, ())}
    if over.system is None:
        # With a prompt of its own, the base's translations are those of another prompt.
        given["translations"] = structs.replace(base.translations, **over.translations.given())
    if isinstance(base.tools, dict) and isinstance(over.tools, dict):
        given["tools"] = base.tools | over.tools
    rules = (*base.permissions, *over.permissions)
    layers = {
        "options": structs.replace(base.options, **over.options.given()),
        "limits": structs.replace(base.limits, **over.limits.given()),
    }
    return structs.replace(base, **{**given, **layers, "permissions": rules})


def _agent(file: DefinitionFile, warnings: list[str]) -> tuple[str, AgentSettings] | None:
    given, name = dict(file.document.settings), file.shown
    if given.get("disable") is True:
        return None
    if file.place.is_own:
        warnings += [_unknown(key, name) for key in given if key not in _OWN_KEYS]
    called = str(given.get("name") or file.name.rpartition(":")[2]).strip()
    model, problem = _model(given.get("model"), name)
    warnings += problem
    settings = AgentSettings(
        description=_text(given, "description", name),
        mode=_mode(given.get("mode"), name),
        read_only=_flag(given, "read_only", name),
        presearch=_flag(given, "presearch", name),
        model=model,
        variant=_text(given, "variant", name),
        system=file.document.body or _text(given, "prompt", name),
        translations=_table(_mapping(given, "translations", name), TranslationSettings, name),
        tools=_tool_names(given.get("tools"), name),
        permissions=_rules(given, name),
        options=_table(_options(given), OptionSettings, name),
        limits=_table(_limits(given), LimitSettings, name),
    )
    return called, settings


def _model(value: Any, name: str) -> tuple[str | None, list[str]]:
    if value in (None, "", "inherit"):
        return None, []
    if isinstance(value, str) and "/" in canonical_id(value):
        return value, []
    return None, [f"{name}: model {value!r} names no provider, so the session's model is used; write provider/model"]


def _mode(value: Any, name: str) -> Any:
    if value is None or value in MODES:
        return value
    raise ConfigError(f"{name}: mode {value!r} must be one of {', '.join(MODES)}")


def _rules(given: Mapping[str, Any], name: str) -> tuple[Rule, ...]:
    value = given.get("permissions", given.get("permission"))
    return () if value is None else parse_rules(_permissions(value), name)


def _options(given: Mapping[str, Any]) -> dict[str, Any]:
    """`temperature` and `top_p` may stand beside the other settings, as in other tools' files."""
    beside = {key: given[key] for key in ("temperature", "top_p") if isinstance(given.get(key), int | float)}
    own = given.get("options")
    return {**beside, **(cast(dict[str, Any], own) if isinstance(own, dict) else {})}


def _limits(given: Mapping[str, Any]) -> dict[str, Any]:
    steps = given.get("steps", given.get("maxSteps"))
    own = given.get("limits")
    return {
        **({"max_steps": steps} if isinstance(steps, int) else {}),
        **(cast(dict[str, Any], own) if isinstance(own, dict) else {}),
    }


def _mapping(given: Mapping[str, Any], key: str, name: str) -> dict[str, Any]:
    value = given.get(key)
    if value is None or isinstance(value, dict):
        return cast("dict[str, Any]", value or {})
    raise ConfigError(f"{name}: {key} must be a table, got {value!r}")


def _table(value: dict[str, Any], kind: Any, name: str) -> Any:
    unknown = [key for key in value if key not in kind.__struct_fields__]
    if unknown:
        raise ConfigError(f"{name}: unknown {unknown[0]!r}; known: {', '.join(kind.__struct_fields__)}")
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise ConfigError(f"{name}: {explain_decode_error(error, kind)}") from error


def _text(given: Mapping[str, Any], key: str, name: str) -> str | None:
    value = given.get(key)
    if value is None or isinstance(value, str):
        return value
    raise ConfigError(f"{name}: {key} must be a text, got {value!r}")


def _flag(given: Mapping[str, Any], key: str, name: str) -> bool | None:
    value = given.get(key)
    if value is None or isinstance(value, bool):
        return value
    raise ConfigError(f"{name}: {key} must be true or false, got {value!r}")


def _unknown(key: str, name: str) -> str:
    hint = did_you_mean(key, _OWN_KEYS, f"known: {', '.join(sorted(_OWN_KEYS))}", 1)
    return f"{name}: {key!r} sets nothing; {hint}"


def _tool_name(word: str) -> str:
    """Our name for what may be another tool's: `WebFetch` is `web_fetch`. MCP tools are called the same everywhere."""
    if word.startswith("mcp__"):
        return word
    plain = word.lower()
    return _TOOLS.get(plain, plain)


def _tool_names(value: Any, name: str) -> tuple[str, ...] | dict[str, bool] | None:
    """`tools: Read, Grep`, a list, or a table of names with true and false; None for all."""
    if value is None or value == "*":
        return None
    if isinstance(value, str):
        return tuple(dict.fromkeys(_tool_name(entry) for entry in _ENTRY.findall(value)))
    if isinstance(value, Sequence):
        entries = cast(Sequence[object], value)
        if all(isinstance(entry, str) for entry in entries):
            return _tool_names(", ".join(cast(Sequence[str], entries)), name)
    if isinstance(value, Mapping):
        table = cast(Mapping[object, object], value)
        if all(isinstance(on, bool) for on in table.values()):
            return {_tool_name(str(word)): on is True for word, on in table.items()}
    raise ConfigError(f"{name}: tools must be a list of names, or a table of names with true or false")


def _permissions(value: Any) -> Any:
    """Permissions as `parse_rules` takes them, with our names."""
    if not isinstance(value, Mapping):
        return value
    return {_tool_name(str(word)): entry for word, entry in cast(Mapping[object, object], value).items()}
