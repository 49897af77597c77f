"""Find the commands of a shell script, and of the scripts inside it, with the files they name."""

import posixpath
import re
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from msgspec import Struct

from toolpost.guard.word_sets import names

from .arithmetic import ArithmeticCheck, may_be_evaluated
from .builtin_variables import assigned_by
from .command_files import HARMLESS, SILENT_WRITERS, files_of
from .prefix import prefix, program
from .syntax_tree import NotUnderstood, nodes, parse
from .words import ACTED_ON, Word, literal, text_of, word_of
from .wrappers import inner_commands

if TYPE_CHECKING:
    from tree_sitter import Node

MAX_NESTING = 8
MAX_FOLDERS = 16

RESERVED = names("""
    ! { } [[ ]] case do done elif else esac fi for function if in select then until while
""")
_NAMED = re.compile(r"[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=")
_LOCAL_NAME = re.compile(r"(?!.*_proxy$)[a-z_][a-z0-9_]*")
_DESCRIPTOR = re.compile(r"/dev/fd/\d+")
_LOOPS = ("for_statement", "while_statement", "c_style_for_statement", "function_definition")


class ShellCommand(Struct, frozen=True):
    """A command with the assignments in front of it. `scripted`: one of its words is a program in itself, or it gets
    more of them when it runs."""

    words: tuple[Word, ...]
    assignments: tuple[str, ...] = ()
    scripted: bool = False

    @property
    def shown(self) -> str:
        return " ".join((*self.assignments, *(word.shown for word in self.words)))


@dataclass
class ShellScript:
    """The contents of a script. `pseudo` are patterns other than commands: files written by the shell itself, and
    variables that programs may act on. `folders` are those that the script may be in, none where that can't be
    known."""

    commands: list[ShellCommand] = field(default_factory=list[ShellCommand])
    pseudo: list[str] = field(default_factory=list[str])
    reads: list[str] = field(default_factory=list[str])
    writes: list[str] = field(default_factory=list[str])
    folders: set[str] = field(default_factory=lambda: {""})


def read_script(text: str, script: ShellScript, depth: int = 0, *, repeats: bool = False) -> None:
    """Add what `text` does to `script`; `repeats` says that it may do so several times.

    Raises `NotUnderstood`, with what was seen until then in `script`."""
    if depth > MAX_NESTING:
        raise NotUnderstood("it has scripts inside scripts inside scripts")
    root, problem = parse(text)
    numbers = ArithmeticCheck()
    repeats = repeats or any(node.type in _LOOPS for node in nodes(root))
    for node in nodes(root):
        try:
            numbers.see(node)
            _see(node, script, depth, repeats)
        except NotUnderstood as failure:
            # What follows may be what a rule denies.
            problem = problem or failure
    if problem is not None:
        raise problem
    numbers.check()


def _see(node: "Node", script: ShellScript, depth: int, repeats: bool) -> None:
    match node.type:
        case "command":
            _see_command(node, script, depth, repeats)
        case "file_redirect":
            _see_redirect(node, script)
        case "declaration_command" | "unset_command":
            _see_declaration(node, script)
        case "variable_assignment" if node.parent is not None and node.parent.type not in (
            "command",
            "declaration_command",
            "c_style_for_statement",
        ):
            _see_assignment(node, script)
        case "variable_assignment":
            _name_of(node)
        case "for_statement":
            _see_name(text_of(node.children[1]), script)
        case "expansion":
            _see_expansion(node, script)
        case "function_definition":
            name = node.child_by_field_name("name")
            if name is not None and not re.fullmatch(r"[\w.-]+", text_of(name)):
                raise NotUnderstood("it defines an unusual function")
        case _:
            pass


def _see_command(node: "Node", script: ShellScript, depth: int, repeats: bool) -> None:
    words: list[Word] = []
    assignments: list[str] = []
    for child in node.children:
        if child.type == "variable_assignment":
            assignments.append(text_of(child))
        elif child.type not in ("file_redirect", "herestring_redirect", "heredoc_redirect"):
            words.append(word_of(child))
    words += _behind_redirects(node)
    name = node.child_by_field_name("name")
    if name is not None and text_of(name) in RESERVED:
        raise NotUnderstood(f"{text_of(name)!r} stands where a command should")
    _add(words, script, depth, repeats, tuple(assignments))


def _see_expansion(node: "Node", script: ShellScript) -> None:
    signs = {child.type for child in node.children}
    if signs & {"@", "!"}:
        raise NotUnderstood(f"it expands a variable with {min(signs & {'@', '!'})}")
    if signs & {"=", ":="}:
        _see_name(text_of(node.children[1]), script)


def _add(
    words: list[Word],
    script: ShellScript,
    depth: int,
    repeats: bool = False,
    assignments: tuple[str, ...] = (),
    *,
    open_ended: bool = False,
) -> None:
    """Add a command and what it runs."""
    if not words or not words[0].literal or not words[0].text:
        raise NotUnderstood("the name of a command is only known when it runs")
    if words[0].text in ("cd", "pushd", "popd"):
        _change_folder(words, script, repeats)
    found = inner_commands(words)
    script.commands.append(ShellCommand(tuple(words), assignments, open_ended or bool(found.scripts)))
    files = files_of(words)
    script.reads += files.reads
    script.writes += files.writes
    if program(words) in SILENT_WRITERS:
        script.pseudo += [f"> {shlex.quote(path)}" for path in files.writes]
    for command in found.commands:
        _add(list(command), script, depth, repeats, open_ended=found.open_ended)
    for text in found.scripts:
        # A trap runs whenever its signal comes.
        read_script(text, script, depth + 1, repeats=words[0].text == "trap")
    if found.problem:
        raise NotUnderstood(found.problem)
    if any(word.literal and may_be_evaluated(word.text) for word in words):
        raise NotUnderstood("it holds text that a shell may evaluate")
    for name in assigned_by(words):
        _see_name(name, script)
    if prefix(words) is None:
        raise NotUnderstood(f"what {program(words)} does is only known when it runs")


def _behind_redirects(node: "Node") -> list[Word]:
    """Words behind a redirection belong to the command: the grammar hands them to the redirection."""
    outer = node
    while outer.parent is not None and outer.parent.type in ("list", "pipeline") and _is_last(outer):
        outer = outer.parent
    if outer.parent is None or outer.parent.type != "redirected_statement":
        return []
    redirects = [child for child in outer.parent.children if child.type == "file_redirect"]
    return [word_of(extra) for redirect in redirects for extra in redirect.children_by_field_name("destination")[1:]]


def _is_last(node: "Node") -> bool:
    return node.parent is not None and node.parent.children[-1].id == node.id


def _see_redirect(node: "Node", script: ShellScript) -> None:
    operator = next((text_of(child) for child in node.children if not child.is_named), "")
    targets = node.children_by_field_name("destination")
    if not targets:
        return
    if len(targets) > 1 and not _has_command(node):
        raise NotUnderstood("words behind a redirection have no command")
    target = targets[0]
    if target.type == "process_substitution":
        return
    word = word_of(target)
    if operator in (">&", "<&") and (target.type == "number" or word.text in ("-", "1-", "2-")):
        return
    if operator != "<" and word.text not in HARMLESS and not _DESCRIPTOR.fullmatch(word.text):
        script.pseudo.append(f"> {word.shown}")
        script.writes += [word.path] if word.path else []
    if operator in ("<", "<>") and word.path and word.path not in HARMLESS:
        script.reads.append(word.path)


def _has_command(redirect: "Node") -> bool:
    statement = redirect.parent
    if statement is None or statement.type != "redirected_statement":
        return False
    body = statement.child_by_field_name("body")
    while body is not None and body.type in ("list", "pipeline"):
        body = body.children[-1]
    return body is not None and body.type == "command"


def _see_declaration(node: "Node", script: ShellScript) -> None:
    words = [literal(text_of(node.children[0])), *(_declared(child) for child in node.children[1:])]
    options = "".join(word.text for word in words[1:] if word.text.startswith(("-", "+")))
    if set(options) & set("in") and node.type == "declaration_command":
        raise NotUnderstood("it declares a variable that is evaluated")
    for word in words[1:]:
        if not word.literal and not _NAMED.match(word.text):
            raise NotUnderstood("the name of a variable is only known when it runs")
        if word.literal and may_be_evaluated(word.text):
            raise NotUnderstood("it holds text that a shell may evaluate")
        _check_name(word.text)
    script.commands.append(ShellCommand(tuple(words), scripted=True))


def _declared(node: "Node") -> Word:
    return Word(text_of(node), False) if node.type == "variable_assignment" else word_of(node)


def _see_assignment(node: "Node", script: ShellScript) -> None:
    if not _LOCAL_NAME.fullmatch(_name_of(node)):
        script.pseudo.append(text_of(node))


def _see_name(name: str, script: ShellScript) -> None:
    """A variable that is set by other means than an assignment, so that its value can't be shown."""
    if name == "PATH":
        raise NotUnderstood("it sets PATH to what is only known when it runs")
    if not _LOCAL_NAME.fullmatch(_check_name(name)):
        script.pseudo.append(f"{name}=…")


def _name_of(assignment: "Node") -> str:
    return _check_name(text_of(assignment))


def _check_name(text: str) -> str:
    name = re.split(r"[\[+=]", text, maxsplit=1)[0]
    if ACTED_ON.fullmatch(name):
        raise NotUnderstood(f"it sets {name}, which a shell acts on")
    return name


def _change_folder(words: list[Word], script: ShellScript, repeats: bool) -> None:
    given = [word for word in words[1:] if word.text not in ("-L", "--")]
    target = given[0].path if words[0].text == "cd" and len(given) == 1 else None
    if target is None or target == "-" or not script.folders or (repeats and not target.startswith(("/", "~"))):
        script.folders = set()
        return
    # Whether it works, and whether it is in a subshell, is not known: both folders count.
    script.folders |= {posixpath.normpath(posixpath.join(folder, target)) for folder in script.folders}
    if repeats or len(script.folders) > MAX_FOLDERS:
        script.folders = set()
